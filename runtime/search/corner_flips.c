#include "search/corner_flips.h"

#include "search/taut_path.h"

#include <string.h>

/* Portals round one corner, beyond which it is left alone. */
#define ROUND_MAX 12
/* The other side must cost less by this part. */
#define WORTH 1e-4
#define ROUNDS 6
/* Points nearer than this in xz are the same corner. [m] */
#define SAME 1e-3f
/* Portals are crossed at few points: so near to an end the best crossing may be the end. [m] */
#define NEAR 0.6f

/* A route round a corner: the portals that meet there. */
typedef struct corner_route {
  int count;
  lwi_step steps[ROUND_MAX];
  lwi_portal_ends portals[ROUND_MAX];
  float prices[ROUND_MAX + 1]; /* before each portal, and behind the last */
} corner_route;

static bool is_at(lw_vec3 point, lw_vec3 corner) {
  return lwi_distance_xz(point, corner) < SAME;
}

static bool touches(const lwi_portal_ends *portal, lw_vec3 corner) {
  return is_at(portal->left, corner) || is_at(portal->right, corner);
}

static uint32_t region_before(const lwi_search *search, const lwi_search_query *query, int step) {
  return step > 0 ? search->corridor.steps[step - 1].region : query->from_region;
}

static lwi_portal_ends ends_of(const lwi_search *search, uint32_t region, const lwi_portal *portal) {
  lwi_portal_ends ends;
  lwi_graph_points(&search->graph, region, portal, &ends.left, &ends.right);
  return ends;
}

/* @return false: there are too many. */
static bool add_step(corner_route *route, lwi_step step, lwi_portal_ends ends) {
  if (route->count == ROUND_MAX) return false;
  route->steps[route->count] = step;
  route->portals[route->count++] = ends;
  return true;
}

/* The steps of the corridor from `first` on whose portals meet at a corner. */
static bool follow_corridor(const lwi_search *search, const lwi_search_query *query, int first, lw_vec3 corner,
                            corner_route *route) {
  route->count = 0;
  for (int i = first; i < search->corridor.count; i++) {
    const lwi_portal *portal = lwi_search_portal(search, i);
    if (!portal) break;
    const lwi_portal_ends ends = ends_of(search, region_before(search, query, i), portal);
    if (!touches(&ends, corner)) break;
    if (!add_step(route, search->corridor.steps[i], ends)) return false;
  }
  return route->count > 0;
}

/* The portal of a region at a corner that is not the one to or from another region. @return LWI_NONE: there is none. */
static uint32_t other_portal(const lwi_search *search, uint32_t region, lw_vec3 corner, uint32_t apart) {
  const lwi_graph *graph = &search->graph;
  for (uint32_t k = graph->first_portal[region]; k < graph->end_portal[region]; k++) {
    if (graph->portals[k].to == apart) continue;
    const lwi_portal_ends ends = ends_of(search, region, &graph->portals[k]);
    if (touches(&ends, corner)) return k;
  }
  return LWI_NONE;
}

/* Round the other side of a corner, from the region before `route` to that behind. */
static bool go_other_side(const lwi_search *search, const lwi_search_query *query, uint32_t from,
                          lw_vec3 corner, const corner_route *route, corner_route *other) {
  const uint32_t goal = route->steps[route->count - 1].region;
  uint32_t region = from, apart = route->steps[0].region;
  other->count = 0;
  while (region != goal) {
    const uint32_t k = other_portal(search, region, corner, apart);
    if (k == LWI_NONE) return false;
    const lwi_portal *portal = &search->graph.portals[k];
    if (lwi_price_behind(query->cost_model.prices, &search->graph, portal) == INFINITY) return false;
    const lwi_step step = {1 + search->graph.mesh->links.count + k, portal->to, corner};
    if (!add_step(other, step, ends_of(search, region, portal))) return false;
    apart = region;
    region = portal->to;
  }
  return other->count > 0;
}

static void find_prices(const lwi_search *search, const lwi_search_query *query, uint32_t from,
                        corner_route *route) {
  route->prices[0] = lwi_price_in(query->cost_model.prices, &search->graph, from);
  for (int i = 0; i < route->count; i++)
    route->prices[i + 1] = lwi_price_in(query->cost_model.prices, &search->graph, route->steps[i].region);
}

/* The cost of a route where its steps cross its portals now. */
static double crossed_cost(const corner_route *route, lw_vec3 before, lw_vec3 behind) {
  double cost = 0;
  for (int i = 0; i <= route->count; i++) {
    const lw_vec3 to = i < route->count ? route->steps[i].point : behind;
    cost += (double)(lwi_distance(before, to) * route->prices[i]);
    before = to;
  }
  return cost;
}

