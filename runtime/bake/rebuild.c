/* Tiles baked anew in a navmesh, to the bytes of a whole bake. Tiles are baked apart and do not depend on each other, but
   which small islands are left out is judged over all of them. An island that was left out may come back when the change
   joins it to something: so tiles beside those that changed, and those at the ends of links, are baked anew too, and so on
   where an island that had been left out of one of them goes on behind its border. */
#include "bake/bake_annotations.h"
#include "bake/bake_cover.h"
#include "bake/bake_ground_parts.h"
#include "bake/bake_plan.h"
#include "bake/bake_tile.h"
#include "bake/rebuild_known.h"
#include "core/clock.h"
#include "core/parallel.h"
#include "core/status.h"
#include "cover/occluder.h"
#include "geometry/geometry.h"
#include "mesh/sources.h"

#include <math.h>
#include <string.h>

/* What becomes of a tile. */
enum { TILE_OLD, TILE_FRESH, TILE_CHANGED };

typedef struct rebuild {
  const lw_navmesh *old;
  const lw_geometry *geometry;
  lw_bake_settings settings;
  lw_bake_report *report;
  lw_error *error;
  lwi_bake_plan plan;
  lwi_memory memory;
  lwi_memory_guard guard;
  lw_allocator tile_allocator; /* what threads allocate by */
  int tile_count;
  uint8_t *kinds;     /* [tile_count] */
  int *old_tiles;     /* [tile_count] Index into the old navmesh's tiles; -1: it was empty. */
  lw_navmesh **fresh; /* [tile_count] NULL: not baked. */
  int *queue;         /* [queue_count] Tiles to bake, in the order in which that was found. */
  int queue_count;
  int cancelled;    /* after so many tiles */
  int batch;        /* the first of the queue that are being baked */
  lw_error *errors; /* [tile_count] */

  /* What blocks sight now: walls may stand anywhere. */
  lwi_memory sight_memory; /* of all this */
  lwi_occluders occluders;
  lwi_lines lines;
  lwi_changes changes; /* since the old navmesh */
  bool sight_found;
} rebuild;

static void want(rebuild *r, int x, int z, uint8_t kind) {
  if (x < 0 || z < 0 || x >= r->plan.columns || z >= r->plan.rows) return;
  int tile = z * r->plan.columns + x;
  if (r->kinds[tile] == TILE_OLD) r->queue[r->queue_count++] = tile;
  if (kind > r->kinds[tile]) r->kinds[tile] = kind;
}

static void want_around(rebuild *r, int tile) {
  int x = tile % r->plan.columns, z = tile / r->plan.columns;
  for (int i = 0; i < 9; i++) want(r, x + i % 3 - 1, z + i / 3 - 1, TILE_FRESH);
}

/* All tiles that a box touches, grown by what a tile sees of its neighbours. */
static void want_box(rebuild *r, lw_box box, double grow, uint8_t kind) {
  const lwi_bake_plan *plan = &r->plan;
  double size = plan->tile_cells * plan->cell;
  double x0 = fmax(0, floor((box.min.x - grow - plan->corner_x) / size));
  double z0 = fmax(0, floor((box.min.z - grow - plan->corner_z) / size));
  double x1 = fmin(plan->columns - 1, floor((box.max.x + grow - plan->corner_x) / size));
  double z1 = fmin(plan->rows - 1, floor((box.max.z + grow - plan->corner_z) / size));
  for (double z = z0; z <= z1; z++)
    for (double x = x0; x <= x1; x++) want(r, (int)x, (int)z, kind);
}

/* --- the grid ------------------------------------------------------------------------------------------------------ */

static bool is_near(double a, double b) {
  return fabs(a - b) <= 1e-3 + 1e-6 * fabs(a);
}

