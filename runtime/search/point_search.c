#include "search/point_search.h"

#include "core/simd.h"
#include "search/link_cost.h"
#include "search/point_bounds.h"
#include "search/search.h"

#include <math.h>
#include <string.h>

/* Another path to a point must be cheaper by more than rounding. */
#define BETTER 0.99999f
/* Regions round a point that are entered from it together. */
#define STAR_MAX 32

#define GOAL 0

typedef struct lwi_point_run {
  lwi_search *search;
  lwi_point_scratch *scratch;
  const lwi_search_query *query;
  const lwi_graph *graph;
  const lwi_prices *prices;
  lwi_point_bounds bounds;
  const lwi_point_graph *points; /* of portals that are as they were baked; NULL: of none */
  lwi_graph baked;
  bool climbs_all; /* no portal's step is too high */
  bool failed;     /* out of memory */
} point_run;

/* A region that is being left. */
typedef struct departure {
  uint32_t region, point; /* LWI_NONE: the start */
  lw_vec3 at;
  float g, price;
} departure;

/* The star of a point: the regions that meet there, the first of which it was reached through. */
typedef struct star {
  uint32_t place; /* LWI_NONE: two regions meet along a portal */
  int count;
  uint32_t regions[STAR_MAX];
  bool is_whole; /* all that lie round the place are there */
  /* If it was walked round: */
  uint32_t portals[STAR_MAX]; /* by which each is entered */
  int before[STAR_MAX];       /* from which of these */
} star;

/* --- memory ----------------------------------------------------------------------------------------------- */

void lwi_point_scratch_free(lwi_point_scratch *scratch, lwi_memory *memory) {
  lwi_free(memory, scratch->places, scratch->place_count * sizeof *scratch->places);
  lwi_free(memory, scratch->arcs, scratch->arc_count * sizeof *scratch->arcs);
  lwi_free(memory, scratch->grounds, scratch->ground_count * sizeof *scratch->grounds);
  lwi_free(memory, scratch->limits, (size_t)scratch->limit_capacity * sizeof *scratch->limits);
  lwi_free(memory, scratch->points, (size_t)scratch->point_capacity * sizeof *scratch->points);
  lwi_free(memory, scratch->regions, (size_t)scratch->region_capacity * sizeof *scratch->regions);
  lwi_heap_free(&scratch->open, memory);
  lwi_point_sweep_free(&scratch->sweep, memory);
  lwi_free(memory, scratch->run, sizeof *scratch->run);
  *scratch = (lwi_point_scratch){0};
}

static bool grow(point_run *run) {
  lwi_point_scratch *scratch = run->scratch;
  lwi_memory *memory = run->search->memory;
  const lwi_graph *graph = run->graph;
  void *places = scratch->places, *arcs = scratch->arcs, *grounds = scratch->grounds;
  const uint32_t points = run->points ? run->points->point_count : 0;
  const int members = run->points ? (int)run->points->membership_count + LWI_POINTS_READ_BEYOND : 0;
  bool good = lwi_grow_zeroed(memory, &places, &scratch->place_count, points, sizeof *scratch->places);
  scratch->places = places;
  good = good && lwi_grow_zeroed(memory, &arcs, &scratch->arc_count,
                                 graph->portal_count + graph->mesh->links.count, sizeof *scratch->arcs);
  scratch->arcs = arcs;
  good = good && lwi_grow_zeroed(memory, &grounds, &scratch->ground_count, graph->region_count,
                                 sizeof *scratch->grounds);
  scratch->grounds = grounds;
  return good &&
         lwi_reserve(memory, &scratch->limits, &scratch->limit_capacity, members, sizeof *scratch->limits);
}

static bool begin(point_run *run) {
  lwi_point_scratch *scratch = run->scratch;
  if (!grow(run)) return false;
  scratch->point_count = scratch->region_count = scratch->open.count = 0;
  scratch->stamp += 1;
  if (scratch->stamp > 0) return true;
  memset(scratch->places, 0, scratch->place_count * sizeof *scratch->places);
  memset(scratch->arcs, 0, scratch->arc_count * sizeof *scratch->arcs);
  memset(scratch->grounds, 0, scratch->ground_count * sizeof *scratch->grounds);
  scratch->stamp = 1;
  return true;
}

/* --- prices ------------------------------------------------------------------------------------------------- */

