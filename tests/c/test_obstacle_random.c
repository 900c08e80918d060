/* A world on which obstacles come, move and go at random while agents walk: its navmesh stays sound, agents stay on it, and
   it is the same as that of a world to which what is left is added at once. */
#include "level_test.h"

#include "leeward/leeward.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DT (1.0f / 30)
#define STEPS 1200
#define OBSTACLES 40
#define AGENTS 24
#define PROBES 300

typedef struct run {
  shared_level *level;
  lw_world *world;
  lw_obstacle_id obstacles[OBSTACLES];
  lw_agent_id agents[AGENTS];
  int blocked, trapped, arrived;
} run;

static lw_obstacle_def random_obstacle(shared_level *level) {
  lw_obstacle_def def = lw_obstacle_def_default();
  def.shape = level_random(level, 0, 1) < 0.7f ? LW_OBSTACLE_BOX : LW_OBSTACLE_CYLINDER;
  def.at = level_place(level).point;
  def.at.y += level_random(level, -0.5f, 0.5f);
  def.yaw = level_random(level, -3, 3);
  def.size = lwi_vec3(level_random(level, 0.3f, 5), level_random(level, 0.5f, 3), level_random(level, 0.3f, 5));
  def.radius = level_random(level, 0.2f, 2);
  def.min_move = level_random(level, 0, 1);
  def.blocks = level_random(level, 0, 1) < 0.85f;
  if (!def.blocks) def.area = 1;
  return def;
}

/* Add one, move one, or remove one. */
static void change(run *r) {
  const int which = (int)level_random(r->level, 0, OBSTACLES - 0.5f);
  lw_obstacle_state now;
  if (lw_obstacle_get_state(r->world, r->obstacles[which], &now) != LW_OK) {
    const lw_obstacle_def def = random_obstacle(r->level);
    assert_int_equal(lw_obstacle_add(r->world, &def, &r->obstacles[which], NULL), LW_OK);
  } else if (level_random(r->level, 0, 1) < 0.15f) {
    assert_int_equal(lw_obstacle_remove(r->world, r->obstacles[which]), LW_OK);
  } else {
    const lw_vec3 velocity = {level_random(r->level, 0, 7), 0, 0};
    const lw_vec3 at = {now.at.x + level_random(r->level, -1, 1), now.at.y,
                        now.at.z + level_random(r->level, -1, 1)};
    assert_int_equal(lw_obstacle_move(r->world, r->obstacles[which], at,
                                      now.yaw + level_random(r->level, -0.2f, 0.2f),
                                      level_random(r->level, 0, 1) < 0.5f ? &velocity : NULL),
                     LW_OK);
  }
}

/* Agents that stand get another goal. */
static void send(run *r) {
  for (int i = 0; i < AGENTS; i++) {
    lw_agent_state state;
    assert_int_equal(lw_agent_get_state(r->world, r->agents[i], &state), LW_OK);
    r->trapped += state.failure == LW_TRAPPED;
    r->arrived += state.move == LW_MOVE_ARRIVED;
    if (state.move != LW_MOVE_WALKING)
      lw_agent_move_to(r->world, r->agents[i], level_place(r->level).point, 0.5f);
  }
}

static void assert_agents_stand(const run *r, int step) {
  for (int i = 0; i < AGENTS; i++) {
    lw_agent_stats stats;
    assert_int_equal(lw_agent_get_stats(r->world, r->agents[i], &stats), LW_OK);
    if (stats.off_mesh > 0)
      fail_msg("%s: seed %llu: step %d: agent %d is off the navmesh", r->level->name,
               (unsigned long long)r->level->seed, step, i);
  }
}

static void assert_valid(const run *r, int step) {
  lw_error error = {.text = ""};
  if (lw_navmesh_validate(lw_world_navmesh(r->world), &error) != LW_OK)
    fail_msg("%s: seed %llu: step %d: %s", r->level->name, (unsigned long long)r->level->seed, step,
             error.text);
}

