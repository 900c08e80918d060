/*
** Boxes: userdata that own C objects by count.
*/
#include "lwl.h"

#include <stdlib.h>
#include <string.h>

lwl_shared *lwl_retain(lwl_shared *shared) {
  if (shared) ++shared->count;
  return shared;
}

void lwl_release(lwl_shared *shared) {
  while (shared && --shared->count == 0) {
    lwl_shared *base = shared->base;
    if (shared->object) shared->destroy(shared->object);
    free(shared);
    shared = base;
  }
}

lwl_box *lwl_new_box(lua_State *L, const char *type, size_t size, int user_values, void (*destroy)(void *),
                     lwl_shared *base) {
  lwl_box *box = lua_newuserdatauv(L, size, user_values);
  memset(box, 0, size);
  luaL_setmetatable(L, type); /* from here on the collector frees it */
  box->shared = malloc(sizeof *box->shared);
  if (!box->shared) luaL_error(L, "not enough memory");
  *box->shared = (lwl_shared){.destroy = destroy, .base = lwl_retain(base), .count = 1};
  return box;
}

void lwl_fill_box(lwl_box *box, void *object) {
  box->object = object;
  box->shared->object = object;
}

void lwl_empty_box(lwl_box *box) {
  lwl_shared *shared = box->shared;
  box->object = NULL;
  box->shared = NULL;
  lwl_release(shared);
}

/// Is it a method of that type, and not a function of the module that takes one? An agent's methods are an upvalue.
static bool is_method(lua_State *L, const char *type, const char *name) {
  const int top = lua_gettop(L);
  luaL_getmetatable(L, type);
  if (lua_getfield(L, -1, "__index") == LUA_TFUNCTION) lua_getupvalue(L, -1, 1);
  const bool found = lua_istable(L, -1) && lua_getfield(L, -1, name) != LUA_TNIL;
  lua_settop(L, top);
  return found;
}

void *lwl_check_userdata(lua_State *L, int index, const char *type, const char *where) {
  void *found = luaL_testudata(L, index, type);
  if (found) return found;
  const char *name = type + sizeof "leeward." - 1, *article = strchr("aeiou", *name) ? "an" : "a";
  const char *got = lwl_describe(L, index);
  if (index == 1 && is_method(L, type, where))
    lwl_raise(L, where, "expected %s %s before the dot, got %s; call it with a colon, %s:%s(...)", article,
              name, got, name, where);
  lwl_raise(L, where, "expected %s %s, got %s", article, name, got);
}

lwl_box *lwl_check_box(lua_State *L, int index, const char *type, const char *where) {
  lwl_box *box = lwl_check_userdata(L, index, type, where);
  if (!box->object) lwl_raise(L, where, "the %s was destroyed", type + sizeof "leeward." - 1);
  return box;
}

lwl_box *lwl_test_box(lua_State *L, int index, const char *type) {
  return luaL_testudata(L, index, type);
}

int lwl_box_gc(lua_State *L) {
  lwl_empty_box(lua_touserdata(L, 1));
  return 0;
}

void lwl_add_methods(lua_State *L, const char *type, const luaL_Reg *methods) {
  luaL_getmetatable(L, type);
  lua_getfield(L, -1, "__index");
  luaL_setfuncs(L, methods, 0);
  lua_pop(L, 2);
}

void lwl_new_type(lua_State *L, const char *type, const luaL_Reg *methods, const luaL_Reg *meta) {
  luaL_newmetatable(L, type);
  luaL_setfuncs(L, meta, 0);
  lua_newtable(L);
  luaL_setfuncs(L, methods, 0);
  lua_setfield(L, -2, "__index");
  lua_pushstring(L, type);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 1);
}
