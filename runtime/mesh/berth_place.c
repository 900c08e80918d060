#include "mesh/berth_place.h"

/* So much further than need be it stands from walls, so that rounding does no harm. [m] */
#define STAND_MARGIN 2e-4

/* --- rooms ----------------------------------------------------------------------------------------------------- */

/* One half of a polygon, cut in two along a line through a point. */
#define MOST_CORNERS 260
#define MOST_OPENINGS 520

typedef struct half_polygon {
  lwi_spot corners[MOST_CORNERS];
  uint32_t count;
  lwi_opening openings[MOST_OPENINGS];
  uint32_t items[MOST_OPENINGS]; /* passages of the polygon, and behind them openings of the cut */
  uint32_t opening_count;
} half_polygon;

typedef struct locating {
  const lwi_berth *berth;
  lwi_region_room *work;
  lwi_barriers barriers;
  uint32_t polygon;
  lwi_spot point;
  lwi_spot corners[MOST_CORNERS];
  uint32_t corner_count;
  lwi_spot cut[2]; /* from its beginning to its end on the outline */
} locating;

static lwi_spot corner_of(const locating *at, uint32_t i) {
  return at->corners[i < at->corner_count ? i : 0];
}

/* Nearly always some passage can be seen from the point. */
static uint32_t room_in_sight(const locating *at) {
  const lwi_graph *graph = &at->berth->graph;
  for (uint32_t room = at->polygon; room != LWI_NONE; room = lwi_next_room(graph, at->polygon, room))
    for (uint32_t k = graph->first_portal[room]; k < graph->first_portal[room + 1]; k++) {
      lw_vec3 left, right;
      lwi_graph_points(graph, room, &graph->portals[k], &left, &right);
      lwi_spot middle = lwi_spot_between(lwi_spot_of(left), lwi_spot_of(right), 0.5);
      if (lwi_region_clear(&at->barriers, at->point, middle, 0)) return room;
    }
  return LWI_NONE;
}

/* Part t0..t1 of edge ab, as a opening of the half's edge that is the part s0..s1 of it. */
static void add_part(half_polygon *half, double s0, double s1, double t0, double t1, uint32_t item) {
  double from = fmax(s0, t0), to = fmin(s1, t1);
  if (!(from < to) || half->opening_count == MOST_OPENINGS) return;
  half->openings[half->opening_count] =
      (lwi_opening){half->count - 1, (from - s0) / (s1 - s0), (to - s0) / (s1 - s0)};
  half->items[half->opening_count++] = item;
}

/* All free parts of the polygon's edge that lie on part s0..s1 of it. */
static void add_edge(const locating *at, half_polygon *half, uint32_t edge, double s0, double s1) {
  const lwi_graph *graph = &at->berth->graph;
  if (half->count == MOST_CORNERS || s1 - s0 < 1e-9) return;
  half->corners[half->count++] = lwi_spot_between(at->corners[edge], corner_of(at, edge + 1), s0);
  uint32_t first = half->opening_count;
  for (uint32_t room = at->polygon; room != LWI_NONE; room = lwi_next_room(graph, at->polygon, room))
    for (uint32_t k = graph->first_portal[room]; k < graph->first_portal[room + 1]; k++)
      if (graph->portals[k].edge == edge) {
        lwi_stretch stretch = graph->stretches[graph->portals[k].stretch];
        add_part(half, s0, s1, (double)stretch.t0, (double)stretch.t1, room);
      }
  for (uint32_t i = first + 1; i < half->opening_count; i++) /* passages come by room, not along the edge */
    for (uint32_t j = i; j > first && half->openings[j].t0 < half->openings[j - 1].t0; j--) {
      lwi_opening opening = half->openings[j];
      uint32_t item = half->items[j];
      half->openings[j] = half->openings[j - 1];
      half->items[j] = half->items[j - 1];
      half->openings[j - 1] = opening;
      half->items[j - 1] = item;
    }
}

