/* The agents of a world: spawning, despawning, moving, saying why. */
#include "agent/driving.h"
#include "behavior/tree.h"
#include "core/status.h"
#include "core/text.h"
#include "query/path_query.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

lw_agent_def lw_agent_def_default(void) {
  return (lw_agent_def){
      .snap = {2, 4, 2}, .navmesh = LW_NAVMESH_FITTING, .pace = LW_NORMAL, .cookie = LWI_COOKIE};
}

lwi_agent *lwi_world_agent(const lw_world *world, lw_agent_id id) {
  uint32_t slot = LWI_FIND(&world->agents.ids, id);
  return slot == LWI_NO_SLOT ? NULL : world->agents.items[slot];
}

lwi_agent *lwi_next_agent(const lw_world *world, const lwi_agent *agent) {
  const lwi_id_pool *ids = &world->agents.ids;
  uint32_t slot = agent ? lwi_id_pool_next(ids, agent->id.slot) : ids->first;
  return slot == LWI_NO_SLOT ? NULL : world->agents.items[slot];
}

lwi_agent *lwi_world_agent_of_serial(const lw_world *world, uint64_t serial) {
  const uint32_t slot = lwi_hash_index_find(&world->agents.by_serial, serial);
  lwi_agent *agent = slot == LWI_NO_ITEM ? NULL : world->agents.items[slot];
  return agent && !agent->removal.pending ? agent : NULL;
}

void lwi_agent_set_serial(lw_world *world, lwi_agent *agent, uint64_t serial) {
  lwi_hash_index_remove(&world->agents.by_serial, agent->serial, agent->id.slot);
  agent->serial = serial;
  lwi_hash_index_add(&world->agents.by_serial, &world->memory, serial, agent->id.slot); /* in its memory */
}

/* --- spawning and despawning ------------------------------------------------------------------------------ */

/* Either `at` or `snap` was refused. */
static lw_status fail_place(const lw_agent_def *def, lw_error *error) {
  const bool is_at = !lwi_finite(def->at);
  const lw_vec3 value = is_at ? def->at : def->snap;
  return lwi_fail(error, LW_INVALID, "%s is (%g, %g, %g), expected %s", is_at ? "at" : "snap", (double)value.x,
                  (double)value.y, (double)value.z, is_at ? "finite numbers" : "numbers above 0");
}

/* An agent of a file may be trapped where no ground is left: it stands on ground as it was baked.
   @return false: no file was restored since the last step, or there is no ground. */
static bool find_lost_ground(const lw_world *world, const lw_agent_def *def, const lwi_nav **nav,
                             lw_location *at) {
  if (world->restored != world->steps || def->navmesh < 0) return false;
  *nav = &world->scene.navs[def->navmesh];
  const lw_filter *filter = &def->profile->prices.filter;
  if (lw_navmesh_nearest((*nav)->base, def->at, def->snap, filter, at) != LW_OK) return false;
  at->poly = 0;
  return true;
}

static lw_status check_def(const lw_world *world, const lw_agent_def *def, const lwi_nav **nav, lw_location *at,
                           lw_error *error) {
  lw_status status = lwi_check_cookie(def->cookie, "lw_agent_def", error);
  if (status != LW_OK) return status;
  if (!def->profile) return lwi_fail_null(error, "profile");
  if ((unsigned)def->pace >= LW_PACE_COUNT)
    return lwi_fail(error, LW_INVALID, "pace is %d, expected 0 to %d", (int)def->pace, LW_PACE_COUNT - 1);
  if (def->stance && lw_profile_find_stance(def->profile, def->stance) < 0)
    return lwi_fail(error, LW_INVALID, "stance is '%s', expected a stance of the profile '%s'", def->stance,
                    def->profile->def.name);
  if ((status = lwi_check_team("team", def->team, error)) != LW_OK) return status;
  if (!lwi_scene_has(&world->scene, def->navmesh))
    return lwi_fail(error, LW_INVALID, "navmesh is %d, expected 0 to %d, or LW_NAVMESH_FITTING (-1)",
                    def->navmesh, world->scene.nav_count - 1);
  const lwi_place_query place = {def->navmesh, def->at, def->snap, def->profile};
  status = lwi_scene_place(&world->scene, &place, nav, at);
  if (status == LW_INVALID) return fail_place(def, error);
  if (status != LW_OK && !find_lost_ground(world, def, nav, at))
    return lwi_fail(error, LW_NO_START, "no navmesh within (%g, %g, %g) m of (%g, %g, %g) that '%s' may enter",
                    (double)def->snap.x, (double)def->snap.y, (double)def->snap.z, (double)def->at.x,
                    (double)def->at.y, (double)def->at.z, def->profile->def.name);
  return LW_OK;
}

