#include "search/watch.h"

float lwi_watch_price(const lwi_watch *watch, lw_vec3 from, lw_vec3 to, lw_area_id area, lwi_seen *seen) {
  const lw_area_def *def = lw_area_table_get(watch->mesh->areas, area);
  lw_exposure_query query = watch->query;
  lw_exposure exposure;
  query.from = from;
  query.to = to;
  query.exposed_to = seen ? seen->exposed_to : NULL;
  if (lwi_exposure_find(&watch->sight, &query, watch->memory, watch->room, &exposure) != LW_OK) return -1;
  if (seen) seen->exposed = exposure.exposed;
  return watch->factor * exposure.weighted * (def ? 1 - def->concealment : 1);
}
