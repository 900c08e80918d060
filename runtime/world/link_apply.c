/* The links of a world in its navmeshes: what was changed gets into the live navmeshes, and into what joins these.

   Links have numbers there. In a live navmesh those of the base come first; behind them an added link has two, there and
   back. Between navmeshes those that the world began with come first, and then the added ones. */
#include "core/hash.h"
#include "core/sort.h"
#include "links/inter_links.h"
#include "world/world.h"

#include <string.h>

/* --- applying --------------------------------------------------------------------------------------------- */

/* The number of a link between navmeshes. Of the fixed ones all have smaller numbers. */
static uint32_t number_between(const lw_world *world, const lwi_link_entry *entry) {
  return entry->added ? (uint32_t)world->links.between + entry->index : entry->numbers[0];
}

/* What a link becomes. */
typedef struct live_change {
  bool is_off;
  float cost;
} live_change;

/* The number of an added link in a live navmesh. */
static uint32_t number_on(const lwi_nav *nav, const lwi_link_entry *entry, bool back) {
  return nav->base->links.count + 2 * entry->index + back;
}

static bool change_on(lwi_nav *nav, const lwi_link_entry *entry, const live_change *to) {
  const bool is_baked = entry->origin == LWI_LINK_BAKED;
  const bool both = is_baked ? entry->numbers[1] != LWI_NONE : entry->added->def.bidirectional;
  for (int back = 0; back <= both; back++) {
    const uint32_t number = is_baked ? entry->numbers[back] : number_on(nav, entry, back);
    if (number != LWI_NONE && !lwi_live_change_link(nav->live, number, to->is_off, to->cost)) return false;
  }
  return true;
}

/* Turn it off or on, and set its price. @return false: no memory. */
static bool change(lw_world *world, const lwi_link_entry *entry, const live_change *to) {
  lwi_scene *scene = &world->scene;
  if (entry->origin == LWI_LINK_BAKED) return change_on(&scene->navs[entry->navmesh], entry, to);
  if (entry->origin == LWI_LINK_BETWEEN || entry->added->meshes == 0) {
    lwi_inter_links_change(&scene->links, number_between(world, entry), to->is_off, to->cost);
    return true;
  }
  for (int i = 0; i < scene->nav_count; i++)
    if ((entry->added->meshes >> i & 1) && !change_on(&scene->navs[i], entry, to)) return false;
  return true;
}

static void count_link(lw_world *world, lwi_nav *nav, const lwi_link *link, bool is_there) {
  const lwi_short_link ends = {link->start, link->end, link->length};
  lwi_scene_count_link(&world->scene, nav, &ends, link->area, is_there);
}

static void take_out_of(lw_world *world, lwi_nav *nav, const lwi_link_entry *entry) {
  lwi_link link;
  lwi_link_place(nav->base, &entry->added->def, &link);
  for (int back = 0; back <= entry->added->def.bidirectional; back++) {
    lwi_live_remove_link(nav->live, number_on(nav, entry, back));
    count_link(world, nav, &link, false); /* both ways have one length */
  }
}

/* Take an added link out of the navmeshes, as far as it is in them. */
static void take_out(lw_world *world, const lwi_link_entry *entry, int nav_count) {
  const lwi_added_link *added = entry->added;
  if (added->meshes == 0) {
    const lwi_link link = {.start = added->placed.link.from.point,
                           .end = added->placed.link.to.point,
                           .length = added->placed.link.length,
                           .area = added->def.area};
    lwi_inter_links_remove(&world->scene.links, number_between(world, entry));
    count_link(world, NULL, &link, false);
    return;
  }
  for (int i = 0; i < nav_count; i++)
    if (added->meshes >> i & 1) take_out_of(world, &world->scene.navs[i], entry);
}

/* @return false: no memory, and it is not there. */
static bool put_on(lw_world *world, lwi_nav *nav, const lwi_link_entry *entry) {
  lwi_link link;
  lwi_link_place(nav->base, &entry->added->def, &link);
  const lw_link_id id = lwi_link_id_of(world, entry);
  const bool both = entry->added->def.bidirectional;
  if (!lwi_live_add_link(nav->live, number_on(nav, entry, false), &link, id)) return false;
  const lwi_link back = lwi_link_back(&link);
  if (both && !lwi_live_add_link(nav->live, number_on(nav, entry, true), &back, id)) {
    lwi_live_remove_link(nav->live, number_on(nav, entry, false));
    return false;
  }
  count_link(world, nav, &link, true);
  if (both) count_link(world, nav, &back, true);
  return true;
}

