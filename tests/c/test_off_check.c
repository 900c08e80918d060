/* OFF files that are cut off or wrong. What passes is read as it stands: see test_hostile_import. */
#include "geometry/off_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define VERTICES "0 0 0\n1 0 1\n1 0 0\n"

static void expect(const char *data, lw_status expected, const char *message) {
  lw_error error = {0};
  const lw_status status = lwi_off_check("level.off", (const unsigned char *)data, strlen(data), &error);
  if (status != expected || (message && !strstr(error.text, message)))
    fail_msg("%s: got %s '%s', expected %s '%s'", data, lw_status_name(status), error.text,
             lw_status_name(expected), message ? message : "");
}

static void whole_files_pass(void **state) {
  (void)state;
  static const char *const files[] = {
      "OFF\n3 1 0\n" VERTICES "3 0 1 2\n",
      "OFF\r\n3 1 0\r\n0 0 0\r\n1 0 1\r\n1 0 0\r\n3 0 1 2",
      "\xEF\xBB\xBFOFF 3 1 0\n" VERTICES "\n3 0 1 2 0.5 0.5 0.5\n",
      "# a comment\nOFF # one more\n3\n1 # and\n0\n# and\n\n" VERTICES "3 0 1 2\n",
      "OFF 3 1 0 0 0 0 # a vertex on the line of the header\n1 0 1\n1 0 0\n3 0 1 2\n",
      "OFF\n3 1 0\n0 0 0\n# here\n \n1 0 1\n1 0 0\n\t# \f\n3 0 1 2\n",
      "OFF\n3 2 0\n-1.5e-3 +.5 5.\n1 0 1\n1 0 0\n3 0 1 2\n2 0 1\n",
      "4OFF\n3 1 0\n0 0 0 1\n1 0 1 1\n1 0 0 1\n3 0 1 2\n",
      "STCNOFF\n3 1 0\n" VERTICES "3 0 1 2\n"};
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) expect(files[i], LW_OK, NULL);
}

static void headers_are_checked(void **state) {
  (void)state;
  static const char counts[] = "expected the numbers of vertices, faces and edges";
  expect("3 1 0\n" VERTICES, LW_BAD_FILE,
         "it begins with '3', expected OFF, or OFF behind some of ST, C, N and 4");
  expect("nOFF\n4\n3 1 0\n", LW_BAD_FILE,
         "it begins with 'nOFF', expected OFF, or OFF behind some of ST, C, N");
  expect("CSTOFF\n3 1 0\n", LW_BAD_FILE, "it begins with 'CSTOFF', expected OFF");
  expect("# OFF\n", LW_BAD_FILE, "it begins with '', expected OFF");
  expect("OFF", LW_BAD_FILE, counts);
  expect("OFF\n", LW_BAD_FILE, counts);
  expect("OFF\n3 1\n", LW_BAD_FILE, counts);
  expect("OFF\n3 -1 0\n", LW_BAD_FILE, "line 2: expected the numbers");
  expect("OFF\n3 1x 0\n", LW_BAD_FILE, counts);
  expect("OFF\n4294967296 1 0\n", LW_BAD_FILE, counts);
  expect("OFF BINARY\n\1", LW_BAD_FILE, "it is a binary OFF file, expected one of text");
  expect("OFF\n0 0 0\n", LW_EMPTY, "holds no triangles: 0 vertices, 0 faces");
  expect("OFF\n3 0 0\n" VERTICES, LW_EMPTY, "holds no triangles: 3 vertices, 0 faces");
}

static void what_a_file_only_states_is_refused(void **state) {
  (void)state;
  expect("OFF\n3 1 0", LW_BAD_FILE,
         "its header states 3 vertices, expected at most 0, what the rest of the file holds");
  expect("OFF 3 1 0 0 0 0 1 0 1 1 0 0 3 0 1 2\n", LW_BAD_FILE,
         "its header states 3 vertices, expected at most 1, what the rest of the file holds, each on a line of "
         "its own");
  expect("OFF\n3 1 0\n0 0 0\n1 0 1\n", LW_BAD_FILE, "its header states 3 vertices, expected at most 2");
  expect("OFF\n3 1 0\n" VERTICES "# 3 0 1 2\n", LW_BAD_FILE, "its header states 1 faces, expected at most 0");
  expect("OFF\n3 1 0\n" VERTICES, LW_BAD_FILE, "its header states 1 faces, expected at most 0");
  expect("OFF\n3 5 0\n" VERTICES "3 0 1 2\n", LW_BAD_FILE, "its header states 5 faces, expected at most 1");
  expect("OFF\n4000000000 4000000000 0\n0 0 0\n", LW_BAD_FILE, "its header states 4000000000 vertices");
}

static void vertices_and_faces_are_checked(void **state) {
  (void)state;
  static const char *const wrong[] = {"x",    "nan", "-inf", "1e39",
                                      "0x10", "1,5", "1e",   "+",
                                      ".",    "1e+", "1.5f", "340282400000000000000000000000000000001"};
  char data[5200];
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    char message[100];
    snprintf(data, sizeof data, "OFF\n3 1 0\n0 0 0\n1 %s 1\n1 0 0\n3 0 1 2\n", wrong[i]);
    snprintf(message, sizeof message, "'level.off': line 4: y of vertex 1 is '%s', expected a finite number",
             wrong[i]);
    expect(data, LW_INVALID, message);
  }
  expect("OFF\n3 1 0\n0 0\n1 0 1\n1 0 0\n3 0 1 2\n", LW_INVALID, "line 3: z of vertex 0 is ''");
  expect("4OFF\n3 1 0\n0 0 0\n", LW_INVALID, "line 3: w of vertex 0 is ''");
  expect("OFF\n3 1 0\n" VERTICES "3 0 1 3\n", LW_INVALID,
         "'level.off': line 6: corner 2 of face 0 is '3', expected 0 to 2, the vertices of the file");
  expect("OFF\n3 1 0\n" VERTICES "3 0 -1 2\n", LW_INVALID, "line 6: corner 1 of face 0 is '-1'");
  expect("OFF\n3 1 0\n" VERTICES "3 0 1\n", LW_INVALID, "line 6: corner 2 of face 0 is ''");
  expect("OFF\n3 1 0\n" VERTICES "0\n0\n0\n", LW_BAD_FILE,
         "line 6: expected a face: the number of its corners");
  expect("OFF\n3 1 0\n" VERTICES "10 0 1 2 0 1 2 0 1 2 0\n", LW_BAD_FILE, "line 6: expected a face");
  expect("OFF\n3 1 0\n0 0 0 \f5 5 5\n1 0 1\n1 0 0\n3 0 1 2\n", LW_BAD_FILE, "line 3: expected text");
  snprintf(data, sizeof data, "OFF\n3 1 0\n0 0 0%4091s\n1 0 1\n1 0 0\n3 0 1 2\n", "");
  expect(data, LW_BAD_FILE, "line 3: expected lines of at most 4095 bytes");
  snprintf(data, sizeof data, "OFF\n3 1 0\n0 0 0%4090s\n1 0 1\n1 0 0\n3 0 1 2\n", "");
  expect(data, LW_OK, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(whole_files_pass),
      cmocka_unit_test(headers_are_checked),
      cmocka_unit_test(what_a_file_only_states_is_refused),
      cmocka_unit_test(vertices_and_faces_are_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
