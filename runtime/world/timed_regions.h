/// The timed regions of a world: dangers and fire lanes, in one store for each kind.
#ifndef LW_WORLD_TIMED_REGIONS_H
#define LW_WORLD_TIMED_REGIONS_H

#include "agent/agent.h"
#include "core/id_pool.h"
#include "search/timed_costs.h"

typedef struct lwi_timed_region {
  double since;   ///< When it was added, by the world's clock. [s]
  float strength; ///< At first.
  float seconds;  ///< Half-life, or how long it lasts. [s]
  bool gone;      ///< Removed inside a step, at whose end it stops to count.
} lwi_timed_region;

/// What the world keeps of the regions of one kind, beside the lwi_timed_set of its scene.
typedef struct lwi_timed_store {
  lwi_timed_region *items; ///< By slot.
  int item_capacity;
  int gone_count;
} lwi_timed_store;

/// A region that came or went since agents last heard the news.
typedef struct lwi_timed_news {
  lwi_timed_kind kind;
  lwi_timed_shape shape;
  bool came;
  uint64_t when; ///< lw_world.news
} lwi_timed_news;

typedef struct lwi_timed_regions {
  lwi_timed_store of[LWI_TIMED_KINDS];
  lwi_timed_news *news; ///< [news_count] Oldest first.
  int news_count, news_capacity;
  lwi_rectangle_tree came, went; ///< Of the news, by its number.
  float went_radius;             ///< The greatest of those that went. [m]
} lwi_timed_regions;

/// No path from one place over a disc to another is shorter. May be negative. [m]
float lwi_bound_over_disc(lw_vec3 from, lw_vec3 to, const lwi_timed_shape *disc);
/// Holds the centers of all discs of up to that radius that such a path of up to that cost leads over.
lwi_rectangle lwi_discs_within(lw_vec3 from, lw_vec3 to, float cost, float radius);

void lwi_world_regions_free(lw_world *world);
/// Regions lose strength and end, and those that came or went inside the step do so now.
void lwi_world_regions_step(lw_world *world);
/// All agents have heard the news.
void lwi_world_regions_forget(lw_world *world);
/// Does any news of regions concern what the agent still has to walk?
bool lwi_world_regions_concern(const lw_world *world, const lwi_agent *agent);
/// Might news of regions after that concern a path of the agent, wherever it leads?
bool lwi_world_regions_may_concern(const lw_world *world, const lwi_agent *agent, uint64_t heard);
uint64_t lwi_world_regions_hash(const lw_world *world, uint64_t hash);
/// Regions of one kind as they are put in place of those of a world.
typedef struct lwi_timed_state {
  const lwi_id_state *states;    ///< [slot_count]
  const lwi_timed_region *items; ///< [slot_count] Where `states` has a generation.
  const lwi_timed_shape *shapes; ///< [slot_count] The same. Strengths do not count.
  int slot_count;
  const uint32_t *order; ///< [count] Slots.
  int count;
} lwi_timed_state;
/// Put regions in place of those of the world. @return false: no memory, and not all of them are there.
bool lwi_world_regions_restore(lw_world *world, lwi_timed_kind kind, const lwi_timed_state *from);

#endif
