/* One tile through Recast. With its memory, the only C++ of the runtime: no exception leaves it. Part of
   libleeward_bake.so.
   The order of steps is that of Recast's Sample_TileMesh. */
#include "bake/recast_limits.h"
#include "bake/recast_memory.h"
#include "bake/recast_slivers.h"
#include "geometry/plugin.h"

#include <Recast.h>

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <vector>

namespace {

using recast::Array;
using recast::corner_count;
using recast::CORNERS_MAX;
using recast::Limits;
using recast::Slivers;

/// Keeps Recast's first error. Recast handles what it warns of (a sliver left out of a detail mesh) by itself.
class Log : public rcContext {
public:
  explicit Log(char *into) : rcContext(true), text(into) { enableTimer(false); }

private:
  void doLog(rcLogCategory category, const char *message, int) override {
    if (category != RC_LOG_ERROR || text[0]) return;
    std::snprintf(text, LWI_PLUGIN_MESSAGE, "%s", message);
  }
  char *text;
};

/// Owns one of Recast's objects.
template <typename T, T *(*make)(), void (*destroy)(T *)> class Owned {
public:
  Owned() : object(make()) {}
  ~Owned() { destroy(object); }
  Owned(const Owned &) = delete;
  Owned &operator=(const Owned &) = delete;
  T &operator*() { return *object; }
  T *operator->() { return object; }

private:
  T *object;
};
using Heightfield = Owned<rcHeightfield, rcAllocHeightfield, rcFreeHeightField>;
using Compact = Owned<rcCompactHeightfield, rcAllocCompactHeightfield, rcFreeCompactHeightfield>;
using Contours = Owned<rcContourSet, rcAllocContourSet, rcFreeContourSet>;
using Mesh = Owned<rcPolyMesh, rcAllocPolyMesh, rcFreePolyMesh>;
using Detail = Owned<rcPolyMeshDetail, rcAllocPolyMeshDetail, rcFreePolyMeshDetail>;

int cells_between(float low, float high, float cell) {
  return static_cast<int>(std::lround((high - low) / cell));
}

bool rasterize(Log &log, const lwi_tile_job &job, int border, rcHeightfield &field) {
  const float pad = static_cast<float>(border) * job.cell_size;
  const float low[3] = {job.min[0] - pad, job.min[1], job.min[2] - pad};
  const float high[3] = {job.max[0] + pad, job.max[1], job.max[2] + pad};
  const int width = cells_between(job.min[0], job.max[0], job.cell_size) + 2 * border;
  const int depth = cells_between(job.min[2], job.max[2], job.cell_size) + 2 * border;
  return rcCreateHeightfield(&log, field, width, depth, low, high, job.cell_size, job.cell_height) &&
         rcRasterizeTriangles(&log, job.vertices, job.vertex_count, job.triangles, job.areas,
                              job.triangle_count, field, job.walkable_climb);
}

const int NO_CEILING = 0xffff;

int ceiling_of(const rcSpan &span) {
  return span.next ? static_cast<int>(span.next->smin) : NO_CEILING;
}

/// Is a step too high down from `span` into the neighbouring column `beside`, with headroom to take it? Its floors are in order.
bool falls_into(const lwi_tile_job &job, const rcSpan &span, const rcSpan *beside) {
  const int floor = static_cast<int>(span.smax), ceiling = ceiling_of(span);
  const int lowest =
      beside ? static_cast<int>(beside->smin) : NO_CEILING; // below the first floor there is nothing
  if (rcMin(ceiling, lowest) - floor > job.walkable_height) return true;
  for (; beside && static_cast<int>(beside->smax) < floor - job.walkable_climb; beside = beside->next)
    if (rcMin(ceiling, ceiling_of(*beside)) - floor > job.walkable_height) return true;
  return false;
}

bool is_ledge(const lwi_tile_job &job, const rcHeightfield &field, int x, int z, const rcSpan &span) {
  for (int side = 0; side < 4; ++side) {
    const int to_x = x + rcGetDirOffsetX(side), to_z = z + rcGetDirOffsetY(side);
    if (to_x < 0 || to_z < 0 || to_x >= field.width || to_z >= field.height) return true;
    if (falls_into(job, span, field.spans[to_x + to_z * field.width])) return true;
  }
  return false;
}

/// rcFilterLedgeSpans() without its second rule, which treats every slope that rises more than a step in two
/// cells as a ledge, whatever slope is allowed. Slopes are judged by their triangles.
void filter_ledges(const lwi_tile_job &job, rcHeightfield &field) {
  for (int z = 0; z < field.height; ++z)
    for (int x = 0; x < field.width; ++x)
      for (rcSpan *span = field.spans[x + z * field.width]; span; span = span->next)
        if (span->area != RC_NULL_AREA && is_ledge(job, field, x, z, *span)) span->area = RC_NULL_AREA;
}

/// Blocked ground has counted as ground for the filters, so that nothing below it becomes walkable. It is
/// removed now, with all that lies outside the heights to bake.
void drop_unwalkable(const lwi_tile_job &job, rcCompactHeightfield &field) {
  for (int i = 0; i < field.spanCount; ++i) {
    const float top = field.bmin[1] + static_cast<float>(field.spans[i].y) * field.ch;
    const bool outside = top < job.walk_min || top - field.ch > job.walk_max;
    if (field.areas[i] == LWI_AREA_BLOCKED || outside) field.areas[i] = RC_NULL_AREA;
  }
}

/// The area of each span: none inside solids, elsewhere that of the last mark; and the depth of the last water over it.
class Marker {
public:
  Marker(const lwi_tile_job &from, rcCompactHeightfield &to)
      : job(from), field(to),
        decided(from.solid_count + from.mark_count > 0 ? static_cast<std::size_t>(to.spanCount) : 0, UNMARKED) {
  }

