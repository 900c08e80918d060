/* Geometry into tiles, tiles into a navmesh. */
#include "leeward/bake.h"

#include "bake/bake_annotations.h"
#include "bake/bake_cover.h"
#include "bake/bake_ground_parts.h"
#include "bake/bake_plan.h"
#include "bake/bake_tile.h"
#include "core/clock.h"
#include "core/hash.h"
#include "core/parallel.h"
#include "core/status.h"
#include "core/vec3.h"
#include "geometry/plugin_load.h"
#include "mesh/build.h"
#include "mesh/sources.h"

#include <limits.h>
#include <stddef.h>

typedef struct baker {
  const lw_geometry *geometry;
  const lw_bake_settings *settings;
  const lwi_plugin *plugin;
  lw_bake_report *report;
  lw_error *error;
  lwi_memory memory, unused; /* the second to begin counting with */
  lwi_memory_guard guard;
  pthread_mutex_t lock; /* of what tiles change */
  lwi_bake_plan plan;
  lwi_annotations annotations; /* the geometry's links, waters and occluders, owned */
  lwi_lines lines;             /* of its occluders */
  lwi_memory sight_memory;     /* of both */
  bool sight_failed;

  int *first; /* [columns * rows + 1] into `items` */
  int *items; /* triangles by tile */
  int item_count;
  lwi_baked_tile *tiles; /* those that are not empty, as they were done */
  int tile_count, tile_capacity;
  int *place;         /* [columns * rows] 1 + where in `tiles`, or 0 */
  int failed;         /* the first tile that could not be baked */
  lw_error failure;   /* why */
  int finished, told; /* tiles */
  int cancelled;      /* after so many tiles */
} baker;

static int tile_along(double value, double corner, const lwi_bake_plan *plan, int tiles) {
  double index = floor((value - corner) / (plan->tile_cells * plan->cell));
  return index < 0 ? 0 : index >= tiles ? tiles - 1 : (int)index;
}

/* Which tiles a triangle touches, their borders included. */
static bool tiles_of(const baker *b, int triangle, int *x0, int *z0, int *x1, int *z1) {
  const lwi_bake_plan *plan = &b->plan;
  const int *index = lw_geometry_indices(b->geometry) + 3 * (size_t)triangle;
  lw_box box = lwi_box_empty();
  for (int k = 0; k < 3; ++k) box = lwi_box_add(box, lw_geometry_vertices(b->geometry)[index[k]]);
  double border = (LWI_TILE_BORDER(plan->radius) + 1) * plan->cell;
  double end_x = plan->corner_x + plan->cells_x * plan->cell,
         end_z = plan->corner_z + plan->cells_z * plan->cell;
  if (box.max.x < plan->corner_x - border || box.min.x > end_x + border) return false;
  if (box.max.z < plan->corner_z - border || box.min.z > end_z + border) return false;
  *x0 = tile_along(box.min.x - border, plan->corner_x, plan, plan->columns);
  *z0 = tile_along(box.min.z - border, plan->corner_z, plan, plan->rows);
  *x1 = tile_along(box.max.x + border, plan->corner_x, plan, plan->columns);
  *z1 = tile_along(box.max.z + border, plan->corner_z, plan, plan->rows);
  return true;
}

/* Count the triangles of each tile, or put them there (in order, from the back: ends become beginnings). */
static long long spread(baker *b, bool put) {
  long long total = 0;
  for (int i = lw_geometry_triangle_count(b->geometry) - 1; i >= 0; --i) {
    int x0, z0, x1, z1;
    if (!tiles_of(b, i, &x0, &z0, &x1, &z1)) continue;
    for (int z = z0; z <= z1; ++z)
      for (int x = x0; x <= x1; ++x) {
        int index = z * b->plan.columns + x;
        if (index < b->plan.tile_first || index >= b->plan.tile_end) continue;
        int *slot = &b->first[index];
        ++total;
        if (put)
          b->items[--*slot] = i;
        else
          *slot += *slot < INT_MAX;
      }
  }
  return total;
}

static lw_status sort_triangles(baker *b) {
  int tiles = b->plan.columns * b->plan.rows;
  b->first = lwi_alloc_zero(&b->memory, ((size_t)tiles + 1) * sizeof(int));
  if (!b->first) return lwi_fail_status(b->error, LW_OUT_OF_MEMORY);
  long long total = spread(b, false);
  if (total > INT_MAX)
    return lwi_fail(b->error, LW_LIMIT, "too many triangles in too many tiles: raise tile_size");
  for (int i = 1; i <= tiles; ++i) b->first[i] += b->first[i - 1];
  if (total == 0) return LW_OK;
  b->items = lwi_alloc(&b->memory, (size_t)total * sizeof(int));
  if (!b->items) return lwi_fail_status(b->error, LW_OUT_OF_MEMORY);
  b->item_count = (int)total;
  spread(b, true);
  return LW_OK;
}

