/* Dijkstra from a place over points on portals, half a metre apart or less. Within a region of one price the straight line is
   the cheapest path, so an entry at one point reaches every other point of the region for the distance more. An entry that
   costs no less than an earlier one plus the distance between them cannot improve any neighbour. Paths that turn at every
   portal are too long: where the straight line from the last turn is cheaper, it is taken (Theta*, Nash et al. 2007). */
#include "query/reach_field.h"

#include "search/shortcuts.h"

#include <string.h>

/* Points on a portal. */
#define SPACING 0.5f
#define MIN_PIECES 2
#define MAX_PIECES 24
/* A straight line is tried where it could save more than this part of the cost. */
#define WORTH_TRYING 0.9995f
/* Regions that a straight line is followed through, at limit. */
#define MAX_STRAIGHT 1024
/* Heights of a portal seen from its two sides differ, so the triangle inequality holds but for this. [m] */
#define HEIGHT_SLACK 1e-3f

void lwi_reach_field_free(lwi_reach_field *field) {
  if (!field->memory) return;
  lwi_heap_free(&field->open, field->memory);
  lwi_free(field->memory, field->nodes, (size_t)field->node_capacity * sizeof *field->nodes);
  lwi_free(field->memory, field->slots, field->slot_count * sizeof *field->slots);
  lwi_free(field->memory, field->entries, (size_t)field->entry_capacity * sizeof *field->entries);
  lwi_free(field->memory, field->last, field->region_capacity * sizeof *field->last);
  lwi_free(field->memory, field->regions, (size_t)field->reached_capacity * sizeof *field->regions);
  *field = (lwi_reach_field){0};
}

typedef struct field_run {
  lwi_reach_field *field;
  const lwi_graph *graph;
  const lwi_prices *prices;
  float max_cost;
} field_run;

/* --- nodes by key ------------------------------------------------------------------------------------------------- */

static uint32_t *find_slot(lwi_reach_field *field, uint64_t key) {
  uint32_t slot = (uint32_t)(key * 0x9e3779b97f4a7c15ULL >> 32) & (field->slot_count - 1);
  while (field->slots[slot] != 0 && field->nodes[field->slots[slot] - 1].key != key)
    slot = (slot + 1) & (field->slot_count - 1);
  return &field->slots[slot];
}

static bool grow_slots(lwi_reach_field *field) {
  uint32_t count = field->slot_count ? field->slot_count * 2 : 1024;
  uint32_t *slots = lwi_alloc_zero(field->memory, count * sizeof *slots);
  if (!slots) return false;
  lwi_free(field->memory, field->slots, field->slot_count * sizeof *slots);
  field->slots = slots;
  field->slot_count = count;
  for (int i = 0; i < field->node_count; i++) *find_slot(field, field->nodes[i].key) = (uint32_t)i + 1;
  return true;
}

/* @return The node, new ones at infinite cost; NULL: no memory. */
static lwi_reach_field_node *find_node(lwi_reach_field *field, uint64_t key) {
  if ((uint32_t)field->node_count >= field->slot_count / 2 && !grow_slots(field)) return NULL;
  uint32_t *slot = find_slot(field, key);
  if (*slot) return &field->nodes[*slot - 1];
  if (!lwi_reserve(field->memory, &field->nodes, &field->node_capacity, field->node_count + 1,
                   sizeof *field->nodes))
    return NULL;
  field->nodes[field->node_count] = (lwi_reach_field_node){.key = key, .cost = INFINITY};
  *slot = (uint32_t)++field->node_count;
  return &field->nodes[field->node_count - 1];
}

/* --- entries ------------------------------------------------------------------------------------------------------ */

static float price_of(const field_run *run, uint32_t region) {
  return lwi_price_in(run->prices, run->graph, region);
}

static float price_behind(const field_run *run, const lwi_portal *portal) {
  return lwi_price_behind(run->prices, run->graph, portal);
}

/* Does another entry of the region reach this point through the region for no more? */
static bool is_dominated(const field_run *run, uint32_t region, lw_vec3 point, float cost) {
  const lwi_reach_field *field = run->field;
  float price = price_of(run, region);
  for (uint32_t i = field->last[region]; i != LWI_NONE; i = field->entries[i].before) {
    const lwi_reach_field_entry *entry = &field->entries[i];
    if (cost >= entry->cost + (lwi_distance(entry->point, point) - HEIGHT_SLACK) * price) return true;
  }
  return false;
}

