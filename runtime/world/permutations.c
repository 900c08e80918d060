/* Permutations: a state that is set owns obstacles, which come and go together. */
#include "core/hash.h"
#include "core/status.h"
#include "core/text.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

lw_permutation_def lw_permutation_def_default(void) {
  return (lw_permutation_def){.cookie = LWI_COOKIE};
}

/* --- checking --------------------------------------------------------------------------------------------- */

static lw_status check_name(const char *what, const char *name, lw_error *error) {
  if (!name || !name[0]) return lwi_fail(error, LW_INVALID, "%s is empty, expected a name", what);
  if (strlen(name) <= LW_PERMUTATION_NAME_MAX) return LW_OK;
  return lwi_fail(error, LW_INVALID, "%s has %d bytes, expected at most %d", what, (int)strlen(name),
                  LW_PERMUTATION_NAME_MAX);
}

static lw_status check_volume(const lw_world *world, const lw_permutation_state_def *state, int index,
                              lw_error *error) {
  const lw_obstacle_def *volume = &state->volumes[index];
  lw_error wrong = {.text = ""};
  lw_status status = lwi_obstacle_check(volume, &wrong);
  if (status == LW_OK) status = lwi_world_check_area(world, volume, &wrong);
  if (status == LW_OK && !(lw_agent_id_is_none(volume->carrier) && lw_obstacle_id_is_none(volume->attached_to)))
    status = lwi_fail(&wrong, LW_INVALID, "carrier or attached_to is given, expected none");
  if (status == LW_OK) return LW_OK;
  return lwi_fail(error, status, "state '%s': volume %d: %s", state->name, index + 1, wrong.text);
}

static lwi_permutation *find(const lw_world *world, const char *name) {
  for (int i = 0; name && i < world->permutations.count; i++)
    if (strcmp(world->permutations.items[i].name, name) == 0) return &world->permutations.items[i];
  return NULL;
}

/* May a link be named? One that the world does not have: its tile may be gone, if the world had it once, or an earlier
   definition named it, too, or the permutation is of a file, so that its names were checked. */
static bool may_name(const lw_world *world, const lwi_permutation *before, const char *name) {
  if (lwi_world_has_link(world, name) || lwi_world_had_link(world, name)) return true;
  if (before && before->state_count == 0) return true;
  for (int i = 0; before && i < before->state_count; i++)
    for (int k = 0; k < before->states[i].barred_count; k++)
      if (strcmp(before->states[i].barred[k].text, name) == 0) return true;
  return false;
}

static lw_status check_links(const lw_world *world, const lw_permutation_def *def,
                             const lw_permutation_state_def *state, lw_error *error) {
  if (state->link_count < 0 || state->link_count > LW_PERMUTATION_LINKS_MAX ||
      (state->link_count > 0 && !state->links))
    return lwi_fail(error, LW_INVALID, "state '%s': link_count is %d, expected 0 to %d, and that many links",
                    state->name, state->link_count, LW_PERMUTATION_LINKS_MAX);
  for (int i = 0; i < state->link_count; i++) {
    const char *name = state->links[i].name;
    char shown[LW_LINK_NAME_MAX + 1];
    if (!name)
      return lwi_fail(error, LW_INVALID, "state '%s': the name of link %d is NULL", state->name, i + 1);
    lwi_text_show(shown, sizeof shown, name);
    for (int k = 0; k < i; k++)
      if (strcmp(state->links[k].name, name) == 0)
        return lwi_fail(error, LW_INVALID, "state '%s': link '%s' is there twice", state->name, shown);
    if (!may_name(world, find(world, def->name), name))
      return lwi_fail(error, LW_NOT_FOUND, "state '%s': the world has no link '%s'", state->name, shown);
  }
  return LW_OK;
}

static lw_status check_state(const lw_world *world, const lw_permutation_def *def, int index, lw_error *error) {
  const lw_permutation_state_def *state = &def->states[index];
  lw_status status = check_name("the name of a state", state->name, error);
  if (status != LW_OK) return status;
  for (int i = 0; i < index; i++)
    if (strcmp(def->states[i].name, state->name) == 0)
      return lwi_fail(error, LW_INVALID, "two states are called '%s', expected different names", state->name);
  if (state->volume_count < 0 || state->volume_count > LW_PERMUTATION_VOLUMES_MAX ||
      (state->volume_count > 0 && !state->volumes))
    return lwi_fail(error, LW_INVALID,
                    "state '%s': volume_count is %d, expected 0 to %d, and that many volumes", state->name,
                    state->volume_count, LW_PERMUTATION_VOLUMES_MAX);
  for (int i = 0; i < state->volume_count && status == LW_OK; i++)
    status = check_volume(world, state, i, error);
  return status == LW_OK ? check_links(world, def, state, error) : status;
}

