/* Walking over the surface: straight (ray cast) and sliding (move). */
#include "mesh/mesh.h"

/* A segment that leaves an edge by less than this runs along it: paths touch walls at corners. [m] */
#define EDGE_SLACK 1e-4
/* Parameters nearer than this are one place: a segment through a corner leaves by both its edges. */
#define SAME_T 1e-9
#define MAX_SLIDES 8

typedef struct walk_state {
  const lw_navmesh *mesh;
  const lw_filter *filter;
  lw_vec3 from, to;
  uint32_t at, previous; /* polygons */
  double t;              /* how far along from -> to */
  int crossed;
} walk_state;

/* Where the segment leaves across edge ab, or INFINITY when it ends inside. */
static double exit_parameter(const walk_state *walk, lw_vec3 a, lw_vec3 b) {
  double inside_from = lwi_turn(a, b, walk->from), inside_to = lwi_turn(a, b, walk->to);
  if (inside_to >= 0 || inside_to >= inside_from) return INFINITY;
  double dx = (double)b.x - a.x, dz = (double)b.z - a.z;
  if (inside_to * inside_to <= EDGE_SLACK * EDGE_SLACK * (dx * dx + dz * dz)) return INFINITY;
  return inside_from <= 0 ? 0 : inside_from / (inside_from - inside_to);
}

static const lwi_portal *portal_at(const walk_state *walk, uint32_t edge, double s, double slack) {
  const lw_navmesh *mesh = walk->mesh;
  for (uint32_t k = mesh->first_portal[walk->at]; k < mesh->first_portal[walk->at + 1]; k++) {
    const lwi_portal *portal = &mesh->portals[k];
    if (portal->edge != edge || s < portal->t0 - slack || s > portal->t1 + slack) continue;
    if (portal->to == walk->previous || !lw_filter_passes(walk->filter, mesh->poly_areas[portal->to])) continue;
    return portal;
  }
  return NULL;
}

/* The portal over which the segment leaves edge ab at parameter t. */
static const lwi_portal *leave_by(const walk_state *walk, uint32_t edge, lw_vec3 a, lw_vec3 b, double t) {
  double px = walk->from.x + ((double)walk->to.x - walk->from.x) * t - a.x;
  double pz = walk->from.z + ((double)walk->to.z - walk->from.z) * t - a.z;
  double dx = (double)b.x - a.x, dz = (double)b.z - a.z, length2 = dx * dx + dz * dz;
  double s = fmin(1, fmax(0, (px * dx + pz * dz) / length2));
  return portal_at(walk, edge, s, EDGE_SLACK / sqrt(length2));
}

typedef enum walk_result { STEP_ON, STEP_END, STEP_WALL } walk_result;

/* Leave the polygon that the walk is in. At a wall, `edge` is the edge that it hit. */
static walk_result walk_step(walk_state *walk, uint32_t *edge) {
  lwi_polygon polygon = lwi_polygon_get(walk->mesh, walk->at);
  double t = INFINITY;
  for (uint32_t i = 0; i < polygon.count; i++) {
    double exit =
        exit_parameter(walk, lwi_corner(&polygon, i), lwi_corner(&polygon, lwi_next_corner(&polygon, i)));
    if (exit >= t) continue;
    t = exit;
    *edge = i;
  }
  if (t > 1) return STEP_END;
  walk->t = fmax(walk->t, t);
  double length = hypot((double)walk->to.x - walk->from.x, (double)walk->to.z - walk->from.z);
  double same = SAME_T + (length > 0 ? EDGE_SLACK / length : 0);
  for (uint32_t k = 0; k < polygon.count; k++) {
    uint32_t i =
        (*edge + k) % polygon.count; /* the edge itself first, then any other that it leaves at one place */
    lw_vec3 a = lwi_corner(&polygon, i), b = lwi_corner(&polygon, lwi_next_corner(&polygon, i));
    double exit = exit_parameter(walk, a, b);
    if (exit > t + same) continue;
    const lwi_portal *portal = leave_by(walk, i, a, b, exit);
    if (!portal) continue;
    walk->previous = walk->at;
    walk->at = portal->to;
    walk->crossed += 1;
    return STEP_ON;
  }
  return STEP_WALL;
}

