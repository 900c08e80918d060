/// Tiles of finished navmeshes as sources of another.
#ifndef LW_MESH_SOURCES_H
#define LW_MESH_SOURCES_H

#include "mesh/build.h"
#include "mesh/mesh.h"

/// A copy of a tile.
typedef struct lwi_tile_copy {
  void *block; ///< Its source points into it.
  size_t size;
} lwi_tile_copy;

/// Begin with zeros and `memory`; free it also after a failure.
typedef struct lwi_sources {
  lwi_memory memory;
  int count;
  lwi_tile_source *tiles; ///< [count] Their arrays are copies and may be written to.
  int tile_capacity, copy_count, copy_capacity;
  lwi_tile_copy *copies; ///< [copy_count]
} lwi_sources;

/// Copy all of a navmesh's tiles. @return false: no memory.
bool lwi_sources_add(lwi_sources *sources, const lw_navmesh *mesh);
/// Copy those of its tiles that are wanted. @return false: no memory.
bool lwi_sources_add_some(lwi_sources *sources, const lw_navmesh *mesh,
                          bool (*wanted)(const void *user, const lw_navmesh *mesh, const lwi_tile *tile),
                          const void *user);
void lwi_sources_free(lwi_sources *sources);
/// Build a navmesh of these tiles, in all else that is not theirs like another one.
/// @param annotations  Copied. NULL: those of `like`. @param allocator  Of the navmesh. NULL: the C library's.
/// @return As lwi_navmesh_build().
lw_status lwi_sources_build(const lwi_sources *sources, const lw_navmesh *like,
                            const lwi_annotations *annotations, const lw_allocator *allocator,
                            lw_navmesh **navmesh, lw_error *error);

#endif
