/* Portals of the polygons of a live navmesh that are cut, and of their neighbours.

   Two edges of pieces have a portal where they come from the same line and overlap on it: from a side of a footprint,
   within one polygon of the base; or from two edges of the base that have a portal, which the pieces inherit. Where
   edges overlap is computed in the same way for both polygons, so that both have the portal or none has it. */
#include "core/sort.h"
#include "mesh/live_parts.h"

/* Edges that overlap less have no portal. [m] */
#define OVERLAP_MIN 5e-3

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

static int compare_side_edges(const void *left, const void *right) {
  const lwi_side_edge *a = left, *b = right;
  if (a->origin != b->origin) return a->origin < b->origin ? -1 : 1;
  if (a->at.polygon != b->at.polygon) return a->at.polygon < b->at.polygon ? -1 : 1;
  return (a->at.edge > b->at.edge) - (a->at.edge < b->at.edge);
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

static bool gather_sides(lwi_live *live, const lwi_block *block, int *count) {
  const uint32_t *origins = live->arrays[LWI_LIVE_EDGE_ORIGINS].items;
  *count = 0;
  for (uint32_t i = block->pieces.first; i < block->pieces.first + block->piece_count; i++) {
    const uint32_t first = live->mesh.polygons.ranges[i].first_corner,
                   corners = lwi_polygon_get(&live->mesh, i).count;
    for (uint32_t k = 0; k < corners; k++) {
      const uint32_t origin = origins[first + k];
      if (origin < LWI_SIDE_ORIGIN) continue;
      if (!lwi_reserve(live->memory, &live->join.side_edges, &live->join.side_capacity, *count + 1,
                       sizeof(lwi_side_edge)))
        return false;
      live->join.side_edges[(*count)++] = (lwi_side_edge){origin, on_side(live, origin, i, k)};
    }
  }
  lwi_sort(live->join.side_edges, (size_t)*count, sizeof(lwi_side_edge), compare_side_edges);
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

static bool join_within(lwi_live *live, const lwi_block *block) {
  int count;
  if (!gather_sides(live, block, &count)) return false;
  for (int i = 0; i < count; i++)
    for (int k = i + 1; k < count && live->join.side_edges[k].origin == live->join.side_edges[i].origin; k++)
      if (!join_sides(live, &live->join.side_edges[i].at, &live->join.side_edges[k].at)) return false;
  return true;
}

/* --- between polygons of the base ------------------------------------------------------------------------- */

/* Two polygons of the base, each with its portal to the other. Places on the border are measured along the edge of the
   polygon with the lower number, its line, from 0 to 1. */
typedef struct border {
  uint32_t polygons[2], edges[2];
  lwi_portal_interval intervals[2];
  double length; /* [m] */
} border;

static bool find_border(const lw_navmesh *base, uint32_t polygon, const lwi_portal *portal, border *found) {
  const lwi_portal *back = lwi_portal_back(base, polygon, portal);
  if (!back) return false;
  const int own = polygon < portal->to ? 0 : 1, other = 1 - own;
  found->polygons[own] = polygon;
  found->polygons[other] = portal->to;
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

/* The edges on one side of a border: that of the whole polygon, or those of its pieces. `at` counts on, from 0.
   @return false: no more. */
static bool next_edge(const lwi_live *live, const border *of, int side, uint32_t *at, lwi_line_edge *found) {
  const uint32_t polygon = of->polygons[side], edge = of->edges[side];
  const lwi_span pieces = live->pieces[polygon];
  double begin = 0, end = 1;
  if (pieces.first == LWI_NONE) {
    if (*at > 0) return false;
    *found = (lwi_line_edge){polygon, edge, begin, end};
  } else {
    const uint32_t *origins = live->arrays[LWI_LIVE_EDGE_ORIGINS].items,
                   *owners = live->arrays[LWI_LIVE_EDGE_PIECES].items;
    const lwi_block *block = &live->blocks.items[live->block_of[polygon]];
    const uint32_t corners = block->corner_count;
    while (*at < corners && origins[block->corners.first + *at] != edge) *at += 1;
    if (*at == corners) return false;
    const uint32_t piece = owners[block->corners.first + *at],
                   own = block->corners.first + *at - live->mesh.polygons.ranges[piece].first_corner;
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

/* Of a whole polygon that borders a cut one, some portals stay as they are in the base. */
static bool join_across(lwi_live *live, const lwi_block *block, bool *changed) {
  const lw_navmesh *base = live->base;
  const uint32_t polygon = block->polygon;
  border at;
  for (uint32_t k = base->graph.first_portal[polygon]; k < base->graph.end_portal[polygon]; k++) {
    const lwi_portal *portal = &base->graph.portals[k];
    if (!block->is_cut && live->pieces[portal->to].first == LWI_NONE) {
      const lwi_live_portal same = {0, portal->to, portal->edge, lwi_interval_of_portal(base, portal)};
      if (!add_portal(live, polygon, same)) return false;
      continue;
    }
    *changed = true;
    if (find_border(base, polygon, portal, &at) && !join_border(live, &at, at.polygons[0] == polygon ? 0 : 1))
      return false;
  }
  return true;
}

/* --- storing ---------------------------------------------------------------------------------------------- */

static int compare_portals(const void *left, const void *right) {
  const lwi_live_portal *a = left, *b = right;
  if (a->from != b->from) return a->from < b->from ? -1 : 1;
  if (a->edge != b->edge) return a->edge < b->edge ? -1 : 1;
  if (a->interval.t0 != b->interval.t0) return a->interval.t0 < b->interval.t0 ? -1 : 1;
  return (a->to > b->to) - (a->to < b->to);
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

static void store(lwi_live *live, const lwi_block *block) {
  lw_navmesh *mesh = &live->mesh;
  const uint32_t base_portals = live->base->graph.portal_count,
                 base_intervals = live->base->graph.interval_count;
  for (int i = 0; i < live->join.portal_count; i++) {
    const lwi_live_portal *from = &live->join.portals[i];
    const uint32_t at = block->portals.first + (uint32_t)i, own = base_intervals + at - base_portals;
    const bool is_whole = from->interval.t0 <= 0 && from->interval.t1 >= 1;
    mesh->graph.intervals[own] = from->interval;
    mesh->graph.portals[at] = (lwi_portal){
        .to = from->to, .edge = from->edge & 0xff, .interval = (is_whole ? 0 : own) & LWI_MAX_INTERVALS};
    if (i == 0 || live->join.portals[i - 1].from != from->from) mesh->graph.first_portal[from->from] = at;
    ends_of(live)[from->from] = at + 1;
  }
}

void lwi_live_restore_portals(lwi_live *live, lwi_block *block) {
  const lw_navmesh *base = live->base;
  const uint32_t polygon = block->polygon, corner = base->polygons.ranges[polygon].first_corner;
  lwi_live_give_back(live, LWI_LIVE_PORTAL, &block->portals);
  live->mesh.graph.first_portal[polygon] = base->graph.first_portal[polygon];
  ends_of(live)[polygon] = block->is_cut ? base->graph.first_portal[polygon] : base->graph.end_portal[polygon];
  for (uint32_t i = corner; i < base->polygons.ranges[polygon + 1].first_corner; i++)
    live->mesh.polygons.edges[i] = base->polygons.edges[i];
}

static void forget_portals(lwi_live *live, const lwi_block *block) {
  const lwi_span parts = lwi_block_parts(block);
  for (uint32_t i = parts.first; i < parts.first + parts.count; i++)
    live->mesh.graph.first_portal[i] = ends_of(live)[i] = block->portals.first;
}

bool lwi_live_join(lwi_live *live, lwi_block *block) {
  bool changed = block->is_cut;
  live->join.portal_count = 0;
  if ((block->is_cut && !join_within(live, block)) || !join_across(live, block, &changed)) return false;
  lwi_live_restore_portals(live, block);
  if (!changed) return true;
  block->portals = lwi_live_take(live, LWI_LIVE_PORTAL, (uint32_t)live->join.portal_count);
  if (block->portals.space == 0) return false;
  lwi_sort(live->join.portals, (size_t)live->join.portal_count, sizeof *live->join.portals, compare_portals);
  forget_portals(live, block);
  store(live, block);
  const lwi_span parts = lwi_block_parts(block);
  for (uint32_t i = parts.first; i < parts.first + parts.count; i++) mark_edges(live, i);
  return true;
}
