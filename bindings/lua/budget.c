/*
** The budget of a leaf or listener: how many instructions of Lua one call of it may run. A count hook takes them
** off, so that the same function ends at the same place in each run.
*/
#include "budget.h"
#include "core/text.h"
#include "tree.h"

#include <stdio.h>

/// Instructions between two calls of the hook: coroutines of a leaf count by themselves.
/// The second is for those of a sandbox.
enum { SLICE = 1000, THREAD_SLICE = 100 };

static int slice_of(const lwl_budget *budget) {
  return budget->left < SLICE ? budget->left : SLICE;
}

static void note_place(lua_State *L, lua_Debug *frame, lwl_budget *budget) {
  for (int level = 1; lua_getinfo(L, "Sl", frame) && frame->currentline < 0 && lua_getstack(L, level, frame);
       ++level)
    ; /* a function of C has no place */
  snprintf(budget->message, sizeof budget->message, "%s:%d: %s did not return within %d instructions, %s",
           frame->short_src, frame->currentline, budget->function, budget->limit, budget->setting);
}

static void count(lua_State *L, lua_Debug *frame);

/// @param frame  What runs.
static _Noreturn void raise_overrun(lua_State *L, lua_Debug *frame, lwl_budget *budget) {
  if (!budget->message[0]) note_place(L, frame, budget);
  // A pcall() in the leaf may catch the error: with a count of 1, the next instruction raises it again.
  lua_sethook(L, count, LUA_MASKCOUNT, 1);
  lua_pushstring(L, budget->message);
  lua_error(L);
  __builtin_unreachable();
}

static void count(lua_State *L, lua_Debug *frame) {
  lwl_budget *budget = lwl_get_calls(L)->budget;
  if (!budget) return; /* a coroutine created in a leaf runs outside of leaves */
  const int ran = lua_gethookcount(L);
  budget->left = ran < budget->left ? budget->left - ran : 0;
  if (budget->left == 0) raise_overrun(L, frame, budget);
  if (ran != slice_of(budget)) lua_sethook(L, count, LUA_MASKCOUNT, slice_of(budget));
}

void lwl_take_work(lwl_budget *budget, int64_t instructions) {
  if (budget) budget->left = instructions < budget->left ? budget->left - (int)instructions : 0;
}

void lwl_count_work(lua_State *L, const lwl_calls *calls, int64_t instructions) {
  lwl_budget *budget = calls->budget;
  if (!budget) return;
  if (instructions < budget->left) {
    if (instructions > 0) budget->left -= (int)instructions;
    return;
  }
  budget->left = 0;
  lua_Debug frame;
  lua_getstack(L, 0, &frame);
  raise_overrun(L, &frame, budget);
}

void lwl_count_thread(const lwl_calls *calls, lua_State *thread) {
  if (calls->budget) lua_sethook(thread, count, LUA_MASKCOUNT, THREAD_SLICE);
}

void lwl_begin_budget(lua_State *L, lwl_calls *calls, lwl_budget *budget, int limit) {
  const lua_Hook hook = lua_gethook(L);
  // The hook of a debugger stays, and there is no budget.
  budget->counts = limit > 0 && (!hook || hook == count);
  if (!budget->counts) return;
  budget->function = "the leaf's function"; /* until it is known */
  budget->setting = "the world's leaf_instructions";
  budget->message[0] = 0;
  budget->limit = budget->left = limit;
  budget->outer = calls->budget;
  calls->budget = budget;
  lua_sethook(L, count, LUA_MASKCOUNT, slice_of(budget));
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
      lua_sethook(L, count, LUA_MASKCOUNT, budget->outer->left > 0 ? slice_of(budget->outer) : 1);
    else if (calls->steps == 0)
      lua_sethook(L, NULL, 0, 0);
  }
  return budget->message[0] ? budget->message : NULL;
}

bool lwl_call_listener(lua_State *L, lwl_world *self, lua_CFunction call, int count, const char *name,
                       char *line) {
  const int base = lua_gettop(L) - count;
  lwl_budget budget;
  lua_pushcfunction(L, lwl_add_place);
  lua_insert(L, base + 1);
  lua_pushcfunction(L, call);
  lua_insert(L, base + 2);
  lwl_begin_budget(L, self->calls, &budget, self->leaf_instructions);
  budget.function = name;
  const bool good = lua_pcall(L, count, 0, base + 1) == LUA_OK;
  const char *message = lwl_end_budget(L, self->calls, &budget);
  self->L = L;
  if (!good && !message)
    message = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "an error without a message";
  if (message) lwi_text_show(line, LWL_ERROR_LINE, message);
  lua_settop(L, base);
  return !message;
}
