/// @file navmesh.h
/// The navmesh: tiles of convex polygons, queries on them, and its file.
///
/// Threads: a navmesh never changes, so any number of worlds and threads may use it at once; only
/// lw_navmesh_destroy() needs it alone. lw_navmesh_polygons_around(), and where more than 64 polygons meet at a
/// corner lw_navmesh_raycast() and lw_navmesh_move(), may call the allocator of the navmesh on the calling
/// thread.
#ifndef LEEWARD_NAVMESH_H
#define LEEWARD_NAVMESH_H

#include "leeward/link.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Convex polygons with portals and off-mesh links between them, occluders, cover segments and waters.
typedef struct lw_navmesh lw_navmesh;

#define LW_WADE_DEPTH 0.9f     ///< How deep the profile `human` wades. [m]
#define LW_WADE_DEPTH_MAX 2.5f ///< Deeper water is swum, whatever the profile. [m]

/// Which polygons and links an agent may use. Start from lw_filter_all().
typedef struct lw_filter {
  uint64_t areas[4]; ///< Bit a of the 256: area a may be entered.
  /// Bit a: ground of area a counts as too deep where the navmesh knows no depth (lw_poly.depth).
  uint64_t deep_areas[4];
  uint32_t links; ///< Bit k: links of lw_link_kind k may be taken.
  /// Of the agent; 0: as the navmesh was baked for. Only queries that need a search regard it (paths, reachable
  /// areas, random points); those of this header are about the agent's centre. [m, >= 0]
  float radius;
  float wade_depth; ///< Polygons under deeper water are not entered. INFINITY: it swims. [m, >= 0]
  float height;     ///< Polygons with less headroom (lw_poly.headroom) are not entered. 0: any. [m, >= 0]
  /// Polygons with higher steps (lw_poly.step) are not entered, edges with higher steps
  /// (lw_navmesh_def.climb) not crossed. INFINITY: all are. [m, >= 0]
  float climb;
  uint32_t unused; ///< 0, so that equal filters have equal bytes.
} lw_filter;
/// @return A filter that all polygons and links pass.
LW_API lw_filter lw_filter_all(void);
/// @return Whether the filter lets an area pass where the navmesh knows no depth of water.
LW_API bool lw_filter_passes(const lw_filter *filter, lw_area_id area);

/* --- creating --- */

/// A navmesh from given polygons. All is borrowed for the call but `areas`. Start from
/// lw_navmesh_def_default().
typedef struct lw_navmesh_def {
  const lw_area_table *areas; ///< Borrowed; must outlive the navmesh. Not NULL.
  const lw_vec3 *vertices;    ///< [vertex_count] Equal positions are welded. [m]
  int vertex_count;           ///< [>= 3]
  /// Vertices of all polygons, one polygon after the other, from 0, in either winding.
  const int *corners;
  const int *corner_counts;     ///< [polygon_count], each 3..255.
  int polygon_count;            ///< [>= 1]
  const lw_area_id *poly_areas; ///< [polygon_count] NULL: the first area of the table. [default NULL]
  /// lw_poly.openness of each polygon, kept in 255ths. [polygon_count] of 0..1. NULL: 1 everywhere. [default
  /// NULL]
  const float *openness;
  /// lw_poly.depth of each polygon: least, then most. [2 * polygon_count] NULL: 0 everywhere. [m, >= 0, default
  /// NULL]
  const float *depths;
  /// lw_poly.headroom of each polygon, rounded down; INFINITY: unknown, which limits nobody. [polygon_count]
  /// NULL: unknown everywhere. [m, > 0, default NULL]
  const float *headrooms;
  /// lw_poly.step of each polygon, rounded up: steps that lie within it. [polygon_count] NULL: 0 everywhere.
  /// [m, >= 0, default NULL]
  const float *steps;
  /// How far apart in height edges may be, where they are nearest, that overlap in xz and connect. How far they
  /// are apart, rounded up to 0.01 m, is a step for lw_filter.climb; up to 0.01 m is rounding. Where it changes
  /// along them it counts by parts, one for each 0.1 m. [m, >= 0, default 0.4]
  float climb;
  /// How far the polygons already keep from walls. Agents no larger use them as they are; larger ones keep off
  /// the borders. [m, >= 0, default 0.4]
  float agent_radius;
  const lw_link_def *links;      ///< [link_count] Off-mesh links; those that cannot be joined are refused.
  int link_count;                ///< [>= 0, default 0]
  const lw_allocator *allocator; ///< Copied. NULL: the C library's. [default NULL]
  uint32_t cookie;               ///< Set by lw_navmesh_def_default(). Do not set.
} lw_navmesh_def;

