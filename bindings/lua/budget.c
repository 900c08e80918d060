/*
** The budget of a leaf or listener: how many instructions of Lua one call of it may run. A count hook takes them
** off, so that the same function ends at the same place in each run.
**
** The work of one instruction has no limit: a comparison of long strings, a call with 100,000 arguments. So the hook also
** looks at a clock, and ends what has taken far longer than those instructions do. That is the last resort, and does not
** repeat: its limit has to be such that what does ordinary work never comes to it.
*/
#include "budget.h"
#include "core/platform.h"
#include "core/text.h"
#include "sandbox.h"
#include "tree.h"

#include <limits.h>
#include <stdio.h>

/// Instructions between two calls of the hook: coroutines of a leaf count by themselves.
/// The second is for those of a sandbox.
enum { SLICE = 1000, THREAD_SLICE = 100 };

/// Work of C, in instructions, at which the clock is looked at.
enum { WORK_SEEN = 100 };

static int slice_of(const lwl_calls *calls, const lwl_budget *budget) {
  const int slice = calls->sandbox ? lwl_sandbox_slice(calls->sandbox, SLICE) : SLICE;
  return budget->left < slice ? budget->left : slice;
}

// --- the clock -----------------------------------------------------------------------------------------------

/// Whether it takes too long. Time in which the thread did not run, as at a breakpoint or on a machine that is
/// suspended, does not count: so processor time, which takes longer to ask for, decides in the end.
static bool is_late(lwl_watch *watch) {
  if (!(watch->seconds > 0)) return false;
  const double now = lwi_clock();
  if (watch->state == LWL_NOT_SEEN) {
    watch->state = LWL_SEEN;
    watch->began = now;
    return false;
  }
  const double passed = now - watch->began;
  if (passed < watch->seconds / 2) return false;
  const double used = lwi_thread_clock();
  if (watch->state == LWL_SEEN) {
    watch->state = LWL_SEEN_LONG;
    watch->used = used;
  }
  return passed >= watch->seconds && used - watch->used >= watch->seconds / 2;
}

// --- instructions --------------------------------------------------------------------------------------------

static void note_place(lua_State *L, lua_Debug *frame, lwl_budget *budget) {
  static const char *const counts[] = {"the world's leaf_instructions", "the sandbox's instructions"},
                           *const times[] = {"the world's leaf_seconds", "the sandbox's seconds"};
  for (int level = 1; lua_getinfo(L, "Sl", frame) && frame->currentline < 0 && lua_getstack(L, level, frame);
       ++level)
    ; /* a function of C has no place */
  const size_t size = sizeof budget->message;
  if (budget->left > 0)
    snprintf(budget->message, size, "%s:%d: %s did not return within %g s, %s", frame->short_src,
             frame->currentline, budget->function, budget->watch.seconds, times[budget->watch.of]);
  else
    snprintf(budget->message, size, "%s:%d: %s did not return within %d instructions, %s", frame->short_src,
             frame->currentline, budget->function, budget->limit, counts[budget->of]);
}

static void count(lua_State *L, lua_Debug *frame);

/// @param frame  What runs.
static _Noreturn void raise_overrun(lua_State *L, lua_Debug *frame, lwl_budget *budget) {
  if (!budget->message[0]) note_place(L, frame, budget);
  budget->left = 0;
  // A pcall() in the leaf may catch the error: with a count of 1, the next instruction raises it again.
  lua_sethook(L, count, LUA_MASKCOUNT, 1);
  lua_pushstring(L, budget->message);
  lua_error(L);
  __builtin_unreachable();
}

static void count(lua_State *L, lua_Debug *frame) {
  const lwl_calls *calls = lwl_get_calls(L);
  lwl_budget *budget = calls->budget;
  if (!budget) return; /* a coroutine created in a leaf runs outside of leaves */
  const int ran = lua_gethookcount(L);
  lwl_take_work(budget, ran);
  if (budget->left == 0 || is_late(&budget->watch)) raise_overrun(L, frame, budget);
  const int slice = slice_of(calls, budget);
  if (ran != slice) lua_sethook(L, count, LUA_MASKCOUNT, slice);
}

void lwl_take_work(lwl_budget *budget, int64_t instructions) {
  if (!budget) return;
  budget->left = instructions < budget->left ? budget->left - (int)instructions : 0;
  if (budget->left == 0 && budget->is_endless) budget->left = budget->limit;
}

void lwl_count_work(lua_State *L, const lwl_calls *calls, int64_t instructions) {
  if (calls->sandbox && lwl_is_in_finaliser(L)) return; /* it is the game's */
  lwl_budget *budget = calls->budget;
  if (!budget) return;
  if (instructions > 0) lwl_take_work(budget, instructions);
  if (budget->left > 0 && !(instructions >= WORK_SEEN && is_late(&budget->watch))) return;
  lua_Debug frame;
  lua_getstack(L, 0, &frame);
  raise_overrun(L, &frame, budget);
}

