/* What can be reached from a place: at all, or within a cost. */
#include "core/status.h"
#include "leeward/query.h"
#include "query/workspace.h"
#include "search/reach.h"

#include <math.h>
#include <stdlib.h>

/* --- covered area ------------------------------------------------------------------------------------------------- */

/* Circles on one polygon, at most: those of the cheapest entries. More hardly ever add anything. */
#define CIRCLES 256

/* The part of a polygon that can be reached from one entry. */
typedef struct circle {
  lw_vec3 center;
  double radius; /* over the surface [m] */
} circle;

#define STRIPS 96

/* Rise of the polygon's mean plane along x and z (Newell's normal). */
static void find_slope(const lwi_polygon *polygon, double *rise_x, double *rise_z) {
  double nx = 0, ny = 0, nz = 0;
  lw_vec3 origin = lwi_corner(polygon, 0);
  for (uint32_t i = 2; i < polygon->count; i++) {
    lw_vec3 a = lwi_sub(lwi_corner(polygon, i - 1), origin), b = lwi_sub(lwi_corner(polygon, i), origin);
    nx += (double)a.y * b.z - (double)a.z * b.y;
    ny += (double)a.z * b.x - (double)a.x * b.z;
    nz += (double)a.x * b.y - (double)a.y * b.x;
  }
  *rise_x = *rise_z = 0;
  if (fabs(ny) < 1e-12) return;
  *rise_x = -nx / ny;
  *rise_z = -nz / ny;
}

typedef struct interval {
  double from, to;
} interval;

/* Where the polygon's line at `z` is. */
static interval line_of(const lwi_polygon *polygon, double z) {
  interval line = {INFINITY, -INFINITY};
  for (uint32_t i = 0; i < polygon->count; i++) {
    lw_vec3 a = lwi_corner(polygon, i), b = lwi_corner(polygon, lwi_next_corner(polygon, i));
    if (((double)a.z > z) == ((double)b.z > z)) continue;
    double x = a.x + ((double)b.x - a.x) * (z - a.z) / ((double)b.z - a.z);
    line.from = fmin(line.from, x);
    line.to = fmax(line.to, x);
  }
  return line;
}

typedef struct strip {
  double z, rise_x, rise_z;
  interval line, parts[CIRCLES]; /* sorted by `from` */
  int count;
} strip;

static void add_circle(strip *s, const circle *added) {
  double dz = s->z - added->center.z;
  double a = 1 + s->rise_x * s->rise_x, b = s->rise_x * s->rise_z * dz;
  double c = (1 + s->rise_z * s->rise_z) * dz * dz - added->radius * added->radius;
  double under = b * b - a * c;
  if (under <= 0) return;
  double middle = added->center.x - b / a, half = sqrt(under) / a;
  interval part = {fmax(s->line.from, middle - half), fmin(s->line.to, middle + half)};
  if (!(part.from < part.to)) return;
  int i = s->count++;
  for (; i > 0 && s->parts[i - 1].from > part.from; i--) s->parts[i] = s->parts[i - 1];
  s->parts[i] = part;
}

static double covered_length(const strip *s) {
  double sum = 0, done = -INFINITY;
  for (int i = 0; i < s->count; i++) {
    double from = fmax(done, s->parts[i].from);
    if (s->parts[i].to <= from) continue;
    sum += s->parts[i].to - from;
    done = s->parts[i].to;
  }
  return sum;
}

/* How far along z the circles reach. */
static void clip_to_circles(const circle *circles, int count, double *low, double *high) {
  double first = INFINITY, last = -INFINITY;
  for (int i = 0; i < count; i++) {
    first = fmin(first, circles[i].center.z - circles[i].radius);
    last = fmax(last, circles[i].center.z + circles[i].radius);
  }
  *low = fmax(*low, first);
  *high = fmin(*high, last);
}

/* The area in xz of the polygon that the circles cover together, by strips in each of which the circles are intervals. On a
   slope a circle over the surface is an ellipse in xz. @param circles  [count <= CIRCLES] */
