/* Groups of twelve in formation, through a door of 1.2 m and over three levels: do they overlap, how far are they from their
   places on open ground, how soon do they form up, and arrive together? */
#include "bench_place.h"
#include "bench_support.h"
#include "crowd_scene.h"
#include "levels.h"

#include "core/random.h"
#include "core/vec3.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMBERS 12
#define NEAR 0.5f     /* Of a place. [m] */
#define OVERLAP 0.05f /* [m] */
#define FORM_TIME 5   /* [s] */
#define SECONDS 120   /* A journey is given up after that. */
#define JOURNEYS 20   /* On a level. */

static lw_profile *create_profile(const lw_area_table *areas) {
  const lw_profile_def def = crowd_runner();
  lw_profile *profile;
  bench_need(lw_profile_create(&def, areas, &profile, NULL), "profile");
  return profile;
}

/* --- a journey ---------------------------------------------------------------------------------------------------- */

typedef struct counts {
  long overlaps;            /* pairs that began */
  long near, open;          /* agents near their places, all, on open ground */
  long formed_near, formed; /* the same since they had formed up */
  long steps;
  double deepest;                              /* [m] */
  double reform_sum, spread_worst, spread_sum; /* [s] */
  int reforms, fast_reforms;                   /* within FORM_TIME */
  int journeys, arrived, agents, failed;
  double clock, worst; /* of steps [s] */
} counts;

typedef struct journey {
  lw_world *world;
  lw_agent_id agents[MEMBERS];
  lw_group_id group;
  bool overlaps[MEMBERS][MEMBERS];
  double arrived[MEMBERS]; /* [s]; 0: not yet */
  double since_wide;       /* when they left a file, or set out; below 0: they have formed up since [s] */
} journey;

static journey open_journey(const lw_navmesh *mesh, const lw_profile *profile, const lw_vec3 *from) {
  journey on = {.since_wide = 0};
  lw_world_def def = lw_world_def_default();
  def.navmesh = mesh;
  bench_need(lw_world_create(&def, &on.world, NULL), "world");
  for (int i = 0; i < MEMBERS; i++) {
    lw_agent_def agent = lw_agent_def_default();
    agent.profile = profile;
    agent.at = from[i];
    bench_need(lw_agent_spawn(on.world, &agent, &on.agents[i], NULL), "spawn");
  }
  lw_group_def group = lw_group_def_default();
  group.agents = on.agents;
  group.agent_count = MEMBERS;
  bench_need(lw_group_create(on.world, &group, &on.group, NULL), "group");
  return on;
}

static void count_overlaps(journey *on, const lw_agent_state *states, counts *sum) {
  for (int i = 0; i < MEMBERS; i++)
    for (int k = 0; k < i; k++) {
      const lw_vec3 a = states[i].position, b = states[k].position;
      const float depth = fabsf(a.y - b.y) < 1 ? 2 * CROWD_RADIUS - lwi_distance_xz(a, b) : 0;
      const bool overlaps = depth > OVERLAP;
      sum->overlaps += overlaps && !on->overlaps[i][k];
      sum->deepest = fmax(sum->deepest, (double)depth);
      on->overlaps[i][k] = overlaps;
    }
}

/* Those that do not see their places are not near them. */
static void count_places(journey *on, const lw_agent_state *states, const lw_group_state *group, counts *sum) {
  int near = 0, walking = 0;
  for (int i = 0; i < MEMBERS; i++) {
    lw_vec3 at;
    if (states[i].move != LW_MOVE_WALKING) continue;
    walking += 1;
    near += lw_group_place(on->world, on->agents[i], &at) == LW_OK &&
            lwi_distance_xz(at, states[i].position) <= NEAR;
  }
  if (group->is_file) {
    on->since_wide = lw_world_time(on->world);
    return;
  }
  sum->near += near;
  sum->open += walking;
  if (on->since_wide < 0) {
    sum->formed_near += near;
    sum->formed += walking;
  }
  if (near < walking || on->since_wide < 0) return;
  const double took = lw_world_time(on->world) - on->since_wide;
  sum->reform_sum += took;
  sum->reforms += 1;
  sum->fast_reforms += took <= FORM_TIME;
  on->since_wide = -1;
}

