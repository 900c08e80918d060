/* Pieces whose common edge is no longer needed become one. Each footprint splits all pieces that its lines cross, and what a
   later one takes out often makes two pieces convex together that were split by an earlier one. */
#include "mesh/cut_parts.h"

#include <string.h>

/* Merged pieces have at most as many corners: with more, what looks at all portals of a piece would take longer. */
#define MERGED_CORNERS_MAX 16
/* Fewer pieces are what one footprint leaves, of which no two are convex together. */
#define FEW_PIECES 5

/* --- edges that two pieces may have in common ----------------------------------------------------------------- */

/* The lists that edges are in, by where they come from: a power of two, at least as many as there are edges. Let them be
   empty. @return false: no memory. */
static bool begin_edges(lwi_cutter *cut) {
  int corners = 0, lists = 16;
  for (int i = 0; i < cut->now.piece_count; ++i) corners += cut->now.pieces[i].count;
  while (lists < corners) lists *= 2;
  cut->edge_count = 0;
  cut->edge_lists = lists;
  if (!lwi_reserve(cut->memory, &cut->edges, &cut->edge_capacity, corners, sizeof *cut->edges) ||
      !lwi_reserve(cut->memory, &cut->first_edges, &cut->first_edge_capacity, lists, sizeof *cut->first_edges))
    return false;
  memset(cut->first_edges, 0xff, (size_t)lists * sizeof *cut->first_edges);
  return true;
}

static int *first_edge(lwi_cutter *cut, uint32_t origin) {
  return &cut->first_edges[(origin * 0x9e3779b1U >> 8) & (uint32_t)(cut->edge_lists - 1)];
}

/* --- two pieces ----------------------------------------------------------------------------------------------- */

/* A corner of a piece, counted on from where an edge begins. */
static const lwi_cut_corner *corner_at(const lwi_cutter *cut, const lwi_cut_edge *edge, int on) {
  const lwi_cut_piece *piece = &cut->now.pieces[edge->piece];
  return &cut->now.corners[piece->first + (edge->corner + on + piece->count) % piece->count];
}

static bool is_same_place(const lwi_cut_corner *a, const lwi_cut_corner *b, double slack) {
  return a->vertex == b->vertex || lwi_point2_apart2(lwi_cut_point(a), lwi_cut_point(b)) <= slack * slack;
}

static bool is_same_mark(const lwi_cut_mark *a, const lwi_cut_mark *b) {
  return a->area == b->area && a->headroom == b->headroom && a->cost >= b->cost && a->cost <= b->cost;
}

/* What becomes of a corner where an edge ends that two pieces had in common. */
typedef enum merged_corner { CORNER_STAYS, CORNER_GOES, CORNER_IS_REFLEX } merged_corner;

/* @param before  The corner before it, of one piece. @param after  That behind it, of the other one.
   @param origin  Of the edge to `after`. */
static merged_corner corner_between(const lwi_cut_corner *before, const lwi_cut_corner *at,
                                    const lwi_cut_corner *after, uint32_t origin, double slack) {
  const lwi_point2 a = lwi_cut_point(before), b = lwi_cut_point(at), c = lwi_cut_point(after);
  const double dx = c.x - a.x, dz = c.z - a.z;
  const double out = (b.z - a.z) * dx - (b.x - a.x) * dz, width2 = dx * dx + dz * dz;
  const bool is_off = out * out > slack * slack * width2;
  const bool is_between = (b.x - a.x) * (c.x - b.x) + (b.z - a.z) * (c.z - b.z) > 0;
  if (before->origin == origin) return is_off || !is_between ? CORNER_IS_REFLEX : CORNER_GOES;
  return out > 0 && is_off ? CORNER_STAYS : CORNER_IS_REFLEX;
}

/* Is it one edge, in both directions? */
static bool is_common(const lwi_cutter *cut, const lwi_cut_edge *a, const lwi_cut_edge *b, double slack) {
  return is_same_place(corner_at(cut, a, 0), corner_at(cut, b, 1), slack) &&
         is_same_place(corner_at(cut, a, 1), corner_at(cut, b, 0), slack);
}

/* Write the corners of both pieces, but for those that go, behind all others. @return How many. */
static int join_corners(const lwi_cutter *cut, const lwi_cut_edge *a, const lwi_cut_edge *b,
                        merged_corner first, merged_corner last, lwi_cut_corner *to) {
  const int of_a = cut->now.pieces[a->piece].count, of_b = cut->now.pieces[b->piece].count;
  int count = 0;
  for (int i = last == CORNER_GOES ? 2 : 1; i < of_a; ++i) to[count++] = *corner_at(cut, a, i);
  if (first == CORNER_STAYS) {
    to[count] = *corner_at(cut, a, 0);
    to[count++].origin = corner_at(cut, b, 1)->origin;
  }
  for (int i = 2; i < of_b; ++i) to[count++] = *corner_at(cut, b, i);
  return count;
}

