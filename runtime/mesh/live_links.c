/* Off-mesh links of a live navmesh. A link that begins or ends on a cut polygon does so on the piece at that place;
   where there is none, nobody can take it. The links of a polygon that is whole, and of whose links none was changed, are
   where they are in the base, and only where they end may differ. Those of all others are copies behind those of the
   base: first the base's in their order, then those that were added by their numbers, without those that are off. */
#include "core/sort.h"
#include "mesh/live_parts.h"

#include <string.h>

/* Ends of links lie on the surface but for rounding, and pieces end that far from sides at most. [m] */
#define END_SLACK 0.01

static lwi_link *links_of(lwi_live *live) {
  return live->arrays[LWI_LIVE_LINKS].items;
}
static uint32_t *firsts_of(lwi_live *live) {
  return live->arrays[LWI_LIVE_FIRST_LINKS].items;
}
static uint32_t *ends_of(lwi_live *live) {
  return live->arrays[LWI_LIVE_END_LINKS].items;
}

/* The links of the base that leave a polygon: those from `first` on. */
static lwi_span base_links(const lwi_live *live, uint32_t polygon) {
  const lwi_mesh_links *links = &live->base->links;
  if (links->count == 0) return (lwi_span){0, 0};
  return (lwi_span){links->first[polygon], links->end[polygon] - links->first[polygon]};
}

/* @return NULL: it is as in the base. */
static lwi_live_link *state_of(const lwi_live *live, uint32_t number) {
  return number < (uint32_t)live->links.state_count ? &live->links.states[number] : NULL;
}

/* A link as it is when nothing was cut. */
static const lwi_link *link_of(const lwi_live *live, uint32_t number) {
  return number < live->base->links.count ? &live->base->links.items[number] : &live->links.states[number].link;
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
  if (count == 0) return;
  lwi_free(live->memory, live->links.first_to,
           ((size_t)live->base->polygons.count + 1) * sizeof *live->links.first_to);
  lwi_free(live->memory, live->links.to, count * sizeof *live->links.to);
  live->links.first_to = live->links.to = NULL;
}

/* --- joining ---------------------------------------------------------------------------------------------- */

void lwi_live_clear_links(lwi_live *live, lwi_slot_run run) {
  const uint32_t none = live->base->polygons.count;
  for (uint32_t i = run.first; i < run.first + run.space; i++) {
    links_of(live)[i] = (lwi_link){.from = none, .to = none};
    ((lw_link_id *)live->arrays[LWI_LIVE_LINK_IDS].items)[i] = lw_link_id_none();
    ((float *)live->arrays[LWI_LIVE_LINK_COSTS].items)[i] = 0;
  }
}

static void store_link(lwi_live *live, uint32_t at, uint32_t number, const lwi_link *link) {
  const lwi_live_link *state = state_of(live, number);
  lw_link_id id = state && state->is_added ? state->id : lw_link_id_none();
  if (number < live->base->links.count && live->links.ids) id = live->links.ids[number];
  links_of(live)[at] = *link;
  ((lw_link_id *)live->arrays[LWI_LIVE_LINK_IDS].items)[at] = id;
  ((float *)live->arrays[LWI_LIVE_LINK_COSTS].items)[at] = state ? state->cost : 0;
}

/* As in the base, whatever was changed. */
static void show_base_links(lwi_live *live, uint32_t polygon) {
  const lwi_span own = base_links(live, polygon);
  firsts_of(live)[polygon] = own.first;
  ends_of(live)[polygon] = own.first + own.count;
  for (uint32_t i = own.first; i < own.first + own.count; i++) {
    store_link(live, i, i, &live->base->links.items[i]);
    ((float *)live->arrays[LWI_LIVE_LINK_COSTS].items)[i] = 0;
  }
}

void lwi_live_copy_links(lwi_live *live) {
  for (uint32_t p = 0; p < live->base->polygons.count; p++) show_base_links(live, p);
}

