/// The head room over ground, by span and by polygon. C++, for recast.cpp alone.
#ifndef LW_BAKE_RECAST_ROOMS_H
#define LW_BAKE_RECAST_ROOMS_H

#include "bake/recast_kinds.h"
#include "mesh/head_room.h"

#include <Recast.h>

#include <algorithm>
#include <cmath>

namespace recast {

/// Head room by span: from the top of its floor to the lowest ceiling over a body of the job's radius that stands
/// there, in whole cells. Voxels hold more than what is in them, so it is never more than there is.
class Rooms {
public:
  /// Measure a field. @param solid  What it was made of, with the areas that it was made by.
  void measure(const lwi_tile_job &job, const rcHeightfield &solid, const rcCompactHeightfield &field) {
    step = static_cast<double>(field.ch);
    least = job.walkable_height;
    list_ceilings(solid);
    look_beside(field);
    /* Ground where the middle of a cell is inside belongs to a polygon, so a part of the next cell does, too. */
    for (int reach = rcMax(job.walkable_radius, 1); reach > 0; --reach) spread(field, reach % 2 == 0);
  }

  /// How many of the heights are more than there is over each span.
  Array<uint8_t> bands(const float *heights, int count) const {
    Array<uint8_t> found(rooms.size(), 0);
    for (int i = 0; i < count; ++i) {
      const int high = static_cast<int>(std::ceil(static_cast<double>(heights[i]) / step - 1e-4));
      for (std::size_t k = 0; k < rooms.size(); ++k)
        found[k] = static_cast<uint8_t>(found[k] + (rooms[k] < high));
    }
    return found;
  }

  /// The least over a polygon. @return As lwi_mesh_polygons has it.
  uint8_t over(const rcCompactHeightfield &field, const rcPolyMesh &mesh, int polygon) const {
    const unsigned short *corners = &mesh.polys[polygon * 2 * mesh.nvp];
    int found = NONE;
    for (int k = 2; k < mesh.nvp && corners[k] != RC_MESH_NULL_IDX; ++k)
      found = rcMin(found, over_triangle(field, Triangle(mesh, corners[0], corners[k - 1], corners[k])));
    if (found == NONE) found = at_middle(field, Triangle(mesh, corners[0], corners[1], corners[2]));
    return lwi_room_byte(found == NO_CEILING ? INFINITY : static_cast<double>(found) * step);
  }

private:
  static constexpr int NO_CEILING = 1 << 20, NONE = NO_CEILING + 1;

  /// Of a fan over a polygon. Corners in cells of the field.
  struct Triangle {
    double x[3], y[3], z[3];
    Triangle(const rcPolyMesh &mesh, int a, int b, int c) {
      const int corners[3] = {a, b, c};
      for (int k = 0; k < 3; ++k) {
        const unsigned short *at = &mesh.verts[3 * corners[k]];
        x[k] = at[0] + mesh.borderSize, y[k] = at[1], z[k] = at[2] + mesh.borderSize;
      }
    }
    /// How far a point is from the side opposite to a corner, where the corner is at 1.
    double part(int corner, double px, double pz) const {
      const int a = (corner + 1) % 3, b = (corner + 2) % 3;
      const double turn = (x[b] - x[a]) * (pz - z[a]) - (z[b] - z[a]) * (px - x[a]);
      return turn / ((x[b] - x[a]) * (z[corner] - z[a]) - (z[b] - z[a]) * (x[corner] - x[a]));
    }
  };

  void list_ceilings(const rcHeightfield &solid) {
    for (int cell = 0; cell < solid.width * solid.height; ++cell)
      for (const rcSpan *span = solid.spans[cell]; span; span = span->next)
        if (span->area != RC_NULL_AREA)
          rooms.push_back(span->next ? static_cast<int>(span->next->smin) : NO_CEILING);
  }

  template <typename Visit> static void visit_all(const rcCompactHeightfield &field, Visit visit) {
    for (int cell = 0; cell < field.width * field.height; ++cell)
      for (unsigned i = field.cells[cell].index, end = i + field.cells[cell].count; i < end; ++i)
        visit(cell, i);
  }
  /// The span beside one. @param[in,out] cell  That of the span.
  static bool go(const rcCompactHeightfield &field, int side, int *cell, unsigned *span) {
    const int beside = rcGetCon(field.spans[*span], side);
    if (beside == RC_NOT_CONNECTED) return false;
    *cell += rcGetDirOffsetX(side) + rcGetDirOffsetY(side) * field.width;
    *span = field.cells[*cell].index + static_cast<unsigned>(beside);
    return true;
  }

