/* Points of portals. The two directions of a portal have the same points, and where portals of one polygon meet at a
   corner, their ends are one point (union-find). Round a corner that way joins all portals that meet there, as long as
   no wall lies between them. */
#include "search/point_graph.h"

#include "search/point_search.h"

#include <string.h>

typedef struct graph_build {
  lwi_point_graph *graph;
  lwi_memory *memory;
  const lw_navmesh *base;
  lwi_graph portals;
  uint32_t *twins; /* [portals] LWI_NONE: none */
  uint32_t
      *roots; /* [2 * portals] Union-find over ends: 2k is the left end of portal k, 2k + 1 the right one */
  uint32_t *marks; /* [points] The last polygon that has the point, plus 1 */
} graph_build;

static uint32_t root_of(uint32_t *roots, uint32_t end) {
  while (roots[end] != end) {
    roots[end] = roots[roots[end]];
    end = roots[end];
  }
  return end;
}

static void join(uint32_t *roots, uint32_t a, uint32_t b) {
  a = root_of(roots, a);
  b = root_of(roots, b);
  if (a < b)
    roots[b] = a;
  else
    roots[a] = b;
}

static bool meets(lw_vec3 a, lw_vec3 b) {
  return a.x == b.x && a.z == b.z;
}

/* Join the ends of a polygon's portals where one begins as the one before ends. */
static void join_corners(graph_build *build, uint32_t polygon) {
  const lwi_graph *portals = &build->portals;
  const uint32_t first = portals->first_portal[polygon], end = portals->end_portal[polygon];
  for (uint32_t k = first; k < end; k++) {
    const uint32_t next = k + 1 < end ? k + 1 : first;
    lw_vec3 left, right, next_left, next_right;
    lwi_graph_points(portals, polygon, &portals->portals[k], &left, &right);
    lwi_graph_points(portals, polygon, &portals->portals[next], &next_left, &next_right);
    if (next != k && meets(left, next_right)) join(build->roots, 2 * k, 2 * next + 1);
    if (next != k && meets(right, next_left)) join(build->roots, 2 * k + 1, 2 * next);
    const uint32_t twin = lwi_graph_twin(portals, polygon, k, left, right);
    build->twins[k] = twin;
    if (twin == LWI_NONE) continue;
    join(build->roots, 2 * k, 2 * twin + 1);
    join(build->roots, 2 * k + 1, 2 * twin);
  }
}

static uint32_t polygon_with(const graph_build *build, uint32_t k, uint32_t from) {
  while (k >= build->portals.end_portal[from]) from += 1;
  return from;
}

/* Whether the points between the ends of a portal are those of its twin. */
static bool has_twin_points(const graph_build *build, uint32_t k) {
  const uint32_t twin = build->twins[k];
  return twin != LWI_NONE && twin < k && build->twins[twin] == k;
}

/* Count ids and points; number the points of the ends. @param[out] numbers  [2 * portals] */
static void number_ends(graph_build *build, uint32_t *numbers) {
  lwi_point_graph *graph = build->graph;
  const uint32_t count = build->portals.portal_count;
  for (uint32_t end = 0; end < 2 * count; end++)
    if (root_of(build->roots, end) == end) numbers[end] = graph->point_count++;
  graph->end_count = graph->point_count;
  for (uint32_t end = 0; end < 2 * count; end++) numbers[end] = numbers[root_of(build->roots, end)];
  for (uint32_t k = 0, polygon = 0; k < count; k++) {
    lw_vec3 left, right;
    polygon = polygon_with(build, k, polygon);
    lwi_graph_points(&build->portals, polygon, &build->portals.portals[k], &left, &right);
    const uint32_t twin = build->twins[k];
    const uint32_t pieces = has_twin_points(build, k) ? graph->first_id[twin + 1] - graph->first_id[twin] - 1
                                                      : (uint32_t)lwi_portal_pieces(left, right);
    graph->first_id[k + 1] = graph->first_id[k] + pieces + 1;
    if (!has_twin_points(build, k)) graph->point_count += pieces - 1;
  }
  graph->id_count = graph->first_id[count];
  graph->link_points = graph->point_count;
  graph->point_count += 2 * build->base->links.count;
}

/* On the surface, which need not be straight between the ends of a portal. */
static lw_vec3 point_between(const lw_navmesh *mesh, uint32_t polygon, lw_vec3 left, lw_vec3 right,
                             float part) {
  lw_vec3 at = lwi_lerp(left, right, part);
  at.y = lwi_polygon_height(mesh, polygon, at.x, at.z);
  return at;
}

