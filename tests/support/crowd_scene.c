#include "crowd_scene.h"

#include "core/random.h"
#include "core/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DEEP 0.05f   /* [m] */
#define ARRIVED 0.5f /* [m] */
#define SLOW 0.3f    /* Directions of slower agents do not count. [m/s] */
#define FLOORS 1.0f  /* Agents further apart in height do not meet. [m] */
#define PLACE 1.0f   /* An agent within it has not got on. [m] */
#define PI 3.14159265358979

/* --- scenes --------------------------------------------------------------------------------------------------- */

#define HALF 12.0f          /* Half the depth of the places beside a door, or at a corridor's ends. [m] */
#define DOOR 1.2f           /* [m] */
#define CORRIDOR 4.0f       /* [m] */
#define CORRIDOR_LONG 40.0f /* [m] */
#define BEND 5.0f           /* [m] */
#define BEND_LONG 25.0f     /* Of each leg, with the corner. [m] */
#define MOUTH_WIDE 40.0f    /* The place at the end of a passage. [m] */
#define MOUTH_LONG 20.0f    /* [m] */

static void add_floor(lw_geometry *geometry, float x, float z, float width, float depth) {
  const lw_geometry_box box = {.at = {x, -1, z}, .size = {width, 1, depth}, .area = 1};
  if (lw_geometry_add_box(geometry, &box, NULL) != LW_OK) abort();
}

lw_profile_def crowd_runner(void) {
  lw_profile_def def = lw_profile_def_default();
  def.speed[LW_NORMAL] = 3.5f;
  def.radius = CROWD_RADIUS;
  def.body.avoidance = LW_AVOID_FULL;
  def.body.acceleration = def.body.lateral_acceleration = def.body.turn_rate = 8;
  def.body.deceleration = 10;
  return def;
}

lw_geometry *crowd_scene_ground(const lw_area_table *areas, crowd_scene_kind kind) {
  lw_geometry *geometry;
  if (lw_geometry_create(areas, NULL, &geometry) != LW_OK) abort();
  switch (kind) {
  case CROWD_CIRCLE: add_floor(geometry, 0, 0, 70, 70); break;
  case CROWD_DOOR:
  case CROWD_DOOR_BOTH:
    add_floor(geometry, -12.6f, 0, 25, 2 * HALF);
    add_floor(geometry, 12.6f, 0, 25, 2 * HALF);
    add_floor(geometry, 0, 0, 0.4f, DOOR);
    break;
  case CROWD_CORRIDOR:
    add_floor(geometry, -(CORRIDOR_LONG + 20) / 2, 0, 20, 20);
    add_floor(geometry, (CORRIDOR_LONG + 20) / 2, 0, 20, 20);
    add_floor(geometry, 0, 0, CORRIDOR_LONG, CORRIDOR);
    break;
  case CROWD_BEND:
    add_floor(geometry, (BEND - BEND_LONG) / 2, 0, BEND_LONG, BEND);
    add_floor(geometry, 0, (BEND_LONG - BEND) / 2, BEND, BEND_LONG);
    add_floor(geometry, BEND / 2 - BEND_LONG - 10, 0, 20, 20);
    add_floor(geometry, 0, BEND_LONG - BEND / 2 + 10, 20, 20);
    break;
  case CROWD_MOUTH:
    add_floor(geometry, 0, 0, MOUTH_WIDE, MOUTH_WIDE);
    add_floor(geometry, 0, (MOUTH_WIDE + MOUTH_LONG) / 2, BEND, MOUTH_LONG);
    add_floor(geometry, 0, MOUTH_WIDE / 2 + MOUTH_LONG + 10, 20, 20);
    break;
  }
  return geometry;
}

static float between(lw_random *random, float low, float high) {
  return low + (high - low) * lwi_random_unit(random);
}

static void place_on_circle(crowd_scene *scene, lw_random *random) {
  for (int i = 0; i < scene->count; i++) {
    const float angle = (float)(2 * PI) * (float)i / (float)scene->count + between(random, -0.01f, 0.01f);
    scene->from[i] = lwi_vec3(25 * cosf(angle), 0, 25 * sinf(angle));
    scene->to[i] = lwi_scale(scene->from[i], -1);
  }
}

/* In rows of ten. Each row goes to the other side, the first one furthest, so that nobody waits in front of those who
   follow, and there with room to walk between. */
static void place_in_rows(crowd_scene *scene, lw_random *random, float near, bool both) {
  const int rows = (scene->count / (both ? 2 : 1) + 9) / 10;
  for (int i = 0; i < scene->count; i++) {
    const float side = both && i % 2 ? 1 : -1;
    const int place = both ? i / 2 : i;
    const float x = near + 1.2f * (float)(place / 10), z = (float)(place % 10) - 4.5f;
    scene->from[i] = lwi_vec3(side * (x + between(random, 0, 0.3f)), 0, 1.4f * z + between(random, 0, 0.3f));
    scene->to[i] = lwi_vec3(-side * (near + 2 * (float)(rows - 1 - place / 10)), 0,
                            z * (scene->kind == CROWD_CORRIDOR ? 1.8f : 2.2f));
  }
}

