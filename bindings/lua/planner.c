/*
** Searches in slices, and paths that the planner of a world searches for.
*/
#include "agent.h"
#include "goals.h"
#include "planner.h"
#include "sandbox.h"

#include <limits.h>

#define LWL_SEARCH "leeward.search"
#define LWL_REQUEST "leeward.pathrequest"

static const lw_range work_range = {1, INT_MAX, NULL, false};

/// The work at index 2.
static lua_Integer check_work(lua_State *L, const lwl_at *at) {
  lua_Integer work;
  if (lua_type(L, 2) != LUA_TNUMBER || !lwl_to_integer(L, 2, 1, INT_MAX, &work))
    lwl_raise_expected(L, at, "work", "a whole number from 1 to 2147483647", 2);
  return work;
}

// --- results -------------------------------------------------------------------------------------------------

/// Keep what a search came to, the values on top of the stack, as a user value of the object at index 1.
static void keep_result(lua_State *L, int count, int value) {
  lua_createtable(L, count, 0);
  lua_insert(L, -count - 1);
  for (int i = count; i >= 1; --i) lua_rawseti(L, -i - 1, i);
  lua_setiuservalue(L, 1, value);
}

/// Push what was kept. @param missing  Message where nothing was.
static int push_result(lua_State *L, int value, const char *missing) {
  if (lua_getiuservalue(L, 1, value) != LUA_TTABLE) return lwl_fail(L, LW_CANCELLED, missing);
  const int list = lua_gettop(L);
  for (int i = 1; i <= 3; ++i) lua_rawgeti(L, list, i);
  return 3;
}

// --- searches in slices --------------------------------------------------------------------------------------

/// A search, and the path that it will give.
typedef struct lwl_search {
  lw_search *search; ///< NULL: it has ended.
  uint64_t work;     ///< That it took until then.
  lw_path_query query;
  lwl_world *world; ///< In whose list it is, until it has ended.
  struct lwl_search *next, *previous;
} lwl_search;
enum {
  LWL_SEARCH_WORLD = 1, ///< The world.
  LWL_SEARCH_THREATS,
  LWL_SEARCH_PROFILE,
  LWL_SEARCH_PATH, ///< Once it has ended: the path, or { message, code }.
  LWL_SEARCH_VALUES = LWL_SEARCH_PATH
};

static void unlist(lwl_search *self) {
  if (!self->world) return;
  if (self->previous)
    self->previous->next = self->next;
  else
    self->world->unfinished.searches = self->next;
  if (self->next) self->next->previous = self->previous;
  self->world = NULL;
}

/// End a search without a result.
static void cancel_search(lwl_search *self) {
  unlist(self);
  lw_search_cancel(self->search);
  self->search = NULL;
}

void lwl_cancel_searches(lwl_world *world) {
  while (world->unfinished.searches) cancel_search(world->unfinished.searches);
}

static int search_gc(lua_State *L) {
  cancel_search(lua_touserdata(L, 1));
  return 0;
}

static lwl_search *check_search(lua_State *L, const char *where) {
  return lwl_check_userdata(L, 1, LWL_SEARCH, where);
}

/*
** world:search(query) --> search
*/
static int search(lua_State *L) {
  const lwl_at at = {"search", ""};
  const lwl_path_ask ask = lwl_read_path_query(L, &at, NULL, NULL);
  if (ask.has_no_goal) return lwl_fail_no_goals(L);
  lwl_search *self = lua_newuserdatauv(L, sizeof *self, LWL_SEARCH_VALUES);
  *self = (lwl_search){.query = ask.query};
  luaL_setmetatable(L, LWL_SEARCH);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, LWL_SEARCH_WORLD);
  lua_pushvalue(L, ask.threats);
  lua_setiuservalue(L, -2, LWL_SEARCH_THREATS);
  lua_pushvalue(L, ask.profile);
  lua_setiuservalue(L, -2, LWL_SEARCH_PROFILE);
  lwl_world *world = lwl_check_world(L, 1, at.where);
  lw_search *begun = NULL;
  const lw_status status = lw_search_begin(lwl_c_world(world), NULL, &ask.query, &begun);
  if (status == LW_NOT_FOUND) return lwl_fail_no_cover_map(L);
  if (status != LW_OK) lwl_raise(L, at.where, "%s", lw_status_text(status));
  self->search = begun;
  self->world = world;
  self->next = world->unfinished.searches;
  self->previous = NULL;
  if (self->next) self->next->previous = self;
  world->unfinished.searches = self;
  return 1;
}