  /// From ceilings to rooms. Who goes from one span to the next needs what both ceilings leave.
  void look_beside(const rcCompactHeightfield &field) {
    const Array<int> ceilings(rooms);
    visit_all(field, [&](int cell, unsigned i) {
      int lowest = ceilings[i];
      for (int side = 0; side < 4; ++side) {
        int beside = cell;
        unsigned next = i;
        if (go(field, side, &beside, &next)) lowest = rcMin(lowest, ceilings[next]);
      }
      rooms[i] = lowest == NO_CEILING ? NO_CEILING : lowest - static_cast<int>(field.spans[i].y);
      if (lowest != NO_CEILING) front.push_back({cell, i, 0});
    });
  }

  /// Spans get the least room beside them, one cell further each time. Only spans that have changed since can change
  /// those beside them. @param corners  Beside it are those at its corners, too.
  void spread(const rcCompactHeightfield &field, bool corners) {
    Array<Place> next;
    for (const Place &from : front)
      for (int side = 0; side < 4; ++side) {
        Place to = {from.cell, from.span, rooms[from.span]};
        if (!go(field, side, &to.cell, &to.span)) continue;
        if (rooms[to.span] > to.room) next.push_back(to);
        if (corners && go(field, (side + 1) % 4, &to.cell, &to.span) && rooms[to.span] > to.room)
          next.push_back(to);
      }
    for (const Place &to : next) rooms[to.span] = rcMin(rooms[to.span], to.room);
    front.swap(next);
  }

  /// The room of the span of a column that is nearest to a height.
  int nearest(const rcCompactHeightfield &field, int x, int z, double y) const {
    if (x < 0 || z < 0 || x >= field.width || z >= field.height) return NONE;
    const rcCompactCell &cell = field.cells[x + z * field.width];
    double best = INFINITY;
    int found = NONE;
    for (unsigned i = cell.index, end = i + cell.count; i < end; ++i) {
      const double away = std::fabs(field.spans[i].y - y);
      if (away >= best) continue;
      best = away;
      found = rooms[i];
    }
    return found;
  }

  int over_triangle(const rcCompactHeightfield &field, const Triangle &of) const {
    const int x0 = static_cast<int>(std::min({of.x[0], of.x[1], of.x[2]})),
              x1 = static_cast<int>(std::max({of.x[0], of.x[1], of.x[2]})),
              z0 = static_cast<int>(std::min({of.z[0], of.z[1], of.z[2]})),
              z1 = static_cast<int>(std::max({of.z[0], of.z[1], of.z[2]}));
    int found = NONE;
    for (int z = z0; z < z1; ++z)
      for (int x = x0; x < x1; ++x) {
        const double a = of.part(0, x + 0.5, z + 0.5), b = of.part(1, x + 0.5, z + 0.5), c = 1 - a - b;
        if (!(a >= 0 && b >= 0 && c >= 0)) continue; /* NaN fails: no area */
        found = rcMin(found, nearest(field, x, z, a * of.y[0] + b * of.y[1] + c * of.y[2]));
      }
    return found;
  }
  /// Of a polygon that holds no cell's middle.
  int at_middle(const rcCompactHeightfield &field, const Triangle &of) const {
    const double x = (of.x[0] + of.x[1] + of.x[2]) / 3, z = (of.z[0] + of.z[1] + of.z[2]) / 3;
    const int found =
        nearest(field, static_cast<int>(x), static_cast<int>(z), (of.y[0] + of.y[1] + of.y[2]) / 3);
    return found == NONE ? least : found;
  }

  struct Place {
    int cell;
    unsigned span;
    int room;
  };

  double step = 0;    ///< [m]
  int least = 0;      ///< [cells]
  Array<int> rooms;   ///< By span. [cells]
  Array<Place> front; ///< Spans that changed last.
};

} // namespace recast

#endif
