/// Inside a world.
#ifndef LW_WORLD_WORLD_H
#define LW_WORLD_WORLD_H

#include "agent/agent.h"
#include "cover/exposure.h"
#include "leeward/world.h"
#include "query/cover_points.h"
#include "query/flood.h"
#include "query/random_point.h"
#include "search/components.h"
#include "search/rings.h"
#include "search/search.h"

/// Where an id leads: its agent, and the generation that makes the id.
typedef struct lwi_agent_slot {
  lwi_agent *agent; ///< NULL: free.
  uint32_t generation;
  int next_free; ///< -1: the last.
} lwi_agent_slot;

/// A threat of the world, or the place for one.
typedef struct lwi_threat {
  bool used;
  uint32_t generation;
  lw_threat now, told; ///< As it is, and as it was when those who know of it last searched anew.
  lw_agent_id agent;   ///< Whose eye it is; 0: nobody's.
  int awaits;          ///< 1 + the number of the saved agent whose eye it was, until that is back; 0: none.
  bool public;         ///< A team knows of it:
  char team[32];       ///< this one; "": all.
  float tolerance;     ///< How far apart `now` and `told` may be. [m]
} lwi_threat;

typedef struct lwi_threats {
  lwi_threat *slots; ///< [count]
  int count, capacity, used;
  uint32_t
      made; ///< How many there ever were, in this world and those that it was loaded from: the last generation.
  uint32_t version; ///< Grows with every alarm.
  lw_threat *room;  ///< To gather in what one agent knows.
  int room_capacity;
} lwi_threats;

/// One of the world's navmeshes, with the room to ask it.
typedef struct lwi_ground {
  const lw_navmesh *mesh;
  bool has_short_links; ///< Some link counts for less than it is long.
  lwi_search search;
  lwi_components components;
  lwi_random_scratch random_scratch;
  lwi_flood flood;
  lwi_rings rings;      ///< Of the world's dangers.
  lwi_rings lane_rings; ///< Of its fire lanes.
  lwi_spots spots;      ///< Made when threats first watch a path on it, as...
  lwi_outlook outlook;  ///< ...what they see of it.
  /// The polygons that those are over who watch the path that is looked for.
  uint32_t threats_over[LWI_SIGHT_OVER];
} lwi_ground;

/// A danger that the world remembers.
typedef struct lwi_danger {
  lw_danger_id id;
  lw_danger_def def;
  double since; ///< By the world's clock. [s]
  bool gone;    ///< Removed inside a step: at its end.
} lwi_danger;

/// A fire lane, while it lasts.
typedef struct lwi_fire_lane {
  lw_fire_lane_id id;
  lw_fire_lane_def def;
  double since; ///< By the world's clock. [s]
  bool gone;    ///< Removed inside a step: at its end.
} lwi_fire_lane;

typedef struct lwi_lanes_of_world {
  int count, item_capacity, lane_capacity;
  lwi_fire_lane *items; ///< [count] In the order they were added, so by id.
  lwi_lane *lanes;      ///< [count] Theirs. Of one that was added inside a step the weight is 0 until it ends.
  lw_fire_lane_id made; ///< How many there ever were: the last id.
} lwi_lanes_of_world;

typedef struct lwi_dangers_of_world {
  int count, item_capacity, disc_capacity;
  lwi_danger *items; ///< [count] In the order they were added, so by id.
  lwi_disc *discs;   ///< [count] Theirs. Of one that was added inside a step the value is 0 until it ends.
  lw_danger_id made; ///< How many there ever were: the last id.
} lwi_dangers_of_world;

/// A link from one of the world's navmeshes to another, in one direction.
typedef struct lwi_bridge {
  int from, to;           ///< Navmeshes.
  lw_location start, end; ///< On them.
  float length;           ///< What it counts for. [m, >= 0]
  lw_link_kind kind;
  lw_area_id area; ///< LW_AREA_NONE: priced as the average of both ends.
} lwi_bridge;

/// What the query that runs knows of a bridge.
typedef struct lwi_bridge_node {
  uint32_t start_room, end_room;
  float toll;   ///< What taking it costs; infinity: these agents cannot.
  float rest;   ///< What is left from its end to the goal at least; infinity: one cannot get there.
  int leg;      ///< By which it was first reached; -1: not yet.
  bool settled; ///< Its rest is known.
  int next;     ///< To work off, by order of being found.
} lwi_bridge_node;

/// A way over one navmesh, from the start or a bridge's end to a bridge's start or the goal.
typedef struct lwi_leg {
  int from, to;  ///< Bridges; `from` -1: the start; `to` the number of bridges: the goal.
  float g;       ///< Price up to where it begins; once searched, behind the bridge that it leads to.
  lw_path *path; ///< Owned; NULL until it is searched.
} lwi_leg;

/// Room to find ways over several navmeshes in, kept from query to query.
typedef struct lwi_bridge_room {
  lwi_bridge_node *nodes; ///< [bridge_count]
  lwi_leg *legs;          ///< [leg_count]
  int leg_count, leg_capacity;
  lwi_path_part *parts;
  int part_capacity;
  lwi_heap open;
} lwi_bridge_room;

