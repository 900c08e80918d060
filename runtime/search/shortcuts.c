/* A link that counts for less than its straight length is short: with it the straight line is no lower bound.
   While such links are few, the shortest path from each to the goal is found, with straight lines from link to
   link. When they are many, a path to the goal either takes none of them, or leads to the start of the first
   one and from the end of the last one to the goal: it is no shorter than the straight line to the nearest
   start plus the lowest of all their tails. */
#include "search/shortcuts.h"

#include <stdlib.h>

/* By rounding a link's length may be this part of the straight one without being short. */
#define SHORTER 0.9999f
/* Up to this number, pairs of a short link and any other are few. */
#define FEW 4096

void lwi_shortcuts_free(lwi_shortcuts *shortcuts, lwi_memory *memory) {
  lwi_free(memory, shortcuts->order, shortcuts->link_count * sizeof *shortcuts->order);
  lwi_free(memory, shortcuts->list, (size_t)shortcuts->capacity * sizeof *shortcuts->list);
  lwi_free(memory, shortcuts->parts, (size_t)shortcuts->part_capacity * sizeof *shortcuts->parts);
  *shortcuts = (lwi_shortcuts){0};
}

/* --- the order: by island, then along a Z-order curve (Morton 1966) --------------------------------------- */

typedef struct order_key {
  uint32_t island, code, link;
} order_key;

static int compare_keys(const void *a, const void *b) {
  const order_key *x = a, *y = b;
  if (x->island != y->island) return x->island < y->island ? -1 : 1;
  if (x->code != y->code) return x->code < y->code ? -1 : 1;
  return x->link < y->link ? -1 : x->link > y->link;
}

/* The lower 16 bits, with a gap before each. */
static uint32_t spread(uint32_t bits) {
  bits = (bits | bits << 8) & 0x00ff00ffu;
  bits = (bits | bits << 4) & 0x0f0f0f0fu;
  bits = (bits | bits << 2) & 0x33333333u;
  return (bits | bits << 1) & 0x55555555u;
}

static uint32_t part_of(float value, float low, float high) {
  /* A file may say that a link begins beside the navmesh. */
  return high > low ? (uint32_t)(fminf(1, fmaxf(0, (value - low) / (high - low))) * 65535) : 0;
}

static bool make_order(lwi_shortcuts *shortcuts, lwi_memory *memory, const lw_navmesh *mesh) {
  size_t count = mesh->links.count;
  if (shortcuts->mesh == mesh && shortcuts->link_count == count && shortcuts->version == mesh->live.version)
    return true;
  lwi_free(memory, shortcuts->order, shortcuts->link_count * sizeof *shortcuts->order);
  shortcuts->link_count = 0;
  shortcuts->order = lwi_alloc(memory, count * sizeof *shortcuts->order);
  order_key *keys = lwi_alloc(memory, count * sizeof *keys);
  if (shortcuts->order && keys) {
    shortcuts->mesh = mesh;
    shortcuts->version = mesh->live.version;
    shortcuts->link_count = mesh->links.count;
    lw_box box = mesh->bounds;
    for (uint32_t i = 0; i < count; i++) {
      const lwi_link *link = &mesh->links.items[i];
      const uint32_t code = spread(part_of(link->start.x, box.min.x, box.max.x)) |
                            spread(part_of(link->start.z, box.min.z, box.max.z)) << 1;
      keys[i] = (order_key){mesh->graph.islands[link->from], code, i};
    }
    qsort(keys, count, sizeof *keys, compare_keys);
    for (uint32_t i = 0; i < count; i++) shortcuts->order[i] = keys[i].link;
  } else {
    lwi_free(memory, shortcuts->order, count * sizeof *shortcuts->order);
    shortcuts->order = NULL;
  }
  lwi_free(memory, keys, count * sizeof *keys);
  return shortcuts->order != NULL;
}

/* --- the list --------------------------------------------------------------------------------------------- */

/* @return The length that costs as much at the lowest price; infinity: these agents cannot take the link.
   [m] */
static float length_of(const lw_navmesh *mesh, const lwi_link *link, const lwi_prices *prices) {
  float price = lwi_link_price(mesh, link, prices);
  const float more = prices->by_length ? 0 : lwi_link_cost(mesh, link);
  return price == INFINITY ? INFINITY : (link->length * price + more) / prices->lowest;
}

static bool is_short(const lwi_shortcut *shortcut) {
  return shortcut->floor < INFINITY;
}

/* Tails as if no other link followed. @return How many links are short. */
static int make_list(lwi_shortcuts *shortcuts, const lw_navmesh *mesh, const lwi_prices *prices) {
  int short_count = 0;
  shortcuts->count = 0;
  for (uint32_t i = 0; i < mesh->links.count; i++) {
    const lwi_link *link = &mesh->links.items[shortcuts->order[i]];
    float length = length_of(mesh, link, prices);
    if (length == INFINITY) continue;
    float tail = length + lwi_distance(link->end, shortcuts->goal);
    bool shorter = length < SHORTER * lwi_distance(link->start, link->end);
    shortcuts->list[shortcuts->count++] = (lwi_shortcut){
        .start = link->start,
        .tail = tail,
        .floor = shorter ? tail : INFINITY,
        .island = mesh->graph.islands[link->from],
        .link = shortcuts->order[i],
    };
    short_count += shorter;
  }
  return short_count;
}

