/* The links of a world when one of its navmeshes is swapped. Links that were baked, and those between navmeshes, are
   matched by what was asked for: the same ones keep their ids and all that was set. Those that were added are placed
   again. */
#include "world/swap.h"

#include "core/hash.h"

#include <string.h>

/* --- matching --------------------------------------------------------------------------------------------- */

static bool is_same_place(lw_vec3 a, lw_vec3 b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool is_same_def(const lw_link_def *a, const lw_link_def *b) {
  const bool is_same_name = a->name && b->name ? strcmp(a->name, b->name) == 0 : a->name == b->name;
  return a->kind == b->kind && a->bidirectional == b->bidirectional && is_same_place(a->from, b->from) &&
         is_same_place(a->to, b->to) && is_same_name;
}

static uint64_t hash_of(const lw_link_def *def) {
  const float numbers[] = {def->from.x + 0.0f, def->from.y + 0.0f, def->from.z + 0.0f, /* -0 is 0 */
                           def->to.x + 0.0f,   def->to.y + 0.0f,   def->to.z + 0.0f,   (float)def->kind};
  return lwi_hash(LWI_HASH_SEED, numbers, sizeof numbers);
}

/* Let links be found that were baked with the navmesh, or are between navmeshes: the first of equal ones first.
   @return false: no memory. */
static bool index_known(lw_world *world, lwi_links_swap *swap) {
  for (int i = world->links.fixed; i-- > 0;) {
    const uint32_t slot = world->links.by_rank[i];
    const lwi_link_entry *entry = lwi_link_at(world, slot);
    if (entry->origin == LWI_LINK_BAKED && entry->navmesh != swap->navmesh) continue;
    const lw_link_def def = lwi_link_def_of(world, entry);
    if (def.name && !lwi_world_remember_link(world, def.name)) return false;
    if (!lwi_hash_index_add(&swap->known, &world->memory, hash_of(&def), slot)) return false;
  }
  return true;
}

/* Take the known link of that origin out of the index. @return LWI_NO_SLOT: there is none. */
static uint32_t take_known(const lw_world *world, lwi_links_swap *swap, lwi_link_origin origin,
                           const lw_link_def *wanted) {
  const uint64_t hash = hash_of(wanted);
  for (uint32_t slot = lwi_hash_index_first(&swap->known, hash); slot != LWI_NO_ITEM;
       slot = lwi_hash_index_next(&swap->known, slot)) {
    const lwi_link_entry *entry = lwi_link_at(world, slot);
    const lw_link_def def = lwi_link_def_of(world, entry);
    if (entry->origin != origin || !is_same_def(&def, wanted)) continue;
    lwi_hash_index_remove(&swap->known, hash, slot);
    return slot;
  }
  return LWI_NO_SLOT;
}

/* New links get slots; lwi_links_swap_free() takes these back unless the swap is done. @return false: no memory. */
static bool match_baked(lw_world *world, lwi_links_swap *swap) {
  for (uint32_t i = 0; i < swap->baked_count; i++) {
    lwi_baked_link *link = &swap->baked[i];
    lw_link asked;
    lw_navmesh_get_link(swap->to, (int)link->request, &asked);
    link->slot = take_known(world, swap, LWI_LINK_BAKED, &asked.def);
    if (link->slot != LWI_NO_SLOT) continue;
    if (!lwi_link_list_baked(world, swap->to, swap->navmesh, link)) return false;
    swap->listed[swap->listed_count++] = link->slot;
  }
  return true;
}

static bool match_between(lw_world *world, lwi_links_swap *swap) {
  uint32_t number = 0;
  for (int i = 0; i < swap->between.link_count; i++) {
    const lw_link *link = &swap->between.links[i].link;
    if (link->state != LW_LINK_JOINED) continue;
    uint32_t slot = take_known(world, swap, LWI_LINK_BETWEEN, &link->def);
    if (slot == LWI_NO_SLOT) {
      const lwi_link_entry entry = {.origin = LWI_LINK_BETWEEN,
                                    .navmesh = -1,
                                    .index = (uint32_t)i,
                                    .numbers = {number, LWI_NONE},
                                    .bars = lwi_link_count_bars(world, link->def.name)};
      if (!lwi_link_list_fixed(world, entry, &link->def)) return false;
      slot = world->links.ids.last;
      swap->listed[swap->listed_count++] = slot;
    }
    swap->between_links[number] = (lwi_between_link){(uint32_t)i, slot};
    const lwi_link_entry *entry = lwi_link_at(world, slot);
    lwi_inter_links_name(&swap->between, number, lwi_link_id_of(world, entry));
    lwi_inter_links_change(&swap->between, number, !entry->is_on, entry->used_cost);
    number += 1;
  }
  return true;
}

/* --- links in the new navmesh ----------------------------------------------------------------------------- */

static bool set_baked(lw_world *world, const lwi_links_swap *swap, lwi_live *live) {
  if (!lwi_baked_links_name(world, live, swap->to, swap->baked)) return false;
  for (uint32_t i = 0; i < swap->baked_count; i++) {
    const lwi_link_entry *entry = lwi_link_at(world, swap->baked[i].slot);
    for (int back = 0; back < 2; back++) {
      const uint32_t number = swap->baked[i].numbers[back];
      if (number != LWI_NONE && !lwi_live_change_link(live, number, !entry->is_on, entry->used_cost))
        return false;
    }
  }
  return true;
}

/* @return false: no memory. */
static bool add_within(lw_world *world, const lwi_links_swap *swap, lwi_live *live,
                       const lwi_link_entry *entry) {
  const uint32_t first = swap->to->links.count + 2 * entry->index;
  const lw_link_id id = lwi_link_id_of(world, entry);
  lwi_link link;
  lwi_link_place(swap->to, &entry->added->def, &link);
  for (uint32_t back = 0; back <= entry->added->def.bidirectional; back++) {
    if (back) link = lwi_link_back(&link);
    if (!lwi_live_add_link(live, first + back, &link, id) ||
        !lwi_live_change_link(live, first + back, !entry->is_on, entry->used_cost))
      return false;
  }
  return true;
}

static bool add_between(lw_world *world, lwi_links_swap *swap, const lwi_link_entry *entry,
                        const lw_world_link *placed) {
  const uint32_t number = (uint32_t)swap->between_count + entry->index;
  if (!lwi_inter_links_add(&swap->between, &swap->places, number, placed, &world->memory)) return false;
  lwi_inter_links_name(&swap->between, number, lwi_link_id_of(world, entry));
  lwi_inter_links_change(&swap->between, number, !entry->is_on, entry->used_cost);
  return true;
}

/* Place what was added, and put it where it lies if it was there before. @return false: no memory. */
static bool set_added(lw_world *world, lwi_links_swap *swap, lwi_live *live) {
  const lwi_id_pool *ids = &world->links.ids;
  for (uint32_t i = ids->first; i != LWI_NO_SLOT; i = lwi_id_pool_next(ids, i)) {
    const lwi_link_entry *entry = lwi_link_at(world, i);
    if (!entry->added) continue;
    lwi_added_link *now = &swap->added[swap->added_count++];
    *now = *entry->added;
    lwi_link_place_added(&swap->places, now, NULL);
    if (!entry->is_there) continue;
    if (now->meshes >> swap->navmesh & 1) {
      if (!add_within(world, swap, live, entry)) return false;
    } else if (now->meshes == 0 && now->placed.link.state == LW_LINK_JOINED) {
      if (!add_between(world, swap, entry, &now->placed)) return false;
    }
  }
  return true;
}

/* --- beginning and end ------------------------------------------------------------------------------------ */

/* Links between navmeshes, as a new world would find them. @return false: no memory. */
static bool find_between(lw_world *world, lwi_links_swap *swap) {
  const lwi_inter_links *before = &world->scene.links;
  const size_t size = (size_t)before->name_count * sizeof(lw_link_def);
  lw_link_def *defs = size > 0 ? lwi_alloc(&world->memory, size) : NULL;
  if (size > 0 && !defs) return false;
  for (int i = 0; i < before->name_count; i++) defs[i] = before->links[i].link.def;
  swap->places.links = defs;
  swap->places.link_count = before->name_count;
  const bool good = lwi_inter_links_init(&swap->between, &swap->places, &world->memory);
  lwi_free(&world->memory, defs, size);
  swap->places.links = NULL;
  swap->places.link_count = 0;
  swap->between_count = swap->between.joined_count;
  return good;
}

static bool reserve(lw_world *world, lwi_links_swap *swap) {
  lwi_memory *memory = &world->memory;
  const size_t between = (size_t)swap->between_count, listed = between + swap->baked_count;
  swap->listed_size = listed * sizeof *swap->listed;
  swap->between_size = between * sizeof *swap->between_links;
  swap->added_capacity = world->links.ids.count;
  swap->added_size = (size_t)swap->added_capacity * sizeof *swap->added;
  swap->listed = lwi_alloc(memory, swap->listed_size);
  swap->between_links = lwi_alloc(memory, swap->between_size);
  swap->added = lwi_alloc(memory, swap->added_size);
  return (swap->listed || swap->listed_size == 0) && (swap->between_links || swap->between_size == 0) &&
         (swap->added || swap->added_size == 0);
}

/* The ranks that links are to have. @return false: no memory. */
static bool rank_links(lw_world *world, lwi_links_swap *swap) {
  const lwi_world_links *links = &world->links;
  uint32_t count = 0;
  swap->fixed = 0;
  for (int i = 0; i < links->fixed; i++) {
    const lwi_link_entry *entry = lwi_link_at(world, links->by_rank[i]);
    swap->fixed += entry->origin == LWI_LINK_BAKED && entry->navmesh != swap->navmesh;
  }
  swap->fixed += (int)swap->baked_count + swap->between_count;
  if (swap->fixed == 0) return true;
  swap->by_rank = lwi_alloc(&world->memory, (size_t)swap->fixed * sizeof *swap->by_rank);
  if (!swap->by_rank) return false;
  for (int nav = 0, at = 0; nav < world->scene.nav_count; nav++) {
    while (at < links->fixed && lwi_link_at(world, links->by_rank[at])->navmesh == nav) {
      if (nav != swap->navmesh) swap->by_rank[count++] = links->by_rank[at];
      at += 1;
    }
    for (uint32_t i = 0; i < swap->baked_count && nav == swap->navmesh; i++)
      swap->by_rank[count++] = swap->baked[i].slot;
  }
  for (int i = 0; i < swap->between_count; i++) swap->by_rank[count++] = swap->between_links[i].slot;
  return true;
}

bool lwi_links_swap_begin(lwi_links_swap *swap, lw_world *world, const lwi_nav_swap *nav) {
  *swap = (lwi_links_swap){.navmesh = lwi_scene_index(&world->scene, nav->nav), .to = nav->to};
  swap->places = lwi_link_places_of(world, swap->meshes);
  swap->meshes[swap->navmesh] = nav->to;
  swap->baked_count = lwi_baked_links_count(nav->to);
  return lwi_baked_links_make(nav->to, &world->memory, &swap->baked) && find_between(world, swap) &&
         reserve(world, swap) && index_known(world, swap) && match_baked(world, swap) &&
         match_between(world, swap) && set_baked(world, swap, nav->live) && set_added(world, swap, nav->live) &&
         lwi_inter_links_apply(&swap->between, world->scene.nav_count, &world->memory) &&
         rank_links(world, swap);
}

void lwi_links_swap_free(lwi_links_swap *swap, lw_world *world) {
  lwi_memory *memory = &world->memory;
  for (int i = 0; i < swap->listed_count && !swap->is_done; i++) lwi_link_unlist(world, swap->listed[i]);
  lwi_free(memory, swap->baked, swap->baked ? swap->baked_count * sizeof *swap->baked : 0);
  lwi_free(memory, swap->listed, swap->listed ? swap->listed_size : 0);
  lwi_free(memory, swap->between_links, swap->between_links ? swap->between_size : 0);
  lwi_free(memory, swap->added, swap->added ? swap->added_size : 0);
  lwi_free(memory, swap->by_rank, swap->by_rank ? (size_t)swap->fixed * sizeof *swap->by_rank : 0);
  lwi_hash_index_free(&swap->known, memory);
  lwi_inter_links_free(&swap->between, memory);
}

/* --- making it -------------------------------------------------------------------------------------------- */

/* Those that are known and were not matched are gone. */
static void drop_gone(lw_world *world, lwi_links_swap *swap) {
  lwi_world_links *links = &world->links;
  int kept = 0;
  for (int i = 0; i < links->changed_count; i++) {
    const uint32_t slot = links->changed[i];
    const lwi_link_entry *entry = lwi_link_at(world, slot);
    const bool is_swapped = entry->origin == LWI_LINK_BETWEEN ||
                            (entry->origin == LWI_LINK_BAKED && entry->navmesh == swap->navmesh);
    if (!is_swapped || entry->is_kept) links->changed[kept++] = slot;
  }
  links->changed_count = kept;
  for (int i = 0; i < links->fixed; i++) {
    const uint32_t slot = links->by_rank[i];
    const lwi_link_entry *entry = lwi_link_at(world, slot);
    if (entry->is_kept || (entry->origin == LWI_LINK_BAKED && entry->navmesh != swap->navmesh)) continue;
    links->any_closed = true;
    lwi_link_unlist(world, slot);
  }
}

static void take_baked(lw_world *world, const lwi_links_swap *swap) {
  for (uint32_t i = 0; i < swap->baked_count; i++) {
    const lwi_baked_link *link = &swap->baked[i];
    lwi_link_entry *entry = lwi_link_at(world, link->slot);
    lw_link asked;
    lw_navmesh_get_link(swap->to, (int)link->request, &asked);
    entry->index = link->request;
    memcpy(entry->numbers, link->numbers, sizeof entry->numbers);
    entry->name = asked.def.name;
    entry->is_kept = true;
  }
}

static void take_between(lw_world *world, lwi_links_swap *swap) {
  for (int i = 0; i < swap->between_count; i++) {
    lwi_link_entry *entry = lwi_link_at(world, swap->between_links[i].slot);
    entry->index = swap->between_links[i].index;
    entry->numbers[0] = (uint32_t)i;
    entry->name = swap->between.links[entry->index].link.def.name;
    entry->is_kept = true;
  }
  const lwi_inter_links before = world->scene.links; /* its names are used until all is done */
  world->scene.links = swap->between;
  world->scene.links.is_changed = true;
  swap->between = before;
  world->links.between = swap->between_count;
}

static void take_added(lw_world *world, const lwi_links_swap *swap) {
  const lwi_id_pool *ids = &world->links.ids;
  int at = 0;
  for (uint32_t i = ids->first; i != LWI_NO_SLOT; i = lwi_id_pool_next(ids, i)) {
    lwi_link_entry *entry = lwi_link_at(world, i);
    if (!entry->added) continue;
    const bool was_nowhere = lwi_link_is_nowhere(entry);
    const lwi_added_link *now = &swap->added[at++];
    entry->added->meshes = now->meshes;
    entry->added->placed = now->placed;
    if (entry->added->def.name) entry->added->placed.link.def.name = entry->added->name;
    if (lwi_link_is_nowhere(entry)) {
      world->links.any_closed |= entry->is_there && entry->is_on;
      entry->is_there = entry->is_on = false;
    } else if (was_nowhere) {
      lwi_link_note_change(world, entry);
    }
  }
}

static void take_ranks(lw_world *world, lwi_links_swap *swap) {
  lwi_world_links *links = &world->links;
  lwi_free(&world->memory, links->by_rank, links->by_rank ? (size_t)links->fixed * sizeof *links->by_rank : 0);
  lwi_world_links_forget_loaded(world);
  links->by_rank = swap->by_rank;
  links->fixed = swap->fixed;
  swap->by_rank = NULL;
  links->is_swapped = false;
  for (uint32_t i = 0; i < (uint32_t)links->fixed; i++) {
    lwi_link_entry *entry = lwi_link_at(world, links->by_rank[i]);
    entry->rank = i;
    entry->is_kept = false;
    links->is_swapped |= links->by_rank[i] != i || links->ids.slots[i].generation != 1;
  }
}

void lwi_links_swap_make(lwi_links_swap *swap, lw_world *world) {
  swap->is_done = true;
  take_baked(world, swap);
  take_between(world, swap);
  drop_gone(world, swap);
  take_added(world, swap);
  take_ranks(world, swap);
  for (int i = 0; i < swap->listed_count; i++) {
    lwi_link_entry *entry = lwi_link_at(world, swap->listed[i]);
    if (entry->bars > 0) lwi_link_note_change(world, entry);
  }
  world->links.all_opened |= swap->listed_count > 0;
  lwi_link_arcs_forget(world);
  lwi_world_links_count(world);
}
