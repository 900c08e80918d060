/* Files of a saved world with something of everything. Every flipped bit and every cut is refused; and where the
   checksum was repaired, each number in turn is what it should never be, and what loads runs on. */
#include "core/hash.h"
#include "core/random.h"
#include "file_faults.h"
#include "save_scene.h"
#include "temp_file.h"

#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define SEED 5u

static void every_flipped_bit_and_every_cut_is_refused(void **state) {
  level *l = *state;
  lw_saved *saved;
  static unsigned char data[SAVE_SCENE_SIZE_MAX + 1];
  int handle = open(save_scene_file, O_WRONLY);
  assert_true(handle >= 0);
  for (size_t i = 0; i < 8 * l->size; i++) {
    unsigned char byte = l->data[i / 8] ^ (unsigned char)(1u << i % 8);
    lw_error error = {0};
    assert_int_equal(pwrite(handle, &byte, 1, (off_t)(i / 8)), 1);
    assert_int_equal(lw_saved_open(save_scene_file, NULL, &saved, &error), LW_BAD_FILE);
    assert_null(saved);
    assert_non_null(strstr(error.text, save_scene_file));
    assert_int_equal(pwrite(handle, &l->data[i / 8], 1, (off_t)(i / 8)), 1);
  }
  for (size_t size = l->size; size-- > 0;) {
    assert_int_equal(ftruncate(handle, (off_t)size), 0);
    assert_int_equal(lw_saved_open(save_scene_file, NULL, &saved, NULL), LW_BAD_FILE);
  }
  close(handle);
  memcpy(data, l->data, l->size);
  data[l->size] = 0;
  file_write(save_scene_file, data, l->size + 1);
  assert_int_equal(lw_saved_open(save_scene_file, NULL, &saved, NULL), LW_BAD_FILE);
}

static void repair(unsigned char *data, size_t size) {
  const uint64_t hash = lwi_hash(LWI_HASH_SEED, data + SAVE_SCENE_HEAD, size - SAVE_SCENE_HEAD);
  for (int k = 0; k < 8; k++) data[24 + k] = (unsigned char)(hash >> 8 * k);
}

