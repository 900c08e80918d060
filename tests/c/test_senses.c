/* What agents see, remember and hear by themselves, beside a brute force that looks at all pairs in every step. */
#include "allocator.h"
#include "core/random.h"
#include "core/vec3.h"
#include "cover_scene.h"
#include "leeward/leeward.h"
#include "temp_file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define DT (1.0f / 60)
#define PERIOD 0.25 /* between two looks [s] */
#define RECHECK 0.5 /* between two looks at one that was noticed [s] */
#define LATE 0.02   /* a step [s] */

/* --- a level with walls ------------------------------------------------------------------------------------ */

enum { AGENTS = 16 };

static lw_navmesh *mesh; /* for the group */
static lw_profile *looks, *blind;

typedef struct scene {
  support_memory *memory;
  lw_world *world;
  lw_agent_id agents[AGENTS];
  int count;
  lw_random random;
} scene;

static lw_senses senses_of(float range, float half_angle, float hearing) {
  lw_senses senses = lw_senses_default();
  senses.sight.range = range;
  senses.sight.half_angle = half_angle;
  senses.hearing.range = hearing;
  senses.memory = 2;
  return senses;
}

static int open_level(void **state) {
  scene_open(state);
  cover_scene level = cover_begin(lwi_vec3(0, 0, 0));
  cover_add_box(&level, lwi_vec3(7, 0, 8), lwi_vec3(0.5f, 2.5f, 10), 0, LW_COVER_HARD);
  cover_add_box(&level, lwi_vec3(13, 0, 12), lwi_vec3(0.5f, 2.5f, 10), 0, LW_COVER_HARD);
  cover_add_box(&level, lwi_vec3(16.5f, 0, 4), lwi_vec3(3, 1.2f, 0.5f), 0.4f, LW_COVER_HARD);
  const lw_bake_settings settings = cover_settings();
  mesh = scene_bake(level.geometry, &settings, NULL);
  cover_end(&level);
  lw_profile_def def = lw_profile_def_default();
  assert_int_equal(lw_profile_create(&def, scene_table, &blind, NULL), LW_OK);
  def.name = "guard";
  def.senses = senses_of(12, 1.2f, 30);
  assert_int_equal(lw_profile_create(&def, scene_table, &looks, NULL), LW_OK);
  return 0;
}

static int close_level(void **state) {
  lw_profile_destroy(looks);
  lw_profile_destroy(blind);
  lw_navmesh_destroy(mesh);
  return scene_close(state);
}

static void open_world(scene *s, support_memory *memory, const lw_world_def *as) {
  lw_world_def def = as ? *as : lw_world_def_default();
  *memory = (support_memory){.left = -1};
  def.navmesh = mesh;
  def.allocator = support_allocator(memory);
  *s = (scene){.memory = memory, .random = lwi_random_make(5, 6)};
  assert_int_equal(lw_world_create(&def, &s->world, NULL), LW_OK);
}

static void close_world(scene *s) {
  lw_world_destroy(s->world);
  assert_int_equal(s->memory->bytes, 0);
}

static lw_agent_id spawn(scene *s, const lw_profile *profile, const char *team, float x, float z, float heading,
                         const lw_tree *tree) {
  lw_agent_def def = lw_agent_def_default();
  def.profile = profile;
  def.team = team;
  def.at = (lw_vec3){x, 0, z};
  def.tree = tree;
  lw_agent_id id;
  assert_int_equal(lw_agent_spawn(s->world, &def, &id, NULL), LW_OK);
  assert_int_equal(lw_agent_set_heading(s->world, id, heading), LW_OK);
  s->agents[s->count++] = id;
  return id;
}

static lw_vec3 draw(scene *s) {
  lw_random_point_query query = lw_random_point_query_default();
  query.anywhere = true;
  query.random = &s->random;
  lw_location at;
  assert_int_equal(lw_random_point_find(s->world, NULL, &query, &at), LW_OK);
  return at.point;
}

/* Half of them guards of one team, half of another that sees nothing; all walk about. */
static void fill(scene *s) {
  for (int i = 0; i < AGENTS; i++) {
    const lw_vec3 at = draw(s);
    spawn(s, i % 2 ? blind : looks, i % 2 ? "blue" : "red", at.x, at.z, 0, NULL);
  }
}

