/* Walking over the surface: straight (ray cast) and sliding (move). */
#include "core/simd.h"
#include "mesh/mesh.h"
#include "mesh/walk.h"

#include <float.h>

/* A segment that strays from an edge by less than this runs along it: paths touch walls at corners. Far from
   the origin the spacing of floats takes its place. [m] */
#define EDGE_SLACK 1e-4
#define MAX_SLIDES 8
/* Polygons that are searched round one corner without memory. */
#define CORNER_POLYGONS 64
/* A polygon that the segment leaves within this many slacks may only have been touched. */
#define CORNER_ZONE 32

typedef struct walk_state {
  const lw_navmesh *mesh;
  const lw_filter *filter;
  lw_vec3 from, to;
  double dx, dz; /* to - from */
  float clear2;  /* corners whose turn about the segment, squared, is larger lie clear of it */
  double slack;  /* [m] */
  uint32_t at;   /* the current polygon */
  double exit;   /* where the segment leaves it, as a parameter; INFINITY: it ends inside */
  uint32_t edge; /* of the current polygon, by which the segment leaves it */
  bool inside;   /* the walk ended inside the polygon for sure, not only within the slack of it */
  lw_vec3 end;   /* in xz, valid when the walk has ended */
  int crossed;   /* polygons entered */
} walk_state;

/* The slack as a parameter of from -> to. */
static double slack_parameter(const walk_state *walk) {
  double length2 = walk->dx * walk->dx + walk->dz * walk->dz;
  return length2 > 0 ? walk->slack / sqrt(length2) : 1;
}

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

/* Does the part t0..t1 of an edge of polygon `index` touch the point where the segment leaves the current
   polygon? */
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
  lwi_portal_interval interval = lwi_interval_of_portal(walk->mesh, portal);
  return lwi_crosses(walk->mesh, walk->filter, portal) &&
         touches(walk, index, portal->edge, interval.t0, interval.t1);
}

/* Is this edge of polygon `index` a wall where the segment touches it, and does the segment run into it? */
static bool is_wall(const walk_state *walk, uint32_t index, uint32_t edge) {
  const lw_navmesh *mesh = walk->mesh;
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  double exit =
      exit_parameter(walk, lwi_corner(&polygon, edge), lwi_corner(&polygon, lwi_next_corner(&polygon, edge)));
  if (exit > walk->exit + slack_parameter(walk) || !touches(walk, index, edge, 0, 1)) return false;
  for (uint32_t k = mesh->graph.first_portal[index]; k < mesh->graph.end_portal[index]; k++)
    if (mesh->graph.portals[k].edge == edge && may_cross(walk, index, &mesh->graph.portals[k])) return false;
  return true;
}

/* Of the polygons around the end of the walk, make the one current whose edge is the wall. */
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

/* Does the segment touch the portal where it leaves the current polygon, or where it leaves polygon `index`? */
static bool may_turn(walk_state *walk, uint32_t index, const lwi_portal *portal, double left) {
  double exit = walk->exit;
  bool may = may_cross(walk, index, portal);
  if (may || left <= exit) return may;
  walk->exit = left;
  may = may_cross(walk, index, portal);
  walk->exit = exit;
  return may;
}

/* The polygons round a corner, and where the segment leaves each. */
typedef struct corner_polygons {
  uint32_t *around; /* [count] */
  double *left;     /* [count] */
  int count, capacity;
} corner_polygons;

/* What turn_among() found. */
typedef enum corner_turn { TURN_ON, TURN_WALL, TURN_FULL } corner_turn;

/* The segment leaves through a corner, or so near to one that rounding decides. Of all polygons that can be
   reached round the corner, enter the one in which it goes on furthest; polygons that it only touches are left
   at once. At a shallow angle it passes several before the corner, and leaves each a little further on. */
