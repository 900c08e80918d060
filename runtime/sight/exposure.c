/* Exposure. Hidden intervals are united per threat and height, then intersected over the heights and over
   the threats: what is left is hidden from all threats at all heights. */
#include "sight/exposure.h"

#include "core/status.h"
#include "core/vec3.h"
#include "sight/cover_map.h"
#include "sight/visibility_table.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846f

lw_threat lw_threat_default(void) {
  return (lw_threat){.half_angle = PI, .range = INFINITY, .weight = 1};
}

const char *lw_accuracy_name(lw_accuracy accuracy) {
  static const char *const names[LW_ACCURACY_COUNT] = {"auto", "exact", "fast", "map"};
  return (unsigned)accuracy < LW_ACCURACY_COUNT ? names[accuracy] : "unknown";
}

lw_exposure_query lw_exposure_query_default(void) {
  return (lw_exposure_query){.heights = {0.9f, 1.6f}, .height_count = 2, .cookie = LWI_COOKIE};
}

void lwi_exposure_scratch_free(lwi_exposure_scratch *scratch) {
  lwi_intervals_free(&scratch->any);
  lwi_intervals_free(&scratch->threat);
  for (int i = 0; i < 2; i++) {
    lwi_intervals_free(&scratch->heights[i]);
    lwi_intervals_free(&scratch->parts[i]);
  }
  lwi_intervals_free(&scratch->swap);
}

void lwi_exposure_forget(lwi_exposure_scratch *scratch) {
  memset(scratch->hints, 0, sizeof scratch->hints);
}

static bool sees_all_round(const lw_threat *threat) {
  return threat->half_angle >= PI * 0.999999f;
}

lw_status lwi_threat_numbers(const lw_threat *threat, lw_error *error) {
  const lw_vec3 facing = threat->facing;
  const bool faces = facing.x != 0 || facing.y != 0 || facing.z != 0;
  lw_status status = lwi_check_place("at", threat->at, error);
  if (status != LW_OK) return status;
  if (!lwi_finite(facing))
    return lwi_fail(error, LW_INVALID, "facing is (%g, %g, %g), expected finite numbers", (double)facing.x,
                    (double)facing.y, (double)facing.z);
  if (!(threat->half_angle >= 0 && threat->half_angle <= LW_HALF_ANGLE_MAX))
    return lwi_fail(error, LW_INVALID, "half_angle is %g, expected a number from 0 to pi",
                    (double)threat->half_angle);
  if (!faces && !sees_all_round(threat))
    return lwi_fail(error, LW_INVALID,
                    "facing is (0, 0, 0), expected a direction, as half_angle is %g, less than pi",
                    (double)threat->half_angle);
  if (!(threat->range > 0)) /* infinity is allowed */
    return lwi_fail(error, LW_INVALID, "range is %g, expected a number above 0", (double)threat->range);
  if (!(threat->weight >= 0 && threat->weight <= LW_THREAT_WEIGHT_MAX))
    return lwi_fail(error, LW_INVALID, "weight is %g, expected a number from 0 to %g", (double)threat->weight,
                    (double)LW_THREAT_WEIGHT_MAX);
  return LW_OK;
}

bool lwi_exposure_check(const lw_exposure_query *query) {
  if (query->cookie != LWI_COOKIE || !lwi_is_place(query->from) || !lwi_is_place(query->to)) return false;
  if (query->height_count < 1 || query->height_count > LW_BODY_HEIGHTS_MAX) return false;
  if (query->threat_count < 0 || (query->threat_count > 0 && !query->threats) || query->hidden_capacity < 0)
    return false;
  if ((unsigned)query->accuracy >= LW_ACCURACY_COUNT) return false;
  for (int i = 0; i < query->height_count; i++)
    if (!(fabsf(query->heights[i]) <= LW_COORDINATE_MAX)) return false;
  for (int i = 0; i < query->threat_count; i++)
    if (lwi_threat_numbers(&query->threats[i], NULL) != LW_OK) return false;
  return true;
}

/* --- out of range, out of sight's angle ------------------------------------------------------------------- */

static double dot(lw_vec3 a, lw_vec3 b) {
  return (double)a.x * b.x + (double)a.y * b.y + (double)a.z * b.z;
}