void lwl_count_thread(const lwl_calls *calls, lua_State *thread) {
  if (!calls->budget) return;
  const int slice = slice_of(calls, calls->budget);
  lua_sethook(thread, count, LUA_MASKCOUNT, slice > 0 && slice < THREAD_SLICE ? slice : THREAD_SLICE);
}

// --- budgets -------------------------------------------------------------------------------------------------

bool lwl_can_count(lua_State *L) {
  const lua_Hook hook = lua_gethook(L);
  return !hook || hook == count;
}

static void lower(lwl_budget *budget, const lwl_limits *limits, lwl_limiter of) {
  if (limits->instructions < budget->left || budget->is_endless) {
    budget->limit = budget->left = limits->instructions;
    budget->of = of;
    budget->is_endless = false;
  }
  const double seconds = limits->seconds;
  if (seconds > 0 && (seconds < budget->watch.seconds || !(budget->watch.seconds > 0)))
    budget->watch = (lwl_watch){.seconds = seconds, .of = of};
}

void lwl_lower_budget(lwl_budget *budget, const lwl_limits *limits) {
  if (budget) lower(budget, limits, LWL_SANDBOX_LIMITS);
}

/// The hook of a debugger stays, and there is no budget.
static bool begin(lua_State *L, const lwl_calls *calls, lwl_budget *budget) {
  budget->counts = lwl_can_count(L);
  if (!budget->counts) return false;
  budget->function = "the leaf's function"; /* until it is known */
  budget->message[0] = 0;
  budget->outer = calls->budget;
  budget->watch.seconds = 0;
  budget->is_endless = true;
  budget->limit = budget->left = INT_MAX;
  return true;
}

static void start(lua_State *L, lwl_calls *calls, lwl_budget *budget) {
  calls->budget = budget;
  lua_sethook(L, count, LUA_MASKCOUNT, slice_of(calls, budget));
}

void lwl_begin_budget(lua_State *L, lwl_calls *calls, lwl_budget *budget, const lwl_limits *limits) {
  budget->counts = false;
  if ((limits->instructions == 0 && !calls->sandbox) || !begin(L, calls, budget)) return;
  if (limits->instructions > 0) lower(budget, limits, LWL_WORLD_LIMITS);
  if (calls->sandbox) lower(budget, &calls->sandbox->limits, LWL_SANDBOX_LIMITS);
  start(L, calls, budget);
}

void lwl_begin_inner_budget(lua_State *L, lwl_calls *calls, lwl_budget *budget) {
  budget->counts = false;
  if (!begin(L, calls, budget)) return;
  const lwl_budget *outer = calls->budget;
  budget->function = outer ? outer->function : "the script";
  if (outer && !outer->is_endless) {
    const lwl_limits rest = {outer->left > 0 ? outer->left : 1, outer->watch.seconds};
    lower(budget, &rest, outer->of);
    budget->limit = outer->limit; /* for messages */
    budget->watch.of = outer->watch.of;
  }
  lower(budget, &calls->sandbox->limits, LWL_SANDBOX_LIMITS);
  start(L, calls, budget);
}

void lwl_begin_endless_budget(lua_State *L, lwl_calls *calls, lwl_budget *budget) {
  if (begin(L, calls, budget)) start(L, calls, budget);
}

void lwl_begin_step(lwl_calls *calls) {
  calls->steps += 1;
}

void lwl_end_step(lua_State *L, lwl_calls *calls) {
  calls->steps -= 1;
  if (calls->steps == 0 && !calls->budget && lua_gethook(L) == count) lua_sethook(L, NULL, 0, 0);
}

const char *lwl_end_budget(lua_State *L, lwl_calls *calls, lwl_budget *budget) {
  if (!budget->counts) return NULL;
  calls->budget = budget->outer;
  if (lua_gethook(L) == count) {
    if (budget->outer)
      lua_sethook(L, count, LUA_MASKCOUNT, budget->outer->left > 0 ? slice_of(calls, budget->outer) : 1);
    else if (calls->steps == 0)
      lua_sethook(L, NULL, 0, 0);
  }
  return budget->message[0] ? budget->message : NULL;
}

bool lwl_call_listener(lua_State *L, lwl_world *self, lua_CFunction call, int count, const char *name,
                       char *line) {
  const int base = lua_gettop(L) - count;
  lwl_budget budget;
  lwl_sandbox *sandbox = lwl_leave_sandbox(L, self->calls);
  lua_pushcfunction(L, lwl_add_place);
  lua_insert(L, base + 1);
  lua_pushcfunction(L, call);
  lua_insert(L, base + 2);
  lwl_begin_budget(L, self->calls, &budget, &self->leaf_limits);
  budget.function = name;
  const bool good = lua_pcall(L, count, 0, base + 1) == LUA_OK;
  const char *message = lwl_end_budget(L, self->calls, &budget);
  self->L = L;
  if (!good && !message)
    message = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "an error without a message";
  if (message) lwi_text_show(line, LWL_ERROR_LINE, message);
  lua_settop(L, base);
  if (sandbox) lwl_set_sandbox(L, self->calls, sandbox);
  return !message;
}