static corner_turn turn_among(walk_state *walk, corner_polygons *list) {
  const lw_navmesh *mesh = walk->mesh;
  uint32_t best = 0, best_edge = 0, edge = 0;
  double furthest = walk->exit, slack = slack_parameter(walk);
  list->around[0] = walk->at;
  list->left[0] = walk->exit;
  list->count = 1;
  for (int i = 0; i < list->count; i++) {
    const uint32_t from = list->around[i];
    for (uint32_t k = mesh->graph.first_portal[from]; k < mesh->graph.end_portal[from]; k++) {
      const lwi_portal *portal = &mesh->graph.portals[k];
      if (listed(list->around, list->count, portal->to)) continue;
      if (!may_turn(walk, from, portal, list->left[i])) continue;
      if (list->count == list->capacity) return TURN_FULL;
      double exit = find_exit(walk, portal->to, &edge);
      if (exit > furthest) {
        furthest = exit;
        best = portal->to;
        best_edge = edge;
      }
      list->around[list->count] = portal->to;
      list->left[list->count++] =
          exit > list->left[i] && exit < walk->exit + CORNER_ZONE * slack ? exit : list->left[i];
    }
  }
  if (furthest > walk->exit + slack) return enter(walk, best, furthest, best_edge), TURN_ON;
  find_wall(walk, list->around, list->count);
  return TURN_WALL;
}

/* Round a corner where more polygons meet than turn_corner() has memory for. Without memory it is a wall. */
static corner_turn turn_wide_corner(walk_state *walk) {
  lwi_memory memory = lwi_memory_make(&walk->mesh->memory.allocator);
  corner_turn turn = TURN_FULL;
  for (int capacity = 8 * CORNER_POLYGONS; turn == TURN_FULL; capacity *= 8) {
    const size_t around = (size_t)capacity * sizeof(uint32_t), left = (size_t)capacity * sizeof(double);
    corner_polygons list = {lwi_alloc(&memory, around), lwi_alloc(&memory, left), 0, capacity};
    turn = list.around && list.left ? turn_among(walk, &list) : TURN_WALL;
    lwi_free(&memory, list.around, around);
    lwi_free(&memory, list.left, left);
  }
  return turn;
}

static bool turn_corner(walk_state *walk) {
  uint32_t around[CORNER_POLYGONS];
  double left[CORNER_POLYGONS];
  corner_polygons list = {around, left, 0, CORNER_POLYGONS};
  const corner_turn turn = turn_among(walk, &list);
  return (turn == TURN_FULL ? turn_wide_corner(walk) : turn) == TURN_ON;
}

/* Leave the current polygon. @return false: a wall. */
static bool leave_polygon(walk_state *walk) {
  const lw_navmesh *mesh = walk->mesh;
  double slack = slack_parameter(walk);
  for (uint32_t k = mesh->graph.first_portal[walk->at]; k < mesh->graph.end_portal[walk->at]; k++) {
    const lwi_portal *portal = &mesh->graph.portals[k];
    if (portal->edge != walk->edge || !may_cross(walk, walk->at, portal)) continue;
    uint32_t edge = 0;
    double exit = find_exit(walk, portal->to, &edge);
    if (exit <= walk->exit + CORNER_ZONE * slack) continue;
    enter(walk, portal->to, exit, edge);
    return true;
  }
  return turn_corner(walk);
}

typedef enum walk_stride { STRIDE_ON, STRIDE_END, STRIDE_WALL, STRIDE_UNCLEAR } walk_stride;

/* Polygons with more corners take the slow path of find_exit(). */
#define MAX_SIDES 32

typedef struct segment4 {
  lwi_float4 from_x, from_z, dx, dz;
} segment4;

/* Turns of four corners about the segment, < 0 on its right. @return Bit i: corner i lies on its right. */
static unsigned turn_four(const segment4 *segment, const float *x, const float *z, float *sides) {
  const lwi_float4 turns = lwi_sub4(lwi_mul4(segment->dz, lwi_sub4(lwi_load4(x), segment->from_x)),
                                    lwi_mul4(segment->dx, lwi_sub4(lwi_load4(z), segment->from_z)));
  lwi_store4(sides, turns);
  return lwi_signs4(turns);
}

