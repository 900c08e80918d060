/* Navmeshes of other programs: what is read, and what is refused with which message. */
#include "allocator.h"
#include "core/random.h"
#include "detour_peer.h"
#include "grid_mesh.h"
#include "leeward/leeward.h"
#include "mesh/mesh.h"
#include "temp_file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define SEED 20240819u
#define MUTATIONS 2000

/* Three polygons in a row; corner 5 lies straight on an edge of the last:

     3---4---8---7
     | 0 | 1 5 2 |     in the file y grows upwards, here z grows downwards
     0---1---2---6                                                                                             */
static const char row[] = "mesh\n2\n9 3\n"
                          "0 0 2 0 -1\n2 0 3 1 0 -1\n4 0 3 2 1 -1\n0 3 2 -1 0\n2 3 3 0 1 -1\n4 2 2 1 2\n"
                          "6 0 2 2 -1\n6 3 2 -1 2\n4 3 3 2 1 -1\n"
                          "4 0 1 4 3 -1 -1 1 -1\n"
                          "5 1 2 5 8 4 0 -1 2 2 -1\n"
                          "5 2 6 7 8 5 1 -1 -1 -1 1\n";

static lw_area_table *areas;
static char path[] = "/tmp/leeward_import_XXXXXX";

static int begin(void **state) {
  (void)state;
  static const char *const names[] = {"ground", "road", "water"};
  areas = support_areas(names, COUNT(names));
  temp_file_make(path);
  return 0;
}

static int end(void **state) {
  (void)state;
  remove(path);
  lw_area_table_destroy(areas);
  return 0;
}

static lw_navmesh *import(const lw_import_settings *settings) {
  lw_navmesh *mesh;
  lw_error error;
  if (lw_navmesh_import(path, areas, settings, &mesh, &error) != LW_OK) fail_msg("%s", error.text);
  if (lw_navmesh_validate(mesh, &error) != LW_OK) fail_msg("%s", error.text);
  return mesh;
}

/* `text` comes after the file's name. */
static void refuses(lw_status status, const char *text) {
  lw_navmesh *mesh;
  lw_error error = {0};
  assert_int_equal(lw_navmesh_import(path, areas, NULL, &mesh, &error), status);
  assert_null(mesh);
  const char *name = strstr(error.text, path);
  assert_non_null(name);
  assert_string_equal(name + strlen(path), text);
}

/* --- Polyanya -------------------------------------------------------------------------------------------------- */

static void refuses_text(const char *file, const char *text) {
  file_write(path, file, strlen(file));
  refuses(LW_BAD_FILE, text);
}

/* `row` with one part of it changed. */
static void refuses_change(const char *from, const char *to, const char *text) {
  char file[2 * sizeof row];
  const char *at = strstr(row, from);
  assert_non_null(at);
  snprintf(file, sizeof file, "%.*s%s%s", (int)(at - row), row, to, at + strlen(from));
  refuses_text(file, text);
}

static void a_polyanya_mesh_keeps_polygons_and_neighbours(void **state) {
  (void)state;
  file_write(path, row, sizeof row - 1);
  lw_navmesh *mesh = import(NULL);
  lw_navmesh_stats stats = lw_navmesh_get_stats(mesh);
  assert_int_equal(stats.polygons, 3);
  assert_int_equal(stats.portals, 6); /* polygons 1 and 2 share two edges */
  assert_int_equal(stats.islands, 1);
  assert_true(fabsf(stats.area - 18) < 1e-5f);
  lw_poly poly;
  assert_int_equal(lw_navmesh_get_poly(mesh, lwi_poly_id(mesh, 2), &poly), LW_OK);
  assert_int_equal(poly.corner_count, 5);
  assert_int_equal(poly.area, 1);
  lw_navmesh_destroy(mesh);
}

static void x_and_y_of_the_file_are_x_and_z(void **state) {
  (void)state;
  file_write(path, row, sizeof row - 1);
  lw_navmesh *mesh = import(NULL);
  lw_box bounds = lw_navmesh_bounds(mesh);
  assert_true(bounds.min.x == 0 && bounds.min.y == 0 && bounds.min.z == 0);
  assert_true(bounds.max.x == 6 && bounds.max.y == 0 && bounds.max.z == 3);
  lw_navmesh_destroy(mesh);
}

