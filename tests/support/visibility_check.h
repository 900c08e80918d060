/// The visibility table, against lines of sight and exact exposure at random.
#ifndef LW_TESTS_PAIR_CHECK_H
#define LW_TESTS_PAIR_CHECK_H

#include "core/random.h"
#include "mesh/mesh.h"

typedef struct pair_counts {
  int hidden, visible; ///< Pairs that were looked at.
  int lines, segments; ///< Lines of sight; segments whose exposure was compared.
  int seams; ///< Segments that are not hidden whole by exact exposure, for its rounding, though no line of sight is free.
} pair_counts;

/// Draw `pairs` pairs; the test fails where one that is sure is wrong. @param seed  Printed then.
pair_counts pair_check(const lw_navmesh *mesh, int pairs, uint64_t seed);

#endif
