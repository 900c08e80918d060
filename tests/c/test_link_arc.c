/* Which obstacles stand in the arcs of links: beside the sweeps of the bake through the same boxes as triangles; and what a
   world counts for links and obstacles that come and go, beside a look at all of both. */
#include "bake/body_sweep.h"
#include "core/vec3.h"
#include "grid_world.h"
#include "leeward/leeward.h"
#include "links/link_arc.h"
#include "world/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#define RADIUS 0.4
#define TRIALS 6000
#define SIDE 60 /* [m] */
#define LINKS 120
#define OBSTACLES 60
#define ROUNDS 150

static float number(lw_random *random, float low, float high) {
  return low + (high - low) * lwi_random_unit(random);
}

/* --- beside the bake's sweeps ------------------------------------------------------------------------------- */

typedef struct trial {
  lwi_link_arc arc;
  lwi_arc_body body;
  lw_vec3 at, size;
} trial;

static trial draw(lw_random *random) {
  static const lw_link_kind kinds[] = {LW_LINK_JUMP, LW_LINK_DROP, LW_LINK_LADDER};
  const lw_link_kind kind = kinds[(int)(2.999f * lwi_random_unit(random))];
  const float far = kind == LW_LINK_JUMP ? number(random, 2, 5) : number(random, 0.5f, 2),
              down = kind == LW_LINK_JUMP ? number(random, -1, 1) : number(random, 2, 4);
  const lw_vec3 from = {0, down, 0}, to = {far, 0, number(random, -2, 2)};
  return (trial){.arc = lwi_link_arc_of(kind, from, to),
                 .body = {.radius = (float)RADIUS, .height = 1.8f, .step = 0.4f},
                 .at = {number(random, -1, 5), number(random, -1, 4), number(random, -2, 2)},
                 .size = {number(random, 0.2f, 1), number(random, 0.2f, 1.5f), number(random, 0.2f, 1)}};
}

/* Is the body free of the box's triangles? @param radius  Of the body. [m] */
static bool is_free(const trial *t, const lw_area_table *areas, double radius) {
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_solid_space space;
  lwi_box_list near = {.memory = &memory};
  lw_geometry *geometry;
  const lw_geometry_box box = {.at = t->at, .size = t->size, .area = LW_AREA_NONE};
  assert_int_equal(lw_geometry_create(areas, NULL, &geometry), LW_OK);
  assert_int_equal(lw_geometry_add_box(geometry, &box, NULL), LW_OK);
  const lw_box all = {{-90, -90, -90}, {90, 90, 90}};
  assert_true(lwi_solid_space_init(&space, geometry, all, &memory));
  assert_true(lwi_solid_space_near(&space, all, &near));
  bool free = true;
  for (int i = 0; i < t->arc.parts && free; i++) {
    const lw_vec3 a = t->arc.points[i], b = t->arc.points[i + 1];
    const lwi_sweep sweep = {.from = lwi_point2_of(a),
                             .to = lwi_point2_of(b),
                             .radius = radius,
                             .low = (double)fminf(a.y, b.y) + (double)t->body.step,
                             .high = (double)fmaxf(a.y, b.y) + (double)t->body.height};
    free = lwi_sweep_is_free(&space, &near, &sweep);
  }
  lwi_box_list_free(&near);
  lwi_solid_space_free(&space, &memory);
  lw_geometry_destroy(geometry);
  return free;
}

/* Footprints have mitred corners, up to 0.42 of the radius too far out. */
static void boxes_bar_as_the_bake_sweeps(void **state) {
  const grid_world *w = *state;
  lw_random random = lwi_random_make(3, 1);
  int barred = 0, free = 0;
  for (int i = 0; i < TRIALS; i++) {
    const trial t = draw(&random);
    const lwi_footprint footprint = lwi_footprint_of_box(t.at, t.size, 0, RADIUS);
    const bool meets = lwi_link_arc_meets(&t.arc, &t.body, &footprint);
    if (is_free(&t, w->areas, RADIUS * 1.42)) assert_false(meets);
    if (!is_free(&t, w->areas, RADIUS - 0.01)) assert_true(meets);
    barred += meets;
    free += !meets;
  }
  assert_true(barred > TRIALS / 10 && free > TRIALS / 10);
}

static void other_kinds_have_no_arc(void **state) {
  (void)state;
  for (int kind = 0; kind < LW_LINK_KIND_COUNT; kind++)
    assert_int_equal(lwi_link_arc_of((lw_link_kind)kind, lwi_vec3(0, 0, 0), lwi_vec3(3, 1, 0)).parts > 0,
                     kind == LW_LINK_JUMP || kind == LW_LINK_DROP || kind == LW_LINK_LADDER);
}

/* --- what a world counts ------------------------------------------------------------------------------------ */

