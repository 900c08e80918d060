/* The memory of a search: nodes and entries, which grow with the graph. */
#include "search/search.h"

#include <string.h>

bool lwi_search_init(lwi_search *search, lwi_memory *memory, const lw_navmesh *mesh) {
  *search = (lwi_search){
      .memory = memory, .graph = lwi_graph_of(mesh), .watched = {.memory = memory}, .pause_at = LWI_NO_PAUSE};
  search->node_count = 1 + mesh->links.count + mesh->graph.portal_count;
  search->entry_count = mesh->polygons.count + 1;
  search->nodes = lwi_alloc_zero(memory, search->node_count * sizeof *search->nodes);
  search->entries = lwi_alloc_zero(memory, search->entry_count * sizeof *search->entries);
  return search->nodes && search->entries;
}

bool lwi_search_grow(lwi_search *search, uint32_t count) {
  if (search->node_count >= count) return true;
  lwi_node *nodes =
      lwi_resize(search->memory, search->nodes, search->node_count * sizeof *nodes, count * sizeof *nodes);
  if (!nodes) return false;
  memset(nodes + search->node_count, 0, (count - search->node_count) * sizeof *nodes);
  search->nodes = nodes;
  search->node_count = count;
  return true;
}

bool lwi_search_add_points(lwi_search *search, uint32_t points) {
  return lwi_search_grow(search, 1 + search->graph.mesh->links.count + search->graph.portal_count * points);
}

/* The nodes of turning points follow all points of the portals. Memory for them is taken as the search comes to
   them. */
static bool add_places(lwi_search *search, const lwi_search_query *query) {
  search->place_base = search->lane_base = LWI_NONE;
  if (!query->cost_model.dangers && !query->cost_model.lanes) return true;
  if (!lwi_search_add_points(search, LWI_DANGER_POINTS)) return false;
  const lwi_outline_index *dangers = query->cost_model.dangers ? query->cost_model.dangers->outlines : NULL,
                          *lanes = query->cost_model.lanes ? query->cost_model.lanes->outlines : NULL;
  uint32_t base = 1 + search->graph.mesh->links.count + search->graph.portal_count * LWI_DANGER_POINTS,
           lane_base = base + (dangers ? (uint32_t)dangers->place_count : 0);
  search->place_base = base;
  search->lane_base = lane_base;
  search->places = dangers ? dangers->places : NULL;
  search->lane_places = lanes ? lanes->places : NULL;
  return true;
}

static bool add_entries(lwi_search *search) {
  uint32_t count = search->graph.region_count + 1;
  if (search->entry_count >= count) return true;
  lwi_entry *entries = lwi_resize(search->memory, search->entries, search->entry_count * sizeof *entries,
                                  count * sizeof *entries);
  if (!entries) return false;
  memset(entries + search->entry_count, 0, (count - search->entry_count) * sizeof *entries);
  search->entries = entries;
  search->entry_count = count;
  return true;
}

bool lwi_search_reserve(lwi_search *search, const lwi_search_query *query) {
  return lwi_search_add_points(search, 1) && add_places(search, query) && add_entries(search);
}
