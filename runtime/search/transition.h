/// What a search over fixed points crosses.
#ifndef LW_SEARCH_TRANSITION_H
#define LW_SEARCH_TRANSITION_H

#include <stdint.h>

/// A portal in both directions; or a link; or the lattice of a region: then both regions are that one, and both
/// nodes LWI_NODE_INNER.
typedef struct lwi_transition {
  uint32_t regions[2];   ///< Of a link: that it leaves, that it enters.
  uint32_t nodes[2];     ///< Of the search: from regions[0] into regions[1], and back. LWI_NONE: not that way.
  uint32_t first, count; ///< Of its points.
} lwi_transition;

#endif
