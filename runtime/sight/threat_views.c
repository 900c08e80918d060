#include "sight/threat_views.h"

#include "core/vec3.h"
#include "mesh/ground_line.h"

#include <math.h>
#include <string.h>

/* --- the list --------------------------------------------------------------------------------------------- */

bool lwi_threat_views_init(lwi_threat_views *views, size_t limit, const lw_allocator *allocator) {
  *views = (lwi_threat_views){.memory = lwi_memory_make(allocator), .limit = limit};
  return lwi_mutex_init(&views->lock);
}

static void unlist(lwi_threat_views *views, lwi_threat_view *view) {
  *(view->older ? &view->older->newer : &views->oldest) = view->newer;
  *(view->newer ? &view->newer->older : &views->newest) = view->older;
  view->older = view->newer = NULL;
}

static void list_newest(lwi_threat_views *views, lwi_threat_view *view) {
  view->older = views->newest;
  *(view->older ? &view->older->newer : &views->oldest) = view;
  views->newest = view;
}

static void destroy(lwi_threat_views *views, lwi_threat_view *view) {
  unlist(views, view);
  lwi_free(&views->memory, view->parts, view->count * sizeof *view->parts);
  lwi_free(&views->memory, view, sizeof *view);
}

/* Free what was not asked for longest while the limit is exceeded, but nothing that is in use. */
static void trim(lwi_threat_views *views) {
  for (lwi_threat_view *view = views->oldest, *newer; view && views->memory.bytes > views->limit;
       view = newer) {
    newer = view->newer;
    if (view->pins == 0) destroy(views, view);
  }
}

void lwi_threat_views_clear(lwi_threat_views *views) {
  while (views->oldest) destroy(views, views->oldest);
}

void lwi_threat_views_free(lwi_threat_views *views) {
  lwi_threat_views_clear(views);
  lwi_mutex_destroy(&views->lock);
}

size_t lwi_threat_views_memory(lwi_threat_views *views) {
  lwi_mutex_lock(&views->lock);
  const size_t bytes = views->memory.bytes;
  lwi_mutex_unlock(&views->lock);
  return bytes;
}

/* --- asking ----------------------------------------------------------------------------------------------- */

static bool is_of(const lwi_threat_view *view, lw_vec3 at, const lw_exposure_query *query) {
  if (!lwi_equal(view->at, at) || view->height_count != query->height_count) return false;
  for (int i = 0; i < query->height_count; i++)
    if (view->heights[i] != query->heights[i]) return false;
  return true;
}

static lwi_threat_view *make(lwi_threat_views *views, uint32_t count, lw_vec3 at,
                             const lw_exposure_query *query) {
  lwi_threat_view *view = lwi_alloc_zero(&views->memory, sizeof *view);
  if (!view) return NULL;
  view->parts = lwi_alloc_zero(&views->memory, count * sizeof *view->parts);
  if (!view->parts) {
    lwi_free(&views->memory, view, sizeof *view);
    return NULL;
  }
  view->at = at;
  view->count = count;
  view->height_count = query->height_count;
  memcpy(view->heights, query->heights, (size_t)query->height_count * sizeof *view->heights);
  return view;
}

lwi_threat_view *lwi_threat_views_acquire(lwi_threat_views *views, const lwi_samples *samples, lw_vec3 at,
                                          const lw_exposure_query *query) {
  lwi_mutex_lock(&views->lock);
  lwi_threat_view *view = views->newest;
  while (view && !is_of(view, at, query)) view = view->older;
  if (view)
    unlist(views, view);
  else
    view = make(views, samples->count, at, query);
  if (view) {
    view->pins += 1;
    list_newest(views, view);
    trim(views);
  }
  lwi_mutex_unlock(&views->lock);
  return view;
}

void lwi_threat_views_release(lwi_threat_views *views, lwi_threat_view *view) {
  if (!view) return;
  lwi_mutex_lock(&views->lock);
  view->pins -= 1;
  trim(views);
  lwi_mutex_unlock(&views->lock);
}

