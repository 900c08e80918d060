/// What a profile is made of: layers, each a table that some file or script stated.
#ifndef LWL_PROFILE_LAYERS_H
#define LWL_PROFILE_LAYERS_H

#include "profile_check.h"

/// Fields of a layer, which is a list.
enum {
  LWL_LAYER_VALUES = 1, ///< The checked table.
  LWL_LAYER_WHERE,      ///< Its file, or "profile 'x'", or the function that was given it.
  LWL_LAYER_ORIGINS,    ///< Of what scripts defined: path of a key -> "script.lua:12". Else false.
  LWL_LAYER_PROFILE     ///< The name of the profile that it is a part of; false: it has none.
};

/// Push the list of layers of the profile of that name, without what it extends: the first counts before the others.
/// @return false: there is no such profile (then nothing is pushed)
bool lwl_push_layers(lua_State *L, const char *name);
/// Push a layer of the checked table at index. @param origins  Index, or 0. @param name  NULL: it has none.
void lwl_push_layer(lua_State *L, int values, const char *where, int origins, const char *name);
/// Push the list of all layers along `extends`, beginning with those in the list at index.
/// @param name  Of the profile; NULL: it has none.
void lwl_push_chain(lua_State *L, int layers, const char *name);
/// Push the table of all values that the chain at index makes.
void lwl_push_resolved(lua_State *L, int chain);
/// Raise that there is no such profile, with a suggestion.
_Noreturn void lwl_raise_no_profile(lua_State *L, const lwl_at *at, const char *key, const char *name);
/// Push the set of all names.
void lwl_push_profile_names(lua_State *L);
/// Keep what a script states about the profile of that name: the table at index, unchecked. Raises before anything is
/// kept. Pushes the resolved table.
void lwl_define_profile(lua_State *L, const char *name, int table);

/// Push the sorted list of the keys of the table at index, which are strings.
void lwl_push_sorted_keys(lua_State *L, int set);
/// Return the "no" of an unknown name.
int lwl_fail_no_profile(lua_State *L, const char *name);

/// The compiled profile of that name, made anew if the areas or profiles have changed, is pushed. @return its box
lwl_box *lwl_push_named_profile(lua_State *L, const lwl_at *at, const char *name);
/// Push the box of a profile compiled from the resolved table at index.
lwl_box *lwl_push_compiled(lua_State *L, const char *where, int resolved, const char *name);

/// leeward.profile_info (profile_info.c)
int lwl_profile_info(lua_State *L);

#endif
