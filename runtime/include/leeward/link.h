/// @file link.h
/// Off-mesh links: jumps, drops, ladders, teleports, doors and waypoints.
#ifndef LEEWARD_LINK_H
#define LEEWARD_LINK_H

#include "leeward/area.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What an off-mesh link is, and so how an agent takes it.
typedef enum lw_link_kind {
  LW_LINK_JUMP,
  LW_LINK_DROP,
  LW_LINK_LADDER,
  LW_LINK_TELEPORT,
  LW_LINK_DOOR,
  LW_LINK_WAYPOINT,
  LW_LINK_KIND_COUNT,
  LW_LINK_NONE = LW_LINK_KIND_COUNT ///< No link, but the ground.
} lw_link_kind;
/// @return "jump", "drop", "ladder", "teleport", "door", "waypoint" or "none". Static storage.
LW_API const char *lw_link_kind_name(lw_link_kind kind);

/// A way between two places that no ground joins. Start from lw_link_def_default().
typedef struct lw_link_def {
  lw_link_kind kind;  ///< [default LW_LINK_JUMP]
  lw_vec3 from, to;   ///< Moved onto the navmesh within `radius`. [m]
  bool bidirectional; ///< Also from `to` to `from`. [default false]
  float radius;       ///< How far, in 3D, each end may be moved. [m, > 0, default 1]
  float length;       ///< What it counts for in a path. [m, >= 0; default -1: the straight distance]
  lw_area_id
      area; ///< Priced as this area, and for those who may enter it. [default LW_AREA_NONE: priced as the
            ///< average of both ends]
  uint32_t cookie; ///< Set by lw_link_def_default(). Do not set.
} lw_link_def;
LW_API lw_link_def lw_link_def_default(void);

#ifdef __cplusplus
}
#endif
#endif
