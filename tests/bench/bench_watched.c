/* Paths watched by four threats, compared with unwatched paths of the same agent and with searches that measure every piece of
every path instead of estimating it: exactly, and by rays through a tree of the level's triangles. Then the first search
under threats and all further ones for other pairs of places, each beside Detour's plain search for the same pair: it takes
points and finds their polygons first, as ours does. They take turns; of each pair the least over the rounds counts, and
in each round the threats stand a little elsewhere.

   The linker leads the search's questions (lwi_exposure_find) to this file (--wrap), which casts the rays on request. */
#include "bench_place.h"
#include "bench_support.h"
#include "core/platform.h"
#include "core/vec3.h"
#include "sight/exposure.h"
#include "sight_peer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define QUERIES 16
#define THREATS 4
#define REPEATS 3
#define EYE_HEIGHT 1.6f
#define RANGE 60
#define BIAS 3
#define RAY_SPACING 0.25f
/* Of the comparison with Detour: sets of threats, pairs of places for each, rounds. */
#define SETS 3
#define PAIRS 64
#define ROUNDS 5

/* NEW: for the first time with these threats. */
enum { PLAIN, GOOD, NEW, FAST, MEASURED, RAYS, KINDS };

typedef struct watched_sums {
  double logs[KINDS], worst_plain, min_rays;
  double first, further, worst_first, worst_further; /* of Detour's time: sums of logarithms, and most */
  int count;
} watched_sums;

typedef struct watched_run {
  lw_world *guessing, *measuring;
  lw_profile *profile;
  lw_threat threats[THREATS];
} watched_run;

/* --- rays in place of the runtime's answer --------------------------------------------------------------------- */

static const sight_peer *casting; /* NULL: the runtime answers */

lw_status __real_lwi_exposure_find(const lwi_sight *sight, const lw_exposure_query *query, lwi_memory *memory,
                                   lwi_exposure_scratch *scratch, lw_exposure *exposure);
lw_status __wrap_lwi_exposure_find(const lwi_sight *sight, const lw_exposure_query *query, lwi_memory *memory,
                                   lwi_exposure_scratch *scratch, lw_exposure *exposure);

/* The fall-off is that of the middle: what it costs to weigh is not what is measured. */
static float cast_rays(const lw_exposure_query *query, const lw_threat *threat) {
  const sight_question asked = {threat->at, query->from, query->to, query->heights, query->height_count};
  float distance = lwi_distance(threat->at, lwi_lerp(query->from, query->to, 0.5f));
  if (distance >= threat->range) return 0;
  return (1 - distance / threat->range) * (float)sight_peer_exposed(casting, &asked, RAY_SPACING, NULL);
}

lw_status __wrap_lwi_exposure_find(const lwi_sight *sight, const lw_exposure_query *query, lwi_memory *memory,
                                   lwi_exposure_scratch *scratch, lw_exposure *exposure) {
  if (!casting) return __real_lwi_exposure_find(sight, query, memory, scratch, exposure);
  *exposure = (lw_exposure){.length = lwi_distance(query->from, query->to)};
  for (int i = 0; i < query->threat_count; i++) {
    float seen = cast_rays(query, &query->threats[i]) * exposure->length;
    exposure->weighted += query->threats[i].weight * seen;
    if (query->exposed_to) query->exposed_to[i] = seen;
  }
  return LW_OK;
}

/* --- paths ----------------------------------------------------------------------------------------------------- */

static void draw_threats(const bench_place *place, watched_run *run) {
  for (int i = 0; i < THREATS; i++) {
    run->threats[i] = lw_threat_default();
    run->threats[i].at = lwi_add(bench_draw(&place->same).point, lwi_vec3(0, EYE_HEIGHT, 0));
    run->threats[i].range = RANGE;
  }
}

static bool open_run(const bench_place *place, watched_run *run) {
  lw_profile_def profile = lw_profile_def_default();
  lw_world_def def = lw_world_def_default();
  profile.cover_bias = BIAS;
  profile.radius = lw_navmesh_get_agent(place->same.mesh).radius;
  def.navmesh = place->same.mesh;
  if (lw_world_create(&def, &run->guessing, NULL) != LW_OK) return false;
  def.depth_maps = 0;
  if (lw_world_create(&def, &run->measuring, NULL) != LW_OK) return false;
  draw_threats(place, run);
  return lw_profile_create(&profile, place->same.mesh->areas, &run->profile, NULL) == LW_OK;
}

