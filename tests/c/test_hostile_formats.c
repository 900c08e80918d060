/* What is checked of level files before Assimp reads them, format by format. */
#include "hostile_level.h"

#include "geometry/gltf_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* --- formats ---------------------------------------------------------------------------------------------- */

static void only_formats_of_levels_are_read(void **state) {
  (void)state;
  static const char *const names[] = {"a.blend", "a.3mf", "a.x", "a.ifc", "a.xml",
                                      "a.zae",   "a.pk3", "a",   "obj"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    hostile_write_level(names[i], "PK\3\4", 4);
    hostile_expect_both(LW_BAD_FILE,
                        "its name does not end in that of a format that is read: .obj, .gltf, .glb, .fbx, "
                        ".dae, .ply, .stl, .off or .3ds");
  }
  hostile_write_level("UPPER.OBJ", "v 0 0 0\nv 1 0 1\nv 1 0 0\nf 1 2 3\n", 31);
  hostile_expect_both(LW_OK, NULL);
}

/* Assimp reads what it recognises by its content, too. */
static void a_file_of_another_format_behind_a_known_name_is_refused(void **state) {
  (void)state;
  hostile_write_level("level.gltf", "BLENDER-v300 and more", 21);
  hostile_expect_both(LW_BAD_FILE, "line 1 of its JSON: expected an object");
  hostile_write_level("level.glb", "BLENDER-v300 and more", 21);
  hostile_expect_both(LW_BAD_FILE, "it is not a binary glTF file");
  hostile_write_level("level.gltf", "glTF\2\0\0\0\x14\0\0\0\0\0\0\0JSON", 20);
  hostile_expect_both(LW_BAD_FILE, "it is a binary glTF file, expected its name to end in .glb");
  hostile_write_level("level.gltf", "{\"asset\":{\"version\":\"1.0\"}}", 27);
  hostile_expect_both(LW_BAD_FILE, "its glTF version is '1.0', expected 2.0");
  hostile_write_level("level.gltf", "{\"nodes\":{},\"asset\":{\"version\":\"1.0\"}}", 38);
  hostile_expect_both(LW_BAD_FILE, "its glTF version is '1.0', expected 2.0");
  hostile_write_level("level.gltf", "{\"asset\":{\"version\":\"2.1\",\"minVersion\":\"2.1\"}}", 46);
  hostile_expect_both(LW_BAD_FILE, "it requires glTF version '2.1' ('asset.minVersion'), expected 2.0");
  hostile_write_level("level.gltf", "{\"asset\":{}}", 12);
  hostile_expect_both(LW_BAD_FILE, "it states no glTF version");
}

/* What Assimp says is for its developers: it comes last, and is cut where it is long. Only by a process of its own:
   Assimp leaks what it has read of such files. */
static void an_error_of_assimp_is_quoted_behind_a_sentence(void **state) {
  (void)state;
  static const char stl[] =
      "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 x\nvertex 1 0 0\nvertex 1 1 0\n"
      "endloop\nendfacet\nendsolid";
  hostile_write_level("level.stl", "x", 1);
  hostile_expect(LW_BAD_FILE,
                 "it is not a whole and valid STL file, expected one as a modelling program exports it "
                 "(Assimp says 'File is too small')",
                 NULL);
  hostile_write_level("level.stl", stl, sizeof stl - 1);
  hostile_expect(LW_BAD_FILE, "a modelling program exports it (Assimp says 'Cannot parse string", NULL);
  assert_non_null(strstr(hostile_error.text, "..."));
  hostile_write_level("level.dae", "<?xml version=\"1.0\"?><COLLADA", 30);
  hostile_expect(LW_BAD_FILE, "not a whole and valid DAE file, expected", NULL);
  hostile_write_level("level.3DS", "MM\0\0\0\0", 6);
  hostile_expect(LW_BAD_FILE, "not a whole and valid 3DS file, expected", NULL);
}

static void faces_of_equal_corners_are_no_triangles(void **state) {
  (void)state;
  hostile_write_level("level.obj", "v 0 0 0\nv 1 0 1\nv 1 0 0\nf 1 1 1\nf 2 2 1\n", 40);
  hostile_expect_both(LW_EMPTY, "holds no triangles: none of its faces has three different corners");
}

