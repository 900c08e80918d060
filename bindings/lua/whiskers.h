/// Whiskers as tables, for profiles.
#ifndef LWL_WHISKERS_H
#define LWL_WHISKERS_H

#include "lwl.h"

/// Push a checked copy of the whiskers in the table at index.
void lwl_copy_whiskers(lua_State *L, const lwl_at *at, int index);
/// Write the keys that a checked table has into the struct.
void lwl_fill_whiskers(lua_State *L, int table, lw_whiskers *whiskers);
/// Push a table of all keys.
void lwl_push_whiskers(lua_State *L, const lw_whiskers *whiskers);

extern const luaL_Reg lwl_whiskers_agent_methods[];

#endif
