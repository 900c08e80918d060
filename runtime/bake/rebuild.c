/* Rebuilding the tiles of a navmesh that changed, to the bytes of a whole bake. Tiles are baked apart and do
   not depend on each other, but which small islands are left out is judged over all of them: an island that
   was left out may come back when a change joins it to something. So tiles beside changed tiles and at the
   ends of links are baked again, too, and further ones where an island that had been left out continues
   across a border. */
#include "bake/bake_islands.h"
#include "bake/bake_annotations.h"
#include "bake/bake_cover.h"
#include "bake/openness.h"
#include "bake/bake_plan.h"
#include "bake/bake_tile.h"
#include "bake/detail_cover.h"
#include "bake/rebuild.h"
#include "bake/rebuild_known.h"
#include "core/parallel.h"
#include "core/platform.h"
#include "core/status.h"
#include "sight/occluder.h"
#include "geometry/geometry.h"
#include "mesh/sources.h"

#include <math.h>
#include <string.h>

/* Whether a tile is kept, baked again, or known to have changed. */
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
  lw_allocator tile_allocator; /* the allocator of baking threads */
  int tile_count;
  uint8_t *kinds;     /* [tile_count] */
  int *old_tiles;     /* [tile_count] index into the old navmesh's tiles; -1: it was empty */
  lw_navmesh **fresh; /* [tile_count] NULL: not baked */
  int *queue;         /* [queue_count] tiles to bake, in the order in which they were queued */
  int queue_count;
  int cancelled;    /* the number of tiles reported when the caller cancelled; 0: not cancelled */
  int batch;        /* where the batch being baked begins in the queue */
  lw_error *errors; /* [tile_count] */

  /* The new occluders of the whole level. */
  lwi_memory sight_memory; /* of the three below */
  lwi_occluders occluders;
  lwi_sight_lines lines;
  lwi_changes changes; /* against the old occluders */
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

/* Tiles from the first column and row to the last ones. There are none where a last one is before the first. */
typedef struct tile_range {
  int x0, z0, x1, z1;
} tile_range;

/* The tiles that a box touches, grown by a length. */
static tile_range tiles_in(const lwi_bake_plan *plan, lw_box box, double grow) {
  const double size = plan->tile_cells * plan->cell;
  return (tile_range){(int)fmin(plan->columns, fmax(0, floor((box.min.x - grow - plan->corner_x) / size))),
                      (int)fmin(plan->rows, fmax(0, floor((box.min.z - grow - plan->corner_z) / size))),
                      (int)fmax(-1, fmin(plan->columns - 1, floor((box.max.x + grow - plan->corner_x) / size))),
                      (int)fmax(-1, fmin(plan->rows - 1, floor((box.max.z + grow - plan->corner_z) / size)))};
}

static void want_box(rebuild *r, lw_box box, double grow, uint8_t kind) {
  const tile_range range = tiles_in(&r->plan, box, grow);
  for (int z = range.z0; z <= range.z1; z++)
    for (int x = range.x0; x <= range.x1; x++) want(r, x, z, kind);
}

/* How far beyond its own bounds the geometry changes a tile. [m] */
static double tile_border(const lwi_bake_plan *plan) {
  return (LWI_TILE_BORDER(plan->radius) + 1) * plan->cell;
}

/* The old tiles are cut near cover: which ground that is, all cover decides. */
static void want_all(rebuild *r) {
  for (int i = 0; i < r->tile_count; i++) want(r, i % r->plan.columns, i / r->plan.columns, TILE_FRESH);
}

/* --- the grid --------------------------------------------------------------------------------------------- */

static bool is_near(double a, double b) {
  return fabs(a - b) <= 1e-3 + 1e-6 * fabs(a);
}

