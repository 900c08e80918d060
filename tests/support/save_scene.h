/// A saved world that has something of everything that is saved, and the navmesh to load it over.
#ifndef LW_TESTS_SAVE_SCENE_H
#define LW_TESTS_SAVE_SCENE_H

#include "leeward/leeward.h"

#define SAVE_SCENE_HEAD 32        ///< Of the file; its checksum is of what follows. [bytes]
#define SAVE_SCENE_SIZE_MAX 16384 ///< Of the file. [bytes]

typedef struct level {
  lw_area_table *areas;
  lw_navmesh *mesh, *other;
  lw_profile *profile;
  lw_world *world;
  lw_tree *tree;                           ///< Of the first two agents.
  lw_threat_id eye, learned;               ///< Of the second agent; the third has learned of the other.
  unsigned char data[SAVE_SCENE_SIZE_MAX]; ///< [size] What was saved.
  size_t size;
} level;

/// Where the world of save_scene_open() was saved.
extern char save_scene_file[32];

/// A world on the navmesh. The caller destroys it.
lw_world *save_scene_world(const lw_navmesh *mesh);
/// A test's setup and teardown: *state is the level.
int save_scene_open(void **state);
int save_scene_close(void **state);

#endif
