#include "query/nav_swap.h"

#include "query/workspace.h"

#include <string.h>

/* --- making it ready -------------------------------------------------------------------------------------- */

/* Polygons of other tiles have changed now. @return false: no memory. */
static bool list_changed(lwi_nav_swap *swap, const lwi_scene *scene, lwi_memory *memory) {
  const lw_navmesh *to = swap->to;
  const lwi_tile_map *map = &swap->map;
  swap->changed = lwi_alloc(memory, to->polygons.count * sizeof *swap->changed);
  if (!swap->changed) return to->polygons.count == 0;
  for (uint32_t t = 0; t < to->tiles.count; t++) {
    const lwi_tile *tile = &to->tiles.items[t];
    for (uint32_t i = 0; i < tile->polygon_count; i++) {
      uint64_t when = scene->changes + 1;
      if (map->from[t] != LWI_NONE) {
        const uint32_t before = map->before->tiles.items[map->from[t]].first_polygon + i;
        when = swap->nav->changed ? swap->nav->changed[before] : 0;
      }
      swap->changed[tile->first_polygon + i] = when;
    }
  }
  return true;
}

bool lwi_nav_swap_begin(lwi_nav_swap *swap, const lwi_scene *scene, lwi_nav *nav, const lw_navmesh *to,
                        lwi_memory *memory) {
  *swap = (lwi_nav_swap){.nav = nav, .to = to};
  swap->is_as_seen = lwi_occluders_are_same(lwi_occluders_of(nav->base), lwi_occluders_of(to));
  if (!lwi_tile_map_make(&swap->map, nav->base, to, memory) || !list_changed(swap, scene, memory)) return false;
  swap->live = lwi_live_create(memory, to);
  if (!swap->live || !lwi_live_follow(swap->live, nav->live, &swap->map)) return false;
  for (int kind = 0; kind < LWI_TIMED_KINDS; kind++)
    swap->outlines[kind] = (lwi_outline_index){.memory = memory, .mesh = lwi_live_mesh(swap->live)};
  return true;
}

/* Regions in the order in which they were added. */
static bool add_outlines(lwi_nav_swap *swap, const lwi_timed_set *set, lwi_timed_kind kind) {
  for (uint32_t i = set->ids.first; i != LWI_NO_SLOT; i = lwi_id_pool_next(&set->ids, i)) {
    const lwi_timed_outline outline = lwi_timed_outline_make(kind, &set->shapes[i]);
    if (!lwi_outline_index_add(&swap->outlines[kind], i, &outline)) return false;
  }
  return true;
}

bool lwi_nav_swap_cut(lwi_nav_swap *swap, const lwi_scene *scene) {
  if (!lwi_live_apply(swap->live)) return false;
  for (int kind = 0; kind < LWI_TIMED_KINDS; kind++)
    if (!add_outlines(swap, &scene->timed[kind], (lwi_timed_kind)kind)) return false;
  return true;
}

lw_poly_id lwi_nav_swap_poly(const lwi_nav_swap *swap, lw_poly_id id) {
  const lw_navmesh *now = lwi_live_mesh(swap->live);
  const uint64_t place = lwi_poly_place(swap->nav->mesh, id);
  if (place == LWI_NO_PLACE) return 0;
  const uint32_t polygon = lwi_tile_map_polygon(&swap->map, (uint32_t)place);
  return polygon == LWI_NONE ? 0 : lwi_poly_at_place(now, (place >> 32) << 32 | polygon);
}

/* --- making it -------------------------------------------------------------------------------------------- */

/* What all threads share about a navmesh, but for what goes by its version. */
static void forget_shared(lwi_shared *shared) {
  lwi_threat_views_clear(&shared->threat_views);
  lwi_samples_free(&shared->samples);
  lwi_screen_cover_free(&shared->cover, &shared->memory);
  shared->cover = (lwi_screen_cover){.capacity = 0};
}

static void take_outlines(lwi_nav_swap *swap) {
  for (int kind = 0; kind < LWI_TIMED_KINDS; kind++) {
    lwi_outline_index *now = &swap->nav->outlines[kind];
    const uint64_t version = now->version;
    lwi_outline_index_free(now);
    *now = swap->outlines[kind];
    now->version += version + 1;
    now->mesh = swap->nav->mesh;
    swap->outlines[kind] = (lwi_outline_index){.memory = NULL};
  }
}

static void take_changed(lwi_nav_swap *swap, lwi_memory *memory) {
  lwi_nav *nav = swap->nav;
  if (nav->changed) lwi_free(memory, nav->changed, nav->base->polygons.count * sizeof *nav->changed);
  nav->changed = swap->changed;
  swap->changed = NULL;
}

void lwi_nav_swap_make(lwi_nav_swap *swap, lwi_scene *scene, lwi_memory *memory) {
  lwi_nav *nav = swap->nav;
  lwi_workspaces_forget_navs(scene);
  for (int i = 0; i < scene->nav_count; i++) forget_shared(scene->navs[i].shared);
  lwi_price_tables_clear(&nav->shared->price_tables);
  take_outlines(swap);
  take_changed(swap, memory);
  lwi_live_exchange(nav->live, swap->live);
  nav->base = swap->to;
  lwi_scene_list_occluders(scene);
  for (int i = 0; i < 2; i++)
    lwi_depth_cache_renew(&scene->sight.caches[i], scene->sight.count, swap->is_as_seen);
  lwi_workspaces_renew_sight(scene, swap->is_as_seen);
  lwi_scene_note_baked(scene);
  scene->shorts_changed = true;
  scene->any_swapped = true;
}

void lwi_nav_swap_free(lwi_nav_swap *swap, lwi_memory *memory) {
  for (int kind = 0; kind < LWI_TIMED_KINDS; kind++) lwi_outline_index_free(&swap->outlines[kind]);
  lwi_free(memory, swap->changed, swap->changed ? swap->to->polygons.count * sizeof *swap->changed : 0);
  lwi_live_destroy(swap->live);
  lwi_tile_map_free(&swap->map, memory);
}
