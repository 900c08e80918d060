/* What screens hide. A point of the triangle of eye E and segment A, B is E + u (A - E) + v (B - E), and lies on the line
   of sight to parameter v / (u + v) of the segment. In u and v each face of a screen is a straight line, so what the screen
   takes up of the triangle is a convex polygon: the parameters of its corners bound what is hidden. */
#include "sight/screens.h"

#include "core/sort.h"
#include "core/vec3.h"
#include "sight/sight_triangle.h"

#include <math.h>

/* How far a screen may move before the rectangle that holds it is set again. [m] */
#define LOOSE 0.25f
/* Further than any. [m] */
#define FAR 3e38f

/* --- keeping ---------------------------------------------------------------------------------------------- */

static lwi_rectangle rectangle_of(const lwi_screen *screen) {
  double min_x = INFINITY, min_z = INFINITY, max_x = -INFINITY, max_z = -INFINITY;
  for (int i = 0; i < screen->count; i++) {
    min_x = fmin(min_x, screen->sides[i].corner.x);
    min_z = fmin(min_z, screen->sides[i].corner.z);
    max_x = fmax(max_x, screen->sides[i].corner.x);
    max_z = fmax(max_z, screen->sides[i].corner.z);
  }
  const double far = fmax(fmax(-min_x, max_x), fmax(-min_z, max_z));
  const double reach = (double)LWI_RECTANGLE_MARGIN + (double)LWI_RECTANGLE_MARGIN_PART * far;
  return (lwi_rectangle){(float)(min_x - reach), (float)(min_z - reach), (float)(max_x + reach),
                         (float)(max_z + reach)};
}

static bool holds(const lwi_rectangle *outer, const lwi_rectangle *inner) {
  return outer->min_x <= inner->min_x && outer->min_z <= inner->min_z && outer->max_x >= inner->max_x &&
         outer->max_z >= inner->max_z;
}

static lwi_rectangle loosen(lwi_rectangle box) {
  return (lwi_rectangle){box.min_x - LOOSE, box.min_z - LOOSE, box.max_x + LOOSE, box.max_z + LOOSE};
}

/* A rectangle over more cells than this is taken for all of them. */
#define FEW_CELLS 64

/* The cells of a rectangle, in turn. */
typedef struct cell_range {
  int64_t x0, z0, x1, z1;
} cell_range;

/* @return false: there are many. */
static bool find_cells(lwi_rectangle box, cell_range *cells) {
  *cells =
      (cell_range){(int64_t)floorf(box.min_x / LWI_SCREEN_CELL), (int64_t)floorf(box.min_z / LWI_SCREEN_CELL),
                   (int64_t)floorf(box.max_x / LWI_SCREEN_CELL), (int64_t)floorf(box.max_z / LWI_SCREEN_CELL)};
  return (cells->x1 - cells->x0 + 1) * (cells->z1 - cells->z0 + 1) <= FEW_CELLS;
}

static uint32_t cell_at(int64_t x, int64_t z) {
  const uint32_t hash = (uint32_t)x * 0x9e3779b1u ^ (uint32_t)z * 0x85ebca6bu;
  return (hash ^ hash >> 15) % LWI_SCREEN_CELLS;
}

void lwi_screens_touch(lwi_screens *screens, lwi_rectangle box) {
  const float beside = screens->beside;
  cell_range cells;
  box = (lwi_rectangle){box.min_x - beside, box.min_z - beside, box.max_x + beside, box.max_z + beside};
  screens->changes += 1;
  if (!find_cells(box, &cells)) {
    screens->all_changed = screens->changes;
    return;
  }
  for (int64_t z = cells.z0; z <= cells.z1; z++)
    for (int64_t x = cells.x0; x <= cells.x1; x++) screens->changed[cell_at(x, z)] = screens->changes;
}

uint64_t lwi_screens_changed(const lwi_screens *screens, const lwi_screen *screen) {
  uint64_t last = screens->all_changed;
  cell_range cells;
  if (!find_cells(rectangle_of(screen), &cells)) return screens->changes;
  for (int64_t z = cells.z0; z <= cells.z1; z++)
    for (int64_t x = cells.x0; x <= cells.x1; x++) {
      const uint64_t changed = screens->changed[cell_at(x, z)];
      if (changed > last) last = changed;
    }
  return last;
}

