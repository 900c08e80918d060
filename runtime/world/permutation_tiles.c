/* Tiles of permutations: which navmesh a world has in place of the one that it was given, with the tiles of the states
   that are set. */
#include "bake/replace_tiles.h"
#include "core/sort.h"
#include "core/status.h"
#include "leeward/bake.h"
#include "world/world.h"

#include <string.h>

/* --- checking --------------------------------------------------------------------------------------------- */

static int compare_places(const void *left, const void *right) {
  const lw_tile_change *a = left, *b = right;
  if (a->z != b->z) return a->z < b->z ? -1 : 1;
  return (a->x > b->x) - (a->x < b->x);
}

static int compare_tiles(const void *left, const void *right) {
  const lw_permutation_tile *a = left, *b = right;
  if (a->navmesh != b->navmesh) return a->navmesh < b->navmesh ? -1 : 1;
  return compare_places(&a->tile, &b->tile);
}

static const lw_tile_change *find_place(const lwi_permutation_state *state, const lw_permutation_tile *tile) {
  for (int i = 0; i < state->group_count; i++) {
    const lwi_tile_group *group = &state->groups[i];
    int low = 0, high = group->count;
    if (group->navmesh != tile->navmesh) continue;
    while (low < high) {
      const int middle = low + (high - low) / 2;
      if (compare_places(&group->tiles[middle], &tile->tile) < 0)
        low = middle + 1;
      else
        high = middle;
    }
    if (low < group->count && compare_places(&group->tiles[low], &tile->tile) == 0) return &group->tiles[low];
  }
  return NULL;
}

/* The first permutation that has the tile, of those of that name (there is one at most) or of all others.
   @return NULL: none. */
static const lwi_permutation *find_holder(const lw_world *world, const char *name, bool is_own,
                                          const lw_permutation_tile *tile) {
  for (int i = 0; i < world->permutations.count; i++) {
    const lwi_permutation *holder = &world->permutations.items[i];
    if ((strcmp(holder->name, name) == 0) != is_own) continue;
    for (int k = 0; k < holder->state_count; k++)
      if (find_place(&holder->states[k], tile)) return holder;
  }
  return NULL;
}

/* The navmesh that the world was given, or waits for. */
static const lw_navmesh *given(const lwi_nav *nav) {
  return nav->next ? nav->next : nav->own;
}

static lw_status check_source(const lw_world *world, const lw_permutation_tile *tile, lw_error *error) {
  const lw_navmesh *from = tile->tile.from, *own = given(&world->scene.navs[tile->navmesh]);
  const lw_status status = lwi_check_has_grid(own, error);
  if (status != LW_OK || !from) return status;
  if (from->live.base)
    return lwi_fail(error, LW_INVALID, "it is of a world's version of a navmesh, expected one that was baked");
  return lwi_check_same_grid(own, from, error);
}

static bool is_within(const lwi_tile_range *range, const lw_tile_change *tile) {
  return tile->x >= range->low[0] && tile->x <= range->high[0] && tile->z >= range->low[1] &&
         tile->z <= range->high[1];
}

/* The ranges in which the tiles of a state may lie. */
typedef struct state_ranges {
  lwi_tile_range own, source;
} state_ranges;

/* Tiles that the world does not have now may come later, but not outside of all that is known. */
static lw_status check_place(const lw_world *world, const state_ranges *ranges,
                             const lw_permutation_state_def *state, const lw_permutation_tile *tile,
                             const char *name, lw_error *error) {
  const lw_tile_change *place = &tile->tile;
  const lwi_tile_range *own = &ranges->own;
  const lwi_permutation *holder = find_holder(world, name, false, tile);
  if (holder)
    return lwi_fail(error, LW_INVALID,
                    "state '%s': tile (%d, %d) belongs to the permutation '%s', expected tiles of no other one",
                    state->name, place->x, place->z, holder->name);
  if (is_within(own, place) || is_within(&ranges->source, place) || find_holder(world, name, true, tile))
    return LW_OK;
  return lwi_fail(error, LW_INVALID,
                  "state '%s': tile (%d, %d) does not exist, expected a tile of either navmesh: x of the "
                  "world's is %d to %d, z %d to %d",
                  state->name, place->x, place->z, own->low[0], own->high[0], own->low[1], own->high[1]);
}

