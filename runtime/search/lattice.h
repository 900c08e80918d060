/// Points inside large polygons at which watched paths may turn.
#ifndef LW_SEARCH_LATTICE_H
#define LW_SEARCH_LATTICE_H

#include "search/cost_model.h"

/// A lattice of points inside a large polygon, at which a watched path may turn: portals alone lie too far
/// apart to stay behind cover between them.
typedef struct lwi_lattice {
  const lw_navmesh *mesh;
  uint32_t polygon;
  int columns, rows;    ///< Along x, along z. 0: the polygon is too small, or exposure hardly varies in it.
  float x, z;           ///< Of the first point. [m]
  float step_x, step_z; ///< [m]
} lwi_lattice;

/// @param cost_model  With lwi_cost_has_estimate(). @param distance  From start to goal. [m]
/// @return No columns: it would not be worth it.
lwi_lattice lwi_lattice_of(const lwi_cost_model *cost_model, uint32_t index, float distance);
/// Lattice point `i`, row by row, on the surface. @return false: it is outside the polygon.
bool lwi_lattice_point(const lwi_lattice *lattice, int i, lw_vec3 *at);
/// The lattice points to go to from lattice point `i`. @param[out] next  [16] @return How many.
int lwi_lattice_next(const lwi_lattice *lattice, int i, int *next);
/// The lattice points about any other point. @param[out] next  [16] @return How many.
int lwi_lattice_about(const lwi_lattice *lattice, lw_vec3 at, int *next);
/// The range of a lattice step. Portals further away are reached over other points. [m]
float lwi_lattice_reach(const lwi_lattice *lattice);

#endif
