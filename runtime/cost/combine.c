/* The profile of agents that go together: the limits of the most limited, and the mean of the factors. */
#include "core/status.h"
#include "cost/profile.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define ROUNDING 1e-4f /* of heights [m] */

typedef enum rule {
  LOWER,
  HIGHER,
  LIMIT, /* the lower one; 0: no limit */
  MEAN
} rule;

/* Numbers in a row that are combined alike. */
typedef struct combined_field {
  size_t offset;
  int count;
  rule rule;
} combined_field;

#define NUMBERS(name) offsetof(lw_profile_def, name), sizeof((lw_profile_def *)NULL)->name / sizeof(float)

static const combined_field fields[] = {
    {NUMBERS(radius), HIGHER},
    {NUMBERS(height), HIGHER},
    {NUMBERS(climb), LOWER},
    {NUMBERS(wade_depth), LOWER},
    {NUMBERS(speed), LOWER},
    {NUMBERS(body.turn_radius), HIGHER},
    {NUMBERS(body.vehicle.wheelbase), HIGHER},
    {NUMBERS(body.vehicle.length), HIGHER},
    {NUMBERS(body.vehicle.width), HIGHER},
    {NUMBERS(body.vehicle.reverse_cost), MEAN},
    {NUMBERS(body.acceleration), LIMIT},
    {NUMBERS(body.deceleration), LIMIT},
    {NUMBERS(body.lateral_acceleration), LIMIT},
    {NUMBERS(body.turn_rate), LIMIT},
    {NUMBERS(body.caution), HIGHER},
    {NUMBERS(body.priority), MEAN},
    {NUMBERS(body.mass), MEAN},
    {NUMBERS(body.whiskers.seconds), HIGHER},
    {NUMBERS(body.whiskers.spread), HIGHER},
    {NUMBERS(resistance_factor), MEAN},
    {NUMBERS(swim_resistance_factor), MEAN},
    {NUMBERS(exposure_factor), MEAN},
    {NUMBERS(danger_cost), MEAN},
    {NUMBERS(cover_bias), MEAN},
    {NUMBERS(safety_bias), MEAN},
    {NUMBERS(area_factor), MEAN},
    /* What one notices, the group knows. */
    {NUMBERS(senses.sight.range), HIGHER},
    {NUMBERS(senses.sight.half_angle), HIGHER},
    {NUMBERS(senses.sight.notice), LOWER},
    {NUMBERS(senses.hearing.range), HIGHER},
    {NUMBERS(senses.memory), HIGHER},
};

/* The profiles that are combined. */
typedef struct members {
  const lw_profile *const *profiles; /* [count] */
  int count;
} members;

static double number_of(const lw_profile *profile, size_t offset) {
  float number;
  memcpy(&number, (const char *)&profile->def + offset, sizeof number);
  return (double)number;
}

/* The lower limit; 0: no limit. */
static double lower_limit(double a, double b) {
  return a > 0 && b > 0 ? fmin(a, b) : fmax(a, b);
}

static float combine(const members *of, rule how, size_t offset) {
  double result = number_of(of->profiles[0], offset);
  for (int i = 1; i < of->count; i++) {
    const double next = number_of(of->profiles[i], offset);
    switch (how) {
    case LOWER: result = fmin(result, next); break;
    case HIGHER: result = fmax(result, next); break;
    case LIMIT: result = lower_limit(result, next); break;
    case MEAN: result += next; break;
    }
  }
  return (float)(how == MEAN ? result / of->count : result);
}

/* On each area the group is as fast as the slowest member there, at the normal pace: that may be one on the road and
   another one on grass. */
static void combine_speeds(const members *of, lw_profile_def *def) {
  for (int area = 0; area <= LW_AREA_MAX; area++) {
    double slowest = INFINITY;
    for (int i = 0; i < of->count; i++) {
      const lw_profile_def *one = &of->profiles[i]->def;
      slowest = fmin(slowest, (double)one->speed[LW_NORMAL] * (double)one->speed_factor[area]);
    }
    /* At most the factor of the member that def->speed is of. */
    def->speed_factor[area] = (float)(slowest / (double)def->speed[LW_NORMAL]);
  }
}

