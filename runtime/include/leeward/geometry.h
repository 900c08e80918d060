/// @file geometry.h
/// Geometry: triangle soup with an area per triangle, and marks that change areas, to bake from.
#ifndef LEEWARD_GEOMETRY_H
#define LEEWARD_GEOMETRY_H

#include "leeward/link.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lw_geometry lw_geometry;

/// @param areas  Borrowed; it must outlive the geometry.
/// @param allocator  Copied. NULL: the C library's.
/// @param[out] geometry  Empty. The caller frees it with lw_geometry_destroy().
LW_API lw_status lw_geometry_create(const lw_area_table *areas, const lw_allocator *allocator,
                                    lw_geometry **geometry);
LW_API void lw_geometry_destroy(lw_geometry *geometry);

/// Triangles to add. Counter-clockwise corners face the open side.
typedef struct lw_geometry_mesh {
  const lw_vec3 *vertices; ///< [vertex_count] Copied. Finite, within +-1e6 m.
  int vertex_count;        ///< [>= 3]
  const int *indices;      ///< [3 * triangle_count], each in 0..vertex_count - 1. Copied.
  int triangle_count;      ///< [>= 1]
  lw_area_id area;         ///< Of every triangle; LW_AREA_NONE is solid but never walkable.
  const lw_area_id *areas; ///< [triangle_count] or NULL; takes the place of `area`. Copied.
  lw_cover_kind cover;     ///< Of every triangle. [default LW_COVER_DEFAULT: as its area says by now]
  const uint8_t *covers;   ///< [triangle_count] lw_cover_kind, or NULL; takes the place of `cover`. Copied.
} lw_geometry_mesh;

/// Either all of it is added or, on an error, nothing.
/// @return LW_OK; LW_INVALID with the vertex or triangle named; LW_OUT_OF_MEMORY.
LW_API lw_status lw_geometry_add_mesh(lw_geometry *geometry, const lw_geometry_mesh *mesh, lw_error *error);

/// A box. `at` is the middle of its bottom face.
typedef struct lw_geometry_box {
  lw_vec3 at;          ///< [m]
  lw_vec3 size;        ///< Whole width, height, depth. [m, > 0]
  float yaw;           ///< About y, counter-clockwise seen from above. [rad]
  lw_area_id area;     ///< Of every face.
  lw_cover_kind cover; ///< The same. [default LW_COVER_DEFAULT: as the area says by now]
} lw_geometry_box;
LW_API lw_status lw_geometry_add_box(lw_geometry *geometry, const lw_geometry_box *box, lw_error *error);

/// A ramp: its upper face runs from `from` to `to`.
typedef struct lw_geometry_ramp {
  lw_vec3 from, to;    ///< Middle of the upper face's two ends; they differ in x or z. [m]
  float width;         ///< [m, > 0]
  float thickness;     ///< 0: a wedge that reaches down to the lower end. [m, >= 0]
  lw_area_id area;     ///< Of every face.
  lw_cover_kind cover; ///< The same. [default LW_COVER_DEFAULT: as the area says by now]
} lw_geometry_ramp;
LW_API lw_status lw_geometry_add_ramp(lw_geometry *geometry, const lw_geometry_ramp *ramp, lw_error *error);

/// Where a mark lies, seen from above.
typedef enum lw_mark_shape {
  LW_MARK_BOX,     ///< A box, which may be turned.
  LW_MARK_POLYGON, ///< A convex polygon between two heights.
  LW_MARK_PATH     ///< A road or river along a spline.
} lw_mark_shape;

/// Ground to be given another area. Start from lw_mark_def_default(). A mark adds no triangles, changes nothing of what they
/// hide, and never makes unwalkable ground walkable; where marks overlap, the one added last decides. The bake marks voxels whose middle is
/// inside, then moves the border's vertices onto the outline where that is safe: straight marks are as wide as they say
/// within a cell everywhere (on average a sixth of one), bends but for few places.
typedef struct lw_mark_def {
  lw_mark_shape shape;
  /// LW_AREA_NONE: nobody walks there, and agents keep their radius away from it, as from a wall.
  lw_area_id area;
  lw_vec3 at;   ///< Box: middle of its bottom. [m]
  lw_vec3 size; ///< Box: whole width, height, depth; its top and bottom count as inside. [m, > 0]
  float yaw;    ///< Box: about y, counter-clockwise seen from above. [rad, default 0]
  /// Polygon: its corners in either winding; their heights do not matter. Path: what its middle passes through
  /// in order, as a centripetal Catmull-Rom spline, which is cut into straight pieces less than 1 cm off; it
  /// ends square, or is closed when the last point is the first again. Neighbours differ in x or z. [m]
  const lw_vec3 *points;
  int point_count; ///< Polygon: [>= 3]. Path: [>= 2].
  float width;     ///< Path: from edge to edge, in the plane. [m, > 0]
  /// Polygon: only ground of heights bottom..top. [m, default: no limit]
  /// Path: only ground that is bottom..top above the spline there. [m, default -2..2]
  float bottom, top;
  uint32_t cookie; ///< Set by lw_mark_def_default(). Do not set.
} lw_mark_def;

