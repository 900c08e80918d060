#include "sight/depth_cache.h"

#include "core/hash.h"
#include "core/vec3.h"

#include <string.h>

/* --- own maps --------------------------------------------------------------------------------------------------- */

void lwi_own_maps_init(lwi_own_maps *maps, int limit, const lwi_occluders *const *sets, int count,
                       lwi_memory *memory) {
  *maps = (lwi_own_maps){.memory = memory, .scene = {.sets = sets, .count = count}};
  maps->limit = limit < LWI_OWN_MAPS_MAX ? limit : LWI_OWN_MAPS_MAX;
}

void lwi_own_maps_free(lwi_own_maps *maps) {
  if (!maps->memory) return;
  for (int i = 0; i < maps->count; i++) lwi_free(maps->memory, maps->maps[i], sizeof *maps->maps[i]);
  lwi_free(maps->memory, maps->scene.scratch, lwi_depth_scratch_size());
  maps->scene.scratch = NULL;
  maps->count = 0;
}

static void redraw(lwi_depth_map *map) {
  lwi_depth_map_begin(map, map->eye, map->soft);
}

void lwi_own_maps_renew(lwi_own_maps *maps, int count, bool is_same) {
  maps->scene.count = count;
  for (int i = 0; i < maps->count && !is_same; i++) redraw(maps->maps[i]);
}

static int find_oldest(const lwi_own_maps *maps) {
  int oldest = 0;
  for (int i = 1; i < maps->count; i++)
    if (maps->asked[i] < maps->asked[oldest]) oldest = i;
  return oldest;
}

/* A new map, or the one not asked for longest. @return -1: out of memory. */
static int take_map(lwi_own_maps *maps) {
  if (!maps->scene.scratch) maps->scene.scratch = lwi_alloc(maps->memory, lwi_depth_scratch_size());
  if (!maps->scene.scratch) return -1;
  if (maps->count >= maps->limit) return find_oldest(maps);
  maps->maps[maps->count] = lwi_alloc(maps->memory, sizeof *maps->maps[0]);
  return maps->maps[maps->count] ? maps->count++ : -1;
}

static bool is_map_of(const lwi_own_maps *maps, int i, lw_vec3 eye, bool soft) {
  return lwi_equal(maps->maps[i]->eye, eye) && maps->maps[i]->soft == soft;
}

/* @return The map drawn at exactly that place, or -1. */
static int find_map(const lwi_own_maps *maps, lw_vec3 eye, bool soft) {
  if (maps->recent < maps->count && is_map_of(maps, maps->recent, eye, soft)) return maps->recent;
  for (int i = 0; i < maps->count; i++)
    if (is_map_of(maps, i, eye, soft)) return i;
  return -1;
}

lwi_depth_map *lwi_own_maps_get(lwi_own_maps *maps, lw_vec3 eye, bool soft) {
  if (maps->limit == 0) return NULL;
  int found = find_map(maps, eye, soft);
  if (found < 0) {
    found = take_map(maps);
    if (found < 0) return NULL;
    lwi_depth_map_begin(maps->maps[found], eye, soft);
  }
  maps->recent = found;
  maps->asked[found] = ++maps->asks;
  return maps->maps[found];
}

/* --- the cache ----------------------------------------------------------------------------------------------------- */

void lwi_depth_cache_init(lwi_depth_cache *cache, int map_limit, const lwi_depth_scene *scene,
                          lwi_memory *memory) {
  *cache = (lwi_depth_cache){.memory = memory, .scene = *scene, .map_limit = map_limit};
}

void lwi_depth_cache_free(lwi_depth_cache *cache) {
  for (int i = 0; i < cache->map_count; i++) lwi_free(cache->memory, cache->maps[i], sizeof **cache->maps);
  lwi_free(cache->memory, cache->maps, (size_t)cache->map_limit * sizeof *cache->maps);
  lwi_free(cache->memory, cache->scene.scratch, lwi_depth_scratch_size());
  cache->maps = NULL;
  cache->scene.scratch = NULL;
  cache->count = cache->map_count = 0;
  cache->asks = cache->steps = 0;
}

void lwi_depth_cache_renew(lwi_depth_cache *cache, int count, bool is_same) {
  cache->scene.count = count;
  for (int i = 0; i < cache->map_count && !is_same; i++) redraw(cache->maps[i]);
}

