#include "search/curves.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846
/* Angles that are less than this below zero are zero: rounding. */
#define ZERO 1e-7

/* In the following, lengths are in radii, y points up, and curves begin at (0, 0) with the heading 0. */

/* An angle from 0 on to a whole turn. */
static double whole(double angle) {
  const double turn = angle - 2 * PI * floor(angle / (2 * PI));
  return turn > 2 * PI - ZERO ? 0 : turn;
}

/* An angle from minus half a turn to half a turn. */
static double half(double angle) {
  double turn = fmod(angle, 2 * PI);
  if (turn < -PI) turn += 2 * PI;
  if (turn > PI) turn -= 2 * PI;
  return turn;
}

lwi_curve_pose lwi_curve_move(lwi_curve_pose from, double radius, int turn, double length) {
  if (turn == 0)
    return (lwi_curve_pose){from.x + length * cos(from.heading), from.z - length * sin(from.heading),
                            from.heading};
  const double side = turn * radius, heading = from.heading + length / side;
  return (lwi_curve_pose){from.x + side * (sin(heading) - sin(from.heading)),
                          from.z + side * (cos(heading) - cos(from.heading)), heading};
}

/* The target as seen from the start. */
typedef struct target {
  double x, y, heading;
} target;

static target see(lwi_curve_pose from, lwi_curve_pose to, double radius) {
  const double dx = (to.x - from.x) / radius, dy = (from.z - to.z) / radius;
  const double c = cos(from.heading), s = sin(from.heading);
  return (target){dx * c + dy * s, dy * c - dx * s, half(to.heading - from.heading)};
}

static void scale(lwi_curve *curve, double radius) {
  curve->length = 0;
  for (int i = 0; i < curve->count; i++) {
    curve->lengths[i] *= radius;
    curve->length += fabs(curve->lengths[i]);
  }
  curve->cost = curve->length;
}

/* --- forwards ----------------------------------------------------------------------------------------------------- */

typedef struct arcs {
  double t, p, q; /* of the three pieces */
} arcs;

/* Both arcs to one side: to the left; for arcs to the right the plane is mirrored. */
static bool same_side(target to, arcs *out) {
  const double x = to.x - sin(to.heading), y = to.y - 1 + cos(to.heading);
  out->p = hypot(x, y);
  out->t = out->p > ZERO ? whole(atan2(y, x)) : 0;
  out->q = whole(to.heading - out->t);
  return true;
}

/* Left, straight, right. */
static bool other_side(target to, arcs *out) {
  const double x = to.x + sin(to.heading), y = to.y - 1 - cos(to.heading), far2 = x * x + y * y;
  if (far2 < 4 - ZERO) return false;
  out->p = sqrt(fmax(0, far2 - 4));
  out->t = whole(atan2(y, x) + atan2(2, out->p));
  out->q = whole(out->t - to.heading);
  return true;
}

/* Left, right by more than half a turn, left. */
static bool three_arcs(target to, arcs *out) {
  const double x = to.x - sin(to.heading), y = to.y - 1 + cos(to.heading), far = hypot(x, y);
  if (far > 4) return false;
  out->p = 2 * PI - 2 * asin(far / 4);
  out->t = whole(atan2(y, x) + out->p / 2);
  out->q = whole(to.heading - out->t + out->p);
  return true;
}

void lwi_curve_forwards(lwi_curve_pose from, lwi_curve_pose to, double radius, lwi_curve *curve) {
  static const struct {
    bool (*solve)(target to, arcs *out);
    int turns[3];
  } words[] = {{same_side, {1, 0, 1}}, {other_side, {1, 0, -1}}, {three_arcs, {1, -1, 1}}};
  const target seen = see(from, to, radius);
  double lowest = INFINITY;
  *curve = (lwi_curve){.count = 3};
  for (int i = 0; i < 6; i++) {
    const int side = i % 2 ? -1 : 1;
    arcs found;
    if (!words[i / 2].solve((target){seen.x, side * seen.y, side * seen.heading}, &found)) continue;
    const double length = found.t + found.p + found.q;
    if (!(length < lowest)) continue;
    lowest = length;
    const double lengths[] = {found.t, found.p, found.q};
    for (int k = 0; k < 3; k++) {
      curve->turns[k] = side * words[i / 2].turns[k];
      curve->lengths[k] = lengths[k];
    }
  }
  scale(curve, radius);
}