  /// By span, empty without water. The lower face of a floor's topmost voxel counts: nothing there is deeper. [m]
  const Array<float> &depths() const { return deep; }

  void apply() {
    for (int i = 0; i < job.solid_count; ++i) empty(job.solids[i]);
    for (int i = 0; i < job.mark_count; ++i)
      if (job.marks[i].is_path)
        draw_path(job.marks[i]);
      else if (job.marks[i].is_water)
        draw_water(job.marks[i]);
      else
        draw_polygon(job.marks[i]);
    for (int i = 0; i < field.spanCount; ++i)
      if (field.areas[i] != RC_NULL_AREA && decided[static_cast<std::size_t>(i)] != UNMARKED)
        field.areas[i] = decided[static_cast<std::size_t>(i)];
  }

private:
  static constexpr uint8_t UNMARKED = 255;
  struct Point {
    double x, y, z;
  };
  struct Rectangle {
    double min_x, min_z, max_x, max_z;
    void add(const Point &p, double pad) {
      min_x = rcMin(min_x, p.x - pad), max_x = rcMax(max_x, p.x + pad);
      min_z = rcMin(min_z, p.z - pad), max_z = rcMax(max_z, p.z + pad);
    }
  };
  static Rectangle nowhere() { return {INFINITY, INFINITY, -INFINITY, -INFINITY}; }

  static Point point_of(const lwi_tile_mark &mark, int index) {
    const float *p = mark.points + 3 * (index % mark.point_count);
    return {p[0], p[1], p[2]};
  }
  static double turn(const Point &a, const Point &b, const Point &c) {
    return (b.z - a.z) * (c.x - a.x) - (b.x - a.x) * (c.z - a.z);
  }
  /// The parameter of p along the line from a to b: 0 at a, 1 at b.
  static double along(const Point &a, const Point &b, const Point &p) {
    const double x = b.x - a.x, z = b.z - a.z;
    return ((p.x - a.x) * x + (p.z - a.z) * z) / (x * x + z * z);
  }

  /// A cell's centre, moved by a trifle: where two borders pass through centres, one includes them and the
  /// other does not, in every tile alike.
  Point middle_of(int x, int z) const {
    return {field.bmin[0] + (x + 0.5 + 1.0 / 512) * field.cs, 0,
            field.bmin[2] + (z + 0.5 + 1.0 / 1024) * field.cs};
  }
  static int clamp(double cells, int count) {
    return cells < 0 ? 0 : cells > count ? count : static_cast<int>(cells);
  }

