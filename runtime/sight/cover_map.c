#include "sight/cover_map.h"

#include "core/vec3.h"
#include "mesh/column.h"

/* How high above its ground an eye may be, how far beside the mesh, how far below a surface. [m] */
#define HIGH 3.0f
#define BESIDE 0.8f
#define UNDER 0.3f

/* The highest surface below the eye, or else the nearest point of the mesh. */
uint32_t lwi_map_polygon(const lw_navmesh *mesh, lw_vec3 eye) {
  lwi_column column;
  uint32_t best = LWI_NONE;
  mesh = lwi_base_of(mesh);
  float highest = eye.y - HIGH;
  if (lwi_grid_column(&mesh->grid, eye.x, eye.z, &column))
    for (uint32_t i = column.first; i < column.end; i++) {
      const lwi_reference *reference = &mesh->grid.references[i];
      if (!lwi_column_meets(&column, reference)) continue;
      lwi_polygon polygon = lwi_polygon_get(mesh, reference->polygon);
      if (!lwi_polygon_holds(&polygon, eye, 1e-3)) continue;
      float height = lwi_polygon_height(mesh, reference->polygon, eye.x, eye.z);
      if (height > eye.y + UNDER || height <= highest) continue;
      highest = height;
      best = reference->polygon;
    }
  if (best != LWI_NONE) return best;
  lw_location at;
  lw_vec3 below = {eye.x, eye.y - HIGH / 2, eye.z};
  const lw_vec3 reach = {BESIDE, HIGH / 2 + UNDER, BESIDE};
  if (lw_navmesh_nearest(mesh, below, reach, NULL, &at) != LW_OK) return LWI_NONE;
  return lwi_poly_index(mesh, at.poly);
}

bool lwi_map_leaves(const lw_navmesh *mesh, lw_vec3 eye, lwi_bvh_leaf_list *leaves) {
  if (!lwi_cover_map_of(mesh)->has) return false;
  uint32_t polygon = lwi_map_polygon(mesh, eye);
  if (polygon == LWI_NONE) return false;
  *leaves = lwi_map_list_of(lwi_cover_map_of(mesh)->first, lwi_cover_map_of(mesh)->leaves, polygon);
  return true;
}

/* --- what it lists ---------------------------------------------------------------------------------------- */

#define PI 3.14159265358979323846

/* A facet seen from a place, in xz. */
typedef struct facet_view {
  double bearing, distance; /* of its nearest point */
  double left, right;       /* bearings of its ends: right <= left, at most half a turn apart */
  int left_corner, right_corner;
  float bottom, top; /* [m] */
} facet_view;

static double bearing_of(double x, double z) {
  return x == 0 && z == 0 ? 0 : atan2(0 - z, x); /* never -0 */
}

/* From -pi to pi. */
static double turn_to(double from, double to) {
  return remainder(to - from, 2 * PI);
}

/* Corners relative to the place. */
typedef struct around {
  double x[LWI_OCCLUDER_CORNERS], z[LWI_OCCLUDER_CORNERS];
  int count;
} around;

/* @return Whether the place is above or below the facet. */
static bool is_within(const around *of) {
  int left = 0, right = 0;
  for (int i = 0; i < of->count; i++) {
    const int k = i + 1 < of->count ? i + 1 : 0;
    const double turn = of->z[i] * of->x[k] - of->x[i] * of->z[k];
    left += turn > 0;
    right += turn < 0;
  }
  return (left > 0) != (right > 0) && left + right == of->count;
}

static void find_nearest(const around *of, facet_view *view) {
  view->distance = INFINITY;
  for (int i = 0; i < of->count; i++) {
    const int k = i + 1 < of->count ? i + 1 : 0;
    const double dx = of->x[k] - of->x[i], dz = of->z[k] - of->z[i], length2 = dx * dx + dz * dz;
    const double t = length2 > 0 ? -(of->x[i] * dx + of->z[i] * dz) / length2 : 0;
    const double on = lwi_smaller(1, lwi_larger(0, t)), x = of->x[i] + on * dx, z = of->z[i] + on * dz;
    const double distance = hypot(x, z);
    if (distance >= view->distance) continue;
    view->distance = distance;
    view->bearing = bearing_of(x, z);
  }
}

/* The ends, about the bearing of the nearest point: no corner of a convex polygon lies more than a quarter of a turn
   from it. */
static void find_ends(const around *of, facet_view *view) {
  double high = -INFINITY, low = INFINITY;
  for (int i = 0; i < of->count; i++) {
    const double turn = turn_to(view->bearing, bearing_of(of->x[i], of->z[i]));
    if (turn > high) high = turn, view->left_corner = i;
    if (turn < low) low = turn, view->right_corner = i;
  }
  view->left = view->bearing + high;
  view->right = view->bearing + low;
}

