/* Far from the origin: the shared levels' navmeshes moved by 5 and 50 km answer as they do at the origin, to a
   centimetre. Both have just the same polygons: the far one is rounded to floats there, and moving it back
   rounds nothing. */
#include "level_test.h"
#include "shifted_mesh.h"

#include "leeward/query.h"

#include <stdlib.h>
#include <string.h>

#define QUERIES 1500
#define CENTIMETRE 0.01

typedef struct far_pair {
  shared_level *level;
  double shift; /* along x and z [m] */
  lw_navmesh *near, *far;
  lw_world *near_world, *far_world;
} far_pair;

static lw_world *make_world(const lw_navmesh *mesh) {
  lw_world_def def = lw_world_def_default();
  def.navmesh = mesh;
  lw_world *world;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  return world;
}

static void open_pair(far_pair *pair, shared_level *level, double shift) {
  lw_box box = lw_navmesh_bounds(level->mesh);
  double x = shift - floor((double)box.min.x), z = shift - floor((double)box.min.z);
  lw_error error = {0};
  *pair = (far_pair){.level = level, .shift = shift, .far = support_shifted(level->mesh, x, z)};
  pair->near = support_shifted(pair->far, -shift, -shift);
  if (lw_navmesh_validate(pair->near, &error)) fail_msg("%s: %s", level->name, error.text);
  if (lw_navmesh_validate(pair->far, &error)) fail_msg("%s, %g m out: %s", level->name, shift, error.text);
  pair->near_world = make_world(pair->near);
  pair->far_world = make_world(pair->far);
}

static void close_pair(far_pair *pair) {
  lw_world_destroy(pair->near_world);
  lw_world_destroy(pair->far_world);
  lw_navmesh_destroy(pair->near);
  lw_navmesh_destroy(pair->far);
}

/* A float that is one far out, too. */
static float round_to(const far_pair *pair, float x) {
  return (float)((double)(float)(x + pair->shift) - pair->shift);
}

static lw_vec3 out(const far_pair *pair, lw_vec3 p) {
  return lwi_vec3((float)(p.x + pair->shift), p.y, (float)(p.z + pair->shift));
}

/* How far a point out there is from one here. */
static double apart(const far_pair *pair, lw_vec3 near, lw_vec3 far) {
  double dx = (double)far.x - pair->shift - near.x, dz = (double)far.z - pair->shift - near.z;
  double dy = (double)far.y - near.y;
  return sqrt(dx * dx + dy * dy + dz * dz);
}

static lw_vec3 random_point(far_pair *pair, float above) {
  shared_level *level = pair->level;
  uint32_t index = (uint32_t)level_random(level, 0, (float)pair->near->polygons.count - 0.01f);
  lwi_polygon polygon = lwi_polygon_get(pair->near, index);
  lw_vec3 point = lwi_lerp(lwi_corner(&polygon, 0), lwi_corner(&polygon, 2), level_random(level, 0.05f, 0.95f));
  point.x = round_to(pair, point.x + level_random(level, -1, 1));
  point.z = round_to(pair, point.z + level_random(level, -1, 1));
  point.y += level_random(level, -above, above);
  return point;
}

/* A place on both. @return false: the point is so near to a border that it is on one of them alone. */
static bool random_place(far_pair *pair, lw_location *near, lw_location *far) {
  const lw_vec3 half = {2, 4, 2};
  lw_vec3 point = random_point(pair, 0.5f);
  if (lw_navmesh_nearest(pair->near, point, half, NULL, near) != LW_OK) return false;
  near->point.x = round_to(pair, near->point.x);
  near->point.z = round_to(pair, near->point.z);
  uint32_t index = lwi_poly_index(pair->near, near->poly);
  if (level_outside(pair->near, index, near->point.x, near->point.z) > 0) return false;
  near->point.y = lwi_polygon_height(pair->near, index, near->point.x, near->point.z);
  far->point = out(pair, near->point);
  far->poly = lwi_poly_id(pair->far, index);
  return true;
}

static void fail_apart(const far_pair *pair, const char *what, lw_vec3 point, double off) {
  fail_msg("%s, %g m out: %s at (%.9g, %g, %.9g) differs by %g m (seed %llu)", pair->level->name, pair->shift,
           what, (double)point.x, (double)point.y, (double)point.z, off, (unsigned long long)pair->level->seed);
}

