#include "query/cover_points.h"

#include "cost/prices.h"
#include "sight/visibility_table.h"
#include "search/reach.h"

/* Places along a wall are so far apart. [m] */
#define SPACING 0.5f
/* From the ideal place to the nearest one on the navmesh, at most. [m] */
#define NEAR 0.35f
/* Ground beside a wall is that far above or below its foot at most, besides slopes of up to 45 degrees. [m] */
#define BESIDE_FOOT 0.15f
/* Hidden parts of one wall, at most; with more of them the whole wall is tried. */
#define PARTS 16
#define HALF_PI 1.57079633f

void lwi_cover_scratch_free(lwi_cover_scratch *scratch, lwi_memory *memory) {
  lwi_free(memory, scratch->candidates, (size_t)scratch->capacity * sizeof *scratch->candidates);
  lwi_heap_free(&scratch->open, memory);
  lwi_free(memory, scratch->priced, (size_t)scratch->priced_capacity * sizeof *scratch->priced);
  lwi_free(memory, scratch->taken, (size_t)scratch->taken_capacity * sizeof *scratch->taken);
  lwi_free(memory, scratch->judged, (size_t)scratch->judged_capacity * sizeof *scratch->judged);
  lwi_free(memory, scratch->segments, (size_t)scratch->segment_capacity * sizeof *scratch->segments);
  lwi_free(memory, scratch->targets, (size_t)scratch->target_capacity * sizeof *scratch->targets);
}

/* --- stances ------------------------------------------------------------------------------------------------------ */

void lwi_cover_stances(lwi_cover_seeker *seeker) {
  const lw_profile *profile = seeker->query->profile;
  int count = profile ? lw_profile_get_def(profile)->stance_count : LW_CROUCH + 1;
  seeker->stance_count = 0;
  if (seeker->query->stance >= 0) {
    seeker->stances[seeker->stance_count++] = seeker->query->stance;
    return;
  }
  for (int i = 0; i < count; i++) {
    float top = lw_profile_get_stance(profile, i)->body[1];
    int at = seeker->stance_count++;
    for (; at > 0 && lw_profile_get_stance(profile, seeker->stances[at - 1])->body[1] < top; at--)
      seeker->stances[at] = seeker->stances[at - 1];
    seeker->stances[at] = i;
  }
}

/* --- seen or not -------------------------------------------------------------------------------------------------- */

/* @param threats  [query->threat_count] */
static lw_exposure_query exposure_of(const lwi_cover_seeker *seeker, const lw_threat *threats, int stance,
                                     bool shots) {
  const lw_stance *body = lw_profile_get_stance(seeker->query->profile, stance);
  lw_exposure_query query = lw_exposure_query_default();
  query.accuracy = LW_ACCURACY_EXACT;
  query.heights[0] = body->body[0];
  query.heights[1] = body->body[1];
  query.height_count = 2;
  query.threats = threats;
  query.threat_count = seeker->query->threat_count;
  query.shots = shots;
  return query;
}

/* The seeker's sight for a segment that begins there. The visibility table counts where the segment is over one polygon. */
static lwi_sight sight_from(const lwi_cover_seeker *seeker, lw_vec3 from) {
  lwi_sight sight = seeker->sight;
  if (!sight.over) return sight;
  sight.polygon = lwi_visibility_table_over(sight.ground, lwi_add(from, lwi_vec3(0, LWI_VISIBILITY_MIDDLE, 0)));
  if (sight.polygon == LWI_NONE) sight.over = NULL;
  return sight;
}

/* @return 1: hidden there from all; 0: not; -1: no memory. */
static int is_hidden(const lwi_cover_seeker *seeker, const lw_threat *threats, lw_vec3 at, int stance,
                     bool shots) {
  lw_exposure_query query = exposure_of(seeker, threats, stance, shots);
  lw_exposure seen;
  const lwi_sight sight = sight_from(seeker, at);
  query.from = query.to = at;
  if (lwi_exposure_find(&sight, &query, seeker->memory, seeker->scratch, &seen) != LW_OK) return -1;
  return seen.fraction > 0 ? 0 : 1;
}

/* Is there headroom for the agent in a stance? */
static bool fits(const lwi_cover_seeker *seeker, const lw_location *at, int stance) {
  const lw_navmesh *mesh = seeker->reach->graph.mesh;
  if (!seeker->query->profile) return true;
  const float height = lwi_stance_height(lw_profile_get_def(seeker->query->profile), stance);
  const uint8_t headroom = mesh->polygons.headrooms[lwi_poly_index(mesh, at->poly)];
  return lwi_has_headroom(headroom, height, mesh->agent.height);
}

/* The tallest stance that the agent may take there and is hidden in. @return 1: there is one; 0: none; -1: no memory. */
static int find_stance(const lwi_cover_seeker *seeker, const lw_location *at, int *stance) {
  for (int i = 0; i < seeker->stance_count; i++) {
    if (!fits(seeker, at, seeker->stances[i])) continue;
    int hidden = is_hidden(seeker, seeker->query->threats, at->point, seeker->stances[i], seeker->query->hard);
    *stance = seeker->stances[i];
    if (hidden != 0) return hidden;
  }
  return 0;
}