/* The half that lies between parameters `from` and `to` of the outline (edge + t, counter-clockwise), and the cut. */
static bool make_half(const locating *at, half_polygon *half, double from, double to, const lwi_spot cut[2]) {
  half->count = half->opening_count = 0;
  double n = (double)at->corner_count, end = to > from ? to : to + n;
  for (double s = from; s < end;) {
    double edge = floor(s), stop = fmin(end, edge + 1);
    add_edge(at, half, (uint32_t)fmod(edge, n), s - edge, stop - edge);
    s = stop;
  }
  at->work->opening_count = 0;
  half->corners[half->count++] = cut[0];
  if (!lwi_region_free(at->work, &at->barriers, cut, half->count - 1, 0, 1)) return false;
  for (int i = 0; i < at->work->opening_count && half->opening_count < MOST_OPENINGS; i++) {
    half->openings[half->opening_count] = at->work->openings[i];
    half->items[half->opening_count++] = LWI_NONE;
  }
  return true;
}

/* The label of the cut's opening that the point lies on, in one half; LWI_NONE: none. Its room goes to `room`. */
static bool room_in_half(const locating *at, const half_polygon *half, uint32_t *room) {
  uint32_t labels[MOST_OPENINGS], mine = LWI_NONE;
  if (!lwi_region_join(at->work, &at->barriers, half->corners, half->count, half->openings, half->opening_count,
                       labels))
    return false;
  lwi_spot begin = half->corners[half->count - 1], end = half->corners[0];
  double length = lwi_spot_distance(begin, end), t = lwi_spot_distance(begin, at->point) / fmax(length, 1e-9);
  for (uint32_t i = 0; i < half->opening_count; i++)
    if (half->items[i] == LWI_NONE && t >= half->openings[i].t0 - 1e-6 && t <= half->openings[i].t1 + 1e-6)
      mine = labels[i];
  for (uint32_t i = 0; i < half->opening_count && mine != LWI_NONE; i++)
    if (labels[i] == mine && half->items[i] != LWI_NONE) *room = half->items[i];
  return true;
}

/* Cut the polygon in two through the point: then it lies on the outline of both halves. */
static bool room_by_cut(locating *at, uint32_t *room) {
  static const lwi_spot directions[] = {{0.8, 0.6}, {-0.6, 0.8}};
  half_polygon half;
  for (int i = 0; i < 2 && *room == LWI_NONE; i++) {
    lwi_spot back = {-directions[i].x, -directions[i].z};
    double ahead = lwi_outline_exit(at->corners, at->corner_count, at->point, directions[i], &at->cut[1]);
    double behind = lwi_outline_exit(at->corners, at->corner_count, at->point, back, &at->cut[0]);
    lwi_spot turned[2] = {at->cut[1], at->cut[0]};
    if (!make_half(at, &half, ahead, behind, at->cut) || !room_in_half(at, &half, room)) return false;
    if (*room != LWI_NONE) return true;
    if (!make_half(at, &half, behind, ahead, turned) || !room_in_half(at, &half, room)) return false;
  }
  return true;
}

static bool has_passages(const lwi_berth *berth, uint32_t polygon) {
  return berth->first_passage[polygon] <
         berth->first_passage[polygon + 1]; /* the first room has some if any has */
}

bool lwi_berth_room(const lwi_berth *berth, lwi_region_room *work, uint32_t polygon, lw_vec3 point,
                    uint32_t *room) {
  locating at = {.berth = berth, .work = work, .polygon = polygon, .point = lwi_spot_of(point)};
  at.barriers = lwi_berth_near(berth, polygon);
  *room = polygon;
  if (at.barriers.count == 0) return true;
  *room = LWI_NONE;
  if (!lwi_region_clear(&at.barriers, at.point, at.point, LWI_STAND_SLACK)) return true;
  *room = room_in_sight(&at);
  if (*room != LWI_NONE) return true;
  lwi_polygon outline = lwi_polygon_get(berth->graph.mesh, polygon);
  at.corner_count = outline.count;
  for (uint32_t i = 0; i < outline.count; i++) at.corners[i] = lwi_spot_of(lwi_corner(&outline, i));
  if (!room_by_cut(&at, room)) return false;
  /* Where no passage leads, links still may: then all that is clear there counts as one room. */
  if (*room == LWI_NONE && berth->graph.mesh->link_count > 0 && !has_passages(berth, polygon)) *room = polygon;
  return true;
}

/* --- standing -------------------------------------------------------------------------------------------------- */

/* Polygons about the place that walls are taken from. */
#define MOST_POLYGONS 64
#define MOST_WALLS 128

