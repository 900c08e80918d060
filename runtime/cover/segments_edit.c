/* Stretches that designers do not want. */
#include "cover/segments.h"

#include "core/vec3.h"

/* Pieces shorter than this are not worth the name. [m] */
#define PIECE_LEAST 0.25f
/* A wall's face lies within the box of the wall. [m] */
#define OUTSIDE 0.02

/* Which part of the segment lies in the polygon, which is convex and counter-clockwise. @return false: none. */
static bool find_inside(const lwi_cover_segment *segment, const lw_vec3 *points, uint32_t count, float *from,
                        float *to) {
  double t0 = 0, t1 = 1;
  for (uint32_t i = 0; i < count; i++) {
    lw_vec3 p = points[i], q = points[i + 1 < count ? i + 1 : 0];
    double length = (double)lwi_distance_xz(p, q);
    double a = lwi_turn(p, q, segment->a) + OUTSIDE * length, b = lwi_turn(p, q, segment->b) + OUTSIDE * length;
    if (a < 0 && b < 0) return false;
    if (a < 0) t0 = fmax(t0, a / (a - b));
    if (b < 0) t1 = fmin(t1, a / (a - b));
  }
  *from = (float)t0;
  *to = (float)t1;
  return t0 < t1;
}

static bool add_piece(lwi_segment_list *out, const lwi_cover_segment *segment, float from, float to) {
  lwi_cover_segment piece = *segment;
  if (from > 0) piece.a = lwi_lerp(segment->a, segment->b, from);
  if (to < 1) piece.b = lwi_lerp(segment->a, segment->b, to);
  piece.top += piece.a.y - segment->a.y;
  piece.bottom += piece.a.y - segment->a.y;
  return lwi_distance_xz(piece.a, piece.b) < PIECE_LEAST || lwi_segments_add(out, &piece);
}

static bool cut(lwi_segment_list *out, const lwi_cover_segment *segment, const lwi_cover_veto *veto,
                const lw_vec3 *points) {
  float foot = (segment->a.y + segment->b.y) / 2, from, to;
  if (foot + segment->top - segment->a.y < veto->bottom || foot > veto->top ||
      !find_inside(segment, points + veto->first_point, veto->point_count, &from, &to))
    return lwi_segments_add(out, segment);
  return add_piece(out, segment, 0, from) && add_piece(out, segment, to, 1);
}

bool lwi_segments_veto(lwi_segment_list *list, const lwi_cover *edits) {
  bool done = true;
  for (uint32_t v = 0; v < edits->veto_count && done; v++) {
    lwi_segment_list out = {.memory = list->memory};
    for (int i = 0; i < list->count && done; i++)
      done = cut(&out, &list->items[i], &edits->vetoes[v], edits->veto_points);
    lwi_segments_free(list);
    *list = out;
  }
  return done;
}
