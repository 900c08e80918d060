/*
** What scripts in a sandbox allocate, and what they hold.
**
** What a script allocates less what is freed meanwhile counts as held. That includes garbage, and misses what is freed
** later, so that from time to time all that the sandbox can reach is measured.
*/
#include "sandbox.h"

#include "core/hash_index.h"

/// Instructions that an allocation which was refused counts as: the collector ran for it.
enum { REFUSED = 50000 };
/// Bytes of an allocation that count as one instruction, from 256 on.
enum { BYTES = 64, BYTES_COUNTED = 256 };

// --- the allocator -------------------------------------------------------------------------------------------

static const char allocator_key = 'a';

/// The allocator of a state with sandboxes.
typedef struct allocator {
  lua_Alloc allocate;
  void *user;
  const lwl_calls *calls;
} allocator;

/// @param kind  Of a new block: LUA_TSTRING, ... Of one that grows: 0.
static bool may_grow(lwl_sandbox *sandbox, size_t kind, size_t size, size_t more) {
  lwl_budget *budget = sandbox->calls->budget;
  const bool is_too_long = kind == LUA_TSTRING && size > sandbox->string_max;
  if (!is_too_long && sandbox->held + sandbox->used + (int64_t)more <= sandbox->memory) {
    sandbox->is_short = false;
    if (kind == LUA_TSTRING && size > sandbox->longest) sandbox->longest = size;
    if (more >= BYTES_COUNTED) lwl_take_work(budget, (int64_t)(more / BYTES));
    return true;
  }
  sandbox->is_over |= sandbox->is_short || is_too_long; /* Lua asks again, after the collector has run */
  sandbox->is_short = true;
  lwl_take_work(budget, REFUSED);
  return false;
}

void lwl_take_memory(lwl_sandbox *sandbox, int64_t bytes) {
  if (!sandbox) return;
  sandbox->used += bytes;
  if (sandbox->used < 0) sandbox->used = 0; /* that was the game's */
  if (bytes > 0) sandbox->allocated += bytes;
}

/// lua_Alloc.
static void *count_memory(void *user, void *block, size_t old, size_t size) {
  const allocator *of = user;
  lwl_sandbox *sandbox = of->calls->sandbox;
  const size_t before = block ? old : 0;
  if (sandbox && size > before && !may_grow(sandbox, block ? 0 : old, size, size - before)) return NULL;
  void *now = of->allocate(of->user, block, old, size);
  if (now || size == 0) lwl_take_memory(sandbox, (int64_t)size - (int64_t)before);
  return now;
}

static int restore_allocator(lua_State *L) {
  const allocator *of = lua_touserdata(L, 1);
  if (of->allocate) lua_setallocf(L, of->allocate, of->user);
  return 0;
}

void lwl_count_memory(lua_State *L, const lwl_calls *calls) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &allocator_key) == LUA_TUSERDATA) {
    lua_pop(L, 1);
    return;
  }
  lua_pop(L, 1);
  allocator *of = lua_newuserdatauv(L, sizeof *of, 0);
  *of = (allocator){.calls = calls};
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, restore_allocator);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &allocator_key);
  of->allocate = lua_getallocf(L, &of->user);
  lua_setallocf(L, count_memory, of);
}

// --- what is held --------------------------------------------------------------------------------------------

/// Bytes that Lua takes for a value, about; of userdata with what it owns in C.
enum {
  TABLE_BYTES = 56,
  ENTRY_BYTES = 24,
  FUNCTION_BYTES = 48,
  STRING_BYTES = 25,
  THREAD_BYTES = 1000,
  USERDATA_BYTES = 1000,
  WRITTEN_BYTES = 200 ///< A key of a blackboard, in Lua, in the runtime and among those that were written.
};

/// What lwl_measure_sandbox() has found so far. Nothing of it is Lua's memory, whose garbage would count for the sandbox.
typedef struct measurement {
  lwi_memory memory;
  lwi_hash_index seen; ///< Values, by address.
  uint32_t seen_count;
  int64_t bytes;
  int metatables;
} measurement;

/// Stack of lwl_measure_sandbox(): the sandbox; what the game gave it; its metatables and coroutines; a list, empty before
/// and after, of values that are to be looked into.
enum { BOX = 1, BUILTINS, OWNED, FOUND };

