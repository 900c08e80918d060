/* Drives of vehicles: what they are, where they lead, and that they are found wherever a search by brute force finds a route. */
#include "core/random.h"
#include "core/vec3.h"
#include "drive_oracle.h"
#include "grid_mesh.h"
#include "leeward/leeward.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define PI 3.14159265f
#define SQUARE 4.0f
#define LENGTH 4.0f
#define WIDTH 1.8f
#define WHEELBASE 2.4f
#define RADIUS 4.0f

typedef struct scene {
  lw_area_table *areas;
  lw_navmesh *mesh;
  lw_world *world;
  lw_profile *car;
} scene;

static lw_profile *make_vehicle(const lw_area_table *areas, lw_vehicle vehicle) {
  lw_profile_def def = lw_profile_def_default();
  lw_profile *profile;
  def.name = "car";
  def.radius = WIDTH / 2;
  def.body.turn_radius = RADIUS;
  def.body.vehicle = vehicle;
  assert_int_equal(lw_profile_create(&def, areas, &profile, NULL), LW_OK);
  return profile;
}

static lw_profile *make_car(const lw_area_table *areas, float reverse_cost) {
  return make_vehicle(areas, (lw_vehicle){WHEELBASE, LENGTH, WIDTH, reverse_cost});
}

static void open_scene(scene *s, const char *const *rows, int count) {
  static const char *const names[] = {"ground"};
  s->areas = support_areas(names, 1);
  s->mesh = support_grid(s->areas, rows, count, SQUARE);
  lw_world_def def = lw_world_def_default();
  def.navmesh = s->mesh;
  assert_int_equal(lw_world_create(&def, &s->world, NULL), LW_OK);
  s->car = make_car(s->areas, 3);
}

static void close_scene(scene *s) {
  lw_world_destroy(s->world);
  lw_profile_destroy(s->car);
  lw_navmesh_destroy(s->mesh);
  lw_area_table_destroy(s->areas);
}

static lw_drive_query query_of(const scene *s, lw_vec3 from, float from_heading, lw_vec3 to, float heading) {
  lw_drive_query query = lw_drive_query_default();
  query.from = from;
  query.from_heading = from_heading;
  query.to = to;
  query.heading = heading;
  query.profile = s->car;
  return query;
}

/* The area of two triangles tells how sharply three points turn: 4 x area / product of the sides. */
static float curvature_of(lw_vec3 a, lw_vec3 b, lw_vec3 c) {
  const float cross = (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x);
  const float sides = lwi_distance_xz(a, b) * lwi_distance_xz(b, c) * lwi_distance_xz(a, c);
  return sides > 0 ? 2 * fabsf(cross) / sides : 0;
}

/* A drive begins and ends where it is to, hangs together, never turns too sharply, and its headings are those of its points. */
static void expect_drive(const lw_drive *drive, const lw_drive_query *query) {
  int count, cusps = 0;
  float reversed = 0;
  const lw_drive_point *points = lw_drive_points(drive, &count);
  assert_true(count >= 1);
  assert_true(lwi_distance_xz(points[0].at, query->from) < 1e-3f);
  if (!isnan(query->heading)) {
    assert_true(lwi_distance_xz(points[count - 1].at, query->to) < 0.01f);
    assert_true(fabsf(remainderf(points[count - 1].heading - query->heading, 2 * PI)) < 0.01f);
  } else {
    assert_true(lwi_distance_xz(points[count - 1].at, query->to) <= query->within + 0.01f);
  }
  for (int i = 0; i + 1 < count; i++) {
    const float far = lwi_distance_xz(points[i].at, points[i + 1].at),
                along = points[i + 1].along - points[i].along;
    assert_true(fabsf(points[i].curvature) <= 1 / RADIUS + 1e-6f);
    assert_true(far <= along + 1e-3f && far >= along * 0.98f - 1e-3f);
    if (points[i].gear < 0) reversed += along;
    if (i > 0 && points[i].gear != points[i - 1].gear) cusps += 1;
    const float turned = remainderf(points[i + 1].heading - points[i].heading, 2 * PI);
    assert_true(fabsf(turned - points[i].curvature * (float)points[i].gear * along) < 1e-3f);
    if (far < 0.2f) continue;
    const float middle = points[i].heading + turned / 2 + (points[i].gear < 0 ? PI : 0);
    const float towards = atan2f(points[i].at.z - points[i + 1].at.z, points[i + 1].at.x - points[i].at.x);
    assert_true(fabsf(remainderf(towards - middle, 2 * PI)) < 0.01f);
    if (i + 2 < count && points[i + 1].gear == points[i].gear &&
        points[i + 1].curvature == points[i].curvature &&
        lwi_distance_xz(points[i + 1].at, points[i + 2].at) > 0.2f)
      assert_true(curvature_of(points[i].at, points[i + 1].at, points[i + 2].at) < 1 / RADIUS + 0.01f);
  }
  assert_true(fabsf(reversed - lw_drive_reversed(drive)) < 0.01f);
  assert_int_equal(cusps, lw_drive_cusps(drive));
  assert_true(fabsf(lw_drive_length(drive) - points[count - 1].along) < 1e-4f);
}

