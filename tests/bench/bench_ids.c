/* What comes and goes in a world by the hundred thousand: agents, threats, dangers and fire lanes, far from
   each other, each number of them and half of it. Where the time for one does not depend on how many there are,
   twice as many take twice as long. The first argument is the number, 100,000 if it is left out; threats and
   eyes are a twelfth of it. */
#include "bench_support.h"
#include "core/random.h"
#include "grid_mesh.h"

#include "leeward/leeward.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SIDE 320    /* squares */
#define SQUARE 4.0f /* [m] */
#define WALKING 100

typedef struct bench {
  lw_area_table *areas;
  lw_navmesh *mesh;
  lw_profile *profile;
  lw_world *world;
  int *order; /* [count] The order in which they are removed. */
} bench;

typedef enum removal { IN_ORDER, IN_REVERSE, AT_RANDOM, REMOVALS } removal;
static const char *const removal_names[] = {"in order", "in reverse", "at random"};

static void check(bool good) {
  if (!good) abort();
}

static lw_vec3 place_of(int i) {
  return (lw_vec3){SQUARE * ((float)(i % SIDE) + 0.5f), 0, SQUARE * ((float)(i / SIDE % SIDE) + 0.5f)};
}

static void open_world(bench *b) {
  lw_world_def def = lw_world_def_default();
  def.navmesh = b->mesh;
  check(lw_world_create(&def, &b->world, NULL) == LW_OK);
}

static lw_agent_id spawn(bench *b, int i) {
  lw_agent_def def = lw_agent_def_default();
  lw_agent_id id;
  def.profile = b->profile;
  def.at = place_of(i);
  def.team = i % 2 ? "red" : "blue";
  check(lw_agent_spawn(b->world, &def, &id, NULL) == LW_OK);
  return id;
}

static void set_order(bench *b, int count, removal how) {
  lw_random random = lwi_random_make(1, 0);
  for (int i = 0; i < count; i++) b->order[i] = how == IN_REVERSE ? count - 1 - i : i;
  for (int i = count - 1; i > 0 && how == AT_RANDOM; i--) {
    int k = (int)(lwi_random_unit(&random) * (float)(i + 1)), kept = b->order[i];
    b->order[i] = b->order[k];
    b->order[k] = kept;
  }
}

static void show(const char *what, const char *how, int count, double began) {
  printf("%7d %-38s %-10s %8.3f s\n", count, what, how, bench_clock() - began);
  fflush(stdout);
}

/* --- agents ----------------------------------------------------------------------------------------------- */

static void measure_agents(bench *b, int count) {
  lw_agent_id *ids = malloc((size_t)count * sizeof *ids);
  check(ids != NULL);
  for (int how = 0; how <= REMOVALS; how++) {
    open_world(b);
    double began = bench_clock();
    for (int i = 0; i < count; i++) ids[i] = spawn(b, i);
    if (how == 0) show("agents spawned", "", count, began);
    began = bench_clock();
    if (how < REMOVALS) {
      set_order(b, count, (removal)how);
      for (int i = 0; i < count; i++) check(lw_agent_despawn(b->world, ids[b->order[i]]) == LW_OK);
      show("agents despawned", removal_names[how], count, began);
      lw_world_destroy(b->world);
      continue;
    }
    int seen = 0;
    lw_agent_id id = lw_agent_id_none();
    while (!lw_agent_id_is_none(id = lw_agent_next(b->world, id))) seen += 1;
    check(seen == count);
    show("agents listed", "", count, began);
    began = bench_clock();
    lw_world_destroy(b->world);
    show("agents destroyed with their world", "", count, began);
  }
  free(ids);
}

/* Each with a threat that is its eye. */
static void measure_eyes(bench *b, int count) {
  lw_agent_id *ids = malloc((size_t)count * sizeof *ids);
  check(ids != NULL);
  open_world(b);
  double began = bench_clock();
  for (int i = 0; i < count; i++) {
    lw_threat_def def = lw_threat_def_default();
    lw_threat_id threat;
    def.agent = ids[i] = spawn(b, i);
    def.known_to = i % 2 ? "blue" : "red";
    check(lw_threat_add(b->world, &def, &threat, NULL) == LW_OK);
  }
  show("agents spawned with an eye", "", count, began);
  began = bench_clock();
  for (int i = 0; i < count; i++) check(lw_agent_despawn(b->world, ids[i]) == LW_OK);
  show("agents despawned with their eye", removal_names[0], count, began);
  lw_world_destroy(b->world);
  free(ids);
}

/* --- threats ---------------------------------------------------------------------------------------------- */

