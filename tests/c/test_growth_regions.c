/* How the work for dangers and fire lanes grows with their number, counted in regions and tree nodes that were looked
   at; and that what is found by lists and trees is what looking at all of them finds. */
#include "core/random.h"
#include "grid_world.h"
#include "leeward/leeward.h"
#include "search/search.h"
#include "world/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SEED 20261123u
#define CELLS 20
#define CELL 3.0f
#define SIDE (CELLS * CELL)
#define PATHS 8
#define FIRST 100
#define DOUBLINGS 5
#define EXPONENT 1.3
#define MATTER 20
#define WORK_MAX 4e7

static float between(lw_random *random, float low, float high) {
  return low + (high - low) * lwi_random_unit(random);
}

/* @param cells  A side; 1: one big polygon. */
static grid_world open_plain(int cells) {
  char row[CELLS + 1];
  const char *rows[CELLS];
  lw_profile_def profile = lw_profile_def_default();
  profile.danger_cost = 10;
  profile.cover_bias = 5;
  memset(row, '.', (size_t)cells);
  row[cells] = 0;
  for (int i = 0; i < cells; i++) rows[i] = row;
  return grid_world_open(rows, cells, SIDE / (float)cells, &profile, NULL);
}

static lw_danger_id add_danger(const grid_world *w, lw_random *random, float x) {
  lw_danger_def def = lw_danger_def_default();
  lw_danger_id id;
  def.at = lwi_vec3(x + between(random, 0, SIDE), between(random, -1, 1), between(random, 0, SIDE));
  def.radius = between(random, 1, 10);
  def.value = between(random, 0.5f, 1.5f);
  assert_int_equal(lw_danger_add(w->world, &def, &id, NULL), LW_OK);
  return id;
}

static void add_lane(const grid_world *w, lw_random *random, float x) {
  lw_fire_lane_def def = lw_fire_lane_def_default();
  lw_fire_lane_id id;
  const float angle = between(random, 0, 6.2831853f);
  def.from = lwi_vec3(x + between(random, 0, SIDE), 1, between(random, 0, SIDE));
  def.to = lwi_add(def.from, lwi_vec3(10 * cosf(angle), 0, 10 * sinf(angle)));
  assert_int_equal(lw_fire_lane_add(w->world, &def, &id, NULL), LW_OK);
}

static void add_regions(const grid_world *w, lwi_timed_kind kind, int count, float x, lw_random *random) {
  for (int i = 0; i < count; i++)
    if (kind == LWI_DANGER)
      add_danger(w, random, x);
    else
      add_lane(w, random, x);
}

static lw_path_query draw_query(const grid_world *w, lw_random *random) {
  lw_path_query query = lw_path_query_default();
  query.profile = w->profile;
  query.from = lwi_vec3(between(random, 1, 10), 0, between(random, 1, SIDE - 1));
  query.to = lwi_vec3(between(random, SIDE - 10, SIDE - 1), 0, between(random, 1, SIDE - 1));
  return query;
}

/* --- growth ------------------------------------------------------------------------------------------------ */

/* The work of a path in the mean. */
static double work_of(const grid_world *w, lwi_timed_kind kind) {
  const lwi_nav_scratch *scratch = &w->world->scene.own->navs[0];
  lw_random random = lwi_random_make(SEED, 1);
  double nodes = 0;
  const uint64_t before = scratch->timed[kind].steps;
  for (int i = 0; i < PATHS; i++) {
    const lw_path_query query = draw_query(w, &random);
    lw_path *path;
    assert_int_equal(lw_path_find(w->world, NULL, &query, &path), LW_OK);
    nodes += lw_path_nodes(path);
    lw_path_destroy(path);
  }
  return ((double)(scratch->timed[kind].steps - before) + 64 * nodes) / PATHS;
}

/* @param far  All but MATTER of them lie beside the navmesh. */
static double work_among(int cells, lwi_timed_kind kind, int count, bool far) {
  grid_world w = open_plain(cells);
  lw_random random = lwi_random_make(SEED, 2);
  add_regions(&w, kind, far ? MATTER : count, 0, &random);
  if (far) add_regions(&w, kind, count - MATTER, 3 * SIDE, &random);
  const double work = work_of(&w, kind);
  grid_world_close(&w);
  return work;
}

