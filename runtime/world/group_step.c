/* How a group travels in a step:

     members            those that still follow the group's path; others come back when they see their places
     the frame          goes on along the path, as fast as the slowest can, and turns as fast as the outermost can
     how wide it is     where the formation does not fit, all walk one behind the other
     places             each walks straight to its place, or along the path while it cannot see that
     arrivals           at the goal, each at its place */
#include "agent/steering.h"
#include "search/path.h"
#include "world/group_step.h"

#include <math.h>

/* How far ahead the frame looks for ground that is too narrow, beside the length of the formation. [m] */
#define LOOK 3.0f
#define LOOK_STRIDE 0.5f /* at first */
/* A formation that has fitted for so long forms up. [s] */
#define WIDE_TIME 0.25f
/* Behind what was too narrow a member leaves it to the next one. [m] */
#define LEAVING 0.5f
/* So near to the goal they form up as soon as there is space. [m] */
#define FORM_BEFORE 5.0f
/* How fast it is moved aside or compressed, of the frame's speed and a second. */
#define SHIFT_RATE 0.4f
/* How fast it turns: the outermost moves with this part of the speed round the frame; in a file. [rad/s] */
#define OUTER_PART 0.5f
#define FILE_TURN 4.0f
#define TURN_GAIN 2.0f /* [1/s] */
/* A member that is so far ahead of the one before it in a file changes places with that. [m] */
#define PASSED 0.2f
/* A member that is further behind and comes no nearer for so long walks on a path of its own. [m, s] */
#define CUT_OFF 1.5f
#define CUT_OFF_TIME 4.0
#define NEARER 0.25f
/* From centre to centre where it is too narrow for the formation, of the largest radius. */
#define NARROW_SPACING 2.5f
/* Between the surfaces of two members in formation at least. [m] */
#define GAP 0.05f

/* --- members ---------------------------------------------------------------------------------------------- */

static void find_formed(const lw_world *world, lwi_group *group) {
  for (int i = 0; i < group->count; i++) {
    lwi_group_member *member = &group->members[i];
    const bool formed = lwi_group_follows(member),
               has_place = lwi_group_is_travelling(member) || member->has_arrived;
    group->is_reordered |=
        member->has_place != has_place || (group->frame.is_file && member->is_formed != formed);
    if (member->is_formed && !formed) member->best_time = world->time;
    member->is_formed = formed;
    member->has_place = has_place;
    if (!member->agent) continue;
    member->agent->route.station.kind = LWI_STATION_NONE;
    member->agent->route.station.haste = 0;
  }
}

static bool is_in_file(const lwi_group *group) {
  return group->formation == LW_FORMATION_FILE || group->formation == LW_FORMATION_COLUMN;
}

static void find_limits(lwi_group_step *run) {
  const lwi_group *group = run->group;
  lwi_group_limits *able = &run->able;
  *able = (lwi_group_limits){.speed = INFINITY, .acceleration = INFINITY, .deceleration = INFINITY};
  for (int i = 0; i < group->count; i++) {
    if (!group->members[i].is_formed) continue;
    const lwi_agent *agent = group->members[i].agent;
    const lw_body *body = &agent->profile->def.body;
    able->speed = fminf(able->speed, lwi_agent_speed(agent, run->world->scene.meshes[agent->navmesh]));
    able->acceleration = fminf(able->acceleration, lwi_body_limit(body->acceleration));
    able->deceleration = fminf(able->deceleration, lwi_body_limit(body->deceleration));
    able->radius = fmaxf(able->radius, agent->profile->def.radius);
  }
}

/* Places at the goal stay as they are: members that have arrived stand there. */
static bool keeps_places(const lwi_group *group) {
  for (int i = 0; i < group->count; i++)
    if (group->members[i].has_arrived) return true;
  return false;
}