/* Tiles at the far ends become wider when the geometry grows there. Elsewhere the grid must be what it was. */
static lw_status check_tile(rebuild *r, int index) {
  const lwi_bake_plan *plan = &r->plan;
  const lwi_tile *tile = &r->old->tiles[index];
  double size = plan->tile_cells * plan->cell;
  double x = plan->corner_x + tile->x * size, z = plan->corner_z + tile->z * size;
  if (tile->x < 0 || tile->z < 0 || tile->x >= plan->columns || tile->z >= plan->rows ||
      !is_near(x, (double)tile->bounds.min.x) || !is_near(z, (double)tile->bounds.min.z))
    return lwi_fail(
        r->error, LW_INVALID,
        "tile (%d, %d) is at (%g, %g), not at (%g, %g): the geometry or the settings have moved the grid; "
        "give both bakes the same bounds, within which the geometry stays",
        tile->x, tile->z, (double)tile->bounds.min.x, (double)tile->bounds.min.z, x, z);
  r->old_tiles[tile->z * plan->columns + tile->x] = index;
  double end_x = fmin(x + size, plan->corner_x + plan->cells_x * plan->cell);
  double end_z = fmin(z + size, plan->corner_z + plan->cells_z * plan->cell);
  if (!is_near(end_x, (double)tile->bounds.max.x) || !is_near(end_z, (double)tile->bounds.max.z))
    want(r, tile->x, tile->z, TILE_CHANGED);
  return LW_OK;
}

static lw_status check_grid(rebuild *r) {
  const lw_bake_settings *used = &r->report->used;
  lw_navmesh_agent agent = r->old->agent;
  if (r->old->part.total > 0)
    return lwi_fail(r->error, LW_INVALID, "the navmesh is a part of a bake: merge the parts first");
  if (r->old->areas != lw_geometry_area_table(r->geometry))
    return lwi_fail(r->error, LW_INVALID, "the navmesh has another area table than the geometry");
  if (!is_near((double)agent.radius, (double)used->agent_radius) ||
      !is_near((double)agent.height, (double)used->agent_height) ||
      !is_near((double)agent.climb, (double)used->agent_climb) ||
      !is_near((double)r->old->tile_size, (double)used->tile_size))
    return lwi_fail(
        r->error, LW_INVALID,
        "the navmesh is for agents of radius %g, height %g, climb %g m in tiles of %g m, the settings are for "
        "%g, %g, %g m in tiles of %g m",
        (double)agent.radius, (double)agent.height, (double)agent.climb, (double)r->old->tile_size,
        (double)used->agent_radius, (double)used->agent_height, (double)used->agent_climb,
        (double)used->tile_size);
  for (int i = 0; i < r->tile_count; i++) r->old_tiles[i] = -1;
  for (uint32_t i = 0; i < r->old->tile_count; i++) {
    lw_status status = check_tile(r, (int)i);
    if (status != LW_OK) return status;
  }
  return LW_OK;
}

/* --- baking --------------------------------------------------------------------------------------------------------- */

/* Where an edge of the polygon lies on the tile's border, the tile behind it is wanted. */
static void want_behind(rebuild *r, const lw_navmesh *mesh, const lwi_tile *tile, uint32_t index) {
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  const lw_box box = tile->bounds;
  const float near_by = 0.01f;
  for (uint32_t i = 0; i < polygon.count; i++) {
    lw_vec3 a = lwi_corner(&polygon, i), b = lwi_corner(&polygon, lwi_next_corner(&polygon, i));
    if (fmaxf(a.x, b.x) <= box.min.x + near_by) want(r, tile->x - 1, tile->z, TILE_FRESH);
    if (fminf(a.x, b.x) >= box.max.x - near_by) want(r, tile->x + 1, tile->z, TILE_FRESH);
    if (fmaxf(a.z, b.z) <= box.min.z + near_by) want(r, tile->x, tile->z - 1, TILE_FRESH);
    if (fminf(a.z, b.z) >= box.max.z - near_by) want(r, tile->x, tile->z + 1, TILE_FRESH);
  }
}

/* The old navmesh has some of the fresh tile's polygons, in the same order: the others had been left out. */
static void want_lost(rebuild *r, int tile) {
  const lw_navmesh *fresh = r->fresh[tile];
  if (fresh->tile_count == 0) return;
  int index = r->old_tiles[tile];
  uint32_t at = index < 0 ? 0 : r->old->tiles[index].first_polygon;
  uint32_t end = index < 0 ? 0 : at + r->old->tiles[index].polygon_count;
  for (uint32_t p = 0; p < fresh->polygon_count; p++) {
    if (at < end && lwi_rebuild_same(fresh, p, r->old, at))
      at += 1;
    else
      want_behind(r, fresh, &fresh->tiles[0], p);
  }
}

/* Runs on any thread, as all that follows until they are done. */
static bool bake_one(rebuild *r, int i) {
  int tile = r->queue[i];
  lw_bake_settings settings = r->settings;
  settings.tile_first = tile;
  settings.tile_count = settings.threads = 1;
  settings.occluders = settings.cover_segments = settings.cover_map = false;
  settings.exposure_range = settings.pair_range = 0;
  settings.progress = NULL;
  settings.allocator = &r->tile_allocator;
  return lw_bake(r->geometry, &settings, &r->fresh[tile], NULL, &r->errors[i]) == LW_OK;
}

