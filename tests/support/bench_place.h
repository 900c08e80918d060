/// Where benches ask: the shared levels and grids, each beside Detour on the same polygons.
#ifndef LW_TESTS_BENCH_PLACE_H
#define LW_TESTS_BENCH_PLACE_H

#include "grids.h"
#include "levels.h"
#include "mesh/mesh.h"
#include "peer_mesh.h"

#include "leeward/world.h"

/// A navmesh of ours and a world on it.
typedef struct bench_mesh {
  lw_navmesh *mesh;
  lw_world *world;
} bench_mesh;

typedef struct bench_place {
  const char *name;
  bench_mesh same;  ///< Polygons that Detour has too.
  bench_mesh whole; ///< Grids: as in the file, with up to 255 corners a polygon. Levels: NULLs.
  peer *detour;
  const lw_geometry *geometry; ///< Of a level; NULL: a grid.
} bench_place;

/// Called with each place in turn, levels first; it is closed afterwards.
typedef void (*bench_visit)(bench_place *place, void *user);
/// Prints the name of what cannot be opened. @return How many were opened; 0 as well when one that exists was
/// not.
int bench_places(bench_visit visit, void *user);

/// @return A place drawn uniformly by area.
lw_location bench_draw(const bench_mesh *on);

#endif
