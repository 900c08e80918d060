/// The headroom over ground, by span and by polygon. C++, for recast.cpp alone.
#ifndef LW_BAKE_RECAST_HEADROOM_H
#define LW_BAKE_RECAST_HEADROOM_H

#include "bake/recast_kinds.h"
#include "mesh/headroom.h"

#include <Recast.h>

#include <algorithm>
#include <cmath>

namespace recast {

/// Headroom by span: from the top of its floor to the lowest ceiling over a body of the job's radius that
/// stands there, in whole cells. Voxels hold more than what is in them, so it is never more than there is.
class Headrooms {
public:
  /// Measure a field. @param solid  The voxels that it was built from, with the same areas.
  void measure(const lwi_tile_job &job, const rcHeightfield &solid, const rcCompactHeightfield &field) {
    step = static_cast<double>(field.ch);
    climb = job.walkable_climb;
    if (!list_ceilings(solid, field)) return;
    look_beside(field);
    if (job.walkable_radius > 1) begin_spread(field);
    for (int reach = 2; reach <= job.walkable_radius; ++reach) spread(field, reach % 2 == 0);
  }

  /// How many of the heights are more than there is over each span. Empty: none of them anywhere.
  Array<uint8_t> bands(const float *heights, int count) const {
    Array<uint8_t> found;
    if (count == 0 || headrooms.empty()) return found;
    found.resize(headrooms.size(), 0);
    for (int i = 0; i < count; ++i) {
      const int high = static_cast<int>(std::ceil(static_cast<double>(heights[i]) / step - 1e-4));
      for (std::size_t k = 0; k < headrooms.size(); ++k)
        found[k] = static_cast<uint8_t>(found[k] + (headrooms[k] < high));
    }
    return found;
  }

  /// The least over the cells that a polygon touches. @return As lwi_mesh_polygons has it.
  uint8_t over(const rcCompactHeightfield &field, const rcPolyMesh &mesh, int polygon) const {
    if (headrooms.empty()) return LWI_HEADROOM_OPEN;
    const Outline outline(mesh, polygon);
    int found = NO_CEILING;
    for (int z = outline.z_min; z < outline.z_max; ++z) {
      const Row row = outline.at(z);
      for (int x = row.begin; x < row.end; ++x) found = rcMin(found, in_column(field, outline, x, z));
    }
    return found == NO_CEILING ? LWI_HEADROOM_OPEN : lwi_headroom_byte(static_cast<double>(found) * step);
  }

private:
  static constexpr int NO_CEILING = 1 << 20, CORNERS_MAX = 6;

  struct Place {
    int cell;
    unsigned span;
    int headroom;
  };
  /// Cells of a row.
  struct Row {
    int begin, end;
  };
  /// A convex polygon in cells of the field.
  struct Outline {
    int count = 0, x[CORNERS_MAX] = {}, z[CORNERS_MAX] = {}, z_min = 0, z_max = 0, y_min = 0, y_max = 0;
    unsigned short region;

    Outline(const rcPolyMesh &mesh, int polygon) : region(mesh.regs[polygon]) {
      const unsigned short *corners = &mesh.polys[polygon * 2 * mesh.nvp];
      for (; count < rcMin(mesh.nvp, CORNERS_MAX) && corners[count] != RC_MESH_NULL_IDX; ++count) {
        const unsigned short *at = &mesh.verts[3 * corners[count]];
        x[count] = at[0] + mesh.borderSize, z[count] = at[2] + mesh.borderSize;
        y_min = count == 0 ? at[1] : rcMin<int>(y_min, at[1]),
        y_max = count == 0 ? at[1] : rcMax<int>(y_max, at[1]);
      }
      z_min = *std::min_element(z, z + count), z_max = *std::max_element(z, z + count);
    }
    Row at(int row) const {
      float low = INFINITY, high = -INFINITY;
      for (int k = 0, before = count - 1; k < count; before = k++) {
        const int from = rcMax(row, rcMin(z[k], z[before])), to = rcMin(row + 1, rcMax(z[k], z[before]));
        if (from >= to) continue; /* along a row's border, or in another row */
        const float across = static_cast<float>(x[before] - x[k]) / static_cast<float>(z[before] - z[k]);
        const float x0 = static_cast<float>(x[k]) + static_cast<float>(from - z[k]) * across;
        low = rcMin(low, rcMin(x0, x0 + across)), high = rcMax(high, rcMax(x0, x0 + across));
      }
      return {static_cast<int>(std::floor(low + ON_BORDER)), static_cast<int>(std::ceil(high - ON_BORDER))};
    }
    static constexpr float ON_BORDER = 1e-3f;
  };

