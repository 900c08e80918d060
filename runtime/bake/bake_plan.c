#include "bake/bake_plan.h"

#include "bake/auto_links.h"
#include "core/parallel.h"
#include "core/status.h"
#include "core/text.h"
#include "core/vec3.h"
#include "geometry/plugin.h"
#include "sight/cover_map.h"

#include <stdarg.h>
#include <stdio.h>

#define LENGTH_MAX 1e6f
#define TILE_CELLS_MIN 8    /* along a side: Recast simplifies the ground of smaller tiles away */
#define TILE_CELLS_MAX 2048 /* cells along a side, border included: a tile's cells must fit Recast's 24 bits */
#define TILES_MAX (1 << 20)
#define RADIUS_CELLS_MAX 126 /* Recast counts half cells of erosion in a byte */
#define HEIGHT_CELLS_MAX 254 /* and the clear height above a floor, climb included */
#define HEIGHT_CELLS_MIN 3
#define EDGE_ERROR 1.3 /* of borders, unless it is given, as in Recast's demo [cells] */
#define DEGREES (3.14159265358979323846 / 180)

lw_bake_settings lw_bake_settings_default(void) {
  return (lw_bake_settings){.cell_height = 0.1f,
                            .agent_radius = 0.4f,
                            .agent_height = 1.8f,
                            .agent_climb = 0.4f,
                            .agent_slope = 45,
                            .tile_size = 32,
                            .min_region_area = 2,
                            .merge_region_area = 36,
                            .max_edge_length = 12,
                            .detail_distance = 0.9f,
                            .detail_error = 0.1f,
                            .openness_range = 30,
                            .limits.depths = {{0.4f, LW_WADE_DEPTH}, 2},
                            .limits.climbs = {{0.25f, 0.3f, 0.4f}, 3},
                            .bounds = lwi_box_empty(),
                            .occluders = true,
                            .cover = {.segments = true, .criteria = LWI_COVER_MAP_CRITERIA, .detail_edge = 2},
                            .cookie = LWI_COOKIE};
}

void lwi_bake_note(lw_bake_report *report, const char *format, ...) {
  if (report->notes == LW_BAKE_NOTES) return;
  va_list arguments;
  va_start(arguments, format);
  lwi_text_message(report->note[report->notes++], sizeof report->note[0], format, arguments);
  va_end(arguments);
}

/* Limits to cut along, by the name of their setting. */
typedef struct limits {
  const char *name;
  lw_bake_list *items;
  float max; /* [m] */
} limits;

static lw_status check_limits(const limits *of, lw_error *error) {
  const float *items = of->items->items;
  if (of->items->count < 0 || of->items->count > LW_BAKE_LIMITS_MAX)
    return lwi_fail(error, LW_INVALID, "%s.count is %d, expected 0 to %d", of->name, of->items->count,
                    LW_BAKE_LIMITS_MAX);
  for (int i = 0; i < of->items->count; ++i) {
    const float above = i > 0 ? items[i - 1] : 0;
    if (items[i] > above && items[i] <= of->max) continue;
    return lwi_fail(error, LW_INVALID, "%s[%d] is %g, expected a number > %g and <= %g m", of->name, i + 1,
                    (double)items[i], (double)above, (double)of->max);
  }
  for (int i = of->items->count; i < LW_BAKE_LIMITS_MAX; ++i) of->items->items[i] = 0; /* they are hashed */
  return LW_OK;
}

/* Check all of them. Those that do not count become 0. */
static lw_status check_all_limits(lw_bake_settings *used, lw_error *error) {
  const limits all[] = {{"depths", &used->limits.depths, LW_WADE_DEPTH_MAX},
                        {"heights", &used->limits.heights, LW_BAKE_HEADROOM_MAX},
                        {"climbs", &used->limits.climbs, LW_BAKE_STEP_MAX}};
  lw_status status = LW_OK;
  for (size_t i = 0; status == LW_OK && i < sizeof all / sizeof *all; ++i)
    status = check_limits(&all[i], error);
  return status;
}

