/* Cutting one polygon of a live navmesh, or one square of a wide one. */
#include "mesh/live_parts.h"

#include <string.h>

bool lwi_live_take_outline(lwi_live *live, uint32_t polygon) {
  const lwi_polygon whole = lwi_polygon_get(live->base, polygon);
  lwi_cut_outline *outline = &live->outline;
  outline->count = (int)whole.count;
  if (!lwi_reserve(live->memory, &outline->corners, &outline->capacity, outline->count,
                   sizeof *outline->corners))
    return false;
  for (uint32_t i = 0; i < whole.count; i++) {
    const lw_vec3 corner = lwi_corner(&whole, i);
    outline->corners[i] = (lwi_cut_corner){corner.x, corner.z, i, 0};
  }
  return true;
}

/* --- pieces ----------------------------------------------------------------------------------------------- */

/* @param[out] count  Corners of the whole ground. @return false: no memory. */
static bool begin_cut(lwi_live *live, const lwi_block *block, int *count) {
  if (lwi_is_square(block)) {
    const lwi_square *square = lwi_square_of(live, block);
    *count = square->count;
    return lwi_cut_begin(&live->cut, live->splits.items[block->split].corners + square->first, *count);
  }
  if (!lwi_live_take_outline(live, block->polygon)) return false;
  *count = live->outline.count;
  return lwi_cut_begin(&live->cut, live->outline.corners, *count);
}

/* Is ground level, and at a height that a footprint does not meet? */
static bool is_beyond(const lwi_live *live, const lwi_live_entry *entry, uint32_t polygon) {
  if (!entry->is_partial || lwi_surface_of(live->base, polygon) != LWI_SURFACE_LEVEL) return false;
  const lwi_polygon whole = lwi_polygon_get(live->base, polygon);
  const lwi_cut_heights heights = lwi_live_heights(live, entry);
  const double height = (double)lwi_corner(&whole, 0).y;
  return height < heights.low || height > heights.high;
}

/* Cut by a footprint, if it marks, or cuts out, as is asked. @return false: no memory. */
static bool apply(lwi_live *live, const lwi_block *block, uint32_t number, bool marks) {
  const lwi_live_entry *entry = &live->entries[number];
  if (lwi_cut_is_marked(entry->mark) != marks || is_beyond(live, entry, block->polygon)) return true;
  if (entry->is_partial && !lwi_live_take_slopes(live, block->polygon, &entry->shape)) return false;
  const lwi_cut_heights heights = lwi_live_heights(live, entry);
  return lwi_cut_apply(&live->cut, &entry->shape, LWI_SIDE_ORIGIN + number * LWI_CUT_SIDES, entry->mark,
                       entry->is_partial ? &heights : NULL);
}

/* Lower the headroom of what is left below a footprint. @return false: no memory. */
static bool lower(lwi_live *live, const lwi_block *block, uint32_t number) {
  const lwi_live_entry *entry = &live->entries[number];
  lwi_live_gap gap;
  bool is_there;
  if (!lwi_live_take_slopes(live, block->polygon, &entry->shape)) return false;
  if (!lwi_live_gap_below(live, entry, block->polygon, &gap, &is_there)) return false;
  lwi_live_band band = {.headroom = 0};
  while (is_there && lwi_live_next_band(live, entry, block->polygon, &gap, &band)) {
    const lwi_cut_mark mark = {.area = LW_AREA_NONE, .headroom = band.headroom};
    if (!lwi_cut_apply(&live->cut, &entry->shape, LWI_SIDE_ORIGIN + number * LWI_CUT_SIDES, mark,
                       band.all ? NULL : &band.heights))
      return false;
  }
  return true;
}

