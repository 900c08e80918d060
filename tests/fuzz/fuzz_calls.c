/* Any sequence of calls of the C API leaves worlds that hold: every status exists, errors clear their results, agents stay
   on the navmesh, and a saved world continues as the one that was saved. Leaves of trees make calls, too. Each byte is
   an argument; what the arguments mean stands in calls.h. */
#include "calls.h"
#include "memory_files.h"

#include <math.h>
#include <string.h>

#define CALLS_MAX 100 /* of an input */
#define DEPTH_MAX 2

static void make_call(calls *c, lw_world *world) {
  const uint32_t which = calls_below(c, calls_change_count + calls_query_count);
  if (which < calls_change_count)
    calls_changes[which](c, world);
  else
    calls_queries[which - calls_change_count](c, world);
}

static lw_node_status run_leaf(void *user, lw_world *world, lw_agent_id agent, lw_leaf_call *call) {
  calls *c = user;
  (void)agent;
  if (c->at >= c->end || c->depth >= DEPTH_MAX) return LW_RUNNING;
  c->depth += 1;
  if (calls_flag(c)) make_call(c, world);
  c->depth -= 1;
  if (calls_flag(c)) call->wake = (double)calls_number(c, 2);
  return (lw_node_status)(calls_below(c, 4) % 3);
}

static void make_world(calls *c, int which) {
  lw_world_def def = fuzz_level_world();
  const uint8_t how = calls_byte(c);
  def.seed = how;
  def.depth_maps = how % 3;
  def.cache_bytes = how % 5 == 0 ? 0 : def.cache_bytes;
  def.link_count = how % 7 > 0;
  def.navmesh_count = how % 11 > 0 ? 2 : 1;
  def.stuck_seconds = how % 4 == 0 ? 0.2f : 2;
  def.death_danger.value = how % 2 ? 1 : 0;
  def.leaf = run_leaf;
  def.user = c;
  if (def.navmesh_count == 1) def.link_count = 0;
  lw_error error = {0};
  if (lw_world_create(&def, &c->worlds[which], &error) != LW_OK) fuzz_fail("no world: %s", error.text);
}

static void check_agent(const calls *c, const lw_world *world, lw_agent_id agent) {
  lw_agent_state state;
  lw_agent_stats stats;
  if (lw_agent_get_state(world, agent, &state) != LW_OK) fuzz_fail("an agent that is listed is stale");
  lw_agent_get_stats(world, agent, &stats);
  if (!isfinite(state.position.x + state.position.y + state.position.z)) fuzz_fail("an agent is nowhere");
  if (!isfinite(state.heading)) fuzz_fail("an agent looks nowhere");
  if (!c->profile_set && stats.off_mesh > 0) fuzz_fail("an agent is off the navmesh");
}

static void check_world(const calls *c, const lw_world *world) {
  int agents = 0, threats = 0, dangers = 0, lanes = 0;
  for (lw_agent_id id = lw_agent_id_none(); !lw_agent_id_is_none(id = lw_agent_next(world, id)); agents++)
    check_agent(c, world, id);
  for (lw_threat_id id = lw_threat_id_none(); !lw_threat_id_is_none(id = lw_threat_next(world, id));) threats++;
  for (lw_danger_id id = lw_danger_id_none(); !lw_danger_id_is_none(id = lw_danger_next(world, id));) dangers++;
  for (lw_fire_lane_id id = lw_fire_lane_id_none();
       !lw_fire_lane_id_is_none(id = lw_fire_lane_next(world, id));)
    lanes++;
  int obstacles = 0;
  for (lw_obstacle_id id = lw_obstacle_id_none(); !lw_obstacle_id_is_none(id = lw_obstacle_next(world, id));)
    obstacles++;
  int links = 0;
  for (lw_link_id id = lw_link_id_none(); !lw_link_id_is_none(id = lw_link_next(world, id)); links++) {
    lw_link_info link;
    if (lw_link_get(world, id, &link) != LW_OK) fuzz_fail("a link that is listed is stale");
    if (link.users < 0 || link.waiting < 0 || link.users + link.waiting > lw_world_agent_count(world))
      fuzz_fail("more agents than there are use a link");
  }
  if (links != lw_link_count(world) || obstacles != lw_obstacle_count(world) ||
      agents != lw_world_agent_count(world) || threats != lw_threat_count(world) ||
      dangers != lw_danger_count(world) || lanes != lw_fire_lane_count(world))
    fuzz_fail("counts differ from lists");
}

