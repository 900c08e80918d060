/// Nodes and scenes of a glTF file: that nodes form trees, and where they place their meshes.
#ifndef LW_GEOMETRY_GLTF_NODES_H
#define LW_GEOMETRY_GLTF_NODES_H

#include "geometry/gltf_text.h"

/// Readers of these members.
lw_status lwi_gltf_read_nodes(lwi_gltf *gltf);
lw_status lwi_gltf_read_scenes(lwi_gltf *gltf);
lw_status lwi_gltf_read_scene(lwi_gltf *gltf);
/// Check them once all is read, and find `mesh_times`.
lw_status lwi_gltf_check_nodes(lwi_gltf *gltf);

#endif
