/* What a world says of rooms: which one a point is in, and where one can go from room to room now. */
#include "core/status.h"
#include "mesh/link_fits.h"
#include "mesh/region.h"
#include "query/regions.h"
#include "query/scene.h"

#include <math.h>
#include <string.h>

/* --- regions of a world ------------------------------------------------------------------------------------------- */

lw_status lw_world_set_regions(lw_world *world, int navmesh, const lw_regions *regions) {
  if (!world) return LW_INVALID;
  const lwi_scene *scene = lwi_scene_of(world);
  if (navmesh < 0 || navmesh >= scene->nav_count) return LW_INVALID;
  scene->navs[navmesh].regions = regions;
  scene->navs[navmesh].regions_set += 1;
  return LW_OK;
}

const lw_regions *lw_world_regions(const lw_world *world, int navmesh) {
  if (!world) return NULL;
  const lwi_scene *scene = lwi_scene_of(world);
  return navmesh >= 0 && navmesh < scene->nav_count ? scene->navs[navmesh].regions : NULL;
}

uint32_t lwi_nav_room_of(const lwi_nav *nav, uint32_t polygon) {
  return lwi_regions_room_of(nav->regions, nav->base, lwi_origin_of(nav->mesh, polygon));
}

lw_status lw_world_room_at(const lw_world *world, lw_vec3 point, lw_vec3 snap, const lw_profile *profile,
                           lw_world_room *found) {
  if (found) *found = (lw_world_room){-1, -1};
  if (!world || !found) return LW_INVALID;
  const lwi_scene *scene = lwi_scene_of(world);
  const lwi_place_query query = {LW_NAVMESH_FITTING, point, snap, profile};
  const lwi_nav *nav;
  lw_location at;
  const lw_status status = lwi_scene_place(scene, &query, &nav, &at);
  if (status != LW_OK) return status;
  if (!nav->regions) return LW_NOT_FOUND;
  const uint32_t room = lwi_nav_room_of(nav, lwi_poly_index(nav->mesh, at.poly));
  if (room == LWI_NONE) return LW_NO_POINT;
  *found = (lw_world_room){lwi_scene_index(scene, nav), (int)room};
  return LW_OK;
}

static lw_status check_nav(const lw_world *world, int navmesh, const lwi_nav **nav) {
  if (!world) return LW_INVALID;
  const lwi_scene *scene = lwi_scene_of(world);
  if (navmesh < 0 || navmesh >= scene->nav_count) return LW_INVALID;
  *nav = &scene->navs[navmesh];
  return (*nav)->regions ? LW_OK : LW_NOT_FOUND;
}

/* --- links -------------------------------------------------------------------------------------------------------- */

lw_status lw_world_room_links(const lw_world *world, int navmesh, const lw_profile *profile,
                              lw_room_link *links, int capacity, int *count) {
  const lwi_nav *nav;
  if (count) *count = 0;
  if (!count || capacity < 0 || (!links && capacity > 0)) return LW_INVALID;
  const lw_status status = check_nav(world, navmesh, &nav);
  if (status != LW_OK) return status;
  const lw_navmesh *mesh = nav->mesh;
  const lw_filter filter = lw_profile_filter(profile);
  for (uint32_t p = 0; mesh->links.first && p < mesh->polygons.count; p++) {
    if (!lwi_is_there(mesh, p) || !lwi_passes(mesh, &filter, p)) continue;
    for (uint32_t i = mesh->links.first[p]; i < mesh->links.end[p]; i++) {
      const lwi_link *link = &mesh->links.items[i];
      if (!lwi_link_passes(mesh, link, &filter)) continue;
      const uint32_t from = lwi_nav_room_of(nav, p), to = lwi_nav_room_of(nav, link->to);
      if (from == to || from == LWI_NONE || to == LWI_NONE) continue;
      if (*count < capacity)
        links[*count] = (lw_room_link){.rooms = {(int)from, (int)to},
                                       .kind = (lw_link_kind)link->kind,
                                       .from = link->start,
                                       .to = link->end,
                                       .id = mesh->links.ids ? mesh->links.ids[i] : lw_link_id_none()};
      *count += 1;
    }
  }
  return LW_OK;
}

/* --- doors that are open ------------------------------------------------------------------------------------------ */

