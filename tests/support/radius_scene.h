/// Worlds for agents larger than their mesh was baked for, and its walls by brute force.
#ifndef LW_TESTS_RADIUS_SCENE_H
#define LW_TESTS_RADIUS_SCENE_H

#include "leeward/world.h"

#define RADIUS_OF_MESH 0.4
/// What the disc may cross a wall by. [m]
#define RADIUS_ALLOWED 0.05
#define RADIUS_WALLS 4096

enum { RADIUS_GROUND = 1, RADIUS_WATER = 2 };
/// A table of ground and deep water, from radius_open() to radius_close(): a test group's setup and teardown.
extern lw_area_table *radius_table;
int radius_open(void **state);
int radius_close(void **state);
/// LEEWARD_SEED, or the same every time.
uint64_t radius_seed(void);

typedef struct radius_walls {
  lw_vec3 from[RADIUS_WALLS], to[RADIUS_WALLS];
  int count;
} radius_walls;

typedef struct radius_scene {
  lw_navmesh *mesh;
  lw_world *world;
  lw_profile *profile;
  double keep; ///< From walls: the agent's radius less that of the bake. [m]
  radius_walls walls;
} radius_scene;

/// The mesh, of areas of radius_table, becomes the scene's. Fails the test where what is passable does not stand a
/// slow check.
void radius_scene_make(radius_scene *s, lw_navmesh *mesh, double keep);
void radius_scene_drop(radius_scene *s);

lw_status radius_path(const radius_scene *s, float x0, float z0, float x1, float z1, lw_path **path);
bool radius_connected(const radius_scene *s, float x0, float z0, float x1, float z1);
/// Every part of an edge that does not lead to a polygon of RADIUS_GROUND.
void radius_find_walls(const lw_navmesh *mesh, radius_walls *walls);
/// To the nearest wall, whatever is between. [m]
double radius_distance(const radius_walls *walls, double x, double z);
/// The smallest distance to any wall of a straight piece that crosses none. [m]
double radius_piece(const radius_walls *walls, lw_vec3 from, lw_vec3 to);
/// The smallest distance to any wall of a disc's centre that is moved along the path.
double radius_sweep(const radius_walls *walls, const lw_path *path);

#endif
