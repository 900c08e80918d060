/* Debug drawing of obstacles: outlines where they are, whether they are cut out, and the ground that is left. */
#include "core/vec3.h"
#include "obstacle_level.h"
#include "leeward/leeward.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define DT (1.0f / 60)
#define RADIUS 0.4f /* of agents of the navmesh, by which holes are larger than obstacles */
#define AREA_COLOR 0x123456u

/* What was drawn: colours are compared without alpha. */
typedef struct drawing {
  float filled, cut, uncut, area, other,
      borders;       /* square metres; metres of lines by colour; metres of borders */
  lw_vec3 low, high; /* of triangles */
  int shapes, triangles, first_triangle, last_triangle, first_disc, last_disc;
} drawing;

static void take_triangle(void *user, lw_vec3 a, lw_vec3 b, lw_vec3 c, uint32_t color) {
  drawing *d = user;
  const lw_vec3 corners[] = {a, b, c};
  (void)color;
  d->filled += (float)fabs(lwi_turn(a, b, c)) / 2;
  if (d->triangles++ == 0) d->low = d->high = a, d->first_triangle = d->shapes;
  for (int i = 0; i < 3; i++) {
    d->low = (lw_vec3){fminf(d->low.x, corners[i].x), 0, fminf(d->low.z, corners[i].z)};
    d->high = (lw_vec3){fmaxf(d->high.x, corners[i].x), 0, fmaxf(d->high.z, corners[i].z)};
  }
  d->last_triangle = d->shapes++;
}

static void take_line(void *user, lw_vec3 a, lw_vec3 b, float width, uint32_t color) {
  drawing *d = user;
  const float length = lwi_distance(a, b);
  d->shapes += 1;
  if (width > 1.5f && width < 2)
    d->borders += length;
  else if (color >> 8 == LW_COLOR_OBSTACLE_CUT)
    d->cut += length;
  else if (color >> 8 == LW_COLOR_OBSTACLE_UNCUT)
    d->uncut += length;
  else if (color >> 8 == AREA_COLOR)
    d->area += length;
  else
    d->other += length;
}

static void take_disc(void *user, lw_vec3 at, float radius, uint32_t color) {
  drawing *d = user;
  (void)at, (void)radius, (void)color;
  if (d->first_disc < 0) d->first_disc = d->shapes;
  d->last_disc = d->shapes++;
}

static drawing draw(const grid_world *l, uint32_t layers, float pixel) {
  drawing d = {.first_disc = -1, .last_disc = -1};
  const lw_debug_draw to = {
      .triangle = take_triangle, .line = take_line, .disc = take_disc, .user = &d, .pixel = pixel};
  lw_world_debug_draw(l->world, layers, lw_agent_id_none(), &to);
  return d;
}

/* 24 x 24 m of ground in squares of 6 m. */
static int open_level(void **state) {
  static grid_world l;
  static const char *const rows[] = {"....", "....", "....", "...."};
  const lw_profile_def profile = lw_profile_def_default();
  l = grid_world_open(rows, 4, 6, &profile, NULL);
  *state = &l;
  return 0;
}

/* 4 x 2 m, away from the edges of squares. */
static lw_obstacle_id add_box(grid_world *l) {
  const lw_obstacle_def def = obstacle_box(9, 9, 4, 2);
  return obstacle_add(l, &def);
}

static void apply(grid_world *l) {
  assert_int_equal(lw_world_apply_changes(l->world), LW_OK);
}

static void one_that_is_cut_has_a_whole_outline(void **state) {
  grid_world *l = *state;
  add_box(l);
  apply(l);
  const drawing d = draw(l, LW_DRAW_OBSTACLES, 0);
  assert_float_equal(d.filled, 4 * 2, 1e-4);
  assert_float_equal(d.cut, 2 * (4 + 2), 1e-4);
  assert_float_equal(d.other, 2 * (4 + 2), 1e-4); /* the casing */
  assert_float_equal(d.uncut, 0, 1e-9f);
}

static void the_ground_round_it_has_a_hole_with_a_border(void **state) {
  grid_world *l = *state;
  const drawing before = draw(l, LW_DRAW_AREAS | LW_DRAW_BORDERS, 0);
  add_box(l);
  apply(l);
  const drawing after = draw(l, LW_DRAW_AREAS | LW_DRAW_BORDERS, 0);
  const float x = 4 + 2 * RADIUS, z = 2 + 2 * RADIUS;
  assert_float_equal(before.filled - after.filled, x * z, 1e-3);
  assert_float_equal(after.borders - before.borders, 2 * (x + z), 1e-3);
}