bool lwi_curve_to_place(lwi_curve_pose from, lwi_curve_pose to, double radius, int turn, int gear,
                        lwi_curve *curve) {
  const target seen = see(from, to, radius);
  const double x = gear * seen.x, y = turn * seen.y - 1, far2 = x * x + y * y;
  if (far2 < 1) return false;
  const double straight = sqrt(far2 - 1), arc = whole(atan2(y, x) + atan2(1, straight));
  *curve = (lwi_curve){.count = 2, .turns = {turn, 0}, .lengths = {gear * arc, gear * straight}};
  scale(curve, radius);
  return true;
}

/* --- forwards and backwards --------------------------------------------------------------------------------------- */

/* Reeds and Shepp, formulas 8.1 to 8.11. `t`, `u` and `v` are the free lengths of a word. */
typedef struct free_lengths {
  double t, u, v;
} free_lengths;

/* 8.1: L+ S+ L+ */
static bool lsl(target to, free_lengths *out) {
  const double x = to.x - sin(to.heading), y = to.y - 1 + cos(to.heading);
  out->u = hypot(x, y);
  out->t = atan2(y, x);
  out->v = half(to.heading - out->t);
  return out->t >= -ZERO && out->v >= -ZERO;
}

/* 8.2: L+ S+ R+ */
static bool lsr(target to, free_lengths *out) {
  const double x = to.x + sin(to.heading), y = to.y - 1 - cos(to.heading), far2 = x * x + y * y;
  if (far2 < 4 - ZERO) return false;
  out->u = sqrt(fmax(0, far2 - 4));
  out->t = half(atan2(y, x) + atan2(2, out->u));
  out->v = half(out->t - to.heading);
  return out->t >= -ZERO && out->v >= -ZERO;
}

/* 8.3, 8.4: L+ R- L */
static bool lrl(target to, free_lengths *out) {
  const double x = to.x - sin(to.heading), y = to.y - 1 + cos(to.heading), far = hypot(x, y);
  if (far > 4) return false;
  out->u = -2 * asin(far / 4);
  out->t = half(atan2(y, x) + out->u / 2 + PI);
  out->v = half(to.heading - out->t + out->u);
  return out->t >= -ZERO && out->u <= ZERO;
}

static void outer_arcs(double u, double v, target centre, double heading, free_lengths *out) {
  const double delta = half(u - v), a = sin(u) - sin(delta), b = cos(u) - cos(delta) - 1;
  const double angle = atan2(centre.y * a - centre.x * b, centre.x * a + centre.y * b);
  const double side = 2 * (cos(delta) - cos(v) - cos(u)) + 3;
  out->t = side < 0 ? half(angle + PI) : half(angle);
  out->v = half(out->t - u + v - heading);
}

/* 8.7: L+ R+ L- R- */
static bool lrlr(target to, free_lengths *out) {
  const target centre = {to.x + sin(to.heading), to.y - 1 - cos(to.heading), 0};
  const double rho = (2 + hypot(centre.x, centre.y)) / 4;
  if (rho > 1) return false;
  out->u = acos(rho);
  outer_arcs(out->u, -out->u, centre, to.heading, out);
  return out->t >= -ZERO && out->v <= ZERO;
}

/* 8.8: L+ R- L- R+ */
static bool lrlr_inner(target to, free_lengths *out) {
  const target centre = {to.x + sin(to.heading), to.y - 1 - cos(to.heading), 0};
  const double rho = (20 - centre.x * centre.x - centre.y * centre.y) / 16;
  if (rho < 0 || rho > 1) return false;
  out->u = -acos(rho);
  if (out->u < -PI / 2) return false;
  outer_arcs(out->u, out->u, centre, to.heading, out);
  return out->t >= -ZERO && out->v >= -ZERO;
}

/* 8.9: L+ R- S- L- */
static bool lrsl(target to, free_lengths *out) {
  const double x = to.x - sin(to.heading), y = to.y - 1 + cos(to.heading), far2 = x * x + y * y;
  if (far2 < 4 - ZERO) return false;
  const double r = sqrt(fmax(0, far2 - 4));
  out->u = 2 - r;
  out->t = half(atan2(y, x) + atan2(r, -2));
  out->v = half(to.heading - PI / 2 - out->t);
  return out->t >= -ZERO && out->u <= ZERO && out->v <= ZERO;
}

/* 8.10: L+ R- S- R- */
static bool lrsr(target to, free_lengths *out) {
  const double x = to.x + sin(to.heading), y = to.y - 1 - cos(to.heading), far = hypot(x, y);
  if (far < 2) return false;
  out->t = atan2(x, -y);
  out->u = 2 - far;
  out->v = half(out->t + PI / 2 - to.heading);
  return out->t >= -ZERO && out->u <= ZERO && out->v <= ZERO;
}