static void either_winding_is_taken(void **state) {
  (void)state;
  char file[2 * sizeof row];
  static const char turned[] = "4 3 4 1 0 -1 -1 1 -1\n5 4 8 5 2 1 0 -1 2 2 -1\n5 5 8 7 6 2 1 1 -1 -1 -1\n";
  snprintf(file, sizeof file, "%.*s%s", (int)(strstr(row, "4 0 1 4 3") - row), row, turned);
  file_write(path, file, strlen(file));
  lw_navmesh *mesh = import(NULL);
  assert_int_equal(lw_navmesh_get_stats(mesh).portals, 6);
  lw_navmesh_destroy(mesh);
}

static void bad_words_in_a_polyanya_mesh_are_named_with_their_line(void **state) {
  (void)state;
  refuses_change("\n2\n", "\n1\n", ":2: the version is '1', expected 2");
  refuses_change("9 3", "9 x",
                 ":3: the number of polygons is 'x', expected a whole number from 1 to 2147483647");
  refuses_change("9 3", "99999 3", ":3: the file is too short for 99999 vertices and 3 polygons");
  refuses_change("-1 -1 -1 1\n", "-1 -1 -1 1 8\n",
                 ":15: got '8', expected the end of the file after 3 polygons");
  refuses_change("9 3", "9 4", ":16: the file ends, expected the number of corners of polygon 4");
  refuses_change("0 0 2", "nan 0 2", ":4: x of vertex 1 is 'nan', expected a number within +-1e6");
  refuses_change("2 0 3", "2 1e9 3", ":5: y of vertex 2 is '1e9', expected a number within +-1e6");
  refuses_change("2 0 3 1", "2 0 3 7",
                 ":5: a polygon around vertex 2 is '7', expected a whole number from -1 to 2");
  refuses_change("4 0 1", "2 0 1",
                 ":13: the number of corners of polygon 1 is '2', expected a whole number from 3 to 255");
  refuses_change("4 0 1", "4 9 1", ":13: a corner of polygon 1 is '9', expected a whole number from 0 to 8");
  refuses_change("0 -1 2 2", "0 -1 3 2",
                 ":14: a neighbour of polygon 2 is '3', expected a whole number from -1 to 2");
  refuses_text("mesh\n", ":2: the file ends, expected the version");
}

static void bad_polygons_of_a_polyanya_mesh_are_named(void **state) {
  (void)state;
  refuses_change("4 2 2", "2.5 1 2",
                 "': polygon 2 of 3 is concave at its corner 3 (2.5, 0, 1): split it into convex ones");
  refuses_change("4 0 1 4 3", "4 0 1 1 3",
                 "': polygon 1 of 3 is degenerate: its corners 2 and 3 are one place seen from above");
  refuses_change("5 1 2 5 8 4", "5 0 2 5 8 3",
                 "': polygons 1 and 2 of 3 overlap at (1, 0, 1.5): cut one of them");
}

static void neighbours_that_are_not_the_geometrys_are_refused(void **state) {
  (void)state;
  refuses_change("-1 -1 1 -1", "-1 -1 -1 -1",
                 "': polygon 1 does not have polygon 2 behind its edge from (2, 0, 3) to (2, 0, 0), but the "
                 "two meet there");
  refuses_change(
      "-1 -1 1 -1", "2 -1 1 -1",
      "': polygon 1 has polygon 3 behind its edge from (0, 0, 0) to (0, 0, 3), but the two do not meet there");
}

/* --- Detour ---------------------------------------------------------------------------------------------------- */

/* Two tiles of 4 x 4 m, cells of 1 m; the first has two polygons, one of them higher in its middle:

     +---+---+-------+
     | 0 | 1 |   2   |    and two off-mesh connections that begin in the first
     +---+---+-------+                                                                                         */
