/* Damaged glTF files: a square with one thing changed gives a message that names it, or the same two triangles. */
#include "hostile_level.h"

#include "core/vec3.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

/* The square's vertices, and its indices in 16 bits, in base64. */
#define VERTICES "AAAAAAAAAAAAAAAAAAAAAAAAAAAAACBBAAAgQQAAAAAAACBBAAAgQQAAAAAAAAAA"
#define INDICES "AAABAAIAAAACAAMA"
#define DATA "data:application/octet-stream;base64,"
#define POSITION_ACCESSOR "{'bufferView':0,'componentType':5126,'count':4,'type':'VEC3'}"
#define INDEX_ACCESSOR "{'bufferView':1,'componentType':5123,'count':6,'type':'SCALAR'}"

/* ' stands for ". */
static const char square[] =
    "{'asset':{'version':'2.0'},\n"
    "'scene':0,'scenes':[{'nodes':[0]}],\n"
    "'nodes':[{'mesh':0}],\n"
    "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'indices':1}]}],\n"
    "'buffers':[{'byteLength':60,'uri':'" DATA VERTICES INDICES "'}],\n"
    "'bufferViews':[{'buffer':0,'byteLength':48},{'buffer':0,'byteOffset':48,'byteLength':12}],\n"
    "'accessors':[\n" POSITION_ACCESSOR ",\n" INDEX_ACCESSOR "]}";

static void put_quotes(char *text) {
  for (char *c = text; *c; ++c)
    if (*c == '\'') *c = '"';
}

/* @param[in,out] json  [4096] `from` is in it once. */
static void change(char *json, const char *from, const char *to) {
  char rest[4096];
  char *at = strstr(json, from);
  if (!at || strstr(at + 1, from)) fail_msg("'%s' is not once in the file", from);
  snprintf(rest, sizeof rest, "%s", at + strlen(from));
  snprintf(at, 4096 - (size_t)(at - json), "%s%s", to, rest);
}

/* The square, changed. @param[out] json  [4096] */
static void make(char *json, const char *from, const char *to) {
  memcpy(json, square, sizeof square);
  change(json, from, to);
}

static void write_json(char *json) {
  put_quotes(json);
  hostile_write_level("level.gltf", json, strlen(json));
}

typedef struct damage {
  const char *from, *to, *message;
} damage;

static void expect_all(const damage *damages, size_t count) {
  char json[4096];
  for (size_t i = 0; i < count; ++i) {
    make(json, damages[i].from, damages[i].to);
    write_json(json);
    hostile_expect_both(LW_BAD_FILE, damages[i].message);
  }
}

#define EXPECT_ALL(damages) expect_all(damages, sizeof damages / sizeof *damages)

/* --- data ------------------------------------------------------------------------------------------------- */

static void numbers_of_another_kind_than_floats_and_indices_are_refused(void **state) {
  (void)state;
  static const damage damages[] = {
      {"'count':4,'type':'VEC3'", "'count':4,'type':'VEC2'",
       "POSITION of primitive 0 of mesh 0 is accessor 0, VEC2 of componentType 5126, expected VEC3 of 5126"},
      {"'VEC3'", "'SCALAR'", "is accessor 0, SCALAR of componentType 5126, expected VEC3 of 5126"},
      {"5126,'count':4,'type':'VEC3'", "5126,'count':3,'type':'VEC4'",
       "VEC4 of componentType 5126, expected VEC3"},
      {"5126", "5125", "is accessor 0, VEC3 of componentType 5125, expected VEC3 of 5126"},
      {"5126", "5122", "is accessor 0, VEC3 of componentType 5122, expected VEC3 of 5126"},
      {"5126", "5124", "line 8 of its JSON: componentType of accessor 0 is no known type, expected 5120, 5121"},
      {"'componentType':5126,", "", "line 8 of its JSON: accessor 0 has no 'componentType'"},
      {"'VEC3'", "'VEC5'", "type of accessor 0 is no known type, expected SCALAR, VEC2, VEC3"},
      {"'VEC3'", "3", "type of accessor 0 is no string"},
      {",'type':'SCALAR'", "", "line 9 of its JSON: accessor 1 has no 'type'"},
      {"5123", "5122",
       "indices of primitive 0 of mesh 0 is accessor 1, SCALAR of componentType 5122, expected SCALAR of 5121, "
       "5123 or 5125"},
      {"5123,'count':6", "5126,'count':3", "SCALAR of componentType 5126, expected SCALAR of 5121"},
      {"'count':6,'type':'SCALAR'", "'count':3,'type':'VEC2'", "VEC2 of componentType 5123, expected SCALAR"},
      {"'count':4", "'count':4,'sparse':{'count':1}",
       "POSITION of primitive 0 of mesh 0 is accessor 0, which is sparse, expected all its data in its "
       "'bufferView'"},
      {"'count':6", "'count':6,'sparse':{}", "indices of primitive 0 of mesh 0 is accessor 1, which is sparse"},
      {"{'bufferView':0,", "{", "is accessor 0, which has no 'bufferView'"},
      {"{'bufferView':1,", "{", "indices of primitive 0 of mesh 0 is accessor 1, which has no 'bufferView'"}};
  EXPECT_ALL(damages);
}