static int push_search_result(lua_State *L) {
  return push_result(L, LWL_SEARCH_PATH, "the search was cancelled, or its world destroyed");
}

/// Give the result of a search that has ended.
static int end_search(lua_State *L, const char *where) {
  lwl_search *self = check_search(L, where);
  if (!self->search) return push_search_result(L);
  lua_getiuservalue(L, 1, LWL_SEARCH_WORLD);
  lua_getiuservalue(L, -1, LWL_WORLD_WEAK);
  const int list = lua_gettop(L);
  lua_getiuservalue(L, 1, LWL_SEARCH_THREATS);
  lua_getiuservalue(L, 1, LWL_SEARCH_PROFILE);
  lwl_path *path = lwl_push_path(L, list, list + 1, list + 2);
  path->query = self->query;
  if (!self->search) return push_search_result(L); /* a finaliser has destroyed the world */
  lw_path *found = NULL;
  self->work = lw_search_work(self->search);
  const lw_status status = lw_search_finish(self->search, &found);
  self->search = NULL;
  unlist(self);
  const int results = lwl_path_result(L, where, path, status, found);
  keep_result(L, results, LWL_SEARCH_PATH);
  return push_search_result(L);
}

/*
** search:step([work = 1000]) --> path | nil, message, code; UNFINISHED: there is more to do
*/
static int step_search(lua_State *L) {
  const lwl_at at = {"step", ""};
  lua_settop(L, 2);
  lua_Integer work = 1000;
  if (!lua_isnil(L, 2)) work = check_work(L, &at);
  lwl_search *self = check_search(L, at.where);
  if (self->search && lw_search_step(self->search, (int)work) == LW_UNFINISHED)
    return lwl_fail(L, LW_UNFINISHED, NULL);
  return end_search(L, at.where);
}

/*
** search:finish() --> path | nil, message, code
*/
static int finish(lua_State *L) {
  return end_search(L, "finish");
}

/*
** search:work() --> number; what it took so far
*/
static int work(lua_State *L) {
  const lwl_search *self = check_search(L, "work");
  lua_pushinteger(L, (lua_Integer)(self->search ? lw_search_work(self->search) : self->work));
  return 1;
}

static int cancel(lua_State *L) {
  cancel_search(check_search(L, "cancel"));
  return 0;
}

static const luaL_Reg search_methods[] = {
    {"step", step_search}, {"finish", finish}, {"work", work}, {"cancel", cancel}, {NULL, NULL}};
static const luaL_Reg search_meta[] = {{"__gc", search_gc}, {"__close", search_gc}, {NULL, NULL}};

// --- requests ------------------------------------------------------------------------------------------------

typedef struct lwl_request {
  lw_request_id id; ///< None: it was answered or cancelled.
  lw_path_query query;
} lwl_request;
enum {
  LWL_REQUEST_WORLD = 1, ///< The world's LWL_WORLD_WEAK.
  LWL_REQUEST_THREATS,
  LWL_REQUEST_PROFILE,
  LWL_REQUEST_PATH, ///< Once it was answered.
  LWL_REQUEST_DONE, ///< A function; nil: none.
  LWL_REQUEST_VALUES = LWL_REQUEST_DONE
};