static void check_growth(const char *name, int cells, lwi_timed_kind kind) {
  double first = 0, work = 0, highest = 0;
  printf("note: %s: looked at for a path", name);
  for (int i = 0; i <= DOUBLINGS; i++) {
    work = work_among(cells, kind, FIRST << i, false);
    if (i == 0) first = work;
    highest = fmax(highest, work);
    printf(" %.0f", work);
  }
  const double exponent = log2(work / first) / DOUBLINGS;
  printf(" of %d to %d: exponent %.2f\n", FIRST, FIRST << DOUBLINGS, exponent);
  assert_true(exponent < EXPONENT);
  assert_true(highest < WORK_MAX);
}

static void the_work_for_paths_grows_no_faster_than_the_dangers(void **state) {
  (void)state;
  check_growth("dangers on one polygon", 1, LWI_DANGER);
  check_growth("dangers on a plain of polygons", CELLS, LWI_DANGER);
}

/* What a path among a thousand dangers may take: about 5 ms. */
#define THOUSAND_MAX 2.8e6

static void a_path_among_a_thousand_dangers_takes_bounded_work(void **state) {
  (void)state;
  const double work = work_among(CELLS, LWI_DANGER, 1000, false);
  printf("note: looked at for a path: %.0f of 1000 dangers\n", work);
  assert_true(work < THOUSAND_MAX);
}

static void the_work_for_paths_grows_no_faster_than_the_fire_lanes(void **state) {
  (void)state;
  check_growth("lanes on one polygon", 1, LWI_FIRE_LANE);
  check_growth("lanes on a plain of polygons", CELLS, LWI_FIRE_LANE);
}

static void what_lies_far_off_costs_nothing(void **state) {
  (void)state;
  for (int kind = 0; kind < LWI_TIMED_KINDS; kind++) {
    const double few = work_among(CELLS, (lwi_timed_kind)kind, MATTER, true),
                 many = work_among(CELLS, (lwi_timed_kind)kind, 100000, true);
    printf("note: looked at for a path: %.0f of %d, %.0f of 100000 that are nearly all far off\n", few, MATTER,
           many);
    assert_true(many < 1.2 * few);
  }
}

/* --- the tree ---------------------------------------------------------------------------------------------- */

#define SHAPES 3000

static lwi_timed_shape random_disc(lw_random *random, float side) {
  lwi_timed_shape disc = {.radius = between(random, 0.1f, 4), .height = 2, .strength = 1};
  disc.from = disc.to = lwi_vec3(between(random, 0, side), 0, between(random, 0, side));
  return disc;
}

static void the_tree_finds_what_a_line_meets(void **state) {
  (void)state;
  static lwi_timed_shape shapes[SHAPES];
  static bool is_in[SHAPES];
  lw_random random = lwi_random_make(SEED, 3);
  lwi_memory own = lwi_memory_make(NULL);
  lwi_rectangle_tree tree = {0};
  for (int round = 0; round < 4 * SHAPES; round++) {
    const uint32_t i = (uint32_t)between(&random, 0, SHAPES - 0.5f);
    if (is_in[i]) {
      lwi_rectangle_tree_remove(&tree, i);
    } else {
      shapes[i] = random_disc(&random, 100);
      assert_true(lwi_rectangle_tree_add(&tree, &own, i, lwi_timed_rectangle(&shapes[i])));
    }
    is_in[i] = !is_in[i];
    if (round % 97 == 0) assert_null(lwi_rectangle_tree_validate(&tree));
  }
  int found = 0, nodes = 0;
  for (int round = 0; round < 300; round++) {
    static bool met[SHAPES];
    const lw_vec3 from = {between(&random, -5, 105), 0, between(&random, -5, 105)},
                  to = {between(&random, -5, 105), 0, between(&random, -5, 105)};
    memset(met, 0, sizeof met);
    lwi_rectangle_walk walk = lwi_rectangle_walk_line(&tree, from, to);
    if (round % 2) walk.limit = 1e30f; /* by distance */
    for (uint32_t i; (i = lwi_rectangle_walk_next(&walk)) != LWI_NONE; found++) {
      assert_true(is_in[i] && !met[i]);
      met[i] = true;
    }
    nodes += walk.nodes;
    for (int i = 0; i < SHAPES; i++)
      if (is_in[i] && lwi_disc_enters(&shapes[i], from, to)) assert_true(met[i]);
  }
  printf("note: %d nodes looked at to find %d regions on 300 lines\n", nodes, found);
  assert_true(nodes < 8 * found + 300 * 60);
  lwi_rectangle_tree_free(&tree, &own);
  assert_int_equal(own.bytes, 0);
}

