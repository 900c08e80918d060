#include "cover/fan.h"

#include "core/vec3.h"

/* Two fans whose planes are steeper than this to the ground are measured one by one (the cosine). */
#define STEEP 0.1
/* Farther than any place on the lattice. */
#define FAR 1e9

typedef struct dvec3 {
  double x, y, z;
} dvec3;

static double most(double a, double b) {
  return a > b ? a : b;
}
static dvec3 cross(dvec3 a, dvec3 b) {
  return (dvec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static double length2(dvec3 a) {
  return a.x * a.x + a.y * a.y + a.z * a.z;
}
static dvec3 between(lw_vec3 from, lw_vec3 to, double scale) {
  return (dvec3){((double)to.x - from.x) * scale, ((double)to.y - from.y) * scale,
                 ((double)to.z - from.z) * scale};
}

/* --- boxes --------------------------------------------------------------------------------------------------------- */

static inline lwi_float4 on_map(const lwi_map_slope *slope, lwi_float4 p, lwi_float4 q) {
  return slope->p * p + slope->q * q;
}

typedef struct box_side {
  lwi_float4 middle, reach;
} box_side;

/* The boxes along one axis, from the eye. */
static inline box_side side_of(const lwi_occluder_node *node, int axis, lwi_float4 corner) {
  const lwi_float4 min = lwi_bytes4(node->min[axis]), max = lwi_bytes4(node->max[axis]),
                   half = lwi_all4((float)node->step[axis] * 0.5f);
  return (box_side){(max + min) * half + lwi_all4(corner[axis]), (max - min) * half};
}

/* Do the boxes meet the box about the triangles, their sides on the map, and their planes? */
static inline __attribute__((always_inline)) void meet_along(const lwi_fan *fan, const lwi_occluder_node *node,
                                                             int axis_p, int axis_q, int axis,
                                                             lwi_boxes_met *met) {
  const lwi_float4 zero = lwi_all4(0), one = lwi_all4(1), rounding = lwi_all4(2e-5f);
  lwi_int4 at;
  memcpy(&at, node->origin, sizeof at); /* and one number more */
  const lwi_float4 corner = lwi_float_of_int4((lwi_int4)((lwi_uint4)at - (lwi_uint4)fan->eye)) - fan->eye_rest;
  const box_side p = side_of(node, axis_p, corner), q = side_of(node, axis_q, corner),
                 d = side_of(node, axis, corner);
  lwi_float4 off = lwi_max4(lwi_absolute4(p.middle - fan->middle[0]) - p.reach - fan->reach[0],
                            lwi_absolute4(q.middle - fan->middle[1]) - q.reach - fan->reach[1]);
  off = lwi_max4(off, lwi_absolute4(d.middle - fan->middle[2]) - d.reach - fan->reach[2]);
  const lwi_float4 u = on_map(&fan->u, p.middle, q.middle), v = on_map(&fan->v, p.middle, q.middle);
  const lwi_float4 reach_u = on_map(&fan->u_size, p.reach, q.reach) + fan->slack,
                   reach_v = on_map(&fan->v_size, p.reach, q.reach) + fan->slack;
  const lwi_float4 u1 = u + reach_u, v1 = v + reach_v;
  const lwi_float4 least = u + v - on_map(&fan->w_size, p.reach, q.reach);
  off = lwi_max4(lwi_max4(off, least - one), lwi_max4(-u1, -v1));
  const lwi_float4 size = on_map(&fan->over_size, p.reach, q.reach) + d.reach + fan->over_slack;
  const lwi_float4 over = d.middle + on_map(&fan->over[0], p.middle, q.middle),
                   over_too = d.middle + on_map(&fan->over[1], p.middle, q.middle);
  met->first = lwi_signs4(lwi_max4(off, lwi_absolute4(over) - size));
  met->second = lwi_signs4(lwi_max4(off, lwi_absolute4(over_too) - size));
  const lwi_float4 u0 = lwi_max4(u - reach_u, zero), v0 = lwi_max4(v - reach_v, zero);
  const lwi_float4 t0 = lwi_max4(v0 / (v0 + u1) - rounding, zero),
                   t1 = lwi_min4(v1 / (v1 + u0) + rounding, one);
  memcpy(met->least, &least, sizeof least);
  memcpy(met->t0, &t0, sizeof t0);
  memcpy(met->t1, &t1, sizeof t1);
}

static void meet_along_x(const lwi_fan *fan, const lwi_occluder_node *node, lwi_boxes_met *met) {
  meet_along(fan, node, 1, 2, 0, met);
}
static void meet_along_y(const lwi_fan *fan, const lwi_occluder_node *node, lwi_boxes_met *met) {
  meet_along(fan, node, 0, 2, 1, met);
}
static void meet_along_z(const lwi_fan *fan, const lwi_occluder_node *node, lwi_boxes_met *met) {
  meet_along(fan, node, 0, 1, 2, met);
}

/* --- making -------------------------------------------------------------------------------------------------------- */

/* The triangle of eye and segment, in doubles, for it may be slender, and all that it meets is measured by it. */
typedef struct triangle {
  dvec3 a, b, normal; /* the segment's ends, from the eye */
  double area2, length2;
} triangle;

static bool make_triangle(triangle *of, lw_vec3 eye, lw_vec3 from, lw_vec3 to, double scale) {
  const double near2 = (double)LWI_FAN_NEAR * LWI_FAN_NEAR * scale * scale;
  of->a = between(eye, from, scale);
  of->b = between(eye, to, scale);
  of->normal = cross(of->a, of->b);
  of->area2 = length2(of->normal);
  of->length2 = length2(between(from, to, scale));
  return of->area2 > near2 * of->length2 && of->length2 > near2;
}

static lwi_map_slope slope_of(double p, double q) {
  return (lwi_map_slope){lwi_all4((float)p), lwi_all4((float)q)};
}
static lwi_map_slope size_of(double p, double q) {
  return (lwi_map_slope){lwi_all4(fabsf((float)p)), lwi_all4(fabsf((float)q))};
}

static void set_eye(lwi_fan *fan, const lwi_occluders *occluders, lw_vec3 eye, double scale) {
  const dvec3 at = between(occluders->origin, eye, scale);
  const double quanta[3] = {at.x, at.y, at.z};
  for (int i = 0; i < 3; i++) {
    fan->eye[i] = (int32_t)(quanta[i] > -FAR ? quanta[i] < FAR ? quanta[i] : FAR : -FAR);
    fan->eye_rest[i] = (float)(quanta[i] - fan->eye[i]);
  }
  fan->eye[3] = 0;
  fan->eye_rest[3] = 0;
  fan->exact.eye = fan->exact.x * at.x + fan->exact.y * at.y + fan->exact.z * at.z;
}

static lwi_float4 in_lanes(dvec3 a) {
  return (lwi_float4){(float)a.x, (float)a.y, (float)a.z, 0};
}

/* The box about the triangles. */
static void set_box(lwi_fan *fan, const triangle *first, const triangle *second, const int axes[3]) {
  const lwi_float4 a = in_lanes(first->a), b = in_lanes(first->b), c = in_lanes(second->a),
                   d = in_lanes(second->b);
  const lwi_float4 zero = lwi_all4(0), half = lwi_all4(0.5f);
  const lwi_float4 low = lwi_min4(lwi_min4(lwi_min4(a, b), lwi_min4(c, d)), zero),
                   high = lwi_max4(lwi_max4(lwi_max4(a, b), lwi_max4(c, d)), zero),
                   middle = (high + low) * half, reach = (high - low) * half + fan->over_slack;
  for (int i = 0; i < 3; i++) {
    fan->middle[i] = lwi_all4(middle[axes[i]]);
    fan->reach[i] = lwi_all4(reach[axes[i]]);
  }
}

/* Both triangles' ends are the same on the map. @param axes  p, q, and the one along which the map is seen. */
static inline __attribute__((always_inline)) void
set_measures(lwi_fan *fan, const triangle *first, const triangle *second, int axis_p, int axis_q, int axis) {
  const double *a = &first->a.x, *b = &first->b.x, *n = &first->normal.x, *m = &second->normal.x;
  const double per = 1 / (a[axis_p] * b[axis_q] - a[axis_q] * b[axis_p]), per_n = 1 / n[axis],
               per_m = 1 / m[axis];
  const double up = b[axis_q] * per, uq = -b[axis_p] * per, vp = -a[axis_q] * per, vq = a[axis_p] * per;
  const double np = n[axis_p] * per_n, nq = n[axis_q] * per_n, mp = m[axis_p] * per_m, mq = m[axis_q] * per_m;
  lwi_double4 *exact = &fan->exact.x;
  exact[axis_p] = (lwi_double4){np, mp, up, vp};
  exact[axis_q] = (lwi_double4){nq, mq, uq, vq};
  exact[axis] = (lwi_double4){1, 1, 0, 0};
  fan->u = slope_of(up, uq);
  fan->v = slope_of(vp, vq);
  fan->u_size = size_of(up, uq);
  fan->v_size = size_of(vp, vq);
  fan->w_size = size_of(up + vp, uq + vq);
  fan->over[0] = slope_of(np, nq);
  fan->over[1] = slope_of(mp, mq);
  fan->over_size = size_of(most(fabs(np), fabs(mp)), most(fabs(nq), fabs(mq)));
}

static void make(lwi_fan *fan, const lwi_occluders *occluders, lw_vec3 eye, const triangle *first,
                 const triangle *second, int axis) {
  static const int axes[3][3] = {{1, 2, 0}, {0, 2, 1}, {0, 1, 2}};
  static void (*const meets[3])(const lwi_fan *, const lwi_occluder_node *,
                                lwi_boxes_met *) = {meet_along_x, meet_along_y, meet_along_z};
  const double scale = 1 / (double)occluders->quantum, near = (double)LWI_FAN_NEAR * scale;
  const double reach =
      sqrt(most(most(length2(first->a), length2(first->b)), most(length2(second->a), length2(second->b))));
  fan->meet = meets[axis];
  if (axis == 1)
    set_measures(fan, first, second, 0, 2, 1);
  else
    set_measures(fan, first, second, axes[axis][0], axes[axis][1], axis);
  fan->x = __builtin_convertvector(fan->exact.x, lwi_float4);
  fan->y = __builtin_convertvector(fan->exact.y, lwi_float4);
  fan->z = __builtin_convertvector(fan->exact.z, lwi_float4);
  /* Coordinates that count are at most as far as the triangles reach; a few roundings of these. */
  fan->over_slack = lwi_all4((float)(0.1 + 1e-6 * reach));
  fan->slack = lwi_all4(4e-7f * (float)reach) *
               (lwi_max4(fan->u_size.p, fan->v_size.p) + lwi_max4(fan->u_size.q, fan->v_size.q));
  set_eye(fan, occluders, eye, scale);
  set_box(fan, first, second, axes[axis]);
  fan->nearest = (float)(near / reach);
  /* The eye is as far from the segment's line as the triangle is high. */
  fan->furthest[0] = (float)(1 - near * sqrt(first->length2 / first->area2));
  fan->furthest[1] = (float)(1 - near * sqrt(second->length2 / second->area2));
}

bool lwi_fan_make(lwi_fan *fan, const lwi_occluders *occluders, lw_vec3 eye, lw_vec3 from, lw_vec3 to) {
  triangle only;
  if (!make_triangle(&only, eye, from, to, 1 / (double)occluders->quantum)) return false;
  const double x = fabs(only.normal.x), y = fabs(only.normal.y), z = fabs(only.normal.z);
  make(fan, occluders, eye, &only, &only, y >= x && y >= z ? 1 : x >= z ? 0 : 2);
  fan->planes = 1;
  return true;
}

static bool is_steep(const triangle *of) {
  return of->normal.y * of->normal.y < STEEP * STEEP * of->area2;
}

bool lwi_fan_make_two(lwi_fan *fan, const lwi_occluders *occluders, lw_vec3 eye, lw_vec3 from, lw_vec3 to,
                      const float heights[2]) {
  const double scale = 1 / (double)occluders->quantum;
  const lw_vec3 up = {0, heights[0], 0}, up_too = {0, heights[1], 0};
  triangle first, second;
  if (!make_triangle(&first, eye, lwi_add(from, up), lwi_add(to, up), scale) || is_steep(&first)) return false;
  if (!make_triangle(&second, eye, lwi_add(from, up_too), lwi_add(to, up_too), scale) || is_steep(&second))
    return false;
  make(fan, occluders, eye, &first, &second, 1);
  fan->planes = 3;
  return true;
}
