/// How high the steps in a tile's ground are, measured on the level's triangles. C++, for recast.cpp alone.
#ifndef LW_BAKE_RECAST_STEPS_H
#define LW_BAKE_RECAST_STEPS_H

#include "bake/recast_kinds.h"
#include "bake/recast_profile.h"
#include "geometry/plugin.h"
#include "mesh/step_height.h"

#include <Recast.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace recast {

/// The steps of a tile. Recast joins floors that differ by no more than the climb, whatever lies between them.
/// The surface jumps only where a triangle is too steep to walk on or an edge has no other triangle: there, a
/// line across it is followed over the level's triangles.
class Steps {
public:
  /// Find the steps that are higher than the first of the job's, or than the climb. Costs nothing but a look at
  /// each span where no two neighbours differ by that much.
  /// @param in  Eroded. @param whole  Its areas before that, which say what is ground.
  void measure(const lwi_tile_job &from, const rcCompactHeightfield &in, const Array<uint8_t> &whole) {
    job = &from;
    field = &in;
    border = LWI_TILE_BORDER(from.walkable_radius);
    ground = &whole;
    if (from.limits.step_count == 0) return;
    min_step = rcMin(from.limits.steps[0], from.limits.climb);
    if (!find_rough()) return;
    highest.resize(static_cast<std::size_t>(in.spanCount), 0);
    Profile surface(from, in, rough);
    look_at_steep(surface);
    look_at_edges(surface);
    list();
    ground = nullptr;
  }
  /// Let the cells with steps that are higher than the climb be no ground, as Recast does where floors are
  /// further apart than its voxels can hide. @return Are there any?
  bool wall_off(uint8_t *areas) const {
    bool any = false;
    for (const Mark &mark : marks)
      if (is_higher(mark.step, job->limits.climb)) {
        areas[mark.span] = RC_NULL_AREA;
        any = true;
      }
    return any;
  }
  /// How many of the job's steps are exceeded in each span's cell; empty: nowhere are any.
  Array<uint8_t> bands() const {
    Array<uint8_t> bands(marks.empty() ? 0 : highest.size(), 0);
    for (const Mark &mark : marks)
      while (bands[mark.span] < job->limits.step_count &&
             is_higher(mark.step, job->limits.steps[bands[mark.span]]))
        ++bands[mark.span];
    return bands;
  }
  /// Does a step lie in the tile, or beside it, that polygons may touch?
  bool matter() const {
    const int width = field->width - 2 * border, height = field->height - 2 * border;
    return std::any_of(marks.begin(), marks.end(), [this, width, height](const Mark &mark) {
      return mark.x >= -1 && mark.z >= -1 && mark.x <= width && mark.z <= height &&
             (job->walkable_radius < CLEAR_RADIUS || !is_higher(mark.step, job->limits.climb));
    });
  }
  /// The highest step in the cells that a polygon touches. [0.01 m, rounded up; 255: or higher]
  uint8_t over(const rcPolyMesh &mesh, int polygon) const {
    if (marks.empty()) return 0;
    const Outline outline(mesh, polygon);
    const auto first = std::lower_bound(marks.begin(), marks.end(), outline.z0 - 1,
                                        [](const Mark &mark, int z) { return mark.z < z; });
    float step = 0;
    for (auto mark = first; mark != marks.end() && mark->z < outline.z1; ++mark)
      if (mark->step > step && outline.meets(*mark, job->walkable_climb)) step = mark->step;
    return lwi_step_byte(static_cast<double>(step));
  }

private:
  /// From this radius on, borders of polygons stay clear of what the ground was eroded from. [cells]
  static constexpr int CLEAR_RADIUS = 2;
  static bool is_higher(float step, float limit) { return step > limit + static_cast<float>(LWI_STEP_SLACK); }

  /// A cell of a span with a step in it, without the border.
  struct Mark {
    int x, z, y;
    float step; ///< [m]
    unsigned span;
  };