static bool add_entry(field_run *run, uint32_t region, lw_vec3 point, float cost, uint32_t root) {
  lwi_reach_field *field = run->field;
  if (!lwi_reserve(field->memory, &field->entries, &field->entry_capacity, field->entry_count + 1,
                   sizeof *field->entries))
    return false;
  if (field->last[region] == LWI_NONE) {
    if (!lwi_reserve(field->memory, &field->regions, &field->reached_capacity, field->reached_count + 1,
                     sizeof *field->regions))
      return false;
    field->regions[field->reached_count++] = region;
  }
  field->entries[field->entry_count] = (lwi_reach_field_entry){
      region, lwi_region_polygon(run->graph, region), cost, point, field->last[region], root};
  field->last[region] = (uint32_t)field->entry_count++;
  return true;
}

/* A place at which to enter a region. */
typedef struct step {
  uint64_t key;
  uint32_t region, came_from, root;
  lw_vec3 point;
  float cost;
} step;

static bool relax(field_run *run, const step *to) {
  lwi_reach_field *field = run->field;
  if (!(to->cost <= run->max_cost) || is_dominated(run, to->region, to->point, to->cost)) return true;
  lwi_reach_field_node *node = find_node(field, to->key);
  if (!node) return false;
  if (to->cost >= node->cost) return true;
  *node = (lwi_reach_field_node){to->key, to->cost, to->region, to->came_from, to->root, to->point};
  return lwi_heap_push(&field->open, field->memory, to->cost, (uint32_t)(node - field->nodes));
}

/* --- leaving a region ---------------------------------------------------------------------------------------------- */

typedef struct region_exit {
  uint32_t region, came_from, root;
  lw_vec3 point;
  float cost, price;
  uint32_t entry; /* by which the region was entered */
} region_exit;

/* The portal by which the straight line from `from` to `to` leaves a region, behind parameter `t`, and where. */
static const lwi_portal *straight_exit(const field_run *run, uint32_t region, lw_vec3 from, lw_vec3 to,
                                       float *t, lw_vec3 *at) {
  for (uint32_t k = run->graph->first_portal[region]; k < run->graph->end_portal[region]; k++) {
    lw_vec3 left, right;
    lwi_graph_points(run->graph, region, &run->graph->portals[k], &left, &right);
    double side_left = lwi_turn(from, to, left), side_right = lwi_turn(from, to, right);
    if (!(side_left >= 0 && side_right <= 0 && side_left > side_right)) continue;
    *at = lwi_lerp(right, left, (float)(side_right / (side_right - side_left)));
    float length = lwi_distance_xz(from, to), reached = length > 0 ? lwi_distance_xz(from, *at) / length : 1;
    if (reached < *t - 1e-4f || reached > 1) continue;
    *t = reached;
    return &run->graph->portals[k];
  }
  return NULL;
}

/* Cost of the straight line from an entry to a point of region `end`. INFINITY: it leaves the regions, or costs more than
   `limit`. */
static float straight_cost(const field_run *run, const lwi_reach_field_entry *from, lw_vec3 to, uint32_t end,
                           float limit) {
  float cost = from->cost, t = 0;
  lw_vec3 at = from->point;
  uint32_t region = from->region, before = LWI_NONE;
  for (int steps = 0; cost < limit && steps < MAX_STRAIGHT; steps++) {
    float price = price_of(run, region);
    if (region == end) return cost + lwi_distance(at, to) * price;
    lw_vec3 next;
    const lwi_portal *portal = straight_exit(run, region, from->point, to, &t, &next);
    if (!portal || portal->to == before || price_behind(run, portal) == INFINITY) break;
    cost += lwi_distance(at, next) * price;
    at = next;
    before = region;
    region = portal->to;
  }
  return INFINITY;
}

static float straighten(const field_run *run, const region_exit *from, step *to) {
  if (from->root == LWI_NONE) return to->cost;
  const lwi_reach_field_entry *root = &run->field->entries[from->root];
  float bound = root->cost + lwi_distance(root->point, to->point) * run->prices->lowest;
  if (bound > to->cost * WORTH_TRYING || bound > run->max_cost) return to->cost;
  float cost = straight_cost(run, root, to->point, from->region, to->cost);
  if (cost >= to->cost) return to->cost;
  to->root = from->root;
  return cost;
}

