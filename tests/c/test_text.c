#include "core/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void distances_count_single_edits(void **state) {
  (void)state;
  static const struct {
    const char *a, *b;
    int distance;
  } cases[] = {{"", "", 0},
               {"", "abc", 3},
               {"profile", "profile", 0},
               {"profle", "profile", 1},
               {"profiile", "profile", 1},
               {"prophile", "profile", 2},
               {"porfile", "profile", 1}, /* swapped neighbours are one edit */
               {"kitten", "sitting", 3},
               {"ca", "abc", 3}, /* no letter is edited twice */
               {"a", "b", 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_int_equal(lwi_text_distance(cases[i].a, cases[i].b), cases[i].distance);
    assert_int_equal(lwi_text_distance(cases[i].b, cases[i].a), cases[i].distance);
  }
}

static void long_words_are_far_from_everything(void **state) {
  (void)state;
  char a[66], b[66];
  memset(a, 'a', 65), memset(b, 'a', 65);
  a[64] = b[64] = a[65] = b[65] = 0;
  assert_int_equal(lwi_text_distance(a, b), 0);
  b[0] = 'b';
  assert_int_equal(lwi_text_distance(a, b), 1);
  a[64] = 'a';
  assert_int_equal(lwi_text_distance(a, b), 64);
  assert_int_equal(lwi_text_distance("", a), 64);
}

static void endings_are_compared_without_case(void **state) {
  (void)state;
  assert_true(lwi_text_ends_in("level.obj", ".obj"));
  assert_true(lwi_text_ends_in("LEVEL.OBJ", ".obj"));
  assert_true(lwi_text_ends_in(".Obj", ".obj"));
  assert_true(lwi_text_ends_in("anything", ""));
  assert_false(lwi_text_ends_in("level.objx", ".obj"));
  assert_false(lwi_text_ends_in("obj", ".obj"));
  assert_false(lwi_text_ends_in("", ".obj"));
  assert_false(lwi_text_ends_in("level@obj", "`obj")); /* 32 apart, but no letters */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(distances_count_single_edits),
      cmocka_unit_test(long_words_are_far_from_everything),
      cmocka_unit_test(endings_are_compared_without_case),
  };
  return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