static lw_drive *find(const scene *s, const lw_drive_query *query) {
  lw_drive *drive;
  assert_int_equal(lw_drive_find(s->world, NULL, query, &drive), LW_OK);
  expect_drive(drive, query);
  return drive;
}

/* --- open ground -------------------------------------------------------------------------------------------------- */

static const char *const field[] = {"...............", "...............", "...............", "...............",
                                    "...............", "...............", "...............", "...............",
                                    "...............", "...............", "...............", "..............."};

static void drives_end_in_their_pose(void **state) {
  (void)state;
  scene s;
  open_scene(&s, field, COUNT(field));
  lw_random random = lwi_random_make(5, 1);
  for (int i = 0; i < 60; i++) {
    const lw_vec3 from = {15 + 30 * lwi_random_unit(&random), 0, 12 + 24 * lwi_random_unit(&random)};
    const lw_vec3 to = {15 + 30 * lwi_random_unit(&random), 0, 12 + 24 * lwi_random_unit(&random)};
    const float heading = i % 3 == 0 ? NAN : 2 * PI * lwi_random_unit(&random);
    const lw_drive_query query = query_of(&s, from, 2 * PI * lwi_random_unit(&random), to, heading);
    lw_drive *drive = find(&s, &query);
    assert_true(lw_drive_length(drive) >= lwi_distance_xz(from, to) - query.within - 0.01f);
    lw_drive_destroy(drive);
  }
  close_scene(&s);
}

/* A place a little behind is reached backwards, one ahead forwards, and one far behind by turning round. */
static void backs_only_where_that_is_far_shorter(void **state) {
  (void)state;
  scene s;
  open_scene(&s, field, COUNT(field));
  const lw_vec3 from = {42, 0, 24};
  static const struct {
    float ahead;
    bool backs;
  } cases[] = {{8, false}, {3, false}, {-3, true}, {-28, false}};
  for (int i = 0; i < COUNT(cases); i++) {
    const lw_drive_query query = query_of(&s, from, 0, (lw_vec3){from.x + cases[i].ahead, 0, from.z}, 0);
    lw_drive *drive = find(&s, &query);
    assert_int_equal(lw_drive_reversed(drive) > 0, cases[i].backs);
    lw_drive_destroy(drive);
  }
  close_scene(&s);
}

/* --- tight ground ------------------------------------------------------------------------------------------------- */

/* A lane 8 m wide that ends at a wall. */
static const char *const dead_end[] = {
    "......######", /**/
    "......######", /**/
    "............", /**/
    "............", /**/
    "......######", /**/
    "......######", /**/
};

static void leaves_a_dead_end_in_three_changes_at_most(void **state) {
  (void)state;
  scene s;
  open_scene(&s, dead_end, COUNT(dead_end));
  for (int i = 0; i < 5; i++) {
    const lw_vec3 from = {43.5f, 0, 10 + (float)i};
    const lw_drive_query query = query_of(&s, from, 0, (lw_vec3){6, 0, 12}, PI);
    lw_drive *drive = find(&s, &query);
    assert_true(lw_drive_reversed(drive) > 0);
    assert_in_range(lw_drive_cusps(drive), 1, 3);
    lw_drive_destroy(drive);
  }
  close_scene(&s);
}

/* Bays of 4 m beside a street of 8 m: nose first, and tail first. */
static const char *const bays[] = {
    "..........", /**/
    "..........", /**/
    "#.#.#.#.##", /**/
    "#.#.#.#.##", /**/
};

