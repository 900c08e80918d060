/* Several navmeshes in one world: which one a query takes, and that no place on one is taken for a place on
   another. */
#include "bake_scene.h"
#include "core/random.h"
#include "core/vec3.h"
#include "grid_mesh.h"
#include "leeward/leeward.h"
#include "mesh/mesh.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const lw_vec3 SNAP = {2, 4, 2};

static lw_profile *make_profile(const lw_area_table *areas, float radius, float height) {
  lw_profile_def def = lw_profile_def_default();
  def.name = "test";
  def.radius = radius;
  def.height = height;
  lw_profile *profile;
  assert_int_equal(lw_profile_create(&def, areas, &profile, NULL), LW_OK);
  return profile;
}

static lw_world *make_world(const lw_navmesh *const *navmeshes, int count) {
  lw_world_def def = lw_world_def_default();
  def.navmeshes = navmeshes;
  def.navmesh_count = count;
  lw_world *world;
  lw_error error = {0};
  if (lw_world_create(&def, &world, &error) != LW_OK) fail_msg("%s", error.text);
  return world;
}

/* --- a yard for people and tanks --------------------------------------------------------------------------------- */

/* 40 x 20 m in two halves, with a wall between them at x = 15 that has a gap of 2 m; the tanks' navmesh ends at
   x = 30. */
typedef struct yard {
  lw_area_table *areas;
  lw_geometry *geometry;
  lw_navmesh *people, *tanks;
  const lw_navmesh *both[2];
  lw_profile *man, *tank;
  lw_world *world;
} yard;

static void open_yard(yard *y) {
  *y = (yard){.areas = scene_areas()};
  y->geometry = scene_floor(y->areas, 40, 20);
  const lw_geometry_box walls[] = {{.at = {15, 0, 4.5f}, .size = {1, 3, 9}},
                                   {.at = {15, 0, 15.5f}, .size = {1, 3, 9}}};
  for (int i = 0; i < 2; i++) assert_int_equal(lw_geometry_add_box(y->geometry, &walls[i], NULL), LW_OK);
  lw_bake_settings settings = lw_bake_settings_default();
  settings.cell_size = 0.2f;
  settings.agent_radius = 0.4f;
  y->people = scene_bake(y->geometry, &settings, NULL);
  settings.agent_radius = 1.6f;
  settings.agent_height = 2.5f;
  settings.bounds = (lw_box){{0, -1, 0}, {30, 4, 20}};
  y->tanks = scene_bake(y->geometry, &settings, NULL);
  y->both[0] = y->people;
  y->both[1] = y->tanks;
  y->man = make_profile(y->areas, 0.4f, 1.75f);
  y->tank = make_profile(y->areas, 1.6f, 2.5f);
  y->world = make_world(y->both, 2);
}

static void close_yard(yard *y) {
  lw_world_destroy(y->world);
  lw_profile_destroy(y->man);
  lw_profile_destroy(y->tank);
  lw_navmesh_destroy(y->people);
  lw_navmesh_destroy(y->tanks);
  lw_geometry_destroy(y->geometry);
  lw_area_table_destroy(y->areas);
}

static int navmesh_for(const yard *y, lw_vec3 point, const lw_profile *profile) {
  int index = -2;
  lw_world_find_navmesh(y->world, point, SNAP, profile, &index, NULL);
  return index;
}

