/*
** Plain data as bytes, the same on all machines.
*/
#include "plain.h"

#include "id.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64 };

/// What follows in the bytes.
typedef enum tag {
  TAG_NIL,
  TAG_FALSE,
  TAG_TRUE,
  TAG_INTEGER,
  TAG_FLOAT,
  TAG_STRING,
  TAG_VEC3,
  TAG_AGENT,
  TAG_GONE_AGENT,
  TAG_ID,    ///< Of what lives in the world.
  TAG_TABLE, ///< Keys and values up to a key that is nil.
  TAG_COVER, ///< The same, of a cover.
  TAG_KNOWN, ///< The number of a table before.
} tag;

static const lwl_kind *const kinds[] = {&lwl_threat,   &lwl_danger, &lwl_fire_lane,
                                        &lwl_obstacle, &lwl_link,   &lwl_group};
enum { KINDS = sizeof kinds / sizeof *kinds };

// --- writing -------------------------------------------------------------------------------------------------

lwl_packer lwl_begin_pack(lua_State *L, int world, int places) {
  lua_newuserdatauv(L, 256, 0);
  return (lwl_packer){.buffer = lua_gettop(L), .world = world, .places = places};
}

const void *lwl_packed(lua_State *L, const lwl_packer *packer) {
  return lua_touserdata(L, packer->buffer);
}

void lwl_pack_bytes(lua_State *L, lwl_packer *packer, const void *data, size_t size) {
  const size_t capacity = lua_rawlen(L, packer->buffer);
  if (capacity - packer->size < size) {
    const void *before = lua_touserdata(L, packer->buffer);
    void *after = lua_newuserdatauv(L, 2 * capacity + size, 0);
    memcpy(after, before, packer->size);
    lua_replace(L, packer->buffer);
  }
  if (size > 0) memcpy((char *)lua_touserdata(L, packer->buffer) + packer->size, data, size);
  packer->size += size;
}

static void put(lua_State *L, lwl_packer *packer, uint64_t value, int size) {
  unsigned char bytes[8];
  for (int i = 0; i < size; ++i) bytes[i] = (unsigned char)(value >> 8 * i);
  lwl_pack_bytes(L, packer, bytes, (size_t)size);
}

static void put_number(lua_State *L, lwl_packer *packer, lua_Number number) {
  uint64_t bits;
  _Static_assert(sizeof bits == sizeof number, "numbers have 8 bytes");
  memcpy(&bits, &number, sizeof bits);
  put(L, packer, bits, 8);
}

typedef struct text_key {
  const char *text;
  size_t length;
} text_key;

static int compare_keys(const void *a, const void *b) {
  const text_key *one = a, *other = b;
  const size_t shorter = one->length < other->length ? one->length : other->length;
  const int order = memcmp(one->text, other->text, shorter);
  return order != 0 ? order : (one->length > other->length) - (one->length < other->length);
}

void lwl_push_text_keys(lua_State *L, int table) {
  size_t count = 0, filled = 0;
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) count += lua_type(L, -2) == LUA_TSTRING;
  text_key *keys = lua_newuserdatauv(L, count * sizeof *keys + 1, 0);
  lua_createtable(L, (int)count, 0); /* a finaliser may have changed the table */
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING || filled == count) continue;
    keys[filled].text = lua_tolstring(L, -2, &keys[filled].length);
    filled += 1;
  }
  qsort(keys, filled, sizeof *keys, compare_keys);
  for (size_t i = 0; i < filled; ++i) {
    lua_pushlstring(L, keys[i].text, keys[i].length);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  lua_remove(L, -2);
}

/// Note what is wrong with the value at index.
static bool refuse(lua_State *L, lwl_packer *packer, int index, const char *why) {
  const char *what = why ? why : lwl_describe(L, index);
  snprintf(packer->wrong + packer->path, sizeof packer->wrong - packer->path, "%sis %s",
           packer->path > 0 ? " " : "", what);
  return false;
}

/// Append the key at index to the path. @return Its length before.
static size_t enter_key(lua_State *L, lwl_packer *packer, int key) {
  const size_t before = packer->path;
  const char *text = lua_type(L, key) == LUA_TSTRING ? lwl_shown(L, lua_tostring(L, key)) : NULL;
  char *to = packer->wrong + before;
  const size_t space = sizeof packer->wrong - before;
  int length;
  if (text)
    length = snprintf(to, space, "%s%s", before > 0 ? "." : "", text);
  else
    length = snprintf(to, space, "[%s]", luaL_tolstring(L, key, NULL));
  if ((size_t)length < space) packer->path += (size_t)length;
  return before;
}

