#include "links/link_clearance.h"

#include "core/vec3.h"

#include <math.h>

/* Where something leans, steps are this fine, in radius or in height. [m] */
#define RADIUS_STEP 0.01
#define HEIGHT_STEP 0.05
/* What is no higher above a height than this touches it. [m] */
#define TOUCH 1e-3
/* Where a part of the arc rises or falls by more, it is looked at in more parts, up to a number for each. [m] */
#define PART_HEIGHT 0.05f
#define PARTS_MAX 6
/* The bake allows for a voxel that things are higher than the ground they stand on, and this much beside. [m] */
#define MIN_STEP 0.25
#define MIN_RADIUS 0.05

/* --- steps ------------------------------------------------------------------------------------------------ */

bool lwi_link_clearance_fits(const lwi_link_clearance *clearance, float radius, float height) {
  for (int i = 0; i < clearance->count; i++)
    if (radius - LWI_LINK_CLEARANCE_SLACK > clearance->steps[i].radius &&
        height - LWI_LINK_CLEARANCE_SLACK > clearance->steps[i].height)
      return false;
  return true;
}

static void remove_at(lwi_link_clearance *clearance, int at) {
  clearance->count -= 1;
  for (int i = at; i < clearance->count; i++) clearance->steps[i] = clearance->steps[i + 1];
}

/* Let two steps be one where that takes the fewest bodies away. */
static void join_two(lwi_link_clearance *clearance) {
  int best = 0;
  float smallest = INFINITY;
  for (int i = 0; i + 1 < clearance->count; i++) {
    const lwi_clearance_step a = clearance->steps[i], b = clearance->steps[i + 1];
    const float loss = (b.radius - a.radius) * (a.height - b.height);
    if (loss >= smallest) continue;
    smallest = loss;
    best = i;
  }
  clearance->steps[best].height = clearance->steps[best + 1].height;
  remove_at(clearance, best + 1);
}

static void add_step(lwi_link_clearance *clearance, double radius, double height) {
  const lwi_clearance_step step = {(float)radius, (float)height};
  int at = 0;
  while (at < clearance->count && clearance->steps[at].radius <= step.radius)
    if (clearance->steps[at++].height <= step.height) return;
  while (at > 0 && clearance->steps[at - 1].radius >= step.radius) at -= 1;
  while (at < clearance->count && clearance->steps[at].height >= step.height) remove_at(clearance, at);
  if (clearance->count == LWI_LINK_CLEARANCE_STEPS) {
    join_two(clearance);
    add_step(clearance, radius, height);
    return;
  }
  for (int i = clearance->count++; i > at; i--) clearance->steps[i] = clearance->steps[i - 1];
  clearance->steps[at] = step;
}

/* --- outlines --------------------------------------------------------------------------------------------- */

/* A convex polygon, or what of it lies between two heights. */
typedef struct outline {
  int count;
  lwi_point2 at[LWI_CUT_SIDES + 2]; /* [count] */
  double y[LWI_CUT_SIDES + 2];
} outline;

static void add_corner(outline *to, lwi_point2 at, double y) {
  to->at[to->count] = at;
  to->y[to->count++] = y;
}

/* Keep what is above `limit` (sign 1) or below it (sign -1). */
static void clip(const outline *from, double sign, double limit, outline *to) {
  to->count = 0;
  for (int i = 0; i < from->count; i++) {
    const int k = i + 1 < from->count ? i + 1 : 0;
    const double a = sign * (from->y[i] - limit), b = sign * (from->y[k] - limit);
    if (a >= 0) add_corner(to, from->at[i], from->y[i]);
    if ((a < 0) == (b < 0)) continue;
    add_corner(to, lwi_point2_lerp(from->at[i], from->at[k], a / (a - b)), limit);
  }
}