static unsigned corner_sides(const walk_state *walk, const lwi_polygon *polygon, float sides[MAX_SIDES]) {
  const segment4 segment = {lwi_splat4(walk->from.x), lwi_splat4(walk->from.z), lwi_splat4((float)walk->dx),
                            lwi_splat4((float)walk->dz)};
  const float *x = polygon->at, *z = polygon->at + polygon->count;
  unsigned right = turn_four(&segment, x, z, sides) | turn_four(&segment, x + 4, z + 4, sides + 4) << 4;
  for (uint32_t i = 8; i < polygon->count; i += 4) right |= turn_four(&segment, x + i, z + i, sides + i) << i;
  return right;
}

/* An edge that the segment crosses: its ends, and their turns about the segment. */
typedef struct crossed_edge {
  lw_vec3 a, b;
  float side_a, side_b;
} crossed_edge;

/* The crossing as a parameter of the edge. */
static double crossing_of(const crossed_edge *edge) {
  return (double)edge->side_a / ((double)edge->side_a - (double)edge->side_b);
}

/* Cross the passable portal over the crossed part of the edge. */
static walk_stride cross_part(walk_state *walk, uint32_t first, const crossed_edge *edge) {
  const lw_navmesh *mesh = walk->mesh;
  double s = crossing_of(edge), margin = walk->slack / (double)lwi_distance_xz(edge->a, edge->b);
  for (uint32_t k = first; k < mesh->graph.end_portal[walk->at]; k++) {
    const lwi_portal *portal = &mesh->graph.portals[k];
    if (portal->edge > walk->edge) break;
    lwi_portal_interval part = lwi_interval_of_portal(mesh, portal);
    if (portal->edge < walk->edge || s < part.t0 - margin || s > part.t1 + margin) continue;
    if ((part.t0 > 0 && s < part.t0 + margin) || (part.t1 < 1 && s > part.t1 - margin)) return STRIDE_UNCLEAR;
    if (!lwi_crosses(mesh, walk->filter, portal)) continue;
    walk->at = portal->to;
    return STRIDE_ON;
  }
  return STRIDE_WALL;
}

static walk_stride cross_edge(walk_state *walk, const crossed_edge *edge) {
  const lw_navmesh *mesh = walk->mesh;
  uint32_t place =
      mesh->polygons.edges[mesh->polygons.ranges[walk->at].first_corner + walk->edge] & LWI_EDGE_PORTAL;
  if (place == LWI_EDGE_WALL) return STRIDE_WALL;
  uint32_t first = mesh->graph.first_portal[walk->at] + (place == LWI_EDGE_FAR ? 0 : place);
  const lwi_portal *portal = &mesh->graph.portals[first];
  if (place == LWI_EDGE_FAR || portal->interval != 0 || !lwi_passes(mesh, walk->filter, portal->to))
    return cross_part(walk, first, edge);
  walk->at = portal->to;
  return STRIDE_ON;
}

/* A segment along an edge or through a corner may still end in the polygon. */
static walk_stride end_within(walk_state *walk, const lwi_polygon *polygon) {
  if (!lwi_polygon_holds(polygon, walk->to, walk->slack)) return STRIDE_UNCLEAR;
  walk->inside = false;
  return STRIDE_END;
}

/* Leave the polygon by the edge that runs from the segment's right to its left, unless the segment passes near
   a corner. */
