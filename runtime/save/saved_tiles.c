/* The tiles of a world's navmeshes in its file, by content: a world over other navmeshes takes what was saved where the
   tiles under it are the same. */
#include "core/hash.h"
#include "core/status.h"
#include "mesh/tile_map.h"
#include "save/saved.h"

/* --- content ---------------------------------------------------------------------------------------------- */

/* With the names of areas, whose numbers may be others. */
static uint64_t hash_tile(const lw_navmesh *mesh, const lwi_tile *tile) {
  uint64_t hash = lwi_tile_hash(mesh, tile);
  for (uint32_t i = 0; i < tile->polygon_count; i++) {
    const char *name = lw_area_table_get(mesh->areas, mesh->polygons.areas[tile->first_polygon + i])->name;
    hash = lwi_hash(hash, name, strlen(name));
  }
  return hash;
}

/* --- writing and reading ---------------------------------------------------------------------------------- */

void lwi_saved_put_tiles(lwi_bytes *to, const lw_world *world) {
  for (int i = 0; i < world->scene.nav_count; i++) {
    const lw_navmesh *base = world->scene.navs[i].base;
    lwi_put_u32(to, base->tiles.count);
    for (uint32_t k = 0; k < base->tiles.count; k++) {
      const lwi_tile *tile = &base->tiles.items[k];
      lwi_put_u32(to, (uint32_t)tile->x);
      lwi_put_u32(to, (uint32_t)tile->z);
      lwi_put_u32(to, tile->polygon_count);
      lwi_put_u64(to, hash_tile(base, tile));
    }
  }
}

/* @return "": no memory. */
static const char *read_list(lw_saved *saved, lwi_reader *from, lwi_saved_tile_list *list) {
  const uint32_t count = lwi_get_u32(from);
  uint64_t polygons = 0;
  for (uint32_t i = 0; i < count && !from->failed; i++) {
    if (!lwi_reserve(&saved->memory, &list->items, &list->capacity, list->count + 1, sizeof *list->items))
      return "";
    lwi_saved_tile tile = {.x = (int32_t)lwi_get_u32(from), .z = (int32_t)lwi_get_u32(from)};
    tile.first = (uint32_t)polygons;
    tile.count = lwi_get_u32(from);
    tile.hash = lwi_get_u64(from);
    polygons += tile.count;
    if (polygons >= LWI_NONE) return "there are too many polygons";
    list->items[list->count++] = tile;
  }
  return NULL;
}

const char *lwi_saved_read_tiles(lw_saved *saved, lwi_reader *from) {
  const char *wrong = NULL;
  saved->tiles.is_there = true;
  for (int i = 0; i < saved->navmesh_count && !wrong && !from->failed; i++)
    wrong = read_list(saved, from, &saved->tiles.lists[i]);
  return wrong;
}

void lwi_saved_tiles_free(lw_saved *saved) {
  for (int i = 0; i < LW_NAVMESHES_MAX; i++) {
    lwi_saved_tile_list *list = &saved->tiles.lists[i];
    lwi_free(&saved->memory, list->items, (size_t)list->capacity * sizeof *list->items);
  }
}

/* --- in a world ------------------------------------------------------------------------------------------- */

bool lwi_saved_is_same(const lw_world *world, const lw_saved *saved, int navmesh) {
  return saved->navmeshes[navmesh] == lwi_navmesh_identity(world->scene.navs[navmesh].base);
}

/* The tile of the file that has a polygon. @return NULL: there is none. */
static const lwi_saved_tile *tile_of(const lwi_saved_tile_list *list, uint32_t polygon) {
  int low = 0, high = list->count;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (list->items[middle].first <= polygon)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0 || polygon - list->items[low - 1].first >= list->items[low - 1].count) return NULL;
  return &list->items[low - 1];
}

static bool is_before(const lwi_tile *tile, const lwi_saved_tile *saved) {
  return tile->z != saved->z ? tile->z < saved->z : tile->x < saved->x;
}