static void a_profile_takes_the_navmesh_of_its_size_where_there_is_one(void **state) {
  (void)state;
  yard y;
  open_yard(&y);
  lw_profile *dog = make_profile(y.areas, 0.2f, 0.6f), *jeep = make_profile(y.areas, 1, 1.7f);
  assert_int_equal(lw_world_navmesh_count(y.world), 2);
  assert_int_equal(lw_world_navmesh_index(y.world, lw_world_navmesh(y.world)), 0);
  assert_int_equal(lw_world_navmesh_index(y.world, lw_world_navmesh_at(y.world, 1)), 1);
  assert_int_equal(lw_world_navmesh_index(y.world, y.people), 0);
  assert_null(lw_world_navmesh_at(y.world, 2));
  assert_int_equal(lw_world_navmesh_index(y.world, y.tanks), 1);
  assert_int_equal(navmesh_for(&y, lwi_vec3(5, 0, 5), y.man), 0);
  assert_int_equal(navmesh_for(&y, lwi_vec3(5, 0, 5), y.tank), 1);
  assert_int_equal(navmesh_for(&y, lwi_vec3(5, 0, 5), dog), 0);
  assert_int_equal(navmesh_for(&y, lwi_vec3(5, 0, 5), jeep), 1); /* what is too large is safe */
  assert_int_equal(navmesh_for(&y, lwi_vec3(5, 0, 5), NULL), 0);
  assert_int_equal(navmesh_for(&y, lwi_vec3(35, 0, 5), y.tank), 0); /* no tanks' navmesh there */
  assert_int_equal(navmesh_for(&y, lwi_vec3(90, 0, 5), y.tank), -1);
  assert_int_equal(navmesh_for(&y, lwi_vec3(5, 50, 5), y.tank), -1);
  assert_int_equal(navmesh_for(&y, lwi_vec3(0.2f, 0, 5), y.tank), 1); /* outside of both, within the snap */
  /* In the gap a tank is off its navmesh, though the people's navmesh goes on there. */
  lw_location at;
  assert_int_equal(
      lw_world_find_navmesh(y.world, lwi_vec3(15, 0, 10), lwi_vec3(0.5f, 1, 0.5f), y.tank, NULL, &at),
      LW_NO_POINT);
  assert_int_equal(
      lw_world_find_navmesh(y.world, lwi_vec3(15, 0, 10), lwi_vec3(0.5f, 1, 0.5f), y.man, NULL, &at), LW_OK);
  lw_profile_destroy(dog);
  lw_profile_destroy(jeep);
  close_yard(&y);
}

static void every_query_takes_the_fitting_navmesh_or_the_one_named(void **state) {
  (void)state;
  yard y;
  open_yard(&y);
  lw_path_query query = lw_path_query_default();
  query.from = lwi_vec3(5, 0, 10);
  query.to = lwi_vec3(22, 0, 10);
  lw_path *path;
  query.profile = y.man;
  assert_int_equal(lw_path_find(y.world, NULL, &query, &path), LW_OK);
  assert_int_equal(lw_path_navmesh(path), 0);
  lw_path_destroy(path);
  query.profile = y.tank; /* the gap is too narrow, so its navmesh has two parts */
  assert_int_equal(lw_path_find(y.world, NULL, &query, &path), LW_NO_PATH);
  query.navmesh = 1;
  query.profile = y.man;
  assert_int_equal(lw_path_find(y.world, NULL, &query, &path), LW_NO_PATH);
  query.to = lwi_vec3(10, 0, 3);
  assert_int_equal(lw_path_find(y.world, NULL, &query, &path), LW_OK);
  assert_int_equal(lw_path_navmesh(path), 1);
  lw_path_destroy(path);
  query.navmesh = 2;
  assert_int_equal(lw_path_find(y.world, NULL, &query, &path), LW_INVALID);
  query.navmesh = -2;
  assert_int_equal(lw_path_find(y.world, NULL, &query, &path), LW_INVALID);

  bool answer;
  lw_path_exists_query connected = lw_path_exists_query_default();
  connected.from = lwi_vec3(5, 0, 10);
  connected.to = lwi_vec3(22, 0, 10);
  connected.profile = y.man;
  assert_int_equal(lw_path_exists(y.world, NULL, &connected, &answer), LW_OK);
  assert_true(answer);
  connected.navmesh = 1;
  assert_int_equal(lw_path_exists(y.world, NULL, &connected, &answer), LW_OK);
  assert_false(answer);

  lw_random_point_query random = lw_random_point_query_default();
  random.random = lw_world_random_stream(y.world);
  random.around = lwi_vec3(15, 0, 10);
  random.radius = 8;
  random.profile = y.tank;
  lw_location at;
  for (int i = 0; i < 100; i++) {
    assert_int_equal(lw_random_point_find(y.world, NULL, &random, &at), LW_OK);
    assert_true(lw_navmesh_contains(y.tanks, at.point, 0.1f, NULL));
    lw_poly poly;
    assert_int_equal(lw_navmesh_get_poly(y.tanks, at.poly, &poly), LW_OK);
  }
  close_yard(&y);
}

