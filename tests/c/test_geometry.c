#include "allocator.h"
#include "leeward/geometry.h"

#include "core/vec3.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static lw_area_table *areas;
static char folder[] = "/tmp/leeward_geometry_XXXXXX";

static int set_up(void **state) {
  (void)state;
  lw_area_def def = lw_area_def_default();
  if (!mkdtemp(folder) || lw_area_table_create(NULL, &areas)) return -1;
  for (int i = 0; i < 2; ++i) {
    def.name = i == 0 ? "ground" : "road";
    if (lw_area_table_set(areas, &def, NULL, NULL)) return -1;
  }
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  lw_area_table_destroy(areas);
  return rmdir(folder);
}

static lw_geometry *empty_geometry(void) {
  lw_geometry *geometry = NULL;
  assert_int_equal(lw_geometry_create(areas, NULL, &geometry), LW_OK);
  return geometry;
}

static const lw_vec3 square[4] = {{0, 0, 4}, {4, 0, 4}, {4, 0, 0}, {0, 0, 0}};
static const int square_indices[6] = {0, 1, 2, 0, 2, 3};

static lw_geometry_mesh square_mesh(void) {
  return (lw_geometry_mesh){
      .vertices = square, .vertex_count = 4, .indices = square_indices, .triangle_count = 2, .area = 1};
}

/* --- meshes --- */

static void a_mesh_is_copied_and_its_indices_shifted(void **state) {
  (void)state;
  lw_geometry *geometry = empty_geometry();
  lw_geometry_mesh mesh = square_mesh();
  assert_int_equal(lw_geometry_add_mesh(geometry, &mesh, NULL), LW_OK);
  const lw_area_id both[2] = {2, LW_AREA_NONE};
  mesh.areas = both;
  assert_int_equal(lw_geometry_add_mesh(geometry, &mesh, NULL), LW_OK);
  assert_int_equal(lw_geometry_vertex_count(geometry), 8);
  assert_int_equal(lw_geometry_triangle_count(geometry), 4);
  const int *indices = lw_geometry_indices(geometry);
  for (int i = 0; i < 6; ++i) {
    assert_int_equal(indices[i], square_indices[i]);
    assert_int_equal(indices[6 + i], square_indices[i] + 4);
  }
  const lw_area_id expected[4] = {1, 1, 2, LW_AREA_NONE};
  assert_memory_equal(lw_geometry_areas(geometry), expected, 4);
  lw_box box = lw_geometry_bounds(geometry);
  assert_true(lwi_equal(box.min, lwi_vec3(0, 0, 0)) && lwi_equal(box.max, lwi_vec3(4, 0, 4)));
  assert_ptr_equal(lw_geometry_area_table(geometry), areas);
  lw_geometry_destroy(geometry);
}

static void an_empty_geometry_has_bounds_of_zero(void **state) {
  (void)state;
  lw_geometry *geometry = empty_geometry();
  lw_box box = lw_geometry_bounds(geometry);
  assert_true(lwi_equal(box.min, lwi_vec3(0, 0, 0)) && lwi_equal(box.max, lwi_vec3(0, 0, 0)));
  lw_geometry_destroy(geometry);
}

static void assert_mesh_refused(const lw_geometry_mesh *mesh, const char *text) {
  lw_geometry *geometry = empty_geometry();
  lw_error error = {0};
  assert_int_equal(lw_geometry_add_mesh(geometry, mesh, &error), LW_INVALID);
  assert_string_equal(error.text, text);
  assert_int_equal(lw_geometry_vertex_count(geometry), 0);
  assert_int_equal(lw_geometry_triangle_count(geometry), 0);
  lw_geometry_destroy(geometry);
}

