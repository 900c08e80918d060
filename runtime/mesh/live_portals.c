/* Portals of the polygons of a live navmesh that are cut, and of their neighbours.

   Two edges of pieces have a portal where they come from the same line and overlap on it: from a side of a footprint,
   within one polygon of the base or one square of it; from a line between squares; or from two edges of the base that
   have a portal, which the pieces inherit. Where edges overlap is computed in the same way for both polygons, so that
   both have the portal or none has it. */
#include "mesh/live_parts.h"

#include <stdatomic.h>
#include <string.h>

/* Squares reach beyond their lines at most so far. [m] */
#define SQUARE_SLACK (2 * LWI_CUT_SLIVER)

/* Over the edge of a polygon of the base. */
static bool add_portal(lwi_live *live, uint32_t from, uint32_t to, uint32_t edge, lwi_portal_interval interval,
                       uint8_t step) {
  const lwi_line_edge own = {.polygon = from, .edge = edge}, other = {.polygon = to};
  return lwi_live_add_portal(live, &live->join.portals, &own, &other, interval, step);
}

/* --- within a polygon of the base ------------------------------------------------------------------------- */

/* Pieces that were not cut in this round keep the portals among themselves. */
static bool keep_within(lwi_live *live, const lwi_block *block) {
  const lwi_mesh_graph *graph = &live->mesh.graph;
  const lwi_span parts = lwi_block_parts(block);
  for (uint32_t i = parts.first; i < parts.first + parts.count; i++)
    for (uint32_t k = graph->first_portal[i]; k < graph->end_portal[i]; k++) {
      const lwi_portal *portal = &graph->portals[k];
      if (portal->to - parts.first >= parts.count) continue;
      if (!add_portal(live, i, portal->to, portal->edge, lwi_interval_of_portal(&live->mesh, portal), 0))
        return false;
    }
  return true;
}

static bool join_within(lwi_live *live, const lwi_block *block) {
  lwi_portal_list *list = &live->join.portals;
  if (!block->is_dirty) return keep_within(live, block);
  if (block->within.count == 0) return true;
  if (!lwi_reserve(live->memory, &list->items, &list->capacity, (int)block->within.count, sizeof *list->items))
    return false;
  list->count = (int)block->within.count;
  memcpy(list->items, live->join.within.items + block->within.first,
         (size_t)block->within.count * sizeof *list->items);
  return true;
}

/* --- between polygons of the base ------------------------------------------------------------------------- */

/* Two polygons of the base, each with its portal to the other. Places on the border are measured along the edge of the
   polygon with the lower number, its line, from 0 to 1. */
typedef struct border {
  uint32_t polygons[2], edges[2];
  uint32_t grounds[2]; /* what of the polygons is looked at */
  lwi_portal_interval intervals[2];
  uint8_t step;
  double length; /* [m] */
} border;

static bool find_border(const lw_navmesh *base, uint32_t polygon, const lwi_portal *portal, border *found) {
  const lwi_portal *back = lwi_portal_back(base, polygon, portal);
  if (!back) return false;
  const int own = polygon < portal->to ? 0 : 1, other = 1 - own;
  found->polygons[own] = found->grounds[own] = polygon;
  found->polygons[other] = found->grounds[other] = portal->to;
  found->edges[own] = portal->edge;
  found->edges[other] = back->edge;
  found->intervals[own] = lwi_interval_of_portal(base, portal);
  found->intervals[other] = lwi_interval_of_portal(base, back);
  found->step = base->graph.interval_steps[portal->interval];
  const lwi_polygon first = lwi_polygon_get(base, found->polygons[0]);
  found->length = (double)lwi_distance_xz(lwi_corner(&first, found->edges[0]),
                                          lwi_corner(&first, lwi_next_corner(&first, found->edges[0])));
  return true;
}

