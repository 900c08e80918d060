#include "sight/sight_triangle.h"

#include "core/dvec3.h"

/* Two triangles are measured one by one if a plane is steeper than this to the ground. [cosine] */
#define STEEP 0.1
/* The eye is further from the segment's line than this part of its distance to the further end: measures in floats are then
   good to about a thousandth of the distance. */
#define SLENDER 2e-3
/* Larger than any lattice coordinate. */
#define FAR 1e9

static double larger(double a, double b) {
  return a > b ? a : b;
}
static double smaller(double a, double b) {
  return a < b ? a : b;
}
static double length2(lwi_dvec3 a) {
  return lwi_dvec3_dot(a, a);
}
static lwi_dvec3 between(lw_vec3 from, lw_vec3 to, double scale) {
  return (lwi_dvec3){((double)to.x - from.x) * scale, ((double)to.y - from.y) * scale,
                     ((double)to.z - from.z) * scale};
}

/* --- boxes ------------------------------------------------------------------------------------------------ */

static inline lwi_float4 on_map(const lwi_map_slope *slope, lwi_float4 p, lwi_float4 q) {
  return lwi_mul_add4(slope->p, p, lwi_mul4(slope->q, q));
}

typedef struct box_side {
  lwi_float4 middle, reach;
} box_side;

/* Centres and half sizes of the boxes along one axis, from the eye. */
static inline box_side side_of(const lwi_occluder_node *node, int axis, lwi_float4 corner) {
  const lwi_float4 min = lwi_load_bytes4(node->min[axis]), max = lwi_load_bytes4(node->max[axis]),
                   half = lwi_splat4((float)node->step[axis] * 0.5f);
  return (box_side){lwi_mul_add4(lwi_add4(max, min), half, lwi_splat4(lwi_get4(corner, axis))),
                    lwi_mul4(lwi_sub4(max, min), half)};
}

/* The gap between the boxes and the bounding box of the triangles along one axis; below 0: they overlap. */
static inline lwi_float4 off_side(const lwi_sight_triangle *sight, int axis, const box_side *side) {
  const lwi_float4 gap = lwi_abs4(lwi_sub4(side->middle, sight->middle[axis]));
  return lwi_sub4(lwi_sub4(gap, side->reach), sight->reach[axis]);
}

/* Test the boxes against the bounding box of the triangles, the triangles' sides on the map, and their
   planes. */
static inline __attribute__((always_inline)) void meet_along(const lwi_sight_triangle *sight,
                                                             const lwi_occluder_node *node, int axis_p,
                                                             int axis_q, int axis, lwi_boxes_met *met) {
  const lwi_float4 zero = lwi_splat4(0), one = lwi_splat4(1), rounding = lwi_splat4(2e-5f);
  const lwi_int4 origin = lwi_int_load4(node->origin); /* reads one number more than is used */
  const lwi_float4 corner = lwi_sub4(lwi_float_of_int4(lwi_int_sub4(origin, sight->eye)), sight->eye_rest);
  const box_side p = side_of(node, axis_p, corner), q = side_of(node, axis_q, corner),
                 d = side_of(node, axis, corner);
  lwi_float4 off = lwi_max4(off_side(sight, 0, &p), off_side(sight, 1, &q));
  off = lwi_max4(off, off_side(sight, 2, &d));
  const lwi_float4 u = on_map(&sight->u, p.middle, q.middle), v = on_map(&sight->v, p.middle, q.middle);
  const lwi_float4 reach_u = lwi_add4(on_map(&sight->u_size, p.reach, q.reach), sight->slack),
                   reach_v = lwi_add4(on_map(&sight->v_size, p.reach, q.reach), sight->slack);
  const lwi_float4 u1 = lwi_add4(u, reach_u), v1 = lwi_add4(v, reach_v);
  const lwi_float4 nearest = lwi_sub4(lwi_add4(u, v), on_map(&sight->w_size, p.reach, q.reach));
  off = lwi_max4(lwi_max4(off, lwi_sub4(nearest, one)), lwi_max4(lwi_neg4(u1), lwi_neg4(v1)));
  const lwi_float4 size =
      lwi_add4(lwi_add4(on_map(&sight->over_size, p.reach, q.reach), d.reach), sight->over_slack);
  const lwi_float4 over = lwi_add4(d.middle, on_map(&sight->over[0], p.middle, q.middle)),
                   over_too = lwi_add4(d.middle, on_map(&sight->over[1], p.middle, q.middle));
  met->first = lwi_signs4(lwi_max4(off, lwi_sub4(lwi_abs4(over), size)));
  met->second = lwi_signs4(lwi_max4(off, lwi_sub4(lwi_abs4(over_too), size)));
  const lwi_float4 u0 = lwi_max4(lwi_sub4(u, reach_u), zero), v0 = lwi_max4(lwi_sub4(v, reach_v), zero);
  const lwi_float4 t0 = lwi_max4(lwi_sub4(lwi_div4(v0, lwi_add4(v0, u1)), rounding), zero),
                   t1 = lwi_min4(lwi_add4(lwi_div4(v1, lwi_add4(v1, u0)), rounding), one);
  lwi_store4(met->nearest, nearest);
  lwi_store4(met->t0, t0);
  lwi_store4(met->t1, t1);
}