static void look(journey *on, counts *sum) {
  lw_agent_state states[MEMBERS];
  lw_group_state group;
  bench_need(lw_group_get_state(on->world, on->group, &group), "group");
  for (int i = 0; i < MEMBERS; i++) {
    bench_need(lw_agent_get_state(on->world, on->agents[i], &states[i]), "state");
    if (states[i].move == LW_MOVE_ARRIVED && on->arrived[i] == 0) on->arrived[i] = lw_world_time(on->world);
  }
  count_overlaps(on, states, sum);
  count_places(on, states, &group, sum);
}

static void run(journey *on, lw_vec3 goal, counts *sum) {
  lw_group_state group;
  memset(on->arrived, 0, sizeof on->arrived);
  on->since_wide = lw_world_time(on->world);
  bench_need(lw_group_move_to(on->world, on->group, goal, NULL), "move");
  const double until = lw_world_time(on->world) + SECONDS;
  do {
    const double before = bench_clock();
    bench_need(lw_world_step(on->world, CROWD_DT), "step");
    const double took = bench_clock() - before;
    sum->clock += took;
    sum->worst = fmax(sum->worst, took);
    sum->steps += 1;
    look(on, sum);
    bench_need(lw_group_get_state(on->world, on->group, &group), "group");
  } while (group.move == LW_MOVE_WALKING && lw_world_time(on->world) < until);
  double first = INFINITY, last = 0;
  int arrived = 0;
  for (int i = 0; i < MEMBERS; i++) {
    if (on->arrived[i] == 0) continue;
    first = fmin(first, on->arrived[i]);
    last = fmax(last, on->arrived[i]);
    arrived += 1;
  }
  sum->journeys += 1;
  sum->agents += MEMBERS;
  sum->arrived += arrived;
  sum->failed += group.move != LW_MOVE_ARRIVED;
  if (arrived == 0) return;
  sum->spread_sum += last - first;
  sum->spread_worst = fmax(sum->spread_worst, last - first);
}

static void print(const char *name, lw_formation formation, const counts *sum) {
  printf("%-16s %-7s %4d %6.1f %% %6ld %7.3f %6.1f %% %6.1f %% %8.1f %5.0f %% %7.2f %6.2f %8.3f\n", name,
         lw_formation_name(formation), sum->journeys, 100.0 * sum->arrived / sum->agents, sum->overlaps,
         sum->deepest, sum->formed ? 100.0 * (double)sum->formed_near / (double)sum->formed : 0,
         sum->open ? 100.0 * (double)sum->near / (double)sum->open : 0,
         sum->reforms ? sum->reform_sum / sum->reforms : 0,
         sum->reforms ? 100.0 * sum->fast_reforms / sum->reforms : 0, sum->spread_sum / sum->journeys,
         sum->spread_worst, sum->clock / (double)sum->steps * 1e3);
  fflush(stdout);
}

/* --- places ------------------------------------------------------------------------------------------------------- */

static const lw_formation formations[] = {LW_FORMATION_LINE, LW_FORMATION_WEDGE, LW_FORMATION_COLUMN,
                                          LW_FORMATION_FILE};
#define FORMATIONS ((int)(sizeof formations / sizeof *formations))

