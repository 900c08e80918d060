/* The bake: geometry into tiles, tiles into a navmesh. */
#include "leeward/bake.h"

#include "bake/bake_annotations.h"
#include "bake/bake_cover.h"
#include "bake/bake_islands.h"
#include "bake/openness.h"
#include "bake/bake_plan.h"
#include "bake/bake_tile.h"
#include "bake/detail_cover.h"
#include "core/hash.h"
#include "core/parallel.h"
#include "core/platform.h"
#include "core/status.h"
#include "core/vec3.h"
#include "geometry/geometry.h"
#include "geometry/plugin_load.h"
#include "mesh/build.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>

/* The triangles of each tile. */
typedef struct tile_triangles {
  int *first; /* [columns * rows + 1] offsets into `items` */
  int *items; /* [item_count] triangles, tile by tile */
  int item_count;
} tile_triangles;

typedef struct baker {
  const lw_geometry *geometry;
  const lw_bake_settings *settings;
  const lwi_plugin *plugin;
  lw_bake_report *report;
  lw_error *error;
  lwi_memory memory, unused; /* `unused` counts nothing yet: what threads start from */
  lwi_memory_guard guard;
  lwi_mutex lock; /* guards what several tiles write */
  lwi_bake_plan plan;
  lwi_bake_extras extras;  /* the geometry's links, waters and occluders; owned */
  lwi_sight_lines lines;   /* of the occluders */
  lwi_detail_rules rules;  /* of the geometry's marks for detail */
  lwi_memory sight_memory; /* of extras and lines */
  bool sight_failed;

  tile_triangles triangles;
  lwi_baked_tile *tiles; /* [tile_count] not empty, in the order in which they were finished */
  int tile_count, tile_capacity;
  int *place;             /* [columns * rows] 1 + the index in `tiles`, 0: empty */
  int failed;             /* the first tile that could not be baked */
  lw_error failure;       /* its error */
  int finished, reported; /* tiles baked; tiles whose progress has been reported */
  int cancelled;          /* the number of tiles reported when the caller cancelled; 0: not cancelled */
} baker;

static int tile_along(double value, double corner, const lwi_bake_plan *plan, int tiles) {
  double index = floor((value - corner) / (plan->tile_cells * plan->cell));
  return index < 0 ? 0 : index >= tiles ? tiles - 1 : (int)index;
}

/* The tiles that a triangle touches, their borders included. */
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

/* Count the triangles of each tile, or put them into `items` from the back: ends become beginnings. */
static long long spread(baker *b, bool put) {
  long long total = 0;
  for (int i = lw_geometry_triangle_count(b->geometry) - 1; i >= 0; --i) {
    int x0, z0, x1, z1;
    if (!tiles_of(b, i, &x0, &z0, &x1, &z1)) continue;
    for (int z = z0; z <= z1; ++z)
      for (int x = x0; x <= x1; ++x) {
        int index = z * b->plan.columns + x;
        if (index < b->plan.tile_first || index >= b->plan.tile_end) continue;
        int *slot = &b->triangles.first[index];
        ++total;
        if (put)
          b->triangles.items[--*slot] = i;
        else
          *slot += *slot < INT_MAX;
      }
  }
  return total;
}

static lw_status sort_triangles(baker *b) {
  int tiles = b->plan.columns * b->plan.rows;
  b->triangles.first = lwi_alloc_zero(&b->memory, ((size_t)tiles + 1) * sizeof(int));
  if (!b->triangles.first) return lwi_fail_status(b->error, LW_OUT_OF_MEMORY);
  long long total = spread(b, false);
  if (total > INT_MAX)
    return lwi_fail(
        b->error, LW_LIMIT,
        "the number of triangles, counted in each tile, is %lld, expected at most %d: raise tile_size", total,
        INT_MAX);
  for (int i = 1; i <= tiles; ++i) b->triangles.first[i] += b->triangles.first[i - 1];
  if (total == 0) return LW_OK;
  b->triangles.items = lwi_alloc(&b->memory, (size_t)total * sizeof(int));
  if (!b->triangles.items) return lwi_fail_status(b->error, LW_OUT_OF_MEMORY);
  b->triangles.item_count = (int)total;
  spread(b, true);
  return LW_OK;
}

static bool is_part(const baker *b) {
  return b->settings->tiles.count > 0;
}

/* Keep a tile unless it is empty. */
static lw_status keep(baker *b, int index, lwi_baked_tile *tile) {
  if (tile->result.polygon_count == 0 && !tile->result.message[0])
    return lwi_baked_tile_free(tile, &b->memory), LW_OK;
  if (!lwi_reserve(&b->memory, &b->tiles, &b->tile_capacity, b->tile_count + 1, sizeof *b->tiles)) {
    lwi_baked_tile_free(tile, &b->memory);
    return LW_OUT_OF_MEMORY;
  }
  b->tiles[b->tile_count++] = *tile;
  b->place[index] = b->tile_count;
  return LW_OK;
}

