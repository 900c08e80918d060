#include "search/watch.h"

#include "search/path.h"

/* Rounds over all gates, at most. */
#define MAX_ROUNDS 4
/* A point moves if that saves more than rounding does. [metre-equivalents] */
#define WORTH 1e-3f

float lwi_watch_price(const lwi_watch *watch, lw_vec3 from, lw_vec3 to, lw_area_id area, float *exposed) {
  const lw_area_def *def = lw_area_table_get(watch->mesh->areas, area);
  lw_exposure_query query = watch->query;
  lw_exposure seen;
  query.from = from;
  query.to = to;
  if (lwi_exposure_find(&watch->sight, &query, watch->memory, watch->room, &seen) != LW_OK) return -1;
  if (exposed) *exposed = seen.exposed;
  return watch->factor * seen.weighted * (def ? 1 - def->concealment : 1);
}

/* What piece `i` costs between these points; negative: no memory. */
static float piece_cost(const lwi_watch *watch, const lwi_watched_way *way, int i, lw_vec3 from, lw_vec3 to) {
  float seen = lwi_watch_price(watch, from, to, watch->mesh->poly_areas[way->polygons[i]], NULL);
  return seen < 0 ? seen : seen + lwi_distance(from, to) * way->prices[i];
}

double lwi_watched_cost(const lwi_watch *watch, const lwi_watched_way *way) {
  double sum = 0;
  for (int i = 0; i <= way->gate_count; i++) {
    float cost = piece_cost(watch, way, i, way->points[i], way->points[i + 1]);
    if (cost < 0) return -1;
    sum += (double)cost;
  }
  return sum;
}

/* From the point before gate `i` over `at` to the point behind it. */
static float cost_over(const lwi_watch *watch, const lwi_watched_way *way, int i, lw_vec3 at) {
  float before = piece_cost(watch, way, i, way->points[i], at);
  float behind = before < 0 ? before : piece_cost(watch, way, i + 1, at, way->points[i + 2]);
  return behind < 0 ? behind : before + behind;
}

/* Try the straight way, the ends, the middle, and halves of what is left on either side.
   @return 1: the point has moved, 0: it has not, -1: no memory. */
static int improve_gate(const lwi_watch *watch, const lwi_watched_way *way, int i) {
  const lwi_gate *gate = &way->gates[i];
  lw_vec3 *at = &way->points[i + 1], left = gate->left, right = gate->right;
  const lw_vec3 tries[] = {lwi_gate_crossing(way->points[i], way->points[i + 2], *at, gate),
                           left,
                           right,
                           lwi_lerp(left, right, 0.5f),
                           lwi_lerp(*at, left, 0.5f),
                           lwi_lerp(*at, right, 0.5f),
                           lwi_lerp(*at, left, 0.125f),
                           lwi_lerp(*at, right, 0.125f)};
  float best = cost_over(watch, way, i, *at);
  if (best < 0) return -1;
  int moved = 0;
  for (size_t k = 0; k < sizeof tries / sizeof *tries; k++) {
    float cost = cost_over(watch, way, i, tries[k]);
    if (cost < 0) return -1;
    if (cost >= best - WORTH) continue;
    best = cost;
    *at = tries[k];
    moved = 1;
  }
  return moved;
}

bool lwi_watched_improve(const lwi_watch *watch, const lwi_watched_way *way) {
  for (int round = 0; round < MAX_ROUNDS; round++) {
    int moved = 0;
    for (int i = 0; i < way->gate_count; i++) {
      int step = improve_gate(watch, way, i);
      if (step < 0) return false;
      moved += step;
    }
    if (moved == 0) return true;
  }
  return true;
}