  /// Call visit(x, z) for the cells in a rectangle.
  template <typename Visit> void cells(const Rectangle &where, Visit visit) {
    const int x0 = clamp((where.min_x - field.bmin[0]) / field.cs - 1, field.width);
    const int z0 = clamp((where.min_z - field.bmin[2]) / field.cs - 1, field.height);
    const int x1 = clamp((where.max_x - field.bmin[0]) / field.cs + 1, field.width);
    const int z1 = clamp((where.max_z - field.bmin[2]) / field.cs + 1, field.height);
    for (int z = z0; z < z1; ++z)
      for (int x = x0; x < x1; ++x) visit(x, z);
  }

  /// Call inside(middle, &base) for the cells in a rectangle; where it returns true, mark the floors within the
  /// mark's heights above `base`.
  template <typename Inside> void fill(const lwi_tile_mark &mark, const Rectangle &where, Inside inside) {
    cells(where, [&](int x, int z) {
      double base = 0;
      if (inside(middle_of(x, z), &base)) decide(mark, field.cells[x + z * field.width], base);
    });
  }

  /// A floor's ground lies somewhere in its topmost voxel.
  void decide(const lwi_tile_mark &mark, const rcCompactCell &cell, double base) {
    const unsigned first = cell.index, end = first + cell.count;
    for (unsigned i = first; i < end; ++i) {
      const double top = field.bmin[1] + static_cast<double>(field.spans[i].y) * field.ch;
      if (top >= base + mark.bottom && top - field.ch <= base + mark.top) decided[i] = mark.area;
    }
  }

  /// Ground counts as the top of its voxel: up to a voxel above where it is. So the upper face stays, and ground
  /// level with the lower face goes. Half a voxel allows for rounding: no other ground of the column is that
  /// near to the upper face, as voxels that touch are one span.
  void clear(const rcCompactCell &cell, double bottom, double top) {
    const unsigned first = cell.index, end = first + cell.count;
    const double slack = 0.5 * static_cast<double>(field.ch);
    for (unsigned i = first; i < end; ++i) {
      const double ground = field.bmin[1] + static_cast<double>(field.spans[i].y) * field.ch;
      if (ground >= bottom - slack && ground < top - slack) field.areas[i] = RC_NULL_AREA;
    }
  }

  /// Clear the cells whose centres are inside. In others that it touches, its sides fill its whole height.
  void empty(const lwi_tile_solid &solid) {
    const float(*top)[3] = solid.top, *bottom = solid.bottom;
    const Point a = {top[0][0], top[0][1], top[0][2]}, b = {top[1][0], top[1][1], top[1][2]},
                c = {top[2][0], top[2][1], top[2][2]};
    Rectangle where = nowhere();
    for (const Point &p : {a, b, c, Point{b.x + c.x - a.x, 0, b.z + c.z - a.z}}) where.add(p, 0);
    cells(where, [&](int x, int z) {
      const Point p = middle_of(x, z);
      const double u = turn(a, p, c) / turn(a, b, c), v = turn(a, b, p) / turn(a, b, c);
      if (!(u >= 0 && u <= 1 && v >= 0 && v <= 1)) return; /* NaN fails: no width */
      clear(field.cells[x + z * field.width],
            bottom[0] + u * (bottom[1] - bottom[0]) + v * (bottom[2] - bottom[0]),
            a.y + u * (b.y - a.y) + v * (c.y - a.y));
    });
  }

  /// Where a line along x meets the outline of any simple polygon, in order.
  static void cross(const lwi_tile_mark &mark, double z, Array<double> &crossings) {
    crossings.clear();
    for (int i = 0; i < mark.point_count; ++i) {
      const Point a = point_of(mark, i), b = point_of(mark, i + 1);
      if ((a.z > z) != (b.z > z)) crossings.push_back(a.x + (z - a.z) / (b.z - a.z) * (b.x - a.x));
    }
    std::sort(crossings.begin(), crossings.end());
  }
  /// Inside, a line to the right crosses the outline an odd number of times.
  static bool is_within(const Array<double> &crossings, double x) {
    return (crossings.end() - std::upper_bound(crossings.begin(), crossings.end(), x)) % 2 != 0;
  }