static void an_agent_walks_on_the_navmesh_that_it_was_put_on(void **state) {
  (void)state;
  yard y;
  open_yard(&y);
  lw_agent_def def = lw_agent_def_default();
  lw_agent_id ids[3];
  lw_agent_state seen;
  lw_error error = {0};
  def.at = lwi_vec3(5, 0, 5);
  def.profile = y.man;
  assert_int_equal(lw_agent_spawn(y.world, &def, &ids[0], NULL), LW_OK);
  def.profile = y.tank;
  assert_int_equal(lw_agent_spawn(y.world, &def, &ids[1], NULL), LW_OK);
  def.navmesh = 0;
  assert_int_equal(lw_agent_spawn(y.world, &def, &ids[2], NULL), LW_OK);
  def.navmesh = 2;
  assert_int_equal(lw_agent_spawn(y.world, &def, &ids[2], &error), LW_INVALID);
  assert_string_equal(error.text, "navmesh is 2, expected 0 to 1, or LW_NAVMESH_FITTING (-1)");
  const int navmeshes[] = {0, 1};
  for (int i = 0; i < 2; i++) {
    assert_int_equal(lw_agent_get_state(y.world, ids[i], &seen), LW_OK);
    assert_int_equal(seen.navmesh, navmeshes[i]);
    assert_int_equal(lw_agent_move_to(y.world, ids[i], lwi_vec3(8, 0, 15), 0.2f), LW_OK);
  }
  assert_int_equal(lw_agent_move_to(y.world, ids[1], lwi_vec3(22, 0, 10), 0.2f), LW_NO_PATH);
  assert_int_equal(lw_agent_move_to(y.world, ids[1], lwi_vec3(8, 0, 15), 0.2f), LW_OK);
  for (int i = 0; i < 600; i++) assert_int_equal(lw_world_step(y.world, 1.0f / 60), LW_OK);
  for (int i = 0; i < 2; i++) {
    lw_agent_stats stats;
    assert_int_equal(lw_agent_get_state(y.world, ids[i], &seen), LW_OK);
    assert_int_equal(lw_agent_get_stats(y.world, ids[i], &stats), LW_OK);
    assert_int_equal(seen.move, LW_MOVE_ARRIVED);
    assert_int_equal(stats.off_mesh, 0);
    assert_int_equal(seen.navmesh, navmeshes[i]);
    lw_poly poly;
    assert_int_equal(lw_navmesh_get_poly(y.both[seen.navmesh], seen.poly, &poly), LW_OK);
  }
  close_yard(&y);
}

static void the_reachable_area_ends_where_it_is_too_narrow(void **state) {
  (void)state;
  yard y;
  open_yard(&y);
  lw_reachable_area_query query = lw_reachable_area_query_default();
  lw_reachable_area man, tank, within;
  query.from = lwi_vec3(5, 0, 10);
  query.profile = y.man;
  assert_int_equal(lw_reachable_area_find(y.world, NULL, &query, &man), LW_OK);
  assert_int_equal(man.navmesh, 0);
  assert_true(fabs(man.area - (double)lw_navmesh_get_stats(y.people).area) < 0.01);
  /* A tank on the people's navmesh does not get through the gap, whatever it may cost. */
  query.profile = y.tank;
  query.navmesh = 0;
  assert_int_equal(lw_reachable_area_find(y.world, NULL, &query, &tank), LW_OK);
  query.max_cost = 1000;
  assert_int_equal(lw_reachable_area_find(y.world, NULL, &query, &within), LW_OK);
  assert_true(tank.area > 0.25 * man.area && tank.area < 0.6 * man.area);
  assert_int_equal(within.polygon_count, tank.polygon_count);
  assert_true(fabs(within.area - tank.area) < 0.05 * tank.area);
  close_yard(&y);
}

