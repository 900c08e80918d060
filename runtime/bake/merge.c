/* Merging the parts of a bake into one navmesh. */
#include "bake/bake_cover.h"
#include "core/parallel.h"
#include "core/status.h"
#include "mesh/islands_drop.h"
#include "mesh/sources.h"

#include <stdlib.h>

/* A part and its number in the call. */
typedef struct entry {
  const lw_navmesh *mesh;
  int number; /* from 1 */
} entry;

static int compare(const void *left, const void *right) {
  const entry *a = left, *b = right;
  uint32_t first_a = a->mesh->part.first, first_b = b->mesh->part.first;
  if (first_a != first_b) return first_a < first_b ? -1 : 1;
  return (a->number > b->number) - (a->number < b->number);
}

/* Is the part of the same bake as the first? */
static lw_status check_kind(const lw_navmesh *first, const lw_navmesh *mesh, int number, lw_error *error) {
  lw_navmesh_agent a = first->agent, b = mesh->agent;
  if (mesh->part.total == 0)
    return lwi_fail(error, LW_INVALID, "part %d is a whole navmesh, expected a part of a bake", number);
  if (mesh->areas != first->areas)
    return lwi_fail(error, LW_INVALID, "part %d: its area table is not that of part 1, expected the same",
                    number);
  if (a.radius != b.radius || a.height != b.height || a.climb != b.climb)
    return lwi_fail(
        error, LW_INVALID,
        "part %d is for agents of radius %g, height %g, climb %g m, expected %g, %g, %g m as in part 1", number,
        (double)b.radius, (double)b.height, (double)b.climb, (double)a.radius, (double)a.height,
        (double)a.climb);
  if (mesh->tile_size != first->tile_size)
    return lwi_fail(error, LW_INVALID, "part %d: tile_size is %g m, expected %g m as in part 1", number,
                    (double)mesh->tile_size, (double)first->tile_size);
  if (mesh->part.min_island != first->part.min_island)
    return lwi_fail(error, LW_INVALID, "part %d: min_region_area is %g m2, expected %g m2 as in part 1", number,
                    (double)mesh->part.min_island, (double)first->part.min_island);
  if (mesh->part.bake != first->part.bake || mesh->part.total != first->part.total)
    return lwi_fail(error, LW_INVALID,
                    "part %d is of another level than part 1 or baked with other settings, expected the same",
                    number);
  return LW_OK;
}

static lw_status fail_missing(uint32_t first, uint32_t end, uint32_t total, lw_error *error) {
  if (end - first == 1)
    return lwi_fail(error, LW_INVALID, "tile %u of %u is in no part, expected in one", (unsigned)end,
                    (unsigned)total);
  return lwi_fail(error, LW_INVALID, "tiles %u to %u of %u are in no part, expected each in one",
                  (unsigned)first + 1, (unsigned)end, (unsigned)total);
}

/* Is every tile in exactly one part? @param entries  Sorted. */
static lw_status check_tiles(const entry *entries, int count, lw_error *error) {
  uint32_t end = 0, total = entries[0].mesh->part.total;
  for (int i = 0; i < count; i++) {
    const lwi_part *part = &entries[i].mesh->part;
    if (part->first > end) return fail_missing(end, part->first, total, error);
    if (part->first < end)
      return lwi_fail(error, LW_INVALID, "tile %u is in part %d and in part %d, expected in one",
                      (unsigned)part->first + 1, entries[i - 1].number, entries[i].number);
    end += part->count;
  }
  return end < total ? fail_missing(end, total, total, error) : LW_OK;
}

/* Are all tiles in the order of the grid? Tiles of a damaged file may not be. */
static lw_status check_places(const lwi_sources *sources, lw_error *error) {
  for (int i = 1; i < sources->count; i++) {
    const lwi_tile_source *a = &sources->tiles[i - 1], *b = &sources->tiles[i];
    if (b->z > a->z || (b->z == a->z && b->x > a->x)) continue;
    return lwi_fail(error, LW_INVALID, "tile (%d, %d) is behind tile (%d, %d), expected the order of the grid",
                    b->x, b->z, a->x, a->z);
  }
  return LW_OK;
}

static lw_status build(const entry *entries, int count, const lw_allocator *allocator, lw_navmesh **navmesh,
                       lw_error *error) {
  lwi_sources sources = {.memory = lwi_memory_make(allocator)};
  lw_status status = LW_OK;
  for (int i = 0; i < count && status == LW_OK; i++)
    if (!lwi_sources_add(&sources, entries[i].mesh)) status = lwi_fail_status(error, LW_OUT_OF_MEMORY);
  if (status == LW_OK) status = check_places(&sources, error);
  if (status == LW_OK && sources.count == 0)
    status = lwi_fail(error, LW_EMPTY, "nothing to walk on: every part is empty");
  if (status == LW_OK) status = lwi_sources_build(&sources, entries[0].mesh, NULL, allocator, navmesh, error);
  lwi_sources_free(&sources);
  return status;
}

/* Cover is found once all parts are joined. */
static lw_status find_cover(lw_navmesh *mesh, const lwi_part *part, lw_error *error) {
  lwi_memory memory = lwi_memory_make(&mesh->memory.allocator);
  lwi_sight_lines lines;
  bool built = lwi_lines_make(&lines, lwi_occluders_of(mesh), &memory);
  const lwi_cover_job job = {part->finish, part->finish_range, &lines, lwi_processor_count(), NULL};
  lw_status status = built ? lwi_bake_cover(mesh, &job, NULL, error) : lwi_fail_status(error, LW_OUT_OF_MEMORY);
  lwi_lines_free(&lines);
  return status;
}

static lw_status merge(entry *entries, int count, const lw_allocator *allocator, lw_navmesh **navmesh,
                       lw_error *error) {
  int islands;
  for (int i = 0; i < count; i++) {
    lw_status status = check_kind(entries[0].mesh, entries[i].mesh, i + 1, error);
    if (status != LW_OK) return status;
  }
  qsort(entries, (size_t)count, sizeof *entries, compare);
  lw_status status = check_tiles(entries, count, error);
  if (status == LW_OK) status = build(entries, count, allocator, navmesh, error);
  if (status != LW_OK) return status;
  status = lwi_islands_drop(navmesh, entries[0].mesh->part.min_island, &islands, error);
  if (status == LW_OK) status = find_cover(*navmesh, &entries[0].mesh->part, error);
  if (status != LW_OK) {
    lw_navmesh_destroy(*navmesh);
    *navmesh = NULL;
  }
  return status;
}

lw_status lw_navmesh_merge(const lw_navmesh *const *parts, int count, const lw_allocator *allocator,
                           lw_navmesh **navmesh, lw_error *error) {
  if (!navmesh) return lwi_fail_null(error, "navmesh");
  *navmesh = NULL;
  if (!parts) return lwi_fail_null(error, "parts");
  if (count < 1) return lwi_fail(error, LW_INVALID, "count is %d, expected at least one part", count);
  for (int i = 0; i < count; i++)
    if (!parts[i]) return lwi_fail(error, LW_INVALID, "part %d is NULL, expected a navmesh", i + 1);
  lwi_memory memory = lwi_memory_make(allocator);
  size_t size = (size_t)count * sizeof(entry);
  entry *entries = lwi_alloc(&memory, size);
  if (!entries) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  for (int i = 0; i < count; i++) entries[i] = (entry){lwi_base_of(parts[i]), i + 1};
  lw_status status = merge(entries, count, allocator, navmesh, error);
  lwi_free(&memory, entries, size);
  return status;
}
