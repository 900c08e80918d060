/// Buffers, views and accessors of a glTF file: that each lies within what it is part of.
#ifndef LW_GEOMETRY_GLTF_DATA_H
#define LW_GEOMETRY_GLTF_DATA_H

#include "geometry/gltf_text.h"

/// Readers of these lists.
lw_status lwi_gltf_read_buffers(lwi_gltf *gltf);
lw_status lwi_gltf_read_views(lwi_gltf *gltf);
lw_status lwi_gltf_read_accessors(lwi_gltf *gltf);
/// Check them once all are read.
lw_status lwi_gltf_check_data(const lwi_gltf *gltf);

/// @return Bytes of an accessor's number. 0: there is no such componentType.
uint32_t lwi_gltf_component_size(uint32_t component);
/// @return As it is written: "VEC3".
const char *lwi_gltf_type_name(const lwi_gltf_accessor *accessor);

#endif
