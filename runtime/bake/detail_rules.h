/// Where a bake cuts polygons smaller: within marks for detail, and near cover segments.
#ifndef LW_BAKE_DETAIL_RULES_H
#define LW_BAKE_DETAIL_RULES_H

#include "core/rectangle_tree.h"
#include "geometry/geometry.h"
#include "leeward/bake.h"
#include "mesh/mesh.h"

/// Edges may be longer than asked for by this part: cut lines pass through corners that lie beside them.
#define LWI_DETAIL_SLACK 0.05f

/// Ground whose polygons are to have edges of at most `max_edge`.
typedef struct lwi_detail_rule {
  const lw_vec3 *points; ///< [count] A convex polygon, counter-clockwise, or the two ends of a line. Borrowed.
  int count;
  float reach;       ///< Around a line. [m]
  float bottom, top; ///< Ground between these heights. [m] May be infinite.
  float max_edge;    ///< In xz. [m]
} lwi_detail_rule;

/// Begin with zeros and `memory`. Once they are complete, any number of threads may ask.
typedef struct lwi_detail_rules {
  lwi_memory *memory;
  lwi_detail_rule *items; ///< [count]
  int count, capacity;
  lwi_rectangle_tree tree;
} lwi_detail_rules;

/// Add a geometry's marks. @param bounds  Within which ground is baked.
/// @return LW_OK; LW_LIMIT: they ask for too many polygons; LW_OUT_OF_MEMORY.
lw_status lwi_detail_rules_add_marks(lwi_detail_rules *rules, const lw_geometry *geometry, const lw_box *bounds,
                                     lw_error *error);
/// Add the surroundings of a navmesh's cover segments, which must stay.
/// @return As above.
lw_status lwi_detail_rules_add_cover(lwi_detail_rules *rules, const lw_navmesh *navmesh,
                                     const lw_bake_cover *settings, lw_error *error);
void lwi_detail_rules_free(lwi_detail_rules *rules);

/// A convex polygon, and the heights of its surface.
typedef struct lwi_detail_ground {
  const lw_vec3 *corners; ///< [count] Counter-clockwise seen from above.
  int count;
  float low, high; ///< [m]
} lwi_detail_ground;
/// @return The least `max_edge` of the rules that hold for a part of the ground; infinite: none does.
float lwi_detail_rules_ask(const lwi_detail_rules *rules, const lwi_detail_ground *ground);

#endif
