/// @file link.h
/// Off-mesh links: jumps, drops, ladders, teleports, doors and waypoints.
///
/// Threads: the functions of this header may run on any thread.
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
  LW_LINK_NONE = LW_LINK_KIND_COUNT ///< No link: over the surface.
} lw_link_kind;
/// @return "jump", "drop", "ladder", "teleport", "door", "waypoint" or "none". Static storage.
LW_API const char *lw_link_kind_name(lw_link_kind kind);

/// A connection between two places that no ground joins. Start from lw_link_def_default().
typedef struct lw_link_def {
  lw_link_kind kind;  ///< [default LW_LINK_JUMP]
  lw_vec3 from;       ///< Where it starts, moved onto the navmesh within `radius`. [m]
  lw_vec3 to;         ///< Where it ends, moved onto the navmesh within `radius`. [m]
  bool bidirectional; ///< Also leads from `to` to `from`. [default false]
  float radius;       ///< How far, in 3D, each end may be moved. [m, > 0, default 1]
  float length;       ///< What it adds to the length of a path. [m, >= 0; default -1: the straight distance]
  /// Priced as this area, and only for agents that may enter it. [default LW_AREA_NONE: priced as the average
  /// of both ends]
  lw_area_id area;
  uint32_t cookie; ///< Set by lw_link_def_default(). Do not set.
} lw_link_def;
/// @return The defaults of all fields.
LW_API lw_link_def lw_link_def_default(void);

#ifdef __cplusplus
}
#endif
#endif
