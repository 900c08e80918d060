#include "mesh/ground_line.h"

#include "mesh/slopes.h"

/* A vertex this near to the line lies on it: lines along an edge of the polygon pass its vertices by rounding. [m] */
#define ON_LINE 1e-3f
/* Corners this near to a plane lie in it. [m] */
#define IN_PLANE 1e-3f
/* The line may end this far beside the surface: portals overlap that far. [m] */
#define BESIDE 0.1f
/* Creases this near to an end of the line belong to that end. [m] */
#define AT_END 2e-3f

typedef struct line_view {
  const lwi_slopes *slopes;
  lw_vec3 from;
  float along_x, along_z; /* the line, of length 1 */
  float scale;            /* one over its length [1/m] */
  float first, last;      /* creases lie between [0..1] */
  float end_y;            /* of the surface at the line's end; NAN: not met [m] */
  int count;
  lwi_ground_crease *creases; /* in order */
} line_view;

/* How far a vertex is left of the line. [m] */
static inline float side_of(const line_view *view, lw_vec3 at) {
  return (at.x - view->from.x) * view->along_z - (at.z - view->from.z) * view->along_x;
}

/* How far it is along the line. [0..1 between its ends] */
static inline float part_of(const line_view *view, lw_vec3 at) {
  return ((at.x - view->from.x) * view->along_x + (at.z - view->from.z) * view->along_z) * view->scale;
}

/* --- from slope to slope ---------------------------------------------------------------------------------- */

/* An edge that the line leaves a slope by: its ends right and left of the line. */
typedef struct line_edge {
  uint32_t slope, edge; /* edge: from the right end to the left [0..2] */
  uint32_t right, left; /* vertices */
  lw_vec3 right_at, left_at;
  float right_side, left_side; /* [m] */
} line_edge;

/* The edge that the line leaves the slope of its start by. @return false: none, by rounding. */
static bool leave_first(const line_view *view, uint32_t slope, line_edge *edge) {
  const uint8_t *v = view->slopes->triangles + 3 * (size_t)slope;
  lw_vec3 at[3];
  float side[3];
  for (uint32_t k = 0; k < 3; k++) {
    at[k] = lwi_slopes_vertex(view->slopes, v[k]);
    side[k] = side_of(view, at[k]);
  }
  for (uint32_t k = 0; k < 3; k++) {
    const uint32_t next = k == 2 ? 0 : k + 1;
    if (side[k] > 0 || side[next] <= 0) continue;
    *edge = (line_edge){slope, k, v[k], v[next], at[k], at[next], side[k], side[next]};
    return true;
  }
  return false;
}

/* Enter a slope over the edge, and leave it. */
static void leave_next(const line_view *view, uint32_t slope, line_edge *edge) {
  const uint8_t *v = view->slopes->triangles + 3 * (size_t)slope;
  const uint32_t entry = v[0] == edge->left && v[1] == edge->right   ? 0
                         : v[1] == edge->left && v[2] == edge->right ? 1
                                                                     : 2;
  const uint32_t to_right = entry == 2 ? 0 : entry + 1, to_left = entry == 0 ? 2 : entry - 1;
  const lw_vec3 at = lwi_slopes_vertex(view->slopes, v[to_left]);
  const float side = side_of(view, at);
  edge->slope = slope;
  if (side > 0) {
    edge->edge = to_right;
    edge->left = v[to_left];
    edge->left_at = at;
    edge->left_side = side;
  } else {
    edge->edge = to_left;
    edge->right = v[to_left];
    edge->right_at = at;
    edge->right_side = side;
  }
}

static lwi_ground_crease crossing_of(const line_view *view, lw_vec3 right, float right_side, lw_vec3 left,
                                     float left_side) {
  const float part = right_side / (right_side - left_side);
  const lw_vec3 at = lwi_lerp(right, left, part);
  return (lwi_ground_crease){part_of(view, at), at.y};
}

