#include "search/path.h"

#include "core/status.h"

#include <math.h>
#include <string.h>

lw_path_query lw_path_query_default(void) {
  return (lw_path_query){.snap = {2, 4, 2},
                         .navmesh = LW_NAVMESH_FITTING,
                         .quality = LW_QUALITY_GOOD,
                         .path_style = LW_PATH_TAUT,
                         .max_nodes = INT32_MAX,
                         .heights = {0.9f, 1.6f},
                         .height_count = 2,
                         .visibility = -1,
                         .cookie = LWI_COOKIE};
}

/* --- memory ----------------------------------------------------------------------------------------------- */

/* A slice of a block. Slices of larger elements come first, for their alignment. */
static void *carve(char **at, size_t count, size_t size) {
  void *slice = *at;
  *at += count * size;
  return slice;
}

/* The ids of polygons, and their prices behind them. */
static size_t corridor_size(size_t polygons) {
  return polygons * (sizeof(lw_poly_id) + sizeof(float));
}

void lwi_path_free_arrays(lw_path *path) {
  lwi_free(&path->memory, path->arrays.block, path->arrays.size);
  lwi_free(&path->memory, path->corridor, corridor_size((size_t)path->corridor_count));
  lwi_free(&path->memory, path->arcs.items, (size_t)path->arcs.count * sizeof *path->arcs.items);
  path->arrays.block = NULL;
  path->corridor = NULL;
  path->arcs = (lwi_path_arcs){0};
}

/* Two blocks, because C libraries are slower with large ones. */
bool lwi_path_alloc(lw_path *path, size_t points, size_t runs, int links, size_t polygons) {
  size_t each = sizeof *path->points + sizeof *path->areas + sizeof *path->remaining + sizeof *path->records +
                sizeof *path->ground.polygons + (size_t)path->threat_count * sizeof *path->seen;
  path->arrays.size = (size_t)links * sizeof *path->links + runs * sizeof *path->runs + points * each;
  path->arrays.block = lwi_alloc(&path->memory, path->arrays.size);
  path->corridor = lwi_alloc(&path->memory, corridor_size(polygons));
  path->corridor_count = (int)polygons;
  path->arcs = (lwi_path_arcs){0};
  if (!path->arrays.block || !path->corridor) {
    lwi_path_free_arrays(path);
    return false;
  }
  char *at = path->arrays.block;
  path->links = carve(&at, (size_t)links, sizeof *path->links);
  path->points = carve(&at, points, sizeof *path->points);
  path->remaining = carve(&at, points, sizeof *path->remaining);
  path->runs = carve(&at, runs, sizeof *path->runs);
  path->records = carve(&at, points, sizeof *path->records);
  path->seen = carve(&at, points * (size_t)path->threat_count, sizeof *path->seen);
  path->ground.polygons = carve(&at, points, sizeof *path->ground.polygons);
  path->areas = carve(&at, points, sizeof *path->areas);
  path->link_count = links;
  path->ground.prices = (float *)(void *)(path->corridor + polygons);
  return true;
}

bool lwi_path_alloc_arcs(lw_path *path, int count) {
  if (count == 0) return true;
  path->arcs.items = lwi_alloc(&path->memory, (size_t)count * sizeof *path->arcs.items);
  if (path->arcs.items) path->arcs.count = count;
  return path->arcs.items != NULL;
}

void lw_path_destroy(lw_path *path) {
  if (!path) return;
  lwi_path_free_arrays(path);
  lwi_memory memory = path->memory;
  lwi_free(&memory, path, sizeof *path);
}

/* --- what it is asked ------------------------------------------------------------------------------------- */