/* Of a bake in parts, the first part has the occluders of all. */
static bool wants_occluders(const baker *b) {
  return lwi_bake_keep(b->settings) != 0 && (!is_part(b) || b->plan.tile_first == 0);
}

static bool wants_sight(const baker *b) {
  return wants_occluders(b) || b->settings->openness_range > 0;
}

/* Occluders are found once, independently of tiles. */
static bool find_sight(baker *b) {
  double begin = lwi_clock();
  b->sight_failed = !lwi_bake_annotations(b->geometry, wants_sight(b) ? &b->plan.bounds : NULL,
                                          &b->sight_memory, &b->extras) ||
                    !lwi_lines_make(&b->lines, &b->extras.occluders, &b->sight_memory);
  b->extras.map.criteria = b->settings->cover.criteria;
  b->report->occluder_seconds = lwi_clock() - begin;
  return !b->sight_failed;
}

static bool bake_one(baker *b, int index) {
  lwi_memory memory = b->unused;
  lwi_baked_tile tile;
  lw_error error = {0};
  const lwi_bake_tile_def def = {.plan = &b->plan,
                                 .geometry = b->geometry,
                                 .plugin = b->plugin,
                                 .memory = &memory,
                                 .rules = &b->rules,
                                 .x = index % b->plan.columns,
                                 .z = index / b->plan.columns,
                                 .triangles =
                                     b->triangles.items ? b->triangles.items + b->triangles.first[index] : NULL,
                                 .triangle_count = b->triangles.first[index + 1] - b->triangles.first[index]};
  lw_status status = lwi_bake_tile(&def, &tile, &error);
  lwi_mutex_lock(&b->lock);
  b->memory.bytes += memory.bytes;
  if (!status && (status = keep(b, index, &tile))) lwi_fail_status(&error, status);
  if (status && index < b->failed) {
    b->failed = index;
    b->failure = error;
  }
  b->finished += status == LW_OK;
  lwi_mutex_unlock(&b->lock);
  return status == LW_OK;
}

/* Runs on any thread. Shared fields are written under the lock; memory is counted per piece. */
static bool bake_piece(void *user, int piece) {
  baker *b = user;
  return piece == 0 ? find_sight(b) : bake_one(b, b->plan.tile_first + piece - 1);
}

/* A piece has finished: report all tiles finished since the last report. */
static bool report_progress(void *user, int done) {
  baker *b = user;
  (void)done;
  lwi_mutex_lock(&b->lock);
  const int finished = b->finished;
  lwi_mutex_unlock(&b->lock);
  while (b->reported < finished) {
    if (b->settings->progress.report(b->settings->progress.user, ++b->reported, b->report->tiles)) continue;
    b->cancelled = b->reported;
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
                      .done = b->settings->progress.report ? report_progress : NULL,
                      .user = b};
  lwi_parallel_run(&run);
  if (b->cancelled)
    return lwi_fail(b->error, LW_CANCELLED, "the bake was cancelled after tile %d of %d", b->cancelled, total);
  if (b->failed < b->plan.tile_end) return lwi_fail(b->error, b->failure.status, "%s", b->failure.text);
  return b->sight_failed ? lwi_fail_status(b->error, LW_OUT_OF_MEMORY) : LW_OK;
}

/* How many triangles of walkable areas face where. */
typedef struct facing {
  int up, down, upright;
} facing;

static facing count_facing(const lw_geometry *geometry) {
  const lw_vec3 *vertices = lw_geometry_vertices(geometry);
  const int *corner = lw_geometry_indices(geometry);
  facing count = {0, 0, 0};
  for (int i = 0; i < lw_geometry_triangle_count(geometry); ++i, corner += 3) {
    if (lw_geometry_areas(geometry)[i] == LW_AREA_NONE) continue;
    const lw_vec3 a = vertices[corner[0]], b = vertices[corner[1]], c = vertices[corner[2]];
    const lw_vec3 normal = lwi_direction(lwi_cross(lwi_sub(b, a), lwi_sub(c, a)));
    if (lwi_dot(normal, normal) == 0) continue; /* without an area */
    count.up += normal.y > 0.5f;                /* not steeper than 60 degrees */
    count.down += normal.y < -0.5f;
    count.upright += fabsf(normal.y) <= 0.5f;
  }
  return count;
}