static bool find_sight(rebuild *r) {
  double begin = lwi_clock();
  if (lwi_bake_keep(&r->settings) != 0 || r->settings.exposure_range > 0)
    r->sight_found = lwi_bake_occluders(r->geometry, r->plan.bounds, &r->sight_memory, &r->occluders) &&
                     lwi_lines_make(&r->lines, &r->occluders, &r->sight_memory) &&
                     lwi_changes_find(&r->changes, &r->old->occluders, &r->occluders);
  else
    r->sight_found = true;
  r->report->occluder_seconds = lwi_clock() - begin;
  return r->sight_found;
}

/* The first batch has what blocks sight as well, before its tiles. */
static bool bake_piece(void *user, int piece) {
  rebuild *r = user;
  const bool sight = r->batch == 0;
  return sight && piece == 0 ? find_sight(r) : bake_one(r, r->batch + piece - sight);
}

/* One piece of the first batch is no tile: so all are only told when that is done, too. */
static bool tell(void *user, int done) {
  rebuild *r = user;
  const int tiles = r->batch + done - (r->batch == 0);
  if (tiles < 1 || r->settings.progress(r->settings.user, tiles, r->queue_count)) return true;
  r->cancelled = tiles;
  return false;
}

static lw_status bake_batch(rebuild *r, int end) {
  lwi_parallel run = {.count = end - r->batch + (r->batch == 0),
                      .threads = r->report->used.threads,
                      .work = bake_piece,
                      .done = r->settings.progress ? tell : NULL,
                      .user = r};
  if (lwi_parallel_run(&run)) return LW_OK;
  if (r->cancelled)
    return lwi_fail(r->error, LW_CANCELLED, "the rebuild was cancelled after tile %d of %d", r->cancelled,
                    r->queue_count);
  for (int i = r->batch; i < end; i++)
    if (r->errors[i].status != LW_OK) return lwi_fail(r->error, r->errors[i].status, "%s", r->errors[i].text);
  return lwi_fail_status(r->error, LW_OUT_OF_MEMORY);
}

/* What is around tiles that changed, and at the ends of links: islands may be needed there. */
static void want_more(rebuild *r) {
  const lwi_links *links = lwi_geometry_links(r->geometry);
  for (int i = 0, changed = r->queue_count; i < changed; i++) want_around(r, r->queue[i]);
  for (int i = 0; i < links->count; i++) {
    const lw_link_def *link = &links->items[i];
    want_box(r, (lw_box){link->from, link->from}, (double)link->radius, TILE_FRESH);
    want_box(r, (lw_box){link->to, link->to}, (double)link->radius, TILE_FRESH);
  }
}

/* What is known to be wanted is baked at once; what that asks for, next. */
static lw_status bake_all(rebuild *r) {
  want_more(r);
  while (r->batch < r->queue_count) {
    const int end = r->queue_count;
    lw_status status = bake_batch(r, end);
    if (status != LW_OK) return status;
    for (int i = r->batch; i < end; i++)
      if (r->kinds[r->queue[i]] != TILE_CHANGED) want_lost(r, r->queue[i]);
    r->batch = end;
  }
  return LW_OK;
}

/* --- joining --------------------------------------------------------------------------------------------------------- */

/* The sources of all tiles in order. @param tiles  [tile_count] @return How many; -1: no memory. */
static int gather(rebuild *r, lwi_sources *sources, lwi_tile_source *tiles) {
  int count = 0;
  if (!lwi_sources_add(sources, r->old)) return -1;
  for (int i = 0; i < r->tile_count; i++) {
    if (!r->fresh[i]) {
      if (r->old_tiles[i] >= 0) tiles[count++] = sources->tiles[r->old_tiles[i]];
      continue;
    }
    int next = sources->count;
    if (!lwi_sources_add(sources, r->fresh[i])) return -1;
    if (sources->count > next) tiles[count++] = sources->tiles[next];
  }
  return count;
}

/* What lies so open as it did need not be looked at: polygons that are what they were, as far as one looks from where anything
   blocks sight that did not, or does no longer. */