/* Walk over the slopes under the line. @return false: it leaves the surface before its end, by rounding. */
static bool walk(line_view *view, float from_y) {
  const lwi_slopes *slopes = view->slopes;
  bool is_on;
  line_edge edge;
  if (!leave_first(view, lwi_slopes_find(slopes, view->from.x, view->from.z, &is_on), &edge)) return false;
  lwi_ground_crease before = {0, from_y};
  for (uint32_t step = 0; step < slopes->count; step++) {
    const lwi_ground_crease at =
        crossing_of(view, edge.right_at, edge.right_side, edge.left_at, edge.left_side);
    if (at.t >= view->last) {
      view->end_y = at.t > 1 ? before.y + (at.y - before.y) * (1 - before.t) / (at.t - before.t) : at.y;
      return true;
    }
    if (at.t > view->first && at.t > before.t) view->creases[view->count++] = before = at;
    const uint32_t slope = slopes->neighbours[4 * (size_t)edge.slope + edge.edge];
    if (slope == LWI_NEIGHBOUR_NONE) {
      view->end_y = at.y;
      return 1 - at.t <= BESIDE * view->scale;
    }
    leave_next(view, slope, &edge);
  }
  return false;
}

/* --- slope by slope --------------------------------------------------------------------------------------- */

static void put(line_view *view, lwi_ground_crease crease) {
  if (crease.t >= view->last) {
    if (crease.t <= 2 - view->last) view->end_y = crease.y;
    return;
  }
  if (!(crease.t > view->first) || view->count == LWI_GROUND_CREASES_MAX) return;
  int at = view->count++;
  for (; at > 0 && view->creases[at - 1].t > crease.t; at--) view->creases[at] = view->creases[at - 1];
  view->creases[at] = crease;
}

/* The line leaves a slope by an edge that crosses it from right to left. */
static inline void try_edge(line_view *view, const float *sides, uint32_t a, uint32_t b) {
  if (!(sides[a] < -ON_LINE && sides[b] > ON_LINE)) return;
  put(view, crossing_of(view, lwi_slopes_vertex(view->slopes, a), sides[a], lwi_slopes_vertex(view->slopes, b),
                        sides[b]));
}

/* The sides of all vertices; one on the line is a crease. */
static void take_sides(line_view *view, float *sides) {
  const lwi_slopes *slopes = view->slopes;
  const uint32_t corners = slopes->polygon.count, vertices = lwi_slopes_vertex_count(slopes);
  const float *x = slopes->polygon.at, *z = x + corners;
  for (uint32_t v = 0; v < corners; v++)
    sides[v] = (x[v] - view->from.x) * view->along_z - (z[v] - view->from.z) * view->along_x;
  for (uint32_t v = corners; v < vertices; v++) sides[v] = side_of(view, slopes->extra[v - corners]);
  for (uint32_t v = 0; v < vertices; v++) {
    if (fabsf(sides[v]) > ON_LINE) continue;
    const lw_vec3 at = lwi_slopes_vertex(slopes, v);
    put(view, (lwi_ground_crease){part_of(view, at), at.y});
  }
}

/* Look at all slopes, those too that the line runs beside. */
static void scan(line_view *view) {
  const lwi_slopes *slopes = view->slopes;
  float sides[LWI_SURFACE_VERTICES];
  take_sides(view, sides);
  for (uint32_t i = 0; i < slopes->count; i++) {
    uint32_t v[3];
    lwi_slopes_vertices(slopes, i, v);
    const float a = sides[v[0]], b = sides[v[1]], c = sides[v[2]];
    if (lwi_min(a, lwi_min(b, c)) >= -ON_LINE || lwi_max(a, lwi_max(b, c)) <= ON_LINE) continue;
    try_edge(view, sides, v[0], v[1]);
    try_edge(view, sides, v[1], v[2]);
    try_edge(view, sides, v[2], v[0]);
  }
}

/* --- creases ---------------------------------------------------------------------------------------------- */

/* Keep the creases that a line from crease to crease needs to stay within the slack. From each that is kept, the slopes
   narrow that lead past all others within it, until one does not (Williams 1978). */