/* --- a line of samples ------------------------------------------------------------------------------------ */

/* The ground under a piece of the line may be so far above or below it, which hides or shows little of a body. [m] */
#define HEIGHT_TOLERANCE 0.2f
/* It is looked at so far apart [m], and this often at most. */
#define HEIGHT_SPACING 2.0f
#define HEIGHTS_MAX 8

/* The samples of a polygon in one line, along the longer side of its grid. */
typedef struct sample_line {
  uint32_t first, step; /* their numbers */
  int count;
  bool along_x;
  float across;    /* z of a line along x, x of one along z [m] */
  float start;     /* the other coordinate where its first cell begins [m] */
  float cell;      /* length of a cell [m] */
  float width;     /* of a cell [m] */
  float low, high; /* where the line is in the polygon; low > high: it is beside it [m] */
} sample_line;

/* A line that is being found. */
typedef struct line_run {
  lwi_threat_view *view;
  const lwi_view_finder *finder;
  const uint32_t *over; /* see lwi_threat_view_find() */
  uint32_t polygon;
  bool is_level;
  sample_line line;
} line_run;

static lw_vec3 point_on(const line_run *run, float along) {
  const sample_line *line = &run->line;
  lw_vec3 at = line->along_x ? lwi_vec3(along, 0, line->across) : lwi_vec3(line->across, 0, along);
  at.y = lwi_polygon_height(run->finder->samples->mesh, run->polygon, at.x, at.z);
  return at;
}

static float along_of(const sample_line *line, lw_vec3 at) {
  return line->along_x ? at.x : at.z;
}

/* Where the line crosses the polygon. */
static void cut_line(const lwi_samples *samples, uint32_t polygon, sample_line *line) {
  const lwi_polygon of = lwi_polygon_get(samples->mesh, polygon);
  line->low = INFINITY;
  line->high = -INFINITY;
  for (uint32_t i = 0; i < of.count; i++) {
    const lw_vec3 a = lwi_corner(&of, i), b = lwi_corner(&of, lwi_next_corner(&of, i));
    const float across_a = line->along_x ? a.z : a.x, across_b = line->along_x ? b.z : b.x;
    if ((across_a > line->across) == (across_b > line->across)) continue;
    const float t = (line->across - across_a) / (across_b - across_a);
    const float from = line->along_x ? a.x : a.z, to = line->along_x ? b.x : b.z, at = from + (to - from) * t;
    line->low = fminf(line->low, at);
    line->high = fmaxf(line->high, at);
  }
}

static sample_line line_through(const lwi_samples *samples, uint32_t polygon, uint32_t sample) {
  const lwi_sample_grid *grid = &samples->grids[polygon];
  const uint32_t row = (sample - grid->first) / grid->columns, column = (sample - grid->first) % grid->columns;
  const bool along_x = grid->columns >= grid->rows;
  const float per_along = grid->per_metre[along_x ? 0 : 1], per_across = grid->per_metre[along_x ? 1 : 0];
  sample_line line = {.first = grid->first + (along_x ? row * grid->columns : column),
                      .step = along_x ? 1 : grid->columns,
                      .count = along_x ? grid->columns : grid->rows,
                      .along_x = along_x,
                      .across = along_x ? grid->z : grid->x,
                      .start = along_x ? grid->x : grid->z,
                      .cell = per_along > 0 ? 1 / per_along : 0,
                      .width = per_across > 0 ? 1 / per_across : 0};
  if (per_across > 0) line.across += ((float)(along_x ? row : column) + 0.5f) / per_across;
  cut_line(samples, polygon, &line);
  return line;
}

static void store(const line_run *run, int cell, float seen) {
  const float part = lwi_max(0, lwi_min(1, seen));
  atomic_store_explicit(&run->view->parts[run->line.first + (uint32_t)cell * run->line.step],
                        (uint8_t)(1 + (int)(part * 254 + 0.5f)), memory_order_relaxed);
}

