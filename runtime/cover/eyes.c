#include "cover/eyes.h"

#include "core/hash.h"
#include "core/vec3.h"

void lwi_eyes_init(lwi_eyes *eyes, int map_limit, const lwi_occluders *const *sets, int count,
                   lwi_memory *memory) {
  *eyes =
      (lwi_eyes){.memory = memory, .scene = {.sets = sets, .count = count}, .map_limit = map_limit, .state = 1};
}

void lwi_eyes_free(lwi_eyes *eyes) {
  for (int i = 0; i < eyes->map_count; i++) lwi_free(eyes->memory, eyes->maps[i], sizeof **eyes->maps);
  lwi_free(eyes->memory, eyes->maps, (size_t)eyes->map_limit * sizeof *eyes->maps);
  lwi_free(eyes->memory, eyes->scene.room, lwi_depth_room_size());
  eyes->maps = NULL;
  eyes->scene.room = NULL;
  eyes->count = eyes->map_count = eyes->recent = 0;
  eyes->asks = eyes->steps = 0;
}

/* --- finding ------------------------------------------------------------------------------------------------------- */

static bool is_there(const lwi_eye *eye, lw_vec3 at, bool soft) {
  return lwi_equal(eye->at, at) && eye->soft == soft;
}

/* The eye at that very place. @return NULL: none. */
static lwi_eye *find_there(lwi_eyes *eyes, lw_vec3 at, bool soft) {
  if (eyes->recent < eyes->count && is_there(&eyes->items[eyes->recent], at, soft))
    return &eyes->items[eyes->recent];
  for (int i = 0; i < eyes->count; i++)
    if (is_there(&eyes->items[i], at, soft)) return &eyes->items[i];
  return NULL;
}

static float apart2(const lwi_eye *eye, lw_vec3 at) {
  const lw_vec3 off = lwi_sub(at, eye->at);
  return lwi_dot(off, off);
}

/* The nearest eye without a map that is within reach and was not asked about in this step: it has moved here. NULL: none. */
static lwi_eye *find_mover(lwi_eyes *eyes, lw_vec3 at, bool soft) {
  lwi_eye *found = NULL;
  float best = LWI_EYE_REACH * LWI_EYE_REACH;
  for (int i = 0; i < eyes->count; i++) {
    lwi_eye *eye = &eyes->items[i];
    if (eye->map >= 0 || eye->soft != soft || eye->last_step == eyes->steps || !(apart2(eye, at) < best))
      continue;
    best = apart2(eye, at);
    found = eye;
  }
  return found;
}

/* A place for one more: that of the one without a map that was not asked about for longest, if all are taken. */
static lwi_eye *add_eye(lwi_eyes *eyes) {
  lwi_eye *place = NULL;
  if (eyes->count < LWI_EYES_MAX) return &eyes->items[eyes->count++];
  for (int i = 0; i < eyes->count; i++) {
    lwi_eye *eye = &eyes->items[i];
    if (eye->map < 0 && (!place || eye->last_ask < place->last_ask)) place = eye;
  }
  return place;
}

static lwi_eye *find_or_add(lwi_eyes *eyes, lw_vec3 at, bool soft) {
  lwi_eye *eye = find_there(eyes, at, soft);
  if (!eye) {
    lwi_eye fresh = {.at = at, .soft = soft, .map = -1, .began = eyes->steps, .since = eyes->steps, .near = -1};
    eye = find_mover(eyes, at, soft);
    if (eye) {
      fresh.asked = eye->asked;
      fresh.began = eye->began;
    } else {
      eye = add_eye(eyes);
    }
    *eye = fresh;
  }
  eyes->recent = (int)(eye - eyes->items);
  return eye;
}