static walk_stride stride(walk_state *walk) {
  lwi_polygon polygon = lwi_polygon_get(walk->mesh, walk->at);
  const uint32_t count = polygon.count;
  if (count > MAX_SIDES) return STRIDE_UNCLEAR;
  float sides[MAX_SIDES];
  unsigned corners = ~0U >> (32 - count), right = corner_sides(walk, &polygon, sides) & corners;
  unsigned leaving = right & ~(right >> 1 | right << (count - 1)) & corners;
  if (leaving == 0) return end_within(walk, &polygon);
  uint32_t edge = (uint32_t)__builtin_ctz(leaving), next = edge + 1 < count ? edge + 1 : 0;
  if (sides[edge] * sides[edge] < walk->clear2 || sides[next] * sides[next] < walk->clear2)
    return end_within(walk, &polygon);
  const crossed_edge out = {lwi_corner(&polygon, edge), lwi_corner(&polygon, next), sides[edge], sides[next]};
  const float dx = out.b.x - out.a.x, dz = out.b.z - out.a.z, slack = (float)walk->slack;
  const float inside = dz * (walk->to.x - out.a.x) - dx * (walk->to.z - out.a.z);
  if (inside >= 0 || inside * inside <= slack * slack * (dx * dx + dz * dz)) {
    walk->inside = inside >= 0;
    return STRIDE_END;
  }
  walk->edge = edge;
  walk_stride result = cross_edge(walk, &out);
  if (result == STRIDE_ON)
    walk->crossed += 1;
  else if (result == STRIDE_WALL) {
    walk->exit = exit_parameter(walk, out.a, out.b);
    walk->end =
        lwi_lerp(out.a, out.b, (float)crossing_of(&out)); /* between a and b, so on the polygon's outline */
    walk->inside = true;
  }
  return result;
}

/* @return Whether a wall stopped the walk; `exit` and `edge` say where. */
static bool walk_all(walk_state *walk) {
  /* A straight line enters a convex polygon once, so only a mesh that is not valid could exceed the limit. */
  uint64_t limit = 2 * (uint64_t)walk->mesh->polygons.count + 16;
  for (uint64_t i = 0; i < limit; i++) {
    walk_stride result = stride(walk);
    if (result == STRIDE_ON) continue;
    if (result != STRIDE_UNCLEAR) return result == STRIDE_WALL;
    walk->exit = find_exit(walk, walk->at, &walk->edge);
    if (walk->exit > 1) return false;
    if (leave_polygon(walk)) continue;
    walk->end.x = (float)(walk->from.x + walk->dx * walk->exit);
    walk->end.z = (float)(walk->from.z + walk->dz * walk->exit);
    return true;
  }
  return true;
}

static lw_vec3 edge_normal(const lw_navmesh *mesh, uint32_t index, uint32_t edge) {
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  lw_vec3 a = lwi_corner(&polygon, edge), b = lwi_corner(&polygon, lwi_next_corner(&polygon, edge));
  float dx = b.x - a.x, dz = b.z - a.z, length = sqrtf(dx * dx + dz * dz);
  float scale = length > 0 ? 1 / length : 0;
  return lwi_vec3(dz * scale, 0, -dx * scale);
}

static void walk_begin(walk_state *walk, const lw_navmesh *mesh, uint32_t at, lw_vec3 from, lw_vec3 to,
                       const lw_filter *filter) {
  walk->mesh = mesh;
  walk->filter = filter;
  walk->from = from;
  walk->to = walk->end = to;
  walk->at = at;
  walk->crossed = 1;
  walk->inside = false;
  walk->dx = (double)to.x - from.x;
  walk->dz = (double)to.z - from.z;
  double far_x = fabs((double)to.x), far_z = fabs((double)to.z),
         spacing = FLT_EPSILON * (far_x > far_z ? far_x : far_z);
  walk->slack = spacing > EDGE_SLACK ? spacing : EDGE_SLACK;
  /* Turns are floats, as precise as the largest of their terms. */
  const lw_box *box = &mesh->bounds;
  double size = (double)(box->max.x - box->min.x) + (double)(box->max.z - box->min.z);
  double clear = walk->slack + 4 * FLT_EPSILON * size;
  walk->clear2 = (float)(clear * clear * (walk->dx * walk->dx + walk->dz * walk->dz));
}