/* The grid must be the old one, except that tiles at its far ends grow when the geometry does. */
static lw_status check_tile(const rebuild *r, const lwi_tile *tile) {
  const lwi_bake_plan *plan = &r->plan;
  double size = plan->tile_cells * plan->cell;
  double x = plan->corner_x + tile->x * size, z = plan->corner_z + tile->z * size;
  if (tile->x >= plan->columns || tile->z >= plan->rows)
    return lwi_fail(
        r->error, LW_INVALID,
        "tile (%d, %d) is outside of the bounds, which hold %d x %d tiles: the geometry or the settings "
        "have shrunk the grid; give both bakes the same bounds, within which the geometry stays",
        tile->x, tile->z, plan->columns, plan->rows);
  if (tile->x < 0 || tile->z < 0 || !is_near(x, (double)tile->bounds.min.x) ||
      !is_near(z, (double)tile->bounds.min.z))
    return lwi_fail(
        r->error, LW_INVALID,
        "tile (%d, %d) is at (%g, %g), expected (%g, %g): the geometry or the settings have moved the grid; "
        "give both bakes the same bounds, within which the geometry stays",
        tile->x, tile->z, (double)tile->bounds.min.x, (double)tile->bounds.min.z, x, z);
  return LW_OK;
}

/* Note the old tile's place, and bake it again if it ends elsewhere now. */
static void note_tile(rebuild *r, int index) {
  const lwi_bake_plan *plan = &r->plan;
  const lwi_tile *tile = &r->old->tiles.items[index];
  double size = plan->tile_cells * plan->cell;
  double x = plan->corner_x + tile->x * size, z = plan->corner_z + tile->z * size;
  r->old_tiles[tile->z * plan->columns + tile->x] = index;
  double end_x = fmin(x + size, plan->corner_x + plan->cells_x * plan->cell);
  double end_z = fmin(z + size, plan->corner_z + plan->cells_z * plan->cell);
  if (!is_near(end_x, (double)tile->bounds.max.x) || !is_near(end_z, (double)tile->bounds.max.z))
    want(r, tile->x, tile->z, TILE_CHANGED);
}

static lw_status check_grid(const rebuild *r) {
  const lw_bake_settings *used = &r->report->used;
  lw_navmesh_agent agent = r->old->agent;
  if (r->old->part.total > 0)
    return lwi_fail(r->error, LW_INVALID,
                    "navmesh is a part of a bake, expected a whole one: merge the parts first");
  if (r->old->areas != lw_geometry_area_table(r->geometry))
    return lwi_fail(r->error, LW_INVALID,
                    "navmesh: its area table is not that of the geometry, expected the same");
  if (!is_near((double)agent.radius, (double)used->agent_radius) ||
      !is_near((double)agent.height, (double)used->agent_height) ||
      !is_near((double)agent.climb, (double)used->agent_climb) ||
      !is_near((double)r->old->tile_size, (double)used->tile_size))
    return lwi_fail(
        r->error, LW_INVALID,
        "navmesh is for agents of radius %g, height %g, climb %g m in tiles of %g m, expected %g, %g, %g m in "
        "tiles of %g m as in the settings",
        (double)agent.radius, (double)agent.height, (double)agent.climb, (double)r->old->tile_size,
        (double)used->agent_radius, (double)used->agent_height, (double)used->agent_climb,
        (double)used->tile_size);
  lw_status status = LW_OK;
  for (uint32_t i = 0; status == LW_OK && i < r->old->tiles.count; i++)
    status = check_tile(r, &r->old->tiles.items[i]);
  return status;
}

/* --- baking ----------------------------------------------------------------------------------------------- */

/* Queue the tiles behind those edges of the polygon that lie on the tile's border. */
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

/* The old navmesh has some of the fresh tile's polygons, in the same order. The others had been left out:
   they may continue in other tiles. */
static void want_lost(rebuild *r, int tile) {
  const lw_navmesh *fresh = r->fresh[tile];
  if (fresh->tiles.count == 0) return;
  int index = r->old_tiles[tile];
  uint32_t at = index < 0 ? 0 : r->old->tiles.items[index].first_polygon;
  uint32_t end = index < 0 ? 0 : at + r->old->tiles.items[index].polygon_count;
  for (uint32_t p = 0; p < fresh->polygons.count; p++) {
    if (at < end && lwi_rebuild_same(fresh, p, r->old, at))
      at += 1;
    else
      want_behind(r, fresh, &fresh->tiles.items[0], p);
  }
}

