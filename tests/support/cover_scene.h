/// Small levels with walls, to find cover in.
#ifndef LW_TESTS_COVER_SCENE_H
#define LW_TESTS_COVER_SCENE_H

#include "bake_scene.h"

#include "leeward/world.h"

#define SEGMENTS_MAX 256
/* The floor's sides. [m] */
#define SIZE 20.0f

typedef struct cover_scene {
  lw_geometry *geometry;
  lw_navmesh *mesh;
  lw_world *world;
  lw_cover_segment found[SEGMENTS_MAX];
  int count;
} cover_scene;

/// A floor with its corner of least x and z there.
cover_scene cover_begin(lw_vec3 at);
/// A box that is not walkable.
void cover_add_box(const cover_scene *s, lw_vec3 at, lw_vec3 size, float yaw, lw_cover_kind cover);
lw_bake_settings cover_settings(void);
/// Put what is around there into `found`.
void cover_ask(cover_scene *s, lw_vec3 around, float radius);
/// A world on the mesh; all there is into `found`.
void cover_open(cover_scene *s);
/// Bake, and open it.
void cover_bake(cover_scene *s);
void cover_end(cover_scene *s);

#endif
