/// A world's file:
///
///     magic, version, number of sections (u32) | size of the file, checksum of all behind it (u64) | sections
///
/// A section is its name (8 bytes), the size of what follows (u64), and that. A part of the runtime that has
/// state to keep adds a section of its own here, to the writer and to the reader; one that a reader does not
/// know is refused, a missing section stands for nothing to keep. Behind AGENTS come those that saved worlds
/// did not have at first: files without them load, and their state starts from nothing.
///
/// What becomes of each part of an lw_world and of its lwi_scene (save_spec.lua checks that none is missing
/// here):
///
///     def                      the caller's, except the seed (RUN) and search_work (PLANNER)
///     scene
///       ..navs, meshes         the caller's navmeshes, recognised by their content (NAVMESH); what is cut out
///                              of them and outlines follow from obstacles and timed regions, shared answers
///                              are found again
///       ..links, shorts, area_notes  follow from def and navmeshes
///       ..plain                follows from the area table
///       ..visibility, teams    VISIBLE
///       ..sight                sets, meshes: follow from the navmeshes. EYES: the depth caches, whose maps are
///                              drawn again. OBSTACLE: the screens
///       ..timed                DANGERS, LANES: with ids; strengths follow from the clock
///       ..changes              counts on: paths are known to hold
///       ..stepping             never set while a world is saved
///       ..own                  scratch, but ASKED: what was asked outside of steps since the last step began,
///                              of all workspaces
///       ..allocator            the caller's
///     time, steps, spawned, random                   CLOCK
///     regions                  DANGERS, LANES
///       ..of                   by kind, with the scene's timed
///       ..news                 in the agents' staleness (WALKS)
///     agents                   AGENTS: what they are to be spawned with. WALKS: all else of an lwi_agent,
///                              except
///       ..ids, items           new: scripts get the list of agents
///       ..profile, tree        the caller's, by name, as is the journey's profile
///       ..run, mind            TREES: what runs, by what the nodes of the tree are, and what leaves save.
///                              BOARDS: keys and events
///       ..stats                without seconds, which differ between two runs of the same
///       ..removed, pending_removal   none between steps
///       ..heard, team_number, first_learning, last_learning, first_eye   follow from the rest
///     planner                  PLANNER: the agents that wait, the work that is left, how much the search in
///                              progress took, and what it searches with; how far distance fields have
///                              grown, which are computed again; which bounds at prices count, and the work
///                              for others; requests and their fields are not saved
///       ..crowds               counted again
///       ..groups               GROUPS: ids, members by serial numbers, where frames are; their paths are
///                              those of members (WALKS), profiles follow from these
///     crowd                    CROWD: bottlenecks; all else is found again in the next step
///       ..any_stale, stale_turn, stale_until         RUN
///     scene.navs[].base        recognised by content, TILES; ..next: such a world is not saved
///     obstacles                OBSTACLE: ids, items in order of creation with what they are cut as
///       ..numbers, created, active, hidden_count  follow from the items
///       ..opened, closed, sight_changes  none between steps
///     links                    LINKS: ids, what was set, what navmeshes have of it, arrivals; definitions of
///                              those that were added
///       ..fixed, between       follow from def and navmeshes, and are recognised (keys)
///       ..numbers, names, by_number, changed, removed_count, count   follow from the items
///       ..users, waiting       follow from the agents (WALKS)
///       ..opened, any_closed, all_opened   none between steps
///       ..rounds               counts on
///     permutations             PERMUTE: names, states set, links that they bar; definitions are the caller's
///       ..any_pending          follows from these
///     ground_missed            set only after memory ran out, and then lost
///     reconsider               follows from the agents (WALKS)
///     news, settled            in the agents' staleness (WALKS), as are all_alarmed, learners_alarmed and the
///                              teams' alarmed
///     senses                   SENSES: turn, credit, and what each agent perceives, others by serial number
///       ..list, is_stale, any_gone, unresolved, map, marks, hints   found again
///     threats                  THREATS: ids, items in order of creation, created. WALKS: agents that learned
///                              of them, and those that they are eyes of
///       ..version              counts on, so that results for older threats are not used
///       ..learnings, learning_ids, learning_index, teams, team_index, eye_count   follow from these
///     trees                    TREES: rounds and reactions. BOARDS: values, events, teams; changed: in these
///       ..queues, readers      follow from the runs
///       ..is_ticking, turn, last   never set while a world is saved
///     memory, counts and capacities                  of what they belong to
#ifndef LW_SAVE_SAVED_H
#define LW_SAVE_SAVED_H

