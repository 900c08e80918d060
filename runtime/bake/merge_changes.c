/* What changed from one navmesh to another, put onto a third one: a rebuild onto the navmesh that a
   world has by the time it ends. Ground, what blocks sight, and links and water are merged each by themselves, tile by
   tile; openness polygon by polygon. */
#include "bake/rebuild_known.h"
#include "bake/replaced_sight.h"
#include "core/hash.h"
#include "core/status.h"
#include "mesh/link_notes.h"
#include "mesh/tile_map.h"
#include "sight/occluder.h"

#include <math.h>
#include <string.h>

#define CELLS_MAX (1 << 26)

enum { BEFORE, CHANGED, NOW, SIDES };

/* Tiles of one navmesh at one place: a layer each. */
typedef struct layers {
  uint32_t first, count;
} layers;

typedef struct merging {
  const lw_navmesh *sides[SIDES];
  lwi_memory memory;
  lwi_tile_grid grid;                       /* Where anything may have changed. */
  size_t cells;                             /* of the grid */
  lwi_tile_map to_changed, to_now, between; /* From BEFORE, from BEFORE, from CHANGED to NOW. */
  lwi_changes sights[SIDES];                /* What blocks it, against BEFORE. */
  uint8_t *seen[SIDES];                     /* [cells] 1: other facets than BEFORE. */
  uint64_t *notes[SIDES];                   /* [cells] Sums of hashes of links and water. */
  layers at[SIDES];                         /* At the place that is looked at. */
  lwi_replaced_tile *tiles;                 /* [count] */
  int count, capacity;
} merging;

/* --- the grid --------------------------------------------------------------------------------------------- */

typedef struct range {
  double x0, z0, x1, z1;
} range;

/* The places that a box lies over, its borders included. */
static range range_of(const merging *m, const lw_box *box) {
  const lw_vec3 corner = lwi_grid_corner(m->sides[BEFORE]);
  const double size = (double)m->sides[BEFORE]->tile_size, x = (double)corner.x, z = (double)corner.z;
  return (range){floor(((double)box->min.x - x) / size), floor(((double)box->min.z - z) / size),
                 floor(((double)box->max.x - x) / size), floor(((double)box->max.z - z) / size)};
}

static range unite(range a, range b) {
  return (range){fmin(a.x0, b.x0), fmin(a.z0, b.z0), fmax(a.x1, b.x1), fmax(a.z1, b.z1)};
}

/* @return LW_OK; LW_LIMIT: tiles are too far apart. */
static lw_status lay_grid(merging *m, lw_error *error) {
  range all = {INFINITY, INFINITY, -INFINITY, -INFINITY};
  for (int side = BEFORE; side <= CHANGED; side++)
    for (uint32_t i = 0; i < m->sides[side]->tiles.count; i++) {
      const lwi_tile *tile = &m->sides[side]->tiles.items[i];
      all = unite(all, (range){tile->x, tile->z, tile->x, tile->z});
    }
  for (int i = 0; i < m->sights[CHANGED].count; i++)
    all = unite(all, range_of(m, &m->sights[CHANGED].boxes[i]));
  const double columns = all.x1 - all.x0 + 1, rows = all.z1 - all.z0 + 1;
  if (!(columns * rows <= CELLS_MAX) || !(fabs(all.x0) < 1e9 && fabs(all.z0) < 1e9))
    return lwi_fail(error, LW_LIMIT, "before: its grid has %g x %g tiles, expected at most %d in all", columns,
                    rows, CELLS_MAX);
  m->grid = (lwi_tile_grid){.corner = lwi_grid_corner(m->sides[BEFORE]),
                            .size = (double)m->sides[BEFORE]->tile_size,
                            .x0 = (int)all.x0,
                            .z0 = (int)all.z0,
                            .columns = (int)columns,
                            .rows = (int)rows};
  m->cells = (size_t)m->grid.columns * (size_t)m->grid.rows;
  return LW_OK;
}

/* --- what blocks sight ------------------------------------------------------------------------------------ */

static void mark_box(merging *m, int side, const lw_box *box) {
  const range r = range_of(m, box);
  for (double z = fmax(0, r.z0 - m->grid.z0); z <= fmin(m->grid.rows - 1, r.z1 - m->grid.z0); z++)
    for (double x = fmax(0, r.x0 - m->grid.x0); x <= fmin(m->grid.columns - 1, r.x1 - m->grid.x0); x++)
      m->seen[side][(size_t)z * (size_t)m->grid.columns + (size_t)x] = 1;
}

