/// Exposure of a segment to threats, over any number of occluder sets.
#ifndef LW_COVER_EXPOSURE_H
#define LW_COVER_EXPOSURE_H

#include "cover/eyes.h"
#include "cover/guides.h"
#include "mesh/mesh.h"

/// What blocks sight: all of them together. Borrowed.
typedef struct lwi_sight {
  const lwi_occluders *const *sets; ///< [count]
  int count;
  const lw_navmesh *const *meshes; ///< [count] Each set's, which may have a cover map. NULL: none has.
  bool bare;      ///< Some set has no tree, but a map: it answers, unless exact answers are asked for.
  lwi_eyes *eyes; ///< Who answers for busy threats. NULL: every answer is exact.
  /// The polygon of `ground` that the segment is over, and those that the threats are over (lwi_pairs_over()), for what is sure
  /// of them whatever the accuracy. [threat_count] NULL: nothing is.
  const uint32_t *over;
  const lw_navmesh *ground;
  uint32_t polygon;
  /// Each threat's depth map, which answers whatever accuracy is asked for. [threat_count] NULL: see `eyes`.
  lwi_depth_map *const *maps;
  const lwi_depth_scene *scene; ///< Of the maps.
} lwi_sight;

/// The polygons that so many threats are over. @param[out] over  [LWI_SIGHT_OVER] @return `over`; NULL: the mesh has no table
/// of pairs, or there are more threats than that.
#define LWI_SIGHT_OVER 16
const uint32_t *lwi_sight_over(const lw_navmesh *mesh, const lw_threat *threats, int count,
                               uint32_t over[LWI_SIGHT_OVER]);

/// How many hints there are: one for an eye's place and a way's, found by their hash.
#define LWI_EXPOSURE_HINTS 1024

/// Room to work in, kept from query to query: no allocation once warm. Begin with zeros.
typedef struct lwi_exposure_room {
  lwi_intervals any, threat, heights[2], swap;
  lwi_clip_hint hints[LWI_EXPOSURE_HINTS];
  uint64_t looks; ///< Segments asked for so far, once for each threat,
  uint64_t sure;  ///< and those of them that needed no look, for their pair of polygons was sure.
} lwi_exposure_room;
void lwi_exposure_room_free(lwi_exposure_room *room);
/// Forget what earlier questions have shown to be quick. No answer is another one afterwards: for who measures times.
void lwi_exposure_forget(lwi_exposure_room *room);

/// @param query  Checked with lwi_exposure_check(). @param memory  Of the room.
/// @return LW_OK, LW_OUT_OF_MEMORY.
lw_status lwi_exposure_find(const lwi_sight *sight, const lw_exposure_query *query, lwi_memory *memory,
                            lwi_exposure_room *room, lw_exposure *exposure);
/// What the threats see about a place: the sum of weight x fall-off x how many of the places at `aside` from it they see any
/// height of, as a part of 1.
/// @param sight  With maps. @param query  Its ends do not count. @param aside  [count]
float lwi_exposure_about(const lwi_sight *sight, const lw_exposure_query *query, lw_vec3 at,
                         const lw_vec3 *aside, int count);
/// @return LW_INVALID: a number is not what it may be, with its name.
lw_status lwi_threat_numbers(const lw_threat *threat, lw_error *error);
/// @return Is every number what it may be?
bool lwi_exposure_check(const lw_exposure_query *query);

#endif
