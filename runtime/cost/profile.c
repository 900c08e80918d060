#include "cost/profile.h"

#include "core/status.h"
#include "leeward/cover.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* The stances of a profile that defines none. */
static const lw_stance human_stances[] = {{"stand", 1.6f, {0.9f, 1.6f}, 1},
                                          {"crouch", 0.9f, {0.5f, 0.9f}, 0.5f}};
#define TURN_RADIUS_MIN 0.1f /* of a vehicle: a drive has points along its circles [m] */
#define HUMAN_STANCES ((int)(sizeof human_stances / sizeof *human_stances))

lw_senses lw_senses_default(void) {
  return (lw_senses){.sight = {.half_angle = 1.05f, .notice = 0.2f}, .memory = 10};
}

lw_profile_def lw_profile_def_default(void) {
  lw_profile_def def = {
      .name = "human",
      .radius = 0.4f,
      .height = 1.75f,
      .climb = 0.4f,
      .speed = {1.4f, 3.0f, 5.5f},
      .body = {.priority = 1,
               .mass = 80,
               .can_crouch = true,
               .vehicle = {.reverse_cost = 3},
               .trailer = {.max_angle = 1},
               .whiskers = {3, 1.2f, 0.5f}},
      .senses = lw_senses_default(),
      .stances = {human_stances[LW_STAND], human_stances[LW_CROUCH]},
      .stance_count = HUMAN_STANCES,
      .wade_depth = LW_WADE_DEPTH,
      .can_open_doors = true,
      .can_traverse = {true, true, true, false},
      .can_take = {true, true, true, true, true, true},
      .cover_bias = 1,
      .cookie = LWI_COOKIE,
  };
  for (int area = 0; area <= LW_AREA_MAX; area++) def.speed_factor[area] = 1;
  return def;
}

static const char *const pace_names[LW_PACE_COUNT] = {"calm", "normal", "fast"};

const char *lw_pace_name(lw_pace pace) {
  return (unsigned)pace < LW_PACE_COUNT ? pace_names[pace] : "unknown";
}

static const char *const avoidance_names[LW_AVOIDANCE_COUNT] = {"none", "soft", "full"};

const char *lw_avoidance_name(lw_avoidance avoidance) {
  return (unsigned)avoidance < LW_AVOIDANCE_COUNT ? avoidance_names[avoidance] : "unknown";
}

// --- ranges --------------------------------------------------------------------------------------------------

bool lw_range_holds(const lw_range *range, double value) {
  if (!range) return false;
  return (range->above ? value > range->min : value >= range->min) && value <= range->max;
}

int lw_range_text(const lw_range *range, char *text, size_t size) {
  if (!text) size = 0;
  if (size > 0) text[0] = 0;
  if (!range) return 0;
  static const struct {
    const char *unit, *word;
  } units[] = {{"m", "metres"},
               {"m/s", "metres per second"},
               {"m/s2", "metres per second squared"},
               {"rad/s", "radians per second"},
               {"kg", "kilograms"},
               {"m2", "square metres"},
               {"s", "seconds"},
               {"rad", "radians"}};
  const char *unit = range->unit ? range->unit : "a number";
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (strcmp(unit, units[i].unit) == 0) unit = units[i].word;
  if (range->min <= -(double)FLT_MAX && range->max >= (double)FLT_MAX)
    return snprintf(text, size, range->unit ? "a finite number of %s" : "a finite number", unit);
  if (range->max >= (double)FLT_MAX)
    return snprintf(text, size, "%s %s %.7g", unit, range->above ? ">" : ">=", range->min);
  if (range->above) return snprintf(text, size, "%s > %.7g and <= %.7g", unit, range->min, range->max);
  return snprintf(text, size, "%s from %.7g to %.7g", unit, range->min, range->max);
}

