/// Places to stand behind cover: found along segments, hidden from the threats, and scored except for the path
/// there.
#ifndef LW_QUERY_COVER_POINTS_H
#define LW_QUERY_COVER_POINTS_H

#include "core/heap.h"
#include "sight/exposure.h"
#include "leeward/cover_points.h"
#include "search/reach.h"
#include "search/taut_search.h"

/// A place that another agent has reserved.
typedef struct lwi_cover_taken {
  lw_vec3 at;
  float radius; ///< Of that agent. [m]
} lwi_cover_taken;

/// What is known of a candidate, one thing after the other.
typedef enum lwi_candidate_knowledge {
  LWI_CANDIDATE_FOUND,   ///< Its place and flank. Its path counts as straight, over the cheapest ground.
  LWI_CANDIDATE_JUDGED,  ///< Its protection.
  LWI_CANDIDATE_REACHED, ///< The cost of the path there without threats: only in watched queries.
  LWI_CANDIDATE_PRICED   ///< All.
} lwi_candidate_knowledge;

/// A place that hides.
typedef struct lwi_cover_candidate {
  lw_cover_point point; ///< As far as it is known.
  float lower_bound;    ///< On the cost of the path there. [metre-equivalents]
  lwi_candidate_knowledge known;
  float best_score; ///< The score if all that is not known were as good as it can be.
  int compared;     ///< With how many priced places its path was compared, and 1 for its own; 0: none.
} lwi_cover_candidate;

/// The agent that looks for cover, and where. All is borrowed.
typedef struct lwi_cover_seeker {
  const lw_cover_query *query;
  lwi_sight sight;
  uint32_t over[LWI_SIGHT_OVER]; ///< The polygons that the threats are over, for the sight.
  lwi_memory *memory;            ///< Of the scratches.
  lwi_exposure_scratch *scratch;
  const lwi_reach *reach;
  lwi_region_scratch *work;
  const lw_filter *filter;
  uint32_t region;    ///< That the agent comes from,
  uint32_t label;     ///< and its label.
  lw_vec3 from;       ///< The place that it comes from.
  float lowest_price; ///< Of a metre from place to place; 0 where links count for less than their length.
  float radius;       ///< Of the agent. [m]
  float standoff;     ///< From a wall to the agent. [m]
  lw_threat *judged;  ///< [query->threat_count] Threats as protection counts them.
  int taken_count;
  const lwi_cover_taken *taken; ///< [taken_count]
  int stance_count;
  int stances[LW_STANCES_MAX]; ///< [stance_count] That the agent may take, the tallest first.
} lwi_cover_seeker;

/// Scratch, kept from query to query: no allocation once warm. Begin with zeros.
typedef struct lwi_cover_scratch {
  lwi_cover_candidate *candidates; ///< [count]
  int count, capacity;
  lwi_heap open;          ///< Candidates that may be among the best, the highest `best_score` first.
  lw_cover_point *priced; ///< [priced_count] Places whose path under threats has been searched.
  int priced_count, priced_capacity;
  int first; ///< Candidate of the current segment.
  lwi_cover_taken *taken;
  int taken_capacity;
  lw_threat *judged;
  int judged_capacity;
  lw_cover_segment *segments;
  int segment_capacity;
  lwi_taut_target *targets; ///< Candidates, while the lengths of all paths are bounded.
  int target_capacity;
  int expanded; ///< Nodes of all paths that were searched for without threats; -1: the others are bounded.
} lwi_cover_scratch;
void lwi_cover_scratch_free(lwi_cover_scratch *scratch, lwi_memory *memory);

/// Fill seeker->stances.
void lwi_cover_stances(lwi_cover_seeker *seeker);
/// Add the places behind a segment. @return false: no memory.
bool lwi_cover_gather(const lwi_cover_seeker *seeker, const lw_cover_segment *segment,
                      lwi_cover_scratch *scratch);
/// Find how well a place protects. @return false: no memory.
bool lwi_cover_protect(const lwi_cover_seeker *seeker, lw_cover_point *point);
/// The score of a place when the path there has that cost.
float lwi_cover_score(const lw_cover_query *query, const lw_cover_point *point, float cost);

#endif
