/// Our navmesh handed to Detour, polygon for polygon.
#ifndef LW_TESTS_PEER_MESH_H
#define LW_TESTS_PEER_MESH_H

#include "detour_peer.h"
#include "mesh/mesh.h"

/// Edges that two polygons of a tile share are found here again, not taken from our portals; edges on a tile's
/// border are left to Detour to join. @param mesh  At most 6 corners a polygon. @param cell  Cell size of the
/// bake [m]; of a mesh that was not baked: a step that all vertices lie on.
/// @return NULL, with the reason in `message`. The caller frees it with peer_destroy().
peer *peer_create(const lw_navmesh *mesh, float cell, char *message, size_t size);

#endif
