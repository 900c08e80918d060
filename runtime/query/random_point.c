#include "query/random_point.h"

#include "core/status.h"
#include "leeward/query.h"
#include "mesh/clearance.h"
#include "mesh/column.h"
#include "query/disc_polygon.h"
#include "query/workspace.h"
#include "search/reach.h"

#include <math.h>
#include <string.h>

/* Draws from the whole mesh before the areas are summed for the filter. */
#define MAX_DRAWS 64
/* Places drawn in a circle before the polygons in it are gathered. */
#define MAX_PLACES 64
/* Draws from the gathered polygons before they are cut by the circle. */
#define MAX_CIRCLE_DRAWS 12
/* Points drawn before it is said that a large agent can stand at none of them. */
#define MAX_LARGE_DRAWS 1000
/* Points drawn in one polygon before it is said that none of it is far enough away. */
#define MAX_FAR_DRAWS 10000

lw_random_point_query lw_random_point_query_default(void) {
  return (lw_random_point_query){.snap = {2, 4, 2}, .navmesh = LW_NAVMESH_FITTING, .cookie = LWI_COOKIE};
}

void lwi_random_scratch_free(lwi_random_scratch *scratch, const lw_navmesh *mesh) {
  if (!scratch->memory) return;
  lwi_free(scratch->memory, scratch->polygons, (size_t)scratch->capacity * sizeof *scratch->polygons);
  lwi_free(scratch->memory, scratch->sums, (size_t)scratch->sums_capacity * sizeof *scratch->sums);
  lwi_free(scratch->memory, scratch->seen, ((size_t)lwi_base_count(mesh) + 1) * sizeof *scratch->seen);
  *scratch = (lwi_random_scratch){0};
}

/* Uniform in a polygon: a triangle of its fan by area, then a point in it. */
static lw_vec3 sample_polygon(const lwi_polygon *polygon, lw_random *random) {
  double pick = lwi_random_unit_double(random) * lwi_polygon_area2(polygon);
  double u = lwi_random_unit_double(random), v = lwi_random_unit_double(random);
  lw_vec3 apex = lwi_corner(polygon, 0), a = apex, b = apex;
  for (uint32_t i = 2; i < polygon->count; i++) {
    a = lwi_corner(polygon, i - 1);
    b = lwi_corner(polygon, i);
    pick -= lwi_turn(apex, a, b);
    if (pick < 0) break;
  }
  if (u + v > 1) {
    u = 1 - u;
    v = 1 - v;
  }
  return lwi_vec3((float)(apex.x + ((double)a.x - apex.x) * u + ((double)b.x - apex.x) * v), 0,
                  (float)(apex.z + ((double)a.z - apex.z) * u + ((double)b.z - apex.z) * v));
}

static lw_location place(const lw_navmesh *mesh, uint32_t index, lw_vec3 point) {
  point.y = lwi_polygon_height(mesh, index, point.x, point.z);
  return (lw_location){point, lwi_poly_id(mesh, index)};
}