static void meet_along_x(const lwi_sight_triangle *sight, const lwi_occluder_node *node, lwi_boxes_met *met) {
  meet_along(sight, node, 1, 2, 0, met);
}
static void meet_along_y(const lwi_sight_triangle *sight, const lwi_occluder_node *node, lwi_boxes_met *met) {
  meet_along(sight, node, 0, 2, 1, met);
}
static void meet_along_z(const lwi_sight_triangle *sight, const lwi_occluder_node *node, lwi_boxes_met *met) {
  meet_along(sight, node, 0, 1, 2, met);
}

/* --- making ----------------------------------------------------------------------------------------------- */

/* In doubles, because the triangle may be slender and all measures derive from it. */
typedef struct triangle {
  lwi_dvec3 a, b, normal;        /* a, b: the segment's ends, from the eye */
  double area2, length2, reach2; /* reach: of the further end */
} triangle;

static bool make_triangle(triangle *of, lw_vec3 eye, lw_vec3 from, lw_vec3 to, double scale) {
  const double near2 = (double)LWI_SIGHT_TRIANGLE_NEAR * LWI_SIGHT_TRIANGLE_NEAR * scale * scale;
  of->a = between(eye, from, scale);
  of->b = between(eye, to, scale);
  of->normal = lwi_dvec3_cross(of->a, of->b);
  of->area2 = length2(of->normal);
  of->length2 = length2(between(from, to, scale));
  of->reach2 = larger(length2(of->a), length2(of->b));
  return of->area2 > larger(near2, SLENDER * SLENDER * of->reach2) * of->length2 && of->length2 > near2;
}

static lwi_map_slope slope_of(double p, double q) {
  return (lwi_map_slope){lwi_splat4((float)p), lwi_splat4((float)q)};
}
static lwi_map_slope size_of(double p, double q) {
  return (lwi_map_slope){lwi_splat4(fabsf((float)p)), lwi_splat4(fabsf((float)q))};
}

static void set_eye(lwi_sight_triangle *sight, const lwi_occluders *occluders, lw_vec3 eye, double scale) {
  const lwi_dvec3 at = between(occluders->origin, eye, scale);
  const double quanta[3] = {at.x, at.y, at.z};
  int32_t whole[4] = {0};
  float rest[4] = {0};
  for (int i = 0; i < 3; i++) {
    whole[i] = (int32_t)(quanta[i] > -FAR ? quanta[i] < FAR ? quanta[i] : FAR : -FAR);
    rest[i] = (float)(quanta[i] - whole[i]);
  }
  sight->eye = lwi_int_load4(whole);
  sight->eye_rest = lwi_load4(rest);
  sight->exact.eye = lwi_double_dot4(sight->exact.axes, quanta);
}

static lwi_float4 in_simd(lwi_dvec3 a) {
  return lwi_make4((float)a.x, (float)a.y, (float)a.z, 0);
}

/* The bounding box of both triangles. */
static void set_box(lwi_sight_triangle *sight, const triangle *first, const triangle *second,
                    const int axes[3]) {
  const lwi_float4 a = in_simd(first->a), b = in_simd(first->b), c = in_simd(second->a), d = in_simd(second->b);
  const lwi_float4 zero = lwi_splat4(0), half = lwi_splat4(0.5f);
  const lwi_float4 low = lwi_min4(lwi_min4(lwi_min4(a, b), lwi_min4(c, d)), zero),
                   high = lwi_max4(lwi_max4(lwi_max4(a, b), lwi_max4(c, d)), zero),
                   middle = lwi_mul4(lwi_add4(high, low), half),
                   reach = lwi_mul_add4(lwi_sub4(high, low), half, sight->over_slack);
  for (int i = 0; i < 3; i++) {
    sight->middle[i] = lwi_splat4(lwi_get4(middle, axes[i]));
    sight->reach[i] = lwi_splat4(lwi_get4(reach, axes[i]));
  }
}

/* Both triangles have the same ends on the map. @param axis_p, axis_q, axis  The map's two axes and the one
   it is seen along. */
