#include "query/workspace.h"

#include "core/status.h"

#include <string.h>

/* --- creating and destroying ------------------------------------------------------------------------------------------ */

static void free_nav(lw_workspace *workspace, lwi_nav_scratch *scratch, const lwi_nav *nav) {
  lwi_components_release(&nav->shared->components, scratch->reach);
  lwi_price_tables_release(&nav->shared->price_tables, scratch->price_table);
  if (scratch->ready) lwi_search_free(&scratch->search);
  lwi_random_scratch_free(&scratch->random, nav->mesh);
  lwi_reach_field_free(&scratch->field);
  lwi_region_scratch_free(&scratch->region);
  lwi_outwards_free(&scratch->outwards);
  lwi_visibility_samples_free(&scratch->visibility);
  for (int i = 0; i < LWI_TIMED_KINDS; i++) lwi_timed_scratch_free(&scratch->timed[i]);
  lwi_blockers_free(&scratch->blockers, &workspace->memory);
}

static void free_inter(lw_workspace *workspace) {
  lwi_inter_scratch *inter = &workspace->inter;
  lwi_memory *memory = &workspace->memory;
  lwi_free(memory, inter->nodes, (size_t)inter->node_count * sizeof *inter->nodes);
  lwi_free(memory, inter->queue, (size_t)inter->queue_capacity * sizeof *inter->queue);
  lwi_free(memory, inter->rests, (size_t)inter->rest_capacity * sizeof *inter->rests);
  lwi_free(memory, inter->legs, (size_t)inter->leg_capacity * sizeof *inter->legs);
  lwi_free(memory, inter->parts, (size_t)inter->part_capacity * sizeof *inter->parts);
  lwi_free(memory, inter->seen, (size_t)inter->seen_capacity * sizeof *inter->seen);
  lwi_free(memory, inter->exposed, (size_t)inter->exposed_capacity * sizeof *inter->exposed);
  lwi_hash_index_free(&inter->queued, memory);
  lwi_heap_free(&inter->open, memory);
}

static void free_workspace(lw_workspace *workspace) {
  const lwi_scene *scene = workspace->scene;
  lwi_memory *memory = &workspace->memory;
  for (int i = 0; workspace->navs && i < scene->nav_count; i++)
    free_nav(workspace, &workspace->navs[i], &scene->navs[i]);
  lwi_free(memory, workspace->navs, (size_t)scene->nav_count * sizeof *workspace->navs);
  lwi_path_scratch_free(&workspace->path);
  lwi_drive_scratch_free(&workspace->drive);
  free_inter(workspace);
  lwi_free(memory, workspace->goals.goals, (size_t)workspace->goals.capacity * sizeof *workspace->goals.goals);
  lwi_exposure_scratch_free(&workspace->exposure);
  lwi_cover_scratch_free(&workspace->cover, memory);
  for (int i = 0; i < 2; i++) lwi_depth_asks_free(&workspace->asks[i]);
  lwi_free(memory, workspace->threats, (size_t)workspace->threat_capacity * sizeof *workspace->threats);
  lwi_memory last = *memory;
  lwi_free(&last, workspace, sizeof *workspace);
}

static void init_nav(lw_workspace *workspace, lwi_nav_scratch *nav) {
  nav->random.memory = nav->field.memory = nav->region.memory = nav->visibility.memory = &workspace->memory;
  nav->outwards.memory = &workspace->memory;
  for (int i = 0; i < LWI_TIMED_KINDS; i++) nav->timed[i].memory = &workspace->memory;
}

static lw_workspace *make(const lwi_scene *scene) {
  lwi_memory memory = lwi_memory_make(&scene->allocator);
  lw_workspace *workspace = lwi_alloc_zero(&memory, sizeof *workspace);
  if (!workspace) return NULL;
  workspace->scene = scene;
  workspace->memory = memory;
  workspace->path.memory = &workspace->memory;
  workspace->drive.memory = workspace->drive.flood.memory = &workspace->memory;
  for (int i = 0; i < 2; i++)
    lwi_depth_asks_init(&workspace->asks[i], &scene->sight.caches[i], &workspace->memory);
  workspace->navs = lwi_alloc_zero(&workspace->memory, (size_t)scene->nav_count * sizeof *workspace->navs);
  if (!workspace->navs) {
    free_workspace(workspace);
    return NULL;
  }
  for (int i = 0; i < scene->nav_count; i++) init_nav(workspace, &workspace->navs[i]);
  return workspace;
}

