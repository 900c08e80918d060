#include "search/taut_path.h"

#include "mesh/clearance.h"
#include "search/taut_funnel.h"

/* --- the funnel ------------------------------------------------------------------------------------------- */

/* Lee and Preparata 1984, in the restarting form of Mononen's "simple stupid funnel algorithm" (2010): constant
   memory; after a corner the portals behind it are scanned again. */

/* A place in xz from the apex: differences in double precision are exact. [m] */
typedef struct offset {
  double x, z;
} offset;

typedef struct funnel_state {
  lw_vec3 apex;
  offset left, right; /* the sides */
  int apex_portal;
  int left_portal, right_portal; /* the last that each side ends at; the apex's: it has no length yet */
  double slack2;                 /* a portal whose line passes the apex this near is seen end-on [m2] */
} funnel_state;

/* What a funnel is led through. */
typedef struct funnel_query {
  const lwi_portal_ends *portals;
  int portal_count;
  lw_vec3 to;
} funnel_query;

static bool same_place(lw_vec3 a, lw_vec3 b) {
  float dx = b.x - a.x, dz = b.z - a.z;
  return dx * dx + dz * dz < 1e-10f;
}

static int add_corner(lwi_corner_point *corners, int count, lw_vec3 point, int portal) {
  if (count > 0 && same_place(corners[count - 1].point, point)) {
    corners[count - 1].portal = portal;
    return count;
  }
  corners[count] = (lwi_corner_point){point, portal};
  return count + 1;
}

static inline funnel_state restart(lw_vec3 apex, int portal) {
  const double slack = (double)lwi_line_rounding(apex);
  return (funnel_state){.apex = apex,
                        .apex_portal = portal,
                        .left_portal = portal,
                        .right_portal = portal,
                        .slack2 = slack * slack};
}

static inline offset offset_of(const funnel_state *f, lw_vec3 point) {
  return (offset){(double)point.x - (double)f->apex.x, (double)point.z - (double)f->apex.z};
}

/* Twice the area between two places and the apex; > 0: the second is left of the ray through the first. [m2] */
static inline double turn_of(offset first, offset second) {
  return first.z * second.x - first.x * second.z;
}

static inline bool is_at_apex(offset side) {
  const float x = (float)side.x, z = (float)side.z;
  return x * x + z * z < 1e-10f;
}

/* Whether one place is no further from the apex than another. */
static bool is_nearer(offset first, offset second) {
  const float ax = (float)first.x, az = (float)first.z, bx = (float)second.x, bz = (float)second.z;
  return sqrtf(ax * ax + az * az) <= sqrtf(bx * bx + bz * bz);
}

/* Whether the right side may move to an end: there is no left side yet, or the end is strictly right of the ray through it.
   On the ray itself it counts when it is no further than that side: then there is no corner to turn at. */
static inline bool right_may_move(const funnel_state *f, offset end) {
  const double turn = turn_of(f->left, end);
  return turn < 0 || is_at_apex(f->right) || (turn == 0 && is_nearer(end, f->left));
}
static inline bool left_may_move(const funnel_state *f, offset end) {
  const double turn = turn_of(f->right, end);
  return turn > 0 || is_at_apex(f->left) || (turn == 0 && is_nearer(end, f->right));
}

static lw_vec3 left_point(const funnel_query *query, const funnel_state *f) {
  if (f->left_portal == f->apex_portal) return f->apex;
  return f->left_portal < query->portal_count ? query->portals[f->left_portal].left : query->to;
}
static lw_vec3 right_point(const funnel_query *query, const funnel_state *f) {
  if (f->right_portal == f->apex_portal) return f->apex;
  return f->right_portal < query->portal_count ? query->portals[f->right_portal].right : query->to;
}

/* Whether the portal's line passes through the apex: the apex lies on the portal or sees it end-on. Rare. */
static inline bool is_in_line(const funnel_state *f, const lwi_portal_ends *portal, offset left) {
  const double dx = (double)portal->left.x - (double)portal->right.x,
               dz = (double)portal->left.z - (double)portal->right.z;
  const double turn = dx * left.z - dz * left.x;
  return turn * turn <= f->slack2 * (dx * dx + dz * dz);
}

