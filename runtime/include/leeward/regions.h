/// @file regions.h
/// Regions: a navmesh divided into rooms, and rooms grouped into districts.
///
/// Rooms are found by themselves: ground that is wider than a door is a room; narrow ground between rooms, such
/// as a corridor, is another one; ground that is too large is cut where it is narrowest. Every polygon is in
/// one room. Rooms and districts have numbers from 0, and names where they were given some. A division can be
/// changed: rooms are merged, or a volume becomes a room of its own. Rooms have other numbers then; names stay.
/// Each such change takes time for all polygons.
///
/// A door is where one can walk from one room into another: portals that touch each other. Two rooms may have
/// several doors. Off-mesh links join rooms, too (lw_world_room_links()).
///
/// A world has regions for each of its navmeshes once lw_world_set_regions() was called. They are borrowed, as
/// navmeshes are, and neither saved nor part of lw_world_hash(). Obstacles and permutations do not change which
/// room ground is in: ground that was not baked into the navmesh of the regions is in the room that lies
/// nearest. Whether a door can be walked through now is asked by lw_world_open_doors().
///
/// Threads: functions that take `const lw_regions *` or `const lw_world *` may run on any number of threads,
/// the latter between steps. While regions change nothing else may read them.
#ifndef LEEWARD_REGIONS_H
#define LEEWARD_REGIONS_H

#include "leeward/link.h"
#include "leeward/path.h"
#include "leeward/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The size of the name of a room or a district, with its zero.
#define LW_REGION_NAME_SIZE 64

/// How to divide a navmesh. Start from lw_regions_def_default().
typedef struct lw_regions_def {
  /// What is narrower, from wall to wall, separates rooms. Walls are as far from the navmesh's border as the
  /// agents' radius that it was baked for. [m, > 0, default 4]
  float door_width;
  float min_area;         ///< Smaller rooms join a neighbour, if they have any. [m2, >= 0, default 6]
  float max_area;         ///< Larger rooms are cut, but not single polygons. [m2, > min_area, default 2500]
  float district_area;    ///< Rooms are grouped up to about this size. [m2, > 0, default 10000]
  lw_allocator allocator; ///< [default the C library's]
  uint32_t cookie;        ///< Set by lw_regions_def_default(). Do not set.
} lw_regions_def;
/// @return The defaults of all fields.
LW_API lw_regions_def lw_regions_def_default(void);

typedef struct lw_regions lw_regions;

/// Divide a navmesh into rooms, and group these into districts. The same navmesh and numbers give the same.
/// @param navmesh  As it was baked. It must outlive the regions. @param def  NULL: the defaults. Copied.
/// @param[out] regions  The caller frees them with lw_regions_destroy(). NULL unless LW_OK.
/// @param error  May be NULL. @return LW_OK; LW_INVALID with the field named; LW_OUT_OF_MEMORY.
LW_API lw_status lw_regions_create(const lw_navmesh *navmesh, const lw_regions_def *def, lw_regions **regions,
                                   lw_error *error);
/// Free regions. No world may have them any more. @param regions  NULL: nothing happens.
LW_API void lw_regions_destroy(lw_regions *regions);
/// @return Bytes held. NULL: 0.
LW_API size_t lw_regions_memory(const lw_regions *regions);

/* --- rooms --- */

/// A room.
typedef struct lw_room {
  const char *name; ///< "": none. Borrowed from the regions, until they change.
  int district;     ///< Number of its district.
  float area;       ///< Measured in xz. [m2]
  lw_vec3 middle;   ///< On its ground, near the middle of that. [m]
  lw_box box;       ///< Around its ground. [m]
  int polygon_count;
  int door_count; ///< See lw_regions_room_door().
} lw_room;
/// @return How many rooms there are. NULL: 0.
LW_API int lw_regions_room_count(const lw_regions *regions);
/// @param[out] room  All zero on an error. @return LW_OK; LW_NOT_FOUND: no such room; LW_INVALID: a pointer is
///   NULL.
LW_API lw_status lw_regions_get_room(const lw_regions *regions, int index, lw_room *room);
/// @return The number of a room's door. -1: no such room or door.
LW_API int lw_regions_room_door(const lw_regions *regions, int room, int index);
/// @return The number of the room with that name; -1: there is none.
LW_API int lw_regions_find_room(const lw_regions *regions, const char *name);
/// @param snap  Half size of the box in which the ground nearest to the point is looked for. [m, > 0]
/// @return The room that a point lies in; -1: no ground is near, or a number is not finite.
LW_API int lw_regions_room_at(const lw_regions *regions, lw_vec3 point, lw_vec3 snap);
/// @param poly  Of the navmesh as it was baked. @return The room that it is in; -1: no such polygon.
LW_API int lw_regions_room_of(const lw_regions *regions, lw_poly_id poly);

