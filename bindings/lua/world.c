/*
** Worlds: creating, stepping and destroying them.
*/
#include "agent.h"
#include "permutation.h"
#include "sandbox.h"
#include "planner.h"
#include "tiles.h"
#include "tree.h"

#include "core/text.h"
#include "sight/depth_cache.h"
#include "senses.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LWL_WEAK "leeward.weak"

static const double STEP = 1.0 / 60;
static const lw_range dt_range = {0, 1, "s", true}, run_range = {0, 1e9, "s", false};
/// Some 50 ms: far more than a leaf can spend in a step of a game.
enum { LEAF_INSTRUCTIONS = 10000000, LEAF_SECONDS = 2 };
static const lw_range budget_range = {1, INT32_MAX, NULL, false};
static const lw_range instructions_range = {0, INT32_MAX, NULL, false};
static const lw_range maps_range = {0, LWI_EYE_MAPS_MAX, NULL, false};
static const char *const level_names[] = {"debug", "info", "warning", "error"};

lwl_world *lwl_check_world(lua_State *L, int index, const char *where) {
  lwl_world *world = (lwl_world *)lwl_check_box(L, index, LWL_WORLD, where);
  world->L = L;
  return world;
}

// --- the log -------------------------------------------------------------------------------------------------

typedef struct log_call {
  lw_log_level level;
  const char *message;
} log_call;

/// In protected mode: pass the message to the world's log function.
static int call_log(lua_State *L) {
  const log_call *call = lua_touserdata(L, 1);
  lua_getiuservalue(L, 2, LWL_WORLD_LOG);
  lua_pushstring(L, level_names[call->level]);
  lua_pushstring(L, call->message);
  lua_call(L, 2, 0);
  return 0;
}

/// lw_logger.write. An error of the script's function is caught: it must not pass through the runtime.
static void write_log(void *user, lw_log_level level, const char *message) {
  lwl_world *world = user;
  lua_State *L = world->L;
  const int top = lua_gettop(L);
  log_call call = {level, message};
  if (lua_checkstack(L, LUA_MINSTACK)) {
    lua_pushcfunction(L, call_log);
    lua_pushlightuserdata(L, &call);
    lwl_sandbox *sandbox = lwl_leave_sandbox(L, world->calls);
    const int status = lwl_push_world(L, world) ? lua_pcall(L, 2, 0, 0) : LUA_OK;
    if (sandbox) lwl_set_sandbox(L, world->calls, sandbox);
    world->L = L;
    char error[1024] = "an error without a message";
    if (status != LUA_OK && lua_type(L, -1) == LUA_TSTRING)
      lwi_text_show(error, sizeof error, lua_tostring(L, -1));
    if (status != LUA_OK) fprintf(stderr, "leeward: the log function failed: %s\n", error);
    lua_settop(L, top);
    if (status == LUA_OK) return;
  }
  fprintf(stderr, "leeward: %s: %s\n", level_names[level], message);
}

// --- holds ---------------------------------------------------------------------------------------------------

static void free_hold(lwl_hold *hold) {
  if (!hold) return;
  lwl_release(hold->profile);
  lwl_release(hold->journey);
  lwl_release(hold->tree);
  lwl_release(hold->old_tree);
  free(hold);
}

void lwl_release_holds(lwl_world *world) {
  for (lwl_hold *hold = world->first_hold, *next; hold; hold = next) {
    next = hold->next;
    free_hold(hold);
  }
  world->first_hold = world->last_hold = world->gone_holds = NULL;
}

void lwl_add_hold(lwl_world *world, lwl_hold *hold) {
  hold->previous = world->last_hold;
  *(world->last_hold ? &world->last_hold->next : &world->first_hold) = hold;
  world->last_hold = hold;
}

static void remove_hold(lwl_world *world, lwl_hold *hold) {
  *(hold->previous ? &hold->previous->next : &world->first_hold) = hold->next;
  *(hold->next ? &hold->next->previous : &world->last_hold) = hold->previous;
  free_hold(hold);
}

void lwl_note_gone(lwl_world *world, lwl_hold *hold) {
  if (!hold || hold->gone) return;
  hold->gone = true;
  hold->next_gone = world->gone_holds;
  world->gone_holds = hold;
}

