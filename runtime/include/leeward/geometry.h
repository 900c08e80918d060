/// @file geometry.h
/// Geometry: triangle soup with an area per triangle, and annotations (marks, waters, links, added cover), to
/// bake from.
///
/// Threads: functions that take `const lw_geometry *` may run together, as bakes of one geometry may; those
/// that change a geometry need it alone.
#ifndef LEEWARD_GEOMETRY_H
#define LEEWARD_GEOMETRY_H

#include "leeward/link.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Triangles and annotations.
typedef struct lw_geometry lw_geometry;

/// Create an empty geometry.
/// @param areas  Borrowed; it must outlive the geometry.
/// @param allocator  Copied. NULL: the C library's.
/// @param[out] geometry  The caller frees it with lw_geometry_destroy(). NULL on an error.
/// @return LW_OK; LW_OUT_OF_MEMORY.
LW_API lw_status lw_geometry_create(const lw_area_table *areas, const lw_allocator *allocator,
                                    lw_geometry **geometry);
/// Free a geometry; its area table stays. @param geometry  NULL: nothing happens.
LW_API void lw_geometry_destroy(lw_geometry *geometry);

/* --- triangles --- */

/// Triangles to add. Seen from their open side, corners run counter-clockwise.
typedef struct lw_geometry_mesh {
  const lw_vec3 *vertices; ///< [vertex_count] Copied. Finite, within +-LW_COORDINATE_MAX. [m]
  int vertex_count;        ///< [>= 3]
  const int *indices;      ///< [3 * triangle_count], each in 0..vertex_count - 1. Copied.
  int triangle_count;      ///< [>= 1]
  lw_area_id area;         ///< Of every triangle. LW_AREA_NONE: solid, never walkable.
  const lw_area_id *areas; ///< [triangle_count] Replaces `area`. Copied. NULL: `area` counts.
  /// Of every triangle. LW_COVER_DEFAULT: as its area says when it is added. [default that]
  lw_cover_kind cover;
  /// [triangle_count] of lw_cover_kind. Replaces `cover`. Copied. NULL: `cover` counts.
  const uint8_t *covers;
} lw_geometry_mesh;

/// Add triangles. On an error nothing is added.
/// @return LW_OK; LW_INVALID: a vertex or triangle is out of range, named in `error`; LW_OUT_OF_MEMORY.
LW_API lw_status lw_geometry_add_mesh(lw_geometry *geometry, const lw_geometry_mesh *mesh, lw_error *error);

/// A box to add.
typedef struct lw_geometry_box {
  lw_vec3 at;          ///< The middle of its bottom face. [m]
  lw_vec3 size;        ///< Whole width, height and depth. [m, > 0]
  float yaw;           ///< About y, counter-clockwise seen from above. [rad]
  lw_area_id area;     ///< Of every face.
  lw_cover_kind cover; ///< Of every face. LW_COVER_DEFAULT: as the area says when it is added. [default that]
} lw_geometry_box;
/// Add a box. Its inside is solid: nothing in it is walkable, only its top may be. On an error nothing is
/// added.
/// @return LW_OK; LW_INVALID: a field is out of range, named in `error`; LW_OUT_OF_MEMORY.
LW_API lw_status lw_geometry_add_box(lw_geometry *geometry, const lw_geometry_box *box, lw_error *error);

/// A ramp to add: its upper face runs from `from` to `to`.
typedef struct lw_geometry_ramp {
  lw_vec3 from;        ///< The middle of one end of the upper face. [m]
  lw_vec3 to;          ///< The middle of the other end, which differs from `from` in x or z. [m]
  float width;         ///< [m, > 0]
  float thickness;     ///< 0: a wedge that reaches down to the lower end. [m, >= 0]
  lw_area_id area;     ///< Of every face.
  lw_cover_kind cover; ///< Of every face. LW_COVER_DEFAULT: as the area says when it is added. [default that]
} lw_geometry_ramp;
/// Add a ramp. Its inside is solid, as that of a box. On an error nothing is added.
/// @return LW_OK; LW_INVALID: a field is out of range, named in `error`; LW_OUT_OF_MEMORY.
LW_API lw_status lw_geometry_add_ramp(lw_geometry *geometry, const lw_geometry_ramp *ramp, lw_error *error);

