#include "bake/bake_cover.h"

#include "core/platform.h"
#include "core/status.h"
#include "bake/wall_ground.h"
#include "bake/cover_map_make.h"
#include "bake/visibility_table_make.h"
#include "bake/cover_segments.h"
#include "mesh/sections.h"

#include <string.h>

/* Segments of the walls, without those that designers remove, with those that they add. */
static bool find(const lwi_segment_places *places, lwi_cover *edits, int threads, lwi_segment_list *list) {
  if (!lwi_segments_find(list, places, threads) || !lwi_segments_veto(list, edits, places->mesh->agent.height))
    return false;
  return lwi_segments_add_asked(list, places, edits) && lwi_segments_sort(list);
}

static bool put(lw_navmesh *mesh, const lwi_segment_list *list) {
  lwi_cover *cover = lwi_cover_edit(mesh);
  uint32_t count = (uint32_t)list->count, blocks = lwi_cover_blocks(count);
  if (count == 0) return true;
  cover->segments = lwi_alloc(&mesh->memory, count * sizeof *cover->segments);
  cover->blocks = lwi_alloc(&mesh->memory, blocks * sizeof *cover->blocks);
  cover->segment_count = count;
  if (!cover->segments || !cover->blocks) return false;
  for (uint32_t i = 0; i < count; i++) cover->segments[i] = list->items[i];
  lwi_segments_blocks(cover->segments, count, cover->blocks);
  return true;
}

static bool find_all(lw_navmesh *mesh, const lwi_cover_job *job, lwi_segment_list *list) {
  const size_t size = mesh->polygons.count * sizeof(lw_box);
  lw_box *boxes = lwi_alloc(list->memory, size);
  const lwi_segment_places places = {lwi_occluders_of(mesh), job->lines, mesh, boxes, NULL};
  if (!boxes && size > 0) return false;
  lwi_beside_boxes(mesh, boxes);
  const bool done = find(&places, lwi_cover_edit(mesh), job->threads, list);
  lwi_free(list->memory, boxes, size);
  return done;
}

static bool find_segments(lw_navmesh *mesh, const lwi_cover_job *job, lwi_memory *memory) {
  lwi_segment_list list = {.memory = memory};
  bool done =
      job->patch ? lwi_cover_patch_find(job->patch, lwi_cover_edit(mesh), &list) : find_all(mesh, job, &list);
  done = done && put(mesh, &list);
  lwi_segments_free(&list);
  return done;
}

/* --- map -------------------------------------------------------------------------------------------------- */

static bool put_map(lw_navmesh *mesh, const lwi_map_list *map) {
  size_t ranges = ((size_t)mesh->polygons.count + 1) * sizeof *map->first, size = (size_t)map->bytes.count;
  lwi_cover_map *to = lwi_cover_map_edit(mesh);
  if (!map->first) return true; /* no polygons or no occluders */
  to->first = lwi_alloc(&mesh->memory, ranges);
  to->leaves = lwi_alloc(&mesh->memory, size);
  to->has = 1;
  to->size = (uint32_t)size;
  if (!to->first || (size > 0 && !to->leaves)) return false;
  memcpy(to->first, map->first, ranges);
  if (size > 0) memcpy(to->leaves, map->bytes.items, size);
  return true;
}

/* Number the BVH leaves that the map uses. @param numbers  [leaf_count] */
static void number_leaves(const lw_navmesh *mesh, const lwi_map_list *map, uint32_t *numbers) {
  const uint32_t leaves = lwi_occluders_of(mesh)->leaf_count;
  uint32_t used = 0;
  for (uint32_t i = 0; i < leaves; i++) numbers[i] = LWI_NONE;
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    lwi_bvh_leaf_list list = lwi_map_list_of(map->first, map->bytes.items, p);
    for (uint32_t leaf = LWI_NONE; lwi_bvh_leaf_list_next(&list, &leaf);) numbers[leaf] = 0;
  }
  for (uint32_t i = 0; i < leaves; i++)
    if (numbers[i] != LWI_NONE) numbers[i] = used++;
}

/* Keep only the occluders that the map uses. */
static bool thin_out(lw_navmesh *mesh, lwi_map_list *map) {
  lwi_memory *memory = map->memory;
  const size_t size = lwi_occluders_of(mesh)->leaf_count * sizeof(uint32_t);
  uint32_t *numbers = lwi_alloc(memory, size);
  lwi_occluders thin;
  if (!numbers) return false;
  number_leaves(mesh, map, numbers);
  bool done = lwi_occluders_thin(lwi_occluders_of(mesh), numbers, &mesh->memory, &thin) &&
              lwi_map_renumber(map, mesh, numbers);
  if (done) *lwi_occluders_edit(mesh) = thin; /* the old arrays belong to the mesh's block */
  lwi_free(memory, numbers, size);
  return done;
}

static bool make_map(lw_navmesh *mesh, const lwi_cover_job *job, lwi_memory *memory) {
  lwi_map_list map = {.memory = memory};
  bool done = lwi_map_make(&map, job->lines, mesh, job->threads);
  if (done && map.first)
    done = lwi_map_measure(&map, lwi_occluders_of(mesh), mesh, job->threads, &lwi_cover_map_edit(mesh)->loss);
  if (done && map.first && !(job->keep & LWI_KEEP_OCCLUDERS)) done = thin_out(mesh, &map);
  done = done && put_map(mesh, &map);
  lwi_map_free(&map, mesh);
  return done;
}

static bool make_pairs(lw_navmesh *mesh, const lwi_cover_job *job, lwi_memory *memory) {
  const lwi_visibility_table_def def = {job->lines, job->visibility_table_range, job->threads};
  return !(job->keep & LWI_KEEP_VISIBILITY_TABLE) || lwi_visibility_table_make(mesh, &def, memory);
}

/* The map comes last, because it may remove occluders. */
lw_status lwi_bake_cover(lw_navmesh *mesh, const lwi_cover_job *job, lw_bake_report *report, lw_error *error) {
  const uint32_t keep = job->keep;
  lwi_memory memory = lwi_memory_make(&mesh->memory.allocator);
  double begin = lwi_clock();
  bool done = !(keep & LWI_KEEP_COVER) || find_segments(mesh, job, &memory);
  double found = lwi_clock();
  done = done && make_pairs(mesh, job, &memory);
  double paired = lwi_clock();
  if (keep & LWI_KEEP_MAP)
    done = done && make_map(mesh, job, &memory);
  else if (!(keep & LWI_KEEP_OCCLUDERS))
    *lwi_occluders_edit(mesh) = (lwi_occluders){.quantum = 1};
  if (report) {
    report->cover_seconds = found - begin;
    report->cover_map_seconds = keep & LWI_KEEP_MAP ? lwi_clock() - paired : 0;
    report->visibility_table_seconds = paired - found;
  }
  done = done && lwi_sections_pack(mesh);
  return done ? LW_OK : lwi_fail_status(error, LW_OUT_OF_MEMORY);
}