static bool is_part(const baker *b) {
  return b->settings->tile_count > 0;
}

/* Keep a tile that has something in it. */
static lw_status keep(baker *b, int index, lwi_baked_tile *tile) {
  if (tile->result.polygon_count == 0 && !tile->result.message[0])
    return lwi_baked_tile_free(b->plugin, tile, &b->memory), LW_OK;
  if (!lwi_reserve(&b->memory, &b->tiles, &b->tile_capacity, b->tile_count + 1, sizeof *b->tiles)) {
    lwi_baked_tile_free(b->plugin, tile, &b->memory);
    return LW_OUT_OF_MEMORY;
  }
  b->tiles[b->tile_count++] = *tile;
  b->place[index] = b->tile_count;
  return LW_OK;
}

/* Of a bake in parts, the first has them for all. */
static bool wants_occluders(const baker *b) {
  return lwi_bake_keep(b->settings) != 0 && (!is_part(b) || b->plan.tile_first == 0);
}

static bool wants_sight(const baker *b) {
  return wants_occluders(b) || b->settings->exposure_range > 0;
}

/* What blocks sight does not depend on tiles. */
static bool find_sight(baker *b) {
  double begin = lwi_clock();
  b->sight_failed = !lwi_bake_annotations(b->geometry, wants_sight(b) ? &b->plan.bounds : NULL,
                                          &b->sight_memory, &b->annotations) ||
                    !lwi_lines_make(&b->lines, &b->annotations.occluders, &b->sight_memory);
  b->report->occluder_seconds = lwi_clock() - begin;
  return !b->sight_failed;
}

static bool bake_one(baker *b, int index) {
  lwi_memory memory = b->unused;
  lwi_baked_tile tile;
  lw_error error = {0};
  int x = index % b->plan.columns, z = index / b->plan.columns;
  lw_status status =
      lwi_bake_tile(&b->plan, b->geometry, b->plugin, x, z, b->items ? b->items + b->first[index] : NULL,
                    b->first[index + 1] - b->first[index], &memory, &tile, &error);
  pthread_mutex_lock(&b->lock);
  b->memory.bytes += memory.bytes;
  if (!status && (status = keep(b, index, &tile))) lwi_fail_status(&error, status);
  if (status && index < b->failed) {
    b->failed = index;
    b->failure = error;
  }
  b->finished += status == LW_OK;
  pthread_mutex_unlock(&b->lock);
  return status == LW_OK;
}

/* Runs on any thread, and is all that does. What threads share is changed under the lock; memory is counted apart. */
static bool bake_piece(void *user, int piece) {
  baker *b = user;
  return piece == 0 ? find_sight(b) : bake_one(b, b->plan.tile_first + piece - 1);
}

/* Some piece was finished: of tiles, tell all that were since. */
static bool tell(void *user, int done) {
  baker *b = user;
  (void)done;
  pthread_mutex_lock(&b->lock);
  const int finished = b->finished;
  pthread_mutex_unlock(&b->lock);
  while (b->told < finished) {
    if (b->settings->progress(b->settings->user, ++b->told, b->report->tiles)) continue;
    b->cancelled = b->told;
    return false;
  }
  return true;
}

static lw_status run_threads(baker *b) {
  int total = b->report->tiles;
  b->failed = b->plan.tile_end;
  lwi_parallel run = {.count = 1 + total,
                      .threads = b->report->used.threads,
                      .work = bake_piece,
                      .done = b->settings->progress ? tell : NULL,
                      .user = b};
  lwi_parallel_run(&run);
  if (b->cancelled)
    return lwi_fail(b->error, LW_CANCELLED, "the bake was cancelled after tile %d of %d", b->cancelled, total);
  if (b->failed < b->plan.tile_end) return lwi_fail(b->error, b->failure.status, "%s", b->failure.text);
  return b->sight_failed ? lwi_fail_status(b->error, LW_OUT_OF_MEMORY) : LW_OK;
}

static lw_status bake_tiles(baker *b) {
  int total = b->plan.columns * b->plan.rows, full = 0;
  b->place = lwi_alloc_zero(&b->memory, (size_t)total * sizeof(int));
  if (!b->place) return lwi_fail_status(b->error, LW_OUT_OF_MEMORY);
  lw_status status = run_threads(b);
  if (status) return status;
  for (int i = 0; i < total; ++i) {
    if (!b->place[i]) continue;
    const lwi_baked_tile *tile = &b->tiles[b->place[i] - 1];
    full += tile->result.polygon_count > 0;
    if (tile->result.message[0])
      lwi_bake_note(b->report, "tile (%d, %d): %s", tile->x, tile->z, tile->result.message);
  }
  b->report->tiles_empty = b->report->tiles - full;
  if (full > 0 || is_part(b)) return LW_OK;
  return lwi_fail(b->error, LW_EMPTY,
                  "nothing to walk on: none of the %d triangles is of a walkable area%s, within agent_slope %g "
                  "degrees and large enough for agent_radius %g m",
                  lw_geometry_triangle_count(b->geometry),
                  lw_geometry_mark_count(b->geometry) > 0 ? ", not marked otherwise" : "",
                  (double)b->report->used.agent_slope, (double)b->report->used.agent_radius);
}