/* --- saving ------------------------------------------------------------------------------------------------------- */

static bool has_trees(const lw_world *world) {
  for (lw_agent_id id = lw_agent_id_none(); !lw_agent_id_is_none(id = lw_agent_next(world, id));)
    if (lw_agent_tree(world, id)) return true;
  return false;
}

/* Save the first world and restore it into the second one. */
static void save_and_restore(calls *c) {
  lw_world *world = c->worlds[0], *other = c->worlds[1];
  lw_saved *saved = NULL;
  lw_error error = {0};
  lw_world_apply_changes(world); /* a world in which a navmesh waits to be replaced is not saved */
  calls_check("lw_world_save", lw_world_save(world, "calls.lws", &error), NULL, 0);
  if (lw_saved_open("calls.lws", NULL, &saved, &error) != LW_OK) fuzz_fail("saved, not loaded: %s", error.text);
  /* On other navmeshes it fits where the tiles beneath its agents are the same. */
  const bool may_fit = lw_world_navmesh_count(world) == lw_world_navmesh_count(other);
  bool fits = may_fit;
  for (int i = 0; i < lw_world_navmesh_count(world); i++)
    fits = fits && lw_world_base_navmesh(world, i) == lw_world_base_navmesh(other, i);
  const lw_status status = lw_world_restore(other, saved, &error);
  if (!c->has_tiles && (status == LW_OK ? !may_fit : fits))
    fuzz_fail("restored: %s: %s", lw_status_name(status), error.text);
  if (status == LW_OK) fuzz_level_restore_agents(other, saved);
  lw_saved_destroy(saved);
  check_world(c, other);
}

/* A world of the same def continues as the saved one. */
static void check_continues(calls *c, const uint8_t *data, size_t size) {
  if (has_trees(c->worlds[0]) || c->profile_set || c->has_tiles) return;
  lw_world_destroy(c->worlds[1]);
  c->at = data; /* the same def */
  c->end = data + size;
  make_world(c, 1);
  lw_world_apply_changes(c->worlds[0]); /* navmeshes that wait take their places */
  for (int i = 0; i < lw_world_navmesh_count(c->worlds[1]); i++)
    lw_world_set_navmesh(c->worlds[1], i, lw_world_base_navmesh(c->worlds[0], i), NULL);
  lw_world_apply_changes(c->worlds[1]);
  c->at = c->end;
  lw_planner_stats stats; /* requests are not saved, nor is the work of a step */
  for (int i = 0; i < CALLS_KEPT; i++) lw_path_request_cancel(c->worlds[0], c->requests[i]);
  if (lw_world_get_planner_stats(c->worlds[0], &stats) == LW_OK)
    lw_world_set_search_work(c->worlds[1], stats.budget);
  save_and_restore(c);
  for (int i = 0; i < 3; i++) {
    if (lw_world_hash(c->worlds[0]) != lw_world_hash(c->worlds[1]))
      fuzz_fail("another world after %d steps", i);
    for (int k = 0; k < CALLS_WORLDS; k++) lw_world_step(c->worlds[k], 0.1f);
  }
}

void fuzz_input(const uint8_t *data, size_t size) {
  calls c = {.at = data, .end = data + size};
  for (int i = 0; i < CALLS_WORLDS; i++) make_world(&c, i);
  for (int i = 0; i < CALLS_WORLDS; i++) c.workspaces[i] = lw_workspace_create(c.worlds[i]);
  for (int i = 0; i < CALLS_MAX && c.at < c.end; i++) {
    const uint8_t which = calls_byte(&c);
    if (which == 255)
      save_and_restore(&c);
    else
      make_call(&c, which == 254 ? NULL : c.worlds[which % 4 == 3]);
    for (int k = 0; k < CALLS_WORLDS; k++) check_world(&c, c.worlds[k]);
  }
  c.at = c.end; /* trees that are aborted make no calls */
  for (int i = 0; i < CALLS_WORLDS; i++) lw_workspace_destroy(c.workspaces[i]);
  check_continues(&c, data, size);
  for (int i = 0; i < CALLS_KEPT; i++) lw_path_destroy(c.paths[i]);
  for (int i = 0; i < CALLS_WORLDS; i++) lw_world_destroy(c.worlds[i]);
  memory_files_clear();
}