/* Assimp aborts when it cuts such faces into triangles. */
static void a_face_without_corners_is_refused(void **state) {
  (void)state;
  static const char dae[] =
      "<?xml version=\"1.0\"?><COLLADA version=\"1.4.1\"><library_geometries><geometry id=\"g\"><mesh>"
      "<source id=\"p\"><float_array id=\"a\" count=\"9\">0 0 0 1 0 1 1 0 0</float_array><technique_common>"
      "<accessor source=\"#a\" count=\"3\" stride=\"3\"><param name=\"X\" type=\"float\"/><param name=\"Y\" "
      "type=\"float\"/><param name=\"Z\" type=\"float\"/></accessor></technique_common></source><vertices "
      "id=\"v\">"
      "<input semantic=\"POSITION\" source=\"#p\"/></vertices><polylist count=\"2\"><input semantic=\"VERTEX\" "
      "source=\"#v\" offset=\"0\"/><vcount>3 0</vcount><p>0 1 2</p></polylist></mesh></geometry>"
      "</library_geometries><library_visual_scenes><visual_scene id=\"s\"><node><instance_geometry url=\"#g\"/>"
      "</node></visual_scene></library_visual_scenes><scene><instance_visual_scene "
      "url=\"#s\"/></scene></COLLADA>";
  hostile_write_level("level.dae", dae, sizeof dae - 1);
  hostile_expect_both(LW_BAD_FILE, "a face has no corners");
}

/* --- glTF ------------------------------------------------------------------------------------------------- */

static void nodes_nested_too_deeply_are_refused(void **state) {
  (void)state;
  hostile_text nodes = {0};
  const int depths[] = {20000, LWI_GLTF_DEPTH_MAX + 1, LWI_GLTF_DEPTH_MAX};
  for (int i = 0; i < 3; ++i) {
    nodes.size = 0;
    hostile_put(&nodes, "[");
    for (int k = 1; k < depths[i]; ++k) hostile_put(&nodes, "{\"children\":[%d]},", k);
    hostile_put(&nodes, "{\"mesh\":0}]");
    hostile_write_gltf(nodes.data, HOSTILE_IN_FILE);
    if (i < 2)
      hostile_expect_both(LW_BAD_FILE,
                          "its nodes are nested more than 1000 deep, or in a circle, at node 1000");
    else
      hostile_expect_both(LW_OK, NULL);
  }
  free(nodes.data);
}

static void nodes_with_two_parents_and_circles_are_refused(void **state) {
  (void)state;
  hostile_text nodes = {0};
  hostile_put(&nodes, "[");
  for (int i = 1; i <= 24; ++i) hostile_put(&nodes, "{\"children\":[%d,%d]},", i, i);
  hostile_put(&nodes, "{\"mesh\":0}]");
  hostile_write_gltf(nodes.data, HOSTILE_IN_FILE);
  hostile_expect_both(LW_BAD_FILE,
                      "node 1 is a child of node 0 and again of node 0, expected nodes with one parent");
  free(nodes.data);
  hostile_write_gltf("[{\"children\":[1]},{\"children\":[0],\"mesh\":0}]", HOSTILE_IN_FILE);
  hostile_expect_both(LW_BAD_FILE, "its nodes are nested more than 1000 deep, or in a circle, at node 0");
  hostile_write_gltf("[{\"children\":[0],\"mesh\":0}]", HOSTILE_IN_FILE);
  hostile_expect_both(LW_BAD_FILE, "its nodes are nested more than 1000 deep, or in a circle, at node 0");
  hostile_write_gltf("[{\"children\":[1]}]", HOSTILE_IN_FILE);
  hostile_expect_both(LW_BAD_FILE, "a child of node 0 is 1, expected 0 to 0, the nodes of the file");
}

static void lists_of_nodes_that_two_readers_could_take_differently_are_refused(void **state) {
  (void)state;
  hostile_write_gltf(HOSTILE_ONE_NODE ",\"nodes\":[{\"children\":[0]}]", HOSTILE_IN_FILE);
  hostile_expect_both(LW_BAD_FILE, "line 1 of its JSON: nodes is given twice");
  hostile_write_gltf("0", HOSTILE_IN_FILE);
  hostile_expect_both(LW_BAD_FILE, "line 1 of its JSON: nodes is no list");
  hostile_write_gltf(HOSTILE_ONE_NODE ",\"n\\u006fdes\":[{\"children\":[0]}]", HOSTILE_IN_FILE);
  hostile_expect_both(LW_BAD_FILE, "line 1 of its JSON: expected keys without escape sequences");
  hostile_write_gltf("[{\"ch\\u0069ldren\":[0],\"mesh\":0}]", HOSTILE_IN_FILE);
  hostile_expect_both(LW_BAD_FILE, "line 1 of its JSON: expected keys without escape sequences");
}

