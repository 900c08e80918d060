/* The points of a path along one section of the corridor: taut between portals, or as searched; smoothed
   where costs vary, laid over the ground, and thinned. */
#include "search/path_build.h"

#include "mesh/ground_line.h"
#include "search/watched_search.h"

#include <math.h>
#include <string.h>

/* Points between corners are left out while the straight line stays this near the surface. [m] */
#define SURFACE_SLACK 0.01f
#define LOOKED_AT_ONCE 256

static uint32_t polygon_of(const path_trace *trace, int piece) {
  return trace->scratch->polygons[piece];
}

static float price_of(const path_trace *trace, int piece) {
  return lwi_price_on(trace->query->cost_model.prices, trace->search->graph.mesh, polygon_of(trace, piece));
}

static lw_vec3 crossed_at(const path_trace *trace, int step) {
  if (step < trace->first_portal) return trace->from;
  return step < trace->end_portal ? lwi_search_crossing(trace->search, step) : trace->to;
}

/* --- portals ---------------------------------------------------------------------------------------------- */

/* A portal across the inside of a polygon reaches this far to either side, within the polygon. [m] */
#define HALF_PORTAL 6.0f

/* How far a line runs within the polygon on both sides of a point. [m] */
typedef struct extent {
  double back, ahead;
} extent;

static extent extent_along(const lwi_polygon *polygon, lw_vec3 at, lw_vec3 along) {
  extent of = {HALF_PORTAL, HALF_PORTAL};
  for (uint32_t i = 0; i < polygon->count; i++) {
    lw_vec3 a = lwi_corner(polygon, i), b = lwi_corner(polygon, lwi_next_corner(polygon, i));
    double here = fmax(0, lwi_turn(a, b, at)), change = lwi_turn(a, b, lwi_add(at, along)) - lwi_turn(a, b, at);
    if (change < 0) of.ahead = fmin(of.ahead, here / -change);
    if (change > 0) of.back = fmin(of.back, here / change);
  }
  return of;
}

/* A portal at a point inside a polygon, across the line from `before` to `behind`: there a path is smoothed as
   at others. */
static lwi_portal_ends inner_portal(const lw_navmesh *mesh, uint32_t index, lw_vec3 before, lw_vec3 at,
                                    lw_vec3 behind) {
  const lwi_polygon polygon = lwi_polygon_get(mesh, index);
  float x = behind.x - before.x, z = behind.z - before.z, length = sqrtf(x * x + z * z);
  lw_vec3 left = {1, 0, 0};
  if (length > 0) left = (lw_vec3){z / length, 0, -x / length};
  const extent of = extent_along(&polygon, at, left);
  return (lwi_portal_ends){.left = lwi_add(at, lwi_scale(left, (float)of.ahead)),
                           .right = lwi_add(at, lwi_scale(left, -(float)of.back))};
}

/* The portal is a straight line over ground that may not be flat: let it meet the surface where the search crossed it, so
   that taut paths count the lengths that there are. */
static void lift(const lw_navmesh *mesh, uint32_t polygon, lw_vec3 crossing, lwi_portal_ends *ends) {
  const uint32_t surface = lwi_surface_of(mesh, lwi_origin_of(mesh, polygon));
  if (surface == LWI_SURFACE_LEVEL || surface == LWI_SURFACE_PLANE) return;
  const lw_vec3 right = ends->right, left = ends->left;
  const float at = lwi_equal(right, left) ? 0 : lwi_part_along(right, left, crossing);
  const float more = lwi_polygon_height(mesh, polygon, crossing.x, crossing.z) -
                     lwi_lerp(right, left, lwi_max(0, lwi_min(1, at))).y;
  ends->left.y += more;
  ends->right.y += more;
}

