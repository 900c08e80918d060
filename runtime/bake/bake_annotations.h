/// What of a geometry goes into the navmesh beside its ground: links, waters, occluders and what
/// designers say of cover.
#ifndef LW_BAKE_BAKE_ANNOTATIONS_H
#define LW_BAKE_BAKE_ANNOTATIONS_H

#include "core/memory.h"
#include "leeward/bake.h"
#include "mesh/annotations.h"

/// @param[out] annotations  Free it with lwi_bake_annotations_free(), also on failure. @return False: out of memory.
/// @param baked  What is baked of the geometry, to build occluders for it. NULL: they are not wanted.
bool lwi_bake_annotations(const lw_geometry *geometry, const lw_box *baked, lwi_memory *memory,
                          lwi_annotations *annotations);
/// What of occluders and cover a bake keeps: LWI_KEEP_*, or-ed together.
uint32_t lwi_bake_keep(const lw_bake_settings *settings);
/// What of a geometry blocks sight. @param baked  What is baked of it.
/// @param[out] occluders  Free them with lwi_occluders_free(). @return False: out of memory.
bool lwi_bake_occluders(const lw_geometry *geometry, lw_box baked, lwi_memory *memory,
                        lwi_occluders *occluders);
/// Say in the report what large triangles cost in precision.
void lwi_bake_note_occluders(const lw_geometry *geometry, lw_box baked, lw_bake_report *report);
void lwi_bake_annotations_free(lwi_annotations *annotations, lwi_memory *memory);
/// Continue `hash` with all marks, waters, links and edits of cover, and with what triangles do to sight.
uint64_t lwi_bake_hash_annotations(const lw_geometry *geometry, uint64_t hash);

#endif