/// Whether the value on top of the stack was not seen yet, and is the sandbox's own.
static bool note_value(lua_State *L, measurement *m) {
  lua_pushvalue(L, -1);
  const bool is_games = lua_rawget(L, BUILTINS) != LUA_TNIL;
  lua_pop(L, 1);
  const uint64_t hash = (uint64_t)(uintptr_t)lua_topointer(L, -1) >> 3; /* all are aligned */
  return !is_games && lwi_hash_index_find(&m->seen, hash) == LWI_NO_ITEM &&
         lwi_hash_index_add(&m->seen, &m->memory, hash, m->seen_count++);
}

/// Count the value on top of the stack, which is popped.
static void add_value(lua_State *L, measurement *m) {
  const int type = lua_type(L, -1);
  if (type < LUA_TSTRING || !note_value(L, m)) {
    lua_pop(L, 1);
  } else if (type == LUA_TSTRING || type == LUA_TUSERDATA) {
    m->bytes += (type == LUA_TSTRING ? STRING_BYTES : USERDATA_BYTES) + (int64_t)lua_rawlen(L, -1);
    lua_pop(L, 1);
  } else {
    lua_rawseti(L, FOUND, (lua_Integer)lua_rawlen(L, FOUND) + 1);
  }
}

static void add_table(lua_State *L, int table, measurement *m) {
  m->bytes += TABLE_BYTES;
  lua_pushvalue(L, table);
  m->metatables += lua_rawget(L, OWNED) != LUA_TNIL;
  lua_pop(L, 1);
  for (lua_pushnil(L); lua_next(L, table);) {
    m->bytes += ENTRY_BYTES;
    add_value(L, m);
    lua_pushvalue(L, -1);
    add_value(L, m);
  }
  if (lua_getmetatable(L, table)) add_value(L, m);
}

static void add_function(lua_State *L, int function, measurement *m) {
  m->bytes += FUNCTION_BYTES;
  for (int i = 1; lua_getupvalue(L, function, i); ++i) {
    m->bytes += ENTRY_BYTES;
    add_value(L, m);
  }
}

static void move_value(lua_State *L, lua_State *thread, measurement *m) {
  lua_xmove(thread, L, 1);
  add_value(L, m);
}

/// Locals and temporaries of all functions of a coroutine.
static void add_thread(lua_State *L, lua_State *thread, measurement *m) {
  m->bytes += THREAD_BYTES;
  lua_Debug frame;
  if (thread == L || !lua_checkstack(thread, 2)) return;
  for (int level = 0; lua_getstack(thread, level, &frame); ++level) {
    for (int i = 1; lua_getlocal(thread, &frame, i); ++i) move_value(L, thread, m);
    for (int i = -1; lua_getlocal(thread, &frame, i); --i) move_value(L, thread, m); /* varargs */
    lua_getinfo(thread, "f", &frame);
    move_value(L, thread, m);
  }
  for (int i = lua_gettop(thread); i > 0; --i) { /* of one that was not started */
    lua_pushvalue(thread, i);
    move_value(L, thread, m);
  }
}

static void look_into(lua_State *L, measurement *m) {
  const int at = lua_gettop(L);
  switch (lua_type(L, at)) {
  case LUA_TTABLE: add_table(L, at, m); break;
  case LUA_TFUNCTION: add_function(L, at, m); break;
  case LUA_TTHREAD: add_thread(L, lua_tothread(L, at), m); break;
  default: break;
  }
  lua_settop(L, at - 1);
}

/// Add what the table on top of the stack has at the keys in the table below it, and forget those that it has no more. Texts
/// are there twice, for the runtime has copies of those in blackboards.
static void add_written(lua_State *L, measurement *m) {
  const int board = lua_gettop(L), keys = board - 1;
  for (lua_pushnil(L); lua_next(L, keys); lua_settop(L, board + 1)) {
    lua_settop(L, board + 1);
    lua_pushvalue(L, board + 1);
    if (lua_rawget(L, board) == LUA_TNIL) {
      lua_pushvalue(L, board + 1);
      lua_pushnil(L);
      lua_rawset(L, keys);
      continue;
    }
    m->bytes += WRITTEN_BYTES;
    for (int i = board + 1; i <= board + 2; ++i)
      if (lua_type(L, i) == LUA_TSTRING) m->bytes += (int64_t)lua_rawlen(L, i);
    add_value(L, m);
    lua_pushvalue(L, board + 1);
    add_value(L, m);
  }
}