static void parks_both_ways(void **state) {
  (void)state;
  scene s;
  open_scene(&s, bays, COUNT(bays));
  const lw_vec3 from = {4, 0, 4};
  for (int bay = 1; bay <= 7; bay += 2) {
    const float x = SQUARE * ((float)bay + 0.5f);
    const lw_drive_query nose = query_of(&s, from, 0, (lw_vec3){x, 0, 10.5f}, -PI / 2);
    const lw_drive_query tail = query_of(&s, from, 0, (lw_vec3){x, 0, 13.5f}, PI / 2);
    lw_drive *drive = find(&s, &nose);
    lw_drive_destroy(drive);
    drive = find(&s, &tail);
    assert_true(lw_drive_reversed(drive) > 0);
    lw_drive_destroy(drive);
    const lw_drive_query across = query_of(&s, from, 0, (lw_vec3){x, 0, 12}, 0); /* 4 m long in 4 m */
    lw_drive *none;
    const lw_status status = lw_drive_find(s.world, NULL, &across, &none);
    assert_true(status == LW_NO_GOAL);
    assert_null(none);
  }
  close_scene(&s);
}

/* --- beside brute force ------------------------------------------------------------------------------------------- */

#define SIDE 8 /* squares */

typedef struct random_ground {
  char text[SIDE][SIDE + 1];
  const char *rows[SIDE];
} random_ground;

static bool is_free(const void *ground, double x, double z) {
  const random_ground *of = ground;
  const int i = (int)floor(x / (double)SQUARE), k = (int)floor(z / (double)SQUARE);
  return i >= 0 && k >= 0 && i < SIDE && k < SIDE && of->text[k][i] == '.';
}

static void make_ground(random_ground *ground, lw_random *random) {
  for (int k = 0; k < SIDE; k++) {
    for (int i = 0; i < SIDE; i++) ground->text[k][i] = lwi_random_unit(random) < 0.3f ? '#' : '.';
    ground->text[k][SIDE] = 0;
    ground->rows[k] = ground->text[k];
  }
}

static drive_oracle_pose draw(const drive_oracle *oracle, lw_random *random) {
  for (int i = 0; i < 10000; i++) {
    drive_oracle_pose pose = {(double)lwi_random_unit(random) * SIDE * (double)SQUARE,
                              (double)lwi_random_unit(random) * SIDE * (double)SQUARE,
                              2 * (double)PI * (double)lwi_random_unit(random), 0};
    pose.trailer = pose.heading;
    if (drive_oracle_stands(oracle, pose)) return pose;
  }
  fail_msg("no place for the vehicle");
  return (drive_oracle_pose){0, 0, 0, 0};
}

static drive_oracle oracle_of(const random_ground *ground, double radius) {
  return (drive_oracle){.length = (double)LENGTH,
                        .width = (double)WIDTH,
                        .wheelbase = (double)WHEELBASE,
                        .radius = radius,
                        .size = SIDE * (double)SQUARE,
                        .is_free = is_free,
                        .ground = ground};
}

static void finds_what_brute_force_finds(void **state) {
  (void)state;
  lw_random random = lwi_random_make(7, 1);
  int reached = 0, shut = 0;
  for (int round = 0; round < 7; round++) {
    random_ground ground;
    scene s;
    make_ground(&ground, &random);
    open_scene(&s, ground.rows, SIDE);
    const drive_oracle oracle = oracle_of(&ground, (double)RADIUS);
    for (int i = 0; i < 3; i++) {
      const drive_oracle_pose from = draw(&oracle, &random), to = draw(&oracle, &random);
      const lw_drive_query query = query_of(&s, (lw_vec3){(float)from.x, 0, (float)from.z}, (float)from.heading,
                                            (lw_vec3){(float)to.x, 0, (float)to.z}, (float)to.heading);
      lw_drive *drive;
      const lw_status status = lw_drive_find(s.world, NULL, &query, &drive);
      const bool reaches = drive_oracle_reaches(&oracle, from, to);
      if (drive) expect_drive(drive, &query);
      if (reaches && status != LW_OK)
        print_message("round %d %d: %s: %.2f %.2f %.2f to %.2f %.2f %.2f\n", round, i, lw_status_text(status),
                      from.x, from.z, from.heading, to.x, to.z, to.heading);
      if (reaches) assert_int_equal(status, LW_OK);
      reached += reaches;
      shut += !reaches;
      lw_drive_destroy(drive);
    }
    close_scene(&s);
  }
  assert_true(reached > 8 && shut > 3);
}

/* --- trailers ----------------------------------------------------------------------------------------------------- */