/* The ground of each room as it is now, as agents can walk over it without leaving the room. */
typedef struct room_grounds {
  const lwi_nav *nav;
  const lwi_reach *reach;
  const lwi_room_layout *layout;
  uint32_t *rooms;   /* [base polygons] LWI_NONE: in none */
  uint32_t *parents; /* [regions of the graph] sets that are connected within a room */
  double *areas;     /* [regions] of these sets [m2] */
  uint32_t *largest; /* [rooms] set; LWI_NONE: there is no ground */
} room_grounds;

static uint32_t room_of_region(const room_grounds *of, uint32_t region) {
  const uint32_t polygon = lwi_region_polygon(&of->reach->graph, region);
  return of->rooms[lwi_origin_of(of->nav->mesh, polygon)];
}

/* Is there ground in the region that agents may enter? Numbers of pieces that are gone may keep their labels. */
static bool is_ground(const room_grounds *of, uint32_t region) {
  return of->reach->labels[region] != LWI_NONE &&
         lwi_is_there(of->nav->mesh, lwi_region_polygon(&of->reach->graph, region)) &&
         room_of_region(of, region) != LWI_NONE;
}

static void connect(const room_grounds *of) {
  const lwi_graph *graph = &of->reach->graph;
  for (uint32_t r = 0; r < graph->region_count; r++) of->parents[r] = r;
  for (uint32_t r = 0; r < graph->region_count; r++) {
    if (!is_ground(of, r)) continue;
    const uint32_t room = room_of_region(of, r);
    for (uint32_t k = graph->first_portal[r]; k < graph->end_portal[r]; k++) {
      const lwi_portal *portal = &graph->portals[k];
      if (lwi_graph_crosses(graph, &of->reach->filter, portal) && is_ground(of, portal->to) &&
          room_of_region(of, portal->to) == room)
        lwi_unite(of->parents, r, portal->to);
    }
  }
}

static void find_largest(const room_grounds *of) {
  const lwi_graph *graph = &of->reach->graph;
  for (uint32_t i = 0; i < of->layout->room_count; i++) of->largest[i] = LWI_NONE;
  for (uint32_t r = 0; r < graph->region_count; r++) {
    if (!is_ground(of, r)) continue;
    of->areas[lwi_root_of(of->parents, r)] += lwi_area_of(of->nav->mesh, lwi_region_polygon(graph, r));
  }
  for (uint32_t r = 0; r < graph->region_count; r++) {
    if (of->parents[r] != r || !is_ground(of, r)) continue;
    uint32_t *largest = &of->largest[room_of_region(of, r)];
    if (*largest == LWI_NONE || of->areas[r] > of->areas[*largest]) *largest = r;
  }
}

static bool is_main(const room_grounds *of, uint32_t region, uint32_t room) {
  return is_ground(of, region) && room_of_region(of, region) == room &&
         lwi_root_of(of->parents, region) == of->largest[room];
}

/* Can agents cross from a part of a polygon of one room to a polygon of the other? @param base  That polygon. */
static bool crosses_to(const room_grounds *of, uint32_t region, uint32_t base, uint32_t room) {
  const lwi_graph *graph = &of->reach->graph;
  for (uint32_t k = graph->first_portal[region]; k < graph->end_portal[region]; k++) {
    const lwi_portal *portal = &graph->portals[k];
    if (lwi_origin_of(of->nav->mesh, lwi_region_polygon(graph, portal->to)) != base) continue;
    if (is_main(of, portal->to, room) && lwi_graph_crosses(graph, &of->reach->filter, portal)) return true;
  }
  return false;
}

/* Doors of the navmesh that the regions are of. */
static bool is_open(const room_grounds *of, const lwi_door *door) {
  const lw_navmesh *mesh = of->nav->mesh, *base = of->nav->base;
  for (uint32_t i = 0; i < door->portal_count; i++) {
    const lwi_crossing *crossing = &of->layout->portals[door->first_portal + i];
    lwi_part_walk parts = lwi_parts_of(mesh, crossing->polygon);
    for (uint32_t part; lwi_next_part(&parts, &part);)
      for (uint32_t r = part; r != LWI_NONE; r = lwi_next_region(&of->reach->graph, r))
        if (is_main(of, r, door->rooms[0]) &&
            crosses_to(of, r, base->graph.portals[crossing->portal].to, door->rooms[1]))
          return true;
  }
  return false;
}

