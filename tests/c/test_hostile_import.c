/* Level files made to read other files, to end the process, or to take all of its memory or time. */
#include "leeward/geometry.h"

#include "geometry/gltf_check.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static lw_area_table *areas;
static char root[] =
    "/tmp/leeward_hostile_XXXXXX"; /* root/level: the level's folder; root/secret.bin: beside it */
static char file[256];

/* --- files ------------------------------------------------------------------------------------------------ */

static const char *path_of(const char *name) {
  static char path[512];
  snprintf(path, sizeof path, "%s/%s", root, name);
  return path;
}

static void write_bytes(const char *name, const void *data, size_t size) {
  FILE *to = fopen(path_of(name), "wb");
  assert_non_null(to);
  assert_int_equal(fwrite(data, 1, size, to), size);
  assert_int_equal(fclose(to), 0);
}

static const float triangle[9] = {0, 0, 0, 1, 0, 1, 1, 0, 0};
#define IN_FILE "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAIA/AACAPwAAAAAAAAAA"
#define ONE_NODE "[{\"mesh\":0}]"

/* A glTF file of one triangle. @param nodes  Their list. @param uri  Of the triangle. */
static void write_gltf(const char *nodes, const char *uri) {
  snprintf(file, sizeof file, "%s/level/level.gltf", root);
  FILE *to = fopen(file, "wb");
  assert_non_null(to);
  fprintf(to,
          "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":%s,"
          "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
          "\"buffers\":[{\"byteLength\":36,\"uri\":\"%s\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
          "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","
          "\"min\":[0,0,0],\"max\":[1,0,1]}]}",
          nodes, uri);
  assert_int_equal(fclose(to), 0);
}

/* A Collada file of one triangle. @param library  Of nodes. @param nodes  Of its scene. */
static void write_dae(const char *library, const char *nodes) {
  snprintf(file, sizeof file, "%s/level/level.dae", root);
  FILE *to = fopen(file, "wb");
  assert_non_null(to);
  fprintf(
      to,
      "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
      "version=\"1.4.1\"><library_geometries><geometry id=\"g\"><mesh><source id=\"p\">"
      "<float_array id=\"a\" count=\"9\">0 0 0 1 0 1 1 0 0</float_array><technique_common>"
      "<accessor source=\"#a\" count=\"3\" stride=\"3\"><param name=\"X\" type=\"float\"/>"
      "<param name=\"Y\" type=\"float\"/><param name=\"Z\" type=\"float\"/></accessor></technique_common>"
      "</source><vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>"
      "<triangles count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 1 2</p></triangles>"
      "</mesh></geometry></library_geometries><library_nodes>%s</library_nodes><library_visual_scenes>"
      "<visual_scene id=\"s\">%s</visual_scene></library_visual_scenes><scene>"
      "<instance_visual_scene url=\"#s\"/></scene></COLLADA>",
      library, nodes);
  assert_int_equal(fclose(to), 0);
}

static void write_level(const char *name, const void *data, size_t size) {
  snprintf(file, sizeof file, "%s/level/%s", root, name);
  char inside[64];
  snprintf(inside, sizeof inside, "level/%s", name);
  write_bytes(inside, data, size);
}

/* A text that grows. */
typedef struct text {
  char *data;
  size_t size, capacity;
} text;

static void put(text *to, const char *format, ...) {
  va_list arguments;
  if (to->size + 256 > to->capacity) {
    to->capacity = 2 * to->capacity + 4096;
    assert_non_null(to->data = realloc(to->data, to->capacity));
  }
  va_start(arguments, format);
  to->size += (size_t)vsnprintf(to->data + to->size, 256, format, arguments);
  va_end(arguments);
}

static int set_up(void **state) {
  (void)state;
  lw_area_def def = lw_area_def_default();
  def.name = "ground";
  if (!mkdtemp(root) || lw_area_table_create(NULL, &areas)) return -1;
  if (lw_area_table_set(areas, &def, NULL, NULL)) return -1;
  return mkdir(path_of("level"), 0700) || mkdir(path_of("level/parts"), 0700) || mkdir(path_of("shared"), 0700);
}

