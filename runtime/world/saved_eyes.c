/* The eyes in a world's file: so what "auto" answers by does not change when it is loaded. */
#include "world/saved.h"

void lwi_saved_put_eyes(lwi_bytes *to, const lw_world *world) {
  for (int k = 0; k < 2; k++) {
    const lwi_eyes *eyes = &world->eyes[k];
    lwi_put_u64(to, eyes->asks);
    lwi_put_u64(to, eyes->steps);
    lwi_put_u32(to, (uint32_t)eyes->count);
    for (int i = 0; i < eyes->count; i++) {
      const lwi_eye *eye = &eyes->items[i];
      lwi_put_vec3(to, eye->at);
      lwi_put_u32(to, (uint32_t)eye->soft | (uint32_t)eye->fresh << 1);
      lwi_put_u32(to, (uint32_t)(eye->map + 1));
      lwi_put_u32(to, eye->asked);
      lwi_put_u64(to, eye->last_ask);
      lwi_put_u64(to, eye->last_step);
      lwi_put_u64(to, eye->began);
      lwi_put_u64(to, eye->since);
      lwi_put_u64(to, eye->there);
    }
  }
}

/* Each map has one eye. */
static bool has_map(const lwi_eyes *eyes, int map) {
  int found = 0;
  for (int i = 0; i < eyes->count; i++) found += eyes->items[i].map == map;
  return found == 1;
}

static const char *read_eye(lwi_eyes *eyes, lwi_reader *from) {
  lwi_eye eye = {.at = lwi_get_vec3(from)};
  uint32_t flags = lwi_get_u32(from), map = lwi_get_u32(from);
  eye.asked = lwi_get_u32(from);
  eye.last_ask = lwi_get_u64(from);
  eye.last_step = lwi_get_u64(from);
  eye.began = lwi_get_u64(from);
  eye.since = lwi_get_u64(from);
  eye.there = lwi_get_u64(from);
  if (from->failed) return NULL;
  if (!lwi_finite(eye.at) || flags > 3 || map > LWI_EYE_MAPS_MAX || eye.last_ask > eyes->asks ||
      eye.last_step > eyes->steps || eye.began > eyes->steps || eye.since > eyes->steps ||
      eye.there > eyes->steps)
    return "one is none";
  eye.soft = flags & 1;
  eye.fresh = flags >> 1 & 1;
  eye.map = (int)map - 1;
  eyes->map_count += map > 0;
  eyes->items[eyes->count++] = eye;
  return NULL;
}

const char *lwi_saved_read_eyes(lw_saved *saved, lwi_reader *from) {
  for (int k = 0; k < 2; k++) {
    lwi_eyes *eyes = &saved->eyes[k];
    const char *wrong = NULL;
    eyes->asks = lwi_get_u64(from);
    eyes->steps = lwi_get_u64(from);
    uint32_t count = lwi_get_u32(from);
    if (count > LWI_EYES_MAX) return "there are too many";
    for (uint32_t i = 0; i < count && !from->failed && !wrong; i++) wrong = read_eye(eyes, from);
    if (wrong || from->failed) return wrong;
    if (eyes->map_count > LWI_EYE_MAPS_MAX) return "they have too many maps";
    for (int map = 0; map < eyes->map_count; map++)
      if (!has_map(eyes, map)) return "their maps are not one each";
  }
  return NULL;
}
