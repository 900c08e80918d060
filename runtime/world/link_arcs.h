/// Which off-mesh links of a world obstacles bar, as they stand where the body would fly or climb. Links and
/// obstacles are found by place, so that a change costs what lies near it.
#ifndef LW_WORLD_LINK_ARCS_H
#define LW_WORLD_LINK_ARCS_H

#include "core/rectangle_tree.h"
#include "links/link_arc.h"
#include "world/link_clearances.h"

struct lw_world;
struct lwi_link_entry;

typedef struct lwi_link_arcs {
  lwi_rectangle_tree links;     ///< Slots of jumps, drops and ladders.
  lwi_rectangle_tree obstacles; ///< Slots of what is cut out. Only where `has_links`.
  bool has_links;               ///< There was such a link.
  bool any_blocked;             ///< Some link was.
  /// The trees, and what the links count, are up to date. They are not until there is an obstacle.
  bool is_known;
  lwi_known_clearances clearances;
} lwi_link_arcs;

/// The arc of a link. @return With no parts: the link leads through no air, or has no place.
lwi_link_arc lwi_link_arc_placed(const struct lw_world *world, const struct lwi_link_entry *entry);
/// The agents of the link's navmesh; of several the largest.
lwi_arc_body lwi_link_arc_body(const struct lw_world *world, const struct lwi_link_entry *entry);

/// Count whatever is not known. Links whose state that changes are noted as changed. @return false: no memory.
bool lwi_link_arcs_settle(struct lw_world *world);
/// All is to be counted again: links lie elsewhere, or obstacles came or went without lwi_link_arcs_note().
void lwi_link_arcs_forget(struct lw_world *world);
/// A link has a place. @return false: no memory.
bool lwi_link_arcs_add(struct lw_world *world, uint32_t slot);
void lwi_link_arcs_remove(struct lw_world *world, uint32_t slot);
/// An obstacle is cut out where it is, or is going to be taken out.
void lwi_link_arcs_note(struct lw_world *world, uint32_t obstacle, bool is_put_in);
void lwi_link_arcs_free(struct lw_world *world);

#endif
