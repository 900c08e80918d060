/// What a body passes through on a jump, a drop or a ladder, as the bake sweeps it, and whether an obstacle
/// stands there.
#ifndef LW_LINKS_LINK_ARC_H
#define LW_LINKS_LINK_ARC_H

#include "leeward/link.h"
#include "links/jump_arc.h"
#include "mesh/footprint.h"

typedef struct lwi_link_arc {
  lw_vec3 points[LWI_JUMP_PARTS + 1]; ///< [parts + 1] Of the feet.
  int parts;                          ///< 0: the link leads through no air.
  lw_box box;                         ///< Of the points.
} lwi_link_arc;

/// A drop leads out over its end, and straight down.
lwi_link_arc lwi_link_arc_of(lw_link_kind kind, lw_vec3 from, lw_vec3 to);

/// The agents of a navmesh.
typedef struct lwi_arc_body {
  float radius; ///< By which footprints are grown. [m]
  float height; ///< [m]
  float step;   ///< What it may step over, above its feet. [m]
} lwi_arc_body;

/// Does the body touch what a footprint takes up, but for its edge?
bool lwi_link_arc_meets(const lwi_link_arc *arc, const lwi_arc_body *body, const lwi_footprint *footprint);

#endif
