/// Depth maps that a search for a path guesses by. What a guess is made from follows from the eye alone, so that no answer
/// depends on what was asked before.
#ifndef LW_COVER_GUIDES_H
#define LW_COVER_GUIDES_H

#include "cover/depth_map.h"

/// Maps at most, and so threats that one search looks by.
#define LWI_GUIDES_MAX 64
/// Maps that were made for a search by more threats than are kept are given back when none needed so many for so long. [steps]
#define LWI_GUIDES_REST 600

/// Begin with lwi_guides_init(); the maps are made as they are asked for.
typedef struct lwi_guides {
  lwi_memory *memory;
  lwi_depth_scene scene;
  int limit, count;
  uint64_t asks, asked[LWI_GUIDES_MAX]; ///< When each was last asked for, by the number of questions.
  uint64_t since;                       ///< What was asked for later is in use.
  int rested;                           ///< Steps in which nobody needed more than are kept.
  lwi_depth_map *maps[LWI_GUIDES_MAX];  ///< [count]
} lwi_guides;

/// @param limit  How many maps to keep; where more are in use at once, there are more. [0: none at all] @param sets  Borrowed; must outlive the guides.
void lwi_guides_init(lwi_guides *guides, int limit, const lwi_occluders *const *sets, int count,
                     lwi_memory *memory);
void lwi_guides_free(lwi_guides *guides);
/// A search begins: maps that were asked for before are no longer in use.
void lwi_guides_begin(lwi_guides *guides);
/// The map of an eye at exactly that place, which mere concealment hides from. It stays while it is in use, and then until as
/// many others have been asked for as are kept. @return NULL: no memory, or there may be none.
lwi_depth_map *lwi_guides_get(lwi_guides *guides, lw_vec3 eye);
/// Between steps: give back what has not been needed for long.
void lwi_guides_settle(lwi_guides *guides);

#endif
