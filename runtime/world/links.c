/* The off-mesh links of a world: which there are, and what is set. Changes wait in the entries until they are applied
   (link_apply.c). */
#include "core/hash.h"
#include "core/status.h"
#include "geometry/geometry.h"
#include "links/inter_links.h"
#include "mesh/link_notes.h"
#include "world/swap.h"

#include <math.h>
#include <string.h>

/* --- finding ---------------------------------------------------------------------------------------------- */

lwi_link_entry *lwi_world_link(const lw_world *world, lw_link_id id) {
  const uint32_t slot = LWI_FIND(&world->links.ids, id);
  return slot == LWI_NO_SLOT || lwi_link_at(world, slot)->is_removed ? NULL : lwi_link_at(world, slot);
}

static uint32_t slot_of(const lw_world *world, const lwi_link_entry *entry) {
  return (uint32_t)(entry - world->links.items);
}

lw_link_id lwi_link_id_of(const lw_world *world, const lwi_link_entry *entry) {
  return (lw_link_id)LWI_ID(&world->links.ids, slot_of(world, entry));
}

static uint64_t hash_of_name(const char *name) {
  return lwi_hash(LWI_HASH_SEED, name, strlen(name));
}

static bool has_name(const lwi_link_entry *entry, const char *name) {
  return entry->name && !entry->is_removed && strcmp(entry->name, name) == 0;
}

/* The oldest one of that name. */
static const lwi_link_entry *find_first(const lw_world *world, const char *name) {
  const lwi_hash_index *names = &world->links.names;
  const lwi_link_entry *first = NULL;
  uint32_t slot = lwi_hash_index_first(names, hash_of_name(name));
  for (; slot != LWI_NO_ITEM; slot = lwi_hash_index_next(names, slot)) {
    const lwi_link_entry *entry = lwi_link_at(world, slot);
    if (has_name(entry, name) && (!first || entry->serial < first->serial)) first = entry;
  }
  return first;
}

bool lwi_world_has_link(const lw_world *world, const char *name) {
  return find_first(world, name) != NULL;
}

bool lwi_world_had_link(const lw_world *world, const char *name) {
  return lwi_hash_index_first(&world->permutations.known_links, hash_of_name(name)) != LWI_NO_ITEM;
}

bool lwi_world_remember_link(lw_world *world, const char *name) {
  return lwi_world_had_link(world, name) ||
         lwi_hash_index_add(&world->permutations.known_links, &world->memory, hash_of_name(name), 0);
}

int lw_link_count(const lw_world *world) {
  return world ? world->links.ids.count - world->links.removed_count : 0;
}

/* Those that were baked or lie between navmeshes by their rank, which is theirs in a new world, too: one whose tile came
   back has another slot. Then those that were added, in turn. */
static uint32_t next_slot(const lw_world *world, const lwi_link_entry *entry) {
  const lwi_world_links *links = &world->links;
  const uint32_t fixed = (uint32_t)links->fixed, rank = !entry ? 0 : entry->added ? fixed : entry->rank + 1;
  if (rank < fixed) return links->by_rank[rank];
  uint32_t slot =
      entry && entry->added ? lwi_id_pool_next(&links->ids, slot_of(world, entry)) : links->ids.first;
  while (slot != LWI_NO_SLOT && (!lwi_link_at(world, slot)->added || lwi_link_at(world, slot)->is_removed))
    slot = lwi_id_pool_next(&links->ids, slot);
  return slot;
}

lw_link_id lw_link_next(const lw_world *world, lw_link_id id) {
  if (!world) return lw_link_id_none();
  const lwi_id_pool *ids = &world->links.ids;
  const lwi_link_entry *entry = lwi_world_link(world, id);
  if (!entry && !lw_link_id_is_none(id)) return lw_link_id_none();
  const uint32_t slot = next_slot(world, entry);
  return slot == LWI_NO_SLOT ? lw_link_id_none() : (lw_link_id)LWI_ID(ids, slot);
}

