/// The layers of a profile: tables from files and scripts.
#ifndef LWL_PROFILE_LAYERS_H
#define LWL_PROFILE_LAYERS_H

#include "profile_check.h"

/// Fields of a layer, which is a list.
enum {
  LWL_LAYER_VALUES = 1, ///< The checked table.
  LWL_LAYER_WHERE,      ///< Its file, "profile 'x'", or the function that took it: lwl_at.where.
  LWL_LAYER_ORIGINS,    ///< From a script: path of a key -> "script.lua:12". From a file: false.
  LWL_LAYER_PROFILE     ///< The profile's name, or false.
};

/// The name of profiles that are given as tables, which no other has: saved games do not know their values.
#define LWL_UNNAMED_PROFILE "custom"

/// Push the list of layers of the profile of that name, without those that it extends. The first takes
/// precedence.
/// @return false: there is no such profile; nothing is pushed.
bool lwl_push_layers(lua_State *L, const char *name);
/// Push a layer of the checked table at index. @param origins  Index, or 0: none. @param name  NULL: none.
void lwl_push_layer(lua_State *L, int values, const char *where, int origins, const char *name);
/// Push the list of all layers along `extends`, beginning with those in the list at index.
/// @param name  Of the profile. NULL: none.
void lwl_push_chain(lua_State *L, int layers, const char *name);
/// Push the table that results from the chain at index.
void lwl_push_resolved(lua_State *L, int chain);
/// Raise that there is no such profile, with a suggestion.
_Noreturn void lwl_raise_no_profile(lua_State *L, const lwl_at *at, const char *key, const char *name);
/// Push the set of the names of all profiles.
void lwl_push_profile_names(lua_State *L);
/// Check the table at index and keep it as a script's layer of the profile of that name. Raises before it keeps
/// anything. Pushes the resolved table.
void lwl_define_profile(lua_State *L, const char *name, int table);

/// Push the sorted list of the keys, all strings, of the table at index.
void lwl_push_sorted_keys(lua_State *L, int set);
/// Push and return the message that there is no profile of that name.
const char *lwl_push_no_profile(lua_State *L, const char *name);
/// Return nil, message, code for an unknown name.
int lwl_fail_no_profile(lua_State *L, const char *name);

/// Push the compiled profile of that name, compiled again if areas or profiles have changed. @return Its box.
lwl_box *lwl_push_named_profile(lua_State *L, const lwl_at *at, const char *name);
/// Push the box of a profile compiled from the resolved table at index. @param is_brief For one request or a
/// few.
lwl_box *lwl_push_compiled(lua_State *L, const char *where, int resolved, const char *name, bool is_brief);

#endif
