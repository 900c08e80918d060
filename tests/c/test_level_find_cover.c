/* Finding cover with watched paths on the shared levels: searching few of the paths gives the same places as
   searching all. */
#include "core/vec3.h"
#include "level_test.h"
#include "world/world.h"

#include <math.h>

#define QUERIES 3
#define FOUND 6
#define PLACES_MAX 512
#define RADIUS 10.0f
#define BIAS 4.0f
#define EYE 1.6f
/* Of scores about 1. Paths are compared with those to places near by, so that a place is missed by as much as
   find_path() is above the cheapest path to one of those. */
#define LOST_MAX 0.05
#define LOST_MEAN 0.005

typedef struct question {
  shared_level *level;
  lw_profile *profile;
  lw_threat threats[2];
  lw_cover_query query;
} question;

static void ask_somewhere(question *q) {
  q->query = lw_cover_query_default();
  q->query.around = level_place(q->level).point;
  q->query.radius = RADIUS;
  q->query.profile = q->profile;
  q->query.threats = q->threats;
  q->query.threat_count = 2;
  q->query.watched = true;
  for (int i = 0; i < 2; i++) {
    q->threats[i] = lw_threat_default();
    q->threats[i].at = lwi_add(level_place(q->level).point, lwi_vec3(0, EYE, 0));
  }
}

/* @return false: there is no path. */
static bool price(const question *q, bool watched, lw_cover_point *point) {
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  query.from = q->query.around;
  query.to = point->at.point;
  query.profile = q->profile;
  query.threats = q->threats;
  query.threat_count = watched ? 2 : 0;
  if (lw_path_find(q->level->world, NULL, &query, &path) != LW_OK) return false;
  point->cost = lw_path_cost(path);
  point->exposed = lw_path_exposed(path);
  lw_path_destroy(path);
  return true;
}

/* The parts of the disc that are out of sight, and out of fire, in lw_exposure_find()'s words. */
static float protection(const question *q, const lw_cover_point *point) {
  const lw_stance *body = lw_profile_get_stance(q->profile, point->stance);
  float radius = lw_profile_get_def(q->profile)->radius, sum = 0;
  lw_vec3 n = point->segment.normal;
  const lw_vec3 rim[] = {{0, 0, 0}, {-n.z, 0, n.x}, {n.z, 0, -n.x}, n, {-n.x, 0, -n.z}};
  for (int i = 0; i < 10; i++) {
    lw_exposure_query query = lw_exposure_query_default();
    lw_exposure seen;
    query.accuracy = LW_ACCURACY_EXACT;
    query.from = query.to = lwi_add(point->at.point, lwi_scale(rim[i / 2], radius));
    query.heights[0] = body->body[0], query.heights[1] = body->body[1];
    query.threats = q->threats;
    query.threat_count = 2;
    query.shots = i % 2 == 1;
    assert_int_equal(lw_exposure_find(q->level->world, NULL, &query, &seen), LW_OK);
    sum += seen.fraction == 0 ? 0.1f : 0;
  }
  return sum;
}

/* The costs of the paths to all the places. @return How many. */
static int price_all(const question *q, lw_cover_point *places) {
  const lwi_cover_scratch *scratch = &q->level->world->scene.own->cover;
  const lw_cover_weights *weights = &q->query.weights;
  int count = 0;
  for (int i = 0; i < scratch->count && count < PLACES_MAX; i++) {
    lw_cover_point *place = &places[count];
    *place = scratch->candidates[i].point;
    if (!price(q, true, place)) continue;
    place->score = weights->protection * protection(q, place) + weights->flank * place->flank / 1.57079633f -
                   weights->cost * place->cost / q->query.radius;
    count += 1;
  }
  return count;
}

/* The best, and not those within a metre of a better one. */
static const lw_cover_point *take_best(const lw_cover_point *places, int count, const lw_cover_point **taken,
                                       int taken_count) {
  const lw_cover_point *best = NULL;
  for (int i = 0; i < count; i++) {
    bool near_by = best && places[i].score <= best->score;
    for (int k = 0; k < taken_count; k++) near_by |= lwi_distance(places[i].at.point, taken[k]->at.point) < 1;
    if (!near_by) best = &places[i];
  }
  return best;
}

/* The cost of a path there; or that of the unwatched path, if no threat sees that one. */
static void check_cost(const question *q, const lw_cover_point *found) {
  lw_cover_point watched = *found, unseen = *found;
  assert_true(price(q, true, &watched) && price(q, false, &unseen));
  const lw_cover_point *same = found->exposed > 0 ? &watched : &unseen;
  if (fabsf(found->cost - watched.cost) <= 1e-4f * watched.cost) return;
  assert_float_equal(found->cost, same->cost, 1e-4f * same->cost);
}

static void the_places_found_are_the_best_of_all(shared_level *level) {
  static lw_cover_point places[PLACES_MAX];
  question q = {.level = level};
  lw_profile_def def = lw_profile_def_default();
  double lost = 0, worst = 0;
  int ranks = 0, paths = 0, looked_at = 0;
  def.cover_bias = BIAS;
  def.radius = lw_navmesh_get_agent(level->mesh).radius;
  assert_int_equal(lw_profile_create(&def, level->areas, &q.profile, NULL), LW_OK);
  for (int i = 0; i < QUERIES; i++) {
    lw_cover_point found[FOUND];
    const lw_cover_point *best[FOUND];
    int count;
    ask_somewhere(&q);
    lw_status status = lw_cover_find(level->world, NULL, &q.query, found, FOUND, &count);
    looked_at += level->world->scene.own->cover.priced_count;
    int all = status == LW_OK ? price_all(&q, places) : 0;
    paths += all;
    for (int k = 0; k < FOUND && (best[k] = take_best(places, all, best, k)) != NULL; k++) {
      if (k >= count) fail_msg("%s, seed %llu: too few", level->name, (unsigned long long)level->seed);
      double less = fmax(0, (double)best[k]->score - (double)found[k].score);
      lost += less;
      worst = fmax(worst, less);
      ranks += 1;
      check_cost(&q, &found[k]);
      if (k > 0) assert_true(found[k].score <= found[k - 1].score);
    }
  }
  printf(
      "%-18s seed %llu: %d of %d paths searched; %d places worth %.4f less than the best of all in the mean, "
      "%.4f at "
      "worst\n",
      level->name, (unsigned long long)level->seed, looked_at, paths, ranks, ranks ? lost / ranks : 0, worst);
  assert_true(worst <= LOST_MAX && lost <= LOST_MEAN * (ranks + 1));
  lw_profile_destroy(q.profile);
}

int main(void) {
  static const level_check checks[] = {
      {"the_places_found_are_the_best_of_all", the_places_found_are_the_best_of_all}};
  return level_run("find cover on levels", checks, 1);
}