#include "behavior/saved_run.h"
#include "core/bytes.h"
#include "leeward/save.h"
#include "world/world.h"

#include <math.h>

#define LWI_SAVED_MAGIC "LWWORLD"
#define LWI_SAVED_VERSION 29u
#define LWI_SAVED_HEAD 32 /* bytes */
/// What no run reaches: from below it, time and counters go on without overflow.
#define LWI_SAVED_TIME_MAX 1e12 /* s */
#define LWI_SAVED_COUNT_MAX (1ull << 62)

#define LWI_SAVED_NAVMESHES "NAVMESH"
#define LWI_SAVED_CLOCK "CLOCK"
#define LWI_SAVED_DANGERS "DANGERS"
#define LWI_SAVED_LANES "LANES"
#define LWI_SAVED_VISIBILITY "VISIBLE"
#define LWI_SAVED_AGENTS "AGENTS"
#define LWI_SAVED_RUN "RUN"
#define LWI_SAVED_AREAS "AREAS"
#define LWI_SAVED_THREATS "THREATS"
#define LWI_SAVED_LINKS "LINKS"
#define LWI_SAVED_PERMUTATIONS "PERMUTE"
#define LWI_SAVED_OBSTACLES "OBSTACLE"
#define LWI_SAVED_CROWD "CROWD"
#define LWI_SAVED_GROUPS "GROUPS"
#define LWI_SAVED_PLANNER "PLANNER"
#define LWI_SAVED_WALKS "WALKS"
#define LWI_SAVED_DEPTH_CACHES "EYES"
#define LWI_SAVED_ASKS "ASKED"
#define LWI_SAVED_TILES "TILES"
#define LWI_SAVED_SENSES "SENSES"
#define LWI_SAVED_TREES "TREES"
#define LWI_SAVED_BOARDS "BOARDS"
#define LWI_SAVED_CALLER "CALLER"

/// How far along each axis an agent that stands on no ground is spawned from its place at most. [m]
#define LWI_SAVED_SPAWN_SNAP 100.0f

/// Is it a place on a navmesh, or a velocity? What callers may set is finite, and no more.
static inline bool lwi_saved_is_place(lw_vec3 v) {
  const float max = 1e7f; /* of a navmesh's coordinates [m] */
  return fabsf(v.x) <= max && fabsf(v.y) <= max && fabsf(v.z) <= max;
}
/// Is it a length, a cost or a part of one? Sums of such do not overflow.
static inline bool lwi_saved_is_amount(float amount) {
  return amount >= 0 && amount <= 1e30f;
}

/// Is it a heading, or a turn? [rad]
static inline bool lwi_saved_is_angle(float angle) {
  return fabsf(angle) <= 10;
}
/// Is it the angle between a vehicle and its trailer? [rad]
static inline bool lwi_saved_is_trailer_angle(float angle) {
  return fabsf(angle) <= 2;
}

/// Facts about an agent, as bits of a number.
enum { LWI_AGENT_WALKS = 1u, LWI_AGENT_HAS_UNNAMED_TREE = 2u };

typedef struct lwi_saved_agent {
  uint64_t serial;
  char profile[256], tree[256], team[256], stance[256];
  lw_vec3 at, goal;
  int navmesh;
  float heading, within;
  lw_pace pace;
  bool walking, has_unnamed_tree;
  uint64_t user;
  uint32_t color;
  lw_random random;
} lwi_saved_agent;