static lw_vec3 edge_normal(const lw_navmesh *mesh, uint32_t index, uint32_t edge) {
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  lw_vec3 a = lwi_corner(&polygon, edge), b = lwi_corner(&polygon, lwi_next_corner(&polygon, edge));
  float dx = b.x - a.x, dz = b.z - a.z, length = sqrtf(dx * dx + dz * dz);
  return length > 0 ? lwi_vec3(dz / length, 0, -dx / length) : lwi_vec3(0, 0, 0);
}

/* @return Whether a wall stopped it; then `edge` is the edge of polygon walk->at. */
static bool walk_all(walk_state *walk, uint32_t *edge) {
  /* A straight line enters a convex polygon once, but rounding at corners may turn it in a circle. */
  uint64_t limit = 2 * (uint64_t)walk->mesh->polygon_count + 16;
  for (uint64_t i = 0; i < limit; i++) {
    walk_result step = walk_step(walk, edge);
    if (step != STEP_ON) return step == STEP_WALL;
  }
  return true;
}

static lw_location walk_place(const walk_state *walk, bool hit) {
  lw_vec3 point = walk->to;
  if (hit) {
    point.x = (float)(walk->from.x + ((double)walk->to.x - walk->from.x) * walk->t);
    point.z = (float)(walk->from.z + ((double)walk->to.z - walk->from.z) * walk->t);
  }
  point.y = lwi_polygon_height(walk->mesh, walk->at, point.x, point.z);
  return (lw_location){point, lwi_poly_id(walk->mesh, walk->at)};
}

static bool walk_begin(walk_state *walk, const lw_navmesh *mesh, lw_location start, lw_vec3 to,
                       const lw_filter *filter) {
  uint32_t at = lwi_poly_index(mesh, start.poly);
  *walk = (walk_state){mesh, filter, start.point, to, at, LWI_NONE, 0, 1};
  return at != LWI_NONE;
}

lw_status lw_navmesh_raycast(const lw_navmesh *mesh, lw_location start, lw_vec3 to, const lw_filter *filter,
                             lw_raycast *result) {
  walk_state walk;
  uint32_t edge = 0;
  *result = (lw_raycast){.at = start};
  if (!lwi_finite(start.point) || !lwi_finite(to)) return LW_INVALID;
  if (!walk_begin(&walk, mesh, start, to, filter)) return LW_STALE;
  result->hit = walk_all(&walk, &edge);
  result->t = result->hit ? (float)walk.t : 1;
  result->at = walk_place(&walk, result->hit);
  result->crossed = walk.crossed;
  if (result->hit) result->normal = edge_normal(mesh, walk.at, edge);
  return LW_OK;
}

lw_status lw_navmesh_move(const lw_navmesh *mesh, lw_location start, lw_vec3 to, const lw_filter *filter,
                          lw_location *end) {
  *end = start;
  if (!lwi_finite(start.point) || !lwi_finite(to)) return LW_INVALID;
  float wish_x = to.x - start.point.x, wish_z = to.z - start.point.z;
  for (int slide = 0; slide < MAX_SLIDES; slide++) {
    walk_state walk;
    uint32_t edge = 0;
    if (!walk_begin(&walk, mesh, *end, to, filter)) return LW_STALE;
    bool hit = walk_all(&walk, &edge);
    *end = walk_place(&walk, hit);
    if (!hit) break;
    lw_vec3 normal = edge_normal(mesh, walk.at, edge);
    float rest_x = to.x - end->point.x, rest_z = to.z - end->point.z;
    float into = rest_x * normal.x + rest_z * normal.z;
    rest_x -= into * normal.x;
    rest_z -= into * normal.z;
    /* In a corner the slide would turn back: stay. */
    if (rest_x * wish_x + rest_z * wish_z <= 0 || rest_x * rest_x + rest_z * rest_z < 1e-10f) break;
    to.x = end->point.x + rest_x;
    to.z = end->point.z + rest_z;
  }
  return LW_OK;
}
