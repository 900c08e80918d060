/* When searches may use the bounds at their prices (price_tables.h), which take long to compute: the planner grants that a
   part of its work as steps begin, and until it is enough, paths are searched without them. Whether they have been computed
   already, as for a path that was asked for between steps, changes nothing: what counts is the work that was granted. */
#include "core/hash.h"
#include "world/world.h"

#include <string.h>

/* Of the work of a step, this part at most. */
#define SHARE 2
/* Points that take as long as one unit of work. */
#define POINTS_A_WORK 3

/* --- what is needed --------------------------------------------------------------------------------------- */

lwi_plan_need lwi_agent_plan_need(const lw_world *world, const lwi_agent *agent) {
  return (lwi_plan_need){.profile = lwi_agent_driven_profile(world, agent),
                         .limits = lwi_agent_limits(agent),
                         .visibility = lw_world_get_visibility(world, agent->team),
                         .navmesh = lwi_agent_footing_navmesh(agent),
                         .may_cross = world->scene.links.count > 0};
}

static lwi_plan_need query_plan_need(const lw_world *world, const lw_path_query *query, const char *team) {
  return (lwi_plan_need){.profile = query->profile,
                         .visibility = query->visibility >= 0 ? query->visibility
                                                              : lwi_scene_visibility(&world->scene, team),
                         .navmesh = query->navmesh,
                         .may_cross = query->navmesh == LW_NAVMESH_FITTING};
}

lwi_plan_need lwi_request_plan_need(const lw_world *world, const lwi_path_request *request) {
  return query_plan_need(world, &request->query, request->query.team ? request->team : NULL);
}

static const lwi_prices *prices_of(const lw_world *world, const lwi_plan_need *need, lwi_prices *scratch) {
  const lwi_prices *prices = lwi_scene_prices(&world->scene, need->profile, need->visibility, scratch);
  if (!need->limits) return prices;
  if (prices != scratch) *scratch = *prices;
  lwi_prices_limit(scratch, need->limits);
  return scratch;
}

/* Is a path searched on that navmesh, by a table? */
static bool is_needed(const lw_world *world, const lwi_plan_need *need, const lwi_prices *prices, int navmesh) {
  const lwi_scene *scene = &world->scene;
  const lwi_nav *nav = &scene->navs[navmesh];
  if (!lwi_scene_has_price_table(scene, nav, prices) || lwi_scene_is_uniform(scene, nav, prices)) return false;
  return navmesh == need->navmesh || (need->may_cross && lwi_nav_fits(scene, nav, need->profile));
}

/* --- the list --------------------------------------------------------------------------------------------- */

static bool is_same(const lwi_plan_table *a, const lwi_plan_table *b) {
  return a->prices == b->prices && a->visibility == b->visibility && a->navmesh == b->navmesh;
}

static lwi_plan_table key_of(const lwi_prices *prices, int navmesh) {
  const lwi_prices at = lwi_price_table_prices(prices);
  return (lwi_plan_table){.navmesh = navmesh, .prices = at.identity, .visibility = at.visibility};
}

/* @return Its place in the list; -1: there is none. */
static int find(const lwi_plan_tables *tables, const lwi_plan_table *key) {
  for (int i = 0; i < tables->count; i++)
    if (is_same(&tables->items[i], key)) return i;
  return -1;
}

static void drop(lwi_plan_tables *tables, int place) {
  tables->count -= 1;
  memmove(&tables->items[place], &tables->items[place + 1],
          (size_t)(tables->count - place) * sizeof *tables->items);
}

/* The oldest makes space. */
static lwi_plan_table *add(lwi_plan_tables *tables, const lwi_plan_table *key) {
  if (tables->count == LWI_PLAN_TABLES_MAX) drop(tables, 0);
  tables->items[tables->count] = *key;
  return &tables->items[tables->count++];
}

void lwi_plan_tables_forget(lw_world *world, int navmesh) {
  lwi_plan_tables *tables = &world->planner.tables;
  for (int i = tables->count - 1; i >= 0; i--)
    if (tables->items[i].navmesh == navmesh) drop(tables, i);
}

uint64_t lwi_plan_tables_hash(const lw_world *world, uint64_t hash) {
  const lwi_plan_tables *tables = &world->planner.tables;
  for (int i = 0; i < tables->count; i++) {
    const lwi_plan_table *item = &tables->items[i];
    if (item->is_ready) continue;
    const uint64_t words[] = {(uint64_t)item->navmesh, item->prices, item->work, item->user};
    hash = lwi_hash(hash, words, sizeof words);
    hash = lwi_hash(hash, &item->visibility, sizeof item->visibility);
  }
  return hash;
}

