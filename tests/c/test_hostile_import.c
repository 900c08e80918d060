/* Level files made to read other files, to end the process, or to take all of its memory or time. */
#include "hostile_level.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* A Collada file of one triangle. @param library  Of nodes. @param nodes  Of its scene. */
static void write_dae(const char *library, const char *nodes) {
  snprintf(hostile_file, sizeof hostile_file, "%s/level/level.dae", hostile_root);
  FILE *to = fopen(hostile_file, "wb");
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

/* --- other files ------------------------------------------------------------------------------------------ */

static void a_reference_out_of_the_level_s_folder_is_refused(void **state) {
  (void)state;
  char outside[300];
  hostile_write("secret.bin", hostile_triangle, sizeof hostile_triangle);
  snprintf(outside, sizeof outside, "%s/secret.bin", hostile_root);
  assert_int_equal(symlink("../secret.bin", hostile_path("level/out")), 0);
  assert_int_equal(symlink("/dev/zero", hostile_path("level/zero")), 0);
  assert_int_equal(mkfifo(hostile_path("level/fifo"), 0600), 0);
  static const char elsewhere[] = "which is not in the level's folder, nor in `allowed`";
  hostile_write_gltf(HOSTILE_ONE_NODE, "../secret.bin");
  hostile_expect_both(LW_BAD_FILE, elsewhere);
  hostile_write_gltf(HOSTILE_ONE_NODE, "parts/../../secret.bin");
  hostile_expect_both(LW_BAD_FILE, elsewhere);
  hostile_write_gltf(HOSTILE_ONE_NODE, "../../../../../../../../../../etc/passwd");
  hostile_expect_both(LW_BAD_FILE, elsewhere);
  hostile_write_gltf(HOSTILE_ONE_NODE, "../../../../../../../../../../dev/zero");
  hostile_expect_both(LW_BAD_FILE, elsewhere);
  hostile_write_gltf(HOSTILE_ONE_NODE, "out");
  hostile_expect_both(LW_BAD_FILE, elsewhere);
  hostile_write_gltf(HOSTILE_ONE_NODE, "zero");
  hostile_expect_both(LW_BAD_FILE, elsewhere);
  hostile_write_gltf(HOSTILE_ONE_NODE, "fifo");
  hostile_expect_both(LW_BAD_FILE, "which cannot be read: it is not an ordinary file");
  hostile_write_gltf(HOSTILE_ONE_NODE, "parts");
  hostile_expect_both(LW_BAD_FILE, "which cannot be read: it is a directory");
  hostile_write_gltf(HOSTILE_ONE_NODE, outside);
  hostile_expect_both(LW_BAD_FILE, elsewhere);
  hostile_write_gltf(HOSTILE_ONE_NODE, "nothing.bin");
  hostile_expect_both(LW_BAD_FILE, "it refers to 'nothing.bin', which does not exist");
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
    hostile_write(inside, hostile_triangle, sizeof hostile_triangle);
  }
  for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
    hostile_write_gltf(HOSTILE_ONE_NODE, good[i]);
    hostile_expect_both(LW_OK, NULL);
  }
  hostile_write("secret.bin", hostile_triangle, sizeof hostile_triangle);
  static const char *const bad[] = {"%2e%2e/secret.bin",   "..%2fsecret.bin",
                                    "%2E%2E%2Fsecret.bin", "%2e%2e%2f%2e%2e%2f%2e%2e%2fetc/passwd",
                                    "%2fetc%2fpasswd",     "file:///etc/passwd"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    hostile_write_gltf(HOSTILE_ONE_NODE, bad[i]);
    hostile_expect_both(LW_BAD_FILE, "which is not in the level's folder, nor in `allowed`");
  }
}

static void a_reference_from_the_root_is_read_where_it_is_allowed(void **state) {
  (void)state;
  char uri[300], folder[300];
  hostile_write("level/near.bin", hostile_triangle, sizeof hostile_triangle);
  hostile_write("shared/far.bin", hostile_triangle, sizeof hostile_triangle);
  snprintf(folder, sizeof folder, "%s/shared", hostile_root);
  const char *const allowed[] = {folder};
  const lw_geometry_import import = {.allowed = allowed, .allowed_count = 1};
  for (int i = 0; i < 2; ++i) {
    snprintf(uri, sizeof uri, "%s%s/level/near.bin", i ? "file://" : "", hostile_root);
    hostile_write_gltf(HOSTILE_ONE_NODE, uri);
    hostile_expect_both(LW_OK, NULL);
    snprintf(uri, sizeof uri, "%s%s/shared/far.bin", i ? "file://" : "", hostile_root);
    hostile_write_gltf(HOSTILE_ONE_NODE, uri);
    hostile_expect_both(LW_BAD_FILE, "which is not in the level's folder, nor in `allowed`");
    hostile_expect(LW_OK, NULL, &import);
  }
}

