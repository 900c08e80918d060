#include "bake/short_walk.h"

#include <string.h>

#define SLOTS_MIN 256u
/* Polygons that a search looks at: beyond, the walk counts as long. */
#define NODES_MAX 8192

static uint32_t slot_of(const lwi_short_walk *walk, uint32_t polygon) {
  uint32_t slot = polygon * 2654435761u & (walk->slot_count - 1);
  while (walk->slots[slot] != 0 && walk->nodes[walk->slots[slot] - 1].polygon != polygon)
    slot = (slot + 1) & (walk->slot_count - 1);
  return slot;
}

/* At most half of the slots are taken. */
static bool grow_slots(lwi_short_walk *walk) {
  if (walk->slot_count > 0 && 2 * ((uint32_t)walk->count + 1) <= walk->slot_count) return true;
  const uint32_t count = walk->slot_count > 0 ? 2 * walk->slot_count : SLOTS_MIN;
  uint32_t *slots = lwi_alloc_zero(walk->memory, count * sizeof *slots);
  if (!slots) return false;
  lwi_free(walk->memory, walk->slots, walk->slot_count * sizeof *walk->slots);
  walk->slots = slots;
  walk->slot_count = count;
  for (int i = 0; i < walk->count; i++) slots[slot_of(walk, walk->nodes[i].polygon)] = (uint32_t)i + 1;
  return true;
}

/* Empty the slots of the last search alone. Each entry is found by what lies before it, which is still there when
   they are taken out from the last one on. */
static void clear(lwi_short_walk *walk) {
  for (int i = walk->count; i-- > 0;) walk->slots[slot_of(walk, walk->nodes[i].polygon)] = 0;
  walk->count = 0;
  walk->open.count = 0;
}

/* Reach a polygon: it is opened, or opened again if this is shorter. */
static bool reach(lwi_short_walk *walk, const lwi_walk_node *node, lw_vec3 goal, float limit) {
  const float bound = node->length + lwi_distance(node->at, goal);
  if (bound > limit) return true;
  if (!grow_slots(walk)) return false;
  const uint32_t slot = slot_of(walk, node->polygon);
  if (walk->slots[slot] == 0) {
    if (walk->count == NODES_MAX) return true;
    if (!lwi_reserve(walk->memory, &walk->nodes, &walk->capacity, walk->count + 1, sizeof *walk->nodes))
      return false;
    walk->nodes[walk->count++] = *node;
    walk->slots[slot] = (uint32_t)walk->count;
  } else {
    lwi_walk_node *known = &walk->nodes[walk->slots[slot] - 1];
    if (known->length <= node->length) return true;
    *known = *node;
  }
  return lwi_heap_push(&walk->open, walk->memory, bound, walk->slots[slot] - 1);
}

static double off_line(lw_vec3 a, lw_vec3 b, lw_vec3 at) {
  const double length = (double)lwi_distance_xz(a, b);
  return length > 0 ? fabs(lwi_turn(a, b, at)) / length : 0;
}

/* Where the shortest line from `at` to `goal` over the portal crosses it, were there nothing beyond. */
static lw_vec3 crossing(lw_vec3 left, lw_vec3 right, lw_vec3 at, lw_vec3 goal) {
  const double near = off_line(left, right, at), far = off_line(left, right, goal);
  const float from = lwi_part_along_xz(left, right, at), to = lwi_part_along_xz(left, right, goal);
  const float t = near + far > 0 ? from + (to - from) * (float)(near / (near + far)) : from;
  return lwi_lerp(left, right, lwi_min(1, lwi_max(0, t)));
}

static bool expand(lwi_short_walk *walk, const lw_navmesh *mesh, lwi_walk_node from, lw_vec3 goal,
                   float limit) {
  const uint32_t end = mesh->graph.end_portal[from.polygon];
  for (uint32_t k = mesh->graph.first_portal[from.polygon]; k < end; k++) {
    lw_vec3 left, right;
    lwi_portal_points(mesh, from.polygon, &mesh->graph.portals[k], &left, &right);
    const lw_vec3 at = crossing(left, right, from.at, goal);
    const lwi_walk_node next = {mesh->graph.portals[k].to, at, from.length + lwi_distance(from.at, at)};
    if (!reach(walk, &next, goal, limit)) return false;
  }
  return true;
}

bool lwi_short_walk_find(lwi_short_walk *walk, const lw_navmesh *mesh, const lwi_near_ground ends[2],
                         float limit, bool *found) {
  *found = false;
  if (mesh->graph.islands[ends[0].polygon] != mesh->graph.islands[ends[1].polygon]) return true;
  const lw_vec3 goal = ends[1].point;
  const lwi_walk_node start = {ends[0].polygon, ends[0].point, 0};
  bool done = reach(walk, &start, goal, limit);
  for (lwi_heap_entry entry; done && !*found && lwi_heap_pop(&walk->open, &entry);) {
    const lwi_walk_node node = walk->nodes[entry.item];
    if (entry.key > node.length + lwi_distance(node.at, goal)) continue; /* it was opened again since */
    *found = node.polygon == ends[1].polygon;
    if (!*found) done = expand(walk, mesh, node, goal, limit);
  }
  clear(walk);
  return done;
}

void lwi_short_walk_free(lwi_short_walk *walk) {
  lwi_free(walk->memory, walk->nodes, (size_t)walk->capacity * sizeof *walk->nodes);
  lwi_free(walk->memory, walk->slots, walk->slot_count * sizeof *walk->slots);
  lwi_heap_free(&walk->open, walk->memory);
  *walk = (lwi_short_walk){.memory = walk->memory};
}
