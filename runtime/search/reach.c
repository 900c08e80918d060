/* Portals lead both ways, so that first the mesh falls into parts that portals join. Links join these parts in
   one direction each: strongly connected components (Tarjan 1972) over the parts that have link ends, which are
   few, then the closure over them. Tarjan closes a component after all that it leads to, so that its row is the
   union of theirs. */
#include "search/reach.h"

#include "mesh/clearance.h"
#include "mesh/link_fits.h"

#include "core/hash.h"
#include "core/sort.h"

#include <string.h>

typedef struct graph_node {
  uint32_t label;      /* by portals alone */
  uint32_t first, end; /* of its targets */
  uint32_t next;       /* target to follow, while the node is on the path */
  uint32_t index, low; /* Tarjan's numbers; index LWI_NONE: not yet seen */
  uint32_t component;  /* LWI_NONE: not yet known */
} graph_node;

/* The parts with link ends, by label, and the usable links between them. */
typedef struct reach_graph {
  lwi_memory *memory;
  uint32_t node_count, edge_count, edge_capacity, component_count;
  graph_node *nodes;      /* [node_count, of 2 * edge_capacity] */
  uint32_t *targets;      /* [edge_count] Nodes, by the node that they are reached from. */
  uint32_t *ends;         /* [2 * edge_count] Nodes that each edge leaves and enters, in order of the links. */
  uint32_t *path, *stack; /* [node_count] Down from the root; and seen, but of no known component. */
  uint32_t *order;        /* [node_count] By component. */
} reach_graph;

static void free_graph(reach_graph *graph) {
  const size_t edges = graph->edge_capacity;
  lwi_free(graph->memory, graph->nodes, 2 * edges * sizeof *graph->nodes);
  lwi_free(graph->memory, graph->targets, edges * sizeof *graph->targets);
  lwi_free(graph->memory, graph->ends, 2 * edges * sizeof *graph->ends);
  lwi_free(graph->memory, graph->path, 6 * edges * sizeof *graph->path);
}

static bool joins_parts(const lwi_graph *graph, uint32_t link, const lw_filter *filter,
                        const uint32_t *labels) {
  lwi_link_regions regions = lwi_graph_link_regions(graph, link);
  return regions.from != LWI_NONE && regions.to != LWI_NONE && labels[regions.from] != LWI_NONE &&
         labels[regions.to] != LWI_NONE && labels[regions.from] != labels[regions.to] &&
         lwi_link_passes(graph->mesh, &graph->mesh->links.items[link], filter);
}

static int compare_nodes(const void *left, const void *right) {
  const graph_node *a = left, *b = right;
  return (a->label > b->label) - (a->label < b->label);
}

/* Nodes of the labels of all ends of edges, by label. */
static void number_nodes(reach_graph *graph) {
  for (uint32_t i = 0; i < 2 * graph->edge_count; i++)
    graph->nodes[i] = (graph_node){.label = graph->ends[i], .index = LWI_NONE, .component = LWI_NONE};
  lwi_sort(graph->nodes, 2 * (size_t)graph->edge_count, sizeof *graph->nodes, compare_nodes);
  for (uint32_t i = 0; i < 2 * graph->edge_count; i++)
    if (i == 0 || graph->nodes[i].label != graph->nodes[graph->node_count - 1].label)
      graph->nodes[graph->node_count++] = graph->nodes[i];
}