  /// A polygon in cells.
  struct Outline {
    Outline(const rcPolyMesh &mesh, int polygon) {
      const unsigned short *corners = &mesh.polys[polygon * 2 * mesh.nvp];
      for (; count < mesh.nvp && corners[count] != RC_MESH_NULL_IDX; ++count) {
        const unsigned short *at = &mesh.verts[3 * corners[count]];
        x[count] = at[0], z[count] = at[2];
        x0 = rcMin(x0, x[count]), x1 = rcMax(x1, x[count]);
        z0 = rcMin(z0, z[count]), z1 = rcMax(z1, z[count]);
        y0 = rcMin(y0, static_cast<int>(at[1])), y1 = rcMax(y1, static_cast<int>(at[1]));
      }
    }
    /// Do they have more in common than a border? Corners are clockwise with x to the right and z up.
    bool meets(const Mark &mark, int climb) const {
      if (mark.x + 1 <= x0 || mark.x >= x1 || mark.z + 1 <= z0 || mark.z >= z1) return false;
      if (mark.y < y0 - climb || mark.y > y1 + climb) return false;
      for (int k = 0; k < count; ++k) {
        const int next = k + 1 < count ? k + 1 : 0, dx = x[next] - x[k], dz = z[next] - z[k];
        /* Of the cell's corners the one that lies furthest on the inner side. */
        const int cx = mark.x + (dz > 0 ? 1 : 0), cz = mark.z + (dx < 0 ? 1 : 0);
        if (dz * (cx - x[k]) - dx * (cz - z[k]) <= 0) return false;
      }
      return true;
    }
    static constexpr int CORNERS_MAX = 12;
    int x[CORNERS_MAX] = {}, z[CORNERS_MAX] = {};
    int x0 = 1 << 20, x1 = -1, z0 = 1 << 20, z1 = -1, y0 = 1 << 20, y1 = -1;
    int count = 0;
  };

  /// Heights of the floors that a span's cell and those round it have; none: low is above high. [cells]
  struct Range {
    uint16_t low, high;
  };

  template <typename Visit> void each_beside(int cell, unsigned span, Visit visit) const {
    for (int side = 0; side < 4; ++side) {
      int beside = cell;
      unsigned other = span;
      if (go_beside(*field, side, &beside, &other) && is_ground(other)) visit(beside, other);
    }
  }
  bool is_ground(unsigned span) const { return (*ground)[span] != RC_NULL_AREA; }
  template <typename Visit> void each_ground(Visit visit) const {
    for (int cell = 0; cell < field->width * field->height; ++cell)
      for (unsigned i = field->cells[cell].index, end = i + field->cells[cell].count; i < end; ++i)
        if (is_ground(i)) visit(cell, i);
  }
  /// May a step lie between the highest and the lowest floor? Floors lie somewhere in their topmost voxels.
  bool is_rough(Range range) const {
    return is_higher(static_cast<float>(range.high - range.low + 1) * field->ch, min_step);
  }

