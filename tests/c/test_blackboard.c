/* Blackboards and events of a world: what trees of native leaves react to, and when. */
#include "behavior/tree.h"
#include "core/random.h"
#include "grid_world.h"
#include "leeward/leeward.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static const char *const rows[] = {"........", "........", "........"};

/* --- native leaves ---------------------------------------------------------------------------------------------- */

/// What a leaf notes: "a+" it starts, "a-" it stops.
static char noted[1024];

static void note(const lw_leaf_call *call, char mark) {
  const size_t length = strlen(noted);
  snprintf(noted + length, sizeof noted - length, "%s%c ", (const char *)call->options, mark);
}

/// Runs until its third tick.
static lw_node_status run_thrice(lw_leaf_call *call) {
  int *ticks = call->state;
  if (call->event == LW_LEAF_START) {
    assert_int_equal(*ticks, 0);
    note(call, '+');
  }
  *ticks += 1;
  return *ticks == 3 ? LW_SUCCESS : LW_RUNNING;
}

static lw_node_status run_on(lw_leaf_call *call) {
  if (call->event == LW_LEAF_START) note(call, '+');
  call->wake = (double)INFINITY;
  return LW_RUNNING;
}

static void stop(lw_leaf_call *call) {
  note(call, '-');
}

/// Sets a key of the team when it starts.
static lw_node_status shout(lw_leaf_call *call) {
  const lw_value yes = {.kind = LW_VALUE_BOOLEAN, .as.boolean = true};
  assert_int_equal(lw_agent_set_value(call->world, call->agent, "team.alarm", &yes), LW_OK);
  return LW_SUCCESS;
}

static lw_node_status set_each_other(lw_leaf_call *call) {
  const lw_value now = lw_world_get_value(call->world, "n");
  const lw_value more = {.kind = LW_VALUE_NUMBER, .as.number = now.as.number + 1};
  assert_int_equal(lw_world_set_value(call->world, "n", &more), LW_OK);
  return LW_FAILURE;
}

static const lw_leaf_def thrice = {
    .tick = run_thrice, .stop = stop, .state_size = sizeof(int), .options = "thrice"};
static const lw_leaf_def patrol = {.tick = run_on, .stop = stop, .options = "patrol"};
static const lw_leaf_def flee = {.tick = run_on, .stop = stop, .options = "flee"};
static const lw_leaf_def shouts = {.tick = shout, .options = "shout"};
static const lw_leaf_def counts = {.tick = set_each_other, .options = "count"};

static lw_tree *make_tree(const char *name, const lw_node_def *nodes, int count) {
  lw_tree *tree;
  lw_error error = {0};
  const lw_tree_def def = {.name = name, .nodes = nodes, .node_count = count};
  if (lw_tree_create(&def, &tree, &error) != LW_OK) fail_msg("%s", error.text);
  return tree;
}

/// selector { condition(key) { flee }, patrol }
static lw_tree *make_watcher(const char *key) {
  const lw_node_def nodes[] = {
      {.kind = LW_SELECTOR, .child_count = 2},
      {.kind = LW_CONDITION, .child_count = 1, .keys = &key, .key_count = 1, .abort = LW_ABORT_BOTH},
      {.kind = LW_LEAF, .native = &flee},
      {.kind = LW_LEAF, .native = &patrol}};
  return make_tree("watcher", nodes, COUNT(nodes));
}

/* --- the scene -------------------------------------------------------------------------------------------------- */

typedef struct scene {
  grid_world grid;
  lw_tree *tree;
} scene;

static scene open_scene(lw_tree *tree) {
  const lw_profile_def profile = lw_profile_def_default();
  noted[0] = 0;
  return (scene){grid_world_open(rows, COUNT(rows), 1, &profile, NULL), tree};
}

static void close_scene(scene *s) {
  lw_world_destroy(s->grid.world);
  s->grid.world = NULL;
  grid_world_close(&s->grid);
  lw_tree_destroy(s->tree);
}