static uint32_t node_of(const reach_graph *graph, uint32_t label) {
  uint32_t low = 0, high = graph->node_count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (graph->nodes[middle].label < label)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void list_targets(reach_graph *graph) {
  for (uint32_t i = 0; i < 2 * graph->edge_count; i++) graph->ends[i] = node_of(graph, graph->ends[i]);
  for (uint32_t e = 0; e < graph->edge_count; e++) graph->nodes[graph->ends[2 * e]].end += 1;
  uint32_t sum = 0;
  for (uint32_t n = 0; n < graph->node_count; n++) {
    graph_node *node = &graph->nodes[n];
    sum += node->end;
    node->first = node->end = node->next = sum - node->end;
  }
  for (uint32_t e = 0; e < graph->edge_count; e++)
    graph->targets[graph->nodes[graph->ends[2 * e]].end++] = graph->ends[2 * e + 1];
}

static bool make_graph(reach_graph *graph, const lwi_reach *reach) {
  const lwi_graph *ground = &reach->graph;
  const uint32_t *labels = reach->labels;
  const uint32_t links = ground->mesh->links.count;
  uint32_t count = 0;
  for (uint32_t i = 0; i < links; i++) count += joins_parts(ground, i, &reach->filter, labels);
  if (count == 0) return true;
  graph->edge_capacity = count;
  graph->nodes = lwi_alloc(graph->memory, 2 * (size_t)count * sizeof *graph->nodes);
  graph->targets = lwi_alloc(graph->memory, count * sizeof *graph->targets);
  graph->ends = lwi_alloc(graph->memory, 2 * (size_t)count * sizeof *graph->ends);
  graph->path = lwi_alloc(graph->memory, 6 * (size_t)count * sizeof *graph->path);
  if (!graph->nodes || !graph->targets || !graph->ends || !graph->path) return false;
  for (uint32_t i = 0; i < links; i++) {
    if (!joins_parts(ground, i, &reach->filter, labels)) continue;
    const lwi_link_regions regions = lwi_graph_link_regions(ground, i);
    graph->ends[2 * graph->edge_count] = labels[regions.from];
    graph->ends[2 * graph->edge_count + 1] = labels[regions.to];
    graph->edge_count += 1;
  }
  number_nodes(graph);
  graph->stack = graph->path + graph->node_count;
  graph->order = graph->stack + graph->node_count;
  list_targets(graph);
  return true;
}

/* All on the stack down to `root` are one component. */
static uint32_t close_component(reach_graph *graph, uint32_t root, uint32_t *height, uint32_t ordered) {
  uint32_t popped;
  do {
    popped = graph->stack[--*height];
    graph->nodes[popped].component = graph->component_count;
    graph->order[ordered++] = popped;
  } while (popped != root);
  graph->component_count += 1;
  return ordered;
}

static void find_components(reach_graph *graph) {
  uint32_t seen = 0, ordered = 0, height = 0;
  for (uint32_t seed = 0; seed < graph->node_count; seed++) {
    if (graph->nodes[seed].index != LWI_NONE) continue;
    uint32_t depth = 0;
    graph->path[depth++] = seed;
    while (depth > 0) {
      uint32_t at = graph->path[depth - 1];
      graph_node *node = &graph->nodes[at];
      if (node->index == LWI_NONE) {
        node->index = node->low = seen++;
        graph->stack[height++] = at;
      }
      if (node->next < node->end) {
        uint32_t to = graph->targets[node->next++];
        const graph_node *target = &graph->nodes[to];
        if (target->index == LWI_NONE)
          graph->path[depth++] = to;
        else if (target->component == LWI_NONE && target->index < node->low)
          node->low = target->index;
        continue;
      }
      if (node->low == node->index) ordered = close_component(graph, at, &height, ordered);
      depth -= 1;
      if (depth > 0 && node->low < graph->nodes[graph->path[depth - 1]].low)
        graph->nodes[graph->path[depth - 1]].low = node->low;
    }
  }
}

static bool make_closure(lwi_reach *reach, const reach_graph *graph) {
  reach->component_count = graph->component_count;
  reach->row_words = (graph->component_count + 63) / 64;
  size_t words = (size_t)reach->component_count * reach->row_words;
  if (words == 0) return true;
  reach->closure = lwi_alloc_zero(graph->memory, words * sizeof *reach->closure);
  reach->linked = lwi_alloc(graph->memory, graph->node_count * sizeof *reach->linked);
  reach->linked_count = graph->node_count;
  if (!reach->closure || !reach->linked) return false;
  for (uint32_t i = 0; i < graph->node_count; i++)
    reach->linked[i] = (lwi_linked_label){graph->nodes[i].label, graph->nodes[i].component};
  for (uint32_t i = 0; i < graph->node_count; i++) {
    const graph_node *node = &graph->nodes[graph->order[i]];
    uint64_t *row = reach->closure + (size_t)node->component * reach->row_words;
    row[node->component >> 6] |= 1ULL << (node->component & 63);
    for (uint32_t e = node->first; e < node->end; e++) {
      uint32_t to = graph->nodes[graph->targets[e]].component;
      if (to == node->component || (row[to >> 6] >> (to & 63) & 1)) continue;
      const uint64_t *other = reach->closure + (size_t)to * reach->row_words;
      for (uint32_t w = 0; w < reach->row_words; w++) row[w] |= other[w];
    }
  }
  return true;
}

/* @return LWI_NONE: no link leads from there, or to there. */
static uint32_t component_of(const lwi_reach *reach, uint32_t label) {
  uint32_t low = 0, high = reach->linked_count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (reach->linked[middle].label < label)
      low = middle + 1;
    else
      high = middle;
  }
  return low < reach->linked_count && reach->linked[low].label == label ? reach->linked[low].component
                                                                        : LWI_NONE;
}