/* Of the formation. In a file there are as many as are formed. */
static int count_places(const lwi_group *group) {
  int count = 0, last = 0;
  for (int i = 0; i < group->count; i++) {
    const lwi_group_member *member = &group->members[i];
    count += member->has_place;
    if (member->has_place && member->place >= last) last = member->place + 1;
  }
  return keeps_places(group) ? last : count;
}

/* The places of as many as are formed. */
static void lay_out(lwi_group_step *run) {
  lwi_group *group = run->group;
  const lw_navmesh *mesh = run->world->scene.meshes[group->frame.navmesh];
  run->spacing = lwi_group_spacing(group);
  const lwi_formation_shape shape = {group->formation, run->spacing, group->points, group->point_count,
                                     count_places(group)};
  run->places = shape.count;
  lwi_formation_places(&shape, run->offsets);
  run->extent = 0;
  for (int i = 0; i < run->places; i++)
    run->extent = fmaxf(run->extent, hypotf(run->offsets[i].ahead, run->offsets[i].right));
  run->ground = (lwi_formation_ground){.mesh = mesh,
                                       .filter = &lwi_group_profile(run->world, group)->prices.filter,
                                       .places = run->offsets,
                                       .count = run->places,
                                       .apart = 2 * run->able.radius + GAP,
                                       .inset = fmaxf(0, run->able.radius - mesh->agent.radius)};
}

/* @return false: nobody is formed. */
static bool open_step(lwi_group_step *run) {
  find_limits(run);
  const lwi_group_member *leader = lwi_group_leader(run->group);
  if (!leader) return false;
  run->path = leader->agent->route.path;
  lay_out(run);
  return true;
}

/* --- assignment ------------------------------------------------------------------------------------------- */

/* In the formation, so that none cross. The frame begins at the leader, which therefore gets the first place. */
static void give_places(lwi_group_step *run) {
  lwi_group *group = run->group;
  lwi_vec2 from[LW_GROUP_MEMBERS_MAX], to[LW_GROUP_MEMBERS_MAX];
  int place[LW_GROUP_MEMBERS_MAX], count = 0;
  const float c = cosf(group->frame.heading), s = sinf(group->frame.heading);
  for (int i = 0; i < group->count; i++) {
    const lwi_group_member *member = &group->members[i];
    if (!member->has_place) continue;
    const float dx = member->agent->at.point.x - group->frame.at.point.x,
                dz = member->agent->at.point.z - group->frame.at.point.z;
    from[count++] = lwi_vec2_of(c * dx - s * dz, s * dx + c * dz); /* ahead, right */
  }
  for (int k = 0; k < count; k++) to[k] = lwi_vec2_of(run->offsets[k].ahead, run->offsets[k].right);
  lwi_formation_assign(from, to, count, place);
  for (int i = 0, k = 0; i < group->count; i++)
    if (group->members[i].has_place) group->members[i].place = place[k++];
}

/* In a file: the member that is further on comes first. */
static void line_up(lwi_group *group) {
  for (int i = 0; i < group->count; i++) {
    lwi_group_member *member = &group->members[i];
    if (!member->is_formed) continue;
    member->place = 0;
    for (int k = 0; k < group->count; k++) {
      const lwi_group_member *other = &group->members[k];
      if (k == i || !other->is_formed) continue;
      const float a = other->agent->route.remaining, b = member->agent->route.remaining;
      member->place += a < b || (a == b && k < i);
    }
  }
}

/* A member that has come past the one before it changes places with that, so that it does not wait beside a door for a
   member that cannot pass. */
static void let_pass(lwi_group *group) {
  lwi_group_member *at[LW_GROUP_MEMBERS_MAX] = {NULL};
  for (int i = 0; i < group->count; i++)
    if (group->members[i].is_formed) at[group->members[i].place] = &group->members[i];
  for (int place = 1; place < LW_GROUP_MEMBERS_MAX; place++) {
    lwi_group_member *before = at[place - 1], *after = at[place];
    if (!before || !after || after->agent->route.remaining > before->agent->route.remaining - PASSED) continue;
    before->place = place;
    after->place = place - 1;
    at[place - 1] = after;
    at[place] = before;
  }
}