static lw_agent_id spawn(const scene *s, const lw_tree *tree, const char *team) {
  lw_agent_def def = lw_agent_def_default();
  lw_agent_id id;
  def.profile = s->grid.profile;
  def.at = (lw_vec3){1, 0, 1};
  def.tree = tree;
  def.team = team;
  assert_int_equal(lw_agent_spawn(s->grid.world, &def, &id, NULL), LW_OK);
  return id;
}

/// Step, and check what leaves noted.
#define STEP(s, expected)                                                                                      \
  do {                                                                                                         \
    noted[0] = 0;                                                                                              \
    assert_int_equal(lw_world_step((s)->grid.world, 0.1f), LW_OK);                                             \
    assert_string_equal(noted, expected);                                                                      \
  } while (0)

static const lw_value yes = {.kind = LW_VALUE_BOOLEAN, .as = {.boolean = true}};

static void a_native_leaf_has_state_of_its_own(void **state) {
  (void)state;
  const lw_node_def node = {.kind = LW_LEAF, .native = &thrice};
  scene s = open_scene(make_tree("thrice", &node, 1));
  spawn(&s, s.tree, NULL);
  spawn(&s, s.tree, NULL);
  STEP(&s, "thrice+ thrice+ ");
  STEP(&s, "");
  STEP(&s, "thrice- thrice- ");
  STEP(&s, "thrice+ thrice+ ");
  close_scene(&s);
}

static void conditions_react_to_keys_of_agents_teams_and_the_world(void **state) {
  (void)state;
  static const char *const keys[] = {"danger", "team.danger", "world.danger"};
  for (int i = 0; i < COUNT(keys); ++i) {
    scene s = open_scene(make_watcher(keys[i]));
    lw_world *world = s.grid.world;
    const lw_agent_id agent = spawn(&s, s.tree, "red");
    const lw_agent_id other = spawn(&s, s.tree, i == 1 ? "blue" : "red");
    STEP(&s, "patrol+ patrol+ ");
    STEP(&s, "");
    assert_int_equal(lw_agent_set_value(world, agent, keys[i], &yes), LW_OK);
    assert_true(lw_agent_get_value(world, agent, keys[i]).as.boolean);
    assert_int_equal(lw_agent_get_value(world, other, keys[i]).kind, i == 2 ? LW_VALUE_BOOLEAN : LW_VALUE_NONE);
    STEP(&s, i == 2 ? "patrol- flee+ patrol- flee+ " : "patrol- flee+ ");
    STEP(&s, "");
    assert_int_equal(lw_agent_set_value(world, agent, keys[i], NULL), LW_OK);
    STEP(&s, i == 2 ? "flee- patrol+ flee- patrol+ " : "flee- patrol+ ");
    close_scene(&s);
  }
}

static void others_react_in_the_step_in_which_a_leaf_sets_a_key(void **state) {
  (void)state;
  scene s = open_scene(make_watcher("team.alarm"));
  const lw_node_def nodes[] = {{.kind = LW_SEQUENCE, .child_count = 3},
                               {.kind = LW_WAIT, .wait_min = 0.15f, .wait_max = 0.15f},
                               {.kind = LW_LEAF, .native = &shouts},
                               {.kind = LW_WAIT, .wait_min = 9, .wait_max = 9}};
  lw_tree *shouter = make_tree("shouter", nodes, COUNT(nodes));
  spawn(&s, s.tree, "red");
  spawn(&s, shouter, "red");
  spawn(&s, s.tree, "red");
  STEP(&s, "patrol+ patrol+ ");
  STEP(&s, "");
  STEP(&s, "patrol- flee+ patrol- flee+ "); /* the one before the leaf's agent, too */
  lw_world_destroy(s.grid.world);
  s.grid.world = NULL;
  lw_tree_destroy(shouter);
  close_scene(&s);
}

