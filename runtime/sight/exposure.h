/// Exposure of a segment to threats, through any number of occluder sets.
#ifndef LW_SIGHT_EXPOSURE_H
#define LW_SIGHT_EXPOSURE_H

#include "mesh/mesh.h"
#include "sight/depth_cache.h"
#include "sight/screens.h"

/// What blocks sight: all sets together, and screens. Borrowed.
typedef struct lwi_sight {
  const lwi_occluders *const *sets; ///< [count]
  int count;
  const lw_navmesh *const *meshes; ///< [count] Each set's navmesh, which may have a cover map. NULL: none has.
  bool bare; ///< Some set has a cover map in place of its BVH: all but exact answers come from cover maps.
  /// Depth maps for busy threats, and where questions are counted. NULL: every answer is exact.
  const lwi_depth_cache *cache;
  lwi_depth_asks *asks;
  /// The polygon of `ground` that the segment is over, and those that the threats are over (lwi_sight_over()):
  /// the visibility table decides what it can. [threat_count] NULL: no table.
  const uint32_t *over;
  const lw_navmesh *ground;
  uint32_t polygon;
  /// What hides besides, exactly in every answer. NULL: nothing.
  const lwi_screens *screens;
  uint32_t spared; ///< 1 + the slot of an agent: screens that it carries do not hide. 0: all do.
} lwi_sight;

/// The polygons that threats are over, for lwi_sight. @param[out] over  [LWI_SIGHT_OVER]
/// @return `over`; NULL: the mesh has no visibility table, or there are more than LWI_SIGHT_OVER threats.
#define LWI_SIGHT_OVER 16
const uint32_t *lwi_sight_over(const lw_navmesh *mesh, const lw_threat *threats, int count,
                               uint32_t over[LWI_SIGHT_OVER]);

/// Number of clip hints, found by a hash of the eye's and the segment's place.
#define LWI_EXPOSURE_HINTS 1024

/// Scratch memory, kept from query to query: no allocation once warm. Begin with zeros.
typedef struct lwi_exposure_scratch {
  lwi_intervals any, threat, heights[2], parts[2], swap;
  lwi_clip_hint hints[LWI_EXPOSURE_HINTS];
  uint64_t looks; ///< Segments asked about so far, counted once per threat in range.
  uint64_t sure;  ///< How many of them the visibility table decided.
} lwi_exposure_scratch;
void lwi_exposure_scratch_free(lwi_exposure_scratch *scratch);
/// Clear the hints. No answer changes: for measuring times.
void lwi_exposure_forget(lwi_exposure_scratch *scratch);

/// @param query  Checked with lwi_exposure_check(). @param memory  Of the scratch memory.
/// @return LW_OK or LW_OUT_OF_MEMORY.
lw_status lwi_exposure_find(const lwi_sight *sight, const lw_exposure_query *query, lwi_memory *memory,
                            lwi_exposure_scratch *scratch, lw_exposure *exposure);
/// What a metre at a point counts for that a threat of weight 1 sees. [0..1; 0: out of its range or its angle]
float lwi_threat_fall_off(const lw_threat *threat, const lw_exposure_query *query, lw_vec3 at);
/// Check a threat's numbers. @return LW_OK, or LW_INVALID with the field named.
lw_status lwi_threat_numbers(const lw_threat *threat, lw_error *error);
/// @return Are all numbers of the query within their ranges?
bool lwi_exposure_check(const lw_exposure_query *query);

#endif
