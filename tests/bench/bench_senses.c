/* A thousand agents that look about among a thousand others on a level: what it costs, how late others are noticed, and
   whether two runs are equal. Others are noticed late by what passes from when a look of every step would have noticed
   them. */
#include "bench_support.h"
#include "core/random.h"
#include "core/vec3.h"
#include "leeward/leeward.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOOKING = 1000, OTHERS = 1000, ALL = LOOKING + OTHERS, STEPS = 600, WARM = 120 };
#define DT (1.0f / 60)

typedef struct scene {
  lw_world *world;
  lw_agent_id agents[ALL];
  lw_random random;
} scene;

static void need(lw_status status, const char *what) {
  if (status == LW_OK) return;
  fprintf(stderr, "%s: %s\n", what, lw_status_text(status));
  exit(1);
}

static lw_vec3 draw_place(scene *on) {
  lw_random_point_query query = lw_random_point_query_default();
  query.anywhere = true;
  query.random = &on->random;
  lw_location at;
  need(lw_random_point_find(on->world, NULL, &query, &at), "a place");
  return at.point;
}

static void open_scene(scene *on, const lw_navmesh *mesh, const lw_profile *looks, const lw_profile *plain) {
  lw_world_def def = lw_world_def_default();
  def.navmesh = mesh;
  need(lw_world_create(&def, &on->world, NULL), "world");
  on->random = lwi_random_make(7, 1);
  for (int i = 0; i < ALL; i++) {
    lw_agent_def spawn = lw_agent_def_default();
    spawn.profile = i < LOOKING ? looks : plain;
    spawn.team = i < LOOKING ? "red" : "blue";
    spawn.at = draw_place(on);
    need(lw_agent_spawn(on->world, &spawn, &on->agents[i], NULL), "agent");
    lw_agent_set_heading(on->world, on->agents[i], 6.28f * lwi_random_unit(&on->random));
  }
}

/* Those that have arrived go on, or fail and stand for a while. */
static void send_on(scene *on, int step) {
  for (int i = step % 60; i < ALL; i += 60) {
    lw_agent_state state;
    lw_agent_get_state(on->world, on->agents[i], &state);
    if (state.move != LW_MOVE_WALKING) lw_agent_move_to(on->world, on->agents[i], draw_place(on), 0.5f);
  }
}

/* What is the time when each pair came into sight, in a brute force of every step? Of some agents. */
enum { WATCHED = 24 };
typedef struct lateness {
  double since[WATCHED][OTHERS]; /* infinity: it is not in sight [s] */
  double worst, sum;
  long count;
} lateness;

static bool is_in_sight(const scene *on, int i, int k) {
  const lw_world *world = on->world;
  lw_agent_state a, b;
  lw_senses senses;
  lw_agent_get_state(world, on->agents[i], &a);
  lw_agent_get_state(world, on->agents[LOOKING + k], &b);
  lw_agent_get_senses(world, on->agents[i], &senses);
  const float x = b.position.x - a.position.x, z = b.position.z - a.position.z;
  if (!(lwi_distance(a.position, b.position) <= senses.sight.range)) return false;
  if (senses.sight.half_angle < 3.14159f &&
      !(cosf(a.heading) * x - sinf(a.heading) * z >= cosf(senses.sight.half_angle) * sqrtf(x * x + z * z)))
    return false;
  return lw_agent_sees(world, on->agents[i], on->agents[LOOKING + k]);
}

static void measure_lateness(const scene *on, lateness *late, double before) {
  const double now = lw_world_time(on->world);
  for (int i = 0; i < WATCHED; i++) {
    lw_senses senses;
    const int watched = i * (LOOKING / WATCHED);
    lw_agent_get_senses(on->world, on->agents[watched], &senses);
    for (int k = 0; k < OTHERS; k++) {
      lw_perceived known;
      double *since = &late->since[i][k];
      const bool seen = is_in_sight(on, watched, k);
      if (*since < -1 && !seen) *since = INFINITY; /* it was noticed, and has gone out of sight */
      if (!seen) {
        *since = INFINITY;
        continue;
      }
      if (*since < -1) continue;
      if (!(*since < INFINITY)) *since = now;
      const bool noticed =
          lw_agent_find_perceived(on->world, on->agents[watched], on->agents[LOOKING + k], &known) == LW_OK;
      if (noticed && known.is_seen) {
        const double by = known.noticed - *since - (double)senses.sight.notice;
        if (known.noticed > before - 0.02 && by > -0.1) {
          late->worst = fmax(late->worst, by);
          late->sum += fmax(0, by);
          late->count += 1;
        }
        *since = -2;
      } else {
        late->worst = fmax(late->worst, now - *since - (double)senses.sight.notice);
      }
    }
  }
}

