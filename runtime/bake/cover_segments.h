/// Finding the cover segments of a navmesh, and editing and ordering their list.
#ifndef LW_BAKE_COVER_SEGMENTS_H
#define LW_BAKE_COVER_SEGMENTS_H

#include "bake/sight_lines.h"
#include "bake/walls.h"
#include "cover/segments.h"
#include "sight/occluder.h"

/// A list of segments. Begin with zeros and `memory`.
typedef struct lwi_segment_list {
  lwi_memory *memory;
  lwi_cover_segment *items;
  int count, capacity;
} lwi_segment_list;

void lwi_segments_free(lwi_segment_list *list);
bool lwi_segments_add(lwi_segment_list *list, const lwi_cover_segment *segment);

/// Where to search for segments.
typedef struct lwi_segment_places {
  const lwi_occluders *occluders;
  const lwi_sight_lines *lines; ///< Of the occluders.
  const lw_navmesh *mesh;
  lw_box *boxes; ///< As in lwi_beside.
  uint8_t *has;  ///< As in lwi_beside; NULL where several threads search.
} lwi_segment_places;

/// Find the parts of upright occluders that the mesh comes close to. The same for any number of threads.
/// @return false: out of memory.
bool lwi_segments_find(lwi_segment_list *list, const lwi_segment_places *places, int threads);

/// Find the segments of some walls, which are not joined yet. @param walls  Of the occluders.
/// @param[out] found  [wall_count] How many segments of the list each has, in turn.
/// @return false: out of memory.
bool lwi_segments_scan(lwi_segment_list *list, const lwi_segment_places *places, const lwi_walls *walls,
                       int threads, int *found);
/// Does one continue the other, so that they may be joined?
bool lwi_segments_go_on(const lwi_cover_segment *a, const lwi_cover_segment *b);
/// How far the ends of two such segments are apart at most: in xz, and in height. [m]
#define LWI_SEGMENTS_NEAR 0.03f
#define LWI_SEGMENTS_NEAR_HEIGHT 0.25f
/// Shorter ones do not stay. [m]
#define LWI_SEGMENT_LENGTH_MIN 0.25f

/// Join segments that continue each other in a straight line at equal height. @return false: out of memory.
bool lwi_segments_join(lwi_segment_list *list);
/// Remove the parts that designers exclude. @param height  Of agents. [m] @return false: out of memory.
bool lwi_segments_veto(lwi_segment_list *list, const lwi_cover *edits, float height);
/// Add the segments that designers ask for, where there is ground beside them; LWI_ASKED_NOWHERE marks those
/// without any. @return false: out of memory.
bool lwi_segments_add_asked(lwi_segment_list *list, const lwi_segment_places *places, lwi_cover *edits);
/// Remove segments shorter than `length`. [m]
void lwi_segments_drop(lwi_segment_list *list, float length);
/// Order the segments so that near ones are close in the list. @return false: out of memory.
bool lwi_segments_sort(lwi_segment_list *list);
/// Add segments to a list that is in order but for what is missing of it, and order all.
/// @param added  May come back in another order.
/// @param before  The complete list, in order.
/// @return false: out of memory.
bool lwi_segments_merge(lwi_segment_list *list, lwi_segment_list *added, const lwi_cover *before);
/// Bounds of blocks of segments. @param blocks  [lwi_cover_blocks(count)]
void lwi_segments_blocks(const lwi_cover_segment *segments, uint32_t count, lw_box *blocks);

#endif
