#include "tile_cache_peer.h"

#include "recast_tiles.h"

#include <DetourCommon.h>
#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <DetourNavMeshQuery.h>
#include <DetourTileCache.h>
#include <DetourTileCacheBuilder.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace {

/// Layers are kept as they are: the time for packing them is not what is measured.
struct Plain : dtTileCacheCompressor {
  int maxCompressedSize(const int size) override { return size; }
  dtStatus compress(const unsigned char *from, const int size, unsigned char *to, const int,
                    int *length) override {
    std::memcpy(to, from, static_cast<size_t>(size));
    *length = size;
    return DT_SUCCESS;
  }
  dtStatus decompress(const unsigned char *from, const int size, unsigned char *to, const int,
                      int *length) override {
    std::memcpy(to, from, static_cast<size_t>(size));
    *length = size;
    return DT_SUCCESS;
  }
};

/// As the sample has it: all memory of an update is given back at its end.
struct Linear : dtTileCacheAlloc {
  std::vector<unsigned char> buffer = std::vector<unsigned char>(1 << 20);
  size_t top = 0;
  void reset() override { top = 0; }
  void *alloc(const size_t size) override {
    const size_t padded = (size + 15) / 16 * 16;
    if (top + padded > buffer.size()) return nullptr;
    void *block = &buffer[top];
    top += padded;
    return block;
  }
  void free(void *) override {}
};

struct Walkable : dtTileCacheMeshProcess {
  void process(dtNavMeshCreateParams *params, unsigned char *areas, unsigned short *flags) override {
    for (int i = 0; i < params->polyCount; ++i) flags[i] = areas[i] == DT_TILECACHE_WALKABLE_AREA ? 1 : 0;
  }
};

int log2_of(unsigned value) {
  int bits = 0;
  while ((1U << bits) < value) ++bits;
  return bits;
}

struct Field {
  rcHeightfield *field = rcAllocHeightfield();
  rcCompactHeightfield *compact = rcAllocCompactHeightfield();
  rcHeightfieldLayerSet *layers = rcAllocHeightfieldLayerSet();
  Field() = default;
  Field(const Field &) = delete;
  Field &operator=(const Field &) = delete;
  ~Field() {
    rcFreeHeightField(field);
    rcFreeCompactHeightfield(compact);
    rcFreeHeightfieldLayerSet(layers);
  }
};

} // namespace

struct tile_cache {
  Plain compressor;
  Linear memory;
  Walkable process;
  dtTileCache *cache = dtAllocTileCache();
  dtNavMesh *mesh = dtAllocNavMesh();
  dtNavMeshQuery *query = dtAllocNavMeshQuery();
  dtQueryFilter filter;
  tile_cache() = default;
  tile_cache(const tile_cache &) = delete;
  tile_cache &operator=(const tile_cache &) = delete;
  ~tile_cache() {
    dtFreeNavMeshQuery(query);
    dtFreeNavMesh(mesh);
    dtFreeTileCache(cache);
  }
};

static bool add_layer(tile_cache &to, const rcHeightfieldLayer &layer, int x, int z, int number) {
  dtTileCacheLayerHeader header{};
  header.magic = DT_TILECACHE_MAGIC;
  header.version = DT_TILECACHE_VERSION;
  header.tx = x;
  header.ty = z;
  header.tlayer = number;
  dtVcopy(header.bmin, layer.bmin);
  dtVcopy(header.bmax, layer.bmax);
  header.width = static_cast<unsigned char>(layer.width);
  header.height = static_cast<unsigned char>(layer.height);
  header.minx = static_cast<unsigned char>(layer.minx);
  header.maxx = static_cast<unsigned char>(layer.maxx);
  header.miny = static_cast<unsigned char>(layer.miny);
  header.maxy = static_cast<unsigned char>(layer.maxy);
  header.hmin = static_cast<unsigned short>(layer.hmin);
  header.hmax = static_cast<unsigned short>(layer.hmax);
  unsigned char *data = nullptr;
  int size = 0;
  dtCompressedTileRef ref = 0;
  if (dtStatusFailed(
          dtBuildTileCacheLayer(&to.compressor, &header, layer.heights, layer.areas, layer.cons, &data, &size)))
    return false;
  if (dtStatusSucceed(to.cache->addTile(data, size, DT_COMPRESSEDTILE_FREE_DATA, &ref))) return true;
  dtFree(data);
  return false;
}

