/* The bottlenecks of a world's file, and how its agents move: what avoidance knows from one step to the next. */
#include "core/vec3.h"
#include "save/saved.h"

/* Flags of an agent's motion. */
enum {
  FORWARD = 1,
  INSIDE = 2,
  EXTERNAL = 4,
  RESTING = 8,
  HAS_RIGHT = 16,
  LACKS_RIGHT = 32,
  PASSED = 64,
  FLAGS = 127
};

void lwi_saved_put_crowd(lwi_bytes *to, const lw_world *world) {
  const lwi_crowd *crowd = &world->agents.crowd;
  lwi_put_u32(to, (uint32_t)crowd->bottleneck_count);
  for (int i = 0; i < crowd->bottleneck_count; i++) {
    const lwi_bottleneck *at = &crowd->bottlenecks[i];
    lwi_put_u32(to, (uint32_t)at->point_count);
    for (int k = 0; k < at->point_count; k++) lwi_put_vec3(to, at->points[k]);
    lwi_put_u32(to, (uint32_t)(at->navmesh + 1));
    lwi_put_u32(to, (uint32_t)(at->turn + 1));
    lwi_put_u32(to, (uint32_t)at->passed);
    lwi_put_double(to, at->used);
  }
}

static bool read_bottleneck(lwi_reader *from, lwi_bottleneck *at) {
  const uint32_t points = lwi_get_u32(from);
  if (points < 2 || points > LWI_BOTTLENECK_POINTS) return false;
  bool good = true;
  at->point_count = (int32_t)points;
  for (uint32_t i = 0; i < points; i++) {
    at->points[i] = lwi_get_vec3(from);
    good &= lwi_saved_is_place(at->points[i]);
  }
  const uint32_t navmesh = lwi_get_u32(from), turn = lwi_get_u32(from), passed = lwi_get_u32(from);
  at->used = lwi_get_double(from);
  at->navmesh = (int32_t)navmesh - 1;
  at->turn = (int32_t)turn - 1;
  at->passed = (int32_t)passed;
  return good && navmesh <= LW_NAVMESHES_MAX && turn <= 2 && passed <= INT32_MAX / 2 && at->used >= 0 &&
         at->used <= LWI_SAVED_TIME_MAX;
}

const char *lwi_saved_read_crowd(lw_saved *saved, lwi_reader *from) {
  lwi_crowd *crowd = &saved->crowd;
  const uint32_t count = lwi_get_u32(from);
  for (uint32_t i = 0; i < count && !from->failed; i++) {
    if (!lwi_reserve(&saved->memory, &crowd->bottlenecks, &crowd->bottleneck_capacity, (int)i + 1,
                     sizeof *crowd->bottlenecks))
      return "";
    crowd->bottlenecks[i] = (lwi_bottleneck){0};
    if (!read_bottleneck(from, &crowd->bottlenecks[i])) return "a number of a bottleneck is out of range";
    crowd->bottleneck_count = (int)i + 1;
  }
  return NULL;
}

void lwi_saved_crowd_free(lw_saved *saved) {
  lwi_crowd_free(&saved->crowd, &saved->memory);
}

bool lwi_saved_restore_crowd(lw_world *world, const lw_saved *saved) {
  const int count = saved->crowd.bottleneck_count;
  lwi_crowd *crowd = &world->agents.crowd;
  crowd->bottleneck_count = 0;
  crowd->is_stale = true;
  if (!lwi_reserve(&world->memory, &crowd->bottlenecks, &crowd->bottleneck_capacity, count,
                   sizeof *crowd->bottlenecks))
    return false;
  for (int i = 0; i < count; i++) crowd->bottlenecks[i] = saved->crowd.bottlenecks[i];
  crowd->bottleneck_count = count;
  return true;
}

/* --- an agent ----------------------------------------------------------------------------------------------- */

void lwi_saved_put_motion(lwi_bytes *to, const lwi_motion *motion) {
  const lwi_narrow *narrow = &motion->narrow;
  lwi_put_float(to, motion->turn);
  lwi_put_float(to, motion->turn_goal);
  lwi_put_float(to, motion->probed);
  lwi_put_float(to, motion->blocked);
  lwi_put_float(to, motion->held);
  lwi_put_float(to, motion->held_at.x);
  lwi_put_float(to, motion->held_at.z);
  lwi_put_float(to, motion->gain.nearest);
  lwi_put_float(to, motion->gain.no_nearer);
  lwi_put_float(to, motion->gain.late);
  lwi_put_vec3(to, motion->chosen);
  lwi_put_u32(to, (uint32_t)narrow->number);
  lwi_put_float(to, narrow->entry);
  lwi_put_float(to, narrow->exit);
  lwi_put_u32(to, (narrow->is_forward ? FORWARD : 0U) | (narrow->is_inside ? INSIDE : 0U) |
                      (narrow->has_passed ? PASSED : 0U) | (motion->is_external ? EXTERNAL : 0U) |
                      (motion->is_resting ? RESTING : 0U) |
                      (motion->right_of_way > 0   ? HAS_RIGHT
                       : motion->right_of_way < 0 ? LACKS_RIGHT
                                                  : 0U));
}

