/* The agents of a world: ids, spawning, moving, saying why. */
#include "core/status.h"
#include "search/explain.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

lw_agent_def lw_agent_def_default(void) {
  return (lw_agent_def){
      .snap = {2, 4, 2}, .navmesh = LW_NAVMESH_FITTING, .pace = LW_NORMAL, .cookie = LWI_COOKIE};
}

/* --- ids: generation above, slot + 1 below ---------------------------------------------------------------------- */

static lw_agent_id make_id(int slot, uint32_t generation) {
  return (uint64_t)generation << 32 | (uint32_t)(slot + 1);
}

lwi_agent *lwi_world_agent(const lw_world *world, lw_agent_id id) {
  uint32_t slot = (uint32_t)id - 1; /* 0 wraps and is out of range */
  if (slot >= (uint32_t)world->slot_count || world->slots[slot].generation != id >> 32) return NULL;
  return world->slots[slot].agent;
}

/* @return The slot, or -1: no memory. */
static int take_slot(lw_world *world) {
  if (world->free_slot >= 0) {
    int slot = world->free_slot;
    world->free_slot = world->slots[slot].next_free;
    return slot;
  }
  if (!lwi_reserve(&world->memory, &world->slots, &world->slot_capacity, world->slot_count + 1,
                   sizeof *world->slots))
    return -1;
  world->slots[world->slot_count] = (lwi_agent_slot){0};
  return world->slot_count++;
}

static void release_slot(lw_world *world, lw_agent_id id) {
  int slot = (int)((uint32_t)id - 1);
  world->slots[slot] = (lwi_agent_slot){
      .generation = world->slots[slot].generation + 1,
      .next_free = world->free_slot,
  };
  if (world->slots[slot].generation == 0) return; /* used up: never handed out again */
  world->free_slot = slot;
}

/* --- spawning and despawning ------------------------------------------------------------------------------------ */

static lw_status check_def(const lw_world *world, const lw_agent_def *def, lwi_ground **ground, lw_location *at,
                           lw_error *error) {
  lw_status status = lwi_check_cookie(def->cookie, "lw_agent_def", error);
  if (status != LW_OK) return status;
  if (!def->profile) return lwi_fail(error, LW_INVALID, "profile is missing");
  if ((unsigned)def->pace >= LW_PACE_COUNT) return lwi_fail(error, LW_INVALID, "pace %d is unknown", def->pace);
  if (def->stance && lw_profile_find_stance(def->profile, def->stance) < 0)
    return lwi_fail(error, LW_INVALID, "stance: profile '%s' has no '%s'", def->profile->def.name, def->stance);
  if (def->team && strlen(def->team) > 31)
    return lwi_fail(error, LW_INVALID, "team '%s': expected at most 31 bytes", def->team);
  if (def->navmesh < LW_NAVMESH_FITTING || def->navmesh >= world->ground_count)
    return lwi_fail(error, LW_INVALID, "navmesh %d: the world has %d, counted from 0", def->navmesh,
                    world->ground_count);
  status = lwi_world_place(world, def->navmesh, def->at, def->snap, def->profile, ground, at);
  if (status == LW_INVALID)
    return lwi_fail(error, LW_INVALID, "at and snap: expected finite numbers, snap above 0");
  if (status != LW_OK)
    return lwi_fail(error, LW_NO_START, "no navmesh within (%g, %g, %g) m of (%g, %g, %g) that '%s' may enter",
                    (double)def->snap.x, (double)def->snap.y, (double)def->snap.z, (double)def->at.x,
                    (double)def->at.y, (double)def->at.z, def->profile->def.name);
  return LW_OK;
}

static void free_agent(lw_world *world, lwi_agent *agent) {
  lw_path_destroy(agent->path);
  lw_tree_run_destroy(agent->run);
  lwi_agent_threats_free(world, agent);
  lwi_free(&world->memory, agent, sizeof *agent);
}

static bool list_agent(lw_world *world, lwi_agent *agent) {
  if (!lwi_reserve(&world->memory, &world->agents, &world->agent_capacity, world->agent_count + 1,
                   sizeof(lwi_agent *)))
    return false;
  int slot = take_slot(world);
  if (slot < 0) return false;
  agent->id = make_id(slot, world->slots[slot].generation);
  world->slots[slot].agent = agent;
  world->agents[world->agent_count++] = agent;
  return true;
}

