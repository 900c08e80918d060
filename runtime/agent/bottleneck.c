/* Where two agents cannot walk side by side they go through in one direction at a time (turns.c). Bottlenecks are found on the
   paths that lead over them: each agent looks along its own path, a few metres ahead, how wide the ground is on both sides. */
#include "agent/crowd.h"
#include "agent/walls.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

/* Samples of the path, and how many an agent takes in a step. [m] */
#define SAMPLE 0.3f
#define SAMPLES_A_STEP 2
#define SAMPLES_AT_FIRST 24 /* of a path */
/* How far ahead it looks, and of how many samples a bottleneck can be. [m] */
#define LOOK_AHEAD 6.0f
#define SAMPLES_MAX 134
/* A bottleneck ends where the path is wide for so long: another one that follows has turns of its own. [m] */
#define GAP 2.0f
/* Points of two walls that are nearer than that are the corner where they meet. [m] */
#define SHARED 0.01f
/* A bottleneck extends so far beyond what is narrow, so that agents that wait leave space before it. [m] */
#define BEYOND 0.6f
/* Samples so near to a bottleneck, and not higher or lower than that, belong to it. [m] */
#define SAME 1.0f
#define SAME_HEIGHT 1.5f
/* A sample that is so near to an end of a bottleneck leads on from there. [m] */
#define NEXT 2.5f
/* Behind its exit an agent is still in the way. [m] */
#define LEAVING 0.5f

/* --- looking ahead ---------------------------------------------------------------------------------------- */

typedef struct path_place {
  lw_vec3 at, direction;
  bool is_there; /* else it is on a link, or behind the end */
  float width2;  /* of the ground there, where it is narrow [m2] */
} path_place;

/* The place of the agent's path with that remaining length. */
static path_place place_on_path(const lwi_agent *agent, float remaining) {
  const lwi_agent_route *route = &agent->route;
  lw_vec3 from = agent->at.point;
  for (int i = route->next_point; i < route->path->point_count; i++) {
    const lw_vec3 to = route->path->points[i];
    const float over = route->path->remaining[i], length = lwi_distance(from, to);
    if (lwi_path_link_at(route->path, i - 1)) return (path_place){.is_there = false};
    if (remaining >= over && length > 0) {
      const float t = fminf(1, fmaxf(0, 1 - (remaining - over) / length));
      lw_vec3 direction = lwi_sub(to, from);
      direction.y = 0;
      return (path_place){.at = lwi_lerp(from, to, t), .direction = lwi_direction(direction), .is_there = true};
    }
    from = to;
  }
  return (path_place){.is_there = false};
}

/* The point of a line from a to b that is nearest to the origin. */
static lwi_vec2 nearest_point(lwi_vec2 a, lwi_vec2 b) {
  const lwi_vec2 along = lwi_sub2(b, a);
  const float length2 = lwi_dot2(along, along), t = length2 > 0 ? -lwi_dot2(a, along) / length2 : 0;
  return lwi_add2(a, lwi_scale2(along, fminf(1, fmaxf(0, t))));
}

/* The nearest point of a wall, as seen from a place. */
static lwi_vec2 wall_point(const lwi_wall *wall, lw_vec3 from) {
  return nearest_point(lwi_vec2_of(wall->ax - from.x, wall->az - from.z),
                       lwi_vec2_of(wall->bx - from.x, wall->bz - from.z));
}

/* Does the line between two points, as seen from a sample of a path, lead past it within half the distance between samples? */
static bool is_between(lwi_vec2 a, lwi_vec2 b) {
  const lwi_vec2 nearest = nearest_point(a, b);
  return lwi_dot2(nearest, nearest) <= SAMPLE * SAMPLE / 4;
}

/* Do two walls face each other across the place between these points of theirs, nearer than that? Walls that meet at a corner
   share a point there, and those of a pillar face away from each other. */
static bool are_facing(const lwi_wall *a, const lwi_wall *b, lwi_vec2 on_a, lwi_vec2 on_b) {
  const lwi_vec2 across = lwi_sub2(on_b, on_a);
  if (lwi_dot2(across, across) < SHARED * SHARED || !is_between(on_a, on_b)) return false;
  return a->nx * across.x + a->nz * across.z > 0 && b->nx * across.x + b->nz * across.z < 0;
}

/* From one wall to another one, as seen from a sample. [m] */
typedef struct narrowest_line {
  lwi_vec2 across, middle;
} narrowest_line;

/* Is the ground at a place, between two walls that face each other, too narrow for two such agents?
   @param[out] found  Where they are nearest. */
