/// What blocks sight now and did not, or did and does no longer.
#ifndef LW_COVER_CHANGES_H
#define LW_COVER_CHANGES_H

#include "core/memory.h"
#include "mesh/occluders.h"

/// Begin with zeros and `memory`.
typedef struct lwi_changes {
  lwi_memory *memory;
  bool all; ///< They cannot be compared: anything may have changed.
  int count, capacity;
  lw_box *boxes; ///< [count] About facets that only one of them has. [m]
} lwi_changes;

/// Compare facet by facet, however trees group them. @return false: no memory.
bool lwi_changes_find(lwi_changes *changes, const lwi_occluders *before, const lwi_occluders *now);
/// Did anything change no further than that from the box? [m]
bool lwi_changes_near(const lwi_changes *changes, const lw_box *box, float reach);
void lwi_changes_free(lwi_changes *changes);

#endif
