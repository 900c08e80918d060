/* Bending a way towards where it is cheaper, by moving the points at which it crosses its gates. */
#include "search/path.h"

/* Rounds over all gates, at most. */
#define MAX_ROUNDS 4
/* A point moves if that saves more than rounding does. [metre-equivalents] */
#define WORTH 1e-3f

double lwi_bend_cost(const lwi_bent_way *way) {
  double sum = 0;
  for (int i = 0; i <= way->gate_count; i++) {
    float cost = lwi_charge_sum(way->charges, way->polygons[i], way->points[i], way->points[i + 1]);
    if (cost < 0) return -1;
    sum += (double)cost;
  }
  return sum;
}

/* From the point before gate `i` over `at` to the point behind it. */
static float cost_over(const lwi_bent_way *way, int i, lw_vec3 at) {
  float before = lwi_charge_sum(way->charges, way->polygons[i], way->points[i], at);
  float behind =
      before < 0 ? before : lwi_charge_sum(way->charges, way->polygons[i + 1], at, way->points[i + 2]);
  return behind < 0 ? behind : before + behind;
}

/* Is there nothing to be charged for but its length, on ground of one price? Then no way over the gate beats the straight one. */
static bool is_bare(const lwi_bent_way *way, int i, lw_vec3 at, float cost) {
  float before = lwi_charge_least(way->charges, way->polygons[i], lwi_distance(way->points[i], at)),
        behind = lwi_charge_least(way->charges, way->polygons[i + 1], lwi_distance(at, way->points[i + 2]));
  return cost <= before + behind + WORTH &&
         lwi_price_on(way->charges->prices, way->charges->mesh, way->polygons[i]) ==
             lwi_price_on(way->charges->prices, way->charges->mesh, way->polygons[i + 1]);
}

/* Try the straight way, the ends, the middle, and halves of what is left on either side.
   @return 1: the point has moved, 0: it has not, -1: no memory. */
static int improve_gate(const lwi_bent_way *way, int i) {
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
  float best = cost_over(way, i, *at);
  if (best < 0) return -1;
  int moved = 0;
  for (size_t k = 0; k < sizeof tries / sizeof *tries; k++) {
    float cost = cost_over(way, i, tries[k]);
    if (cost < 0) return -1;
    if (cost < best - WORTH) {
      best = cost;
      *at = tries[k];
      moved = 1;
    }
    if (k == 0 && is_bare(way, i, tries[0], cost)) break;
  }
  return moved;
}

bool lwi_bend(const lwi_bent_way *way) {
  for (int round = 0; round < MAX_ROUNDS; round++) {
    int moved = 0;
    for (int i = 0; i < way->gate_count; i++) {
      int step = improve_gate(way, i);
      if (step < 0) return false;
      moved += step;
    }
    if (moved == 0) return true;
  }
  return true;
}