  /// Find the spans beside which a step may lie, and theirs and their neighbours' heights.
  bool find_rough() {
    struct Found {
      int cell;
      unsigned span;
      Range range;
    };
    Array<Found> found;
    each_ground([&](int cell, unsigned i) {
      Range range = {field->spans[i].y, field->spans[i].y};
      each_beside(cell, i, [&](int, unsigned other) {
        add(range, {field->spans[other].y, field->spans[other].y});
      });
      if (is_rough(range)) found.push_back({cell, i, range});
    });
    if (found.empty()) return false;
    ranges.resize(static_cast<std::size_t>(field->spanCount), Range{0xffff, 0});
    rough.resize(static_cast<std::size_t>(field->width * field->height), 0);
    for (const Found &from : found) {
      note(from.cell, from.span, from.range);
      each_beside(from.cell, from.span, [&](int cell, unsigned other) { note(cell, other, from.range); });
    }
    return true;
  }
  void note(int cell, unsigned span, Range range) {
    if (!is_noted(span) && !is_used(cell, span)) return;
    add(ranges[span], range);
    add(extent, range);
    rough[static_cast<std::size_t>(cell)] = 1;
  }
  bool is_at_border(int cell) const {
    const int x = cell % field->width, z = cell / field->width, near = job->walkable_radius + 1;
    return x < near || z < near || x >= field->width - near || z >= field->height - near;
  }
  bool is_noted(unsigned span) const { return ranges[span].low <= ranges[span].high; }
  /// May a polygon touch the cell of a span? Borders stray into cells that were eroded. At the field's own
  /// border the erosion says nothing.
  bool is_used(int cell, unsigned span) const {
    if (is_at_border(cell)) return true;
    for (int side = 0; side < 4; ++side) {
      if (field->areas[span] != RC_NULL_AREA) return true;
      int beside = cell;
      unsigned next = span;
      if (go_beside(*field, side, &beside, &next) &&
          (field->areas[next] != RC_NULL_AREA ||
           (go_beside(*field, (side + 1) % 4, &beside, &next) && field->areas[next] != RC_NULL_AREA)))
        return true;
    }
    return false;
  }
  static void add(Range &range, Range other) {
    range.low = rcMin(range.low, other.low);
    range.high = rcMax(range.high, other.high);
  }
  /// The lowest height that ground of these cells may have: below the top of its cell by up to a voxel, or what
  /// a slope falls in a cell. [m]
  double floor_of(Range range) const {
    return static_cast<double>(field->bmin[1]) + (range.low - 1) * static_cast<double>(field->ch) -
           static_cast<double>(field->cs) / 2;
  }
  double top_of(Range range) const {
    return static_cast<double>(field->bmin[1]) + (range.high + 0.01) * static_cast<double>(field->ch);
  }

  struct Normal {
    double x, y, z; ///< Of any length.
    /// Is it that of an underside, which is no surface seen from above?
    bool is_down() const { return y < -UPRIGHT * std::hypot(x, z); }
  };
  static Normal normal_of(const Point *p) {
    const double ax = p[1].x - p[0].x, ay = p[1].y - p[0].y, az = p[1].z - p[0].z;
    const double bx = p[2].x - p[0].x, by = p[2].y - p[0].y, bz = p[2].z - p[0].z;
    return {ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx};
  }
  /// Triangles that are too steep.
  void look_at_steep(Profile &surface) {
    for (int t = 0; t < job->triangle_count; ++t) {
      if (job->areas[t] != 0 || !surface.is_within(t)) continue;
      const Normal normal = normal_of(surface.corners(t));
      if (!normal.is_down()) look(surface, surface.corners(t), 3, normal.x, normal.z);
    }
  }
  /// Edges of other triangles at which the surface ends: no other triangle has them, or only an underside.
  void look_at_edges(Profile &surface) {
    for (const Edge &edge : open_edges(surface)) {
      const Point ends[2] = {edge.a, edge.b};
      look(surface, ends, 2, edge.b.z - edge.a.z, edge.a.x - edge.b.x);
    }
  }

