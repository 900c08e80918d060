#include "agent/traverse.h"

#include "core/vec3.h"

/* How high a level jump rises: a part of its width, up to a limit. [m] */
#define JUMP_RISE 0.25f
#define JUMP_RISE_MOST 1.0f

/* Above the straight line, half way. The more the ends differ in height, the more, so that a jump comes down from above
   onto the higher one. */
static float rise_of(const lwi_traverse *traverse) {
  float flat = lwi_distance_xz(traverse->from, traverse->to.point);
  return fminf(JUMP_RISE_MOST, JUMP_RISE * flat) + fabsf(traverse->to.point.y - traverse->from.y) / 4;
}

lwi_traverse lwi_traverse_begin(const lw_path *path, const lwi_path_link *link) {
  lw_vec3 from = path->points[link->point], to = path->points[link->point + 1];
  return (lwi_traverse){
      .active = true,
      .kind = link->kind,
      .from = from,
      .to = {to, link->to},
      .navmesh = link->navmesh,
      .straight = lwi_distance(from, to),
      .counted = link->length,
  };
}

float lwi_traverse_progress(const lwi_traverse *traverse) {
  return traverse->straight > 0 ? traverse->done / traverse->straight : 1;
}

static lw_vec3 place_on(const lwi_traverse *traverse) {
  float t = lwi_traverse_progress(traverse);
  lw_vec3 at = lwi_lerp(traverse->from, traverse->to.point, t);
  if (traverse->kind != LW_LINK_JUMP) return at;
  at.y += 4 * rise_of(traverse) * t * (1 - t); /* a parabola */
  return at;
}

bool lwi_traverse_go(lwi_traverse *traverse, float *budget, lw_location *at) {
  float left = traverse->kind == LW_LINK_TELEPORT ? 0 : traverse->straight - traverse->done;
  if (left > *budget) {
    traverse->done += *budget;
    *budget = 0;
    at->point = place_on(traverse);
    return false;
  }
  *budget -= left;
  *at = traverse->to;
  traverse->done = traverse->straight;
  traverse->active = false;
  return true;
}
