/*
** Data files: Lua text that returns a table and has no other effect. A file runs in a Lua state of its own
** without libraries (strings have no methods either), within limits of steps, memory and time. Its result is
** copied.
*/
#include "lwl.h"

#include "core/file.h"

#include <stdlib.h>
#include <string.h>

#define TEXT_MAX (1 << 20)    ///< Size of a file. [bytes]
#define MEMORY_MAX (16 << 20) ///< Memory of its Lua state. [bytes]
#define STEPS_MAX 1000000     ///< Lua instructions.
#define STEPS_A_CHECK 100     ///< Lua instructions between checks of the limits.
#define SECONDS_MAX 0.25      ///< Processor time: one step may compare long strings.
#define VALUES_MAX 100000     ///< Values in the result.
#define DEPTH_MAX 16          ///< Tables within tables in the result.
#define PATH_MAX_BYTES 256    ///< Path of a key in a message.

typedef enum stop { NOT_STOPPED, STOPPED_STEPS, STOPPED_TIME } stop;

/// The resources for reading a file, in a userdata that frees them after an error too.
typedef struct sandbox {
  lwi_memory memory; ///< Of the text.
  unsigned char *text;
  size_t length;
  lua_State *state;
  size_t bytes;
  bool out_of_memory; ///< An allocation was refused.
  stop stop;
  int line, checks;
  double deadline;
} sandbox;

static void close_sandbox(sandbox *box) {
  if (box->state) lua_close(box->state);
  lwi_free(&box->memory, box->text, box->length);
  *box = (sandbox){0};
}

static int sandbox_gc(lua_State *L) {
  close_sandbox(lua_touserdata(L, 1));
  return 0;
}

static sandbox *push_sandbox(lua_State *L) {
  sandbox *box = lua_newuserdatauv(L, sizeof *box, 0);
  *box = (sandbox){.memory = lwi_memory_make(NULL)};
  if (luaL_newmetatable(L, "leeward.sandbox")) {
    lua_pushcfunction(L, sandbox_gc);
    lua_setfield(L, -2, "__gc");
  }
  lua_setmetatable(L, -2);
  return box;
}

// --- reading -------------------------------------------------------------------------------------------------

/// @return NULL, or an error message.
static const char *read_text(sandbox *box, const char *file) {
  const char *reason;
  switch (lwi_file_read_up_to(file, TEXT_MAX, &box->memory, &box->text, &box->length, &reason)) {
  case LW_OK: return NULL;
  case LW_LIMIT: return "is larger than 1 MiB";
  case LW_OUT_OF_MEMORY: return "not enough memory";
  default: return reason;
  }
}

/// The text without a byte order mark and a first line for the shell, which `lua` skips too. Lines keep their
/// numbers.
static const char *skip_head(const sandbox *box, size_t *length) {
  const char *text = box->text ? (const char *)box->text : "", *end = text + box->length;
  if (box->length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) text += 3;
  if (text < end && *text == '#')
    while (text < end && *text != '\n') ++text;
  *length = (size_t)(end - text);
  return text;
}

// --- running -------------------------------------------------------------------------------------------------

static void *allocate(void *user, void *block, size_t old, size_t size) {
  sandbox *box = user;
  if (!block) old = 0; /* Lua passes the kind of object there */
  if (size > old && size - old > MEMORY_MAX - box->bytes) return box->out_of_memory = true, NULL;
  void *moved = NULL;
  if (size == 0)
    free(block);
  else if (!(moved = realloc(block, size)))
    return NULL;
  box->bytes = box->bytes - old + size;
  return moved;
}

static void check_limits(lua_State *S, lua_Debug *event) {
  void *user = NULL;
  lua_getallocf(S, &user);
  sandbox *box = user;
  if (++box->checks > STEPS_MAX / STEPS_A_CHECK)
    box->stop = STOPPED_STEPS;
  else if (lwi_clock_thread() > box->deadline)
    box->stop = STOPPED_TIME;
  else
    return;
  lua_getinfo(S, "l", event);
  box->line = event->currentline;
  lua_pushnil(S);
  lua_error(S);
}

