#include "search/components.h"

#include <string.h>

void lwi_components_init(lwi_components *components, lwi_memory *memory, const lw_navmesh *mesh) {
  *components = (lwi_components){.memory = memory, .mesh = mesh};
}

static size_t labels_size(const lwi_components *components) {
  return ((size_t)components->mesh->polygon_count + 1) * sizeof(uint32_t);
}

void lwi_components_free(lwi_components *components) {
  if (!components->memory) return;
  for (int i = 0; i < LWI_COMPONENTS_KEPT; i++)
    lwi_free(components->memory, components->sets[i].labels, labels_size(components));
  *components = (lwi_components){0};
}

static bool label(lwi_components *components, lwi_component_set *set, const lw_filter *filter) {
  size_t size = labels_size(components);
  if (!set->labels) set->labels = lwi_alloc(components->memory, size);
  uint32_t *stack = lwi_alloc(components->memory, size);
  if (!set->labels || !stack) {
    lwi_free(components->memory, set->labels, size);
    lwi_free(components->memory, stack, size);
    *set = (lwi_component_set){0};
    return false;
  }
  set->filter = *filter;
  lwi_label_components(components->mesh, filter, set->labels, stack);
  lwi_free(components->memory, stack, size);
  return true;
}

const uint32_t *lwi_components_get(lwi_components *components, const lw_filter *filter) {
  lwi_component_set *oldest = &components->sets[0];
  components->clock += 1;
  for (int i = 0; i < LWI_COMPONENTS_KEPT; i++) {
    lwi_component_set *set = &components->sets[i];
    if (set->labels && memcmp(&set->filter, filter, sizeof *filter) == 0) {
      set->used = components->clock;
      return set->labels;
    }
    if (set->used < oldest->used) oldest = set;
  }
  if (!label(components, oldest, filter)) return NULL;
  oldest->used = components->clock;
  return oldest->labels;
}
