/// Runs: columns of a wall beside ground that an agent can stand on, which follow each other at about one
/// height over the ground. Each becomes a cover segment.
#ifndef LW_COVER_COVER_RUN_H
#define LW_COVER_COVER_RUN_H

#include "cover/segments.h"

/// Columns are about so wide. [m]
#define LWI_COVER_COLUMN 0.25
/// Floors beside one column, at most.
#define LWI_FLOORS 8

/// A wall is cover if its top is at least this high above the ground, its bottom at most this high, and it is
/// solid over at least this height. The first is a little more than 0.5 m, so that steps of 0.5 m are not cover
/// here and there by rounding. [m]
#define LWI_COVER_TOP_MIN 0.51f
#define LWI_COVER_BOTTOM_MAX 0.95f
#define LWI_COVER_SOLID_MIN 0.38f
/// Is a wall from `low` to `high` cover for an agent on that ground?
static inline bool lwi_is_cover(float low, float high, float ground) {
  return high >= ground + LWI_COVER_TOP_MIN && low <= ground + LWI_COVER_BOTTOM_MAX &&
         high - (low > ground ? low : ground) >= LWI_COVER_SOLID_MIN;
}

/// A column of a wall, and the ground beside it.
typedef struct lwi_cover_column {
  int number;
  double begin, end, middle; ///< Along the wall. [m]
  float low, high;           ///< Between these heights it is solid. [m]
  float ground;              ///< [m]
} lwi_cover_column;

typedef struct lwi_cover_run {
  int column;         ///< The last one.
  double begin, end;  ///< Along the wall. [m]
  double first, last; ///< Middles of the first and the last column. [m]
  float first_ground, last_ground;
  double min_rise, max_rise;                        ///< Bounds of the ground's rise per metre.
  float low_top, high_top, low_bottom, high_bottom; ///< Over the ground, those above `tall` as if there. [m]
  float min_top;                                    ///< Over the ground. [m]
  float top, bottom;                                ///< The lowest top and the highest bottom. [m]
} lwi_cover_run;

/// Heights over the ground above this count as equal. @param height  Of the agents. [m]
float lwi_cover_tall(float height);
lwi_cover_run lwi_cover_run_begin(const lwi_cover_column *column, float tall);
/// Extend the run by a column, if that continues it.
bool lwi_cover_run_extend(lwi_cover_run *run, const lwi_cover_column *column, float tall);

/// The straight line that stands for the ground beside a run.
typedef struct lwi_cover_ground {
  double begin, end; ///< Its heights. [m]
  bool is_level;
} lwi_cover_ground;
lwi_cover_ground lwi_cover_run_ground(const lwi_cover_run *run);
/// Set the heights of the run's segment, whose ends are set.
void lwi_cover_run_heights(const lwi_cover_run *run, const lwi_cover_ground *ground,
                           lwi_cover_segment *segment);

#endif
