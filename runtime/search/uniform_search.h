/// What both searches for the corridor of a query that is uniform share (taut_search.h, interval_search.h):
/// which portals they may take, what is known of the goal, and the heap of what is left to do.
#ifndef LW_SEARCH_UNIFORM_SEARCH_H
#define LW_SEARCH_UNIFORM_SEARCH_H

#include "core/heap.h"
#include "cost/prices.h"
#include "mesh/landmarks.h"
#include "mesh/reduction.h"

struct lwi_search;
struct lwi_search_query;

/// Heap items from here on are ends at the goal: this, plus the number of the node before it.
#define LWI_AT_GOAL 0x80000000U
/// The portal of a node is an off-mesh link from here on: this, plus its number.
#define LWI_UNIFORM_LINK 0x80000000U

/// Memory to search in, kept from search to search.
typedef struct lwi_uniform_scratch {
  /// [mark_count] By polygon: equal to `stamp` for those from the goal to the exit of its dead end.
  uint32_t *marks;
  uint32_t mark_count;
  uint32_t stamp; ///< Of this search. Not 0.
  lwi_heap open;
  lwi_heap_entry next; ///< The best of the last entries, beside the heap. item LWI_NONE: none.
} lwi_uniform_scratch;

typedef struct lwi_uniform_run {
  struct lwi_search *search;
  lwi_uniform_scratch *scratch;
  lwi_memory *memory;
  const struct lwi_search_query *query;
  const lw_navmesh *mesh;
  const lwi_graph *graph; ///< Of the search.
  const lwi_prices *prices;
  const lwi_reduction *tables;
  bool has_dead_ends; ///< What `tables` knows of dead ends and only exits holds: no link was added.
  /// Portals below this number are those of the navmesh as it was baked, of polygons that are whole.
  uint32_t base_portals;
  float price;     ///< Of each metre. [metre-equivalents]
  bool has_limits; ///< Some ground may not be entered, or some portals not be crossed.
  bool failed;     ///< Out of memory.
  lwi_landmark_goal goal;
} lwi_uniform_run;

/// What is noted for each portal, and then for each link.
typedef struct lwi_uniform_entries {
  lwi_uniform_scratch *scratch; ///< Whose stamps they have.
  void **items;
  uint32_t *count; ///< [items]
  size_t size;     ///< Bytes of an item, which begins with the stamp of the search that wrote it.
} lwi_uniform_entries;

void lwi_uniform_scratch_free(lwi_uniform_scratch *scratch, lwi_memory *memory);
/// Get a search ready; `has_limits` is left to the caller. @return false: no memory.
bool lwi_uniform_begin(lwi_uniform_run *run, struct lwi_search *search, const struct lwi_search_query *query,
                       const lwi_uniform_entries *entries);
/// Note how far the goal is from landmarks, and mark the path out of the dead end that it lies in.
void lwi_uniform_set_goal(lwi_uniform_run *run, uint32_t region, lw_vec3 at);
/// Mark the path out of the dead end that one of several goals lies in.
void lwi_uniform_mark_goal(lwi_uniform_run *run, uint32_t region);

/// Has some polygon other portals than when it was baked?
static inline bool lwi_uniform_is_cut(const lwi_uniform_run *run) {
  return run->mesh->live.own_portals > 0;
}
/// About as many as there are now, whatever was cut before: lwi_graph.portal_count does not fall again.
static inline uint32_t lwi_uniform_portals(const lwi_uniform_run *run) {
  return run->base_portals + run->mesh->live.own_portals;
}

/* --- portals ---------------------------------------------------------------------------------------------- */

/// The region behind a portal, or at the end of a link. @param portal  May be LWI_UNIFORM_LINK plus a number.
static inline uint32_t lwi_uniform_region(const lwi_uniform_run *run, uint32_t portal) {
  if (portal >= LWI_UNIFORM_LINK) return lwi_graph_link_regions(run->graph, portal & ~LWI_UNIFORM_LINK).to;
  return run->graph->portals[portal].to;
}

/// Is the polygon behind a portal a dead end that the goal does not lie in? What is cut may be joined again.
static inline bool lwi_uniform_is_dead_end(const lwi_uniform_run *run, uint32_t from, uint32_t k, uint32_t to) {
  if (!run->has_dead_ends) return false;
  if (k < run->base_portals) {
    if (!(run->tables->turns[k] & LWI_INTO_DEAD_END)) return false;
  } else {
    if (from >= lwi_base_count(run->mesh) || !lwi_is_whole(run->mesh, from) ||
        run->tables->parents[lwi_origin_of(run->mesh, to)] != from)
      return false;
  }
  return run->scratch->marks[lwi_origin_of(run->mesh, to)] != run->scratch->stamp;
}