static void a_place_on_one_navmesh_is_stale_on_another(void **state) {
  (void)state;
  yard y;
  open_yard(&y);
  lw_location at;
  lw_raycast ray;
  lw_location end;
  lw_wall wall;
  lw_poly poly;
  assert_int_equal(lw_navmesh_nearest(y.people, lwi_vec3(5, 0, 5), SNAP, NULL, &at), LW_OK);
  assert_int_equal(lw_navmesh_raycast(y.tanks, at, lwi_vec3(9, 0, 5), NULL, &ray), LW_STALE);
  assert_int_equal(lw_navmesh_move(y.tanks, at, lwi_vec3(9, 0, 5), NULL, &end), LW_STALE);
  assert_int_equal(lw_navmesh_distance_to_wall(y.tanks, at, 5, NULL, &wall), LW_STALE);
  assert_int_equal(lw_navmesh_get_poly(y.tanks, at.poly, &poly), LW_STALE);
  for (lw_poly_id id = lw_navmesh_next_poly(y.people, 0); id; id = lw_navmesh_next_poly(y.people, id)) {
    assert_true(id <= INT64_MAX); /* Lua's integers */
    assert_int_equal(lw_navmesh_get_poly(y.tanks, id, &poly), LW_STALE);
  }
  close_yard(&y);
}

/* --- bounds ------------------------------------------------------------------------------------------------------ */

static void navmeshes_with_touching_bounds_share_the_ground_without_a_gap(void **state) {
  (void)state;
  lw_area_table *areas = scene_areas();
  lw_geometry *geometry = scene_floor(areas, 60, 30);
  lw_bake_settings settings = lw_bake_settings_default();
  settings.cell_size = 0.25f;
  settings.tile_size = 8;
  lw_navmesh *whole = scene_bake(geometry, &settings, NULL), *parts[2];
  const lw_box halves[] = {{{0, -1, 0}, {24, 3, 30}}, {{24, -1, 0}, {60, 3, 30}}};
  double area = 0;
  for (int i = 0; i < 2; i++) {
    settings.bounds = halves[i];
    parts[i] = scene_bake(geometry, &settings, NULL);
    lw_box box = lw_navmesh_bounds(parts[i]);
    assert_true(box.min.x >= halves[i].min.x && box.max.x <= halves[i].max.x);
    area += (double)lw_navmesh_get_stats(parts[i]).area;
    /* Tiles of 32 cells, counted from the bounds' corner. */
    for (uint32_t t = 0; t < parts[i]->tiles.count; t++) {
      const lwi_tile *tile = &parts[i]->tiles.items[t];
      assert_float_equal(tile->bounds.min.x, halves[i].min.x + 8 * (float)tile->x, 1e-4f);
      assert_float_equal(tile->bounds.min.z, halves[i].min.z + 8 * (float)tile->z, 1e-4f);
    }
  }
  /* The ground goes on behind the bounds, so they cost no margin there. */
  assert_float_equal(area, (double)lw_navmesh_get_stats(whole).area, 1e-2);
  lw_world *world = make_world((const lw_navmesh *const *)parts, 2);
  lw_profile *man = make_profile(areas, 0.5f, 1.7f);
  for (int i = 0; i < 200; i++) {
    lw_vec3 point = {1 + 0.29f * (float)i, 0.5f, 3 + 0.1f * (float)i};
    int index;
    lw_location at;
    assert_int_equal(lw_world_find_navmesh(world, point, SNAP, man, &index, &at), LW_OK);
    assert_int_equal(index, point.x > 24);
    assert_float_equal(lwi_distance_xz(at.point, point), 0, 1e-3f);
  }
  /* Anywhere: over both, each by its area. */
  lw_random_point_query query = lw_random_point_query_default();
  query.random = lw_world_random_stream(world);
  query.anywhere = true;
  query.profile = man;
  int right = 0;
  const int draws = 4000;
  for (int i = 0; i < draws; i++) {
    lw_location at;
    assert_int_equal(lw_random_point_find(world, NULL, &query, &at), LW_OK);
    right += at.point.x > 24;
  }
  double expected = (double)lw_navmesh_get_stats(parts[1]).area / area,
         sigma = sqrt(expected * (1 - expected) / draws);
  assert_true(fabs(right / (double)draws - expected) < 4 * sigma);
  lw_world_destroy(world);
  lw_profile_destroy(man);
  lw_navmesh_destroy(parts[0]);
  lw_navmesh_destroy(parts[1]);
  lw_navmesh_destroy(whole);
  lw_geometry_destroy(geometry);
  lw_area_table_destroy(areas);
}