/* How many points a region has in the graph of points; 0: its portals are not as they were baked. */
static uint32_t count_members(const point_run *run, uint32_t region) {
  const lwi_point_graph *points = run->points;
  if (!points || region >= points->polygon_count) return 0;
  const lwi_graph *graph = run->graph, *baked = &run->baked;
  const bool is_same = graph->first_portal[region] == baked->first_portal[region] &&
                       graph->end_portal[region] == baked->end_portal[region];
  return is_same ? points->first_of[region + 1] - points->first_of[region] : 0;
}

/* What is known of a region, which may be met for the first time. */
static const lwi_point_ground *ground_of(const point_run *run, uint32_t region) {
  lwi_point_ground *ground = &run->scratch->grounds[region];
  if (ground->stamp == run->scratch->stamp) return ground;
  *ground = (lwi_point_ground){.stamp = run->scratch->stamp,
                               .price = lwi_price_in(run->prices, run->graph, region),
                               .members = count_members(run, region)};
  float *limits = run->scratch->limits + (ground->members > 0 ? run->points->first_of[region] : 0);
  for (uint32_t i = 0; i < ground->members; i++) limits[i] = INFINITY;
  return ground;
}

static inline float price_in(const point_run *run, uint32_t region) {
  return ground_of(run, region)->price;
}

static inline bool may_cross(const point_run *run, const lwi_portal *portal) {
  return price_in(run, portal->to) < INFINITY && lwi_climbs_over(run->graph, run->prices->filter.climb, portal);
}

/* --- points ----------------------------------------------------------------------------------------------- */

/* @return Its number; LWI_NONE: no memory. */
static uint32_t add_point(point_run *run, lw_vec3 at, float rest, uint32_t place) {
  lwi_point_scratch *scratch = run->scratch;
  if (!lwi_reserve(run->search->memory, &scratch->points, &scratch->point_capacity, scratch->point_count + 1,
                   sizeof *scratch->points)) {
    run->failed = true;
    return LWI_NONE;
  }
  scratch->points[scratch->point_count] = (lwi_point){
      .at = at, .g = INFINITY, .rest = rest, .parent = LWI_NONE, .place = place, .before = LWI_NONE};
  return (uint32_t)scratch->point_count++;
}

/* The point of a place of the graph of points. @return LWI_NONE: no memory. */
static uint32_t point_of_place(point_run *run, uint32_t place) {
  lwi_point_entry *entry = &run->scratch->places[place];
  if (entry->stamp == run->scratch->stamp) return entry->point;
  const lw_vec3 at = run->points->places[place];
  const float rest = lwi_point_bound_at(&run->bounds, place);
  *entry = (lwi_point_entry){run->scratch->stamp, add_point(run, at, rest, place)};
  return entry->point;
}

uint32_t lwi_graph_twin(const lwi_graph *graph, uint32_t region, uint32_t k, lw_vec3 left, lw_vec3 right) {
  const uint32_t to = graph->portals[k].to;
  uint32_t found = LWI_NONE;
  float nearest = INFINITY;
  for (uint32_t i = graph->first_portal[to]; i < graph->end_portal[to]; i++) {
    if (graph->portals[i].to != region) continue;
    lw_vec3 back_left, back_right;
    lwi_graph_points(graph, to, &graph->portals[i], &back_left, &back_right);
    const float off = lwi_distance_xz(back_left, right) + lwi_distance_xz(back_right, left);
    if (off >= nearest) continue;
    nearest = off;
    found = i;
  }
  return found;
}

static inline bool is_baked(const point_run *run, uint32_t k) {
  return run->points && k < run->points->portal_count;
}

/* The points of a portal that is not as it was baked, and is met for the first time. */
static void add_portal(point_run *run, uint32_t region, uint32_t k) {
  lwi_point_arc *arcs = run->scratch->arcs;
  const uint32_t stamp = run->scratch->stamp, to = run->graph->portals[k].to,
                 polygon = lwi_region_polygon(run->graph, region);
  lw_vec3 left, right;
  lwi_graph_points(run->graph, region, &run->graph->portals[k], &left, &right);
  const uint32_t back = lwi_graph_twin(run->graph, region, k, left, right);
  if (back != LWI_NONE && is_baked(run, back)) {
    arcs[k] = (lwi_point_arc){.stamp = stamp, .first = back};
    return;
  }
  const int pieces = lwi_portal_pieces(left, right);
  arcs[k] = (lwi_point_arc){stamp, (uint32_t)run->scratch->point_count, (uint32_t)pieces + 1};
  if (back != LWI_NONE) arcs[back] = arcs[k];
  for (int i = 0; i <= pieces && !run->failed; i++) {
    lw_vec3 at = lwi_lerp(left, right, (float)i / (float)pieces);
    if (i > 0 && i < pieces) at.y = lwi_polygon_height(run->graph->mesh, polygon, at.x, at.z);
    /* it lies in both regions, one of which may be much cheaper */
    add_point(run, at,
              lwi_min(lwi_point_bound_in(&run->bounds, region, at), lwi_point_bound_in(&run->bounds, to, at)),
              LWI_NONE);
  }
}