  /// The ground of a floor is taken to be in the middle of its topmost voxel.
  void flood(const lwi_tile_mark &mark, const rcCompactCell &cell) {
    const unsigned first = cell.index, end = first + cell.count;
    for (unsigned i = first; i < end; ++i) {
      const double top = field.bmin[1] + static_cast<double>(field.spans[i].y) * field.ch;
      const double ground = top - 0.5 * static_cast<double>(field.ch);
      if (!(top >= mark.bottom && ground < mark.top)) continue;
      decided[i] = ground < mark.deep_top ? mark.deep_area : mark.area;
      deep[i] = static_cast<float>(static_cast<double>(mark.top) - top) + field.ch;
    }
  }

  void draw_water(const lwi_tile_mark &mark) {
    Rectangle where = nowhere();
    for (int i = 0; i < mark.point_count; ++i) where.add(point_of(mark, i), 0);
    Array<double> crossings;
    int row = -1;
    deep.resize(decided.size(), 0);
    cells(where, [&](int x, int z) {
      const Point p = middle_of(x, z);
      if (z != row) cross(mark, p.z, crossings);
      row = z;
      if (is_within(crossings, p.x)) flood(mark, field.cells[x + z * field.width]);
    });
  }

  void draw_polygon(const lwi_tile_mark &mark) {
    Rectangle where = nowhere();
    for (int i = 0; i < mark.point_count; ++i) where.add(point_of(mark, i), 0);
    fill(mark, where, [&](const Point &p, double *) {
      for (int i = 0; i < mark.point_count; ++i)
        if (turn(point_of(mark, i), point_of(mark, i + 1), p) < 0) return false;
      return true;
    });
  }

  /// A strip for each straight piece, and the wedge that opens on the outer side of each bend.
  void draw_path(const lwi_tile_mark &mark) {
    const int pieces = mark.is_closed ? mark.point_count : mark.point_count - 1;
    for (int i = 0; i < pieces; ++i) {
      const Point a = point_of(mark, i), b = point_of(mark, i + 1), c = point_of(mark, i + 2);
      const bool bends = i + 1 < pieces || mark.is_closed;
      Rectangle where = nowhere();
      where.add(a, mark.half_width);
      where.add(b, mark.half_width);
      const double length = std::hypot(b.x - a.x, b.z - a.z);
      fill(mark, where, [&](const Point &p, double *base) {
        const double t = along(a, b, p);
        *base = a.y + rcMin(t, 1.0) * (b.y - a.y);
        if (t >= 0 && t <= 1) return std::fabs(turn(a, b, p)) <= mark.half_width * length;
        return bends && t > 1 && along(b, c, p) < 0 && std::hypot(p.x - b.x, p.z - b.z) <= mark.half_width;
      });
    }
  }

