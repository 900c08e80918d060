/*
** Leaves of trees in Lua, tests of conditions, services and scores: how the executor calls them. No Lua error leaves
** lwl_run_leaf().
*/
#include "agent.h"
#include "leaf.h"
#include "plain.h"
#include "sandbox.h"

#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// Stack of call_leaf().
enum { RUN = 1, WORLD, AGENT, TREE, LEAVES, LEAF, STATES, STATE };

static int call_leaf(lua_State *L);
static int add_place(lua_State *L, bool is_thread);

// --- answers -------------------------------------------------------------------------------------------------

/// Raise at the line where the leaf's function, on top of the stack, is defined.
static _Noreturn void raise_in_function(lua_State *L, const char *message) {
  lua_Debug info;
  if (lwl_sandbox_of_guard(L, -1)) lua_getupvalue(L, -1, 2);
  lua_getinfo(L, ">S", &info);
  luaL_error(L, "%s:%d: %s", info.short_src, info.linedefined, message);
  __builtin_unreachable();
}

static void read_running(lua_State *L, lwl_leaf_run *run, int seconds, int function) {
  run->status = LW_RUNNING;
  lua_rawgeti(L, LEAF, LWL_LEAF_TICK);
  if (!lua_isfunction(L, -1)) {
    lua_pushvalue(L, function);
    raise_in_function(L, "returned 'running', but the leaf has no 'tick'");
  }
  if (lua_isnil(L, seconds)) return;
  const double sleep = lua_type(L, seconds) == LUA_TNUMBER ? lua_tonumber(L, seconds) : -1;
  if (!(sleep >= 0)) {
    const char *got = lwl_describe(L, seconds);
    const char *message = lua_pushfstring(L, "returned 'running', %s, expected seconds to sleep >= 0", got);
    lua_pushvalue(L, function);
    raise_in_function(L, message);
  }
  run->call->wake += sleep;
}

/// Read "success" | "failure", reason | "running", seconds. A leaf's `run` need return nothing: it has succeeded.
static void read_answer(lua_State *L, lwl_leaf_run *run, int answer, int function, bool is_run) {
  const char *text = is_run && lua_isnil(L, answer) ? "success" : lwl_to_text(L, answer);
  if (!text) text = "";
  if (strcmp(text, "success") == 0) {
    run->status = LW_SUCCESS;
  } else if (strcmp(text, "failure") == 0) {
    run->status = LW_FAILURE;
    const int type = lua_type(L, answer + 1);
    if (type > LUA_TNUMBER && type != LUA_TSTRING) {
      const char *got = lwl_describe(L, answer + 1);
      const char *message = lua_pushfstring(L, "returned 'failure', %s, expected the reason as text", got);
      lua_pushvalue(L, function);
      raise_in_function(L, message);
    }
    if (type != LUA_TNIL) luaL_tolstring(L, answer + 1, NULL);
    lw_agent_note_failure(run->of, run->agent, run->call->node,
                          type != LUA_TNIL ? lwl_push_shown(L, -1, LWL_MESSAGE_MAX) : NULL);
  } else if (strcmp(text, "running") == 0 && !is_run) {
    read_running(L, run, answer + 1, function);
  } else {
    const char *expected = is_run ? "'success', 'failure' or nothing" : "'success', 'failure' or 'running'";
    const char *message = lua_pushfstring(L, "returned %s, expected %s", lwl_describe(L, answer), expected);
    lua_pushvalue(L, function);
    raise_in_function(L, message);
  }
}

// --- coroutines ----------------------------------------------------------------------------------------------

static const char threads_key = 't';

/// Push the list of coroutines that have ended and wait for another leaf: of the game's, or of the sandbox.
static void push_threads(lua_State *L, const lwl_sandbox *sandbox) {
  if (sandbox) {
    lwl_push_sandbox(L, sandbox);
    lua_getiuservalue(L, -1, LWL_SANDBOX_THREADS);
    lua_remove(L, -2);
    return;
  }
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &threads_key) == LUA_TTABLE) return;
  lua_pop(L, 1);
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &threads_key);
}

/// The sandbox whose function the `run` of the leaf is. NULL: the game's.
static lwl_sandbox *sandbox_of_run(lua_State *L) {
  lua_rawgeti(L, LEAF, LWL_LEAF_RUN);
  lwl_sandbox *sandbox = lwl_sandbox_of_guard(L, -1);
  lua_pop(L, 1);
  return sandbox;
}