/* --- the same as made at once ------------------------------------------------------------------------------- */

/* Add what the first world has, as it is cut there, in the order in which it was added. */
static void copy_obstacles(const lw_world *from, lw_world *to) {
  const lwi_id_pool *ids = &from->obstacles.ids;
  for (uint32_t i = ids->first; i != LWI_NO_SLOT; i = lwi_id_pool_next(ids, i)) {
    const lwi_obstacle *obstacle = lwi_obstacle_at(from, i);
    lw_obstacle_id id;
    if (!obstacle->is_cut) continue;
    lw_obstacle_def def = obstacle->def;
    def.at = obstacle->cut.at;
    def.yaw = obstacle->cut.yaw;
    assert_int_equal(lw_obstacle_add(to, &def, &id, NULL), LW_OK);
  }
  assert_int_equal(lw_world_apply_changes(to), LW_OK);
}

static bool exists(const lw_world *world, lw_vec3 from, lw_vec3 to) {
  lw_path_exists_query query = lw_path_exists_query_default();
  bool is_there = false;
  query.from = from;
  query.to = to;
  lw_path_exists(world, NULL, &query, &is_there);
  return is_there;
}

static void assert_as_made_at_once(const run *r) {
  lw_world *other = level_make_world(r->level);
  if (lw_obstacle_count(r->world) > 0) copy_obstacles(r->world, other);
  if (level_ground_hash(lw_world_navmesh(other)) != level_ground_hash(lw_world_navmesh(r->world)))
    fail_msg("%s: seed %llu: not as made at once", r->level->name, (unsigned long long)r->level->seed);
  for (int i = 0; i < PROBES; i++) {
    const lw_vec3 from = level_place(r->level).point, to = level_place(r->level).point;
    if (exists(r->world, from, to) != exists(other, from, to))
      fail_msg("%s: seed %llu: reach differs from what is made at once", r->level->name,
               (unsigned long long)r->level->seed);
  }
  lw_world_destroy(other);
}

/* --- the run ------------------------------------------------------------------------------------------------ */

static void obstacles_come_and_go(shared_level *level) {
  run r = {.level = level, .world = level_make_world(level)};
  lw_profile_def walker = lw_profile_def_default();
  lw_profile *profile;
  walker.name = "walker";
  assert_int_equal(lw_profile_create(&walker, level->areas, &profile, NULL), LW_OK);
  for (int i = 0; i < AGENTS; i++) {
    lw_agent_def def = lw_agent_def_default();
    def.profile = profile;
    lw_status status = LW_NO_START; /* where steps are too high for a walker */
    for (int k = 0; k < 100 && status == LW_NO_START; k++) {
      def.at = level_place(level).point;
      status = lw_agent_spawn(r.world, &def, &r.agents[i], NULL);
    }
    assert_int_equal(status, LW_OK);
  }
  for (int step = 0; step < STEPS; step++) {
    for (int i = (int)level_random(level, 0, 8); i > 0; i--) change(&r);
    send(&r);
    assert_int_equal(lw_world_step(r.world, DT), LW_OK);
    assert_agents_stand(&r, step);
    if (step % 40 == 0) assert_valid(&r, step);
  }
  assert_int_equal(lw_world_apply_changes(r.world), LW_OK);
  assert_as_made_at_once(&r);
  for (int i = 0; i < OBSTACLES; i++) lw_obstacle_remove(r.world, r.obstacles[i]);
  assert_int_equal(lw_world_apply_changes(r.world), LW_OK);
  assert_as_made_at_once(&r);
  printf("note: %s: seed %llu: %d steps, %d obstacles; goals reached %d, moves that failed as trapped %d\n",
         level->name, (unsigned long long)level->seed, STEPS, OBSTACLES, r.arrived, r.trapped);
  lw_world_destroy(r.world);
  lw_profile_destroy(profile);
}

int main(void) {
  static const level_check checks[] = {{"obstacles come and go", obstacles_come_and_go}};
  return level_run("obstacles at random", checks, 1);
}