static lw_status check_cover(const lw_bake_cover *cover, lw_error *error) {
  const lw_cover_map_criteria *by = &cover->criteria;
  if (by->direction == 0 && by->distance == 0 && by->occlusion == 0)
    return lwi_fail(
        error, LW_INVALID,
        "criteria of the cover map: direction, distance and occlusion are all 0, expected one above 0");
  if (by->cap < 1 || by->cap > LW_COVER_MAP_CAP)
    return lwi_fail(error, LW_INVALID, "cover.criteria.cap is %d, expected 1 to %d", by->cap, LW_COVER_MAP_CAP);
  if (cover->detail_near > 0 && !cover->segments)
    return lwi_fail(error, LW_INVALID, "detail near cover is %g m, expected 0 without cover segments",
                    (double)cover->detail_near);
  return LW_OK;
}

static lw_status check_numbers(const lw_bake_settings *s, lw_error *error) {
  const lw_cover_map_criteria *by = &s->cover.criteria;
  const struct {
    const char *name, *unit;
    float value, low, high;
    bool above; /* `low` itself is refused */
  } numbers[] = {
      {"cell_size", " m", s->cell_size, 0, LENGTH_MAX, false},
      {"cell_height", " m", s->cell_height, 0, LENGTH_MAX, true},
      {"agent_radius", " m", s->agent_radius, 0, LENGTH_MAX, false},
      {"agent_height", " m", s->agent_height, 0, LENGTH_MAX, true},
      {"crouch_height", " m", s->limits.crouch_height, 0, LENGTH_MAX, false},
      {"agent_climb", " m", s->agent_climb, 0, LENGTH_MAX, false},
      {"agent_slope", " degrees", s->agent_slope, 0, 90, false},
      {"tile_size", " m", s->tile_size, 0, LENGTH_MAX, true},
      {"min_region_area", " m2", s->min_region_area, 0, LENGTH_MAX, false},
      {"merge_region_area", " m2", s->merge_region_area, 0, LENGTH_MAX, false},
      {"max_edge_error", " m", s->max_edge_error, 0, LENGTH_MAX, false},
      {"max_edge_length", " m", s->max_edge_length, 0, LENGTH_MAX, false},
      {"detail_distance", " m", s->detail_distance, 0, LENGTH_MAX, false},
      {"detail_error", " m", s->detail_error, 0, LENGTH_MAX, false},
      {"openness_range", " m", s->openness_range, 0, LENGTH_MAX, false},
      {"visibility_table_range", " m", s->visibility_table_range, 0, LENGTH_MAX, false},
      {"cover.criteria.direction", "", by->direction, 0, LW_COVER_MAP_WEIGHT_MAX, false},
      {"cover.criteria.distance", "", by->distance, 0, LW_COVER_MAP_WEIGHT_MAX, false},
      {"cover.criteria.occlusion", "", by->occlusion, 0, LW_COVER_MAP_WEIGHT_MAX, false},
      {"cover.criteria.target", "", by->target, 0, 1, false},
      {"cover.detail_near", " m", s->cover.detail_near, 0, LENGTH_MAX, false},
      {"cover.detail_edge", " m", s->cover.detail_edge, LW_DETAIL_EDGE_MIN, LENGTH_MAX, false},
      {"auto_links.drop", " m", s->auto_links.drop, 0, LWI_AUTO_LINK_MAX, false},
      {"auto_links.jump", " m", s->auto_links.jump, 0, LWI_AUTO_LINK_MAX, false},
  };
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
    float value = numbers[i].value;
    if (value <= numbers[i].high && (numbers[i].above ? value > numbers[i].low : value >= numbers[i].low))
      continue; /* also false for NaN */
    return lwi_fail(error, LW_INVALID, "%s is %g, expected a number %s %g and <= %g%s", numbers[i].name,
                    (double)value, numbers[i].above ? ">" : ">=", (double)numbers[i].low,
                    (double)numbers[i].high, numbers[i].unit);
  }
  if (s->visibility_table_range > 0 && !s->occluders && !s->cover.map)
    return lwi_fail(
        error, LW_INVALID,
        "visibility_table_range is %g, expected 0 without occluders and cover_map, as nothing is hidden",
        (double)s->visibility_table_range);
  if (s->cell_height > s->agent_height)
    return lwi_fail(error, LW_INVALID, "cell_height is %g m, expected at most agent_height, %g m",
                    (double)s->cell_height, (double)s->agent_height);
  if (s->limits.crouch_height > s->agent_height)
    return lwi_fail(error, LW_INVALID, "crouch_height is %g m, expected at most agent_height, %g m",
                    (double)s->limits.crouch_height, (double)s->agent_height);
  if (s->threads >= 0 && s->threads <= LWI_THREADS_MAX) return LW_OK;
  return lwi_fail(error, LW_INVALID, "threads is %d, expected 0 (one for each processor) to %d", s->threads,
                  LWI_THREADS_MAX);
}