/// Push a coroutine, whose stack counts as memory of the sandbox. NULL: the game's.
static lua_State *push_thread(lua_State *L, lwl_calls *calls, lwl_sandbox *sandbox) {
  push_threads(L, sandbox);
  const lua_Integer count = (lua_Integer)lua_rawlen(L, -1);
  if (count == 0) {
    lua_remove(L, -1);
    return lwl_new_thread(L, calls, sandbox);
  }
  lua_rawgeti(L, -1, count);
  lua_pushnil(L);
  lua_rawseti(L, -3, count);
  lua_remove(L, -2);
  return lua_tothread(L, -1);
}

/// The coroutine at index has ended: another leaf may have it.
static void keep_thread(lua_State *L, int index) {
  index = lua_absindex(L, index);
  push_threads(L, sandbox_of_run(L));
  lua_pushvalue(L, index);
  lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
  lua_pop(L, 1);
}

/// Close the coroutine of a leaf, under the leaf's budget: what it closes may not return. @return As lua_resetthread().
static int close_thread(lua_State *L, const lwl_leaf_run *run, lua_State *thread) {
  lwl_thread_run before;
  lwl_begin_thread(L, run->world->calls, thread, &before);
  const int status = lua_resetthread(thread);
  lwl_end_thread(L, thread, &before, false);
  run->world->L = L;
  return status;
}

/// Raise the error on top of the coroutine's stack, with its place and its callers there, and end the coroutine. A
/// coroutine whose budget is used up stays open until Lua frees it: after an error in a hook, Lua 5.4.4 calls no hook in it
/// any more, so that what it closes would have no limit.
static int raise_from_thread(lua_State *L, const lwl_leaf_run *run, lua_State *thread) {
  if (lwl_is_overrun(run->world->calls)) {
    lua_xmove(thread, L, 1);
    return lua_error(L);
  }
  lua_replace(thread, 1); /* nothing else there is needed */
  lua_settop(thread, 1);
  if (lua_checkstack(thread, LUA_MINSTACK)) add_place(thread, true);
  lua_xmove(thread, L, 1);
  if (close_thread(L, run, thread) != LUA_OK) lua_settop(thread, 0);
  return lua_error(L);
}

/// Resume the coroutine with that many arguments on its stack, under the same budget.
static int resume(lua_State *L, const lwl_leaf_run *run, lua_State *thread, int arguments, int *results) {
  lwl_world *self = run->world;
  lua_State *outer = self->waiting;
  self->waiting = thread;
  lwl_thread_run before;
  lwl_begin_thread(L, self->calls, thread, &before);
  before.budget.function = run->budget->function;
  const int status = lua_resume(thread, L, arguments, results);
  lwl_end_thread(L, thread, &before, status == LUA_YIELD);
  self->waiting = outer;
  self->L = L;
  return status;
}

/// Begin or continue the coroutine of a leaf with `run`.
static void run_thread(lua_State *L, lwl_leaf_run *run) {
  const bool starts = run->call->event == LW_LEAF_START;
  lua_State *thread;
  int arguments = 0, results = 0;
  lua_rawgeti(L, LEAF, LWL_LEAF_RUN);
  const int function = lua_gettop(L);
  if (starts) {
    thread = push_thread(L, run->world->calls, sandbox_of_run(L));
    lua_pushvalue(L, -1);
    lua_rawseti(L, STATES, run->call->node);
    lua_pushvalue(L, function);
    lua_pushvalue(L, AGENT);
    lua_rawgeti(L, LEAF, LWL_LEAF_OPTIONS);
    lua_xmove(L, thread, 3);
    arguments = 2;
  } else {
    lua_pushvalue(L, STATE);
    thread = lua_tothread(L, STATE);
  }
  const int status = resume(L, run, thread, arguments, &results);
  if (status == LUA_YIELD) {
    const double seconds =
        results > 0 && lua_type(thread, -results) == LUA_TNUMBER ? lua_tonumber(thread, -results) : 0;
    lua_pop(thread, results);
    run->status = LW_RUNNING;
    if (seconds > 0) run->call->wake += seconds;
    return;
  }
  if (status != LUA_OK) {
    // No other leaf may get this coroutine: after an error in a hook, Lua 5.4.4 calls no hook in it any more.
    lua_pushboolean(L, 1);
    lua_rawseti(L, STATES, run->call->node);
    raise_from_thread(L, run, thread);
  }
  lua_settop(thread, 2);
  luaL_checkstack(L, 2, NULL);
  lua_xmove(thread, L, 2);
  read_answer(L, run, lua_gettop(L) - 1, function, true);
}