/* Runs on any thread, as do the functions it calls. */
static bool bake_one(rebuild *r, int i) {
  int tile = r->queue[i];
  lw_bake_settings settings = r->settings;
  settings.tiles.first = tile;
  settings.tiles.count = settings.threads = 1;
  settings.occluders = settings.cover.segments = settings.cover.map = false;
  settings.cover.detail_near = 0;
  settings.openness_range = settings.visibility_table_range = settings.auto_links.drop =
      settings.auto_links.jump = 0;
  settings.progress.report = NULL;
  settings.allocator = &r->tile_allocator;
  return lw_navmesh_bake(r->geometry, &settings, &r->fresh[tile], NULL, &r->errors[i]) == LW_OK;
}

static bool find_sight(rebuild *r) {
  double begin = lwi_clock();
  if (lwi_bake_keep(&r->settings) != 0 || r->settings.openness_range > 0)
    r->sight_found = lwi_bake_occluders(r->geometry, r->plan.bounds, &r->sight_memory, &r->occluders) &&
                     lwi_lines_make(&r->lines, &r->occluders, &r->sight_memory) &&
                     lwi_changes_find(&r->changes, lwi_occluders_of(r->old), &r->occluders);
  else
    r->sight_found = true;
  r->report->occluder_seconds = lwi_clock() - begin;
  return r->sight_found;
}

/* In the first batch, piece 0 finds the occluders. */
static bool bake_piece(void *user, int piece) {
  rebuild *r = user;
  const bool sight = r->batch == 0;
  return sight && piece == 0 ? find_sight(r) : bake_one(r, r->batch + piece - sight);
}

/* Piece 0 of the first batch is no tile: the last tile is reported when it is done, too. */
static bool report_progress(void *user, int done) {
  rebuild *r = user;
  const int tiles = r->batch + done - (r->batch == 0);
  if (tiles < 1 || r->settings.progress.report(r->settings.progress.user, tiles, r->queue_count)) return true;
  r->cancelled = tiles;
  return false;
}

static lw_status bake_batch(rebuild *r, int end) {
  lwi_parallel run = {.count = end - r->batch + (r->batch == 0),
                      .threads = r->report->used.threads,
                      .work = bake_piece,
                      .done = r->settings.progress.report ? report_progress : NULL,
                      .user = r};
  if (lwi_parallel_run(&run)) return LW_OK;
  if (r->cancelled)
    return lwi_fail(r->error, LW_CANCELLED, "the rebuild was cancelled after tile %d of %d", r->cancelled,
                    r->queue_count);
  for (int i = r->batch; i < end; i++)
    if (r->errors[i].status != LW_OK) return lwi_fail(r->error, r->errors[i].status, "%s", r->errors[i].text);
  return lwi_fail_status(r->error, LW_OUT_OF_MEMORY);
}

/* Queue the tiles around changed tiles and at the ends of links: islands there may be needed. With seeds any tile
   may have lost ground that is reached now. */
static void want_more(rebuild *r) {
  if (lwi_geometry_seeds(r->geometry)->count > 0)
    for (int z = 0; z < r->plan.rows; z++)
      for (int x = 0; x < r->plan.columns; x++) want(r, x, z, TILE_FRESH);
  const lwi_links *links = lwi_geometry_links(r->geometry);
  for (int i = 0, changed = r->queue_count; i < changed; i++) want_around(r, r->queue[i]);
  for (int i = 0; i < links->count; i++) {
    const lw_link_def *link = &links->items[i];
    want_box(r, (lw_box){link->from, link->from}, (double)link->radius, TILE_FRESH);
    want_box(r, (lw_box){link->to, link->to}, (double)link->radius, TILE_FRESH);
  }
}

/* Bake what is queued, batch by batch; each batch may queue more. */
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

/* --- joining ---------------------------------------------------------------------------------------------- */

/* The sources of all tiles, in order. @param tiles  [tile_count] @return How many; -1: out of memory. */
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

