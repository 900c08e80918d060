/* Regions: a navmesh divided into rooms, and what is known of these. */
#include "query/regions.h"

#include "core/status.h"
#include "core/vec3.h"
#include "mesh/landmarks.h"
#include "mesh/region.h"
#include "mesh/rooms.h"

#include <math.h>
#include <string.h>

/* Ground of another navmesh is in the room of ground that is so near to its middle. [m] */
static const lw_vec3 BESIDE = {4, 2, 4};

lw_regions_def lw_regions_def_default(void) {
  return (lw_regions_def){
      .door_width = 4, .min_area = 6, .max_area = 2500, .district_area = 10000, .cookie = LWI_COOKIE};
}

/* --- creating and destroying -------------------------------------------------------------------------------------- */

static lw_status check_def(const lw_regions_def *def, lw_error *error) {
  const lw_status status = lwi_check_cookie(def->cookie, "lw_regions_def", error);
  if (status != LW_OK) return status;
  if (!(def->door_width > 0 && isfinite(def->door_width)))
    return lwi_fail(error, LW_INVALID, "door_width is %g, expected metres > 0", (double)def->door_width);
  if (!(def->min_area >= 0 && isfinite(def->min_area)))
    return lwi_fail(error, LW_INVALID, "min_area is %g, expected square metres >= 0", (double)def->min_area);
  if (!(def->max_area > def->min_area && isfinite(def->max_area)))
    return lwi_fail(error, LW_INVALID, "max_area is %g, expected square metres above min_area, which is %g",
                    (double)def->max_area, (double)def->min_area);
  if (!(def->district_area > 0 && isfinite(def->district_area)))
    return lwi_fail(error, LW_INVALID, "district_area is %g, expected square metres > 0",
                    (double)def->district_area);
  return LW_OK;
}

/* Group rooms: those that share much of their borders, until each group has half the size that is wanted. */
static bool merge_into_districts(lw_regions *regions, lwi_merge *merge, lwi_contact *contacts) {
  const lwi_room_layout *layout = &regions->layout;
  for (uint32_t i = 0; i < layout->room_count; i++) merge->areas[i] = layout->rooms[i].area;
  for (uint32_t d = 0; d < layout->door_count; d++) {
    const lwi_door *door = &layout->doors[d];
    contacts[d] = (lwi_contact){door->rooms[0], door->rooms[1], door->width};
  }
  merge->contacts = contacts;
  if (!lwi_merge_items(merge)) return false;
  uint32_t count = 0;
  for (uint32_t i = 0; i < layout->room_count; i++)
    if (lwi_root_of(merge->parents, i) == i) layout->rooms[i].district = count++;
  for (uint32_t i = 0; i < layout->room_count; i++)
    layout->rooms[i].district = layout->rooms[lwi_root_of(merge->parents, i)].district;
  regions->districts = lwi_alloc_zero(&regions->memory, count * sizeof *regions->districts);
  regions->district_count = count;
  if (!regions->districts) return false;
  lwi_regions_count_districts(regions);
  return true;
}

static bool make_districts(lw_regions *regions) {
  lwi_memory *memory = &regions->memory;
  const size_t rooms = regions->layout.room_count, doors = regions->layout.door_count;
  const double area = (double)regions->def.district_area;
  lwi_merge merge = {.memory = memory,
                     .count = (uint32_t)rooms,
                     .areas = lwi_alloc(memory, rooms * sizeof(double)),
                     .contact_count = (uint32_t)doors,
                     .min = area / 2,
                     .max = area * 1.25,
                     .parents = lwi_alloc(memory, rooms * sizeof(uint32_t))};
  lwi_contact *contacts = lwi_alloc(memory, doors * sizeof *contacts);
  const bool done = merge.areas && merge.parents && (contacts || doors == 0) &&
                    merge_into_districts(regions, &merge, contacts);
  lwi_free(memory, contacts, doors * sizeof *contacts);
  lwi_free(memory, merge.areas, rooms * sizeof(double));
  lwi_free(memory, merge.parents, rooms * sizeof(uint32_t));
  return done;
}