/// @return The defaults of all fields.
LW_API lw_navmesh_def lw_navmesh_def_default(void);
/// Create a navmesh from polygons.
/// @param[out] navmesh  The caller frees it with lw_navmesh_destroy(). NULL on an error.
/// @return LW_OK; LW_OUT_OF_MEMORY; LW_INVALID with the polygon named: concave, degenerate, index out of range,
///   NaN, unknown area, or overlapping another on the same floor (heights within `climb` all over the common
///   part); or the link: not finite, no such kind or area.
LW_API lw_status lw_navmesh_create(const lw_navmesh_def *def, lw_navmesh **navmesh, lw_error *error);
/// Free a navmesh, once, after the worlds that use it; else the behaviour is undefined.
/// @param navmesh  NULL: nothing happens.
LW_API void lw_navmesh_destroy(lw_navmesh *navmesh);

/// Write a navmesh to a temporary file beside `file`, then rename it: a crash leaves the old file or the new
/// one. Where `file` is a symbolic link, it stays, and the file that it leads to is written. Permissions stay.
/// Of a world's navmesh that obstacles are cut out of the one that it was baked as is written.
/// @return LW_OK; LW_FILE with the reason, such as a full device, or that it is no ordinary file: the file is
///   then as it was; LW_OUT_OF_MEMORY.
LW_API lw_status lw_navmesh_save(const lw_navmesh *navmesh, const char *file, lw_error *error);
/// Read a navmesh.
/// @param areas  Not NULL. The file names its areas, which are looked up here; must outlive the navmesh.
/// @param allocator  Copied. NULL: the C library's.
/// @param[out] navmesh  The caller frees it with lw_navmesh_destroy(). NULL on an error.
/// @return LW_OK; LW_FILE: missing or unreadable; LW_BAD_FILE: not a navmesh, of another version, truncated or
///   altered; LW_NOT_FOUND: an area that the table lacks, named in `error`; LW_OUT_OF_MEMORY.
LW_API lw_status lw_navmesh_load(const char *file, const lw_area_table *areas, const lw_allocator *allocator,
                                 lw_navmesh **navmesh, lw_error *error);
/// Check every invariant: convexity, indices, portals (mutual, and on their edges), islands, grid, and
/// clearances for agents half a metre larger than the navmesh was baked for.
/// @return LW_OK; LW_INVALID with the first invariant that does not hold; LW_OUT_OF_MEMORY.
LW_API lw_status lw_navmesh_validate(const lw_navmesh *navmesh, lw_error *error);

/// Join the parts of a bake (lw_bake_settings.tiles), in any order, and leave small islands out. A saved result
/// has the bytes of a whole bake. Finds cover with one thread for each processor.
/// @param parts  [count, >= 1] With one area table. They stay as they are. Messages count parts and tiles from
///   1.
/// @param allocator  Copied. NULL: the C library's.
/// @param[out] navmesh  The caller frees it with lw_navmesh_destroy(). NULL on an error.
/// @return LW_OK; LW_EMPTY: no walkable ground; LW_OUT_OF_MEMORY; LW_INVALID, named in `error`: no part, parts
///   of different bakes (agent or tile sizes, area tables, settings or triangles), or a tile in two parts or in
///   no part.
LW_API lw_status lw_navmesh_merge(const lw_navmesh *const *parts, int count, const lw_allocator *allocator,
                                  lw_navmesh **navmesh, lw_error *error);

