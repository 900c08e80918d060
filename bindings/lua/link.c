/*
** Off-mesh links: their definitions, the joined and refused links of navmeshes and worlds, and those that are changed while
** a world runs.
*/
#include "id.h"

#include <string.h>

static const lw_range capacity_range = {0, LW_LINK_CAPACITY_MAX, NULL, false},
                      cost_range = {0, (double)LW_LINK_COST_MAX, "m", false};
static const char *const link_keys[] = {"kind",   "from", "to",   "bidirectional", "radius",
                                        "length", "area", "name", "capacity",      NULL};

// --- reading -------------------------------------------------------------------------------------------------

/// Read all but what keys there are. Pushes the name, or nil.
static void read_fields(lua_State *L, const lwl_at *at, int table, lw_link_def *link) {
  *link = lw_link_def_default();
  lwl_get(L, table, "kind");
  link->kind = (lw_link_kind)lwl_check_enum(L, at, "kind", -1, LWL_LINK_KIND);
  lua_pop(L, 1);
  lwl_need_point(L, at, table, "from", &link->from);
  lwl_need_point(L, at, table, "to", &link->to);
  lwl_opt_bool(L, at, table, "bidirectional", &link->bidirectional);
  lwl_opt_float(L, at, table, "radius", &lwl_metres_positive, &link->radius);
  lwl_opt_float(L, at, table, "length", &lwl_metres_not_negative, &link->length);
  lwl_opt_int(L, at, table, "capacity", &capacity_range, &link->capacity);
  if (lwl_get(L, table, "area") != LUA_TNIL) link->area = lwl_check_area(L, at, "area", -1);
  lua_pop(L, 1);
  if (lwl_get(L, table, "name") == LUA_TNIL) return;
  link->name = lwl_check_text(L, at, "name", "a name", -1);
  const size_t length = strlen(link->name);
  if (length < 1 || length > LW_LINK_NAME_MAX)
    lwl_raise_at(L, at, "name", "has %d bytes, expected 1 to %d", (int)length, LW_LINK_NAME_MAX);
}

void lwl_read_link(lua_State *L, const lwl_at *at, int table, lw_link_def *link) {
  lwl_check_keys(L, at, table, link_keys);
  read_fields(L, at, table, link);
}

// --- pushing -------------------------------------------------------------------------------------------------