/* From the edge of polygon 1 of the border to the line. */
static double to_line(const border *at, double t) {
  const lwi_portal_interval *a = &at->intervals[0], *b = &at->intervals[1];
  return (double)a->t0 +
         ((double)b->t1 - t) / ((double)b->t1 - (double)b->t0) * ((double)a->t1 - (double)a->t0);
}

/* Add to `join.edges` the edges on one side of a border, in the order along the line: that of the whole polygon, or those
   of pieces. @return false: no memory. */
static bool list_side(lwi_live *live, const border *of, int side) {
  const uint32_t ground = of->grounds[side], edge = of->edges[side];
  const lwi_portal_interval part = of->intervals[side];
  lwi_edge_list *list = &live->join.edges;
  const int first = list->count;
  if (live->pieces[ground].first == LWI_NONE) {
    if (!lwi_reserve(live->memory, &list->items, &list->capacity, first + 1, sizeof *list->items)) return false;
    list->items[list->count++] = (lwi_line_edge){of->polygons[side], edge, edge, 0, 1};
  } else {
    const lwi_edge_line line = lwi_edge_line_of(live->base, of->polygons[side], edge);
    const lwi_line_part within = {(double)part.t0, (double)part.t1};
    if (!lwi_live_list_rim(live, &live->blocks.items[live->block_of[ground]], edge, &line, within))
      return false;
  }
  if (side == 0) return true;
  /* The other way round. */
  for (int low = first, high = list->count - 1; low < high; low++, high--) {
    const lwi_line_edge last = list->items[low];
    list->items[low] = list->items[high];
    list->items[high] = last;
  }
  for (int i = first; i < list->count; i++) {
    list->items[i].begin = to_line(of, list->items[i].begin);
    list->items[i].end = to_line(of, list->items[i].end);
  }
  return true;
}

/* What of a line counts, how long what has the length 1 there is, and how high the step along it is. [m] */
typedef struct line_limits {
  double low, high, unit;
  uint8_t step; /* step_height.h */
} line_limits;

/* The block of ground that is joined in this round, too. */
static lwi_block *joined_block(const lwi_live *live, uint32_t ground) {
  const uint32_t number = live->block_of[ground];
  return number != LWI_NONE && live->blocks.items[number].is_unlinked ? &live->blocks.items[number] : NULL;
}

/* It was joined earlier in this round, and found the portals of both. */
static bool comes_earlier(const lwi_block *other, const lwi_block *block) {
  return other && other->unlinked_at < block->unlinked_at;
}

/* Let a block have the portal from b to a when it is joined. @return false: no memory. */
static bool add_back(lwi_live *live, lwi_block *of, const lwi_line_edge *b, const lwi_line_edge *a,
                     lwi_portal_interval interval, uint8_t step) {
  lwi_back_list *list = &live->join.back;
  if (!lwi_reserve(live->memory, &list->items, &list->capacity, list->count + 1, sizeof *list->items))
    return false;
  list->items[list->count] =
      (lwi_back_portal){{b->polygon, a->polygon, b->edge, interval, step}, of->first_back};
  of->first_back = (uint32_t)list->count++;
  return true;
}

static bool take_back(lwi_live *live, const lwi_block *block) {
  for (uint32_t i = block->first_back; i != LWI_NONE; i = live->join.back.items[i].next) {
    const lwi_live_portal *portal = &live->join.back.items[i].portal;
    if (!add_portal(live, portal->from, portal->to, portal->edge, portal->interval, portal->step)) return false;
  }
  return true;
}

/* Add the portals from edges of `join.edges` that come before `own` to those behind, both in the order along a line.
   @param other  That of those behind, which gets the portals back. NULL: it keeps its own. @return false: no memory. */