static void free_list(lwi_workspace_list *list) {
  lwi_depth_asks_free(&list->asks);
  lwi_mutex_destroy(&list->lock);
  lwi_memory last = list->memory;
  lwi_free(&last, list, sizeof *list);
}

static lwi_workspace_list *make_list(const lwi_scene *scene) {
  lwi_memory memory = lwi_memory_make(&scene->allocator);
  lwi_workspace_list *list = lwi_alloc_zero(&memory, sizeof *list);
  if (!list) return NULL;
  list->memory = memory;
  if (!lwi_mutex_init(&list->lock)) {
    lwi_free(&memory, list, sizeof *list);
    return NULL;
  }
  lwi_depth_asks_init(&list->asks, &scene->sight.caches[0], &list->memory);
  return list;
}

lw_workspace *lwi_workspace_make_own(const lwi_scene *scene) {
  lw_workspace *own = make(scene);
  if (!own) return NULL;
  own->list = make_list(scene);
  if (own->list) return own;
  free_workspace(own);
  return NULL;
}

void lwi_workspace_free_own(lw_workspace *own) {
  if (!own) return;
  free_list(own->list);
  free_workspace(own);
}

lw_workspace *lw_workspace_create(const lw_world *world) {
  return world ? lwi_workspace_make(lwi_scene_of(world)) : NULL;
}

lw_workspace *lwi_workspace_make(const lwi_scene *scene) {
  lw_workspace *workspace = make(scene);
  if (!workspace) return NULL;
  lw_workspace *own = scene->own;
  lwi_mutex_lock(&own->list->lock);
  workspace->previous = own;
  workspace->next = own->next;
  if (own->next) own->next->previous = workspace;
  own->next = workspace;
  lwi_mutex_unlock(&own->list->lock);
  return workspace;
}

void lw_workspace_destroy(lw_workspace *workspace) {
  if (!workspace) return;
  lw_workspace *own = workspace->scene->own;
  lwi_mutex_lock(&own->list->lock);
  workspace->previous->next = workspace->next;
  if (workspace->next) workspace->next->previous = workspace->previous;
  if (!lwi_depth_asks_add(&own->list->asks, &workspace->asks[0])) own->list->incomplete = true;
  lwi_mutex_unlock(&own->list->lock);
  free_workspace(workspace);
}

size_t lw_workspace_memory(const lw_workspace *workspace) {
  return workspace ? workspace->memory.bytes : 0;
}

size_t lwi_workspaces_memory(const lwi_scene *scene) {
  size_t bytes = 0;
  if (!scene->own) return 0;
  lwi_mutex_lock(&scene->own->list->lock);
  bytes = scene->own->list->memory.bytes;
  for (const lw_workspace *workspace = scene->own; workspace; workspace = workspace->next)
    bytes += workspace->memory.bytes;
  lwi_mutex_unlock(&scene->own->list->lock);
  return bytes;
}

/* --- asking ---------------------------------------------------------------------------------------------------------- */

lw_workspace *lwi_workspace_of(const lwi_scene *scene, lw_workspace *workspace) {
  if (!workspace) return scene->own;
  return workspace->scene == scene && !workspace->is_held ? workspace : NULL;
}

lwi_nav_scratch *lwi_workspace_nav(lw_workspace *workspace, const lwi_nav *nav) {
  lwi_nav_scratch *scratch = &workspace->navs[lwi_scene_index(workspace->scene, nav)];
  if (scratch->ready) return scratch;
  if (!lwi_search_init(&scratch->search, &workspace->memory, nav->mesh)) {
    lwi_search_free(&scratch->search);
    return NULL;
  }
  scratch->ready = true;
  return scratch;
}

const lwi_reach *lwi_workspace_reach(lw_workspace *workspace, const lwi_nav *nav, const lw_filter *filter) {
  lwi_nav_scratch *scratch = lwi_workspace_nav(workspace, nav);
  if (!scratch) return NULL;
  if (scratch->reach && scratch->reach_version == nav->mesh->live.version &&
      memcmp(&scratch->reach_filter, filter, sizeof *filter) == 0)
    return scratch->reach;
  lwi_components_release(&nav->shared->components, scratch->reach);
  scratch->reach = lwi_components_acquire(&nav->shared->components, filter);
  scratch->reach_filter = *filter;
  scratch->reach_version = nav->mesh->live.version;
  return scratch->reach;
}