/* --- finding eyes ----------------------------------------------------------------------------------------- */

static bool is_at(const lwi_eye *eye, lw_vec3 at, bool soft) {
  return lwi_equal(eye->at, at) && eye->soft == soft;
}

/* @return The eye at exactly that place, or -1. */
static int find_at(const lwi_depth_cache *cache, lw_vec3 at, bool soft) {
  for (int i = 0; i < cache->count; i++)
    if (is_at(&cache->items[i], at, soft)) return i;
  return -1;
}

static float distance2(const lwi_eye *eye, lw_vec3 at) {
  const lw_vec3 off = lwi_sub(at, eye->at);
  return lwi_dot(off, off);
}

/* The nearest eye without a map within reach that was not asked about in this step: it has moved here. NULL:
   none. */
static lwi_eye *find_mover(lwi_depth_cache *cache, lw_vec3 at, bool soft) {
  lwi_eye *found = NULL;
  float best = LWI_EYE_REACH * LWI_EYE_REACH;
  for (int i = 0; i < cache->count; i++) {
    lwi_eye *eye = &cache->items[i];
    if (eye->map >= 0 || eye->soft != soft || eye->last_step == cache->steps || !(distance2(eye, at) < best))
      continue;
    best = distance2(eye, at);
    found = eye;
  }
  return found;
}

/* A free item; if all are taken, that of the eye without a map that was not asked about for longest. */
static lwi_eye *add_eye(lwi_depth_cache *cache) {
  lwi_eye *place = NULL;
  if (cache->count < LWI_DEPTH_CACHE_MAX) return &cache->items[cache->count++];
  for (int i = 0; i < cache->count; i++) {
    lwi_eye *eye = &cache->items[i];
    if (eye->map < 0 && (!place || eye->last_ask < place->last_ask)) place = eye;
  }
  return place;
}

static lwi_eye *find_or_add(lwi_depth_cache *cache, lw_vec3 at, bool soft) {
  const int found = find_at(cache, at, soft);
  if (found >= 0) return &cache->items[found];
  lwi_eye added = {.at = at, .soft = soft, .map = -1, .began = cache->steps, .since = cache->steps};
  lwi_eye *eye = find_mover(cache, at, soft);
  if (eye) {
    added.asked = eye->asked;
    added.began = eye->began;
  } else {
    eye = add_eye(cache);
  }
  *eye = added;
  return eye;
}

/* The eye whose map answers for an eye without one: the nearest within reach, drawn where the eye sees.
   @return -1: none. */
static int find_near(const lwi_depth_cache *cache, lw_vec3 at, bool soft) {
  float best = LWI_EYE_REACH * LWI_EYE_REACH;
  int near = -1;
  for (int i = 0; i < cache->count; i++) {
    const lwi_eye *eye = &cache->items[i];
    if (eye->map < 0 || eye->soft != soft || !(distance2(eye, at) < best)) continue;
    if (!lwi_sets_see(cache->scene.sets, cache->scene.count, at, eye->at, soft)) continue;
    best = distance2(eye, at);
    near = i;
  }
  return near;
}

/* --- asking ----------------------------------------------------------------------------------------------- */

void lwi_depth_asks_init(lwi_depth_asks *asks, const lwi_depth_cache *cache, lwi_memory *memory) {
  *asks = (lwi_depth_asks){.memory = memory};
  lwi_own_maps_init(&asks->fast, cache->map_limit, cache->scene.sets, cache->scene.count, memory);
}

void lwi_depth_asks_free(lwi_depth_asks *asks) {
  lwi_free(asks->memory, asks->items, (size_t)asks->capacity * sizeof *asks->items);
  lwi_free(asks->memory, asks->slots, asks->slot_count * sizeof *asks->slots);
  lwi_own_maps_free(&asks->fast);
  *asks = (lwi_depth_asks){0};
}

static uint32_t slot_of(const lwi_depth_asks *asks, lw_vec3 at, bool soft) {
  const float place[] = {at.x + 0, at.y + 0, at.z + 0}; /* -0 is 0 */
  return (uint32_t)lwi_hash(soft, place, sizeof place) & (asks->slot_count - 1);
}

static void enter(lwi_depth_asks *asks, int item) {
  uint32_t slot = slot_of(asks, asks->items[item].at, asks->items[item].soft);
  while (asks->slots[slot] != 0) slot = (slot + 1) & (asks->slot_count - 1);
  asks->slots[slot] = (uint32_t)item + 1;
}

