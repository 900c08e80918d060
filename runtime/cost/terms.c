#include "cost/terms.h"

const char *lw_cost_term_name(lw_cost_term term) {
  static const char *const names[] = {
#define X(name, text) text,
      LW_COST_TERM_LIST(X)
#undef X
  };
  return (unsigned)term < LW_COST_TERM_COUNT ? names[term] : "?";
}

lwi_terms lwi_terms_on_area(const lw_profile_def *def, const lw_area_def *area, lw_area_id id) {
  return (lwi_terms){{
      [LW_TERM_LENGTH] = 1,
      [LW_TERM_RESISTANCE] = def->resistance_factor[area->type] * area->resistance,
      [LW_TERM_WATER] = def->swim_resistance_factor * area->deep_water,
      [LW_TERM_UNSAFE] = def->safety_bias * area->unsafe,
      [LW_TERM_AREA] = def->area_factor[id],
  }};
}