lw_status lw_agent_spawn(lw_world *world, const lw_agent_def *def, lw_agent_id *id, lw_error *error) {
  *id = 0;
  lw_location at;
  lwi_ground *ground;
  lw_status status = check_def(world, def, &ground, &at, error);
  if (status != LW_OK) return status;
  lwi_agent *agent = lwi_alloc_zero(&world->memory, sizeof *agent);
  if (!agent) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  agent->profile = def->profile;
  agent->navmesh = (int)(ground - world->grounds);
  agent->at = at;
  agent->pace = def->pace;
  if (def->stance) agent->stance = lw_profile_find_stance(def->profile, def->stance);
  agent->user = def->user;
  agent->color = def->color & 0xffffff;
  agent->tree = def->tree;
  if (def->team) strcpy(agent->team, def->team);
  agent->random = lwi_random_make(world->def.seed, world->spawned + 1);
  if (def->tree) status = lw_tree_run_create(def->tree, &world->memory.allocator, &agent->run);
  if (status != LW_OK || !list_agent(world, agent)) {
    free_agent(world, agent);
    return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  }
  world->spawned += 1;
  *id = agent->id;
  return LW_OK;
}

static void remove_at(lw_world *world, int index) {
  lwi_agent *agent = world->agents[index];
  if (agent->run) {
    lwi_tree_user user = {world, agent};
    lw_tree_host host = lwi_tree_host_of(&user);
    lw_tree_run_abort(agent->run, &host);
  }
  /* The abort ran leaves, which may have spawned: find the place again. */
  for (index = 0; world->agents[index] != agent;) index += 1;
  memmove(&world->agents[index], &world->agents[index + 1],
          (size_t)(world->agent_count - index - 1) * sizeof(lwi_agent *));
  world->agent_count -= 1;
  lwi_world_drop_eyes(world, agent->id);
  release_slot(world, agent->id);
  free_agent(world, agent);
}

lw_status lw_agent_despawn(lw_world *world, lw_agent_id id) {
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent || agent->doomed) return LW_STALE;
  agent->doomed = true;
  if (!world->stepping) lwi_world_bury(world);
  return LW_OK;
}

void lwi_world_bury(lw_world *world) {
  /* Leaves that are aborted here may despawn others: those are doomed, and found by this loop. */
  bool was_stepping = world->stepping;
  world->stepping = true;
  for (int i = world->agent_count - 1; i >= 0; i--) {
    if (i >= world->agent_count || !world->agents[i]->doomed) continue;
    remove_at(world, i);
    i = world->agent_count;
  }
  world->stepping = was_stepping;
}

lw_agent_id lw_agent_next(const lw_world *world, lw_agent_id id) {
  int next = 0;
  if (id) {
    const lwi_agent *agent = lwi_world_agent(world, id);
    if (!agent) return 0;
    while (world->agents[next] != agent) next += 1;
    next += 1;
  }
  while (next < world->agent_count && world->agents[next]->doomed) next += 1;
  return next < world->agent_count ? world->agents[next]->id : 0;
}

/* --- what it does ----------------------------------------------------------------------------------------------- */

static float random_for_tree(void *user) {
  return lwi_random_unit(&((lwi_tree_user *)user)->agent->random);
}

static lw_node_status leaf_for_tree(void *user, lw_leaf_call *call) {
  lwi_tree_user *tree = user;
  const lw_world_def *def = &tree->world->def;
  return def->leaf ? def->leaf(def->user, tree->world, tree->agent->id, call) : LW_FAILURE;
}

lw_tree_host lwi_tree_host_of(lwi_tree_user *user) {
  return (lw_tree_host){
      .leaf = leaf_for_tree, .random = random_for_tree, .user = user, .now = user->world->time};
}

lw_status lw_agent_move_to(lw_world *world, lw_agent_id id, lw_vec3 goal, float within) {
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  if (!lwi_finite(goal) || !(within >= 0 && isfinite(within))) return LW_INVALID;
  lwi_agent_leave_cover(agent, goal);
  agent->goal = goal;
  agent->within = within;
  agent->replans_left = LWI_MAX_REPLANS;
  lw_path *path = NULL;
  lw_status status = lwi_world_agent_path(world, agent, goal, &path);
  if (status != LW_OK) {
    lwi_agent_halt(agent, LW_MOVE_FAILED, status);
    return status;
  }
  lwi_agent_follow(agent, path, world->time);
  return LW_OK;
}

lw_status lw_agent_stop(lw_world *world, lw_agent_id id) {
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  lwi_agent_halt(agent, LW_MOVE_IDLE, LW_OK);
  return LW_OK;
}

lw_status lw_agent_set_pace(lw_world *world, lw_agent_id id, lw_pace pace) {
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  if ((unsigned)pace >= LW_PACE_COUNT) return LW_INVALID;
  agent->pace = pace;
  return LW_OK;
}

lw_status lw_agent_set_stance(lw_world *world, lw_agent_id id, const char *name) {
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
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  snprintf(agent->reason, sizeof agent->reason, "%s", reason);
  return LW_OK;
}

