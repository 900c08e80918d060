#include "slab_scene.h"
#include "bake/occluder_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

float slab_between(lw_random *random, float low, float high) {
  return low + (high - low) * lwi_random_unit(random);
}

void slab_add(slab_scene *s, lw_vec3 corner, lw_vec3 side, lw_vec3 up, lw_cover_kind kind) {
  const int first = 4 * s->count;
  const int corners[6] = {first, first + 1, first + 2, first, first + 2, first + 3};
  s->vertices[first] = corner;
  s->vertices[first + 1] = lwi_add(corner, side);
  s->vertices[first + 2] = lwi_add(lwi_add(corner, side), up);
  s->vertices[first + 3] = lwi_add(corner, up);
  memcpy(s->indices + 6 * s->count, corners, sizeof corners);
  s->covers[2 * s->count] = s->covers[2 * s->count + 1] = (uint8_t)kind;
  s->count++;
}

void slab_build(slab_scene *s) {
  const lwi_occluder_source source = {
      .vertices = s->vertices, .indices = s->indices, .triangle_count = 2 * s->count, .covers = s->covers};
  s->memory = lwi_memory_make(NULL);
  assert_int_equal(lwi_occluders_build(&source, &s->memory, &s->occluders), LW_OK);
  s->sets[0] = &s->occluders;
}

void slab_drop(slab_scene *s) {
  lwi_occluders_free(&s->occluders, &s->memory);
  assert_int_equal(s->memory.bytes, 0);
}

void slab_random(slab_scene *s, lw_random *random, lw_vec3 about) {
  s->count = 0;
  for (int i = 0; i < SLABS; i++) {
    lw_vec3 corner = {slab_between(random, -20, 20), slab_between(random, -5, 5),
                      slab_between(random, -20, 20)};
    lw_vec3 side = {slab_between(random, -8, 8), slab_between(random, -3, 3), slab_between(random, -8, 8)};
    lw_vec3 up = {slab_between(random, -3, 3), slab_between(random, -8, 8), slab_between(random, -3, 3)};
    slab_add(s, lwi_add(corner, about), side, up, i % 4 == 0 ? LW_COVER_SOFT : LW_COVER_HARD);
  }
  slab_build(s);
}

void slab_wall(slab_scene *s, lw_cover_kind kind) {
  s->count = 0;
  slab_add(s, lwi_vec3(-2, 0, 0), lwi_vec3(4, 0, 0), lwi_vec3(0, 3, 0), kind);
  slab_build(s);
}

void slab_open(slab_asker *a, const slab_scene *s, int maps) {
  *a = (slab_asker){.of = s, .memory = lwi_memory_make(NULL)};
  const lwi_depth_scene drawn = {.sets = s->sets, .count = 1};
  lwi_depth_cache_init(&a->cache, maps, &drawn, &a->memory);
  lwi_depth_asks_init(&a->asks, &a->cache, &a->memory);
}

bool slab_settle(slab_asker *a) {
  lwi_depth_cache_count(&a->cache, &a->asks);
  return lwi_depth_cache_settle(&a->cache);
}

void slab_close(slab_asker *a) {
  lwi_depth_asks_free(&a->asks);
  lwi_depth_cache_free(&a->cache);
  lwi_exposure_scratch_free(&a->scratch);
  assert_int_equal(a->memory.bytes, 0);
}

float slab_exposed(slab_asker *a, lw_accuracy accuracy, lw_vec3 eye, lw_vec3 from, lw_vec3 to, bool shots) {
  const lwi_sight sight = {.sets = a->of->sets, .count = 1, .cache = &a->cache, .asks = &a->asks};
  lw_threat threat = lw_threat_default();
  lw_exposure_query query = lw_exposure_query_default();
  lw_exposure seen;
  threat.at = eye;
  query.from = from;
  query.to = to;
  query.threats = &threat;
  query.threat_count = 1;
  query.heights[0] = 0;
  query.height_count = 1;
  query.accuracy = accuracy;
  query.shots = shots;
  assert_true(lwi_exposure_check(&query));
  assert_int_equal(lwi_exposure_find(&sight, &query, &a->memory, &a->scratch, &seen), LW_OK);
  assert_true(seen.fraction >= 0 && seen.fraction <= 1); /* never NaN */
  assert_true(seen.weighted >= 0 && seen.weighted <= seen.length * 1.00001f);
  return seen.fraction;
}
