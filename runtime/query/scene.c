/* The navmeshes of a world, and which of them serves which profile. */
#include "query/scene.h"

#include "core/sort.h"

#include "core/hash.h"
#include "core/status.h"
#include "core/vec3.h"
#include "query/workspace.h"
#include "sight/cover_map.h"

#include <math.h>
#include <string.h>

/* Sizes that differ by less are the same: those that were baked are whole cells, and rounded. [m] */
#define SAME_SIZE 1e-3

/* --- creating and destroying -------------------------------------------------------------------------------------- */

static void find_short_links(lwi_nav *nav) {
  nav->short_links = nav->short_links_in_xz = nav->added_links = 0;
  for (uint32_t i = 0; i < nav->base->links.count; i++) {
    const lwi_link *link = &nav->base->links.items[i];
    nav->short_links += link->length < lwi_distance(link->start, link->end);
    nav->short_links_in_xz += link->length < lwi_distance_xz(link->start, link->end);
  }
}

static bool init_navs(lwi_scene *scene, const lwi_scene_def *def, lwi_memory *memory) {
  const size_t count = (size_t)def->mesh_count;
  scene->navs = lwi_alloc_zero(memory, count * sizeof *scene->navs);
  scene->meshes = lwi_alloc_zero(memory, count * sizeof *scene->meshes);
  scene->nav_count = def->mesh_count;
  if (!scene->navs || !scene->meshes) return false;
  for (size_t i = 0; i < count; i++) {
    lwi_nav *nav = &scene->navs[i];
    nav->base = nav->own = def->meshes[i];
    nav->live = lwi_live_create(memory, nav->base);
    if (!nav->live) return false;
    nav->mesh = scene->meshes[i] = lwi_live_mesh(nav->live);
    for (int k = 0; k < LWI_TIMED_KINDS; k++)
      nav->outlines[k] = (lwi_outline_index){.memory = memory, .mesh = nav->mesh};
    nav->shared = lwi_shared_make(nav->mesh, def->cache_bytes / count, memory);
    if (!nav->shared) return false;
  }
  return true;
}

/* Navmeshes of one level, baked for different agents, have the same occluders: once is enough. */
static bool is_new(const lwi_scene_sight *sight, const lwi_occluders *occluders) {
  for (int i = 0; i < sight->count; i++)
    if (lwi_occluders_are_same(sight->sets[i], occluders)) return false;
  return true;
}

void lwi_scene_list_occluders(lwi_scene *scene) {
  lwi_scene_sight *sight = &scene->sight;
  sight->count = 0;
  sight->any_map = sight->bare = false;
  for (int i = 0; i < scene->nav_count; i++) {
    const lwi_occluders *occluders = lwi_occluders_of(scene->meshes[i]);
    /* An agent that touches a side, and what is as far from it again. */
    sight->screens.beside = fmaxf(sight->screens.beside, 2 * scene->meshes[i]->agent.radius + 0.5f);
    if (occluders->leaf_count == 0 || !is_new(sight, occluders)) continue;
    sight->meshes[sight->count] = scene->meshes[i];
    sight->sets[sight->count++] = occluders;
    sight->any_map |= lwi_cover_map_of(scene->meshes[i])->has != 0;
    sight->bare |= occluders->node_count == 0;
  }
}

static bool init_sight(lwi_scene *scene, int depth_maps, lwi_memory *memory) {
  lwi_scene_sight *sight = &scene->sight;
  sight->sets = lwi_alloc(memory, (size_t)scene->nav_count * sizeof *sight->sets);
  sight->meshes = lwi_alloc(memory, (size_t)scene->nav_count * sizeof *sight->meshes);
  sight->caches = lwi_alloc_zero(memory, 2 * sizeof *sight->caches);
  sight->map_limit = depth_maps;
  if (!sight->sets || !sight->meshes || !sight->caches || !lwi_mutex_init(&sight->lock)) return false;
  lwi_scene_list_occluders(scene);
  const lwi_depth_scene drawn = {.sets = sight->sets, .count = sight->count, .lock = &sight->lock};
  for (int i = 0; i < 2; i++) lwi_depth_cache_init(&sight->caches[i], depth_maps, &drawn, memory);
  return true;
}