/* --- regions round a point -------------------------------------------------------------------------------- */

/* The places of a portal, from one end to the other. @return How many; 0: its points are its own. */
static uint32_t places_of(point_run *run, uint32_t region, uint32_t k, const uint32_t **places) {
  if (!is_baked(run, k)) {
    if (run->scratch->arcs[k].stamp != run->scratch->stamp) add_portal(run, region, k);
    if (run->failed || run->scratch->arcs[k].count > 0) return 0;
    k = run->scratch->arcs[k].first;
  }
  *places = run->points->ids + run->points->first_id[k];
  return run->points->first_id[k + 1] - run->points->first_id[k];
}

static bool is_in(const star *of, uint32_t region) {
  for (int i = 0; i < of->count; i++)
    if (of->regions[i] == region) return true;
  return false;
}

/* Enter the region behind a portal, which begins or ends at the place. */
static void enter(const point_run *run, star *of, int before, uint32_t k) {
  const lwi_portal *portal = &run->graph->portals[k];
  if (is_in(of, portal->to)) return;
  if (of->count == STAR_MAX || !may_cross(run, portal)) {
    of->is_whole = false;
    return;
  }
  of->regions[of->count] = portal->to;
  of->portals[of->count] = k;
  of->before[of->count++] = before;
}

static inline bool is_end(const uint32_t *places, uint32_t count, uint32_t place) {
  return places[0] == place || places[count - 1] == place;
}

/* Enter all regions beside one of them. */
static void enter_beside(point_run *run, star *of, int from) {
  const uint32_t region = of->regions[from];
  for (uint32_t k = run->graph->first_portal[region]; k < run->graph->end_portal[region]; k++) {
    const uint32_t *places;
    const uint32_t count = places_of(run, region, k, &places);
    if (count > 0 && is_end(places, count, of->place)) enter(run, of, from, k);
  }
}

static bool is_corner(const point_run *run, const lwi_point *point) {
  return point->place != LWI_NONE && point->place < run->points->end_count;
}

/* The region through which a point was reached, and those beside it that it is left into. */
static void begin_walk(point_run *run, const lwi_point *point, star *of) {
  of->place = is_corner(run, point) ? point->place : LWI_NONE;
  of->is_whole = true;
  of->count = 1;
  of->regions[0] = point->region;
  of->before[0] = -1;
  if (of->place != LWI_NONE)
    enter_beside(run, of, 0);
  else
    enter(run, of, 0, point->arc);
}

/* Where all ground round a corner is open and as it was baked, all of it is entered.
   @return false: it is to be walked round. */
static bool take_all(const point_run *run, const lwi_point *point, star *of) {
  const lwi_point_graph *points = run->points;
  if (!is_corner(run, point) || !run->climbs_all) return false;
  const uint32_t first = points->first_polygon[point->place], end = points->first_polygon[point->place + 1];
  if (end - first > STAR_MAX) return false;
  of->place = point->place;
  of->is_whole = true;
  of->count = 1;
  of->regions[0] = point->region;
  for (uint32_t i = first; i < end; i++) {
    const uint32_t region = points->polygons[i];
    const lwi_point_ground *ground = ground_of(run, region);
    if (ground->members == 0 || ground->price == INFINITY) return false;
    if (region != point->region) of->regions[of->count++] = region;
  }
  return true;
}

/* The regions round a point, in the order in which they are entered from the one that it was reached through. */
static void find_star(point_run *run, const lwi_point *point, star *of) {
  if (take_all(run, point, of)) return;
  begin_walk(run, point, of);
  for (int i = 1; i < of->count && of->place != LWI_NONE; i++) enter_beside(run, of, i);
}

