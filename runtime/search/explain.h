/// An explanation of a path: its accounts put together.
#ifndef LW_SEARCH_EXPLAIN_H
#define LW_SEARCH_EXPLAIN_H

#include "leeward/explain.h"
#include "search/path.h"

/// What one area, or one kind of link, is to the path, and to the shortest one.
typedef struct lwi_explained_area {
  lw_link_kind link; ///< LW_LINK_NONE: the ground of an area.
  lw_area_id area;
  char name[64];      ///< Of the area, or of the kind of link.
  float metres[2];    ///< [m]
  lwi_terms terms[2]; ///< [metre-equivalents]
} lwi_explained_area;

struct lw_explanation {
  lwi_memory memory;
  const lw_area_table *table; ///< Of the areas' names.
  int threat_count, segment_count, segment_capacity;
  lw_path_segment *segments; ///< [segment_count]
  lw_path_segment total;
  lw_path_comparison comparison;
  float *exposed_to; ///< [threat_count] a segment, and then of the total and of the shortest path.
  int area_count, area_capacity;
  lwi_explained_area *areas; ///< [area_count]
};

/// Put a path's accounts together. @return NULL: no memory.
lw_explanation *lwi_explain(const lw_path *path, const lw_allocator *allocator);
/// Compare with the shortest path. @return false: no memory.
bool lwi_explain_beside(lw_explanation *explanation, const lw_path *plain);

#endif
