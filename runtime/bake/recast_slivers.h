/// Triangles without area in Recast's meshes. C++, for recast.cpp alone.
#ifndef LW_BAKE_RECAST_SLIVERS_H
#define LW_BAKE_RECAST_SLIVERS_H

#include "bake/recast_kinds.h"

#include <Recast.h>

#include <algorithm>

namespace recast {

inline int corner_count(const rcPolyMesh &mesh, int poly) {
  const unsigned short *corners = &mesh.polys[poly * 2 * mesh.nvp];
  int count = 0;
  while (count < mesh.nvp && corners[count] != RC_MESH_NULL_IDX) ++count;
  return count;
}

/// Triangles whose corners lie on one line, which Recast makes where a long border meets two short ones. They
/// have no area but join what lies on their two sides: the polygon at the long side gets their middle corner,
/// and so meets those at the short sides itself.
class Slivers {
public:
  explicit Slivers(rcPolyMesh &from) : mesh(from), gone(static_cast<std::size_t>(from.npolys), false) {}

  void absorb() {
    for (int poly = 0; poly < mesh.npolys; ++poly)
      if (corner_count(mesh, poly) == 3 && twice_area(poly) == 0) absorb_one(poly);
    close_ranks();
  }

private:
  unsigned short *corners(int poly) { return &mesh.polys[poly * 2 * mesh.nvp]; }
  unsigned short *neighbors(int poly) { return corners(poly) + mesh.nvp; }
  bool is_polygon(int neighbor) const { return neighbor < mesh.npolys; }

  long twice_area(int poly) {
    const unsigned short *a = &mesh.verts[3 * corners(poly)[0]], *b = &mesh.verts[3 * corners(poly)[1]];
    const unsigned short *c = &mesh.verts[3 * corners(poly)[2]];
    return (b[0] - a[0]) * static_cast<long>(c[2] - a[2]) - (c[0] - a[0]) * static_cast<long>(b[2] - a[2]);
  }

  long length2(int poly, int edge) {
    const unsigned short *a = &mesh.verts[3 * corners(poly)[edge]];
    const unsigned short *b = &mesh.verts[3 * corners(poly)[(edge + 1) % 3]];
    const long dx = b[0] - a[0], dz = b[2] - a[2];
    return dx * dx + dz * dz;
  }

  void rename(int poly, int from, unsigned short to) {
    for (int k = 0; is_polygon(poly) && k < mesh.nvp; ++k)
      if (neighbors(poly)[k] == from) neighbors(poly)[k] = to;
  }

  /// Corner `middle` comes between the ends of the edge at which `poly` has the sliver.
  void insert(int poly, int sliver, unsigned short middle, unsigned short before, unsigned short behind) {
    const int count = corner_count(mesh, poly);
    int edge = 0;
    while (edge < count && neighbors(poly)[edge] != sliver) ++edge;
    for (int k = count; k > edge + 1; --k) {
      corners(poly)[k] = corners(poly)[k - 1];
      neighbors(poly)[k] = neighbors(poly)[k - 1];
    }
    corners(poly)[edge + 1] = middle;
    neighbors(poly)[edge] = before;
    neighbors(poly)[edge + 1] = behind;
  }

  void absorb_one(int sliver) {
    int edge = 0;
    for (int k = 1; k < 3; ++k)
      if (length2(sliver, k) > length2(sliver, edge)) edge = k;
    const unsigned short across = neighbors(sliver)[edge];
    const unsigned short before = neighbors(sliver)[(edge + 1) % 3], behind = neighbors(sliver)[(edge + 2) % 3];
    if (is_polygon(across)) {
      if (corner_count(mesh, across) == mesh.nvp)
        return; /* too many corners: keep the sliver rather than cut a wall */
      insert(across, sliver, corners(sliver)[(edge + 2) % 3], before, behind);
    }
    const unsigned short instead = is_polygon(across) ? across : static_cast<unsigned short>(RC_MESH_NULL_IDX);
    rename(before, sliver, instead);
    rename(behind, sliver, instead);
    gone[static_cast<std::size_t>(sliver)] = true;
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
