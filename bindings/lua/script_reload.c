/*
** Reload of scripts: edited files of trees and modules are run again, with all that needs them, beside what is in use.
*/
#include "profile_layers.h"
#include "scripts.h"

#include <string.h>

/*
** The plan: { scripts = LWL_REG_SCRIPTS as it was, dirty = { [key] = true }, changed = { [file] = true },
**             loaded = { [module] = what package.loaded had }, trees = { [name] = box } }
*/

static bool is_tree(const char *key) {
  return strncmp(key, LWL_TREE_KEY, strlen(LWL_TREE_KEY)) == 0;
}

static const char *name_of(const char *key) {
  return is_tree(key) ? key + strlen(LWL_TREE_KEY) : key;
}

static const char *find(lua_State *L, const char *key) {
  return is_tree(key) ? lwl_find_tree(L, name_of(key)) : lwl_find_module(L, key);
}

/// table[key] = true, for a key on top of the stack, which is popped. @return Whether it was not there.
static bool add(lua_State *L, int table) {
  lua_pushvalue(L, -1);
  const bool is_new = lua_rawget(L, table) == LUA_TNIL;
  lua_pop(L, 1);
  lua_pushboolean(L, 1);
  lua_rawset(L, table);
  return is_new;
}

/// Push plan[field], a new table.
static int push_part(lua_State *L, int plan, const char *field) {
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_setfield(L, plan, field);
  return lua_gettop(L);
}

/// Copy the records to plan.scripts.
static void keep_records(lua_State *L, int plan) {
  lwl_push_registry(L, LWL_REG_SCRIPTS);
  const int scripts = lua_gettop(L), copy = push_part(L, plan, "scripts");
  for (lua_pushnil(L); lua_next(L, scripts);) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, copy);
  }
  lua_settop(L, scripts - 1);
}

/// Push module -> list of the keys of scripts that need it.
static void push_users(lua_State *L, int scripts) {
  lua_newtable(L);
  const int users = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, scripts);) {
    const int record = lua_gettop(L);
    lua_getfield(L, record, "needs");
    for (lua_pushnil(L); lua_next(L, record + 1);) {
      lua_pushvalue(L, -2);
      if (lua_rawget(L, users) == LUA_TNIL) {
        lua_pop(L, 1);
        lua_newtable(L);
        lua_pushvalue(L, -3);
        lua_pushvalue(L, -2);
        lua_rawset(L, users);
      }
      lua_pushvalue(L, record - 1);
      lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
      lua_pop(L, 2);
    }
    lua_settop(L, record - 1);
  }
}

/// Was the tree that the key's record has replaced by a script?
static bool is_replaced(lua_State *L, int plan, const char *key) {
  const int top = lua_gettop(L);
  lua_getfield(L, plan, "scripts");
  lua_getfield(L, -1, key);
  lua_getfield(L, -1, "tree");
  lwl_push_registry(L, LWL_REG_TREES);
  lua_getfield(L, -1, name_of(key));
  const bool same = lua_rawequal(L, -1, top + 3);
  lua_settop(L, top);
  return !same;
}

/// Whether the key's file, which is not there any more, is missed: a tree that no script has replaced, or a module that
/// another script needs. @param users  Stack index of what push_users() pushes.
static bool is_missed(lua_State *L, int plan, int users, const char *key) {
  if (is_tree(key)) return !is_replaced(L, plan, key);
  const bool is_needed = lua_getfield(L, users, key) == LUA_TTABLE;
  lua_pop(L, 1);
  return is_needed;
}

/// Is the file that the record at index was run from missed, another one now, or has it another text?
static bool is_changed(lua_State *L, int plan, int users, const char *key, int record) {
  const int top = lua_gettop(L);
  lua_getfield(L, record, "file");
  const char *before = lua_tostring(L, -1), *file = find(L, key);
  bool changed = file ? strcmp(file, before) != 0 : is_missed(L, plan, users, key);
  if (file && !changed) {
    lwl_push_script_text(L, file);
    lua_getfield(L, record, "text");
    changed = !lua_isnil(L, -2) && !lua_rawequal(L, -1, -2);
  }
  lua_settop(L, top);
  return changed;
}

/// Fill plan.dirty and plan.changed, at these indices, with what was edited or removed. @return Whether that is anything.
static bool find_changed(lua_State *L, int plan, int scripts, int dirty, int changed) {
  bool any = false;
  push_users(L, scripts);
  const int users = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, scripts);) {
    const int record = lua_gettop(L);
    const char *key = lua_tostring(L, record - 1);
    if (is_changed(L, plan, users, key, record)) {
      any = true;
      lua_pushvalue(L, record - 1);
      add(L, dirty);
      const char *file = find(L, key);
      if (file)
        lua_pushstring(L, file);
      else
        lua_getfield(L, record, "file");
      add(L, changed);
    }
    lua_settop(L, record - 1);
  }
  lua_settop(L, users - 1);
  return any;
}

/// Add to `dirty` all that needs what is in it.
static void add_users(lua_State *L, int scripts, int dirty) {
  push_users(L, scripts);
  const int users = lua_gettop(L), list = users + 1;
  lwl_push_sorted_keys(L, dirty);
  for (lua_Integer i = 1; lua_rawgeti(L, list, i) == LUA_TSTRING; ++i) {
    if (lua_rawget(L, users) == LUA_TTABLE) {
      for (lua_Integer k = 1; lua_rawgeti(L, list + 1, k) == LUA_TSTRING; ++k) {
        lua_pushvalue(L, -1);
        if (add(L, dirty)) lua_rawseti(L, list, (lua_Integer)lua_rawlen(L, list) + 1);
        lua_settop(L, list + 1);
      }
    }
    lua_settop(L, list);
  }
  lua_settop(L, users - 1);
}