/* Find openness. Polygons keep theirs if they are unchanged and no occluder within range changed. */
static lw_status look_around(rebuild *r, lw_navmesh *navmesh) {
  const lw_bake_settings *used = &r->report->used;
  const size_t size = navmesh->polygons.count * sizeof(uint32_t);
  uint32_t *known = lwi_alloc(&r->memory, size);
  const lwi_openness_def parts = {&r->lines, used->openness_range, used->threads, known,
                                  r->old->polygons.openness};
  double begin = lwi_clock();
  bool done = known &&
              lwi_rebuild_known(r->old, navmesh, &r->changes, used->openness_range + used->agent_height + 0.1f,
                                &r->memory, known) &&
              lwi_bake_openness(navmesh, &parts, &r->memory);
  lwi_free(&r->memory, known, size);
  r->report->openness_seconds = lwi_clock() - begin;
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
                               .annotations = r->fresh[r->queue[0]]->annotations,
                               .attachments = r->fresh[r->queue[0]]->attachments};
  if (lwi_bake_keep(&r->settings) != 0) source.attachments.slots[LWI_OCCLUDERS_SLOT] = &r->occluders;
  lw_status status = count < 0    ? lwi_fail_status(r->error, LW_OUT_OF_MEMORY)
                     : count == 0 ? lwi_fail(r->error, LW_EMPTY, "nothing to walk on is left")
                                  : lwi_navmesh_build(&source, navmesh, r->error);
  lwi_sources_free(&sources);
  return status;
}

/* Cover and links are found again for the whole mesh, because segments, leaves and links are chosen among all of
   them. */
static lw_status join(rebuild *r, lwi_tile_source *tiles, lw_navmesh **navmesh) {
  const lw_bake_settings *used = &r->report->used;
  const lwi_cover_job job = {lwi_bake_keep(&r->settings), used->visibility_table_range, &r->lines,
                             used->threads, NULL};
  lw_status status = build(r, tiles, navmesh);
  if (status == LW_OK) status = lwi_bake_islands(navmesh, r->geometry, &r->sight_memory, r->report, r->error);
  if (status == LW_OK) status = lwi_detail_near_cover(navmesh, used, &r->lines, r->error);
  if (status == LW_OK) status = lwi_bake_cover(*navmesh, &job, r->report, r->error);
  if (status == LW_OK) status = look_around(r, *navmesh);
  if (status != LW_OK) {
    lw_navmesh_destroy(*navmesh);
    *navmesh = NULL;
  }
  return status;
}

/* Ids stay valid where an unchanged tile keeps its place in the list; elsewhere they become stale. */
static void number_tiles(const rebuild *r, lw_navmesh *mesh) {
  for (uint32_t i = 0; i < mesh->tiles.count && i < r->old->tiles.count; i++) {
    const lwi_tile *now = &mesh->tiles.items[i], *before = &r->old->tiles.items[i];
    bool same = now->x == before->x && now->z == before->z && now->polygon_count == before->polygon_count &&
                r->kinds[now->z * r->plan.columns + now->x] != TILE_CHANGED;
    for (uint32_t p = 0; same && p < now->polygon_count; p++)
      same = lwi_rebuild_same(mesh, now->first_polygon + p, r->old, before->first_polygon + p);
    mesh->tiles.generations[i] = same ? r->old->tiles.generations[i] : r->old->tiles.generations[i] % 32767 + 1;
  }
}

/* Time not spent on other stages: with one thread, occluders are not found beside the tiles. */
static void note_times(lw_bake_report *report, double seconds) {
  const bool beside = report->used.threads > 1;
  const double cover = report->cover_seconds + report->cover_map_seconds + report->visibility_table_seconds;
  report->tile_seconds = seconds - report->openness_seconds - cover - report->auto_link_seconds -
                         (beside ? 0 : report->occluder_seconds);
}

