/* Exposure compared with the usual alternative: rays every 0.25 m, through a tree of the level's triangles and
   through our own occluders. On the shared levels the paths and eyes of levels/visibility. */
#include "bench_support.h"
#include "core/random.h"
#include "core/vec3.h"
#include "sight/exposure.h"
#include "sight/occluder.h"
#include "level_walks.h"
#include "sight_peer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define QUESTIONS 1500
#define TRUE_QUESTIONS 500
#define ROUNDS 5
#define SPACING 0.25f
#define TRUE_SPACING 0.05f

typedef enum method { EXACT, FAST, MAP, PEER_RAYS, OWN_RAYS, METHODS } method;
static const char *const method_names[METHODS] = {"exact", "fast", "map", "rays", "own rays"};

/* A segment seen from an eye. */
typedef struct question {
  lw_vec3 eye, from, to;
} question;

typedef struct run {
  const char *name;
  lwi_memory memory;
  const lwi_occluders *sets[1];
  const lw_navmesh *meshes[1]; /* with a cover map of these occluders */
  lwi_depth_cache cache;
  lwi_depth_asks asks; /* a map for each eye */
  lwi_exposure_scratch scratch;
  sight_peer *peer;
  int count;
  question questions[QUESTIONS]; /* eye by eye */
  float answers[METHODS][QUESTIONS];
  double metres; /* in the mean */
} run;

typedef struct level_figures {
  double seconds[METHODS]; /* a segment */
  double set_up;           /* an eye [s] */
  double metres;
  double bytes, map_bytes; /* of all occluders; of a cover map and those that it names */
  double off[METHODS][2];  /* single segments: in the mean, for 99 % */
} level_figures;

static const float heights[2] = {0.9f, 1.6f};

/* --- what is asked ------------------------------------------------------------------------------------------------- */

static void add_question(run *of, lw_vec3 eye, lw_vec3 from, lw_vec3 to) {
  if (of->count < QUESTIONS && lwi_distance(from, to) > 0.01f)
    of->questions[of->count++] = (question){eye, from, to};
}

static int count_pieces(const level_walks *walks) {
  int count = 0;
  for (int i = 0; i < walks->path_count; i++) count += walks->paths[i].count - 1;
  return count;
}

/* Evenly from all paths. */
static void ask_along(run *of, const level_walks *walks) {
  const int every = count_pieces(walks) * LEVEL_EYES / QUESTIONS + 1;
  for (int e = 0; e < LEVEL_EYES; e++)
    for (int i = 0, number = 0; i < walks->path_count; i++)
      for (int k = 1; k < walks->paths[i].count; k++, number++)
        if (number % every == 0)
          add_question(of, walks->eyes[e], walks->paths[i].points[k - 1], walks->paths[i].points[k]);
}

/* Anywhere over floors, where there are no paths. */
static void ask_anywhere(run *of, const lw_geometry *geometry) {
  const lw_vec3 *vertices = lw_geometry_vertices(geometry);
  const int *indices = lw_geometry_indices(geometry), triangles = lw_geometry_triangle_count(geometry);
  lw_random random = lwi_random_make(1, 7);
  for (int e = 0; e < LEVEL_EYES; e++) {
    lw_vec3 eye = lwi_add(vertices[indices[3 * (int)(lwi_random_unit(&random) * (float)triangles)]],
                          lwi_vec3(0.1f, 1.6f, 0.1f));
    for (int i = 0; i < QUESTIONS / LEVEL_EYES; i++) {
      lw_vec3 from = vertices[indices[3 * (int)(lwi_random_unit(&random) * (float)triangles)]];
      float turn = 6.2831853f * lwi_random_unit(&random);
      add_question(of, eye, from, lwi_add(from, lwi_vec3(12 * cosf(turn), 0, 12 * sinf(turn))));
    }
  }
}

/* --- asking -------------------------------------------------------------------------------------------------------- */

static void ask(run *of, lw_accuracy accuracy, float *answers) {
  const lwi_sight sight = {
      .sets = of->sets, .count = 1, .meshes = of->meshes, .cache = &of->cache, .asks = &of->asks};
  lwi_exposure_forget(&of->scratch); /* each round asks what the one before did */
  for (int i = 0; i < of->count; i++) {
    lw_threat threat = lw_threat_default();
    lw_exposure_query query = lw_exposure_query_default();
    lw_exposure seen;
    threat.at = of->questions[i].eye;
    query.from = of->questions[i].from;
    query.to = of->questions[i].to;
    query.threats = &threat;
    query.threat_count = 1;
    query.accuracy = accuracy;
    if (lwi_exposure_find(&sight, &query, &of->memory, &of->scratch, &seen) != LW_OK) abort();
    answers[i] = seen.fraction;
  }
}

static sight_question for_peer(const question *of) {
  return (sight_question){of->eye, of->from, of->to, heights, 2};
}

static void cast_peer_rays(run *of, float *answers) {
  for (int i = 0; i < of->count; i++) {
    const sight_question asked = for_peer(&of->questions[i]);
    answers[i] = (float)sight_peer_exposed(of->peer, &asked, SPACING, NULL);
  }
}