static void reorder(lwi_group_step *run) {
  run->group->is_reordered = false;
  if (keeps_places(run->group)) return;
  if (run->group->frame.is_file)
    line_up(run->group);
  else
    give_places(run);
}

/* --- how wide it is --------------------------------------------------------------------------------------- */

/* Is the ground too narrow at a place of the path? */
static bool is_narrow_at(const lwi_group_step *run, float remaining) {
  lw_vec3 at;
  float heading;
  lw_location place;
  const lw_vec3 snap = {0.2f, 1, 0.2f}; /* [m] */
  if (!lwi_group_path_place(run->group, run->path, remaining, &at, &heading)) return true;
  if (lw_navmesh_nearest(run->ground.mesh, at, snap, run->ground.filter, &place) != LW_OK) return true;
  return lwi_formation_fit_at(&run->ground, place, heading).is_narrow;
}

static void look_ahead(const lwi_group_step *run, float distance) {
  lwi_group_frame *frame = &run->group->frame;
  const float remaining = frame->remaining - distance;
  if (remaining > 0 && is_narrow_at(run, remaining)) frame->narrow_until = remaining - LOOK_STRIDE;
}

static float toward(float from, float to, float step) {
  return from + fminf(step, fmaxf(-step, to - from));
}

/* Have all left what was too narrow? Near the goal they form up before that. */
static bool is_through(const lwi_group *group) {
  float tail = 0;
  for (int i = 0; i < group->count; i++)
    if (group->members[i].is_formed) tail = fmaxf(tail, group->members[i].agent->route.remaining);
  return tail < group->frame.narrow_end - LEAVING || group->frame.remaining <= FORM_BEFORE;
}

/* Does the formation fit where the frame is, and ahead? Then it is laid out as it fits. */
static void fit_formation(lwi_group_step *run) {
  lwi_group_frame *frame = &run->group->frame;
  if (is_in_file(run->group)) {
    run->group->is_reordered |= !frame->is_file;
    frame->is_file = true;
    return;
  }
  look_ahead(run, LOOK);
  const lwi_formation_fit fit = lwi_formation_fit_at(&run->ground, frame->at, frame->heading);
  const bool is_ahead = frame->narrow_until < INFINITY && frame->remaining > frame->narrow_until;
  const bool is_narrow = fit.is_narrow || is_ahead || frame->link_done > 0;
  frame->wide_for = is_narrow ? 0 : frame->wide_for + run->dt;
  if (is_narrow) frame->narrow_end = is_ahead ? frame->narrow_until : frame->remaining;
  if (!is_ahead) frame->narrow_until = INFINITY;
  const bool is_file =
      is_narrow || (frame->is_file && (frame->wide_for < WIDE_TIME || !is_through(run->group)));
  if (!is_file) frame->narrow_end = INFINITY;
  if (is_file != frame->is_file) {
    run->group->is_reordered = true;
    frame->fit = fit;
  }
  frame->is_file = is_file;
  const lwi_formation_fit before = frame->fit;
  const float step = SHIFT_RATE * run->dt;
  frame->fit.shift = toward(before.shift, fit.shift, step * run->able.speed);
  frame->fit.scale = toward(before.scale, fit.scale, step * run->able.speed / fmaxf(1, run->extent));
  run->shifting = (frame->fit.shift - before.shift) / run->dt;
  run->widening = (frame->fit.scale - before.scale) / run->dt;
}