  const lwi_tile_job &job;
  rcCompactHeightfield &field;
  Array<uint8_t> decided;
  Array<float> deep;
};

bool compact(Log &log, const lwi_tile_job &job, int border, rcCompactHeightfield &into, Limits &limits) {
  Heightfield field;
  if (!rasterize(log, job, border, *field)) return false;
  rcFilterLowHangingWalkableObstacles(&log, job.walkable_climb, *field);
  filter_ledges(job, *field);
  rcFilterWalkableLowHeightSpans(&log, job.walkable_height, *field);
  if (!rcBuildCompactHeightfield(&log, job.walkable_height, job.walkable_climb, *field, into)) return false;
  drop_unwalkable(job, into);
  Marker marker(job, into);
  if (job.solid_count + job.mark_count > 0) marker.apply();
  if (!limits.erode(log, job, into)) return false;
  limits.part(job, *field, into, marker.depths());
  return true;
}

bool build_mesh(Log &log, const lwi_tile_job &job, rcPolyMesh &mesh, rcPolyMeshDetail &detail, Limits &limits) {
  const int border = LWI_TILE_BORDER(job.walkable_radius);
  /* Recast reads outside its arrays for its own value of 0 samples. */
  const float distance = job.detail_distance > 0 ? job.detail_distance : 1e6f;
  Compact field;
  Contours contours;
  return compact(log, job, border, *field, limits) && rcBuildDistanceField(&log, *field) &&
         rcBuildRegions(&log, *field, border, job.min_region, job.merge_region) &&
         rcBuildContours(&log, *field, limits.edge_error(), job.max_edge_length, *contours) &&
         rcBuildPolyMesh(&log, *contours, CORNERS_MAX, mesh) &&
         (Slivers(mesh).absorb(), limits.measure(*field, mesh), true) &&
         rcBuildPolyMeshDetail(&log, mesh, *field, distance, job.detail_error, detail);
}

/// The next of the arrays in a block.
template <typename T> T *take(unsigned char *&at, std::size_t count) {
  T *items = reinterpret_cast<T *>(at);
  at += count * sizeof(T);
  return items;
}

std::size_t corners_of(const rcPolyMesh &mesh) {
  std::size_t corners = 0;
  for (int p = 0; p < mesh.npolys; ++p) corners += static_cast<std::size_t>(corner_count(mesh, p));
  return corners;
}

/// Space for all arrays: those of numbers first, so that they are aligned.
void allocate(const rcPolyMesh &mesh, const rcPolyMeshDetail &detail, lwi_memory *memory,
              lwi_tile_result &result) {
  const std::size_t vertices = static_cast<std::size_t>(mesh.nverts), corners = corners_of(mesh);
  const std::size_t polygons = static_cast<std::size_t>(mesh.npolys), ranges = polygons + 1;
  const std::size_t lifted = static_cast<std::size_t>(detail.nverts);
  const std::size_t triangles = static_cast<std::size_t>(detail.ntris) + polygons * CORNERS_MAX;
  result.block_size = (3 * vertices + 3 * lifted) * sizeof(float) + (3 * ranges + corners) * sizeof(int) +
                      corners + 3 * polygons + 3 * triangles;
  result.block = lwi_alloc_zero(memory, result.block_size);
  if (!result.block) throw std::bad_alloc();
  unsigned char *at = static_cast<unsigned char *>(result.block);
  result.vertices = take<float>(at, 3 * vertices);
  result.detail_vertices = take<float>(at, 3 * lifted);
  result.first_corner = take<int>(at, ranges);
  result.first_detail_vertex = take<int>(at, ranges);
  result.first_detail_triangle = take<int>(at, ranges);
  result.corners = take<int>(at, corners);
  result.border = take<uint8_t>(at, corners);
  result.areas = take<uint8_t>(at, polygons);
  result.headrooms = take<uint8_t>(at, polygons);
  result.steps = take<uint8_t>(at, polygons);
  result.detail_triangles = take<uint8_t>(at, 3 * triangles);
}

void copy_vertices(const rcPolyMesh &mesh, lwi_tile_result &result) {
  result.vertex_count = mesh.nverts;
  for (int i = 0; i < mesh.nverts; ++i) {
    const unsigned short *from = &mesh.verts[3 * i];
    result.vertices[3 * i + 0] = mesh.bmin[0] + static_cast<float>(from[0]) * mesh.cs;
    result.vertices[3 * i + 1] = mesh.bmin[1] + static_cast<float>(from[1]) * mesh.ch;
    result.vertices[3 * i + 2] = mesh.bmin[2] + static_cast<float>(from[2]) * mesh.cs;
  }
}

/// Seen from above Recast's polygons are counter-clockwise, as ours are.
void copy_polygons(const rcPolyMesh &mesh, const Limits &limits, lwi_tile_result &result) {
  result.polygon_count = mesh.npolys;
  for (int p = 0; p < mesh.npolys; ++p) {
    const unsigned short *from = &mesh.polys[p * 2 * mesh.nvp];
    const int count = corner_count(mesh, p);
    for (int k = 0; k < count; ++k) {
      const unsigned short edge = from[mesh.nvp + k];
      const bool portal = edge != RC_MESH_NULL_IDX && (edge & 0x8000) != 0;
      result.corners[result.corner_count] = from[k];
      result.border[result.corner_count] = static_cast<uint8_t>(portal ? (edge & 3) + 1 : 0);
      ++result.corner_count;
    }
    result.areas[p] = limits.area_of(mesh.areas[p]);
    result.headrooms[p] = limits.headroom_of(p);
    result.steps[p] = limits.step_of(p);
    result.first_corner[p + 1] = result.corner_count;
  }
}

/// Twice the area of a detail triangle, > 0 when clockwise with x to the right and z up, as in Recast.
float turn(const float *a, const float *b, const float *c) {
  return (b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0]);
}

