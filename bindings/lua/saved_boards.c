/*
** The blackboards of scripts in saved worlds: tables in Lua, of which the runtime knows plain values alone.
*/
#include "agent.h"
#include "plain.h"
#include "tree.h"

#include <string.h>

/// What is packed: how many objects there were, for each agent its keys, the count of shared tables, and of each its name
/// and keys. Keys end with END.
enum { END, KEPT, LOST };

// --- writing -------------------------------------------------------------------------------------------------

static void put_byte(lua_State *L, lwl_packer *packer, int byte) {
  const unsigned char value = (unsigned char)byte;
  lwl_pack_bytes(L, packer, &value, 1);
}

static void put_count(lua_State *L, lwl_packer *packer, uint64_t count) {
  unsigned char bytes[8];
  for (int i = 0; i < 8; ++i) bytes[i] = (unsigned char)(count >> 8 * i);
  lwl_pack_bytes(L, packer, bytes, sizeof bytes);
}

/// The key on top of the stack but one, and its value there.
static void pack_entry(lua_State *L, lwl_packer *packer, const char *owner) {
  const int key = lua_gettop(L) - 1;
  const size_t before = packer->size;
  const lw_world *world = lwl_c_world(lua_touserdata(L, packer->world));
  put_byte(L, packer, KEPT);
  if (lwl_pack(L, packer, key) && lwl_pack(L, packer, key + 1)) return;
  packer->size = before;
  lw_world_log(world, LW_LOG_WARNING, "save: blackboard of %s: '%s' %s, which is left out: expected plain data",
               owner, lwl_shown(L, luaL_tolstring(L, key, NULL)), packer->wrong);
  put_byte(L, packer, LOST);
  if (!lwl_pack(L, packer, key)) packer->size = before;
  lua_settop(L, key + 1);
}

static void pack_board(lua_State *L, lwl_packer *packer, int board, const char *owner) {
  const int top = lua_gettop(L);
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  lwl_push_text_keys(L, board); /* so that equal blackboards are equal bytes */
  for (lua_Integer i = 1; lua_rawgeti(L, top + 1, i) == LUA_TSTRING; ++i) {
    lua_pushvalue(L, -1);
    lua_rawget(L, board);
    pack_entry(L, packer, owner);
    lua_settop(L, top + 1);
  }
  lua_settop(L, top);
  for (lua_pushnil(L); lua_next(L, board); lua_settop(L, top + 1))
    if (lua_type(L, top + 1) != LUA_TSTRING) pack_entry(L, packer, owner);
  put_byte(L, packer, END);
}

const void *lwl_push_packed_boards(lua_State *L, int world, int places, size_t *size) {
  const lwl_world *box = lua_touserdata(L, world);
  lwl_packer packer = lwl_begin_pack(L, world, places);
  const int top = lua_gettop(L);
  put_count(L, &packer, box->objects);
  const lw_world *of = lwl_c_world(box);
  for (lw_agent_id id = lw_agent_next(of, lw_agent_id_none()); !lw_agent_id_is_none(id);
       id = lw_agent_next(of, id)) {
    lwl_push_agent(L, world, id);
    const char *owner = lua_pushfstring(L, "agent %s", LWL_ID_NAME(id));
    lwl_push_board_table(L, top + 1);
    pack_board(L, &packer, top + 3, owner);
    lua_settop(L, top);
  }
  if (lua_getiuservalue(L, world, LWL_WORLD_BLACKBOARDS) == LUA_TTABLE) {
    lwl_push_text_keys(L, top + 1);
    put_count(L, &packer, lua_rawlen(L, -1));
    for (lua_Integer i = 1; lua_rawgeti(L, top + 2, i) == LUA_TSTRING; ++i) {
      const char *name = lua_tostring(L, -1),
                 *owner = *name ? lua_pushfstring(L, "team '%s'", name + 1) : "the world";
      lwl_pack(L, &packer, top + 3);
      lua_getfield(L, top + 1, name);
      pack_board(L, &packer, lua_gettop(L), owner);
      lua_settop(L, top + 2);
    }
  } else {
    put_count(L, &packer, 0);
  }
  lua_settop(L, top);
  *size = packer.size;
  return lwl_packed(L, &packer);
}

