/// DetourTileCache: Detour's navmesh with temporary obstacles. For benchmarks.
#ifndef LW_TESTS_TILE_CACHE_PEER_H
#define LW_TESTS_TILE_CACHE_PEER_H

#include "recast_peer.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tile_cache tile_cache;

/// Build every tile as Recast's Sample_TempObstacles does. @return NULL: it failed. Freed by tile_cache_destroy().
tile_cache *tile_cache_create(const recast_job *job, int obstacles_max);
void tile_cache_destroy(tile_cache *cache);

/// Queue a box, turned about y. @param half  Half sizes. @return 0: refused.
unsigned tile_cache_add(tile_cache *cache, const float center[3], const float half[3], float yaw);
void tile_cache_remove(tile_cache *cache, unsigned obstacle);
/// Until the navmesh is up to date. @return false: it failed.
bool tile_cache_update(tile_cache *cache);
/// Is there a polygon within 0.1 m of a place in xz, and 2 m in height?
bool tile_cache_is_walkable(tile_cache *cache, const float at[3]);

#ifdef __cplusplus
}
#endif
#endif