/* The portals of this section, where the search crossed them, and the polygons between them. */
static void find_searched_portals(path_trace *trace) {
  const lwi_search *search = trace->search;
  const lwi_graph *graph = &search->graph;
  const lwi_path_scratch *scratch = trace->scratch;
  lwi_portal_ends *ends = scratch->portals;
  lw_vec3 *crossing = scratch->crossings;
  uint32_t *polygon = scratch->polygons;
  for (int step = trace->first_portal; step < trace->end_portal; step++) {
    const lwi_portal *portal = lwi_search_portal(search, step);
    if (!portal && !lwi_search_is_inner(search, step)) continue; /* a turning point that was taken out */
    *crossing = lwi_search_crossing(search, step);
    if (portal) lwi_search_portal_ends(graph, *polygon, portal, &ends->left, &ends->right);
    if (portal && !trace->query->is_uniform) lift(graph->mesh, *polygon, *crossing, ends);
    if (!portal)
      *ends = inner_portal(graph->mesh, *polygon, crossed_at(trace, step - 1), *crossing,
                           crossed_at(trace, step + 1));
    polygon[1] = portal ? lwi_region_polygon(graph, portal->to) : *polygon;
    ends++, crossing++, polygon++;
  }
  trace->portal_count = (int)(ends - scratch->portals);
}

/* The portals and cuts of this section of a corridor that was cleared of walls. */
static void find_clear_portals(path_trace *trace) {
  const lwi_path_scratch *scratch = trace->scratch;
  trace->portal_count = scratch->clearance->counts[trace->section];
  for (int i = 0; i < trace->portal_count; i++) {
    scratch->portals[i] = trace->clear[i].clear;
    scratch->crossings[i] = trace->clear[i].crossing;
    scratch->polygons[i + 1] = trace->clear[i].polygon;
  }
}

static void find_portals(path_trace *trace) {
  trace->scratch->polygons[0] = trace->from_polygon;
  if (trace->clear)
    find_clear_portals(trace);
  else
    find_searched_portals(trace);
}

/* --- taut, or as searched --------------------------------------------------------------------------------- */

/* Put the point on portal `ends` on the surface of the polygon before it: the portal is a straight line over
   ground that may not be flat. */
static void lay_on_surface(const path_trace *trace, int ends) {
  lw_vec3 *point = &trace->points[ends + 1];
  point->y = lwi_polygon_height(trace->search->graph.mesh, polygon_of(trace, ends), point->x, point->z);
}

void lwi_trace_keep_changes(path_trace *trace) {
  const lw_navmesh *mesh = trace->search->graph.mesh;
  const lwi_prices *prices = lwi_query_final_model(trace->query)->prices;
  const uint32_t *polygons = trace->scratch->polygons;
  for (int i = 1; i <= trace->portal_count; i++)
    if (!lwi_prices_walk_alike(prices, mesh, polygons[i - 1], polygons[i])) trace->keep[i] = true;
}

static void lay_taut(path_trace *trace) {
  const lwi_path_scratch *scratch = trace->scratch;
  find_portals(trace);
  int last = trace->portal_count + 1;
  const bool is_uniform = trace->query->is_uniform;
  for (int i = 0; i < last && !is_uniform; i++) scratch->prices[i] = price_of(trace, i);
  const lwi_taut_query query = {
      .from = trace->from,
      .to = trace->to,
      .portal_count = trace->portal_count,
      .portals = scratch->portals,
      .prices = is_uniform ? NULL : scratch->prices,
      .crossings = scratch->crossings,
      .best = scratch->best,
      .rounds = lwi_taut_rounds(trace->query->quality),
  };
  trace->corner_count = lwi_taut_path(&query, scratch->corners);
  trace->points[0] = trace->from;
  lwi_taut_points(&query, scratch->corners, trace->corner_count, trace->points);
  trace->points[last] = trace->to;
  memset(trace->keep, 0, (size_t)last + 1);
  trace->keep[0] = trace->keep[last] = true;
  for (int c = 1; c < trace->corner_count; c++) trace->keep[scratch->corners[c].portal + 1] = true;
  if (lwi_cost_varies(&trace->query->cost_model)) /* else heights decide nothing before follow_surface() */
    for (int i = 0; i < trace->portal_count; i++) lay_on_surface(trace, i);
  lwi_trace_keep_changes(trace);
}

/* Keep the ends, and where the area or the stance changes. */
static void keep_areas(path_trace *trace) {
  const int last = trace->portal_count + 1;
  memset(trace->keep, 0, (size_t)last + 1);
  trace->keep[0] = trace->keep[last] = true;
  lwi_trace_keep_changes(trace);
}

