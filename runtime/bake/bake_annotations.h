/// What a geometry adds to the navmesh beside its ground: links, waters, occluders and edits of cover.
#ifndef LW_BAKE_BAKE_ANNOTATIONS_H
#define LW_BAKE_BAKE_ANNOTATIONS_H

#include "core/memory.h"
#include "leeward/bake.h"
#include "cover/segments.h"
#include "sight/cover_map.h"
#include "sight/occluder.h"

/// Owned. Groups that are not wanted are empty.
typedef struct lwi_bake_extras {
  lwi_annotations annotations;
  lwi_occluders occluders;
  lwi_cover cover;   ///< Requests and vetoes of designers alone.
  lwi_cover_map map; ///< The criteria alone.
} lwi_bake_extras;

/// @param baked  The part of the geometry that is baked, to build occluders for it. NULL: without occluders.
/// @param[out] extras  Free it with lwi_bake_annotations_free(), also on failure. @return false: out of memory.
bool lwi_bake_annotations(const lw_geometry *geometry, const lw_box *baked, lwi_memory *memory,
                          lwi_bake_extras *extras);
/// What a navmesh is built with, borrowed. @param occluders  Whether it gets the occluders.
lwi_attachments lwi_bake_attachments(const lwi_bake_extras *extras, bool occluders);
/// @return Which occluders and cover a bake keeps: LWI_KEEP_*, or-ed together.
uint32_t lwi_bake_keep(const lw_bake_settings *settings);
/// Build the occluders. @param baked  The part of the geometry that is baked.
/// @param[out] occluders  Free them with lwi_occluders_free(). @return false: out of memory.
bool lwi_bake_occluders(const lw_geometry *geometry, lw_box baked, lwi_memory *memory,
                        lwi_occluders *occluders);
/// Note in the report what large triangles cost in precision.
void lwi_bake_note_occluders(const lw_geometry *geometry, lw_box baked, lw_bake_report *report);
void lwi_bake_annotations_free(lwi_bake_extras *extras, lwi_memory *memory);
/// Continue `hash` with all marks, waters, links, edits of cover, and the triangles' cover kinds.
uint64_t lwi_bake_hash_annotations(const lw_geometry *geometry, uint64_t hash);

#endif
