/*
** The `leeward` program: embeds Lua, makes `require "leeward"` work, and hands the arguments to
** scripts/cli/main.lua, which returns the exit status.
**
**   in the build        BUILD/leeward, BUILD/lua/leeward.so, scripts in the folder above BUILD
**   when installed      PREFIX/bin/leeward, PREFIX/lib/lua/5.4/leeward.so, scripts in PREFIX/share/leeward
*/
#include "core/platform.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#define MAIN_SCRIPT "scripts/cli/main.lua"

typedef struct places {
  char folder[LWI_PATH_SIZE];  /* of the program */
  char prefix[LWI_PATH_SIZE];  /* its parent; "" for the root */
  char modules[LWI_PATH_SIZE]; /* the folder of the Lua modules */
  char root[LWI_PATH_SIZE];    /* the folder that holds scripts/ */
} places;

/* Is there an ordinary file folder/file? */
static bool has_file(const char *folder, const char *file) {
  char path[LWI_PATH_SIZE];
  int length = snprintf(path, sizeof path, "%s/%s", folder, file);
  return length > 0 && length < LWI_PATH_SIZE && lwi_path_is_file(path);
}

/* target = folder .. tail. @return false: too long. */
static bool join(char *target, const char *folder, const char *tail) {
  int length = snprintf(target, LWI_PATH_SIZE, "%s%s", folder, tail);
  return length >= 0 && length < LWI_PATH_SIZE;
}

static bool find_program(places *at) {
  if (!lwi_path_of_program(at->folder) || !lwi_path_up(at->folder)) return false;
  memcpy(at->prefix, at->folder, sizeof at->prefix);
  lwi_path_up(at->prefix);
  return true;
}

static bool find_modules(places *at) {
  char module[16];
  snprintf(module, sizeof module, "leeward%s", lwi_library_module_ending());
  if (join(at->modules, at->folder, "/lua") && has_file(at->modules, module)) return true;
  return join(at->modules, at->prefix, "/lib/lua/5.4") && has_file(at->modules, module);
}

/* The first folder of LEEWARD_PATH that has the main script: folders of mods may precede it. */
static bool find_root_in_environment(char *root) {
  const char *list = getenv("LEEWARD_PATH");
  while (list != NULL && *list != '\0') {
    size_t length = strcspn(list, ";:");
    if (length > 0 && length < LWI_PATH_SIZE) {
      memcpy(root, list, length);
      root[length] = '\0';
      if (has_file(root, MAIN_SCRIPT)) return true;
    }
    list += length;
    if (*list != '\0') list++;
  }
  return false;
}

static bool find_root_above(char *root, const char *folder) {
  if (!join(root, folder, "")) return false;
  do {
    if (has_file(root, MAIN_SCRIPT)) return true;
  } while (lwi_path_up(root));
  return false;
}

/* The modules search LEEWARD_PATH before what ships beside them: the root becomes its last folder. */
static bool append_to_environment(const char *root) {
  const char *list = getenv("LEEWARD_PATH");
  if (list == NULL || *list == '\0') return lwi_environment_set("LEEWARD_PATH", root);
  size_t size = strlen(list) + strlen(root) + 2;
  char *longer = malloc(size);
  if (longer == NULL) return false;
  snprintf(longer, size, "%s;%s", list, root);
  bool done = lwi_environment_set("LEEWARD_PATH", longer);
  free(longer);
  return done;
}

/* The current folder comes last, for a build folder outside the tree. */
static bool find_root(places *at) {
  if (find_root_in_environment(at->root)) return true;
  bool found = find_root_above(at->root, at->folder) ||
               (join(at->root, at->prefix, "/share/leeward") && has_file(at->root, MAIN_SCRIPT)) ||
               (lwi_path_resolve(".", at->root) && has_file(at->root, MAIN_SCRIPT));
  return found && append_to_environment(at->root);
}

/* package[field] = front .. ";" .. package[field] */
static void prepend(lua_State *L, const char *field, const char *front) {
  lua_getglobal(L, "package");
  lua_getfield(L, -1, field);
  lua_pushfstring(L, "%s;%s", front, luaL_optstring(L, -1, ""));
  lua_setfield(L, -3, field);
  lua_pop(L, 2);
}

/*
** host.clock() --> seconds since some fixed moment; never goes back
*/
static int host_clock(lua_State *L) {
  lua_pushnumber(L, lwi_clock());
  return 1;
}

/*
** host.is_terminal() --> whether standard error is a terminal
*/
static int host_is_terminal(lua_State *L) {
  lua_pushboolean(L, lwi_file_is_terminal(stderr));
  return 1;
}

/*
** host.read(file, count) --> the first bytes of the file, at most 64; nil: it cannot be read
*/
static int host_read(lua_State *L) {
  char begins[64];
  FILE *file;
  uint64_t size;
  size_t count;
  const lua_Integer wanted = luaL_checkinteger(L, 2);
  luaL_argcheck(L, wanted >= 0 && wanted <= (lua_Integer)sizeof begins, 2, "expected 0 to 64");
  if (lwi_file_open(luaL_checkstring(L, 1), &file, &size) != NULL) return 0;
  const char *reason = lwi_file_get(file, begins, (size_t)wanted, &count);
  lwi_file_close(file);
  if (reason != NULL) return 0;
  lua_pushlstring(L, begins, count);
  return 1;
}