static bool cut_outline(lwi_live *live, const lwi_block *block, bool *changed) {
  int count;
  if (!begin_cut(live, block, &count)) return false;
  for (int i = 0; i < block->number_count; i++)
    if (!apply(live, block, block->numbers[i], false)) return false;
  for (int i = 0; i < block->number_count; i++)
    if (live->entries[block->numbers[i]].hangs && !lower(live, block, block->numbers[i])) return false;
  /* The latest mark first: ground that has its area is not split by earlier ones. */
  for (int i = block->number_count - 1; i >= 0; i--)
    if (!apply(live, block, block->numbers[i], true)) return false;
  if (!lwi_cut_merge(&live->cut) || !lwi_cut_end(&live->cut)) return false;
  const lwi_cut_list *now = &live->cut.now;
  *changed = lwi_is_square(block) || now->piece_count != 1 || now->corner_count != count ||
             lwi_cut_is_marked(now->pieces[0].mark);
  for (int i = 0; i < now->corner_count && !*changed; i++) *changed = now->corners[i].origin >= LWI_SIDE_ORIGIN;
  return true;
}

/* Pieces are gone over which there was less headroom than over their polygon. */
static void count_out(lwi_live *live, const lwi_block *block) {
  const uint8_t *headrooms = live->mesh.polygons.headrooms + block->pieces.first,
                whole = live->base->polygons.headrooms[block->polygon];
  for (uint32_t i = 0; i < block->piece_count; i++)
    if (headrooms[i] < whole) live->marks.lowered[headrooms[i]] -= 1;
}

void lwi_live_restore(lwi_live *live, lwi_block *block) {
  if (!block->is_cut) return;
  lw_navmesh *mesh = &live->mesh;
  count_out(live, block);
  for (uint32_t i = 0; i < block->pieces.space; i++) {
    uint16_t *generation = &mesh->live.generations[block->pieces.first + i];
    *generation = (uint16_t)(*generation % 32767 + 1);
  }
  lwi_live_clear(live, block->pieces);
  lwi_live_give_back(live, LWI_LIVE_POLYGON, &block->pieces);
  lwi_live_give_back(live, LWI_LIVE_CORNER, &block->corners);
  lwi_live_give_back(live, LWI_LIVE_RIM, &block->rim);
  block->piece_count = block->rim_count = 0;
  block->is_cut = false;
  live->pieces[block->ground] = (lwi_span){LWI_NONE, 0};
  if (lwi_is_square(block)) return;
  mesh->live.origins[block->polygon] = block->polygon;
  mesh->polygons.areas[block->polygon] = live->base->polygons.areas[block->polygon];
}

static bool take_runs(lwi_live *live, lwi_block *block, uint32_t pieces, uint32_t corners) {
  block->pieces = lwi_live_take(live, LWI_LIVE_POLYGON, pieces + 1);
  block->corners = lwi_live_take(live, LWI_LIVE_CORNER, corners);
  if (block->pieces.space > 0 && block->corners.space > 0) return true;
  lwi_live_give_back(live, LWI_LIVE_POLYGON, &block->pieces);
  lwi_live_give_back(live, LWI_LIVE_CORNER, &block->corners);
  return false;
}

/* Corners of the polygon keep their heights, others get those of its surface. */
static float height_at(const lwi_live *live, uint32_t polygon, float x, float z) {
  const lwi_polygon whole = lwi_polygon_get(live->base, polygon);
  for (uint32_t i = 0; i < whole.count; i++)
    if (whole.at[i] == x && whole.at[whole.count + i] == z) return whole.at[2 * whole.count + i];
  return lwi_polygon_height(live->base, polygon, x, z);
}

/* Pieces share most corners. @return false: no memory. */
static bool take_heights(lwi_live *live, uint32_t polygon) {
  const lwi_cut_list *now = &live->cut.now;
  const uint32_t count = live->cut.vertex_count;
  if (!lwi_reserve(live->memory, &live->join.heights, &live->join.height_capacity, (int)count,
                   sizeof *live->join.heights))
    return false;
  const bool is_level = lwi_surface_of(live->base, polygon) == LWI_SURFACE_LEVEL;
  const lwi_polygon whole = lwi_polygon_get(live->base, polygon);
  const float level = is_level ? lwi_corner(&whole, 0).y : NAN;
  float *heights = live->join.heights;
  for (uint32_t i = 0; i < count; i++) heights[i] = level;
  for (int i = 0; i < now->corner_count && !is_level; i++) {
    const lwi_cut_corner *corner = &now->corners[i];
    float *height = &heights[corner->vertex];
    if (isnan(*height)) *height = height_at(live, polygon, corner->x, corner->z);
  }
  return true;
}