/// Name a room. @param name  Of 1..63 bytes, and of no other room; NULL: it loses its name. Copied.
/// @param error  May be NULL. @return LW_OK; LW_NOT_FOUND: no such room; LW_INVALID.
LW_API lw_status lw_regions_name_room(lw_regions *regions, int room, const char *name, lw_error *error);
/// Merge rooms into one, which has the name of the first of them that has one, and its district. Rooms that do
/// not touch each other may be merged, too.
/// @param rooms  [count, >= 1] @param[out] room  The number that it has now. May be NULL.
/// @param error  May be NULL. @return LW_OK; LW_NOT_FOUND: no such room; LW_INVALID; LW_OUT_OF_MEMORY.
LW_API lw_status lw_regions_merge_rooms(lw_regions *regions, const int *rooms, int count, int *room,
                                        lw_error *error);

/// A volume with an upright outline.
typedef struct lw_region_volume {
  const lw_vec3 *outline; ///< [count] Corners of a simple polygon in xz; heights do not count. [m]
  int count;              ///< [3..1000]
  float bottom, top;      ///< [m, may be infinite]
} lw_region_volume;
/// Let the polygons whose middles lie in a volume be a room. What is left of other rooms may fall apart into
/// several, of which the largest keeps the name.
/// @param name  As for lw_regions_name_room(); it may be that of a room inside. NULL: none. Copied.
/// @param[out] room  Its number. May be NULL. @param error  May be NULL.
/// @return LW_OK; LW_NO_POINT: no polygon's middle lies there; LW_INVALID; LW_OUT_OF_MEMORY.
LW_API lw_status lw_regions_carve_room(lw_regions *regions, const lw_region_volume *volume, const char *name,
                                       int *room, lw_error *error);

/* --- doors --- */

/// Where one can walk from one room into another.
typedef struct lw_room_door {
  int rooms[2];     ///< The lower number first.
  lw_vec3 at;       ///< Its middle, on the ground. [m]
  float width;      ///< Of all its portals together. [m]
  int portal_count; ///< See lw_regions_get_door_portal().
} lw_room_door;
/// @return How many doors there are. NULL: 0.
LW_API int lw_regions_door_count(const lw_regions *regions);
/// @param[out] door  All zero on an error. @return LW_OK; LW_NOT_FOUND: no such door; LW_INVALID: a pointer is
///   NULL.
LW_API lw_status lw_regions_get_door(const lw_regions *regions, int index, lw_room_door *door);
/// A part of a door: where two polygons touch.
typedef struct lw_door_portal {
  lw_vec3 left, right; ///< Ends, seen from rooms[0]. [m]
  lw_poly_id polys[2]; ///< In rooms[0] and rooms[1], of the navmesh as it was baked.
} lw_door_portal;
/// @param[out] portal  All zero on an error. @return LW_OK; LW_NOT_FOUND: no such door or portal; LW_INVALID: a
///   pointer is NULL.
LW_API lw_status lw_regions_get_door_portal(const lw_regions *regions, int door, int index,
                                            lw_door_portal *portal);

/* --- districts --- */

