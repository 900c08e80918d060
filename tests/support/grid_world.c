#include "grid_world.h"

#include "leeward/path.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

grid_world grid_world_open(const char *const *rows, int row_count, float size, const lw_profile_def *profile,
                           const lw_world_def *world) {
  static const char *const names[] = {"ground"};
  lw_area_table *areas = support_areas(names, 1);
  return grid_world_open_on(areas, support_grid(areas, rows, row_count, size), profile, world);
}

grid_world grid_world_open_on(lw_area_table *areas, lw_navmesh *mesh, const lw_profile_def *profile,
                              const lw_world_def *world) {
  grid_world w = {.memory = malloc(sizeof *w.memory), .areas = areas, .mesh = mesh};
  lw_world_def def = world ? *world : lw_world_def_default();
  lw_error error = {0};
  assert_non_null(w.memory);
  *w.memory = (support_memory){.left = -1};
  if (profile && lw_profile_create(profile, areas, &w.profile, &error) != LW_OK) fail_msg("%s", error.text);
  def.navmesh = mesh;
  def.allocator = support_allocator(w.memory);
  if (lw_world_create(&def, &w.world, &error) != LW_OK) fail_msg("%s", error.text);
  return w;
}

grid_world grid_world_open_plain(void) {
  static const char *const rows[] = {"........", "........", "........"};
  const lw_profile_def profile = lw_profile_def_default();
  return grid_world_open(rows, 3, 1, &profile, NULL);
}

float grid_world_cost(const grid_world *w, lw_vec3 from, lw_vec3 to) {
  lw_path_query query = lw_path_query_default();
  query.from = from;
  query.to = to;
  query.profile = w->profile;
  lw_path *path;
  assert_int_equal(lw_path_find(w->world, NULL, &query, &path), LW_OK);
  float cost = lw_path_cost(path);
  lw_path_destroy(path);
  return cost;
}

void grid_world_close(grid_world *w) {
  lw_world_destroy(w->world);
  assert_int_equal(w->memory->bytes, 0);
  lw_profile_destroy(w->profile);
  lw_navmesh_destroy(w->mesh);
  lw_area_table_destroy(w->areas);
  free(w->memory);
}