/* The door between two rooms that is nearest. @return LWI_NONE: there is none. */
static uint32_t nearest_door(const lwi_room_layout *layout, uint32_t a, uint32_t b, lw_vec3 at) {
  const lwi_room *room = &layout->rooms[a];
  uint32_t best = LWI_NONE;
  for (uint32_t i = 0; i < room->door_count; i++) {
    const uint32_t d = layout->room_doors[room->first_door + i];
    const lwi_door *door = &layout->doors[d];
    if (door->rooms[0] != b && door->rooms[1] != b) continue;
    if (best == LWI_NONE || lwi_distance(door->at, at) < lwi_distance(layout->doors[best].at, at)) best = d;
  }
  return best;
}

/* On another navmesh than that of the regions, where agents can cross counts for the nearest door. */
static void open_by_place(const room_grounds *of, bool *open) {
  const lwi_graph *graph = &of->reach->graph;
  for (uint32_t r = 0; r < graph->region_count; r++) {
    if (!is_ground(of, r)) continue;
    const uint32_t here = room_of_region(of, r);
    if (!is_main(of, r, here)) continue;
    for (uint32_t k = graph->first_portal[r]; k < graph->end_portal[r]; k++) {
      const lwi_portal *portal = &graph->portals[k];
      const uint32_t there = is_ground(of, portal->to) ? room_of_region(of, portal->to) : here;
      if (there == here || !is_main(of, portal->to, there)) continue;
      if (!lwi_graph_crosses(graph, &of->reach->filter, portal)) continue;
      lw_vec3 left, right;
      lwi_graph_points(graph, r, portal, &left, &right);
      const uint32_t door = nearest_door(of->layout, here, there, lwi_lerp(left, right, 0.5f));
      if (door != LWI_NONE) open[door] = true;
    }
  }
}

static void find_open(const room_grounds *of, bool *open) {
  const lw_regions *regions = of->nav->regions;
  const lw_navmesh *base = of->nav->base;
  for (uint32_t p = 0; p < base->polygons.count; p++) of->rooms[p] = lwi_regions_room_of(regions, base, p);
  connect(of);
  find_largest(of);
  for (uint32_t d = 0; d < of->layout->door_count; d++)
    open[d] = base == regions->mesh && is_open(of, &of->layout->doors[d]);
  if (base != regions->mesh) open_by_place(of, open);
}

lw_status lw_world_open_doors(const lw_world *world, int navmesh, const lw_profile *profile, bool *open) {
  const lwi_nav *nav;
  if (!open) return LW_INVALID;
  const lw_status status = check_nav(world, navmesh, &nav);
  if (status != LW_OK) return status;
  const lw_filter filter = lw_profile_filter(profile);
  const lwi_reach *reach = lwi_components_acquire(&nav->shared->components, &filter);
  if (!reach) return LW_OUT_OF_MEMORY;
  lwi_memory memory = lwi_memory_make(&lwi_scene_of(world)->allocator);
  const size_t polygons = nav->base->polygons.count, regions = reach->graph.region_count;
  const size_t rooms = nav->regions->layout.room_count;
  const room_grounds of = {.nav = nav,
                           .reach = reach,
                           .layout = &nav->regions->layout,
                           .rooms = lwi_alloc(&memory, polygons * sizeof(uint32_t)),
                           .parents = lwi_alloc(&memory, regions * sizeof(uint32_t)),
                           .areas = lwi_alloc_zero(&memory, regions * sizeof(double)),
                           .largest = lwi_alloc(&memory, rooms * sizeof(uint32_t))};
  const bool has_space = of.rooms && of.parents && of.areas && of.largest;
  if (has_space) find_open(&of, open);
  lwi_free(&memory, of.rooms, polygons * sizeof(uint32_t));
  lwi_free(&memory, of.parents, regions * sizeof(uint32_t));
  lwi_free(&memory, of.areas, regions * sizeof(double));
  lwi_free(&memory, of.largest, rooms * sizeof(uint32_t));
  lwi_components_release(&nav->shared->components, reach);
  return has_space ? LW_OK : LW_OUT_OF_MEMORY;
}