/// Remove an agent from the world's table. Only sets existing fields to nil, so that nothing is allocated.
static void forget(lua_State *L, int world, lw_agent_id id) {
  if (lwl_push_agent(L, world, id)) {
    ((lwl_agent *)lua_touserdata(L, -1))->hold = NULL;
    lua_pushnil(L);
    lua_setiuservalue(L, -2, LWL_AGENT_TREE);
    lua_pushnil(L);
    lua_setiuservalue(L, -2, LWL_AGENT_OLD_TREE);
    lua_pushnil(L);
    lua_setiuservalue(L, -2, LWL_AGENT_STATES);
    lua_getiuservalue(L, world, LWL_WORLD_AGENTS);
    lua_pushnil(L);
    lua_rawseti(L, -2, lwl_id_key(&id));
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

void lwl_forget_gone(lua_State *L, lwl_world *world, int index) {
  if (world->inside > 0) return;
  lwl_hold *hold = world->gone_holds;
  world->gone_holds = NULL;
  for (lwl_hold *next; hold; hold = next) {
    next = hold->next_gone;
    forget(L, index, hold->agent);
    remove_hold(world, hold);
  }
}

// --- destroying ----------------------------------------------------------------------------------------------

static void destroy(void *object) {
  lw_world_destroy(object);
}

/// Free a world, which then has no pending call. Leaves that are stopped may still use it.
static void close_world(lua_State *L, lwl_world *world) {
  lw_world *closing = world->pending ? world->pending : world->box.object;
  world->pending = closing;
  world->box.object = NULL;
  lwl_cancel_searches(world);
  lwl_enter(world, L);
  lw_world_destroy(closing);
  lwl_leave(world);
  world->pending = NULL;
  lwl_cancel_rebuilds(world);
  if (world->box.shared) world->box.shared->object = NULL;
  lwl_empty_box(&world->box);
  lwl_release_holds(world);
  for (int i = 0; i < world->navmesh_count; ++i) {
    lwl_release(world->held[i].navmesh);
    lwl_release(world->held[i].next);
    world->held[i].next = NULL;
    lwl_release(world->held[i].regions);
    world->held[i].regions = NULL;
  }
  world->navmesh_count = 0;
  lwl_drop_sources(world);
}

/// Add a world to those that are pending.
static void append_pending(lwl_calls *calls, lwl_world *world) {
  *(calls->last_pending ? &calls->last_pending->next_pending : &calls->first_pending) = world;
  calls->last_pending = world;
}

static void remove_pending(lwl_calls *calls, const lwl_world *world) {
  lwl_world *at = calls->first_pending, *next;
  calls->first_pending = calls->last_pending = NULL;
  for (; at; at = next) {
    next = at->next_pending;
    at->next_pending = NULL;
    if (at != world) append_pending(calls, at);
  }
}

/// @return The first pending world that no step or other call of the C world is in progress on. NULL: none.
static lwl_world *find_closable(const lwl_calls *calls) {
  lwl_world *world = calls->first_pending;
  while (world && world->inside > 0) world = world->next_pending;
  return world;
}

void lwl_close_pending(lua_State *L, lwl_calls *calls) {
  if (!lua_checkstack(L, LUA_MINSTACK) || lwl_is_inside_call(L, calls)) return;
  // One by one: a leaf that is stopped may let the collector close another one.
  for (lwl_world *world; (world = find_closable(calls));) {
    remove_pending(calls, world);
    if (lwl_push_world(L, world)) { /* else its finaliser is about to run */
      close_world(L, world);
      lua_pushnil(L);
      lua_setiuservalue(L, -2, LWL_WORLD_AGENTS);
    }
    lua_pop(L, 1);
  }
}

/// The collector, or a state that closes, maybe inside a step: then nothing returns to it.
static int world_gc(lua_State *L) {
  lwl_world *world = lua_touserdata(L, 1);
  if (!world->box.shared || world->inside > 0) return 0;
  if (world->calls) remove_pending(world->calls, world);
  // Leaves that are stopped get it once more; if there is no memory for that, they are not called.
  lua_pushcfunction(L, lwl_register_world);
  lua_pushvalue(L, 1);
  lua_pcall(L, 1, 0, 0);
  close_world(L, world);
  return 0;
}

/*
** world:destroy()
** The second call does nothing. Inside a call of the module, the world is freed when the outermost one returns.
*/
static int world_destroy(lua_State *L) {
  lwl_refuse_in_sandbox(L, "destroy");
  lwl_world *world = lwl_check_userdata(L, 1, LWL_WORLD, "destroy");
  if (!world->box.object || world->pending) return 0;
  world->pending = world->box.object;
  world->box.object = NULL;
  append_pending(world->calls, world);
  return 0;
}

// --- navmeshes -----------------------------------------------------------------------------------------------

bool lwl_opt_navmesh(lua_State *L, const lwl_at *at, int options, const lw_world *world, int *navmesh) {
  const int type = lwl_get(L, options, "navmesh"), count = lw_world_navmesh_count(world);
  if (type == LUA_TNIL) return lua_pop(L, 1), false;
  const lwl_box *box = lwl_test_box(L, -1, LWL_NAVMESH);
  if (box && box->object) {
    *navmesh = lw_world_navmesh_index(world, box->object);
    if (*navmesh < 0) lwl_raise_at(L, at, "navmesh", "is not in this world, expected one of its navmeshes");
  } else {
    lua_Integer number;
    if (!lwl_to_integer(L, -1, 1, count, &number))
      lwl_raise_expected(L, at, "navmesh",
                         lua_pushfstring(L, "a navmesh of this world or its number, 1 to %d", count), -2);
    *navmesh = (int)number - 1;
  }
  lua_pop(L, 1);
  return true;
}

void lwl_push_navmesh(lua_State *L, int world, int navmesh) {
  lwl_settle_navmeshes(L, lua_touserdata(L, world), world);
  lua_getiuservalue(L, world, LWL_WORLD_NAVMESHES);
  lua_rawgeti(L, -1, navmesh + 1);
  lua_remove(L, -2);
}

/// Push the list of the navmeshes in the definition at index 1. @param[out] objects  [LW_NAVMESHES_MAX]
/// @return How many.
static int push_navmeshes(lua_State *L, const lwl_at *at, const lw_navmesh **objects) {
  const bool one = lwl_get(L, 1, "navmesh") != LUA_TNIL, several = lwl_get(L, 1, "navmeshes") != LUA_TNIL;
  if (one && several) lwl_raise(L, at->where, "navmesh and navmeshes are given, expected one of them");
  if (!several) {
    const lwl_box *box = lwl_test_box(L, -2, LWL_NAVMESH);
    if (!box || !box->object) lwl_raise_expected(L, at, "navmesh", "a navmesh", -2);
    objects[0] = box->object;
    lua_pop(L, 1);
    lua_createtable(L, 1, 0);
    lua_insert(L, -2);
    lua_rawseti(L, -2, 1);
    return 1;
  }
  lua_pop(L, 2);
  const lua_Integer count = lwl_need_list(L, at, 1, "navmeshes", 1);
  if (count > LW_NAVMESHES_MAX)
    lwl_raise_at(L, at, "navmeshes", "is a list of %I, expected at most %d", (LUAI_UACINT)count,
                 LW_NAVMESHES_MAX);
  lua_createtable(L, (int)count, 0);
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, -2, i);
    const lwl_box *box = lwl_test_box(L, -1, LWL_NAVMESH);
    if (!box || !box->object) lwl_raise_item(L, at, "navmeshes", i, "a navmesh", -1);
    objects[i - 1] = box->object;
    lua_rawseti(L, -2, i);
  }
  lua_remove(L, -2);
  return (int)count;
}

