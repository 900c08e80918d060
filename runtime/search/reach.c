/* Portals lead both ways, so first the mesh falls into parts that portals join. Links join these parts in one direction
   each: strongly connected components (Tarjan 1972) over the parts that have link ends, which are few, then the closure
   over them. Tarjan finds a component after all that it leads to, so its row is the union of theirs. */
#include "search/reach.h"

#include <string.h>

typedef struct graph_node {
  uint32_t part;       /* label by portals alone */
  uint32_t first, end; /* of its targets */
  uint32_t next;       /* of them, while it is on the way down */
  uint32_t index, low; /* Tarjan's numbers; index LWI_NONE: not yet seen */
  uint32_t component;  /* LWI_NONE: not yet known */
} graph_node;

/* The parts with link ends, and the usable links between them. */
typedef struct reach_graph {
  lwi_memory *memory;
  uint32_t node_count, node_capacity, edge_count, edge_capacity, component_count;
  graph_node *nodes;     /* [node_count] */
  uint32_t *targets;     /* [edge_count] Nodes, by the node that they are reached from. */
  uint32_t *ends;        /* [2 * edge_count] Nodes that each edge leaves and enters, as the links come. */
  uint32_t *way, *stack; /* [node_count] Down from the root; and seen, but of no known component. */
  uint32_t *order;       /* [node_count] By component. */
} reach_graph;

static void free_graph(reach_graph *graph) {
  lwi_free(graph->memory, graph->nodes, graph->node_capacity * sizeof *graph->nodes);
  lwi_free(graph->memory, graph->targets, graph->edge_capacity * sizeof *graph->targets);
  lwi_free(graph->memory, graph->ends, 2 * (size_t)graph->edge_capacity * sizeof *graph->ends);
  lwi_free(graph->memory, graph->way, 3 * (size_t)graph->node_capacity * sizeof *graph->way);
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
  lwi_link_rooms rooms = lwi_graph_link_rooms(graph, link);
  return rooms.from != LWI_NONE && rooms.to != LWI_NONE && labels[rooms.from] != LWI_NONE &&
         labels[rooms.to] != LWI_NONE && labels[rooms.from] != labels[rooms.to] &&
         lwi_link_passes(graph->mesh, &graph->mesh->links[link], filter);
}

static bool make_graph(reach_graph *graph, const lwi_graph *ground, const lw_filter *filter,
                       const uint32_t *labels, uint32_t *node_of) {
  const lw_navmesh *mesh = ground->mesh;
  uint32_t count = 0;
  for (uint32_t i = 0; i < mesh->link_count; i++) count += joins_parts(ground, i, filter, labels);
  if (count == 0) return true;
  graph->edge_capacity = count;
  graph->node_capacity = 2 * count < ground->room_count ? 2 * count : ground->room_count;
  graph->nodes = lwi_alloc(graph->memory, graph->node_capacity * sizeof *graph->nodes);
  graph->targets = lwi_alloc(graph->memory, count * sizeof *graph->targets);
  graph->ends = lwi_alloc(graph->memory, 2 * (size_t)count * sizeof *graph->ends);
  graph->way = lwi_alloc(graph->memory, 3 * (size_t)graph->node_capacity * sizeof *graph->way);
  if (!graph->nodes || !graph->targets || !graph->ends || !graph->way) return false;
  graph->stack = graph->way + graph->node_capacity;
  graph->order = graph->stack + graph->node_capacity;
  for (uint32_t i = 0; i < mesh->link_count; i++) {
    if (!joins_parts(ground, i, filter, labels)) continue;
    lwi_link_rooms rooms = lwi_graph_link_rooms(ground, i);
    uint32_t *ends = &graph->ends[2 * graph->edge_count++];
    ends[0] = node_of_part(graph, node_of, labels[rooms.from]);
    ends[1] = node_of_part(graph, node_of, labels[rooms.to]);
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
    graph->way[depth++] = seed;
    while (depth > 0) {
      uint32_t at = graph->way[depth - 1];
      graph_node *node = &graph->nodes[at];
      if (node->index == LWI_NONE) {
        node->index = node->low = seen++;
        graph->stack[height++] = at;
      }
      if (node->next < node->end) {
        uint32_t to = graph->targets[node->next++];
        const graph_node *target = &graph->nodes[to];
        if (target->index == LWI_NONE)
          graph->way[depth++] = to;
        else if (target->component == LWI_NONE && target->index < node->low)
          node->low = target->index;
        continue;
      }
      if (node->low == node->index) ordered = close_component(graph, at, &height, ordered);
      depth -= 1;
      if (depth > 0 && node->low < graph->nodes[graph->way[depth - 1]].low)
        graph->nodes[graph->way[depth - 1]].low = node->low;
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

/* Components first, so that their labels are the rows of the closure; then the parts without links.
   @param node_of  Becomes the new label of each part. */
static void relabel(lwi_reach *reach, const reach_graph *graph, uint32_t *node_of) {
  uint32_t next = graph->component_count, rooms = reach->graph.room_count;
  for (uint32_t part = 0; part < rooms; part++)
    node_of[part] = node_of[part] == LWI_NONE ? next++ : graph->nodes[node_of[part]].component;
  for (uint32_t i = 0; i < rooms; i++)
    if (reach->labels[i] != LWI_NONE) reach->labels[i] = node_of[reach->labels[i]];
}

static size_t labels_size(const lwi_reach *reach) {
  return ((size_t)reach->graph.room_count + 1) * sizeof(uint32_t);
}

static bool join_by_links(lwi_reach *reach, lwi_memory *memory, const lw_filter *filter, uint32_t *room) {
  reach_graph graph = {.memory = memory};
  for (uint32_t i = 0; i < reach->graph.room_count; i++) room[i] = LWI_NONE;
  bool done = make_graph(&graph, &reach->graph, filter, reach->labels, room);
  if (done && graph.node_count > 0) {
    find_components(&graph);
    done = make_closure(reach, &graph);
    if (done) relabel(reach, &graph, room);
  }
  free_graph(&graph);
  return done;
}

static bool label(lwi_reach *reach, lwi_memory *memory, const lw_filter *filter) {
  reach->labels = lwi_alloc(memory, labels_size(reach));
  uint32_t *room = lwi_alloc(memory, labels_size(reach));
  bool done = reach->labels && room;
  if (done) {
    lwi_label_components(&reach->graph, filter, reach->labels, room);
    done = reach->graph.mesh->link_count == 0 || join_by_links(reach, memory, filter, room);
  }
  lwi_free(memory, room, labels_size(reach));
  return done;
}

bool lwi_reach_make(lwi_reach *reach, lwi_memory *memory, const lw_navmesh *mesh, const lw_filter *filter) {
  bool is_large = lwi_berth_keep(mesh, filter) > 0;
  *reach = (lwi_reach){.graph = lwi_graph_of(mesh)};
  if (is_large) reach->berth = lwi_berth_make(memory, mesh, filter);
  if (is_large && !reach->berth) return false;
  if (is_large) reach->graph = reach->berth->graph;
  if (label(reach, memory, filter)) return true;
  lwi_reach_free(reach, memory);
  return false;
}

void lwi_reach_free(lwi_reach *reach, lwi_memory *memory) {
  if (reach->labels) lwi_free(memory, reach->labels, labels_size(reach));
  lwi_free(memory, reach->closure, (size_t)reach->linked_count * reach->row_words * sizeof *reach->closure);
  lwi_berth_free(reach->berth);
  *reach = (lwi_reach){0};
}