static bool make(lw_regions *regions) {
  const lw_regions_def *def = &regions->def;
  lwi_memory *memory = &regions->memory;
  const size_t size = regions->mesh->polygons.count * sizeof(uint32_t);
  const lwi_room_rules rules = {def->door_width, def->min_area, def->max_area};
  lwi_room_labels labels = {.of = lwi_alloc(memory, size)};
  if (!labels.of) return false;
  if (!lwi_rooms_divide(memory, regions->mesh, &rules, labels.of, &labels.count)) {
    lwi_free(memory, labels.of, size);
    return false;
  }
  return lwi_room_layout_make(&regions->layout, memory, regions->mesh, &labels) && make_districts(regions);
}

lw_status lw_regions_create(const lw_navmesh *navmesh, const lw_regions_def *def, lw_regions **regions,
                            lw_error *error) {
  const lw_regions_def plain = lw_regions_def_default();
  if (!regions) return lwi_fail_null(error, "regions");
  *regions = NULL;
  if (!navmesh) return lwi_fail_null(error, "navmesh");
  if (!def) def = &plain;
  const lw_status status = check_def(def, error);
  if (status != LW_OK) return status;
  lwi_memory memory = lwi_memory_make(&def->allocator);
  lw_regions *created = lwi_alloc_zero(&memory, sizeof *created);
  if (!created) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  created->memory = memory;
  created->mesh = lwi_base_of(navmesh);
  created->def = *def;
  if (!make(created)) {
    lw_regions_destroy(created);
    return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  }
  *regions = created;
  return LW_OK;
}

void lw_regions_destroy(lw_regions *regions) {
  if (!regions) return;
  lwi_memory *memory = &regions->memory;
  lwi_free(memory, regions->districts, regions->district_count * sizeof *regions->districts);
  lwi_room_layout_free(&regions->layout, memory, regions->mesh);
  lwi_memory last = *memory;
  lwi_free(&last, regions, sizeof *regions);
}

