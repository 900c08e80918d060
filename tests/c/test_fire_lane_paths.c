/* Paths over a field with fire lanes on it, against a brute-force search: Dijkstra over points set closely all
   round each lane, where every two are joined by a straight segment. And how much work a search does where
   there are many lanes. */
#include "core/random.h"
#include "cost/timed_region.h"
#include "grid_world.h"
#include "leeward/leeward.h"
#include "search/search.h"
#include "world/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define SEED 20261122u
#define SIDE 60.0f
#define LENGTH 10.0f
#define RADIUS 0.7f
#define BIAS 5
#define FEW 10
#define MANY 100
#define ROUNDS 24
#define APART 0.5f
#define PLACES_MAX (2 + FEW * 64)

/* One polygon. */
static grid_world open_field(int lanes, uint64_t seed) {
  static const char *const rows[] = {"."};
  lw_random random = lwi_random_make(seed, (uint64_t)lanes);
  lw_profile_def profile = lw_profile_def_default();
  profile.cover_bias = BIAS;
  grid_world f = grid_world_open(rows, 1, SIDE, &profile, NULL);
  for (int i = 0; i < lanes; i++) {
    lw_fire_lane_def lane = lw_fire_lane_def_default();
    lw_fire_lane_id id;
    float angle = 6.2831853f * lwi_random_unit(&random);
    lane.from = lwi_vec3(SIDE * lwi_random_unit(&random), 1, SIDE * lwi_random_unit(&random));
    lane.to = lwi_add(lane.from, lwi_vec3(LENGTH * cosf(angle), 0, LENGTH * sinf(angle)));
    lane.radius = RADIUS;
    assert_int_equal(lw_fire_lane_add(f.world, &lane, &id, NULL), LW_OK);
  }
  return f;
}

static lw_path_query draw_query(const grid_world *f, lw_random *random) {
  lw_path_query query = lw_path_query_default();
  query.from = lwi_vec3(SIDE * lwi_random_unit(random), 0, SIDE * lwi_random_unit(random));
  query.to = lwi_vec3(SIDE * lwi_random_unit(random), 0, SIDE * lwi_random_unit(random));
  query.profile = f->profile;
  return query;
}

/* --- the brute-force search ------------------------------------------------------------------------------------ */

typedef struct place {
  lw_vec3 at;
  float g;
  bool done;
} place;

static float price_of(const grid_world *f, lw_vec3 from, lw_vec3 to) {
  const lwi_timed_set *lanes = &f->world->scene.timed[LWI_FIRE_LANE];
  float price = lwi_distance(from, to);
  for (int i = 0; i < lanes->ids.count; i++) price += (BIAS - 1) * lwi_lane_metres(&lanes->shapes[i], from, to);
  return price;
}

static void add_place(place *places, int *count, float x, float z) {
  if (x < 0 || x > SIDE || z < 0 || z > SIDE) return;
  assert_true(*count < PLACES_MAX);
  places[(*count)++] = (place){lwi_vec3(x, 0, z), INFINITY, false};
}

static void add_round(place *places, int *count, const lwi_timed_shape *lane) {
  lw_vec3 direction = lwi_scale(lwi_sub(lane->to, lane->from), 1 / LENGTH);
  const float off = RADIUS + 2e-3f;
  for (float s = 0; s <= LENGTH; s += APART)
    for (int side = -1; side <= 1; side += 2)
      add_place(places, count, lane->from.x + s * direction.x - (float)side * off * direction.z,
                lane->from.z + s * direction.z + (float)side * off * direction.x);
  for (int i = -3; i <= 3; i++) {
    float angle = 3.1415927f / 8 * (float)i, along = off * 1.04f * cosf(angle),
          aside = off * 1.04f * sinf(angle);
    add_place(places, count, lane->to.x + along * direction.x - aside * direction.z,
              lane->to.z + along * direction.z + aside * direction.x);
    add_place(places, count, lane->from.x - along * direction.x - aside * direction.z,
              lane->from.z - along * direction.z + aside * direction.x);
  }
}