/* Assimp does not add the offset of an accessor. */
static void accessors_beyond_their_view_are_refused(void **state) {
  (void)state;
  static const damage damages[] = {
      {"'count':4", "'byteOffset':4,'count':4",
       "accessor 0 ends at byte 52 of buffer view 0, expected at most 48, its byteLength"},
      {"'count':4", "'count':5", "accessor 0 ends at byte 60 of buffer view 0, expected at most 48"},
      {"'count':4", "'count':4294967294", "accessor 0 ends at byte 51539607528 of buffer view 0"},
      {"'count':6", "'count':9", "accessor 1 ends at byte 18 of buffer view 1, expected at most 12"},
      {"'byteLength':48", "'byteLength':48,'byteStride':16", "accessor 0 ends at byte 60 of buffer view 0"},
      {"'byteLength':48", "'byteLength':48,'byteStride':4",
       "byteStride of buffer view 0 is 4, expected at least 12, an element of accessor 0"},
      {"'byteOffset':48,'byteLength':12", "'byteLength':60,'byteStride':4",
       "byteStride of buffer view 1 is 4, expected none, for accessor 1 holds the indices of primitive 0 of "
       "mesh 0"},
      {"'count':4", "'count':4,'count':400", "line 8 of its JSON: count of accessor 0 is given twice"},
      {"'count':4,", "", "line 8 of its JSON: accessor 0 has no 'count'"},
      {"{'bufferView':0", "{'bufferView':2",
       "bufferView of accessor 0 is 2, expected less than 2, the number of buffer views"}};
  EXPECT_ALL(damages);
}

static void views_beyond_their_buffer_are_refused(void **state) {
  (void)state;
  static const damage damages[] = {
      {"'byteLength':48", "'byteLength':61",
       "buffer view 0 ends at byte 61 of buffer 0, expected at most 60, its byteLength"},
      {"'byteOffset':48", "'byteOffset':4294967294", "buffer view 1 ends at byte 4294967306 of buffer 0"},
      {",'byteLength':48", "", "line 6 of its JSON: buffer view 0 has no 'byteLength'"},
      {"{'buffer':0,'byteL", "{'byteL", "line 6 of its JSON: buffer view 0 has no 'buffer'"},
      {"{'buffer':0,'byteL", "{'buffer':1,'byteL",
       "buffer of buffer view 0 is 1, expected less than 1, the number of buffers"}};
  EXPECT_ALL(damages);
}

