/*
** What the scripts of a sandbox have allocated.
**
** A block that Lua allocates while a script of a sandbox runs has a tag before it that says whose it is, and counts as that
** sandbox's until it is freed, also where the game frees it later. Lua needs blocks that are aligned to 8 bytes, and malloc()
** aligns to 16, so that only those with a tag begin 8 bytes behind a multiple of 16.
*/
#include "sandbox.h"

#include "core/platform.h"

#include <stdlib.h>
#include <string.h>

/// Instructions that an allocation which was refused counts as: the collector ran for it.
enum { REFUSED = 50000 };
/// Bytes of an allocation that count as one instruction, from 256 on.
enum { BYTES = 64, BYTES_COUNTED = 256 };
/// Bytes of a tag; of what malloc() takes for a block beside, about; and that blocks are aligned to.
enum { TAG = 8, BESIDE = 8, ALIGNED = 16 };

static const char allocator_key = 'a';

struct lwl_usage {
  int64_t bytes;
  int64_t blocks;
  uint64_t number;
  bool is_closed; ///< The sandbox is gone; this goes with its last block.
  struct allocator *of;
  lwl_usage *next; ///< Of those that have no blocks and no sandbox.
};

/// The allocator of a state with sandboxes. Lives until that is closed.
typedef struct allocator {
  lua_Alloc allocate;
  void *user;
  const lwl_calls *calls; ///< NULL: the state is being closed.
  lua_State *main;        ///< Of the main coroutine.
  const void *state;      ///< Its block, which is freed last.
  uint64_t secret;        ///< In tags.
  bool has_tags;          ///< Blocks are aligned as tags need it.
  lwl_usage **usages;     ///< [usage_count] By number.
  uint64_t usage_count, usage_capacity;
  lwl_usage *free_usages;
} allocator;

// --- tags ----------------------------------------------------------------------------------------------------

/// The number of the usage of scripts whose sandbox was collected, and whose functions a finaliser has brought back.
enum { OF_CLOSED };

/// The low bits of a tag are the usage's number.
#define NUMBERS UINT64_C(0xffff)

/// A block's tag without the number: different for each place, so that a copy elsewhere is not valid.
static uint64_t tag_at(const allocator *of, const char *start) {
  return (of->secret ^ (uint64_t)(uintptr_t)start * UINT64_C(0x9e3779b97f4a7c15)) & ~NUMBERS;
}

/// Bytes to ask for, of a block with a tag: at least as many as malloc() aligns to 16.
static size_t with_tag(size_t size) {
  return (size < ALIGNED - TAG ? ALIGNED - TAG : size) + TAG;
}

/// Whose the block is. @return NULL: the game's.
static lwl_usage *usage_of(const allocator *of, const void *block) {
  if ((uintptr_t)block % ALIGNED != TAG) return NULL;
  const char *start = (const char *)block - TAG;
  uint64_t tag;
  memcpy(&tag, start, TAG);
  const uint64_t number = tag & NUMBERS;
  return (tag & ~NUMBERS) == tag_at(of, start) && number < of->usage_count ? of->usages[number] : NULL;
}

static void *set_tag(const allocator *of, const lwl_usage *usage, char *start) {
  const uint64_t tag = tag_at(of, start) | usage->number;
  memcpy(start, &tag, TAG);
  return start + TAG;
}

// --- usages ------------------------------------------------------------------------------------------------

static void count_block(lwl_usage *usage, size_t before, size_t now) {
  usage->bytes += (int64_t)now - (int64_t)before;
}

static void free_if_unused(lwl_usage *usage) {
  if (!usage->is_closed || usage->blocks > 0) return;
  usage->next = usage->of->free_usages;
  usage->of->free_usages = usage;
}

/// @return NULL: there is no memory, or there are 65,536.
static lwl_usage *open_usage(allocator *of) {
  lwl_usage *usage = of->free_usages;
  if (usage) {
    of->free_usages = usage->next;
    *usage = (lwl_usage){.number = usage->number, .of = of};
    return usage;
  }
  if (of->usage_count > NUMBERS) return NULL;
  if (of->usage_count == of->usage_capacity) {
    const uint64_t capacity = 2 * of->usage_capacity + 8;
    lwl_usage **moved = realloc(of->usages, capacity * sizeof *moved);
    if (!moved) return NULL;
    of->usages = moved;
    of->usage_capacity = capacity;
  }
  usage = malloc(sizeof *usage);
  if (!usage) return NULL;
  *usage = (lwl_usage){.number = of->usage_count, .of = of};
  return of->usages[of->usage_count++] = usage;
}

