#include "search/point_sweep.h"

#include "core/simd.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

/* Points that a polygon passes on together. */
#define SOURCES_MAX 32
/* Costs of equal paths differ by rounding. */
#define ROUNDING 1.0001f

typedef struct sources {
  int count;
  float x[SOURCES_MAX], y[SOURCES_MAX], z[SOURCES_MAX], costs[SOURCES_MAX];
} sources;

static void pass_on(lwi_point_sweep *sweep, uint32_t polygon, const sources *from);

static float find_price(const lwi_point_sweep *sweep, uint32_t polygon) {
  const lw_navmesh *mesh = sweep->mesh;
  float price = INFINITY;
  uint32_t part;
  if (lwi_is_whole(mesh, polygon)) return lwi_price_on(sweep->prices, mesh, polygon);
  for (lwi_part_walk walk = lwi_parts_of(mesh, polygon); lwi_next_part(&walk, &part);)
    price = lwi_min(price, lwi_price_on(sweep->prices, mesh, part));
  return price;
}

/* What is known of a polygon, which may be met for the first time. */
static inline lwi_sweep_ground *ground_of(lwi_point_sweep *sweep, uint32_t polygon) {
  lwi_sweep_ground *ground = &sweep->grounds[polygon];
  if (ground->stamp == sweep->stamp) return ground;
  ground->stamp = sweep->stamp;
  ground->key = INFINITY;
  if (!sweep->keeps_prices) ground->price = 0;
  const uint32_t *first_of = sweep->points->first_of;
  for (uint32_t i = first_of[polygon]; i < first_of[polygon + 1]; i++) {
    sweep->costs[i] = INFINITY;
    sweep->waits[i] = 0;
  }
  return ground;
}

static inline float price_of(lwi_point_sweep *sweep, uint32_t polygon) {
  lwi_sweep_ground *ground = ground_of(sweep, polygon);
  if (ground->price == 0) ground->price = find_price(sweep, polygon);
  return ground->price;
}

/* --- becoming cheaper ------------------------------------------------------------------------------------- */

static inline void wait(lwi_point_sweep *sweep, lwi_sweep_ground *ground, uint32_t polygon, float key) {
  if (key >= ground->key) return;
  ground->key = key;
  if (!lwi_bucket_queue_push(&sweep->open, sweep->memory, key, polygon)) sweep->failed = true;
}

/* What paths over there cost up to the target beyond what they all cost. */
static inline float key_at(const lwi_point_sweep *sweep, lw_vec3 at, float cost) {
  if (sweep->lowest == 0) return cost;
  return lwi_max(0, cost + lwi_distance(at, sweep->toward) * sweep->lowest - sweep->min_cost);
}

/* Obstacles that mark ground may change the areas at its ends, and links are priced by them. */
static float price_of_link(const lwi_point_sweep *sweep, const lwi_link *link) {
  const bool is_whole = lwi_is_whole(sweep->mesh, link->from) && lwi_is_whole(sweep->mesh, link->to);
  return is_whole ? lwi_link_price(sweep->points->base, link, sweep->prices) : sweep->prices->lowest;
}

/* A point of the base's links reaches the one at its other end. */
static void reach_over_link(lwi_point_sweep *sweep, uint32_t point, float cost) {
  const lwi_point_graph *points = sweep->points;
  const uint32_t end = point - points->link_points, other = points->link_points + (end ^ 1),
                 member = points->member_of[other], polygon = points->pairs[member].polygon;
  const lwi_link *link = &points->base->links.items[end / 2];
  const float there = cost + link->length * price_of_link(sweep, link);
  lwi_sweep_ground *ground = ground_of(sweep, polygon);
  if (!(there < sweep->costs[member])) return;
  sweep->costs[member] = there;
  sweep->waits[member] = 1;
  wait(sweep, ground, polygon, key_at(sweep, points->places[other], there));
}

