/*
** Reload: reads edited files of profiles, areas, permutations, trees and modules again while worlds run. The new tables
** are built beside the current ones and replace them only if all files are correct. Worlds get them at their next step.
*/
#include "agent.h"
#include "permutation.h"
#include "profile_layers.h"
#include "sandbox.h"
#include "scripts.h"

#include <string.h>

// --- replacing tables ----------------------------------------------------------------------------------------

static const lwl_registry replaced[] = {LWL_REG_FILES, LWL_REG_PROFILES, LWL_REG_MATERIALS,
                                        LWL_REG_PERMUTATIONS};
enum { REPLACED = sizeof replaced / sizeof *replaced };

/// The replaced data. Its tables are on the stack, the first at `tables`.
typedef struct replaced_data {
  int tables;
  lw_area_table *areas;
  const lw_area_table *before; ///< A copy of `areas`.
  lw_gset_rule codes[LWL_CODES];
} replaced_data;

/// Push a copy of the state's areas, with the same ids.
static lw_area_table *push_areas_copy(lua_State *L) {
  const lw_area_table *areas = lwl_get_state(L)->areas;
  lwl_box *box = lwl_new_box(L, LWL_AREAS, sizeof *box, 0, (void (*)(void *))lw_area_table_destroy, NULL);
  lw_area_table *copy = NULL;
  if (lw_area_table_create(NULL, &copy) != LW_OK) luaL_error(L, "not enough memory");
  lwl_fill_box(box, copy);
  for (int id = 1; id <= lw_area_table_count(areas); ++id) {
    lw_area_def def = *lw_area_table_get(areas, (lw_area_id)id);
    if (lw_area_table_set(copy, &def, NULL, NULL) != LW_OK) luaL_error(L, "not enough memory");
  }
  return copy;
}

/// Push a copy of LWL_REG_PROFILES with the layers of scripts, without those of files.
static void push_without_files(lua_State *L, int profiles) {
  lua_newtable(L);
  const int copy = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, profiles)) {
    lua_pushvalue(L, -2);
    lua_newtable(L);
    lwl_get(L, copy + 2, "script");
    lua_setfield(L, -2, "script");
    lua_rawset(L, copy);
    lua_settop(L, copy + 1);
  }
}

/// Push two copies of the areas and the current tables, and replace them by a copy and new tables.
static replaced_data replace_data(lua_State *L) {
  lwl_state *state = lwl_get_state(L);
  replaced_data old = {.areas = state->areas};
  memcpy(old.codes, state->codes, sizeof old.codes);
  lw_area_table *areas = push_areas_copy(L);
  old.before = push_areas_copy(L);
  old.tables = lua_gettop(L) + 1;
  for (int i = 0; i < REPLACED; ++i) lwl_push_registry(L, replaced[i]);
  lua_newtable(L);
  push_without_files(L, old.tables + 1);
  lua_newtable(L);
  lua_newtable(L);
  for (int i = REPLACED - 1; i >= 0; --i) lwl_set_registry(L, replaced[i]);
  lua_pushvalue(L, old.tables);
  lwl_set_registry(L, LWL_REG_OLD_FILES);
  state->areas = areas;
  return old;
}

/// Put the replaced tables back.
static void restore_data(lua_State *L, const replaced_data *old) {
  lwl_state *state = lwl_get_state(L);
  for (int i = 0; i < REPLACED; ++i) {
    lua_pushvalue(L, old->tables + i);
    lwl_set_registry(L, replaced[i]);
  }
  memcpy(state->codes, old->codes, sizeof old->codes);
}

// --- reading -------------------------------------------------------------------------------------------------

