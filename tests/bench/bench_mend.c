/* What it costs when one obstacle of a metre spoils many long paths at once: the step in which they are all found again. Then
   how long agents wait whose paths threats may see, and which are searched with them in turn. */
#include "bench_place.h"
#include "bench_support.h"

#include "leeward/leeward.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define AGENTS_MAX 1000
#define OBSTACLES 12
/* Until all paths are searched again. */
#define STEPS_MAX 120
#define DT (1.0f / 60)
/* Each draw is the longest path of so many pairs. */
#define LONGEST_OF 8

static void need(lw_status status) {
  if (status == LW_OK) return;
  printf("failed: %s\n", lw_status_text(status));
  exit(1);
}

typedef struct seen_path {
  lw_agent_id id;
  int replans;
} seen_path;

/* Send agents over the longest of some drawn pairs. */
static int send_agents(lw_world *world, bench_place *place, const lw_profile *profile, seen_path *agents,
                       int count) {
  int sent = 0;
  for (int i = 0; i < 4 * count && sent < count; i++) {
    lw_vec3 from = {0}, to = {0};
    float longest = -1;
    for (int k = 0; k < LONGEST_OF; k++) {
      lw_path_query query = lw_path_query_default();
      lw_path *path;
      query.from = bench_draw(&place->same).point;
      query.to = bench_draw(&place->same).point;
      query.profile = profile;
      if (lw_path_find(world, NULL, &query, &path) != LW_OK) continue;
      if (lw_path_length(path) > longest) {
        longest = lw_path_length(path);
        from = query.from;
        to = query.to;
      }
      lw_path_destroy(path);
    }
    if (longest < 0) continue;
    lw_agent_def def = lw_agent_def_default();
    def.profile = profile;
    def.at = from;
    need(lw_agent_spawn(world, &def, &agents[sent].id, NULL));
    if (lw_agent_move_to(world, agents[sent].id, to, 0.5f) == LW_OK)
      sent += 1;
    else
      need(lw_agent_despawn(world, agents[sent].id));
  }
  return sent;
}

/* The point where most paths pass within half a metre, of those along some of the paths. */
static lw_vec3 most_crowded(const lw_world *world, const seen_path *agents, int count, int turn) {
  lw_vec3 best = {0};
  int most = -1;
  for (int i = turn % 7; i < count; i += 7) {
    int points;
    const lw_vec3 *at = lw_path_points(lw_agent_path(world, agents[i].id), &points);
    if (points < 2) continue;
    const int p = 1 + (turn * 5 + i) % (points - 1);
    const lw_vec3 here = lwi_lerp(at[p - 1], at[p], 0.5f);
    int near = 0;
    for (int k = 0; k < count; k++) {
      int others;
      const lw_vec3 *on = lw_path_points(lw_agent_path(world, agents[k].id), &others);
      for (int j = 1; j < others; j++) {
        const float t = fminf(1, fmaxf(0, lwi_part_along(on[j - 1], on[j], here)));
        if (lwi_distance(lwi_lerp(on[j - 1], on[j], t), here) > 0.5f) continue;
        near += 1;
        break;
      }
    }
    if (near <= most) continue;
    most = near;
    best = here;
  }
  return best;
}

/* What was measured over all obstacles. */
typedef struct sums {
  int spoiled, steps, searched, dear;
  double spent, worst, searching, nodes, length, ratio;
} sums;

/* How the path's cost compares with that of a search from where it begins. */
static double ratio_of(const lw_world *world, const lw_profile *profile, const lw_path *path) {
  int points;
  const lw_vec3 *on = lw_path_points(path, &points);
  lw_path_query query = lw_path_query_default();
  query.from = on[0];
  query.to = on[points - 1];
  query.profile = profile;
  lw_path *other;
  if (lw_path_find(world, NULL, &query, &other) != LW_OK) return 1;
  const double ratio = lw_path_cost(other) > 0 ? (double)(lw_path_cost(path) / lw_path_cost(other)) : 1;
  lw_path_destroy(other);
  return ratio;
}