  struct Edge {
    Point a, b;
    bool is_open;
  };
  static bool is_same(const Point &a, const Point &b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
  static std::size_t hash_of(const Point &p) {
    std::size_t bits[3];
    static_assert(sizeof bits == sizeof p, "a number has as many bits as it needs to be hashed");
    std::memcpy(bits, &p, sizeof bits);
    return bits[0] * 0x9e3779b97f4a7c15u + bits[1] * 0xc2b2ae3d27d4eb4fu + bits[2] * 0x165667b19e3779f9u;
  }

  /// May a step lie at an edge? Edges that are upright have none across them.
  bool is_wanted(const Point &a, const Point &b) const {
    return !(a.x == b.x && a.z == b.z) && rcMax(a.y, b.y) >= floor_of(extent) &&
           rcMin(a.y, b.y) <= top_of(extent);
  }
  Array<Edge> open_edges(Profile &surface) const {
    std::size_t size = 16;
    while (size < 6 * static_cast<std::size_t>(job->triangle_count)) size *= 2;
    Array<int> table(size, -1);
    Array<Edge> edges;
    for (int t = 0; t < job->triangle_count; ++t) {
      if (!surface.is_within(t) || normal_of(surface.corners(t)).is_down()) continue;
      for (int k = 0; k < 3; ++k) {
        const Point &a = surface.corners(t)[k], &b = surface.corners(t)[(k + 1) % 3];
        if (!is_wanted(a, b)) continue;
        std::size_t at = (hash_of(a) + hash_of(b)) >> 32 & (size - 1);
        for (; table[at] >= 0; at = (at + 1) & (size - 1)) {
          const Edge &known = edges[static_cast<std::size_t>(table[at])];
          if ((is_same(known.a, b) && is_same(known.b, a)) || (is_same(known.a, a) && is_same(known.b, b)))
            break;
        }
        if (table[at] >= 0) {
          edges[static_cast<std::size_t>(table[at])].is_open = false;
          continue;
        }
        table[at] = static_cast<int>(edges.size());
        edges.push_back({a, b, job->areas[t] != 0});
      }
    }
    edges.erase(std::remove_if(edges.begin(), edges.end(), [](const Edge &edge) { return !edge.is_open; }),
                edges.end());
    return edges;
  }

  /// A convex polygon in the plane, of which parts are cut off.
  struct Part {
    static constexpr int MAX = 8;
    double x[MAX], z[MAX];
    int count;
    /// Keep what lies on the side of `value` where `sign` times the coordinate is larger.
    Part keep(bool along_x, double value, double sign) const {
      Part kept = {{}, {}, 0};
      for (int k = 0; k < count; ++k) {
        const int next = k + 1 < count ? k + 1 : 0;
        const double here = sign * ((along_x ? x[k] : z[k]) - value),
                     there = sign * ((along_x ? x[next] : z[next]) - value);
        if (here >= 0) kept.add(x[k], z[k]);
        if ((here < 0) != (there < 0)) {
          const double t = here / (here - there);
          kept.add(x[k] + t * (x[next] - x[k]), z[k] + t * (z[next] - z[k]));
        }
      }
      return kept;
    }
    void add(double at_x, double at_z) {
      if (count == MAX) return;
      x[count] = at_x, z[count] = at_z;
      ++count;
    }
    void extent(const double *of, double &low, double &high) const {
      low = INFINITY, high = -INFINITY;
      for (int k = 0; k < count; ++k) low = rcMin(low, of[k]), high = rcMax(high, of[k]);
    }
  };

  static int clamp(double cells, int count) {
    return cells < 0 ? 0 : cells > count - 1 ? count - 1 : static_cast<int>(cells);
  }

  /// Look across a steep triangle or an edge, in each cell that it touches and where floors differ.
  /// @param nx, nz  Across it; of any length.
  void look(Profile &surface, const Point *points, int count, double nx, double nz) {
    const double length = std::hypot(nx, nz), cs = static_cast<double>(field->cs);
    if (!(length > 1e-12)) return; /* level: it faces down */
    Feature feature = {points, count, nx / length, nz / length, INFINITY, -INFINITY};
    Part all = {{}, {}, 0};
    for (int k = 0; k < count; ++k) {
      all.add((points[k].x - static_cast<double>(field->bmin[0])) / cs,
              (points[k].z - static_cast<double>(field->bmin[2])) / cs);
      feature.low = rcMin(feature.low, points[k].y), feature.high = rcMax(feature.high, points[k].y);
    }
    double low, high;
    all.extent(all.z, low, high);
    if (high < 0 || low > field->height) return;
    const int z1 = clamp(high, field->height);
    for (int z = clamp(low, field->height); z <= z1; ++z) {
      const Part row = all.keep(false, z, 1).keep(false, z + 1, -1);
      row.extent(row.x, low, high);
      if (!(high >= 0 && low <= field->width)) continue;
      const int x1 = clamp(high, field->width);
      for (int x = clamp(low, field->width); x <= x1; ++x)
        if (rough[static_cast<std::size_t>(x + z * field->width)])
          look_in(surface, x + z * field->width, row.keep(true, x, 1).keep(true, x + 1, -1), feature);
    }
  }

  struct Feature {
    const Point *points; ///< [count] A triangle or an edge.
    int count;
    double nx, nz;    ///< Across it, of length 1.
    double low, high; ///< [m]
  };
  /// The highest place of it on a line across it. -INFINITY: the line passes it by.
  static double top_at(const Feature &feature, double x, double z) {
    double top = -INFINITY;
    for (int k = 0; k < feature.count; ++k) {
      const Point &p = feature.points[k], &q = feature.points[(k + 1) % feature.count];
      const double a = (p.z - z) * feature.nx - (p.x - x) * feature.nz,
                   b = (q.z - z) * feature.nx - (q.x - x) * feature.nz;
      if ((a > 0) != (b > 0)) top = rcMax(top, p.y + a / (a - b) * (q.y - p.y));
    }
    return top;
  }

  /// @param part  What lies in the cell. [cells]
  void look_in(Profile &surface, int cell, const Part &part, const Feature &feature) {
    if (part.count == 0) return;
    for (unsigned i = field->cells[cell].index, end = i + field->cells[cell].count; i < end; ++i) {
      if (!is_noted(i)) continue;
      surface.low = floor_of(ranges[i]);
      surface.high = top_of(ranges[i]);
      if (feature.high < surface.low || feature.low > surface.high) continue;
      highest[i] = rcMax(highest[i], static_cast<float>(step_in(surface, part, feature)));
    }
  }

  /// The step at both ends of what lies in a cell: along a ramp's side it grows.
  double step_in(Profile &surface, const Part &part, const Feature &feature) {
    int ends[2] = {0, 0};
    double side[2] = {INFINITY, -INFINITY}, mx = 0, mz = 0;
    for (int k = 0; k < part.count; ++k) {
      const double along = part.x[k] * -feature.nz + part.z[k] * feature.nx;
      if (along < side[0]) side[0] = along, ends[0] = k;
      if (along > side[1]) side[1] = along, ends[1] = k;
      mx += part.x[k] / part.count, mz += part.z[k] / part.count;
    }
    double step = 0;
    for (const int end : ends) {
      /* A little inside, where no other edge begins. */
      const double x = part.x[end] + INSIDE * (mx - part.x[end]), z = part.z[end] + INSIDE * (mz - part.z[end]);
      const double at_x = static_cast<double>(field->bmin[0]) + x * static_cast<double>(field->cs);
      const double at_z = static_cast<double>(field->bmin[2]) + z * static_cast<double>(field->cs);
      const double top = top_at(feature, at_x, at_z);
      /* What reaches higher is a wall; what is lower lies under ground, or a triangle goes on from there. */
      if (top > surface.high || top < surface.low) continue;
      step = rcMax(step, surface.step_across(at_x, at_z, feature.nx, feature.nz));
    }
    return step;
  }
  static constexpr double INSIDE = 0.02;
  static constexpr double UPRIGHT = 1e-3;

  void list() {
    each_ground([&](int cell, unsigned i) {
      if (is_higher(highest[i], min_step))
        marks.push_back(
            {cell % field->width - border, cell / field->width - border, field->spans[i].y, highest[i], i});
    });
  }

  const lwi_tile_job *job = nullptr;
  const rcCompactHeightfield *field = nullptr;
  const Array<uint8_t> *ground = nullptr; ///< By span; only while they are measured.
  int border = 0;
  float min_step = 0;         ///< Steps that are no higher do not matter. [m]
  Array<Range> ranges;        ///< By span; of those beside which a step may lie.
  Range extent = {0xffff, 0}; ///< Of all of them.
  Array<uint8_t> rough;       ///< By cell.
  Array<float> highest;       ///< By span. [m]
  Array<Mark> marks;          ///< By z, then x.
};

} // namespace recast

#endif
