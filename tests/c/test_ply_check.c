/* Headers of PLY files that are cut off or wrong, and elements that the files do not hold. */
#include "geometry/ply_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define PLY_XYZ "property float x\nproperty float y\nproperty float z\n"
#define PLY_FACE "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
#define PLY_ASCII "ply\nformat ascii 1.0\n"

static const float triangle[9] = {0, 0, 0, 1, 0, 1, 1, 0, 0};

static void expect_bytes(const char *data, size_t size, lw_status expected, const char *message) {
  lw_error error = {0};
  const lw_status status = lwi_ply_check("level.ply", (const unsigned char *)data, size, &error);
  if (status != expected || (message && !strstr(error.text, message)))
    fail_msg("got %s '%s', expected %s '%s'", lw_status_name(status), error.text, lw_status_name(expected),
             message);
}

static void expect_ply(const char *data, lw_status status, const char *message) {
  expect_bytes(data, strlen(data), status, message);
}

static void headers_of_ply_files_are_checked(void **state) {
  (void)state;
  static const char points[] = "0 0 0\n1 0 1\n1 0 0\n", *const good =
                                                            PLY_ASCII "element vertex 3\n" PLY_XYZ PLY_FACE;
  char whole[400];
  expect_ply("BLENDER", LW_BAD_FILE, "it is not a PLY file: its first line is not 'ply'");
  expect_ply(PLY_ASCII, LW_BAD_FILE, "its header has no line 'end_header'");
  expect_ply(PLY_ASCII "element vertex 3", LW_BAD_FILE, "its header has no line 'end_header'");
  expect_ply("ply\nend_header\n", LW_BAD_FILE, "line 2 of its header: expected 'format' before 'end_header'");
  expect_ply("ply\nformat text 1.0\n", LW_BAD_FILE, "line 2 of its header: expected 'format' with ascii");
  expect_ply(PLY_ASCII "element vertex\n", LW_BAD_FILE, "line 3 of its header: expected 'element' with a name");
  expect_ply(PLY_ASCII "element vertex -1\n", LW_BAD_FILE,
             "line 3 of its header: expected 'element' with a name");
  expect_ply(PLY_ASCII "property float x\n", LW_BAD_FILE, "line 3 of its header: expected 'element' before");
  expect_ply(PLY_ASCII "element vertex 3\nproperty real x\n", LW_BAD_FILE,
             "line 4 of its header: expected 'prop");
  expect_ply(PLY_ASCII "elements vertex 3\n", LW_BAD_FILE, "line 3 of its header: expected format, comment");
  expect_ply(PLY_ASCII PLY_FACE, LW_BAD_FILE, "it has no element 'vertex'");
  expect_ply(PLY_ASCII "element vertex 3\n" PLY_FACE, LW_BAD_FILE, "its element 'vertex' has no properties");
  expect_ply(PLY_ASCII "element vertex 3\nproperty float x\nproperty float z\n" PLY_FACE, LW_BAD_FILE,
             "its vertices have no property 'y'");
  expect_ply(PLY_ASCII "element vertex 0\n" PLY_XYZ "element face 1\nproperty int x\nend_header\n", LW_BAD_FILE,
             "its faces have no list 'vertex_indices'");
  expect_ply(PLY_ASCII "element vertex 1\n" PLY_XYZ "end_header\n0 0 0\n", LW_EMPTY,
             "holds no triangles: 1 vertices, no face");
  snprintf(whole, sizeof whole, "%s%s3 0 1 2\n", good, points);
  expect_ply(whole, LW_OK, NULL);
}

static void elements_that_a_ply_file_only_states_are_refused(void **state) {
  (void)state;
  static const char little[] = "ply\nformat binary_little_endian 1.0\nelement vertex 3\n" PLY_XYZ PLY_FACE;
  static const unsigned char face[] = {3, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0};
  char binary[400];
  expect_ply(PLY_ASCII "element vertex 400\n" PLY_XYZ PLY_FACE "0 0 0\n1 0 1\n\n1 0 0\n3 0 1 2", LW_BAD_FILE,
             "its header states 400 of element 'vertex', expected at most 4, what the rest of the file holds");
  expect_ply(PLY_ASCII "element vertex 4000000000\n" PLY_XYZ PLY_FACE "0 0 0\n", LW_BAD_FILE,
             "its header states 4000000000 of element 'vertex', expected at most 1");
  expect_ply(PLY_ASCII "element vertex 3\n" PLY_XYZ PLY_FACE "0 0 0\n1 0 1\n1 0 0\n", LW_BAD_FILE,
             "its header states 1 of element 'face', expected at most 0");
  const size_t head = sizeof little - 1, size = head + sizeof triangle + sizeof face;
  memcpy(binary, little, head);
  memcpy(binary + head, triangle, sizeof triangle);
  memcpy(binary + head + sizeof triangle, face, sizeof face);
  expect_bytes(binary, size, LW_OK, NULL);
  expect_bytes(binary, size - 1, LW_BAD_FILE, "its header states 1 of element 'face', expected at most 0");
  expect_bytes(binary, head + 25, LW_BAD_FILE, "its header states 3 of element 'vertex', expected at most 2");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(headers_of_ply_files_are_checked),
      cmocka_unit_test(elements_that_a_ply_file_only_states_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
