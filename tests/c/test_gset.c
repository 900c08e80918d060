/* RecastDemo's geometry sets: what is read, what is refused. */
#include "allocator.h"

#include "core/random.h"
#include "geometry/geometry.h"
#include "grid_mesh.h"
#include "temp_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { GROUND = 1, ROAD, DOOR, UNSAFE, SHALLOW, DEEP };

static const char example[] = "f level.obj\r\n"
                              "s 0.3 0.1 1.75 0.4\n"
                              "c 1 2 3  4 5.5 6  1.5 1 5 8\n"
                              "c 1 2 3  4 5 6  0.5 0 3 8\n"
                              "  \n"
                              "# lifts\n"
                              "c -1 2e1 3  4 5 6  0.5 0 8 8\n"
                              "v 4 6 -1 2.5\n"
                              "0 0 0\n0 0 4\n4 0 4\n4 0 0\n"
                              "v 3 7 -1 2\n"
                              "0 0 0\n4 0 0\n0 0 4\n"
                              "v 5 1 -3 -0.5\n"
                              "0 0 0\n4 0 0\n4 0 4\n2 0 1\n0 0 4\n"
                              "p 1 0.5 -2\n"
                              "v 3 5 0 1\n"
                              "0 0 0\n4 0 0\n0 0 4"; /* without a newline at the end */

static lw_area_table *areas;
static char name[64];

static int open_all(void **state) {
  static const char *const names[] = {"ground", "road", "door", "unsafe", "shallow_water", "deep_water"};
  (void)state;
  areas = support_areas(names, 6);
  snprintf(name, sizeof name, "/tmp/leeward-gset-XXXXXX");
  temp_file_make(name);
  return 0;
}

static int close_all(void **state) {
  (void)state;
  remove(name);
  lw_area_table_destroy(areas);
  return 0;
}

static lw_geometry *empty(const lw_allocator *allocator) {
  lw_geometry *geometry;
  assert_int_equal(lw_geometry_create(areas, allocator, &geometry), LW_OK);
  return geometry;
}

static void links_and_volumes_are_read_in_order(void **state) {
  (void)state;
  lw_geometry *geometry = empty(NULL);
  lw_error error = {0};
  file_write(name, example, sizeof example - 1);
  if (lw_geometry_load_gset(geometry, name, NULL, &error)) fail_msg("%s", error.text);
  const lwi_links *links = lwi_geometry_links(geometry);
  assert_int_equal(links->count, 3);
  assert_int_equal(links->items[0].kind, LW_LINK_JUMP);
  assert_true(links->items[0].bidirectional && links->items[0].radius == 1.5f && links->items[0].to.y == 5.5f);
  assert_int_equal(links->items[0].area, LW_AREA_NONE);
  assert_int_equal(links->items[1].kind, LW_LINK_DOOR);
  assert_int_equal(links->items[1].area, DOOR);
  assert_false(links->items[1].bidirectional);
  assert_int_equal(links->items[2].kind, LW_LINK_LADDER);
  assert_true(links->items[2].from.x == -1 && links->items[2].from.y == 20);
  const lwi_marks *marks = lwi_geometry_marks(geometry);
  assert_int_equal(marks->count, 3); /* of a jump's volume nothing is known */
  const lwi_seeds *seeds = lwi_geometry_seeds(geometry);
  assert_int_equal(seeds->count, 1);
  assert_true(seeds->items[0].x == 1 && seeds->items[0].y == 0.5f && seeds->items[0].z == -2);
  assert_int_equal(marks->items[0].area, UNSAFE);
  assert_true(marks->items[0].bottom == -1 && marks->items[0].top == 2.5f);
  assert_int_equal(marks->items[1].area, LW_AREA_NONE);
  assert_true(marks->items[2].is_water && marks->items[2].top == -0.5f && marks->items[2].bottom == -3);
  assert_int_equal(marks->items[2].area, SHALLOW);
  assert_int_equal(marks->items[2].deep_area, DEEP);
  lw_geometry_destroy(geometry);
}

static lw_gset_rule only_roads(void *user, int code) {
  int *calls = user;
  *calls += 1;
  if (code != 2) return (lw_gset_rule){LW_GSET_UNKNOWN, LW_AREA_NONE, LW_LINK_JUMP};
  return (lw_gset_rule){LW_GSET_MARK, ROAD, LW_LINK_WAYPOINT};
}