static bool join_edges(lwi_live *live, int own, const line_limits *limits, lwi_block *other) {
  const lwi_edge_list *list = &live->join.edges;
  int from = own;
  for (int i = 0; i < own; i++) {
    const lwi_line_edge *a = &list->items[i];
    const double begin = lwi_smaller(a->begin, a->end), end = lwi_larger(a->begin, a->end);
    /* What ends before this one ends before the next ones, too. */
    while (from < list->count && lwi_larger(list->items[from].begin, list->items[from].end) <= begin) from++;
    for (int k = from; k < list->count; k++) {
      const lwi_line_edge *b = &list->items[k];
      double low, high;
      if (lwi_smaller(b->begin, b->end) >= end) break;
      lwi_line_edges_overlap(a, b, &low, &high);
      low = lwi_larger(low, limits->low);
      high = lwi_smaller(high, limits->high);
      if (!lwi_is_overlap(a, b, limits->unit, low, high)) continue;
      if (!lwi_live_add_portal(live, &live->join.portals, a, b, lwi_line_edge_part(a, low, high, limits->unit),
                               limits->step) ||
          (other && !add_back(live, other, b, a, lwi_line_edge_part(b, low, high, limits->unit), limits->step)))
        return false;
    }
  }
  return true;
}

/* The portals of the border's side `own` to the other one. */
static bool join_border(lwi_live *live, const border *at, int own) {
  const line_limits limits = {(double)at->intervals[0].t0, (double)at->intervals[0].t1, at->length, at->step};
  live->join.edges.count = 0;
  if (!list_side(live, at, own)) return false;
  const int count = live->join.edges.count;
  return list_side(live, at, 1 - own) &&
         join_edges(live, count, &limits, joined_block(live, at->grounds[1 - own]));
}

static lwi_square rectangle_of_portal(const lw_navmesh *base, uint32_t polygon, const lwi_portal *portal) {
  const lwi_polygon whole = lwi_polygon_get(base, polygon);
  const lwi_portal_interval interval = lwi_interval_of_portal(base, portal);
  const lw_vec3 a = lwi_corner(&whole, portal->edge),
                b = lwi_corner(&whole, lwi_next_corner(&whole, portal->edge));
  const lw_vec3 from = lwi_lerp(a, b, interval.t0), to = lwi_lerp(a, b, interval.t1);
  return (lwi_square){0,
                      0,
                      (double)lwi_min(from.x, to.x),
                      (double)lwi_min(from.z, to.z),
                      (double)lwi_max(from.x, to.x),
                      (double)lwi_max(from.z, to.z)};
}

static bool overlap(const lwi_square *a, const lwi_square *b) {
  return a->min_x <= b->max_x + SQUARE_SLACK && b->min_x <= a->max_x + SQUARE_SLACK &&
         a->min_z <= b->max_z + SQUARE_SLACK && b->min_z <= a->max_z + SQUARE_SLACK;
}

bool lwi_live_list_across(lwi_live *live, const lwi_block *block, const lwi_portal *portal) {
  lwi_number_list *list = &live->join.across;
  const bool is_split = lwi_live_is_split(live, portal->to);
  list->count = 0;
  if (is_split || lwi_is_square(block)) {
    const lwi_square rectangle = rectangle_of_portal(live->base, block->polygon, portal);
    if (lwi_is_square(block) && !overlap(lwi_square_of(live, block), &rectangle)) return true;
    if (is_split) {
      lwi_live_begin_round(live);
      return lwi_live_list_squares(live, live->pieces[portal->to].count, &rectangle);
    }
  }
  if (!lwi_reserve(live->memory, &list->items, &list->capacity, 1, sizeof *list->items)) return false;
  list->items[list->count++] = portal->to;
  return true;
}

