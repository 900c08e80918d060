/* Obstacles by the C API: what they cut and mark, and what is refused. */
#include "core/random.h"
#include "obstacle_level.h"
#include "leeward/leeward.h"
#include "world/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* --- cutting ------------------------------------------------------------------------------------------------ */

static void what_is_added_takes_effect_with_the_next_step(void **state) {
  grid_world *l = *state;
  const lw_obstacle_id id = obstacle_add_box(l, 20, 7.5f, 4, 2);
  assert_true(obstacle_level_has_ground(l, 20, 7.5f) && !obstacle_is_cut(l, id));
  obstacle_level_step(l, 1);
  assert_true(!obstacle_level_has_ground(l, 20, 7.5f) && obstacle_is_cut(l, id));
  assert_true(obstacle_level_has_ground(l, 17.5f, 7.5f) && !obstacle_level_has_ground(l, 17.7f, 7.5f) &&
              obstacle_level_has_ground(l, 20, 9));
  assert_int_equal(lw_obstacle_remove(l->world, id), LW_OK);
  assert_false(obstacle_level_has_ground(l, 20, 7.5f));
  assert_int_equal(lw_world_apply_changes(l->world), LW_OK);
  assert_true(obstacle_level_has_ground(l, 20, 7.5f));
}

static void ground_comes_back_as_it_was(void **state) {
  grid_world *l = *state;
  lw_vec3 points[3][64];
  int counts[3];
  lw_obstacle_id id = lw_obstacle_id_none();
  for (int i = 0; i < 3; i++) {
    lw_path_query query = lw_path_query_default();
    lw_path *path;
    query.from = lwi_vec3(1, 0, 7);
    query.to = lwi_vec3(39, 0, 8);
    query.profile = l->profile;
    assert_int_equal(lw_path_find(l->world, NULL, &query, &path), LW_OK);
    const lw_vec3 *all = lw_path_points(path, &counts[i]);
    memcpy(points[i], all, (size_t)counts[i] * sizeof *all);
    lw_path_destroy(path);
    if (i == 0) id = obstacle_add_box(l, 20, 7.5f, 3, 10);
    if (i == 1) assert_int_equal(lw_obstacle_remove(l->world, id), LW_OK);
    obstacle_level_step(l, 1);
  }
  assert_true(counts[1] > counts[0]);
  assert_int_equal(counts[2], counts[0]);
  assert_memory_equal(points[0], points[2], (size_t)counts[0] * sizeof **points);
}

static void all_shapes_are_cut_where_they_are(void **state) {
  grid_world *l = *state;
  lw_obstacle_def cylinder = lw_obstacle_def_default();
  cylinder.shape = LW_OBSTACLE_CYLINDER;
  cylinder.at = lwi_vec3(10, 0, 7);
  cylinder.radius = 2;
  const lw_vec3 corners[] = {{0, 0, 0}, {4, 0, 0}, {0, 0, 4}};
  lw_obstacle_def triangle = lw_obstacle_def_default();
  triangle.shape = LW_OBSTACLE_POLYGON;
  triangle.at = lwi_vec3(20, 0, 5);
  triangle.points = corners;
  triangle.point_count = 3;
  const lw_obstacle_id round = obstacle_add(l, &cylinder), pointed = obstacle_add(l, &triangle);
  obstacle_level_step(l, 1);
  assert_true(!obstacle_level_has_ground(l, 11.65f, 8.65f) && obstacle_level_has_ground(l, 11.75f, 8.75f));
  assert_true(!obstacle_level_has_ground(l, 21, 6) && obstacle_level_has_ground(l, 23, 8));
  lw_vec3 outline[LW_OBSTACLE_POINTS_MAX];
  float height;
  assert_int_equal(lw_obstacle_outline(l->world, round, outline, &height), 12);
  assert_int_equal(lw_obstacle_outline(l->world, pointed, outline, &height), 3);
  assert_float_equal(height, 2, 1e-6f);
  assert_int_equal(lw_obstacle_outline(l->world, lw_obstacle_id_none(), outline, &height), 0);
  obstacle_move(l, pointed, 20, 5, 3.14159265f, 0); /* it turns about the place that it is at */
  obstacle_level_step(l, 1);
  assert_true(obstacle_level_has_ground(l, 21, 6) && !obstacle_level_has_ground(l, 19, 4));
}

