/* Paths that are mended round what obstacles cut away: they cost hardly more than what was left of the old ones, stay on
   the navmesh, add up, and are the same in two runs of which one is saved and read again halfway. */
#include "level_test.h"
#include "temp_file.h"

#include "leeward/leeward.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DT (1.0f / 30)
#define ROUNDS 40
#define STEPS_A_ROUND 4
#define AGENTS 40
#define OBSTACLES (2 * ROUNDS)
/* The longest path of so many drawn pairs. */
#define LONGEST_OF 12
#define WITHIN 1.03
#define MENDED_LEAST 100

typedef struct run {
  shared_level *level;
  const lw_profile *profile;
  lw_world *world;
  lw_random random;
  lw_obstacle_id obstacles[OBSTACLES];
  int obstacle_count;
  int mended, searched;
  double worst, worst_found;
} run;

static lw_path *find(const run *r, lw_vec3 from, lw_vec3 to) {
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  query.from = from;
  query.to = to;
  query.profile = r->profile;
  return lw_path_find(r->world, NULL, &query, &path) == LW_OK ? path : NULL;
}

static void spawn_all(run *r) {
  for (int i = 0; i < AGENTS; i++) {
    lw_agent_def def = lw_agent_def_default();
    lw_agent_id agent;
    lw_vec3 to = {0, 0, 0};
    float longest = 0; /* a path from there also says that the agent may stand there */
    for (int k = 0; k < LONGEST_OF || longest <= 0; k++) {
      const lw_vec3 a = level_place(r->level).point, b = level_place(r->level).point;
      lw_path *path = find(r, a, b);
      if (lw_path_length(path) > longest) {
        longest = lw_path_length(path);
        def.at = a;
        to = b;
      }
      lw_path_destroy(path);
    }
    def.profile = r->profile;
    assert_int_equal(lw_agent_spawn(r->world, &def, &agent, NULL), LW_OK);
    lw_agent_move_to(r->world, agent, to, 0.5f);
  }
}

/* A box on the path of some agent, or one that is there comes out. */
static void change(run *r) {
  const int which = (int)(lwi_random_unit(&r->random) * AGENTS);
  if (r->obstacle_count > 0 && lwi_random_unit(&r->random) < 0.1f)
    lw_obstacle_remove(r->world, r->obstacles[(int)(lwi_random_unit(&r->random) * (float)r->obstacle_count)]);
  lw_agent_id agent = lw_agent_id_none();
  for (int i = 0; i <= which; i++) agent = lw_agent_next(r->world, agent);
  int count;
  const lw_vec3 *points = lw_path_points(lw_agent_path(r->world, agent), &count);
  const int i = 1 + (int)(lwi_random_unit(&r->random) * (float)(count - 1));
  if (i >= count || r->obstacle_count == OBSTACLES) return;
  lw_obstacle_def def = lw_obstacle_def_default();
  def.at = lwi_lerp(points[i - 1], points[i], lwi_random_unit(&r->random));
  def.yaw = lwi_random_unit(&r->random);
  assert_int_equal(lw_obstacle_add(r->world, &def, &r->obstacles[r->obstacle_count++], NULL), LW_OK);
}

/* --- what a path is ----------------------------------------------------------------------------------------- */

static void assert_on_mesh(const run *r, const lw_path *path) {
  const lw_navmesh *mesh = lw_world_navmesh(r->world);
  const lw_vec3 snap = {0.02f, 20, 0.02f}; /* paths are straight lines over hills */
  for (int i = 1; i < path->point_count; i++) {
    if (lwi_path_link_at(path, i - 1)) continue;
    for (int k = 0; k <= 8; k++) {
      const lw_vec3 at = lwi_lerp(path->points[i - 1], path->points[i], (float)k / 8);
      lw_location found;
      if (lw_navmesh_nearest(mesh, at, snap, &r->profile->prices.filter, &found) != LW_OK)
        fail_msg("%s: seed %llu: a path leads off the navmesh at (%g, %g, %g)", r->level->name,
                 (unsigned long long)r->level->seed, (double)at.x, (double)at.y, (double)at.z);
    }
  }
}

static void check_path(run *r, const lwi_agent *agent, double before) {
  const lw_path *path = agent->route.path;
  const bool is_mended = agent->route.excess > 0 && agent->route.excess < INFINITY;
  r->searched += !is_mended;
  assert_on_mesh(r, path);
  assert_true(fabsf(lwi_path_cost_sum(path) - path->cost) <= 1e-3f * path->cost + 1e-3f);
  if (!is_mended) return;
  r->mended += 1;
  r->worst = fmax(r->worst, (double)path->cost / before);
  if ((double)path->cost > WITHIN * before)
    fail_msg("%s: seed %llu: a mended path costs %g, what was left of the one before %g", r->level->name,
             (unsigned long long)r->level->seed, (double)path->cost, before);
  lw_path *found = find(r, path->points[0], path->points[path->point_count - 1]);
  assert_non_null(found);
  const double ratio = (double)(path->cost / found->cost);
  r->worst_found = fmax(r->worst_found, ratio);
  if (ratio > WITHIN)
    fail_msg("%s: seed %llu: a mended path costs %g, the best that a search finds %g", r->level->name,
             (unsigned long long)r->level->seed, (double)path->cost, (double)lw_path_cost(found));
  lw_path_destroy(found);
}