/// All else of an agent in the file.
typedef struct lwi_saved_walk {
  uint64_t profile;       ///< A hash of the prices of its profile.
  uint64_t journey;       ///< A hash of the prices of the one that its journey is for; 0: its own.
  char journey_name[256]; ///< Of that profile. Empty: its own.
  /// All but what lwi_saved_agent has. Polygons are places (lwi_poly_place()), areas those of the file; paths,
  /// their polygons and beliefs belong to the lw_saved.
  lwi_agent as;
  uint32_t *learned, *eye_slots; ///< Slots of threats.
  int learned_count, learned_capacity, eye_count, eye_capacity;
  bool perceives;    ///< It has had senses:
  lwi_senses senses; ///< what it perceives. Percepts have serial numbers alone.
} lwi_saved_walk;

/// Ids of one kind.
typedef struct lwi_saved_ids {
  lwi_id_state *states; ///< [slot_count]
  uint32_t *order;      ///< [count] Slots, in order of creation.
  int slot_count, state_capacity, count, order_capacity;
} lwi_saved_ids;
static inline bool lwi_saved_has_id(const lwi_saved_ids *ids, uint32_t slot) {
  return slot < (uint32_t)ids->slot_count && ids->states[slot].generation > 0;
}

/// Timed regions of one kind.
typedef struct lwi_saved_regions {
  lwi_saved_ids ids;
  lwi_timed_region *items; ///< By slot.
  lwi_timed_shape *shapes; ///< By slot.
  int item_capacity, shape_capacity;
} lwi_saved_regions;

typedef struct lwi_saved_threats {
  lwi_saved_ids ids;
  lwi_saved_threat *items; ///< By slot. `awaits` in place of `agent`.
  int capacity;
  uint64_t created; ///< How many there ever were.
} lwi_saved_threats;

/// An obstacle that an agent carries.
typedef struct lwi_carried {
  int agent; ///< Its number in the file, from 0.
  int place; ///< Of the obstacle, in the order in which they were added.
  uint32_t slot;
} lwi_carried;

typedef struct lwi_saved_obstacles {
  lwi_saved_ids ids;
  lwi_obstacle *items;  ///< By slot: `awaits` in place of `agent`, areas of the file, own points.
  bool *offers;         ///< By slot: it offered cover.
  lwi_carried *carried; ///< [carried_count] By agents, and for each in the order in which they were added.
  int capacity, offer_capacity, carried_count, carried_capacity;
} lwi_saved_obstacles;

typedef struct lwi_saved_links {
  bool is_there; ///< The file has such a section.
  lwi_saved_ids ids;
  lwi_link_entry *items; ///< By slot: areas of the file, own definitions.
  int capacity;
  int fixed;      ///< How many come first that were not added.
  uint64_t *keys; ///< [fixed] lwi_world_link_key()
  int key_capacity;
  uint64_t arrivals;
} lwi_saved_links;

typedef struct lwi_saved_permutations {
  lwi_saved_permutation *items; ///< [count]
  int count, capacity;
} lwi_saved_permutations;

/// The group of an agent.
typedef struct lwi_saved_membership {
  uint32_t group; ///< Slot and 1; 0: none.
  int index;      ///< Among its members.
  bool is_away;
} lwi_saved_membership;
typedef struct lwi_saved_groups {
  bool is_there; ///< The file has such a section.
  lwi_saved_ids ids;
  lwi_group *items;         ///< By slot. Members without agents.
  lwi_saved_membership *of; ///< [agent_count]
  int capacity, of_capacity;
} lwi_saved_groups;

typedef struct lwi_saved_clock {
  double time;
  uint64_t steps, spawned;
  lw_random random;
} lwi_saved_clock;

