/* What is hidden of segments that an eye sees end-on, or nearly: compared with lines of sight to places along the segment, in
   double precision and against each box. Once with the boxes baked as walls, once with them as obstacles. Corners, heights
   and lines lie on round coordinates, as those of levels do. Failures print their seed. */
#include "bake_scene.h"
#include "sight_scene.h"

#include "core/vec3.h"
#include "leeward/leeward.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define SEED sight_seed()
#define SCENES 4
#define BOXES 8
#define QUERIES 1500
#define SAMPLES 97
#define PARTS 64
#define CLOSE 3e-3 /* lines of sight that pass an edge closer than this are left out [m] */

typedef struct dvec3 {
  double x, y, z;
} dvec3;

/* --- the oracle ------------------------------------------------------------------------------------------- */

static dvec3 into_box(const sight_box *box, dvec3 at) {
  const double c = cos((double)box->yaw), s = sin((double)box->yaw), x = at.x - box->at.x, z = at.z - box->at.z;
  return (dvec3){x * c - z * s, at.y - box->at.y, x * s + z * c};
}

/* @param grown  How much larger the box is to be, on each side. @return Does the line of sight pass through the box, up to
   `before` its end? [m] */
static bool passes(const sight_box *box, dvec3 eye, dvec3 target, double grown, double before) {
  const dvec3 a = into_box(box, eye), b = into_box(box, target);
  const double start[3] = {a.x, a.y, a.z}, ray[3] = {b.x - a.x, b.y - a.y, b.z - a.z};
  const double low[3] = {-(double)box->size.x / 2, 0, -(double)box->size.z / 2},
               high[3] = {(double)box->size.x / 2, (double)box->size.y, (double)box->size.z / 2};
  double enter = 0, leave = 1 - before / sqrt(ray[0] * ray[0] + ray[1] * ray[1] + ray[2] * ray[2]);
  for (int i = 0; i < 3; i++) {
    if (fabs(ray[i]) < 1e-12) {
      if (start[i] <= low[i] - grown || start[i] >= high[i] + grown) return false;
      continue;
    }
    const double p = (low[i] - grown - start[i]) / ray[i], q = (high[i] + grown - start[i]) / ray[i];
    enter = fmax(enter, fmin(p, q));
    leave = fmin(leave, fmax(p, q));
  }
  return enter < leave;
}

typedef struct setup {
  sight_box boxes[BOXES];
  lw_threat threat;
  lw_exposure_query query;
} setup;

/* @return 1: some box hides the place. -1: hardly to be said. */
static int is_behind(const setup *s, dvec3 target) {
  const dvec3 eye = {(double)s->threat.at.x, (double)s->threat.at.y, (double)s->threat.at.z};
  const double distance = sqrt(pow(target.x - eye.x, 2) + pow(target.y - eye.y, 2) + pow(target.z - eye.z, 2));
  int any = 0;
  /* What is less than a thousandth of the distance before the place need not hide it. */
  for (int i = 0; i < BOXES && any != 1; i++)
    if (passes(&s->boxes[i], eye, target, -CLOSE, 2e-3 * distance + CLOSE))
      any = 1;
    else if (passes(&s->boxes[i], eye, target, CLOSE, 0))
      any = -1;
  return any;
}

static int is_hidden_by_rays(const setup *s, double t) {
  const lw_exposure_query *q = &s->query;
  int all = 1;
  for (int i = 0; i < q->height_count && all != 0; i++) {
    const dvec3 at = {q->from.x + ((double)q->to.x - q->from.x) * t,
                      q->from.y + ((double)q->to.y - q->from.y) * t + (double)q->heights[i],
                      q->from.z + ((double)q->to.z - q->from.z) * t};
    const int behind = is_behind(s, at);
    all = behind == 1 ? all : behind;
  }
  return all;
}

/* --- random set-ups --------------------------------------------------------------------------------------- */

