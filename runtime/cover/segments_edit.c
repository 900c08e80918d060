/* Stretches that designers do not want, and those that they ask for. */
#include "cover/segments.h"

#include "core/vec3.h"
#include "cover/beside.h"

/* Pieces shorter than this are not worth the name. [m] */
#define PIECE_LEAST 0.25f
/* A wall's face lies within the box of the wall. [m] */
#define OUTSIDE 0.02
/* What is asked for is looked at so often. [m] */
#define STEP 0.25f

/* A part of a segment, in parameters 0..1. */
typedef struct part {
  double from, to;
} part;

/* Keep where something is not below zero that is so much at the segment's ends. */
static void keep(part *of, double a, double b) {
  if (a < 0 && b < 0) of->to = of->from;
  if (a < 0 && b >= 0) of->from = fmax(of->from, a / (a - b));
  if (b < 0 && a >= 0) of->to = fmin(of->to, a / (a - b));
}

/* The part that lies in the polygon, which is convex and counter-clockwise, and where what hides someone who stands there has
   a height in common with the region. @param height  Of those who stand. */
static part find_inside(const lwi_cover_segment *segment, const lwi_cover_veto *veto, const lw_vec3 *points,
                        float height) {
  part inside = {0, 1};
  const double rise = (double)fminf(segment->top - segment->a.y, height);
  keep(&inside, (double)segment->a.y + rise - (double)veto->bottom,
       (double)segment->b.y + rise - (double)veto->bottom);
  keep(&inside, (double)veto->top - (double)segment->a.y, (double)veto->top - (double)segment->b.y);
  for (uint32_t i = 0; i < veto->point_count && inside.from < inside.to; i++) {
    lw_vec3 p = points[i], q = points[i + 1 < veto->point_count ? i + 1 : 0];
    double slack = OUTSIDE * (double)lwi_distance_xz(p, q);
    keep(&inside, lwi_turn(p, q, segment->a) + slack, lwi_turn(p, q, segment->b) + slack);
  }
  return inside;
}

static bool add_piece(lwi_segment_list *out, const lwi_cover_segment *segment, float from, float to) {
  lwi_cover_segment piece = *segment;
  if (from > 0) piece.a = lwi_lerp(segment->a, segment->b, from);
  if (to < 1) piece.b = lwi_lerp(segment->a, segment->b, to);
  piece.top += piece.a.y - segment->a.y;
  piece.bottom += piece.a.y - segment->a.y;
  return lwi_distance_xz(piece.a, piece.b) < PIECE_LEAST || lwi_segments_add(out, &piece);
}

static bool cut(lwi_segment_list *out, const lwi_cover_segment *segment, part inside) {
  if (!(inside.from < inside.to)) return lwi_segments_add(out, segment);
  return add_piece(out, segment, 0, (float)inside.from) && add_piece(out, segment, (float)inside.to, 1);
}

bool lwi_segments_veto(lwi_segment_list *list, const lwi_cover *edits, float height) {
  bool done = true;
  for (uint32_t v = 0; v < edits->veto_count && done; v++) {
    lwi_segment_list out = {.memory = list->memory};
    const lwi_cover_veto *veto = &edits->vetoes[v];
    for (int i = 0; i < list->count && done; i++) {
      const lwi_cover_segment *segment = &list->items[i];
      done = cut(&out, segment, find_inside(segment, veto, edits->veto_points + veto->first_point, height));
    }
    lwi_segments_free(list);
    *list = out;
  }
  return done;
}

/* --- asked for ----------------------------------------------------------------------------------------------------- */

/* Is there ground beside the segment there? @return 1: yes; 0: no; -1: no memory. */
static int is_ground_at(lwi_beside *beside, const lwi_cover_segment *segment, float t) {
  const lw_vec3 at = lwi_lerp(segment->a, segment->b, t), normal = lwi_segment_normal(segment);
  const lwi_wall_place place = {
      .x = at.x, .z = at.z, .hx = normal.x, .hz = normal.z, .low = at.y, .high = at.y + LWI_COVER_TOP_LEAST};
  const lw_box box = lwi_beside_reach(beside, &place, lwi_box_empty());
  if (!lwi_beside_gather(beside, &box)) return -1;
  return lwi_beside_is_ground(beside, &place, at.y);
}

/* From the first place that has ground beside it to the last. @return false: no memory. */
static bool find_ground(lwi_beside *beside, const lwi_cover_segment *segment, part *found) {
  const int steps = (int)ceilf(lwi_distance_xz(segment->a, segment->b) / STEP);
  *found = (part){0, 0};
  for (int i = 0; i < steps; i++) {
    const int is_ground = is_ground_at(beside, segment, ((float)i + 0.5f) / (float)steps);
    if (is_ground < 0) return false;
    if (!is_ground) continue;
    if (found->to <= 0) found->from = (double)i / steps;
    found->to = (i + 1.0) / steps;
  }
  return true;
}

static bool add_asked(lwi_segment_list *list, lwi_beside *beside, lwi_cover_segment *asked) {
  lwi_cover_segment segment = *asked;
  const int before = list->count;
  part ground;
  if (!find_ground(beside, asked, &ground)) return false;
  segment.asked = 0;
  if (ground.from < ground.to && !add_piece(list, &segment, (float)ground.from, (float)ground.to)) return false;
  if (list->count == before) asked->asked |= LWI_ASKED_NOWHERE;
  return true;
}

bool lwi_segments_add_asked(lwi_segment_list *list, const lwi_segment_places *places, lwi_cover *edits) {
  lwi_beside beside = {list->memory, places->lines, places->mesh, places->boxes, NULL, 0, 0};
  bool done = true;
  for (uint32_t i = 0; i < edits->added_count && done; i++) done = add_asked(list, &beside, &edits->added[i]);
  lwi_beside_free(&beside);
  return done;
}
