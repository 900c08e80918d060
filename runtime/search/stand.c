#include "search/stand.h"

#include "mesh/berth_place.h"

/* Polygons nearest to a goal beside which large agents look for a place. */
#define NEAREST 16

lw_status lwi_stand(const lwi_reach *reach, lwi_region_room *work, const lw_filter *filter, lw_vec3 about,
                    lw_vec3 half, lw_location *place, uint32_t *room) {
  *room = lwi_poly_index(reach->graph.mesh, place->poly);
  if (!reach->berth) return LW_OK;
  lw_status status = lwi_berth_stand(reach->berth, filter, about, half, place);
  if (status != LW_OK) return status;
  uint32_t polygon = lwi_poly_index(reach->graph.mesh, place->poly);
  return lwi_berth_room(reach->berth, work, polygon, place->point, room) ? LW_OK : LW_OUT_OF_MEMORY;
}

bool lwi_stand_straight(const lwi_reach *reach, lw_location from, lw_location to) {
  if (from.poly != to.poly) return false;
  if (!reach->berth) return true;
  lwi_barriers near = lwi_berth_near(reach->berth, lwi_poly_index(reach->graph.mesh, from.poly));
  return lwi_region_clear(&near, lwi_spot_of(from.point), lwi_spot_of(to.point), LWI_STAND_SLACK);
}

/* The polygons nearest to a goal, nearest first. */
typedef struct nearest_places {
  lw_location places[NEAREST];
  float distances[NEAREST];
  int count, most;
} nearest_places;

static void add_place(nearest_places *nearest, lw_location place, float distance) {
  int at = nearest->count < nearest->most ? nearest->count++ : nearest->most - 1;
  for (; at > 0 && nearest->distances[at - 1] > distance; at--) {
    nearest->places[at] = nearest->places[at - 1];
    nearest->distances[at] = nearest->distances[at - 1];
  }
  nearest->places[at] = place;
  nearest->distances[at] = distance;
}

static void find_nearest(const lwi_reach *reach, uint32_t label, lw_vec3 goal, nearest_places *nearest) {
  const lw_navmesh *mesh = reach->graph.mesh;
  for (uint32_t i = 0; i < mesh->polygon_count; i++) {
    if (!lwi_reaches_polygon(reach, label, i)) continue;
    float worst = nearest->count < nearest->most ? INFINITY : nearest->distances[nearest->most - 1];
    lwi_polygon polygon = lwi_polygon_get(mesh, i);
    lw_vec3 point;
    lwi_polygon_closest(&polygon, goal, &point);
    if (lwi_distance_xz(point, goal) >= worst) continue;
    point.y = lwi_polygon_height(mesh, i, point.x, point.z);
    float distance = lwi_distance(point, goal);
    if (distance < worst) add_place(nearest, (lw_location){point, lwi_poly_id(mesh, i)}, distance);
  }
}

lw_status lwi_stand_nearest(const lwi_reach *reach, lwi_region_room *work, const lw_filter *filter,
                            uint32_t label, lw_vec3 goal, lw_location *place, uint32_t *room) {
  nearest_places nearest = {.most = reach->berth ? NEAREST : 1};
  find_nearest(reach, label, goal, &nearest);
  float best = INFINITY, side = reach->berth ? 4 * (float)reach->berth->keep : 1;
  lw_vec3 half = {side, side, side};
  for (int i = 0; i < nearest.count; i++) {
    lw_location found = nearest.places[i];
    uint32_t its_room;
    lw_status status = lwi_stand(reach, work, filter, found.point, half, &found, &its_room);
    if (status == LW_OUT_OF_MEMORY) return status;
    if (status != LW_OK || its_room == LWI_NONE || !lwi_reaches(reach, label, reach->labels[its_room]))
      continue;
    if (lwi_distance(found.point, goal) >= best) continue;
    best = lwi_distance(found.point, goal);
    *place = found;
    *room = its_room;
  }
  return best < INFINITY ? LW_OK : LW_NO_POINT;
}
