/*
** The `leeward` program: embeds Lua, makes `require "leeward"` work, and hands the arguments to
** scripts/cli/main.lua, which returns the exit status.
**
**   in the build        BUILD/leeward, BUILD/lua/leeward.so, scripts in the folder above BUILD
**   when installed      PREFIX/bin/leeward, PREFIX/lib/lua/5.4/leeward.so, scripts in PREFIX/share/leeward
*/
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

enum { PATH_SIZE = 4096 };
#define MAIN_SCRIPT "scripts/cli/main.lua"

typedef struct places {
  char folder[PATH_SIZE];  /* where the program lies */
  char prefix[PATH_SIZE];  /* the folder above that */
  char modules[PATH_SIZE]; /* where leeward.so lies */
  char root[PATH_SIZE];    /* where scripts/ lies */
} places;

/* Does folder/file exist? */
static bool has_file(const char *folder, const char *file) {
  char path[PATH_SIZE];
  int length = snprintf(path, sizeof path, "%s/%s", folder, file);
  return length > 0 && length < PATH_SIZE && access(path, R_OK) == 0;
}

/* folder + tail --> target; false where it is too long. */
static bool join(char *target, const char *folder, const char *tail) {
  int length = snprintf(target, PATH_SIZE, "%s%s", folder, tail);
  return length >= 0 && length < PATH_SIZE;
}

/* Cuts the last part off; false at the top. */
static bool go_up(char *folder) {
  char *slash = strrchr(folder, '/');
  if (slash == NULL || slash == folder) return false;
  *slash = '\0';
  return true;
}

static bool find_program(places *at) {
  ssize_t length = readlink("/proc/self/exe", at->folder, PATH_SIZE - 1);
  if (length <= 0) return false;
  at->folder[length] = '\0';
  if (!go_up(at->folder) || !join(at->prefix, at->folder, "")) return false;
  if (!go_up(at->prefix)) at->prefix[0] = '\0'; /* /bin/leeward: all is below the root */
  return true;
}

static bool find_modules(places *at) {
  if (join(at->modules, at->folder, "/lua") && has_file(at->modules, "leeward.so")) return true;
  return join(at->modules, at->prefix, "/lib/lua/5.4") && has_file(at->modules, "leeward.so");
}

/* The first folder of LEEWARD_PATH that has our scripts: mods may stand before it. */
static bool find_root_in_environment(char *root) {
  const char *list = getenv("LEEWARD_PATH");
  while (list != NULL && *list != '\0') {
    size_t length = strcspn(list, ";:");
    if (length > 0 && length < PATH_SIZE) {
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
  } while (go_up(root));
  return false;
}

/* The modules look along LEEWARD_PATH alone where it is set, so the root goes to its end. */
static bool tell_modules(const char *root) {
  const char *list = getenv("LEEWARD_PATH");
  if (list == NULL || *list == '\0') return setenv("LEEWARD_PATH", root, 1) == 0;
  size_t size = strlen(list) + strlen(root) + 2;
  char *longer = malloc(size);
  if (longer == NULL) return false;
  snprintf(longer, size, "%s;%s", list, root);
  bool done = setenv("LEEWARD_PATH", longer, 1) == 0;
  free(longer);
  return done;
}

/* The current folder comes last: for a build folder that lies outside the tree. */
static bool find_root(places *at) {
  if (find_root_in_environment(at->root)) return true;
  bool found = find_root_above(at->root, at->folder) ||
               (join(at->root, at->prefix, "/share/leeward") && has_file(at->root, MAIN_SCRIPT)) ||
               (getcwd(at->root, PATH_SIZE) != NULL && has_file(at->root, MAIN_SCRIPT));
  return found && tell_modules(at->root);
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
** host.clock() --> seconds since some fixed moment
*/
static int host_clock(lua_State *L) {
  struct timespec now;
  if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return luaL_error(L, "clock: there is no monotonic clock");
  lua_pushnumber(L, (lua_Number)now.tv_sec + (lua_Number)now.tv_nsec * 1e-9);
  return 1;
}

/*
** host.is_terminal() --> whether standard error is one
*/
static int host_is_terminal(lua_State *L) {
  lua_pushboolean(L, isatty(STDERR_FILENO));
  return 1;
}

static const luaL_Reg host_functions[] = {
    {"clock", host_clock},
    {"is_terminal", host_is_terminal},
    {NULL, NULL},
};

/* What only the program knows: require "leeward.host". */
static int open_host(lua_State *L) {
  luaL_newlib(L, host_functions);
  return 1;
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

/* Runs in protected mode: sets the state up and returns what main.lua returns. */
static int start(lua_State *L) {
  const call *to = lua_touserdata(L, 1);
  luaL_openlibs(L);
  luaL_requiref(L, "leeward.host", open_host, 0);
  lua_pop(L, 1);
  prepend(L, "cpath", lua_pushfstring(L, "%s/?.so", to->at->modules));
  prepend(L, "path", lua_pushfstring(L, "%s/?.lua;%s/?/init.lua", to->at->root, to->at->root));
  const char *script = lua_pushfstring(L, "%s/" MAIN_SCRIPT, to->at->root);
  if (luaL_loadfile(L, script) != LUA_OK) return lua_error(L);
  luaL_checkstack(L, to->argc, "too many arguments");
  for (int i = 1; i < to->argc; i++) lua_pushstring(L, to->argv[i]);
  lua_call(L, to->argc - 1, 1);
  return 1;
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
    fprintf(stderr, "leeward: %s\n", lua_tostring(L, -1));
  }
  lua_close(L);
  return status;
}

int main(int argc, char **argv) {
  static places at;
  if (!find_program(&at)) {
    fputs("leeward: cannot tell where the program lies\n", stderr);
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
