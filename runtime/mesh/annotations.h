/// What a navmesh carries besides its polygons: the off-mesh links that were asked for, bodies of water, occluders and
/// cover.
#ifndef LW_MESH_ANNOTATIONS_H
#define LW_MESH_ANNOTATIONS_H

#include "leeward/link.h"
#include "mesh/cover.h"
#include "mesh/occluders.h"

/// An end of a link that was asked for, on the mesh.
typedef struct lwi_link_end {
  uint32_t polygon; ///< The nearest, LWI_NONE while nobody has looked.
  lw_vec3 at;       ///< The nearest place. [m]
  float distance;   ///< From where it was asked for. [m]
} lwi_link_end;

/// An off-mesh link that was asked for, and what became of it.
typedef struct lwi_request {
  lw_vec3 from, to;      ///< [m]
  float radius, length;  ///< [m] `length` is -1 for the straight distance.
  uint8_t kind;          ///< lw_link_kind.
  lw_area_id area;       ///< LW_AREA_NONE: the average of both ends.
  uint8_t bidirectional; ///< 0 or 1.
  uint8_t state;         ///< lw_link_state.
  lwi_link_end start, end;
} lwi_request;

/// A body of water: all that lies within a simple polygon, above `bottom` and below `level`.
typedef struct lwi_water {
  float level, bottom;               ///< [m] `bottom` may be -infinity.
  uint32_t first_point, point_count; ///< The waters' points lie one behind the other.
} lwi_water;

/// All of it, borrowed.
typedef struct lwi_annotations {
  uint32_t request_count, water_count, water_point_count;
  const lwi_request *requests; ///< [request_count] What became of them does not count.
  const lwi_water *waters;     ///< [water_count] In order: where they overlap, the later one counts.
  const lw_vec3 *water_points; ///< [water_point_count]
  lwi_occluders occluders;
  lwi_cover cover;
} lwi_annotations;

/// @param def  Checked by lwi_link_check(). @return A request that nobody has looked at.
lwi_request lwi_request_of(const lw_link_def *def);

#endif