/* --- judged ------------------------------------------------------------------------------------------------------- */

/* A threat that faces away may turn, so all are taken to look all round. A threat whose range does not reach the place
   does not count; but if none reaches it, all reach it, so that a place behind the wall is better than one before it. */
static void widen_threats(const lwi_cover_seeker *seeker, lw_vec3 at) {
  const lw_cover_query *query = seeker->query;
  bool reached = false;
  for (int i = 0; i < query->threat_count && !reached; i++)
    reached = lwi_distance(at, query->threats[i].at) < query->threats[i].range;
  for (int i = 0; i < query->threat_count; i++) {
    seeker->judged[i] = query->threats[i];
    seeker->judged[i].half_angle = lw_threat_default().half_angle;
    if (!reached) seeker->judged[i].range = INFINITY;
  }
}

/* Half for a place out of sight, half for one out of fire. @return 0, 0.5 or 1; -1: no memory. */
static float protection_of(const lwi_cover_seeker *seeker, lw_vec3 at, int stance) {
  int hidden = is_hidden(seeker, seeker->judged, at, stance, true);
  if (hidden != 0) return (float)hidden;
  hidden = is_hidden(seeker, seeker->judged, at, stance, false);
  return hidden > 0 ? 0.5f : (float)hidden;
}

bool lwi_cover_protect(const lwi_cover_seeker *seeker, lw_cover_point *point) {
  lw_vec3 normal = point->segment.normal, along = {-normal.z, 0, normal.x};
  const lw_vec3 offsets[] = {{0, 0, 0}, along, lwi_scale(along, -1), normal, lwi_scale(normal, -1)};
  const int count = (int)(sizeof offsets / sizeof *offsets);
  float sum = 0;
  widen_threats(seeker, point->at.point);
  for (int i = 0; i < count; i++) {
    lw_vec3 at = lwi_add(point->at.point, lwi_scale(offsets[i], seeker->radius));
    float share = protection_of(seeker, at, point->stance);
    if (share < 0) return false;
    sum += share;
  }
  point->protection = sum / (float)count;
  return true;
}

/* Between two directions, as seen from above. [rad, 0..pi] */
static float angle_between(lw_vec3 a, lw_vec3 b) {
  return fabsf(atan2f(a.x * b.z - a.z * b.x, a.x * b.x + a.z * b.z));
}

/* The angle that a threat must move around the place until the segment is no longer between them; 0: it is not. */
static float flank_of(lw_vec3 at, const lw_cover_segment *segment, lw_vec3 threat) {
  lw_vec3 to = lwi_sub(threat, at), a = lwi_sub(segment->a, at), b = lwi_sub(segment->b, at);
  float wide = angle_between(a, b), left = angle_between(to, a), right = angle_between(to, b);
  bool between = left + right <= wide + 1e-4f;
  return between ? fminf(HALF_PI, fminf(left, right)) : 0;
}

static float min_flank(const lwi_cover_seeker *seeker, const lw_cover_point *point) {
  float flank = HALF_PI;
  for (int i = 0; i < seeker->query->threat_count; i++)
    flank = fminf(flank, flank_of(point->at.point, &point->segment, seeker->query->threats[i].at));
  return flank;
}

float lwi_cover_score(const lw_cover_query *query, const lw_cover_point *point, float cost) {
  const lw_cover_weights *weights = &query->weights;
  return weights->protection * point->protection + weights->flank * point->flank / HALF_PI -
         weights->cost * cost / query->radius;
}

/* --- found -------------------------------------------------------------------------------------------------------- */

static bool is_taken(const lwi_cover_seeker *seeker, lw_vec3 at) {
  for (int i = 0; i < seeker->taken_count; i++)
    if (lwi_distance(at, seeker->taken[i].at) < seeker->taken[i].radius + seeker->radius) return true;
  return false;
}

/* The place nearest to `wish` where the agent can stand and that it can reach, on the floor of the wall.
   @return LW_OK, LW_NO_POINT, LW_OUT_OF_MEMORY. */
static lw_status place_at(const lwi_cover_seeker *seeker, lw_vec3 wish, lw_location *at) {
  const float rise = BESIDE_FOOT + seeker->standoff + NEAR;
  const lw_vec3 half = {NEAR, fminf(seeker->query->snap.y, rise), NEAR};
  uint32_t region;
  if (lw_navmesh_nearest(seeker->reach->graph.mesh, wish, half, seeker->filter, at) != LW_OK)
    return LW_NO_POINT;
  lw_status status = lwi_placement_find(seeker->reach, seeker->work, wish, half, at, &region);
  if (status != LW_OK) return status;
  bool reached = region != LWI_NONE && lwi_reaches(seeker->reach, seeker->label, seeker->reach->labels[region]);
  bool inside = lwi_distance_xz(at->point, seeker->query->around) <= seeker->query->radius;
  return reached && inside && !is_taken(seeker, at->point) ? LW_OK : LW_NO_POINT;
}