bool lwi_reaches_by_links(const lwi_reach *reach, uint32_t from, uint32_t to) {
  const uint32_t own = component_of(reach, from), other = component_of(reach, to);
  if (own == LWI_NONE || other == LWI_NONE) return false;
  return reach->closure[(size_t)own * reach->row_words + (other >> 6)] >> (other & 63) & 1;
}

static void drop_links(lwi_reach *reach, lwi_memory *memory) {
  lwi_free(memory, reach->closure, (size_t)reach->component_count * reach->row_words * sizeof *reach->closure);
  lwi_free(memory, reach->linked, reach->linked_count * sizeof *reach->linked);
  reach->closure = NULL;
  reach->linked = NULL;
  reach->component_count = reach->linked_count = reach->row_words = 0;
}

bool lwi_reach_join_by_links(lwi_reach *reach, lwi_memory *memory) {
  drop_links(reach, memory);
  if (reach->graph.mesh->links.count == 0) return true;
  reach_graph graph = {.memory = memory};
  bool done = make_graph(&graph, reach);
  if (done && graph.node_count > 0) {
    find_components(&graph);
    done = make_closure(reach, &graph);
  }
  free_graph(&graph);
  return done;
}

bool lwi_reach_reserve_labels(lwi_reach *reach, lwi_memory *memory) {
  const int needed = (int)reach->graph.region_count;
  if (!lwi_reserve(memory, &reach->labels, &reach->label_capacity, needed + 1, sizeof *reach->labels))
    return false;
  for (; reach->label_count < needed; reach->label_count++) reach->labels[reach->label_count] = LWI_NONE;
  return true;
}

static bool label(lwi_reach *reach, lwi_memory *memory) {
  const size_t size = ((size_t)reach->graph.region_count + 1) * sizeof(uint32_t);
  if (!lwi_reach_reserve_labels(reach, memory)) return false;
  uint32_t *stack = lwi_alloc(memory, size);
  if (!stack) return false;
  reach->next_label = lwi_label_components(&reach->graph, &reach->filter, reach->labels, stack);
  lwi_free(memory, stack, size);
  return lwi_reach_join_by_links(reach, memory);
}

/* Do all ground and portals of a navmesh pass a filter? */
static bool passes_all(const lw_navmesh *mesh, const lw_filter *filter) {
  if (!lwi_can_climb(filter->climb, mesh->graph.highest_step)) return false;
  for (uint32_t i = 0; i < mesh->polygons.count; i++)
    if (!lwi_passes(mesh, filter, i)) return false;
  return true;
}