static bool pack(lua_State *L, lwl_packer *packer, int index, int depth);

static bool pack_pair(lua_State *L, lwl_packer *packer, int key, int depth) {
  const int top = lua_gettop(L);
  const size_t before = enter_key(L, packer, key);
  lua_settop(L, top);
  const int type = lua_type(L, key);
  const bool is_key = type == LUA_TSTRING || type == LUA_TNUMBER || type == LUA_TBOOLEAN;
  if (!is_key) return refuse(L, packer, key, "a key that is no string, number or boolean");
  if (!pack(L, packer, key, depth) || !pack(L, packer, key + 1, depth)) return false;
  packer->path = before;
  return true;
}

static bool pack_pairs(lua_State *L, lwl_packer *packer, int table, int depth) {
  const int top = lua_gettop(L);
  const lua_Integer length = (lua_Integer)lua_rawlen(L, table);
  for (lua_Integer i = 1; i <= length; ++i) {
    lua_pushinteger(L, i);
    if (lua_rawgeti(L, table, i) != LUA_TNIL && !pack_pair(L, packer, top + 1, depth)) return false;
    lua_settop(L, top);
  }
  lwl_push_text_keys(L, table); /* so that equal tables are equal bytes */
  for (lua_Integer i = 1; lua_rawgeti(L, top + 1, i) == LUA_TSTRING; ++i) {
    lua_pushvalue(L, -1);
    lua_rawget(L, table);
    if (!pack_pair(L, packer, top + 2, depth)) return false;
    lua_settop(L, top + 1);
  }
  lua_settop(L, top);
  for (lua_pushnil(L); lua_next(L, table); lua_settop(L, top + 1)) {
    lua_Integer number = 0;
    const bool is_listed =
        lua_isinteger(L, top + 1) && (number = lua_tointeger(L, top + 1)) >= 1 && number <= length;
    if (lua_type(L, top + 1) == LUA_TSTRING || is_listed) continue;
    if (!pack_pair(L, packer, top + 1, depth)) return false;
  }
  return true;
}

static bool pack_table(lua_State *L, lwl_packer *packer, int index, int depth) {
  bool is_cover = false;
  lwl_unwrap(L, index);
  if (depth >= DEPTH_MAX) return refuse(L, packer, index, "deeper than 64 tables");
  if (lua_getmetatable(L, index)) {
    luaL_getmetatable(L, LWL_COVER_POINT);
    is_cover = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    if (!is_cover) return refuse(L, packer, index, "a table with a metatable");
  }
  lua_pushvalue(L, index);
  if (lua_rawget(L, packer->seen) == LUA_TNUMBER) {
    put(L, packer, TAG_KNOWN, 1);
    put(L, packer, (uint64_t)lua_tointeger(L, -1), 4);
    return true;
  }
  lua_pushvalue(L, index);
  lua_pushinteger(L, ++packer->tables);
  lua_rawset(L, packer->seen);
  put(L, packer, is_cover ? TAG_COVER : TAG_TABLE, 1);
  if (!pack_pairs(L, packer, index, depth + 1)) return false;
  put(L, packer, TAG_NIL, 1);
  return true;
}

/// Is the userdata at index of the world that is saved?
static bool is_of_world(lua_State *L, const lwl_packer *packer, int index) {
  lua_getiuservalue(L, index, 1);
  const bool same = lua_rawequal(L, -1, packer->world);
  lua_pop(L, 1);
  return same;
}

static void put_id(lua_State *L, lwl_packer *packer, const void *id) {
  put(L, packer, (uint64_t)lwl_id_key(id), 8);
}