/* The first polygon whose running sum passes `pick`. */
static uint32_t find_sum(const double *sums, uint32_t count, double pick) {
  uint32_t low = 0, high = count - 1; /* sums[i] is the sum before i; find the last with sums[i] <= pick */
  while (low < high) {
    uint32_t middle = low + (high - low + 1) / 2;
    if (sums[middle] <= pick)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

static bool counts(const lw_navmesh *mesh, const lwi_random_ground *ground, uint32_t part) {
  if (!lwi_passes(mesh, ground->filter, part)) return false;
  if (ground->only && !lw_filter_passes(ground->only, mesh->polygons.areas[part])) return false;
  return !ground->reach || lwi_reaches_polygon(ground->reach, ground->label, part);
}

static bool is_far(const lwi_random_ground *ground, lw_vec3 point) {
  return !(ground->min_distance > 0) || lwi_distance_xz(point, ground->from) >= ground->min_distance;
}

/* How much of a polygon, of which that area could be drawn, is far enough away. */
static double far_area(const lwi_random_ground *ground, const lwi_polygon *polygon, double area) {
  if (!(ground->min_distance > 0)) return area;
  return fmax(0, area - lwi_disc_area(polygon, ground->from, (double)ground->min_distance));
}

static double area_of(const lw_navmesh *mesh, const lwi_random_ground *ground, uint32_t part) {
  const lwi_polygon polygon = lwi_polygon_get(mesh, part);
  return far_area(ground, &polygon, lwi_area_of(mesh, part));
}

static double area_counting(const lw_navmesh *mesh, const lwi_random_ground *ground) {
  double area = 0;
  for (uint32_t p = 0; p < lwi_base_count(mesh); p++) {
    lwi_part_walk walk = lwi_parts_of(mesh, p);
    for (uint32_t i; lwi_next_part(&walk, &i);)
      if (counts(mesh, ground, i)) area += area_of(mesh, ground, i);
  }
  return area;
}

/* Little ground counts: walk to the pick. Pieces come in the order of what they are pieces of, however they are numbered. */
static uint32_t pick_counting(const lw_navmesh *mesh, const lwi_random_ground *ground, lw_random *random) {
  double pick = lwi_random_unit_double(random) * area_counting(mesh, ground);
  uint32_t last = LWI_NONE;
  for (uint32_t p = 0; p < lwi_base_count(mesh); p++) {
    lwi_part_walk walk = lwi_parts_of(mesh, p);
    for (uint32_t i; lwi_next_part(&walk, &i);) {
      const double area = counts(mesh, ground, i) ? area_of(mesh, ground, i) : 0;
      if (!(area > 0)) continue;
      last = i;
      pick -= area;
      if (pick < 0) return last;
    }
  }
  return last;
}

/* By area, over the whole mesh, cut or not. */
static uint32_t draw_polygon(const lw_navmesh *mesh, lw_random *random) {
  double pick = lwi_random_unit_double(random) * lwi_base_count(mesh);
  uint32_t slot = (uint32_t)pick;
  /* On a large mesh all of it is far away, and mostly it is this polygon. */
  __builtin_prefetch(&mesh->polygons.ranges[slot]);
  __builtin_prefetch(&mesh->polygons.areas[slot]);
  lwi_alias alias = mesh->polygons.aliases[slot];
  return pick - slot < (double)alias.chance ? slot : alias.other;
}

/* A place in a polygon of the base that is cut. @return The piece there, or LWI_NONE. */
static uint32_t draw_piece(const lw_navmesh *mesh, uint32_t polygon, lw_random *random, lw_vec3 *point) {
  const lwi_polygon whole = lwi_polygon_get(mesh, polygon);
  *point = sample_polygon(&whole, random);
  return lwi_part_at(mesh, polygon, *point, 0);
}

/* Draw from ground that counts until it is far enough away. @return false: hardly any of it is. */
static bool draw_far(const lw_navmesh *mesh, const lwi_random_ground *ground, uint32_t index, lw_random *random,
                     lw_location *location) {
  const lwi_polygon polygon = lwi_polygon_get(mesh, index);
  for (int i = 0; i < MAX_FAR_DRAWS; i++) {
    const lw_vec3 point = sample_polygon(&polygon, random);
    if (!is_far(ground, point)) continue;
    *location = place(mesh, index, point);
    return true;
  }
  return false;
}

/* Draw from all ground. @return false: that does not count. */
static bool draw_any(const lw_navmesh *mesh, const lwi_random_ground *ground, lw_random *random,
                     lw_location *location) {
  lw_vec3 point;
  uint32_t drawn = draw_polygon(mesh, random);
  if (!lwi_is_whole(mesh, drawn)) { /* what lies in a hole is drawn again */
    drawn = draw_piece(mesh, drawn, random, &point);
    if (drawn == LWI_NONE || !counts(mesh, ground, drawn)) return false;
  } else {
    if (!counts(mesh, ground, drawn)) return false;
    const lwi_polygon polygon = lwi_polygon_get(mesh, drawn);
    point = sample_polygon(&polygon, random);
  }
  if (!is_far(ground, point)) return false;
  *location = place(mesh, drawn, point);
  return true;
}

lw_status lwi_random_anywhere(const lw_navmesh *mesh, const lwi_random_ground *ground, lw_random *random,
                              lw_location *location) {
  if (mesh->polygons.count == 0) return LW_NO_POINT;
  for (int i = 0; i < MAX_DRAWS; i++)
    if (draw_any(mesh, ground, random, location)) return LW_OK;
  const uint32_t index = pick_counting(mesh, ground, random);
  return index != LWI_NONE && draw_far(mesh, ground, index, random, location) ? LW_OK : LW_NO_POINT;
}

static bool prepare(lwi_random_scratch *scratch, const lw_navmesh *mesh) {
  size_t size = ((size_t)lwi_base_count(mesh) + 1) * sizeof *scratch->seen;
  if (!scratch->seen) scratch->seen = lwi_alloc_zero(scratch->memory, size);
  if (!scratch->seen) return false;
  scratch->count = 0;
  scratch->stamp += 1;
  if (scratch->stamp == 0) {
    memset(scratch->seen, 0, size);
    scratch->stamp = 1;
  }
  return true;
}

static bool add(lwi_random_scratch *scratch, uint32_t polygon, double area, double *total) {
  int needed = scratch->count + 1;
  if (!lwi_reserve(scratch->memory, &scratch->polygons, &scratch->capacity, needed,
                   sizeof *scratch->polygons) ||
      !lwi_reserve(scratch->memory, &scratch->sums, &scratch->sums_capacity, needed, sizeof *scratch->sums))
    return false;
  scratch->polygons[scratch->count] = polygon;
  scratch->sums[scratch->count] = *total;
  scratch->count += 1;
  *total += area;
  return true;
}

/* @return false: no memory. */
static bool gather_part(const lw_navmesh *mesh, const lwi_random_circle *circle, lwi_random_scratch *scratch,
                        uint32_t index, double *total) {
  if (!counts(mesh, &circle->ground, index)) return true;
  const lwi_polygon polygon = lwi_polygon_get(mesh, index);
  lw_vec3 nearest;
  if (!lwi_polygon_closest(&polygon, circle->center, &nearest) &&
      lwi_distance_xz(nearest, circle->center) > circle->radius)
    return true;
  return add(scratch, index, lwi_polygon_area2(&polygon) / 2, total);
}

/* The polygons within reach that the circle touches, and the running sum of their whole areas. */
static bool gather(const lw_navmesh *mesh, const lwi_random_circle *circle, lwi_random_scratch *scratch,
                   double *total) {
  const lwi_grid *grid = &mesh->grid;
  lw_vec3 c = circle->center;
  float r = circle->radius;
  lwi_cells range;
  if (!lwi_grid_cells(grid, c.x - r, c.z - r, c.x + r, c.z + r, &range)) return true;
  for (int z = range.z0; z <= range.z1; z++)
    for (int x = range.x0; x <= range.x1; x++) {
      size_t cell = (size_t)z * (size_t)grid->width + (size_t)x;
      for (uint32_t i = grid->first[cell]; i < grid->first[cell + 1]; i++) {
        const uint32_t polygon = grid->references[i].polygon;
        if (scratch->seen[polygon] == scratch->stamp) continue;
        scratch->seen[polygon] = scratch->stamp;
        lwi_part_walk walk = lwi_parts_of(mesh, polygon);
        for (uint32_t k; lwi_next_part(&walk, &k);)
          if (!gather_part(mesh, circle, scratch, k, total)) return false;
      }
    }
  return true;
}

/* Draw from the polygons as they are until it falls into the circle: nearly always soon, and each draw that does is
   uniform over what is inside. */
static bool draw_until_inside(const lw_navmesh *mesh, const lwi_random_circle *circle,
                              const lwi_random_scratch *scratch, double total, lw_random *random,
                              lw_location *location) {
  for (int i = 0; i < MAX_CIRCLE_DRAWS; i++) {
    uint32_t pick = find_sum(scratch->sums, (uint32_t)scratch->count, lwi_random_unit_double(random) * total);
    uint32_t index = scratch->polygons[pick];
    lwi_polygon polygon = lwi_polygon_get(mesh, index);
    lw_vec3 point = sample_polygon(&polygon, random);
    double dx = (double)point.x - circle->center.x, dz = (double)point.z - circle->center.z;
    if (dx * dx + dz * dz > (double)circle->radius * circle->radius || !is_far(&circle->ground, point))
      continue;
    *location = place(mesh, index, point);
    return true;
  }
  return false;
}

/* A small circle in large polygons: cut them by it, and draw from the cuts. */
static lw_status draw_from_cuts(const lw_navmesh *mesh, const lwi_random_circle *circle,
                                lwi_random_scratch *scratch, lw_random *random, lw_location *location) {
  double total = 0, radius = (double)circle->radius;
  int count = 0;
  for (int i = 0; i < scratch->count; i++) {
    lwi_polygon polygon = lwi_polygon_get(mesh, scratch->polygons[i]);
    double area = far_area(&circle->ground, &polygon, lwi_disc_area(&polygon, circle->center, radius));
    if (!(area > 1e-12)) continue;
    scratch->polygons[count] = scratch->polygons[i];
    scratch->sums[count++] = total;
    total += area;
  }
  if (count == 0) return LW_NO_POINT;
  uint32_t pick = find_sum(scratch->sums, (uint32_t)count, lwi_random_unit_double(random) * total);
  uint32_t index = scratch->polygons[pick];
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  for (int i = 0; i < MAX_FAR_DRAWS; i++) {
    const lw_vec3 point = lwi_disc_sample(&polygon, circle->center, radius, random);
    if (!is_far(&circle->ground, point)) continue;
    *location = place(mesh, index, point);
    return LW_OK;
  }
  return LW_NO_POINT;
}

/* --- drawing places first ------------------------------------------------------------------------------------------ */

/* Where to draw: the square about the circle, as far as the grid goes. */
typedef struct draw_window {
  float min_x, min_z, size_x, size_z;
  uint32_t floors; /* nowhere in it are there more */
} draw_window;

static bool find_window(const lw_navmesh *mesh, const lwi_random_circle *circle, draw_window *window) {
  const lwi_grid *grid = &mesh->grid;
  const lw_vec3 c = circle->center;
  const float r = circle->radius;
  lwi_cells range;
  if (!lwi_grid_cells(grid, c.x - r, c.z - r, c.x + r, c.z + r, &range)) return false;
  float right = grid->min_x + (float)grid->width * grid->cell,
        top = grid->min_z + (float)grid->height * grid->cell;
  window->min_x = c.x - r > grid->min_x ? c.x - r : grid->min_x;
  window->min_z = c.z - r > grid->min_z ? c.z - r : grid->min_z;
  window->size_x = (c.x + r < right ? c.x + r : right) - window->min_x;
  window->size_z = (c.z + r < top ? c.z + r : top) - window->min_z;
  window->floors = 0;
  for (int z = range.z0; z <= range.z1; z++) {
    const uint8_t *row = grid->floors + (size_t)z * (size_t)grid->width;
    for (int x = range.x0; x <= range.x1; x++)
      window->floors = row[x] > window->floors ? row[x] : window->floors;
  }
  return window->floors > 0;
}

/* Of the floors at a place that can be reached, the one with that number. */
static uint32_t pick_floor(const lw_navmesh *mesh, const lwi_random_circle *circle, lw_vec3 at,
                           uint32_t number) {
  lwi_column column;
  if (!lwi_grid_column(&mesh->grid, at.x, at.z, &column)) return LWI_NONE;
  for (uint32_t i = column.first; i < column.end; i++) {
    const lwi_reference *reference = &mesh->grid.references[i];
    if (!lwi_column_meets(&column, reference)) continue;
    const uint32_t part = lwi_part_at(mesh, reference->polygon, at, 0);
    if (part == LWI_NONE || !counts(mesh, &circle->ground, part)) continue;
    if (number-- == 0) return part;
  }
  return LWI_NONE;
}

/* Draw a place in the circle and the number of a floor; take it if there is such a floor. Every place on every floor is as
   likely as any other, and where there is much to stand on, it takes few draws. */
static bool draw_place(const lw_navmesh *mesh, const lwi_random_circle *circle, lw_random *random,
                       lw_location *location) {
  draw_window window;
  if (!find_window(mesh, circle, &window)) return false;
  const double r2 = (double)circle->radius * (double)circle->radius;
  for (int i = 0; i < MAX_PLACES; i++) {
    lw_vec3 at = {window.min_x + window.size_x * lwi_random_unit(random), 0,
                  window.min_z + window.size_z * lwi_random_unit(random)};
    uint32_t number = window.floors > 1 ? (uint32_t)(lwi_random_unit(random) * (float)window.floors) : 0;
    double dx = (double)at.x - circle->center.x, dz = (double)at.z - circle->center.z;
    if (dx * dx + dz * dz > r2 || !is_far(&circle->ground, at)) continue;
    uint32_t index = pick_floor(mesh, circle, at, number);
    if (index == LWI_NONE) continue;
    *location = place(mesh, index, at);
    return true;
  }
  return false;
}

lw_status lwi_random_in_circle(const lw_navmesh *mesh, const lwi_random_circle *circle, lw_random *random,
                               lwi_random_scratch *scratch, lw_location *location) {
  double total = 0;
  if (draw_place(mesh, circle, random, location)) return LW_OK;
  if (!prepare(scratch, mesh) || !gather(mesh, circle, scratch, &total)) return LW_OUT_OF_MEMORY;
  if (scratch->count == 0) return LW_NO_POINT;
  if (draw_until_inside(mesh, circle, scratch, total, random, location)) return LW_OK;
  return draw_from_cuts(mesh, circle, scratch, random, location);
}

/* --- asking ---------------------------------------------------------------------------------------------------------- */

/* Of several navmeshes that fit equally well, each counts by the area of it that may be drawn. @return NULL: none has any. */
static const lwi_nav *draw_nav(const lwi_scene *scene, const lw_random_point_query *query,
                               const lwi_random_ground *ground) {
  double areas[LW_NAVMESHES_MAX] = {0}, total = 0;
  int last = -1, fitting = 0;
  for (int i = 0; i < scene->nav_count; i++) {
    if (!lwi_nav_fits(scene, &scene->navs[i], query->profile)) continue;
    fitting += 1;
    last = i;
  }
  if (fitting == 1) return &scene->navs[last];
  for (int i = 0; i < scene->nav_count; i++)
    if (lwi_nav_fits(scene, &scene->navs[i], query->profile))
      total += areas[i] = area_counting(scene->navs[i].mesh, ground);
  double pick = lwi_random_unit_double(query->random) * total;
  const lwi_nav *drawn = NULL;
  for (int i = 0; i < scene->nav_count && pick >= 0; i++) {
    if (!(areas[i] > 0)) continue;
    drawn = &scene->navs[i];
    pick -= areas[i];
  }
  return drawn;
}

/* One random point that is being found. */
typedef struct point_run {
  const lwi_scene *scene;
  lw_workspace *workspace;
  const lw_random_point_query *query;
  const lwi_nav *nav;
  lw_filter filter, only;
  lwi_random_ground ground;
} point_run;

/* Everything must be reached from a place. */
static lw_status reach_from(point_run *run, lw_vec3 from) {
  const lw_random_point_query *query = run->query;
  const lwi_place_query place = {query->navmesh, from, query->snap, query->profile};
  lw_location at;
  uint32_t region;
  if (lwi_scene_place(run->scene, &place, &run->nav, &at) != LW_OK) return LW_NO_START;
  /* The nearest place may be of an area that is avoided for this query alone. */
  if (query->avoid_count > 0 &&
      lw_navmesh_nearest(run->nav->mesh, from, query->snap, &run->filter, &at) != LW_OK)
    return LW_NO_START;
  const lwi_reach *reach = lwi_workspace_reach(run->workspace, run->nav, &run->filter);
  lwi_nav_scratch *scratch = lwi_workspace_nav(run->workspace, run->nav);
  if (!reach || !scratch) return LW_OUT_OF_MEMORY;
  const lw_status status = lwi_placement_start(reach, &scratch->region, from, query->snap, &at, &region);
  if (status != LW_OK) return status == LW_NO_POINT ? LW_NO_START : status;
  if (region == LWI_NONE) return LW_NO_POINT;
  run->ground.reach = reach;
  run->ground.label = reach->labels[region];
  return LW_OK;
}

/* Can the agent stand there, and come there if it must? @return LW_OK; LW_NO_POINT; LW_OUT_OF_MEMORY. */
static lw_status check_fits(const point_run *run, const lwi_reach *reach, lw_location location) {
  uint32_t region;
  if (!reach || !reach->clearance) return LW_OK;
  if (!run->ground.reach) return lwi_placement_straight(reach, location, location) ? LW_OK : LW_NO_POINT;
  lwi_nav_scratch *scratch = lwi_workspace_nav(run->workspace, run->nav);
  const uint32_t polygon = lwi_poly_index(run->nav->mesh, location.poly);
  if (!lwi_clearance_region(reach->clearance, &scratch->region, polygon, location.point, &region))
    return LW_OUT_OF_MEMORY;
  return region != LWI_NONE && lwi_reaches(reach, run->ground.label, reach->labels[region]) ? LW_OK
                                                                                            : LW_NO_POINT;
}

/* Draw until the agent can stand there. */
static lw_status draw(const point_run *run, lw_location *location) {
  const lw_random_point_query *query = run->query;
  const lw_navmesh *mesh = run->nav->mesh;
  const lwi_random_circle circle = {query->around, query->radius, run->ground};
  const lwi_reach *reach = run->ground.reach;
  lwi_nav_scratch *scratch = lwi_workspace_nav(run->workspace, run->nav);
  if (!reach && lwi_clearance_extra(mesh, &run->filter) > 0) {
    reach = lwi_workspace_reach(run->workspace, run->nav, &run->filter);
    if (!reach) return LW_OUT_OF_MEMORY;
  }
  if (!scratch) return LW_OUT_OF_MEMORY;
  for (int i = 0; i < MAX_LARGE_DRAWS; i++) {
    lw_status status = query->anywhere
                           ? lwi_random_anywhere(mesh, &run->ground, query->random, location)
                           : lwi_random_in_circle(mesh, &circle, query->random, &scratch->random, location);
    if (status != LW_OK) return status;
    status = check_fits(run, reach, *location);
    if (status != LW_NO_POINT) return status;
  }
  return LW_NO_POINT;
}

/* Choose the navmesh, and what must be reached from where. */
static lw_status begin(point_run *run) {
  const lw_random_point_query *query = run->query;
  const lwi_scene *scene = run->scene;
  if (query->is_connected) return reach_from(run, query->connected_to);
  if (!query->anywhere) return reach_from(run, query->around);
  run->nav = query->navmesh >= 0     ? &scene->navs[query->navmesh]
             : scene->nav_count == 1 ? &scene->navs[0]
                                     : draw_nav(scene, query, &run->ground);
  return run->nav ? LW_OK : LW_NO_POINT;
}

static bool check_areas(const lw_area_id *areas, int count, int known) {
  if (count < 0 || (count > 0 && !areas)) return false;
  for (int i = 0; i < count; i++)
    if (areas[i] == LW_AREA_NONE || areas[i] > known) return false;
  return true;
}

static bool check(const lwi_scene *scene, const lw_random_point_query *query) {
  const lw_vec3 snap = query->snap;
  const int areas = lw_area_table_count(scene->meshes[0]->areas);
  const bool has_place = !query->anywhere || query->is_connected;
  if (!check_areas(query->avoid, query->avoid_count, areas) ||
      !check_areas(query->only, query->only_count, areas))
    return false;
  if (has_place && !lwi_is_snap(snap)) return false;
  if (!query->anywhere && !(lwi_finite(query->around) && query->radius > 0 && isfinite(query->radius) &&
                            query->min_distance < query->radius))
    return false;
  if (query->is_connected && !lwi_finite(query->connected_to)) return false;
  return query->min_distance >= 0 && isfinite(query->min_distance) && (has_place || query->min_distance == 0);
}

/* Which ground counts, but for where it can be reached from. */
static void find_ground(point_run *run) {
  const lw_random_point_query *query = run->query;
  run->filter = query->profile ? query->profile->prices.filter : run->scene->plain.filter;
  for (int i = 0; i < query->avoid_count; i++)
    run->filter.areas[query->avoid[i] / 64] &= ~(UINT64_C(1) << query->avoid[i] % 64);
  for (int i = 0; i < query->only_count; i++)
    run->only.areas[query->only[i] / 64] |= UINT64_C(1) << query->only[i] % 64;
  run->ground = (lwi_random_ground){.filter = &run->filter,
                                    .only = query->only_count > 0 ? &run->only : NULL,
                                    .from = query->anywhere ? query->connected_to : query->around,
                                    .min_distance = query->min_distance};
}

lw_status lw_random_point_find(const lw_world *world, lw_workspace *workspace,
                               const lw_random_point_query *query, lw_location *location) {
  if (location) *location = (lw_location){0};
  if (!world || !query || !location) return LW_INVALID;
  const lwi_scene *scene = lwi_scene_of(world);
  point_run run = {.scene = scene, .workspace = lwi_workspace_of(scene, workspace), .query = query};
  if (!run.workspace || query->cookie != LWI_COOKIE || !query->random ||
      !lwi_scene_has(scene, query->navmesh) || !check(scene, query))
    return LW_INVALID;
  find_ground(&run);
  lw_status status = begin(&run);
  if (status == LW_OK) status = draw(&run, location);
  if (status != LW_OK) *location = (lw_location){0};
  return status;
}