/* --- marked areas and waters --- */

/// The shape of a mark, seen from above.
typedef enum lw_mark_shape {
  LW_MARK_BOX,     ///< A box, which may be turned.
  LW_MARK_POLYGON, ///< A convex polygon between two heights.
  LW_MARK_PATH     ///< A road or river along a spline.
} lw_mark_shape;

/// Ground that gets another area; of marks that overlap, the last one added counts. A mark adds no triangles,
/// hides nothing, and never turns unwalkable ground walkable. The bake marks voxels whose middle is inside,
/// then moves border vertices onto the outline. Start from lw_mark_def_default().
typedef struct lw_mark_def {
  lw_mark_shape shape; ///< Set by lw_mark_def_default().
  lw_area_id area;     ///< LW_AREA_NONE: agents may not enter, and keep their radius from it as from a wall.
  lw_vec3 at;          ///< Box: middle of its bottom. [m]
  lw_vec3 size;        ///< Box: whole width, height and depth; its top and bottom count as inside. [m, > 0]
  float yaw;           ///< Box: about y, counter-clockwise seen from above. [rad, default 0]
  /// Polygon: its corners in either winding; heights do not matter. Path: points of a centripetal Catmull-Rom
  /// spline, cut into straight pieces less than 1 cm off it, with square ends, or closed if the last point
  /// equals the first. Neighbouring points differ in x or z. [point_count] [m]
  const lw_vec3 *points;
  int point_count; ///< [polygon >= 3, path >= 2]
  float width;     ///< Path: from edge to edge, in xz. [m, > 0]
  /// Lowest ground that is marked. Polygon: its height. Path: above the spline there. [m, default polygon no
  /// limit, path -2]
  float bottom;
  /// Highest ground that is marked, measured like `bottom`. [m, default polygon no limit, path 2]
  float top;
  uint32_t cookie; ///< Set by lw_mark_def_default(). Do not set.
} lw_mark_def;

/// @return The defaults of all fields for a shape.
LW_API lw_mark_def lw_mark_def_default(lw_mark_shape shape);
/// Mark ground.
/// @param mark  Copied, with its points.
/// @return LW_OK; LW_INVALID: a field is out of range, named in `error`; LW_LIMIT: more than 4096 points of a
///   polygon, or a path needs too many pieces; LW_OUT_OF_MEMORY.
LW_API lw_status lw_geometry_mark_area(lw_geometry *geometry, const lw_mark_def *mark, lw_error *error);

/// Water between the ground and its level, within an outline. It adds no triangles: the bake turns the ground
/// below it into shallow or deep water, voxel by voxel. Of waters and marks that overlap, the last one added
/// counts. Start from lw_water_def_default().
typedef struct lw_water_def {
  /// The outline: a simple polygon in either winding, convex or concave; heights do not matter. [point_count]
  /// [m]
  const lw_vec3 *points;
  int point_count; ///< [>= 3]
  float level;     ///< Height of its surface. [m]
  float bottom;    ///< Ground below this height stays dry: a tunnel. [m, < level, default -INFINITY]
  /// Ground under deeper water gets the area `deep`, which has other prices. How deep an agent may go in is
  /// lw_profile_def.wade_depth of its profile. [m, >= 0, default 0.6]
  float wade;
  lw_area_id shallow; ///< Area of shallow water. [default LW_AREA_NONE: the area "shallow_water"]
  lw_area_id deep;    ///< Area of deep water. [default LW_AREA_NONE: the area "deep_water"]
  uint32_t cookie;    ///< Set by lw_water_def_default(). Do not set.
} lw_water_def;

/// @return The defaults of all fields.
LW_API lw_water_def lw_water_def_default(void);
/// Add a body of water.
/// @param water  Copied, with its points.
/// @return LW_OK; LW_INVALID: a field is out of range, named in `error`; LW_LIMIT: more than 4096 points;
///   LW_OUT_OF_MEMORY.
LW_API lw_status lw_geometry_add_water(lw_geometry *geometry, const lw_water_def *water, lw_error *error);
/// @return How many marks and waters there are.
LW_API int lw_geometry_mark_count(const lw_geometry *geometry);