static lw_link_id add_link(grid_world *w, lw_random *random) {
  lw_link_def def = lw_link_def_default();
  lw_link_id id;
  def.kind = (lw_link_kind)(lwi_random_unit(random) * 5.999f);
  def.from = lwi_vec3(number(random, 5, SIDE - 5), 0, number(random, 5, SIDE - 5));
  def.to = lwi_add(def.from, lwi_vec3(number(random, -4, 4), 0, number(random, 1, 4)));
  def.bidirectional = lwi_random_unit(random) < 0.5f;
  assert_int_equal(lw_link_add(w->world, &def, &id, NULL), LW_OK);
  return id;
}

static lw_vec3 place(lw_random *random) {
  return lwi_vec3(number(random, 0, SIDE), number(random, -0.5f, 1.5f), number(random, 0, SIDE));
}

static lw_obstacle_id add_obstacle(grid_world *w, lw_random *random) {
  lw_obstacle_def def = lw_obstacle_def_default();
  lw_obstacle_id id;
  def.at = place(random);
  def.size = lwi_vec3(number(random, 0.3f, 4), number(random, 0.1f, 1), number(random, 0.3f, 4));
  def.yaw = number(random, 0, 3);
  def.blocks = lwi_random_unit(random) < 0.9f;
  def.cost = def.blocks ? 0 : 1;
  assert_int_equal(lw_obstacle_add(w->world, &def, &id, NULL), LW_OK);
  return id;
}

static bool is_barred(const grid_world *w, const lw_link_info *link) {
  const lw_navmesh_agent agent = lw_navmesh_get_agent(w->mesh);
  const lwi_arc_body body = {agent.radius, agent.height, 0};
  const lwi_link_arc arc = lwi_link_arc_of(link->def.kind, link->from, link->to);
  const lwi_id_pool *ids = &w->world->obstacles.ids;
  for (uint32_t i = ids->first; i != LWI_NO_SLOT; i = lwi_id_pool_next(ids, i)) {
    const lwi_obstacle *obstacle = lwi_obstacle_at(w->world, i);
    const lwi_footprint footprint = lwi_obstacle_footprint(&obstacle->def, obstacle->cut, (double)agent.radius);
    if (obstacle->is_cut && obstacle->def.blocks && lwi_link_arc_meets(&arc, &body, &footprint)) return true;
  }
  return false;
}

/* @return How many are blocked. */
static int check_links(const grid_world *w) {
  int blocked = 0;
  for (lw_link_id id = lw_link_id_none(); id = lw_link_next(w->world, id), !lw_link_id_is_none(id);) {
    lw_link_info info;
    assert_int_equal(lw_link_get(w->world, id, &info), LW_OK);
    assert_int_equal(info.is_blocked, is_barred(w, &info));
    assert_false(info.is_blocked && info.is_used);
    blocked += info.is_blocked;
  }
  return blocked;
}

static void a_world_knows_what_is_barred(void **state) {
  grid_world *w = *state;
  lw_random random = lwi_random_make(5, 2);
  lw_link_id links[LINKS];
  lw_obstacle_id obstacles[OBSTACLES];
  int blocked = 0;
  for (int i = 0; i < OBSTACLES; i++) obstacles[i] = add_obstacle(w, &random);
  for (int i = 0; i < LINKS; i++) links[i] = add_link(w, &random);
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < 4; i++) {
      const int k = (int)(lwi_random_unit(&random) * OBSTACLES), n = (int)(lwi_random_unit(&random) * LINKS);
      if (i < 2) assert_int_equal(lw_obstacle_move(w->world, obstacles[k], place(&random), 1, NULL), LW_OK);
      if (i == 2) assert_int_equal(lw_obstacle_remove(w->world, obstacles[k]), LW_OK);
      if (i == 2) obstacles[k] = add_obstacle(w, &random);
      if (i == 3) assert_int_equal(lw_link_remove(w->world, links[n]), LW_OK);
      if (i == 3) links[n] = add_link(w, &random);
    }
    assert_int_equal(lw_world_step(w->world, 0.3f), LW_OK); /* all rest */
    blocked += check_links(w);
  }
  assert_in_range(blocked / ROUNDS, 2, LINKS / 2);
  for (int i = 0; i < OBSTACLES; i++) assert_int_equal(lw_obstacle_remove(w->world, obstacles[i]), LW_OK);
  assert_int_equal(lw_world_step(w->world, 0.3f), LW_OK);
  assert_int_equal(check_links(w), 0);
}

static int open_field(void **state) {
  static grid_world w;
  static const char *const rows[] = {"......", "......", "......", "......", "......", "......"};
  const lw_profile_def profile = lw_profile_def_default();
  w = grid_world_open(rows, 6, (float)SIDE / 6, &profile, NULL);
  *state = &w;
  return 0;
}

static int close_field(void **state) {
  grid_world_close(*state);
  return 0;
}

int main(void) {
#define ON_FIELD(name) cmocka_unit_test_setup_teardown(name, open_field, close_field)
  const struct CMUnitTest tests[] = {
      ON_FIELD(boxes_bar_as_the_bake_sweeps),
      cmocka_unit_test(other_kinds_have_no_arc),
      ON_FIELD(a_world_knows_what_is_barred),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
