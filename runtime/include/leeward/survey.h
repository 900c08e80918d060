/// @file survey.h
/// What each accuracy of exposure costs and loses on a level of one's own.
#ifndef LEEWARD_SURVEY_H
#define LEEWARD_SURVEY_H

#include "leeward/cover.h"
#include "leeward/navmesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Whom to ask about what. Start from lw_survey_def_default().
typedef struct lw_survey_def {
  int eyes; ///< Threats, anywhere on the navmesh, uniform by area. [1..10000, default 20]
  int segments; ///< Seen from each: straight ways over the surface from anywhere on the navmesh. [1..10000, default 200]
  float length;  ///< Of a segment, unless it ends at a wall before. [m, 0.01..1000, default 12]
  float eye;     ///< Height of the threats' eyes over the surface. [m, -100..100, default 1.6]
  float spacing; ///< Of the lines of sight to compare with. [m, 0.01..1000, default 0.25]
  int rounds;    ///< Times are medians of so many. [1..99, default 5]
  uint64_t seed; ///< The same seed asks the same. [default 1]
  float heights
      [LW_BODY_HEIGHTS_MAX]; ///< At which one is seen, above the feet. [m, default 0.9 and 1.6: standing]
  int height_count;          ///< [1..LW_BODY_HEIGHTS_MAX, default 2]
  uint32_t cookie;           ///< Set by lw_survey_def_default(). Do not set.
} lw_survey_def;
LW_API lw_survey_def lw_survey_def_default(void);

/// One way to find exposure. What it is off by is meant of the exposed fraction of a segment, against LW_ACCURACY_EXACT.
typedef struct lw_survey_figures {
  bool available; ///< false: this navmesh has not what it needs, or (LW_ACCURACY_AUTO) it is one of the others.
  double seconds; ///< A segment, one eye, once all is warm. [s]
  double set_up;  ///< Before the first segment of an eye. [s]
  size_t bytes;   ///< Held for an eye, besides the occluders.
  double mean, p99, worst; ///< Off by. [0..1]
} lw_survey_figures;

typedef struct lw_survey {
  int segments;          ///< Asked about, over all eyes.
  double length;         ///< Of one in the mean. [m]
  double exposed;        ///< Of all their length. [0..1]
  int occluders;         ///< Convex polygons.
  size_t occluder_bytes; ///< In memory.
  lw_survey_figures by[LW_ACCURACY_COUNT];
  /// Of places on the segments: how many the table of pairs (lw_bake_settings.pair_range) knows to be hidden from the eye, and
  /// to be visible. 0 without a table. [0..1]
  double sure_hidden, sure_visible;
  lw_survey_figures rays; ///< Lines of sight every `spacing` metres through the same occluders.
} lw_survey;

/// Ask about many segments in every way, one way after the other in each round. Nothing outside is changed.
/// @param navmesh  Not NULL.
/// @return LW_OK; LW_INVALID with the field named; LW_EMPTY: no occluders, or nothing to walk on; LW_OUT_OF_MEMORY.
LW_API lw_status lw_exposure_survey(const lw_navmesh *navmesh, const lw_survey_def *def, lw_survey *survey,
                                    lw_error *error);

#ifdef __cplusplus
}
#endif
#endif