lw_link_id lw_link_find(const lw_world *world, const char *name, lw_link_id after) {
  if (!world || !name) return lw_link_id_none();
  if (lw_link_id_is_none(after)) {
    const lwi_link_entry *first = find_first(world, name);
    return first ? lwi_link_id_of(world, first) : after;
  }
  do after = lw_link_next(world, after);
  while (!lw_link_id_is_none(after) && !has_name(lwi_link_at(world, after.slot), name));
  return after;
}

/* --- reading ---------------------------------------------------------------------------------------------- */

/* As it was asked for, and where it lies. */
lw_world_link lwi_link_placed(const lw_world *world, const lwi_link_entry *entry) {
  if (entry->added) return entry->added->placed;
  if (entry->origin == LWI_LINK_BETWEEN) return world->scene.links.links[entry->index];
  lw_world_link placed = {.from_navmesh = entry->navmesh, .to_navmesh = entry->navmesh};
  lw_navmesh_get_link(world->scene.navs[entry->navmesh].base, (int)entry->index, &placed.link);
  return placed;
}

lw_link_def lwi_link_def_of(const lw_world *world, const lwi_link_entry *entry) {
  return entry->added ? entry->added->def : lwi_link_placed(world, entry).link.def;
}

/* Is there ground now? */
static bool has_ground(const lw_world *world, int navmesh, lw_vec3 at) {
  const lwi_nav *nav = &world->scene.navs[navmesh];
  const lw_vec3 near_by = {0.05f, 0.05f, 0.05f};
  lw_location found;
  return lw_navmesh_nearest(nav->mesh, at, near_by, NULL, &found) == LW_OK;
}

lw_status lw_link_fits(const lw_world *world, lw_link_id id, const lw_profile *profile, bool *fits) {
  if (fits) *fits = false;
  if (!world || !profile || !fits) return LW_INVALID;
  const lwi_link_entry *entry = lwi_world_link(world, id);
  if (!entry) return LW_STALE;
  *fits = entry->blocked == 0 && lwi_link_fits_filter(world, entry, &profile->prices.filter);
  return LW_OK;
}

/* Where nothing is near by enough, as its tile is out: as it was asked for. */
static lw_world_link placed_or_asked(const lw_world *world, const lwi_link_entry *entry) {
  lw_world_link placed = lwi_link_placed(world, entry);
  if (placed.link.state == LW_LINK_JOINED) return placed;
  const lw_link_def *def = &placed.link.def;
  placed.link.from.point = def->from;
  placed.link.to.point = def->to;
  placed.link.length = def->length >= 0 ? def->length : lwi_distance(def->from, def->to);
  return placed;
}

lw_status lw_link_get(const lw_world *world, lw_link_id id, lw_link_info *info) {
  if (info) *info = (lw_link_info){.def = lw_link_def_default()};
  if (!world || !info) return LW_INVALID;
  const lwi_link_entry *entry = lwi_world_link(world, id);
  if (!entry) return LW_STALE;
  const lw_world_link placed = placed_or_asked(world, entry);
  *info = (lw_link_info){.def = lwi_link_def_of(world, entry),
                         .from = placed.link.from.point,
                         .to = placed.link.to.point,
                         .from_navmesh = placed.from_navmesh,
                         .to_navmesh = placed.to_navmesh,
                         .length = placed.link.length,
                         .cost = entry->cost,
                         .capacity = entry->capacity,
                         .users = entry->users,
                         .waiting = entry->waiting,
                         .is_added = entry->added != NULL,
                         .is_enabled = !entry->is_disabled,
                         .is_barred = entry->bars > 0,
                         .is_blocked = entry->blocked > 0,
                         .is_used = entry->is_there && entry->is_on &&
                                    has_ground(world, placed.from_navmesh, placed.link.from.point) &&
                                    has_ground(world, placed.to_navmesh, placed.link.to.point)};
  return LW_OK;
}

/* --- changing --------------------------------------------------------------------------------------------- */

