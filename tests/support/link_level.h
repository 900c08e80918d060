/// Two islands with links between them, for tests of what changes about links.
#ifndef LW_TESTS_LINK_LEVEL_H
#define LW_TESTS_LINK_LEVEL_H

#include "leeward/leeward.h"

/// What the listener has heard, and what it answers.
typedef struct link_told {
  int count;
  lw_link_step steps[64];
  lw_agent_id agents[64];
  bool holds;
  lw_vec3 redirect; ///< Where an agent is sent when a link begins.
  bool redirects, despawns;
} link_told;

typedef struct link_level {
  lw_area_table *areas;
  lw_navmesh *mesh;
  lw_profile *profile;
  lw_world *world;
  link_told told;
} link_level;

/// Islands of 8 x 4 m with 4 m between them, and three links: a jump "jump", a ladder "ladder", a teleport "back".
int link_level_open(void **state);
int link_level_close(void **state);
/// Another world on the same navmesh. The caller destroys it.
lw_world *link_level_world(link_level *l);
lw_link_def link_level_link(lw_link_kind kind, const char *name, float x0, float x1, float z);
lw_link_id link_level_find(const link_level *l, const char *name);
lw_link_info link_level_info(const link_level *l, lw_link_id id);
void link_level_apply(const link_level *l);
void link_level_near(float value, float expected);
lw_agent_id link_level_spawn(const link_level *l, float x, float z);
/// An agent that walks along x.
lw_agent_id link_level_send(const link_level *l, float x, float z, float to);
lw_agent_state link_level_agent(const link_level *l, lw_agent_id agent);
/// Steps of a sixtieth of a second.
void link_level_step(const link_level *l, int count);

#endif
