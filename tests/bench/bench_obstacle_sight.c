/* What obstacles that hide cost: exposure of segments, exactly and from depth maps, lines of sight and cover around a place,
   without obstacles, with 100 and with 1,000 trucks; and a step in which 200 of them move. On the shared levels the paths
   and eyes of levels/visibility. */
#include "bench_place.h"
#include "bench_support.h"
#include "core/vec3.h"
#include "leeward/leeward.h"
#include "level_walks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define QUESTIONS 1500
#define PLACES 60
#define ROUNDS 5
#define MOVING 200
#define STEPS 60
#define COUNTS 3
static const int counts[COUNTS] = {0, 100, 1000};

typedef struct question {
  lw_vec3 eye, from, to;
} question;

typedef struct run {
  lw_world *world;
  bench_mesh on;
  int count;
  question questions[QUESTIONS]; /* eye by eye */
  lw_vec3 places[PLACES];
  double exposed, metres, segments; /* what was answered: on all questions, at all places */
} run;

/* [s] of a segment, a segment, a line, a place, a place */
typedef enum what { EXACT, FAST, LINES, SEGMENTS, POINTS, WHATS } what;

static void ask_along(run *of, const level_walks *walks) {
  int pieces = 0;
  for (int i = 0; i < walks->path_count; i++) pieces += walks->paths[i].count - 1;
  const int every = pieces * LEVEL_EYES / QUESTIONS + 1;
  for (int e = 0; e < LEVEL_EYES; e++)
    for (int i = 0, number = 0; i < walks->path_count; i++)
      for (int k = 1; k < walks->paths[i].count; k++, number++)
        if (number % every == 0 && of->count < QUESTIONS)
          of->questions[of->count++] =
              (question){walks->eyes[e], walks->paths[i].points[k - 1], walks->paths[i].points[k]};
}

static void ask_anywhere(run *of) {
  for (int e = 0; e < LEVEL_EYES; e++) {
    const lw_vec3 eye = lwi_add(bench_draw(&of->on).point, lwi_vec3(0, 1.6f, 0));
    for (int i = 0; i < QUESTIONS / LEVEL_EYES; i++) {
      const lw_vec3 from = bench_draw(&of->on).point;
      of->questions[of->count++] = (question){eye, from, lwi_add(from, lwi_vec3(6, 0, 6))};
    }
  }
}

static void ask_exposure(run *of, lw_accuracy accuracy) {
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
    if (lw_exposure_find(of->world, NULL, &query, &seen) != LW_OK) abort();
    of->exposed += (double)seen.exposed;
    of->metres += (double)seen.length;
  }
}

static void ask_lines(run *of) {
  int seen = 0;
  for (int i = 0; i < of->count; i++)
    seen += lw_world_sees(of->world, of->questions[i].eye, lwi_add(of->questions[i].from, lwi_vec3(0, 1.6f, 0)),
                          false);
  if (seen < 0) abort();
}

static void ask_segments(run *of) {
  static lw_cover_segment segments[1024];
  for (int i = 0; i < PLACES; i++) {
    lw_cover_segment_query query = lw_cover_segment_query_default();
    int count;
    query.around = of->places[i];
    if (lw_cover_segment_find(of->world, &query, segments, 1024, &count) != LW_OK) abort();
    of->segments += count;
  }
}

static void ask_points(run *of) {
  for (int i = 0; i < PLACES; i++) {
    lw_threat threat = lw_threat_default();
    lw_cover_query query = lw_cover_query_default();
    lw_cover_point point;
    int count;
    threat.at = of->questions[i].eye;
    query.around = of->places[i];
    query.threats = &threat;
    query.threat_count = 1;
    if (lw_cover_find(of->world, NULL, &query, &point, 1, &count) == LW_INVALID) abort();
  }
}

static void ask(run *of, what about) {
  switch (about) {
  case EXACT: ask_exposure(of, LW_ACCURACY_EXACT); break;
  case FAST: ask_exposure(of, LW_ACCURACY_FAST); break;
  case LINES: ask_lines(of); break;
  case SEGMENTS: ask_segments(of); break;
  case POINTS: ask_points(of); break;
  case WHATS: break;
  }
}

