#include "search/timed_costs.h"

#include <float.h>

/* --- dangers ---------------------------------------------------------------------------------------------- */

float lwi_dangers_entered(const lwi_timed_costs *dangers, uint32_t polygon, lw_vec3 from, lw_vec3 to) {
  float sum = 0;
  if (lwi_timed_first(dangers, polygon) == LWI_NONE) return 0;
  lwi_timed_scratch *scratch = dangers->scratch;
  lwi_timed_met met = lwi_timed_meet(dangers, polygon, from, to);
  scratch->entered_count = 0;
  for (uint32_t i; (i = lwi_timed_met_next(&met)) != LWI_NONE;) {
    const lwi_timed_shape *disc = lwi_timed_of(dangers, i);
    if (!met.surely && !lwi_disc_enters(disc, from, to)) continue;
    sum += dangers->factor * disc->strength;
    if (met.parts) scratch->met[scratch->entered_count++] = i; /* in place of one that was looked at */
  }
  return sum;
}

float lwi_dangers_worst(const lwi_timed_costs *dangers, uint32_t polygon) {
  return lwi_timed_first(dangers, polygon) == LWI_NONE ? 0 : lwi_timed_worst_of(dangers, polygon);
}

bool lwi_dangers_entered_alike(const lwi_timed_costs *dangers, const uint32_t *polygons, const lw_vec3 *points,
                               int count) {
  lwi_timed_scratch *scratch = dangers->scratch;
  int entered = 0;
  for (int i = 0; i < count; i++) {
    lwi_timed_met met = lwi_timed_meet(dangers, polygons[i], points[i], points[i + 1]);
    for (uint32_t k; (k = lwi_timed_met_next(&met)) != LWI_NONE;) {
      if (!met.surely && !lwi_disc_enters(lwi_timed_of(dangers, k), points[i], points[i + 1])) continue;
      if (!lwi_disc_enters(lwi_timed_of(dangers, k), points[0], points[count])) return false;
      if (!lwi_timed_scratch_note(scratch, entered++, dangers->outlines->parts[k].region)) return false;
    }
  }
  if (!lwi_timed_scratch_sort(scratch, entered)) return false; /* one is entered twice */
  for (int i = 0; i < count; i++) {
    lwi_timed_met met = lwi_timed_meet(dangers, polygons[i], points[0], points[count]);
    for (uint32_t k; (k = lwi_timed_met_next(&met)) != LWI_NONE;)
      if (lwi_disc_enters(lwi_timed_of(dangers, k), points[0], points[count]) &&
          !lwi_timed_scratch_has(scratch, entered, dangers->outlines->parts[k].region))
        return false;
  }
  return true;
}

/* Of two regions that are equally near the older one counts. */
static bool is_older(const lwi_timed_costs *dangers, uint32_t region, uint32_t than) {
  const lwi_outline_range *ranges = dangers->outlines->ranges;
  return ranges[region].serial < ranges[than].serial;
}

/* The disc on the straight line that begins nearest. */
static const lwi_timed_shape *first_on_line(const lwi_timed_costs *dangers, lw_vec3 from, lw_vec3 to) {
  lwi_rectangle_walk walk = lwi_rectangle_walk_line(dangers->tree, from, to);
  uint32_t first = LWI_NONE;
  walk.limit = FLT_MAX;
  for (uint32_t i; (i = lwi_rectangle_walk_next(&walk)) != LWI_NONE;) {
    const lwi_timed_shape *disc = &dangers->regions[i];
    if (!(disc->strength > 0) || !lwi_disc_enters(disc, from, to)) continue;
    float distance = lwi_distance_xz(from, disc->from) - disc->radius;
    if (distance > walk.limit || (distance == walk.limit && !is_older(dangers, i, first))) continue;
    walk.limit = distance;
    first = i;
  }
  dangers->scratch->steps += (uint64_t)walk.nodes;
  return first == LWI_NONE ? NULL : &dangers->regions[first];
}

bool lwi_dangers_pass(const lwi_timed_costs *dangers, lw_vec3 from, lw_vec3 to, lw_vec3 past[2]) {
  const lwi_timed_shape *disc = first_on_line(dangers, from, to);
  if (!disc) return false;
  float x = disc->from.x - from.x, z = disc->from.z - from.z, away2 = x * x + z * z,
        radius = lwi_outline_reach(disc);
  float tangent2 = away2 - radius * radius;
  if (!(tangent2 > 0)) return false; /* between disc and outline */
  float along = tangent2 / away2, aside = radius * sqrtf(tangent2) / away2;
  float y = from.y + (to.y - from.y) * 0.5f;
  past[0] = (lw_vec3){from.x + along * x - aside * z, y, from.z + along * z + aside * x};
  past[1] = (lw_vec3){from.x + along * x + aside * z, y, from.z + along * z - aside * x};
  return true;
}

void lwi_danger_turns(const lwi_timed_costs *dangers, uint32_t index, lw_vec3 from, uint32_t turns[2]) {
  const lwi_outline_index *outlines = dangers->outlines;
  const lwi_outline_part *part = &outlines->parts[index];
  const lwi_timed_shape *disc = &dangers->regions[part->region];
  turns[0] = turns[1] = LWI_NONE;
  for (uint32_t i = part->first_place; i < part->first_place + part->place_count; i++) {
    lw_vec3 at = outlines->places[i].point;
    if (lwi_distance_xz(at, from) <= LWI_OUTLINE_CLEAR || lwi_disc_enters(disc, from, at)) continue;
    if (turns[0] == LWI_NONE || lwi_turn(from, outlines->places[turns[0]].point, at) > 0) turns[0] = i;
    if (turns[1] == LWI_NONE || lwi_turn(from, outlines->places[turns[1]].point, at) < 0) turns[1] = i;
  }
}