static void close_run(watched_run *run) {
  lw_world_destroy(run->guessing);
  lw_world_destroy(run->measuring);
  lw_profile_destroy(run->profile);
}

/* @param[out] cost  Of the path; NAN: there is none. @return [s] */
static double find(const watched_run *run, lw_path_query query, int kind, double *cost) {
  lw_path *path;
  query.profile = run->profile;
  query.accuracy = LW_ACCURACY_EXACT;
  query.quality = kind == FAST ? LW_QUALITY_FAST : LW_QUALITY_GOOD;
  query.threats = run->threats;
  query.threat_count = kind == PLAIN ? 0 : THREATS;
  *cost = NAN;
  double begin = bench_time();
  lw_status status = lw_path_find(kind >= MEASURED ? run->measuring : run->guessing, NULL, &query, &path);
  double took = bench_time() - begin;
  if (status == LW_OK) *cost = (double)lw_path_cost(path);
  lw_path_destroy(path);
  return took;
}

/* The best of a few, but where it is asked for the first time. [s] */
static double ask(const watched_run *run, lw_path_query query, int kind, double *cost) {
  int repeats = kind == NEW || kind >= MEASURED ? 1 : REPEATS;
  double best = INFINITY;
  for (int i = 0; i < repeats; i++) best = fmin(best, find(run, query, kind, cost));
  return best;
}

static void ask_all(watched_run *run, const bench_place *place, const sight_peer *rays, double *seconds,
                    double *cost) {
  static const int order[KINDS] = {NEW, PLAIN, GOOD, FAST, MEASURED, RAYS};
  lw_path_query query = lw_path_query_default();
  query.from = bench_draw(&place->same).point;
  query.to = bench_draw(&place->same).point;
  for (int i = 0; i < THREATS; i++) run->threats[i].at.x += 0.001f;
  for (int i = 0; i < KINDS; i++) {
    casting = order[i] == RAYS ? rays : NULL;
    seconds[order[i]] = ask(run, query, order[i], &cost[order[i]]);
  }
  casting = NULL;
}

/* --- beside Detour --------------------------------------------------------------------------------------------- */

typedef struct watched_pair {
  lw_vec3 from, to;                    /* connected */
  double ours[ROUNDS], theirs[ROUNDS]; /* [s] */
} watched_pair;

static double time_theirs(peer *detour, const watched_pair *pair) {
  peer_path path;
  double begin = bench_time();
  if (!peer_find_between(detour, pair->from, pair->to, &path)) abort();
  return bench_time() - begin;
}

static void draw_pairs(const bench_mesh *on, watched_pair *pairs) {
  for (int i = 0; i < PAIRS;) {
    const lw_location from = bench_draw(on), to = bench_draw(on);
    if (on->mesh->graph.islands[lwi_poly_index(on->mesh, from.poly)] !=
        on->mesh->graph.islands[lwi_poly_index(on->mesh, to.poly)])
      continue;
    pairs[i].from = from.point;
    pairs[i++].to = to.point;
  }
}

/* Add the times of one set of threats. @param[out] ours, theirs  [2] For the first pair, for all others. [s] */
static void compare_set(const bench_place *place, watched_run *run, double *ours, double *theirs) {
  static watched_pair pairs[PAIRS];
  double cost;
  draw_threats(place, run);
  draw_pairs(&place->same, pairs);
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < THREATS; i++) run->threats[i].at.x += 0.001f;
    for (int i = 0; i < PAIRS; i++) {
      lw_path_query query = lw_path_query_default();
      query.from = pairs[i].from;
      query.to = pairs[i].to;
      pairs[i].theirs[round] = time_theirs(place->detour, &pairs[i]);
      pairs[i].ours[round] = find(run, query, GOOD, &cost);
    }
  }
  for (int i = 0; i < PAIRS; i++) {
    ours[i > 0] += bench_quantile(pairs[i].ours, ROUNDS, 0);
    theirs[i > 0] += bench_quantile(pairs[i].theirs, ROUNDS, 0);
  }
}