static void a_bad_mesh_adds_nothing_and_says_why(void **state) {
  (void)state;
  lw_vec3 vertices[4];
  memcpy(vertices, square, sizeof square);
  lw_geometry_mesh mesh = square_mesh();
  mesh.vertices = vertices;
  vertices[2].y = INFINITY;
  assert_mesh_refused(&mesh, "mesh: vertex 2 is (4, inf, 0), expected finite numbers within +-1e+06 m");
  vertices[2].y = 2e6f;
  assert_mesh_refused(&mesh, "mesh: vertex 2 is (4, 2e+06, 0), expected finite numbers within +-1e+06 m");
  int indices[6] = {0, 1, 2, 0, 2, 4};
  mesh = square_mesh();
  mesh.indices = indices;
  assert_mesh_refused(&mesh, "mesh: triangle 1: index is 4, expected 0 to 3");
  indices[5] = -1;
  assert_mesh_refused(&mesh, "mesh: triangle 1: index is -1, expected 0 to 3");
  mesh = square_mesh();
  mesh.area = 3;
  assert_mesh_refused(&mesh, "mesh: area is 3, expected 0 (none) to 2");
  mesh = square_mesh();
  mesh.triangle_count = 0;
  assert_mesh_refused(&mesh, "mesh: triangle_count is 0, expected 1 or more");
  mesh = square_mesh();
  mesh.vertex_count = 2;
  assert_mesh_refused(&mesh, "mesh: vertex_count is 2, expected 3 or more");
}

/* --- shapes --- */

/* Six times the volume that the triangles enclose: > 0 when they face outwards. The faces' own normals cancel
   out when the surface is closed. */
static double enclosed(const lw_geometry *geometry, lw_vec3 *open) {
  double volume = 0, sum[3] = {0};
  const lw_vec3 *v = lw_geometry_vertices(geometry);
  const int *indices = lw_geometry_indices(geometry);
  for (int i = 0; i < lw_geometry_triangle_count(geometry); ++i) {
    lw_vec3 a = v[indices[3 * i]], b = v[indices[3 * i + 1]], c = v[indices[3 * i + 2]];
    lw_vec3 normal = lwi_cross(lwi_sub(b, a), lwi_sub(c, a));
    volume += (double)lwi_dot(a, lwi_cross(b, c));
    sum[0] += (double)normal.x, sum[1] += (double)normal.y, sum[2] += (double)normal.z;
  }
  *open = lwi_vec3((float)sum[0], (float)sum[1], (float)sum[2]);
  return volume / 6;
}

static void assert_closed(const lw_geometry *geometry, double volume) {
  lw_vec3 open;
  assert_float_equal((float)enclosed(geometry, &open), (float)volume, 1e-3f);
  assert_true(lwi_length(open) < 1e-3f);
}

static void a_box_is_closed_and_faces_outwards(void **state) {
  (void)state;
  for (int i = 0; i < 4; ++i) {
    lw_geometry *geometry = empty_geometry();
    lw_geometry_box box = {.at = {3, 1, -2}, .size = {2, 3, 4}, .yaw = (float)i * 0.7f, .area = 1};
    assert_int_equal(lw_geometry_add_box(geometry, &box, NULL), LW_OK);
    assert_closed(geometry, 24);
    lw_box bounds = lw_geometry_bounds(geometry);
    assert_true(bounds.min.y == 1 && bounds.max.y == 4);
    lw_geometry_destroy(geometry);
  }
}

static void yaw_turns_a_box_counter_clockwise_seen_from_above(void **state) {
  (void)state;
  lw_geometry *geometry = empty_geometry();
  lw_geometry_box box = {.size = {10, 1, 0.01f}, .yaw = 3.14159265f / 4, .area = 1};
  assert_int_equal(lw_geometry_add_box(geometry, &box, NULL), LW_OK);
  for (int i = 0; i < 8; ++i) { /* the end at +x goes to -z */
    lw_vec3 v = lw_geometry_vertices(geometry)[i];
    assert_float_equal(v.z, -v.x, 0.02f);
  }
  lw_geometry_destroy(geometry);
}

