/* The off-mesh links in a world's file: what was set, and those that were added. */
#include "geometry/geometry.h"
#include "save/saved.h"

#include <string.h>

/* Flags of a link. */
enum { DISABLED = 1, REMOVED = 2, THERE = 4, ON = 8, BIDIRECTIONAL = 16, FLAGS = 31 };

/* --- writing ---------------------------------------------------------------------------------------------- */

static void put_added(lwi_bytes *to, const lwi_link_entry *entry) {
  const lw_link_def *def = &entry->added->def;
  lwi_put_u32(to, entry->index);
  lwi_put_u32(to, (uint32_t)def->kind);
  lwi_put_vec3(to, def->from);
  lwi_put_vec3(to, def->to);
  lwi_put_float(to, def->radius);
  lwi_put_float(to, def->length);
  lwi_put(to, def->area, 1);
  lwi_put_u32(to, (uint32_t)(def->capacity + 1));
  lwi_put_text(to, entry->added->name);
}

static unsigned flags_of(const lwi_link_entry *entry) {
  return (entry->is_disabled ? DISABLED : 0U) | (entry->is_removed ? REMOVED : 0U) |
         (entry->is_there ? THERE : 0U) | (entry->is_on ? ON : 0U) |
         (entry->added && entry->added->def.bidirectional ? BIDIRECTIONAL : 0U);
}

static void put_link(lwi_bytes *to, const lw_world *world, const lwi_link_entry *entry) {
  if (!entry->added) lwi_put_u64(to, lwi_world_link_key(world, entry));
  lwi_put_u32(to, flags_of(entry));
  lwi_put_float(to, entry->cost);
  lwi_put_float(to, entry->used_cost);
  lwi_put_u32(to, (uint32_t)entry->capacity);
  if (entry->added) put_added(to, entry);
}

/* Ids as a new world would give them, with as many slots as there are numbers of added links.
   @return false: no memory. */
static bool make_ids(const lw_world *world, lwi_id_pool *ids, lwi_memory *memory) {
  const int count = world->links.ids.count;
  bool good = true;
  *ids = lwi_id_pool_make(world->links.ids.world);
  for (int i = 0; (i < count || i < world->links.by_number_capacity) && good; i++)
    good = lwi_id_pool_add(ids, memory) != LWI_NO_SLOT;
  while (good && ids->count > count) lwi_id_pool_remove(ids, ids->last);
  return good;
}

static void put_ids(lwi_bytes *to, const lw_world *world) {
  lwi_id_pool ids;
  if (!world->links.is_swapped) {
    lwi_saved_put_ids(to, &world->links.ids);
    return;
  }
  if (make_ids(world, &ids, to->memory))
    lwi_saved_put_ids(to, &ids);
  else
    to->failed = true;
  lwi_id_pool_free(&ids, to->memory);
}

void lwi_saved_put_links(lwi_bytes *to, const lw_world *world) {
  const lwi_id_pool *ids = &world->links.ids;
  lwi_put_u32(to, (uint32_t)world->links.fixed);
  lwi_put_u64(to, world->links.arrivals);
  put_ids(to, world);
  for (int i = 0; i < world->links.fixed; i++) put_link(to, world, lwi_link_at(world, world->links.by_rank[i]));
  for (uint32_t i = ids->first; i != LWI_NO_SLOT; i = lwi_id_pool_next(ids, i))
    if (lwi_link_at(world, i)->added) put_link(to, world, lwi_link_at(world, i));
}

/* --- reading ---------------------------------------------------------------------------------------------- */

static bool is_cost(float cost) {
  return cost >= 0 && cost <= LW_LINK_COST_MAX;
}

/* @return "": no memory. */
static const char *read_added(lw_saved *saved, lwi_reader *from, lwi_link_entry *entry, unsigned flags) {
  lw_link_def def = lw_link_def_default();
  char name[256];
  entry->index = lwi_get_u32(from);
  const uint32_t kind = lwi_get_u32(from);
  def.from = lwi_get_vec3(from);
  def.to = lwi_get_vec3(from);
  def.radius = lwi_get_float(from);
  def.length = lwi_get_float(from);
  const lw_area_id area = (lw_area_id)lwi_get(from, 1);
  const uint32_t capacity = lwi_get_u32(from);
  lwi_get_text(from, name);
  if (from->failed) return NULL;
  if (kind >= LW_LINK_KIND_COUNT || area > saved->area_count || capacity > LW_LINK_CAPACITY_MAX + 1 ||
      strlen(name) > LW_LINK_NAME_MAX || entry->index >= (uint32_t)saved->links.ids.slot_count)
    return "a number is out of range";
  def.kind = (lw_link_kind)kind;
  def.bidirectional = flags & BIDIRECTIONAL;
  def.capacity = (int)capacity - 1;
  if (lwi_link_check(&def, NULL, "link", NULL) != LW_OK) return "a number is out of range";
  def.area = area;
  entry->added = lwi_alloc_zero(&saved->memory, sizeof *entry->added);
  if (!entry->added) return "";
  entry->added->def = def;
  memcpy(entry->added->name, name, strlen(name) + 1);
  return NULL;
}

