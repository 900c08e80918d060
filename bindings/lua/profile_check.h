/// Profiles as tables: checked, merged, and turned into the C struct.
#ifndef LWL_PROFILE_CHECK_H
#define LWL_PROFILE_CHECK_H

#include "lwl.h"

/// Push a checked copy of the table. @param keys  Which may be there; NULL: all of a profile's.
void lwl_copy_profile(lua_State *L, const lwl_at *at, int table, const char *const *keys);
/// Write the values of the checked table `over` over those of `base`: tables key by key, lists as a whole.
void lwl_merge_profile(lua_State *L, int base, int over);
/// Push a table of every key with what lw_profile_def_default() says.
void lwl_push_profile_defaults(lua_State *L);
/// Write the numbers of a checked and merged table into the struct.
void lwl_fill_profile_def(lua_State *L, int table, lw_profile_def *def);

#endif