/* The list has space for all. */
void lwi_link_note_change(lw_world *world, lwi_link_entry *entry) {
  if (entry->is_changed) return;
  entry->is_changed = true;
  world->links.changed[world->links.changed_count++] = slot_of(world, entry);
}

lw_status lw_link_enable(lw_world *world, lw_link_id id, bool enabled) {
  if (!world) return LW_INVALID;
  lwi_link_entry *entry = lwi_world_link(world, id);
  if (!entry) return LW_STALE;
  entry->is_disabled = !enabled;
  lwi_link_note_change(world, entry);
  return LW_OK;
}

lw_status lw_link_set_cost(lw_world *world, lw_link_id id, float cost) {
  if (!world || !(cost >= 0 && cost <= LW_LINK_COST_MAX)) return LW_INVALID;
  lwi_link_entry *entry = lwi_world_link(world, id);
  if (!entry) return LW_STALE;
  entry->cost = cost + 0.0f; /* -0 is 0 */
  lwi_link_note_change(world, entry);
  return LW_OK;
}

lw_status lw_link_set_capacity(lw_world *world, lw_link_id id, int capacity) {
  if (!world || capacity < 0 || capacity > LW_LINK_CAPACITY_MAX) return LW_INVALID;
  lwi_link_entry *entry = lwi_world_link(world, id);
  if (!entry) return LW_STALE;
  entry->capacity = capacity;
  return LW_OK;
}

void lwi_world_bar_links(lw_world *world, const char *name, bool bars) {
  const lwi_hash_index *names = &world->links.names;
  uint32_t slot = lwi_hash_index_first(names, hash_of_name(name));
  for (; slot != LWI_NO_ITEM; slot = lwi_hash_index_next(names, slot)) {
    lwi_link_entry *entry = lwi_link_at(world, slot);
    if (!has_name(entry, name)) continue;
    entry->bars += bars ? 1 : UINT32_MAX; /* -1 */
    lwi_link_note_change(world, entry);
  }
}

/* --- adding and removing ---------------------------------------------------------------------------------- */

int lwi_link_capacity_of(const lw_link_def *def) {
  if (def->capacity >= 0) return def->capacity;
  return def->kind == LW_LINK_LADDER ? 1 : 0;
}

bool lwi_link_reserve(lw_world *world, int slots) {
  lwi_world_links *links = &world->links;
  return lwi_reserve(&world->memory, &links->items, &links->capacity, slots, sizeof *links->items) &&
         lwi_reserve(&world->memory, &links->changed, &links->changed_capacity, slots, sizeof *links->changed);
}

bool lwi_link_index(lw_world *world, uint32_t slot) {
  lwi_world_links *links = &world->links;
  lwi_link_entry *entry = lwi_link_at(world, slot);
  const uint32_t number = entry->index;
  if (entry->added) {
    if (number >= INT32_MAX || !lwi_reserve(&world->memory, &links->by_number, &links->by_number_capacity,
                                            (int)number + 1, sizeof *links->by_number))
      return false;
    if (!lwi_number_set_take_this(&links->numbers, &world->memory, number)) return false;
  }
  if (!entry->name || lwi_hash_index_add(&links->names, &world->memory, hash_of_name(entry->name), slot)) {
    if (entry->added) links->by_number[number] = slot;
    entry->serial = links->count++;
    entry->first_waiting = entry->last_waiting = LWI_NO_SLOT;
    return true;
  }
  if (entry->added) lwi_number_set_give_back(&links->numbers, number);
  return false;
}

/* @return Its slot; LWI_NO_SLOT: no memory. */
static uint32_t list(lw_world *world, const lwi_link_entry *entry) {
  lwi_world_links *links = &world->links;
  if (!lwi_link_reserve(world, links->ids.slot_count + 1)) return LWI_NO_SLOT;
  const uint32_t slot = lwi_id_pool_add(&links->ids, &world->memory);
  if (slot == LWI_NO_SLOT) return slot;
  links->items[slot] = *entry;
  if (lwi_link_index(world, slot)) return slot;
  lwi_id_pool_remove(&links->ids, slot);
  return LWI_NO_SLOT;
}

