#include "cost/profile.h"

#include "core/status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What stands and crouches where nothing else is said. */
static const lw_stance human_stances[] = {{"stand", 1.6f, {0.9f, 1.6f}, 1},
                                          {"crouch", 0.9f, {0.5f, 0.9f}, 0.5f}};
#define HUMAN_STANCES ((int)(sizeof human_stances / sizeof *human_stances))

lw_profile_def lw_profile_def_default(void) {
  lw_profile_def def = {
      .name = "human",
      .radius = 0.4f,
      .height = 1.75f,
      .climb = 0.4f,
      .speed = {1.4f, 3.0f, 5.5f},
      .stances = {human_stances[LW_STAND], human_stances[LW_CROUCH]},
      .stance_count = HUMAN_STANCES,
      .can_open_doors = true,
      .can_traverse = {true, true, true, false},
      .can_take = {true, true, true, true, true, true},
      .cover_bias = 1,
      .cookie = LWI_COOKIE,
  };
  for (int area = 0; area <= LW_AREA_MAX; area++) def.speed_factor[area] = 1;
  return def;
}

/* What a number may be. `low` itself is wrong when `above`. */
typedef struct range {
  float low, high;
  bool above;
} range;
static const range size_range = {0, LW_PROFILE_SIZE_MAX, false}, speed_range = {0, LW_PROFILE_SPEED_MAX, true},
                   factor_range = {0, LW_PROFILE_FACTOR_MAX, false}, eye_range = {0, LW_PROFILE_SIZE_MAX, true},
                   bias_range = {1, LW_PROFILE_FACTOR_MAX, false};

static lw_status check_range(const char *profile, const char *field, float value, range of, lw_error *error) {
  bool fits = (of.above ? value > of.low : value >= of.low) && value <= of.high; /* NaN does not */
  if (fits) return LW_OK;
  return lwi_fail(error, LW_INVALID, "profile '%s': %s is %g: expected a number %s %g and at most %g", profile,
                  field, (double)value, of.above ? "above" : "of at least", (double)of.low, (double)of.high);
}

static lw_status check_numbers(const lw_profile_def *def, lw_error *error) {
  const struct {
    const char *field;
    float value;
    range range;
  } checks[] = {
      {"radius", def->radius, size_range},
      {"height", def->height, size_range},
      {"climb", def->climb, size_range},
      {"speed.calm", def->speed[LW_CALM], speed_range},
      {"speed.normal", def->speed[LW_NORMAL], speed_range},
      {"speed.fast", def->speed[LW_FAST], speed_range},
      {"turn_radius", def->turn_radius, size_range},
      {"resistance_factor.triangular", def->resistance_factor[LW_TRIANGULAR], factor_range},
      {"resistance_factor.road", def->resistance_factor[LW_ROAD], factor_range},
      {"resistance_factor.waypoint", def->resistance_factor[LW_WAYPOINT], factor_range},
      {"resistance_factor.volume", def->resistance_factor[LW_VOLUME], factor_range},
      {"swim_resistance_factor", def->swim_resistance_factor, factor_range},
      {"exposure_factor", def->exposure_factor, factor_range},
      {"danger_cost", def->danger_cost, factor_range},
      {"cover_bias", def->cover_bias, bias_range},
      {"safety_bias", def->safety_bias, factor_range},
  };
  for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
    lw_status status = check_range(def->name, checks[i].field, checks[i].value, checks[i].range, error);
    if (status != LW_OK) return status;
  }
  return LW_OK;
}

static lw_status check_areas(const lw_profile_def *def, lw_error *error) {
  lw_status status = LW_OK;
  for (int area = 0; area <= LW_AREA_MAX && status == LW_OK; area++) {
    status = check_range(def->name, "area_factor", def->area_factor[area], factor_range, error);
    if (status == LW_OK)
      status = check_range(def->name, "speed_factor", def->speed_factor[area], speed_range, error);
  }
  return status;
}

static lw_status check_stance(const lw_profile_def *def, const lw_stance *stance, lw_error *error) {
  char field[64];
  const struct {
    const char *key;
    float value;
    range range;
  } checks[] = {{"eye", stance->eye, eye_range},
                {"body[0]", stance->body[0], size_range},
                {"body[1]", stance->body[1], size_range},
                {"speed", stance->speed, speed_range}};
  for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
    snprintf(field, sizeof field, "stances.%.31s.%s", stance->name, checks[i].key);
    lw_status status = check_range(def->name, field, checks[i].value, checks[i].range, error);
    if (status != LW_OK) return status;
  }
  if (stance->body[0] <= stance->body[1]) return LW_OK;
  return lwi_fail(error, LW_INVALID, "profile '%s': stances.%s.body: expected the lower height first",
                  def->name, stance->name);
}

