/* Dangers by the C API: ids, bad input, memory, and which paths enter a disc. */
#include "core/random.h"
#include "cost/timed_region.h"
#include "grid_world.h"
#include "leeward/leeward.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define SEED 7u

static int open_level(void **state) {
  static grid_world l;
  static const char *const rows[] = {"........", "........", "........"};
  lw_profile_def profile = lw_profile_def_default();
  profile.danger_cost = 10;
  l = grid_world_open(rows, 3, 5, &profile, NULL);
  *state = &l;
  return 0;
}

static int close_level(void **state) {
  grid_world_close(*state);
  return 0;
}

static lw_danger_def danger_at(float x, float z) {
  lw_danger_def def = lw_danger_def_default();
  def.at = lwi_vec3(x, 0, z);
  return def;
}

static lw_danger_id add(grid_world *l, float x, float z) {
  lw_danger_def def = danger_at(x, z);
  lw_danger_id id;
  assert_int_equal(lw_danger_add(l->world, &def, &id, NULL), LW_OK);
  return id;
}

static float cost_across(const grid_world *l) {
  return grid_world_cost(l, lwi_vec3(1, 0, 7.5f), lwi_vec3(39, 0, 7.5f));
}

static void the_id_of_a_removed_danger_is_stale(void **state) {
  grid_world *l = *state;
  lw_danger_id first = add(l, 10, 5), second = add(l, 20, 5), third = add(l, 30, 5);
  lw_danger_state danger;
  assert_int_equal(lw_danger_remove(l->world, second), LW_OK);
  assert_int_equal(lw_danger_remove(l->world, second), LW_STALE);
  assert_int_equal(lw_danger_get_state(l->world, second, &danger), LW_STALE);
  assert_true(lw_danger_id_is_none(lw_danger_next(l->world, second)));
  assert_int_equal(lw_danger_get_state(l->world, lw_danger_id_none(), &danger), LW_STALE);
  assert_int_equal(lw_danger_count(l->world), 2);
  assert_true(lw_danger_id_equal(lw_danger_next(l->world, lw_danger_id_none()), first));
  assert_true(lw_danger_id_equal(lw_danger_next(l->world, first), third));
  assert_true(lw_danger_id_is_none(lw_danger_next(l->world, third)));
  lw_danger_id fourth = add(l, 20, 5); /* takes the slot, not the id */
  assert_true(!lw_danger_id_equal(fourth, second) && fourth.slot == second.slot);
  assert_true(lw_danger_id_equal(lw_danger_next(l->world, third), fourth)); /* in the order they were added */
}

/* Whatever comes and goes, what is left costs what it would cost alone. */
static void added_and_removed_dangers_leave_no_memory(void **state) {
  grid_world *l = *state;
  lw_random random = lwi_random_make(SEED, 0);
  float plain = cost_across(l);
  lw_danger_id ids[40] = {{0}};
  for (int i = 0; i < 400; i++) {
    int k = (int)(lwi_random_unit(&random) * 40);
    if (!lw_danger_id_is_none(ids[k]) && lwi_random_unit(&random) < 0.6f) {
      assert_int_equal(lw_danger_remove(l->world, ids[k]), LW_OK);
      ids[k] = lw_danger_id_none();
    } else if (lw_danger_id_is_none(ids[k])) {
      ids[k] = add(l, lwi_random_unit(&random) * 40, lwi_random_unit(&random) * 15);
    }
    if (i % 50) continue;
    /* Another world with the same dangers, added afresh. */
    grid_world other = *l;
    lw_world_def def = lw_world_def_default();
    def.navmesh = l->mesh;
    assert_int_equal(lw_world_create(&def, &other.world, NULL), LW_OK);
    for (lw_danger_id id = lw_danger_next(l->world, lw_danger_id_none()); !lw_danger_id_is_none(id);
         id = lw_danger_next(l->world, id)) {
      lw_danger_state danger;
      lw_danger_id copy;
      assert_int_equal(lw_danger_get_state(l->world, id, &danger), LW_OK);
      assert_int_equal(lw_danger_add(other.world, &danger.def, &copy, NULL), LW_OK);
    }
    assert_true(cost_across(l) == cost_across(&other));
    lw_world_destroy(other.world);
  }
  for (int k = 0; k < 40; k++) lw_danger_remove(l->world, ids[k]);
  assert_int_equal(lw_danger_count(l->world), 0);
  assert_true(cost_across(l) == plain);
}