const lw_vec3 *lw_path_points(const lw_path *path, int *count) {
  if (count) *count = path ? path->point_count : 0;
  return path ? path->points : NULL;
}
const lw_poly_id *lw_path_corridor(const lw_path *path, int *count) {
  if (count) *count = path ? path->corridor_count : 0;
  return path ? path->corridor : NULL;
}
const lw_path_arc *lw_path_arcs(const lw_path *path, int *count) {
  if (count) *count = path ? path->arcs.count : 0;
  return path ? path->arcs.items : NULL;
}
lw_area_id lw_path_area(const lw_path *path, int index) {
  return path && index >= 0 && index < path->point_count ? path->areas[index] : LW_AREA_NONE;
}
int lw_path_stance(const lw_path *path, int index) {
  if (!path || index < 0 || index + 1 >= path->point_count) return LW_STAND;
  int low = 0, high = path->run_count; /* runs up to `index` begin before `low` */
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (path->runs[middle].first <= index)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 ? path->runs[low - 1].stance : LW_STAND;
}
/* How many of the links begin before that point. */
static int links_before(const lw_path *path, int point) {
  int low = 0, high = path->link_count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (path->links[middle].point < point)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
const lwi_path_link *lwi_path_link_at(const lw_path *path, int index) {
  int link = links_before(path, index);
  return link < path->link_count && path->links[link].point == index ? &path->links[link] : NULL;
}
const lw_path_arc *lwi_path_arc_at(const lw_path *path, int index) {
  int low = 0, high = path->arcs.count; /* the first one that ends there or later */
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (path->arcs.items[middle].last < index)
      low = middle + 1;
    else
      high = middle;
  }
  return low < path->arcs.count && path->arcs.items[low].first < index ? &path->arcs.items[low] : NULL;
}
lw_link_kind lw_path_link(const lw_path *path, int index) {
  const lwi_path_link *link = path ? lwi_path_link_at(path, index) : NULL;
  return link ? link->kind : LW_LINK_NONE;
}
lw_link_id lw_path_link_id(const lw_path *path, int index) {
  const lwi_path_link *link = path ? lwi_path_link_at(path, index) : NULL;
  return link ? link->id : lw_link_id_none();
}
float lw_path_remaining(const lw_path *path, int index) {
  return path && index >= 0 && index < path->point_count ? path->remaining[index] : 0;
}
float lw_path_length(const lw_path *path) {
  return path ? path->length : 0;
}
float lw_path_cost(const lw_path *path) {
  return path ? path->cost : 0;
}
bool lw_path_is_partial(const lw_path *path) {
  return path && path->partial;
}
int lw_path_goal(const lw_path *path) {
  return path ? path->goal : 0;
}
bool lw_path_is_reduced(const lw_path *path) {
  return path && path->reduced;
}
int lw_path_navmesh(const lw_path *path) {
  return path ? path->navmesh : -1;
}
float lw_path_exposed(const lw_path *path) {
  return path ? path->exposed : 0;
}
float lw_path_danger(const lw_path *path) {
  double sum = 0;
  for (int i = 0; path && i < path->point_count; i++) sum += (double)path->records[i].danger;
  return (float)sum;
}
int lw_path_nodes(const lw_path *path) {
  return path ? path->nodes : 0;
}

void lwi_path_note_crossings(lw_path *path) {
  int crossing = -1;
  for (int i = 0; i < path->link_count; i++) {
    if (path->links[i].navmesh >= 0) crossing = i;
    path->links[i].crossing = crossing;
  }
}

bool lwi_path_crosses(const lw_path *path) {
  return path->link_count > 0 && path->links[path->link_count - 1].crossing >= 0;
}

/* The navmesh behind that many links. */
static int navmesh_behind(const lw_path *path, int links) {
  int crossing = links > 0 ? path->links[links - 1].crossing : -1;
  return crossing >= 0 ? path->links[crossing].navmesh : path->navmesh;
}

int lw_path_navmesh_at(const lw_path *path, int index) {
  if (!path || index < 0 || index >= path->point_count) return -1;
  return navmesh_behind(path, links_before(path, index));
}

int lw_path_corridor_navmesh(const lw_path *path, int index) {
  if (!path || index < 0 || index >= path->corridor_count) return -1;
  int low = 0, high = path->link_count;
  while (low < high) {
    int middle = low + (high - low) / 2, crossing = path->links[middle].crossing;
    if (crossing < 0 || path->links[crossing].corridor <= index)
      low = middle + 1;
    else
      high = middle;
  }
  return navmesh_behind(path, low);
}