static bool cross_portal(field_run *run, const region_exit *from, uint32_t k) {
  const lwi_portal *portal = &run->graph->portals[k];
  float behind = price_behind(run, portal);
  if (behind == INFINITY) return true;
  /* Going back into the region before only helps where that region costs more per metre. */
  if (portal->to == from->came_from && behind <= from->price) return true;
  lw_vec3 left, right;
  lwi_graph_points(run->graph, from->region, portal, &left, &right);
  float pieces = fminf(MAX_PIECES, fmaxf(MIN_PIECES, ceilf(lwi_distance(left, right) / SPACING)));
  for (uint32_t i = 0; (float)i <= pieces; i++) {
    lw_vec3 point = lwi_lerp(left, right, (float)i / pieces);
    step to = {((uint64_t)k + 1) << 8 | i,
               portal->to,
               from->region,
               from->entry,
               point,
               from->cost + lwi_distance(from->point, point) * from->price};
    to.cost = straighten(run, from, &to);
    if (!relax(run, &to)) return false;
  }
  return true;
}

static bool take_link(field_run *run, const region_exit *from, uint32_t k) {
  const lwi_link *link = &run->graph->mesh->links.items[k];
  lwi_link_regions regions = lwi_graph_link_regions(run->graph, k);
  float price = lwi_link_price(run->graph->mesh, link, run->prices);
  if (regions.from != from->region || regions.to == LWI_NONE || price == INFINITY) return true;
  float cost = from->cost + lwi_distance(from->point, link->start) * from->price + link->length * price +
               lwi_link_cost(run->graph->mesh, link);
  uint64_t key = ((uint64_t)run->graph->portal_count + 1 + k) << 8;
  return relax(run, &(step){key, regions.to, LWI_NONE, LWI_NONE, link->end, cost});
}

static bool take_links(field_run *run, const region_exit *from) {
  const lw_navmesh *mesh = run->graph->mesh;
  uint32_t polygon = lwi_region_polygon(run->graph, from->region);
  if (!mesh->links.first) return true;
  for (uint32_t k = mesh->links.first[polygon]; k < mesh->links.end[polygon]; k++)
    if (!take_link(run, from, k)) return false;
  return true;
}

static bool expand(field_run *run, region_exit from) {
  if (is_dominated(run, from.region, from.point, from.cost)) return true;
  from.entry = (uint32_t)run->field->entry_count;
  if (!add_entry(run, from.region, from.point, from.cost, from.root)) return false;
  from.price = price_of(run, from.region);
  for (uint32_t k = run->graph->first_portal[from.region]; k < run->graph->end_portal[from.region]; k++)
    if (!cross_portal(run, &from, k)) return false;
  return take_links(run, &from);
}

/* Forget the last run. */
static bool begin(lwi_reach_field *field, const lwi_graph *graph) {
  if (field->region_capacity < graph->region_count) {
    size_t size = graph->region_count * sizeof *field->last;
    uint32_t *last = lwi_resize(field->memory, field->last, field->region_capacity * sizeof *field->last, size);
    if (!last) return false;
    memset(last, 0xff, size);
    field->last = last;
    field->region_capacity = graph->region_count;
  }
  for (int i = 0; i < field->reached_count; i++) field->last[field->regions[i]] = LWI_NONE;
  if (field->slot_count) memset(field->slots, 0, field->slot_count * sizeof *field->slots);
  field->open.count = field->node_count = field->entry_count = field->reached_count = 0;
  return true;
}

lw_status lwi_reach_field_run(lwi_reach_field *field, const lwi_graph *graph, lw_vec3 from,
                              uint32_t from_region, const lwi_prices *prices, float max_cost) {
  field_run run = {field, graph, prices, max_cost};
  if (!begin(field, graph) || !expand(&run, (region_exit){from_region, LWI_NONE, LWI_NONE, from, 0, 0, 0}))
    return LW_OUT_OF_MEMORY;
  lwi_heap_entry next;
  while (lwi_heap_pop(&field->open, &next)) {
    const lwi_reach_field_node *node = &field->nodes[next.item];
    if (next.key > node->cost) continue; /* it was reached at a lower cost since */
    if (!expand(&run, (region_exit){node->region, node->came_from, node->root, node->point, node->cost, 0, 0}))
      return LW_OUT_OF_MEMORY;
  }
  return LW_OK;
}
