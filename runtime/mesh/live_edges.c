/* Edges of pieces, by the lines that they come from: those on the border of their ground are listed in order, those on
   sides of footprints get their portals at once. */
#include "mesh/live_parts.h"

double lwi_edge_line_place(const lwi_edge_line *line, lwi_point2 at) {
  return ((at.x - line->from.x) * line->dx + (at.z - line->from.z) * line->dz) / line->length2;
}

lwi_edge_line lwi_edge_line_of(const lw_navmesh *base, uint32_t polygon, uint32_t edge) {
  const lwi_polygon whole = lwi_polygon_get(base, polygon);
  const lwi_point2 a = lwi_point2_of(lwi_corner(&whole, edge)),
                   b = lwi_point2_of(lwi_corner(&whole, lwi_next_corner(&whole, edge)));
  const double dx = b.x - a.x, dz = b.z - a.z;
  return (lwi_edge_line){a, dx, dz, dx * dx + dz * dz};
}

static lwi_line_edge *add_edge(lwi_live *live, lwi_edge_list *list) {
  if (!lwi_reserve(live->memory, &list->items, &list->capacity, list->count + 1, sizeof *list->items))
    return NULL;
  return &list->items[list->count++];
}

/* --- sorting ---------------------------------------------------------------------------------------------- */

static double low_of(const lwi_line_edge *edge) {
  return edge->begin < edge->end ? edge->begin : edge->end;
}

/* By where they come from, and along that; then as they are listed. */
static bool comes_before(const lwi_line_edge *a, const lwi_line_edge *b) {
  if (a->origin != b->origin) return a->origin < b->origin;
  const double low_a = low_of(a), low_b = low_of(b);
  if (low_a < low_b || low_a > low_b) return low_a < low_b;
  return a->polygon != b->polygon ? a->polygon < b->polygon : a->edge < b->edge;
}

/* Those that are `gap` apart from each other. */
static void sort_apart(lwi_line_edge *items, int count, int gap) {
  for (int i = gap; i < count; i++) {
    if (!comes_before(&items[i], &items[i - gap])) continue;
    const lwi_line_edge item = items[i];
    int at = i;
    for (; at >= gap && comes_before(&item, &items[at - gap]); at -= gap) items[at] = items[at - gap];
    items[at] = item;
  }
}

/* Shell's sort, with the gaps of Tokuda. */
static void sort_edges(lwi_edge_list *list) {
  static const int gaps[] = {1, 4, 9, 20, 46, 103, 233, 525, 1182, 2660, 5985, 13467, 30301, 68178};
  int last = (int)(sizeof gaps / sizeof *gaps) - 1;
  while (last > 0 && gaps[last] > list->count / 2) last--;
  for (int i = last; i >= 0; i--) sort_apart(list->items, list->count, gaps[i]);
}

/* --- within the ground ------------------------------------------------------------------------------------ */

lwi_portal_interval lwi_line_edge_part(const lwi_line_edge *edge, double from, double to, double unit) {
  const double length = edge->end - edge->begin;
  double t0 = (from - edge->begin) / length, t1 = (to - edge->begin) / length;
  if (t0 > t1) {
    const double last = t0;
    t0 = t1;
    t1 = last;
  }
  /* What ends at a corner but for rounding does so. */
  const double near = lwi_smaller(LWI_OVERLAP_MIN / unit, to - from) / 2 / fabs(length);
  return (lwi_portal_interval){t0 < near ? 0 : (float)t0, t1 > 1 - near ? 1 : (float)t1};
}

/* The portals of two edges to each other. */
static bool join_sides(lwi_live *live, const lwi_line_edge *a, const lwi_line_edge *b) {
  if ((a->begin < a->end) == (b->begin < b->end)) return true;
  double low, high;
  lwi_line_edges_overlap(a, b, &low, &high);
  if (!lwi_is_overlap(a, b, 1, low, high)) return true;
  return lwi_live_add_portal(live, &live->join.within, a, b, lwi_line_edge_part(a, low, high, 1), 0) &&
         lwi_live_add_portal(live, &live->join.within, b, a, lwi_line_edge_part(b, low, high, 1), 0);
}

/* Of each edge with those behind it on the same side that begin before its end. */
static bool join_within(lwi_live *live, lwi_block *block) {
  const lwi_edge_list *list = &live->join.edges;
  block->within = (lwi_span){(uint32_t)live->join.within.count, 0};
  for (int i = 0; i < list->count; i++) {
    const lwi_line_edge *a = &list->items[i];
    const double high = a->begin < a->end ? a->end : a->begin;
    for (int k = i + 1; k < list->count && list->items[k].origin == a->origin; k++) {
      if (low_of(&list->items[k]) >= high) break;
      if (!join_sides(live, a, &list->items[k])) return false;
    }
  }
  block->within.count = (uint32_t)live->join.within.count - block->within.first;
  return true;
}

/* --- on the border ---------------------------------------------------------------------------------------- */

static bool is_rim(uint32_t origin) {
  return origin < LWI_SIDE_ORIGIN || origin >= LWI_LINE_ORIGIN;
}