/// An agent that waits for its path.
typedef struct lwi_saved_waiting {
  uint64_t serial, since;
  lwi_ahead ahead;
} lwi_saved_waiting;
/// A distance field that is kept for a crowd: what lwi_crowd_fields_restore() takes.
typedef struct lwi_saved_field {
  lwi_crowd_field of;
  uint64_t place; ///< Of the goal, by which its region is found: lwi_poly_place().
} lwi_saved_field;
typedef struct lwi_saved_plan {
  bool is_there; ///< The file has such a section.
  int search_work;
  int64_t left;
  bool is_busy;             ///< lwi_planner_is_busy()
  uint64_t searching;       ///< Serial number of the agent whose path is being searched; 0: none.
  lwi_plan_resume search;   ///< How far that is; its polygon is a place (lwi_poly_place()).
  uint64_t outdated;        ///< Serial number of the agent whose search a change of the ground ended; 0: none.
  int begins;               ///< How often that has begun.
  lwi_saved_waiting *items; ///< [count] By serial.
  int count, capacity;
  uint32_t sent;
  lwi_saved_field fields[LWI_CROWD_FIELDS_MAX]; ///< [field_count]
  int field_count;
  lwi_plan_tables tables;
} lwi_saved_plan;

typedef struct lwi_saved_run {
  bool is_there; ///< The file has such a section.
  uint64_t seed;
  bool any_stale;
  uint64_t stale_turn; ///< Serial number of the agent; 0: none.
  uint32_t stale_rest; ///< Steps up to stale_until.
  uint64_t look_turn;  ///< lwi_world_senses.turn,
  double look_credit;  ///< and .credit.
  lwi_saved_plan plan;
  lwi_saved_groups groups;
} lwi_saved_run;

/// lwi_threat.awaits of an eye whose agent is not in the file.
#define LWI_AWAITS_NOBODY (-1)

/// Queries since the last step.
typedef struct lwi_saved_asks {
  lwi_depth_ask *items; ///< [count]
  int count, capacity;
} lwi_saved_asks;

/// A tile of a navmesh.
typedef struct lwi_saved_tile {
  int32_t x, z;
  uint32_t first, count; ///< Polygons.
  uint64_t hash;         ///< Of its content.
} lwi_saved_tile;
typedef struct lwi_saved_tile_list {
  lwi_saved_tile *items; ///< [count]
  int count, capacity;
} lwi_saved_tile_list;
typedef struct lwi_saved_tiles {
  bool is_there;                               ///< The file has such a section.
  lwi_saved_tile_list lists[LW_NAVMESHES_MAX]; ///< By navmesh.
} lwi_saved_tiles;

/// What a leaf has saved.
typedef struct lwi_saved_leaf {
  uint64_t serial; ///< Of its agent.
  int node;        ///< Of the agent's tree.
  int first, size; ///< In lwi_saved_leaves.bytes.
} lwi_saved_leaf;

/// By agent in the order in which they were spawned, and by branch.
typedef struct lwi_saved_leaves {
  lwi_saved_leaf *items; ///< [count]
  int count, capacity;
  lwi_bytes bytes;
} lwi_saved_leaves;

/// The tree of an agent.
typedef struct lwi_saved_mind {
  int tree;         ///< In lwi_saved_trees.items; -1: none.
  lw_tree_run *run; ///< Owned. NULL: none.
  int first_leaf, leaf_count;
  lwi_tree_turn turn; ///< Its reactions.
  lwi_values values, events;
} lwi_saved_mind;

typedef struct lwi_saved_trees {
  bool is_there; ///< The file has such a section.
  uint64_t round, reactions;
  lw_tree **items; ///< [count] Owned.
  int count, capacity;
  lwi_saved_mind *minds; ///< [mind_count] agent_count, or 0.
  int mind_count, mind_capacity;
  lwi_saved_leaves leaves;
} lwi_saved_trees;

typedef struct lwi_saved_team {
  char name[LW_TEAM_NAME_MAX + 1];
  lwi_values values;
} lwi_saved_team;

/// Blackboards that agents share, and events.
typedef struct lwi_saved_boards {
  bool is_there; ///< The file has such a section.
  lwi_values values, events;
  lwi_saved_team *teams; ///< [team_count]
  int team_count, team_capacity;
} lwi_saved_boards;