static bool has_corner(const lw_geometry *geometry, lw_vec3 p) {
  for (int i = 0; i < lw_geometry_vertex_count(geometry); ++i)
    if (lwi_distance(lw_geometry_vertices(geometry)[i], p) < 1e-4f) return true;
  return false;
}

static void a_ramp_is_closed_in_either_direction(void **state) {
  (void)state;
  const lw_vec3 ends[4] = {{6, 3, 0}, {-6, 3, 0}, {6, -3, 0}, {0, 3, 6}};
  for (int i = 0; i < 4; ++i)
    for (int thick = 0; thick < 2; ++thick) {
      lw_geometry *geometry = empty_geometry();
      lw_geometry_ramp ramp = {.to = ends[i], .width = 2, .thickness = thick ? 0.5f : 0, .area = 1};
      assert_int_equal(lw_geometry_add_ramp(geometry, &ramp, NULL), LW_OK);
      assert_closed(geometry, thick ? 6 * 2 * 0.5 : 6 * 3 * 2 / 2.0);
      lw_vec3 side = i == 3 ? lwi_vec3(1, 0, 0) : lwi_vec3(0, 0, 1);
      assert_true(has_corner(geometry, side) && has_corner(geometry, lwi_add(ends[i], side)));
      lw_geometry_destroy(geometry);
    }
}

static int count_covers(const lw_geometry *geometry, lw_cover_kind kind) {
  int count = 0;
  for (int i = 0; i < lw_geometry_triangle_count(geometry); ++i)
    count += lw_geometry_covers(geometry)[i] == kind;
  return count;
}

static void triangles_without_a_cover_kind_take_their_area_s(void **state) {
  (void)state;
  lw_area_table *table = NULL;
  lw_geometry *geometry = NULL;
  assert_int_equal(lw_area_table_create(NULL, &table), LW_OK);
  lw_area_def def = lw_area_def_default();
  def.name = "bramble";
  def.concealment = 0.9f;
  assert_int_equal(lw_area_table_set(table, &def, NULL, NULL), LW_OK);
  assert_int_equal(lw_geometry_create(table, NULL, &geometry), LW_OK);
  const lw_geometry_box box = {.size = {1, 1, 1}, .area = 1}, solid = {.size = {1, 1, 1}};
  assert_int_equal(lw_geometry_add_box(geometry, &box, NULL), LW_OK); /* its sides; top and bottom are ground */
  assert_int_equal(count_covers(geometry, LW_COVER_SOFT), 8);
  assert_int_equal(count_covers(geometry, LW_COVER_HARD), 4);
  assert_int_equal(lw_geometry_add_box(geometry, &solid, NULL), LW_OK);
  assert_int_equal(count_covers(geometry, LW_COVER_HARD), 16);
  def.cover = LW_COVER_NONE;
  assert_int_equal(lw_area_table_set(table, &def, NULL, NULL), LW_OK);
  assert_int_equal(count_covers(geometry, LW_COVER_NONE), 0); /* what was added stays */
  assert_int_equal(lw_geometry_add_box(geometry, &box, NULL), LW_OK);
  assert_int_equal(count_covers(geometry, LW_COVER_NONE), 12);
  /* 60 degrees are steep, 59 are not */
  def.cover = LW_COVER_DEFAULT;
  assert_int_equal(lw_area_table_set(table, &def, NULL, NULL), LW_OK);
  for (int steep = 0; steep < 2; ++steep) {
    const float rise = 3 * tanf((steep ? 61.0f : 59.0f) * 3.14159265f / 180);
    const lw_vec3 corners[3] = {{0, 0, 0}, {0, 0, 5}, {3, rise, 5}};
    const int indices[3] = {0, 1, 2};
    const lw_geometry_mesh mesh = {
        .vertices = corners, .vertex_count = 3, .indices = indices, .triangle_count = 1, .area = 1};
    const int soft = count_covers(geometry, LW_COVER_SOFT);
    assert_int_equal(lw_geometry_add_mesh(geometry, &mesh, NULL), LW_OK);
    assert_int_equal(count_covers(geometry, LW_COVER_SOFT) - soft, steep);
  }
  lw_geometry_destroy(geometry);
  lw_area_table_destroy(table);
}