static const lw_range size_range = {0, LW_PROFILE_SIZE_MAX, "m", false},
                      eye_range = {0, LW_PROFILE_SIZE_MAX, "m", true},
                      detour_range = {0, LW_PROFILE_FACTOR_MAX, "m", false},
                      speed_range = {0, LW_PROFILE_SPEED_MAX, "m/s", true},
                      acceleration_range = {0, LW_PROFILE_SPEED_MAX, "m/s2", false},
                      turn_range = {0, LW_PROFILE_SPEED_MAX, "rad/s", false},
                      mass_range = {0, LW_PROFILE_FACTOR_MAX, "kg", true}, part_range = {0, 1, NULL, false},
                      priority_range = {0, LW_PROFILE_SIZE_MAX, NULL, false},
                      speed_factor_range = {0, LW_PROFILE_SPEED_MAX, NULL, true},
                      factor_range = {0, LW_PROFILE_FACTOR_MAX, NULL, false},
                      angle_range = {0, LW_HALF_ANGLE_MAX, "rad", false},
                      notice_range = {0, LW_PROFILE_SIZE_MAX, "s", false},
                      memory_range = {0, LW_PROFILE_FACTOR_MAX, "s", false},
                      wade_range = {0, (double)LW_WADE_DEPTH_MAX, "m", false},
                      whisker_time_range = {0, 5, "s", false}, whisker_angle_range = {0, 1.5, "rad", false},
                      place_range = {-LW_PROFILE_SIZE_MAX, LW_PROFILE_SIZE_MAX, "m", false},
                      joint_angle_range = {0.1, 1.5, "rad", false},
                      bias_range = {1, LW_PROFILE_FACTOR_MAX, NULL, false};

/// Numbers in a row that have one range.
typedef struct field {
  const char *name;
  size_t offset;
  int count;
  const lw_range *range;
} field;

#define ONE(type, name, range) #name, offsetof(type, name), 1, range
#define ALL(type, name, range) #name, offsetof(type, name), sizeof((type *)NULL)->name / sizeof(float), range
#define PART(array, name, index, range) #array "." name, offsetof(lw_profile_def, array[index]), 1, range

#define VEHICLE(name, range) #name, offsetof(lw_profile_def, body.vehicle.name), 1, range
#define TRAILER(name, range) "trailer." #name, offsetof(lw_profile_def, body.trailer.name), 1, range
#define WHISKERS(name, range) "whiskers." #name, offsetof(lw_profile_def, body.whiskers.name), 1, range
#define BODY(name, range) #name, offsetof(lw_profile_def, body.name), 1, range

static const field profile_fields[] = {
    {ONE(lw_profile_def, radius, &size_range)},
    {ONE(lw_profile_def, height, &size_range)},
    {ONE(lw_profile_def, climb, &size_range)},
    {PART(speed, "calm", LW_CALM, &speed_range)},
    {PART(speed, "normal", LW_NORMAL, &speed_range)},
    {PART(speed, "fast", LW_FAST, &speed_range)},
    {BODY(turn_radius, &size_range)},
    {VEHICLE(wheelbase, &size_range)},
    {VEHICLE(length, &size_range)},
    {VEHICLE(width, &size_range)},
    {VEHICLE(reverse_cost, &bias_range)},
    {TRAILER(length, &size_range)},
    {TRAILER(width, &size_range)},
    {TRAILER(joint, &place_range)},
    {TRAILER(drawbar, &place_range)},
    {TRAILER(wheelbase, &size_range)},
    {TRAILER(max_angle, &joint_angle_range)},
    {BODY(acceleration, &acceleration_range)},
    {BODY(deceleration, &acceleration_range)},
    {BODY(lateral_acceleration, &acceleration_range)},
    {BODY(turn_rate, &turn_range)},
    {BODY(caution, &part_range)},
    {BODY(priority, &priority_range)},
    {BODY(mass, &mass_range)},
    {WHISKERS(seconds, &whisker_time_range)},
    {WHISKERS(spread, &whisker_angle_range)},
    {PART(resistance_factor, "triangular", LW_TRIANGULAR, &factor_range)},
    {PART(resistance_factor, "road", LW_ROAD, &factor_range)},
    {PART(resistance_factor, "waypoint", LW_WAYPOINT, &factor_range)},
    {PART(resistance_factor, "volume", LW_VOLUME, &factor_range)},
    {ONE(lw_profile_def, wade_depth, &wade_range)},
    {ONE(lw_profile_def, swim_resistance_factor, &factor_range)},
    {ONE(lw_profile_def, exposure_factor, &factor_range)},
    {ONE(lw_profile_def, danger_cost, &detour_range)},
    {ONE(lw_profile_def, cover_bias, &bias_range)},
    {ONE(lw_profile_def, safety_bias, &factor_range)},
    {ALL(lw_profile_def, area_factor, &factor_range)},
    {ALL(lw_profile_def, speed_factor, &speed_factor_range)},
};
static const field stance_fields[] = {
    {ONE(lw_stance, eye, &eye_range)},
    {ALL(lw_stance, body, &size_range)},
    {ONE(lw_stance, speed, &speed_factor_range)},
};
static const field sense_fields[] = {
    {ONE(lw_senses, sight.range, &size_range)},    {ONE(lw_senses, sight.half_angle, &angle_range)},
    {ONE(lw_senses, sight.notice, &notice_range)}, {ONE(lw_senses, hearing.range, &size_range)},
    {ONE(lw_senses, memory, &memory_range)},
};
enum {
  SENSE_FIELDS = sizeof sense_fields / sizeof *sense_fields,
  PROFILE_FIELDS = sizeof profile_fields / sizeof *profile_fields,
  STANCE_FIELDS = sizeof stance_fields / sizeof *stance_fields
};

