#include "bake/bake_cover.h"

#include "core/clock.h"
#include "core/status.h"
#include "cover/segments.h"
#include "mesh/sections.h"

/* What the walls have, less what designers do not want, and what they add. */
static bool find(const lw_navmesh *mesh, lwi_segment_list *list) {
  const lwi_cover *edits = &mesh->cover;
  if (!lwi_segments_find(list, &mesh->occluders, mesh) || !lwi_segments_veto(list, edits)) return false;
  for (uint32_t i = 0; i < edits->added_count; i++)
    if (!lwi_segments_add(list, &edits->added[i])) return false;
  return lwi_segments_sort(list);
}

static bool put(lw_navmesh *mesh, const lwi_segment_list *list) {
  uint32_t count = (uint32_t)list->count, blocks = lwi_cover_blocks(count);
  if (count == 0) return true;
  mesh->cover.segments = lwi_alloc(&mesh->memory, count * sizeof *mesh->cover.segments);
  mesh->cover.blocks = lwi_alloc(&mesh->memory, blocks * sizeof *mesh->cover.blocks);
  mesh->cover.segment_count = count;
  if (!mesh->cover.segments || !mesh->cover.blocks) return false;
  for (uint32_t i = 0; i < count; i++) mesh->cover.segments[i] = list->items[i];
  lwi_segments_blocks(mesh->cover.segments, count, mesh->cover.blocks);
  return true;
}

lw_status lwi_bake_cover(lw_navmesh *mesh, uint32_t keep, double *seconds, lw_error *error) {
  double begin = lwi_clock();
  lwi_memory memory = lwi_memory_make(&mesh->memory.allocator);
  lwi_segment_list list = {.memory = &memory};
  bool done = !(keep & LWI_KEEP_COVER) || (find(mesh, &list) && put(mesh, &list));
  lwi_segments_free(&list);
  if (!(keep & LWI_KEEP_OCCLUDERS)) mesh->occluders = (lwi_occluders){.quantum = 1};
  done = done && lwi_sections_pack(mesh);
  if (seconds) *seconds = lwi_clock() - begin;
  return done ? LW_OK : lwi_fail_status(error, LW_OUT_OF_MEMORY);
}
