/* One path of several, each on a navmesh of its own, with a link from each to the next. */
#include "search/path.h"

#include <string.h>

bool lwi_path_crosses(const lw_path *path) {
  for (int i = 0; i < path->link_count; i++)
    if (path->links[i].navmesh >= 0) return true;
  return false;
}

int lw_path_navmesh_at(const lw_path *path, int index) {
  if (index < 0 || index >= path->point_count) return -1;
  int navmesh = path->navmesh;
  for (int i = 0; i < path->link_count && path->links[i].point < index; i++)
    if (path->links[i].navmesh >= 0) navmesh = path->links[i].navmesh;
  return navmesh;
}

int lw_path_corridor_navmesh(const lw_path *path, int index) {
  if (index < 0 || index >= path->corridor_count) return -1;
  int navmesh = path->navmesh;
  for (int i = 0; i < path->link_count; i++)
    if (path->links[i].navmesh >= 0 && path->links[i].corridor <= index) navmesh = path->links[i].navmesh;
  return navmesh;
}

static bool make_arrays(lw_path *path, const lwi_path_part *parts, int count) {
  size_t points = 0, polygons = 0, runs = (size_t)count - 1;
  int links = count - 1;
  for (int i = 0; i < count; i++) {
    points += (size_t)parts[i].path->point_count;
    links += parts[i].path->link_count;
    runs += (size_t)parts[i].path->run_count;
    polygons += (size_t)parts[i].path->corridor_count;
  }
  path->threat_count = parts[0].path->threat_count;
  path->table = parts[0].path->table;
  return lwi_path_alloc(path, points, runs, links, polygons);
}

void lwi_path_append(lw_path *path, const lw_path *part, lwi_path_filled *at) {
  size_t points = (size_t)part->point_count, polygons = (size_t)part->corridor_count;
  size_t threats = (size_t)part->threat_count;
  memcpy(path->points + at->points, part->points, points * sizeof *path->points);
  memcpy(path->areas + at->points, part->areas, points * sizeof *path->areas);
  memcpy(path->tallies + at->points, part->tallies, points * sizeof *path->tallies);
  if (threats > 0)
    memcpy(path->seen + (size_t)at->points * threats, part->seen, points * threats * sizeof *path->seen);
  memcpy(path->corridor + at->polygons, part->corridor, polygons * sizeof *path->corridor);
  for (int i = 0; i < part->run_count; i++) {
    path->runs[at->runs] = part->runs[i];
    path->runs[at->runs++].first += at->points;
  }
  for (int i = 0; i < part->link_count; i++) {
    path->links[at->links] = part->links[i];
    path->links[at->links++].point += at->points;
  }
  at->points += part->point_count;
  at->polygons += part->corridor_count;
}

lwi_account lwi_path_account(const lw_path *path, int i, int *run) {
  static const lwi_run none;
  while (*run + 1 < path->run_count && path->runs[*run + 1].first <= i) *run += 1;
  return lwi_account_of(path->run_count > 0 ? &path->runs[*run] : &none, &path->tallies[i], path->table);
}

float lwi_path_accounted(const lw_path *path) {
  double sum = 0;
  int run = 0;
  for (int i = 0; i < path->point_count; i++) {
    lwi_account account = lwi_path_account(path, i, &run);
    sum += (double)lwi_terms_sum(&account.terms);
  }
  return (float)sum;
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
    path->tallies[last].length += part->length;
    path->tallies[last].danger += part->danger;
    path->runs[at.runs] = part->run;
    path->runs[at.runs++].first = last;
    path->links[at.links++] = (lwi_path_link){last, part->kind, part->length, part->to, navmesh, at.polygons};
    length += (double)part->length;
  }
  path->point_count = at.points;
  path->run_count = at.runs;
  path->navmesh = parts[0].path->navmesh;
  path->length = (float)length;
  lwi_path_sum_up(path);
  return path;
}

bool lwi_path_lead_in(lw_path *path, lw_location from, const lw_navmesh *mesh, const lwi_prices *prices) {
  if (lwi_distance_xz(path->points[0], from.point) < 1e-3f) return true;
  lw_path longer = *path;
  uint32_t polygon = lwi_poly_index(mesh, from.poly);
  if (!lwi_path_alloc(&longer, (size_t)path->point_count + 1, (size_t)path->run_count + 1, path->link_count,
                      (size_t)path->corridor_count))
    return false;
  longer.points[0] = from.point;
  longer.areas[0] = mesh->poly_areas[polygon];
  longer.tallies[0] = (lwi_tally){.length = lwi_distance(from.point, path->points[0])};
  longer.runs[0] = lwi_run_ground(prices, longer.areas[0]);
  lwi_tally_place(&longer.tallies[0], prices, mesh, polygon, longer.tallies[0].length);
  memset(longer.seen, 0, (size_t)path->threat_count * sizeof *longer.seen);
  lwi_path_filled at = {.points = 1, .runs = 1};
  lwi_path_append(&longer, path, &at);
  longer.length = longer.remaining[0] = path->length + longer.tallies[0].length;
  longer.cost += longer.tallies[0].length * lwi_price_on(prices, mesh, polygon);
  memcpy(longer.remaining + 1, path->remaining, (size_t)path->point_count * sizeof *path->remaining);
  longer.point_count = at.points;
  longer.run_count = at.runs;
  path->memory = longer.memory;
  lwi_path_free_arrays(path);
  longer.memory = path->memory;
  *path = longer;
  return true;
}