/* --- numbers of a navmesh --- */

/// A tile of a navmesh.
typedef struct lw_navmesh_tile {
  int x, z;          ///< Place in the grid of tiles.
  lw_box bounds;     ///< [m]
  int polygon_count; ///< As it was baked.
} lw_navmesh_tile;
/// Read a tile.
/// @param index  By z, then x. [0..lw_navmesh_get_stats().tiles - 1]
/// @param[out] tile  All zero on an error.
/// @return LW_OK; LW_NOT_FOUND: the index is out of range.
LW_API lw_status lw_navmesh_get_tile(const lw_navmesh *navmesh, int index, lw_navmesh_tile *tile);

/// A tile to take from another navmesh.
typedef struct lw_tile_change {
  int x, z;               ///< Place in the grid (lw_navmesh_get_tile()).
  const lw_navmesh *from; ///< Of the same grid. Borrowed. NULL, or it has none there: removed.
} lw_tile_change;

/// Counts and measures of a navmesh.
typedef struct lw_navmesh_stats {
  int polygons;           ///< Convex polygons.
  int vertices;           ///< Vertices of polygons.
  int tiles;              ///< Tiles with polygons.
  int portals;            ///< Directed: a shared edge counts twice.
  int offmesh_links;      ///< Off-mesh links that joined; a bidirectional one counts once.
  int offmesh_refused;    ///< Off-mesh links that did not join (lw_navmesh_get_link()).
  int islands;            ///< Parts that no portal joins.
  int cover_segments;     ///< Cover segments.
  int occluders;          ///< Convex polygons that block sight.
  size_t cover_map_bytes; ///< Memory of the cover map without the occluders that it names; 0: no cover map.
  /// Mean error of exposure by LW_ACCURACY_MAP, as a part of the length of a segment. [0..1]
  float cover_map_loss;
  size_t visibility_table_bytes; ///< Memory of the visibility table; 0: no table.
  float visibility_table_range;  ///< Greatest distance of polygons in the visibility table. [m]
  float pairs_hidden;            ///< How likely the table says "hidden" for two places within its range. [0..1]
  float pairs_visible; ///< How likely the table says "visible" for two places within its range. [0..1]
  size_t bytes;        ///< Memory held.
  float area;          ///< Measured in xz. [m2]
  float openness;      ///< Mean of lw_poly.openness over the ground. [0..1]
  /// The part of the ground under water that is too deep to wade for the profile `human`, LW_WADE_DEPTH. [0..1]
  float deep_water;
} lw_navmesh_stats;
/// @return The counts and measures.
LW_API lw_navmesh_stats lw_navmesh_get_stats(const lw_navmesh *navmesh);
/// @return A number that grows with each change of a world's version of a navmesh, so that callers notice that
///   their own results are outdated. 0: nothing has changed it.
LW_API uint64_t lw_navmesh_version(const lw_navmesh *navmesh);
/// @return The bounds of all polygons. [m]
LW_API lw_box lw_navmesh_bounds(const lw_navmesh *navmesh);
/// @return The area table that the navmesh was created with. Borrowed from its owner.
LW_API const lw_area_table *lw_navmesh_area_table(const lw_navmesh *navmesh);
/// The size of agent that a navmesh was baked for.
typedef struct lw_navmesh_agent {
  float radius; ///< Of a navmesh from polygons: lw_navmesh_def.agent_radius. [m]
  float height; ///< Of a navmesh from polygons: 0. [m]
  float climb;  ///< Of a navmesh from polygons: lw_navmesh_def.climb. [m]
} lw_navmesh_agent;
/// @return The size of agent that the navmesh was baked for.
LW_API lw_navmesh_agent lw_navmesh_get_agent(const lw_navmesh *navmesh);

