#include "cover/eyes.h"

#include "core/hash.h"
#include "core/vec3.h"

void lwi_eyes_init(lwi_eyes *eyes, int map_limit, const lwi_occluders *const *sets, int count,
                   lwi_memory *memory) {
  *eyes = (lwi_eyes){.memory = memory, .scene = {.sets = sets, .count = count}, .map_limit = map_limit};
}

void lwi_eyes_free(lwi_eyes *eyes) {
  for (int i = 0; i < eyes->map_count; i++) lwi_free(eyes->memory, eyes->maps[i], sizeof **eyes->maps);
  lwi_free(eyes->memory, eyes->maps, (size_t)eyes->map_limit * sizeof *eyes->maps);
  lwi_free(eyes->memory, eyes->scene.room, lwi_depth_room_size());
  eyes->maps = NULL;
  eyes->scene.room = NULL;
  eyes->count = eyes->map_count = 0;
  eyes->asks = eyes->steps = 0;
}

/* --- finding ------------------------------------------------------------------------------------------------------- */

/* The nearest eye within reach. @return NULL: none. */
static lwi_eye *find_eye(lwi_eyes *eyes, lw_vec3 at, bool soft) {
  lwi_eye *found = NULL;
  float best = LWI_EYE_REACH * LWI_EYE_REACH;
  for (int i = 0; i < eyes->count; i++) {
    lwi_eye *eye = &eyes->items[i];
    lw_vec3 off = lwi_sub(at, eye->at);
    float apart2 = lwi_dot(off, off);
    if (!(apart2 < best) || eye->soft != soft) continue;
    best = apart2;
    found = eye;
    if (apart2 == 0) break;
  }
  return found;
}

/* A place for one more: that of the one without a map that was not asked about for longest, if all are taken. */
static lwi_eye *add_eye(lwi_eyes *eyes, lw_vec3 at, bool soft) {
  lwi_eye *place = NULL;
  if (eyes->count < LWI_EYES_MAX) {
    place = &eyes->items[eyes->count++];
  } else {
    for (int i = 0; i < eyes->count; i++) {
      lwi_eye *eye = &eyes->items[i];
      if (eye->map < 0 && (!place || eye->last_ask < place->last_ask)) place = eye;
    }
  }
  *place = (lwi_eye){.at = at, .soft = soft, .map = -1};
  return place;
}

/* --- maps ---------------------------------------------------------------------------------------------------------- */

/* @return A map that nobody has, or -1: no memory. */
static int add_map(lwi_eyes *eyes) {
  lwi_memory *memory = eyes->memory;
  if (!eyes->maps) eyes->maps = lwi_alloc_zero(memory, (size_t)eyes->map_limit * sizeof *eyes->maps);
  if (!eyes->scene.room) eyes->scene.room = lwi_alloc(memory, lwi_depth_room_size());
  if (!eyes->maps || !eyes->scene.room) return -1;
  lwi_depth_map *map = lwi_alloc(memory, sizeof *map);
  if (!map) return -1;
  eyes->maps[eyes->map_count] = map;
  return eyes->map_count++;
}

/* The one with a map that was not asked about for longest. */
static lwi_eye *find_idle(lwi_eyes *eyes) {
  lwi_eye *idle = NULL;
  for (int i = 0; i < eyes->count; i++)
    if (eyes->items[i].map >= 0 && (!idle || eyes->items[i].last_ask < idle->last_ask)) idle = &eyes->items[i];
  return idle;
}

/* @return false: no memory. */
static bool give_map(lwi_eyes *eyes, lwi_eye *eye) {
  int map;
  if (eyes->map_count < eyes->map_limit) {
    map = add_map(eyes);
    if (map < 0) return false;
  } else {
    lwi_eye *idle = find_idle(eyes);
    map = idle->map;
    idle->map = -1;
    idle->asked = 0;
  }
  eye->map = map;
  lwi_depth_map_begin(eyes->maps[map], eye->at, eye->soft);
  return true;
}

bool lwi_eyes_ask(lwi_eyes *eyes, lw_vec3 at, bool soft, lw_accuracy accuracy, lwi_depth_map **map) {
  *map = NULL;
  if (accuracy == LW_ACCURACY_EXACT || eyes->map_limit == 0) return true;
  lwi_eye *eye = find_eye(eyes, at, soft);
  if (!eye) eye = add_eye(eyes, at, soft);
  eye->last_ask = ++eyes->asks;
  eye->last_step = eyes->steps;
  if (eye->map < 0) {
    eye->at = at;
    eye->asked += eye->asked < UINT32_MAX;
    if (accuracy == LW_ACCURACY_FAST && !give_map(eyes, eye)) return false;
    eye->fresh = true;
  }
  if (eye->map >= 0 && (accuracy == LW_ACCURACY_FAST || !eye->fresh)) *map = eyes->maps[eye->map];
  return true;
}

bool lwi_eyes_settle(lwi_eyes *eyes) {
  eyes->steps += 1;
  for (int i = 0; i < eyes->count; i++) eyes->items[i].fresh = false;
  for (int i = 0; i < eyes->count; i++) {
    lwi_eye *eye = &eyes->items[i];
    if (eye->map >= 0 || eye->asked < LWI_EYE_BREAK_EVEN || eye->last_step + 1 < eyes->steps) continue;
    const lwi_eye *idle = eyes->map_count < eyes->map_limit ? NULL : find_idle(eyes);
    if (idle && idle->last_step + LWI_EYE_REST >= eyes->steps) return true; /* all are busy */
    if (!give_map(eyes, eye)) return false;
  }
  return true;
}

bool lwi_eyes_put_back(lwi_eyes *eyes, const lwi_eyes *from) {
  lwi_eyes_free(eyes);
  if (from->map_count > eyes->map_limit) return true;
  while (eyes->map_count < from->map_count)
    if (add_map(eyes) < 0) return false;
  eyes->asks = from->asks;
  eyes->steps = from->steps;
  eyes->count = from->count;
  for (int i = 0; i < from->count; i++) {
    const lwi_eye *eye = &from->items[i];
    eyes->items[i] = *eye;
    if (eye->map >= 0) lwi_depth_map_begin(eyes->maps[eye->map], eye->at, eye->soft);
  }
  return true;
}

/* Field by field: structs have gaps. What a map shows follows from where it was made. */
uint64_t lwi_eyes_hash(const lwi_eyes *eyes, uint64_t hash) {
  const uint64_t counts[] = {eyes->asks, eyes->steps, (uint64_t)eyes->count};
  if (eyes->asks == 0) return hash;
  hash = lwi_hash(hash, counts, sizeof counts);
  for (int i = 0; i < eyes->count; i++) {
    const lwi_eye *eye = &eyes->items[i];
    const uint64_t words[] = {(uint64_t)eye->soft | (uint64_t)eye->fresh << 1, (uint64_t)eye->map, eye->asked,
                              eye->last_ask, eye->last_step};
    hash = lwi_hash(lwi_hash(hash, &eye->at, sizeof eye->at), words, sizeof words);
  }
  return hash;
}