float lw_agent_random(lw_world *world, lw_agent_id id) {
  lwi_agent *agent = lwi_world_agent(world, id);
  return agent ? lwi_random_unit(&agent->random) : 0;
}

/* --- what can be seen of it --------------------------------------------------------------------------------------- */

lw_status lw_agent_get_state(const lw_world *world, lw_agent_id id, lw_agent_state *state) {
  const lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  *state = (lw_agent_state){
      .position = agent->at.point,
      .navmesh = agent->navmesh,
      .poly = agent->at.poly,
      .velocity = agent->velocity,
      .heading = agent->heading,
      .move = agent->move,
      .failure = agent->failure,
      .goal = agent->goal,
      .remaining = agent->remaining,
      .next_point = agent->path ? lwi_agent_next_point(agent) : 0,
      .link = agent->link.active ? agent->link.kind : LW_LINK_NONE,
      .footing = lwi_agent_footing(agent).point,
      .footing_navmesh = lwi_agent_footing_navmesh(agent),
      .link_progress = agent->link.active ? lwi_traverse_progress(&agent->link) : 0,
      .pace = agent->pace,
      .stance = agent->stance,
      .team = agent->team,
      .profile = agent->profile,
      .user = agent->user,
      .color = agent->color,
  };
  return LW_OK;
}

lw_status lw_agent_get_stats(const lw_world *world, lw_agent_id id, lw_agent_stats *stats) {
  const lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  *stats = agent->stats;
  return LW_OK;
}

const lw_path *lw_agent_path(const lw_world *world, lw_agent_id id) {
  const lwi_agent *agent = lwi_world_agent(world, id);
  return agent ? agent->path : NULL;
}

const lw_tree *lw_agent_tree(const lw_world *world, lw_agent_id id) {
  const lwi_agent *agent = lwi_world_agent(world, id);
  return agent ? agent->tree : NULL;
}

/* What its path costs, if that is more than its length. */
static void describe_path(const lwi_agent *agent, char *text, size_t size) {
  text[0] = 0;
  if (!agent->path || lw_path_cost(agent->path) <= 1.01f * lw_path_length(agent->path)) return;
  lw_explanation *e = lwi_explain(agent->path, &agent->path->memory.allocator);
  if (!e) return;
  char sentence[256];
  lw_explanation_sentence(e, sentence, sizeof sentence);
  snprintf(text, size, "; the path %s", sentence);
  lw_explanation_destroy(e);
}

static void describe_move(const lwi_agent *agent, char *text, size_t size) {
  lw_vec3 goal = agent->goal;
  char path[300];
  switch (agent->move) {
  case LW_MOVE_IDLE: snprintf(text, size, "stands"); break;
  case LW_MOVE_ARRIVED:
    snprintf(text, size, "arrived at (%.1f, %.1f, %.1f)", (double)goal.x, (double)goal.y, (double)goal.z);
    break;
  case LW_MOVE_WALKING:
    describe_path(agent, path, sizeof path);
    snprintf(text, size, "walks to (%.1f, %.1f, %.1f), %.1f m left%s", (double)goal.x, (double)goal.y,
             (double)goal.z, (double)agent->remaining, path);
    break;
  case LW_MOVE_FAILED:
    snprintf(text, size, "cannot get to (%.1f, %.1f, %.1f): %s", (double)goal.x, (double)goal.y, (double)goal.z,
             lw_status_text(agent->failure));
    break;
  }
}

int lw_agent_why(const lw_world *world, lw_agent_id id, char *text, size_t size) {
  const lwi_agent *agent = lwi_world_agent(world, id);
  if (size > 0) text[0] = 0;
  if (!agent) return 0;
  char node[256] = "no tree", move[480], link[64] = "", stance[40] = "", fear[40] = "";
  if (agent->run) {
    int current = lw_tree_run_current(agent->run);
    if (current >= 0)
      lw_tree_node_path(agent->tree, current, node, sizeof node);
    else
      snprintf(node, sizeof node, "%s", lw_tree_name(agent->tree));
  }
  describe_move(agent, move, sizeof move);
  if (agent->link.active)
    snprintf(link, sizeof link, ", on a %s link (%.0f %%)", lw_link_kind_name(agent->link.kind),
             (double)(100 * lwi_traverse_progress(&agent->link)));
  if (agent->stance != LW_STAND)
    snprintf(stance, sizeof stance, ", %.31s", lw_profile_get_stance(agent->profile, agent->stance)->name);
  const int threats = lw_agent_get_threats(world, id, NULL, 0);
  if (threats > 0) snprintf(fear, sizeof fear, ", knows of %d threat%s", threats, threats > 1 ? "s" : "");
  return snprintf(text, size, "%s: %s%s%s%s%s%s", node, move, stance, link, fear,
                  agent->reason[0] ? "; last failure: " : "", agent->reason);
}
