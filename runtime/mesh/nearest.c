/* Where on the mesh: the nearest place, containment, height. */
#include "mesh/mesh.h"

/* How far outside a polygon a point may be in xz and still be over it: rounding at shared edges. [m] */
#define EDGE_SLACK 1e-3

typedef struct nearest_search {
  const lw_navmesh *mesh;
  const lw_filter *filter;
  lw_vec3 point, half;
  double u, v;      /* the point in cells of the grid */
  double y;         /* and its height in 255ths of the navmesh's */
  double unit_y;    /* [m] */
  double distance2; /* of the nearest so far */
  uint32_t polygon;
  lw_vec3 found;
} nearest_search;

static void try_polygon(nearest_search *search, uint32_t index) {
  if (index == search->polygon || !lw_filter_passes(search->filter, search->mesh->poly_areas[index])) return;
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

/* How far `at` is from low..high. */
static double gap(double at, double low, double high) {
  return at < low ? low - at : at > high ? at - high : 0;
}

/* May something in the box be nearer than what was found? */
static bool may_be_nearer(const nearest_search *search, const lwi_reference *box, double u, double v) {
  double cell = (double)search->mesh->grid.cell / 255;
  double dx = gap(u, box->x0, box->x1) * cell, dz = gap(v, box->z0, box->z1) * cell;
  double dy = gap(search->y, box->y0, box->y1) * search->unit_y;
  return dy <= search->half.y && dx * dx + dy * dy + dz * dz < search->distance2;
}

static void try_cell(nearest_search *search, int x, int z) {
  const lwi_grid *grid = &search->mesh->grid;
  size_t c = (size_t)z * (size_t)grid->width + (size_t)x;
  double u = (search->u - x) * 255, v = (search->v - z) * 255;
  for (uint32_t i = grid->first[c]; i < grid->first[c + 1]; i++)
    if (may_be_nearer(search, &grid->references[i], u, v)) try_polygon(search, grid->references[i].polygon);
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
  const lwi_grid *grid = &mesh->grid;
  nearest_search search = {.mesh = mesh,
                           .filter = filter,
                           .point = point,
                           .half = half,
                           .u = lwi_grid_u(grid, point.x),
                           .v = lwi_grid_v(grid, point.z),
                           .y = ((double)point.y - grid->min_y) / grid->size_y * 255,
                           .unit_y = (double)grid->size_y / 255,
                           .distance2 = INFINITY,
                           .polygon = LWI_NONE};
  lwi_cells range;
  if (!lwi_grid_cells(grid, point.x - half.x, point.z - half.z, point.x + half.x, point.z + half.z, &range))
    return LW_NO_POINT;
  search_rings(&search, &range);
  if (search.polygon == LWI_NONE) return LW_NO_POINT;
  *location = (lw_location){search.found, lwi_poly_id(mesh, search.polygon)};
  return LW_OK;
}

/* The polygon over or under `point` whose surface is nearest in height. */
static uint32_t polygon_at(const lw_navmesh *mesh, lw_vec3 point, const lw_filter *filter, float *height) {
  uint32_t best = LWI_NONE;
  lwi_column column;
  if (!lwi_finite(point) || !lwi_grid_column(&mesh->grid, point.x, point.z, &column)) return best;
  for (uint32_t i = column.first; i < column.end; i++) {
    const lwi_reference *reference = &mesh->grid.references[i];
    uint32_t index = reference->polygon;
    if (!lwi_column_meets(&column, reference) || !lw_filter_passes(filter, mesh->poly_areas[index])) continue;
    lwi_polygon polygon = lwi_polygon_get(mesh, index);
    if (!lwi_polygon_holds(&polygon, point, EDGE_SLACK)) continue;
    float y = lwi_polygon_height(mesh, index, point.x, point.z);
    if (best != LWI_NONE && fabsf(y - point.y) >= fabsf(*height - point.y)) continue;
    best = index;
    *height = y;
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
