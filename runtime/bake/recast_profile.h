/// The surface of the level's triangles along a line, and the steps in it. C++, for recast_steps.h alone.
#ifndef LW_BAKE_RECAST_PROFILE_H
#define LW_BAKE_RECAST_PROFILE_H

#include "bake/recast_kinds.h"
#include "geometry/plugin.h"

#include <Recast.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace recast {

struct Point {
  double x, y, z;
};

/// The upper envelope of a tile's triangles over short lines, between two heights.
class Profile {
public:
  double low = 0, high = 0; ///< Ground counts between these heights; what rises above is a wall. [m]

  /// @param cells  By cell of the field, where lines are to be followed.
  Profile(const lwi_tile_job &from, const rcCompactHeightfield &field, const Array<uint8_t> &cells)
      : job(from), min_x(static_cast<double>(field.bmin[0])), min_z(static_cast<double>(field.bmin[2])),
        bin(BIN_CELLS * static_cast<double>(field.cs)), columns(field.width / BIN_CELLS + 1),
        rows(field.height / BIN_CELLS + 1), points(3 * static_cast<std::size_t>(from.triangle_count)),
        first(static_cast<std::size_t>(columns * rows) + 1, 0) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      const float *p = from.vertices + 3 * from.triangles[i];
      points[i] = {static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])};
    }
    for (std::size_t i = 0; i < points.size(); i += 3) boxes.push_back(box_of(&points[i]));
    far = rcMax(2 * static_cast<double>(field.cs), (from.walkable_climb + 1) * static_cast<double>(field.ch)) +
          TREAD;
    fill(field, cells);
  }

  /// May a triangle lie in one of the cells of the profile?
  bool is_within(int triangle) const { return within[static_cast<std::size_t>(triangle)] != 0; }
  /// @return [3] The corners of a triangle.
  const Point *corners(int triangle) const { return &points[3 * static_cast<std::size_t>(triangle)]; }

  /// The height of the step that lies at (x, z), across the direction (dx, dz) of length 1: from the walkable
  /// ground on its one side to that on the other. [m] 0: there is none.
  double step_across(double x, double z, double dx, double dz) {
    /* The two triangles of an upright face ask for the same lines. */
    Line &known = lines[(static_cast<std::size_t>(std::fabs(x) / NEAR) +
                         31 * static_cast<std::size_t>(std::fabs(z) / NEAR)) %
                        LINES];
    const Line line = {x, z, dx, dz, low, high, 0};
    if (!known.is_like(line)) {
      known = line;
      known.step = find_step(x, z, dx, dz);
    }
    return known.step;
  }