static lwi_tile_source source_of(const lwi_baked_tile *tile) {
  const lwi_tile_result *result = &tile->result;
  return (lwi_tile_source){.x = tile->x,
                           .z = tile->z,
                           .bounds = tile->bounds,
                           .vertex_count = result->vertex_count,
                           .polygon_count = result->polygon_count,
                           .vertices = tile->vertices,
                           .first_corner = result->first_corner,
                           .corners = result->corners,
                           .border = result->border,
                           .areas = result->areas,
                           .first_detail_vertex = result->first_detail_vertex,
                           .detail_vertices = tile->detail,
                           .first_detail_triangle = result->first_detail_triangle,
                           .detail_triangles = result->detail_triangles};
}

/* What parts of one bake have in common. */
static uint64_t hash_bake(const baker *b) {
  const lw_geometry *geometry = b->geometry;
  const size_t numbers = offsetof(lw_bake_settings, threads); /* of the settings, bounds included: all floats */
  _Static_assert(offsetof(lw_bake_settings, threads) == 22 * sizeof(float), "no gaps to hash");
  size_t vertices = (size_t)lw_geometry_vertex_count(geometry);
  size_t triangles = (size_t)lw_geometry_triangle_count(geometry);
  uint64_t hash = lwi_hash(LWI_HASH_SEED, &b->report->used, numbers);
  hash = lwi_hash(hash, lw_geometry_vertices(geometry), vertices * sizeof(lw_vec3));
  hash = lwi_hash(hash, lw_geometry_indices(geometry), 3 * triangles * sizeof(int));
  return lwi_bake_hash_annotations(geometry, hash);
}

static lwi_part part_of(const baker *b) {
  if (!is_part(b)) return (lwi_part){0};
  const lw_bake_settings *settings = b->settings;
  return (lwi_part){.first = (uint32_t)b->plan.tile_first,
                    .count = (uint32_t)b->report->tiles,
                    .total = (uint32_t)b->report->tiles_total,
                    .keep = lwi_bake_keep(settings),
                    .pair_range = settings->pair_range,
                    .min_island = b->report->used.min_region_area,
                    .bake = hash_bake(b)};
}

/* Tiles in the order of the grid, whichever was done first. */
static lw_status build_navmesh(baker *b, lw_navmesh **navmesh) {
  size_t size = (size_t)b->tile_count * sizeof(lwi_tile_source);
  int count = 0;
  lwi_tile_source *tiles = lwi_alloc(&b->memory, size);
  if (!tiles && size > 0) return lwi_fail_status(b->error, LW_OUT_OF_MEMORY);
  for (int i = 0; i < b->plan.columns * b->plan.rows; ++i)
    if (b->place[i] && b->tiles[b->place[i] - 1].result.polygon_count > 0)
      tiles[count++] = source_of(&b->tiles[b->place[i] - 1]);
  const lw_bake_settings *used = &b->report->used;
  lwi_navmesh_source source = {.areas = lw_geometry_area_table(b->geometry),
                               .allocator = b->settings->allocator,
                               .agent = {used->agent_radius, used->agent_height, used->agent_climb},
                               .tile_size = used->tile_size,
                               .tile_count = count,
                               .tiles = tiles,
                               .annotations = b->annotations,
                               .part = part_of(b)};
  if (!wants_occluders(b)) source.annotations.occluders = (lwi_occluders){.quantum = 1};
  lw_status status = lwi_navmesh_build(&source, navmesh, b->error);
  lwi_free(&b->memory, tiles, size);
  return status;
}

/* A part keeps small islands: they may go on in another. */
static lw_status join(baker *b, lw_navmesh **navmesh) {
  lw_status status = build_navmesh(b, navmesh);
  if (status || is_part(b)) return status;
  lw_bake_report *report = b->report;
  status = lwi_islands_drop(navmesh, report->used.min_region_area, &report->islands_dropped, b->error);
  if (status) return status;
  report->tiles_empty = report->tiles - lw_navmesh_get_stats(*navmesh).tiles;
  const lwi_cover_job job = {lwi_bake_keep(b->settings), b->settings->pair_range, &b->lines,
                             report->used.threads};
  status = lwi_bake_cover(*navmesh, &job, report, b->error);
  if (status) {
    lw_navmesh_destroy(*navmesh);
    *navmesh = NULL;
  }
  return status;
}

