#include "mesh/ground_line.h"

#include "mesh/slopes.h"

/* A vertex this near to the line lies on it: lines along an edge of the polygon pass its vertices by rounding. [m] */
#define ON_LINE 1e-3f
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

/* Enter a slope over the edge, and leave it: on the other side of the vertex that is not on the edge. */
static inline void leave_next(const line_view *view, uint32_t slope, line_edge *edge) {
  const uint8_t *v = view->slopes->triangles + 3 * (size_t)slope;
  const uint32_t tip = v[0] != edge->left && v[0] != edge->right   ? 0
                       : v[1] != edge->left && v[1] != edge->right ? 1
                                                                   : 2;
  const lw_vec3 at = lwi_slopes_vertex(view->slopes, v[tip]);
  const float side = side_of(view, at);
  edge->slope = slope;
  if (side > 0) {
    edge->edge = tip == 0 ? 2 : tip - 1;
    edge->left = v[tip];
    edge->left_at = at;
    edge->left_side = side;
  } else {
    edge->edge = tip;
    edge->right = v[tip];
    edge->right_at = at;
    edge->right_side = side;
  }
}

static inline lwi_ground_crease crossing_of(const line_view *view, lw_vec3 right, float right_side,
                                            lw_vec3 left, float left_side) {
  const float part = right_side / (right_side - left_side);
  const lw_vec3 at = lwi_lerp(right, left, part);
  return (lwi_ground_crease){part_of(view, at), at.y};
}

