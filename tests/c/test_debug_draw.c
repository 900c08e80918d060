/* Debug drawing: what is drawn, not how it looks. */
#include "leeward/leeward.h"
#include "core/vec3.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

typedef struct totals {
  int triangles, lines;
  double ground;      /* area of the triangles from above */
  double thin, thick; /* length of lines below and above 1.5 pixels */
  double wet, plain;  /* of those, in the colour of water and in that of plain cost */
} totals;

static void count_triangle(void *user, lw_vec3 a, lw_vec3 b, lw_vec3 c, uint32_t color) {
  totals *t = user;
  (void)color;
  t->triangles++;
  t->ground += fabs(lwi_turn(a, b, c)) / 2;
}

static void count_line(void *user, lw_vec3 a, lw_vec3 b, float width, uint32_t color) {
  totals *t = user;
  t->lines++;
  if (color >> 8 == lw_cost_term_color(LW_TERM_WATER)) t->wet += (double)lwi_distance(a, b);
  if (color >> 8 == lw_cost_term_color(LW_TERM_LENGTH)) t->plain += (double)lwi_distance(a, b);
  *(width < 1.5f ? &t->thin : &t->thick) += (double)lwi_distance(a, b);
}

static lw_debug_draw counter(totals *t) {
  *t = (totals){0};
  return (lw_debug_draw){.triangle = count_triangle, .line = count_line, .user = t};
}

typedef struct level {
  lw_area_table *areas;
  lw_geometry *geometry;
  lw_navmesh *navmesh;
} level;

/* Two floors side by side, 4 x 4 and 4 x 2 m: their edges at x = 4 share 2 m, the other 2 m are border. */
static void make_areas(level *l, const lw_link_def *links, int link_count, const lw_area_id *areas) {
  static const lw_vec3 vertices[] = {{0, 0, 0}, {4, 0, 0}, {4, 0, 4}, {0, 0, 4},
                                     {4, 0, 0}, {8, 0, 0}, {8, 0, 2}, {4, 0, 2}};
  static const int corners[] = {0, 1, 2, 3, 4, 5, 6, 7}, counts[] = {4, 4};
  lw_navmesh_def def = lw_navmesh_def_default();
  def.areas = l->areas;
  def.vertices = vertices;
  def.vertex_count = 8;
  def.corners = corners;
  def.corner_counts = counts;
  def.polygon_count = 2;
  def.poly_areas = areas;
  def.links = links;
  def.link_count = link_count;
  lw_error error;
  if (lw_navmesh_create(&def, &l->navmesh, &error) != LW_OK) fail_msg("%s", error.text);
}

static void make_navmesh(level *l, const lw_link_def *links, int link_count) {
  make_areas(l, links, link_count, NULL);
}

static int open_level(void **state) {
  static level l;
  assert_int_equal(lw_area_table_create(NULL, &l.areas), LW_OK);
  lw_area_def def = lw_area_def_default();
  def.name = "ground";
  assert_int_equal(lw_area_table_set(l.areas, &def, NULL, NULL), LW_OK);
  assert_int_equal(lw_geometry_create(l.areas, NULL, &l.geometry), LW_OK);
  make_navmesh(&l, NULL, 0);
  *state = &l;
  return 0;
}

static int close_level(void **state) {
  level *l = *state;
  lw_navmesh_destroy(l->navmesh);
  lw_geometry_destroy(l->geometry);
  lw_area_table_destroy(l->areas);
  return 0;
}

static void areas_are_filled_to_the_square_metre(void **state) {
  level *l = *state;
  totals t;
  lw_debug_draw draw = counter(&t);
  lw_navmesh_debug_draw(l->navmesh, LW_DRAW_AREAS, &draw);
  assert_float_equal(t.ground, 16 + 8, 1e-4);
  assert_int_equal(t.lines, 0);
}