/* The roots of a t^2 + b t + c in 0..1, with 0 and 1, in order. @return How many. */
static int find_breaks(double a, double b, double c, double breaks[4]) {
  int count = 0;
  breaks[count++] = 0;
  double under = b * b - 4 * a * c, low = 2, high = 2;
  if (fabs(a) < 1e-12) {
    if (fabs(b) > 1e-12) low = -c / b;
  } else if (under > 0) {
    double q = -0.5 * (b + copysign(sqrt(under), b));
    low = q / a;
    high = q != 0 ? c / q : 0;
    if (low > high) {
      double swap = low;
      low = high;
      high = swap;
    }
  }
  if (low > 0 && low < 1) breaks[count++] = low;
  if (high > 0 && high < 1) breaks[count++] = high;
  breaks[count++] = 1;
  return count;
}

static bool hide_out_of_range(const lw_threat *threat, lw_vec3 from, lw_vec3 to, lwi_intervals *hidden) {
  if (!(threat->range < INFINITY)) return true;
  lw_vec3 start = lwi_sub(from, threat->at), along = lwi_sub(to, from);
  double range2 = (double)threat->range * threat->range, breaks[4];
  double a = dot(along, along), b = 2 * dot(start, along), c = dot(start, start) - range2;
  int count = find_breaks(a, b, c, breaks);
  for (int i = 0; i + 1 < count; i++) {
    double t = (breaks[i] + breaks[i + 1]) / 2;
    if (a * t * t + b * t + c > 0 &&
        !lwi_intervals_add(hidden, (lwi_interval){(float)breaks[i], (float)breaks[i + 1]}))
      return false;
  }
  return true;
}

/* Whether the segment surely is out of range at all heights. */
static bool is_far_out_of_range(const lw_threat *threat, const lw_exposure_query *query, float length) {
  if (!(threat->range < INFINITY)) return false;
  float high = 0;
  for (int i = 0; i < query->height_count; i++) high = lwi_max(high, fabsf(query->heights[i]));
  const lw_vec3 off = lwi_sub(lwi_scale(lwi_add(query->from, query->to), 0.5f), threat->at);
  const float reach = (threat->range + length + high) * 1.001f;
  return lwi_dot(off, off) > reach * reach;
}

/* A point is within the angle where facing . offset >= cos(half_angle) |offset|. Squared, that gives the
   ends of pieces; each piece is tested by itself. */
static bool hide_behind(const lw_threat *threat, lw_vec3 from, lw_vec3 to, lwi_intervals *hidden) {
  if (sees_all_round(threat)) return true;
  lw_vec3 facing = lwi_direction(threat->facing);
  lw_vec3 start = lwi_sub(from, threat->at), along = lwi_sub(to, from);
  double cosine = cos((double)threat->half_angle), k = cosine * cosine;
  double f0 = dot(facing, start), f1 = dot(facing, along), breaks[4];
  double a = f1 * f1 - k * dot(along, along), b = 2 * (f0 * f1 - k * dot(start, along)),
         c = f0 * f0 - k * dot(start, start);
  int count = find_breaks(a, b, c, breaks);
  for (int i = 0; i + 1 < count; i++) {
    double t = (breaks[i] + breaks[i + 1]) / 2;
    lw_vec3 offset = lwi_add(start, lwi_scale(along, (float)t));
    if (dot(facing, offset) < cosine * sqrt(dot(offset, offset)) &&
        !lwi_intervals_add(hidden, (lwi_interval){(float)breaks[i], (float)breaks[i + 1]}))
      return false;
  }
  return true;
}

/* --- hidden ----------------------------------------------------------------------------------------------- */

/* What answers for one threat. */
typedef struct answer {
  const lw_threat *threat;
  bool clear;             /* the visibility table says that all is visible */
  lwi_depth_answer depth; /* without a map: clip the occluders */
  bool some[LW_NAVMESHES_MAX];
  lwi_bvh_leaf_list leaves[LW_NAVMESHES_MAX]; /* where `some`: the BVH leaves that count */
} answer;

static lw_accuracy accuracy_of(const lwi_sight *sight, const lw_exposure_query *query) {
  return sight->bare && query->accuracy != LW_ACCURACY_EXACT ? LW_ACCURACY_MAP : query->accuracy;
}

