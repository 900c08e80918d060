/* Where an agent with clearance is: the region of a point, the nearest place where it can stand; and the check
   of a clearance. */
#include "mesh/capsules.h"
#include "mesh/clearance.h"

#include "core/status.h"

/* --- the region of a point -------------------------------------------------------------------------------- */

/* One half of a polygon, cut in two along a line through a point. */
#define MAX_CORNERS 260 /* those of a polygon, and the ends of the cut */

typedef struct half_polygon {
  lwi_point2 corners[MAX_CORNERS];
  uint32_t count;
  lwi_edge_interval *free_intervals; /* [free_interval_count] In the scratch, as the following. */
  uint32_t *items;                   /* Regions of the clear portals; LWI_NONE: an interval of the cut. */
  uint32_t *labels;
  uint32_t free_interval_count, first_cut; /* first_cut: of the cut's intervals, which are the last */
} half_polygon;

typedef struct locating {
  const lwi_clearance *clearance;
  lwi_region_scratch *work;
  lwi_barriers barriers;
  uint32_t polygon;
  lwi_point2 point;
  lwi_point2 corners[MAX_CORNERS];
  uint32_t corner_count;
  lwi_point2 cut[2]; /* the ends of the cut, on the outline */
} locating;

static lwi_point2 corner_of(const locating *at, uint32_t i) {
  return at->corners[i < at->corner_count ? i : 0];
}

/* Nearly always the agent can go straight from the point to some clear portal. */
static uint32_t region_in_sight(const locating *at) {
  const lwi_graph *graph = &at->clearance->graph;
  for (uint32_t region = at->polygon; region != LWI_NONE; region = lwi_next_region(graph, region))
    for (uint32_t k = graph->first_portal[region]; k < graph->end_portal[region]; k++) {
      lw_vec3 left, right;
      lwi_graph_points(graph, region, &graph->portals[k], &left, &right);
      lwi_point2 middle = lwi_point2_lerp(lwi_point2_of(left), lwi_point2_of(right), 0.5);
      if (lwi_region_clear(&at->barriers, at->point, middle, 0)) return region;
    }
  return LWI_NONE;
}

/* Add part t0..t1 of an edge as a free interval of the half's edge, which is part s0..s1 of it. */
static void add_part(half_polygon *half, double s0, double s1, double t0, double t1, uint32_t item) {
  double from = fmax(s0, t0), to = fmin(s1, t1);
  if (!(from < to)) return;
  half->free_intervals[half->free_interval_count] =
      (lwi_edge_interval){half->count - 1, (from - s0) / (s1 - s0), (to - s0) / (s1 - s0)};
  half->items[half->free_interval_count++] = item;
}

/* Add part s0..s1 of the polygon's edge with its free intervals, sorted: clear portals come by region. */
static void add_edge(const locating *at, half_polygon *half, uint32_t edge, double s0, double s1) {
  const lwi_graph *graph = &at->clearance->graph;
  if (half->count == MAX_CORNERS || s1 - s0 < 1e-9) return;
  half->corners[half->count++] = lwi_point2_lerp(at->corners[edge], corner_of(at, edge + 1), s0);
  uint32_t first = half->free_interval_count;
  for (uint32_t region = at->polygon; region != LWI_NONE; region = lwi_next_region(graph, region))
    for (uint32_t k = graph->first_portal[region]; k < graph->end_portal[region]; k++)
      if (graph->portals[k].edge == edge) {
        lwi_portal_interval interval = graph->intervals[graph->portals[k].interval];
        add_part(half, s0, s1, (double)interval.t0, (double)interval.t1, region);
      }
  for (uint32_t i = first + 1; i < half->free_interval_count; i++)
    for (uint32_t j = i; j > first && half->free_intervals[j].t0 < half->free_intervals[j - 1].t0; j--) {
      lwi_edge_interval free_interval = half->free_intervals[j];
      uint32_t item = half->items[j];
      half->free_intervals[j] = half->free_intervals[j - 1];
      half->items[j] = half->items[j - 1];
      half->free_intervals[j - 1] = free_interval;
      half->items[j - 1] = item;
    }
}

/* Space for both halves. Each clear portal has a part in a half at most, and each wall splits the cut once.
   @return false: no memory. */