static const lw_range *find_range(const field *fields, int count, const char *name) {
  const size_t length = strlen(name);
  for (int i = 0; i < count; i++) {
    if (strncmp(fields[i].name, name, length) != 0) continue;
    const char end = fields[i].name[length];
    if (end == '\0' || end == '.') return fields[i].range;
  }
  return NULL;
}

const lw_range *lw_profile_range(const char *name) {
  if (!name) return NULL;
  static const char stances[] = "stances.", senses[] = "senses.";
  const size_t length = sizeof stances - 1;
  if (strncmp(name, stances, length) == 0) return find_range(stance_fields, STANCE_FIELDS, name + length);
  if (strncmp(name, senses, sizeof senses - 1) == 0)
    return find_range(sense_fields, SENSE_FIELDS, name + sizeof senses - 1);
  return find_range(profile_fields, PROFILE_FIELDS, name);
}

// --- checks --------------------------------------------------------------------------------------------------

/// What a message names the fields by.
typedef struct field_owner {
  const char *profile;        ///< NULL: the fields are of no profile.
  const char *prefix;         ///< Of the fields' names.
  const lw_area_table *areas; ///< Names the numbers that each area has.
} field_owner;

/// Write the field's name, for a number by area with the area: area_factor.dirt; area_factor[7] without a name.
static void name_field(const field_owner *owner, const field *of, int index, char *text, size_t size) {
  const lw_area_def *area = lw_area_table_get(owner->areas, (lw_area_id)index);
  if (of->count != LW_AREA_MAX + 1)
    snprintf(text, size, "%s%s", owner->prefix, of->name);
  else if (area && area->name)
    snprintf(text, size, "%s%s.%s", owner->prefix, of->name, area->name);
  else
    snprintf(text, size, "%s%s[%d]", owner->prefix, of->name, index);
}

/// @param values  What the fields' offsets count from.
static lw_status check_fields(const field_owner *owner, const void *values, const field *fields, int count,
                              lw_error *error) {
  for (int i = 0; i < count; i++) {
    const float *numbers = (const float *)(const void *)((const char *)values + fields[i].offset);
    for (int k = 0; k < fields[i].count; k++) {
      if (lw_range_holds(fields[i].range, (double)numbers[k])) continue;
      char name[160], expected[80];
      name_field(owner, &fields[i], k, name, sizeof name);
      lw_range_text(fields[i].range, expected, sizeof expected);
      if (!owner->profile)
        return lwi_fail(error, LW_INVALID, "%s is %g, expected %s", name, (double)numbers[k], expected);
      return lwi_fail(error, LW_INVALID, "profile '%s': %s is %g, expected %s", owner->profile, name,
                      (double)numbers[k], expected);
    }
  }
  return LW_OK;
}

lw_status lw_senses_check(const lw_senses *senses, lw_error *error) {
  const field_owner owner = {NULL, "", NULL};
  return senses ? check_fields(&owner, senses, sense_fields, SENSE_FIELDS, error)
                : lwi_fail_null(error, "senses");
}

