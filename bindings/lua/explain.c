/*
** Explanations: what each part of a path costs, compared with the shortest path.
*/
#include "agent.h"
#include "path.h"

#define LWL_EXPLANATION "leeward.explanation"

static void destroy(void *object) {
  lw_explanation_destroy(object);
}

/// Push the cost of a path or of a part of it.
static void push_cost(lua_State *L, const lw_path_segment *segment, int threats) {
  lua_createtable(L, 0, 13);
  lwl_set_number(L, "length", (double)segment->length);
  lwl_set_number(L, "cost", (double)segment->cost);
  lwl_set_number(L, "water", (double)segment->water);
  lwl_set_number(L, "low", (double)segment->low);
  lwl_set_number(L, "exposed", (double)segment->exposed);
  lua_createtable(L, 0, LW_COST_TERM_COUNT);
  for (int i = 0; i < LW_COST_TERM_COUNT; ++i)
    lwl_set_number(L, lw_cost_term_name((lw_cost_term)i), (double)segment->terms[i]);
  lua_setfield(L, -2, "terms");
  lua_createtable(L, threats, 0);
  for (int i = 0; i < threats; ++i) {
    lua_pushnumber(L, (lua_Number)segment->exposed_to[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "exposed_to");
}

static void push_segment(lua_State *L, const lw_path_segment *segment, int threats) {
  push_cost(L, segment, threats);
  lwl_set_integer(L, "first", segment->first + 1);
  lwl_set_integer(L, "last", segment->last + 1);
  lwl_set_integer(L, "navmesh", segment->navmesh + 1);
  lwl_push_area_name(L, segment->area);
  lua_setfield(L, -2, "area");
  lwl_set_string(L, "type", lw_link_type_name(segment->type));
  if (segment->link != LW_LINK_NONE) lwl_set_string(L, "link", lw_link_kind_name(segment->link));
}

/// Set the text that a function of the runtime writes, with `suffix` behind it.
static void set_text(lua_State *L, const char *key, const lw_explanation *e,
                     int (*write)(const lw_explanation *e, char *text, size_t size), const char *suffix) {
  luaL_Buffer buffer;
  const size_t size = (size_t)write(e, NULL, 0) + 1;
  write(e, luaL_buffinitsize(L, &buffer, size), size);
  luaL_pushresultsize(&buffer, size - 1);
  lua_pushstring(L, suffix);
  lua_concat(L, 2);
  lua_setfield(L, -2, key);
}

static void set_comparison(lua_State *L, const lw_explanation *e, int threats) {
  const lw_path_comparison *beside = lw_explanation_comparison(e);
  if (beside->status == LW_OK) {
    push_cost(L, &beside->shortest, threats);
    lua_setfield(L, -2, "shortest");
    lwl_set_number(L, "longer", (double)beside->longer);
    lwl_set_number(L, "saves", (double)beside->saves);
  }
}

/// Push the table of the explanation at index. @param has_world  The path was compared with the shortest one.
static void push_explanation(lua_State *L, int index, bool has_world) {
  const lw_explanation *e = ((lwl_box *)lua_touserdata(L, index))->object;
  const char *suffix = has_world ? "" : "; not compared with the shortest path: the world is gone";
  const int threats = lw_explanation_threat_count(e);
  int count = 0;
  const lw_path_segment *segments = lw_explanation_segments(e, &count);
  lua_createtable(L, 0, 8);
  luaL_setmetatable(L, LWL_EXPLANATION);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; ++i) {
    push_segment(L, &segments[i], threats);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "segments");
  push_cost(L, lw_explanation_total(e), threats);
  lua_setfield(L, -2, "total");
  set_comparison(L, e, threats);
  set_text(L, "sentence", e, lw_explanation_sentence, suffix);
  set_text(L, "text", e, lw_explanation_table, suffix);
}

/// Push an empty box for an explanation while it is read.
static lwl_box *new_box(lua_State *L) {
  static const char *const type = LWL_EXPLANATION "_box";
  return lwl_new_box(L, type, sizeof(lwl_box), 0, destroy, NULL);
}

/// Set `profile` in the explanation on top of the stack. @param profile  NULL: none.
static void set_profile(lua_State *L, const lw_profile *profile) {
  if (profile) lwl_set_string(L, "profile", lw_profile_get_def(profile)->name);
}

static int answer(lua_State *L, lwl_box *box, lw_explanation *e, lw_status status, bool has_world) {
  if (status != LW_OK) lwl_raise(L, "explain", "%s", lw_status_text(status));
  lwl_fill_box(box, e);
  push_explanation(L, lua_gettop(L), has_world);
  lwl_empty_box(box);
  return 1;
}

/// Set `name` in the segments of the explanation on top of the stack that are links of the world, and have one.
static void set_names(lua_State *L, const lw_path *path, const lwl_box *world) {
  lua_getfield(L, -1, "segments");
  for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TTABLE; ++i) {
    lw_link_info info;
    lua_getfield(L, -1, "first");
    const lw_link_id id = lw_path_link_id(path, (int)lua_tointeger(L, -1) - 1);
    lua_pop(L, 1);
    // The world may be gone by now, if a finaliser destroyed it.
    if (world->object && lw_link_get(world->object, id, &info) == LW_OK && info.def.name) {
      lua_pushstring(L, info.def.name);
      lua_setfield(L, -2, "name");
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 2);
}

/*
** path:explain() --> { segments =, total =, shortest =, longer =, saves =, sentence =, text = }
** tostring() of it is the text.
*/
int lwl_explain_path(lua_State *L) {
  lwl_path *path = (lwl_path *)lwl_check_box(L, 1, LWL_PATH, "explain");
  lua_settop(L, 1);
  lw_path_query query = path->query;
  lwl_push_path_world(L);
  const lwl_box *world = lwl_test_box(L, -1, LWL_WORLD);
  lua_getiuservalue(L, 1, LWL_PATH_PROFILE);
  const lwl_box *profile = lwl_test_box(L, -1, LWL_PROFILE);
  const bool has_world = world && world->object && (!query.profile || (profile && profile->object));
  lwl_box *box = new_box(L);
  lw_explanation *e = NULL;
  const lw_status status =
      lw_path_explain(path->box.object, has_world ? world->object : NULL, NULL, &query, &e);
  answer(L, box, e, status, has_world);
  set_profile(L, profile ? profile->object : NULL);
  if (has_world) set_names(L, path->box.object, world);
  return 1;
}

/*
** agent:explain() --> the same for the path that the agent follows | nil
*/
static int explain_agent(lua_State *L) {
  lua_settop(L, 1);
  const lwl_self me = lwl_check_self(L, "explain");
  lwl_box *box = new_box(L);
  lw_explanation *e = NULL;
  const lw_status status = lw_agent_explain(me.world, NULL, me.id, &e);
  if (status == LW_EMPTY) return lua_pushnil(L), 1;
  const lw_profile *payer = me.state.journey ? me.state.journey : me.state.profile;
  answer(L, box, e, status, true);
  set_profile(L, payer);
  return 1;
}

const luaL_Reg lwl_explain_agent_methods[] = {{"explain", explain_agent}, {NULL, NULL}};

static int explanation_tostring(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_pushliteral(L, "text");
  lua_rawget(L, 1);
  return 1;
}

void lwl_open_explain(lua_State *L) {
  static const luaL_Reg none[] = {{NULL, NULL}};
  static const luaL_Reg box_meta[] = {{"__gc", lwl_box_gc}, {NULL, NULL}};
  static const luaL_Reg meta[] = {{"__tostring", explanation_tostring}, {NULL, NULL}};
  lwl_new_type(L, LWL_EXPLANATION "_box", none, box_meta, NULL);
  lwl_new_type(L, LWL_EXPLANATION, none, meta, NULL);
}