void lwi_link_unlist(lw_world *world, uint32_t slot) {
  lwi_world_links *links = &world->links;
  lwi_link_entry *entry = lwi_link_at(world, slot);
  lwi_link_arcs_remove(world, slot);
  if (entry->name) lwi_hash_index_remove(&links->names, hash_of_name(entry->name), slot);
  if (entry->added) lwi_number_set_give_back(&links->numbers, entry->index);
  lwi_free(&world->memory, entry->added, sizeof *entry->added);
  lwi_id_pool_remove(&links->ids, slot);
}

uint32_t lwi_link_with_number(const lw_world *world, uint32_t number) {
  return lwi_number_set_has(&world->links.numbers, number) ? world->links.by_number[number] : LWI_NO_SLOT;
}

lwi_inter_links_def lwi_link_places_of(const lw_world *world, const lw_navmesh **meshes) {
  for (int i = 0; i < world->scene.nav_count; i++) meshes[i] = world->scene.navs[i].base;
  return (lwi_inter_links_def){.meshes = meshes, .mesh_count = world->scene.nav_count};
}

/* Where it lies on the navmeshes that have both of its ends. @return The state on the first of them. */
static lw_link_state place_within(const lwi_inter_links_def *in, lwi_added_link *added) {
  lw_link_state state = LW_LINK_NO_ENDS;
  for (int i = 0; i < in->mesh_count; i++) {
    const lw_navmesh *base = in->meshes[i];
    lwi_link link;
    const lw_link_state here = lwi_link_place(base, &added->def, &link);
    if (here == LW_LINK_SAME_PLACE) state = here;
    if (here != LW_LINK_JOINED) continue;
    if (added->meshes == 0)
      added->placed = (lw_world_link){.link = {.def = added->def,
                                               .state = here,
                                               .from = {link.start, lwi_poly_id(base, link.from)},
                                               .to = {link.end, lwi_poly_id(base, link.to)},
                                               .length = link.length},
                                      .from_navmesh = i,
                                      .to_navmesh = i,
                                      .requested_by = -1};
    added->meshes |= 1ULL << i;
  }
  return added->meshes != 0 ? LW_LINK_JOINED : state;
}

/* Find out where it lies. @return LW_OK, LW_NO_POINT, LW_INVALID. */
lw_status lwi_link_place_added(const lwi_inter_links_def *in, lwi_added_link *added, lw_error *error) {
  char reason[256];
  added->meshes = 0;
  const lw_link_state state = place_within(in, added);
  if (state == LW_LINK_JOINED) return LW_OK;
  added->placed = lwi_inter_link_place(in, &added->def);
  if (added->placed.link.state == LW_LINK_JOINED && state != LW_LINK_SAME_PLACE) return LW_OK;
  if (state == LW_LINK_SAME_PLACE) added->placed.link.state = state;
  lw_link_reason(&added->placed.link, reason, sizeof reason);
  return lwi_fail(error, state == LW_LINK_SAME_PLACE ? LW_INVALID : LW_NO_POINT, "link: %s", reason);
}

static lwi_added_link *copy_def(lw_world *world, const lw_link_def *def) {
  lwi_added_link *added = lwi_alloc_zero(&world->memory, sizeof *added);
  if (!added) return NULL;
  added->def = *def;
  if (def->name) memcpy(added->name, def->name, strlen(def->name));
  if (def->name) added->def.name = added->name;
  return added;
}

/* How many permutations bar links of that name. */
uint32_t lwi_link_count_bars(const lw_world *world, const char *name) {
  uint32_t bars = 0;
  for (int i = 0; name && i < world->permutations.count; i++) {
    const lwi_permutation *permutation = &world->permutations.items[i];
    for (int k = 0; k < permutation->barred_count; k++) bars += strcmp(permutation->barred[k].text, name) == 0;
  }
  return bars;
}