static void store_piece(lwi_live *live, const lwi_block *block, uint32_t index, uint32_t first_corner,
                        const lwi_cut_piece *piece) {
  lw_navmesh *mesh = &live->mesh;
  const lw_navmesh *base = live->base;
  const uint32_t polygon = block->polygon, count = (uint32_t)piece->count;
  const lwi_cut_corner *corners = live->cut.now.corners + piece->first;
  float *to = mesh->polygons.corners + 3 * (size_t)first_corner;
  for (uint32_t i = 0; i < count; i++) {
    to[i] = corners[i].x;
    to[count + i] = corners[i].z;
    to[2 * count + i] = live->join.heights[corners[i].vertex];
    mesh->polygons.edges[first_corner + i] = LWI_EDGE_WALL;
  }
  mesh->polygons.ranges[index] =
      (lwi_ranges){.first_corner = first_corner, .tile = base->polygons.ranges[polygon].tile};
  mesh->polygons.areas[index] = piece->mark.area ? piece->mark.area : base->polygons.areas[polygon];
  ((float *)live->arrays[LWI_LIVE_COSTS].items)[index] = piece->mark.cost;
  mesh->polygons.openness[index] = base->polygons.openness[polygon];
  memcpy(mesh->polygons.depths + 2 * (size_t)index, base->polygons.depths + 2 * (size_t)polygon, 2);
  mesh->polygons.headrooms[index] = base->polygons.headrooms[polygon];
  if (piece->mark.headroom > 0 && piece->mark.headroom < base->polygons.headrooms[polygon]) {
    mesh->polygons.headrooms[index] = piece->mark.headroom;
    live->marks.lowered[piece->mark.headroom] += 1;
  }
  mesh->polygons.steps[index] = base->polygons.steps[polygon];
  mesh->live.origins[index] = polygon;
  if (mesh->live.generations[index] == 0) mesh->live.generations[index] = 1;
}

static void store_pieces(lwi_live *live, lwi_block *block) {
  const lwi_cut_list *now = &live->cut.now;
  uint32_t corner = block->corners.first;
  for (int i = 0; i < now->piece_count; i++) {
    store_piece(live, block, block->pieces.first + (uint32_t)i, corner, &now->pieces[i]);
    corner += (uint32_t)now->pieces[i].count;
  }
  for (uint32_t i = (uint32_t)now->piece_count; i < block->pieces.space; i++)
    live->mesh.polygons.ranges[block->pieces.first + i] = (lwi_ranges){.first_corner = corner};
}

void lwi_live_hide(lwi_live *live, lwi_block *block, lwi_span pieces) {
  block->is_cut = true;
  live->pieces[block->ground] = pieces;
  if (lwi_is_square(block)) return;
  live->mesh.live.origins[block->polygon] = LWI_NONE;
  live->mesh.polygons.areas[block->polygon] = LW_AREA_NONE;
}

bool lwi_live_cut(lwi_live *live, lwi_block *block) {
  bool changed;
  if (!cut_outline(live, block, &changed)) return false;
  lwi_live_restore(live, block);
  if (!changed) return true;
  const uint32_t pieces = (uint32_t)live->cut.now.piece_count, corners = (uint32_t)live->cut.now.corner_count;
  if (!take_heights(live, block->polygon) || !take_runs(live, block, pieces, corners)) return false;
  store_pieces(live, block);
  block->piece_count = pieces;
  lwi_live_hide(live, block, (lwi_span){block->pieces.first, pieces});
  return lwi_live_take_edges(live, block);
}

lwi_live_counts lwi_live_count(const lwi_live *live) {
  lwi_live_counts counts = {0, 0};
  for (int i = 0; i < live->blocks.count; i++) {
    const lwi_block *block = &live->blocks.items[i];
    if (!block->is_cut || block->number_count == 0 || block->piece_count == 0) continue;
    counts.cut_polygons += 1;
    counts.pieces += (int)block->piece_count;
  }
  return counts;
}
