/* The nearest place in a box where an agent with clearance can stand, also round corners and behind walls. In a convex
   polygon the nearest place outside of capsules lies on its outline, straight away from one wall, or where the
   outlines of two capsules meet; so a place is found wherever there is one. */
#include "mesh/capsules.h"
#include "mesh/clearance.h"

#define MAX_CORNERS 260 /* those of a polygon, and the ends of four cuts */

typedef struct box_search {
  const lwi_clearance *clearance;
  lwi_region_scratch *scratch;
  const lwi_clearance_box *box;
  lw_vec3 from;

  uint32_t polygon;
  lwi_barriers walls;              /* near it, with what places keep */
  lwi_point2 corners[MAX_CORNERS]; /* [corner_count] Its part in the box, counter-clockwise seen from above. */
  int corner_count;

  double distance2; /* from `from` to the best so far [m2] */
  lw_location best;
} box_search;

/* --- polygons --------------------------------------------------------------------------------------------- */

/* Does a line touch the box, in xz? Lines beside a corner of it may seem to. */
static bool touches(const lwi_clearance_box *box, lw_vec3 a, lw_vec3 b) {
  return fminf(a.x, b.x) <= box->about.x + box->half.x && fmaxf(a.x, b.x) >= box->about.x - box->half.x &&
         fminf(a.z, b.z) <= box->about.z + box->half.z && fmaxf(a.z, b.z) >= box->about.z - box->half.z;
}

/* Polygons that are reached over portals within the box. @return false: no memory. */
static bool list_reached(box_search *search, uint32_t start) {
  const lw_navmesh *mesh = search->clearance->graph.mesh;
  if (!lwi_region_list(search->scratch, start)) return false;
  for (int i = 0; i < search->scratch->around_count; i++) {
    const uint32_t polygon = search->scratch->around[i];
    for (uint32_t k = mesh->graph.first_portal[polygon]; k < mesh->graph.end_portal[polygon]; k++) {
      const lwi_portal *portal = &mesh->graph.portals[k];
      lw_vec3 left, right;
      lwi_portal_points(mesh, polygon, portal, &left, &right);
      if (lwi_crosses(mesh, search->box->filter, portal) && touches(search->box, left, right) &&
          !lwi_region_list(search->scratch, portal->to))
        return false;
    }
  }
  return true;
}

/* All polygons in the box that may be entered. @return false: no memory. */
static bool list_all(box_search *search) {
  const lw_navmesh *mesh = search->clearance->graph.mesh;
  const lw_vec3 low = lwi_sub(search->box->about, search->box->half),
                high = lwi_add(search->box->about, search->box->half);
  lwi_cells cells;
  if (!lwi_grid_cells(&mesh->grid, low.x, low.z, high.x, high.z, &cells)) return true;
  for (int z = cells.z0; z <= cells.z1; z++)
    for (int x = cells.x0; x <= cells.x1; x++) {
      const size_t cell = (size_t)z * (size_t)mesh->grid.width + (size_t)x;
      for (uint32_t i = mesh->grid.first[cell]; i < mesh->grid.first[cell + 1]; i++) {
        lwi_part_walk walk = lwi_parts_near(mesh, mesh->grid.references[i].polygon, low, high);
        for (uint32_t part; lwi_next_part(&walk, &part);)
          if (lwi_passes(mesh, search->box->filter, part) && !lwi_region_list(search->scratch, part))
            return false;
      }
    }
  return true;
}

/* --- places of one polygon -------------------------------------------------------------------------------- */

/* Keep the corners with sign * coordinate <= sign * limit. */
static void clip(box_search *search, bool along_x, double sign, double limit) {
  lwi_point2 kept[MAX_CORNERS];
  int count = 0;
  for (int i = 0; i < search->corner_count; i++) {
    const lwi_point2 a = search->corners[i], b = search->corners[i + 1 < search->corner_count ? i + 1 : 0];
    const double over_a = sign * ((along_x ? a.x : a.z) - limit),
                 over_b = sign * ((along_x ? b.x : b.z) - limit);
    if (over_a <= 0) kept[count++] = a;
    if ((over_a < 0 && over_b > 0) || (over_a > 0 && over_b < 0))
      kept[count++] = lwi_point2_lerp(a, b, over_a / (over_a - over_b));
  }
  for (int i = 0; i < count; i++) search->corners[i] = kept[i];
  search->corner_count = count;
}

static void read_polygon(box_search *search, uint32_t index) {
  const lwi_clearance_box *box = search->box;
  const lwi_polygon polygon = lwi_polygon_get(search->clearance->graph.mesh, index);
  search->polygon = index;
  search->walls = lwi_clearance_walls_near(search->clearance, index);
  search->walls.keep = lwi_clearance_place_keep(search->clearance);
  search->corner_count = (int)polygon.count;
  for (uint32_t i = 0; i < polygon.count; i++) search->corners[i] = lwi_point2_of(lwi_corner(&polygon, i));
  clip(search, true, 1, (double)box->about.x + box->half.x);
  clip(search, true, -1, (double)box->about.x - box->half.x);
  clip(search, false, 1, (double)box->about.z + box->half.z);
  clip(search, false, -1, (double)box->about.z - box->half.z);
}

