/// Budgets of scripts: how many instructions a call may run (budget.c).
#ifndef LWL_BUDGET_H
#define LWL_BUDGET_H

#include "lwl.h"

/// What gives a limit, for messages.
typedef enum lwl_limiter { LWL_WORLD_LIMITS, LWL_SANDBOX_LIMITS } lwl_limiter;

/// How long it takes what runs, looked at once in a while.
typedef struct lwl_watch {
  double seconds; ///< Of processor time that it may take. 0: it is not looked at.
  lwl_limiter of;
  enum { LWL_NOT_SEEN, LWL_SEEN, LWL_SEEN_LONG } state;
  double began; ///< When it was first seen, by lwi_clock().
  double used;  ///< Processor time of the thread when it was first seen to run for half as long.
} lwl_watch;

/// What is left of the instructions that one call of a leaf or listener may run (budget.c).
typedef struct lwl_budget {
  bool counts;
  bool is_endless; ///< Without a limit, until lwl_lower_budget().
  int limit, left;
  lwl_limiter of; ///< That gives `limit`.
  lwl_watch watch;
  const char *function;     ///< For messages: "the leaf's tick".
  char message[256];        ///< When none is left: where that was.
  struct lwl_budget *outer; ///< Of the leaf that steps this leaf's world. NULL: none.
} lwl_budget;

/// Begin to count instructions, in the sandbox that calls->sandbox says.
/// @param limits  Of the world. Those of the sandbox hold as well.
void lwl_begin_budget(lua_State *L, lwl_calls *calls, lwl_budget *budget, const lwl_limits *limits);
/// Begin a budget for a call into the sandbox that calls->sandbox says, of what is left of the one that
/// runs and within the limits of the sandbox.
void lwl_begin_inner_budget(lua_State *L, lwl_calls *calls, lwl_budget *budget);
/// Begin one for the coroutine of a leaf whose world has no limits: a sandbox that it enters may have some.
void lwl_begin_endless_budget(lua_State *L, lwl_calls *calls, lwl_budget *budget);
/// Let the limits of a sandbox hold from now on in the budget that runs. @param budget  NULL: nothing happens.
void lwl_lower_budget(lwl_budget *budget, const lwl_limits *limits);
/// Whether instructions can be counted: no debugger has set a hook.
bool lwl_can_count(lua_State *L);
/// Whether what runs has used up its budget.
static inline bool lwl_is_overrun(const lwl_calls *calls) {
  return calls->budget && calls->budget->left == 0;
}
/// End that. @return What to report, where more were run; else NULL.
const char *lwl_end_budget(lua_State *L, lwl_calls *calls, lwl_budget *budget);
/// A step begins: its leaves leave the hook that counts, and those behind them set it again.
void lwl_begin_step(lwl_calls *calls);
void lwl_end_step(lua_State *L, lwl_calls *calls);
/// Count work of C as instructions. Raises if fewer are left.
void lwl_count_work(lua_State *L, const lwl_calls *calls, int64_t instructions);
/// The same, but raises nothing: the budget ends soon what runs. @param budget  NULL: nothing happens.
void lwl_take_work(lwl_budget *budget, int64_t instructions);
/// Let a coroutine that is about to be resumed count by the budget, from its first instructions on.
void lwl_count_thread(const lwl_calls *calls, lua_State *thread);

/// Bytes of the line that says an error of a listener.
#define LWL_ERROR_LINE 512
/// Call a listener of the world in protected mode, within the budget of a leaf. Allocates nothing in Lua.
/// @param call  Gets the `count` values on top of the stack, which are taken off.
/// @param name  For messages: "the listener to links". @param[out] line  [LWL_ERROR_LINE] What went wrong.
/// @return false: it raised an error, or ran more instructions than it may.
bool lwl_call_listener(lua_State *L, lwl_world *self, lua_CFunction call, int count, const char *name,
                       char *line);

#endif
