/* The shared levels handed to Detour, saved as RecastDemo saves them, and imported: the same mesh again. */
#include "level_test.h"

#include "leeward/import.h"
#include "temp_file.h"

#include <string.h>

#define HEIGHTS 10000

/* Detour's area numbers are six bits; ours stand for themselves here. */
static lw_import_settings same_areas(const lw_area_table *areas) {
  lw_import_settings settings = lw_import_settings_default();
  for (int i = 1; i <= lw_area_table_count(areas); i++) settings.areas[i] = (lw_area_id)i;
  return settings;
}

static lw_navmesh *save_and_import(shared_level *level) {
  char path[] = "/tmp/leeward_level_XXXXXX";
  temp_file_make(path);
  for (uint32_t p = 0; p < level->mesh->polygons.count; p++)
    assert_true(peer_set_area(level->detour, p, level->mesh->polygons.areas[p]));
  assert_true(peer_save(level->detour, path));
  lw_import_settings settings = same_areas(level->areas);
  lw_navmesh *mesh;
  lw_error error;
  lw_status status = lw_navmesh_import(path, level->areas, &settings, &mesh, &error);
  remove(path);
  if (status != LW_OK) fail_msg("%s: %s", level->name, error.text);
  if (lw_navmesh_validate(mesh, &error) != LW_OK) fail_msg("%s: %s", level->name, error.text);
  return mesh;
}

static void same_polygon(const shared_level *level, const lw_navmesh *mesh, uint32_t p) {
  lwi_polygon ours = lwi_polygon_get(level->mesh, p), theirs = lwi_polygon_get(mesh, p);
  assert_int_equal(ours.count, theirs.count);
  for (uint32_t i = 0; i < ours.count; i++)
    assert_true(lwi_equal(lwi_corner(&ours, i), lwi_corner(&theirs, i)));
  assert_int_equal(level->mesh->polygons.areas[p], mesh->polygons.areas[p]);
  assert_int_equal(level->mesh->graph.end_portal[p], mesh->graph.end_portal[p]);
  for (uint32_t k = mesh->graph.first_portal[p]; k < mesh->graph.end_portal[p]; k++) {
    const lwi_portal *a = &level->mesh->graph.portals[k], *b = &mesh->graph.portals[k];
    lwi_portal_interval s = lwi_interval_of_portal(level->mesh, a), t = lwi_interval_of_portal(mesh, b);
    if (a->to != b->to || a->edge != b->edge || s.t0 != t.t0 || s.t1 != t.t1)
      fail_msg("%s: polygon %u leads to %u, imported to %u", level->name, (unsigned)p, (unsigned)a->to,
               (unsigned)b->to);
  }
}

static void a_saved_tile_set_is_the_same_mesh(shared_level *level) {
  lw_navmesh *mesh = save_and_import(level);
  assert_int_equal(mesh->polygons.count, level->mesh->polygons.count);
  assert_int_equal(mesh->tiles.count, level->mesh->tiles.count);
  assert_int_equal(mesh->graph.portal_count, level->mesh->graph.portal_count);
  assert_int_equal(mesh->graph.island_count, level->mesh->graph.island_count);
  assert_memory_equal(&mesh->agent, &level->mesh->agent, sizeof mesh->agent);
  for (uint32_t p = 0; p < mesh->polygons.count; p++) same_polygon(level, mesh, p);
  lw_navmesh_destroy(mesh);
}

static void heights_of_a_saved_tile_set_are_the_same(shared_level *level) {
  lw_navmesh *mesh = save_and_import(level);
  for (int i = 0; i < HEIGHTS; i++) {
    lw_location place = level_place(level);
    uint32_t p = lwi_poly_index(level->mesh, place.poly);
    float ours = lwi_polygon_height(level->mesh, p, place.point.x, place.point.z);
    float theirs = lwi_polygon_height(mesh, p, place.point.x, place.point.z);
    if (ours != theirs)
      fail_msg("%s, seed %llu: polygon %u at (%g, %g) is %g m high, imported %g m", level->name,
               (unsigned long long)level->seed, (unsigned)p, (double)place.point.x, (double)place.point.z,
               (double)ours, (double)theirs);
  }
  lw_navmesh_destroy(mesh);
}

int main(void) {
  static const level_check checks[] = {
      {"a_saved_tile_set_is_the_same_mesh", a_saved_tile_set_is_the_same_mesh},
      {"heights_of_a_saved_tile_set_are_the_same", heights_of_a_saved_tile_set_are_the_same},
  };
  return level_run("level import", checks, sizeof checks / sizeof *checks);
}
