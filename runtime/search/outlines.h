/// Outlines of timed regions on one navmesh: which regions reach into a polygon, and points round them to turn
/// at.
///
/// The outline of a region is a convex polygon whose sides just miss the region. A path may turn at its
/// corners, and where its sides cross portals, so that it can follow the outline from polygon to polygon.
#ifndef LW_SEARCH_OUTLINES_H
#define LW_SEARCH_OUTLINES_H

#include "cost/timed_region.h"
#include "mesh/mesh.h"

/// Corners of a disc's outline.
#define LWI_DISC_CORNERS 16
/// Corners along each side of a lane; there are three more at each end.
#define LWI_LANE_SIDE 9

/// An outline keeps this far from its region, so that rounding never leads a path along it inside.
/// [m, and a part of the radius]
#define LWI_OUTLINE_CLEAR 0.002f
#define LWI_OUTLINE_CLEAR_PART 5e-4f
/// How far an outline's sides are from the center of the disc, or of the lane. [m]
static inline float lwi_outline_reach(const lwi_timed_shape *region) {
  return region->radius * (1 + LWI_OUTLINE_CLEAR_PART) + LWI_OUTLINE_CLEAR;
}

/// The box of an outline is wider than that of its region (lwi_timed_rectangle()) by no more than this, on each
/// side. @param radius  Of the region. [m]
static inline float lwi_outline_excess(float radius) {
  return 0.09F * radius + 0.01F; /* 1 / cos(22.5 degrees), at the ends of a lane, and what it keeps clear */
}

/// A convex polygon round a region.
typedef struct lwi_timed_outline {
  int count;
  lw_vec3 corners[2 * LWI_LANE_SIDE + 6]; ///< [count] In order; their heights do not matter.
  lw_box box;                             ///< Holds the region.
  /// A strip that holds the outline in xz: low <= x * across_x + z * across_z <= high. A disc's is all of xz.
  double across_x, across_z, low, high;
} lwi_timed_outline;
lwi_timed_outline lwi_timed_outline_make(lwi_timed_kind kind, const lwi_timed_shape *region);

/// A point of an outline to turn at.
typedef struct lwi_outline_point {
  lw_vec3 point; ///< On the surface of `polygon`, or on its edge.
  uint32_t polygon;
  uint32_t portal; ///< Of the polygon, by which it is left there; LWI_NONE: the point lies within it.
  uint32_t region; ///< Whose outline it is.
} lwi_outline_point;

/// A region that reaches into a polygon.
typedef struct lwi_outline_part {
  uint32_t region;   ///< LWI_NONE: removed.
  uint32_t base;     ///< In which polygon of the base, by which it is found,
  uint32_t polygon;  ///< and in which part of that.
  uint32_t next;     ///< An older region's part there, LWI_NONE: none,
  uint32_t previous; ///< and a newer one's.
  uint32_t first_place, place_count;
} lwi_outline_part;

/// The parts of one region.
typedef struct lwi_outline_range {
  uint32_t first, count;
  uint64_t serial; ///< Larger than those of older regions.
} lwi_outline_range;

/// Outlines of the regions of one kind. Parts and places stand in the order in which their regions were added;
/// those of removed regions stay as gaps until there are more gaps than others, so that adding and removing one
/// takes constant time.
typedef struct lwi_outline_index {
  lwi_memory *memory;
  const lw_navmesh *mesh;
  /// [polygons of the base] The newest part in it, or LWI_NONE. NULL: there was no region yet.
  uint32_t *heads;
  lwi_outline_part *parts;   ///< [part_count]
  lwi_outline_point *places; ///< [place_count]
  int part_count, part_capacity, place_count, place_capacity;
  int gaps;                  ///< Parts and places of removed regions.
  lwi_outline_range *ranges; ///< By region.
  int range_capacity;
  uint64_t version; ///< Changes whenever a region comes or goes. 0: none came yet.
  uint64_t created; ///< Regions that ever came.
} lwi_outline_index;

/// Add a region that is not in the index. @param region  Its number.
/// @return false: no memory, nothing was added.
bool lwi_outline_index_add(lwi_outline_index *index, uint32_t region, const lwi_timed_outline *outline);
/// Compute the parts of a region again, since polygons have changed. It keeps its place among the others.
/// @param region  In the index. @return false: no memory, and it is no longer in the index.
bool lwi_outline_index_renew(lwi_outline_index *index, uint32_t region, const lwi_timed_outline *outline);
/// @param region  In the index.
void lwi_outline_index_remove(lwi_outline_index *index, uint32_t region);
static inline bool lwi_outline_index_is_empty(const lwi_outline_index *index) {
  return index->part_count + index->place_count == index->gaps;
}
/// @return The serial of a part's region.
static inline uint64_t lwi_outline_serial(const lwi_outline_index *index, uint32_t part) {
  return index->ranges[index->parts[part].region].serial;
}
/// From a part of its chain on the first one in the polygon.
static inline uint32_t lwi_outline_in(const lwi_outline_index *outlines, uint32_t part, uint32_t polygon) {
  while (part != LWI_NONE && outlines->parts[part].polygon != polygon) part = outlines->parts[part].next;
  return part;
}
void lwi_outline_index_free(lwi_outline_index *index);

#endif
