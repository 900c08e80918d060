#include "search/point_bounds.h"

#include "core/vec3.h"

#include <math.h>

/* Of bounds by tables and by length. */
#define WEIGHT 1.02f
/* Points that are swept in the time in which one is searched from. */
#define SWEPT_A_NODE 8
/* Costs from end to end fall into no more buckets of a sweep, and none is narrower. [m] */
#define BUCKETS_MAX 512
#define BUCKET_MIN (LWI_POINT_SPACING / 8)

static uint32_t origin_of(const lwi_point_bounds *bounds, uint32_t region) {
  const lwi_graph *graph = bounds->query->graph;
  return lwi_origin_of(graph->mesh, lwi_region_polygon(graph, region));
}

/* --- the sweep -------------------------------------------------------------------------------------------- */

/* From the goal backwards to where the path begins, at the prices that there are now. */
static lwi_point_sweep *sweep_of(const lwi_point_bounds *bounds) {
  const lwi_search_query *query = bounds->query;
  const lwi_prices *prices = query->cost_model.prices;
  lwi_point_sweep *sweep = &bounds->search->points.sweep;
  sweep->memory = bounds->search->memory;
  sweep->points = query->point_graph;
  sweep->mesh = query->graph->mesh;
  sweep->prices = prices;
  sweep->links = query->added_links->count > 0 ? query->added_links : NULL;
  sweep->target = origin_of(bounds, query->from_region);
  sweep->toward = query->from;
  sweep->lowest = bounds->search->shortcuts.any_short ? 0 : prices->lowest;
  sweep->work = 0;
  return sweep;
}

static bool begin_sweep(lwi_point_bounds *bounds) {
  const lwi_search_query *query = bounds->query;
  lwi_point_sweep *sweep = bounds->sweep = sweep_of(bounds);
  const float width = lwi_max(lwi_distance(query->from, query->to) / BUCKETS_MAX, BUCKET_MIN);
  if (!lwi_point_sweep_begin(sweep, query->to, width * sweep->prices->lowest)) return false;
  lwi_point_sweep_from(sweep, origin_of(bounds, query->to_region), query->to);
  bounds->is_sweeping = true;
  bounds->work_before = bounds->search->spent;
  bounds->weight = 1;
  return true;
}

lw_status lwi_point_bounds_go_on(lwi_point_bounds *bounds) {
  lwi_search *search = bounds->search;
  lwi_point_sweep *sweep = bounds->sweep;
  const uint64_t nodes = (uint64_t)bounds->query->max_nodes;
  while (!lwi_search_is_due(search)) {
    const uint64_t work = search->pause_at - bounds->work_before;
    const bool is_paused_first = work / LWI_POINT_WORK < nodes;
    /* No further than where that much is spent: a loaded game sweeps up to what was spent, and must stop there. */
    const uint64_t due = (work * SWEPT_A_NODE + LWI_POINT_WORK - 1) / LWI_POINT_WORK,
                   until = is_paused_first ? due : nodes * SWEPT_A_NODE;
    bounds->is_sweeping = !lwi_point_sweep_run(sweep, until);
    search->spent = bounds->work_before + sweep->work * LWI_POINT_WORK / SWEPT_A_NODE;
    search->expanded = 1 + (int)(sweep->work / SWEPT_A_NODE);
    if (sweep->failed) return LW_OUT_OF_MEMORY;
    if (!bounds->is_sweeping) return LW_OK;
    if (sweep->work >= nodes * SWEPT_A_NODE) return LW_OUT_OF_NODES;
  }
  return LW_UNFINISHED;
}

/* Where the sweep was led elsewhere, paths over the place cost as much as its limit.
   @param left  What it has found; INFINITY: nothing. [metre-equivalents] */
static float bound_by_sweep(const lwi_point_bounds *bounds, float left, lw_vec3 at) {
  const lwi_point_sweep *sweep = bounds->sweep;
  const float elsewhere = sweep->limit - lwi_distance(at, sweep->toward) * sweep->lowest;
  const float bound = lwi_min(left, elsewhere);
  return bound < INFINITY ? bound : 0;
}

/* --- bounds ----------------------------------------------------------------------------------------------- */

bool lwi_point_bounds_begin(lwi_point_bounds *bounds, lwi_search *search, const lwi_search_query *query) {
  const uint32_t goal = lwi_region_polygon(query->graph, query->to_region);
  *bounds = (lwi_point_bounds){.search = search, .query = query, .weight = WEIGHT};
  if (!lwi_shortcuts_begin(&search->shortcuts, search->memory, query->graph->mesh, query->cost_model.prices,
                           query->to, goal))
    return false;
  if (!query->price_table) return !query->added_links || begin_sweep(bounds);
  lwi_price_goal_begin(&bounds->goal, query->price_table, query->price_links,
                       lwi_origin_of(query->graph->mesh, goal), query->to);
  return true;
}

static float bound_by_length(const lwi_point_bounds *bounds, lw_vec3 at) {
  return lwi_shortcuts_bound(&bounds->search->shortcuts, at) * bounds->query->cost_model.prices->lowest;
}

float lwi_point_bound_at(const lwi_point_bounds *bounds, uint32_t point) {
  const lwi_price_table *table = bounds->query->price_table;
  const lw_vec3 at = bounds->query->point_graph->places[point];
  const float by_length = bound_by_length(bounds, at);
  if (table) {
    const int16_t *distances = table->distances + (size_t)point * LWI_PRICE_LANDMARKS;
    return lwi_max(by_length, lwi_price_left(&bounds->goal, distances));
  }
  if (!bounds->sweep) return by_length;
  return lwi_max(by_length, bound_by_sweep(bounds, lwi_point_sweep_cost(bounds->sweep, point), at));
}

float lwi_point_bound_in(const lwi_point_bounds *bounds, uint32_t region, lw_vec3 at) {
  const lwi_price_table *table = bounds->query->price_table;
  const uint32_t polygon = origin_of(bounds, region);
  const float by_length = bound_by_length(bounds, at);
  if (table) {
    const lwi_price_row row = lwi_price_row_at(table, polygon, at);
    return lwi_max(by_length, lwi_price_left(&bounds->goal, row.from));
  }
  if (!bounds->sweep || polygon == origin_of(bounds, bounds->query->to_region)) return by_length;
  return lwi_max(by_length, bound_by_sweep(bounds, lwi_point_sweep_cost_in(bounds->sweep, polygon, at), at));
}