/// Push the sorted list of the files that are new, removed or changed.
static void push_changed(lua_State *L, int old_files) {
  const int top = lua_gettop(L), now = top + 1, changed = top + 2;
  lwl_push_registry(L, LWL_REG_FILES);
  lua_newtable(L);
  lua_pushnil(L);
  while (lua_next(L, now)) {
    lua_getfield(L, old_files, lua_tostring(L, -2));
    if (!lua_rawequal(L, -1, -2)) lua_pushboolean(L, 1), lua_setfield(L, changed, lua_tostring(L, -4));
    lua_settop(L, changed + 1);
  }
  lua_pushnil(L);
  while (lua_next(L, old_files)) {
    const bool good = lwl_get(L, -1, "good") != LUA_TNIL;
    if (good && lwl_get(L, now, lua_tostring(L, changed + 1)) == LUA_TNIL)
      lua_pushboolean(L, 1), lua_setfield(L, changed, lua_tostring(L, changed + 1));
    lua_settop(L, changed + 1);
  }
  lwl_push_sorted_keys(L, changed);
  lua_replace(L, now);
  lua_settop(L, now);
}

/// In protected mode: read and check all files that are in use. Arguments: the replaced files, profiles
/// and permutations, and the plan of scripts. Returns the list of the data files that differ.
static int read_all(lua_State *L) {
  lwl_load_areas(L);
  lwl_push_sorted_keys(L, 2); /* sorted: the first error is the same every time */
  const int names = lua_gettop(L);
  for (lua_Integer i = 1; lua_rawgeti(L, names, i) == LUA_TSTRING; ++i) {
    const char *name = lua_tostring(L, -1);
    if (!lwl_push_layers(L, name)) {
      const char *roots = lwl_push_roots(L);
      lwl_raise(L, lua_pushfstring(L, "profile '%s'", name),
                "file is removed; looked for scripts/profiles/%s.lua in %s", name, roots);
    }
    lwl_push_chain(L, -1, name);
    lwl_push_resolved(L, -1);
    const int resolved = lua_gettop(L);
    lwl_push_compiled(L, lua_pushfstring(L, "profile '%s'", name), resolved, name, true);
    lua_settop(L, names);
  }
  lwl_read_permutations(L, 3);
  lwl_reload_scripts(L, 4);
  push_changed(L, 1);
  return 1;
}

static bool is_same_area(const lw_area_def *a, const lw_area_def *b) {
  return b && a->type == b->type && a->resistance == b->resistance && a->exposure == b->exposure &&
         a->concealment == b->concealment && a->deep_water == b->deep_water && a->unsafe == b->unsafe &&
         a->speed == b->speed && a->cover == b->cover && a->color == b->color;
}

/// Copy the definitions of `copy` to the state's areas. New areas first: only adding can fail, and nothing uses
/// the new ones yet.
static lw_status take_areas(lua_State *L, const lw_area_table *copy) {
  lw_area_table *areas = lwl_get_state(L)->areas;
  const int count = lw_area_table_count(copy);
  for (int id = lw_area_table_count(areas) + 1; id <= count; ++id) {
    const lw_status status = lw_area_table_set(areas, lw_area_table_get(copy, (lw_area_id)id), NULL, NULL);
    if (status != LW_OK) return status;
  }
  for (int id = 1; id <= count; ++id) {
    const lw_area_def *def = lw_area_table_get(copy, (lw_area_id)id);
    if (!is_same_area(def, lw_area_table_get(areas, (lw_area_id)id))) lw_area_table_set(areas, def, NULL, NULL);
  }
  return LW_OK;
}

/// Count the changes by the list of files on top of the stack.
static void count_changes(lua_State *L, lwl_state *state) {
  bool permutations = false, others = false;
  for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TSTRING; ++i) {
    const bool is_permutation = lwl_is_permutation_file(lua_tostring(L, -1));
    permutations |= is_permutation;
    others |= !is_permutation;
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  state->permutation_reloads += permutations;
  state->profile_generation += others;
}

/// Count a reload for the agents if profiles or areas have changed since the last one.
static void count_reload(lwl_state *state) {
  const uint32_t areas = lw_area_table_version(state->areas);
  if (state->reloaded_profiles == state->profile_generation && state->reloaded_areas == areas) return;
  state->reloaded_profiles = state->profile_generation;
  state->reloaded_areas = areas;
  ++state->reloads;
}

