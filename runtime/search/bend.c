/* Bending a way towards where it is cheaper, by moving the points at which it crosses its gates. */
#include "mesh/berth.h"
#include "search/path.h"

/* Rounds over all gates, at most. */
#define MAX_ROUNDS 4
/* A point moves if that saves more than rounding does. [metre-equivalents] */
#define WORTH 1e-3f
/* A piece costs more by other charges if it does by so much. */
#define DEARER 1.05f

/* What a piece costs. @return INFINITY: no less than `most` for its length alone, so that it was not looked at, or too near to
   walls. */
static float price_below(const lwi_bent_way *way, int piece, lw_vec3 from, lw_vec3 to, float most) {
  const uint32_t polygon = way->polygons[piece];
  if (lwi_charge_least(way->charges, polygon, lwi_distance(from, to)) >= most) return INFINITY;
  if (!lwi_berth_clear(way->berth, polygon, from, to, LWI_CLEAR_SLACK)) return INFINITY;
  return lwi_charge_sum(way->charges, polygon, from, to);
}

double lwi_bend_cost(const lwi_bent_way *way) {
  double sum = 0;
  for (int i = 0; i <= way->gate_count; i++) {
    way->costs[i] = lwi_charge_sum(way->charges, way->polygons[i], way->points[i], way->points[i + 1]);
    if (way->costs[i] < 0) return -1;
    sum += (double)way->costs[i];
  }
  return sum;
}

/* What the two pieces that meet at a gate cost if they meet at `at`. */
typedef struct bend {
  float before, behind;
} bend;

/* @return false: no less than `most`, or no memory (`failed`). */
static bool bend_over(const lwi_bent_way *way, int i, lw_vec3 at, float most, bend *costs, bool *failed) {
  lw_vec3 from = way->points[i], to = way->points[i + 2];
  float least = lwi_charge_least(way->charges, way->polygons[i + 1], lwi_distance(at, to));
  costs->before = price_below(way, i, from, at, most - least);
  if (costs->before + least >= most) return false;
  costs->behind = price_below(way, i + 1, at, to, most - costs->before);
  *failed = *failed || costs->before < 0 || costs->behind < 0;
  return costs->before + costs->behind < most;
}

/* Is there nothing to be charged for but its length, on ground of one price? Then no way over the gate beats the straight one. */
static bool is_bare(const lwi_bent_way *way, int i) {
  const lw_vec3 *at = &way->points[i];
  const lwi_charges *charges = way->charges;
  float before = lwi_charge_least(charges, way->polygons[i], lwi_distance(at[0], at[1])),
        behind = lwi_charge_least(charges, way->polygons[i + 1], lwi_distance(at[1], at[2]));
  return way->costs[i] + way->costs[i + 1] <= before + behind + WORTH &&
         lwi_price_on(charges->prices, charges->mesh, way->polygons[i]) ==
             lwi_price_on(charges->prices, charges->mesh, way->polygons[i + 1]);
}

/* Try the straight way, the ends, the middle, and halves of what is left on either side.
   @return 1: the point has moved, 0: it has not, -1: no memory. */
static int improve_gate(const lwi_bent_way *way, int i) {
  const lwi_gate *gate = &way->gates[i];
  const lw_navmesh *mesh = way->charges->mesh;
  lw_vec3 *at = &way->points[i + 1], left = gate->left, right = gate->right;
  const lw_vec3 tries[] = {lwi_gate_crossing(way->points[i], way->points[i + 2], *at, gate),
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
    bend costs;
    float most = way->costs[i] + way->costs[i + 1] - WORTH;
    lw_vec3 to = tries[k];
    if (way->charges->watch) to.y = lwi_polygon_height(mesh, way->polygons[i], to.x, to.z);
    if (bend_over(way, i, to, most, &costs, &failed)) {
      way->costs[i] = costs.before;
      way->costs[i + 1] = costs.behind;
      *at = to;
      moved = 1;
    }
    if (failed) return -1;
    if (k == 0 && is_bare(way, i)) break;
  }
  return moved;
}

/* Gates are tried again when a point beside them has moved. */
static bool bend_stirred(const lwi_bent_way *way) {
  const int last = way->gate_count - 1;
  for (int round = 0, moved = 1; round < MAX_ROUNDS && moved > 0; round++) {
    moved = 0;
    for (int i = 0; i <= last; i++) {
      if (!way->stirred[i]) continue;
      int step = improve_gate(way, i);
      if (step < 0) return false;
      way->stirred[i] = false;
      if (step == 0) continue;
      if (i > 0) way->stirred[i - 1] = true;
      if (i < last) way->stirred[i + 1] = true;
      moved += step;
    }
  }
  return true;
}

bool lwi_bend(const lwi_bent_way *way) {
  for (int i = 0; i < way->gate_count; i++) way->stirred[i] = true;
  return bend_stirred(way);
}

bool lwi_bend_again(lwi_bent_way *way, const lwi_charges *charges) {
  bool dearer_before = false;
  way->charges = charges;
  for (int i = 0; i <= way->gate_count; i++) {
    float cost = lwi_charge_sum(charges, way->polygons[i], way->points[i], way->points[i + 1]);
    bool dearer = cost > way->costs[i] * DEARER + WORTH;
    if (cost < 0) return false;
    if (i > 0) way->stirred[i - 1] = dearer || dearer_before;
    dearer_before = dearer;
    way->costs[i] = cost;
  }
  return bend_stirred(way);
}
