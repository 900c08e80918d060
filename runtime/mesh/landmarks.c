/* Distances from landmarks: polygons far from each other (Goldberg and Harrelson 2005). The distances are exact, so that
   differences of two of them bound what lies between, whatever a path turns round: intervals are spread from the landmark
   over the whole navmesh, the nearest first. */
#include "core/heap.h"
#include "mesh/intervals.h"
#include "mesh/reduction.h"

#include <string.h>

/* The largest distance in units; UINT16_MAX says that there is none. */
#define MAX_UNITS 65500
/* Intervals that a spread takes for each portal at most. Levels need one to 1.8. Open ground in many polygons needs the
   more the wider it is; and where tiles meet in cracks of no width, paths of equal length lead past each on both sides, so that
   their number doubles with every crack. Then there are no landmarks, and the straight line bounds paths. */
#define INTERVALS_A_PORTAL 2

typedef struct spread_node {
  lwi_taut_interval at;
  uint32_t portal, from;
} spread_node;

/* An end of an off-mesh link on a polygon. In these distances links lead both ways. */
typedef struct link_end {
  uint32_t polygon;
  lwi_point2 at;
  double length; /* of the link [m] */
  float known;   /* length of the shortest path over the link to this end, as far as it is known [m] */
  uint32_t next; /* of the same polygon; LWI_NONE: none */
} link_end;

/* Heap items from here on are ends of links: this, plus the number of the end. */
#define AT_LINK 0x80000000U

/* A spread of intervals from one polygon. */
typedef struct spreading {
  lw_navmesh *mesh;
  const lwi_reduction *reduction;
  lwi_portal_entry *entries; /* [portals] */
  uint32_t stamp;
  spread_node *nodes;   /* [node_count] */
  uint32_t *free_nodes; /* [free_count] */
  int node_count, node_capacity, free_count, free_capacity;
  lwi_heap open;
  float *distances;    /* [polygons] Of this spread. [m] */
  link_end *ends;      /* [2 * links] End 2i is the start of link i, end 2i + 1 its end. */
  uint32_t *first_end; /* [polygons] LWI_NONE: none. NULL: there are no links. */
  bool failed;         /* out of memory, */
  bool is_too_large;   /* or more intervals than INTERVALS_A_PORTAL allows */
} spreading;

static lwi_portal_line line_of(const spreading *run, uint32_t polygon, uint32_t k) {
  lw_vec3 left, right;
  lwi_portal_points(run->mesh, polygon, &run->mesh->graph.portals[k], &left, &right);
  const unsigned turns = run->reduction->turns[k];
  return (lwi_portal_line){lwi_point2_of(left), lwi_point2_of(right), (turns & LWI_TURNS_LEFT) != 0,
                           (turns & LWI_TURNS_RIGHT) != 0};
}

/* A node that is in no use. @return LWI_NONE: no memory. */
static uint32_t take_node(spreading *run) {
  if (run->free_count > 0) return run->free_nodes[--run->free_count];
  lwi_memory *memory = &run->mesh->memory;
  if (!lwi_reserve(memory, &run->nodes, &run->node_capacity, run->node_count + 1, sizeof *run->nodes) ||
      !lwi_reserve(memory, &run->free_nodes, &run->free_capacity, run->node_count + 1, sizeof *run->free_nodes))
    return LWI_NONE;
  return (uint32_t)run->node_count++;
}

/* Go on from an interval, unless it can be no better than what came there before. */
static void add(spreading *run, const lwi_taut_interval *at, const lwi_portal_line *line, uint32_t k,
                uint32_t from) {
  const lwi_end_lengths lengths = lwi_interval_lengths(at);
  if (lwi_portal_meet(&run->entries[k], run->stamp, line, at, &lengths)) return;
  const uint32_t node = take_node(run);
  const double width = lwi_point2_distance(at->left, at->right);
  /* No point of the interval is nearer to the root than this. */
  const double near = 0.5 * (lengths.left - at->g + (lengths.right - at->g) - width);
  const float key = (float)(at->g + fmax(0, near));
  if (node == LWI_NONE || !lwi_heap_push(&run->open, &run->mesh->memory, key, node)) {
    run->failed = true;
    return;
  }
  run->nodes[node] = (spread_node){*at, k, from};
}