bool lwi_saved_get_motion(const lw_saved *saved, lwi_reader *from, lwi_motion *motion) {
  lwi_narrow *narrow = &motion->narrow;
  motion->turn = lwi_get_float(from);
  motion->turn_goal = lwi_get_float(from);
  motion->probed = lwi_get_float(from);
  motion->blocked = lwi_get_float(from);
  motion->held = lwi_get_float(from);
  motion->held_at.x = lwi_get_float(from);
  motion->held_at.z = lwi_get_float(from);
  motion->gain.nearest = lwi_get_float(from);
  motion->gain.no_nearer = lwi_get_float(from);
  motion->gain.late = lwi_get_float(from);
  motion->chosen = lwi_get_vec3(from);
  const uint32_t number = lwi_get_u32(from);
  narrow->entry = lwi_get_float(from);
  narrow->exit = lwi_get_float(from);
  const uint32_t flags = lwi_get_u32(from);
  narrow->number = (int32_t)number;
  narrow->is_forward = flags & FORWARD;
  narrow->is_inside = flags & INSIDE;
  narrow->has_passed = flags & PASSED;
  motion->is_external = flags & EXTERNAL;
  motion->is_resting = flags & RESTING;
  motion->right_of_way = flags & HAS_RIGHT     ? LWI_HAS_RIGHT_OF_WAY
                         : flags & LACKS_RIGHT ? LWI_LACKS_RIGHT_OF_WAY
                                               : LWI_NO_RIGHT_OF_WAY;
  return lwi_saved_is_angle(motion->turn) && lwi_saved_is_angle(motion->turn_goal) &&
         (lwi_saved_is_amount(motion->probed) || motion->probed == INFINITY) &&
         lwi_saved_is_amount(motion->blocked) && lwi_saved_is_amount(motion->held) &&
         (fabsf(motion->gain.nearest) <= 1e30f || motion->gain.nearest == INFINITY) &&
         lwi_saved_is_amount(motion->gain.no_nearer) && lwi_saved_is_amount(motion->gain.late) &&
         lwi_saved_is_place(motion->chosen) &&
         lwi_saved_is_place(lwi_vec3(motion->held_at.x, 0, motion->held_at.z)) &&
         number <= (uint32_t)saved->crowd.bottleneck_count && fabsf(narrow->entry) <= 1e30f &&
         fabsf(narrow->exit) <= 1e30f && flags <= FLAGS &&
         (flags & (HAS_RIGHT | LACKS_RIGHT)) != (HAS_RIGHT | LACKS_RIGHT);
}

/* --- what it has tried -------------------------------------------------------------------------------------- */

/* Flags of what an agent tries. */
enum { PASSING = 1, SEARCHING = 2, RETREATING = 4, TRIES = 7 };
#define TRIED_MAX 1000000000u

void lwi_saved_put_remedy(lwi_bytes *to, const lwi_agent *agent) {
  const lwi_remedy *remedy = &agent->route.remedy;
  for (int i = 0; i < LW_REMEDY_COUNT; i++) {
    lwi_put_u32(to, (uint32_t)remedy->tried[i]);
    lwi_put_u32(to, (uint32_t)agent->stats.remedies[i]);
  }
  lwi_put_u32(to, (remedy->is_passing ? PASSING : 0U) | (remedy->is_searching ? SEARCHING : 0U) |
                      (remedy->retreat.is_on ? RETREATING : 0U));
  lwi_put_float(to, remedy->barred);
  lwi_put_u32(to, (uint32_t)remedy->place_count);
  for (int i = 0; i < remedy->place_count; i++) lwi_put_vec3(to, remedy->places[i]);
  lwi_put_vec3(to, remedy->retreat.to);
  lwi_put_double(to, remedy->retreat.until);
}

bool lwi_saved_get_remedy(lwi_reader *from, lwi_agent *as) {
  lwi_remedy *remedy = &as->route.remedy;
  bool good = true;
  for (int i = 0; i < LW_REMEDY_COUNT; i++) {
    const uint32_t tried = lwi_get_u32(from), ever = lwi_get_u32(from);
    good &= tried <= TRIED_MAX && ever <= TRIED_MAX;
    remedy->tried[i] = (int)tried;
    as->stats.remedies[i] = ever;
  }
  const uint32_t flags = lwi_get_u32(from);
  remedy->barred = lwi_get_float(from);
  const uint32_t places = lwi_get_u32(from);
  if (!good || !lwi_saved_is_amount(remedy->barred) || flags > TRIES || places > LWI_DETOURS_MAX) return false;
  remedy->is_passing = flags & PASSING;
  remedy->is_searching = flags & SEARCHING;
  remedy->retreat.is_on = flags & RETREATING;
  remedy->place_count = (int)places;
  for (uint32_t i = 0; i < places; i++) {
    remedy->places[i] = lwi_get_vec3(from);
    good &= lwi_saved_is_place(remedy->places[i]);
  }
  remedy->retreat.to = lwi_get_vec3(from);
  remedy->retreat.until = lwi_get_double(from);
  return good && lwi_saved_is_place(remedy->retreat.to) && remedy->retreat.until >= 0 &&
         remedy->retreat.until <= LWI_SAVED_TIME_MAX;
}
