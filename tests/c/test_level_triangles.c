/* PLY, OFF and OBJ files as programs write them, or people: the triangles are those of the file. What is refused
   instead: test_ply_check, test_off_check, test_hostile_formats. */
#include "hostile_level.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Of a square whose corners are 1 0 1, 1 0 0, 0 0 0 and 0 0 1: the triangles 0 1 2 and 0 2 3. */
static const float square[18] = {1, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1};

static void expect_square(const char *name, const void *data, size_t size) {
  hostile_write_level(name, data, size);
  hostile_expect_triangles(square, 2);
}

/* @param from  Each of its bytes in `data` becomes `to`. */
static void expect_square_with(const char *name, const char *data, char from, const char *to) {
  hostile_text text = {0};
  for (const char *at = data; *at; ++at) {
    const char same[2] = {*at, 0};
    hostile_put(&text, "%s", *at == from ? to : same);
  }
  expect_square(name, text.data, text.size);
  free(text.data);
}

static void expect_square_with_any_ends(const char *name, const char *data) {
  expect_square_with(name, data, '\n', "\n");
  expect_square_with(name, data, '\n', "\r\n");
  expect_square_with(name, data, '\n', "\r");
}

/* --- PLY -------------------------------------------------------------------------------------------------- */

#define XYZ "property float x\nproperty float y\nproperty float z\n"
#define FACES "element face 2\nproperty list uchar int vertex_indices\n"
#define POINTS "1 0 1\n1 0 0\n0 0 0\n0 0 1\n"

static void ascii_ply_files_keep_their_triangles(void **state) {
  (void)state;
  static const char *const files[] = {
      "ply\nformat ascii 1.0\nelement vertex 4\n" XYZ FACES "end_header\n" POINTS "3 0 1 2\n3 0 2 3\n",
      /* Blender: normals, colours and a quad, which is cut in two. */
      "ply\nformat ascii 1.0\ncomment Created by Blender 4.2.1\nelement vertex 4\n" XYZ
      "property float nx\nproperty float ny\nproperty float nz\nproperty uchar red\nproperty uchar green\n"
      "property uchar blue\nproperty uchar alpha\nelement face 1\nproperty list uchar uint vertex_indices\n"
      "end_header\n1 0 1 0 1 0 255 255 255 255\n1 0 0 nan nan nan 0 0 0 255\n0 0 0 0 1 0 1 2 3 4\n"
      "0 0 1 -0 1 -0 9 8 7 6\n4 0 1 2 3\n",
      /* MeshLab: blanks at ends of lines, flags, qualities, texture coordinates and colours of faces. */
      "ply\nformat ascii 1.0\ncomment VCGLIB generated\ncomment TextureFile floor.png\nelement vertex 4\n" XYZ
      "property int flags\nproperty double quality\nelement face 2\nproperty list uchar int vertex_indices\n"
      "property list uchar float texcoord\nproperty int texnumber\nproperty uchar red\nend_header\n"
      "1 0 1 0 0.5 \n1 0 0 -1 inf \n0 0 0 0 -1e-3 \n0 0 1 0 0 \n3 0 1 2 6 0 0 0 1 1 1 0 255 \n3 0 2 3 0 -1 0 "
      "\n",
      /* Unlike most: doubles, signed counts, edges between, an element of another name behind, faces of less than
         three corners, and empty lines. */
      "ply\nformat ascii 1.0\nobj_info here\nelement vertex 4\nproperty double z\nproperty double y\n"
      "property short x\nelement edge 1\nproperty int vertex1\nproperty int vertex2\ncomment and\n"
      "element face 4\nproperty int tag\nproperty list int16 uint8 vertex_index\n"
      "element camera 1\nproperty float view\nend_header\n"
      "1.0e+00 0. 1\n\n.0 0 +1\n0 -0 0\n\t1 0 0\n0 1\n-7 3 0 1 2\n+7 3 0 2 3\n0 2 0 1\n0 1 3\n\n45.5\n"};
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i)
    expect_square_with("level.ply", files[i], '\n', "\n");
  for (size_t i = 0; i < 3; ++i) expect_square_with_any_ends("level.ply", files[i]);
}