/* --- each question ------------------------------------------------------------------------------------------------ */

/* Heights differ between polygons that meet, so beside an edge a centimetre decides between them: then the far
   place must be as far as that of one of the points a centimetre around. */
static bool is_nearby(const far_pair *pair, lw_vec3 point, double distance) {
  const lw_vec3 half = {2, 4, 2};
  double min = INFINITY, max = 0;
  for (int i = 0; i < 9; i++) {
    lw_vec3 beside = {point.x + 0.01f * (float)(i % 3 - 1), point.y, point.z + 0.01f * (float)(i / 3 - 1)};
    lw_location at;
    if (lw_navmesh_nearest(pair->near, beside, half, NULL, &at) != LW_OK) continue;
    min = fmin(min, (double)lwi_distance(at.point, beside));
    max = fmax(max, (double)lwi_distance(at.point, beside));
  }
  return distance >= min - CENTIMETRE && distance <= max + CENTIMETRE;
}

static double compare_nearest(far_pair *pair) {
  const lw_vec3 half = {2, 4, 2};
  double worst = 0;
  for (int i = 0; i < QUERIES; i++) {
    lw_vec3 point = random_point(pair, 3);
    lw_location near, far;
    lw_status status = lw_navmesh_nearest(pair->near, point, half, NULL, &near);
    lw_status other = lw_navmesh_nearest(pair->far, out(pair, point), half, NULL, &far);
    if (status != LW_OK && other != LW_OK) continue;
    /* At the box's faces either answer is right; so is either of two places that are equally near. */
    lw_vec3 less = {half.x - 0.01f, half.y - 0.01f, half.z - 0.01f};
    if (status != other) {
      lw_location inner;
      const lw_navmesh *mesh = status == LW_OK ? pair->near : pair->far;
      lw_vec3 from = status == LW_OK ? point : out(pair, point);
      if (lw_navmesh_nearest(mesh, from, less, NULL, &inner) == LW_OK)
        fail_apart(pair, "nearest", point, INFINITY);
      continue;
    }
    double there = apart(pair, point, far.point), off = fabs((double)lwi_distance(near.point, point) - there);
    if (off > CENTIMETRE) {
      if (!is_nearby(pair, point, there)) fail_apart(pair, "the distance of the nearest place", point, off);
      continue;
    }
    worst = fmax(worst, off);
    if (lwi_poly_index(pair->near, near.poly) != lwi_poly_index(pair->far, far.poly)) continue;
    /* On a slope a point beside is higher or lower. */
    lw_vec3 back = {(float)((double)far.point.x - pair->shift), 0, (float)((double)far.point.z - pair->shift)};
    float height = lwi_polygon_height(pair->near, lwi_poly_index(pair->near, near.poly), back.x, back.z);
    off = fmax((double)lwi_distance_xz(near.point, back), fabs((double)height - far.point.y));
    if (off > CENTIMETRE) fail_apart(pair, "the nearest place", point, off);
    worst = fmax(worst, off);
  }
  return worst;
}

static double compare_height(far_pair *pair) {
  double worst = 0;
  for (int i = 0; i < QUERIES; i++) {
    lw_location near, far;
    if (!random_place(pair, &near, &far)) continue;
    float here, there;
    assert_int_equal(lw_navmesh_height(pair->near, near.point, NULL, &here), LW_OK);
    assert_int_equal(lw_navmesh_height(pair->far, far.point, NULL, &there), LW_OK);
    double off = fabs((double)here - there);
    if (off > CENTIMETRE) fail_apart(pair, "the height", near.point, off);
    assert_true(lw_navmesh_contains(pair->far, far.point, 0.02f, NULL));
    worst = fmax(worst, off);
  }
  return worst;
}

static double ray_length(const lw_navmesh *mesh, lw_location from, lw_vec3 to) {
  lw_raycast ray;
  assert_int_equal(lw_navmesh_raycast(mesh, from, to, NULL, &ray), LW_OK);
  return (double)ray.t * hypot((double)to.x - from.point.x, (double)to.z - from.point.z);
}

/* Past a corner a centimetre decides between metres: then the far ray must go as far as one of those a
   centimetre to the side. */