static bool put_between(lw_world *world, const lwi_link_entry *entry) {
  const lw_navmesh *meshes[LW_NAVMESHES_MAX];
  const lwi_inter_links_def places = lwi_link_places_of(world, meshes);
  const lw_world_link *placed = &entry->added->placed;
  const uint32_t number = number_between(world, entry);
  if (!lwi_inter_links_add(&world->scene.links, &places, number, placed, &world->memory)) return false;
  lwi_inter_links_name(&world->scene.links, number, lwi_link_id_of(world, entry));
  const lwi_link link = {.start = placed->link.from.point,
                         .end = placed->link.to.point,
                         .length = placed->link.length,
                         .area = entry->added->def.area};
  count_link(world, NULL, &link, true);
  return true;
}

/* Let the navmeshes have an added link. @return false: no memory, and none has it. */
static bool put_in(lw_world *world, const lwi_link_entry *entry) {
  lwi_scene *scene = &world->scene;
  if (entry->added->meshes == 0) return put_between(world, entry);
  for (int i = 0; i < scene->nav_count; i++) {
    if (!(entry->added->meshes >> i & 1) || put_on(world, &scene->navs[i], entry)) continue;
    take_out(world, entry, i);
    return false;
  }
  return true;
}

/* Tell searches that other agents than before may fit along it. @return false: no memory. */
static bool touch(lw_world *world, const lwi_link_entry *entry) {
  const lwi_scene *scene = &world->scene;
  for (int i = 0; i < scene->nav_count; i++) {
    const lwi_nav *nav = &scene->navs[i];
    const bool is_baked = entry->origin == LWI_LINK_BAKED && entry->navmesh == i;
    if (!is_baked && !(entry->added && (entry->added->meshes >> i & 1))) continue;
    for (int back = 0; back < 2; back++) {
      const uint32_t number = is_baked ? entry->numbers[back] : number_on(nav, entry, back);
      const bool is_there = is_baked ? number != LWI_NONE : !back || entry->added->def.bidirectional;
      if (is_there && !lwi_live_touch_link(nav->live, number)) return false;
    }
  }
  return true;
}

/* More opened links are not looked at one by one. */
#define OPENED_MAX 64

static bool note_opened(lw_world *world, const lwi_link_entry *entry) {
  lwi_world_links *links = &world->links;
  links->all_opened |= links->opened_count + 2 > OPENED_MAX;
  if (world->agents.ids.count == 0 || links->all_opened) return true;
  if (!lwi_reserve(&world->memory, &links->opened, &links->opened_capacity, OPENED_MAX, sizeof *links->opened))
    return false;
  const lw_world_link placed = lwi_link_placed(world, entry);
  const lwi_opened_link there = {.start = placed.link.from.point,
                                 .end = placed.link.to.point,
                                 .length = placed.link.length + entry->used_cost,
                                 .slack = entry->added ? 4 * placed.link.def.radius : 0};
  const lwi_opened_link back = {there.end, there.start, there.length, there.slack};
  links->opened[links->opened_count++] = there;
  if (placed.link.def.bidirectional) links->opened[links->opened_count++] = back;
  return true;
}

/* Larger agents may fit where they did not, or the other way round. @return false: no memory. */
static bool change_clearance(lw_world *world, lwi_link_entry *entry) {
  if (!entry->clearance.has_changed) return true;
  if (entry->is_there && !touch(world, entry)) return false;
  world->links.any_closed = true;
  entry->clearance.has_changed = false;
  return true;
}

