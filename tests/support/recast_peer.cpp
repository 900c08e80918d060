#include "recast_tiles.h"

#include <algorithm>
#include <cmath>

namespace {

struct Tile {
  rcHeightfield *field = rcAllocHeightfield();
  rcCompactHeightfield *compact = rcAllocCompactHeightfield();
  rcContourSet *contours = rcAllocContourSet();
  rcPolyMesh *mesh = rcAllocPolyMesh();
  rcPolyMeshDetail *detail = rcAllocPolyMeshDetail();
  Tile() = default;
  Tile(const Tile &) = delete;
  Tile &operator=(const Tile &) = delete;
  ~Tile() {
    rcFreeHeightField(field);
    rcFreeCompactHeightfield(compact);
    rcFreeContourSet(contours);
    rcFreePolyMesh(mesh);
    rcFreePolyMeshDetail(detail);
  }
};

} // namespace

RecastGrid recast_grid(const recast_job &job) {
  RecastGrid grid{};
  grid.tile = static_cast<float>(job.tile_cells) * job.cell;
  grid.columns = std::max(1, static_cast<int>(std::ceil((job.max[0] - job.min[0]) / grid.tile)));
  grid.rows = std::max(1, static_cast<int>(std::ceil((job.max[2] - job.min[2]) / grid.tile)));
  grid.border = job.radius + 3;
  grid.pad = static_cast<float>(grid.border) * job.cell;
  return grid;
}

static int clamp(float value, int count) {
  return std::min(std::max(static_cast<int>(std::floor(value)), 0), count - 1);
}

std::vector<RecastTriangles> recast_sort(rcContext &context, const recast_job &job, const RecastGrid &grid) {
  std::vector<unsigned char> areas(static_cast<size_t>(job.triangle_count), 0);
  rcMarkWalkableTriangles(&context, job.slope, job.vertices, job.vertex_count, job.triangles,
                          job.triangle_count, areas.data());
  std::vector<RecastTriangles> tiles(static_cast<size_t>(grid.columns) * static_cast<size_t>(grid.rows));
  for (int t = 0; t < job.triangle_count; ++t) {
    const int *corners = &job.triangles[3 * t];
    float low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int k = 0; k < 3; ++k)
      for (int axis = 0; axis < 2; ++axis) {
        const float value = job.vertices[3 * corners[k] + 2 * axis] - job.min[2 * axis];
        low[axis] = std::min(low[axis], value);
        high[axis] = std::max(high[axis], value);
      }
    const int x0 = clamp((low[0] - grid.pad) / grid.tile, grid.columns);
    const int x1 = clamp((high[0] + grid.pad) / grid.tile, grid.columns);
    const int z0 = clamp((low[1] - grid.pad) / grid.tile, grid.rows);
    const int z1 = clamp((high[1] + grid.pad) / grid.tile, grid.rows);
    for (int z = z0; z <= z1; ++z)
      for (int x = x0; x <= x1; ++x) {
        RecastTriangles &tile = tiles[static_cast<size_t>(z * grid.columns + x)];
        tile.indices.insert(tile.indices.end(), corners, corners + 3);
        const size_t triangle = static_cast<size_t>(t);
        tile.areas.push_back(job.areas[t] ? areas[triangle] : static_cast<unsigned char>(RC_NULL_AREA));
      }
  }
  return tiles;
}

bool recast_voxels(rcContext &context, const recast_job &job, const RecastGrid &grid, int x, int z,
                   const RecastTriangles &triangles, rcHeightfield &field, rcCompactHeightfield &compact) {
  const int size = job.tile_cells + 2 * grid.border, count = static_cast<int>(triangles.areas.size());
  const float low[3] = {job.min[0] + static_cast<float>(x) * grid.tile - grid.pad, job.min[1],
                        job.min[2] + static_cast<float>(z) * grid.tile - grid.pad};
  const float high[3] = {low[0] + grid.tile + 2 * grid.pad, job.max[1], low[2] + grid.tile + 2 * grid.pad};
  if (!rcCreateHeightfield(&context, field, size, size, low, high, job.cell, job.cell_height) ||
      !rcRasterizeTriangles(&context, job.vertices, job.vertex_count, triangles.indices.data(),
                            triangles.areas.data(), count, field, job.climb))
    return false;
  rcFilterLowHangingWalkableObstacles(&context, job.climb, field);
  rcFilterLedgeSpans(&context, job.height, job.climb, field);
  rcFilterWalkableLowHeightSpans(&context, job.height, field);
  return rcBuildCompactHeightfield(&context, job.height, job.climb, field, compact) &&
         rcErodeWalkableArea(&context, job.radius, compact);
}

static bool build(rcContext &context, const recast_job &job, const RecastGrid &grid, int x, int z,
                  const RecastTriangles &triangles, int &polygons) {
  Tile tile;
  if (!tile.field || !tile.compact || !tile.contours || !tile.mesh || !tile.detail) return false;
  if (!recast_voxels(context, job, grid, x, z, triangles, *tile.field, *tile.compact) ||
      !rcBuildDistanceField(&context, *tile.compact) ||
      !rcBuildRegions(&context, *tile.compact, grid.border, job.min_region, job.merge_region) ||
      !rcBuildContours(&context, *tile.compact, job.max_edge_error, job.max_edge_length, *tile.contours) ||
      !rcBuildPolyMesh(&context, *tile.contours, 6, *tile.mesh) ||
      !rcBuildPolyMeshDetail(&context, *tile.mesh, *tile.compact, job.detail_distance, job.detail_error,
                             *tile.detail))
    return false;
  polygons += tile.mesh->npolys;
  return true;
}

bool recast_bake(const recast_job *job, int *polygons) {
  try {
    rcContext context(false);
    const RecastGrid grid = recast_grid(*job);
    const std::vector<RecastTriangles> tiles = recast_sort(context, *job, grid);
    *polygons = 0;
    for (int z = 0; z < grid.rows; ++z)
      for (int x = 0; x < grid.columns; ++x) {
        const RecastTriangles &triangles = tiles[static_cast<size_t>(z * grid.columns + x)];
        if (!triangles.areas.empty() && !build(context, *job, grid, x, z, triangles, *polygons)) return false;
      }
    return true;
  } catch (...) {
    return false;
  }
}