/*
** host.cannot_write(file) --> why the file cannot be written or replaced; nil: it can be
*/
static int host_cannot_write(lua_State *L) {
  lwi_replacement to;
  const char *reason = lwi_file_create(luaL_checkstring(L, 1), &to);
  if (reason == NULL) {
    reason = lwi_file_close(to.file);
    lwi_file_remove(to.temporary);
  }
  lua_pushstring(L, reason);
  return 1;
}

/*
** host.create_folder(path) --> why it cannot be created; nil: it is there
*/
static int host_create_folder(lua_State *L) {
  lua_pushstring(L, lwi_folder_create(luaL_checkstring(L, 1)));
  return 1;
}

static const luaL_Reg host_functions[] = {
    {"cannot_write", host_cannot_write}, {"clock", host_clock}, {"create_folder", host_create_folder},
    {"is_terminal", host_is_terminal},   {"read", host_read},   {NULL, NULL},
};

/* require "leeward.host" */
static int open_host(lua_State *L) {
  luaL_newlib(L, host_functions);
  return 1;
}

/* The text at index, with its own lines and tabs, but without what else would do something to a terminal. */
static void print_lines(lua_State *L, int index) {
  char shown[4096];
  const char *text = lua_tostring(L, index);
  while (text != NULL && *text != '\0') {
    const size_t space = strspn(text, "\n\t"), length = strcspn(text + space, "\n\t");
    lwi_text_show_bytes(shown, sizeof shown, text + space, length);
    fprintf(stderr, "%.*s%s", (int)space, text, shown);
    text += space + length;
  }
  fputs("\n", stderr);
}

static int add_traceback(lua_State *L) {
  const char *message = lua_tostring(L, 1);
  if (message == NULL) message = luaL_tolstring(L, 1, NULL);
  luaL_traceback(L, L, message, 1);
  return 1;
}

typedef struct call {
  const places *at;
  int argc;
  char **argv;
} call;

/* Lua's collector works in small steps, so that it stops no step of a world for long: see tests/README.md. Its pause stays as
   Lua has it. Multiplier in hundredths; size as a power of 2 in bytes. */
enum { COLLECTOR_MULTIPLIER = 4, COLLECTOR_STEP = 8 };

/* In protected mode: set the state up, run main.lua, return its exit status. */
static int start(lua_State *L) {
  const call *to = lua_touserdata(L, 1);
  lua_gc(L, LUA_GCINC, 0, COLLECTOR_MULTIPLIER, COLLECTOR_STEP);
  luaL_openlibs(L);
  luaL_requiref(L, "leeward.host", open_host, 0);
  lua_pop(L, 1);
  prepend(L, "cpath", lua_pushfstring(L, "%s/?%s", to->at->modules, lwi_library_module_ending()));
  prepend(L, "path", lua_pushfstring(L, "%s/?.lua;%s/?/init.lua", to->at->root, to->at->root));
  const char *script = lua_pushfstring(L, "%s/" MAIN_SCRIPT, to->at->root);
  if (luaL_loadfile(L, script) != LUA_OK) return lua_error(L);
  luaL_checkstack(L, to->argc, "too many arguments");
  for (int i = 1; i < to->argc; i++) lua_pushstring(L, to->argv[i]);
  lua_call(L, to->argc - 1, 1);
  return 1;
}

/* Lua's print ignores errors, and has flushed: the reason of the first one is gone by now. */
static int check_output(int status) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return status;
  fputs("leeward: cannot write the standard output: its disk is full, or it is closed\n", stderr);
  return status == EXIT_SUCCESS ? EXIT_FAILURE : status;
}

static int run(const places *at, int argc, char **argv) {
  lua_State *L = luaL_newstate();
  if (L == NULL) {
    fputs("leeward: out of memory\n", stderr);
    return EXIT_FAILURE;
  }
  call to = {at, argc, argv};
  lua_pushcfunction(L, add_traceback);
  lua_pushcfunction(L, start);
  lua_pushlightuserdata(L, &to);
  int status = EXIT_FAILURE;
  if (lua_pcall(L, 1, 1, 1) == LUA_OK) {
    status = (int)lua_tointeger(L, -1);
  } else {
    fputs("leeward: ", stderr);
    print_lines(L, -1);
  }
  lua_close(L);
  return check_output(status);
}

int main(int argc, char **argv) {
  static places at;
  if (!find_program(&at)) {
    fputs("leeward: cannot find the folder of the program\n", stderr);
    return EXIT_FAILURE;
  }
  if (!find_modules(&at)) {
    fprintf(stderr, "leeward: there is no lua/leeward.so beside %s, nor %s/lib/lua/5.4/leeward.so\n", at.folder,
            at.prefix);
    return EXIT_FAILURE;
  }
  if (!find_root(&at)) {
    fprintf(stderr,
            "leeward: there is no " MAIN_SCRIPT " above %s, nor in %s/share/leeward; set LEEWARD_PATH to the "
            "folder that has it\n",
            at.folder, at.prefix);
    return EXIT_FAILURE;
  }
  return run(&at, argc, argv);
}