static const lw_trailer small_trailer = {
    .length = 2.4f, .width = WIDTH, .joint = 1, .drawbar = 0.6f, .wheelbase = 1.9f, .max_angle = 1};

static void give_trailer(scene *s, const lw_trailer *trailer) {
  lw_profile_def def = *lw_profile_get_def(s->car);
  lw_profile *profile;
  def.body.trailer = *trailer;
  assert_int_equal(lw_profile_create(&def, s->areas, &profile, NULL), LW_OK);
  lw_profile_destroy(s->car);
  s->car = profile;
}

static drive_oracle_trailer oracle_trailer(const lw_trailer *trailer) {
  return (drive_oracle_trailer){.length = (double)trailer->length,
                                .width = (double)trailer->width,
                                .joint = (double)trailer->joint,
                                .drawbar = (double)trailer->drawbar,
                                .wheelbase = (double)trailer->wheelbase,
                                .max_angle = (double)trailer->max_angle};
}

static double between(double a, double b) {
  return fabs(remainder(a - b, 2 * (double)PI));
}

/* The trailer is where its differential equation takes it, and is never turned too far. */
static void expect_trailer(const lw_drive *drive, drive_oracle oracle) {
  int count;
  const lw_drive_point *points = lw_drive_points(drive, &count);
  for (int i = 0; i + 1 < count; i++) {
    const lw_drive_point *point = &points[i], *next = point + 1;
    const int turn = point->curvature > 0 ? 1 : point->curvature < 0 ? -1 : 0;
    if (turn != 0) oracle.radius = 1 / fabs((double)point->curvature);
    const drive_oracle_pose from = {(double)point->at.x, (double)point->at.z, (double)point->heading,
                                    (double)point->trailer_heading};
    const drive_oracle_pose to =
        drive_oracle_move(&oracle, from, turn, (double)((float)point->gear * (next->along - point->along)));
    assert_true(between(to.trailer, (double)next->trailer_heading) < 0.004);
    assert_true(between((double)next->trailer_heading, (double)next->heading) <=
                oracle.trailer.max_angle + 1e-6);
  }
}

/* Vehicle and trailer stand on the navmesh without what they may extend past it: the radius that it is said to be baked for,
   and LW_DRIVE_SLACK. */
static void expect_to_stand(const drive_oracle *oracle, const lw_drive_point *point) {
  const double less = (double)lw_navmesh_def_default().agent_radius + (double)LW_DRIVE_SLACK + 1e-3;
  drive_oracle slim = *oracle;
  slim.length -= 2 * less;
  slim.width -= 2 * less;
  slim.trailer.length -= 2 * less;
  slim.trailer.drawbar += less;
  slim.trailer.width -= 2 * less;
  const drive_oracle_pose at = {(double)point->at.x, (double)point->at.z, (double)point->heading,
                                (double)point->trailer_heading};
  assert_true(drive_oracle_stands(&slim, at));
}

/* @return Whether a drive was found. */
static bool tow(const scene *s, const drive_oracle *oracle, drive_oracle_pose from, drive_oracle_pose to,
                float *reversed) {
  const lw_drive_query query = query_of(s, (lw_vec3){(float)from.x, 0, (float)from.z}, (float)from.heading,
                                        (lw_vec3){(float)to.x, 0, (float)to.z}, (float)to.heading);
  lw_drive *drive;
  if (lw_drive_find(s->world, NULL, &query, &drive) != LW_OK) return false;
  int count;
  const lw_drive_point *points = lw_drive_points(drive, &count);
  expect_drive(drive, &query);
  expect_trailer(drive, *oracle);
  for (int i = 0; i < count; i++) expect_to_stand(oracle, &points[i]);
  *reversed += lw_drive_reversed(drive);
  lw_drive_destroy(drive);
  return true;
}

/* Brute force goes on from one pose of many that are nearly alike: neither finds all that the other does. */
static void trailers_follow_and_stand_free(void **state) {
  (void)state;
  lw_random random = lwi_random_make(8, 1);
  int reached = 0, missed = 0;
  float reversed = 0;
  for (int round = 0; round < 6; round++) {
    random_ground ground;
    scene s;
    make_ground(&ground, &random);
    open_scene(&s, ground.rows, SIDE);
    give_trailer(&s, &small_trailer);
    drive_oracle oracle = oracle_of(&ground, 1.1 * (double)RADIUS);
    oracle.trailer = oracle_trailer(&small_trailer);
    for (int i = 0; i < 2; i++) {
      const drive_oracle_pose from = draw(&oracle, &random), to = draw(&oracle, &random);
      const bool found = tow(&s, &oracle, from, to, &reversed),
                 reaches = drive_oracle_reaches(&oracle, from, to);
      reached += reaches;
      missed += reaches && !found;
    }
    close_scene(&s);
  }
  assert_true(reached > 8 && reversed > 5);
  assert_true(missed <= reached / 10);
}