bool lwi_reach_make(lwi_reach *reach, lwi_memory *memory, const lw_navmesh *mesh, const lw_filter *filter) {
  bool is_large = lwi_clearance_extra(mesh, filter) > 0;
  *reach = (lwi_reach){.filter = *filter, .graph = lwi_graph_of(mesh), .version = mesh->live.version};
  if (is_large) reach->clearance = lwi_clearance_create(memory, mesh, filter);
  if (is_large && !reach->clearance) return false;
  if (is_large) reach->graph = reach->clearance->graph;
  reach->is_open = passes_all(lwi_base_of(mesh), filter);
  if (label(reach, memory)) return true;
  lwi_reach_free(reach, memory);
  return false;
}

void lwi_reach_free(lwi_reach *reach, lwi_memory *memory) {
  drop_links(reach, memory);
  lwi_free(memory, reach->labels, (size_t)reach->label_capacity * sizeof *reach->labels);
  lwi_clearance_destroy(reach->clearance);
  *reach = (lwi_reach){0};
}

/* --- by filter -------------------------------------------------------------------------------------------- */

static void find_extremes(lwi_components *components, const lw_navmesh *mesh) {
  components->lowest = LWI_HEADROOM_OPEN;
  components->highest_step = mesh->graph.highest_step;
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    if (mesh->polygons.headrooms[p] < components->lowest) components->lowest = mesh->polygons.headrooms[p];
    const uint8_t depth = mesh->polygons.depths[2 * (size_t)p + 1], step = mesh->polygons.steps[p];
    if (depth > components->deepest) components->deepest = depth;
    if (step > components->highest_step) components->highest_step = step;
  }
}

bool lwi_components_init(lwi_components *components, const lw_navmesh *mesh, size_t limit,
                         const lw_allocator *allocator) {
  *components = (lwi_components){.memory = lwi_memory_make(allocator), .mesh = mesh, .limit = limit};
  find_extremes(components, lwi_base_of(mesh));
  components->scratch.relabel.memory = &components->memory;
  return lwi_mutex_init(&components->lock);
}

static lwi_component_set **slot_of(lwi_components *components, const lw_filter *filter) {
  return &components->slots[lwi_hash(LWI_HASH_SEED, filter, sizeof *filter) % LWI_COMPONENT_SLOTS];
}

static void unlist(lwi_components *components, lwi_component_set *set) {
  *(set->older ? &set->older->newer : &components->oldest) = set->newer;
  *(set->newer ? &set->newer->older : &components->newest) = set->older;
  set->older = set->newer = NULL;
}

static void list_newest(lwi_components *components, lwi_component_set *set) {
  set->older = components->newest;
  *(set->older ? &set->older->newer : &components->oldest) = set;
  components->newest = set;
}

static void destroy_set(lwi_components *components, lwi_component_set *set) {
  lwi_component_set **at = slot_of(components, &set->filter);
  while (*at != set) at = &(*at)->next;
  *at = set->next;
  unlist(components, set);
  lwi_reach_free(&set->reach, &components->memory);
  lwi_free(&components->memory, set, sizeof *set);
}

/* Free what was not asked for longest while the limit is exceeded, but neither the newest nor what is in
   use. */
static void trim(lwi_components *components) {
  lwi_component_set *set = components->oldest;
  while (set && set != components->newest && components->memory.bytes > components->limit) {
    lwi_component_set *newer = set->newer;
    if (set->pins == 0) destroy_set(components, set);
    set = newer;
  }
}

void lwi_components_free(lwi_components *components) {
  while (components->oldest) destroy_set(components, components->oldest);
  lwi_reach_scratch_free(&components->scratch);
  lwi_mutex_destroy(&components->lock);
}

static lwi_component_set *find_set(lwi_components *components, const lw_filter *filter) {
  lwi_component_set *set = *slot_of(components, filter);
  while (set && memcmp(&set->filter, filter, sizeof *filter) != 0) set = set->next;
  return set;
}