/// In protected mode, with the measurement as an argument behind the stack's.
static int measure(lua_State *L) {
  measurement *m = lua_touserdata(L, FOUND + 1);
  lua_settop(L, FOUND);
  lua_getiuservalue(L, BOX, LWL_SANDBOX_ENVIRONMENT);
  add_value(L, m);
  lua_getiuservalue(L, BOX, LWL_SANDBOX_EXPORTS);
  for (lua_pushnil(L); lua_next(L, FOUND + 1);) {
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    add_value(L, m);
  }
  lua_settop(L, FOUND);
  lua_getiuservalue(L, BOX, LWL_SANDBOX_WRITTEN);
  for (lua_pushnil(L); lua_next(L, FOUND + 1); lua_settop(L, FOUND + 2)) {
    lua_pushvalue(L, -2);
    add_written(L, m);
  }
  for (lua_Integer count; lua_settop(L, FOUND), count = (lua_Integer)lua_rawlen(L, FOUND), count > 0;) {
    lua_rawgeti(L, FOUND, count);
    lua_pushnil(L);
    lua_rawseti(L, FOUND, count);
    look_into(L, m);
  }
  return 0;
}

/// Empty the list of the sandbox at index. Allocates nothing.
static void clear_found(lua_State *L, int index) {
  lua_getiuservalue(L, index, LWL_SANDBOX_FOUND);
  for (lua_Integer i = (lua_Integer)lua_rawlen(L, -1); i > 0; --i) {
    lua_pushnil(L);
    lua_rawseti(L, -2, i);
  }
  lua_pop(L, 1);
}

void lwl_note_written(lua_State *L, const lwl_sandbox *sandbox, int table, int key) {
  if (!sandbox) return;
  const int top = lua_gettop(L);
  lwl_push_sandbox(L, sandbox);
  lua_getiuservalue(L, top + 1, LWL_SANDBOX_WRITTEN);
  lua_pushvalue(L, table);
  if (lua_rawget(L, top + 2) != LUA_TTABLE) {
    lua_newtable(L);
    lua_pushvalue(L, table);
    lua_pushvalue(L, -2);
    lua_rawset(L, top + 2);
  }
  lua_pushvalue(L, key);
  lua_pushboolean(L, 1);
  lua_rawset(L, -3);
  lua_settop(L, top);
}

void lwl_measure_sandbox(lua_State *L, int index) {
  lwl_sandbox *sandbox = lua_touserdata(L, index);
  index = lua_absindex(L, index);
  measurement m = {.memory = lwi_memory_make(NULL)};
  lua_pushcfunction(L, measure);
  lua_pushvalue(L, index);
  lua_getiuservalue(L, index, LWL_SANDBOX_BUILTINS);
  lua_getiuservalue(L, index, LWL_SANDBOX_OWNED);
  lua_getiuservalue(L, index, LWL_SANDBOX_FOUND);
  lua_pushlightuserdata(L, &m);
  if (lua_pcall(L, 5, 0, 0) == LUA_OK) {
    sandbox->held = m.bytes;
    sandbox->metatables = m.metatables;
    sandbox->allocated = 0;
  } else { /* no memory: no call here may need some */
    lua_pop(L, 1);
    clear_found(L, index);
  }
  lwi_hash_index_free(&m.seen, &m.memory);
}

void lwl_settle_sandbox(lua_State *L, lwl_sandbox *sandbox) {
  sandbox->held += sandbox->used;
  sandbox->used = 0;
  // What was freed may have been the game's, so that all that was allocated decides.
  const bool is_unsure =
      sandbox->allocated > sandbox->memory / 4 || sandbox->metatables > LWL_METATABLES_MAX / 2;
  if (!is_unsure || !lua_checkstack(L, 10)) return;
  lwl_push_sandbox(L, sandbox);
  lwl_measure_sandbox(L, lua_gettop(L));
  lua_pop(L, 1);
}