void lwi_group_begin_frame(lw_world *world, lwi_group *group) {
  lwi_group_frame *frame = &group->frame;
  lwi_group_step run = {.world = world, .group = group};
  if (!open_step(&run)) return;
  lw_vec3 at;
  lwi_group_path_place(group, run.path, frame->remaining, &at, &frame->heading);
  for (float ahead = LOOK_STRIDE; ahead <= LOOK && !is_in_file(group); ahead += LOOK_STRIDE)
    look_ahead(&run, ahead);
  frame->fit = lwi_formation_fit_at(&run.ground, frame->at, frame->heading);
  frame->is_file = is_in_file(group) || frame->fit.is_narrow || frame->narrow_until < INFINITY;
  reorder(&run);
}

/* --- the frame -------------------------------------------------------------------------------------------- */

static void find_remaining(lwi_group_step *run) {
  lwi_group_frame *frame = &run->group->frame;
  const lw_path *path = run->path;
  const int next = frame->next_point;
  if (next >= path->point_count) {
    frame->remaining = 0;
    return;
  }
  const float left = lwi_distance(frame->at.point, path->points[next]);
  frame->remaining = left + path->remaining[next];
}

/* Along an off-mesh link. @return Whether it ends. */
static bool cross_link(lwi_group_step *run, const lwi_path_link *link, float *budget) {
  lwi_group_frame *frame = &run->group->frame;
  const lw_vec3 from = run->path->points[link->point], to = run->path->points[link->point + 1];
  const float length = link->kind == LW_LINK_TELEPORT ? 0 : lwi_distance(from, to);
  const float step = fminf(*budget, length - frame->link_done);
  frame->link_done += step;
  *budget -= step;
  if (frame->link_done < length) {
    frame->at.point = lwi_lerp(from, to, frame->link_done / length);
    return false;
  }
  frame->at = (lw_location){to, link->to};
  if (link->navmesh >= 0) frame->navmesh = link->navmesh;
  frame->link_done = 0;
  return true;
}

/* Over the ground to the next point. @return Whether it is there. */
static bool go_to_point(lwi_group_step *run, float *budget) {
  lwi_group_frame *frame = &run->group->frame;
  const lw_vec3 to = run->path->points[frame->next_point];
  const float whole = lwi_distance(frame->at.point, to);
  const bool enough = whole <= *budget;
  const lw_vec3 end = enough ? to : lwi_lerp(frame->at.point, to, *budget / whole);
  const lw_navmesh *mesh = run->world->scene.meshes[frame->navmesh];
  const lw_vec3 snap = {0.5f, 2, 0.5f}; /* [m] */
  if (lwi_poly_index(mesh, frame->at.poly) == LWI_NONE &&
      lw_navmesh_nearest(mesh, frame->at.point, snap, run->ground.filter, &frame->at) != LW_OK)
    return false;
  lw_location at;
  if (lw_navmesh_move(mesh, frame->at, end, run->ground.filter, &at) != LW_OK) return false;
  frame->at = at;
  *budget = enough ? *budget - whole : 0;
  return enough && lwi_distance_xz(at.point, to) < 1e-3f;
}

static void advance(lwi_group_step *run) {
  lwi_group_frame *frame = &run->group->frame;
  float budget = frame->speed * run->dt;
  while (frame->next_point < run->path->point_count && budget > 0) {
    const lwi_path_link *link = lwi_path_link_at(run->path, frame->next_point - 1);
    if (!(link ? cross_link(run, link, &budget) : go_to_point(run, &budget))) break;
    frame->next_point += 1;
  }
  find_remaining(run);
}

/* Turn to where the path leads. In a file nobody has to follow that. */
static void turn(lwi_group_step *run) {
  lwi_group_frame *frame = &run->group->frame;
  lw_vec3 at;
  float goal;
  lwi_group_path_place(run->group, run->path, frame->remaining, &at, &goal);
  const float angle = lwi_angle_between(frame->heading, goal);
  const float limit = frame->is_file ? FILE_TURN : OUTER_PART * run->able.speed / fmaxf(0.5f, run->extent);
  frame->turn = fminf(limit, fmaxf(-limit, TURN_GAIN * angle));
  frame->heading = lwi_angle_between(0, frame->heading + frame->turn * run->dt);
}