/* Every part looks at its own polygons, among all that hides. */
static lw_status look_around(baker *b, lw_navmesh **navmesh) {
  double begin = lwi_clock();
  const lw_bake_settings *used = &b->report->used;
  lwi_ground_parts parts = {&b->lines, used->exposure_range, used->swim_depth, used->threads, NULL, NULL};
  bool done = lwi_bake_ground_parts(*navmesh, &parts, &b->memory);
  b->report->exposure_seconds = lwi_clock() - begin;
  if (done) return LW_OK;
  lw_navmesh_destroy(*navmesh);
  *navmesh = NULL;
  return lwi_fail_status(b->error, LW_OUT_OF_MEMORY);
}

static lw_status bake(baker *b, lw_navmesh **navmesh) {
  lw_status status = lwi_bake_plan_make(b->settings, b->geometry, &b->plan, b->report, b->error);
  if (status) return status;
  lwi_plugin_handle handle;
  if ((status = lwi_plugin_open(&handle, b->error))) return status;
  b->plugin = handle.plugin;
  double begin = lwi_clock();
  status = sort_triangles(b);
  if (!status) status = bake_tiles(b);
  if (!status) status = join(b, navmesh);
  const double cover = b->report->cover_seconds + b->report->cover_map_seconds + b->report->pair_seconds;
  b->report->tile_seconds = lwi_clock() - begin - cover;
  if (b->report->used.threads == 1) b->report->tile_seconds -= b->report->occluder_seconds;
  if (!status && wants_sight(b)) lwi_bake_note_occluders(b->geometry, b->plan.bounds, b->report);
  if (!status) status = look_around(b, navmesh);

  for (int i = 0; i < b->tile_count; ++i) lwi_baked_tile_free(b->plugin, &b->tiles[i], &b->memory);
  lwi_free(&b->memory, b->tiles, (size_t)b->tile_capacity * sizeof *b->tiles);
  lwi_free(&b->memory, b->items, (size_t)b->item_count * sizeof(int));
  size_t places = (size_t)b->plan.columns * (size_t)b->plan.rows;
  lwi_free(&b->memory, b->place, places * sizeof(int));
  lwi_free(&b->memory, b->first, (places + 1) * sizeof(int));
  lwi_lines_free(&b->lines);
  lwi_bake_annotations_free(&b->annotations, &b->sight_memory);
  lwi_plugin_close(&handle);
  return status;
}

lw_status lw_bake(const lw_geometry *geometry, const lw_bake_settings *settings, lw_navmesh **navmesh,
                  lw_bake_report *report, lw_error *error) {
  lw_bake_report scratch;
  if (!report) report = &scratch;
  *report = (lw_bake_report){0};
  if (navmesh) *navmesh = NULL;
  if (!geometry || !navmesh) return lwi_fail(error, LW_INVALID, "geometry and navmesh must not be NULL");
  if (lw_geometry_triangle_count(geometry) == 0)
    return lwi_fail(error, LW_EMPTY, "the geometry has no triangles");
  lw_bake_settings defaults = lw_bake_settings_default();
  baker b = {.lines = {.memory = &b.sight_memory},
             .geometry = geometry,
             .settings = settings ? settings : &defaults,
             .report = report,
             .error = error};
  if (pthread_mutex_init(&b.lock, NULL)) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  lw_status status = LW_OUT_OF_MEMORY;
  if (lwi_memory_guard_open(&b.guard, b.settings->allocator, &b.unused)) {
    b.memory = b.sight_memory = b.unused;
    status = bake(&b, navmesh);
    lwi_memory_guard_close(&b.guard);
  } else {
    lwi_fail_status(error, status);
  }
  pthread_mutex_destroy(&b.lock);
  return status;
}

lw_status lw_bake_count_tiles(const lw_geometry *geometry, const lw_bake_settings *settings, int *columns,
                              int *rows, lw_error *error) {
  if (!geometry || !columns || !rows)
    return lwi_fail(error, LW_INVALID, "geometry, columns and rows must not be NULL");
  *columns = *rows = 0;
  if (lw_geometry_triangle_count(geometry) == 0)
    return lwi_fail(error, LW_EMPTY, "the geometry has no triangles");
  lw_bake_settings values = settings ? *settings : lw_bake_settings_default();
  values.tile_first = values.tile_count = 0;
  lw_bake_report report = {0};
  lwi_bake_plan plan;
  lw_status status = lwi_bake_plan_make(&values, geometry, &plan, &report, error);
  if (status) return status;
  *columns = plan.columns;
  *rows = plan.rows;
  return LW_OK;
}