/* --- detail --- */

/// Least `max_edge` of a mark for detail. [m]
#define LW_DETAIL_EDGE_MIN 0.1f
/// Cut polygons smaller where ground matters more: of those that overlap the mark, no edge is longer than
/// `max_edge`, give or take a twentieth, seen from above. Ground, heights, areas and what is connected stay as
/// they are. Where marks overlap, the least `max_edge` counts.
/// @param where  A box or a polygon between two heights; its area is ignored. Copied, with its points.
/// @param max_edge  [m, LW_DETAIL_EDGE_MIN..LW_COORDINATE_MAX]
/// @return As lw_geometry_mark_area(); LW_INVALID also for a path, or another `max_edge`.
LW_API lw_status lw_geometry_mark_detail(lw_geometry *geometry, const lw_mark_def *where, float max_edge,
                                         lw_error *error);
/// @return How many marks for detail there are.
LW_API int lw_geometry_detail_count(const lw_geometry *geometry);

/* --- links and cover --- */

/// Add an off-mesh link. The bake moves each end to the nearest place on the navmesh and refuses a link if an
/// end has no such place within the link's radius (lw_navmesh_get_link() says why).
/// @param link  Copied.
/// @return LW_OK; LW_INVALID: a number is not finite or out of range, or there is no such kind or area;
///   LW_OUT_OF_MEMORY.
LW_API lw_status lw_geometry_add_link(lw_geometry *geometry, const lw_link_def *link, lw_error *error);
/// @return How many links there are.
LW_API int lw_geometry_link_count(const lw_geometry *geometry);

/// Forbid cover at walls within a region: no cover segment is found where the part of the wall that hides an
/// agent shares a height with the region. So cover at the same wall on other storeys stays. Walls hide as
/// before, and cover from lw_geometry_add_cover() stays.
/// @param where  A box, which may be that of the wall itself, or a polygon; its area is ignored. Copied, with
///   its points.
/// @return As lw_geometry_mark_area(); LW_INVALID also for a path.
LW_API lw_status lw_geometry_forbid_cover(lw_geometry *geometry, const lw_mark_def *where, lw_error *error);

/// The side of a line on which an agent takes cover, seen from `from` towards `to`.
typedef enum lw_cover_side { LW_COVER_LEFT_SIDE, LW_COVER_RIGHT_SIDE, LW_COVER_BOTH_SIDES } lw_cover_side;
/// The least length of added cover, and of a cover segment. [m]
#define LW_COVER_LENGTH_MIN 0.25f

/// Cover where the bake finds no wall: a hedge, a smashed car. It becomes cover segments where there is ground
/// beside it, within half a metre of its height. It blocks no sight: only triangles do. Sides without such
/// ground are left out. Start from lw_cover_def_default().
typedef struct lw_cover_def {
  lw_vec3 from;       ///< One end of its face, at the height of the ground. [m]
  lw_vec3 to;         ///< The other end, at least LW_COVER_LENGTH_MIN away in xz. [m]
  float bottom;       ///< Lower edge of the part that hides, above the ground. [m, >= 0, default 0]
  float height;       ///< Upper edge of the part that hides, above the ground. [m, > bottom, default 1]
  lw_cover_side side; ///< Where agents take cover. [default LW_COVER_BOTH_SIDES]
  lw_cover_kind kind; ///< LW_COVER_HARD or LW_COVER_SOFT. [default LW_COVER_HARD]
  uint32_t cookie;    ///< Set by lw_cover_def_default(). Do not set.
} lw_cover_def;
/// @return The defaults of all fields.
LW_API lw_cover_def lw_cover_def_default(void);
/// Add cover. The bake refuses it if no side has ground (lw_navmesh_get_added_cover() tells).
/// @param cover  Copied.
/// @return LW_OK; LW_INVALID: a field is out of range, named in `error`; LW_OUT_OF_MEMORY.
LW_API lw_status lw_geometry_add_cover(lw_geometry *geometry, const lw_cover_def *cover, lw_error *error);