/// Push the userdata of a world, which retains the navmeshes in the list at index.
static lwl_world *push_world(lua_State *L, int navmeshes, int log, int count) {
  lwl_world *self = (lwl_world *)lwl_new_box(L, LWL_WORLD, sizeof *self, LWL_WORLD_VALUES, destroy, NULL);
  const int index = lua_gettop(L);
  lua_newtable(L);
  lua_setiuservalue(L, index, LWL_WORLD_AGENTS);
  for (int objects = LWL_WORLD_THREATS; objects <= LWL_WORLD_GROUPS; ++objects) {
    lua_newtable(L);
    luaL_setmetatable(L, LWL_WEAK);
    lua_setiuservalue(L, index, objects);
  }
  lua_pushvalue(L, navmeshes);
  lua_setiuservalue(L, index, LWL_WORLD_NAVMESHES);
  lua_pushvalue(L, log);
  lua_setiuservalue(L, index, LWL_WORLD_LOG);
  lua_createtable(L, 1, 0);
  luaL_setmetatable(L, LWL_WEAK);
  lua_pushvalue(L, index);
  lua_rawseti(L, -2, 1);
  lua_setiuservalue(L, index, LWL_WORLD_WEAK);
  for (int i = 0; i < count; ++i) {
    lua_rawgeti(L, navmeshes, i + 1);
    self->held[self->navmesh_count++].navmesh = lwl_retain(lwl_test_box(L, -1, LWL_NAVMESH)->shared);
    lua_pop(L, 1);
  }
  lua_pushvalue(L, index);
  lwl_register_world(L);
  self->L = L;
  self->calls = lwl_get_calls(L);
  self->reloads = lwl_get_state(L)->reloads;
  self->permutation_reloads = lwl_get_state(L)->permutation_reloads;
  return self;
}

