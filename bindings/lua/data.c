/*
** Data files: Lua text that returns a table and has no other effect. A file runs in a Lua state of its own
** without libraries (strings have no methods either), within limits of steps and bytes. Its result is copied.
*/
#include "lwl.h"

#include "core/file.h"

#include <stdlib.h>
#include <string.h>

// What a file may use. All are counted in what it does, none in seconds, so that a file that loads on one machine
// loads on every other. A file that uses all of it takes less than 0.2 s.

/// Size of a file. [bytes] Lua's compiler takes time that grows with the square of some texts.
#define TEXT_MAX (64 << 10)
/// Lua instructions. A file that states values takes about one for each.
#define STEPS_MAX 100000
#define STEPS_A_CHECK 100 ///< Lua instructions between checks of them.
/// All that the file's Lua state ever allocates. [bytes] Freeing gives nothing back: copying costs time, too.
#define ALLOCATED_MAX (16 << 20)
/// Length of a string. [bytes] Comparing two is a single instruction.
#define STRING_MAX 1024
/// Values in the result. A table that is there twice counts twice, since it is copied twice.
#define VALUES_MAX 10000
#define DEPTH_MAX 16       ///< Tables within tables in the result: they are copied by recursion.
#define PATH_MAX_BYTES 256 ///< Path of a key in a message.

typedef enum stop { NOT_STOPPED, STOPPED_STEPS, STOPPED_BYTES, STOPPED_STRING } stop;

/// The resources for reading a file, in a userdata that frees them after an error too.
typedef struct sandbox {
  lwi_memory memory; ///< Of the text.
  unsigned char *text;
  size_t length;
  lua_State *state;
  size_t allocated;
  stop stop; ///< The limit that it has reached. From then on it is given nothing.
  int line;  ///< That the compiler has got to, or where the file was stopped.
  int checks;
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
  if (luaL_newmetatable(L, "leeward.datafile")) {
    lua_pushcfunction(L, sandbox_gc);
    lua_setfield(L, -2, "__gc");
  }
  lua_setmetatable(L, -2);
  return box;
}

// --- reading -------------------------------------------------------------------------------------------------

