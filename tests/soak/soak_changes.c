/* A navmesh that changes for a very long time: obstacles and a permutation at random, checked again and again; and an
   obstacle that is added and removed, on the navmesh and off it, until nothing can have stayed small by luck.
   OPERATIONS (100000), CHECKS (20000) of them followed by a check, and CYCLES (1000000) are for each level. */
#include "level_test.h"

#include "leeward/leeward.h"

#include <stdlib.h>

#define OBSTACLES 100
#define GATES 12
#define PLACES 1000
#define WARM (3 * PLACES) /* cycles after which all that is kept for later is there */
/* An obstacle's slot is not used again once all its generations were: that is all that may be left behind. */
#define SLOT_BYTES 512

static long setting(const char *name, long otherwise) {
  const char *text = getenv(name);
  const long value = text ? strtol(text, NULL, 10) : 0;
  return value > 0 ? value : otherwise;
}

static lw_world *open_world(const shared_level *level) {
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  def.navmesh = level->mesh;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  return world;
}

static lw_obstacle_def random_obstacle(shared_level *level) {
  lw_obstacle_def def = lw_obstacle_def_default();
  def.shape = level_random(level, 0, 1) < 0.7f ? LW_OBSTACLE_BOX : LW_OBSTACLE_CYLINDER;
  def.at = level_place(level).point;
  def.at.y += level_random(level, -0.5f, 0.5f);
  def.yaw = level_random(level, -3, 3);
  def.size =
      (lw_vec3){level_random(level, 0.3f, 6), level_random(level, 0.5f, 3), level_random(level, 0.3f, 6)};
  def.radius = level_random(level, 0.2f, 3);
  def.min_move = level_random(level, 0, 0.5f);
  def.blocks = level_random(level, 0, 1) < 0.9f;
  if (!def.blocks) def.cost = 2;
  return def;
}

/* Add one, move one by a little, or remove one. */
static void change_obstacle(shared_level *level, lw_world *world, lw_obstacle_id *obstacle) {
  lw_obstacle_state now;
  if (lw_obstacle_get_state(world, *obstacle, &now) != LW_OK) {
    const lw_obstacle_def def = random_obstacle(level);
    assert_int_equal(lw_obstacle_add(world, &def, obstacle, NULL), LW_OK);
  } else if (level_random(level, 0, 1) < 0.2f) {
    assert_int_equal(lw_obstacle_remove(world, *obstacle), LW_OK);
  } else {
    const lw_vec3 at = {now.at.x + level_random(level, -1, 1), now.at.y, now.at.z + level_random(level, -1, 1)};
    assert_int_equal(lw_obstacle_move(world, *obstacle, at, now.yaw + level_random(level, -0.2f, 0.2f), NULL),
                     LW_OK);
  }
}

/* A permutation that cuts boxes out, strewn over the level, while it is shut. */
static void define_gates(shared_level *level, lw_world *world) {
  lw_obstacle_def gates[GATES];
  for (int i = 0; i < GATES; i++) {
    gates[i] = lw_obstacle_def_default();
    gates[i].at = level_place(level).point;
    gates[i].size = (lw_vec3){6, 3, 6};
  }
  const lw_permutation_state_def states[] = {{.name = "open"},
                                             {.name = "shut", .volumes = gates, .volume_count = GATES}};
  lw_permutation_def def = lw_permutation_def_default();
  def.name = "gates";
  def.states = states;
  def.state_count = 2;
  lw_error error = {.text = ""};
  if (lw_permutation_define(world, &def, &error) != LW_OK) fail_msg("%s", error.text);
}

static void assert_valid(const shared_level *level, const lw_world *world, long operation) {
  lw_error error = {.text = ""};
  if (lw_navmesh_validate(lw_world_navmesh(world), &error) != LW_OK)
    fail_msg("%s: seed %llu: operation %ld: %s", level->name, (unsigned long long)level->seed, operation,
             error.text);
}

static void operations_leave_a_sound_navmesh(shared_level *level) {
  const long operations = setting("OPERATIONS", 100000), checks = setting("CHECKS", 20000);
  const long every = checks < operations ? operations / checks : 1;
  lw_obstacle_id obstacles[OBSTACLES] = {0};
  lw_world *world = open_world(level);
  const uint64_t begun = level_ground_hash(lw_world_navmesh(world));
  define_gates(level, world);
  for (long i = 1; i <= operations; i++) {
    if (level_random(level, 0, 1) < 0.02f)
      assert_int_equal(lw_permutation_set(world, "gates", i % 2 ? "shut" : "open", NULL), LW_OK);
    else
      change_obstacle(level, world, &obstacles[(int)level_random(level, 0, OBSTACLES - 0.5f)]);
    assert_int_equal(lw_world_apply_changes(world), LW_OK);
    if (i % every == 0) assert_valid(level, world, i);
  }
  for (int i = 0; i < OBSTACLES; i++) lw_obstacle_remove(world, obstacles[i]);
  assert_int_equal(lw_permutation_set(world, "gates", "open", NULL), LW_OK);
  assert_int_equal(lw_world_apply_changes(world), LW_OK);
  assert_true(level_ground_hash(lw_world_navmesh(world)) == begun);
  printf("note: %s: seed %llu: %ld operations, %ld checks, nothing unsound; at the end as at the beginning\n",
         level->name, (unsigned long long)level->seed, operations, operations / every);
  lw_world_destroy(world);
}

static void add_and_remove(lw_world *world, lw_vec3 at) {
  lw_obstacle_def def = lw_obstacle_def_default();
  lw_obstacle_id id;
  def.at = at;
  assert_int_equal(lw_obstacle_add(world, &def, &id, NULL), LW_OK);
  assert_int_equal(lw_world_apply_changes(world), LW_OK);
  assert_int_equal(lw_obstacle_remove(world, id), LW_OK);
  assert_int_equal(lw_world_apply_changes(world), LW_OK);
}

static void cycles_leave_nothing_behind(shared_level *level) {
  const long cycles = setting("CYCLES", 1000000);
  lw_vec3 places[PLACES];
  for (int i = 0; i < PLACES; i++) {
    places[i] = level_place(level).point;
    if (i % 2) places[i].y += 500; /* off the navmesh */
  }
  lw_world *world = open_world(level);
  const uint64_t begun = lw_world_hash(world), ground = level_ground_hash(lw_world_navmesh(world));
  for (int i = 0; i < WARM; i++) add_and_remove(world, places[i % PLACES]);
  const size_t bytes = lw_world_memory(world);
  for (long i = 0; i < cycles; i++) add_and_remove(world, places[i % PLACES]);
  const size_t spent = (size_t)(cycles + WARM) / UINT16_MAX * SLOT_BYTES;
  assert_in_range(lw_world_memory(world), bytes, bytes + spent);
  assert_true(lw_world_hash(world) == begun);
  assert_true(level_ground_hash(lw_world_navmesh(world)) == ground);
  printf("note: %s: seed %llu: %ld cycles, %zu bytes, %zu after them\n", level->name,
         (unsigned long long)level->seed, cycles, bytes, lw_world_memory(world));
  lw_world_destroy(world);
}

int main(void) {
  static const level_check checks[] = {
      {"operations leave a sound navmesh", operations_leave_a_sound_navmesh},
      {"cycles leave nothing behind", cycles_leave_nothing_behind},
  };
  return level_run("a navmesh that changes", checks, 2);
}