static int thin(lwi_ground_crease *creases, int count, const lwi_ground_line *line) {
  lwi_ground_crease last = {0, line->from.y};
  float low = -INFINITY, high = INFINITY; /* slopes [m a line's length] */
  int kept = 0;
  for (int i = 0; i <= count; i++) {
    lwi_ground_crease at = i < count ? creases[i] : (lwi_ground_crease){1, line->to.y};
    float scale = 1 / (at.t - last.t), slope = (at.y - last.y) * scale;
    if (slope < low || slope > high) {
      last = creases[kept++] = creases[i - 1];
      scale = 1 / (at.t - last.t);
      slope = (at.y - last.y) * scale;
      low = -INFINITY;
      high = INFINITY;
    }
    low = lwi_max(low, slope - line->slack * scale);
    high = lwi_min(high, slope + line->slack * scale);
  }
  return kept;
}

/* Whether the surface is one plane. @param[out] y  Its height at a place. [m] */
static bool is_plane(const lwi_slopes *slopes, lw_vec3 at, float *y) {
  const uint32_t count = slopes->polygon.count;
  const float *x = slopes->polygon.at, *z = x + count, *ys = z + count;
  if (slopes->extra_count > 0) return false;
  float nx = 0, ny = 0, nz = 0, off = 0; /* the normal (Newell), from corner 0 where floats are precise */
  for (uint32_t i = 2; i < count; i++) {
    const float ax = x[i - 1] - x[0], ay = ys[i - 1] - ys[0], az = z[i - 1] - z[0];
    const float bx = x[i] - x[0], by = ys[i] - ys[0], bz = z[i] - z[0];
    nx += ay * bz - az * by;
    ny += az * bx - ax * bz;
    nz += ax * by - ay * bx;
  }
  if (!(ny > 0)) return false;
  const float slope_x = -nx / ny, slope_z = -nz / ny;
  for (uint32_t i = 1; i < count; i++)
    off = lwi_max(off, fabsf(ys[i] - ys[0] - slope_x * (x[i] - x[0]) - slope_z * (z[i] - z[0])));
  *y = ys[0] + slope_x * (at.x - x[0]) + slope_z * (at.z - z[0]);
  return off <= IN_PLANE;
}

/* @param[out] end_y  Height of the surface at the line's end; NAN: not met. @return How many creases. */
static int find_creases(const lwi_slopes *slopes, lw_vec3 from, lw_vec3 to, lwi_ground_crease *creases,
                        float *end_y) {
  const float length = lwi_distance_xz(from, to), scale = 1 / length;
  *end_y = NAN;
  if (length <= 2 * AT_END) return 0;
  line_view view = {.slopes = slopes,
                    .from = from,
                    .along_x = (to.x - from.x) * scale,
                    .along_z = (to.z - from.z) * scale,
                    .scale = scale,
                    .first = AT_END * scale,
                    .last = 1 - AT_END * scale,
                    .end_y = NAN,
                    .creases = creases};
  if (!slopes->neighbours || !walk(&view, from.y)) {
    view.count = 0;
    scan(&view);
  }
  *end_y = view.end_y;
  return view.count;
}

static int creases_over_slopes(const lw_navmesh *mesh, uint32_t polygon, lwi_ground_line *line,
                               lwi_ground_crease *creases) {
  const lwi_slopes slopes = lwi_slopes_of(mesh, polygon);
  lw_vec3 *to = &line->to;
  float end_y;
  if (is_plane(&slopes, *to, &end_y)) {
    if (line->is_crossing) to->y = end_y;
    return 0;
  }
  const int count = find_creases(&slopes, line->from, *to, creases, &end_y);
  if (line->is_crossing) to->y = isnan(end_y) ? lwi_polygon_height(mesh, polygon, to->x, to->z) : end_y;
  return count > 0 ? thin(creases, count, line) : 0;
}

int lwi_ground_line_creases(const lw_navmesh *mesh, uint32_t polygon, lwi_ground_line *line,
                            lwi_ground_crease *creases) {
  polygon = lwi_origin_of(mesh, polygon); /* a piece lies on the surface that it was cut from */
  const lwi_polygon at = lwi_polygon_get(mesh, polygon);
  const uint32_t *extra = mesh->detail.first_vertex;
  if ((extra && extra[polygon] != extra[polygon + 1]) || !lwi_corners_are_level(&at))
    return creases_over_slopes(mesh, polygon, line, creases);
  if (line->is_crossing) line->to.y = at.at[2 * (size_t)at.count];
  return 0;
}
