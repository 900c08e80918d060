/// Ids of what lives in worlds, in userdata that begin with the id; their first user value is the world.
#ifndef LWL_ID_H
#define LWL_ID_H

#include "lwl.h"

/// Replace an id, at first all zero, by the next one. @return false: it was the last.
typedef bool lwl_next_id(const lw_world *world, void *id);
/// Push a userdata with all ids of a world, as they are in one moment. @return [count]
const void *lwl_push_id_array(lua_State *L, const lw_world *world, lwl_next_id *next, int *count);

/// A kind of what lives in worlds.
typedef struct lwl_kind {
  const char *type; ///< Its metatable.
  const char *noun; ///< In messages.
  int objects;      ///< See lwl_push_known().
  lwl_next_id *next;
  bool (*exists)(const lw_world *world, const void *id); ///< @return false: it was removed or has ended.
  bool (*remove)(lw_world *world, const void *id);       ///< The same.
} lwl_kind;
extern const lwl_kind lwl_threat, lwl_danger, lwl_fire_lane, lwl_obstacle, lwl_link, lwl_group;

/// Push the userdata of an id from the world's user value `objects`, a table by lwl_id_key().
/// @return false: there is none; then nil is pushed.
bool lwl_push_known(lua_State *L, int objects, int world, const void *id);
/// Put the userdata on top of the stack, which has its id, into that table.
/// @return false: there is no memory; then the error is pushed.
bool lwl_intern(lua_State *L, int objects, int world);
/// Push a userdata of the world at index. @return Its id, to fill in.
void *lwl_new_id(lua_State *L, const lwl_kind *kind, int world);
/// Return the userdata on top of the stack, which was just added to the world at index 1. Removes it and raises
/// if there is no memory.
int lwl_intern_new(lua_State *L, const lwl_kind *kind);
/// Push the userdata of an id of the world at stack index `world`.
void lwl_push_id(lua_State *L, const lwl_kind *kind, int world, const void *id);
/// Return the list of all userdata of the world at index 1.
int lwl_push_ids(lua_State *L, const lwl_kind *kind, const char *where);
/// Create the type, with the methods that all kinds have.
void lwl_open_kind(lua_State *L, const lwl_kind *kind, const luaL_Reg *methods);
/// The id at index. Raises for another type and if its world was destroyed. @param[out] id  @return Its world.
lw_world *lwl_check_id(lua_State *L, int index, const char *type, const char *where, void *id);

/// A number that no other id of that kind and world has. @param id  Of any kind.
lua_Integer lwl_id_key(const void *id);
/// `__eq` of userdata that begin with an id.
int lwl_id_eq(lua_State *L);

#endif
