#include "drive_oracle.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846
#define CELL 0.5 /* [m] */
#define HEADINGS 32
#define TRAILERS 12 /* angles of a trailer in a turn, about the vehicle's line */
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
  return (drive_oracle_pose){at.x + along * c - left * s, at.z - along * s - left * c, 0, 0};
}

static bool box_stands(const drive_oracle *of, drive_oracle_pose at, double back, double front, double width) {
  const double half = width / 2;
  const drive_oracle_pose corners[] = {corner(at, back, half), corner(at, front, half),
                                       corner(at, front, -half), corner(at, back, -half)};
  for (int i = 0; i < 4; i++)
    if (!free_along(of, corners[i], corners[(i + 1) % 4])) return false;
  return free_along(of, corner(at, back, 0), corner(at, front, 0));
}

bool drive_oracle_stands(const drive_oracle *of, drive_oracle_pose at) {
  const double back = -(of->length - of->wheelbase) / 2;
  const drive_oracle_trailer *trailer = &of->trailer;
  if (!box_stands(of, at, back, back + of->length, of->width)) return false;
  if (trailer->length <= 0) return true;
  drive_oracle_pose joint = corner(at, -trailer->joint, 0);
  joint.heading = at.trailer;
  return box_stands(of, joint, -trailer->drawbar - trailer->length, -trailer->drawbar, trailer->width);
}

/* By how much the trailer turns with a metre of the vehicle. */
static double trailer_turn(const drive_oracle *of, const drive_oracle_pose *at, int turn) {
  const double angle = at->heading - at->trailer, joint = of->trailer.joint * turn / of->radius;
  return (sin(angle) - joint * cos(angle)) / of->trailer.wheelbase;
}

drive_oracle_pose drive_oracle_move(const drive_oracle *of, drive_oracle_pose from, int turn, double length) {
  /* By small straight steps, half a turn each before and behind. */
  const int count = 16 + (int)(fabs(length) / 0.05);
  for (int i = 0; i < count; i++) {
    const double step = length / count, turned = turn * step / of->radius;
    from.heading += turned / 2;
    if (of->trailer.length > 0) from.trailer += step * trailer_turn(of, &from, turn);
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
  const long cell = x < 0 || z < 0 || x >= side || z >= side ? -1 : (z * side + x) * HEADINGS + heading;
  if (cell < 0 || of->trailer.length <= 0) return cell;
  const double angle = remainder(at.trailer - at.heading, 2 * PI);
  const long bin = (long)((angle / of->trailer.max_angle + 1) / 2 * TRAILERS);
  return fabs(angle) < of->trailer.max_angle ? cell * TRAILERS + bin : -1;
}

static bool is_there(drive_oracle_pose at, drive_oracle_pose to) {
  return hypot(at.x - to.x, at.z - to.z) < NEAR && fabs(remainder(at.heading - to.heading, 2 * PI)) < ALIKE;
}

bool drive_oracle_reaches(const drive_oracle *of, drive_oracle_pose from, drive_oracle_pose to) {
  const long side = (long)(of->size / CELL) + 1;
  const long cells = side * side * HEADINGS * (of->trailer.length > 0 ? TRAILERS : 1);
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
      const drive_oracle_pose middle = drive_oracle_move(of, queue[i], k % 3 - 1, length / 2);
      const drive_oracle_pose end = drive_oracle_move(of, queue[i], k % 3 - 1, length);
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
