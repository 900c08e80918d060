/* Files of a navmesh that has everything: tiles, detail, links, waters. Every flipped bit, truncation or
   overwrite is refused with a reason; and where the checksums were repaired, a file that loads answers every
   query. */
#include "bake_scene.h"
#include "damage.h"
#include "leeward/leeward.h"
#include "mesh/sections.h"
#include "sight/occluder.h"
#include "temp_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SEED 20240911

static lw_area_table *areas;
static char file_name[] = "/tmp/leeward_XXXXXX";
static unsigned char *good;
static size_t good_size;

static void add_hill(lw_geometry *geometry) {
  enum { SIDE = 12 };
  lw_vec3 vertices[SIDE * SIDE];
  int indices[(SIDE - 1) * (SIDE - 1) * 6], count = 0;
  for (int i = 0; i < SIDE * SIDE; i++)
    vertices[i] = (lw_vec3){(float)(i % SIDE) * 1.5f, (float)(i * 37 % 11) * 0.07f, (float)(i / SIDE) * 1.5f};
  for (int i = 0; i < SIDE * (SIDE - 1); i++) {
    if (i % SIDE == SIDE - 1) continue;
    const int corners[] = {i, i + SIDE, i + 1, i + 1, i + SIDE, i + SIDE + 1};
    memcpy(indices + count, corners, sizeof corners);
    count += 6;
  }
  lw_geometry_mesh mesh = {.vertices = vertices,
                           .vertex_count = SIDE * SIDE,
                           .indices = indices,
                           .triangle_count = count / 3,
                           .area = SCENE_GROUND};
  assert_int_equal(lw_geometry_add_mesh(geometry, &mesh, NULL), LW_OK);
}

static void add_cover(lw_geometry *geometry) {
  lw_geometry_box wall = {.at = {24, 1, 8}, .size = {0.4f, 1.8f, 6}, .area = LW_AREA_NONE};
  assert_int_equal(lw_geometry_add_box(geometry, &wall, NULL), LW_OK);
  lw_mark_def veto = lw_mark_def_default(LW_MARK_BOX);
  veto.at = (lw_vec3){24, 1, 6};
  veto.size = (lw_vec3){1, 1, 1};
  assert_int_equal(lw_geometry_forbid_cover(geometry, &veto, NULL), LW_OK);
  lw_cover_def hedge = lw_cover_def_default();
  hedge.from = (lw_vec3){20, 1, 2};
  hedge.to = (lw_vec3){22, 1, 2};
  assert_int_equal(lw_geometry_add_cover(geometry, &hedge, NULL), LW_OK);
}

static lw_geometry *level(void) {
  lw_geometry *geometry = scene_geometry(areas);
  add_hill(geometry);
  scene_add_floor(geometry, (lw_vec3){18, 1, 0}, 12, 16, SCENE_ROAD);
  lw_link_def link = lw_link_def_default();
  link.from = (lw_vec3){15, 0.3f, 8};
  link.to = (lw_vec3){20, 1, 8};
  link.bidirectional = true;
  assert_int_equal(lw_geometry_add_link(geometry, &link, NULL), LW_OK);
  link.to = (lw_vec3){80, 1, 8};
  assert_int_equal(lw_geometry_add_link(geometry, &link, NULL), LW_OK);
  static const lw_vec3 outline[] = {{0, 0, 0}, {6, 0, 0}, {6, 0, 6}, {0, 0, 6}};
  lw_water_def water = lw_water_def_default();
  water.points = outline;
  water.point_count = 4;
  water.level = 0.3f;
  water.shallow = water.deep = SCENE_ROAD;
  lw_error error = {0};
  if (lw_geometry_add_water(geometry, &water, &error)) fail_msg("%s", error.text);
  add_cover(geometry);
  return geometry;
}

static int open_file(void **state) {
  (void)state;
  areas = scene_areas();
  lw_geometry *geometry = level();
  lw_bake_settings settings = lw_bake_settings_default();
  settings.tile_size = 10;
  settings.agent_radius = 0.3f;
  settings.min_region_area = 0.5f;
  settings.cover.map = true;
  settings.visibility_table_range = 60;
  lw_navmesh *mesh = scene_bake(geometry, &settings, NULL);
  temp_file_make(file_name);
  assert_int_equal(lw_navmesh_save(mesh, file_name, NULL), LW_OK);
  lw_navmesh_destroy(mesh);
  lw_geometry_destroy(geometry);
  const file_bytes saved = file_read(file_name);
  good = saved.data;
  good_size = saved.size;
  return 0;
}

static int close_file(void **state) {
  (void)state;
  remove(file_name);
  free(good);
  lw_area_table_destroy(areas);
  return 0;
}

static void assert_refused(const unsigned char *data, size_t size, const char *how, size_t where) {
  lw_navmesh *mesh;
  lw_error error = {0};
  file_write(file_name, data, size);
  lw_status status = lw_navmesh_load(file_name, areas, NULL, &mesh, &error);
  if (status != LW_BAD_FILE || mesh || strlen(error.text) < 20)
    fail_msg("%s at %zu: %s, '%s'", how, where, lw_status_name(status), error.text);
}

