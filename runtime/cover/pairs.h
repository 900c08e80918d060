/// Pairs of polygons that surely see nothing of one another, or everything. A question about such a pair needs no occluders.
///
/// An eye and a body count as over a polygon where they are no more than LWI_PAIR_BESIDE outside of its prism, which spans
/// the heights below over all of its surface. Surely hidden: hard cover blocks every line from an eye in one prism to a
/// body in the other. Surely visible: nothing at all, hard or soft, is between the two, nor in them. All else is mixed, and
/// so is every pair that is not known.
#ifndef LW_COVER_PAIRS_H
#define LW_COVER_PAIRS_H

#include "cover/lines.h"
#include "mesh/mesh.h"

/// What heights above the surface a prism spans: of the bodies of those who stand or crouch, and of eyes. [m]
#define LWI_PAIR_LOW 0.5f
#define LWI_PAIR_HIGH 1.7f
/// Of those heights the middle, by which to look for the polygon that somebody is over. [m]
#define LWI_PAIR_MIDDLE ((LWI_PAIR_LOW + LWI_PAIR_HIGH) / 2)
/// How far outside one may be, in xz and in height. [m]
#define LWI_PAIR_BESIDE 0.03f

typedef enum lwi_pair { LWI_PAIR_MIXED, LWI_PAIR_HIDDEN, LWI_PAIR_VISIBLE } lwi_pair;

/// What is known of two polygons. O(1). @param a, b  LWI_NONE: of no polygon, mixed. @return Mixed without a table.
lwi_pair lwi_pairs_get(const lw_navmesh *mesh, uint32_t a, uint32_t b);
/// Does the table know so much that it pays to look for the polygon that somebody is over? Measured: bench_pairs.
static inline bool lwi_pairs_pay(const lw_navmesh *mesh) {
  return mesh->pairs.hidden + mesh->pairs.visible >= 0.2f;
}
/// The polygon in whose prism an eye is; of several, the lowest. @return LWI_NONE: none, or there is no table.
uint32_t lwi_pairs_over(const lw_navmesh *mesh, lw_vec3 eye);
/// Is a body that goes straight from `from` to `to` over a polygon all the way? @param low, high  Of the body, above both.
bool lwi_pairs_hold(const lw_navmesh *mesh, uint32_t polygon, lw_vec3 from, lw_vec3 to, float low, float high);

/// The prism over a polygon.
lwi_prism lwi_prism_of(const lw_navmesh *mesh, uint32_t polygon);

/// A table as it is made.
typedef struct lwi_pairs_def {
  const lwi_lines *lines; ///< Of the mesh's occluders.
  float range;            ///< [m, > 0]
  int threads;            ///< [1..LWI_THREADS_MAX]
} lwi_pairs_def;
/// Make the table of a mesh that has none, by its occluders: the same whatever the number of threads. @param memory  For what it takes
/// meanwhile; threads use it one at a time. @return false: no memory.
bool lwi_pairs_make(lw_navmesh *mesh, const lwi_pairs_def *def, lwi_memory *memory);

#endif