bool lwi_screens_set(lwi_screens *screens, lwi_memory *memory, uint32_t number, const lwi_screen *screen) {
  const int known = screens->capacity;
  const lwi_rectangle box = rectangle_of(screen), loose = loosen(box);
  if (!lwi_reserve(memory, &screens->items, &screens->capacity, (int)number + 1, sizeof *screens->items))
    return false;
  for (int i = known; i < screens->capacity; i++) screens->items[i].count = 0;
  lwi_screen *item = &screens->items[number];
  const bool is_new = item->count == 0;
  lwi_rectangle_tree *tree = &screens->tree;
  /* What was taken out can be added again without memory. */
  if (!is_new) lwi_screens_touch(screens, rectangle_of(item));
  const bool is_held = !is_new && holds(&tree->nodes[tree->leaves[number]].box, &box);
  if (!is_new && !is_held) lwi_rectangle_tree_remove(tree, number);
  if (!is_held && !lwi_rectangle_tree_add(tree, memory, number, loose)) return false;
  *item = *screen;
  lwi_screens_touch(screens, box);
  screens->count += is_new;
  screens->version += 1;
  return true;
}

void lwi_screens_remove(lwi_screens *screens, uint32_t number) {
  if (!lwi_screens_get(screens, number)) return;
  const lwi_rectangle box = rectangle_of(&screens->items[number]);
  lwi_rectangle_tree_remove(&screens->tree, number);
  lwi_screens_touch(screens, box);
  screens->items[number].count = 0;
  screens->count -= 1;
  screens->version += 1;
}

bool lwi_screens_are_carried(const lwi_screens *screens, uint32_t carrier) {
  if (screens->count == 0 || carrier == 0) return false;
  for (int i = 0; i < screens->capacity; i++)
    if (screens->items[i].count > 0 && screens->items[i].carrier == carrier) return true;
  return false;
}

void lwi_screens_clear(lwi_screens *screens) {
  for (int i = 0; i < screens->capacity; i++) screens->items[i].count = 0;
  lwi_rectangle_tree_clear(&screens->tree);
  screens->all_changed = ++screens->changes;
  screens->count = 0;
  screens->version += 1;
}

void lwi_screens_free(lwi_screens *screens, lwi_memory *memory) {
  lwi_rectangle_tree_free(&screens->tree, memory);
  lwi_free(memory, screens->items, (size_t)screens->capacity * sizeof *screens->items);
}

/* --- faces ------------------------------------------------------------------------------------------------ */

/* Outwards; inside of it, `x` and `z` times a place are at most `at`. */
typedef struct face {
  double x, y, z, at;
} face;

/* @param i  A side, or `count` for the bottom, or one more for the top. @param from  Places count from here. */
static face face_of(const lwi_screen *screen, int i, lw_vec3 from) {
  if (i == screen->count) return (face){.y = -1, .at = (double)from.y - screen->low - LWI_SCREEN_SHRINK};
  if (i > screen->count) return (face){.y = 1, .at = (double)screen->high - from.y - LWI_SCREEN_SHRINK};
  const lwi_cut_side *side = &screen->sides[i];
  const double x = -side->direction.z, z = side->direction.x; /* to its right */
  return (face){
      .x = x, .z = z, .at = (side->corner.x - from.x) * x + (side->corner.z - from.z) * z - LWI_SCREEN_SHRINK};
}

static double along(const face *of, lw_vec3 direction) {
  return of->x * direction.x + of->y * direction.y + of->z * direction.z;
}

/* Is the eye inside, and further from each face than what is too near to hide? */
static bool holds_eye(const lwi_screen *screen, lw_vec3 eye) {
  for (int i = 0; i < screen->count + 2; i++)
    if (!(face_of(screen, i, eye).at > (double)LWI_SIGHT_TRIANGLE_NEAR)) return false;
  return true;
}

static bool counts(const lwi_screen *screen, bool soft, uint32_t spared) {
  return (soft || screen->kind == LW_COVER_HARD) && (spared == 0 || screen->carrier != spared);
}

/* --- segments --------------------------------------------------------------------------------------------- */

/* Between the two sides at the eye, and two limits of u + v. */
#define TRIANGLE_CORNERS 4
#define CORNERS_MAX (TRIANGLE_CORNERS + LWI_OUTLINE_CORNERS + 2)

typedef struct place {
  double u, v;
} place;

/* Keep what is inside of a line, on which `u` u + `v` v is `at`. @param[in,out] corners  [CORNERS_MAX]
   @return How many corners are left; 0: nothing is. */
