/* The threats in a world: ids, which agents know of them, and that they allocate nothing once warm. */
#include "grid_world.h"
#include "leeward/leeward.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define DT (1.0f / 60)
#define AGENTS 20

typedef struct scene {
  grid_world grid;
  lw_agent_id agents[AGENTS];
} scene;

static void make_scene(scene *s) {
  static const char *const rows[] = {"............", "............", "............", "............"};
  lw_profile_def profile = lw_profile_def_default();
  profile.cover_bias = 5;
  *s = (scene){.grid = grid_world_open(rows, 4, 2, &profile, NULL)};
}

static void spawn(scene *s) {
  for (int i = 0; i < AGENTS; i++) {
    lw_agent_def def = lw_agent_def_default();
    def.profile = s->grid.profile;
    def.at = (lw_vec3){1, 0, 1 + 0.3f * (float)i};
    def.team = i % 2 ? "red" : "blue";
    assert_int_equal(lw_agent_spawn(s->grid.world, &def, &s->agents[i], NULL), LW_OK);
  }
}

static lw_threat_id add(scene *s, const char *known_to) {
  lw_threat_def def = lw_threat_def_default();
  lw_threat_id id;
  def.threat.at = (lw_vec3){12, 1, 4};
  def.known_to = known_to;
  assert_int_equal(lw_threat_add(s->grid.world, &def, &id, NULL), LW_OK);
  assert_false(lw_threat_id_is_none(id));
  return id;
}

static void an_id_leads_to_one_threat_only(void **state) {
  (void)state;
  scene s;
  make_scene(&s);
  lw_threat_id old = add(&s, NULL);
  assert_int_equal(lw_threat_remove(s.grid.world, old), LW_OK);
  lw_threat_id new = add(&s, NULL);
  assert_false(lw_threat_id_equal(new, old));
  lw_threat_state now;
  lw_threat numbers = lw_threat_default();
  assert_int_equal(lw_threat_get_state(s.grid.world, old, &now), LW_STALE);
  assert_int_equal(lw_threat_set(s.grid.world, old, &numbers), LW_STALE);
  assert_int_equal(lw_threat_remove(s.grid.world, old), LW_STALE);
  assert_int_equal(lw_threat_get_state(s.grid.world, lw_threat_id_none(), &now), LW_STALE);
  assert_int_equal(lw_threat_get_state(s.grid.world, new, &now), LW_OK);
  assert_int_equal(lw_threat_count(s.grid.world), 1);
  assert_true(lw_threat_id_equal(lw_threat_next(s.grid.world, lw_threat_id_none()), new));
  assert_true(lw_threat_id_is_none(lw_threat_next(s.grid.world, new)));
  grid_world_close(&s.grid);
}

static void a_team_knows_a_threat_and_one_agent_may_learn_of_it(void **state) {
  (void)state;
  scene s;
  make_scene(&s);
  spawn(&s);
  lw_threat_id red = add(&s, "red"), all = add(&s, ""), none = add(&s, NULL);
  assert_true(lw_agent_knows_threat(s.grid.world, s.agents[1], red));
  assert_false(lw_agent_knows_threat(s.grid.world, s.agents[0], red));
  assert_true(lw_agent_knows_threat(s.grid.world, s.agents[0], all));
  assert_false(lw_agent_knows_threat(s.grid.world, s.agents[0], none));
  for (int i = 0; i < 2; i++) assert_int_equal(lw_agent_learn_threat(s.grid.world, s.agents[0], red), LW_OK);
  assert_true(lw_agent_knows_threat(s.grid.world, s.agents[0], red));
  lw_threat got[4];
  assert_int_equal(lw_agent_get_threats(s.grid.world, s.agents[0], got, 1), 2);
  assert_int_equal(lw_agent_forget_threat(s.grid.world, s.agents[0], red), LW_OK);
  assert_false(lw_agent_knows_threat(s.grid.world, s.agents[0], red));
  assert_int_equal(lw_agent_forget_threat(s.grid.world, s.agents[1], red), LW_OK);
  assert_true(lw_agent_knows_threat(s.grid.world, s.agents[1], red)); /* from its team */
  assert_int_equal(lw_agent_learn_threat(s.grid.world, s.agents[0], none), LW_OK);
  assert_int_equal(lw_threat_remove(s.grid.world, none), LW_OK);
  assert_int_equal(lw_agent_get_threats(s.grid.world, s.agents[0], got, 4), 1);
  assert_int_equal(lw_agent_learn_threat(s.grid.world, s.agents[0], none), LW_STALE);
  assert_int_equal(lw_agent_learn_threat(s.grid.world, (lw_agent_id){.slot = 1000}, red), LW_STALE);
  grid_world_close(&s.grid);
}