/* A point costs less than was known, on a path through the polygon of that member. */
static inline void reach(lwi_point_sweep *sweep, uint32_t member, float cost, float key) {
  const lwi_point_member *pairs = sweep->points->pairs;
  sweep->costs[member] = cost;
  sweep->waits[member] = 0;
  for (uint32_t i = pairs[member].next; i != member; i = pairs[i].next) {
    lwi_sweep_ground *ground = ground_of(sweep, pairs[i].polygon);
    sweep->costs[i] = cost;
    sweep->waits[i] = 1;
    wait(sweep, ground, pairs[i].polygon, key);
  }
  if (!sweep->has_links) return;
  const uint32_t point = sweep->points->of_polygon[member];
  if (point >= sweep->points->link_points) reach_over_link(sweep, point, cost);
}

/* --- links that were added -------------------------------------------------------------------------------- */

/* The end of such a link, which lies in a polygon that the sources are of, costs less than was known. */
static void pass_over_link(lwi_point_sweep *sweep, int end, const sources *from, float price) {
  const lwi_link *link = sweep->links->items[end / 2];
  const lw_vec3 at = end % 2 == 0 ? link->start : link->end, there = end % 2 == 0 ? link->end : link->start;
  float cost = INFINITY;
  for (int i = 0; i < from->count; i++) {
    const lw_vec3 source = {from->x[i], from->y[i], from->z[i]};
    cost = lwi_min(cost, from->costs[i] + lwi_distance(source, at) * price);
  }
  cost += link->length * sweep->prices->lowest;
  if (!(cost < sweep->link_costs[end ^ 1])) return;
  sweep->link_costs[end ^ 1] = cost;
  const sources over = {.count = 1, .x = {there.x}, .y = {there.y}, .z = {there.z}, .costs = {cost}};
  pass_on(sweep, end % 2 == 0 ? link->to : link->from, &over);
}

static void pass_over_links(lwi_point_sweep *sweep, uint32_t polygon, const sources *from, float price) {
  for (int i = 0; i < sweep->links->count; i++) {
    if (sweep->links->items[i]->from == polygon) pass_over_link(sweep, 2 * i, from, price);
    if (sweep->links->items[i]->to == polygon) pass_over_link(sweep, 2 * i + 1, from, price);
  }
}

/* --- passing on ------------------------------------------------------------------------------------------- */

static void reach_target(lwi_point_sweep *sweep, const sources *from, float price) {
  for (int i = 0; i < from->count; i++) {
    const lw_vec3 source = {from->x[i], from->y[i], from->z[i]};
    const float cost = from->costs[i] + lwi_distance(source, sweep->toward) * price;
    sweep->limit = lwi_min(sweep->limit, cost * ROUNDING);
  }
}

/* The keys of four members at those costs; bits of those that are to be reached. */
static inline unsigned find_keys(const lwi_point_sweep *sweep, const lwi_float4 at[3], lwi_float4 costs,
                                 float keys[4]) {
  const lwi_float4 dx = lwi_sub4(at[0], lwi_splat4(sweep->toward.x)),
                   dy = lwi_sub4(at[1], lwi_splat4(sweep->toward.y)),
                   dz = lwi_sub4(at[2], lwi_splat4(sweep->toward.z));
  const lwi_float4 apart = lwi_sqrt4(lwi_mul_add4(dx, dx, lwi_mul_add4(dy, dy, lwi_mul4(dz, dz))));
  const lwi_float4 over = lwi_mul_add4(apart, lwi_splat4(sweep->lowest), costs);
  lwi_store4(keys, lwi_max4(lwi_sub4(over, lwi_splat4(sweep->min_cost)), lwi_splat4(0)));
  return lwi_mask_bits4(lwi_less4(over, lwi_splat4(sweep->limit)));
}