/* @return Its slot; LWI_NO_SLOT: no memory. */
static uint32_t list_added(lw_world *world, lwi_added_link *added) {
  lwi_number_set *numbers = &world->links.numbers;
  const uint32_t number = lwi_number_set_take(numbers, &world->memory);
  if (number == UINT32_MAX) return LWI_NO_SLOT;
  lwi_number_set_give_back(numbers, number); /* list() takes it: there is space */
  return list(world, &(lwi_link_entry){.origin = LWI_LINK_ADDED,
                                       .navmesh = -1,
                                       .index = number,
                                       .added = added,
                                       .name = added->def.name,
                                       .capacity = lwi_link_capacity_of(&added->def),
                                       .bars = lwi_link_count_bars(world, added->def.name)});
}

lw_status lw_link_add(lw_world *world, const lw_link_def *def, lw_link_id *id, lw_error *error) {
  if (!id) return lwi_fail_null(error, "link");
  *id = lw_link_id_none();
  if (!world) return lwi_fail_null(error, "world");
  if (!def) return lwi_fail_null(error, "def");
  lw_status status = lwi_link_check(def, world->scene.meshes[0]->areas, "link", error);
  if (status != LW_OK) return status;
  lwi_added_link *added = copy_def(world, def);
  if (!added) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  const lw_navmesh *meshes[LW_NAVMESHES_MAX];
  const lwi_inter_links_def places = lwi_link_places_of(world, meshes);
  status = lwi_link_place_added(&places, added, error);
  const uint32_t slot = status == LW_OK ? list_added(world, added) : LWI_NO_SLOT;
  if (slot == LWI_NO_SLOT) {
    lwi_free(&world->memory, added, sizeof *added);
    return status != LW_OK ? status : lwi_fail_status(error, LW_OUT_OF_MEMORY);
  }
  lwi_link_note_change(world, lwi_link_at(world, slot));
  *id = (lw_link_id)LWI_ID(&world->links.ids, slot);
  return LW_OK;
}

lw_status lw_link_remove(lw_world *world, lw_link_id id) {
  if (!world) return LW_INVALID;
  lwi_link_entry *entry = lwi_world_link(world, id);
  if (!entry) return LW_STALE;
  if (!entry->added) return LW_INVALID;
  entry->is_removed = true;
  world->links.removed_count += 1;
  lwi_link_note_change(world, entry);
  return LW_OK;
}

/* --- beginning and end ------------------------------------------------------------------------------------ */

bool lwi_link_list_fixed(lw_world *world, lwi_link_entry entry, const lw_link_def *def) {
  entry.name = def->name;
  entry.capacity = lwi_link_capacity_of(def);
  entry.is_there = entry.is_on = true;
  return list(world, &entry) != LWI_NO_SLOT;
}

/* The links that a request became stand in the order of requests with each polygon. A file may say otherwise: then
   those that are not found cannot be changed. @param next  [polygons] The next one of each. */
static uint32_t take_number(const lw_navmesh *base, uint32_t *next, const lwi_link_end *from,
                            const lwi_link_end *to) {
  const uint32_t number = next[from->polygon];
  if (number >= base->links.end[from->polygon]) return LWI_NONE;
  const lwi_link *link = &base->links.items[number];
  if (link->to != to->polygon || !lwi_equal(link->start, from->at) || !lwi_equal(link->end, to->at))
    return LWI_NONE;
  next[from->polygon] += 1;
  return number;
}

/* @param next  [polygons] Scratch. */
static void number_baked(const lw_navmesh *base, uint32_t *next, lwi_baked_link *links) {
  for (uint32_t i = 0; i < base->annotations.request_count; i++) {
    const lwi_request *request = &base->annotations.requests[i];
    if (request->state != LW_LINK_JOINED) continue;
    links->request = i;
    links->numbers[0] = take_number(base, next, &request->start, &request->end);
    links->numbers[1] =
        request->bidirectional ? take_number(base, next, &request->end, &request->start) : LWI_NONE;
    links->slot = LWI_NO_SLOT;
    links += 1;
  }
}