/* An eye without a map is answered exactly. */
static bool find_answer(const lwi_sight *sight, const lw_exposure_query *query, const lw_threat *threat,
                        answer *by) {
  lw_accuracy accuracy = accuracy_of(sight, query);
  const ptrdiff_t index = threat - query->threats;
  /* more threats than maps, each in turn, would have a map drawn for every question */
  if (accuracy == LW_ACCURACY_FAST && sight->cache && index >= sight->cache->map_limit)
    accuracy = LW_ACCURACY_AUTO;
  by->depth = (lwi_depth_answer){.map = NULL};
  for (int i = 0; i < sight->count; i++)
    by->some[i] = accuracy == LW_ACCURACY_MAP && sight->meshes &&
                  lwi_map_leaves(sight->meshes[i], threat->at, &by->leaves[i]);
  return accuracy == LW_ACCURACY_MAP || !sight->cache ||
         lwi_depth_ask_about(sight->cache, sight->asks, threat->at, !query->shots, accuracy, &by->depth);
}

/* @param per  Cells per metre. */
static uint32_t mix_cell(uint32_t hash, lw_vec3 at, float per) {
  const float cells[] = {at.x * per, at.y * per, at.z * per};
  for (int i = 0; i < 3; i++) {
    hash = (hash ^ (uint32_t)(int32_t)lwi_max(-1e9f, lwi_min(1e9f, cells[i]))) * 0x9e3779b1u;
    hash ^= hash >> 15;
  }
  return hash;
}

/* Questions from about the same eye about nearly the same segment share a hint. */
static lwi_clip_hint *hint_of(const lw_exposure_query *query, lw_vec3 eye, int set,
                              lwi_exposure_scratch *scratch) {
  const lw_vec3 middle = lwi_scale(lwi_add(query->from, query->to), 0.5f);
  return &scratch->hints[mix_cell(mix_cell((uint32_t)set, eye, 1), middle, 0.25f) % LWI_EXPOSURE_HINTS];
}

/* What screens hide, on top of what answers for the baked occluders. */
static bool hide_by_screens(const lwi_sight *sight, const lw_exposure_query *query, const lw_threat *threat,
                            const float *heights, int count, lwi_exposure_scratch *scratch) {
  if (!sight->screens || sight->screens->count == 0) return true;
  const lwi_screen_query screens = {.screens = sight->screens,
                                    .eye = threat->at,
                                    .from = query->from,
                                    .to = query->to,
                                    .heights = heights,
                                    .count = count,
                                    .soft = !query->shots,
                                    .spared = sight->spared};
  return lwi_screens_hide(&screens, scratch->parts, scratch->heights);
}

/* Unite scratch->heights with what is hidden from the threat at one height of the body, or at two. */
static bool hide_heights(const lwi_sight *sight, const lw_exposure_query *query, const answer *by,
                         const float *heights, int count, lwi_exposure_scratch *scratch) {
  const lw_threat *threat = by->threat;
  lwi_intervals *hidden = scratch->heights;
  const int sets = by->depth.map || by->clear ? 0 : sight->count;
  for (int i = 0; i < count; i++) {
    const lw_vec3 up = {0, heights[i], 0}, from = lwi_add(query->from, up), to = lwi_add(query->to, up);
    if (!hide_out_of_range(threat, from, to, &hidden[i]) || !hide_behind(threat, from, to, &hidden[i]))
      return false;
    if (by->depth.map && !lwi_depth_map_hide(by->depth.map, by->depth.scene, from, to, &hidden[i]))
      return false;
    for (int k = 0; k < sets && count == 1; k++) {
      const lwi_clip_query clip = {sight->sets[k], by->some[k] ? &by->leaves[k] : NULL, threat->at, from, to,
                                   !query->shots};
      if (!lwi_occluders_clip(&clip, &hidden[i])) return false;
    }
  }
  for (int k = 0; k < sets && count == 2; k++) {
    const lwi_clip_query clip = {
        sight->sets[k], by->some[k] ? &by->leaves[k] : NULL, threat->at, query->from, query->to, !query->shots};
    if (!lwi_occluders_clip_two(&clip, heights, hint_of(query, threat->at, k, scratch), hidden)) return false;
  }
  return hide_by_screens(sight, query, threat, heights, count, scratch);
}

const uint32_t *lwi_sight_over(const lw_navmesh *mesh, const lw_threat *threats, int count,
                               uint32_t over[LWI_SIGHT_OVER]) {
  if (!lwi_visibility_of(mesh)->has || count > LWI_SIGHT_OVER) return NULL;
  for (int i = 0; i < count; i++) over[i] = lwi_visibility_table_over(mesh, threats[i].at);
  return over;
}

/* Is the segment over its polygon at all heights? */
static bool is_over(const lwi_sight *sight, const lw_exposure_query *query) {
  float low = query->heights[0], high = low;
  for (int i = 1; i < query->height_count; i++) {
    low = lwi_min(low, query->heights[i]);
    high = lwi_max(high, query->heights[i]);
  }
  return lwi_visibility_table_hold(sight->ground, sight->polygon, query->from, query->to, low, high);
}