static bool reserve_halves(const locating *at, half_polygon halves[2]) {
  const lwi_graph *graph = &at->clearance->graph;
  lwi_region_scratch *work = at->work;
  uint32_t count = at->barriers.count + 1;
  for (uint32_t region = at->polygon; region != LWI_NONE; region = lwi_next_region(graph, region))
    count += graph->end_portal[region] - graph->first_portal[region];
  count *= 2; /* where the cut ends on one edge, that edge is in a half twice */
  if (!lwi_reserve(work->memory, &work->half_intervals, &work->half_interval_capacity, 2 * (int)count,
                   sizeof *work->half_intervals) ||
      !lwi_reserve(work->memory, &work->half_items, &work->half_item_capacity, 2 * (int)count,
                   sizeof *work->half_items) ||
      !lwi_reserve(work->memory, &work->half_labels, &work->half_label_capacity, 4 * (int)count,
                   sizeof *work->half_labels))
    return false;
  for (uint32_t i = 0; i < 2; i++) {
    halves[i].count = halves[i].free_interval_count = 0;
    halves[i].free_intervals = work->half_intervals + i * count;
    halves[i].items = work->half_items + i * count;
    halves[i].labels = work->half_labels + i * count;
  }
  return true;
}

/* The half between parameters `from` and `to` of the outline (edge + t, counter-clockwise), closed by the cut.
   @param turned  The cut's free intervals were found from its other end. */
static bool make_half(const locating *at, half_polygon *half, double from, double to, bool turned) {
  double n = (double)at->corner_count, end = to > from ? to : to + n;
  for (double s = from; s < end;) {
    double edge = floor(s), stop = fmin(end, edge + 1);
    add_edge(at, half, (uint32_t)fmod(edge, n), s - edge, stop - edge);
    s = stop;
  }
  half->corners[half->count++] = at->cut[turned];
  half->first_cut = half->free_interval_count;
  const int count = at->work->free_interval_count;
  for (int i = 0; i < count; i++) {
    lwi_edge_interval part = at->work->free_intervals[turned ? count - 1 - i : i];
    part = (lwi_edge_interval){half->count - 1, turned ? 1 - part.t1 : part.t0, turned ? 1 - part.t0 : part.t1};
    half->free_intervals[half->free_interval_count] = part;
    half->items[half->free_interval_count++] = LWI_NONE;
  }
  const lwi_free_outline outline = {half->corners, half->count, half->free_intervals,
                                    half->free_interval_count};
  return lwi_region_join(at->work, &at->barriers, &outline, half->labels);
}

/* What is connected in either half is connected, and so is what the cut's free intervals hold together.
   @param[out] parents  Union-find over the free intervals of one half, and behind them those of the other. */
static void join_halves(const half_polygon halves[2], uint32_t *parents) {
  const uint32_t first = halves[0].free_interval_count, cuts = first - halves[0].first_cut;
  for (uint32_t i = 0; i < first; i++) parents[i] = halves[0].labels[i];
  for (uint32_t i = 0; i < halves[1].free_interval_count; i++) parents[first + i] = first + halves[1].labels[i];
  for (uint32_t i = 0; i < cuts; i++)
    lwi_unite(parents, halves[0].first_cut + i, first + halves[1].first_cut + cuts - 1 - i);
}

/* @param[out] region  That of a clear portal that is connected with the cut's free interval that holds the point.
     Not changed when there is none. */
static void region_at_cut(const locating *at, const half_polygon halves[2], uint32_t *parents,
                          uint32_t *region) {
  const double length = lwi_point2_distance(at->cut[0], at->cut[1]),
               t = lwi_point2_distance(at->cut[0], at->point) / fmax(length, 1e-9);
  uint32_t own = LWI_NONE, count = halves[0].free_interval_count;
  for (uint32_t i = halves[0].first_cut; i < count; i++)
    if (t >= halves[0].free_intervals[i].t0 - 1e-6 && t <= halves[0].free_intervals[i].t1 + 1e-6)
      own = lwi_root_of(parents, i);
  if (own == LWI_NONE) return;
  for (uint32_t h = 0; h < 2; h++)
    for (uint32_t i = 0; i < halves[h].first_cut; i++)
      if (lwi_root_of(parents, h * count + i) == own) *region = halves[h].items[i];
}

/* Cut the polygon in two through the point, which then lies on the outline of both halves. Once more where
   rounding takes the point out of the cut's free intervals. */