static void bad_shapes_are_refused_by_name(void **state) {
  (void)state;
  lw_geometry *geometry = empty_geometry();
  lw_error error = {0};
  lw_geometry_box box = {.size = {1, 0, 1}, .area = 1};
  assert_int_equal(lw_geometry_add_box(geometry, &box, &error), LW_INVALID);
  assert_string_equal(error.text, "box: size.y is 0, expected metres > 0, at most 1e+06");
  box = (lw_geometry_box){.at = {INFINITY, 0, 0}, .size = {1, 1, 1}, .area = 1};
  assert_int_equal(lw_geometry_add_box(geometry, &box, &error), LW_INVALID);
  assert_string_equal(error.text, "box: at is (inf, 0, 0), expected finite numbers within +-1e+06 m");
  lw_geometry_ramp ramp = {.to = {0, 3, 0}, .width = 1, .area = 1};
  assert_int_equal(lw_geometry_add_ramp(geometry, &ramp, &error), LW_INVALID);
  assert_string_equal(error.text, "ramp: from and to are both at x 0, z 0, expected different places");
  ramp = (lw_geometry_ramp){.to = {1, 3, 0}, .width = -1, .area = 1};
  assert_int_equal(lw_geometry_add_ramp(geometry, &ramp, &error), LW_INVALID);
  assert_string_equal(error.text, "ramp: width is -1, expected metres > 0, at most 1e+06");
  assert_int_equal(lw_geometry_triangle_count(geometry), 0);
  lw_geometry_destroy(geometry);
}

/* --- files --- */

static const char *write_file(const char *name, const char *text) {
  static char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
  assert_int_equal(fclose(file), 0);
  return path;
}

/* `text` NULL: there is no such file. */
static void assert_load_fails(const char *name, const char *text, lw_status status, const char *expected) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  if (text) write_file(name, text);
  lw_geometry *geometry = empty_geometry();
  lw_error error = {0};
  lw_status got = lw_geometry_load(geometry, path, NULL, &error);
  if (text) unlink(path);
  if (got != status || !strstr(error.text, expected))
    fail_msg("%s: got %s '%s', expected %s '%s'", name, lw_status_name(got), error.text, lw_status_name(status),
             expected);
  assert_int_equal(lw_geometry_vertex_count(geometry), 0);
  lw_geometry_destroy(geometry);
}

static void each_bad_file_has_its_own_text(void **state) {
  (void)state;
  assert_load_fails("missing.obj", NULL, LW_FILE, "No such file or directory");
  assert_load_fails("", NULL, LW_FILE, "it is a directory");
  assert_load_fails("empty.obj", "", LW_EMPTY, "is an empty file");
  assert_load_fails("prose.obj", "It was a dark\nand stormy night.\n", LW_BAD_FILE,
                    "is not an OBJ file: no line of it is a vertex or a face");
  assert_load_fails("binary.obj", "\x01\x02\x03 nonsense", LW_BAD_FILE, "bytes that are not text");
  assert_load_fails("prose.xyz", "It was a dark and stormy night.", LW_BAD_FILE, "cannot read '");
  assert_load_fails("prose.gltf", "It was a dark and stormy night.", LW_BAD_FILE, "cannot read '");
  assert_load_fails("points.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\n", LW_EMPTY,
                    "holds no triangles: 3 vertices, no face");
}

