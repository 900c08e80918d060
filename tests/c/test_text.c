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

static const char *show(const char *text, size_t length, size_t size) {
  static char shown[64];
  memset(shown, '#', sizeof shown);
  lwi_text_show_bytes(shown, size, text, length);
  for (size_t i = size; i < sizeof shown; i++) assert_int_equal(shown[i], '#');
  return shown;
}

static void control_characters_are_shown_by_number(void **state) {
  (void)state;
  static const struct {
    const char *text, *shown;
  } cases[] = {
      {"", ""},
      {"road 'a' \\ 1", "road 'a' \\ 1"},
      {"a\n\33[31mred\a\r\t\177", "a\\n\\x1B[31mred\\x07\\r\\t\\x7F"},
      {"stra\303\237e \342\202\254 \360\237\230\200", "stra\303\237e \342\202\254 \360\237\230\200"},
      {"\302\233m", "\\xC2\\x9Bm"}, /* the control sequence introducer in UTF-8 */
      {"a\342\200\256b\342\201\246", "a\\xE2\\x80\\xAEb\\xE2\\x81\\xA6"}, /* text from right to left */
      {"\377 \300\200 \355\240\200 \370\210\200\200\200",
       "\\xFF \\xC0\\x80 \\xED\\xA0\\x80 \\xF8\\x88\\x80\\x80\\x80"},
      {"\364\220\200\200", "\\xF4\\x90\\x80\\x80"}, /* beyond the last character */
      {"\342\202", "\\xE2\\x82"},                   /* cut short */
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *shown = show(cases[i].text, strlen(cases[i].text), 64);
    assert_string_equal(shown, cases[i].shown);
    char again[64];
    assert_int_equal(lwi_text_show(again, sizeof again, shown), strlen(shown));
    assert_string_equal(again, shown);
  }
  assert_string_equal(show("a\0b\0"
                           "1\0",
                           6, 64),
                      "a\\0b\\0001\\0");
}

static void long_text_is_cut_in_its_middle(void **state) {
  (void)state;
  assert_string_equal(show("0123456789", 10, 11), "0123456789");
  assert_string_equal(show("0123456789", 10, 10), "012...789");
  assert_string_equal(show("0123456789", 10, 9), "012...89");
  assert_string_equal(show("\n\n\n\n\n", 5, 10), "\\n...\\n");
  assert_string_equal(show("0123456789", 10, 5), "0...");
  assert_string_equal(show("0123456789", 10, 4), "");
  assert_string_equal(show("0123456789", 10, 1), "");
  assert_int_equal(lwi_text_show_bytes(NULL, 0, "\n\33", 2), 6);
}

static void format(char *to, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  lwi_text_message(to, size, format, arguments);
  va_end(arguments);
}

static void what_follows_a_long_name_is_still_there(void **state) {
  (void)state;
  static char name[10001], text[40];
  memset(name, 'x', sizeof name - 1);
  format(text, sizeof text, "cannot read '%s': %s%%s", name, "no\n");
  assert_string_equal(text, "cannot read 'xxxxx...xxxxxxxxx': no\\n%s");
  format(text, sizeof text, "%d %-6s %.2s %5.1f%%", -3, "ab", "cde", 1.25);
  assert_string_equal(text, "-3 ab     cd   1.2%");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(distances_count_single_edits),
      cmocka_unit_test(long_words_are_far_from_everything),
      cmocka_unit_test(endings_are_compared_without_case),
      cmocka_unit_test(control_characters_are_shown_by_number),
      cmocka_unit_test(long_text_is_cut_in_its_middle),
      cmocka_unit_test(what_follows_a_long_name_is_still_there),
  };
  return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
