/* What is cut out of a navmesh, however it came there: pieces, portals and paths are the same, to the last bit. */
#include "obstacle_level.h"

#include "leeward/leeward.h"
#include "world/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define SEED 20261125
#define SCENES 60
#define BOXES 14

static unsigned drawn;

static float draw(float low, float high) {
  drawn = drawn * 1664525u + 1013904223u;
  return low + (high - low) * (float)(drawn >> 8) / (float)(1 << 24);
}

#define COLUMNS 8
#define ROWS 3

/* Quadrilaterals of about 5 m whose sides are slanted, some of them road. */
static int open_slanted(void **state) {
  static grid_world l;
  lw_navmesh_def def = lw_navmesh_def_default();
  lw_vec3 vertices[(COLUMNS + 1) * (ROWS + 1)];
  int corners[COLUMNS * ROWS * 4], counts[COLUMNS * ROWS];
  lw_area_id areas[COLUMNS * ROWS];
  drawn = SEED;
  for (int z = 0; z <= ROWS; z++)
    for (int x = 0; x <= COLUMNS; x++)
      vertices[z * (COLUMNS + 1) + x] =
          lwi_vec3(5 * (float)x + draw(-0.9f, 0.9f), 0, 5 * (float)z + draw(-0.9f, 0.9f));
  for (int i = 0; i < COLUMNS * ROWS; i++) {
    const int first = i / COLUMNS * (COLUMNS + 1) + i % COLUMNS;
    const int quad[] = {first, first + 1, first + COLUMNS + 2, first + COLUMNS + 1};
    for (int k = 0; k < 4; k++) corners[4 * i + k] = quad[k];
    counts[i] = 4;
    areas[i] = draw(0, 1) < 0.7f ? 1 : 2;
  }
  lw_area_table *table = support_road_and_water();
  lw_navmesh *mesh;
  def.areas = table;
  def.vertices = vertices;
  def.vertex_count = (COLUMNS + 1) * (ROWS + 1);
  def.corners = corners;
  def.corner_counts = counts;
  def.polygon_count = COLUMNS * ROWS;
  def.poly_areas = areas;
  assert_int_equal(lw_navmesh_create(&def, &mesh, NULL), LW_OK);
  l = grid_world_open_on(table, mesh, NULL, NULL);
  *state = &l;
  return 0;
}

static lw_obstacle_def random_box(void) {
  lw_obstacle_def def = obstacle_box(draw(1, 39), draw(1, 14), draw(0.5f, 5), draw(0.5f, 5));
  def.yaw = draw(-3, 3);
  def.blocks = draw(0, 1) < 0.8f;
  if (!def.blocks) def.cost = draw(1, 3);
  return def;
}

static uint32_t place_in(const lw_navmesh *mesh, uint32_t part) {
  lwi_part_walk walk = lwi_parts_of(mesh, lwi_origin_of(mesh, part));
  uint32_t at, place = 0;
  while (lwi_next_part(&walk, &at) && at != part) place++;
  return place;
}

static void compare_parts(const lw_navmesh *a, uint32_t i, const lw_navmesh *b, uint32_t k) {
  const lwi_polygon one = lwi_polygon_get(a, i), other = lwi_polygon_get(b, k);
  assert_int_equal(one.count, other.count);
  assert_memory_equal(one.at, other.at, 3 * one.count * sizeof *one.at);
  const uint32_t first = a->graph.first_portal[i], count = a->graph.end_portal[i] - first;
  assert_int_equal(count, b->graph.end_portal[k] - b->graph.first_portal[k]);
  for (uint32_t p = 0; p < count; p++) {
    const lwi_portal *from = &a->graph.portals[first + p],
                     *to = &b->graph.portals[b->graph.first_portal[k] + p];
    assert_int_equal(from->edge, to->edge);
    assert_int_equal(lwi_origin_of(a, from->to), lwi_origin_of(b, to->to));
    assert_int_equal(place_in(a, from->to), place_in(b, to->to));
    const lwi_portal_interval x = lwi_interval_of_portal(a, from), y = lwi_interval_of_portal(b, to);
    assert_memory_equal(&x, &y, sizeof x);
  }
}

