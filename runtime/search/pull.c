/* Pulling the string taut where metres have different prices. Within a run of one price the funnel is exact. Where two
   runs meet, the way is refracted: the crossing is moved along its gate to where the prices of its two legs balance,
   legs that end at the nearest corners on either side (descent one coordinate at a time on a convex price). */
#include "search/path.h"

#define STEPS 16
/* A slope so small a part of what it changes by along the gate is none. */
#define FLAT 1e-3
/* A round that saves less than this part ends the descent. */
#define WORTH_IT 1e-4

static bool changes_price(const lwi_string *string, int gate) {
  return string->prices[gate] != string->prices[gate + 1];
}

/* The funnel through each run, from crossing to crossing. @return Corners written. */
static int pull_runs(const lwi_string *string, lwi_corner_point *corners) {
  int count = 1, begin = -1; /* the gate that the run begins at */
  lw_vec3 from = string->from;
  for (int gate = 0; gate <= string->gate_count; gate++) {
    if (gate < string->gate_count && !changes_price(string, gate)) continue;
    lw_vec3 to = gate < string->gate_count ? string->crossings[gate] : string->to;
    lwi_corner_point *run = corners + count - 1; /* its first corner is the last of the run before */
    int added = lwi_funnel(from, to, string->gates + begin + 1, gate - begin - 1, run);
    for (int i = 0; i < added; i++) run[i].portal += begin + 1;
    count += added - 1;
    begin = gate;
    from = to;
  }
  return count;
}

static double price_of(const lwi_string *string, const lwi_corner_point *corners, int count) {
  double price = 0;
  for (int i = 0; i + 1 < count; i++)
    price +=
        (double)(lwi_distance(corners[i].point, corners[i + 1].point) * string->prices[corners[i].portal + 1]);
  return price;
}

/* How fast the price of the leg from `end` to `at` grows along `direction`. */
static double slope(lw_vec3 at, lw_vec3 end, lw_vec3 direction, float price) {
  lw_vec3 leg = lwi_sub(at, end);
  float length = lwi_length(leg);
  return length > 0 ? (double)(price * lwi_dot(leg, direction) / length) : 0;
}

/* Where both legs' prices balance along the gate: the root of a slope that only rises, between the ends, by false position
   (the Illinois variant, which lets neither side stay). */
static lw_vec3 balance(const lwi_gate *gate, lw_vec3 before, lw_vec3 after, float price_before,
                       float price_after) {
  lw_vec3 direction = lwi_sub(gate->left, gate->right);
  double low = 0, high = 1;
  double slope_low =
      slope(gate->right, before, direction, price_before) + slope(gate->right, after, direction, price_after);
  double slope_high =
      slope(gate->left, before, direction, price_before) + slope(gate->left, after, direction, price_after);
  if (slope_low >= 0) return gate->right;
  if (slope_high <= 0) return gate->left;
  double at = 0.5, flat = FLAT * (slope_high - slope_low);
  for (int i = 0, side = 0; i < STEPS; i++) {
    at = low + (high - low) * slope_low / (slope_low - slope_high);
    lw_vec3 point = lwi_lerp(gate->right, gate->left, (float)at);
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
  return lwi_lerp(gate->right, gate->left, (float)at);
}

static lw_vec3 corner_now(const lwi_string *string, const lwi_corner_point *corner) {
  bool moved =
      corner->portal >= 0 && corner->portal < string->gate_count && changes_price(string, corner->portal);
  return moved ? string->crossings[corner->portal] : corner->point;
}

static void move_crossings(const lwi_string *string, const lwi_corner_point *corners, int count) {
  int next = 1; /* the first corner behind the gate */
  for (int gate = 0; gate < string->gate_count; gate++) {
    if (!changes_price(string, gate)) continue;
    while (next < count - 1 && corners[next].portal <= gate) next += 1;
    int before = next - 1;
    while (before > 0 && corners[before].portal >= gate) before -= 1;
    string->crossings[gate] =
        balance(&string->gates[gate], corner_now(string, &corners[before]), corner_now(string, &corners[next]),
                string->prices[gate], string->prices[gate + 1]);
  }
}

static void copy(lw_vec3 *to, const lw_vec3 *from, int count) {
  for (int i = 0; i < count; i++) to[i] = from[i];
}

int lwi_pull(const lwi_string *string, lwi_corner_point *corners) {
  int changes = 0;
  for (int gate = 0; gate < string->gate_count; gate++) changes += changes_price(string, gate);
  if (changes == 0) return lwi_funnel(string->from, string->to, string->gates, string->gate_count, corners);
  double best = INFINITY;
  for (int round = 0; round < string->rounds; round++) {
    int count = pull_runs(string, corners);
    double price = price_of(string, corners, count);
    if (!(price < best * (1 - WORTH_IT))) break;
    best = price;
    copy(string->best, string->crossings, string->gate_count);
    move_crossings(string, corners, count);
  }
  copy(string->crossings, string->best, string->gate_count);
  return pull_runs(string, corners);
}
