/// Cover at the sides of screens: segments as a bake would find them, at ground of a navmesh as it is now.
#ifndef LW_COVER_SCREEN_COVER_H
#define LW_COVER_SCREEN_COVER_H

#include "cover/segments.h"
#include "sight/screens.h"

/// Where to look for ground, and what may be between that and a screen.
typedef struct lwi_screen_places {
  const lw_navmesh *mesh;
  const lwi_occluders *const *sets; ///< [set_count]
  int set_count;
  const lwi_screens *screens;
} lwi_screen_places;

/// A segment at a screen.
typedef struct lwi_screen_segment {
  lwi_cover_segment at;
  uint32_t index; ///< The same as long as the segment is there, and of no other one of the screen.
} lwi_screen_segment;

/// The segments of a screen.
typedef struct lwi_screen_segments {
  uint64_t changed; ///< The lwi_screens_changed() that they were found after; 0: they are not found yet.
  lwi_screen_segment *items; ///< [count]
  int count, capacity;
} lwi_screen_segments;

/// The segments beside one navmesh of all screens that were asked about, by number. Begin with zeros.
typedef struct lwi_screen_cover {
  lwi_screen_segments *screens; ///< [capacity]
  int capacity;
  uint32_t *near; ///< [near_count] Parts of polygons beside the side that is looked at.
  int near_count, near_capacity;
} lwi_screen_cover;
void lwi_screen_cover_free(lwi_screen_cover *cover, lwi_memory *memory);
/// The segments along the sides of a screen: found at the first question after something has changed there.
/// One thread at a time.
/// @param number  Of a screen that rests. @return Valid until the next call; NULL: no memory.
const lwi_screen_segments *lwi_screen_cover_get(lwi_screen_cover *cover, const lwi_screen_places *places,
                                                uint32_t number, lwi_memory *memory);

#endif
