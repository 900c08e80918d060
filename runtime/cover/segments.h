/// Cover segments: parts of walls at which an agent can stand in cover.
#ifndef LW_COVER_SEGMENTS_H
#define LW_COVER_SEGMENTS_H

#include "mesh/mesh.h"

/// A part of a wall that an agent can stand at. `a` is the left end for an agent that stands there and faces
/// the wall.
typedef struct lwi_cover_segment {
  lw_vec3 a, b;      ///< On the wall's face, at the height of the ground beside it. [m]
  float bottom, top; ///< Of the wall at `a`; along the wall they rise with the ground. [m]
  uint8_t kind;      ///< lw_cover_kind
  uint8_t asked;     ///< LWI_ASKED_*, or-ed together: of requested segments (lwi_cover.added).
  uint8_t reserved[2];
} lwi_cover_segment;

#define LWI_ASKED_LEFT 1u    ///< For agents on the left of the line from..to: `a` is its end.
#define LWI_ASKED_TOO 2u     ///< The second side of the segment before it.
#define LWI_ASKED_NOWHERE 4u ///< Refused: there is no ground beside it.

/// Segments that share a box.
#define LWI_COVER_BLOCK 16

/// Where there must be no cover: a simple polygon between two heights.
typedef struct lwi_cover_veto {
  float bottom, top;                 ///< [m] May be infinite.
  uint32_t first_point, point_count; ///< The points of vetoes follow each other.
} lwi_cover_veto;

/// A navmesh's cover segments, and the requests of designers, which parts of a bake keep until they are joined.
typedef struct lwi_cover {
  uint32_t segment_count, veto_count, veto_point_count, added_count;
  lwi_cover_segment *segments; ///< [segment_count] Those near each other stand together.
  lw_box *blocks;              ///< [blocks of segment_count] About LWI_COVER_BLOCK segments each. [m]
  lwi_cover_veto *vetoes;      ///< [veto_count]
  lw_vec3 *veto_points;        ///< [veto_point_count]
  lwi_cover_segment *added;    ///< [added_count]
} lwi_cover;

static inline uint32_t lwi_cover_blocks(uint32_t segments) {
  return (segments + LWI_COVER_BLOCK - 1) / LWI_COVER_BLOCK;
}

/// A navmesh's cover. Which arrays it is in its file: cover/cover_sections.c.
#define LWI_COVER_SLOT 3
static inline const lwi_cover *lwi_cover_of(const lw_navmesh *mesh) {
  return mesh->attachments.slots[LWI_COVER_SLOT];
}
static inline lwi_cover *lwi_cover_edit(lw_navmesh *mesh) {
  return mesh->attachments.slots[LWI_COVER_SLOT];
}

/// Tolerance for heights. [m]
#define LWI_COVER_HEIGHT_SLACK 0.01f
/// Does the segment hide a body whose heights above the ground are heights[0]..heights[1]?
static inline bool lwi_segment_hides(const lwi_cover_segment *segment, const float heights[2]) {
  return segment->bottom - segment->a.y <= heights[0] + LWI_COVER_HEIGHT_SLACK &&
         segment->top - segment->a.y >= heights[1] - LWI_COVER_HEIGHT_SLACK;
}

/// The horizontal unit vector from `a` to `b`.
static inline lw_vec3 lwi_segment_along(const lwi_cover_segment *segment) {
  float x = segment->b.x - segment->a.x, z = segment->b.z - segment->a.z, length = sqrtf(x * x + z * z);
  return length > 0 ? (lw_vec3){x / length, 0, z / length} : (lw_vec3){1, 0, 0};
}
/// The horizontal unit vector from the wall to where an agent stands.
static inline lw_vec3 lwi_segment_normal(const lwi_cover_segment *segment) {
  lw_vec3 along = lwi_segment_along(segment);
  return (lw_vec3){0 - along.z, 0, along.x};
}

#endif