LW_API lw_mark_def lw_mark_def_default(lw_mark_shape shape);
/// @param mark  Copied, its points too.
/// @return LW_OK; LW_INVALID with what is wrong; LW_LIMIT: a path too long for its pieces; LW_OUT_OF_MEMORY.
LW_API lw_status lw_geometry_mark_area(lw_geometry *geometry, const lw_mark_def *mark, lw_error *error);
/// A body of water: all that lies above the ground and below its level within an outline. Start from
/// lw_water_def_default(). It adds no triangles, so its surface is never a floor: the ground below it becomes shallow or
/// deep water when it is baked, voxel by voxel, so depths are right within a cell height on level ground and within what
/// the ground rises in a cell on slopes. Waters and marks decide in the order in which they were added: a road marked
/// later is a ford.
typedef struct lw_water_def {
  /// The outline, a simple polygon in either winding; it may be concave, but must not touch or cross itself. Heights do
  /// not matter. [m]
  const lw_vec3 *points;
  int point_count; ///< [>= 3]
  float level;     ///< Height of its surface. [m]
  float bottom;    ///< Ground below this is under something else: a tunnel. [m, < level, default -INFINITY]
  float wade;      ///< Water deeper than this is deep. [m, >= 0, default 0.6]
  lw_area_id shallow, deep; ///< [default LW_AREA_NONE: the areas "shallow_water" and "deep_water"]
  uint32_t cookie;          ///< Set by lw_water_def_default(). Do not set.
} lw_water_def;

LW_API lw_water_def lw_water_def_default(void);
/// @param water  Copied, its points too.
/// @return LW_OK; LW_INVALID with what is wrong; LW_LIMIT: an outline of more than 4096 points; LW_OUT_OF_MEMORY.
LW_API lw_status lw_geometry_add_water(lw_geometry *geometry, const lw_water_def *water, lw_error *error);
/// @return Marks and waters.
LW_API int lw_geometry_mark_count(const lw_geometry *geometry);

/// Add an off-mesh link. When the navmesh is built each end is moved to the nearest place on it; a link whose end has
/// none within its radius is left out and can be asked for with the reason (lw_navmesh_get_link()).
/// @param link  Copied.
/// @return LW_OK; LW_INVALID with what is wrong: not finite, no such kind or area; LW_OUT_OF_MEMORY.
LW_API lw_status lw_geometry_add_link(lw_geometry *geometry, const lw_link_def *link, lw_error *error);
LW_API int lw_geometry_link_count(const lw_geometry *geometry);

/// Nobody is to take cover at walls within a region, where what the wall hides of one who stands there, from the floor up to the
/// agents' height, has a height in common with it: cover on other storeys at the same wall stays. The walls hide what they hide
/// all the same, and cover that was added (lw_geometry_add_cover()) stays.
/// @param where  A box, which may be that of the wall itself, or a polygon; its area does not matter. Copied, its points too.
/// @return As lw_geometry_mark_area(); a path is LW_INVALID.
LW_API lw_status lw_geometry_no_cover(lw_geometry *geometry, const lw_mark_def *where, lw_error *error);

/// On which side of the way from one point to another.
typedef enum lw_cover_side { LW_COVER_LEFT_SIDE, LW_COVER_RIGHT_SIDE, LW_COVER_BOTH_SIDES } lw_cover_side;
#define LW_COVER_LENGTH_LEAST 0.25f

/// A stretch of cover where the bake finds none: a hedge, a smashed car. Start from lw_cover_def_default(). It is found as
/// cover as far as there is ground beside it, within half a metre of its height, but hides nothing: for that there must be
/// triangles. A side without such ground is left out; one that has none on any side is refused (lw_navmesh_get_added_cover()).
typedef struct lw_cover_def {
  lw_vec3 from,
      to; ///< Along its face, at the height of the ground. [m, at least LW_COVER_LENGTH_LEAST apart in xz]
  float bottom;       ///< Of what hides, above the ground. [m, >= 0, default 0]
  float height;       ///< The same of its top. [m, > bottom, default 1]
  lw_cover_side side; ///< Where one stands. [default LW_COVER_BOTH_SIDES]
  lw_cover_kind kind; ///< Hard or soft. [default LW_COVER_HARD]
  uint32_t cookie;    ///< Set by lw_cover_def_default(). Do not set.
} lw_cover_def;
LW_API lw_cover_def lw_cover_def_default(void);
/// @param cover  Copied. @return LW_OK; LW_INVALID with what is wrong; LW_OUT_OF_MEMORY.
LW_API lw_status lw_geometry_add_cover(lw_geometry *geometry, const lw_cover_def *cover, lw_error *error);