enum { WEST, SOUTH, EAST, NORTH, NONE = 0xffff, SIDE = 0x8000 };
static const lw_vec3 first_vertices[] = {{0, 0, 0}, {2, 0, 0}, {4, 0, 0}, {0, 0, 4}, {2, 0, 4}, {4, 0, 4}};
static const lw_vec3 second_vertices[] = {{4, 0, 0}, {8, 0, 0}, {4, 0, 4}, {8, 0, 4}};
static const unsigned short first_grid[] = {0, 0, 0, 2, 0, 0, 4, 0, 0, 0, 0, 4, 2, 0, 4, 4, 0, 4};
static const unsigned short second_grid[] = {0, 0, 0, 4, 0, 0, 0, 0, 4, 4, 0, 4};
static const unsigned short first_polygons[] = {
    0, 3, 4, 1, NONE, NONE, NONE, NONE, 1,           NONE, NONE, NONE, /**/
    1, 4, 5, 2, NONE, NONE, 0,    NONE, SIDE | EAST, NONE, NONE, NONE};
static const unsigned short second_polygons[] = {0,           2,    3,    1,    NONE, NONE,
                                                 SIDE | WEST, NONE, NONE, NONE, NONE, NONE};
static const unsigned first_meshes[] = {0, 5, 0, 4, 5, 4, 4, 2};
static const float first_detail[] = {0, 0, 0, 0, 0, 4, 2, 0, 4, 2, 0, 0, 1, 0.5f,
                                     2, 2, 0, 0, 2, 0, 4, 4, 0, 4, 4, 0, 0};
static const unsigned char first_triangles[] = {0, 1, 4, 1, 1, 2, 4, 1, 2, 3, 4, 1,
                                                3, 0, 4, 1, 0, 1, 2, 1, 0, 2, 3, 1};
static const float connections[] = {1, 0, 1, 3, 0, 1, 3, 0, 3, 7, 0, 3};
static const unsigned char first_areas[] = {0, 5};

static const peer_tile peer_tiles[] = {{.x = 0,
                                        .z = 0,
                                        .bounds = {{0, 0, 0}, {4, 1, 4}},
                                        .vertex_count = 6,
                                        .polygon_count = 2,
                                        .vertices = first_vertices,
                                        .grid = first_grid,
                                        .polygons = first_polygons,
                                        .detail_meshes = first_meshes,
                                        .detail_vertices = first_detail,
                                        .detail_triangles = first_triangles,
                                        .detail_vertex_count = 9,
                                        .detail_triangle_count = 6,
                                        .cell = 1,
                                        .cell_height = 1,
                                        .connections = connections,
                                        .connection_count = 2,
                                        .areas = first_areas},
                                       {.x = 1,
                                        .z = 0,
                                        .bounds = {{4, 0, 0}, {8, 1, 4}},
                                        .vertex_count = 4,
                                        .polygon_count = 1,
                                        .vertices = second_vertices,
                                        .grid = second_grid,
                                        .polygons = second_polygons,
                                        .cell = 1,
                                        .cell_height = 1}};

/* Where things lie in the file: the head of the set is 40 bytes, of a tile 8 and 100. */
enum { SET = 40, TILE = 48, VERTICES = TILE + 100, POLYGONS = VERTICES + 12 * (6 + 4), POLYGON = 32 };

static unsigned char set[4096];
static size_t set_size;

static lw_import_settings with_road(void) {
  lw_import_settings settings = lw_import_settings_default();
  settings.areas[5] = 2;
  return settings;
}

static void make_set(const peer_tile *tiles) {
  peer_mesh source = {2, tiles, 4, 0.5f, 2, 0.25f};
  char message[256] = "";
  peer *detour = peer_create_from(&source, message, sizeof message);
  if (!detour) fail_msg("%s", message);
  assert_true(peer_save(detour, path));
  peer_destroy(detour);
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  set_size = fread(set, 1, sizeof set, file);
  fclose(file);
  assert_in_range(set_size, 500, sizeof set - 1);
}

