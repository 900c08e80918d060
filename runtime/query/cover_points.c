#include "query/cover_points.h"

#include "cover/pairs.h"
#include "search/stand.h"

/* Places along a wall are so far apart. [m] */
#define SPACING 0.5f
/* From where one would stand to where the navmesh lets one. [m] */
#define NEAR 0.35f
/* Hidden parts of one wall that are told apart. */
#define PARTS 16
#define HALF_PI 1.57079633f

void lwi_cover_room_free(lwi_cover_room *room, lwi_memory *memory) {
  lwi_free(memory, room->spots, (size_t)room->capacity * sizeof *room->spots);
  lwi_heap_free(&room->open, memory);
  lwi_free(memory, room->priced, (size_t)room->priced_capacity * sizeof *room->priced);
  lwi_free(memory, room->taken, (size_t)room->taken_capacity * sizeof *room->taken);
  lwi_free(memory, room->judged, (size_t)room->judged_capacity * sizeof *room->judged);
  lwi_free(memory, room->segments, (size_t)room->segment_capacity * sizeof *room->segments);
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

/* The seeker's, of a way that begins there. What pairs of polygons surely see counts where the way is over one of them. */
static lwi_sight sight_from(const lwi_cover_seeker *seeker, lw_vec3 from) {
  lwi_sight sight = seeker->sight;
  if (!sight.over) return sight;
  sight.polygon = lwi_pairs_over(sight.ground, lwi_add(from, lwi_vec3(0, LWI_PAIR_MIDDLE, 0)));
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
  if (lwi_exposure_find(&sight, &query, seeker->memory, seeker->room, &seen) != LW_OK) return -1;
  return seen.fraction > 0 ? 0 : 1;
}

/* The tallest stance in which he is hidden. @return 1: there is one; 0: none; -1: no memory. */
static int find_stance(const lwi_cover_seeker *seeker, lw_vec3 at, int *stance) {
  for (int i = 0; i < seeker->stance_count; i++) {
    int hidden = is_hidden(seeker, seeker->query->threats, at, seeker->stances[i], seeker->query->hard);
    *stance = seeker->stances[i];
    if (hidden != 0) return hidden;
  }
  return 0;
}

/* --- judged ------------------------------------------------------------------------------------------------------- */

/* One who looks away may turn, so all look all round. Who does not see so far counts for nothing; but if nobody does, all
   see without end, so that a place behind the wall is better than one before it. */
static void turn_threats(const lwi_cover_seeker *seeker, lw_vec3 at) {
  const lw_cover_point_query *query = seeker->query;
  bool reached = false;
  for (int i = 0; i < query->threat_count && !reached; i++)
    reached = lwi_distance(at, query->threats[i].at) < query->threats[i].range;
  for (int i = 0; i < query->threat_count; i++) {
    seeker->judged[i] = query->threats[i];
    seeker->judged[i].half_angle = lw_threat_default().half_angle;
    if (!reached) seeker->judged[i].range = INFINITY;
  }
}

/* Of one place: half for being out of sight, half for being out of fire, which is out of sight, too. -1: no memory. */
static float half_and_half(const lwi_cover_seeker *seeker, lw_vec3 at, int stance) {
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
  turn_threats(seeker, point->at.point);
  for (int i = 0; i < count; i++) {
    lw_vec3 at = lwi_add(point->at.point, lwi_scale(offsets[i], seeker->radius));
    float share = half_and_half(seeker, at, point->stance);
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

/* How far a threat must go round until the segment no longer lies between; 0: it does not lie between. */
static float flank_of(lw_vec3 at, const lw_cover_segment *segment, lw_vec3 threat) {
  lw_vec3 to = lwi_sub(threat, at), a = lwi_sub(segment->a, at), b = lwi_sub(segment->b, at);
  float wide = angle_between(a, b), left = angle_between(to, a), right = angle_between(to, b);
  bool between = left + right <= wide + 1e-4f;
  return between ? fminf(HALF_PI, fminf(left, right)) : 0;
}

static float least_flank(const lwi_cover_seeker *seeker, const lw_cover_point *point) {
  float least = HALF_PI;
  for (int i = 0; i < seeker->query->threat_count; i++)
    least = fminf(least, flank_of(point->at.point, &point->segment, seeker->query->threats[i].at));
  return least;
}

float lwi_cover_score(const lw_cover_point_query *query, const lw_cover_point *point, float cost) {
  const lw_cover_weights *weights = &query->weights;
  return weights->protection * point->protection + weights->flank * point->flank / HALF_PI -
         weights->cost * cost / query->radius;
}

/* --- found -------------------------------------------------------------------------------------------------------- */

static bool is_taken(const lwi_cover_seeker *seeker, lw_vec3 at) {
  for (int i = 0; i < seeker->taken_count; i++)
    if (lwi_distance(at, seeker->taken[i].at) < seeker->taken[i].reach) return true;
  return false;
}

/* Where he can stand nearest to `wish`, and get to. @return LW_OK, LW_NO_POINT, LW_OUT_OF_MEMORY. */
static lw_status place_at(const lwi_cover_seeker *seeker, lw_vec3 wish, lw_location *at) {
  const lw_vec3 half = {NEAR, seeker->query->snap.y, NEAR};
  uint32_t room;
  if (lw_navmesh_nearest(seeker->reach->graph.mesh, wish, half, seeker->filter, at) != LW_OK)
    return LW_NO_POINT;
  lw_status status = lwi_stand(seeker->reach, seeker->work, seeker->filter, wish, half, at, &room);
  if (status != LW_OK) return status;
  bool reached = room != LWI_NONE && lwi_reaches(seeker->reach, seeker->label, seeker->reach->labels[room]);
  bool inside = lwi_distance_xz(at->point, seeker->query->around) <= seeker->query->radius;
  return reached && inside && !is_taken(seeker, at->point) ? LW_OK : LW_NO_POINT;
}

/* Is the place in front of the segment, and not much farther from it than he would like? */
static bool is_beside(const lwi_cover_seeker *seeker, const lw_cover_segment *segment, lw_vec3 at) {
  float away = lwi_dot(lwi_sub(at, segment->a), lwi_vec3(segment->normal.x, 0, segment->normal.z));
  return away > 0 && away <= seeker->standoff + NEAR;
}

/* Was a place about there found before, at the same wall? */
static bool is_known(const lwi_cover_room *room, lw_vec3 at) {
  for (int i = room->first; i < room->count; i++)
    if (lwi_distance(room->spots[i].point.at.point, at) < SPACING / 2) return true;
  return false;
}

/* Look at the place at that part of the segment, and keep it if it hides. @return false: no memory. */
static bool try_at(const lwi_cover_seeker *seeker, const lw_cover_segment *segment, float t,
                   lwi_cover_room *room) {
  lw_vec3 wish = lwi_add(lwi_lerp(segment->a, segment->b, t), lwi_scale(segment->normal, seeker->standoff));
  lw_cover_point point = {.segment = *segment, .navmesh = segment->navmesh, .protection = 1};
  lw_status status = place_at(seeker, wish, &point.at);
  if (status != LW_OK) return status != LW_OUT_OF_MEMORY;
  if (!is_beside(seeker, segment, point.at.point) || is_known(room, point.at.point)) return true;
  float straight = lwi_distance(seeker->from, point.at.point) * seeker->lowest_price;
  if (straight > seeker->query->max_cost) return true;
  int hidden = find_stance(seeker, point.at.point, &point.stance);
  if (hidden <= 0) return hidden == 0;
  point.flank = least_flank(seeker, &point);
  if (!lwi_reserve(seeker->memory, &room->spots, &room->capacity, room->count + 1, sizeof *room->spots))
    return false;
  float most = lwi_cover_score(seeker->query, &point, straight);
  room->spots[room->count] = (lwi_cover_spot){.point = point, .least = straight, .most = most};
  room->count += 1;
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
  if (lwi_exposure_find(&sight, &query, seeker->memory, seeker->room, &seen) != LW_OK) return -1;
  return seen.hidden_count > PARTS ? PARTS + 1 : seen.hidden_count;
}

/* Places every so far along what is hidden, from end to end but for the body's half; of what is short the middle. */
static bool try_part(const lwi_cover_seeker *seeker, const lw_cover_segment *segment, lw_interval part,
                     lwi_cover_room *room) {
  float length = lwi_distance_xz(segment->a, segment->b);
  float from = part.t0 * length + seeker->radius, to = part.t1 * length - seeker->radius;
  if (!(length > 0)) return true;
  if (to - from < SPACING / 2) return try_at(seeker, segment, (part.t0 + part.t1) / 2, room);
  int steps = (int)ceilf((to - from) / SPACING);
  for (int i = 0; i <= steps; i++)
    if (!try_at(seeker, segment, (from + (to - from) * (float)i / (float)steps) / length, room)) return false;
  return true;
}

bool lwi_cover_gather(const lwi_cover_seeker *seeker, const lw_cover_segment *segment, lwi_cover_room *room) {
  lw_interval parts[PARTS], whole = {0, 1};
  if (seeker->query->hard && segment->kind != LW_COVER_HARD) return true;
  room->first = room->count;
  for (int i = 0; i < seeker->stance_count; i++) {
    int count = find_parts(seeker, segment, seeker->stances[i], parts);
    if (count < 0) return false;
    if (count > PARTS) return try_part(seeker, segment, whole, room);
    for (int k = 0; k < count; k++)
      if (!try_part(seeker, segment, parts[k], room)) return false;
  }
  return true;
}