/* The agent, and all that leads to it but its slot. */
static void free_agent(lw_world *world, lwi_agent *agent) {
  lwi_agent_drop_cover(world, agent);
  lwi_agent_threats_free(world, agent);
  lwi_agent_drop_obstacles(world, agent);
  lwi_agent_leave_links(world, agent);
  lw_path_destroy(agent->route.path);
  lw_drive_destroy(agent->route.driving.drive);
  lwi_agent_journey_free(world, agent);
  lwi_free(&world->memory, agent->route.polygons,
           (size_t)agent->route.polygon_capacity * sizeof *agent->route.polygons);
  lwi_agent_free_tree(world, agent);
  lwi_agent_free_senses(world, agent);
  lwi_agent_end_history(world, agent);
  lwi_free(&world->memory, agent, sizeof *agent);
}

/* Let it be found by its place and by its serial number. @return false: no memory, nothing changed. */
static bool list_in_indices(lw_world *world, lwi_agent *agent) {
  lwi_agents *agents = &world->agents;
  if (!lwi_hash_index_add(&agents->by_serial, &world->memory, agent->serial, agent->id.slot)) return false;
  if (lwi_agent_list_place(world, agent)) return true;
  lwi_hash_index_remove(&agents->by_serial, agent->serial, agent->id.slot);
  return false;
}

static bool list_agent(lw_world *world, lwi_agent *agent) {
  lwi_agents *agents = &world->agents;
  if (!lwi_reserve(&world->memory, &agents->items, &agents->capacity, agents->ids.slot_count + 1,
                   sizeof(lwi_agent *)))
    return false;
  uint32_t slot = lwi_id_pool_add(&agents->ids, &world->memory);
  if (slot == LWI_NO_SLOT) return false;
  agent->id = (lw_agent_id)LWI_ID(&agents->ids, slot);
  if (!list_in_indices(world, agent)) {
    lwi_id_pool_remove(&agents->ids, slot);
    return false;
  }
  agents->items[slot] = agent;
  world->agents.crowd.is_stale = true;
  world->agents.senses.is_stale |= lwi_agent_has_senses(agent);
  return true;
}

lw_status lw_agent_spawn(lw_world *world, const lw_agent_def *def, lw_agent_id *id, lw_error *error) {
  if (!id) return lwi_fail_null(error, "agent");
  *id = lw_agent_id_none();
  if (!world) return lwi_fail_null(error, "world");
  if (!def) return lwi_fail_null(error, "def");
  if (world->closing) return lwi_fail(error, LW_INVALID, "the world is being destroyed");
  lw_location at;
  const lwi_nav *nav;
  lw_status status = check_def(world, def, &nav, &at, error);
  if (status != LW_OK) return status;
  lwi_agent *agent = lwi_alloc_zero(&world->memory, sizeof *agent);
  if (!agent) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  agent->profile = def->profile;
  agent->navmesh = lwi_scene_index(&world->scene, nav);
  agent->at = at;
  agent->pace = def->pace;
  if (def->stance) agent->stance = lw_profile_find_stance(def->profile, def->stance);
  agent->user = def->user;
  agent->color = def->color & 0xffffff;
  agent->tree = def->tree;
  if (def->team) strcpy(agent->team, def->team);
  agent->ground.first_carried = LWI_NO_SLOT;
  agent->ground.is_trapped = at.poly == 0;
  agent->route.reconsider = agent->route.excess = INFINITY;
  agent->knowledge.first_learning = agent->knowledge.last_learning = agent->knowledge.first_eye = LWI_NO_SLOT;
  agent->serial = world->spawned + 1;
  agent->random = lwi_random_make(world->def.seed, world->spawned + 1);
  if (def->tree) status = lwi_agent_create_run(world, def->tree, &agent->run);
  if (status != LW_OK || !lwi_agent_begin_history(world, agent) || !lwi_agent_begin_turns(world, agent) ||
      !lwi_team_number(world, agent->team, &agent->knowledge.team_number) || !list_agent(world, agent)) {
    free_agent(world, agent);
    return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  }
  world->spawned += 1;
  lwi_agent_pose_reset(agent, &world->agents.poses);
  lwi_agent_queue(world, agent);
  lwi_agent_prepare_prices(world, agent);
  *id = agent->id;
  return LW_OK;
}

