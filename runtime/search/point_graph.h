/// The points that are searched where metres cost differently (point_search.h), and over which bounds at prices
/// are measured (price_tables.h).
#ifndef LW_SEARCH_POINT_GRAPH_H
#define LW_SEARCH_POINT_GRAPH_H

#include "mesh/mesh.h"

/// Behind the coordinates of points, so that four may be read at a time.
#define LWI_POINTS_READ_BEYOND 3

/// A point as one polygon has it.
typedef struct lwi_point_member {
  uint32_t next;    ///< The same point as another polygon has it, and so on until it is this one again.
  uint32_t polygon; ///< That has it.
} lwi_point_member;

/// Points of the portals of a navmesh as it was baked, and the ends of its links. Ends of portals that meet
/// are one point.
typedef struct lwi_point_graph {
  const lw_navmesh *base;
  uint32_t portal_count, polygon_count, point_count, id_count;
  uint32_t end_count;        ///< The first points are ends of portals.
  uint32_t membership_count; ///< Of `of_polygon` and of `polygons`.
  lw_vec3 *places;           ///< [point_count] [m]
  uint32_t *first_id;        ///< [portals + 1]
  uint32_t *ids;             ///< [id_count] Points of each portal, from left to right.
  uint32_t *first_of;        ///< [polygons + 1]
  uint32_t *of_polygon;      ///< Points of each polygon.
  /// [membership_count] Of the points in of_polygon: a portal of the polygon that has the point. Of links: not
  /// meaningful.
  uint32_t *portals;
  float *x, *y, *z;        ///< [membership_count + LWI_POINTS_READ_BEYOND] Where those points are. [m]
  lwi_point_member *pairs; ///< [membership_count] Of the points in of_polygon.
  uint32_t *member_of;     ///< [point_count] One of those of each point.
  uint32_t *first_polygon; ///< [point_count + 1]
  uint32_t *polygons;      ///< Polygons of each point.
  uint8_t highest_step;    ///< That any portal leads over.
  uint32_t link_points;    ///< The start of link i is point link_points + 2i, its end the next one.
} lwi_point_graph;

/// @return false: no memory, and nothing is held.
bool lwi_point_graph_make(lwi_point_graph *graph, lwi_memory *memory, const lw_navmesh *base);
void lwi_point_graph_free(lwi_point_graph *graph, lwi_memory *memory);
#endif