static void a_tile_set_keeps_polygons_areas_and_borders(void **state) {
  (void)state;
  make_set(peer_tiles);
  lw_import_settings settings = with_road();
  lw_navmesh *mesh = import(&settings);
  lw_navmesh_stats stats = lw_navmesh_get_stats(mesh);
  assert_int_equal(stats.tiles, 2);
  assert_int_equal(stats.polygons, 3);
  assert_int_equal(stats.vertices, 10); /* not those of the off-mesh connections */
  assert_int_equal(stats.portals, 4);
  assert_int_equal(stats.islands, 1);
  assert_true(fabsf(stats.area - 32) < 1e-5f);
  assert_int_equal(mesh->polygons.areas[0], 1);
  assert_int_equal(mesh->polygons.areas[1], 2);
  assert_int_equal(mesh->polygons.areas[2], 1);
  lw_navmesh_agent agent = lw_navmesh_get_agent(mesh);
  assert_true(agent.radius == 0.5f && agent.height == 2 && agent.climb == 0.25f);
  lw_navmesh_destroy(mesh);
}

static void off_mesh_connections_become_jumps(void **state) {
  (void)state;
  make_set(peer_tiles);
  lw_import_settings settings = with_road();
  lw_navmesh *mesh = import(&settings);
  lw_link link;
  assert_int_equal(lw_navmesh_get_stats(mesh).offmesh_links, 2);
  assert_int_equal(lw_navmesh_get_stats(mesh).offmesh_refused, 0);
  assert_int_equal(lw_navmesh_get_link(mesh, 1, &link), LW_OK);
  assert_int_equal(link.def.kind, LW_LINK_JUMP);
  assert_false(link.def.bidirectional);
  assert_true(link.def.radius == 0.5f && link.def.from.x == 3 && link.def.from.z == 3);
  assert_true(link.to.point.x == 7 && link.to.point.y == 0 && link.to.point.z == 3);
  assert_int_equal(link.to.poly, lwi_poly_id(mesh, 2)); /* in the other tile */
  assert_int_equal(lw_navmesh_validate(mesh, NULL), LW_OK);
  lw_navmesh_destroy(mesh);
}

static void heights_come_from_the_detail_meshes(void **state) {
  (void)state;
  make_set(peer_tiles);
  lw_import_settings settings = with_road();
  lw_navmesh *mesh = import(&settings);
  float height;
  assert_int_equal(lw_navmesh_height(mesh, (lw_vec3){1, 0, 2}, NULL, &height), LW_OK);
  assert_true(fabsf(height - 0.5f) < 1e-6f);
  assert_int_equal(lw_navmesh_height(mesh, (lw_vec3){1, 0, 1}, NULL, &height), LW_OK);
  assert_true(fabsf(height - 0.25f) < 1e-6f);
  assert_int_equal(lw_navmesh_height(mesh, (lw_vec3){3, 0, 2}, NULL, &height), LW_OK);
  assert_true(fabsf(height) < 1e-6f);
  lw_navmesh_destroy(mesh);
}

/* Nothing behind an edge without the border flag, though another tile's polygon lies there. */
static void tiles_join_only_over_their_borders(void **state) {
  (void)state;
  unsigned short closed[COUNT(first_polygons)];
  memcpy(closed, first_polygons, sizeof closed);
  closed[12 + 6 + 2] = NONE;
  peer_tile tiles[2] = {peer_tiles[0], peer_tiles[1]};
  tiles[0].polygons = closed;
  make_set(tiles);
  lw_import_settings settings = with_road();
  lw_navmesh *mesh = import(&settings);
  assert_int_equal(lw_navmesh_get_stats(mesh).portals, 2);
  assert_int_equal(lw_navmesh_get_stats(mesh).islands, 2);
  lw_navmesh_destroy(mesh);
}

static void areas_without_a_name_are_refused(void **state) {
  (void)state;
  make_set(peer_tiles);
  refuses(LW_NOT_FOUND, "': tile 1, polygon 2 is of area 5, for which no name was given");
  lw_import_settings settings = with_road();
  settings.areas[7] = 99;
  lw_navmesh *mesh;
  lw_error error;
  assert_int_equal(lw_navmesh_import(path, areas, &settings, &mesh, &error), LW_INVALID);
  assert_string_equal(error.text, "areas[7] is 99, expected 0 (none) to 3");
}