/* Take a step, and look at the paths that it replaces. */
static void step(run *r) {
  double before[AGENTS];
  int replans[AGENTS], i = 0;
  for (const lwi_agent *agent = NULL; (agent = lwi_next_agent(r->world, agent)); i++) {
    const lwi_agent_route *route = &agent->route;
    before[i] = route->path ? (double)lwi_path_cost_from(route->path, route->next_point, agent->at.point) : 0;
    replans[i] = agent->stats.replans;
  }
  assert_int_equal(lw_world_step(r->world, DT), LW_OK);
  i = 0;
  for (const lwi_agent *agent = NULL; (agent = lwi_next_agent(r->world, agent)); i++)
    if (agent->stats.replans > replans[i] && agent->route.path) check_path(r, agent, before[i]);
}

/* --- two runs ----------------------------------------------------------------------------------------------- */

static void save_and_read(run *r) {
  char file[] = "/tmp/leeward_mend_XXXXXX";
  lw_saved *saved;
  lw_error error = {.text = ""};
  temp_file_make(file);
  if (lw_world_save(r->world, file, &error) != LW_OK) fail_msg("%s", error.text);
  if (lw_saved_open(file, NULL, &saved, &error) != LW_OK) fail_msg("%s", error.text);
  lw_world_destroy(r->world);
  r->world = level_make_world(r->level);
  assert_int_equal(lw_world_restore(r->world, saved, NULL), LW_OK);
  for (int i = 0; i < lw_saved_agent_count(saved); i++) {
    lw_saved_agent from;
    lw_agent_def def = lw_agent_def_default();
    lw_agent_id agent;
    assert_int_equal(lw_saved_get_agent(saved, i, &from), LW_OK);
    def.profile = r->profile;
    def.at = from.at;
    assert_int_equal(lw_agent_spawn(r->world, &def, &agent, NULL), LW_OK);
    lw_agent_restore(r->world, agent, saved, i);
  }
  assert_int_equal(lw_world_restore_trees(r->world, saved, NULL), LW_OK);
  lw_saved_destroy(saved);
  remove(file);
}

/* The obstacles' ids are those of the world before. */
static void find_obstacles(run *r) {
  int count = 0;
  for (lw_obstacle_id id = lw_obstacle_id_none(); count < r->obstacle_count; count++) {
    id = lw_obstacle_next(r->world, id);
    r->obstacles[count] = id;
  }
}

static uint64_t walk(run *r, bool saves) {
  r->world = level_make_world(r->level);
  r->random = lwi_random_make(r->level->seed, 5);
  r->level->random = lwi_random_make(r->level->seed, 6);
  spawn_all(r);
  for (int i = 0; i < ROUNDS; i++) {
    if (i == ROUNDS / 2) find_obstacles(r); /* of both runs alike */
    change(r);
    change(r);
    for (int k = 0; k < STEPS_A_ROUND; k++) {
      step(r);
      if (saves && i == ROUNDS / 2 && k == 0) {
        save_and_read(r);
        find_obstacles(r);
      }
    }
    if (i == ROUNDS / 2) find_obstacles(r);
  }
  const uint64_t hash = lw_world_hash(r->world);
  lw_world_destroy(r->world);
  return hash;
}

static void paths_are_mended(shared_level *level) {
  lw_profile_def walker = lw_profile_def_default();
  lw_profile *profile;
  walker.name = "walker";
  assert_int_equal(lw_profile_create(&walker, level->areas, &profile, NULL), LW_OK);
  run first = {.level = level, .profile = profile}, again = first;
  const uint64_t hash = walk(&first, false), other = walk(&again, true);
  if (hash != other)
    fail_msg("%s: seed %llu: a run that was saved halfway is another", level->name,
             (unsigned long long)level->seed);
  printf("note: %s: seed %llu: %d paths mended, %d searched; worst %.4f of what was left before, %.4f of what "
         "a search finds\n",
         level->name, (unsigned long long)level->seed, first.mended, first.searched, first.worst,
         first.worst_found);
  /* On others paths may be so short, or obstacles so wide, that all are searched. */
  if (strcmp(level->name, "wz_highground") == 0) assert_true(first.mended > MENDED_LEAST);
  lw_profile_destroy(profile);
}

int main(void) {
  static const level_check checks[] = {{"paths are mended", paths_are_mended}};
  return level_run("mended paths", checks, 1);
}