static bool region_by_cut(locating *at, uint32_t *region) {
  static const lwi_point2 directions[] = {{0.8, 0.6}, {-0.6, 0.8}};
  half_polygon halves[2];
  if (!reserve_halves(at, halves)) return false;
  uint32_t *parents = at->work->half_labels + at->work->half_label_capacity / 2;
  for (int i = 0; i < 2 && *region == LWI_NONE; i++) {
    const lwi_point2 back = {-directions[i].x, -directions[i].z};
    const double ahead = lwi_outline_exit(at->corners, at->corner_count, at->point, directions[i], &at->cut[1]);
    const double behind = lwi_outline_exit(at->corners, at->corner_count, at->point, back, &at->cut[0]);
    at->work->free_interval_count = 0;
    halves[0].count = halves[0].free_interval_count = halves[1].count = halves[1].free_interval_count = 0;
    if (!lwi_region_free(at->work, &at->barriers, at->cut, 0, 0, 1) ||
        !make_half(at, &halves[0], ahead, behind, false) || !make_half(at, &halves[1], behind, ahead, true))
      return false;
    join_halves(halves, parents);
    region_at_cut(at, halves, parents, region);
  }
  return true;
}

static bool has_clear_portals(const lwi_clearance *clearance, uint32_t polygon) {
  return clearance->first_portal[polygon] <
         clearance->end_portal[polygon]; /* the first region has some if any has */
}

bool lwi_clearance_region(const lwi_clearance *clearance, lwi_region_scratch *work, uint32_t polygon,
                          lw_vec3 point, uint32_t *region) {
  locating at = {.clearance = clearance, .work = work, .polygon = polygon, .point = lwi_point2_of(point)};
  at.barriers = lwi_clearance_walls_near(clearance, polygon);
  *region = polygon;
  if (at.barriers.count == 0) return true;
  *region = LWI_NONE;
  if (!lwi_region_clear(&at.barriers, at.point, at.point, LWI_PLACEMENT_SLACK)) return true;
  *region = region_in_sight(&at);
  if (*region != LWI_NONE) return true;
  lwi_polygon outline = lwi_polygon_get(clearance->graph.mesh, polygon);
  at.corner_count = outline.count;
  for (uint32_t i = 0; i < outline.count; i++) at.corners[i] = lwi_point2_of(lwi_corner(&outline, i));
  if (!region_by_cut(&at, region)) return false;
  /* Without clear portals links may still lead there: then all clear ground of the polygon counts as one
     region. */
  if (*region == LWI_NONE && clearance->graph.mesh->links.count > 0 && !has_clear_portals(clearance, polygon))
    *region = polygon;
  return true;
}

/* --- placement -------------------------------------------------------------------------------------------- */

typedef struct placement {
  lwi_region_scratch *scratch; /* with the walls */
  const lwi_clearance *clearance;
  const lw_filter *filter;
  lwi_point2 from, about;
  lw_vec3 half;
  lw_location start, best;
  double distance, slack; /* `distance`: from the start to the best so far */
  int wall_count;
  const lwi_clearance_wish *wish; /* NULL: any place does */
  double min_distance;            /* with a wish: what the line to the place must keep from walls */
  uint32_t region;                /* with a wish: of the best */
  bool failed;                    /* there was no memory */
} placement;

/* Does the agent keep `place_keep` from walls there? */
static bool has_space(const placement *work, lw_location place) {
  const lwi_clearance *clearance = work->clearance;
  lwi_barriers near = lwi_clearance_walls_near(clearance, lwi_poly_index(clearance->graph.mesh, place.poly));
  near.keep = lwi_clearance_place_keep(clearance);
  const lwi_point2 at = lwi_point2_of(place.point);
  return lwi_region_clear(&near, at, at, work->slack);
}

/* Is the place of a region that is wished for, and does the straight line to it keep clear of walls? */
static bool is_wished(placement *work, lwi_point2 candidate, lw_location place) {
  const lwi_clearance *clearance = work->clearance;
  for (int i = 0; i < work->wall_count; i++)
    if (lwi_barrier_distance(&work->scratch->walls[i], work->from, candidate) < work->min_distance)
      return false;
  uint32_t region;
  const uint32_t polygon = lwi_poly_index(clearance->graph.mesh, place.poly);
  if (!lwi_clearance_region(clearance, work->scratch, polygon, place.point, &region)) {
    work->failed = true;
    return false;
  }
  if (region == LWI_NONE || !work->wish->accepts(work->wish->user, region)) return false;
  work->region = region;
  return true;
}