static void refuse(scene *s, lw_threat_def def, lw_status expected) {
  lw_threat_id id = {.slot = 1};
  lw_error error = {0};
  assert_int_equal(lw_threat_add(s->grid.world, &def, &id, &error), expected);
  assert_true(lw_threat_id_is_none(id) && error.text[0]);
  assert_int_equal(lw_threat_count(s->grid.world), 0);
}

static void invalid_arguments_are_refused(void **state) {
  (void)state;
  scene s;
  make_scene(&s);
  lw_threat_def def = lw_threat_def_default();
  def.threat.at.x = NAN;
  refuse(&s, def, LW_INVALID);
  def = lw_threat_def_default();
  def.threat.half_angle = 1; /* without a facing */
  refuse(&s, def, LW_INVALID);
  def = lw_threat_def_default();
  def.tolerance = INFINITY;
  refuse(&s, def, LW_INVALID);
  def = lw_threat_def_default();
  def.agent = (lw_agent_id){.slot = 77};
  refuse(&s, def, LW_STALE);
  def = lw_threat_def_default();
  def.known_to = "a team with a name that is much too long";
  refuse(&s, def, LW_INVALID);
  def = lw_threat_def_default();
  def.cookie = 0;
  refuse(&s, def, LW_INVALID);
  lw_threat_id id = add(&s, NULL);
  lw_threat numbers = lw_threat_default();
  numbers.weight = -1;
  assert_int_equal(lw_threat_set(s.grid.world, id, &numbers), LW_INVALID);
  grid_world_close(&s.grid);
}

static void numbers_out_of_range_are_refused_by_name(void **state) {
  static const struct {
    lw_threat threat;
    const char *text;
  } cases[] = {
      {{.at = {0, 2e6f, 0}, .half_angle = 3, .range = 1},
       "at is (0, 2e+06, 0), expected finite numbers within +-1e+06 m"},
      {{.facing = {0, INFINITY, 0}, .half_angle = 1, .range = 1},
       "facing is (0, inf, 0), expected finite numbers"},
      {{.half_angle = 1, .range = 1},
       "facing is (0, 0, 0), expected a direction, as half_angle is 1, less than pi"},
      {{.half_angle = 4, .range = 1}, "half_angle is 4, expected a number from 0 to pi"},
      {{.facing = {1, 0, 0}, .half_angle = 1, .range = 0}, "range is 0, expected a number above 0"},
      {{.facing = {1, 0, 0}, .half_angle = 1, .range = 1, .weight = 1e7f},
       "weight is 1e+07, expected a number from 0 to 1e+06"},
  };
  scene s;
  (void)state;
  make_scene(&s);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    lw_threat_def def = lw_threat_def_default();
    lw_threat_id id;
    lw_error error = {0};
    def.threat = cases[i].threat;
    assert_int_equal(lw_threat_add(s.grid.world, &def, &id, &error), LW_INVALID);
    assert_string_equal(error.text, cases[i].text);
  }
  grid_world_close(&s.grid);
}

/* However long `facing` is. */
static void threats_look_where_they_face(void **state) {
  static const float lengths[] = {1e-44f, 1e-30f, 1e-19f, 1, 1e19f, 3e38f};
  scene s;
  (void)state;
  make_scene(&s);
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    lw_exposure_query query = lw_exposure_query_default();
    lw_threat threat = lw_threat_default();
    lw_exposure seen;
    threat.at = (lw_vec3){0, 30, 0};
    threat.facing = (lw_vec3){0, lengths[i], 0};
    threat.half_angle = 1;
    query.from = (lw_vec3){-1, 60, 0};
    query.to = (lw_vec3){1, 60, 0};
    query.threats = &threat;
    query.threat_count = 1;
    assert_int_equal(lw_exposure_find(s.grid.world, NULL, &query, &seen), LW_OK);
    assert_true(seen.fraction == 1);
    threat.facing.y *= -1;
    assert_int_equal(lw_exposure_find(s.grid.world, NULL, &query, &seen), LW_OK);
    assert_true(seen.fraction == 0);
  }
  grid_world_close(&s.grid);
}