static void what_assimp_swallows_in_an_obj_is_caught_with_its_line(void **state) {
  (void)state;
  assert_load_fails("nan.obj", "v 0 0 0\nv 1 nan 0\nv 0 0 1\nf 1 2 3\n", LW_INVALID,
                    "nan.obj:2: y of vertex 2 is 'nan', expected a finite number");
  assert_load_fails("inf.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1e999\nf 1 2 3\n", LW_INVALID,
                    "inf.obj:3: z of vertex 3 is '1e999', expected a finite number");
  assert_load_fails("word.obj", "v 0 0 0\n# a comment\nv 1 zero 0\nv 0 0 1\nf 1 2 3\n", LW_INVALID,
                    "word.obj:3: y of vertex 2 is 'zero', expected a finite number");
  assert_load_fails("short.obj", "v 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n", LW_INVALID,
                    "short.obj:1: z of vertex 1 is '', expected a finite number");
  assert_load_fails("range.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n", LW_INVALID,
                    "range.obj:5: index is 4, expected at most 3, the number of vertices");
  assert_load_fails("zero.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 0 1 2\n", LW_INVALID,
                    "zero.obj:4: index is 0, expected 1 or more, or -3 to -1");
  assert_load_fails("back.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf -1 -2 -4\n", LW_INVALID,
                    "back.obj:4: index is -4, expected 1 or more, or -3 to -1");
  assert_load_fails("letter.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 c\n", LW_INVALID,
                    "letter.obj:4: a face's corner is 'c', expected an index");
  assert_load_fails("edge.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2\n", LW_INVALID,
                    "edge.obj:4: the number of corners of a face is 2, expected 3 or more");
}

/* Names of materials as the rule hears them, one after the other. */
static lw_material_rule note_name(void *user, const char *name) {
  char *names = user;
  strcat(strcat(names, name), ";");
  if (strcmp(name, "water") == 0) return (lw_material_rule){.ignored = true};
  return (lw_material_rule){.area = strcmp(name, "wall") == 0   ? LW_AREA_NONE
                                    : strcmp(name, "road") == 0 ? 2
                                                                : 1};
}

static const char *const four_materials = "v 0 0 4\nv 4 0 4\nv 4 0 0\nv 0 0 0\n"
                                          "f 1 2 3\nusemtl road\nf 1/1/1 3/2/2 4/3/3\nusemtl wall\nf 1 2 3\n"
                                          "usemtl water\nf 1 2 3 4\nusemtl road\nf -4 -3 -2\n";

static void materials_keep_their_names_without_a_library(void **state) {
  (void)state;
  const char *path = write_file("materials.obj", four_materials);
  lw_geometry *geometry = empty_geometry();
  char names[256] = "";
  lw_geometry_import import = {.rule = note_name, .user = names};
  lw_error error = {0};
  lw_status status = lw_geometry_load(geometry, path, &import, &error);
  unlink(path);
  if (status) fail_msg("%s", error.text);
  assert_non_null(strstr(names, "DefaultMaterial;"));
  assert_non_null(strstr(names, "road;"));
  assert_non_null(strstr(names, "wall;"));
  assert_non_null(strstr(names, "water;"));
  int count[3] = {0};
  assert_int_equal(lw_geometry_triangle_count(geometry), 4);
  for (int i = 0; i < 4; ++i) count[lw_geometry_areas(geometry)[i]] += 1;
  assert_int_equal(count[LW_AREA_NONE], 1);
  assert_int_equal(count[1], 1);
  assert_int_equal(count[2], 2);
  for (int i = 0; i < 4; ++i) { /* as they were wound: facing up */
    const lw_vec3 *v = lw_geometry_vertices(geometry);
    const int *t = lw_geometry_indices(geometry) + 3 * i;
    assert_true(lwi_turn(v[t[0]], v[t[1]], v[t[2]]) > 0);
  }
  lw_geometry_destroy(geometry);
}

static lw_material_rule ignore_all(void *user, const char *name) {
  (void)user, (void)name;
  return (lw_material_rule){.ignored = true};
}