  /// @return false: nowhere is a ceiling.
  bool list_ceilings(const rcHeightfield &solid, const rcCompactHeightfield &field) {
    bool any = false;
    std::size_t count = 0;
    headrooms.resize(static_cast<std::size_t>(field.spanCount));
    for (int cell = 0; cell < solid.width * solid.height; ++cell)
      for (const rcSpan *span = solid.spans[cell]; span; span = span->next) {
        if (span->area == RC_NULL_AREA) continue;
        headrooms[count++] = span->next ? static_cast<int>(span->next->smin) : NO_CEILING;
        any = any || span->next;
      }
    if (!any) headrooms.clear();
    return any;
  }

  /// Each span gets the least of what those beside it had before.
  void take_lowest(const rcCompactHeightfield &field, const Array<int> &before) {
    const auto share = [&](unsigned a, unsigned b) {
      headrooms[a] = rcMin(headrooms[a], before[b]), headrooms[b] = rcMin(headrooms[b], before[a]);
    };
    for (int cell = 0; cell < field.width * field.height; ++cell)
      for (unsigned i = field.cells[cell].index, end = i + field.cells[cell].count; i < end; ++i) {
        const int next_row = rcGetCon(field.spans[i], 1), next = rcGetCon(field.spans[i], 2);
        if (next_row != RC_NOT_CONNECTED)
          share(i, field.cells[cell + field.width].index + static_cast<unsigned>(next_row));
        if (next != RC_NOT_CONNECTED) share(i, field.cells[cell + 1].index + static_cast<unsigned>(next));
      }
  }

  /// From ceilings to headrooms over a span and those beside it, which is a body's first cell of radius: a step
  /// from one to the next needs what both ceilings leave.
  void look_beside(const rcCompactHeightfield &field) {
    take_lowest(field, Array<int>(headrooms));
    for (std::size_t i = 0; i < headrooms.size(); ++i)
      if (headrooms[i] != NO_CEILING) headrooms[i] -= field.spans[i].y;
  }

  /// To those over a body of more than a cell: the spans beside which there is more headroom.
  void begin_spread(const rcCompactHeightfield &field) {
    for (int cell = 0; cell < field.width * field.height; ++cell)
      for (unsigned i = field.cells[cell].index, end = i + field.cells[cell].count; i < end; ++i)
        for (int side = 0; side < 4 && headrooms[i] != NO_CEILING; ++side) {
          int beside = cell;
          unsigned to = i;
          if (!go_beside(field, side, &beside, &to) || headrooms[to] <= headrooms[i]) continue;
          front.push_back({cell, i, 0});
          break;
        }
  }

  /// One cell more. Only spans that have changed since can change those beside them.
  /// @param corners  Beside it are those at its corners, too.
  void spread(const rcCompactHeightfield &field, bool corners) {
    Array<Place> next;
    for (const Place &from : front)
      for (int side = 0; side < 4; ++side) {
        Place to = {from.cell, from.span, headrooms[from.span]};
        if (!go_beside(field, side, &to.cell, &to.span)) continue;
        if (headrooms[to.span] > to.headroom) next.push_back(to);
        if (corners && go_beside(field, (side + 1) % 4, &to.cell, &to.span) && headrooms[to.span] > to.headroom)
          next.push_back(to);
      }
    for (const Place &to : next) headrooms[to.span] = rcMin(headrooms[to.span], to.headroom);
    front.swap(next);
  }

  /// Of the polygon's floor in a column. Where its border strays over another region's, of all about as high.
  int in_column(const rcCompactHeightfield &field, const Outline &of, int x, int z) const {
    const rcCompactCell &cell = field.cells[x + z * field.width];
    if (cell.count == 1) return headrooms[cell.index];
    int found = NO_CEILING;
    for (unsigned i = cell.index, end = i + cell.count; i < end; ++i) {
      if (field.spans[i].reg == of.region) return headrooms[i];
      const int y = field.spans[i].y;
      if (y >= of.y_min - climb && y <= of.y_max + climb) found = rcMin(found, headrooms[i]);
    }
    return found;
  }

  double step = 0;      ///< [m]
  int climb = 0;        ///< [cells]
  Array<int> headrooms; ///< By span. Empty: there are no ceilings. [cells]
  Array<Place> front;   ///< Spans that changed last.
};

} // namespace recast

#endif
