/*
** Permutations of a world: named parts of its navmeshes that have several states, and what listens to them.
*/
#include "permutation.h"
#include "profile_layers.h"
#include "sandbox.h"

#include "core/text.h"

#include <string.h>

// --- defining ------------------------------------------------------------------------------------------------

/// The first of the files that says of a state whether a link is used.
/// @param filed  Index of a table of lwl_push_filed().
static const char *find_file(lua_State *L, int filed, const char *state, const char *link) {
  const int top = lua_gettop(L);
  const char *file = NULL;
  for (lua_Integer i = 0; !file && lua_rawgeti(L, filed, LWL_FILED_LAYERS + i) == LUA_TTABLE; ++i) {
    const bool has = lwl_get(L, top + 1, state) == LUA_TTABLE && lwl_get(L, top + 2, "links") == LUA_TTABLE &&
                     lwl_get(L, top + 3, link) != LUA_TNIL;
    lua_rawgeti(L, filed, LWL_FILED_FILES);
    if (has && lua_rawgeti(L, -1, i + 1) == LUA_TSTRING)
      file = lua_tostring(L, -1); /* the list keeps it alive */
    lua_settop(L, top);
  }
  lua_settop(L, top);
  return file;
}

/// Is there no link of that name, by what lw_permutation_check() says of a state that names nothing else?
static bool lacks_link(const lw_world *world, const lw_permutation_def *def, const lw_permutation_link *link) {
  lw_permutation_state_def state = {.name = "state", .links = link, .link_count = 1};
  lw_permutation_def alone = *def;
  alone.states = &state;
  alone.state_count = 1;
  alone.initial = 0;
  return lw_permutation_check(world, &alone, NULL) == LW_NOT_FOUND;
}

/// Raise that a state names a link that the world at index 1 does not have.
/// @param filed  Index of what files say; 0: no file does.
static void check_links(lua_State *L, const lwl_at *at, const lw_permutation_def *def, int filed) {
  for (int i = 0; i < def->state_count; ++i) {
    const lw_permutation_state_def *state = &def->states[i];
    for (int k = 0; k < state->link_count; ++k) {
      const lw_world *world = lwl_c_world(lwl_check_world(L, 1, "permutation"));
      const char *name = state->links[k].name;
      if (!lacks_link(world, def, &state->links[k])) continue;
      const char *file = filed ? find_file(L, filed, state->name, name) : NULL;
      lwl_raise_no_link(L, &(lwl_at){file ? file : at->where, at->prefix},
                        lua_pushfstring(L, "%s.links", lwl_shown(L, state->name)), name);
    }
  }
}

/// What to do with a definition.
typedef enum task { CHECK, DEFINE } task;

/// Check the permutation of that name for the world at index 1, or define it.
/// @param filed  Index of what files say, with their merged table two above. 0: the table at index 3 counts.
/// @return its status.
static lw_status take(lua_State *L, task what, const lwl_at *at, const char *name, int filed, lw_error *error) {
  const int table = filed ? filed + 2 : 3;
  const int top = lua_gettop(L);
  lw_permutation_def def = lw_permutation_def_default();
  def.name = name;
  lwl_push_states(L, at, table, 1, &def);
  def.initial = lwl_find_default(L, at, table, &def);
  // Reading the table may have run a finaliser: the world is checked again.
  lwl_world *self = lwl_check_world(L, 1, "permutation");
  error->status = what == CHECK ? lw_permutation_check(lwl_c_world(self), &def, error)
                                : lw_permutation_define(lwl_c_world(self), &def, error);
  lwl_drop_sources(self);
  if (error->status == LW_NOT_FOUND) check_links(L, at, &def, filed);
  lua_settop(L, top);
  return error->status;
}