static void free_sight(lwi_scene *scene, lwi_memory *memory) {
  lwi_scene_sight *sight = &scene->sight;
  const bool locks = sight->caches && sight->caches[0].memory;
  for (int i = 0; i < 2 && locks; i++) lwi_depth_cache_free(&sight->caches[i]);
  if (locks) lwi_mutex_destroy(&sight->lock);
  lwi_screens_free(&sight->screens, memory);
  lwi_free(memory, sight->caches, 2 * sizeof *sight->caches);
  lwi_free(memory, sight->sets, (size_t)scene->nav_count * sizeof *sight->sets);
  lwi_free(memory, sight->meshes, (size_t)scene->nav_count * sizeof *sight->meshes);
}

static void note_mesh(lwi_scene *scene, const lw_navmesh *mesh) {
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    lwi_area_note *note = &scene->area_notes[mesh->polygons.areas[p]];
    if (!note->has_ground || mesh->polygons.openness[p] < note->min_openness)
      note->min_openness = mesh->polygons.openness[p];
    note->has_ground = true;
    note->has_water |= lwi_depth_of(mesh, p).max > 0;
    if (mesh->polygons.headrooms[p] < scene->min_headroom) scene->min_headroom = mesh->polygons.headrooms[p];
  }
  for (uint32_t i = 0; i < mesh->links.count; i++) {
    const lwi_link *link = &mesh->links.items[i];
    scene->area_notes[link->area].links += 1;
    if (!link->has_openness) continue;
    const uint32_t ends[] = {link->from, link->to};
    for (int k = 0; k < 2; k++) { /* it may lie less open than all ground of these areas */
      lwi_area_note *note = &scene->area_notes[mesh->polygons.areas[ends[k]]];
      if (link->openness < note->min_openness) note->min_openness = link->openness;
    }
  }
}

void lwi_scene_note_baked(lwi_scene *scene) {
  for (int i = 0; i <= LW_AREA_MAX; i++) {
    lwi_area_note *note = &scene->area_notes[i];
    *note = (lwi_area_note){.marks = note->marks};
  }
  scene->min_headroom = LWI_HEADROOM_OPEN;
  for (int i = 0; i < scene->nav_count; i++) {
    note_mesh(scene, scene->navs[i].base);
    find_short_links(&scene->navs[i]);
  }
}

static void note_areas(lwi_scene *scene) {
  lwi_scene_note_baked(scene);
  for (int i = 0; i < scene->links.count; i++)
    scene->area_notes[scene->links.items[i].area].links += 1; /* that of LW_AREA_NONE does not matter */
}

static bool add_short(lwi_scene *scene, lwi_short_link link, lwi_memory *memory) {
  if (link.length >= lwi_scene_distance(scene, link.start, link.end)) return true;
  if (!lwi_reserve(memory, &scene->shorts, &scene->short_capacity, scene->short_count + 1,
                   sizeof *scene->shorts))
    return false;
  scene->shorts[scene->short_count++] = link;
  return true;
}

static bool add_short_link(lwi_scene *scene, const lwi_link *link, lwi_memory *memory) {
  return add_short(scene, (lwi_short_link){link->start, link->end, link->length}, memory);
}

/* Links that make the straight line no lower bound for paths over several navmeshes, whether they can be taken or not. */
static bool list_shorts(lwi_scene *scene, lwi_memory *memory) {
  scene->short_count = 0;
  for (int i = 0; i < scene->links.count; i++) {
    const lwi_inter_link *link = &scene->links.items[i];
    if (!add_short(scene, (lwi_short_link){link->start.point, link->end.point, link->length}, memory))
      return false;
  }
  for (int k = 0; k < scene->nav_count && scene->links.count > 0; k++) {
    const lwi_nav *nav = &scene->navs[k];
    const lwi_link *link;
    for (uint32_t i = 0; i < nav->base->links.count; i++)
      if (!add_short_link(scene, &nav->base->links.items[i], memory)) return false;
    for (uint32_t number = 0; (link = lwi_live_next_added(nav->live, &number));)
      if (!add_short_link(scene, link, memory)) return false;
  }
  return true;
}

