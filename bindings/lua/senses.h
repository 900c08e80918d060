/// Senses as tables, for profiles and agents.
#ifndef LWL_SENSES_H
#define LWL_SENSES_H

#include "lwl.h"

#include "leeward/senses.h"

/// Push a checked copy of the senses in the table at index.
void lwl_copy_senses(lua_State *L, const lwl_at *at, int index);
/// Write the keys that a checked table has into the struct.
void lwl_fill_senses(lua_State *L, int table, lw_senses *senses);
/// Push a table of all keys.
void lwl_push_senses(lua_State *L, const lw_senses *senses);

extern const luaL_Reg lwl_senses_agent_methods[], lwl_senses_world_methods[];

#endif