/* A path of that length leads to an end of a link: take the link. */
static void take_link(spreading *run, uint32_t end, double length) {
  link_end *other = &run->ends[end ^ 1];
  const float known = (float)(length + other->length);
  if (!(known < other->known * 0.99999F)) return;
  other->known = known;
  if (!lwi_heap_push(&run->open, &run->mesh->memory, known, AT_LINK | (end ^ 1))) run->failed = true;
}

static uint32_t first_end(const spreading *run, uint32_t polygon) {
  return run->first_end ? run->first_end[polygon] : LWI_NONE;
}

/* From a point of a polygon, to which a path of length `g` leads. */
static void begin_at(spreading *run, uint32_t polygon, lwi_point2 point, double g) {
  const lwi_mesh_graph *graph = &run->mesh->graph;
  const lwi_point2 middle = lwi_polygon_middle(run->mesh, polygon);
  run->distances[polygon] = lwi_min(run->distances[polygon], (float)(g + lwi_point2_distance(point, middle)));
  for (uint32_t end = first_end(run, polygon); end != LWI_NONE; end = run->ends[end].next)
    take_link(run, end, g + lwi_point2_distance(point, run->ends[end].at));
  for (uint32_t k = graph->first_portal[polygon]; k < graph->end_portal[polygon]; k++) {
    const lwi_portal_line line = line_of(run, polygon, k);
    const lwi_taut_interval at = {point, line.left, line.right, g, line.turns_left, line.turns_right, 0};
    add(run, &at, &line, k, polygon);
  }
}

static void spread_on(spreading *run, const spread_node *node) {
  const lwi_mesh_graph *graph = &run->mesh->graph;
  const uint32_t polygon = graph->portals[node->portal].to;
  const lwi_view view = lwi_view_of(&node->at);
  lwi_taut_interval out[3];
  run->distances[polygon] =
      lwi_min(run->distances[polygon], (float)lwi_view_reach(&view, lwi_polygon_middle(run->mesh, polygon)));
  for (uint32_t end = first_end(run, polygon); end != LWI_NONE; end = run->ends[end].next)
    take_link(run, end, lwi_view_reach(&view, run->ends[end].at));
  for (uint32_t k = graph->first_portal[polygon]; k < graph->end_portal[polygon]; k++) {
    if (graph->portals[k].to == node->from) continue;
    const lwi_portal_line line = line_of(run, polygon, k);
    const int count = lwi_view_spread(&view, &line, out);
    for (int i = 0; i < count; i++) add(run, &out[i], &line, k, polygon);
  }
}

/* Fill `distances` from a polygon. */
static void spread_from(spreading *run, uint32_t polygon) {
  lwi_heap_entry entry;
  run->stamp += 1;
  run->node_count = run->free_count = run->open.count = 0;
  for (uint32_t i = 0; i < run->mesh->polygons.count; i++) run->distances[i] = INFINITY;
  for (uint32_t i = 0; i < 2 * run->mesh->links.count; i++) run->ends[i].known = INFINITY;
  begin_at(run, polygon, lwi_polygon_middle(run->mesh, polygon), 0);
  size_t left = 1 + (size_t)INTERVALS_A_PORTAL * run->mesh->graph.portal_count + run->mesh->links.count;
  while (!run->failed && !run->is_too_large && lwi_heap_pop(&run->open, &entry)) {
    run->is_too_large = --left == 0;
    if (entry.item & AT_LINK) {
      const link_end *end = &run->ends[entry.item & ~AT_LINK];
      if (entry.key <= end->known) begin_at(run, end->polygon, end->at, (double)end->known);
      continue;
    }
    const spread_node node = run->nodes[entry.item];
    run->free_nodes[run->free_count++] = entry.item;
    spread_on(run, &node);
  }
}