/* A portal seen end-on: the path runs along it, so that its near end is the next corner, if that lies within
   the funnel. */
static bool near_end_is_ahead(const funnel_state *f, const lwi_portal_ends *portal, lw_vec3 *near_end) {
  const bool left_first = lwi_distance_xz(f->apex, portal->left) < lwi_distance_xz(f->apex, portal->right);
  *near_end = left_first ? portal->left : portal->right;
  const offset end = offset_of(f, *near_end);
  return (is_at_apex(f->left) || turn_of(f->left, end) <= 0) &&
         (is_at_apex(f->right) || turn_of(f->right, end) >= 0);
}

int lwi_funnel(lw_vec3 from, lw_vec3 to, const lwi_portal_ends *portals, int portal_count,
               lwi_corner_point *corners) {
  const funnel_query query = {portals, portal_count, to};
  const lwi_portal_ends goal = {to, to};
  int count = add_corner(corners, 0, from, -1);
  funnel_state f = restart(from, -1);
  for (int i = 0; i <= portal_count; i++) {
    const lwi_portal_ends *portal = i < portal_count ? &portals[i] : &goal;
    const offset left = offset_of(&f, portal->left), right = offset_of(&f, portal->right);
    lw_vec3 turn_at;
    if (i < portal_count && is_in_line(&f, portal, left)) {
      if (lwi_taut_funnel_is_on(f.apex, portal->left, portal->right)) {
        if (count == 1) corners[0].portal = i; /* crossed at the start: the path may lead along it */
        f = restart(f.apex, i);
        continue;
      }
      if (near_end_is_ahead(&f, portal, &turn_at)) {
        count = add_corner(corners, count, turn_at, i);
        f = restart(turn_at, i);
        continue;
      }
    }
    /* The right side tightens unless it crosses the left side, which then is a corner. */
    if (turn_of(f.right, right) >= 0) {
      if (!right_may_move(&f, right)) {
        turn_at = left_point(&query, &f);
        i = f.left_portal;
        count = add_corner(corners, count, turn_at, i);
        f = restart(turn_at, i);
        continue;
      }
      f.right = right;
      f.right_portal = i;
    }
    if (turn_of(f.left, left) <= 0) {
      if (!left_may_move(&f, left)) {
        turn_at = right_point(&query, &f);
        i = f.right_portal;
        count = add_corner(corners, count, turn_at, i);
        f = restart(turn_at, i);
        continue;
      }
      f.left = left;
      f.left_portal = i;
    }
  }
  return add_corner(corners, count, to, portal_count);
}

/* --- the taut path ---------------------------------------------------------------------------------------- */

/* Within a run of portals of one price the funnel is exact. Where two runs meet the path is refracted: the
   crossing moves along its portal to where the costs of its two legs balance, which end at the nearest corners
   on either side (descent by one coordinate at a time on a convex cost). */

#define STEPS 16
/* A slope counts as none below this part of its change along the portal. */
#define FLAT 1e-3
/* A round that saves less than this part ends the descent. */
#define WORTH_IT 1e-4

/* A straight line from corner to corner. */
typedef struct taut_line {
  lw_vec3 from;
  double x, z;   /* to its end, in xz [m] */
  double length; /* in xz [m] */
} taut_line;

static inline taut_line line_between(lw_vec3 from, lw_vec3 to) {
  return (taut_line){from, (double)to.x - (double)from.x, (double)to.z - (double)from.z,
                     (double)lwi_distance_xz(from, to)};
}

/* As lwi_turn() of both ends of the line and a place. */
static inline double turn_at(const taut_line *line, lw_vec3 place) {
  return line->z * ((double)place.x - (double)line->from.x) -
         line->x * ((double)place.z - (double)line->from.z);
}

static inline lw_vec3 crossing_of(const taut_line *line, lw_vec3 last, const lwi_portal_ends *ends) {
  const double left = turn_at(line, ends->left), right = turn_at(line, ends->right);
  const double dx = (double)ends->left.x - ends->right.x, dz = (double)ends->left.z - ends->right.z;
  const double width2 = dx * dx + dz * dz;
  double t = right / (right - left);
  if (fabs(right - left) <= 1e-5 * line->length * sqrt(width2))
    t = width2 > 0 ? (((double)last.x - ends->right.x) * dx + ((double)last.z - ends->right.z) * dz) / width2
                   : 0;
  return lwi_lerp(ends->right, ends->left, t > 0 ? (float)lwi_smaller(1, t) : 0);
}