/* The message asks about the winding and the axis only where no triangle faces up: else these are not the reason. */
static lw_status fail_empty(const baker *b) {
  const facing count = count_facing(b->geometry);
  const char *reversed = count.up == 0 && count.down > count.upright ? " (is the winding reversed?)" : "";
  const char *z_up = count.up == 0 && count.upright > count.down ? " (is the file Z-up?)" : "";
  char down[64] = "", upright[64] = "";
  if (count.down > 0)
    snprintf(down, sizeof down, ": %d face%s down%s", count.down, count.down == 1 ? "s" : "", reversed);
  if (count.upright > 0)
    snprintf(upright, sizeof upright, "%s %d stand%s upright%s", count.down > 0 ? "," : ":", count.upright,
             count.upright == 1 ? "s" : "", z_up);
  const lw_bake_settings *used = &b->report->used;
  return lwi_fail(
      b->error, LW_EMPTY,
      "nothing to walk on: none of the %d triangles is of a walkable area%s%s, within agent_slope "
      "%g degrees and large enough for min_region_area %g m2 beside agent_radius %g m in cells of %g m%s%s",
      lw_geometry_triangle_count(b->geometry),
      lw_geometry_mark_count(b->geometry) > 0 ? ", not marked otherwise" : "",
      lwi_geometry_solids(b->geometry)->count > 0 ? ", not inside a box or ramp" : "",
      (double)used->agent_slope, (double)used->min_region_area, (double)used->agent_radius,
      (double)used->cell_size, down, upright);
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
  return full > 0 || is_part(b) ? LW_OK : fail_empty(b);
}

static uint64_t hash_cover(const lw_bake_cover *cover, uint64_t hash) {
  const lw_cover_map_criteria *by = &cover->criteria;
  const float numbers[] = {by->direction, by->distance, by->occlusion, by->target, (float)by->cap};
  return lwi_hash(hash, numbers, sizeof numbers);
}

/* A hash over all that the parts of one bake have in common. */
static uint64_t hash_bake(const baker *b) {
  const lw_geometry *geometry = b->geometry;
  const size_t numbers = offsetof(lw_bake_settings, threads); /* the settings up to `threads`: floats only */
  _Static_assert(offsetof(lw_bake_settings, threads) == 51 * sizeof(float), "no gaps to hash");
  size_t vertices = (size_t)lw_geometry_vertex_count(geometry);
  size_t triangles = (size_t)lw_geometry_triangle_count(geometry);
  uint64_t hash = lwi_hash(LWI_HASH_SEED, &b->report->used, numbers);
  hash = hash_cover(&b->report->used.cover, hash);
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
                    .finish = lwi_bake_keep(settings),
                    .finish_range = settings->visibility_table_range,
                    .min_island = b->report->used.min_region_area,
                    .bake = hash_bake(b)};
}

/* Join the tiles in the order of the grid, whichever was finished first. */
static lw_status build_navmesh(baker *b, lw_navmesh **navmesh) {
  size_t size = (size_t)b->tile_count * sizeof(lwi_tile_source);
  int count = 0;
  lwi_tile_source *tiles = lwi_alloc(&b->memory, size);
  if (!tiles && size > 0) return lwi_fail_status(b->error, LW_OUT_OF_MEMORY);
  for (int i = 0; i < b->plan.columns * b->plan.rows; ++i)
    if (b->place[i] && b->tiles[b->place[i] - 1].result.polygon_count > 0)
      tiles[count++] = lwi_baked_tile_source(&b->tiles[b->place[i] - 1]);
  const lw_bake_settings *used = &b->report->used;
  lwi_navmesh_source source = {.areas = lw_geometry_area_table(b->geometry),
                               .allocator = b->settings->allocator,
                               .agent = {used->agent_radius, used->agent_height, used->agent_climb},
                               .tile_size = used->tile_size,
                               .tile_count = count,
                               .tiles = tiles,
                               .annotations = b->extras.annotations,
                               .attachments = lwi_bake_attachments(&b->extras, wants_occluders(b)),
                               .part = part_of(b)};
  lw_status status = lwi_navmesh_build(&source, navmesh, b->error);
  lwi_free(&b->memory, tiles, size);
  return status;
}

/* A part keeps small islands, because they may continue in another part. */
static lw_status join(baker *b, lw_navmesh **navmesh) {
  lw_bake_report *report = b->report;
  lw_status status = build_navmesh(b, navmesh);
  if (is_part(b) && lwi_geometry_seeds(b->geometry)->count > 0)
    lwi_bake_note(report, "seeds do not count for a part: once merged, it has what nobody can reach, too");
  if (status || is_part(b)) return status;
  status = lwi_bake_islands(navmesh, b->geometry, &b->unused, report, b->error);
  if (!status) status = lwi_detail_near_cover(navmesh, &report->used, &b->lines, b->error);
  if (status) return status;
  report->tiles_empty = report->tiles - lw_navmesh_get_stats(*navmesh).tiles;
  const lwi_cover_job job = {lwi_bake_keep(b->settings), b->settings->visibility_table_range, &b->lines,
                             report->used.threads, NULL};
  status = lwi_bake_cover(*navmesh, &job, report, b->error);
  if (status) {
    lw_navmesh_destroy(*navmesh);
    *navmesh = NULL;
  }
  return status;
}

