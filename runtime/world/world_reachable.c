/* What can be reached from a place: at all, or for so much. */
#include "core/status.h"
#include "leeward/query.h"
#include "search/stand.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>

lw_reachable_query lw_reachable_query_default(void) {
  return (lw_reachable_query){
      .snap = {2, 4, 2}, .navmesh = LW_NAVMESH_FITTING, .max_cost = INFINITY, .cookie = LWI_COOKIE};
}

static void count_polygon(const lw_reachable_query *query, const lw_navmesh *mesh, uint32_t polygon,
                          double area, lw_reachable *result) {
  if (query->polygons && result->polygon_count < query->capacity)
    query->polygons[result->polygon_count] = lwi_poly_id(mesh, polygon);
  result->polygon_count += 1;
  result->area += area;
}

static void reach_at_all(const lwi_reach *reach, const lw_reachable_query *query, uint32_t room,
                         lw_reachable *result) {
  const lw_navmesh *mesh = reach->graph.mesh;
  for (uint32_t i = 0; i < mesh->polygon_count; i++)
    if (lwi_reaches_polygon(reach, reach->labels[room], i))
      count_polygon(query, mesh, i, lwi_area_of(mesh, i), result);
}

static int by_polygon(const void *left, const void *right) {
  const lwi_flood_entry *a = left, *b = right;
  if (a->polygon != b->polygon) return a->polygon < b->polygon ? -1 : 1;
  return (a->cost > b->cost) - (a->cost < b->cost);
}

/* Does one of the circles reach every corner? Then it covers the polygon, as both are convex. */
static bool is_covered(const lwi_polygon *polygon, const lwi_flood_circle *circle) {
  for (uint32_t i = 0; i < polygon->count; i++)
    if ((double)lwi_distance(lwi_corner(polygon, i), circle->center) > circle->radius) return false;
  return true;
}

/* @param entries  [count] All of one polygon, the cheapest first. */
static double reached_part(const lw_navmesh *mesh, const lwi_flood_entry *entries, int count,
                           const lwi_prices *prices, float max_cost) {
  lwi_polygon polygon = lwi_polygon_get(mesh, entries->polygon);
  double price = (double)lwi_price_on(prices, mesh, entries->polygon);
  lwi_flood_circle circles[LWI_FLOOD_CIRCLES];
  if (count > LWI_FLOOD_CIRCLES) count = LWI_FLOOD_CIRCLES;
  for (int i = 0; i < count; i++) {
    circles[i] = (lwi_flood_circle){entries[i].point, ((double)max_cost - (double)entries[i].cost) / price};
    if (is_covered(&polygon, &circles[i])) return lwi_area_of(mesh, entries->polygon);
  }
  return lwi_covered_area(&polygon, circles, count);
}

static lw_status reach_for(lwi_ground *ground, const lwi_reach *reach, const lw_reachable_query *query,
                           const lwi_prices *prices, lw_vec3 from, uint32_t room, lw_reachable *result) {
  lwi_flood *flood = &ground->flood;
  lw_status status = lwi_flood_run(flood, &reach->graph, from, room, prices, query->max_cost);
  if (status != LW_OK) return status;
  qsort(flood->entries, (size_t)flood->entry_count, sizeof *flood->entries, by_polygon);
  for (int i = 0, end; i < flood->entry_count; i = end) {
    for (end = i + 1; end < flood->entry_count && flood->entries[end].polygon == flood->entries[i].polygon;)
      end += 1;
    double area = reached_part(ground->mesh, &flood->entries[i], end - i, prices, query->max_cost);
    count_polygon(query, ground->mesh, flood->entries[i].polygon, area, result);
  }
  return LW_OK;
}

/* Large agents that no way out of their polygon is wide enough for. */
static void reach_alone(const lw_navmesh *mesh, const lw_reachable_query *query, const lwi_prices *prices,
                        lw_location from, lw_reachable *result) {
  uint32_t polygon = lwi_poly_index(mesh, from.poly);
  lwi_flood_entry entry = {.room = polygon, .polygon = polygon, .point = from.point, .before = LWI_NONE};
  double area = isinf(query->max_cost) ? lwi_area_of(mesh, polygon)
                                       : reached_part(mesh, &entry, 1, prices, query->max_cost);
  count_polygon(query, mesh, polygon, area, result);
}

lw_status lw_reachable_area(lw_world *world, const lw_reachable_query *query, lw_reachable *result) {
  *result = (lw_reachable){.navmesh = -1};
  const lwi_prices *prices = lwi_world_prices(world, query->profile, world->visibility);
  bool valid = query->cookie == LWI_COOKIE && lwi_finite(query->from) && lwi_finite(query->snap) &&
               query->snap.x > 0 && query->snap.y > 0 && query->snap.z > 0 && query->max_cost >= 0 &&
               query->navmesh >= LW_NAVMESH_FITTING && query->navmesh < world->ground_count &&
               query->capacity >= 0;
  if (!valid) return LW_INVALID;
  lwi_ground *ground;
  lw_location from;
  uint32_t room;
  lw_status status =
      lwi_world_place(world, query->navmesh, query->from, query->snap, query->profile, &ground, &from);
  if (status != LW_OK) return LW_NO_START;
  result->navmesh = (int)(ground - world->grounds);
  const lwi_reach *reach = lwi_components_get(&ground->components, &prices->filter);
  if (!reach) return LW_OUT_OF_MEMORY;
  status =
      lwi_stand(reach, &ground->components.region, &prices->filter, query->from, query->snap, &from, &room);
  if (status != LW_OK) return status == LW_NO_POINT ? LW_NO_START : status;
  if (room == LWI_NONE) return reach_alone(ground->mesh, query, prices, from, result), LW_OK;
  if (!isinf(query->max_cost)) return reach_for(ground, reach, query, prices, from.point, room, result);
  reach_at_all(reach, query, room, result);
  return LW_OK;
}
