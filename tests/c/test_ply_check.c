/* Headers of PLY files that are cut off or wrong, elements that the files do not hold, and numbers in them. What
   passes is read as it stands: see test_level_triangles. */
#include "geometry/ply_check.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
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
             "its faces have no list 'vertex_indices' of a whole type");
  expect_ply(PLY_ASCII "element vertex 1\n" PLY_XYZ "end_header\n0 0 0\n", LW_EMPTY,
             "holds no triangles: 1 vertices, 0 faces");
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

/* --- elements that Assimp reads otherwise ----------------------------------------------------------------- */

#define POINTS "0 0 0\n1 0 1\n1 0 0\n"

static void elements_that_assimp_would_take_for_others_are_refused(void **state) {
  (void)state;
  expect_ply(PLY_ASCII "element camera 1\nproperty float view\nelement vertex 3\n" PLY_XYZ PLY_FACE "9\n" POINTS
                       "3 0 1 2\n",
             LW_BAD_FILE, "its element 'camera' comes before 'face', expected after it");
  expect_ply(PLY_ASCII "element camera 0\nproperty float view\nelement vertex 3\n" PLY_XYZ PLY_FACE POINTS
                       "3 0 1 2\n",
             LW_OK, NULL);
  expect_ply(PLY_ASCII "element face 1\nproperty list uchar int vertex_index\nelement vertex 3\n" PLY_XYZ
                       "end_header\n3 0 1 2\n" POINTS,
             LW_BAD_FILE, "its element 'face' comes before 'vertex', expected the vertices first");
  expect_ply(PLY_ASCII "element vertex 3\n" PLY_XYZ
                       "element tristrips 1\nproperty list int int vertex_indices\nend_header\n" POINTS
                       "5 0 1 2 -1 0\n",
             LW_BAD_FILE, "it has triangle strips, expected an element 'face' instead of 'tristrips'");
  expect_ply(PLY_ASCII "element vertex 3\n" PLY_XYZ "element vertex 9\n", LW_BAD_FILE,
             "line 7 of its header: expected an element with a name of its own");
  expect_ply(PLY_ASCII "element vertex 3\nproperty float x\ncomment here\nproperty float y\n", LW_BAD_FILE,
             "line 6 of its header: expected 'property' right below its element or another property");
  expect_ply(PLY_ASCII "comment a\felement face 7\nelement vertex 3\n", LW_BAD_FILE,
             "line 3 of its header: expected text");
  expect_ply(PLY_ASCII "element vertex 3\nproperty list  uchar int vertex_indices\n", LW_BAD_FILE,
             "line 4 of its header: expected one blank behind 'list'");
  expect_ply(PLY_ASCII "element vertex 3\r\n\r\nproperty float x\r\n", LW_BAD_FILE,
             "line 5 of its header: expected 'property' right below");
  expect_ply(PLY_ASCII "element vertex 3\n" PLY_XYZ
                       "element face 1\nproperty list uchar float vertex_indices\nend_header\n",
             LW_BAD_FILE, "its faces have no list 'vertex_indices' of a whole type");
  expect_ply(PLY_ASCII "element vertex 0\n" PLY_XYZ PLY_FACE "3 0 1 2\n", LW_EMPTY,
             "holds no triangles: 0 vertices, 1 faces");
}

/* --- numbers of ASCII files ------------------------------------------------------------------------------- */

#define ASCII_HEADER                                                                                           \
  PLY_ASCII "element vertex 3\n" PLY_XYZ "property float nx\nproperty uchar red\nproperty int tag\n"           \
            "property list char float weights\nelement face 2\nproperty list uchar int vertex_indices\n"       \
            "property list int short extra\nend_header\n"

/* The second vertex is in line 16, the second face in line 19. */
static void expect_lines(const char *vertex, const char *face, lw_status status, const char *message) {
  char data[1000];
  snprintf(data, sizeof data, ASCII_HEADER "0 0 0 1 255 -7 0\n%s\n1 0 0 1 0 0 0\n3 0 1 2 0\n%s\n", vertex,
           face);
  expect_ply(data, status, message);
}

static void expect_vertex(const char *vertex, const char *what, const char *expected) {
  char message[200];
  snprintf(message, sizeof message, "'level.ply': line 16: %s of vertex 1 is %s", what, expected);
  expect_lines(vertex, "3 0 2 1 0", LW_INVALID, message);
}

static void expect_face(const char *face, const char *what, const char *expected) {
  char message[200];
  snprintf(message, sizeof message, "'level.ply': line 19: %s face 1 is %s", what, expected);
  expect_lines("1 0 1 0 0 0 0", face, LW_INVALID, message);
}

