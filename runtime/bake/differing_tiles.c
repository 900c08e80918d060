/* The tiles that two bakes of one grid do not have in common. */
#include "bake/replace_tiles.h"
#include "bake/sight_difference.h"
#include "core/status.h"
#include "mesh/tile_map.h"

/* What two navmeshes have in common. */
typedef struct comparison {
  lwi_tile_map map;
  lwi_sight_difference sight; /* by tile */
  lw_tile_change *tiles;
  int capacity, count, last_x, last_z;
} comparison;

static void add(comparison *c, const lwi_tile *tile) {
  if (c->count > 0 && c->last_x == tile->x && c->last_z == tile->z) return; /* a layer of the same tile */
  c->last_x = tile->x;
  c->last_z = tile->z;
  if (c->count < c->capacity) c->tiles[c->count] = (lw_tile_change){tile->x, tile->z, c->map.now};
  c->count += 1;
}

/* Is what blocks sight over a tile the same? If the two cannot be compared, openness has to tell. */
static bool is_as_seen(const comparison *c, const lwi_tile *tile) {
  return c->sight.all || !lwi_sight_difference_has(&c->sight, tile->x, tile->z);
}

static bool is_before(const lwi_tile *a, const lwi_tile *b) {
  return a->z != b->z ? a->z < b->z : a->x < b->x;
}

/* Both lists of tiles are in the order of the grid. */
static void compare(comparison *c) {
  const lw_navmesh *before = c->map.before, *now = c->map.now;
  uint32_t k = 0;
  for (uint32_t i = 0; i < now->tiles.count; i++) {
    const lwi_tile *tile = &now->tiles.items[i];
    for (; k < before->tiles.count && is_before(&before->tiles.items[k], tile); k++)
      if (c->map.to[k] == LWI_NONE) add(c, &before->tiles.items[k]);
    const bool is_at_place = k < before->tiles.count && !is_before(tile, &before->tiles.items[k]);
    if (c->map.from[i] == LWI_NONE ||
        !lwi_tile_is_as_open(before, &before->tiles.items[c->map.from[i]], now, tile) || !is_as_seen(c, tile))
      add(c, tile);
    k += is_at_place;
  }
  for (; k < before->tiles.count; k++) add(c, &before->tiles.items[k]);
}

lw_status lw_navmesh_differing_tiles(const lw_navmesh *navmesh, const lw_navmesh *other, lw_tile_change *tiles,
                                     int capacity, int *count, lw_error *error) {
  if (!count) return lwi_fail_null(error, "count");
  *count = 0;
  if (!navmesh) return lwi_fail_null(error, "navmesh");
  if (!other) return lwi_fail_null(error, "other");
  if (!tiles && capacity > 0) return lwi_fail_null(error, "tiles");
  const lw_navmesh *before = lwi_base_of(navmesh), *now = lwi_base_of(other);
  lw_status status = lwi_check_has_grid(before, error);
  lw_error wrong;
  if (status != LW_OK) return status;
  if (now->part.total > 0 || lwi_check_same_grid(before, now, &wrong) != LW_OK)
    return lwi_fail(error, LW_INVALID, "other: %s",
                    now->part.total > 0 ? "it is a part of a bake, expected a whole one" : wrong.text);
  lwi_memory memory = lwi_memory_make(&before->memory.allocator);
  comparison c = {.sight = {.memory = &memory}, .tiles = tiles, .capacity = capacity};
  if (!lwi_tile_map_make(&c.map, before, now, &memory)) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  if (lwi_sight_difference_find(&c.sight, lwi_occluders_of(before), lwi_occluders_of(now),
                                lwi_grid_corner(before), before->tile_size))
    compare(&c);
  else
    status = lwi_fail_status(error, LW_OUT_OF_MEMORY);
  *count = status == LW_OK ? c.count : 0;
  lwi_sight_difference_free(&c.sight);
  lwi_tile_map_free(&c.map, &memory);
  return status;
}