static lw_status check_state(const lw_world *world, const char *name, const lw_permutation_state_def *state,
                             lw_error *error) {
  const lw_navmesh *last = NULL;
  int last_navmesh = -1;
  state_ranges ranges = {{{0}, {0}}, {{0}, {0}}};
  if (state->tile_count < 0 || (state->tile_count > 0 && !state->tiles))
    return lwi_fail(error, LW_INVALID, "state '%s': tile_count is %d, expected 0 or more, and that many tiles",
                    state->name, state->tile_count);
  for (int i = 0; i < state->tile_count; i++) {
    const lw_permutation_tile *tile = &state->tiles[i];
    lw_error wrong;
    if (tile->navmesh < 0 || tile->navmesh >= world->scene.nav_count)
      return lwi_fail(error, LW_INVALID, "state '%s': tile %d: navmesh is %d, expected 0 to %d", state->name,
                      i + 1, tile->navmesh, world->scene.nav_count - 1);
    const bool is_checked = tile->navmesh == last_navmesh && tile->tile.from == last;
    if (!is_checked && check_source(world, tile, &wrong) != LW_OK)
      return lwi_fail(error, LW_INVALID, "state '%s': tile %d: %s", state->name, i + 1, wrong.text);
    if (!is_checked)
      ranges = (state_ranges){lwi_tile_range_of(given(&world->scene.navs[tile->navmesh])),
                              lwi_tile_range_of(tile->tile.from)};
    last = tile->tile.from;
    last_navmesh = tile->navmesh;
    const lw_status status = check_place(world, &ranges, state, tile, name, error);
    if (status != LW_OK) return status;
  }
  return LW_OK;
}

/* @return LW_OK; LW_INVALID: a tile is there twice; LW_OUT_OF_MEMORY. */
static lw_status check_once(const lw_world *world, const lw_permutation_state_def *state, lw_error *error) {
  lwi_memory memory = lwi_memory_make(&world->memory.allocator);
  const size_t size = (size_t)state->tile_count * sizeof *state->tiles;
  lw_status status = LW_OK;
  if (state->tile_count < 2) return LW_OK;
  lw_permutation_tile *sorted = lwi_alloc(&memory, size);
  if (!sorted) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  memcpy(sorted, state->tiles, size);
  lwi_sort(sorted, (size_t)state->tile_count, sizeof *sorted, compare_tiles);
  for (int i = 1; i < state->tile_count && status == LW_OK; i++)
    if (compare_tiles(&sorted[i - 1], &sorted[i]) == 0)
      status = lwi_fail(error, LW_INVALID, "state '%s': tile (%d, %d) is given twice", state->name,
                        sorted[i].tile.x, sorted[i].tile.z);
  lwi_free(&memory, sorted, size);
  return status;
}

lw_status lwi_tiles_check(const lw_world *world, const lw_permutation_def *def, lw_error *error) {
  lw_status status = LW_OK;
  for (int i = 0; i < def->state_count && status == LW_OK; i++) {
    status = check_state(world, def->name, &def->states[i], error);
    if (status == LW_OK) status = check_once(world, &def->states[i], error);
  }
  return status;
}

lw_status lwi_tiles_fit(const lw_world *world, int index, const lw_navmesh *navmesh, lw_error *error) {
  const lwi_permutations *all = &world->permutations;
  const lw_navmesh *last = NULL;
  for (int i = 0; i < all->count && all->has_tiles; i++)
    for (int k = 0; k < all->items[i].state_count; k++)
      for (int g = 0; g < all->items[i].states[k].group_count; g++) {
        const lwi_tile_group *group = &all->items[i].states[k].groups[g];
        lw_error wrong;
        if (group->navmesh != index || !group->tiles[0].from || group->tiles[0].from == last) continue;
        last = group->tiles[0].from;
        if (lwi_check_has_grid(navmesh, &wrong) != LW_OK || lwi_check_same_grid(last, navmesh, &wrong) != LW_OK)
          return lwi_fail(error, LW_INVALID, "navmesh does not fit the tiles of the permutation '%s': %s",
                          all->items[i].name, wrong.text);
      }
  return LW_OK;
}

/* --- definitions ------------------------------------------------------------------------------------------ */

/* Do all tiles of the group come from one navmesh? */
static bool has_one_source(const lwi_tile_group *group) {
  const lw_navmesh *from = group->tiles[0].from;
  for (int i = 0; i < group->count; i++)
    if (!from || group->tiles[i].from != from) return false;
  return true;
}