static allocator *allocator_of(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &allocator_key);
  allocator *const *of = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return of ? *of : NULL;
}

void lwl_open_usage(lua_State *L, lwl_sandbox *sandbox) {
  sandbox->usage = open_usage(allocator_of(L));
  if (!sandbox->usage) luaL_error(L, "sandbox: not enough memory, or there are 65536 sandboxes");
}

void lwl_close_usage(lwl_sandbox *sandbox) {
  lwl_usage *usage = sandbox->usage;
  if (!usage) return;
  sandbox->usage = usage->of->usages[OF_CLOSED];
  usage->is_closed = true;
  free_if_unused(usage);
}

int64_t lwl_sandbox_bytes(const lwl_sandbox *sandbox) {
  return sandbox->usage->bytes + sandbox->grown;
}

/// What an object of the runtime takes.
typedef struct counted_object {
  lwl_usage *usage;
  int64_t bytes;
} counted_object;

static void end_counted_object(void *object) {
  const counted_object *of = object;
  of->usage->bytes -= of->bytes;
  of->usage->blocks -= 1;
  free_if_unused(of->usage);
  free(object);
}

void lwl_count_box(lua_State *L, lwl_box *box, size_t bytes) {
  const lwl_sandbox *sandbox = lwl_get_calls(L)->sandbox;
  if (!sandbox) return;
  lwl_shared *base = malloc(sizeof *base);
  counted_object *of = malloc(sizeof *of);
  if (!base || !of) {
    free(base);
    free(of);
    return;
  }
  *of = (counted_object){sandbox->usage, (int64_t)bytes};
  *base = (lwl_shared){.object = of, .destroy = end_counted_object, .base = box->shared->base, .count = 1};
  box->shared->base = base; /* released after the object */
  sandbox->usage->bytes += of->bytes;
  sandbox->usage->blocks += 1;
}

int lwl_pcall_for(lua_State *L, lwl_calls *calls, lwl_sandbox *sandbox, int arguments, int results) {
  lwl_sandbox *before = calls->sandbox;
  calls->sandbox = sandbox;
  const int status = lua_pcall(L, arguments, results, 0);
  calls->sandbox = before;
  return status;
}

static int new_thread(lua_State *L) {
  lua_newthread(L);
  return 1;
}

lua_State *lwl_new_thread(lua_State *L, lwl_calls *calls, lwl_sandbox *sandbox) {
  lua_pushcfunction(L, new_thread);
  if (lwl_pcall_for(L, calls, sandbox, 0, 1) != LUA_OK) lua_error(L);
  return lua_tothread(L, -1);
}

// --- the allocator -------------------------------------------------------------------------------------------

/// Is it the block of a table for more keys beside its list than may be put into a larger one, in one instruction? They may
/// be such that each is compared with all before it. Lists are no multiples of 3.
static bool has_too_many_keys(size_t kind, size_t size) {
  enum { BYTES_A_KEY = 24 };
  const size_t keys = size / BYTES_A_KEY;
  return kind == 0 && keys > LWL_TABLE_KEYS_MAX && size % BYTES_A_KEY == 0 && (keys & (keys - 1)) == 0;
}

/// @param kind  Of a new block: LUA_TSTRING, ... Of one that grows: 0.
static lwl_excess excess_of(const lwl_sandbox *sandbox, size_t kind, size_t size, size_t more) {
  if (kind == LUA_TSTRING && size > sandbox->string_max) return LWL_EXCESS_STRING;
  if (has_too_many_keys(kind, size)) return LWL_EXCESS_KEYS;
  return lwl_sandbox_bytes(sandbox) + (int64_t)more > sandbox->memory ? LWL_EXCESS_MEMORY : LWL_NO_EXCESS;
}

/// @param kind  As of excess_of().
static bool may_grow(const allocator *of, lwl_sandbox *sandbox, size_t kind, size_t size, size_t more) {
  lwl_budget *budget = sandbox->calls->budget;
  const lwl_excess excess = excess_of(sandbox, kind, size, more);
  if (excess == LWL_NO_EXCESS) {
    sandbox->is_short = false;
    sandbox->allocated += (int64_t)more;
    if (kind == LUA_TSTRING && size > sandbox->longest) sandbox->longest = size;
    if (more >= BYTES_COUNTED) lwl_take_work(budget, (int64_t)(more / BYTES));
    return true;
  }
  if (lwl_is_in_finaliser(of->main)) return true; /* of the game: the script is not to make it fail */
  // Lua asks for memory again, after the collector has run.
  const bool is_final = sandbox->is_short || excess != LWL_EXCESS_MEMORY;
  if (is_final && sandbox->excess == LWL_NO_EXCESS) sandbox->excess = excess;
  sandbox->is_short = true;
  lwl_take_work(budget, REFUSED);
  return false;
}