static lw_status check_def(const lw_world *world, const lw_permutation_def *def, lw_error *error) {
  lw_status status = lwi_check_cookie(def->cookie, "lw_permutation_def", error);
  if (status == LW_OK) status = check_name("name", def->name, error);
  if (status != LW_OK) return status;
  if (!def->states || def->state_count < 1 || def->state_count > LW_PERMUTATION_STATES_MAX)
    return lwi_fail(error, LW_INVALID, "state_count is %d, expected 1 to %d, and that many states",
                    def->state_count, LW_PERMUTATION_STATES_MAX);
  for (int i = 0; i < def->state_count && status == LW_OK; i++) status = check_state(world, def, i, error);
  if (status == LW_OK && (def->initial < 0 || def->initial >= def->state_count))
    return lwi_fail(error, LW_INVALID, "initial is %d, expected 0 to %d", def->initial, def->state_count - 1);
  return status == LW_OK ? lwi_tiles_check(world, def, error) : status;
}

/* --- definitions ------------------------------------------------------------------------------------------ */

static lwi_permutation_state *find_state(const lwi_permutation *permutation, const char *name) {
  for (int i = 0; i < permutation->state_count; i++)
    if (strcmp(permutation->states[i].name, name) == 0) return &permutation->states[i];
  return NULL;
}

static void free_states(lw_world *world, lwi_permutation_state *states, int count) {
  lwi_memory *memory = &world->memory;
  for (int i = 0; i < count && states; i++) {
    lwi_permutation_state *state = &states[i];
    for (int k = 0; k < state->volume_count && state->volumes; k++)
      lwi_obstacle_free_points(memory, &state->volumes[k]);
    lwi_free(memory, state->volumes, (size_t)state->volume_count * sizeof *state->volumes);
    lwi_free(memory, state->barred, (size_t)state->barred_count * sizeof *state->barred);
    lwi_tiles_free(world, state);
  }
  lwi_free(memory, states, (size_t)count * sizeof *states);
}

/* Those that are barred. */
static bool copy_links(lw_world *world, const lw_permutation_state_def *from, lwi_permutation_state *to) {
  int count = 0;
  for (int i = 0; i < from->link_count; i++) count += !from->links[i].is_used;
  if (count == 0) return true;
  to->barred = lwi_alloc_zero(&world->memory, (size_t)count * sizeof *to->barred);
  if (!to->barred) return false;
  for (int i = 0; i < from->link_count; i++)
    if (!from->links[i].is_used) strcpy(to->barred[to->barred_count++].text, from->links[i].name);
  return true;
}

static bool copy_state(lw_world *world, const lw_permutation_state_def *from, lwi_permutation_state *to) {
  strcpy(to->name, from->name);
  if (!copy_links(world, from, to) || !lwi_tiles_copy(world, from, to)) return false;
  if (from->volume_count == 0) return true;
  to->volumes = lwi_alloc_zero(&world->memory, (size_t)from->volume_count * sizeof *to->volumes);
  if (!to->volumes) return false;
  to->volume_count = from->volume_count;
  for (int i = 0; i < from->volume_count; i++) {
    to->volumes[i] = from->volumes[i];
    if (!lwi_obstacle_own_points(&world->memory, &to->volumes[i])) return false;
  }
  return true;
}

/* @return NULL: no memory. */
static lwi_permutation_state *copy_states(lw_world *world, const lw_permutation_def *def) {
  const int count = def->state_count;
  lwi_permutation_state *states = lwi_alloc_zero(&world->memory, (size_t)count * sizeof *states);
  for (int i = 0; i < count && states; i++) {
    if (copy_state(world, &def->states[i], &states[i])) continue;
    free_states(world, states, count);
    return NULL;
  }
  return states;
}

