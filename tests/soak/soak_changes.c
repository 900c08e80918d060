/* A navmesh that changes for a very long time: obstacles, links and a permutation that cuts, marks, bars links and removes
   tiles, at random, checked again and again; and an obstacle that is added and removed, on the navmesh and off it, until
   nothing can have stayed small by luck. Now and then what is reached is compared with a world in which the same is there at
   once.
   OPERATIONS (100000), CHECKS (20000) of them followed by a check, and CYCLES (1000000) are for each level. */
#include "allocator.h"
#include "level_test.h"

#include "core/vec3.h"
#include "leeward/leeward.h"

#include <stdlib.h>
#include <string.h>

#define OBSTACLES 100
#define GATES 12
#define LINKS 24
#define GAPS 3       /* tiles that a permutation removes */
#define COMPARED 500 /* changes from one comparison with a world that has all at once to the next */
#define PAIRS 400
#define GAP 0.005f /* m, on either side */
#define RISE 0.06f /* m: where ground is not level, heights count to 5 cm */
#define PLACES 1000
#define WARM (3 * PLACES) /* cycles after which all that is kept for later is there */

static long setting(const char *name, long otherwise) {
  const char *text = getenv(name);
  const long value = text ? strtol(text, NULL, 10) : 0;
  return value > 0 ? value : otherwise;
}

#define STATES 4
static const char *const state_names[STATES] = {"open", "shut", "wet", "gone"};
#define NAME "lift" /* of links that are barred */

