/* The common part of a convex polygon and a disc is convex. Its outline is walked in order; each piece of it, a chord
   inside the disc or an arc of it, spans with the disc's centre a triangle or a sector of signed area. To sample, the
   outline's corners make a fan of triangles, and each arc adds the cap between it and its chord: pick a part by area,
   then a point in it. */
#include "query/disc_polygon.h"

#define TAU 6.283185307179586
/* Caps wider than this are halved, so that their box is filled to two thirds at least. */
#define MAX_CAP (TAU / 4)

typedef struct flat {
  double x, z;
} flat;

/* A piece of the outline, in the frame of the disc's centre: from `a` to `b`, along the chord or, with `angle` > 0, along the arc of the disc. */
typedef struct outline_piece {
  flat a, b;
  double angle;
} outline_piece;

typedef struct disc_outline {
  double radius;
  bool holds_center; /* whether the polygon holds the disc's centre */
  /* Called for every piece in order. */
  void (*piece)(void *user, const struct disc_outline *outline, const outline_piece *piece);
  void *user;
} disc_outline;

static double cross(flat a, flat b) {
  return a.z * b.x - a.x * b.z;
} /* > 0: b is left of a, as lwi_turn */

/* Counter-clockwise angle from a to b about the origin, 0..TAU. */
static double angle_between(flat a, flat b) {
  double angle = atan2(cross(a, b), a.x * b.x + a.z * b.z);
  return angle < 0 ? angle + TAU : angle;
}

static void emit(const disc_outline *outline, flat a, flat b, double angle) {
  outline_piece piece = {a, b, angle};
  outline->piece(outline->user, outline, &piece);
}

/* The part of the edge ab that is inside the disc about the origin. @return false: none. */
static bool clip_edge(flat a, flat b, double radius, flat *from, flat *to) {
  double dx = b.x - a.x, dz = b.z - a.z, dd = dx * dx + dz * dz;
  double half = a.x * dx + a.z * dz, c = a.x * a.x + a.z * a.z - radius * radius;
  double under = half * half - dd * c;
  if (dd == 0 || under <= 0) return false;
  double root = sqrt(under), t0 = (-half - root) / dd, t1 = (-half + root) / dd;
  if (t0 >= 1 || t1 <= 0) return false;
  *from = t0 > 0 ? (flat){a.x + dx * t0, a.z + dz * t0} : a;
  *to = t1 < 1 ? (flat){a.x + dx * t1, a.z + dz * t1} : b;
  return true;
}

static flat relative(const lwi_polygon *polygon, uint32_t i, lw_vec3 center) {
  lw_vec3 corner = lwi_corner(polygon, i);
  return (flat){(double)corner.x - center.x, (double)corner.z - center.z};
}

/* The arc from where the outline left the disc to where it comes in again. Rounding may put the second point just
   before the first, which would make it a whole turn; and seen from a centre outside, no arc is half a turn. */
static void emit_arc(const disc_outline *outline, flat a, flat b) {
  if (a.x == b.x && a.z == b.z) return;
  double angle = angle_between(a, b);
  if (angle > TAU - 1e-9 || (angle > TAU / 2 && !outline->holds_center)) angle = 0;
  emit(outline, a, b, angle);
}

/* Walk the outline of the common part, in the frame of the disc's centre. */
static void walk(const disc_outline *outline, const lwi_polygon *polygon, lw_vec3 center) {
  flat first = {0, 0}, last = {0, 0};
  bool any = false;
  for (uint32_t i = 0; i < polygon->count; i++) {
    flat a = relative(polygon, i, center), b = relative(polygon, lwi_next_corner(polygon, i), center), from, to;
    if (!clip_edge(a, b, outline->radius, &from, &to)) continue;
    if (!any) first = from;
    if (any) emit_arc(outline, last, from);
    emit(outline, from, to, 0);
    last = to;
    any = true;
  }
  if (any) emit_arc(outline, last, first);
  if (!any && outline->holds_center) { /* the whole disc */
    flat east = {outline->radius, 0}, west = {-outline->radius, 0};
    emit(outline, east, west, TAU / 2);
    emit(outline, west, east, TAU / 2);
  }
}

static void add_area(void *user, const disc_outline *outline, const outline_piece *piece) {
  double *twice = user;
  *twice += piece->angle > 0 ? outline->radius * outline->radius * piece->angle : cross(piece->a, piece->b);
}

/* Nearly always a polygon lies wholly inside the circle or wholly outside. */
static bool inside_disc(const lwi_polygon *polygon, lw_vec3 center, double radius) {
  for (uint32_t i = 0; i < polygon->count; i++) {
    flat corner = relative(polygon, i, center);
    if (corner.x * corner.x + corner.z * corner.z > radius * radius) return false;
  }
  return true;
}