void lwi_live_restore_links(lwi_live *live, lwi_block *block) {
  if (!lwi_live_has_links(live)) return;
  lwi_live_clear_links(live, block->links);
  lwi_live_give_back(live, LWI_LIVE_LINK, &block->links);
  if (!lwi_is_square(block)) show_base_links(live, block->polygon);
}

static bool may_hold(const lwi_square *square, lw_vec3 at) {
  const double x = (double)at.x, z = (double)at.z;
  return x >= square->min_x - END_SLACK && x <= square->max_x + END_SLACK && z >= square->min_z - END_SLACK &&
         z <= square->max_z + END_SLACK;
}

/* Note a link that leaves the block's polygon if it is on, and begins on what is there of the block's ground. */
static bool add_found(lwi_live *live, const lwi_block *block, uint32_t number) {
  lwi_live_links *links = &live->links;
  const lwi_live_link *state = state_of(live, number);
  const lw_vec3 start = link_of(live, number)->start;
  if (state && state->is_off) return true;
  if (lwi_is_square(block) && !may_hold(lwi_square_of(live, block), start)) return true;
  const lwi_span parts = lwi_block_parts(block);
  const uint32_t part = part_at(live, block->polygon, start);
  if (part - parts.first >= parts.count) return true;
  if (!lwi_reserve(live->memory, &links->found, &links->found_capacity, links->found_count + 1,
                   sizeof *links->found))
    return false;
  links->found[links->found_count++] = (lwi_found_link){part, number};
  return true;
}

static int compare_found(const void *left, const void *right) {
  const lwi_found_link *a = left, *b = right;
  if (a->part != b->part) return a->part < b->part ? -1 : 1;
  return (a->number > b->number) - (a->number < b->number);
}

/* List the links that begin on a block's ground, by its parts, and for each by their numbers.
   @return false: no memory. */
static bool find_links(lwi_live *live, const lwi_block *block) {
  const lwi_span own = base_links(live, block->polygon);
  live->links.found_count = 0;
  if (lwi_block_parts(block).count == 0) return true;
  for (uint32_t i = own.first; i < own.first + own.count; i++)
    if (!add_found(live, block, i)) return false;
  for (uint32_t i = live->links.added_from ? live->links.added_from[block->polygon] : LWI_NONE; i != LWI_NONE;
       i = live->links.states[i].next_from)
    if (!add_found(live, block, i)) return false;
  lwi_sort(live->links.found, (size_t)live->links.found_count, sizeof *live->links.found, compare_found);
  return true;
}

static void store_links(lwi_live *live, const lwi_block *block) {
  const lwi_span parts = lwi_block_parts(block);
  for (uint32_t i = parts.first; i < parts.first + parts.count; i++)
    firsts_of(live)[i] = ends_of(live)[i] = block->links.first;
  for (int i = 0; i < live->links.found_count; i++) {
    const lwi_found_link found = live->links.found[i];
    const uint32_t at = block->links.first + (uint32_t)i;
    lwi_link link = *link_of(live, found.number);
    link.from = found.part;
    link.to = part_at(live, link.to, link.end);
    store_link(live, at, found.number, &link);
    if (i == 0 || live->links.found[i - 1].part != found.part) firsts_of(live)[found.part] = at;
    ends_of(live)[found.part] = at + 1;
  }
}

/* Let there be none of the links that a polygon has in the base. */
static void hide_base_links(lwi_live *live, uint32_t polygon) {
  const lwi_span own = base_links(live, polygon);
  lwi_live_clear_links(live, (lwi_slot_run){own.first, own.count});
  ends_of(live)[polygon] = firsts_of(live)[polygon] = 0;
}

bool lwi_live_join_links(lwi_live *live, lwi_block *block) {
  if (!lwi_live_has_links(live)) return true;
  const lwi_span own = base_links(live, block->polygon);
  lwi_live_restore_links(live, block);
  if (!block->is_cut && block->link_changes == 0 && !lwi_is_square(block)) {
    for (uint32_t i = own.first; i < own.first + own.count; i++)
      links_of(live)[i].to = part_at(live, live->base->links.items[i].to, live->base->links.items[i].end);
    return true;
  }
  if (!find_links(live, block)) return false;
  if (!lwi_is_square(block)) hide_base_links(live, block->polygon);
  if (live->links.found_count > 0) {
    block->links = lwi_live_take(live, LWI_LIVE_LINK, (uint32_t)live->links.found_count);
    if (block->links.space == 0) return false;
  }
  store_links(live, block);
  return true;
}

