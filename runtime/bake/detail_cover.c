#include "bake/detail_cover.h"

#include "bake/bake_cover.h"
#include "bake/detail_split.h"
#include "core/parallel.h"
#include "core/status.h"
#include "mesh/sources.h"

/* A tile, and the memory of the thread that cuts it. */
typedef struct fine_tile {
  lwi_memory memory;
  lwi_detail_tile tile;
} fine_tile;

typedef struct cutting {
  const lwi_sources *sources;
  const lwi_detail_rules *rules;
  fine_tile *tiles; /* [sources->count] */
} cutting;

static bool cut_tile(void *user, int index) {
  const cutting *c = user;
  fine_tile *fine = &c->tiles[index];
  return lwi_detail_split(&c->sources->tiles[index], c->rules, &fine->memory, &fine->tile);
}

static lw_status cut_sources(const lw_navmesh *mesh, lwi_sources *sources, const cutting *c, int threads,
                             lw_navmesh **result, lw_error *error) {
  const lwi_parallel run = {.count = sources->count, .threads = threads, .work = cut_tile, .user = (void *)c};
  if (!lwi_parallel_run(&run)) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  for (int i = 0; i < sources->count; i++)
    if (c->tiles[i].tile.is_cut) sources->tiles[i] = c->tiles[i].tile.source;
  return lwi_sources_build(sources, mesh, NULL, &mesh->memory.allocator, result, error);
}

static lw_status cut_all(const lw_navmesh *mesh, const lwi_detail_rules *rules, int threads,
                         lw_navmesh **result, lw_error *error) {
  lwi_memory_guard guard;
  lwi_memory memory;
  if (!lwi_memory_guard_open(&guard, &mesh->memory.allocator, &memory))
    return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  lwi_sources sources = {.memory = memory};
  const lwi_memory unused = memory;
  const size_t size = mesh->tiles.count * sizeof(fine_tile);
  const cutting c = {&sources, rules, lwi_alloc_zero(&memory, size)};
  for (uint32_t i = 0; i < mesh->tiles.count && c.tiles; i++) c.tiles[i].memory = unused;
  const bool copied = c.tiles && lwi_sources_add(&sources, mesh);
  lw_status status = copied ? cut_sources(mesh, &sources, &c, threads, result, error)
                            : lwi_fail_status(error, LW_OUT_OF_MEMORY);
  for (int i = 0; i < sources.count && copied; i++)
    if (c.tiles[i].tile.memory) lwi_detail_tile_free(&c.tiles[i].tile);
  lwi_sources_free(&sources);
  lwi_free(&memory, c.tiles, size);
  lwi_memory_guard_close(&guard);
  return status;
}

static lw_status find_and_cut(lw_navmesh *mesh, const lw_bake_settings *used, const lwi_sight_lines *lines,
                              lw_navmesh **result, lw_error *error) {
  lwi_memory memory = lwi_memory_make(&mesh->memory.allocator);
  const lwi_cover_job job = {LWI_KEEP_OCCLUDERS | LWI_KEEP_COVER, 0, lines, used->threads, NULL};
  lwi_detail_rules rules = {.memory = &memory};
  lw_status status = lwi_bake_cover(mesh, &job, NULL, error);
  if (status == LW_OK) status = lwi_detail_rules_add_cover(&rules, mesh, &used->cover, error);
  if (status == LW_OK) status = cut_all(mesh, &rules, used->threads, result, error);
  lwi_detail_rules_free(&rules);
  return status;
}

lw_status lwi_detail_near_cover(lw_navmesh **mesh, const lw_bake_settings *used, const lwi_sight_lines *lines,
                                lw_error *error) {
  lw_navmesh *whole = *mesh, *fine = NULL;
  if (used->cover.detail_near <= 0) return LW_OK;
  const lw_status status = find_and_cut(whole, used, lines, &fine, error);
  lw_navmesh_destroy(whole);
  *mesh = fine;
  return status;
}
