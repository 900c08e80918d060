/*
** What each accuracy of exposure costs and loses on a navmesh.
*/
#include "lwl.h"

#include "leeward/survey.h"

static const lwl_range metres_range = {0.01, 1000, false, "a number from 0.01 to 1000"};
static const lwl_range eye_range = {-100, 100, false, "a number from -100 to 100"};

static void set_number(lua_State *L, const char *key, double value) {
  lua_pushnumber(L, value);
  lua_setfield(L, -2, key);
}
static void set_integer(lua_State *L, const char *key, lua_Integer value) {
  lua_pushinteger(L, value);
  lua_setfield(L, -2, key);
}

static void set_figures(lua_State *L, const char *key, const lw_survey_figures *figures) {
  if (!figures->available) return;
  lua_createtable(L, 0, 6);
  set_number(L, "seconds", figures->seconds);
  set_number(L, "set_up", figures->set_up);
  set_integer(L, "bytes", (lua_Integer)figures->bytes);
  set_number(L, "mean", figures->mean);
  set_number(L, "p99", figures->p99);
  set_number(L, "worst", figures->worst);
  lua_setfield(L, -2, key);
}

static void push_survey(lua_State *L, const lw_survey *survey) {
  lua_createtable(L, 0, 10);
  set_integer(L, "segments", survey->segments);
  set_number(L, "length", survey->length);
  set_number(L, "exposed", survey->exposed);
  set_integer(L, "occluders", survey->occluders);
  set_integer(L, "occluder_bytes", (lua_Integer)survey->occluder_bytes);
  set_integer(L, "auto_from", LW_BUSY_SEGMENTS);
  for (int i = 0; i < LW_ACCURACY_COUNT; ++i) set_figures(L, lw_accuracy_name((lw_accuracy)i), &survey->by[i]);
  set_number(L, "sure_hidden", survey->sure_hidden);
  set_number(L, "sure_visible", survey->sure_visible);
  set_figures(L, "rays", &survey->rays);
}

static uint64_t read_seed(lua_State *L, const lwl_at *at, int table, uint64_t seed) {
  if (lwl_get(L, table, "seed") != LUA_TNIL) {
    int is_integer = 0;
    const lua_Integer value = lua_type(L, -1) == LUA_TNUMBER ? lua_tointegerx(L, -1, &is_integer) : 0;
    if (!is_integer) lwl_raise_expected(L, at, "seed", "a whole number", -1);
    seed = (uint64_t)value;
  }
  lua_pop(L, 1);
  return seed;
}

/*
** navmesh:survey_exposure([{ eyes =, segments =, length =, eye =, spacing =, rounds =, seed =, stance = or heights = }])
**   --> { segments =, length =, exposed =, occluders =, occluder_bytes =, sure_hidden =, sure_visible =,
**         auto_from =, exact =, fast =, map =, rays = { seconds =, set_up =, bytes =, mean =, p99 =, worst = } } | nil, message, code
*/
static int survey_exposure(lua_State *L) {
  static const char *const keys[] = {"eyes",   "segments", "length", "eye",     "spacing",
                                     "rounds", "seed",     "stance", "heights", NULL};
  const lwl_at at = {"survey_exposure", ""};
  const lw_navmesh *navmesh = lwl_check_box(L, 1, LWL_NAVMESH, at.where)->object;
  lw_survey_def def = lw_survey_def_default();
  lua_settop(L, 2);
  if (!lua_isnil(L, 2)) {
    lwl_check_table(L, at.where, 2);
    lwl_check_keys(L, &at, 2, keys);
    lwl_opt_int(L, &at, 2, "eyes", 1, &def.eyes);
    lwl_opt_int(L, &at, 2, "segments", 1, &def.segments);
    lwl_opt_float(L, &at, 2, "length", &metres_range, &def.length);
    lwl_opt_float(L, &at, 2, "eye", &eye_range, &def.eye);
    lwl_opt_float(L, &at, 2, "spacing", &metres_range, &def.spacing);
    lwl_opt_int(L, &at, 2, "rounds", 1, &def.rounds);
    def.seed = read_seed(L, &at, 2, def.seed);
    lwl_read_stance(L, &at, 2, NULL, def.heights, &def.height_count);
  }
  lw_survey survey;
  lw_error error = {0};
  if (lw_exposure_survey(navmesh, &def, &survey, &error) != LW_OK)
    return lwl_fail_or_raise(L, at.where, &error);
  push_survey(L, &survey);
  return 1;
}

const luaL_Reg lwl_survey_navmesh_methods[] = {{"survey_exposure", survey_exposure}, {NULL, NULL}};
