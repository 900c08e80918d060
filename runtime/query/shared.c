/* What all threads share of a navmesh: answers that are kept. */
#include "query/scene.h"

lwi_shared *lwi_shared_make(const lw_navmesh *mesh, size_t cache_bytes, lwi_memory *memory) {
  lwi_shared *shared = lwi_alloc_zero(memory, sizeof *shared);
  if (!shared) return NULL;
  shared->memory = lwi_memory_make(&memory->allocator);
  const bool listed = lwi_components_init(&shared->components, mesh, cache_bytes, &memory->allocator);
  const bool priced = lwi_price_tables_init(&shared->price_tables, cache_bytes, &memory->allocator);
  const bool viewed = lwi_threat_views_init(&shared->threat_views, cache_bytes, &memory->allocator);
  if (listed && priced && viewed && lwi_mutex_init(&shared->lock)) return shared;
  if (viewed) lwi_threat_views_free(&shared->threat_views);
  if (listed) lwi_components_free(&shared->components);
  if (priced) lwi_price_tables_free(&shared->price_tables);
  lwi_free(memory, shared, sizeof *shared);
  return NULL;
}

void lwi_shared_free(lwi_shared *shared, lwi_memory *memory) {
  if (!shared) return;
  lwi_components_free(&shared->components);
  lwi_price_tables_free(&shared->price_tables);
  lwi_threat_views_free(&shared->threat_views);
  lwi_samples_free(&shared->samples);
  lwi_screen_cover_free(&shared->cover, &shared->memory);
  lwi_mutex_destroy(&shared->lock);
  lwi_free(memory, shared, sizeof *shared);
}

const lwi_samples *lwi_shared_samples(lwi_shared *shared, const lw_navmesh *mesh) {
  lwi_mutex_lock(&shared->lock);
  const bool good = shared->samples.grids || lwi_samples_make(&shared->samples, mesh, &shared->memory);
  lwi_mutex_unlock(&shared->lock);
  return good ? &shared->samples : NULL;
}