static void push_link(lua_State *L, int index, const lw_link *link) {
  char name[LW_LINK_NAME_MAX + 1] = ""; /* a finaliser may destroy what has it */
  if (link->def.name) strcpy(name, link->def.name);
  lua_createtable(L, 0, 11);
  lwl_set_integer(L, "index", index + 1);
  lwl_set_string(L, "kind", lw_link_kind_name(link->def.kind));
  lwl_set_bool(L, "bidirectional", link->def.bidirectional);
  lwl_set_number(L, "radius", (double)link->def.radius);
  if (name[0]) lwl_set_string(L, "name", name);
  if (link->def.capacity >= 0) lwl_set_integer(L, "capacity", link->def.capacity);
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
** geometry:add_link{ kind =, from =, to =, bidirectional =, radius =, length =, area =, name =, capacity = }
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
  lua_createtable(L, (int)length, 0); /* keeps the names */
  lw_link_def *links = lua_newuserdatauv(L, (size_t)length * sizeof *links, 0);
  for (lua_Integer i = 1; i <= length; ++i) {
    const lwl_at inside = {at->where, lua_pushfstring(L, "%slinks[%I].", at->prefix, (LUAI_UACINT)i)};
    if (lua_rawgeti(L, list, i) != LUA_TTABLE) lwl_raise_item(L, at, "links", i, "a table", -1);
    lwl_read_link(L, &inside, lua_gettop(L), &links[i - 1]);
    lua_rawseti(L, list + 1, i);
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

/*
** world:add_link{ kind =, from =, to =, bidirectional =, radius =, length =, area =, name =, capacity =, cost = }
**   --> link | nil, message, code: an end has no navmesh near it
*/
static int world_add_link(lua_State *L) {
  static const char *const keys[] = {"kind", "from", "to",       "bidirectional", "radius", "length",
                                     "area", "name", "capacity", "cost",          NULL};
  const lwl_at at = {"add_link", ""};
  lwl_check_world(L, 1, at.where);
  lua_settop(L, 2);
  lwl_check_table(L, at.where, 2);
  lwl_check_keys(L, &at, 2, keys);
  lw_link_def def;
  float cost = 0;
  lwl_opt_float(L, &at, 2, "cost", &cost_range, &cost);
  read_fields(L, &at, 2, &def);
  lw_link_id *id = lwl_new_id(L, &lwl_link, 1);
  lw_world *world = lwl_c_world(lwl_check_world(L, 1, at.where));
  lw_error error = {0};
  error.status = lw_link_add(world, &def, id, &error);
  if (error.status != LW_OK) return lwl_fail_or_raise(L, at.where, &error);
  lw_link_set_cost(world, *id, cost);
  return lwl_intern_new(L, &lwl_link);
}

void lwl_push_link(lua_State *L, int world, lw_link_id id) {
  const lwl_world *self = lua_touserdata(L, world);
  if (self->box.object && lwl_link.exists(lwl_c_world(self), &id))
    lwl_push_id(L, &lwl_link, world, &id);
  else
    lua_pushnil(L);
}

/// Names that a message lists.
#define LISTED_MAX 16

/// Push what may help: a suggestion, or the names that there are.
static const char *push_hint(lua_State *L, const lw_world *world, const char *name) {
  char listed[LISTED_MAX][LW_LINK_NAME_MAX + 1];
  const char *names[LISTED_MAX + 2] = {NULL};
  lwl_guess guess = {NULL, 0};
  int count = 0;
  char best[LW_LINK_NAME_MAX + 1] = "";
  // Nothing is allocated in Lua meanwhile, so that no finaliser changes the links.
  for (lw_link_id id = lw_link_id_none(); !lw_link_id_is_none(id = lw_link_next(world, id));) {
    lw_link_info info;
    if (lw_link_get(world, id, &info) != LW_OK || !info.def.name) continue;
    if (!lw_link_id_equal(lw_link_find(world, info.def.name, lw_link_id_none()), id)) continue;
    const char *before = guess.name;
    lwl_guess_consider(&guess, name, info.def.name);
    if (guess.name != before) strcpy(best, info.def.name);
    if (guess.name) guess.name = best;
    if (count < LISTED_MAX) strcpy(listed[count], info.def.name);
    if (count <= LISTED_MAX) names[count] = count < LISTED_MAX ? listed[count] : "...";
    ++count;
  }
  if (count == 0) return lua_pushliteral(L, "; the world has none that has a name");
  if (guess.name) return lwl_push_guess(L, &guess);
  return lua_pushfstring(L, "; the world has %s", lwl_push_names(L, names));
}

void lwl_raise_no_link(lua_State *L, const lwl_at *at, const char *key, const char *name) {
  const char *hint = push_hint(L, lwl_c_world(lwl_check_world(L, 1, at->where)), name);
  lwl_raise_at(L, at, key, "is '%s', expected the name of a link%s", lwl_shown(L, name), hint);
}

/*
** world:link(name) --> link | nil, message, code
** The first of that name.
*/
static int world_link(lua_State *L) {
  const lwl_at at = {"link", ""};
  const lwl_world *self = lwl_check_world(L, 1, at.where);
  lua_settop(L, 2);
  const char *name = lwl_check_text(L, &at, "name", "the name of a link", 2);
  const lw_link_id id = lw_link_find(lwl_c_world(self), name, lw_link_id_none());
  if (lw_link_id_is_none(id)) {
    const char *hint = push_hint(L, lwl_c_world(self), name);
    return lwl_fail(L, LW_NOT_FOUND, lua_pushfstring(L, "there is no link '%s'%s", lwl_shown(L, name), hint));
  }
  lwl_push_id(L, &lwl_link, 1, &id);
  return 1;
}

/*
** world:all_links([name]) --> list of links: those that were baked, those between navmeshes, then those that were added
*/
static int world_all_links(lua_State *L) {
  const lwl_at at = {"all_links", ""};
  lwl_check_world(L, 1, at.where);
  if (lua_isnoneornil(L, 2)) return lwl_push_ids(L, &lwl_link, at.where);
  lua_settop(L, 2);
  const char *name = lwl_check_text(L, &at, "name", "the name of a link, or nil", 2);
  lua_Integer count = 0;
  lw_link_id id = lw_link_id_none();
  lua_newtable(L);
  // A finaliser may have removed the one before; then those behind it are left out.
  while (!lw_link_id_is_none(id = lw_link_find(lwl_c_world(lwl_check_world(L, 1, at.where)), name, id))) {
    lwl_push_id(L, &lwl_link, 1, &id);
    lua_rawseti(L, 3, ++count);
  }
  return 1;
}

const luaL_Reg lwl_link_world_methods[] = {{"links", world_links},
                                           {"add_link", world_add_link},
                                           {"link", world_link},
                                           {"all_links", world_all_links},
                                           {NULL, NULL}};

// --- of a link -----------------------------------------------------------------------------------------------

/// Read the link at index 1. @return false: it was removed.
static bool get_info(lua_State *L, const char *where, lw_link_info *info) {
  lw_link_id id;
  const lw_world *world = lwl_check_id(L, 1, LWL_LINK, where, &id);
  return lw_link_get(world, id, info) == LW_OK;
}

static int set_enabled(lua_State *L, const char *where, bool enabled) {
  lw_link_id id;
  lw_world *world = lwl_check_id(L, 1, LWL_LINK, where, &id);
  lua_pushboolean(L, lw_link_enable(world, id, enabled) == LW_OK);
  return 1;
}

/*
** link:enable() --> false: it was removed
*/
static int enable(lua_State *L) {
  return set_enabled(L, "enable", true);
}

/*
** link:disable() --> false: it was removed
*/
static int disable(lua_State *L) {
  return set_enabled(L, "disable", false);
}

/*
** link:is_enabled() --> as it was set last; false also if it was removed
*/
static int is_enabled(lua_State *L) {
  lw_link_info info;
  lua_pushboolean(L, get_info(L, "is_enabled", &info) && info.is_enabled);
  return 1;
}

/*
** link:is_blocked() --> whether an obstacle stands where one would jump, drop or climb; false also if it was removed
*/
static int is_blocked(lua_State *L) {
  lw_link_info info;
  lua_pushboolean(L, get_info(L, "is_blocked", &info) && info.is_blocked);
  return 1;
}

/*
** link:fits(profile | { profile = }) --> whether its agents fit along it; false also if it was removed
*/
static int fits(lua_State *L) {
  static const char *const keys[] = {"profile", NULL};
  const lwl_at at = {"fits", ""};
  lw_link_id id;
  lwl_check_id(L, 1, LWL_LINK, at.where, &id);
  lua_settop(L, 2);
  if (lua_type(L, 2) == LUA_TSTRING) { /* a profile's name stands for { profile = name } */
    lua_createtable(L, 0, 1);
    lua_insert(L, 2);
    lua_setfield(L, 2, "profile");
  }
  lwl_check_table(L, at.where, 2);
  lwl_check_keys(L, &at, 2, keys);
  const lwl_box *profile = lwl_push_profile(L, &at, 2);
  if (!profile) lwl_raise(L, at.where, "needs a profile");
  const lw_world *world = lwl_check_id(L, 1, LWL_LINK, at.where, &id);
  bool answer;
  lua_pushboolean(L, lw_link_fits(world, id, profile->object, &answer) == LW_OK && answer);
  return 1;
}

/*
** link:is_used() --> whether paths may lead over it; false also if it was removed
*/
static int is_used(lua_State *L) {
  lw_link_info info;
  lua_pushboolean(L, get_info(L, "is_used", &info) && info.is_used);
  return 1;
}

/*
** link:set_cost([metres = 0]) --> false: it was removed
*/
static int set_cost(lua_State *L) {
  const lwl_at at = {"set_cost", ""};
  lw_link_id id;
  lwl_check_id(L, 1, LWL_LINK, at.where, &id);
  const double cost = lua_isnoneornil(L, 2) ? 0 : lwl_check_number(L, &at, "metres", 2, &cost_range);
  lua_pushboolean(L, lw_link_set_cost(lwl_check_id(L, 1, LWL_LINK, at.where, &id), id, (float)cost) == LW_OK);
  return 1;
}

/*
** link:set_capacity(agents) --> false: it was removed
** 0: any number.
*/
static int set_capacity(lua_State *L) {
  const lwl_at at = {"set_capacity", ""};
  lw_link_id id;
  lwl_check_id(L, 1, LWL_LINK, at.where, &id);
  const int capacity = (int)lwl_check_number(L, &at, "agents", 2, &capacity_range);
  if ((lua_Number)capacity < lua_tonumber(L, 2)) lwl_raise_expected(L, &at, "agents", "a whole number", 2);
  lua_pushboolean(L, lw_link_set_capacity(lwl_check_id(L, 1, LWL_LINK, at.where, &id), id, capacity) == LW_OK);
  return 1;
}

/*
** link:name() --> name | nil: it has none, or was removed
*/
static int name(lua_State *L) {
  lw_link_info info;
  lua_pushstring(L, get_info(L, "name", &info) ? info.def.name : NULL);
  return 1;
}

/*
** link:kind() --> "jump", "drop", ... | nil: it was removed
*/
static int kind(lua_State *L) {
  lw_link_info info;
  lua_pushstring(L, get_info(L, "kind", &info) ? lw_link_kind_name(info.def.kind) : NULL);
  return 1;
}

/*
** link:ends() --> vec3 where it begins, vec3 where it ends | nil: it was removed
*/
static int ends(lua_State *L) {
  lw_link_info info;
  if (!get_info(L, "ends", &info)) return lua_pushnil(L), 1;
  lwl_push_vec3(L, info.from);
  lwl_push_vec3(L, info.to);
  return 2;
}

/*
** link:users() --> how many agents are on it, how many wait for it; 0, 0 also if it was removed
*/
static int users(lua_State *L) {
  lw_link_info info;
  get_info(L, "users", &info);
  lua_pushinteger(L, info.users);
  lua_pushinteger(L, info.waiting);
  return 2;
}

/*
** link:get() --> what adds another one like it, and what is known of it | nil: it was removed
*/
static int get(lua_State *L) {
  lw_link_info info;
  char own[LW_LINK_NAME_MAX + 1];
  if (!get_info(L, "get", &info)) return lua_pushnil(L), 1;
  const bool has_name = info.def.name != NULL;
  if (has_name) strcpy(own, info.def.name); /* a finaliser may remove it */
  lua_createtable(L, 0, 11);
  lwl_set_string(L, "kind", lw_link_kind_name(info.def.kind));
  lwl_set_vec3(L, "from", info.from);
  lwl_set_vec3(L, "to", info.to);
  lwl_set_bool(L, "bidirectional", info.def.bidirectional);
  lwl_set_number(L, "radius", (double)info.def.radius);
  lwl_set_number(L, "length", (double)info.length);
  lwl_push_area_name(L, info.def.area);
  lua_setfield(L, -2, "area");
  if (has_name) lwl_set_string(L, "name", own);
  lwl_set_integer(L, "capacity", info.capacity);
  lwl_set_number(L, "cost", (double)info.cost);
  return 1;
}

/*
** link:remove() --> false: it had been removed before
** Raises for one that was not added.
*/
static int link_remove(lua_State *L) {
  lw_link_id id;
  lw_world *world = lwl_check_id(L, 1, LWL_LINK, "remove", &id);
  const lw_status status = lw_link_remove(world, id);
  if (status == LW_INVALID)
    lwl_raise(L, "remove", "the link was not added with world:add_link(), expected link:disable()");
  lua_pushboolean(L, status == LW_OK);
  return 1;
}

/*
** link:is_added() --> whether world:add_link() added it; false also if it was removed
*/
static int is_added(lua_State *L) {
  lw_link_info info;
  lua_pushboolean(L, get_info(L, "is_added", &info) && info.is_added);
  return 1;
}

static const luaL_Reg methods[] = {{"enable", enable},
                                   {"disable", disable},
                                   {"is_enabled", is_enabled},
                                   {"is_blocked", is_blocked},
                                   {"fits", fits},
                                   {"is_used", is_used},
                                   {"is_added", is_added},
                                   {"set_cost", set_cost},
                                   {"set_capacity", set_capacity},
                                   {"name", name},
                                   {"kind", kind},
                                   {"ends", ends},
                                   {"users", users},
                                   {"get", get},
                                   {NULL, NULL}};
static const luaL_Reg own_methods[] = {{"remove", link_remove}, {NULL, NULL}};

void lwl_open_link(lua_State *L) {
  lwl_open_kind(L, &lwl_link, methods);
  lwl_add_methods(L, LWL_LINK, own_methods);
}