static void walk_on(scene *s) {
  for (int i = 0; i < s->count; i++) {
    lw_agent_state state;
    assert_int_equal(lw_agent_get_state(s->world, s->agents[i], &state), LW_OK);
    if (state.move != LW_MOVE_WALKING) lw_agent_move_to(s->world, s->agents[i], draw(s), 0.5f);
  }
}

static void step(scene *s, int count) {
  for (int i = 0; i < count; i++) assert_int_equal(lw_world_step(s->world, DT), LW_OK);
}

/* --- the brute force --------------------------------------------------------------------------------------- */

static bool is_in_sight(const scene *s, lw_agent_id from, lw_agent_id to) {
  lw_agent_state a, b;
  lw_senses senses;
  assert_int_equal(lw_agent_get_state(s->world, from, &a), LW_OK);
  assert_int_equal(lw_agent_get_state(s->world, to, &b), LW_OK);
  assert_int_equal(lw_agent_get_senses(s->world, from, &senses), LW_OK);
  if (strcmp(a.team, b.team) == 0 && !senses.sight.friends) return false;
  if (!(lwi_distance(a.position, b.position) <= senses.sight.range)) return false;
  const double x = (double)b.position.x - (double)a.position.x, z = (double)b.position.z - (double)a.position.z;
  const double off = fabs(remainder(atan2(-z, x) - (double)a.heading, 6.283185307179586));
  if (off > (double)senses.sight.half_angle && hypot(x, z) > 1e-6) return false;
  const float eye = lw_profile_get_stance(a.profile, a.stance)->eye;
  const lw_stance *body = lw_profile_get_stance(b.profile, b.stance);
  for (int i = 0; i < 2; i++) {
    const lw_vec3 at = {b.position.x, b.position.y + body->body[i], b.position.z};
    if (lw_world_sees(s->world, lwi_vec3(a.position.x, a.position.y + eye, a.position.z), at, false))
      return true;
  }
  return false;
}

/* Since when each pair is in sight, and since when it is not. [s] */
typedef struct pair {
  double seen, hidden;
} pair;

typedef struct counts {
  int noticed, lost;
} counts;

static void watch(scene *s, int steps, double late, counts *count) {
  static pair pairs[AGENTS][AGENTS];
  static bool was_seen[AGENTS][AGENTS];
  *count = (counts){0, 0};
  for (int i = 0; i < AGENTS; i++)
    for (int k = 0; k < AGENTS; k++) pairs[i][k] = (pair){INFINITY, 0}, was_seen[i][k] = false;
  for (int n = 0; n < steps; n++) {
    const double now = lw_world_time(s->world);
    static bool in_sight[AGENTS][AGENTS];
    walk_on(s);
    for (int i = 0; i < AGENTS; i += 2)
      for (int k = 0; k < AGENTS; k++) in_sight[i][k] = k != i && is_in_sight(s, s->agents[i], s->agents[k]);
    step(s, 1);
    for (int i = 0; i < AGENTS; i += 2) {
      for (int k = 0; k < AGENTS; k++) {
        pair *of = &pairs[i][k];
        lw_perceived known;
        const bool is_known = lw_agent_find_perceived(s->world, s->agents[i], s->agents[k], &known) == LW_OK;
        const bool is_seen = is_known && known.is_seen;
        of->seen = in_sight[i][k] ? fmin(of->seen, now) : INFINITY;
        of->hidden = in_sight[i][k] ? INFINITY : fmin(of->hidden, now);
        if (is_seen && !was_seen[i][k]) {
          assert_true(in_sight[i][k]); /* whom it sees now was in sight when it looked */
          if (known.noticed >= now) assert_true(now - of->seen >= 0);
          count->noticed += 1;
        }
        if (now - of->seen > 0.2 + PERIOD + late) assert_true(is_seen);
        if (now - of->hidden > RECHECK + PERIOD + late) assert_false(is_seen);
        if (now - of->hidden > 2 + RECHECK + 2 * PERIOD + late) assert_false(is_known);
        count->lost += was_seen[i][k] && !is_seen;
        was_seen[i][k] = is_seen;
      }
    }
  }
}

