#include "search/near_lanes.h"

static float distance_to(const lwi_lane *lane, lw_vec3 at) {
  float t = fminf(1, fmaxf(0, lwi_part_along_xz(lane->from, lane->to, at)));
  lw_vec3 off = lwi_sub(lwi_sub(at, lane->from), lwi_scale(lwi_sub(lane->to, lane->from), t));
  return sqrtf(off.x * off.x + off.z * off.z) - lane->radius;
}

/* Those that are nearest stay. */
static void add(lwi_near_lanes *near, const lwi_lanes *lanes, uint32_t ring, lw_vec3 from) {
  float away = distance_to(&lanes->lanes[lanes->rings->rings[ring].danger], from);
  if (near->count == LWI_NEAR_LANES && !(away < near->away[LWI_NEAR_LANES - 1])) return;
  int at = near->count < LWI_NEAR_LANES ? near->count : LWI_NEAR_LANES - 1;
  for (; at > 0 && near->away[at - 1] > away; at--) {
    near->away[at] = near->away[at - 1];
    near->rings[at] = near->rings[at - 1];
  }
  near->away[at] = away;
  near->rings[at] = ring;
  if (near->count < LWI_NEAR_LANES) near->count += 1;
}

int lwi_near_lanes_find(lwi_near_lanes *near, const lwi_lanes *lanes, uint32_t polygon, lw_vec3 from) {
  int count = 0;
  near->count = 0;
  for (uint32_t i = lwi_lanes_first(lanes, polygon); i != LWI_NONE; i = lanes->rings->rings[i].next, count++)
    add(near, lanes, i, from);
  return count;
}

static lw_box box_of(const lwi_lane *lane) {
  lw_vec3 half = {lane->radius, 0, lane->radius};
  lw_box box = lwi_box_add(lwi_box_add(lwi_box_empty(), lane->from), lane->to);
  return (lw_box){lwi_sub(box.min, half), lwi_add(box.max, half)};
}

const lwi_lanes *lwi_near_lanes_crossed(lwi_near_lanes *near, const lwi_lanes *lanes, uint32_t polygon,
                                        lw_vec3 from) {
  const lwi_rings *rings = lanes->rings;
  lw_box box = lwi_box_add(lwi_box_empty(), from);
  for (int i = 0; i < near->count; i++) {
    const lwi_ring *ring = &rings->rings[near->rings[i]];
    for (uint32_t k = ring->first_place; k < ring->first_place + ring->place_count; k++)
      box = lwi_box_add(box, rings->places[k].point);
  }
  near->crossed = *lanes;
  near->crossed.only = near->numbers;
  near->crossed.only_count = 0;
  for (uint32_t i = lwi_lanes_first(lanes, polygon); i != LWI_NONE; i = rings->rings[i].next) {
    const lw_box about = box_of(&lanes->lanes[rings->rings[i].danger]);
    if (about.min.x > box.max.x || about.max.x < box.min.x || about.min.z > box.max.z ||
        about.max.z < box.min.z)
      continue;
    if (near->crossed.only_count == LWI_CROSSED_LANES) return lanes;
    near->numbers[near->crossed.only_count++] = rings->rings[i].danger;
  }
  return &near->crossed;
}
