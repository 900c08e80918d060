/* A saved world: what is restored, and that damaged files are refused. */
#include "core/hash.h"
#include "core/random.h"
#include "core/vec3.h"
#include "grid_mesh.h"
#include "save_scene.h"
#include "temp_file.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Ids of two worlds differ in the world that they name alone. */
#define SAME_IN_WORLDS(a, b)                                                                                   \
  ((a).slot == (b).slot && (a).generation == (b).generation && (a).world != (b).world)

/* The agents of the file, with this profile and moved by this much. */
static void restore_as(const level *l, lw_world *world, const lw_profile *profile, float away) {
  lw_saved *saved;
  lw_error error;
  if (lw_saved_open(save_scene_file, NULL, &saved, &error) != LW_OK) fail_msg("%s", error.text);
  assert_int_equal(lw_world_restore(world, saved, NULL), LW_OK);
  for (int i = 0; i < lw_saved_agent_count(saved); i++) {
    lw_saved_agent from;
    assert_int_equal(lw_saved_get_agent(saved, i, &from), LW_OK);
    lw_agent_def def = lw_agent_def_default();
    lw_agent_id agent;
    assert_string_equal(from.profile, "human");
    assert_string_equal(from.tree, "");
    def.profile = profile;
    if (from.has_unnamed_tree) def.tree = l->tree;
    def.at = from.at;
    def.at.z += away;
    def.team = from.team;
    assert_int_equal(lw_agent_spawn(world, &def, &agent, NULL), LW_OK);
    assert_int_equal(lw_agent_restore(world, agent, saved, i), LW_OK);
  }
  lw_saved_agent none;
  assert_int_equal(lw_saved_get_agent(saved, -1, &none), LW_NOT_FOUND);
  assert_int_equal(lw_saved_get_agent(saved, 5, &none), LW_NOT_FOUND);
  assert_int_equal(lw_agent_restore(world, lw_agent_next(world, lw_agent_id_none()), saved, 5), LW_NOT_FOUND);
  assert_int_equal(lw_agent_restore(world, (lw_agent_id){.slot = 12345}, saved, 0), LW_STALE);
  assert_int_equal(lw_world_restore_trees(world, saved, NULL), LW_OK);
  lw_saved_destroy(saved);
}

static void restore(const level *l, lw_world *world) {
  restore_as(l, world, l->profile, 0);
}

static void compare_worlds(lw_world *a, lw_world *b, float near) {
  assert_true(lw_world_time(a) == lw_world_time(b));
  assert_true(lw_world_steps(a) == lw_world_steps(b));
  assert_int_equal(lw_world_agent_count(a), lw_world_agent_count(b));
  lw_agent_id i = lw_agent_next(a, lw_agent_id_none()), k = lw_agent_next(b, lw_agent_id_none());
  for (; !lw_agent_id_is_none(i); i = lw_agent_next(a, i), k = lw_agent_next(b, k)) {
    lw_agent_state x, y;
    assert_int_equal(lw_agent_get_state(a, i, &x), LW_OK);
    assert_int_equal(lw_agent_get_state(b, k, &y), LW_OK);
    assert_true(lwi_distance(x.position, y.position) <= near);
    assert_float_equal(x.heading, y.heading, 0.05);
    assert_int_equal(x.move, y.move);
    assert_int_equal(x.pace, y.pace);
    assert_int_equal(x.user, y.user);
    assert_string_equal(x.team, y.team);
    if (x.move == LW_MOVE_WALKING) assert_memory_equal(&x.goal, &y.goal, sizeof x.goal);
    assert_true(lw_random_unit(lw_agent_random_stream(a, i)) == lw_random_unit(lw_agent_random_stream(b, k)));
  }
}