static void *allocate_block(const allocator *of, lwl_usage *usage, size_t kind, size_t size) {
  char *start = of->allocate(of->user, NULL, kind, with_tag(size));
  if (!start) return NULL;
  usage->blocks += 1;
  count_block(usage, 0, with_tag(size) + BESIDE);
  return set_tag(of, usage, start);
}

/// Of one with a tag.
static void *resize_block(const allocator *of, lwl_usage *usage, void *block, size_t old, size_t size) {
  char *start = (char *)block - TAG;
  if (size > 0) {
    start = of->allocate(of->user, start, with_tag(old), with_tag(size));
    if (!start) return NULL;
    count_block(usage, with_tag(old), with_tag(size));
    return set_tag(of, usage, start);
  }
  memset(start, 0, TAG);
  of->allocate(of->user, start, with_tag(old), 0);
  count_block(usage, with_tag(old) + BESIDE, 0);
  usage->blocks -= 1;
  free_if_unused(usage);
  return NULL;
}

static void free_allocator(allocator *of) {
  for (uint64_t i = 0; i < of->usage_count; ++i) free(of->usages[i]);
  free(of->usages);
  free(of);
}

/// Of the game's. One that grows while a script runs, such as the stack, counts for so long.
static void *resize_games(allocator *of, lwl_sandbox *sandbox, void *block, size_t old, size_t size) {
  void *now = of->allocate(of->user, block, old, size);
  if (sandbox && block && now) {
    sandbox->grown += (int64_t)size - (int64_t)old;
    if (sandbox->grown < 0) sandbox->grown = 0; /* it was larger when the script began */
  }
  if (block == of->state && size == 0) free_allocator(of);
  return now;
}

/// lua_Alloc.
static void *count_memory(void *user, void *block, size_t old, size_t size) {
  allocator *of = user;
  lwl_sandbox *sandbox = of->calls ? of->calls->sandbox : NULL;
  const size_t before = block ? old : 0;
  if (sandbox && size > before && !may_grow(of, sandbox, block ? 0 : old, size, size - before)) return NULL;
  lwl_usage *usage = block ? usage_of(of, block) : NULL;
  if (usage) return resize_block(of, usage, block, old, size);
  if (!block && size > 0 && sandbox && of->has_tags) return allocate_block(of, sandbox->usage, old, size);
  return resize_games(of, sandbox, block, old, size);
}

/// The state is being closed: what it frees from now on is looked up as before, but no sandbox runs.
static int end_counting(lua_State *L) {
  allocator **of = lua_touserdata(L, 1);
  if (*of) (*of)->calls = NULL;
  *of = NULL;
  return 0;
}

/// Whether blocks of several sizes are aligned to 16 bytes: those of malloc() are.
static bool is_aligned(lua_Alloc allocate, void *user) {
  void *blocks[8];
  uintptr_t bits = 0;
  const size_t count = sizeof blocks / sizeof *blocks;
  for (size_t i = 0; i < count; ++i) {
    blocks[i] = allocate(user, NULL, 0, with_tag(12 * i));
    bits |= (uintptr_t)blocks[i];
  }
  for (size_t i = 0; i < count; ++i)
    if (blocks[i]) allocate(user, blocks[i], with_tag(12 * i), 0);
  return bits % ALIGNED == 0;
}

void lwl_count_memory(lua_State *L, const lwl_calls *calls) {
  if (allocator_of(L)) return;
  allocator **box = lua_newuserdatauv(L, sizeof(allocator *), 0);
  *box = NULL;
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, end_counting);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &allocator_key);
  allocator *of = malloc(sizeof *of);
  if (!of) luaL_error(L, "sandbox: not enough memory");
  *of = (allocator){.calls = calls, .secret = (uint64_t)(uintptr_t)of ^ (uint64_t)(lwi_clock() * 1e9)};
  of->allocate = lua_getallocf(L, &of->user);
  of->has_tags = is_aligned(of->allocate, of->user);
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_MAINTHREAD);
  of->main = lua_tothread(L, -1);
  of->state = lua_getextraspace(of->main);
  lua_pop(L, 1);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &allocator_key);
  box = lua_touserdata(L, -1);
  lua_pop(L, 1);
  *box = of;
  if (!open_usage(of)) luaL_error(L, "sandbox: not enough memory"); /* OF_CLOSED */
  lua_setallocf(L, count_memory, of);
}

