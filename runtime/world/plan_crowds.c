/* Which of those that wait belong to a crowd: to many that go, or ask, for one goal at the same prices. A distance field
   serves them then. Crowds are counted from what waits and walks alone, so that nothing of it is to be saved. */
#include "core/hash.h"
#include "world/world.h"

#include <string.h>

/* From that number of agents sent since the last step on, and each time that it has doubled, others are looked for. */
#define SENT_MIN 32u

lwi_crowd_use lwi_plan_crowd_use(const lw_world *world, const lwi_agent *agent, bool is_of_crowd) {
  if (agent && lwi_is_vehicle(agent->profile)) return (lwi_crowd_use){.fields = NULL};
  return (lwi_crowd_use){.fields = (lwi_crowd_fields *)&world->planner.crowds.fields,
                         .step = world->steps,
                         .is_of_requests = !agent,
                         .is_of_crowd = is_of_crowd};
}

/* --- crowds ------------------------------------------------------------------------------------------------------- */

static uint64_t limits_of(const lwi_agent *agent) {
  return agent->route.journey.profile ? agent->profile->prices.content : 0;
}

static lwi_goal_crowd crowd_of_agent(const lwi_agent *agent) {
  return (lwi_goal_crowd){.goal = agent->route.goal,
                          .prices = lwi_agent_payer(agent)->prices.content,
                          .limits = limits_of(agent),
                          .navmesh = lwi_agent_footing_navmesh(agent)};
}

static lwi_goal_crowd crowd_of_request(const lwi_path_request *request) {
  const lw_profile *profile = request->query.profile;
  return (lwi_goal_crowd){
      .goal = request->query.to, .prices = profile ? profile->prices.content : 0, .navmesh = -1};
}

static bool is_same(const lwi_goal_crowd *a, const lwi_goal_crowd *b) {
  return lwi_equal(a->goal, b->goal) && a->prices == b->prices && a->limits == b->limits &&
         a->navmesh == b->navmesh;
}

static bool may_join(const lwi_agent *agent) {
  return agent->move == LW_MOVE_WALKING && !agent->removal.pending && !lwi_is_vehicle(agent->profile);
}

/* Requests may begin on any navmesh; the first one stands for the others. */
static bool is_large(const lw_world *world, const lwi_goal_crowd *crowd) {
  return lwi_crowd_is_large(&world->scene.navs[crowd->navmesh < 0 ? 0 : crowd->navmesh], crowd->members);
}

/* --- those that wait ---------------------------------------------------------------------------------------------- */

static uint64_t hash_of(const lwi_goal_crowd *crowd) {
  const uint64_t words[] = {crowd->prices, crowd->limits, (uint64_t)crowd->navmesh};
  return lwi_hash(lwi_hash(LWI_HASH_SEED, &crowd->goal, sizeof crowd->goal), words, sizeof words);
}

/* @return LWI_NO_ITEM: there is no such crowd. */
static uint32_t find(const lwi_plan_crowds *crowds, const lwi_goal_crowd *wanted, uint64_t hash) {
  for (uint32_t i = lwi_hash_index_first(&crowds->index, hash); i != LWI_NO_ITEM;
       i = lwi_hash_index_next(&crowds->index, i))
    if (is_same(&crowds->items[i], wanted)) return i;
  return LWI_NO_ITEM;
}

/* @return LWI_NO_ITEM: no memory. */
static uint32_t find_or_add(lw_world *world, const lwi_goal_crowd *wanted) {
  lwi_plan_crowds *crowds = &world->planner.crowds;
  const uint64_t hash = hash_of(wanted);
  const uint32_t found = find(crowds, wanted, hash);
  if (found != LWI_NO_ITEM) return found;
  if (!lwi_reserve(&world->memory, &crowds->items, &crowds->capacity, crowds->count + 1,
                   sizeof *crowds->items) ||
      !lwi_hash_index_add(&crowds->index, &world->memory, hash, (uint32_t)crowds->count))
    return LWI_NO_ITEM;
  crowds->items[crowds->count] = *wanted;
  return (uint32_t)crowds->count++;
}

static lwi_goal_crowd crowd_of(const lw_world *world, const lwi_plan_entry *entry) {
  return entry->agent ? crowd_of_agent(entry->agent)
                      : crowd_of_request(&world->planner.requests[entry->request]);
}

static bool is_member(const lw_world *world, const lwi_plan_entry *entry) {
  return entry->agent ? may_join(entry->agent) : world->planner.requests[entry->request].query.goal_count == 0;
}

/* Those that walk already count, too. */
static void count_walking(lw_world *world) {
  lwi_plan_crowds *crowds = &world->planner.crowds;
  for (const lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));) {
    if (!may_join(agent) || lwi_agent_waits(agent)) continue;
    const lwi_goal_crowd own = crowd_of_agent(agent);
    const uint32_t found = find(crowds, &own, hash_of(&own));
    if (found != LWI_NO_ITEM) crowds->items[found].members += 1;
  }
}

static void forget_crowds(lwi_plan_crowds *crowds) {
  crowds->count = 0;
  lwi_hash_index_clear(&crowds->index);
}

/* @return false: no memory. */
static bool count_waiting(lw_world *world) {
  lwi_planner *planner = &world->planner;
  for (int i = 0; i < planner->queue.count; i++) {
    const lwi_plan_entry *entry = &planner->queue.entries[i];
    if (!is_member(world, entry)) continue;
    const lwi_goal_crowd own = crowd_of(world, entry);
    const uint32_t found = find_or_add(world, &own);
    if (found == LWI_NO_ITEM) return false;
    planner->crowds.items[found].members += 1;
  }
  return true;
}

void lwi_plan_count_crowds(lw_world *world) {
  lwi_planner *planner = &world->planner;
  forget_crowds(&planner->crowds);
  if (world->agents.ids.count + planner->ids.count < LWI_CROWD_MEMBERS) return;
  if (count_waiting(world))
    count_walking(world);
  else
    forget_crowds(&planner->crowds);
}

bool lwi_plan_entry_is_of_crowd(const lw_world *world, const lwi_plan_entry *entry) {
  const lwi_plan_crowds *crowds = &world->planner.crowds;
  if (crowds->count == 0 || !is_member(world, entry)) return false;
  const lwi_goal_crowd own = crowd_of(world, entry);
  const uint32_t found = find(crowds, &own, hash_of(&own));
  return found != LWI_NO_ITEM && is_large(world, &crowds->items[found]);
}

/* --- those that are sent ------------------------------------------------------------------------------------------ */

bool lwi_plan_is_of_crowd(lw_world *world, const lwi_agent *agent) {
  const uint32_t sent = ++world->planner.crowds.sent;
  if (sent < SENT_MIN || (sent & (sent - 1)) != 0) return false;
  lwi_goal_crowd own = crowd_of_agent(agent);
  for (const lwi_agent *other = NULL; (other = lwi_next_agent(world, other));) {
    if (!may_join(other) || other == agent) continue;
    const lwi_goal_crowd others = crowd_of_agent(other);
    own.members += is_same(&own, &others);
  }
  own.members += 1;
  return is_large(world, &own);
}

void lwi_plan_crowds_free(lw_world *world) {
  lwi_planner *planner = &world->planner;
  lwi_crowd_fields_free(&planner->crowds.fields);
  lwi_free(&world->memory, planner->crowds.items,
           (size_t)planner->crowds.capacity * sizeof *planner->crowds.items);
  lwi_hash_index_free(&planner->crowds.index, &world->memory);
}
