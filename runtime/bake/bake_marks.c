#include "bake/bake_marks.h"

#include "core/vec3.h"

static bool overlap(const lw_box *a, const lw_box *b) {
  return a->min.x <= b->max.x && a->max.x >= b->min.x && a->min.z <= b->max.z && a->max.z >= b->min.z;
}

/* A long path's bounds hold much that it passes by. */
static bool comes_by(const lwi_mark *mark, const lw_vec3 *points, const lw_box *box) {
  int pieces = mark->is_closed ? mark->point_count : mark->point_count - 1;
  lw_vec3 pad = lwi_vec3(mark->half_width, 0, mark->half_width);
  for (int i = 0; i < pieces; ++i) {
    lw_box piece = lwi_box_add(lwi_box_add(lwi_box_empty(), points[i]), points[(i + 1) % mark->point_count]);
    piece.min = lwi_sub(piece.min, pad);
    piece.max = lwi_add(piece.max, pad);
    if (overlap(&piece, box)) return true;
  }
  return false;
}

static bool touches(const lwi_marks *marks, int index, const lw_box *box) {
  const lwi_mark *mark = &marks->items[index];
  return overlap(&mark->bounds, box) &&
         (!mark->is_path || comes_by(mark, marks->points + mark->first_point, box));
}

bool lwi_bake_marks_find(lwi_bake_marks *found, const lw_geometry *geometry, const lw_box *box,
                         lwi_memory *memory) {
  const lwi_marks *marks = lwi_geometry_marks(geometry);
  *found = (lwi_bake_marks){0};
  int count = 0, points = 0;
  for (int i = 0; i < marks->count; ++i)
    if (touches(marks, i, box)) ++count, points += marks->items[i].point_count;
  if (count == 0) return true;
  found->count = count;
  found->point_count = points;
  found->from = lwi_alloc(memory, (size_t)count * sizeof *found->from);
  found->marks = lwi_alloc(memory, (size_t)count * sizeof *found->marks);
  found->points = lwi_alloc(memory, 3 * (size_t)points * sizeof *found->points);
  if (!found->from || !found->marks || !found->points) return lwi_bake_marks_free(found, memory), false;
  count = 0;
  for (int i = 0; count < found->count; ++i)
    if (touches(marks, i, box)) found->from[count++] = &marks->items[i];
  return true;
}

void lwi_bake_marks_place(lwi_bake_marks *found, const lw_geometry *geometry, const double origin[3],
                          const uint8_t *local) {
  const lw_vec3 *points = lwi_geometry_marks(geometry)->points;
  float *to = found->points;
  for (int i = 0; i < found->count; ++i) {
    const lwi_mark *mark = found->from[i];
    double base = mark->is_path ? 0 : origin[1]; /* a path's points carry the height */
    found->marks[i] = (lwi_tile_mark){.area = mark->area == LW_AREA_NONE ? 0 : local[mark->area],
                                      .is_path = mark->is_path,
                                      .is_closed = mark->is_closed,
                                      .points = to,
                                      .point_count = mark->point_count,
                                      .is_water = mark->is_water,
                                      .deep_area = mark->is_water ? local[mark->deep_area] : 0,
                                      .deep_top = (float)(mark->top - base - mark->wade),
                                      .half_width = mark->half_width,
                                      .bottom = (float)(mark->bottom - base),
                                      .top = (float)(mark->top - base)};
    for (int k = 0; k < mark->point_count; ++k, to += 3) {
      lw_vec3 p = points[mark->first_point + k];
      to[0] = (float)(p.x - origin[0]), to[1] = (float)(p.y - origin[1]), to[2] = (float)(p.z - origin[2]);
    }
  }
}

void lwi_bake_marks_free(lwi_bake_marks *found, lwi_memory *memory) {
  lwi_free(memory, found->from, (size_t)found->count * sizeof *found->from);
  lwi_free(memory, found->marks, (size_t)found->count * sizeof *found->marks);
  lwi_free(memory, found->points, 3 * (size_t)found->point_count * sizeof *found->points);
  *found = (lwi_bake_marks){0};
}