/* --- lists -------------------------------------------------------------------------------------------------- */

static lwi_timed_costs costs_of(const grid_world *w) {
  lwi_timed_costs costs;
  const lwi_scene *scene = &w->world->scene;
  assert_true(lwi_scene_timed_costs(scene, LWI_DANGER, &scene->navs[0], w->profile,
                                    &scene->own->navs[0].timed[LWI_DANGER], &costs));
  return costs;
}

static float entered_of_all(const lwi_timed_costs *costs, uint32_t polygon, lw_vec3 from, lw_vec3 to) {
  float sum = 0;
  for (uint32_t i = lwi_timed_first(costs, polygon); i != LWI_NONE; i = lwi_timed_next(costs, i))
    if (lwi_disc_enters(lwi_timed_of(costs, i), from, to))
      sum += costs->factor * lwi_timed_of(costs, i)->strength;
  return sum;
}

static lw_vec3 place_in(const lwi_polygon *polygon, lw_random *random) {
  lw_vec3 at = lwi_corner(polygon, 0);
  for (uint32_t i = 1; i < polygon->count; i++)
    at = lwi_lerp(at, lwi_corner(polygon, i), lwi_random_unit(random));
  return at;
}

/* Bit for bit: the same terms are added in the same order. */
static void pieces_pay_for_just_what_they_enter(void **state) {
  (void)state;
  for (int cells = 1; cells <= CELLS; cells += CELLS - 1) {
    grid_world w = open_plain(cells);
    lw_random random = lwi_random_make(SEED, 4);
    int entered = 0;
    for (int count = 50; count <= 2 * LWI_TIMED_LIST_MAX; count *= 3) {
      while (lw_danger_count(w.world) < count) add_danger(&w, &random, 0);
      const lwi_timed_costs costs = costs_of(&w);
      for (int i = 0; i < 500; i++) {
        const uint32_t index = (uint32_t)between(&random, 0, (float)w.mesh->polygons.count - 0.5f);
        const lwi_polygon polygon = lwi_polygon_get(w.mesh, index);
        const lw_vec3 from = place_in(&polygon, &random), to = place_in(&polygon, &random);
        const float all = entered_of_all(&costs, index, from, to);
        assert_true(lwi_dangers_entered(&costs, index, from, to) == all);
        assert_true(all <= lwi_dangers_worst(&costs, index) * 1.0001f);
        entered += all > 0;
      }
    }
    assert_true(entered > 200);
    grid_world_close(&w);
  }
}

/* --- the limit on the work ---------------------------------------------------------------------------------- */

/* Past the limit a search looks less closely. What a path costs is still exact, and the same whatever came and went
   before. */
static void paths_among_very_many_dangers_say_what_they_cost(void **state) {
  (void)state;
  grid_world w[2] = {open_plain(CELLS), open_plain(CELLS)};
  lw_random random = lwi_random_make(SEED, 5);
  lw_danger_id others[100];
  for (int i = 0; i < 100; i++) others[i] = add_danger(&w[1], &random, 0);
  for (int k = 0; k < 2; k++) {
    random = lwi_random_make(SEED, 6);
    add_regions(&w[k], LWI_DANGER, 1000, 0, &random);
  }
  for (int i = 0; i < 100; i++) assert_int_equal(lw_danger_remove(w[1].world, others[i]), LW_OK);
  const lwi_timed_set *set = &w[0].world->scene.timed[LWI_DANGER];
  for (int i = 0; i < PATHS; i++) {
    lw_path *paths[2];
    lw_path_query query = draw_query(&w[0], &random);
    for (int k = 0; k < 2; k++) {
      query.profile = w[k].profile;
      assert_int_equal(lw_path_find(w[k].world, NULL, &query, &paths[k]), LW_OK);
    }
    assert_true(lw_path_cost(paths[0]) == lw_path_cost(paths[1]));
    assert_int_equal(lw_path_nodes(paths[0]), lw_path_nodes(paths[1]));
    int count;
    const lw_vec3 *points = lw_path_points(paths[0], &count);
    double danger = 0;
    for (int at = 1; at < count; at++)
      for (int s = 0; s < 1000; s++)
        if (lwi_disc_enters(&set->shapes[s], points[at - 1], points[at]))
          danger += 10 * (double)set->shapes[s].strength;
    assert_true(fabs((double)lw_path_danger(paths[0]) - danger) <= 1e-3 * danger);
    for (int k = 0; k < 2; k++) lw_path_destroy(paths[k]);
  }
  for (int k = 0; k < 2; k++) grid_world_close(&w[k]);
}