/* Of many short links less is known, so that fewer are better. */
static bool find_shorts(lwi_scene *scene, lwi_memory *memory) {
  scene->bounds_in_xz = false;
  if (!list_shorts(scene, memory)) return false;
  if (scene->short_count <= LWI_FEW_SHORT_LINKS) return true;
  scene->bounds_in_xz = true;
  return list_shorts(scene, memory);
}

bool lwi_scene_init(lwi_scene *scene, const lwi_scene_def *def, lwi_memory *memory) {
  const lwi_inter_links_def links = {def->meshes, def->mesh_count, def->links, def->link_count};
  scene->allocator = memory->allocator;
  scene->visibility = 1;
  lwi_prices_plain(&scene->plain);
  if (!init_navs(scene, def, memory) || !lwi_inter_links_init(&scene->links, &links, memory) ||
      !find_shorts(scene, memory) || !init_sight(scene, def->depth_maps, memory))
    return false;
  note_areas(scene);
  scene->own = lwi_workspace_make_own(scene);
  return scene->own != NULL;
}

void lwi_scene_free(lwi_scene *scene, lwi_memory *memory) {
  lwi_workspace_free_own(scene->own);
  free_sight(scene, memory);
  lwi_inter_links_free(&scene->links, memory);
  lwi_free(memory, scene->shorts, (size_t)scene->short_capacity * sizeof *scene->shorts);
  for (int i = 0; scene->navs && i < scene->nav_count; i++) {
    for (int k = 0; k < LWI_TIMED_KINDS; k++) lwi_outline_index_free(&scene->navs[i].outlines[k]);
    lwi_shared_free(scene->navs[i].shared, memory);
    if (scene->navs[i].changed)
      lwi_free(memory, scene->navs[i].changed,
               scene->navs[i].base->polygons.count * sizeof *scene->navs[i].changed);
    lwi_live_destroy(scene->navs[i].live);
  }
  for (int k = 0; k < LWI_TIMED_KINDS; k++) {
    lwi_timed_set *set = &scene->timed[k];
    lwi_id_pool_free(&set->ids, memory);
    lwi_rectangle_tree_free(&set->tree, memory);
    lwi_free(memory, set->shapes, (size_t)set->shape_capacity * sizeof *set->shapes);
  }
  lwi_free(memory, scene->teams, (size_t)scene->team_capacity * sizeof *scene->teams);
  lwi_hash_index_free(&scene->team_index, memory);
  lwi_free(memory, scene->navs, (size_t)scene->nav_count * sizeof *scene->navs);
  lwi_free(memory, scene->meshes, (size_t)scene->nav_count * sizeof *scene->meshes);
}

/* Numbers of timed regions. */
typedef struct region_list {
  uint32_t *items; /* [count] */
  int count, capacity;
} region_list;

/* --- changes ---------------------------------------------------------------------------------------------- */