/// May the agent go through a portal?
static inline bool lwi_uniform_is_open(const lwi_uniform_run *run, const lwi_portal *portal) {
  return !run->has_limits || lwi_price_behind(run->prices, run->graph, portal) < INFINITY;
}

static inline bool lwi_uniform_may_enter(const lwi_uniform_run *run, uint32_t from, uint32_t k) {
  const lwi_portal *portal = &run->graph->portals[k];
  return !lwi_uniform_is_dead_end(run, from, k, portal->to) && lwi_uniform_is_open(run, portal);
}

/// The next portal that leads on from a region, from portal `k` on.
/// @param from  The region that it was entered from. @return LWI_NONE: there is none.
static inline uint32_t lwi_uniform_next_exit(const lwi_uniform_run *run, uint32_t from, uint32_t region,
                                             uint32_t k) {
  for (; k < run->graph->end_portal[region]; k++)
    if (run->graph->portals[k].to != from && lwi_uniform_may_enter(run, region, k)) return k;
  return LWI_NONE;
}

/// The only portal by which paths lead on from the region behind a portal, where no goal lies. It leads into
/// no dead end.
/// @param region  Behind portal `k`. @return LWI_NONE: there may be none, or several.
static inline uint32_t lwi_uniform_only_exit(const lwi_uniform_run *run, uint32_t k, uint32_t region) {
  if (k >= run->base_portals || !run->has_dead_ends) return LWI_NONE;
  const uint32_t only = run->tables->turns[k] >> LWI_ONLY_EXIT_SHIFT, first = run->graph->first_portal[region];
  if (only == 0 || first >= run->base_portals || run->scratch->marks[region] == run->scratch->stamp)
    return LWI_NONE;
  return first + only - 1;
}

/// The first two portals that lead on from a region. LWI_NONE: there is none.
typedef struct lwi_exits {
  uint32_t first, second;
} lwi_exits;

/// @param from  The region that it was entered from. @param k  By this portal.
static inline lwi_exits lwi_uniform_exits(const lwi_uniform_run *run, uint32_t from, uint32_t k,
                                          uint32_t region) {
  const uint32_t only = lwi_uniform_only_exit(run, k, region);
  if (only != LWI_NONE)
    return (lwi_exits){lwi_uniform_is_open(run, &run->graph->portals[only]) ? only : LWI_NONE, LWI_NONE};
  const uint32_t first = lwi_uniform_next_exit(run, from, region, run->graph->first_portal[region]);
  return (lwi_exits){first, first == LWI_NONE ? LWI_NONE : lwi_uniform_next_exit(run, from, region, first + 1)};
}

static inline bool lwi_uniform_has_links(const lwi_uniform_run *run, uint32_t region) {
  const lwi_mesh_links *links = &run->mesh->links;
  return links->first && links->first[region] < links->end[region];
}

/* --- the heap --------------------------------------------------------------------------------------------- */

/// Add an entry. The best of the new ones waits beside the heap: mostly it is the next one.
static inline void lwi_uniform_offer(lwi_uniform_run *run, float key, uint32_t item) {
  lwi_uniform_scratch *scratch = run->scratch;
  lwi_heap_entry later = {key, item};
  if (scratch->next.item == LWI_NONE || key < scratch->next.key) {
    later = scratch->next;
    scratch->next = (lwi_heap_entry){key, item};
  }
  if (later.item != LWI_NONE && !lwi_heap_push(&scratch->open, run->memory, later.key, later.item))
    run->failed = true;
}

/// Would an entry of that key be taken next?
static inline bool lwi_uniform_is_next(const lwi_uniform_run *run, float key) {
  const lwi_uniform_scratch *scratch = run->scratch;
  return !(scratch->next.item != LWI_NONE && scratch->next.key < key) &&
         !(scratch->open.count > 0 && scratch->open.entries[0].key < key);
}

/// @param[out] entry  The smallest, which is taken out. @return false: there are no more, or no memory.
bool lwi_uniform_take(lwi_uniform_run *run, lwi_heap_entry *entry);

#endif
