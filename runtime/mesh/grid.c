/* Spatial lookup: a uniform grid over the polygons' bounds in xz. */
#include "mesh/mesh.h"

/* A few huge polygons among many small ones would fill every cell: then the cells grow. */
#define MAX_REFERENCES_PER_POLYGON 16

bool lwi_grid_cells(const lwi_grid *grid, float min_x, float min_z, float max_x, float max_z, lwi_cells *out) {
  float x0 = floorf((min_x - grid->min_x) / grid->cell), z0 = floorf((min_z - grid->min_z) / grid->cell);
  float x1 = floorf((max_x - grid->min_x) / grid->cell), z1 = floorf((max_z - grid->min_z) / grid->cell);
  float right = (float)grid->width - 1, top = (float)grid->height - 1;
  if (!(x1 >= 0 && z1 >= 0 && x0 <= right && z0 <= top)) return false;
  *out = (lwi_cells){(int)fmaxf(0, x0), (int)fmaxf(0, z0), (int)fminf(right, x1), (int)fminf(top, z1)};
  return true;
}

static lwi_cells polygon_cells(const lw_navmesh *mesh, uint32_t index) {
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  lw_box box = lwi_box_empty();
  for (uint32_t i = 0; i < polygon.count; i++) box = lwi_box_add(box, lwi_corner(&polygon, i));
  lwi_cells range = {0, 0, 0, 0};
  lwi_grid_cells(&mesh->grid, box.min.x, box.min.z, box.max.x, box.max.z, &range);
  return range;
}

static void size_grid(lw_navmesh *mesh, float cell) {
  lwi_grid *grid = &mesh->grid;
  grid->cell = cell;
  grid->min_x = mesh->bounds.min.x;
  grid->min_z = mesh->bounds.min.z;
  grid->width = (int)((mesh->bounds.max.x - grid->min_x) / cell) + 1;
  grid->height = (int)((mesh->bounds.max.z - grid->min_z) / cell) + 1;
}

static uint64_t count_references(const lw_navmesh *mesh) {
  uint64_t total = 0;
  for (uint32_t i = 0; i < mesh->polygon_count; i++) {
    lwi_cells range = polygon_cells(mesh, i);
    total += (uint64_t)(range.x1 - range.x0 + 1) * (uint64_t)(range.z1 - range.z0 + 1);
  }
  return total;
}

static void fill(lw_navmesh *mesh) {
  lwi_grid *grid = &mesh->grid;
  /* Backwards, so that each cell lists its polygons in order. */
  for (uint32_t i = mesh->polygon_count; i-- > 0;) {
    lwi_cells range = polygon_cells(mesh, i);
    for (int z = range.z0; z <= range.z1; z++)
      for (int x = range.x0; x <= range.x1; x++)
        grid->polygons[--grid->first[(size_t)z * (size_t)grid->width + (size_t)x]] = i;
  }
}

bool lwi_graph_grid(lw_navmesh *mesh) {
  lwi_grid *grid = &mesh->grid;
  if (mesh->polygon_count == 0) {
    *grid = (lwi_grid){.cell = 1};
    grid->first = lwi_alloc_zero(&mesh->memory, sizeof *grid->first);
    return grid->first != NULL;
  }
  float size_x = mesh->bounds.max.x - mesh->bounds.min.x, size_z = mesh->bounds.max.z - mesh->bounds.min.z;
  /* About a polygon a cell where there is ground; corridors leave most cells of their bounds empty. */
  float ground = (float)mesh->area_sums[mesh->polygon_count] / (float)mesh->polygon_count;
  float cell = sqrtf(fmaxf(0.5f * ground, size_x * size_z / (4 * (float)mesh->polygon_count)));
  cell = fmaxf(cell, fmaxf(size_x, size_z) / 4096);
  size_grid(mesh, cell);
  while (count_references(mesh) > (uint64_t)MAX_REFERENCES_PER_POLYGON * mesh->polygon_count &&
         grid->width * grid->height > 1)
    size_grid(mesh, grid->cell * 2);
  size_t count = (size_t)grid->width * (size_t)grid->height, total = (size_t)count_references(mesh);
  grid->first = lwi_alloc_zero(&mesh->memory, (count + 1) * sizeof *grid->first);
  if (!grid->first) return false;
  for (uint32_t i = 0; i < mesh->polygon_count; i++) {
    lwi_cells range = polygon_cells(mesh, i);
    for (int z = range.z0; z <= range.z1; z++)
      for (int x = range.x0; x <= range.x1; x++) grid->first[(size_t)z * (size_t)grid->width + (size_t)x] += 1;
  }
  for (size_t c = 1; c <= count; c++) grid->first[c] += grid->first[c - 1];
  grid->polygons = lwi_alloc(&mesh->memory, total * sizeof *grid->polygons);
  if (!grid->polygons) return false;
  fill(mesh);
  return true;
}
