/* Walking over the surface: straight (ray cast) and sliding (move). */
#include "mesh/mesh.h"

#include <float.h>

/* A segment that leaves an edge by less than this runs along it: paths touch walls at corners. [m] Far from the origin
   it is the spacing of floats that counts. */
#define EDGE_SLACK 1e-4
#define MAX_SLIDES 8
/* Polygons looked at about one corner. */
#define CORNER_POLYGONS 64

typedef struct walk_state {
  const lw_navmesh *mesh;
  const lw_filter *filter;
  lw_vec3 from, to;
  double dx, dz;  /* to - from */
  double clear;   /* a corner whose turn about the segment is more than this is clear of it */
  double slack;   /* EDGE_SLACK, or more far out. [m] */
  double slack_t; /* the same as a parameter of from -> to */
  uint32_t at;    /* the polygon that it is in... */
  double exit;    /* ...where it leaves that; INFINITY: it ends inside... */
  uint32_t edge;  /* ...and by which edge */
  int crossed;
} walk_state;

/* Where the segment leaves across edge ab, or INFINITY when it ends inside. */
static double exit_parameter(const walk_state *walk, lw_vec3 a, lw_vec3 b) {
  double inside_from = lwi_turn(a, b, walk->from), inside_to = lwi_turn(a, b, walk->to);
  if (inside_to >= 0 || inside_to >= inside_from) return INFINITY;
  double dx = (double)b.x - a.x, dz = (double)b.z - a.z;
  if (inside_to * inside_to <= walk->slack * walk->slack * (dx * dx + dz * dz)) return INFINITY;
  return inside_from <= 0 ? 0 : inside_from / (inside_from - inside_to);
}

static double find_exit(const walk_state *walk, uint32_t index, uint32_t *edge) {
  lwi_polygon polygon = lwi_polygon_get(walk->mesh, index);
  double first = INFINITY;
  lw_vec3 a = lwi_corner(&polygon, 0);
  for (uint32_t i = 0; i < polygon.count; i++) {
    lw_vec3 b = lwi_corner(&polygon, lwi_next_corner(&polygon, i));
    double exit = exit_parameter(walk, a, b);
    if (exit < first) {
      first = exit;
      *edge = i;
    }
    a = b;
  }
  return first;
}

static void enter(walk_state *walk, uint32_t index, double exit, uint32_t edge) {
  walk->at = index;
  walk->exit = exit;
  walk->edge = edge;
  walk->crossed += 1;
}

/* Does the part t0..t1 of an edge of polygon `index` touch the point where the walk leaves its polygon? */
static bool touches(const walk_state *walk, uint32_t index, uint32_t edge, float t0, float t1) {
  lwi_polygon polygon = lwi_polygon_get(walk->mesh, index);
  lw_vec3 a = lwi_corner(&polygon, edge), b = lwi_corner(&polygon, lwi_next_corner(&polygon, edge));
  double px = walk->from.x + ((double)walk->to.x - walk->from.x) * walk->exit - a.x;
  double pz = walk->from.z + ((double)walk->to.z - walk->from.z) * walk->exit - a.z;
  double dx = (double)b.x - a.x, dz = (double)b.z - a.z, length2 = dx * dx + dz * dz;
  double s = fmin((double)t1, fmax((double)t0, (px * dx + pz * dz) / length2));
  double ex = px - s * dx, ez = pz - s * dz;
  return ex * ex + ez * ez <= walk->slack * walk->slack;
}

static bool may_cross(const walk_state *walk, uint32_t index, const lwi_portal *portal) {
  lwi_stretch stretch = lwi_portal_stretch(walk->mesh, portal);
  return lw_filter_passes(walk->filter, walk->mesh->poly_areas[portal->to]) &&
         touches(walk, index, portal->edge, stretch.t0, stretch.t1);
}

/* Is this edge of polygon `index` a wall where the walk touches it, and does the walk run into it? */
static bool is_wall(const walk_state *walk, uint32_t index, uint32_t edge) {
  const lw_navmesh *mesh = walk->mesh;
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  double exit =
      exit_parameter(walk, lwi_corner(&polygon, edge), lwi_corner(&polygon, lwi_next_corner(&polygon, edge)));
  if (exit > walk->exit + walk->slack_t || !touches(walk, index, edge, 0, 1)) return false;
  for (uint32_t k = mesh->first_portal[index]; k < mesh->first_portal[index + 1]; k++)
    if (mesh->portals[k].edge == edge && may_cross(walk, index, &mesh->portals[k])) return false;
  return true;
}

/* Of the polygons about the place where the walk ended, stand in the one whose edge is the wall. */
static void find_wall(walk_state *walk, const uint32_t *around, int count) {
  for (int i = 0; i < count; i++)
    for (uint32_t edge = 0; edge < lwi_polygon_get(walk->mesh, around[i]).count; edge++) {
      if (!is_wall(walk, around[i], edge)) continue;
      walk->at = around[i];
      walk->edge = edge;
      return;
    }
}