/* @return The item of that place, or -1. */
static int find_ask(const lwi_depth_asks *asks, lw_vec3 at, bool soft) {
  if (asks->count == 0) return -1;
  for (uint32_t slot = slot_of(asks, at, soft); asks->slots[slot] != 0;
       slot = (slot + 1) & (asks->slot_count - 1)) {
    const lwi_depth_ask *ask = &asks->items[asks->slots[slot] - 1];
    if (lwi_equal(ask->at, at) && ask->soft == soft) return (int)asks->slots[slot] - 1;
  }
  return -1;
}

/* The same item as last time, or the next one, where several threats are asked about in turn. @return -1: neither. */
static int guess_ask(const lwi_depth_asks *asks, lw_vec3 at, bool soft) {
  const int guesses[] = {asks->recent, asks->recent + 1 < asks->count ? asks->recent + 1 : 0};
  for (int i = 0; i < 2; i++) {
    if (guesses[i] >= asks->count) continue;
    const lwi_depth_ask *ask = &asks->items[guesses[i]];
    if (lwi_equal(ask->at, at) && ask->soft == soft) return guesses[i];
  }
  return -1;
}

/* Keep at least twice as many slots as items. @return false: out of memory. */
static bool grow_asks(lwi_depth_asks *asks) {
  if (!lwi_reserve(asks->memory, &asks->items, &asks->capacity, asks->count + 1, sizeof *asks->items))
    return false;
  if (2 * (uint32_t)asks->capacity <= asks->slot_count) return true;
  uint32_t count = 32;
  while (count < 2 * (uint32_t)asks->capacity) count *= 2;
  uint32_t *slots = lwi_alloc_zero(asks->memory, count * sizeof *slots);
  if (!slots) return false;
  lwi_free(asks->memory, asks->slots, asks->slot_count * sizeof *asks->slots);
  asks->slots = slots;
  asks->slot_count = count;
  for (int i = 0; i < asks->count; i++) enter(asks, i);
  return true;
}

/* The asker's item for that place, created if missing. @return NULL: out of memory. */
static lwi_depth_ask *find_or_add_ask(const lwi_depth_cache *cache, lwi_depth_asks *asks, lw_vec3 at,
                                      bool soft) {
  int item = guess_ask(asks, at, soft);
  if (item < 0) item = find_ask(asks, at, soft);
  if (item < 0) {
    if (!grow_asks(asks)) return NULL;
    item = asks->count++;
    const int own = find_at(cache, at, soft);
    const bool has_map = own >= 0 && cache->items[own].map >= 0;
    asks->items[item] =
        (lwi_depth_ask){.at = at, .soft = soft, .eye = has_map ? own : find_near(cache, at, soft)};
    enter(asks, item);
  }
  asks->recent = item;
  return &asks->items[item];
}

/* Answer by the eye's own map, or by one of the asker's at that exact place. @return false: out of memory. */
static bool answer_fast(const lwi_depth_cache *cache, lwi_depth_asks *asks, const lwi_depth_ask *ask,
                        lwi_depth_answer *answer) {
  if (ask->eye >= 0 && is_at(&cache->items[ask->eye], ask->at, ask->soft)) {
    *answer = (lwi_depth_answer){cache->maps[cache->items[ask->eye].map], &cache->scene};
    return true;
  }
  *answer = (lwi_depth_answer){lwi_own_maps_get(&asks->fast, ask->at, ask->soft), &asks->fast.scene};
  return answer->map != NULL;
}

bool lwi_depth_ask_about(const lwi_depth_cache *cache, lwi_depth_asks *asks, lw_vec3 at, bool soft,
                         lw_accuracy accuracy, lwi_depth_answer *answer) {
  *answer = (lwi_depth_answer){NULL, &cache->scene};
  if (accuracy == LW_ACCURACY_EXACT || cache->map_limit == 0) return true;
  lwi_depth_ask *ask = find_or_add_ask(cache, asks, at, soft);
  if (!ask) return false;
  ask->count += ask->count < UINT32_MAX;
  if (accuracy == LW_ACCURACY_FAST) return answer_fast(cache, asks, ask, answer);
  if (ask->eye >= 0) answer->map = cache->maps[cache->items[ask->eye].map];
  return true;
}

/* --- maps ------------------------------------------------------------------------------------------------- */