/* The path crosses each portal where the search did, or where it was cleared of walls. */
static void lay_searched(path_trace *trace) {
  find_portals(trace);
  trace->points[0] = trace->from;
  trace->points[trace->portal_count + 1] = trace->to;
  for (int i = 0; i < trace->portal_count; i++) {
    trace->points[i + 1] = trace->scratch->crossings[i];
    lay_on_surface(trace, i);
  }
  keep_areas(trace);
}

/* --- over the ground -------------------------------------------------------------------------------------- */

static int creases_of(const path_trace *trace, int piece, lw_vec3 to, lw_vec3 *creases) {
  return lwi_ground_creases(trace->search->graph.mesh, polygon_of(trace, piece), trace->points[piece], to,
                            creases);
}

static int count_creases(const path_trace *trace) {
  lw_vec3 creases[LWI_GROUND_CREASES];
  int count = 0;
  for (int i = 0; i <= trace->portal_count; i++) count += creases_of(trace, i, trace->points[i + 1], creases);
  return count;
}

/* Put a point inside a piece, with a portal across it. */
static void put_crease(path_trace *trace, int ends, uint32_t polygon, lw_vec3 before, lw_vec3 at,
                       lw_vec3 behind) {
  const lwi_path_scratch *scratch = trace->scratch;
  scratch->portals[ends] = inner_portal(trace->search->graph.mesh, polygon, before, at, behind);
  scratch->polygons[ends + 1] = polygon;
  trace->points[ends + 1] = at;
  trace->keep[ends + 1] = true;
}

/* Move the point on a portal, and the polygon behind it. */
static inline void move_point(const path_trace *trace, int from, int to) {
  const lwi_path_scratch *scratch = trace->scratch;
  scratch->polygons[to + 1] = scratch->polygons[from + 1];
  trace->points[to + 1] = trace->points[from + 1];
  trace->keep[to + 1] = trace->keep[from + 1];
}

/* Add points where the ground creases most under a path that is to be smoothed, for exposure is measured from the feet. */
static void follow_roughly(path_trace *trace) {
  int more = count_creases(trace), to = trace->portal_count + more;
  if (more == 0) return;
  if (!lwi_trace_grow(trace, trace->point_count + to + 2)) {
    trace->failed = true;
    return;
  }
  lw_vec3 end = trace->points[trace->portal_count + 1];
  trace->points[to + 1] = end;
  trace->keep[to + 1] = trace->keep[trace->portal_count + 1];
  for (int i = trace->portal_count; i >= 0; i--) {
    lw_vec3 creases[LWI_GROUND_CREASES], from = trace->points[i];
    uint32_t polygon = polygon_of(trace, i);
    for (int k = creases_of(trace, i, end, creases) - 1; k >= 0; k--)
      put_crease(trace, --to, polygon, from, creases[k], end);
    if (i > 0) {
      trace->scratch->portals[--to] = trace->scratch->portals[i - 1];
      move_point(trace, i - 1, to);
    }
    end = from;
  }
  trace->portal_count += more;
}

/* The path passes this far above or below the ground inside a polygon. [m] */
#define GROUND_SLACK 0.1f

/* Add the creases of a piece, and put its end on the surface. @return How many there are then; -1: no memory. */
static int add_creases(const path_trace *trace, int piece, int count) {
  lwi_ground_crease creases[LWI_GROUND_CREASES_MAX];
  lwi_path_scratch *scratch = trace->scratch;
  lwi_ground_line line = {.from = trace->points[piece],
                          .to = trace->points[piece + 1],
                          .is_crossing = piece < trace->portal_count,
                          .slack = GROUND_SLACK};
  const int more = lwi_ground_line_creases(trace->search->graph.mesh, polygon_of(trace, piece), &line, creases);
  trace->points[piece + 1].y = line.to.y;
  if (more == 0) return count;
  if (!lwi_reserve(scratch->memory, &scratch->creases.items, &scratch->creases.capacity, count + more,
                   sizeof *scratch->creases.items))
    return -1;
  for (int i = 0; i < more; i++) {
    lw_vec3 at = lwi_lerp(line.from, line.to, creases[i].t);
    at.y = creases[i].y;
    scratch->creases.items[count + i] = (lwi_path_crease){piece, at};
  }
  return count + more;
}