lw_vec3 lwi_portal_crossing(lw_vec3 from, lw_vec3 to, lw_vec3 last, const lwi_portal_ends *ends) {
  const taut_line line = line_between(from, to);
  return crossing_of(&line, last, ends);
}

static inline bool changes_price(const lwi_taut_query *query, int portal) {
  return query->prices && query->prices[portal] != query->prices[portal + 1];
}

/* The funnel through each run, from crossing to crossing. @return Corners written. */
static int taut_runs(const lwi_taut_query *query, lwi_corner_point *corners) {
  int count = 1, begin = -1; /* the portal that the run begins at */
  lw_vec3 from = query->from;
  for (int portal = 0; portal <= query->portal_count; portal++) {
    if (portal < query->portal_count && !changes_price(query, portal)) continue;
    lw_vec3 to = portal < query->portal_count ? query->crossings[portal] : query->to;
    lwi_corner_point *run = corners + count - 1; /* its first corner is the last of the run before */
    int added = lwi_funnel(from, to, query->portals + begin + 1, portal - begin - 1, run);
    for (int i = 0; i < added; i++) run[i].portal += begin + 1;
    count += added - 1;
    begin = portal;
    from = to;
  }
  return count;
}

static double cost_of(const lwi_taut_query *query, const lwi_corner_point *corners, int count) {
  double cost = 0;
  for (int i = 0; i + 1 < count; i++)
    cost +=
        (double)(lwi_distance(corners[i].point, corners[i + 1].point) * query->prices[corners[i].portal + 1]);
  return cost;
}

/* How fast the cost of the leg from `end` to `at` grows along `direction`. */
static double slope(lw_vec3 at, lw_vec3 end, lw_vec3 direction, float price) {
  lw_vec3 leg = lwi_sub(at, end);
  float length = lwi_length(leg);
  return length > 0 ? (double)(price * lwi_dot(leg, direction) / length) : 0;
}

/* Where the costs of both legs balance along the portal: the root of a slope that only rises, by false position
   (the Illinois variant, Dowell and Jarratt 1971). */
static lw_vec3 balance(const lwi_portal_ends *portal, lw_vec3 before, lw_vec3 after, float price_before,
                       float price_after) {
  lw_vec3 direction = lwi_sub(portal->left, portal->right);
  double low = 0, high = 1;
  double slope_low = slope(portal->right, before, direction, price_before) +
                     slope(portal->right, after, direction, price_after);
  double slope_high =
      slope(portal->left, before, direction, price_before) + slope(portal->left, after, direction, price_after);
  if (slope_low >= 0) return portal->right;
  if (slope_high <= 0) return portal->left;
  double at = 0.5, flat = FLAT * (slope_high - slope_low);
  for (int i = 0, side = 0; i < STEPS; i++) {
    at = low + (high - low) * slope_low / (slope_low - slope_high);
    lw_vec3 point = lwi_lerp(portal->right, portal->left, (float)at);
    double here = slope(point, before, direction, price_before) + slope(point, after, direction, price_after);
    if (fabs(here) <= flat) break;
    if (here > 0) {
      high = at;
      slope_high = here;
      if (side > 0) slope_low /= 2;
      side = 1;
    } else {
      low = at;
      slope_low = here;
      if (side < 0) slope_high /= 2;
      side = -1;
    }
  }
  return lwi_lerp(portal->right, portal->left, (float)at);
}

static lw_vec3 corner_now(const lwi_taut_query *query, const lwi_corner_point *corner) {
  bool moved =
      corner->portal >= 0 && corner->portal < query->portal_count && changes_price(query, corner->portal);
  return moved ? query->crossings[corner->portal] : corner->point;
}