static lwi_component_set *make_set(lwi_components *components, const lw_filter *filter) {
  lwi_component_set *set = lwi_alloc_zero(&components->memory, sizeof *set);
  if (!set) return NULL;
  set->filter = *filter;
  lwi_component_set **slot = slot_of(components, filter);
  set->next = *slot;
  *slot = set;
  list_newest(components, set);
  return set;
}

/* Compute what it can reach, or bring it up to date. @return false: no memory, and it has nothing. */
static bool refresh_set(lwi_components *components, lwi_component_set *set) {
  if (!set->reach.labels)
    return lwi_reach_make(&set->reach, &components->memory, components->mesh, &set->filter);
  return lwi_reach_update(&set->reach, &components->memory, &components->scratch);
}

/* Is there headroom for a height everywhere, also below obstacles? */
static bool all_have_headroom(const lwi_components *components, float height) {
  const lw_navmesh *mesh = components->mesh;
  unsigned headroom = 0;
  if (!lwi_has_headroom(components->lowest, height, mesh->agent.height)) return false;
  while (headroom < LWI_HEADROOM_OPEN && !lwi_has_headroom((uint8_t)headroom, height, mesh->agent.height))
    headroom++;
  return !lwi_is_lowered(mesh->live.lowered, 0, (uint8_t)headroom);
}

/* Agents that no wall, water, ceiling or area of the mesh tells apart share one answer. */
static lw_filter shared_filter(const lwi_components *components, const lw_filter *asked) {
  lw_filter filter = *asked;
  if (!(lwi_clearance_extra(components->mesh, asked) > 0)) filter.radius = 0;
  if (lwi_can_wade(filter.wade_depth, components->deepest)) filter.wade_depth = INFINITY;
  const bool may_not_fit = filter.height > components->mesh->agent.height && components->mesh->links.count > 0;
  if (!may_not_fit && all_have_headroom(components, filter.height)) filter.height = 0;
  if (lwi_can_climb(filter.climb, components->highest_step)) filter.climb = INFINITY;
  for (int i = 0; i < 4 && components->deepest == 0; i++) {
    filter.areas[i] &= ~filter.deep_areas[i];
    filter.deep_areas[i] = 0;
  }
  return filter;
}

const lwi_reach *lwi_components_acquire(lwi_components *components, const lw_filter *asked) {
  const lw_filter filter = shared_filter(components, asked);
  lwi_mutex_lock(&components->lock);
  lwi_component_set *set = find_set(components, &filter);
  if (!set) set = make_set(components, &filter);
  if (set && !refresh_set(components, set)) {
    if (set->pins == 0) destroy_set(components, set);
    set = NULL;
  }
  if (set) {
    unlist(components, set);
    set->pins += 1;
    list_newest(components, set);
    trim(components);
  }
  lwi_mutex_unlock(&components->lock);
  return set ? &set->reach : NULL;
}

void lwi_components_release(lwi_components *components, const lwi_reach *reach) {
  if (!reach) return;
  lwi_component_set *set = (lwi_component_set *)((char *)reach - offsetof(lwi_component_set, reach));
  lwi_mutex_lock(&components->lock);
  set->pins -= 1;
  trim(components);
  lwi_mutex_unlock(&components->lock);
}

size_t lwi_components_memory(lwi_components *components) {
  lwi_mutex_lock(&components->lock);
  const size_t bytes = components->memory.bytes;
  lwi_mutex_unlock(&components->lock);
  return bytes;
}

/* --- placement -------------------------------------------------------------------------------------------- */

/* How many of the polygons nearest to a goal large agents look beside. */
#define NEAREST 16

/* Which agents are placed, and by what search: lwi_clearance_place() or lwi_clearance_place_in(). */
typedef struct placing {
  const lwi_reach *reach;
  lwi_region_scratch *work;
  lw_status (*find)(const lwi_clearance *clearance, lwi_region_scratch *scratch, const lw_filter *filter,
                    lw_vec3 about, lw_vec3 half, lw_location *place);
} placing;