static int tear_down(void **state) {
  (void)state;
  char command[256];
  lw_area_table_destroy(areas);
  snprintf(command, sizeof command, "rm -rf '%s'", root);
  return system(command);
}

/* --- loading ---------------------------------------------------------------------------------------------- */

static lw_error error;

static lw_status load(const lw_geometry_import *import) {
  lw_geometry *geometry = NULL;
  assert_int_equal(lw_geometry_create(areas, NULL, &geometry), LW_OK);
  error = (lw_error){0};
  lw_status status = lw_geometry_load(geometry, file, import, &error);
  assert_int_equal(status == LW_OK, lw_geometry_triangle_count(geometry) > 0);
  lw_geometry_destroy(geometry);
  return status;
}

static void expect(lw_status expected, const char *message, const lw_geometry_import *import) {
  const lw_status status = load(import);
  if (status != expected || (message && !strstr(error.text, message)))
    fail_msg("%s: got %s '%s', expected %s '%s'", file, lw_status_name(status), error.text,
             lw_status_name(expected), message);
}

/* What is checked before Assimp sees the file, or between its steps, is so in either process. */
static void expect_both(lw_status status, const char *message) {
  const lw_geometry_import here = {.in_process = true};
  expect(status, message, NULL);
  expect(status, message, &here);
}

/* --- other files ------------------------------------------------------------------------------------------ */

static void a_reference_out_of_the_level_s_folder_is_refused(void **state) {
  (void)state;
  char outside[300];
  write_bytes("secret.bin", triangle, sizeof triangle);
  snprintf(outside, sizeof outside, "%s/secret.bin", root);
  assert_int_equal(symlink("../secret.bin", path_of("level/out")), 0);
  assert_int_equal(symlink("/dev/zero", path_of("level/zero")), 0);
  assert_int_equal(mkfifo(path_of("level/fifo"), 0600), 0);
  static const char elsewhere[] = "which is not in the level's folder, nor in `allowed`";
  write_gltf(ONE_NODE, "../secret.bin");
  expect_both(LW_BAD_FILE, elsewhere);
  write_gltf(ONE_NODE, "parts/../../secret.bin");
  expect_both(LW_BAD_FILE, elsewhere);
  write_gltf(ONE_NODE, "../../../../../../../../../../etc/passwd");
  expect_both(LW_BAD_FILE, elsewhere);
  write_gltf(ONE_NODE, "../../../../../../../../../../dev/zero");
  expect_both(LW_BAD_FILE, elsewhere);
  write_gltf(ONE_NODE, "out");
  expect_both(LW_BAD_FILE, elsewhere);
  write_gltf(ONE_NODE, "zero");
  expect_both(LW_BAD_FILE, elsewhere);
  write_gltf(ONE_NODE, "fifo");
  expect_both(LW_BAD_FILE, "which cannot be read: it is not an ordinary file");
  write_gltf(ONE_NODE, "parts");
  expect_both(LW_BAD_FILE, "which cannot be read: it is a directory");
  write_gltf(ONE_NODE, outside);
  expect_both(LW_BAD_FILE, elsewhere);
  write_gltf(ONE_NODE, "nothing.bin");
  expect_both(LW_BAD_FILE, "it refers to 'nothing.bin', which does not exist");
}

static void escapes_of_a_reference_are_decoded(void **state) {
  (void)state;
  static const char *const good[] = {"my%20buffer.bin",     "my buffer.bin", "%6D%79%20buffer.bi%6e",
                                     "%2e/my%20buffer.bin", "100%.bin",      "%zz%2.bin",
                                     "un%20escaped.bin",    "%C3%BC.bin",    "file%00.bin"};
  static const char *const names[] = {"my buffer.bin",    "100%.bin",     "%zz%2.bin",
                                      "un%20escaped.bin", "\xC3\xBC.bin", "file%00.bin"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    char inside[64];
    snprintf(inside, sizeof inside, "level/%s", names[i]);
    write_bytes(inside, triangle, sizeof triangle);
  }
  for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
    write_gltf(ONE_NODE, good[i]);
    expect_both(LW_OK, NULL);
  }
  write_bytes("secret.bin", triangle, sizeof triangle);
  static const char *const bad[] = {"%2e%2e/secret.bin",   "..%2fsecret.bin",
                                    "%2E%2E%2Fsecret.bin", "%2e%2e%2f%2e%2e%2f%2e%2e%2fetc/passwd",
                                    "%2fetc%2fpasswd",     "file:///etc/passwd"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    write_gltf(ONE_NODE, bad[i]);
    expect_both(LW_BAD_FILE, "which is not in the level's folder, nor in `allowed`");
  }
}

