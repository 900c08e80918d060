/// Portals between polygons, and the bytes of edges that name them.
#ifndef LW_MESH_PORTAL_H
#define LW_MESH_PORTAL_H

#include <stdint.h>

/// Border flag of an edge that may meet any other edge. Edges that were baked have 1 + the side of the tile, or
/// 0: none.
#define LWI_BORDER_ANY 255

/// An edge's byte: the upper three bits are its border flag, the lower five the first of the polygon's portals
/// over it.
#define LWI_EDGE_WALL 31   ///< No portal.
#define LWI_EDGE_FAR 30    ///< Its number is 30 or higher: search the portals.
#define LWI_EDGE_PORTAL 31 ///< Mask of the portal's bits.
#define LWI_EDGE_ANY 7     ///< Stands for LWI_BORDER_ANY.

/// A portal from a polygon to a neighbour, over one of its edges or an interval of it.
typedef struct lwi_portal {
  uint32_t to;            ///< Dense index of the neighbour.
  uint32_t edge : 8;      ///< Edge of the polygon: from corner `edge` to the next.
  uint32_t interval : 24; ///< Index of the part of the edge; 0: all of it.
} lwi_portal;
#define LWI_MAX_INTERVALS 0xffffff

/// A part of an edge, 0 <= t0 < t1 <= 1.
typedef struct lwi_portal_interval {
  float t0, t1;
} lwi_portal_interval;

/// Heights of the surface at t0 and t1 of an interval, kept by lwi_portal_span(): several threads may ask at
/// once, and find the same ones. [m] NAN: as high as the edge between its corners. INFINITY: not asked for yet.
typedef struct lwi_portal_heights {
  _Atomic float y0, y1;
} lwi_portal_heights;

/// The border flag of an edge's byte.
static inline uint8_t lwi_edge_border(uint8_t edge) {
  uint8_t flags = edge >> 5;
  return flags == LWI_EDGE_ANY ? LWI_BORDER_ANY : flags;
}

#endif