static void compare(const lw_navmesh *a, const lw_navmesh *b) {
  for (uint32_t i = 0; i < lwi_base_count(a); i++) {
    lwi_part_walk walk = lwi_parts_of(a, i), other = lwi_parts_of(b, i);
    uint32_t one, two = 0;
    while (lwi_next_part(&walk, &one)) {
      assert_true(lwi_next_part(&other, &two));
      compare_parts(a, one, b, two);
    }
    assert_false(lwi_next_part(&other, &two));
  }
}

/* Worlds with the same boxes: one gets each in a step of its own, the other all of them in one. */
static lw_world *open_again(const grid_world *l) {
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  def.navmesh = l->mesh;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  return world;
}

static lw_world *add_boxes(grid_world *l, lw_obstacle_id ids[BOXES]) {
  lw_world *once = open_again(l);
  for (int i = 0; i < BOXES; i++) {
    const lw_obstacle_def def = random_box();
    lw_obstacle_id other;
    ids[i] = obstacle_add(l, &def);
    assert_int_equal(lw_obstacle_add(once, &def, &other, NULL), LW_OK);
    obstacle_level_step(l, 1);
  }
  assert_int_equal(lw_world_step(once, 1.0f / 60), LW_OK);
  return once;
}

static void remove_boxes(grid_world *l, const lw_obstacle_id ids[BOXES]) {
  for (int i = 0; i < BOXES; i++) assert_int_equal(lw_obstacle_remove(l->world, ids[i]), LW_OK);
  obstacle_level_step(l, 1);
}

static void pieces_are_the_same(void **state) {
  grid_world *l = *state;
  drawn = SEED;
  print_message("note: seed %d\n", SEED);
  for (int scene = 0; scene < SCENES; scene++) {
    lw_obstacle_id ids[BOXES];
    lw_world *once = add_boxes(l, ids);
    compare(l->world->scene.meshes[0], once->scene.meshes[0]);
    remove_boxes(l, ids);
    lw_world_destroy(once);
  }
}

static float cost_of(const lw_world *world, const lw_profile *profile, lw_vec3 from, lw_vec3 to) {
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  query.profile = profile;
  query.from = from;
  query.to = to;
  if (lw_path_find(world, NULL, &query, &path) != LW_OK) return -1;
  const float cost = lw_path_cost(path);
  lw_path_destroy(path);
  return cost;
}

static void paths_are_the_same_also_of_agents_larger_than_it_was_baked_for(void **state) {
  grid_world *l = *state;
  int found = 0;
  drawn = SEED;
  for (int large = 0; large < 2; large++) {
    lw_profile_def def = lw_profile_def_default();
    lw_profile *profile;
    def.radius = large ? 1.0f : 0.4f;
    for (int i = 0; i < LW_LINK_TYPE_COUNT; i++) def.resistance_factor[i] = 18;
    assert_int_equal(lw_profile_create(&def, l->areas, &profile, NULL), LW_OK);
    for (int scene = 0; scene < SCENES; scene++) {
      lw_obstacle_id ids[BOXES];
      lw_world *once = add_boxes(l, ids);
      for (int i = 0; i < 40; i++) {
        const lw_vec3 from = {draw(1, 39), 0, draw(1, 14)}, to = {draw(1, 39), 0, draw(1, 14)};
        const float cost = cost_of(l->world, profile, from, to), other = cost_of(once, profile, from, to);
        assert_memory_equal(&cost, &other, sizeof cost);
        found += cost >= 0;
      }
      remove_boxes(l, ids);
      lw_world_destroy(once);
    }
    lw_profile_destroy(profile);
  }
  assert_in_range(found, 2000, 2 * SCENES * 40);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(pieces_are_the_same, open_slanted, obstacle_level_close),
      cmocka_unit_test_setup_teardown(paths_are_the_same_also_of_agents_larger_than_it_was_baked_for,
                                      open_slanted, obstacle_level_close),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