/* The line that an edge comes from: places along it are metres, but along edges of the base parts of them. */
static lwi_edge_line line_of(const lwi_live *live, const lwi_block *block, uint32_t origin) {
  if (origin < LWI_SIDE_ORIGIN) return lwi_edge_line_of(live->base, block->polygon, origin);
  if (origin >= LWI_LINE_ORIGIN) return lwi_edge_line_of_squares(origin);
  if (origin >= LWI_HEIGHT_ORIGIN) {
    const lwi_cut_side *along = &live->cut.lines[origin - LWI_HEIGHT_ORIGIN];
    return (lwi_edge_line){along->corner, along->direction.x, along->direction.z, 1};
  }
  const lwi_cut_shape *shape = &live->entries[(origin - LWI_SIDE_ORIGIN) / LWI_CUT_SIDES].shape;
  const lwi_cut_side *side = &shape->sides[(origin - LWI_SIDE_ORIGIN) % LWI_CUT_SIDES];
  return (lwi_edge_line){side->corner, side->direction.x, side->direction.z, 1};
}

static bool reserve_edges(lwi_live *live, lwi_edge_list *list) {
  list->count = 0;
  return lwi_reserve(live->memory, &list->items, &list->capacity, live->cut.now.corner_count,
                     sizeof *list->items);
}

/* List the edges of the cutter's pieces that are on sides of footprints or along a height, and those on the border. */
static bool list_edges(lwi_live *live, const lwi_block *block) {
  const lwi_cut_list *now = &live->cut.now;
  lwi_edge_list *sides = &live->join.edges, *rim = &live->join.rim;
  if (!reserve_edges(live, sides) || !reserve_edges(live, rim)) return false;
  for (int i = 0; i < now->piece_count; i++) {
    const lwi_cut_corner *corners = now->corners + now->pieces[i].first;
    const int count = now->pieces[i].count;
    for (int k = 0; k < count; k++) {
      const uint32_t origin = corners[k].origin, piece = block->pieces.first + (uint32_t)i;
      const lwi_edge_line line = line_of(live, block, origin);
      const double begin = lwi_edge_line_place(&line, lwi_cut_point(&corners[k]));
      /* Of the border, all edges that come from one lead the same way. */
      const double end = is_rim(origin)
                             ? begin
                             : lwi_edge_line_place(&line, lwi_cut_point(&corners[k + 1 < count ? k + 1 : 0]));
      lwi_edge_list *list = is_rim(origin) ? rim : sides;
      list->items[list->count++] = (lwi_line_edge){piece, (uint32_t)k, origin, begin, end};
    }
  }
  sort_edges(sides);
  sort_edges(rim);
  return true;
}

static bool keep_rim(lwi_live *live, lwi_block *block) {
  const lwi_edge_list *list = &live->join.rim;
  block->rim_count = (uint32_t)list->count;
  if (list->count == 0) return true;
  block->rim = lwi_live_take(live, LWI_LIVE_RIM, block->rim_count);
  if (block->rim.space == 0) return false;
  lwi_rim_edge *rim = (lwi_rim_edge *)live->arrays[LWI_LIVE_RIMS].items + block->rim.first;
  for (int i = 0; i < list->count; i++)
    rim[i] = (lwi_rim_edge){list->items[i].origin, (list->items[i].polygon - block->pieces.first) & 0xffffff,
                            list->items[i].edge & 0xff};
  return true;
}

bool lwi_live_take_edges(lwi_live *live, lwi_block *block) {
  return list_edges(live, block) && join_within(live, block) && keep_rim(live, block);
}

static lwi_line_edge edge_at(const lwi_live *live, const lwi_block *block, uint32_t i,
                             const lwi_edge_line *line) {
  const lwi_rim_edge *rim = (const lwi_rim_edge *)live->arrays[LWI_LIVE_RIMS].items + block->rim.first + i;
  const uint32_t piece = block->pieces.first + rim->piece;
  const lwi_polygon of = lwi_polygon_get(&live->mesh, piece);
  const uint32_t edge = rim->edge, next = lwi_next_corner(&of, edge);
  return (lwi_line_edge){piece, edge, rim->origin,
                         lwi_edge_line_place(line, lwi_point2_of(lwi_corner(&of, edge))),
                         lwi_edge_line_place(line, lwi_point2_of(lwi_corner(&of, next)))};
}

/* The first edge of the block's border that comes from there and ends behind a place; or the first one behind those. */
static uint32_t first_behind(const lwi_live *live, const lwi_block *block, uint32_t origin,
                             const lwi_edge_line *line, double place) {
  const lwi_rim_edge *rim = (const lwi_rim_edge *)live->arrays[LWI_LIVE_RIMS].items + block->rim.first;
  uint32_t low = 0, high = block->rim_count;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    bool is_before = rim[middle].origin < origin;
    if (rim[middle].origin == origin) {
      const lwi_line_edge edge = edge_at(live, block, middle, line);
      is_before = lwi_larger(edge.begin, edge.end) <= place;
    }
    if (is_before)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

bool lwi_live_list_rim(lwi_live *live, const lwi_block *block, uint32_t origin, const lwi_edge_line *line,
                       lwi_line_part part) {
  const lwi_rim_edge *rim = (const lwi_rim_edge *)live->arrays[LWI_LIVE_RIMS].items + block->rim.first;
  for (uint32_t i = first_behind(live, block, origin, line, part.from);
       i < block->rim_count && rim[i].origin == origin; i++) {
    const lwi_line_edge found = edge_at(live, block, i, line);
    if (low_of(&found) >= part.to) break;
    lwi_line_edge *edge = add_edge(live, &live->join.edges);
    if (!edge) return false;
    *edge = found;
  }
  return true;
}
