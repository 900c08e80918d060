/* Landmarks are polygons far from each other. Distances from them are exact, so that differences of two of them bound what
   lies between, whatever a path turns round: intervals are spread from the landmark over the whole navmesh, the nearest
   first. */
#include "mesh/landmarks.h"

#include "core/heap.h"
#include "mesh/intervals.h"
#include "mesh/reduction.h"

#include <string.h>

/* Middles of the two directions of a portal are this near to each other. [m] */
#define SAME_PLACE 1e-3
/* Distances are divided by the unit, so none is 0. [m] */
#define MIN_UNIT 1e-6F
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
  float *distances;          /* [polygons] Of this spread. [m] */
  const uint32_t *rows;      /* [portals] */
  const lwi_point2 *middles; /* [row_count] Of portals. */
  float *to_middles;         /* [row_count] Distances of this spread. [m] */
  uint32_t row_count;
  link_end *ends;      /* [2 * links] End 2i is the start of link i, end 2i + 1 its end. */
  uint32_t *first_end; /* [polygons] LWI_NONE: none. NULL: there are no links. */
  bool failed;         /* out of memory, */
  bool is_too_large;   /* or more intervals than INTERVALS_A_PORTAL allows */
} spreading;

static lwi_point2 middle_of(const lw_navmesh *mesh, uint32_t polygon) {
  return lwi_point2_of(lwi_polygon_middle(mesh, polygon));
}

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

static void reach_middle(const spreading *run, uint32_t k, double length) {
  float *known = &run->to_middles[run->rows[k]];
  *known = lwi_min(*known, (float)length);
}

