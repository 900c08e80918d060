/* Off-mesh links while a world runs: which there are, what is changed about them and when it counts, and what of it is
   saved. */
#include "core/vec3.h"
#include "link_level.h"
#include "temp_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define CLIMBERS 4

/* The cost of the path from one island to the other, and the link that it takes. */
static float cost_across(const link_level *l, lw_link_id *taken) {
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  query.from = lwi_vec3(5, 0, 1);
  query.to = lwi_vec3(15, 0, 1);
  *taken = lw_link_id_none();
  if (lw_path_find(l->world, NULL, &query, &path) != LW_OK) return INFINITY;
  int count;
  lw_path_points(path, &count);
  for (int i = 0; i < count; i++)
    if (!lw_link_id_is_none(lw_path_link_id(path, i))) *taken = lw_path_link_id(path, i);
  const float cost = lw_path_cost(path);
  lw_path_destroy(path);
  return cost;
}

/* --- which there are -------------------------------------------------------------------------------------- */

static void baked_links_have_ids_and_names(void **state) {
  const link_level *l = *state;
  static const char *const names[] = {"jump", "ladder", "back"};
  lw_link_id id = lw_link_id_none();
  assert_int_equal(lw_link_count(l->world), 3);
  for (int i = 0; i < 3; i++) {
    id = lw_link_next(l->world, id);
    assert_true(lw_link_id_equal(id, link_level_find(l, names[i])));
    const lw_link_info info = link_level_info(l, id);
    assert_string_equal(info.def.name, names[i]);
    assert_true(info.is_enabled && info.is_used && !info.is_added && !info.is_barred);
    assert_int_equal(info.capacity, i == 1); /* a ladder holds one */
  }
  assert_true(lw_link_id_is_none(lw_link_next(l->world, id)));
  assert_true(lw_link_id_is_none(link_level_find(l, "lift")));
  link_level_near(link_level_info(l, link_level_find(l, "ladder")).length, 6);
}

static void names_are_kept_in_the_navmeshs_file(void **state) {
  const link_level *l = *state;
  char name[] = "/tmp/links_XXXXXX";
  temp_file_make(name);
  assert_int_equal(lw_navmesh_save(l->mesh, name, NULL), LW_OK);
  lw_navmesh *loaded;
  lw_link link;
  assert_int_equal(lw_navmesh_load(name, l->areas, NULL, &loaded, NULL), LW_OK);
  assert_int_equal(lw_navmesh_get_link(loaded, 2, &link), LW_OK);
  assert_string_equal(link.def.name, "back");
  assert_int_equal(link.def.capacity, -1);
  assert_int_equal(lw_navmesh_validate(loaded, NULL), LW_OK);
  lw_navmesh_destroy(loaded);
  remove(name);
}

/* --- what is changed -------------------------------------------------------------------------------------- */

static void a_disabled_link_is_not_used_from_the_next_step_on(void **state) {
  const link_level *l = *state;
  const lw_link_id jump = link_level_find(l, "jump"), ladder = link_level_find(l, "ladder");
  const uint64_t hash = lw_world_hash(l->world);
  lw_link_id taken;
  link_level_near(cost_across(l, &taken), 10);
  assert_true(lw_link_id_equal(taken, jump));
  assert_int_equal(lw_link_enable(l->world, jump, false), LW_OK);
  link_level_near(cost_across(l, &taken), 10); /* not yet */
  assert_true(link_level_info(l, jump).is_used && !link_level_info(l, jump).is_enabled);
  link_level_apply(l);
  assert_false(link_level_info(l, jump).is_used);
  assert_true(cost_across(l, &taken) > 10.5f);
  assert_true(lw_link_id_equal(taken, ladder));
  assert_int_equal(lw_link_enable(l->world, ladder, false), LW_OK);
  link_level_apply(l);
  assert_true(cost_across(l, &taken) == INFINITY);
  assert_int_equal(lw_link_enable(l->world, jump, true), LW_OK);
  assert_int_equal(lw_link_enable(l->world, ladder, true), LW_OK);
  link_level_apply(l);
  link_level_near(cost_across(l, &taken), 10);
  assert_true(lw_link_id_equal(taken, jump));
  assert_int_equal(lw_world_hash(l->world), hash);
}

