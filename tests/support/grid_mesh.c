#include "grid_mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void die(const char *what) {
  fprintf(stderr, "support: %s\n", what);
  abort();
}

lw_area_table *support_areas(const char *const *names, int count) {
  lw_area_table *areas;
  if (lw_area_table_create(NULL, &areas) != LW_OK) die("no area table");
  for (int i = 0; i < count; i++) {
    lw_area_def def = lw_area_def_default();
    def.name = names[i];
    if (lw_area_table_set(areas, &def, NULL, NULL) != LW_OK) die("no area");
  }
  return areas;
}

lw_area_table *support_road_and_water(void) {
  static const char *const names[] = {"ground", "road", "deep_water"};
  lw_area_table *areas = support_areas(names, 3);
  lw_area_def road = *lw_area_table_get(areas, 2), water = *lw_area_table_get(areas, 3);
  road.type = LW_ROAD;
  road.resistance = 0;
  water.deep_water = 1;
  if (lw_area_table_set(areas, &road, NULL, NULL) != LW_OK) die("no road");
  if (lw_area_table_set(areas, &water, NULL, NULL) != LW_OK) die("no water");
  return areas;
}

static lw_link_def *link_defs(const support_link *links, int count) {
  lw_link_def *defs = malloc(((size_t)count + 1) * sizeof *defs);
  if (!defs) die("out of memory");
  for (int i = 0; i < count; i++) {
    defs[i] = lw_link_def_default();
    defs[i].kind = links[i].kind;
    defs[i].from = links[i].from;
    defs[i].to = links[i].to;
    if (links[i].length >= 0) defs[i].length = links[i].length;
    defs[i].area = links[i].area;
  }
  return defs;
}

lw_navmesh *support_grid(const lw_area_table *areas, const char *const *rows, int row_count, float size) {
  return support_grid_links(areas, rows, row_count, size, NULL, 0);
}

lw_navmesh *support_grid_links(const lw_area_table *areas, const char *const *rows, int row_count, float size,
                               const support_link *links, int link_count) {
  int columns = (int)strlen(rows[0]), squares = 0;
  size_t max = (size_t)(columns * row_count);
  lw_vec3 *vertices = malloc((size_t)((columns + 1) * (row_count + 1)) * sizeof *vertices);
  int *corners = malloc(max * 4 * sizeof *corners), *counts = malloc(max * sizeof *counts);
  lw_area_id *poly_areas = malloc(max);
  if (!vertices || !corners || !counts || !poly_areas) die("out of memory");
  for (int z = 0; z <= row_count; z++)
    for (int x = 0; x <= columns; x++)
      vertices[z * (columns + 1) + x] = (lw_vec3){(float)x * size, 0, (float)z * size};
  for (int z = 0; z < row_count; z++)
    for (int x = 0; x < columns; x++) {
      char square = rows[z][x];
      if (square == ' ' || square == '#') continue;
      int first = z * (columns + 1) + x, below = first + columns + 1;
      const int around[] = {first, below, below + 1, first + 1};
      memcpy(corners + 4 * squares, around, sizeof around);
      poly_areas[squares] = (lw_area_id)(square == '.' ? 1 : square - '0');
      counts[squares++] = 4;
    }
  lw_navmesh_def def = lw_navmesh_def_default();
  def.areas = areas;
  def.vertices = vertices;
  def.vertex_count = (columns + 1) * (row_count + 1);
  def.corners = corners;
  def.corner_counts = counts;
  def.polygon_count = squares;
  def.poly_areas = poly_areas;
  lw_link_def *defs = link_defs(links, link_count);
  def.links = defs;
  def.link_count = link_count;
  lw_navmesh *mesh;
  lw_error error = {0};
  if (lw_navmesh_create(&def, &mesh, &error) != LW_OK) die(error.text);
  if (lw_navmesh_get_stats(mesh).offmesh_links != link_count) die("a link was refused");
  free(defs);
  free(vertices);
  free(corners);
  free(counts);
  free(poly_areas);
  return mesh;
}
