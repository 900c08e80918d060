/// Cover segments: stretches of wall that someone can stand at.
#ifndef LW_COVER_SEGMENTS_H
#define LW_COVER_SEGMENTS_H

#include "cover/lines.h"
#include "cover/occluder.h"
#include "mesh/mesh.h"

/// A list of segments. Begin with zeros and `memory`.
typedef struct lwi_segment_list {
  lwi_memory *memory;
  lwi_cover_segment *items;
  int count, capacity;
} lwi_segment_list;

void lwi_segments_free(lwi_segment_list *list);
bool lwi_segments_add(lwi_segment_list *list, const lwi_cover_segment *segment);

/// Where to look for segments.
typedef struct lwi_segment_places {
  const lwi_occluders *occluders;
  const lwi_lines *lines; ///< Of the occluders.
  const lw_navmesh *mesh;
  const lw_box *boxes; ///< lwi_beside_boxes()
} lwi_segment_places;

/// Find the stretches of the occluders' upright faces that the mesh comes close to: the same by any number of threads.
/// @return false: no memory.
bool lwi_segments_find(lwi_segment_list *list, const lwi_segment_places *places, int threads);

/// segments_join.c: one of those that go on straight from one to the next.
bool lwi_segments_join(lwi_segment_list *list);
/// segments_edit.c: cut out what designers do not want. @param height  Of those who stand there. [m] @return false: no memory.
bool lwi_segments_veto(lwi_segment_list *list, const lwi_cover *edits, float height);
/// The same: put in what they ask for, as far as there is ground beside it; what there is none of is marked in `asked`.
/// @return false: no memory.
bool lwi_segments_add_asked(lwi_segment_list *list, const lwi_segment_places *places, lwi_cover *edits);
/// Leave out those that are shorter. [m]
void lwi_segments_drop(lwi_segment_list *list, float length);
/// Bring those near each other together. @return false: no memory.
bool lwi_segments_sort(lwi_segment_list *list);
/// @param blocks  [lwi_cover_blocks(count)]
void lwi_segments_blocks(const lwi_cover_segment *segments, uint32_t count, lw_box *blocks);

/// Heights are measured no better than this. [m]
#define LWI_COVER_HEIGHT_SLACK 0.01f
/// Does it hide a body from the lower to the upper of the heights above the ground?
static inline bool lwi_segment_hides(const lwi_cover_segment *segment, const float heights[2]) {
  return segment->bottom - segment->a.y <= heights[0] + LWI_COVER_HEIGHT_SLACK &&
         segment->top - segment->a.y >= heights[1] - LWI_COVER_HEIGHT_SLACK;
}

/// The way from `a` to `b`, level and of length 1, and from the wall to where one stands.
static inline lw_vec3 lwi_segment_along(const lwi_cover_segment *segment) {
  float x = segment->b.x - segment->a.x, z = segment->b.z - segment->a.z, length = sqrtf(x * x + z * z);
  return length > 0 ? (lw_vec3){x / length, 0, z / length} : (lw_vec3){1, 0, 0};
}
static inline lw_vec3 lwi_segment_normal(const lwi_cover_segment *segment) {
  lw_vec3 along = lwi_segment_along(segment);
  return (lw_vec3){0 - along.z, 0, along.x};
}

#endif