static bool is_finite(lw_vec3 v) {
  return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

/* The damage, for messages. */
static char damage[64];

/* Nothing of it is infinite, and what it is saved as can be loaded. */
static void check_world(const lw_world *world) {
  lw_agent_id id = lw_agent_id_none();
  assert_true(isfinite(lw_world_time(world)));
  while (!lw_agent_id_is_none(id = lw_agent_next(world, id))) {
    lw_agent_state agent;
    assert_int_equal(lw_agent_get_state(world, id, &agent), LW_OK);
    assert_true(is_finite(agent.position) && is_finite(agent.velocity) && isfinite(agent.heading));
  }
  lw_saved *saved;
  lw_error error;
  remove(save_scene_file);
  assert_int_equal(lw_world_save(world, save_scene_file, NULL), LW_OK);
  if (lw_saved_open(save_scene_file, NULL, &saved, &error) != LW_OK)
    fail_msg("%s, saved again: %s", damage, error.text);
  lw_saved_destroy(saved);
}

static void restore_agents(const level *l, lw_world *world, const lw_saved *saved) {
  for (int i = 0; i < lw_saved_agent_count(saved); i++) {
    lw_saved_agent from;
    lw_agent_def def = lw_agent_def_default();
    lw_agent_id agent;
    assert_int_equal(lw_saved_get_agent(saved, i, &from), LW_OK);
    def.profile = l->profile;
    def.at = from.at;
    if (from.has_unnamed_tree) def.tree = l->tree;
    if (lw_agent_spawn(world, &def, &agent, NULL) == LW_OK) lw_agent_restore(world, agent, saved, i);
  }
  lw_world_restore_trees(world, saved, NULL);
}

static void ask(const level *l, const lw_world *world) {
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  query.from = (lw_vec3){2, 0, 2};
  query.to = (lw_vec3){38, 0, 13};
  query.profile = l->profile;
  const lw_status status = lw_path_find(world, NULL, &query, &path);
  if (status == LW_NO_PATH || status == LW_NO_START || status == LW_NO_GOAL)
    return; /* behind a damaged obstacle */
  assert_int_equal(status, LW_OK);
  assert_true(isfinite(lw_path_cost(path)) && lw_path_cost(path) >= lw_path_length(path));
  lw_path_destroy(path);
}

/* @return Whether the file could be used. */
static bool use(const level *l, const unsigned char *data) {
  lw_saved *saved;
  lw_error error = {0};
  remove(save_scene_file); /* writing over it would wait for the device */
  file_write(save_scene_file, data, l->size);
  const lw_status status = lw_saved_open(save_scene_file, NULL, &saved, &error);
  if (status != LW_OK) {
    assert_int_equal(status, LW_BAD_FILE);
    assert_true(strlen(error.text) > 20);
    return false;
  }
  lw_world *world = save_scene_world(l->mesh);
  const bool restored = lw_world_restore(world, saved, NULL) == LW_OK;
  if (restored) {
    restore_agents(l, world, saved);
    for (int i = 0; i < 3; i++) assert_int_equal(lw_world_step(world, 1.0f / 60), LW_OK);
    ask(l, world);
    check_world(world);
  }
  lw_world_destroy(world);
  lw_saved_destroy(saved);
  return restored;
}

static void any_bytes_may_be_wrong(void **state) {
  const level *l = *state;
  lw_random random = lwi_random_make(SEED, 0);
  static unsigned char data[SAVE_SCENE_SIZE_MAX];
  int good = 0;
  for (int round = 0; round < 1000; round++) {
    memcpy(data, l->data, l->size);
    int changes = 1 + (int)(lwi_random_unit(&random) * 3);
    for (int k = 0; k < changes; k++) {
      size_t at = SAVE_SCENE_HEAD + (size_t)(lwi_random_bits(&random) % (l->size - SAVE_SCENE_HEAD));
      data[at] = round % 3 ? (unsigned char)lwi_random_bits(&random) : 0xff;
    }
    repair(data, l->size);
    good += use(l, data);
  }
  printf("note: seed %u: of 1000 damaged files with right checksums %d could be used\n", SEED, good);
  assert_in_range(good, 100, 900);
}

/* Numbers are packed, so that each may begin at any byte. Of the wrong ones every third is tried there, of the next byte the
   next third, so that over a record's many bytes and records all come to each kind of number. */
static void each_number_may_be_wrong(void **state) {
  static const uint64_t wide[] = {0x7ff8000000000000, 0x7ff0000000000000, 0xfff0000000000000,
                                  0xbff0000000000000, 0x7fe0000000000000, UINT64_MAX,
                                  INT64_MAX,          1ull << 63};
  static const uint32_t narrow[] = {0x7fc00000, 0x7f800000, 0xff800000, 0xbf800000, 0x7f7fffff, 0xff7fffff,
                                    0x60000000, 0,          1,          UINT32_MAX, INT32_MAX,  1u << 31};
  enum { WIDE = sizeof wide / sizeof *wide, NARROW = sizeof narrow / sizeof *narrow };
  const level *l = *state;
  static unsigned char data[SAVE_SCENE_SIZE_MAX];
  int good = 0, all = 0;
  support_faults.fast = true;
  for (size_t at = SAVE_SCENE_HEAD; at + 8 <= l->size; at++)
    for (int i = (int)(at % 3); i < WIDE + NARROW; i += 3) {
      memcpy(data, l->data, l->size);
      if (i < WIDE)
        memcpy(data + at, &wide[i], sizeof *wide);
      else
        memcpy(data + at, &narrow[i - WIDE], sizeof *narrow);
      repair(data, l->size);
      snprintf(damage, sizeof damage, "number %d at byte %zu", i, at);
      good += use(l, data);
      all += 1;
    }
  support_faults.fast = false;
  printf("note: of %d files with a wrong number %d could be used\n", all, good);
  assert_in_range(good, all / 10, all);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(every_flipped_bit_and_every_cut_is_refused, save_scene_open,
                                      save_scene_close),
      cmocka_unit_test_setup_teardown(any_bytes_may_be_wrong, save_scene_open, save_scene_close),
      cmocka_unit_test_setup_teardown(each_number_may_be_wrong, save_scene_open, save_scene_close),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