static lw_status check_stance(const lw_profile_def *def, const lw_stance *stance, lw_error *error) {
  char prefix[64];
  snprintf(prefix, sizeof prefix, "stances.%.31s.", stance->name);
  const field_owner owner = {def->name, prefix, NULL};
  const lw_status status = check_fields(&owner, stance, stance_fields, STANCE_FIELDS, error);
  if (status != LW_OK || stance->body[0] <= stance->body[1]) return status;
  return lwi_fail(error, LW_INVALID, "profile '%s': %sbody is %g to %g, expected the lower height first",
                  def->name, prefix, (double)stance->body[0], (double)stance->body[1]);
}

static int find_stance(const lw_stance *stances, int count, const char *name) {
  for (int i = 0; i < count; i++)
    if (strcmp(stances[i].name, name) == 0) return i;
  return -1;
}

static lw_status check_stances(const lw_profile_def *def, lw_error *error) {
  const lw_stance *stances = def->stances;
  if (def->stance_count < 2 || def->stance_count > LW_STANCES_MAX)
    return lwi_fail(error, LW_INVALID, "profile '%s': stance_count is %d, expected 2 to %d", def->name,
                    def->stance_count, LW_STANCES_MAX);
  for (int i = 0; i < def->stance_count; i++) {
    const char *name = stances[i].name;
    char where[96], key[32];
    snprintf(where, sizeof where, "profile '%s': ", def->name);
    snprintf(key, sizeof key, "stances[%d].name", i);
    lw_status status = lwi_check_name(&(lwi_name_place){where, key, sizeof stances[i].name - 1}, name, error);
    if (status != LW_OK) return status;
    if (i < HUMAN_STANCES && strcmp(name, human_stances[i].name) != 0)
      return lwi_fail(error, LW_INVALID, "profile '%s': stances[%d].name is '%s', expected '%s'", def->name, i,
                      name, human_stances[i].name);
    if (find_stance(stances, i, name) >= 0)
      return lwi_fail(error, LW_INVALID,
                      "profile '%s': stances[%d].name is '%s', expected a name that no other has", def->name, i,
                      name);
    status = check_stance(def, &stances[i], error);
    if (status != LW_OK) return status;
  }
  return LW_OK;
}

/* Priority and mass say nothing where nobody is avoided. */
static bool asks_for_body(const lw_body *body) {
  return body->avoidance != LW_AVOID_NONE || body->acceleration > 0 || body->deceleration > 0 ||
         body->lateral_acceleration > 0 || body->turn_rate > 0 || body->caution > 0 ||
         body->vehicle.wheelbase > 0;
}

static lw_status check_vehicle(const lw_profile_def *def, lw_error *error) {
  const lw_vehicle *vehicle = &def->body.vehicle;
  if (vehicle->wheelbase <= 0) return LW_OK;
  if (vehicle->length < vehicle->wheelbase)
    return lwi_fail(error, LW_INVALID, "profile '%s': length is %g, expected at least its wheelbase, %g",
                    def->name, (double)vehicle->length, (double)vehicle->wheelbase);
  if (vehicle->width <= 0)
    return lwi_fail(error, LW_INVALID, "profile '%s': width is 0, expected metres > 0 beside a wheelbase",
                    def->name);
  if (def->body.turn_radius < TURN_RADIUS_MIN)
    return lwi_fail(error, LW_INVALID,
                    "profile '%s': turn_radius is %g, expected metres >= 0.1 beside a wheelbase", def->name,
                    (double)def->body.turn_radius);
  return LW_OK;
}

static lw_status check_trailer(const lw_profile_def *def, lw_error *error) {
  const lw_trailer *trailer = &def->body.trailer;
  if (def->body.vehicle.wheelbase <= 0 || trailer->length <= 0) return LW_OK;
  if (trailer->width <= 0)
    return lwi_fail(error, LW_INVALID,
                    "profile '%s': trailer.width is 0, expected metres > 0 beside trailer.length", def->name);
  const float front = trailer->drawbar, back = front + trailer->length;
  if (trailer->wheelbase > 0 && trailer->wheelbase >= front && trailer->wheelbase <= back) return LW_OK;
  return lwi_fail(error, LW_INVALID,
                  "profile '%s': trailer.wheelbase is %g, expected metres > 0 from its front, at %g, to its "
                  "end, at %g",
                  def->name, (double)trailer->wheelbase, (double)front, (double)back);
}

