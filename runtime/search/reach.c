/* Portals lead both ways, so that first the mesh falls into parts that portals join. Links join these parts in
   one direction each: strongly connected components (Tarjan 1972) over the parts that have link ends, which are
   few, then the closure over them. Tarjan closes a component after all that it leads to, so that its row is the
   union of theirs. */
#include "search/reach.h"

#include "mesh/clearance.h"

#include "core/hash.h"

#include <string.h>

typedef struct graph_node {
  uint32_t part;       /* label by portals alone */
  uint32_t first, end; /* of its targets */
  uint32_t next;       /* target to follow, while the node is on the path */
  uint32_t index, low; /* Tarjan's numbers; index LWI_NONE: not yet seen */
  uint32_t component;  /* LWI_NONE: not yet known */
} graph_node;

/* The parts with link ends, and the usable links between them. */
typedef struct reach_graph {
  lwi_memory *memory;
  uint32_t node_count, node_capacity, edge_count, edge_capacity, component_count;
  graph_node *nodes;      /* [node_count] */
  uint32_t *targets;      /* [edge_count] Nodes, by the node that they are reached from. */
  uint32_t *ends;         /* [2 * edge_count] Nodes that each edge leaves and enters, in order of the links. */
  uint32_t *path, *stack; /* [node_count] Down from the root; and seen, but of no known component. */
  uint32_t *order;        /* [node_count] By component. */
} reach_graph;

static void free_graph(reach_graph *graph) {
  lwi_free(graph->memory, graph->nodes, graph->node_capacity * sizeof *graph->nodes);
  lwi_free(graph->memory, graph->targets, graph->edge_capacity * sizeof *graph->targets);
  lwi_free(graph->memory, graph->ends, 2 * (size_t)graph->edge_capacity * sizeof *graph->ends);
  lwi_free(graph->memory, graph->path, 3 * (size_t)graph->node_capacity * sizeof *graph->path);
}

/* @param node_of  [labels] The part's node, or LWI_NONE. */
static uint32_t node_of_part(reach_graph *graph, uint32_t *node_of, uint32_t part) {
  if (node_of[part] == LWI_NONE) {
    graph->nodes[graph->node_count] = (graph_node){.part = part, .index = LWI_NONE, .component = LWI_NONE};
    node_of[part] = graph->node_count++;
  }
  return node_of[part];
}

static bool joins_parts(const lwi_graph *graph, uint32_t link, const lw_filter *filter,
                        const uint32_t *labels) {
  lwi_link_regions regions = lwi_graph_link_regions(graph, link);
  return regions.from != LWI_NONE && regions.to != LWI_NONE && labels[regions.from] != LWI_NONE &&
         labels[regions.to] != LWI_NONE && labels[regions.from] != labels[regions.to] &&
         lwi_link_passes(graph->mesh, &graph->mesh->links.items[link], filter);
}