static lw_path *find(const grid_world *w, lw_path_query query) {
  lw_path *path;
  query.profile = w->profile;
  assert_int_equal(lw_path_find(w->world, NULL, &query, &path), LW_OK);
  return path;
}

/* @return Whether the path is reduced; its explanation and the path of an agent say the same. */
static bool is_reduced(const grid_world *w, const lw_path_query *query) {
  lw_path *path = find(w, *query);
  lw_explanation *explanation;
  char text[400];
  const bool reduced = lw_path_is_reduced(path);
  assert_int_equal(lw_path_explain(path, NULL, NULL, NULL, &explanation), LW_OK);
  lw_explanation_sentence(explanation, text, sizeof text);
  assert_true((strstr(text, "there may be a cheaper path") != NULL) == reduced);
  lw_explanation_destroy(explanation);
  lw_path_destroy(path);
  return reduced;
}

static void paths_say_whether_their_search_was_limited(void **state) {
  (void)state;
  for (int cells = 1; cells <= CELLS; cells += CELLS - 1) {
    for (int kind = 0; kind < LWI_TIMED_KINDS; kind++) {
      grid_world w = open_plain(cells);
      lw_random random = lwi_random_make(SEED, 7);
      int few = 0, many = 0;
      lw_path_query queries[PATHS];
      for (int i = 0; i < PATHS; i++) queries[i] = draw_query(&w, &random);
      add_regions(&w, (lwi_timed_kind)kind, 5, 0, &random);
      for (int i = 0; i < PATHS; i++) few += is_reduced(&w, &queries[i]);
      add_regions(&w, (lwi_timed_kind)kind, 2000, 0, &random);
      for (int i = 0; i < PATHS; i++) many += is_reduced(&w, &queries[i]);
      assert_int_equal(few, 0);
      assert_int_equal(many, PATHS);
      grid_world_close(&w);
    }
  }
}

/* Of CELLS x CELLS polygons a diagonal lane crosses those of three diagonals; its box holds them all. */
static void a_slanting_lane_is_kept_only_where_it_leads(void **state) {
  (void)state;
  grid_world w = open_plain(CELLS);
  lw_fire_lane_def def = lw_fire_lane_def_default();
  lw_fire_lane_id id;
  def.from = lwi_vec3(1, 1, 1);
  def.to = lwi_vec3(SIDE - 1, 1, SIDE - 1);
  assert_int_equal(lw_fire_lane_add(w.world, &def, &id, NULL), LW_OK);
  const lwi_outline_index *index = &w.world->scene.navs[0].outlines[LWI_FIRE_LANE];
  assert_in_range(index->part_count, CELLS, 4 * CELLS);
  grid_world_close(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_work_for_paths_grows_no_faster_than_the_dangers),
      cmocka_unit_test(a_path_among_a_thousand_dangers_takes_bounded_work),
      cmocka_unit_test(the_work_for_paths_grows_no_faster_than_the_fire_lanes),
      cmocka_unit_test(what_lies_far_off_costs_nothing),
      cmocka_unit_test(a_slanting_lane_is_kept_only_where_it_leads),
      cmocka_unit_test(the_tree_finds_what_a_line_meets),
      cmocka_unit_test(pieces_pay_for_just_what_they_enter),
      cmocka_unit_test(paths_among_very_many_dangers_say_what_they_cost),
      cmocka_unit_test(paths_say_whether_their_search_was_limited),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