static void bad_dangers_are_refused_with_the_field(void **state) {
  grid_world *l = *state;
  lw_danger_def defs[9];
  const char *fields[] = {"at",     "radius is 0",    "radius is nan",   "radius is 1001", "height is 0",
                          "value ", "value is 1e+07", "half_life is -2", "lw_danger_def"};
  for (int i = 0; i < 9; i++) defs[i] = danger_at(10, 5);
  defs[0].at.y = INFINITY;
  defs[1].radius = 0;
  defs[2].radius = NAN;
  defs[3].radius = 1001;
  defs[4].height = 0;
  defs[5].value = 0.009f;
  defs[6].value = 1e7f;
  defs[7].half_life = -2;
  defs[8].cookie = 0;
  for (int i = 0; i < 9; i++) {
    lw_error error = {0};
    lw_danger_id id = {.slot = 99};
    assert_int_equal(lw_danger_add(l->world, &defs[i], &id, &error), LW_INVALID);
    assert_true(lw_danger_id_is_none(id));
    if (!strstr(error.text, fields[i])) fail_msg("%s: %s", fields[i], error.text);
  }
  assert_int_equal(lw_danger_count(l->world), 0);
}

static void running_out_of_memory_leaves_the_world_as_it_was(void **state) {
  grid_world *l = *state;
  add(l, 10, 5);
  float before = cost_across(l);
  lw_danger_def def = danger_at(20, 7.5f);
  def.radius = 9;
  lw_danger_id id;
  int failures = 0;
  for (;; failures++) {
    l->memory->left = failures;
    lw_status status = lw_danger_add(l->world, &def, &id, NULL);
    l->memory->left = -1;
    if (status == LW_OK) break;
    assert_int_equal(status, LW_OUT_OF_MEMORY);
    assert_int_equal(lw_danger_count(l->world), 1);
    assert_true(cost_across(l) == before);
  }
  assert_true(failures > 0);
  assert_true(cost_across(l) > before);
  lw_path_query query = lw_path_query_default();
  query.from = lwi_vec3(1, 0, 7.5f);
  query.to = lwi_vec3(39, 0, 7.5f);
  query.profile = l->profile;
  lw_path *path = NULL;
  for (int left = 0; left < 100; left++) {
    l->memory->left = left;
    if (lw_path_find(l->world, NULL, &query, &path) == LW_OK) break;
    assert_null(path);
  }
  l->memory->left = -1;
  assert_non_null(path);
  lw_path_destroy(path);
}

static lwi_timed_shape disc_of(lw_vec3 at, float radius, float height) {
  return (lwi_timed_shape){at, at, radius, height, 1};
}

/* Against many small steps: it is entered where a step leads from outside to inside. */
static void a_disc_is_entered_where_small_steps_enter_it(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 1);
  int entered = 0;
  for (int i = 0; i < 4000; i++) {
    float n[8];
    for (int k = 0; k < 8; k++) n[k] = lwi_random_unit(&random) * 2 - 1;
    const lwi_timed_shape disc = disc_of(lwi_vec3(n[0], n[1], n[2]), 0.2f + fabsf(n[3]), 0.1f + fabsf(n[4]));
    lw_vec3 a = {2 * n[5], 2 * n[6], 2 * n[7]},
            b = {2 * n[4], i % 5 ? 2 * n[3] : a.y, i % 7 ? 2 * n[2] : a.z}; /* level and straight ones too */
    int times = 0, deep = 0;
    bool inside = lwi_disc_holds(&disc, a);
    for (int k = 1; k <= 500; k++) {
      lw_vec3 at = lwi_lerp(a, b, (float)k / 500);
      const lwi_timed_shape core = disc_of(disc.from, disc.radius - 0.02f, disc.height - 0.02f);
      bool now = lwi_disc_holds(&disc, at);
      times += now && !inside;
      deep += lwi_disc_holds(&core, at);
      inside = now;
    }
    bool enters = lwi_disc_enters(&disc, a, b);
    if (times > 0) assert_true(enters);
    if (enters) assert_false(lwi_disc_holds(&disc, a));
    if (!enters && deep > 0) assert_true(lwi_disc_holds(&disc, a));
    entered += enters;
  }
  assert_in_range(entered, 200, 3000);
}