/// How well a team is seen, beside the world's own visibility.
typedef struct lwi_team {
  char name[32];
  float visibility; ///< [0..1]
} lwi_team;

/// What there is of an area in the world.
typedef struct lwi_area_note {
  bool has_ground, has_link;
  uint8_t least_exposure; ///< Of its ground. [255ths]
} lwi_area_note;

struct lw_world {
  lwi_memory memory;
  lw_world_def def;
  int ground_count, mesh_count; ///< The same, but where there was no memory.
  lwi_ground *grounds;          ///< [ground_count]
  const lw_navmesh **meshes;    ///< [ground_count] Theirs.
  int link_count, link_capacity, bridge_count;
  size_t bridge_capacity;
  lw_world_link *links; ///< [link_count]
  lwi_bridge *bridges;  ///< [bridge_count] Of those that have joined, in order.
  lwi_bridge_room bridge_room;
  double time;
  uint64_t steps, spawned;
  bool stepping;
  lwi_random random;
  lwi_dangers_of_world dangers;
  lwi_lanes_of_world lanes;

  lwi_agent **agents; ///< [agent_count] In the order they were spawned.
  int agent_count, agent_capacity;
  lwi_agent_slot *slots;
  int slot_count, slot_capacity, free_slot;
  bool any_stale;       ///< Some agent's path may be stale.
  int stale_turn;       ///< The agent that comes first in the next search for such: an index.
  uint64_t stale_until; ///< Up to this step no path that threats made stale is searched anew.
  lwi_threats threats;

  lwi_prices plain;  ///< For queries without a profile.
  lwi_prices prices; ///< Of the query that runs, where they depend on the place.
  lwi_area_note area_notes[LW_AREA_MAX + 1];
  float visibility; ///< Of all teams. [0..1]
  lwi_team *teams;  ///< [team_count] That have one of their own.
  int team_count, team_capacity;
  lwi_path_room path_room;

  int occluder_count;
  const lwi_occluders **occluders; ///< [occluder_count], room for one a navmesh
  const lw_navmesh **sight_meshes; ///< [occluder_count] Whose they are.
  bool any_map, bare;              ///< Some navmesh has a cover map; some has a map in place of its occluders.
  lwi_exposure_room exposure_room;
  lwi_cover_room cover_room;
  lwi_eyes eyes[2];                       ///< Asked about from outside of steps, and from inside.
  lwi_guides guides;                      ///< That searches look by...
  lwi_depth_map *guiding[LWI_GUIDES_MAX]; ///< ...and those of the one that runs.
  uint32_t threats_over[LWI_SIGHT_OVER];  ///< The polygons that those are over who are asked about.
};

bool lwi_world_cover_init(lw_world *world);
void lwi_world_cover_free(lw_world *world);
/// With what to answer what is seen, now.
lwi_sight lwi_world_sight(lw_world *world);
/// @return LW_OK, or why there cannot be such an answer.
lw_status lwi_world_check_accuracy(const lw_world *world, lw_accuracy accuracy);
/// Who sees a way over one of the navmeshes, and what it costs: for a query with threats.
/// @return LW_OK, LW_OUT_OF_MEMORY.
lw_status lwi_world_watch(lw_world *world, lwi_ground *ground, const lw_path_query *query, lwi_watch *watch);

/// Dangers decay, and what was added or removed inside the step counts.
void lwi_world_dangers_step(lw_world *world);
/// Take them all out, and put back one that was saved. @return false: no memory.
void lwi_world_dangers_clear(lw_world *world);
bool lwi_world_danger_put_back(lw_world *world, const lwi_danger *danger);
void lwi_world_lanes_clear(lw_world *world);
bool lwi_world_lane_put_back(lw_world *world, const lwi_fire_lane *lane);
void lwi_world_dangers_free(lw_world *world);
uint64_t lwi_world_dangers_hash(const lw_world *world, uint64_t hash);
/// The dangers as the profile minds them. @return false: there is none on that navmesh that it does.
bool lwi_world_dangers(const lw_world *world, const lwi_ground *ground, const lw_profile *profile,
                       lwi_dangers *dangers);
/// How well who walks a query's way is seen. [0..1]
float lwi_world_visibility_for(const lw_world *world, const lw_path_query *query);
/// Take note of what there is of each area; once, when links are joined.
void lwi_world_note_areas(lw_world *world);
/// A profile's prices in this world for one who is seen so well: they hold until the next call.
const lwi_prices *lwi_world_prices(lw_world *world, const lw_profile *profile, float visibility);

/// The same of fire lanes.
void lwi_world_lanes_step(lw_world *world);
void lwi_world_lanes_free(lw_world *world);
uint64_t lwi_world_lanes_hash(const lw_world *world, uint64_t hash);
bool lwi_world_lanes(const lw_world *world, const lwi_ground *ground, const lw_profile *profile,
                     lwi_lanes *lanes);

