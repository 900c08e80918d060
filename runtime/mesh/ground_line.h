/// The surface of one polygon under a straight line.
#ifndef LW_MESH_GROUND_LINE_H
#define LW_MESH_GROUND_LINE_H

#include "mesh/slopes.h"

/// A place on the line where the surface under it changes slope.
typedef struct lwi_ground_crease {
  float t; ///< From the line's start to its end. [0..1, both excluded]
  float y; ///< Of the surface there. [m]
} lwi_ground_crease;

/// A line leaves each triangle of a polygon's surface once, and passes each of its vertices once.
#define LWI_GROUND_CREASES_MAX (3 * LWI_SURFACE_VERTICES)

/// A line over a polygon.
typedef struct lwi_ground_line {
  lw_vec3 from;     ///< On the surface. [m]
  lw_vec3 to;       ///< Where `is_crossing`, its height becomes that of the surface. [m]
  bool is_crossing; ///< It ends on the polygon's outline.
  float slack;      ///< [m, >= 0]
} lwi_ground_line;

/// The polygon on whose surface a polygon lies, if that is level: then all of it has the height of corner 0 and
/// no line over it meets a crease. @return Of no corners: it is not level.
static inline lwi_polygon lwi_level_surface(const lw_navmesh *mesh, uint32_t polygon) {
  const uint32_t origin = lwi_origin_of(mesh, polygon); /* a piece lies on the surface that it was cut from */
  if (lwi_surface_of(mesh, origin) != LWI_SURFACE_LEVEL) return (lwi_polygon){NULL, 0};
  return lwi_polygon_get(mesh, origin);
}

/// The creases of the surface under a line, in order: as few as leave straight lines between them, the start
/// and the end nowhere further than `slack` from the surface.
/// @param[out] creases  [LWI_GROUND_CREASES_MAX] @return Their count.
int lwi_ground_line_creases(const lw_navmesh *mesh, uint32_t polygon, lwi_ground_line *line,
                            lwi_ground_crease *creases);

#endif
