/// How work grows with what there is many of: it is counted for n, 2n and 4n. The runtime that the tests of growth link
/// calls at every branch, which counts the same on every machine; bytes that are copied count as well. Of a + b * n^k
/// the differences between two counts leave k.
#ifndef LW_TESTS_GROWTH_H
#define LW_TESTS_GROWTH_H

#include "leeward/geometry.h"
#include "leeward/world.h"

typedef struct growth_subject {
  const char *name;
  uint64_t (*measure)(int count); ///< @return The work for `count` of it: what growth_count() grew by.
  int count;                      ///< The smallest.
} growth_subject;

/// The branches that were taken, and the bytes that were copied by 32, so far.
uint64_t growth_count(void);
/// Fails the test where work grows by the power of 1.3 or more. LEEWARD_GROWTH, a part of a name, leaves out others.
void growth_check(const growth_subject *subjects, int count);

/// Areas and profiles for all subjects, from growth_open() to growth_close(): a test group's setup and teardown.
extern lw_area_table *growth_areas;
extern lw_profile *growth_profiles[2]; ///< The second one minds threats.
int growth_open(void **state);
int growth_close(void **state);
/// Fails the test where the status is not LW_OK.
void growth_need(lw_status status);

/// The corners of a square of one metre. @param[out] to  [4]
void growth_square(lw_vec3 *to, float x, float height, float z);
/// A navmesh of squares. @param squares  [4 * count] Their corners. @return The caller destroys it.
lw_navmesh *growth_mesh(const lw_vec3 *squares, int count, const lw_link_def *links, int link_count);
/// Squares of one metre, `wide` by `deep`, from (0, height, 0) on, apart from each other if `gap` > 0.
/// @return The caller destroys it.
lw_navmesh *growth_squares(int wide, int deep, float gap, float height, const lw_link_def *links,
                           int link_count);
/// A world on a navmesh. @return The caller destroys it.
lw_world *growth_world(const lw_navmesh *mesh);
/// A world on two navmeshes with links between them. @return The caller destroys it.
lw_world *growth_joined_world(const lw_navmesh *const meshes[2], const lw_link_def *links, int link_count);

#endif