static lw_material_rule unknown_area(void *user, const char *name) {
  (void)user, (void)name;
  return (lw_material_rule){.area = 9};
}

static void material_rules_that_ignore_all_or_name_no_area_are_refused(void **state) {
  (void)state;
  const char *path = write_file("rules.obj", "v 0 0 4\nv 4 0 4\nv 4 0 0\nusemtl mud\nf 1 2 3\n");
  lw_geometry *geometry = empty_geometry();
  lw_error error = {0};
  lw_geometry_import import = {.rule = ignore_all};
  assert_int_equal(lw_geometry_load(geometry, path, &import, &error), LW_EMPTY);
  assert_non_null(strstr(error.text, "the materials of all its 1 triangles are ignored"));
  import.rule = unknown_area;
  assert_int_equal(lw_geometry_load(geometry, path, &import, &error), LW_INVALID);
  assert_non_null(strstr(error.text, "the area of material '"));
  assert_non_null(strstr(error.text, "by the rule is 9, expected 0 (none) to 2"));
  unlink(path);
  lw_geometry_destroy(geometry);
}

static lw_material_rule solid(void *user, const char *name) {
  (void)user, (void)name;
  return (lw_material_rule){.area = LW_AREA_NONE};
}

static void without_areas_only_a_rule_can_say_what_triangles_are(void **state) {
  (void)state;
  const char *path = write_file("no_areas.obj", "v 0 0 4\nv 4 0 4\nv 4 0 0\nf 1 2 3\n");
  lw_area_table *none = NULL;
  lw_geometry *geometry = NULL;
  lw_error error = {0};
  assert_int_equal(lw_area_table_create(NULL, &none), LW_OK);
  assert_int_equal(lw_geometry_create(none, NULL, &geometry), LW_OK);
  assert_int_equal(lw_geometry_load(geometry, path, NULL, &error), LW_INVALID);
  assert_string_equal(error.text, "the area table has no areas, expected one for the triangles");
  assert_int_equal(lw_geometry_triangle_count(geometry), 0);
  const lw_geometry_import import = {.rule = solid};
  assert_int_equal(lw_geometry_load(geometry, path, &import, &error), LW_OK);
  assert_int_equal(lw_geometry_triangle_count(geometry), 1);
  unlink(path);
  lw_geometry_destroy(geometry);
  lw_area_table_destroy(none);
}

/* Two nodes: a parent that moves, a child that mirrors x. One triangle, facing up. */
static const char *const nested_gltf =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
    "\"nodes\":[{\"translation\":[10,5,0],\"children\":[1]},{\"scale\":[-1,1,1],\"mesh\":0}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
    "\"buffers\":[{\"byteLength\":36,\"uri\":\"data:application/octet-stream;base64,"
    "AAAAAAAAAAAAAIA/AACAPwAAAAAAAIA/AACAPwAAAAAAAAAA\"}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":36}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","
    "\"min\":[0,0,0],\"max\":[1,0,1]}]}";

static void nodes_move_and_mirror_their_meshes(void **state) {
  (void)state;
  const char *path = write_file("nested.gltf", nested_gltf);
  lw_geometry *geometry = empty_geometry();
  lw_error error = {0};
  lw_status status = lw_geometry_load(geometry, path, NULL, &error);
  unlink(path);
  if (status) fail_msg("%s", error.text);
  lw_box box = lw_geometry_bounds(geometry);
  assert_true(lwi_equal(box.min, lwi_vec3(9, 5, 0)) && lwi_equal(box.max, lwi_vec3(10, 5, 1)));
  const lw_vec3 *v = lw_geometry_vertices(geometry);
  const int *t = lw_geometry_indices(geometry);
  assert_int_equal(lw_geometry_triangle_count(geometry), 1);
  assert_true(lwi_turn(v[t[0]], v[t[1]], v[t[2]]) > 0);
  lw_geometry_destroy(geometry);
}