static link_end end_of(uint32_t polygon, lw_vec3 at, float length) {
  return (link_end){.polygon = polygon, .at = lwi_point2_of(at), .length = (double)length};
}

/* List the ends of links by polygon. @return false: no memory. */
static bool list_links(spreading *run) {
  lw_navmesh *mesh = run->mesh;
  const uint32_t count = 2 * mesh->links.count;
  if (count == 0) return true;
  run->ends = lwi_alloc(&mesh->memory, count * sizeof *run->ends);
  run->first_end = lwi_alloc(&mesh->memory, mesh->polygons.count * sizeof *run->first_end);
  if (!run->ends || !run->first_end) return false;
  for (uint32_t i = 0; i < mesh->polygons.count; i++) run->first_end[i] = LWI_NONE;
  for (uint32_t i = 0; i < mesh->links.count; i++) {
    const lwi_link *link = &mesh->links.items[i];
    run->ends[2 * i] = end_of(link->from, link->start, link->length);
    run->ends[2 * i + 1] = end_of(link->to, link->end, link->length);
  }
  for (uint32_t i = 0; i < count; i++) {
    run->ends[i].next = run->first_end[run->ends[i].polygon];
    run->first_end[run->ends[i].polygon] = i;
  }
  return true;
}

static void free_spread(spreading *run) {
  lw_navmesh *mesh = run->mesh;
  lwi_memory *memory = &mesh->memory;
  lwi_heap_free(&run->open, memory);
  lwi_free(memory, run->entries, mesh->graph.portal_count * sizeof *run->entries);
  lwi_free(memory, run->nodes, (size_t)run->node_capacity * sizeof *run->nodes);
  lwi_free(memory, run->free_nodes, (size_t)run->free_capacity * sizeof *run->free_nodes);
  lwi_free(memory, run->distances, mesh->polygons.count * sizeof *run->distances);
  lwi_free(memory, run->ends, 2 * (size_t)mesh->links.count * sizeof *run->ends);
  lwi_free(memory, run->first_end, mesh->polygons.count * sizeof *run->first_end);
}

/* --- choosing --------------------------------------------------------------------------------------------- */

typedef struct choosing {
  spreading spread;
  float *nearest; /* [polygons] Distance from the nearest landmark; of islands without one their size. [m] */
  float *all;     /* [LWI_LANDMARKS][polygons] */
} choosing;

/* Until there is a landmark on an island, its size is how far across its polygons lie. */
static bool measure_islands(const choosing *work) {
  lw_navmesh *mesh = work->spread.mesh;
  lw_box *boxes = lwi_alloc(&mesh->memory, mesh->graph.island_count * sizeof *boxes);
  if (!boxes) return mesh->graph.island_count == 0;
  for (uint32_t i = 0; i < mesh->graph.island_count; i++) boxes[i] = lwi_box_empty();
  for (uint32_t i = 0; i < mesh->polygons.count; i++) {
    const lwi_point2 middle = lwi_polygon_middle(mesh, i);
    lw_box *box = &boxes[mesh->graph.islands[i]];
    *box = lwi_box_add(*box, lwi_vec3((float)middle.x, 0, (float)middle.z));
  }
  for (uint32_t i = 0; i < mesh->polygons.count; i++) {
    const lw_box *box = &boxes[mesh->graph.islands[i]];
    work->nearest[i] = lwi_distance_xz(box->min, box->max);
  }
  lwi_free(&mesh->memory, boxes, mesh->graph.island_count * sizeof *boxes);
  return true;
}

static uint32_t furthest(const float *distances, uint32_t count) {
  uint32_t max = 0;
  for (uint32_t i = 1; i < count; i++)
    if (distances[i] > distances[max]) max = i;
  return max;
}