lwi_cost_breakdown lwi_path_cost_breakdown(const lw_path *path, int i, int *run) {
  static const lwi_run none;
  while (*run + 1 < path->run_count && path->runs[*run + 1].first <= i) *run += 1;
  return lwi_cost_breakdown_of(path->run_count > 0 ? &path->runs[*run] : &none, &path->records[i], path->table);
}

float lwi_path_cost_sum(const lw_path *path) {
  double sum = 0;
  int run = 0;
  for (int i = 0; i < path->point_count; i++) {
    const lwi_cost_breakdown breakdown = lwi_path_cost_breakdown(path, i, &run);
    sum += (double)lwi_terms_sum(&breakdown.terms);
  }
  return (float)sum;
}

/* What the rest of a piece costs at the lowest from a place that may lie beside it. Of the piece's record, what parts of
   it cost more is left out: that may lie behind. */
static double cost_left(const lw_path *path, int i, int run, lw_vec3 at) {
  const lw_vec3 a = path->points[i], b = path->points[i + 1];
  const lw_vec3 on = lwi_nearest_on(a, b, at);
  const double each = (double)lwi_terms_sum(&path->runs[run].terms);
  return each * (double)(lwi_distance(on, b) - 2 * lwi_distance_xz(on, at));
}

float lwi_path_cost_from(const lw_path *path, int next, lw_vec3 at) {
  double sum = 0;
  int run = 0;
  for (int i = next - 1; i < path->point_count; i++) {
    const lwi_cost_breakdown breakdown = lwi_path_cost_breakdown(path, i, &run);
    if (i >= next)
      sum += (double)lwi_terms_sum(&breakdown.terms);
    else if (next < path->point_count)
      sum += cost_left(path, i, run, at);
  }
  return (float)fmax(0, sum);
}

void lwi_path_sum_up(lw_path *path) {
  double rest = 0;
  int link = path->link_count - 1;
  for (int i = path->point_count - 1; i >= 0; i--) {
    if (link >= 0 && path->links[link].point == i)
      rest += (double)path->links[link--].length;
    else if (i + 1 < path->point_count)
      rest += (double)lwi_distance(path->points[i], path->points[i + 1]);
    path->remaining[i] = (float)rest;
  }
}

/* --- several paths in one --------------------------------------------------------------------------------- */

static bool make_arrays(lw_path *path, const lwi_path_part *parts, int count) {
  size_t points = 0, polygons = 0, runs = (size_t)count - 1;
  int links = count - 1, arcs = 0;
  for (int i = 0; i < count; i++) {
    points += (size_t)parts[i].path->point_count;
    links += parts[i].path->link_count;
    arcs += parts[i].path->arcs.count;
    runs += (size_t)parts[i].path->run_count;
    polygons += (size_t)parts[i].path->corridor_count;
  }
  path->threat_count = parts[0].path->threat_count;
  path->table = parts[0].path->table;
  return lwi_path_alloc(path, points, runs, links, polygons) && lwi_path_alloc_arcs(path, arcs);
}

void lwi_path_append(lw_path *path, const lw_path *part, lwi_path_filled *at) {
  size_t points = (size_t)part->point_count, polygons = (size_t)part->corridor_count;
  size_t threats = (size_t)part->threat_count;
  memcpy(path->points + at->points, part->points, points * sizeof *path->points);
  memcpy(path->areas + at->points, part->areas, points * sizeof *path->areas);
  memcpy(path->records + at->points, part->records, points * sizeof *path->records);
  if (threats > 0)
    memcpy(path->seen + (size_t)at->points * threats, part->seen, points * threats * sizeof *path->seen);
  memcpy(path->ground.prices + at->polygons, part->ground.prices, polygons * sizeof *part->ground.prices);
  for (int i = 0; i < part->point_count; i++) {
    const int polygon = part->ground.polygons[i];
    path->ground.polygons[at->points + i] = polygon < 0 ? polygon : polygon + at->polygons;
  }
  memcpy(path->corridor + at->polygons, part->corridor, polygons * sizeof *path->corridor);
  for (int i = 0; i < part->run_count; i++) {
    path->runs[at->runs] = part->runs[i];
    path->runs[at->runs++].first += at->points;
  }
  for (int i = 0; i < part->link_count; i++) {
    path->links[at->links] = part->links[i];
    path->links[at->links++].point += at->points;
  }
  for (int i = 0; i < part->arcs.count; i++) {
    lw_path_arc *arc = &path->arcs.items[at->arcs++];
    *arc = part->arcs.items[i];
    arc->first += at->points;
    arc->last += at->points;
  }
  at->points += part->point_count;
  at->polygons += part->corridor_count;
}

