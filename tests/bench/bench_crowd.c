/* Many agents that meet, beside DetourCrowd on the same polygons: who arrives, who overlaps, how long a step takes. */
#include "bench_place.h"
#include "bench_support.h"
#include "crowd_peer.h"
#include "crowd_scene.h"
#include "peer_mesh.h"

#include "core/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPEED 3.5f
#define ACCELERATION 8.0f

static lw_profile *create_profile(const lw_area_table *areas, float speed) {
  lw_profile_def def = crowd_runner();
  def.speed[LW_NORMAL] = speed;
  lw_profile *profile;
  bench_need(lw_profile_create(&def, areas, &profile, NULL), "profile");
  return profile;
}

/* --- ours --------------------------------------------------------------------------------------------------------- */

typedef struct ours {
  lw_world *world;
  lw_agent_id *agents;
  int count;
  long failed;
} ours;

static void ours_send(void *user, int agent, lw_vec3 goal) {
  ours *own = user;
  own->failed += lw_agent_move_to(own->world, own->agents[agent], goal, 0.3f) != LW_OK;
}
static void ours_step(void *user) {
  bench_need(lw_world_step(((ours *)user)->world, CROWD_DT), "step");
}
static void ours_get(void *user, int agent, lw_vec3 *at, lw_vec3 *velocity) {
  const ours *own = user;
  lw_agent_state state;
  bench_need(lw_agent_get_state(own->world, own->agents[agent], &state), "state");
  *at = state.position;
  *velocity = state.velocity;
}

static bool ours_rests(void *user, int agent) {
  const ours *own = user;
  lw_agent_state state;
  bench_need(lw_agent_get_state(own->world, own->agents[agent], &state), "state");
  return state.move != LW_MOVE_WALKING;
}

static ours open_ours(const lw_navmesh *mesh, const lw_profile *profile, const lw_vec3 *from, int count,
                      uint64_t seed) {
  ours own = {.count = count, .agents = calloc((size_t)count, sizeof *own.agents)};
  lw_world_def def = lw_world_def_default();
  def.navmesh = mesh;
  def.seed = seed;
  bench_need(lw_world_create(&def, &own.world, NULL), "world");
  for (int i = 0; i < count; i++) {
    lw_agent_def agent = lw_agent_def_default();
    agent.profile = profile;
    agent.at = from[i];
    bench_need(lw_agent_spawn(own.world, &agent, &own.agents[i], NULL), "spawn");
  }
  return own;
}

typedef struct ours_counts {
  long off_mesh, stuck, failed;
} ours_counts;

static ours_counts close_ours(ours *own) {
  ours_counts counts = {.failed = own->failed};
  for (int i = 0; i < own->count; i++) {
    lw_agent_stats stats;
    lw_agent_state state;
    bench_need(lw_agent_get_stats(own->world, own->agents[i], &stats), "stats");
    bench_need(lw_agent_get_state(own->world, own->agents[i], &state), "state");
    counts.off_mesh += stats.off_mesh;
    counts.stuck += stats.stuck;
    counts.failed += state.move == LW_MOVE_FAILED;
  }
  lw_world_destroy(own->world);
  free(own->agents);
  return counts;
}

/* --- theirs ------------------------------------------------------------------------------------------------------- */

static void theirs_send(void *user, int agent, lw_vec3 goal) {
  crowd_peer_send(user, agent, goal);
}
static void theirs_step(void *user) {
  crowd_peer_step(user, CROWD_DT);
}
static void theirs_get(void *user, int agent, lw_vec3 *at, lw_vec3 *velocity) {
  crowd_peer_get(user, agent, at, velocity);
}

static crowd_peer *open_theirs(peer *detour, const lw_vec3 *from, int count, float speed, int quality) {
  const crowd_peer_def def = {.agents = count,
                              .radius = CROWD_RADIUS,
                              .height = 1.8f,
                              .speed = speed,
                              .acceleration = ACCELERATION,
                              .quality = quality};
  crowd_peer *crowd = crowd_peer_create(detour, &def);
  for (int i = 0; crowd && i < count; i++)
    if (crowd_peer_add(crowd, from[i]) != i) bench_need(LW_LIMIT, "peer");
  return crowd;
}

/* --- scenes ------------------------------------------------------------------------------------------------------- */

#define SEEDS 5