/* From a point of a polygon, to which a path of length `g` leads. */
static void begin_at(spreading *run, uint32_t polygon, lwi_point2 point, double g) {
  const lwi_mesh_graph *graph = &run->mesh->graph;
  const lwi_point2 middle = middle_of(run->mesh, polygon);
  run->distances[polygon] = lwi_min(run->distances[polygon], (float)(g + lwi_point2_distance(point, middle)));
  for (uint32_t end = first_end(run, polygon); end != LWI_NONE; end = run->ends[end].next)
    take_link(run, end, g + lwi_point2_distance(point, run->ends[end].at));
  for (uint32_t k = graph->first_portal[polygon]; k < graph->end_portal[polygon]; k++) {
    reach_middle(run, k, g + lwi_point2_distance(point, run->middles[run->rows[k]]));
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
      lwi_min(run->distances[polygon], (float)lwi_view_reach(&view, middle_of(run->mesh, polygon)));
  for (uint32_t end = first_end(run, polygon); end != LWI_NONE; end = run->ends[end].next)
    take_link(run, end, lwi_view_reach(&view, run->ends[end].at));
  for (uint32_t k = graph->first_portal[polygon]; k < graph->end_portal[polygon]; k++) {
    reach_middle(run, k, lwi_view_reach(&view, run->middles[run->rows[k]]));
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
  for (uint32_t i = 0; i < run->row_count; i++) run->to_middles[i] = INFINITY;
  for (uint32_t i = 0; i < 2 * run->mesh->links.count; i++) run->ends[i].known = INFINITY;
  begin_at(run, polygon, middle_of(run->mesh, polygon), 0);
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
  lwi_free(memory, (void *)run->middles, mesh->graph.portal_count * sizeof *run->middles);
  lwi_free(memory, run->to_middles, run->row_count * sizeof *run->to_middles);
  lwi_free(memory, run->ends, 2 * (size_t)mesh->links.count * sizeof *run->ends);
  lwi_free(memory, run->first_end, mesh->polygons.count * sizeof *run->first_end);
}

/* --- choosing --------------------------------------------------------------------------------------------- */

typedef struct choosing {
  spreading spread;
  float *nearest; /* [polygons] Distance from the nearest landmark; of islands without one their size. [m] */
  uint32_t count; /* of landmarks */
  float *all;     /* [count][rows] */
} choosing;

/* Until there is a landmark on an island, its size is how far across its polygons lie. */
static bool measure_islands(const choosing *work) {
  lw_navmesh *mesh = work->spread.mesh;
  lw_box *boxes = lwi_alloc(&mesh->memory, mesh->graph.island_count * sizeof *boxes);
  if (!boxes) return mesh->graph.island_count == 0;
  for (uint32_t i = 0; i < mesh->graph.island_count; i++) boxes[i] = lwi_box_empty();
  for (uint32_t i = 0; i < mesh->polygons.count; i++) {
    const lwi_point2 middle = middle_of(mesh, i);
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
  for (uint32_t landmark = 0; landmark < work->count && !work->spread.failed && !work->spread.is_too_large;
       landmark++) {
    uint32_t at = furthest(work->nearest, count);
    const uint32_t island = mesh->graph.islands[at];
    if (!has[island]) at = rim_of(work, at);
    has[island] = true;
    spread_from(&work->spread, at);
    const float *distances = work->spread.distances;
    memcpy(work->all + (size_t)landmark * work->spread.row_count, work->spread.to_middles,
           work->spread.row_count * sizeof *work->spread.to_middles);
    for (uint32_t i = 0; i < count; i++)
      if (mesh->graph.islands[i] == island || distances[i] < INFINITY)
        work->nearest[i] = lwi_min(work->nearest[i], distances[i]);
  }
  lwi_free(&work->spread.mesh->memory, has, mesh->graph.island_count);
  return !work->spread.failed;
}

float lwi_landmark_round(const float *from, uint32_t rows, uint32_t count, int16_t *to) {
  float max = 0;
  for (size_t i = 0; i < (size_t)rows * count; i++)
    if (from[i] < INFINITY) max = lwi_max(max, from[i]);
  const float unit = lwi_max(max / LWI_LANDMARK_FAR, MIN_UNIT);
  for (uint32_t i = 0; i < rows; i++)
    for (uint32_t k = 0; k < count; k++) {
      const float distance = from[(size_t)k * rows + i];
      to[(size_t)i * count + k] = distance < INFINITY ? (int16_t)(distance / unit) : LWI_LANDMARK_NONE;
    }
  return unit;
}

static lwi_point2 middle_of_portal(const lw_navmesh *mesh, uint32_t polygon, const lwi_portal *portal) {
  lw_vec3 left, right;
  lwi_portal_ends_xz(mesh, polygon, portal, &left, &right);
  return lwi_point2_lerp(lwi_point2_of(left), lwi_point2_of(right), 0.5);
}

/* The row of a portal that was met in its other direction before. @return LWI_NONE: it was not. */
static uint32_t row_of_twin(const lw_navmesh *mesh, const lwi_landmarks *to, const lwi_point2 *middles,
                            uint32_t polygon, uint32_t k, lwi_point2 middle) {
  const uint32_t other = mesh->graph.portals[k].to;
  if (other >= polygon) return LWI_NONE;
  for (uint32_t i = mesh->graph.first_portal[other]; i < mesh->graph.end_portal[other]; i++)
    if (mesh->graph.portals[i].to == polygon &&
        lwi_point2_apart2(middles[to->rows[i]], middle) <= SAME_PLACE * SAME_PLACE)
      return to->rows[i];
  return LWI_NONE;
}

/* @param[out] middles  [portals] */
static void number_rows(const lw_navmesh *mesh, lwi_landmarks *to, lwi_point2 *middles) {
  for (uint32_t polygon = 0; polygon < mesh->polygons.count; polygon++)
    for (uint32_t k = mesh->graph.first_portal[polygon]; k < mesh->graph.end_portal[polygon]; k++) {
      const lwi_point2 middle = middle_of_portal(mesh, polygon, &mesh->graph.portals[k]);
      to->rows[k] = row_of_twin(mesh, to, middles, polygon, k, middle);
      if (to->rows[k] != LWI_NONE) continue;
      to->rows[k] = to->row_count;
      middles[to->row_count++] = middle;
    }
}

/* Begin with rows. @return false: no memory. */
static bool begin(lw_navmesh *mesh, lwi_landmarks *to, spreading *spread) {
  const size_t portals = mesh->graph.portal_count, count = mesh->polygons.count;
  lwi_memory *memory = &mesh->memory;
  lwi_point2 *middles = lwi_alloc(memory, portals * sizeof *middles);
  spread->middles = middles;
  to->count = count > LWI_MANY_POLYGONS ? LWI_FEW_LANDMARKS : LWI_LANDMARKS;
  to->rows = lwi_alloc(memory, portals * sizeof *to->rows);
  spread->entries = lwi_alloc_zero(memory, portals * sizeof *spread->entries);
  spread->distances = lwi_alloc(memory, count * sizeof *spread->distances);
  if (!middles || !to->rows || !spread->entries || !spread->distances) return false;
  number_rows(mesh, to, middles);
  spread->rows = to->rows;
  spread->row_count = to->row_count;
  spread->to_middles = lwi_alloc(memory, to->row_count * sizeof *spread->to_middles);
  to->distances = lwi_alloc(memory, (size_t)to->row_count * to->count * sizeof *to->distances);
  return spread->to_middles && to->distances && list_links(spread);
}

bool lwi_landmarks_make(lw_navmesh *mesh) {
  const size_t polygons = mesh->polygons.count;
  lwi_memory *memory = &mesh->memory;
  lwi_landmarks *to = mesh->attachments.slots[LWI_LANDMARKS_SLOT];
  lwi_attachment_clear(mesh, LWI_LANDMARKS_SLOT);
  if (mesh->graph.portal_count == 0) return true;
  choosing work = {.spread = {.mesh = mesh, .reduction = lwi_reduction_of(mesh)}};
  bool good = begin(mesh, to, &work.spread);
  const size_t size = (size_t)to->row_count * to->count * sizeof *work.all;
  work.count = to->count;
  work.nearest = lwi_alloc(memory, polygons * sizeof *work.nearest);
  work.all = good ? lwi_alloc(memory, size) : NULL;
  good = good && work.nearest && work.all && measure_islands(&work) && choose(&work);
  if (good && !work.spread.is_too_large)
    to->unit = lwi_landmark_round(work.all, to->row_count, to->count, to->distances);
  lwi_free(memory, work.nearest, polygons * sizeof *work.nearest);
  lwi_free(memory, work.all, work.all ? size : 0);
  free_spread(&work.spread);
  if (!good || work.spread.is_too_large) lwi_attachment_clear(mesh, LWI_LANDMARKS_SLOT);
  return good;
}

/* --- places ----------------------------------------------------------------------------------------------- */

/* Narrow a range by the distances of the middle of a portal that is `off` away, which are rounded down. */
static void narrow_place(lwi_landmark_place *place, const int16_t *row, uint32_t count, float off) {
  const int below = (int)lwi_min(off, LWI_LANDMARK_FAR);
  const lwi_short8 up = lwi_short_splat8((int16_t)(below + ((float)below < off))),
                   far = lwi_short_splat8((int16_t)(below + 2)),
                   limit = lwi_short_splat8((int16_t)(LWI_LANDMARK_NONE - 2 - below));
  for (uint32_t k = 0; k < count; k += LWI_FEW_LANDMARKS) {
    const lwi_short8 there = lwi_short_load8(row + k);
    const lwi_short8 low = lwi_short_sub8(lwi_short_without8(there, LWI_LANDMARK_NONE), up),
                     high = lwi_short_add8(lwi_short_min8(there, limit), far);
    lwi_short_store8(place->low + k, lwi_short_max8(lwi_short_load8(place->low + k), low));
    lwi_short_store8(place->high + k, lwi_short_min8(lwi_short_load8(place->high + k), high));
  }
}

lwi_landmark_place lwi_landmark_place_of(const lw_navmesh *mesh, uint32_t polygon, lw_vec3 at) {
  const lw_navmesh *base = lwi_base_of(mesh);
  const lwi_landmarks *landmarks = lwi_landmarks_of(base);
  lwi_landmark_place place;
  for (uint32_t i = 0; i < LWI_LANDMARKS; i++) place.low[i] = 0, place.high[i] = LWI_LANDMARK_NONE;
  for (uint32_t k = base->graph.first_portal[polygon]; k < base->graph.end_portal[polygon]; k++) {
    const lwi_point2 middle = middle_of_portal(base, polygon, &base->graph.portals[k]);
    const float off = (float)lwi_point2_distance(lwi_point2_of(at), middle) / landmarks->unit;
    narrow_place(&place, landmarks->distances + (size_t)landmarks->rows[k] * landmarks->count, landmarks->count,
                 off);
  }
  for (uint32_t i = 0; i < LWI_LANDMARKS; i++) place.low[i] -= 1; /* what it is compared with is rounded down */
  return place;
}

float lwi_landmark_bound_between(const lwi_landmarks *landmarks, const lwi_landmark_place *a,
                                 const lwi_landmark_place *b) {
  const lwi_short8 one = lwi_short_splat8(1);
  lwi_short8 max = {0};
  for (uint32_t k = 0; k < landmarks->count; k += LWI_FEW_LANDMARKS) {
    const lwi_short8 there = lwi_short_sub8(lwi_short_load8(a->low + k), lwi_short_load8(b->high + k)),
                     back = lwi_short_sub8(lwi_short_load8(b->low + k), lwi_short_load8(a->high + k));
    max = lwi_short_max8(max, lwi_short_add8(lwi_short_max8(there, back), one));
  }
  return (float)lwi_short_highest8(max) * landmarks->unit;
}

lwi_landmark_goal lwi_landmark_goal_of(const lw_navmesh *mesh, uint32_t region, lw_vec3 at) {
  const lwi_landmarks *landmarks = lwi_landmarks_of(mesh);
  if (landmarks->count == 0) return (lwi_landmark_goal){.landmarks = NULL};
  return (lwi_landmark_goal){.mesh = mesh,
                             .landmarks = landmarks,
                             .base_portals = lwi_base_of(mesh)->graph.portal_count,
                             .place = lwi_landmark_place_of(mesh, lwi_origin_of(mesh, region), at)};
}

float lwi_landmark_left_from(const lwi_landmark_goal *goal, uint32_t polygon, lw_vec3 at) {
  const lwi_landmark_place place = lwi_landmark_place_of(goal->mesh, polygon, at);
  return lwi_landmark_bound_between(goal->landmarks, &place, &goal->place);
}

/* --- sections --------------------------------------------------------------------------------------------- */

enum { ROWS, DISTANCES, LANDMARK_SECTIONS };

static const lwi_section arrays[LANDMARK_SECTIONS] = {
    [ROWS] = LWI_SECTION("rows of distances from landmarks", lwi_landmarks, rows),
    [DISTANCES] = LWI_SECTION("distances from landmarks to portals", lwi_landmarks, distances),
};

static uint64_t count(const lw_navmesh *mesh, const void *group, int section) {
  const lwi_landmarks *of = group;
  if (of->count == 0) return 0;
  return section == ROWS ? mesh->graph.portal_count : (uint64_t)of->row_count * of->count;
}

static const char *check_head(const void *group) {
  const lwi_landmarks *of = group;
  if ((of->count != 0 && of->count != LWI_LANDMARKS && of->count != LWI_FEW_LANDMARKS) || of->reserved != 0)
    return "a count is out of range";
  const float min = of->count == 0 ? 0 : MIN_UNIT;
  return of->unit >= min && of->unit < INFINITY ? NULL : "the unit of its distances is out of range";
}

static const char *check(const lw_navmesh *mesh, const void *group, int section) {
  const lwi_landmarks *of = group;
  bool fine = true;
  for (uint32_t i = 0; section == ROWS && i < mesh->graph.portal_count; i++)
    fine &= of->rows[i] < of->row_count;
  for (size_t i = 0; section == DISTANCES && i < (size_t)of->row_count * of->count; i++)
    fine &= of->distances[i] >= 0;
  return fine ? NULL : "a number is out of range";
}

_Static_assert(offsetof(lwi_landmarks, rows) == 16, "the numbers of lwi_landmarks have no gaps");
const lwi_section_group lwi_landmark_sections = {.name = "landmarks",
                                                 .sections = arrays,
                                                 .section_count = LANDMARK_SECTIONS,
                                                 .size = sizeof(lwi_landmarks),
                                                 .head_size = offsetof(lwi_landmarks, rows),
                                                 .count = count,
                                                 .check_head = check_head,
                                                 .check = check};