/* --- queries --- */

/// A place on the navmesh.
typedef struct lw_location {
  lw_vec3 point;   ///< On the surface, with the height of the detail mesh. [m]
  lw_poly_id poly; ///< The polygon that it lies in.
} lw_location;

/// Find the nearest place within a box about `point`: of what each polygon has in the box, in xz, the point
/// that is closest in xz, lifted onto the surface. It counts if its height is in the box, too; of several the
/// one with the least distance in 3D is taken.
/// @param snap  Half size of the box. [m, > 0]
/// @param filter  NULL: all polygons.
/// @param[out] location  On an error `point`, with `poly` 0.
/// @return LW_OK; LW_NO_POINT: no polygon that passes in the box; LW_INVALID: `point` is not finite, or `snap`
///   not above 0.
LW_API lw_status lw_navmesh_nearest(const lw_navmesh *navmesh, lw_vec3 point, lw_vec3 snap,
                                    const lw_filter *filter, lw_location *location);
/// Is `point` over a polygon that passes?
/// @param tolerance  How far above or below the surface it may be. [m, >= 0]
/// @param filter  NULL: all polygons.
/// @return false also for numbers that are not finite.
LW_API bool lw_navmesh_contains(const lw_navmesh *navmesh, lw_vec3 point, float tolerance,
                                const lw_filter *filter);
/// Find the height of the surface under `point`, of the floor nearest in height.
/// @param filter  NULL: all polygons.
/// @param[out] height  0 on an error. [m]
/// @return LW_OK; LW_NO_POINT: no polygon that passes above or below; LW_INVALID: not finite.
LW_API lw_status lw_navmesh_height(const lw_navmesh *navmesh, lw_vec3 point, const lw_filter *filter,
                                   float *height);

/// The result of a ray cast.
typedef struct lw_raycast {
  /// The border of the mesh, a polygon that does not pass or a step that is too high stopped it.
  bool hit;
  float t;        ///< Where it ended, along the segment in xz; 1 without a hit. [0..1]
  lw_location at; ///< Where it ended.
  lw_vec3 normal; ///< Of the edge that it hit, level, towards the start; zero without a hit.
  int crossed;    ///< Polygons entered, the first included.
} lw_raycast;
/// Go straight over the surface until the mesh ends, a polygon does not pass, or a step is too high.
/// @param filter  NULL: all polygons.
/// @param[out] result  On an error without a hit, ending at `start`.
/// @return LW_OK, with or without a hit; LW_STALE: `start.poly`; LW_INVALID: not finite.
LW_API lw_status lw_navmesh_raycast(const lw_navmesh *navmesh, lw_location start, lw_vec3 to,
                                    const lw_filter *filter, lw_raycast *result);
/// Go straight over the surface, and slide along borders, and along polygons and steps that do not pass.
/// @param filter  NULL: all polygons.
/// @param[out] end  Where it ended; `start` on an error.
/// @return LW_OK; LW_STALE: `start.poly`; LW_INVALID: not finite.
LW_API lw_status lw_navmesh_move(const lw_navmesh *navmesh, lw_location start, lw_vec3 to,
                                 const lw_filter *filter, lw_location *end);

/// The nearest wall.
typedef struct lw_wall {
  bool found;     ///< There is a wall within max_distance.
  float distance; ///< In xz; max_distance without a wall. [m]
  lw_vec3 point;  ///< The nearest point of the wall. [m]
  lw_vec3 normal; ///< Of the wall, level, away from it; zero without a wall.
} lw_wall;
/// Find the nearest edge without a neighbour that passes the filter, or with a step that does not. Only edges
/// that can be reached over the surface count: no walls of other floors, and none behind a wall.
/// @param max_distance  How far to search. [m, > 0]
/// @param filter  NULL: all polygons.
/// @param[out] wall  On an error as if there were no wall; on LW_LIMIT the nearest of those looked at.
/// @return LW_OK; LW_STALE: `from.poly`; LW_INVALID: `from` is not finite, or `max_distance` not above 0;
///   LW_LIMIT: more than 1,024 polygons are nearer than any wall.
LW_API lw_status lw_navmesh_distance_to_wall(const lw_navmesh *navmesh, lw_location from, float max_distance,
                                             const lw_filter *filter, lw_wall *wall);