/// Can the coroutine, which waits, serve another leaf once it is closed? Lua 5.4.4 to 5.4.7 closes it with the handler
/// (`errfunc`) of an xpcall() that it waited in, and would call what lies at that place at the next error. So this is for
/// those that wait in functions of Lua, and in guards, which set none; deep ones are not looked through.
static bool leaves_no_handler(lua_State *thread) {
  enum { DEPTH = 32 };
  lua_Debug info;
  if (!lua_checkstack(thread, 1)) return false;
  int level = 1; /* above it, what it waits in */
  for (; level < DEPTH && lua_getstack(thread, level, &info); ++level) {
    lua_getinfo(thread, "f", &info);
    const lua_CFunction function = lua_tocfunction(thread, -1);
    lua_pop(thread, 1);
    if (function && !lwl_is_guard(function)) return false;
  }
  return level < DEPTH;
}

/// The leaf ends: close a coroutine that still waits, and keep it for another leaf.
static void stop_thread(lua_State *L, const lwl_leaf_run *run) {
  lua_State *thread = lua_tothread(L, STATE);
  if (!thread) return;
  // What a script of a sandbox closes would have no limits either.
  if (lwl_is_in_finaliser(L) && (sandbox_of_run(L) || lwl_sandbox_of_thread(L, thread))) return;
  const bool may_serve = lua_status(thread) != LUA_YIELD || leaves_no_handler(thread);
  const int status = close_thread(L, run, thread);
  if (status != LUA_OK) lua_xmove(thread, L, 1);
  if (may_serve) keep_thread(L, STATE);
  if (status != LUA_OK) lua_error(L);
}

// --- calls ---------------------------------------------------------------------------------------------------

/// Push this activation's state, which START creates and STOP removes. A leaf with `run` has its coroutine there.
static void push_state(lua_State *L, const lw_leaf_call *call, bool has_run) {
  if (call->event == LW_LEAF_START) {
    if (has_run)
      lua_pushboolean(L, 1);
    else
      lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_rawseti(L, STATES, call->node);
    return;
  }
  lua_rawgeti(L, STATES, call->node);
  if (call->event != LW_LEAF_STOP) return;
  lua_pushnil(L);
  lua_rawseti(L, STATES, call->node);
}

/// Push the tree that the agent runs: while it is aborted, not the one that was set.
static void push_tree(lua_State *L, const lwl_leaf_run *run) {
  const lwl_agent *agent = lua_touserdata(L, AGENT);
  const bool is_set = agent->tree == lw_agent_tree(run->of, run->agent);
  lua_getiuservalue(L, AGENT, is_set ? LWL_AGENT_TREE : LWL_AGENT_OLD_TREE);
}

/// Call the test of a condition, a service or a score, whose function has only the agent.
static void call_plain(lua_State *L, lwl_leaf_run *run) {
  static const char *const names[] = {[LW_LEAF_TEST] = "the condition's test",
                                      [LW_LEAF_SERVICE] = "the service",
                                      [LW_LEAF_SCORE] = "the score"};
  const lw_leaf_event event = run->call->event;
  run->budget->function = names[event];
  run->call->score = (double)NAN; /* unless it gives one */
  lua_rawgeti(L, LEAF, LWL_LEAF_TICK);
  const int function = lua_gettop(L);
  lua_pushvalue(L, function);
  lua_pushvalue(L, AGENT);
  lua_call(L, 1, 1);
  if (event == LW_LEAF_TEST) run->status = lua_toboolean(L, -1) ? LW_SUCCESS : LW_FAILURE;
  if (event != LW_LEAF_SCORE) return;
  if (lua_type(L, -1) == LUA_TNUMBER) {
    run->call->score = lua_tonumber(L, -1);
  } else if (!lua_isnil(L, -1)) {
    const char *message =
        lua_pushfstring(L, "returned %s, expected a score, or nil for none", lwl_describe(L, -1));
    lua_pushvalue(L, function);
    raise_in_function(L, message);
  }
}