static void a_reference_from_the_root_is_read_where_it_is_allowed(void **state) {
  (void)state;
  char uri[300], folder[300];
  write_bytes("level/near.bin", triangle, sizeof triangle);
  write_bytes("shared/far.bin", triangle, sizeof triangle);
  snprintf(folder, sizeof folder, "%s/shared", root);
  const char *const allowed[] = {folder};
  const lw_geometry_import import = {.allowed = allowed, .allowed_count = 1};
  for (int i = 0; i < 2; ++i) {
    snprintf(uri, sizeof uri, "%s%s/level/near.bin", i ? "file://" : "", root);
    write_gltf(ONE_NODE, uri);
    expect_both(LW_OK, NULL);
    snprintf(uri, sizeof uri, "%s%s/shared/far.bin", i ? "file://" : "", root);
    write_gltf(ONE_NODE, uri);
    expect_both(LW_BAD_FILE, "which is not in the level's folder, nor in `allowed`");
    expect(LW_OK, NULL, &import);
  }
}

static void references_in_the_level_s_folder_and_to_what_is_allowed_are_read(void **state) {
  (void)state;
  write_bytes("level/near.bin", triangle, sizeof triangle);
  write_bytes("level/parts/deep.bin", triangle, sizeof triangle);
  write_bytes("shared/far.bin", triangle, sizeof triangle);
  write_bytes("shared/other.bin", triangle, sizeof triangle);
  assert_int_equal(symlink("near.bin", path_of("level/inside")), 0);
  assert_int_equal(symlink("../shared", path_of("level/linked")), 0);
  const char *const good[] = {IN_FILE, "near.bin", "parts/deep.bin", "inside", "parts/../near.bin"};
  for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
    write_gltf(ONE_NODE, good[i]);
    expect_both(LW_OK, NULL);
  }
  char folder[300], single[300], parts[300];
  snprintf(parts, sizeof parts, "%s/level/parts", root);
  snprintf(folder, sizeof folder, "%s/shared", root);
  snprintf(single, sizeof single, "%s/shared/far.bin", root);
  const char *const folders[] = {parts, folder}, *const singles[] = {single};
  const lw_geometry_import whole = {.allowed = folders, .allowed_count = 2};
  const lw_geometry_import one = {.allowed = singles, .allowed_count = 1};
  write_gltf(ONE_NODE, "../shared/far.bin");
  expect(LW_BAD_FILE, "nor in `allowed`", NULL);
  expect(LW_OK, NULL, &whole);
  expect(LW_OK, NULL, &one);
  write_gltf(ONE_NODE, "linked/other.bin");
  expect(LW_BAD_FILE, "nor in `allowed`", &one);
  expect(LW_OK, NULL, &whole);
}

/* Assimp looks for a file of the same name beside the level. */
static void a_reference_is_not_replaced_by_a_file_of_its_name(void **state) {
  (void)state;
  static const char *const uris[] = {"http://example.com/x/near.bin", "../other/near.bin", "lost/near.bin",
                                     "../shared/near.bin"};
  write_bytes("level/near.bin", triangle, sizeof triangle);
  write_bytes("shared/near.bin", triangle, sizeof triangle);
  for (size_t i = 0; i < sizeof uris / sizeof *uris; ++i) {
    write_gltf(ONE_NODE, uris[i]);
    expect_both(LW_BAD_FILE, "near.bin', which ");
  }
}

/* Names of what lies beside an allowed folder begin like its own. */
static void a_folder_whose_name_begins_alike_is_not_allowed(void **state) {
  (void)state;
  assert_int_equal(mkdir(path_of("level2"), 0700), 0);
  write_bytes("level2/next.bin", triangle, sizeof triangle);
  write_gltf(ONE_NODE, "../level2/next.bin");
  expect_both(LW_BAD_FILE, "nor in `allowed`");
}

