/* The only place where Detour is called. It throws nothing: what allocates is caught. */
#include "detour_peer.h"

#include <DetourAlloc.h>
#include <DetourCommon.h>
#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <DetourNavMeshQuery.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <limits>
#include <vector>

namespace {

const int NODES_MAX = 65535; // Detour's limit
const int CORNERS_MAX = DT_VERTS_PER_POLYGON;

float *floats(lw_vec3 &v) {
  return &v.x;
}

uint32_t random_state = 1;
float next_random() {
  random_state = random_state * 1664525u + 1013904223u;
  return static_cast<float>(random_state >> 8) / 16777216.0f;
}

struct Failure : std::exception {
  explicit Failure(const char *text) : reason(text) {}
  const char *what() const noexcept override { return reason; }
  const char *reason;
};

} // namespace

struct peer {
  dtNavMesh *mesh = dtAllocNavMesh();
  dtNavMeshQuery *query = dtAllocNavMeshQuery();
  dtQueryFilter filter, priced;
  std::vector<dtPolyRef> refs;         // by our index
  std::vector<uint32_t> first_polygon; // by Detour's tile index
  std::vector<dtPolyRef> corridor, visited, passed;
  std::vector<lw_vec3> points;
  size_t bytes = 0;

  peer() = default;
  peer(const peer &) = delete;
  peer &operator=(const peer &) = delete;
  ~peer() {
    dtFreeNavMeshQuery(query);
    dtFreeNavMesh(mesh);
  }
  uint32_t index_of(dtPolyRef ref) const {
    unsigned salt, tile, polygon;
    mesh->decodePolyId(ref, salt, tile, polygon);
    return first_polygon[tile] + polygon;
  }
};

