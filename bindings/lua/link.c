/*
** Off-mesh links: asked of a geometry or a navmesh, and what became of them.
*/
#include "lwl.h"

#include <string.h>

// --- reading --------------------------------------------------------------------------------------------------

lw_link_kind lwl_check_link_kind(lua_State *L, const lwl_at *at, const char *key, int index) {
  if (lua_type(L, index) != LUA_TSTRING) lwl_raise_expected(L, at, key, "the kind of a link", index);
  const char *name = lua_tostring(L, index);
  lwl_guess guess = {NULL, 0};
  for (int i = 0; i < LW_LINK_KIND_COUNT; ++i) {
    const char *candidate = lw_link_kind_name((lw_link_kind)i);
    if (strcmp(name, candidate) == 0) return (lw_link_kind)i;
    lwl_guess_consider(&guess, name, candidate);
  }
  lwl_raise(L, at->where, "'%s%s' expected jump, drop, ladder, teleport, door or waypoint, got '%s'.%s",
            at->prefix, key, name, lwl_push_guess(L, &guess));
}

void lwl_read_link(lua_State *L, const lwl_at *at, int table, lw_link_def *link) {
  static const char *const keys[] = {"kind", "from", "to", "bidirectional", "radius", "length", "area", NULL};
  *link = lw_link_def_default();
  lwl_check_keys(L, at, table, keys);
  lwl_get(L, table, "kind");
  link->kind = lwl_check_link_kind(L, at, "kind", -1);
  lua_pop(L, 1);
  lwl_need_point(L, at, table, "from", &link->from);
  lwl_need_point(L, at, table, "to", &link->to);
  lwl_opt_bool(L, at, table, "bidirectional", &link->bidirectional);
  lwl_opt_float(L, at, table, "radius", &lwl_positive, &link->radius);
  lwl_opt_float(L, at, table, "length", &lwl_not_negative, &link->length);
  if (lwl_get(L, table, "area") != LUA_TNIL) link->area = lwl_check_area(L, at, "area", -1);
  lua_pop(L, 1);
}

// --- pushing --------------------------------------------------------------------------------------------------

static void set_point(lua_State *L, const char *key, lw_vec3 point) {
  lwl_push_vec3(L, point);
  lua_setfield(L, -2, key);
}

static void push_link(lua_State *L, int index, const lw_link *link) {
  lua_createtable(L, 0, 9);
  lua_pushinteger(L, index + 1);
  lua_setfield(L, -2, "index");
  lua_pushstring(L, lw_link_kind_name(link->def.kind));
  lua_setfield(L, -2, "kind");
  lua_pushboolean(L, link->def.bidirectional);
  lua_setfield(L, -2, "bidirectional");
  lua_pushnumber(L, (lua_Number)link->def.radius);
  lua_setfield(L, -2, "radius");
  lwl_push_area_name(L, link->def.area);
  lua_setfield(L, -2, "area");
}

static void set_reason(lua_State *L, const lw_link *link) {
  char reason[256];
  lw_link_reason(link, reason, sizeof reason);
  lua_pushstring(L, reason);
  lua_setfield(L, -2, "reason");
}

/// The links that have joined, or those that have not.
static int push_links(lua_State *L, const lw_navmesh *navmesh, bool joined) {
  lua_newtable(L);
  lua_Integer count = 0;
  for (int i = 0; i < lw_navmesh_link_count(navmesh); ++i) {
    lw_link link;
    if (lw_navmesh_get_link(navmesh, i, &link) != LW_OK || (link.state == LW_LINK_JOINED) != joined) continue;
    push_link(L, i, &link);
    set_point(L, "from", joined ? link.from.point : link.def.from);
    set_point(L, "to", joined ? link.to.point : link.def.to);
    if (joined) {
      lua_pushnumber(L, (lua_Number)link.length);
      lua_setfield(L, -2, "length");
    } else {
      set_reason(L, &link);
    }
    lua_rawseti(L, -2, ++count);
  }
  return 1;
}

// --- geometry -------------------------------------------------------------------------------------------------