static void relative_names_of_levels_have_a_folder_too(void **state) {
  (void)state;
  char before[1024];
  assert_non_null(getcwd(before, sizeof before));
  write_bytes("level/near.bin", triangle, sizeof triangle);
  write_gltf(ONE_NODE, "near.bin");
  assert_int_equal(chdir(path_of("level")), 0);
  snprintf(file, sizeof file, "level.gltf");
  const lw_status bare = load(NULL);
  snprintf(file, sizeof file, "./level.gltf");
  const lw_status dotted = load(NULL);
  assert_int_equal(rename("level.gltf", "le\\vel.gltf"), 0);
  snprintf(file, sizeof file, "le\\vel.gltf");
  const lw_status slanted = load(NULL);
  assert_int_equal(chdir(before), 0);
  assert_int_equal(bare, LW_OK);
  assert_int_equal(slanted, LW_OK);
  assert_int_equal(dotted, LW_OK);
}

static void an_obj_opens_no_other_file_and_no_error_quotes_one(void **state) {
  (void)state;
  static const char obj[] = "mtllib ../secret.mtl\nmtllib fifo\nmtllib /dev/zero\nmtllib "
                            "../../../../../../../../etc/passwd\nv 0 0 0\nv 1 0 1\nv 1 0 0\nusemtl "
                            "hidden\nf 1 2 3\n";
  write_bytes("secret.mtl", "newmtl hidden\nKd SECRET\n", 24);
  write_level("level.obj", obj, sizeof obj - 1);
  expect_both(LW_OK, NULL);
  write_bytes("secret.bin", "SECRET", 6);
  write_gltf(ONE_NODE, "near.bin");
  write_bytes("level/near.bin", "SECRET", 6); /* too short */
  expect(LW_BAD_FILE, NULL, NULL);
  assert_null(strstr(error.text, "SECRET"));
}

static void the_files_of_a_level_are_limited_in_sum(void **state) {
  (void)state;
  const lw_geometry_import import = {.memory = LW_IMPORT_MEMORY_MIN};
  write_gltf(ONE_NODE, "big.bin");
  write_bytes("level/big.bin", triangle, sizeof triangle);
  assert_int_equal(truncate(path_of("level/big.bin"), 16 << 20), 0);
  expect(LW_OK, NULL, &import);
  assert_int_equal(truncate(path_of("level/big.bin"), 64 << 20), 0);
  expect(LW_BAD_FILE, "with which its files are larger than `memory`", &import);
  write_level("level.obj", "v", 1);
  assert_int_equal(truncate(file, (off_t)5 << 30), 0);
  expect(LW_LIMIT, "' has 5368709120 bytes, expected at most 900000000, the import's `memory`", NULL);
  assert_int_equal(unlink(file), 0);
}

/* --- formats ---------------------------------------------------------------------------------------------- */

static void only_formats_of_levels_are_read(void **state) {
  (void)state;
  static const char *const names[] = {"a.blend", "a.3mf", "a.x", "a.ifc", "a.xml",
                                      "a.zae",   "a.pk3", "a",   "obj"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    write_level(names[i], "PK\3\4", 4);
    expect_both(LW_BAD_FILE, "its name does not end in that of a format that is read: .obj, .gltf, .glb, .fbx, "
                             ".dae, .ply, .stl, .off or .3ds");
  }
  write_level("UPPER.OBJ", "v 0 0 0\nv 1 0 1\nv 1 0 0\nf 1 2 3\n", 31);
  expect_both(LW_OK, NULL);
}

/* Assimp reads what it recognises by its content, too. */
static void a_file_of_another_format_behind_a_known_name_is_refused(void **state) {
  (void)state;
  write_level("level.gltf", "BLENDER-v300 and more", 21);
  expect_both(LW_BAD_FILE, "line 1 of its JSON: expected an object");
  write_level("level.glb", "BLENDER-v300 and more", 21);
  expect_both(LW_BAD_FILE, "it is not a binary glTF file");
  write_level("level.gltf", "{\"asset\":{\"version\":\"1.0\"}}", 27);
  expect_both(LW_BAD_FILE, "its glTF version is '1.0', expected 2.0");
  write_level("level.gltf", "{\"asset\":{}}", 12);
  expect_both(LW_BAD_FILE, "it states no glTF version");
}

