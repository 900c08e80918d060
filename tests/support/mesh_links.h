/// Off-mesh links for little meshes.
#ifndef LW_TESTS_MESH_LINKS_H
#define LW_TESTS_MESH_LINKS_H

#include "mesh/mesh.h"

/// A one-way link between two places, which are moved onto the mesh within a metre.
typedef struct support_link {
  lw_link_kind kind;
  lw_vec3 from, to;
  float length; ///< Below 0: the straight distance. [m]
  lw_area_id area;
} support_link;

/// Join the links into a mesh that has none. Fails the test where there is no mesh.
void support_add_links(lw_navmesh *mesh, const support_link *links, int count);

#endif