// --- reading -------------------------------------------------------------------------------------------------

/// Note in the list at index that a key of the owner at index has lost its value.
static void note_lost(lua_State *L, int lost, int owner, int key) {
  lua_createtable(L, 2, 0);
  lua_pushvalue(L, owner);
  lua_rawseti(L, -2, 1);
  lua_pushvalue(L, key);
  lua_rawseti(L, -2, 2);
  lua_rawseti(L, lost, (lua_Integer)lua_rawlen(L, lost) + 1);
}

/// Fill the table at index. @param owner  Of an agent, or the name of a shared table.
static bool unpack_board(lua_State *L, lwl_unpacker *from, int board, int owner, int lost) {
  const int top = lua_gettop(L);
  for (;;) {
    unsigned what;
    lua_settop(L, top);
    if (!lwl_unpack_byte(from, &what)) return false;
    if (what == END) return true;
    if (what > LOST || !lwl_unpack(L, from) || lua_isnil(L, -1)) return false;
    const int type = lua_type(L, -1);
    const lua_Number number = lua_tonumber(L, -1);
    if (type != LUA_TSTRING && type != LUA_TBOOLEAN && type != LUA_TNUMBER) return false;
    if (type == LUA_TNUMBER && !(number >= 0 || number < 0)) return false;
    if (what == LOST) {
      note_lost(L, lost, owner, top + 1);
    } else {
      if (!lwl_unpack(L, from)) return false;
      lua_rawset(L, board);
    }
  }
}

bool lwl_unpack_boards(lua_State *L, int world, int agents, const void *data, size_t size) {
  lwl_world *box = lua_touserdata(L, world);
  lwl_unpacker from = {.at = data, .end = (const unsigned char *)data + size, .world = world, .agents = agents};
  lua_newtable(L);
  const int lost = lua_gettop(L);
  uint64_t objects, shared = 0;
  if (!lwl_unpack_number(&from, &objects)) return false;
  if (objects > box->objects) box->objects = objects;
  for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, agents); ++i) {
    lua_newtable(L);
    lua_rawgeti(L, agents, i);
    if (!unpack_board(L, &from, lost + 1, lost + 2, lost)) return false;
    if (lua_isuserdata(L, lost + 2)) lwl_set_board_table(L, lost + 2, lost + 1);
    lua_settop(L, lost);
  }
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_setiuservalue(L, world, LWL_WORLD_BLACKBOARDS);
  if (!lwl_unpack_number(&from, &shared)) return false;
  for (; shared > 0; --shared) {
    lua_newtable(L);
    if (!lwl_unpack(L, &from) || lua_type(L, -1) != LUA_TSTRING) return false;
    if (!unpack_board(L, &from, lost + 2, lost + 3, lost)) return false;
    lua_pushvalue(L, lost + 3);
    lua_pushvalue(L, lost + 2);
    lua_rawset(L, lost + 1);
    lua_settop(L, lost + 1);
  }
  lua_settop(L, lost);
  return from.at == from.end;
}

void lwl_drop_lost(lua_State *L, int world, int lost) {
  const int top = lua_gettop(L);
  lw_world *of = lwl_c_world(lua_touserdata(L, world));
  for (lua_Integer i = 1; lua_rawgeti(L, lost, i) == LUA_TTABLE; ++i) {
    lua_rawgeti(L, top + 1, 1);
    lua_rawgeti(L, top + 1, 2);
    const lwl_agent *agent = luaL_testudata(L, top + 2, LWL_AGENT);
    const char *name = agent ? NULL : lua_tostring(L, top + 2), *key = lwl_to_text(L, top + 3);
    if (key && agent)
      lw_agent_set_value(of, agent->id, key, NULL);
    else if (key && name && *name)
      lw_team_set_value(of, name + 1, key, NULL);
    else if (key && name)
      lw_world_set_value(of, key, NULL);
    lua_settop(L, top);
  }
  lua_settop(L, top);
}