/* Assimp reads a letter that is not of base64 as a zero. */
static void buffers_that_are_not_as_long_as_they_say_are_refused(void **state) {
  (void)state;
  static const damage damages[] = {
      {"'byteLength':60", "'byteLength':61",
       "byteLength of buffer 0 is 61, expected 60, the data in its 'uri'"},
      {"'byteLength':60", "'byteLength':59",
       "byteLength of buffer 0 is 59, expected 60, the data in its 'uri'"},
      {"'byteLength':60,", "", "line 5 of its JSON: buffer 0 has no 'byteLength'"},
      {"'byteLength':60", "'byteLength':'60'", "byteLength of buffer 0 is no whole number, expected 0 or more"},
      {INDICES, "", "byteLength of buffer 0 is 60, expected 48, the data in its 'uri'"},
      {INDICES, "AAABAAIAAAAC**MA",
       "line 5 of its JSON: uri of buffer 0 is damaged, expected groups of 4 letters"},
      {INDICES, "AAABAAI=AAACAAMA", "uri of buffer 0 is damaged"},
      {INDICES, "AAABAAIAAAACAAM", "uri of buffer 0 is damaged"},
      {"octet-stream;base64", "octet-stream",
       "uri of buffer 0 is no data in base64, expected 'data:application/"},
      {"octet-stream;",
       "octet-stream-of-a-kind-whose-name-is-longer-than-the-places-that-a-signed-byte-can-count-"
       "in-the-head-of-this-text;",
       "uri of buffer 0 is no data in base64"},
      {"'uri':'", "'uri':7,'x':'", "uri of buffer 0 is no string"}};
  EXPECT_ALL(damages);
}

static void write_number(char *to, uint32_t number) {
  for (int i = 0; i < 4; ++i) to[i] = (char)(number >> 8 * i & 255);
}

/* @param buffer  The member 'buffers'. */
static void write_glb(const char *buffer, const char *data, uint32_t size) {
  char json[4096], file[4200];
  make(json, "{'byteLength':60,'uri':'" DATA VERTICES INDICES "'}", buffer);
  put_quotes(json);
  const uint32_t length = (uint32_t)strlen(json), padded = (length + 3) / 4 * 4;
  memcpy(file, "glTF\2\0\0\0", 8);
  write_number(file + 8, 28 + padded + size);
  write_number(file + 12, padded);
  memcpy(file + 16, "JSON", 4);
  memset(file + 20, ' ', padded);
  memcpy(file + 20, json, length);
  write_number(file + 20 + padded, size);
  memcpy(file + 24 + padded, "BIN", 4);
  memcpy(file + 28 + padded, data, size);
  hostile_write_level("level.glb", file, 28 + padded + size);
}

static const float corners[12] = {0, 0, 0, 0, 0, 10, 10, 0, 10, 10, 0, 0};
static const uint16_t indices[6] = {0, 1, 2, 0, 2, 3};

/* Assimp takes the length of the chunk, and the chunk for the first buffer. */
static void buffers_of_a_binary_file_are_within_its_chunk(void **state) {
  (void)state;
  char data[64] = {0};
  memcpy(data, corners, 48);
  memcpy(data + 48, indices, 12);
  write_glb("{'byteLength':60}", data, 60);
  hostile_expect_both(LW_OK, NULL);
  write_glb("{'byteLength':60}", data, 64);
  hostile_expect_both(LW_OK, NULL);
  write_glb("{'byteLength':60}", data, 56);
  hostile_expect_both(LW_BAD_FILE, "byteLength of buffer 0 is 60, expected at most 56, the data of the file");
  write_glb("{'byteLength':56}", data, 60);
  hostile_expect_both(LW_BAD_FILE, "buffer view 1 ends at byte 60 of buffer 0, expected at most 56");
  write_glb("{'byteLength':60,'uri':'data.bin'}", data, 60);
  hostile_expect_both(LW_BAD_FILE, "buffer 0 has a 'uri', expected none, for it is the data of the .glb file");
}

/* Assimp itself finds a file that is too short. It leaks what it has read, so only by a process of its own. */
static void a_buffer_in_a_file_of_its_own_is_as_long_as_it_says(void **state) {
  (void)state;
  char json[4096], data[60];
  memcpy(data, corners, 48);
  memcpy(data + 48, indices, 12);
  make(json, DATA VERTICES INDICES, "data.bin");
  write_json(json);
  hostile_write("level/data.bin", data, 60);
  hostile_expect_both(LW_OK, NULL);
  hostile_write("level/data.bin", data, 59);
  hostile_expect(LW_BAD_FILE, "byteLength exceeds size of actual data", NULL);
}

