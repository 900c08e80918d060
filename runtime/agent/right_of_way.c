/* Right of way: where others come from opposite between two walls, or round the same corner, an agent keeps to the right half
   of the ground there. Paths are taut, so that those of both directions touch the same corners, and all would queue for one
   point of wide ground. In its right half an agent has the right of way; in the left one it gives way to others that come
   near, to the right and back, and those behind it go back with it. */
#include "agent/crowd.h"
#include "agent/walls.h"
#include "core/vec3.h"

#include <math.h>

/* Walls are looked for beside the corner that an agent has just passed, beside the next one, or so far straight on. [m] */
#define BEHIND 2.5f
#define AHEAD 5.0f
#define STRAIGHT 3.0f
/* The cosine of the angle to a corner that an agent goes to. */
#define TOWARDS 0.98f
/* Half the width of the widest ground that has halves, and the width of the narrowest. [m] */
#define WIDE 6.0f
#define NARROW 0.8f
/* Beside a corner of a path with a wall on one side alone the ground counts as so wide: those that have the corner on their
   left keep so far from it that others pass between. [m] */
#define OPEN 3.0f
/* Kept from the middle, but no more than that part of the width. [m] */
#define MARGIN 1.2f
#define MARGIN_PART 0.35f
/* This number of agents that come from opposite counts: between the walls, and before an agent. */
#define ONCOMING 0.7f
#define BEFORE 0.5f
/* Places where others are counted in both halves, behind and ahead of a cross-section, and how far apart. [m] */
#define PLACES_BEHIND 2
#define PLACES_AHEAD 8
#define SPACING 1.5f
/* An agent that gives way goes back by that part of what it goes to the right: from others near and further ahead. */
#define BACK_NEAR 0.8f
#define BACK_FAR 0.3f
/* Left of the middle by no more than that an agent still has the right of way; by more than the other it has not. [m] */
#define HAS_WITHIN 0.2f
#define LACKS_BEYOND 0.4f
/* An agent goes back with another one that gives way so near to it, and towards it: the cosine of the angle between. [m] */
#define TOUCHING 0.3f
#define BEHIND_IT 0.5f

static lw_vec3 moved(lw_vec3 at, lwi_vec2 direction, float distance) {
  return lwi_vec3(at.x + direction.x * distance, at.y, at.z + direction.z * distance);
}

static lwi_vec2 flat(lw_vec3 from, lw_vec3 to) {
  return lwi_vec2_of(to.x - from.x, to.z - from.z);
}

/* --- cross-sections of the ground ------------------------------------------------------------------------------- */

static float free_length(const lwi_crowd_step *step, const lwi_crowd_body *body, lw_location from,
                         lwi_vec2 direction) {
  return lwi_free_length(step->meshes[body->navmesh], from, direction, WIDE,
                         &body->agent->profile->prices.filter);
}

/* The narrowest cross-section at a place, of those across some directions. @param count  Of directions; more than one: the
   place is a corner of a path, and open ground on one side of it has halves, too. @return false: there is none. */
static bool measure(const lwi_crowd_step *step, const lwi_crowd_body *body, lw_location at,
                    const lwi_vec2 *along, int count, lwi_cross_section *found) {
  found->width = INFINITY;
  for (int i = 0; i < count; i++) {
    const lwi_vec2 right = {-along[i].z, along[i].x};
    float to_right = free_length(step, body, at, right),
          to_left = free_length(step, body, at, lwi_scale2(right, -1));
    const bool is_open_right = to_right >= WIDE, is_open_left = to_left >= WIDE;
    if ((is_open_right && is_open_left) || ((is_open_right || is_open_left) && count == 1)) continue;
    if (is_open_right) to_right = OPEN;
    if (is_open_left) to_left = OPEN;
    const float width = to_left + to_right;
    if (width >= found->width) continue;
    *found = (lwi_cross_section){moved(at.point, right, (to_right - to_left) / 2), along[i], right, width,
                                 (to_left - to_right) / 2};
  }
  return found->width < INFINITY && found->width >= NARROW;
}

/* Where the straight line from an agent to a place crosses it. */
static float crossing_of(const lwi_cross_section *at, lw_vec3 from, lw_vec3 to) {
  const lwi_vec2 along = flat(from, to), off = flat(from, at->middle);
  const float det = lwi_det2(along, at->right);
  const float crossing = fabsf(det) > 1e-4f ? -lwi_det2(along, off) / det : at->crossing;
  return fminf(at->width / 2, fmaxf(-at->width / 2, crossing));
}