/// Forget all marks, waters and links but the first so many of each.
/// @param mark_count, link_count  As lw_geometry_mark_count() and lw_geometry_link_count() said before.
LW_API void lw_geometry_forget(lw_geometry *geometry, int mark_count, int link_count);

/// What to do with a material of an imported file.
typedef struct lw_material_rule {
  bool ignored;        ///< Leave its triangles out altogether (liquid surfaces).
  lw_area_id area;     ///< LW_AREA_NONE: solid, never walkable.
  lw_cover_kind cover; ///< [default LW_COVER_DEFAULT: as the area says by now]
} lw_material_rule;

typedef struct lw_geometry_import {
  /// Called once a material; `name` is valid during the call. NULL: everything is the first area of the
  /// table.
  lw_material_rule (*rule)(void *user, const char *name);
  void *user; ///< Handed to `rule`.
} lw_geometry_import;

/// Read a file through Assimp (OBJ, glTF, FBX, ...) and add its triangles. Needs libleeward_bake.so.
/// @param import  Borrowed for the call. NULL: everything is the first area of the table.
/// @return LW_OK; LW_FILE: missing or unreadable; LW_BAD_FILE: not understood; LW_EMPTY: no triangles;
///   LW_INVALID: NaN or an index out of range, named; LW_NO_BAKE; LW_OUT_OF_MEMORY.
LW_API lw_status lw_geometry_load(lw_geometry *geometry, const char *file, const lw_geometry_import *import,
                                  lw_error *error);

/// What a volume of a gset file is.
typedef enum lw_gset_volume {
  LW_GSET_UNKNOWN, ///< The file is refused.
  LW_GSET_NOTHING, ///< Ground stays as it is.
  LW_GSET_MARK,    ///< Ground between its heights becomes `area`.
  LW_GSET_WATER    ///< Ground between its heights is under water, which stands up to its top.
} lw_gset_volume;
/// What an area code of a gset file means.
typedef struct lw_gset_rule {
  lw_gset_volume volume;
  lw_area_id area;   ///< LW_GSET_MARK: LW_AREA_NONE: nobody walks there. Links are priced as this area.
  lw_link_kind link; ///< What links of this code are.
} lw_gset_rule;
typedef struct lw_gset_options {
  /// NULL: 0 is the area "ground", 1 water, 2 "road", 3 "door", 4 "grass", 6 "unsafe", 7 never walkable; links of 3 are
  /// doors and of 8 ladders, all others jumps.
  lw_gset_rule (*rule)(void *user, int code);
  void *user; ///< Handed to `rule`.
} lw_gset_options;

/// Read links and volumes of a file in RecastDemo's format (.gset) and add them, in order; the level that it names and
/// its settings are not looked at.
/// @param options  Borrowed for the call. NULL: the defaults.
/// @return LW_OK; LW_FILE; LW_BAD_FILE: a line that is not understood, a volume that is not convex, an area code without
///   a meaning, with the line's number; LW_OUT_OF_MEMORY. On an error nothing is added.
LW_API lw_status lw_geometry_load_gset(lw_geometry *geometry, const char *file, const lw_gset_options *options,
                                       lw_error *error);

LW_API int lw_geometry_vertex_count(const lw_geometry *geometry);
LW_API int lw_geometry_triangle_count(const lw_geometry *geometry);
/// @return The bounds, all 0 while empty.
LW_API lw_box lw_geometry_bounds(const lw_geometry *geometry);
/// @return [3 * triangle_count] indices, [vertex_count] vertices, [triangle_count] areas; borrowed, valid
/// until
///   the geometry changes.
LW_API const int *lw_geometry_indices(const lw_geometry *geometry);
LW_API const lw_vec3 *lw_geometry_vertices(const lw_geometry *geometry);
LW_API const lw_area_id *lw_geometry_areas(const lw_geometry *geometry);
/// @return [triangle_count] lw_cover_kind, none of them LW_COVER_DEFAULT. Borrowed, valid until the geometry changes.
LW_API const uint8_t *lw_geometry_covers(const lw_geometry *geometry);
LW_API const lw_area_table *lw_geometry_area_table(const lw_geometry *geometry);

#ifdef __cplusplus
}
#endif
#endif