uint32_t lwi_baked_links_count(const lw_navmesh *base) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < base->annotations.request_count; i++)
    count += base->annotations.requests[i].state == LW_LINK_JOINED;
  return base->links.count > 0 ? count : 0;
}

bool lwi_baked_links_make(const lw_navmesh *base, lwi_memory *memory, lwi_baked_link **links) {
  const size_t polygons = base->polygons.count, count = lwi_baked_links_count(base);
  *links = NULL;
  if (count == 0) return true;
  uint32_t *next = lwi_alloc(memory, polygons * sizeof *next);
  *links = lwi_alloc(memory, count * sizeof **links);
  if (next && *links) {
    memcpy(next, base->links.first, polygons * sizeof *next);
    number_baked(base, next, *links);
    lwi_free(memory, next, polygons * sizeof *next);
    return true;
  }
  lwi_free(memory, next, polygons * sizeof *next);
  lwi_free(memory, *links, count * sizeof **links);
  *links = NULL;
  return false;
}

bool lwi_link_list_baked(lw_world *world, const lw_navmesh *base, int navmesh, lwi_baked_link *baked) {
  lw_link link;
  lw_navmesh_get_link(base, (int)baked->request, &link);
  const lwi_link_entry entry = {.navmesh = navmesh,
                                .index = baked->request,
                                .numbers = {baked->numbers[0], baked->numbers[1]},
                                .bars = lwi_link_count_bars(world, link.def.name)};
  if (!lwi_link_list_fixed(world, entry, &link.def)) return false;
  baked->slot = world->links.ids.last;
  return true;
}

bool lwi_baked_links_name(lw_world *world, lwi_live *live, const lw_navmesh *base,
                          const lwi_baked_link *links) {
  const size_t size = base->links.count * sizeof(lw_link_id);
  const uint32_t count = lwi_baked_links_count(base);
  const lwi_link_clearances *clearances = &world->links.arcs.clearances.hook;
  if (size == 0) return lwi_live_name_links(live, NULL, clearances);
  lw_link_id *ids = lwi_alloc_zero(&world->memory, size);
  if (!ids) return false;
  for (uint32_t i = 0; i < count; i++)
    for (int back = 0; back < 2; back++)
      if (links[i].numbers[back] != LWI_NONE)
        ids[links[i].numbers[back]] = (lw_link_id)LWI_ID(&world->links.ids, links[i].slot);
  const bool good = lwi_live_name_links(live, ids, clearances);
  lwi_free(&world->memory, ids, size);
  return good;
}

static bool list_navmesh(lw_world *world, int navmesh) {
  const lwi_nav *nav = &world->scene.navs[navmesh];
  const uint32_t count = lwi_baked_links_count(nav->base);
  lwi_baked_link *links;
  bool good = lwi_baked_links_make(nav->base, &world->memory, &links);
  for (uint32_t i = 0; i < count && good; i++) good = lwi_link_list_baked(world, nav->base, navmesh, &links[i]);
  good = good && lwi_baked_links_name(world, nav->live, nav->base, links);
  lwi_free(&world->memory, links, links ? count * sizeof *links : 0);
  return good;
}

static bool list_between(lw_world *world) {
  lwi_inter_links *between = &world->scene.links;
  uint32_t number = 0;
  for (int i = 0; i < between->link_count; i++) {
    if (between->links[i].link.state != LW_LINK_JOINED) continue;
    const lwi_link_entry entry = {
        .origin = LWI_LINK_BETWEEN, .navmesh = -1, .index = (uint32_t)i, .numbers = {number, LWI_NONE}};
    if (!lwi_link_list_fixed(world, entry, &between->links[i].link.def)) return false;
    lwi_inter_links_name(between, number++, (lw_link_id)LWI_ID(&world->links.ids, world->links.ids.last));
  }
  world->links.between = (int)number;
  return lwi_inter_links_apply(between, world->scene.nav_count, &world->memory);
}