/* --- glTF ------------------------------------------------------------------------------------------------- */

static void nodes_nested_too_deeply_are_refused(void **state) {
  (void)state;
  text nodes = {0};
  const int depths[] = {20000, LWI_GLTF_DEPTH_MAX + 1, LWI_GLTF_DEPTH_MAX};
  for (int i = 0; i < 3; ++i) {
    nodes.size = 0;
    put(&nodes, "[");
    for (int k = 1; k < depths[i]; ++k) put(&nodes, "{\"children\":[%d]},", k);
    put(&nodes, "{\"mesh\":0}]");
    write_gltf(nodes.data, IN_FILE);
    if (i < 2)
      expect_both(LW_BAD_FILE, "its nodes are nested more than 1000 deep, or in a circle, at node 1000");
    else
      expect_both(LW_OK, NULL);
  }
  free(nodes.data);
}

static void nodes_with_two_parents_and_circles_are_refused(void **state) {
  (void)state;
  text nodes = {0};
  put(&nodes, "[");
  for (int i = 1; i <= 24; ++i) put(&nodes, "{\"children\":[%d,%d]},", i, i);
  put(&nodes, "{\"mesh\":0}]");
  write_gltf(nodes.data, IN_FILE);
  expect_both(LW_BAD_FILE, "node 1 is a child of node 0 and again of node 0, expected nodes with one parent");
  free(nodes.data);
  write_gltf("[{\"children\":[1]},{\"children\":[0],\"mesh\":0}]", IN_FILE);
  expect_both(LW_BAD_FILE, "its nodes are nested more than 1000 deep, or in a circle, at node 0");
  write_gltf("[{\"children\":[0],\"mesh\":0}]", IN_FILE);
  expect_both(LW_BAD_FILE, "its nodes are nested more than 1000 deep, or in a circle, at node 0");
  write_gltf("[{\"children\":[1]}]", IN_FILE);
  expect_both(LW_BAD_FILE, "a child of node 0 is 1, expected 0 to 0, the nodes of the file");
}

static void lists_of_nodes_that_two_readers_could_take_differently_are_refused(void **state) {
  (void)state;
  write_gltf(ONE_NODE ",\"nodes\":[{\"children\":[0]}]", IN_FILE);
  expect_both(LW_BAD_FILE, "'nodes' is given twice");
  write_gltf("0,\"n\\u006fdes\":[{\"children\":[0]}]", IN_FILE);
  expect_both(LW_BAD_FILE, "'nodes' is not a list");
  write_gltf(ONE_NODE ",\"n\\u006fdes\":[{\"children\":[0]}]", IN_FILE);
  expect_both(LW_BAD_FILE, "line 1 of its JSON: expected keys without escape sequences");
  write_gltf("[{\"ch\\u0069ldren\":[0],\"mesh\":0}]", IN_FILE);
  expect_both(LW_BAD_FILE, "line 1 of its JSON: expected keys without escape sequences");
}

static void nested_json_is_refused(void **state) {
  (void)state;
  text json = {0};
  put(&json, "{\"asset\":{\"version\":\"2.0\"},\"extras\":");
  for (int i = 0; i < 100000; ++i) put(&json, i % 2 ? "[" : "{\"a\":");
  write_level("level.gltf", json.data, json.size);
  expect_both(LW_BAD_FILE, "line 1 of its JSON: expected values nested at most 256 deep");
  free(json.data);
}

static void lengths_of_a_glb_beyond_the_file_are_refused(void **state) {
  (void)state;
  const unsigned char header[] = "glTF\2\0\0\0\xf0\xff\xff\xff\2\0\0\0JSON{}";
  const unsigned char chunk[] = "glTF\2\0\0\0\x16\0\0\0\0\xff\xff\xffJSON{}";
  const unsigned char second[] = "glTF\2\0\0\0\x20\0\0\0\4\0\0\0JSON{}  \0\xff\xff\xff\bBIN";
  const unsigned char short_head[] = "glTF\2\0\0\0\xd\0\0\0.";
  write_level("level.glb", header, 22);
  expect_both(LW_BAD_FILE, "its header states 4294967280 bytes, expected 20 to 22");
  write_level("level.glb", chunk, 22);
  expect_both(LW_BAD_FILE, "its chunk at byte 12 states 4294967040 bytes, expected at most 2");
  write_level("level.glb", second, 32);
  expect_both(LW_BAD_FILE, "its chunk at byte 24 states 4294967040 bytes, expected at most 0");
  write_level("level.glb", short_head, 13);
  expect_both(LW_BAD_FILE, "its header states 13 bytes, expected 20 to 13");
}

