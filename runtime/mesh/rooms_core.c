/* The cores of rooms: where a disc as wide as a door can be moved without meeting walls. */
#include "mesh/clearance.h"
#include "mesh/rooms.h"

/* The region of a polygon that the disc can enter over the longest clear portals. @return LWI_NONE: there is none. */
static uint32_t widest_region(const lwi_graph *graph, uint32_t polygon) {
  uint32_t best = LWI_NONE;
  float best_length = 0;
  for (uint32_t region = polygon; region != LWI_NONE; region = lwi_next_region(graph, region)) {
    float length = 0;
    for (uint32_t k = graph->first_portal[region]; k < graph->end_portal[region]; k++) {
      lw_vec3 left, right;
      lwi_graph_points(graph, region, &graph->portals[k], &left, &right);
      length += lwi_distance_xz(left, right);
    }
    if (length <= best_length) continue;
    best = region;
    best_length = length;
  }
  return best;
}

/* Does the disc fit at the middle of a polygon, though it cannot leave it? */
static bool is_wide(const lwi_clearance *clearance, uint32_t polygon, lw_vec3 middle) {
  const lwi_barriers near = lwi_clearance_walls_near(clearance, polygon);
  const lwi_point2 at = lwi_point2_of(middle);
  for (uint32_t i = 0; i < near.count; i++)
    if (lwi_barrier_distance(&near.all[near.near[i]], at, at) < near.keep) return false;
  return true;
}

static bool label_by_clearance(lwi_room_work *work, const lwi_clearance *clearance, const lw_filter *filter) {
  const lwi_graph *graph = &clearance->graph;
  const size_t size = graph->region_count * sizeof(uint32_t);
  uint32_t *labels = lwi_alloc(work->memory, size), *stack = lwi_alloc(work->memory, size);
  const bool done = labels && stack;
  if (done) work->count = lwi_label_components(graph, filter, labels, stack);
  for (uint32_t p = 0; done && p < work->mesh->polygons.count; p++) {
    const uint32_t region = widest_region(graph, p);
    if (region != LWI_NONE)
      work->labels[p] = labels[region];
    else if (is_wide(clearance, p, work->middles[p]))
      work->labels[p] = work->count++;
  }
  lwi_free(work->memory, labels, size);
  lwi_free(work->memory, stack, size);
  return done;
}

/* How far a place is from where the disc's centre can be in a polygon of a core, about: to the polygon, and from there to
   where no wall is nearer than the disc's radius. [m] */
static float distance_to(const lwi_clearance *clearance, uint32_t polygon, lw_vec3 at) {
  const lwi_polygon outline = lwi_polygon_get(clearance->graph.mesh, polygon);
  const lwi_barriers near = lwi_clearance_walls_near(clearance, polygon);
  lw_vec3 closest = at;
  const bool is_inside = lwi_polygon_closest(&outline, at, &closest);
  const lwi_point2 beside = lwi_point2_of(closest);
  double wall = near.keep;
  for (uint32_t i = 0; i < near.count; i++)
    wall = lwi_smaller(wall, lwi_barrier_distance(&near.all[near.near[i]], beside, beside));
  return (is_inside ? 0 : lwi_distance_xz(at, closest)) + (float)(near.keep - wall);
}

/* Offer the label of polygon `source` to the neighbours of polygon `at`. */
static bool offer(lwi_room_work *work, const lwi_clearance *clearance, uint32_t at, uint32_t source) {
  const lw_navmesh *mesh = work->mesh;
  for (uint32_t k = mesh->graph.first_portal[at]; k < mesh->graph.end_portal[at]; k++) {
    const uint32_t to = mesh->graph.portals[k].to;
    if (work->labels[to] != LWI_NONE) continue;
    const float distance = distance_to(clearance, source, work->middles[to]);
    if (distance > (float)clearance->keep || distance >= work->distances[to]) continue;
    work->distances[to] = distance;
    work->sources[to] = source;
    if (!lwi_heap_push(&work->heap, work->memory, distance, to)) return false;
  }
  return true;
}

/* A polygon whose middle the disc covers from a core belongs to that core: the ground along walls, where its centre cannot
   be. */
static bool spread(lwi_room_work *work, const lwi_clearance *clearance) {
  const uint32_t count = work->mesh->polygons.count;
  for (uint32_t p = 0; p < count; p++) work->distances[p] = INFINITY;
  for (uint32_t p = 0; p < count; p++)
    if (work->labels[p] != LWI_NONE && !offer(work, clearance, p, p)) return false;
  lwi_heap_entry next;
  while (lwi_heap_pop(&work->heap, &next)) {
    const uint32_t p = next.item;
    if (work->labels[p] != LWI_NONE || next.key > work->distances[p]) continue;
    work->labels[p] = work->labels[work->sources[p]];
    if (!offer(work, clearance, p, work->sources[p])) return false;
  }
  return true;
}

bool lwi_rooms_find_cores(lwi_room_work *work, float door_width) {
  const lw_navmesh *mesh = work->mesh;
  for (uint32_t p = 0; p < mesh->polygons.count; p++) work->labels[p] = LWI_NONE;
  lw_filter filter = lw_filter_all();
  filter.radius = door_width / 2;
  if (!(lwi_clearance_extra(mesh, &filter) > 0))
    return true; /* no place is narrower than that: all that is connected has one label */
  lwi_clearance *clearance = lwi_clearance_create(work->memory, mesh, &filter);
  const bool done = clearance && label_by_clearance(work, clearance, &filter) && spread(work, clearance);
  lwi_clearance_destroy(clearance);
  return done;
}