typedef struct standing {
  const lwi_berth *berth;
  const lw_filter *filter;
  lwi_spot from, about;
  lw_vec3 half;
  lw_location start, best;
  double distance, slack; /* `distance`: to the best so far */
  lwi_barrier walls[MOST_WALLS];
  int wall_count;
} standing;

/* Is a place better than the best, in the box, reached straight from the start, and clear of walls? */
static void try_spot(standing *work, lwi_spot spot) {
  double distance = lwi_spot_distance(work->from, spot);
  if (!(distance < work->distance)) return;
  if (fabs(spot.x - work->about.x) > (double)work->half.x ||
      fabs(spot.z - work->about.z) > (double)work->half.z)
    return;
  const lw_navmesh *mesh = work->berth->graph.mesh;
  lw_vec3 to = {(float)spot.x, work->start.point.y, (float)spot.z};
  lw_raycast ray;
  if (lw_navmesh_raycast(mesh, work->start, to, work->filter, &ray) != LW_OK || ray.hit) return;
  lwi_barriers near = lwi_berth_near(work->berth, lwi_poly_index(mesh, ray.at.poly));
  lwi_spot at = lwi_spot_of(ray.at.point);
  if (!lwi_region_clear(&near, at, at, work->slack)) return;
  work->distance = distance;
  work->best = ray.at;
}

static lwi_spot end_of(const lwi_barrier *wall, int end) {
  return end == 0 ? (lwi_spot){wall->ax, wall->az} : (lwi_spot){wall->bx, wall->bz};
}

/* Along a wall, and from it into the mesh, which is on its left. */
static void axes_of(const lwi_barrier *wall, lwi_spot *along, lwi_spot *inward) {
  lwi_spot a = end_of(wall, 0), b = end_of(wall, 1);
  double length = fmax(lwi_spot_distance(a, b), 1e-12);
  *along = (lwi_spot){(b.x - a.x) / length, (b.z - a.z) / length};
  *inward = (lwi_spot){along->z, -along->x};
}

/* Straight away from one wall, until it is clear of it. */
static void push_off(standing *work, const lwi_barrier *wall, double keep) {
  lwi_spot a = end_of(wall, 0), along, inward;
  axes_of(wall, &along, &inward);
  double length = lwi_spot_distance(a, end_of(wall, 1));
  double t = (work->from.x - a.x) * along.x + (work->from.z - a.z) * along.z;
  lwi_spot foot = lwi_spot_between(a, end_of(wall, 1), length > 0 ? fmin(1, fmax(0, t / length)) : 0);
  double distance = lwi_spot_distance(foot, work->from);
  if (distance >= keep) return;
  if (distance > 1e-6)
    inward = (lwi_spot){(work->from.x - foot.x) / distance, (work->from.z - foot.z) / distance};
  try_spot(work, (lwi_spot){foot.x + inward.x * keep, foot.z + inward.z * keep});
}

static void meet_circles(standing *work, lwi_spot a, lwi_spot b, double keep) {
  double distance = lwi_spot_distance(a, b), rest = keep * keep - distance * distance / 4;
  if (rest < 0 || distance < 1e-9) return;
  lwi_spot middle = lwi_spot_between(a, b, 0.5);
  double x = (b.z - a.z) / distance * sqrt(rest), z = -(b.x - a.x) / distance * sqrt(rest);
  try_spot(work, (lwi_spot){middle.x + x, middle.z + z});
  try_spot(work, (lwi_spot){middle.x - x, middle.z - z});
}

/* The line before a wall, and the circle about an end of another. */
static void meet_line(standing *work, const lwi_barrier *wall, lwi_spot center, double keep) {
  lwi_spot a = end_of(wall, 0), along, inward;
  axes_of(wall, &along, &inward);
  double t = (center.x - a.x) * along.x + (center.z - a.z) * along.z;
  double off = (center.x - a.x) * inward.x + (center.z - a.z) * inward.z - keep, rest = keep * keep - off * off;
  if (rest < 0) return;
  for (int side = -1; side <= 1; side += 2) {
    double s = t + side * sqrt(rest);
    try_spot(work, (lwi_spot){a.x + along.x * s + inward.x * keep, a.z + along.z * s + inward.z * keep});
  }
}

