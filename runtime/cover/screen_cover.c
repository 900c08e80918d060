/* As in a bake, a side is scanned in columns: an agent of the navmesh's radius that touches the side there stands on some
   floors, and columns of one floor make a segment. */
#include "cover/screen_cover.h"

#include "core/vec3.h"
#include "cover/cover_run.h"
#include "leeward/geometry.h"

/* From a side to an agent that touches it, beside its radius: the navmesh is cut just there. [m] */
#define GAP 0.05f
/* How far beside the navmesh that place may be. [m] */
#define SLACK 0.02
/* Lines of sight to a side end this far before it. [m] */
#define BEFORE 0.03f
#define HALF_SIGHT 0.5f
/* Segments along one side at once. */
#define RUNS_MAX LWI_FLOORS
/* Polygons beside a side of which the parts there are known. */
#define NEAR_POLYGONS 8
/* No side has as many segments as these bits count: LW_OBSTACLE_SIZE_MAX is not that long. */
#define SIDE_BITS 20

/* Parts of a polygon beside the side: those in lwi_screen_cover.near from one on to before another. */
typedef struct near_parts {
  uint32_t polygon;
  int first, end;
} near_parts;

typedef struct side_scan {
  const lwi_screen_places *places;
  const lwi_screen *screen;
  const lwi_cut_side *side;
  lw_vec3 normal; /* outwards */
  double length;  /* [m] */
  float tall;
  lwi_cover_run runs[RUNS_MAX]; /* [run_count] */
  int run_count;
  lwi_memory *memory;
  lwi_screen_cover *cover;
  near_parts near[NEAR_POLYGONS]; /* [near_count] */
  int near_count;
  lwi_screen_segments *to;
  bool failed;    /* no memory */
  uint32_t index; /* of the next segment: sides have numbers far apart */
} side_scan;

static lw_vec3 place_at(const side_scan *s, double along, float out, float y) {
  const lwi_cut_side *side = s->side;
  return lwi_vec3((float)(side->corner.x + side->direction.x * along + (double)(s->normal.x * out)), y,
                  (float)(side->corner.z + side->direction.z * along + (double)(s->normal.z * out)));
}

/* Does an agent there see the side at chest height? */
static bool is_before(const side_scan *s, double along, lw_vec3 at) {
  const lwi_screen_places *places = s->places;
  const float low = fmaxf(s->screen->low, at.y), high = fminf(s->screen->high, at.y + 2 * HALF_SIGHT);
  const lw_vec3 eye = {at.x, (low + high) / 2, at.z}, face = place_at(s, along, BEFORE, eye.y);
  const bool soft = s->screen->kind == LW_COVER_SOFT;
  return lwi_sets_see(places->sets, places->set_count, eye, face, soft) &&
         lwi_screens_see(places->screens, eye, face, soft, 0);
}

static void finish(side_scan *s, const lwi_cover_run *run) {
  const lwi_cover_ground ground = lwi_cover_run_ground(run);
  if (run->end - run->begin < (double)LW_COVER_LENGTH_MIN) return;
  lwi_cover_segment segment = {.a = place_at(s, run->begin, 0, (float)ground.begin),
                               .b = place_at(s, run->end, 0, (float)ground.end),
                               .kind = s->screen->kind};
  lwi_cover_run_heights(run, &ground, &segment);
  lwi_screen_segments *to = s->to;
  if (!lwi_reserve(s->memory, &to->items, &to->capacity, to->count + 1, sizeof *to->items)) {
    s->failed = true;
    return;
  }
  to->items[to->count++] = (lwi_screen_segment){segment, s->index++};
}

/* Finish the runs that end before the column. */
static void finish_before(side_scan *s, int column) {
  int left = 0;
  for (int i = 0; i < s->run_count; i++) {
    if (s->runs[i].column >= column)
      s->runs[left++] = s->runs[i];
    else
      finish(s, &s->runs[i]);
  }
  s->run_count = left;
}