static bool make_graph(reach_graph *graph, const lwi_graph *ground, const lw_filter *filter,
                       const uint32_t *labels, uint32_t *node_of) {
  const lw_navmesh *mesh = ground->mesh;
  uint32_t count = 0;
  for (uint32_t i = 0; i < mesh->links.count; i++) count += joins_parts(ground, i, filter, labels);
  if (count == 0) return true;
  graph->edge_capacity = count;
  graph->node_capacity = 2 * count < ground->region_count ? 2 * count : ground->region_count;
  graph->nodes = lwi_alloc(graph->memory, graph->node_capacity * sizeof *graph->nodes);
  graph->targets = lwi_alloc(graph->memory, count * sizeof *graph->targets);
  graph->ends = lwi_alloc(graph->memory, 2 * (size_t)count * sizeof *graph->ends);
  graph->path = lwi_alloc(graph->memory, 3 * (size_t)graph->node_capacity * sizeof *graph->path);
  if (!graph->nodes || !graph->targets || !graph->ends || !graph->path) return false;
  graph->stack = graph->path + graph->node_capacity;
  graph->order = graph->stack + graph->node_capacity;
  for (uint32_t i = 0; i < mesh->links.count; i++) {
    if (!joins_parts(ground, i, filter, labels)) continue;
    lwi_link_regions regions = lwi_graph_link_regions(ground, i);
    uint32_t *ends = &graph->ends[2 * graph->edge_count++];
    ends[0] = node_of_part(graph, node_of, labels[regions.from]);
    ends[1] = node_of_part(graph, node_of, labels[regions.to]);
    graph->nodes[ends[0]].end += 1;
  }
  uint32_t sum = 0;
  for (uint32_t n = 0; n < graph->node_count; n++) {
    graph_node *node = &graph->nodes[n];
    sum += node->end;
    node->first = node->end = node->next = sum - node->end;
  }
  for (uint32_t e = 0; e < graph->edge_count; e++)
    graph->targets[graph->nodes[graph->ends[2 * e]].end++] = graph->ends[2 * e + 1];
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
  reach->linked_count = graph->component_count;
  reach->row_words = (graph->component_count + 63) / 64;
  size_t words = (size_t)reach->linked_count * reach->row_words;
  if (words == 0) return true;
  reach->closure = lwi_alloc_zero(graph->memory, words * sizeof *reach->closure);
  if (!reach->closure) return false;
  for (uint32_t i = 0; i < graph->node_count; i++) {
    const graph_node *node = &graph->nodes[graph->order[i]];
    uint64_t *row = reach->closure + (size_t)node->component * reach->row_words;
    for (uint32_t e = node->first; e < node->end; e++) {
      uint32_t to = graph->nodes[graph->targets[e]].component;
      if (to == node->component || (row[to >> 6] >> (to & 63) & 1)) continue;
      const uint64_t *other = reach->closure + (size_t)to * reach->row_words;
      for (uint32_t w = 0; w < reach->row_words; w++) row[w] |= other[w];
      row[to >> 6] |= 1ULL << (to & 63);
    }
  }
  return true;
}

/* Number the components first, so that their labels are the rows of the closure; then the parts without links.
   @param[in, out] node_of  Becomes the new label of each part. */
static void relabel(lwi_reach *reach, const reach_graph *graph, uint32_t *node_of) {
  uint32_t next = graph->component_count, regions = reach->graph.region_count;
  for (uint32_t part = 0; part < regions; part++)
    node_of[part] = node_of[part] == LWI_NONE ? next++ : graph->nodes[node_of[part]].component;
  for (uint32_t i = 0; i < regions; i++)
    if (reach->labels[i] != LWI_NONE) reach->labels[i] = node_of[reach->labels[i]];
}

static size_t labels_size(const lwi_reach *reach) {
  return ((size_t)reach->graph.region_count + 1) * sizeof(uint32_t);
}

static bool join_by_links(lwi_reach *reach, lwi_memory *memory, const lw_filter *filter, uint32_t *region) {
  reach_graph graph = {.memory = memory};
  for (uint32_t i = 0; i < reach->graph.region_count; i++) region[i] = LWI_NONE;
  bool done = make_graph(&graph, &reach->graph, filter, reach->labels, region);
  if (done && graph.node_count > 0) {
    find_components(&graph);
    done = make_closure(reach, &graph);
    if (done) relabel(reach, &graph, region);
  }
  free_graph(&graph);
  return done;
}

static bool label(lwi_reach *reach, lwi_memory *memory, const lw_filter *filter) {
  reach->labels = lwi_alloc(memory, labels_size(reach));
  uint32_t *region = lwi_alloc(memory, labels_size(reach));
  bool done = reach->labels && region;
  if (done) {
    lwi_label_components(&reach->graph, filter, reach->labels, region);
    done = reach->graph.mesh->links.count == 0 || join_by_links(reach, memory, filter, region);
  }
  lwi_free(memory, region, labels_size(reach));
  return done;
}

bool lwi_reach_make(lwi_reach *reach, lwi_memory *memory, const lw_navmesh *mesh, const lw_filter *filter) {
  bool is_large = lwi_clearance_extra(mesh, filter) > 0;
  *reach = (lwi_reach){.filter = *filter, .graph = lwi_graph_of(mesh)};
  if (is_large) reach->clearance = lwi_clearance_create(memory, mesh, filter);
  if (is_large && !reach->clearance) return false;
  if (is_large) reach->graph = reach->clearance->graph;
  if (label(reach, memory, filter)) return true;
  lwi_reach_free(reach, memory);
  return false;
}