static lw_obstacle_def marked(lw_obstacle_def def, float cost, lw_area_id area) {
  def.blocks = false;
  def.cost = cost;
  def.area = area;
  return def;
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
  const float kind = level_random(level, 0, 1);
  if (kind > 0.8f) def = marked(def, kind < 0.93f ? 2 : 0, kind > 0.87f ? 2 : LW_AREA_NONE);
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

/* Add one, remove, enable, disable or price it. */
static void change_link(shared_level *level, lw_world *world, lw_link_id *link) {
  lw_link_info info;
  if (lw_link_get(world, *link, &info) != LW_OK) {
    lw_link_def def = lw_link_def_default();
    def.from = level_place(level).point;
    def.to = level_place(level).point;
    def.bidirectional = level_random(level, 0, 1) < 0.5f;
    def.name = level_random(level, 0, 1) < 0.5f ? NAME : NULL;
    if (lw_link_add(world, &def, link, NULL) != LW_OK) *link = lw_link_id_none(); /* over a gap of tiles */
  } else if (level_random(level, 0, 1) < 0.3f) {
    assert_int_equal(lw_link_remove(world, *link), LW_OK);
  } else if (level_random(level, 0, 1) < 0.5f) {
    assert_int_equal(lw_link_enable(world, *link, !info.is_enabled), LW_OK);
  } else {
    assert_int_equal(lw_link_set_cost(world, *link, level_random(level, 0, 20)), LW_OK);
  }
}

/* A permutation that cuts boxes out, strewn over the level, marks them and bars links, or removes tiles. */
typedef struct gate_plan {
  lw_permutation_tile tiles[GAPS];
  int tile_count;
  lw_obstacle_def gates[GATES], marks[GATES];
} gate_plan;

static gate_plan plan_gates(shared_level *level) {
  gate_plan plan = {.tile_count = 0};
  lw_navmesh_tile tile;
  for (int i = 0; i < GATES; i++) {
    plan.gates[i] = lw_obstacle_def_default();
    plan.gates[i].at = level_place(level).point;
    plan.gates[i].size = (lw_vec3){6, 3, 6};
    plan.marks[i] = marked(plan.gates[i], i % 2 ? 3 : 0, i % 3 ? 2 : LW_AREA_NONE);
    if (i % 6 == 0) plan.marks[i] = plan.gates[i];
  }
  for (int i = 0; plan.tile_count < GAPS && lw_navmesh_get_tile(level->mesh, i, &tile) == LW_OK; i += 5)
    plan.tiles[plan.tile_count++] = (lw_permutation_tile){0, {tile.x, tile.z, NULL}};
  return plan;
}

/* Needs links of that name. */
static void define_gates(const gate_plan *plan, lw_world *world, int initial) {
  const lw_permutation_link barred = {NAME, false};
  const lw_permutation_state_def states[STATES] = {
      {.name = "open"},
      {.name = "shut", .volumes = plan->gates, .volume_count = GATES},
      {.name = "wet", .volumes = plan->marks, .volume_count = GATES, .links = &barred, .link_count = 1},
      {.name = "gone",
       .volumes = plan->gates,
       .volume_count = 2,
       .tiles = plan->tiles,
       .tile_count = plan->tile_count}};
  lw_permutation_def def = lw_permutation_def_default();
  def.name = "gates";
  def.states = states;
  def.state_count = STATES;
  def.initial = initial;
  lw_error error = {.text = ""};
  if (lw_permutation_define(world, &def, &error) != LW_OK) fail_msg("%s", error.text);
}

static void add_lift(shared_level *level, lw_world *world) {
  lw_link_def def = lw_link_def_default();
  lw_link_id id;
  lw_error error = {.text = ""};
  def.from = level_place(level).point;
  def.to = level_place(level).point;
  def.name = NAME;
  if (lw_link_add(world, &def, &id, &error) != LW_OK) fail_msg("%s", error.text);
}

static void assert_valid(const shared_level *level, const lw_world *world, long operation) {
  lw_error error = {.text = ""};
  if (lw_navmesh_validate(lw_world_navmesh(world), &error) != LW_OK)
    fail_msg("%s: seed %llu: operation %ld: %s", level->name, (unsigned long long)level->seed, operation,
             error.text);
}

/* --- the same at once --------------------------------------------------------------------------------------------- */

static int state_of(const lw_world *world) {
  int state = 0;
  while (strcmp(state_names[state], lw_permutation_state(world, "gates")) != 0) state++;
  return state;
}

/* An obstacle that is larger on all sides; where it is wider at all it also begins lower and ends higher. */
static lw_obstacle_def grown_by(lw_obstacle_def def, float wider) {
  const float rise = wider > 0 ? RISE : wider < 0 ? -RISE : 0;
  def.at.y -= rise;
  def.size = lwi_add(def.size, (lw_vec3){2 * wider, 2 * rise, 2 * wider});
  def.radius += wider;
  def.height += 2 * rise;
  return def;
}

/* What a world has now, at once in another one. @param wider  By how much obstacles are wider, on each side. [m] */
static lw_world *create_at_once(const shared_level *level, const gate_plan *plan, const lw_world *from,
                                float wider) {
  lw_world *world = level_make_world(level);
  lw_link_id copied;
  lw_obstacle_id added;
  for (lw_link_id id = lw_link_id_none(); !lw_link_id_is_none(id = lw_link_next(from, id));) {
    lw_link_info info;
    assert_int_equal(lw_link_get(from, id, &info), LW_OK);
    assert_int_equal(lw_link_add(world, &info.def, &copied, NULL), LW_OK);
    assert_int_equal(lw_link_enable(world, copied, info.is_enabled), LW_OK);
  }
  gate_plan grown = *plan;
  for (int i = 0; i < GATES; i++) {
    grown.gates[i] = grown_by(grown.gates[i], wider);
    grown.marks[i] = grown_by(grown.marks[i], wider);
  }
  define_gates(&grown, world, state_of(from));
  for (lw_obstacle_id id = lw_obstacle_id_none(); !lw_obstacle_id_is_none(id = lw_obstacle_next(from, id));) {
    lw_obstacle_state now;
    assert_int_equal(lw_obstacle_get_state(from, id, &now), LW_OK);
    /* One that meets no ground may stand in the arc of a link all the same. */
    now.def.at = now.is_cut ? now.cut_at : now.at;
    now.def.yaw = now.is_cut ? now.cut_yaw : now.yaw;
    now.def = grown_by(now.def, wider);
    assert_int_equal(lw_obstacle_add(world, &now.def, &added, NULL), LW_OK);
  }
  assert_int_equal(lw_world_apply_changes(world), LW_OK);
  return world;
}

static bool is_reached(const lw_world *world, lw_vec3 from, lw_vec3 to) {
  lw_path_exists_query query = lw_path_exists_query_default();
  bool is_there = false;
  query.from = from;
  query.to = to;
  query.snap = (lw_vec3){0.001f, 0.1f, 0.001f};
  lw_path_exists(world, NULL, &query, &is_there);
  return is_there;
}

/* Whether a gap of less than 5 mm is there, or headroom but for 5 cm, depends on the order of obstacles. */
static bool is_by_a_gap(const shared_level *level, const gate_plan *plan, const lw_world *world, lw_vec3 from,
                        lw_vec3 to) {
  lw_world *wider = create_at_once(level, plan, world, GAP),
           *narrower = create_at_once(level, plan, world, -GAP);
  const bool is_unsure = is_reached(wider, from, to) != is_reached(narrower, from, to);
  lw_world_destroy(wider);
  lw_world_destroy(narrower);
  return is_unsure;
}

/* Between places that are ground without changes; from one to itself: is it ground now? */
static void compare_at_once(shared_level *level, const gate_plan *plan, const lw_world *world, long operation) {
  lw_world *other = create_at_once(level, plan, world, 0);
  for (int i = 0; i < PAIRS; i++) {
    const lw_vec3 from = level_place(level).point, to = i % 2 ? from : level_place(level).point;
    if (is_reached(world, from, to) != is_reached(other, from, to) &&
        !is_by_a_gap(level, plan, world, from, to))
      fail_msg(
          "%s: seed %llu: operation %ld: from (%g, %g, %g) to (%g, %g, %g) is not as if all were there at once",
          level->name, (unsigned long long)level->seed, operation, (double)from.x, (double)from.y,
          (double)from.z, (double)to.x, (double)to.y, (double)to.z);
  }
  lw_world_destroy(other);
}

/* --- checks ------------------------------------------------------------------------------------------------------- */

static void operations_leave_a_sound_navmesh(shared_level *level) {
  const long operations = setting("OPERATIONS", 100000), checks = setting("CHECKS", 20000);
  const long every = checks < operations ? operations / checks : 1;
  lw_obstacle_id obstacles[OBSTACLES] = {0};
  lw_link_id links[LINKS] = {0};
  lw_world *world = level_make_world(level);
  const uint64_t begun = level_ground_hash(lw_world_navmesh(world));
  const gate_plan plan = plan_gates(level);
  add_lift(level, world);
  define_gates(&plan, world, 0);
  for (long i = 1; i <= operations; i++) {
    const float kind = level_random(level, 0, 1);
    if (kind < 0.02f)
      assert_int_equal(
          lw_permutation_set(world, "gates", state_names[(int)level_random(level, 0, STATES - 0.01f)], NULL),
          LW_OK);
    else if (kind < 0.2f)
      change_link(level, world, &links[(int)level_random(level, 0, LINKS - 0.5f)]);
    else
      change_obstacle(level, world, &obstacles[(int)level_random(level, 0, OBSTACLES - 0.5f)]);
    assert_int_equal(lw_world_apply_changes(world), LW_OK);
    if (i % every == 0) assert_valid(level, world, i);
    if (i % COMPARED == 0) compare_at_once(level, &plan, world, i);
  }
  for (int i = 0; i < OBSTACLES; i++) lw_obstacle_remove(world, obstacles[i]);
  for (int i = 0; i < LINKS; i++) lw_link_remove(world, links[i]);
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

/* Add and remove at places one after another: as often as to warm up, then as often as asked for. */
static void cycle(const shared_level *level, lw_world *world, support_memory *memory, const lw_vec3 *places,
                  const char *what) {
  const long cycles = setting("CYCLES", 1000000) / 2;
  const uint64_t begun = lw_world_hash(world), ground = level_ground_hash(lw_world_navmesh(world));
  for (int i = 0; i < WARM; i++) add_and_remove(world, places[i % PLACES]);
  const support_memory warm = *memory;
  const size_t bytes = lw_world_memory(world);
  for (long i = 0; i < cycles; i++) add_and_remove(world, places[i % PLACES]);
  assert_int_equal(lw_world_memory(world), bytes);
  assert_int_equal(memory->bytes, warm.bytes);
  assert_int_equal(memory->calls, warm.calls);
  assert_int_equal(memory->blocks, warm.blocks);
  assert_true(lw_world_hash(world) == begun);
  assert_true(level_ground_hash(lw_world_navmesh(world)) == ground);
  printf("note: %s: seed %llu: %ld cycles %s: %ld bytes, %ld after them; %ld allocations\n", level->name,
         (unsigned long long)level->seed, cycles, what, warm.bytes, memory->bytes, memory->calls - warm.calls);
}

static void cycles_leave_nothing_behind(shared_level *level) {
  lw_vec3 on[PLACES], off[PLACES];
  for (int i = 0; i < PLACES; i++) {
    on[i] = off[i] = level_place(level).point;
    off[i].y += 500;
  }
  support_memory memory = {.left = -1};
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  def.navmesh = level->mesh;
  def.allocator = support_allocator(&memory);
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  cycle(level, world, &memory, off, "off the navmesh");
  cycle(level, world, &memory, on, "on it");
  lw_world_destroy(world);
  assert_int_equal(memory.bytes, 0);
}

int main(void) {
  static const level_check checks[] = {
      {"operations leave a sound navmesh", operations_leave_a_sound_navmesh},
      {"cycles leave nothing behind", cycles_leave_nothing_behind},
  };
  return level_run("a navmesh that changes", checks, 2);
}