/* A length that the voxel grid has in whole cells. */
typedef struct rounding {
  const char *name;
  float *value; /* [m] */
  const char *step_name;
  float step;   /* a cell [m] */
  int min, max; /* cells */
} rounding;

/* Round the length up to whole cells and note it if that changes it. */
static lw_status round_up(rounding of, int *cells, lw_bake_report *report, lw_error *error) {
  const double value = (double)*of.value, step = (double)of.step;
  const double wanted = value / step;
  double count = ceil(wanted - 1e-4) + 0.0; /* never -0 */
  if (count > of.max)
    return lwi_fail(
        error, LW_LIMIT,
        "%s is %g m, %.0f cells of %s %g m, expected at most %d: raise %s to %.3g m or more, or lower "
        "%s to %.3g m or less",
        of.name, value, count, of.step_name, step, of.max, of.step_name, value / of.max + 0.0005, of.name,
        step * of.max * 0.995); /* which three digits do not round up */
  const bool few = count < of.min;
  if (few) count = of.min;
  const float used = (float)(count * step);
  if (few)
    lwi_bake_note(report, "%s %g m is less than %d cells of %s %g m: %g m used", of.name, value, of.min,
                  of.step_name, step, (double)used);
  else if (fabs(count - wanted) > 1e-4)
    lwi_bake_note(report, "%s %g m is not a multiple of %s %g m: %g m used", of.name, value, of.step_name, step,
                  (double)used);
  *of.value = used;
  *cells = (int)count;
  return LW_OK;
}

static lw_status round_agent(lw_bake_settings *used, lwi_bake_plan *plan, lw_bake_report *report,
                             lw_error *error) {
  float size = used->cell_size, high = used->cell_height;
  const rounding radius = {"agent_radius", &used->agent_radius, "cell_size", size, 0, RADIUS_CELLS_MAX},
                 height = {"agent_height", &used->agent_height, "cell_height",
                           high,           HEIGHT_CELLS_MIN,    HEIGHT_CELLS_MAX};
  lw_status status = round_up(radius, &plan->radius, report, error);
  if (status == LW_OK) status = round_up(height, &plan->height, report, error);
  plan->low = plan->height;
  const rounding low = {"crouch_height", &used->limits.crouch_height, "cell_height", high, HEIGHT_CELLS_MIN,
                        HEIGHT_CELLS_MAX};
  if (status == LW_OK && used->limits.crouch_height > 0) status = round_up(low, &plan->low, report, error);
  if (status != LW_OK) return status;
  const rounding climb = {
      "agent_climb", &used->agent_climb, "cell_height", high, 0, HEIGHT_CELLS_MAX - plan->height};
  return round_up(climb, &plan->climb, report, error);
}