static lw_status place_by(const placing *of, lw_vec3 about, lw_vec3 half, lw_location *place,
                          uint32_t *region) {
  const lwi_reach *reach = of->reach;
  *region = lwi_poly_index(reach->graph.mesh, place->poly);
  if (!reach->clearance) return LW_OK;
  lw_status status = of->find(reach->clearance, of->work, &reach->filter, about, half, place);
  if (status != LW_OK) return status;
  uint32_t polygon = lwi_poly_index(reach->graph.mesh, place->poly);
  return lwi_clearance_region(reach->clearance, of->work, polygon, place->point, region) ? LW_OK
                                                                                         : LW_OUT_OF_MEMORY;
}

lw_status lwi_placement_find(const lwi_reach *reach, lwi_region_scratch *work, lw_vec3 about, lw_vec3 half,
                             lw_location *place, uint32_t *region) {
  const placing of = {reach, work, lwi_clearance_place_in};
  return place_by(&of, about, half, place, region);
}

/* How much farther than the nearest place where an agent fits another one may be. [m] */
#define LEAVE_MAX 0.5

typedef struct leaving {
  const lwi_reach *reach;
  uint32_t label;
  bool backwards;
} leaving;

static bool leads_there(const void *user, uint32_t region) {
  const leaving *of = user;
  const uint32_t own = of->reach->labels[region];
  if (of->label == LWI_NONE) return true;
  return of->backwards ? lwi_reaches(of->reach, of->label, own) : lwi_reaches(of->reach, own, of->label);
}

static lw_status leave(const leaving *of, lwi_region_scratch *work, lw_location from, lw_location *place,
                       uint32_t *region) {
  const double near = (double)lwi_distance_xz(from.point, place->point) + LEAVE_MAX;
  const lwi_clearance_wish wish = {leads_there, of, near};
  if (!of->reach->clearance) return LW_NO_POINT;
  const lw_status status =
      lwi_clearance_leave(of->reach->clearance, work, &of->reach->filter, &wish, &from, region);
  if (status == LW_OK) *place = from;
  return status;
}

lw_status lwi_placement_leave(const lwi_reach *reach, lwi_region_scratch *work, uint32_t to, lw_location from,
                              lw_location *place, uint32_t *region) {
  const leaving of = {reach, to, false};
  return leave(&of, work, from, place, region);
}

lw_status lwi_placement_come(const lwi_reach *reach, lwi_region_scratch *work, uint32_t from,
                             lw_location wanted, lw_location *place, uint32_t *region) {
  const leaving of = {reach, from, true};
  return leave(&of, work, wanted, place, region);
}

static lw_status start_by(const placing *of, lw_vec3 about, lw_vec3 half, lw_location *place,
                          uint32_t *region) {
  const lw_location from = *place;
  lw_status status = place_by(of, about, half, place, region);
  if (status != LW_OK || *region != LWI_NONE) return status;
  status = lwi_placement_leave(of->reach, of->work, LWI_NONE, from, place, region);
  return status == LW_NO_POINT ? LW_OK : status;
}

lw_status lwi_placement_start(const lwi_reach *reach, lwi_region_scratch *work, lw_vec3 about, lw_vec3 half,
                              lw_location *place, uint32_t *region) {
  const placing of = {reach, work, lwi_clearance_place_in};
  return start_by(&of, about, half, place, region);
}

lw_status lwi_placement_push(const lwi_reach *reach, lwi_region_scratch *work, lw_vec3 half, lw_location *place,
                             uint32_t *region) {
  const placing of = {reach, work, lwi_clearance_place};
  return start_by(&of, place->point, half, place, region);
}

bool lwi_placement_straight(const lwi_reach *reach, lw_location from, lw_location to) {
  if (from.poly != to.poly) return false;
  if (!reach->clearance) return true;
  lwi_barriers near = lwi_clearance_walls_near(reach->clearance, lwi_poly_index(reach->graph.mesh, from.poly));
  return lwi_region_clear(&near, lwi_point2_of(from.point), lwi_point2_of(to.point), LWI_PLACEMENT_SLACK);
}

