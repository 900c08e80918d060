/// The terms of a price: what it is the sum of.
#ifndef LW_COST_TERMS_H
#define LW_COST_TERMS_H

#include "leeward/explain.h"

typedef struct lwi_terms {
  float of[LW_COST_TERM_COUNT]; ///< [metre-equivalents]
} lwi_terms;

/// Those of a metre that depend on profile and area alone (DESIGN, the cost model). The compiled price is their sum: a term
/// is told here and nowhere else.
lwi_terms lwi_terms_on_area(const lw_profile_def *def, const lw_area_def *area, lw_area_id id);

static inline float lwi_terms_sum(const lwi_terms *terms) {
  float sum = 0;
  for (int i = 0; i < LW_COST_TERM_COUNT; i++) sum += terms->of[i];
  return sum;
}

/// to += factor * terms
static inline void lwi_terms_add(lwi_terms *to, const lwi_terms *terms, float factor) {
  for (int i = 0; i < LW_COST_TERM_COUNT; i++) to->of[i] += factor * terms->of[i];
}

#endif
