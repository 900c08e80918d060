/// Links that a world has added to a navmesh, in bounds at prices (price_tables.h): the table knows of none of
/// them, and a path may take any, one after the other.
#ifndef LW_SEARCH_PRICE_LINKS_H
#define LW_SEARCH_PRICE_LINKS_H

#include "search/price_tables.h"

/// A navmesh to which more links were added has no bounds at prices.
#define LWI_PRICE_LINKS_MAX 16

typedef struct lwi_price_link {
  lwi_price_row start, end;
  float cost; ///< At least. [metre-equivalents]
} lwi_price_link;

typedef struct lwi_price_links {
  int count; ///< In one direction each.
  lwi_price_link items[LWI_PRICE_LINKS_MAX];
} lwi_price_links;

/// Add a link between polygons of the base of the table.
void lwi_price_links_add(lwi_price_links *links, const lwi_price_table *table, const lwi_link *link);

/// The goal of a search, and what is left to it from the starts of those links.
typedef struct lwi_price_goal {
  const lwi_price_table *table;
  const lwi_price_links *links; ///< NULL: there are none.
  lwi_price_row goal;
  float left[LWI_PRICE_LINKS_MAX]; ///< [links->count] At least. [metre-equivalents]
} lwi_price_goal;

/// @param polygon  Of the base of the table, in which `at` lies. @param links  Borrowed. NULL: there are none.
void lwi_price_goal_begin(lwi_price_goal *goal, const lwi_price_table *table, const lwi_price_links *links,
                          uint32_t polygon, lw_vec3 at);
/// The lower bound over those links, where it is lower than the one without them. [metre-equivalents]
/// @param here  [LWI_PRICE_LANDMARKS]
float lwi_price_bound_over_links(const lwi_price_goal *goal, const int16_t *here, float bound);

/// Lower bound on the cost between a place and the goal. [metre-equivalents]
/// @param here  [LWI_PRICE_LANDMARKS] Of the place.
static inline float lwi_price_left(const lwi_price_goal *goal, const int16_t *here) {
  const float bound = lwi_price_bound_between(goal->table, here, &goal->goal);
  return goal->links ? lwi_price_bound_over_links(goal, here, bound) : bound;
}

#endif
