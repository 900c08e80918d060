/* A navmesh with some of its tiles taken from others of the same grid: streaming, editing, permutations. Nothing is baked
   again: polygons are copied and joined, what blocks sight is cut along the borders of tiles, and cover is found
   again. */
#include "bake/replace_tiles.h"

#include "bake/bake_cover.h"
#include "bake/replaced_sight.h"
#include "cover/segments.h"
#include "core/parallel.h"
#include "core/platform.h"
#include "core/sort.h"
#include "core/status.h"
#include "mesh/known.h"
#include "mesh/link_notes.h"
#include "mesh/sources.h"
#include "mesh/tile_map.h"
#include "sight/cover_map.h"
#include "sight/visibility_table.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- the request ------------------------------------------------------------------------------------------ */

static bool is_near(float a, float b) {
  return fabsf(a - b) <= 1e-3f + 1e-6f * fabsf(a);
}

lw_vec3 lwi_grid_corner(const lw_navmesh *mesh) {
  const lwi_tile *tile = &mesh->tiles.items[0];
  return (lw_vec3){tile->bounds.min.x - (float)tile->x * mesh->tile_size, 0,
                   tile->bounds.min.z - (float)tile->z * mesh->tile_size};
}

lw_status lwi_check_same_grid(const lw_navmesh *base, const lw_navmesh *from, lw_error *error) {
  const lw_navmesh_agent a = base->agent, b = from->agent;
  if (from->areas != base->areas)
    return lwi_fail(error, LW_INVALID, "its area table is not that of navmesh, expected the same");
  if (!is_near(a.radius, b.radius) || !is_near(a.height, b.height) || !is_near(a.climb, b.climb))
    return lwi_fail(error, LW_INVALID,
                    "it is for agents of radius %g, height %g, climb %g m, expected %g, %g, %g m as in navmesh",
                    (double)b.radius, (double)b.height, (double)b.climb, (double)a.radius, (double)a.height,
                    (double)a.climb);
  if (!is_near(from->tile_size, base->tile_size))
    return lwi_fail(error, LW_INVALID, "it is of %g m, expected %g m as in navmesh", (double)from->tile_size,
                    (double)base->tile_size);
  if (from->tiles.count == 0) return LW_OK;
  const lw_vec3 here = lwi_grid_corner(base), there = lwi_grid_corner(from);
  if (is_near(here.x, there.x) && is_near(here.z, there.z)) return LW_OK;
  return lwi_fail(
      error, LW_INVALID,
      "its grid begins at (%g, %g), expected (%g, %g) as in navmesh: give both bakes the same bounds",
      (double)there.x, (double)there.z, (double)here.x, (double)here.z);
}

lw_status lwi_check_has_grid(const lw_navmesh *base, lw_error *error) {
  if (base->part.total > 0)
    return lwi_fail(error, LW_INVALID,
                    "navmesh is a part of a bake, expected a whole one: merge the parts first");
  if (!(base->tile_size > 0) || base->tiles.count == 0)
    return lwi_fail(error, LW_INVALID, "navmesh has no grid of tiles, expected one that was baked with tiles");
  return LW_OK;
}

static int compare_items(const void *left, const void *right) {
  const lwi_replaced_tile *a = left, *b = right;
  if (a->z != b->z) return a->z < b->z ? -1 : 1;
  return (a->x > b->x) - (a->x < b->x);
}

lw_status lwi_check_sight(const lw_navmesh *mesh, const char *name, lw_error *error) {
  const bool is_lost = lwi_occluders_of(mesh)->node_count == 0 &&
                       (lwi_cover_of(mesh)->segment_count > 0 || lwi_cover_map_of(mesh)->has);
  if (!is_lost) return LW_OK;
  return lwi_fail(error, LW_INVALID, "%s has cover, but no occluders to find it again: bake with occluders",
                  name);
}

