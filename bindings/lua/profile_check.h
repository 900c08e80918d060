/// Profiles as tables: checking, merging, and conversion to the C struct.
#ifndef LWL_PROFILE_CHECK_H
#define LWL_PROFILE_CHECK_H

#include "lwl.h"

typedef enum lwl_key_kind {
  LWL_EXTENDS,
  LWL_PATCH,
  LWL_NUMBER,
  LWL_FLAG,
  LWL_CHOICE,  ///< A name of an enumeration.
  LWL_NUMBERS, ///< A table with a number for each name of an enumeration.
  LWL_FLAGS,   ///< The same with booleans.
  LWL_BY_AREA,
  LWL_STANCES,
  LWL_SENSES,
  LWL_WHISKERS,
  LWL_TRAILER,
  LWL_AVOID
} lwl_key_kind;

typedef struct lwl_profile_key {
  const char *name; ///< NULL ends the list.
  lwl_key_kind kind;
  size_t offset; ///< In lw_profile_def.
  lwl_enum of;   ///< LWL_NUMBERS and LWL_FLAGS: what the C array is indexed by; LWL_CHOICE: whose names.
} lwl_profile_key;
/// In the order of `leeward profile`.
extern const lwl_profile_key lwl_profile_keys[];
/// Names of all keys, and of those that a profile without a name may have.
extern const char *const lwl_named_profile_keys[], *const *const lwl_plain_profile_keys;
/// The unit of the numbers at a key, or of the eye and body at "stances". @return NULL: none.
const char *lwl_profile_unit(const lwl_profile_key *key);

/// Push a checked copy of the table. @param keys  The keys that it may have.
void lwl_copy_profile(lua_State *L, const lwl_at *at, int table, const char *const *keys);
/// Push a deep copy of the value at index.
void lwl_push_copy(lua_State *L, int index);
/// Whether the value is a table that merges key by key; lists (avoid, body) are replaced as a whole.
bool lwl_is_record(lua_State *L, int index);
/// Merge the checked table `over` into `base`: tables key by key, lists as a whole.
void lwl_merge_profile(lua_State *L, int base, int over);
/// Push the number with the fewest digits that rounds to this float: 0.4, not 0.4000000059604645.
void lwl_push_float(lua_State *L, float value);
/// Push a table of every key with its value in the struct; of numbers by area, those that differ from
/// lw_profile_def_default().
void lwl_push_profile_def(lua_State *L, const lw_profile_def *def);
/// Write a checked and merged table into the struct.
void lwl_fill_profile_def(lua_State *L, int table, lw_profile_def *def);

#endif
