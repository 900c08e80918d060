/* From triangles to a navmesh and back from its file: every allocation and every file operation fails in turn. */
#include "bake_scene.h"
#include "core/hash.h"
#include "failing.h"
#include "geometry/geometry.h"
#include "leeward/leeward.h"
#include "mesh/sections.h"
#include "temp_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct product {
  support_memory memory;
  lw_allocator allocator;
  lw_bake_settings settings;
  lw_geometry *level, *changed; ///< Baked; and with one more box.
  lw_navmesh *baked, *parts[2]; ///< Of the level.
  lw_navmesh *rebuilt;          ///< Of the changed one.
  lw_navmesh *shrunk;           ///< Without the first tile.
  lw_area_table *table;         ///< What calls make.
  lw_geometry *geometry;
  lw_navmesh *made;
  lw_profile *profile;
  lw_tree *tree;
  lw_tree_run *run;
} product;

static product it;
static char file[32], gset[32];
static lw_box change;

static uint64_t hash_mesh(const lw_navmesh *mesh) {
  uint64_t hash = LWI_HASH_SEED;
  if (!mesh) return 0;
  for (lwi_section_place at = lwi_section_begin(mesh); lwi_section_next(&at);)
    hash = lwi_hash(hash, lwi_section_get(&at), (size_t)lwi_section_size(&at));
  return lwi_hash(hash, &mesh->bounds, sizeof mesh->bounds);
}

static uint64_t hash_geometry(const lw_geometry *geometry) {
  if (!geometry) return 0;
  const int counts[] = {lw_geometry_vertex_count(geometry), lw_geometry_triangle_count(geometry),
                        lw_geometry_mark_count(geometry), lw_geometry_link_count(geometry)};
  uint64_t hash = lwi_hash(LWI_HASH_SEED, counts, sizeof counts);
  hash = lwi_hash(hash, lw_geometry_vertices(geometry), (size_t)counts[0] * sizeof(lw_vec3));
  hash = lwi_hash(hash, lw_geometry_indices(geometry), 3 * (size_t)counts[1] * sizeof(int));
  return lwi_hash(hash, lw_geometry_areas(geometry), (size_t)counts[1]);
}

static uint64_t hash_made(void *state) {
  const product *p = state;
  const int areas = lw_area_table_count(p->table);
  uint64_t hash = hash_mesh(p->made) ^ hash_geometry(p->geometry) * 3;
  hash = lwi_hash(hash, &areas, sizeof areas);
  const bool there[] = {p->made, p->geometry, p->table, p->profile, p->tree, p->run};
  return lwi_hash(hash, there, sizeof there);
}

static void free_made(void *state) {
  product *p = state;
  lw_tree_run_destroy(p->run);
  lw_tree_destroy(p->tree);
  lw_profile_destroy(p->profile);
  lw_navmesh_destroy(p->made);
  lw_geometry_destroy(p->geometry);
  lw_area_table_destroy(p->table);
  p->run = NULL, p->tree = NULL, p->profile = NULL, p->made = NULL, p->geometry = NULL, p->table = NULL;
}

/* --- areas, profiles, trees ----------------------------------------------------------------------------------- */

static lw_status create_table(void *state) {
  product *p = state;
  return lw_area_table_create(&p->allocator, &p->table);
}

static void open_table(void *state) {
  assert_int_equal(create_table(state), LW_OK);
}

static lw_status define_area(void *state) {
  product *p = state;
  lw_area_def def = lw_area_def_default();
  def.name = "mud";
  lw_area_id id = 7;
  const lw_status status = lw_area_table_set(p->table, &def, &id, NULL);
  assert_true((status == LW_OK) == (id == 1) && (id == 1 || id == LW_AREA_NONE));
  return status;
}

static lw_status create_profile(void *state) {
  product *p = state;
  lw_profile_def def = lw_profile_def_default();
  def.allocator = &p->allocator;
  return lw_profile_create(&def, scene_table, &p->profile, NULL);
}

static lw_status create_tree(void *state) {
  product *p = state;
  const lw_node_def nodes[] = {{.kind = LW_SEQUENCE, .name = "root", .child_count = 2},
                               {.kind = LW_WAIT, .wait_max = 1},
                               {.kind = LW_WAIT, .name = "rest", .wait_max = 1}};
  const lw_tree_def def = {"tree", nodes, 3, &p->allocator};
  return lw_tree_create(&def, &p->tree, NULL);
}