/// Set what the world at index got from files by that name to the value on top of the stack, which is popped.
static void set_filed(lua_State *L, int world, const char *name) {
  const int value = lua_gettop(L);
  if (lua_getiuservalue(L, world, LWL_WORLD_PERMUTATIONS) != LUA_TTABLE) {
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, world, LWL_WORLD_PERMUTATIONS);
  }
  lua_pushvalue(L, value);
  lua_setfield(L, -2, name);
  lua_settop(L, value - 1);
}

/// Note that the world at index 1 has what the table at `filed` says.
static void note_used(lua_State *L, int filed) {
  if (lua_rawgeti(L, filed, LWL_FILED_USED) != LUA_TTABLE) {
    lua_newtable(L);
    lua_createtable(L, 0, 1);
    lwl_set_string(L, "__mode", "k");
    lua_setmetatable(L, -2);
    lua_pushvalue(L, -1);
    lua_rawseti(L, filed, LWL_FILED_USED);
  }
  lua_pushvalue(L, 1);
  lua_pushboolean(L, 1);
  lua_rawset(L, -3);
}

/// Define what files say in the world at index 1. The table of lwl_push_filed() is on top of the stack.
static lw_status define_filed(lua_State *L, const char *name, lw_error *error) {
  const int filed = lua_gettop(L);
  lua_rawgeti(L, filed, LWL_FILED_WHERE);
  const lwl_at at = {lua_tostring(L, -1), ""};
  lua_rawgeti(L, filed, LWL_FILED_RESULT);
  if (take(L, DEFINE, &at, name, filed, error) == LW_OK) {
    note_used(L, filed);
    lua_pushvalue(L, filed);
    set_filed(L, 1, name);
  }
  lua_settop(L, filed);
  return error->status;
}

/*
** world:permutation(name, { default =, [state] = { cut =, mark =, obstacles =, links = } }) --> true | nil, message, code
** world:permutation(name) --> the same, as scripts/permutations/NAME.lua say
*/
static int permutation(lua_State *L) {
  const char *where = "permutation";
  lw_error error = {0};
  lwl_check_world(L, 1, where);
  lua_settop(L, 3);
  const char *name = lwl_check_name(L, where, 2);
  if (lua_isnil(L, 3)) {
    if (!lwl_push_filed(L, name)) return lwl_fail_no_permutation(L, name);
    define_filed(L, name, &error);
    lua_rawgeti(L, 4, LWL_FILED_WHERE);
    where = lua_tostring(L, -1);
  } else {
    lwl_check_table(L, where, 3);
    const lwl_at at = {lua_pushfstring(L, "permutation '%s'", lwl_shown(L, name)), ""};
    if (lwl_get(L, 3, "patch") != LUA_TNIL)
      lwl_raise_at(L, &at, "patch", "is %s, expected nil: only files patch", lwl_describe(L, -1));
    if (take(L, DEFINE, &at, name, 0, &error) == LW_OK) {
      lua_pushnil(L);
      set_filed(L, 1, name);
    }
    where = at.where;
  }
  if (error.status != LW_OK) return lwl_fail_or_raise(L, where, &error);
  lua_pushboolean(L, 1);
  return 1;
}

/// In protected mode: define one of the world's permutations again. Arguments: world, name, what files say.
static int define_again(lua_State *L) {
  lw_error error = {0};
  if (define_filed(L, lua_tostring(L, 2), &error) != LW_OK) lwl_raise(L, "permutation", "%s", error.text);
  return 0;
}

/// Whether the world at index still exists and got the permutation of that name from files that have changed.
static bool has_other(lua_State *L, int world, int name, int filed) {
  const int top = lua_gettop(L);
  const lwl_world *self = luaL_testudata(L, world, LWL_WORLD);
  bool has = self && lwl_c_world(self) && lua_getiuservalue(L, world, LWL_WORLD_PERMUTATIONS) == LUA_TTABLE &&
             lua_getfield(L, -1, lua_tostring(L, name)) == LUA_TTABLE && !lua_rawequal(L, -1, filed);
  lua_settop(L, top);
  return has;
}