static lw_status check_whiskers(const lw_profile_def *def, lw_error *error) {
  const int rays = def->body.whiskers.rays;
  if (rays == 0 || (rays > 0 && rays <= LW_WHISKERS_MAX && rays % 2 == 1)) return LW_OK;
  return lwi_fail(error, LW_INVALID, "profile '%s': whiskers.rays is %d, expected 0, 1, 3, 5 or 7", def->name,
                  rays);
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
  if (!out) return lwi_fail_null(error, "profile");
  *out = NULL;
  if (!def) return lwi_fail_null(error, "def");
  if (!areas) return lwi_fail_null(error, "areas");
  lw_status status = lwi_check_cookie(def->cookie, "lw_profile_def", error);
  if (status != LW_OK) return status;
  status = lwi_check_name(&(lwi_name_place){"profile: ", "name", sizeof((lw_profile *)0)->name - 1}, def->name,
                          error);
  if (status != LW_OK) return status;
  const field_owner owner = {def->name, "", areas};
  status = check_fields(&owner, def, profile_fields, PROFILE_FIELDS, error);
  if (status == LW_OK) status = check_vehicle(def, error);
  if (status == LW_OK) status = check_trailer(def, error);
  if (status == LW_OK) status = check_whiskers(def, error);
  if (status == LW_OK) status = check_stances(def, error);
  const field_owner sensing = {def->name, "senses.", NULL};
  if (status == LW_OK) status = check_fields(&sensing, &def->senses, sense_fields, SENSE_FIELDS, error);
  if (status != LW_OK) return status;
  if ((unsigned)def->body.avoidance >= LW_AVOIDANCE_COUNT)
    return lwi_fail(error, LW_INVALID, "profile '%s': avoidance is %d, expected 0 to %d", def->name,
                    (int)def->body.avoidance, LW_AVOIDANCE_COUNT - 1);
  lwi_memory memory = lwi_memory_make(def->allocator);
  lw_profile *profile = lwi_alloc_zero(&memory, sizeof *profile);
  if (!profile) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  profile->memory = memory;
  profile->def = *def;
  memcpy(profile->name, def->name, strlen(def->name) + 1);
  profile->def.name = profile->name;
  profile->def.allocator = NULL;
  profile->has_body = asks_for_body(&profile->def.body);
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
  return profile ? &profile->def : NULL;
}
float lw_profile_price(const lw_profile *profile, lw_area_id area) {
  return profile ? profile->prices.per_metre[area] : INFINITY;
}
float lw_profile_price_on(const lw_profile *profile, const lw_navmesh *navmesh, lw_poly_id poly) {
  if (!profile || !navmesh) return INFINITY;
  uint32_t index = lwi_poly_index(navmesh, poly);
  return index == LWI_NONE ? INFINITY : lwi_price_on(&profile->prices, navmesh, index);
}
float lw_profile_speed(const lw_profile *profile, lw_area_id area, lw_pace pace) {
  if (!profile || (unsigned)pace >= LW_PACE_COUNT) return 0;
  return profile->def.speed[pace] * profile->speed_factor[area];
}
int lw_profile_find_stance(const lw_profile *profile, const char *name) {
  if (!name) return -1;
  return profile ? find_stance(profile->def.stances, profile->def.stance_count, name)
                 : find_stance(human_stances, HUMAN_STANCES, name);
}
const lw_stance *lw_profile_get_stance(const lw_profile *profile, int index) {
  const lw_stance *stances = profile ? profile->def.stances : human_stances;
  const int count = profile ? profile->def.stance_count : HUMAN_STANCES;
  return &stances[index >= 0 && index < count ? index : LW_STAND];
}
float lw_profile_stance_height(const lw_profile *profile, int index) {
  const lw_profile_def human = lw_profile_def_default(), *def = profile ? &profile->def : &human;
  return lwi_stance_height(def, index >= 0 && index < def->stance_count ? index : LW_STAND);
}
lw_filter lw_profile_filter(const lw_profile *profile) {
  return profile ? profile->prices.filter : lw_filter_all();
}
