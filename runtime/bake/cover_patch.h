/// The cover segments of a navmesh some of whose tiles were replaced: those near the changes are found again,
/// the others are the base's. A search of all walls gives the same list.
#ifndef LW_BAKE_COVER_PATCH_H
#define LW_BAKE_COVER_PATCH_H

#include "bake/cover_segments.h"
#include "bake/replaced_sight.h"

/// What is known. Occluders of both navmeshes are on one lattice, and have the same lwi_lines_slack().
typedef struct lwi_cover_patch {
  const lwi_replaced *replaced;     ///< Its base has cover.
  const lw_navmesh *mesh;           ///< Complete, but for cover.
  const lwi_facet_changes *changes; ///< Not `all`.
} lwi_cover_patch;

/// @param edits  Of `mesh`: what designers removed and added.
/// @param[out] list  In order. Begin with zeros and `memory`. @return false: no memory.
bool lwi_cover_patch_find(const lwi_cover_patch *patch, lwi_cover *edits, lwi_segment_list *list);

#endif
