/// @file explain.h
/// Why a path goes where it goes: what each part of it was charged for, and what the shortest path would have cost.
#ifndef LEEWARD_EXPLAIN_H
#define LEEWARD_EXPLAIN_H

#include "leeward/agent.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The terms of a price, each with its name. LW_TERM_LENGTH is 0.
#define LW_COST_TERM_LIST(X)                                                                                   \
  X(LENGTH, "length")         /* a metre costs a metre */                                                      \
  X(RESISTANCE, "resistance") /* of the ground: resistance_factor */                                           \
  X(EXPOSURE, "exposure")     /* how open the ground is, whoever looks: exposure_factor */                     \
  X(WATER, "water")           /* to be swum: swim_resistance_factor */                                         \
  X(UNSAFE, "unsafe")         /* safety_bias */                                                                \
  X(AREA, "area_factor")      /* what this profile makes of the area by itself */                              \
  X(DANGER, "danger")         /* remembered: danger_cost */                                                    \
  X(THREATS, "threats")       /* seen by the query's threats: cover_bias */                                    \
  X(FIRE_LANES, "fire_lanes") /* along which others shoot */

typedef enum lw_cost_term {
#define X(name, text) LW_TERM_##name,
  LW_COST_TERM_LIST(X)
#undef X
      LW_COST_TERM_COUNT
} lw_cost_term;

/// @return "length", "resistance", ...; "?" for no term. Static storage.
LW_API const char *lw_cost_term_name(lw_cost_term term);

/// A part of a path, or the whole: what it is and what it was charged. Its terms were noted when the path was found:
/// whatever becomes of the world, they add up to lw_path_cost().
typedef struct lw_path_segment {
  int first, last;                 ///< It goes from this point of the path to that one.
  lw_area_id area;                 ///< As lw_path_area(). LW_AREA_NONE: a whole path.
  lw_link_type type;               ///< The area's; LW_WAYPOINT for a waypoint link.
  lw_link_kind link;               ///< By which it goes; LW_LINK_NONE: over the surface.
  int navmesh;                     ///< Index in the world of the one that it begins on.
  float length;                    ///< Over the surface; links count what they are said to. [m]
  float cost;                      ///< The sum of the terms. [metre-equivalents]
  float terms[LW_COST_TERM_COUNT]; ///< [metre-equivalents, >= 0]
  float water;                     ///< To be swum. [m]
  float exposed;                   ///< Seen by any of the query's threats. [m]
  const float *exposed_to;         ///< [threat_count] Seen by each of them. Borrowed from the explanation. [m]
} lw_path_segment;

/// A path beside the shortest one for the same agent: what it may enter and take, and its size, count; prices do not.
typedef struct lw_path_comparison {
  /// LW_OK; LW_EMPTY: not asked for; LW_INVALID: that is not the query of this path; or why no path was found now.
  lw_status status;
  float longer;          ///< Than the shortest one. [m]
  float saves;           ///< What the shortest one costs more, for this agent. [metre-equivalents]
  lw_path_segment plain; ///< The shortest one as a whole, charged like any other path.
} lw_path_comparison;

/// What a path is made of and charged for. It does not change, and needs neither the path nor the world any more, only
/// their area table.
typedef struct lw_explanation lw_explanation;

/// Explain a path. What it was charged is known to the path; the shortest one is searched now, in the world as it is now:
/// dangers that came, faded or went since the path was found count as they are now for the one, and as they were for
/// the other.
/// @param path  Not NULL. Its area table still lives.
/// @param world  That found it. NULL: do not compare.
/// @param query  As it was found, with the same profile and threats. NULL: do not compare.
/// @param[out] explanation  The caller frees it with lw_explanation_destroy(). NULL on an error.
/// @return LW_OK, also where nothing can be compared (lw_path_comparison.status says why); LW_OUT_OF_MEMORY.
LW_API lw_status lw_path_explain(const lw_path *path, lw_world *world, const lw_path_query *query,
                                 lw_explanation **explanation);
/// The same of the path that an agent walks, for the agent as it is now.
/// @return LW_OK; LW_EMPTY: it walks none; LW_STALE; LW_OUT_OF_MEMORY.
LW_API lw_status lw_agent_explain(lw_world *world, lw_agent_id agent, lw_explanation **explanation);
LW_API void lw_explanation_destroy(lw_explanation *explanation);

/// @return The parts in order: each a stretch of one area on one navmesh, or one off-mesh link. Borrowed.
LW_API const lw_path_segment *lw_explanation_segments(const lw_explanation *explanation, int *count);
/// @return The whole path. Its cost is lw_path_cost() but for rounding. Borrowed.
LW_API const lw_path_segment *lw_explanation_total(const lw_explanation *explanation);
/// @return Borrowed.
LW_API const lw_path_comparison *lw_explanation_comparison(const lw_explanation *explanation);
/// @return How many threats the path was searched with.
LW_API int lw_explanation_threat_count(const lw_explanation *explanation);

/// In one sentence: "11.2 m longer, saves 38.0: 9.5 m of water, 4.0 exposed metres to threat 1", where there is a shorter
/// path; else what it costs beyond its length.
/// @param[out] text  [size] Zero-terminated, cut where it does not fit. @return Length that was needed.
LW_API int lw_explanation_sentence(const lw_explanation *explanation, char *text, size_t size);
/// Everything as lines of aligned columns, those that are 0 all along left out, the sentence last. Points and threats
/// are counted from 1.
/// @param[out] text  [size] As above. @return Length that was needed.
LW_API int lw_explanation_table(const lw_explanation *explanation, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