/* Find the creases of all pieces, and put the path on the surface. @return How many there are; -1: no memory. */
static int find_creases(const path_trace *trace) {
  const lw_navmesh *mesh = trace->search->graph.mesh;
  int count = 0;
  for (int i = 0; i <= trace->portal_count && count >= 0; i++) {
    const lwi_polygon level = lwi_level_surface(mesh, polygon_of(trace, i));
    if (level.count == 0)
      count = add_creases(trace, i, count);
    else if (i < trace->portal_count)
      trace->points[i + 1].y = level.at[2 * (size_t)level.count];
  }
  return count;
}

/* Put the path on the surface, and add points where that changes slope inside polygons. */
static void follow_surface(path_trace *trace) {
  const lwi_path_scratch *scratch = trace->scratch;
  int more = find_creases(trace), piece = trace->portal_count, to;
  if (more == 0) return;
  if (more < 0 || !lwi_trace_grow(trace, trace->point_count + trace->portal_count + more + 2)) {
    trace->failed = true;
    return;
  }
  const bool needs_portals = lwi_cost_varies(&trace->query->cost_model); /* else nothing is straightened */
  to = trace->portal_count + more;
  trace->points[to + 1] = trace->points[trace->portal_count + 1];
  trace->keep[to + 1] = trace->keep[trace->portal_count + 1];
  trace->portal_count = to;
  while (--more >= 0) {
    const lwi_path_crease *crease = &scratch->creases.items[more];
    for (; piece > crease->piece; piece--) {
      to -= 1;
      if (needs_portals) scratch->portals[to] = scratch->portals[piece - 1];
      move_point(trace, piece - 1, to);
    }
    to -= 1;
    if (needs_portals) scratch->portals[to] = (lwi_portal_ends){crease->at, crease->at};
    scratch->polygons[to + 1] = scratch->polygons[piece];
    trace->points[to + 1] = crease->at;
    trace->keep[to + 1] = true;
  }
}

/* --- thinning --------------------------------------------------------------------------------------------- */

/* The point between two that lies furthest off the straight line between them, by more than the slack; -1: none does.
   Of very many points only the first are looked at, twice as many until there is one: each point that is kept would
   have all behind it looked at again. */
static int furthest_off(const lw_vec3 *points, int from, int to) {
  if (from + 1 == to) return -1;
  const lw_vec3 begin = points[from], line = lwi_sub(points[to], begin);
  const float length2 = lwi_dot(line, line);
  float distance2 = SURFACE_SLACK * SURFACE_SLACK;
  int furthest = -1;
  for (int i = from + 1, end = from + LOOKED_AT_ONCE; i < to && (i < end || furthest < 0); i++) {
    const lw_vec3 at = lwi_sub(points[i], begin);
    const float t = length2 > 0 ? lwi_min(1, lwi_max(0, lwi_dot(at, line) / length2)) : 0;
    const lw_vec3 off = lwi_sub(at, lwi_scale(line, t));
    const float off2 = lwi_dot(off, off);
    if (i == end) end += end - from;
    if (off2 <= distance2) continue;
    distance2 = off2;
    furthest = i;
  }
  return furthest;
}

/* Keep what the straight line between two kept points would miss (Ramer 1972, Douglas and Peucker 1973). */
static void keep_surface(path_trace *trace) {
  int *ends = trace->scratch->ends, count = 0, from = 0;
  for (int i = trace->portal_count + 1; i > 0; i--)
    if (trace->keep[i]) ends[count++] = i;
  while (count > 0) {
    const int furthest = furthest_off(trace->points, from, ends[count - 1]);
    if (furthest < 0) {
      from = ends[--count];
    } else {
      trace->keep[furthest] = true;
      ends[count++] = furthest; /* and check the same part again, now shorter */
    }
  }
}

/* A straight line between kept points lies up to the slack off the path, which may lead it into a danger or
   past one. */
static void keep_dangers(path_trace *trace) {
  const lwi_timed_costs *dangers = trace->query->cost_model.dangers;
  if (!dangers) return;
  for (int from = 0, to; from <= trace->portal_count; from = to) {
    for (to = from + 1; !trace->keep[to];) to += 1;
    if (to == from + 1 ||
        lwi_dangers_entered_alike(dangers, trace->scratch->polygons + from, trace->points + from, to - from))
      continue;
    for (int i = from + 1; i < to; i++) trace->keep[i] = true;
  }
}

/* The path is costed as it is returned: a point that is not kept moves onto the straight line between those
   that are, and never back along it. */