/*
** leeward.world{ navmesh = | navmeshes =, links =, seed =, depth_maps =, sight_budget =, stuck_seconds =, death_danger =,
**   leaf_instructions =, leaf_seconds =, history =, search_work =, threads =, walk_ahead =, log = } --> world
*/
static int world(lua_State *L) {
  static const char *const keys[] = {
      "navmesh",           "navmeshes",     "links",        "seed",    "depth_maps", "sight_budget",
      "leaf_instructions", "stuck_seconds", "death_danger", "history", "log",        "search_work",
      "threads",           "walk_ahead",    "leaf_seconds", NULL};
  const lwl_at at = {"world", ""};
  lua_settop(L, 1);
  lwl_check_table(L, at.where, 1);
  lwl_check_keys(L, &at, 1, keys);
  lw_world_def def = lw_world_def_default();
  lwl_opt_seed(L, &at, 1, &def.seed);
  lwl_opt_float(L, &at, 1, "stuck_seconds", &lwl_seconds_positive, &def.stuck_seconds);
  lwl_opt_int(L, &at, 1, "depth_maps", &maps_range, &def.depth_maps);
  lwl_opt_int(L, &at, 1, "sight_budget", &budget_range, &def.sight_budget);
  lwl_opt_history(L, &at, 1, &def.history);
  lwl_opt_planner(L, &at, 1, &def);
  int leaf_instructions = LEAF_INSTRUCTIONS;
  float leaf_seconds = LEAF_SECONDS;
  lwl_opt_int(L, &at, 1, "leaf_instructions", &instructions_range, &leaf_instructions);
  lwl_opt_float(L, &at, 1, "leaf_seconds", &lwl_seconds_not_negative, &leaf_seconds);
  lwl_opt_death_danger(L, &at, 1, &def.death_danger);
  const lw_navmesh *navmeshes[LW_NAVMESHES_MAX] = {0};
  def.navmesh_count = push_navmeshes(L, &at, navmeshes);
  def.navmeshes = navmeshes;
  const int log = lwl_get(L, 1, "log");
  if (log != LUA_TNIL && log != LUA_TFUNCTION) lwl_raise_expected(L, &at, "log", "a function", 3);
  def.links = lwl_opt_links(L, &at, 1, &def.link_count);
  lwl_world *self = push_world(L, 2, 3, def.navmesh_count);
  self->leaf_limits = (lwl_limits){leaf_instructions, (double)leaf_seconds};
  def.leaf = lwl_run_leaf;
  def.permuted = lwl_run_permuted;
  def.linked = lwl_run_linked;
  def.answered = lwl_run_answered;
  def.user = self;
  if (log == LUA_TFUNCTION) def.logger = (lw_logger){write_log, self};
  lw_world *created = NULL;
  lw_error error = {0};
  if (lw_world_create(&def, &created, &error) != LW_OK) lwl_raise(L, at.where, "%s", error.text);
  lwl_fill_box(&self->box, created);
  return 1;
}

// --- time ----------------------------------------------------------------------------------------------------