/* The same tile of a navmesh, whose tiles are in the order of the grid. @return NULL: there is none. */
static const lwi_tile *find_tile(const lw_navmesh *base, const lwi_saved_tile *saved) {
  uint32_t low = 0, high = base->tiles.count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (is_before(&base->tiles.items[middle], saved))
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < base->tiles.count; low++) {
    const lwi_tile *tile = &base->tiles.items[low];
    if (tile->x != saved->x || tile->z != saved->z) return NULL;
    if (tile->polygon_count == saved->count && hash_tile(base, tile) == saved->hash) return tile;
  }
  return NULL;
}

uint32_t lwi_saved_polygon(const lw_world *world, const lw_saved *saved, int navmesh, uint32_t polygon) {
  if (navmesh >= world->scene.nav_count || polygon == LWI_NONE || lwi_saved_is_same(world, saved, navmesh))
    return polygon;
  const lwi_saved_tile *of = tile_of(&saved->tiles.lists[navmesh], polygon);
  const lwi_tile *tile = of ? find_tile(world->scene.navs[navmesh].base, of) : NULL;
  return tile ? tile->first_polygon + polygon - of->first : LWI_NONE;
}

uint64_t lwi_saved_place(const lw_world *world, const lw_saved *saved, int navmesh, uint64_t place) {
  if (place == LWI_NO_PLACE) return place;
  const uint32_t polygon = lwi_saved_polygon(world, saved, navmesh, (uint32_t)place);
  return polygon == LWI_NONE ? LWI_NO_PLACE : (place >> 32) << 32 | polygon;
}

/* The navmeshes that a world has, or will have with the states of a file. */
typedef const lw_navmesh *const *bases;

static bool is_as_saved(const lw_saved *saved, bases to, int navmesh) {
  return saved->navmeshes[navmesh] == lwi_navmesh_identity(to[navmesh]);
}

/* Is what an agent of the file stands on the same? */
static lw_status check_agent(const lw_saved *saved, bases to, int index, lw_error *error) {
  const lwi_agent *as = &saved->walks[index].as;
  const uint64_t place = as->link.active ? as->link.to.poly : as->at.poly;
  const int navmesh = as->link.active && as->link.navmesh >= 0 ? as->link.navmesh : as->navmesh;
  if (place == LWI_NO_PLACE || navmesh >= saved->navmesh_count || is_as_saved(saved, to, navmesh)) return LW_OK;
  const lwi_saved_tile *tile = tile_of(&saved->tiles.lists[navmesh], (uint32_t)place);
  if (tile && find_tile(to[navmesh], tile)) return LW_OK;
  return lwi_fail(error, LW_BAD_FILE,
                  "agent %d (%s) stands on tile (%d, %d) of navmesh %d, which differs from the one that it was "
                  "saved over",
                  index + 1, saved->agents[index].profile, tile ? tile->x : 0, tile ? tile->z : 0, navmesh + 1);
}

/* Has each navmesh at least one tile of the one that it was saved over? */
static bool has_common_tiles(const lw_saved *saved, bases to) {
  for (int i = 0; i < saved->navmesh_count; i++) {
    const lwi_saved_tile_list *list = &saved->tiles.lists[i];
    int at = 0;
    while (at < list->count && !find_tile(to[i], &list->items[at])) at++;
    if (at == list->count && !is_as_saved(saved, to, i)) return false;
  }
  return true;
}

lw_status lwi_saved_tiles_fit(const lw_saved *saved, const lw_navmesh *const *to, lw_error *error) {
  bool all_same = true;
  for (int i = 0; i < saved->navmesh_count; i++) all_same = all_same && is_as_saved(saved, to, i);
  if (all_same) return LW_OK;
  if (!saved->tiles.is_there || saved->walk_count < saved->agent_count || !has_common_tiles(saved, to))
    return lwi_fail(error, LW_BAD_FILE, "it was saved over other navmeshes than the world's");
  lw_status status = LW_OK;
  for (int i = 0; i < saved->walk_count && status == LW_OK; i++) status = check_agent(saved, to, i, error);
  return status;
}
