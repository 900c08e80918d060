/// Screens: convex prisms that block sight while they are in a world: obstacles, and volumes of permutations.
///
/// The baked structures of sight know nothing of them. Whatever answers for the baked occluders, the screens
/// hide more on top of it, and always exactly: so nothing of what was baked goes stale when they come, move and
/// go.
///
/// A screen hides nothing from an eye inside of it, and what is inside of it is hidden from any other eye.
/// What only touches it, to LWI_SCREEN_SHRINK, is not hidden.
#ifndef LW_SIGHT_SCREENS_H
#define LW_SIGHT_SCREENS_H

#include "core/rectangle_tree.h"
#include "leeward/id.h"
#include "mesh/footprint.h"
#include "sight/occluder.h"

/// A screen ends so far inside of its faces. [m]
#define LWI_SCREEN_SHRINK 1e-4

typedef struct lwi_screen {
  lwi_cut_side sides[LWI_OUTLINE_CORNERS]; ///< [count] Counter-clockwise. 0: there is none of that number.
  int count;
  float low, high;   ///< [m]
  uint8_t kind;      ///< LW_COVER_HARD or LW_COVER_SOFT.
  bool rests;        ///< It rests, and offers cover along its sides.
  uint32_t carrier;  ///< 1 + the slot of the agent that carries it; 0: none does.
  lw_obstacle_id id; ///< None: of a permutation.
} lwi_screen;

/// Cells in which changes beside screens are noted: several places share one, which costs time alone.
#define LWI_SCREEN_CELLS 1024
#define LWI_SCREEN_CELL 8.0f ///< [m]

/// The screens of a world, by the numbers of their footprints. Begin with zeros. They change only between
/// steps.
typedef struct lwi_screens {
  lwi_screen *items; ///< [capacity]
  int count, capacity;
  lwi_rectangle_tree tree; ///< Of rectangles that hold them, by number.
  uint64_t version;        ///< Grows with each change of what is hidden.
  /// When something changed last that the cover at the sides of screens depends on: by a hash of square cells
  /// in xz, and of a change on many cells at once. Counted in changes.
  uint64_t changed[LWI_SCREEN_CELLS], all_changed, changes;
  float beside; ///< Ground matters up to this far from a side. [m]
} lwi_screens;

/// Put a screen in the place of the one with that number. @param screen  `count` above 0.
/// @return false: no memory, nothing has changed.
bool lwi_screens_set(lwi_screens *screens, lwi_memory *memory, uint32_t number, const lwi_screen *screen);
/// Remove the screen of that number, if there is one.
void lwi_screens_remove(lwi_screens *screens, uint32_t number);
/// Ground has changed somewhere in a rectangle: the cover at the sides of screens beside it may be another one.
void lwi_screens_touch(lwi_screens *screens, lwi_rectangle box);
/// When the cover at the sides of a screen may have changed last: another number after each such change.
uint64_t lwi_screens_changed(const lwi_screens *screens, const lwi_screen *screen);
void lwi_screens_clear(lwi_screens *screens);
void lwi_screens_free(lwi_screens *screens, lwi_memory *memory);
/// Does that agent carry a screen? @param carrier  As in lwi_screen.
bool lwi_screens_are_carried(const lwi_screens *screens, uint32_t carrier);
/// @return The screen, or NULL: there is none of that number.
static inline const lwi_screen *lwi_screens_get(const lwi_screens *screens, uint32_t number) {
  return number < (uint32_t)screens->capacity && screens->items[number].count > 0 ? &screens->items[number]
                                                                                  : NULL;
}

/// A segment at some heights, seen from an eye.
typedef struct lwi_screen_query {
  const lwi_screens *screens;
  lw_vec3 eye, from, to;
  const float *heights; ///< [count]
  int count;            ///< [1..2]
  bool soft;            ///< Soft cover hides, too.
  uint32_t spared;      ///< 1 + the slot of an agent: what it carries does not hide. 0: all does.
} lwi_screen_query;
/// Unite what is hidden at each height with what the screens hide.
/// @param parts  [query->count] Scratch. @param hidden  [query->count] @return false: no memory.
bool lwi_screens_hide(const lwi_screen_query *query, lwi_intervals *parts, lwi_intervals *hidden);
/// Does no screen hide the target? @param soft  Soft cover hides, too. @param spared  As in lwi_screen_query.
bool lwi_screens_see(const lwi_screens *screens, lw_vec3 eye, lw_vec3 target, bool soft, uint32_t spared);

#endif
