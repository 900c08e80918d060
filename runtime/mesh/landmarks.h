/// Distances from landmarks, which bound how long paths are (Goldberg and Harrelson 2005). They are measured
/// over the navmesh as it was baked, as seen from above, to the middle of each portal, and stay bounds where a
/// live navmesh (live.h) is cut: that makes paths longer only.
#ifndef LW_MESH_LANDMARKS_H
#define LW_MESH_LANDMARKS_H

#include "core/simd.h"
#include "core/vec3.h"
#include "mesh/sections.h"

/// Where a navmesh's landmarks lie among what is attached to it.
#define LWI_LANDMARKS_SLOT 5
extern const lwi_section_group lwi_landmark_sections;

/// Landmarks of a navmesh of up to LWI_MANY_POLYGONS, and of a larger one.
#define LWI_LANDMARKS 16
#define LWI_FEW_LANDMARKS 8
#define LWI_MANY_POLYGONS 100000
/// The largest distance in units, and that of what cannot be reached.
#define LWI_LANDMARK_FAR 32000
#define LWI_LANDMARK_NONE INT16_MAX

typedef struct lwi_landmarks {
  uint32_t count; ///< 0: there are none; LWI_LANDMARKS; LWI_FEW_LANDMARKS.
  float unit;     ///< Of distances. [m]
  uint32_t row_count;
  uint32_t reserved;  ///< 0.
  uint32_t *rows;     ///< [portals] Of distances. Both directions of a portal have one.
  int16_t *distances; ///< [row_count][count] To the middle of the portal, rounded down. [unit]
} lwi_landmarks;

static inline const lwi_landmarks *lwi_landmarks_of(const lw_navmesh *mesh) {
  return mesh->attachments.slots[LWI_LANDMARKS_SLOT];
}

/// Measure them again, for a navmesh whose reduction is built. There are none where that would take very long.
/// @return false: no memory; the navmesh is only good to be destroyed.
bool lwi_landmarks_make(lw_navmesh *mesh);
/// Round distances down, in units of which the largest one has LWI_LANDMARK_FAR.
/// @param from  [count][rows] INFINITY: LWI_LANDMARK_NONE. @param[out] to  [rows][count] @return The unit.
float lwi_landmark_round(const float *from, uint32_t rows, uint32_t count, int16_t *to);

/// Halfway between two corners that lie opposite each other. Its y is 0. [m]
static inline lw_vec3 lwi_polygon_middle(const lw_navmesh *mesh, uint32_t index) {
  const lwi_polygon polygon = lwi_polygon_get(mesh, index);
  const uint32_t half = polygon.count / 2;
  const float *x = polygon.at, *z = polygon.at + polygon.count;
  return (lw_vec3){0.5F * (x[0] + x[half]), 0, 0.5F * (z[0] + z[half])};
}

/// How far a place is from each landmark, at least and at most; -1 and LWI_LANDMARK_NONE where no path leads to
/// it. [unit]
typedef struct lwi_landmark_place {
  int16_t low[LWI_LANDMARKS], high[LWI_LANDMARKS];
} lwi_landmark_place;
/// Of a place in a polygon as it was baked, which has landmarks.
lwi_landmark_place lwi_landmark_place_of(const lw_navmesh *mesh, uint32_t polygon, lw_vec3 at);
/// Lower bound on the length of paths between two places. [m]
float lwi_landmark_bound_between(const lwi_landmarks *landmarks, const lwi_landmark_place *a,
                                 const lwi_landmark_place *b);

/// Lower bound on the length of paths between the middle of a portal and a place. [m]
static inline float lwi_landmark_bound(const lwi_landmarks *landmarks, uint32_t row,
                                       const lwi_landmark_place *to) {
  const int16_t *here = landmarks->distances + (size_t)row * landmarks->count;
  lwi_short8 max = {0};
  for (uint32_t k = 0; k < landmarks->count; k += LWI_FEW_LANDMARKS) {
    const lwi_short8 from = lwi_short_load8(here + k);
    const lwi_short8 nearer = lwi_short_sub8(lwi_short_load8(to->low + k), from),
                     further = lwi_short_sub8(from, lwi_short_load8(to->high + k));
    max = lwi_short_max8(max, lwi_short_max8(nearer, further));
  }
  return (float)lwi_short_highest8(max) * landmarks->unit;
}

/// The goal of a search.
typedef struct lwi_landmark_goal {
  const lw_navmesh *mesh;
  const lwi_landmarks *landmarks; ///< NULL: there are none.
  uint32_t base_portals;          ///< Portals of the navmesh as it was baked.
  lwi_landmark_place place;       ///< How far the goal is from landmarks.
} lwi_landmark_goal;
/// Of a goal at a place of a region.
lwi_landmark_goal lwi_landmark_goal_of(const lw_navmesh *mesh, uint32_t region, lw_vec3 at);
/// Lower bound on the length of paths to a goal that has landmarks, from a place in a polygon as it was baked.
/// @return [m]
float lwi_landmark_left_from(const lwi_landmark_goal *goal, uint32_t polygon, lw_vec3 at);
/// The same from the middle of a portal. For one that was not baked it takes longer: those of the polygon that
/// it was cut from are asked.
/// @param k  The portal. @param region  On either side of it. @param middle  Of it.
static inline float lwi_landmark_left(const lwi_landmark_goal *goal, uint32_t k, uint32_t region,
                                      lw_vec3 middle) {
  if (k < goal->base_portals)
    return lwi_landmark_bound(goal->landmarks, goal->landmarks->rows[k], &goal->place);
  return lwi_landmark_left_from(goal, lwi_origin_of(goal->mesh, region), middle);
}

#endif
