/// A level with walls, and obstacles on it, for tests of what obstacles hide.
#ifndef LW_TESTS_SIGHT_SCENE_H
#define LW_TESTS_SIGHT_SCENE_H

#include "core/random.h"
#include "leeward/leeward.h"

#define SIGHT_SIDE 40.0f ///< Of the floor. [m]
#define SIGHT_WALLS 8

/// A box of the level or of its obstacles.
typedef struct sight_box {
  lw_vec3 at, size;
  float yaw;
  lw_cover_kind cover;
} sight_box;

typedef struct sight_scene {
  lw_navmesh *navmesh;
  lw_world *world;
  lw_profile *profile;          ///< Of agents that mind threats; NULL: there is none.
  sight_box walls[SIGHT_WALLS]; ///< Of the level.
  int wall_count;
} sight_scene;

/// LEEWARD_SEED, else the default.
uint64_t sight_seed(void);
/// Bake a floor with these boxes. The test fails with the reason. Needs scene_open().
lw_navmesh *sight_bake(const sight_box *boxes, int count);
/// A floor with some random walls, with a cover map and a visibility table, and a world on it.
sight_scene sight_scene_create(lw_random *random);
/// An open floor, and a profile. For a test group. @param[out] state  A sight_scene.
int sight_scene_open(void **state);
int sight_scene_close(void **state);
lw_world *sight_world(const lw_navmesh *navmesh);
lw_agent_id sight_spawn(const sight_scene *scene, float x, float z);
/// Steps of a sixtieth of a second.
void sight_step(const sight_scene *scene, int count);
lw_obstacle_id sight_add(const sight_scene *scene, const lw_obstacle_def *def);
void sight_scene_destroy(sight_scene *scene);

/// A number from low to high.
float sight_between(lw_random *random, float low, float high);
lw_vec3 sight_place(lw_random *random, float low, float high);
sight_box sight_random_box(lw_random *random);
/// A random box, cylinder or polygon, hard or soft. @param points  [LW_OBSTACLE_POINTS_MAX] That it borrows.
lw_obstacle_def sight_random_obstacle(lw_random *random, lw_vec3 *points);
lw_obstacle_def sight_obstacle(const sight_box *box);

/// How much of a segment an eye sees. @param workspace  NULL: the world's own. [m]
float sight_exposed(const lw_world *world, lw_workspace *workspace, lw_vec3 eye, lw_vec3 from, lw_vec3 to,
                    lw_accuracy accuracy);

/// Does the line from eye to target pass through the obstacle as it is added? Its faces are tested one by one.
/// @return -1: hardly to be said.
int sight_meets(const lw_obstacle_def *def, lw_vec3 eye, lw_vec3 target);

#endif
