/* What each accuracy of exposure costs and loses on a level. */
#include "leeward/survey.h"

#include "core/clock.h"
#include "core/status.h"
#include "cover/pairs.h"
#include "leeward/query.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_MAX 10000
#define ROUNDS_MAX 99
#define PLACES 5 /* of a way, to ask the table of pairs about */

typedef enum way { EXACT, FAST, MAP, RAYS, WAYS } way;

typedef struct segment {
  lw_vec3 from, to;
  float fractions[WAYS];
} segment;

typedef struct surveyor {
  const lw_survey_def *def;
  lw_world *world; /* of its own: draws from its random numbers change nobody's run */
  lwi_memory memory;
  lwi_eyes eyes; /* one map */
  lwi_exposure_room room;
  lwi_random random;
  lw_vec3 *at;                                         /* [eyes] */
  segment *segments;                                   /* [eyes * segments] */
  float *off;                                          /* [eyes * segments] */
  double times[WAYS][ROUNDS_MAX], set_ups[ROUNDS_MAX]; /* of all segments; of all eyes */
} surveyor;

lw_survey_def lw_survey_def_default(void) {
  return (lw_survey_def){.eyes = 20,
                         .segments = 200,
                         .length = 12,
                         .eye = 1.6f,
                         .spacing = 0.25f,
                         .rounds = 5,
                         .seed = 1,
                         .heights = {0.9f, 1.6f},
                         .height_count = 2,
                         .cookie = LWI_COOKIE};
}

static lw_status check_count(const char *name, int count, int most, lw_error *error) {
  if (count >= 1 && count <= most) return LW_OK;
  return lwi_fail(error, LW_INVALID, "%s is %d: expected 1 to %d", name, count, most);
}

static lw_status check_metres(const char *name, float value, lw_error *error) {
  if (value >= 0.01f && value <= 1000) return LW_OK;
  return lwi_fail(error, LW_INVALID, "%s is %g: expected 0.01 to 1000", name, (double)value);
}

static lw_status check_def(const lw_survey_def *def, lw_error *error) {
  lw_status status = lwi_check_cookie(def->cookie, "lw_survey_def", error);
  if (status == LW_OK) status = check_count("eyes", def->eyes, COUNT_MAX, error);
  if (status == LW_OK) status = check_count("segments", def->segments, COUNT_MAX, error);
  if (status == LW_OK) status = check_count("rounds", def->rounds, ROUNDS_MAX, error);
  if (status == LW_OK) status = check_count("height_count", def->height_count, LW_BODY_HEIGHTS_MAX, error);
  if (status == LW_OK) status = check_metres("length", def->length, error);
  if (status == LW_OK) status = check_metres("spacing", def->spacing, error);
  if (status != LW_OK) return status;
  if (!(fabsf(def->eye) <= 100))
    return lwi_fail(error, LW_INVALID, "eye is %g: expected -100 to 100", (double)def->eye);
  for (int i = 0; i < def->height_count; i++)
    if (!(fabsf(def->heights[i]) <= 100))
      return lwi_fail(error, LW_INVALID, "height %d is %g: expected -100 to 100", i + 1,
                      (double)def->heights[i]);
  return LW_OK;
}

/* --- what is asked about ------------------------------------------------------------------------------------------- */

static bool draw_place(surveyor *of, lw_location *at) {
  lw_random_point_query query = lw_random_point_query_default();
  query.anywhere = true;
  return lw_random_point_find(of->world, &query, at) == LW_OK;
}

/* Eyes, and straight ways in any direction, up to `length` or to the next wall. @return false: nowhere. */
static bool draw_all(surveyor *of) {
  const lw_navmesh *mesh = lw_world_navmesh(of->world);
  const lw_survey_def *def = of->def;
  lw_location start;
  for (int i = 0; i < def->eyes; i++) {
    if (!draw_place(of, &start)) return false;
    of->at[i] = lwi_add(start.point, lwi_vec3(0, def->eye, 0));
  }
  for (int i = 0; i < def->eyes * def->segments; i++) {
    if (!draw_place(of, &start)) return false;
    float turn = 6.2831853f * lwi_random_unit(&of->random);
    lw_vec3 to = {start.point.x + def->length * cosf(turn), start.point.y,
                  start.point.z + def->length * sinf(turn)};
    lw_raycast ray;
    of->segments[i].from = of->segments[i].to = start.point;
    if (lw_navmesh_raycast(mesh, start, to, NULL, &ray) == LW_OK) of->segments[i].to = ray.at.point;
  }
  return true;
}

/* --- asking -------------------------------------------------------------------------------------------------------- */

