/// Plain data as bytes, for saved worlds: nil, booleans, numbers, strings, points, agents, threats and other
/// ids of the world, covers, and tables of these, which may hold each other.
#ifndef LWL_PLAIN_H
#define LWL_PLAIN_H

#include "lwl.h"

/// Bytes that are written: a userdata on the stack, which is replaced by a larger one.
typedef struct lwl_packer {
  int buffer; ///< Stack index.
  int world;  ///< Of the userdata of the world.
  int places; ///< Of a table: lwl_id_key() of an agent -> its place in the file, from 1.
  size_t size;
  char wrong[256];  ///< What is not plain, and where.
  size_t path;      ///< Length of the path to the value that is packed, in `wrong`.
  int seen, tables; ///< Of a table: the tables that were packed -> their numbers; how many.
} lwl_packer;

/// Begin: pushes the buffer. @param world, places  Absolute stack indices.
lwl_packer lwl_begin_pack(lua_State *L, int world, int places);
const void *lwl_packed(lua_State *L, const lwl_packer *packer);
void lwl_pack_bytes(lua_State *L, lwl_packer *packer, const void *data, size_t size);
/// @return false: the value at index is not plain, which `wrong` tells; nothing is added.
bool lwl_pack(lua_State *L, lwl_packer *packer, int index);

/// Push the list of the keys of the table at the absolute index that are texts, in order.
void lwl_push_text_keys(lua_State *L, int table);

/// Bytes that are read.
typedef struct lwl_unpacker {
  const unsigned char *at, *end;
  int world;
  int agents; ///< Of the list of the agents by their places in the file; false: it is not there.
  int tables; ///< Of the list of tables that were read; 0: the value is not a table.
} lwl_unpacker;
/// Push the next value. @return false: the bytes are damaged; nothing is pushed.
bool lwl_unpack(lua_State *L, lwl_unpacker *from);
bool lwl_unpack_byte(lwl_unpacker *from, unsigned *byte);
bool lwl_unpack_number(lwl_unpacker *from, uint64_t *number);

/// Push a point in double precision (vec3.c). @param v  [3] @return false: it is not finite, and not pushed.
bool lwl_push_exact_vec3(lua_State *L, const lua_Number *v);
/// Push the userdata of an agent that had that id in the world that was saved, and was gone (agent.c).
void lwl_push_gone_agent(lua_State *L, int world, lw_agent_id id);
/// What a leaf answers to LW_LEAF_SAVE and LW_LEAF_LOAD (saved_leaf.c). No Lua error leaves it.
lw_node_status lwl_run_saved_leaf(lwl_world *self, lw_world *world, lw_agent_id agent, lw_leaf_call *call);
/// It, in protected mode.
int lwl_answer_saved(lua_State *L);
/// Push what the blackboards of a world hold, as a userdata of `size` bytes; of what is not plain the world's
/// log tells.
const void *lwl_push_packed_boards(lua_State *L, int world, int places, size_t *size);
/// Give it to the blackboards of the world and of the agents in the list at index, which has false for those
/// that are not there. Pushes a list of what has lost its value. @return false: the bytes are damaged.
bool lwl_unpack_boards(lua_State *L, int world, int agents, const void *data, size_t size);
/// Let the runtime know what has lost its value.
void lwl_drop_lost(lua_State *L, int world, int lost);

#endif