static void compare(const bench_place *place, watched_run *run, watched_sums *sums) {
  double ours[2] = {0}, theirs[2] = {0};
  for (int i = 0; i < SETS; i++) compare_set(place, run, ours, theirs);
  const double first = ours[0] / theirs[0], further = ours[1] / theirs[1];
  printf("%18s Detour %5.1f us, first %7.0f us or %5.1f times that, further %7.1f us or %5.1f times\n", "",
         (theirs[0] + theirs[1]) / (SETS * PAIRS) * 1e6, ours[0] / SETS * 1e6, first,
         ours[1] / (SETS * (PAIRS - 1)) * 1e6, further);
  fflush(stdout);
  sums->first += log(first);
  sums->further += log(further);
  sums->worst_first = fmax(sums->worst_first, first);
  sums->worst_further = fmax(sums->worst_further, further);
}

static void print(const bench_place *place, const double *took, const double *costs, int found) {
  printf("%-18s", place->name);
  for (int kind = 0; kind < KINDS; kind++) printf(" %8.0f", took[kind] / found * 1e6);
  printf(" %8.0f %8.1f %8.3f %8.3f\n", took[GOOD] / took[PLAIN], took[RAYS] / took[GOOD],
         costs[GOOD] / costs[MEASURED], costs[FAST] / costs[MEASURED]);
  fflush(stdout);
}

static void measure(bench_place *place, void *user) {
  watched_sums *sums = user;
  watched_run run = {0};
  double took[KINDS] = {0}, costs[KINDS] = {0};
  int found = 0;
  if (!place->geometry) return; /* a grid: nothing stands on it */
  sight_peer *rays = sight_peer_create(place->geometry);
  if (!rays || !open_run(place, &run)) abort();
  for (int i = 0; i < QUERIES; i++) {
    double seconds[KINDS], cost[KINDS];
    ask_all(&run, place, rays, seconds, cost);
    if (isnan(cost[MEASURED])) continue;
    for (int kind = 0; kind < KINDS; kind++) took[kind] += seconds[kind], costs[kind] += cost[kind];
    found++;
  }
  if (found > 0) {
    print(place, took, costs, found);
    compare(place, &run, sums);
  }
  close_run(&run);
  sight_peer_destroy(rays);
  if (found == 0) return;
  for (int kind = 0; kind < KINDS; kind++) sums->logs[kind] += log(took[kind] / took[GOOD]);
  sums->worst_plain = fmax(sums->worst_plain, took[GOOD] / took[PLAIN]);
  sums->min_rays = fmin(sums->min_rays, took[RAYS] / took[GOOD]);
  sums->count++;
}

static double mean_of(const watched_sums *sums, int kind) {
  return exp(sums->logs[kind] / sums->count);
}

int main(void) {
  watched_sums sums = {.min_rays = INFINITY};
  bench_head("watched");
  printf(
      "microseconds a path: watched by nobody; by %d threats; the same when these were never asked about; with "
      "quality fast; with\nevery piece of every path measured exactly, and by rays every %g m through a tree "
      "of the "
      "triangles. Then good over plain,\nrays over good, and costs of good and fast over measured. Below: "
      "beside "
      "Detour's plain search\n",
      THREATS, (double)RAY_SPACING);
  printf("%-18s %8s %8s %8s %8s %8s %8s %8s %8s %8s %8s\n", "level", "plain", "good", "new", "fast", "measured",
         "rays", "to plain", "to rays", "good", "fast");
  int places = bench_places(measure, &sums);
  if (sums.count > 0)
    printf(
        "watched: rays take %.0f times as long as good (geometric mean; least %.0f), measuring exactly %.1f "
        "times; good takes %.0f times as long as plain (most %.0f), for the first time %.1f times as long as "
        "later\n",
        mean_of(&sums, RAYS), sums.min_rays, mean_of(&sums, MEASURED), 1 / mean_of(&sums, PLAIN),
        sums.worst_plain, mean_of(&sums, NEW));
  if (sums.count > 0)
    printf("watched: of Detour's plain search the first takes %.1f times (geometric mean; most %.1f), further "
           "ones "
           "for other pairs %.1f times (most %.1f), of %d pairs\n\n",
           exp(sums.first / sums.count), sums.worst_first, exp(sums.further / sums.count), sums.worst_further,
           PAIRS);
  return places == 0;
}