private:
  static constexpr int BIN_CELLS = 2;
  /// Ground between two steps that is less wide is no place to stand: they count as one. [m]
  static constexpr double TREAD = 0.05;
  /// What floats round off. [m]
  static constexpr double NEAR = 1e-4;

  /// A triangle along the line: from `s0` to `s1`, which may be equal.
  struct Piece {
    double s0, h0, s1, h1;
    bool is_steep;
  };
  /// A part of the envelope; of a jump s0 and s1 are equal.
  struct Section {
    double s0, h0, s1, h1;
    bool is_steep;
  };

  /// A line that was looked at.
  struct Line {
    double x, z, dx, dz, low, high, step;
    bool is_like(const Line &other) const {
      return low == other.low && high == other.high && std::fabs(x - other.x) + std::fabs(z - other.z) < NEAR &&
             std::fabs(dx - other.dx) + std::fabs(dz - other.dz) < NEAR;
    }
  };

  struct Box {
    Point min, max;
  };
  static Box box_of(const Point *p) {
    return {{rcMin(p[0].x, rcMin(p[1].x, p[2].x)), rcMin(p[0].y, rcMin(p[1].y, p[2].y)),
             rcMin(p[0].z, rcMin(p[1].z, p[2].z))},
            {rcMax(p[0].x, rcMax(p[1].x, p[2].x)), rcMax(p[0].y, rcMax(p[1].y, p[2].y)),
             rcMax(p[0].z, rcMax(p[1].z, p[2].z))}};
  }
  int bin_of(double value, double min, int count) const {
    const double at = (value - min) / bin;
    return at < 0 ? 0 : at >= count ? count - 1 : static_cast<int>(at);
  }
  template <typename Visit> void each_bin(double x0, double z0, double x1, double z1, Visit visit) const {
    const int to_x = bin_of(x1, min_x, columns), to_z = bin_of(z1, min_z, rows);
    for (int row = bin_of(z0, min_z, rows); row <= to_z; ++row)
      for (int column = bin_of(x0, min_x, columns); column <= to_x; ++column)
        visit(static_cast<std::size_t>(row * columns + column));
  }
  template <typename Visit> void each_triangle(const Array<uint8_t> &wanted, Visit visit) const {
    for (int t = 0; t < job.triangle_count; ++t) {
      const Box &box = boxes[static_cast<std::size_t>(t)];
      each_bin(box.min.x, box.min.z, box.max.x, box.max.z, [&](std::size_t at) {
        if (wanted[at]) visit(t, at);
      });
    }
  }
  static constexpr uint8_t BESIDE = 1, WITHIN = 2;
  /// The bins that lines from cells may touch, and those with such a cell.
  Array<uint8_t> bins_near(const rcCompactHeightfield &field, const Array<uint8_t> &cells) const {
    Array<uint8_t> wanted(first.size(), 0);
    const double cs = static_cast<double>(field.cs);
    for (int cell = 0; cell < field.width * field.height; ++cell) {
      if (!cells[static_cast<std::size_t>(cell)]) continue;
      const double x = min_x + cell % field.width * cs, z = min_z + cell / field.width * cs;
      each_bin(x - far, z - far, x + cs + far, z + cs + far, [&](std::size_t at) { wanted[at] |= BESIDE; });
      each_bin(x, z, x + cs, z + cs, [&](std::size_t at) { wanted[at] |= WITHIN; });
    }
    return wanted;
  }
  void fill(const rcCompactHeightfield &field, const Array<uint8_t> &cells) {
    const Array<uint8_t> wanted = bins_near(field, cells);
    each_triangle(wanted, [&](int, std::size_t at) { ++first[at + 1]; });
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    items.resize(first.back());
    within.resize(static_cast<std::size_t>(job.triangle_count), 0);
    Array<std::size_t> next(first);
    each_triangle(wanted, [&](int t, std::size_t at) {
      items[next[at]++] = t;
      if (wanted[at] & WITHIN) within[static_cast<std::size_t>(t)] = 1;
    });
    seen.resize(within.size(), 0);
  }

  double find_step(double x, double z, double dx, double dz) {
    for (const double along : {3 * TREAD, far}) {
      double step;
      reach = along;
      gather(x, z, dx, dz);
      lay();
      if (step_at_middle(step)) return step;
    }
    return 0; /* what has ground on one side only is the foot of a wall, or an edge */
  }

  void gather(double x, double z, double dx, double dz) {
    pieces.clear();
    ++turn;
    const double ex = std::fabs(dx) * reach, ez = std::fabs(dz) * reach;
    each_bin(x - ex, z - ez, x + ex, z + ez, [&](std::size_t at) {
      for (std::size_t i = first[at]; i < first[at + 1]; ++i) {
        const int t = items[i];
        if (seen[static_cast<std::size_t>(t)] == turn) continue;
        seen[static_cast<std::size_t>(t)] = turn;
        const Box &box = boxes[static_cast<std::size_t>(t)];
        if (box.max.y < low || box.min.y > high || box.max.x < x - ex || box.min.x > x + ex ||
            box.max.z < z - ez || box.min.z > z + ez)
          continue;
        cross(corners(t), job.areas[t] == 0, x, z, dx, dz);
      }
    });
  }

  /// Where the line passes over a triangle.
  void cross(const Point *p, bool is_steep, double x, double z, double dx, double dz) {
    double side[3], along[3];
    for (int k = 0; k < 3; ++k) side[k] = (p[k].z - z) * dx - (p[k].x - x) * dz;
    if ((side[0] > 0) == (side[1] > 0) && (side[1] > 0) == (side[2] > 0)) return;
    for (int k = 0; k < 3; ++k) along[k] = (p[k].x - x) * dx + (p[k].z - z) * dz;
    Piece piece = {INFINITY, 0, -INFINITY, 0, is_steep};
    double top = -INFINITY;
    for (int k = 0; k < 3; ++k) {
      const int next = (k + 1) % 3;
      if ((side[k] > 0) == (side[next] > 0)) continue;
      const double t = side[k] / (side[k] - side[next]);
      const double s = along[k] + t * (along[next] - along[k]), h = p[k].y + t * (p[next].y - p[k].y);
      if (s < piece.s0) piece.s0 = s, piece.h0 = h;
      if (s > piece.s1) piece.s1 = s, piece.h1 = h;
      top = rcMax(top, h);
    }
    if (piece.s1 - piece.s0 < NEAR) { /* upright; also where it is seen exactly along its edge */
      piece.h0 = piece.h1 = top;
      piece.s1 = piece.s0;
      if (top > high) return;
    }
    add(piece);
  }

  void add(Piece piece) {
    if (!(piece.s0 <= reach && piece.s1 >= -reach)) return;
    if (piece.is_steep && rcMax(piece.h0, piece.h1) > high) return; /* a wall */
    if (piece.s0 < -reach) cut(piece.s0, piece.h0, piece, (-reach - piece.s0) / (piece.s1 - piece.s0));
    if (piece.s1 > reach) cut(piece.s1, piece.h1, piece, (reach - piece.s0) / (piece.s1 - piece.s0));
    if (rcMax(piece.h0, piece.h1) < low || rcMin(piece.h0, piece.h1) > high) return;
    trim(piece, low, 1);
    trim(piece, high, -1);
    pieces.push_back(piece);
  }
  /// Let an end of a piece be where it is at `t`.
  static void cut(double &s, double &h, const Piece &piece, double t) {
    const double at = piece.s0 + t * (piece.s1 - piece.s0), height = piece.h0 + t * (piece.h1 - piece.h0);
    s = at, h = height;
  }
  /// Leave out what lies below a height, or with `sign` -1 above it.
  static void trim(Piece &piece, double limit, double sign) {
    const double t = (limit - piece.h0) / (piece.h1 - piece.h0);
    if (sign * (piece.h0 - limit) < 0)
      cut(piece.s0, piece.h0, piece, t);
    else if (sign * (piece.h1 - limit) < 0)
      cut(piece.s1, piece.h1, piece, t);
  }

  static double height_at(const Piece &piece, double s) {
    return piece.h0 + (s - piece.s0) / (piece.s1 - piece.s0) * (piece.h1 - piece.h0);
  }
  /// The highest of the pieces that lie from s0 to s1, at one of these. @return nullptr: none does.
  const Piece *topmost(double s0, double s1, double at) const {
    const Piece *top = nullptr;
    for (const Piece &piece : pieces)
      if (piece.s1 > piece.s0 && piece.s0 <= s0 + NEAR && piece.s1 >= s1 - NEAR &&
          (!top || height_at(piece, at) > height_at(*top, at)))
        top = &piece;
    return top;
  }

  /// Find the envelope: between each two ends of pieces, and jumps at these.
  void lay() {
    ends.clear();
    sections.clear();
    for (const Piece &piece : pieces) ends.push_back(piece.s0), ends.push_back(piece.s1);
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end(), [](double a, double b) { return b - a < NEAR; }),
               ends.end());
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
      const double s0 = ends[i], s1 = ends[i + 1];
      const Piece *at_s0 = topmost(s0, s1, s0), *at_s1 = topmost(s0, s1, s1);
      if (!at_s0) continue;
      jump(s0, height_at(*at_s0, s0));
      sections.push_back(
          {s0, height_at(*at_s0, s0), s1, height_at(*at_s1, s1), at_s0->is_steep || at_s1->is_steep});
    }
  }
  /// From where the envelope ends so far, over what stands upright at `s`, to a height there.
  void jump(double s, double height) {
    if (sections.empty()) return;
    const double from = sections.back().h1, since = sections.back().s1;
    double top = rcMax(from, height);
    for (const Piece &piece : pieces)
      if (piece.s1 <= piece.s0 && std::fabs(piece.s0 - s) < 2 * NEAR) top = rcMax(top, piece.h0);
    if (top - rcMin(from, height) < NEAR) return;
    sections.push_back({since, from, s, top, true});
    if (top > height) sections.push_back({s, top, s, height, true});
  }

  /// Steep sections that follow each other closely.
  struct Run {
    double s0, s1, low, high;
  };
  static void add(Run &run, const Section &section) {
    run.s1 = section.s1;
    run.low = rcMin(run.low, rcMin(section.h0, section.h1));
    run.high = rcMax(run.high, rcMax(section.h0, section.h1));
  }
  static bool is_in_middle(const Run &run) { return run.s0 <= 2 * NEAR && run.s1 >= -2 * NEAR; }

  /// @return false: a run goes on to the end of what is known, or may do so.
  bool step_at_middle(double &step) const {
    Run run = {0, -INFINITY, 0, 0};
    bool is_open = false, begins_on_ground = false;
    step = 0;
    for (const Section &section : sections) {
      if (section.is_steep && is_open && section.s0 - run.s1 < TREAD) {
        add(run, section);
        continue;
      }
      if (is_open && (section.is_steep || section.s1 - run.s1 >= TREAD)) {
        if (is_in_middle(run)) {
          if (!begins_on_ground) return false;
          step = rcMax(step, run.high - run.low);
        }
        is_open = false;
      }
      if (!section.is_steep) continue;
      begins_on_ground = section.s0 - sections.front().s0 >= TREAD;
      run = {section.s0, section.s1, rcMin(section.h0, section.h1), rcMax(section.h0, section.h1)};
      is_open = true;
    }
    return !is_open || !is_in_middle(run);
  }

  const lwi_tile_job &job;
  double min_x, min_z, bin;
  int columns, rows;
  double far, reach = 0; ///< Of a line to both sides: at most, and of that which is followed. [m]
  Array<Point> points;
  Array<Box> boxes;         ///< Of triangles.
  Array<std::size_t> first; ///< [columns * rows + 1]
  Array<int> items;         ///< Triangles by bin.
  Array<uint8_t> within;    ///< By triangle.
  Array<unsigned> seen;     ///< By triangle: the last line that was held against it.
  unsigned turn = 0;
  Array<Piece> pieces;
  Array<double> ends;
  Array<Section> sections;
  static constexpr std::size_t LINES = 256;
  Array<Line> lines{LINES, Line{INFINITY, 0, 0, 0, 0, 0, 0}};
};

} // namespace recast

#endif