static bool is_beside(const far_pair *pair, lw_location from, lw_vec3 to, double length) {
  double dx = (double)to.x - from.point.x, dz = (double)to.z - from.point.z, whole = hypot(dx, dz);
  double min = INFINITY, max = 0;
  for (int side = -2; side <= 2; side++) {
    double step = 0.5 * CENTIMETRE * side / whole;
    lw_vec3 beside = {(float)(to.x - dz * step), to.y, (float)(to.z + dx * step)};
    lw_location start = from;
    double far = ray_length(pair->near, start, beside);
    lw_location moved;
    lw_vec3 shifted = {(float)(from.point.x - dz * step), from.point.y, (float)(from.point.z + dx * step)};
    min = fmin(min, far);
    max = fmax(max, far);
    if (lw_navmesh_move(pair->near, from, shifted, NULL, &moved) != LW_OK) continue;
    far = ray_length(pair->near, moved, beside);
    min = fmin(min, far);
    max = fmax(max, far);
  }
  /* To the side, a wall that it meets at an angle is some centimetres nearer or further. */
  return length >= min - 5 * CENTIMETRE && length <= max + 5 * CENTIMETRE;
}

static double compare_rays(far_pair *pair, int *beside) {
  double worst = 0;
  for (int i = 0; i < QUERIES; i++) {
    lw_location near, far;
    if (!random_place(pair, &near, &far)) continue;
    lw_vec3 to = near.point;
    to.x = round_to(pair, to.x + level_random(pair->level, -15, 15));
    to.z = round_to(pair, to.z + level_random(pair->level, -15, 15));
    if (to.x == near.point.x && to.z == near.point.z) continue;
    double here = ray_length(pair->near, near, to), there = ray_length(pair->far, far, out(pair, to));
    double off = fabs(here - there);
    if (off > CENTIMETRE) {
      *beside += 1;
      if (!is_beside(pair, near, to, there)) fail_apart(pair, "the ray's end", near.point, off);
      continue;
    }
    worst = fmax(worst, off);
  }
  return worst;
}

static double compare_moves(far_pair *pair, int *beside) {
  double worst = 0;
  for (int i = 0; i < QUERIES; i++) {
    lw_location near, far, here, there;
    if (!random_place(pair, &near, &far)) continue;
    lw_vec3 to = near.point;
    to.x = round_to(pair, to.x + level_random(pair->level, -4, 4));
    to.z = round_to(pair, to.z + level_random(pair->level, -4, 4));
    assert_int_equal(lw_navmesh_move(pair->near, near, to, NULL, &here), LW_OK);
    assert_int_equal(lw_navmesh_move(pair->far, far, out(pair, to), NULL, &there), LW_OK);
    uint32_t index = lwi_poly_index(pair->far, there.poly);
    double outside = level_outside(pair->far, index, there.point.x, there.point.z);
    if (outside > CENTIMETRE) fail_apart(pair, "a move leaves the mesh, which", near.point, outside);
    double off = apart(pair, here.point, there.point);
    if (off > CENTIMETRE)
      *beside += 1;
    else
      worst = fmax(worst, off);
  }
  return worst;
}

static double compare_walls(far_pair *pair) {
  double worst = 0;
  for (int i = 0; i < QUERIES; i++) {
    lw_location near, far;
    lw_wall here, there;
    if (!random_place(pair, &near, &far)) continue;
    assert_int_equal(lw_navmesh_distance_to_wall(pair->near, near, 15, NULL, &here), LW_OK);
    assert_int_equal(lw_navmesh_distance_to_wall(pair->far, far, 15, NULL, &there), LW_OK);
    double off = fabs((double)here.distance - there.distance);
    if (off > CENTIMETRE) fail_apart(pair, "the distance to the wall", near.point, off);
    worst = fmax(worst, off);
  }
  return worst;
}

static void compare_circles(far_pair *pair) {
  enum { CAPACITY = 2048 };
  static lw_poly_id here[CAPACITY], there[CAPACITY], less[CAPACITY], more[CAPACITY];
  for (int i = 0; i < QUERIES; i++) {
    lw_location near, far;
    int here_count, there_count, less_count, more_count;
    if (!random_place(pair, &near, &far)) continue;
    float radius = level_random(pair->level, 0.02f, 12);
    assert_int_equal(
        lw_navmesh_polygons_around(pair->near, (lw_circle){near, radius}, NULL, here, CAPACITY, &here_count),
        LW_OK);
    assert_int_equal(
        lw_navmesh_polygons_around(pair->far, (lw_circle){far, radius}, NULL, there, CAPACITY, &there_count),
        LW_OK);
    if (here_count == there_count) continue; /* else portals that the circle just touches */
    lw_navmesh_polygons_around(pair->near, (lw_circle){near, radius - 0.01f}, NULL, less, CAPACITY,
                               &less_count);
    lw_navmesh_polygons_around(pair->near, (lw_circle){near, radius + 0.01f}, NULL, more, CAPACITY,
                               &more_count);
    assert_true(there_count >= less_count && there_count <= more_count);
  }
}