/* Dijkstra (1959) from the goal backwards over the short links, each of which may follow any link. */
static void shorten_tails(lwi_shortcuts *shortcuts, const lw_navmesh *mesh, const lwi_prices *prices,
                          int short_count) {
  float done = -1; /* tails up to this one are final */
  int last = -1;   /* the last link with a tail of exactly that length */
  for (int n = 0; n < short_count; n++) {
    int next = -1;
    for (int i = 0; i < shortcuts->count; i++) {
      float tail = shortcuts->list[i].tail;
      if (!is_short(&shortcuts->list[i]) || tail < done || (tail == done && i <= last)) continue;
      if (next < 0 || tail < shortcuts->list[next].tail) next = i;
    }
    if (next < 0) return;
    done = shortcuts->list[next].tail;
    last = next;
    lw_vec3 start = shortcuts->list[next].start;
    for (int i = 0; i < shortcuts->count; i++) {
      lwi_shortcut *before = &shortcuts->list[i];
      if (before->tail <= done) continue;
      const lwi_link *link = &mesh->links.items[before->link];
      before->tail = fminf(before->tail, length_of(mesh, link, prices) + lwi_distance(link->end, start) + done);
    }
  }
}

static void set_floors(lwi_shortcuts *shortcuts, bool tails_are_exact) {
  float lowest = INFINITY;
  for (int i = 0; i < shortcuts->count; i++)
    if (is_short(&shortcuts->list[i])) lowest = fminf(lowest, shortcuts->list[i].tail);
  for (int i = 0; i < shortcuts->count; i++)
    if (is_short(&shortcuts->list[i]))
      shortcuts->list[i].floor = tails_are_exact ? shortcuts->list[i].tail : lowest;
}

/* --- the tree --------------------------------------------------------------------------------------------- */

static lw_box join(lw_box a, lw_box b) {
  return lwi_box_add(lwi_box_add(a, b.min), b.max);
}

static bool is_empty(const lw_box *box) {
  return box->min.x > box->max.x;
}

static lwi_shortcut_part both(const lwi_shortcut_part *a, const lwi_shortcut_part *b) {
  return (lwi_shortcut_part){
      .starts = is_empty(&b->starts) ? a->starts : join(a->starts, b->starts),
      .short_starts = is_empty(&b->short_starts)   ? a->short_starts
                      : is_empty(&a->short_starts) ? b->short_starts
                                                   : join(a->short_starts, b->short_starts),
      .tail = fminf(a->tail, b->tail),
      .floor = fminf(a->floor, b->floor),
  };
}

static int leaf_end(const lwi_shortcuts *shortcuts, int begin) {
  int end = begin + LWI_SHORTCUT_LEAF;
  return end < shortcuts->count ? end : shortcuts->count;
}

static lwi_shortcut_part make_leaf(const lwi_shortcuts *shortcuts, int begin) {
  lwi_shortcut_part leaf = {lwi_box_empty(), lwi_box_empty(), INFINITY, INFINITY};
  for (int i = begin; i < leaf_end(shortcuts, begin); i++) {
    const lwi_shortcut *shortcut = &shortcuts->list[i];
    leaf.starts = lwi_box_add(leaf.starts, shortcut->start);
    leaf.tail = fminf(leaf.tail, shortcut->tail);
    if (!is_short(shortcut)) continue;
    leaf.short_starts = lwi_box_add(leaf.short_starts, shortcut->start);
    leaf.floor = fminf(leaf.floor, shortcut->floor);
  }
  return leaf;
}

static bool make_tree(lwi_shortcuts *shortcuts, lwi_memory *memory) {
  int leaves = 1;
  while (leaves * LWI_SHORTCUT_LEAF < shortcuts->count) leaves *= 2;
  if (!lwi_reserve(memory, &shortcuts->parts, &shortcuts->part_capacity, 2 * leaves, sizeof *shortcuts->parts))
    return false;
  shortcuts->leaves = leaves;
  for (int i = 0; i < leaves; i++) shortcuts->parts[leaves + i] = make_leaf(shortcuts, i * LWI_SHORTCUT_LEAF);
  for (int i = leaves - 1; i > 0; i--)
    shortcuts->parts[i] = both(&shortcuts->parts[2 * i], &shortcuts->parts[2 * i + 1]);
  return true;
}