/* Halvings of a line: to a millimetre in 100 m. */
#define HALVINGS 17

lw_location lwi_placement_towards(const lwi_reach *reach, lw_location from, lw_vec3 goal) {
  const lw_navmesh *mesh = reach->graph.mesh;
  const uint32_t index = lwi_poly_index(mesh, from.poly);
  const lwi_polygon polygon = lwi_polygon_get(mesh, index);
  lw_vec3 nearest;
  lwi_polygon_closest(&polygon, goal, &nearest);
  float good = 0, bad = 2; /* the whole line is tried first */
  for (int i = 0; i <= HALVINGS && good < 1; i++) {
    const float t = 0.5F * (good + bad);
    const lw_location to = {lwi_lerp(from.point, nearest, t), from.poly};
    *(lwi_placement_straight(reach, from, to) ? &good : &bad) = t;
  }
  if (good == 0) return from;
  lw_vec3 point = lwi_lerp(from.point, nearest, good);
  point.y = lwi_polygon_height(mesh, index, point.x, point.z);
  return (lw_location){point, from.poly};
}

/* The polygons nearest to a goal, nearest first. */
typedef struct nearest_places {
  lw_location places[NEAREST];
  float distances[NEAREST];
  int count, limit;
} nearest_places;

static void add_place(nearest_places *nearest, lw_location place, float distance) {
  int at = nearest->count < nearest->limit ? nearest->count++ : nearest->limit - 1;
  for (; at > 0 && nearest->distances[at - 1] > distance; at--) {
    nearest->places[at] = nearest->places[at - 1];
    nearest->distances[at] = nearest->distances[at - 1];
  }
  nearest->places[at] = place;
  nearest->distances[at] = distance;
}

static void find_nearest(const lwi_reach *reach, uint32_t label, lw_vec3 goal, nearest_places *nearest) {
  const lw_navmesh *mesh = reach->graph.mesh;
  for (uint32_t i = 0; i < mesh->polygons.count; i++) {
    if (!lwi_is_there(mesh, i) || !lwi_reaches_polygon(reach, label, i)) continue;
    float worst = nearest->count < nearest->limit ? INFINITY : nearest->distances[nearest->limit - 1];
    lwi_polygon polygon = lwi_polygon_get(mesh, i);
    lw_vec3 point;
    lwi_polygon_closest(&polygon, goal, &point);
    if (lwi_distance_xz(point, goal) >= worst) continue;
    point.y = lwi_polygon_height(mesh, i, point.x, point.z);
    float distance = lwi_distance(point, goal);
    if (distance < worst) add_place(nearest, (lw_location){point, lwi_poly_id(mesh, i)}, distance);
  }
}

lw_status lwi_placement_nearest(const lwi_reach *reach, lwi_region_scratch *work, uint32_t label, lw_vec3 goal,
                                lw_location *place, uint32_t *region) {
  nearest_places nearest = {.limit = reach->clearance ? NEAREST : 1};
  find_nearest(reach, label, goal, &nearest);
  float best = INFINITY, side = reach->clearance ? 4 * (float)lwi_clearance_place_keep(reach->clearance) : 1;
  lw_vec3 half = {side, side, side};
  for (int i = 0; i < nearest.count; i++) {
    lw_location found = nearest.places[i];
    uint32_t its_region;
    lw_status status = lwi_placement_find(reach, work, found.point, half, &found, &its_region);
    if (status == LW_OUT_OF_MEMORY) return status;
    if (status != LW_OK || its_region == LWI_NONE || !lwi_reaches(reach, label, reach->labels[its_region]))
      continue;
    if (lwi_distance(found.point, goal) >= best) continue;
    best = lwi_distance(found.point, goal);
    *place = found;
    *region = its_region;
  }
  return best < INFINITY ? LW_OK : LW_NO_POINT;
}