/* Take a place that is nearer than the best, in the box, reached straight from the start, and clear of walls.
   */
static void try_place(placement *work, lwi_point2 candidate) {
  double distance = lwi_point2_distance(work->from, candidate);
  if (!(distance < work->distance)) return;
  if (fabs(candidate.x - work->about.x) > (double)work->half.x ||
      fabs(candidate.z - work->about.z) > (double)work->half.z)
    return;
  const lw_navmesh *mesh = work->clearance->graph.mesh;
  lw_vec3 to = {(float)candidate.x, work->start.point.y, (float)candidate.z};
  lw_raycast ray;
  if (lw_navmesh_raycast(mesh, work->start, to, work->filter, &ray) != LW_OK || ray.hit) return;
  if (!has_space(work, ray.at) || (work->wish && !is_wished(work, candidate, ray.at))) return;
  work->distance = distance;
  work->best = ray.at;
}

/* Try the place straight away from one wall. */
static void try_away(placement *work, const lwi_barrier *wall, double keep) {
  lwi_point2 away;
  if (lwi_capsule_away(wall, work->from, keep, &away)) try_place(work, away);
}

/* Try the places where the capsules about two walls meet. */
static void try_pair(placement *work, const lwi_barrier *a, const lwi_barrier *b, double keep) {
  lwi_point2 points[LWI_MEETINGS_MAX];
  const int count = lwi_capsules_meet(a, b, keep, points);
  for (int i = 0; i < count; i++) try_place(work, points[i]);
}

static bool add_walls(placement *work, uint32_t polygon, double reach) {
  lwi_region_scratch *scratch = work->scratch;
  const lwi_clearance *clearance = work->clearance;
  const lwi_clear_polygon *of = &clearance->polygons[polygon];
  for (uint32_t w = of->barriers.first; w < of->barriers.first + of->barrier_count; w++) {
    if (lwi_barrier_distance(&clearance->barriers[w], work->from, work->from) >= reach) continue;
    if (!lwi_reserve(scratch->memory, &scratch->walls, &scratch->wall_capacity, work->wall_count + 1,
                     sizeof *scratch->walls))
      return false;
    scratch->walls[work->wall_count++] = clearance->barriers[w];
  }
  return true;
}

/* The walls of polygons that are reached over portals within `reach`. @return false: no memory. */
static bool gather_walls(placement *work, double reach) {
  const lw_navmesh *mesh = work->clearance->graph.mesh;
  work->wall_count = 0;
  lwi_region_begin_list(work->scratch);
  if (!lwi_region_list(work->scratch, lwi_poly_index(mesh, work->start.poly))) return false;
  for (int i = 0; i < work->scratch->around_count; i++) {
    const uint32_t polygon = work->scratch->around[i];
    if (!add_walls(work, polygon, reach)) return false;
    for (uint32_t k = mesh->graph.first_portal[polygon]; k < mesh->graph.end_portal[polygon]; k++) {
      const lwi_portal *portal = &mesh->graph.portals[k];
      if (!lwi_crosses(mesh, work->filter, portal) || lwi_region_is_listed(work->scratch, portal->to)) continue;
      lw_vec3 left, right;
      lwi_portal_points(mesh, polygon, portal, &left, &right);
      lwi_barrier line = {left.x, left.z, right.x, right.z};
      if (lwi_barrier_distance(&line, work->from, work->from) < reach &&
          !lwi_region_list(work->scratch, portal->to))
        return false;
    }
  }
  return true;
}

/* By how much a place may be nearer to walls, as its coordinates are rounded. [m] */
static double slack_at(const lwi_clearance *clearance, lwi_point2 from) {
  const double rounding = 2.5e-7 * fmax(fabs(from.x), fabs(from.z));
  return fmin(rounding, lwi_clearance_place_keep(clearance) - clearance->keep);
}