static float halves(lw_random *random, int low, int high) {
  return 0.5f * (float)(low + (int)(lwi_random_bits(random) % (uint64_t)(high - low + 1)));
}

static sight_box random_box(lw_random *random) {
  sight_box box = {.cover = LW_COVER_HARD};
  box.size = (lw_vec3){halves(random, 1, 8), halves(random, 2, 6), halves(random, 1, 8)};
  box.at = (lw_vec3){halves(random, 12, 68), 0, halves(random, 12, 68)};
  box.yaw = lwi_random_bits(random) % 3 == 0 ? sight_between(random, -3, 3) : 0;
  return box;
}

/* An eye from 0 to 1 cm off the line, or up to 30 cm: small distances as often as large ones. */
static float random_offset(lw_random *random) {
  const uint64_t kind = lwi_random_bits(random) % 8;
  if (kind == 0) return 0;
  return powf(10, kind == 1 ? sight_between(random, -2, -0.5f) : sight_between(random, -4, -2));
}

static void random_query(lw_random *random, setup *s) {
  static const float heights[] = {0.9f, 1.6f};
  const sight_box *box = &s->boxes[lwi_random_bits(random) % BOXES];
  const bool straight = lwi_random_bits(random) % 2;
  const float angle =
      straight ? 1.5707963f * (float)(lwi_random_bits(random) % 4) : sight_between(random, 0, 6.2831853f);
  const lw_vec3 along = {cosf(angle), 0, sinf(angle)}, beside = {-along.z, 0, along.x};
  const lw_vec3 middle = {box->at.x + halves(random, -3, 3), 0, box->at.z + halves(random, -3, 3)};
  const float offset = random_offset(random);
  lw_vec3 eye = lwi_add(middle, lwi_scale(along, halves(random, -40, 40)));
  s->query = lw_exposure_query_default();
  s->query.accuracy = LW_ACCURACY_EXACT;
  s->query.from = lwi_add(middle, lwi_scale(along, halves(random, -24, 24)));
  s->query.to = lwi_add(middle, lwi_scale(along, halves(random, -24, 24)));
  if (lwi_random_bits(random) % 3 == 0) {
    s->query.heights[0] = heights[lwi_random_bits(random) % 2];
    s->query.height_count = 1;
  }
  s->threat = lw_threat_default();
  eye = lwi_add(eye, lwi_scale(beside, lwi_random_bits(random) % 2 ? offset : 0));
  eye.y = heights[lwi_random_bits(random) % 2] + (lwi_random_bits(random) % 2 ? offset : 0);
  s->threat.at = eye;
}

static bool is_eye_close(const setup *s) {
  const dvec3 eye = {(double)s->threat.at.x, (double)s->threat.at.y, (double)s->threat.at.z},
              above = {eye.x, eye.y + 1e-6, eye.z};
  for (int i = 0; i < BOXES; i++)
    if (passes(&s->boxes[i], eye, above, 0.01, 0)) return true;
  return false;
}

/* --- comparing -------------------------------------------------------------------------------------------- */

typedef struct compared {
  int hidden, seen;
} compared;

static void compare(const lw_world *world, setup *s, const char *what, int number, compared *counts) {
  lw_interval parts[PARTS];
  lw_exposure exposure;
  s->query.threats = &s->threat;
  s->query.threat_count = 1;
  s->query.hidden = parts;
  s->query.hidden_capacity = PARTS;
  assert_int_equal(lw_exposure_find(world, NULL, &s->query, &exposure), LW_OK);
  assert_in_range(exposure.hidden_count, 0, PARTS);
  for (int i = 0; i < SAMPLES; i++) {
    const double t = (i + 0.5) / SAMPLES;
    const int expected = is_hidden_by_rays(s, t);
    int hidden = 0;
    for (int k = 0; k < exposure.hidden_count; k++)
      if ((double)parts[k].t0 <= t && t <= (double)parts[k].t1) hidden = 1;
    if (expected < 0) continue;
    if (hidden != expected)
      fail_msg("%s, query %d: %g of the segment is %s (seed %" PRIu64
               "): eye %.9g %.9g %.9g, from %g %g to %g %g, heights %g %g",
               what, number, t, hidden ? "hidden, expected seen" : "seen, expected hidden", SEED,
               (double)s->threat.at.x, (double)s->threat.at.y, (double)s->threat.at.z, (double)s->query.from.x,
               (double)s->query.from.z, (double)s->query.to.x, (double)s->query.to.z,
               (double)s->query.heights[0], s->query.height_count > 1 ? (double)s->query.heights[1] : 0.0);
    counts->hidden += hidden;
    counts->seen += !hidden;
  }
}