/* On an island without landmarks any polygon stands for its furthest one, which lies at its rim. */
static uint32_t rim_of(choosing *work, uint32_t polygon) {
  const uint32_t count = work->spread.mesh->polygons.count;
  spread_from(&work->spread, polygon);
  for (uint32_t i = 0; i < count; i++)
    if (work->spread.distances[i] == INFINITY) work->spread.distances[i] = -1;
  return furthest(work->spread.distances, count);
}

static bool choose(choosing *work) {
  const lw_navmesh *mesh = work->spread.mesh;
  const uint32_t count = mesh->polygons.count;
  bool *has = lwi_alloc_zero(&work->spread.mesh->memory, mesh->graph.island_count);
  if (!has) return false;
  for (int landmark = 0; landmark < LWI_LANDMARKS && !work->spread.failed && !work->spread.is_too_large;
       landmark++) {
    uint32_t at = furthest(work->nearest, count);
    const uint32_t island = mesh->graph.islands[at];
    if (!has[island]) at = rim_of(work, at);
    has[island] = true;
    spread_from(&work->spread, at);
    const float *distances = work->spread.distances;
    memcpy(work->all + (size_t)landmark * count, distances, count * sizeof *distances);
    for (uint32_t i = 0; i < count; i++)
      if (mesh->graph.islands[i] == island || distances[i] < INFINITY)
        work->nearest[i] = lwi_min(work->nearest[i], distances[i]);
  }
  lwi_free(&work->spread.mesh->memory, has, mesh->graph.island_count);
  return !work->spread.failed;
}

/* Distances are kept in units, so that the largest one fits. */
static void keep(const choosing *work, lwi_reduction *reduction) {
  const uint32_t count = work->spread.mesh->polygons.count;
  float max = 0;
  for (size_t i = 0; i < (size_t)count * LWI_LANDMARKS; i++)
    if (work->all[i] < INFINITY) max = lwi_max(max, work->all[i]);
  reduction->unit = max > 0 ? max / MAX_UNITS : 1;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < LWI_LANDMARKS; k++) {
      const float distance = work->all[(size_t)k * count + i];
      reduction->distances[(size_t)i * LWI_LANDMARKS + k] =
          distance < INFINITY ? (uint16_t)(distance / reduction->unit) : UINT16_MAX;
    }
}

bool lwi_landmarks_make(lw_navmesh *mesh, lwi_reduction *reduction) {
  const size_t count = mesh->polygons.count, portals = mesh->graph.portal_count;
  lwi_memory *memory = &mesh->memory;
  if (count == 0) return true;
  choosing work = {.spread = {.mesh = mesh, .reduction = reduction}};
  work.spread.entries = lwi_alloc_zero(memory, portals * sizeof *work.spread.entries);
  work.spread.distances = lwi_alloc(memory, count * sizeof *work.spread.distances);
  work.nearest = lwi_alloc(memory, count * sizeof *work.nearest);
  work.all = lwi_alloc(memory, count * LWI_LANDMARKS * sizeof *work.all);
  reduction->distances = lwi_alloc(memory, count * LWI_LANDMARKS * sizeof *reduction->distances);
  reduction->landmark_count = reduction->distances ? LWI_LANDMARKS : 0;
  const bool good = (work.spread.entries || portals == 0) && work.spread.distances && work.nearest &&
                    work.all && reduction->distances && list_links(&work.spread) && measure_islands(&work) &&
                    choose(&work);
  if (good && !work.spread.is_too_large) keep(&work, reduction);
  if (good && work.spread.is_too_large) {
    lwi_free(memory, reduction->distances, count * LWI_LANDMARKS * sizeof *reduction->distances);
    reduction->distances = NULL;
    reduction->landmark_count = 0;
  }
  free_spread(&work.spread);
  lwi_free(memory, work.nearest, count * sizeof *work.nearest);
  lwi_free(memory, work.all, count * LWI_LANDMARKS * sizeof *work.all);
  return good;
}