/* @return false: no memory; then it is looked at again. */
static bool apply(lw_world *world, lwi_link_entry *entry) {
  if (lwi_link_is_nowhere(entry) && !entry->is_removed) return true; /* it waits for ground */
  if (!entry->is_removed && !lwi_link_arcs_add(world, (uint32_t)(entry - world->links.items))) return false;
  const bool is_on = !entry->is_disabled && entry->bars == 0 && entry->blocked == 0 && !entry->is_removed,
             was_on = entry->is_there && entry->is_on;
  const bool is_raised = entry->cost > entry->used_cost;
  if (entry->is_removed) {
    if (entry->is_there) take_out(world, entry, world->scene.nav_count);
    world->links.any_closed |= was_on;
    return true;
  }
  const bool opens = (is_on && !was_on) || (is_on && entry->cost < entry->used_cost);
  const float before = entry->used_cost;
  entry->used_cost = entry->cost;
  if (opens && !note_opened(world, entry)) {
    entry->used_cost = before;
    return false;
  }
  if (!entry->is_there && !put_in(world, entry)) return false;
  entry->is_there = true;
  if (!change(world, entry, &(live_change){!is_on, entry->cost}) || !change_clearance(world, entry))
    return false;
  entry->is_on = is_on;
  if (is_raised) entry->raised = world->links.rounds + 1;
  world->links.any_closed |= (was_on && !is_on) || (is_on && is_raised);
  return true;
}

bool lwi_world_links_apply(lw_world *world) {
  lwi_world_links *links = &world->links;
  int kept = 0;
  for (int i = 0; i < links->changed_count; i++) {
    const uint32_t slot = links->changed[i];
    lwi_link_entry *entry = lwi_link_at(world, slot);
    if (kept == 0 && apply(world, entry)) {
      entry->is_changed = false;
      if (entry->is_removed) {
        links->removed_count -= 1;
        lwi_link_unlist(world, slot);
      }
    } else {
      links->changed[kept++] = slot;
    }
  }
  links->changed_count = kept;
  return kept == 0;
}

/* As put_in() and note_areas() count it. */
static void count_added(lw_world *world, const lwi_link_entry *entry) {
  const lwi_added_link *added = entry->added;
  lwi_link link = {.start = added->placed.link.from.point,
                   .end = added->placed.link.to.point,
                   .length = added->placed.link.length,
                   .area = added->def.area};
  if (added->meshes == 0) count_link(world, NULL, &link, true);
  for (int i = 0; i < world->scene.nav_count; i++) {
    lwi_nav *nav = &world->scene.navs[i];
    if (!(added->meshes >> i & 1)) continue;
    lwi_link_place(nav->base, &added->def, &link);
    for (int back = 0; back <= added->def.bidirectional; back++) count_link(world, nav, &link, true);
  }
}

void lwi_world_links_count(lw_world *world) {
  const lwi_id_pool *ids = &world->links.ids;
  lwi_area_note *notes = world->scene.area_notes;
  for (int i = 0; i < world->links.between; i++) {
    const lwi_joined_link *link = &world->scene.links.joined[i];
    notes[link->there.area].links += link->is_bidirectional ? 2 : 1;
  }
  for (uint32_t i = ids->first; i != LWI_NO_SLOT; i = lwi_id_pool_next(ids, i)) {
    const lwi_link_entry *entry = lwi_link_at(world, i);
    if (entry->added && entry->is_there) count_added(world, entry);
  }
}

void lwi_world_links_forget(lw_world *world) {
  lwi_world_links *links = &world->links;
  links->rounds += 1;
  links->opened_count = 0;
  links->any_closed = links->all_opened = false;
}

/* --- agents ----------------------------------------------------------------------------------------------- */

lwi_staleness lwi_world_links_concern(const lw_world *world, const lwi_agent *agent) {
  const lw_path *path = agent->route.path;
  const lw_filter *filter = &lwi_agent_payer(agent)->prices.filter;
  lwi_staleness worst = LWI_FRESH;
  if (!world->links.any_closed && !world->ground_missed) return worst;
  for (int i = 0; i < path->link_count; i++) {
    if (path->links[i].point + 1 < agent->route.next_point || lw_link_id_is_none(path->links[i].id)) continue;
    const lwi_link_entry *entry = lwi_world_link(world, path->links[i].id);
    if (!entry || !entry->is_on || !lwi_link_fits_filter(world, entry, filter)) return LWI_BLOCKED;
    if (entry->raised == world->links.rounds + 1) worst = LWI_ALARMED;
  }
  return worst;
}

bool lwi_world_has_short_links(const lw_world *world) {
  bool any = world->scene.short_count > 0;
  for (int i = 0; i < world->scene.nav_count; i++) any |= world->scene.navs[i].short_links > 0;
  return any;
}