bool lwi_shortcuts_begin(lwi_shortcuts *shortcuts, lwi_memory *memory, const lw_navmesh *mesh,
                         const lwi_prices *prices, lw_vec3 goal, uint32_t to) {
  shortcuts->count = 0;
  shortcuts->any_short = false;
  shortcuts->goal = goal;
  if (mesh->links.count == 0) return true;
  shortcuts->goal_island = mesh->graph.islands[to];
  if (!make_order(shortcuts, memory, mesh) || !lwi_reserve(memory, &shortcuts->list, &shortcuts->capacity,
                                                           (int)mesh->links.count, sizeof *shortcuts->list))
    return false;
  int short_count = make_list(shortcuts, mesh, prices);
  shortcuts->any_short = short_count > 0;
  bool few = short_count * (int64_t)shortcuts->count <= FEW;
  if (few) shorten_tails(shortcuts, mesh, prices, short_count);
  set_floors(shortcuts, few);
  return make_tree(shortcuts, memory);
}

/* --- queries ---------------------------------------------------------------------------------------------- */

typedef struct shortcut_query {
  const lwi_shortcuts *shortcuts;
  lw_vec3 point;
  bool by_floor, short_only;
  int first, end; /* of the list */
  float best;     /* so far [m] */
  int found;      /* in the list; -1: none */
} shortcut_query;

/* Comparisons, because fmaxf is a call. */
static float outside(float value, float low, float high) {
  return value < low ? low - value : value > high ? value - high : 0;
}

static float box_distance2(const lw_box *box, lw_vec3 p) {
  float x = outside(p.x, box->min.x, box->max.x);
  float y = outside(p.y, box->min.y, box->max.y);
  float z = outside(p.z, box->min.z, box->max.z);
  return x * x + y * y + z * z;
}

/* Lower bound on paths over the links of a part; infinity: none can be better than the best. [m] */
static float bound_over(const shortcut_query *query, const lwi_shortcut_part *part) {
  float rest = query->by_floor ? part->floor : part->tail;
  if (!(rest < query->best)) return INFINITY;
  return sqrtf(box_distance2(query->by_floor ? &part->short_starts : &part->starts, query->point)) + rest;
}

static void search_leaf(shortcut_query *query, int begin) {
  const int end = leaf_end(query->shortcuts, begin);
  for (int i = begin < query->first ? query->first : begin; i < end && i < query->end; i++) {
    const lwi_shortcut *shortcut = &query->shortcuts->list[i];
    float rest = query->by_floor ? shortcut->floor : shortcut->tail;
    if (!(rest < query->best) || (query->short_only && !is_short(shortcut))) continue;
    float length = lwi_distance(query->point, shortcut->start) + rest;
    if (length >= query->best) continue;
    query->best = length;
    query->found = i;
  }
}

/* Depth first, the half with the lower bound first. The recursion is as deep as the tree: the logarithm of its
   leaves. @param begin  The part's first link. @param count  How many it can hold. */
static void search_part(shortcut_query *query, int part, int begin, int count) {
  const lwi_shortcuts *shortcuts = query->shortcuts;
  if (part >= shortcuts->leaves) {
    search_leaf(query, begin);
    return;
  }
  const int half = count / 2, middle = begin + half;
  float left = query->first < middle ? bound_over(query, &shortcuts->parts[2 * part]) : INFINITY,
        right = query->end > middle ? bound_over(query, &shortcuts->parts[2 * part + 1]) : INFINITY;
  bool left_first = left <= right;
  if ((left_first ? left : right) < query->best)
    search_part(query, 2 * part + !left_first, left_first ? begin : middle, half);
  if ((left_first ? right : left) < query->best)
    search_part(query, 2 * part + left_first, left_first ? middle : begin, half);
}

static void search_all(shortcut_query *query) {
  search_part(query, 1, 0, query->shortcuts->leaves * LWI_SHORTCUT_LEAF);
}

/* The first link of that island or a later one. */
static int first_of(const lwi_shortcuts *shortcuts, uint32_t island) {
  int low = 0, high = shortcuts->count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (shortcuts->list[middle].island < island)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

float lwi_shortcuts_bound_over_links(const lwi_shortcuts *shortcuts, lw_vec3 point) {
  shortcut_query query = {.shortcuts = shortcuts, .point = point, .by_floor = true, .end = shortcuts->count};
  query.best = lwi_distance(point, shortcuts->goal);
  search_all(&query);
  return query.best;
}

lw_vec3 lwi_shortcuts_aim_at_links(const lwi_shortcuts *shortcuts, lw_vec3 point, uint32_t island) {
  bool is_home = island == shortcuts->goal_island;
  shortcut_query query = {.shortcuts = shortcuts,
                          .point = point,
                          .short_only = is_home,
                          .first = first_of(shortcuts, island),
                          .end = first_of(shortcuts, island + 1),
                          .best = INFINITY,
                          .found = -1};
  if (is_home) query.best = lwi_distance(point, shortcuts->goal);
  if (query.first < query.end) search_all(&query);
  return query.found < 0 ? shortcuts->goal : shortcuts->list[query.found].start;
}