/* A leftist heap: nothing is allocated for it, so that despawning cannot fail. */
static lwi_agent *merge(lwi_agent *a, lwi_agent *b) {
  if (!a || !b) return a ? a : b;
  if (a->serial < b->serial) {
    lwi_agent *older = a;
    a = b;
    b = older;
  }
  a->removal.right = merge(a->removal.right, b);
  if (!a->removal.left || a->removal.left->removal.rank < a->removal.right->removal.rank) {
    lwi_agent *left = a->removal.left;
    a->removal.left = a->removal.right;
    a->removal.right = left;
  }
  a->removal.rank = a->removal.right ? a->removal.right->removal.rank + 1 : 1;
  return a;
}

/* The turn to search again is a place in the order of agents: it passes to the next agent when one up to it goes. */
static void pass_turn(lw_world *world, const lwi_agent *gone) {
  const lwi_agent *turn = lwi_world_agent(world, world->planner.stale_turn);
  if (!turn || gone->serial > turn->serial) return;
  const lwi_agent *next = lwi_next_agent(world, turn);
  world->planner.stale_turn = next ? next->id : lw_agent_id_none();
}

static void remove_agent(lw_world *world, lwi_agent *agent) {
  lwi_agent_abort_tree(world, agent);
  lwi_agent_end_turns(world, agent);
  pass_turn(world, agent);
  world->agents.crowd.is_stale = true;
  world->agents.senses.any_gone = true;
  world->agents.senses.is_stale |= agent->knowledge.senses != NULL || lwi_agent_has_senses(agent);
  uint32_t slot = agent->id.slot;
  lwi_agent_leave_group(world, agent);
  lwi_agent_unlist_place(world, agent);
  lwi_hash_index_remove(&world->agents.by_serial, agent->serial, slot);
  free_agent(world, agent);
  lwi_id_pool_remove(&world->agents.ids, slot);
}

lw_status lw_agent_despawn(lw_world *world, lw_agent_id id) {
  if (!world) return LW_INVALID;
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent || agent->removal.pending) return LW_STALE;
  agent->removal.pending = true;
  agent->removal.rank = 1;
  world->agents.removed = merge(world->agents.removed, agent);
  world->agents.removed_count += 1;
  if (lwi_world_is_busy(world)) return LW_OK;
  lwi_world_enter(world);
  lwi_world_flush_removed(world);
  lwi_world_leave(world);
  return LW_OK;
}

lw_status lw_agent_kill(lw_world *world, lw_agent_id id) {
  if (!world) return LW_INVALID;
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent || agent->removal.pending) return LW_STALE;
  lw_danger_def def = world->def.death_danger;
  def.at = agent->at.point;
  lw_danger_id danger;
  lw_status status = def.value > 0 ? lw_danger_add(world, &def, &danger, NULL) : LW_OK;
  lw_agent_despawn(world, id);
  return status;
}

void lwi_world_flush_removed(lw_world *world) {
  /* The newest first. Leaves that are aborted here may spawn agents and despawn others. */
  world->agents.flushing = true;
  while (world->agents.removed) {
    lwi_agent *agent = world->agents.removed;
    world->agents.removed = merge(agent->removal.left, agent->removal.right);
    agent->removal.left = agent->removal.right = NULL;
    remove_agent(world, agent);
    world->agents.removed_count -= 1;
  }
  world->agents.flushing = false;
}

void lwi_world_agents_free(lw_world *world) {
  lwi_agents *agents = &world->agents;
  while (agents->ids.count > 0) lw_agent_despawn(world, agents->items[agents->ids.last]->id);
  lwi_world_free_past(world);
  lwi_id_pool_free(&agents->ids, &world->memory);
  lwi_hash_index_free(&world->reserved.index, &world->memory);
  lwi_crowd_free(&world->agents.crowd, &world->memory);
  lwi_hash_index_free(&agents->by_cell, &world->memory);
  lwi_hash_index_free(&agents->by_serial, &world->memory);
  lwi_free(&world->memory, agents->items, (size_t)agents->capacity * sizeof(lwi_agent *));
}

lw_agent_id lw_agent_next(const lw_world *world, lw_agent_id id) {
  if (!world) return lw_agent_id_none();
  const lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent && !lw_agent_id_is_none(id)) return lw_agent_id_none();
  do agent = lwi_next_agent(world, agent);
  while (agent && agent->removal.pending);
  return agent ? agent->id : lw_agent_id_none();
}