/// In protected mode: call the leaf's function.
static int call_leaf(lua_State *L) {
  static const char *const ends[] = {"success", "failure", "aborted"};
  lwl_leaf_run *run = lua_touserdata(L, RUN);
  const lw_leaf_call *call = run->call;
  if (!lwl_push_agent(L, WORLD, run->agent)) return luaL_error(L, "the agent is unknown");
  push_tree(L, run);
  lua_getiuservalue(L, TREE, 1);
  lua_rawgeti(L, LEAVES, call->leaf & LWL_LEAF_NUMBER);
  if (call->event >= LW_LEAF_TEST) return call_plain(L, run), 0;
  lua_getiuservalue(L, AGENT, LWL_AGENT_STATES);
  const bool has_run = lua_rawgeti(L, LEAF, LWL_LEAF_RUN) == LUA_TFUNCTION;
  lua_pop(L, 1);
  push_state(L, call, has_run);
  if (lua_isnil(L, STATE)) return 0; /* it never began */
  if (has_run && call->event != LW_LEAF_STOP) {
    run->budget->function = "the leaf's run";
    run_thread(L, run);
    return 0;
  }
  run->budget->function = lwl_leaf_function_name(call);
  lwl_push_leaf_function(L, LEAF, call->event);
  const int function = STATE + 1;
  // That of a sandbox cannot run where its world is collected, or the state closed: it would have no limits.
  const bool may_run = !lwl_is_in_finaliser(L) || !lwl_sandbox_of_guard(L, function);
  if (lua_isfunction(L, function) && may_run) {
    lua_pushvalue(L, function);
    lua_pushvalue(L, AGENT);
    lua_rawgeti(L, LEAF, LWL_LEAF_OPTIONS);
    lua_pushvalue(L, STATE);
    if (call->event == LW_LEAF_STOP) {
      if (has_run) { /* the coroutine is the executor's own */
        lua_pop(L, 1);
        lua_newtable(L);
      }
      lua_pushstring(L, ends[call->end]);
      lua_call(L, 4, 0);
    } else {
      lua_call(L, 3, 2);
      read_answer(L, run, function + 1, function, false);
    }
  }
  if (has_run && call->end == LW_END_ABORTED) lwl_end_walk(lua_touserdata(L, AGENT), run->of);
  if (has_run) stop_thread(L, run);
  return 0;
}

// --- errors --------------------------------------------------------------------------------------------------

#define CALLERS ", called from "

/// Does the frame call leaves? Beyond it is the caller of world:step() or world:save(). Leaves that need no function of C
/// around them are called by the step itself.
static bool calls_leaves(lua_State *L, lua_Debug *frame) {
  lua_getinfo(L, "f", frame);
  const lua_CFunction function = lwl_to_function(L, -1);
  lua_pop(L, 1);
  return function && (function == call_leaf || function == lwl_answer_saved || lwl_is_step(function));
}

/// Of a stack. To find a level takes as long as it is deep, so that they are not tried one by one.
static int count_levels(lua_State *L) {
  lua_Debug info;
  int known = 0, beyond = 1; /* levels below `known` are there, `beyond` is not */
  while (lua_getstack(L, beyond, &info)) {
    known = beyond;
    beyond *= 2;
  }
  while (known < beyond - 1) {
    const int middle = known + (beyond - known) / 2;
    if (lua_getstack(L, middle, &info))
      known = middle;
    else
      beyond = middle;
  }
  return beyond;
}

/// The innermost level that calls leaves or listeners, which few others lie below; of a leaf's coroutine, the count of
/// levels. 0: there is none, as of a listener outside of a step.
static int find_end(lua_State *L, bool is_thread) {
  enum { BELOW = 200 };
  lua_Debug info;
  const int count = count_levels(L);
  if (is_thread) return count;
  for (int level = count > BELOW ? count - BELOW : 0; level < count; ++level)
    if (lua_getstack(L, level, &info) && calls_leaves(L, &info)) return level;
  return 0;
}

/// Append to the text on top of the stack the places from which the function at `level` was called, up to the leaf.
static void add_callers(lua_State *L, int level, int end) {
  enum { SHOWN = 6 };
  lua_Debug info;
  for (int shown = 0; shown < SHOWN && level < end && lua_getstack(L, level, &info); ++level) {
    lua_getinfo(L, "Sl", &info);
    if (info.currentline <= 0) continue;
    lua_pushfstring(L, "%s%s:%d", shown++ == 0 ? CALLERS : ", ", info.short_src, info.currentline);
    lua_concat(L, 2);
  }
}