/* Of a whole polygon that borders a cut one, some portals stay as they are in the base. */
static bool join_portal(lwi_live *live, const lwi_block *block, const lwi_portal *portal, bool *changed) {
  const lw_navmesh *base = live->base;
  border at;
  if (!block->is_cut && live->pieces[portal->to].first == LWI_NONE)
    return add_portal(live, block->polygon, portal->to, portal->edge, lwi_interval_of_portal(base, portal),
                      base->graph.interval_steps[portal->interval]);
  *changed = true;
  if (!lwi_live_list_across(live, block, portal)) return false;
  bool is_found = false;
  for (int i = 0; i < live->join.across.count; i++) {
    const uint32_t other = live->join.across.items[i];
    if (comes_earlier(joined_block(live, other), block)) continue;
    if (!is_found && !find_border(base, block->polygon, portal, &at)) return true;
    is_found = true;
    const int own = at.polygons[0] == block->polygon ? 0 : 1;
    at.grounds[own] = block->ground;
    at.grounds[1 - own] = other;
    if (!join_border(live, &at, own)) return false;
  }
  return true;
}

/* Does the square reach an edge of its polygon? Most do not. */
static bool is_inner(const lwi_live *live, const lwi_block *block) {
  const lwi_square *square = lwi_square_of(live, block);
  const lwi_cut_corner *corners = live->splits.items[block->split].corners + square->first;
  for (int i = 0; i < square->count; i++)
    if (corners[i].origin < LWI_LINE_ORIGIN) return false;
  return true;
}

lwi_span lwi_live_base_portals(const lwi_live *live, const lwi_block *block) {
  const lwi_mesh_graph *graph = &live->base->graph;
  const uint32_t first = graph->first_portal[block->polygon];
  if (lwi_is_square(block) && is_inner(live, block)) return (lwi_span){first, 0};
  return (lwi_span){first, graph->end_portal[block->polygon] - first};
}

static bool join_across(lwi_live *live, const lwi_block *block, bool *changed) {
  const lwi_span portals = lwi_live_base_portals(live, block);
  for (uint32_t k = portals.first; k < portals.first + portals.count; k++)
    if (!join_portal(live, block, &live->base->graph.portals[k], changed)) return false;
  return true;
}

/* --- between squares -------------------------------------------------------------------------------------- */

static bool is_row(uint32_t line) {
  return line >= LWI_LINE_ORIGIN + LWI_ROW_LINES;
}

/* How far an edge of a square leads along the line that it is on. [m] */
static double along_line(const lwi_split *split, const lwi_square *square, int edge) {
  const lwi_cut_corner *from = &split->corners[square->first + edge],
                       *to = &split->corners[square->first + (edge + 1 < square->count ? edge + 1 : 0)];
  return (double)(is_row(from->origin) ? to->x - from->x : to->z - from->z);
}

/* The line on which two squares of a polygon meet: they lie on both sides of it. @return 0: on none. */
static uint32_t common_line(const lwi_split *split, const lwi_square *a, const lwi_square *b) {
  for (int i = 0; i < a->count; i++) {
    const uint32_t origin = split->corners[a->first + i].origin;
    for (int k = 0; k < b->count && origin >= LWI_LINE_ORIGIN; k++)
      if (split->corners[b->first + k].origin == origin &&
          (along_line(split, a, i) > 0) != (along_line(split, b, k) > 0))
        return origin;
  }
  return 0;
}

bool lwi_live_list_beside(lwi_live *live, const lwi_block *block) {
  lwi_number_list *list = &live->join.across;
  const lwi_split *split = &live->splits.items[block->split];
  const lwi_square *own = lwi_square_of(live, block);
  int kept = 0;
  lwi_live_begin_round(live);
  live->seen[block->ground] = live->stamp;
  list->count = 0;
  if (!lwi_live_list_squares(live, block->split, own)) return false;
  for (int i = 0; i < list->count; i++)
    if (common_line(split, own, &split->squares[list->items[i] - split->first]))
      list->items[kept++] = list->items[i];
  list->count = kept;
  return true;
}