static void a_loaded_world_continues_as_the_saved_one(void **state) {
  level *l = *state;
  lw_world *world = save_scene_world(l->mesh);
  lw_agent_def def = lw_agent_def_default();
  lw_agent_id agent;
  def.profile = l->profile;
  assert_int_equal(lw_agent_spawn(world, &def, &agent, NULL), LW_OK); /* goes */
  restore(l, world);
  for (int i = 0; i < 900; i++) {
    if (i % 100 == 0) compare_worlds(l->world, world, 0.01f + 1e-4f * (float)i);
    lw_danger_id a = lw_danger_next(l->world, lw_danger_id_none()),
                 b = lw_danger_next(world, lw_danger_id_none());
    lw_fire_lane_id c = lw_fire_lane_next(l->world, lw_fire_lane_id_none()),
                    d = lw_fire_lane_next(world, lw_fire_lane_id_none());
    lw_danger_state x, y;
    lw_fire_lane_state v, w;
    assert_true(SAME_IN_WORLDS(a, b) && SAME_IN_WORLDS(c, d));
    assert_int_equal(lw_danger_get_state(l->world, a, &x), LW_OK);
    assert_int_equal(lw_danger_get_state(world, b, &y), LW_OK);
    assert_true(x.value == y.value && x.since == y.since);
    assert_int_equal(lw_fire_lane_get_state(l->world, c, &v), LW_OK);
    assert_int_equal(lw_fire_lane_get_state(world, d, &w), LW_OK);
    assert_true(v.seconds == w.seconds);
    assert_int_equal(lw_world_step(l->world, 1.0f / 60), LW_OK);
    assert_int_equal(lw_world_step(world, 1.0f / 60), LW_OK);
  }
  assert_true(lw_random_unit(lw_world_random_stream(l->world)) ==
              lw_random_unit(lw_world_random_stream(world)));
  lw_danger_def danger = lw_danger_def_default();
  lw_danger_id a, b;
  assert_int_equal(lw_danger_add(l->world, &danger, &a, NULL), LW_OK);
  assert_int_equal(lw_danger_add(world, &danger, &b, NULL), LW_OK);
  assert_true(SAME_IN_WORLDS(a, b)); /* the next id is the same, too */
  lw_world_destroy(world);
}

static void saving_what_was_loaded_gives_the_same_file(void **state) {
  level *l = *state;
  lw_world *world = save_scene_world(l->mesh);
  restore(l, world);
  assert_true(lw_world_hash(world) == lw_world_hash(l->world));
  assert_int_equal(lw_world_save(world, save_scene_file, NULL), LW_OK);
  file_bytes again = file_read(save_scene_file);
  assert_int_equal(again.size, l->size);
  assert_memory_equal(again.data, l->data, l->size);
  free(again.data);
  lw_world_destroy(world);
}