/// The id of a request in LWL_WORLD_REQUESTS.
static lua_Integer key_of(lw_request_id id) {
  return (lua_Integer)((uint64_t)id.slot << 32 | id.generation);
}

/// Push the world of the request at index 1. @return NULL: it is gone, and what is pushed is not meaningful.
static lw_world *push_world_of(lua_State *L) {
  if (lua_getiuservalue(L, 1, LWL_REQUEST_WORLD) == LUA_TTABLE) {
    lua_rawgeti(L, -1, 1);
    lua_remove(L, -2);
  }
  const lwl_box *box = lwl_test_box(L, -1, LWL_WORLD);
  return box ? box->object : NULL;
}

static lw_world *world_of(lua_State *L) {
  lw_world *world = push_world_of(L);
  lua_pop(L, 1);
  return world;
}

/// The request at index 1 was answered or is cancelled: its world does not keep it any more.
static void let_go(lua_State *L, lwl_request *self) {
  if (push_world_of(L)) {
    lua_getiuservalue(L, -1, LWL_WORLD_REQUESTS);
    lua_pushnil(L);
    lua_rawseti(L, -2, key_of(self->id));
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  self->id = lw_request_id_none();
}

static int cancel_request(lua_State *L) {
  lwl_request *self = lua_touserdata(L, 1);
  lw_world *world = world_of(L);
  if (!world || lw_request_id_is_none(self->id)) return 0;
  lw_path_request_cancel(world, self->id);
  let_go(L, self);
  return 0;
}

static lwl_request *check_request(lua_State *L, const char *where) {
  return lwl_check_userdata(L, 1, LWL_REQUEST, where);
}

/// Let the world keep the request on top of the stack until it is answered.
static void keep_request(lua_State *L, const lwl_request *self) {
  lua_getiuservalue(L, 1, LWL_WORLD_REQUESTS);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, key_of(self->id));
  lua_pop(L, 1);
}

/// Have a table for the requests of the world at index 1.
static void need_requests(lua_State *L) {
  if (lua_getiuservalue(L, 1, LWL_WORLD_REQUESTS) != LUA_TTABLE) {
    lua_newtable(L);
    lua_setiuservalue(L, 1, LWL_WORLD_REQUESTS);
  }
  lua_pop(L, 1);
}

/*
** world:request_path(query) --> request; the query of find_path with `priority`, `on_done`
*/
static int request_path(lua_State *L) {
  const lwl_at at = {"request_path", ""};
  int priority = 0;
  const lwl_path_ask ask = lwl_read_path_query(L, &at, "priority", "on_done");
  if (ask.has_no_goal) return lwl_fail_no_goals(L);
  lwl_opt_priority(L, &at, 2, &priority);
  const int kind = lwl_get(L, 2, "on_done"), function = lua_gettop(L);
  if (kind != LUA_TNIL && kind != LUA_TFUNCTION) lwl_raise_expected(L, &at, "on_done", "a function", function);
  lwl_request *self = lua_newuserdatauv(L, sizeof *self, LWL_REQUEST_VALUES);
  *self = (lwl_request){.query = ask.query};
  luaL_setmetatable(L, LWL_REQUEST);
  lua_getiuservalue(L, 1, LWL_WORLD_WEAK);
  lua_setiuservalue(L, -2, LWL_REQUEST_WORLD);
  lua_pushvalue(L, ask.threats);
  lua_setiuservalue(L, -2, LWL_REQUEST_THREATS);
  lua_pushvalue(L, ask.profile);
  lua_setiuservalue(L, -2, LWL_REQUEST_PROFILE);
  if (kind == LUA_TFUNCTION) {
    lua_pushvalue(L, function);
    lwl_guard_function(L);
    lua_setiuservalue(L, -2, LWL_REQUEST_DONE);
  }
  need_requests(L);
  lwl_world *world = lwl_check_world(L, 1, at.where); /* a finaliser may have destroyed it */
  const lw_status status = lw_path_request(lwl_c_world(world), &ask.query, priority, &self->id);
  if (status == LW_NOT_FOUND) return lwl_fail_no_cover_map(L);
  if (status != LW_OK) lwl_raise(L, at.where, "%s", lw_status_text(status));
  keep_request(L, self);
  return 1;
}