bool lwi_world_links_gain(const lw_world *world, lw_vec3 from, lw_vec3 goal, float cost) {
  const lwi_world_links *links = &world->links;
  if (links->all_opened) return true;
  if (links->opened_count > 0 && lwi_world_has_short_links(world)) return true;
  for (int i = 0; i < links->opened_count; i++) {
    const lwi_opened_link *link = &links->opened[i];
    if (lwi_distance(from, link->start) + link->length + lwi_distance(link->end, goal) - link->slack < cost)
      return true;
  }
  return false;
}

/* --- links of a file ---------------------------------------------------------------------------------------- */

uint64_t lwi_world_link_key(const lw_world *world, const lwi_link_entry *entry) {
  const lw_link_def def = lwi_link_def_of(world, entry);
  const float numbers[] = {def.from.x + 0.0f, def.from.y + 0.0f, def.from.z + 0.0f, /* -0 is 0 */
                           def.to.x + 0.0f,   def.to.y + 0.0f,   def.to.z + 0.0f};
  const int32_t words[] = {(int32_t)def.kind, def.bidirectional, entry->navmesh};
  const uint64_t hash = lwi_hash(lwi_hash(LWI_HASH_SEED, numbers, sizeof numbers), words, sizeof words);
  return def.name ? lwi_hash(hash, def.name, strlen(def.name)) : hash;
}

void lwi_world_links_forget_loaded(lw_world *world) {
  lwi_world_links *links = &world->links;
  const size_t count = (size_t)links->loaded.count + 1;
  lwi_free(&world->memory, links->loaded.ranks, links->loaded.ranks ? count * sizeof *links->loaded.ranks : 0);
  links->loaded.ranks = NULL;
  links->loaded.count = 0;
}

/* Are the fixed links of the file those of the world, in the same order? */
static bool are_same(const lw_world *world, const lwi_links_state *from) {
  const lwi_world_links *links = &world->links;
  if (from->fixed != links->fixed) return false;
  for (int i = 0; i < from->fixed; i++)
    if (from->keys[i] != lwi_world_link_key(world, lwi_link_at(world, links->by_rank[i]))) return false;
  return true;
}

/* A link of the file or of the world, by its key. */
typedef struct keyed_link {
  uint64_t key;
  uint32_t rank;
} keyed_link;

static int compare_keyed(const void *left, const void *right) {
  const keyed_link *a = left, *b = right;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return (a->rank > b->rank) - (a->rank < b->rank);
}

/* Of equal ones the first goes with the first. */
static void match_sorted(const keyed_link *then, int then_count, const keyed_link *now, int now_count,
                         uint32_t *ranks) {
  for (int i = 0, k = 0; i < then_count; i++) {
    while (k < now_count && now[k].key < then[i].key) k += 1;
    const bool is_there = k < now_count && now[k].key == then[i].key;
    ranks[then[i].rank] = is_there ? now[k++].rank : LWI_NO_SLOT;
  }
}

/* Find the fixed links of the file among those of the world. @return false: no memory. */
static bool match_loaded(lw_world *world, const lwi_links_state *from) {
  lwi_world_links *links = &world->links;
  const int then_count = from->fixed, now_count = links->fixed;
  lwi_world_links_forget_loaded(world);
  if (are_same(world, from)) return true;
  const size_t size = ((size_t)then_count + (size_t)now_count) * sizeof(keyed_link);
  keyed_link *then = lwi_alloc(&world->memory, size);
  if (!then) return false;
  links->loaded.ranks =
      lwi_alloc(&world->memory, ((size_t)then_count + 1) * sizeof *links->loaded.ranks); /* never 0 */
  if (links->loaded.ranks) {
    keyed_link *now = then + then_count;
    links->loaded.count = then_count;
    for (int i = 0; i < then_count; i++) then[i] = (keyed_link){from->keys[i], (uint32_t)i};
    for (int i = 0; i < now_count; i++)
      now[i] = (keyed_link){lwi_world_link_key(world, lwi_link_at(world, links->by_rank[i])), (uint32_t)i};
    lwi_sort(then, (size_t)then_count, sizeof *then, compare_keyed);
    lwi_sort(now, (size_t)now_count, sizeof *now, compare_keyed);
    match_sorted(then, then_count, now, now_count, links->loaded.ranks);
  }
  lwi_free(&world->memory, then, size);
  return links->loaded.ranks != NULL;
}

