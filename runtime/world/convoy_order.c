/* In which order a convoy sets out: as its members were added. Where the first one does not get past others that stand on its
   route, those on its route come first, the last of them at the head. */
#include "agent/driving.h"
#include "core/vec3.h"
#include "search/path.h"
#include "world/driving.h"
#include "world/group_step.h"
#include "world/vehicle_body.h"

#include <math.h>

/* The path is looked along in steps of that length. [m] */
#define STRIDE 1.0f

/* --- the order ---------------------------------------------------------------------------------------------------- */

static bool comes_before(const lwi_group *group, int a, int b) {
  const int place = group->members[a].place, other = group->members[b].place;
  return place < other || (place == other && a < b);
}

int lwi_convoy_order(const lwi_group *group, int *order) {
  int count = 0;
  for (int i = 0; i < group->count; i++) {
    if (!group->members[i].agent) continue;
    int at = count++;
    for (; at > 0 && comes_before(group, i, order[at - 1]); at--) order[at] = order[at - 1];
    order[at] = i;
  }
  return count;
}

int lwi_convoy_next_place(const lwi_group *group) {
  int next = 0;
  for (int i = 0; i < group->count; i++)
    if (group->members[i].agent && group->members[i].place >= next) next = group->members[i].place + 1;
  return next < LW_GROUP_MEMBERS_MAX ? next : LW_GROUP_MEMBERS_MAX - 1;
}

/* --- setting out -------------------------------------------------------------------------------------------------- */

/* Where the member that was added first is to go, and which others stand there. */
typedef struct route {
  const lw_navmesh *mesh;
  const lw_path *path;
  const lwi_group *group;
  const lwi_agent *first;
  bool turns;                        /* it has to turn round, and has no space for that */
  bool is_blocked;                   /* it does not get past some of them */
  float along[LW_GROUP_MEMBERS_MAX]; /* where the path leaves each member; < 0: that does not stand on it [m] */
} route;

static bool is_narrower(const route *of, lw_vec3 at, lwi_vec2 course, float wide) {
  return lwi_ground_is_narrower(of->mesh, &of->first->profile->prices.filter, at, course, wide);
}

/* Is it to go back from where it stands on ground that is too narrow for it to turn round? */
static bool has_no_space(const route *of, lwi_vec2 course) {
  const lwi_agent *first = of->first;
  const float c = cosf(first->heading), s = -sinf(first->heading);
  return course.x * c + course.z * s < 0 &&
         is_narrower(of, first->at.point, course,
                     2 * first->profile->def.body.turn_radius + lwi_vehicle_width(first->profile));
}

/* A place of the path. */
static void look_at(route *of, lw_vec3 at, lwi_vec2 course, float along) {
  const float own = lwi_vehicle_width(of->first->profile);
  const lwi_vehicle_body disc = {1, {lwi_body_area_disc(at, own / 2)}};
  for (int i = 0; i < of->group->count; i++) {
    const lwi_agent *other = of->group->members[i].agent;
    if (!other || other == of->first || !lwi_vehicle_minds(of->first, other)) continue;
    const lwi_vehicle_body body = lwi_vehicle_body_now(other);
    if (lwi_vehicle_body_gap(&disc, &body) > LWI_VEHICLE_PASSING) continue;
    const float wide = own + lwi_vehicle_width(other->profile) + 3 * LWI_VEHICLE_PASSING;
    of->along[i] = along;
    of->is_blocked |= of->turns || is_narrower(of, at, course, wide);
  }
}

static void look_along(route *of) {
  const lw_path *path = of->path;
  for (int i = 0; i + 1 < path->point_count; i++) {
    const lw_vec3 from = path->points[i], to = path->points[i + 1];
    const float length = lwi_distance_xz(from, to);
    if (lwi_path_link_at(path, i) || !(length > 0)) continue;
    const lwi_vec2 course = {(to.x - from.x) / length, (to.z - from.z) / length};
    if (i == 0) of->turns = has_no_space(of, course);
    for (float along = 0; along < length; along += STRIDE)
      look_at(of, lwi_lerp(from, to, along / length), course, path->length - path->remaining[i] + along);
  }
}

static void give_places(const route *of, lwi_group *group) {
  for (int i = 0; i < group->count; i++) {
    lwi_group_member *member = &group->members[i];
    member->place = of->is_blocked ? 0 : i;
    for (int k = 0; k < group->count && of->is_blocked; k++)
      member->place += of->along[k] > of->along[i] || (of->along[k] == of->along[i] && k < i);
  }
}

lwi_agent *lwi_convoy_line_up(lw_world *world, lwi_group *group) {
  int order[LW_GROUP_MEMBERS_MAX];
  route of = {.group = group};
  for (int i = 0; i < group->count; i++) {
    of.along[i] = -1;
    if (!of.first && !group->members[i].agent->removal.pending) of.first = group->members[i].agent;
  }
  lw_path *path = NULL;
  lw_location from = lwi_agent_footing(of.first);
  of.mesh = world->scene.meshes[lwi_agent_footing_navmesh(of.first)];
  if (group->count > 1 &&
      lwi_group_find_path(world, group, &from, lwi_agent_footing_navmesh(of.first), &path) == LW_OK) {
    of.path = path;
    look_along(&of);
  }
  lw_path_destroy(path);
  give_places(&of, group);
  const int count = lwi_convoy_order(group, order);
  for (int i = 0; i < count; i++)
    if (!group->members[order[i]].agent->removal.pending) return group->members[order[i]].agent;
  return NULL; /* all go */
}