/// Raise if a world cannot take what files now say. Arguments: world, name, what files say.
static int check_world(lua_State *L) {
  lw_error error = {0};
  lua_rawgeti(L, 3, LWL_FILED_WHERE);
  lua_rawgeti(L, 3, LWL_FILED_RESULT);
  const lwl_at at = {lua_tostring(L, 4), ""};
  if (take(L, CHECK, &at, lua_tostring(L, 2), 3, &error) != LW_OK) lwl_raise(L, at.where, "%s", error.text);
  return 0;
}

int lwl_check_permutations(lua_State *L) {
  lwl_push_registry(L, LWL_REG_PERMUTATIONS);
  const int all = lua_gettop(L), name = all + 2, filed = all + 3, used = all + 4, world = all + 5;
  lwl_push_sorted_keys(L, all);
  for (lua_Integer i = 1; lua_rawgeti(L, all + 1, i) == LUA_TSTRING; ++i) {
    lua_getfield(L, all, lua_tostring(L, name));
    if (lua_istable(L, filed) && lua_rawgeti(L, filed, LWL_FILED_USED) == LUA_TTABLE) {
      lua_pushnil(L);
      while (lua_next(L, used)) {
        lua_pushcfunction(L, check_world);
        lua_pushvalue(L, world);
        lua_pushvalue(L, name);
        lua_pushvalue(L, filed);
        if (has_other(L, world, name, filed)) lua_call(L, 3, 0);
        lua_settop(L, world);
      }
    }
    lua_settop(L, all + 1);
  }
  lua_settop(L, all - 1);
  return 0;
}

/// Define the permutation of that name, on top of the stack, again if it has changed.
/// @param own  Index of the world's table.
static void adopt(lua_State *L, lwl_world *world, int index, int own) {
  const int name = lua_gettop(L);
  lwl_push_registry(L, LWL_REG_PERMUTATIONS);
  lua_getfield(L, name + 1, lua_tostring(L, name));
  lua_getfield(L, own, lua_tostring(L, name));
  if (!lua_istable(L, name + 2) || lua_rawequal(L, name + 2, name + 3)) return;
  lua_pushcfunction(L, define_again);
  lua_pushvalue(L, index);
  lua_pushvalue(L, name);
  lua_pushvalue(L, name + 2);
  if (lua_pcall(L, 3, 0, 0) == LUA_OK || !world->box.object) return;
  world->L = L;
  lw_world_log(lwl_c_world(world), LW_LOG_ERROR, "permutation '%s' stays as it is: %s", lua_tostring(L, name),
               lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "an error without a message");
}

void lwl_adopt_permutations(lua_State *L, lwl_world *world, int index) {
  const int top = lua_gettop(L), own = top + 1, names = top + 2;
  const uint32_t reloads = lwl_get_state(L)->permutation_reloads;
  if (world->permutation_reloads == reloads) return;
  world->permutation_reloads = reloads;
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  if (lua_getiuservalue(L, index, LWL_WORLD_PERMUTATIONS) == LUA_TTABLE) {
    lwl_push_sorted_keys(L, own);
    for (lua_Integer i = 1; world->box.object && lua_rawgeti(L, names, i) == LUA_TSTRING; ++i) {
      adopt(L, world, index, own);
      lua_settop(L, names);
    }
  }
  lua_settop(L, top);
}

// --- states --------------------------------------------------------------------------------------------------

/// Push the list of the names of all permutations of the world at index 1. @return How many.
static lua_Integer push_names(lua_State *L, const char *where) {
  const char *name;
  lua_Integer count = 0;
  lua_newtable(L);
  // A finaliser may define some meanwhile.
  while ((name = lw_permutation_name(lwl_c_world(lwl_check_world(L, 1, where)), (int)count))) {
    lua_pushstring(L, name);
    lua_rawseti(L, -2, ++count);
  }
  return count;
}

/// Names that a message lists.
#define LISTED_MAX 16