/* Is the place in front of the segment, and not much farther from it than the standoff? */
static bool is_beside(const lwi_cover_seeker *seeker, const lw_cover_segment *segment, lw_vec3 at) {
  float away = lwi_dot(lwi_sub(at, segment->a), lwi_vec3(segment->normal.x, 0, segment->normal.z));
  return away > 0 && away <= seeker->standoff + NEAR;
}

/* Is there a candidate about there already, at the same wall? */
static bool is_known(const lwi_cover_scratch *scratch, lw_vec3 at) {
  for (int i = scratch->first; i < scratch->count; i++)
    if (lwi_distance(scratch->candidates[i].point.at.point, at) < SPACING / 2) return true;
  return false;
}

/* Make the place at that part of the segment a candidate if it hides. @return false: no memory. */
static bool try_at(const lwi_cover_seeker *seeker, const lw_cover_segment *segment, float t,
                   lwi_cover_scratch *scratch) {
  lw_vec3 wish = lwi_add(lwi_lerp(segment->a, segment->b, t), lwi_scale(segment->normal, seeker->standoff));
  lw_cover_point point = {.segment = *segment, .navmesh = segment->navmesh, .protection = 1};
  lw_status status = place_at(seeker, wish, &point.at);
  if (status != LW_OK) return status != LW_OUT_OF_MEMORY;
  if (!is_beside(seeker, segment, point.at.point) || is_known(scratch, point.at.point)) return true;
  float straight = lwi_distance(seeker->from, point.at.point) * seeker->lowest_price;
  if (straight > seeker->query->max_cost) return true;
  int hidden = find_stance(seeker, &point.at, &point.stance);
  if (hidden <= 0) return hidden == 0;
  point.flank = min_flank(seeker, &point);
  if (!lwi_reserve(seeker->memory, &scratch->candidates, &scratch->capacity, scratch->count + 1,
                   sizeof *scratch->candidates))
    return false;
  float best_score = lwi_cover_score(seeker->query, &point, straight);
  scratch->candidates[scratch->count] =
      (lwi_cover_candidate){.point = point, .lower_bound = straight, .best_score = best_score};
  scratch->count += 1;
  return true;
}

/* The parts of a line along the segment that are hidden in a stance. @return How many; PARTS + 1: more; -1: no memory. */
static int find_parts(const lwi_cover_seeker *seeker, const lw_cover_segment *segment, int stance,
                      lw_interval parts[PARTS]) {
  lw_exposure_query query = exposure_of(seeker, seeker->query->threats, stance, seeker->query->hard);
  lw_vec3 off = lwi_scale(segment->normal, seeker->standoff);
  lw_exposure seen;
  query.from = lwi_add(segment->a, off);
  query.to = lwi_add(segment->b, off);
  query.hidden = parts;
  query.hidden_capacity = PARTS;
  const lwi_sight sight = sight_from(seeker, query.from);
  if (lwi_exposure_find(&sight, &query, seeker->memory, seeker->scratch, &seen) != LW_OK) return -1;
  return seen.hidden_count > PARTS ? PARTS + 1 : seen.hidden_count;
}

/* Places at even distances along a hidden part, a radius from its ends; in the middle of a short part. */
static bool try_part(const lwi_cover_seeker *seeker, const lw_cover_segment *segment, lw_interval part,
                     lwi_cover_scratch *scratch) {
  float length = lwi_distance_xz(segment->a, segment->b);
  float from = part.t0 * length + seeker->radius, to = part.t1 * length - seeker->radius;
  if (!(length > 0)) return true;
  if (to - from < SPACING / 2) return try_at(seeker, segment, (part.t0 + part.t1) / 2, scratch);
  int steps = (int)ceilf((to - from) / SPACING);
  for (int i = 0; i <= steps; i++)
    if (!try_at(seeker, segment, (from + (to - from) * (float)i / (float)steps) / length, scratch))
      return false;
  return true;
}

bool lwi_cover_gather(const lwi_cover_seeker *seeker, const lw_cover_segment *segment,
                      lwi_cover_scratch *scratch) {
  lw_interval parts[PARTS], whole = {0, 1};
  if (seeker->query->hard && segment->kind != LW_COVER_HARD) return true;
  scratch->first = scratch->count;
  for (int i = 0; i < seeker->stance_count; i++) {
    int count = find_parts(seeker, segment, seeker->stances[i], parts);
    if (count < 0) return false;
    if (count > PARTS) return try_part(seeker, segment, whole, scratch);
    for (int k = 0; k < count; k++)
      if (!try_part(seeker, segment, parts[k], scratch)) return false;
  }
  return true;
}
