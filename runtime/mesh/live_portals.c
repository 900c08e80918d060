/* Portals of the polygons of a live navmesh that are cut, and of their neighbours.

   Two edges of pieces have a portal where they come from the same line and overlap on it: from a side of a footprint,
   within one polygon of the base or one square of it; from a line between squares; or from two edges of the base that
   have a portal, which the pieces inherit. Where edges overlap is computed in the same way for both polygons, so that
   both have the portal or none has it. */
#include "core/sort.h"
#include "mesh/live_parts.h"

/* Edges that overlap less have no portal. [m] */
#define OVERLAP_MIN 5e-3
/* Squares reach beyond their lines at most so far. [m] */
#define SQUARE_SLACK (2 * LWI_CUT_SLIVER)

/* The part of an edge between two places on its line. @param unit  Of the line. [m] */
static lwi_portal_interval part_of(const lwi_line_edge *edge, double from, double to, double unit) {
  const double length = edge->end - edge->begin;
  double t0 = (from - edge->begin) / length, t1 = (to - edge->begin) / length;
  if (t0 > t1) {
    const double last = t0;
    t0 = t1;
    t1 = last;
  }
  /* What ends at a corner but for rounding does so. */
  const double near = OVERLAP_MIN / 2 / (fabs(length) * unit);
  return (lwi_portal_interval){t0 < near ? 0 : (float)t0, t1 > 1 - near ? 1 : (float)t1};
}

static bool add_portal(lwi_live *live, uint32_t from, lwi_live_portal portal) {
  if (!lwi_reserve(live->memory, &live->join.portals, &live->join.portal_capacity, live->join.portal_count + 1,
                   sizeof *live->join.portals))
    return false;
  portal.from = from;
  live->join.portals[live->join.portal_count++] = portal;
  return true;
}

/* --- within a polygon of the base ------------------------------------------------------------------------- */