static void agents_see_what_a_brute_force_sees(void **state) {
  (void)state;
  support_memory memory;
  scene s;
  counts count;
  open_world(&s, &memory, NULL);
  fill(&s);
  watch(&s, 2400, LATE, &count);
  assert_true(count.noticed > 40 && count.lost > 40);
  close_world(&s);
}

static void a_small_budget_makes_them_late_and_no_more(void **state) {
  (void)state;
  support_memory memory;
  scene s;
  counts count;
  lw_world_def def = lw_world_def_default();
  def.sight_budget = 1; /* one look a step: of eight agents all have looked after eight steps */
  open_world(&s, &memory, &def);
  fill(&s);
  watch(&s, 1200, 8.0 / 60 + LATE, &count);
  assert_true(count.noticed > 20);
  close_world(&s);
}

static void two_runs_and_a_saved_one_are_equal(void **state) {
  (void)state;
  char file[] = "/tmp/leeward_senses_XXXXXX";
  uint64_t hashes[2];
  support_memory memory;
  scene s;
  temp_file_make(file);
  for (int run = 0; run < 2; run++) {
    open_world(&s, &memory, NULL);
    fill(&s);
    for (int i = 0; i < 600; i++) {
      if (i == 300 && run == 0) assert_int_equal(lw_world_save(s.world, file, NULL), LW_OK);
      if (i % 60 == 0 && i < 300) walk_on(&s);
      step(&s, 1);
    }
    hashes[run] = lw_world_hash(s.world);
    close_world(&s);
  }
  assert_true(hashes[0] == hashes[1]);
  lw_saved *saved;
  open_world(&s, &memory, NULL);
  assert_int_equal(lw_saved_open(file, NULL, &saved, NULL), LW_OK);
  assert_int_equal(lw_world_restore(s.world, saved, NULL), LW_OK);
  int known = 0;
  for (int i = 0; i < lw_saved_agent_count(saved); i++) {
    lw_saved_agent as;
    assert_int_equal(lw_saved_get_agent(saved, i, &as), LW_OK);
    lw_agent_id id =
        spawn(&s, strcmp(as.profile, "guard") == 0 ? looks : blind, as.team, as.at.x, as.at.z, 0, NULL);
    assert_int_equal(lw_agent_restore(s.world, id, saved, i), LW_OK);
  }
  for (int i = 0; i < s.count; i++) known += lw_agent_get_perceived(s.world, s.agents[i], NULL, 0);
  assert_true(known > 0); /* before any step */
  lw_saved_destroy(saved);
  step(&s, 300);
  assert_true(lw_world_hash(s.world) == hashes[0]);
  close_world(&s);
  unlink(file);
}

static void steps_allocate_nothing_once_warm(void **state) {
  (void)state;
  support_memory memory;
  scene s;
  open_world(&s, &memory, NULL);
  fill(&s);
  for (int i = 0; i < AGENTS; i++) lw_agent_set_heading(s.world, s.agents[i], (float)i);
  step(&s, 120);
  const long calls = memory.calls;
  const size_t held = lw_world_memory(s.world);
  assert_true((long)held <= memory.bytes);
  for (int i = 0; i < 240; i++) {
    for (int k = 0; k < AGENTS; k++) lw_agent_set_heading(s.world, s.agents[k], (float)k + (float)i / 40);
    step(&s, 1);
  }
  for (int i = 0; i < 240; i++) {
    for (int k = 0; k < AGENTS; k++) lw_agent_set_heading(s.world, s.agents[k], (float)k + (float)i / 40);
    if (i == 0) continue;
    const long before = memory.calls;
    step(&s, 1);
    assert_int_equal(memory.calls, before);
  }
  assert_true(memory.calls >= calls);
  close_world(&s);
}

/* --- one guard and one other ------------------------------------------------------------------------------- */