static int find_stance(const lw_stance *stances, int count, const char *name) {
  for (int i = 0; i < count; i++)
    if (strcmp(stances[i].name, name) == 0) return i;
  return -1;
}

static lw_status check_stances(const lw_profile_def *def, lw_error *error) {
  const lw_stance *stances = def->stances;
  if (def->stance_count < 2 || def->stance_count > LW_STANCES_MAX)
    return lwi_fail(error, LW_INVALID, "profile '%s': stance_count is %d: expected 2 to %d", def->name,
                    def->stance_count, LW_STANCES_MAX);
  for (int i = 0; i < def->stance_count; i++) {
    const char *name = stances[i].name;
    if (!memchr(name, 0, sizeof stances[i].name) || !name[0])
      return lwi_fail(error, LW_INVALID, "profile '%s': stance %d: expected a name of 1 to 31 bytes", def->name,
                      i);
    if (i < HUMAN_STANCES && strcmp(name, human_stances[i].name) != 0)
      return lwi_fail(error, LW_INVALID, "profile '%s': stance %d is '%s': expected '%s' there", def->name, i,
                      name, human_stances[i].name);
    if (find_stance(stances, i, name) >= 0)
      return lwi_fail(error, LW_INVALID, "profile '%s': the stance '%s' comes twice", def->name, name);
    lw_status status = check_stance(def, &stances[i], error);
    if (status != LW_OK) return status;
  }
  return LW_OK;
}

static void compile(lw_profile *profile, const lw_area_table *areas) {
  lwi_prices_compile(&profile->prices, profile->terms, &profile->def, areas);
  for (int id = 0; id <= LW_AREA_MAX; id++) {
    const lw_area_def *area = lw_area_table_get(areas, (lw_area_id)id);
    profile->speed_factor[id] = area ? area->speed * profile->def.speed_factor[id] : 1;
  }
}

lw_status lw_profile_create(const lw_profile_def *def, const lw_area_table *areas, lw_profile **out,
                            lw_error *error) {
  *out = NULL;
  lw_status status = lwi_check_cookie(def->cookie, "lw_profile_def", error);
  if (status != LW_OK) return status;
  size_t length = def->name ? strlen(def->name) : 0;
  if (length < 1 || length > 63) return lwi_fail(error, LW_INVALID, "a profile's name has 1 to 63 bytes");
  status = check_numbers(def, error);
  if (status == LW_OK) status = check_areas(def, error);
  if (status == LW_OK) status = check_stances(def, error);
  if (status != LW_OK) return status;
  lwi_memory memory = lwi_memory_make(def->allocator);
  lw_profile *profile = lwi_alloc_zero(&memory, sizeof *profile);
  if (!profile) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  profile->memory = memory;
  profile->def = *def;
  memcpy(profile->name, def->name, length + 1);
  profile->def.name = profile->name;
  profile->def.allocator = NULL;
  compile(profile, areas);
  *out = profile;
  return LW_OK;
}

void lw_profile_destroy(lw_profile *profile) {
  if (!profile) return;
  lwi_memory memory = profile->memory;
  lwi_free(&memory, profile, sizeof *profile);
}

const lw_profile_def *lw_profile_get_def(const lw_profile *profile) {
  return &profile->def;
}
float lw_profile_price(const lw_profile *profile, lw_area_id area) {
  return profile->prices.per_metre[area];
}
float lw_profile_price_on(const lw_profile *profile, const lw_navmesh *navmesh, lw_poly_id poly) {
  uint32_t index = lwi_poly_index(navmesh, poly);
  return index == LWI_NONE ? INFINITY : lwi_price_on(&profile->prices, navmesh, index);
}
float lw_profile_speed(const lw_profile *profile, lw_area_id area, lw_pace pace) {
  return profile->def.speed[pace] * profile->speed_factor[area];
}
int lw_profile_find_stance(const lw_profile *profile, const char *name) {
  return profile ? find_stance(profile->def.stances, profile->def.stance_count, name)
                 : find_stance(human_stances, HUMAN_STANCES, name);
}
const lw_stance *lw_profile_get_stance(const lw_profile *profile, int index) {
  const lw_stance *stances = profile ? profile->def.stances : human_stances;
  const int count = profile ? profile->def.stance_count : HUMAN_STANCES;
  return &stances[index >= 0 && index < count ? index : LW_STAND];
}
lw_filter lw_profile_filter(const lw_profile *profile) {
  return profile->prices.filter;
}
