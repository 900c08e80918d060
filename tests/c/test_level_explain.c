/* On the shared levels: for any prices, threats and path, the terms of the cost breakdown add up to the path's
   cost. */
#include "level_test.h"

#include "leeward/danger.h"
#include "leeward/explain.h"

#include <math.h>

#define PATHS 30
#define THREATS_MAX 3

static float some(shared_level *level, float max) {
  return level_random(level, 0, 1) < 0.4f ? 0 : level_random(level, 0, max);
}

static lw_profile *any_profile(shared_level *level) {
  lw_profile_def def = lw_profile_def_default();
  def.name = "any";
  def.can_swim = true;
  if (level_random(level, 0, 1) < 0.2f) def.radius = 0.6f; /* more than the levels were baked for */
  for (int i = 0; i < LW_LINK_TYPE_COUNT; i++) def.resistance_factor[i] = some(level, 20);
  for (int i = 1; i <= LW_AREA_MAX; i++) def.area_factor[i] = some(level, 4);
  def.swim_resistance_factor = some(level, 5);
  def.exposure_factor = some(level, 5);
  def.danger_cost = some(level, 100);
  def.safety_bias = some(level, 5);
  def.cover_bias = 1 + some(level, 8);
  lw_profile *profile;
  assert_int_equal(lw_profile_create(&def, level->areas, &profile, NULL), LW_OK);
  return profile;
}

typedef struct totals {
  int paths, segments, seen, endangered, round_about;
  double worst;
} totals;

static double terms_of(const lw_path_segment *segment) {
  double sum = 0;
  for (int i = 0; i < LW_COST_TERM_COUNT; i++) {
    assert_true(segment->terms[i] >= 0 && isfinite(segment->terms[i]));
    sum += (double)segment->terms[i];
  }
  return sum;
}

static void check_cost(const lw_path_segment *segment, int threats) {
  float max = segment->length * 1.0001f + 1e-4f, any = 0;
  assert_true(fabs(terms_of(segment) - (double)segment->cost) <= 1e-4 * (1 + (double)segment->cost));
  assert_true(segment->water <= max && segment->exposed <= max);
  for (int i = 0; i < threats; i++) {
    assert_true(segment->exposed_to[i] >= 0 && segment->exposed_to[i] <= segment->exposed * 1.0001f + 1e-3f);
    any += segment->exposed_to[i];
  }
  assert_true(segment->exposed <= any * 1.0001f + 1e-3f); /* seen by any: no more than by each, added */
}

static void check_explanation(const lw_path *path, const lw_explanation *e, totals *sums) {
  int count, threats = lw_explanation_threat_count(e);
  const lw_path_segment *segments = lw_explanation_segments(e, &count), *total = lw_explanation_total(e);
  const lw_path_comparison *beside = lw_explanation_comparison(e);
  double cost = 0, length = 0, path_cost = (double)lw_path_cost(path);
  for (int i = 0; i < count; i++) {
    check_cost(&segments[i], threats);
    cost += terms_of(&segments[i]);
    length += (double)segments[i].length;
  }
  check_cost(total, threats);
  double off = fmax(fabs(cost - path_cost), fabs(terms_of(total) - path_cost)) / fmax(1, path_cost);
  sums->worst = fmax(sums->worst, off);
  if (off > 1e-3) fail_msg("the parts cost %g, all %g, the path %g", cost, terms_of(total), path_cost);
  assert_true(fabs(length - (double)lw_path_length(path)) <= 1e-3 * (1 + length));
  assert_true(fabs((double)total->exposed - (double)lw_path_exposed(path)) <= 1e-3 * (1 + length));
  assert_int_equal(beside->status, LW_OK);
  check_cost(&beside->shortest, threats);
  if ((double)beside->longer < -0.1 * length - 0.1) /* the funnel is exact, the corridor is not */
    fail_msg("%g m, the shortest path has %g", length, (double)beside->shortest.length);
  sums->paths += 1;
  sums->segments += count;
  sums->seen += total->exposed > 0;
  sums->endangered += total->terms[LW_TERM_DANGER] > 0;
  sums->round_about += beside->longer > 0.5f;
}

/* Dangers of the level, for all of its paths. */
static void add_dangers(shared_level *level) {
  for (int i = 0; i < 5; i++) {
    lw_danger_def def = lw_danger_def_default();
    lw_danger_id id;
    def.at = level_place(level).point;
    def.radius = level_random(level, 1, 6);
    assert_int_equal(lw_danger_add(level->world, &def, &id, NULL), LW_OK);
  }
}

static void explains_every_path_to_its_full_price(shared_level *level) {
  totals sums = {0};
  add_dangers(level);
  for (int i = 0; i < PATHS; i++) {
    lw_threat threats[THREATS_MAX];
    lw_profile *profile = any_profile(level);
    lw_path_query query = lw_path_query_default();
    query.from = level_place(level).point;
    query.to = level_place(level).point;
    query.profile = profile;
    query.allow_partial = true;
    query.threats = threats;
    query.threat_count = (int)level_random(level, 0, THREATS_MAX + 0.99f);
    for (int k = 0; k < query.threat_count; k++) {
      threats[k] = lw_threat_default();
      threats[k].at = level_place(level).point;
      threats[k].at.y += 1.6f;
      if (k == 0) threats[k].range = level_random(level, 5, 60);
    }
    lw_path *path;
    lw_explanation *e;
    lw_status status = lw_path_find(level->world, NULL, &query, &path);
    if (status == LW_OK || status == LW_PARTIAL) {
      assert_int_equal(lw_path_explain(path, level->world, NULL, &query, &e), LW_OK);
      check_explanation(path, e, &sums);
      lw_explanation_destroy(e);
      lw_path_destroy(path);
    }
    lw_profile_destroy(profile);
  }
  printf(
      "note: %s: %d paths of %d segments, %d seen, %d in danger, %d go round for a reason; off by %.2g at worst"
      " (seed %llu)\n",
      level->name, sums.paths, sums.segments, sums.seen, sums.endangered, sums.round_about, sums.worst,
      (unsigned long long)level->seed);
  assert_true(sums.paths >= PATHS / 3);
}

int main(void) {
  static const level_check checks[] = {
      {"explains_every_path_to_its_full_price", explains_every_path_to_its_full_price},
  };
  return level_run("level explanations", checks, 1);
}