static facet_view view_facet(const lwi_occluders *occluders, const lwi_occluder_facet *facet, lw_vec3 from) {
  facet_view view = {.bottom = INFINITY, .top = -INFINITY};
  around of = {.count = facet->count};
  for (int i = 0; i < facet->count; i++) {
    const lw_vec3 corner = facet->corners[i];
    of.x[i] = (double)occluders->origin.x + corner.x - from.x;
    of.z[i] = (double)occluders->origin.z + corner.z - from.z;
    view.bottom = lwi_min(view.bottom, occluders->origin.y + corner.y);
    view.top = lwi_max(view.top, occluders->origin.y + corner.y);
  }
  find_nearest(&of, &view);
  if (is_within(&of)) view.distance = view.bearing = 0;
  find_ends(&of, &view);
  return view;
}

static uint32_t directions_of(const facet_view *view) {
  const double width = 2 * PI / LWI_MAP_DIRECTIONS;
  uint32_t directions = 0;
  if (view->distance == 0) return (1u << LWI_MAP_DIRECTIONS) - 1;
  const int first = (int)floor(view->right / width), last = (int)floor(view->left / width);
  for (int i = first; i <= last; i++)
    directions |= 1u << ((i % LWI_MAP_DIRECTIONS + LWI_MAP_DIRECTIONS) % LWI_MAP_DIRECTIONS);
  return directions;
}

lwi_map_place lwi_map_place_of(const lwi_occluders *occluders, uint32_t leaf, lw_vec3 from) {
  lwi_map_place place = {INFINITY, 0};
  lwi_occluder_cursor cursor = {leaf, 0};
  lwi_occluder_facet facet;
  while (cursor.leaf == leaf && lwi_occluders_next(occluders, &cursor, &facet)) {
    const facet_view view = view_facet(occluders, &facet, from);
    place.distance = lwi_min(place.distance, (float)view.distance);
    place.directions |= directions_of(&view);
  }
  return place;
}

#define LISTED_MAX (LWI_MAP_LEAVES * LWI_BVH_LEAF_FACETS)

static lw_vec3 end_of(const lwi_occluders *occluders, const lwi_occluder_facet *facet, int corner,
                      float bottom) {
  const lw_vec3 at = lwi_add(occluders->origin, facet->corners[corner]);
  return (lw_vec3){at.x, bottom, at.z};
}

static lw_cover_map_segment segment_of(const lwi_occluders *occluders, const lwi_occluder_facet *facet,
                                       lw_vec3 from) {
  const facet_view view = view_facet(occluders, facet, from);
  return (lw_cover_map_segment){.a = end_of(occluders, facet, view.left_corner, view.bottom),
                                .b = end_of(occluders, facet, view.right_corner, view.bottom),
                                .bearing = (float)view.bearing,
                                .distance = (float)view.distance,
                                .bottom = view.bottom - from.y,
                                .height = view.top - from.y,
                                .kind = (lw_cover_kind)facet->kind};
}

/* In order of distance; those at equal distances stay in the order of the list. */
static void insert(lw_cover_map_segment *listed, int count, const lw_cover_map_segment *added) {
  int at = count;
  for (; at > 0 && listed[at - 1].distance > added->distance; at--) listed[at] = listed[at - 1];
  listed[at] = *added;
}

static int list_all(const lw_navmesh *mesh, uint32_t polygon, lw_vec3 from, lw_cover_map_segment *listed) {
  const lwi_occluders *occluders = lwi_occluders_of(mesh);
  lwi_bvh_leaf_list leaves =
      lwi_map_list_of(lwi_cover_map_of(mesh)->first, lwi_cover_map_of(mesh)->leaves, polygon);
  int count = 0;
  for (uint32_t leaf = UINT32_MAX; lwi_bvh_leaf_list_next(&leaves, &leaf);) {
    lwi_occluder_cursor cursor = {leaf, 0};
    lwi_occluder_facet facet;
    while (cursor.leaf == leaf && count < LISTED_MAX && lwi_occluders_next(occluders, &cursor, &facet)) {
      const lw_cover_map_segment added = segment_of(occluders, &facet, from);
      insert(listed, count++, &added);
    }
  }
  return count;
}

/* The place on the ground of the polygon. */
static lw_vec3 ground_at(const lw_navmesh *mesh, uint32_t polygon, lw_vec3 at) {
  const lwi_polygon outline = lwi_polygon_get(mesh, polygon);
  lw_vec3 on;
  lwi_polygon_closest(&outline, at, &on);
  on.y = lwi_polygon_height(mesh, polygon, on.x, on.z);
  return on;
}

lw_status lw_navmesh_cover_map(const lw_navmesh *navmesh, lw_vec3 at, lw_cover_map_segment *segments,
                               int capacity, int *count) {
  lw_cover_map_segment listed[LISTED_MAX];
  if (count) *count = 0;
  if (!navmesh || !count || capacity < 0 || (!segments && capacity > 0) || !lwi_is_place(at)) return LW_INVALID;
  const lw_navmesh *mesh = lwi_base_of(navmesh);
  if (!lwi_cover_map_of(mesh)->has) return LW_NOT_FOUND;
  const uint32_t polygon = lwi_map_polygon(mesh, at);
  if (polygon == LWI_NONE) return LW_NOT_FOUND;
  *count = list_all(mesh, polygon, ground_at(mesh, polygon, at), listed);
  for (int i = 0; i < *count && i < capacity; i++) segments[i] = listed[i];
  return LW_OK;
}