/* Closed ground may part the regions round a place. Then those on the other side of it have another point there. */
static void part_place(point_run *run, uint32_t index, const star *of) {
  lwi_point_scratch *scratch = run->scratch;
  const uint32_t place = scratch->points[index].place;
  if (!lwi_reserve(run->search->memory, &scratch->regions, &scratch->region_capacity,
                   scratch->region_count + of->count, sizeof *scratch->regions)) {
    run->failed = true;
    return;
  }
  const lwi_point point = scratch->points[index];
  const uint32_t other = add_point(run, point.at, point.rest, place);
  if (other == LWI_NONE) return;
  scratch->points[other].before = index;
  scratch->points[index].first_region = (uint32_t)scratch->region_count;
  scratch->points[index].region_count = (uint32_t)of->count;
  memcpy(scratch->regions + scratch->region_count, of->regions, (size_t)of->count * sizeof *of->regions);
  scratch->region_count += of->count;
  scratch->places[place].point = other;
}

/* Are all regions round a place that may be entered among these? */
static bool is_all(const point_run *run, const star *of) {
  const lwi_point_graph *points = run->points;
  for (uint32_t i = points->first_polygon[of->place]; i < points->first_polygon[of->place + 1]; i++) {
    const uint32_t region = points->polygons[i];
    if (price_in(run, region) < INFINITY && !is_in(of, region)) return false;
  }
  return true;
}

/* Was the place closed for a region, by a path through it? */
static bool was_closed_for(const point_run *run, const lwi_point *point, uint32_t region) {
  const lwi_point_scratch *scratch = run->scratch;
  for (uint32_t at = point->before; at != LWI_NONE; at = scratch->points[at].before) {
    const lwi_point *before = &scratch->points[at];
    for (uint32_t i = 0; i < before->region_count; i++)
      if (scratch->regions[before->first_region + i] == region) return true;
  }
  return false;
}

/* --- leaving a region ------------------------------------------------------------------------------------- */

static inline void reach(point_run *run, const departure *from, uint32_t arc, uint32_t index, float g) {
  lwi_point *point = &run->scratch->points[index];
  point->g = g;
  point->parent = from->point;
  point->region = from->region;
  point->arc = arc;
  if (!lwi_heap_push(&run->scratch->open, run->search->memory, g + run->bounds.weight * point->rest, index))
    run->failed = true;
}

static void relax(point_run *run, const departure *from, uint32_t arc, uint32_t index) {
  const lwi_point *point = &run->scratch->points[index];
  const float g = from->g + lwi_distance(from->at, point->at) * from->price;
  if (point->is_closed || !(g < point->g * BETTER)) return;
  if (point->before == LWI_NONE || !was_closed_for(run, point, from->region)) reach(run, from, arc, index, g);
}

/* To a point of a region as it was baked. @param member  Of all in `of_polygon`.
   @return The cost that another path to it through this region must be below. */
static float relax_member(point_run *run, const departure *from, uint32_t member, float g) {
  const uint32_t place = run->points->of_polygon[member], arc = run->points->portals[member];
  if (place >= run->points->link_points) return -INFINITY;
  const uint32_t index = point_of_place(run, place);
  if (index == LWI_NONE) return -INFINITY;
  const lwi_point *point = &run->scratch->points[index];
  if (point->is_closed) return -INFINITY;
  if (point->before != LWI_NONE && was_closed_for(run, point, from->region)) return -INFINITY;
  if (g < point->g * BETTER) reach(run, from, arc, index, g);
  return run->scratch->points[index].g * BETTER;
}

/* To all points of a region as it was baked, four at a time. */
static void cross_all(point_run *run, const departure *from, uint32_t members) {
  const lwi_point_graph *points = run->points;
  const uint32_t first = points->first_of[from->region];
  const float *x = points->x + first, *y = points->y + first, *z = points->z + first;
  float *limits = run->scratch->limits + first;
  const lwi_float4 from_x = lwi_splat4(from->at.x), from_y = lwi_splat4(from->at.y),
                   from_z = lwi_splat4(from->at.z), before = lwi_splat4(from->g), by = lwi_splat4(from->price);
  for (uint32_t i = 0; i < members; i += 4) {
    const lwi_float4 dx = lwi_sub4(lwi_load4(x + i), from_x), dy = lwi_sub4(lwi_load4(y + i), from_y),
                     dz = lwi_sub4(lwi_load4(z + i), from_z);
    const lwi_float4 length =
        lwi_sqrt4(lwi_add4(lwi_add4(lwi_mul4(dx, dx), lwi_mul4(dy, dy)), lwi_mul4(dz, dz)));
    const lwi_float4 there = lwi_add4(lwi_mul4(length, by), before);
    unsigned nearer = lwi_mask_bits4(lwi_less4(there, lwi_load4(limits + i)));
    if (members - i < 4) nearer &= (1u << (members - i)) - 1;
    for (uint32_t k = 0; nearer != 0; nearer >>= 1, k++)
      if (nearer & 1) limits[i + k] = relax_member(run, from, first + i + k, lwi_get4(there, (int)k));
  }
}

