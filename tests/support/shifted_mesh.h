/// A navmesh moved elsewhere: far from the origin floats are coarse.
#ifndef LW_TESTS_SHIFTED_MESH_H
#define LW_TESTS_SHIFTED_MESH_H

#include "leeward/navmesh.h"

/// The same polygons and detail, every x and z rounded to a float after the shift; off-mesh links are left out.
/// Fails the test when there is no mesh.
lw_navmesh *support_shifted(const lw_navmesh *mesh, double x, double z);

#endif