/// How well agents are seen.
typedef struct lwi_saved_visibility {
  float all;
  int team_count, team_capacity;
  lwi_team *teams; ///< [team_count]
} lwi_saved_visibility;

/// Data of the caller.
typedef struct lwi_saved_caller {
  unsigned char *data; ///< [size]
  int size;
} lwi_saved_caller;

struct lw_saved {
  lwi_memory memory;
  int navmesh_count;
  uint64_t navmeshes[LW_NAVMESHES_MAX]; ///< What they are known by.
  lwi_saved_clock clock;
  lwi_saved_regions regions[LWI_TIMED_KINDS];
  int agent_count, agent_capacity;
  lwi_saved_agent *agents;
  lwi_saved_visibility visibility;
  lwi_saved_run run;
  int area_count;
  char areas[LW_AREA_MAX + 1][64]; ///< [1..area_count] Their names.
  lwi_saved_threats threats;
  lwi_saved_links links;
  lwi_saved_permutations permutations;
  lwi_saved_obstacles obstacles;
  lwi_crowd crowd; ///< Its bottlenecks.
  int walk_count, walk_capacity;
  lwi_saved_walk *walks;           ///< [walk_count] agent_count, or 0.
  lwi_depth_cache depth_caches[2]; ///< As lwi_depth_cache_restore() takes them.
  lwi_saved_asks asks;
  lwi_saved_tiles tiles;
  lwi_saved_trees trees;
  lwi_saved_boards boards;
  lwi_saved_caller caller;
};

/// An area of the file in a table: where there is none of that name, LW_AREA_NONE.
static inline lw_area_id lwi_saved_area(const lw_saved *saved, const lw_area_table *areas, lw_area_id area) {
  return area >= 1 && area <= saved->area_count ? lw_area_table_find(areas, saved->areas[area]) : LW_AREA_NONE;
}

/// Every part: put it into a file, read it from there (@return what is wrong; "": no memory; NULL: nothing),
/// and give it to a world.
void lwi_saved_put_areas(lwi_bytes *to, const lw_world *world);
const char *lwi_saved_read_areas(lw_saved *saved, lwi_reader *from);

void lwi_saved_put_dangers(lwi_bytes *to, const lw_world *world);
const char *lwi_saved_read_dangers(lw_saved *saved, lwi_reader *from);
void lwi_saved_put_lanes(lwi_bytes *to, const lw_world *world);
const char *lwi_saved_read_lanes(lw_saved *saved, lwi_reader *from);
/// @return false: no memory.
bool lwi_saved_restore_regions(lw_world *world, const lw_saved *saved);
bool lwi_saved_restore_threats(lw_world *world, const lw_saved *saved);
/// Free the dangers, lanes and threats.
void lwi_saved_ids_free(lw_saved *saved);

/// Ids of one kind: put, read and free them.
void lwi_saved_put_ids(lwi_bytes *to, const lwi_id_pool *ids);
/// @return In place of a slot the number that a link has in the file (lwi_world_link_code()); the reader fails
///     where that is more than an id holds.
static inline lw_link_id lwi_saved_get_link(lwi_reader *from) {
  const uint32_t code = lwi_get_u32(from);
  if (code > LWI_MAX_SLOTS) from->failed = true;
  return (lw_link_id){.slot = code & LWI_MAX_SLOTS};
}
const char *lwi_saved_read_ids(lw_saved *saved, lwi_reader *from, lwi_saved_ids *ids);
void lwi_saved_free_ids(lw_saved *saved, lwi_saved_ids *ids);

void lwi_saved_put_links(lwi_bytes *to, const lw_world *world);
const char *lwi_saved_read_links(lw_saved *saved, lwi_reader *from);
void lwi_saved_links_free(lw_saved *saved);
bool lwi_saved_restore_links(lw_world *world, const lw_saved *saved);