/* Where occluders cannot be compared facet by facet, anything may have changed. */
static void mark_sight(merging *m) {
  for (int side = CHANGED; side <= NOW; side++) {
    for (int i = 0; i < m->sights[side].count; i++) mark_box(m, side, &m->sights[side].boxes[i]);
    if (m->sights[side].all) memset(m->seen[side], 1, m->cells);
  }
}

/* A large facet that was divided differently is no change. That is looked at where both sides have other facets than
   BEFORE. @return false: no memory. */
static bool unmark_same_sight(merging *m) {
  lwi_tile_sight *sights[SIDES] = {NULL};
  const size_t size = m->cells * sizeof(lwi_tile_sight);
  bool done = true, any = false;
  for (size_t i = 0; i < m->cells; i++) any |= m->seen[BEFORE][i] = m->seen[CHANGED][i] & m->seen[NOW][i];
  for (int side = 0; side < SIDES && done && any; side++) {
    sights[side] = lwi_alloc_zero(&m->memory, size);
    done = sights[side] != NULL;
    if (done) lwi_tile_sights_measure(m->sides[side], &m->grid, m->seen[BEFORE], sights[side]);
  }
  for (size_t i = 0; i < m->cells && done && any; i++)
    for (int side = CHANGED; side <= NOW && m->seen[BEFORE][i]; side++)
      m->seen[side][i] = !lwi_tile_sights_are_same(&m->grid, &sights[BEFORE][i], &sights[side][i]);
  for (int side = 0; side < SIDES; side++) lwi_free(&m->memory, sights[side], sights[side] ? size : 0);
  return done;
}

/* --- links and water -------------------------------------------------------------------------------------- */

static void note(merging *m, int side, lw_vec3 at, uint64_t hash) {
  const range r = range_of(m, &(lw_box){at, at});
  const double x = r.x0 - m->grid.x0, z = r.z0 - m->grid.z0;
  if (x >= 0 && z >= 0 && x < m->grid.columns && z < m->grid.rows)
    m->notes[side][(size_t)z * (size_t)m->grid.columns + (size_t)x] += hash;
}

static uint64_t hash_of_link(const lwi_annotations *from, uint32_t index) {
  const lwi_request *link = &from->requests[index];
  const lwi_link_note *more = lwi_link_note_find(from, index);
  const float numbers[] = {link->from.x, link->from.y, link->from.z, link->to.x,
                           link->to.y,   link->to.z,   link->radius, link->length};
  const uint8_t kinds[] = {link->kind, link->area, link->bidirectional};
  uint64_t hash = lwi_hash(lwi_hash(LWI_HASH_SEED, numbers, sizeof numbers), kinds, sizeof kinds);
  if (!more) return hash;
  hash = lwi_hash(hash, &more->capacity, sizeof more->capacity);
  return lwi_hash(hash, more->name, sizeof more->name);
}

static uint64_t hash_of_water(const lwi_annotations *from, const lwi_water *water) {
  const float heights[] = {water->level, water->bottom};
  return lwi_hash(lwi_hash(LWI_HASH_SEED, heights, sizeof heights), from->water_points + water->first_point,
                  water->point_count * sizeof *from->water_points);
}

static void note_all(merging *m, int side) {
  const lwi_annotations *from = &m->sides[side]->annotations;
  for (uint32_t i = 0; i < from->request_count; i++)
    note(m, side, from->requests[i].from, hash_of_link(from, i));
  for (uint32_t i = 0; i < from->water_count; i++)
    note(m, side, lwi_water_middle(from, &from->waters[i]), hash_of_water(from, &from->waters[i]));
}

/* --- tile by tile ----------------------------------------------------------------------------------------- */

/* Advance to a place. Tiles are in the order of the grid. */
static void advance(merging *m, int x, int z) {
  for (int side = 0; side < SIDES; side++) {
    const lwi_mesh_tiles *tiles = &m->sides[side]->tiles;
    layers *at = &m->at[side];
    uint32_t i = at->first + at->count;
    while (i < tiles->count && (tiles->items[i].z < z || (tiles->items[i].z == z && tiles->items[i].x < x)))
      i++;
    *at = (layers){i, 0};
    while (i < tiles->count && tiles->items[i].z == z && tiles->items[i].x == x) i++;
    at->count = i - at->first;
  }
}

static bool is_same_ground(const lwi_tile_map *map, layers before, layers now) {
  if (before.count != now.count) return false;
  for (uint32_t i = 0; i < now.count; i++)
    if (map->from[now.first + i] != before.first + i) return false;
  return true;
}