static void an_event_is_there_for_one_step(void **state) {
  (void)state;
  scene s = open_scene(make_watcher("event.shot"));
  lw_world *world = s.grid.world;
  const lw_agent_id agent = spawn(&s, s.tree, NULL), other = spawn(&s, s.tree, NULL);
  STEP(&s, "patrol+ patrol+ ");
  const lw_value at = {.kind = LW_VALUE_VEC3, .as.vec3 = {1, 2, 3}};
  assert_int_equal(lw_agent_send(world, agent, "shot", &at), LW_OK);
  assert_true(lw_agent_get_value(world, agent, "event.shot").as.vec3.y > 1.5f);
  assert_int_equal(lw_agent_get_value(world, other, "event.shot").kind, LW_VALUE_NONE);
  STEP(&s, "patrol- flee+ ");
  assert_int_equal(lw_agent_get_value(world, agent, "event.shot").kind, LW_VALUE_NONE);
  STEP(&s, ""); /* that it is over is no news */
  assert_int_equal(lw_world_emit(world, "shot", NULL), LW_OK);
  STEP(&s, "patrol- flee+ ");
  assert_int_equal(lw_agent_get_value(world, other, "event.shot").kind, LW_VALUE_NONE);
  assert_int_equal(lw_agent_send(world, agent, "unread", NULL), LW_OK);
  assert_int_equal(lw_agent_get_value(world, agent, "event.unread").kind, LW_VALUE_BOOLEAN);
  STEP(&s, "");
  assert_int_equal(lw_agent_get_value(world, agent, "event.unread").kind, LW_VALUE_NONE);
  assert_int_equal(lw_agent_set_value(world, agent, "event.shot", &yes), LW_INVALID);
  close_scene(&s);
}

/// Send `count` events of names that differ from those of other steps. @return The status of the last one.
static lw_status send_many(lw_world *world, lw_agent_id to, int step, int count, const lw_value *value) {
  lw_status status = LW_OK;
  for (int i = 0; i < count; ++i) {
    char name[32];
    snprintf(name, sizeof name, "e%d of %d", i, step);
    status =
        lw_agent_id_is_none(to) ? lw_world_emit(world, name, value) : lw_agent_send(world, to, name, value);
  }
  return status;
}

static void events_are_so_many_at_once(void **state) {
  (void)state;
  scene s = open_scene(make_watcher("event.shot"));
  lw_world *world = s.grid.world;
  const lw_agent_id agent = spawn(&s, s.tree, NULL), other = spawn(&s, s.tree, NULL);
  const lw_agent_id receivers[] = {agent, lw_agent_id_none()};
  for (int step = 0; step < 3; ++step) { /* they are gone with the step, from an agent's as from the world's */
    for (int i = 0; i < COUNT(receivers); ++i) {
      assert_int_equal(send_many(world, receivers[i], step, LW_EVENTS_MAX, NULL), LW_OK);
      assert_int_equal(send_many(world, receivers[i], 99, 1, NULL), LW_LIMIT);
      assert_int_equal(send_many(world, receivers[i], step, 1, &yes), LW_OK); /* of a name that is there */
    }
    assert_int_equal(lw_agent_get_value(world, agent, "event.e0 of 99").kind, LW_VALUE_NONE);
    assert_int_equal(lw_agent_send(world, other, "shot", NULL), LW_OK);
    assert_int_equal(lw_world_step(world, 0.1f), LW_OK);
  }
  close_scene(&s);
}

static void texts_of_events_are_so_long_at_once(void **state) {
  (void)state;
  scene s = open_scene(make_watcher("event.shot"));
  lw_world *world = s.grid.world;
  const lw_agent_id agent = spawn(&s, s.tree, NULL);
  enum { EACH = 1 << 14, COUNT_OF = LW_EVENT_BYTES_MAX / EACH };
  static char text[EACH];
  memset(text, 'x', sizeof text - 1);
  const lw_value value = {.kind = LW_VALUE_STRING, .as.string = text},
                 one = {.kind = LW_VALUE_STRING, .as.string = ""};
  size_t held = 0;
  for (int step = 0; step < 30; ++step) {
    assert_int_equal(send_many(world, agent, step, COUNT_OF, &value), LW_OK);
    assert_int_equal(lw_agent_send(world, agent, "one more", &one), LW_LIMIT);
    assert_int_equal(lw_agent_send(world, agent, "no text", &yes), LW_OK);
    for (int i = 0; i < 3; ++i) assert_int_equal(lw_world_step(world, 0.1f), LW_OK);
    if (step == 3) held = lw_world_memory(world);
  }
  assert_true(lw_world_memory(world) < held + EACH); /* nor is the memory of those that are over kept */
  close_scene(&s);
}