static void an_edge_that_is_shared_in_part_is_edge_there_and_border_elsewhere(void **state) {
  level *l = *state;
  totals t;
  lw_debug_draw draw = counter(&t);
  lw_navmesh_debug_draw(l->navmesh, LW_DRAW_EDGES | LW_DRAW_BORDERS, &draw);
  assert_int_equal(t.triangles, 0);
  assert_float_equal(t.thin, 2, 1e-3);
  assert_float_equal(t.thick, 16 - 2 + 12 - 2, 1e-3);
}

static void layers_that_are_not_asked_for_are_not_drawn(void **state) {
  level *l = *state;
  totals t;
  lw_debug_draw draw = counter(&t);
  lw_navmesh_debug_draw(l->navmesh, LW_DRAW_PATHS | LW_DRAW_AGENTS | LW_DRAW_LABELS, &draw);
  assert_int_equal(t.triangles + t.lines, 0);
  lw_navmesh_debug_draw(l->navmesh, LW_DRAW_BORDERS, &draw);
  assert_float_equal(t.thin, 0, 1e-6);
}

/* From the middle of one floor to that of the other, 4 m, with a head of two barbs at each end that it has. */
static void links_that_have_joined_are_arcs(void **state) {
  level *l = *state;
  totals one_way, both_ways;
  const lw_debug_draw draws[] = {counter(&one_way), counter(&both_ways)};
  for (int i = 0; i < 2; i++) {
    lw_link_def links[2] = {lw_link_def_default(), lw_link_def_default()};
    links[0].from = lwi_vec3(2, 0, 1), links[0].to = lwi_vec3(6, 0, 1);
    links[0].bidirectional = i == 1;
    links[1].from = lwi_vec3(2, 0, 1), links[1].to = lwi_vec3(6, 9, 1); /* refused */
    lw_navmesh_destroy(l->navmesh);
    make_navmesh(l, links, 2);
    lw_navmesh_debug_draw(l->navmesh, LW_DRAW_ALL & ~(uint32_t)LW_DRAW_LINKS, &draws[i]);
    double others = i == 0 ? one_way.thick : both_ways.thick;
    totals *t = i == 0 ? &one_way : &both_ways;
    t->thick = 0, t->lines = 0;
    lw_navmesh_debug_draw(l->navmesh, LW_DRAW_LINKS, &draws[i]);
    assert_true(others > 0);
    assert_in_range(t->lines, 20, 60);
  }
  assert_true(one_way.thick > 2 * 4 && one_way.thick < 2 * 6); /* drawn twice: the casing, and the line */
  assert_int_equal(both_ways.lines - one_way.lines, 4);
}

static void callbacks_may_be_missing(void **state) {
  level *l = *state;
  lw_debug_draw nothing = {0};
  lw_geometry_box box = {.size = {1, 1, 1}, .area = 1};
  assert_int_equal(lw_geometry_add_box(l->geometry, &box, NULL), LW_OK);
  lw_navmesh_debug_draw(l->navmesh, LW_DRAW_ALL, &nothing);
  lw_geometry_debug_draw(l->geometry, &nothing);
  lw_geometry_debug_draw(l->geometry, NULL);
}

/* Of a box's six sides the top is seen from above; each of the eight triangles of its walls leaves a line. */
static void only_what_faces_up_is_filled_and_walls_are_lines(void **state) {
  level *l = *state;
  totals t;
  lw_debug_draw draw = counter(&t);
  lw_geometry_box box = {.size = {2, 1, 3}, .area = LW_AREA_NONE};
  assert_int_equal(lw_geometry_add_box(l->geometry, &box, NULL), LW_OK);
  lw_geometry_debug_draw(l->geometry, &draw);
  assert_int_equal(t.triangles, 2);
  assert_float_equal(t.ground, 6, 1e-4);
  assert_int_equal(t.lines, 8);
}