static void step_once(lua_State *L, const char *where, float dt) {
  lwl_world *self = lwl_check_world(L, 1, where);
  if (self->inside > 0) lwl_raise(L, where, "called from inside a step or a leaf");
  if (self->calls->has_sandboxes && lwl_is_in_finaliser(L))
    lwl_raise(L, where, "called in a finaliser, where leaves of a sandbox have no limits");
  luaL_checkstack(L, 2 * LUA_MINSTACK, NULL);
  if (self->reloads != lwl_get_state(L)->reloads) {
    lwl_adopt_reloaded(L, self, 1);
    self = lwl_check_world(L, 1, where); /* a finaliser may have destroyed it */
  }
  lwl_adopt_permutations(L, self, 1);
  self = lwl_check_world(L, 1, where);
  if (self->unfinished.rebuilds) {
    lwl_apply_rebuilds(L, self, 1);
    self = lwl_check_world(L, 1, where); /* the same */
  }
  lwl_push_step_tables(L, self);
  lwl_begin_step(self->calls);
  lwl_enter(self, L);
  const lw_status status = lw_world_step(lwl_c_world(self), dt);
  lwl_leave(self);
  lwl_end_step(L, self->calls);
  self->agents_of = NULL;
  lua_pop(L, LWL_STEP_TABLES);
  if (self->has_new_profiles && self->box.object) lwl_adopt_reloaded(L, self, 1);
  lwl_settle_navmeshes(L, self, 1);
  lwl_forget_gone(L, self, 1);
  if (self->calls->first_pending) lwl_close_pending(L, self->calls); /* world:run() returns late */
  if (status != LW_OK) lwl_raise(L, where, "%s", lw_status_text(status));
}

/*
** world:step([dt = 1/60])
*/
static int step(lua_State *L) {
  lwl_refuse_in_sandbox(L, "step");
  lwl_check_world(L, 1, "step");
  double dt = STEP;
  if (!lua_isnoneornil(L, 2)) dt = lwl_check_number(L, &(lwl_at){"step", ""}, "dt", 2, &dt_range);
  step_once(L, "step", (float)dt);
  return 0;
}

/*
** world:run(seconds [, on_step])
** Steps of 1/60 s until at least that time has passed, or the world is destroyed; calls on_step(world) after
** each. Not registered as a call: between steps it holds nothing that a script may not destroy, and a whole game
** may run in it.
*/
static int run(lua_State *L) {
  lwl_refuse_in_sandbox(L, "run");
  lua_settop(L, 3);
  const lwl_world *self = lwl_check_world(L, 1, "run");
  const double seconds = lwl_check_number(L, &(lwl_at){"run", ""}, "seconds", 2, &run_range);
  if (!lua_isnil(L, 3) && !lua_isfunction(L, 3))
    lwl_raise_expected(L, &(lwl_at){"run", ""}, "on_step", "a function", 3);
  // 1.1 * 60 is a little more than 66.
  const int64_t steps = (int64_t)ceil(seconds * 60 - 1e-6);
  for (int64_t i = 0; i < steps; ++i) {
    step_once(L, "run", (float)STEP);
    if (self->box.object && !lua_isnil(L, 3)) {
      lua_pushvalue(L, 3);
      lua_pushvalue(L, 1);
      lua_call(L, 1, 0);
    }
    if (!self->box.object) break;
  }
  return 0;
}

bool lwl_is_step(lua_CFunction function) {
  return function == step || function == run;
}

/*
** world:apply_changes()
** Obstacles and permutations take effect now, not when the next step begins.
*/
static int apply_changes(lua_State *L) {
  lwl_world *self = lwl_check_world(L, 1, "apply_changes");
  if (self->inside > 0) lwl_raise(L, "apply_changes", "called from inside a step or a leaf");
  lwl_adopt_permutations(L, self, 1);
  self = lwl_check_world(L, 1, "apply_changes"); /* a finaliser may have destroyed it */
  lwl_enter(self, L); /* listeners and the log function may not step the world meanwhile */
  const lw_status status = lw_world_apply_changes(lwl_c_world(self));
  lwl_leave(self);
  lwl_settle_navmeshes(L, self, 1);
  lwl_forget_gone(L, self, 1);
  if (status != LW_OK) lwl_raise(L, "apply_changes", "%s", lw_status_text(status));
  return 0;
}