/* Four members of a polygon from some of its points. */
static inline void pass_on_to(lwi_point_sweep *sweep, uint32_t member, unsigned wanted, const sources *from,
                              lwi_float4 price) {
  const lwi_point_graph *points = sweep->points;
  const lwi_float4 at[3] = {lwi_load4(points->x + member), lwi_load4(points->y + member),
                            lwi_load4(points->z + member)};
  const lwi_float4 known = lwi_load4(sweep->costs + member);
  lwi_float4 best = known;
  for (int i = 0; i < from->count; i++) {
    const lwi_float4 dx = lwi_sub4(at[0], lwi_splat4(from->x[i])), dy = lwi_sub4(at[1], lwi_splat4(from->y[i])),
                     dz = lwi_sub4(at[2], lwi_splat4(from->z[i]));
    const lwi_float4 apart = lwi_sqrt4(lwi_mul_add4(dx, dx, lwi_mul_add4(dy, dy, lwi_mul4(dz, dz))));
    best = lwi_min4(best, lwi_mul_add4(apart, price, lwi_splat4(from->costs[i])));
  }
  unsigned nearer = lwi_mask_bits4(lwi_less4(best, known)) & wanted;
  if (nearer == 0) return;
  float costs[4], keys[4];
  lwi_store4(costs, best);
  if (sweep->target == LWI_NONE)
    lwi_store4(keys, best);
  else
    nearer &= find_keys(sweep, at, best, keys);
  for (uint32_t i = 0; nearer != 0; nearer >>= 1, i++)
    if (nearer & 1) reach(sweep, member + i, costs[i], keys[i]);
}

/* Bits of those of four members that are before the end. */
static inline unsigned up_to(uint32_t member, uint32_t end) {
  return end - member < 4 ? (1u << (end - member)) - 1 : 15u;
}

static void pass_on(lwi_point_sweep *sweep, uint32_t polygon, const sources *from) {
  const lwi_point_graph *points = sweep->points;
  const uint32_t end = points->first_of[polygon + 1];
  const float price = price_of(sweep, polygon);
  if (price == INFINITY) return;
  sweep->work += (uint64_t)from->count;
  if (polygon == sweep->target) reach_target(sweep, from, price);
  for (uint32_t i = points->first_of[polygon]; i < end; i += 4)
    pass_on_to(sweep, i, up_to(i, end), from, lwi_splat4(price));
  if (sweep->links) pass_over_links(sweep, polygon, from, price);
}

/* Points whose flags are looked at together. */
#define FLAGS 8

/* All points that became cheaper to reach since. */
static void pass_on_all(lwi_point_sweep *sweep, uint32_t polygon) {
  const lwi_point_graph *points = sweep->points;
  const uint32_t end = points->first_of[polygon + 1];
  sources from;
  from.count = 0;
  for (uint32_t i = points->first_of[polygon]; i < end; i += FLAGS) {
    uint64_t flags;
    memcpy(&flags, sweep->waits + i, sizeof flags);
    for (uint32_t k = i; flags != 0 && k < end && k < i + FLAGS; k++) {
      if (!sweep->waits[k]) continue;
      sweep->waits[k] = 0;
      from.x[from.count] = points->x[k];
      from.y[from.count] = points->y[k];
      from.z[from.count] = points->z[k];
      from.costs[from.count++] = sweep->costs[k];
      if (from.count < SOURCES_MAX) continue;
      pass_on(sweep, polygon, &from);
      from.count = 0;
    }
  }
  if (from.count > 0) pass_on(sweep, polygon, &from);
}

bool lwi_point_sweep_run(lwi_point_sweep *sweep, uint64_t until) {
  lwi_bucket_entry entry;
  while (!sweep->failed && sweep->work < until) { /* where it ends with `until`, it is seen to end only later */
    if (!lwi_bucket_queue_pop(&sweep->open, &entry)) return true;
    lwi_sweep_ground *ground = &sweep->grounds[entry.item];
    if (ground->key == INFINITY) continue; /* it had a lower key since this entry was pushed */
    ground->key = INFINITY;
    if (entry.key + sweep->min_cost < sweep->limit) pass_on_all(sweep, entry.item);
  }
  return false;
}