/* What the visibility table decides for a threat. It covers one set of occluders; others can only hide more. */
static lwi_pair_visibility find_pair(const lwi_sight *sight, const lw_exposure_query *query, int threat) {
  if (!sight->over) return LWI_VISIBILITY_MIXED;
  lwi_pair_visibility pair = lwi_visibility_table_get(sight->ground, sight->over[threat], sight->polygon);
  if (pair == LWI_VISIBILITY_VISIBLE && sight->count > 1) return LWI_VISIBILITY_MIXED;
  return pair != LWI_VISIBILITY_MIXED && is_over(sight, query) ? pair : LWI_VISIBILITY_MIXED;
}

static void exchange(lwi_intervals *a, lwi_intervals *b) {
  const lwi_intervals swap = *a;
  *a = *b;
  *b = swap;
}

/* Intersect `all` with `more`; the first time, set it. */
static bool cut(lwi_intervals *all, lwi_intervals *more, bool first, lwi_exposure_scratch *scratch) {
  if (!first) return lwi_intervals_intersect(all, more, &scratch->swap);
  exchange(all, more);
  return true;
}

/* What is hidden at all heights, two at a time. Parts visible at earlier heights start as hidden at the next
   two, so that they are not clipped again; the intersection removes them. */
static bool hide_body(const lwi_sight *sight, const lw_exposure_query *query, const lw_threat *threat,
                      lwi_pair_visibility pair, lwi_exposure_scratch *scratch) {
  answer by;
  by.threat = threat;
  by.clear = pair == LWI_VISIBILITY_VISIBLE;
  by.depth.map = NULL;
  scratch->threat.count = 0;
  if (pair == LWI_VISIBILITY_HIDDEN) return lwi_intervals_add(&scratch->threat, (lwi_interval){0, 1});
  if (!by.clear && !find_answer(sight, query, threat, &by)) return false;
  for (int i = 0, count; i < query->height_count && (i == 0 || scratch->threat.count > 0); i += count) {
    count = i + 1 < query->height_count && !by.depth.map ? 2 : 1;
    for (int k = 0; k < count; k++) {
      scratch->heights[k].count = 0;
      if (i > 0 && !lwi_intervals_complement(&scratch->heights[k], &scratch->threat)) return false;
    }
    if (!hide_heights(sight, query, &by, query->heights + i, count, scratch)) return false;
    for (int k = 0; k < count; k++)
      if (!cut(&scratch->threat, &scratch->heights[k], i + k == 0, scratch)) return false;
  }
  return true;
}

/* --- seen ------------------------------------------------------------------------------------------------- */

/* The integral of the distance to the eye along a line, from x0 to x1 of the line's nearest point to the
   eye. */
static double sum_distances(double x0, double x1, double beside2) {
  const double d0 = sqrt(x0 * x0 + beside2), d1 = sqrt(x1 * x1 + beside2);
  double sum = x1 * d1 - x0 * d0, ratio;
  if (beside2 > 1e-15 * (x0 * x0 + x1 * x1)) { /* else it is negligible */
    if (x0 >= 0)
      ratio = (x1 + d1) / (x0 + d0);
    else if (x1 <= 0)
      ratio = (d0 - x0) / (d1 - x1);
    else
      ratio = (x1 + d1) * (d0 - x0) / beside2;
    sum += beside2 * log(ratio);
  }
  return sum / 2;
}

/* The integral of the fall-off over a piece: of 1 - distance / range where that is positive. */
static double weigh_piece(const lw_threat *threat, lw_vec3 from, lw_vec3 to, double t0, double t1) {
  const double range = (double)threat->range;
  if (!(threat->range < INFINITY)) return t1 - t0;
  const double x = (double)from.x - threat->at.x, y = (double)from.y - threat->at.y,
               z = (double)from.z - threat->at.z;
  const double dx = (double)to.x - from.x, dy = (double)to.y - from.y, dz = (double)to.z - from.z;
  const double length = sqrt(dx * dx + dy * dy + dz * dz);
  if (length == 0) return (t1 - t0) * fmax(0, 1 - sqrt(x * x + y * y + z * z) / range);
  const double cx = y * dz - z * dy, cy = z * dx - x * dz, cz = x * dy - y * dx;
  const double beside2 = (cx * cx + cy * cy + cz * cz) / (length * length), reach2 = range * range - beside2;
  if (reach2 <= 0) return 0;
  const double along = (x * dx + y * dy + z * dz) / length, reach = sqrt(reach2);
  const double x0 = fmax(-reach, along + t0 * length), x1 = fmin(reach, along + t1 * length);
  return x0 < x1 ? (x1 - x0 - sum_distances(x0, x1, beside2) / range) / length : 0;
}