/* A link begins at that place of a polygon. */
static bool unlink_start(lwi_live *live, const lwi_link *link) {
  if (!lwi_live_is_split(live, link->from)) return lwi_live_unlink(live, link->from);
  const double x = (double)link->start.x, z = (double)link->start.z;
  const lwi_square about = {0, 0, x, z, x, z};
  lwi_live_begin_round(live);
  live->join.across.count = 0;
  if (!lwi_live_list_squares(live, live->pieces[link->from].count, &about)) return false;
  for (int i = 0; i < live->join.across.count; i++)
    if (!lwi_live_unlink(live, live->join.across.items[i])) return false;
  return true;
}

/* A link ends on the ground's polygon, perhaps there. */
static bool unlink_link_to(lwi_live *live, uint32_t ground, const lwi_link *link) {
  const lwi_block *block = lwi_live_block(live, ground);
  if (lwi_is_square(block) && !may_hold(lwi_square_of(live, block), link->end)) return true;
  return unlink_start(live, link);
}

bool lwi_live_unlink_links_to(lwi_live *live, uint32_t ground) {
  const lwi_live_links *links = &live->links;
  const uint32_t polygon = lwi_live_block(live, ground)->polygon;
  for (uint32_t i = links->to ? links->first_to[polygon] : 0; links->to && i < links->first_to[polygon + 1];
       i++)
    if (!unlink_link_to(live, ground, &live->base->links.items[links->to[i]])) return false;
  for (uint32_t i = links->added_to ? links->added_to[polygon] : LWI_NONE; i != LWI_NONE;
       i = links->states[i].next_to)
    if (!unlink_link_to(live, ground, &links->states[i].link)) return false;
  return true;
}

/* --- changes ---------------------------------------------------------------------------------------------- */

bool lwi_live_name_links(lwi_live *live, const lw_link_id *ids, const lwi_link_clearances *clearances) {
  const size_t size = live->base->links.count * sizeof *ids;
  live->mesh.links.clearances = live->links.clearances = clearances;
  if (size == 0) return true;
  live->links.ids = lwi_alloc(live->memory, size);
  if (!live->links.ids) return false;
  memcpy(live->links.ids, ids, size);
  live->mesh.links.ids = live->links.ids;
  return true;
}

static const lwi_live_link no_link = {
    .next_from = LWI_NONE, .before_from = LWI_NONE, .next_to = LWI_NONE, .before_to = LWI_NONE};

/* Keep states for numbers up to this one. */
static bool reserve_states(lwi_live *live, uint32_t number) {
  lwi_live_links *links = &live->links;
  if (number >= INT32_MAX || !lwi_reserve(live->memory, &links->states, &links->state_capacity, (int)number + 1,
                                          sizeof *links->states))
    return false;
  for (; links->state_count <= (int)number; links->state_count++) links->states[links->state_count] = no_link;
  return true;
}

/* Let polygons have lists of what was added. Links that were none before are shown from now on. */
static bool make_lists(lwi_live *live) {
  const size_t count = live->base->polygons.count;
  lwi_live_links *links = &live->links;
  if (links->added_from) return true;
  uint32_t *from = lwi_alloc(live->memory, count * sizeof *from),
           *to = lwi_alloc(live->memory, count * sizeof *to);
  if (!from || !to) {
    lwi_free(live->memory, from, count * sizeof *from);
    lwi_free(live->memory, to, count * sizeof *to);
    return false;
  }
  for (size_t i = 0; i < count; i++) from[i] = to[i] = LWI_NONE;
  links->added_from = from;
  links->added_to = to;
  live->mesh.live.version += 1;
  lwi_live_publish(live);
  return true;
}

