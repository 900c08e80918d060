/* What agents perceive, in a world's file. */
#include "save/saved.h"

/* Flags of an agent. */
enum { PERCEIVES = 1, OWN = 2, HEARD = 4, SEES_FOCUS = 8 };
/* Flags of a percept. */
enum { NOTICED = 1, SEEN = 2, ENEMY = 4 };

/* --- writing ---------------------------------------------------------------------------------------------- */

static void put_percept(lwi_bytes *to, const lwi_percept *percept) {
  lwi_put_u64(to, percept->serial);
  lwi_put_u32(to, (percept->is_noticed ? NOTICED : 0U) | (percept->is_seen ? SEEN : 0U) |
                      (percept->is_enemy ? ENEMY : 0U));
  lwi_put_double(to, percept->since);
  lwi_put_double(to, percept->noticed);
  lwi_put_double(to, percept->seen);
  lwi_put_vec3(to, percept->at);
  lwi_put_float(to, percept->eye);
  lwi_put_vec3(to, percept->velocity);
  lwi_put_vec3(to, percept->announced);
}

static void put_own(lwi_bytes *to, const lw_senses *own) {
  lwi_put_float(to, own->sight.range);
  lwi_put_float(to, own->sight.half_angle);
  lwi_put_float(to, own->sight.notice);
  lwi_put_u32(to, own->sight.friends);
  lwi_put_float(to, own->hearing.range);
  lwi_put_float(to, own->memory);
}

static void put_senses(lwi_bytes *to, const lwi_senses *senses) {
  lwi_put_u32(to, PERCEIVES | (senses->has_own ? OWN : 0U) | (senses->has_heard ? HEARD : 0U) |
                      (senses->sees_focus ? SEES_FOCUS : 0U));
  if (senses->has_own) put_own(to, &senses->own);
  if (senses->has_heard) {
    lwi_put_vec3(to, senses->heard.at);
    lwi_put_float(to, senses->heard.loudness);
    lwi_put_float(to, senses->heard.distance);
    lwi_put_double(to, senses->heard_at);
  }
  lwi_put_u64(to, senses->focus);
  lwi_put_vec3(to, senses->focus_at);
  lwi_put_u32(to, (uint32_t)senses->count);
  for (int i = 0; i < senses->count; i++) put_percept(to, &senses->percepts[i]);
}

void lwi_saved_put_senses(lwi_bytes *to, const lw_world *world) {
  lwi_put_u64(to, world->agents.senses.turn);
  lwi_put_double(to, world->agents.senses.credit);
  for (const lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));) {
    if (agent->knowledge.senses)
      put_senses(to, agent->knowledge.senses);
    else
      lwi_put_u32(to, 0);
  }
}

/* --- reading ---------------------------------------------------------------------------------------------- */

static bool is_time(const lw_saved *saved, double time) {
  return time >= 0 && time <= saved->clock.time;
}

static const char *read_percept(lw_saved *saved, lwi_reader *from, lwi_senses *senses) {
  lwi_percept *percept = lwi_senses_add(senses, &saved->memory, lw_agent_id_none(), lwi_get_u64(from));
  if (!percept) return "";
  const uint32_t flags = lwi_get_u32(from);
  percept->since = lwi_get_double(from);
  percept->noticed = lwi_get_double(from);
  percept->seen = lwi_get_double(from);
  percept->at = lwi_get_vec3(from);
  percept->eye = lwi_get_float(from);
  percept->velocity = lwi_get_vec3(from);
  percept->announced = lwi_get_vec3(from);
  percept->is_noticed = flags & NOTICED;
  percept->is_seen = flags & SEEN;
  percept->is_enemy = flags & ENEMY;
  const bool good = flags <= (NOTICED | SEEN | ENEMY) && (percept->is_noticed || !percept->is_seen) &&
                    percept->serial >= 1 && percept->serial <= saved->clock.spawned &&
                    is_time(saved, percept->since) && is_time(saved, percept->noticed) &&
                    is_time(saved, percept->seen) && lwi_saved_is_place(percept->at) && percept->eye > 0 &&
                    percept->eye <= LW_PROFILE_SIZE_MAX && lwi_saved_is_place(percept->velocity) &&
                    lwi_saved_is_place(percept->announced);
  return good ? NULL : "a number is out of range";
}