static double note(const lw_world *world, seen_path *agent) {
  lw_agent_stats stats;
  need(lw_agent_get_stats(world, agent->id, &stats));
  agent->replans = stats.replans;
  return stats.search_seconds;
}

/* Step until no path is spoiled any more. */
static void step_on(lw_world *world, sums *sum) {
  double took = 0;
  for (int i = 0; i < STEPS_MAX && (i == 0 || lwi_world_any_stale(world)); i++) {
    const double begin = bench_time();
    need(lw_world_step(world, DT));
    const double now = bench_time() - begin;
    took += now;
    sum->worst = fmax(sum->worst, now);
    sum->steps += 1;
  }
  sum->spent += took;
}

static void look_at(const lw_world *world, const lw_profile *profile, const seen_path *before, sums *sum) {
  lw_agent_stats stats;
  const lw_path *path = lw_agent_path(world, before->id);
  need(lw_agent_get_stats(world, before->id, &stats));
  sum->searching += stats.search_seconds;
  if (stats.replans == before->replans) return;
  sum->spoiled += 1;
  if (!path) return;
  sum->nodes += lw_path_nodes(path);
  sum->length += (double)lw_path_length(path);
  const double ratio = ratio_of(world, profile, path);
  sum->ratio = fmax(sum->ratio, ratio);
  sum->dear += ratio > 1.03;
}

static void measure(bench_place *place, const lw_profile *profile, int wanted) {
  static seen_path agents[AGENTS_MAX];
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  def.navmesh = place->same.mesh;
  need(lw_world_create(&def, &world, NULL));
  const int count = send_agents(world, place, profile, agents, wanted);
  sums sum = {0};
  for (int o = 0; o < OBSTACLES; o++) {
    lw_obstacle_def box = lw_obstacle_def_default();
    lw_obstacle_id id;
    box.at = most_crowded(world, agents, count, o);
    need(lw_obstacle_add(world, &box, &id, NULL));
    for (int i = 0; i < count; i++) sum.searching -= note(world, &agents[i]);
    step_on(world, &sum);
    for (int i = 0; i < count; i++) look_at(world, profile, &agents[i], &sum);
  }
  const double each = fmax(1, sum.spoiled);
  printf("%-18s %4d agents: %4d paths of %3.0f m; %6.0f us an obstacle, in %4.1f steps (worst %5.0f us); a "
         "path %6.1f us "
         "and %4.0f nodes; worst %.3f of what a search finds, %d above 1.03\n",
         place->name, count, sum.spoiled, sum.length / each, sum.spent / OBSTACLES * 1e6,
         (double)sum.steps / OBSTACLES, sum.worst * 1e6, sum.searching * 1e6 / each, sum.nodes / each,
         sum.ratio, sum.dear);
  fflush(stdout);
  lw_world_destroy(world);
}

/* --- crowds that threats may see ------------------------------------------------------------------------------ */

#define THREATS 4
#define EYE_HEIGHT 1.6f
#define RANGE 60
#define WATCHED_BIAS 3
#define WATCHED_OBSTACLES 4
#define WATCHED_STEPS_MAX 1200
/* Who stands for longer has stopped for a search. [steps] */
#define STANDS 6

/* How long an agent had a path that it could not walk to its end, and one that was searched without threats. [steps] */
typedef struct watched_agent {
  lw_agent_id id;
  lw_vec3 at;
  int blocked, stood, detour;
} watched_agent;

typedef struct waits {
  int of_agents[AGENTS_MAX * WATCHED_OBSTACLES]; /* [count] Of each that was blocked, for each obstacle. */
  int count, stood, stood_most, detour_most;
  double worst;
} waits;

static void add_threats(lw_world *world, const bench_place *place) {
  for (int i = 0; i < THREATS; i++) {
    lw_threat_def def = lw_threat_def_default();
    lw_threat_id id;
    def.threat.at = lwi_add(bench_draw(&place->same).point, lwi_vec3(0, EYE_HEIGHT, 0));
    def.threat.range = RANGE;
    def.known_to = "";
    need(lw_threat_add(world, &def, &id, NULL));
  }
}