/* The hidden part of t0..t1. */
static float hidden_in(const lwi_intervals *hidden, float t0, float t1) {
  float sum = 0;
  for (int i = 0; i < hidden->count && hidden->items[i].t0 < t1; i++)
    sum += lwi_max(0, lwi_min(t1, hidden->items[i].t1) - lwi_max(t0, hidden->items[i].t0));
  return sum;
}

/* What is seen of a piece of the line, in finder->scratch. @return false: no memory. */
static bool look_along(const line_run *run, lw_vec3 from, lw_vec3 to) {
  const lwi_threat_view *view = run->view;
  lwi_exposure_scratch *scratch = run->finder->scratch;
  lw_threat threat = lw_threat_default();
  lw_exposure_query query = lw_exposure_query_default();
  lwi_sight sight = run->finder->sight;
  lw_exposure exposure;
  const uint64_t looks = scratch->looks, sure = scratch->sure;
  threat.at = view->at;
  query.threats = &threat;
  query.threat_count = 1;
  query.height_count = view->height_count;
  memcpy(query.heights, view->heights, (size_t)view->height_count * sizeof *view->heights);
  query.from = from;
  query.to = to;
  sight.over = run->over;
  sight.polygon = run->polygon;
  const lw_status status = lwi_exposure_find(&sight, &query, run->finder->memory, scratch, &exposure);
  scratch->looks = looks;
  scratch->sure = sure;
  return status == LW_OK;
}

/* Find the cells `first` to `end`, which lie on the line from `from` to `to`. */
static bool find_piece(const line_run *run, int first, int end, lw_vec3 from, lw_vec3 to) {
  const sample_line *line = &run->line;
  if (!look_along(run, from, to)) return false;
  const lwi_intervals *hidden = &run->finder->scratch->any;
  const float low = along_of(line, from), high = along_of(line, to), scale = high > low ? 1 / (high - low) : 0;
  for (int i = first; i < end; i++) {
    const float begin = lwi_max(low, line->start + (float)i * line->cell),
                stop = lwi_min(high, line->start + (float)(i + 1) * line->cell);
    const float t0 = lwi_max(0, (begin - low) * scale), t1 = lwi_min(1, (stop - low) * scale);
    store(run, i, t1 > t0 ? 1 - hidden_in(hidden, t0, t1) / (t1 - t0) : 1 - lwi_intervals_sum(hidden));
  }
  return true;
}

/* Does the ground lie near the straight line? */
static bool is_straight(const line_run *run, lw_vec3 from, lw_vec3 to) {
  const float low = along_of(&run->line, from), high = along_of(&run->line, to);
  const int steps = 1 + (int)lwi_min(HEIGHTS_MAX, (high - low) / HEIGHT_SPACING);
  for (int i = 1; i < steps; i++) {
    const float t = (float)i / (float)steps;
    const lw_vec3 at = point_on(run, low + (high - low) * t);
    if (fabsf(at.y - (from.y + (to.y - from.y) * t)) > HEIGHT_TOLERANCE) return false;
  }
  return true;
}

/* Find the cells `first` to `end` in straight pieces, each half as long as long as the ground is not straight. */
static bool find_cells(const line_run *run, int first, int end, lw_vec3 from, lw_vec3 to) {
  if (run->is_level || end - first < 2 || is_straight(run, from, to))
    return find_piece(run, first, end, from, to);
  const int middle = (first + end) / 2;
  const lw_vec3 at = point_on(run, run->line.start + (float)middle * run->line.cell);
  return find_cells(run, first, middle, from, at) && find_cells(run, middle, end, at, to);
}

static int cell_at(const sample_line *line, float along) {
  const int cell = line->cell > 0 ? (int)((along - line->start) / line->cell) : 0;
  return cell < 0 ? 0 : cell < line->count ? cell : line->count - 1;
}