/* What of a tile only one side has changed is as that side has it. Where both have, the ground decides: it is that of
   the side which changed it. */
static int choose(bool by_rebuild, bool by_others, int side_of_ground) {
  if (!by_rebuild) return NOW;
  return by_others ? side_of_ground : CHANGED;
}

static lw_status merge_tile(merging *m, int x, int z, lw_error *error) {
  const size_t cell = (size_t)(z - m->grid.z0) * (size_t)m->grid.columns + (size_t)(x - m->grid.x0);
  const layers before = m->at[BEFORE], changed = m->at[CHANGED], now = m->at[NOW];
  const bool by_rebuild = !is_same_ground(&m->to_changed, before, changed),
             by_others = !is_same_ground(&m->to_now, before, now);
  if (by_rebuild && by_others && !is_same_ground(&m->between, changed, now))
    return lwi_fail(error, LW_STALE,
                    "tile (%d, %d) has been changed by others meanwhile, expected changes of other tiles: "
                    "rebuild it again",
                    x, z);
  const int ground = by_rebuild && !by_others ? CHANGED : NOW;
  const int sight = choose(m->seen[CHANGED][cell], m->seen[NOW][cell], ground),
            annotations = choose(m->notes[CHANGED][cell] != m->notes[BEFORE][cell],
                                 m->notes[NOW][cell] != m->notes[BEFORE][cell], ground);
  if (ground == NOW && sight == NOW && annotations == NOW) return LW_OK;
  if (!lwi_reserve(&m->memory, &m->tiles, &m->capacity, m->count + 1, sizeof *m->tiles))
    return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  m->tiles[m->count++] = (lwi_replaced_tile){x, z, m->sides[ground], m->sides[sight], m->sides[annotations]};
  return LW_OK;
}

static lw_status merge_tiles(merging *m, lw_error *error) {
  lw_status status = LW_OK;
  for (int z = m->grid.z0; z < m->grid.z0 + m->grid.rows; z++)
    for (int x = m->grid.x0; x < m->grid.x0 + m->grid.columns && status == LW_OK; x++) {
      advance(m, x, z);
      status = merge_tile(m, x, z, error);
    }
  return status;
}

/* --- openness --------------------------------------------------------------------------------------------- */

/* Where both sides have changed it, both differences count, so that it does not matter which came first. */
static uint8_t merge_part(uint8_t before, uint8_t changed, uint8_t now) {
  if (changed == before || changed == now) return now;
  if (now == before) return changed;
  const int both = now + changed - before;
  return (uint8_t)(both < 0 ? 0 : both > UINT8_MAX ? UINT8_MAX : both);
}

/* @param maps  [SIDES] From each side to the result. */
static void merge_openness(const merging *m, const lwi_tile_map *maps, lw_navmesh *result) {
  for (uint32_t i = 0; i < result->tiles.count; i++) {
    const lwi_tile *tile = &result->tiles.items[i], *of[SIDES];
    bool is_everywhere = true;
    for (int side = 0; side < SIDES && is_everywhere; side++) {
      is_everywhere = maps[side].from[i] != LWI_NONE;
      if (is_everywhere) of[side] = &m->sides[side]->tiles.items[maps[side].from[i]];
    }
    for (uint32_t k = 0; k < tile->polygon_count && is_everywhere; k++) {
      uint8_t open[SIDES], depths[2][SIDES];
      for (int side = 0; side < SIDES; side++) {
        const lwi_mesh_polygons *polygons = &m->sides[side]->polygons;
        open[side] = polygons->openness[of[side]->first_polygon + k];
        for (int end = 0; end < 2; end++)
          depths[end][side] = polygons->depths[2 * (size_t)(of[side]->first_polygon + k) + (size_t)end];
      }
      const uint32_t polygon = tile->first_polygon + k;
      result->polygons.openness[polygon] = merge_part(open[BEFORE], open[CHANGED], open[NOW]);
      for (int end = 0; end < 2; end++)
        result->polygons.depths[2 * (size_t)polygon + (size_t)end] =
            merge_part(depths[end][BEFORE], depths[end][CHANGED], depths[end][NOW]);
    }
  }
}