/// A circle about a place on the navmesh.
typedef struct lw_circle {
  lw_location center; ///< Its centre.
  float radius;       ///< In xz. [m, >= 0]
} lw_circle;
/// Find the polygons of which a circle covers a part and that can be reached from its centre over the surface
/// without leaving it: no other floors, nothing behind a wall, no far ends of links. Allocates, for the call
/// only, if both `capacity` and the number of polygons of the navmesh are above 512.
/// @param filter  NULL: all polygons.
/// @param[out] polygons  [capacity, >= 1] The centre's own polygon first, then outwards.
/// @param[out] count  How many were written; 0 on an error.
/// @return LW_OK; LW_LIMIT: there are more than `capacity`, of which the first were written; LW_STALE:
///   `center.poly`; LW_INVALID: the circle is not finite, its radius below 0, or `capacity` below 1;
///   LW_OUT_OF_MEMORY.
LW_API lw_status lw_navmesh_polygons_around(const lw_navmesh *navmesh, lw_circle circle,
                                            const lw_filter *filter, lw_poly_id *polygons, int capacity,
                                            int *count);

/* --- links --- */

/// What became of an off-mesh link.
typedef enum lw_link_state {
  LW_LINK_JOINED,     ///< It can be used.
  LW_LINK_NO_START,   ///< Refused: no navmesh within the link's radius of `from`.
  LW_LINK_NO_END,     ///< Refused: no navmesh within the link's radius of `to`.
  LW_LINK_NO_ENDS,    ///< Refused: no navmesh within the link's radius of either end.
  LW_LINK_SAME_PLACE, ///< Refused: both ends were moved to places less than a centimetre apart.
  LW_LINK_WAITING,    ///< In a part of a bake: decided when the parts are merged.
  /// Refused by a world: both ends are nearest to one navmesh, whose own link it should be.
  LW_LINK_ONE_NAVMESH
} lw_link_state;
/// An off-mesh link, joined or not.
typedef struct lw_link {
  lw_link_def def;     ///< As it was asked for.
  lw_link_state state; ///< What became of it.
  lw_location from;    ///< The place nearest to `def.from`, also beyond the radius.
  lw_location to;      ///< The place nearest to `def.to`, also beyond the radius.
  float from_distance; ///< How far `from` is from `def.from`. [m, 3D]
  float to_distance;   ///< How far `to` is from `def.to`. [m, 3D]
  float length;        ///< What it adds to the length of a path, if it has joined. [m]
} lw_link;

#define LW_NAVMESHES_MAX 64     ///< Navmeshes in one world at most.
#define LW_NAVMESH_FITTING (-1) ///< In a query: the navmesh that fits (lw_world_find_navmesh()).