/* --- nodes ------------------------------------------------------------------------------------------------ */

/* Assimp ignores what has another length, and reads what is no number as anything. */
static void places_of_nodes_are_finite_numbers(void **state) {
  (void)state;
  static const struct {
    const char *key, *good, *message;
  } members[] = {
      {"matrix", "1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0", "matrix of node 0 is no list of 16 finite numbers"},
      {"rotation", "0,0,0", "rotation of node 0 is no list of 4 finite numbers"},
      {"translation", "0,0", "translation of node 0 is no list of 3 finite numbers"},
      {"scale", "1,1", "line 3 of its JSON: scale of node 0 is no list of 3 finite numbers"}};
  static const char *const last[] = {"", ",1,1", ",'1'", ",null", ",1e999", ",1e39", ",[1]", ",{}", ",nan"};
  char json[4096], node[200];
  for (size_t i = 0; i < sizeof members / sizeof *members; ++i) {
    for (size_t k = 0; k < sizeof last / sizeof *last; ++k) {
      snprintf(node, sizeof node, "{'mesh':0,'%s':[%s%s]}", members[i].key, members[i].good, last[k]);
      make(json, "{'mesh':0}", node);
      write_json(json);
      hostile_expect_both(LW_BAD_FILE, members[i].message);
    }
    snprintf(node, sizeof node, "{'mesh':0,'%s':{}}", members[i].key);
    make(json, "{'mesh':0}", node);
    write_json(json);
    hostile_expect_both(LW_BAD_FILE, members[i].message);
    snprintf(node, sizeof node, "{'mesh':0,'%s':[%s,1]}", members[i].key, members[i].good);
    make(json, "{'mesh':0}", node);
    write_json(json);
    hostile_expect_both(LW_OK, NULL);
  }
}

static void nodes_and_scenes_name_what_exists(void **state) {
  (void)state;
  static const damage damages[] = {
      {"{'mesh':0}", "{'mesh':1}", "mesh of node 0 is 1, expected less than 1, the number of meshes"},
      {"{'mesh':0}", "{'mesh':'0'}", "mesh of node 0 is no whole number, expected 0 or more"},
      {"{'mesh':0}", "{'mesh':0,'children':[\n\n-1]}",
       "line 5 of its JSON: children of node 0 is no whole number, expected 0 or more"},
      {"'nodes':[0]", "'nodes':[1]", "a node of scene 0 is 1, expected less than 1, the number of nodes"},
      {"'nodes':[0]", "'nodes':['0']", "nodes of scene 0 is no whole number, expected 0 or more"},
      {"'scene':0", "'scene':1", "'scene' is 1, expected less than 1, the number of scenes"},
      {"'scene':0", "'scene':'0'", "line 2 of its JSON: scene is no whole number, expected 0 or more"},
      {"'scenes':[{'nodes':[0]}]", "'scenes':[]", "it has no scene, expected one in 'scenes'"}};
  EXPECT_ALL(damages);
}

/* --- lists and objects ------------------------------------------------------------------------------------ */

static void lists_and_objects_are_such(void **state) {
  (void)state;
  static const struct {
    const char *key, *item;
  } lists[] = {{"accessors", "accessor 0"},
               {"bufferViews", "buffer view 0"},
               {"buffers", "buffer 0"},
               {"meshes", "mesh 0"},
               {"scenes", "scene 0"}};
  char json[4096], key[40], to[60], message[100];
  for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i) {
    snprintf(key, sizeof key, "'%s':[", lists[i].key);
    snprintf(to, sizeof to, "'%s':{},'x':[", lists[i].key);
    snprintf(message, sizeof message, "%s is no list", lists[i].key);
    make(json, key, to);
    write_json(json);
    hostile_expect_both(LW_BAD_FILE, message);
    snprintf(to, sizeof to, "'%s':[7,", lists[i].key);
    snprintf(message, sizeof message, "%s is no object", lists[i].item);
    make(json, key, to);
    write_json(json);
    hostile_expect_both(LW_BAD_FILE, message);
  }
}