static bool is_narrow(const lwi_agent *agent, const lw_navmesh *mesh, lw_vec3 at, narrowest_line *found) {
  const float radius = agent->profile->def.radius,
              wide = 2 * radius + 2 * fmaxf(0, radius - mesh->agent.radius);
  const lw_vec3 snap = {0.2f, 1, 0.2f};
  lw_circle circle = {.radius = wide};
  lwi_wall walls[LWI_WALLS_MAX];
  lwi_vec2 points[LWI_WALLS_MAX];
  if (lw_navmesh_nearest(mesh, at, snap, &agent->profile->prices.filter, &circle.center) != LW_OK) return false;
  const int count = lwi_walls_about(mesh, circle, &agent->profile->prices.filter, walls);
  float width2 = wide * wide;
  for (int i = 0; i < count; i++) {
    points[i] = wall_point(&walls[i], circle.center.point);
    for (int k = 0; k < i; k++) {
      const lwi_vec2 between = lwi_sub2(points[k], points[i]);
      if (!(lwi_dot2(between, between) < width2) || !are_facing(&walls[i], &walls[k], points[i], points[k]))
        continue;
      width2 = lwi_dot2(between, between);
      found->across = between;
      found->middle = lwi_scale2(lwi_add2(points[k], points[i]), 0.5f);
    }
  }
  return width2 < wide * wide;
}

bool lwi_crowd_is_narrow(const lwi_agent *agent, const lw_navmesh *mesh, lw_vec3 at) {
  narrowest_line line;
  return is_narrow(agent, mesh, at, &line);
}

/* The direction at right angles to the narrowest line, on the side to which the path leads. */
static lw_vec3 direction_through(lwi_vec2 across, lw_vec3 along) {
  const lwi_vec2 unit = lwi_unit2(lwi_vec2_of(-across.z, across.x));
  const float side = unit.x * along.x + unit.z * along.z < 0 ? -1.0f : 1.0f;
  return lwi_vec3(side * unit.x, 0, side * unit.z);
}

/* --- the list --------------------------------------------------------------------------------------------- */

/* The end of a bottleneck that agents come to last, and the point before that. */
static int last_of(const lwi_bottleneck *at, bool forward) {
  return forward ? at->point_count - 1 : 0;
}

static int before_last_of(const lwi_bottleneck *at, bool forward) {
  return forward ? at->point_count - 2 : 1;
}

static bool is_same(lw_vec3 a, lw_vec3 b) {
  return lwi_distance_xz(a, b) < SAME && fabsf(a.y - b.y) < SAME_HEIGHT;
}

/* The part of a bottleneck's line that a place is on. @return Its first point, or -1: it is on none. */
static int part_at(const lwi_bottleneck *at, lw_vec3 place) {
  for (int i = 0; i + 1 < at->point_count; i++)
    if (is_same(lwi_nearest_on(at->points[i], at->points[i + 1], place), place)) return i;
  return -1;
}

/* What a path leads through, from one sample to the next. */
typedef struct section {
  path_place places[SAMPLES_MAX];
  int count;
} section;

static lw_vec3 moved(lw_vec3 at, lw_vec3 direction, float distance) {
  return lwi_add(at, lwi_scale(direction, distance));
}

/* Add a place to the line's end, where it leads on from there: round a corner as another point.
   @param beyond  BEYOND, along the path there, or -BEYOND. */
static void extend(lwi_bottleneck *at, bool forward, const path_place *place, float beyond) {
  const lw_vec3 last = at->points[last_of(at, forward)], before = at->points[before_last_of(at, forward)];
  if (lwi_distance_xz(last, place->at) > NEXT || fabsf(last.y - place->at.y) > SAME_HEIGHT) return;
  const float part = lwi_part_along_xz(before, last, place->at);
  const lw_vec3 foot = lwi_lerp(before, last, part);
  if (lwi_distance_xz(foot, place->at) < SAME) {
    const float length = lwi_distance_xz(before, last), on = part * length + BEYOND;
    if (length > 0 && on > length) at->points[last_of(at, forward)] = lwi_lerp(before, last, on / length);
    return;
  }
  if (part_at(at, place->at) >= 0 || at->point_count == LWI_BOTTLENECK_POINTS) return;
  if (!forward) memmove(at->points + 1, at->points, (size_t)at->point_count * sizeof *at->points);
  at->point_count += 1;
  at->points[last_of(at, forward)] = moved(place->at, place->direction, beyond);
}

/* The line through a section: across its narrowest place, and on from there to both sides. */
static lwi_bottleneck line_through(const section *through, int narrowest) {
  const path_place *middle = &through->places[narrowest];
  lwi_bottleneck at = {.points = {moved(middle->at, middle->direction, -SAMPLE - BEYOND),
                                  moved(middle->at, middle->direction, SAMPLE + BEYOND)},
                       .point_count = 2};
  for (int i = narrowest + 1; i < through->count; i++) extend(&at, true, &through->places[i], BEYOND);
  for (int i = narrowest - 1; i >= 0; i--) extend(&at, false, &through->places[i], -BEYOND);
  return at;
}

