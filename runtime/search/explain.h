/// The explanation of a path: its cost breakdowns put together, and put into words.
#ifndef LW_SEARCH_EXPLAIN_H
#define LW_SEARCH_EXPLAIN_H

#include "leeward/explain.h"
#include "search/path.h"

/// What one area, or one kind of link, contributes to the path [0] and to the shortest path [1].
typedef struct lwi_explained_area {
  lw_link_kind link; ///< LW_LINK_NONE: the ground of an area.
  lw_area_id area;
  char name[64];      ///< Of the area, or of the kind of link.
  float metres[2];    ///< [m]
  lwi_terms terms[2]; ///< [metre-equivalents]
} lwi_explained_area;

struct lw_explanation {
  lwi_memory memory;
  const lw_area_table *table; ///< Of the areas.
  int threat_count, segment_count, segment_capacity;
  lw_path_segment *segments; ///< [segment_count]
  lw_path_segment total;
  lw_path_comparison comparison;
  bool reduced; ///< lw_path_is_reduced()
  /// [segment_capacity + 2][threat_count] By segment, then of the total and of the shortest path. [m]
  float *exposed_to;
  int area_count, area_capacity;
  lwi_explained_area *areas; ///< [area_count]
};

/// Explain a path by itself. @return Owned by the caller; NULL: no memory.
lw_explanation *lwi_explain(const lw_path *path, const lw_allocator *allocator);
/// Add the comparison with the shortest path. @return false: no memory.
bool lwi_explain_beside(lw_explanation *explanation, const lw_path *plain);

#endif
