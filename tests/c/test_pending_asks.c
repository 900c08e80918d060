/* What was asked about threats since the last step: it counts whoever asked, and neither saving nor loading changes it. */
#include "cover_scene.h"
#include "leeward/leeward.h"
#include "sight_scene.h"
#include "temp_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

static cover_scene scene;
static char file[] = "/tmp/leeward_asks_XXXXXX";

static int open_scene(void **state) {
  scene_open(state);
  scene = cover_begin((lw_vec3){0});
  cover_add_box(&scene, (lw_vec3){9.3f, 0, 10.1f}, (lw_vec3){1.1f, 2, 4.3f}, 0.3f, LW_COVER_DEFAULT);
  cover_add_box(&scene, (lw_vec3){14.7f, 0, 5.2f}, (lw_vec3){2.1f, 2, 1.7f}, 1.1f, LW_COVER_DEFAULT);
  cover_bake(&scene);
  temp_file_make(file);
  return 0;
}

static int close_scene(void **state) {
  cover_end(&scene);
  unlink(file);
  return scene_close(state);
}

static lw_world *new_world(void) {
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  def.navmesh = scene.mesh;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  return world;
}

static const lw_vec3 eye = {5.1f, 1.6f, 9.7f}, other_eye = {16.3f, 1.6f, 12.9f};

/* Metres that an eye sees, of `count` segments together. */
static double ask(const lw_world *world, lw_workspace *workspace, lw_vec3 from, int count,
                  lw_accuracy accuracy) {
  double sum = 0;
  for (int i = 0; i < count; i++) {
    const lw_vec3 begin = {11 + 0.07f * (float)(i % 97), 0, 1}, end = {12 + 0.07f * (float)(i % 89), 0, 18};
    sum += (double)sight_exposed(world, workspace, from, begin, end, accuracy);
  }
  return sum;
}

#define MANY (LW_BUSY_SEGMENTS + 100)
#define FEW 100

static double ask_auto(const lw_world *world, lw_vec3 from, int count) {
  return ask(world, NULL, from, count, LW_ACCURACY_AUTO);
}

static double ask_exactly(const lw_world *world, lw_vec3 from) {
  return ask(world, NULL, from, FEW, LW_ACCURACY_EXACT);
}

static void step(lw_world *world) {
  assert_int_equal(lw_world_step(world, 0.1f), LW_OK);
}

static void restore(lw_world *world) {
  lw_saved *saved;
  assert_int_equal(lw_saved_open(file, NULL, &saved, NULL), LW_OK);
  assert_int_equal(lw_world_restore(world, saved, NULL), LW_OK);
  lw_saved_destroy(saved);
}

static void a_restored_world_answers_as_the_saved_one_whatever_was_asked_before(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) { /* saved without a busy threat, with the same one, with another */
    lw_world *world = new_world(), *fresh = new_world(), *saved = new_world();
    lw_workspace *workspace = lw_workspace_create(world);
    if (k > 0) ask_auto(saved, k == 1 ? eye : other_eye, MANY);
    step(saved);
    assert_int_equal(lw_world_save(saved, file, NULL), LW_OK);
    ask_auto(world, eye, MANY);
    step(world);
    const double by_map = ask(world, workspace, eye, MANY, LW_ACCURACY_AUTO);
    assert_true(by_map != ask(world, NULL, eye, MANY, LW_ACCURACY_EXACT));
    ask_auto(world, eye, MANY);
    restore(world);
    restore(fresh);
    for (int i = 0; i < 3; i++) {
      for (int of = 0; of < 2; of++) {
        const lw_vec3 at = of ? other_eye : eye;
        const double expected = ask_auto(fresh, at, FEW);
        assert_true(ask(world, of ? NULL : workspace, at, FEW, LW_ACCURACY_AUTO) == expected);
        assert_true((expected == ask_exactly(fresh, at)) == (k != 1 + of));
      }
      step(world);
      step(fresh);
    }
    lw_workspace_destroy(workspace);
    lw_world_destroy(world);
    lw_world_destroy(fresh);
    lw_world_destroy(saved);
  }
}

static void what_was_asked_before_saving_counts_after_loading(void **state) {
  (void)state;
  lw_world *world = new_world(), *loaded = new_world();
  lw_workspace *workspace = lw_workspace_create(world);
  ask_auto(world, eye, MANY / 2);
  ask(world, workspace, eye, MANY / 2, LW_ACCURACY_AUTO);
  assert_int_equal(lw_world_save(world, file, NULL), LW_OK);
  restore(loaded);
  step(world);
  step(loaded);
  const double seen = ask_auto(world, eye, FEW);
  assert_true(seen != ask_exactly(world, eye));
  assert_true(ask_auto(loaded, eye, FEW) == seen);
  lw_workspace_destroy(workspace);
  lw_world_destroy(world);
  lw_world_destroy(loaded);
}

static void saving_changes_no_later_answer(void **state) {
  (void)state;
  lw_world *plain = new_world(), *saving = new_world();
  for (int i = 0; i < 40; i++) {
    for (int k = 0; k < 4; k++) { /* eyes that pass each other in different orders */
      lw_vec3 at = eye;
      at.x += 0.05f * (float)((i * (k + 2)) % 7);
      at.z += 0.06f * (float)((i + 3 * k) % 5);
      const double seen = ask_auto(plain, at, LW_BUSY_SEGMENTS / 3);
      assert_true(ask_auto(saving, at, LW_BUSY_SEGMENTS / 3) == seen);
      assert_int_equal(lw_world_save(saving, file, NULL), LW_OK);
    }
    step(plain);
    step(saving);
  }
  lw_world_destroy(plain);
  lw_world_destroy(saving);
}

static void what_a_destroyed_workspace_asked_counts(void **state) {
  (void)state;
  lw_world *world = new_world();
  for (int i = 0; i < 5; i++) {
    lw_workspace *workspace = lw_workspace_create(world);
    ask(world, workspace, eye, MANY / 5, LW_ACCURACY_AUTO);
    lw_workspace_destroy(workspace);
  }
  assert_true(ask_auto(world, eye, FEW) == ask_exactly(world, eye));
  step(world);
  assert_true(ask_auto(world, eye, FEW) != ask_exactly(world, eye));
  lw_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_restored_world_answers_as_the_saved_one_whatever_was_asked_before),
      cmocka_unit_test(what_was_asked_before_saving_counts_after_loading),
      cmocka_unit_test(saving_changes_no_later_answer),
      cmocka_unit_test(what_a_destroyed_workspace_asked_counts),
  };
  return cmocka_run_group_tests(tests, open_scene, close_scene);
}