/* From the end of one leg to the other's, and back. */
static void place_about_bend(crowd_scene *scene, lw_random *random) {
  const int rows = (scene->count / 2 + 9) / 10;
  const float near = BEND_LONG - BEND / 2 + 4;
  for (int i = 0; i < scene->count; i++) {
    const int place = i / 2, row = place / 10;
    const float across = 1.4f * ((float)(place % 10) - 4.5f), along = near + 1.2f * (float)row;
    const lw_vec3 west = {-along - between(random, 0, 0.3f), 0, across + between(random, 0, 0.3f)},
                  south = {across + between(random, 0, 0.3f), 0, along + between(random, 0, 0.3f)};
    const float behind = near + 2 * (float)(rows - 1 - row), beside = 1.8f * ((float)(place % 10) - 4.5f);
    scene->from[i] = i % 2 ? south : west;
    scene->to[i] = i % 2 ? lwi_vec3(-behind, 0, beside) : lwi_vec3(beside, 0, behind);
  }
}

/* From the far end of the passage to places beside its mouth, and back. */
static void place_about_mouth(crowd_scene *scene, lw_random *random) {
  const int rows = (scene->count / 2 + 9) / 10;
  for (int i = 0; i < scene->count; i++) {
    const int place = i / 2, row = place / 10;
    const float across = (float)(place % 10) - 4.5f, along = 1.2f * (float)row + between(random, 0, 0.3f),
                behind = 2 * (float)(rows - 1 - row);
    const lw_vec3 far = {1.4f * across + between(random, 0, 0.3f), 0, MOUTH_WIDE / 2 + MOUTH_LONG + 4 + along},
                  beside = {8 + along, 0, 8 + 1.4f * across + between(random, 0, 0.3f)};
    scene->from[i] = i % 2 ? beside : far;
    scene->to[i] = i % 2 ? lwi_vec3(1.8f * across, 0, MOUTH_WIDE / 2 + MOUTH_LONG + 4 + behind)
                         : lwi_vec3(8 + behind, 0, 8 + 1.8f * across);
  }
}

crowd_scene crowd_scene_open(crowd_scene_kind kind, int count, uint64_t seed) {
  crowd_scene scene = {.kind = kind, .count = count, .seconds = kind == CROWD_CIRCLE ? 90 : 180};
  scene.from = malloc((size_t)count * sizeof *scene.from);
  scene.to = malloc((size_t)count * sizeof *scene.to);
  if (!scene.from || !scene.to) abort();
  lw_random random = lwi_random_make(seed, 77);
  switch (kind) {
  case CROWD_CIRCLE: place_on_circle(&scene, &random); break;
  case CROWD_DOOR: place_in_rows(&scene, &random, 5, false); break;
  case CROWD_DOOR_BOTH: place_in_rows(&scene, &random, 5, true); break;
  case CROWD_CORRIDOR: place_in_rows(&scene, &random, CORRIDOR_LONG / 2 + 4, true); break;
  case CROWD_BEND: place_about_bend(&scene, &random); break;
  case CROWD_MOUTH: place_about_mouth(&scene, &random); break;
  }
  return scene;
}

void crowd_scene_close(crowd_scene *scene) {
  free(scene->from);
  free(scene->to);
}

/* --- what is counted -------------------------------------------------------------------------------------------- */

typedef struct crowd_watch {
  int count;
  lw_vec3 *at, *velocity;
  float *heading; /* NAN: it did not move */
  char *deep;     /* [count * count] */
  double turned, turning;
  double *times;
  int steps, capacity;
  crowd_result result;
} crowd_watch;