const lwi_price_table *lwi_workspace_price_table(lw_workspace *workspace, const lwi_nav *nav,
                                                 const lwi_prices *prices) {
  lwi_nav_scratch *scratch = lwi_workspace_nav(workspace, nav);
  if (!scratch) return NULL;
  if (scratch->price_table && lwi_price_table_is_for(scratch->price_table, prices)) return scratch->price_table;
  lwi_price_tables_release(&nav->shared->price_tables, scratch->price_table);
  scratch->price_table = lwi_price_tables_acquire(&nav->shared->price_tables, nav->base, prices);
  scratch->price_links_version = 0;
  return scratch->price_table;
}

const lwi_price_links *lwi_workspace_price_links(lw_workspace *workspace, const lwi_nav *nav) {
  lwi_nav_scratch *scratch = &workspace->navs[lwi_scene_index(workspace->scene, nav)];
  const uint64_t version = nav->mesh->live.version + 1;
  const lwi_link *link;
  if (nav->added_links == 0) return NULL;
  if (scratch->price_links_version == version) return &scratch->price_links;
  scratch->price_links.count = 0;
  for (uint32_t number = 0; (link = lwi_live_next_added(nav->live, &number));)
    lwi_price_links_add(&scratch->price_links, scratch->price_table, link);
  scratch->price_links_version = version;
  return &scratch->price_links;
}

lwi_sight lwi_workspace_sight(lw_workspace *workspace) {
  const lwi_scene_sight *sight = &workspace->scene->sight;
  const int inside = workspace->scene->stepping;
  return (lwi_sight){.sets = sight->sets,
                     .count = sight->count,
                     .meshes = sight->meshes,
                     .bare = sight->bare,
                     .cache = &sight->caches[inside],
                     .asks = &workspace->asks[inside],
                     .screens = &sight->screens};
}

/* What workspaces other than the world's own asked. */
static bool add_others(const lwi_scene *scene, bool inside, lwi_depth_asks *to) {
  const lw_workspace *own = scene->own;
  bool good = inside || (!own->list->incomplete && lwi_depth_asks_add(to, &own->list->asks));
  for (const lw_workspace *workspace = own->next; workspace; workspace = workspace->next)
    good = lwi_depth_asks_add(to, &workspace->asks[inside]) && good;
  return good;
}

static void forget(lw_workspace *own, bool inside) {
  for (lw_workspace *workspace = own; workspace; workspace = workspace->next)
    lwi_depth_asks_clear(&workspace->asks[inside]);
  if (inside) return;
  lwi_depth_asks_clear(&own->list->asks);
  own->list->incomplete = false;
}

bool lwi_workspaces_count(const lwi_scene *scene, bool inside) {
  lw_workspace *own = scene->own;
  const bool good = add_others(scene, inside, &own->asks[inside]);
  lwi_depth_cache_count(&scene->sight.caches[inside], &own->asks[inside]);
  forget(own, inside);
  return good;
}

bool lwi_workspaces_add_asks(const lwi_scene *scene, lwi_depth_asks *to) {
  return lwi_depth_asks_add(to, &scene->own->asks[0]) && add_others(scene, false, to);
}

void lwi_workspaces_forget(const lwi_scene *scene) {
  for (int inside = 0; inside < 2; inside++) forget(scene->own, inside == 1);
}

void lwi_workspaces_forget_navs(const lwi_scene *scene) {
  for (lw_workspace *workspace = scene->own; workspace; workspace = workspace->next) {
    workspace->forgotten += 1;
    for (int i = 0; i < scene->nav_count; i++) {
      free_nav(workspace, &workspace->navs[i], &scene->navs[i]);
      workspace->navs[i] = (lwi_nav_scratch){.ready = false};
      init_nav(workspace, &workspace->navs[i]);
    }
  }
}

void lwi_workspaces_renew_sight(const lwi_scene *scene, bool is_same) {
  const int count = scene->sight.count;
  for (lw_workspace *workspace = scene->own; workspace; workspace = workspace->next) {
    for (int i = 0; i < 2; i++) lwi_own_maps_renew(&workspace->asks[i].fast, count, is_same);
  }
  lwi_own_maps_renew(&scene->own->list->asks.fast, count, is_same);
}
