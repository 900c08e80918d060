/// What benchmarks share: the head with commit and processor, medians, tables.
#ifndef LW_TESTS_BENCH_SUPPORT_H
#define LW_TESTS_BENCH_SUPPORT_H

#include "levels.h"
#include "recast_peer.h"

/// End the program with a message unless something went well. @param what  That did not.
void bench_need(lw_status status, const char *what);
/// Print the bench's name, the processor and the commit.
void bench_head(const char *name);
/// Sorts `values`. @return The value below which `part` of them lie. @param part  0..1
double bench_quantile(double *values, int count, double part);
/// @return Time that this process had a processor: others on the machine count less. [s]
double bench_clock(void);
/// @return Time that passes, for what takes microseconds: asking for the processor's takes as long. [s]
double bench_time(void);
double bench_mean(const double *values, int count);

/// What to measure on: a level, or where it is missing a synthetic one (`name` becomes "synthetic").
typedef struct bench_level {
  const char *name;
  lw_geometry *geometry;
} bench_level;
/// @param[out] levels  [LEVEL_COUNT] @return How many; 0 with a message: nothing can be read or baked.
int bench_levels(const lw_area_table *areas, bench_level levels[LEVEL_COUNT]);
void bench_levels_free(bench_level *levels, int count);

/// What Recast builds with the settings of a bake. It borrows the geometry's triangles.
recast_job bench_recast_job(const lw_geometry *geometry, const lw_bake_settings *used);

#endif