static bool finish(merging *m, lw_navmesh *result) {
  lwi_tile_map maps[SIDES] = {{.before = NULL}};
  bool done = true;
  for (int side = 0; side < SIDES && done; side++)
    done = lwi_tile_map_make(&maps[side], m->sides[side], result, &m->memory);
  if (done) merge_openness(m, maps, result);
  for (int side = 0; side < SIDES; side++) lwi_tile_map_free(&maps[side], &m->memory);
  return done;
}

/* --- all of it -------------------------------------------------------------------------------------------- */

static lw_status check(const lw_navmesh *const sides[SIDES], lw_error *error) {
  static const char *const names[SIDES] = {"before", "changed", "now"};
  for (int side = 0; side < SIDES; side++)
    if (!sides[side]) return lwi_fail_null(error, names[side]);
  for (int side = 0; side < SIDES; side++) {
    const lw_navmesh *mesh = lwi_base_of(sides[side]);
    lw_error wrong;
    lw_status status = lwi_check_has_grid(mesh, &wrong);
    if (status == LW_OK && side != BEFORE)
      status = lwi_check_same_grid(lwi_base_of(sides[BEFORE]), mesh, &wrong);
    if (status != LW_OK) return lwi_fail(error, status, "%s: %s", names[side], wrong.text);
    if (side == BEFORE) continue;
    status = lwi_check_sight(mesh, names[side], error);
    if (status != LW_OK) return status;
  }
  return LW_OK;
}

static bool compare_sides(merging *m) {
  const lw_navmesh *before = m->sides[BEFORE], *changed = m->sides[CHANGED], *now = m->sides[NOW];
  const lwi_occluders *blocked = lwi_occluders_of(before);
  for (int side = 0; side < SIDES; side++) m->sights[side].memory = &m->memory;
  return lwi_tile_map_make(&m->to_changed, before, changed, &m->memory) &&
         lwi_tile_map_make(&m->to_now, before, now, &m->memory) &&
         lwi_tile_map_make(&m->between, changed, now, &m->memory) &&
         lwi_changes_find(&m->sights[CHANGED], blocked, lwi_occluders_of(changed)) &&
         lwi_changes_find(&m->sights[NOW], blocked, lwi_occluders_of(now));
}

static bool mark_all(merging *m) {
  for (int side = 0; side < SIDES; side++) {
    m->seen[side] = lwi_alloc_zero(&m->memory, m->cells);
    m->notes[side] = lwi_alloc_zero(&m->memory, m->cells * sizeof *m->notes[side]);
    if (!m->seen[side] || !m->notes[side]) return false;
    note_all(m, side);
  }
  mark_sight(m);
  return unmark_same_sight(m);
}

static void free_all(merging *m) {
  for (int side = 0; side < SIDES; side++) {
    lwi_free(&m->memory, m->seen[side], m->seen[side] ? m->cells : 0);
    lwi_free(&m->memory, m->notes[side], m->notes[side] ? m->cells * sizeof *m->notes[side] : 0);
    if (m->sights[side].memory) lwi_changes_free(&m->sights[side]);
  }
  lwi_tile_map_free(&m->to_changed, &m->memory);
  lwi_tile_map_free(&m->to_now, &m->memory);
  lwi_tile_map_free(&m->between, &m->memory);
  lwi_free(&m->memory, m->tiles, (size_t)m->capacity * sizeof *m->tiles);
}

static lw_status merge(merging *m, const lw_allocator *allocator, lw_navmesh **result, lw_error *error) {
  if (!compare_sides(m)) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  lw_status status = lay_grid(m, error);
  if (status != LW_OK) return status;
  if (!mark_all(m)) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  status = merge_tiles(m, error);
  if (status == LW_OK) status = lwi_replace_tiles(m->sides[NOW], m->tiles, m->count, allocator, result, error);
  if (status != LW_OK || finish(m, *result)) return status;
  lw_navmesh_destroy(*result);
  *result = NULL;
  return lwi_fail_status(error, LW_OUT_OF_MEMORY);
}

lw_status lw_navmesh_merge_changes(const lw_navmesh *before, const lw_navmesh *changed, const lw_navmesh *now,
                                   const lw_allocator *allocator, lw_navmesh **result, lw_error *error) {
  const lw_navmesh *const sides[SIDES] = {before, changed, now};
  if (!result) return lwi_fail_null(error, "result");
  *result = NULL;
  lw_status status = check(sides, error);
  if (status != LW_OK) return status;
  merging m = {.memory = lwi_memory_make(allocator)};
  for (int side = 0; side < SIDES; side++) m.sides[side] = lwi_base_of(sides[side]);
  status = merge(&m, allocator, result, error);
  free_all(&m);
  return status;
}