static void codes_mean_what_the_caller_says(void **state) {
  (void)state;
  lw_geometry *geometry = empty(NULL);
  lw_error error = {0};
  int calls = 0;
  const lw_gset_options options = {only_roads, &calls};
  file_write(name, "c 0 0 0 1 0 0 1 0 2 0\n", 22);
  assert_int_equal(lw_geometry_load_gset(geometry, name, &options, &error), LW_OK);
  assert_int_equal(calls, 1);
  assert_int_equal(lwi_geometry_links(geometry)->items[0].kind, LW_LINK_WAYPOINT);
  assert_int_equal(lwi_geometry_links(geometry)->items[0].area, ROAD);
  file_write(name, "c 0 0 0 1 0 0 1 0 3 0\n", 22);
  assert_int_equal(lw_geometry_load_gset(geometry, name, &options, &error), LW_BAD_FILE);
  assert_non_null(strstr(error.text, ":1: area is 3, for which there is no rule"));
  assert_int_equal(lw_geometry_link_count(geometry), 1);
  lw_geometry_destroy(geometry);
}

static void an_area_that_the_table_lacks_is_named_by_its_code(void **state) {
  (void)state;
  lw_geometry *geometry = empty(NULL);
  lw_error error = {0};
  file_write(name, "\nc 0 0 0 1 0 0 1 0 4 0\n", 23); /* grass */
  assert_int_equal(lw_geometry_load_gset(geometry, name, NULL, &error), LW_BAD_FILE);
  assert_non_null(strstr(error.text, ":2: area is 4, for which there is no rule"));
  lw_geometry_destroy(geometry);
}

/* Bytes changed, left out and repeated: either all is read or nothing, and never more than there is. */
static void whatever_is_in_the_file_it_is_read_or_refused_whole(void **state) {
  (void)state;
  const char *text = getenv("LEEWARD_SEED");
  uint64_t seed = text ? strtoull(text, NULL, 10) : 20261121;
  lw_random random = lwi_random_make(seed, 0);
  int refused = 0;
  for (int round = 0; round < 1000; round++) {
    char data[2 * sizeof example];
    size_t size = sizeof example - 1;
    memcpy(data, example, size);
    for (int k = 0; k <= round % 3; k++) {
      static const char likely[] = "0123456789.-+ecvfsp \n\t#x";
      size_t at = (size_t)(lwi_random_bits(&random) % size);
      uint64_t what = lwi_random_bits(&random) % 4;
      if (what == 0) data[at] = (char)lwi_random_bits(&random);
      if (what == 1) data[at] = likely[lwi_random_bits(&random) % (sizeof likely - 1)];
      if (what == 2) memmove(data + at, data + at + 1, --size - at);
      if (what == 3) size = at + 1;
    }
    lw_geometry *geometry = empty(NULL);
    lw_error error = {0};
    file_write(name, data, size);
    lw_status status = lw_geometry_load_gset(geometry, name, NULL, &error);
    assert_true(status == LW_OK || status == LW_BAD_FILE);
    if (status == LW_BAD_FILE) {
      refused++;
      assert_non_null(strstr(error.text, name));
      assert_int_equal(lw_geometry_mark_count(geometry), 0);
      assert_int_equal(lw_geometry_link_count(geometry), 0);
      assert_int_equal(lw_geometry_seed_count(geometry), 0);
    }
    lw_geometry_destroy(geometry);
  }
  printf("note: seed %llu: of 1000 mutations %d were refused\n", (unsigned long long)seed, refused);
  assert_true(refused > 300 && refused < 990);
}

static void files_of_other_kinds_are_refused_by_name(void **state) {
  (void)state;
  lw_geometry *geometry = empty(NULL);
  lw_error error = {0};
  assert_int_equal(lw_geometry_load_gset(geometry, "/nowhere/x.gset", NULL, &error), LW_FILE);
  assert_non_null(strstr(error.text, "/nowhere/x.gset"));
  file_write(name, "c 0 0\0 0", 8);
  assert_int_equal(lw_geometry_load_gset(geometry, name, NULL, &error), LW_BAD_FILE);
  assert_non_null(strstr(error.text, ":1: not a geometry set: it has bytes that are not text"));
  file_write(name, "", 0);
  assert_int_equal(lw_geometry_load_gset(geometry, name, NULL, &error), LW_OK);
  lw_geometry_destroy(geometry);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(links_and_volumes_are_read_in_order),
      cmocka_unit_test(codes_mean_what_the_caller_says),
      cmocka_unit_test(an_area_that_the_table_lacks_is_named_by_its_code),
      cmocka_unit_test(whatever_is_in_the_file_it_is_read_or_refused_whole),
      cmocka_unit_test(files_of_other_kinds_are_refused_by_name),
  };
  return cmocka_run_group_tests(tests, open_all, close_all);
}
