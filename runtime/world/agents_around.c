/* Which agents are near a point: an index of all by square cells in xz. */
#include "core/hash.h"
#include "core/status.h"
#include "core/vec3.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

/* [m] */
#define CELL 8.0f
/* An agent may be that far from the cell that the index has: it was moved beside ground that was cut away, or that a
   new profile may not enter, since the last step. [m] */
#define MOVED 4.0f

static int32_t cell_along(float at) {
  return (int32_t)fmaxf(-1e9f, fminf(1e9f, floorf(at / CELL)));
}

static uint64_t hash_of(const int32_t cell[2]) {
  return lwi_hash(LWI_HASH_SEED, cell, 2 * sizeof *cell);
}

bool lwi_agent_list_place(lw_world *world, lwi_agent *agent) {
  int32_t *cell = agent->ground.cell;
  cell[0] = cell_along(agent->at.point.x);
  cell[1] = cell_along(agent->at.point.z);
  return lwi_hash_index_add(&world->agents.by_cell, &world->memory, hash_of(cell), agent->id.slot);
}

void lwi_agent_unlist_place(lw_world *world, const lwi_agent *agent) {
  lwi_hash_index_remove(&world->agents.by_cell, hash_of(agent->ground.cell), agent->id.slot);
}

void lwi_agent_note_place(lw_world *world, lwi_agent *agent) {
  const int32_t *cell = agent->ground.cell;
  if (cell[0] == cell_along(agent->at.point.x) && cell[1] == cell_along(agent->at.point.z)) return;
  lwi_agent_unlist_place(world, agent);
  lwi_agent_list_place(world, agent); /* in the memory that it had */
}

lw_agents_query lw_agents_query_default(void) {
  return (lw_agents_query){.radius = 20, .cookie = LWI_COOKIE};
}

static bool fits(const lwi_agent *agent, const lw_agents_query *query) {
  if (agent->removal.pending || lwi_distance(agent->at.point, query->at) > query->radius) return false;
  if (query->team && strcmp(agent->team, query->team) != 0) return false;
  if (query->profile && agent->profile != query->profile) return false;
  return !lw_agent_id_equal(agent->id, query->except);
}

/* The agents that fit: all are counted, and kept while there is space. */
typedef struct finding {
  const lw_world *world;
  const lw_agents_query *query;
  lw_agent_id *agents;
  int capacity, count;
} finding;

static void look_at(void *user, lwi_agent *agent) {
  finding *found = user;
  if (!fits(agent, found->query)) return;
  if (found->count < found->capacity) found->agents[found->count] = agent->id;
  found->count += 1;
}

static void look_at_all(const lw_world *world, void (*visit)(void *user, lwi_agent *agent), void *user) {
  for (lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));) visit(user, agent);
}

void lwi_world_visit_near(const lw_world *world, lw_vec3 at, float radius,
                          void (*visit)(void *user, lwi_agent *agent), void *user) {
  const lwi_hash_index *index = &world->agents.by_cell;
  const float reach = radius + MOVED;
  const int32_t low[2] = {cell_along(at.x - reach), cell_along(at.z - reach)},
                high[2] = {cell_along(at.x + reach), cell_along(at.z + reach)};
  const double cells = ((double)high[0] - low[0] + 1) * ((double)high[1] - low[1] + 1);
  if (cells > world->agents.ids.count) {
    look_at_all(world, visit, user);
    return;
  }
  int32_t cell[2];
  for (cell[1] = low[1]; cell[1] <= high[1]; cell[1]++) {
    for (cell[0] = low[0]; cell[0] <= high[0]; cell[0]++) {
      uint32_t slot = lwi_hash_index_first(index, hash_of(cell));
      for (; slot != LWI_NO_ITEM; slot = lwi_hash_index_next(index, slot)) {
        lwi_agent *agent = world->agents.items[slot];
        if (agent->ground.cell[0] == cell[0] && agent->ground.cell[1] == cell[1]) visit(user, agent);
      }
    }
  }
}

/* A heap sort in place: the list may be long, and there is no memory for serial numbers beside it. */
static uint64_t serial_of(const finding *found, int i) {
  return found->world->agents.items[found->agents[i].slot]->serial;
}

static void swap(finding *found, int a, int b) {
  const lw_agent_id id = found->agents[a];
  found->agents[a] = found->agents[b];
  found->agents[b] = id;
}

static void sift(finding *found, int at, int count) {
  for (;;) {
    int largest = at;
    for (int child = 2 * at + 1; child <= 2 * at + 2 && child < count; child++)
      if (serial_of(found, child) > serial_of(found, largest)) largest = child;
    if (largest == at) return;
    swap(found, at, largest);
    at = largest;
  }
}

static void sort(finding *found) {
  for (int i = found->count / 2 - 1; i >= 0; i--) sift(found, i, found->count);
  for (int end = found->count - 1; end > 0; end--) {
    swap(found, 0, end);
    sift(found, 0, end);
  }
}

int lw_agents_around(const lw_world *world, const lw_agents_query *query, lw_agent_id *agents, int capacity) {
  if (!world || !query || query->cookie != LWI_COOKIE || capacity < 0 || (capacity > 0 && !agents)) return -1;
  if (!lwi_finite(query->at) || !(query->radius >= 0)) return -1;
  finding found = {.world = world, .query = query, .agents = agents, .capacity = capacity};
  lwi_world_visit_near(world, query->at, query->radius, look_at, &found);
  if (found.count <= capacity) {
    sort(&found);
    return found.count;
  }
  if (capacity == 0) return found.count;
  found.count = 0; /* not all fit: the first in order do */
  look_at_all(world, look_at, &found);
  return found.count;
}