static void agents_that_answer_each_other_without_end_do_not_hang_a_step(void **state) {
  (void)state;
  static const char *const key = "world.n";
  const lw_node_def loop[] = {
      {.kind = LW_SELECTOR, .child_count = 2},
      {.kind = LW_CONDITION, .child_count = 1, .keys = &key, .key_count = 1, .abort = LW_ABORT_LOWER},
      {.kind = LW_LEAF, .native = &counts},
      {.kind = LW_WAIT, .wait_min = 9, .wait_max = 9}};
  scene s = open_scene(make_tree("loop", loop, COUNT(loop)));
  spawn(&s, s.tree, NULL);
  spawn(&s, s.tree, NULL);
  STEP(&s, "");
  const lw_value one = {.kind = LW_VALUE_NUMBER, .as.number = 1};
  assert_int_equal(lw_world_set_value(s.grid.world, "n", &one), LW_OK);
  STEP(&s, "");
  const double after = lw_world_get_value(s.grid.world, "n").as.number;
  assert_true(after > 1 && after < 5000);
  STEP(&s, "");
  assert_true(lw_world_get_value(s.grid.world, "n").as.number > after); /* what was left went on */
  close_scene(&s);
}

/* --- other trees ------------------------------------------------------------------------------------------------- */

static void another_tree_takes_over_and_the_blackboard_stays(void **state) {
  (void)state;
  scene s = open_scene(make_watcher("danger"));
  lw_world *world = s.grid.world;
  const lw_agent_id agent = spawn(&s, s.tree, NULL);
  const lw_node_def node = {.kind = LW_LEAF, .native = &thrice};
  lw_tree *other = make_tree("other", &node, 1);
  STEP(&s, "patrol+ ");
  noted[0] = 0;
  assert_int_equal(lw_agent_set_value(world, agent, "danger", &yes), LW_OK);
  assert_int_equal(lw_agent_set_tree(world, agent, other), LW_OK);
  assert_string_equal(noted, "patrol- ");
  assert_ptr_equal(lw_agent_tree(world, agent), other);
  STEP(&s, "thrice+ ");
  assert_int_equal(lw_tree_run_current(lw_agent_run(world, agent)), 0);
  assert_int_equal(lw_agent_set_tree(world, agent, s.tree), LW_OK);
  STEP(&s, "flee+ ");
  assert_int_equal(lw_agent_set_tree(world, agent, NULL), LW_OK);
  assert_null(lw_agent_run(world, agent));
  STEP(&s, "");
  assert_int_equal(lw_agent_despawn(world, agent), LW_OK);
  assert_int_equal(lw_agent_set_tree(world, agent, s.tree), LW_STALE);
  lw_world_destroy(world);
  s.grid.world = NULL;
  lw_tree_destroy(other);
  close_scene(&s);
}