namespace {

unsigned bits_for(unsigned count) {
  unsigned bits = 0;
  while ((1u << bits) < count) ++bits;
  return bits;
}

void init_mesh(peer &detour, const peer_mesh &source) {
  unsigned polygons = 1, tiles = static_cast<unsigned>(source.tile_count);
  for (int i = 0; i < source.tile_count; ++i)
    polygons = std::max(
        polygons, static_cast<unsigned>(source.tiles[i].polygon_count + source.tiles[i].connection_count));
  dtNavMeshParams params{};
  const peer_tile &first = source.tiles[0];
  params.orig[0] = first.bounds.min.x - static_cast<float>(first.x) * source.tile_size;
  params.orig[1] = first.bounds.min.y;
  params.orig[2] = first.bounds.min.z - static_cast<float>(first.z) * source.tile_size;
  params.tileWidth = params.tileHeight = source.tile_size;
  params.maxTiles = 1 << bits_for(tiles);
  params.maxPolys = 1 << bits_for(polygons);
  if (bits_for(tiles) + bits_for(polygons) > 22)
    throw Failure("more tiles and polygons than a dtPolyRef can name");
  if (dtStatusFailed(detour.mesh->init(&params))) throw Failure("dtNavMesh::init failed");
  detour.first_polygon.resize(static_cast<size_t>(params.maxTiles));
}

/// dtCreateNavMeshData() computes corners from the grid in floats; ours are put in their place.
void put_exact_vertices(unsigned char *data, const peer_tile &tile) {
  const dtMeshHeader *header = reinterpret_cast<const dtMeshHeader *>(data);
  if (header->vertCount != tile.vertex_count + 2 * header->offMeshConCount)
    throw Failure("Detour changed the number of vertices");
  const size_t begin = static_cast<size_t>(dtAlign4(static_cast<int>(sizeof *header)));
  std::memcpy(data + begin, tile.vertices, sizeof(lw_vec3) * static_cast<size_t>(tile.vertex_count));
}

/// Off-mesh connections one way, each of radius 0.5 m.
struct Connections {
  explicit Connections(const peer_tile &tile)
      : count(tile.connection_count), ends(tile.connections), radii(size(), 0.5f), flags(size(), 1),
        areas(size()), directions(size()), users(size()) {}
  size_t size() const { return static_cast<size_t>(count); }
  void hand_to(dtNavMeshCreateParams &params) const {
    params.offMeshConCount = count;
    params.offMeshConVerts = ends;
    params.offMeshConRad = radii.data();
    params.offMeshConFlags = flags.data();
    params.offMeshConAreas = areas.data();
    params.offMeshConDir = directions.data();
    params.offMeshConUserID = users.data();
  }
  int count;
  const float *ends;
  std::vector<float> radii;
  std::vector<unsigned short> flags;
  std::vector<unsigned char> areas, directions;
  std::vector<unsigned> users;
};

void add_tile(peer &detour, const peer_mesh &source, const peer_tile &tile, uint32_t first_polygon) {
  const size_t polygons = static_cast<size_t>(tile.polygon_count);
  std::vector<unsigned short> flags(polygons, 1);
  std::vector<unsigned char> areas(polygons, 0);
  if (tile.areas) areas.assign(tile.areas, tile.areas + polygons);
  dtNavMeshCreateParams params{};
  params.verts = tile.grid;
  params.vertCount = tile.vertex_count;
  params.polys = tile.polygons;
  params.polyFlags = flags.data();
  params.polyAreas = areas.data();
  params.polyCount = tile.polygon_count;
  params.nvp = CORNERS_MAX;
  params.detailMeshes = tile.detail_meshes;
  params.detailVerts = tile.detail_vertices;
  params.detailVertsCount = tile.detail_vertex_count;
  params.detailTris = tile.detail_triangles;
  params.detailTriCount = tile.detail_triangle_count;
  params.tileX = tile.x;
  params.tileY = tile.z;
  std::memcpy(params.bmin, &tile.bounds.min, sizeof params.bmin);
  std::memcpy(params.bmax, &tile.bounds.max, sizeof params.bmax);
  params.walkableHeight = source.height;
  params.walkableRadius = source.radius;
  params.walkableClimb = source.climb;
  params.cs = tile.cell;
  params.ch = tile.cell_height;
  params.buildBvTree = true;
  const Connections connections(tile);
  connections.hand_to(params);
  unsigned char *data = nullptr;
  int size = 0;
  if (!dtCreateNavMeshData(&params, &data, &size)) throw Failure("dtCreateNavMeshData failed");
  put_exact_vertices(data, tile);
  dtTileRef ref = 0;
  if (dtStatusFailed(detour.mesh->addTile(data, size, DT_TILE_FREE_DATA, 0, &ref))) {
    dtFree(data);
    throw Failure("dtNavMesh::addTile failed");
  }
  detour.bytes += static_cast<size_t>(size);
  const dtMeshTile *added = detour.mesh->getTileByRef(ref);
  const dtPolyRef base = detour.mesh->getPolyRefBase(added);
  detour.first_polygon[detour.mesh->decodePolyIdTile(base)] = first_polygon;
  for (unsigned i = 0; i < static_cast<unsigned>(tile.polygon_count); ++i) detour.refs.push_back(base | i);
}

peer *create(const peer_mesh &source) {
  peer *detour = new peer;
  try {
    if (!detour->mesh || !detour->query) throw std::bad_alloc();
    init_mesh(*detour, source);
    uint32_t polygons = 0;
    for (int i = 0; i < source.tile_count; ++i) {
      add_tile(*detour, source, source.tiles[i], polygons);
      polygons += static_cast<uint32_t>(source.tiles[i].polygon_count);
    }
    if (dtStatusFailed(detour->query->init(detour->mesh, NODES_MAX)))
      throw Failure("dtNavMeshQuery::init failed");
    detour->corridor.resize(polygons + 1);
    detour->visited.resize(256);
    detour->points.resize(polygons + 2);
    detour->passed.resize(polygons + 2);
  } catch (...) {
    delete detour;
    throw;
  }
  return detour;
}

} // namespace