/* Ground that is kept for crouching alone is cut from the other, whatever else is cut along. */
static void list_heights(const lw_bake_settings *used, lwi_bake_plan *plan) {
  bool has_own = plan->low == plan->height;
  for (int i = 0; i < used->limits.heights.count; i++) {
    plan->heights[plan->height_count++] = used->limits.heights.items[i];
    has_own = has_own || used->limits.heights.items[i] == used->agent_height;
  }
  if (!has_own) plan->heights[plan->height_count++] = used->agent_height;
}

static int whole_cells(double cells) {
  return cells < 1e9 ? (int)ceil(cells - 1e-4) : 1000000000;
}

/* @param is_noted  Whether a tile_size that is no whole number of cells is noted: not if nobody chose those. */
static lw_status round_tile(lw_bake_settings *used, lwi_bake_plan *plan, bool is_noted, lw_bake_report *report,
                            lw_error *error) {
  double cell = plan->cell, square = cell * cell;
  int max_cells = TILE_CELLS_MAX - 2 * LWI_TILE_BORDER(plan->radius);
  const rounding size = {"tile_size",     &used->tile_size, "cell_size",
                         used->cell_size, TILE_CELLS_MIN,   max_cells};
  const int notes = report->notes;
  lw_status status = round_up(size, &plan->tile_cells, report, error);
  if (status) return status;
  if (!is_noted) report->notes = notes;
  /* Recast takes no samples closer than this. */
  if (used->detail_distance > 0 && used->detail_distance < used->cell_size) {
    lwi_bake_note(report, "detail_distance %g m is less than cell_size %g m: %g m used",
                  (double)used->detail_distance, (double)used->cell_size, (double)used->cell_size);
    used->detail_distance = used->cell_size;
  }
  plan->min_region = whole_cells(used->min_region_area / square);
  plan->merge_region = whole_cells(used->merge_region_area / square);
  plan->max_edge_length = whole_cells(used->max_edge_length / cell);
  if (used->max_edge_error == 0) used->max_edge_error = (float)(EDGE_ERROR * cell);
  plan->max_edge_error = (float)(used->max_edge_error / cell);
  plan->detail_distance = used->detail_distance;
  plan->detail_error = used->detail_error;
  plan->slope_cosine = cos(used->agent_slope * DEGREES);
  return LW_OK;
}

/* The bounds along one axis: at first the geometry's. */
typedef struct axis_bounds {
  char name;
  float low, high; /* [m] */
  bool cut;        /* the geometry goes on beyond `high` */
} axis_bounds;

/* Narrow them to what the caller asked for; low > high asks for all. The lower end is that of the caller also where it
   lies before the geometry: the grid begins there, so that it stays when the geometry grows. */
static lw_status cut_axis(axis_bounds *axis, float low, float high, lw_error *error) {
  if (low > high) return LW_OK;
  if (!isfinite(low) || !isfinite(high))
    return lwi_fail(error, LW_INVALID, "bounds along %c is %g..%g, expected finite numbers", axis->name,
                    (double)low, (double)high);
  if (low > axis->high || high < axis->low)
    return lwi_fail(error, LW_EMPTY,
                    "bounds along %c is %g..%g, expected a part of the geometry, which is in %g..%g",
                    axis->name, (double)low, (double)high, (double)axis->low, (double)axis->high);
  axis->cut = high < axis->high;
  axis->low = low;
  axis->high = fminf(high, axis->high);
  return LW_OK;
}

#define CELLS_MAX 1e9 /* of the grid along an axis */

/* The grid never reaches beyond bounds that the caller gave; where the geometry ends it covers the last cell. */
static lw_status count_cells(const axis_bounds *axis, double cell, int *cells, lw_error *error) {
  double count = ((double)axis->high - axis->low) / cell;
  count = axis->cut ? floor(count + 1e-4) : fmax(ceil(count - 1e-4), 1);
  if (count < 1)
    return lwi_fail(error, LW_INVALID, "bounds along %c is %g..%g, expected at least one cell_size, %g m",
                    axis->name, (double)axis->low, (double)axis->high, cell);
  if (count > CELLS_MAX)
    return lwi_fail(error, LW_LIMIT, "the grid is %.0f cells along %c, expected at most %.0f: raise cell_size",
                    count, axis->name, CELLS_MAX);
  *cells = (int)count;
  return LW_OK;
}

