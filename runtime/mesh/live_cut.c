/* Cutting one polygon of a live navmesh. */
#include "mesh/live_parts.h"

#include <string.h>

static bool take_outline(lwi_live *live, uint32_t polygon, int *count) {
  const lwi_polygon whole = lwi_polygon_get(live->base, polygon);
  *count = (int)whole.count;
  if (!lwi_reserve(live->memory, &live->outline, &live->outline_capacity, *count, sizeof *live->outline))
    return false;
  for (uint32_t i = 0; i < whole.count; i++) {
    const lw_vec3 corner = lwi_corner(&whole, i);
    live->outline[i] = (lwi_cut_corner){(double)corner.x, (double)corner.z, i};
  }
  return true;
}

/* --- what a footprint meets ------------------------------------------------------------------------------- */

/* Of the surface that the footprint and the outline have in common. @return false: no memory. */
static bool heights_within(lwi_live *live, const lwi_live_entry *footprint, uint32_t polygon, int count,
                           float *low, float *high) {
  *low = INFINITY;
  *high = -INFINITY;
  if (!lwi_cut_common(&live->cut, live->outline, count, &footprint->shape)) return false;
  for (int i = 0; i < live->cut.rest.piece_count; i++) {
    const lwi_cut_piece piece = live->cut.rest.pieces[i];
    for (int k = piece.first; k < piece.first + piece.count; k++) {
      const lwi_cut_corner *at = &live->cut.rest.corners[k];
      const float height = lwi_polygon_height(live->base, polygon, (float)at->x, (float)at->z);
      *low = fminf(*low, height);
      *high = fmaxf(*high, height);
    }
  }
  return true;
}

bool lwi_live_meets(lwi_live *live, const lwi_live_entry *footprint, uint32_t polygon, bool *meets) {
  const lwi_polygon whole = lwi_polygon_get(live->base, polygon);
  const float height = live->base->agent.height;
  int count;
  *meets = false;
  if (!take_outline(live, polygon, &count)) return false;
  if (!lwi_cut_overlaps(live->outline, count, &footprint->shape)) return true;
  float low = INFINITY, high = -INFINITY;
  for (uint32_t i = 0; i < whole.count; i++) {
    low = fminf(low, whole.at[2 * whole.count + i]);
    high = fmaxf(high, whole.at[2 * whole.count + i]);
  }
  /* Whatever part of the surface it meets. */
  *meets = footprint->low <= low + height && footprint->high >= high;
  if (*meets) return true;
  if (!heights_within(live, footprint, polygon, count, &low, &high)) return false;
  *meets = footprint->low <= high + height && footprint->high >= low;
  return true;
}

/* --- pieces ----------------------------------------------------------------------------------------------- */

static bool cut_outline(lwi_live *live, const lwi_block *block, bool *changed) {
  int count;
  if (!take_outline(live, block->polygon, &count) || !lwi_cut_begin(&live->cut, live->outline, count))
    return false;
  for (int i = 0; i < block->number_count; i++) {
    const uint32_t number = block->numbers[i];
    if (!lwi_cut_subtract(&live->cut, &live->entries[number].shape, LWI_SIDE_ORIGIN + number * LWI_CUT_SIDES))
      return false;
  }
  const lwi_cut_list *now = &live->cut.now;
  *changed = now->piece_count != 1 || now->corner_count != count;
  for (int i = 0; i < now->corner_count && !*changed; i++) *changed = now->corners[i].origin >= LWI_SIDE_ORIGIN;
  return true;
}

void lwi_live_restore(lwi_live *live, lwi_block *block) {
  if (!block->is_cut) return;
  lw_navmesh *mesh = &live->mesh;
  for (uint32_t i = 0; i < block->pieces.space; i++) {
    uint16_t *generation = &mesh->live.generations[block->pieces.first + i];
    *generation = (uint16_t)(*generation % 32767 + 1);
  }
  lwi_live_clear(live, block->pieces);
  lwi_live_give_back(live, LWI_LIVE_POLYGON, &block->pieces);
  lwi_live_give_back(live, LWI_LIVE_CORNER, &block->corners);
  block->piece_count = 0;
  block->is_cut = false;
  live->pieces[block->polygon] = (lwi_span){LWI_NONE, 0};
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
static float height_at(const lwi_live *live, uint32_t polygon, const lwi_cut_corner *corner) {
  const lwi_polygon whole = lwi_polygon_get(live->base, polygon);
  for (uint32_t i = 0; i < whole.count; i++) {
    const lw_vec3 own = lwi_corner(&whole, i);
    if ((double)own.x == corner->x && (double)own.z == corner->z) return own.y;
  }
  return lwi_polygon_height(live->base, polygon, (float)corner->x, (float)corner->z);
}

static void store_piece(lwi_live *live, const lwi_block *block, uint32_t index, uint32_t first_corner,
                        const lwi_cut_corner *corners, uint32_t count) {
  lw_navmesh *mesh = &live->mesh;
  const lw_navmesh *base = live->base;
  const uint32_t polygon = block->polygon;
  float *to = mesh->polygons.corners + 3 * (size_t)first_corner;
  uint32_t *origins = live->arrays[LWI_LIVE_EDGE_ORIGINS].items,
           *owners = live->arrays[LWI_LIVE_EDGE_PIECES].items;
  for (uint32_t i = 0; i < count; i++) {
    to[i] = (float)corners[i].x;
    to[count + i] = (float)corners[i].z;
    to[2 * count + i] = height_at(live, polygon, &corners[i]);
    mesh->polygons.edges[first_corner + i] = LWI_EDGE_WALL;
    origins[first_corner + i] = corners[i].origin;
    owners[first_corner + i] = index;
  }
  mesh->polygons.ranges[index] =
      (lwi_ranges){.first_corner = first_corner, .tile = base->polygons.ranges[polygon].tile};
  mesh->polygons.areas[index] = base->polygons.areas[polygon];
  mesh->polygons.openness[index] = base->polygons.openness[polygon];
  mesh->polygons.deep_waters[index] = base->polygons.deep_waters[polygon];
  mesh->live.origins[index] = polygon;
  if (mesh->live.generations[index] == 0) mesh->live.generations[index] = 1;
}

static void store_pieces(lwi_live *live, lwi_block *block) {
  const lwi_cut_list *now = &live->cut.now;
  uint32_t corner = block->corners.first;
  for (int i = 0; i < now->piece_count; i++) {
    const lwi_cut_piece piece = now->pieces[i];
    store_piece(live, block, block->pieces.first + (uint32_t)i, corner, now->corners + piece.first,
                (uint32_t)piece.count);
    corner += (uint32_t)piece.count;
  }
  for (uint32_t i = (uint32_t)now->piece_count; i < block->pieces.space; i++)
    live->mesh.polygons.ranges[block->pieces.first + i] = (lwi_ranges){.first_corner = corner};
}

bool lwi_live_cut(lwi_live *live, lwi_block *block) {
  bool changed;
  if (!cut_outline(live, block, &changed)) return false;
  lwi_live_restore(live, block);
  if (!changed) return true;
  const uint32_t pieces = (uint32_t)live->cut.now.piece_count, corners = (uint32_t)live->cut.now.corner_count;
  if (!take_runs(live, block, pieces, corners)) return false;
  store_pieces(live, block);
  block->is_cut = true;
  block->piece_count = pieces;
  block->corner_count = corners;
  live->pieces[block->polygon] = (lwi_span){block->pieces.first, pieces};
  live->mesh.live.origins[block->polygon] = LWI_NONE;
  live->mesh.polygons.areas[block->polygon] = LW_AREA_NONE;
  return true;
}
