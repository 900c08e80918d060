/*
** Roots: the folders in which scripts and behaviours are searched: those that LEEWARD_PATH lists, then always the
** shipped ones: the source tree or the PREFIX/share/leeward above the module, else the current folder.
*/
#include "lwl.h"

#include "core/platform.h"
#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char landmark[] = "scripts/areas.lua";

/// Append the folder on top of the stack, which is popped, to the list at index `roots`.
static void add_root(lua_State *L, int roots) {
  lua_rawseti(L, roots, (lua_Integer)lua_rawlen(L, roots) + 1);
}

static bool is_listed(lua_State *L, int roots, const char *folder) {
  char path[LWI_PATH_SIZE], listed[LWI_PATH_SIZE];
  if (!lwi_path_resolve(folder, path)) return false;
  bool found = false;
  for (lua_Integer i = (lua_Integer)lua_rawlen(L, roots); i >= 1 && !found; --i) {
    lua_rawgeti(L, roots, i);
    found = lwi_path_resolve(lua_tostring(L, -1), listed) && strcmp(path, listed) == 0;
    lua_pop(L, 1);
  }
  return found;
}

/// Append the folder if it holds the landmark and is not listed. @return Whether it holds the landmark.
static bool try_root(lua_State *L, int roots, const char *folder) {
  const bool found = lwi_path_is_file(lua_pushfstring(L, "%s/%s", folder, landmark));
  lua_pop(L, 1);
  if (!found || is_listed(L, roots, folder)) return found;
  lua_pushstring(L, folder);
  add_root(L, roots);
  return true;
}

static bool is_folder(const char *path) {
  lwi_folder *folder = lwi_folder_open(path);
  lwi_folder_close(folder);
  return folder != NULL;
}

/// Warn of a folder of LEEWARD_PATH in which nothing would be found.
static void warn_unless_root(lua_State *L, const char *path) {
  char shown[512];
  lwi_text_show(shown, sizeof shown, path);
  if (!is_folder(path))
    fprintf(stderr, "leeward: LEEWARD_PATH: '%s' is not a folder, expected folders separated by ';' or ':'\n",
            shown);
  else if (!is_folder(lua_pushfstring(L, "%s/scripts", path)) &&
           !is_folder(lua_pushfstring(L, "%s/behaviors", path)))
    fprintf(stderr,
            "leeward: LEEWARD_PATH: '%s' has no folder scripts or behaviors, expected one of them in it\n",
            shown);
}

static void add_listed_roots(lua_State *L, int roots, const char *list) {
  while (*list) {
    const size_t length = strcspn(list, ";:");
    if (length > 0) {
      const int folder = lua_gettop(L) + 1;
      warn_unless_root(L, lua_pushlstring(L, list, length));
      lua_settop(L, folder);
      add_root(L, roots);
    }
    list += length + (list[length] != '\0');
  }
}

/// Walk up from the module to the tree that it was built in, or to the PREFIX that it is installed below.
static bool find_root_above(lua_State *L, int roots, const char *module) {
  char path[LWI_PATH_SIZE];
  if (!lwi_path_resolve(module, path)) return false;
  while (lwi_path_up(path)) {
    if (try_root(L, roots, path)) return true;
    const bool found = try_root(L, roots, lua_pushfstring(L, "%s/share/leeward", path));
    lua_pop(L, 1);
    if (found) return true;
  }
  return false;
}

/// Add the roots to package.path, for `require`.
static void extend_package_path(lua_State *L, int roots) {
  const lua_Integer count = (lua_Integer)lua_rawlen(L, roots);
  lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  if (lua_getfield(L, -1, "package") == LUA_TTABLE && lua_getfield(L, -1, "path") == LUA_TSTRING) {
    for (lua_Integer i = 1; i <= count; ++i) {
      lua_rawgeti(L, roots, i);
      const char *root = lua_tostring(L, -1);
      const char *entry = lua_pushfstring(L, "%s/?.lua;%s/?/init.lua", root, root);
      const char *path = lua_tostring(L, -3);
      if (strstr(path, entry)) {
        lua_pop(L, 2);
        continue;
      }
      lua_pushfstring(L, "%s%s%s", path, *path ? ";" : "", entry);
      lua_replace(L, -4);
      lua_pop(L, 2);
    }
    lua_setfield(L, -2, "path");
  }
  lua_settop(L, roots);
}