/* Find openness and depth of the polygons. Every part does so for its own, against all occluders. */
static lw_status look_around(baker *b, lw_navmesh **navmesh) {
  double begin = lwi_clock();
  const lw_bake_settings *used = &b->report->used;
  lwi_openness_def parts = {&b->lines, used->openness_range, used->threads, NULL, NULL};
  bool done = lwi_bake_openness(*navmesh, &parts, &b->memory);
  b->report->openness_seconds = lwi_clock() - begin;
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
  status = lwi_detail_rules_add_marks(&b->rules, b->geometry, &b->plan.bounds, b->error);
  if (!status) status = sort_triangles(b);
  if (!status) status = bake_tiles(b);
  if (!status) status = join(b, navmesh);
  const double later = b->report->cover_seconds + b->report->cover_map_seconds +
                       b->report->visibility_table_seconds + b->report->auto_link_seconds;
  b->report->tile_seconds = lwi_clock() - begin - later;
  if (b->report->used.threads == 1) b->report->tile_seconds -= b->report->occluder_seconds;
  if (!status && wants_sight(b)) lwi_bake_note_occluders(b->geometry, b->plan.bounds, b->report);
  if (!status) status = look_around(b, navmesh);

  for (int i = 0; i < b->tile_count; ++i) lwi_baked_tile_free(&b->tiles[i], &b->memory);
  lwi_free(&b->memory, b->tiles, (size_t)b->tile_capacity * sizeof *b->tiles);
  lwi_free(&b->memory, b->triangles.items, (size_t)b->triangles.item_count * sizeof(int));
  size_t places = (size_t)b->plan.columns * (size_t)b->plan.rows;
  lwi_free(&b->memory, b->place, places * sizeof(int));
  lwi_free(&b->memory, b->triangles.first, (places + 1) * sizeof(int));
  lwi_detail_rules_free(&b->rules);
  lwi_lines_free(&b->lines);
  lwi_bake_annotations_free(&b->extras, &b->sight_memory);
  lwi_plugin_close(&handle);
  return status;
}

lw_status lw_navmesh_bake(const lw_geometry *geometry, const lw_bake_settings *settings, lw_navmesh **navmesh,
                          lw_bake_report *report, lw_error *error) {
  lw_bake_report scratch;
  if (!report) report = &scratch;
  *report = (lw_bake_report){0};
  if (navmesh) *navmesh = NULL;
  if (!geometry) return lwi_fail_null(error, "geometry");
  if (!navmesh) return lwi_fail_null(error, "navmesh");
  if (lw_geometry_triangle_count(geometry) == 0)
    return lwi_fail(error, LW_EMPTY, "geometry is empty, expected at least one triangle");
  lw_bake_settings defaults = lw_bake_settings_default();
  baker b = {.lines = {.memory = &b.sight_memory},
             .rules = {.memory = &b.memory},
             .geometry = geometry,
             .settings = settings ? settings : &defaults,
             .report = report,
             .error = error};
  if (!lwi_mutex_init(&b.lock)) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  lw_status status = LW_OUT_OF_MEMORY;
  if (lwi_memory_guard_open(&b.guard, b.settings->allocator, &b.unused)) {
    b.memory = b.sight_memory = b.unused;
    status = bake(&b, navmesh);
    lwi_memory_guard_close(&b.guard);
  } else {
    lwi_fail_status(error, status);
  }
  lwi_mutex_destroy(&b.lock);
  return status;
}

lw_status lw_bake_count_tiles(const lw_geometry *geometry, const lw_bake_settings *settings, int *columns,
                              int *rows, lw_error *error) {
  if (columns) *columns = 0;
  if (rows) *rows = 0;
  if (!geometry) return lwi_fail_null(error, "geometry");
  if (!columns) return lwi_fail_null(error, "columns");
  if (!rows) return lwi_fail_null(error, "rows");
  if (lw_geometry_triangle_count(geometry) == 0)
    return lwi_fail(error, LW_EMPTY, "geometry is empty, expected at least one triangle");
  lw_bake_settings values = settings ? *settings : lw_bake_settings_default();
  values.tiles.first = values.tiles.count = 0;
  lw_bake_report report = {0};
  lwi_bake_plan plan;
  lw_status status = lwi_bake_plan_make(&values, geometry, &plan, &report, error);
  if (status) return status;
  *columns = plan.columns;
  *rows = plan.rows;
  return LW_OK;
}