static int cut(place *corners, int count, double u, double v, double at) {
  double over[CORNERS_MAX];
  place kept[CORNERS_MAX];
  int outside = 0, left = 0;
  for (int i = 0; i < count; i++) {
    over[i] = u * corners[i].u + v * corners[i].v - at;
    outside += over[i] >= 0;
  }
  if (outside == 0) return count;
  if (outside == count) return 0;
  for (int i = 0; i < count; i++) {
    const int next = i + 1 < count ? i + 1 : 0;
    if (over[i] < 0) kept[left++] = corners[i];
    if ((over[i] < 0) == (over[next] < 0) || left == CORNERS_MAX) continue;
    const double t = over[i] / (over[i] - over[next]);
    kept[left++] = (place){corners[i].u + (corners[next].u - corners[i].u) * t,
                           corners[i].v + (corners[next].v - corners[i].v) * t};
  }
  for (int i = 0; i < left; i++) corners[i] = kept[i];
  return left;
}

/* The triangle of an eye and a segment. */
typedef struct view {
  lw_vec3 eye, a, b;        /* the ends from the eye */
  double nearest, furthest; /* screens hide between these parts of a line of sight */
  float low, high;
} view;

static double length2(lw_vec3 a) {
  return (double)a.x * a.x + (double)a.y * a.y + (double)a.z * a.z;
}

static view view_of(lw_vec3 eye, lw_vec3 from, lw_vec3 to) {
  const double near = (double)LWI_SIGHT_TRIANGLE_NEAR;
  view v = {.eye = eye, .a = lwi_sub(from, eye), .b = lwi_sub(to, eye)};
  const lw_vec3 line = lwi_sub(to, from);
  const double ax = v.a.x, ay = v.a.y, az = v.a.z, bx = v.b.x, by = v.b.y, bz = v.b.z;
  const double x = ay * bz - az * by, y = az * bx - ax * bz, z = ax * by - ay * bx;
  const double reach = sqrt(fmax(length2(v.a), length2(v.b))), area2 = x * x + y * y + z * z,
               base2 = length2(line);
  v.nearest = reach > 2 * near ? near / reach : 0.5;
  /* A millimetre before the segment, measured across it, and at most a part of the distance: see sight_triangle.c. */
  v.furthest = 1 - (double)LWI_SIGHT_TRIANGLE_BEFORE;
  if (near * near * base2 < (1 - v.furthest) * (1 - v.furthest) * area2)
    v.furthest = 1 - near * sqrt(base2 / area2);
  v.low = lwi_min(eye.y, lwi_min(from.y, to.y));
  v.high = lwi_max(eye.y, lwi_max(from.y, to.y));
  return v;
}

/* What of the segment the screen hides. @return false: nothing. */
static bool find_hidden(const lwi_screen *screen, const view *v, lwi_interval *hidden) {
  place corners[CORNERS_MAX] = {{v->nearest, 0}, {v->furthest, 0}, {0, v->furthest}, {0, v->nearest}};
  int count = TRIANGLE_CORNERS;
  if (v->high <= screen->low || v->low >= screen->high) return false;
  for (int i = 0; i < screen->count + 2 && count > 0; i++) {
    const face of = face_of(screen, i, v->eye);
    count = cut(corners, count, along(&of, v->a), along(&of, v->b), of.at);
  }
  if (count == 0) return false;
  double t0 = 1, t1 = 0;
  for (int i = 0; i < count; i++) {
    const double t = corners[i].v / (corners[i].u + corners[i].v);
    t0 = fmin(t0, t);
    t1 = fmax(t1, t);
  }
  const double end = 1e-6;
  *hidden = (lwi_interval){(float)(t0 < end ? 0 : t0), (float)(t1 > 1 - end ? 1 : t1)};
  return hidden->t0 < hidden->t1;
}

static bool is_all(const lwi_intervals *hidden) {
  return hidden->count == 1 && hidden->items[0].t0 <= 0 && hidden->items[0].t1 >= 1;
}

static int compare(const void *left, const void *right) {
  const lwi_interval *a = left, *b = right;
  if (a->t0 != b->t0) return a->t0 < b->t0 ? -1 : 1;
  return (a->t1 > b->t1) - (a->t1 < b->t1);
}

/* Parts are united in their order, so that the order in which the tree gives them does not matter. */
static bool unite(lwi_intervals *parts, lwi_intervals *hidden) {
  lwi_sort(parts->items, (size_t)parts->count, sizeof *parts->items, compare);
  for (int i = 0; i < parts->count; i++)
    if (!lwi_intervals_add(hidden, parts->items[i])) return false;
  return true;
}

/* What is being found for one height. */
typedef struct hiding {
  view view;
  bool is_done; /* all is hidden, or the height does not count */
  lwi_intervals *parts, *hidden;
} hiding;