/* Lists have no order: find_links() sorts the links of a part by number. */
static void list_link(lwi_live *live, uint32_t number) {
  lwi_live_links *links = &live->links;
  lwi_live_link *state = &links->states[number];
  uint32_t *from = &links->added_from[state->link.from], *to = &links->added_to[state->link.to];
  state->next_from = *from;
  state->next_to = *to;
  if (*from != LWI_NONE) links->states[*from].before_from = number;
  if (*to != LWI_NONE) links->states[*to].before_to = number;
  *from = *to = number;
}

static void unlist_link(lwi_live *live, const lwi_live_link *state) {
  lwi_live_links *links = &live->links;
  const bool is_first_from = state->before_from == LWI_NONE, is_first_to = state->before_to == LWI_NONE;
  *(is_first_from ? &links->added_from[state->link.from] : &links->states[state->before_from].next_from) =
      state->next_from;
  *(is_first_to ? &links->added_to[state->link.to] : &links->states[state->before_to].next_to) = state->next_to;
  if (state->next_from != LWI_NONE) links->states[state->next_from].before_from = state->before_from;
  if (state->next_to != LWI_NONE) links->states[state->next_to].before_to = state->before_to;
}

/* Is it other than in the base? */
static bool is_change(const lwi_live_link *state) {
  return state->is_added || state->is_off || state->cost > 0;
}

bool lwi_live_add_link(lwi_live *live, uint32_t number, const lwi_link *link, lw_link_id id) {
  if (!lwi_live_start(live) || !make_lists(live) || !reserve_states(live, number)) return false;
  lwi_block *block = lwi_live_block(live, link->from);
  if (!block) return false;
  lwi_live_link *state = &live->links.states[number];
  *state = no_link;
  state->is_added = true;
  state->link = *link;
  state->id = id;
  list_link(live, number);
  block->link_changes += 1;
  lwi_live_relink(live, block);
  return true;
}

void lwi_live_remove_link(lwi_live *live, uint32_t number) {
  lwi_live_link *state = state_of(live, number);
  if (!state || !state->is_added) return;
  lwi_block *block = &live->blocks.items[live->block_of[state->link.from]]; /* there is one while it is added */
  unlist_link(live, state);
  *state = no_link;
  block->link_changes -= 1;
  lwi_live_relink(live, block);
}

bool lwi_live_change_link(lwi_live *live, uint32_t number, bool is_off, float cost) {
  lwi_live_link *state = state_of(live, number);
  if (!state && !is_off && !(cost > 0)) return true;
  if (!lwi_live_start(live) || !reserve_states(live, number)) return false;
  state = &live->links.states[number];
  if (state->is_off == is_off && !(state->cost < cost) && !(state->cost > cost)) return true;
  lwi_block *block = lwi_live_block(live, link_of(live, number)->from);
  if (!block) return false;
  block->link_changes -= is_change(state);
  state->is_off = is_off;
  state->cost = cost;
  block->link_changes += is_change(state);
  lwi_live_relink(live, block);
  return true;
}

bool lwi_live_touch_link(lwi_live *live, uint32_t number) {
  if (!lwi_live_start(live)) return false;
  lwi_block *block = lwi_live_block(live, link_of(live, number)->from);
  if (!block) return false;
  lwi_live_relink(live, block);
  return true;
}

const lwi_link *lwi_live_next_added(const lwi_live *live, uint32_t *number) {
  while (*number < (uint32_t)live->links.state_count) {
    const lwi_live_link *state = &live->links.states[(*number)++];
    if (state->is_added) return &state->link;
  }
  return NULL;
}

void lwi_live_forget_links(lwi_live *live) {
  lwi_live_links *links = &live->links;
  const size_t polygons = live->base->polygons.count;
  lwi_free(live->memory, links->ids, live->base->links.count * sizeof *links->ids);
  lwi_free(live->memory, links->states, (size_t)links->state_capacity * sizeof *links->states);
  lwi_free(live->memory, links->added_from, polygons * sizeof *links->added_from);
  lwi_free(live->memory, links->added_to, polygons * sizeof *links->added_to);
  lwi_free(live->memory, links->found, (size_t)links->found_capacity * sizeof *links->found);
}
