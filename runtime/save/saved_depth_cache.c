/* The depth caches in a world's file, and what was asked since the last step: so what "auto" answers by is the same
   when it is loaded, and does not change when it is saved. */
#include "save/saved.h"

void lwi_saved_put_depth_caches(lwi_bytes *to, const lw_world *world) {
  for (int k = 0; k < 2; k++) {
    const lwi_depth_cache *cache = &world->scene.sight.caches[k];
    lwi_put_u64(to, cache->asks);
    lwi_put_u64(to, cache->steps);
    lwi_put_u32(to, (uint32_t)cache->count);
    for (int i = 0; i < cache->count; i++) {
      const lwi_eye *eye = &cache->items[i];
      lwi_put_vec3(to, eye->at);
      lwi_put_u32(to, (uint32_t)eye->soft);
      lwi_put_u32(to, (uint32_t)(eye->map + 1));
      lwi_put_u32(to, eye->asked);
      lwi_put_u64(to, eye->last_ask);
      lwi_put_u64(to, eye->last_step);
      lwi_put_u64(to, eye->began);
      lwi_put_u64(to, eye->since);
      lwi_put_u64(to, eye->last_here);
    }
  }
}

/* Each map has one eye. */
static bool has_map(const lwi_depth_cache *cache, int map) {
  int found = 0;
  for (int i = 0; i < cache->count; i++) found += cache->items[i].map == map;
  return found == 1;
}

static const char *read_eye(lwi_depth_cache *cache, lwi_reader *from) {
  lwi_eye eye = {.at = lwi_get_vec3(from)};
  uint32_t flags = lwi_get_u32(from), map = lwi_get_u32(from);
  eye.asked = lwi_get_u32(from);
  eye.last_ask = lwi_get_u64(from);
  eye.last_step = lwi_get_u64(from);
  eye.began = lwi_get_u64(from);
  eye.since = lwi_get_u64(from);
  eye.last_here = lwi_get_u64(from);
  if (from->failed) return NULL;
  if (!lwi_finite(eye.at) || flags > 1 || map > LWI_EYE_MAPS_MAX || eye.last_ask > cache->asks ||
      eye.last_step > cache->steps || eye.began > cache->steps || eye.since > cache->steps ||
      eye.last_here > cache->steps)
    return "a number is out of range";
  eye.soft = flags & 1;
  eye.map = (int)map - 1;
  cache->map_count += map > 0;
  cache->items[cache->count++] = eye;
  return NULL;
}

const char *lwi_saved_read_depth_caches(lw_saved *saved, lwi_reader *from) {
  for (int k = 0; k < 2; k++) {
    lwi_depth_cache *cache = &saved->depth_caches[k];
    const char *wrong = NULL;
    cache->asks = lwi_get_u64(from);
    cache->steps = lwi_get_u64(from);
    uint32_t count = lwi_get_u32(from);
    if (cache->asks > LWI_SAVED_COUNT_MAX || cache->steps > LWI_SAVED_COUNT_MAX)
      return "a count is out of range";
    if (count > LWI_DEPTH_CACHE_MAX) return "there are too many";
    for (uint32_t i = 0; i < count && !from->failed && !wrong; i++) wrong = read_eye(cache, from);
    if (wrong || from->failed) return wrong;
    if (cache->map_count > LWI_EYE_MAPS_MAX) return "they have too many maps";
    for (int map = 0; map < cache->map_count; map++)
      if (!has_map(cache, map)) return "their maps are not one each";
  }
  return NULL;
}

void lwi_saved_put_asks(lwi_bytes *to, const lw_world *world) {
  lwi_memory memory = lwi_memory_make(&world->scene.allocator);
  lwi_depth_asks all;
  lwi_depth_asks_init(&all, &world->scene.sight.caches[0], &memory);
  if (!lwi_workspaces_add_asks(&world->scene, &all)) to->failed = true;
  lwi_depth_asks_sort(&all);
  lwi_put_u32(to, (uint32_t)all.count);
  for (int i = 0; i < all.count; i++) {
    lwi_put_vec3(to, all.items[i].at);
    lwi_put_u32(to, (uint32_t)all.items[i].soft);
    lwi_put_u32(to, all.items[i].count);
  }
  lwi_depth_asks_free(&all);
}

const char *lwi_saved_read_asks(lw_saved *saved, lwi_reader *from) {
  const uint32_t count = lwi_get_u32(from);
  for (uint32_t i = 0; i < count; i++) {
    lwi_depth_ask ask = {.at = lwi_get_vec3(from)};
    const uint32_t flags = lwi_get_u32(from);
    ask.soft = flags & 1;
    ask.count = lwi_get_u32(from);
    if (from->failed) return NULL;
    if (!lwi_finite(ask.at) || flags > 1) return "a number is out of range";
    if (!lwi_reserve(&saved->memory, &saved->asks.items, &saved->asks.capacity, saved->asks.count + 1,
                     sizeof ask))
      return "";
    saved->asks.items[saved->asks.count++] = ask;
  }
  return NULL;
}

bool lwi_saved_restore_depth_caches(lw_world *world, const lw_saved *saved) {
  lwi_scene *scene = &world->scene;
  lwi_workspaces_forget(scene); /* they name eyes of the caches of before */
  for (int i = 0; i < 2; i++)
    if (!lwi_depth_cache_restore(&scene->sight.caches[i], &saved->depth_caches[i])) return false;
  for (int i = 0; i < saved->asks.count; i++)
    if (!lwi_depth_asks_put(&scene->own->asks[0], &scene->sight.caches[0], &saved->asks.items[i])) return false;
  return true;
}