static void the_sample_file_fills_every_section(void **state) {
  (void)state;
  size_t begin, size;
  const char *name;
  for (int i = 0; (name = damage_section(good, i, &begin, &size)); i++)
    if (size == 0 && strcmp(name, "old distances from landmarks") != 0) fail_msg("section '%s' is empty", name);
}

static lwi_occluder_node read_occluder_root(size_t *begin) {
  size_t size = 0;
  lwi_occluder_node root;
  for (int i = 0;; i++) {
    const char *name = damage_section(good, i, begin, &size);
    assert_non_null(name);
    if (strcmp(name, "occluder nodes") == 0) break;
  }
  memcpy(&root, good + *begin, sizeof root);
  return root;
}

static void assert_root_refused(const lwi_occluder_node *root, size_t begin, const char *how) {
  unsigned char *bad = malloc(good_size);
  assert_non_null(bad);
  memcpy(bad, good, good_size);
  memcpy(bad + begin, root, sizeof *root);
  damage_repair(bad, good_size);
  assert_refused(bad, good_size, how, begin);
  free(bad);
}

/* Else a file of 42 nodes, each four times the child of the one before, would take years to look through. */
static void occluder_nodes_that_share_a_child_are_refused(void **state) {
  (void)state;
  size_t begin = 0;
  lwi_occluder_node root = read_occluder_root(&begin);
  assert_true(root.children[1] != LWI_OCCLUDER_NONE);
  root.children[1] = root.children[0];
  assert_root_refused(&root, begin, "a shared child");
}

static void occluder_nodes_whose_boxes_numbers_do_not_hold_are_refused(void **state) {
  (void)state;
  size_t begin = 0;
  lwi_occluder_node root = read_occluder_root(&begin);
  for (int axis = 0; axis < 3; axis++) {
    lwi_occluder_node bad = root;
    bad.origin[axis] = INT32_MAX;
    bad.step[axis] = 1;
    assert_root_refused(&bad, begin, "a box beyond INT32_MAX");
  }
}

static void flips(size_t begin, size_t size, int count, lw_random *random) {
  for (int i = 0; i < count; i++) {
    size_t bit = begin * 8 + (size_t)(lwi_random_unit_double(random) * 8 * (double)size);
    good[bit / 8] ^= (unsigned char)(1u << bit % 8);
    assert_refused(good, good_size, "a flipped bit", bit);
    good[bit / 8] ^= (unsigned char)(1u << bit % 8);
  }
}

static void a_flipped_bit_in_any_section_is_refused(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 0);
  for (size_t bit = 0; bit < damage_head_size() * 8; bit++) {
    good[bit / 8] ^= (unsigned char)(1u << bit % 8);
    assert_refused(good, good_size, "a flipped bit", bit);
    good[bit / 8] ^= (unsigned char)(1u << bit % 8);
  }
  size_t begin, size;
  for (int i = 0; damage_section(good, i, &begin, &size); i++) {
    flips(begin, size, 150, &random);
    /* And what lies between the sections. */
    size_t end = begin + size,
           next = (end + LWI_SECTION_ALIGNMENT - 1) / LWI_SECTION_ALIGNMENT * LWI_SECTION_ALIGNMENT;
    if (next > end) flips(end, next - end, 10, &random);
  }
}

static void a_file_cut_short_or_too_long_is_refused(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 1);
  for (int i = 0; i < 1000; i++) {
    size_t cut = i < 500 ? (size_t)i : (size_t)(lwi_random_unit_double(&random) * (double)good_size);
    assert_refused(good, cut, "a cut", cut);
  }
  unsigned char *more = calloc(1, good_size + 64);
  memcpy(more, good, good_size);
  for (size_t size = good_size + 1; size <= good_size + 64; size++)
    assert_refused(more, size, "more bytes", size);
  free(more);
}

static void other_files_and_parts_of_this_one_are_refused(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 2);
  unsigned char *data = malloc(good_size);
  for (int i = 0; i < 1000; i++) {
    memcpy(data, good, good_size);
    size_t from = (size_t)(lwi_random_unit_double(&random) * (double)good_size);
    size_t to = (size_t)(lwi_random_unit_double(&random) * (double)good_size);
    size_t size = 1 + (size_t)(lwi_random_unit(&random) * 200);
    if (from + size > good_size || to + size > good_size) continue;
    memcpy(data + to, good + from, size); /* a piece written to another place */
    if (memcmp(data, good, good_size) != 0) assert_refused(data, good_size, "a piece of another place", to);
  }
  for (int i = 0; i < 200; i++) {
    for (size_t k = 0; k < good_size; k++) data[k] = (unsigned char)(lwi_random_unit(&random) * 256);
    if (i % 2) memcpy(data, good, 8 + (size_t)i); /* begins well */
    assert_refused(data, good_size, "noise", 0);
  }
  free(data);
}