/* --- what counts ------------------------------------------------------------------------------------------ */

/* Up to the first step all do. */
static bool is_ready(const lw_world *world, const lwi_plan_table *key) {
  const int place = find(&world->planner.tables, key);
  return world->steps == 0 || (place >= 0 && world->planner.tables.items[place].is_ready);
}

bool lwi_plan_tables_are_ready(const lw_world *world, const lwi_plan_need *need) {
  lwi_prices scratch;
  const lwi_prices *prices = prices_of(world, need, &scratch);
  for (int i = 0; i < world->scene.nav_count; i++) {
    if (!is_needed(world, need, prices, i)) continue;
    const lwi_plan_table key = key_of(prices, i);
    if (!is_ready(world, &key)) return false;
  }
  return true;
}

void lwi_agent_prepare_prices(lw_world *world, const lwi_agent *agent) {
  lwi_prices scratch;
  const lwi_plan_need need = {.profile = agent->profile,
                              .visibility = lw_world_get_visibility(world, agent->team),
                              .navmesh = agent->navmesh};
  const lwi_prices *prices = prices_of(world, &need, &scratch);
  lwi_nav *nav = &world->scene.navs[need.navmesh];
  if (world->scene.stepping || !is_needed(world, &need, prices, need.navmesh)) return;
  if (world->steps == 0) lwi_plan_tables_want(world, &need, agent->serial, false);
  if (lwi_plan_tables_are_ready(world, &need))
    lwi_workspace_price_table(world->scene.own, nav, prices);
  else
    lwi_price_tables_graph(&nav->shared->price_tables, nav->base);
}

/* --- granting work ---------------------------------------------------------------------------------------- */

static void grant(lw_world *world, lwi_plan_table *item, const lwi_prices *prices) {
  lwi_planner *planner = &world->planner;
  const lwi_nav *nav = &world->scene.navs[item->navmesh];
  const uint64_t before = item->work;
  item->work += POINTS_A_WORK * (uint64_t)(world->def.search_work / SHARE + 1);
  item->is_enough = lwi_price_tables_prepare(&nav->shared->price_tables, nav->base, prices, &item->work);
  planner->left -= (int64_t)((item->work - before) / POINTS_A_WORK);
  planner->tables.granted = world->steps + 1;
}

static void want(lw_world *world, const lwi_prices *prices, int navmesh, uint64_t user, bool may_grant) {
  lwi_plan_tables *tables = &world->planner.tables;
  const lwi_plan_table key = key_of(prices, navmesh);
  const int place = find(tables, &key);
  lwi_plan_table *item = place >= 0 ? &tables->items[place] : add(tables, &key);
  item->is_ready = item->is_ready || world->steps == 0;
  if (item->is_ready || item->is_enough) return;
  if (user != 0) item->user = user;
  if (may_grant && tables->granted != world->steps + 1) grant(world, item, prices);
}

void lwi_plan_tables_want(lw_world *world, const lwi_plan_need *need, uint64_t user, bool may_grant) {
  lwi_prices scratch;
  const lwi_prices *prices = prices_of(world, need, &scratch);
  for (int i = 0; i < world->scene.nav_count; i++)
    if (is_needed(world, need, prices, i)) want(world, prices, i, user, may_grant);
}

bool lwi_plan_tables_may_be_used(lw_world *world, const lw_path_query *query) {
  const lwi_plan_need need = query_plan_need(world, query, query->team);
  lwi_plan_tables_want(world, &need, 0, true);
  return lwi_plan_tables_are_ready(world, &need);
}

/* Grant work to a table for the agent that asked for it last. @return false: it has no use for it any more. */
static bool grant_to_user(lw_world *world, lwi_plan_table *item) {
  const lwi_agent *user = lwi_world_agent_of_serial(world, item->user);
  if (!user || item->navmesh >= world->scene.nav_count) return false;
  lwi_prices scratch;
  const lwi_plan_need need = lwi_agent_plan_need(world, user);
  const lwi_prices *prices = prices_of(world, &need, &scratch);
  if (!is_needed(world, &need, prices, item->navmesh)) return false;
  const lwi_plan_table key = key_of(prices, item->navmesh);
  if (!is_same(item, &key)) return false;
  grant(world, item, prices);
  return true;
}

void lwi_plan_tables_begin_step(lw_world *world) {
  lwi_plan_tables *tables = &world->planner.tables;
  bool has_granted = false;
  for (int i = 0; i < tables->count; i++) {
    lwi_plan_table *item = &tables->items[i];
    item->is_ready = item->is_ready || item->is_enough;
    if (!item->is_ready && !has_granted) has_granted = grant_to_user(world, item);
  }
}