/// Raise that there is no such permutation, with a suggestion, or with those that there are.
static _Noreturn void raise_no_permutation(lua_State *L, const lwl_at *at, const char *name) {
  const int top = lua_gettop(L);
  const char *listed[LISTED_MAX + 2] = {NULL};
  lwl_guess guess = {NULL, 0};
  const lua_Integer count = push_names(L, at->where);
  luaL_checkstack(L, LISTED_MAX + LUA_MINSTACK, NULL);
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, top + 1, i);
    const char *known = lua_tostring(L, -1); /* the list keeps it alive */
    lwl_guess_consider(&guess, name, known);
    if (i <= LISTED_MAX + 1) listed[i - 1] = i <= LISTED_MAX ? known : "...";
    lua_pop(L, 1);
  }
  const char *hint = count == 0   ? "; the world has none"
                     : guess.name ? lwl_push_guess(L, &guess)
                                  : lua_pushfstring(L, "; the world has %s", lwl_push_names(L, listed));
  lwl_raise_at(L, at, "name", "is '%s', expected the name of a permutation%s", lwl_shown(L, name), hint);
}

/// Raise that the permutation has no state as at index 3, with those that it has.
static _Noreturn void raise_no_state(lua_State *L, const lwl_at *at, const char *name) {
  const char *states[LW_PERMUTATION_STATES_MAX + 1] = {NULL}, *state;
  luaL_checkstack(L, LW_PERMUTATION_STATES_MAX + LUA_MINSTACK, NULL);
  for (int i = 0; i < LW_PERMUTATION_STATES_MAX; ++i) {
    state = lw_permutation_state_name(lwl_c_world(lwl_check_world(L, 1, at->where)), name, i);
    if (!state) break;
    states[i] = lua_pushstring(L, state);
  }
  if (!states[0])
    lwl_raise_at(L, at, "name", "is '%s', which a loaded file had, expected world:permutation('%s') before",
                 lwl_shown(L, name), lwl_shown(L, name));
  lwl_check_choice(L, at, "state", 3, states);
  lwl_raise(L, at->where, "the definition changed while it was read");
}

/*
** world:set_permutation(name, state)
*/
static int set_permutation(lua_State *L) {
  const lwl_at at = {"set_permutation", ""};
  lw_error error = {0};
  lwl_check_world(L, 1, at.where);
  lua_settop(L, 3);
  const char *name = lwl_check_text(L, &at, "name", "the name of a permutation", 2);
  const char *state = lwl_check_text(L, &at, "state", "the name of a state", 3);
  lw_world *world = lwl_c_world(lwl_check_world(L, 1, at.where));
  const lw_status status = lw_permutation_set(world, name, state, &error);
  if (status == LW_NOT_FOUND && !lw_permutation_state(world, name)) raise_no_permutation(L, &at, name);
  if (status == LW_NOT_FOUND) raise_no_state(L, &at, name);
  if (status != LW_OK) lwl_raise(L, at.where, "%s", lw_status_text(status));
  return 0;
}

/*
** world:permutation_state(name) --> state, whether it has taken effect | nil: there is no such permutation
*/
static int permutation_state(lua_State *L) {
  const lwl_at at = {"permutation_state", ""};
  lwl_check_world(L, 1, at.where);
  lua_settop(L, 2);
  const char *name = lwl_check_text(L, &at, "name", "the name of a permutation", 2);
  const lw_world *world = lwl_c_world(lwl_check_world(L, 1, at.where));
  const char *state = lw_permutation_state(world, name);
  if (!state) return lua_pushnil(L), 1;
  const bool is_applied = lw_permutation_is_applied(world, name);
  lua_pushstring(L, state);
  lua_pushboolean(L, is_applied);
  return 2;
}

/*
** world:permutations() --> list of names in the order in which they were defined
*/
static int permutations(lua_State *L) {
  lwl_check_world(L, 1, "permutations");
  push_names(L, "permutations");
  return 1;
}