static double apart(lwi_point2 a, lwi_point2 b, lwi_point2 at) {
  const double dx = b.x - a.x, dz = b.z - a.z, length2 = dx * dx + dz * dz;
  double t = length2 > 0 ? ((at.x - a.x) * dx + (at.z - a.z) * dz) / length2 : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  return lwi_point2_distance(lwi_point2_lerp(a, b, t), at);
}

static bool cross(lwi_point2 a, lwi_point2 b, lwi_point2 c, lwi_point2 d) {
  return (lwi_point2_turn(a, b, c) > 0) != (lwi_point2_turn(a, b, d) > 0) &&
         (lwi_point2_turn(c, d, a) > 0) != (lwi_point2_turn(c, d, b) > 0);
}

/* How far a part of the arc is from an outline, seen from above. It may go round in either direction, or be a line. */
static double distance_of(const outline *from, lwi_point2 a, lwi_point2 b) {
  double nearest = INFINITY;
  int left = 0, right = 0;
  for (int i = 0; i < from->count; i++) {
    const lwi_point2 c = from->at[i], d = from->at[i + 1 < from->count ? i + 1 : 0];
    if (cross(a, b, c, d)) return 0;
    nearest = fmin(nearest, fmin(apart(a, b, c), fmin(apart(c, d, a), apart(c, d, b))));
    left += lwi_point2_turn(c, d, a) > 0;
    right += lwi_point2_turn(c, d, a) < 0;
  }
  return from->count > 0 && (left == 0) != (right == 0) ? 0 : nearest;
}

/* --- what is measured ------------------------------------------------------------------------------------- */

lw_box lwi_clearance_measure_box(const lwi_clearance_measure *measure) {
  lw_box box = measure->arc.box;
  box.min.x -= measure->radius;
  box.min.z -= measure->radius;
  box.max.x += measure->radius;
  box.max.z += measure->radius;
  box.max.y += measure->height;
  return box;
}

/* A part of the arc, or of a part: where the feet are, above which height the body is, and from where its height is
   measured. */
typedef struct sweep_part {
  lwi_point2 a, b;
  double low, top; /* [m] */
} sweep_part;

typedef struct sweep {
  int count;
  sweep_part parts[LWI_JUMP_PARTS * PARTS_MAX]; /* [count] */
} sweep;

static void add_parts(sweep *to, const lwi_clearance_measure *measure, lw_vec3 from, lw_vec3 end) {
  const float rise = fabsf(end.y - from.y) / PART_HEIGHT;
  const int count = lwi_distance_xz(from, end) > 0 ? (int)fminf(PARTS_MAX, fmaxf(1, ceilf(rise))) : 1;
  for (int i = 0; i < count; i++) {
    const lw_vec3 a = lwi_lerp(from, end, (float)i / (float)count),
                  b = lwi_lerp(from, end, (float)(i + 1) / (float)count);
    to->parts[to->count++] =
        (sweep_part){lwi_point2_of(a), lwi_point2_of(b),
                     (double)fminf(a.y, b.y) + (double)measure->smallest.step, (double)fmaxf(a.y, b.y)};
  }
}

static void find_sweep(const lwi_clearance_measure *measure, sweep *to) {
  to->count = 0;
  for (int i = 0; i < measure->arc.parts; i++)
    add_parts(to, measure, measure->arc.points[i], measure->arc.points[i + 1]);
}

void lwi_link_clearance_add_footprint(lwi_link_clearance *clearance, const lwi_clearance_measure *measure,
                                      const lwi_footprint *footprint) {
  outline shape = {.count = 0};
  sweep along;
  find_sweep(measure, &along);
  for (int i = 0; i < footprint->count; i++) add_corner(&shape, footprint->sides[i].corner, 0);
  for (int i = 0; i < along.count; i++) {
    const sweep_part *part = &along.parts[i];
    const double height = (double)footprint->low - part->top;
    if ((double)footprint->high <= part->low || height >= (double)measure->height) continue;
    const double radius = distance_of(&shape, part->a, part->b);
    if (radius < (double)measure->radius) add_step(clearance, radius, height);
  }
}