static bool sees_body(const run *of, lw_vec3 eye, lw_vec3 at) {
  for (int h = 0; h < 2; h++)
    if (lwi_occluders_see(of->sets[0], eye, lwi_add(at, lwi_vec3(0, heights[h], 0)), true)) return true;
  return false;
}

static void cast_own_rays(run *of, float *answers) {
  for (int i = 0; i < of->count; i++) {
    const question *q = &of->questions[i];
    int steps = 1 + (int)(lwi_distance(q->from, q->to) / SPACING), seen = 0;
    for (int k = 0; k < steps; k++)
      seen += sees_body(of, q->eye, lwi_lerp(q->from, q->to, ((float)k + 0.5f) / (float)steps));
    answers[i] = (float)seen / (float)steps;
  }
}

static void ask_by(run *of, method by) {
  switch (by) {
  case EXACT: ask(of, LW_ACCURACY_EXACT, of->answers[by]); break;
  case FAST: ask(of, LW_ACCURACY_FAST, of->answers[by]); break;
  case MAP: ask(of, LW_ACCURACY_MAP, of->answers[by]); break;
  case PEER_RAYS: cast_peer_rays(of, of->answers[by]); break;
  case OWN_RAYS: cast_own_rays(of, of->answers[by]); break;
  case METHODS: break;
  }
}

/* Draw all faces that were needed again, of all eyes. @return How long an eye took. [s] */
static double draw_again(run *of) {
  double sum = 0;
  for (int i = 0; i < of->asks.fast.count; i++) {
    lwi_depth_map *map = of->asks.fast.maps[i];
    const unsigned faces = map->drawn;
    double begin = bench_clock();
    lwi_depth_map_begin(map, map->eye, map->soft);
    for (unsigned face = 0; face < 6; face++)
      if (faces >> face & 1) lwi_depth_map_draw(map, &of->asks.fast.scene, face);
    sum += bench_clock() - begin;
  }
  return sum / of->asks.fast.count;
}

/* --- a level ------------------------------------------------------------------------------------------------------- */

static void measure_times(run *of, level_figures *figures) {
  double times[METHODS][ROUNDS], set_ups[ROUNDS];
  for (int round = -1; round < ROUNDS; round++) {
    for (int w = 0; w < METHODS; w++) {
      double begin = bench_clock();
      ask_by(of, (method)w);
      if (round >= 0) times[w][round] = (bench_clock() - begin) / of->count;
    }
    double set_up = draw_again(of);
    if (round >= 0) set_ups[round] = set_up;
  }
  for (int w = 0; w < METHODS; w++) figures->seconds[w] = bench_quantile(times[w], ROUNDS, 0.5);
  figures->set_up = bench_quantile(set_ups, ROUNDS, 0.5);
}

static void measure_losses(run *of, level_figures *figures) {
  static double off[METHODS][TRUE_QUESTIONS];
  const int every = of->count / TRUE_QUESTIONS + 1;
  int count = 0;
  for (int i = 0; i < of->count && count < TRUE_QUESTIONS; i += every, count++) {
    const sight_question asked = for_peer(&of->questions[i]);
    double truth = sight_peer_exposed_truly(of->peer, &asked, TRUE_SPACING);
    for (int w = 0; w < METHODS; w++) off[w][count] = fabs((double)of->answers[w][i] - truth);
  }
  for (int w = 0; w < METHODS; w++) {
    figures->off[w][0] = bench_mean(off[w], count);
    figures->off[w][1] = bench_quantile(off[w], count, 0.99);
  }
}

static void print_level(const run *of, const level_figures *figures) {
  const double exact = figures->seconds[EXACT];
  printf("%-18s %5.1f %6u %5.0f %5.0f %5.0f %7.2f %6.3f %7.2f %6.1f %7.2f %6.1f %7.3f %7.2f %7.2f", of->name,
         figures->metres, (unsigned)of->sets[0]->facet_count, figures->bytes / 1e3, figures->map_bytes / 1e3,
         (double)sight_peer_bytes(of->peer) / 1e3, exact * 1e6, exact / figures->metres * 1e6,
         figures->seconds[PEER_RAYS] * 1e6, figures->seconds[PEER_RAYS] / exact,
         figures->seconds[OWN_RAYS] * 1e6, figures->seconds[OWN_RAYS] / exact, figures->seconds[FAST] * 1e6,
         figures->set_up * 1e3, figures->seconds[MAP] * 1e6);
  for (int w = 0; w < METHODS; w++) printf("  %.4f %.4f", figures->off[w][0], figures->off[w][1]);
  printf("\n");
  fflush(stdout);
}

/* With a cover map. @param occluders  Whether to keep those that the map does not name. */
static lw_navmesh *bake(const bench_level *level, bool occluders) {
  lw_bake_settings settings = level_settings();
  lw_navmesh *mesh;
  lw_error error = {0};
  settings.cover.map = true;
  settings.occluders = occluders;
  if (lw_navmesh_bake(level->geometry, &settings, &mesh, NULL, &error) == LW_OK) return mesh;
  printf("%s: %s\n", level->name, error.text);
  abort();
}