static bool ask(surveyor *of, lw_accuracy accuracy, lw_vec3 eye, segment *segments, way by) {
  lw_threat threat = lw_threat_default();
  lw_exposure_query query = lw_exposure_query_default();
  const lw_world *world = of->world;
  const lwi_sight sight = {.sets = world->occluders,
                           .count = world->occluder_count,
                           .meshes = world->sight_meshes,
                           .bare = world->bare,
                           .eyes = &of->eyes};
  threat.at = eye;
  query.threats = &threat;
  query.threat_count = 1;
  query.accuracy = accuracy;
  query.height_count = of->def->height_count;
  memcpy(query.heights, of->def->heights, sizeof query.heights);
  for (int i = 0; i < of->def->segments; i++) {
    lw_exposure seen;
    query.from = segments[i].from;
    query.to = segments[i].to;
    if (lwi_exposure_find(&sight, &query, &of->memory, &of->room, &seen) != LW_OK) return false;
    segments[i].fractions[by] = seen.fraction;
  }
  return true;
}

static bool sees_body(const surveyor *of, lw_vec3 eye, lw_vec3 at) {
  for (int i = 0; i < of->def->height_count; i++)
    if (lw_sees(of->world, eye, lwi_add(at, lwi_vec3(0, of->def->heights[i], 0)), false)) return true;
  return false;
}

static void cast_rays(const surveyor *of, lw_vec3 eye, segment *segments) {
  for (int i = 0; i < of->def->segments; i++) {
    lw_vec3 from = segments[i].from, to = segments[i].to;
    int steps = 1 + (int)(lwi_distance(from, to) / of->def->spacing), seen = 0;
    for (int k = 0; k < steps; k++)
      seen += sees_body(of, eye, lwi_lerp(from, to, ((float)k + 0.5f) / (float)steps));
    segments[i].fractions[RAYS] = (float)seen / (float)steps;
  }
}

/* Draw anew the faces that were asked for. @return How long it took. [s] */
static double draw_again(surveyor *of, lw_vec3 eye) {
  lwi_depth_map *map;
  if (!lwi_eyes_ask(&of->eyes, eye, true, LW_ACCURACY_FAST, &map) || !map) return 0;
  const unsigned faces = map->drawn;
  double begin = lwi_clock();
  lwi_depth_map_begin(map, eye, true);
  for (unsigned face = 0; face < 6; face++)
    if (faces >> face & 1) lwi_depth_map_draw(map, &of->eyes.scene, face);
  return lwi_clock() - begin;
}

/* @return false: no memory. */
static bool ask_round(surveyor *of, int round) {
  for (int w = 0; w < WAYS; w++) of->times[w][round] = 0;
  of->set_ups[round] = 0;
  for (int i = 0; i < of->def->eyes; i++) {
    segment *segments = of->segments + i * of->def->segments;
    double before = lwi_clock();
    if (!ask(of, LW_ACCURACY_EXACT, of->at[i], segments, EXACT)) return false;
    of->times[EXACT][round] += lwi_clock() - before;
    if (!ask(of, LW_ACCURACY_FAST, of->at[i], segments, FAST)) return false; /* draws what it needs */
    before = lwi_clock();
    if (!ask(of, LW_ACCURACY_FAST, of->at[i], segments, FAST)) return false;
    of->times[FAST][round] += lwi_clock() - before;
    of->set_ups[round] += draw_again(of, of->at[i]);
    before = lwi_clock();
    if (of->world->any_map && !ask(of, LW_ACCURACY_MAP, of->at[i], segments, MAP)) return false;
    of->times[MAP][round] += lwi_clock() - before;
    before = lwi_clock();
    cast_rays(of, of->at[i], segments);
    of->times[RAYS][round] += lwi_clock() - before;
  }
  return true;
}

/* --- figures ------------------------------------------------------------------------------------------------------- */

static int compare_floats(const void *left, const void *right) {
  const float *a = left, *b = right;
  return (*a > *b) - (*a < *b);
}
static int compare_doubles(const void *left, const void *right) {
  const double *a = left, *b = right;
  return (*a > *b) - (*a < *b);
}

static double median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare_doubles);
  return values[count / 2];
}

static lw_survey_figures sum_up(surveyor *of, way by) {
  const int count = of->def->eyes * of->def->segments;
  lw_survey_figures figures = {.available = true};
  for (int i = 0; i < count; i++) {
    of->off[i] = fabsf(of->segments[i].fractions[by] - of->segments[i].fractions[EXACT]);
    figures.mean += (double)of->off[i] / count;
  }
  qsort(of->off, (size_t)count, sizeof *of->off, compare_floats);
  figures.p99 = (double)of->off[(int)(0.99 * (count - 1))];
  figures.worst = (double)of->off[count - 1];
  figures.seconds = median(of->times[by], of->def->rounds) / count;
  return figures;
}

