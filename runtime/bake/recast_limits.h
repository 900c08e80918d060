/// The limits of agents that a tile's ground has. C++, for recast.cpp alone.
#ifndef LW_BAKE_RECAST_LIMITS_H
#define LW_BAKE_RECAST_LIMITS_H

#include "bake/recast_headroom.h"
#include "bake/recast_kinds.h"
#include "bake/recast_steps.h"

namespace recast {

class Limits {
public:
  /// Keep agents of the job's radius off walls, and off the steps that they do not climb.
  bool erode(rcContext &log, const lwi_tile_job &job, rcCompactHeightfield &field) {
    Array<uint8_t> whole(field.areas, field.areas + field.spanCount);
    if (!erode_once(log, job, field)) return false;
    steps.measure(job, field, whole);
    if (!steps.wall_off(whole.data())) return true;
    std::copy(whole.begin(), whole.end(), field.areas);
    return erode_once(log, job, field);
  }
  /// Part an eroded field along the job's limits.
  /// @param solid  The voxels that it was built from, with the same areas.
  /// @param depths  Of water, by span; empty: there is none. [m]
  void part(const lwi_tile_job &job, const rcHeightfield &solid, rcCompactHeightfield &field,
            const Array<float> &depths) {
    headrooms.measure(job, solid, field);
    Array<uint8_t> wet = bands_of(job.limits, depths),
                   low = headrooms.bands(job.limits.heights, job.limits.height_count), high = steps.bands();
    const bool is_fine =
        steps.matter() || std::any_of(low.begin(), low.end(), [](uint8_t band) { return band > 0; });
    error = is_fine ? rcMin(job.max_edge_error, FINE_ERROR) : job.max_edge_error;
    kinds.add(field, wet, job.limits.depth_count + 1, error);
    kinds.add(field, low, job.limits.height_count + 1, error, job.limits.min_island);
    kinds.add(field, high, job.limits.step_count + 1, error, job.limits.min_island);
    kinds.part(field);
  }
  /// How far borders may be from the voxels. [cells]
  float edge_error() const { return error; }
  /// Measure what polygons have.
  void measure(const rcCompactHeightfield &field, const rcPolyMesh &mesh) {
    for (int p = 0; p < mesh.npolys; ++p) {
      headroom.push_back(headrooms.over(field, mesh, p));
      step.push_back(steps.over(mesh, p));
    }
  }
  uint8_t area_of(uint8_t number) const { return kinds.area_of(number); }
  uint8_t headroom_of(int polygon) const { return headroom[static_cast<std::size_t>(polygon)]; }
  uint8_t step_of(int polygon) const { return step[static_cast<std::size_t>(polygon)]; }

private:
  /// Largest edge error where there are steps or low ceilings, so that little is barred beside them. Voxels of
  /// straight borders are no further off, so that it adds few corners. [cells]
  static constexpr float FINE_ERROR = 1;

  static bool erode_once(rcContext &log, const lwi_tile_job &job, rcCompactHeightfield &field) {
    return job.walkable_radius == 0 || rcErodeWalkableArea(&log, job.walkable_radius, field);
  }

  /// How many of the depths are exceeded over each span.
  static Array<uint8_t> bands_of(const lwi_tile_limits &limits, const Array<float> &depths) {
    Array<uint8_t> bands(depths.size());
    for (std::size_t i = 0; i < bands.size(); ++i)
      while (bands[i] < limits.depth_count && depths[i] > limits.depths[bands[i]]) ++bands[i];
    return bands;
  }

  Kinds kinds;
  Headrooms headrooms;
  Steps steps;
  float error = 0;
  Array<uint8_t> headroom, step; ///< By polygon.
};

} // namespace recast

#endif
