/// Inside a world.
#ifndef LW_WORLD_WORLD_H
#define LW_WORLD_WORLD_H

#include "agent/agent.h"
#include "cover/exposure.h"
#include "leeward/world.h"
#include "query/flood.h"
#include "query/random_point.h"
#include "search/components.h"
#include "search/search.h"

/// Where an id leads: its agent, and the generation that makes the id.
typedef struct lwi_agent_slot {
  lwi_agent *agent; ///< NULL: free.
  uint32_t generation;
  int next_free; ///< -1: the last.
} lwi_agent_slot;

/// One of the world's navmeshes, with the room to ask it.
typedef struct lwi_ground {
  const lw_navmesh *mesh;
  lwi_search search;
  lwi_components components;
  lwi_random_scratch random_scratch;
  lwi_flood flood;
} lwi_ground;

struct lw_world {
  lwi_memory memory;
  lw_world_def def;
  int ground_count;
  lwi_ground *grounds; ///< [ground_count]
  double time;
  uint64_t steps, spawned;
  bool stepping;
  lwi_random random;

  lwi_agent **agents; ///< [agent_count] In the order they were spawned.
  int agent_count, agent_capacity;
  lwi_agent_slot *slots;
  int slot_count, slot_capacity, free_slot;
  bool any_stale; ///< Some agent's path may be stale.

  lwi_prices plain; ///< For queries without a profile.
  lwi_path_room path_room;

  int occluder_count;
  const lwi_occluders **occluders; ///< [occluder_count], room for one a navmesh
  lwi_exposure_room exposure_room;
};

bool lwi_world_cover_init(lw_world *world);
void lwi_world_cover_free(lw_world *world);

bool lwi_grounds_init(lw_world *world);
void lwi_grounds_free(lw_world *world);
/// The nearest place on the navmesh named, or on the one that fits (lw_world_find_navmesh()).
/// @param navmesh  Index, or LW_NAVMESH_FITTING. @param[out] ground  NULL: no navmesh is there.
/// @return LW_OK, LW_NO_POINT, LW_INVALID.
lw_status lwi_world_place(const lw_world *world, int navmesh, lw_vec3 point, lw_vec3 snap,
                          const lw_profile *profile, lwi_ground **ground, lw_location *at);
/// Does the navmesh have the size that fits the profile best, of all in the world?
bool lwi_ground_fits(const lw_world *world, const lwi_ground *ground, const lw_profile *profile);

/// @return The agent, or NULL for a stale id.
lwi_agent *lwi_world_agent(const lw_world *world, lw_agent_id id);
/// Search for an agent that stands at `from`. Counts into its statistics.
lw_status lwi_world_agent_path(lw_world *world, lwi_agent *agent, lw_vec3 goal, lw_path **path);
/// Where its profile no longer lets it stand, put it on the nearest ground near by that it may enter.
/// @return false: there is none, or it is on a link that ends where it may not stand.
bool lwi_world_find_footing(const lw_world *world, lwi_agent *agent);
/// Search anew for agents whose paths are stale, as many as fit into a step.
void lwi_world_search_stale(lw_world *world);
/// Free the agents that were despawned during the step.
void lwi_world_bury(lw_world *world);
/// What a tree of this agent runs in.
typedef struct lwi_tree_user {
  lw_world *world;
  lwi_agent *agent;
} lwi_tree_user;
lw_tree_host lwi_tree_host_of(lwi_tree_user *user);

#endif