/* The set with `size` bytes at `at` replaced; polygon 1's area is set to 0 first, so that nothing else is
   wrong. */
static void refuses_bytes(size_t at, const void *bytes, size_t size, const char *text) {
  unsigned char changed[sizeof set];
  memcpy(changed, set, set_size);
  changed[POLYGONS + POLYGON + 31] = 0;
  memcpy(changed + at, bytes, size);
  file_write(path, changed, set_size);
  refuses(LW_BAD_FILE, text);
}

static void refuses_word(size_t at, uint32_t word, const char *text) {
  refuses_bytes(at, &word, sizeof word, text);
}
static void refuses_half(size_t at, uint16_t half, const char *text) {
  refuses_bytes(at, &half, sizeof half, text);
}
static void refuses_byte(size_t at, uint8_t byte, const char *text) {
  refuses_bytes(at, &byte, 1, text);
}
static void refuses_float(size_t at, float value, const char *text) {
  refuses_bytes(at, &value, sizeof value, text);
}

static void other_versions_and_kinds_of_detour_files_are_refused_by_name(void **state) {
  (void)state;
  make_set(peer_tiles);
  refuses_word(4, 2, "' is a Detour tile set of version 2, expected version 1");
  refuses_word(TILE + 4, 8, "': tile 1 is of version 8, expected version 7");
  refuses_word(TILE, 0, "': tile 1 is not a Detour tile ('DNAV')");
  refuses_bytes(0, "MSET", 4,
                "' is from a machine of another byte order (big-endian): save it on a little-endian one");
  refuses_bytes(0, "VAND", 4, "' is a single Detour tile: save the tile set ('MSET')");
  refuses_bytes(0, "TEST", 4,
                "' is a Detour tile cache ('TSET'), which holds no polygons: save the tile set ('MSET')");
  refuses_bytes(SET + 16, "VAND", 4,
                "' has 64-bit polygon references: save it from a Detour without DT_POLYREF64");
}

static void wrong_counts_of_a_tile_are_refused(void **state) {
  (void)state;
  make_set(peer_tiles);
  char text[256];
  uint32_t size;
  memcpy(&size, set + SET + 4, sizeof size);
  snprintf(text, sizeof text, "': tile 1 has %u bytes, but its head counts parts of %u bytes", (unsigned)size,
           (unsigned)(size - 12));
  refuses_word(TILE + 28, 9, text); /* vertices; there are 10 */
  refuses_word(8, 0x10000, "' is too short for its 65536 tiles");
  refuses_word(8, 3, "' is cut short within tile 3 of 3");
  refuses_word(TILE + 56, 1, "': tile 1 has 4 polygons, but its first off-mesh connection of 2 is number 2");
  file_write(path, set, set_size - 1);
  refuses(LW_BAD_FILE, "' is cut short within tile 2 of 2");
  set[set_size] = 0;
  file_write(path, set, set_size + 1);
  refuses(LW_BAD_FILE, "' has 1 bytes after its last tile");
  file_write(path, set, SET - 1);
  refuses(LW_BAD_FILE, "' is cut short within its head");
  uint32_t none = 0;
  memcpy(set + 8, &none, sizeof none);
  file_write(path, set, SET);
  refuses(LW_EMPTY, "' holds no tiles");
}

