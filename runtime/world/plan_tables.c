/* When searches may use the bounds at their prices (price_tables.h), which take long to compute: the planner grants that a
   part of its work in each step in which somebody waits for them. Whether they have been computed already, as for a path
   that was asked for between steps, changes nothing: what counts is the work that was granted. */
#include "core/hash.h"
#include "world/world.h"

#include <string.h>

/* Of the work of a step, this part at most. */
#define SHARE 2
/* Points that take as long as one unit of work. */
#define POINTS_A_WORK 2

/* --- what is needed --------------------------------------------------------------------------------------- */

lwi_plan_need lwi_agent_plan_need(const lw_world *world, const lwi_agent *agent) {
  return (lwi_plan_need){.profile = lwi_agent_driven_profile(world, agent),
                         .limits = lwi_agent_limits(agent),
                         .visibility = lw_world_get_visibility(world, agent->team),
                         .navmesh = lwi_agent_footing_navmesh(agent),
                         .may_cross = world->scene.links.count > 0};
}

lwi_plan_need lwi_request_plan_need(const lw_world *world, const lwi_path_request *request) {
  const lw_path_query *query = &request->query;
  const char *team = query->team ? request->team : NULL;
  return (lwi_plan_need){.profile = query->profile,
                         .visibility = query->visibility >= 0 ? query->visibility
                                                              : lwi_scene_visibility(&world->scene, team),
                         .navmesh = query->navmesh,
                         .may_cross = query->navmesh == LW_NAVMESH_FITTING};
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
  if (!lwi_scene_has_price_tables(scene, nav, prices) || lwi_scene_is_uniform(scene, nav, prices)) return false;
  return navmesh == need->navmesh || (need->may_cross && lwi_nav_fits(scene, nav, need->profile));
}

/* --- the list --------------------------------------------------------------------------------------------- */

static lwi_plan_table key_of(const lwi_prices *prices, int navmesh) {
  const lwi_prices at = lwi_price_table_prices(prices);
  return (lwi_plan_table){.navmesh = navmesh, .prices = at.identity, .visibility = at.visibility};
}

/* @return Its place in the list; -1: there is none. */
static int find(const lwi_plan_tables *tables, const lwi_plan_table *key) {
  for (int i = 0; i < tables->count; i++) {
    const lwi_plan_table *item = &tables->items[i];
    if (item->prices == key->prices && item->visibility == key->visibility && item->navmesh == key->navmesh)
      return i;
  }
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
    const uint64_t words[] = {(uint64_t)item->navmesh, item->prices, item->work};
    hash = lwi_hash(hash, words, sizeof words);
    hash = lwi_hash(hash, &item->visibility, sizeof item->visibility);
  }
  return hash;
}

/* --- asking ----------------------------------------------------------------------------------------------- */

static bool has_granted(const lw_world *world) {
  return world->planner.tables.granted == world->steps + 1;
}

lwi_plan_readiness lwi_plan_tables_state(const lw_world *world, const lwi_plan_need *need) {
  lwi_prices scratch;
  const lwi_prices *prices = prices_of(world, need, &scratch);
  if (prices->identity == 0) return LWI_PLAN_READY;
  for (int i = 0; i < world->scene.nav_count; i++) {
    if (!is_needed(world, need, prices, i)) continue;
    const lwi_plan_table key = key_of(prices, i);
    const int place = find(&world->planner.tables, &key);
    if (place >= 0 && world->planner.tables.items[place].is_ready) continue;
    return world->steps > 0 && has_granted(world) ? LWI_PLAN_WAITS : LWI_PLAN_ASKS;
  }
  return LWI_PLAN_READY;
}

static void grant(lw_world *world, lwi_plan_table *item, const lwi_prices *prices) {
  lwi_planner *planner = &world->planner;
  const lwi_nav *nav = &world->scene.navs[item->navmesh];
  const uint64_t before = item->work;
  item->work += POINTS_A_WORK * (uint64_t)(world->def.search_work / SHARE + 1);
  item->is_ready = lwi_price_tables_prepare(&nav->shared->price_tables, nav->base, prices, &item->work);
  planner->left -= (int64_t)((item->work - before) / POINTS_A_WORK);
  planner->tables.granted = world->steps + 1;
}

/* Whether the table counts, maybe from now on. */
static bool ask(lw_world *world, const lwi_prices *prices, int navmesh, bool may_grant) {
  lwi_plan_tables *tables = &world->planner.tables;
  const lwi_plan_table key = key_of(prices, navmesh);
  const bool is_first_step = world->steps == 0;
  const int place = find(tables, &key);
  lwi_plan_table *item = place >= 0 ? &tables->items[place] : NULL;
  if (item && item->is_ready) return true;
  if (!is_first_step && (!may_grant || has_granted(world))) return false;
  if (!item) item = add(tables, &key);
  if (is_first_step)
    item->is_ready = true;
  else
    grant(world, item, prices);
  return item->is_ready;
}

bool lwi_plan_tables_ask(lw_world *world, const lwi_plan_need *need, bool may_grant) {
  lwi_prices scratch;
  bool are_ready = true;
  const lwi_prices *prices = prices_of(world, need, &scratch);
  if (prices->identity == 0) return true;
  for (int i = 0; i < world->scene.nav_count; i++)
    if (is_needed(world, need, prices, i)) are_ready = ask(world, prices, i, may_grant) && are_ready;
  return are_ready;
}

void lwi_agent_prepare_prices(lw_world *world, const lwi_agent *agent) {
  lwi_prices scratch;
  const lwi_plan_need need = {.profile = agent->profile,
                              .visibility = lw_world_get_visibility(world, agent->team),
                              .navmesh = agent->navmesh};
  const lwi_prices *prices = prices_of(world, &need, &scratch);
  if (world->scene.stepping || prices->identity == 0 || !is_needed(world, &need, prices, need.navmesh)) return;
  if (ask(world, prices, need.navmesh, false))
    lwi_workspace_price_table(world->scene.own, &world->scene.navs[need.navmesh], prices);
}