peer *peer_create_from(const peer_mesh *mesh, char *message, size_t size) {
  try {
    return create(*mesh);
  } catch (const std::exception &failure) {
    std::snprintf(message, size, "%s", failure.what());
  } catch (...) {
    std::snprintf(message, size, "unknown exception");
  }
  return nullptr;
}

void peer_destroy(peer *detour) {
  delete detour;
}

namespace {

/// As RecastDemo's Sample::saveAll() has them.
struct SetHeader {
  int magic, version, tiles;
  dtNavMeshParams params;
};
struct TileHeader {
  dtTileRef ref;
  int size;
};

bool write_set(const dtNavMesh &mesh, std::FILE *file) {
  SetHeader set{'M' << 24 | 'S' << 16 | 'E' << 8 | 'T', 1, 0, *mesh.getParams()};
  for (int i = 0; i < mesh.getMaxTiles(); ++i) set.tiles += mesh.getTile(i)->header != nullptr;
  if (std::fwrite(&set, sizeof set, 1, file) != 1) return false;
  for (int i = 0; i < mesh.getMaxTiles(); ++i) {
    const dtMeshTile *tile = mesh.getTile(i);
    if (!tile->header) continue;
    const TileHeader head{mesh.getTileRef(tile), tile->dataSize};
    if (std::fwrite(&head, sizeof head, 1, file) != 1) return false;
    if (std::fwrite(tile->data, static_cast<size_t>(tile->dataSize), 1, file) != 1) return false;
  }
  return true;
}

} // namespace

void *peer_navmesh(peer *detour) {
  return detour->mesh;
}

bool peer_set_area(peer *detour, uint32_t polygon, unsigned char area) {
  return !dtStatusFailed(detour->mesh->setPolyArea(detour->refs[polygon], area));
}

bool peer_save(const peer *detour, const char *file) {
  std::FILE *stream = std::fopen(file, "wb");
  if (!stream) return false;
  const bool written = write_set(*detour->mesh, stream);
  return std::fclose(stream) == 0 && written;
}

size_t peer_bytes(const peer *detour) {
  return detour->bytes;
}

size_t peer_detail_bytes(const peer *detour) {
  const dtNavMesh &mesh = *detour->mesh;
  size_t bytes = 0;
  for (int i = 0; i < mesh.getMaxTiles(); ++i) {
    const dtMeshHeader *header = mesh.getTile(i)->header;
    if (!header) continue;
    bytes += sizeof(dtPolyDetail) * static_cast<size_t>(header->detailMeshCount) +
             3 * sizeof(float) * static_cast<size_t>(header->detailVertCount) +
             4 * static_cast<size_t>(header->detailTriCount);
  }
  return bytes;
}

bool peer_nearest(peer *detour, lw_vec3 point, lw_vec3 half, uint32_t *polygon, lw_vec3 *nearest) {
  dtPolyRef ref = 0;
  const dtStatus status =
      detour->query->findNearestPoly(floats(point), floats(half), &detour->filter, &ref, floats(*nearest));
  if (dtStatusFailed(status) || !ref) return false;
  *polygon = detour->index_of(ref);
  return true;
}

int peer_neighbors(peer *detour, uint32_t polygon, uint32_t *neighbors, int capacity) {
  const dtMeshTile *tile = nullptr;
  const dtPoly *poly = nullptr;
  int count = 0;
  if (dtStatusFailed(detour->mesh->getTileAndPolyByRef(detour->refs[polygon], &tile, &poly))) return 0;
  for (unsigned i = poly->firstLink; i != DT_NULL_LINK; i = tile->links[i].next) {
    const uint32_t to = detour->index_of(tile->links[i].ref);
    bool known = false;
    for (int k = 0; k < count; ++k) known = known || neighbors[k] == to;
    if (!known && count < capacity) neighbors[count++] = to;
  }
  return count;
}

