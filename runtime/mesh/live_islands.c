/* Island labels of a live navmesh: polygons that portals connect have equal labels. What was cut in this round, and what
   borders it, is touched; all else keeps its portals. Clusters are what was cut and lies together, and what borders it. */
#include "mesh/live_parts.h"

static bool touch_all(lwi_live *live) {
  lwi_relabel *relabel = &live->islands.relabel;
  for (int i = 0; i < live->unlinked.count; i++) {
    const lwi_block *block = &live->blocks.items[live->block_of[live->unlinked.items[i]]];
    const lwi_span parts = lwi_block_parts(block);
    for (uint32_t k = parts.first; k < parts.first + parts.count; k++)
      if (!lwi_relabel_touch(relabel, k, (uint32_t)i, block->is_dirty)) return false;
  }
  return true;
}

bool lwi_live_label(lwi_live *live) {
  lwi_islands *islands = &live->islands;
  const lwi_graph graph = lwi_graph_of(&live->mesh);
  islands->relabel.clusters.count = live->unlinked.count;
  if (!lwi_relabel_begin(&islands->relabel, &graph, NULL, live->arrays[LWI_LIVE_ISLANDS].items)) return false;
  islands->relabel.next_label = islands->next_label;
  const bool done = touch_all(live) && lwi_relabel_run(&islands->relabel);
  islands->next_label = islands->relabel.next_label;
  islands->has_other_labels |= islands->relabel.has_new;
  return done;
}