static float best_cost(const grid_world *f, const lw_path_query *query) {
  static place places[PLACES_MAX];
  int count = 0;
  add_place(places, &count, query->to.x, query->to.z);
  add_place(places, &count, query->from.x, query->from.z);
  const lwi_timed_set *lanes = &f->world->scene.timed[LWI_FIRE_LANE];
  for (int i = 0; i < lanes->ids.count; i++) add_round(places, &count, &lanes->shapes[i]);
  places[1].g = 0;
  for (int left = count; left > 0; left--) {
    place *next = NULL;
    for (int i = 0; i < count; i++)
      if (!places[i].done && (!next || places[i].g < next->g)) next = &places[i];
    next->done = true;
    if (next == &places[0]) break;
    for (int i = 0; i < count; i++) {
      place *to = &places[i];
      if (to->done || next->g + lwi_distance(next->at, to->at) >= to->g) continue;
      to->g = fminf(to->g, next->g + price_of(f, next->at, to->at));
    }
  }
  return places[0].g;
}

static void paths_past_fire_lanes_are_nearly_the_cheapest(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 0);
  double sum = 0, worst = 0;
  int bent = 0;
  for (int i = 0; i < ROUNDS; i++) {
    grid_world f = open_field(FEW, SEED + (uint64_t)i);
    const lw_path_query query = draw_query(&f, &random);
    float cost = grid_world_cost(&f, query.from, query.to), best = best_cost(&f, &query);
    bent += best < price_of(&f, query.from, query.to) * 0.999f;
    double over = (double)(cost / best) - 1;
    sum += over;
    worst = fmax(worst, over);
    grid_world_close(&f);
  }
  printf("note: %d lanes, seed %u: %d paths, %d not straight: cost above the best %.2f %% in the mean, "
         "worst %.2f %%\n",
         FEW, SEED, ROUNDS, bent, 100 * sum / ROUNDS, 100 * worst);
  assert_true(bent > ROUNDS / 3);
  assert_true(sum / ROUNDS < 0.005 && worst < 0.05);
}

/* --- many ------------------------------------------------------------------------------------------------------------ */

/* Lanes that pieces are held against, and nodes, for one path in the mean and at worst. */
static void count_looks(int lanes, double *mean, uint64_t *worst, int *nodes) {
  grid_world f = open_field(lanes, SEED);
  lw_random random = lwi_random_make(SEED, 1);
  const lwi_search *search = &f.world->scene.own->navs[0].search;
  const lwi_timed_scratch *lanes_met = &f.world->scene.own->navs[0].timed[LWI_FIRE_LANE];
  *worst = 0;
  *nodes = 0;
  for (int i = 0; i < ROUNDS; i++) {
    const lw_path_query query = draw_query(&f, &random);
    uint64_t before = lanes_met->looks;
    float cost = grid_world_cost(&f, query.from, query.to);
    uint64_t looks = lanes_met->looks - before;
    assert_true(cost <= price_of(&f, query.from, query.to) * 1.001f);
    *worst = looks > *worst ? looks : *worst;
    *nodes = search->expanded > *nodes ? search->expanded : *nodes;
  }
  *mean = (double)lanes_met->looks / ROUNDS;
  grid_world_close(&f);
}

static void the_work_for_a_hundred_fire_lanes_is_bounded(void **state) {
  (void)state;
  double mean[2];
  uint64_t worst[2];
  int nodes[2];
  for (int i = 0; i < 2; i++) count_looks(i ? MANY : FEW, &mean[i], &worst[i], &nodes[i]);
  printf("note: lanes held against pieces, a path: %.0f (at worst %llu, %d nodes) of %d lanes, %.0f (%llu, %d) "
         "of %d\n",
         mean[0], (unsigned long long)worst[0], nodes[0], FEW, mean[1], (unsigned long long)worst[1], nodes[1],
         MANY);
  assert_true(worst[0] > 0);
  assert_true(mean[1] < 400 * mean[0]); /* a thousand times would be every lane for every pair of places */
  assert_true(worst[1] < 4000000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(paths_past_fire_lanes_are_nearly_the_cheapest),
      cmocka_unit_test(the_work_for_a_hundred_fire_lanes_is_bounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