/* --- seeds --- */

/// How far a seed may be from the ground. [m]
#define LW_SEED_DISTANCE 2.0f
/// Add a seed: a place where agents begin. With seeds, a bake leaves out what nobody can reach from any of them
/// over ground and links, whatever the profile. One further than LW_SEED_DISTANCE from the ground does not
/// count, with a note in lw_bake_report; nor do those of a part. A rebuild with seeds bakes every tile.
/// @param at  [m] @return LW_OK; LW_INVALID: not finite or out of range, named in `error`; LW_OUT_OF_MEMORY.
LW_API lw_status lw_geometry_add_seed(lw_geometry *geometry, lw_vec3 at, lw_error *error);
/// @return How many seeds there are.
LW_API int lw_geometry_seed_count(const lw_geometry *geometry);

/// Remove the newest marks, waters, links and seeds.
/// @param mark_count  How many marks and waters stay, the oldest: an earlier result of
///   lw_geometry_mark_count().
/// @param link_count  How many links stay, the oldest: an earlier result of lw_geometry_link_count().
/// @param seed_count  How many seeds stay, the oldest: an earlier result of lw_geometry_seed_count().
LW_API void lw_geometry_forget(lw_geometry *geometry, int mark_count, int link_count, int seed_count);

/* --- files --- */

/// What becomes of triangles of a material of an imported file.
typedef struct lw_material_rule {
  bool ignored;        ///< Leave its triangles out, like those of the surface of a liquid.
  lw_area_id area;     ///< LW_AREA_NONE: solid, never walkable.
  lw_cover_kind cover; ///< LW_COVER_DEFAULT: as the area says when it is added. [default that]
} lw_material_rule;

#define LW_IMPORT_MEMORY_DEFAULT 900000000ull   ///< Of `memory`. [bytes]
#define LW_IMPORT_MEMORY_MIN 64000000ull        ///< Least `memory`; Assimp itself needs a third. [bytes]
#define LW_IMPORT_MEMORY_LIMIT 1000000000000ull ///< Greatest `memory`. [bytes]
#define LW_IMPORT_SECONDS_DEFAULT 60            ///< Of `seconds`. [s]
#define LW_IMPORT_SECONDS_LIMIT 86400           ///< Greatest `seconds`. [s]
#define LW_IMPORT_ALLOWED_LIMIT 256             ///< Greatest `allowed_count`.

/// How to import a file, which may be hostile. A process of its own reads it: leeward_import, a program beside
/// libleeward_bake.so. The file may crash it or exceed its limits, and the caller gets an error. It inherits
/// environment and working folder, but no open file, and writes nothing.
typedef struct lw_geometry_import {
  /// Called once for each material; `name` is valid during the call. [NULL: all is the first area of the table]
  lw_material_rule (*rule)(void *user, const char *name);
  void *user; ///< Handed to `rule`.
  /// Files and whole folders, which must exist, to which a glTF file may refer for its buffers, beside all of
  /// its own folder. Links count as what they lead to; pipes and devices are refused. Other formats have no
  /// file opened for them: an OBJ keeps its own names of materials. [allowed_count]
  const char *const *allowed;
  int allowed_count; ///< [0..LW_IMPORT_ALLOWED_LIMIT]
  /// Of the process, looked at every few milliseconds; of all files in sum; of what is handed back. A million
  /// triangles take about 600 MB. [bytes, LW_IMPORT_MEMORY_MIN..LW_IMPORT_MEMORY_LIMIT, 0:
  /// LW_IMPORT_MEMORY_DEFAULT]
  uint64_t memory;
  /// Processor time of the process, which also ends after four times that of real time. Its stack has 8 MiB.
  /// [s, 1..LW_IMPORT_SECONDS_LIMIT, 0: LW_IMPORT_SECONDS_DEFAULT]
  int seconds;
  /// Read the file in the calling process, for systems without child processes. Files, nesting and faces
  /// are checked there, too, but a hostile file may still crash the caller or take its memory.
  bool in_process;
} lw_geometry_import;

