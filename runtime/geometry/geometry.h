/// What files of the runtime may know of a geometry beyond leeward/geometry.h.
#ifndef LW_GEOMETRY_GEOMETRY_H
#define LW_GEOMETRY_GEOMETRY_H

#include "core/memory.h"
#include "leeward/geometry.h"

/// @return The same allocator, counting from 0: for scratch memory.
lwi_memory lwi_geometry_memory(const lw_geometry *geometry);

#endif