/* Does the smallest body touch it on that part, also as the bake looks at it? @param above  What of it is above the part's
   lower height. */
static bool is_touched(const lwi_clearance_measure *measure, const sweep_part *part, const outline *above) {
  outline higher, within;
  clip(above, 1, part->low + MIN_STEP, &higher);
  clip(&higher, -1, part->top + (double)measure->smallest.height - (double)LWI_LINK_CLEARANCE_SLACK, &within);
  return within.count > 0 &&
         distance_of(&within, part->a, part->b) < (double)measure->smallest.radius - MIN_RADIUS;
}

/* The smallest body passes beside what it does not touch. */
static void add_beside(lwi_link_clearance *clearance, const lwi_clearance_measure *measure, double radius,
                       double height) {
  const bool is_beside = height < (double)measure->smallest.height;
  add_step(clearance, is_beside ? fmax(radius, (double)measure->smallest.radius) : radius, height);
}

/* A piece of a facet between two heights, and how far it and what is below it are from the part. */
typedef struct slice {
  double low, high;       /* [m] */
  double at_low, at_high; /* Distances of what lies below. [m] */
} slice;

/* Pieces further up are not nearer, so a slice of which both ends are as near is one step. */
static void add_slices(lwi_link_clearance *clearance, const lwi_clearance_measure *measure,
                       const sweep_part *part, const outline *above, slice of) {
  if (of.at_high >= (double)measure->radius || of.low - part->top >= (double)measure->height) return;
  if (of.at_low - of.at_high < RADIUS_STEP || of.high - of.low < HEIGHT_STEP) {
    add_beside(clearance, measure, of.at_high, of.low - part->top);
    return;
  }
  outline below;
  const double middle = (of.low + of.high) / 2;
  clip(above, -1, middle, &below);
  const double at_middle = distance_of(&below, part->a, part->b);
  add_slices(clearance, measure, part, above, (slice){of.low, middle, of.at_low, at_middle});
  add_slices(clearance, measure, part, above, (slice){middle, of.high, at_middle, of.at_high});
}

static void add_above(lwi_link_clearance *clearance, const lwi_clearance_measure *measure,
                      const sweep_part *part, const outline *above) {
  slice whole = {INFINITY, -INFINITY, 0, 0};
  outline lowest;
  for (int i = 0; i < above->count; i++) {
    whole.low = fmin(whole.low, above->y[i]);
    whole.high = fmax(whole.high, above->y[i]);
  }
  clip(above, -1, whole.low + TOUCH, &lowest);
  whole.at_low = distance_of(&lowest, part->a, part->b);
  whole.at_high = distance_of(above, part->a, part->b);
  add_slices(clearance, measure, part, above, whole);
}

/* @return false: it does not reach above the part's lower height. */
static bool lies_above(const outline *facet, const sweep_part *part, outline *above) {
  clip(facet, 1, part->low, above);
  for (int i = 0; i < above->count; i++)
    if (above->y[i] > part->low + TOUCH) return true;
  return false;
}

void lwi_link_clearance_add_facet(lwi_link_clearance *clearance, const lwi_clearance_measure *measure,
                                  const lw_vec3 *corners, int count) {
  outline facet = {.count = 0}, above;
  sweep along;
  find_sweep(measure, &along);
  for (int i = 0; i < count && i < LWI_LINK_CLEARANCE_CORNERS; i++)
    add_corner(&facet, lwi_point2_of(corners[i]), (double)corners[i].y);
  for (int i = 0; i < along.count; i++)
    if (lies_above(&facet, &along.parts[i], &above) && is_touched(measure, &along.parts[i], &above)) return;
  for (int i = 0; i < along.count; i++)
    if (lies_above(&facet, &along.parts[i], &above)) add_above(clearance, measure, &along.parts[i], &above);
}
