/// Trailers as tables, for profiles.
#ifndef LWL_TRAILER_H
#define LWL_TRAILER_H

#include "lwl.h"

/// The keys of the table, in order. [NULL ends the list]
extern const char *const lwl_trailer_keys[];
/// Push a checked copy of the trailer in the table at index.
void lwl_copy_trailer(lua_State *L, const lwl_at *at, int index);
/// Write the keys that a checked table has into the struct.
void lwl_fill_trailer(lua_State *L, int table, lw_trailer *trailer);
/// Push a table of all keys.
void lwl_push_trailer(lua_State *L, const lw_trailer *trailer);

#endif