/* @return A map without an eye, or -1: out of memory. */
static int add_map(lwi_depth_cache *cache) {
  lwi_memory *memory = cache->memory;
  if (!cache->maps) cache->maps = lwi_alloc_zero(memory, (size_t)cache->map_limit * sizeof *cache->maps);
  if (!cache->scene.scratch) cache->scene.scratch = lwi_alloc(memory, lwi_depth_scratch_size());
  if (!cache->maps || !cache->scene.scratch) return -1;
  lwi_depth_map *map = lwi_alloc(memory, sizeof *map);
  if (!map) return -1;
  cache->maps[cache->map_count] = map;
  return cache->map_count++;
}

/* The eye with a map that was not asked about for longest. */
static lwi_eye *find_idle(lwi_depth_cache *cache) {
  lwi_eye *idle = NULL;
  for (int i = 0; i < cache->count; i++)
    if (cache->items[i].map >= 0 && (!idle || cache->items[i].last_ask < idle->last_ask))
      idle = &cache->items[i];
  return idle;
}

/* Draw a map again at the eye's place. */
static void place_map(lwi_depth_cache *cache, lwi_eye *eye, int map) {
  eye->map = map;
  lwi_depth_map_begin(cache->maps[map], eye->at, eye->soft);
}

static void move_map(lwi_depth_cache *cache, lwi_eye *from, lwi_eye *to) {
  const int map = from->map;
  from->map = -1;
  from->asked = 0;
  from->began = cache->steps;
  place_map(cache, to, map);
}

/* @return false: out of memory. */
static bool give_map(lwi_depth_cache *cache, lwi_eye *eye) {
  if (cache->map_count == cache->map_limit) {
    move_map(cache, find_idle(cache), eye);
    return true;
  }
  const int map = add_map(cache);
  if (map >= 0) place_map(cache, eye, map);
  return map >= 0;
}

/* --- counting --------------------------------------------------------------------------------------------- */

static bool is_before(const lwi_depth_ask *a, const lwi_depth_ask *b) {
  if (a->at.x != b->at.x) return a->at.x < b->at.x;
  if (a->at.y != b->at.y) return a->at.y < b->at.y;
  if (a->at.z != b->at.z) return a->at.z < b->at.z;
  return a->soft < b->soft;
}

/* Shell's sort (1959) with Knuth's gaps: in place. */
void lwi_depth_asks_sort(lwi_depth_asks *asks) {
  lwi_depth_ask *items = asks->items;
  const int count = asks->count;
  int gap = 1;
  while (gap < count / 3) gap = 3 * gap + 1;
  for (; gap > 0; gap /= 3) {
    for (int i = gap; i < count; i++) {
      const lwi_depth_ask item = items[i];
      int at = i;
      for (; at >= gap && is_before(&item, &items[at - gap]); at -= gap) items[at] = items[at - gap];
      items[at] = item;
    }
  }
}

void lwi_depth_asks_clear(lwi_depth_asks *asks) {
  if (asks->count > 0) memset(asks->slots, 0, asks->slot_count * sizeof *asks->slots);
  asks->count = asks->recent = 0;
}

static void add_count(lwi_depth_ask *to, uint32_t count) {
  const uint32_t left = UINT32_MAX - to->count;
  to->count += count < left ? count : left;
}

bool lwi_depth_asks_add(lwi_depth_asks *to, const lwi_depth_asks *from) {
  for (int i = 0; i < from->count; i++) {
    const lwi_depth_ask *ask = &from->items[i];
    const int item = find_ask(to, ask->at, ask->soft);
    if (item >= 0) {
      add_count(&to->items[item], ask->count);
      continue;
    }
    if (!grow_asks(to)) return false;
    to->items[to->count] = *ask;
    enter(to, to->count++);
  }
  return true;
}

bool lwi_depth_asks_put(lwi_depth_asks *asks, const lwi_depth_cache *cache, const lwi_depth_ask *ask) {
  if (cache->map_limit == 0) return true;
  lwi_depth_ask *item = find_or_add_ask(cache, asks, ask->at, ask->soft);
  if (item) add_count(item, ask->count);
  return item != NULL;
}

