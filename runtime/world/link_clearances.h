/// How large a body fits along each link of a world, between what stands there and the level's walls and
/// ceilings: measured when a larger agent than those of the bake first asks, and again after a change near by.
#ifndef LW_WORLD_LINK_CLEARANCES_H
#define LW_WORLD_LINK_CLEARANCES_H

#include "core/platform.h"
#include "core/rectangle_tree.h"
#include "leeward/profile.h"
#include "links/link_clearance.h"
#include "mesh/link_fits.h"

struct lw_world;
struct lwi_link_entry;

/// Of a link.
typedef struct lwi_known_clearance {
  bool is_known;
  bool has_changed;     ///< Searches and agents do not know it yet.
  float radius, height; ///< Up to which it was measured. [m]
  lwi_link_clearance clearance;
} lwi_known_clearance;

/// Of all links.
typedef struct lwi_known_clearances {
  lwi_link_clearances hook; ///< First: the navmeshes have it.
  struct lw_world *world;
  lwi_mutex lock; ///< For what is known. Queries ask at once.
  bool has_lock;
  bool any_known;
  float radius; ///< The widest that was asked for. [m]
} lwi_known_clearances;

/// @return false: the system has no lock to give.
bool lwi_link_clearances_init(struct lw_world *world);
void lwi_link_clearances_free(struct lw_world *world);

/// Do these agents fit along a link?
bool lwi_link_fits_filter(const struct lw_world *world, const struct lwi_link_entry *entry,
                          const lw_filter *filter);
/// @return How many links that may be used otherwise are too narrow or too low for these agents.
int lwi_link_clearances_refusing(const struct lw_world *world, const lw_filter *filter);
/// Nothing is known any more of the links near an obstacle that was put in or taken out.
void lwi_link_clearances_note(struct lw_world *world, lwi_rectangle about);
/// Nothing is known any more of any link.
void lwi_link_clearances_forget(struct lw_world *world);

#endif