/* Assimp alone would read "3 0 2 302" from the last line of the first file: it writes lines over each other. */
static void a_last_line_without_its_end_is_read_as_it_stands(void **state) {
  (void)state;
  static const char ply[] =
      "ply\nformat ascii 1.0\nelement vertex 4\n" XYZ FACES "end_header\n" POINTS "3 0 1 0002\n3 0 2 3";
  expect_square_with("level.ply", ply, '\n', "\n");
  expect_square_with("level.off", "OFF\n4 2 0\n" POINTS "3 0 1 2\n3 0 2 3", '\n', "\n");
  expect_square_with("level.obj", "v 1 0 1\nv 1 0 0\nv 0 0 0\nv 0 0 1\nf 1 2 3\nf 1 3 4", '\n', "\n");
}

static void put_bytes(hostile_text *to, uint32_t bits, int size, bool big) {
  hostile_put(to, "%*s", size, "");
  for (int i = 0; i < size; ++i)
    to->data[to->size - 1 - (size_t)(big ? i : size - 1 - i)] = (char)(bits >> 8 * i);
}

/* @param first  Bits of the first number, which is not used. */
static void expect_binary(bool big, const char *ends, uint32_t first) {
  static const uint8_t corners[2][3] = {{0, 1, 2}, {0, 2, 3}};
  static const float points[4][3] = {{1, 0, 1}, {1, 0, 0}, {0, 0, 0}, {0, 0, 1}};
  static const char *const lines[] = {
      "comment here",     "element vertex 4", "property uint id", "property float x",
      "property float y", "property float z", "element face 2",   "property list uchar int vertex_indices",
      "property uchar a", "end_header"};
  hostile_text text = {0};
  hostile_put(&text, "ply%sformat binary_%s_endian 1.0%s", ends, big ? "big" : "little", ends);
  for (size_t i = 0; i < sizeof lines / sizeof *lines; ++i) hostile_put(&text, "%s%s", lines[i], ends);
  for (int i = 0; i < 4; ++i) {
    put_bytes(&text, i == 0 ? first : 0, 4, big);
    for (int axis = 0; axis < 3; ++axis) {
      uint32_t bits;
      memcpy(&bits, &points[i][axis], sizeof bits);
      put_bytes(&text, bits, 4, big);
    }
  }
  for (int i = 0; i < 2; ++i) {
    put_bytes(&text, 3, 1, big);
    for (int k = 0; k < 3; ++k) put_bytes(&text, corners[i][k], 4, big);
    put_bytes(&text, 255, 1, big);
  }
  expect_square("level.ply", text.data, text.size);
  free(text.data);
}

/* Where the first byte is 10, Assimp alone would leave it out. */
static void binary_ply_files_keep_their_triangles(void **state) {
  (void)state;
  for (int big = 0; big < 2; ++big)
    for (uint32_t first = 0; first <= 13; ++first) {
      const uint32_t bits = first << (big ? 24 : 0);
      expect_binary(big, "\n", bits);
      expect_binary(big, "\r\n", bits);
      if (first != 10) expect_binary(big, "\r", bits); /* else the end would be \r\n */
    }
}

/* --- OFF -------------------------------------------------------------------------------------------------- */

static void off_files_keep_their_triangles(void **state) {
  (void)state;
  expect_square_with_any_ends("level.off", "OFF\n4 2 0\n" POINTS "3 0 1 2\n3 0 2 3 255 0 0\n");
  expect_square_with_any_ends("level.off", "COFF 4 1 0\n1 0 1 0 0 0 1\n1 0 0 0 0 0 1\n0 0 0 1 1 1 1\n"
                                           "0 0 1 0 0 0 1\n4 0 1 2 3\n");
  expect_square_with_any_ends("level.off", "COFF 4 1 0\n1 0 1 0# grey\n1 0 0 0 0 0#\n0 0 0 1 1 1 1 # c\n"
                                           "0 0 1 0 0 0 1\n4 0 1 2 3\n");
  expect_square_with_any_ends("level.off",
                              "OFF # a\f9 9 9\n# b\n4 2 0 # c\n\n# d\n1 0 1 # e\n#f\n1 0 0\n0 0 0\n \n0 0 1\n"
                              "\n\t# 3 0 1 3\n3 0 1 2 # g\n# h\n\n3 0 2 3\n# i");
}