/// A link between two navmeshes of a world, joined or not.
typedef struct lw_world_link {
  lw_link link;     ///< Its places lie on these navmeshes:
  int from_navmesh; ///< Index in the world of the navmesh at its start; -1: no navmesh there.
  int to_navmesh;   ///< Index in the world of the navmesh at its end; -1: no navmesh there.
  /// Index of the navmesh that it was added to, which refused it; -1: from lw_world_def.links.
  int requested_by;
} lw_world_link;
/// @return How many links were asked for, refused ones too, or found by the bake (lw_auto_links).
LW_API int lw_navmesh_link_count(const lw_navmesh *navmesh);
/// Read a link.
/// @param index  In the order in which they were added, by lw_geometry_add_link() and by the lines of a gset
///   file, or in lw_navmesh_def.links. [0..lw_navmesh_link_count() - 1]
/// @param[out] link  On an error all zero, with `def` as from lw_link_def_default().
/// @return LW_OK; LW_NOT_FOUND: the index is out of range.
LW_API lw_status lw_navmesh_get_link(const lw_navmesh *navmesh, int index, lw_link *link);
/// Write a sentence without a full stop on why a link was refused: which end, and how far the nearest navmesh
/// is.
/// @param[out] text  [size] Zero-terminated and cut to fit; "" for a link that joined.
LW_API void lw_link_reason(const lw_link *link, char *text, size_t size);

/* --- waters and polygons --- */

/// Find the depth of the water on the floor under `point`, of the floor nearest in height. A navmesh knows the
/// waters of the geometry that it was baked from (lw_geometry_add_water()), whatever areas its polygons have.
/// @param[out] depth  0: the ground there is dry; also on an error. [m]
/// @return LW_OK; LW_NO_POINT: no polygon above or below; LW_INVALID: not finite.
LW_API lw_status lw_navmesh_water_depth(const lw_navmesh *navmesh, lw_vec3 point, float *depth);
/// @return How many waters the navmesh knows.
LW_API int lw_navmesh_water_count(const lw_navmesh *navmesh);

/// Iterate over all polygons.
/// @param poly  0: begin.
/// @return The next polygon; 0 after the last one, and for a stale id.
LW_API lw_poly_id lw_navmesh_next_poly(const lw_navmesh *navmesh, lw_poly_id poly);
/// A polygon.
typedef struct lw_poly {
  lw_area_id area;    ///< Its area.
  int corner_count;   ///< [3..255]
  int neighbor_count; ///< Portals that leave it.
  int tile;           ///< Index of its tile.
  uint32_t island;    ///< Number of the part of the mesh, joined by portals, that it belongs to.
  float area_m2;      ///< Measured in xz. [m2]
  /// How open it lies, from 0, hidden all round, to 1, open ground: by rays at the bake
  /// (lw_bake_settings.openness_range), or from lw_navmesh_def.openness. [0..1, in 255ths]
  float openness;
  /// Least and most depth of the waters over its surface; 0 and 0: no water. Agents that do not swim enter it
  /// if they wade as deep as the most (lw_profile_def.wade_depth), whatever its area; without water the area's
  /// deep_water decides. Rounded outwards to 0.01 m; 2.55 stands for all above 2.54. [m]
  float depth[2];
  /// The least height from its surface to a ceiling over an agent of the bake's radius, or to an obstacle: by
  /// voxels, so up to two cell_heights less than there is, never more, and rounded down to 0.05 m. Agents enter
  /// it if a stance of theirs is no higher (lw_body.can_crouch). INFINITY: 12.75 or more, or unknown. [m]
  float headroom;
  /// The highest step in it, measured on the level's triangles: only agents with such a lw_profile_def.climb
  /// enter it. 0: none is above the first of lw_bake_limits.climbs. Rounded up to 0.01 m; 2.55: or higher. [m]
  float step;
} lw_poly;
/// Read a polygon.
/// @param[out] result  All zero on an error.
/// @return LW_OK; LW_STALE: the id.
LW_API lw_status lw_navmesh_get_poly(const lw_navmesh *navmesh, lw_poly_id poly, lw_poly *result);
/// Read the corners of a polygon.
/// @param[out] corners  [capacity] The first corners, counter-clockwise seen from above. [m]
/// @return The number of corners, also if fewer fit; 0 for a stale id.
LW_API int lw_navmesh_poly_corners(const lw_navmesh *navmesh, lw_poly_id poly, lw_vec3 *corners, int capacity);

#ifdef __cplusplus
}
#endif
#endif