/* Nothing lies between them; the guard looks along +x. */
static void a_guard_notices_loses_and_forgets(void **state) {
  (void)state;
  support_memory memory;
  scene s;
  lw_perceived known;
  lw_threat threat;
  open_world(&s, &memory, NULL);
  const lw_agent_id guard = spawn(&s, looks, "red", 2, 17, 0, NULL),
                    enemy = spawn(&s, blind, "blue", 10, 17, 0, NULL);
  assert_int_equal(lw_agent_get_perceived(s.world, guard, NULL, 0), 0);
  step(&s, 11); /* less than it takes to notice */
  assert_int_equal(lw_agent_find_perceived(s.world, guard, enemy, &known), LW_NOT_FOUND);
  step(&s, 19);
  assert_int_equal(lw_agent_find_perceived(s.world, guard, enemy, &known), LW_OK);
  assert_true(known.is_seen && known.is_enemy && known.age <= RECHECK + PERIOD);
  assert_float_equal(known.at.x, 10, 0.2);
  assert_int_equal(lw_agent_get_threats(s.world, guard, &threat, 1), 1);
  assert_float_equal(threat.at.y - known.at.y, 1.6, 1e-4);
  bool seen;
  assert_int_equal(lw_agent_is_seen(s.world, NULL, guard, NULL, 0, &seen), LW_OK);
  assert_true(seen);
  lw_agent_set_heading(s.world, guard, 3.1f); /* it turns away */
  step(&s, 46);
  assert_int_equal(lw_agent_find_perceived(s.world, guard, enemy, &known), LW_OK);
  assert_false(known.is_seen);
  assert_int_equal(lw_agent_get_threats(s.world, guard, NULL, 0), 1);
  lw_agent_set_heading(s.world, guard, 0);
  step(&s, 16); /* one that it remembers is seen at once */
  assert_int_equal(lw_agent_find_perceived(s.world, guard, enemy, &known), LW_OK);
  assert_true(known.is_seen);
  lw_agent_set_heading(s.world, guard, 3.1f);
  step(&s, 46 + 120 + 16);
  assert_int_equal(lw_agent_find_perceived(s.world, guard, enemy, &known), LW_NOT_FOUND);
  assert_int_equal(lw_agent_get_threats(s.world, guard, NULL, 0), 0);
  close_world(&s);
}

static void own_senses_take_the_place_of_those_of_the_profile(void **state) {
  (void)state;
  support_memory memory;
  scene s;
  lw_senses senses = senses_of(20, 3, 0), read;
  lw_perceived known;
  lw_error error;
  open_world(&s, &memory, NULL);
  const lw_agent_id plain = spawn(&s, blind, "red", 2, 18.5f, 0, NULL),
                    other = spawn(&s, blind, "blue", 17, 18.5f, 0, NULL);
  step(&s, 60);
  assert_int_equal(lw_agent_get_perceived(s.world, plain, NULL, 0), 0);
  assert_int_equal(lw_agent_set_senses(s.world, plain, &senses, NULL), LW_OK);
  step(&s, 60);
  assert_int_equal(lw_agent_find_perceived(s.world, plain, other, &known), LW_OK);
  assert_int_equal(lw_agent_get_senses(s.world, plain, &read), LW_OK);
  assert_float_equal(read.sight.range, 20, 0);
  senses.sight.half_angle = 4;
  assert_int_equal(lw_agent_set_senses(s.world, plain, &senses, &error), LW_INVALID);
  assert_string_equal(error.text, "sight.half_angle is 4, expected radians from 0 to 3.141593");
  assert_int_equal(lw_agent_set_senses(s.world, plain, NULL, NULL), LW_OK);
  step(&s, 1);
  assert_int_equal(lw_agent_get_perceived(s.world, plain, NULL, 0), 0);
  assert_int_equal(lw_agent_set_profile(s.world, plain, looks), LW_OK);
  step(&s, 30);
  lw_agent_get_senses(s.world, plain, &read);
  assert_float_equal(read.sight.range, 12, 0);
  close_world(&s);
}

