/* Gates across a room at spots within it, where a watched way turns or the ground bends under it: there it can be bent as at
   portals. */
#include "search/path_trace.h"

#include <math.h>
#include <string.h>

/* A gate goes so far to either side, if the room does. [m] */
#define HALF_GATE 6.0f

/* How far a line runs within the polygon on both sides of a place in it. [m] */
typedef struct extent {
  double back, ahead;
} extent;

static extent extent_along(const lwi_polygon *polygon, lw_vec3 at, lw_vec3 way) {
  extent of = {HALF_GATE, HALF_GATE};
  for (uint32_t i = 0; i < polygon->count; i++) {
    lw_vec3 a = lwi_corner(polygon, i), b = lwi_corner(polygon, lwi_next_corner(polygon, i));
    double here = fmax(0, lwi_turn(a, b, at)), change = lwi_turn(a, b, lwi_add(at, way)) - lwi_turn(a, b, at);
    if (change < 0) of.ahead = fmin(of.ahead, here / -change);
    if (change > 0) of.back = fmin(of.back, here / change);
  }
  return of;
}

lwi_gate lwi_spot_gate(const lw_navmesh *mesh, uint32_t index, lw_vec3 before, lw_vec3 at, lw_vec3 behind) {
  const lwi_polygon polygon = lwi_polygon_get(mesh, index);
  float x = behind.x - before.x, z = behind.z - before.z, length = sqrtf(x * x + z * z);
  lw_vec3 left = {1, 0, 0};
  if (length > 0) left = (lw_vec3){z / length, 0, -x / length};
  const extent of = extent_along(&polygon, at, left);
  return (lwi_gate){.left = lwi_add(at, lwi_scale(left, (float)of.ahead)),
                    .right = lwi_add(at, lwi_scale(left, -(float)of.back))};
}

/* --- over uneven ground ------------------------------------------------------------------------------------------- */

/* Looks at the ground under a straight piece are so far apart; a piece may be so far off it, for a body is as well seen there.
   [m] */
#define LOOK 2.0f
#define OFF 0.2f
#define LOOKS_MAX LWI_GROUND_BENDS

/* A straight piece within one polygon, cut where the ground bends. */
typedef struct cut_piece {
  const lw_navmesh *mesh;
  uint32_t polygon;
  int looks;
  lw_vec3 ground[LOOKS_MAX + 1]; /* [looks + 1] */
  bool cut[LOOKS_MAX + 1];
} cut_piece;

static float height_off(lw_vec3 a, lw_vec3 b, float t, lw_vec3 ground) {
  return fabsf(a.y + (b.y - a.y) * t - ground.y);
}

/* Cut where it is furthest off, and both halves again (Ramer 1972, Douglas and Peucker 1973). */
static void cut_between(cut_piece *piece, int first, int last) {
  int worst = -1;
  float most = OFF;
  for (int i = first + 1; i < last; i++) {
    float off = height_off(piece->ground[first], piece->ground[last],
                           (float)(i - first) / (float)(last - first), piece->ground[i]);
    if (off <= most) continue;
    most = off;
    worst = i;
  }
  if (worst < 0) return;
  piece->cut[worst] = true;
  cut_between(piece, first, worst);
  cut_between(piece, worst, last);
}

static void cut_up(cut_piece *piece, lw_vec3 from, lw_vec3 to) {
  piece->looks = (int)fminf(LOOKS_MAX, ceilf(lwi_distance(from, to) / LOOK));
  for (int i = 0; i <= piece->looks; i++) {
    lw_vec3 at = lwi_lerp(from, to, (float)i / (float)piece->looks);
    if (i > 0 && i < piece->looks) at.y = lwi_polygon_height(piece->mesh, piece->polygon, at.x, at.z);
    piece->ground[i] = at;
    piece->cut[i] = false;
  }
  if (piece->looks > 1) cut_between(piece, 0, piece->looks);
}

int lwi_ground_bends(const lw_navmesh *mesh, uint32_t polygon, lw_vec3 from, lw_vec3 to, lw_vec3 *bends) {
  cut_piece piece = {.mesh = mesh, .polygon = polygon};
  int count = 0;
  cut_up(&piece, from, to);
  for (int i = 1; i < piece.looks; i++)
    if (piece.cut[i]) bends[count++] = piece.ground[i];
  return count;
}

float lwi_charge_over_ground(const lwi_charges *charges, uint32_t polygon, lw_vec3 from, lw_vec3 to) {
  lw_vec3 bends[LWI_GROUND_BENDS];
  int count = charges->watch ? lwi_ground_bends(charges->mesh, polygon, from, to, bends) : 0;
  float sum = 0;
  for (int i = 0; i <= count; i++) {
    lw_vec3 next = i < count ? bends[i] : to;
    float cost = lwi_charge_sum(charges, polygon, from, next);
    if (cost < 0) return cost;
    sum += cost;
    from = next;
  }
  return sum;
}
