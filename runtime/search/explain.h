/// An explanation of a path: its accounts put together.
#ifndef LW_SEARCH_EXPLAIN_H
#define LW_SEARCH_EXPLAIN_H

#include "leeward/explain.h"
#include "search/path.h"

/// What one area, or one kind of link, is to the path, and to the shortest one.
typedef struct lwi_explained_area {
  char name[64];
  float metres[2];    ///< [m]
  lwi_terms terms[2]; ///< [metre-equivalents]
} lwi_explained_area;

#define LWI_EXPLAINED_AREAS (LW_AREA_MAX + 1 + LW_LINK_KIND_COUNT)

struct lw_explanation {
  lwi_memory memory;
  int threat_count, segment_count, segment_capacity;
  lw_path_segment *segments; ///< [segment_count]
  lw_path_segment total;
  lw_path_comparison comparison;
  float *exposed_to;         ///< [threat_count] a segment, and then of the total and of the shortest path.
  lwi_explained_area *areas; ///< [LWI_EXPLAINED_AREAS] By area, and then the links by kind.
};

/// Put a path's accounts together. @return NULL: no memory.
lw_explanation *lwi_explain(const lw_path *path, const lw_allocator *allocator);
/// Compare with the shortest path.
void lwi_explain_beside(lw_explanation *explanation, const lw_path *plain);

#endif