static void another_version_of_the_tree_goes_on(void **state) {
  (void)state;
  scene s = open_scene(make_watcher("danger"));
  lw_world *world = s.grid.world;
  const lw_agent_id agent = spawn(&s, s.tree, NULL);
  lw_tree *same = make_watcher("danger");
  int nodes[8];
  STEP(&s, "patrol+ ");
  assert_int_equal(lw_tree_match(s.tree, same, nodes), LW_OK);
  noted[0] = 0;
  assert_int_equal(lw_agent_replace_tree(world, agent, same, nodes), LW_OK);
  assert_string_equal(noted, ""); /* nothing is stopped, nothing starts */
  assert_ptr_equal(lw_agent_tree(world, agent), same);
  STEP(&s, "");
  assert_int_equal(lw_agent_set_value(world, agent, "danger", &yes), LW_OK);
  STEP(&s, "patrol- flee+ ");
  assert_int_equal(lw_tree_match(same, s.tree, nodes), LW_OK);
  nodes[2] = -1; /* what runs is another node for the caller */
  noted[0] = 0;
  assert_int_equal(lw_agent_replace_tree(world, agent, s.tree, nodes), LW_OK);
  assert_string_equal(noted, "flee- ");
  STEP(&s, "flee+ ");
  nodes[1] = 99;
  assert_int_equal(lw_agent_replace_tree(world, agent, same, nodes), LW_INVALID);
  nodes[1] = -2;
  assert_int_equal(lw_agent_replace_tree(world, agent, same, nodes), LW_INVALID);
  assert_int_equal(lw_agent_set_tree(world, agent, NULL), LW_OK);
  nodes[1] = -1;
  assert_int_equal(lw_agent_replace_tree(world, agent, same, nodes), LW_INVALID); /* it has no tree */
  assert_int_equal(lw_agent_despawn(world, agent), LW_OK);
  assert_int_equal(lw_agent_replace_tree(world, agent, same, nodes), LW_STALE);
  lw_world_destroy(world);
  s.grid.world = NULL;
  lw_tree_destroy(same);
  close_scene(&s);
}

static void leave(lw_leaf_call *call) {
  note(call, '-');
  assert_int_equal(lw_agent_despawn(call->world, call->agent), LW_OK);
}

static void a_leaf_that_is_stopped_may_despawn_its_agent(void **state) {
  (void)state;
  static const lw_leaf_def leaves = {.tick = run_on, .stop = leave, .options = "leaves"};
  const lw_node_def nodes[] = {{.kind = LW_LEAF, .native = &leaves}, {.kind = LW_WAIT}};
  scene s = open_scene(make_tree("leaves", nodes, 1));
  lw_world *world = s.grid.world;
  lw_tree *other = make_tree("other", nodes + 1, 1);
  const int node = -1;
  for (int way = 0; way < 2; ++way) {
    const lw_agent_id agent = spawn(&s, s.tree, NULL);
    STEP(&s, "leaves+ ");
    noted[0] = 0;
    if (way == 0)
      assert_int_equal(lw_agent_set_tree(world, agent, other), LW_OK);
    else
      assert_int_equal(lw_agent_replace_tree(world, agent, other, &node), LW_OK);
    assert_string_equal(noted, "leaves- ");
    assert_int_equal(lw_agent_set_tree(world, agent, other), LW_STALE);
    STEP(&s, "");
  }
  lw_world_destroy(world);
  s.grid.world = NULL;
  lw_tree_destroy(other);
  close_scene(&s);
}

/* --- values ------------------------------------------------------------------------------------------------------ */

static void values_are_copied_compared_and_checked(void **state) {
  (void)state;
  scene s = open_scene(make_watcher("x"));
  lw_world *world = s.grid.world;
  const lw_agent_id agent = spawn(&s, NULL, NULL);
  char text[] = "abc";
  lw_value value = {.kind = LW_VALUE_STRING, .as.string = text};
  assert_int_equal(lw_agent_set_value(world, agent, "word", &value), LW_OK);
  text[0] = '?';
  assert_string_equal(lw_agent_get_value(world, agent, "word").as.string, "abc");
  const lw_value got = lw_agent_get_value(world, agent, "word");
  assert_false(lw_value_equal(&got, &value));
  const lw_value bad[] = {{.kind = LW_VALUE_NUMBER, .as.number = (double)NAN},
                          {.kind = LW_VALUE_STRING, .as.string = NULL},
                          {.kind = LW_VALUE_VEC3, .as.vec3 = {INFINITY, 0, 0}},
                          {.kind = (lw_value_kind)99}};
  for (int i = 0; i < COUNT(bad); ++i)
    assert_int_equal(lw_agent_set_value(world, agent, "word", &bad[i]), LW_INVALID);
  char key[LW_KEY_MAX + 2];
  memset(key, 'k', sizeof key);
  key[LW_KEY_MAX + 1] = 0;
  assert_int_equal(lw_agent_set_value(world, agent, key, &yes), LW_INVALID);
  key[LW_KEY_MAX] = 0;
  assert_int_equal(lw_agent_set_value(world, agent, key, &yes), LW_OK);
  assert_int_equal(lw_agent_set_value(world, agent, "", &yes), LW_INVALID);
  assert_int_equal(lw_agent_set_value(world, agent, "team.", &yes), LW_INVALID);
  close_scene(&s);
}