/// Push the table at index 1 as text, one level deep.
static void push_table_text(lua_State *L) {
  enum { SHOWN = 8 };
  lua_pushliteral(L, "{");
  const int text = lua_gettop(L);
  int count = 0;
  for (lua_pushnil(L); count <= SHOWN && lua_next(L, 1); ++count) {
    if (count < SHOWN) {
      const char *value = luaL_tolstring(L, -1, NULL), *key = luaL_tolstring(L, -3, NULL);
      lua_pushfstring(L, "%s%s %s = %s", lua_tostring(L, text), count ? "," : "", key, value);
      lua_replace(L, text);
    }
    lua_settop(L, text + 1);
  }
  lua_pushfstring(L, "%s%s }", lua_tostring(L, text), count > SHOWN ? ", ..." : "");
}

/// Push what the error value at index 1 says.
static const char *push_error_text(lua_State *L) {
  if (lua_istable(L, 1) && luaL_getmetafield(L, 1, "__tostring") == LUA_TNIL)
    push_table_text(L);
  else
    luaL_tolstring(L, 1, NULL);
  return lwl_push_shown(L, -1, LWL_MESSAGE_MAX);
}

/// Turn the error at index 1 into text with its place, and with its callers if a leaf runs.
static int add_place(lua_State *L, bool is_thread) {
  const bool is_text = lua_type(L, 1) == LUA_TSTRING;
  const char *message = push_error_text(L);
  const int end = find_end(L, is_thread);
  lua_Debug info;
  for (int level = 0; (level < end || end == 0) && lua_getstack(L, level, &info); ++level) {
    lua_getinfo(L, "Sl", &info);
    if (info.currentline <= 0) continue;
    const bool has_place =
        strncmp(message, info.short_src, strlen(info.short_src)) == 0 || (is_text && strstr(message, ".lua:"));
    if (has_place)
      lua_pushstring(L, message);
    else
      lua_pushfstring(L, "%s:%d: %s", info.short_src, info.currentline, message);
    add_callers(L, level + 1, end);
    return 1;
  }
  lua_pushstring(L, message);
  return 1;
}

int lwl_add_place(lua_State *L) {
  return add_place(L, false);
}