void lwl_find_roots(lua_State *L, const char *module) {
  lwl_push_registry(L, LWL_REG_ROOTS);
  const int roots = lua_gettop(L);
  const char *list = getenv("LEEWARD_PATH");
  if (list) add_listed_roots(L, roots, list);
  if (!module || !find_root_above(L, roots, module)) {
    char here[LWI_PATH_SIZE];
    if (lwi_path_resolve(".", here)) try_root(L, roots, here);
  }
  extend_package_path(L, roots);
  lua_pop(L, 1);
}

const char *lwl_find_either(lua_State *L, const char *relative, const char *other) {
  const char *const names[] = {relative, other};
  lwl_push_registry(L, LWL_REG_ROOTS);
  const int roots = lua_gettop(L);
  const lua_Integer count = (lua_Integer)lua_rawlen(L, roots);
  for (lua_Integer i = 1; i <= count; ++i) {
    for (int k = 0; k < 2 && names[k]; ++k) {
      lua_rawgeti(L, roots, i);
      const char *path = lua_pushfstring(L, "%s/%s", lua_tostring(L, -1), names[k]);
      if (lwi_path_is_file(path)) {
        lua_replace(L, roots);
        lua_settop(L, roots);
        return path;
      }
      lua_settop(L, roots);
    }
  }
  lua_pop(L, 1);
  return NULL;
}

const char *lwl_find_file(lua_State *L, const char *relative) {
  return lwl_find_either(L, relative, NULL);
}

void lwl_push_files(lua_State *L, const char *relative) {
  lua_newtable(L);
  const int files = lua_gettop(L);
  lwl_push_registry(L, LWL_REG_ROOTS);
  const int roots = lua_gettop(L);
  const lua_Integer count = (lua_Integer)lua_rawlen(L, roots);
  for (lua_Integer i = 1, found = 0; i <= count; ++i) {
    lua_rawgeti(L, roots, i);
    if (lwi_path_is_file(lua_pushfstring(L, "%s/%s", lua_tostring(L, -1), relative)))
      lua_rawseti(L, files, ++found);
    lua_settop(L, roots);
  }
  lua_pop(L, 1);
}

const char *lwl_push_roots(lua_State *L) {
  lwl_push_registry(L, LWL_REG_ROOTS);
  const int roots = lua_gettop(L);
  const lua_Integer count = (lua_Integer)lua_rawlen(L, roots);
  if (count == 0) {
    lua_pushstring(L, "the folders above the module, PREFIX/share/leeward and the current folder"
                      " (LEEWARD_PATH is not set)");
  } else {
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    for (lua_Integer i = 1; i <= count; ++i) {
      if (i > 1) luaL_addstring(&text, ", ");
      lua_rawgeti(L, roots, i);
      luaL_addvalue(&text);
    }
    luaL_pushresult(&text);
  }
  lua_replace(L, roots);
  return lua_tostring(L, roots);
}

bool lwl_is_file_name(const char *name) {
  if (*name == '\0' || *name == '.') return false;
  for (; *name; ++name)
    if (*name == '/' || *name == '\\' || *name < ' ') return false;
  return true;
}

/// An open folder in a userdata, which closes it after an error too. Not by lua_toclose(): the lua_settop() of
/// Lua 5.4.4 may then use a stack that has moved.
typedef struct listing {
  lwi_folder *folder;
} listing;

static void close_listing(listing *files) {
  lwi_folder_close(files->folder);
  files->folder = NULL;
}

static int listing_close(lua_State *L) {
  close_listing(lua_touserdata(L, 1));
  return 0;
}

static listing *push_listing(lua_State *L, const char *path) {
  listing *files = lua_newuserdatauv(L, sizeof *files, 0);
  files->folder = NULL;
  if (luaL_newmetatable(L, "leeward.listing")) {
    lua_pushcfunction(L, listing_close);
    lua_setfield(L, -2, "__gc");
  }
  lua_setmetatable(L, -2);
  files->folder = lwi_folder_open(path);
  return files;
}