static void compare_scene(lw_random *random, bool baked, compared *counts) {
  setup s;
  for (int i = 0; i < BOXES; i++) s.boxes[i] = random_box(random);
  lw_navmesh *navmesh = sight_bake(s.boxes, baked ? BOXES : 0);
  lw_world *world = sight_world(navmesh);
  for (int i = 0; i < BOXES && !baked; i++) {
    const lw_obstacle_def def = sight_obstacle(&s.boxes[i]);
    lw_obstacle_id id;
    assert_int_equal(lw_obstacle_add(world, &def, &id, NULL), LW_OK);
  }
  assert_int_equal(lw_world_apply_changes(world), LW_OK);
  for (int i = 0; i < QUERIES; i++) {
    random_query(random, &s);
    if (!is_eye_close(&s)) compare(world, &s, baked ? "walls" : "obstacles", i, counts);
  }
  lw_world_destroy(world);
  lw_navmesh_destroy(navmesh);
}

static void compare_scenes(int stream, bool baked) {
  lw_random random = lwi_random_make(SEED, (uint64_t)stream);
  compared counts = {0, 0};
  for (int i = 0; i < SCENES; i++) compare_scene(&random, baked, &counts);
  print_message("note: %d places hidden, %d seen\n", counts.hidden, counts.seen);
  assert_in_range(counts.hidden, SCENES * QUERIES, INT32_MAX);
  assert_in_range(counts.seen, SCENES * QUERIES, INT32_MAX);
}

static void walls_hide_what_they_hide_from_lines_of_sight(void **state) {
  (void)state;
  compare_scenes(1, true);
}

static void obstacles_hide_what_they_hide_from_lines_of_sight(void **state) {
  (void)state;
  compare_scenes(2, false);
}

/* A wall of 4 m between an eye and a segment that are all but in line: whichever the distance from that line. */
static void no_eye_sees_through_a_thick_wall(void **state) {
  (void)state;
  const sight_box wall = {{20, 0, 20}, {4, 3, 4}, 0, LW_COVER_HARD};
  lw_navmesh *navmesh = sight_bake(&wall, 1);
  lw_world *world = sight_world(navmesh);
  lw_threat threat = lw_threat_default();
  lw_exposure_query query = lw_exposure_query_default();
  lw_exposure exposure;
  query.from = (lw_vec3){23, 0, 20};
  query.to = (lw_vec3){29, 0, 20};
  query.threats = &threat;
  query.threat_count = 1;
  query.accuracy = LW_ACCURACY_EXACT;
  for (int i = 0; i <= 200; i++) {
    threat.at = (lw_vec3){10, 1.6f, 20 + 1e-4f * (float)i};
    assert_int_equal(lw_exposure_find(world, NULL, &query, &exposure), LW_OK);
    if (exposure.exposed > 0)
      fail_msg("%g m seen, with the eye %g m off the line", (double)exposure.exposed, 1e-4 * i);
  }
  lw_world_destroy(world);
  lw_navmesh_destroy(navmesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_eye_sees_through_a_thick_wall),
      cmocka_unit_test(walls_hide_what_they_hide_from_lines_of_sight),
      cmocka_unit_test(obstacles_hide_what_they_hide_from_lines_of_sight),
  };
  return cmocka_run_group_tests_name("end-on", tests, scene_open, scene_close);
}