bool lwi_grounds_init(lw_world *world);
void lwi_grounds_free(lw_world *world);
/// The nearest place on the navmesh named, or on the one that fits (lw_world_find_navmesh()).
/// @param navmesh  Index, or LW_NAVMESH_FITTING. @param[out] ground  NULL: no navmesh is there.
/// @return LW_OK, LW_NO_POINT, LW_INVALID.
lw_status lwi_world_place(const lw_world *world, int navmesh, lw_vec3 point, lw_vec3 snap,
                          const lw_profile *profile, lwi_ground **ground, lw_location *at);
/// Does the navmesh have the size that fits the profile best, of all in the world?
bool lwi_ground_fits(const lw_world *world, const lwi_ground *ground, const lw_profile *profile);

/// What a way is searched by, and charged by once it is found.
typedef struct lwi_pricing {
  const lwi_prices *search;
  const lwi_prices *account; ///< NULL: the same. Else nobody sees the way while it is searched.
} lwi_pricing;
/// @return LW_OK, or why the query is none.
lw_status lwi_path_query_check(const lw_world *world, const lw_path_query *query);
/// lw_path_find() of a query that is right.
lw_status lwi_world_find(lw_world *world, const lw_path_query *query, const lwi_pricing *pricing,
                         lw_path **path);

/// Judge the links between the navmeshes. @return false: no memory.
bool lwi_world_links_init(lw_world *world);
void lwi_world_links_free(lw_world *world);
/// Find the cheapest path that may go over several navmeshes; only where there are bridges.
/// @param ground, from  Where it begins.
/// @return As lw_path_find().
lw_status lwi_bridges_find(lw_world *world, lwi_ground *ground, lw_location from, const lw_path_query *query,
                           const lwi_pricing *pricing, lw_path **path);
/// Is there such a path? @return As lw_connected().
lw_status lwi_bridges_connect(lw_world *world, lwi_ground *ground, lw_location from, const lw_path_query *query,
                              const lwi_prices *prices, bool *connected);

/// @return The agent, or NULL for a stale id.
lwi_agent *lwi_world_agent(const lw_world *world, lw_agent_id id);
/// What an agent asks for a path by.
lw_path_query lwi_agent_query(const lwi_agent *agent, lw_vec3 from, lw_vec3 goal);
/// Search for an agent that stands at `from`. Counts into its statistics.
lw_status lwi_world_agent_path(lw_world *world, lwi_agent *agent, lw_vec3 goal, lw_path **path);
/// Where its profile no longer lets it stand, put it on the nearest ground near by that it may enter.
/// @return false: there is none, or it is on a link that ends where it may not stand.
bool lwi_world_find_footing(const lw_world *world, lwi_agent *agent);
/// Search anew for agents whose paths are stale, as many as fit into a step.
void lwi_world_search_stale(lw_world *world);
#define LWI_REST_MOST 30 ///< Steps in which none is, after searches that took long.
/// Move the threats that are agents' eyes along with these.
void lwi_world_move_eyes(lw_world *world);
/// Remove those that are this agent's.
void lwi_world_drop_eyes(lw_world *world, lw_agent_id agent);
/// Let the query have what the agent knows of, if it cares. Valid until the next call. @return false: no memory.
bool lwi_world_fill_threats(lw_world *world, const lwi_agent *agent, lw_path_query *query);
/// The agent has become another for those who see it: let it search anew if it knows of any.
void lwi_world_alarm(lw_world *world, lwi_agent *agent);
void lwi_world_threats_free(lw_world *world);
/// Finite numbers that make sense? Of an eye, the place and where it looks do not count.
bool lwi_threat_check(const lw_threat *threat, bool is_eye);
/// Have these in place of those that there are, whose ids go stale.
/// @param slots  [count] @param made  How many there ever were. @return false: no memory, and no threats.
bool lwi_world_threats_put_back(lw_world *world, const lwi_threat *slots, int count, uint32_t made);
/// The agent is back, saved as number `index`: its eyes are its again.
void lwi_world_return_eyes(lw_world *world, lw_agent_id agent, int index);
void lwi_agent_threats_free(lw_world *world, lwi_agent *agent);
/// Its path is searched with what it believes now.
void lwi_agent_note_beliefs(lwi_agent *agent);
/// @return false: no memory, and nothing is changed.
bool lwi_beliefs_set(lwi_memory *memory, lwi_beliefs *beliefs, const lw_threat *threats, int count);
uint64_t lwi_world_threats_hash(uint64_t hash, const lw_world *world);
uint64_t lwi_agent_threats_hash(uint64_t hash, const lwi_agent *agent);

/// Let go of the place that the agent has reserved if it has left it.
void lwi_agent_keep_cover(lwi_agent *agent);
/// The same if it is sent away from it.
void lwi_agent_leave_cover(lwi_agent *agent, lw_vec3 goal);

/// Free the agents that were despawned during the step.
void lwi_world_bury(lw_world *world);
/// What a tree of this agent runs in.
typedef struct lwi_tree_user {
  lw_world *world;
  lwi_agent *agent;
} lwi_tree_user;
lw_tree_host lwi_tree_host_of(lwi_tree_user *user);

#endif
