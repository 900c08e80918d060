/// How deep ground lies under water, as areas of Recast. C++, for recast.cpp alone.
#ifndef LW_BAKE_RECAST_KINDS_H
#define LW_BAKE_RECAST_KINDS_H

#include "bake/recast_memory.h"
#include "geometry/plugin.h"

#include <Recast.h>

#include <cmath>
#include <vector>

namespace recast {

/// An array of the tile's memory.
template <typename T> using Array = std::vector<T, recast::Allocator<T>>;

/// Kinds of ground under water: an area, and how many of the job's depths are exceeded there. Each has a number
/// as if it were an area, so that Recast parts it from the others.
class Kinds {
public:
  /// Number the kinds of the field's spans. @param depths  By span; empty: no water.
  void part(const lwi_tile_job &job, rcCompactHeightfield &field, const Array<float> &depths) {
    for (int area = 0; area < KINDS_MAX; ++area) areas[area] = static_cast<uint8_t>(area);
    if (depths.empty() || job.depth_count == 0) return;
    Array<uint8_t> bands(depths.size());
    for (std::size_t i = 0; i < bands.size(); ++i)
      while (bands[i] < job.depth_count && depths[i] > job.depths[bands[i]]) ++bands[i];
    /* A border may stray from the voxels by this much; it must not reach into deeper ground. */
    for (int cells = static_cast<int>(std::ceil(job.max_edge_error)); cells > 0; --cells) widen(field, bands);
    find_free(field);
    for (std::size_t i = 0; i < bands.size(); ++i)
      if (field.areas[i] != RC_NULL_AREA && field.areas[i] != LWI_AREA_BLOCKED && bands[i] > 0)
        field.areas[i] = kind(field.areas[i], bands[i]);
  }
  uint8_t area_of(uint8_t number) const { return areas[number]; }

private:
  static constexpr int KINDS_MAX = LWI_AREA_BLOCKED + 1, BANDS_MAX = 16;

  /// Each span becomes as deep as the deepest beside it.
  static void widen(const rcCompactHeightfield &field, Array<uint8_t> &bands) {
    const Array<uint8_t> before(bands);
    for (int cell = 0; cell < field.width * field.height; ++cell)
      for (unsigned i = field.cells[cell].index, end = i + field.cells[cell].count; i < end; ++i)
        for (int side = 0; side < 4; ++side) {
          const int beside = rcGetCon(field.spans[i], side);
          if (beside == RC_NOT_CONNECTED) continue;
          const int next = cell + rcGetDirOffsetX(side) + rcGetDirOffsetY(side) * field.width;
          bands[i] = rcMax(bands[i], before[field.cells[next].index + static_cast<unsigned>(beside)]);
        }
  }
  void find_free(const rcCompactHeightfield &field) {
    for (int i = 0; i < field.spanCount; ++i)
      if (field.areas[i] != LWI_AREA_BLOCKED) last = rcMax(last, static_cast<int>(field.areas[i]));
  }
  /// Once all numbers are taken, ground is cut less finely: depths are measured later.
  uint8_t kind(uint8_t area, uint8_t band) {
    uint8_t &number = numbers[area][band];
    if (number == 0 && last + 1 < LWI_AREA_BLOCKED) areas[number = static_cast<uint8_t>(++last)] = area;
    return number == 0 ? area : number;
  }

  uint8_t areas[KINDS_MAX] = {};
  uint8_t numbers[KINDS_MAX][BANDS_MAX] = {};
  int last = 0;
};

} // namespace recast

#endif