static lw_status check_changes(const lw_navmesh *base, const lw_tile_change *changes, int count,
                               lw_error *error) {
  if (count < 0) return lwi_fail(error, LW_INVALID, "count is %d, expected 0 or more", count);
  if (count > 0 && !changes) return lwi_fail_null(error, "changes");
  lw_status status = lwi_check_has_grid(base, error);
  if (status == LW_OK) status = lwi_check_sight(base, "navmesh", error);
  for (int i = 0; i < count && status == LW_OK; i++) {
    lw_error wrong;
    char name[32];
    if (changes[i].from && lwi_check_same_grid(base, lwi_base_of(changes[i].from), &wrong) != LW_OK)
      return lwi_fail(error, LW_INVALID, "tile %d: %s", i + 1, wrong.text);
    snprintf(name, sizeof name, "tile %d: its navmesh", i + 1);
    if (changes[i].from) status = lwi_check_sight(lwi_base_of(changes[i].from), name, error);
  }
  return status;
}

static bool has_tile(const lw_navmesh *mesh, int x, int z) {
  const uint32_t at = mesh ? lwi_known_find_tile(mesh, x, z) : 0;
  return mesh && at < mesh->tiles.count && mesh->tiles.items[at].x == x && mesh->tiles.items[at].z == z;
}

lwi_tile_range lwi_tile_range_of(const lw_navmesh *mesh) {
  lwi_tile_range range = {{INT_MAX, INT_MAX}, {INT_MIN, INT_MIN}};
  for (uint32_t k = 0; mesh && k < mesh->tiles.count; k++) {
    const int place[] = {mesh->tiles.items[k].x, mesh->tiles.items[k].z};
    for (int axis = 0; axis < 2; axis++) {
      if (place[axis] < range.low[axis]) range.low[axis] = place[axis];
      if (place[axis] > range.high[axis]) range.high[axis] = place[axis];
    }
  }
  return range;
}

/* Is there ground on each tile, in either navmesh? */
static lw_status check_places(const lw_navmesh *base, const lw_tile_change *changes, int count,
                              lw_error *error) {
  for (int i = 0; i < count; i++) {
    const lw_navmesh *from = changes[i].from ? lwi_base_of(changes[i].from) : NULL;
    if (has_tile(base, changes[i].x, changes[i].z) || has_tile(from, changes[i].x, changes[i].z)) continue;
    const lwi_tile_range own = lwi_tile_range_of(base);
    return lwi_fail(
        error, LW_INVALID,
        "tile %d: (%d, %d) does not exist, expected a tile of either navmesh: x of this one is %d to %d, "
        "z %d to %d",
        i + 1, changes[i].x, changes[i].z, own.low[0], own.high[0], own.low[1], own.high[1]);
  }
  return LW_OK;
}

/* In order. @param[out] tiles  [count] @return LW_OK; LW_INVALID: a tile is there twice. */
static lw_status sort_changes(const lw_tile_change *changes, int count, lwi_replaced_tile *tiles,
                              lw_error *error) {
  for (int i = 0; i < count; i++) {
    const lw_navmesh *from = changes[i].from ? lwi_base_of(changes[i].from) : NULL;
    tiles[i] = (lwi_replaced_tile){changes[i].x, changes[i].z, from, from, from};
  }
  lwi_sort(tiles, (size_t)count, sizeof *tiles, compare_items);
  for (int i = 1; i < count; i++)
    if (compare_items(&tiles[i - 1], &tiles[i]) == 0)
      return lwi_fail(error, LW_INVALID, "tile (%d, %d) is given twice", tiles[i].x, tiles[i].z);
  return LW_OK;
}