static void bad_polygons_of_a_tile_are_named(void **state) {
  (void)state;
  make_set(peer_tiles);
  refuses_float(VERTICES, NAN, "': tile 1: vertex 1 is (nan, 0, 0), expected numbers within +-1e+06");
  refuses_byte(POLYGONS + 30, 7, "': tile 1, polygon 1 has 7 corners, expected 3 to 6");
  refuses_byte(POLYGONS + 31, 1 << 6,
               "': tile 1, polygon 1 is not ground, but stands before the off-mesh connections");
  refuses_half(POLYGONS + 4, 10, "': tile 1, polygon 1 has vertex 11 at its corner 1, expected 1 to 10");
  refuses_half(POLYGONS + 16 + 4, 3, "': tile 1, polygon 1 has polygon 3 behind its edge 3, expected 1 to 2");
  refuses_half(POLYGONS + 16, 0x8001,
               "': tile 1, polygon 1 has edge 1 on side 1 of the tile, expected 0, 2, 4 or 6");
  refuses_half(POLYGONS + 16 + 4, 0,
               "': polygon 1 does not have polygon 2 behind its edge from (2, 0, 4) to (2, 0, 0), but the two "
               "meet there");
  refuses_half(
      POLYGONS + 16, 2,
      "': polygon 1 has polygon 2 behind its edge from (0, 0, 0) to (0, 0, 4), but the two do not meet there");
  const uint16_t clockwise[] = {1, 4, 3, 0};
  refuses_bytes(POLYGONS + 4, clockwise, sizeof clockwise,
                "': tile 1, polygon 1 is wound clockwise seen from above");
  const float dent[] = {1.5f, 0, 2.5f};
  refuses_bytes(VERTICES, dent, sizeof dent,
                "': tile 1, polygon 1 is concave at its corner 1 (1.5, 0, 2.5): split it into convex ones");
}

static void a_missing_an_empty_and_a_foreign_file_are_refused_by_name(void **state) {
  (void)state;
  file_write(path, "", 0);
  refuses(LW_BAD_FILE, "' is an empty file");
  file_write(path, "hello", 5);
  refuses(LW_BAD_FILE, "' cannot be imported: expected a mesh of Polyanya or a tile set of Detour");
  file_write(path, "LWNMESH", 8);
  refuses(LW_BAD_FILE, "' is a leeward navmesh already: load it");
  lw_navmesh *mesh;
  lw_error error;
  assert_int_equal(lw_navmesh_import("/nowhere/at.all", areas, NULL, &mesh, &error), LW_FILE);
  assert_string_equal(error.text, "cannot read '/nowhere/at.all': No such file or directory");
  assert_int_equal(lw_navmesh_import("/tmp", areas, NULL, &mesh, &error), LW_FILE);
  assert_string_equal(error.text, "cannot read '/tmp': it is a directory");
}

/* --- both ------------------------------------------------------------------------------------------------------ */

static void import_without_memory(const char *name) {
  support_memory memory = {0};
  lw_allocator allocator = support_allocator(&memory);
  lw_import_settings settings = with_road();
  settings.allocator = &allocator;
  lw_status status = LW_OUT_OF_MEMORY;
  int left = 0;
  for (; status != LW_OK; left++) {
    lw_navmesh *mesh;
    lw_error error;
    memory.left = left;
    status = lw_navmesh_import(path, areas, &settings, &mesh, &error);
    if (status != LW_OK && status != LW_OUT_OF_MEMORY) fail_msg("%s: %s", name, error.text);
    lw_navmesh_destroy(mesh);
    assert_int_equal(memory.bytes, 0);
  }
  assert_true(left > 5);
}

static void running_out_of_memory_leaks_nothing(void **state) {
  (void)state;
  file_write(path, row, sizeof row - 1);
  import_without_memory("Polyanya");
  make_set(peer_tiles);
  import_without_memory("Detour");
}