static void compare_random_points(far_pair *pair) {
  for (int i = 0; i < QUERIES; i++) {
    lw_location near, far, at;
    if (!random_place(pair, &near, &far)) continue;
    lw_random_point_query query = lw_random_point_query_default();
    query.random = lw_world_random_stream(pair->far_world);
    query.around = far.point;
    query.radius = level_random(pair->level, 0.5f, 12);
    query.snap = lwi_vec3(0.1f, 0.5f, 0.1f);
    assert_int_equal(lw_random_point_find(pair->far_world, NULL, &query, &at), LW_OK);
    double dx = (double)at.point.x - far.point.x, dz = (double)at.point.z - far.point.z;
    if (hypot(dx, dz) > (double)query.radius) fail_apart(pair, "a random point", near.point, hypot(dx, dz));
    double outside = level_outside(pair->far, lwi_poly_index(pair->far, at.poly), at.point.x, at.point.z);
    if (outside > CENTIMETRE) fail_apart(pair, "a random point beside the mesh, which", near.point, outside);
  }
}

static double compare_paths(far_pair *pair) {
  double sum = 0;
  int count = 0;
  for (int i = 0; i < QUERIES / 5; i++) {
    lw_location near, far, goal, far_goal;
    if (!random_place(pair, &near, &far) || !random_place(pair, &goal, &far_goal)) continue;
    lw_path_query here = lw_path_query_default(), there = lw_path_query_default();
    here.from = near.point;
    here.to = goal.point;
    there.from = far.point;
    there.to = far_goal.point;
    lw_path *path, *other;
    lw_status status = lw_path_find(pair->near_world, NULL, &here, &path);
    assert_int_equal(lw_path_find(pair->far_world, NULL, &there, &other), status);
    if (status != LW_OK) continue;
    int points;
    lw_path_points(path, &points);
    /* Every corner may be off by a centimetre; and of two paths that are nearly equal to the search, which is
       not exact, either may be found. */
    double length = (double)lw_path_length(path), off = fabs(length - (double)lw_path_length(other));
    if (off > 2 * CENTIMETRE * points + 0.1 * length) fail_apart(pair, "the path's length", near.point, off);
    sum += off / fmax(1, length);
    count += 1;
    lw_path_destroy(path);
    lw_path_destroy(other);
  }
  return count ? sum / count : 0;
}

static void compare_all(shared_level *level, double shift) {
  far_pair pair;
  int rays = 0, moves = 0;
  open_pair(&pair, level, shift);
  double nearest = compare_nearest(&pair), height = compare_height(&pair), ray = compare_rays(&pair, &rays);
  double move = compare_moves(&pair, &moves), wall = compare_walls(&pair), path = compare_paths(&pair);
  compare_circles(&pair);
  compare_random_points(&pair);
  printf("note: %s, %g m out, at most apart: nearest %.4f m, height %.4f m, ray %.4f m (%d of %d past a "
         "corner), move "
         "%.4f m (%d past a corner), wall %.4f m, paths %.3f %% in the mean\n",
         level->name, shift, nearest, height, ray, rays, QUERIES, move, moves, wall, 100 * path);
  assert_true(path < 0.002);
  assert_in_range(rays, 0, QUERIES / 50);
  assert_in_range(moves, 0, QUERIES / 50);
  close_pair(&pair);
}

static void answers_alike_5_km_out(shared_level *level) {
  compare_all(level, 5000);
}

static void answers_alike_50_km_out(shared_level *level) {
  compare_all(level, 50000);
}

int main(void) {
  static const level_check checks[] = {{"answers_alike_5_km_out", answers_alike_5_km_out},
                                       {"answers_alike_50_km_out", answers_alike_50_km_out}};
  return level_run("far", checks, sizeof checks / sizeof *checks);
}