static void add_column(side_scan *s, const lwi_cover_column *column) {
  for (int i = 0; i < s->run_count; i++)
    if (lwi_cover_run_extend(&s->runs[i], column, s->tall)) return;
  if (s->run_count < RUNS_MAX) s->runs[s->run_count++] = lwi_cover_run_begin(column, s->tall);
}

/* Insert into rising heights. @return How many there are. */
static int insert_height(float *heights, int count, float height) {
  int at = count;
  for (; at > 0 && heights[at - 1] > height; at--) heights[at] = heights[at - 1];
  heights[at] = height;
  return count + 1;
}

/* Does a line along the places beside the side pass through the polygon, or by it? */
static bool is_beside(const side_scan *s, const lwi_polygon *polygon) {
  const lw_vec3 at = place_at(s, 0, s->places->mesh->agent.radius + GAP, 0);
  bool left = false, right = false;
  for (uint32_t i = 0; i < polygon->count; i++) {
    const double x = (double)(polygon->at[i] - at.x), z = (double)(polygon->at[polygon->count + i] - at.z);
    const double off = x * (double)s->normal.x + z * (double)s->normal.z;
    left = left || off < 2 * SLACK;
    right = right || off > -2 * SLACK;
  }
  return left && right;
}

/* Note which parts of a polygon lie beside the side. @return NULL: no memory. */
static const near_parts *list_near(side_scan *s, uint32_t polygon) {
  const lw_navmesh *mesh = s->places->mesh;
  lwi_screen_cover *cover = s->cover;
  const float out = mesh->agent.radius + GAP;
  const lw_vec3 a = place_at(s, 0, out, 0), b = place_at(s, s->length, out, 0);
  const lw_vec3 min = {lwi_min(a.x, b.x), 0, lwi_min(a.z, b.z)},
                max = {lwi_max(a.x, b.x), 0, lwi_max(a.z, b.z)};
  if (s->near_count == NEAR_POLYGONS) s->near_count = cover->near_count = 0;
  near_parts *near = &s->near[s->near_count];
  *near = (near_parts){polygon, cover->near_count, cover->near_count};
  lwi_part_walk walk = lwi_parts_near(mesh, polygon, min, max);
  for (uint32_t i; lwi_next_part(&walk, &i);) {
    const lwi_polygon part = lwi_polygon_get(mesh, i);
    if (!is_beside(s, &part)) continue;
    if (!lwi_reserve(s->memory, &cover->near, &cover->near_capacity, near->end + 1, sizeof *cover->near)) {
      s->failed = true;
      return NULL;
    }
    cover->near[near->end++] = i;
  }
  cover->near_count = near->end;
  s->near_count += 1;
  return near;
}

/* The part of a polygon at a place beside the side. Of a polygon in many parts few are there. @return LWI_NONE: none. */
static uint32_t part_at(side_scan *s, uint32_t polygon, lw_vec3 at) {
  const lw_navmesh *mesh = s->places->mesh;
  const near_parts *near = NULL;
  if (lwi_is_whole(mesh, polygon)) return lwi_part_at(mesh, polygon, at, SLACK);
  for (int i = 0; i < s->near_count && !near; i++)
    if (s->near[i].polygon == polygon) near = &s->near[i];
  if (!near) near = list_near(s, polygon);
  for (int i = near ? near->first : 0; near && i < near->end; i++) {
    const lwi_polygon part = lwi_polygon_get(mesh, s->cover->near[i]);
    if (lwi_polygon_holds(&part, at, SLACK)) return s->cover->near[i];
  }
  return LWI_NONE;
}