double lwi_disc_area(const lwi_polygon *polygon, lw_vec3 center, double radius) {
  if (inside_disc(polygon, center, radius)) return lwi_polygon_area2(polygon) / 2;
  double twice = 0;
  disc_outline outline = {.radius = radius,
                          .holds_center = lwi_polygon_holds(polygon, center, 0),
                          .piece = add_area,
                          .user = &twice};
  walk(&outline, polygon, center);
  return fmax(0, twice / 2);
}

/* Reservoir choice of a part by area, in one walk: a triangle of the fan, or a cap. */
typedef struct part_choice {
  lw_random *random;
  bool begun;
  flat apex;    /* of the fan */
  double total; /* twice the area of the parts so far */
  bool is_cap;
  flat a, b; /* of the chosen triangle (apex, a, b), or of the cap's chord */
  double angle;
} part_choice;

static void offer(part_choice *choice, double twice_area, bool is_cap, flat a, flat b, double angle) {
  if (!(twice_area > 0)) return;
  choice->total += twice_area;
  if (lwi_random_unit_double(choice->random) * choice->total >= twice_area) return;
  choice->is_cap = is_cap;
  choice->a = a;
  choice->b = b;
  choice->angle = angle;
}

static void choose(void *user, const disc_outline *outline, const outline_piece *piece) {
  part_choice *choice = user;
  if (!choice->begun) {
    choice->begun = true;
    choice->apex = piece->a;
  }
  int parts = piece->angle > 0 ? (int)ceil(piece->angle / MAX_CAP) : 1;
  double step = piece->angle / parts, cap = outline->radius * outline->radius * (step - sin(step));
  flat from = piece->a;
  for (int i = 1; i <= parts; i++) {
    flat to = piece->b;
    if (i < parts) { /* turn counter-clockwise: x towards -z */
      double c = cos(step * i), s = sin(step * i);
      to = (flat){piece->a.x * c + piece->a.z * s, piece->a.z * c - piece->a.x * s};
    }
    flat edge = {to.x - from.x, to.z - from.z}, spoke = {choice->apex.x - from.x, choice->apex.z - from.z};
    offer(choice, cross(edge, spoke), false, from, to, 0);
    if (piece->angle > 0) offer(choice, cap, true, from, to, step);
    from = to;
  }
}

/* Uniform in a triangle: fold the unit square along its diagonal. */
static flat sample_triangle(const part_choice *choice) {
  double u = lwi_random_unit_double(choice->random), v = lwi_random_unit_double(choice->random);
  if (u + v > 1) {
    u = 1 - u;
    v = 1 - v;
  }
  flat p = choice->apex, a = choice->a, b = choice->b;
  return (flat){p.x + (a.x - p.x) * u + (b.x - p.x) * v, p.z + (a.z - p.z) * u + (b.z - p.z) * v};
}

/* Uniform in a cap of at most a quarter turn: draw in its box until it hits. */
static flat sample_cap(const part_choice *choice, double radius) {
  double half = choice->angle / 2, low = radius * cos(half), wide = radius * sin(half);
  double middle_x = choice->a.x + choice->b.x, middle_z = choice->a.z + choice->b.z;
  double length = hypot(middle_x, middle_z), along, across;
  do {
    along = low + (radius - low) * lwi_random_unit_double(choice->random);
    across = wide * (2 * lwi_random_unit_double(choice->random) - 1);
  } while (along * along + across * across > radius * radius);
  double ux = middle_x / length, uz = middle_z / length;
  return (flat){ux * along - uz * across, uz * along + ux * across};
}

lw_vec3 lwi_disc_sample(const lwi_polygon *polygon, lw_vec3 center, double radius, lw_random *random) {
  part_choice choice = {.random = random};
  disc_outline outline = {.radius = radius,
                          .holds_center = lwi_polygon_holds(polygon, center, 0),
                          .piece = choose,
                          .user = &choice};
  walk(&outline, polygon, center);
  flat point = choice.is_cap ? sample_cap(&choice, radius) : sample_triangle(&choice);
  lw_vec3 result = {(float)(center.x + point.x), center.y, (float)(center.z + point.z)};
  /* Rounding to float may step over the rim: step back, at last to the centre. */
  double dx = (double)result.x - center.x, dz = (double)result.z - center.z;
  for (int i = 0; i < 6 && dx * dx + dz * dz > radius * radius; i++) {
    double shrink = fmax(0, 1 - 1e-6 * (1 << (4 * i)));
    result.x = (float)(center.x + point.x * shrink);
    result.z = (float)(center.z + point.z * shrink);
    dx = (double)result.x - center.x;
    dz = (double)result.z - center.z;
  }
  return result;
}