/* The portals of a square to another one that it meets on a line. */
static bool join_squares(lwi_live *live, const lwi_block *from, lwi_block *to) {
  if (comes_earlier(to->is_unlinked ? to : NULL, from)) return true;
  const line_limits limits = {-INFINITY, INFINITY, 1, 0};
  const uint32_t origin =
      common_line(&live->splits.items[from->split], lwi_square_of(live, from), lwi_square_of(live, to));
  const lwi_edge_line line = lwi_edge_line_of_squares(origin);
  const lwi_line_part all = {-INFINITY, INFINITY};
  live->join.edges.count = 0;
  if (!lwi_live_list_rim(live, from, origin, &line, all)) return false;
  const int count = live->join.edges.count;
  return lwi_live_list_rim(live, to, origin, &line, all) &&
         join_edges(live, count, &limits, to->is_unlinked ? to : NULL);
}

static bool join_beside(lwi_live *live, const lwi_block *block) {
  if (!lwi_live_list_beside(live, block)) return false;
  for (int i = 0; i < live->join.across.count; i++)
    if (!join_squares(live, block, lwi_live_block(live, live->join.across.items[i]))) return false;
  return true;
}

/* --- storing ---------------------------------------------------------------------------------------------- */

/* Of the portals of one polygon: by edges, and along each. */
static bool comes_before(const lwi_live_portal *a, const lwi_live_portal *b) {
  if (a->edge != b->edge) return a->edge < b->edge;
  if (a->interval.t0 != b->interval.t0) return a->interval.t0 < b->interval.t0;
  return a->to < b->to;
}

static uint32_t *ends_of(lwi_live *live) {
  return live->arrays[LWI_LIVE_END_PORTALS].items;
}

/* The byte of each edge names the first of its portals. */
static void mark_edges(lwi_live *live, uint32_t polygon) {
  lw_navmesh *mesh = &live->mesh;
  const uint32_t corners = lwi_polygon_get(mesh, polygon).count, first = mesh->graph.first_portal[polygon];
  uint8_t *edges = mesh->polygons.edges + mesh->polygons.ranges[polygon].first_corner;
  for (uint32_t i = 0; i < corners; i++) edges[i] = (uint8_t)(edges[i] | LWI_EDGE_WALL);
  for (uint32_t k = mesh->graph.end_portal[polygon]; k-- > first;) {
    const uint32_t place = k - first < LWI_EDGE_FAR ? k - first : LWI_EDGE_FAR;
    uint8_t *edge = &edges[mesh->graph.portals[k].edge];
    *edge = (uint8_t)(((uint32_t)*edge & ~(uint32_t)LWI_EDGE_PORTAL) | place);
  }
}

/* Give each part of the block space for its portals. They are counted in the array of their ends. */
static void place_portals(lwi_live *live, const lwi_block *block) {
  const lwi_span parts = lwi_block_parts(block);
  const lwi_portal_list *list = &live->join.portals;
  uint32_t *first = live->mesh.graph.first_portal, *end = ends_of(live), at = block->portals.first;
  for (uint32_t i = parts.first; i < parts.first + parts.count; i++) end[i] = 0;
  for (int i = 0; i < list->count; i++) end[list->items[i].from] += 1;
  for (uint32_t i = parts.first; i < parts.first + parts.count; i++) {
    first[i] = at;
    at += end[i];
    end[i] = first[i];
  }
}

/* Few polygons have more than ten portals: each is put in its place among those that are there. */
static bool sort_portals(lwi_live *live, const lwi_block *block) {
  const lwi_join_scratch *join = &live->join;
  if (!lwi_reserve(live->memory, &live->join.order, &live->join.order_capacity, join->portals.count,
                   sizeof *join->order))
    return false;
  place_portals(live, block);
  const lwi_live_portal *portals = join->portals.items;
  const uint32_t *firsts = live->mesh.graph.first_portal, begin = block->portals.first;
  uint32_t *order = join->order, *ends = ends_of(live);
  for (int i = 0, count = join->portals.count; i < count; i++) {
    const lwi_live_portal *portal = &portals[i];
    const uint32_t first = firsts[portal->from] - begin;
    uint32_t at = ends[portal->from]++ - begin;
    for (; at > first && comes_before(portal, &portals[order[at - 1]]); at--) order[at] = order[at - 1];
    order[at] = (uint32_t)i;
  }
  return true;
}