typedef struct sums {
  double arrived, agents, last, worst_last, through, overlaps, deepest, jitter, minutes;
  int runs, complete;
} sums;

static void add(sums *sum, const crowd_result *result, int count) {
  sum->arrived += result->arrived;
  sum->agents += count;
  if (result->arrived == count) {
    sum->last += result->last;
    sum->worst_last = fmax(sum->worst_last, result->last);
    sum->complete += 1;
  }
  sum->through += result->through;
  sum->overlaps += (double)result->overlaps;
  sum->deepest = fmax(sum->deepest, result->worst);
  sum->jitter += result->jitter;
  sum->minutes += result->agent_minutes;
  sum->runs += 1;
}

static void print(const char *scene, const char *who, const sums *sum) {
  char last[32] = "never";
  if (sum->complete == sum->runs)
    snprintf(last, sizeof last, "%5.1f (%5.1f)", sum->last / sum->runs, sum->worst_last);
  printf("%-22s %-10s %5.0f %%  %-16s %6.2f %8.2f %7.3f %7.1f\n", scene, who, 100 * sum->arrived / sum->agents,
         last, sum->through / sum->runs, sum->overlaps / sum->minutes, sum->deepest, sum->jitter / sum->runs);
  fflush(stdout);
}

typedef struct scene_row {
  const char *name;
  crowd_scene_kind kind;
  int count;
  float speed;
} scene_row;

static const scene_row rows[] = {
    {"circle 20", CROWD_CIRCLE, 20, SPEED},
    {"circle 50", CROWD_CIRCLE, 50, SPEED},
    {"circle 100", CROWD_CIRCLE, 100, SPEED},
    {"door 1.2 m, 50", CROWD_DOOR, 50, SPEED},
    {"door, 25 + 25", CROWD_DOOR_BOTH, 50, SPEED},
    {"corridor 4 m, 40 + 40", CROWD_CORRIDOR, 80, SPEED},
    {"bend 5 m, 40 + 40", CROWD_BEND, 80, SPEED},
    {"mouth 5 m, 60 + 60", CROWD_MOUTH, 120, SPEED},
    {"circle 50, 1.4 m/s", CROWD_CIRCLE, 50, 1.4f},
    {"door, 50, 1.4 m/s", CROWD_DOOR, 50, 1.4f},
    {"door, 25+25, 1.4 m/s", CROWD_DOOR_BOTH, 50, 1.4f},
    {"corridor, 1.4 m/s", CROWD_CORRIDOR, 80, 1.4f},
};

static void run_row(const scene_row *row, const lw_area_table *areas, bool with_peer) {
  lw_geometry *geometry = crowd_scene_ground(areas, row->kind);
  lw_bake_settings settings = lw_bake_settings_default();
  settings.cell_size = 0.1f;
  lw_navmesh *mesh;
  bench_need(lw_navmesh_bake(geometry, &settings, &mesh, NULL, NULL), "bake");
  char message[256] = "";
  peer *detour = with_peer ? peer_create(mesh, settings.cell_size, message, sizeof message) : NULL;
  lw_profile *profile = create_profile(areas, row->speed);
  sums own = {0}, q0 = {0}, q3 = {0};
  ours_counts counts = {0};
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    crowd_scene scene = crowd_scene_open(row->kind, row->count, seed);
    if (row->speed < 2) scene.seconds *= 2.5f;
    ours mine = open_ours(mesh, profile, scene.from, scene.count, seed);
    crowd_result result =
        crowd_scene_run(&scene, &(crowd_mover){"ours", &mine, ours_send, ours_step, ours_get, NULL});
    add(&own, &result, scene.count);
    const ours_counts one = close_ours(&mine);
    counts.off_mesh += one.off_mesh;
    counts.stuck += one.stuck;
    counts.failed += one.failed;
    for (int quality = 0; detour && quality <= 3; quality += 3) {
      crowd_peer *theirs = open_theirs(detour, scene.from, scene.count, row->speed, quality);
      result =
          crowd_scene_run(&scene, &(crowd_mover){"theirs", theirs, theirs_send, theirs_step, theirs_get, NULL});
      add(quality ? &q3 : &q0, &result, scene.count);
      crowd_peer_destroy(theirs);
    }
    crowd_scene_close(&scene);
  }
  print(row->name, "leeward", &own);
  if (detour) print("", "Detour q0", &q0), print("", "Detour q3", &q3);
  if (counts.off_mesh + counts.stuck + counts.failed > 0)
    printf("    off the navmesh %ld, stuck %ld, failed %ld\n", counts.off_mesh, counts.stuck, counts.failed);
  peer_destroy(detour);
  lw_profile_destroy(profile);
  lw_navmesh_destroy(mesh);
  lw_geometry_destroy(geometry);
}

