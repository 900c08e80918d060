/* How well one is seen in a world, and what that makes of a profile's prices. */
#include "core/status.h"
#include "world/world.h"

#include <string.h>

/* Agents search anew when it has changed by so much since they last did. */
#define MATTERS 0.1f

static lwi_team *find_team(const lw_world *world, const char *name) {
  for (int i = 0; i < world->team_count; i++)
    if (strcmp(world->teams[i].name, name) == 0) return &world->teams[i];
  return NULL;
}

float lw_world_get_visibility(const lw_world *world, const char *team) {
  const lwi_team *found = team && team[0] ? find_team(world, team) : NULL;
  return found ? world->visibility * found->visibility : world->visibility;
}

/* Does it matter to this agent where one can be seen? */
static bool cares(const lwi_agent *agent) {
  const lw_profile_def *def = &agent->profile->def;
  return def->exposure_factor > 0 || def->cover_bias > 1;
}

static void tell_agents(lw_world *world) {
  for (int i = 0; i < world->agent_count; i++) {
    lwi_agent *agent = world->agents[i];
    if (agent->move != LW_MOVE_WALKING || agent->stale != LWI_FRESH || !cares(agent)) continue;
    if (fabsf(lw_world_get_visibility(world, agent->team) - agent->visibility) < MATTERS) continue;
    agent->stale = LWI_ALARMED;
    world->any_stale = true;
  }
}

static lw_status set_team(lw_world *world, const char *name, float visibility) {
  lwi_team *team = find_team(world, name);
  if (!team) {
    if (!lwi_reserve(&world->memory, &world->teams, &world->team_capacity, world->team_count + 1,
                     sizeof *world->teams))
      return LW_OUT_OF_MEMORY;
    team = &world->teams[world->team_count++];
    *team = (lwi_team){.visibility = 1};
    strcpy(team->name, name);
  }
  team->visibility = visibility;
  return LW_OK;
}

lw_status lw_world_set_visibility(lw_world *world, const char *team, float visibility) {
  bool is_team = team && team[0];
  if (!(visibility >= 0 && visibility <= 1) || (is_team && strlen(team) >= sizeof world->teams->name))
    return LW_INVALID;
  lw_status status = is_team ? set_team(world, team, visibility) : LW_OK;
  if (status != LW_OK) return status;
  if (!is_team) world->visibility = visibility;
  tell_agents(world);
  return LW_OK;
}

float lwi_world_visibility_for(const lw_world *world, const lw_path_query *query) {
  return query->visibility >= 0 ? query->visibility : lw_world_get_visibility(world, query->team);
}

/* --- prices ------------------------------------------------------------------------------------------------------- */

static void note_mesh(lw_world *world, const lw_navmesh *mesh) {
  for (uint32_t p = 0; p < mesh->polygon_count; p++) {
    lwi_area_note *note = &world->area_notes[mesh->poly_areas[p]];
    if (!note->has_ground || mesh->exposures[p] < note->least_exposure)
      note->least_exposure = mesh->exposures[p];
    note->has_ground = true;
  }
  for (uint32_t i = 0; i < mesh->link_count; i++)
    if (mesh->links[i].area != LW_AREA_NONE) world->area_notes[mesh->links[i].area].has_link = true;
}

void lwi_world_note_areas(lw_world *world) {
  for (int i = 0; i < world->ground_count; i++) note_mesh(world, world->meshes[i]);
  for (int i = 0; i < world->bridge_count; i++)
    if (world->bridges[i].area != LW_AREA_NONE) world->area_notes[world->bridges[i].area].has_link = true;
}

/* Of what there is in this world no metre costs less. Where all of it lies open that is far more than of what there might
   be, and a search with a better bound looks at less. */
static float lowest_here(const lw_world *world, const lwi_prices *prices) {
  float lowest = INFINITY;
  bool waypoints = prices->filter.links >> LW_LINK_WAYPOINT & 1;
  for (int id = 1; id <= LW_AREA_MAX; id++) {
    const lwi_area_note *note = &world->area_notes[id];
    if (!note->has_ground && !note->has_link) continue;
    float open = note->has_ground ? lwi_byte_part(note->least_exposure) * prices->visibility : 0;
    float ground = prices->per_metre[id] + prices->exposure[id] * open;
    lowest = fminf(lowest, note->has_link ? prices->per_metre[id] : ground);
    if (!waypoints) continue;
    if (note->has_link) lowest = fminf(lowest, prices->waypoint[id]);
    if (note->has_ground)
      lowest = fminf(lowest, ground + fminf(0, prices->between[id] - prices->per_metre[id]));
  }
  return lowest < INFINITY ? lowest : prices->lowest;
}

const lwi_prices *lwi_world_prices(lw_world *world, const lw_profile *profile, float visibility) {
  if (!profile) return &world->plain;
  if (!profile->prices.by_place) return &profile->prices;
  lwi_prices *prices = &world->prices;
  *prices = profile->prices;
  prices->visibility = visibility;
  prices->lowest = lowest_here(world, prices);
  return prices;
}
