#include "allocator.h"
#include "leeward/area.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lw_area_table *make_table(void) {
  lw_area_table *table = NULL;
  assert_int_equal(lw_area_table_create(NULL, &table), LW_OK);
  return table;
}

static lw_area_def named(const char *name) {
  lw_area_def def = lw_area_def_default();
  def.name = name;
  return def;
}

static void an_area_keeps_its_id_when_its_numbers_change(void **state) {
  (void)state;
  lw_area_table *table = make_table();
  lw_area_id ground = 0, road = 0, again = 0;
  lw_area_def def = named("ground");
  assert_int_equal(lw_area_table_set(table, &def, &ground, NULL), LW_OK);
  def = named("road");
  def.type = LW_ROAD;
  assert_int_equal(lw_area_table_set(table, &def, &road, NULL), LW_OK);
  uint32_t version = lw_area_table_version(table);
  def.resistance = 0;
  assert_int_equal(lw_area_table_set(table, &def, &again, NULL), LW_OK);
  assert_int_equal(ground, 1);
  assert_int_equal(road, 2);
  assert_int_equal(again, road);
  assert_true(lw_area_table_version(table) > version);
  assert_int_equal(lw_area_table_count(table), 2);
  assert_true(lw_area_table_get(table, road)->resistance == 0);
  assert_true(lw_area_table_get(table, ground)->resistance == 0.5f);
  assert_string_equal(lw_area_table_get(table, road)->name, "road");
  lw_area_table_destroy(table);
}

static void the_name_is_copied(void **state) {
  (void)state;
  lw_area_table *table = make_table();
  char name[] = "mud";
  lw_area_def def = named(name);
  assert_int_equal(lw_area_table_set(table, &def, NULL, NULL), LW_OK);
  memset(name, 'x', 3);
  assert_int_equal(lw_area_table_find(table, "mud"), 1);
  assert_string_equal(lw_area_table_get(table, 1)->name, "mud");
  lw_area_table_destroy(table);
}

static void unknown_names_find_no_area(void **state) {
  (void)state;
  lw_area_table *table = make_table();
  assert_int_equal(lw_area_table_find(table, "lava"), LW_AREA_NONE);
  assert_null(lw_area_table_get(table, LW_AREA_NONE));
  assert_null(lw_area_table_get(table, 1));
  lw_area_table_destroy(table);
}

static void the_256th_area_is_refused(void **state) {
  (void)state;
  lw_area_table *table = make_table();
  char name[16];
  for (int i = 1; i <= LW_AREA_MAX; ++i) {
    snprintf(name, sizeof name, "area%d", i);
    lw_area_def def = named(name);
    lw_area_id id = 0;
    assert_int_equal(lw_area_table_set(table, &def, &id, NULL), LW_OK);
    assert_int_equal(id, i);
  }
  lw_error error;
  lw_area_def def = named("one_more");
  assert_int_equal(lw_area_table_set(table, &def, NULL, &error), LW_LIMIT);
  assert_string_equal(error.text, "area 'one_more': the table is full, expected at most 255 areas");
  def.name = "area7"; /* changing one still works */
  assert_int_equal(lw_area_table_set(table, &def, NULL, &error), LW_OK);
  lw_area_table_destroy(table);
}

static void assert_refused(lw_area_table *table, lw_area_def def, const char *text) {
  lw_error error = {0};
  assert_int_equal(lw_area_table_set(table, &def, NULL, &error), LW_INVALID);
  assert_string_equal(error.text, text);
  assert_int_equal(lw_area_table_count(table), 0);
}

static void bad_numbers_are_refused_by_name(void **state) {
  (void)state;
  lw_area_table *table = make_table();
  lw_area_def def = named("mud");
  def.resistance = -1;
  assert_refused(table, def, "area 'mud': resistance is -1, expected a number >= 0");
  def.resistance = INFINITY;
  assert_refused(table, def, "area 'mud': resistance is inf, expected a number >= 0");
  def = named("mud");
  def.exposure = 1.5f;
  assert_refused(table, def, "area 'mud': exposure is 1.5, expected 0 to 1");
  def = named("mud");
  def.concealment = -0.5f;
  assert_refused(table, def, "area 'mud': concealment is -0.5, expected 0 to 1");
  def = named("mud");
  def.deep_water = 2;
  assert_refused(table, def, "area 'mud': deep_water is 2, expected 0 to 1");
  def = named("mud");
  def.unsafe = 2;
  assert_refused(table, def, "area 'mud': unsafe is 2, expected 0 to 1");
  def = named("mud");
  def.speed = 0;
  assert_refused(table, def, "area 'mud': speed is 0, expected a number > 0");
  def = named("mud");
  def.cover = LW_COVER_KIND_COUNT;
  assert_refused(table, def, "area 'mud': cover is 4, expected 0 to 3");
  def = named("mud");
  def.type = LW_LINK_TYPE_COUNT;
  assert_refused(table, def, "area 'mud': type is 4, expected 0 to 3");
  assert_refused(table, named(NULL), "area: name is NULL, expected 1 to 63 bytes");
  assert_refused(table, named(""), "area: name is '', expected 1 to 63 bytes");
  assert_refused(table, named("a_name_of_sixty_four_bytes_is_just_one_byte_too_long_to_be_taken_"),
                 "area: name is 'a_name_of_sixty_four...', expected 1 to 63 bytes");
  assert_refused(table, (lw_area_def){.name = "mud"},
                 "lw_area_def is not filled, expected lw_area_def_default() first");
  def = named("mud");
  def.unsafe = NAN;
  assert_int_equal(lw_area_table_set(table, &def, NULL, NULL), LW_INVALID);
  lw_area_table_destroy(table);
}

static void every_failed_allocation_is_reported_and_leaks_nothing(void **state) {
  (void)state;
  int calls = 0;
  for (bool done = false; !done; ++calls) {
    support_memory memory = {.left = calls};
    lw_allocator allocator = support_allocator(&memory);
    lw_area_table *table = NULL;
    lw_status status = lw_area_table_create(&allocator, &table);
    for (int i = 0; i < 3 && !status; ++i) {
      lw_area_def def = named((const char *[]){"ground", "road", "grass"}[i]);
      status = lw_area_table_set(table, &def, NULL, NULL);
      assert_int_equal(lw_area_table_count(table), status ? i : i + 1);
    }
    done = status == LW_OK;
    if (!done) assert_int_equal(status, LW_OUT_OF_MEMORY);
    lw_area_table_destroy(table);
    assert_int_equal(memory.bytes, 0);
  }
  assert_true(calls > 3);
}

static void link_types_have_names(void **state) {
  (void)state;
  assert_string_equal(lw_link_type_name(LW_TRIANGULAR), "triangular");
  assert_string_equal(lw_link_type_name(LW_VOLUME), "volume");
  assert_string_equal(lw_link_type_name(LW_LINK_TYPE_COUNT), "unknown");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_area_keeps_its_id_when_its_numbers_change),
      cmocka_unit_test(the_name_is_copied),
      cmocka_unit_test(unknown_names_find_no_area),
      cmocka_unit_test(the_256th_area_is_refused),
      cmocka_unit_test(bad_numbers_are_refused_by_name),
      cmocka_unit_test(every_failed_allocation_is_reported_and_leaks_nothing),
      cmocka_unit_test(link_types_have_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