/// In protected mode: run the text at index 1.
static int execute(lua_State *S) {
  const sandbox *box = lua_touserdata(S, 1);
  size_t length = 0;
  const char *text = skip_head(box, &length);
  if (luaL_loadbufferx(S, text, length, "=?", "t") != LUA_OK) return lua_error(S);
  lua_newtable(S);
  if (!lua_setupvalue(S, -2, 1)) lua_pop(S, 1); /* a chunk without globals has no environment */
  lua_sethook(S, check_limits, LUA_MASKCOUNT, STEPS_A_CHECK);
  lua_call(S, 0, 1);
  lua_sethook(S, NULL, 0, 0);
  return 1;
}

static _Noreturn void raise_in(lua_State *L, const char *file, int line, const char *format,
                               const char *detail) {
  luaL_where(L, 1);
  lua_pushstring(L, file);
  if (line > 0)
    lua_pushfstring(L, ":%d: ", line);
  else
    lua_pushstring(L, ": ");
  lua_pushfstring(L, format, detail);
  lua_concat(L, 4);
  lua_error(L);
  abort(); /* not reached */
}

/// The file has failed with the value on top of its state's stack.
static _Noreturn void raise_failure(lua_State *L, const sandbox *box, const char *file) {
  if (box->stop == STOPPED_STEPS)
    raise_in(L, file, box->line, "takes more than %s steps: data files only state values", "1000000");
  if (box->stop == STOPPED_TIME)
    raise_in(L, file, box->line, "takes more than %s s: data files only state values", "0.25");
  if (box->out_of_memory) raise_in(L, file, 0, "takes more than %s MiB of memory", "16");
  const char *message = lua_type(box->state, -1) == LUA_TSTRING ? lua_tostring(box->state, -1) : NULL;
  if (!message) raise_in(L, file, box->line, "%s", "raises an error without a message");
  // The chunk is named "?", since Lua shortens long names; the file's name replaces it.
  if (strncmp(message, "?:", 2) == 0) {
    luaL_where(L, 1);
    const bool running = strstr(message, "attempt to ") != NULL;
    lua_pushfstring(L, "%s%s%s", file, message + 1,
                    running ? ": data files only state values, there are no functions" : "");
    lua_concat(L, 2);
    lua_error(L);
  }
  raise_in(L, file, 0, "%s", message);
}

// --- copying the result --------------------------------------------------------------------------------------

/// The place of a value in the result, for messages.
typedef struct place {
  const char *file;
  int values, depth;
  size_t length; ///< Of `key`.
  char key[PATH_MAX_BYTES];
} place;

static void add_to_key(place *at, const char *format, const char *text, lua_Integer number) {
  char *end = at->key + at->length;
  const size_t space = sizeof at->key - at->length;
  const int added = text ? snprintf(end, space, format, text) : snprintf(end, space, format, (long long)number);
  if (added > 0) at->length += (size_t)added < space ? (size_t)added : space - 1;
}

static void enter_key(place *at, lua_State *S, int index) {
  if (lua_isinteger(S, index))
    add_to_key(at, "[%lld]", NULL, lua_tointeger(S, index));
  else if (lua_type(S, index) == LUA_TSTRING)
    add_to_key(at, at->length > 0 ? ".%s" : "%s", lua_tostring(S, index), 0);
  else
    add_to_key(at, "[%s]", luaL_typename(S, index), 0);
}

static _Noreturn void raise_value(lua_State *L, const place *at, const char *message, const char *detail) {
  const lwl_at where = {at->file, ""};
  lwl_raise_at(L, &where, at->key, message, detail);
}

static void copy_value(lua_State *L, lua_State *S, int index, place *at);

/// Copy the table at index of S to the top of L.
static void copy_table(lua_State *L, lua_State *S, int index, place *at) {
  if (++at->depth > DEPTH_MAX) raise_value(L, at, "is a table within %s tables or more, expected fewer", "16");
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  if (!lua_checkstack(S, LUA_MINSTACK)) luaL_error(L, "not enough memory");
  const size_t length = at->length;
  lua_newtable(L);
  lua_pushnil(S);
  while (lua_next(S, index)) {
    enter_key(at, S, -2);
    copy_value(L, S, lua_gettop(S) - 1, at);
    copy_value(L, S, lua_gettop(S), at);
    lua_rawset(L, -3);
    lua_pop(S, 1);
    at->length = length;
    at->key[length] = '\0';
  }
  --at->depth;
}