static const char *read_link(lw_saved *saved, lwi_reader *from, uint32_t slot) {
  lwi_link_entry *entry = &saved->links.items[slot];
  const bool is_fixed = slot < (uint32_t)saved->links.fixed;
  if (is_fixed) saved->links.keys[slot] = lwi_get_u64(from);
  const uint32_t flags = lwi_get_u32(from);
  entry->cost = lwi_get_float(from);
  entry->used_cost = lwi_get_float(from);
  const uint32_t capacity = lwi_get_u32(from);
  if (from->failed) return NULL;
  if (flags > FLAGS || (is_fixed && (flags & (REMOVED | BIDIRECTIONAL))) || (is_fixed && !(flags & THERE)) ||
      !is_cost(entry->cost) || !is_cost(entry->used_cost) || capacity > LW_LINK_CAPACITY_MAX)
    return "a number is out of range";
  entry->capacity = (int)capacity;
  entry->is_disabled = flags & DISABLED;
  entry->is_removed = flags & REMOVED;
  entry->is_there = flags & THERE;
  entry->is_on = flags & ON;
  return is_fixed ? NULL : read_added(saved, from, entry, flags);
}

/* Have all that were added numbers of their own, and do the others come first? @return "": no memory. */
static const char *check_all(lw_saved *saved) {
  const lwi_saved_links *all = &saved->links;
  lwi_number_set numbers = {NULL, 0, 0};
  const char *wrong = NULL;
  for (int i = all->fixed; i < all->ids.count && !wrong; i++) {
    const uint32_t number = all->items[all->ids.order[i]].index;
    if (lwi_number_set_has(&numbers, number))
      wrong = "two have one number";
    else if (!lwi_number_set_take_this(&numbers, &saved->memory, number))
      wrong = "";
  }
  lwi_number_set_free(&numbers, &saved->memory);
  return wrong;
}

const char *lwi_saved_read_links(lw_saved *saved, lwi_reader *from) {
  lwi_saved_links *all = &saved->links;
  const uint32_t fixed = lwi_get_u32(from);
  all->arrivals = lwi_get_u64(from);
  const char *wrong = lwi_saved_read_ids(saved, from, &all->ids);
  if (wrong || from->failed) return wrong;
  const int slots = all->ids.slot_count;
  if (fixed > (uint32_t)all->ids.count || all->arrivals > LWI_SAVED_COUNT_MAX) return "a count is out of range";
  all->fixed = (int)fixed;
  all->is_there = true;
  for (uint32_t i = 0; i < fixed; i++)
    if (all->ids.order[i] != i || all->ids.states[i].generation != 1)
      return "those of navmeshes are out of order";
  if (!lwi_reserve(&saved->memory, &all->items, &all->capacity, slots, sizeof *all->items)) return "";
  if (slots > 0) memset(all->items, 0, (size_t)slots * sizeof *all->items);
  if (!lwi_reserve(&saved->memory, &all->keys, &all->key_capacity, all->fixed, sizeof *all->keys)) return "";
  for (int i = 0; i < all->ids.count && !wrong && !from->failed; i++)
    wrong = read_link(saved, from, all->ids.order[i]);
  return wrong || from->failed ? wrong : check_all(saved);
}

void lwi_saved_links_free(lw_saved *saved) {
  lwi_saved_links *all = &saved->links;
  for (int i = 0; i < all->ids.slot_count && all->items; i++)
    lwi_free(&saved->memory, all->items[i].added, sizeof *all->items[i].added);
  lwi_saved_free_ids(saved, &all->ids);
  lwi_free(&saved->memory, all->items, (size_t)all->capacity * sizeof *all->items);
  lwi_free(&saved->memory, all->keys, (size_t)all->key_capacity * sizeof *all->keys);
}

/* --- giving it to a world --------------------------------------------------------------------------------- */

bool lwi_saved_restore_links(lw_world *world, const lw_saved *saved) {
  const lwi_saved_links *all = &saved->links;
  const lw_area_table *areas = world->scene.meshes[0]->areas;
  lw_area_id known[LW_AREA_MAX + 1] = {LW_AREA_NONE};
  for (int i = 1; i <= saved->area_count; i++) known[i] = lwi_saved_area(saved, areas, (lw_area_id)i);
  const lwi_links_state state = {.states = all->ids.states,
                                 .items = all->items,
                                 .areas = known,
                                 .slot_count = all->ids.slot_count,
                                 .order = all->ids.order,
                                 .count = all->ids.count,
                                 .fixed = all->fixed,
                                 .keys = all->keys,
                                 .arrivals = all->arrivals};
  return lwi_world_links_restore(world, &state);
}
