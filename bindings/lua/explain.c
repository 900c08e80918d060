/*
** Why a path goes where it goes.
*/
#include "agent.h"

#define LWL_EXPLANATION "leeward.explanation"

static void destroy(void *object) {
  lw_explanation_destroy(object);
}

static void set_number(lua_State *L, const char *key, float number) {
  lua_pushnumber(L, (lua_Number)number);
  lua_setfield(L, -2, key);
}

static void set_integer(lua_State *L, const char *key, lua_Integer number) {
  lua_pushinteger(L, number);
  lua_setfield(L, -2, key);
}

/// Push what a part of a path or the whole was charged.
static void push_charged(lua_State *L, const lw_path_segment *segment, int threats) {
  lua_createtable(L, 0, 12);
  set_number(L, "length", segment->length);
  set_number(L, "cost", segment->cost);
  set_number(L, "water", segment->water);
  set_number(L, "exposed", segment->exposed);
  lua_createtable(L, 0, LW_COST_TERM_COUNT);
  for (int i = 0; i < LW_COST_TERM_COUNT; ++i)
    set_number(L, lw_cost_term_name((lw_cost_term)i), segment->terms[i]);
  lua_setfield(L, -2, "terms");
  lua_createtable(L, threats, 0);
  for (int i = 0; i < threats; ++i) {
    lua_pushnumber(L, (lua_Number)segment->exposed_to[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "exposed_to");
}

static void push_segment(lua_State *L, const lw_path_segment *segment, int threats) {
  push_charged(L, segment, threats);
  set_integer(L, "first", segment->first + 1);
  set_integer(L, "last", segment->last + 1);
  set_integer(L, "navmesh", segment->navmesh + 1);
  lwl_push_area_name(L, segment->area);
  lua_setfield(L, -2, "area");
  lua_pushstring(L, lw_link_type_name(segment->type));
  lua_setfield(L, -2, "type");
  if (segment->link == LW_LINK_NONE) return;
  lua_pushstring(L, lw_link_kind_name(segment->link));
  lua_setfield(L, -2, "link");
}

/// Set what a function of the runtime writes.
static void set_text(lua_State *L, const char *key, const lw_explanation *e,
                     int (*write)(const lw_explanation *e, char *text, size_t size), const char *more) {
  luaL_Buffer buffer;
  const size_t size = (size_t)write(e, NULL, 0) + 1;
  write(e, luaL_buffinitsize(L, &buffer, size), size);
  luaL_pushresultsize(&buffer, size - 1);
  lua_pushstring(L, more);
  lua_concat(L, 2);
  lua_setfield(L, -2, key);
}

static void set_comparison(lua_State *L, const lw_explanation *e, int threats) {
  const lw_path_comparison *beside = lw_explanation_comparison(e);
  if (beside->status == LW_OK) {
    push_charged(L, &beside->plain, threats);
    lua_setfield(L, -2, "shortest");
    set_number(L, "longer", beside->longer);
    set_number(L, "saves", beside->saves);
  }
}

/// Push the table of the explanation at index. @param gone  There is no world to compare in.
static void push_explanation(lua_State *L, int index, bool gone) {
  const lw_explanation *e = ((lwl_box *)lua_touserdata(L, index))->object;
  const char *more = gone ? "; not compared with the shortest path: the world is gone" : "";
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
  push_charged(L, lw_explanation_total(e), threats);
  lua_setfield(L, -2, "total");
  set_comparison(L, e, threats);
  set_text(L, "sentence", e, lw_explanation_sentence, more);
  set_text(L, "text", e, lw_explanation_table, more);
}

/// An empty box for an explanation while it is read.
static lwl_box *new_box(lua_State *L) {
  static const char *const type = LWL_EXPLANATION "_box";
  return lwl_new_box(L, type, sizeof(lwl_box), 0, destroy, NULL);
}

static int answer(lua_State *L, const char *where, lwl_box *box, lw_explanation *e, lw_status status,
                  bool gone) {
  if (status != LW_OK) lwl_raise(L, where, "%s", lw_status_text(status));
  lwl_fill_box(box, e);
  push_explanation(L, lua_gettop(L), gone);
  lwl_empty_box(box);
  return 1;
}

/*
** path:explain() --> { segments =, total =, shortest =, longer =, saves =, sentence =, text = }; tostring() gives the text
*/
int lwl_explain_path(lua_State *L) {
  lwl_path *path = (lwl_path *)lwl_check_box(L, 1, LWL_PATH, "explain");
  lua_settop(L, 1);
  lw_path_query query = path->query;
  lua_getiuservalue(L, 1, LWL_PATH_WORLD);
  lua_rawgeti(L, -1, 1);
  const lwl_box *world = lwl_test_box(L, -1, LWL_WORLD);
  lua_getiuservalue(L, 1, LWL_PATH_PROFILE);
  const lwl_box *profile = lwl_test_box(L, -1, LWL_PROFILE);
  const bool gone = !world || !world->object || (query.profile && (!profile || !profile->object));
  lwl_box *box = new_box(L);
  lw_explanation *e = NULL;
  const lw_status status = lw_path_explain(path->box.object, gone ? NULL : world->object, &query, &e);
  return answer(L, "explain", box, e, status, gone);
}

/*
** agent:explain() --> the same of the path that it walks | nil
*/
static int explain_agent(lua_State *L) {
  lua_settop(L, 1);
  const lwl_self me = lwl_check_self(L, "explain");
  lwl_box *box = new_box(L);
  lw_explanation *e = NULL;
  const lw_status status = lw_agent_explain(me.world, me.id, &e);
  if (status == LW_EMPTY) return lua_pushnil(L), 1;
  return answer(L, "explain", box, e, status, false);
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
  lwl_new_type(L, LWL_EXPLANATION "_box", none, box_meta);
  lwl_new_type(L, LWL_EXPLANATION, none, meta);
}
