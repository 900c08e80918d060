#include "mesh/outline.h"

#include <stdio.h>

#define PI 3.14159265358979
#define SMALLEST_AREA2 1e-9 /* [m2] */

static lw_vec3 corner_at(const lwi_outline *outline, int i) {
  return outline->vertices[outline->corners[i % outline->count]];
}

static double area2(const lwi_outline *outline) {
  double sum = 0;
  for (int i = 2; i < outline->count; i++)
    sum += lwi_turn(corner_at(outline, 0), corner_at(outline, i - 1), corner_at(outline, i));
  return sum;
}

/* Every next corner must lie left of each edge, and all turns together go round once. */
lwi_outline_fault lwi_outline_check(const lwi_outline *outline, double slack, int *corner) {
  double area = area2(outline), whole = 0;
  *corner = 0;
  if (fabs(area) < SMALLEST_AREA2) return LWI_OUTLINE_FLAT;
  for (int i = 0; i < outline->count; i++) {
    lw_vec3 a = corner_at(outline, i), b = corner_at(outline, i + 1), c = corner_at(outline, i + 2);
    double length = hypot((double)b.x - a.x, (double)b.z - a.z), turn = lwi_turn(a, b, c);
    *corner = i;
    if (length == 0) return LWI_OUTLINE_POINT;
    if (area < 0) continue;
    *corner = (i + 1) % outline->count;
    if (turn < -slack * length) return LWI_OUTLINE_CONCAVE;
    whole += atan2(turn, ((double)b.x - a.x) * ((double)c.x - b.x) + ((double)b.z - a.z) * ((double)c.z - b.z));
  }
  *corner = 0;
  if (area < 0) return LWI_OUTLINE_CLOCKWISE;
  return whole > 3 * PI ? LWI_OUTLINE_STAR : LWI_OUTLINE_FINE;
}

void lwi_outline_describe(const lwi_outline *outline, lwi_outline_fault fault, int corner, char *text,
                          size_t size) {
  lw_vec3 at = corner_at(outline, corner);
  switch (fault) {
  case LWI_OUTLINE_FINE: snprintf(text, size, "is fine"); break;
  case LWI_OUTLINE_FLAT: snprintf(text, size, "is degenerate: it has no area seen from above"); break;
  case LWI_OUTLINE_CLOCKWISE: snprintf(text, size, "is wound clockwise seen from above"); break;
  case LWI_OUTLINE_STAR: snprintf(text, size, "crosses itself"); break;
  case LWI_OUTLINE_POINT:
    snprintf(text, size, "is degenerate: its corners %d and %d are one place seen from above", corner + 1,
             (corner + 1) % outline->count + 1);
    break;
  case LWI_OUTLINE_CONCAVE:
    snprintf(text, size, "is concave at its corner %d (%g, %g, %g): split it into convex ones", corner + 1,
             (double)at.x, (double)at.y, (double)at.z);
    break;
  }
}
