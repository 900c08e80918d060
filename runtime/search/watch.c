#include "search/watch.h"

/* A guess looks at places no further apart. [m] */
#define LOOK 1.0f

/* The part of what is seen that the ground does not hide. */
static float openness(const lwi_watch *watch, lw_area_id area) {
  const lw_area_def *def = lw_area_table_get(watch->mesh->areas, area);
  return def ? 1 - def->concealment : 1;
}

float lwi_watch_price(const lwi_watch *watch, uint32_t polygon, lw_vec3 from, lw_vec3 to, lwi_seen *seen) {
  lwi_sight sight = watch->sight;
  lw_exposure_query query = watch->query;
  lw_exposure exposure;
  sight.polygon = polygon;
  query.from = from;
  query.to = to;
  query.exposed_to = seen ? seen->exposed_to : NULL;
  if (lwi_exposure_find(&sight, &query, watch->memory, watch->room, &exposure) != LW_OK) return -1;
  if (seen) seen->exposed = exposure.exposed;
  return watch->factor * exposure.weighted * openness(watch, watch->mesh->poly_areas[polygon]);
}

float lwi_watch_rate(const lwi_watch *watch, lw_vec3 at) {
  return watch->factor * lwi_exposure_guess(watch->guides, watch->scene, &watch->query, at);
}

float lwi_watch_guess(const lwi_watch *watch, lw_vec3 from, float rate_from, lw_vec3 to, float rate_to,
                      lw_area_id area) {
  float length = lwi_distance(from, to), sum = (rate_from + rate_to) / 2;
  int pieces = 1 + (int)(length / LOOK);
  for (int i = 1; i < pieces; i++) sum += lwi_watch_rate(watch, lwi_lerp(from, to, (float)i / (float)pieces));
  return sum / (float)pieces * length * openness(watch, area);
}