static void references_in_the_level_s_folder_and_to_what_is_allowed_are_read(void **state) {
  (void)state;
  hostile_write("level/near.bin", hostile_triangle, sizeof hostile_triangle);
  hostile_write("level/parts/deep.bin", hostile_triangle, sizeof hostile_triangle);
  hostile_write("shared/far.bin", hostile_triangle, sizeof hostile_triangle);
  hostile_write("shared/other.bin", hostile_triangle, sizeof hostile_triangle);
  assert_int_equal(symlink("near.bin", hostile_path("level/inside")), 0);
  assert_int_equal(symlink("../shared", hostile_path("level/linked")), 0);
  const char *const good[] = {HOSTILE_IN_FILE, "near.bin", "parts/deep.bin", "inside", "parts/../near.bin"};
  for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
    hostile_write_gltf(HOSTILE_ONE_NODE, good[i]);
    hostile_expect_both(LW_OK, NULL);
  }
  char folder[300], single[300], parts[300];
  snprintf(parts, sizeof parts, "%s/level/parts", hostile_root);
  snprintf(folder, sizeof folder, "%s/shared", hostile_root);
  snprintf(single, sizeof single, "%s/shared/far.bin", hostile_root);
  const char *const folders[] = {parts, folder}, *const singles[] = {single};
  const lw_geometry_import whole = {.allowed = folders, .allowed_count = 2};
  const lw_geometry_import one = {.allowed = singles, .allowed_count = 1};
  hostile_write_gltf(HOSTILE_ONE_NODE, "../shared/far.bin");
  hostile_expect(LW_BAD_FILE, "nor in `allowed`", NULL);
  hostile_expect(LW_OK, NULL, &whole);
  hostile_expect(LW_OK, NULL, &one);
  hostile_write_gltf(HOSTILE_ONE_NODE, "linked/other.bin");
  hostile_expect(LW_BAD_FILE, "nor in `allowed`", &one);
  hostile_expect(LW_OK, NULL, &whole);
}

/* Assimp looks for a file of the same name beside the level. */
static void a_reference_is_not_replaced_by_a_file_of_its_name(void **state) {
  (void)state;
  static const char *const uris[] = {"http://example.com/x/near.bin", "../other/near.bin", "lost/near.bin",
                                     "../shared/near.bin"};
  hostile_write("level/near.bin", hostile_triangle, sizeof hostile_triangle);
  hostile_write("shared/near.bin", hostile_triangle, sizeof hostile_triangle);
  for (size_t i = 0; i < sizeof uris / sizeof *uris; ++i) {
    hostile_write_gltf(HOSTILE_ONE_NODE, uris[i]);
    hostile_expect_both(LW_BAD_FILE, "near.bin', which ");
  }
}

/* Names of what lies beside an allowed folder begin like its own. */
static void a_folder_whose_name_begins_alike_is_not_allowed(void **state) {
  (void)state;
  assert_int_equal(mkdir(hostile_path("level2"), 0700), 0);
  hostile_write("level2/next.bin", hostile_triangle, sizeof hostile_triangle);
  hostile_write_gltf(HOSTILE_ONE_NODE, "../level2/next.bin");
  hostile_expect_both(LW_BAD_FILE, "nor in `allowed`");
}