static int world_time(lua_State *L) {
  lua_pushnumber(L, lw_world_time(lwl_c_world(lwl_check_world(L, 1, "time"))));
  return 1;
}

static int steps(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)lw_world_steps(lwl_c_world(lwl_check_world(L, 1, "steps"))));
  return 1;
}

/*
** world:hash() --> 16 hexadecimal digits
*/
static int hash(lua_State *L) {
  char text[17];
  snprintf(text, sizeof text, "%016" PRIx64, lw_world_hash(lwl_c_world(lwl_check_world(L, 1, "hash"))));
  lua_pushstring(L, text);
  return 1;
}

static int memory(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)lw_world_memory(lwl_c_world(lwl_check_world(L, 1, "memory"))));
  return 1;
}

/// Read the number of one of the world's navmeshes. @return Its index; -1: it is beyond the last.
static int read_navmesh_number(lua_State *L, const char *where) {
  const lwl_world *self = lwl_check_world(L, 1, where);
  lua_Integer number = 1;
  if (!lua_isnoneornil(L, 2)) number = lwl_check_integer(L, &(lwl_at){where, ""}, "number", 2);
  return number >= 1 && number <= lw_world_navmesh_count(lwl_c_world(self)) ? (int)number - 1 : -1;
}

/*
** world:navmesh([number = 1]) --> navmesh, or nil
*/
static int navmesh(lua_State *L) {
  const int index = read_navmesh_number(L, "navmesh");
  if (index < 0) return lua_pushnil(L), 1;
  lwl_push_navmesh(L, 1, index);
  return 1;
}

/*
** world:navmesh_version([number = 1]) --> integer, or nil
*/
static int navmesh_version(lua_State *L) {
  const int index = read_navmesh_number(L, "navmesh_version");
  if (index < 0) return lua_pushnil(L), 1;
  const lw_world *world = lwl_c_world(lwl_check_world(L, 1, "navmesh_version"));
  lua_pushinteger(L, (lua_Integer)lw_navmesh_version(lw_world_navmesh_at(world, index)));
  return 1;
}

/*
** world:navmeshes() --> list in the order in which they were given
*/
static int navmeshes(lua_State *L) {
  const int count = lw_world_navmesh_count(lwl_c_world(lwl_check_world(L, 1, "navmeshes")));
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; ++i) {
    lwl_push_navmesh(L, 1, i);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

// --- random numbers ------------------------------------------------------------------------------------------

static float draw(void *user) {
  return lw_random_unit(lw_world_random_stream(user));
}

/*
** world:random([m [, n]]) --> as math.random, from the world's own stream
*/
static int world_random(lua_State *L) {
  return lwl_random(L, "random", draw, lwl_c_world(lwl_check_world(L, 1, "random")));
}

static const luaL_Reg methods[] = {{"destroy", world_destroy},
                                   {"step", step},
                                   {"apply_changes", apply_changes},
                                   {"time", world_time},
                                   {"steps", steps},
                                   {"hash", hash},
                                   {"memory", memory},
                                   {"navmesh", navmesh},
                                   {"random", world_random},
                                   {"navmesh_version", navmesh_version},
                                   {"navmeshes", navmeshes},
                                   {NULL, NULL}};
static const luaL_Reg loops[] = {{"run", run}, {NULL, NULL}};
static const luaL_Reg meta[] = {{"__gc", world_gc}, {"__close", world_destroy}, {NULL, NULL}};
static const luaL_Reg functions[] = {{"world", world}, {NULL, NULL}};

/// Create the metatable of weak lists.
static void new_weak_type(lua_State *L) {
  luaL_newmetatable(L, LWL_WEAK);
  lua_pushliteral(L, "v");
  lua_setfield(L, -2, "__mode");
  lua_pop(L, 1);
}

void lwl_open_world(lua_State *L) {
  new_weak_type(L);
  lwl_new_type(L, LWL_WORLD, methods, meta, NULL);
  luaL_getmetatable(L, LWL_WORLD);
  lua_getfield(L, -1, "__index");
  luaL_setfuncs(L, loops, 0);
  lwl_set_world_methods(L);
  lua_pop(L, 2);
  lwl_set_functions(L, functions, NULL);
}