// --- blackboards ---------------------------------------------------------------------------------------------

/// Bytes of a key of a blackboard in the runtime and among those that were written, beside its texts.
enum { A_KEY = 200 };

/// Forget keys that the game has taken away from the table on top of the stack. The stack below: keys of it.
static void prune_keys(lua_State *L, lwl_sandbox *sandbox) {
  const int table = lua_gettop(L), keys = table - 1;
  for (lua_pushnil(L); lua_next(L, keys); lua_settop(L, table + 1)) {
    lua_settop(L, table + 1);
    lua_pushvalue(L, -1);
    const bool is_there = lua_rawget(L, table) != LUA_TNIL;
    sandbox->written += is_there;
    if (is_there) continue;
    lua_pushvalue(L, table + 1);
    lua_pushnil(L);
    lua_rawset(L, keys);
  }
}

/// Do so for the list of all tables on top of the stack.
static void prune_written(lua_State *L, lwl_sandbox *sandbox) {
  const int list = lua_gettop(L);
  sandbox->written = 0;
  for (lua_pushnil(L); lua_next(L, list); lua_settop(L, list + 1)) {
    lua_pushvalue(L, list + 1);
    prune_keys(L, sandbox);
  }
  sandbox->written_max = 2 * sandbox->written;
}

/// Push what was noted of the table at index. @param list  Index of the list of all tables.
static void push_keys(lua_State *L, int list, int table) {
  lua_pushvalue(L, table);
  if (lua_rawget(L, list) == LUA_TTABLE) return;
  lua_pop(L, 1);
  lua_newtable(L);
  lua_pushvalue(L, table);
  lua_pushvalue(L, -2);
  lua_rawset(L, list);
}

void lwl_note_written(lua_State *L, lwl_sandbox *sandbox, int table, int key, int value) {
  enum { WRITTEN_FEW = 64 };
  if (!sandbox) return;
  const int top = lua_gettop(L), list = top + 1, keys = top + 2;
  luaL_checkstack(L, 8, NULL);
  lwl_push_sandbox(L, sandbox);
  lua_getiuservalue(L, -1, LWL_SANDBOX_WRITTEN);
  lua_replace(L, list);
  if (sandbox->written >= WRITTEN_FEW && sandbox->written >= sandbox->written_max) prune_written(L, sandbox);
  push_keys(L, list, table);
  lua_pushvalue(L, key);
  lua_rawget(L, keys);
  size_t size = A_KEY;
  if (lua_type(L, key) == LUA_TSTRING) size += lua_rawlen(L, key);
  if (lua_type(L, value) == LUA_TSTRING) size += lua_rawlen(L, value);
  if (lua_isnil(L, -1)) sandbox->written += 1;
  if (lua_isnil(L, value) || lua_rawlen(L, -1) != size) {
    lua_pushvalue(L, key);
    if (lua_isnil(L, value))
      lua_pushnil(L);
    else
      lua_newuserdatauv(L, size, 0); /* as large as what the runtime has of it */
    lua_rawset(L, keys);
  }
  lua_settop(L, top);
}

// --- the collector -------------------------------------------------------------------------------------------

void lwl_settle_sandbox(lua_State *L, lwl_sandbox *sandbox) {
  sandbox->grown = 0;
  const int64_t half = sandbox->memory / 2;
  if (sandbox->usage->bytes <= half || !lua_gc(L, LUA_GCISRUNNING)) {
    sandbox->allocated = 0;
    return;
  }
  // Lua collects when its whole heap has grown. Let it go through that while the sandbox fills the half that is left, so
  // that its garbage is gone before its memory is used up, and no collection has to run at once.
  const int64_t kilobytes = lua_gc(L, LUA_GCCOUNT) + 1, due = sandbox->allocated * kilobytes / half;
  if (due < 1) return;
  sandbox->allocated = 0;
  lua_gc(L, LUA_GCSTEP, (int)(due < 2 * kilobytes ? due : 2 * kilobytes));
}
