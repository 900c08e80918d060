/// Agents of one profile on the ground of a crowd scene (crowd_scene.h). Failures fail the cmocka test.
#ifndef LW_TESTS_CROWD_PLACE_H
#define LW_TESTS_CROWD_PLACE_H

#include "crowd_scene.h"

#define CROWD_PLACE_MAX 128

typedef struct crowd_place {
  lw_navmesh *mesh;
  lw_profile *profile;
  lw_world *world;
  lw_agent_id agents[CROWD_PLACE_MAX];
} crowd_place;

/// Bake the ground of a scene, and make a world on it. To be closed.
crowd_place crowd_place_open(crowd_scene_kind kind, const lw_profile_def *profile);
/// The same on a navmesh, which it takes over.
crowd_place crowd_place_open_on(lw_navmesh *mesh, const lw_profile_def *profile);
/// @param at  Its world may be NULL.
void crowd_place_close(crowd_place *at);
/// Another world on the same navmesh. The caller destroys it, or puts it in the place of the first.
lw_world *crowd_place_make_world(const crowd_place *at);
void crowd_place_spawn(crowd_place *at, int agent, lw_vec3 from);
/// Spawn the agents of a scene where they begin.
void crowd_place_spawn_all(crowd_place *at, const crowd_scene *scene);
lw_agent_state crowd_place_state(const crowd_place *at, int agent);

/* For crowd_mover. @param user  A crowd_place, or a struct that begins with one. */
void crowd_place_send(void *user, int agent, lw_vec3 goal);
void crowd_place_step(void *user);
/* Also asserts that the agent is on the navmesh. */
void crowd_place_get(void *user, int agent, lw_vec3 *at, lw_vec3 *velocity);

#endif