/// @return NULL, or an error message, which may be pushed.
static const char *read_text(lua_State *L, sandbox *box, const char *file) {
  const char *reason;
  switch (lwi_file_read_up_to(file, TEXT_MAX, &box->memory, &box->text, &box->length, &reason)) {
  case LW_OK: return NULL;
  case LW_LIMIT: return lua_pushfstring(L, "is larger than %d KiB", TEXT_MAX >> 10);
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

/// Stop the file in the line that it runs, or that the compiler has got to.
static void stop_at(sandbox *box, stop why) {
  lua_Debug event;
  if (box->stop != NOT_STOPPED) return;
  box->stop = why;
  if (box->state && lua_getstack(box->state, 0, &event) && lua_getinfo(box->state, "l", &event) &&
      event.currentline > 0)
    box->line = event.currentline;
}

/// Whether the state may have the block. Lua gives the kind of a new object in place of its old size.
static bool may_allocate(sandbox *box, const void *block, size_t kind, size_t size) {
  const size_t string_head = 64; /* at least what Lua adds to a string */
  if (box->allocated + size > ALLOCATED_MAX)
    stop_at(box, STOPPED_BYTES);
  else if (!block && kind == LUA_TSTRING && size > STRING_MAX + string_head)
    stop_at(box, STOPPED_STRING);
  return box->stop == NOT_STOPPED;
}

static void *allocate(void *user, void *block, size_t old, size_t size) {
  sandbox *box = user;
  if (size == 0) return free(block), NULL;
  const bool grows = !block || size > old;
  if (grows && !may_allocate(box, block, old, size)) return NULL;
  void *moved = realloc(block, size);
  if (moved) box->allocated += size;
  return moved;
}

static void count_steps(lua_State *S, lua_Debug *event) {
  (void)event;
  void *user = NULL;
  lua_getallocf(S, &user);
  sandbox *box = user;
  if (++box->checks <= STEPS_MAX / STEPS_A_CHECK) return;
  stop_at(box, STOPPED_STEPS);
  lua_pushnil(S);
  lua_error(S);
}

/// The rest of a text that is handed to the compiler.
typedef struct text_left {
  sandbox *box;
  const char *at, *end;
} text_left;

/// A lua_Reader that hands over a line at a time: some errors of the compiler do not name theirs.
static const char *read_line(lua_State *S, void *user, size_t *length) {
  (void)S;
  text_left *left = user;
  const char *line = left->at;
  *length = (size_t)(left->end - line);
  if (*length == 0) return NULL;
  const char *newline = memchr(line, '\n', *length);
  if (newline) *length = (size_t)(newline + 1 - line);
  left->at += *length;
  ++left->box->line;
  return line;
}

/// __index of the environment: a text without quotes is a name that would be nil without a word.
static int raise_unknown_name(lua_State *S) {
  const char *name = lua_isstring(S, 2) ? lua_tostring(S, 2) : luaL_typename(S, 2);
  return luaL_error(S,
                    "unknown name '%s': data files have no variables and functions; a text needs quotes: '%s'",
                    name, name);
}

/// Push a table in which every name that the file has not set is an error.
static void push_environment(lua_State *S) {
  lua_newtable(S);
  lua_newtable(S);
  lua_pushcfunction(S, raise_unknown_name);
  lua_setfield(S, -2, "__index");
  lua_setmetatable(S, -2);
}

/// In protected mode: run the text of the sandbox at index 1.
static int execute(lua_State *S) {
  sandbox *box = lua_touserdata(S, 1);
  size_t length = 0;
  const char *text = skip_head(box, &length);
  text_left left = {box, text, text + length};
  if (lua_load(S, read_line, &left, "=?", "t") != LUA_OK) return lua_error(S);
  box->line = 0;
  push_environment(S);
  if (!lua_setupvalue(S, -2, 1)) lua_pop(S, 1); /* a chunk without globals has no environment */
  lua_sethook(S, count_steps, LUA_MASKCOUNT, STEPS_A_CHECK);
  lua_call(S, 0, 1);
  lua_sethook(S, NULL, 0, 0);
  return 1;
}

/// Raise that something is wrong in a line of the file. @param line  0: in all of it.
static _Noreturn void raise_in(lua_State *L, const char *file, int line, const char *message) {
  lwl_raise(L, line > 0 ? lua_pushfstring(L, "%s:%d", file, line) : file, "%s", message);
}

static _Noreturn void raise_stop(lua_State *L, const sandbox *box, const char *file) {
  static const char about[] = ": data files only state values";
  const char *message = "";
  switch (box->stop) {
  case STOPPED_STEPS: message = lua_pushfstring(L, "takes more than %d steps%s", STEPS_MAX, about); break;
  case STOPPED_BYTES:
    message = lua_pushfstring(L, "takes more than %d MiB of memory in all%s", ALLOCATED_MAX >> 20, about);
    break;
  case STOPPED_STRING:
    message = lua_pushfstring(L, "makes a string of more than %d bytes, expected shorter ones", STRING_MAX);
    break;
  case NOT_STOPPED: break;
  }
  raise_in(L, file, box->line, message);
}

/// The file has failed with the value on top of its state's stack.
static _Noreturn void raise_failure(lua_State *L, const sandbox *box, const char *file) {
  if (box->stop != NOT_STOPPED) raise_stop(L, box, file);
  const char *message = lua_type(box->state, -1) == LUA_TSTRING ? lua_tostring(box->state, -1) : NULL;
  if (!message) raise_in(L, file, 0, "raises an error without a message");
  if (strcmp(message, "C stack overflow") == 0)
    raise_in(L, file, box->line, "nests tables or expressions about 200 deep, expected fewer");
  // The chunk is named "?", since Lua shortens long names; the file's name replaces it.
  if (strncmp(message, "?:", 2) != 0) raise_in(L, file, box->line, message);
  const char *text = strchr(message + 2, ' ');
  const bool running = strstr(message, "attempt to ") != NULL;
  const char *about = running ? ": data files only state values, there are no functions" : "";
  raise_in(L, file, atoi(message + 2), lua_pushfstring(L, "%s%s", text ? text + 1 : message, about));
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
    add_to_key(at, at->length > 0 ? ".%.63s" : "%.63s", lua_tostring(S, index), 0);
  else
    add_to_key(at, "[%s]", luaL_typename(S, index), 0);
}

static _Noreturn void raise_value(lua_State *L, const place *at, const char *message) {
  const lwl_at where = {at->file, ""};
  lwl_raise_at(L, &where, at->key, "%s", message);
}

static void copy_value(lua_State *L, lua_State *S, int index, place *at);

/// Copy the table at index of S to the top of L.
static void copy_table(lua_State *L, lua_State *S, int index, place *at) {
  if (++at->depth > DEPTH_MAX)
    raise_value(L, at, lua_pushfstring(L, "is a table within %d tables or more, expected fewer", DEPTH_MAX));
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  if (!lua_checkstack(S, LUA_MINSTACK)) luaL_error(L, "not enough memory");
  const size_t length = at->length;
  lua_newtable(L);
  lua_pushnil(S);
  while (lua_next(S, index)) {
    enter_key(at, S, -2);
    ++at->values;
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
  if (at->values > VALUES_MAX)
    raise_value(L, at, lua_pushfstring(L, "is one of more than %d values, expected fewer", VALUES_MAX));
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
  default:
    raise_value(
        L, at,
        lua_pushfstring(L, "is a %s, expected a boolean, number, string or table", luaL_typename(S, index)));
  }
}

// --- a file --------------------------------------------------------------------------------------------------

/// Push the result of the text in the box.
static void run(lua_State *L, sandbox *box, const char *file) {
  box->state = lua_newstate(allocate, box);
  if (!box->state) luaL_error(L, "not enough memory");
  lua_State *S = box->state;
  size_t length = 0;
  const char *text = skip_head(box, &length);
  if (length > 0 && *text == LUA_SIGNATURE[0]) raise_in(L, file, 0, "is compiled Lua code, expected its text");
  lua_pushcfunction(S, execute);
  lua_pushlightuserdata(S, box);
  if (lua_pcall(S, 1, 1, 0) != LUA_OK) raise_failure(L, box, file);
  if (!lua_istable(S, -1)) {
    const char *got =
        lua_type(S, -1) == LUA_TNIL ? "nothing" : lua_pushfstring(L, "a %s", luaL_typename(S, -1));
    raise_in(L, file, 0, lua_pushfstring(L, "result is %s, expected a table", got));
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
  const char *problem = read_text(L, box, file);
  if (problem) raise_in(L, file, 0, problem);
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