/* Assimp alone cuts it from its second corner, outside of it: into triangles of 42 m2 instead of 18. */
static void a_concave_quad_is_cut_inside(void **state) {
  (void)state;
  static const char off[] = "OFF\n4 1 0\n1 0 0\n9 0 10\n7 0 0\n7 0 4\n4 0 1 2 3\n";
  static const float inside[18] = {7, 0, 4, 1, 0, 0, 9, 0, 10, 7, 0, 4, 9, 0, 10, 7, 0, 0};
  hostile_write_level("level.off", off, sizeof off - 1);
  hostile_expect_triangles(inside, 2);
}

/* --- OBJ -------------------------------------------------------------------------------------------------- */

static void obj_files_keep_their_triangles(void **state) {
  (void)state;
  static const char *const files[] = {
      "v 1 0 1\nv 1 0 0\nv 0 0 0\nv 0 0 1\nf 1 2 3\nf 1 3 4\n",
      "\xEF\xBB\xBFv 1 0 1\nv 1 0 0\nv 0 0 0\nv 0 0 1\nf 1 2 3\nf 1 3 4\n",
      "\xEF\xBB\xBF# comment\nv 1 0 1 1\nv 2 0 0 2\nv 0 0 0 0 1 1\nv\t0 -.0 1e0\nf -4// -3// -2//\nf 1 3 4\n",
      "v 1 0 1\nv 1 0 0\nv 0 0 0\nv 0 0 1\nvn 0 1 0\nvt 0 0\ncstype a\nend\nfo 1/1/1 2/1 3//1\nf 1 3 4\n",
      "v 1 0 1\nv 1 0 0\nv 0 0 0\nv 0 0 1\nvn 0 1 0\nf 1//1 2//1 3//1\nvt 0 0 0\nf 1/1/1 3/1/1 4/1/1\n",
      "f 1 2 3 4\nv 1 0 1\r\n\r\nv 1 0 0\n\nv 0 0 0\rv 0 0 1"};
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) expect_square_with_any_ends("level.obj", files[i]);
  static const char joined[] =
      "v \\\n1 0 \\\n1\nv 1 0 0\nv 0 0 0\nv 0 0 \\\n1\\\n.0\nf 1 2 \\\n3\nf 1 \\\n3 \\\n4\n";
  expect_square_with("level.obj", joined, '\n', "\n");
  expect_square_with("level.obj", joined, '\n', "\r\n");
}

static void expect_obj(const char *data, lw_status status, const char *message) {
  hostile_write_level("level.obj", data, strlen(data));
  hostile_expect_both(status, message);
}

#define VERTICES "v 1 0 1\nv 1 0 0\nv 0 0 0\nv 5 5 5\n"

