/// The off-mesh links of a world: what is known of each, and of all of them.
#ifndef LW_WORLD_LINK_ENTRY_H
#define LW_WORLD_LINK_ENTRY_H

#include "core/hash_index.h"
#include "core/id_pool.h"
#include "core/number_set.h"
#include "leeward/world.h"
#include "world/link_arcs.h"

/// A link that was added to the world.
typedef struct lwi_added_link {
  lw_link_def def; ///< `name` is the one here.
  char name[LW_LINK_NAME_MAX + 1];
  uint64_t meshes;      ///< Bit i: both ends lie on navmesh i. 0: it joins two navmeshes,
  lw_world_link placed; ///< so; else as it lies on the first of them.
} lwi_added_link;

typedef enum lwi_link_origin { LWI_LINK_BAKED, LWI_LINK_BETWEEN, LWI_LINK_ADDED } lwi_link_origin;

/// An off-mesh link of the world.
typedef struct lwi_link_entry {
  lwi_link_origin origin;
  int navmesh;    ///< Of a baked one: world index.
  uint32_t index; ///< Of a baked one its request, of one between navmeshes that in lwi_inter_links.links.
  /// Of a baked one those in the live navmesh, there and back; of one between navmeshes the first one.
  uint32_t numbers[2];
  lwi_added_link *added; ///< Owned. NULL: it was not added.
  const char *name;      ///< NULL: none. Borrowed from a navmesh, the scene or `added`.
  uint64_t serial;       ///< How many there were before.
  float cost;
  uint32_t bars; ///< How many permutations bar it.
  int capacity;  ///< 0: any number.
  bool is_disabled;
  uint32_t blocked; ///< How many obstacles stand in its arc,
  bool has_arc;     ///< which lwi_link_arcs.links has.
  lwi_known_clearance clearance;
  uint32_t rank;   ///< Of one that was not added: lwi_world_links.by_rank.
  bool is_kept;    ///< While a navmesh is swapped: the new one has it, too.
  bool is_removed; ///< Since changes were last applied.
  bool is_changed; ///< In lwi_links_state.changed.
  bool is_there;   ///< As queries see it: it is not still to be added,
  bool is_on;      ///< it may be taken,
  float used_cost; ///< at this cost.
  uint64_t raised; ///< The lwi_world_links.rounds in which that rose last.
  int users, waiting;
  uint32_t first_waiting, last_waiting; ///< Slots of agents, in the order of their arrival.
} lwi_link_entry;

/// A link in one direction that may be taken since changes were last applied, or became cheaper.
typedef struct lwi_opened_link {
  lw_vec3 start, end;
  float length, slack; ///< [m] Its ends may lie that far away on some navmesh.
} lwi_opened_link;

/// Of those of the file that was loaded last and were not added, the ranks that they have in the world.
typedef struct lwi_loaded_links {
  uint32_t *ranks; ///< [count] LWI_NO_SLOT: it has none. NULL: all have the same.
  int count;
} lwi_loaded_links;

/// The off-mesh links of a world.
typedef struct lwi_world_links {
  lwi_id_pool ids;
  lwi_link_entry *items; ///< By slot.
  int capacity;
  int fixed; ///< How many were not added.
  /// [fixed] Slots of these: by navmesh and request, then those between navmeshes. They are 0, 1, 2, ... until
  /// a navmesh is swapped.
  uint32_t *by_rank;
  bool is_swapped; ///< Some navmesh was.
  lwi_loaded_links loaded;
  int between;            ///< How many of these join two navmeshes.
  lwi_number_set numbers; ///< Of those that were added.
  lwi_hash_index names;   ///< By name.
  lwi_link_arcs arcs;
  uint32_t *changed; ///< [changed_count] Slots of those that differ from what queries see.
  int changed_count, changed_capacity;
  int removed_count;   ///< Of those that are removed, and still in `ids`.
  uint32_t *by_number; ///< [by_number_capacity] Slots of those that were added, by their numbers.
  int by_number_capacity;
  uint64_t count;    ///< How many there ever were.
  uint64_t rounds;   ///< How often changes were applied.
  uint64_t arrivals; ///< How many agents ever began to wait.
  int waiting;       ///< Agents.
  bool any_closed; ///< Some may no longer be taken, or became more expensive, since changes were last applied.
  bool all_opened; ///< More were opened than are listed.
  lwi_opened_link *opened;
  int opened_count, opened_capacity;
} lwi_world_links;

#endif