static void known_threats_and_reserved_cover_come_back_with_their_ids(void **state) {
  level *l = *state;
  lw_world *world = save_scene_world(l->mesh);
  lw_threat_def def = lw_threat_def_default();
  lw_threat_id later, gone;
  lw_threat_state a, b;
  lw_vec3 at;
  float leash;
  assert_int_equal(lw_threat_add(world, &def, &gone, NULL), LW_OK);
  restore(l, world);
  lw_agent_id first = lw_agent_next(world, lw_agent_id_none()), second = lw_agent_next(world, first),
              third = lw_agent_next(world, second);
  assert_int_equal(lw_threat_count(world), 2);
  const lw_threat_id eye = lw_threat_next(world, lw_threat_id_none()), learned = lw_threat_next(world, eye);
  assert_true(SAME_IN_WORLDS(eye, l->eye) && SAME_IN_WORLDS(learned, l->learned));
  assert_int_equal(lw_threat_get_state(l->world, l->learned, &a), LW_OK);
  assert_int_equal(lw_threat_get_state(world, learned, &b), LW_OK);
  assert_memory_equal(&a.threat, &b.threat, sizeof a.threat);
  assert_true(a.tolerance == b.tolerance && b.known_to == NULL && lw_agent_id_is_none(b.agent));
  assert_int_equal(lw_threat_get_state(world, eye, &b), LW_OK);
  assert_string_equal(b.known_to, "blue");
  assert_true(lw_agent_id_equal(b.agent, second));
  assert_true(lw_agent_knows_threat(world, third, learned));
  assert_false(lw_agent_knows_threat(world, second, learned));
  assert_int_equal(lw_agent_get_threats(world, second, NULL, 0), 1); /* what it believes */
  assert_int_equal(lw_agent_get_cover(world, first, &at, &leash), LW_OK);
  assert_true(leash == 7);
  assert_true(lwi_distance(at, lwi_vec3(4, 0, 12)) == 0);
  assert_int_equal(lw_agent_reserve_cover(world, third, lwi_vec3(38, 0, 9), LW_COVER_LEASH), LW_TAKEN);
  char why[512];
  lw_agent_why(world, first, why, sizeof why);
  assert_non_null(strstr(why, "it did not want to"));
  /* No later id is one that there was. */
  assert_int_equal(lw_threat_add(world, &def, &later, NULL), LW_OK);
  assert_false(lw_threat_id_equal(later, gone) || lw_threat_id_equal(later, eye) ||
               lw_threat_id_equal(later, learned));
  restore(l, world);
  assert_int_equal(lw_threat_get_state(world, later, &b), LW_STALE);
  lw_threat_id last;
  assert_int_equal(lw_threat_add(world, &def, &last, NULL), LW_OK);
  assert_int_equal(lw_threat_get_state(world, later, &b), LW_STALE);
  lw_world_destroy(world);
}

static void a_threat_whose_agent_is_not_loaded_is_removed(void **state) {
  level *l = *state;
  lw_world *world = save_scene_world(l->mesh);
  lw_saved *saved;
  lw_threat_state threat;
  assert_int_equal(lw_saved_open(save_scene_file, NULL, &saved, NULL), LW_OK);
  assert_int_equal(lw_world_restore(world, saved, NULL), LW_OK);
  const lw_threat_id eye = lw_threat_next(world, lw_threat_id_none()), learned = lw_threat_next(world, eye);
  assert_int_equal(lw_threat_get_state(world, eye, &threat), LW_OK); /* as it was, until then */
  assert_int_equal(lw_world_step(world, 1.0f / 60), LW_OK);
  assert_int_equal(lw_threat_get_state(world, eye, &threat), LW_STALE);
  assert_int_equal(lw_threat_get_state(world, learned, &threat), LW_OK);
  lw_saved_destroy(saved);
  lw_world_destroy(world);
}

static void agents_with_another_profile_or_place_replan(void **state) {
  level *l = *state;
  lw_profile_def def = lw_profile_def_default();
  lw_profile *other;
  def.area_factor[1] = 2;
  assert_int_equal(lw_profile_create(&def, l->areas, &other, NULL), LW_OK);
  for (int i = 0; i < 2; i++) {
    lw_world *world = save_scene_world(l->mesh);
    restore_as(l, world, i ? other : l->profile, i ? 0 : 0.5f);
    lw_agent_id a = lw_agent_next(l->world, lw_agent_next(l->world, lw_agent_id_none())),
                b = lw_agent_next(world, lw_agent_next(world, lw_agent_id_none()));
    lw_agent_state was, is;
    assert_int_equal(lw_agent_get_state(l->world, a, &was), LW_OK);
    assert_int_equal(lw_agent_get_state(world, b, &is), LW_OK);
    assert_int_equal(was.move, LW_MOVE_WALKING);
    assert_int_equal(is.move, LW_MOVE_WALKING);
    assert_int_equal(is.next_point, 1);
    assert_memory_equal(&was.goal, &is.goal, sizeof was.goal);
    assert_float_equal(is.position.z, was.position.z + (i ? 0 : 0.5f), 0.01);
    if (i) assert_true(lw_path_cost(lw_agent_path(world, b)) > 2 * lw_path_length(lw_agent_path(world, b)));
    lw_world_destroy(world);
  }
  lw_profile_destroy(other);
}

