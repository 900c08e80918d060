/// What files of the runtime may know of a geometry beyond leeward/geometry.h.
#ifndef LW_GEOMETRY_GEOMETRY_H
#define LW_GEOMETRY_GEOMETRY_H

#include "core/memory.h"
#include "leeward/geometry.h"

/// No coordinate lies further from 0. [m]
#define LWI_COORDINATE_MAX LW_COORDINATE_MAX

/// A mark as the bake needs it. A box has become a polygon, a spline a polyline.
typedef struct lwi_mark {
  lw_area_id area;
  bool is_path, is_closed; ///< A closed path's last point joins its first, which is not repeated.
  float half_width;        ///< [m]
  float bottom, top;       ///< [m] A path's are relative to it. May be infinite. A water's top is its level.
  /* Of a body of water, whose polygon need not be convex: `area` is for its shallows. */
  bool is_water;
  lw_area_id deep_area;
  float wade; ///< Deeper water is `deep_area`. [m]
  int first_point, point_count;
  lw_box bounds; ///< Of all that it covers in x and z; y means nothing.
} lwi_mark;

/// All marks of a geometry, in order.
typedef struct lwi_marks {
  lwi_mark *items;
  lw_vec3 *points; ///< Polygons' are counter-clockwise.
  int count, capacity, point_count, point_capacity;
} lwi_marks;

/// Links to be joined to the navmesh, in order.
typedef struct lwi_links {
  lw_link_def *items;
  int count, capacity;
} lwi_links;

/// Cover to be added, in order.
typedef struct lwi_covers {
  lw_cover_def *items;
  int count, capacity;
} lwi_covers;

/// @return The same allocator, counting from 0: for scratch memory.
lwi_memory lwi_geometry_memory(const lw_geometry *geometry);

/// @return Borrowed, valid until the geometry changes.
const lwi_marks *lwi_geometry_marks(const lw_geometry *geometry);
/// geometry_marks.c: check a mark and add it, or leave `marks` as they were.
lw_status lwi_marks_add(lwi_marks *marks, const lw_mark_def *def, lwi_memory *memory, lw_error *error);
/// geometry_water.c: the same for water; the areas are known to be there.
lw_status lwi_marks_add_water(lwi_marks *marks, const lw_water_def *def, lwi_memory *memory, lw_error *error);
void lwi_marks_free(lwi_marks *marks, lwi_memory *memory);
/// Forget all but the first `count`.
void lwi_marks_cut(lwi_marks *marks, int count);

/// @return Borrowed, valid until the geometry changes.
const lwi_links *lwi_geometry_links(const lw_geometry *geometry);
/// geometry_links.c: is the link fit to be joined? @param name  What to call it: "link" or "link 3".
lw_status lwi_link_check(const lw_link_def *def, const lw_area_table *areas, const char *name, lw_error *error);

/// @return Where no cover is wanted: boxes and polygons, convex. Borrowed, valid until the geometry changes.
const lwi_marks *lwi_geometry_vetoes(const lw_geometry *geometry);
/// @return Borrowed, valid until the geometry changes.
const lwi_covers *lwi_geometry_added_cover(const lw_geometry *geometry);
/// geometry_cover.c: is it fit to be added?
lw_status lwi_cover_check(const lw_cover_def *def, lw_error *error);

#endif