/* --- a second implementation of the rule --------------------------------------------------------------------------- */

#define MESHES 6

typedef struct misfit {
  float terms[4];
} misfit;

static misfit misfit_of(const lw_navmesh *mesh, const lw_profile_def *profile) {
  lw_navmesh_agent agent = lw_navmesh_get_agent(mesh);
  float lacks_height = profile->height > agent.height ? profile->height - agent.height : 0;
  float lacks_radius = profile->radius > agent.radius ? profile->radius - agent.radius : 0;
  float spare_radius = agent.radius > profile->radius ? agent.radius - profile->radius : 0;
  float spare_height = agent.height > profile->height ? agent.height - profile->height : 0;
  return (misfit){{lacks_height, lacks_radius, spare_radius, spare_height}};
}

static bool is_there(const lw_navmesh *mesh, lw_vec3 p, lw_vec3 reach) {
  lw_box box = lw_navmesh_bounds(mesh);
  lw_vec3 low = lwi_sub(box.min, reach), high = lwi_add(box.max, reach);
  return p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y && p.z >= low.z && p.z <= high.z;
}

static int expected_navmesh(lw_navmesh **meshes, lw_vec3 p, const lw_profile *profile) {
  int best = -1;
  float best_distance = 0;
  misfit best_fit = {{0}};
  for (int near = 0; near < 2 && best < 0; near++)
    for (int i = 0; i < MESHES; i++) {
      if (!is_there(meshes[i], p, near ? SNAP : lwi_vec3(0, SNAP.y, 0))) continue;
      misfit fit = misfit_of(meshes[i], lw_profile_get_def(profile));
      lw_location at;
      bool found = lw_navmesh_nearest(meshes[i], p, SNAP, NULL, &at) == LW_OK;
      float distance = found ? lwi_distance(at.point, p) : INFINITY;
      int order = best < 0 ? -1 : 0;
      for (int k = 0; k < 4 && order == 0; k++)
        if (fit.terms[k] != best_fit.terms[k]) order = fit.terms[k] < best_fit.terms[k] ? -1 : 1;
      if (order > 0 || (order == 0 && distance >= best_distance)) continue;
      best = i;
      best_fit = fit;
      best_distance = distance;
    }
  return best;
}