void lwi_saved_put_permutations(lwi_bytes *to, const lw_world *world);
const char *lwi_saved_read_permutations(lw_saved *saved, lwi_reader *from);
void lwi_saved_put_obstacles(lwi_bytes *to, const lw_world *world);
const char *lwi_saved_read_obstacles(lw_saved *saved, lwi_reader *from);
/// Let the agent of that number in the file carry what it carried.
void lwi_saved_restore_carried(lw_world *world, lwi_agent *agent, const lw_saved *saved, int index);
/// And the permutations. @return false: no memory.
bool lwi_saved_restore_obstacles(lw_world *world, const lw_saved *saved);
void lwi_saved_obstacles_free(lw_saved *saved);

void lwi_saved_put_threat(lwi_bytes *to, const lw_threat *threat);
lw_threat lwi_saved_get_threat(lwi_reader *from);
void lwi_saved_put_beliefs(lwi_bytes *to, const lwi_beliefs *beliefs);
/// @param[in,out] beliefs  Empty. Owned by `saved`. @return NULL; what is wrong; "": no memory.
const char *lwi_saved_read_beliefs(lw_saved *saved, lwi_reader *from, lwi_beliefs *beliefs);
void lwi_saved_put_threats(lwi_bytes *to, const lw_world *world);
const char *lwi_saved_read_threats(lw_saved *saved, lwi_reader *from);

void lwi_saved_put_walks(lwi_bytes *to, const lw_world *world);
const char *lwi_saved_read_walks(lw_saved *saved, lwi_reader *from);
void lwi_saved_walks_free(lw_saved *saved);
/// Let an agent go on as it would have; an agent elsewhere or with other prices searches a new path.
/// @param journey  That its journey is for. NULL: its own profile. @return LW_OK, or why it has no path.
lw_status lwi_saved_walk_on(lw_world *world, lwi_agent *agent, const lw_saved *saved, int index,
                            const lw_profile *journey);

/// Bottlenecks, and how an agent moves.
void lwi_saved_put_crowd(lwi_bytes *to, const lw_world *world);
const char *lwi_saved_read_crowd(lw_saved *saved, lwi_reader *from);
/// @return false: no memory.
bool lwi_saved_restore_crowd(lw_world *world, const lw_saved *saved);
void lwi_saved_crowd_free(lw_saved *saved);
void lwi_saved_put_groups(lwi_bytes *to, const lw_world *world);
const char *lwi_saved_read_groups(lw_saved *saved, lwi_reader *from);
/// @return false: no memory.
bool lwi_saved_restore_groups(lw_world *world, const lw_saved *saved);
/// An agent goes on. @param keeps_path  It has the path that it had.
void lwi_saved_restore_member(lw_world *world, lwi_agent *agent, const lw_saved *saved, int index,
                              bool keeps_path);
void lwi_saved_groups_free(lw_saved *saved);
/// What waits for the planner; and an agent that does.
void lwi_saved_put_planner(lwi_bytes *to, const lw_world *world);
const char *lwi_saved_read_planner(lw_saved *saved, lwi_reader *from);
void lwi_saved_plan_free(lw_saved *saved);
void lwi_saved_restore_plan(lw_world *world, const lw_saved *saved);
void lwi_saved_restore_waiting(lw_world *world, lwi_agent *agent, const lw_saved *saved);
/// saved_traverse.c: the link that an agent is on, and the drive of a vehicle.
void lwi_saved_put_traverse(lwi_bytes *to, const lw_world *world, const lwi_agent *agent);
/// @return false: a number is out of range.
bool lwi_saved_read_traverse(lwi_reader *from, lwi_agent *as);
/// @param mesh  That its agent is on.
void lwi_saved_put_driving(lwi_bytes *to, const lwi_driving *driving, const lw_navmesh *mesh);
/// @return NULL; what is wrong; "": no memory.
const char *lwi_saved_read_driving(lw_saved *saved, lwi_reader *from, lwi_driving *driving);
/// Give an agent the drive that it had. Without it, its path is dropped. @return false: no memory.
bool lwi_saved_restore_driving(lw_world *world, lwi_agent *agent, const lwi_agent *as);
void lwi_saved_put_motion(lwi_bytes *to, const lwi_motion *motion);
/// @return false: a number is out of range.
bool lwi_saved_get_motion(const lw_saved *saved, lwi_reader *from, lwi_motion *motion);