static double covered_area(const lwi_polygon *polygon, const circle *circles, int count) {
  strip s = {0};
  double low = INFINITY, high = -INFINITY, covered = 0, whole = 0;
  find_slope(polygon, &s.rise_x, &s.rise_z);
  for (uint32_t i = 0; i < polygon->count; i++) {
    low = fmin(low, (double)lwi_corner(polygon, i).z);
    high = fmax(high, (double)lwi_corner(polygon, i).z);
  }
  double bottom = low, top = high;
  clip_to_circles(circles, count, &low, &high);
  if (!(low < high)) return 0;
  for (int k = 0; k < STRIPS; k++) {
    s.z = low + (high - low) * (k + 0.5) / STRIPS;
    s.line = line_of(polygon, s.z);
    s.count = 0;
    if (!(s.line.from < s.line.to)) continue;
    for (int i = 0; i < count; i++) add_circle(&s, &circles[i]);
    covered += covered_length(&s);
    whole += s.line.to - s.line.from;
  }
  if (low > bottom || high < top) return covered * (high - low) / STRIPS;
  /* The part of the strips that is covered, of the exact area. */
  return whole > 0 ? lwi_polygon_area2(polygon) / 2 * (covered / whole) : 0;
}

/* --- asking ------------------------------------------------------------------------------------------------------- */

lw_reachable_area_query lw_reachable_area_query_default(void) {
  return (lw_reachable_area_query){
      .snap = {2, 4, 2}, .navmesh = LW_NAVMESH_FITTING, .max_cost = INFINITY, .cookie = LWI_COOKIE};
}

static void count_polygon(const lw_reachable_area_query *query, const lw_navmesh *mesh, uint32_t polygon,
                          double area, lw_reachable_area *result) {
  if (query->polygons && result->polygon_count < query->capacity)
    query->polygons[result->polygon_count] = lwi_poly_id(mesh, polygon);
  result->polygon_count += 1;
  result->area += area;
}

static void reach_at_all(const lwi_reach *reach, const lw_reachable_area_query *query, uint32_t region,
                         lw_reachable_area *result) {
  const lw_navmesh *mesh = reach->graph.mesh;
  for (uint32_t i = 0; i < mesh->polygons.count; i++)
    if (lwi_is_there(mesh, i) && lwi_reaches_polygon(reach, reach->labels[region], i))
      count_polygon(query, mesh, i, lwi_area_of(mesh, i), result);
}

static int by_polygon(const void *left, const void *right) {
  const lwi_reach_field_entry *a = left, *b = right;
  if (a->polygon != b->polygon) return a->polygon < b->polygon ? -1 : 1;
  return (a->cost > b->cost) - (a->cost < b->cost);
}

/* Does one of the circles reach every corner? Then it covers the polygon, as both are convex. */
static bool is_covered(const lwi_polygon *polygon, const circle *reach) {
  for (uint32_t i = 0; i < polygon->count; i++)
    if ((double)lwi_distance(lwi_corner(polygon, i), reach->center) > reach->radius) return false;
  return true;
}

/* @param entries  [count] All of one polygon, the cheapest first. */
static double reached_part(const lw_navmesh *mesh, const lwi_reach_field_entry *entries, int count,
                           const lwi_prices *prices, float max_cost) {
  lwi_polygon polygon = lwi_polygon_get(mesh, entries->polygon);
  double price = (double)lwi_price_on(prices, mesh, entries->polygon);
  circle circles[CIRCLES];
  if (count > CIRCLES) count = CIRCLES;
  for (int i = 0; i < count; i++) {
    circles[i] = (circle){entries[i].point, ((double)max_cost - (double)entries[i].cost) / price};
    if (is_covered(&polygon, &circles[i])) return lwi_area_of(mesh, entries->polygon);
  }
  return covered_area(&polygon, circles, count);
}

