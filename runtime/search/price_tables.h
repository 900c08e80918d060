/// Lower bounds on what is left of a path where metres cost differently: distances from landmarks (Goldberg
/// and Harrelson 2005), measured at a profile's own prices over points of portals. They follow from a navmesh
/// as it was baked and the prices alone, not from earlier queries. What a live navmesh adds to prices,
/// cuts out or shuts makes paths cost more, so that the bounds stay. Links that were added count beside them
/// (price_links.h). They do not count where obstacles mark ground with an area that may be cheaper.
#ifndef LW_SEARCH_PRICE_TABLES_H
#define LW_SEARCH_PRICE_TABLES_H

#include "core/platform.h"
#include "cost/prices.h"
#include "mesh/landmarks.h"
#include "search/point_graph.h"

/// Landmarks of each part of the navmesh that is connected.
#define LWI_PRICE_LANDMARKS 16
/// Larger navmeshes have no tables.
#define LWI_PRICE_POLYGONS_MAX 20000

typedef struct lwi_price_table {
  const lwi_point_graph *graph;
  lwi_prices prices;
  float unit; ///< Of distances. [metre-equivalents]
  /// [point_count][LWI_PRICE_LANDMARKS] From landmarks, rounded down. LWI_LANDMARK_NONE: no path. [unit]
  int16_t *distances;
  struct lwi_table_build *build;         ///< Owned. NULL: it is measured.
  uint64_t work;                         ///< That measuring it has taken. [points left]
  int pins;                              ///< Threads that hold it.
  struct lwi_price_table *older, *newer; ///< By when each was last asked for.
} lwi_price_table;

/// Those that were asked for last, bounded in bytes, shared by all threads that ask.
typedef struct lwi_price_tables {
  lwi_mutex lock; ///< For everything below.
  lwi_memory memory;
  size_t limit; ///< Bytes to keep. Tables in use stay beyond it.
  lwi_point_graph graph;
  bool has_graph;
  lwi_price_table *oldest, *newest;
} lwi_price_tables;

/// @return false: the system has no lock to give, and nothing is to be freed.
bool lwi_price_tables_init(lwi_price_tables *tables, size_t limit, const lw_allocator *allocator);
void lwi_price_tables_free(lwi_price_tables *tables);
/// Forget all, for another navmesh comes in the place of the one before. None may be in use.
void lwi_price_tables_clear(lwi_price_tables *tables);
/// @return Bytes held.
size_t lwi_price_tables_memory(lwi_price_tables *tables);

/// Whether there are tables for such a navmesh. @param base  As it was baked.
static inline bool lwi_price_tables_serve(const lw_navmesh *base) {
  return base->polygons.count <= LWI_PRICE_POLYGONS_MAX;
}
/// The prices at whose tables those for these prices are: of one visibility out of few.
lwi_prices lwi_price_table_prices(const lwi_prices *prices);
/// Computed when prices are first asked for, then found. @param base  As it was baked; always the same one.
/// @return Valid until lwi_price_tables_release(); NULL: no memory.
const lwi_price_table *lwi_price_tables_acquire(lwi_price_tables *tables, const lw_navmesh *base,
                                                const lwi_prices *prices);
/// The points that tables are measured over. Computed when it is first asked for. @param base  Always the same.
/// @return Valid until lwi_price_tables_clear(); NULL: no memory.
const lwi_point_graph *lwi_price_tables_graph(lwi_price_tables *tables, const lw_navmesh *base);
/// Compute a part of such a table; the next call goes on where this one ended.
/// @param[in,out] work  What may be spent on the table in all, earlier calls included; on return of true what
/// it took, which is the same however the work was divided. [points left]
/// @return Has `work` been enough for the whole table? True without memory, too: lwi_price_tables_acquire()
/// fails then.
bool lwi_price_tables_prepare(lwi_price_tables *tables, const lw_navmesh *base, const lwi_prices *prices,
                              uint64_t *work);
/// @param table  May be NULL.
void lwi_price_tables_release(lwi_price_tables *tables, const lwi_price_table *table);
/// Whether a table is for these prices.
bool lwi_price_table_is_for(const lwi_price_table *table, const lwi_prices *prices);

/// Distances from all landmarks, rounded down. [unit]
typedef struct lwi_price_row {
  int16_t from[LWI_PRICE_LANDMARKS];
} lwi_price_row;
/// Those of a place in a polygon of the base.
lwi_price_row lwi_price_row_at(const lwi_price_table *table, uint32_t polygon, lw_vec3 at);
/// Lower bound on the cost between two places. [metre-equivalents]
/// @param here  [LWI_PRICE_LANDMARKS] Of one of them.
static inline float lwi_price_bound_between(const lwi_price_table *table, const int16_t *here,
                                            const lwi_price_row *goal) {
  lwi_short8 max = {0};
  for (int i = 0; i < LWI_PRICE_LANDMARKS; i += 8) {
    const lwi_short8 a = lwi_short_load8(here + i), b = lwi_short_load8(goal->from + i);
    max = lwi_short_max8(max, lwi_short_max8(lwi_short_sub8(a, b), lwi_short_sub8(b, a)));
  }
  return (float)(lwi_short_highest8(max) - 1) * table->unit;
}

/* --- between price_tables.c and price_table_make.c -------------------------------------------------------- */

/// Begin to measure a table. @return false: no memory, and nothing is held.
bool lwi_price_table_begin(lwi_price_table *table, lwi_memory *memory);
/// Go on until it is measured, or that much work was done in all. @return false: no memory.
bool lwi_price_table_measure(lwi_price_table *table, lwi_memory *memory, uint64_t until);
void lwi_price_table_free(lwi_price_table *table, lwi_memory *memory);

#endif