static void primitives_have_positions_and_corners(void **state) {
  (void)state;
  static const damage damages[] = {
      {"'primitives':[", "'primitives':{},'x':[", "line 4 of its JSON: primitives of mesh 0 is no list"},
      {"'primitives':[", "'x':[", "line 4 of its JSON: mesh 0 has no 'primitives'"},
      {"'primitives':[", "'primitives':[7,", "line 4 of its JSON: primitive 0 of mesh 0 is no object"},
      {"{'POSITION':0}", "[0]", "attributes of primitive 0 of mesh 0 is no object"},
      {"'attributes'", "'x'", "primitive 0 of mesh 0 has no 'attributes'"},
      {"'POSITION'", "'NORMAL'", "line 4 of its JSON: primitive 0 of mesh 0 has no 'POSITION'"},
      {"'POSITION':0", "'POSITION':'0'",
       "POSITION of primitive 0 of mesh 0 is no whole number, expected 0 or more"},
      {"'POSITION':0", "'POSITION':2",
       "POSITION of primitive 0 of mesh 0 is 2, expected less than 2, the number of accessors"},
      {"'indices':1", "'indices':2", "indices of primitive 0 of mesh 0 is 2, expected less than 2, the number"},
      {"'indices':1", "'indices':null", "indices of primitive 0 of mesh 0 is no whole number"},
      {"'count':6", "'count':5", "primitive 0 of mesh 0 has 5 corners, expected a multiple of 3"},
      {"'count':6", "'count':0", "primitive 0 of mesh 0, of mode 4, has 0 corners, expected 3 or more"},
      {"'indices':1", "'indices':1,'mode':2",
       "primitive 0 of mesh 0 is a line loop (mode 2) with indices, expected none"},
      {",'indices':1", "", "primitive 0 of mesh 0 has 4 corners, expected a multiple of 3"}};
  static const int corners_min[] = {1, 2, 2, 2, 3, 3, 3};
  char json[4096], to[60], message[100];
  EXPECT_ALL(damages);
  for (int mode = 0; mode <= 6; ++mode) {
    snprintf(to, sizeof to, "'indices':1,'mode':%d", mode);
    make(json, "'indices':1", to);
    snprintf(to, sizeof to, "'count':%d", corners_min[mode] - 1);
    change(json, "'count':6", to);
    snprintf(message, sizeof message, "primitive 0 of mesh 0, of mode %d, has %d corners, expected %d or more",
             mode, corners_min[mode] - 1, corners_min[mode]);
    write_json(json);
    hostile_expect_both(LW_BAD_FILE, message);
  }
}

/* Assimp leaves such triangles out. Where none is left it says so itself, and leaks what it has read. */
static void indices_that_are_no_vertices_are_refused(void **state) {
  (void)state;
  char json[4096];
  make(json, INDICES, "AAABAAIAAAACAAQA");
  write_json(json);
  hostile_expect_both(LW_BAD_FILE,
                      "triangles with an index that is no vertex: 1 of 2, expected indices less than "
                      "the count of their primitive's POSITION");
  change(json, "[{\"mesh\":0}]", "[{\"children\":[1,2]},{\"mesh\":0},{\"mesh\":0},{\"mesh\":0}]");
  change(json, "[{\"nodes\":[0]}]", "[{\"nodes\":[0,1,1]},{\"nodes\":[3]}]");
  write_json(json);
  hostile_expect_both(LW_BAD_FILE, "triangles with an index that is no vertex: 4 of 8");
  make(json, INDICES, "BAAEAAQABAAEAAQA");
  write_json(json);
  hostile_expect(LW_BAD_FILE, "Assimp says 'Mesh \"meshes[0]\" has no faces'", NULL);
}