/* The box that is baked: the part that was asked for of the geometry's. */
typedef struct grid_bounds {
  axis_bounds x, y, z;
} grid_bounds;

static lw_status find_bounds(const lw_box *asked, const lw_geometry *geometry, grid_bounds *of,
                             lw_error *error) {
  const lw_box own = lw_geometry_bounds(geometry);
  *of = (grid_bounds){{'x', own.min.x, own.max.x, false},
                      {'y', own.min.y, own.max.y, false},
                      {'z', own.min.z, own.max.z, false}};
  lw_status status = cut_axis(&of->x, asked->min.x, asked->max.x, error);
  if (status == LW_OK) status = cut_axis(&of->y, asked->min.y, asked->max.y, error);
  if (status == LW_OK) status = cut_axis(&of->z, asked->min.z, asked->max.z, error);
  return status;
}

static lw_status lay_grid(const grid_bounds *of, lwi_bake_plan *plan, lw_error *error) {
  lw_status status = count_cells(&of->x, plan->cell, &plan->cells_x, error);
  if (status == LW_OK) status = count_cells(&of->z, plan->cell, &plan->cells_z, error);
  if (status != LW_OK) return status;
  const lw_box box = {{of->x.low, of->y.low, of->z.low}, {of->x.high, of->y.high, of->z.high}};
  plan->bounds = box;
  plan->corner_x = box.min.x;
  plan->corner_z = box.min.z;
  plan->columns = (plan->cells_x + plan->tile_cells - 1) / plan->tile_cells;
  plan->rows = (plan->cells_z + plan->tile_cells - 1) / plan->tile_cells;
  if ((long long)plan->columns * plan->rows > TILES_MAX)
    return lwi_fail(error, LW_LIMIT,
                    "the grid is %d x %d tiles, expected at most %d: raise tile_size or narrow bounds",
                    plan->columns, plan->rows, TILES_MAX);
  return LW_OK;
}

/* --- the cell size ---------------------------------------------------------------------------------------- */

/* What cells are a part of where the agent has no radius. [m] */
#define NO_RADIUS 0.4
#define PARTS_MIN 2
#define PARTS_MAX 8

/* Into how many cells to divide the radius, so that slopes of agent_slope pass: from cell to cell they rise by cell_size
   times their tangent, and rounding to voxels may add one cell_height to that. */
static int parts_of_radius(const lw_bake_settings *s, double radius) {
  const double high = (double)s->cell_height, climb = ceil((double)s->agent_climb / high - 1e-4) * high;
  const double rise = climb - high, tangent = tan((double)s->agent_slope * DEGREES);
  int parts = PARTS_MIN;
  if (!(rise > 0)) return parts;
  while (parts < PARTS_MAX && radius / parts * tangent > rise + 1e-6) parts++;
  return parts;
}

/* Where no cell_size was given it follows from radius and climb, unless the grid would have too many cells. */
static void choose_cell_size(lw_bake_settings *used, const grid_bounds *of, lw_bake_report *report) {
  if (used->cell_size > 0) return;
  const double area = ((double)of->x.high - of->x.low) * ((double)of->z.high - of->z.low);
  const double radius = used->agent_radius > 0 ? (double)used->agent_radius : NO_RADIUS;
  int parts = parts_of_radius(used, radius);
  const double wanted = radius / parts, finest = sqrt(area / LW_BAKE_COLUMNS);
  while (parts > 1 && radius / parts < finest) parts--;
  used->cell_size = (float)fmax(radius / parts, finest);
  if (radius / parts != wanted || finest > wanted)
    lwi_bake_note(report, "cell_size %g m used instead of %g m, to keep the grid within %d million columns",
                  (double)used->cell_size, wanted, LW_BAKE_COLUMNS / 1000000);
}