/* From one floor to the other, 4 m, of which the second is water: 2 m on land, 2 m in it. */
static void a_selected_agent_s_path_is_coloured_by_cost(void **state) {
  (void)state;
  static const lw_area_id ground_and_water[] = {1, 2};
  level l = {0};
  lw_area_def water = lw_area_def_default();
  water.name = "water";
  water.deep_water = 1;
  assert_int_equal(lw_area_table_create(NULL, &l.areas), LW_OK);
  lw_area_def ground = lw_area_def_default();
  ground.name = "ground";
  assert_int_equal(lw_area_table_set(l.areas, &ground, NULL, NULL), LW_OK);
  assert_int_equal(lw_area_table_set(l.areas, &water, NULL, NULL), LW_OK);
  make_areas(&l, NULL, 0, ground_and_water);
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  def.navmesh = l.navmesh;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  lw_profile_def profile_def = lw_profile_def_default();
  lw_profile *profile;
  profile_def.can_swim = true;
  profile_def.swim_resistance_factor = 1;
  profile_def.radius = 0;
  assert_int_equal(lw_profile_create(&profile_def, l.areas, &profile, NULL), LW_OK);
  lw_agent_def agent_def = lw_agent_def_default();
  lw_agent_id agent;
  agent_def.profile = profile;
  agent_def.at = (lw_vec3){2, 0, 1};
  assert_int_equal(lw_agent_spawn(world, &agent_def, &agent, NULL), LW_OK);
  assert_int_equal(lw_agent_move_to(world, agent, (lw_vec3){6, 0, 1}, 0.1f), LW_OK);
  totals t;
  lw_debug_draw draw = counter(&t);
  lw_world_debug_draw(world, LW_DRAW_PATHS, agent, &draw);
  assert_float_equal(t.wet, 2, 1e-3);
  assert_float_equal(t.plain, 2, 1e-3);
  draw = counter(&t);
  lw_world_debug_draw(world, LW_DRAW_PATHS, lw_agent_id_none(), &draw);
  assert_true(t.wet + t.plain < 1e-6);
  assert_int_equal(lw_cost_term_color(LW_COST_TERM_COUNT), lw_cost_term_color(LW_TERM_LENGTH));
  lw_world_destroy(world);
  lw_profile_destroy(profile);
  lw_navmesh_destroy(l.navmesh);
  lw_area_table_destroy(l.areas);
}

/* A vehicle is drawn as its rectangle: 4 m long, 2 m wide. */
static void a_vehicle_is_as_large_as_it_is(void **state) {
  level *l = *state;
  totals t;
  lw_debug_draw draw = counter(&t);
  lw_profile_def car = lw_profile_def_default();
  lw_profile *profile;
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  lw_agent_def agent = lw_agent_def_default();
  lw_agent_id id;
  car.body.turn_radius = 4;
  car.body.vehicle = (lw_vehicle){2.4f, 4, 2, 3};
  def.navmesh = l->navmesh;
  assert_int_equal(lw_profile_create(&car, l->areas, &profile, NULL), LW_OK);
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  agent.profile = profile;
  agent.at = (lw_vec3){1, 0, 1};
  assert_int_equal(lw_agent_spawn(world, &agent, &id, NULL), LW_OK);
  assert_int_equal(lw_agent_set_heading(world, id, 0.5f), LW_OK);
  lw_world_debug_draw(world, LW_DRAW_AGENTS, lw_agent_id_none(), &draw);
  assert_int_equal(t.triangles, 2);
  assert_float_equal(t.ground, 8, 1e-4);
  lw_world_destroy(world);
  lw_profile_destroy(profile);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(areas_are_filled_to_the_square_metre, open_level, close_level),
      cmocka_unit_test_setup_teardown(an_edge_that_is_shared_in_part_is_edge_there_and_border_elsewhere,
                                      open_level, close_level),
      cmocka_unit_test_setup_teardown(layers_that_are_not_asked_for_are_not_drawn, open_level, close_level),
      cmocka_unit_test_setup_teardown(links_that_have_joined_are_arcs, open_level, close_level),
      cmocka_unit_test(a_selected_agent_s_path_is_coloured_by_cost),
      cmocka_unit_test_setup_teardown(a_vehicle_is_as_large_as_it_is, open_level, close_level),
      cmocka_unit_test_setup_teardown(callbacks_may_be_missing, open_level, close_level),
      cmocka_unit_test_setup_teardown(only_what_faces_up_is_filled_and_walls_are_lines, open_level,
                                      close_level),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
