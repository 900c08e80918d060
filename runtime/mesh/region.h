/// Regions of a convex polygon: where a disc fits between walls, and from which interval of the outline to
/// which other it can be moved. All in xz.
///
/// A disc of radius `keep` is clear of a wall when its centre is outside of the capsule about the wall. Within
/// the polygon every capsule is convex, so two of them join exactly when they meet on the outline or inside,
/// and free intervals of the outline are separated exactly by chains of joined capsules that touch the outline
/// on both sides of them.
#ifndef LW_MESH_REGION_H
#define LW_MESH_REGION_H

#include "core/hash_index.h"
#include "core/memory.h"
#include "core/vec3.h"

/// A piece of wall.
typedef struct lwi_barrier {
  float ax, az, bx, bz; ///< [m]
} lwi_barrier;

/// An interval of an edge, or of any other line.
typedef struct lwi_edge_interval {
  uint32_t edge;
  double t0, t1; ///< [0..1]
} lwi_edge_interval;

/// Walls, and the distance to keep from them.
typedef struct lwi_barriers {
  const lwi_barrier *all;
  const uint32_t *near; ///< [count] Indices into `all`.
  uint32_t count;
  double keep; ///< [m, > 0]
} lwi_barriers;

/// Scratch, kept from call to call. Begin with zeros and `memory`.
typedef struct lwi_region_scratch {
  lwi_memory *memory;
  struct lwi_blocked_part *blocked;
  uint32_t *parents;
  lwi_edge_interval *free_intervals; ///< [free_interval_count] Found by lwi_region_free().
  int blocked_capacity, parent_capacity, free_interval_capacity, free_interval_count;
  /* For clearance_place.c and clearance_box.c. */
  lwi_edge_interval *half_intervals; ///< Of half a polygon.
  uint32_t *half_items, *half_labels;
  uint32_t *around;      ///< [around_count] Polygons about a place.
  lwi_barrier *walls;    ///< Of these.
  lwi_hash_index listed; ///< Places in `around` by polygon.
  int half_interval_capacity, half_item_capacity, half_label_capacity, around_capacity, wall_capacity;
  int around_count;
} lwi_region_scratch;

void lwi_region_scratch_free(lwi_region_scratch *scratch);

/// Polygons about a place: `around`, with `listed`. Begin with an empty list.
void lwi_region_begin_list(lwi_region_scratch *scratch);
bool lwi_region_is_listed(const lwi_region_scratch *scratch, uint32_t polygon);
/// List a polygon, if it is not. @return false: no memory.
bool lwi_region_list(lwi_region_scratch *scratch, uint32_t polygon);

/// Union-find. @param[in,out] parents  Of each item; its own index: it is the first of its set.
static inline uint32_t lwi_root_of(uint32_t *parents, uint32_t i) {
  while (parents[i] != i) i = parents[i] = parents[parents[i]];
  return i;
}
static inline void lwi_unite(uint32_t *parents, uint32_t a, uint32_t b) {
  a = lwi_root_of(parents, a);
  b = lwi_root_of(parents, b);
  parents[a > b ? a : b] = a < b ? a : b;
}

/// Append to scratch->free_intervals, with `edge`, the intervals of `line` between t0 and t1 where the disc is
/// clear of all walls.
/// @return false: no memory.
bool lwi_region_free(lwi_region_scratch *scratch, const lwi_barriers *barriers, const lwi_point2 line[2],
                     uint32_t edge, double t0, double t1);
/// A convex outline and its free intervals.
typedef struct lwi_free_outline {
  const lwi_point2 *corners; ///< [count] Counter-clockwise seen from above.
  uint32_t count;
  const lwi_edge_interval *free_intervals; ///< [free_interval_count] Disjoint, by edge, then t0.
  uint32_t free_interval_count;
} lwi_free_outline;
/// Label free intervals of the outline: equal labels where the disc can be moved from one to the other within
/// the polygon.
/// @param[out] labels  [free_interval_count] Each the index of an interval.
/// @return false: no memory.
bool lwi_region_join(lwi_region_scratch *scratch, const lwi_barriers *barriers, const lwi_free_outline *outline,
                     uint32_t *labels);

/// Where the line from a point inside along `direction` leaves the outline. @return The edge's number +
/// parameter on the edge.
double lwi_outline_exit(const lwi_point2 *corners, uint32_t count, lwi_point2 point, lwi_point2 direction,
                        lwi_point2 *where);

/// Distance from a to b to a piece of wall. [m]
double lwi_barrier_distance(const lwi_barrier *barrier, lwi_point2 a, lwi_point2 b);
/// Is that distance less than `distance`? [m]
bool lwi_barrier_is_near(const lwi_barrier *barrier, lwi_point2 a, lwi_point2 b, double distance);
/// Where ab comes nearest to any wall: `at` on ab, `wall` on the wall.
void lwi_region_nearest(const lwi_barriers *barriers, lwi_point2 a, lwi_point2 b, lwi_point2 *at,
                        lwi_point2 *wall);
/// Is the disc clear of every wall all along ab, but for `slack` metres?
bool lwi_region_clear(const lwi_barriers *barriers, lwi_point2 a, lwi_point2 b, double slack);

#endif