/* It has been added, and no step has begun since. */
static void one_that_is_not_cut_is_dashed(void **state) {
  grid_world *l = *state;
  add_box(l);
  const drawing d = draw(l, LW_DRAW_OBSTACLES, 0);
  assert_float_equal(d.filled, 4 * 2, 1e-4);
  assert_float_equal(d.cut, 0, 1e-9f);
  assert_true(d.uncut > 0.5f * d.other && d.uncut < 0.7f * d.other);
}

static void one_that_moves_is_drawn_where_it_is(void **state) {
  grid_world *l = *state;
  const lw_obstacle_id box = add_box(l);
  apply(l);
  const lw_vec3 slow = {0.5f, 0, 0}, fast = {8, 0, 0};
  assert_int_equal(lw_obstacle_move(l->world, box, lwi_vec3(9.5f, 0, 9), 0, &slow), LW_OK);
  assert_int_equal(lw_world_step(l->world, DT), LW_OK); /* not as far as its min_move: cut where it was */
  drawing d = draw(l, LW_DRAW_OBSTACLES, 0);
  assert_float_equal(d.low.x, 7.5, 1e-4);
  assert_true(d.cut > 0 && d.uncut < 1e-9f);
  assert_int_equal(lw_obstacle_move(l->world, box, lwi_vec3(12, 0, 9), 0, &fast), LW_OK);
  assert_int_equal(lw_world_step(l->world, DT), LW_OK);
  d = draw(l, LW_DRAW_OBSTACLES, 0);
  assert_float_equal(d.low.x, 10, 1e-4);
  assert_true(d.uncut > 0 && d.cut < 1e-9f);
}

static void one_that_does_not_block_has_its_area_s_colour(void **state) {
  grid_world *l = *state;
  lw_area_def mud = lw_area_def_default();
  mud.name = "mud";
  mud.color = AREA_COLOR;
  lw_obstacle_def def = obstacle_box(9, 9, 4, 2);
  assert_int_equal(lw_area_table_set(l->areas, &mud, &def.area, NULL), LW_OK);
  def.blocks = false;
  obstacle_add(l, &def);
  drawing d = draw(l, LW_DRAW_OBSTACLES, 0);
  assert_true(d.area > 0 && d.area < 0.7f * d.other && d.cut + d.uncut < 1e-9f);
  apply(l);
  d = draw(l, LW_DRAW_OBSTACLES, 0);
  assert_float_equal(d.area, 2 * (4 + 2), 1e-4);
  d = draw(l, LW_DRAW_AREAS | LW_DRAW_BORDERS, 0);
  assert_float_equal(d.filled, 24 * 24, 1e-3);
  assert_float_equal(d.borders, 4 * 24, 1e-3);
}

/* From the middle to a corner, 4 pixels. */
static void a_small_one_can_be_seen_from_afar(void **state) {
  grid_world *l = *state;
  lw_obstacle_def def = obstacle_box(9, 9, 4, 2);
  def.size = lwi_vec3(0.3f, 1, 0.4f);
  obstacle_add(l, &def);
  drawing d = draw(l, LW_DRAW_OBSTACLES, 0);
  assert_float_equal(d.high.x - d.low.x, 0.3, 1e-4);
  d = draw(l, LW_DRAW_OBSTACLES, 0.5f);
  assert_float_equal(d.high.x - d.low.x, 2 * 2 * 0.6f, 1e-4);
  assert_float_equal(d.high.z - d.low.z, 2 * 2 * 0.8f, 1e-4);
}