static lw_status run(rebuild *r, lw_box changed, lw_navmesh **navmesh) {
  const double begin = lwi_clock();
  for (int i = 0; i < r->tile_count; i++) r->old_tiles[i] = -1;
  for (uint32_t i = 0; i < r->old->tiles.count; i++) note_tile(r, (int)i);
  want_box(r, changed, tile_border(&r->plan), TILE_CHANGED);
  if (r->settings.cover.detail_near > 0) want_all(r);
  lw_status status = bake_all(r);
  if (status != LW_OK) return status;
  size_t size = (size_t)r->tile_count * sizeof(lwi_tile_source);
  lwi_tile_source *tiles = lwi_alloc(&r->memory, size);
  if (!tiles) return lwi_fail_status(r->error, LW_OUT_OF_MEMORY);
  status = join(r, tiles, navmesh);
  lwi_free(&r->memory, tiles, size);
  if (status != LW_OK) return status;
  number_tiles(r, *navmesh);
  r->report->tiles = r->queue_count;
  r->report->tiles_empty = r->tile_count - (int)(*navmesh)->tiles.count;
  if (lwi_bake_keep(&r->settings) != 0 || r->settings.openness_range > 0)
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

lw_rebuild_def lw_rebuild_def_default(void) {
  return (lw_rebuild_def){.changed = lwi_box_empty(), .cookie = LWI_COOKIE};
}

static lw_status check_box(const lw_box *box, lw_error *error) {
  if (lwi_finite(box->min) && lwi_finite(box->max) && box->min.x <= box->max.x && box->min.z <= box->max.z)
    return LW_OK;
  return lwi_fail(error, LW_INVALID,
                  "changed is (%g, %g, %g) to (%g, %g, %g), expected finite numbers, min not above max",
                  (double)box->min.x, (double)box->min.y, (double)box->min.z, (double)box->max.x,
                  (double)box->max.y, (double)box->max.z);
}

static lw_status check_touches(const rebuild *r, const lw_box *box) {
  const tile_range range = tiles_in(&r->plan, *box, tile_border(&r->plan));
  if (range.x0 <= range.x1 && range.z0 <= range.z1) return LW_OK;
  return lwi_fail(r->error, LW_INVALID,
                  "the changed box is (%g, %g, %g) to (%g, %g, %g), expected one that touches a tile",
                  (double)box->min.x, (double)box->min.y, (double)box->min.z, (double)box->max.x,
                  (double)box->max.y, (double)box->max.z);
}

/* Check all that can be seen before anything is baked, and lay out the grid.
   @param[out] r  With a plan on LW_OK. */
static lw_status plan_rebuild(const lw_rebuild_def *def, rebuild *r, lw_bake_report *report, lw_error *error) {
  lw_status status = lwi_check_cookie(def->cookie, "lw_rebuild_def", error);
  if (status != LW_OK) return status;
  if (!def->navmesh) return lwi_fail_null(error, "navmesh");
  if (!def->geometry) return lwi_fail_null(error, "geometry");
  if (lw_geometry_triangle_count(def->geometry) == 0)
    return lwi_fail(error, LW_EMPTY, "geometry is empty, expected at least one triangle");
  if ((status = check_box(&def->changed, error)) != LW_OK) return status;
  *r = (rebuild){.old = lwi_base_of(def->navmesh),
                 .geometry = def->geometry,
                 .settings = def->settings ? *def->settings : lw_bake_settings_default(),
                 .report = report,
                 .error = error};
  status = lwi_check_cookie(r->settings.cookie, "lw_bake_settings", error);
  if (status != LW_OK) return status;
  if (r->settings.tiles.first != 0 || r->settings.tiles.count != 0)
    return lwi_fail(error, LW_INVALID, "tiles is %d, %d, expected 0, 0, as `changed` says which tiles",
                    r->settings.tiles.first, r->settings.tiles.count);
  status = lwi_bake_plan_make(&r->settings, def->geometry, &r->plan, report, error);
  if (status == LW_OK) status = check_grid(r);
  return status == LW_OK ? check_touches(r, &def->changed) : status;
}

lw_status lwi_rebuild_check(const lw_rebuild_def *def, lw_error *error) {
  lw_bake_report report = {0};
  rebuild r;
  return plan_rebuild(def, &r, &report, error);
}

lw_status lw_navmesh_rebuild(const lw_rebuild_def *def, lw_navmesh **rebuilt, lw_bake_report *report,
                             lw_error *error) {
  lw_bake_report scratch;
  if (!report) report = &scratch;
  *report = (lw_bake_report){0};
  if (rebuilt) *rebuilt = NULL;
  if (!def) return lwi_fail_null(error, "def");
  if (!rebuilt) return lwi_fail_null(error, "rebuilt");
  rebuild r;
  lw_status status = plan_rebuild(def, &r, report, error);
  if (status != LW_OK) return status;
  if (!lwi_memory_guard_open(&r.guard, r.settings.allocator, &r.memory))
    return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  r.sight_memory = r.memory;
  r.tile_allocator = r.memory.allocator;
  r.lines.memory = r.changes.memory = &r.sight_memory;
  r.occluders.quantum = 1;
  r.tile_count = r.plan.columns * r.plan.rows;
  status = prepare_and_run(&r, def->changed, rebuilt);
  lwi_memory_guard_close(&r.guard);
  return status;
}
