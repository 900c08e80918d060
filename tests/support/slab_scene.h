/// A few flat walls, and what an eye sees past them.
#ifndef LW_TESTS_SLAB_SCENE_H
#define LW_TESTS_SLAB_SCENE_H

#include "core/random.h"
#include "core/vec3.h"
#include "sight/exposure.h"

#define SLABS 60

typedef struct slab_scene {
  lwi_memory memory;
  lwi_occluders occluders;
  const lwi_occluders *sets[1];
  lw_vec3 vertices[4 * SLABS];
  int indices[6 * SLABS];
  uint8_t covers[2 * SLABS];
  int count; /* of slabs */
} slab_scene;

float slab_between(lw_random *random, float low, float high);
/// Add to what is not built yet. Begin with a count of 0.
void slab_add(slab_scene *s, lw_vec3 corner, lw_vec3 side, lw_vec3 up, lw_cover_kind kind);
void slab_build(slab_scene *s);
void slab_drop(slab_scene *s);
/// SLABS of them in a box of 40 x 10 x 40 m around a place, every fourth of them soft. Built.
void slab_random(slab_scene *s, lw_random *random, lw_vec3 about);
/// A wall of 4 x 3 m across z = 0. Built.
void slab_wall(slab_scene *s, lw_cover_kind kind);

typedef struct slab_asker {
  const slab_scene *of;
  lwi_memory memory;
  lwi_depth_cache cache;
  lwi_depth_asks asks;
  lwi_exposure_scratch scratch;
} slab_asker;

/// @param maps  How many depth maps there may be.
void slab_open(slab_asker *a, const slab_scene *s, int maps);
void slab_close(slab_asker *a);
/// A step begins: depth maps are made for what was asked often. @return false: no memory.
bool slab_settle(slab_asker *a);
/// What part of a segment the eye sees: one height, of the points themselves.
float slab_exposed(slab_asker *a, lw_accuracy accuracy, lw_vec3 eye, lw_vec3 from, lw_vec3 to, bool shots);

#endif