/* @param members  More of the file. */
static void write_gltf_with(const char *members) {
  char nodes[400];
  snprintf(nodes, sizeof nodes, ONE_NODE ",%s", members);
  write_gltf(nodes, IN_FILE);
}

static void write_mode(int mode) {
  char json[800];
  const int size = snprintf(
      json, sizeof json,
      "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
      "\"meshes\":[{\"primitives\":[{\"mode\":%d,\"attributes\":{\"POSITION\":0}}]}],\"buffers\":[{"
      "\"byteLength\":36,"
      "\"uri\":\"" IN_FILE
      "\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"accessors\":[{\"bufferView\":0,"
      "\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,0,1]}]}",
      mode);
  write_level("level.gltf", json, (size_t)size);
}

static void primitives_are_triangles_or_left_out(void **state) {
  (void)state;
  for (int mode = 0; mode <= 3; ++mode) {
    write_mode(mode);
    expect_both(LW_EMPTY, "holds no triangles");
  }
  for (int mode = 4; mode <= 6; ++mode) {
    write_mode(mode);
    expect_both(LW_OK, NULL);
  }
  write_mode(7);
  expect_both(LW_BAD_FILE, "the mode of primitive 0 of mesh 0 is not 0 to 6");
}

static void extensions_that_are_not_read_are_refused(void **state) {
  (void)state;
  write_gltf_with("\"extensionsRequired\":[\"KHR_materials_unlit\"]");
  expect_both(LW_OK, NULL);
  write_gltf_with("\"extensionsRequired\":[\"KHR_materials_unlit\",\"EXT_meshopt_compression\"]");
  expect_both(LW_BAD_FILE, "it requires the extension EXT_meshopt_compression, which is not read");
}

/* --- PLY -------------------------------------------------------------------------------------------------- */

/* What else is checked: test_ply_check. */
static void a_ply_file_is_checked_before_it_is_read(void **state) {
  (void)state;
  static const char header[] = "ply\nformat ascii 1.0\n";
  static const char whole[] = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
                              "property float z\nelement face 1\nproperty list uchar int vertex_indices\n"
                              "end_header\n0 0 0\n1 0 1\n1 0 0\n3 0 1 2\n";
  write_level("level.ply", header, sizeof header - 1);
  expect_both(LW_BAD_FILE, "its header has no line 'end_header'");
  write_level("level.ply", whole, sizeof whole - 1);
  expect_both(LW_OK, NULL);
}

/* --- OFF -------------------------------------------------------------------------------------------------- */

/* What else is checked: test_off_check. Assimp crashes on the first two. */
static void an_off_file_is_checked_before_it_is_read(void **state) {
  (void)state;
  static const char vertices[] = "0 0 0\n1 0 1\n1 0 0\n";
  static const struct {
    const char *head, *tail, *message; /* NULL: it is read. */
  } files[] = {{"OFF\n3 5 0\n", "3 0 1 2\n", "its header states 5 faces, expected at most 1"},
               {"OFF\n3 1 0\n", "0\n0\n0\n", "line 6: expected a face"},
               {"OFF\n2000000000 2000000000 0\n", "", "its header states 2000000000 vertices"},
               {"OFF\n3 1 0\n", "3 0 1 2\n", NULL},
               {"# a comment\nCOFF 3\n1\n0\n", "3 0 1 2\n", "real number"},
               {"\xEF\xBB\xBFOFF\n3 1 0\n# and\n\n", "3 0 1 2", NULL}};
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
    char data[200];
    const int size = snprintf(data, sizeof data, "%s%s%s", files[i].head, vertices, files[i].tail);
    write_level("level.off", data, (size_t)size);
    expect_both(files[i].message ? LW_BAD_FILE : LW_OK, files[i].message);
  }
}

