/* Paths that may no longer be the best are searched anew, a part of them in each step. */
#include "world/world.h"

/* What one step may do, in nodes looked at: where a thousand agents get another profile at once, or learn of a threat,
   those that are left wait for the next step, and walk on meanwhile. An edit is to be seen soon; threats move all the
   time, and are to cost a step little. */
#define WORK_FOR_PROFILES 60000
#define WORK_FOR_THREATS 3000
/* One search is always whole, and one that many threats watch takes far more than a step should: the steps after it search for
   nobody whom threats alarmed until each has stood in for so much of it, but for LWI_REST_MOST steps at most. */
#define WORK_PAID_BACK 12000
/* Of a search, beside its nodes; and of looking at a piece of the way from one threat, by depth map or exactly. Of what a search
   does with threats that is the most, and the rest goes with it. What is drawn for it is not counted: that depends on what was
   asked before, and what a step does must not. */
#define WORK_A_SEARCH 20
#define WORK_A_LOOK 4

/* @return The work that it took. */
static int search_anew(lw_world *world, lwi_agent *agent) {
  lw_path *path = NULL;
  uint64_t looks = world->exposure_room.looks;
  agent->stats.replans += 1;
  lw_status status = lwi_world_agent_path(world, agent, agent->goal, &path);
  int work = WORK_A_SEARCH + WORK_A_LOOK * (int)(world->exposure_room.looks - looks);
  if (status == LW_OK) {
    lwi_agent_follow(agent, path, world->time);
    return work + path->nodes;
  }
  lwi_agent_halt(agent, LW_MOVE_FAILED, status);
  if (agent->run) lw_tree_run_wake(agent->run);
  return work;
}

/* After a step that took so much for the alarmed. */
static void rest(lw_world *world, int work) {
  int steps = work / WORK_PAID_BACK;
  world->stale_until = world->steps + (uint64_t)(steps < LWI_REST_MOST ? steps : LWI_REST_MOST);
}

void lwi_world_search_stale(lw_world *world) {
  bool rests = world->steps < world->stale_until;
  int left[] = {[LWI_ALARMED] = rests ? 0 : WORK_FOR_THREATS, [LWI_STALE] = WORK_FOR_PROFILES};
  int count = world->agent_count, begin = world->stale_turn < count ? world->stale_turn : 0;
  world->any_stale = false;
  world->stale_turn = 0;
  for (int i = 0; i < count; i++) {
    int index = begin + i < count ? begin + i : begin + i - count;
    lwi_agent *agent = world->agents[index];
    lwi_staleness why = agent->stale;
    if (why == LWI_FRESH || agent->doomed) continue;
    if (left[why] > 0) {
      left[why] -= search_anew(world, agent);
      continue;
    }
    if (!world->any_stale) world->stale_turn = index;
    world->any_stale = true;
  }
  if (!rests) rest(world, WORK_FOR_THREATS - left[LWI_ALARMED]);
}
