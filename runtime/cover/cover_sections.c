/* The sections of cover and the checks of their numbers, and the table of all groups that a navmesh holds. */
#include "cover/cover_sections.h"

#include "cover/segments.h"
#include "leeward/area.h"
#include "mesh/landmarks.h"
#include "mesh/reduction.h"
#include "sight/cover_map.h"
#include "sight/sight_sections.h"
#include "sight/visibility_table.h"

enum { SEGMENTS, BLOCKS, VETOES, VETO_POINTS, ADDED, COVER_SECTIONS };

static const lwi_section cover_arrays[COVER_SECTIONS] = {
    [SEGMENTS] = LWI_SECTION("cover segments", lwi_cover, segments),
    [BLOCKS] = LWI_SECTION("cover blocks", lwi_cover, blocks),
    [VETOES] = LWI_SECTION("cover vetoes", lwi_cover, vetoes),
    [VETO_POINTS] = LWI_SECTION("outlines of cover vetoes", lwi_cover, veto_points),
    [ADDED] = LWI_SECTION("added cover", lwi_cover, added),
};

static uint64_t count_cover(const lw_navmesh *mesh, const void *group, int section) {
  (void)mesh;
  const lwi_cover *of = group;
  switch (section) {
  case SEGMENTS: return of->segment_count;
  case BLOCKS: return lwi_cover_blocks(of->segment_count);
  case VETOES: return of->veto_count;
  case VETO_POINTS: return of->veto_point_count;
  default: return of->added_count;
  }
}

static const char *check_segments(const lwi_cover_segment *segments, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const lwi_cover_segment *s = &segments[i];
    if (s->asked > (LWI_ASKED_LEFT | LWI_ASKED_TOO | LWI_ASKED_NOWHERE) || (i == 0 && s->asked & LWI_ASKED_TOO))
      return "a segment's flags are out of range, or it is the second side of none";
    const float numbers[] = {s->a.x, s->a.y, s->a.z, s->b.x, s->b.y, s->b.z, s->bottom, s->top};
    if (!lwi_check_finite(numbers, 8) || !(s->bottom < s->top))
      return "a segment's ends or heights are not finite, or bottom is not below top";
    if (s->kind != LW_COVER_HARD && s->kind != LW_COVER_SOFT) return "a segment's kind is out of range";
  }
  return NULL;
}

static const char *check_vetoes(const lwi_cover *of) {
  uint32_t point = 0;
  for (uint32_t i = 0; i < of->veto_count; i++) {
    const lwi_cover_veto *veto = &of->vetoes[i];
    if (!(veto->bottom < veto->top) || veto->first_point != point || veto->point_count < 3 ||
        veto->point_count > of->veto_point_count - point)
      return "a veto has fewer than 3 points, points out of order, or bottom not below top";
    point += veto->point_count;
  }
  return point == of->veto_point_count ? NULL : "there are points of no veto";
}

static const char *check_cover(const lw_navmesh *mesh, const void *group, int section) {
  (void)mesh;
  const lwi_cover *of = group;
  switch (section) {
  case SEGMENTS: return check_segments(of->segments, of->segment_count);
  case BLOCKS: {
    const size_t numbers = 6 * (size_t)lwi_cover_blocks(of->segment_count);
    return lwi_check_finite(&of->blocks[0].min.x, numbers) ? NULL : "a box is not finite or too far out";
  }
  case VETOES: return check_vetoes(of);
  case VETO_POINTS:
    return lwi_check_finite(&of->veto_points[0].x, 3 * (size_t)of->veto_point_count)
               ? NULL
               : "a corner is not finite or too far out";
  default: return check_segments(of->added, of->added_count);
  }
}

/* Segments depend on polygons, so they are computed again. */
static void carry_cover(const void *from, void *to) {
  const lwi_cover *cover = from;
  *(lwi_cover *)to = (lwi_cover){.veto_count = cover->veto_count,
                                 .veto_point_count = cover->veto_point_count,
                                 .added_count = cover->added_count};
}

static void add_stats(const lw_navmesh *mesh, const void *group, lw_navmesh_stats *stats) {
  (void)mesh;
  stats->cover_segments = (int)((const lwi_cover *)group)->segment_count;
}

_Static_assert(offsetof(lwi_cover, segments) == 16, "the numbers of lwi_cover have no gaps");
const lwi_section_group lwi_cover_sections = {.name = "cover",
                                              .sections = cover_arrays,
                                              .section_count = COVER_SECTIONS,
                                              .size = sizeof(lwi_cover),
                                              .head_size = offsetof(lwi_cover, segments),
                                              .count = count_cover,
                                              .check = check_cover,
                                              .carry = carry_cover,
                                              .add_stats = add_stats};

const lwi_section_group *const lwi_attached_groups[LWI_ATTACHMENT_COUNT] = {
    [LWI_OCCLUDERS_SLOT] = &lwi_occluder_sections,    [LWI_COVER_MAP_SLOT] = &lwi_cover_map_sections,
    [LWI_VISIBILITY_SLOT] = &lwi_visibility_sections, [LWI_COVER_SLOT] = &lwi_cover_sections,
    [LWI_REDUCTION_SLOT] = &lwi_reduction_sections,   [LWI_LANDMARKS_SLOT] = &lwi_landmark_sections,
};