static void what_is_above_heads_is_in_nobodys_way(void **state) {
  grid_world *l = *state;
  lw_obstacle_def def = obstacle_box(20, 7.5f, 3, 3);
  const float height = lw_navmesh_get_agent(l->mesh).height;
  def.at.y = height + 0.1f;
  const lw_obstacle_id id = obstacle_add(l, &def);
  obstacle_level_step(l, 1);
  assert_true(obstacle_level_has_ground(l, 20, 7.5f) && !obstacle_is_cut(l, id));
  const lw_vec3 lower = {20, height - 0.1f, 7.5f};
  assert_int_equal(lw_obstacle_move(l->world, id, lower, 0, NULL), LW_OK);
  obstacle_level_step(l, 20);
  assert_false(obstacle_level_has_ground(l, 20, 7.5f));
}

static void what_is_off_the_navmesh_costs_and_leaks_nothing(void **state) {
  grid_world *l = *state;
  size_t bytes = 0;
  for (int i = 0; i < 20000; i++) {
    const lw_obstacle_id id = obstacle_add_box(l, i % 2 ? 200 : 20, 7.5f, 2, 2);
    obstacle_level_step(l, 1);
    assert_int_equal(lw_obstacle_remove(l->world, id), LW_OK);
    obstacle_level_step(l, 1);
    if (i == 2000) bytes = lw_world_memory(l->world);
  }
  assert_int_equal(lw_world_memory(l->world), bytes);
  assert_int_equal(lw_obstacle_count(l->world), 0);
}

static void a_danger_on_ground_that_comes_back_counts_again(void **state) {
  grid_world *l = *state;
  lw_danger_def danger = lw_danger_def_default();
  lw_danger_id id;
  danger.at = lwi_vec3(20, 0, 7.5f);
  assert_int_equal(lw_danger_add(l->world, &danger, &id, NULL), LW_OK);
  obstacle_level_step(l, 1);
  const lw_vec3 from = {10, 0, 7.5f}, to = {30, 0, 7.5f};
  const float cost = grid_world_cost(l, from, to);
  assert_true(cost > 20.5f);
  const lw_obstacle_id slab =
      obstacle_add_box(l, 20, 7.5f, 12, 16); /* nothing is left of the polygons that the danger is on */
  obstacle_level_step(l, 1);
  assert_int_equal(lw_obstacle_remove(l->world, slab), LW_OK);
  obstacle_level_step(l, 1);
  assert_float_equal(grid_world_cost(l, from, to), cost, 0);
}

/* Strips of millimetres beside the edge of a polygon take nothing of the edge with them that is beside the obstacle. */
static void an_outline_near_an_edge_tears_no_ground_beside_it(void **state) {
  grid_world *l = *state;
  const lw_vec3 from = {19, 0, 9.7f}, to = {21, 0, 9.7f};
  const float cost = grid_world_cost(l, from, to);
  for (int i = 0; i < 2 * 33; i++) {
    const float off = 0.0005f * (float)(i / 2 - 16);
    lw_obstacle_def def = obstacle_box(20 + off + 1 + (i % 2 ? 0.4f : 0), 7.5f, 2, 2);
    def.yaw = i % 3 == 0 ? 0.0005f : 0;
    def.blocks = i % 2;
    if (!def.blocks) def.area = 1;
    const lw_obstacle_id id = obstacle_add(l, &def);
    obstacle_level_step(l, 1);
    if (fabsf(grid_world_cost(l, from, to) - cost) > 1e-3f)
      fail_msg("an outline that begins %g mm beyond the edge: the way beside it costs %g, not %g",
               1e3 * (double)off, (double)grid_world_cost(l, from, to), (double)cost);
    assert_true(obstacle_level_has_ground(l, 21.4f, 7.5f) == !def.blocks);
    assert_int_equal(lw_navmesh_validate(lw_world_navmesh(l->world), NULL), LW_OK);
    assert_int_equal(lw_obstacle_remove(l->world, id), LW_OK);
    obstacle_level_step(l, 1);
  }
}

/* Also where agents have no radius, so that a thin one is as narrow as what is left out elsewhere. */
static void a_thin_wall_blocks(void **state) {
  (void)state;
  static const char *const names[] = {"ground"};
  lw_vec3 vertices[] = {{0, 0, 0}, {20, 0, 0}, {20, 0, 20}, {0, 0, 20}};
  const int corners[] = {0, 1, 2, 3}, counts[] = {4};
  const lw_area_id areas[] = {1};
  lw_navmesh_def def = lw_navmesh_def_default();
  lw_world_def world_def = lw_world_def_default();
  lw_area_table *table = support_areas(names, 1);
  lw_navmesh *mesh;
  lw_world *world;
  lw_obstacle_id id;
  lw_location at;
  lw_raycast hit;
  def.areas = table;
  def.vertices = vertices;
  def.vertex_count = 4;
  def.corners = corners;
  def.corner_counts = counts;
  def.polygon_count = 1;
  def.poly_areas = areas;
  def.agent_radius = 0;
  assert_int_equal(lw_navmesh_create(&def, &mesh, NULL), LW_OK);
  world_def.navmesh = mesh;
  assert_int_equal(lw_world_create(&world_def, &world, NULL), LW_OK);
  const lw_obstacle_def wall = obstacle_box(10, 10, 0.003f, 6);
  assert_int_equal(lw_obstacle_add(world, &wall, &id, NULL), LW_OK);
  assert_int_equal(lw_world_apply_changes(world), LW_OK);
  const lw_navmesh *live = lw_world_navmesh(world);
  assert_int_equal(lw_navmesh_nearest(live, lwi_vec3(5, 0, 10), lwi_vec3(1, 1, 1), NULL, &at), LW_OK);
  assert_int_equal(lw_navmesh_raycast(live, at, lwi_vec3(15, 0, 10), NULL, &hit), LW_OK);
  assert_true(hit.hit && fabsf(hit.at.point.x - 10) < 0.01f);
  lw_world_destroy(world);
  lw_navmesh_destroy(mesh);
  lw_area_table_destroy(table);
}