static void count_ask(lwi_depth_cache *cache, const lwi_depth_ask *ask) {
  lwi_eye *eye = find_or_add(cache, ask->at, ask->soft);
  cache->asks += ask->count;
  eye->last_ask = cache->asks;
  eye->last_step = eye->last_here = cache->steps;
  if (eye->map >= 0) return;
  eye->asked = ask->count < UINT32_MAX - eye->asked ? eye->asked + ask->count : UINT32_MAX;
  if (ask->eye < 0) return;
  cache->items[ask->eye].last_ask = cache->asks;
  cache->items[ask->eye].last_step = cache->steps;
}

void lwi_depth_cache_count(lwi_depth_cache *cache, lwi_depth_asks *asks) {
  lwi_depth_asks_sort(asks);
  for (int i = 0; i < asks->count; i++) count_ask(cache, &asks->items[i]);
  lwi_depth_asks_clear(asks);
}

/* --- between steps ---------------------------------------------------------------------------------------- */

/* Was the eye asked about in the last step? */
static bool was_asked(const lwi_depth_cache *cache, uint64_t last) {
  return last + 1 >= cache->steps;
}

/* The nearest map left behind by an eye: no question was asked about its place. */
static lwi_eye *find_left(lwi_depth_cache *cache, const lwi_eye *by) {
  lwi_eye *found = NULL;
  float best = 4 * LWI_EYE_REACH * LWI_EYE_REACH;
  for (int i = 0; i < cache->count; i++) {
    lwi_eye *eye = &cache->items[i];
    if (eye->map < 0 || eye->soft != by->soft || was_asked(cache, eye->last_step)) continue;
    if (!(distance2(eye, by->at) < best)) continue;
    best = distance2(eye, by->at);
    found = eye;
  }
  return found;
}

/* @return false: out of memory. */
static bool settle(lwi_depth_cache *cache, lwi_eye *eye) {
  const bool rests = eye->since + LWI_EYE_STILL <= cache->steps || eye->began + LWI_EYE_REST <= cache->steps;
  const int nearest = find_near(cache, eye->at, eye->soft);
  lwi_eye *near = nearest >= 0 ? &cache->items[nearest] : NULL, *left = find_left(cache, eye);
  if (near && !rests) return true;
  if (near && !was_asked(cache, near->last_here)) {
    move_map(cache, near, eye);
    return true;
  }
  if (eye->asked < LWI_EYE_BREAK_EVEN) return true;
  if (left) {
    move_map(cache, left, eye);
    return true;
  }
  const lwi_eye *idle = cache->map_count < cache->map_limit ? NULL : find_idle(cache);
  if (idle && idle->last_step + LWI_EYE_REST >= cache->steps) return true; /* all eyes with maps are busy */
  return give_map(cache, eye);
}

bool lwi_depth_cache_settle(lwi_depth_cache *cache) {
  cache->steps += 1;
  for (int i = 0; i < cache->count; i++) {
    lwi_eye *eye = &cache->items[i];
    if (eye->map < 0 && was_asked(cache, eye->last_step) && !settle(cache, eye)) return false;
  }
  return true;
}

bool lwi_depth_cache_restore(lwi_depth_cache *cache, const lwi_depth_cache *from) {
  lwi_depth_cache_free(cache);
  if (from->map_count > cache->map_limit) return true;
  while (cache->map_count < from->map_count)
    if (add_map(cache) < 0) return false;
  cache->asks = from->asks;
  cache->steps = from->steps;
  cache->count = from->count;
  for (int i = 0; i < from->count; i++) {
    const lwi_eye *eye = &from->items[i];
    cache->items[i] = *eye;
    if (eye->map >= 0) lwi_depth_map_begin(cache->maps[eye->map], eye->at, eye->soft);
  }
  return true;
}

/* Field by field, because structs have padding. A map's contents follow from where it was drawn. */
uint64_t lwi_depth_cache_hash(const lwi_depth_cache *cache, uint64_t hash) {
  const uint64_t counts[] = {cache->asks, cache->steps, (uint64_t)cache->count};
  if (cache->asks == 0) return hash;
  hash = lwi_hash(hash, counts, sizeof counts);
  for (int i = 0; i < cache->count; i++) {
    const lwi_eye *eye = &cache->items[i];
    const uint64_t words[] = {(uint64_t)eye->soft, (uint64_t)eye->map, eye->asked,    eye->last_ask,
                              eye->last_step,      eye->since,         eye->last_here};
    hash = lwi_hash(lwi_hash(hash, &eye->at, sizeof eye->at), words, sizeof words);
  }
  return hash;
}