static void a_price_is_paid_beside_the_length(void **state) {
  const link_level *l = *state;
  const lw_link_id jump = link_level_find(l, "jump"), ladder = link_level_find(l, "ladder");
  lw_link_id taken;
  assert_int_equal(lw_link_enable(l->world, ladder, false), LW_OK);
  assert_int_equal(lw_link_set_cost(l->world, jump, 7.5f), LW_OK);
  link_level_apply(l);
  link_level_near(cost_across(l, &taken), 17.5f);
  assert_int_equal(lw_link_enable(l->world, ladder, true), LW_OK);
  link_level_apply(l);
  assert_true(cost_across(l, &taken) < 17);
  assert_true(lw_link_id_equal(taken, ladder));
  assert_int_equal(lw_link_set_cost(l->world, jump, 0), LW_OK);
  link_level_apply(l);
  link_level_near(cost_across(l, &taken), 10);
  assert_int_equal(lw_link_set_cost(l->world, jump, -1), LW_INVALID);
  assert_int_equal(lw_link_set_cost(l->world, jump, NAN), LW_INVALID);
  assert_int_equal(lw_link_set_cost(l->world, jump, 2 * LW_LINK_COST_MAX), LW_INVALID);
}

static void links_are_added_and_removed(void **state) {
  const link_level *l = *state;
  lw_link_def def = link_level_link(LW_LINK_DOOR, "door", 7.9f, 12.1f, 1);
  lw_link_id door, taken;
  const uint64_t hash = lw_world_hash(l->world);
  def.length = 1;
  def.bidirectional = true;
  assert_int_equal(lw_link_add(l->world, &def, &door, NULL), LW_OK);
  assert_int_equal(lw_link_count(l->world), 4);
  assert_true(lw_link_id_equal(link_level_find(l, "door"), door));
  assert_false(link_level_info(l, door).is_used);
  link_level_near(cost_across(l, &taken), 10);
  link_level_apply(l);
  assert_true(link_level_info(l, door).is_used && link_level_info(l, door).is_added);
  link_level_near(cost_across(l, &taken), 2.9f + 1 + 2.9f);
  assert_true(lw_link_id_equal(taken, door));
  assert_int_equal(lw_link_remove(l->world, door), LW_OK);
  assert_int_equal(lw_link_remove(l->world, door), LW_STALE);
  assert_int_equal(lw_link_enable(l->world, door, true), LW_STALE);
  assert_int_equal(lw_link_count(l->world), 3);
  link_level_apply(l);
  link_level_near(cost_across(l, &taken), 10);
  assert_int_equal(lw_world_hash(l->world), hash);
  assert_int_equal(lw_link_remove(l->world, link_level_find(l, "jump")), LW_INVALID); /* it was baked */
}

static void bad_links_are_refused_with_the_reason(void **state) {
  const link_level *l = *state;
  lw_link_def def = link_level_link(LW_LINK_JUMP, NULL, 7, 100, 1);
  lw_link_id id;
  lw_error error;
  assert_int_equal(lw_link_add(l->world, &def, &id, &error), LW_NO_POINT);
  assert_string_equal(error.text,
                      "link: the nearest navmesh is 80.00 m from its 'to', more than its radius 1 m");
  assert_true(lw_link_id_is_none(id));
  def = link_level_link(LW_LINK_JUMP, NULL, 7, 7, 1);
  assert_int_equal(lw_link_add(l->world, &def, &id, &error), LW_INVALID);
  assert_string_equal(error.text, "link: both of its ends come to lie at (7.00, 0.00, 1.00)");
  def = link_level_link(LW_LINK_JUMP, "", 7, 13, 1);
  assert_int_equal(lw_link_add(l->world, &def, &id, &error), LW_INVALID);
  assert_string_equal(error.text, "link: name has no bytes, expected 1 to 63");
  def.name = NULL;
  def.capacity = 256;
  assert_int_equal(lw_link_add(l->world, &def, &id, &error), LW_INVALID);
  assert_string_equal(error.text, "link: capacity is 256, expected -1 (by its kind) to 255");
  assert_int_equal(lw_link_count(l->world), 3);
}

static void a_link_waits_for_the_ground_at_its_end(void **state) {
  const link_level *l = *state;
  lw_link_def def = link_level_link(LW_LINK_DOOR, NULL, 7.9f, 12.1f, 2);
  lw_obstacle_def box = lw_obstacle_def_default();
  lw_link_id door, taken;
  lw_obstacle_id crate;
  def.length = 1;
  box.at = lwi_vec3(12.1f, 0, 2);
  box.size = lwi_vec3(0.5f, 1, 0.5f);
  assert_int_equal(lw_obstacle_add(l->world, &box, &crate, NULL), LW_OK);
  link_level_apply(l);
  assert_int_equal(lw_link_add(l->world, &def, &door, NULL), LW_OK);
  link_level_apply(l);
  assert_false(link_level_info(l, door).is_used);
  link_level_near(cost_across(l, &taken), 10);
  assert_int_equal(lw_obstacle_remove(l->world, crate), LW_OK);
  link_level_apply(l);
  assert_true(link_level_info(l, door).is_used);
  link_level_near(cost_across(l, &taken), 2 * hypotf(2.9f, 1) + 1);
}