/* From its own place, within `furthest` of it. */
static placement begin_placement(const lwi_clearance *clearance, lwi_region_scratch *scratch,
                                 const lw_filter *filter, const lw_location *place) {
  const lwi_point2 from = lwi_point2_of(place->point);
  return (placement){.scratch = scratch,
                     .clearance = clearance,
                     .filter = filter,
                     .from = from,
                     .about = from,
                     .half = {INFINITY, INFINITY, INFINITY},
                     .start = *place,
                     .slack = slack_at(clearance, from)};
}

/* The nearest point outside of a union of capsules lies straight away from one of them, or where the outlines
   of two meet. @param furthest  From the start. @return LW_OK: `best` is found; LW_NO_POINT; LW_OUT_OF_MEMORY. */
static lw_status look_around(placement *work, double furthest) {
  const double keep = lwi_clearance_place_keep(work->clearance) + LWI_PLACEMENT_MARGIN;
  const lwi_barrier *const *walls = (const lwi_barrier *const *)&work->scratch->walls;
  work->distance = furthest;
  if (!gather_walls(work, work->wish ? furthest + keep : keep)) return LW_OUT_OF_MEMORY;
  for (int i = 0; i < work->wall_count; i++) try_away(work, &(*walls)[i], keep);
  if (!work->wish && !gather_walls(work, work->distance + keep)) return LW_OUT_OF_MEMORY;
  for (int i = 0; i < work->wall_count; i++)
    for (int j = i + 1; j < work->wall_count; j++) try_pair(work, &(*walls)[i], &(*walls)[j], keep);
  if (work->failed) return LW_OUT_OF_MEMORY;
  return work->distance < furthest ? LW_OK : LW_NO_POINT;
}

lw_status lwi_clearance_place(const lwi_clearance *clearance, lwi_region_scratch *scratch,
                              const lw_filter *filter, lw_vec3 about, lw_vec3 half, lw_location *place) {
  placement work = begin_placement(clearance, scratch, filter, place);
  if (has_space(&work, *place)) return LW_OK;
  work.about = lwi_point2_of(about);
  work.half = half;
  const lw_status status = look_around(&work, 2 * hypot((double)half.x, (double)half.z));
  if (status == LW_OK) *place = work.best;
  return status;
}

lw_status lwi_clearance_place_in(const lwi_clearance *clearance, lwi_region_scratch *scratch,
                                 const lw_filter *filter, lw_vec3 about, lw_vec3 half, lw_location *place) {
  const lw_status status = lwi_clearance_place(clearance, scratch, filter, about, half, place);
  if (status != LW_NO_POINT) return status;
  const lwi_clearance_box box = {filter, about, half, slack_at(clearance, lwi_point2_of(place->point))};
  return lwi_clearance_search_box(clearance, scratch, &box, place);
}

/* What the place keeps from walls, but no more than an agent must. */
static double kept_at(const placement *work) {
  const lwi_clearance *clearance = work->clearance;
  const lwi_barriers near =
      lwi_clearance_walls_near(clearance, lwi_poly_index(clearance->graph.mesh, work->start.poly));
  double kept = lwi_clearance_place_keep(clearance);
  for (uint32_t i = 0; i < near.count; i++)
    kept = fmin(kept, lwi_barrier_distance(&near.all[near.near[i]], work->from, work->from));
  return kept;
}

lw_status lwi_clearance_leave(const lwi_clearance *clearance, lwi_region_scratch *scratch,
                              const lw_filter *filter, const lwi_clearance_wish *wish, lw_location *place,
                              uint32_t *region) {
  placement work = begin_placement(clearance, scratch, filter, place);
  work.wish = wish;
  work.min_distance = kept_at(&work) - LWI_CLEAR_SLACK;
  const lw_status status = look_around(&work, wish->near);
  if (status != LW_OK) return status;
  *place = work.best;
  *region = work.region;
  return LW_OK;
}

/* --- validation ------------------------------------------------------------------------------------------- */

/* How far apart the ends of a clear portal may be as its two polygons have them. [m] */
#define MEET_SLACK 0.01
/* A portal that passes a wall at a small angle may end nearer to it by this much. [m] */
#define END_SLACK 0.02