/*
** leeward.reload() --> list of the files that differ | nil, message, code
*/
static int reload(lua_State *L) {
  enum { PLAN = 1 };
  lua_settop(L, 0);
  luaL_checkstack(L, 2 * LUA_MINSTACK, NULL);
  lwl_state *state = lwl_get_state(L);
  lua_newtable(L);
  const replaced_data old = replace_data(L);
  const int files = lua_gettop(L) + 1;
  const lw_area_table *areas = state->areas;
  lua_pushcfunction(L, read_all);
  lua_pushvalue(L, old.tables);
  lua_pushvalue(L, old.tables + 1);
  lua_pushvalue(L, old.tables + 3);
  lua_pushvalue(L, PLAN);
  bool good = lua_pcall(L, 4, 1, 0) == LUA_OK;
  state->areas = old.areas;
  lua_newtable(L);
  lwl_set_registry(L, LWL_REG_OLD_FILES);
  const bool scripts = good && lwl_has_edited_scripts(L, PLAN);
  if (good && !scripts && lua_rawlen(L, files) == 0) return restore_data(L, &old), count_reload(state), 1;
  if (good && take_areas(L, areas) != LW_OK) {
    good = false;
    lua_pushstring(L, "not enough memory");
  }
  if (good) {
    lua_pushcfunction(L, lwl_check_permutations);
    good = lua_pcall(L, 0, 0, 0) == LUA_OK;
    if (!good) take_areas(L, old.before); /* as it adds none, it does not fail */
  }
  if (!good) {
    restore_data(L, &old);
    lwl_undo_scripts(L, PLAN);
    const char *message = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "an error without a message";
    return lwl_fail(L, LW_BAD_FILE, luaL_gsub(L, message, "\n\t", " ")); /* as `require` breaks lines */
  }
  lua_settop(L, files);
  count_changes(L, state);
  if (scripts) {
    lwl_take_scripts(L, PLAN, files);
    ++state->profile_generation; /* a script may have defined profiles again */
  }
  count_reload(state);
  lua_settop(L, files);
  return 1;
}

/*
** world:reload() --> the same, which it also writes to the world's log
*/
static int world_reload(lua_State *L) {
  lwl_refuse_in_sandbox(L, "reload");
  lwl_world *world = lwl_check_world(L, 1, "reload");
  lua_settop(L, 1);
  lua_pushcfunction(L, reload);
  lua_call(L, 0, 3);
  world = lwl_check_world(L, 1, "reload"); /* a finaliser may have destroyed it */
  if (lua_isnil(L, 2)) {
    lw_world_log(lwl_c_world(world), LW_LOG_ERROR, "not reloaded, the previous data stay in use: %s",
                 lua_tostring(L, 3));
    return 3;
  }
  for (lua_Integer i = 1; lua_rawgeti(L, 2, i) == LUA_TSTRING; ++i) {
    lw_world_log(lwl_c_world(world), LW_LOG_INFO, "reloaded %s", lua_tostring(L, -1));
    lua_pop(L, 1);
  }
  lua_settop(L, 2);
  return 1;
}

// --- agents --------------------------------------------------------------------------------------------------

/// In protected mode: push the current profile for the options that an agent was spawned with. Arguments:
/// world, agent.
static int push_current_profile(lua_State *L) {
  const lwl_at at = {"reload", ""};
  lwl_push_agent_recipe(L, &at, 2, 0);
  lwl_push_profile(L, &at, -1);
  return 1;
}

/// The same for its journey.
static int push_current_journey(lua_State *L) {
  const lwl_at at = {"reload", ""};
  lua_getiuservalue(L, 2, LWL_AGENT_JOURNEY);
  lwl_push_journey(L, &at, 2, lua_gettop(L));
  return 1;
}