static void check_level(const char *name, int triangles, const char *material) {
  const char *shared = getenv("LEEWARD_SHARED");
  char path[512], names[1024] = "";
  snprintf(path, sizeof path, "%s/levels/%s.obj", shared ? shared : "../shared", name);
  lw_geometry *geometry = empty_geometry();
  lw_geometry_import import = {.rule = note_name, .user = names};
  lw_error error = {0};
  lw_status status = lw_geometry_load(geometry, path, &import, &error);
  int count = lw_geometry_triangle_count(geometry);
  lw_geometry_destroy(geometry);
  if (status == LW_FILE) {
    print_message("skipped: %s (set LEEWARD_SHARED)\n", error.text);
    skip();
  }
  if (status) fail_msg("%s", error.text);
  assert_int_equal(count, triangles);
  if (!strstr(names, material)) fail_msg("%s: no material %s in %s", name, material, names);
}

static void a_real_level_keeps_its_triangles_and_materials(void **state) {
  (void)state;
  check_level("fd1_e1m1", 3848, "floor_nukage;");
  check_level("recast_dungeon", 10133, "DefaultMaterial;");
}

static void a_real_level_of_polygons_is_triangulated(void **state) {
  (void)state;
  check_level("recast_nav_test", 1612, "Default;");
}

/* --- memory --- */

static void every_failed_allocation_is_reported_and_leaks_nothing(void **state) {
  (void)state;
  const char *path = write_file("memory.obj", four_materials);
  int calls = 0;
  for (bool done = false; !done; ++calls) {
    support_memory memory = {.left = calls};
    lw_allocator allocator = support_allocator(&memory);
    lw_geometry *geometry = NULL;
    lw_geometry_mesh mesh = square_mesh();
    lw_geometry_box box = {.size = {1, 1, 1}, .area = 1};
    lw_status status = lw_geometry_create(areas, &allocator, &geometry);
    if (!status) status = lw_geometry_add_mesh(geometry, &mesh, NULL);
    if (!status) status = lw_geometry_add_box(geometry, &box, NULL);
    if (!status) {
      int before = lw_geometry_triangle_count(geometry);
      status = lw_geometry_load(geometry, path, NULL, NULL);
      assert_int_equal(lw_geometry_triangle_count(geometry), status ? before : before + 6);
    }
    done = status == LW_OK;
    if (!done) assert_int_equal(status, LW_OUT_OF_MEMORY);
    lw_geometry_destroy(geometry);
    assert_int_equal(memory.bytes, 0);
  }
  assert_true(calls > 8);
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_mesh_is_copied_and_its_indices_shifted),
      cmocka_unit_test(an_empty_geometry_has_bounds_of_zero),
      cmocka_unit_test(a_bad_mesh_adds_nothing_and_says_why),
      cmocka_unit_test(a_box_is_closed_and_faces_outwards),
      cmocka_unit_test(yaw_turns_a_box_counter_clockwise_seen_from_above),
      cmocka_unit_test(a_ramp_is_closed_in_either_direction),
      cmocka_unit_test(triangles_without_a_cover_kind_take_their_area_s),
      cmocka_unit_test(bad_shapes_are_refused_by_name),
      cmocka_unit_test(each_bad_file_has_its_own_text),
      cmocka_unit_test(what_assimp_swallows_in_an_obj_is_caught_with_its_line),
      cmocka_unit_test(materials_keep_their_names_without_a_library),
      cmocka_unit_test(material_rules_that_ignore_all_or_name_no_area_are_refused),
      cmocka_unit_test(without_areas_only_a_rule_can_say_what_triangles_are),
      cmocka_unit_test(nodes_move_and_mirror_their_meshes),
      cmocka_unit_test(a_real_level_keeps_its_triangles_and_materials),
      cmocka_unit_test(a_real_level_of_polygons_is_triangulated),
      cmocka_unit_test(every_failed_allocation_is_reported_and_leaks_nothing),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
