/* How well agents are seen in a world. */
#include "core/status.h"
#include "world/world.h"

#include <string.h>

/* Agents search again when their visibility has changed by this since they last did. */
#define MATTERS 0.1f

static lwi_team *find_team(const lw_world *world, const char *name) {
  for (int i = 0; i < world->scene.team_count; i++)
    if (strcmp(world->scene.teams[i].name, name) == 0) return &world->scene.teams[i];
  return NULL;
}

float lw_world_get_visibility(const lw_world *world, const char *team) {
  return world ? lwi_scene_visibility(&world->scene, team) : 0;
}

/* Does it matter to this agent where one can be seen? */
static bool cares(const lwi_agent *agent) {
  const lw_profile_def *def = &agent->profile->def;
  return def->exposure_factor > 0 || def->cover_bias > 1;
}

static void tell_agents(lw_world *world) {
  for (lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));) {
    if (agent->move != LW_MOVE_WALKING || agent->route.staleness != LWI_FRESH || !cares(agent)) continue;
    if (fabsf(lw_world_get_visibility(world, agent->team) - agent->route.visibility) < MATTERS) continue;
    agent->route.staleness = LWI_ALARMED;
    world->any_stale = true;
  }
}

static lw_status set_team(lw_world *world, const char *name, float visibility) {
  lwi_team *team = find_team(world, name);
  if (!team) {
    if (!lwi_reserve(&world->memory, &world->scene.teams, &world->scene.team_capacity,
                     world->scene.team_count + 1, sizeof *world->scene.teams))
      return LW_OUT_OF_MEMORY;
    team = &world->scene.teams[world->scene.team_count++];
    *team = (lwi_team){.visibility = 1};
    strcpy(team->name, name);
  }
  team->visibility = visibility;
  return LW_OK;
}

lw_status lw_world_set_visibility(lw_world *world, const char *team, float visibility) {
  if (!world) return LW_INVALID;
  bool is_team = team && team[0];
  if (!(visibility >= 0 && visibility <= 1) || (is_team && strlen(team) >= sizeof world->scene.teams->name))
    return LW_INVALID;
  lw_status status = is_team ? set_team(world, team, visibility) : LW_OK;
  if (status != LW_OK) return status;
  if (!is_team) world->scene.visibility = visibility;
  tell_agents(world);
  return LW_OK;
}