static lw_obstacle_id add_truck(run *of) {
  lw_obstacle_def def = lw_obstacle_def_default();
  lw_obstacle_id id;
  def.at = bench_draw(&of->on).point;
  def.size = lwi_vec3(3, 2.5f, 5);
  def.yaw = def.at.x;
  if (lw_obstacle_add(of->world, &def, &id, NULL) != LW_OK) abort();
  return id;
}

/* @return How long a step took in which this many move by 10 cm. [s] */
static double move_some(run *of) {
  double times[STEPS];
  for (int i = 0; i < STEPS; i++) {
    lw_obstacle_id id = lw_obstacle_next(of->world, lw_obstacle_id_none());
    for (int k = 0; k < MOVING && !lw_obstacle_id_is_none(id); k++, id = lw_obstacle_next(of->world, id)) {
      lw_obstacle_state state;
      lw_obstacle_get_state(of->world, id, &state);
      state.at.x += i < STEPS / 2 ? 0.1f : -0.1f;
      if (lw_obstacle_move(of->world, id, state.at, state.yaw, NULL) != LW_OK) abort();
    }
    const double begin = bench_time();
    if (lw_world_step(of->world, 1 / 60.0f) != LW_OK) abort();
    times[i] = bench_time() - begin;
  }
  return bench_quantile(times, STEPS, 0.5);
}

static void measure(run *of, const char *name, int obstacles) {
  double seconds[WHATS], times[ROUNDS];
  of->exposed = of->metres = of->segments = 0;
  for (int w = 0; w < WHATS; w++) {
    for (int round = -1; round < ROUNDS; round++) {
      const double begin = bench_clock();
      ask(of, (what)w);
      if (round >= 0) times[round] = (bench_clock() - begin) / (w < SEGMENTS ? of->count : PLACES);
    }
    seconds[w] = bench_quantile(times, ROUNDS, 0.5);
  }
  const double moved = obstacles >= MOVING ? move_some(of) : 0;
  printf("%-18s %9d %7.3f %7.3f %7.3f %7.3f %9.1f %9.1f %7.0f %8.3f\n", name, obstacles,
         of->exposed / of->metres, seconds[EXACT] * 1e6, seconds[FAST] * 1e6, seconds[LINES] * 1e6,
         seconds[SEGMENTS] * 1e6, seconds[POINTS] * 1e6, of->segments / PLACES / (ROUNDS + 1), moved * 1e3);
  fflush(stdout);
}

static void measure_level(const bench_level *level) {
  static run of;
  level_walks walks;
  lw_bake_settings settings = level_settings();
  lw_world_def def = lw_world_def_default();
  lw_error error = {0};
  of = (run){.count = 0};
  if (lw_navmesh_bake(level->geometry, &settings, &of.on.mesh, NULL, &error) != LW_OK) {
    printf("%s: %s\n", level->name, error.text);
    abort();
  }
  def.navmesh = of.on.mesh;
  if (lw_world_create(&def, &of.world, &error) != LW_OK) abort();
  of.on.world = of.world;
  if (level_walks_read(level->name, &walks))
    ask_along(&of, &walks);
  else
    ask_anywhere(&of);
  for (int i = 0; i < PLACES; i++) of.places[i] = bench_draw(&of.on).point;
  for (int i = 0, there = 0; i < COUNTS; i++) {
    for (; there < counts[i]; there++) add_truck(&of);
    if (lw_world_apply_changes(of.world) != LW_OK) abort();
    measure(&of, level->name, counts[i]);
  }
  level_walks_free(&walks);
  lw_world_destroy(of.world);
  lw_navmesh_destroy(of.on.mesh);
}

int main(void) {
  bench_level levels[LEVEL_COUNT];
  lw_area_table *areas = NULL;
  lw_error error = {0};
  bench_head("obstacle sight");
  if (level_areas(&areas, &error)) return 1;
  const int count = bench_levels(areas, levels);
  printf("a segment, one eye, two body heights: exactly, and from a depth map of the level; a line of sight; "
         "around a "
         "place: cover segments within 20 m, the best cover point; a step in which %d move. us, the step ms\n",
         MOVING);
  printf("%-18s %9s %7s %7s %7s %7s %9s %9s %7s %8s\n", "level", "obstacles", "exposed", "exact", "fast",
         "line", "segments", "point", "there", "step");
  for (int i = 0; i < count; i++) measure_level(&levels[i]);
  bench_levels_free(levels, count);
  lw_area_table_destroy(areas);
  return count == 0;
}
