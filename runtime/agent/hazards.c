#include "agent/hazards.h"

#include <math.h>

/* Slack of rectangles against rounding. [m] */
#define SLACK 0.01f

void lwi_hazards_clear(lwi_hazards *hazards) {
  hazards->count = 0;
  lwi_rectangle_tree_clear(&hazards->tree);
}

void lwi_hazards_free(lwi_hazards *hazards, lwi_memory *memory) {
  lwi_free(memory, hazards->items, (size_t)hazards->capacity * sizeof *hazards->items);
  lwi_rectangle_tree_free(&hazards->tree, memory);
}

bool lwi_hazards_add(lwi_hazards *hazards, lwi_memory *memory, const lwi_hazard *hazard) {
  if (!lwi_reserve(memory, &hazards->items, &hazards->capacity, hazards->count + 1, sizeof *hazards->items))
    return false;
  hazards->items[hazards->count++] = *hazard;
  return true;
}

void lwi_hazard_set_outline(lwi_hazard *hazard, const lwi_vec2 *corners, int count) {
  lwi_vec2 middle = {0, 0};
  for (int i = 0; i < count; i++) middle = lwi_add2(middle, lwi_scale2(corners[i], 1 / (float)count));
  hazard->at = (lw_vec3){middle.x, hazard->low, middle.z};
  hazard->reach = 0;
  hazard->side_count = 0;
  for (int i = 0; i < count; i++) {
    const lwi_vec2 from = lwi_sub2(corners[i], middle),
                   to = lwi_sub2(corners[i + 1 < count ? i + 1 : 0], middle);
    const lwi_vec2 along = lwi_sub2(to, from);
    const float length = sqrtf(lwi_dot2(along, along));
    hazard->reach = fmaxf(hazard->reach, sqrtf(lwi_dot2(from, from)));
    if (!(length > 0)) continue;
    lwi_hazard_side side = {.corner = from, .normal = lwi_vec2_of(along.z / length, -along.x / length)};
    side.offset = lwi_dot2(side.normal, from);
    if (side.offset < 0) { /* the corners go the other way round */
      side.normal = lwi_scale2(side.normal, -1);
      side.offset = -side.offset;
    }
    hazard->sides[hazard->side_count++] = side;
  }
}

bool lwi_hazards_index(lwi_hazards *hazards, lwi_memory *memory, float seconds) {
  lwi_rectangle_tree_clear(&hazards->tree);
  for (int i = 0; i < hazards->count; i++) {
    const lwi_hazard *hazard = &hazards->items[i];
    const float x = hazard->at.x, z = hazard->at.z, reach = hazard->reach + SLACK;
    const float to_x = x + hazard->velocity.x * seconds, to_z = z + hazard->velocity.z * seconds;
    const lwi_rectangle box = {fminf(x, to_x) - reach, fminf(z, to_z) - reach, fmaxf(x, to_x) + reach,
                               fmaxf(z, to_z) + reach};
    if (!lwi_rectangle_tree_add(&hazards->tree, memory, (uint32_t)i, box)) return false;
  }
  return true;
}

const lwi_hazard_side *lwi_hazard_side_before(const lwi_hazard *hazard, lwi_vec2 at, float radius,
                                              float *distance) {
  const lwi_vec2 offset = lwi_sub2(at, lwi_vec2_of(hazard->at.x, hazard->at.z));
  int nearest = -1;
  *distance = -INFINITY;
  for (int i = 0; i < hazard->side_count; i++) {
    const float outside = lwi_dot2(hazard->sides[i].normal, offset) - hazard->sides[i].offset - radius;
    if (outside <= *distance) continue;
    *distance = outside;
    nearest = i;
  }
  if (nearest < 0) return NULL;
  const lwi_hazard_side *side = &hazard->sides[nearest];
  const lwi_vec2 end = hazard->sides[nearest + 1 < hazard->side_count ? nearest + 1 : 0].corner,
                 along = lwi_sub2(end, side->corner);
  const float t = lwi_dot2(lwi_sub2(offset, side->corner), along);
  return t >= 0 && t <= lwi_dot2(along, along) ? side : NULL;
}

/* The time within which something is true. [s] */
typedef struct interval {
  float from, to;
} interval;

/* While the middle of the moving disc is in a disc of that radius about the origin. */
static bool clip_by_disc(interval *time, lwi_vec2 offset, lwi_vec2 relative, float radius) {
  const float a = lwi_dot2(relative, relative), b = lwi_dot2(offset, relative),
              c = lwi_dot2(offset, offset) - radius * radius;
  if (!(a > 1e-12f)) return c < 0;
  const float square = b * b - a * c;
  if (!(square > 0)) return false;
  const float root = sqrtf(square);
  time->from = fmaxf(time->from, (-b - root) / a);
  time->to = fminf(time->to, (-b + root) / a);
  return time->from < time->to;
}

/* While it is inside of a side, moved out by the radius. */
static bool clip_by_side(interval *time, float outside, float leaving) {
  if (leaving == 0) return outside < 0;
  const float at = -outside / leaving;
  if (leaving < 0)
    time->from = fmaxf(time->from, at);
  else
    time->to = fminf(time->to, at);
  return time->from < time->to;
}

float lwi_hazard_meeting(const lwi_hazard *hazard, lwi_vec2 at, lwi_vec2 velocity, float radius,
                         float seconds) {
  const lwi_vec2 relative = lwi_sub2(velocity, hazard->velocity),
                 offset = lwi_sub2(at, lwi_vec2_of(hazard->at.x, hazard->at.z));
  interval time = {hazard->from, seconds};
  if (!clip_by_disc(&time, offset, relative, hazard->reach + radius)) return INFINITY;
  float nearest = -INFINITY, leaving = lwi_dot2(offset, relative);
  for (int i = 0; i < hazard->side_count; i++) {
    const lwi_hazard_side *side = &hazard->sides[i];
    const float outside = lwi_dot2(side->normal, offset) - side->offset - radius,
                speed = lwi_dot2(side->normal, relative);
    if (!clip_by_side(&time, outside, speed)) return INFINITY;
    if (outside <= nearest) continue;
    nearest = outside;
    leaving = speed;
  }
  const bool is_inside = time.from <= 0;
  return is_inside && leaving >= 0 ? INFINITY : time.from;
}