static void through_door(const lw_area_table *areas) {
  lw_geometry *geometry = crowd_scene_ground(areas, CROWD_DOOR);
  lw_bake_settings settings = lw_bake_settings_default();
  settings.cell_size = 0.1f;
  lw_navmesh *mesh;
  bench_need(lw_navmesh_bake(geometry, &settings, &mesh, NULL, NULL), "bake");
  lw_profile *profile = create_profile(areas);
  for (int k = 0; k < FORMATIONS; k++) {
    counts sum = {0};
    for (uint64_t seed = 1; seed <= 5; seed++) {
      crowd_scene scene = crowd_scene_open(CROWD_DOOR, MEMBERS, seed);
      journey on = open_journey(mesh, profile, scene.from);
      bench_need(lw_group_set_formation(on.world, on.group, formations[k], 0, NULL, 0), "formation");
      run(&on, lwi_vec3(14, 0, 0), &sum);
      lw_world_destroy(on.world);
      crowd_scene_close(&scene);
    }
    print("door 1.2 m", formations[k], &sum);
  }
  lw_profile_destroy(profile);
  lw_navmesh_destroy(mesh);
  lw_geometry_destroy(geometry);
}

/* Somewhere that the point can be walked to from, within so many metres. */
static lw_vec3 draw(lw_world *world, const lw_profile *profile, lw_random *random, lw_vec3 around,
                    float radius) {
  lw_random_point_query query = lw_random_point_query_default();
  query.anywhere = !(radius < INFINITY);
  query.around = around;
  if (radius < INFINITY) query.radius = radius;
  query.random = random;
  query.profile = profile;
  lw_location at;
  bench_need(lw_random_point_find(world, NULL, &query, &at), "random point");
  return at.point;
}

static void over_level(const char *name, const lw_area_table *areas) {
  lw_navmesh *mesh;
  lw_error error;
  if (level_navmesh(name, areas, &mesh, &error) != LW_OK) {
    printf("%s: %s\n", name, error.text);
    return;
  }
  lw_profile *profile = create_profile(areas);
  for (int k = 0; k < FORMATIONS; k++) {
    counts sum = {0};
    lw_random random = lwi_random_make(3, 9);
    lw_world *asked;
    lw_world_def def = lw_world_def_default();
    def.navmesh = mesh;
    bench_need(lw_world_create(&def, &asked, NULL), "world");
    lw_vec3 from[MEMBERS];
    from[0] = draw(asked, profile, &random, lwi_vec3(0, 0, 0), INFINITY);
    for (int i = 1; i < MEMBERS; i++) {
      bool is_free = false;
      for (int tries = 0; tries < 200 && !is_free; tries++) {
        from[i] = draw(asked, profile, &random, from[0], 8);
        is_free = true;
        for (int other = 0; other < i; other++)
          is_free &= lwi_distance(from[i], from[other]) > 2 * CROWD_RADIUS;
      }
    }
    journey on = open_journey(mesh, profile, from);
    bench_need(lw_group_set_formation(on.world, on.group, formations[k], 0, NULL, 0), "formation");
    lw_vec3 at = from[0];
    for (int i = 0; i < JOURNEYS; i++) {
      at = draw(asked, profile, &random, at, 60);
      run(&on, at, &sum);
    }
    print(name, formations[k], &sum);
    lw_world_destroy(on.world);
    lw_world_destroy(asked);
  }
  lw_profile_destroy(profile);
  lw_navmesh_destroy(mesh);
}

/* Arguments: `door`, or the names of levels. */
int main(int argc, char **argv) {
  static const char *const levels[] = {"wz_highground", "recast_nav_test", "recast_dungeon"};
  bench_head("bench_groups");
  lw_area_table *areas;
  lw_error error;
  bench_need(level_areas(&areas, &error), "areas");
  printf("%-16s %-7s %4s %8s %6s %7s %8s %8s %8s %7s %7s %6s %8s\n", "place", "", "runs", "arrived", "deep",
         "worst m", "in place", "with all", "formed s", "in 5 s", "spread", "worst", "ms step");
  if (argc < 2 || strcmp(argv[1], "door") == 0) through_door(areas);
  for (int i = 0; argc < 2 && i < 3; i++) over_level(levels[i], areas);
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "door") != 0) over_level(argv[i], areas);
  lw_area_table_destroy(areas);
  return 0;
}
