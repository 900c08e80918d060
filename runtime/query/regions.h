/// Inside regions.
#ifndef LW_QUERY_REGIONS_H
#define LW_QUERY_REGIONS_H

#include "leeward/regions.h"
#include "core/memory.h"
#include "query/scene.h"

typedef struct lwi_region_name {
  char text[LW_REGION_NAME_SIZE]; ///< "": none.
} lwi_region_name;

typedef struct lwi_room {
  lwi_region_name name;
  uint32_t district;
  double area; ///< [m2]
  lw_vec3 middle;
  lw_box box;
  uint32_t polygon_count;
  uint32_t first_door, door_count; ///< In lwi_room_layout.room_doors.
} lwi_room;

typedef struct lwi_door {
  uint32_t rooms[2]; ///< The lower number first.
  lw_vec3 at;
  float width;                         ///< [m]
  uint32_t first_portal, portal_count; ///< In lwi_room_layout.portals.
} lwi_door;

/// A portal from one room into another.
typedef struct lwi_crossing {
  uint32_t rooms[2]; ///< The lower number first.
  uint32_t polygon;  ///< In rooms[0].
  uint32_t portal;   ///< Of that polygon, in the graph.
} lwi_crossing;

/// What follows from which room each polygon is in.
typedef struct lwi_room_layout {
  uint32_t *rooms_of;    ///< [polygons]
  lwi_room *rooms;       ///< [room_count] In the order of their first polygons.
  lwi_door *doors;       ///< [door_count] By rooms.
  lwi_crossing *portals; ///< [portal_count] By doors.
  uint32_t *room_doors;  ///< [2 * door_count] By rooms.
  uint32_t room_count, door_count, portal_count;
} lwi_room_layout;

typedef struct lwi_district {
  lwi_region_name name;
  int room_count;
  double area; ///< [m2]
} lwi_district;

struct lw_regions {
  lwi_memory memory;
  const lw_navmesh *mesh;
  lw_regions_def def;
  lwi_room_layout layout;
  lwi_district *districts; ///< [district_count]
  uint32_t district_count;
  uint64_t version; ///< Grows when rooms become others.
};

/// Labels of polygons, and what rooms with that label are called.
typedef struct lwi_room_labels {
  uint32_t *of;          ///< [polygons] The layout owns it afterwards. Freed if there is no memory.
  uint32_t count;        ///< Labels are below this.
  const lwi_room *named; ///< [count] Of these `name` and `district` count. NULL: none has a name.
} lwi_room_labels;
/// @return false: no memory, and nothing is held.
bool lwi_room_layout_make(lwi_room_layout *layout, lwi_memory *memory, const lw_navmesh *mesh,
                          const lwi_room_labels *labels);
void lwi_room_layout_free(lwi_room_layout *layout, lwi_memory *memory, const lw_navmesh *mesh);

/// Sum up the rooms of each district.
void lwi_regions_count_districts(lw_regions *regions);
/// The middle of a polygon, on the surface: where it is for volumes and for regions of another navmesh.
lw_vec3 lwi_regions_place_of(const lw_navmesh *mesh, uint32_t polygon);
/// The room of a polygon of the base of any navmesh: where that is not the navmesh of the regions, the room
/// nearest to the polygon's middle. @return LWI_NONE: none is near.
uint32_t lwi_regions_room_of(const lw_regions *regions, const lw_navmesh *base, uint32_t polygon);
/// The room of a polygon of a navmesh that has regions, whatever cuts it. @return LWI_NONE: none is near.
uint32_t lwi_nav_room_of(const lwi_nav *nav, uint32_t polygon);

#endif