static void they_lie_over_dangers_and_under_agents(void **state) {
  grid_world *l = *state;
  add_box(l);
  apply(l);
  lw_danger_def danger = lw_danger_def_default();
  danger.at = lwi_vec3(9, 0, 9);
  danger.radius = 3;
  lw_danger_id id;
  assert_int_equal(lw_danger_add(l->world, &danger, &id, NULL), LW_OK);
  drawing d = draw(l, LW_DRAW_OBSTACLES | LW_DRAW_DANGERS, 0);
  assert_true(d.last_disc >= 0 && d.last_disc < d.first_triangle);
  lw_agent_def def = lw_agent_def_default();
  lw_agent_id agent;
  def.profile = l->profile;
  def.at = lwi_vec3(2, 0, 2);
  assert_int_equal(lw_agent_spawn(l->world, &def, &agent, NULL), LW_OK);
  d = draw(l, LW_DRAW_OBSTACLES | LW_DRAW_AGENTS, 0);
  assert_true(d.first_disc > d.last_triangle);
}

static void they_are_drawn_only_when_that_layer_is_asked_for(void **state) {
  grid_world *l = *state;
  const drawing none = draw(l, LW_DRAW_ALL, 0);
  const lw_obstacle_id box = add_box(l);
  drawing d = draw(l, LW_DRAW_ALL & ~(uint32_t)LW_DRAW_OBSTACLES, 0);
  assert_int_equal(d.shapes, none.shapes);
  d = draw(l, LW_DRAW_ALL, 0);
  assert_true(d.shapes > none.shapes);
  assert_int_equal(lw_obstacle_remove(l->world, box), LW_OK);
  d = draw(l, LW_DRAW_OBSTACLES, 0);
  assert_int_equal(d.shapes, 0);
}

/* Pieces of ground that were recorded before are outdated. */
static void the_version_of_a_navmesh_grows_when_it_changes(void **state) {
  grid_world *l = *state;
  assert_int_equal(lw_navmesh_version(lw_world_navmesh(l->world)), 0);
  const lw_obstacle_id box = add_box(l);
  apply(l);
  const uint64_t cut = lw_navmesh_version(lw_world_navmesh(l->world));
  assert_true(cut > 0);
  apply(l);
  assert_int_equal(lw_navmesh_version(lw_world_navmesh(l->world)), cut);
  assert_int_equal(lw_obstacle_remove(l->world, box), LW_OK);
  apply(l);
  assert_true(lw_navmesh_version(lw_world_navmesh(l->world)) > cut);
  assert_int_equal(lw_navmesh_version(l->mesh), 0);
}

#define IN_LEVEL(test) cmocka_unit_test_setup_teardown(test, open_level, obstacle_level_close)

/* Lines of the colour of high cover, along all sides of a box. */
static void take_cover_line(void *user, lw_vec3 a, lw_vec3 b, float width, uint32_t color) {
  float *length = user;
  if (color >> 8 == LW_COLOR_COVER_HIGH && width > 2) *length += lwi_distance(a, b);
}

static void their_cover_is_drawn_while_they_rest(void **state) {
  grid_world *l = *state;
  float length = 0;
  const lw_debug_draw to = {.user = &length, .line = take_cover_line, .pixel = 0.05f};
  const lw_obstacle_id id = obstacle_add_box(l, 20, 7.5f, 3, 2);
  lw_world_debug_draw(l->world, LW_DRAW_COVER, lw_agent_id_none(), &to);
  assert_float_equal(length, 0, 0);
  obstacle_level_step(l, 1);
  lw_world_debug_draw(l->world, LW_DRAW_COVER, lw_agent_id_none(), &to);
  assert_float_equal(length, 10, 0.01f);
  obstacle_move(l, id, 20.1f, 7.5f, 0, 2);
  obstacle_level_step(l, 1);
  length = 0;
  lw_world_debug_draw(l->world, LW_DRAW_COVER, lw_agent_id_none(), &to);
  assert_float_equal(length, 0, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      IN_LEVEL(one_that_is_cut_has_a_whole_outline),
      IN_LEVEL(the_ground_round_it_has_a_hole_with_a_border),
      IN_LEVEL(one_that_is_not_cut_is_dashed),
      IN_LEVEL(one_that_moves_is_drawn_where_it_is),
      IN_LEVEL(one_that_does_not_block_has_its_area_s_colour),
      IN_LEVEL(a_small_one_can_be_seen_from_afar),
      IN_LEVEL(they_lie_over_dangers_and_under_agents),
      IN_LEVEL(they_are_drawn_only_when_that_layer_is_asked_for),
      IN_LEVEL(their_cover_is_drawn_while_they_rest),
      IN_LEVEL(the_version_of_a_navmesh_grows_when_it_changes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