/* What was found out for large agents before is not used any more, also where the first obstacle meets no ground. */
static void large_agents_ask_before_and_after_an_obstacle_that_meets_nothing(void **state) {
  grid_world *l = *state;
  lw_profile_def large = lw_profile_def_default();
  lw_profile *profile;
  lw_path *path;
  large.radius = 0.8f;
  assert_int_equal(lw_profile_create(&large, l->areas, &profile, NULL), LW_OK);
  lw_path_query query = lw_path_query_default();
  query.from = lwi_vec3(5, 0, 7);
  query.to = lwi_vec3(35, 0, 8);
  query.profile = profile;
  for (int i = 0; i < 4; i++) {
    assert_int_equal(lw_path_find(l->world, NULL, &query, &path), LW_OK);
    lw_path_destroy(path);
    if (i == 0) obstacle_add_box(l, 500, 500, 1, 1);
    if (i == 1) obstacle_add_box(l, 20, 7.5f, 1, 1);
    obstacle_level_step(l, 1);
    assert_int_equal(lw_navmesh_validate(lw_world_navmesh(l->world), NULL), LW_OK);
  }
  lw_profile_destroy(profile);
}

/* --- areas -------------------------------------------------------------------------------------------------- */

static void mud_is_walked_round_where_that_is_cheaper(void **state) {
  (void)state;
  static const char *const names[] = {"ground", "mud"};
  static const char *const rows[] = {"........", "........", "........"};
  lw_area_table *areas = support_areas(names, 2);
  lw_profile_def profile = lw_profile_def_default();
  profile.area_factor[2] = 5;
  grid_world l = grid_world_open_on(areas, support_grid(areas, rows, 3, 5), &profile, NULL);
  const lw_vec3 from = {10, 0, 7.5f}, to = {30, 0, 7.5f};
  const float plain = grid_world_cost(&l, from, to);
  lw_obstacle_def def = obstacle_box(20, 7.5f, 4, 4);
  def.blocks = false;
  def.area = 2;
  const lw_obstacle_id id = obstacle_add(&l, &def);
  obstacle_level_step(&l, 1);
  assert_true(obstacle_level_has_ground(&l, 20, 7.5f));
  const float round = grid_world_cost(&l, from, to), through = grid_world_cost(&l, from, lwi_vec3(20, 0, 7.5f));
  assert_true(round > plain + 0.1f && round < plain + 1); /* areas are as large as what marks them */
  assert_float_equal(through, 10 + 2 * 5, 0.01f);         /* 2 m of mud at 1 + 5 */
  obstacle_move(&l, id, 20, 3, 0, 0);
  obstacle_level_step(&l, 1);
  assert_float_equal(grid_world_cost(&l, from, to), plain, 1e-3f);
  assert_int_equal(lw_obstacle_remove(l.world, id), LW_OK);
  obstacle_level_step(&l, 1);
  assert_float_equal(grid_world_cost(&l, from, to), plain, 0);
  grid_world_close(&l);
}

/* --- bad input ---------------------------------------------------------------------------------------------- */

static void assert_refused(grid_world *l, const lw_obstacle_def *def, const char *part) {
  lw_obstacle_id id = {1, 1, 1};
  lw_error error = {.text = ""};
  assert_int_not_equal(lw_obstacle_add(l->world, def, &id, &error), LW_OK);
  assert_true(lw_obstacle_id_is_none(id));
  if (!strstr(error.text, part)) fail_msg("'%s', expected '%s'", error.text, part);
}