static lw_status look_around(rebuild *r, lw_navmesh *navmesh) {
  const lw_bake_settings *used = &r->report->used;
  const size_t size = navmesh->polygon_count * sizeof(uint32_t);
  uint32_t *known = lwi_alloc(&r->memory, size);
  const lwi_ground_parts parts = {&r->lines, used->exposure_range, used->swim_depth, used->threads,
                                  known,     r->old->exposures};
  double begin = lwi_clock();
  bool done = known &&
              lwi_rebuild_known(r->old, navmesh, &r->changes, used->exposure_range + used->agent_height + 0.1f,
                                &r->memory, known) &&
              lwi_bake_ground_parts(navmesh, &parts, &r->memory);
  lwi_free(&r->memory, known, size);
  r->report->exposure_seconds = lwi_clock() - begin;
  return done ? LW_OK : lwi_fail_status(r->error, LW_OUT_OF_MEMORY);
}

static lw_status build(rebuild *r, lwi_tile_source *tiles, lw_navmesh **navmesh) {
  lwi_sources sources = {.memory = lwi_memory_make(r->settings.allocator)};
  const lw_bake_settings *used = &r->report->used;
  int count = gather(r, &sources, tiles);
  lwi_navmesh_source source = {.areas = r->old->areas,
                               .allocator = r->settings.allocator,
                               .agent = {used->agent_radius, used->agent_height, used->agent_climb},
                               .tile_size = used->tile_size,
                               .tile_count = count,
                               .tiles = tiles,
                               .annotations = lwi_annotations_of(r->fresh[r->queue[0]])};
  if (lwi_bake_keep(&r->settings) != 0) source.annotations.occluders = r->occluders;
  lw_status status = count < 0    ? lwi_fail_status(r->error, LW_OUT_OF_MEMORY)
                     : count == 0 ? lwi_fail(r->error, LW_EMPTY, "nothing to walk on is left")
                                  : lwi_navmesh_build(&source, navmesh, r->error);
  lwi_sources_free(&sources);
  return status;
}

/* Cover is found anew: which walls and leaves matter is chosen among all that there are. */
static lw_status join(rebuild *r, lwi_tile_source *tiles, lw_navmesh **navmesh) {
  const lw_bake_settings *used = &r->report->used;
  const lwi_cover_job job = {lwi_bake_keep(&r->settings), used->pair_range, &r->lines, used->threads};
  lw_status status = build(r, tiles, navmesh);
  if (status == LW_OK)
    status = lwi_islands_drop(navmesh, used->min_region_area, &r->report->islands_dropped, r->error);
  if (status == LW_OK) status = lwi_bake_cover(*navmesh, &job, r->report, r->error);
  if (status == LW_OK) status = look_around(r, *navmesh);
  if (status != LW_OK) {
    lw_navmesh_destroy(*navmesh);
    *navmesh = NULL;
  }
  return status;
}

/* Ids stay where a tile is what it was, at the same place in the list; elsewhere they become stale. */
static void number_tiles(const rebuild *r, lw_navmesh *mesh) {
  for (uint32_t i = 0; i < mesh->tile_count && i < r->old->tile_count; i++) {
    const lwi_tile *now = &mesh->tiles[i], *before = &r->old->tiles[i];
    bool same = now->x == before->x && now->z == before->z && now->polygon_count == before->polygon_count &&
                r->kinds[now->z * r->plan.columns + now->x] != TILE_CHANGED;
    for (uint32_t p = 0; same && p < now->polygon_count; p++)
      same = lwi_rebuild_same(mesh, now->first_polygon + p, r->old, before->first_polygon + p);
    mesh->generations[i] = same ? r->old->generations[i] : r->old->generations[i] % 32767 + 1;
  }
}

/* What is left of the time when all else is taken away: by one thread nothing is done beside. */
static void note_times(lw_bake_report *report, double seconds) {
  const bool beside = report->used.threads > 1;
  const double cover = report->cover_seconds + report->cover_map_seconds + report->pair_seconds;
  report->tile_seconds = seconds - report->exposure_seconds - cover - (beside ? 0 : report->occluder_seconds);
}