static bool is_within(const lwi_intervals *hidden, lwi_interval part) {
  for (int i = 0; i < hidden->count; i++)
    if (hidden->items[i].t0 <= part.t0 && hidden->items[i].t1 >= part.t1) return true;
  return false;
}

/* @return false: no memory. */
static bool hide_by(const lwi_screen *screen, hiding *at) {
  lwi_interval part;
  if (at->is_done || !find_hidden(screen, &at->view, &part) || holds_eye(screen, at->view.eye) ||
      is_within(at->hidden, part))
    return true;
  if (part.t0 <= 0 && part.t1 >= 1) {
    at->is_done = true;
    at->parts->count = 0;
    return lwi_intervals_add(at->hidden, part);
  }
  lwi_intervals *parts = at->parts;
  if (!lwi_reserve(parts->memory, &parts->items, &parts->capacity, parts->count + 1, sizeof part)) return false;
  parts->items[parts->count++] = part;
  return true;
}

bool lwi_screens_hide(const lwi_screen_query *query, lwi_intervals *parts, lwi_intervals *hidden) {
  const lw_vec3 corners[] = {query->eye, query->from, query->to}, e = corners[0], a = corners[1],
                b = corners[2];
  const lwi_rectangle box = {lwi_min(e.x, lwi_min(a.x, b.x)), lwi_min(e.z, lwi_min(a.z, b.z)),
                             lwi_max(e.x, lwi_max(a.x, b.x)), lwi_max(e.z, lwi_max(a.z, b.z))};
  if (!lwi_rectangle_tree_may_meet(&query->screens->tree, &box)) return true;
  hiding heights[2] = {{.is_done = true}, {.is_done = true}};
  for (int i = 0; i < query->count; i++) {
    const lw_vec3 up = {0, query->heights[i], 0};
    heights[i] =
        (hiding){view_of(e, lwi_add(a, up), lwi_add(b, up)), is_all(&hidden[i]), &parts[i], &hidden[i]};
    parts[i].count = 0;
  }
  lwi_rectangle_walk walk = lwi_rectangle_walk_triangle(&query->screens->tree, corners);
  walk.limit = FAR; /* so that near ones come first: they hide most */
  for (uint32_t number; !(heights[0].is_done && heights[1].is_done) &&
                        (number = lwi_rectangle_walk_next(&walk)) != UINT32_MAX;) {
    const lwi_screen *screen = &query->screens->items[number];
    if (counts(screen, query->soft, query->spared) &&
        !(hide_by(screen, &heights[0]) && hide_by(screen, &heights[1])))
      return false;
  }
  for (int i = 0; i < query->count; i++)
    if (!unite(&parts[i], &hidden[i])) return false;
  return true;
}

/* --- lines of sight --------------------------------------------------------------------------------------- */

static bool meets_line(const lwi_screen *screen, lw_vec3 eye, lw_vec3 line, double margin) {
  double enter = margin, leave = 1 - margin;
  for (int i = 0; i < screen->count + 2; i++) {
    const face of = face_of(screen, i, eye);
    const double rise = along(&of, line);
    if (rise > 0)
      leave = fmin(leave, of.at / rise);
    else if (rise < 0)
      enter = fmax(enter, of.at / rise);
    else if (of.at <= 0)
      return false;
    if (!(enter < leave)) return false;
  }
  return true;
}

bool lwi_screens_see(const lwi_screens *screens, lw_vec3 eye, lw_vec3 target, bool soft, uint32_t spared) {
  const lw_vec3 line = lwi_sub(target, eye);
  const double length = sqrt(length2(line)), near = (double)LWI_SIGHT_TRIANGLE_NEAR;
  if (screens->count == 0 || !(length > 2 * near)) return true;
  const lwi_rectangle box = {lwi_min(eye.x, target.x), lwi_min(eye.z, target.z), lwi_max(eye.x, target.x),
                             lwi_max(eye.z, target.z)};
  if (!lwi_rectangle_tree_may_meet(&screens->tree, &box)) return true;
  lwi_rectangle_walk walk = lwi_rectangle_walk_line(&screens->tree, eye, target);
  for (uint32_t number; (number = lwi_rectangle_walk_next(&walk)) != UINT32_MAX;) {
    const lwi_screen *screen = &screens->items[number];
    if (counts(screen, soft, spared) && meets_line(screen, eye, line, near / length) && !holds_eye(screen, eye))
      return false;
  }
  return true;
}
