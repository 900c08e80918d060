/// @file navmesh.h
/// The navmesh: tiles of convex polygons, what is asked of it, and its file.
#ifndef LEEWARD_NAVMESH_H
#define LEEWARD_NAVMESH_H

#include "leeward/link.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Never changes once made, so any number of worlds and threads may ask it at the same time.
typedef struct lw_navmesh lw_navmesh;

/// Which polygons and links an agent may use.
typedef struct lw_filter {
  uint64_t areas[4]; ///< Bit a of the 256: area a may be entered.
  uint32_t links;    ///< Bit k: links of that lw_link_kind may be taken.
  /// Of the agent; 0: what the navmesh was baked for. What needs a search regards it (paths, connected, random points); the
  /// questions below ask for the agent's centre. [m, >= 0]
  float radius;
} lw_filter;
/// @return A filter that lets everything pass.
LW_API lw_filter lw_filter_all(void);
LW_API bool lw_filter_passes(const lw_filter *filter, lw_area_id area);

/// A navmesh from polygons made elsewhere. Start from lw_navmesh_def_default().
typedef struct lw_navmesh_def {
  const lw_area_table *areas; ///< Borrowed; must outlive the navmesh. Not NULL.
  const lw_vec3 *vertices;    ///< [vertex_count] Equal positions are welded.
  int vertex_count;
  const int *corners;           ///< All polygons' corners one after the other, 0-based, either winding.
  const int *corner_counts;     ///< [polygon_count], each 3..255.
  int polygon_count;            ///< [>= 1]
  const lw_area_id *poly_areas; ///< [polygon_count] or NULL: the first area of the table.
  /// How open each polygon lies (see lw_poly.exposure), kept in 255ths. [polygon_count] of 0..1, or NULL: 1 everywhere.
  const float *exposures;
  /// What part of each polygon lies under deep water (see lw_poly.deep_water), kept in 255ths. [polygon_count] of 0..1, or
  /// NULL: 0 everywhere.
  const float *deep_waters;
  float climb; ///< Height by which edges that overlap may differ. [m, >= 0, default 0.4]
  /// What the polygons already keep from walls: agents no larger find them as they are, larger ones keep off their borders.
  /// [m, >= 0, default 0.4, what a bake is made for]
  float agent_radius;
  const lw_link_def *links;      ///< [link_count] Off-mesh links; those that cannot be joined are refused.
  int link_count;                ///< [>= 0, default 0]
  const lw_allocator *allocator; ///< Copied. NULL: the C library's.
  uint32_t cookie;               ///< Set by lw_navmesh_def_default(). Do not set.
} lw_navmesh_def;

LW_API lw_navmesh_def lw_navmesh_def_default(void);
/// @param[out] navmesh  The caller frees it with lw_navmesh_destroy().
/// @return LW_OK; LW_INVALID with the polygon named (concave, degenerate, index out of range, NaN, unknown
///   area, or overlapping another on the same floor: heights within `climb` all over the common part), or the
///   link (not finite, no such kind or area); LW_OUT_OF_MEMORY.
LW_API lw_status lw_navmesh_create(const lw_navmesh_def *def, lw_navmesh **navmesh, lw_error *error);
LW_API void lw_navmesh_destroy(lw_navmesh *navmesh);

/// Write to a temporary file beside `file`, then rename: a crash leaves the old file or the new, never half.
LW_API lw_status lw_navmesh_save(const lw_navmesh *navmesh, const char *file, lw_error *error);
/// Areas are found by name in `areas`, which must outlive the navmesh.
/// @return LW_OK; LW_FILE; LW_BAD_FILE: foreign, of another version, truncated or altered, with what;
///   LW_NOT_FOUND: an area that the table lacks, named; LW_OUT_OF_MEMORY.
LW_API lw_status lw_navmesh_load(const char *file, const lw_area_table *areas, const lw_allocator *allocator,
                                 lw_navmesh **navmesh, lw_error *error);
/// Check every invariant (convexity, indices, portals mutual and on their edges, islands, grid,
/// clearances for agents half a metre larger than it was made for).
/// @return LW_OK; LW_INVALID with the first that does not hold; LW_OUT_OF_MEMORY.
LW_API lw_status lw_navmesh_validate(const lw_navmesh *navmesh, lw_error *error);

/// Join the parts of a bake (lw_bake_settings.tile_count), in any order, and leave small islands out: saved, the result
/// has the same bytes as if all had been baked at once.
/// Their cover is found by one thread a processor.
/// @param parts  [count, >= 1] Of one area table. In messages parts and tiles count from 1.
/// @param allocator  Copied. NULL: the C library's.
/// @param[out] navmesh  The caller frees it with lw_navmesh_destroy(); the parts stay as they are.
/// @return LW_OK; LW_INVALID: no part, parts of different bakes (agent or tile sizes, area tables, settings or
///   triangles), a tile in two parts or in none, each named; LW_EMPTY: nothing to walk on; LW_OUT_OF_MEMORY.
LW_API lw_status lw_navmesh_merge(const lw_navmesh *const *parts, int count, const lw_allocator *allocator,
                                  lw_navmesh **navmesh, lw_error *error);