static void a_long_text_is_freed_where_a_short_value_follows(void **state) {
  (void)state;
  enum { KEYS = 50, LONG = 20000 };
  scene s = open_scene(make_watcher("x"));
  lw_world *world = s.grid.world;
  const lw_agent_id agent = spawn(&s, NULL, NULL);
  static char text[LONG];
  memset(text, 'x', sizeof text - 1);
  const lw_value value = {.kind = LW_VALUE_STRING, .as.string = text},
                 word = {.kind = LW_VALUE_STRING, .as.string = "word"};
  const lw_value *const after[] = {&yes, &word, NULL};
  for (int i = 0; i < COUNT(after); ++i) {
    const size_t before = lw_world_memory(world);
    for (int k = 0; k < KEYS; ++k) {
      char key[24];
      snprintf(key, sizeof key, "k%d", k);
      assert_int_equal(lw_agent_set_value(world, agent, key, &value), LW_OK);
      assert_string_equal(lw_agent_get_value(world, agent, key).as.string, text);
      assert_int_equal(lw_agent_set_value(world, agent, key, after[i]), LW_OK);
    }
    assert_true(lw_world_memory(world) < before + LONG);
  }
  assert_int_equal(lw_agent_set_value(world, agent, "k0", &word), LW_OK);
  assert_string_equal(lw_agent_get_value(world, agent, "k0").as.string, "word");
  close_scene(&s);
}

/// Against a table of all keys; so that ever new keys that lose their values do not fill the memory.
static void many_keys_come_and_go(void **state) {
  (void)state;
  enum { KEYS = 300, CHANGES = 60000 };
  scene s = open_scene(make_watcher("x"));
  lw_world *world = s.grid.world;
  const lw_agent_id agent = spawn(&s, NULL, NULL);
  static double shadow[KEYS];
  lw_random random = lwi_random_make(5, 0);
  for (int i = 0; i < CHANGES; ++i) {
    const uint64_t bits = lwi_random_bits(&random);
    const int k = (int)(bits % KEYS);
    char key[24];
    snprintf(key, sizeof key, "k%d", k);
    shadow[k] = bits >> 32 & 1 ? (double)(bits >> 40 & 255) + 1 : 0;
    const lw_value value = {.kind = LW_VALUE_NUMBER, .as.number = shadow[k]};
    assert_int_equal(lw_agent_set_value(world, agent, key, shadow[k] > 0 ? &value : NULL), LW_OK);
    const int other = (int)(bits >> 48) % KEYS;
    snprintf(key, sizeof key, "k%d", other);
    const lw_value got = lw_agent_get_value(world, agent, key);
    assert_true(shadow[other] > 0 ? fabs(got.as.number - shadow[other]) < 0.5 : got.kind == LW_VALUE_NONE);
  }
  for (int k = 0; k < KEYS; ++k) {
    char key[24];
    snprintf(key, sizeof key, "k%d", k);
    lw_agent_set_value(world, agent, key, NULL);
  }
  size_t before = 0;
  for (int i = 0; i < 20000; ++i) {
    char key[24];
    snprintf(key, sizeof key, "once%d", i);
    assert_int_equal(lw_agent_set_value(world, agent, key, &yes), LW_OK);
    assert_int_equal(lw_agent_set_value(world, agent, key, NULL), LW_OK);
    if (i == 10000) before = lw_world_memory(world);
  }
  assert_true(lw_world_memory(world) < before + 20000);
  close_scene(&s);
}

