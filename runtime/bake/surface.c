#include "bake/surface.h"

#include "core/vec3.h"
#include "sight/bvh.h"

#include <stdlib.h>
#include <string.h>

/* Facets within this distance of their plane are flat. [m] */
#define FLAT 1e-5
/* Floats do not hold coordinates beyond this to the quantum. [quanta] */
#define FAR 4e6

/* --- facets ----------------------------------------------------------------------------------------------- */

static bool is_bent(const lwi_surface_facet *facet) {
  if (facet->count == 3) return false;
  lwi_dvec3 normal = lwi_surface_normal(facet);
  double length = lwi_dvec3_length(normal);
  for (int i = 0; i < facet->count; i++) {
    double off = lwi_dvec3_dot(normal, lwi_dvec3_sub(facet->corners[i], facet->corners[0]));
    if (!(fabs(off) <= FLAT * length)) return true;
    lwi_dvec3 here = lwi_surface_normal_at(facet, i);
    if (!(lwi_dvec3_dot(here, normal) >= -1e-9 * length * lwi_dvec3_length(here))) return true;
  }
  return false;
}

/* A facet too far out for exact coordinates counts as soft, so that it never proves anything. */
static void take_facet(const lwi_occluders *of, const lwi_occluder_facet *from, lwi_surface_facet *to) {
  *to = (lwi_surface_facet){.count = from->count, .kind = from->kind};
  to->min = (lwi_dvec3){INFINITY, INFINITY, INFINITY};
  to->max = (lwi_dvec3){-INFINITY, -INFINITY, -INFINITY};
  const double quantum = (double)of->quantum;
  for (int i = 0; i < from->count; i++) {
    lw_vec3 at = from->corners[i];
    if (lwi_dmax(fabs((double)at.x), lwi_dmax(fabs((double)at.y), fabs((double)at.z))) > FAR * quantum)
      to->kind = LW_COVER_SOFT;
    lwi_dvec3 c = {of->origin.x + quantum * rint((double)at.x / quantum),
                   of->origin.y + quantum * rint((double)at.y / quantum),
                   of->origin.z + quantum * rint((double)at.z / quantum)};
    to->corners[i] = c;
    to->min = (lwi_dvec3){lwi_dmin(to->min.x, c.x), lwi_dmin(to->min.y, c.y), lwi_dmin(to->min.z, c.z)};
    to->max = (lwi_dvec3){lwi_dmax(to->max.x, c.x), lwi_dmax(to->max.y, c.y), lwi_dmax(to->max.z, c.z)};
  }
  to->bent = is_bent(to);
}

static bool read_facets(lwi_surface *s) {
  const lwi_occluders *of = s->occluders;
  lwi_occluder_cursor cursor = {0};
  lwi_occluder_facet facet;
  s->facets = lwi_alloc(s->memory, of->facet_count * sizeof *s->facets);
  s->first_facet = lwi_alloc_zero(s->memory, ((size_t)of->leaf_count + 1) * sizeof *s->first_facet);
  if (!s->facets || !s->first_facet) return false;
  for (uint32_t leaf = cursor.leaf; lwi_occluders_next(of, &cursor, &facet); leaf = cursor.leaf) {
    take_facet(of, &facet, &s->facets[s->count++]);
    s->first_facet[leaf + 1] = s->count;
  }
  return true;
}

/* --- edges ------------------------------------------------------------------------------------------------ */

/* An edge of a facet on its line, in quanta: the line's direction without common divisor, and its moment
   about the origin. */
typedef struct line_edge {
  int64_t direction[3], moment[3];
  int64_t low, high; /* position along the first axis on which the direction is not 0 */
  int32_t ends[2][3];
  uint32_t facet;
} line_edge;