static void a_segment_cut_in_pieces_enters_as_often_as_the_whole(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 2);
  for (int i = 0; i < 20000; i++) {
    float n[6];
    for (int k = 0; k < 6; k++) n[k] = lwi_random_unit(&random) * 4 - 2;
    const lwi_timed_shape disc = disc_of(lwi_vec3(n[0], 0, n[1]), 1, 2);
    lw_vec3 a = {n[2], 0, n[3]}, b = {n[4], 0, n[5]}, middle = lwi_lerp(a, b, lwi_random_unit(&random));
    if (fabsf(lwi_distance(middle, disc.from) - 1) < 1e-4f) continue; /* rounding moves it off the line */
    int whole = lwi_disc_enters(&disc, a, b),
        parts = lwi_disc_enters(&disc, a, middle) + lwi_disc_enters(&disc, middle, b);
    lw_vec3 ab = lwi_sub(b, a), ac = lwi_sub(disc.from, a);
    float t = fminf(1, fmaxf(0, lwi_dot(ab, ac) / lwi_dot(ab, ab)));
    if (fabsf(lwi_distance(lwi_lerp(a, b, t), disc.from) - 1) < 1e-4f) continue; /* grazes */
    assert_int_equal(whole, parts);
  }
}

typedef struct totals {
  int discs, lines;
  float largest;
} totals;

static void count_disc(void *user, lw_vec3 at, float radius, uint32_t color) {
  totals *t = user;
  (void)at;
  (void)color;
  t->discs += 1;
  t->largest = fmaxf(t->largest, radius);
}

static void count_line(void *user, lw_vec3 a, lw_vec3 b, float width, uint32_t color) {
  totals *t = user;
  (void)a;
  (void)b;
  (void)width;
  (void)color;
  t->lines += 1;
}

static void dangers_are_drawn_when_that_layer_is_asked_for(void **state) {
  grid_world *l = *state;
  add(l, 10, 5);
  totals t = {0};
  const lw_debug_draw draw = {.disc = count_disc, .line = count_line, .user = &t}, nothing = {0};
  lw_world_debug_draw(l->world, LW_DRAW_AGENTS, lw_agent_id_none(), &draw);
  assert_int_equal(t.discs + t.lines, 0);
  lw_world_debug_draw(l->world, LW_DRAW_DANGERS, lw_agent_id_none(), &draw);
  assert_true(t.discs > 1 && t.lines > 8);
  assert_float_equal(t.largest, 3, 1e-6);
  lw_world_debug_draw(l->world, LW_DRAW_ALL, lw_agent_id_none(), &nothing);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(the_id_of_a_removed_danger_is_stale, open_level, close_level),
      cmocka_unit_test_setup_teardown(added_and_removed_dangers_leave_no_memory, open_level, close_level),
      cmocka_unit_test_setup_teardown(bad_dangers_are_refused_with_the_field, open_level, close_level),
      cmocka_unit_test_setup_teardown(running_out_of_memory_leaves_the_world_as_it_was, open_level,
                                      close_level),
      cmocka_unit_test_setup_teardown(dangers_are_drawn_when_that_layer_is_asked_for, open_level, close_level),
      cmocka_unit_test(a_disc_is_entered_where_small_steps_enter_it),
      cmocka_unit_test(a_segment_cut_in_pieces_enters_as_often_as_the_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