static void move_crossings(const lwi_taut_query *query, const lwi_corner_point *corners, int count) {
  int next = 1; /* the first corner behind the portal */
  for (int portal = 0; portal < query->portal_count; portal++) {
    if (!changes_price(query, portal)) continue;
    while (next < count - 1 && corners[next].portal <= portal) next += 1;
    int before = next - 1;
    while (before > 0 && corners[before].portal >= portal) before -= 1;
    query->crossings[portal] =
        balance(&query->portals[portal], corner_now(query, &corners[before]), corner_now(query, &corners[next]),
                query->prices[portal], query->prices[portal + 1]);
  }
}

static void copy(lw_vec3 *to, const lw_vec3 *from, int count) {
  for (int i = 0; i < count; i++) to[i] = from[i];
}

void lwi_taut_points(const lwi_taut_query *query, const lwi_corner_point *corners, int corner_count,
                     lw_vec3 *points) {
  /* A start on a portal has merged with the corner there: the portals up to it are crossed at the start. */
  for (int i = 0; i <= corners[0].portal; i++) points[i + 1] = query->from;
  for (int c = 0; c + 1 < corner_count; c++) {
    const lwi_corner_point *a = &corners[c], *b = &corners[c + 1];
    const taut_line line = line_between(a->point, b->point);
    for (int i = a->portal + 1; i < b->portal; i++)
      points[i + 1] =
          changes_price(query, i) ? query->crossings[i] : crossing_of(&line, points[i], &query->portals[i]);
    points[b->portal + 1] = b->point;
  }
}

int lwi_taut_path(const lwi_taut_query *query, lwi_corner_point *corners) {
  int changes = 0;
  for (int portal = 0; query->prices && portal < query->portal_count; portal++)
    changes += changes_price(query, portal);
  if (changes == 0) return lwi_funnel(query->from, query->to, query->portals, query->portal_count, corners);
  double best = INFINITY;
  for (int round = 0; round < query->rounds; round++) {
    int count = taut_runs(query, corners);
    double cost = cost_of(query, corners, count);
    if (!(cost < best * (1 - WORTH_IT))) break;
    best = cost;
    copy(query->best, query->crossings, query->portal_count);
    move_crossings(query, corners, count);
  }
  copy(query->crossings, query->best, query->portal_count);
  return taut_runs(query, corners);
}

/* --- smoothing -------------------------------------------------------------------------------------------- */

/* Limit on rounds over all portals. */
#define MAX_ROUNDS 4
/* A point moves if that saves more than rounding can. [metre-equivalents] */
#define WORTH 1e-3f
/* A piece counts as costlier by another cost model from this factor on. */
#define COSTLIER 1.05f

/* The cost of a piece. @return INFINITY: its length alone costs `limit` or more, so that the rest was not asked
   for; or it is too near to walls. */
static float cost_below(const lwi_smooth_path *path, int piece, lw_vec3 from, lw_vec3 to, float limit) {
  const uint32_t polygon = path->polygons[piece];
  if (lwi_cost_lower_bound(path->cost_model, polygon, lwi_distance(from, to)) >= limit) return INFINITY;
  if (!lwi_clearance_is_free(path->clearance, polygon, from, to, LWI_CLEAR_SLACK)) return INFINITY;
  return lwi_cost_of_piece_sum(path->cost_model, polygon, from, to);
}

double lwi_smooth_cost(const lwi_smooth_path *path) {
  double sum = 0;
  for (int i = 0; i <= path->portal_count; i++) {
    path->costs[i] =
        lwi_cost_of_piece_sum(path->cost_model, path->polygons[i], path->points[i], path->points[i + 1]);
    if (path->costs[i] < 0) return -1;
    sum += (double)path->costs[i];
  }
  return sum;
}

/* The costs of the two pieces that meet at a portal. */
typedef struct piece_costs {
  float before, behind;
} piece_costs;

/* Cost both pieces as if they met at `at`. @return false: no less than `limit`, or no memory (`failed`). */
static bool cost_over(const lwi_smooth_path *path, int i, lw_vec3 at, float limit, piece_costs *costs,
                      bool *failed) {
  lw_vec3 from = path->points[i], to = path->points[i + 2];
  float lower_bound = lwi_cost_lower_bound(path->cost_model, path->polygons[i + 1], lwi_distance(at, to));
  costs->before = cost_below(path, i, from, at, limit - lower_bound);
  if (costs->before + lower_bound >= limit) return false;
  costs->behind = cost_below(path, i + 1, at, to, limit - costs->before);
  *failed = *failed || costs->before < 0 || costs->behind < 0;
  return costs->before + costs->behind < limit;
}

