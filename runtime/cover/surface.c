#include "cover/surface.h"

#include "core/vec3.h"
#include "cover/leaf.h"

#include <stdlib.h>
#include <string.h>

/* Facets that stray less from their plane are flat. [m] */
#define FLAT 1e-5
/* Corners further from the origin are not known to the quantum. [quanta] */
#define FAR 4e6

/* --- facets -------------------------------------------------------------------------------------------------------- */

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

/* What lies too far out is taken for soft: it hides nothing surely. */
static void take_facet(const lwi_occluders *of, const lwi_occluder_facet *from, lwi_surface_facet *to) {
  *to = (lwi_surface_facet){.count = from->count, .kind = from->kind};
  to->min = (lwi_dvec3){INFINITY, INFINITY, INFINITY};
  to->max = (lwi_dvec3){-INFINITY, -INFINITY, -INFINITY};
  const double quantum = (double)of->quantum;
  for (int i = 0; i < from->count; i++) {
    lw_vec3 at = from->corners[i];
    if (lwi_dmost(fabs((double)at.x), lwi_dmost(fabs((double)at.y), fabs((double)at.z))) > FAR * quantum)
      to->kind = LW_COVER_SOFT;
    lwi_dvec3 c = {of->origin.x + quantum * rint((double)at.x / quantum),
                   of->origin.y + quantum * rint((double)at.y / quantum),
                   of->origin.z + quantum * rint((double)at.z / quantum)};
    to->corners[i] = c;
    to->min = (lwi_dvec3){lwi_dleast(to->min.x, c.x), lwi_dleast(to->min.y, c.y), lwi_dleast(to->min.z, c.z)};
    to->max = (lwi_dvec3){lwi_dmost(to->max.x, c.x), lwi_dmost(to->max.y, c.y), lwi_dmost(to->max.z, c.z)};
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

/* --- edges --------------------------------------------------------------------------------------------------------- */

/* An edge of a facet on its line, in quanta: a direction without common divisor, and the moment about the origin. */
typedef struct line_edge {
  int64_t way[3], moment[3];
  int64_t low, high; /* along the way's first axis that is not 0 */
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

/* @return false: both ends are one place. */
static bool put_on_line(const lwi_occluders *of, lwi_dvec3 a, lwi_dvec3 b, line_edge *edge) {
  quanta_of(of, a, edge->ends[0]);
  quanta_of(of, b, edge->ends[1]);
  int64_t common = 0;
  int axis = -1;
  for (int i = 0; i < 3; i++) {
    edge->way[i] = (int64_t)edge->ends[1][i] - edge->ends[0][i];
    common = divisor(common, edge->way[i]);
    if (axis < 0 && edge->way[i] != 0) axis = i;
  }
  if (axis < 0) return false;
  if (edge->way[axis] < 0) {
    int32_t swap[3];
    memcpy(swap, edge->ends[0], sizeof swap);
    memcpy(edge->ends[0], edge->ends[1], sizeof swap);
    memcpy(edge->ends[1], swap, sizeof swap);
    common = -common;
  }
  const int32_t *p = edge->ends[0];
  for (int i = 0; i < 3; i++) edge->way[i] /= common;
  const int64_t *w = edge->way;
  edge->moment[0] = p[1] * w[2] - p[2] * w[1];
  edge->moment[1] = p[2] * w[0] - p[0] * w[2];
  edge->moment[2] = p[0] * w[1] - p[1] * w[0];
  edge->low = edge->ends[0][axis];
  edge->high = edge->ends[1][axis];
  return true;
}

static int compare_lines(const line_edge *a, const line_edge *b) {
  for (int i = 0; i < 3; i++)
    if (a->way[i] != b->way[i]) return a->way[i] < b->way[i] ? -1 : 1;
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

/* Edges and their stretches as they are made. */
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

static lwi_dvec3 spot_of(const lwi_occluders *of, const int32_t at[3]) {
  const double quantum = (double)of->quantum;
  return (lwi_dvec3){of->origin.x + at[0] * quantum, of->origin.y + at[1] * quantum,
                     of->origin.z + at[2] * quantum};
}

/* The end of an edge among `edges` that is the first behind `at`. NULL: none. */
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

/* Which way a facet lies from an edge. */
static lwi_dvec3 way_from(const lwi_surface_facet *facet, const lwi_surface_edge *edge) {
  lwi_dvec3 along = lwi_dvec3_sub(edge->b, edge->a), sum = {0, 0, 0};
  for (int i = 0; i < facet->count; i++) {
    lwi_dvec3 off = lwi_dvec3_sub(facet->corners[i], edge->a);
    sum = (lwi_dvec3){sum.x + off.x, sum.y + off.y, sum.z + off.z};
  }
  double part = lwi_dvec3_dot(sum, along) / lwi_dvec3_dot(along, along);
  lwi_dvec3 way = {sum.x - part * along.x, sum.y - part * along.y, sum.z - part * along.z};
  double length = lwi_dvec3_length(way);
  return length > 0 ? (lwi_dvec3){way.x / length, way.y / length, way.z / length} : way;
}

static void swap_facets(uint32_t *a, uint32_t *b) {
  uint32_t swap = *a;
  *a = *b;
  *b = swap;
}

/* Where more than two facets meet, those are one surface that go on straightest: the fronts of two boxes side by side, and
   what is between the boxes by itself. */
static void match_facets(const lwi_surface *s, const lwi_surface_edge *edge) {
  uint32_t *beside = s->beside + edge->first;
  for (uint32_t done = 0; done + 2 < edge->count; done += 2) {
    uint32_t best[2] = {done, done + 1};
    double straightest = INFINITY;
    for (uint32_t i = done; i < edge->count; i++)
      for (uint32_t k = i + 1; k < edge->count; k++) {
        double bend =
            lwi_dvec3_dot(way_from(&s->facets[beside[i]], edge), way_from(&s->facets[beside[k]], edge));
        if (bend >= straightest - 1e-9) continue;
        straightest = bend;
        best[0] = i;
        best[1] = k;
      }
    swap_facets(&beside[done], &beside[best[0]]);
    swap_facets(&beside[done + 1], &beside[best[1]]);
  }
}

/* One that has the stretch twice is folded there, and has it not at all. @return false: no memory. */
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

static bool add_stretch(joining *j, const line_edge *edges, int count, int64_t low, int64_t high, lwi_dvec3 a,
                        lwi_dvec3 b) {
  lwi_surface *s = j->surface;
  lwi_surface_edge made = {a, b, (uint32_t)s->beside_count, 0};
  for (int i = 0; i < count; i++) {
    if (edges[i].low > low || edges[i].high < high) continue;
    if (!add_beside(s, &made, edges[i].facet)) return false;
  }
  if (made.count == 0) return true; /* between edges that do not touch */
  match_facets(s, &made);
  if (!lwi_reserve(s->memory, &s->edges, &s->edge_capacity, s->edge_count + 1, sizeof *s->edges)) return false;
  s->edges[s->edge_count++] = made;
  return true;
}

/* Edges on one line that overlap one with the next. */
static bool join_run(joining *j, const line_edge *edges, int count) {
  const lwi_occluders *of = j->surface->occluders;
  const int32_t *at = edges[0].ends[0], *end;
  int64_t low = edges[0].low, high = 0;
  while ((end = next_end(edges, count, low, &high)) != NULL) {
    if (!add_stretch(j, edges, count, low, high, spot_of(of, at), spot_of(of, end))) return false;
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

/* Give each facet its stretches. */
static bool list_stretches(lwi_surface *s) {
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
  done = done && join_edges(&j) && list_stretches(s);
  lwi_free(s->memory, j.edges, edges * sizeof *j.edges);
  return done;
}

bool lwi_surface_make(lwi_surface *surface, const lwi_occluders *occluders, const lwi_lines *lines,
                      lwi_memory *memory) {
  *surface = (lwi_surface){.memory = memory, .occluders = occluders, .lines = lines};
  return occluders->facet_count == 0 || (read_facets(surface) && join(surface));
}

void lwi_surface_free(lwi_surface *s) {
  const lwi_occluders *of = s->occluders;
  if (!of) return; /* never made */
  lwi_free(s->memory, s->facets, of->facet_count * sizeof *s->facets);
  lwi_free(s->memory, s->first_facet, ((size_t)of->leaf_count + 1) * sizeof *s->first_facet);
  lwi_free(s->memory, s->edges, (size_t)s->edge_capacity * sizeof *s->edges);
  lwi_free(s->memory, s->beside, (size_t)s->beside_capacity * sizeof *s->beside);
  lwi_free(s->memory, s->edges_of, (size_t)s->beside_count * sizeof *s->edges_of);
}
