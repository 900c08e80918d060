#include "mesh/sources.h"

#include "mesh/blob.h"

static bool add_tile(lwi_sources *sources, const lw_navmesh *mesh, const lwi_tile *tile) {
  uint8_t slots[LW_AREA_MAX + 1]; /* areas stay as they are */
  for (int i = 0; i <= LW_AREA_MAX; i++) slots[i] = (uint8_t)i;
  lwi_blob_head head = lwi_blob_head_of(mesh, tile);
  lwi_tile_copy copy = {.size = lwi_blob_size(&head)};
  if (!(copy.blob = lwi_alloc(&sources->memory, copy.size))) return false;
  sources->copies[sources->copy_count++] = copy;
  lwi_blob_write(mesh, tile, slots, copy.blob);
  return lwi_blob_read(copy.blob, copy.size, LW_AREA_MAX + 1, &sources->tiles[sources->count++]) == NULL;
}

bool lwi_sources_add(lwi_sources *sources, const lw_navmesh *mesh) {
  int needed = sources->count + mesh->tile_count;
  if (mesh->tile_count == 0) return true;
  if (!lwi_reserve(&sources->memory, &sources->tiles, &sources->tile_capacity, needed,
                   sizeof *sources->tiles) ||
      !lwi_reserve(&sources->memory, &sources->copies, &sources->copy_capacity, needed,
                   sizeof *sources->copies))
    return false;
  for (int i = 0; i < mesh->tile_count; i++)
    if (!add_tile(sources, mesh, &mesh->tiles[i])) return false;
  return true;
}

void lwi_sources_free(lwi_sources *sources) {
  lwi_memory *memory = &sources->memory;
  for (int i = 0; i < sources->copy_count; i++)
    lwi_free(memory, sources->copies[i].blob, sources->copies[i].size);
  lwi_free(memory, sources->copies, (size_t)sources->copy_capacity * sizeof *sources->copies);
  lwi_free(memory, sources->tiles, (size_t)sources->tile_capacity * sizeof *sources->tiles);
}