static void invalid_ids_end_the_list(void **state) {
  static const uint32_t slots[] = {2, 3, 0x7fffff, 0x800000, 0xffffff, 0xadbeef};
  scene s;
  (void)state;
  make_scene(&s);
  add(&s, NULL);
  lw_threat_id last = add(&s, NULL);
  assert_true(lw_threat_id_is_none(lw_threat_next(s.grid.world, last)));
  for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
    last.slot = slots[i] & 0xffffffu;
    assert_true(lw_threat_id_is_none(lw_threat_next(s.grid.world, last)));
  }
  grid_world_close(&s.grid);
}

static int replans_of(const scene *s) {
  int sum = 0;
  for (int i = 0; i < AGENTS; i++) {
    lw_agent_stats stats;
    assert_int_equal(lw_agent_get_stats(s->grid.world, s->agents[i], &stats), LW_OK);
    sum += stats.replans;
  }
  return sum;
}

/* Paths are allocated, and nothing else: as many blocks are held at the end of each round as at its
   beginning. */
static void a_threat_that_moves_takes_no_memory_once_warm(void **state) {
  (void)state;
  scene s;
  make_scene(&s);
  spawn(&s);
  lw_threat_id id = add(&s, "red");
  lw_threat numbers = lw_threat_default();
  for (int i = 0; i < AGENTS; i++)
    assert_int_equal(lw_agent_move_to(s.grid.world, s.agents[i], (lw_vec3){23, 0, 4}, 0.3f), LW_OK);
  long warm = 0;
  for (int round = 0; round < 40; round++) {
    numbers.at = (lw_vec3){round % 2 ? 10 : 14, 1, 4};
    assert_int_equal(lw_threat_set(s.grid.world, id, &numbers), LW_OK);
    assert_int_equal(lw_world_step(s.grid.world, DT), LW_OK);
    if (round == 20) warm = s.grid.memory->blocks;
  }
  assert_true(replans_of(&s) >= 40); /* one a step at least */
  assert_int_equal(s.grid.memory->blocks, warm);
  for (int i = 0; i < AGENTS; i++)
    assert_int_equal(lw_world_step(s.grid.world, DT), LW_OK); /* all have searched */
  long calls = s.grid.memory->calls;
  assert_int_equal(lw_world_step(s.grid.world, DT), LW_OK); /* nothing moved: nothing at all is allocated */
  assert_int_equal(s.grid.memory->calls, calls);
  grid_world_close(&s.grid);
}

static void running_out_of_memory_loses_nothing(void **state) {
  (void)state;
  scene s;
  make_scene(&s);
  spawn(&s);
  lw_threat_def def = lw_threat_def_default();
  lw_threat_id id;
  s.grid.memory->left = 0;
  assert_int_equal(lw_threat_add(s.grid.world, &def, &id, NULL), LW_OUT_OF_MEMORY);
  s.grid.memory->left = -1;
  id = add(&s, NULL);
  s.grid.memory->left = 0;
  assert_int_equal(lw_agent_learn_threat(s.grid.world, s.agents[0], id), LW_OUT_OF_MEMORY);
  const lw_threat own[] = {lw_threat_default()};
  assert_int_equal(lw_agent_set_threats(s.grid.world, s.agents[0], own, 1), LW_OUT_OF_MEMORY);
  assert_int_equal(lw_agent_get_threats(s.grid.world, s.agents[0], NULL, 0), 0);
  assert_int_equal(lw_agent_set_threats(s.grid.world, s.agents[0], NULL, 1), LW_INVALID);
  s.grid.memory->left = -1;
  assert_int_equal(lw_agent_set_threats(s.grid.world, s.agents[0], own, 1), LW_OK);
  assert_int_equal(lw_agent_get_threats(s.grid.world, s.agents[0], NULL, 0), 1);
  grid_world_close(&s.grid);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_id_leads_to_one_threat_only),
      cmocka_unit_test(a_team_knows_a_threat_and_one_agent_may_learn_of_it),
      cmocka_unit_test(invalid_arguments_are_refused),
      cmocka_unit_test(numbers_out_of_range_are_refused_by_name),
      cmocka_unit_test(threats_look_where_they_face),
      cmocka_unit_test(invalid_ids_end_the_list),
      cmocka_unit_test(a_threat_that_moves_takes_no_memory_once_warm),
      cmocka_unit_test(running_out_of_memory_loses_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
