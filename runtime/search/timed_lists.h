/// Which timed regions a straight piece within one polygon may meet. For each polygon that a query touches
/// there is a list of the regions that reach into it, laid out for SIMD; where a list would be long, the tree
/// of the regions answers.
#ifndef LW_SEARCH_TIMED_LISTS_H
#define LW_SEARCH_TIMED_LISTS_H

#include "search/outlines.h"
#include "core/rectangle_tree.h"

/// Polygons with more regions than this ask the tree.
#define LWI_TIMED_LIST_MAX 1024

typedef struct lwi_timed_list {
  uint64_t version; ///< Of the outlines that it was made of; older ones are void.
  uint32_t first;   ///< In the scratch, a multiple of four.
  int count;        ///< Regions that a piece may enter or leave; -1: ask the tree.
} lwi_timed_list;

/// By polygon: see lwi_timed_worst_of().
typedef struct lwi_timed_worst {
  uint64_t query; ///< That asked.
  float price;    ///< [metre-equivalents]
} lwi_timed_worst;

/// Memory of one workspace for the regions of one kind on one navmesh. Lists are kept until a region comes or
/// goes. Begin with zeros and `memory`.
typedef struct lwi_timed_scratch {
  lwi_memory *memory;
  lwi_timed_list *lists;  ///< [polygon_count] NULL: none yet.
  lwi_timed_worst *worst; ///< [polygon_count]
  uint32_t polygon_count;
  uint64_t version, query;
  /// [capacity] each, newest region first: of a disc center x, center z, y, height, radius; of a lane the sides
  /// of its box: min x, min z, max x, max z.
  float *numbers[5];
  uint32_t *parts; ///< [capacity]
  int count, capacity;
  uint32_t *met; ///< [met_capacity] The parts that the last piece may meet, newest first.
  int met_capacity;
  int entered_count; ///< After lwi_dangers_entered() the first of `met` are those that were entered.
  uint32_t *noted;   ///< [noted_capacity]
  int noted_capacity;
  /// Pieces that were held against the regions, and the work for them as searches are limited by it: it depends
  /// on neither the shape of the tree nor on what was asked before. By all queries.
  uint64_t pieces, looks;
  uint64_t steps; ///< Regions and nodes of the tree that were looked at, by all queries.
} lwi_timed_scratch;
void lwi_timed_scratch_free(lwi_timed_scratch *scratch);

struct lwi_timed_costs;

/// Begin a query. Strengths may have changed since the last one.
void lwi_timed_scratch_begin(lwi_timed_scratch *scratch, const lwi_outline_index *outlines);
/// Marks parts of dangers that the piece enters beyond doubt.
#define LWI_TIMED_SURELY 0x80000000u

/// The parts in a polygon that a piece may meet: all that it meets are among them.
typedef struct lwi_timed_met {
  const lwi_outline_index *outlines;
  const uint32_t *parts; ///< [count] NULL: there is no memory for the list, and all parts count.
  int count, at;
  uint32_t next;
  bool surely; ///< The piece enters the danger of the part that lwi_timed_met_next() returned last.
} lwi_timed_met;
lwi_timed_met lwi_timed_meet(const struct lwi_timed_costs *costs, uint32_t polygon, lw_vec3 from, lw_vec3 to);
/// Of dangers: those that hold a point.
lwi_timed_met lwi_timed_meet_at(const struct lwi_timed_costs *costs, uint32_t polygon, lw_vec3 at);
/// Of lanes: those whose boxes meet a box in xz.
lwi_timed_met lwi_timed_meet_box(const struct lwi_timed_costs *costs, uint32_t polygon, const lw_box *box);
/// @return The next part, the newest first; LWI_NONE: there is none left.
static inline uint32_t lwi_timed_met_next(lwi_timed_met *met) {
  if (met->parts) {
    if (met->at == met->count) return LWI_NONE;
    const uint32_t marked = met->parts[met->at++];
    met->surely = (marked & LWI_TIMED_SURELY) != 0;
    return marked & ~LWI_TIMED_SURELY;
  }
  const uint32_t part = met->next;
  if (part != LWI_NONE) {
    const lwi_outline_part *of = &met->outlines->parts[part];
    met->next = lwi_outline_in(met->outlines, of->next, of->polygon);
  }
  return part;
}
/// The part of a region in a polygon; LWI_NONE: it does not reach into it.
uint32_t lwi_timed_part_of(const lwi_outline_index *outlines, uint32_t region, uint32_t polygon);

/// Whether more than LWI_TIMED_LIST_MAX regions reach into the polygon.
bool lwi_timed_is_long(const struct lwi_timed_costs *costs, uint32_t polygon);
/// Upper bound on what a piece within the polygon pays for dangers, or a metre of it for lanes; infinity: more
/// than LWI_TIMED_LIST_MAX reach into it. [metre-equivalents]
float lwi_timed_worst_of(const struct lwi_timed_costs *costs, uint32_t polygon);

/// A set of regions: note them one after the other from 0 on, sort, and ask.
/// @return false: no memory.
bool lwi_timed_scratch_note(lwi_timed_scratch *scratch, int at, uint32_t region);
/// @return false: one was noted twice.
bool lwi_timed_scratch_sort(lwi_timed_scratch *scratch, int count);
bool lwi_timed_scratch_has(const lwi_timed_scratch *scratch, int count, uint32_t region);

#endif
