/// Limits of agents that ground has, as areas of Recast. C++, for recast.cpp alone.
#ifndef LW_BAKE_RECAST_KINDS_H
#define LW_BAKE_RECAST_KINDS_H

#include "bake/recast_memory.h"
#include "geometry/plugin.h"

#include <Recast.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace recast {

/// An array of the tile's memory.
template <typename T> using Array = std::vector<T, recast::Allocator<T>>;

/// The span beside one. @param[in,out] cell  That of the span. @return false: there is none.
inline bool go_beside(const rcCompactHeightfield &field, int side, int *cell, unsigned *span) {
  const int beside = rcGetCon(field.spans[*span], side);
  if (beside == RC_NOT_CONNECTED) return false;
  *cell += rcGetDirOffsetX(side) + rcGetDirOffsetY(side) * field.width;
  *span = field.cells[*cell].index + static_cast<unsigned>(beside);
  return true;
}

/// Kinds of ground: an area, and the band in which it lies of each measure that limits agents (depth of water,
/// headroom). Each has a number as if it were an area, so that Recast parts it from the others.
class Kinds {
public:
  Kinds() {
    for (int area = 0; area < KINDS_MAX; ++area) areas[area] = static_cast<uint8_t>(area);
  }
  /// Part the field by one more measure.
  /// @param bands  By span, below `count`: the higher, the fewer agents may pass.
  /// @param reach  How far a border may stray from the voxels: it must not reach into a higher band. [cells]
  /// @param min_size  Islands of lower bands with fewer cells join the next: bakes for agents that enter
  /// nothing else would leave them out. Without this, each tread of a flight of stairs is a polygon.
  void add(const rcCompactHeightfield &field, Array<uint8_t> &bands, int count, float reach, int min_size = 0) {
    if (std::all_of(bands.begin(), bands.end(), [](uint8_t band) { return band == 0; })) return; /* or empty */
    for (int cells = static_cast<int>(std::ceil(reach)); cells > 0; --cells) widen(field, bands);
    if (min_size > 0) Islands(field, bands, min_size).absorb(count);
    together.resize(bands.size(), 0);
    for (std::size_t i = 0; i < bands.size(); ++i)
      together[i] = static_cast<uint16_t>(together[i] * count + bands[i]);
  }
  /// Number the kinds of the field's spans, once all measures are added.
  void part(rcCompactHeightfield &field) {
    if (together.empty()) return;
    find_free(field);
    for (std::size_t i = 0; i < together.size(); ++i)
      if (field.areas[i] != RC_NULL_AREA && field.areas[i] != LWI_AREA_BLOCKED && together[i] > 0)
        field.areas[i] = kind(field.areas[i], together[i]);
  }
  uint8_t area_of(uint8_t number) const { return areas[number]; }

private:
  /// Ground of low bands that only ground of higher ones leads to.
  class Islands {
  public:
    Islands(const rcCompactHeightfield &in, Array<uint8_t> &of, int size)
        : field(in), bands(of), min_size(static_cast<std::size_t>(size)), seen(of.size(), 0) {}
    void absorb(int count) {
      for (highest = 0; highest + 1 < count; ++highest) absorb_up_to_highest();
    }

  private:
    struct Place {
      int cell;
      unsigned span;
    };
    /// Islands lie beside higher bands.
    void absorb_up_to_highest() {
      before = search;
      for (int cell = 0; cell < field.width * field.height; ++cell)
        for (unsigned i = field.cells[cell].index, end = i + field.cells[cell].count; i < end; ++i)
          if (bands[i] > highest)
            each_beside({cell, i}, [this](Place place) {
              if (seen[place.span] <= before) absorb_one(place);
            });
    }
    template <typename Visit> void each_beside(Place from, Visit visit) const {
      for (int side = 0; side < 4; ++side) {
        Place to = from;
        if (go_beside(field, side, &to.cell, &to.span) && field.areas[to.span] != RC_NULL_AREA &&
            bands[to.span] <= highest)
          visit(to);
      }
    }
    /// Follow the ground round a place until it is known to be no island.
    void absorb_one(Place first) {
      found.clear();
      goes_on = false;
      ++search;
      add(first);
      for (std::size_t at = 0; at < found.size() && !goes_on; ++at)
        each_beside(found[at], [this](Place place) {
          if (seen[place.span] <= before)
            add(place);
          else if (seen[place.span] != search)
            goes_on = true; /* an earlier search found that this is no island */
        });
      if (goes_on) return;
      for (const Place &place : found) bands[place.span] = static_cast<uint8_t>(highest + 1);
    }
    void add(Place place) {
      const int x = place.cell % field.width, z = place.cell / field.width;
      seen[place.span] = search;
      found.push_back(place);
      if (found.size() >= min_size || x == 0 || z == 0 || x == field.width - 1 || z == field.height - 1)
        goes_on = true;
    }
    const rcCompactHeightfield &field;
    Array<uint8_t> &bands;
    std::size_t min_size; ///< [cells]
    /// By span: the last search that found it; none of these bands up to `before`.
    Array<unsigned> seen;
    unsigned search = 0, before = 0;
    Array<Place> found;
    int highest = 0;
    bool goes_on = false; ///< It is large, or goes on beyond the field.
  };

  static constexpr int KINDS_MAX = LWI_AREA_BLOCKED + 1;
  struct Kind {
    uint16_t bands;
    uint8_t area, number;
  };

  /// Each span gets the highest band beside it.
  static void widen(const rcCompactHeightfield &field, Array<uint8_t> &bands) {
    const Array<uint8_t> before(bands);
    for (int cell = 0; cell < field.width * field.height; ++cell)
      for (unsigned i = field.cells[cell].index, end = i + field.cells[cell].count; i < end; ++i)
        for (int side = 0; side < 4; ++side) {
          int next = cell;
          unsigned beside = i;
          if (go_beside(field, side, &next, &beside)) bands[i] = rcMax(bands[i], before[beside]);
        }
  }
  void find_free(const rcCompactHeightfield &field) {
    for (int i = 0; i < field.spanCount; ++i)
      if (field.areas[i] != LWI_AREA_BLOCKED) last = rcMax(last, static_cast<int>(field.areas[i]));
  }
  /// Once all numbers are taken, ground is cut less finely: what limits it is measured later.
  uint8_t kind(uint8_t area, uint16_t bands) {
    for (const Kind &known : kinds)
      if (known.area == area && known.bands == bands) return known.number;
    if (last + 1 >= LWI_AREA_BLOCKED) return area;
    ++last;
    areas[last] = area;
    kinds.push_back({bands, area, static_cast<uint8_t>(last)});
    return static_cast<uint8_t>(last);
  }

  Array<uint16_t> together; ///< By span, its bands; empty: no measure parts the field.
  Array<Kind> kinds;
  uint8_t areas[KINDS_MAX] = {};
  int last = 0;
};

} // namespace recast

#endif