/*
** world:permutation_states(name) --> list of names | nil: there is no such permutation
*/
static int permutation_states(lua_State *L) {
  const lw_world *world = lwl_c_world(lwl_check_world(L, 1, "permutation_states"));
  const char *name = luaL_checkstring(L, 2);
  const int count = lw_permutation_state_count(world, name);
  if (!lw_permutation_state(world, name)) return lua_pushnil(L), 1;
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; ++i) {
    lua_pushstring(L, lw_permutation_state_name(world, name, i));
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

// --- listeners -----------------------------------------------------------------------------------------------

/*
** world:on_permutation(f)
** Adds f(name, state), called when a state has taken effect. nil: removes all.
*/
static int on_permutation(lua_State *L) {
  const lwl_at at = {"on_permutation", ""};
  lwl_check_world(L, 1, at.where);
  lua_settop(L, 2);
  if (lua_isnil(L, 2)) {
    lua_setiuservalue(L, 1, LWL_WORLD_LISTENERS);
    return 0;
  }
  if (!lua_isfunction(L, 2)) lwl_raise_expected(L, &at, "f", "a function or nil", 2);
  if (lua_getiuservalue(L, 1, LWL_WORLD_LISTENERS) != LUA_TTABLE) {
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, 1, LWL_WORLD_LISTENERS);
  }
  lua_pushvalue(L, 2);
  lwl_guard_function(L);
  lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
  return 0;
}

/// A state that has taken effect.
typedef struct event {
  const char *name, *state;
} event;

/// In protected mode: call the listener. Arguments: event, listener.
static int call_listener(lua_State *L) {
  const event *call = lua_touserdata(L, 1);
  lua_settop(L, 2);
  lua_pushstring(L, call->name);
  lua_pushstring(L, call->state);
  lua_call(L, 2, 0);
  return 0;
}

/// Call the listener on top of the stack, and log its error. Allocates nothing in Lua itself.
static void run_listener(lua_State *L, lwl_world *self, lw_world *world, event *call) {
  char line[LWL_ERROR_LINE], name[LWL_SHOWN_MAX + 1], state[LWL_SHOWN_MAX + 1];
  lua_pushlightuserdata(L, call);
  lua_insert(L, -2);
  if (lwl_call_listener(L, self, call_listener, 2, "the listener to permutations", line)) return;
  lwi_text_show(name, sizeof name, call->name);
  lwi_text_show(state, sizeof state, call->state);
  lw_world_log(world, LW_LOG_ERROR, "on_permutation, '%s' is '%s': %s", name, state, line);
}

void lwl_run_permuted(void *user, lw_world *world, const char *name, const char *state) {
  lwl_world *self = user;
  lua_State *L = self->L;
  event call = {name, state};
  const int top = lua_gettop(L), index = top + 1, list = top + 2;
  if (self->pending || !lua_checkstack(L, LUA_MINSTACK)) return;
  if (lwl_push_world(L, self) && lua_getiuservalue(L, index, LWL_WORLD_LISTENERS) == LUA_TTABLE) {
    // Without those that listeners add.
    const lua_Integer count = (lua_Integer)lua_rawlen(L, list);
    for (lua_Integer i = 1; i <= count && !self->pending; ++i) {
      lua_settop(L, list);
      lua_getiuservalue(L, index, LWL_WORLD_LISTENERS);
      if (!lua_rawequal(L, -1, list)) break; /* a listener has removed all */
      lua_rawgeti(L, list, i);
      run_listener(L, self, world, &call);
    }
  }
  lua_settop(L, top);
}

const luaL_Reg lwl_permutation_methods[] = {{"permutation", permutation},
                                            {"set_permutation", set_permutation},
                                            {"permutation_state", permutation_state},
                                            {"permutations", permutations},
                                            {"permutation_states", permutation_states},
                                            {"on_permutation", on_permutation},
                                            {NULL, NULL}};