void lwi_reach_free(lwi_reach *reach, lwi_memory *memory) {
  if (reach->labels) lwi_free(memory, reach->labels, labels_size(reach));
  lwi_free(memory, reach->closure, (size_t)reach->linked_count * reach->row_words * sizeof *reach->closure);
  lwi_clearance_destroy(reach->clearance);
  *reach = (lwi_reach){0};
}

/* --- by filter -------------------------------------------------------------------------------------------- */

bool lwi_components_init(lwi_components *components, const lw_navmesh *mesh, size_t limit,
                         const lw_allocator *allocator) {
  *components = (lwi_components){.memory = lwi_memory_make(allocator), .mesh = mesh, .limit = limit};
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

/* Free what the navmesh was before it changed, but what is in use. */
static void drop_old(lwi_components *components) {
  const uint64_t version = components->mesh->live.version;
  if (components->version == version) return;
  components->version = version;
  for (lwi_component_set *set = components->oldest, *newer; set; set = newer) {
    newer = set->newer;
    if (set->pins == 0) destroy_set(components, set);
  }
}

void lwi_components_free(lwi_components *components) {
  while (components->oldest) destroy_set(components, components->oldest);
  lwi_mutex_destroy(&components->lock);
}

static lwi_component_set *find_set(lwi_components *components, const lw_filter *filter) {
  lwi_component_set *set = *slot_of(components, filter);
  const uint64_t version = components->mesh->live.version;
  while (set && (set->version != version || memcmp(&set->filter, filter, sizeof *filter) != 0)) set = set->next;
  return set;
}

static lwi_component_set *make_set(lwi_components *components, const lw_filter *filter) {
  const size_t before = components->memory.bytes;
  lwi_component_set *set = lwi_alloc_zero(&components->memory, sizeof *set);
  if (!set) return NULL;
  set->filter = *filter;
  set->version = components->mesh->live.version;
  if (!lwi_reach_make(&set->reach, &components->memory, components->mesh, filter)) {
    lwi_free(&components->memory, set, sizeof *set);
    return NULL;
  }
  lwi_component_set **slot = slot_of(components, filter);
  set->next = *slot;
  *slot = set;
  set->bytes = components->memory.bytes - before;
  return set;
}

const lwi_reach *lwi_components_acquire(lwi_components *components, const lw_filter *asked) {
  lw_filter filter = *asked;
  /* All agents that are no larger than the mesh was baked for share one answer. */
  if (!(lwi_clearance_extra(components->mesh, asked) > 0)) filter.radius = 0;
  lwi_mutex_lock(&components->lock);
  drop_old(components);
  lwi_component_set *set = find_set(components, &filter);
  if (set)
    unlist(components, set);
  else
    set = make_set(components, &filter);
  if (set) {
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
  if (set->pins == 0 && set->version != components->version)
    destroy_set(components, set);
  else
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

lw_status lwi_placement_find(const lwi_reach *reach, lwi_region_scratch *work, lw_vec3 about, lw_vec3 half,
                             lw_location *place, uint32_t *region) {
  *region = lwi_poly_index(reach->graph.mesh, place->poly);
  if (!reach->clearance) return LW_OK;
  lw_status status = lwi_clearance_place(reach->clearance, work, &reach->filter, about, half, place);
  if (status != LW_OK) return status;
  uint32_t polygon = lwi_poly_index(reach->graph.mesh, place->poly);
  return lwi_clearance_region(reach->clearance, work, polygon, place->point, region) ? LW_OK : LW_OUT_OF_MEMORY;
}

bool lwi_placement_straight(const lwi_reach *reach, lw_location from, lw_location to) {
  if (from.poly != to.poly) return false;
  if (!reach->clearance) return true;
  lwi_barriers near = lwi_clearance_walls_near(reach->clearance, lwi_poly_index(reach->graph.mesh, from.poly));
  return lwi_region_clear(&near, lwi_point2_of(from.point), lwi_point2_of(to.point), LWI_PLACEMENT_SLACK);
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
  float best = INFINITY, side = reach->clearance ? 4 * (float)reach->clearance->keep : 1;
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
