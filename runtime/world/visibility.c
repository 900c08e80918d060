/* How well agents are seen in a world. */
#include "core/status.h"
#include "world/world.h"

#include <string.h>

/* Agents search again when their visibility has changed by this since they last did. */
#define MATTERS 0.1f

float lw_world_get_visibility(const lw_world *world, const char *team) {
  return world ? lwi_scene_visibility(&world->scene, team) : 0;
}

/* Does it matter to this agent where one can be seen? */
static bool cares(const lwi_agent *agent) {
  const lw_profile_def *def = &lwi_agent_payer(agent)->def;
  return def->exposure_factor > 0 || def->cover_bias > 1;
}

bool lwi_world_has_dimmed(const lw_world *world, const lwi_agent *agent) {
  return world->dimmed > agent->knowledge.heard && cares(agent) &&
         fabsf(lw_world_get_visibility(world, agent->team) - agent->route.visibility) >= MATTERS;
}

static lw_status set_team(lw_world *world, const char *name, float visibility) {
  if (lwi_scene_find_team(&world->scene, name) == LWI_NO_ITEM &&
      !lwi_scene_add_team(&world->scene, name, &world->memory))
    return LW_OUT_OF_MEMORY;
  world->scene.teams[lwi_scene_find_team(&world->scene, name)].visibility = visibility;
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
  world->dimmed = ++world->news;
  return LW_OK;
}
