/* A world with agents, trees, threats, dangers and lanes over two navmeshes: every allocation fails in turn in each call
   that changes it or saves it. */
#include "core/hash.h"
#include "core/vec3.h"
#include "failing_place.h"
#include "temp_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define DT (1.0f / 60)

/* --- changing the world --------------------------------------------------------------------------------------- */

static lw_status create_workspace(void *state) {
  place *p = state;
  lw_workspace_destroy(p->workspace);
  p->workspace = lw_workspace_create(p->world);
  return p->workspace ? LW_OK : LW_OUT_OF_MEMORY;
}

static lw_status spawn_walker(void *state) {
  lw_agent_id agent;
  return failing_spawn(state, failing_it.soldier, NULL, failing_start, &agent);
}

static lw_status spawn_thinker(void *state) {
  lw_agent_id agent;
  return failing_spawn(state, failing_it.soldier, failing_it.tree, failing_start, &agent);
}

static lw_status kill_walker(void *state) {
  place *p = state;
  const lw_status status = lw_agent_kill(p->world, p->walker);
  return status == LW_STALE ? LW_OK : status; /* the second time */
}

static lw_status move(void *state) {
  place *p = state;
  return lw_agent_move_to(p->world, p->walker, failing_beyond, 0.5f);
}

static lw_status set_profile(void *state) {
  place *p = state;
  return lw_agent_set_profile(p->world, p->walker, p->large);
}

static lw_status add_eye(void *state) {
  place *p = state;
  lw_threat_id id;
  return failing_add_threat(p, p->thinker, "blue", &id);
}

static void open_unknown_threat(void *state) {
  place *p = state;
  failing_open_game(p);
  assert_int_equal(failing_add_threat(p, lw_agent_id_none(), NULL, &p->threat), LW_OK);
}

static lw_status learn(void *state) {
  place *p = state;
  return lw_agent_learn_threat(p->world, p->walker, p->threat);
}

static lw_status believe(void *state) {
  place *p = state;
  lw_threat threats[3] = {lw_threat_default(), lw_threat_default(), lw_threat_default()};
  for (int i = 0; i < 3; i++) threats[i].at = lwi_vec3((float)i, 2, 5);
  return lw_agent_set_threats(p->world, p->walker, threats, 3);
}

static lw_status set_visibility(void *state) {
  place *p = state;
  return lw_world_set_visibility(p->world, "red", 0.5f);
}

static lw_status step(void *state) {
  place *p = state;
  return lw_world_step(p->world, DT);
}

/* --- saving --------------------------------------------------------------------------------------------------- */

static lw_status save(void *state) {
  place *p = state;
  lw_error error = {0};
  const lw_status status = lw_world_save(p->world, failing_file, &error);
  if (status == LW_FILE) assert_non_null(strstr(error.text, "': No space left on device"));
  return status;
}

static uint64_t hash_file(void *state) {
  const file_bytes held = file_read(failing_file);
  const uint64_t hash = lwi_hash(failing_hash_world(state), held.data, held.size);
  free(held.data);
  return hash;
}

static lw_status open_saved(void *state) {
  place *p = state;
  const lw_allocator allocator = support_allocator(&p->memory);
  const lw_status status = lw_saved_open(failing_file, &allocator, &p->opened, NULL);
  assert_true((status == LW_OK) == (p->opened != NULL));
  return status;
}

/* A world that is restored in part is emptied by the next restoring. */
static lw_status restore(void *state) {
  place *p = state;
  lw_status status = lw_world_restore(p->world, p->saved, NULL);
  for (int i = 0; status == LW_OK && i < lw_saved_agent_count(p->saved); i++) {
    lw_saved_agent from;
    lw_agent_id agent;
    assert_int_equal(lw_saved_get_agent(p->saved, i, &from), LW_OK);
    status = failing_spawn(p, p->soldier, from.tree[0] ? p->tree : NULL, from.at, &agent);
    if (status == LW_OK) status = lw_agent_restore(p->world, agent, p->saved, i);
  }
  return status;
}

/* --- running -------------------------------------------------------------------------------------------------- */

#define RUN(calls) failing_place_run(*state, calls, sizeof(calls) / sizeof *(calls))

static void a_change_happens_or_not(void **state) {
  const failing_call calls[] = {
      failing_in_world("create a world", NULL, failing_create_world, FAILING_WHOLE),
      failing_in_world("create a workspace", failing_open_world, create_workspace, FAILING_WHOLE),
      failing_in_world("spawn an agent", failing_open_game, spawn_walker, FAILING_WHOLE),
      failing_in_world("spawn an agent with a tree", failing_open_game, spawn_thinker, FAILING_WHOLE),
      failing_in_world("kill an agent", failing_open_game, kill_walker, FAILING_PARTLY),
      failing_in_world("move to another navmesh", failing_open_game, move, FAILING_PARTLY),
      failing_in_world("set another profile", failing_open_game, set_profile, FAILING_PARTLY),
      failing_in_world("add a danger", failing_open_game, failing_add_danger, FAILING_ELSE),
      failing_in_world("add a fire lane", failing_open_game, failing_add_lane, FAILING_ELSE),
      failing_in_world("add a threat to all", failing_open_game, failing_add_public_threat, FAILING_WHOLE),
      failing_in_world("add an agent's eye", failing_open_game, add_eye, FAILING_WHOLE),
      failing_in_world("learn of a threat", open_unknown_threat, learn, FAILING_WHOLE),
      failing_in_world("believe in threats", failing_open_game, believe, FAILING_WHOLE),
      failing_in_world("set a team's visibility", failing_open_game, set_visibility, FAILING_WHOLE),
      failing_in_world("step", failing_open_game, step, FAILING_PARTLY),
      failing_in_world("step with paths to search", failing_open_alarmed, step, FAILING_PARTLY),
  };
  RUN(calls);
}

static void a_save_is_whole_or_the_old_one(void **state) {
  failing_call calls[] = {
      failing_in_world("save a world", failing_open_alarmed, save, FAILING_WHOLE),
      failing_in_world("read a saved world", failing_open_world, open_saved, FAILING_WHOLE),
      failing_in_world("restore a world", failing_open_game, restore, FAILING_PARTLY),
  };
  calls[0].hash = hash_file;
  calls[0].files = calls[1].files = true;
  RUN(calls);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_change_happens_or_not),
      cmocka_unit_test(a_save_is_whole_or_the_old_one),
  };
  return cmocka_run_group_tests(tests, failing_place_open, failing_place_close);
}