/* --- cells beside the line -------------------------------------------------------------------------------- */

/* A slender end of a polygon may lie within the cells of a line, but beside the line itself. There the place of each cell
   counts, which is the nearest to its middle within the polygon. */

static lw_vec3 place_of(const line_run *run, int cell) {
  return lwi_samples_place(run->finder->samples, run->polygon,
                           run->line.first + (uint32_t)cell * run->line.step);
}

/* Does the polygon reach into a cell? */
static bool is_reached(const line_run *run, int cell) {
  const sample_line *line = &run->line;
  const lw_vec3 at = place_of(run, cell);
  const float across = line->along_x ? at.z : at.x, middle = line->start + ((float)cell + 0.5f) * line->cell;
  return fabsf(across - line->across) <= line->width * 0.51f &&
         fabsf(along_of(line, at) - middle) <= line->cell * 0.51f;
}

/* Places may lie so far beside the straight line between others. [m] */
#define BESIDE 0.3f

static bool find_places(const line_run *run, int first, int end) {
  const int middle = (first + end) / 2;
  const lw_vec3 from = place_of(run, first), to = place_of(run, end - 1);
  const float t = end - first > 1 ? (float)(middle - first) / (float)(end - 1 - first) : 0;
  if (end - first > 2 && lwi_distance(lwi_lerp(from, to, t), place_of(run, middle)) > BESIDE)
    return find_places(run, first, middle) && find_places(run, middle, end);
  if (!look_along(run, from, to)) return false;
  const lwi_intervals *hidden = &run->finder->scratch->any;
  const float count = (float)(end - first);
  for (int i = first; i < end; i++)
    store(run, i, 1 - hidden_in(hidden, (float)(i - first) / count, (float)(i + 1 - first) / count) * count);
  return true;
}

static void copy_cells(const line_run *run, int first, int end, int from) {
  const sample_line *line = &run->line;
  atomic_uchar *parts = run->view->parts;
  const unsigned char part =
      atomic_load_explicit(&parts[line->first + (uint32_t)from * line->step], memory_order_relaxed);
  for (int i = first; i < end; i++)
    atomic_store_explicit(&parts[line->first + (uint32_t)i * line->step], part, memory_order_relaxed);
}

/* The cells before and behind those on the line: all others count as the nearest. */
static bool find_ends(const line_run *run, int first, int last) {
  int begin = first, end = last + 1;
  while (begin > 0 && is_reached(run, begin - 1)) begin -= 1;
  while (end < run->line.count && is_reached(run, end)) end += 1;
  if (first - begin < 2)
    begin = first;
  else if (!find_places(run, begin, first))
    return false;
  if (end - last - 1 < 2)
    end = last + 1;
  else if (!find_places(run, last + 1, end))
    return false;
  copy_cells(run, 0, begin, begin);
  copy_cells(run, end, run->line.count, end - 1);
  return true;
}

/* --- the whole line --------------------------------------------------------------------------------------- */

bool lwi_threat_view_find(lwi_threat_view *view, const lwi_view_finder *finder, const uint32_t *over,
                          uint32_t polygon, uint32_t sample) {
  const lwi_samples *samples = finder->samples;
  line_run run = {view,
                  finder,
                  over,
                  polygon,
                  lwi_level_surface(samples->mesh, polygon).count > 0,
                  line_through(samples, polygon, sample)};
  sample_line *line = &run.line;
  if (!(line->low <= line->high)) { /* by rounding it passes the polygon: then that is a sliver */
    const lw_vec3 at = lwi_samples_place(samples, polygon, sample);
    line->low = line->high = line->along_x ? at.x : at.z;
    line->across = line->along_x ? at.z : at.x;
  }
  const int first = cell_at(line, line->low), last = cell_at(line, line->high);
  return find_cells(&run, first, last + 1, point_on(&run, line->low), point_on(&run, line->high)) &&
         find_ends(&run, first, last);
}