static void nested_json_is_refused(void **state) {
  (void)state;
  hostile_text json = {0};
  hostile_put(&json, "{\"asset\":{\"version\":\"2.0\"},\"extras\":");
  for (int i = 0; i < 100000; ++i) hostile_put(&json, i % 2 ? "[" : "{\"a\":");
  hostile_write_level("level.gltf", json.data, json.size);
  hostile_expect_both(LW_BAD_FILE, "line 1 of its JSON: expected values nested at most 256 deep");
  free(json.data);
}

static void lengths_of_a_glb_are_those_of_the_file(void **state) {
  (void)state;
  const unsigned char header[] = "glTF\2\0\0\0\xf0\xff\xff\xff\2\0\0\0JSON{}";
  const unsigned char chunk[] = "glTF\2\0\0\0\x16\0\0\0\0\xff\xff\xffJSON{}";
  const unsigned char second[] = "glTF\2\0\0\0\x20\0\0\0\4\0\0\0JSON{}  \0\xff\xff\xff\bBIN";
  const unsigned char short_head[] = "glTF\2\0\0\0\xd\0\0\0.";
  hostile_write_level("level.glb", header, 22);
  hostile_expect_both(LW_BAD_FILE, "its header states 4294967280 bytes, expected 22, the size of the file");
  hostile_write_level("level.glb", chunk, 22);
  hostile_expect_both(LW_BAD_FILE, "its chunk at byte 12 states 4294967040 bytes, expected at most 2");
  hostile_write_level("level.glb", second, 32);
  hostile_expect_both(LW_BAD_FILE, "its chunk at byte 24 states 4294967040 bytes, expected at most 0");
  hostile_write_level("level.glb", chunk, 23);
  hostile_expect_both(LW_BAD_FILE, "its header states 22 bytes, expected 23, the size of the file");
  hostile_write_level("level.glb", short_head, 13);
  hostile_expect_both(LW_BAD_FILE, "it is not a binary glTF file");
}

/* @param members  More of the file. */
static void write_gltf_with(const char *members) {
  char nodes[400];
  snprintf(nodes, sizeof nodes, HOSTILE_ONE_NODE ",%s", members);
  hostile_write_gltf(nodes, HOSTILE_IN_FILE);
}

static void numbers_of_accessors_and_views_are_whole(void **state) {
  (void)state;
  static const char *const wrong[] = {"-1", "60.5", "1e18", "\"60\"", "null", "[0]"};
  static const char *const of_accessor[] = {"bufferView", "byteOffset", "count", "componentType"};
  static const char *const of_view[] = {"buffer", "byteOffset", "byteLength", "byteStride"};
  char members[100], message[100];
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
    for (int k = 0; k < 4; ++k) {
      snprintf(members, sizeof members, "\n\"accessors\":[\n{\"%s\":\n%s}]", of_accessor[k], wrong[i]);
      snprintf(message, sizeof message,
               "line 4 of its JSON: %s of accessor 0 is no whole number, expected 0 or more", of_accessor[k]);
      write_gltf_with(members);
      hostile_expect_both(LW_BAD_FILE, message);
      snprintf(members, sizeof members, "\"bufferViews\":[{\"%s\":%s}]", of_view[k], wrong[i]);
      snprintf(message, sizeof message,
               "line 1 of its JSON: %s of buffer view 0 is no whole number, expected 0 or more", of_view[k]);
      write_gltf_with(members);
      hostile_expect_both(LW_BAD_FILE, message);
    }
}