/* From cell to cell a slope rises by cell_size * its tangent, and rounding to voxels may add one cell_height. */
static void note_slope(const lw_bake_settings *used, lw_bake_report *report) {
  const double rise = (double)used->agent_climb - (double)used->cell_height;
  const double steepest = rise > 0 ? atan(rise / (double)used->cell_size) / DEGREES : 0;
  if (steepest < (double)used->agent_slope - 0.5)
    lwi_bake_note(report,
                  "agent_climb %g m at cell_size %g m lets slopes up to %.0f of agent_slope %g degrees pass",
                  (double)used->agent_climb, (double)used->cell_size, steepest, (double)used->agent_slope);
}

static lw_status choose_tiles(const lw_bake_settings *settings, lwi_bake_plan *plan, lw_error *error) {
  int first = settings->tiles.first, count = settings->tiles.count, total = plan->columns * plan->rows;
  if (first < 0) return lwi_fail(error, LW_INVALID, "tiles.first is %d, expected 0 or more", first);
  if (count < 0) return lwi_fail(error, LW_INVALID, "tiles.count is %d, expected 0 or more", count);
  if (count == 0 && first > 0)
    return lwi_fail(error, LW_INVALID, "tiles.count is 0, expected 1 or more, as tiles.first is %d", first);
  if (first >= total)
    return lwi_fail(error, LW_NOT_FOUND, "tiles: the first is tile %d, expected 1 to %d (%d x %d)", first + 1,
                    total, plan->columns, plan->rows);
  if (count > 0 && (settings->auto_links.drop > 0 || settings->auto_links.jump > 0))
    return lwi_fail(
        error, LW_INVALID,
        "%s is %g m, expected 0 for a part: its neighbours are not known; merge the parts, then "
        "rebuild one tile with it, which finds the links of all",
        settings->auto_links.drop > 0 ? "auto_links.drop" : "auto_links.jump",
        (double)(settings->auto_links.drop > 0 ? settings->auto_links.drop : settings->auto_links.jump));
  if (count > 0 && settings->cover.detail_near > 0)
    return lwi_fail(error, LW_INVALID,
                    "detail near cover is %g m, expected 0 for a part: cover near its border is not known",
                    (double)settings->cover.detail_near);
  plan->tile_first = first;
  plan->tile_end = count == 0 || count > total - first ? total : first + count;
  return LW_OK;
}

lw_status lwi_bake_plan_make(const lw_bake_settings *settings, const lw_geometry *geometry, lwi_bake_plan *plan,
                             lw_bake_report *report, lw_error *error) {
  *plan = (lwi_bake_plan){0};
  lw_status status = lwi_check_cookie(settings->cookie, "lw_bake_settings", error);
  if (status) return status;
  report->used = *settings;
  if ((status = check_numbers(settings, error)) || (status = check_all_limits(&report->used, error)) ||
      (status = check_cover(&settings->cover, error)))
    return status;
  grid_bounds bounds;
  if ((status = find_bounds(&settings->bounds, geometry, &bounds, error))) return status;
  plan->limits = report->used.limits;
  if (settings->threads == 0) report->used.threads = lwi_processor_count();
  choose_cell_size(&report->used, &bounds, report);
  plan->cell = report->used.cell_size;
  plan->cell_height = settings->cell_height;
  if ((status = round_agent(&report->used, plan, report, error))) return status;
  if ((status = round_tile(&report->used, plan, settings->cell_size > 0, report, error))) return status;
  list_heights(&report->used, plan);
  note_slope(&report->used, report);
  if ((status = lay_grid(&bounds, plan, error))) return status;
  report->used.bounds = plan->bounds;
  if ((status = choose_tiles(settings, plan, error))) return status;
  if (settings->tiles.count > 0) report->used.tiles.count = plan->tile_end - plan->tile_first;
  report->tiles = plan->tile_end - plan->tile_first;
  report->tiles_total = plan->columns * plan->rows;
  return LW_OK;
}