static void set_location(const lw_navmesh *mesh, uint32_t index, lw_vec3 point, lw_location *location) {
  location->point.x = point.x;
  location->point.z = point.z;
  location->point.y = lwi_polygon_height(mesh, index, point.x, point.z);
  location->poly = lwi_poly_id(mesh, index);
}

lw_status lw_navmesh_raycast(const lw_navmesh *mesh, lw_location start, lw_vec3 to, const lw_filter *filter,
                             lw_raycast *result) {
  if (result) *result = (lw_raycast){.at = start};
  if (!mesh || !result) return LW_INVALID;
  walk_state walk;
  if (!lwi_finite(start.point) || !lwi_finite(to)) return LW_INVALID;
  uint32_t at = lwi_poly_index(mesh, start.poly);
  if (at == LWI_NONE) return LW_STALE;
  walk_begin(&walk, mesh, at, start.point, to, filter);
  result->hit = walk_all(&walk);
  result->t = result->hit ? (float)walk.exit : 1;
  set_location(mesh, walk.at, walk.end, &result->at);
  result->crossed = walk.crossed;
  if (result->hit) result->normal = edge_normal(mesh, walk.at, walk.edge);
  return LW_OK;
}

bool lwi_walk_straight(const lw_navmesh *mesh, uint32_t *index, lw_vec3 from, lw_vec3 to,
                       const lw_filter *filter) {
  walk_state walk;
  walk_begin(&walk, mesh, *index, from, to, filter);
  const bool hit = walk_all(&walk);
  *index = walk.at;
  return !hit;
}

/* In a sharp corner the slack of two edges adds up: move the point back onto the polygon, so that repeated
   moves do not drift. */
static void move_inside(const lw_navmesh *mesh, uint32_t index, lw_vec3 *point) {
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  lw_vec3 closest;
  if (!lwi_polygon_closest(&polygon, *point, &closest)) *point = closest;
}

/* Does a point on the edge's line lie beyond its ends? */
static bool is_past(const lw_navmesh *mesh, uint32_t index, uint32_t edge, lw_vec3 point) {
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  lw_vec3 a = lwi_corner(&polygon, edge), b = lwi_corner(&polygon, lwi_next_corner(&polygon, edge));
  float dx = b.x - a.x, dz = b.z - a.z, along = (point.x - a.x) * dx + (point.z - a.z) * dz;
  return along < 0 || along > dx * dx + dz * dz;
}

lw_status lw_navmesh_move(const lw_navmesh *mesh, lw_location start, lw_vec3 to, const lw_filter *filter,
                          lw_location *end) {
  if (end) *end = start;
  if (!mesh || !end) return LW_INVALID;
  if (!lwi_finite(start.point) || !lwi_finite(to)) return LW_INVALID;
  uint32_t at = lwi_poly_index(mesh, start.poly);
  if (at == LWI_NONE) return LW_STALE;
  lw_vec3 goal = to, point = start.point;
  bool past = false; /* the walk goes past the end of the wall that it slides along */
  for (int slide = 0; slide < MAX_SLIDES; slide++) {
    walk_state walk;
    walk_begin(&walk, mesh, at, point, to, filter);
    bool hit = walk_all(&walk);
    at = walk.at;
    point = walk.end;
    if (!walk.inside) move_inside(mesh, at, &point);
    if (!hit && !past) break;
    past = false;
    if (!hit) { /* round the end of the wall */
      to = goal;
      continue;
    }
    /* Slide along the wall to its place nearest to the goal, so that no slide leads away from the goal. */
    lw_vec3 normal = edge_normal(mesh, at, walk.edge);
    float rest_x = goal.x - point.x, rest_z = goal.z - point.z;
    float into = rest_x * normal.x + rest_z * normal.z;
    rest_x -= into * normal.x;
    rest_z -= into * normal.z;
    if (rest_x * rest_x + rest_z * rest_z < 1e-10f) break;
    to.x = point.x + rest_x;
    to.z = point.z + rest_z;
    past = is_past(mesh, at, walk.edge, to);
  }
  set_location(mesh, at, point, end);
  return LW_OK;
}