/* --- what it does ----------------------------------------------------------------------------------------- */

lw_status lw_agent_set_heading(lw_world *world, lw_agent_id id, float heading) {
  if (!world) return LW_INVALID;
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  if (!isfinite(heading)) return LW_INVALID;
  if (world->scene.stepping) lwi_agent_pose_begin(agent, &world->agents.poses); /* a leaf turns it */
  agent->heading = remainderf(heading, 6.28318531f);
  return LW_OK;
}

lw_status lw_agent_set_pace(lw_world *world, lw_agent_id id, lw_pace pace) {
  if (!world) return LW_INVALID;
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  if ((unsigned)pace >= LW_PACE_COUNT) return LW_INVALID;
  agent->pace = pace;
  agent->route.journey.pace = 0;
  agent->route.motion.is_resting = false;
  return LW_OK;
}

lw_status lw_agent_set_stance(lw_world *world, lw_agent_id id, const char *name) {
  if (!world || !name) return LW_INVALID;
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  int stance = lw_profile_find_stance(agent->profile, name);
  if (stance < 0) return LW_NOT_FOUND;
  if (stance == agent->stance) return LW_OK;
  agent->stance = stance;
  lwi_world_alarm(world, agent);
  return LW_OK;
}

lw_status lw_agent_set_reason(lw_world *world, lw_agent_id id, const char *reason) {
  if (!world || !reason) return LW_INVALID;
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  lwi_text_show(agent->mind.reason, sizeof agent->mind.reason, reason);
  agent->mind.failed = 0;
  return LW_OK;
}

lw_status lw_agent_note_failure(lw_world *world, lw_agent_id id, int node, const char *reason) {
  if (!world) return LW_INVALID;
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  if (node < 0 || node >= lw_tree_node_count(agent->tree)) return LW_NOT_FOUND;
  const size_t length = reason ? strlen(reason) : 0, size = sizeof agent->mind.reason;
  agent->mind.failed = 1 + node;
  if (length < size)
    memcpy(agent->mind.reason, reason ? reason : "", length + 1);
  else
    lwi_text_show(agent->mind.reason, size, reason); /* which leaves out its middle */
  return LW_OK;
}

void lwi_agent_settle_reason(lwi_agent *agent) {
  lw_node_info node;
  if (agent->mind.failed == 0) return;
  if (lw_tree_get_node(agent->tree, agent->mind.failed - 1, &node) == LW_OK) {
    char text[512];
    const bool has_reason = agent->mind.reason[0];
    snprintf(text, sizeof text, "%.200s%s%.250s", node.name, has_reason ? ": " : "", agent->mind.reason);
    lwi_text_show(agent->mind.reason, sizeof agent->mind.reason, text);
  }
  agent->mind.failed = 0;
}

lw_random *lw_agent_random_stream(lw_world *world, lw_agent_id id) {
  if (!world) return NULL;
  lwi_agent *agent = lwi_world_agent(world, id);
  return agent ? &agent->random : NULL;
}

lw_status lw_agent_explain(const lw_world *world, lw_workspace *workspace, lw_agent_id id,
                           lw_explanation **explanation) {
  if (!explanation) return LW_INVALID;
  *explanation = NULL;
  if (!world) return LW_INVALID;
  const lwi_agent *agent = lwi_world_agent(world, id);
  lw_workspace *own = lwi_workspace_of(&world->scene, workspace);
  if (!agent) return LW_STALE;
  if (!own) return LW_INVALID;
  const lw_path *path = agent->route.path;
  if (!path) return LW_EMPTY;
  /* A stale path is about to be searched again, and is not compared. */
  lwi_explain_query asked = {.query = NULL};
  if (lwi_world_staleness(world, agent) != LWI_FRESH)
    return lwi_path_explain(path, &world->scene, own, &asked, explanation);
  lw_path_query query = lwi_agent_query(agent, path->points[0], agent->route.goal);
  if (!lwi_world_fill_threats(world, own, agent, &query)) return LW_OUT_OF_MEMORY;
  const lw_vec3 near_by = {0.1f, 1, 0.1f};
  lw_location lead;
  asked.query = &query;
  asked.limits = lwi_agent_limits(agent);
  if (lw_navmesh_nearest(world->scene.meshes[path->navmesh], path->points[0], near_by,
                         &query.profile->prices.filter, &lead) == LW_OK)
    asked.lead = &lead;
  return lwi_path_explain(path, &world->scene, own, &asked, explanation);
}

