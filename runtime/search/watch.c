#include "search/watch.h"

/* A guess looks at places no further apart. [m] */
#define LOOK 0.7f

/* The part of what is seen that the ground does not hide. */
static float openness(const lwi_watch *watch, lw_area_id area) {
  const lw_area_def *def = lw_area_table_get(watch->mesh->areas, area);
  return def ? 1 - def->concealment : 1;
}

float lwi_watch_price(const lwi_watch *watch, bool rough, uint32_t polygon, lw_vec3 from, lw_vec3 to,
                      lwi_seen *seen) {
  lwi_sight sight = rough ? watch->outlook->sight : watch->sight;
  lw_exposure_query query = rough ? watch->outlook->query : watch->query;
  lw_exposure exposure;
  sight.polygon = polygon;
  query.from = from;
  query.to = to;
  query.exposed_to = seen && !rough ? seen->exposed_to : NULL;
  if (lwi_exposure_find(&sight, &query, watch->memory, watch->room, &exposure) != LW_OK) return -1;
  if (seen) seen->exposed = exposure.exposed;
  return watch->factor * exposure.weighted * openness(watch, watch->mesh->poly_areas[polygon]);
}

float lwi_watch_rate(const lwi_watch *watch, uint32_t polygon, lw_vec3 at) {
  return watch->factor * openness(watch, watch->mesh->poly_areas[polygon]) *
         lwi_outlook_at(watch->outlook, polygon, at);
}

float lwi_watch_guess(const lwi_watch *watch, uint32_t polygon, lw_vec3 from, lw_vec3 to) {
  float length = lwi_distance(from, to), sum = 0;
  int looks = 1 + (int)(length / LOOK);
  for (int i = 0; i < looks; i++)
    sum += lwi_outlook_at(watch->outlook, polygon, lwi_lerp(from, to, ((float)i + 0.5f) / (float)looks));
  return watch->factor * openness(watch, watch->mesh->poly_areas[polygon]) * sum / (float)looks * length;
}