/* @return NULL: no memory. */
static lwi_permutation *add(lw_world *world, const char *name) {
  lwi_permutations *all = &world->permutations;
  if (!lwi_reserve(&world->memory, &all->items, &all->capacity, all->count + 1, sizeof *all->items))
    return NULL;
  lwi_permutation *permutation = &all->items[all->count++];
  *permutation = (lwi_permutation){.first = LWI_NO_SLOT, .is_applied = true}; /* but for what enter() finds */
  strcpy(permutation->name, name);
  return permutation;
}

/* --- states ----------------------------------------------------------------------------------------------- */

static bool is_same_volume(const lw_obstacle_def *a, const lw_obstacle_def *b) {
  if (a->shape != b->shape || a->blocks != b->blocks || a->area != b->area || a->cost != b->cost ||
      a->yaw != b->yaw || a->point_count != b->point_count || !lwi_equal(a->at, b->at) ||
      !lwi_equal(a->size, b->size) || a->radius != b->radius || a->height != b->height ||
      lwi_obstacle_cover(a) != lwi_obstacle_cover(b))
    return false;
  for (int i = 0; i < a->point_count; i++)
    if (!lwi_equal(a->points[i], b->points[i])) return false;
  return true;
}

/* Are the obstacles that there are those of the state? Then nothing changes. */
static bool is_in_place(const lw_world *world, const lwi_permutation *permutation,
                        const lwi_permutation_state *state) {
  uint32_t slot = permutation->first;
  for (int i = state->volume_count; i-- > 0; slot = lwi_obstacle_at(world, slot)->next_carried)
    if (slot == LWI_NO_SLOT || !is_same_volume(&state->volumes[i], &lwi_obstacle_at(world, slot)->def))
      return false;
  return slot == LWI_NO_SLOT;
}

/* Remove the obstacles of a list. */
static void discard(lw_world *world, uint32_t slot) {
  for (; slot != LWI_NO_SLOT; slot = lwi_obstacle_at(world, slot)->next_carried)
    lwi_world_discard_obstacle(world, slot);
}

static bool bars_same(const lwi_permutation *permutation, const lwi_permutation_state *state) {
  if (permutation->barred_count != state->barred_count) return false;
  for (int i = 0; i < state->barred_count; i++)
    if (strcmp(permutation->barred[i].text, state->barred[i].text) != 0) return false;
  return true;
}

static void forget_barred(lw_world *world, lwi_permutation *permutation) {
  lwi_free(&world->memory, permutation->barred,
           (size_t)permutation->barred_count * sizeof *permutation->barred);
  permutation->barred = NULL;
  permutation->barred_count = 0;
}

/* Let the permutation bar these links, and no others. */
static void bar(lw_world *world, lwi_permutation *permutation, lwi_link_name *names, int count) {
  for (int i = 0; i < count; i++) lwi_world_bar_links(world, names[i].text, true);
  for (int i = 0; i < permutation->barred_count; i++)
    lwi_world_bar_links(world, permutation->barred[i].text, false);
  forget_barred(world, permutation);
  permutation->barred = names;
  permutation->barred_count = count;
}

/* Copies of the names that a state bars. @return false: no memory. */
static bool copy_barred(lw_world *world, const lwi_permutation_state *state, lwi_link_name **names) {
  const size_t size = (size_t)state->barred_count * sizeof **names;
  *names = size > 0 ? lwi_alloc(&world->memory, size) : NULL;
  if (*names) memcpy(*names, state->barred, size);
  return *names || size == 0;
}

/* Is lw_world_def.permuted to be called for its state? Not if that was set again before another one took effect. */
static bool is_untold(const lwi_permutation *permutation) {
  const bool is_other = strcmp(permutation->applied, permutation->state) != 0;
  return permutation->is_changed || (is_other && (permutation->state_count > 0 || !permutation->is_applied));
}

/* Let the permutation have the obstacles and links of the state. @return false: no memory, and nothing has changed. */
static bool enter(lw_world *world, lwi_permutation *permutation, const lwi_permutation_state *state) {
  const bool is_bare = bars_same(permutation, state),
             is_there = is_in_place(world, permutation, state) && is_bare;
  lwi_link_name *barred = NULL;
  if (!is_bare && !copy_barred(world, state, &barred)) return false;
  if (!is_there) {
    const int number = (int)(permutation - world->permutations.items) + 1;
    uint32_t first = LWI_NO_SLOT;
    for (int i = 0; i < state->volume_count; i++) {
      const uint32_t slot = lwi_world_create_obstacle(world, &state->volumes[i], number);
      if (slot == LWI_NO_SLOT) {
        discard(world, first);
        lwi_free(&world->memory, barred, (size_t)state->barred_count * sizeof *barred);
        return false;
      }
      lwi_obstacle_at(world, slot)->next_carried = first;
      first = slot;
    }
    discard(world, permutation->first);
    permutation->first = first;
  }
  if (!is_bare) bar(world, permutation, barred, state->barred_count);
  world->permutations.tiles_pending |= !lwi_tiles_are_same(find_state(permutation, permutation->state), state);
  if (!is_there || strcmp(permutation->state, state->name) != 0) permutation->is_applied = false;
  strcpy(permutation->state, state->name);
  world->permutations.any_pending |= is_untold(permutation) || !permutation->is_applied;
  return true;
}