static int64_t divisor(int64_t a, int64_t b) {
  while (b != 0) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

static void quanta_of(const lwi_occluders *of, lwi_dvec3 at, int32_t quanta[3]) {
  quanta[0] = (int32_t)lrint((at.x - of->origin.x) / (double)of->quantum);
  quanta[1] = (int32_t)lrint((at.y - of->origin.y) / (double)of->quantum);
  quanta[2] = (int32_t)lrint((at.z - of->origin.z) / (double)of->quantum);
}

/* @return false: both ends are one point. */
static bool put_on_line(const lwi_occluders *of, lwi_dvec3 a, lwi_dvec3 b, line_edge *edge) {
  quanta_of(of, a, edge->ends[0]);
  quanta_of(of, b, edge->ends[1]);
  int64_t common = 0;
  int axis = -1;
  for (int i = 0; i < 3; i++) {
    edge->direction[i] = (int64_t)edge->ends[1][i] - edge->ends[0][i];
    common = divisor(common, edge->direction[i]);
    if (axis < 0 && edge->direction[i] != 0) axis = i;
  }
  if (axis < 0) return false;
  if (edge->direction[axis] < 0) {
    int32_t swap[3];
    memcpy(swap, edge->ends[0], sizeof swap);
    memcpy(edge->ends[0], edge->ends[1], sizeof swap);
    memcpy(edge->ends[1], swap, sizeof swap);
    common = -common;
  }
  const int32_t *p = edge->ends[0];
  for (int i = 0; i < 3; i++) edge->direction[i] /= common;
  const int64_t *w = edge->direction;
  edge->moment[0] = p[1] * w[2] - p[2] * w[1];
  edge->moment[1] = p[2] * w[0] - p[0] * w[2];
  edge->moment[2] = p[0] * w[1] - p[1] * w[0];
  edge->low = edge->ends[0][axis];
  edge->high = edge->ends[1][axis];
  return true;
}

static int compare_lines(const line_edge *a, const line_edge *b) {
  for (int i = 0; i < 3; i++)
    if (a->direction[i] != b->direction[i]) return a->direction[i] < b->direction[i] ? -1 : 1;
  for (int i = 0; i < 3; i++)
    if (a->moment[i] != b->moment[i]) return a->moment[i] < b->moment[i] ? -1 : 1;
  return 0;
}

static int compare_edges(const void *left, const void *right) {
  const line_edge *a = left, *b = right;
  int order = compare_lines(a, b);
  if (order != 0) return order;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  if (a->facet != b->facet) return a->facet < b->facet ? -1 : 1;
  return (a->high > b->high) - (a->high < b->high);
}

/* Edges being joined. */
typedef struct joining {
  lwi_surface *surface;
  line_edge *edges; /* sorted */
  int count;
} joining;

static bool list_edges(joining *j) {
  const lwi_surface *s = j->surface;
  for (uint32_t f = 0; f < s->count; f++) {
    const lwi_surface_facet *facet = &s->facets[f];
    for (int i = 0; i < facet->count && facet->kind == LW_COVER_HARD; i++) {
      line_edge *edge = &j->edges[j->count];
      edge->facet = f;
      j->count += put_on_line(s->occluders, facet->corners[i], facet->corners[(i + 1) % facet->count], edge);
    }
  }
  return true;
}

static lwi_dvec3 point_of(const lwi_occluders *of, const int32_t at[3]) {
  const double quantum = (double)of->quantum;
  return (lwi_dvec3){of->origin.x + at[0] * quantum, of->origin.y + at[1] * quantum,
                     of->origin.z + at[2] * quantum};
}

/* The first end of an edge behind `at`. NULL: none. */
static const int32_t *next_end(const line_edge *edges, int count, int64_t at, int64_t *next) {
  const int32_t *found = NULL;
  for (int i = 0; i < count; i++) {
    if (edges[i].low > at && (!found || edges[i].low < *next)) {
      found = edges[i].ends[0];
      *next = edges[i].low;
    }
    if (edges[i].high > at && (!found || edges[i].high < *next)) {
      found = edges[i].ends[1];
      *next = edges[i].high;
    }
  }
  return found;
}

/* The direction of a facet from an edge, of unit length. */
static lwi_dvec3 direction_from(const lwi_surface_facet *facet, const lwi_surface_edge *edge) {
  lwi_dvec3 along = lwi_dvec3_sub(edge->b, edge->a), sum = {0, 0, 0};
  for (int i = 0; i < facet->count; i++) {
    lwi_dvec3 off = lwi_dvec3_sub(facet->corners[i], edge->a);
    sum = (lwi_dvec3){sum.x + off.x, sum.y + off.y, sum.z + off.z};
  }
  double part = lwi_dvec3_dot(sum, along) / lwi_dvec3_dot(along, along);
  lwi_dvec3 direction = {sum.x - part * along.x, sum.y - part * along.y, sum.z - part * along.z};
  double length = lwi_dvec3_length(direction);
  return length > 0 ? (lwi_dvec3){direction.x / length, direction.y / length, direction.z / length} : direction;
}

static void swap_facets(uint32_t *a, uint32_t *b) {
  uint32_t swap = *a;
  *a = *b;
  *b = swap;
}

/* Where more than two facets meet, pair those that continue each other straightest: the fronts of two boxes
   side by side, and what lies between the boxes by itself. */
static void match_facets(const lwi_surface *s, const lwi_surface_edge *edge) {
  uint32_t *beside = s->beside + edge->first;
  for (uint32_t done = 0; done + 2 < edge->count; done += 2) {
    uint32_t best[2] = {done, done + 1};
    double straightest = INFINITY;
    for (uint32_t i = done; i < edge->count; i++)
      for (uint32_t k = i + 1; k < edge->count; k++) {
        double bend = lwi_dvec3_dot(direction_from(&s->facets[beside[i]], edge),
                                    direction_from(&s->facets[beside[k]], edge));
        if (bend >= straightest - 1e-9) continue;
        straightest = bend;
        best[0] = i;
        best[1] = k;
      }
    swap_facets(&beside[done], &beside[best[0]]);
    swap_facets(&beside[done + 1], &beside[best[1]]);
  }
}

/* A facet that has the part twice is folded there: both count as none. @return false: out of memory. */
static bool add_beside(lwi_surface *s, lwi_surface_edge *edge, uint32_t facet) {
  for (uint32_t i = 0; i < edge->count; i++) {
    if (s->beside[edge->first + i] != facet) continue;
    s->beside[edge->first + i] = s->beside[edge->first + --edge->count];
    s->beside_count--;
    return true;
  }
  if (!lwi_reserve(s->memory, &s->beside, &s->beside_capacity, s->beside_count + 1, sizeof *s->beside))
    return false;
  s->beside[s->beside_count++] = facet;
  edge->count++;
  return true;
}

/* Part of a line between two neighbouring ends of edges. */
typedef struct line_interval {
  int64_t low, high;
  lwi_dvec3 a, b;
} line_interval;

static bool add_interval(joining *j, const line_edge *edges, int count, const line_interval *part) {
  lwi_surface *s = j->surface;
  lwi_surface_edge edge = {part->a, part->b, (uint32_t)s->beside_count, 0};
  for (int i = 0; i < count; i++) {
    if (edges[i].low > part->low || edges[i].high < part->high) continue;
    if (!add_beside(s, &edge, edges[i].facet)) return false;
  }
  if (edge.count == 0) return true; /* a gap between edges */
  match_facets(s, &edge);
  if (!lwi_reserve(s->memory, &s->edges, &s->edge_capacity, s->edge_count + 1, sizeof *s->edges)) return false;
  s->edges[s->edge_count++] = edge;
  return true;
}

/* Join edges on one line of which each overlaps the next. */
static bool join_run(joining *j, const line_edge *edges, int count) {
  const lwi_occluders *of = j->surface->occluders;
  const int32_t *at = edges[0].ends[0], *end;
  int64_t low = edges[0].low, high = 0;
  while ((end = next_end(edges, count, low, &high)) != NULL) {
    const line_interval part = {low, high, point_of(of, at), point_of(of, end)};
    if (!add_interval(j, edges, count, &part)) return false;
    at = end;
    low = high;
  }
  return true;
}

static bool join_edges(joining *j) {
  for (int i = 0, end; i < j->count; i = end) {
    int64_t high = j->edges[i].high;
    for (end = i + 1;
         end < j->count && compare_lines(&j->edges[i], &j->edges[end]) == 0 && j->edges[end].low < high; end++)
      high = j->edges[end].high > high ? j->edges[end].high : high;
    if (!join_run(j, j->edges + i, end - i)) return false;
  }
  return true;
}

/* List the edges of each facet. */
static bool list_intervals(lwi_surface *s) {
  s->edges_of = lwi_alloc(s->memory, (size_t)s->beside_count * sizeof *s->edges_of);
  if (!s->edges_of) return s->beside_count == 0;
  for (int i = 0; i < s->beside_count; i++) s->facets[s->beside[i]].edge_count++;
  for (uint32_t f = 0, first = 0; f < s->count; f++) {
    s->facets[f].first_edge = first;
    first += s->facets[f].edge_count;
    s->facets[f].edge_count = 0;
  }
  for (int e = 0; e < s->edge_count; e++)
    for (uint32_t i = 0; i < s->edges[e].count; i++) {
      lwi_surface_facet *facet = &s->facets[s->beside[s->edges[e].first + i]];
      s->edges_of[facet->first_edge + facet->edge_count++] = (uint32_t)e;
    }
  return true;
}

static bool join(lwi_surface *s) {
  size_t edges = 0;
  for (uint32_t f = 0; f < s->count; f++) edges += s->facets[f].count;
  joining j = {.surface = s, .edges = lwi_alloc(s->memory, edges * sizeof *j.edges)};
  if (!j.edges) return edges == 0;
  bool done = list_edges(&j);
  qsort(j.edges, (size_t)j.count, sizeof *j.edges, compare_edges);
  done = done && join_edges(&j) && list_intervals(s);
  lwi_free(s->memory, j.edges, edges * sizeof *j.edges);
  return done;
}

bool lwi_surface_make(lwi_surface *surface, const lwi_occluders *occluders, const lwi_sight_lines *lines,
                      lwi_memory *memory) {
  *surface = (lwi_surface){.memory = memory, .occluders = occluders, .lines = lines};
  return occluders->facet_count == 0 || (read_facets(surface) && join(surface));
}

void lwi_surface_free(lwi_surface *s) {
  const lwi_occluders *of = s->occluders;
  if (!of) return; /* not created */
  lwi_free(s->memory, s->facets, of->facet_count * sizeof *s->facets);
  lwi_free(s->memory, s->first_facet, ((size_t)of->leaf_count + 1) * sizeof *s->first_facet);
  lwi_free(s->memory, s->edges, (size_t)s->edge_capacity * sizeof *s->edges);
  lwi_free(s->memory, s->beside, (size_t)s->beside_capacity * sizeof *s->beside);
  lwi_free(s->memory, s->edges_of, (size_t)s->beside_count * sizeof *s->edges_of);
}

/* --- proofs ----------------------------------------------------------------------------------------------- */

/* Facets within this distance of a region, or of a line between two regions, count as touching: it covers
   rounding, facets that are not quite flat, and agents a little beside a region. [m] */
#define MARGIN 0.07
/* A line that passes an edge this closely may pass on either side. [m] */
#define NEAR 1e-4
#define PIERCED_MAX 64

bool lwi_surface_scratch_make(lwi_surface_scratch *scratch, const lwi_surface *surface, lwi_memory *memory) {
  *scratch = (lwi_surface_scratch){0};
  if (surface->count == 0) return true;
  scratch->seen = lwi_alloc_zero(memory, surface->count * sizeof *scratch->seen);
  scratch->queue = lwi_alloc(memory, LWI_SURFACE_MAX * sizeof *scratch->queue);
  return scratch->seen && scratch->queue;
}

void lwi_surface_scratch_free(lwi_surface_scratch *scratch, const lwi_surface *surface, lwi_memory *memory) {
  lwi_free(memory, scratch->seen, surface->count * sizeof *scratch->seen);
  lwi_free(memory, scratch->queue, LWI_SURFACE_MAX * sizeof *scratch->queue);
}

/* A proof: two regions, a line between their centres, and the shaft of all lines. */
typedef struct viewing {
  const lwi_surface *surface;
  const lwi_hull *hulls[2];
  lwi_shaft about[2], between;
  lwi_dvec3 from, to;
  lwi_surface_scratch *scratch;
  uint32_t before; /* attempts before this proof */
} viewing;

/* --- one line --------------------------------------------------------------------------------------------- */

/* Are the ends on different sides of the facet's plane? @return 1: yes; 0: no; -1: one is too near to it. */
static int is_between(const lwi_surface_facet *facet, lwi_dvec3 from, lwi_dvec3 to) {
  const lwi_dvec3 normal = lwi_surface_normal(facet);
  double slack = NEAR * lwi_dvec3_length(normal),
         a = lwi_dvec3_dot(normal, lwi_dvec3_sub(from, facet->corners[0])),
         b = lwi_dvec3_dot(normal, lwi_dvec3_sub(to, facet->corners[0]));
  if (!(fabs(a) > slack && fabs(b) > slack)) return -1;
  return (a > 0) != (b > 0);
}

/* Does the line pass through the facet? @return 1: yes; 0: no; -1: it passes too near to an edge. */
static int passes(const lwi_surface_facet *facet, lwi_dvec3 from, lwi_dvec3 to) {
  lwi_dvec3 direction = lwi_dvec3_sub(to, from);
  const double length = lwi_dvec3_length(direction);
  bool left = false, right = false, unsure = false;
  for (int i = 0; i < facet->count; i++) {
    lwi_dvec3 a = lwi_dvec3_sub(facet->corners[i], from),
              b = lwi_dvec3_sub(facet->corners[i + 1 < facet->count ? i + 1 : 0], from);
    double side = lwi_dvec3_dot(direction, lwi_dvec3_cross(a, b));
    if (fabs(side) <= NEAR * length * lwi_dvec3_length(lwi_dvec3_sub(b, a)))
      unsure = true;
    else if (side > 0)
      left = true;
    else
      right = true;
  }
  if (left && right) return 0;
  return unsure ? -1 : is_between(facet, from, to);
}

/* --- surfaces --------------------------------------------------------------------------------------------- */

/* Is the whole region clearly over the plane, or under it? @return 1: over; -1: under; 0: neither. */
static int side_of(const lwi_hull *hull, lwi_dvec3 normal, lwi_dvec3 at) {
  const double slack = MARGIN * lwi_dvec3_length(normal);
  bool over = false, under = false;
  for (int k = 0; k < 2 * hull->count; k++) {
    double side = lwi_dvec3_dot(normal, lwi_dvec3_sub(lwi_hull_corner(hull, k / 2, k % 2 != 0), at));
    over |= side >= -slack;
    under |= side <= slack;
  }
  return over == under ? 0 : over ? 1 : -1;
}

/* Is the region on one side of the planes through each three successive corners? Then the facet looks convex
   from all over the region: a line from there passes through it at most once, and a plane through there cuts
   two of its edges or none. */
static bool looks_convex(const lwi_surface_facet *facet, const lwi_hull *hull) {
  int side = 0;
  for (int i = 0; i < facet->count; i++) {
    int here = side_of(hull, lwi_surface_normal_at(facet, i), facet->corners[i]);
    if (here == 0 || (side != 0 && here != side)) return false;
    side = here;
  }
  return true;
}

/* It is enough that the facet looks convex from one end of a line, if the other end is not in its plane. */
static bool looks_like_one(const lwi_surface_facet *facet, const lwi_hull *const hulls[2]) {
  const lwi_dvec3 normal = lwi_surface_normal(facet);
  for (int i = 0; i < 2; i++)
    if (side_of(hulls[1 - i], normal, facet->corners[0]) != 0 && looks_convex(facet, hulls[i])) return true;
  return false;
}

/* May the facet be part of a proof? */
static bool is_clear(const viewing *of, const lwi_surface_facet *facet) {
  if (facet->bent && !looks_like_one(facet, of->hulls)) return false;
  return !lwi_shaft_meets_facet(&of->about[0], facet->corners, facet->count) &&
         !lwi_shaft_meets_facet(&of->about[1], facet->corners, facet->count);
}

/* The facet in which the surface continues across an edge. @return UINT32_MAX: it ends there. */
static uint32_t find_next(const lwi_surface *surface, const lwi_surface_edge *edge, uint32_t facet) {
  const uint32_t *beside = surface->beside + edge->first;
  uint32_t i = 0;
  while (beside[i] != facet) i++;
  return (i ^ 1) < edge->count ? beside[i ^ 1] : UINT32_MAX;
}

/* Queue the facets across its edges. @return The queue's length; -1: the surface ends in the shaft. */
static int queue_beside(const viewing *of, uint32_t number, int count) {
  const lwi_surface *surface = of->surface;
  const lwi_surface_facet *facet = &surface->facets[number];
  lwi_surface_scratch *scratch = of->scratch;
  for (uint32_t i = 0; i < facet->edge_count; i++) {
    const lwi_surface_edge *edge = &surface->edges[surface->edges_of[facet->first_edge + i]];
    uint32_t next = find_next(surface, edge, number);
    if (next != UINT32_MAX && scratch->seen[next] == scratch->tries) continue;
    if (!lwi_shaft_meets_line(&of->between, edge->a, edge->b)) continue;
    if (next == UINT32_MAX) return -1;
    if (scratch->seen[next] > of->before || count == LWI_SURFACE_MAX)
      return -1; /* belongs to a failed attempt */
    scratch->seen[next] = scratch->tries;
    scratch->queue[count++] = next;
  }
  return count;
}

/* Does the surface around a facet, as far as lines between the regions touch it, hide the regions from each
   other? */
static bool hides(const viewing *of, uint32_t first) {
  const lwi_surface *surface = of->surface;
  bool odd = false;
  int count = 1;
  of->scratch->queue[0] = first;
  of->scratch->seen[first] = ++of->scratch->tries;
  for (int i = 0; i < count; i++) {
    const lwi_surface_facet *facet = &surface->facets[of->scratch->queue[i]];
    int through = passes(facet, of->from, of->to);
    if (through < 0 || !is_clear(of, facet)) return false;
    odd ^= through > 0;
    count = queue_beside(of, of->scratch->queue[i], count);
    if (count < 0) return false;
  }
  return odd;
}

static bool is_hidden(viewing *of, const uint32_t *leaves, int count) {
  const lwi_surface *surface = of->surface;
  for (int i = 0; i < 2; i++) lwi_shaft_about(&of->about[i], of->hulls[i], MARGIN);
  lwi_shaft_between(&of->between, of->hulls[0], of->hulls[1], MARGIN);
  of->before = of->scratch->tries;
  for (int i = 0; i < count; i++)
    for (uint32_t f = surface->first_facet[leaves[i]]; f < surface->first_facet[leaves[i] + 1]; f++) {
      const lwi_surface_facet *facet = &surface->facets[f];
      if (facet->kind != LW_COVER_HARD || of->scratch->seen[f] > of->before) continue;
      if (passes(facet, of->from, of->to) == 1 && hides(of, f)) return true;
    }
  return false;
}

lwi_sure lwi_surface_view(const lwi_surface *surface, const lwi_hull *a, const lwi_hull *b,
                          lwi_surface_scratch *scratch) {
  viewing of = {.surface = surface, .hulls = {a, b}, .scratch = scratch};
  uint32_t leaves[PIERCED_MAX];
  lw_vec3 from = lwi_hull_middle(a), to = lwi_hull_middle(b);
  int count = lwi_lines_pierce(surface->lines, from, to, false, leaves, PIERCED_MAX);
  if (count == 0) return LWI_SURE_SEEN;
  of.from = lwi_dvec3_of(from);
  of.to = lwi_dvec3_of(to);
  return is_hidden(&of, leaves, count) ? LWI_SURE_HIDDEN : LWI_SURE_UNSURE;
}

/* --- touching --------------------------------------------------------------------------------------------- */

static bool touches_leaf(const lwi_surface *surface, const lwi_shaft *shaft, uint32_t leaf) {
  for (uint32_t f = surface->first_facet[leaf]; f < surface->first_facet[leaf + 1]; f++)
    if (lwi_shaft_meets_facet(shaft, surface->facets[f].corners, surface->facets[f].count)) return true;
  return false;
}

/* Boxes are floats relative to the origin. */
static bool touches_child(const lwi_shaft *shaft, const lw_vec3 *origin, const lwi_vec3x4 *low,
                          const lwi_vec3x4 *high, int i) {
  lwi_dvec3 min = {(double)lwi_get4(low->x, i) + origin->x - MARGIN,
                   (double)lwi_get4(low->y, i) + origin->y - MARGIN,
                   (double)lwi_get4(low->z, i) + origin->z - MARGIN},
            max = {(double)lwi_get4(high->x, i) + origin->x + MARGIN,
                   (double)lwi_get4(high->y, i) + origin->y + MARGIN,
                   (double)lwi_get4(high->z, i) + origin->z + MARGIN};
  return lwi_shaft_meets_box(shaft, min, max);
}

static bool touches_tree(const lwi_surface *surface, const lwi_shaft *shaft) {
  const lwi_occluders *of = surface->occluders;
  uint32_t stack[LWI_OCCLUDER_STACK] = {0};
  int depth = of->node_count > 0;
  while (depth > 0) {
    const lwi_occluder_node *node = &of->nodes[stack[--depth]];
    lwi_vec3x4 low, high;
    lwi_node_boxes(of, node, lwi_vec3(0, 0, 0), &low, &high);
    for (int i = 0; i < 4; i++) {
      uint32_t child = node->children[i];
      if (child == LWI_OCCLUDER_NONE || !touches_child(shaft, &of->origin, &low, &high, i)) continue;
      if (child & LWI_OCCLUDER_BVH_LEAF) {
        if (touches_leaf(surface, shaft, child & ~LWI_OCCLUDER_BVH_LEAF)) return true;
      } else {
        stack[depth++] = child;
      }
    }
  }
  return false;
}

bool lwi_surface_touches(const lwi_surface *surface, const lwi_hull *a, const lwi_hull *b) {
  lwi_shaft shaft;
  lwi_shaft_between(&shaft, a, b, MARGIN);
  return touches_tree(surface, &shaft);
}