static int compare_keys(const void *left, const void *right) {
  const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

static lwi_point2 corner_of(const lwi_live *live, uint32_t polygon, uint32_t corner) {
  const lwi_polygon of = lwi_polygon_get(&live->mesh, polygon);
  return lwi_point2_of(lwi_corner(&of, corner < of.count ? corner : 0));
}

static double along_side(const lwi_cut_side *side, lwi_point2 at) {
  return (at.x - side->corner.x) * side->direction.x + (at.z - side->corner.z) * side->direction.z;
}

/* Along the side of a footprint, in metres. */
static lwi_line_edge on_side(const lwi_live *live, uint32_t origin, uint32_t polygon, uint32_t edge) {
  const lwi_cut_shape *shape = &live->entries[(origin - LWI_SIDE_ORIGIN) / LWI_CUT_SIDES].shape;
  const lwi_cut_side *side = &shape->sides[(origin - LWI_SIDE_ORIGIN) % LWI_CUT_SIDES];
  const lwi_point2 from = corner_of(live, polygon, edge), to = corner_of(live, polygon, edge + 1);
  return (lwi_line_edge){polygon, edge, along_side(side, from), along_side(side, to)};
}

/* @param count  Of keys, with this one: origin and number of a side edge. */
static bool add_key(lwi_live *live, uint32_t origin, int count) {
  if (!lwi_reserve(live->memory, &live->join.keys, &live->join.key_capacity, count, sizeof *live->join.keys))
    return false;
  live->join.keys[count - 1] = (uint64_t)origin << 32 | (uint32_t)(count - 1);
  return true;
}

static bool gather_sides(lwi_live *live, const lwi_block *block, int *count) {
  const uint32_t *origins = live->arrays[LWI_LIVE_EDGE_ORIGINS].items;
  *count = 0;
  for (uint32_t i = block->pieces.first; i < block->pieces.first + block->piece_count; i++) {
    const uint32_t first = live->mesh.polygons.ranges[i].first_corner,
                   corners = lwi_polygon_get(&live->mesh, i).count;
    for (uint32_t k = 0; k < corners; k++) {
      const uint32_t origin = origins[first + k];
      if (origin < LWI_SIDE_ORIGIN || origin >= LWI_LINE_ORIGIN) continue;
      if (!lwi_reserve(live->memory, &live->join.side_edges, &live->join.side_capacity, *count + 1,
                       sizeof *live->join.side_edges))
        return false;
      live->join.side_edges[(*count)++] = on_side(live, origin, i, k);
      if (!add_key(live, origin, *count)) return false;
    }
  }
  lwi_sort(live->join.keys, (size_t)*count, sizeof *live->join.keys, compare_keys);
  return true;
}

static bool join_sides(lwi_live *live, const lwi_line_edge *a, const lwi_line_edge *b) {
  if ((a->begin < a->end) == (b->begin < b->end)) return true;
  const double low = fmax(fmin(a->begin, a->end), fmin(b->begin, b->end)),
               high = fmin(fmax(a->begin, a->end), fmax(b->begin, b->end));
  if (high - low < OVERLAP_MIN) return true;
  return add_portal(live, a->polygon, (lwi_live_portal){0, b->polygon, a->edge, part_of(a, low, high, 1)}) &&
         add_portal(live, b->polygon, (lwi_live_portal){0, a->polygon, b->edge, part_of(b, low, high, 1)});
}

/* Pieces that were not cut in this round keep the portals among themselves. */
static bool keep_within(lwi_live *live, const lwi_block *block) {
  const lwi_mesh_graph *graph = &live->mesh.graph;
  const lwi_span parts = lwi_block_parts(block);
  for (uint32_t i = parts.first; i < parts.first + parts.count; i++)
    for (uint32_t k = graph->first_portal[i]; k < graph->end_portal[i]; k++) {
      const lwi_portal *portal = &graph->portals[k];
      if (portal->to - parts.first >= parts.count) continue;
      const lwi_live_portal same = {i, portal->to, portal->edge, lwi_interval_of_portal(&live->mesh, portal)};
      if (!add_portal(live, i, same)) return false;
    }
  return true;
}

static bool join_within(lwi_live *live, const lwi_block *block) {
  int count;
  if (!block->is_dirty) return keep_within(live, block);
  if (!gather_sides(live, block, &count)) return false;
  const uint64_t *keys = live->join.keys;
  const lwi_line_edge *edges = live->join.side_edges;
  for (int i = 0; i < count; i++)
    for (int k = i + 1; k < count && keys[k] >> 32 == keys[i] >> 32; k++)
      if (!join_sides(live, &edges[(uint32_t)keys[i]], &edges[(uint32_t)keys[k]])) return false;
  return true;
}

/* --- between polygons of the base ------------------------------------------------------------------------- */

/* Two polygons of the base, each with its portal to the other. Places on the border are measured along the edge of the
   polygon with the lower number, its line, from 0 to 1. */
typedef struct border {
  uint32_t polygons[2], edges[2];
  uint32_t grounds[2]; /* what of the polygons is looked at */
  lwi_portal_interval intervals[2];
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

/* A place along an edge of the base. */
static double along(const lw_navmesh *base, uint32_t polygon, uint32_t edge, lwi_point2 at) {
  const lwi_polygon whole = lwi_polygon_get(base, polygon);
  const lwi_point2 a = lwi_point2_of(lwi_corner(&whole, edge)),
                   b = lwi_point2_of(lwi_corner(&whole, lwi_next_corner(&whole, edge)));
  const double dx = b.x - a.x, dz = b.z - a.z;
  return ((at.x - a.x) * dx + (at.z - a.z) * dz) / (dx * dx + dz * dz);
}

/* Does the edge of that number on the block's border come from there? @param[out] found  The piece, and its edge. */
static bool is_on(const lwi_live *live, const lwi_block *block, uint32_t number, uint32_t origin,
                  lwi_line_edge *found) {
  const uint32_t corner = block->corners.first + block->rim[number];
  if (((const uint32_t *)live->arrays[LWI_LIVE_EDGE_ORIGINS].items)[corner] != origin) return false;
  found->polygon = ((const uint32_t *)live->arrays[LWI_LIVE_EDGE_PIECES].items)[corner];
  found->edge = corner - live->mesh.polygons.ranges[found->polygon].first_corner;
  return true;
}

/* The edges on one side of a border: that of the whole polygon, or those of pieces. `at` counts on, from 0.
   @return false: no more. */
static bool next_edge(const lwi_live *live, const border *of, int side, uint32_t *at, lwi_line_edge *found) {
  const uint32_t polygon = of->polygons[side], ground = of->grounds[side], edge = of->edges[side];
  double begin = 0, end = 1;
  if (live->pieces[ground].first == LWI_NONE) {
    if (*at > 0) return false;
    *found = (lwi_line_edge){polygon, edge, begin, end};
  } else {
    const lwi_block *block = &live->blocks.items[live->block_of[ground]];
    lwi_line_edge edge_at = {0};
    while (*at < (uint32_t)block->rim_count && !is_on(live, block, *at, edge, &edge_at)) *at += 1;
    if (*at == (uint32_t)block->rim_count) return false;
    const uint32_t piece = edge_at.polygon, own = edge_at.edge;
    begin = along(live->base, polygon, edge, corner_of(live, piece, own));
    end = along(live->base, polygon, edge, corner_of(live, piece, own + 1));
    *found = (lwi_line_edge){piece, own, begin, end};
  }
  *at += 1;
  if (side == 1) {
    found->begin = to_line(of, begin);
    found->end = to_line(of, end);
  }
  return true;
}

/* The portals of the border's side `own` to the other one. */
static bool join_border(lwi_live *live, const border *at, int own) {
  lwi_line_edge a, b;
  for (uint32_t i = 0; next_edge(live, at, own, &i, &a);)
    for (uint32_t k = 0; next_edge(live, at, 1 - own, &k, &b);) {
      const double low = fmax(fmax(fmin(a.begin, a.end), fmin(b.begin, b.end)), (double)at->intervals[0].t0),
                   high = fmin(fmin(fmax(a.begin, a.end), fmax(b.begin, b.end)), (double)at->intervals[0].t1);
      if ((high - low) * at->length < OVERLAP_MIN) continue;
      if (!add_portal(live, a.polygon,
                      (lwi_live_portal){0, b.polygon, a.edge, part_of(&a, low, high, at->length)}))
        return false;
    }
  return true;
}

static lwi_square rectangle_of_portal(const lw_navmesh *base, uint32_t polygon, const lwi_portal *portal) {
  const lwi_polygon whole = lwi_polygon_get(base, polygon);
  const lwi_portal_interval interval = lwi_interval_of_portal(base, portal);
  const lw_vec3 a = lwi_corner(&whole, portal->edge),
                b = lwi_corner(&whole, lwi_next_corner(&whole, portal->edge));
  const lw_vec3 from = lwi_lerp(a, b, interval.t0), to = lwi_lerp(a, b, interval.t1);
  return (lwi_square){0,
                      0,
                      (double)fminf(from.x, to.x),
                      (double)fminf(from.z, to.z),
                      (double)fmaxf(from.x, to.x),
                      (double)fmaxf(from.z, to.z)};
}

static bool overlap(const lwi_square *a, const lwi_square *b) {
  return a->min_x <= b->max_x + SQUARE_SLACK && b->min_x <= a->max_x + SQUARE_SLACK &&
         a->min_z <= b->max_z + SQUARE_SLACK && b->min_z <= a->max_z + SQUARE_SLACK;
}

bool lwi_live_list_across(lwi_live *live, const lwi_block *block, const lwi_portal *portal) {
  lwi_number_list *list = &live->join.across;
  list->count = 0;
  const lwi_square rectangle = rectangle_of_portal(live->base, block->polygon, portal);
  if (lwi_is_square(block) && !overlap(lwi_square_of(live, block), &rectangle)) return true;
  if (lwi_live_is_split(live, portal->to)) {
    lwi_live_begin_round(live);
    return lwi_live_list_squares(live, live->pieces[portal->to].count, &rectangle);
  }
  if (!lwi_reserve(live->memory, &list->items, &list->capacity, 1, sizeof *list->items)) return false;
  list->items[list->count++] = portal->to;
  return true;
}

/* Of a whole polygon that borders a cut one, some portals stay as they are in the base. */
static bool join_portal(lwi_live *live, const lwi_block *block, const lwi_portal *portal, bool *changed) {
  const lw_navmesh *base = live->base;
  border at;
  if (!block->is_cut && live->pieces[portal->to].first == LWI_NONE) {
    const lwi_live_portal same = {0, portal->to, portal->edge, lwi_interval_of_portal(base, portal)};
    return add_portal(live, block->polygon, same);
  }
  *changed = true;
  if (!find_border(base, block->polygon, portal, &at)) return true;
  if (!lwi_live_list_across(live, block, portal)) return false;
  const int own = at.polygons[0] == block->polygon ? 0 : 1;
  at.grounds[own] = block->ground;
  for (int i = 0; i < live->join.across.count; i++) {
    at.grounds[1 - own] = live->join.across.items[i];
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
  return is_row(from->origin) ? to->x - from->x : to->z - from->z;
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

/* Add the edges of a square's pieces that are on a line to `side_edges`. @return false: no memory. */
static bool gather_line(lwi_live *live, const lwi_block *block, uint32_t line, int *count) {
  for (uint32_t i = 0; i < (uint32_t)block->rim_count; i++) {
    lwi_line_edge at;
    if (!is_on(live, block, i, line, &at)) continue;
    if (!lwi_reserve(live->memory, &live->join.side_edges, &live->join.side_capacity, *count + 1,
                     sizeof *live->join.side_edges))
      return false;
    const lwi_point2 from = corner_of(live, at.polygon, at.edge), to = corner_of(live, at.polygon, at.edge + 1);
    at.begin = is_row(line) ? from.x : from.z;
    at.end = is_row(line) ? to.x : to.z;
    live->join.side_edges[(*count)++] = at;
  }
  return true;
}

/* The portals of a square to another one that it meets on a line. */
static bool join_squares(lwi_live *live, const lwi_block *from, const lwi_block *to) {
  const uint32_t line =
      common_line(&live->splits.items[from->split], lwi_square_of(live, from), lwi_square_of(live, to));
  int own = 0;
  if (!gather_line(live, from, line, &own)) return false;
  int count = own;
  if (!gather_line(live, to, line, &count)) return false;
  for (int i = 0; i < own; i++)
    for (int k = own; k < count; k++) {
      const lwi_line_edge *a = &live->join.side_edges[i], *b = &live->join.side_edges[k];
      const double low = fmax(fmin(a->begin, a->end), fmin(b->begin, b->end)),
                   high = fmin(fmax(a->begin, a->end), fmax(b->begin, b->end));
      if (high - low < OVERLAP_MIN || (a->begin < a->end) == (b->begin < b->end)) continue;
      if (!add_portal(live, a->polygon, (lwi_live_portal){0, b->polygon, a->edge, part_of(a, low, high, 1)}))
        return false;
    }
  return true;
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
  uint32_t *first = live->mesh.graph.first_portal, *end = ends_of(live), at = block->portals.first;
  for (uint32_t i = parts.first; i < parts.first + parts.count; i++) end[i] = 0;
  for (int i = 0; i < live->join.portal_count; i++) end[live->join.portals[i].from] += 1;
  for (uint32_t i = parts.first; i < parts.first + parts.count; i++) {
    first[i] = at;
    at += end[i];
    end[i] = first[i];
  }
}

/* Few polygons have more than ten portals: each is put in its place among those that are there. */
static bool sort_portals(lwi_live *live, const lwi_block *block) {
  const lwi_join_scratch *join = &live->join;
  if (!lwi_reserve(live->memory, &live->join.order, &live->join.order_capacity, join->portal_count,
                   sizeof *join->order))
    return false;
  place_portals(live, block);
  for (int i = 0; i < join->portal_count; i++) {
    const lwi_live_portal *portal = &join->portals[i];
    const uint32_t first = live->mesh.graph.first_portal[portal->from] - block->portals.first;
    uint32_t at = ends_of(live)[portal->from]++ - block->portals.first;
    for (; at > first && comes_before(portal, &join->portals[join->order[at - 1]]); at--)
      live->join.order[at] = join->order[at - 1];
    live->join.order[at] = (uint32_t)i;
  }
  return true;
}

static void store(lwi_live *live, const lwi_block *block) {
  lw_navmesh *mesh = &live->mesh;
  const uint32_t base_portals = live->base->graph.portal_count,
                 base_intervals = live->base->graph.interval_count;
  for (int i = 0; i < live->join.portal_count; i++) {
    const lwi_live_portal *from = &live->join.portals[live->join.order[i]];
    const uint32_t at = block->portals.first + (uint32_t)i, own = base_intervals + at - base_portals;
    const bool is_whole = from->interval.t0 <= 0 && from->interval.t1 >= 1;
    mesh->graph.intervals[own] = from->interval;
    mesh->graph.portals[at] = (lwi_portal){
        .to = from->to, .edge = from->edge & 0xff, .interval = (is_whole ? 0 : own) & LWI_MAX_INTERVALS};
  }
}

void lwi_live_restore_portals(lwi_live *live, lwi_block *block) {
  const lw_navmesh *base = live->base;
  const uint32_t polygon = block->polygon, corner = base->polygons.ranges[polygon].first_corner;
  lwi_live_give_back(live, LWI_LIVE_PORTAL, &block->portals);
  if (lwi_is_square(block)) return;
  live->mesh.graph.first_portal[polygon] = base->graph.first_portal[polygon];
  ends_of(live)[polygon] = block->is_cut ? base->graph.first_portal[polygon] : base->graph.end_portal[polygon];
  for (uint32_t i = corner; i < base->polygons.ranges[polygon + 1].first_corner; i++)
    live->mesh.polygons.edges[i] = base->polygons.edges[i];
}

/* Collect the portals of a block. @return false: no memory. */
static bool gather_portals(lwi_live *live, const lwi_block *block, bool *changed) {
  *changed = block->is_cut;
  live->join.portal_count = 0;
  if (lwi_block_parts(block).count == 0) return true;
  return (!block->is_cut || join_within(live, block)) && join_across(live, block, changed) &&
         (!lwi_is_square(block) || join_beside(live, block));
}

bool lwi_live_join(lwi_live *live, lwi_block *block) {
  bool changed;
  if (!gather_portals(live, block, &changed)) return false;
  lwi_live_restore_portals(live, block);
  if (!changed) return true;
  block->portals = lwi_live_take(live, LWI_LIVE_PORTAL, (uint32_t)live->join.portal_count);
  if (block->portals.space == 0) return false;
  if (!sort_portals(live, block)) return false;
  store(live, block);
  const lwi_span parts = lwi_block_parts(block);
  for (uint32_t i = parts.first; i < parts.first + parts.count; i++) mark_edges(live, i);
  return true;
}
