/// A world with agents, trees, threats, dangers and lanes over two navmeshes, for calls that fail.
#ifndef LW_TESTS_FAILING_PLACE_H
#define LW_TESTS_FAILING_PLACE_H

#include "failing.h"
#include "leeward/leeward.h"

typedef struct place {
  support_memory memory;
  lw_navmesh *near, *far;               ///< A link leads from one to the other.
  lw_navmesh *changed;                  ///< The first one without a wall.
  lw_profile *soldier, *large, *runner; ///< The last one has a body.
  lw_tree *tree;
  lw_saved *saved, *opened;
  lw_world *world;
  lw_workspace *workspace;
  lw_agent_id walker, thinker;
  lw_threat_id threat;
  lw_path *path;
  lw_path_query query; ///< Of the path.
  lw_explanation *explanation;
  uint64_t answer;
} place;

/// From failing_place_open() to failing_place_close(): a test group's setup and teardown.
extern place failing_it;
/// Where a world was saved.
extern char failing_file[32];
int failing_place_open(void **state);
int failing_place_close(void **state);

/// Places on the first navmesh, and one on the other.
extern const lw_vec3 failing_start, failing_goal, failing_beyond;

/// What to begin a call with: an empty world; with a danger and a fire lane; with agents, too, and a threat that they know
/// of; and when all of them have a reason to search again.
void failing_open_world(void *state);
void failing_open_hazards(void *state);
void failing_open_game(void *state);
void failing_open_alarmed(void *state);
/// Goes on for some steps, then frees all.
void failing_close_world(void *state);
/// Of the world and of what was answered.
uint64_t failing_hash_world(void *state);

lw_status failing_create_world(void *state);
lw_status failing_spawn(place *p, const lw_profile *profile, const lw_tree *tree, lw_vec3 at,
                        lw_agent_id *agent);
lw_status failing_add_threat(place *p, lw_agent_id eye, const char *known_to, lw_threat_id *threat);
lw_status failing_add_public_threat(void *state);
lw_status failing_add_danger(void *state);
lw_status failing_add_lane(void *state);

/// A call between open() and failing_close_world().
failing_call failing_in_world(const char *name, void (*open)(void *), lw_status (*call)(void *),
                              failing_kind kind);
/// Run them, and print how many failures there were.
void failing_place_run(place *p, const failing_call *calls, int count);

#endif