static void straighten(path_trace *trace) {
  for (int from = 0, to; from <= trace->portal_count; from = to) {
    for (to = from + 1; !trace->keep[to];) to += 1;
    lw_vec3 a = trace->points[from], b = trace->points[to];
    float t = 0;
    for (int i = from + 1; i < to; i++) {
      lw_vec3 crossing = lwi_portal_crossing(a, b, trace->points[i], &trace->scratch->portals[i - 1]);
      t = fminf(1, fmaxf(t, lwi_part_along_xz(a, b, crossing)));
      trace->points[i] = lwi_lerp(a, b, t);
      lay_on_surface(trace, i - 1);
    }
  }
}

/* --- smoothing -------------------------------------------------------------------------------------------- */

bool lwi_trace_is_free_of_danger(const path_trace *trace) {
  for (int i = 0; i <= trace->portal_count; i++)
    if (lwi_dangers_entered(trace->query->cost_model.dangers, polygon_of(trace, i), trace->points[i],
                            trace->points[i + 1]) +
            lwi_lanes_price(trace->query->cost_model.lanes, polygon_of(trace, i), trace->points[i],
                            trace->points[i + 1]) >
        0)
      return false;
  return true;
}

static lwi_smooth_path smooth_path_of(const path_trace *trace, const lwi_cost_model *cost_model) {
  const lwi_path_scratch *scratch = trace->scratch;
  return (lwi_smooth_path){cost_model,        trace->portal_count,     scratch->portals,
                           scratch->polygons, trace->points,           scratch->costs,
                           scratch->dirty,    trace->query->clearance, trace->looks_end};
}

/* @return The cost of the path as it is laid; negative: no memory, and `failed` is set. */
static double cost_laid(path_trace *trace, const lwi_cost_model *cost_model) {
  if (trace->query->cost_model.watch) follow_roughly(trace);
  const lwi_smooth_path path = smooth_path_of(trace, cost_model);
  const double cost = trace->failed ? -1 : lwi_smooth_cost(&path);
  trace->failed = trace->failed || cost < 0;
  return cost;
}

/* Of paths up to this length parts of a metre count, and they have few pieces. [m] */
#define MEASURED_LENGTH 20.0f

/* Whether estimates are not near enough to smooth by them alone. */
static bool is_measured(const lwi_search_query *query) {
  return !lwi_watched_search_serves(query) || lwi_distance(query->from, query->to) < MEASURED_LENGTH;
}

/* Where costs vary, the taut path is one first guess and the path as searched another. The cheaper one is
   smoothed, by estimates if there are any, and where these miss exposure again by the exact model, if it is_measured().
   A path that was cleared of walls was chosen then. */
static void smooth(path_trace *trace, const lwi_cost_model *exact) {
  lwi_cost_model cost_model = *exact;
  cost_model.approximate = lwi_cost_has_estimate(&cost_model);
  const bool measures = cost_model.approximate && is_measured(trace->query);
  if (!trace->query->cost_model.watch && lwi_trace_is_free_of_danger(trace)) return; /* nothing is cheaper */
  const double laid = cost_laid(trace, &cost_model);
  if (!trace->clear && !trace->failed) {
    lay_searched(trace);
    if (laid <= cost_laid(trace, &cost_model) && !trace->failed) {
      lay_taut(trace);
      cost_laid(trace, &cost_model);
    }
  }
  lwi_smooth_path path = smooth_path_of(trace, &cost_model);
  if (trace->failed || !lwi_smooth(&path) || (measures && !lwi_smooth_again(&path, exact))) {
    trace->failed = true;
    return;
  }
  trace->reduced = trace->reduced || lwi_smooth_is_at_end(&path);
  keep_areas(trace);
}

void lwi_trace_lay(path_trace *trace) {
  const bool costs_vary = lwi_cost_varies(&trace->query->cost_model);
  if (costs_vary && trace->clear)
    lay_searched(trace);
  else
    lay_taut(trace);
  if (costs_vary) smooth(trace, &trace->query->cost_model);
  if (trace->is_final && trace->query->turn_radius > 0) lwi_trace_round(trace);
  follow_surface(trace);
  keep_surface(trace);
  keep_dangers(trace);
  if (costs_vary) straighten(trace);
}
