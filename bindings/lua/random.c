/*
** Random numbers from the streams of worlds, agents and scripts.
*/
#include "lwl.h"

int lwl_random(lua_State *L, const char *where, float (*next)(void *user), void *user) {
  if (lua_isnoneornil(L, 2)) {
    lua_pushnumber(L, (lua_Number)next(user));
    return 1;
  }
  const lwl_at at = {where, ""};
  lua_Integer low = 1, high = lwl_check_integer(L, &at, "m", 2);
  if (!lua_isnoneornil(L, 3)) {
    low = high;
    high = lwl_check_integer(L, &at, "n", 3);
  }
  if (low > high)
    lwl_raise(L, where, "%s is %I, expected at least %I", lua_isnoneornil(L, 3) ? "m" : "n", (LUAI_UACINT)high,
              (LUAI_UACINT)low);
  const lua_Unsigned size = (lua_Unsigned)high - (lua_Unsigned)low;
  if (size >= (lua_Unsigned)1 << 47) lwl_raise(L, where, "the interval is too large");
  // Two draws of 24 bits.
  const double unit = (double)next(user) + (double)next(user) / (double)(1 << 24);
  const lua_Unsigned offset = (lua_Unsigned)(unit * (double)(size + 1));
  lua_pushinteger(L, low + (lua_Integer)(offset < size ? offset : size));
  return 1;
}
