/* Exact paths on shared levels, beside a visibility graph over the ends of all portals. */
#include "corner_oracle.h"
#include "level_test.h"

#include "core/vec3.h"
#include "leeward/path.h"

#include <math.h>

/* On larger levels the oracle would take too long. */
#define POLYGONS_MAX 300
#define PAIRS 40
/* How much longer than the oracle's a path may be, as a part of its length: positions are floats. */
#define ROUNDING 1e-5

/* Of lengths. [m] */
static double slack_at(lw_vec3 point) {
  return 2e-4 + 4 * level_rounding(point);
}

/* As seen from above. */
static double flat_length(const lw_path *path) {
  int count;
  const lw_vec3 *points = lw_path_points(path, &count);
  double sum = 0;
  for (int i = 1; i < count; i++) sum += (double)lwi_distance_xz(points[i - 1], points[i]);
  return sum;
}

typedef struct totals {
  int count, over_slopes; /* of the latter the path of good quality is the cheaper one */
  double max;             /* that another path is longer than the oracle's, as a part */
} totals;

static float cost_of_good(const lw_world *world, lw_path_query query) {
  lw_path *path;
  query.quality = LW_QUALITY_GOOD;
  assert_int_equal(lw_path_find(world, NULL, &query, &path), LW_OK);
  const float cost = lw_path_cost(path);
  lw_path_destroy(path);
  return cost;
}

static void compare(shared_level *level, corner_oracle *oracle, totals *sum) {
  const lw_location from = level_place(level), to = level_place(level);
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  query.from = from.point;
  query.to = to.point;
  query.quality = LW_QUALITY_EXACT;
  const lw_status status = lw_path_find(level->world, NULL, &query, &path);
  const double known = corner_oracle_length(oracle, from, to, true);
  assert_int_equal(status, known < INFINITY ? LW_OK : LW_NO_PATH);
  if (status != LW_OK || known < 0.1) return;
  const double ours = flat_length(path), excess = ours / known - 1;
  const float cost = lw_path_cost(path), good = cost_of_good(level->world, query);
  lw_path_destroy(path);
  sum->count += 1;
  assert_true(cost <= good * 1.00001f);
  const double slack = ROUNDING * known + slack_at(from.point);
  assert_true(ours >= known - slack);
  if (cost == good && ours > known + slack) { /* up and down it is the shorter one */
    sum->over_slopes += 1;
    return;
  }
  sum->max = fmax(sum->max, excess);
  if (ours > known + slack)
    fail_msg("(%.9g, %.9g, %.9g) to (%.9g, %.9g, %.9g): %.5f m, known %.5f m", (double)from.point.x,
             (double)from.point.y, (double)from.point.z, (double)to.point.x, (double)to.point.y,
             (double)to.point.z, ours, known);
}

static void are_as_short_as_the_oracles(shared_level *level) {
  totals sum = {0};
  if (level->mesh->polygons.count > POLYGONS_MAX) return;
  corner_oracle *oracle = corner_oracle_create(level->mesh, NULL);
  for (int i = 0; i < PAIRS; i++) compare(level, oracle, &sum);
  printf("note: %s: %d paths, longer than the oracle's by %.5f %% at most, but for %d over slopes\n",
         level->name, sum.count, 100 * sum.max, sum.over_slopes);
  corner_oracle_destroy(oracle);
  assert_true(sum.count > 0 && sum.over_slopes < sum.count / 2);
}

int main(void) {
  const level_check checks[] = {{"exact_paths_are_as_short_as_the_oracles", are_as_short_as_the_oracles}};
  return level_run("exact_levels", checks, 1);
}