/* A stance that all have. @return false: one lacks it. */
static bool combine_stance(const members *of, const char *name, lw_stance *stance) {
  double eyes = 0;
  for (int i = 0; i < of->count; i++) {
    const int index = lw_profile_find_stance(of->profiles[i], name);
    if (index < 0) return false;
    const lw_stance *one = lw_profile_get_stance(of->profiles[i], index);
    if (i == 0) *stance = *one;
    stance->body[0] = fminf(stance->body[0], one->body[0]);
    stance->body[1] = fmaxf(stance->body[1], one->body[1]);
    stance->speed = fminf(stance->speed, one->speed);
    eyes += (double)one->eye;
  }
  stance->eye = (float)(eyes / of->count);
  return true;
}

/* The headroom that the members need in a stance: that of the tallest in it. [m] */
static float headroom_in(const members *of, const char *name) {
  float height = 0;
  for (int i = 0; i < of->count; i++) {
    const lw_profile *one = of->profiles[i];
    height = fmaxf(height, lwi_stance_height(&one->def, lw_profile_find_stance(one, name)));
  }
  return height;
}

static void combine_stances(const members *of, lw_profile_def *def) {
  const lw_profile_def *first = &of->profiles[0]->def;
  def->stance_count = 0;
  for (int i = 0; i < first->stance_count; i++)
    if (combine_stance(of, first->stances[i].name, &def->stances[def->stance_count])) def->stance_count += 1;
  /* lwi_stance_height() goes by the upper ends of bodies, which may be those of two members: the group would need
     less headroom than one of them. */
  for (int i = 0; i < def->stance_count; i++) {
    const float headroom = headroom_in(of, def->stances[i].name);
    if (lwi_stance_height(def, i) < headroom - ROUNDING)
      def->stances[i].body[1] = def->stances[LW_STAND].body[1] - (def->height - headroom);
  }
}

/* The longest trailer whole: parts of two may not fit together. */
static void combine_trailer(lw_profile_def *def, const lw_profile_def *one) {
  if (one->body.trailer.length > def->body.trailer.length) def->body.trailer = one->body.trailer;
}

static void combine_flags(lw_profile_def *def, const lw_profile_def *one) {
  def->can_swim &= one->can_swim;
  def->body.can_crouch &= one->body.can_crouch;
  def->can_open_doors &= one->can_open_doors;
  for (int i = 0; i < LW_LINK_TYPE_COUNT; i++) def->can_traverse[i] &= one->can_traverse[i];
  for (int i = 0; i < LW_LINK_KIND_COUNT; i++) def->can_take[i] &= one->can_take[i];
  for (int i = 0; i <= LW_AREA_MAX; i++) def->avoid[i] |= one->avoid[i];
  if (one->body.whiskers.rays > def->body.whiskers.rays) def->body.whiskers.rays = one->body.whiskers.rays;
  def->senses.sight.friends |= one->senses.sight.friends;
  if (one->body.avoidance > def->body.avoidance) def->body.avoidance = one->body.avoidance;
}

lw_status lw_profile_combine(const lw_profile *const *profiles, int count, lw_profile_def *out,
                             lw_error *error) {
  if (!out) return lwi_fail_null(error, "def");
  *out = lw_profile_def_default();
  if (!profiles) return lwi_fail_null(error, "profiles");
  if (count < 1) return lwi_fail(error, LW_INVALID, "count is %d, expected 1 or more profiles", count);
  for (int i = 0; i < count; i++)
    if (!profiles[i]) return lwi_fail(error, LW_INVALID, "profiles[%d] is NULL", i);
  const members of = {profiles, count};
  lw_profile_def def = profiles[0]->def;
  def.name = "custom";
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    for (int k = 0; k < fields[i].count; k++) {
      const size_t offset = fields[i].offset + (size_t)k * sizeof(float);
      const float number = combine(&of, fields[i].rule, offset);
      memcpy((char *)&def + offset, &number, sizeof number);
    }
  combine_speeds(&of, &def);
  for (int i = 1; i < count; i++) {
    combine_flags(&def, &profiles[i]->def);
    combine_trailer(&def, &profiles[i]->def);
  }
  combine_stances(&of, &def);
  *out = def;
  return LW_OK;
}