typedef struct lw_navmesh_stats {
  int polygons, vertices, tiles;
  int portals;         ///< Directed: a shared edge counts twice.
  int offmesh_links;   ///< Off-mesh links that joined; a bidirectional one counts once.
  int offmesh_refused; ///< Off-mesh links that did not (lw_navmesh_get_link()).
  int islands;         ///< Parts that no portal joins.
  int cover_segments;
  int occluders;          ///< Convex polygons that block sight.
  size_t cover_map_bytes; ///< Of the cover map, without the occluders that it names; 0: there is none.
  float cover_map_loss;   ///< What LW_ACCURACY_MAP loses: off by so much of the way in the mean. [0..1]
  size_t pair_bytes;      ///< Of the table of pairs of polygons; 0: there is none.
  float pair_range;       ///< How far apart pairs are that it knows. [m]
  /// Of two places that are no further apart, how likely their polygons surely see nothing of one another, or all. [0..1]
  float pairs_hidden, pairs_visible;
  size_t bytes;     ///< Memory held.
  float area;       ///< Measured in xz. [m2]
  float exposure;   ///< Mean of the polygons' (lw_poly.exposure) over the ground. [0..1]
  float deep_water; ///< The part of the ground that lies under deep water (lw_poly.deep_water). [0..1]
} lw_navmesh_stats;
LW_API lw_navmesh_stats lw_navmesh_get_stats(const lw_navmesh *navmesh);
LW_API lw_box lw_navmesh_bounds(const lw_navmesh *navmesh);
LW_API const lw_area_table *lw_navmesh_area_table(const lw_navmesh *navmesh);
/// The size of agent that the mesh was baked for; of a mesh from polygons, what was said of it, and height 0.
typedef struct lw_navmesh_agent {
  float radius, height, climb; ///< [m]
} lw_navmesh_agent;
LW_API lw_navmesh_agent lw_navmesh_get_agent(const lw_navmesh *navmesh);

/// A place on the navmesh.
typedef struct lw_location {
  lw_vec3 point;   ///< On the surface, height from the detail mesh.
  lw_poly_id poly; ///< The polygon it lies in.
} lw_location;

/// The nearest place within a box about `point` that passes the filter.
/// Nearness is measured in 3D to the polygon's closest point in xz, lifted onto the surface.
/// @param half  Half size of the box. [m, > 0]  @param filter  NULL: everything.
/// @return LW_OK; LW_NO_POINT; LW_INVALID: not finite.
LW_API lw_status lw_navmesh_nearest(const lw_navmesh *navmesh, lw_vec3 point, lw_vec3 half,
                                    const lw_filter *filter, lw_location *location);
/// Is `point` over a polygon that passes, and no further above or below than `tolerance`?
LW_API bool lw_navmesh_contains(const lw_navmesh *navmesh, lw_vec3 point, float tolerance,
                                const lw_filter *filter);
/// Height of the surface under `point`, of the floor nearest in height.
/// @return LW_OK; LW_NO_POINT: no polygon above or below.
LW_API lw_status lw_navmesh_height(const lw_navmesh *navmesh, lw_vec3 point, const lw_filter *filter,
                                   float *height);

typedef struct lw_raycast {
  bool hit;       ///< Whether the border, or what may not be entered, stopped it.
  float t;        ///< 0..1 along the segment in xz; 1 without a hit.
  lw_location at; ///< Where it ended.
  lw_vec3 normal; ///< Of the edge that it hit, level, towards the start. Zero without a hit.
  int crossed;    ///< Polygons entered, the first included.
} lw_raycast;
/// Walk straight over the surface from a place on it until the mesh ends or what may not be entered begins.
/// @return LW_OK; LW_STALE: `start.poly`; LW_INVALID.
LW_API lw_status lw_navmesh_raycast(const lw_navmesh *navmesh, lw_location start, lw_vec3 to,
                                    const lw_filter *filter, lw_raycast *result);
/// Walk towards `to` and slide along what is in the way.
LW_API lw_status lw_navmesh_move(const lw_navmesh *navmesh, lw_location start, lw_vec3 to,
                                 const lw_filter *filter, lw_location *end);

typedef struct lw_wall {
  bool found;     ///< false: no wall within the distance asked for.
  float distance; ///< In xz; the distance asked for when there is none. [m]
  lw_vec3 point;  ///< Of the wall.
  lw_vec3 normal; ///< Of the wall, level, away from it. Zero when there is none.
} lw_wall;
/// The nearest edge that leads nowhere, or to where the filter does not pass, as one walks: walls of other floors, and
/// those behind a wall, do not count.
/// @param max_distance  How far to look. [m, > 0]
/// @return LW_OK; LW_STALE: `from.poly`; LW_INVALID; LW_LIMIT: more than 1,024 polygons are nearer than any wall.
LW_API lw_status lw_navmesh_distance_to_wall(const lw_navmesh *navmesh, lw_location from, float max_distance,
                                             const lw_filter *filter, lw_wall *wall);