void lwl_add_file_names(lua_State *L, const char *folder) {
  const int set = lua_gettop(L);
  lwl_push_registry(L, LWL_REG_ROOTS);
  const lua_Integer count = (lua_Integer)lua_rawlen(L, set + 1);
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, set + 1, i);
    listing *files = push_listing(L, lua_pushfstring(L, "%s/%s", lua_tostring(L, -1), folder));
    const char *name;
    while (files->folder && (name = lwi_folder_next(files->folder))) {
      const size_t length = strlen(name);
      if (length <= 4 || strcmp(name + length - 4, ".lua") != 0) continue;
      lua_pushlstring(L, name, length - 4);
      if (!lwl_is_file_name(lua_tostring(L, -1))) { /* no call would find it */
        lua_pop(L, 1);
        continue;
      }
      lua_pushboolean(L, 1);
      lua_rawset(L, set);
    }
    close_listing(files);
    lua_settop(L, set + 1);
  }
  lua_settop(L, set);
}

/*
** leeward.find(file) --> path | nil, message, code
*/
static int find(lua_State *L) {
  const char *relative = lwl_check_file(L, "find", 1);
  if (lwl_find_file(L, relative)) return 1;
  const char *roots = lwl_push_roots(L);
  return lwl_fail(L, LW_NOT_FOUND, lua_pushfstring(L, "there is no file '%s' in %s", relative, roots));
}

/*
** leeward.is_file(path) --> true | false [, what is there instead]
*/
static int is_file(lua_State *L) {
  const char *path = lwl_check_file(L, "is_file", 1);
  lua_pushboolean(L, lwi_path_is_file(path));
  lua_pushstring(L, lwi_path_other(path)); /* nil for NULL */
  return 2;
}

/*
** leeward.roots() --> list of folders
*/
static int roots_list(lua_State *L) {
  lwl_push_registry(L, LWL_REG_ROOTS);
  const lua_Integer count = (lua_Integer)lua_rawlen(L, -1);
  lua_createtable(L, (int)count, 0);
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, -2, i);
    lua_rawseti(L, -2, i);
  }
  return 1;
}

/*
** leeward.names(folder) --> set of names: { courtyard = true, ... }
*/
static int names(lua_State *L) {
  const char *folder = lwl_check_file(L, "names", 1);
  lua_newtable(L);
  lwl_add_file_names(L, folder);
  return 1;
}

/// Put the folder at index 1 before all roots.
static void insert_root(lua_State *L) {
  lwl_push_registry(L, LWL_REG_ROOTS);
  const int roots = lua_gettop(L);
  for (lua_Integer i = (lua_Integer)lua_rawlen(L, roots); i >= 1; --i) {
    lua_rawgeti(L, roots, i);
    lua_rawseti(L, roots, i + 1);
  }
  lua_pushvalue(L, 1);
  lua_rawseti(L, roots, 1);
  extend_package_path(L, roots);
  lua_pop(L, 1);
}

/*
** leeward.add_root(folder) --> true | false: it is one of them | nil, message, code
*/
static int add_root_first(lua_State *L) {
  const char *folder = lwl_check_file(L, "add_root", 1);
  lua_settop(L, 1);
  if (!is_folder(lua_pushfstring(L, "%s/scripts", folder)) &&
      !is_folder(lua_pushfstring(L, "%s/behaviors", folder))) {
    lwl_push_shown(L, 1, LWL_SHOWN_MAX);
    return lwl_fail(L, LW_NOT_FOUND,
                    lua_pushfstring(L, "'%s' has no folder scripts or behaviors", lua_tostring(L, -1)));
  }
  lua_settop(L, 1);
  lwl_push_registry(L, LWL_REG_ROOTS);
  const bool listed = is_listed(L, 2, folder);
  lua_settop(L, 1);
  if (!listed) insert_root(L);
  lua_pushboolean(L, !listed);
  return 1;
}

static const luaL_Reg functions[] = {{"add_root", add_root_first}, {"find", find},
                                     {"is_file", is_file},         {"names", names},
                                     {"roots", roots_list},        {NULL, NULL}};

void lwl_open_roots(lua_State *L) {
  lwl_set_functions(L, functions, NULL);
}