/* The line of a number is counted only where it is wrong: counted each time, these take 20 s. */
static void many_accessors_take_little_time(void **state) {
  (void)state;
  hostile_text json = {0};
  hostile_put(&json, "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{}],\"accessors\":[");
  for (int i = 0; i < 20000; ++i)
    hostile_put(&json, "%s{\"componentType\":5126,\n\"count\":1,\n\"type\":\"SCALAR\"}", i > 0 ? "," : "");
  hostile_put(&json, "]}");
  hostile_write_level("level.gltf", json.data, json.size);
  const clock_t start = clock();
  hostile_expect(LW_EMPTY, "holds no triangles", NULL);
  assert_true(clock() - start < 2 * CLOCKS_PER_SEC);
  free(json.data);
}

/* --- what is right ---------------------------------------------------------------------------------------- */

/* @param json  [4096] */
static void expect_square(char *json) {
  lw_area_table *areas = NULL;
  lw_geometry *geometry = NULL;
  lw_error error = {0};
  lw_area_def ground = lw_area_def_default();
  ground.name = "ground";
  write_json(json);
  assert_int_equal(lw_area_table_create(NULL, &areas), LW_OK);
  assert_int_equal(lw_area_table_set(areas, &ground, NULL, NULL), LW_OK);
  assert_int_equal(lw_geometry_create(areas, NULL, &geometry), LW_OK);
  if (lw_geometry_load(geometry, hostile_file, NULL, &error)) fail_msg("%s\n%s", error.text, json);
  assert_int_equal(lw_geometry_triangle_count(geometry), 2);
  for (int i = 0; i < 6; ++i) {
    const float *corner = corners + 3 * indices[i];
    const lw_vec3 v = lw_geometry_vertices(geometry)[lw_geometry_indices(geometry)[i]];
    if (!lwi_equal(v, lwi_vec3(corner[0], corner[1], corner[2])))
      fail_msg("corner %d is (%g, %g, %g)\n%s", i, (double)v.x, (double)v.y, (double)v.z, json);
  }
  lw_geometry_destroy(geometry);
  lw_area_table_destroy(areas);
}

/* As Blender, trimesh, obj2gltf and others write it. */
static void what_is_valid_gives_the_same_triangles(void **state) {
  (void)state;
  static const char identity[] = "[1,0,0,0, 0,1,0,0, 0,0,1.0e0,0, -0,0,0,1]";
  char json[4096], node[200];
  static const char *const changes[][2] = {
      {"'byteLength':48", "'byteLength':48,'byteStride':12,'target':34962"},
      {"'byteOffset':48,'byteLength':12", "'byteOffset':48,'byteLength':12,'byteStride':0,'target':34963"},
      {"'byteLength':48", "'byteLength':60"},
      {"'scene':0,", ""},
      {"'scene':0,'scenes':[", "'scene':1,'scenes':[{'name':'other'},"},
      {"{'mesh':0}", "{'mesh':0,'translation':[0,0,0],'rotation':[0,0,0,1],'scale':[1,1.0,1e0]}"},
      {INDEX_ACCESSOR, INDEX_ACCESSOR ",{'count':3,'componentType':5121,'type':'MAT2'}"},
      {"'indices':1", "'indices':1,'mode':4,'targets':[]"},
      {"'POSITION':0", "'POSITION':0,'_H\\u00d6HE':1"},
      {"'accessors':[", "'extras':{'accessors':7},'cameras':[],'accessors':[ "}};
  for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i) {
    make(json, changes[i][0], changes[i][1]);
    expect_square(json);
  }
  snprintf(node, sizeof node, "{'mesh':0,'matrix':%s}", identity);
  make(json, "{'mesh':0}", node);
  expect_square(json);
}

