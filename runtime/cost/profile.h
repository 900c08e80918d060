/// A compiled profile: what a search and an agent need of it, by area.
#ifndef LW_COST_PROFILE_H
#define LW_COST_PROFILE_H

#include "core/memory.h"
#include "cost/prices.h"

struct lw_profile {
  lwi_memory memory;
  lw_profile_def def;
  char name[64];
  lwi_prices prices;
  lwi_terms terms[LW_AREA_MAX + 1]; ///< Of a metre on each area; `prices` borrows them.
  bool has_body; ///< `def.body` asks for something: agents avoid each other, or their bodies have limits.
  float speed_factor[LW_AREA_MAX + 1]; ///< On the agent's speed, by area. [> 0]
};

/// Is it of vehicles, which cannot turn in place?
static inline bool lwi_is_vehicle(const lw_profile *profile) {
  return profile->def.body.vehicle.wheelbase > 0;
}
/// @return NULL: it has none.
static inline const lw_trailer *lwi_trailer_of(const lw_profile *profile) {
  const lw_body *body = &profile->def.body;
  return body->vehicle.wheelbase > 0 && body->trailer.length > 0 ? &body->trailer : NULL;
}

#endif