/* What the table of pairs knows of places on the ways. */
static void count_sure(const surveyor *of, lw_survey *survey) {
  const lw_navmesh *mesh = lw_world_navmesh(of->world);
  int counts[3] = {0};
  for (int i = 0; i < of->def->eyes * of->def->segments; i++) {
    const uint32_t over = lwi_pairs_over(mesh, of->at[i / of->def->segments]);
    for (int k = 0; k < PLACES; k++) {
      lw_vec3 place = lwi_lerp(of->segments[i].from, of->segments[i].to, ((float)k + 0.5f) / PLACES);
      place.y += LWI_PAIR_MIDDLE;
      counts[lwi_pairs_get(mesh, over, lwi_pairs_over(mesh, place))] += 1;
    }
  }
  const double all = PLACES * (double)of->def->eyes * of->def->segments;
  survey->sure_hidden = counts[LWI_PAIR_HIDDEN] / all;
  survey->sure_visible = counts[LWI_PAIR_VISIBLE] / all;
}

static void report(surveyor *of, lw_survey *survey) {
  const int count = of->def->eyes * of->def->segments;
  double length = 0, exposed = 0;
  for (int i = 0; i < count; i++) {
    double metres = (double)lwi_distance(of->segments[i].from, of->segments[i].to);
    length += metres;
    exposed += metres * (double)of->segments[i].fractions[EXACT];
  }
  survey->segments = count;
  survey->length = length / count;
  survey->exposed = length > 0 ? exposed / length : 0;
  for (int i = 0; i < of->world->occluder_count; i++) {
    const lwi_occluders *occluders = of->world->occluders[i];
    survey->occluders += (int)occluders->facet_count;
    survey->occluder_bytes += lwi_occluders_bytes(occluders);
  }
  survey->by[LW_ACCURACY_EXACT] = sum_up(of, EXACT);
  survey->by[LW_ACCURACY_FAST] = sum_up(of, FAST);
  survey->by[LW_ACCURACY_FAST].set_up = median(of->set_ups, of->def->rounds) / of->def->eyes;
  survey->by[LW_ACCURACY_FAST].bytes = sizeof(lwi_depth_map);
  if (of->world->any_map) survey->by[LW_ACCURACY_MAP] = sum_up(of, MAP);
  survey->rays = sum_up(of, RAYS);
  count_sure(of, survey);
}

static lw_status survey_all(surveyor *of, lw_survey *survey) {
  const size_t eyes = (size_t)of->def->eyes, count = eyes * (size_t)of->def->segments;
  lw_status status = LW_OUT_OF_MEMORY;
  lwi_eyes_init(&of->eyes, 1, of->world->occluders, of->world->occluder_count, &of->memory);
  of->at = lwi_alloc(&of->memory, eyes * sizeof *of->at);
  of->segments = lwi_alloc(&of->memory, count * sizeof *of->segments);
  of->off = lwi_alloc(&of->memory, count * sizeof *of->off);
  if (of->at && of->segments && of->off) status = draw_all(of) ? LW_OK : LW_EMPTY;
  for (int round = 0; round < of->def->rounds && status == LW_OK; round++) {
    lwi_exposure_forget(&of->room); /* a round asks what the one before did */
    if (!ask_round(of, round)) status = LW_OUT_OF_MEMORY;
  }
  if (status == LW_OK) report(of, survey);
  lwi_free(&of->memory, of->at, eyes * sizeof *of->at);
  lwi_free(&of->memory, of->segments, count * sizeof *of->segments);
  lwi_free(&of->memory, of->off, count * sizeof *of->off);
  lwi_exposure_room_free(&of->room);
  lwi_eyes_free(&of->eyes);
  return status;
}

lw_status lw_exposure_survey(const lw_navmesh *navmesh, const lw_survey_def *def, lw_survey *survey,
                             lw_error *error) {
  *survey = (lw_survey){0};
  lw_status status = check_def(def, error);
  if (status != LW_OK) return status;
  if (navmesh->occluders.facet_count == 0)
    return lwi_fail(error, LW_EMPTY, "the navmesh has no occluders: it hides nothing");
  if (navmesh->occluders.node_count == 0)
    return lwi_fail(error, LW_EMPTY, "the navmesh keeps a cover map in place of its occluders");
  lw_world_def world = lw_world_def_default();
  surveyor of = {.def = def, .memory = lwi_memory_make(NULL), .random = lwi_random_make(def->seed, 1)};
  world.navmesh = navmesh;
  world.seed = def->seed;
  status = lw_world_create(&world, &of.world, error);
  if (status != LW_OK) return status;
  status = survey_all(&of, survey);
  lw_world_destroy(of.world);
  if (status == LW_EMPTY) return lwi_fail(error, status, "the navmesh has no ground");
  return status == LW_OK ? status : lwi_fail_status(error, status);
}
