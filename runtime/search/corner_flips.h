/// The other side of corners: where a corridor leads round an end of its portals, round the other side of
/// that end it may cost less. A search over few points of each portal ties there.
#ifndef LW_SEARCH_CORNER_FLIPS_H
#define LW_SEARCH_CORNER_FLIPS_H

#include "search/search.h"

/// Lead search->corridor round the other side of corners where that costs less, from the points before them
/// to those behind. @param[out] changed  Whether it is another corridor now.
/// @return false: no memory, and the corridor is not to be used.
bool lwi_flip_corners(lwi_search *search, const lwi_search_query *query, bool *changed);

#endif
