/// Meshes of a glTF file: that each primitive has corners that can be read as triangles.
#ifndef LW_GEOMETRY_GLTF_MESHES_H
#define LW_GEOMETRY_GLTF_MESHES_H

#include "geometry/gltf_text.h"

/// A reader of the list.
lw_status lwi_gltf_read_meshes(lwi_gltf *gltf);
/// Check them once all is read, and data and nodes have been checked.
/// @param[out] triangles  How many the scene places.
lw_status lwi_gltf_check_meshes(const lwi_gltf *gltf, uint64_t *triangles);

#endif