static void fill_portals(graph_build *build, const uint32_t *numbers) {
  lwi_point_graph *graph = build->graph;
  uint32_t next = graph->end_count;
  for (uint32_t k = 0, polygon = 0; k < build->portals.portal_count; k++) {
    lw_vec3 left, right;
    polygon = polygon_with(build, k, polygon);
    lwi_graph_points(&build->portals, polygon, &build->portals.portals[k], &left, &right);
    uint32_t *ids = graph->ids + graph->first_id[k];
    const uint32_t pieces = graph->first_id[k + 1] - graph->first_id[k] - 1;
    const uint32_t *back = has_twin_points(build, k) ? graph->ids + graph->first_id[build->twins[k]] : NULL;
    ids[0] = numbers[2 * k];
    ids[pieces] = numbers[2 * k + 1];
    graph->places[ids[0]] = left;
    graph->places[ids[pieces]] = right;
    for (uint32_t i = 1; i < pieces; i++) {
      ids[i] = back ? back[pieces - i] : next++;
      if (!back)
        graph->places[ids[i]] = point_between(build->base, polygon, left, right, (float)i / (float)pieces);
    }
  }
  for (uint32_t i = 0; i < build->base->links.count; i++) {
    graph->places[graph->link_points + 2 * i] = build->base->links.items[i].start;
    graph->places[graph->link_points + 2 * i + 1] = build->base->links.items[i].end;
  }
}

/* Visit each point of each polygon once: count it, or fill it in and move on where the list begins.
   @param portal  Of the polygon, that has the point; LWI_NONE: it is of a link. */
static void list_point(graph_build *build, uint32_t polygon, uint32_t point, uint32_t portal, bool is_filling) {
  lwi_point_graph *graph = build->graph;
  if (point < graph->link_points && build->marks[point] == polygon + 1) return;
  if (point < graph->link_points) build->marks[point] = polygon + 1;
  if (is_filling) {
    const uint32_t member = graph->first_of[polygon]++;
    graph->of_polygon[member] = point;
    graph->portals[member] = portal;
    graph->x[member] = graph->places[point].x;
    graph->y[member] = graph->places[point].y;
    graph->z[member] = graph->places[point].z;
    graph->polygons[graph->first_polygon[point]++] = polygon;
  } else {
    graph->first_of[polygon] += 1;
    graph->first_polygon[point] += 1;
    graph->membership_count += 1;
  }
}

static void list_points(graph_build *build, bool is_filling) {
  const lwi_point_graph *graph = build->graph;
  const lwi_graph *portals = &build->portals;
  memset(build->marks, 0, graph->point_count * sizeof *build->marks);
  for (uint32_t polygon = 0; polygon < portals->region_count; polygon++)
    for (uint32_t k = portals->first_portal[polygon]; k < portals->end_portal[polygon]; k++)
      for (uint32_t i = graph->first_id[k]; i < graph->first_id[k + 1]; i++)
        list_point(build, polygon, graph->ids[i], k, is_filling);
  for (uint32_t i = 0; i < build->base->links.count; i++) {
    list_point(build, build->base->links.items[i].from, graph->link_points + 2 * i, LWI_NONE, is_filling);
    list_point(build, build->base->links.items[i].to, graph->link_points + 2 * i + 1, LWI_NONE, is_filling);
  }
}

/* Turn counts into where each list begins. @param counts  [count + 1] */
static void sum_up(uint32_t *counts, uint32_t count) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i <= count; i++) {
    const uint32_t here = counts[i];
    counts[i] = sum;
    sum += here;
  }
}

/* Filling has moved each entry to where the next list begins. */
static void move_back(uint32_t *firsts, uint32_t count) {
  for (uint32_t i = count; i > 0; i--) firsts[i] = firsts[i - 1];
  firsts[0] = 0;
}

static size_t members_size(const lwi_point_graph *graph) {
  return ((size_t)graph->membership_count + LWI_POINTS_READ_BEYOND) * sizeof(uint32_t);
}

static size_t pairs_size(const lwi_point_graph *graph) {
  return ((size_t)graph->membership_count + 1) * sizeof *graph->pairs;
}

static bool make_members(graph_build *build) {
  lwi_point_graph *graph = build->graph;
  const size_t size = members_size(graph);
  graph->of_polygon = lwi_alloc(build->memory, size);
  graph->polygons = lwi_alloc(build->memory, size);
  graph->portals = lwi_alloc(build->memory, size);
  graph->pairs = lwi_alloc(build->memory, pairs_size(graph));
  graph->member_of = lwi_alloc(build->memory, ((size_t)graph->point_count + 1) * sizeof *graph->member_of);
  graph->x = lwi_alloc_zero(build->memory, size);
  graph->y = lwi_alloc_zero(build->memory, size);
  graph->z = lwi_alloc_zero(build->memory, size);
  return graph->of_polygon && graph->polygons && graph->portals && graph->pairs && graph->member_of &&
         graph->x && graph->y && graph->z;
}