/* To the points of a portal. */
static void cross_portal(point_run *run, const departure *from, uint32_t k) {
  const uint32_t *places;
  if (!may_cross(run, &run->graph->portals[k])) return;
  const uint32_t count = places_of(run, from->region, k, &places);
  for (uint32_t i = 0; i < count && !run->failed; i++) {
    const uint32_t point = point_of_place(run, places[i]);
    if (point != LWI_NONE) relax(run, from, k, point);
  }
  if (count > 0 || run->failed) return;
  const lwi_point_arc arc = run->scratch->arcs[k];
  for (uint32_t i = 0; i < arc.count && !run->failed; i++) relax(run, from, k, arc.first + i);
}

static void take_link(point_run *run, const departure *from, uint32_t k) {
  const lwi_graph *graph = run->graph;
  const lwi_link *link = &graph->mesh->links.items[k];
  const uint32_t to = lwi_region_over_link(run->prices, graph, from->region, k);
  if (to == LWI_NONE) return;
  lwi_point_arc *arc = &run->scratch->arcs[graph->portal_count + k];
  if (arc->stamp != run->scratch->stamp) {
    const uint32_t end = add_point(run, link->end, lwi_point_bound_in(&run->bounds, to, link->end), LWI_NONE);
    *arc = (lwi_point_arc){run->scratch->stamp, end, 1};
  }
  const float cost = run->failed ? -1 : lwi_cost_of_link(&run->query->cost_model, link);
  if (cost < 0) {
    run->failed = true;
    return;
  }
  departure over = *from;
  over.at = link->end;
  over.g += lwi_distance(from->at, link->start) * from->price + cost;
  relax(run, &over, graph->portal_count + k, arc->first);
}

/* Every point of a convex region is reached in a straight line, so that a path that enters one leaves it at the next
   step. */
static void leave(point_run *run, departure from) {
  const lwi_graph *graph = run->graph;
  const lwi_mesh_links *links = &graph->mesh->links;
  const lwi_point_ground *ground = ground_of(run, from.region);
  from.price = ground->price;
  if (from.region == run->query->to_region) relax(run, &from, LWI_NONE, GOAL);
  if (ground->members > 0)
    cross_all(run, &from, ground->members);
  else
    for (uint32_t k = graph->first_portal[from.region]; k < graph->end_portal[from.region]; k++)
      cross_portal(run, &from, k);
  if (!links->first) return;
  const uint32_t polygon = lwi_region_polygon(graph, from.region);
  for (uint32_t k = links->first[polygon]; k < links->end[polygon] && !run->failed; k++)
    take_link(run, &from, k);
}

static inline bool is_over_link(const point_run *run, const lwi_point *point) {
  return point->arc != LWI_NONE && point->arc >= run->graph->portal_count;
}

/* Leave a point into all regions round it but the one that it was reached through. */
static void leave_point(point_run *run, uint32_t index) {
  const lwi_point point = run->scratch->points[index];
  departure from = {.point = index, .at = point.at, .g = point.g};
  if (is_over_link(run, &point)) {
    from.region = lwi_graph_link_regions(run->graph, point.arc - run->graph->portal_count).to;
    leave(run, from);
    return;
  }
  star of;
  find_star(run, &point, &of);
  for (int i = 1; i < of.count && !run->failed; i++) {
    from.region = of.regions[i];
    leave(run, from);
  }
  if (!of.is_whole && of.place != LWI_NONE && !is_all(run, &of)) part_place(run, index, &of);
}

/* --- the corridor ----------------------------------------------------------------------------------------- */

static bool add_step(point_run *run, lwi_step step) {
  lwi_search *search = run->search;
  lwi_corridor *corridor = &search->corridor;
  if (!lwi_reserve(search->memory, &corridor->steps, &corridor->capacity, corridor->count + 1,
                   sizeof *corridor->steps))
    return false;
  corridor->steps[corridor->count++] = step;
  return true;
}