static bool listed(const uint32_t *list, int count, uint32_t index) {
  for (int i = 0; i < count; i++)
    if (list[i] == index) return true;
  return false;
}

/* The segment leaves through a corner, or so near to one that rounding decides: of all polygons about that corner that
   can be reached round it, enter the one in which the segment goes on. */
static bool turn_corner(walk_state *walk) {
  const lw_navmesh *mesh = walk->mesh;
  uint32_t around[CORNER_POLYGONS] = {walk->at}, edge = 0;
  int count = 1;
  for (int i = 0; i < count; i++)
    for (uint32_t k = mesh->first_portal[around[i]]; k < mesh->first_portal[around[i] + 1]; k++) {
      const lwi_portal *portal = &mesh->portals[k];
      if (count == CORNER_POLYGONS || listed(around, count, portal->to)) continue;
      if (!may_cross(walk, around[i], portal)) continue;
      around[count++] = portal->to;
      double exit = find_exit(walk, portal->to, &edge);
      if (exit <= walk->exit + walk->slack_t) continue;
      enter(walk, portal->to, exit, edge);
      return true;
    }
  find_wall(walk, around, count);
  return false;
}

/* Leave the polygon that the walk is in. @return false: a wall. */
static bool walk_on(walk_state *walk) {
  const lw_navmesh *mesh = walk->mesh;
  for (uint32_t k = mesh->first_portal[walk->at]; k < mesh->first_portal[walk->at + 1]; k++) {
    const lwi_portal *portal = &mesh->portals[k];
    if (portal->edge != walk->edge || !may_cross(walk, walk->at, portal)) continue;
    uint32_t edge = 0;
    double exit = find_exit(walk, portal->to, &edge);
    if (exit <= walk->exit + walk->slack_t) continue;
    enter(walk, portal->to, exit, edge);
    return true;
  }
  return turn_corner(walk);
}

typedef enum walk_stride { STRIDE_ON, STRIDE_END, STRIDE_WALL, STRIDE_UNCLEAR } walk_stride;

/* The passable portal over the part of an edge that the segment crosses at parameter s. */
static walk_stride cross_edge(walk_state *walk, uint32_t edge, double s, double margin) {
  const lw_navmesh *mesh = walk->mesh;
  for (uint32_t k = mesh->first_portal[walk->at]; k < mesh->first_portal[walk->at + 1]; k++) {
    const lwi_portal *portal = &mesh->portals[k];
    lwi_stretch part = lwi_portal_stretch(mesh, portal);
    if (portal->edge != edge || s < part.t0 - margin || s > part.t1 + margin) continue;
    bool passes = lw_filter_passes(walk->filter, mesh->poly_areas[portal->to]);
    bool partial = (part.t0 > 0 && s < part.t0 + margin) || (part.t1 < 1 && s > part.t1 - margin);
    if (partial) return STRIDE_UNCLEAR;
    if (!passes) continue;
    walk->at = portal->to;
    walk->crossed += 1;
    return STRIDE_ON;
  }
  return STRIDE_WALL;
}

/* Leave the polygon where the segment passes clear of its corners, which is nearly always: the edge that it leaves by is
   the one that runs from its right to its left. */
static walk_stride stride_on(walk_state *walk) {
  lwi_polygon polygon = lwi_polygon_get(walk->mesh, walk->at);
  const double fx = walk->from.x, fz = walk->from.z;
  lw_vec3 a = lwi_corner(&polygon, polygon.count - 1);
  double side_a = walk->dz * (a.x - fx) - walk->dx * (a.z - fz);
  for (uint32_t i = 0; i < polygon.count; i++) {
    lw_vec3 b = lwi_corner(&polygon, i);
    double side_b = walk->dz * (b.x - fx) - walk->dx * (b.z - fz);
    if (side_a < 0 && side_b >= 0) {
      if (side_a > -walk->clear || side_b < walk->clear) return STRIDE_UNCLEAR;
      double exit = exit_parameter(walk, a, b);
      if (exit > 1) return STRIDE_END;
      walk->exit = exit;
      walk->edge = i > 0 ? i - 1 : polygon.count - 1;
      double length2 = ((double)b.x - a.x) * ((double)b.x - a.x) + ((double)b.z - a.z) * ((double)b.z - a.z);
      return cross_edge(walk, walk->edge, side_a / (side_a - side_b), walk->slack / sqrt(length2));
    }
    a = b;
    side_a = side_b;
  }
  return STRIDE_UNCLEAR;
}