static void open_watch(crowd_watch *watch, int count) {
  memset(watch, 0, sizeof *watch);
  watch->count = count;
  watch->at = calloc((size_t)count, sizeof *watch->at);
  watch->velocity = calloc((size_t)count, sizeof *watch->velocity);
  watch->heading = calloc((size_t)count, sizeof *watch->heading);
  watch->deep = calloc((size_t)count * (size_t)count, 1);
  if (!watch->at || !watch->velocity || !watch->heading || !watch->deep) abort();
  for (int i = 0; i < count; i++) watch->heading[i] = NAN;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Over all pairs: what avoidance does not look for, this finds. */
static void count_overlaps(crowd_watch *watch) {
  for (int i = 0; i < watch->count; i++)
    for (int k = i + 1; k < watch->count; k++) {
      const float dx = watch->at[i].x - watch->at[k].x, dz = watch->at[i].z - watch->at[k].z;
      char *deep = &watch->deep[(size_t)i * (size_t)watch->count + (size_t)k];
      const float far2 = dx * dx + dz * dz;
      if (far2 >= 4 * CROWD_RADIUS * CROWD_RADIUS || fabsf(watch->at[i].y - watch->at[k].y) > FLOORS) {
        *deep = 0;
        continue;
      }
      const float overlap = 2 * CROWD_RADIUS - sqrtf(far2);
      if ((double)overlap > watch->result.worst) watch->result.worst = (double)overlap;
      watch->result.overlaps += overlap > DEEP && !*deep;
      *deep = overlap > DEEP;
    }
}

static void count_turns(crowd_watch *watch) {
  for (int i = 0; i < watch->count; i++) {
    const lw_vec3 v = watch->velocity[i];
    const bool moves = v.x * v.x + v.z * v.z > SLOW * SLOW;
    const float heading = moves ? atan2f(-v.z, v.x) : NAN;
    if (moves && !isnan(watch->heading[i])) {
      watch->turned += fabs(remainder((double)heading - (double)watch->heading[i], 2 * PI));
      watch->turning += (double)CROWD_DT;
    }
    watch->heading[i] = heading;
  }
}

static void step(crowd_watch *watch, const crowd_mover *mover) {
  if (watch->steps == watch->capacity) {
    watch->capacity = watch->capacity ? 2 * watch->capacity : 1024;
    watch->times = realloc(watch->times, (size_t)watch->capacity * sizeof *watch->times);
    if (!watch->times) abort();
  }
  const double before = now();
  mover->step(mover->user);
  watch->times[watch->steps++] = now() - before;
  for (int i = 0; i < watch->count; i++) mover->get(mover->user, i, &watch->at[i], &watch->velocity[i]);
  count_overlaps(watch);
  count_turns(watch);
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static crowd_result close_watch(crowd_watch *watch) {
  crowd_result result = watch->result;
  double sum = 0;
  for (int i = 0; i < watch->steps; i++) sum += watch->times[i];
  qsort(watch->times, (size_t)watch->steps, sizeof *watch->times, compare);
  result.mean = watch->steps ? sum / watch->steps : 0;
  result.p99 = watch->steps ? watch->times[(int)(0.99 * (watch->steps - 1))] : 0;
  result.jitter = watch->turning > 0 ? watch->turned / watch->turning * 180 / PI : 0;
  result.agent_minutes = watch->count * watch->steps * (double)CROWD_DT / 60;
  free(watch->at);
  free(watch->velocity);
  free(watch->heading);
  free(watch->deep);
  free(watch->times);
  return result;
}

/* --- runs ------------------------------------------------------------------------------------------------------- */

crowd_result crowd_scene_run(const crowd_scene *scene, const crowd_mover *mover) {
  crowd_watch watch;
  open_watch(&watch, scene->count);
  bool *arrived = calloc((size_t)scene->count, sizeof *arrived),
       *through = calloc((size_t)scene->count, sizeof *through);
  if (!arrived || !through) abort();
  for (int i = 0; i < scene->count; i++) mover->send(mover->user, i, scene->to[i]);
  double first_through = -1, last_through = 0;
  int count_through = 0;
  while (watch.result.arrived < scene->count && (float)watch.steps * CROWD_DT < scene->seconds) {
    step(&watch, mover);
    const double time = watch.steps * (double)CROWD_DT;
    for (int i = 0; i < scene->count; i++) {
      if (!through[i] && watch.at[i].x * scene->to[i].x > 0) {
        through[i] = true;
        count_through += 1;
        if (first_through < 0) first_through = time;
        last_through = time;
      }
      if (arrived[i] || lwi_distance_xz(watch.at[i], scene->to[i]) > ARRIVED) continue;
      arrived[i] = true;
      watch.result.arrived += 1;
      watch.result.last = time;
    }
  }
  if (count_through > 1) watch.result.through = (count_through - 1) / (last_through - first_through);
  free(arrived);
  free(through);
  return close_watch(&watch);
}

/* Where a roaming agent goes, and since when it has been near one place. */
typedef struct roamer {
  lw_vec3 goal, held;
  int since; /* a step */
} roamer;

static void look_after(crowd_watch *watch, const crowd_mover *mover, int agent, roamer *roams, crowd_draw draw,
                       void *user) {
  const lw_vec3 at = watch->at[agent];
  const bool is_there = lwi_distance(at, roams->goal) <= 2 * ARRIVED;
  if (lwi_distance(at, roams->held) > PLACE) {
    roams->held = at;
    roams->since = watch->steps;
  }
  watch->result.longest = fmax(watch->result.longest, (watch->steps - roams->since) * (double)CROWD_DT);
  if (!is_there && !(mover->rests && mover->rests(mover->user, agent))) return;
  watch->result.arrivals += is_there;
  watch->result.gave_up += !is_there;
  roams->since = watch->steps;
  mover->send(mover->user, agent, roams->goal = draw(user));
}

crowd_result crowd_roam(const crowd_mover *mover, int count, float seconds, crowd_draw draw, void *user) {
  crowd_watch watch;
  open_watch(&watch, count);
  roamer *roamers = calloc((size_t)count, sizeof *roamers);
  if (!roamers) abort();
  for (int i = 0; i < count; i++) mover->send(mover->user, i, roamers[i].goal = draw(user));
  const int steps = (int)(seconds / CROWD_DT);
  while (watch.steps < steps) {
    step(&watch, mover);
    for (int i = 0; i < count; i++) look_after(&watch, mover, i, &roamers[i], draw, user);
  }
  free(roamers);
  return close_watch(&watch);
}
