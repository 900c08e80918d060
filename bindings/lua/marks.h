/// Between geometry.c and marks.c, whose methods a geometry has, too.
#ifndef LWL_MARKS_H
#define LWL_MARKS_H

#include "lwl.h"

extern const luaL_Reg lwl_mark_methods[];
/// Raise the message of an error. @return 0: there is none.
int lwl_raise_unless_ok(lua_State *L, const char *where, lw_status status, const lw_error *error);

#endif