/// A group of rooms.
typedef struct lw_district {
  const char *name; ///< "": none. Borrowed from the regions, until they change.
  int room_count;
  float area; ///< Measured in xz. [m2]
} lw_district;
/// @return How many districts there are, each with rooms. NULL: 0.
LW_API int lw_regions_district_count(const lw_regions *regions);
/// @param[out] district  All zero on an error. @return LW_OK; LW_NOT_FOUND: no such district; LW_INVALID: a
///   pointer is NULL.
LW_API lw_status lw_regions_get_district(const lw_regions *regions, int index, lw_district *district);
/// @return The number of the district with that name; -1: there is none.
LW_API int lw_regions_find_district(const lw_regions *regions, const char *name);
/// Put rooms into the district of that name, which is created if there is none. Districts without rooms vanish.
/// @param rooms  [count, >= 1] @param name  Of 1..63 bytes. Copied. @param error  May be NULL.
/// @return LW_OK; LW_NOT_FOUND: no such room; LW_INVALID; LW_OUT_OF_MEMORY.
LW_API lw_status lw_regions_set_district(lw_regions *regions, const int *rooms, int count, const char *name,
                                         lw_error *error);

/* --- in a world --- */

/// Let a world have regions for one of its navmeshes. It keeps them when that navmesh is replaced.
/// @param navmesh  Index in the world. @param regions  Borrowed; must outlive the world, or be replaced before.
///   NULL: none. @return LW_OK; LW_INVALID: no such navmesh, or the world is NULL.
LW_API lw_status lw_world_set_regions(lw_world *world, int navmesh, const lw_regions *regions);
/// @return The regions of a navmesh; NULL: none were set, or there is no such navmesh.
LW_API const lw_regions *lw_world_regions(const lw_world *world, int navmesh);

/// A room of a world.
typedef struct lw_world_room {
  int navmesh, room; ///< Index of the navmesh; number of the room, -1: the navmesh has no regions.
} lw_world_room;
/// Find the room that a point lies in, of the navmesh that fits.
/// @param snap  Half size of the box in which ground is looked for. [m, > 0] @param profile  NULL: none.
/// @param[out] found  -1 and -1 on an error. @return LW_OK; LW_NO_POINT: no ground near; LW_NOT_FOUND: that
///   navmesh has no regions; LW_INVALID.
LW_API lw_status lw_world_room_at(const lw_world *world, lw_vec3 point, lw_vec3 snap, const lw_profile *profile,
                                  lw_world_room *found);
/// Find out which doors agents can walk through now: from the greater part of one room into that of the other,
/// as obstacles and permutations leave them. It takes time for all polygons of the navmesh.
/// @param profile  What it may enter, and its radius, count. NULL: any ground.
/// @param[out] open  [lw_regions_door_count()] Undefined on an error.
/// @return LW_OK; LW_NOT_FOUND: no regions; LW_INVALID: no such navmesh, a pointer is NULL; LW_OUT_OF_MEMORY.
LW_API lw_status lw_world_open_doors(const lw_world *world, int navmesh, const lw_profile *profile, bool *open);

/// An off-mesh link from one room into another.
typedef struct lw_room_link {
  int rooms[2];      ///< Where it begins, where it ends. One of both directions, if it has two.
  lw_link_kind kind; ///< What it is.
  lw_vec3 from, to;  ///< [m]
  lw_link_id id;     ///< In the world.
} lw_room_link;
/// List the links of a navmesh that join rooms and can be used now, also those that were added to the world.
/// Links with two directions are listed twice.
/// @param profile  NULL: any link. @param[out] links  [capacity] May be NULL if `capacity` is 0.
/// @param[out] count  How many there are, also above `capacity`; 0 on an error.
/// @return LW_OK; LW_NOT_FOUND: no regions; LW_INVALID.
LW_API lw_status lw_world_room_links(const lw_world *world, int navmesh, const lw_profile *profile,
                                     lw_room_link *links, int capacity, int *count);

/// A room that a path leads through.
typedef struct lw_room_visit {
  lw_world_room in; ///< Which.
  lw_vec3 at;       ///< Where the path enters it: its first point, or on the border. [m]
} lw_room_visit;
/// List the rooms that a path leads through, in order; the same room again where it is entered again.
/// @param world  That found the path. @param[out] visits  [capacity] May be NULL if `capacity` is 0.
/// @param[out] count  How many there are, also above `capacity`; 0 on an error.
/// @return LW_OK; LW_NOT_FOUND: a navmesh of the path has no regions; LW_INVALID.
LW_API lw_status lw_path_rooms(const lw_path *path, const lw_world *world, lw_room_visit *visits, int capacity,
                               int *count);

#ifdef __cplusplus
}
#endif
#endif