/* No path through a route costs less. */
static double straight_cost(const corner_route *route, lw_vec3 before, lw_vec3 behind) {
  float lowest = route->prices[0];
  for (int i = 1; i <= route->count; i++) lowest = lwi_min(lowest, route->prices[i]);
  return (double)(lwi_distance(before, behind) * lowest);
}

/* The cost of the taut path through a route, whose steps then cross there. */
static double lay(corner_route *route, lw_vec3 before, lw_vec3 behind) {
  lw_vec3 crossings[ROUND_MAX], best[ROUND_MAX], points[ROUND_MAX + 2];
  lwi_corner_point corners[ROUND_MAX + 2];
  for (int i = 0; i < route->count; i++) crossings[i] = route->steps[i].point;
  const lwi_taut_query taut = {.from = before,
                               .to = behind,
                               .portal_count = route->count,
                               .portals = route->portals,
                               .prices = route->prices,
                               .crossings = crossings,
                               .best = best,
                               .rounds = ROUNDS};
  const int count = lwi_taut_path(&taut, corners);
  points[0] = before;
  memcpy(points + 1, crossings, (size_t)route->count * sizeof *points);
  lwi_taut_points(&taut, corners, count, points);
  points[route->count + 1] = behind;
  for (int i = 0; i < route->count; i++) route->steps[i].point = points[i + 1];
  return crossed_cost(route, before, behind);
}

/* @return false: no memory. */
static bool replace(lwi_search *search, int first, int count, const corner_route *other) {
  lwi_corridor *corridor = &search->corridor;
  const int behind = corridor->count - first - count, total = first + other->count + behind;
  if (!lwi_reserve(search->memory, &corridor->steps, &corridor->capacity, total, sizeof *corridor->steps))
    return false;
  lwi_step *at = corridor->steps + first;
  memmove(at + other->count, at + count, (size_t)behind * sizeof *at);
  memcpy(at, other->steps, (size_t)other->count * sizeof *at);
  corridor->count = total;
  return true;
}

/* Try the other side of the corner at which a step crosses its portal. @param[in, out] changed  Set if that is taken.
   @return The step to go on with; -1: no memory. */
static int flip(lwi_search *search, const lwi_search_query *query, int first, lw_vec3 corner, bool *changed) {
  corner_route route, other;
  const uint32_t from = region_before(search, query, first);
  if (!follow_corridor(search, query, first, corner, &route) ||
      !go_other_side(search, query, from, corner, &route, &other))
    return first + 1;
  const int end = first + route.count;
  const lwi_link *link = end < search->corridor.count ? lwi_search_link(search, end) : NULL;
  const lw_vec3 before = first > 0 ? search->corridor.steps[first - 1].point : query->from;
  const lw_vec3 behind = link                           ? link->start
                         : end < search->corridor.count ? lwi_search_crossing(search, end)
                                                        : query->to;
  find_prices(search, query, from, &route);
  find_prices(search, query, from, &other);
  const double limit = straight_cost(&other, before, behind) / (1 - WORTH);
  if (crossed_cost(&route, before, behind) <= limit) return end;
  const double cost = lay(&route, before, behind);
  if (cost <= limit || !(lay(&other, before, behind) < cost * (1 - WORTH))) return end;
  *changed = true;
  return replace(search, first, route.count, &other) ? first + other.count : -1;
}

/* The end of a portal that it is crossed near to. @return false: neither. */
static bool near_end(lw_vec3 at, const lwi_portal_ends *portal, lw_vec3 *corner) {
  const float to_left = lwi_distance_xz(at, portal->left), to_right = lwi_distance_xz(at, portal->right);
  *corner = to_left < to_right ? portal->left : portal->right;
  return lwi_min(to_left, to_right) <= NEAR;
}

/* @return As flip(). */
static int try_step(lwi_search *search, const lwi_search_query *query, int i, bool *changed) {
  const lwi_portal *portal = lwi_search_portal(search, i);
  lw_vec3 corner;
  if (!portal) return i + 1;
  const lwi_portal_ends ends = ends_of(search, region_before(search, query, i), portal);
  return near_end(lwi_search_crossing(search, i), &ends, &corner) ? flip(search, query, i, corner, changed)
                                                                  : i + 1;
}

bool lwi_flip_corners(lwi_search *search, const lwi_search_query *query, bool *changed) {
  int i = 0;
  *changed = false;
  while (i >= 0 && i < search->corridor.count) i = try_step(search, query, i, changed);
  return i >= 0;
}