static void copy_value(lua_State *L, lua_State *S, int index, place *at) {
  if (++at->values > 2 * VALUES_MAX)
    raise_value(L, at, "is one of more than %s values, expected fewer", "100000");
  switch (lua_type(S, index)) {
  case LUA_TNIL: lua_pushnil(L); break;
  case LUA_TBOOLEAN: lua_pushboolean(L, lua_toboolean(S, index)); break;
  case LUA_TNUMBER:
    if (lua_isinteger(S, index))
      lua_pushinteger(L, lua_tointeger(S, index));
    else
      lua_pushnumber(L, lua_tonumber(S, index));
    break;
  case LUA_TSTRING: {
    size_t length = 0;
    const char *text = lua_tolstring(S, index, &length);
    lua_pushlstring(L, text, length);
    break;
  }
  case LUA_TTABLE: copy_table(L, S, index, at); break;
  default: raise_value(L, at, "is a %s, expected a boolean, number, string or table", luaL_typename(S, index));
  }
}

// --- a file --------------------------------------------------------------------------------------------------

/// Push the result of the text in the box.
static void run(lua_State *L, sandbox *box, const char *file) {
  box->deadline = lwi_clock_thread() + SECONDS_MAX;
  box->state = lua_newstate(allocate, box);
  if (!box->state) luaL_error(L, "not enough memory");
  lua_State *S = box->state;
  lua_pushcfunction(S, execute);
  lua_pushlightuserdata(S, box);
  if (lua_pcall(S, 1, 1, 0) != LUA_OK) raise_failure(L, box, file);
  if (!lua_istable(S, -1)) {
    const char *got =
        lua_type(S, -1) == LUA_TNIL ? "nothing" : lua_pushfstring(L, "a %s", luaL_typename(S, -1));
    raise_in(L, file, 0, "result is %s, expected a table", got);
  }
  place at = {.file = file};
  copy_table(L, S, lua_gettop(S), &at);
}

/// Whether the registry entry at index has this text.
static bool is_same_text(lua_State *L, int entry, const sandbox *box) {
  size_t length = 0;
  lwl_get(L, entry, "text");
  const char *text = lua_tolstring(L, -1, &length);
  const bool same = text && length == box->length && (length == 0 || memcmp(text, box->text, length) == 0);
  lua_pop(L, 1);
  return same;
}

/// Push the entry of the file if its text is the same, from before a reload too. @return Whether there is one.
static bool push_same_entry(lua_State *L, const char *file, const sandbox *box) {
  static const lwl_registry places[] = {LWL_REG_FILES, LWL_REG_OLD_FILES};
  const int top = lua_gettop(L);
  for (int i = 0; i < 2; ++i) {
    lwl_push_registry(L, places[i]);
    if (lua_getfield(L, -1, file) == LUA_TTABLE && is_same_text(L, lua_gettop(L), box)) {
      lua_replace(L, top + 1);
      lua_settop(L, top + 1);
      return true;
    }
    lua_settop(L, top);
  }
  return false;
}

/// Run the file and push a new entry for it.
static void push_new_entry(lua_State *L, const char *file, sandbox *box) {
  lua_createtable(L, 0, 3);
  const int entry = lua_gettop(L);
  run(L, box, file);
  lua_setfield(L, entry, "values");
  lua_pushlstring(L, (const char *)box->text, box->length);
  lua_setfield(L, entry, "text");
}

void lwl_run_data(lua_State *L, const char *file) {
  luaL_checkstack(L, 2 * LUA_MINSTACK, NULL);
  const int bottom = lua_gettop(L) + 1;
  sandbox *box = push_sandbox(L);
  const char *problem = read_text(box, file);
  if (problem) raise_in(L, file, 0, "%s", lua_pushstring(L, problem));
  if (!push_same_entry(L, file, box)) push_new_entry(L, file, box);
  lwl_push_registry(L, LWL_REG_FILES);
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, file);
  lua_pop(L, 1);
  close_sandbox(box);
  lwl_get(L, lua_gettop(L), "values");
  lua_replace(L, bottom);
  lua_settop(L, bottom);
}

void lwl_accept_data(lua_State *L, const char *file) {
  lwl_push_registry(L, LWL_REG_FILES);
  if (lua_getfield(L, -1, file) == LUA_TTABLE) {
    lua_pushboolean(L, 1);
    lua_setfield(L, -2, "good");
  }
  lua_pop(L, 2);
}