/* 8.11: L+ R- S- L- R+ */
static bool lrslr(target to, free_lengths *out) {
  const double x = to.x + sin(to.heading), y = to.y - 1 - cos(to.heading), far2 = x * x + y * y;
  if (far2 < 4 - ZERO) return false;
  out->u = 4 - sqrt(fmax(0, far2 - 4));
  if (out->u > ZERO) return false;
  out->t = half(atan2((4 - out->u) * x - 2 * y, -2 * x + (out->u - 4) * y));
  out->v = half(out->t - to.heading);
  return out->t >= -ZERO && out->v >= -ZERO;
}

/* A word: its pieces, and which length each has: t, u, v, -u, or a quarter of a turn backwards. */
typedef struct word {
  bool (*solve)(target to, free_lengths *out);
  const char *turns, *lengths;
  bool is_reversed; /* its pieces in the other order are a word, too */
} word;
static const word words[] = {
    {lsl, "LSL", "tuv", false},    {lsr, "LSR", "tuv", false},          {lrl, "LRL", "tuv", true},
    {lrlr, "LRLR", "tunv", false}, {lrlr_inner, "LRLR", "tuuv", false}, {lrsl, "LRSL", "tquv", true},
    {lrsr, "LRSR", "tquv", true},  {lrslr, "LRSLR", "tquqv", false},
};
enum { WORDS = sizeof words / sizeof *words };

static double length_of(char which, const free_lengths *found) {
  switch (which) {
  case 't': return found->t;
  case 'u': return found->u;
  case 'v': return found->v;
  case 'n': return -found->u;
  default: return -PI / 2;
  }
}

static int turn_of(char which) {
  return which == 'L' ? 1 : which == 'R' ? -1 : 0;
}

/* One of the eight forms of a word. */
typedef struct form {
  bool is_reversed;
  int side; /* -1: mirrored at the x axis */
  int gear; /* -1: mirrored at the y axis, and driven in the other gear */
} form;

static void build(const word *from, const form *as, const free_lengths *found, lwi_curve *curve) {
  curve->count = (int)strlen(from->turns);
  for (int i = 0; i < curve->count; i++) {
    const int k = as->is_reversed ? curve->count - 1 - i : i;
    curve->turns[i] = as->side * turn_of(from->turns[k]);
    curve->lengths[i] = as->gear * length_of(from->lengths[k], found);
  }
}

/* @param prices  Its `cusp` is in radii. */
static void keep_cheaper(const lwi_curve *curve, const lwi_curve_prices *prices, lwi_curve *best) {
  double cost = 0, before = 0;
  int cusps = 0;
  for (int i = 0; i < curve->count; i++) {
    const double length = curve->lengths[i];
    if (fabs(length) <= ZERO) continue;
    cusps += before * length < 0;
    before = length;
    cost += length < 0 ? -length * prices->backwards : length;
  }
  if (cusps > prices->cusps) return;
  cost += cusps * prices->cusp;
  if (!(cost < best->cost)) return;
  *best = *curve;
  best->cost = cost;
}

bool lwi_curve_any(lwi_curve_pose from, lwi_curve_pose to, double radius, const lwi_curve_prices *prices,
                   lwi_curve *curve) {
  const target seen = see(from, to, radius);
  const double c = cos(seen.heading), s = sin(seen.heading);
  /* The start as seen from the target, which curves in the other order lead to. */
  const target back = {seen.x * c + seen.y * s, seen.x * s - seen.y * c, seen.heading};
  const lwi_curve_prices scaled = {prices->backwards, prices->cusp / radius, prices->cusps};
  *curve = (lwi_curve){.count = 0, .cost = INFINITY};
  for (int i = 0; i < WORDS * 8; i++) {
    const word *from_word = &words[i / 8];
    const form as = {i & 1, i & 2 ? -1 : 1, i & 4 ? -1 : 1};
    if (as.is_reversed && !from_word->is_reversed) continue;
    const target *at = as.is_reversed ? &back : &seen;
    free_lengths found;
    lwi_curve built;
    if (!from_word->solve((target){as.gear * at->x, as.side * at->y, as.side * as.gear * at->heading}, &found))
      continue;
    build(from_word, &as, &found, &built);
    keep_cheaper(&built, &scaled, curve);
  }
  const double cost = curve->cost * radius;
  if (curve->count == 0) return false;
  scale(curve, radius);
  curve->cost = cost;
  return true;
}