/* Edges of pieces may be long, and the surface that they were cut from bend along them. Few portals are asked for their
   ends: lwi_portal_span() finds the heights there. */
static void forget_heights(lwi_portal_heights *heights, const lwi_portal_interval *interval, bool is_bent) {
  atomic_init(&heights->y0, is_bent && interval->t0 > 0 ? INFINITY : NAN);
  atomic_init(&heights->y1, is_bent && interval->t1 < 1 ? INFINITY : NAN);
}

static void store(lwi_live *live, const lwi_block *block) {
  const lw_navmesh *base = live->base;
  const uint32_t first = block->portals.first, from_base = first - base->graph.portal_count,
                 first_interval = base->graph.interval_count + from_base, *order = live->join.order;
  const lwi_live_portal *found = live->join.portals.items;
  const bool is_bent = lwi_surface_of(base, block->polygon) == LWI_SURFACE_BENT;
  lwi_portal *portals = live->mesh.graph.portals + first;
  lwi_portal_interval *intervals = live->mesh.graph.intervals + first_interval;
  lwi_portal_heights *heights = live->mesh.live.portal_heights + from_base;
  uint8_t *steps = live->mesh.graph.interval_steps + first_interval;
  for (uint32_t i = 0, count = (uint32_t)live->join.portals.count; i < count; i++) {
    const lwi_live_portal *from = &found[order[i]];
    const bool is_plain = from->interval.t0 <= 0 && from->interval.t1 >= 1 && from->step == 0;
    intervals[i] = from->interval;
    steps[i] = from->step;
    forget_heights(&heights[i], &from->interval, is_bent);
    portals[i] = (lwi_portal){.to = from->to,
                              .edge = from->edge & 0xff,
                              .interval = (is_plain ? 0 : first_interval + i) & LWI_MAX_INTERVALS};
  }
}

void lwi_live_restore_portals(lwi_live *live, lwi_block *block) {
  const lw_navmesh *base = live->base;
  const uint32_t polygon = block->polygon, corner = base->polygons.ranges[polygon].first_corner;
  lwi_live_give_back(live, LWI_LIVE_PORTAL, &block->portals);
  live->mesh.live.own_portals -= block->portal_count;
  block->portal_count = 0;
  if (lwi_is_square(block)) return;
  live->mesh.graph.first_portal[polygon] = base->graph.first_portal[polygon];
  ends_of(live)[polygon] = block->is_cut ? base->graph.first_portal[polygon] : base->graph.end_portal[polygon];
  for (uint32_t i = corner; i < base->polygons.ranges[polygon + 1].first_corner; i++)
    live->mesh.polygons.edges[i] = base->polygons.edges[i];
}

/* Collect the portals of a block. @return false: no memory. */
static bool gather_portals(lwi_live *live, const lwi_block *block, bool *changed) {
  *changed = block->is_cut;
  live->join.portals.count = 0;
  if (lwi_block_parts(block).count == 0) return true;
  return (!block->is_cut || join_within(live, block)) && join_across(live, block, changed) &&
         (!lwi_is_square(block) || join_beside(live, block)) && take_back(live, block);
}

bool lwi_live_join(lwi_live *live, lwi_block *block) {
  bool changed;
  if (!gather_portals(live, block, &changed)) return false;
  lwi_live_restore_portals(live, block);
  if (!changed) return true;
  block->portals = lwi_live_take(live, LWI_LIVE_PORTAL, (uint32_t)live->join.portals.count);
  if (block->portals.space == 0) return false;
  if (!sort_portals(live, block)) return false;
  store(live, block);
  block->portal_count = (uint32_t)live->join.portals.count;
  live->mesh.live.own_portals += block->portal_count;
  const lwi_span parts = lwi_block_parts(block);
  for (uint32_t i = parts.first; i < parts.first + parts.count; i++) mark_edges(live, i);
  return true;
}