/* --- what can be seen of it ------------------------------------------------------------------------------- */

/* While it waits for its path: the straight distance. */
static float remaining_of(const lwi_agent *agent) {
  return agent->route.staleness == LWI_WAITING ? lwi_distance(agent->at.point, agent->route.goal)
                                               : agent->route.remaining;
}

lw_status lw_agent_get_state(const lw_world *world, lw_agent_id id, lw_agent_state *state) {
  if (state) *state = (lw_agent_state){0};
  if (!world || !state) return LW_INVALID;
  const lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  *state = (lw_agent_state){
      .position = agent->at.point,
      .navmesh = agent->navmesh,
      .poly = agent->at.poly,
      .velocity = agent->velocity,
      .heading = agent->heading,
      .trailer_heading = lwi_agent_trailer_heading(agent),
      .move = agent->move,
      .failure = agent->failure,
      .goal = agent->route.goal,
      .waits_for_path = agent->route.staleness == LWI_WAITING,
      .remaining = remaining_of(agent),
      .next_point = agent->route.path ? lwi_agent_next_point(agent) : 0,
      .link = agent->link.active ? agent->link.kind : LW_LINK_NONE,
      .footing = agent->ground.is_parked ? agent->ground.beside : lwi_agent_footing(agent).point,
      .footing_navmesh = lwi_agent_footing_navmesh(agent),
      .link_progress = agent->link.active ? lwi_traverse_progress(&agent->link) : 0,
      .link_id =
          agent->link.active && lwi_world_link(world, agent->link.id) ? agent->link.id : lw_link_id_none(),
      .is_held = agent->link.active && agent->link.is_held && !agent->link.is_finished,
      .waits_for = lwi_world_link(world, agent->route.wait.link) ? agent->route.wait.link : lw_link_id_none(),
      .pace = lwi_agent_pace(agent),
      .journey = agent->route.journey.profile,
      .stance = lwi_agent_stance(agent, world->scene.meshes[agent->navmesh]),
      .team = agent->team,
      .profile = agent->profile,
      .user = agent->user,
      .color = agent->color,
  };
  return LW_OK;
}

lw_status lw_agent_pose(const lw_world *world, lw_agent_id id, float alpha, lw_pose *pose) {
  if (pose) *pose = (lw_pose){0};
  if (!world || !pose || !(alpha >= 0 && alpha <= 1)) return LW_INVALID;
  const lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  *pose = (lw_pose){
      .navmesh = agent->navmesh,
      .stance = lwi_agent_stance(agent, world->scene.meshes[agent->navmesh]),
      .pace = lwi_agent_pace(agent),
      .link = agent->link.active ? agent->link.kind : LW_LINK_NONE,
      .link_progress = agent->link.active ? lwi_traverse_progress(&agent->link) : 0,
  };
  lwi_agent_pose_at(agent, &world->agents.poses, alpha, pose);
  return LW_OK;
}

lw_agent_id lw_agent_blocker(const lw_world *world, lw_agent_id id, float *seconds) {
  float unused;
  if (!seconds) seconds = &unused;
  *seconds = 0;
  const lwi_agent *agent = world ? lwi_world_agent(world, id) : NULL;
  if (!agent) return lw_agent_id_none();
  const lw_agent_id blocker = lwi_agent_blocker(agent, seconds);
  return lwi_world_agent(world, blocker) ? blocker : lw_agent_id_none();
}

lw_status lw_agent_get_stats(const lw_world *world, lw_agent_id id, lw_agent_stats *stats) {
  if (stats) *stats = (lw_agent_stats){0};
  if (!world || !stats) return LW_INVALID;
  const lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  *stats = agent->stats;
  return LW_OK;
}

const lw_path *lw_agent_path(const lw_world *world, lw_agent_id id) {
  if (!world) return NULL;
  const lwi_agent *agent = lwi_world_agent(world, id);
  return agent ? agent->route.path : NULL;
}

const lw_drive *lw_agent_drive(const lw_world *world, lw_agent_id id) {
  if (!world) return NULL;
  const lwi_agent *agent = lwi_world_agent(world, id);
  return agent ? agent->route.driving.drive : NULL;
}

const lw_tree *lw_agent_tree(const lw_world *world, lw_agent_id id) {
  if (!world) return NULL;
  const lwi_agent *agent = lwi_world_agent(world, id);
  return agent ? agent->tree : NULL;
}