bool peer_find_path(peer *detour, uint32_t from_polygon, lw_vec3 from, uint32_t to_polygon, lw_vec3 to,
                    peer_path *path) {
  *path = peer_path{};
  const dtPolyRef goal = detour->refs[to_polygon];
  const int scratch = static_cast<int>(detour->corridor.size());
  const dtStatus status =
      detour->query->findPath(detour->refs[from_polygon], goal, floats(from), floats(to), &detour->filter,
                              detour->corridor.data(), &path->polygon_count, scratch);
  if (dtStatusFailed(status) || path->polygon_count == 0) return false;
  path->complete = detour->corridor[static_cast<size_t>(path->polygon_count) - 1] == goal;
  path->out_of_nodes = dtStatusDetail(status, DT_OUT_OF_NODES);
  if (!path->complete) return true;
  path->points = detour->points.data();
  return !dtStatusFailed(detour->query->findStraightPath(
      floats(from), floats(to), detour->corridor.data(), path->polygon_count, floats(detour->points[0]),
      nullptr, nullptr, &path->point_count, static_cast<int>(detour->points.size())));
}

bool peer_find_between(peer *detour, lw_vec3 from, lw_vec3 to, peer_path *path) {
  const lw_vec3 half = {2, 4, 2};
  uint32_t from_polygon = 0, to_polygon = 0;
  lw_vec3 start, goal;
  return peer_nearest(detour, from, half, &from_polygon, &start) &&
         peer_nearest(detour, to, half, &to_polygon, &goal) &&
         peer_find_path(detour, from_polygon, start, to_polygon, goal, path);
}

void peer_set_prices(peer *detour, const float *prices) {
  for (int area = 0; area < DT_MAX_AREAS; ++area)
    if (std::isfinite(prices[area])) detour->priced.setAreaCost(area, prices[area]);
  for (const dtPolyRef ref : detour->refs) {
    unsigned char area = 0;
    detour->mesh->getPolyArea(ref, &area);
    detour->mesh->setPolyFlags(ref, std::isfinite(prices[area]) ? 1 : 2);
  }
  detour->priced.setIncludeFlags(1);
}

double peer_price(peer *detour, uint32_t from_polygon, lw_vec3 from, uint32_t to_polygon, lw_vec3 to) {
  const dtPolyRef goal = detour->refs[to_polygon];
  int polygons = 0, points = 0;
  if (dtStatusFailed(detour->query->findPath(detour->refs[from_polygon], goal, floats(from), floats(to),
                                             &detour->priced, detour->corridor.data(), &polygons,
                                             static_cast<int>(detour->corridor.size()))) ||
      polygons == 0 || detour->corridor[static_cast<size_t>(polygons) - 1] != goal)
    return std::numeric_limits<double>::infinity();
  const int scratch = static_cast<int>(detour->points.size());
  if (dtStatusFailed(detour->query->findStraightPath(
          floats(from), floats(to), detour->corridor.data(), polygons, floats(detour->points[0]), nullptr,
          detour->passed.data(), &points, scratch, DT_STRAIGHTPATH_ALL_CROSSINGS)))
    return std::numeric_limits<double>::infinity();
  double sum = 0;
  for (int i = 0; i + 1 < points; ++i) {
    const size_t at = static_cast<size_t>(i);
    unsigned char area = 0;
    detour->mesh->getPolyArea(detour->passed[at], &area);
    sum += static_cast<double>(dtVdist(floats(detour->points[at]), floats(detour->points[at + 1])) *
                               detour->priced.getAreaCost(area));
  }
  return sum;
}

bool peer_raycast(peer *detour, uint32_t polygon, lw_vec3 from, lw_vec3 to, bool *hit, float *t) {
  dtRaycastHit result{};
  const dtStatus status =
      detour->query->raycast(detour->refs[polygon], floats(from), floats(to), &detour->filter, 0, &result);
  if (dtStatusFailed(status)) return false;
  *hit = result.t <= 1; // FLT_MAX: no hit
  *t = *hit ? result.t : 1;
  return true;
}

