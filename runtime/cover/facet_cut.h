/// What of a level's triangles becomes facets: in pieces of what length, on what lattice, and what is too far away.
#ifndef LW_COVER_FACET_CUT_H
#define LW_COVER_FACET_CUT_H

#include "cover/occluder.h"

/// What a triangle's pieces are no longer than, along each axis, is half of what 16 bits count on the lattice.
#define LWI_MOST_QUANTA 65000

typedef struct lwi_facet_cut {
  lw_box region;  ///< Pieces wholly outside are left out.
  float margin;   ///< How far it reaches about the place; INFINITY: nothing is left out. [m]
  float limit;    ///< Edges that are longer along some axis are halved. [m]
  float quantum;  ///< Of the lattice. [m]
  lw_vec3 origin; ///< The same. [m]
  int pieces;     ///< How many there are.
} lwi_facet_cut;

/// A lattice of a millimetre, if there need not be many more pieces than triangles for it; else what is far from the place is
/// left out, a sky say, as near as LWI_CUT_MARGIN_LEAST; and where that is not enough, the lattice is coarser.
lwi_facet_cut lwi_facet_cut_choose(const lwi_occluder_source *source);
#define LWI_CUT_QUANTUM_LEAST 1e-3f
#define LWI_CUT_MARGIN_LEAST 256.0f

/// What becomes of a triangle or of a piece.
typedef enum lwi_piece {
  LWI_PIECE_WHOLE, ///< A facet.
  LWI_PIECE_CUT,   ///< Two pieces.
  LWI_PIECE_FAR    ///< Nothing.
} lwi_piece;
/// @param[out] halves  Of LWI_PIECE_CUT: its neighbour at that edge is cut at the same place.
lwi_piece lwi_facet_cut_piece(const lwi_facet_cut *cut, const lw_vec3 corners[3], lw_vec3 halves[2][3]);

static inline void lwi_source_corners(const lwi_occluder_source *source, int triangle, lw_vec3 corners[3]) {
  for (int k = 0; k < 3; k++) corners[k] = source->vertices[source->indices[3 * triangle + k]];
}
static inline lw_cover_kind lwi_source_kind(const lwi_occluder_source *source, int triangle) {
  return source->covers ? (lw_cover_kind)source->covers[triangle] : LW_COVER_HARD;
}

#endif