static int push_answer(lua_State *L) {
  return push_result(L, LWL_REQUEST_PATH, "the request was cancelled, or its world destroyed");
}

/*
** request:path() --> path | nil, message, code; UNFINISHED: it waits
*/
static int request_result(lua_State *L) {
  lwl_request *self = check_request(L, "path");
  lua_settop(L, 1);
  lua_getiuservalue(L, 1, LWL_REQUEST_WORLD);
  lua_getiuservalue(L, 1, LWL_REQUEST_THREATS);
  lua_getiuservalue(L, 1, LWL_REQUEST_PROFILE);
  lwl_path *path = lwl_push_path(L, 2, 3, 4);
  path->query = self->query;
  lw_world *world = world_of(L);
  if (!world || lw_request_id_is_none(self->id)) return push_answer(L);
  lw_path *found = NULL;
  const lw_status status = lw_path_request_take(world, self->id, &found);
  if (status == LW_UNFINISHED) return lwl_fail(L, status, NULL);
  if (status == LW_STALE) return push_answer(L);
  let_go(L, self);
  const int results = lwl_path_result(L, "path", path, status, found);
  keep_result(L, results, LWL_REQUEST_PATH);
  return push_answer(L);
}

/// In protected mode: call `on_done` of the request, the only argument, with what request:path() gives.
static int call_listener(lua_State *L) {
  lua_settop(L, 1);
  const int results = request_result(L), first = lua_gettop(L) - results + 1;
  lua_getiuservalue(L, 1, LWL_REQUEST_DONE);
  lua_insert(L, first);
  lua_call(L, results, 0);
  return 0;
}

/// Call the listener of the request on top of the stack, and log its error.
static void run_listener(lua_State *L, lwl_world *self, const lw_world *world) {
  char line[LWL_ERROR_LINE];
  if (lwl_call_listener(L, self, call_listener, 1, "on_done of a request", line)) return;
  lw_world_log(world, LW_LOG_ERROR, "request_path, on_done: %s", line);
}

void lwl_run_answered(void *user, lw_world *world, lw_request_id request) {
  lwl_world *self = user;
  lua_State *L = self->L;
  const int top = lua_gettop(L), index = top + 1, list = top + 2;
  if (!lua_checkstack(L, LUA_MINSTACK)) return;
  if (lwl_push_world(L, self) && lua_getiuservalue(L, index, LWL_WORLD_REQUESTS) == LUA_TTABLE &&
      lua_rawgeti(L, list, key_of(request)) == LUA_TUSERDATA) {
    lua_pushnil(L);
    lua_rawseti(L, list, key_of(request));
    if (!self->pending && lua_getiuservalue(L, -1, LWL_REQUEST_DONE) == LUA_TFUNCTION) {
      lua_pop(L, 1);
      run_listener(L, self, world);
    }
  }
  lua_settop(L, top);
}

static int cancel_method(lua_State *L) {
  check_request(L, "cancel");
  return cancel_request(L);
}

/*
** request:is_done() --> whether path() has an answer
*/
static int is_done(lua_State *L) {
  const lwl_request *self = check_request(L, "is_done");
  lw_world *world = world_of(L);
  lua_pushboolean(L, !world || lw_request_id_is_none(self->id) ||
                         lw_path_request_status(world, self->id) != LW_UNFINISHED);
  return 1;
}

static const luaL_Reg request_methods[] = {
    {"path", request_result}, {"is_done", is_done}, {"cancel", cancel_method}, {NULL, NULL}};
static const luaL_Reg request_meta[] = {{"__gc", cancel_request}, {"__close", cancel_request}, {NULL, NULL}};