/* Most would make Assimp leave out a vertex, and take the next ones for others. */
static void what_assimp_reads_otherwise_in_an_obj_file_is_refused(void **state) {
  (void)state;
  expect_obj("v 0 0 0 1 2\n" VERTICES "f 1 2 3\n", LW_INVALID,
             "obj:1: vertex 1 has 5 numbers, expected 3, 4 or 6");
  expect_obj("v 0 0 0 1 1 1 1\n" VERTICES "f 1 2 3\n", LW_INVALID, "obj:1: vertex 1 has 7 numbers, expected 3");
  expect_obj("v 0 0 0 nan 1 note\n" VERTICES "f 1 2 3\n", LW_INVALID, "obj:1: vertex 1 has 5 numbers");
  expect_obj("v 0 .5 0\n" VERTICES "f 1 2 3\n", LW_INVALID,
             "obj:1: vertex 1 has '.5', expected a digit before");
  expect_obj("v 0 1 0 .5 1\n" VERTICES "f 1 2 3\n", LW_INVALID, "obj:1: vertex 1 has '.5', expected a digit");
  expect_obj("v 0 100000000000000000000 0\n" VERTICES "f 1 2 3\n", LW_INVALID,
             "obj:1: y of vertex 1 is '100000000000000000000', expected a finite number");
  expect_obj("v\n" VERTICES "f 1 2 3\n", LW_INVALID, "obj:1: x of vertex 1 is ''");
  expect_obj(" v 0 0 0\n" VERTICES "f 1 2 3\n", LW_BAD_FILE,
             "obj:1: the line begins with a blank, expected 'v' or 'f'");
  expect_obj(VERTICES "\tf 1 2 3\nf 1 2 4\n", LW_BAD_FILE,
             "obj:5: the line begins with a blank, expected 'v' or 'f'");
  expect_obj(VERTICES "f +1 2 3\n", LW_INVALID, "obj:5: a face's corner is '+1', expected an index");
  expect_obj(VERTICES "f 1 02 3\n", LW_INVALID, "obj:5: a face's corner is '02', expected an index");
  expect_obj(VERTICES "f 1 2 3 # note\n", LW_INVALID, "obj:5: a face's corner is '#', expected an index");
  expect_obj(VERTICES "f 1 2 4294967299\n", LW_INVALID, "obj:5: a face's corner is '4294967299', expected");
  expect_obj(VERTICES "foo 1 2 3\nf 1 2 3\n", LW_BAD_FILE,
             "obj:5: the line begins with 'f', expected 'f' alone for a face");
  expect_obj(
      VERTICES "vn 0 1 0\nf 1/1/1 2/1/1 3/1/1\nf 1 2 4\n", LW_INVALID,
      "obj:6: a face's corner is '1/1/1', expected at most a vertex, texture coordinates if there are some");
  expect_obj(VERTICES "f 1/1/1/1 2 3\nf 1 2 4\n", LW_INVALID, "obj:5: a face's corner is '1/1/1/1', expected");
  expect_obj(VERTICES "cstype bezier\nf 1 2 3\nend\nf 1 2 4\n", LW_BAD_FILE,
             "obj:6: a vertex or face is behind 'cstype', expected 'end' before");
  expect_obj("# C:\\levels\\\n" VERTICES "f 1 2 3\n", LW_BAD_FILE, "obj:1: the comment ends in '\\'");
  expect_obj("v 0 0 \\\n\n0\n" VERTICES "f 1 2 3\n", LW_BAD_FILE, "obj:1: the line ends in '\\', expected \\n");
  expect_obj("v 0 0 \\\n\\\n0\n" VERTICES "f 1 2 3\n", LW_BAD_FILE, "obj:1: the line ends in '\\'");
  expect_obj("v 0 0 \\\r0\r" VERTICES "f 1 2 3\n", LW_BAD_FILE, "obj:1: the line ends in '\\'");
  expect_obj("v 0 0 \\ \n0\n" VERTICES "f 1 2 3\n", LW_INVALID, "obj:1: z of vertex 1 is '\\'");
  expect_obj("v 0 0 0\rv 1 0\r" VERTICES "f 1 2 3\r", LW_INVALID, "obj:2: z of vertex 2 is ''");
  expect_obj("v 0 0 \\\n0\nv 1 0\n" VERTICES "f 1 2 3\n", LW_INVALID, "obj:3: z of vertex 2 is ''");
}

