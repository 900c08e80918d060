/// Facets: a level's triangles merged into convex polygons on a lattice. Large triangles are cut first, and
/// what is too far away is left out.
#ifndef LW_BAKE_FACETS_H
#define LW_BAKE_FACETS_H

#include "sight/occluder.h"

/// The triangles that block sight. All arrays are borrowed for the call.
typedef struct lwi_occluder_source {
  const lw_vec3 *vertices;
  const int *indices; ///< [3 * triangle_count]
  int triangle_count;
  const uint8_t *covers; ///< [triangle_count] lw_cover_kind; LW_COVER_NONE is left out. NULL: all are hard.
  /// Where ground may be: occluders far from it may be left out (lwi_facet_cut_choose()). NULL: nothing is left
  /// out.
  const lw_box *place;
  /// Facets of other occluders, which stay as they are, all on the lattice below. Triangles are put onto it,
  /// too, and merged among themselves. NULL if there are none.
  const lwi_occluder_facet *finished;
  int finished_count;
  float quantum;  ///< Of the lattice. 0: it is chosen, and nothing is finished. [m]
  lw_vec3 origin; ///< Of the lattice. [m]
} lwi_occluder_source;

/// A convex polygon on the lattice.
typedef struct lwi_facet {
  uint32_t corners[LWI_OCCLUDER_CORNERS]; ///< Numbers of lattice points.
  uint8_t count;
  uint8_t kind; ///< lw_cover_kind
} lwi_facet;

/// Facets, and the lattice points that they use.
typedef struct lwi_facets {
  lwi_memory *memory;
  lw_vec3 origin;
  float quantum; ///< The lattice's spacing. [m]
  int point_count, point_capacity;
  int32_t (*points)[3]; ///< [point_count] In quanta from the origin.
  int count, capacity;
  lwi_facet *facets; ///< [count]
} lwi_facets;

/// Weld the triangles' corners onto the lattice, and merge triangles while the result is convex, flat within a
/// centimetre and has at most LWI_OCCLUDER_CORNERS corners. @return false: out of memory. Free it either way.
bool lwi_facets_make(lwi_facets *facets, const lwi_occluder_source *source, lwi_memory *memory);
void lwi_facets_free(lwi_facets *facets);

/// Facets span at most this many quanta along each axis (16 bits); pieces of triangles at most half as many.
#define LWI_QUANTA_MAX 65000

typedef struct lwi_facet_cut {
  lw_box region;  ///< Pieces that lie wholly outside are left out.
  float margin;   ///< How far `region` reaches beyond the place; INFINITY: nothing is left out. [m]
  float limit;    ///< Edges longer than this along some axis are halved. [m]
  float quantum;  ///< The lattice's spacing. [m]
  lw_vec3 origin; ///< The lattice's origin. [m]
  int pieces;     ///< How many pieces there are.
} lwi_facet_cut;

/// Choose the lattice: spaced LWI_CUT_QUANTUM_MIN if that needs few more pieces than there are triangles. Else
/// what is far from the place is left out (a sky, say), down to LWI_CUT_MARGIN_MIN; and if that is not enough,
/// the lattice is coarser.
lwi_facet_cut lwi_facet_cut_choose(const lwi_occluder_source *source);
#define LWI_CUT_QUANTUM_MIN 1e-3f
#define LWI_CUT_MARGIN_MIN 256.0f

/// What to do with a triangle or a piece of one.
typedef enum lwi_facet_piece {
  LWI_PIECE_WHOLE, ///< It becomes a facet.
  LWI_PIECE_CUT,   ///< It is cut in two.
  LWI_PIECE_FAR    ///< It is left out.
} lwi_facet_piece;
/// @param[out] halves  Set for LWI_PIECE_CUT. A neighbour at the cut edge is cut at the same point.
lwi_facet_piece lwi_facet_cut_piece(const lwi_facet_cut *cut, const lw_vec3 corners[3], lw_vec3 halves[2][3]);

static inline void lwi_source_corners(const lwi_occluder_source *source, int triangle, lw_vec3 corners[3]) {
  for (int k = 0; k < 3; k++) corners[k] = source->vertices[source->indices[3 * triangle + k]];
}
static inline lw_cover_kind lwi_source_kind(const lwi_occluder_source *source, int triangle) {
  return source->covers ? (lw_cover_kind)source->covers[triangle] : LW_COVER_HARD;
}

#endif