static bool is_inside(const box_search *search, lwi_point2 point) {
  for (int i = 0; i < search->corner_count; i++) {
    const lwi_point2 a = search->corners[i], b = search->corners[i + 1 < search->corner_count ? i + 1 : 0];
    if (lwi_point2_turn(a, b, point) < -1e-6 * lwi_point2_distance(a, b)) return false;
  }
  return search->corner_count > 2;
}

/* Take a place of the polygon's part in the box if it is nearer than the best, and clear of walls. */
static void try_point(box_search *search, lwi_point2 point) {
  const lw_navmesh *mesh = search->clearance->graph.mesh;
  const double dx = point.x - (double)search->from.x, dz = point.z - (double)search->from.z;
  if (!(dx * dx + dz * dz < search->distance2)) return;
  lw_vec3 at = {(float)point.x, 0, (float)point.z};
  const lwi_point2 rounded = lwi_point2_of(at);
  if (!lwi_region_clear(&search->walls, rounded, rounded, search->box->slack)) return;
  at.y = lwi_polygon_height(mesh, search->polygon, at.x, at.z);
  const double dy = (double)at.y - search->from.y, distance2 = dx * dx + dy * dy + dz * dz;
  if (fabsf(at.y - search->box->about.y) > search->box->half.y || !(distance2 < search->distance2)) return;
  search->distance2 = distance2;
  search->best = (lw_location){at, lwi_poly_id(mesh, search->polygon)};
}

/* Try the nearest place of each clear interval of the outline. @return false: no memory. */
static bool try_outline(box_search *search, lwi_barriers walls) {
  lwi_region_scratch *scratch = search->scratch;
  const lwi_point2 from = lwi_point2_of(search->from);
  for (int i = 0; i < search->corner_count; i++) {
    const lwi_point2 line[2] = {search->corners[i], search->corners[i + 1 < search->corner_count ? i + 1 : 0]};
    const double x = line[1].x - line[0].x, z = line[1].z - line[0].z, length2 = x * x + z * z;
    const double foot = length2 > 0 ? ((from.x - line[0].x) * x + (from.z - line[0].z) * z) / length2 : 0;
    scratch->free_interval_count = 0;
    if (!lwi_region_free(scratch, &walls, line, 0, 0, 1)) return false;
    for (int k = 0; k < scratch->free_interval_count; k++) {
      const lwi_edge_interval *free_interval = &scratch->free_intervals[k];
      const double t = fmin(free_interval->t1, fmax(free_interval->t0, foot));
      try_point(search, lwi_point2_lerp(line[0], line[1], t));
    }
  }
  return true;
}

/* Try places beside walls. */
static void try_walls(box_search *search, lwi_barriers walls) {
  const lwi_point2 from = lwi_point2_of(search->from);
  lwi_point2 points[LWI_MEETINGS_MAX];
  for (uint32_t i = 0; i < walls.count; i++) {
    const lwi_barrier *wall = &walls.all[walls.near[i]];
    if (lwi_barrier_distance(wall, from, from) >= sqrt(search->distance2) + walls.keep) continue;
    if (lwi_capsule_away(wall, from, walls.keep, points) && is_inside(search, points[0]))
      try_point(search, points[0]);
    for (uint32_t k = i + 1; k < walls.count; k++) {
      const int count = lwi_capsules_meet(wall, &walls.all[walls.near[k]], walls.keep, points);
      for (int p = 0; p < count; p++)
        if (is_inside(search, points[p])) try_point(search, points[p]);
    }
  }
}

/* @return false: no memory. */
static bool try_polygon(box_search *search, uint32_t index) {
  const lwi_point2 from = lwi_point2_of(search->from);
  read_polygon(search, index);
  if (search->corner_count < 3) return true;
  if (is_inside(search, from)) try_point(search, from);
  lwi_barriers walls = search->walls;
  walls.keep += LWI_PLACEMENT_MARGIN;
  if (!try_outline(search, walls)) return false;
  try_walls(search, walls);
  return true;
}

static bool try_listed(box_search *search) {
  for (int i = 0; i < search->scratch->around_count; i++)
    if (!try_polygon(search, search->scratch->around[i])) return false;
  return true;
}

lw_status lwi_clearance_search_box(const lwi_clearance *clearance, lwi_region_scratch *scratch,
                                   const lwi_clearance_box *box, lw_location *place) {
  box_search search = {
      .clearance = clearance, .scratch = scratch, .box = box, .from = place->point, .distance2 = INFINITY};
  lwi_region_begin_list(scratch);
  if (!list_reached(&search, lwi_poly_index(clearance->graph.mesh, place->poly)) || !try_listed(&search))
    return LW_OUT_OF_MEMORY;
  if (search.distance2 == INFINITY && (!list_all(&search) || !try_listed(&search))) return LW_OUT_OF_MEMORY;
  if (search.distance2 == INFINITY) return LW_NO_POINT;
  *place = search.best;
  return LW_OK;
}
