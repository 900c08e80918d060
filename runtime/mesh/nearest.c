/* Where on the mesh: the nearest place, containment, height. */
#include "core/lanes.h"
#include "mesh/mesh.h"

/* How far outside a polygon a point may be in xz and still be over it: rounding at shared edges. [m] */
#define EDGE_SLACK 1e-3

/* Polygons that are waiting to be looked at. */
#define WAITING 64

typedef struct nearest_search {
  const lw_navmesh *mesh;
  const lw_filter *filter;
  lw_vec3 point, half;
  lwi_float4 at;    /* the point in 255ths of the grid: x, z, and y of the navmesh's height */
  lwi_float4 unit2; /* squares of what these are in metres */
  float half_y;     /* in 255ths */
  float distance2;  /* of the nearest so far */
  uint32_t polygon;
  lw_vec3 found;
  int waiting;
  float least[WAITING]; /* no nearer than that, squared */
  uint32_t polygons[WAITING];
} nearest_search;

static void try_polygon(nearest_search *search, uint32_t index) {
  if (index == search->polygon || !lw_filter_passes(search->filter, search->mesh->poly_areas[index])) return;
  lwi_polygon polygon = lwi_polygon_get(search->mesh, index);
  lw_vec3 closest, point = search->point;
  lwi_polygon_closest(&polygon, point, &closest);
  float dx = closest.x - point.x, dz = closest.z - point.z, flat2 = dx * dx + dz * dz;
  if (fabsf(dx) > search->half.x || fabsf(dz) > search->half.z || flat2 >= search->distance2) return;
  closest.y = lwi_polygon_height(search->mesh, index, closest.x, closest.z);
  float dy = closest.y - point.y, distance2 = flat2 + dy * dy;
  if (fabsf(dy) > search->half.y || distance2 >= search->distance2) return;
  search->distance2 = distance2;
  search->polygon = index;
  search->found = closest;
}

/* Look at those that may still be nearer, those first that may be nearest. */
static void try_waiting(nearest_search *search) {
  for (;;) {
    int next = -1;
    float least = search->distance2;
    for (int i = 0; i < search->waiting; i++) {
      next = search->least[i] < least ? i : next;
      least = search->least[i] < least ? search->least[i] : least;
    }
    if (next < 0) break;
    search->least[next] = INFINITY;
    try_polygon(search, search->polygons[next]);
  }
  search->waiting = 0;
}

/* All of a cell queue up whose boxes may be nearer than what was found. */
static void queue_cell(nearest_search *search, int x, int z) {
  const lwi_grid *grid = &search->mesh->grid;
  size_t c = (size_t)z * (size_t)grid->width + (size_t)x;
  lwi_float4 at = search->at - (lwi_float4){255 * (float)x, 255 * (float)z, 0, 0};
  for (uint32_t i = grid->first[c]; i < grid->first[c + 1]; i++) {
    const lwi_reference *box = &grid->references[i];
    lwi_float4 gap = lwi_max4(lwi_bytes4(&box->x0) - at, at - lwi_bytes4(&box->x1));
    gap = lwi_max4(gap, lwi_all4(0));
    float least = lwi_sum4(gap * gap * search->unit2) * 0.9999f; /* whatever is rounded on the way */
    if (search->waiting == WAITING) try_waiting(search);
    search->least[search->waiting] = least;
    search->polygons[search->waiting] = box->polygon;
    search->waiting += (least < search->distance2) & (gap[2] <= search->half_y);
  }
}

static int clamp(float value, int count) {
  return value < 0 ? 0 : value >= (float)count ? count - 1 : (int)value;
}

/* The square of how far the point is from a cell, in 255ths of one. */
static float cell_gap2(const nearest_search *search, int x, int z) {
  float u = search->at[0] - 255 * (float)x, v = search->at[1] - 255 * (float)z;
  float dx = u < 0 ? -u : u > 255 ? u - 255 : 0, dz = v < 0 ? -v : v > 255 ? v - 255 : 0;
  return dx * dx + dz * dz;
}

/* First the point's own cell, which nearly always has it, then those about it that are near enough. */
static void search_cells(nearest_search *search, const lwi_cells *range) {
  int cx = clamp(search->at[0] / 255, search->mesh->grid.width);
  int cz = clamp(search->at[1] / 255, search->mesh->grid.height);
  queue_cell(search, cx, cz);
  try_waiting(search);
  for (int z = range->z0; z <= range->z1; z++)
    for (int x = range->x0; x <= range->x1; x++) {
      if ((x == cx && z == cz) || cell_gap2(search, x, z) * search->unit2[0] * 0.9999f >= search->distance2)
        continue;
      queue_cell(search, x, z);
    }
  try_waiting(search);
}

lw_status lw_navmesh_nearest(const lw_navmesh *mesh, lw_vec3 point, lw_vec3 half, const lw_filter *filter,
                             lw_location *location) {
  *location = (lw_location){.point = point};
  if (!lwi_finite(point) || !(half.x > 0 && half.y > 0 && half.z > 0)) return LW_INVALID;
  const lwi_grid *grid = &mesh->grid;
  lwi_cells range;
  if (!lwi_grid_cells(grid, point.x - half.x, point.z - half.z, point.x + half.x, point.z + half.z, &range))
    return LW_NO_POINT;
  const float unit = grid->cell / 255, unit_y = grid->size_y / 255;
  nearest_search search;
  search.mesh = mesh;
  search.filter = filter;
  search.point = point;
  search.half = half;
  search.at = (lwi_float4){(point.x - grid->min_x) / unit, (point.z - grid->min_z) / unit,
                           (point.y - grid->min_y) / unit_y, 0};
  search.unit2 = (lwi_float4){unit * unit, unit * unit, unit_y * unit_y, 0};
  search.half_y = half.y / unit_y;
  search.distance2 = INFINITY;
  search.polygon = LWI_NONE;
  search.waiting = 0;
  search_cells(&search, &range);
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