/// The polygons that a circle about a place covers in part or whole, in xz, as far as one can walk from its centre without
/// leaving the circle: other floors, what lies behind a wall and the far ends of off-mesh links do not count.
/// Allocates, from the navmesh's allocator and for the call only, when `capacity` and the navmesh's polygons are both
/// more than 512.
/// @param radius  [m, >= 0]
/// @param[out] polygons  Room for `capacity` (>= 1). The centre's own is the first, then in steps outwards.
/// @param[out] count  How many were written.
/// @return LW_OK; LW_LIMIT: there are more than `capacity`, of which the first were written; LW_STALE: `from.poly`;
///   LW_INVALID; LW_OUT_OF_MEMORY.
LW_API lw_status lw_navmesh_polygons_around(const lw_navmesh *navmesh, lw_location from, float radius,
                                            const lw_filter *filter, lw_poly_id *polygons, int capacity,
                                            int *count);

/// What became of an off-mesh link.
typedef enum lw_link_state {
  LW_LINK_JOINED,
  LW_LINK_NO_START,   ///< Refused: no navmesh within the link's radius of `from`.
  LW_LINK_NO_END,     ///< Refused: none of `to`.
  LW_LINK_NO_ENDS,    ///< Refused: neither of the one nor of the other.
  LW_LINK_SAME_PLACE, ///< Refused: both ends come to lie less than a centimetre apart.
  LW_LINK_WAITING,    ///< In a part of a bake: judged when the parts are merged.
  LW_LINK_ONE_NAVMESH ///< Refused by a world: both ends are nearest to the same navmesh, whose own link it should be.
} lw_link_state;
/// An off-mesh link, joined or not.
typedef struct lw_link {
  lw_link_def def; ///< As it was asked for.
  lw_link_state state;
  lw_location from, to; ///< The nearest places on the navmesh, whether or not within the radius.
  float from_distance;  ///< How far `def.from` was moved, or would have had to be. [m, 3D]
  float to_distance;    ///< The same of `def.to`. [m, 3D]
  float length;         ///< What it counts for in a path, if it has joined. [m]
} lw_link;
/// @return How many links were asked for, refused ones too.
LW_API int lw_navmesh_link_count(const lw_navmesh *navmesh);
/// @param index  In the order in which they were asked for: of lw_geometry_add_link() and of a gset file's lines, or of
///   lw_navmesh_def.links. [0..link_count - 1]
/// @return LW_OK or LW_NOT_FOUND.
LW_API lw_status lw_navmesh_get_link(const lw_navmesh *navmesh, int index, lw_link *link);
/// Say in a sentence without a full stop why a link was refused: which end, and how far the nearest navmesh is.
/// @param[out] text  [size] "" for one that joined.
LW_API void lw_link_reason(const lw_link *link, char *text, size_t size);

/// How deep the water is on the floor under `point`, of the floor nearest in height (lw_navmesh_height()). A navmesh
/// knows the waters of the geometry that it was baked from (lw_geometry_add_water()), whatever areas its polygons have.
/// @param[out] depth  0: the ground there is dry. [m]
/// @return LW_OK; LW_NO_POINT: no polygon above or below; LW_INVALID: not finite.
LW_API lw_status lw_navmesh_water_depth(const lw_navmesh *navmesh, lw_vec3 point, float *depth);
/// @return How many waters the navmesh knows.
LW_API int lw_navmesh_water_count(const lw_navmesh *navmesh);

/// Polygons one after the other: pass 0 to begin; 0 comes back at the end.
LW_API lw_poly_id lw_navmesh_next_poly(const lw_navmesh *navmesh, lw_poly_id poly);
typedef struct lw_poly {
  lw_area_id area;
  int corner_count;
  int neighbor_count; ///< Portals that leave it.
  int tile;           ///< Index of its tile.
  uint32_t island;    ///< Parts of the mesh that no portal joins have different numbers.
  float area_m2;      ///< Measured in xz. [m2]
  /// How open it lies, from nothing sees it to open ground: the bake casts rays into the level (lw_bake_settings.
  /// exposure_range); else as the navmesh's maker said. Its area's own exposure comes on top. [0..1, in 255ths]
  float exposure;
  /// The part of it under water that is deeper than lw_bake_settings.swim_depth. Who swims there pays for that part, or for
  /// its area's deep_water where that is more; who may enter at all, the area alone says. [0..1, in 255ths]
  float deep_water;
} lw_poly;
/// @return LW_OK or LW_STALE.
LW_API lw_status lw_navmesh_get_poly(const lw_navmesh *navmesh, lw_poly_id poly, lw_poly *result);
/// @param[out] corners  Room for `capacity`. Counter-clockwise seen from above.
/// @return The number of corners, however many fitted; 0 for a stale id.
LW_API int lw_navmesh_poly_corners(const lw_navmesh *navmesh, lw_poly_id poly, lw_vec3 *corners, int capacity);

#ifdef __cplusplus
}
#endif
#endif