static void open_tree(void *state) {
  assert_int_equal(create_tree(state), LW_OK);
}

static lw_status create_run(void *state) {
  product *p = state;
  return lw_tree_run_create(p->tree, &p->allocator, &p->run);
}

/* --- geometry ------------------------------------------------------------------------------------------------- */

static lw_status create_geometry(void *state) {
  product *p = state;
  return lw_geometry_create(scene_table, &p->allocator, &p->geometry);
}

static void open_geometry(void *state) {
  assert_int_equal(create_geometry(state), LW_OK);
}

static lw_status add_triangles(lw_geometry *geometry) {
  enum { SIDE = 4 };
  lw_vec3 vertices[SIDE * SIDE];
  int indices[6 * SIDE * SIDE], count = 0;
  for (int i = 0; i < SIDE * SIDE; i++)
    vertices[i] = (lw_vec3){(float)(i % SIDE) * 3, (float)(i * 37 % 11) * 0.07f, (float)(i / SIDE) * 3};
  for (int i = 0; i < SIDE * (SIDE - 1); i++) {
    if (i % SIDE == SIDE - 1) continue;
    const int corners[] = {i, i + SIDE, i + 1, i + 1, i + SIDE, i + SIDE + 1};
    memcpy(indices + count, corners, sizeof corners);
    count += 6;
  }
  const lw_geometry_mesh mesh = {.vertices = vertices,
                                 .vertex_count = SIDE * SIDE,
                                 .indices = indices,
                                 .triangle_count = count / 3,
                                 .area = SCENE_GROUND};
  return lw_geometry_add_mesh(geometry, &mesh, NULL);
}

static lw_status add_floor(lw_geometry *geometry) {
  const lw_geometry_box box = {.at = {14, -0.5f, 4}, .size = {10, 1, 8}, .area = SCENE_GROUND};
  return lw_geometry_add_box(geometry, &box, NULL);
}

static lw_status add_wall(lw_geometry *geometry) {
  const lw_geometry_box box = {.at = {14, 0.5f, 4}, .size = {0.4f, 2, 3}, .area = LW_AREA_NONE};
  return lw_geometry_add_box(geometry, &box, NULL);
}

static lw_status add_ramp(lw_geometry *geometry) {
  const lw_geometry_ramp ramp = {
      .from = {17, 0.5f, 1}, .to = {17, 1.5f, 5}, .width = 2, .thickness = 0.2f, .area = SCENE_GROUND};
  return lw_geometry_add_ramp(geometry, &ramp, NULL);
}

static const lw_vec3 bend[] = {{0, 0, 5}, {4, 0, 6}, {8, 0, 5}};

static lw_status mark_road(lw_geometry *geometry) {
  lw_mark_def mark = lw_mark_def_default(LW_MARK_PATH);
  mark.points = bend;
  mark.point_count = 3;
  mark.width = 2;
  mark.area = SCENE_ROAD;
  return lw_geometry_mark_area(geometry, &mark, NULL);
}

static lw_status add_water(lw_geometry *geometry) {
  static const lw_vec3 outline[] = {{0, 0, 0}, {4, 0, 0}, {4, 0, 4}, {0, 0, 4}};
  lw_water_def water = lw_water_def_default();
  water.points = outline;
  water.point_count = 4;
  water.level = 0.3f;
  water.shallow = water.deep = SCENE_ROAD;
  return lw_geometry_add_water(geometry, &water, NULL);
}

static lw_status add_link(lw_geometry *geometry) {
  lw_link_def link = lw_link_def_default();
  link.from = (lw_vec3){8, 0.3f, 5};
  link.to = (lw_vec3){10, 0.5f, 5};
  link.bidirectional = true;
  return lw_geometry_add_link(geometry, &link, NULL);
}

static lw_status forbid_cover(lw_geometry *geometry) {
  lw_mark_def veto = lw_mark_def_default(LW_MARK_BOX);
  veto.at = (lw_vec3){14, 0.5f, 3};
  veto.size = (lw_vec3){1, 1, 1};
  return lw_geometry_forbid_cover(geometry, &veto, NULL);
}

