/* Which bodies fit along jumps and drops: beside a body at many places of its path and all triangles of the level, those of
   obstacles included. */
#include "bake_scene.h"
#include "core/random.h"
#include "core/vec3.h"
#include "leeward/leeward.h"
#include "link_oracle.h"
#include "links/link_clearance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define LEVELS 6
#define BOXES 14
#define OBSTACLES 30
#define ROUNDS 6
#define SIDE 24.0f /* [m] */
/* A body is sure to fit if one larger by this does, and sure not to if one smaller by this does not. [m] */
#define SLACK 0.08f

static float number(lw_random *random, float low, float high) {
  return low + (high - low) * lwi_random_unit(random);
}

/* --- a level with links that the bake found ------------------------------------------------------------------ */

typedef struct place {
  lw_geometry *level;
  lw_navmesh *mesh;
  lw_bake_report report;
  lw_world *world;
  lw_geometry_box boxes[OBSTACLES];
  lw_obstacle_id obstacles[OBSTACLES];
  int obstacle_count;
} place;

static void add_mesh(lw_geometry *to, const lw_vec3 *corners, int corner_count, const int *indices, int count) {
  const lw_geometry_mesh mesh = {.vertices = corners,
                                 .vertex_count = corner_count,
                                 .indices = indices,
                                 .triangle_count = count,
                                 .area = LW_AREA_NONE};
  assert_int_equal(lw_geometry_add_mesh(to, &mesh, NULL), LW_OK);
}

/* Blocks to jump and drop from, and beams and leaning roofs over them. */
static lw_geometry *random_blocks(lw_random *random) {
  lw_geometry *level = scene_geometry(scene_table);
  scene_add_floor(level, lwi_vec3(-SIDE / 2, 0, -SIDE / 2), SIDE, SIDE, SCENE_GROUND);
  for (int i = 0; i < BOXES; i++) {
    const bool is_beam = i % 3 == 2;
    const lw_geometry_box box = {
        .at = {number(random, -9, 9), is_beam ? number(random, 2.2f, 6) : 0, number(random, -9, 9)},
        .size = {number(random, 1, 6), is_beam ? 0.3f : number(random, 0.6f, 2.8f), number(random, 1, 6)},
        .area = is_beam ? LW_AREA_NONE : SCENE_GROUND};
    assert_int_equal(lw_geometry_add_box(level, &box, NULL), LW_OK);
  }
  for (int i = 0; i < 3; i++) {
    const float x = number(random, -9, 5), z = number(random, -9, 5), y = number(random, 2.5f, 4);
    const lw_vec3 corners[] = {{x, y, z}, {x, y, z + 4}, {x + 4, y + 2, z}, {x + 4, y + 2, z + 4}};
    const int indices[] = {0, 1, 2, 2, 1, 3};
    add_mesh(level, corners, 4, indices, 2);
  }
  return level;
}

static place open_place(lw_random *random) {
  place p = {.level = random_blocks(random)};
  lw_bake_settings settings = lw_bake_settings_default();
  settings.cell_size = 0.2f;
  settings.agent_radius = 0.4f;
  settings.agent_height = 1.8f;
  settings.agent_climb = 0.4f;
  settings.tile_size = 16;
  settings.min_region_area = 1;
  settings.cover.segments = false;
  settings.openness_range = 0;
  settings.auto_links.drop = 3;
  settings.auto_links.jump = 2.5f;
  p.mesh = scene_bake(p.level, &settings, &p.report);
  lw_world_def def = lw_world_def_default();
  def.navmesh = p.mesh;
  assert_int_equal(lw_world_create(&def, &p.world, NULL), LW_OK);
  return p;
}

static void close_place(place *p) {
  lw_world_destroy(p->world);
  lw_navmesh_destroy(p->mesh);
  lw_geometry_destroy(p->level);
}

static lw_geometry_box random_box(lw_random *random) {
  return (lw_geometry_box){
      .at = {number(random, -10, 10), number(random, 0, 4), number(random, -10, 10)},
      .size = {number(random, 0.2f, 1.5f), number(random, 0.2f, 1.5f), number(random, 0.2f, 1.5f)},
      .area = LW_AREA_NONE};
}

static void put(place *p, int index, lw_random *random) {
  p->boxes[index] = random_box(random);
  lw_obstacle_def def = lw_obstacle_def_default();
  def.at = p->boxes[index].at;
  def.size = p->boxes[index].size;
  assert_int_equal(lw_obstacle_add(p->world, &def, &p->obstacles[index], NULL), LW_OK);
}

static void move(place *p, int index, lw_random *random) {
  p->boxes[index].at = random_box(random).at;
  assert_int_equal(lw_obstacle_move(p->world, p->obstacles[index], p->boxes[index].at, 0, NULL), LW_OK);
}