/* --- fire lanes ------------------------------------------------------------------------------------------- */

static float weighted_metres(const lwi_timed_shape *lane, lw_vec3 from, lw_vec3 to) {
  return lane->strength > 0 ? lane->strength * lwi_lane_metres(lane, from, to) : 0;
}

float lwi_lanes_price(const lwi_timed_costs *lanes, uint32_t polygon, lw_vec3 from, lw_vec3 to) {
  float sum = 0;
  if (!lanes) return 0;
  if (lanes->only) {
    for (int i = 0; i < lanes->only_count; i++)
      sum += weighted_metres(&lanes->regions[lanes->only[i]], from, to);
    return sum * lanes->factor;
  }
  if (lwi_timed_first(lanes, polygon) == LWI_NONE) return 0;
  lwi_timed_met met = lwi_timed_meet(lanes, polygon, from, to);
  for (uint32_t i; (i = lwi_timed_met_next(&met)) != LWI_NONE;)
    sum += weighted_metres(lwi_timed_of(lanes, i), from, to);
  return sum * lanes->factor;
}

float lwi_lanes_worst(const lwi_timed_costs *lanes, uint32_t polygon) {
  return lwi_timed_first(lanes, polygon) == LWI_NONE ? 0 : lwi_timed_worst_of(lanes, polygon);
}

static float distance_to(const lwi_timed_shape *lane, lw_vec3 at) {
  float t = fminf(1, fmaxf(0, lwi_part_along_xz(lane->from, lane->to, at)));
  lw_vec3 off = lwi_sub(lwi_sub(at, lane->from), lwi_scale(lwi_sub(lane->to, lane->from), t));
  return sqrtf(off.x * off.x + off.z * off.z) - lane->radius;
}

static bool is_nearer(const lwi_near_lanes *near, const lwi_timed_costs *lanes, int than, float distance,
                      uint32_t part) {
  if (distance != near->distances[than]) return distance < near->distances[than];
  return lwi_outline_serial(lanes->outlines, part) > lwi_outline_serial(lanes->outlines, near->parts[than]);
}

/* Insert a part in place of the furthest one. Of parts that are equally near the newer one comes first. */
static void insert(lwi_near_lanes *near, const lwi_timed_costs *lanes, uint32_t part, lw_vec3 from) {
  float distance = distance_to(lwi_timed_of(lanes, part), from);
  if (near->count == LWI_NEAR_LANES && !is_nearer(near, lanes, LWI_NEAR_LANES - 1, distance, part)) return;
  int at = near->count < LWI_NEAR_LANES ? near->count : LWI_NEAR_LANES - 1;
  for (; at > 0 && is_nearer(near, lanes, at - 1, distance, part); at--) {
    near->distances[at] = near->distances[at - 1];
    near->parts[at] = near->parts[at - 1];
  }
  near->distances[at] = distance;
  near->parts[at] = part;
  if (near->count < LWI_NEAR_LANES) near->count += 1;
}

int lwi_near_lanes_find(lwi_near_lanes *near, const lwi_timed_costs *lanes, uint32_t polygon, lw_vec3 from) {
  int count = 0;
  near->count = 0;
  if (!lwi_timed_is_long(lanes, polygon)) {
    for (uint32_t i = lwi_timed_first(lanes, polygon); i != LWI_NONE; i = lwi_timed_next(lanes, i), count++)
      insert(near, lanes, i, from);
    lanes->scratch->steps += (uint64_t)count;
    return count;
  }
  lwi_rectangle_walk walk = lwi_rectangle_walk_near(lanes->tree, from);
  for (uint32_t region; (region = lwi_rectangle_walk_next(&walk)) != LWI_NONE;) {
    const uint32_t part = lwi_timed_part_of(lanes->outlines, region, polygon);
    if (part != LWI_NONE) insert(near, lanes, part, from);
    if (near->count == LWI_NEAR_LANES) walk.limit = near->distances[LWI_NEAR_LANES - 1];
  }
  lanes->scratch->steps += (uint64_t)walk.nodes;
  return LWI_TIMED_LIST_MAX;
}

const lwi_timed_costs *lwi_near_lanes_crossed(lwi_near_lanes *near, const lwi_timed_costs *lanes,
                                              uint32_t polygon, lw_vec3 from) {
  const lwi_outline_index *outlines = lanes->outlines;
  lw_box box = lwi_box_add(lwi_box_empty(), from);
  for (int i = 0; i < near->count; i++) {
    const lwi_outline_part *part = &outlines->parts[near->parts[i]];
    for (uint32_t k = part->first_place; k < part->first_place + part->place_count; k++)
      box = lwi_box_add(box, outlines->places[k].point);
  }
  near->crossed = *lanes;
  near->crossed.only = near->numbers;
  near->crossed.only_count = 0;
  lwi_timed_met met = lwi_timed_meet_box(lanes, polygon, &box);
  for (uint32_t i; (i = lwi_timed_met_next(&met)) != LWI_NONE;) {
    if (near->crossed.only_count == LWI_CROSSED_LANES) return lanes;
    near->numbers[near->crossed.only_count++] = outlines->parts[i].region;
  }
  return &near->crossed;
}
