/*
** The budget of a leaf or listener: how many instructions of Lua one call of it may run. A count hook takes them
** off, so that the same function ends at the same place in each run.
*/
#include "lwl.h"
#include "tree.h"

#include <stdio.h>

/// Instructions between two calls of the hook: coroutines of a leaf count by themselves.
enum { SLICE = 1000 };

static int slice_of(const lwl_budget *budget) {
  return budget->left < SLICE ? budget->left : SLICE;
}

static void note_place(lua_State *L, lua_Debug *frame, lwl_budget *budget) {
  lua_getinfo(L, "Sl", frame);
  snprintf(budget->message, sizeof budget->message,
           "%s:%d: %s did not return within %d instructions, the world's leaf_instructions", frame->short_src,
           frame->currentline, budget->function, budget->limit);
}

static void count(lua_State *L, lua_Debug *frame) {
  lwl_budget *budget = lwl_get_calls(L)->budget;
  if (!budget) return; /* a coroutine created in a leaf runs outside of leaves */
  if (budget->left > 0) {
    const int ran = lua_gethookcount(L);
    budget->left = ran < budget->left ? budget->left - ran : 0;
    if (budget->left > 0) {
      if (ran != slice_of(budget)) lua_sethook(L, count, LUA_MASKCOUNT, slice_of(budget));
      return;
    }
    note_place(L, frame, budget);
  }
  // A pcall() in the leaf may catch the error: with a count of 1, the next instruction raises it again.
  lua_sethook(L, count, LUA_MASKCOUNT, 1);
  lua_pushstring(L, budget->message);
  lua_error(L);
}

void lwl_begin_budget(lua_State *L, lwl_calls *calls, lwl_budget *budget, int limit) {
  const lua_Hook hook = lua_gethook(L);
  // The hook of a debugger stays, and there is no budget.
  budget->counts = limit > 0 && (!hook || hook == count);
  if (!budget->counts) return;
  budget->function = "the leaf's function"; /* until it is known */
  budget->limit = budget->left = limit;
  budget->outer = calls->budget;
  calls->budget = budget;
  lua_sethook(L, count, LUA_MASKCOUNT, slice_of(budget));
}

const char *lwl_end_budget(lua_State *L, lwl_calls *calls, lwl_budget *budget) {
  if (!budget->counts) return NULL;
  calls->budget = budget->outer;
  if (lua_gethook(L) == count) {
    if (budget->outer)
      lua_sethook(L, count, LUA_MASKCOUNT, budget->outer->left > 0 ? slice_of(budget->outer) : 1);
    else
      lua_sethook(L, NULL, 0, 0);
  }
  return budget->left > 0 ? NULL : budget->message;
}