/* Make one piece of two that have an edge in common, if it is convex. @param[out] merged  Is it?
   @return false: no memory. */
static bool merge(lwi_cutter *cut, const lwi_cut_edge *a, const lwi_cut_edge *b, double slack, bool *merged) {
  lwi_cut_list *now = &cut->now;
  lwi_cut_piece *one = &now->pieces[a->piece], *other = &now->pieces[b->piece];
  const int count = one->count + other->count - 2;
  *merged = false;
  if (a->piece == b->piece || count > MERGED_CORNERS_MAX || !is_same_mark(&one->mark, &other->mark) ||
      !is_common(cut, a, b, slack))
    return true;
  const merged_corner first = corner_between(corner_at(cut, a, -1), corner_at(cut, a, 0), corner_at(cut, b, 2),
                                             corner_at(cut, b, 1)->origin, slack),
                      last = corner_between(corner_at(cut, b, -1), corner_at(cut, a, 1), corner_at(cut, a, 2),
                                            corner_at(cut, a, 1)->origin, slack);
  if (first == CORNER_IS_REFLEX || last == CORNER_IS_REFLEX) return true;
  if (!lwi_reserve(cut->memory, &now->corners, &now->corner_capacity, now->corner_count + count,
                   sizeof *now->corners))
    return false;
  const int joined = join_corners(cut, a, b, first, last, now->corners + now->corner_count);
  *one = (lwi_cut_piece){.first = now->corner_count, .count = joined, .mark = one->mark, .is_merged = true};
  *other = (lwi_cut_piece){.is_merged = true};
  now->corner_count += joined;
  *merged = true;
  return true;
}

/* --- all pieces ----------------------------------------------------------------------------------------------- */

/* Merge a piece by one of its edges with one that was listed before. @return false: no memory. */
static bool merge_by(lwi_cutter *cut, const lwi_cut_edge *edge, double slack, bool *merged) {
  const uint32_t origin = corner_at(cut, edge, 0)->origin;
  int *first = first_edge(cut, origin);
  *merged = false;
  for (int i = *first; i >= 0; i = cut->edges[i].next) {
    const lwi_cut_edge *other = &cut->edges[i];
    if (other->origin != origin || cut->now.pieces[other->piece].is_merged) continue;
    if (!merge(cut, other, edge, slack, merged) || *merged) return *merged;
  }
  lwi_cut_edge *own = &cut->edges[cut->edge_count];
  *own = *edge;
  own->origin = origin;
  own->next = *first;
  *first = cut->edge_count++;
  return true;
}

/* Each piece is merged once. @param[out] merged  How many are gone. @return false: no memory. */
static bool merge_once(lwi_cutter *cut, double slack, int *merged) {
  *merged = 0;
  if (!begin_edges(cut)) return false;
  for (int i = 0; i < cut->now.piece_count; ++i) {
    const lwi_cut_piece *piece = &cut->now.pieces[i];
    bool is_merged = false;
    for (int k = 0; k < piece->count && !is_merged; ++k) {
      if (!lwi_cut_is_within(cut->now.corners[piece->first + k].origin)) continue;
      const lwi_cut_edge edge = {.piece = i, .corner = k};
      if (!merge_by(cut, &edge, slack, &is_merged)) return false;
    }
    *merged += is_merged;
  }
  return true;
}

static void drop_empty(lwi_cut_list *list) {
  int kept = 0;
  for (int i = 0; i < list->piece_count; ++i) {
    list->pieces[i].is_merged = false;
    if (list->pieces[i].count > 0) list->pieces[kept++] = list->pieces[i];
  }
  list->piece_count = kept;
}

/* So far a corner may be from a line that it lies on, at the largest coordinate of the pieces. [m] */
static double slack_of(const lwi_cut_list *list) {
  double far = 0;
  for (int i = 0; i < list->pieces[0].count; ++i) {
    const lwi_cut_corner *corner = &list->corners[list->pieces[0].first + i];
    far = lwi_larger(far, (double)lwi_max(fabsf(corner->x), fabsf(corner->z)));
  }
  return lwi_cut_slack(far);
}

bool lwi_cut_merge(lwi_cutter *cut) {
  if (cut->now.piece_count < FEW_PIECES) return true;
  const double slack = slack_of(&cut->now);
  int merged = 1;
  while (merged > 0) {
    if (!merge_once(cut, slack, &merged)) return false;
    drop_empty(&cut->now);
  }
  return true;
}
