#include "search/components.h"

#include <string.h>

void lwi_components_init(lwi_components *components, lwi_memory *memory, const lw_navmesh *mesh) {
  *components = (lwi_components){.memory = memory, .mesh = mesh, .region = {.memory = memory}};
}

void lwi_components_free(lwi_components *components) {
  if (!components->memory) return;
  for (int i = 0; i < LWI_COMPONENTS_KEPT; i++) lwi_reach_free(&components->sets[i].reach, components->memory);
  lwi_region_room_free(&components->region);
  *components = (lwi_components){0};
}

const lwi_reach *lwi_components_get(lwi_components *components, const lw_filter *asked) {
  /* Who is no larger than the mesh was made for is all of one size. */
  lw_filter normal = *asked, *filter = &normal;
  if (!(lwi_berth_keep(components->mesh, asked) > 0)) normal.radius = 0;
  lwi_component_set *oldest = &components->sets[0];
  components->clock += 1;
  for (int i = 0; i < LWI_COMPONENTS_KEPT; i++) {
    lwi_component_set *set = &components->sets[i];
    if (set->reach.labels && memcmp(&set->filter, filter, sizeof *filter) == 0) {
      set->used = components->clock;
      return &set->reach;
    }
    if (set->used < oldest->used) oldest = set;
  }
  lwi_reach_free(&oldest->reach, components->memory);
  *oldest = (lwi_component_set){.filter = *filter, .used = components->clock};
  if (lwi_reach_make(&oldest->reach, components->memory, components->mesh, filter)) return &oldest->reach;
  oldest->used = 0;
  return NULL;
}
