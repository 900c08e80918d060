/// Taking an off-mesh link: from the step that leaves the ground to the one that is back on it.
#ifndef LW_AGENT_TRAVERSE_H
#define LW_AGENT_TRAVERSE_H

#include "search/path.h"

/// The link that an agent is on. It is taken to its end whatever becomes of the path: nobody turns round in mid-air.
typedef struct lwi_traverse {
  bool active;
  lw_link_kind kind;
  lw_vec3 from;
  lw_location to; ///< Where it ends.
  int navmesh;    ///< Index in the world of the one that it ends on; -1: of the one that it leaves.
  float straight; ///< From end to end. [m]
  float done;     ///< Of it. [m]
  float counted;  ///< What the whole counts for in the path. [m]
} lwi_traverse;

/// Begin with the piece of the path that goes over `link`.
lwi_traverse lwi_traverse_begin(const lw_path *path, const lwi_path_link *link);
/// Go on by at most `budget` metres of the straight line, and take what was used from it; a teleport takes nothing.
/// @param[out] at  Where that leads; the polygon changes with the end.
/// @return Whether it is at its end.
bool lwi_traverse_go(lwi_traverse *traverse, float *budget, lw_location *at);
/// The part of it that is done. [0..1]
float lwi_traverse_progress(const lwi_traverse *traverse);

#endif