static void numbers_of_vertices_are_of_their_properties_types(void **state) {
  (void)state;
  static const char *const good[] = {"1 0 1 nan 0 -2147483648 0", " 1\t.5 -1e-3  -INF 7 +2147483647 0 ",
                                     "1. +.5 1E+05 -Infinity 007 -0 2 1 nan"};
  static const char *const not_finite[] = {"nan", "-inf", "1e39", "foo", "1,5", "0x10", "1.5f", "-nan(ind)"};
  char line[100], expected[100];
  for (size_t i = 0; i < sizeof good / sizeof *good; ++i) expect_lines(good[i], "3 0 2 1 0", LW_OK, NULL);
  for (size_t i = 0; i < sizeof not_finite / sizeof *not_finite; ++i) {
    snprintf(line, sizeof line, "1 %s 1 0 0 0 0", not_finite[i]);
    snprintf(expected, sizeof expected, "'%s', expected a finite number", not_finite[i]);
    expect_vertex(line, "y", expected);
  }
  expect_vertex("1 0", "z", "missing, expected a finite number");
  expect_vertex("1 0 1 infinit 0 0 0", "nx", "'infinit', expected a number");
  expect_vertex("1 0 1 infinityy 0 0 0", "nx", "'infinityy', expected a number");
  expect_vertex("1 0 1 0 256 0 0", "red", "'256', expected a whole number from 0 to 255");
  expect_vertex("1 0 1 0 -1 0 0", "red", "'-1', expected a whole number from 0 to 255");
  expect_vertex("1 0 1 0 +1 0 0", "red", "'+1', expected a whole number from 0 to 255");
  expect_vertex("1 0 1 0 0 2.9 0", "tag", "'2.9', expected a whole number from -2147483648 to 2147483647");
  expect_vertex("1 0 1 0 0 -2147483649 0", "tag", "'-2147483649', expected a whole number from -2147483648");
  expect_vertex("1 0 1 0 0", "tag", "missing, expected a whole number");
  expect_vertex("1 0 1 0 0 - 0", "tag", "'-', expected a whole number");
  expect_vertex("1 0 1 0 0 0 -3 1 2 3", "the count of weights", "'-3', expected 0 or more");
  expect_vertex("1 0 1 0 0 0 128", "the count of weights", "'128', expected a whole number from -128 to 127");
  expect_vertex("1 0 1 0 0 0 2 1 x", "number 1 of weights", "'x', expected a number");
  expect_vertex("comment here", "x", "'comment', expected a finite number");
  expect_lines("1 0 1 0 0 0 0 5", "3 0 2 1 0", LW_INVALID,
               "'level.ply': line 16: vertex 1 has '5' behind its last number, expected the end of the line");
}

static void corners_of_faces_are_vertices(void **state) {
  (void)state;
  static const char vertices[] = "expected 0 to 2, the vertices of the file";
  static const char *const wrong[] = {"foo", "2.9", "4294967299", "3", "-1", "1/1", "2147483648"};
  char line[100], expected[100];
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    snprintf(line, sizeof line, "3 0 1 %s 0", wrong[i]);
    snprintf(expected, sizeof expected, "'%s', %s", wrong[i], vertices);
    expect_face(line, "corner 2 of", expected);
  }
  snprintf(expected, sizeof expected, "missing, %s", vertices);
  expect_face("4 0 2 1", "corner 3 of", expected);
  expect_face("250 0 2 1", "corner 3 of", expected);
  expect_face("300 0 2 1", "the count of vertex_indices of", "'300', expected a whole number from 0 to 255");
  expect_face("259 0 2 1", "the count of vertex_indices of", "'259', expected a whole number from 0 to 255");
  expect_face("0 0", "the count of vertex_indices of", "'0', expected 1 or more");
  expect_face("-3 0 2 1", "the count of vertex_indices of", "'-3', expected a whole number from 0 to 255");
  expect_face("3 0 1 2", "the count of extra of", "missing, expected a whole number from -2147483648");
  expect_face("3 0 1 2 2 7", "number 1 of extra of", "missing, expected a whole number from -32768 to 32767");
  expect_lines("1 0 1 0 0 0 0", "3 0 1 2 1 7 8", LW_INVALID,
               "line 19: face 1 has '8' behind its last number, expected the end of the line");
  expect_lines("1 0 1 0 0 0 0", "+2 0 1 0", LW_INVALID, "the count of vertex_indices of face 1 is '+2'");
}

