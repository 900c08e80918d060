/// Places to stand behind cover: found along segments, hidden, and judged but for the way there.
#ifndef LW_QUERY_COVER_POINTS_H
#define LW_QUERY_COVER_POINTS_H

#include "core/heap.h"
#include "cover/exposure.h"
#include "leeward/cover_points.h"
#include "search/reach.h"

/// A place that somebody else has.
typedef struct lwi_cover_taken {
  lw_vec3 at;
  float reach; ///< Of him and who asks. [m]
} lwi_cover_taken;

/// What is known of a place that hides, one after the other.
typedef enum lwi_spot_knowledge {
  LWI_SPOT_FOUND,   ///< Where it is, and its flank; its way as if it were straight, over the cheapest ground.
  LWI_SPOT_JUDGED,  ///< And how well it protects.
  LWI_SPOT_REACHED, ///< And what the way there costs where nobody sees it: only if it is watched.
  LWI_SPOT_PRICED   ///< All.
} lwi_spot_knowledge;

/// A place that hides.
typedef struct lwi_cover_spot {
  lw_cover_point point; ///< As far as it is known.
  float least;          ///< What the way there costs at least, by what is known. [metre-equivalents]
  lwi_spot_knowledge known;
  float most;   ///< Its score if all that is not known were as good as it can be.
  int compared; ///< How many of the priced places its way was compared with, and 1 for its own; 0: none.
} lwi_cover_spot;

/// Who looks for cover, and where. All is borrowed.
typedef struct lwi_cover_seeker {
  const lw_cover_point_query *query;
  lwi_sight sight;
  uint32_t over[LWI_SIGHT_OVER]; ///< The polygons that the threats are over, for the sight.
  lwi_memory *memory;            ///< Of the rooms.
  lwi_exposure_room *room;
  const lwi_reach *reach;
  lwi_region_room *work;
  const lw_filter *filter;
  uint32_t label;     ///< Of the room that he comes from.
  lw_vec3 from;       ///< The place that he comes from.
  float lowest_price; ///< Of a metre from place to place; 0 where links count for less than they are long.
  float radius;       ///< Of his body. [m]
  float standoff;     ///< How far from a wall he stands. [m]
  lw_threat *judged;  ///< [query->threat_count] Room for how a place is judged by threats.
  int taken_count;
  const lwi_cover_taken *taken; ///< [taken_count]
  int stance_count;
  int stances[LW_STANCES_MAX]; ///< [stance_count] That he may take, the tallest first.
} lwi_cover_seeker;

/// Kept from query to query: no allocation once warm. Begin with zeros.
typedef struct lwi_cover_room {
  lwi_cover_spot *spots; ///< [count]
  int count, capacity;
  lwi_heap open; ///< Of those that may yet be among the best, the one first whose `most` is the greatest.
  lw_cover_point *priced; ///< [priced_count] Places whose watched way is priced.
  int priced_count, priced_capacity;
  int first; ///< Of the segment that is being looked at.
  lwi_cover_taken *taken;
  int taken_capacity;
  lw_threat *judged;
  int judged_capacity;
  lw_cover_segment *segments;
  int segment_capacity;
} lwi_cover_room;
void lwi_cover_room_free(lwi_cover_room *room, lwi_memory *memory);

/// Which stances he may take: seeker->stances.
void lwi_cover_stances(lwi_cover_seeker *seeker);
/// Add the places behind a segment. @return false: no memory.
bool lwi_cover_gather(const lwi_cover_seeker *seeker, const lw_cover_segment *segment, lwi_cover_room *room);
/// Find how well a place protects. @return false: no memory.
bool lwi_cover_protect(const lwi_cover_seeker *seeker, lw_cover_point *point);
/// What a place is worth when the way there costs so much.
float lwi_cover_score(const lw_cover_point_query *query, const lw_cover_point *point, float cost);

#endif