void lwi_saved_put_remedy(lwi_bytes *to, const lwi_agent *agent);
/// @return false: a number is out of range.
bool lwi_saved_get_remedy(lwi_reader *from, lwi_agent *as);

void lwi_saved_put_senses(lwi_bytes *to, const lw_world *world);
const char *lwi_saved_read_senses(lw_saved *saved, lwi_reader *from);
/// Whose turn it is to look.
void lwi_saved_restore_turn(lw_world *world, const lw_saved *saved);
/// What an agent perceived. @return false: no memory.
bool lwi_saved_restore_senses(lw_world *world, lwi_agent *agent, const lw_saved *saved, int index);

void lwi_saved_put_tiles(lwi_bytes *to, const lw_world *world);
const char *lwi_saved_read_tiles(lw_saved *saved, lwi_reader *from);
void lwi_saved_tiles_free(lw_saved *saved);
/// May a world over these navmeshes take it: as they are, or as the tiles under agents are?
/// @param to  [saved->navmesh_count] @return LW_OK, LW_BAD_FILE with what differs.
lw_status lwi_saved_tiles_fit(const lw_saved *saved, const lw_navmesh *const *to, lw_error *error);
/// Is the world's navmesh, as it is baked, the one that it was saved over?
bool lwi_saved_is_same(const lw_world *world, const lw_saved *saved, int navmesh);
/// A polygon of the file in the world's navmesh as it is baked. @return LWI_NONE: its tile is another one.
uint32_t lwi_saved_polygon(const lw_world *world, const lw_saved *saved, int navmesh, uint32_t polygon);
/// The same for a place (lwi_poly_place()). @return LWI_NO_PLACE: its tile is another one.
uint64_t lwi_saved_place(const lw_world *world, const lw_saved *saved, int navmesh, uint64_t place);

/// The path of an agent of that world.
void lwi_saved_put_path(lwi_bytes *to, const lw_world *world, const lwi_agent *agent);
const char *lwi_saved_read_path(lw_saved *saved, lwi_reader *from, lw_path **path);
/// @return NULL: something that it goes over is not there, or there is no memory.
lw_path *lwi_saved_open_path(const lw_world *world, const lw_saved *saved, const lw_path *path);

/// Let the leaves that run save what they need. @return false: no memory.
bool lwi_saved_ask_leaves(lw_world *world, lwi_saved_leaves *leaves);
void lwi_saved_leaves_free(lwi_saved_leaves *leaves, lwi_memory *memory);
void lwi_saved_put_trees(lwi_bytes *to, const lw_world *world, const lwi_saved_leaves *leaves);
const char *lwi_saved_read_trees(lw_saved *saved, lwi_reader *from);
void lwi_saved_trees_free(lw_saved *saved);

void lwi_saved_put_boards(lwi_bytes *to, const lw_world *world);
const char *lwi_saved_read_boards(lw_saved *saved, lwi_reader *from);
/// All agents have been restored that are to be. @param agents  [saved->agent_count] By place in the file;
/// NULL: it is not there. @return false: no memory.
bool lwi_saved_restore_boards(lw_world *world, const lw_saved *saved, lwi_agent *const *agents);
void lwi_saved_boards_free(lw_saved *saved);

void lwi_saved_put_depth_caches(lwi_bytes *to, const lw_world *world);
const char *lwi_saved_read_depth_caches(lw_saved *saved, lwi_reader *from);
void lwi_saved_put_asks(lwi_bytes *to, const lw_world *world);
const char *lwi_saved_read_asks(lw_saved *saved, lwi_reader *from);
/// @return false: no memory.
bool lwi_saved_restore_depth_caches(lw_world *world, const lw_saved *saved);

#endif