void add_triangle(lwi_tile_result &result, int a, int b, int c) {
  uint8_t *to = &result.detail_triangles[3 * result.detail_triangle_count++];
  to[0] = static_cast<uint8_t>(a), to[1] = static_cast<uint8_t>(b), to[2] = static_cast<uint8_t>(c);
}

/// Triangles of one polygon, all of them counter-clockwise.
void copy_triangles(const rcPolyMeshDetail &detail, int poly, int corners, lwi_tile_result &result) {
  const unsigned *part = &detail.meshes[4 * poly];
  const int first = result.detail_triangle_count;
  for (unsigned t = 0; t < part[3]; ++t) {
    const unsigned char *from = &detail.tris[4 * (part[2] + t)];
    const float area = turn(&detail.verts[3 * (part[0] + from[0])], &detail.verts[3 * (part[0] + from[1])],
                            &detail.verts[3 * (part[0] + from[2])]);
    if (area == 0) continue;
    add_triangle(result, from[0], from[area > 0 ? 2 : 1], from[area > 0 ? 1 : 2]);
  }
  if (result.detail_triangle_count > first) return;
  for (int k = 2; k < corners; ++k) add_triangle(result, 0, k - 1, k); // Recast gave up on this one
}

/// Recast lifts detail vertices by one cell height; taken off again, so that they agree with the corners.
void copy_detail(const rcPolyMesh &mesh, const rcPolyMeshDetail &detail, lwi_tile_result &result) {
  for (int p = 0; p < mesh.npolys; ++p) {
    const unsigned *part = &detail.meshes[4 * p];
    const int corners = corner_count(mesh, p);
    for (unsigned v = static_cast<unsigned>(corners); v < part[1]; ++v) {
      const float *from = &detail.verts[3 * (part[0] + v)];
      float *to = &result.detail_vertices[3 * result.detail_vertex_count++];
      to[0] = from[0], to[1] = from[1] - mesh.ch, to[2] = from[2];
    }
    copy_triangles(detail, p, corners, result);
    result.first_detail_vertex[p + 1] = result.detail_vertex_count;
    result.first_detail_triangle[p + 1] = result.detail_triangle_count;
  }
}

lwi_plugin_status build(const lwi_tile_job &job, lwi_memory *memory, lwi_tile_result &result) {
  recast::Memory while_building(memory);
  Log log(result.message);
  Mesh mesh;
  Detail detail;
  Limits limits;
  if (!build_mesh(log, job, *mesh, *detail, limits)) return LWI_PLUGIN_FAILED;
  allocate(*mesh, *detail, memory, result); // the last thing that may fail
  copy_vertices(*mesh, result);
  copy_polygons(*mesh, limits, result);
  copy_detail(*mesh, *detail, result);
  return LWI_PLUGIN_OK;
}

} // namespace

lwi_plugin_status lwi_build_tile(const lwi_tile_job *job, lwi_memory *memory, lwi_tile_result *result) {
  std::memset(result, 0, sizeof *result);
  try {
    return build(*job, memory, *result);
  } catch (const std::bad_alloc &) {
    result->block_size = 0;
    return LWI_PLUGIN_OUT_OF_MEMORY;
  } catch (const std::exception &error) {
    std::snprintf(result->message, sizeof result->message, "%s", error.what());
  } catch (...) {
    std::snprintf(result->message, sizeof result->message, "an exception of unknown kind");
  }
  return LWI_PLUGIN_FAILED;
}
