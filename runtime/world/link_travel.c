/* Agents on off-mesh links: which of them may begin one, which wait for it, and what the game hears of it. Those that wait
   for a link are a list through the agents, in the order of their arrival. */
#include "core/vec3.h"
#include "world/world.h"

/* An agent that is further from where the link begins does not wait for it any more. [m] */
#define AT_LINK 0.05f
/* With a body, which others may push. [m] */
#define BESIDE_LINK 0.8f

/* --- waiting ---------------------------------------------------------------------------------------------- */

static lwi_agent *agent_at(const lw_world *world, uint32_t slot) {
  return world->agents.items[slot];
}

/* Put an agent into the list behind those with smaller tickets. */
static void queue_up(lw_world *world, lwi_link_entry *entry, lwi_agent *agent) {
  uint32_t before = entry->last_waiting;
  while (before != LWI_NO_SLOT && agent_at(world, before)->route.wait.ticket > agent->route.wait.ticket)
    before = agent_at(world, before)->route.wait.previous;
  agent->route.wait.previous = before;
  agent->route.wait.next =
      before == LWI_NO_SLOT ? entry->first_waiting : agent_at(world, before)->route.wait.next;
  if (before == LWI_NO_SLOT)
    entry->first_waiting = agent->id.slot;
  else
    agent_at(world, before)->route.wait.next = agent->id.slot;
  if (agent->route.wait.next == LWI_NO_SLOT)
    entry->last_waiting = agent->id.slot;
  else
    agent_at(world, agent->route.wait.next)->route.wait.previous = agent->id.slot;
  entry->waiting += 1;
  world->links.waiting += 1;
}

static void stop_waiting(lw_world *world, lwi_agent *agent) {
  if (lw_link_id_is_none(agent->route.wait.link)) return;
  lwi_link_entry *entry = lwi_world_link(world, agent->route.wait.link);
  const lwi_link_wait wait = agent->route.wait;
  agent->route.wait = (lwi_link_wait){.link = lw_link_id_none()};
  world->links.waiting -= 1;
  if (!entry) return; /* nobody waits for a link that was removed */
  if (wait.previous == LWI_NO_SLOT)
    entry->first_waiting = wait.next;
  else
    agent_at(world, wait.previous)->route.wait.next = wait.next;
  if (wait.next == LWI_NO_SLOT)
    entry->last_waiting = wait.previous;
  else
    agent_at(world, wait.next)->route.wait.previous = wait.previous;
  entry->waiting -= 1;
}

/* The link that its path leads over from where it stands; none: over the ground. */
static lw_link_id link_here(const lwi_agent *agent) {
  const lw_path *path = agent->route.path;
  if (agent->move != LW_MOVE_WALKING || agent->ground.is_parked || agent->link.active) return lw_link_id_none();
  const float reach = agent->profile->has_body ? BESIDE_LINK : AT_LINK;
  for (int i = 0; i < path->link_count; i++) {
    if (path->links[i].point + 1 < agent->route.next_point) continue;
    const bool is_here = lwi_distance(path->points[path->links[i].point], agent->at.point) <= reach;
    return is_here ? path->links[i].id : lw_link_id_none();
  }
  return lw_link_id_none();
}

void lwi_world_check_waiting(lw_world *world) {
  for (lwi_agent *agent = NULL; world->links.waiting > 0 && (agent = lwi_next_agent(world, agent));) {
    const lw_link_id link = agent->route.wait.link;
    if (lw_link_id_is_none(link)) continue;
    if (agent->removal.pending || !lwi_world_link(world, link) || !lw_link_id_equal(link_here(agent), link))
      stop_waiting(world, agent);
  }
}

/* --- travelling ------------------------------------------------------------------------------------------- */

/* May the agent begin the link now? If not, it waits. */
static bool may_begin(lw_world *world, lwi_link_entry *entry, lwi_agent *agent) {
  const bool waits = !lw_link_id_is_none(agent->route.wait.link);
  const bool is_free = entry->capacity == 0 || entry->users < entry->capacity;
  if (is_free &&
      (entry->capacity == 0 || entry->first_waiting == LWI_NO_SLOT || entry->first_waiting == agent->id.slot))
    return true;
  if (waits) return false;
  agent->route.wait = (lwi_link_wait){.link = LWI_ID(&world->links.ids, (uint32_t)(entry - world->links.items)),
                                      .ticket = ++world->links.arrivals};
  queue_up(world, entry, agent);
  return false;
}

static bool tell(lw_world *world, const lwi_agent *agent, lw_link_event event) {
  const lwi_traverse link = agent->link;
  return world->def.linked && !world->closing && !agent->removal.pending &&
         world->def.linked(world->def.user, world, agent->id, &(lw_link_step){event, link.id, link.kind});
}

static bool enter(void *user, lwi_agent *agent, const lwi_path_link *link) {
  lw_world *world = user;
  lwi_link_entry *entry = lwi_world_link(world, link->id);
  if (entry && !may_begin(world, entry, agent)) return false;
  stop_waiting(world, agent);
  if (entry) entry->users += 1;
  lwi_agent_enter_link(agent, link);
  const bool holds = tell(world, agent, LW_LINK_BEGIN);
  agent->link.is_held = holds;
  return true;
}

static void leave(void *user, lwi_agent *agent) {
  lw_world *world = user;
  lwi_link_entry *entry = lwi_world_link(world, agent->link.id);
  if (entry) entry->users -= 1;
  lwi_agent_landed(world, agent);
  tell(world, agent, LW_LINK_END);
}

lwi_link_host lwi_link_host_of(lw_world *world) {
  return (lwi_link_host){enter, leave, world};
}

void lwi_agent_leave_links(lw_world *world, lwi_agent *agent) {
  lwi_link_entry *entry = agent->link.active ? lwi_world_link(world, agent->link.id) : NULL;
  if (entry) entry->users -= 1;
  agent->link.id = lw_link_id_none();
  stop_waiting(world, agent);
}

void lwi_agent_restore_link(lw_world *world, lwi_agent *agent, lw_link_id id) {
  lwi_link_entry *entry = lwi_world_link(world, id);
  agent->link.id = entry ? id : lw_link_id_none();
  if (entry) entry->users += 1;
}

void lwi_agent_restore_wait(lw_world *world, lwi_agent *agent, lw_link_id id, uint64_t ticket) {
  lwi_link_entry *entry = lwi_world_link(world, id);
  stop_waiting(world, agent);
  if (!entry || !lw_link_id_equal(link_here(agent), id)) return;
  agent->route.wait = (lwi_link_wait){.link = id, .ticket = ticket};
  queue_up(world, entry, agent);
}

lw_status lw_agent_finish_link(lw_world *world, lw_agent_id id) {
  if (!world) return LW_INVALID;
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  if (!agent->link.active) return LW_NOT_FOUND;
  agent->link.is_finished = true;
  return LW_OK;
}
