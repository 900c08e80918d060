/// Enumerations of the C API that scripts write as strings.
#ifndef LWL_ENUMS_H
#define LWL_ENUMS_H

#include <lua.h>

#include <stdbool.h>

struct lwl_at;

/// Enumerations of the C API that scripts write as strings.
typedef enum lwl_enum {
  LWL_PACE,
  LWL_LINK_TYPE,
  LWL_LINK_KIND,
  LWL_ACCURACY,
  LWL_COVER_KIND, ///< Value 0 is LW_COVER_HARD: add 1 for an lw_cover_kind.
  LWL_QUALITY,
  LWL_PATH_STYLE,
  LWL_COVER_SIDE,
  LWL_NODE_KIND,
  LWL_OBSTACLE_SHAPE,
  LWL_AVOIDANCE
} lwl_enum;
#define LWL_ENUM_MAX 24 ///< Names of an enumeration, with the NULL at their end.

/// @return NULL: the value is beyond the last.
const char *lwl_enum_name(lwl_enum of, int value);
/// Write the NULL-terminated list of all names.
void lwl_enum_names(lwl_enum of, const char *names[LWL_ENUM_MAX]);
/// Push "'a', 'b' or 'c'". @param names  NULL-terminated.
const char *lwl_push_choices(lua_State *L, const char *const *names);
/// @return The index among the names of the string at index; -1: there is no such name.
int lwl_find_choice(lua_State *L, int index, const char *const *names);
/// @return The index among the names of the string at index. Raises with a suggestion for any other value.
int lwl_check_choice(lua_State *L, const struct lwl_at *at, const char *key, int index,
                     const char *const *names);
int lwl_check_enum(lua_State *L, const struct lwl_at *at, const char *key, int index, lwl_enum of);
bool lwl_opt_enum(lua_State *L, const struct lwl_at *at, int table, const char *key, lwl_enum of, int *value);

#endif