/// In protected mode: count an error of the leaf. Arguments: run, world, message. Returns how often the leaf has raised
/// it in a row.
static int count_error(lua_State *L) {
  lwl_leaf_run *run = lua_touserdata(L, RUN);
  lua_pushvalue(L, 3);
  const int message = lua_gettop(L);
  if (lua_getiuservalue(L, WORLD, LWL_WORLD_ERRORS) != LUA_TTABLE) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, WORLD, LWL_WORLD_ERRORS);
  }
  const int errors = lua_gettop(L);
  lua_pushfstring(L, "%p:%d", (const void *)lw_agent_tree(run->of, run->agent), run->call->node);
  lua_pushvalue(L, -1);
  if (lua_rawget(L, errors) == LUA_TTABLE) {
    lua_rawgeti(L, -1, 1);
    if (lua_rawequal(L, -1, message)) {
      lua_rawgeti(L, -2, 2);
      const lua_Integer count = lua_tointeger(L, -1) + 1;
      lua_pushinteger(L, count);
      lua_rawseti(L, -4, 2);
      lua_pushinteger(L, count);
      return 1;
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  lua_createtable(L, 2, 0);
  lua_pushvalue(L, message);
  lua_rawseti(L, -2, 1);
  lua_pushinteger(L, 1);
  lua_rawseti(L, -2, 2);
  lua_rawset(L, errors);
  lua_pushinteger(L, 1);
  return 1;
}

/// How often the leaf has raised that error in a row, with this one.
static lua_Integer count_of(lua_State *L, lwl_leaf_run *run, const char *line) {
  const int top = lua_gettop(L);
  lua_Integer count = 1;
  lua_pushcfunction(L, count_error);
  lua_pushlightuserdata(L, run);
  if (lwl_push_world(L, run->world)) {
    lua_pushstring(L, line);
    if (lua_pcall(L, 3, 1, 0) == LUA_OK) count = lua_tointeger(L, -1);
  }
  lua_settop(L, top);
  return count;
}

/// Whether an error that came so often is reported: the first time, the 10th, the 100th, and so on.
static bool is_reported(lua_Integer count) {
  while (count > 1 && count % 10 == 0) count /= 10;
  return count == 1;
}

void lwl_fail_leaf(lua_State *L, lwl_leaf_run *run, const char *message) {
  lw_world *world = run->of;
  run->status = LW_FAILURE;
  if (!message) message = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "an error without a message";
  char line[512], path[256] = "", repeated[48] = "";
  lwi_text_show(line, sizeof line, message);
  const lw_tree *tree = lw_agent_tree(world, run->agent);
  if (tree) lw_tree_node_path(tree, run->call->node, path, sizeof path);
  char *callers = strstr(line, CALLERS), kept = 0;
  if (callers) kept = *callers, *callers = 0;
  lw_agent_note_failure(world, run->agent, run->call->node, line);
  if (callers) *callers = kept;
  const lua_Integer count = count_of(L, run, line);
  if (!is_reported(count)) return;
  if (count > 1) snprintf(repeated, sizeof repeated, " (%lld times)", (long long)count);
  lw_world_log(world, LW_LOG_ERROR, "%s, agent %s, step %llu: %s%s", path, LWL_ID_NAME(run->agent),
               (unsigned long long)lw_world_steps(world), line, repeated);
}

/// In protected mode: read_answer() of the two answers at the end of the stack, behind the leaf.
int lwl_read_leaf_answer(lua_State *L) {
  enum { OF = 2, ANSWER };
  lwl_leaf_run *run = lua_touserdata(L, RUN);
  lua_settop(L, ANSWER + 1);
  lua_settop(L, LEAF); /* where read_answer() looks for the leaf */
  lua_pushvalue(L, OF);
  lua_copy(L, -1, LEAF);
  lwl_push_leaf_function(L, OF, run->call->event);
  lua_pushvalue(L, ANSWER);
  lua_pushvalue(L, ANSWER + 1);
  read_answer(L, run, LEAF + 3, LEAF + 2, false);
  return 0;
}

/// Call the leaf in protected mode and report its error.
static void run_leaf(lua_State *L, lwl_leaf_run *run) {
  lwl_world *self = run->world;
  const int top = lua_gettop(L);
  lua_pushcfunction(L, lwl_add_place);
  lua_pushcfunction(L, call_leaf);
  lua_pushlightuserdata(L, run);
  if (lwl_push_world(L, self)) {
    lwl_budget budget;
    run->budget = &budget;
    lwl_begin_budget(L, self->calls, &budget, &self->leaf_limits);
    const bool good = lua_pcall(L, 2, 0, top + 1) == LUA_OK;
    const char *overrun = lwl_end_budget(L, self->calls, &budget);
    self->L = L;
    if (!good || overrun) lwl_fail_leaf(L, run, overrun);
  }
  lua_settop(L, top);
}

/// The world was destroyed: what runs is stopped, and nothing begins.
static void run_destroyed(lua_State *L, lwl_leaf_run *run) {
  run->status = LW_RUNNING;
  if (run->call->event != LW_LEAF_STOP) return;
  run->status = LW_FAILURE;
  run->world->box.object = run->of;
  run_leaf(L, run);
  run->world->box.object = NULL;
}

lw_node_status lwl_run_leaf(void *user, lw_world *world, lw_agent_id agent, lw_leaf_call *call) {
  lwl_world *self = user;
  lua_State *L = self->L;
  lwl_leaf_run run = {.world = self, .of = world, .agent = agent, .call = call, .status = LW_FAILURE};
  const bool is_saved = call->event >= LW_LEAF_SAVE;
  if (!is_saved && !self->pending && lwl_call_leaf_directly(L, &run)) return run.status;
  if (!lua_checkstack(L, LUA_MINSTACK)) return LW_FAILURE;
  // A script in a sandbox may have called what runs this leaf, such as agent:set_tree().
  lwl_sandbox *sandbox = lwl_leave_sandbox(L, self->calls);
  if (is_saved)
    run.status = lwl_run_saved_leaf(self, world, agent, call);
  else if (!self->pending)
    run_leaf(L, &run);
  else
    run_destroyed(L, &run);
  if (sandbox) lwl_set_sandbox(L, self->calls, sandbox);
  return run.status;
}