/// Read a level file through Assimp and add its triangles: .obj (at most 4096 materials; a fourth number of a
/// vertex divides its position), .gltf and .glb (glTF 2.0), .fbx, .dae, .ply, .stl, .off (faces of at most 9
/// corners) or .3ds. Needs libleeward_bake.so and leeward_import. On an error nothing is added.
/// @param import  Borrowed for the call. NULL: all is the first area of the table.
/// @return LW_OK; LW_FILE: unreadable, or its reader was ended; LW_BAD_FILE: of another format or damaged;
///   LW_EMPTY: no triangles; LW_INVALID: `import`, neither rule nor area, NaN, an index out of range; LW_LIMIT:
///   `memory`, `seconds`; LW_NO_BAKE: no library or leeward_import; LW_OUT_OF_MEMORY. Named in `error`.
LW_API lw_status lw_geometry_load(lw_geometry *geometry, const char *file, const lw_geometry_import *import,
                                  lw_error *error);

/// What a volume of a gset file does.
typedef enum lw_gset_volume {
  LW_GSET_UNKNOWN, ///< The file is refused.
  LW_GSET_NOTHING, ///< The ground stays as it is.
  LW_GSET_MARK,    ///< Ground between its heights becomes `area`.
  LW_GSET_WATER    ///< Ground between its heights is under water, whose surface is the volume's top.
} lw_gset_volume;
/// What an area code of a gset file means.
typedef struct lw_gset_rule {
  lw_gset_volume volume; ///< What volumes of this code do.
  /// Of marks (LW_AREA_NONE: agents may not enter), and the area that links are priced as.
  lw_area_id area;
  lw_link_kind link; ///< The kind of links of this code.
} lw_gset_rule;
/// How to read a gset file.
typedef struct lw_gset_options {
  /// Called for each area code. [NULL: 0 is the area "ground", 1 water, 2 "road", 3 "door", 4 "grass", 6
  /// "unsafe", 7 never walkable; links of code 3 are doors and of code 8 ladders, all others jumps]
  lw_gset_rule (*rule)(void *user, int code);
  void *user; ///< Handed to `rule`.
} lw_gset_options;

/// Add the links and volumes of a file in RecastDemo's format (.gset), in order, and its seeds, which only
/// leeward knows: lines `p X Y Z`. The level that it names and its settings are ignored. On an error nothing is
/// added.
/// @param options  Borrowed for the call. NULL: the defaults.
/// @return LW_OK; LW_FILE: missing or unreadable; LW_BAD_FILE: a line is not understood, a volume is not
///   convex or has more than 256 corners, or an area code has no meaning, with the number of the line; or the
///   file is larger than 1 MiB; LW_OUT_OF_MEMORY.
LW_API lw_status lw_geometry_load_gset(lw_geometry *geometry, const char *file, const lw_gset_options *options,
                                       lw_error *error);

/* --- reading --- */

/// @return How many vertices there are.
LW_API int lw_geometry_vertex_count(const lw_geometry *geometry);
/// @return How many triangles there are.
LW_API int lw_geometry_triangle_count(const lw_geometry *geometry);
/// @return The bounds; all 0 without triangles. [m]
LW_API lw_box lw_geometry_bounds(const lw_geometry *geometry);
/// @return [3 * triangle_count] Borrowed until the geometry changes.
LW_API const int *lw_geometry_indices(const lw_geometry *geometry);
/// @return [vertex_count] Borrowed until the geometry changes. [m]
LW_API const lw_vec3 *lw_geometry_vertices(const lw_geometry *geometry);
/// @return [triangle_count] Borrowed until the geometry changes.
LW_API const lw_area_id *lw_geometry_areas(const lw_geometry *geometry);
/// @return [triangle_count] of lw_cover_kind, never LW_COVER_DEFAULT. Borrowed until the geometry changes.
LW_API const uint8_t *lw_geometry_covers(const lw_geometry *geometry);
/// @return The area table that the geometry was created with. Borrowed from its owner.
LW_API const lw_area_table *lw_geometry_area_table(const lw_geometry *geometry);

#ifdef __cplusplus
}
#endif
#endif