/* The steps over the portals at a point, into a region, the last one first. @return false: no memory. */
static bool add_steps(point_run *run, const lwi_point *point, uint32_t into) {
  const uint32_t links = run->graph->mesh->links.count;
  star of;
  if (is_over_link(run, point))
    return add_step(run, (lwi_step){1 + point->arc - run->graph->portal_count, into, point->at});
  begin_walk(run, point, &of);
  int at = 1;
  for (; at < of.count && of.regions[at] != into; at++)
    if (of.place != LWI_NONE) enter_beside(run, &of, at);
  for (; at > 0 && at < of.count; at = of.before[at])
    if (!add_step(run, (lwi_step){1 + links + of.portals[at], of.regions[at], point->at})) return false;
  return true;
}

static void turn_round(lwi_corridor *corridor) {
  for (int i = 0, k = corridor->count - 1; i < k; i++, k--) {
    const lwi_step step = corridor->steps[i];
    corridor->steps[i] = corridor->steps[k];
    corridor->steps[k] = step;
  }
}

static lw_status collect(point_run *run) {
  lwi_search *search = run->search;
  const lwi_point *points = run->scratch->points;
  uint32_t region = run->query->to_region;
  search->corridor.count = 0;
  for (uint32_t at = points[GOAL].parent; at != LWI_NONE; at = points[at].parent) {
    if (!add_steps(run, &points[at], region)) return LW_OUT_OF_MEMORY;
    region = points[at].region;
  }
  turn_round(&search->corridor);
  for (int i = 0; i < search->corridor.count && !search->prices_differ; i++)
    search->prices_differ =
        price_in(run, search->corridor.steps[i].region) != price_in(run, run->query->from_region);
  return LW_OK;
}

/* --- the search ------------------------------------------------------------------------------------------- */

static lw_status search_on(point_run *run) {
  lwi_search *search = run->search;
  lwi_point_scratch *scratch = run->scratch;
  lwi_heap_entry entry;
  while (!lwi_search_is_due(search)) {
    if (!lwi_heap_pop(&scratch->open, &entry)) return LW_NO_PATH;
    lwi_point *point = &scratch->points[entry.item];
    if (point->is_closed) continue; /* it had a lower key since this entry was pushed */
    if (entry.item == GOAL) return collect(run);
    if (search->expanded >= run->query->max_nodes) return LW_OUT_OF_NODES;
    point->is_closed = true;
    search->expanded += 1;
    search->spent += LWI_POINT_WORK;
    leave_point(run, entry.item);
    if (run->failed) return LW_OUT_OF_MEMORY;
  }
  return LW_UNFINISHED;
}

/* --- beginning -------------------------------------------------------------------------------------------- */

static lw_status start(point_run *run) {
  const departure start = {.region = run->query->from_region, .point = LWI_NONE, .at = run->query->from};
  leave(run, start);
  return run->failed ? LW_OUT_OF_MEMORY : search_on(run);
}

lw_status lwi_point_search_run(lwi_search *search, const lwi_search_query *query) {
  lwi_point_scratch *scratch = &search->points;
  if (!scratch->run) scratch->run = lwi_alloc(search->memory, sizeof *scratch->run);
  point_run *run = scratch->run;
  if (!run) return LW_OUT_OF_MEMORY;
  const lw_navmesh *mesh = query->graph->mesh;
  *run = (point_run){
      .search = search,
      .scratch = scratch,
      .query = query,
      .graph = query->graph,
      .prices = query->cost_model.prices,
      .points = query->graph->portals == mesh->graph.portals ? query->point_graph : NULL,
      .baked = lwi_graph_of(query->point_graph->base),
      .climbs_all = lwi_can_climb(query->cost_model.prices->filter.climb, query->point_graph->highest_step)};
  search->graph = *query->graph;
  search->corridor.count = 0;
  search->prices_differ = search->turned = false;
  search->place_base = search->lane_base = LWI_NONE;
  search->expanded = 1;
  if (!begin(run) || add_point(run, query->to, 0, LWI_NONE) == LWI_NONE ||
      !lwi_point_bounds_begin(&run->bounds, search, query))
    return LW_OUT_OF_MEMORY;
  return run->bounds.is_sweeping ? lwi_point_search_go_on(search) : start(run);
}

lw_status lwi_point_search_go_on(lwi_search *search) {
  point_run *run = search->points.run;
  if (!run->bounds.is_sweeping) return search_on(run);
  const lw_status status = lwi_point_bounds_go_on(&run->bounds);
  return status == LW_OK ? start(run) : status;
}
