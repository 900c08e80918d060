#include "search/watch.h"

float lwi_watch_price(const lwi_watch *watch, lw_vec3 from, lw_vec3 to, lw_area_id area, float *exposed) {
  const lw_area_def *def = lw_area_table_get(watch->mesh->areas, area);
  lw_exposure_query query = watch->query;
  lw_exposure seen;
  query.from = from;
  query.to = to;
  if (lwi_exposure_find(&watch->sight, &query, watch->memory, watch->room, &seen) != LW_OK) return -1;
  if (exposed) *exposed = seen.exposed;
  return watch->factor * seen.weighted * (def ? 1 - def->concealment : 1);
}