static inline __attribute__((always_inline)) void set_measures(lwi_sight_triangle *sight, const triangle *first,
                                                               const triangle *second, int axis_p, int axis_q,
                                                               int axis) {
  const double *a = &first->a.x, *b = &first->b.x, *n = &first->normal.x, *m = &second->normal.x;
  const double per = 1 / (a[axis_p] * b[axis_q] - a[axis_q] * b[axis_p]), per_n = 1 / n[axis],
               per_m = 1 / m[axis];
  const double up = b[axis_q] * per, uq = -b[axis_p] * per, vp = -a[axis_q] * per, vq = a[axis_p] * per;
  const double np = n[axis_p] * per_n, nq = n[axis_q] * per_n, mp = m[axis_p] * per_m, mq = m[axis_q] * per_m;
  lwi_double4 *exact = sight->exact.axes;
  exact[axis_p] = lwi_double_make4(np, mp, up, vp);
  exact[axis_q] = lwi_double_make4(nq, mq, uq, vq);
  exact[axis] = lwi_double_make4(1, 1, 0, 0);
  sight->u = slope_of(up, uq);
  sight->v = slope_of(vp, vq);
  sight->u_size = size_of(up, uq);
  sight->v_size = size_of(vp, vq);
  sight->w_size = size_of(up + vp, uq + vq);
  sight->over[0] = slope_of(np, nq);
  sight->over[1] = slope_of(mp, mq);
  sight->over_size = size_of(larger(fabs(np), fabs(mp)), larger(fabs(nq), fabs(mq)));
}

/* Up to where occluders hide: a millimetre before the segment, measured across it. Where the eye looks along the segment, a
   millimetre across it is metres along the line of sight, so it is at most a part of the distance. */
static float furthest_of(const triangle *of, double near) {
  return (float)(1 - smaller(near * sqrt(of->length2 / of->area2), (double)LWI_SIGHT_TRIANGLE_BEFORE));
}

static void make(lwi_sight_triangle *sight, const lwi_occluders *occluders, lw_vec3 eye, const triangle *first,
                 const triangle *second, int axis) {
  static const int axes[3][3] = {{1, 2, 0}, {0, 2, 1}, {0, 1, 2}};
  static void (*const meets[3])(const lwi_sight_triangle *, const lwi_occluder_node *,
                                lwi_boxes_met *) = {meet_along_x, meet_along_y, meet_along_z};
  const double scale = 1 / (double)occluders->quantum, near = (double)LWI_SIGHT_TRIANGLE_NEAR * scale;
  const double reach = sqrt(larger(first->reach2, second->reach2));
  sight->meet = meets[axis];
  if (axis == 1)
    set_measures(sight, first, second, 0, 2, 1);
  else
    set_measures(sight, first, second, axes[axis][0], axes[axis][1], axis);
  for (int i = 0; i < 3; i++) sight->axes[i] = lwi_float_of_double4(sight->exact.axes[i]);
  /* Measured coordinates are at most `reach`: a few of their roundings. */
  sight->over_slack = lwi_splat4((float)(0.1 + 1e-6 * reach));
  sight->slack =
      lwi_mul4(lwi_splat4(4e-7f * (float)reach), lwi_add4(lwi_max4(sight->u_size.p, sight->v_size.p),
                                                          lwi_max4(sight->u_size.q, sight->v_size.q)));
  set_eye(sight, occluders, eye, scale);
  set_box(sight, first, second, axes[axis]);
  sight->nearest = (float)(near / reach);
  sight->furthest[0] = furthest_of(first, near);
  sight->furthest[1] = furthest_of(second, near);
}

bool lwi_sight_triangle_make(lwi_sight_triangle *sight, const lwi_occluders *occluders, lw_vec3 eye,
                             lw_vec3 from, lw_vec3 to) {
  triangle only;
  if (!make_triangle(&only, eye, from, to, 1 / (double)occluders->quantum)) return false;
  const double x = fabs(only.normal.x), y = fabs(only.normal.y), z = fabs(only.normal.z);
  make(sight, occluders, eye, &only, &only, y >= x && y >= z ? 1 : x >= z ? 0 : 2);
  sight->planes = 1;
  return true;
}

static bool is_steep(const triangle *of) {
  return of->normal.y * of->normal.y < STEEP * STEEP * of->area2;
}

bool lwi_sight_triangle_make_two(lwi_sight_triangle *sight, const lwi_occluders *occluders, lw_vec3 eye,
                                 lw_vec3 from, lw_vec3 to, const float heights[2]) {
  const double scale = 1 / (double)occluders->quantum;
  const lw_vec3 up = {0, heights[0], 0}, up_too = {0, heights[1], 0};
  triangle first, second;
  if (!make_triangle(&first, eye, lwi_add(from, up), lwi_add(to, up), scale) || is_steep(&first)) return false;
  if (!make_triangle(&second, eye, lwi_add(from, up_too), lwi_add(to, up_too), scale) || is_steep(&second))
    return false;
  make(sight, occluders, eye, &first, &second, 1);
  sight->planes = 3;
  return true;
}