/* --- faces and meshes ------------------------------------------------------------------------------------- */

static void a_face_of_too_many_corners_is_refused(void **state) {
  (void)state;
  text obj = {0};
  for (int i = 0; i < 400000; ++i) put(&obj, "v %d 0 %d\n", i % 1000, i / 1000);
  put(&obj, "f");
  for (int i = 1; i <= 400000; ++i) put(&obj, " %d", i);
  put(&obj, "\n");
  write_level("level.obj", obj.data, obj.size);
  expect_both(LW_BAD_FILE, "its faces have too many corners, one of them 400000");
  free(obj.data);
}

static void a_mesh_that_many_nodes_place_is_counted_before(void **state) {
  (void)state;
  text obj = {0};
  put(&obj, "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[");
  for (int i = 0; i < 2000; ++i) put(&obj, "%s%d", i ? "," : "", i);
  put(&obj, "]}],\"nodes\":[");
  for (int i = 0; i < 2000; ++i) put(&obj, "%s{\"mesh\":0}", i ? "," : "");
  put(&obj,
      "],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"buffers\":[{\"byteLength\":"
      "360000,\"uri\":\"mesh.bin\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":360000}],\"accessors\":");
  put(&obj, "[{\"bufferView\":0,\"componentType\":5126,\"count\":30000,\"type\":\"VEC3\"}]}");
  write_level("level.gltf", obj.data, obj.size);
  free(obj.data);
  write_bytes("level/mesh.bin", triangle, sizeof triangle);
  assert_int_equal(truncate(path_of("level/mesh.bin"), 360000), 0);
  const lw_geometry_import little = {.memory = LW_IMPORT_MEMORY_MIN};
  expect(LW_LIMIT, "its nodes place 20000000 triangles and 60000000 vertices: it needs more memory than 64 MB",
         &little);
}

/* --- what only a process of its own survives -------------------------------------------------------------- */

static void a_crash_of_the_reader_is_an_error(void **state) {
  (void)state;
  text nodes = {0};
  for (int i = 0; i < 30000; ++i) put(&nodes, "<node>");
  for (int i = 0; i < 30000; ++i) put(&nodes, "</node>");
  write_dae("", nodes.data);
  expect(LW_BAD_FILE, "its reader crashed (segmentation fault, signal 11): it is damaged, nested too deeply",
         NULL);
  write_dae("<node id=\"n\"><instance_node url=\"#n\"/></node>", "<node><instance_node url=\"#n\"/></node>");
  expect(LW_BAD_FILE, "its reader crashed", NULL);
  nodes.size = 0;
  for (int i = 0; i < 100000; ++i) put(&nodes, "A: {\n");
  write_level("level.fbx", nodes.data, nodes.size);
  expect(LW_BAD_FILE, "cannot read '", NULL);
  free(nodes.data);
}

/* Each level doubles the scene: what fits is read, what does not is refused, wherever memory ends. */
static void every_size_is_read_or_exceeds_the_memory(void **state) {
  (void)state;
  const lw_geometry_import little = {.memory = LW_IMPORT_MEMORY_MIN};
  int read = 0, refused = 0;
  for (int depth = 2; depth <= 22; ++depth) {
    text nodes = {0};
    for (int i = 0; i < depth; ++i)
      put(&nodes, "<node id=\"n%d\"><instance_node url=\"#n%d\"/><instance_node url=\"#n%d\"/></node>", i,
          i + 1, i + 1);
    put(&nodes, "<node id=\"n%d\"><instance_geometry url=\"#g\"/></node>", depth);
    write_dae(nodes.data, "<node><instance_node url=\"#n0\"/></node>");
    free(nodes.data);
    const lw_status status = load(&little);
    if (status != LW_OK && status != LW_LIMIT) fail_msg("depth %d: %s", depth, error.text);
    if (status == LW_LIMIT)
      assert_non_null(strstr(error.text, "it needs more memory than 64 MB, the import's"));
    read += status == LW_OK;
    refused += status == LW_LIMIT;
  }
  assert_true(read >= 8);
  assert_true(refused >= 2);
}