/* @return Whether a wall stopped it; then `exit` and `edge` say where. */
static bool walk_all(walk_state *walk) {
  /* A straight line enters a convex polygon once; only a mesh that breaks its word could turn it in a circle. */
  uint64_t limit = 2 * (uint64_t)walk->mesh->polygon_count + 16;
  for (uint64_t i = 0; i < limit; i++) {
    walk_stride stride = stride_on(walk);
    if (stride == STRIDE_ON) continue;
    if (stride != STRIDE_UNCLEAR) return stride == STRIDE_WALL;
    walk->exit = find_exit(walk, walk->at, &walk->edge);
    if (walk->exit > 1) return false;
    if (!walk_on(walk)) return true;
  }
  return true;
}

static lw_vec3 edge_normal(const lw_navmesh *mesh, uint32_t index, uint32_t edge) {
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  lw_vec3 a = lwi_corner(&polygon, edge), b = lwi_corner(&polygon, lwi_next_corner(&polygon, edge));
  float dx = b.x - a.x, dz = b.z - a.z, length = sqrtf(dx * dx + dz * dz);
  return length > 0 ? lwi_vec3(dz / length, 0, -dx / length) : lwi_vec3(0, 0, 0);
}

static lw_location walk_place(const walk_state *walk, bool hit) {
  lw_vec3 point = walk->to;
  if (hit) {
    point.x = (float)(walk->from.x + ((double)walk->to.x - walk->from.x) * walk->exit);
    point.z = (float)(walk->from.z + ((double)walk->to.z - walk->from.z) * walk->exit);
  }
  point.y = lwi_polygon_height(walk->mesh, walk->at, point.x, point.z);
  return (lw_location){point, lwi_poly_id(walk->mesh, walk->at)};
}

static bool walk_begin(walk_state *walk, const lw_navmesh *mesh, lw_location start, lw_vec3 to,
                       const lw_filter *filter) {
  uint32_t at = lwi_poly_index(mesh, start.poly);
  if (at == LWI_NONE) return false;
  *walk = (walk_state){.mesh = mesh, .filter = filter, .from = start.point, .to = to, .at = at, .crossed = 1};
  walk->dx = (double)to.x - start.point.x;
  walk->dz = (double)to.z - start.point.z;
  double length = sqrt(walk->dx * walk->dx + walk->dz * walk->dz);
  walk->slack = fmax(EDGE_SLACK, FLT_EPSILON * fmax(fabs((double)to.x), fabs((double)to.z)));
  walk->slack_t = length > 0 ? walk->slack / length : 1;
  walk->clear = walk->slack * length;
  return true;
}

lw_status lw_navmesh_raycast(const lw_navmesh *mesh, lw_location start, lw_vec3 to, const lw_filter *filter,
                             lw_raycast *result) {
  walk_state walk;
  *result = (lw_raycast){.at = start};
  if (!lwi_finite(start.point) || !lwi_finite(to)) return LW_INVALID;
  if (!walk_begin(&walk, mesh, start, to, filter)) return LW_STALE;
  result->hit = walk_all(&walk);
  result->t = result->hit ? (float)walk.exit : 1;
  result->at = walk_place(&walk, result->hit);
  result->crossed = walk.crossed;
  if (result->hit) result->normal = edge_normal(mesh, walk.at, walk.edge);
  return LW_OK;
}

/* In a sharp corner the slack of two edges adds up: back onto the polygon, so that moves in a row do not drift off. */
static lw_location pull_in(const lw_navmesh *mesh, lw_location place, uint32_t index) {
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  lw_vec3 closest;
  if (lwi_polygon_closest(&polygon, place.point, &closest)) return place;
  closest.y = lwi_polygon_height(mesh, index, closest.x, closest.z);
  return (lw_location){closest, place.poly};
}

lw_status lw_navmesh_move(const lw_navmesh *mesh, lw_location start, lw_vec3 to, const lw_filter *filter,
                          lw_location *end) {
  *end = start;
  if (!lwi_finite(start.point) || !lwi_finite(to)) return LW_INVALID;
  lw_vec3 goal = to;
  for (int slide = 0; slide < MAX_SLIDES; slide++) {
    walk_state walk;
    if (!walk_begin(&walk, mesh, *end, to, filter)) return LW_STALE;
    bool hit = walk_all(&walk);
    *end = pull_in(mesh, walk_place(&walk, hit), walk.at);
    if (!hit) break;
    /* On along the wall, to where it is nearest to the goal: so no slide leads away from there. */
    lw_vec3 normal = edge_normal(mesh, walk.at, walk.edge);
    float rest_x = goal.x - end->point.x, rest_z = goal.z - end->point.z;
    float into = rest_x * normal.x + rest_z * normal.z;
    rest_x -= into * normal.x;
    rest_z -= into * normal.z;
    if (rest_x * rest_x + rest_z * rest_z < 1e-10f) break;
    to.x = end->point.x + rest_x;
    to.z = end->point.z + rest_z;
  }
  return LW_OK;
}
