/*
** Off-mesh links: their definitions, and the joined and refused links of navmeshes and worlds.
*/
#include "lwl.h"

// --- reading -------------------------------------------------------------------------------------------------

void lwl_read_link(lua_State *L, const lwl_at *at, int table, lw_link_def *link) {
  static const char *const keys[] = {"kind", "from", "to", "bidirectional", "radius", "length", "area", NULL};
  *link = lw_link_def_default();
  lwl_check_keys(L, at, table, keys);
  lwl_get(L, table, "kind");
  link->kind = (lw_link_kind)lwl_check_enum(L, at, "kind", -1, LWL_LINK_KIND);
  lua_pop(L, 1);
  lwl_need_point(L, at, table, "from", &link->from);
  lwl_need_point(L, at, table, "to", &link->to);
  lwl_opt_bool(L, at, table, "bidirectional", &link->bidirectional);
  lwl_opt_float(L, at, table, "radius", &lwl_metres_positive, &link->radius);
  lwl_opt_float(L, at, table, "length", &lwl_metres_not_negative, &link->length);
  if (lwl_get(L, table, "area") != LUA_TNIL) link->area = lwl_check_area(L, at, "area", -1);
  lua_pop(L, 1);
}

// --- pushing -------------------------------------------------------------------------------------------------

static void push_link(lua_State *L, int index, const lw_link *link) {
  lua_createtable(L, 0, 9);
  lwl_set_integer(L, "index", index + 1);
  lwl_set_string(L, "kind", lw_link_kind_name(link->def.kind));
  lwl_set_bool(L, "bidirectional", link->def.bidirectional);
  lwl_set_number(L, "radius", (double)link->def.radius);
  lwl_push_area_name(L, link->def.area);
  lua_setfield(L, -2, "area");
  const bool joined = link->state == LW_LINK_JOINED;
  lwl_set_vec3(L, "from", joined ? link->from.point : link->def.from);
  lwl_set_vec3(L, "to", joined ? link->to.point : link->def.to);
  if (joined) {
    lwl_set_number(L, "length", (double)link->length);
  } else {
    char reason[256];
    lw_link_reason(link, reason, sizeof reason);
    lwl_set_string(L, "reason", reason);
  }
}

/// Push the list of the joined links, or of the refused ones.
static int push_links(lua_State *L, const lw_navmesh *navmesh, bool joined) {
  lua_newtable(L);
  lua_Integer count = 0;
  for (int i = 0; i < lw_navmesh_link_count(navmesh); ++i) {
    lw_link link;
    if (lw_navmesh_get_link(navmesh, i, &link) != LW_OK || (link.state == LW_LINK_JOINED) != joined) continue;
    push_link(L, i, &link);
    lua_rawseti(L, -2, ++count);
  }
  return 1;
}

// --- geometry ------------------------------------------------------------------------------------------------

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

// --- navmesh -------------------------------------------------------------------------------------------------

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
** navmesh:refused_links()
**   --> list of { index =, reason =, kind =, from =, to =, bidirectional =, radius =, area = }
*/
static int refused_links(lua_State *L) {
  return push_links(L, check_navmesh(L, "refused_links"), false);
}

const luaL_Reg lwl_link_navmesh_methods[] = {{"links", links}, {"refused_links", refused_links}, {NULL, NULL}};

// --- world ---------------------------------------------------------------------------------------------------

/// Set the number of a navmesh. @param navmesh  Index; < 0: none.
static void set_navmesh(lua_State *L, const char *key, int navmesh) {
  if (navmesh >= 0) lwl_set_integer(L, key, navmesh + 1);
}

/*
** world:links()
**   --> list of { index =, state =, reason =, from_navmesh =, to_navmesh =, requested_by =, kind =, from =, to =,
**                             bidirectional =, radius =, length =, area = }
*/
static int world_links(lua_State *L) {
  const lw_world *self = lwl_c_world(lwl_check_world(L, 1, "links"));
  const int count = lw_world_link_count(self);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; ++i) {
    lw_world_link link;
    if (lw_world_get_link(self, i, &link) != LW_OK) break;
    push_link(L, i, &link.link);
    lwl_set_string(L, "state", link.link.state == LW_LINK_JOINED ? "joined" : "refused");
    set_navmesh(L, "from_navmesh", link.from_navmesh);
    set_navmesh(L, "to_navmesh", link.to_navmesh);
    set_navmesh(L, "requested_by", link.requested_by);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

const luaL_Reg lwl_link_world_methods[] = {{"links", world_links}, {NULL, NULL}};