/// Take the modules in `dirty` out of package.loaded, into plan.loaded, and all its records out of the registry.
static void unload(lua_State *L, int plan, int dirty) {
  lwl_push_registry(L, LWL_REG_SCRIPTS);
  const int scripts = lua_gettop(L), loaded = push_part(L, plan, "loaded");
  lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  for (lua_pushnil(L); lua_next(L, dirty);) {
    const char *key = lua_tostring(L, -2);
    lua_pushnil(L);
    lua_setfield(L, scripts, key);
    if (!is_tree(key)) {
      lua_getfield(L, loaded + 1, key);
      lua_setfield(L, loaded, key);
      lua_pushnil(L);
      lua_setfield(L, loaded + 1, key);
    }
    lua_pop(L, 1);
  }
  lua_settop(L, scripts - 1);
}

/// Raise that the file of the tree, which is in use, is not there any more.
static _Noreturn void raise_removed(lua_State *L, int plan, const char *key) {
  lua_getfield(L, plan, "scripts");
  lua_getfield(L, -1, key);
  lua_getfield(L, -1, "file");
  const char *file = lua_tostring(L, -1), *name = name_of(key), *roots = lwl_push_roots(L);
  lwl_raise(L, file, "the file of the tree '%s' is removed; looked for behaviors/trees/%s.lua in %s", name,
            name, roots);
}

/// Run one script again, but a tree that a script has replaced, and a module that is loaded no more.
static void run_again(lua_State *L, int plan, int trees, const char *key) {
  const int top = lua_gettop(L);
  const char *file = find(L, key);
  if (is_tree(key)) {
    if (!is_replaced(L, plan, key)) {
      if (!file) raise_removed(L, plan, key);
      lwl_push_tree_of_file(L, file, name_of(key));
      lua_setfield(L, trees, name_of(key));
    }
  } else if (file) {
    lua_getfield(L, plan, "loaded");
    if (lua_getfield(L, -1, key) != LUA_TNIL) {
      lua_getglobal(L, "require");
      lua_pushstring(L, key);
      lua_call(L, 1, 0);
    }
  }
  lua_settop(L, top);
}

void lwl_reload_scripts(lua_State *L, int plan) {
  const int top = lua_gettop(L);
  luaL_checkstack(L, 2 * LUA_MINSTACK, NULL);
  keep_records(L, plan);
  lua_getfield(L, plan, "scripts");
  const int scripts = top + 1, dirty = push_part(L, plan, "dirty"), changed = push_part(L, plan, "changed");
  if (find_changed(L, plan, scripts, dirty, changed)) {
    add_users(L, scripts, dirty);
    unload(L, plan, dirty);
    const int trees = push_part(L, plan, "trees"), keys = trees + 1;
    lwl_push_sorted_keys(L, dirty); /* the first error is the same every time */
    for (lua_Integer i = 1; lua_rawgeti(L, keys, i) == LUA_TSTRING; ++i) {
      run_again(L, plan, trees, lua_tostring(L, -1));
      lua_settop(L, keys);
    }
  }
  lua_settop(L, top);
}

void lwl_undo_scripts(lua_State *L, int plan) {
  const int top = lua_gettop(L), before = top + 1, loaded = top + 2, kept = top + 3, now = top + 4;
  if (lua_getfield(L, plan, "scripts") != LUA_TTABLE) {
    lua_settop(L, top);
    return;
  }
  lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  if (lua_getfield(L, plan, "loaded") != LUA_TTABLE) lua_pop(L, 1), lua_newtable(L);
  lwl_push_registry(L, LWL_REG_SCRIPTS);
  for (lua_pushnil(L); lua_next(L, now);) { /* what was loaded meanwhile may hold what is undone */
    lua_pop(L, 1);
    if (lua_getfield(L, before, lua_tostring(L, -1)) == LUA_TNIL) {
      lua_pushnil(L);
      lua_setfield(L, loaded, lua_tostring(L, now + 1));
    }
    lua_settop(L, now + 1);
  }
  for (lua_pushnil(L); lua_next(L, kept);) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, loaded);
  }
  lua_pushvalue(L, before);
  lwl_set_registry(L, LWL_REG_SCRIPTS);
  lua_settop(L, top);
}

bool lwl_has_edited_scripts(lua_State *L, int plan) {
  lua_getfield(L, plan, "changed");
  lua_pushnil(L);
  const bool any = lua_next(L, -2) != 0;
  lua_pop(L, any ? 3 : 1);
  return any;
}

void lwl_take_scripts(lua_State *L, int plan, int files) {
  const int top = lua_gettop(L), trees = top + 1, named = top + 2, newer = top + 3;
  lua_getfield(L, plan, "changed");
  lwl_push_sorted_keys(L, top + 1);
  for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TSTRING; ++i)
    lua_rawseti(L, files, (lua_Integer)lua_rawlen(L, files) + 1);
  lua_settop(L, top);
  lua_getfield(L, plan, "trees");
  lwl_push_registry(L, LWL_REG_TREES);
  lwl_push_registry(L, LWL_REG_NEWER_TREES);
  for (lua_pushnil(L); lua_next(L, trees);) {
    const char *name = lua_tostring(L, newer + 1);
    lua_getfield(L, named, name);
    lua_pushvalue(L, newer + 2);
    lua_rawset(L, newer); /* newer[old] = new */
    lua_setfield(L, named, name);
  }
  lua_settop(L, top);
}
