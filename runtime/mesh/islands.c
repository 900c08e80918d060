/* Which polygons can be walked between. */
#include "mesh/mesh.h"

void lwi_label_components(const lwi_graph *graph, const lw_filter *filter, uint32_t *labels, uint32_t *stack) {
  uint32_t label = 0;
  for (uint32_t i = 0; i < graph->room_count; i++) labels[i] = LWI_NONE;
  for (uint32_t seed = 0; seed < graph->room_count; seed++) {
    if (labels[seed] != LWI_NONE || !lw_filter_passes(filter, lwi_room_area(graph, seed))) continue;
    uint32_t depth = 0;
    stack[depth++] = seed;
    labels[seed] = label;
    while (depth > 0) {
      uint32_t at = stack[--depth];
      for (uint32_t k = graph->first_portal[at]; k < graph->first_portal[at + 1]; k++) {
        uint32_t to = graph->portals[k].to;
        if (labels[to] != LWI_NONE || !lw_filter_passes(filter, lwi_room_area(graph, to))) continue;
        labels[to] = label;
        stack[depth++] = to;
      }
    }
    label += 1;
  }
}

bool lwi_graph_islands(lw_navmesh *mesh) {
  size_t size = mesh->polygon_count * sizeof(uint32_t);
  mesh->islands = lwi_alloc(&mesh->memory, size);
  uint32_t *stack = lwi_alloc(&mesh->memory, size);
  bool done = size == 0 || (mesh->islands && stack);
  lwi_graph graph = lwi_graph_of(mesh);
  if (done) lwi_label_components(&graph, NULL, mesh->islands, stack);
  lwi_free(&mesh->memory, stack, size);
  mesh->island_count = 0;
  for (uint32_t i = 0; done && i < mesh->polygon_count; i++)
    if (mesh->islands[i] >= mesh->island_count) mesh->island_count = mesh->islands[i] + 1;
  return done;
}
