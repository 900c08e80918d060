/// What links of the bake are held against: a body at many places of its path, sliced, and all triangles of the
/// level.
#ifndef LW_TESTS_LINK_ORACLE_H
#define LW_TESTS_LINK_ORACLE_H

#include "leeward/bake.h"

typedef struct link_oracle {
  const lw_geometry *geometry;
  lw_bake_settings used; ///< As the bake reports them.
  /// How much smaller than the agent the body is, on all sides. Below 0: larger. [m]
  float slack;
} link_oracle;

/// Is the body free at all sampled places of a link of that kind?
bool link_oracle_is_free(const link_oracle *oracle, lw_link_kind kind, lw_vec3 from, lw_vec3 to);
/// Check every joined link of the kinds jump and drop: on the navmesh, its body free, and within the settings.
/// The test fails with the first that is wrong. @return How many there are.
int link_oracle_check(const link_oracle *oracle, const lw_navmesh *mesh);
/// From `samples` random places on borders, with the body larger: where there is a free drop or jump that saves
/// a long walk, a link begins and ends near. The test fails where there is none.
/// @param plain  The same baked without links. @return How many such places there were.
int link_oracle_search(const link_oracle *oracle, const lw_navmesh *mesh, const lw_navmesh *plain, int samples,
                       uint64_t seed);

#endif
