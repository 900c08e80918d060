/* A facet spans heights in each column that it crosses, and a column's spans are united. Where many facets overlap, the
   columns are halved again and again: of the facets that cross a whole range of columns, only those go on into its
   halves that are the lowest or the highest somewhere in it. So n facets on c columns take about (n + c) log n steps, as
   long as what they leave open is simple. */
#include "bake/wall_columns.h"

#include "core/vec3.h"
#include "cover/cover_run.h"

#include <stdlib.h>

/* Cuts closer than this are merged, gaps narrower than this closed. [m] */
#define CUT_APART 0.01
#define GAP 0.03f
/* So few facets are asked in each column. */
#define FEW 16

/* A facet that crosses some of the columns that are being filled. */
typedef struct lwi_wall_candidate {
  const lwi_wall_facet *facet;
  int first, end; /* its columns */
} lwi_wall_candidate;

typedef enum wall_edge { LOW, HIGH } wall_edge;

/* A facet between the middles of the first and the last column of a range, where it is bounded by one edge below and
   one above. */
typedef struct lwi_wall_part {
  lwi_wall_candidate of;
  double edges[2][2]; /* low and, negated, high: at the first and at the last column [m] */
  bool kept;
} lwi_wall_part;

/* The heights that a facet spans at one place. */
typedef struct reach {
  double low, high;
  int low_edge, high_edge; /* -1: none */
  int edges;               /* that cross the place */
} reach;

/* --- cuts ------------------------------------------------------------------------------------------------- */