static lw_status mark_detail(lw_geometry *geometry) {
  lw_mark_def where = lw_mark_def_default(LW_MARK_BOX);
  where.at = (lw_vec3){11, -1, 5};
  where.size = (lw_vec3){5, 3, 6};
  return lw_geometry_mark_detail(geometry, &where, 1, NULL);
}

static lw_status add_cover(lw_geometry *geometry) {
  lw_cover_def hedge = lw_cover_def_default();
  hedge.from = (lw_vec3){11, 0.5f, 2};
  hedge.to = (lw_vec3){13, 0.5f, 2};
  return lw_geometry_add_cover(geometry, &hedge, NULL);
}

static lw_status add_seed(lw_geometry *geometry) {
  return lw_geometry_add_seed(geometry, (lw_vec3){12, 0.5f, 2}, NULL);
}

static lw_status load_gset(lw_geometry *geometry) {
  return lw_geometry_load_gset(geometry, gset, NULL, NULL);
}

static lw_status (*const parts_of_level[])(lw_geometry *) = {add_triangles, add_floor, add_wall,   add_ramp,
                                                             mark_road,     add_water, add_link,   forbid_cover,
                                                             add_cover,     add_seed,  mark_detail};
#define PARTS_OF_LEVEL ((int)(sizeof parts_of_level / sizeof *parts_of_level))

#define ADD(function)                                                                                          \
  static lw_status call_##function(void *state) {                                                              \
    return function(((product *)state)->geometry);                                                             \
  }
ADD(add_triangles)
ADD(add_wall)
ADD(add_ramp)
ADD(mark_road)
ADD(add_water)
ADD(add_link)
ADD(forbid_cover)
ADD(add_cover)
ADD(mark_detail)
ADD(add_seed)
ADD(load_gset)

/* --- navmeshes ------------------------------------------------------------------------------------------------ */

static lw_status bake_by(product *p, lw_bake_settings settings, int threads) {
  lw_bake_report report;
  lw_error error = {0};
  settings.threads = threads;
  settings.allocator = &p->allocator;
  const lw_status status = lw_navmesh_bake(p->level, &settings, &p->made, &report, &error);
  assert_true((status == LW_OK) == (p->made != NULL));
  if (status == LW_OUT_OF_MEMORY) assert_string_equal(error.text, "out of memory");
  return status;
}

static lw_status bake_alone(void *state) {
  product *p = state;
  return bake_by(p, p->settings, 1);
}

static lw_status bake_together(void *state) {
  product *p = state;
  return bake_by(p, p->settings, 3);
}

static lw_status bake_ground(void *state) {
  product *p = state;
  lw_bake_settings settings = p->settings;
  settings.occluders = settings.cover.segments = settings.cover.map = false;
  settings.openness_range = settings.visibility_table_range = 0;
  return bake_by(p, settings, 1);
}

static lw_status bake_near_cover(void *state) {
  product *p = state;
  lw_bake_settings settings = p->settings;
  settings.cover.map = false;
  settings.openness_range = settings.visibility_table_range = 0;
  settings.auto_links = (lw_auto_links){0};
  settings.cover.detail_near = settings.cover.detail_edge = 1;
  return bake_by(p, settings, 1);
}

static lw_status rebuild(void *state) {
  product *p = state;
  lw_bake_settings settings = p->settings;
  settings.allocator = &p->allocator;
  lw_rebuild_def def = lw_rebuild_def_default();
  def.navmesh = p->baked;
  def.geometry = p->changed;
  def.settings = &settings;
  def.changed = change;
  return lw_navmesh_rebuild(&def, &p->made, NULL, NULL);
}

/* A middle tile of what was rebuilt, and another one that goes. */
static lw_status replace_tiles(void *state) {
  product *p = state;
  lw_navmesh_tile first, last;
  const int tiles = lw_navmesh_get_stats(p->baked).tiles;
  assert_int_equal(lw_navmesh_get_tile(p->baked, 0, &first), LW_OK);
  assert_int_equal(lw_navmesh_get_tile(p->baked, tiles - 1, &last), LW_OK);
  const lw_tile_change changes[] = {{first.x, first.z, p->rebuilt}, {last.x, last.z, NULL}};
  return lw_navmesh_replace_tiles(p->baked, changes, tiles > 1 ? 2 : 1, &p->allocator, &p->made, NULL);
}