static void meet_lines(standing *work, const lwi_barrier *first, const lwi_barrier *second, double keep) {
  lwi_spot along, inward, other_along, other_inward, a = end_of(first, 0), b = end_of(second, 0);
  axes_of(first, &along, &inward);
  axes_of(second, &other_along, &other_inward);
  lwi_spot p = {a.x + inward.x * keep, a.z + inward.z * keep};
  double towards = along.x * other_inward.x + along.z * other_inward.z;
  if (fabs(towards) < 1e-9) return;
  double s = (keep - (p.x - b.x) * other_inward.x - (p.z - b.z) * other_inward.z) / towards;
  try_spot(work, (lwi_spot){p.x + along.x * s, p.z + along.z * s});
}

static void try_pair(standing *work, const lwi_barrier *a, const lwi_barrier *b, double keep) {
  meet_lines(work, a, b, keep);
  for (int i = 0; i < 2; i++) {
    meet_line(work, a, end_of(b, i), keep);
    meet_line(work, b, end_of(a, i), keep);
    for (int j = 0; j < 2; j++) meet_circles(work, end_of(a, i), end_of(b, j), keep);
  }
}

static bool has_polygon(const uint32_t *list, int count, uint32_t polygon) {
  for (int i = 0; i < count; i++)
    if (list[i] == polygon) return true;
  return false;
}

/* The walls of polygons within reach, as one walks. */
static void gather_walls(standing *work, double reach) {
  const lw_navmesh *mesh = work->berth->graph.mesh;
  uint32_t around[MOST_POLYGONS] = {lwi_poly_index(mesh, work->start.poly)};
  int count = 1;
  work->wall_count = 0;
  for (int i = 0; i < count; i++) {
    uint32_t polygon = around[i];
    for (uint32_t w = work->berth->first_barrier[polygon]; w < work->berth->first_barrier[polygon + 1]; w++)
      if (work->wall_count < MOST_WALLS &&
          lwi_barrier_distance(&work->berth->barriers[w], work->from, work->from) < reach)
        work->walls[work->wall_count++] = work->berth->barriers[w];
    for (uint32_t k = mesh->first_portal[polygon]; k < mesh->first_portal[polygon + 1]; k++) {
      const lwi_portal *portal = &mesh->portals[k];
      if (count == MOST_POLYGONS || has_polygon(around, count, portal->to) ||
          !lw_filter_passes(work->filter, mesh->poly_areas[portal->to]))
        continue;
      lw_vec3 left, right;
      lwi_portal_points(mesh, polygon, portal, &left, &right);
      lwi_barrier gate = {left.x, left.z, right.x, right.z};
      if (lwi_barrier_distance(&gate, work->from, work->from) < reach) around[count++] = portal->to;
    }
  }
}

/* The nearest point outside a union of capsules is straight away from one of them, or where the outlines of two meet. */
lw_status lwi_berth_stand(const lwi_berth *berth, const lw_filter *filter, lw_vec3 about, lw_vec3 half,
                          lw_location *place) {
  lwi_spot from = lwi_spot_of(place->point);
  lwi_barriers near = lwi_berth_near(berth, lwi_poly_index(berth->graph.mesh, place->poly));
  double slack = LWI_STAND_SLACK + 2.5e-7 * fmax(fabs(from.x), fabs(from.z));
  if (lwi_region_clear(&near, from, from, slack)) return LW_OK;
  double keep = berth->keep + STAND_MARGIN, furthest = hypot((double)half.x, (double)half.z);
  standing work = {.berth = berth,
                   .filter = filter,
                   .from = from,
                   .about = lwi_spot_of(about),
                   .half = half,
                   .start = *place,
                   .distance = 2 * furthest,
                   .slack = slack};
  gather_walls(&work, keep);
  for (int i = 0; i < work.wall_count; i++) push_off(&work, &work.walls[i], keep);
  gather_walls(&work, fmin(work.distance, 2 * furthest) + keep);
  for (int i = 0; i < work.wall_count; i++)
    for (int j = i + 1; j < work.wall_count; j++) try_pair(&work, &work.walls[i], &work.walls[j], keep);
  if (!(work.distance < 2 * furthest)) return LW_NO_POINT;
  *place = work.best;
  return LW_OK;
}