/* Until all obstacles are cut out where they were moved. */
static void rest(const place *p) {
  for (int i = 0; i < 6; i++) assert_int_equal(lw_world_step(p->world, 0.3f), LW_OK);
}

/* The level's triangles and those of the obstacles. */
static lw_geometry *all_triangles(const place *p) {
  lw_geometry *all = scene_geometry(scene_table);
  add_mesh(all, lw_geometry_vertices(p->level), lw_geometry_vertex_count(p->level),
           lw_geometry_indices(p->level), lw_geometry_triangle_count(p->level));
  for (int i = 0; i < p->obstacle_count; i++)
    assert_int_equal(lw_geometry_add_box(all, &p->boxes[i], NULL), LW_OK);
  return all;
}

/* --- beside all triangles -------------------------------------------------------------------------------------- */

static const float bodies[][2] = {{0.4f, 2.1f}, {0.4f, 3.2f}, {0.6f, 1.8f}, {0.9f, 2.4f}, {1.7f, 1.9f}};
#define BODIES (sizeof bodies / sizeof bodies[0])

static lw_profile *body_profile(const float body[2]) {
  lw_profile_def def = lw_profile_def_default();
  lw_profile *profile;
  def.radius = body[0];
  def.height = body[1];
  def.body.can_crouch = false;
  assert_int_equal(lw_profile_create(&def, scene_table, &profile, NULL), LW_OK);
  return profile;
}

static bool is_free(const place *p, const lw_geometry *all, const lw_link_info *link, const float body[2],
                    float slack) {
  link_oracle oracle = {all, p->report.used, slack};
  oracle.used.agent_climb = lw_navmesh_get_agent(p->mesh).climb - oracle.used.cell_height;
  oracle.used.agent_radius = body[0];
  oracle.used.agent_height = body[1];
  return link_oracle_is_free(&oracle, link->def.kind, link->from, link->to);
}

typedef struct tally {
  int fit, refused;
} tally;

static void check_link(const place *p, const lw_geometry *all, lw_link_id id, const lw_link_info *link,
                       tally *sum) {
  static const float least[2] = {0.4f, 1.8f};
  if (!link->is_blocked && !is_free(p, all, link, least, 0.02f)) return; /* the bake may round that much */
  for (size_t i = 0; i < BODIES; i++) {
    bool fits;
    lw_profile *profile = body_profile(bodies[i]);
    assert_int_equal(lw_link_fits(p->world, id, profile, &fits), LW_OK);
    if (fits) assert_true(is_free(p, all, link, bodies[i], SLACK));
    if (!fits && !link->is_blocked) assert_false(is_free(p, all, link, bodies[i], -SLACK));
    lw_profile_destroy(profile);
    sum->fit += fits;
    sum->refused += !fits && !link->is_blocked;
  }
}

static tally check_links(const place *p) {
  tally sum = {0, 0};
  lw_geometry *all = all_triangles(p);
  for (lw_link_id id = lw_link_id_none(); id = lw_link_next(p->world, id), !lw_link_id_is_none(id);) {
    lw_link_info link;
    assert_int_equal(lw_link_get(p->world, id, &link), LW_OK);
    check_link(p, all, id, &link, &sum);
  }
  lw_geometry_destroy(all);
  return sum;
}

static void bodies_fit_where_they_meet_no_triangle(void **state) {
  (void)state;
  lw_random random = lwi_random_make(11, 1);
  tally sum = {0, 0};
  for (int i = 0; i < LEVELS; i++) {
    place p = open_place(&random);
    const tally here = check_links(&p);
    sum.fit += here.fit;
    sum.refused += here.refused;
    close_place(&p);
  }
  assert_true(sum.fit > 100 && sum.refused > 300);
}

/* What was measured before does not stay. */
static void obstacles_that_come_and_go_count(void **state) {
  (void)state;
  lw_random random = lwi_random_make(12, 1);
  place p = open_place(&random);
  const tally before = check_links(&p);
  int differs = 0;
  for (; p.obstacle_count < OBSTACLES; p.obstacle_count++) put(&p, p.obstacle_count, &random);
  for (int round = 0; round < ROUNDS; round++) {
    rest(&p);
    const tally now = check_links(&p);
    differs += now.fit != before.fit;
    for (int i = 0; i < OBSTACLES; i++) move(&p, i, &random);
  }
  assert_true(differs >= ROUNDS / 2);
  for (int i = 0; i < OBSTACLES; i++) assert_int_equal(lw_obstacle_remove(p.world, p.obstacles[i]), LW_OK);
  p.obstacle_count = 0;
  rest(&p);
  const tally after = check_links(&p);
  assert_int_equal(after.fit, before.fit);
  assert_int_equal(after.refused, before.refused);
  close_place(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies_fit_where_they_meet_no_triangle),
      cmocka_unit_test(obstacles_that_come_and_go_count),
  };
  return cmocka_run_group_tests(tests, scene_open, scene_close);
}