/* A rebuild, put onto what has lost a tile meanwhile. */
static lw_status merge_changes(void *state) {
  product *p = state;
  return lw_navmesh_merge_changes(p->baked, p->rebuilt, p->shrunk, &p->allocator, &p->made, NULL);
}

static lw_status merge(void *state) {
  product *p = state;
  return lw_navmesh_merge((const lw_navmesh *const *)p->parts, 2, &p->allocator, &p->made, NULL);
}

static lw_status load(void *state) {
  product *p = state;
  lw_error error = {0};
  const lw_status status = lw_navmesh_load(file, scene_table, &p->allocator, &p->made, &error);
  assert_true((status == LW_OK) == (p->made != NULL));
  if (status == LW_FILE) assert_non_null(strstr(error.text, "': No space left on device"));
  return status;
}

static void open_loaded(void *state) {
  assert_int_equal(load(state), LW_OK);
}

/* With the navmesh's own memory. */
static lw_status save(void *state) {
  product *p = state;
  lw_error error = {0};
  const lw_status status = lw_navmesh_save(p->made, file, &error);
  if (status == LW_FILE) assert_non_null(strstr(error.text, "': No space left on device"));
  return status;
}

/* And of the file, which stays whole. */
static uint64_t hash_file(void *state) {
  const file_bytes held = file_read(file);
  const uint64_t hash = lwi_hash(hash_made(state), held.data, held.size);
  free(held.data);
  return hash;
}

static lw_status create(void *state) {
  product *p = state;
  static const lw_vec3 vertices[] = {{0, 0, 0}, {9, 0, 0}, {9, 0, 9}, {0, 0, 9}, {9, 0, 20}, {0, 0, 20}};
  static const int corners[] = {0, 1, 2, 3, 3, 2, 4, 5}, counts[] = {4, 4};
  lw_link_def link = lw_link_def_default();
  link.from = (lw_vec3){1, 0, 1};
  link.to = (lw_vec3){1, 0, 15};
  lw_navmesh_def def = lw_navmesh_def_default();
  def.areas = scene_table;
  def.vertices = vertices;
  def.vertex_count = 6;
  def.corners = corners;
  def.corner_counts = counts;
  def.polygon_count = 2;
  def.links = &link;
  def.link_count = 1;
  def.allocator = &p->allocator;
  return lw_navmesh_create(&def, &p->made, NULL);
}

/* --- running -------------------------------------------------------------------------------------------------- */

static lw_navmesh *bake_part(product *p, int first, int count) {
  lw_bake_settings settings = p->settings;
  settings.tiles = (lw_tile_range){first, count};
  settings.auto_links.drop = settings.auto_links.jump = 0; /* not of parts */
  return scene_bake(p->level, &settings, NULL);
}

static lw_navmesh *without_first_tile(const lw_navmesh *mesh) {
  lw_navmesh_tile tile;
  lw_navmesh *result;
  assert_int_equal(lw_navmesh_get_tile(mesh, 0, &tile), LW_OK);
  const lw_tile_change first = {tile.x, tile.z, NULL};
  assert_int_equal(lw_navmesh_replace_tiles(mesh, &first, 1, NULL, &result, NULL), LW_OK);
  return result;
}

static int open_product(void **state) {
  static const char volumes[] = "c 1 0 3  4 0.5 6  1.5 1 5 8\nv 3 0 -1 2\n0 0 0\n4 0 0\n0 0 4\n";
  scene_open(state);
  it = (product){.memory = {.left = -1}, .settings = lw_bake_settings_default()};
  it.allocator = support_allocator(&it.memory);
  it.settings.cell_size = 0.4f; /* coarse: hundreds of bakes follow */
  it.settings.tile_size = 10;
  it.settings.detail_distance = 2;
  it.settings.openness_range = 5;
  it.settings.agent_radius = 0.4f;
  it.settings.min_region_area = 0.5f;
  it.settings.cover.map = true;
  it.settings.visibility_table_range = 20;
  it.settings.auto_links.drop = 3;
  it.settings.auto_links.jump = 2;
  it.settings.threads = 1;
  it.level = scene_geometry(scene_table);
  it.changed = scene_geometry(scene_table);
  for (int i = 0; i < PARTS_OF_LEVEL; i++) {
    assert_int_equal(parts_of_level[i](it.level), LW_OK);
    assert_int_equal(parts_of_level[i](it.changed), LW_OK);
  }
  const lw_geometry_box box = {.at = {12, 0.5f, 6}, .size = {1, 1, 1}, .area = LW_AREA_NONE};
  change = (lw_box){{11, 0, 5}, {13, 2, 7}};
  assert_int_equal(lw_geometry_add_box(it.changed, &box, NULL), LW_OK);
  it.baked = scene_bake(it.level, &it.settings, NULL);
  it.rebuilt = scene_bake(it.changed, &it.settings, NULL);
  it.shrunk = without_first_tile(it.baked);
  it.parts[0] = bake_part(&it, 0, 1);
  it.parts[1] = bake_part(&it, 1, 1);
  strcpy(file, "/tmp/leeward_fail_XXXXXX");
  strcpy(gset, "/tmp/leeward_fail_XXXXXX");
  temp_file_make(file);
  temp_file_make(gset);
  file_write(gset, volumes, sizeof volumes - 1);
  assert_int_equal(lw_navmesh_save(it.baked, file, NULL), LW_OK);
  *state = &it;
  return 0;
}

