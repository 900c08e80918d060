/// Drives: paths that a vehicle can drive.
#ifndef LWL_DRIVE_H
#define LWL_DRIVE_H

#include "lwl.h"

#define LWL_DRIVE "leeward.drive"
extern const luaL_Reg lwl_drive_methods[], lwl_drive_agent_methods[];
void lwl_open_drive(lua_State *L);
/// Read an optional heading. [rad]
void lwl_opt_heading(lua_State *L, const lwl_at *at, int table, const char *key, float *heading);

#endif