/* It is defined again: may its state have other tiles than before? */
static void have_tiles(lw_world *world, lwi_permutation *permutation, const lwi_permutation_state *before) {
  if (lwi_tiles_are_same(before, find_state(permutation, permutation->state))) return;
  world->permutations.tiles_pending = world->permutations.any_pending = true;
  permutation->is_applied = false;
}

static bool is_same_state(const lwi_permutation_state *a, const lwi_permutation_state *b) {
  if (a->volume_count != b->volume_count || a->barred_count != b->barred_count || !lwi_tiles_are_same(a, b))
    return false;
  for (int i = 0; i < a->volume_count; i++)
    if (!is_same_volume(&a->volumes[i], &b->volumes[i])) return false;
  for (int i = 0; i < a->barred_count; i++)
    if (strcmp(a->barred[i].text, b->barred[i].text) != 0) return false;
  return true;
}

/* It is defined again: is the state that has effect another one now, by the same name? */
static bool is_redefined(const lw_world *world, const lwi_permutation *before, const lwi_permutation *now) {
  const lwi_permutation_state *state = find_state(now, now->applied), *old = find_state(before, now->applied);
  if (!state) return false; /* it begins in another one */
  if (old) return !is_same_state(old, state);
  return before->state_count == 0 && !(is_in_place(world, now, state) && bars_same(now, state)); /* of a file */
}

/* Nothing of the world may be in use: the log's listener may change it. */
static void log_lost(const lw_world *world, const char *name, const char *saved, const char *now) {
  lw_world_log(world, LW_LOG_WARNING,
               "permutation '%s' was saved in its state '%s', which it no longer has; it is in '%s' now", name,
               saved, now);
}

lw_status lw_permutation_check(const lw_world *world, const lw_permutation_def *def, lw_error *error) {
  if (!world) return lwi_fail_null(error, "world");
  if (!def) return lwi_fail_null(error, "def");
  const lw_status status = check_def(world, def, error);
  if (status != LW_OK) return status;
  if (world->permutations.count == LW_PERMUTATIONS_MAX && !find(world, def->name))
    return lwi_fail(error, LW_LIMIT, "there are %d permutations, expected at most that many",
                    LW_PERMUTATIONS_MAX);
  return LW_OK;
}

lw_status lw_permutation_define(lw_world *world, const lw_permutation_def *def, lw_error *error) {
  const lw_status status = lw_permutation_check(world, def, error);
  if (status != LW_OK) return status;
  lwi_permutation *permutation = find(world, def->name);
  const bool is_new = !permutation;
  lwi_permutation_state *states = copy_states(world, def);
  if (!states) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  if (is_new) permutation = add(world, def->name);
  const lwi_permutation before = permutation ? *permutation : (lwi_permutation){.state_count = 0};
  if (permutation) {
    permutation->states = states;
    permutation->state_count = def->state_count;
    permutation->initial = def->initial;
    const lwi_permutation_state *state = find_state(permutation, permutation->state);
    permutation->is_changed |= is_redefined(world, &before, permutation);
    if (enter(world, permutation, state ? state : &states[def->initial])) {
      have_tiles(world, permutation, find_state(&before, before.state));
      free_states(world, before.states, before.state_count);
      lwi_tiles_forget(world);
      if (!is_new && before.state_count == 0 && !state)
        log_lost(world, before.name, before.state, def->states[def->initial].name);
      return LW_OK;
    }
    *permutation = before;
    world->permutations.count -= is_new;
  }
  free_states(world, states, def->state_count);
  return lwi_fail_status(error, LW_OUT_OF_MEMORY);
}