/* A file with the first `count` sections of ours. */
static void write_sections(const level *l, unsigned count) {
  static unsigned char data[SAVE_SCENE_SIZE_MAX];
  memcpy(data, l->data, l->size);
  size_t at = SAVE_SCENE_HEAD;
  for (unsigned i = 0; i < count; i++) {
    uint64_t size = 0;
    for (int k = 0; k < 8; k++) size |= (uint64_t)data[at + 8 + (size_t)k] << 8 * k;
    at += 16 + (size_t)size;
  }
  uint64_t hash = lwi_hash(LWI_HASH_SEED, data + SAVE_SCENE_HEAD, at - SAVE_SCENE_HEAD);
  for (int k = 0; k < 8; k++) {
    data[16 + k] = (unsigned char)((uint64_t)at >> 8 * k);
    data[24 + k] = (unsigned char)(hash >> 8 * k);
  }
  data[12] = (unsigned char)count;
  file_write(save_scene_file, data, at);
}

static void files_with_fewer_sections_load(void **state) {
  level *l = *state;
  for (unsigned count = 6; count < 11; count++) {
    lw_world *world = save_scene_world(l->mesh);
    write_sections(l, count);
    restore(l, world);
    lw_agent_id a = lw_agent_next(l->world, lw_agent_next(l->world, lw_agent_id_none())),
                b = lw_agent_next(world, lw_agent_next(world, lw_agent_id_none()));
    lw_agent_state was, is;
    assert_int_equal(lw_agent_get_state(l->world, a, &was), LW_OK);
    assert_int_equal(lw_agent_get_state(world, b, &is), LW_OK);
    assert_true(lwi_distance(was.position, is.position) < 0.01f);
    assert_int_equal(is.move, LW_MOVE_WALKING);
    assert_int_equal(is.next_point, count < 10 ? 1 : was.next_point);
    assert_int_equal(lw_threat_count(world), count < 9 ? 0 : 2);
    assert_int_equal(lw_world_step(world, 1.0f / 60), LW_OK);
    lw_world_destroy(world);
  }
}

static void a_file_of_another_navmesh_is_refused_and_the_world_stays(void **state) {
  level *l = *state;
  lw_world *world = save_scene_world(l->other);
  lw_danger_def danger = lw_danger_def_default();
  lw_danger_id id;
  lw_saved *saved;
  lw_error error;
  assert_int_equal(lw_danger_add(world, &danger, &id, NULL), LW_OK);
  assert_int_equal(lw_saved_open(save_scene_file, NULL, &saved, NULL), LW_OK);
  assert_int_equal(lw_world_restore(world, saved, &error), LW_BAD_FILE);
  assert_non_null(strstr(error.text, "it was saved over other navmeshes than the world's"));
  assert_int_equal(lw_danger_count(world), 1);
  assert_true(lw_world_time(world) == 0);
  lw_saved_destroy(saved);
  lw_world_destroy(world);
}

/* @return A text of this length. The caller frees it. */
static char *text_of(size_t length, char letter) {
  char *text = malloc(length + 1);
  assert_non_null(text);
  memset(text, letter, length);
  text[length] = 0;
  return text;
}

