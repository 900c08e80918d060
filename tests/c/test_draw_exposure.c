/* Debug drawing of what threats see: how many square metres, and in which colour. */
#include "core/vec3.h"
#include "grid_world.h"
#include "leeward/leeward.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define PI 3.14159265f

typedef struct scene {
  grid_world grid;
  double standing, crouching; /* square metres by colour */
  int triangles, lines, discs;
} scene;

/* 24 x 24 m without occluders, in squares of 6 m but for a hole of one. */
static int open_scene(void **state) {
  static scene s;
  static const char *const rows[] = {"....", "....", "...#", "...."};
  s = (scene){.grid = grid_world_open(rows, 4, 6, NULL, NULL)};
  *state = &s;
  return 0;
}

static int close_scene(void **state) {
  scene *s = *state;
  grid_world_close(&s->grid);
  return 0;
}

static void count_triangle(void *user, lw_vec3 a, lw_vec3 b, lw_vec3 c, uint32_t color) {
  scene *s = user;
  bool is_red = color >> 24 > 0xe0 && (color >> 16 & 0xff) < 0x60;
  *(is_red ? &s->crouching : &s->standing) += fabs(lwi_turn(a, b, c)) / 2;
  s->triangles += 1;
}

static void count_line(void *user, lw_vec3 a, lw_vec3 b, float width, uint32_t color) {
  (void)a, (void)b, (void)width, (void)color;
  ((scene *)user)->lines += 1;
}

static void count_disc(void *user, lw_vec3 at, float radius, uint32_t color) {
  (void)at, (void)radius, (void)color;
  ((scene *)user)->discs += 1;
}

static void draw(scene *s, uint32_t layers) {
  const lw_debug_draw to = {.triangle = count_triangle, .line = count_line, .disc = count_disc, .user = s};
  s->standing = s->crouching = 0;
  s->triangles = s->lines = s->discs = 0;
  lw_world_debug_draw(s->grid.world, layers, lw_agent_id_none(), &to);
}

static lw_threat_id add(scene *s, lw_threat threat) {
  lw_threat_def def = lw_threat_def_default();
  lw_threat_id id;
  def.threat = threat;
  assert_int_equal(lw_threat_add(s->grid.world, &def, &id, NULL), LW_OK);
  return id;
}

static lw_threat in_the_middle(void) {
  lw_threat threat = lw_threat_default();
  threat.at = (lw_vec3){12, 0.9f, 12};
  return threat;
}

static void where_nothing_hides_all_of_the_mesh_is_seen_and_no_more(void **state) {
  scene *s = *state;
  add(s, in_the_middle());
  draw(s, LW_DRAW_EXPOSURE);
  assert_float_equal((float)s->crouching, 24 * 24 - 6 * 6, 0.01);
  assert_float_equal((float)s->standing, 0, 0.01);
  assert_true(s->triangles < 24 * 2 * 4 * 2); /* cells side by side are one piece */
}

static void without_threats_nothing_is_drawn(void **state) {
  scene *s = *state;
  draw(s, LW_DRAW_EXPOSURE | LW_DRAW_THREATS);
  assert_int_equal(s->triangles + s->lines + s->discs, 0);
  lw_threat_remove(s->grid.world, add(s, in_the_middle()));
  draw(s, LW_DRAW_EXPOSURE | LW_DRAW_THREATS);
  assert_int_equal(s->triangles + s->lines + s->discs, 0);
}

static void what_is_out_of_range_or_behind_is_not_seen(void **state) {
  scene *s = *state;
  lw_threat threat = in_the_middle();
  threat.at.x = threat.at.z = 9;
  threat.range = 6;
  lw_threat_id near = add(s, threat);
  draw(s, LW_DRAW_EXPOSURE | LW_DRAW_THREATS);
  assert_float_equal((float)(s->crouching + s->standing), PI * 36, 3); /* by cells of half a metre */
  assert_true(s->lines > 20 && s->discs == 4);
  lw_threat_remove(s->grid.world, near);
  threat = in_the_middle();
  threat.facing = (lw_vec3){-1, 0, 0};
  threat.half_angle = PI / 2;
  add(s, threat);
  draw(s, LW_DRAW_EXPOSURE | LW_DRAW_THREATS);
  assert_float_equal((float)s->crouching, 12 * 24, 0.01);
  assert_int_equal(s->lines, 2);
}

static void ground_where_only_standing_agents_are_seen_has_its_own_colour(void **state) {
  scene *s = *state;
  lw_threat threat = in_the_middle();
  threat.at = (lw_vec3){12, 20, 12};
  threat.range = 18.75f; /* 1.25 m above the ground */
  add(s, threat);
  draw(s, LW_DRAW_EXPOSURE);
  assert_float_equal((float)s->crouching, 0, 1e-6);
  /* Of a head 1.6 m high, 18.4 m below. */
  assert_float_equal((float)s->standing, PI * (18.75f * 18.75f - 18.4f * 18.4f), 3);
}

static void the_version_grows_when_the_drawing_is_out_of_date(void **state) {
  scene *s = *state;
  uint32_t before = lw_threat_version(s->grid.world);
  lw_threat threat = in_the_middle();
  lw_threat_id id = add(s, threat);
  assert_true(lw_threat_version(s->grid.world) != before);
  before = lw_threat_version(s->grid.world);
  threat.at.x += 0.5f;
  assert_int_equal(lw_threat_set(s->grid.world, id, &threat), LW_OK);
  assert_int_equal(lw_threat_version(s->grid.world), before);
  threat.at.x += 0.6f;
  assert_int_equal(lw_threat_set(s->grid.world, id, &threat), LW_OK);
  assert_true(lw_threat_version(s->grid.world) != before);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(where_nothing_hides_all_of_the_mesh_is_seen_and_no_more, open_scene,
                                      close_scene),
      cmocka_unit_test_setup_teardown(without_threats_nothing_is_drawn, open_scene, close_scene),
      cmocka_unit_test_setup_teardown(what_is_out_of_range_or_behind_is_not_seen, open_scene, close_scene),
      cmocka_unit_test_setup_teardown(ground_where_only_standing_agents_are_seen_has_its_own_colour, open_scene,
                                      close_scene),
      cmocka_unit_test_setup_teardown(the_version_grows_when_the_drawing_is_out_of_date, open_scene,
                                      close_scene),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