static bool read_own(lwi_reader *from, lw_senses *own) {
  own->sight.range = lwi_get_float(from);
  own->sight.half_angle = lwi_get_float(from);
  own->sight.notice = lwi_get_float(from);
  const uint32_t friends = lwi_get_u32(from);
  own->sight.friends = friends == 1;
  own->hearing.range = lwi_get_float(from);
  own->memory = lwi_get_float(from);
  return friends <= 1 && lw_senses_check(own, NULL) == LW_OK;
}

static bool read_heard(const lw_saved *saved, lwi_reader *from, lwi_senses *senses) {
  lw_heard *heard = &senses->heard;
  heard->at = lwi_get_vec3(from);
  heard->loudness = lwi_get_float(from);
  heard->distance = lwi_get_float(from);
  senses->heard_at = lwi_get_double(from);
  return lwi_is_place(heard->at) && heard->loudness > 0 && heard->loudness <= LW_PROFILE_SIZE_MAX &&
         heard->distance >= 0 && heard->distance <= heard->loudness && is_time(saved, senses->heard_at);
}

static const char *read_senses(lw_saved *saved, lwi_reader *from, lwi_senses *senses) {
  const char *wrong = "a number is out of range";
  const uint32_t flags = lwi_get_u32(from);
  if (flags == 0) return NULL;
  senses->has_own = flags & OWN;
  senses->has_heard = flags & HEARD;
  senses->sees_focus = flags & SEES_FOCUS;
  if (!(flags & PERCEIVES) || flags > (PERCEIVES | OWN | HEARD | SEES_FOCUS)) return wrong;
  if (senses->has_own && !read_own(from, &senses->own)) return wrong;
  if (senses->has_heard && !read_heard(saved, from, senses)) return wrong;
  senses->focus = lwi_get_u64(from);
  senses->focus_at = lwi_get_vec3(from);
  if (senses->focus > saved->clock.spawned || !lwi_saved_is_place(senses->focus_at)) return wrong;
  const uint32_t count = lwi_get_u32(from);
  wrong = NULL;
  for (uint32_t i = 0; i < count && !from->failed && !wrong; i++) wrong = read_percept(saved, from, senses);
  return wrong;
}

const char *lwi_saved_read_senses(lw_saved *saved, lwi_reader *from) {
  const char *wrong = NULL;
  saved->run.look_turn = lwi_get_u64(from);
  saved->run.look_credit = lwi_get_double(from);
  if (saved->run.look_turn > saved->clock.spawned ||
      !(saved->run.look_credit >= 0 && saved->run.look_credit <= saved->agent_count))
    return "a number is out of range";
  for (int i = 0; i < saved->walk_count && !from->failed && !wrong; i++) {
    saved->walks[i].perceives = from->at < from->end && *from->at != 0;
    wrong = read_senses(saved, from, &saved->walks[i].senses);
  }
  return from->failed && (!wrong || *wrong) ? NULL : wrong; /* the caller says that they are cut short */
}

/* --- giving it to an agent -------------------------------------------------------------------------------- */

void lwi_saved_restore_turn(lw_world *world, const lw_saved *saved) {
  world->agents.senses.turn = saved->run.look_turn;
  world->agents.senses.credit = saved->run.look_credit;
  world->agents.senses.unresolved = 0;
  world->agents.senses.is_stale = true;
}

/* @return false: no memory. */
static bool take(lw_world *world, lwi_agent *agent, const lwi_senses *as) {
  lwi_senses *to = lwi_agent_make_senses(world, agent);
  if (!to || !lwi_reserve(&world->memory, &to->percepts, &to->capacity, as->count, sizeof *to->percepts))
    return false;
  lwi_percept *percepts = to->percepts;
  const int capacity = to->capacity;
  *to = *as;
  to->percepts = percepts;
  to->capacity = capacity;
  for (int i = 0; i < as->count; i++) percepts[i] = as->percepts[i];
  to->unresolved = as->count;
  world->agents.senses.unresolved += as->count > 0;
  world->agents.senses.is_stale = true;
  return true;
}

bool lwi_saved_restore_senses(lw_world *world, lwi_agent *agent, const lw_saved *saved, int index) {
  if (index < saved->walk_count && saved->walks[index].perceives &&
      !take(world, agent, &saved->walks[index].senses))
    return false;
  /* With the last one of the file all are there that others may know of. */
  if (index + 1 == saved->agent_count) lwi_world_resolve_senses(world);
  return true;
}