/* Whose map answers for an eye without one: the nearest within reach that was drawn where it sees. @return NULL: nobody's. */
static lwi_eye *find_near(lwi_eyes *eyes, lwi_eye *of) {
  if (of->near_state == eyes->state) return of->near >= 0 ? &eyes->items[of->near] : NULL;
  float best = LWI_EYE_REACH * LWI_EYE_REACH;
  of->near = -1;
  of->near_state = eyes->state;
  for (int i = 0; i < eyes->count; i++) {
    const lwi_eye *eye = &eyes->items[i];
    if (eye == of || eye->map < 0 || eye->fresh || eye->soft != of->soft || !(apart2(eye, of->at) < best))
      continue;
    if (!lwi_sets_see(eyes->scene.sets, eyes->scene.count, of->at, eye->at, of->soft)) continue;
    best = apart2(eye, of->at);
    of->near = i;
  }
  return of->near >= 0 ? &eyes->items[of->near] : NULL;
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

/* Draw a map anew where an eye is. */
static void place_map(lwi_eyes *eyes, lwi_eye *eye, int map) {
  eye->map = map;
  eyes->state += 1;
  lwi_depth_map_begin(eyes->maps[map], eye->at, eye->soft);
}

static void move_map(lwi_eyes *eyes, lwi_eye *from, lwi_eye *to) {
  const int map = from->map;
  from->map = -1;
  from->asked = 0;
  from->began = eyes->steps;
  place_map(eyes, to, map);
}

/* @return false: no memory. */
static bool give_map(lwi_eyes *eyes, lwi_eye *eye) {
  if (eyes->map_count == eyes->map_limit) {
    move_map(eyes, find_idle(eyes), eye);
    return true;
  }
  const int map = add_map(eyes);
  if (map >= 0) place_map(eyes, eye, map);
  return map >= 0;
}

bool lwi_eyes_ask(lwi_eyes *eyes, lw_vec3 at, bool soft, lw_accuracy accuracy, lwi_depth_map **map) {
  *map = NULL;
  if (accuracy == LW_ACCURACY_EXACT || eyes->map_limit == 0) return true;
  lwi_eye *eye = find_or_add(eyes, at, soft);
  eye->last_ask = ++eyes->asks;
  eye->last_step = eye->there = eyes->steps;
  if (eye->map < 0) eye->asked += eye->asked < UINT32_MAX;
  if (accuracy == LW_ACCURACY_FAST) {
    if (eye->map < 0) {
      if (!give_map(eyes, eye)) return false;
      eye->fresh = true;
    }
  } else if (eye->map < 0 || eye->fresh) {
    eye = find_near(eyes, eye);
    if (!eye) return true;
    eye->last_ask = eyes->asks;
    eye->last_step = eyes->steps;
  }
  *map = eyes->maps[eye->map];
  return true;
}

/* --- between steps ------------------------------------------------------------------------------------------------- */

/* Was it asked about in the step that is over? */
static bool was_asked(const lwi_eyes *eyes, uint64_t last) {
  return last + 1 >= eyes->steps;
}

/* The nearest map that an eye may have left behind: nobody was asked about there. */
static lwi_eye *find_left(lwi_eyes *eyes, const lwi_eye *by) {
  lwi_eye *found = NULL;
  float best = 4 * LWI_EYE_REACH * LWI_EYE_REACH;
  for (int i = 0; i < eyes->count; i++) {
    lwi_eye *eye = &eyes->items[i];
    if (eye->map < 0 || eye->soft != by->soft || was_asked(eyes, eye->last_step)) continue;
    if (!(apart2(eye, by->at) < best)) continue;
    best = apart2(eye, by->at);
    found = eye;
  }
  return found;
}

/* @return false: no memory. */
static bool settle(lwi_eyes *eyes, lwi_eye *eye) {
  const bool rests = eye->since + LWI_EYE_STILL <= eyes->steps || eye->began + LWI_EYE_REST <= eyes->steps;
  lwi_eye *near = find_near(eyes, eye), *left = find_left(eyes, eye);
  if (near && !rests) return true;
  if (near && !was_asked(eyes, near->there)) {
    move_map(eyes, near, eye);
    return true;
  }
  if (eye->asked < LWI_EYE_BREAK_EVEN) return true;
  if (left) {
    move_map(eyes, left, eye);
    return true;
  }
  const lwi_eye *idle = eyes->map_count < eyes->map_limit ? NULL : find_idle(eyes);
  if (idle && idle->last_step + LWI_EYE_REST >= eyes->steps) return true; /* all are busy */
  return give_map(eyes, eye);
}

bool lwi_eyes_settle(lwi_eyes *eyes) {
  eyes->steps += 1;
  eyes->state += 1;
  for (int i = 0; i < eyes->count; i++) eyes->items[i].fresh = false;
  for (int i = 0; i < eyes->count; i++) {
    lwi_eye *eye = &eyes->items[i];
    if (eye->map < 0 && was_asked(eyes, eye->last_step) && !settle(eyes, eye)) return false;
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
    eyes->items[i].near_state = 0;
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
    const uint64_t words[] = {(uint64_t)eye->soft | (uint64_t)eye->fresh << 1,
                              (uint64_t)eye->map,
                              eye->asked,
                              eye->last_ask,
                              eye->last_step,
                              eye->since,
                              eye->there};
    hash = lwi_hash(lwi_hash(hash, &eye->at, sizeof eye->at), words, sizeof words);
  }
  return hash;
}