static void bytes_and_capitals_that_begin_no_statement_are_refused(void **state) {
  (void)state;
  static const char not_text[] = "not an OBJ file: it has bytes that are not text";
  expect_obj(VERTICES "f 1 2 3\vf 1 2 4\n", LW_BAD_FILE, not_text);
  expect_obj(VERTICES "f 1 2 3\n#\f\nf 1 2 4\n", LW_BAD_FILE, not_text);
  expect_obj(VERTICES "f 1 2 3\n\xC2\xA0"
                      "f 1 2 4\n",
             LW_BAD_FILE, "obj:6: the line begins with a word that is not ASCII, expected a statement of OBJ");
  expect_obj(VERTICES "f 1 2 3\nv\xA0 1 2 4\n", LW_BAD_FILE, "obj:6: the line begins with a word");
  expect_obj(VERTICES "f 1 2 3\nf 1 2\xC2\xA0"
                      "4\n",
             LW_INVALID, "obj:6: a face's corner is '2");
  expect_obj(VERTICES "f 1 2 3\nF 1 2 4\n", LW_BAD_FILE,
             "obj:6: the line begins with a capital letter, expected 'v' or 'f'");
  expect_obj("V 0 0 0\n" VERTICES "f 1 2 3\n", LW_BAD_FILE, "obj:1: the line begins with a capital letter");
  expect_obj("# \xC2\xA0\n#\xC3\xA9t\xC3\xA9\n" VERTICES "usemtl sol\xC2\xA0gris\nf 1 2 3\n", LW_OK, NULL);
}

static void a_divisor_is_above_zero(void **state) {
  (void)state;
  static const char *const wrong[] = {"0", "-1", "0e5", "nan", "inf", "1e39", "-0.5"};
  static const char *const good[] = {"1", "0.5", "1e-3", "2."};
  char data[200], message[100];
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    snprintf(data, sizeof data, "v 0 0 0 %s\n" VERTICES "f 1 2 3\n", wrong[i]);
    snprintf(message, sizeof message,
             "obj:1: w of vertex 1, which divides the others, is '%s', expected a number", wrong[i]);
    expect_obj(data, LW_INVALID, message);
  }
  for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
    snprintf(data, sizeof data, "v 0 0 0 %s\n" VERTICES "f 1 2 3\n", good[i]);
    expect_obj(data, LW_OK, NULL);
  }
}

/* Assimp takes those beyond an int for negative, and leaves the face out. */
static void indices_of_texture_coordinates_and_normals_are_ints(void **state) {
  (void)state;
  static const char *const wrong[] = {"1/2147483648", "1//2147483648", "1/0/1",     "1/01",
                                      "1/a",          "1/1/+1",        "2147483648"};
  char data[200], message[100];
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    snprintf(data, sizeof data, VERTICES "vt 0 0\nvn 0 1 0\nf 1 2 3\nf 1/1/1 2/1/1 %s\n", wrong[i]);
    snprintf(message, sizeof message, "obj:8: a face's corner is '%s', expected an index", wrong[i]);
    expect_obj(data, LW_INVALID, message);
  }
}

/* 40,000 take Assimp 3 s and 1.4 GB. */
static void more_materials_than_can_be_looked_through_are_refused(void **state) {
  (void)state;
  hostile_text text = {0};
  hostile_put(&text, VERTICES);
  for (int i = 0; i < 5000; ++i) hostile_put(&text, "usemtl m%d \nf 1 2 3\n", i % 2500);
  hostile_write_level("level.obj", text.data, text.size);
  hostile_expect(LW_OK, NULL, NULL);
  for (int i = 0; i < 5000; ++i) hostile_put(&text, "usemtl m%d\nf 1 2 3\n", i);
  hostile_write_level("level.obj", text.data, text.size);
  hostile_expect_both(LW_BAD_FILE, "it names more than 4096 materials, expected at most these");
  free(text.data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ascii_ply_files_keep_their_triangles),
      cmocka_unit_test(a_last_line_without_its_end_is_read_as_it_stands),
      cmocka_unit_test(binary_ply_files_keep_their_triangles),
      cmocka_unit_test(off_files_keep_their_triangles),
      cmocka_unit_test(a_concave_quad_is_cut_inside),
      cmocka_unit_test(obj_files_keep_their_triangles),
      cmocka_unit_test(what_assimp_reads_otherwise_in_an_obj_file_is_refused),
      cmocka_unit_test(bytes_and_capitals_that_begin_no_statement_are_refused),
      cmocka_unit_test(a_divisor_is_above_zero),
      cmocka_unit_test(indices_of_texture_coordinates_and_normals_are_ints),
      cmocka_unit_test(more_materials_than_can_be_looked_through_are_refused),
  };
  return cmocka_run_group_tests(tests, hostile_set_up, hostile_tear_down);
}
