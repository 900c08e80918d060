#include "search/drive_flood.h"

#include "core/hash.h"
#include "core/vec3.h"

#include <math.h>

#define CELL 1.0f  /* [m] */
#define FLOOR 2.0f /* heights of two floors differ by more [m] */
#define PLACES_MAX 30000
/* It goes on beyond the start for drives that go back first. [metre-equivalents] */
#define BEYOND 30.0f
/* A place that is not flooded lies so near to a flooded one. [m] */
#define NEAR 2

void lwi_drive_flood_free(lwi_drive_flood *flood) {
  if (!flood->memory) return;
  lwi_free(flood->memory, flood->places, (size_t)flood->capacity * sizeof *flood->places);
  lwi_hash_index_free(&flood->cells, flood->memory);
  lwi_heap_free(&flood->open, flood->memory);
}

static uint64_t cell_of(lw_vec3 at) {
  const int32_t words[] = {(int32_t)floorf(at.x / CELL), (int32_t)floorf(at.z / CELL),
                           (int32_t)floorf(at.y / FLOOR)};
  return lwi_hash(LWI_HASH_SEED, words, sizeof words);
}

/* @return false: no memory. */
static bool add(lwi_drive_flood *flood, lw_location at, float cost) {
  const uint64_t cell = cell_of(at.point);
  const uint32_t known = lwi_hash_index_find(&flood->cells, cell), index = (uint32_t)flood->count;
  if (known != LWI_NO_ITEM && flood->places[known].cost <= cost) return true;
  if (!lwi_reserve(flood->memory, &flood->places, &flood->capacity, flood->count + 1, sizeof *flood->places))
    return false;
  if (known != LWI_NO_ITEM) lwi_hash_index_remove(&flood->cells, cell, known);
  flood->places[flood->count++] = (lwi_drive_place){at, cost};
  return lwi_hash_index_add(&flood->cells, flood->memory, cell, index) &&
         lwi_heap_push(&flood->open, flood->memory, cost, index);
}

static bool is_blocked(const lwi_drive_body *body, lw_vec3 at) {
  const lwi_body_area own = lwi_body_area_disc(at, body->box.half_width);
  for (int i = 0; i < body->block_count; i++)
    if (lwi_body_area_gap(&own, &body->blocks[i].body) < body->blocks[i].gap) return true;
  return false;
}

/* Go on to a place beside another one. @return false: no memory. */
static bool spread(lwi_drive_flood *flood, const lwi_drive_body *body, lwi_drive_place from, int x, int z) {
  lw_raycast ray;
  const lw_vec3 to = {(floorf(from.at.point.x / CELL) + (float)x + 0.5f) * CELL, from.at.point.y,
                      (floorf(from.at.point.z / CELL) + (float)z + 0.5f) * CELL};
  if (is_blocked(body, to)) return true;
  if (lw_navmesh_raycast(body->mesh, from.at, to, &body->prices->filter, &ray) != LW_OK || ray.hit) return true;
  const uint32_t polygon = lwi_poly_index(body->mesh, ray.at.poly);
  const float price = polygon == LWI_NONE ? INFINITY : lwi_price_on(body->prices, body->mesh, polygon);
  if (!(price < INFINITY)) return true;
  return add(flood, ray.at, from.cost + price * lwi_distance_xz(from.at.point, ray.at.point));
}

bool lwi_drive_flood_run(lwi_drive_flood *flood, const lwi_drive_body *body, lw_location goal, lw_vec3 to) {
  lwi_heap_entry entry;
  float end = INFINITY;
  flood->count = flood->open.count = 0;
  lwi_hash_index_clear(&flood->cells);
  bool good = add(flood, goal, 0);
  while (good && flood->count < PLACES_MAX && lwi_heap_pop(&flood->open, &entry) && entry.key < end) {
    const lwi_drive_place from = flood->places[entry.item];
    if (from.cost < entry.key) continue;
    if (lwi_distance_xz(from.at.point, to) < 2 * CELL && end == INFINITY) end = from.cost + BEYOND;
    for (int i = 0; i < 9 && good; i++)
      if (i != 4) good = spread(flood, body, from, i % 3 - 1, i / 3 - 1);
  }
  if (!good) flood->count = 0;
  if (!good) lwi_hash_index_clear(&flood->cells);
  return good;
}

float lwi_drive_flood_rest(const lwi_drive_flood *flood, lw_vec3 at) {
  float lowest = INFINITY;
  for (int z = -NEAR; z <= NEAR; z++)
    for (int x = -NEAR; x <= NEAR; x++) {
      const lw_vec3 beside = {at.x + (float)x * CELL, at.y, at.z + (float)z * CELL};
      const uint32_t found = lwi_hash_index_find(&flood->cells, cell_of(beside));
      if (found == LWI_NO_ITEM) continue;
      const lwi_drive_place *place = &flood->places[found];
      lowest = fminf(lowest, place->cost + lwi_distance_xz(place->at.point, at));
      if (x == 0 && z == 0) return place->cost;
    }
  return lowest;
}