/* --- bad input ---------------------------------------------------------------------------------------------------- */

static void refuses_bad_queries(void **state) {
  (void)state;
  scene s;
  open_scene(&s, field, COUNT(field));
  const lw_drive_query good = query_of(&s, (lw_vec3){20, 0, 20}, 0, (lw_vec3){40, 0, 20}, 0);
  lw_drive *drive;
#define REFUSED(change)                                                                                        \
  do {                                                                                                         \
    lw_drive_query query = good;                                                                               \
    query.change;                                                                                              \
    assert_int_equal(lw_drive_find(s.world, NULL, &query, &drive), LW_INVALID);                                \
    assert_null(drive);                                                                                        \
  } while (0)
  REFUSED(cookie = 0);
  REFUSED(profile = NULL);
  REFUSED(from.x = NAN);
  REFUSED(to.z = INFINITY);
  REFUSED(snap.y = 0);
  REFUSED(from_heading = NAN);
  REFUSED(heading = INFINITY);
  REFUSED(within = -1);
  REFUSED(max_nodes = 0);
  REFUSED(navmesh = 7);
  lw_profile_def walker = lw_profile_def_default();
  lw_profile *human;
  assert_int_equal(lw_profile_create(&walker, s.areas, &human, NULL), LW_OK);
  REFUSED(profile = human);
  lw_profile_destroy(human);
  assert_int_equal(lw_drive_find(NULL, NULL, &good, &drive), LW_INVALID);
  assert_int_equal(lw_drive_find(s.world, NULL, NULL, &drive), LW_INVALID);
  assert_int_equal(lw_drive_find(s.world, NULL, &good, NULL), LW_INVALID);
  lw_drive_query lost = good;
  lost.from.x = -100;
  assert_int_equal(lw_drive_find(s.world, NULL, &lost, &drive), LW_NO_START);
  close_scene(&s);
  open_scene(&s, dead_end, COUNT(dead_end));
  lw_drive_query few = query_of(&s, (lw_vec3){43.5f, 0, 12}, 0, (lw_vec3){6, 0, 12}, PI);
  few.max_nodes = 3;
  assert_int_equal(lw_drive_find(s.world, NULL, &few, &drive), LW_OUT_OF_NODES);
  assert_null(drive);
  close_scene(&s);
}

/* A van stands across a lane that is as wide as the van is long, but for its corners, which are round: it fits there, but can
   neither come nor go. */
static void tells_at_once_of_a_goal_that_cannot_be_left(void **state) {
  (void)state;
  static const char *const lanes[] = {
      "............", /**/
      ".##########.", /**/
      ".##########.", /**/
      "............", /**/
  };
  scene s;
  lw_drive *drive;
  open_scene(&s, lanes, COUNT(lanes));
  lw_profile *van = make_vehicle(s.areas, (lw_vehicle){3.3f, 4.9f, WIDTH, 3});
  lw_drive_query across = query_of(&s, (lw_vec3){6, 0, 2}, 0, (lw_vec3){24, 0, 3.65f}, PI / 2);
  across.profile = van;
  across.max_nodes = 3; /* else a search would find out in the end */
  assert_int_equal(lw_drive_find(s.world, NULL, &across, &drive), LW_NO_PATH);
  assert_null(drive);
  across.heading = 0;
  across.to.z = 2;
  across.max_nodes = 1000;
  assert_int_equal(lw_drive_find(s.world, NULL, &across, &drive), LW_OK);
  lw_drive_destroy(drive);
  lw_profile_destroy(van);
  close_scene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(drives_end_in_their_pose),
      cmocka_unit_test(backs_only_where_that_is_far_shorter),
      cmocka_unit_test(leaves_a_dead_end_in_three_changes_at_most),
      cmocka_unit_test(parks_both_ways),
      cmocka_unit_test(finds_what_brute_force_finds),
      cmocka_unit_test(trailers_follow_and_stand_free),
      cmocka_unit_test(tells_at_once_of_a_goal_that_cannot_be_left),
      cmocka_unit_test(refuses_bad_queries),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