/* Lines by their width. */
typedef struct drawn {
  int thick, thin;
} drawn;

static void count_line(void *user, lw_vec3 from, lw_vec3 to, float width, uint32_t color) {
  drawn *d = user;
  (void)from, (void)to, (void)color;
  d->thick += width > 3;
  d->thin += width < 1.5f;
}

static drawn draw_links(const link_level *l) {
  drawn counted = {0, 0};
  const lw_debug_draw draw = {.line = count_line, .user = &counted};
  lw_world_debug_draw(l->world, LW_DRAW_LINKS, lw_agent_id_none(), &draw);
  return counted;
}

static void disabled_links_are_drawn_thin(void **state) {
  const link_level *l = *state;
  const lw_link_def def = link_level_link(LW_LINK_DOOR, NULL, 7, 13, 2);
  lw_link_id door;
  const drawn before = draw_links(l);
  assert_int_equal(before.thin, 0);
  assert_int_equal(lw_link_add(l->world, &def, &door, NULL), LW_OK);
  assert_int_equal(lw_link_enable(l->world, link_level_find(l, "jump"), false), LW_OK);
  link_level_apply(l);
  assert_int_equal(draw_links(l).thick, before.thick);
  const int one = draw_links(l).thin;
  assert_int_equal(3 * one, before.thick); /* one of four */
  assert_int_equal(lw_link_enable(l->world, door, false), LW_OK);
  link_level_apply(l);
  assert_int_equal(draw_links(l).thin, 2 * one);
}

/* --- permutations ----------------------------------------------------------------------------------------- */

static lw_status define(const link_level *l, const char *name, const char *link, lw_error *error) {
  const lw_permutation_link off = {link, false}, on = {link, true};
  const lw_permutation_state_def states[] = {{.name = "stopped", .links = &off, .link_count = 1},
                                             {.name = "running", .links = &on, .link_count = 1}};
  lw_permutation_def def = lw_permutation_def_default();
  def.name = name;
  def.states = states;
  def.state_count = 2;
  return lw_permutation_define(l->world, &def, error);
}

static void a_link_is_used_if_nobody_bars_it(void **state) {
  const link_level *l = *state;
  const lw_link_id jump = link_level_find(l, "jump");
  lw_error error;
  assert_int_equal(define(l, "a", "jump", NULL), LW_OK);
  assert_int_equal(define(l, "b", "jump", NULL), LW_OK);
  link_level_apply(l);
  assert_true(link_level_info(l, jump).is_barred && !link_level_info(l, jump).is_used &&
              link_level_info(l, jump).is_enabled);
  assert_int_equal(lw_permutation_set(l->world, "a", "running", NULL), LW_OK);
  link_level_apply(l);
  assert_false(link_level_info(l, jump).is_used);
  assert_int_equal(lw_link_enable(l->world, jump, false), LW_OK);
  assert_int_equal(lw_permutation_set(l->world, "b", "running", NULL), LW_OK);
  link_level_apply(l);
  assert_false(link_level_info(l, jump).is_used || link_level_info(l, jump).is_barred);
  assert_int_equal(lw_link_enable(l->world, jump, true), LW_OK);
  link_level_apply(l);
  assert_true(link_level_info(l, jump).is_used);
  assert_int_equal(define(l, "c", "lift", &error), LW_NOT_FOUND);
  assert_string_equal(error.text, "state 'stopped': the world has no link 'lift'");
  /* One that is added later is barred like those that were there. */
  assert_int_equal(lw_permutation_set(l->world, "a", "stopped", NULL), LW_OK);
  const lw_link_def def = link_level_link(LW_LINK_JUMP, "jump", 7, 12, 2);
  lw_link_id added;
  assert_int_equal(lw_link_add(l->world, &def, &added, NULL), LW_OK);
  assert_true(link_level_info(l, added).is_barred);
}

/* --- saved ------------------------------------------------------------------------------------------------ */