static int close_product(void **state) {
  remove(file);
  remove(gset);
  lw_navmesh_destroy(it.parts[0]);
  lw_navmesh_destroy(it.parts[1]);
  lw_navmesh_destroy(it.baked);
  lw_navmesh_destroy(it.rebuilt);
  lw_navmesh_destroy(it.shrunk);
  lw_geometry_destroy(it.level);
  lw_geometry_destroy(it.changed);
  return scene_close(state);
}

static void all_that_is_made_is_whole_or_not_there(void **state) {
  product *p = *state;
#define MAKE(text, before, function)                                                                           \
  { text, FAILING_WHOLE, before, function, hash_made, free_made, false, false }
  const failing_call calls[] = {
      MAKE("create an area table", NULL, create_table),
      MAKE("define an area", open_table, define_area),
      MAKE("create a profile", NULL, create_profile),
      MAKE("create a tree", NULL, create_tree),
      MAKE("create a run of a tree", open_tree, create_run),
      MAKE("create a geometry", NULL, create_geometry),
      MAKE("add triangles", open_geometry, call_add_triangles),
      MAKE("add a box", open_geometry, call_add_wall),
      MAKE("add a ramp", open_geometry, call_add_ramp),
      MAKE("mark a path", open_geometry, call_mark_road),
      MAKE("add water", open_geometry, call_add_water),
      MAKE("add a link", open_geometry, call_add_link),
      MAKE("forbid cover", open_geometry, call_forbid_cover),
      MAKE("mark detail", open_geometry, call_mark_detail),
      MAKE("add cover", open_geometry, call_add_cover),
      MAKE("add a seed", open_geometry, call_add_seed),
      {"load a geometry set", FAILING_WHOLE, open_geometry, call_load_gset, hash_made, free_made, true, false},
      MAKE("bake the ground alone", NULL, bake_ground),
      {"bake with one thread", FAILING_WHOLE, NULL, bake_alone, hash_made, free_made, false, true},
      {"bake finer near cover", FAILING_WHOLE, NULL, bake_near_cover, hash_made, free_made, false, true},
      {"bake with three threads", FAILING_WHOLE, NULL, bake_together, hash_made, free_made, false, true},
      {"rebuild", FAILING_WHOLE, NULL, rebuild, hash_made, free_made, false, true},
      MAKE("merge", NULL, merge),
      {"replace tiles", FAILING_WHOLE, NULL, replace_tiles, hash_made, free_made, false, true},
      {"merge changes", FAILING_WHOLE, NULL, merge_changes, hash_made, free_made, false, true},
      MAKE("create a navmesh", NULL, create),
      {"load a navmesh", FAILING_WHOLE, NULL, load, hash_made, free_made, true, false},
      {"save a navmesh", FAILING_WHOLE, open_loaded, save, hash_file, free_made, true, false},
  };
  const int failed = failing_run(calls, sizeof calls / sizeof *calls, p, &p->memory);
  printf("note: %d allocations and file operations failed\n", failed);
  assert_int_equal(p->memory.bytes, 0);
  assert_int_equal(p->memory.blocks, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_that_is_made_is_whole_or_not_there)};
  return cmocka_run_group_tests(tests, open_product, close_product);
}