static lw_status run(rebuild *r, lw_box changed, lw_navmesh **navmesh) {
  const double begin = lwi_clock();
  double border = (LWI_TILE_BORDER(r->plan.radius) + 1) * r->plan.cell;
  lw_status status = check_grid(r);
  if (status != LW_OK) return status;
  want_box(r, changed, border, TILE_CHANGED);
  if (r->queue_count == 0)
    return lwi_fail(r->error, LW_INVALID, "the box touches no tile: it lies outside the bounds");
  status = bake_all(r);
  if (status != LW_OK) return status;
  size_t size = (size_t)r->tile_count * sizeof(lwi_tile_source);
  lwi_tile_source *tiles = lwi_alloc(&r->memory, size);
  if (!tiles) return lwi_fail_status(r->error, LW_OUT_OF_MEMORY);
  status = join(r, tiles, navmesh);
  lwi_free(&r->memory, tiles, size);
  if (status != LW_OK) return status;
  number_tiles(r, *navmesh);
  r->report->tiles = r->queue_count;
  r->report->tiles_empty = r->tile_count - (int)(*navmesh)->tile_count;
  if (lwi_bake_keep(&r->settings) != 0 || r->settings.exposure_range > 0)
    lwi_bake_note_occluders(r->geometry, r->plan.bounds, r->report);
  note_times(r->report, lwi_clock() - begin);
  return LW_OK;
}

static lw_status prepare_and_run(rebuild *r, lw_box changed, lw_navmesh **navmesh) {
  size_t count = (size_t)r->tile_count;
  r->kinds = lwi_alloc_zero(&r->memory, count);
  r->old_tiles = lwi_alloc(&r->memory, count * sizeof *r->old_tiles);
  r->fresh = lwi_alloc_zero(&r->memory, count * sizeof(lw_navmesh *));
  r->queue = lwi_alloc(&r->memory, count * sizeof *r->queue);
  r->errors = lwi_alloc_zero(&r->memory, count * sizeof *r->errors);
  lw_status status = r->kinds && r->old_tiles && r->fresh && r->queue && r->errors
                         ? run(r, changed, navmesh)
                         : lwi_fail_status(r->error, LW_OUT_OF_MEMORY);
  for (size_t i = 0; r->fresh && i < count; i++) lw_navmesh_destroy(r->fresh[i]);
  lwi_free(&r->memory, r->kinds, count);
  lwi_free(&r->memory, r->old_tiles, count * sizeof *r->old_tiles);
  lwi_free(&r->memory, r->fresh, count * sizeof(lw_navmesh *));
  lwi_free(&r->memory, r->queue, count * sizeof *r->queue);
  lwi_free(&r->memory, r->errors, count * sizeof *r->errors);
  lwi_changes_free(&r->changes);
  lwi_lines_free(&r->lines);
  lwi_occluders_free(&r->occluders, &r->sight_memory);
  return status;
}

lw_status lw_bake_rebuild(const lw_navmesh *navmesh, const lw_geometry *geometry,
                          const lw_bake_settings *settings, lw_box changed, lw_navmesh **rebuilt,
                          lw_bake_report *report, lw_error *error) {
  lw_bake_report scratch;
  if (!report) report = &scratch;
  *report = (lw_bake_report){0};
  if (rebuilt) *rebuilt = NULL;
  if (!navmesh || !geometry || !rebuilt)
    return lwi_fail(error, LW_INVALID, "navmesh, geometry and rebuilt must not be NULL");
  if (lw_geometry_triangle_count(geometry) == 0)
    return lwi_fail(error, LW_EMPTY, "the geometry has no triangles");
  if (!lwi_finite(changed.min) || !lwi_finite(changed.max) || changed.min.x > changed.max.x ||
      changed.min.z > changed.max.z)
    return lwi_fail(error, LW_INVALID, "the box must be finite, its min not above its max");
  rebuild r = {.old = navmesh,
               .geometry = geometry,
               .settings = settings ? *settings : lw_bake_settings_default(),
               .report = report,
               .error = error};
  if (r.settings.tile_first != 0 || r.settings.tile_count != 0)
    return lwi_fail(error, LW_INVALID, "tile_first and tile_count must be 0: the box says which tiles");
  lw_status status = lwi_bake_plan_make(&r.settings, geometry, &r.plan, report, error);
  if (status != LW_OK) return status;
  if (!lwi_memory_guard_open(&r.guard, r.settings.allocator, &r.memory))
    return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  r.sight_memory = r.memory;
  r.tile_allocator = r.memory.allocator;
  r.lines.memory = r.changes.memory = &r.sight_memory;
  r.occluders.quantum = 1;
  r.tile_count = r.plan.columns * r.plan.rows;
  status = prepare_and_run(&r, changed, rebuilt);
  lwi_memory_guard_close(&r.guard);
  return status;
}