static void measure_threats(bench *b, int count, int agents) {
  lw_threat_id *ids = malloc((size_t)count * sizeof *ids);
  char what[64];
  check(ids != NULL);
  open_world(b);
  for (int i = 0; i < agents; i++) spawn(b, i);
  lw_threat_def def = lw_threat_def_default();
  def.known_to = "red";
  snprintf(what, sizeof what, "threats added, %d agents", agents);
  double began = bench_clock();
  for (int i = 0; i < count; i++) {
    def.threat.at = place_of(i);
    check(lw_threat_add(b->world, &def, &ids[i], NULL) == LW_OK);
  }
  show(what, "", count, began);
  began = bench_clock();
  for (int i = 0; i < count; i++) {
    def.threat.at = place_of(i + 1);
    check(lw_threat_set(b->world, ids[i], &def.threat) == LW_OK);
  }
  show("threats moved", "", count, began);
  const lw_agent_id agent = spawn(b, 0);
  began = bench_clock();
  for (int i = 0; i < count; i++) check(lw_agent_learn_threat(b->world, agent, ids[i]) == LW_OK);
  show("threats that one agent learns of", "", count, began);
  began = bench_clock();
  for (int i = 0; i < count; i++) check(lw_threat_remove(b->world, ids[i]) == LW_OK);
  show("threats removed", removal_names[0], count, began);
  lw_world_destroy(b->world);
  free(ids);
}

/* --- timed regions ---------------------------------------------------------------------------------------- */

static void measure_dangers(bench *b, int count, int agents) {
  lw_danger_id *ids = malloc((size_t)count * sizeof *ids);
  check(ids != NULL);
  for (int how = 0; how < REMOVALS; how++) {
    open_world(b);
    for (int i = 0; i < agents; i++) spawn(b, i);
    double began = bench_clock();
    for (int i = 0; i < count; i++) {
      lw_danger_def def = lw_danger_def_default();
      def.at = place_of(i);
      def.radius = 1;
      check(lw_danger_add(b->world, &def, &ids[i], NULL) == LW_OK);
    }
    if (how == 0) show("dangers added", "", count, began);
    set_order(b, count, (removal)how);
    began = bench_clock();
    for (int i = 0; i < count; i++) check(lw_danger_remove(b->world, ids[b->order[i]]) == LW_OK);
    show("dangers removed", removal_names[how], count, began);
    lw_world_destroy(b->world);
  }
  free(ids);
}

static void measure_lanes(bench *b, int count) {
  lw_fire_lane_id *ids = malloc((size_t)count * sizeof *ids);
  check(ids != NULL);
  for (int how = 0; how < REMOVALS; how++) {
    open_world(b);
    double began = bench_clock();
    for (int i = 0; i < count; i++) {
      lw_fire_lane_def def = lw_fire_lane_def_default();
      def.from = def.to = place_of(i);
      def.from.x -= 1;
      def.to.x += 1;
      def.radius = 0.5f;
      check(lw_fire_lane_add(b->world, &def, &ids[i], NULL) == LW_OK);
    }
    if (how == 0) show("fire lanes added", "", count, began);
    set_order(b, count, (removal)how);
    began = bench_clock();
    for (int i = 0; i < count; i++) check(lw_fire_lane_remove(b->world, ids[b->order[i]]) == LW_OK);
    show("fire lanes removed", removal_names[how], count, began);
    lw_world_destroy(b->world);
  }
  free(ids);
}

static void open_bench(bench *b, int count) {
  static const char *const names[] = {"ground"};
  static char row[SIDE + 1];
  static const char *rows[SIDE];
  memset(row, '.', SIDE);
  for (int i = 0; i < SIDE; i++) rows[i] = row;
  b->areas = support_areas(names, 1);
  b->mesh = support_grid(b->areas, rows, SIDE, SQUARE);
  lw_profile_def profile = lw_profile_def_default();
  profile.cover_bias = 2;
  profile.danger_cost = 10;
  check(lw_profile_create(&profile, b->areas, &b->profile, NULL) == LW_OK);
  b->order = malloc((size_t)count * sizeof *b->order);
  check(b->order != NULL);
}

int main(int argument_count, char **arguments) {
  int count = argument_count > 1 ? atoi(arguments[1]) : 100000;
  bench b;
  if (count < 24) return 1;
  bench_head("ids");
  open_bench(&b, count);
  for (int part = 2; part > 0; part--) {
    measure_agents(&b, count / part);
    measure_eyes(&b, count / part / 12);
    measure_threats(&b, count / part / 12, 1000);
    measure_dangers(&b, count / part, WALKING);
    measure_lanes(&b, count / part);
  }
  free(b.order);
  lw_profile_destroy(b.profile);
  lw_navmesh_destroy(b.mesh);
  lw_area_table_destroy(b.areas);
  return 0;
}