static bool pack_userdata(lua_State *L, lwl_packer *packer, int index) {
  const lua_Number *numbers = luaL_testudata(L, index, LWL_VEC3); /* x, y, z */
  const void *id = luaL_testudata(L, index, LWL_AGENT);
  if (numbers) {
    put(L, packer, TAG_VEC3, 1);
    for (int i = 0; i < 3; ++i) put_number(L, packer, numbers[i]);
    return true;
  }
  if (id && is_of_world(L, packer, index)) {
    const bool lives = lua_rawgeti(L, packer->places, lwl_id_key(id)) == LUA_TNUMBER;
    put(L, packer, lives ? TAG_AGENT : TAG_GONE_AGENT, 1);
    if (lives) return put(L, packer, (uint64_t)lua_tointeger(L, -1), 4), true;
    return put_id(L, packer, id), true;
  }
  for (unsigned kind = 0; kind < KINDS; ++kind) {
    id = luaL_testudata(L, index, kinds[kind]->type);
    if (!id || !is_of_world(L, packer, index)) continue;
    put(L, packer, TAG_ID, 1);
    put(L, packer, kind, 1);
    return put_id(L, packer, id), true;
  }
  return refuse(L, packer, index, NULL);
}

static bool pack_value(lua_State *L, lwl_packer *packer, int index, int depth) {
  size_t length;
  switch (lua_type(L, index)) {
  case LUA_TNIL: put(L, packer, TAG_NIL, 1); return true;
  case LUA_TBOOLEAN: put(L, packer, lua_toboolean(L, index) ? TAG_TRUE : TAG_FALSE, 1); return true;
  case LUA_TNUMBER:
    put(L, packer, lua_isinteger(L, index) ? TAG_INTEGER : TAG_FLOAT, 1);
    if (lua_isinteger(L, index))
      put(L, packer, (uint64_t)lua_tointeger(L, index), 8);
    else
      put_number(L, packer, lua_tonumber(L, index));
    return true;
  case LUA_TSTRING: {
    const char *text = lua_tolstring(L, index, &length);
    put(L, packer, TAG_STRING, 1);
    put(L, packer, length, 8);
    lwl_pack_bytes(L, packer, text, length);
    return true;
  }
  case LUA_TTABLE: return pack_table(L, packer, index, depth);
  case LUA_TUSERDATA: return pack_userdata(L, packer, index);
  default: return refuse(L, packer, index, NULL);
  }
}

static bool pack(lua_State *L, lwl_packer *packer, int index, int depth) {
  const int top = lua_gettop(L);
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  const bool good = pack_value(L, packer, index, depth);
  lua_settop(L, top);
  return good;
}

bool lwl_pack(lua_State *L, lwl_packer *packer, int index) {
  const size_t before = packer->size;
  index = lua_absindex(L, index);
  lua_newtable(L);
  packer->seen = lua_gettop(L);
  packer->tables = 0;
  packer->path = 0;
  const bool good = pack(L, packer, index, 0);
  if (!good) packer->size = before;
  lua_settop(L, packer->seen - 1);
  return good;
}

// --- reading -------------------------------------------------------------------------------------------------

static bool get(lwl_unpacker *from, uint64_t *value, int size) {
  *value = 0;
  if (from->end - from->at < size) return false;
  for (int i = 0; i < size; ++i) *value |= (uint64_t)*from->at++ << 8 * i;
  return true;
}

bool lwl_unpack_byte(lwl_unpacker *from, unsigned *byte) {
  uint64_t value;
  const bool good = get(from, &value, 1);
  *byte = (unsigned)value;
  return good;
}

bool lwl_unpack_number(lwl_unpacker *from, uint64_t *number) {
  return get(from, number, 8);
}

static bool get_number(lwl_unpacker *from, lua_Number *number) {
  uint64_t bits;
  const bool good = get(from, &bits, 8);
  memcpy(number, &bits, sizeof bits);
  return good;
}

static bool unpack(lua_State *L, lwl_unpacker *from, int depth);

static bool unpack_table(lua_State *L, lwl_unpacker *from, bool is_cover, int depth) {
  if (depth >= DEPTH_MAX) return false;
  lua_newtable(L);
  const int table = lua_gettop(L);
  if (is_cover) luaL_setmetatable(L, LWL_COVER_POINT);
  lua_pushvalue(L, table);
  lua_rawseti(L, from->tables, (lua_Integer)lua_rawlen(L, from->tables) + 1);
  for (;;) {
    if (!unpack(L, from, depth + 1)) return false;
    if (lua_isnil(L, -1)) return lua_settop(L, table), true;
    const int type = lua_type(L, -1);
    const bool is_key = type == LUA_TSTRING || type == LUA_TBOOLEAN || type == LUA_TNUMBER;
    const lua_Number number = lua_tonumber(L, -1);
    if (!is_key || !(number >= 0 || number < 0 || type != LUA_TNUMBER)) return false; /* NaN is no key */
    if (!unpack(L, from, depth + 1)) return false;
    lua_rawset(L, table);
  }
}