/* Is a path's ground before or behind a corner too narrow for two? There agents have turns. */
static bool is_at_bottleneck(const lwi_agent *agent, const lw_navmesh *mesh, const lw_vec3 *at) {
  static const float away[] = {0.3f, 0.6f, 0.9f}; /* [m] */
  for (int i = -1; i <= 1; i += 2) {
    const float length = lwi_distance(at[0], at[i]);
    for (int k = 0; k < 3; k++) {
      const lw_vec3 place = length > away[k] ? lwi_lerp(at[0], at[i], away[k] / length) : at[i];
      if (lwi_crowd_is_narrow(agent, mesh, place)) return true;
    }
  }
  return false;
}

/* @return false: there is none. */
static bool measure_at(const lwi_crowd_step *step, const lwi_crowd_body *body, const lw_vec3 *at,
                       lwi_cross_section *found) {
  const lw_navmesh *mesh = step->meshes[body->navmesh];
  const lwi_vec2 in = lwi_unit2(flat(at[-1], at[0])), out = lwi_unit2(flat(at[0], at[1]));
  const lwi_vec2 along[] = {in, out, lwi_unit2(lwi_add2(in, out))};
  const lw_vec3 snap = {0.2f, 1, 0.2f};
  lw_location corner;
  return lw_navmesh_nearest(mesh, *at, snap, &body->agent->profile->prices.filter, &corner) == LW_OK &&
         !is_at_bottleneck(body->agent, mesh, at) && measure(step, body, corner, along, 3, found);
}

static bool is_of(const lwi_corner_section *known, const lw_navmesh *mesh, const lw_vec3 *at) {
  return known->mesh == mesh && known->version == mesh->live.version && lwi_equal(known->points[0], at[-1]) &&
         lwi_equal(known->points[1], at[0]) && lwi_equal(known->points[2], at[1]);
}

/* Agents are near one corner for many steps. @param at  The corner, in its path. */
static const lwi_corner_section *know_corner(const lwi_crowd_step *step, const lwi_crowd_body *body,
                                             const lw_vec3 *at, int point) {
  const lw_navmesh *mesh = step->meshes[body->navmesh];
  lwi_corner_section *known = &body->agent->route.motion.corners[point & 1];
  if (is_of(known, mesh, at)) return known;
  *known = (lwi_corner_section){.mesh = mesh, .version = mesh->live.version, .points = {at[-1], at[0], at[1]}};
  known->is_there = measure_at(step, body, at, &known->section);
  return known;
}

static bool measure_corner(const lwi_crowd_step *step, const lwi_crowd_body *body, int point,
                           lwi_cross_section *found) {
  const lw_vec3 *at = &body->agent->route.path->points[point];
  const lwi_corner_section *known = know_corner(step, body, at, point);
  if (!known->is_there) return false;
  *found = known->section;
  found->crossing = crossing_of(found, body->at, at[1]);
  return true;
}

static float against(const lwi_crowd_step *step, lw_vec3 at, lwi_vec2 direction) {
  return lwi_flow_against(&step->crowd->flow, at, direction);
}

/* Do others come from opposite? */
static bool is_contested(const lwi_crowd_step *step, const lwi_cross_section *at) {
  float oncoming = 0;
  for (int i = -PLACES_BEHIND; i <= PLACES_AHEAD && oncoming < ONCOMING; i++) {
    const lw_vec3 middle = moved(at->middle, at->along, SPACING * (float)i);
    oncoming += against(step, moved(middle, at->right, at->width / 4), at->along);
    oncoming += against(step, moved(middle, at->right, -at->width / 4), at->along);
  }
  return oncoming >= ONCOMING;
}

static bool is_corner(const lw_path *path, int point) {
  return point >= 1 && point + 1 < path->point_count && !lwi_path_link_at(path, point) &&
         !lwi_path_link_at(path, point - 1);
}

static bool is_just_past(const lwi_crowd_body *body) {
  const lwi_agent_route *route = &body->agent->route;
  return is_corner(route->path, route->next_point - 1) &&
         lwi_distance_xz(route->path->points[route->next_point - 1], body->at) < BEHIND;
}

/* @return false: there is none, or nobody comes from opposite. */
static bool find_ahead(const lwi_crowd_step *step, const lwi_crowd_body *body, lwi_vec2 direction,
                       lwi_cross_section *found) {
  const lwi_agent_route *route = &body->agent->route;
  const lw_path *path = route->path;
  const lwi_vec2 to = flat(body->at, path->points[route->next_point]);
  const float far = sqrtf(lwi_dot2(to, to));
  if (is_corner(path, route->next_point) && far <= AHEAD && lwi_dot2(to, direction) > TOWARDS * far)
    return measure_corner(step, body, route->next_point, found) && is_contested(step, found);
  if (route->next_point + 1 >= path->point_count && far < STRAIGHT) return false;
  lw_raycast ray;
  const lw_vec3 on = moved(body->at, direction, fminf(STRAIGHT, far));
  return lw_navmesh_raycast(step->meshes[body->navmesh], body->agent->at, on,
                            &body->agent->profile->prices.filter, &ray) == LW_OK &&
         measure(step, body, ray.at, &direction, 1, found) && is_contested(step, found);
}

