/// One agent: where it stands, the path that it follows, and whether it gets on.
#ifndef LW_AGENT_AGENT_H
#define LW_AGENT_AGENT_H

#include "agent/traverse.h"
#include "core/random.h"
#include "leeward/cover_points.h"

/// Replans on the way to one goal before the agent gives up.
#define LWI_MAX_REPLANS 1

/// Does it walk on a path that may no longer be the best? Then it is to be searched anew.
typedef enum lwi_staleness {
  LWI_FRESH,
  LWI_ALARMED, ///< The threats that it knows of are others, or see it worse or better.
  LWI_STALE    ///< It was searched for another profile.
} lwi_staleness;

/// Threats that need not be in the world.
typedef struct lwi_beliefs {
  lw_threat *threats; ///< [count]
  int count, capacity;
} lwi_beliefs;

typedef struct lwi_agent {
  lw_agent_id id;
  const lw_profile *profile;
  char team[32];
  uint64_t user;
  uint32_t color; ///< 0: one of its own.
  lwi_random random;

  int navmesh; ///< Index in the world of the navmesh that it walks on.
  lw_location at;
  lw_vec3 velocity;
  float heading;
  lw_pace pace;
  int stance; ///< Of its profile.

  lw_move_state move;
  lw_status failure;
  lw_vec3 goal;
  float within;
  lw_path *path;  ///< Owned; NULL unless walking.
  int next_point; ///< Of the path: where it walks to.
  float remaining;
  float best_remaining; ///< The least that was ever left on this path...
  double best_time;     ///< ...and when, by simulation time.
  int replans_left;
  lwi_staleness stale;
  float visibility;  ///< How well it was seen when its path was searched. [0..1]
  lwi_traverse link; ///< Active: it is on an off-mesh link, and `at.poly` and `navmesh` are where that began.

  lw_threat_id *learnt; ///< [learnt_count] Threats of the world that it was told of.
  int learnt_count, learnt_capacity;
  lwi_beliefs own, told; ///< What it believes by itself, and what it did when its path was last searched.

  bool has_cover; ///< It has reserved a place:
  lw_vec3 cover;  ///< this one,
  float leash;    ///< from which it may go so far, [m]
  bool was_there; ///< and got there.

  const lw_tree *tree;
  lw_tree_run *run;
  bool doomed; ///< To be despawned at the end of the step.
  char reason[192];
  lw_agent_stats stats;
} lwi_agent;

typedef enum lwi_progress {
  LWI_WALKS,
  LWI_ARRIVED,
  LWI_STUCK ///< No progress for the time allowed.
} lwi_progress;

/// Begin to follow a path, which the agent then owns.
void lwi_agent_follow(lwi_agent *agent, lw_path *path, double now);
/// Stand: drop the path.
void lwi_agent_halt(lwi_agent *agent, lw_move_state move, lw_status failure);
/// Where it can be searched from: where it stands, or where the link that it is on ends.
lw_location lwi_agent_footing(const lwi_agent *agent);
/// The navmesh of that place.
int lwi_agent_footing_navmesh(const lwi_agent *agent);
/// The point of the path that it goes to.
int lwi_agent_next_point(const lwi_agent *agent);
/// Without a path: finish the link that it is on, if any.
void lwi_agent_land(lwi_agent *agent, const lw_navmesh *const *meshes, float dt);
/// Walk along the path for `dt` seconds, never off the mesh but on links.
/// @param meshes  The world's.
lwi_progress lwi_agent_walk(lwi_agent *agent, const lw_navmesh *const *meshes, float dt, double now,
                            float stuck_seconds);
/// Does it stand on the surface of the polygon that it is said to be in, or is it on a link?
bool lwi_agent_on_mesh(const lwi_agent *agent, const lw_navmesh *const *meshes);

#endif