/* Are all of these places among those of the group? Both are in order. */
static bool has_all(const lwi_tile_group *group, const lw_tile_change *places, int count) {
  int found = 0;
  for (int i = 0; i < count; i++) {
    while (found < group->count && compare_places(&group->tiles[found], &places[i]) < 0) found++;
    if (found == group->count || compare_places(&group->tiles[found], &places[i]) != 0) return false;
  }
  return true;
}

/* Does the navmesh of the group's tiles differ from the world's in nothing else? The answer is that of this navmesh,
   whichever the world had before: what it has depends on that and on its states alone. @return false: no memory. */
static bool compare(lwi_tile_group *group, const lw_navmesh *own, lwi_memory *memory) {
  const lw_navmesh *from = group->tiles[0].from;
  const size_t size = (size_t)group->count * sizeof(lw_tile_change);
  lw_status status = LW_OK;
  int count = 0;
  if (group->compared == own) return true;
  group->is_whole = false;
  if (has_one_source(group)) {
    lw_tile_change *differing = lwi_alloc(memory, size);
    if (!differing) return false;
    status = lw_navmesh_differing_tiles(own, from, differing, group->count, &count, NULL);
    group->is_whole = status == LW_OK && count <= group->count && has_all(group, differing, count);
    lwi_free(memory, differing, size);
  }
  group->compared = status != LW_OUT_OF_MEMORY ? own : NULL;
  return status != LW_OUT_OF_MEMORY;
}

static bool copy_group(lw_world *world, const lw_permutation_tile *tiles, int count, lwi_tile_group *group) {
  group->navmesh = tiles[0].navmesh;
  group->tiles = lwi_alloc(&world->memory, (size_t)count * sizeof *group->tiles);
  if (!group->tiles) return false;
  group->count = count;
  for (int i = 0; i < count; i++) group->tiles[i] = tiles[i].tile;
  return compare(group, given(&world->scene.navs[group->navmesh]), &world->memory);
}

static bool copy_sorted(lw_world *world, const lw_permutation_tile *tiles, int count,
                        lwi_permutation_state *to) {
  int groups = 1;
  for (int i = 1; i < count; i++) groups += tiles[i].navmesh != tiles[i - 1].navmesh;
  to->groups = lwi_alloc_zero(&world->memory, (size_t)groups * sizeof *to->groups);
  if (!to->groups) return false;
  to->group_count = groups;
  for (int i = 0, g = 0; g < groups; g++) {
    int end = i + 1;
    while (end < count && tiles[end].navmesh == tiles[i].navmesh) end++;
    if (!copy_group(world, tiles + i, end - i, &to->groups[g])) return false;
    i = end;
  }
  world->permutations.has_tiles = true;
  return true;
}

bool lwi_tiles_copy(lw_world *world, const lw_permutation_state_def *from, lwi_permutation_state *to) {
  const size_t size = (size_t)from->tile_count * sizeof *from->tiles;
  if (from->tile_count == 0) return true;
  lw_permutation_tile *sorted = lwi_alloc(&world->memory, size);
  if (!sorted) return false;
  memcpy(sorted, from->tiles, size);
  lwi_sort(sorted, (size_t)from->tile_count, sizeof *sorted, compare_tiles);
  const bool done = copy_sorted(world, sorted, from->tile_count, to);
  lwi_free(&world->memory, sorted, size);
  return done;
}

void lwi_tiles_free(lw_world *world, lwi_permutation_state *state) {
  for (int i = 0; i < state->group_count; i++) {
    lwi_tile_group *group = &state->groups[i];
    lwi_free(&world->memory, group->tiles, (size_t)group->count * sizeof *group->tiles);
  }
  lwi_free(&world->memory, state->groups, (size_t)state->group_count * sizeof *state->groups);
}

static bool are_same(const lw_tile_change *a, const lw_tile_change *b, int count) {
  for (int i = 0; i < count; i++)
    if (compare_places(&a[i], &b[i]) != 0 || a[i].from != b[i].from) return false;
  return true;
}

bool lwi_tiles_are_same(const lwi_permutation_state *a, const lwi_permutation_state *b) {
  const int count = a ? a->group_count : 0;
  if (count != (b ? b->group_count : 0)) return false;
  for (int i = 0; i < count; i++)
    if (a->groups[i].navmesh != b->groups[i].navmesh || a->groups[i].count != b->groups[i].count ||
        !are_same(a->groups[i].tiles, b->groups[i].tiles, a->groups[i].count))
      return false;
  return true;
}

/* --- compositions ----------------------------------------------------------------------------------------- */