lw_path *lwi_path_join(const lwi_path_part *parts, int count, const lw_allocator *allocator) {
  lwi_memory memory = lwi_memory_make(allocator);
  lw_path *path = lwi_alloc_zero(&memory, sizeof *path);
  if (!path) return NULL;
  path->memory = memory;
  if (!make_arrays(path, parts, count)) {
    lw_path_destroy(path);
    return NULL;
  }
  lwi_path_filled at = {0};
  double length = 0;
  for (int i = 0; i < count; i++) {
    const lwi_path_part *part = &parts[i];
    lwi_path_append(path, part->path, &at);
    length += (double)part->path->length;
    path->exposed += part->path->exposed;
    if (i + 1 == count) break;
    int last = at.points - 1, navmesh = parts[i + 1].path->navmesh;
    path->areas[last] = part->area;
    path->records[last].length += part->length;
    path->records[last].danger += part->extras.danger;
    path->records[last].lanes += part->extras.lanes;
    path->records[last].seen += part->extras.seen;
    path->records[last].exposed += part->extras.exposed;
    path->exposed += part->extras.exposed;
    for (int k = 0; k < path->threat_count; k++)
      path->seen[(size_t)last * (size_t)path->threat_count + (size_t)k] += part->exposed_to[k];
    path->records[last].link += part->cost;
    path->runs[at.runs] = part->run;
    path->runs[at.runs++].first = last;
    path->links[at.links++] = (lwi_path_link){.point = last,
                                              .kind = part->kind,
                                              .length = part->length,
                                              .to = part->to,
                                              .navmesh = navmesh,
                                              .corridor = at.polygons,
                                              .version = parts[i + 1].path->ground.version,
                                              .crossing = -1,
                                              .id = part->id};
    length += (double)part->length;
  }
  path->point_count = at.points;
  path->run_count = at.runs;
  path->navmesh = parts[0].path->navmesh;
  path->ground.version = parts[0].path->ground.version;
  path->length = (float)length;
  lwi_path_sum_up(path);
  lwi_path_note_crossings(path);
  return path;
}

lw_path *lwi_path_copy(const lw_path *path, const lw_allocator *allocator) {
  const size_t threats = (size_t)path->threat_count, points = (size_t)path->point_count;
  lwi_memory memory = lwi_memory_make(allocator);
  lw_path *copy = lwi_alloc_zero(&memory, sizeof *copy);
  if (!copy) return NULL;
  *copy = *path;
  copy->memory = memory;
  copy->arrays.block = NULL;
  copy->corridor = NULL;
  copy->corridor_count = 0;
  if (!lwi_path_alloc(copy, points, (size_t)path->run_count, path->link_count, (size_t)path->corridor_count)) {
    lwi_memory last = copy->memory;
    lwi_free(&last, copy, sizeof *copy);
    return NULL;
  }
  lwi_path_filled at = {0};
  lwi_path_append(copy, path, &at);
  copy->point_count = at.points;
  copy->run_count = at.runs;
  memcpy(copy->remaining, path->remaining, points * sizeof *copy->remaining);
  memcpy(copy->links, path->links, (size_t)path->link_count * sizeof *copy->links);
  if (threats > 0) memcpy(copy->seen, path->seen, points * threats * sizeof *copy->seen);
  return copy;
}