/* As 'open', 'shut', ... */
static void list_states(const lwi_permutation *permutation, char *names, size_t size) {
  size_t length = 0;
  names[0] = 0;
  for (int i = 0; i < permutation->state_count && length < size; i++)
    length += (size_t)snprintf(names + length, size - length, "%s'%s'", i > 0 ? ", " : "",
                               permutation->states[i].name);
}

lw_status lw_permutation_set(lw_world *world, const char *name, const char *state, lw_error *error) {
  if (!world) return lwi_fail_null(error, "world");
  if (!name) return lwi_fail_null(error, "name");
  if (!state) return lwi_fail_null(error, "state");
  lwi_permutation *permutation = find(world, name);
  char shown[LW_PERMUTATION_NAME_MAX + 1];
  lwi_text_show(shown, sizeof shown, permutation ? state : name);
  if (!permutation) return lwi_fail(error, LW_NOT_FOUND, "there is no permutation '%s'", shown);
  const lwi_permutation_state *found = find_state(permutation, state);
  if (!found) {
    char names[256];
    list_states(permutation, names, sizeof names);
    return lwi_fail(error, LW_NOT_FOUND, "the permutation '%s' has no state '%s', expected %s",
                    permutation->name, shown, names);
  }
  return enter(world, permutation, found) ? LW_OK : lwi_fail_status(error, LW_OUT_OF_MEMORY);
}

/* --- effects ---------------------------------------------------------------------------------------------- */

/* Conditions may read the key "world.permutation.NAME", which is set as soon as the state is not the initial one. That
   it is another one than before says the key, which is saved, not whether lw_world_def.permuted was called. */
static void tell_trees(lw_world *world, const lwi_permutation *permutation) {
  char key[sizeof "permutation." + LW_PERMUTATION_NAME_MAX];
  snprintf(key, sizeof key, "permutation.%s", permutation->name);
  const lw_value known = lw_world_get_value(world, key),
                 value = {.kind = LW_VALUE_STRING, .as.string = permutation->state};
  const bool is_known = known.kind == LW_VALUE_STRING && strcmp(known.as.string, permutation->state) == 0;
  const bool is_initial = permutation->state_count > 0 &&
                          strcmp(permutation->states[permutation->initial].name, permutation->state) == 0;
  if (is_known || (known.kind == LW_VALUE_NONE && is_initial)) return;
  lw_world_set_value(world, key, &value); /* without memory it stays as it was */
}

/* States that are set by what is called here take effect with the next step. */
void lwi_world_permuted(lw_world *world) {
  lwi_permutations *all = &world->permutations;
  if (!all->any_pending) return;
  all->any_pending = false;
  for (int i = 0; i < all->count; i++) {
    tell_trees(world, &all->items[i]);
    all->items[i].is_new = is_untold(&all->items[i]);
    all->items[i].is_applied = true;
    all->items[i].is_changed = false;
    if (all->items[i].is_new) strcpy(all->items[i].applied, all->items[i].state);
  }
  for (int i = 0; i < all->count && !world->closing; i++) {
    if (!all->items[i].is_new) continue;
    const lwi_permutation permutation = all->items[i]; /* the list may move */
    all->items[i].is_new = false;
    if (world->def.permuted) world->def.permuted(world->def.user, world, permutation.name, permutation.applied);
  }
}

/* --- reading ---------------------------------------------------------------------------------------------- */

const char *lw_permutation_state(const lw_world *world, const char *name) {
  const lwi_permutation *permutation = world ? find(world, name) : NULL;
  return permutation ? permutation->state : NULL;
}

bool lw_permutation_is_applied(const lw_world *world, const char *name) {
  const lwi_permutation *permutation = world ? find(world, name) : NULL;
  return permutation && permutation->is_applied;
}

int lw_permutation_count(const lw_world *world) {
  return world ? world->permutations.count : 0;
}

const char *lw_permutation_name(const lw_world *world, int index) {
  return world && index >= 0 && index < world->permutations.count ? world->permutations.items[index].name
                                                                  : NULL;
}

int lw_permutation_state_count(const lw_world *world, const char *name) {
  const lwi_permutation *permutation = world ? find(world, name) : NULL;
  return permutation ? permutation->state_count : 0;
}

const char *lw_permutation_state_name(const lw_world *world, const char *name, int index) {
  const lwi_permutation *permutation = world ? find(world, name) : NULL;
  return permutation && index >= 0 && index < permutation->state_count ? permutation->states[index].name : NULL;
}

