/// Scenes of 60 seconds whose runs are pinned by hashes (tests/golden): levels, agents, and what happens to them.
#ifndef LW_TESTS_GOLDEN_SCENES_H
#define LW_TESTS_GOLDEN_SCENES_H

#include "core/random.h"
#include "leeward/leeward.h"

#define GOLDEN_SCENES 4
#define GOLDEN_STEPS_PER_SECOND 60
#define GOLDEN_AGENTS_MAX 256
#define GOLDEN_THREATS 3

/// A scene that runs.
typedef struct golden_run {
  lw_area_table *areas;
  lw_geometry *geometry; ///< NULL: the navmeshes were built from polygons.
  lw_navmesh *meshes[3];
  int mesh_count;
  lw_profile *profiles[3];
  lw_tree *tree; ///< Or NULL.
  lw_world *world;
  lw_random random; ///< Of the events that the scene lets happen; the world has its own.
  int step;
  lw_agent_id agents[GOLDEN_AGENTS_MAX]; ///< In the order in which they were spawned.
  int agent_count, spawned;
  lw_threat_id threats[GOLDEN_THREATS];
  int covers_reserved, leaves_failed;
} golden_run;

typedef struct golden_scene {
  const char *name; ///< Of its file in tests/golden, without ".txt".
  void (*open)(golden_run *run);
  void (*drive)(golden_run *run); ///< What happens before each step.
} golden_scene;
extern const golden_scene golden_scenes[GOLDEN_SCENES];

void golden_open(golden_run *run, const golden_scene *scene);
/// Let the scene go on by one step.
void golden_step(golden_run *run, const golden_scene *scene);
void golden_close(golden_run *run);

/// Of the navmeshes' polygons: corners, areas and openness. Tells a change of the level from one of the run.
uint64_t golden_navmesh_hash(const golden_run *run);
/// Of what can be seen of the agents: places, speeds, what they do. Tells a change of behaviour from one of lw_world_hash().
uint64_t golden_agents_hash(const golden_run *run);
/// Sums over the agents that live. A scene in which nothing happens pins nothing.
lw_agent_stats golden_stats(const golden_run *run);

#endif