/* What a server holds that is short of memory. */
static double bytes_of_map(const bench_level *level) {
  lw_navmesh *bare = bake(level, false);
  double bytes =
      (double)(lw_navmesh_get_stats(bare).cover_map_bytes + lwi_occluders_bytes(lwi_occluders_of(bare)));
  lw_navmesh_destroy(bare);
  return bytes;
}

static level_figures measure(const bench_level *level) {
  static run of;
  level_walks walks;
  level_figures figures = {.map_bytes = bytes_of_map(level)};
  lw_navmesh *mesh = bake(level, true);
  of = (run){
      .name = level->name, .memory = lwi_memory_make(NULL), .sets = {lwi_occluders_of(mesh)}, .meshes = {mesh}};
  const lwi_depth_scene drawn = {.sets = of.sets, .count = 1};
  lwi_depth_cache_init(&of.cache, LEVEL_EYES, &drawn, &of.memory);
  lwi_depth_asks_init(&of.asks, &of.cache, &of.memory);
  of.peer = sight_peer_create(level->geometry);
  if (level_walks_read(level->name, &walks))
    ask_along(&of, &walks);
  else
    ask_anywhere(&of, level->geometry);
  for (int i = 0; i < of.count; i++)
    figures.metres += (double)lwi_distance(of.questions[i].from, of.questions[i].to) / of.count;
  figures.bytes = (double)lwi_occluders_bytes(of.sets[0]);
  measure_times(&of, &figures);
  measure_losses(&of, &figures);
  print_level(&of, &figures);
  level_walks_free(&walks);
  sight_peer_destroy(of.peer);
  lwi_depth_asks_free(&of.asks);
  lwi_depth_cache_free(&of.cache);
  lwi_exposure_scratch_free(&of.scratch);
  lw_navmesh_destroy(mesh);
  return figures;
}

static void print_sums(const level_figures *levels, int count) {
  double ratio = 0, own = 0, min = INFINITY, exact = 0, fast = 0, map = 0, map_part = 0, set_up = 0, metres = 0,
         max_bytes = 0;
  for (int i = 0; i < count; i++) {
    const level_figures *of = &levels[i];
    ratio += log(of->seconds[PEER_RAYS] / of->seconds[EXACT]) / count;
    own += log(of->seconds[OWN_RAYS] / of->seconds[EXACT]) / count;
    min = fmin(min, of->seconds[PEER_RAYS] / of->seconds[EXACT]);
    exact += of->seconds[EXACT] / count;
    fast += of->seconds[FAST] / count;
    map += of->seconds[MAP] / count;
    map_part += of->map_bytes / of->bytes / count;
    set_up += of->set_up / count;
    metres += of->metres / count;
    max_bytes = fmax(max_bytes, of->bytes);
  }
  printf("exposure: exact %.1f times as fast as rays through triangles (geometric mean; least %.1f), %.1f as "
         "rays through "
         "our occluders\n",
         exp(ratio), min, exp(own));
  printf(
      "exposure: segments of %.1f m in the mean: exact %.2f us (%.3f us/m), fast %.3f us after %.3f ms an eye, "
      "map %.2f us; occluders at most %.0f kB, a map takes %.2f of them\n",
      metres, exact * 1e6, exact / metres * 1e6, fast * 1e6, set_up * 1e3, map * 1e6, max_bytes / 1e3,
      map_part);
  for (int w = 0; w < METHODS; w++) {
    double mean = 0, worst = 0;
    for (int i = 0; i < count; i++) {
      mean += levels[i].off[w][0] / count;
      worst = fmax(worst, levels[i].off[w][1]);
    }
    printf("exposure: %-8s off by %.4f of a segment in the mean, 99 %% within %.4f on the worst level\n",
           method_names[w], mean, worst);
  }
  printf("\n");
}

int main(void) {
  bench_level levels[LEVEL_COUNT];
  level_figures figures[LEVEL_COUNT];
  lw_area_table *areas = NULL;
  lw_error error = {0};
  bench_head("exposure");
  if (level_areas(&areas, &error)) return 1;
  const int count = bench_levels(areas, levels);
  printf("a segment, one eye, two body heights; rays: every %g m, through a SAH tree of the triangles and "
         "through our "
         "occluders\n",
         (double)SPACING);
  printf("off: single segments from rays every %g m, bisected at changes: in the mean, 99 %%; of exact, fast, "
         "map, rays, own rays. map kB: with the occluders that it names, without others\n",
         (double)TRUE_SPACING);
  printf("%-18s %5s %6s %5s %5s %5s %7s %6s %7s %6s %7s %6s %7s %7s %7s  %s\n", "level", "m", "facets", "kB",
         "map", "peer", "exact", "us/m", "rays", "ratio", "own", "ratio", "fast", "ms", "map", "off");
  for (int i = 0; i < count; i++) figures[i] = measure(&levels[i]);
  if (count > 0) print_sums(figures, count);
  bench_levels_free(levels, count);
  lw_area_table_destroy(areas);
  return count == 0;
}