static int compare_numbers(const void *left, const void *right) {
  const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

/* A polygon's, and `more` about it. */
static lwi_rectangle rectangle_of(const lw_navmesh *base, uint32_t index, float more) {
  const lwi_polygon polygon = lwi_polygon_get(base, index);
  const lwi_frame f = lwi_polygon_frame(&polygon);
  return (lwi_rectangle){f.min_x - more, f.min_z - more, f.min_x + f.size_x + more, f.min_z + f.size_z + more};
}

/* Regions with outlines over polygons that have changed, with or without parts there, each once. @return false: no memory. */
static bool list_regions(const lwi_scene *scene, const lwi_nav *nav, lwi_timed_kind kind, lwi_memory *memory,
                         region_list *list) {
  int changed, count = list->count = 0;
  const uint32_t *polygons = lwi_live_changed(nav->live, &changed);
  const lwi_timed_set *set = &scene->timed[kind];
  if (set->ids.count == 0) return true;
  for (int i = 0; i < changed; i++) {
    const lwi_rectangle about = rectangle_of(nav->base, polygons[i], lwi_outline_excess(set->largest));
    lwi_rectangle_walk walk = lwi_rectangle_walk_box(&set->tree, about);
    for (uint32_t region; (region = lwi_rectangle_walk_next(&walk)) != LWI_NONE;) {
      if (!lwi_reserve(memory, &list->items, &list->capacity, count + 1, sizeof *list->items)) return false;
      list->items[count++] = region;
    }
  }
  lwi_sort(list->items, (size_t)count, sizeof *list->items, compare_numbers);
  for (int i = 0; i < count; i++)
    if (i == 0 || list->items[i] != list->items[i - 1]) list->items[list->count++] = list->items[i];
  return true;
}

/* Where regions may be turned at depends on polygons and portals. */
static bool renew_regions(lwi_scene *scene, lwi_nav *nav, lwi_timed_kind kind, lwi_memory *memory,
                          region_list *list) {
  if (!list_regions(scene, nav, kind, memory, list)) return false;
  for (int i = 0; i < list->count; i++) {
    const lwi_timed_outline outline = lwi_timed_outline_make(kind, &scene->timed[kind].shapes[list->items[i]]);
    if (!lwi_outline_index_renew(&nav->outlines[kind], list->items[i], &outline)) return false;
  }
  return true;
}

/* @return false: no memory. */
static bool note_changes(const lwi_scene *scene, lwi_nav *nav, lwi_memory *memory, bool *any) {
  int count;
  const uint32_t *polygons = lwi_live_changed(nav->live, &count);
  if (count == 0) return true;
  if (!nav->changed) nav->changed = lwi_alloc_zero(memory, nav->base->polygons.count * sizeof *nav->changed);
  if (!nav->changed) return false;
  for (int i = 0; i < count; i++) nav->changed[polygons[i]] = scene->changes + 1;
  *any = true;
  return true;
}

static bool apply_nav(lwi_scene *scene, lwi_nav *nav, lwi_memory *memory, region_list *list, bool *any) {
  bool done = lwi_live_apply(nav->live) && note_changes(scene, nav, memory, any);
  for (int kind = 0; kind < LWI_TIMED_KINDS && done; kind++)
    done = renew_regions(scene, nav, (lwi_timed_kind)kind, memory, list);
  return done;
}

/* @return false: no memory. */
static bool apply_links(lwi_scene *scene, lwi_memory *memory, bool *any) {
  const bool between = scene->links.is_changed;
  if (!lwi_inter_links_apply(&scene->links, scene->nav_count, memory)) return false;
  *any |= between;
  if (!between && !scene->shorts_changed) return true;
  scene->shorts_changed = !find_shorts(scene, memory);
  return !scene->shorts_changed;
}

void lwi_scene_count_link(lwi_scene *scene, lwi_nav *nav, const lwi_short_link *link, lw_area_id area,
                          bool is_there) {
  const uint32_t change = is_there ? 1 : UINT32_MAX; /* -1 */
  const bool is_short = link->length < lwi_distance(link->start, link->end);
  scene->area_notes[area].links += change;
  scene->shorts_changed |= is_short;
  if (!nav) return;
  nav->added_links += change;
  if (is_short) nav->short_links += change;
  if (link->length < lwi_distance_xz(link->start, link->end)) nav->short_links_in_xz += change;
}

bool lwi_scene_apply(lwi_scene *scene, lwi_memory *memory) {
  region_list list = {NULL, 0, 0};
  bool any = scene->any_swapped, done = apply_links(scene, memory, &any);
  for (int i = 0; i < scene->nav_count && done; i++)
    done = apply_nav(scene, &scene->navs[i], memory, &list, &any);
  lwi_free(memory, list.items, (size_t)list.capacity * sizeof *list.items);
  if (done && any) lwi_inter_links_renew(&scene->links, scene->meshes);
  if (done && any) scene->changes += 1;
  if (done) scene->any_swapped = false;
  return done;
}

size_t lwi_scene_memory(const lwi_scene *scene) {
  size_t bytes = lwi_workspaces_memory(scene);
  for (int i = 0; i < scene->nav_count; i++) {
    lwi_shared *shared = scene->navs[i].shared;
    lwi_mutex_lock(&shared->lock);
    bytes += shared->memory.bytes;
    lwi_mutex_unlock(&shared->lock);
    bytes += lwi_components_memory(&shared->components) + lwi_price_tables_memory(&shared->price_tables) +
             lwi_threat_views_memory(&shared->threat_views);
  }
  return bytes;
}

/* --- size ------------------------------------------------------------------------------------------------------- */

/* What is wrong with a navmesh's size for a profile, worst first. */
#define MISFITS 4

static void measure(const lw_navmesh *mesh, const lw_profile *profile, double *misfits) {
  double radius = profile ? (double)profile->def.radius : 0, height = profile ? (double)profile->def.height : 0;
  radius -= (double)mesh->agent.radius;
  height -= (double)mesh->agent.height;
  misfits[0] = fmax(0, height);
  misfits[1] = fmax(0, radius);
  misfits[2] = fmax(0, -radius);
  misfits[3] = fmax(0, -height);
}

/* < 0: a fits better; 0: they have the same size. */
static int compare_fit(const lw_navmesh *a, const lw_navmesh *b, const lw_profile *profile) {
  double of_a[MISFITS], of_b[MISFITS];
  measure(a, profile, of_a);
  measure(b, profile, of_b);
  for (int i = 0; i < MISFITS; i++)
    if (fabs(of_a[i] - of_b[i]) > SAME_SIZE) return of_a[i] < of_b[i] ? -1 : 1;
  return 0;
}

bool lwi_nav_fits(const lwi_scene *scene, const lwi_nav *nav, const lw_profile *profile) {
  for (int i = 0; i < scene->nav_count; i++)
    if (compare_fit(scene->navs[i].mesh, nav->mesh, profile) < 0) return false;
  return true;
}

/* --- place ------------------------------------------------------------------------------------------------------ */

/* Do the navmesh's bounds, grown, hold the point? */
static bool holds(const lw_navmesh *mesh, lw_vec3 p, float grow_x, float grow_y, float grow_z) {
  lw_box box = mesh->bounds;
  return p.x >= box.min.x - grow_x && p.x <= box.max.x + grow_x && p.y >= box.min.y - grow_y &&
         p.y <= box.max.y + grow_y && p.z >= box.min.z - grow_z && p.z <= box.max.z + grow_z;
}

typedef struct place_search {
  const lwi_scene *scene;
  lw_vec3 point, snap;
  const lw_profile *profile;
  const lw_filter *filter;
  bool near; /* navmeshes within the snap box count, not only those that hold the point */
} place_search;

static bool is_there(const place_search *search, const lwi_nav *nav) {
  float x = search->near ? search->snap.x : 0, z = search->near ? search->snap.z : 0;
  return holds(nav->mesh, search->point, x, search->snap.y, z);
}

/* The first of those that are there and fit best. */
static const lwi_nav *best_fit(const place_search *search) {
  const lwi_nav *best = NULL;
  for (int i = 0; i < search->scene->nav_count; i++) {
    const lwi_nav *nav = &search->scene->navs[i];
    if (!is_there(search, nav)) continue;
    if (!best || compare_fit(nav->mesh, best->mesh, search->profile) < 0) best = nav;
  }
  return best;
}

/* Of all that have the size of `best`, the one with the nearest place. */
static lw_status nearest_of_size(const place_search *search, const lwi_nav *best, const lwi_nav **nav,
                                 lw_location *at) {
  lw_status status = LW_NO_POINT;
  float distance = INFINITY;
  *nav = best;
  for (int i = 0; i < search->scene->nav_count; i++) {
    const lwi_nav *other = &search->scene->navs[i];
    lw_location found;
    if (!is_there(search, other) || compare_fit(other->mesh, best->mesh, search->profile) != 0) continue;
    if (lw_navmesh_nearest(other->mesh, search->point, search->snap, search->filter, &found) != LW_OK) continue;
    if (lwi_distance(found.point, search->point) >= distance) continue;
    distance = lwi_distance(found.point, search->point);
    status = LW_OK;
    *nav = other;
    *at = found;
  }
  return status;
}

lw_status lwi_scene_place(const lwi_scene *scene, const lwi_place_query *query, const lwi_nav **nav,
                          lw_location *at) {
  const lwi_prices *prices = query->profile ? &query->profile->prices : &scene->plain;
  const lw_vec3 snap = query->snap;
  if (query->navmesh >= 0 || scene->nav_count == 1) {
    *nav = &scene->navs[query->navmesh >= 0 ? query->navmesh : 0];
    return lw_navmesh_nearest((*nav)->mesh, query->point, snap, &prices->filter, at);
  }
  *nav = NULL;
  *at = (lw_location){.point = query->point};
  if (!lwi_finite(query->point) || !(snap.x > 0 && snap.y > 0 && snap.z > 0)) return LW_INVALID;
  place_search search = {scene, query->point, snap, query->profile, &prices->filter, false};
  const lwi_nav *best = best_fit(&search);
  if (!best) {
    search.near = true;
    best = best_fit(&search);
  }
  return best ? nearest_of_size(&search, best, nav, at) : LW_NO_POINT;
}

/* --- prices ------------------------------------------------------------------------------------------------------- */

static uint64_t hash_of_name(const char *name) {
  return lwi_hash(LWI_HASH_SEED, name, strlen(name));
}

uint32_t lwi_scene_find_team(const lwi_scene *scene, const char *name) {
  if (scene->team_count == 0) return LWI_NO_ITEM;
  uint32_t item = lwi_hash_index_first(&scene->team_index, hash_of_name(name));
  while (item != LWI_NO_ITEM && strcmp(scene->teams[item].name, name) != 0)
    item = lwi_hash_index_next(&scene->team_index, item);
  return item;
}

bool lwi_scene_add_team(lwi_scene *scene, const char *name, lwi_memory *memory) {
  if (!lwi_reserve(memory, &scene->teams, &scene->team_capacity, scene->team_count + 1, sizeof *scene->teams) ||
      !lwi_hash_index_add(&scene->team_index, memory, hash_of_name(name), (uint32_t)scene->team_count))
    return false;
  lwi_team *team = &scene->teams[scene->team_count++];
  *team = (lwi_team){.visibility = 1};
  strcpy(team->name, name);
  return true;
}

void lwi_scene_clear_teams(lwi_scene *scene) {
  scene->team_count = 0;
  lwi_hash_index_clear(&scene->team_index);
}

float lwi_scene_visibility(const lwi_scene *scene, const char *team) {
  const uint32_t item = team && team[0] ? lwi_scene_find_team(scene, team) : LWI_NO_ITEM;
  return item == LWI_NO_ITEM ? scene->visibility : scene->visibility * scene->teams[item].visibility;
}

lw_status lwi_scene_check_accuracy(const lwi_scene *scene, lw_accuracy accuracy) {
  return accuracy == LW_ACCURACY_MAP && !scene->sight.any_map ? LW_NOT_FOUND : LW_OK;
}

bool lwi_scene_timed_costs(const lwi_scene *scene, lwi_timed_kind kind, const lwi_nav *nav,
                           const lw_profile *profile, lwi_timed_scratch *scratch, lwi_timed_costs *costs) {
  if (!lwi_scene_timed_anywhere(scene, kind, nav, profile, scratch, costs) ||
      lwi_outline_index_is_empty(&nav->outlines[kind]))
    return false;
  lwi_timed_scratch_begin(scratch, &nav->outlines[kind]);
  return true;
}

bool lwi_scene_timed_anywhere(const lwi_scene *scene, lwi_timed_kind kind, const lwi_nav *nav,
                              const lw_profile *profile, lwi_timed_scratch *scratch, lwi_timed_costs *costs) {
  const lwi_timed_set *set = &scene->timed[kind];
  float factor = 0;
  if (profile) factor = kind == LWI_DANGER ? profile->def.danger_cost : profile->def.cover_bias - 1;
  *costs = (lwi_timed_costs){.kind = kind,
                             .outlines = &nav->outlines[kind],
                             .regions = set->shapes,
                             .tree = &set->tree,
                             .scratch = scratch,
                             .factor = factor};
  return factor > 0 && set->ids.count > 0;
}
