/* How much of a polygon circles cover together: by strips, in each of which the circles are intervals. On a slope a
   circle over the surface is an ellipse in xz. */
#include "query/flood.h"

#include <math.h>

#define STRIPS 96

/* Rise of the polygon's mean plane along x and z (Newell's normal). */
static void find_slope(const lwi_polygon *polygon, double *rise_x, double *rise_z) {
  double nx = 0, ny = 0, nz = 0;
  lw_vec3 origin = lwi_corner(polygon, 0);
  for (uint32_t i = 2; i < polygon->count; i++) {
    lw_vec3 a = lwi_sub(lwi_corner(polygon, i - 1), origin), b = lwi_sub(lwi_corner(polygon, i), origin);
    nx += (double)a.y * b.z - (double)a.z * b.y;
    ny += (double)a.z * b.x - (double)a.x * b.z;
    nz += (double)a.x * b.y - (double)a.y * b.x;
  }
  *rise_x = *rise_z = 0;
  if (fabs(ny) < 1e-12) return;
  *rise_x = -nx / ny;
  *rise_z = -nz / ny;
}

typedef struct interval {
  double from, to;
} interval;

/* Where the polygon's line at `z` is. */
static interval line_of(const lwi_polygon *polygon, double z) {
  interval line = {INFINITY, -INFINITY};
  for (uint32_t i = 0; i < polygon->count; i++) {
    lw_vec3 a = lwi_corner(polygon, i), b = lwi_corner(polygon, lwi_next_corner(polygon, i));
    if (((double)a.z > z) == ((double)b.z > z)) continue;
    double x = a.x + ((double)b.x - a.x) * (z - a.z) / ((double)b.z - a.z);
    line.from = fmin(line.from, x);
    line.to = fmax(line.to, x);
  }
  return line;
}

typedef struct strip {
  double z, rise_x, rise_z;
  interval line, parts[LWI_FLOOD_CIRCLES]; /* sorted by `from` */
  int count;
} strip;

static void add_circle(strip *s, const lwi_flood_circle *circle) {
  double dz = s->z - circle->center.z;
  double a = 1 + s->rise_x * s->rise_x, b = s->rise_x * s->rise_z * dz;
  double c = (1 + s->rise_z * s->rise_z) * dz * dz - circle->radius * circle->radius;
  double under = b * b - a * c;
  if (under <= 0) return;
  double middle = circle->center.x - b / a, half = sqrt(under) / a;
  interval part = {fmax(s->line.from, middle - half), fmin(s->line.to, middle + half)};
  if (!(part.from < part.to)) return;
  int i = s->count++;
  for (; i > 0 && s->parts[i - 1].from > part.from; i--) s->parts[i] = s->parts[i - 1];
  s->parts[i] = part;
}

static double covered_length(const strip *s) {
  double sum = 0, done = -INFINITY;
  for (int i = 0; i < s->count; i++) {
    double from = fmax(done, s->parts[i].from);
    if (s->parts[i].to <= from) continue;
    sum += s->parts[i].to - from;
    done = s->parts[i].to;
  }
  return sum;
}

/* How far along z the circles reach. */
static void clip_to_circles(const lwi_flood_circle *circles, int count, double *low, double *high) {
  double first = INFINITY, last = -INFINITY;
  for (int i = 0; i < count; i++) {
    first = fmin(first, circles[i].center.z - circles[i].radius);
    last = fmax(last, circles[i].center.z + circles[i].radius);
  }
  *low = fmax(*low, first);
  *high = fmin(*high, last);
}

double lwi_covered_area(const lwi_polygon *polygon, const lwi_flood_circle *circles, int count) {
  strip s = {0};
  double low = INFINITY, high = -INFINITY, covered = 0, whole = 0;
  find_slope(polygon, &s.rise_x, &s.rise_z);
  for (uint32_t i = 0; i < polygon->count; i++) {
    low = fmin(low, (double)lwi_corner(polygon, i).z);
    high = fmax(high, (double)lwi_corner(polygon, i).z);
  }
  double bottom = low, top = high;
  clip_to_circles(circles, count, &low, &high);
  if (!(low < high)) return 0;
  for (int k = 0; k < STRIPS; k++) {
    s.z = low + (high - low) * (k + 0.5) / STRIPS;
    s.line = line_of(polygon, s.z);
    s.count = 0;
    if (!(s.line.from < s.line.to)) continue;
    for (int i = 0; i < count; i++) add_circle(&s, &circles[i]);
    covered += covered_length(&s);
    whole += s.line.to - s.line.from;
  }
  if (low > bottom || high < top) return covered * (high - low) / STRIPS;
  /* The part of the strips that is covered, of the exact area. */
  return whole > 0 ? lwi_polygon_area2(polygon) / 2 * (covered / whole) : 0;
}