static void restore_agents(lw_world *world, const lw_saved *saved, const lw_profile *profile) {
  for (int i = 0; i < lw_saved_agent_count(saved); i++) {
    lw_saved_agent from;
    lw_agent_id id;
    assert_int_equal(lw_saved_get_agent(saved, i, &from), LW_OK);
    lw_agent_def def = lw_agent_def_default();
    def.profile = profile;
    def.at = from.at;
    def.navmesh = from.navmesh;
    assert_int_equal(lw_agent_spawn(world, &def, &id, NULL), LW_OK);
    assert_int_equal(lw_agent_restore(world, id, saved, i), LW_OK);
  }
}

static void change_much(link_level *l, lw_link_id *added) {
  lw_link_def def = link_level_link(LW_LINK_LADDER, "pole", 7, 13, 2);
  lw_link_id gone;
  assert_int_equal(lw_link_enable(l->world, link_level_find(l, "jump"), false), LW_OK);
  assert_int_equal(lw_link_set_cost(l->world, link_level_find(l, "back"), 2), LW_OK);
  assert_int_equal(lw_link_set_capacity(l->world, link_level_find(l, "back"), 3), LW_OK);
  assert_int_equal(lw_link_add(l->world, &def, &gone, NULL), LW_OK);
  assert_int_equal(lw_link_add(l->world, &def, added, NULL), LW_OK);
  assert_int_equal(lw_link_remove(l->world, gone), LW_OK);
  assert_int_equal(define(l, "ladder", "ladder", NULL), LW_OK);
  for (int i = 0; i < CLIMBERS; i++) link_level_send(l, 5 - (float)i * 0.4f, 2, 15);
  link_level_step(l, 60);
  l->told.holds = true;
  link_level_step(l, 60);
}

static void a_saved_world_goes_on_bit_for_bit(void **state) {
  link_level *l = *state;
  char name[] = "/tmp/links_XXXXXX";
  lw_link_id pole;
  lw_saved *saved;
  lw_error error = {.text = ""};
  temp_file_make(name);
  change_much(l, &pole);
  assert_true(link_level_info(l, pole).waiting > 1);
  assert_int_equal(link_level_info(l, pole).users, 1);
  assert_int_equal(lw_link_enable(l->world, link_level_find(l, "jump"), true), LW_OK); /* not applied */
  assert_int_equal(lw_world_save(l->world, name, NULL), LW_OK);
  link_level other = *l;
  other.world = link_level_world(l);
  assert_int_equal(define(&other, "ladder", "ladder", NULL), LW_OK);
  if (lw_saved_open(name, NULL, &saved, &error) != LW_OK) fail_msg("%s", error.text);
  if (lw_world_restore(other.world, saved, &error) != LW_OK) fail_msg("%s", error.text);
  restore_agents(other.world, saved, l->profile);
  if (lw_world_restore_trees(other.world, saved, &error) != LW_OK) fail_msg("%s", error.text); /* and keys */
  assert_int_equal(lw_world_hash(other.world), lw_world_hash(l->world));
  assert_int_equal(link_level_info(&other, link_level_find(&other, "pole")).waiting,
                   link_level_info(l, pole).waiting);
  for (int i = 0; i < 900; i++) {
    link_level_step(l, 1);
    link_level_step(&other, 1);
    if (i % 60 == 59)
      for (int k = 0; k < 2; k++) {
        lw_world *world = k == 0 ? l->world : other.world;
        for (lw_agent_id id = lw_agent_id_none(); !lw_agent_id_is_none(id = lw_agent_next(world, id));)
          lw_agent_finish_link(world, id);
      }
    if (lw_world_hash(other.world) != lw_world_hash(l->world)) fail_msg("they differ after %d steps", i);
  }
  assert_int_equal(link_level_info(l, pole).waiting, 0);
  lw_saved_destroy(saved);
  lw_world_destroy(other.world);
  remove(name);
}

int main(void) {
#define LEVEL_TEST(name) cmocka_unit_test_setup_teardown(name, link_level_open, link_level_close)
  const struct CMUnitTest tests[] = {
      LEVEL_TEST(baked_links_have_ids_and_names),
      LEVEL_TEST(names_are_kept_in_the_navmeshs_file),
      LEVEL_TEST(a_disabled_link_is_not_used_from_the_next_step_on),
      LEVEL_TEST(a_price_is_paid_beside_the_length),
      LEVEL_TEST(links_are_added_and_removed),
      LEVEL_TEST(bad_links_are_refused_with_the_reason),
      LEVEL_TEST(a_link_waits_for_the_ground_at_its_end),
      LEVEL_TEST(disabled_links_are_drawn_thin),
      LEVEL_TEST(a_link_is_used_if_nobody_bars_it),
      LEVEL_TEST(a_saved_world_goes_on_bit_for_bit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