/* --- levels ------------------------------------------------------------------------------------------------------- */

typedef struct level_draw {
  const lw_navmesh *mesh;
  const lw_profile *profile;
  lw_world *world;
  lw_random random;
  uint32_t island;
} level_draw;

static lw_vec3 draw_place(void *user) {
  level_draw *draw = user;
  for (;;) {
    lw_random_point_query query = lw_random_point_query_default();
    query.anywhere = true;
    query.random = &draw->random;
    query.profile = draw->profile;
    lw_location at;
    if (lw_random_point_find(draw->world, NULL, &query, &at) != LW_OK) exit(1);
    const uint32_t island = draw->mesh->graph.islands[lwi_poly_index(draw->mesh, at.poly)];
    if (draw->island == LWI_NONE) draw->island = island;
    if (island == draw->island) return at.point;
  }
}

/* The island that most of the ground belongs to. */
static uint32_t largest_island(const lw_navmesh *mesh) {
  uint32_t best = 0;
  double largest = -1;
  for (uint32_t island = 0; island < mesh->graph.island_count; island++) {
    double area = 0;
    for (uint32_t i = 0; i < mesh->polygons.count; i++) {
      const lwi_polygon polygon = lwi_polygon_get(mesh, i);
      if (mesh->graph.islands[i] == island)
        for (uint32_t k = 2; k < polygon.count; k++)
          area += fabs(lwi_turn(lwi_corner(&polygon, 0), lwi_corner(&polygon, k - 1), lwi_corner(&polygon, k)));
    }
    if (area > largest) largest = area, best = island;
  }
  return best;
}

static lw_vec3 *draw_starts(level_draw *draw, int count) {
  lw_vec3 *from = calloc((size_t)count, sizeof *from);
  int tries = 0;
  for (int i = 0; i < count; i++) {
    bool free_place;
    do {
      from[i] = draw_place(draw);
      free_place = true;
      for (int k = 0; k < i && free_place; k++) free_place = lwi_distance(from[i], from[k]) > 2 * CROWD_RADIUS;
    } while (!free_place && ++tries < 200000);
  }
  return from;
}

static void print_roam(const char *level, int count, const char *who, const crowd_result *result) {
  printf("%-16s %5d %-10s %7.3f %7.3f %8.2f %8.2f %7.1f %9.3f %7.3f %7.1f\n", level, count, who,
         1e3 * result->mean, 1e3 * result->p99, (double)result->arrivals / result->agent_minutes,
         (double)result->gave_up / result->agent_minutes, result->longest,
         (double)result->overlaps / result->agent_minutes, result->worst, result->jitter);
  fflush(stdout);
}

static void roam(const char *level, int count, float seconds, const lw_area_table *areas, bool with_peer) {
  lw_navmesh *mesh;
  lw_error error;
  if (level_navmesh(level, areas, &mesh, &error) != LW_OK) {
    printf("%s: %s\n", level, error.text);
    return;
  }
  lw_profile *profile = create_profile(areas, SPEED);
  lw_world_def def = lw_world_def_default();
  def.navmesh = mesh;
  level_draw draw = {
      .mesh = mesh, .profile = profile, .random = lwi_random_make(1, 5), .island = largest_island(mesh)};
  bench_need(lw_world_create(&def, &draw.world, NULL), "world");
  lw_vec3 *from = draw_starts(&draw, count);
  const lw_random start = draw.random;
  ours mine = open_ours(mesh, profile, from, count, 1);
  crowd_result result = crowd_roam(&(crowd_mover){"ours", &mine, ours_send, ours_step, ours_get, ours_rests},
                                   count, seconds, draw_place, &draw);
  print_roam(level, count, "leeward", &result);
  const ours_counts counts = close_ours(&mine);
  if (counts.off_mesh + counts.stuck + counts.failed > 0)
    printf("    off the navmesh %ld, stuck %ld, failed %ld\n", counts.off_mesh, counts.stuck, counts.failed);
  char message[256];
  const lw_bake_settings settings = level_settings();
  peer *detour = with_peer ? peer_create(mesh, settings.cell_size, message, sizeof message) : NULL;
  for (int quality = 0; detour && quality <= 3; quality += 3) {
    draw.random = start;
    crowd_peer *theirs = open_theirs(detour, from, count, SPEED, quality);
    result = crowd_roam(&(crowd_mover){"theirs", theirs, theirs_send, theirs_step, theirs_get, NULL}, count,
                        seconds, draw_place, &draw);
    print_roam(level, count, quality ? "Detour q3" : "Detour q0", &result);
    crowd_peer_destroy(theirs);
  }
  peer_destroy(detour);
  free(from);
  lw_world_destroy(draw.world);
  lw_profile_destroy(profile);
  lw_navmesh_destroy(mesh);
}

