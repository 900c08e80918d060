/* Paths of good quality among boxes on the shared levels, beside exact ones: a search among obstacles may take a path that is
   a little longer. */
#include "level_test.h"

#include "core/random.h"
#include "leeward/obstacle.h"
#include "leeward/path.h"

#include <math.h>

#define PAIRS 60
/* One box for so much ground. [m2] */
#define GROUND_A_BOX 100
/* No path among them takes as many nodes. */
#define NODES 20000
/* How much longer than the exact one a path may be, each: over hills those of both qualities may follow ground of another
   shape. */
#define MAX_EXCESS 0.08f
/* All together. */
#define MEAN_EXCESS 0.004

static float cost_by(const lw_world *world, lw_path_query query, lw_quality quality) {
  lw_path *path;
  query.quality = quality;
  query.max_nodes = NODES;
  if (lw_path_find(world, NULL, &query, &path) != LW_OK) return INFINITY;
  const float cost = lw_path_cost(path);
  lw_path_destroy(path);
  return cost;
}

static int add_boxes(shared_level *level) {
  lw_random random = lwi_random_make(level->seed, 0);
  const int count = (int)(lw_navmesh_get_stats(level->mesh).area / GROUND_A_BOX);
  for (int i = 0; i < count; i++) {
    lw_obstacle_def def = lw_obstacle_def_default();
    lw_obstacle_id id;
    def.at = level_place(level).point;
    def.yaw = 6.3f * lwi_random_unit(&random);
    assert_int_equal(lw_obstacle_add(level->world, &def, &id, NULL), LW_OK);
  }
  lw_world_apply_changes(level->world);
  return count;
}

static void are_hardly_longer_than_exact_ones(shared_level *level) {
  const int boxes = add_boxes(level);
  double good = 0, exact = 0;
  float worst = 1;
  int count = 0;
  for (int i = 0; i < PAIRS; i++) {
    lw_path_query query = lw_path_query_default();
    query.from = level_place(level).point;
    query.to = level_place(level).point;
    const float by_good = cost_by(level->world, query, LW_QUALITY_GOOD),
                by_exact = cost_by(level->world, query, LW_QUALITY_EXACT);
    assert_true((by_good < INFINITY) == (by_exact < INFINITY));
    if (!(by_exact < INFINITY) || by_exact < 1) continue;
    assert_true(by_exact <= by_good * 1.00001f);
    assert_true(by_good <= by_exact * (1 + MAX_EXCESS));
    good += (double)by_good;
    exact += (double)by_exact;
    worst = fmaxf(worst, by_good / by_exact);
    count += 1;
  }
  printf("note: %s: %d paths among %d boxes: %.3f %% longer than exact ones, the worst %.1f %%\n", level->name,
         count, boxes, 100 * (good / exact - 1), 100 * ((double)worst - 1));
  assert_true(count > 0 && good <= exact * (1 + MEAN_EXCESS));
}

int main(void) {
  const level_check checks[] = {
      {"paths_among_boxes_are_hardly_longer_than_exact_ones", are_hardly_longer_than_exact_ones}};
  return level_run("obstacle_paths", checks, 1);
}
