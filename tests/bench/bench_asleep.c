/* What the trees of agents cost a step that are asleep, and what waking some of them does. The first argument is the
   number of agents, 10,000 if it is left out. */
#include "bench_support.h"
#include "grid_mesh.h"
#include "world/world.h"

#include "leeward/leeward.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { STEPS = 2000, ROUNDS = 9 };

static void check(bool good) {
  if (!good) abort();
}

static lw_node_status tick(lw_leaf_call *call) {
  (void)call;
  return LW_SUCCESS;
}

/* Microseconds for the trees of a step, the best round. @param wait  How long each tree sleeps. [s] */
static double measure(lw_world *world, const lw_profile *profile, int count, float wait) {
  static const lw_leaf_def leaf = {.tick = tick};
  const lw_node_def nodes[] = {{.kind = LW_SEQUENCE, .child_count = 2},
                               {.kind = LW_LEAF, .native = &leaf},
                               {.kind = LW_WAIT, .wait_min = wait, .wait_max = wait}};
  const lw_tree_def tree_def = {.name = "sleep", .nodes = nodes, .node_count = 3};
  lw_tree *tree;
  check(lw_tree_create(&tree_def, &tree, NULL) == LW_OK);
  lw_agent_def def = lw_agent_def_default();
  def.profile = profile;
  def.tree = tree;
  def.at = (lw_vec3){1, 0, 1};
  lw_agent_id id;
  for (int i = 0; i < count; i++) check(lw_agent_spawn(world, &def, &id, NULL) == LW_OK);
  lwi_world_tick_trees(world); /* all fall asleep */
  double best = 1e30;
  for (int round = 0; round < ROUNDS; round++) {
    const double begin = bench_time();
    for (int i = 0; i < STEPS; i++) {
      world->time += 1.0 / 60;
      lwi_world_tick_trees(world);
    }
    const double seconds = bench_time() - begin;
    if (seconds < best) best = seconds;
  }
  for (lw_agent_id agent; (agent = lw_agent_next(world, lw_agent_id_none()), !lw_agent_id_is_none(agent));)
    check(lw_agent_despawn(world, agent) == LW_OK);
  lw_tree_destroy(tree);
  return best / STEPS * 1e6;
}

int main(int count, char **arguments) {
  static const char *const names[] = {"ground"}, *const rows[] = {"....", "....", "...."};
  const int agents = count > 1 ? (int)strtol(arguments[1], NULL, 10) : 10000;
  bench_head("asleep");
  lw_area_table *areas = support_areas(names, 1);
  lw_navmesh *mesh = support_grid(areas, rows, 3, 1);
  const lw_profile_def profile_def = lw_profile_def_default();
  lw_profile *profile;
  check(lw_profile_create(&profile_def, areas, &profile, NULL) == LW_OK);
  lw_world_def def = lw_world_def_default();
  def.navmesh = mesh;
  lw_world *world;
  check(lw_world_create(&def, &world, NULL) == LW_OK);
  printf("%d agents, the trees of a step:\n", agents);
  printf("  all asleep          %10.3f us\n", measure(world, profile, agents, 1e6f));
  printf("  each wakes every 2 s %9.3f us\n", measure(world, profile, agents, 2));
  printf("  all awake           %10.3f us\n", measure(world, profile, agents / 10, 0.01f) * 10);
  lw_world_destroy(world);
  lw_profile_destroy(profile);
  lw_navmesh_destroy(mesh);
  lw_area_table_destroy(areas);
  return 0;
}
