/* Off-mesh links of a live navmesh. A link that begins or ends on a cut polygon does so on the piece at that place;
   where there is none, nobody can take it. Links from pieces are copies behind those of the base, which stay as they
   are but for where they end. */
#include "mesh/live_parts.h"

/* Ends of links lie on the surface but for rounding, and pieces end that far from sides at most. [m] */
#define END_SLACK 0.01

static lwi_link *links_of(lwi_live *live) {
  return live->arrays[LWI_LIVE_LINKS].items;
}

/* The part of a polygon at an end of a link; a number of none where that is gone. */
static uint32_t part_at(const lwi_live *live, uint32_t polygon, lw_vec3 at) {
  const uint32_t part = lwi_part_at(&live->mesh, polygon, at, END_SLACK);
  return part == LWI_NONE ? polygon : part;
}

/* --- by the polygon where they end ------------------------------------------------------------------------ */

bool lwi_live_index_links(lwi_live *live) {
  const lw_navmesh *base = live->base;
  const uint32_t polygons = base->polygons.count, count = base->links.count;
  if (count == 0) return true;
  live->links.first_to = lwi_alloc_zero(live->memory, ((size_t)polygons + 1) * sizeof *live->links.first_to);
  live->links.to = lwi_alloc(live->memory, count * sizeof *live->links.to);
  if (!live->links.first_to || !live->links.to) return false;
  uint32_t *first = live->links.first_to;
  for (uint32_t i = 0; i < count; i++) first[base->links.items[i].to + 1] += 1;
  for (uint32_t p = 0; p < polygons; p++) first[p + 1] += first[p];
  for (uint32_t i = count; i-- > 0;) live->links.to[--first[base->links.items[i].to + 1]] = i;
  /* Each range now begins where the one before it did. */
  for (uint32_t p = 0; p < polygons; p++) first[p] = first[p + 1];
  first[polygons] = count;
  return true;
}

void lwi_live_free_links(lwi_live *live) {
  const uint32_t count = live->base->links.count;
  lwi_free(live->memory, live->links.first_to,
           ((size_t)live->base->polygons.count + 1) * sizeof *live->links.first_to);
  lwi_free(live->memory, live->links.to, count * sizeof *live->links.to);
  live->links.first_to = live->links.to = NULL;
}

/* --- joining ---------------------------------------------------------------------------------------------- */

void lwi_live_clear_links(lwi_live *live, lwi_slot_run run) {
  const uint32_t none = live->base->polygons.count;
  for (uint32_t i = run.first; i < run.first + run.space; i++)
    links_of(live)[i] = (lwi_link){.from = none, .to = none};
}

void lwi_live_restore_links(lwi_live *live, lwi_block *block) {
  lwi_live_clear_links(live, block->links);
  lwi_live_give_back(live, LWI_LIVE_LINK, &block->links);
}

/* The links that leave a cut polygon, by its pieces, in the order of the base. */
static void store_links(lwi_live *live, const lwi_block *block) {
  const lw_navmesh *base = live->base;
  uint32_t *first = live->arrays[LWI_LIVE_FIRST_LINKS].items, *end = live->arrays[LWI_LIVE_END_LINKS].items;
  uint32_t at = block->links.first;
  for (uint32_t piece = block->pieces.first; piece < block->pieces.first + block->piece_count; piece++) {
    first[piece] = at;
    for (uint32_t i = base->links.first[block->polygon]; i < base->links.end[block->polygon]; i++) {
      lwi_link link = base->links.items[i];
      if (part_at(live, block->polygon, link.start) != piece) continue;
      link.from = piece;
      link.to = part_at(live, link.to, link.end);
      links_of(live)[at++] = link;
    }
    end[piece] = at;
  }
}

bool lwi_live_join_links(lwi_live *live, lwi_block *block) {
  const lw_navmesh *base = live->base;
  if (base->links.count == 0) return true;
  const uint32_t polygon = block->polygon, first = base->links.first[polygon], end = base->links.end[polygon];
  lwi_live_restore_links(live, block);
  if (block->is_cut && end > first) {
    block->links = lwi_live_take(live, LWI_LIVE_LINK, end - first);
    if (block->links.space == 0) return false;
    store_links(live, block);
  }
  for (uint32_t i = first; i < end && !block->is_cut; i++)
    links_of(live)[i].to = part_at(live, base->links.items[i].to, base->links.items[i].end);
  return true;
}

bool lwi_live_unlink_links_to(lwi_live *live, uint32_t polygon) {
  if (live->base->links.count == 0) return true;
  for (uint32_t i = live->links.first_to[polygon]; i < live->links.first_to[polygon + 1]; i++)
    if (!lwi_live_unlink(live, live->base->links.items[live->links.to[i]].from)) return false;
  return true;
}
