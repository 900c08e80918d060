#include "query/random_point.h"

#include "core/status.h"
#include "leeward/query.h"
#include "mesh/clearance.h"
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

static double area_passing(const lw_navmesh *mesh, const lw_filter *filter) {
  double area = 0;
  for (uint32_t p = 0; p < lwi_base_count(mesh); p++) {
    lwi_part_walk walk = lwi_parts_of(mesh, p);
    for (uint32_t i; lwi_next_part(&walk, &i);)
      if (lw_filter_passes(filter, mesh->polygons.areas[i])) area += lwi_area_of(mesh, i);
  }
  return area;
}

/* The filter lets little pass, or little is left of it: walk to the pick. Pieces come in the order of what they are pieces
   of, however they are numbered. */
static uint32_t pick_filtered(const lw_navmesh *mesh, const lw_filter *filter, lw_random *random) {
  double pick = lwi_random_unit_double(random) * area_passing(mesh, filter);
  uint32_t last = LWI_NONE;
  for (uint32_t p = 0; p < lwi_base_count(mesh); p++) {
    lwi_part_walk walk = lwi_parts_of(mesh, p);
    for (uint32_t i; lwi_next_part(&walk, &i);) {
      if (!lw_filter_passes(filter, mesh->polygons.areas[i])) continue;
      last = i;
      pick -= lwi_area_of(mesh, i);
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

lw_status lwi_random_anywhere(const lw_navmesh *mesh, const lw_filter *filter, lw_random *random,
                              lw_location *location) {
  if (mesh->polygons.count == 0) return LW_NO_POINT;
  uint32_t index = LWI_NONE;
  lw_vec3 point;
  for (int i = 0; i < MAX_DRAWS && index == LWI_NONE; i++) {
    uint32_t drawn = draw_polygon(mesh, random);
    if (!lwi_is_whole(mesh, drawn)) { /* what lies in a hole is drawn again */
      drawn = draw_piece(mesh, drawn, random, &point);
      if (drawn == LWI_NONE || !lw_filter_passes(filter, mesh->polygons.areas[drawn])) continue;
      *location = place(mesh, drawn, point);
      return LW_OK;
    }
    if (lw_filter_passes(filter, mesh->polygons.areas[drawn])) index = drawn;
  }
  if (index == LWI_NONE) index = pick_filtered(mesh, filter, random);
  if (index == LWI_NONE) return LW_NO_POINT;
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  *location = place(mesh, index, sample_polygon(&polygon, random));
  return LW_OK;
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
  if (!lwi_reaches_polygon(circle->reach, circle->label, index)) return true;
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
    if (dx * dx + dz * dz > (double)circle->radius * circle->radius) continue;
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
    double area = lwi_disc_area(&polygon, circle->center, radius);
    if (!(area > 1e-12)) continue;
    scratch->polygons[count] = scratch->polygons[i];
    scratch->sums[count++] = total;
    total += area;
  }
  if (count == 0) return LW_NO_POINT;
  uint32_t pick = find_sum(scratch->sums, (uint32_t)count, lwi_random_unit_double(random) * total);
  uint32_t index = scratch->polygons[pick];
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  *location = place(mesh, index, lwi_disc_sample(&polygon, circle->center, radius, random));
  return LW_OK;
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
    if (part == LWI_NONE || !lwi_reaches_polygon(circle->reach, circle->label, part)) continue;
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
    if (dx * dx + dz * dz > r2) continue;
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

/* Of several navmeshes that fit equally well, each counts by the area of it that may be entered. @return NULL: none has any. */
static const lwi_nav *draw_nav(const lwi_scene *scene, const lw_random_point_query *query,
                               const lw_filter *filter, lw_random *random) {
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
      total += areas[i] = area_passing(scene->navs[i].mesh, filter);
  double pick = lwi_random_unit_double(random) * total;
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
  const lw_filter *filter;
} point_run;

/* Draw from the whole navmesh until the agent can stand there. */
static lw_status draw_placed(const point_run *run, const lwi_nav *nav, const lwi_reach *reach,
                             lw_location *location) {
  for (int i = 0; i < MAX_LARGE_DRAWS; i++) {
    lw_status status = lwi_random_anywhere(nav->mesh, run->filter, run->query->random, location);
    if (status != LW_OK || lwi_placement_straight(reach, *location, *location)) return status;
  }
  *location = (lw_location){0};
  return LW_NO_POINT;
}

static lw_status draw_anywhere(const point_run *run, lw_location *location) {
  const lwi_scene *scene = run->scene;
  const lw_random_point_query *query = run->query;
  const lwi_nav *nav = query->navmesh >= 0     ? &scene->navs[query->navmesh]
                       : scene->nav_count == 1 ? &scene->navs[0]
                                               : draw_nav(scene, query, run->filter, query->random);
  if (!nav) return LW_NO_POINT;
  if (!(lwi_clearance_extra(nav->mesh, run->filter) > 0))
    return lwi_random_anywhere(nav->mesh, run->filter, query->random, location);
  const lwi_reach *reach = lwi_workspace_reach(run->workspace, nav, run->filter);
  if (!reach) return LW_OUT_OF_MEMORY;
  return draw_placed(run, nav, reach, location);
}

/* Draw from what can be reached in the circle until the agent can stand there. */
static lw_status draw_reachable(const point_run *run, const lwi_nav *nav, const lwi_reach *reach,
                                lw_location center, lw_location *location) {
  const lw_random_point_query *query = run->query;
  lwi_nav_scratch *scratch = lwi_workspace_nav(run->workspace, nav);
  if (!scratch) return LW_OUT_OF_MEMORY;
  uint32_t region;
  lw_status status = lwi_placement_find(reach, &scratch->region, query->around, query->snap, &center, &region);
  if (status != LW_OK) return status == LW_NO_POINT ? LW_NO_START : status;
  if (region == LWI_NONE) return LW_NO_POINT;
  uint32_t label = reach->labels[region];
  for (int i = 0; i < MAX_LARGE_DRAWS; i++) {
    const lwi_random_circle circle = {query->around, query->radius, reach, label};
    status = lwi_random_in_circle(nav->mesh, &circle, query->random, &scratch->random, location);
    if (status != LW_OK || !reach->clearance) return status;
    uint32_t polygon = lwi_poly_index(nav->mesh, location->poly);
    if (!lwi_clearance_region(reach->clearance, &scratch->region, polygon, location->point, &region))
      return LW_OUT_OF_MEMORY;
    if (region != LWI_NONE && lwi_reaches(reach, label, reach->labels[region])) return LW_OK;
  }
  *location = (lw_location){0};
  return LW_NO_POINT;
}

static lw_status draw_around(const point_run *run, lw_location *location) {
  const lw_random_point_query *query = run->query;
  const lwi_place_query place = {query->navmesh, query->around, query->snap, query->profile};
  const lwi_nav *nav;
  lw_location center;
  if (lwi_scene_place(run->scene, &place, &nav, &center) != LW_OK) return LW_NO_START;
  const lwi_reach *reach = lwi_workspace_reach(run->workspace, nav, run->filter);
  if (!reach) return LW_OUT_OF_MEMORY;
  return draw_reachable(run, nav, reach, center, location);
}

static bool check_circle(const lw_random_point_query *query) {
  const lw_vec3 snap = query->snap;
  return lwi_finite(query->around) && lwi_finite(snap) && snap.x > 0 && snap.y > 0 && snap.z > 0 &&
         query->radius > 0 && isfinite(query->radius);
}

lw_status lw_random_point_find(const lw_world *world, lw_workspace *workspace,
                               const lw_random_point_query *query, lw_location *location) {
  if (location) *location = (lw_location){0};
  if (!world || !query || !location) return LW_INVALID;
  const lwi_scene *scene = lwi_scene_of(world);
  point_run run = {.scene = scene, .workspace = lwi_workspace_of(scene, workspace), .query = query};
  if (!run.workspace || query->cookie != LWI_COOKIE || !query->random || !lwi_scene_has(scene, query->navmesh))
    return LW_INVALID;
  run.filter = query->profile ? &query->profile->prices.filter : &scene->plain.filter;
  if (!query->anywhere && !check_circle(query)) return LW_INVALID;
  const lw_status status = query->anywhere ? draw_anywhere(&run, location) : draw_around(&run, location);
  if (status != LW_OK) *location = (lw_location){0};
  return status;
}