/* It waits for members that lag, slows while the outermost go round it, and brakes for the goal. */
static void choose_speed(lwi_group_step *run) {
  lwi_group_frame *frame = &run->group->frame;
  const lwi_group_limits *able = &run->able;
  const float waits = fminf(1, fmaxf(0, (LW_GROUP_LAG - frame->lag) / (LW_GROUP_LAG / 2)));
  float goal = able->speed * waits;
  if (!frame->is_file)
    goal = fminf(goal, fmaxf(0.2f * able->speed, able->speed - fabsf(frame->turn) * run->extent));
  goal = fminf(goal, sqrtf(2 * 0.9f * able->deceleration * fmaxf(0, frame->remaining)));
  frame->speed = fminf(goal, frame->speed + able->acceleration * run->dt);
  frame->speed = fmaxf(frame->speed, 0);
}

/* --- places ----------------------------------------------------------------------------------------------- */

/* How far behind the frame its place in a file is. A column keeps the distance that it takes to brake. [m] */
static float back_of(const lwi_group_step *run, int place) {
  const float speed = run->group->frame.speed;
  float each = is_in_file(run->group) ? run->spacing : NARROW_SPACING * run->able.radius;
  if (run->group->formation == LW_FORMATION_COLUMN) each += speed * speed / (2 * run->able.deceleration);
  return each * (float)place;
}

/* The speed from which it can stop behind the member before it in a column. [m/s] */
static float column_speed(const lwi_group_step *run, const lwi_group_member *member) {
  const lwi_group *group = run->group;
  for (int i = 0; i < group->count; i++) {
    const lwi_group_member *before = &group->members[i];
    if (!before->is_formed || before->place != member->place - 1) continue;
    const float gap =
        member->agent->route.remaining - before->agent->route.remaining - 2 * run->able.radius - GAP;
    return sqrtf(2 * run->able.deceleration * fmaxf(0, gap));
  }
  return INFINITY;
}

/* How a place moves. Counter-clockwise from above turns +x to -z. */
static lw_vec3 velocity_of(const lwi_group_step *run, lw_vec3 at, int place) {
  const lwi_group_frame *frame = &run->group->frame;
  const float c = cosf(frame->heading), s = sinf(frame->heading);
  const float dx = at.x - frame->at.point.x, dz = at.z - frame->at.point.z;
  const float right = run->shifting + run->widening * run->offsets[place].right;
  return lwi_vec3(c * frame->speed + frame->turn * dz + s * right, 0,
                  -s * frame->speed - frame->turn * dx + c * right);
}

/* Straight to its place. @return Its distance from that; below 0: it does not see it. */
static float send_to_place(const lwi_group_step *run, const lwi_group_member *member) {
  const lwi_group_frame *frame = &run->group->frame;
  lwi_station *station = &member->agent->route.station;
  if (frame->is_file || frame->link_done > 0) return -1;
  const lw_location at =
      lwi_formation_place(&run->ground, frame->at, frame->heading, &frame->fit, member->place);
  if (!lwi_group_sees(run->world, member->agent, at, frame->navmesh)) return -1;
  station->kind = LWI_STATION_PLACE;
  station->at = at.point;
  station->velocity =
      frame->remaining > LWI_GROUP_AT_END ? velocity_of(run, at.point, member->place) : lwi_vec3(0, 0, 0);
  return lwi_distance_xz(member->agent->at.point, at.point);
}