/* Assimp crashes on a skin without matrices, and reads the data of sparse accessors beyond the end of their views. */
static void bones_and_shape_keys_are_left_out(void **state) {
  (void)state;
  static const char *const sparse[] = {
      "'sparse':{'count':1,'indices':{'bufferView':1,'componentType':5123},'values':{'bufferView':0}}",
      "'sparse' : "
      "{'count':900000000,'indices':{'bufferView':1,'componentType':5123},'values':{'bufferView':0}}"};
  char json[4096], accessors[400];
  for (int i = 0; i < 2; ++i) {
    make(json, "{'mesh':0}", "{'mesh':0,'skin'\n: 0}");
    change(json, "'accessors':", "'skins':[{'joints':[0]}],'accessors':");
    change(json, "'POSITION':0", "'POSITION':0,'JOINTS_0':2,'WEIGHTS_0':2");
    change(json, "'indices':1", "'indices':1,'targets':[{'POSITION':3}]");
    snprintf(accessors, sizeof accessors, "%s,{'componentType':5121,'count':4,'type':'VEC4'},{%s,%s}",
             INDEX_ACCESSOR, "'componentType':5126,'count':4,'type':'VEC3'", sparse[i]);
    change(json, INDEX_ACCESSOR, accessors);
    expect_square(json);
  }
  make(json, "{'mesh':0}", "{'mesh':0,'sk\\u0069n':0}");
  write_json(json);
  hostile_expect_both(LW_BAD_FILE, "expected keys without escape sequences");
}

static void bytes_may_be_laid_out_otherwise(void **state) {
  (void)state;
  static const char interleaved[] =
      "AAAAAAAAgD8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAACBBAAAAAAAAgD8AAAAAAAAgQQAAAAAAACBBAAAAAAAA"
      "gD8AAAAAAAAgQQAAAAAAAAAA" INDICES;
  static const char no_indices[] =
      "AAAAAAAAAAAAAAAAAAAAAAAAAAAAACBBAAAgQQAAAAAAACBBAAAAAAAAAAAAAAAAAAAgQQAAAAAAACBBAAAgQQAAAAAAAAAA";
  char json[4096];
  make(json, VERTICES INDICES, interleaved);
  change(json, "'byteLength':60", "'byteLength':108");
  change(json, "'byteLength':48", "'byteLength':96,'byteStride':24");
  change(json, "'byteOffset':48", "'byteOffset':96");
  change(json, "'bufferView':0", "'bufferView':0,'byteOffset':12");
  expect_square(json);
  make(json, VERTICES INDICES, no_indices);
  change(json, "'byteLength':60", "'byteLength':72");
  change(json, "'byteLength':48", "'byteLength':72");
  change(json, "'count':4", "'count':6");
  change(json, ",'indices':1", "");
  expect_square(json);
  make(json, INDICES, "AAECAAID");
  change(json, "'byteLength':60", "'byteLength':54");
  change(json, "'byteLength':12", "'byteLength':6");
  change(json, "5123", "5121");
  expect_square(json);
  make(json, INDICES, "AAAAAAEAAAACAAAAAAAAAAIAAAADAAAA");
  change(json, "'byteLength':60", "'byteLength':72");
  change(json, "'byteLength':12", "'byteLength':24");
  change(json, "5123", "5125");
  expect_square(json);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_of_another_kind_than_floats_and_indices_are_refused),
      cmocka_unit_test(accessors_beyond_their_view_are_refused),
      cmocka_unit_test(views_beyond_their_buffer_are_refused),
      cmocka_unit_test(buffers_that_are_not_as_long_as_they_say_are_refused),
      cmocka_unit_test(buffers_of_a_binary_file_are_within_its_chunk),
      cmocka_unit_test(a_buffer_in_a_file_of_its_own_is_as_long_as_it_says),
      cmocka_unit_test(places_of_nodes_are_finite_numbers),
      cmocka_unit_test(nodes_and_scenes_name_what_exists),
      cmocka_unit_test(lists_and_objects_are_such),
      cmocka_unit_test(primitives_have_positions_and_corners),
      cmocka_unit_test(indices_that_are_no_vertices_are_refused),
      cmocka_unit_test(many_accessors_take_little_time),
      cmocka_unit_test(what_is_valid_gives_the_same_triangles),
      cmocka_unit_test(bones_and_shape_keys_are_left_out),
      cmocka_unit_test(bytes_may_be_laid_out_otherwise),
  };
  return cmocka_run_group_tests(tests, hostile_set_up, hostile_tear_down);
}
