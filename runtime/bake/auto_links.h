/// Links that the bake finds by itself: drops from ledges and jumps over gaps.
///
/// Along each border of the navmesh, places half a metre apart are tried. From each, a drop leads straight out
/// over the edge, then down, and a jump along the parabola that agents take, to the border across. The body has
/// to be free of the level's triangles all along, but for what is lower than agent_climb above its feet. Links
/// whose ends a short walk joins are left out, and those that begin and end near another of their kind.
///
/// What is tried at a place depends on the geometry and on the navmesh near it alone, so any number of threads
/// finds the same; which links are kept is decided in the order of polygons.
#ifndef LW_BAKE_AUTO_LINKS_H
#define LW_BAKE_AUTO_LINKS_H

#include "core/memory.h"
#include "leeward/bake.h"
#include "mesh/mesh.h"

/// A link is left out where a walk of at most this many times its length joins its ends.
#define LWI_AUTO_LINK_DETOUR 3.0f
/// Of two links of a kind that begin and end nearer to each other than this, one is left out. [m]
#define LWI_AUTO_LINK_SPACING 2.0f
/// How far beyond the ledge's edge and the agent's radius a drop may end. [m]
#define LWI_AUTO_DROP_OUT 1.0f
/// The greatest lengths in the settings. [m]
#define LWI_AUTO_LINK_MAX 100.0f

/// Find the links that report->used asks for, and join them to the navmesh, behind those of the geometry.
/// @param geometry  What the navmesh was baked of.
/// @param memory  For scratch; copies of it may be used by several threads.
/// @param report  `used` says what to find; `auto_links` and `auto_link_seconds` are set.
/// @return LW_OK; LW_OUT_OF_MEMORY: the navmesh may lack links, destroy it.
lw_status lwi_bake_auto_links(lw_navmesh *mesh, const lw_geometry *geometry, const lwi_memory *memory,
                              lw_bake_report *report, lw_error *error);

#endif