/* Test the walls near the polygon over the whole length of a clear portal. */
static lw_status check_clear(const lwi_clearance *clearance, uint32_t polygon, lwi_point2 a, lwi_point2 b,
                             lw_error *error) {
  lwi_barriers near = lwi_clearance_walls_near(clearance, polygon);
  for (uint32_t i = 0; i < near.count; i++) {
    const double gap = lwi_barrier_distance(&near.all[near.near[i]], a, b);
    if (gap < clearance->keep - END_SLACK)
      return lwi_fail(error, LW_INVALID,
                      "a clear portal of polygon %u is %g m from a wall, expected %g m or more",
                      (unsigned)polygon, gap, clearance->keep);
  }
  return LW_OK;
}

/* Does the other polygon have the same clear portal, into this region? */
static bool is_mutual(const lwi_graph *graph, uint32_t region, const lwi_portal *clear_portal) {
  lw_vec3 left, right, back_left, back_right;
  lwi_graph_points(graph, region, clear_portal, &left, &right);
  for (uint32_t k = graph->first_portal[clear_portal->to]; k < graph->end_portal[clear_portal->to]; k++) {
    if (graph->portals[k].to != region) continue;
    lwi_graph_points(graph, clear_portal->to, &graph->portals[k], &back_left, &back_right);
    if ((double)lwi_distance_xz(left, back_right) <= MEET_SLACK &&
        (double)lwi_distance_xz(right, back_left) <= MEET_SLACK)
      return true;
  }
  return false;
}

static lw_status check_region(const lwi_clearance *clearance, uint32_t region, lw_error *error) {
  const lwi_graph *graph = &clearance->graph;
  uint32_t polygon = lwi_region_polygon(graph, region);
  for (uint32_t k = graph->first_portal[region]; k < graph->end_portal[region]; k++) {
    const lwi_portal *clear_portal = &graph->portals[k];
    if (clear_portal->to >= graph->region_count)
      return lwi_fail(error, LW_INVALID, "a clear portal of polygon %u names a region that does not exist",
                      (unsigned)polygon);
    if (!is_mutual(graph, region, clear_portal))
      return lwi_fail(error, LW_INVALID, "polygon %u has a clear portal to polygon %u, which has none back",
                      (unsigned)polygon, (unsigned)lwi_region_polygon(graph, clear_portal->to));
    lw_vec3 left, right;
    lwi_graph_points(graph, region, clear_portal, &left, &right);
    lw_status status = check_clear(clearance, polygon, lwi_point2_of(right), lwi_point2_of(left), error);
    if (status != LW_OK) return status;
  }
  return LW_OK;
}

/* Two clear portals with a straight clear line between them must be of one region. */
static lw_status check_regions(const lwi_clearance *clearance, uint32_t polygon, lw_error *error) {
  const lwi_graph *graph = &clearance->graph;
  lwi_barriers near = lwi_clearance_walls_near(clearance, polygon);
  for (uint32_t a = polygon; a != LWI_NONE; a = lwi_next_region(graph, a))
    for (uint32_t b = lwi_next_region(graph, a); b != LWI_NONE; b = lwi_next_region(graph, b))
      for (uint32_t i = graph->first_portal[a]; i < graph->end_portal[a]; i++)
        for (uint32_t k = graph->first_portal[b]; k < graph->end_portal[b]; k++) {
          lw_vec3 left, right, other_left, other_right;
          lwi_graph_points(graph, a, &graph->portals[i], &left, &right);
          lwi_graph_points(graph, b, &graph->portals[k], &other_left, &other_right);
          lwi_point2 from = lwi_point2_lerp(lwi_point2_of(left), lwi_point2_of(right), 0.5);
          lwi_point2 to = lwi_point2_lerp(lwi_point2_of(other_left), lwi_point2_of(other_right), 0.5);
          if (lwi_region_clear(&near, from, to, -MEET_SLACK))
            return lwi_fail(error, LW_INVALID,
                            "two regions of polygon %u are connected by a straight clear line",
                            (unsigned)polygon);
        }
  return LW_OK;
}

lw_status lwi_clearance_check(const lwi_clearance *clearance, lw_error *error) {
  const lw_navmesh *mesh = clearance->graph.mesh;
  lw_status status = LW_OK;
  for (uint32_t p = 0; p < mesh->polygons.count && status == LW_OK; p++) {
    if (!lwi_is_there(mesh, p)) continue;
    for (uint32_t region = p; region != LWI_NONE && status == LW_OK;
         region = lwi_next_region(&clearance->graph, region))
      status = check_region(clearance, region, error);
    if (status == LW_OK) status = check_regions(clearance, p, error);
  }
  return status;
}
