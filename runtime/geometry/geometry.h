/// A geometry inside the runtime: marks, links and cover as the bake reads them.
#ifndef LW_GEOMETRY_GEOMETRY_H
#define LW_GEOMETRY_GEOMETRY_H

#include "core/memory.h"
#include "leeward/geometry.h"

/// The largest coordinate. [m]
#define LWI_COORDINATE_MAX LW_COORDINATE_MAX

/// A mark as the bake reads it: boxes are polygons by now, splines polylines.
typedef struct lwi_mark {
  lw_area_id area;
  bool is_path, is_closed; ///< A closed path's last point joins its first, which is not repeated.
  float half_width;        ///< [m]
  float bottom, top;       ///< [m] A path's are relative to it. May be infinite. A water's top is its level.
  bool is_water;           ///< Its polygon need not be convex; `area` is for shallow ground.
  lw_area_id deep_area;
  float wade;     ///< Deeper water is `deep_area`. [m]
  float max_edge; ///< Of a mark for detail. [m]
  int first_point, point_count;
  lw_box bounds; ///< Of the ground that it covers, in x and z; y has no meaning.
} lwi_mark;

/// All marks of a geometry, in order.
typedef struct lwi_marks {
  lwi_mark *items;
  lw_vec3 *points; ///< Polygons' are counter-clockwise.
  int count, capacity, point_count, point_capacity;
} lwi_marks;

/// Links to be joined to the navmesh, in order.
typedef struct lwi_links {
  lw_link_def *items;                  ///< [count] Without their names.
  char (*names)[LW_LINK_NAME_MAX + 1]; ///< [count] "": none.
  int count, capacity, name_capacity;
} lwi_links;

/// Cover to be added, in order.
typedef struct lwi_covers {
  lw_cover_def *items;
  int count, capacity;
} lwi_covers;

/// Where agents begin, in order.
typedef struct lwi_seeds {
  lw_vec3 *items;
  int count, capacity;
} lwi_seeds;

/// A box or a ramp as the bake reads it: solid between an upper and a lower face, which are planes.
typedef struct lwi_solid {
  lw_vec3 top[3];  ///< A corner of the upper face, from above a parallelogram, and the two next to it.
  float bottom[3]; ///< Heights of the lower face under them. [m]
  int first_triangle, end_triangle; ///< Its faces, among the geometry's triangles.
} lwi_solid;

/// All solids of a geometry, in the order of their triangles.
typedef struct lwi_solids {
  lwi_solid *items;
  int count, capacity;
} lwi_solids;

/// @return Memory of the geometry's allocator whose count begins with 0: for scratch.
lwi_memory lwi_geometry_memory(const lw_geometry *geometry);

/// @return Borrowed, valid until the geometry changes.
const lwi_solids *lwi_geometry_solids(const lw_geometry *geometry);
/// @return The solid that a triangle is a face of; NULL: none.
const lwi_solid *lwi_geometry_solid_of(const lw_geometry *geometry, int triangle);

/// @return Borrowed, valid until the geometry changes.
const lwi_marks *lwi_geometry_marks(const lw_geometry *geometry);
/// Check a mark and add it, or leave `marks` as they were.
lw_status lwi_marks_add(lwi_marks *marks, const lw_mark_def *def, lwi_memory *memory, lw_error *error);
/// Check a body of water, whose areas exist, and add it, or leave `marks` as they were.
lw_status lwi_marks_add_water(lwi_marks *marks, const lw_water_def *def, lwi_memory *memory, lw_error *error);
void lwi_marks_free(lwi_marks *marks, lwi_memory *memory);
/// Remove all but the first `count` marks.
void lwi_marks_cut(lwi_marks *marks, int count);

/// @return Borrowed, valid until the geometry changes.
const lwi_links *lwi_geometry_links(const lw_geometry *geometry);
/// @return Borrowed, valid until the geometry changes.
const lwi_seeds *lwi_geometry_seeds(const lw_geometry *geometry);
/// Check a link's numbers. @param name  How messages call it: "link" or "link 3".
lw_status lwi_link_check(const lw_link_def *def, const lw_area_table *areas, const char *name, lw_error *error);

/// @return Convex polygons within which no cover is wanted. Borrowed, valid until the geometry changes.
const lwi_marks *lwi_geometry_vetoes(const lw_geometry *geometry);
/// @return Convex polygons within which polygons are cut smaller. Borrowed, valid until the geometry changes.
const lwi_marks *lwi_geometry_details(const lw_geometry *geometry);
/// @return Borrowed, valid until the geometry changes.
const lwi_covers *lwi_geometry_added_cover(const lw_geometry *geometry);
/// Check the numbers of cover to be added.
lw_status lwi_cover_check(const lw_cover_def *def, lw_error *error);

/// Check coordinates: finite and within LWI_COORDINATE_MAX.
/// @param where, field  As in the message "WHERE: FIELD is (1, nan, 0), expected ...".
lw_status lwi_check_point(const char *where, const char *field, lw_vec3 point, lw_error *error);
/// Check a length: > 0, or >= 0 where `zero`, and at most LWI_COORDINATE_MAX.
lw_status lwi_check_length(const char *where, const char *field, float length, bool zero, lw_error *error);

#endif
