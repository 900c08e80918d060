/// Polygons without area, out of Recast's meshes. C++, for recast.cpp alone.
#ifndef LW_BAKE_RECAST_SLIVERS_H
#define LW_BAKE_RECAST_SLIVERS_H

#include "bake/recast_kinds.h"

#include <Recast.h>

#include <algorithm>

namespace recast {

constexpr int CORNERS_MAX = 6; ///< Of a polygon.

inline int corner_count(const rcPolyMesh &mesh, int poly) {
  const unsigned short *corners = &mesh.polys[poly * 2 * mesh.nvp];
  int count = 0;
  while (count < mesh.nvp && corners[count] != RC_MESH_NULL_IDX) ++count;
  return count;
}

/// Triangles without area, which Recast makes where a long border meets two short ones, join what lies on their
/// two sides: the polygon at the long side gets their middle corner. Polygons wound the other way, where a
/// simplified border crosses itself, are left out.
class Slivers {
public:
  explicit Slivers(rcPolyMesh &from) : mesh(from), gone(static_cast<std::size_t>(from.npolys), false) {}

  void absorb() {
    for (int poly = 0; poly < mesh.npolys; ++poly) {
      const long area = twice_area(poly);
      if (area == 0 && corner_count(mesh, poly) == 3)
        absorb_one(poly);
      else if (area <= 0)
        leave_out(poly);
    }
    close_ranks();
  }

private:
  unsigned short *corners(int poly) { return &mesh.polys[poly * 2 * mesh.nvp]; }
  unsigned short *neighbors(int poly) { return corners(poly) + mesh.nvp; }
  bool is_polygon(int neighbor) const { return neighbor < mesh.npolys; }

  /// > 0 as Recast winds polygons. [cells2]
  long twice_area(int poly) {
    const int count = corner_count(mesh, poly);
    const unsigned short *a = &mesh.verts[3 * corners(poly)[0]];
    long sum = 0;
    for (int k = 2; k < count; ++k) {
      const unsigned short *b = &mesh.verts[3 * corners(poly)[k - 1]], *c = &mesh.verts[3 * corners(poly)[k]];
      sum += (c[0] - a[0]) * static_cast<long>(b[2] - a[2]) - (b[0] - a[0]) * static_cast<long>(c[2] - a[2]);
    }
    return sum;
  }

  long length2(int poly, int edge) {
    const unsigned short *a = &mesh.verts[3 * corners(poly)[edge]];
    const unsigned short *b = &mesh.verts[3 * corners(poly)[(edge + 1) % 3]];
    const long dx = b[0] - a[0], dz = b[2] - a[2];
    return dx * dx + dz * dz;
  }

  int edge_to(int poly, int neighbor) {
    int edge = 0;
    while (edge < corner_count(mesh, poly) && neighbors(poly)[edge] != neighbor) ++edge;
    return edge;
  }
  /// A corner, and what lies behind the edge from it.
  struct Side {
    unsigned short corner, neighbor;
  };
  /// Let the polygon behind a side, which ends at the corner `to`, have `poly` beside it.
  /// @param poly  RC_MESH_NULL_IDX: none.
  void turn_to(const Side &side, unsigned short to, int poly) {
    const int beside = side.neighbor, count = is_polygon(beside) ? corner_count(mesh, beside) : 0;
    for (int k = 0; k < count; ++k)
      if (corners(beside)[k] == to && corners(beside)[(k + 1) % count] == side.corner)
        neighbors(beside)[k] = static_cast<unsigned short>(poly);
  }

  void write(int poly, const Side *sides, int count) {
    for (int k = 0; k < mesh.nvp; ++k) {
      corners(poly)[k] = k < count ? sides[k].corner : static_cast<unsigned short>(RC_MESH_NULL_IDX);
      neighbors(poly)[k] = k < count ? sides[k].neighbor : static_cast<unsigned short>(RC_MESH_NULL_IDX);
    }
  }

  /// Corner `middle` comes between the ends of the edge at which `poly` has the sliver. With one corner too
  /// many, the polygon is parted between that corner and one across; the sliver becomes the other part.
  /// @return Is the sliver still a polygon?
  bool insert(int poly, int sliver, unsigned short middle, unsigned short before, unsigned short behind) {
    const int count = corner_count(mesh, poly), edge = edge_to(poly, sliver);
    Side all[CORNERS_MAX + 1]; /* from the middle corner on */
    for (int k = 0; k < count; ++k) {
      const int from = (edge + 1 + k) % count;
      all[k + 1] = {corners(poly)[from], neighbors(poly)[from]};
    }
    all[0] = {middle, behind};
    all[count].neighbor = before;
    turn_to(all[0], all[1].corner, poly);
    turn_to(all[count], middle, poly);
    if (count < mesh.nvp) {
      write(poly, all, count + 1);
      return false;
    }
    const int across = count / 2;
    Side own[CORNERS_MAX];
    std::copy_n(all, across, own);
    own[across] = {all[across].corner, static_cast<unsigned short>(sliver)};
    Side other[CORNERS_MAX];
    std::copy_n(all + across, count + 1 - across, other);
    other[count + 1 - across] = {middle, static_cast<unsigned short>(poly)};
    write(poly, own, across + 1);
    write(sliver, other, count + 2 - across);
    for (int k = across; k <= count; ++k) turn_to(all[k], k < count ? all[k + 1].corner : middle, sliver);
    mesh.regs[sliver] = mesh.regs[poly];
    mesh.flags[sliver] = mesh.flags[poly];
    mesh.areas[sliver] = mesh.areas[poly];
    return true;
  }

  void absorb_one(int sliver) {
    int edge = 0;
    for (int k = 1; k < 3; ++k)
      if (length2(sliver, k) > length2(sliver, edge)) edge = k;
    const unsigned short across = neighbors(sliver)[edge];
    const unsigned short before = neighbors(sliver)[(edge + 1) % 3], behind = neighbors(sliver)[(edge + 2) % 3];
    const unsigned short middle = corners(sliver)[(edge + 2) % 3];
    if (!is_polygon(across)) return leave_out(sliver);
    gone[static_cast<std::size_t>(sliver)] = !insert(across, sliver, middle, before, behind);
  }

  void leave_out(int poly) {
    const int count = corner_count(mesh, poly);
    for (int k = 0; k < count; ++k)
      turn_to({corners(poly)[k], neighbors(poly)[k]}, corners(poly)[(k + 1) % count], RC_MESH_NULL_IDX);
    gone[static_cast<std::size_t>(poly)] = true;
  }

  void close_ranks() {
    Array<unsigned short> place(gone.size());
    int count = 0;
    for (int poly = 0; poly < mesh.npolys; ++poly) {
      place[static_cast<std::size_t>(poly)] = static_cast<unsigned short>(count);
      if (gone[static_cast<std::size_t>(poly)]) continue;
      std::copy_n(corners(poly), 2 * mesh.nvp, corners(count));
      mesh.regs[count] = mesh.regs[poly];
      mesh.flags[count] = mesh.flags[poly];
      mesh.areas[count] = mesh.areas[poly];
      ++count;
    }
    if (count == mesh.npolys) return;
    for (int poly = 0; poly < count; ++poly)
      for (int k = 0; k < mesh.nvp; ++k)
        if (is_polygon(neighbors(poly)[k])) neighbors(poly)[k] = place[neighbors(poly)[k]];
    mesh.npolys = count;
  }

  rcPolyMesh &mesh;
  Array<bool> gone;
};

} // namespace recast

#endif