/// Push what one of these pushes for the agent at index. @param what  For the log, which has what is wrong.
/// @return Its box. NULL: something is wrong, or the world was destroyed.
static const lwl_box *push_current(lua_State *L, lwl_world *world, int index, int agent, lua_CFunction push,
                                   const char *what) {
  lua_pushcfunction(L, push);
  lua_pushvalue(L, index);
  lua_pushvalue(L, agent);
  const bool good = lua_pcall(L, 2, 1, 0) == LUA_OK;
  if (!world->box.object) return NULL; /* a finaliser destroyed it */
  world->L = L;
  if (good) return lwl_test_box(L, -1, LWL_PROFILE);
  const lwl_agent *of = lua_touserdata(L, agent);
  lw_world_log(lwl_c_world(world), LW_LOG_ERROR, "agent %s keeps %s: %s", LWL_ID_NAME(of->id), what,
               lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "an error without a message");
  return NULL;
}

/// Give the journey of the agent at index its current profile: that of its options over the agent's own. Leaves values
/// on the stack.
static void adopt_journey(lua_State *L, lwl_world *world, int index, int agent, lwl_hold *hold) {
  lw_agent_state state;
  if (!hold->journey || lw_agent_get_state(lwl_c_world(world), hold->agent, &state) != LW_OK || !state.journey)
    return;
  const lwl_box *box = push_current(L, world, index, agent, push_current_journey, "the profile of its journey");
  if (!box || box->shared == hold->journey) return;
  if (lw_agent_set_journey_profile(lwl_c_world(world), hold->agent, box->object) == LW_OK)
    lwl_hold_journey(hold, box);
}

/// Give the agent of the hold its current profile, and its journey. Leaves values on the stack.
static void adopt(lua_State *L, lwl_world *world, int index, lwl_hold *hold) {
  const lw_agent_id id = hold->agent;
  hold->has_new_profile = false;
  if (!lwl_push_agent(L, index, id)) return;
  const int agent = lua_gettop(L);
  adopt_journey(L, world, index, agent, hold);
  if (!world->box.object) return;
  const lwl_box *box = push_current(L, world, index, agent, push_current_profile, "its profile");
  if (!box || hold->profile == box->shared) return;
  lwl_shared *old = hold->profile;
  if (lw_agent_set_profile(lwl_c_world(world), id, box->object) != LW_OK) return;
  hold->profile = lwl_retain(box->shared);
  lwl_release(old);
  lua_setiuservalue(L, agent, LWL_AGENT_PROFILE);
}

void lwl_adopt_profile(lua_State *L, lwl_world *world, int index, lwl_hold *hold) {
  const int top = lua_gettop(L);
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  lwl_enter(world, L);
  adopt(L, world, lua_absindex(L, index), hold);
  lwl_leave(world);
  lua_settop(L, top);
}

void lwl_adopt_reloaded(lua_State *L, lwl_world *world, int index) {
  const int top = lua_gettop(L);
  index = lua_absindex(L, index);
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  const bool all = world->reloads != lwl_get_state(L)->reloads;
  world->reloads = lwl_get_state(L)->reloads;
  world->has_new_profiles = false;
  lwl_enter(world, L); /* keeps all holds meanwhile */
  for (lwl_hold *hold = world->first_hold, *next; world->box.object && hold; hold = next) {
    if (all || hold->has_new_profile) adopt(L, world, index, hold);
    lua_settop(L, top);
    if (all && world->box.object) lwl_adopt_tree(L, world, index, hold);
    lua_settop(L, top);
    next = world->box.object ? hold->next : NULL;
  }
  lwl_leave(world);
  if (world->box.object) lwl_forget_gone(L, world, index);
}

static const luaL_Reg functions[] = {{"reload", reload}, {NULL, NULL}};
const luaL_Reg lwl_reload_methods[] = {{"reload", world_reload}, {NULL, NULL}};

void lwl_open_reload(lua_State *L) {
  lwl_set_functions(L, functions, NULL);
}
