/// The search for drops and jumps from the borders of one polygon.
#ifndef LW_BAKE_AUTO_LINK_SEARCH_H
#define LW_BAKE_AUTO_LINK_SEARCH_H

#include "bake/body_sweep.h"
#include "bake/near_ground.h"
#include "bake/short_walk.h"
#include "leeward/bake.h"

/// What is searched. Borrowed, and only read.
typedef struct lwi_auto_link_places {
  const lw_navmesh *mesh;
  const lw_geometry *geometry;    ///< What it was baked of.
  const lwi_ground_space *ground; ///< Its polygons.
  const lwi_solid_space *space;   ///< The geometry's triangles.
  const lw_bake_settings *used;   ///< Rounded to the voxel grid.
} lwi_auto_link_places;

/// A link that an agent could take and that saves a walk.
typedef struct lwi_auto_link {
  lw_vec3 from, to; ///< On the navmesh. [m]
  uint8_t kind;     ///< LW_LINK_DROP or LW_LINK_JUMP.
  bool both;        ///< It leads in both directions.
} lwi_auto_link;

/// One thread's links and scratch. Begin with zeros, `places` and `memory`.
typedef struct lwi_auto_link_search {
  const lwi_auto_link_places *places;
  lwi_memory *memory;
  lwi_auto_link *items; ///< [count] In the order of polygons, edges and places along them.
  int count, capacity;
  lwi_box_list ground; ///< Polygons near the border.
  lwi_box_list near;   ///< Triangles near the link.
  lwi_short_walk walk;
} lwi_auto_link_search;

/// Search along the borders of a polygon. @return false: no memory.
bool lwi_auto_link_search_polygon(lwi_auto_link_search *search, uint32_t polygon);
/// Free the scratch; the links stay.
void lwi_auto_link_search_end(lwi_auto_link_search *search);

/// How far links may reach from where they begin, in any direction. [m]
float lwi_auto_link_reach(const lw_bake_settings *used);

#endif