/*
** geometry:add_link{ kind =, from =, to =, bidirectional =, radius =, length =, area = }
*/
static int add_link(lua_State *L) {
  const lwl_at at = {"add_link", ""};
  lw_geometry *self = lwl_check_open_geometry(L, at.where);
  lwl_check_table(L, at.where, 2);
  lw_link_def link;
  lwl_read_link(L, &at, 2, &link);
  lw_error error = {0};
  if (lw_geometry_add_link(self, &link, &error) != LW_OK) lwl_raise(L, at.where, "%s", error.text);
  return 0;
}

const luaL_Reg lwl_link_geometry_methods[] = {{"add_link", add_link}, {NULL, NULL}};

// --- navmesh --------------------------------------------------------------------------------------------------

lw_link_def *lwl_opt_links(lua_State *L, const lwl_at *at, int table, int *count) {
  *count = 0;
  if (lwl_get(L, table, "links") == LUA_TNIL) return lua_pop(L, 1), NULL;
  lua_pop(L, 1);
  const lua_Integer length = lwl_need_list(L, at, table, "links", 0);
  const int list = lua_gettop(L);
  lw_link_def *links = lua_newuserdatauv(L, (size_t)length * sizeof *links, 0);
  for (lua_Integer i = 1; i <= length; ++i) {
    const lwl_at inside = {at->where, lua_pushfstring(L, "%slinks[%I].", at->prefix, (LUAI_UACINT)i)};
    if (lua_rawgeti(L, list, i) != LUA_TTABLE) lwl_raise_item(L, at, "links", i, "a table", -1);
    lwl_read_link(L, &inside, lua_gettop(L), &links[i - 1]);
    lua_pop(L, 2);
  }
  *count = (int)length;
  return links;
}

static const lw_navmesh *check_navmesh(lua_State *L, const char *where) {
  return lwl_check_box(L, 1, LWL_NAVMESH, where)->object;
}

/*
** navmesh:links() --> list of { index =, kind =, from =, to =, bidirectional =, radius =, length =, area = }
*/
static int links(lua_State *L) {
  return push_links(L, check_navmesh(L, "links"), true);
}

/*
** navmesh:refused_links() --> list of { index =, reason =, kind =, from =, to =, bidirectional =, radius =, area = }
*/
static int refused_links(lua_State *L) {
  return push_links(L, check_navmesh(L, "refused_links"), false);
}

const luaL_Reg lwl_link_navmesh_methods[] = {{"links", links}, {"refused_links", refused_links}, {NULL, NULL}};

// --- world ----------------------------------------------------------------------------------------------------

/// The number of a navmesh, unless there is none.
static void set_navmesh(lua_State *L, const char *key, int navmesh) {
  if (navmesh < 0) return;
  lua_pushinteger(L, navmesh + 1);
  lua_setfield(L, -2, key);
}

/*
** world:links() --> list of { index =, state =, reason =, from_navmesh =, to_navmesh =, asked =, kind =, from =, to =,
**                             bidirectional =, radius =, length =, area = }
*/
static int world_links(lua_State *L) {
  const lw_world *self = lwl_c_world(lwl_check_world(L, 1, "links"));
  const int count = lw_world_link_count(self);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; ++i) {
    lw_world_link link;
    if (lw_world_get_link(self, i, &link) != LW_OK) break;
    const bool joined = link.link.state == LW_LINK_JOINED;
    push_link(L, i, &link.link);
    lua_pushstring(L, joined ? "joined" : "refused");
    lua_setfield(L, -2, "state");
    set_point(L, "from", joined ? link.link.from.point : link.link.def.from);
    set_point(L, "to", joined ? link.link.to.point : link.link.def.to);
    set_navmesh(L, "from_navmesh", link.from_navmesh);
    set_navmesh(L, "to_navmesh", link.to_navmesh);
    set_navmesh(L, "asked", link.asked_navmesh);
    if (joined) {
      lua_pushnumber(L, (lua_Number)link.link.length);
      lua_setfield(L, -2, "length");
    } else {
      set_reason(L, &link.link);
    }
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

const luaL_Reg lwl_link_world_methods[] = {{"links", world_links}, {NULL, NULL}};