bool lwi_world_links_init(lw_world *world) {
  if (!lwi_link_clearances_init(world)) return false;
  for (int i = 0; i < world->scene.nav_count; i++)
    if (!list_navmesh(world, i)) return false;
  if (!list_between(world)) return false;
  world->links.fixed = world->links.ids.count;
  const size_t size = (size_t)world->links.fixed * sizeof *world->links.by_rank;
  world->links.by_rank = size > 0 ? lwi_alloc(&world->memory, size) : NULL;
  if (!world->links.by_rank) return size == 0;
  for (uint32_t i = 0; i < (uint32_t)world->links.fixed; i++)
    world->links.by_rank[i] = lwi_link_at(world, i)->rank = i;
  return true;
}

void lwi_world_links_free(lw_world *world) {
  lwi_world_links *links = &world->links;
  lwi_memory *memory = &world->memory;
  for (uint32_t i = links->ids.first; i != LWI_NO_SLOT; i = lwi_id_pool_next(&links->ids, i))
    lwi_free(memory, lwi_link_at(world, i)->added, sizeof(lwi_added_link));
  lwi_link_arcs_free(world);
  lwi_link_clearances_free(world);
  lwi_world_links_forget_loaded(world);
  lwi_id_pool_free(&links->ids, memory);
  lwi_hash_index_free(&links->names, memory);
  lwi_number_set_free(&links->numbers, memory);
  lwi_free(memory, links->by_rank, links->by_rank ? (size_t)links->fixed * sizeof *links->by_rank : 0);
  lwi_free(memory, links->by_number, (size_t)links->by_number_capacity * sizeof *links->by_number);
  lwi_free(memory, links->items, (size_t)links->capacity * sizeof *links->items);
  lwi_free(memory, links->changed, (size_t)links->changed_capacity * sizeof *links->changed);
  lwi_free(memory, links->opened, (size_t)links->opened_capacity * sizeof *links->opened);
}

/* @param place  Among all links, wherever they have slots. */
static uint64_t hash_link(uint64_t hash, const lw_world *world, const lwi_link_entry *entry, uint32_t place) {
  const lw_link_def def = lwi_link_def_of(world, entry);
  const bool is_plain = !entry->added && !entry->is_disabled && entry->bars == 0 && entry->is_on &&
                        entry->cost + entry->used_cost <= 0 && entry->capacity == lwi_link_capacity_of(&def);
  if (is_plain) return hash;
  const float numbers[] = {entry->cost, entry->used_cost, def.from.x, def.from.y, def.from.z,
                           def.to.x,    def.to.y,         def.to.z,   def.radius, def.length};
  const uint32_t words[] = {place,
                            entry->origin,
                            entry->index,
                            entry->is_disabled,
                            entry->is_removed ? 0 : entry->bars, /* nothing bars it any more */
                            entry->is_removed,
                            entry->is_there,
                            entry->is_on,
                            (uint32_t)def.kind,
                            def.area,
                            def.bidirectional,
                            (uint32_t)entry->capacity};
  return lwi_hash(lwi_hash(hash, numbers, sizeof numbers), words, sizeof words);
}

uint64_t lwi_world_links_hash(const lw_world *world, uint64_t hash) {
  const lwi_id_pool *ids = &world->links.ids;
  uint32_t place = 0;
  for (; place < (uint32_t)world->links.fixed; place++)
    hash = hash_link(hash, world, lwi_link_at(world, world->links.by_rank[place]), place);
  for (uint32_t i = ids->first; i != LWI_NO_SLOT; i = lwi_id_pool_next(ids, i))
    if (lwi_link_at(world, i)->added) hash = hash_link(hash, world, lwi_link_at(world, i), place++);
  if (world->links.arrivals > 0) hash = lwi_hash(hash, &world->links.arrivals, sizeof world->links.arrivals);
  return hash;
}
