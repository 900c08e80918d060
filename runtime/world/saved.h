/// A world's file:
///
///     magic, version, number of sections (u32) | size of the file, checksum of all behind it (u64) | sections
///
/// A section is its name (8 bytes), the size of what follows (u64), and that. A part of the runtime that has state to keep
/// adds a section of its own here, to the writer and to the reader; one that a reader does not know is refused, one that is
/// missing stands for nothing to keep.
#ifndef LW_WORLD_SAVED_H
#define LW_WORLD_SAVED_H

#include "core/bytes.h"
#include "leeward/save.h"
#include "world/world.h"

#define LWI_SAVED_MAGIC "LWWORLD"
#define LWI_SAVED_VERSION 1u
#define LWI_SAVED_HEAD 32 /* bytes */

#define LWI_SAVED_NAVMESHES "NAVMESH"
#define LWI_SAVED_CLOCK "CLOCK"
#define LWI_SAVED_DANGERS "DANGERS"
#define LWI_SAVED_LANES "LANES"
#define LWI_SAVED_VISIBILITY "VISIBLE"
#define LWI_SAVED_AGENTS "AGENTS"

typedef struct lwi_saved_agent {
  char profile[256], tree[256], team[256], stance[256];
  lw_vec3 at, goal;
  int navmesh;
  float heading, within;
  lw_pace pace;
  bool walking;
  uint64_t user;
  uint32_t color;
  lwi_random random;
} lwi_saved_agent;

struct lw_saved {
  lwi_memory memory;
  int navmesh_count;
  uint64_t navmeshes[LW_NAVMESHES_MAX]; ///< What they are known by.
  double time;
  uint64_t steps, spawned;
  lwi_random random;
  lw_danger_id dangers_made;
  lw_fire_lane_id lanes_made;
  int danger_count, danger_capacity, lane_count, lane_capacity, agent_count, agent_capacity;
  lwi_danger *dangers;
  lwi_fire_lane *lanes;
  lwi_saved_agent *agents;
  float visibility;
  int team_count, team_capacity;
  lwi_team *teams; ///< [team_count]
};

/// The same navmesh, baked or loaded, has the same number.
uint64_t lwi_saved_identity(const lw_navmesh *mesh);

#endif
