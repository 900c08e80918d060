#include "drive_oracle.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846
#define CELL 0.5 /* [m] */
#define HEADINGS 32
#define STEP 0.8    /* [m] */
#define OUTLINE 0.2 /* points of the outline are no farther apart [m] */
#define NEAR 0.6    /* of the goal [m] */
#define ALIKE 0.25  /* headings [rad] */

static bool free_along(const drive_oracle *of, drive_oracle_pose a, drive_oracle_pose b) {
  const int count = 1 + (int)(hypot(b.x - a.x, b.z - a.z) / OUTLINE);
  for (int i = 0; i <= count; i++) {
    const double t = (double)i / count;
    if (!of->is_free(of->ground, a.x + (b.x - a.x) * t, a.z + (b.z - a.z) * t)) return false;
  }
  return true;
}

static drive_oracle_pose corner(drive_oracle_pose at, double along, double left) {
  const double c = cos(at.heading), s = sin(at.heading);
  return (drive_oracle_pose){at.x + along * c - left * s, at.z - along * s - left * c, 0};
}

bool drive_oracle_stands(const drive_oracle *of, drive_oracle_pose at) {
  const double back = -(of->length - of->wheelbase) / 2, front = back + of->length, half = of->width / 2;
  const drive_oracle_pose corners[] = {corner(at, back, half), corner(at, front, half),
                                       corner(at, front, -half), corner(at, back, -half)};
  for (int i = 0; i < 4; i++)
    if (!free_along(of, corners[i], corners[(i + 1) % 4])) return false;
  return free_along(of, corner(at, back, 0), corner(at, front, 0));
}

static drive_oracle_pose move(const drive_oracle *of, drive_oracle_pose from, int turn, double length) {
  /* By small straight steps, half a turn each before and behind. */
  const int count = 16;
  for (int i = 0; i < count; i++) {
    const double step = length / count, turned = turn * step / of->radius;
    from.heading += turned / 2;
    from.x += step * cos(from.heading);
    from.z -= step * sin(from.heading);
    from.heading += turned / 2;
  }
  return from;
}

static long cell_of(const drive_oracle *of, drive_oracle_pose at) {
  const long side = (long)(of->size / CELL) + 1;
  const double turn = at.heading / (2 * PI) - floor(at.heading / (2 * PI));
  const long x = (long)(at.x / CELL), z = (long)(at.z / CELL), heading = (long)(turn * HEADINGS) % HEADINGS;
  return x < 0 || z < 0 || x >= side || z >= side ? -1 : (z * side + x) * HEADINGS + heading;
}

static bool is_there(drive_oracle_pose at, drive_oracle_pose to) {
  return hypot(at.x - to.x, at.z - to.z) < NEAR && fabs(remainder(at.heading - to.heading, 2 * PI)) < ALIKE;
}

bool drive_oracle_reaches(const drive_oracle *of, drive_oracle_pose from, drive_oracle_pose to) {
  const long side = (long)(of->size / CELL) + 1, cells = side * side * HEADINGS;
  drive_oracle_pose *queue = malloc((size_t)cells * sizeof *queue);
  bool *seen = calloc((size_t)cells, sizeof *seen), found = false;
  long count = 0;
  if (!queue || !seen) abort();
  if (cell_of(of, from) >= 0) {
    seen[cell_of(of, from)] = true;
    queue[count++] = from;
  }
  for (long i = 0; i < count && !found; i++) {
    found = is_there(queue[i], to);
    for (int k = 0; k < 6; k++) {
      const double length = k < 3 ? STEP : -STEP;
      const drive_oracle_pose middle = move(of, queue[i], k % 3 - 1, length / 2);
      const drive_oracle_pose end = move(of, queue[i], k % 3 - 1, length);
      const long cell = cell_of(of, end);
      if (cell < 0 || seen[cell] || !drive_oracle_stands(of, middle) || !drive_oracle_stands(of, end)) continue;
      seen[cell] = true;
      queue[count++] = end;
    }
  }
  free(queue);
  free(seen);
  return found;
}