/* @return Its index, or -1: the list is full. */
static int add(const lwi_crowd_step *step, int navmesh, const section *through, int narrowest) {
  lwi_crowd *crowd = step->crowd;
  int unused = 0;
  while (unused < crowd->bottleneck_count && crowd->bottlenecks[unused].navmesh >= 0) unused++;
  if (unused == crowd->bottleneck_capacity) return -1;
  crowd->bottleneck_count += unused == crowd->bottleneck_count;
  crowd->bottlenecks[unused] = line_through(through, narrowest);
  crowd->bottlenecks[unused].navmesh = navmesh;
  crowd->bottlenecks[unused].used = step->now;
  return unused;
}

static int narrowest_of(const section *through) {
  int best = 0;
  for (int i = 1; i < through->count; i++)
    if (through->places[i].width2 < through->places[best].width2) best = i;
  return best;
}

/* The first bottleneck of those in the list that a section is on. @param[out] first  The place from which on it is.
   @return -1: there is none; `first` is the narrowest place. */
static int find(const lwi_crowd *crowd, int navmesh, const section *through, int *first) {
  for (*first = 0; *first < through->count; *first += 1)
    for (int i = 0; i < crowd->bottleneck_count; i++)
      if (crowd->bottlenecks[i].navmesh == navmesh &&
          part_at(&crowd->bottlenecks[i], through->places[*first].at) >= 0)
        return i;
  *first = narrowest_of(through);
  return -1;
}

static bool is_along(const lwi_bottleneck *at, const path_place *place) {
  const int part = part_at(at, place->at);
  const lw_vec3 axis = lwi_sub(at->points[part + 1], at->points[part]);
  return axis.x * place->direction.x + axis.z * place->direction.z >= 0;
}

/* Note that an agent is to go through. */
static void enter(const lwi_crowd_step *step, lwi_agent *agent, const section *through, float entry,
                  float exit) {
  int first, index = find(step->crowd, agent->navmesh, through, &first);
  if (index < 0) index = add(step, agent->navmesh, through, first);
  if (index < 0) return;
  lwi_bottleneck *at = &step->crowd->bottlenecks[index];
  const bool forward = is_along(at, &through->places[first]);
  agent->route.motion.narrow =
      (lwi_narrow){.number = index + 1, .is_forward = forward, .entry = entry, .exit = exit};
  for (int i = first; i < through->count; i++) extend(at, forward, &through->places[i], BEYOND);
  for (int i = first - 1; i >= 0; i--) extend(at, !forward, &through->places[i], -BEYOND);
}

/* @param[out] place  In the middle of the ground. @return Whether the path is narrow where it has that remaining length. */
static bool look(const lwi_crowd_step *step, const lwi_agent *agent, float remaining, path_place *place) {
  narrowest_line line;
  *place = place_on_path(agent, remaining);
  if (!place->is_there || !is_narrow(agent, step->meshes[agent->navmesh], place->at, &line)) return false;
  place->at = lwi_add(place->at, lwi_vec3(line.middle.x, 0, line.middle.z));
  place->direction = direction_through(line.across, place->direction);
  place->width2 = lwi_dot2(line.across, line.across);
  return true;
}

/* Look on from the first place that is narrow to where it is not any more. */
static void look_through(const lwi_crowd_step *step, lwi_agent *agent, const path_place *first) {
  lwi_motion *motion = &agent->route.motion;
  const float begin = motion->probed;
  float exit = begin;
  section through = {.places = {*first}, .count = 1};
  while (through.count < SAMPLES_MAX && motion->probed - SAMPLE > 0 && exit - motion->probed < GAP) {
    motion->probed -= SAMPLE;
    if (!look(step, agent, motion->probed, &through.places[through.count])) continue;
    exit = motion->probed;
    through.count += 1;
  }
  enter(step, agent, &through, begin + SAMPLE, exit - SAMPLE);
}

void lwi_crowd_look_ahead(const lwi_crowd_step *step, lwi_agent *agent) {
  lwi_motion *motion = &agent->route.motion;
  const float remaining = agent->route.remaining;
  if (motion->narrow.number != 0 && remaining < motion->narrow.exit - LEAVING)
    motion->narrow = (lwi_narrow){.exit = motion->narrow.exit, .has_passed = motion->narrow.is_inside};
  if (motion->narrow.number == 0 && remaining > motion->narrow.exit + SAMPLE) { /* pushed back */
    motion->probed = INFINITY;
    motion->narrow.exit = remaining;
    motion->narrow.has_passed = false;
  }
  if (motion->narrow.number != 0) return; /* first through this one */
  const int samples = motion->probed <= remaining ? SAMPLES_A_STEP : SAMPLES_AT_FIRST;
  if (motion->probed > remaining) motion->probed = remaining + SAMPLE; /* from where it is */
  for (int i = 0; i < samples && motion->narrow.number == 0; i++) {
    const float next = motion->probed - SAMPLE;
    path_place place;
    if (next <= 0 || remaining - next > LOOK_AHEAD) return;
    motion->probed = next;
    if (look(step, agent, next, &place)) look_through(step, agent, &place);
  }
}