/* The tiles that a navmesh has of states. */
typedef struct tile_list {
  lw_tile_change *items; /* [count] By z, then x. */
  int count, capacity;
  const lwi_tile_group *only; /* NULL: several groups, or none. */
} tile_list;

static const lwi_permutation_state *find_state(const lwi_permutation *permutation, const char *name) {
  for (int i = 0; i < permutation->state_count; i++)
    if (strcmp(permutation->states[i].name, name) == 0) return &permutation->states[i];
  return permutation->state_count > 0 ? &permutation->states[permutation->initial] : NULL;
}

/* The state that counts. @return NULL: the permutation is not defined yet. */
static const lwi_permutation_state *state_of(const lwi_permutations *all, const lwi_permutation *permutation) {
  for (int i = 0; i < all->loading_count; i++)
    if (strcmp(all->loading[i].name, permutation->name) == 0)
      return find_state(permutation, all->loading[i].state);
  return find_state(permutation, permutation->state);
}

static bool has_tiles(const lwi_permutation *permutation) {
  for (int i = 0; i < permutation->state_count; i++)
    if (permutation->states[i].group_count > 0) return true;
  return false;
}

/* @return false: no memory. */
static bool list_tiles(lw_world *world, int index, const lw_navmesh *own, tile_list *list) {
  const lwi_permutations *all = &world->permutations;
  int groups = 0;
  for (int i = 0; i < all->count; i++) {
    const lwi_permutation_state *state = has_tiles(&all->items[i]) ? state_of(all, &all->items[i]) : NULL;
    for (int g = 0; state && g < state->group_count; g++) {
      lwi_tile_group *group = &state->groups[g];
      if (group->navmesh != index) continue;
      if (!compare(group, own, &world->memory)) return false;
      if (group->is_whole && group->tiles[0].from == own) continue; /* as given */
      if (!lwi_reserve(&world->memory, &list->items, &list->capacity, list->count + group->count,
                       sizeof *list->items))
        return false;
      memcpy(list->items + list->count, group->tiles, (size_t)group->count * sizeof *list->items);
      list->count += group->count;
      list->only = groups++ == 0 ? group : NULL;
    }
  }
  lwi_sort(list->items, (size_t)list->count, sizeof *list->items, compare_places);
  return true;
}

static bool is_used(const lw_world *world, const lw_navmesh *navmesh) {
  for (int i = 0; i < world->scene.nav_count; i++)
    if (world->scene.navs[i].base == navmesh) return true;
  return false;
}

static void drop(lw_world *world, int index) {
  lwi_permutations *all = &world->permutations;
  lwi_composition *composition = &all->compositions[index];
  lwi_free(&world->memory, composition->tiles, (size_t)composition->count * sizeof *composition->tiles);
  lw_navmesh_destroy(composition->navmesh);
  all->compositions[index] = all->compositions[--all->composition_count];
}

/* The composition that is not used and was found the longest ago. @param[out] unused  How many are not used. */
static int find_oldest(const lw_world *world, int *unused) {
  const lwi_permutations *all = &world->permutations;
  int oldest = -1;
  *unused = 0;
  for (int i = 0; i < all->composition_count; i++) {
    if (is_used(world, all->compositions[i].navmesh)) continue;
    *unused += 1;
    if (oldest < 0 || all->compositions[i].turn < all->compositions[oldest].turn) oldest = i;
  }
  return oldest;
}

/* Drop what is not used: all that cannot be found, and of the others the oldest beyond `kept`. */
static void drop_unused(lw_world *world, int kept) {
  lwi_permutations *all = &world->permutations;
  for (int i = all->composition_count; i-- > 0;)
    if (!all->compositions[i].own && !is_used(world, all->compositions[i].navmesh)) drop(world, i);
  for (int unused, oldest; (oldest = find_oldest(world, &unused)) >= 0 && unused > kept;) drop(world, oldest);
}

static lwi_composition *find_composition(lw_world *world, const lw_navmesh *own, const tile_list *list) {
  lwi_permutations *all = &world->permutations;
  for (int i = 0; i < all->composition_count; i++) {
    lwi_composition *composition = &all->compositions[i];
    if (composition->own == own && composition->count == list->count &&
        are_same(composition->tiles, list->items, list->count))
      return composition;
  }
  return NULL;
}