/* Where the world has a fixed link of the file. @return LWI_NO_SLOT: it is gone. */
static uint32_t loaded_slot(const lwi_world_links *links, int rank) {
  const uint32_t here = links->loaded.ranks ? links->loaded.ranks[rank] : (uint32_t)rank;
  return here == LWI_NO_SLOT ? here : links->by_rank[here];
}

/* --- restoring -------------------------------------------------------------------------------------------- */

static void clear(lw_world *world) {
  lwi_world_links *links = &world->links;
  for (uint32_t i = links->ids.first, next; i != LWI_NO_SLOT; i = next) {
    lwi_link_entry *entry = lwi_link_at(world, i);
    next = lwi_id_pool_next(&links->ids, i);
    entry->is_changed = false;
    if (!entry->added) continue;
    if (entry->is_there) take_out(world, entry, world->scene.nav_count);
    lwi_link_unlist(world, i);
  }
  links->changed_count = links->removed_count = links->waiting = 0;
  links->arrivals = 0;
}

/* As nobody has changed it. */
static void reset(lw_world *world, lwi_link_entry *entry) {
  const lw_link_def def = lwi_link_def_of(world, entry);
  entry->capacity = lwi_link_capacity_of(&def);
  entry->cost = entry->used_cost = 0;
  entry->bars = 0;
  entry->is_disabled = entry->is_removed = false;
  entry->is_there = entry->is_on = true;
  entry->users = entry->waiting = 0;
  entry->first_waiting = entry->last_waiting = LWI_NO_SLOT;
}

/* @return NULL: no memory. */
static lwi_added_link *copy_added(lw_world *world, const lwi_added_link *from, const lw_area_id *areas) {
  lwi_added_link *added = lwi_alloc(&world->memory, sizeof *added);
  if (!added) return NULL;
  *added = *from;
  added->def.name = added->name[0] ? added->name : NULL;
  added->def.area = areas[from->def.area];
  return added;
}

/* Put an added link of a file into its slot. @return false: no memory. */
static bool restore_added(lw_world *world, uint32_t slot, const lwi_link_entry *saved,
                          const lw_area_id *areas) {
  lwi_added_link *added = copy_added(world, saved->added, areas);
  if (!added) return false;
  lwi_link_entry *entry = lwi_link_at(world, slot);
  *entry = (lwi_link_entry){
      .origin = LWI_LINK_ADDED, .navmesh = -1, .index = saved->index, .added = added, .name = added->def.name};
  reset(world, entry);
  entry->is_there = false;
  if (lwi_link_index(world, slot)) return true;
  lwi_free(&world->memory, added, sizeof *added);
  return false;
}

/* Set what the file says. @return false: no memory. */
static bool restore_state(lw_world *world, lwi_link_entry *entry, const lwi_link_entry *saved) {
  entry->cost = saved->cost;
  entry->used_cost = saved->used_cost;
  entry->capacity = saved->capacity;
  entry->is_disabled = saved->is_disabled;
  entry->is_on = saved->is_on;
  entry->is_removed = saved->is_removed && entry->added;
  const lw_navmesh *meshes[LW_NAVMESHES_MAX];
  const lwi_inter_links_def places = lwi_link_places_of(world, meshes);
  if (entry->added && lwi_link_place_added(&places, entry->added, NULL) != LW_OK && saved->is_there)
    entry->is_removed = true;
  world->links.removed_count += entry->is_removed;
  lwi_link_note_change(world, entry);
  if (entry->added && (!saved->is_there || entry->added->placed.link.state != LW_LINK_JOINED)) return true;
  if (entry->added && !put_in(world, entry)) return false;
  entry->is_there = true;
  return change(world, entry, &(live_change){!entry->is_on, entry->used_cost});
}

/* Searches learn here what fits along them, not with the next changes: those would end the search in progress that the
   file has. */
