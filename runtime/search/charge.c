#include "search/charge.h"

bool lwi_charge(const lwi_charges *charges, uint32_t polygon, lw_vec3 from, lw_vec3 to, lwi_bill *bill) {
  float length = lwi_distance(from, to);
  *bill =
      (lwi_bill){.length = length, .ground = length * lwi_price_on(charges->prices, charges->mesh, polygon)};
  if (charges->lanes) bill->lanes = lwi_lanes_price(charges->lanes, polygon, from, to);
  if (charges->dangers) bill->danger = lwi_dangers_entered(charges->dangers, polygon, from, to);
  if (!charges->watch) return true;
  lwi_seen seen = {.exposed_to = charges->exposed_to};
  bill->seen = lwi_watch_price(charges->watch, charges->rough, polygon, from, to, &seen);
  bill->exposed = seen.exposed;
  return bill->seen >= 0;
}