/* Along the path. @return How far it is behind its place. [m] */
static float send_along(const lwi_group_step *run, const lwi_group_member *member) {
  const lwi_group_frame *frame = &run->group->frame;
  lwi_agent *agent = member->agent;
  lwi_station *station = &agent->route.station;
  const bool is_at_end = frame->remaining <= LWI_GROUP_AT_END;
  float back = is_at_end ? 0 : -run->offsets[member->place].ahead;
  if (frame->is_file) back = back_of(run, member->place);
  const float lag = agent->route.remaining - frame->remaining - back;
  station->kind = LWI_STATION_TRAIL;
  station->speed = fmaxf(0, frame->speed + LWI_GROUP_TRAIL_GAIN * lag);
  if (run->group->formation == LW_FORMATION_COLUMN)
    station->speed = fminf(station->speed, column_speed(run, member));
  return lag;
}

/* A member that comes no nearer to its place walks on a path of its own. */
static void note_lag(const lwi_group_step *run, lwi_group_member *member, float lag) {
  lwi_agent *agent = member->agent;
  const double now = run->world->time;
  const bool excused = agent->link.active || !lw_link_id_is_none(agent->route.wait.link);
  if (lag < CUT_OFF || excused || lag < member->best_lag - NEARER) {
    member->best_lag = lag < CUT_OFF ? INFINITY : lag;
    member->best_time = now;
  }
  if (now - member->best_time < CUT_OFF_TIME) return;
  agent->route.station.kind = LWI_STATION_NONE;
  agent->stats.replans += 1;
  const lw_status status = lwi_world_search_path(run->world, agent);
  if (status == LW_OK) return;
  lwi_agent_fail_move(run->world, agent, status);
  lwi_agent_wake(run->world, agent);
}

static bool has_arrived(const lwi_group_step *run, const lwi_group_member *member, float lag) {
  const lwi_agent *agent = member->agent;
  if (run->group->frame.remaining > LWI_GROUP_AT_END || agent->link.active) return false;
  if (lag <= run->group->options.within) return true; /* in a file it may also stand before its place */
  return agent->route.motion.blocked > LWI_GROUP_BLOCKED && lag < LWI_GROUP_BESIDE;
}

static void send_member(lwi_group_step *run, lwi_group_member *member) {
  lwi_group_frame *frame = &run->group->frame;
  lwi_agent *agent = member->agent;
  float lag = agent->link.active ? -1 : send_to_place(run, member);
  if (lag < 0) lag = send_along(run, member);
  agent->route.station.haste = lag > LWI_GROUP_HURRY ? LW_GROUP_CATCH_UP - 1 : 0;
  frame->lag = fmaxf(frame->lag, lag);
  if (!has_arrived(run, member, lag)) {
    note_lag(run, member, lag);
    return;
  }
  member->has_arrived = true;
  lwi_agent_arrive(run->world, agent);
}

/* --- a step ----------------------------------------------------------------------------------------------- */

static void step_group(lw_world *world, lwi_group *group, float dt) {
  lwi_group_step run = {.world = world, .group = group, .dt = dt};
  find_formed(world, group);
  if (open_step(&run)) {
    lwi_group_take_back(&run);
    if (group->is_reordered) open_step(&run);
    choose_speed(&run);
    advance(&run);
    turn(&run);
    lay_out(&run);
    fit_formation(&run);
    if (group->is_reordered) reorder(&run);
    if (group->frame.is_file) let_pass(group);
    group->frame.lag = 0;
    for (int i = 0; i < group->count; i++)
      if (group->members[i].is_formed) send_member(&run, &group->members[i]);
    lwi_group_hold_back(&run);
  }
  if (group->frame.remaining <= LWI_GROUP_AT_END) lwi_group_settle(world, group);
  lwi_group_finish(group);
}

void lwi_world_step_groups(lw_world *world, float dt) {
  const lwi_groups *groups = &world->agents.groups;
  for (uint32_t i = groups->ids.first; i != LWI_NO_SLOT; i = lwi_id_pool_next(&groups->ids, i)) {
    lwi_group *group = &groups->items[i];
    if (group->move != LW_MOVE_WALKING) continue;
    if (lwi_group_is_convoy(group))
      lwi_group_step_convoy(world, group);
    else
      step_group(world, group, dt);
  }
}