static bool add_tile(tile_cache &to, rcContext &context, const recast_job &job, const RecastGrid &grid, int x,
                     int z, const RecastTriangles &triangles) {
  Field field;
  if (!field.field || !field.compact || !field.layers) return false;
  if (!recast_voxels(context, job, grid, x, z, triangles, *field.field, *field.compact) ||
      !rcBuildHeightfieldLayers(&context, *field.compact, grid.border, job.height, *field.layers))
    return false;
  for (int i = 0; i < field.layers->nlayers; ++i)
    if (!add_layer(to, field.layers->layers[i], x, z, i)) return false;
  return dtStatusSucceed(to.cache->buildNavMeshTilesAt(x, z, to.mesh));
}

static bool init(tile_cache &to, const recast_job &job, const RecastGrid &grid, int obstacles_max) {
  const int layers = 4 * grid.columns * grid.rows;
  dtTileCacheParams params{};
  dtVcopy(params.orig, job.min);
  params.cs = job.cell;
  params.ch = job.cell_height;
  params.width = params.height = job.tile_cells;
  params.walkableHeight = static_cast<float>(job.height) * job.cell_height;
  params.walkableRadius = static_cast<float>(job.radius) * job.cell;
  params.walkableClimb = static_cast<float>(job.climb) * job.cell_height;
  params.maxSimplificationError = job.max_edge_error;
  params.maxTiles = layers;
  params.maxObstacles = obstacles_max;
  dtNavMeshParams mesh{};
  dtVcopy(mesh.orig, job.min);
  mesh.tileWidth = mesh.tileHeight = grid.tile;
  const int bits = std::min(log2_of(static_cast<unsigned>(layers)), 14);
  mesh.maxTiles = 1 << bits;
  mesh.maxPolys = 1 << (22 - bits);
  to.filter.setIncludeFlags(1);
  return dtStatusSucceed(to.cache->init(&params, &to.memory, &to.compressor, &to.process)) &&
         dtStatusSucceed(to.mesh->init(&mesh)) && dtStatusSucceed(to.query->init(to.mesh, 512));
}

tile_cache *tile_cache_create(const recast_job *job, int obstacles_max) {
  tile_cache *made = new tile_cache;
  rcContext context(false);
  const RecastGrid grid = recast_grid(*job);
  bool done = init(*made, *job, grid, obstacles_max);
  const std::vector<RecastTriangles> tiles = recast_sort(context, *job, grid);
  for (int z = 0; z < grid.rows && done; ++z)
    for (int x = 0; x < grid.columns && done; ++x) {
      const RecastTriangles &triangles = tiles[static_cast<size_t>(z * grid.columns + x)];
      done = triangles.areas.empty() || add_tile(*made, context, *job, grid, x, z, triangles);
    }
  if (done) return made;
  delete made;
  return nullptr;
}

void tile_cache_destroy(tile_cache *cache) {
  delete cache;
}

unsigned tile_cache_add(tile_cache *cache, const float center[3], const float half[3], float yaw) {
  dtObstacleRef ref = 0;
  return dtStatusSucceed(cache->cache->addBoxObstacle(center, half, yaw, &ref)) ? ref : 0;
}

void tile_cache_remove(tile_cache *cache, unsigned obstacle) {
  cache->cache->removeObstacle(obstacle);
}

bool tile_cache_update(tile_cache *cache) {
  for (bool done = false; !done;)
    if (dtStatusFailed(cache->cache->update(0, cache->mesh, &done))) return false;
  return true;
}

bool tile_cache_is_walkable(tile_cache *cache, const float at[3]) {
  static const float half[3] = {0.1f, 2, 0.1f};
  dtPolyRef found = 0;
  float nearest[3];
  return dtStatusSucceed(cache->query->findNearestPoly(at, half, &cache->filter, &found, nearest)) &&
         found != 0;
}