bool peer_raycast_to(peer *detour, uint32_t polygon, lw_vec3 from, lw_vec3 to, lw_vec3 *end) {
  dtRaycastHit result{};
  result.path = detour->visited.data();
  result.maxPath = static_cast<int>(detour->visited.size());
  const dtStatus status =
      detour->query->raycast(detour->refs[polygon], floats(from), floats(to), &detour->filter, 0, &result);
  if (dtStatusFailed(status) || result.pathCount == 0) return false;
  const float t = result.t <= 1 ? result.t : 1;
  *end = lw_vec3{from.x + (to.x - from.x) * t, from.y, from.z + (to.z - from.z) * t};
  detour->query->getPolyHeight(detour->visited.data()[result.pathCount - 1], floats(*end),
                               &end->y); // may miss by rounding
  return true;
}

bool peer_random_in_circle(peer *detour, uint32_t polygon, lw_vec3 center, float radius, uint32_t *found,
                           lw_vec3 *point) {
  dtPolyRef ref = 0;
  const dtStatus status = detour->query->findRandomPointAroundCircle(
      detour->refs[polygon], floats(center), radius, &detour->filter, next_random, &ref, floats(*point));
  if (dtStatusFailed(status) || !ref) return false;
  *found = detour->index_of(ref);
  return true;
}

bool peer_random(peer *detour, uint32_t *found, lw_vec3 *point) {
  dtPolyRef ref = 0;
  const dtStatus status = detour->query->findRandomPoint(&detour->filter, next_random, &ref, floats(*point));
  if (dtStatusFailed(status) || !ref) return false;
  *found = detour->index_of(ref);
  return true;
}

bool peer_wall(peer *detour, uint32_t polygon, lw_vec3 center, float radius, float *distance) {
  float point[3], normal[3];
  return !dtStatusFailed(detour->query->findDistanceToWall(detour->refs[polygon], floats(center), radius,
                                                           &detour->filter, distance, point, normal));
}

int peer_around(peer *detour, uint32_t polygon, lw_vec3 center, float radius, uint32_t *found, int capacity) {
  int count = 0;
  const int scratch = std::min(capacity, static_cast<int>(detour->corridor.size()));
  const dtStatus status =
      detour->query->findPolysAroundCircle(detour->refs[polygon], floats(center), radius, &detour->filter,
                                           detour->corridor.data(), nullptr, nullptr, &count, scratch);
  if (dtStatusFailed(status)) return -1;
  for (int i = 0; i < count; ++i) found[i] = detour->index_of(detour->corridor[static_cast<size_t>(i)]);
  return count;
}

bool peer_height(peer *detour, uint32_t polygon, lw_vec3 point, float *height) {
  return !dtStatusFailed(detour->query->getPolyHeight(detour->refs[polygon], floats(point), height));
}

bool peer_move(peer *detour, uint32_t polygon, lw_vec3 from, lw_vec3 to, lw_vec3 *end) {
  int count = 0;
  return !dtStatusFailed(detour->query->moveAlongSurface(detour->refs[polygon], floats(from), floats(to),
                                                         &detour->filter, floats(*end), detour->visited.data(),
                                                         &count, static_cast<int>(detour->visited.size())));
}

bool peer_move_to(peer *detour, uint32_t polygon, lw_vec3 from, lw_vec3 to, lw_vec3 *end) {
  int count = 0;
  const dtStatus status = detour->query->moveAlongSurface(detour->refs[polygon], floats(from), floats(to),
                                                          &detour->filter, floats(*end), detour->visited.data(),
                                                          &count, static_cast<int>(detour->visited.size()));
  if (dtStatusFailed(status) || count == 0) return false;
  detour->query->getPolyHeight(detour->visited.data()[count - 1], floats(*end), &end->y);
  return true;
}