/* The floors there from which the side is cover, rising. @param[out] floors  [LWI_FLOORS] @return How many. */
static int find_floors(side_scan *s, lw_vec3 at, float *floors) {
  const lw_navmesh *mesh = s->places->mesh;
  const lwi_grid *grid = &lwi_base_of(mesh)->grid;
  lwi_column cell;
  int count = 0;
  if (!lwi_grid_column(grid, at.x, at.z, &cell)) return 0;
  for (uint32_t i = cell.first; i < cell.end && count < LWI_FLOORS; i++) {
    const lwi_reference *reference = &grid->references[i];
    const uint32_t part = lwi_column_meets(&cell, reference) ? part_at(s, reference->polygon, at) : LWI_NONE;
    if (part == LWI_NONE) continue;
    const float height = lwi_polygon_height(mesh, part, at.x, at.z);
    if (lwi_is_cover(s->screen->low, s->screen->high, height)) count = insert_height(floors, count, height);
  }
  return count;
}

static void scan_column(side_scan *s, lwi_cover_column *column) {
  lw_vec3 at = place_at(s, column->middle, s->places->mesh->agent.radius + GAP, s->screen->low);
  float floors[LWI_FLOORS];
  const int count = find_floors(s, at, floors);
  finish_before(s, column->number - 1);
  for (int i = 0; i < count; i++) {
    at.y = column->ground = floors[i];
    if ((i == 0 || floors[i] > floors[i - 1]) && is_before(s, column->middle, at)) add_column(s, column);
  }
}

static void scan_side(side_scan *s, double length) {
  const int columns = (int)ceil(length / LWI_COVER_COLUMN);
  s->run_count = 0;
  s->length = length;
  s->near_count = s->cover->near_count = 0;
  for (int i = 0; i < columns; i++) {
    lwi_cover_column column = {.number = i,
                               .begin = length * i / columns,
                               .end = length * (i + 1) / columns,
                               .low = s->screen->low,
                               .high = s->screen->high};
    column.middle = (column.begin + column.end) / 2;
    scan_column(s, &column);
  }
  finish_before(s, INT32_MAX);
}

/* @return false: no memory. */
static bool scan(lwi_screen_cover *cover, const lwi_screen_places *places, const lwi_screen *screen,
                 lwi_memory *memory, lwi_screen_segments *to) {
  side_scan s = {.places = places,
                 .screen = screen,
                 .tall = lwi_cover_tall(places->mesh->agent.height),
                 .memory = memory,
                 .cover = cover,
                 .to = to};
  to->count = 0;
  for (int i = 0; i < screen->count; i++) {
    const lwi_cut_side *next = &screen->sides[i + 1 < screen->count ? i + 1 : 0];
    s.side = &screen->sides[i];
    s.normal = lwi_vec3((float)-s.side->direction.z, 0, (float)s.side->direction.x);
    s.index = (uint32_t)i << SIDE_BITS;
    const double length = hypot(next->corner.x - s.side->corner.x, next->corner.z - s.side->corner.z);
    if (length >= (double)LW_COVER_LENGTH_MIN) scan_side(&s, length);
  }
  return !s.failed;
}

const lwi_screen_segments *lwi_screen_cover_get(lwi_screen_cover *cover, const lwi_screen_places *places,
                                                uint32_t number, lwi_memory *memory) {
  const int known = cover->capacity;
  const lwi_screen *screen = &places->screens->items[number];
  if (!lwi_reserve(memory, &cover->screens, &cover->capacity, (int)number + 1, sizeof *cover->screens))
    return NULL;
  for (int i = known; i < cover->capacity; i++) cover->screens[i] = (lwi_screen_segments){.changed = 0};
  lwi_screen_segments *segments = &cover->screens[number];
  const uint64_t changed = lwi_screens_changed(places->screens, screen);
  if (segments->changed == changed) return segments;
  segments->changed = 0;
  if (!scan(cover, places, screen, memory, segments)) return NULL;
  segments->changed = changed;
  return segments;
}

void lwi_screen_cover_free(lwi_screen_cover *cover, lwi_memory *memory) {
  for (int i = 0; i < cover->capacity; i++)
    lwi_free(memory, cover->screens[i].items,
             (size_t)cover->screens[i].capacity * sizeof *cover->screens->items);
  lwi_free(memory, cover->screens, (size_t)cover->capacity * sizeof *cover->screens);
  lwi_free(memory, cover->near, (size_t)cover->near_capacity * sizeof *cover->near);
}