static void note_wait(watched_agent *agent, const lwi_agent *now, bool is_first) {
  const bool walks = now->move == LW_MOVE_WALKING, stands = lwi_equal(agent->at, now->at.point);
  agent->at = now->at.point;
  if (!walks) return;
  agent->detour += now->route.staleness == LWI_STALE;
  if (now->route.staleness != LWI_BLOCKED) return;
  agent->blocked += 1;
  agent->stood += stands && !is_first;
}

static int compare(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

static int greater(int a, int b) {
  return a > b ? a : b;
}

static void sum_up(const watched_agent *agent, waits *sum) {
  if (agent->blocked + agent->detour == 0) return; /* it was searched for at once, if at all */
  sum->of_agents[sum->count++] = agent->blocked;
  sum->stood += agent->stood > STANDS;
  sum->stood_most = greater(sum->stood_most, agent->stood);
  sum->detour_most = greater(sum->detour_most, agent->detour);
}

/* Step until no path is to be searched any more. */
static void wait_for_paths(lw_world *world, const seen_path *seen, int count, waits *sum) {
  static watched_agent agents[AGENTS_MAX];
  for (int k = 0; k < count; k++) agents[k] = (watched_agent){.id = seen[k].id};
  for (int i = 0; i < WATCHED_STEPS_MAX && (i == 0 || lwi_world_any_stale(world)); i++) {
    const double begin = bench_time();
    need(lw_world_step(world, DT));
    sum->worst = fmax(sum->worst, bench_time() - begin);
    for (int k = 0; k < count; k++) note_wait(&agents[k], lwi_world_agent(world, agents[k].id), i == 0);
  }
  for (int k = 0; k < count; k++) sum_up(&agents[k], sum);
}

static void measure_watched(bench_place *place, const lw_profile *profile) {
  static seen_path seen[AGENTS_MAX];
  static waits sum;
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  def.navmesh = place->same.mesh;
  need(lw_world_create(&def, &world, NULL));
  const int count = send_agents(world, place, profile, seen, AGENTS_MAX);
  add_threats(world, place);
  for (int i = 0; i < WATCHED_STEPS_MAX && (i == 0 || lwi_world_any_stale(world)); i++)
    need(lw_world_step(world, DT));
  sum = (waits){.count = 0};
  for (int o = 0; o < WATCHED_OBSTACLES; o++) {
    lw_obstacle_def box = lw_obstacle_def_default();
    lw_obstacle_id id;
    box.at = most_crowded(world, seen, count, o);
    box.size = lwi_vec3(2, 2, 2);
    need(lw_obstacle_add(world, &box, &id, NULL));
    wait_for_paths(world, seen, count, &sum);
  }
  qsort(sum.of_agents, (size_t)sum.count, sizeof *sum.of_agents, compare);
  const int last = sum.count - 1;
  printf("%-18s %4d agents that %d threats may see: %4d paths not searched at once; blocked for %d steps in "
         "the median, "
         "%d of nine in ten, %d at most; %d stood, for %d steps at most; on detours for %d at most; "
         "worst step %.0f us\n",
         place->name, count, THREATS, sum.count, last < 0 ? 0 : sum.of_agents[last / 2],
         last < 0 ? 0 : sum.of_agents[last * 9 / 10], last < 0 ? 0 : sum.of_agents[last], sum.stood,
         sum.stood_most, sum.detour_most, sum.worst * 1e6);
  fflush(stdout);
  lw_world_destroy(world);
}

static void visit(bench_place *place, void *user) {
  lw_profile_def def = lw_profile_def_default();
  lw_profile *profile;
  (void)user;
  need(lw_profile_create(&def, lw_navmesh_area_table(place->same.mesh), &profile, NULL));
  measure(place, profile, 200);
  measure(place, profile, 1000);
  def.cover_bias = WATCHED_BIAS;
  lw_profile *careful;
  need(lw_profile_create(&def, lw_navmesh_area_table(place->same.mesh), &careful, NULL));
  if (place->geometry) measure_watched(place, careful);
  lw_profile_destroy(careful);
  lw_profile_destroy(profile);
}

int main(void) {
  bench_head("mend");
  return bench_places(visit, NULL) > 0 ? 0 : 1;
}