lw_path *lwi_path_of_place(lw_location at, int navmesh, const lw_area_table *table,
                           const lw_allocator *allocator) {
  lwi_memory memory = lwi_memory_make(allocator);
  lw_path *path = lwi_alloc_zero(&memory, sizeof *path);
  if (!path) return NULL;
  path->memory = memory;
  if (!lwi_path_alloc(path, 1, 0, 0, 1)) {
    lwi_memory last = path->memory;
    lwi_free(&last, path, sizeof *path);
    return NULL;
  }
  path->navmesh = navmesh;
  path->table = table;
  path->point_count = 1;
  path->points[0] = at.point;
  path->areas[0] = LW_AREA_NONE;
  path->remaining[0] = 0;
  path->records[0] = (lwi_cost_record){.length = 0};
  path->corridor[0] = at.poly;
  path->ground.polygons[0] = 0;
  path->ground.prices[0] = 0; /* of no piece */
  return path;
}

static lw_path *better_of(lw_path *path, lw_path *other, bool is_better) {
  lw_path_destroy(is_better ? path : other);
  return is_better ? other : path;
}

bool lwi_path_is_seen(const lw_path *path) {
  for (int i = 0; i < path->point_count; i++)
    if (path->records[i].seen > 0) return true;
  return false;
}

/* Of a path that is no longer than this part more than as seen from above, no other one is shorter over the surface. */
#define LEVEL 1.0001f

bool lwi_path_is_sloped(const lw_path *path) {
  float flat = 0, length = 0;
  for (int i = 1; i < path->point_count; i++) {
    flat += lwi_distance_xz(path->points[i - 1], path->points[i]);
    length += lwi_distance(path->points[i - 1], path->points[i]);
  }
  return length > flat * LEVEL;
}

lw_path *lwi_path_cheaper(lw_path *path, lw_path *other) {
  return better_of(path, other, other && other->cost < path->cost);
}

lw_path *lwi_path_shorter(lw_path *path, lw_path *other) {
  return better_of(path, other, other && other->length < path->length);
}

bool lwi_path_lead_in(lw_path *path, lw_location from, const lw_navmesh *mesh, const lwi_prices *prices) {
  if (lwi_distance_xz(path->points[0], from.point) < 1e-3f) return true;
  lw_path longer = *path;
  uint32_t polygon = lwi_poly_index(mesh, from.poly);
  lwi_prices plain;
  if (lwi_price_on(prices, mesh, polygon) == INFINITY) { /* it may not enter where it stands, and leaves */
    lwi_prices_plain(&plain);
    prices = &plain;
  }
  if (!lwi_path_alloc(&longer, (size_t)path->point_count + 1, (size_t)path->run_count + 1, path->link_count,
                      (size_t)path->corridor_count))
    return false;
  if (!lwi_path_alloc_arcs(&longer, path->arcs.count)) {
    lwi_path_free_arrays(&longer);
    return false;
  }
  longer.points[0] = from.point;
  longer.ground.polygons[0] = -1;
  longer.areas[0] = mesh->polygons.areas[polygon];
  longer.records[0] = (lwi_cost_record){.length = lwi_distance(from.point, path->points[0])};
  longer.runs[0] = lwi_run_ground(prices, mesh, polygon);
  lwi_cost_record_place(&longer.records[0], prices, mesh, polygon, longer.records[0].length);
  memset(longer.seen, 0, (size_t)path->threat_count * sizeof *longer.seen);
  lwi_path_filled at = {.points = 1, .runs = 1};
  lwi_path_append(&longer, path, &at);
  longer.length = longer.remaining[0] = path->length + longer.records[0].length;
  longer.cost += longer.records[0].length * lwi_price_on(prices, mesh, polygon);
  memcpy(longer.remaining + 1, path->remaining, (size_t)path->point_count * sizeof *path->remaining);
  longer.point_count = at.points;
  longer.run_count = at.runs;
  path->memory = longer.memory;
  lwi_path_free_arrays(path);
  longer.memory = path->memory;
  *path = longer;
  return true;
}