/* Join the members of each point in a circle. */
static void join_members(lwi_point_graph *graph) {
  for (uint32_t i = 0; i < graph->point_count; i++) graph->member_of[i] = LWI_NONE;
  for (uint32_t polygon = 0; polygon < graph->polygon_count; polygon++)
    for (uint32_t k = graph->first_of[polygon]; k < graph->first_of[polygon + 1]; k++) {
      uint32_t *first = &graph->member_of[graph->of_polygon[k]];
      if (*first == LWI_NONE) *first = k;
      graph->pairs[k] = (lwi_point_member){k, polygon};
      graph->pairs[k].next = graph->pairs[*first].next;
      graph->pairs[*first].next = k;
    }
}

static bool make_lists(graph_build *build) {
  lwi_point_graph *graph = build->graph;
  const uint32_t polygons = build->portals.region_count;
  build->marks = lwi_alloc(build->memory, ((size_t)graph->point_count + 1) * sizeof *build->marks);
  graph->first_of = lwi_alloc_zero(build->memory, ((size_t)polygons + 1) * sizeof(uint32_t));
  graph->first_polygon = lwi_alloc_zero(build->memory, ((size_t)graph->point_count + 1) * sizeof(uint32_t));
  if (!build->marks || !graph->first_of || !graph->first_polygon) return false;
  list_points(build, false);
  sum_up(graph->first_of, polygons);
  sum_up(graph->first_polygon, graph->point_count);
  if (!make_members(build)) return false;
  list_points(build, true);
  move_back(graph->first_of, polygons);
  move_back(graph->first_polygon, graph->point_count);
  join_members(graph);
  return true;
}

static bool make_points(graph_build *build, uint32_t *numbers) {
  lwi_point_graph *graph = build->graph;
  const uint32_t count = build->portals.portal_count;
  graph->first_id = lwi_alloc_zero(build->memory, ((size_t)count + 1) * sizeof(uint32_t));
  if (!graph->first_id) return false;
  for (uint32_t end = 0; end < 2 * count; end++) build->roots[end] = end;
  for (uint32_t polygon = 0; polygon < build->portals.region_count; polygon++) join_corners(build, polygon);
  for (uint32_t k = 0; k < count && build->portals.interval_steps; k++) {
    const uint8_t step = build->portals.interval_steps[build->portals.portals[k].interval];
    if (step > graph->highest_step) graph->highest_step = step;
  }
  number_ends(build, numbers);
  graph->ids = lwi_alloc(build->memory, ((size_t)graph->id_count + 1) * sizeof(uint32_t));
  graph->places = lwi_alloc(build->memory, ((size_t)graph->point_count + 1) * sizeof *graph->places);
  if (!graph->ids || !graph->places) return false;
  fill_portals(build, numbers);
  return make_lists(build);
}

bool lwi_point_graph_make(lwi_point_graph *graph, lwi_memory *memory, const lw_navmesh *base) {
  graph_build build = {.graph = graph, .memory = memory, .base = base, .portals = lwi_graph_of(base)};
  const size_t count = (size_t)build.portals.portal_count + 1, size = count * sizeof(uint32_t);
  *graph = (lwi_point_graph){
      .base = base, .portal_count = base->graph.portal_count, .polygon_count = base->polygons.count};
  build.twins = lwi_alloc(memory, size);
  build.roots = lwi_alloc(memory, 2 * size);
  uint32_t *numbers = lwi_alloc(memory, 2 * size);
  const bool done = build.twins && build.roots && numbers && make_points(&build, numbers);
  lwi_free(memory, build.marks, ((size_t)graph->point_count + 1) * sizeof *build.marks);
  lwi_free(memory, numbers, 2 * size);
  lwi_free(memory, build.roots, 2 * size);
  lwi_free(memory, build.twins, size);
  if (!done) lwi_point_graph_free(graph, memory);
  return done;
}

void lwi_point_graph_free(lwi_point_graph *graph, lwi_memory *memory) {
  const size_t each = sizeof(uint32_t), points = (size_t)graph->point_count + 1, members = members_size(graph);
  lwi_free(memory, graph->places, points * sizeof *graph->places);
  lwi_free(memory, graph->first_id, ((size_t)graph->portal_count + 1) * each);
  lwi_free(memory, graph->ids, ((size_t)graph->id_count + 1) * each);
  lwi_free(memory, graph->first_of, ((size_t)graph->polygon_count + 1) * each);
  lwi_free(memory, graph->of_polygon, members);
  lwi_free(memory, graph->first_polygon, points * each);
  lwi_free(memory, graph->polygons, members);
  lwi_free(memory, graph->portals, members);
  lwi_free(memory, graph->pairs, pairs_size(graph));
  lwi_free(memory, graph->member_of, points * sizeof *graph->member_of);
  lwi_free(memory, graph->x, members);
  lwi_free(memory, graph->y, members);
  lwi_free(memory, graph->z, members);
  *graph = (lwi_point_graph){0};
}