static float middle_of(const lw_exposure_query *query) {
  double middle = 0;
  for (int i = 0; i < query->height_count; i++) middle += (double)query->heights[i] / query->height_count;
  return (float)middle;
}

/* The weighted part of the segment that no interval hides. */
static double weigh_seen(const lw_exposure_query *query, const lw_threat *threat, const lwi_intervals *hidden) {
  double sum = 0, t = 0;
  lw_vec3 up = {0, middle_of(query), 0}, from = lwi_add(query->from, up), to = lwi_add(query->to, up);
  for (int i = 0; i <= hidden->count; i++) {
    double end = i < hidden->count ? (double)hidden->items[i].t0 : 1;
    if (end > t) sum += weigh_piece(threat, from, to, t, end);
    if (i < hidden->count) t = (double)hidden->items[i].t1;
  }
  return sum * (double)threat->weight;
}

static bool is_before(const lw_threat *threat, lw_vec3 offset, double distance) {
  return sees_all_round(threat) ||
         dot(lwi_direction(threat->facing), offset) >= cos((double)threat->half_angle) * distance;
}

float lwi_threat_fall_off(const lw_threat *threat, const lw_exposure_query *query, lw_vec3 at) {
  const lw_vec3 offset = lwi_sub(lwi_add(at, lwi_vec3(0, middle_of(query), 0)), threat->at);
  const float distance = lwi_length(offset);
  if (distance >= threat->range || !is_before(threat, offset, (double)distance)) return 0;
  return threat->range < INFINITY ? 1 - distance / threat->range : 1;
}

static void report(const lw_exposure_query *query, const lwi_intervals *hidden, lw_exposure *exposure) {
  float sum = lwi_intervals_sum(hidden);
  exposure->fraction = sum < 1 ? 1 - sum : 0;
  exposure->exposed = exposure->fraction * exposure->length;
  exposure->hidden_count = hidden->count;
  for (int i = 0; i < hidden->count && i < query->hidden_capacity && query->hidden; i++)
    query->hidden[i] = (lw_interval){hidden->items[i].t0, hidden->items[i].t1};
}

lw_status lwi_exposure_find(const lwi_sight *sight, const lw_exposure_query *query, lwi_memory *memory,
                            lwi_exposure_scratch *scratch, lw_exposure *exposure) {
  *exposure = (lw_exposure){.length = lwi_distance(query->from, query->to)};
  scratch->any.memory = scratch->threat.memory = scratch->swap.memory = memory;
  scratch->heights[0].memory = scratch->heights[1].memory = memory;
  scratch->parts[0].memory = scratch->parts[1].memory = memory;
  scratch->any.count = 0;
  if (query->threat_count == 0 && !lwi_intervals_add(&scratch->any, (lwi_interval){0, 1}))
    return LW_OUT_OF_MEMORY;
  double weighted = 0;
  for (int i = 0; i < query->threat_count; i++) {
    const lw_threat *threat = &query->threats[i];
    if (is_far_out_of_range(threat, query, exposure->length)) {
      if (query->exposed_to) query->exposed_to[i] = 0;
      if (i == 0 && !lwi_intervals_add(&scratch->any, (lwi_interval){0, 1})) return LW_OUT_OF_MEMORY;
      continue;
    }
    scratch->looks += 1;
    const lwi_pair_visibility pair = find_pair(sight, query, i);
    scratch->sure += pair != LWI_VISIBILITY_MIXED;
    if (!hide_body(sight, query, threat, pair, scratch)) return LW_OUT_OF_MEMORY;
    weighted += weigh_seen(query, threat, &scratch->threat);
    if (query->exposed_to)
      query->exposed_to[i] = fmaxf(0, 1 - lwi_intervals_sum(&scratch->threat)) * exposure->length;
    if (!cut(&scratch->any, &scratch->threat, i == 0, scratch)) return LW_OUT_OF_MEMORY;
  }
  exposure->weighted = (float)(weighted * (double)exposure->length);
  report(query, &scratch->any, exposure);
  return LW_OK;
}
