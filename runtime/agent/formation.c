#include "agent/formation.h"

#include "core/vec3.h"

#include <math.h>

/* Of the spacing, from one row of a wedge to the next, and to the side. */
#define WEDGE 0.75f

/* --- places ----------------------------------------------------------------------------------------------- */

/* 0, 1, -1, 2, -2, ... */
static float side_of(int number) {
  return (float)((number + 1) / 2) * (number % 2 == 1 ? 1.0f : -1.0f);
}

static lwi_formation_offset place_of(const lwi_formation_shape *shape, int number, float last) {
  const float spacing = shape->spacing;
  switch (shape->formation) {
  case LW_FORMATION_LINE: return (lwi_formation_offset){0, side_of(number) * spacing};
  case LW_FORMATION_WEDGE:
    return (lwi_formation_offset){-WEDGE * spacing * (float)((number + 1) / 2),
                                  WEDGE * spacing * side_of(number)};
  case LW_FORMATION_POINTS:
    if (number < shape->point_count)
      return (lwi_formation_offset){shape->points[number].x, shape->points[number].z};
    return (lwi_formation_offset){last - spacing * (float)(number - shape->point_count + 1), 0};
  default: return (lwi_formation_offset){-spacing * (float)number, 0};
  }
}

void lwi_formation_places(const lwi_formation_shape *shape, lwi_formation_offset *places) {
  float last = 0; /* the rearmost point */
  for (int i = 0; i < shape->point_count; i++) last = fminf(last, shape->points[i].x);
  for (int i = 0; i < shape->count; i++) places[i] = place_of(shape, i, last);
}

/* --- assignment ------------------------------------------------------------------------------------------- */

typedef struct assignment {
  const lwi_vec2 *from, *to;
  int count;
  double rows[LW_GROUP_MEMBERS_MAX + 1], columns[LW_GROUP_MEMBERS_MAX + 1]; /* potentials */
  int row_of[LW_GROUP_MEMBERS_MAX + 1];                                     /* by column; 0: none */
  int before[LW_GROUP_MEMBERS_MAX + 1];                                     /* the column before on the path */
} assignment;

static double cost_of(const assignment *of, int row, int column) {
  const double dx = (double)of->from[row - 1].x - (double)of->to[column - 1].x,
               dz = (double)of->from[row - 1].z - (double)of->to[column - 1].z;
  return sqrt(dx * dx + dz * dz);
}

/* The column that is reached next from the one at hand, and at which cost. */
static int next_column(const assignment *of, int column, double *lowest, const bool *used, int *before,
                       double *delta) {
  int next = 0;
  *delta = INFINITY;
  for (int k = 1; k <= of->count; k++) {
    if (used[k]) continue;
    const int row = of->row_of[column];
    const double cost = cost_of(of, row, k) - of->rows[row] - of->columns[k];
    if (cost < lowest[k]) lowest[k] = cost, before[k] = column;
    if (lowest[k] < *delta) *delta = lowest[k], next = k;
  }
  return next;
}

/* Give that row a column along the cheapest alternating path. */
static void assign_row(assignment *of, int row) {
  double lowest[LW_GROUP_MEMBERS_MAX + 1];
  bool used[LW_GROUP_MEMBERS_MAX + 1] = {false};
  for (int k = 0; k <= of->count; k++) lowest[k] = INFINITY;
  int column = 0;
  of->row_of[0] = row;
  do {
    double delta;
    used[column] = true;
    const int next = next_column(of, column, lowest, used, of->before, &delta);
    for (int k = 0; k <= of->count; k++) {
      if (used[k]) of->rows[of->row_of[k]] += delta, of->columns[k] -= delta;
      if (!used[k]) lowest[k] -= delta;
    }
    column = next;
  } while (of->row_of[column] != 0);
  while (column != 0) {
    of->row_of[column] = of->row_of[of->before[column]];
    column = of->before[column];
  }
}

void lwi_formation_assign(const lwi_vec2 *from, const lwi_vec2 *to, int count, int *place) {
  assignment of = {.from = from, .to = to, .count = count};
  for (int row = 1; row <= count; row++) assign_row(&of, row);
  for (int column = 1; column <= count; column++) place[of.row_of[column] - 1] = column - 1;
}

/* --- on the ground ---------------------------------------------------------------------------------------- */

/* As far as the ground leads straight there. */
static lw_location go_straight(const lwi_formation_ground *ground, lw_location from, lw_vec3 to) {
  lw_raycast ray;
  if (lw_navmesh_raycast(ground->mesh, from, to, ground->filter, &ray) != LW_OK) return from;
  if (!ray.hit || !(ground->inset > 0)) return ray.at;
  const float length = lwi_distance_xz(from.point, ray.at.point);
  if (length <= ground->inset) return from;
  lw_raycast less;
  const lw_vec3 back = lwi_lerp(from.point, ray.at.point, 1 - ground->inset / length);
  return lw_navmesh_raycast(ground->mesh, from, back, ground->filter, &less) == LW_OK ? less.at : from;
}

static lw_vec3 point_at(lw_vec3 from, float heading, float ahead, float right) {
  const float c = cosf(heading), s = sinf(heading);
  return lwi_vec3(from.x + c * ahead + s * right, from.y, from.z - s * ahead + c * right);
}

lw_location lwi_formation_place(const lwi_formation_ground *ground, lw_location frame, float heading,
                                const lwi_formation_fit *fit, int place) {
  const lwi_formation_offset at = ground->places[place];
  return go_straight(ground, frame,
                     point_at(frame.point, heading, at.ahead, at.right * fit->scale + fit->shift));
}

/* How far the ground leads to one side, up to `wide`. */
static float free_to(const lwi_formation_ground *ground, lw_location frame, float heading, float wide) {
  return lwi_distance_xz(frame.point,
                         go_straight(ground, frame, point_at(frame.point, heading, 0, wide)).point);
}

/* Are two places nearer to each other than they may be? */
static bool is_crammed(const lwi_formation_ground *ground, lw_location frame, float heading,
                       const lwi_formation_fit *fit) {
  lw_vec3 at[LW_GROUP_MEMBERS_MAX];
  for (int i = 0; i < ground->count; i++) {
    at[i] = lwi_formation_place(ground, frame, heading, fit, i).point;
    for (int k = 0; k < i; k++)
      if (lwi_distance_xz(at[i], at[k]) < ground->apart) return true;
  }
  return false;
}

lwi_formation_fit lwi_formation_fit_at(const lwi_formation_ground *ground, lw_location frame, float heading) {
  float right = 0, left = 0;
  for (int i = 0; i < ground->count; i++) {
    right = fmaxf(right, ground->places[i].right);
    left = fmaxf(left, -ground->places[i].right);
  }
  lwi_formation_fit fit = {.shift = 0, .scale = 1};
  const float whole = left + right;
  if (whole > 0) {
    const float to_right = free_to(ground, frame, heading, whole),
                to_left = free_to(ground, frame, heading, -whole);
    fit.scale = fminf(1, (to_right + to_left) / whole);
    fit.shift = fminf(to_right - fit.scale * right, fmaxf(0, fit.scale * left - to_left));
  }
  fit.is_narrow = is_crammed(ground, frame, heading, &fit);
  return fit;
}