/* Assimp leaves out one empty line between \n and \n, and takes any other for an element. */
static void elements_are_one_line_each(void **state) {
  (void)state;
  static const char *const bodies[] = {"\n0 0 0\n\n1 0 1\n1 0 0\n\n3 0 1 2\n\n\n",
                                       "0 0 0\r1 0 1\r1 0 0\r3 0 1 2\r", "0 0 0\r\n1 0 1\r\n1 0 0\r\n3 0 1 2"};
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; ++i) {
    char data[400];
    snprintf(data, sizeof data, PLY_ASCII "element vertex 3\n" PLY_XYZ PLY_FACE "%s", bodies[i]);
    expect_ply(data, LW_OK, NULL);
  }
  expect_ply(PLY_ASCII "element vertex 3\n" PLY_XYZ PLY_FACE "0 0 0\n\n\n1 0 1\n1 0 0\n3 0 1 2\n", LW_INVALID,
             "line 12: x of vertex 1 is missing");
  expect_ply(PLY_ASCII "element vertex 3\n" PLY_XYZ PLY_FACE "0 0 0\r\n\r\n1 0 1\r\n1 0 0\r\n3 0 1 2\r\n",
             LW_INVALID, "line 11: x of vertex 1 is missing");
  expect_ply(PLY_ASCII "element vertex 3\n" PLY_XYZ PLY_FACE "0 0 0\n1 0 1\n1 0 0\n3 0\n1 2\n", LW_INVALID,
             "line 13: corner 1 of face 0 is missing");
}

/* --- numbers of binary files ------------------------------------------------------------------------------ */

/* @param big  Whether most significant bytes come first. */
static void put_number(unsigned char *to, uint64_t bits, int size, bool big) {
  for (int i = 0; i < size; ++i) to[big ? size - 1 - i : i] = (unsigned char)(bits >> 8 * i);
}

static void expect_binary(float y, uint16_t count, int32_t corner, lw_status status, const char *message) {
  static const char *const orders[] = {"little", "big"};
  for (int big = 0; big < 2; ++big) {
    char head[400];
    unsigned char data[500];
    const int length = snprintf(head, sizeof head,
                                "ply\nformat binary_%s_endian 1.0\nelement vertex 3\n" PLY_XYZ
                                "element face 1\nproperty list short int vertex_indices\nend_header\n",
                                orders[big]);
    memcpy(data, head, (size_t)length);
    unsigned char *at = data + length;
    for (int i = 0; i < 9; ++i, at += 4) {
      const float value = i == 4 ? y : triangle[i];
      uint32_t bits;
      memcpy(&bits, &value, sizeof bits);
      put_number(at, bits, 4, big);
    }
    put_number(at, count, 2, big);
    for (int i = 0; i < 3; ++i) put_number(at + 2 + 4 * i, i == 1 ? (uint32_t)corner : (uint32_t)i, 4, big);
    expect_bytes((const char *)data, (size_t)(at + 14 - data), status, message);
  }
}

static void numbers_of_binary_files_are_checked(void **state) {
  (void)state;
  expect_binary(0.5f, 3, 1, LW_OK, NULL);
  expect_binary(NAN, 3, 1, LW_INVALID, "'level.ply': y of vertex 1 is nan, expected a finite number");
  expect_binary(-INFINITY, 3, 1, LW_INVALID, "'level.ply': y of vertex 1 is -inf, expected a finite number");
  expect_binary(0, 3, 3, LW_INVALID,
                "'level.ply': corner 1 of face 0 is 3, expected 0 to 2, the vertices of the file");
  expect_binary(0, 3, -1, LW_INVALID, "'level.ply': corner 1 of face 0 is -1, expected 0 to 2");
  expect_binary(0, 3, INT32_MAX, LW_INVALID, "'level.ply': corner 1 of face 0 is 2147483647, expected 0 to 2");
  expect_binary(0, (uint16_t)-3, 1, LW_INVALID,
                "'level.ply': the count of vertex_indices of face 0 is -3, expected 1 or more");
  expect_binary(0, 0, 1, LW_INVALID, "the count of vertex_indices of face 0 is 0, expected 1 or more");
  expect_binary(0, 4, 1, LW_BAD_FILE, "its header states 1 of element 'face', expected at most 0");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(headers_of_ply_files_are_checked),
      cmocka_unit_test(elements_that_a_ply_file_only_states_are_refused),
      cmocka_unit_test(elements_that_assimp_would_take_for_others_are_refused),
      cmocka_unit_test(numbers_of_vertices_are_of_their_properties_types),
      cmocka_unit_test(corners_of_faces_are_vertices),
      cmocka_unit_test(elements_are_one_line_each),
      cmocka_unit_test(numbers_of_binary_files_are_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