static int compare_cuts(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/* Cut the wall at the corners of its facets, and between them into pieces of about LWI_COVER_COLUMN. */
static bool make_cuts(lwi_wall_columns *s, const lwi_walls *walls, const lwi_wall_plane *wall) {
  s->cut_count = 0;
  for (int i = wall->first_facet; i < wall->end; i++) {
    const lwi_wall_facet *facet = &walls->facets[walls->order[i]];
    if (!lwi_reserve(s->memory, &s->cuts, &s->cut_capacity, s->cut_count + facet->count, sizeof *s->cuts))
      return false;
    for (int k = 0; k < facet->count; k++) s->cuts[s->cut_count++] = lwi_wall_along(wall, facet->corners[k]);
  }
  qsort(s->cuts, (size_t)s->cut_count, sizeof *s->cuts, compare_cuts);
  int corners = 1;
  for (int i = 1; i < s->cut_count; i++)
    if (s->cuts[i] > s->cuts[corners - 1] + CUT_APART) s->cuts[corners++] = s->cuts[i];
  s->cut_count = corners;
  for (int i = 1; i < corners; i++) {
    double from = s->cuts[i - 1], to = s->cuts[i];
    int pieces = (int)ceil((to - from) / LWI_COVER_COLUMN);
    if (!lwi_reserve(s->memory, &s->cuts, &s->cut_capacity, s->cut_count + pieces, sizeof *s->cuts))
      return false;
    for (int k = 1; k < pieces; k++) s->cuts[s->cut_count++] = from + (to - from) * k / pieces;
  }
  qsort(s->cuts, (size_t)s->cut_count, sizeof *s->cuts, compare_cuts);
  return true;
}

/* --- facets ----------------------------------------------------------------------------------------------- */

static reach reach_at(const lwi_wall_plane *wall, const lwi_wall_facet *facet, double at) {
  reach found = {INFINITY, -INFINITY, -1, -1, 0};
  for (int i = 0; i < facet->count; i++) {
    lw_vec3 a = facet->corners[i], b = facet->corners[i + 1 < facet->count ? i + 1 : 0];
    double from = lwi_wall_along(wall, a), to = lwi_wall_along(wall, b);
    if ((from < at) == (to < at)) continue;
    double y = (double)a.y + ((double)b.y - (double)a.y) * (at - from) / (to - from);
    if (y < found.low) {
      found.low = y;
      found.low_edge = i;
    }
    if (y >= found.high) {
      found.high = y;
      found.high_edge = i;
    }
    found.edges += 1;
  }
  return found;
}

/* The first column whose centre is behind `at`. */
static int column_behind(const lwi_wall_columns *s, double at) {
  int low = 0, high = s->cut_count - 1;
  while (low < high) {
    int half = (low + high) / 2;
    if (lwi_wall_middle(s, half) > at)
      high = half;
    else
      low = half + 1;
  }
  return low;
}

static bool add_candidate(lwi_wall_columns *s, const lwi_wall_candidate *candidate) {
  const lwi_wall_candidate added = *candidate; /* it may be one of those that move */
  if (!lwi_reserve(s->memory, &s->candidates, &s->candidate_capacity, s->candidate_count + 1, sizeof added))
    return false;
  s->candidates[s->candidate_count++] = added;
  return true;
}

static bool find_candidates(lwi_wall_columns *s, const lwi_walls *walls, const lwi_wall_plane *wall) {
  s->candidate_count = 0;
  for (int i = wall->first_facet; i < wall->end; i++) {
    const lwi_wall_facet *facet = &walls->facets[walls->order[i]];
    double from = INFINITY, to = -INFINITY;
    for (int k = 0; k < facet->count; k++) {
      from = fmin(from, lwi_wall_along(wall, facet->corners[k]));
      to = fmax(to, lwi_wall_along(wall, facet->corners[k]));
    }
    lwi_wall_candidate found = {facet, column_behind(s, from), column_behind(s, to)};
    while (found.end > found.first && lwi_wall_middle(s, found.end - 1) >= to) found.end--;
    if (found.end > found.first && !add_candidate(s, &found)) return false;
  }
  return true;
}

/* --- few facets ------------------------------------------------------------------------------------------- */

static int compare_spans(const void *left, const void *right) {
  const lwi_wall_span *a = left, *b = right;
  return (a->low > b->low) - (a->low < b->low);
}

/* Unite spans of one column that touch: those from `first` on. */
static void unite(lwi_wall_columns *s, int first) {
  if (s->span_count - first < 2) return;
  qsort(s->spans + first, (size_t)(s->span_count - first), sizeof *s->spans, compare_spans);
  int count = first + 1;
  for (int i = first + 1; i < s->span_count; i++) {
    lwi_wall_span *last = &s->spans[count - 1];
    if (s->spans[i].low <= last->high + GAP)
      last->high = fmaxf(last->high, s->spans[i].high);
    else
      s->spans[count++] = s->spans[i];
  }
  s->span_count = count;
}

/* The spans of a column from the candidates from `begin` on. */
static bool fill_column(lwi_wall_columns *s, const lwi_wall_plane *wall, int column, int begin) {
  const int first = s->span_count;
  const double at = lwi_wall_middle(s, column);
  for (int i = begin; i < s->candidate_count; i++) {
    const lwi_wall_candidate *candidate = &s->candidates[i];
    if (column < candidate->first || column >= candidate->end) continue;
    const reach found = reach_at(wall, candidate->facet, at);
    const lwi_wall_span span = {column, (float)found.low, (float)found.high};
    if (!(span.high > span.low)) continue;
    if (!lwi_reserve(s->memory, &s->spans, &s->span_capacity, s->span_count + 1, sizeof span)) return false;
    s->spans[s->span_count++] = span;
  }
  unite(s, first);
  return true;
}

/* --- many facets ------------------------------------------------------------------------------------------ */

static double lowest_top(const lwi_wall_part *part) {
  return -fmax(part->edges[HIGH][0], part->edges[HIGH][1]);
}

static int compare_lowest_tops(const void *left, const void *right) {
  const double a = lowest_top(left), b = lowest_top(right);
  return (a > b) - (a < b);
}

static int compare_edges(const double a[2], const double b[2]) {
  if (a[0] != b[0]) return a[0] < b[0] ? -1 : 1;
  return (a[1] > b[1]) - (a[1] < b[1]);
}

static int compare_lows(const void *left, const void *right) {
  const lwi_wall_part *a = left, *b = right;
  return compare_edges(a->edges[LOW], b->edges[LOW]);
}

static int compare_highs(const void *left, const void *right) {
  const lwi_wall_part *a = left, *b = right;
  return compare_edges(a->edges[HIGH], b->edges[HIGH]);
}

/* Whether b is nowhere lower than both a and c, where a begins lower and c ends lower. */
static bool is_above(const double a[2], const double b[2], const double c[2]) {
  return (b[0] - a[0]) * (c[1] - a[1]) <= (b[1] - a[1]) * (c[0] - a[0]);
}

/* Keep the parts whose edge is the lowest (of negated heights: the highest) somewhere: with its heights at both ends
   for coordinates they are the lower left part of the convex hull (Andrew 1979). The parts found so far come first. */
static void keep_outer(lwi_wall_part *parts, int count, wall_edge edge) {
  int found = 0;
  qsort(parts, (size_t)count, sizeof *parts, edge == LOW ? compare_lows : compare_highs);
  for (int i = 0; i < count; i++) {
    if (found > 0 && parts[i].edges[edge][1] >= parts[found - 1].edges[edge][1]) continue;
    while (found > 1 &&
           is_above(parts[found - 2].edges[edge], parts[found - 1].edges[edge], parts[i].edges[edge]))
      found--;
    const lwi_wall_part next = parts[i];
    parts[i] = parts[found];
    parts[found++] = next;
  }
  for (int i = 0; i < found; i++) parts[i].kept = true;
}

/* Parts that hold a common height in all columns are solid from the lowest to the highest of them. */
static void keep_outermost(lwi_wall_part *parts, int count) {
  qsort(parts, (size_t)count, sizeof *parts, compare_lowest_tops);
  for (int first = 0, end; first < count; first = end) {
    const double height = lowest_top(&parts[first]);
    for (end = first; end < count && fmax(parts[end].edges[LOW][0], parts[end].edges[LOW][1]) <= height;) end++;
    keep_outer(parts + first, end - first, LOW);
    keep_outer(parts + first, end - first, HIGH);
  }
}

/* Whether the facet crosses all columns of the range and holds one height in all. If so, `part` is filled in. */
static bool is_part(lwi_wall_part *part, const lwi_wall_columns *s, const lwi_wall_plane *wall, int first,
                    int end) {
  const lwi_wall_facet *facet = part->of.facet;
  if (part->of.first > first || part->of.end < end) return false;
  const reach from = reach_at(wall, facet, lwi_wall_middle(s, first)),
              to = reach_at(wall, facet, lwi_wall_middle(s, end - 1));
  if (from.edges != 2 || to.edges != 2 || from.low_edge != to.low_edge || from.high_edge != to.high_edge ||
      fmax(from.low, to.low) > fmin(from.high, to.high))
    return false;
  part->edges[LOW][0] = from.low;
  part->edges[LOW][1] = to.low;
  part->edges[HIGH][0] = -from.high;
  part->edges[HIGH][1] = -to.high;
  return true;
}

/* Leave out candidates from `begin` on that others cover in all columns of the range. */
static bool thin_out(lwi_wall_columns *s, const lwi_wall_plane *wall, int first, int end, int begin) {
  int left = begin;
  s->part_count = 0;
  for (int i = begin; i < s->candidate_count; i++) {
    lwi_wall_part part = {.of = s->candidates[i]};
    if (!is_part(&part, s, wall, first, end)) {
      s->candidates[left++] = part.of;
      continue;
    }
    if (!lwi_reserve(s->memory, &s->parts, &s->part_capacity, s->part_count + 1, sizeof part)) return false;
    s->parts[s->part_count++] = part;
  }
  if (s->part_count > 0) keep_outermost(s->parts, s->part_count);
  for (int i = 0; i < s->part_count; i++)
    if (s->parts[i].kept) s->candidates[left++] = s->parts[i].of;
  s->candidate_count = left;
  return true;
}

static bool fill_range(lwi_wall_columns *s, const lwi_wall_plane *wall, int first, int end, int begin);

/* Of the candidates from `begin` on, those that cross a part of the columns go on. */
static bool fill_half(lwi_wall_columns *s, const lwi_wall_plane *wall, int first, int end, int begin) {
  const int before = s->candidate_count;
  for (int i = begin; i < before; i++)
    if (s->candidates[i].first < end && s->candidates[i].end > first && !add_candidate(s, &s->candidates[i]))
      return false;
  const bool done = fill_range(s, wall, first, end, before);
  s->candidate_count = before;
  return done;
}

/* The spans of the columns from `first` to before `end`. */
static bool fill_range(lwi_wall_columns *s, const lwi_wall_plane *wall, int first, int end, int begin) {
  if (end - first > 1 && s->candidate_count - begin > FEW) {
    const int half = first + (end - first) / 2;
    return thin_out(s, wall, first, end, begin) && fill_half(s, wall, first, half, begin) &&
           fill_half(s, wall, half, end, begin);
  }
  for (int column = first; column < end; column++)
    if (!fill_column(s, wall, column, begin)) return false;
  return true;
}

bool lwi_wall_columns_make(lwi_wall_columns *columns, const lwi_walls *walls, const lwi_wall_plane *wall) {
  columns->span_count = 0;
  return make_cuts(columns, walls, wall) && find_candidates(columns, walls, wall) &&
         fill_range(columns, wall, 0, columns->cut_count - 1, 0);
}

void lwi_wall_columns_free(lwi_wall_columns *columns) {
  lwi_memory *memory = columns->memory;
  lwi_free(memory, columns->cuts, (size_t)columns->cut_capacity * sizeof *columns->cuts);
  lwi_free(memory, columns->spans, (size_t)columns->span_capacity * sizeof *columns->spans);
  lwi_free(memory, columns->candidates, (size_t)columns->candidate_capacity * sizeof *columns->candidates);
  lwi_free(memory, columns->parts, (size_t)columns->part_capacity * sizeof *columns->parts);
  *columns = (lwi_wall_columns){.memory = memory};
}