static void relative_names_of_levels_have_a_folder_too(void **state) {
  (void)state;
  char before[1024];
  assert_non_null(getcwd(before, sizeof before));
  hostile_write("level/near.bin", hostile_triangle, sizeof hostile_triangle);
  hostile_write_gltf(HOSTILE_ONE_NODE, "near.bin");
  assert_int_equal(chdir(hostile_path("level")), 0);
  snprintf(hostile_file, sizeof hostile_file, "level.gltf");
  const lw_status bare = hostile_load(NULL);
  snprintf(hostile_file, sizeof hostile_file, "./level.gltf");
  const lw_status dotted = hostile_load(NULL);
  assert_int_equal(rename("level.gltf", "le\\vel.gltf"), 0);
  snprintf(hostile_file, sizeof hostile_file, "le\\vel.gltf");
  const lw_status slanted = hostile_load(NULL);
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
  hostile_write("secret.mtl", "newmtl hidden\nKd SECRET\n", 24);
  hostile_write_level("level.obj", obj, sizeof obj - 1);
  hostile_expect_both(LW_OK, NULL);
  hostile_write("secret.bin", "SECRET", 6);
  hostile_write_gltf(HOSTILE_ONE_NODE, "near.bin");
  hostile_write("level/near.bin", "SECRET", 6); /* too short */
  hostile_expect(LW_BAD_FILE, NULL, NULL);
  assert_null(strstr(hostile_error.text, "SECRET"));
}

static void the_files_of_a_level_are_limited_in_sum(void **state) {
  (void)state;
  const lw_geometry_import import = {.memory = LW_IMPORT_MEMORY_MIN};
  hostile_write_gltf(HOSTILE_ONE_NODE, "big.bin");
  hostile_write("level/big.bin", hostile_triangle, sizeof hostile_triangle);
  assert_int_equal(truncate(hostile_path("level/big.bin"), 16 << 20), 0);
  hostile_expect(LW_OK, NULL, &import);
  assert_int_equal(truncate(hostile_path("level/big.bin"), 64 << 20), 0);
  hostile_expect(LW_BAD_FILE, "with which its files are larger than `memory`", &import);
  hostile_write_level("level.obj", "v", 1);
  assert_int_equal(truncate(hostile_file, (off_t)5 << 30), 0);
  hostile_expect(LW_LIMIT, "' has 5368709120 bytes, expected at most 900000000, the import's `memory`", NULL);
  assert_int_equal(unlink(hostile_file), 0);
}

/* --- faces and meshes ------------------------------------------------------------------------------------- */

static void a_face_of_too_many_corners_is_refused(void **state) {
  (void)state;
  hostile_text obj = {0};
  for (int i = 0; i < 400000; ++i) hostile_put(&obj, "v %d 0 %d\n", i % 1000, i / 1000);
  hostile_put(&obj, "f");
  for (int i = 1; i <= 400000; ++i) hostile_put(&obj, " %d", i);
  hostile_put(&obj, "\n");
  hostile_write_level("level.obj", obj.data, obj.size);
  hostile_expect_both(LW_BAD_FILE, "its faces have too many corners, one of them 400000");
  free(obj.data);
}

static void a_mesh_that_many_nodes_place_is_counted_before(void **state) {
  (void)state;
  hostile_text obj = {0};
  hostile_put(&obj, "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[");
  for (int i = 0; i < 2000; ++i) hostile_put(&obj, "%s%d", i ? "," : "", i);
  hostile_put(&obj, "]}],\"nodes\":[");
  for (int i = 0; i < 2000; ++i) hostile_put(&obj, "%s{\"mesh\":0}", i ? "," : "");
  hostile_put(
      &obj,
      "],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"buffers\":[{\"byteLength\":"
      "360000,\"uri\":\"mesh.bin\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":360000}],\"accessors\":");
  hostile_put(&obj, "[{\"bufferView\":0,\"componentType\":5126,\"count\":30000,\"type\":\"VEC3\"}]}");
  hostile_write_level("level.gltf", obj.data, obj.size);
  free(obj.data);
  hostile_write("level/mesh.bin", hostile_triangle, sizeof hostile_triangle);
  assert_int_equal(truncate(hostile_path("level/mesh.bin"), 360000), 0);
  const lw_geometry_import little = {.memory = LW_IMPORT_MEMORY_MIN};
  hostile_expect(LW_LIMIT,
                 "its nodes place 20000000 triangles and 60000000 vertices: it needs more memory than 64 MB",
                 &little);
}

/* --- what only a process of its own survives -------------------------------------------------------------- */