/* One to three bytes, words, numbers or ranges of `data` are changed. @return The new size. */
static size_t mutate(lw_random *random, unsigned char *data, size_t size, size_t capacity) {
  static const uint32_t words[] = {0,          1,          2,          7,          255,       0x7fffffff,
                                   0x80000000, 0xffffffff, 0x7fc00000, 0x7f800000, 0x49742400};
  static const char *const texts[] = {"-1", "0", "1", "99", "2147483648", "nan", "1e30", "mesh", "\n", " "};
  for (uint64_t times = 1 + lwi_random_bits(random) % 3; times > 0 && size > 8; times--) {
    size_t at = lwi_random_bits(random) % size;
    const char *text = texts[lwi_random_bits(random) % (uint64_t)COUNT(texts)];
    uint32_t word = words[lwi_random_bits(random) % (uint64_t)COUNT(words)];
    size_t length = 1 + lwi_random_bits(random) % 16;
    switch (lwi_random_bits(random) % 6) {
    case 0: data[at] ^= (unsigned char)(1u << (lwi_random_bits(random) & 7)); break;
    case 1: data[at] = (unsigned char)lwi_random_bits(random); break;
    case 2: memcpy(data + (at + 4 > size ? size - 4 : at / 4 * 4), &word, 4); break;
    case 3: size = at; break;
    case 4: /* leave a range out */
      if (length > size - at) length = size - at;
      memmove(data + at, data + at + length, size - at - length);
      size -= length;
      break;
    default: /* put a text in */
      length = strlen(text);
      if (size + length > capacity) break;
      memmove(data + at + length, data + at, size - at);
      memcpy(data + at, text, length);
      size += length;
      break;
    }
  }
  return size;
}

static void survive_mutations(const char *name, const unsigned char *data, size_t size,
                              const lw_import_settings *settings) {
  lw_random random = lwi_random_make(SEED, size);
  int accepted = 0, refused = 0;
  for (int round = 0; round < MUTATIONS; round++) {
    unsigned char changed[sizeof set];
    memcpy(changed, data, size);
    file_write(path, changed, mutate(&random, changed, size, sizeof changed));
    lw_navmesh *mesh;
    lw_error error = {0};
    lw_status status = lw_navmesh_import(path, areas, settings, &mesh, &error);
    if (status == LW_OK) {
      if (lw_navmesh_validate(mesh, &error) != LW_OK)
        fail_msg("%s, seed %u, mutation %d: %s", name, SEED, round, error.text);
      accepted += 1;
    } else {
      if (mesh || error.text[0] == 0)
        fail_msg("%s, seed %u, mutation %d: refused without a text", name, SEED, round);
      refused += 1;
    }
    lw_navmesh_destroy(mesh);
  }
  printf("note: %s, seed %u: of %d mutations %d were refused, %d are sound\n", name, SEED, MUTATIONS, refused,
         accepted);
  assert_true(refused > MUTATIONS / 4 && accepted > 0);
}

static void mutated_polyanya_meshes_are_refused_or_sound(void **state) {
  (void)state;
  survive_mutations("Polyanya", (const unsigned char *)row, sizeof row - 1, NULL);
}

static void mutated_tile_sets_are_refused_or_sound(void **state) {
  (void)state;
  make_set(peer_tiles);
  lw_import_settings settings = with_road();
  survive_mutations("Detour", set, set_size, &settings);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_polyanya_mesh_keeps_polygons_and_neighbours),
      cmocka_unit_test(x_and_y_of_the_file_are_x_and_z),
      cmocka_unit_test(either_winding_is_taken),
      cmocka_unit_test(bad_words_in_a_polyanya_mesh_are_named_with_their_line),
      cmocka_unit_test(bad_polygons_of_a_polyanya_mesh_are_named),
      cmocka_unit_test(neighbours_that_are_not_the_geometrys_are_refused),
      cmocka_unit_test(a_tile_set_keeps_polygons_areas_and_borders),
      cmocka_unit_test(off_mesh_connections_become_jumps),
      cmocka_unit_test(heights_come_from_the_detail_meshes),
      cmocka_unit_test(tiles_join_only_over_their_borders),
      cmocka_unit_test(areas_without_a_name_are_refused),
      cmocka_unit_test(other_versions_and_kinds_of_detour_files_are_refused_by_name),
      cmocka_unit_test(wrong_counts_of_a_tile_are_refused),
      cmocka_unit_test(bad_polygons_of_a_tile_are_named),
      cmocka_unit_test(a_missing_an_empty_and_a_foreign_file_are_refused_by_name),
      cmocka_unit_test(running_out_of_memory_leaks_nothing),
      cmocka_unit_test(mutated_polyanya_meshes_are_refused_or_sound),
      cmocka_unit_test(mutated_tile_sets_are_refused_or_sound),
  };
  return cmocka_run_group_tests_name("import", tests, begin, end);
}