/* What the last step took for looking. [s] */
static double look_seconds;
bool __real_lwi_world_look(lw_world *world, float dt);
bool __wrap_lwi_world_look(lw_world *world, float dt);
bool __wrap_lwi_world_look(lw_world *world, float dt) {
  const double before = bench_clock();
  const bool good = __real_lwi_world_look(world, dt);
  look_seconds = bench_clock() - before;
  return good;
}

static int by_size(const void *a, const void *b) {
  const double *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

/* @return The hash at the end. @param late  NULL: not measured. */
static uint64_t run(const lw_navmesh *mesh, const lw_profile *looks, const lw_profile *plain, lateness *late,
                    double *median, double *worst, double *known) {
  scene on;
  static double times[STEPS];
  open_scene(&on, mesh, looks, plain);
  *known = 0;
  for (int i = 0; i < WARM + STEPS; i++) {
    send_on(&on, i);
    const double time = lw_world_time(on.world);
    need(lw_world_step(on.world, DT), "step");
    if (i >= WARM) times[i - WARM] = look_seconds;
    if (late && i >= WARM) measure_lateness(&on, late, time);
  }
  for (int i = 0; i < LOOKING; i++) *known += lw_agent_get_perceived(on.world, on.agents[i], NULL, 0);
  *known /= LOOKING;
  qsort(times, STEPS, sizeof *times, by_size);
  *median = times[STEPS / 2] * 1e3;
  *worst = times[STEPS * 99 / 100] * 1e3;
  const uint64_t hash = lw_world_hash(on.world);
  lw_world_destroy(on.world);
  return hash;
}

static void measure(const lw_navmesh *mesh, const lw_area_table *areas, float half_angle) {
  static lateness late;
  lw_profile_def def = lw_profile_def_default();
  lw_profile *plain, *looks;
  double median, worst, known, other, others;
  need(lw_profile_create(&def, areas, &plain, NULL), "profile");
  def.name = "looks";
  def.senses.sight.range = 40;
  def.senses.sight.half_angle = half_angle;
  need(lw_profile_create(&def, areas, &looks, NULL), "profile");
  memset(&late, 0, sizeof late);
  for (int i = 0; i < WATCHED; i++)
    for (int k = 0; k < OTHERS; k++) late.since[i][k] = INFINITY;
  const uint64_t first = run(mesh, looks, plain, NULL, &median, &worst, &known);
  const uint64_t again = run(mesh, looks, plain, &late, &other, &others, &known);
  printf("  half angle %.2f: median %.3f ms a step, p99 %.3f ms; %.1f known each; late at most %.3f s, mean "
         "%.3f s of %ld; "
         "hashes %s\n",
         (double)half_angle, median, worst, known, late.worst, late.count ? late.sum / (double)late.count : 0,
         late.count, first == again ? "equal" : "DIFFER");
  lw_profile_destroy(plain);
  lw_profile_destroy(looks);
}

int main(void) {
  bench_head("bench_senses");
  lw_area_table *areas;
  lw_error error;
  lw_navmesh *mesh;
  need(level_areas(&areas, &error), "areas");
  if (level_navmesh("wz_highground", areas, &mesh, &error) != LW_OK) {
    printf("%s\n", error.text);
    return 0;
  }
  printf("wz_highground: %d agents with sight of 40 m among %d others, all walk\n", LOOKING, OTHERS);
  measure(mesh, areas, 1.05f);
  measure(mesh, areas, LW_HALF_ANGLE_MAX);
  lw_navmesh_destroy(mesh);
  lw_area_table_destroy(areas);
  return 0;
}