static void the_choice_agrees_with_a_second_implementation_of_the_rule(void **state) {
  (void)state;
  static const char *const names[] = {"ground"};
  static const char *const rows[] = {"...##", ".#...", "...##", "##...", NULL};
  const uint64_t seed = 20240611;
  lw_area_table *areas = support_areas(names, 1);
  lw_random random = lwi_random_make(seed, 0);
  int chosen[MESHES + 1] = {0};
  for (int round = 0; round < 40; round++) {
    lw_navmesh *meshes[MESHES];
    for (int i = 0; i < MESHES; i++) {
      meshes[i] = support_grid(areas, rows, 4, 1 + 3 * lwi_random_unit(&random));
      /* Half a metre apart, so that equal sizes come up. */
      meshes[i]->agent.radius = 0.5f * (float)(int)(5 * lwi_random_unit(&random));
      meshes[i]->agent.height = 0.5f * (float)(int)(5 * lwi_random_unit(&random));
    }
    lw_world *world = make_world((const lw_navmesh *const *)meshes, MESHES);
    for (int k = 0; k < 100; k++) {
      lw_profile *profile = make_profile(areas, 0.25f * (float)(int)(9 * lwi_random_unit(&random)),
                                         0.25f * (float)(int)(9 * lwi_random_unit(&random)));
      lw_vec3 p = {-3 + 24 * lwi_random_unit(&random), -5 + 10 * lwi_random_unit(&random),
                   -3 + 24 * lwi_random_unit(&random)};
      int index;
      lw_status status = lw_world_find_navmesh(world, p, SNAP, profile, &index, NULL);
      int expected = expected_navmesh(meshes, p, profile);
      if (index != expected)
        fail_msg("seed %llu, round %d, query %d: navmesh %d, expected %d", (unsigned long long)seed, round, k,
                 index, expected);
      lw_location at;
      assert_int_equal(status,
                       index >= 0 ? lw_navmesh_nearest(meshes[index], p, SNAP, NULL, &at) : LW_NO_POINT);
      chosen[index + 1] += 1;
      lw_profile_destroy(profile);
    }
    lw_world_destroy(world);
    for (int i = 0; i < MESHES; i++) lw_navmesh_destroy(meshes[i]);
  }
  for (int i = 0; i <= MESHES; i++) assert_true(chosen[i] > 100);
  lw_area_table_destroy(areas);
}

/* --- misuse ------------------------------------------------------------------------------------------------------ */

static void assert_refused(lw_world_def def, const char *text) {
  lw_world *world;
  lw_error error = {0};
  assert_int_equal(lw_world_create(&def, &world, &error), LW_INVALID);
  assert_null(world);
  assert_string_equal(error.text, text);
}

static void invalid_lists_of_navmeshes_are_refused(void **state) {
  (void)state;
  static const char *const rows[] = {"..", "..", NULL};
  lw_area_table *areas = scene_areas(), *other_areas = scene_areas();
  lw_navmesh *a = support_grid(areas, rows, 2, 1), *b = support_grid(other_areas, rows, 2, 1);
  const lw_navmesh *list[3] = {a, NULL, a};
  lw_world_def def = lw_world_def_default();
  assert_refused(def, "navmesh is NULL, expected a valid pointer");
  def.navmeshes = list;
  assert_refused(def, "navmesh_count is 0, expected 1 to 64");
  def.navmesh_count = 3;
  assert_refused(def, "navmesh 2 of 3 is NULL, expected a navmesh");
  list[1] = b;
  assert_refused(def, "navmesh 2 of 3: its area table is not that of navmesh 1, expected the same");
  list[1] = a;
  assert_refused(def, "navmesh 2 of 3 is navmesh 1 again, expected another");
  def.navmesh = a;
  assert_refused(def, "navmesh and navmeshes are given, expected one of them");
  lw_navmesh_destroy(a);
  lw_navmesh_destroy(b);
  lw_area_table_destroy(areas);
  lw_area_table_destroy(other_areas);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_profile_takes_the_navmesh_of_its_size_where_there_is_one),
      cmocka_unit_test(every_query_takes_the_fitting_navmesh_or_the_one_named),
      cmocka_unit_test(an_agent_walks_on_the_navmesh_that_it_was_put_on),
      cmocka_unit_test(the_reachable_area_ends_where_it_is_too_narrow),
      cmocka_unit_test(a_place_on_one_navmesh_is_stale_on_another),
      cmocka_unit_test(navmeshes_with_touching_bounds_share_the_ground_without_a_gap),
      cmocka_unit_test(the_choice_agrees_with_a_second_implementation_of_the_rule),
      cmocka_unit_test(invalid_lists_of_navmeshes_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