// --- the world -----------------------------------------------------------------------------------------------

void lwl_opt_priority(lua_State *L, const lwl_at *at, int table, int *priority) {
  static const lw_range range = {-LW_PRIORITY_MAX, LW_PRIORITY_MAX, NULL, false};
  lwl_opt_int(L, at, table, "priority", &range, priority);
}

void lwl_opt_planner(lua_State *L, const lwl_at *at, int table, lw_world_def *def) {
  static const lw_range threads = {1, LW_THREADS_MAX, NULL, false};
  lwl_opt_int(L, at, table, "search_work", &work_range, &def->search_work);
  lwl_opt_int(L, at, table, "threads", &threads, &def->threads);
  lwl_opt_bool(L, at, table, "walk_ahead", &def->walk_ahead);
}

/*
** world:set_search_work(work)
*/
static int set_search_work(lua_State *L) {
  const lwl_at at = {"set_search_work", ""};
  lwl_world *self = lwl_check_world(L, 1, at.where);
  lw_world_set_search_work(lwl_c_world(self), (int)check_work(L, &at));
  return 0;
}

static void push_crowd_stats(lua_State *L, const lw_world *world) {
  lw_crowd_stats crowd;
  lw_world_get_crowd_stats(world, &crowd);
  lua_createtable(L, 0, 4);
  lwl_set_integer(L, "waiting", crowd.waiting);
  lwl_set_integer(L, "backing_off", crowd.backing_off);
  lwl_set_integer(L, "stuck", (lua_Integer)crowd.stuck);
  lwl_set_remedies(L, crowd.remedies);
}

/*
** world:stats() --> { agents =, steps =, bytes =, planner = {...}, crowd = {...} }
*/
static int stats(lua_State *L) {
  const lw_world *world = lwl_c_world(lwl_check_world(L, 1, "stats"));
  lw_planner_stats planner;
  lw_world_get_planner_stats(world, &planner);
  lua_createtable(L, 0, 5);
  lwl_set_integer(L, "agents", lw_world_agent_count(world));
  lwl_set_integer(L, "steps", (lua_Integer)lw_world_steps(world));
  lwl_set_integer(L, "bytes", (lua_Integer)lw_world_memory(world));
  lua_createtable(L, 0, 14);
  lwl_set_integer(L, "budget", planner.budget);
  lwl_set_integer(L, "used", planner.used);
  lwl_set_integer(L, "used_max", planner.used_max);
  lwl_set_integer(L, "threads", planner.threads);
  lwl_set_integer(L, "waiting_agents", planner.waiting_agents);
  lwl_set_integer(L, "waiting_requests", planner.waiting_requests);
  lwl_set_integer(L, "at_once", (lua_Integer)planner.at_once);
  lwl_set_integer(L, "answered", (lua_Integer)planner.answered);
  lwl_set_integer(L, "shared", (lua_Integer)planner.shared);
  lwl_set_integer(L, "waited", (lua_Integer)planner.waited);
  lwl_set_integer(L, "waited_max", planner.waited_max);
  lwl_set_integer(L, "fields", planner.fields);
  lwl_set_integer(L, "fields_opened", (lua_Integer)planner.fields_opened);
  lwl_set_integer(L, "field_paths", (lua_Integer)planner.field_paths);
  lua_setfield(L, -2, "planner");
  push_crowd_stats(L, world);
  lua_setfield(L, -2, "crowd");
  return 1;
}

const luaL_Reg lwl_planner_methods[] = {{"search", search},
                                        {"request_path", request_path},
                                        {"set_search_work", set_search_work},
                                        {"stats", stats},
                                        {NULL, NULL}};

void lwl_open_planner(lua_State *L) {
  lwl_new_type(L, LWL_SEARCH, search_methods, search_meta, NULL);
  lwl_new_type(L, LWL_REQUEST, request_methods, request_meta, NULL);
}