uint64_t lwi_world_permutations_hash(const lw_world *world, uint64_t hash) {
  for (int i = 0; i < world->permutations.count; i++) {
    const lwi_permutation *permutation = &world->permutations.items[i];
    hash = lwi_hash(hash, permutation->name, strlen(permutation->name));
    hash = lwi_hash(hash, permutation->state, strlen(permutation->state));
    hash = lwi_hash(hash, &permutation->is_applied, sizeof permutation->is_applied);
  }
  return hash;
}

/* --- restoring and freeing -------------------------------------------------------------------------------- */

/* Let the permutations have their obstacles among those of a file, which name them by their number there.
   @param numbers  [count] Those in the world, from 1. */
static void take_obstacles(lw_world *world, const int *numbers) {
  const lwi_id_pool *ids = &world->obstacles.ids;
  for (uint32_t i = ids->first; i != LWI_NO_SLOT; i = lwi_id_pool_next(ids, i)) {
    lwi_obstacle *obstacle = lwi_obstacle_at(world, i);
    if (obstacle->permutation == 0) continue;
    obstacle->permutation = numbers[obstacle->permutation - 1];
    if (obstacle->is_removed) continue;
    lwi_permutation *permutation = &world->permutations.items[obstacle->permutation - 1];
    obstacle->next_carried = permutation->first;
    permutation->first = i;
  }
}

/* @param[out] numbers  [count] @return false: no memory. */
static bool take_states(lw_world *world, const lwi_saved_permutation *saved, int count, int *numbers) {
  lwi_permutations *all = &world->permutations;
  for (int i = 0; i < count; i++) {
    lwi_permutation *permutation = find(world, saved[i].name);
    if (!permutation) permutation = add(world, saved[i].name);
    if (!permutation) return false;
    numbers[i] = (int)(permutation - all->items) + 1;
    strcpy(permutation->state, saved[i].state);
    permutation->is_applied = saved[i].is_applied;
    const lwi_permutation_state bars = {.barred = saved[i].barred, .barred_count = saved[i].barred_count};
    lwi_link_name *barred;
    if (!copy_barred(world, &bars, &barred)) return false;
    bar(world, permutation, barred, bars.barred_count);
    all->any_pending |= !permutation->is_applied;
  }
  return true;
}

static bool take_file(lw_world *world, const lwi_saved_permutation *saved, int count) {
  if (count == 0) return true;
  int *numbers = lwi_alloc(&world->memory, (size_t)count * sizeof *numbers);
  const bool good = numbers && take_states(world, saved, count, numbers);
  if (good) take_obstacles(world, numbers);
  lwi_free(&world->memory, numbers, (size_t)count * sizeof *numbers);
  return good;
}

bool lwi_world_permutations_restore(lw_world *world, const lwi_saved_permutation *saved, int count) {
  lwi_permutations *all = &world->permutations;
  for (int i = 0; i < all->count; i++) {
    all->items[i].first = LWI_NO_SLOT;
    forget_barred(world, &all->items[i]); /* no link of the file is barred yet */
  }
  if (!take_file(world, saved, count)) return false;
  for (int i = 0; i < all->count; i++) {
    lwi_permutation *permutation = &all->items[i];
    if (permutation->state_count == 0) continue; /* it is defined later */
    const lwi_permutation_state *state = find_state(permutation, permutation->state);
    if (!enter(world, permutation, state ? state : &permutation->states[permutation->initial])) return false;
    permutation->is_changed = false;
  }
  return true;
}

void lwi_world_permutations_log_lost(lw_world *world, const lwi_saved_permutation *saved, int count) {
  for (int i = 0; i < count; i++) {
    const lwi_permutation *permutation = find(world, saved[i].name);
    if (permutation && permutation->state_count > 0 && !find_state(permutation, saved[i].state))
      log_lost(world, saved[i].name, saved[i].state, permutation->state);
  }
}

void lwi_world_permutations_free(lw_world *world) {
  lwi_permutations *all = &world->permutations;
  for (int i = 0; i < all->count; i++) {
    free_states(world, all->items[i].states, all->items[i].state_count);
    forget_barred(world, &all->items[i]);
  }
  lwi_hash_index_free(&all->known_links, &world->memory);
  lwi_free(&world->memory, all->items, (size_t)all->capacity * sizeof *all->items);
}
