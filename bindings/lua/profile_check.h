/// Profiles as tables: checked, merged, and turned into the C struct.
#ifndef LWL_PROFILE_CHECK_H
#define LWL_PROFILE_CHECK_H

#include "lwl.h"

typedef enum lwl_key_kind {
  LWL_EXTENDS,
  LWL_PATCH,
  LWL_NUMBER,
  LWL_FLAG,
  LWL_NUMBERS, ///< By the names of the key.
  LWL_FLAGS,
  LWL_BY_AREA,
  LWL_STANCES,
  LWL_AVOID
} lwl_key_kind;

typedef struct lwl_profile_key {
  const char *name; ///< NULL ends the list.
  lwl_key_kind kind;
  size_t offset;            ///< In lw_profile_def.
  const lwl_range *range;   ///< Of numbers.
  const char *const *names; ///< Of LWL_NUMBERS and LWL_FLAGS, in the order of the C array.
  const char *unit;         ///< NULL: none.
} lwl_profile_key;
/// In the order in which people look for them.
extern const lwl_profile_key lwl_profile_keys[];
/// All names; those that a profile without a name may have.
extern const char *const lwl_named_profile_keys[], *const *const lwl_plain_profile_keys;

/// Push a checked copy of the table. @param keys  Which may be there.
void lwl_copy_profile(lua_State *L, const lwl_at *at, int table, const char *const *keys);
/// Push a copy of the value at index, tables and all.
void lwl_push_copy(lua_State *L, int index);
/// A table that is not a list: those take each other's place as a whole (avoid, body).
bool lwl_is_record(lua_State *L, int index);
/// Write the values of the checked table `over` over those of `base`: tables key by key, lists as a whole.
void lwl_merge_profile(lua_State *L, int base, int over);
/// Push the shortest number that is this float: 0.4, not 0.4000000059604645.
void lwl_push_float(lua_State *L, float value);
/// Push a table of every key with what lw_profile_def_default() says.
void lwl_push_profile_defaults(lua_State *L);
/// Write the numbers of a checked and merged table into the struct.
void lwl_fill_profile_def(lua_State *L, int table, lw_profile_def *def);

#endif
