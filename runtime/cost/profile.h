/// A profile compiled: what a search needs of it, by area.
#ifndef LW_COST_PROFILE_H
#define LW_COST_PROFILE_H

#include "core/memory.h"
#include "cost/prices.h"

struct lw_profile {
  lwi_memory memory;
  lw_profile_def def;
  char name[64];
  lwi_prices prices;
  lwi_terms terms[LW_AREA_MAX + 1];    ///< Of a metre on each area.
  float speed_factor[LW_AREA_MAX + 1]; ///< Of the area, on the agent's speed. [> 0]
};

#endif