/* One question that is being answered. */
typedef struct reach_run {
  const lw_reachable_area_query *query;
  const lwi_nav *nav;
  lwi_nav_scratch *scratch;
  const lwi_reach *reach;
  const lwi_prices *prices;
  lw_reachable_area *result;
} reach_run;

static lw_status reach_for(const reach_run *run, lw_vec3 from, uint32_t region) {
  lwi_reach_field *field = &run->scratch->field;
  const float max_cost = run->query->max_cost;
  lw_status status = lwi_reach_field_run(field, &run->reach->graph, from, region, run->prices, max_cost);
  if (status != LW_OK) return status;
  qsort(field->entries, (size_t)field->entry_count, sizeof *field->entries, by_polygon);
  for (int i = 0, end; i < field->entry_count; i = end) {
    for (end = i + 1; end < field->entry_count && field->entries[end].polygon == field->entries[i].polygon;)
      end += 1;
    double area = reached_part(run->nav->mesh, &field->entries[i], end - i, run->prices, max_cost);
    count_polygon(run->query, run->nav->mesh, field->entries[i].polygon, area, run->result);
  }
  return LW_OK;
}

/* A large agent in a polygon that no portal out of is wide enough for. */
static void reach_alone(const reach_run *run, lw_location from) {
  const lw_navmesh *mesh = run->nav->mesh;
  uint32_t polygon = lwi_poly_index(mesh, from.poly);
  lwi_reach_field_entry entry = {
      .region = polygon, .polygon = polygon, .point = from.point, .before = LWI_NONE};
  double area = isinf(run->query->max_cost) ? lwi_area_of(mesh, polygon)
                                            : reached_part(mesh, &entry, 1, run->prices, run->query->max_cost);
  count_polygon(run->query, mesh, polygon, area, run->result);
}

static lw_status reach_from(const reach_run *run, lw_location from) {
  const lw_reachable_area_query *query = run->query;
  uint32_t region;
  lw_status status =
      lwi_placement_start(run->reach, &run->scratch->region, query->from, query->snap, &from, &region);
  if (status != LW_OK) return status == LW_NO_POINT ? LW_NO_START : status;
  if (region == LWI_NONE) return reach_alone(run, from), LW_OK;
  if (!isinf(query->max_cost)) return reach_for(run, from.point, region);
  reach_at_all(run->reach, query, region, run->result);
  return LW_OK;
}

static bool check(const lwi_scene *scene, const lw_reachable_area_query *query) {
  return query->cookie == LWI_COOKIE && lwi_finite(query->from) && lwi_finite(query->snap) &&
         query->snap.x > 0 && query->snap.y > 0 && query->snap.z > 0 && query->max_cost >= 0 &&
         lwi_scene_has(scene, query->navmesh) && query->capacity >= 0;
}

lw_status lw_reachable_area_find(const lw_world *world, lw_workspace *workspace,
                                 const lw_reachable_area_query *query, lw_reachable_area *result) {
  if (!result) return LW_INVALID;
  *result = (lw_reachable_area){.navmesh = -1};
  if (!world || !query) return LW_INVALID;
  const lwi_scene *scene = lwi_scene_of(world);
  lw_workspace *own = lwi_workspace_of(scene, workspace);
  if (!own || !check(scene, query)) return LW_INVALID;
  const lwi_place_query place = {query->navmesh, query->from, query->snap, query->profile};
  reach_run run = {.query = query, .result = result};
  lw_location from;
  if (lwi_scene_place(scene, &place, &run.nav, &from) != LW_OK) return LW_NO_START;
  result->navmesh = lwi_scene_index(scene, run.nav);
  run.prices = lwi_scene_prices(scene, query->profile, scene->visibility, &own->prices);
  run.scratch = lwi_workspace_nav(own, run.nav);
  run.reach = lwi_workspace_reach(own, run.nav, &run.prices->filter);
  const lw_status status = run.scratch && run.reach ? reach_from(&run, from) : LW_OUT_OF_MEMORY;
  if (status != LW_OK) *result = (lw_reachable_area){.navmesh = -1};
  return status;
}