static void write_mode(int mode) {
  char json[800];
  const int size = snprintf(
      json, sizeof json,
      "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
      "\"meshes\":[{\"primitives\":[{\"mode\":%d,\"attributes\":{\"POSITION\":0}}]}],\"buffers\":[{"
      "\"byteLength\":36,"
      "\"uri\":\"" HOSTILE_IN_FILE
      "\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"accessors\":[{\"bufferView\":0,"
      "\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,0,1]}]}",
      mode);
  hostile_write_level("level.gltf", json, (size_t)size);
}

static void primitives_are_triangles_or_left_out(void **state) {
  (void)state;
  for (int mode = 0; mode <= 3; ++mode) {
    write_mode(mode);
    hostile_expect_both(LW_EMPTY, "holds no triangles");
  }
  for (int mode = 4; mode <= 6; ++mode) {
    write_mode(mode);
    hostile_expect_both(LW_OK, NULL);
  }
  write_mode(7);
  hostile_expect_both(LW_BAD_FILE, "line 1 of its JSON: mode of primitive 0 of mesh 0 is not 0 to 6");
}

static void extensions_that_may_move_triangles_are_refused(void **state) {
  (void)state;
  static const char *const good[] = {"[]", "[7]", "[\"KHR_materials_unlit\"]",
                                     "[\"KHR_texture_transform\",\"KHR_lights_punctual\",\"KHR_xmp_json_ld\"]"};
  static const char *const bad[] = {"KHR_draco_mesh_compression",
                                    "EXT_meshopt_compression",
                                    "KHR_mesh_quantization",
                                    "EXT_mesh_gpu_instancing",
                                    "CESIUM_RTC",
                                    "XYZ_unknown",
                                    "KHR_materials",
                                    ""};
  char member[200], message[200];
  for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
    snprintf(member, sizeof member, "\"extensionsRequired\":%s", good[i]);
    write_gltf_with(member);
    hostile_expect_both(LW_OK, NULL);
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    snprintf(member, sizeof member, "\"extensionsRequired\":[\"KHR_materials_ior\",\"%s\"]", bad[i]);
    snprintf(message, sizeof message,
             "it requires the extension '%s', expected none but of materials, textures, lights, animations and "
             "metadata",
             bad[i]);
    write_gltf_with(member);
    hostile_expect_both(LW_BAD_FILE, message);
  }
}

/* --- PLY -------------------------------------------------------------------------------------------------- */

/* What else is checked: test_ply_check. */
static void a_ply_file_is_checked_before_it_is_read(void **state) {
  (void)state;
  static const char header[] = "ply\nformat ascii 1.0\n";
  static const char whole[] = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
                              "property float z\nelement face 1\nproperty list uchar int vertex_indices\n"
                              "end_header\n0 0 0\n1 0 1\n1 0 0\n3 0 1 2\n";
  hostile_write_level("level.ply", header, sizeof header - 1);
  hostile_expect_both(LW_BAD_FILE, "its header has no line 'end_header'");
  hostile_write_level("level.ply", whole, sizeof whole - 1);
  hostile_expect_both(LW_OK, NULL);
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
    hostile_write_level("level.off", data, (size_t)size);
    hostile_expect_both(files[i].message ? LW_BAD_FILE : LW_OK, files[i].message);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(only_formats_of_levels_are_read),
      cmocka_unit_test(a_file_of_another_format_behind_a_known_name_is_refused),
      cmocka_unit_test(an_error_of_assimp_is_quoted_behind_a_sentence),
      cmocka_unit_test(faces_of_equal_corners_are_no_triangles),
      cmocka_unit_test(a_face_without_corners_is_refused),
      cmocka_unit_test(nodes_nested_too_deeply_are_refused),
      cmocka_unit_test(nodes_with_two_parents_and_circles_are_refused),
      cmocka_unit_test(lists_of_nodes_that_two_readers_could_take_differently_are_refused),
      cmocka_unit_test(nested_json_is_refused),
      cmocka_unit_test(lengths_of_a_glb_are_those_of_the_file),
      cmocka_unit_test(numbers_of_accessors_and_views_are_whole),
      cmocka_unit_test(primitives_are_triangles_or_left_out),
      cmocka_unit_test(extensions_that_may_move_triangles_are_refused),
      cmocka_unit_test(a_ply_file_is_checked_before_it_is_read),
      cmocka_unit_test(an_off_file_is_checked_before_it_is_read),
  };
  return cmocka_run_group_tests(tests, hostile_set_up, hostile_tear_down);
}