/* What the fuzzer does, a little of it in every run. */
static void a_file_with_repaired_checksums_is_refused_or_answers_every_query(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 3);
  unsigned char *data = malloc(good_size);
  int loaded = 0, refused = 0;
  for (int i = 0; i < 1500; i++) {
    memcpy(data, good, good_size);
    int changes = 1 + i % 4;
    for (int k = 0; k < changes; k++) damage_number(data, i % 8 ? damage_head_size() : 0, good_size, &random);
    damage_repair(data, good_size);
    file_write(file_name, data, good_size);
    lw_navmesh *mesh;
    lw_error error = {0};
    lw_status status = lw_navmesh_load(file_name, areas, NULL, &mesh, &error);
    if (status != LW_OK) {
      assert_true(strlen(error.text) > 0);
      refused += 1;
      continue;
    }
    loaded += 1;
    lw_navmesh_validate(mesh, &error);
    damage_probe(mesh, (uint64_t)i);
    lw_navmesh_destroy(mesh);
  }
  free(data);
  printf("note: seed %d: of 1500 damaged files with good checksums %d were refused, %d answered\n", SEED,
         refused, loaded);
  assert_true(loaded > 100 && refused > 100);
}

/* What no number should be: as floats NaN, both infinities, -1, both ends of the floats, 1e-38; as numbers 0, 1, -1 and
   both ends. */
static const uint32_t wrong_numbers[] = {0x7fc00000, 0x7f800000, 0xff800000, 0xbf800000, 0x7f7fffff, 0xff7fffff,
                                         0x006ce3ee, 0,          1,          UINT32_MAX, INT32_MAX,  1u << 31};
#define WRONG_NUMBERS ((int)(sizeof wrong_numbers / sizeof *wrong_numbers))

/* @return Whether it loads. */
static bool answers(const unsigned char *data, size_t at, int number, bool must_be_valid) {
  lw_navmesh *mesh;
  lw_error error = {0};
  remove(file_name); /* writing over it would wait for the device */
  file_write(file_name, data, good_size);
  const lw_status status = lw_navmesh_load(file_name, areas, NULL, &mesh, &error);
  if (status != LW_OK) {
    if (status != LW_BAD_FILE && status != LW_NOT_FOUND)
      fail_msg("number %d at byte %zu: %s", number, at, lw_status_name(status));
    assert_true(strlen(error.text) > 20);
    return false;
  }
  if (lw_navmesh_validate(mesh, &error) != LW_OK && must_be_valid)
    fail_msg("number %d at byte %zu is loaded: %s", number, at, error.text);
  damage_probe(mesh, at);
  lw_navmesh_destroy(mesh);
  return true;
}

/* @return How many load. */
static int damage_numbers(size_t begin, size_t end, size_t step, bool must_be_valid, int *all) {
  unsigned char *data = malloc(good_size);
  int loaded = 0;
  for (size_t at = begin; at + 4 <= end; at += step)
    for (int i = 0; i < WRONG_NUMBERS; i++) {
      memcpy(data, good, good_size);
      memcpy(data + at, &wrong_numbers[i], sizeof *wrong_numbers);
      if (memcmp(data, good, good_size) == 0) continue;
      damage_repair(data, good_size);
      if (memcmp(data, good, good_size) == 0) continue; /* a number that is repaired */
      loaded += answers(data, at, i, must_be_valid);
      *all += 1;
    }
  free(data);
  return loaded;
}

static void each_number_of_the_head_is_refused_or_valid(void **state) {
  (void)state;
  int all = 0;
  const int loaded = damage_numbers(0, damage_head_size(), 4, true, &all);
  printf("note: of %d files with a wrong number in their head %d are as good as the right one\n", all, loaded);
  assert_in_range(loaded, 1, all / 2);
}

static void each_kind_of_number_in_a_section_is_refused_or_answers(void **state) {
  (void)state;
  enum { PLACES = 24 }; /* of each section */
  int all = 0, loaded = 0;
  size_t begin, size;
  for (int i = 0; damage_section(good, i, &begin, &size); i++) {
    size_t step = size / PLACES / 4 * 4 + 4; /* odd in words: elements of even size come in all their parts */
    if (step / 4 % 2 == 0) step += 4;
    loaded += damage_numbers(begin, begin + size, step, false, &all);
  }
  printf("note: of %d files with a wrong number in a section %d answer\n", all, loaded);
  assert_in_range(loaded, all / 10, all);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_sample_file_fills_every_section),
      cmocka_unit_test(occluder_nodes_that_share_a_child_are_refused),
      cmocka_unit_test(occluder_nodes_whose_boxes_numbers_do_not_hold_are_refused),
      cmocka_unit_test(a_flipped_bit_in_any_section_is_refused),
      cmocka_unit_test(a_file_cut_short_or_too_long_is_refused),
      cmocka_unit_test(other_files_and_parts_of_this_one_are_refused),
      cmocka_unit_test(a_file_with_repaired_checksums_is_refused_or_answers_every_query),
      cmocka_unit_test(each_number_of_the_head_is_refused_or_valid),
      cmocka_unit_test(each_kind_of_number_in_a_section_is_refused_or_answers),
  };
  return cmocka_run_group_tests(tests, open_file, close_file);
}