static lw_status make_composition(lw_world *world, const lw_navmesh *own, const tile_list *list,
                                  lwi_composition **result, lw_error *error) {
  lwi_permutations *all = &world->permutations;
  lwi_composition composition = {.own = own, .count = list->count};
  const size_t size = (size_t)list->count * sizeof *list->items;
  drop_unused(world, LWI_COMPOSITIONS_KEPT - 1);
  if (!lwi_reserve(&world->memory, &all->compositions, &all->composition_capacity, all->composition_count + 1,
                   sizeof *all->compositions))
    return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  composition.tiles = lwi_alloc(&world->memory, size);
  if (!composition.tiles) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  memcpy(composition.tiles, list->items, size);
  const lw_status status = lwi_replace_tiles_of_states(own, list->items, list->count, &world->memory.allocator,
                                                       &composition.navmesh, error);
  if (status != LW_OK) {
    lwi_free(&world->memory, composition.tiles, size);
    return status;
  }
  *result = &all->compositions[all->composition_count++];
  **result = composition;
  return LW_OK;
}

static lw_status compose(lw_world *world, const lw_navmesh *own, const tile_list *list,
                         const lw_navmesh **navmesh, lw_error *error) {
  lw_status status = LW_OK;
  *navmesh = own;
  if (list->count == 0) return LW_OK;
  if (list->only && list->only->is_whole) {
    *navmesh = list->only->tiles[0].from;
    return LW_OK;
  }
  lwi_composition *composition = find_composition(world, own, list);
  if (!composition) status = make_composition(world, own, list, &composition, error);
  if (status != LW_OK) return status;
  composition->turn = ++world->permutations.composition_turn;
  *navmesh = composition->navmesh;
  return LW_OK;
}

lw_status lwi_tiles_compose(lw_world *world, int index, const lw_navmesh *own, const lw_navmesh **navmesh,
                            lw_error *error) {
  *navmesh = own;
  if (!world->permutations.has_tiles) return LW_OK;
  tile_list list = {.items = NULL};
  const lw_status status = list_tiles(world, index, own, &list) ? compose(world, own, &list, navmesh, error)
                                                                : lwi_fail_status(error, LW_OUT_OF_MEMORY);
  lwi_free(&world->memory, list.items, (size_t)list.capacity * sizeof *list.items);
  return status;
}

static bool is_own(const lw_world *world, const lw_navmesh *navmesh) {
  for (int i = 0; i < world->scene.nav_count; i++)
    if (navmesh == world->scene.navs[i].own || navmesh == world->scene.navs[i].next) return true;
  return false;
}

/* Does a state that is defined now have tiles of the navmesh? */
static bool is_source(const lw_world *world, const lw_navmesh *navmesh) {
  const lwi_permutations *all = &world->permutations;
  for (int i = 0; i < all->count && all->has_tiles; i++)
    for (int k = 0; k < all->items[i].state_count; k++)
      for (int g = 0; g < all->items[i].states[k].group_count; g++) {
        const lwi_tile_group *group = &all->items[i].states[k].groups[g];
        for (int t = 0; t < group->count; t++)
          if (group->tiles[t].from == navmesh) return true;
      }
  return false;
}

static bool has_lost_source(const lw_world *world, const lwi_composition *composition) {
  const lw_navmesh *last = NULL;
  for (int i = 0; i < composition->count; i++) {
    const lw_navmesh *from = composition->tiles[i].from;
    if (from && from != last && !is_source(world, from)) return true;
    last = from;
  }
  return false;
}

void lwi_tiles_forget(lw_world *world) {
  lwi_permutations *all = &world->permutations;
  if (!all->has_tiles) return;
  for (int i = 0; i < all->count; i++)
    for (int k = 0; k < all->items[i].state_count; k++)
      for (int g = 0; g < all->items[i].states[k].group_count; g++) {
        lwi_tile_group *group = &all->items[i].states[k].groups[g];
        if (group->compared && !is_own(world, group->compared)) group->compared = NULL;
      }
  for (int i = 0; i < all->composition_count; i++) {
    lwi_composition *composition = &all->compositions[i];
    if (composition->own && (!is_own(world, composition->own) || has_lost_source(world, composition)))
      composition->own = NULL;
  }
  drop_unused(world, LWI_COMPOSITIONS_KEPT);
}

void lwi_compositions_free(lw_world *world) {
  lwi_permutations *all = &world->permutations;
  while (all->composition_count > 0) drop(world, all->composition_count - 1);
  lwi_free(&world->memory, all->compositions, (size_t)all->composition_capacity * sizeof *all->compositions);
}

bool lw_world_uses_navmesh(const lw_world *world, const lw_navmesh *navmesh) {
  return world && navmesh && (is_own(world, navmesh) || is_used(world, navmesh) || is_source(world, navmesh));
}