static bool reset_fixed(lw_world *world) {
  bool good = true;
  for (int i = 0; i < world->links.fixed; i++) {
    lwi_link_entry *entry = lwi_link_at(world, world->links.by_rank[i]);
    reset(world, entry);
    good &= change(world, entry, &(live_change){false, 0});
    if (entry->clearance.has_changed) good &= touch(world, entry);
    entry->clearance.has_changed = false;
  }
  return good;
}

/* @return false: no memory; then `listed` says how many of the file's order have slots. */
static bool restore_all(lw_world *world, const lwi_links_state *from, int *listed) {
  const int fixed = world->links.fixed;
  for (*listed = fixed; *listed < from->count; *listed += 1)
    if (!restore_added(world, from->order[*listed], &from->items[from->order[*listed]], from->areas))
      return false;
  for (int i = 0; i < from->count; i++) {
    const uint32_t slot = from->order[i];
    if (!restore_state(world, lwi_link_at(world, slot), &from->items[slot])) return false;
  }
  world->links.arrivals = from->arrivals;
  return true;
}

/* An added link of the file gets a new slot. @return LWI_NO_SLOT: no memory. */
static uint32_t list_added(lw_world *world, const lwi_link_entry *saved, const lw_area_id *areas) {
  lwi_world_links *links = &world->links;
  if (!lwi_link_reserve(world, links->ids.slot_count + 1)) return LWI_NO_SLOT;
  const uint32_t slot = lwi_id_pool_add(&links->ids, &world->memory);
  if (slot == LWI_NO_SLOT || restore_added(world, slot, saved, areas)) return slot;
  lwi_id_pool_remove(&links->ids, slot);
  return LWI_NO_SLOT;
}

/* Where a navmesh was swapped, or has other links than that of the file, slots are not those of the file. Links that are
   gone are left out. @return false: no memory. */
static bool restore_elsewhere(lw_world *world, const lwi_links_state *from) {
  for (int i = 0; i < from->count; i++) {
    const lwi_link_entry *saved = &from->items[from->order[i]];
    const bool is_fixed = i < from->fixed;
    const uint32_t slot = is_fixed ? loaded_slot(&world->links, i) : list_added(world, saved, from->areas);
    if (slot == LWI_NO_SLOT && is_fixed) continue;
    if (slot == LWI_NO_SLOT || !restore_state(world, lwi_link_at(world, slot), saved)) return false;
  }
  world->links.arrivals = from->arrivals;
  return true;
}

bool lwi_world_links_restore(lw_world *world, const lwi_links_state *from) {
  lwi_world_links *links = &world->links;
  int listed;
  lwi_link_arcs_forget(world);
  clear(world);
  if (!reset_fixed(world) || !match_loaded(world, from)) return false;
  if (from->count == 0) return true;
  if (links->is_swapped || links->loaded.ranks) {
    if (restore_elsewhere(world, from)) return true;
    clear(world);
    reset_fixed(world);
    return false;
  }
  if (!lwi_link_reserve(world, from->slot_count) ||
      !lwi_id_pool_restore(&links->ids, &world->memory, from->states, from->slot_count, from->order,
                           from->count))
    return false;
  if (restore_all(world, from, &listed)) return true;
  for (int i = listed; i < from->count; i++) lwi_id_pool_remove(&links->ids, from->order[i]);
  clear(world);
  reset_fixed(world);
  return false;
}

uint32_t lwi_world_link_code(const lw_world *world, lw_link_id id) {
  const uint32_t slot = LWI_FIND(&world->links.ids, id);
  if (slot == LWI_NO_SLOT) return 0;
  const lwi_link_entry *entry =
      lwi_link_at(world, slot); /* it may have been removed since changes were applied */
  return 1 + (entry->added ? (uint32_t)world->links.fixed + entry->index : entry->rank);
}

lw_link_id lwi_world_link_of_code(const lw_world *world, uint32_t code) {
  const lwi_world_links *links = &world->links;
  const uint32_t fixed = (uint32_t)(links->loaded.ranks ? links->loaded.count : links->fixed);
  if (code == 0) return lw_link_id_none();
  const uint32_t slot =
      code <= fixed ? loaded_slot(links, (int)code - 1) : lwi_link_with_number(world, code - 1 - fixed);
  return slot == LWI_NO_SLOT ? lw_link_id_none() : (lw_link_id)LWI_ID(&links->ids, slot);
}