static void friends_the_dark_and_the_dead(void **state) {
  (void)state;
  support_memory memory;
  scene s;
  lw_perceived known;
  open_world(&s, &memory, NULL);
  const lw_agent_id guard = spawn(&s, looks, "red", 2, 17, 0, NULL),
                    mate = spawn(&s, blind, "red", 8, 17, 0, NULL),
                    stray = spawn(&s, blind, NULL, 9, 16.5f, 0, NULL);
  step(&s, 60);
  assert_int_equal(lw_agent_find_perceived(s.world, guard, mate, &known), LW_NOT_FOUND);
  assert_int_equal(lw_agent_find_perceived(s.world, guard, stray, &known), LW_OK);
  assert_false(known.is_enemy); /* it has no team */
  lw_senses senses = senses_of(12, 1.2f, 0);
  senses.sight.friends = true;
  assert_int_equal(lw_agent_set_senses(s.world, guard, &senses, NULL), LW_OK);
  step(&s, 60);
  assert_int_equal(lw_agent_find_perceived(s.world, guard, mate, &known), LW_OK);
  assert_int_equal(lw_agent_get_perceived(s.world, guard, NULL, 0), 2);
  lw_world_set_visibility(s.world, NULL, 0.25f); /* seen up to 3 m */
  step(&s, 60);
  assert_int_equal(lw_agent_find_perceived(s.world, guard, mate, &known), LW_OK);
  assert_false(known.is_seen);
  assert_int_equal(lw_agent_despawn(s.world, mate), LW_OK);
  assert_int_equal(lw_agent_get_perceived(s.world, guard, NULL, 0), 1);
  step(&s, 1);
  assert_int_equal(lw_agent_forget(s.world, guard, stray), LW_OK);
  assert_int_equal(lw_agent_get_perceived(s.world, guard, NULL, 0), 0);
  assert_int_equal(lw_agent_forget(s.world, guard, mate), LW_STALE);
  close_world(&s);
}

/* --- noises ------------------------------------------------------------------------------------------------ */

static lw_status make_noise(scene *s, float x, float z, float loudness, const char *team, int *heard) {
  lw_noise noise = lw_noise_default();
  noise.at = (lw_vec3){x, 0, z};
  noise.loudness = loudness;
  noise.team = team;
  return lw_world_noise(s->world, &noise, heard, NULL);
}

static void noises_go_round_walls(void **state) {
  (void)state;
  support_memory memory;
  scene s;
  lw_heard heard;
  int count;
  open_world(&s, &memory, NULL);
  const lw_agent_id ear = spawn(&s, looks, "red", 5, 8, 0, NULL), deaf = spawn(&s, blind, "red", 5, 9, 0, NULL);
  const lw_vec3 at = {9, 0, 8};
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  query.from = at;
  query.to = (lw_vec3){5, 0, 8};
  assert_int_equal(lw_path_find(s.world, NULL, &query, &path), LW_OK);
  const float walk = lw_path_length(path); /* 4 m through the wall */
  lw_path_destroy(path);
  assert_true(walk > 10);
  assert_int_equal(make_noise(&s, at.x, at.z, walk - 0.5f, NULL, &count), LW_OK);
  assert_int_equal(count, 0);
  assert_int_equal(lw_agent_get_heard(s.world, ear, &heard), LW_NOT_FOUND);
  assert_int_equal(make_noise(&s, at.x, at.z, walk + 0.5f, NULL, &count), LW_OK);
  assert_int_equal(count, 1);
  assert_int_equal(lw_agent_get_heard(s.world, ear, &heard), LW_OK);
  assert_float_equal(heard.distance, walk, 0.2);
  assert_int_equal(lw_agent_get_heard(s.world, deaf, &heard), LW_NOT_FOUND);
  assert_int_equal(make_noise(&s, 5, 8.5f, 20, "red", &count), LW_OK);
  assert_int_equal(count, 0);
  step(&s, 60 * 2 + 20);
  assert_int_equal(lw_agent_get_heard(s.world, ear, &heard), LW_NOT_FOUND);
  assert_int_equal(make_noise(&s, 500, 8, 20, NULL, &count), LW_NO_START);
  close_world(&s);
}

/* --- trees ------------------------------------------------------------------------------------------------- */

static char noted[256];

static lw_node_status note(lw_leaf_call *call) {
  const size_t length = strlen(noted);
  if (call->event == LW_LEAF_START)
    snprintf(noted + length, sizeof noted - length, "%s@%d ", (const char *)call->options,
             (int)lw_world_steps(call->world));
  call->wake = (double)INFINITY;
  return LW_RUNNING;
}