static void a_step_that_is_warm_allocates_nothing(void **state) {
  (void)state;
  scene s = open_scene(make_watcher("event.shot"));
  lw_world *world = s.grid.world;
  lw_agent_id agents[20];
  for (int i = 0; i < COUNT(agents); ++i) agents[i] = spawn(&s, s.tree, "red");
  long calls = 0;
  for (int i = 0; i < 60; ++i) {
    const lw_value value = {.kind = LW_VALUE_NUMBER, .as.number = i};
    assert_int_equal(lw_agent_set_value(world, agents[i % 20], "own", &value), LW_OK);
    assert_int_equal(lw_team_set_value(world, "red", "shared", &value), LW_OK);
    assert_int_equal(lw_agent_send(world, agents[i % 20], "shot", &value), LW_OK);
    assert_int_equal(lw_world_emit(world, "shot", NULL), LW_OK);
    assert_int_equal(lw_world_step(world, 0.1f), LW_OK);
    if (i == 30) calls = s.grid.memory->calls;
  }
  assert_int_equal(s.grid.memory->calls, calls);
  close_scene(&s);
}

static void the_state_of_a_tree_is_small(void **state) {
  (void)state;
  static const char *const key = "enemy";
  const lw_node_def nodes[] = {
      {.kind = LW_SELECTOR, .child_count = 3, .reactive = true},
      {.kind = LW_CONDITION, .child_count = 1, .keys = &key, .key_count = 1},
      {.kind = LW_TIMEOUT, .child_count = 1, .seconds = 5},
      {.kind = LW_SEQUENCE, .child_count = 2},
      {.kind = LW_COOLDOWN, .child_count = 1, .seconds = 2},
      {.kind = LW_LEAF, .native = &flee},
      {.kind = LW_LEAF, .native = &patrol},
      {.kind = LW_CONDITION, .child_count = 1, .keys = &key, .key_count = 1, .test = LW_TEST_UNSET},
      {.kind = LW_PARALLEL, .child_count = 2},
      {.kind = LW_LEAF, .native = &patrol},
      {.kind = LW_WAIT, .wait_min = 1, .wait_max = 2},
      {.kind = LW_REPEAT, .child_count = 1, .count = 3},
      {.kind = LW_SEQUENCE, .child_count = 2},
      {.kind = LW_LEAF, .native = &thrice},
      {.kind = LW_WAIT, .wait_min = 1, .wait_max = 2}};
  lw_tree *tree = make_tree("guard", nodes, COUNT(nodes));
  lw_tree_run *run;
  assert_int_equal(lw_tree_run_create(tree, NULL, &run), LW_OK);
  print_message("note: a run of a tree of %d nodes: %zu bytes\n", COUNT(nodes), lwi_tree_run_memory(run));
  assert_true(lwi_tree_run_memory(run) <= 256);
  lw_tree_run_destroy(run);
  lw_tree_destroy(tree);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_native_leaf_has_state_of_its_own),
      cmocka_unit_test(conditions_react_to_keys_of_agents_teams_and_the_world),
      cmocka_unit_test(others_react_in_the_step_in_which_a_leaf_sets_a_key),
      cmocka_unit_test(an_event_is_there_for_one_step),
      cmocka_unit_test(events_are_so_many_at_once),
      cmocka_unit_test(texts_of_events_are_so_long_at_once),
      cmocka_unit_test(agents_that_answer_each_other_without_end_do_not_hang_a_step),
      cmocka_unit_test(another_tree_takes_over_and_the_blackboard_stays),
      cmocka_unit_test(another_version_of_the_tree_goes_on),
      cmocka_unit_test(a_leaf_that_is_stopped_may_despawn_its_agent),
      cmocka_unit_test(values_are_copied_compared_and_checked),
      cmocka_unit_test(a_long_text_is_freed_where_a_short_value_follows),
      cmocka_unit_test(many_keys_come_and_go),
      cmocka_unit_test(a_step_that_is_warm_allocates_nothing),
      cmocka_unit_test(the_state_of_a_tree_is_small),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