/* Walk over the slopes under the line. @return false: it leaves the surface before its end, by rounding. */
static bool walk(line_view *view) {
  const lwi_slopes *slopes = view->slopes;
  bool is_on;
  line_edge edge;
  if (!leave_first(view, lwi_slopes_find(slopes, view->from.x, view->from.z, &is_on), &edge)) return false;
  lwi_ground_crease before = {0, view->from.y};
  int count = 0;
  for (uint32_t step = 0; step < slopes->count; step++) {
    const lwi_ground_crease at =
        crossing_of(view, edge.right_at, edge.right_side, edge.left_at, edge.left_side);
    view->count = count;
    if (at.t >= view->last) {
      view->end_y = at.t > 1 ? before.y + (at.y - before.y) * (1 - before.t) / (at.t - before.t) : at.y;
      return true;
    }
    if (at.t > view->first && at.t > before.t) view->creases[count++] = before = at;
    const uint32_t slope = slopes->neighbours[4 * (size_t)edge.slope + edge.edge];
    if (slope == LWI_NEIGHBOUR_NONE) {
      view->count = count;
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

/* The sides of all vertices; one on the line is a crease. */
static void take_sides(line_view *view, float *sides) {
  const lwi_slopes *slopes = view->slopes;
  const uint32_t corners = slopes->polygon.count, extra = slopes->extra_count;
  const float *x = slopes->polygon.at, *z = x + corners, *y = z + corners;
  for (uint32_t v = 0; v < corners; v++) {
    const lw_vec3 at = {x[v], y[v], z[v]};
    sides[v] = side_of(view, at);
    if (fabsf(sides[v]) <= ON_LINE) put(view, (lwi_ground_crease){part_of(view, at), at.y});
  }
  for (uint32_t v = 0; v < extra; v++) {
    const lw_vec3 at = slopes->extra[v];
    sides[corners + v] = side_of(view, at);
    if (fabsf(sides[corners + v]) <= ON_LINE) put(view, (lwi_ground_crease){part_of(view, at), at.y});
  }
}

/* Look at all slopes, those too that the line runs beside. It leaves a slope by an edge that crosses it from right to left,
   if by none, by a vertex on it. */
static void scan(line_view *view) {
  const lwi_slopes *slopes = view->slopes;
  float sides[LWI_SURFACE_VERTICES];
  take_sides(view, sides);
  for (uint32_t i = 0; i < slopes->count; i++) {
    uint32_t v[3];
    lwi_slopes_vertices(slopes, i, v);
    const float a = sides[v[0]], b = sides[v[1]], c = sides[v[2]];
    uint32_t right, left;
    if (a < -ON_LINE && b > ON_LINE)
      right = 0, left = 1;
    else if (b < -ON_LINE && c > ON_LINE)
      right = 1, left = 2;
    else if (c < -ON_LINE && a > ON_LINE)
      right = 2, left = 0;
    else
      continue;
    put(view, crossing_of(view, lwi_slopes_vertex(slopes, v[right]), sides[v[right]],
                          lwi_slopes_vertex(slopes, v[left]), sides[v[left]]));
  }
}

/* --- creases ---------------------------------------------------------------------------------------------- */

/* From a crease that is kept, the slopes that lead past all others within the slack. */
typedef struct slope_range {
  lwi_ground_crease from;
  float low, high, slack; /* [m a line's length; slack: m] */
} slope_range;

/* Narrow the range by a place that is to be passed. @return false: it was not within the range before. */
static inline bool narrow(slope_range *range, lwi_ground_crease at) {
  const float scale = 1 / (at.t - range->from.t), slope = (at.y - range->from.y) * scale;
  if (slope < range->low || slope > range->high) return false;
  range->low = lwi_max(range->low, slope - range->slack * scale);
  range->high = lwi_min(range->high, slope + range->slack * scale);
  return true;
}

/* Keep the creases that a line from crease to crease needs to stay within the slack. From each that is kept, the slopes
   narrow that lead past all others within it, until one does not (Williams 1978). */
static int thin(lwi_ground_crease *creases, int count, const lwi_ground_line *line) {
  slope_range range = {{0, line->from.y}, -INFINITY, INFINITY, line->slack};
  int kept = 0;
  for (int i = 0; i < count; i++) {
    const lwi_ground_crease at = creases[i];
    if (narrow(&range, at)) continue;
    range = (slope_range){creases[i - 1], -INFINITY, INFINITY, line->slack};
    creases[kept++] = range.from;
    narrow(&range, at);
  }
  if (!narrow(&range, (lwi_ground_crease){1, line->to.y})) creases[kept++] = creases[count - 1];
  return kept;
}

/* @param[out] end_y  Height of the surface at the line's end; NAN: not met. @return How many creases. */
static int find_creases(const lw_navmesh *mesh, uint32_t origin, const lwi_ground_line *line,
                        lwi_ground_crease *creases, float *end_y) {
  const lw_vec3 from = line->from, to = line->to;
  const float length = lwi_distance_xz(from, to), scale = 1 / length;
  *end_y = NAN;
  if (length <= 2 * AT_END) return 0;
  const lwi_slopes slopes = lwi_slopes_of(mesh, origin);
  line_view view = {.slopes = &slopes,
                    .from = from,
                    .along_x = (to.x - from.x) * scale,
                    .along_z = (to.z - from.z) * scale,
                    .scale = scale,
                    .first = AT_END * scale,
                    .last = 1 - AT_END * scale,
                    .end_y = NAN,
                    .creases = creases};
  if (!slopes.neighbours || !walk(&view)) {
    view.count = 0;
    view.end_y = NAN;
    scan(&view);
  }
  *end_y = view.end_y;
  return view.count;
}

static float height_in_plane(const lwi_polygon *polygon, lw_vec3 at) {
  const float *x = polygon->at, *z = x + polygon->count, *y = z + polygon->count;
  lwi_plane plane;
  if (!lwi_plane_of(polygon, &plane)) return y[0];
  return y[0] + plane.x * (at.x - x[0]) + plane.z * (at.z - z[0]);
}

int lwi_ground_line_creases(const lw_navmesh *mesh, uint32_t polygon, lwi_ground_line *line,
                            lwi_ground_crease *creases) {
  const uint32_t origin = lwi_origin_of(mesh, polygon); /* a piece lies on the surface that it was cut from */
  const uint32_t surface = lwi_surface_of(mesh, origin);
  if (surface != LWI_SURFACE_BENT) {
    const lwi_polygon at = lwi_polygon_get(mesh, origin);
    if (line->is_crossing)
      line->to.y = surface == LWI_SURFACE_LEVEL ? at.at[2 * (size_t)at.count] : height_in_plane(&at, line->to);
    return 0;
  }
  float end_y;
  const int count = find_creases(mesh, origin, line, creases, &end_y);
  if (line->is_crossing)
    line->to.y = isnan(end_y) ? lwi_polygon_height(mesh, polygon, line->to.x, line->to.z) : end_y;
  return count > 0 ? thin(creases, count, line) : 0;
}