static void a_crash_of_the_reader_is_an_error(void **state) {
  (void)state;
  hostile_text nodes = {0};
  for (int i = 0; i < 30000; ++i) hostile_put(&nodes, "<node>");
  for (int i = 0; i < 30000; ++i) hostile_put(&nodes, "</node>");
  write_dae("", nodes.data);
  hostile_expect(LW_BAD_FILE,
                 "its reader crashed (segmentation fault, signal 11): it is damaged, nested too deeply", NULL);
  write_dae("<node id=\"n\"><instance_node url=\"#n\"/></node>", "<node><instance_node url=\"#n\"/></node>");
  hostile_expect(LW_BAD_FILE, "its reader crashed", NULL);
  nodes.size = 0;
  for (int i = 0; i < 100000; ++i) hostile_put(&nodes, "A: {\n");
  hostile_write_level("level.fbx", nodes.data, nodes.size);
  hostile_expect(LW_BAD_FILE, "cannot read '", NULL);
  free(nodes.data);
}

/* Each level doubles the scene: what fits is read, what does not is refused, wherever memory ends. */
static void every_size_is_read_or_exceeds_the_memory(void **state) {
  (void)state;
  const lw_geometry_import little = {.memory = LW_IMPORT_MEMORY_MIN};
  int read = 0, refused = 0;
  for (int depth = 2; depth <= 22; ++depth) {
    hostile_text nodes = {0};
    for (int i = 0; i < depth; ++i)
      hostile_put(&nodes, "<node id=\"n%d\"><instance_node url=\"#n%d\"/><instance_node url=\"#n%d\"/></node>",
                  i, i + 1, i + 1);
    hostile_put(&nodes, "<node id=\"n%d\"><instance_geometry url=\"#g\"/></node>", depth);
    write_dae(nodes.data, "<node><instance_node url=\"#n0\"/></node>");
    free(nodes.data);
    const lw_status status = hostile_load(&little);
    if (status != LW_OK && status != LW_LIMIT) fail_msg("depth %d: %s", depth, hostile_error.text);
    if (status == LW_LIMIT)
      assert_non_null(strstr(hostile_error.text, "it needs more memory than 64 MB, the import's"));
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
  hostile_write("secret.bin", "SECRET", 6);
  hostile_write_level("level.dae", xml, sizeof xml - 1);
  assert_int_not_equal(hostile_load(NULL), LW_OK);
  assert_null(strstr(hostile_error.text, "SECRET"));
  assert_null(strstr(hostile_error.text, "aaaa"));
}

/* --- settings --------------------------------------------------------------------------------------------- */

static void settings_out_of_range_are_refused_by_name(void **state) {
  (void)state;
  hostile_write_gltf(HOSTILE_ONE_NODE, HOSTILE_IN_FILE);
  const char *none[1] = {NULL};
  const lw_geometry_import little = {.memory = 1}, slow = {.seconds = -1}, many = {.allowed_count = 257},
                           missing = {.allowed_count = 1}, null = {.allowed = none, .allowed_count = 1};
  hostile_expect(LW_INVALID,
                 "import: memory is 1, expected 0 (900 MB), or bytes from 64000000 to 1000000000000", &little);
  hostile_expect(LW_INVALID, "import: seconds is -1, expected 0 (60), or 1 to 86400", &slow);
  hostile_expect(LW_INVALID, "import: allowed_count is 257, expected 0 to 256", &many);
  hostile_expect(LW_INVALID, "import: allowed is NULL", &missing);
  hostile_expect(LW_INVALID, "import: allowed 0 is NULL, expected a file or folder", &null);
  const char *const empty[] = {""}, *const lost[] = {hostile_root, "/no/such/folder"};
  const lw_geometry_import nameless = {.allowed = empty, .allowed_count = 1},
                           absent = {.allowed = lost, .allowed_count = 2};
  hostile_expect(LW_INVALID, "import: allowed holds '', expected a file or folder that exists", &nameless);
  hostile_expect(LW_INVALID, "import: allowed holds '/no/such/folder', expected a file or folder that exists",
                 &absent);
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
      cmocka_unit_test(a_face_of_too_many_corners_is_refused),
      cmocka_unit_test(a_mesh_that_many_nodes_place_is_counted_before),
      cmocka_unit_test(a_crash_of_the_reader_is_an_error),
      cmocka_unit_test(every_size_is_read_or_exceeds_the_memory),
      cmocka_unit_test(entities_of_xml_are_not_expanded),
      cmocka_unit_test(settings_out_of_range_are_refused_by_name),
  };
  return cmocka_run_group_tests(tests, hostile_set_up, hostile_tear_down);
}