/* Agents that have nothing to do. */
static void measure_standing(const lw_area_table *areas, int count) {
  lw_navmesh *mesh;
  lw_error error;
  if (level_navmesh("wz_highground", areas, &mesh, &error) != LW_OK) return;
  lw_profile *profile = create_profile(areas, SPEED);
  lw_world_def def = lw_world_def_default();
  def.navmesh = mesh;
  level_draw draw = {.mesh = mesh, .profile = profile, .random = lwi_random_make(1, 5), .island = LWI_NONE};
  bench_need(lw_world_create(&def, &draw.world, NULL), "world");
  lw_vec3 *from = calloc((size_t)count, sizeof *from);
  for (int i = 0; i < count; i++) from[i] = draw_place(&draw);
  ours mine = open_ours(mesh, profile, from, count, 1);
  for (int i = 0; i < 1800; i++) ours_step(&mine);
  const double before = bench_clock();
  for (int i = 0; i < 600; i++) ours_step(&mine);
  printf("%d standing: %.3f ms a step\n", count, (bench_clock() - before) / 600 * 1e3);
  close_ours(&mine);
  free(from);
  lw_world_destroy(draw.world);
  lw_profile_destroy(profile);
  lw_navmesh_destroy(mesh);
}

/* Arguments choose: `scenes`, `levels`, `standing`, a name of a scene, `level NAME AGENTS SECONDS`, or `minutes`, which takes
   200 agents ten minutes on each level; `alone`, the last one: without the peer. */
int main(int argc, char **argv) {
  const char *only = argc > 1 ? argv[1] : "";
  const bool with_peer = !(argc > 1 && strcmp(argv[argc - 1], "alone") == 0);
  if (strcmp(only, "alone") == 0) only = "";
  bench_head("bench_crowd");
  lw_area_table *areas;
  lw_error error;
  bench_need(level_areas(&areas, &error), "areas");
  const bool is_on_levels = strncmp(only, "level", 5) == 0 || strcmp(only, "minutes") == 0;
  if (!is_on_levels)
    printf("%-22s %-10s %7s  %-16s %6s %8s %7s %7s\n", "scene", "who", "done", "mean (worst) s", "1/s",
           "deep/min", "worst m", "deg/s");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!*only || strcmp(only, "scenes") == 0 || strcmp(only, rows[i].name) == 0)
      run_row(&rows[i], areas, with_peer);
  if (!*only || is_on_levels)
    printf("%-16s %5s %-10s %7s %7s %8s %8s %7s %9s %7s %7s\n", "level", "count", "who", "ms mean", "ms p99",
           "arr/min", "gave up", "still s", "deep/min", "worst m", "deg/s");
  if (!*only || strcmp(only, "levels") == 0) {
    roam("wz_highground", 200, 60, areas, with_peer);
    roam("wz_highground", 1000, 60, areas, with_peer);
    roam("recast_dungeon", 200, 120, areas, with_peer);
    roam("recast_dungeon", 400, 120, areas, with_peer);
    roam("recast_dungeon", 1000, 60, areas, with_peer);
  }
  for (int i = 0; i < LEVEL_COUNT && strcmp(only, "minutes") == 0; i++)
    roam(level_names[i], 200, 600, areas, with_peer);
  if (strcmp(only, "level") == 0 && argc > 4)
    roam(argv[2], atoi(argv[3]), (float)atof(argv[4]), areas, with_peer);
  if (!*only || strcmp(only, "standing") == 0) measure_standing(areas, 10000);
  lw_area_table_destroy(areas);
  return 0;
}