/* --- an agent --------------------------------------------------------------------------------------------- */

static bool follows_path(const lwi_crowd_body *body) {
  const lwi_agent_route *route = &body->agent->route;
  const lw_path *path = route->path;
  return path && !body->turns.waits && route->next_point >= 1 && route->next_point < path->point_count &&
         !lwi_path_link_at(path, route->next_point) && !lwi_path_link_at(path, route->next_point - 1) &&
         route->station.kind == LWI_STATION_NONE && !route->remedy.retreat.is_on;
}

/* Turn an agent in the left half to the right and back where others come towards it. @return Whether they do. */
static bool turn_back(const lwi_crowd_step *step, const lwi_crowd_body *body, const lwi_cross_section *at,
                      lwi_vec2 *direction) {
  static const float near[] = {1, 2}, far[] = {3.2f, 4.7f}; /* [m] */
  float before = 0, beyond = 0;
  for (int i = 0; i < 2; i++) {
    before += against(step, moved(body->at, at->along, near[i]), at->along);
    beyond += against(step, moved(body->at, at->along, far[i]), at->along);
  }
  if (!(before > BEFORE) && !(beyond > BEFORE)) return false;
  const float back = before > BEFORE ? BACK_NEAR : BACK_FAR;
  *direction = lwi_unit2(lwi_sub2(at->right, lwi_scale2(at->along, back)));
  return true;
}

static lwi_right_of_way right_of_way(float to_right) {
  if (to_right >= -HAS_WITHIN) return LWI_HAS_RIGHT_OF_WAY;
  return to_right < -LACKS_BEYOND ? LWI_LACKS_RIGHT_OF_WAY : LWI_NO_RIGHT_OF_WAY;
}

/* The direction in which an agent gives way. @return Whether it does. */
static bool gives_way(const lwi_crowd_body *body, lwi_vec2 *back) {
  const lwi_motion *motion = &body->agent->route.motion;
  if (body->agent->move != LW_MOVE_WALKING || motion->right_of_way != LWI_LACKS_RIGHT_OF_WAY ||
      !(fabsf(motion->turn_goal) > LWI_GIVES_WAY))
    return false;
  *back = lwi_turn2(lwi_unit2(lwi_vec2_of(motion->desired.x, motion->desired.z)), motion->turn_goal);
  return true;
}

/* Those behind an agent that gives way go back with it. @param wish  Where it wants to go. */
static bool is_urged_back(const lwi_crowd_step *step, const lwi_crowd_body *body, lwi_vec2 wish,
                          lwi_vec2 *direction) {
  const lwi_crowd *crowd = step->crowd;
  for (int i = 0; i < body->count; i++) {
    const lwi_crowd_body *other = &crowd->bodies[crowd->neighbors[body->first + (uint32_t)i]];
    const lwi_vec2 off = flat(other->at, body->at);
    const float far = sqrtf(lwi_dot2(off, off));
    lwi_vec2 back;
    if (far > body->radius + other->radius + TOUCHING) return false; /* the nearest comes first */
    if (!gives_way(other, &back) || lwi_dot2(back, off) < BEHIND_IT * far || lwi_dot2(back, wish) > 0) continue;
    *direction = back;
    return true;
  }
  return false;
}

static lwi_right_of_way keep_right(const lwi_crowd_step *step, const lwi_crowd_body *body,
                                   lwi_vec2 *direction) {
  lwi_cross_section at;
  if (!follows_path(body)) return LWI_NO_RIGHT_OF_WAY;
  const bool is_past = is_just_past(body) &&
                       measure_corner(step, body, body->agent->route.next_point - 1, &at) &&
                       is_contested(step, &at);
  if (!is_past && !find_ahead(step, body, *direction, &at)) return LWI_NO_RIGHT_OF_WAY;
  const float to_right = lwi_dot2(flat(at.middle, body->at), at.right);
  const bool is_yielding = to_right < 0 && turn_back(step, body, &at, direction);
  if (is_yielding || is_past) return right_of_way(to_right);
  const float aim = fmaxf(at.crossing, fminf(MARGIN, at.width * MARGIN_PART));
  const lwi_vec2 offset = flat(body->at, moved(at.middle, at.right, aim));
  if (lwi_dot2(offset, offset) > 1e-4f) *direction = lwi_unit2(offset);
  return right_of_way(to_right);
}

lwi_right_of_way lwi_crowd_keep_right(const lwi_crowd_step *step, const lwi_crowd_body *body,
                                      lwi_vec2 *direction) {
  const lwi_vec2 wish = *direction;
  const lwi_right_of_way right = keep_right(step, body, direction);
  if (right == LWI_HAS_RIGHT_OF_WAY || body->turns.waits || !is_urged_back(step, body, wish, direction))
    return right;
  return LWI_LACKS_RIGHT_OF_WAY;
}