size_t lw_regions_memory(const lw_regions *regions) {
  return regions ? regions->memory.bytes : 0;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static const lwi_room *find_room(const lw_regions *regions, int index) {
  return regions && index >= 0 && (uint32_t)index < regions->layout.room_count ? &regions->layout.rooms[index]
                                                                               : NULL;
}

static const lwi_door *find_door(const lw_regions *regions, int index) {
  return regions && index >= 0 && (uint32_t)index < regions->layout.door_count ? &regions->layout.doors[index]
                                                                               : NULL;
}

int lw_regions_room_count(const lw_regions *regions) {
  return regions ? (int)regions->layout.room_count : 0;
}

lw_status lw_regions_get_room(const lw_regions *regions, int index, lw_room *room) {
  if (room) *room = (lw_room){.name = ""};
  if (!regions || !room) return LW_INVALID;
  const lwi_room *found = find_room(regions, index);
  if (!found) return LW_NOT_FOUND;
  *room = (lw_room){.name = found->name.text,
                    .district = (int)found->district,
                    .area = (float)found->area,
                    .middle = found->middle,
                    .box = found->box,
                    .polygon_count = (int)found->polygon_count,
                    .door_count = (int)found->door_count};
  return LW_OK;
}

int lw_regions_room_door(const lw_regions *regions, int room, int index) {
  const lwi_room *found = find_room(regions, room);
  if (!found || index < 0 || (uint32_t)index >= found->door_count) return -1;
  return (int)regions->layout.room_doors[found->first_door + (uint32_t)index];
}

int lw_regions_find_room(const lw_regions *regions, const char *name) {
  if (!regions || !name || !name[0]) return -1;
  for (uint32_t i = 0; i < regions->layout.room_count; i++)
    if (strcmp(regions->layout.rooms[i].name.text, name) == 0) return (int)i;
  return -1;
}

int lw_regions_room_of(const lw_regions *regions, lw_poly_id poly) {
  const uint32_t index = regions ? lwi_poly_index(regions->mesh, poly) : LWI_NONE;
  return index == LWI_NONE ? -1 : (int)regions->layout.rooms_of[index];
}

int lw_regions_room_at(const lw_regions *regions, lw_vec3 point, lw_vec3 snap) {
  lw_location at;
  if (!regions || lw_navmesh_nearest(regions->mesh, point, snap, NULL, &at) != LW_OK) return -1;
  return lw_regions_room_of(regions, at.poly);
}

lw_vec3 lwi_regions_place_of(const lw_navmesh *mesh, uint32_t polygon) {
  lw_vec3 at = lwi_polygon_middle(mesh, polygon);
  at.y = lwi_polygon_height(mesh, polygon, at.x, at.z);
  return at;
}

uint32_t lwi_regions_room_of(const lw_regions *regions, const lw_navmesh *base, uint32_t polygon) {
  if (base == regions->mesh) return regions->layout.rooms_of[polygon];
  const int room = lw_regions_room_at(regions, lwi_regions_place_of(base, polygon), BESIDE);
  return room < 0 ? LWI_NONE : (uint32_t)room;
}

int lw_regions_door_count(const lw_regions *regions) {
  return regions ? (int)regions->layout.door_count : 0;
}

lw_status lw_regions_get_door(const lw_regions *regions, int index, lw_room_door *door) {
  if (door) *door = (lw_room_door){.width = 0};
  if (!regions || !door) return LW_INVALID;
  const lwi_door *found = find_door(regions, index);
  if (!found) return LW_NOT_FOUND;
  *door = (lw_room_door){.rooms = {(int)found->rooms[0], (int)found->rooms[1]},
                         .at = found->at,
                         .width = found->width,
                         .portal_count = (int)found->portal_count};
  return LW_OK;
}

lw_status lw_regions_get_door_portal(const lw_regions *regions, int door, int index, lw_door_portal *portal) {
  if (portal) *portal = (lw_door_portal){.polys = {0, 0}};
  if (!regions || !portal) return LW_INVALID;
  const lwi_door *found = find_door(regions, door);
  if (!found || index < 0 || (uint32_t)index >= found->portal_count) return LW_NOT_FOUND;
  const lwi_crossing *crossing = &regions->layout.portals[found->first_portal + (uint32_t)index];
  const lwi_portal *of = &regions->mesh->graph.portals[crossing->portal];
  lwi_portal_points(regions->mesh, crossing->polygon, of, &portal->left, &portal->right);
  portal->polys[0] = lwi_poly_id(regions->mesh, crossing->polygon);
  portal->polys[1] = lwi_poly_id(regions->mesh, of->to);
  return LW_OK;
}

/* --- districts ---------------------------------------------------------------------------------------------------- */

void lwi_regions_count_districts(lw_regions *regions) {
  for (uint32_t i = 0; i < regions->district_count; i++) {
    regions->districts[i].room_count = 0;
    regions->districts[i].area = 0;
  }
  for (uint32_t i = 0; i < regions->layout.room_count; i++) {
    lwi_district *of = &regions->districts[regions->layout.rooms[i].district];
    of->room_count += 1;
    of->area += regions->layout.rooms[i].area;
  }
}

int lw_regions_district_count(const lw_regions *regions) {
  return regions ? (int)regions->district_count : 0;
}

lw_status lw_regions_get_district(const lw_regions *regions, int index, lw_district *district) {
  if (district) *district = (lw_district){.name = ""};
  if (!regions || !district) return LW_INVALID;
  if (index < 0 || (uint32_t)index >= regions->district_count) return LW_NOT_FOUND;
  const lwi_district *found = &regions->districts[index];
  *district = (lw_district){found->name.text, found->room_count, (float)found->area};
  return LW_OK;
}

int lw_regions_find_district(const lw_regions *regions, const char *name) {
  if (!regions || !name || !name[0]) return -1;
  for (uint32_t i = 0; i < regions->district_count; i++)
    if (strcmp(regions->districts[i].name.text, name) == 0) return (int)i;
  return -1;
}