/* Whether both pieces cost their length alone, on ground of one price: then no crossing beats the straight
   line. */
static bool costs_length_alone(const lwi_smooth_path *path, int i) {
  const lw_vec3 *at = &path->points[i];
  const lwi_cost_model *cost_model = path->cost_model;
  float before = lwi_cost_lower_bound(cost_model, path->polygons[i], lwi_distance(at[0], at[1])),
        behind = lwi_cost_lower_bound(cost_model, path->polygons[i + 1], lwi_distance(at[1], at[2]));
  return path->costs[i] + path->costs[i + 1] <= before + behind + WORTH &&
         lwi_price_on(cost_model->prices, cost_model->mesh, path->polygons[i]) ==
             lwi_price_on(cost_model->prices, cost_model->mesh, path->polygons[i + 1]);
}

/* Try the straight line, the ends, the middle, and parts of the rest on either side.
   @return 1: the point has moved; 0: it has not; -1: no memory. */
static int improve_portal(const lwi_smooth_path *path, int i) {
  const lwi_portal_ends *portal = &path->portals[i];
  const lw_navmesh *mesh = path->cost_model->mesh;
  lw_vec3 *at = &path->points[i + 1], left = portal->left, right = portal->right;
  const lw_vec3 tries[] = {lwi_portal_crossing(path->points[i], path->points[i + 2], *at, portal),
                           left,
                           right,
                           lwi_lerp(left, right, 0.5f),
                           lwi_lerp(*at, left, 0.5f),
                           lwi_lerp(*at, right, 0.5f),
                           lwi_lerp(*at, left, 0.125f),
                           lwi_lerp(*at, right, 0.125f)};
  bool failed = false;
  int moved = 0;
  for (size_t k = 0; k < sizeof tries / sizeof *tries; k++) {
    piece_costs costs;
    float limit = path->costs[i] + path->costs[i + 1] - WORTH;
    lw_vec3 to = tries[k];
    if (path->cost_model->watch) to.y = lwi_polygon_height(mesh, path->polygons[i], to.x, to.z);
    if (cost_over(path, i, to, limit, &costs, &failed)) {
      path->costs[i] = costs.before;
      path->costs[i + 1] = costs.behind;
      *at = to;
      moved = 1;
    }
    if (failed) return -1;
    if (k == 0 && costs_length_alone(path, i)) break;
  }
  return moved;
}

/* A portal is tried again when a point beside it has moved. */
static bool smooth_dirty(const lwi_smooth_path *path) {
  const int last = path->portal_count - 1;
  for (int round = 0, moved = 1; round < MAX_ROUNDS && moved > 0; round++) {
    moved = 0;
    for (int i = 0; i <= last; i++) {
      if (!path->dirty[i]) continue;
      if (lwi_smooth_is_at_end(path)) return true;
      int step = improve_portal(path, i);
      if (step < 0) return false;
      path->dirty[i] = false;
      if (step == 0) continue;
      if (i > 0) path->dirty[i - 1] = true;
      if (i < last) path->dirty[i + 1] = true;
      moved += step;
    }
  }
  return true;
}

bool lwi_smooth(const lwi_smooth_path *path) {
  for (int i = 0; i < path->portal_count; i++) path->dirty[i] = true;
  return smooth_dirty(path);
}

bool lwi_smooth_again(lwi_smooth_path *path, const lwi_cost_model *cost_model) {
  bool costlier_before = false;
  path->cost_model = cost_model;
  for (int i = 0; i <= path->portal_count; i++) {
    float cost = lwi_cost_of_piece_sum(cost_model, path->polygons[i], path->points[i], path->points[i + 1]);
    bool costlier = cost > path->costs[i] * COSTLIER + WORTH;
    if (cost < 0) return false;
    if (i > 0) path->dirty[i - 1] = costlier || costlier_before;
    costlier_before = costlier;
    path->costs[i] = cost;
  }
  return smooth_dirty(path);
}