static void conditions_react_in_the_step_of_a_look(void **state) {
  (void)state;
  static const char *const enemy[] = {"sense.enemy_seen"}, *const noise[] = {"event.heard"};
  static const lw_leaf_def fights = {.tick = note, .options = "fights"},
                           listens = {.tick = note, .options = "listens"},
                           rests = {.tick = note, .options = "rests"};
  const lw_node_def nodes[] = {
      {.kind = LW_SELECTOR, .child_count = 3},
      {.kind = LW_CONDITION, .child_count = 1, .keys = enemy, .key_count = 1, .abort = LW_ABORT_BOTH},
      {.kind = LW_LEAF, .name = "fights", .native = &fights},
      {.kind = LW_CONDITION, .child_count = 1, .keys = noise, .key_count = 1, .abort = LW_ABORT_LOWER},
      {.kind = LW_LEAF, .name = "listens", .native = &listens},
      {.kind = LW_LEAF, .name = "rests", .native = &rests},
  };
  const lw_tree_def def = {.name = "guard", .nodes = nodes, .node_count = 6};
  lw_tree *tree;
  support_memory memory;
  scene s;
  lw_perceived known;
  char why[512], expected[64];
  noted[0] = 0;
  assert_int_equal(lw_tree_create(&def, &tree, NULL), LW_OK);
  open_world(&s, &memory, NULL);
  const lw_agent_id guard = spawn(&s, looks, "red", 2, 17, 3.1f, tree),
                    enemy_id = spawn(&s, blind, "blue", 10, 17, 0, NULL);
  step(&s, 3);
  assert_int_equal(make_noise(&s, 2, 15, 10, NULL, NULL), LW_OK);
  step(&s, 1);
  assert_string_equal(noted, "rests@0 listens@3 ");
  lw_agent_set_heading(s.world, guard, 0);
  int steps = 0;
  while (lw_agent_find_perceived(s.world, guard, enemy_id, &known) != LW_OK && steps++ < 60) step(&s, 1);
  snprintf(expected, sizeof expected, "rests@0 listens@3 fights@%d ", (int)lw_world_steps(s.world) - 1);
  assert_string_equal(noted, expected);
  const lw_value value = lw_agent_get_value(s.world, guard, "sense.enemy");
  assert_int_equal(value.kind, LW_VALUE_AGENT);
  assert_true(lw_agent_id_equal(value.as.agent, enemy_id));
  assert_int_equal(lw_agent_get_value(s.world, guard, "sense.enemy_at").kind, LW_VALUE_VEC3);
  assert_int_equal(lw_agent_get_value(s.world, guard, "sense.noise_at").kind, LW_VALUE_VEC3);
  assert_int_equal(lw_agent_get_value(s.world, guard, "sense.nothing").kind, LW_VALUE_NONE);
  assert_int_equal(lw_agent_set_value(s.world, guard, "sense.enemy", &value), LW_INVALID);
  lw_agent_why(s.world, guard, why, sizeof why);
  assert_non_null(strstr(why, ", knows of 1 threat, sees 1 agent, an enemy at (10.0, "));
  assert_int_equal(lw_agent_despawn(s.world, enemy_id), LW_OK);
  step(&s, 1);
  assert_non_null(strstr(noted + strlen(expected), "rests@"));
  close_world(&s);
  lw_tree_destroy(tree);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agents_see_what_a_brute_force_sees),
      cmocka_unit_test(a_small_budget_makes_them_late_and_no_more),
      cmocka_unit_test(two_runs_and_a_saved_one_are_equal),
      cmocka_unit_test(steps_allocate_nothing_once_warm),
      cmocka_unit_test(a_guard_notices_loses_and_forgets),
      cmocka_unit_test(own_senses_take_the_place_of_those_of_the_profile),
      cmocka_unit_test(friends_the_dark_and_the_dead),
      cmocka_unit_test(noises_go_round_walls),
      cmocka_unit_test(conditions_react_in_the_step_of_a_look),
  };
  return cmocka_run_group_tests(tests, open_level, close_level);
}