/* Entities that multiply, and one that names a file: neither is expanded. */
static void entities_of_xml_are_not_expanded(void **state) {
  (void)state;
  static const char xml[] =
      "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">"
      "<!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;\"><!ENTITY d SYSTEM \"../secret.bin\">]>"
      "<COLLADA version=\"1.4.1\"><asset><contributor>&c;&d;</contributor></asset></COLLADA>";
  write_bytes("secret.bin", "SECRET", 6);
  write_level("level.dae", xml, sizeof xml - 1);
  assert_int_not_equal(load(NULL), LW_OK);
  assert_null(strstr(error.text, "SECRET"));
  assert_null(strstr(error.text, "aaaa"));
}

/* --- settings --------------------------------------------------------------------------------------------- */

static void settings_out_of_range_are_refused_by_name(void **state) {
  (void)state;
  write_gltf(ONE_NODE, IN_FILE);
  const char *none[1] = {NULL};
  const lw_geometry_import little = {.memory = 1}, slow = {.seconds = -1}, many = {.allowed_count = 257},
                           missing = {.allowed_count = 1}, null = {.allowed = none, .allowed_count = 1};
  expect(LW_INVALID, "import: memory is 1, expected 0 (900 MB), or bytes from 64000000 to 1000000000000",
         &little);
  expect(LW_INVALID, "import: seconds is -1, expected 0 (60), or 1 to 86400", &slow);
  expect(LW_INVALID, "import: allowed_count is 257, expected 0 to 256", &many);
  expect(LW_INVALID, "import: allowed is NULL", &missing);
  expect(LW_INVALID, "import: allowed 0 is NULL, expected a file or folder", &null);
  const char *const empty[] = {""}, *const lost[] = {root, "/no/such/folder"};
  const lw_geometry_import nameless = {.allowed = empty, .allowed_count = 1},
                           absent = {.allowed = lost, .allowed_count = 2};
  expect(LW_INVALID, "import: allowed holds '', expected a file or folder that exists", &nameless);
  expect(LW_INVALID, "import: allowed holds '/no/such/folder', expected a file or folder that exists", &absent);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_reference_out_of_the_level_s_folder_is_refused),
      cmocka_unit_test(escapes_of_a_reference_are_decoded),
      cmocka_unit_test(a_reference_from_the_root_is_read_where_it_is_allowed),
      cmocka_unit_test(references_in_the_level_s_folder_and_to_what_is_allowed_are_read),
      cmocka_unit_test(a_reference_is_not_replaced_by_a_file_of_its_name),
      cmocka_unit_test(a_folder_whose_name_begins_alike_is_not_allowed),
      cmocka_unit_test(relative_names_of_levels_have_a_folder_too),
      cmocka_unit_test(an_obj_opens_no_other_file_and_no_error_quotes_one),
      cmocka_unit_test(the_files_of_a_level_are_limited_in_sum),
      cmocka_unit_test(only_formats_of_levels_are_read),
      cmocka_unit_test(a_file_of_another_format_behind_a_known_name_is_refused),
      cmocka_unit_test(nodes_nested_too_deeply_are_refused),
      cmocka_unit_test(nodes_with_two_parents_and_circles_are_refused),
      cmocka_unit_test(lists_of_nodes_that_two_readers_could_take_differently_are_refused),
      cmocka_unit_test(nested_json_is_refused),
      cmocka_unit_test(lengths_of_a_glb_beyond_the_file_are_refused),
      cmocka_unit_test(primitives_are_triangles_or_left_out),
      cmocka_unit_test(extensions_that_are_not_read_are_refused),
      cmocka_unit_test(a_ply_file_is_checked_before_it_is_read),
      cmocka_unit_test(an_off_file_is_checked_before_it_is_read),
      cmocka_unit_test(a_face_of_too_many_corners_is_refused),
      cmocka_unit_test(a_mesh_that_many_nodes_place_is_counted_before),
      cmocka_unit_test(a_crash_of_the_reader_is_an_error),
      cmocka_unit_test(every_size_is_read_or_exceeds_the_memory),
      cmocka_unit_test(entities_of_xml_are_not_expanded),
      cmocka_unit_test(settings_out_of_range_are_refused_by_name),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
