/* Where on the mesh: the nearest place, containment, height. */
#include "mesh/mesh.h"

/* How far outside a polygon a point may be in xz and still be over it: rounding at shared edges. [m] */
#define EDGE_SLACK 1e-3

typedef struct nearest_search {
  const lw_navmesh *mesh;
  const lw_filter *filter;
  lw_vec3 point, half;
  double distance2;
  uint32_t polygon;
  lw_vec3 found;
} nearest_search;

static void try_polygon(nearest_search *search, uint32_t index) {
  if (index == search->polygon || !lw_filter_passes(search->filter, search->mesh->poly_areas[index])) return;
  lwi_heights heights = search->mesh->heights[index];
  float above = fmaxf(0, fmaxf(heights.low - search->point.y, search->point.y - heights.high));
  if (above > search->half.y || (double)above * above >= search->distance2) return; /* another floor */
  lwi_polygon polygon = lwi_polygon_get(search->mesh, index);
  lw_vec3 closest;
  lwi_polygon_closest(&polygon, search->point, &closest);
  double dx = (double)closest.x - search->point.x, dz = (double)closest.z - search->point.z;
  if (fabs(dx) > search->half.x || fabs(dz) > search->half.z || dx * dx + dz * dz >= search->distance2) return;
  closest.y = lwi_polygon_height(search->mesh, index, closest.x, closest.z);
  double dy = (double)closest.y - search->point.y, distance2 = dx * dx + dy * dy + dz * dz;
  if (fabs(dy) > search->half.y || distance2 >= search->distance2) return;
  search->distance2 = distance2;
  search->polygon = index;
  search->found = closest;
}

static void try_cell(nearest_search *search, int x, int z) {
  const lwi_grid *grid = &search->mesh->grid;
  size_t c = (size_t)z * (size_t)grid->width + (size_t)x;
  for (uint32_t i = grid->first[c]; i < grid->first[c + 1]; i++) try_polygon(search, grid->polygons[i]);
}

static int clamp(float value, int count) {
  return value < 0 ? 0 : value >= (float)count ? count - 1 : (int)value;
}

/* How far the point is from all cells outside the square of `ring` cells about its own. */
static double ring_gap(const nearest_search *search, int cx, int cz, int ring) {
  const lwi_grid *grid = &search->mesh->grid;
  double x = (double)search->point.x - grid->min_x, z = (double)search->point.z - grid->min_z;
  double low = fmin(x - (cx - ring) * (double)grid->cell, z - (cz - ring) * (double)grid->cell);
  double high = fmin((cx + ring + 1) * (double)grid->cell - x, (cz + ring + 1) * (double)grid->cell - z);
  return fmin(low, high);
}

/* Cells in square rings about the point's own, until none can hold anything nearer. */
static void search_rings(nearest_search *search, const lwi_cells *range) {
  const lwi_grid *grid = &search->mesh->grid;
  int cx = clamp((search->point.x - grid->min_x) / grid->cell, grid->width);
  int cz = clamp((search->point.z - grid->min_z) / grid->cell, grid->height);
  for (int ring = 0;; ring++) {
    for (int z = cz - ring; z <= cz + ring; z++) {
      if (z < range->z0 || z > range->z1) continue;
      int stride = z == cz - ring || z == cz + ring || ring == 0 ? 1 : 2 * ring;
      for (int x = cx - ring; x <= cx + ring; x += stride)
        if (x >= range->x0 && x <= range->x1) try_cell(search, x, z);
    }
    if (cx - ring <= range->x0 && cx + ring >= range->x1 && cz - ring <= range->z0 && cz + ring >= range->z1)
      return;
    double gap = ring_gap(search, cx, cz, ring);
    if (gap > 0 && gap * gap > search->distance2) return;
  }
}

lw_status lw_navmesh_nearest(const lw_navmesh *mesh, lw_vec3 point, lw_vec3 half, const lw_filter *filter,
                             lw_location *location) {
  *location = (lw_location){.point = point};
  if (!lwi_finite(point) || !(half.x > 0 && half.y > 0 && half.z > 0)) return LW_INVALID;
  nearest_search search = {mesh, filter, point, half, INFINITY, LWI_NONE, point};
  lwi_cells range;
  if (!lwi_grid_cells(&mesh->grid, point.x - half.x, point.z - half.z, point.x + half.x, point.z + half.z,
                      &range))
    return LW_NO_POINT;
  search_rings(&search, &range);
  if (search.polygon == LWI_NONE) return LW_NO_POINT;
  *location = (lw_location){search.found, lwi_poly_id(mesh, search.polygon)};
  return LW_OK;
}

/* The polygon over or under `point` whose surface is nearest in height. */
static uint32_t polygon_at(const lw_navmesh *mesh, lw_vec3 point, const lw_filter *filter, float *height) {
  uint32_t best = LWI_NONE;
  lwi_cells range;
  const float pad = (float)EDGE_SLACK;
  if (!lwi_finite(point) ||
      !lwi_grid_cells(&mesh->grid, point.x - pad, point.z - pad, point.x + pad, point.z + pad, &range))
    return best;
  for (int z = range.z0; z <= range.z1; z++)
    for (int x = range.x0; x <= range.x1; x++) {
      size_t c = (size_t)z * (size_t)mesh->grid.width + (size_t)x;
      for (uint32_t i = mesh->grid.first[c]; i < mesh->grid.first[c + 1]; i++) {
        uint32_t index = mesh->grid.polygons[i];
        lwi_polygon polygon = lwi_polygon_get(mesh, index);
        if (!lw_filter_passes(filter, mesh->poly_areas[index]) ||
            !lwi_polygon_holds(&polygon, point, EDGE_SLACK))
          continue;
        float y = lwi_polygon_height(mesh, index, point.x, point.z);
        if (best != LWI_NONE && fabsf(y - point.y) >= fabsf(*height - point.y)) continue;
        best = index;
        *height = y;
      }
    }
  return best;
}

bool lw_navmesh_contains(const lw_navmesh *mesh, lw_vec3 point, float tolerance, const lw_filter *filter) {
  float height;
  return polygon_at(mesh, point, filter, &height) != LWI_NONE && fabsf(height - point.y) <= tolerance;
}

lw_status lw_navmesh_height(const lw_navmesh *mesh, lw_vec3 point, const lw_filter *filter, float *height) {
  if (!lwi_finite(point)) return LW_INVALID;
  return polygon_at(mesh, point, filter, height) == LWI_NONE ? LW_NO_POINT : LW_OK;
}