/* Every name that is saved, as long as it may be; longer ones never get into a world. */
static void the_longest_names_come_back(void **state) {
  const level *l = *state;
  char *profile_name = text_of(63, 'p'), *tree_name = text_of(63, 't'), *team = text_of(31, 'm'),
       *stance = text_of(31, 's'), *reason = text_of(1000, 'r');
  lw_profile_def def = lw_profile_def_default();
  lw_profile *profile;
  lw_tree *tree;
  lw_node_def wait = {.kind = LW_WAIT, .wait_max = 1};
  def.name = profile_name;
  def.stances[2] = def.stances[1];
  strcpy(def.stances[2].name, stance);
  def.stance_count = 3;
  assert_int_equal(lw_profile_create(&def, l->areas, &profile, NULL), LW_OK);
  assert_int_equal(lw_tree_create(&(lw_tree_def){tree_name, &wait, 1, NULL}, &tree, NULL), LW_OK);
  lw_world *world = save_scene_world(l->mesh);
  lw_agent_def spawn = lw_agent_def_default();
  lw_agent_id agent;
  spawn.profile = profile;
  spawn.tree = tree;
  spawn.team = team;
  spawn.stance = stance;
  spawn.at = lwi_vec3(2, 0, 2);
  assert_int_equal(lw_agent_spawn(world, &spawn, &agent, NULL), LW_OK);
  assert_int_equal(lw_agent_set_reason(world, agent, reason), LW_OK);
  assert_int_equal(lw_world_set_visibility(world, team, 0.5f), LW_OK);
  lw_threat_def threat = lw_threat_def_default();
  lw_threat_id threat_id;
  threat.known_to = team;
  assert_int_equal(lw_threat_add(world, &threat, &threat_id, NULL), LW_OK);
  assert_int_equal(lw_world_save(world, save_scene_file, NULL), LW_OK);
  lw_saved *saved;
  lw_saved_agent from;
  lw_error error;
  if (lw_saved_open(save_scene_file, NULL, &saved, &error) != LW_OK) fail_msg("%s", error.text);
  assert_int_equal(lw_saved_get_agent(saved, 0, &from), LW_OK);
  assert_string_equal(from.profile, profile_name);
  assert_string_equal(from.tree, tree_name);
  assert_string_equal(from.team, team);
  assert_string_equal(from.stance, stance);
  lw_saved_destroy(saved);
  lw_world_destroy(world);
  lw_tree_destroy(tree);
  lw_profile_destroy(profile);
  free(profile_name), free(tree_name), free(team), free(stance), free(reason);
}

static void files_of_other_kinds_are_refused_by_name(void **state) {
  level *l = *state;
  lw_saved *saved;
  lw_error error;
  assert_int_equal(lw_saved_open("no/such/file.lws", NULL, &saved, &error), LW_FILE);
  file_write(save_scene_file, "something else", 14);
  assert_int_equal(lw_saved_open(save_scene_file, NULL, &saved, &error), LW_BAD_FILE);
  assert_non_null(strstr(error.text, "not a world"));
  file_write(save_scene_file, "", 0);
  assert_int_equal(lw_saved_open(save_scene_file, NULL, &saved, &error), LW_BAD_FILE);
  assert_int_equal(lw_world_save(l->world, "no/such/folder/x.lws", &error), LW_FILE);
  assert_non_null(strstr(error.text, "its folder does not exist"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_loaded_world_continues_as_the_saved_one, save_scene_open,
                                      save_scene_close),
      cmocka_unit_test_setup_teardown(saving_what_was_loaded_gives_the_same_file, save_scene_open,
                                      save_scene_close),
      cmocka_unit_test_setup_teardown(known_threats_and_reserved_cover_come_back_with_their_ids,
                                      save_scene_open, save_scene_close),
      cmocka_unit_test_setup_teardown(a_threat_whose_agent_is_not_loaded_is_removed, save_scene_open,
                                      save_scene_close),
      cmocka_unit_test_setup_teardown(agents_with_another_profile_or_place_replan, save_scene_open,
                                      save_scene_close),
      cmocka_unit_test_setup_teardown(files_with_fewer_sections_load, save_scene_open, save_scene_close),
      cmocka_unit_test_setup_teardown(a_file_of_another_navmesh_is_refused_and_the_world_stays, save_scene_open,
                                      save_scene_close),
      cmocka_unit_test_setup_teardown(the_longest_names_come_back, save_scene_open, save_scene_close),
      cmocka_unit_test_setup_teardown(files_of_other_kinds_are_refused_by_name, save_scene_open,
                                      save_scene_close),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