/* --- beginning -------------------------------------------------------------------------------------------- */

static bool grow(lwi_point_sweep *sweep) {
  const lwi_point_graph *points = sweep->points;
  const int members = (int)points->membership_count + LWI_POINTS_READ_BEYOND;
  void *grounds = sweep->grounds;
  const bool good = lwi_grow_zeroed(sweep->memory, &grounds, &sweep->ground_count, points->polygon_count,
                                    sizeof *sweep->grounds);
  sweep->grounds = grounds;
  return good &&
         lwi_reserve(sweep->memory, &sweep->costs, &sweep->cost_capacity, members, sizeof *sweep->costs) &&
         lwi_reserve(sweep->memory, &sweep->waits, &sweep->wait_capacity, members + FLAGS,
                     sizeof *sweep->waits);
}

static void begin_again(lwi_point_sweep *sweep) {
  sweep->stamp += 1;
  if (sweep->stamp == 0) {
    for (uint32_t i = 0; i < sweep->ground_count; i++) sweep->grounds[i].stamp = 0;
    sweep->stamp = 1;
  }
}

bool lwi_point_sweep_begin(lwi_point_sweep *sweep, lw_vec3 from, float width) {
  sweep->failed = !grow(sweep);
  if (sweep->failed) return false;
  begin_again(sweep);
  sweep->has_links = sweep->points->base->links.count > 0;
  for (int i = 0; sweep->links && i < 2 * sweep->links->count; i++) sweep->link_costs[i] = INFINITY;
  sweep->min_cost = lwi_distance(from, sweep->toward) * sweep->lowest;
  sweep->limit = INFINITY;
  lwi_bucket_queue_begin(&sweep->open, width);
  return true;
}

void lwi_point_sweep_from_point(lwi_point_sweep *sweep, uint32_t point) {
  const uint32_t member = sweep->points->member_of[point], polygon = sweep->points->pairs[member].polygon;
  lwi_sweep_ground *ground = ground_of(sweep, polygon);
  reach(sweep, member, 0, 0);
  sweep->waits[member] = 1; /* it was reached through no polygon */
  wait(sweep, ground, polygon, 0);
}

void lwi_point_sweep_from(lwi_point_sweep *sweep, uint32_t polygon, lw_vec3 at) {
  const sources from = {.count = 1, .x = {at.x}, .y = {at.y}, .z = {at.z}};
  pass_on(sweep, polygon, &from);
}

/* --- answers ---------------------------------------------------------------------------------------------- */

float lwi_point_sweep_cost_in(const lwi_point_sweep *sweep, uint32_t polygon, lw_vec3 at) {
  const lwi_point_graph *points = sweep->points;
  const lwi_sweep_ground *ground = &sweep->grounds[polygon];
  float lowest = INFINITY;
  if (ground->stamp != sweep->stamp || ground->price == 0 || ground->price == INFINITY) return INFINITY;
  for (uint32_t i = points->first_of[polygon]; i < points->first_of[polygon + 1]; i++) {
    const lw_vec3 point = {points->x[i], points->y[i], points->z[i]};
    lowest = lwi_min(lowest, sweep->costs[i] + lwi_distance(at, point) * ground->price);
  }
  return lowest;
}

void lwi_point_sweep_free(lwi_point_sweep *sweep, lwi_memory *memory) {
  lwi_free(memory, sweep->grounds, sweep->ground_count * sizeof *sweep->grounds);
  lwi_free(memory, sweep->costs, (size_t)sweep->cost_capacity * sizeof *sweep->costs);
  lwi_free(memory, sweep->waits, (size_t)sweep->wait_capacity * sizeof *sweep->waits);
  lwi_bucket_queue_free(&sweep->open, memory);
  *sweep = (lwi_point_sweep){0};
}