const lwi_replaced_tile *lwi_replaced_find(const lwi_replaced *replaced, int x, int z) {
  const lwi_replaced_tile wanted = {.x = x, .z = z};
  int low = 0, high = replaced->count;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (compare_items(&replaced->items[middle], &wanted) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low < replaced->count && compare_items(&replaced->items[low], &wanted) == 0 ? &replaced->items[low]
                                                                                     : NULL;
}

/* The navmesh whose links and water are at a place. @return NULL: none. */
static const lw_navmesh *annotated_at(const lwi_replaced *replaced, lw_vec3 at) {
  const double x = floor(((double)at.x - replaced->corner.x) / replaced->size),
               z = floor(((double)at.z - replaced->corner.z) / replaced->size);
  if (!(fabs(x) < 1e9 && fabs(z) < 1e9)) return replaced->base;
  const lwi_replaced_tile *tile = lwi_replaced_find(replaced, (int)x, (int)z);
  return tile ? tile->annotations : replaced->base;
}

/* A navmesh, and where in the list it stands first. */
typedef struct named {
  const lw_navmesh *mesh;
  size_t first;
} named;

static int compare_meshes(const void *left, const void *right) {
  const named *a = left, *b = right;
  if (a->mesh != b->mesh) return (uintptr_t)a->mesh < (uintptr_t)b->mesh ? -1 : 1;
  return (a->first > b->first) - (a->first < b->first);
}

static int compare_firsts(const void *left, const void *right) {
  const named *a = left, *b = right;
  return (a->first > b->first) - (a->first < b->first);
}

/* The navmeshes that tiles come from, each once, in the order of the tiles: not by address, so that runs repeat.
   @return false: no memory. */
static bool list_sources(lwi_replaced *replaced, lwi_memory *memory) {
  const size_t space = 3 * (size_t)replaced->count + 1;
  size_t count = 0, kept = 0;
  named *all = lwi_alloc(memory, space * sizeof *all);
  replaced->sources = lwi_alloc(memory, space * sizeof *replaced->sources);
  for (int i = 0; i < replaced->count && all; i++) {
    const lwi_replaced_tile *tile = &replaced->items[i];
    const lw_navmesh *const from[] = {tile->ground, tile->sight, tile->annotations};
    for (int k = 0; k < 3; k++)
      if (from[k] && from[k] != replaced->base) all[count] = (named){from[k], count}, count++;
  }
  if (all && replaced->sources) {
    lwi_sort(all, count, sizeof *all, compare_meshes);
    for (size_t i = 0; i < count; i++)
      if (kept == 0 || all[kept - 1].mesh != all[i].mesh) all[kept++] = all[i];
    lwi_sort(all, kept, sizeof *all, compare_firsts);
    for (size_t i = 0; i < kept; i++) replaced->sources[replaced->source_count++] = all[i].mesh;
    replaced->sources[replaced->source_count++] = replaced->base;
  }
  lwi_free(memory, all, all ? space * sizeof *all : 0);
  return all && replaced->sources;
}

/* --- tiles ------------------------------------------------------------------------------------------------ */

static int compare_tiles(const void *left, const void *right) {
  const lwi_tile_source *a = left, *b = right;
  if (a->z != b->z) return a->z < b->z ? -1 : 1;
  return (a->x > b->x) - (a->x < b->x);
}

static bool is_wanted(const void *user, const lw_navmesh *mesh, const lwi_tile *tile) {
  const lwi_replaced *replaced = user;
  const lwi_replaced_tile *instead = lwi_replaced_find(replaced, tile->x, tile->z);
  return (instead ? instead->ground : replaced->base) == mesh;
}

static bool gather_tiles(const lwi_replaced *replaced, lwi_sources *sources) {
  for (int i = 0; i < replaced->source_count; i++)
    if (!lwi_sources_add_some(sources, replaced->sources[i], is_wanted, replaced)) return false;
  lwi_sort(sources->tiles, (size_t)sources->count, sizeof *sources->tiles, compare_tiles);
  return true;
}

/* Tiles that are taken as they are. */
typedef struct taken_tiles {
  lwi_known_tile *items;
  int count, capacity;
} taken_tiles;

static bool can_take_all(const lwi_replaced *replaced) {
  for (int i = 0; i < replaced->source_count; i++)
    if (!lwi_known_can_take(replaced->sources[i])) return false;
  return !replaced->is_whole;
}

static bool take(taken_tiles *to, lwi_memory *memory, const lw_navmesh *mesh, uint32_t index) {
  if (!lwi_reserve(memory, &to->items, &to->capacity, to->count + 1, sizeof *to->items)) return false;
  to->items[to->count++] = (lwi_known_tile){mesh, index};
  return true;
}

/* Tiles of a navmesh at the place of a replaced tile. */
static bool take_replaced(taken_tiles *to, lwi_memory *memory, const lwi_replaced_tile *tile) {
  const lw_navmesh *mesh = tile->ground;
  for (uint32_t i = mesh ? lwi_known_find_tile(mesh, tile->x, tile->z) : 0;
       mesh && i < mesh->tiles.count && mesh->tiles.items[i].x == tile->x && mesh->tiles.items[i].z == tile->z;
       i++)
    if (!take(to, memory, mesh, i)) return false;
  return true;
}

/* In the order of the grid, as the tiles of the base and those that are replaced are. */
static bool take_tiles(const lwi_replaced *replaced, lwi_memory *memory, taken_tiles *to) {
  const lw_navmesh *base = replaced->base;
  int next = 0;
  for (uint32_t i = 0; i < base->tiles.count; i++) {
    const lwi_replaced_tile here = {.x = base->tiles.items[i].x, .z = base->tiles.items[i].z};
    while (next < replaced->count && compare_items(&replaced->items[next], &here) < 0)
      if (!take_replaced(to, memory, &replaced->items[next++])) return false;
    const bool stays = next == replaced->count || compare_items(&replaced->items[next], &here) != 0;
    if (stays && !take(to, memory, base, i)) return false;
  }
  while (next < replaced->count)
    if (!take_replaced(to, memory, &replaced->items[next++])) return false;
  return true;
}

/* --- links and water -------------------------------------------------------------------------------------- */

lw_vec3 lwi_water_middle(const lwi_annotations *from, const lwi_water *water) {
  lw_box box = lwi_box_empty();
  for (uint32_t i = 0; i < water->point_count; i++)
    box = lwi_box_add(box, from->water_points[water->first_point + i]);
  return lwi_lerp(box.min, box.max, 0.5f);
}

/* What of a navmesh's annotations belongs to its tiles: links by where they begin, water by its middle. With arrays of
   NULL only counts. */
static void add_annotations(const lwi_replaced *replaced, const lw_navmesh *mesh, lwi_annotations *to) {
  const lwi_annotations *from = &mesh->annotations;
  for (uint32_t i = 0; i < from->request_count; i++) {
    if (annotated_at(replaced, from->requests[i].from) != mesh) continue;
    const lwi_link_note *note = lwi_link_note_find(from, i);
    lw_link link;
    lw_navmesh_get_link(mesh, (int)i, &link);
    if (to->requests) to->requests[to->request_count] = lwi_request_of(&link.def);
    if (note && to->notes) {
      to->notes[to->note_count] = *note;
      to->notes[to->note_count].request = to->request_count;
    }
    to->note_count += note != NULL;
    to->request_count += 1;
  }
  for (uint32_t i = 0; i < from->water_count; i++) {
    const lwi_water *water = &from->waters[i];
    if (annotated_at(replaced, lwi_water_middle(from, water)) != mesh) continue;
    if (to->waters) {
      to->waters[to->water_count] = *water;
      to->waters[to->water_count].first_point = to->water_point_count;
      memcpy(to->water_points + to->water_point_count, from->water_points + water->first_point,
             water->point_count * sizeof *from->water_points);
    }
    to->water_count += 1;
    to->water_point_count += water->point_count;
  }
}

static void add_all_annotations(const lwi_replaced *replaced, lwi_annotations *to) {
  to->request_count = to->note_count = to->water_count = to->water_point_count = 0;
  for (int i = replaced->source_count; i-- > 0;) add_annotations(replaced, replaced->sources[i], to);
}

static void free_annotations(const lwi_annotations *all, lwi_memory *memory) {
  lwi_free(memory, all->requests, all->requests ? all->request_count * sizeof *all->requests : 0);
  lwi_free(memory, all->notes, all->notes ? all->note_count * sizeof *all->notes : 0);
  lwi_free(memory, all->waters, all->waters ? all->water_count * sizeof *all->waters : 0);
  lwi_free(memory, all->water_points,
           all->water_points ? all->water_point_count * sizeof *all->water_points : 0);
}

/* @return false: no memory. */
static bool make_annotations(const lwi_replaced *replaced, lwi_annotations *all, lwi_memory *memory) {
  *all = (lwi_annotations){.request_count = 0};
  add_all_annotations(replaced, all);
  all->requests = lwi_alloc(memory, all->request_count * sizeof *all->requests);
  all->notes = lwi_alloc(memory, all->note_count * sizeof *all->notes);
  all->waters = lwi_alloc(memory, all->water_count * sizeof *all->waters);
  all->water_points = lwi_alloc(memory, all->water_point_count * sizeof *all->water_points);
  if ((all->requests || all->request_count == 0) && (all->notes || all->note_count == 0) &&
      (all->waters || all->water_count == 0) && (all->water_points || all->water_point_count == 0)) {
    add_all_annotations(replaced, all);
    return true;
  }
  free_annotations(all, memory);
  return false;
}

/* --- joining ---------------------------------------------------------------------------------------------- */

/* What of sight and cover any of the navmeshes has. */
static uint32_t kept_by(const lwi_replaced *replaced, float *range) {
  uint32_t keep = 0;
  *range = 0;
  for (int i = 0; i < replaced->source_count; i++) {
    const lw_navmesh *mesh = replaced->sources[i];
    if (lwi_occluders_of(mesh)->node_count > 0) keep |= LWI_KEEP_OCCLUDERS;
    if (lwi_cover_of(mesh)->segment_count > 0) keep |= LWI_KEEP_COVER;
    if (lwi_cover_map_of(mesh)->has) keep |= LWI_KEEP_MAP;
    if (lwi_visibility_of(mesh)->has) keep |= LWI_KEEP_VISIBILITY_TABLE;
    *range = fmaxf(*range, lwi_visibility_of(mesh)->range);
  }
  return keep;
}

static lw_status build_from(const lwi_replaced *replaced, const lwi_occluders *occluders,
                            lwi_navmesh_source *source, lw_navmesh **navmesh, lw_error *error) {
  const lw_navmesh *base = replaced->base;
  lwi_memory memory = lwi_memory_make(source->allocator);
  if (source->tile_count == 0) return lwi_fail(error, LW_EMPTY, "nothing to walk on is left");
  if (!make_annotations(replaced, &source->annotations, &memory))
    return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  source->areas = base->areas;
  source->agent = base->agent;
  source->tile_size = base->tile_size;
  source->attachments = base->attachments;
  source->attachments.slots[LWI_OCCLUDERS_SLOT] = (void *)occluders;
  const lw_status status = lwi_navmesh_build(source, navmesh, error);
  free_annotations(&source->annotations, &memory);
  return status;
}

/* From all tiles, as if they had just been baked. */
static lw_status build_whole(const lwi_replaced *replaced, const lwi_occluders *occluders,
                             const lw_allocator *allocator, lw_navmesh **navmesh, lw_error *error) {
  lwi_sources sources = {.memory = lwi_memory_make(allocator)};
  lw_status status = LW_OUT_OF_MEMORY;
  if (gather_tiles(replaced, &sources)) {
    lwi_navmesh_source source = {.allocator = allocator, .tile_count = sources.count, .tiles = sources.tiles};
    status = build_from(replaced, occluders, &source, navmesh, error);
  } else {
    lwi_fail_status(error, status);
  }
  lwi_sources_free(&sources);
  return status;
}

static lw_status build(const lwi_replaced *replaced, const lwi_occluders *occluders,
                       const lw_allocator *allocator, lw_navmesh **navmesh, lw_error *error) {
  lwi_memory memory = lwi_memory_make(allocator);
  taken_tiles tiles = {.items = NULL};
  lw_status status = LW_OUT_OF_MEMORY;
  if (!can_take_all(replaced)) return build_whole(replaced, occluders, allocator, navmesh, error);
  if (take_tiles(replaced, &memory, &tiles)) {
    lwi_navmesh_source source = {.allocator = allocator, .tile_count = tiles.count, .known = tiles.items};
    status = build_from(replaced, occluders, &source, navmesh, error);
  } else {
    lwi_fail_status(error, status);
  }
  lwi_free(&memory, tiles.items, (size_t)tiles.capacity * sizeof *tiles.items);
  return status;
}

/* Is it known where cover segments are those of the base? */
static bool can_patch_cover(const lwi_replaced *replaced, const lw_navmesh *navmesh,
                            const lwi_facet_changes *changes) {
  const lwi_occluders *before = lwi_occluders_of(replaced->base), *now = lwi_occluders_of(navmesh);
  return !replaced->is_whole && !changes->all && before->node_count > 0 && now->node_count > 0 &&
         lwi_cover_of(replaced->base)->segment_count > 0 && lwi_lines_slack(before) == lwi_lines_slack(now);
}

static lw_status find_cover(const lwi_replaced *replaced, const lwi_facet_changes *changes, lw_navmesh *navmesh,
                            lw_error *error) {
  float range;
  const uint32_t keep = kept_by(replaced, &range);
  const lwi_cover_patch patch = {replaced, navmesh, changes};
  const bool can_patch = can_patch_cover(replaced, navmesh, changes);
  lwi_memory memory = lwi_memory_make(&navmesh->memory.allocator);
  lwi_memory_guard guard;
  lwi_sight_lines lines = {.memory = &memory};
  if (keep == 0) return LW_OK;
  if (!lwi_memory_guard_open(&guard, &navmesh->memory.allocator, &memory))
    return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  const bool needs_lines = !can_patch || (keep & (LWI_KEEP_MAP | LWI_KEEP_VISIBILITY_TABLE)) != 0;
  const bool built = !needs_lines || lwi_lines_make(&lines, lwi_occluders_of(navmesh), &memory);
  const lwi_cover_job job = {keep, range, &lines, lwi_processor_count(), can_patch ? &patch : NULL};
  const lw_status status =
      built ? lwi_bake_cover(navmesh, &job, NULL, error) : lwi_fail_status(error, LW_OUT_OF_MEMORY);
  lwi_lines_free(&lines);
  lwi_memory_guard_close(&guard);
  return status;
}

/* Ids stay valid in tiles that are equal and keep their place in the list. */
static lw_status number_tiles(const lw_navmesh *base, lw_navmesh *navmesh, lw_error *error) {
  lwi_memory memory = lwi_memory_make(&navmesh->memory.allocator);
  lwi_tile_map map;
  if (!lwi_tile_map_make(&map, base, navmesh, &memory)) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  for (uint32_t i = 0; i < navmesh->tiles.count; i++) {
    uint32_t *own = &navmesh->tiles.generations[i];
    if (i >= base->tiles.count) continue;
    const uint32_t before = base->tiles.generations[i];
    *own = map.from[i] == i ? before : *own == before ? before % 32767 + 1 : *own;
  }
  lwi_tile_map_free(&map, &memory);
  return LW_OK;
}

static lw_status replace(const lwi_replaced *replaced, const lw_allocator *allocator, lw_navmesh **navmesh,
                         lw_error *error) {
  lwi_memory memory = lwi_memory_make(allocator);
  lwi_occluders occluders = {.quantum = 1};
  lwi_facet_changes changes = {.count = 0};
  float range;
  lw_status status =
      kept_by(replaced, &range) == 0 ? LW_OK : lwi_replaced_sight(replaced, &memory, &occluders, &changes);
  if (status == LW_OK)
    status = build(replaced, &occluders, allocator, navmesh, error);
  else
    lwi_fail_status(error, status);
  if (status == LW_OK) status = find_cover(replaced, &changes, *navmesh, error);
  if (status == LW_OK) status = number_tiles(replaced->base, *navmesh, error);
  if (status != LW_OK) {
    lw_navmesh_destroy(*navmesh);
    *navmesh = NULL;
  }
  lwi_sight_changes_free(&changes, &memory);
  lwi_occluders_free(&occluders, &memory);
  return status;
}

static lw_status replace_all(lwi_replaced *replaced, const lw_allocator *allocator, lw_navmesh **result,
                             lw_error *error) {
  lwi_memory memory = lwi_memory_make(allocator);
  const size_t space = 3 * (size_t)replaced->count + 1;
  const lw_status status = list_sources(replaced, &memory) ? replace(replaced, allocator, result, error)
                                                           : lwi_fail_status(error, LW_OUT_OF_MEMORY);
  lwi_free(&memory, replaced->sources, replaced->sources ? space * sizeof *replaced->sources : 0);
  return status;
}

static lwi_replaced begin(const lw_navmesh *base, lwi_replaced_tile *tiles, int count) {
  return (lwi_replaced){.base = base,
                        .corner = lwi_grid_corner(base),
                        .size = (double)base->tile_size,
                        .count = count,
                        .items = tiles};
}

lw_status lwi_replace_tiles(const lw_navmesh *base, lwi_replaced_tile *tiles, int count,
                            const lw_allocator *allocator, lw_navmesh **result, lw_error *error) {
  lwi_replaced replaced = begin(base, tiles, count);
  return replace_all(&replaced, allocator, result, error);
}

lw_status lwi_replace_tiles_whole(const lw_navmesh *base, lwi_replaced_tile *tiles, int count,
                                  const lw_allocator *allocator, lw_navmesh **result, lw_error *error) {
  lwi_replaced replaced = begin(base, tiles, count);
  replaced.is_whole = true;
  return replace_all(&replaced, allocator, result, error);
}

static lw_status replace_checked(const lw_navmesh *base, const lw_tile_change *changes, int count,
                                 const lw_allocator *allocator, lw_navmesh **result, lw_error *error) {
  lwi_memory memory = lwi_memory_make(allocator);
  const size_t size = (size_t)count * sizeof(lwi_replaced_tile);
  lwi_replaced_tile *tiles = lwi_alloc(&memory, size);
  if (!tiles && count > 0) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  lw_status status = sort_changes(changes, count, tiles, error);
  if (status == LW_OK) status = lwi_replace_tiles(base, tiles, count, allocator, result, error);
  lwi_free(&memory, tiles, size);
  return status;
}

lw_status lwi_replace_tiles_of_states(const lw_navmesh *base, const lw_tile_change *changes, int count,
                                      const lw_allocator *allocator, lw_navmesh **result, lw_error *error) {
  *result = NULL;
  const lw_status status = check_changes(base, changes, count, error);
  return status == LW_OK ? replace_checked(base, changes, count, allocator, result, error) : status;
}

lw_status lw_navmesh_replace_tiles(const lw_navmesh *navmesh, const lw_tile_change *changes, int count,
                                   const lw_allocator *allocator, lw_navmesh **result, lw_error *error) {
  if (!result) return lwi_fail_null(error, "result");
  *result = NULL;
  if (!navmesh) return lwi_fail_null(error, "navmesh");
  const lw_navmesh *base = lwi_base_of(navmesh);
  lw_status status = check_changes(base, changes, count, error);
  if (status == LW_OK) status = check_places(base, changes, count, error);
  return status == LW_OK ? replace_checked(base, changes, count, allocator, result, error) : status;
}