static bool unpack_vec3(lua_State *L, lwl_unpacker *from) {
  lua_Number v[3];
  for (int i = 0; i < 3; ++i)
    if (!get_number(from, &v[i])) return false;
  return lwl_push_exact_vec3(L, v);
}

/// The id of a key of lwl_id_key() in this world. @return false: no id has such a key.
static bool get_id(lua_State *L, lwl_unpacker *from, lw_agent_id *id) {
  uint64_t key;
  if (!get(from, &key, 8)) return false;
  const lwl_world *world = lua_touserdata(L, from->world);
  const uint64_t slot = (key & 0xffffffff) - 1, generation = (key >> 32) + 1;
  *id = (lw_agent_id){.slot = slot & 0xffffff,
                      .generation = generation & 0xffffff,
                      .world = lw_world_number(lwl_c_world(world)) & 0xffff};
  return slot <= 0xffffff && generation <= 0xffffff;
}

static bool unpack_id(lua_State *L, lwl_unpacker *from) {
  unsigned kind;
  lw_agent_id id; /* ids of all kinds are alike */
  if (!lwl_unpack_byte(from, &kind) || kind >= KINDS || !get_id(L, from, &id)) return false;
  lwl_push_id(L, kinds[kind], from->world, &id);
  return true;
}

static bool unpack_gone(lua_State *L, lwl_unpacker *from) {
  lw_agent_id id;
  if (!get_id(L, from, &id)) return false;
  lwl_push_gone_agent(L, from->world, id);
  return true;
}

/// One that was not restored is gone.
static bool unpack_agent(lua_State *L, lwl_unpacker *from) {
  uint64_t place;
  if (!get(from, &place, 4) || place < 1) return false;
  if (lua_rawgeti(L, from->agents, (lua_Integer)place) == LUA_TUSERDATA) return true;
  lua_pop(L, 1);
  lwl_push_gone_agent(L, from->world,
                      (lw_agent_id){.slot = place & 0xffffff, .generation = 0xffffff, .world = 0});
  return true;
}

static bool unpack_string(lua_State *L, lwl_unpacker *from) {
  uint64_t length;
  if (!get(from, &length, 8) || length > (uint64_t)(from->end - from->at)) return false;
  lua_pushlstring(L, (const char *)from->at, (size_t)length);
  from->at += length;
  return true;
}

static bool unpack(lua_State *L, lwl_unpacker *from, int depth) {
  unsigned kind;
  uint64_t bits;
  lua_Number number;
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  if (!lwl_unpack_byte(from, &kind)) return false;
  switch ((tag)kind) {
  case TAG_NIL: return lua_pushnil(L), true;
  case TAG_FALSE:
  case TAG_TRUE: return lua_pushboolean(L, kind == TAG_TRUE), true;
  case TAG_INTEGER: return get(from, &bits, 8) && (lua_pushinteger(L, (lua_Integer)bits), true);
  case TAG_FLOAT: return get_number(from, &number) && (lua_pushnumber(L, number), true);
  case TAG_STRING: return unpack_string(L, from);
  case TAG_VEC3: return unpack_vec3(L, from);
  case TAG_AGENT: return unpack_agent(L, from);
  case TAG_GONE_AGENT: return unpack_gone(L, from);
  case TAG_ID: return unpack_id(L, from);
  case TAG_TABLE:
  case TAG_COVER: return unpack_table(L, from, kind == TAG_COVER, depth);
  case TAG_KNOWN: return get(from, &bits, 4) && lua_rawgeti(L, from->tables, (lua_Integer)bits) == LUA_TTABLE;
  }
  return false;
}

bool lwl_unpack(lua_State *L, lwl_unpacker *from) {
  lua_newtable(L);
  from->tables = lua_gettop(L);
  const bool good = unpack(L, from, 0);
  if (good) lua_replace(L, from->tables);
  lua_settop(L, good ? from->tables : from->tables - 1);
  return good;
}