static void bad_definitions_are_refused_by_name(void **state) {
  grid_world *l = *state;
  const lw_vec3 dent[] = {{0, 0, 0}, {4, 0, 0}, {1, 0, 1}, {0, 0, 4}},
                far[] = {{0, 0, 0}, {1e4f, 0, 0}, {0, 0, 1}};
  lw_obstacle_def def = lw_obstacle_def_default();
  def.size.z = 0;
  assert_refused(l, &def, "size.z is 0");
  def = lw_obstacle_def_default();
  def.at.x = NAN;
  assert_refused(l, &def, "at is (nan");
  def = lw_obstacle_def_default();
  def.yaw = INFINITY;
  assert_refused(l, &def, "yaw is inf");
  def = lw_obstacle_def_default();
  def.min_move = -1;
  assert_refused(l, &def, "min_move is -1");
  def = lw_obstacle_def_default();
  def.max_speed = NAN;
  assert_refused(l, &def, "max_speed is nan");
  def.max_speed = 1;
  def.cost = 1;
  assert_refused(l, &def, "cost is 1, expected 0 for an obstacle that blocks");
  def.cost = 2e4f;
  assert_refused(l, &def, "cost is 20000, expected a number from 0 to 10000");
  def = lw_obstacle_def_default();
  def.shape = LW_OBSTACLE_CYLINDER;
  def.radius = -2;
  assert_refused(l, &def, "radius is -2");
  def.shape = LW_OBSTACLE_POLYGON;
  assert_refused(l, &def, "point_count is 0");
  def.points = dent;
  def.point_count = 4;
  assert_refused(l, &def, "not convex");
  def.points = far;
  def.point_count = 3;
  assert_refused(l, &def, "point 2 is (10000");
  def = lw_obstacle_def_default();
  def.blocks = false;
  assert_refused(l, &def, "area is 0");
  def.area = 9;
  assert_refused(l, &def, "area is 9");
  def = lw_obstacle_def_default();
  def.area = 1;
  assert_refused(l, &def, "area is given");
  def = lw_obstacle_def_default();
  def.carrier = (lw_agent_id){7, 7, 7};
  assert_refused(l, &def, "carrier is gone");
  def = lw_obstacle_def_default();
  def.attached_to = obstacle_add_box(l, 1, 1, 1, 1);
  const lw_obstacle_id attached = obstacle_add(l, &def);
  def.attached_to = attached;
  assert_refused(l, &def, "itself attached");
  def.cookie = 0;
  assert_refused(l, &def, "lw_obstacle_def");
}

static void the_id_of_a_removed_one_is_stale_at_once(void **state) {
  grid_world *l = *state;
  lw_obstacle_state at;
  const lw_obstacle_id first = obstacle_add_box(l, 5, 5, 1, 1), second = obstacle_add_box(l, 9, 5, 1, 1);
  assert_int_equal(lw_obstacle_remove(l->world, first), LW_OK);
  assert_int_equal(lw_obstacle_remove(l->world, first), LW_STALE);
  assert_int_equal(lw_obstacle_get_state(l->world, first, &at), LW_STALE);
  assert_int_equal(lw_obstacle_move(l->world, first, lwi_vec3(0, 0, 0), 0, NULL), LW_STALE);
  assert_int_equal(lw_obstacle_count(l->world), 1);
  assert_true(lw_obstacle_id_equal(lw_obstacle_next(l->world, lw_obstacle_id_none()), second));
  assert_true(lw_obstacle_id_is_none(lw_obstacle_next(l->world, first)));
  assert_true(lw_obstacle_id_is_none(lw_obstacle_next(l->world, second)));
  assert_int_equal(lw_obstacle_move(l->world, second, lwi_vec3(NAN, 0, 0), 0, NULL), LW_INVALID);
}

int main(void) {
#define ON_LEVEL(name) cmocka_unit_test_setup_teardown(name, obstacle_level_open, obstacle_level_close)
  const struct CMUnitTest tests[] = {
      ON_LEVEL(what_is_added_takes_effect_with_the_next_step),
      ON_LEVEL(ground_comes_back_as_it_was),
      ON_LEVEL(all_shapes_are_cut_where_they_are),
      ON_LEVEL(what_is_above_heads_is_in_nobodys_way),
      ON_LEVEL(what_is_off_the_navmesh_costs_and_leaks_nothing),
      ON_LEVEL(a_danger_on_ground_that_comes_back_counts_again),
      ON_LEVEL(an_outline_near_an_edge_tears_no_ground_beside_it),
      cmocka_unit_test(a_thin_wall_blocks),
      ON_LEVEL(large_agents_ask_before_and_after_an_obstacle_that_meets_nothing),
      cmocka_unit_test(mud_is_walked_round_where_that_is_cheaper),
      ON_LEVEL(bad_definitions_are_refused_by_name),
      ON_LEVEL(the_id_of_a_removed_one_is_stale_at_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
