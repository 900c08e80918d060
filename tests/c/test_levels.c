/* The navmesh of the shared levels: sound, kept by its file, and answering as a brute-force implementation
   does. */
#include "level_test.h"

#include "leeward/path.h"
#include "temp_file.h"

#include <stdlib.h>
#include <string.h>

static void is_valid(shared_level *level) {
  lw_error error = {0};
  if (lw_navmesh_validate(level->mesh, &error)) fail_msg("%s: %s", level->name, error.text);
}

/* --- the file ------------------------------------------------------------------------------------------------- */

static void assert_same_answers(shared_level *level, const lw_navmesh *copy) {
  for (int i = 0; i < 200; i++) {
    lw_location from = level_place(level), a, b;
    lw_vec3 off = from.point, half = {2, 4, 2};
    off.x += level_random(level, -2, 2);
    off.y += level_random(level, -2, 2);
    off.z += level_random(level, -2, 2);
    assert_int_equal(lw_navmesh_nearest(level->mesh, off, half, NULL, &a),
                     lw_navmesh_nearest(copy, off, half, NULL, &b));
    assert_true(lwi_equal(a.point, b.point) && a.poly == b.poly);
    lw_raycast ray, same;
    lw_vec3 to = level_place(level).point;
    assert_int_equal(lw_navmesh_raycast(level->mesh, from, to, NULL, &ray), LW_OK);
    assert_int_equal(lw_navmesh_raycast(copy, from, to, NULL, &same), LW_OK);
    assert_true(ray.hit == same.hit && ray.t == same.t && lwi_equal(ray.at.point, same.at.point));
  }
}

static void assert_same_paths(shared_level *level, const lw_navmesh *copy) {
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  def.navmesh = copy;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  for (int i = 0; i < 100; i++) {
    lw_path_query query = lw_path_query_default();
    query.from = level_place(level).point;
    query.to = level_place(level).point;
    lw_path *path, *same;
    lw_status status = lw_path_find(level->world, NULL, &query, &path);
    assert_int_equal(lw_path_find(world, NULL, &query, &same), status);
    if (status != LW_OK) continue;
    int count, same_count;
    const lw_vec3 *points = lw_path_points(path, &count), *same_points = lw_path_points(same, &same_count);
    assert_int_equal(count, same_count);
    assert_memory_equal(points, same_points, (size_t)count * sizeof *points);
    lw_path_destroy(path);
    lw_path_destroy(same);
  }
  lw_world_destroy(world);
}

static void comes_back_from_its_file(shared_level *level) {
  lw_navmesh *copy = navmesh_through_file(level->mesh, level->areas);
  lw_error error = {0};
  if (lw_navmesh_validate(copy, &error)) fail_msg("%s", error.text);
  assert_same_bytes(navmesh_bytes(level->mesh), navmesh_bytes(copy));
  assert_same_answers(level, copy);
  assert_same_paths(level, copy);
  lw_navmesh_destroy(copy);
}

/* --- portals -------------------------------------------------------------------------------------------------- */

#define NEIGHBORS_MAX 256

static bool among(uint32_t item, const uint32_t *items, int count) {
  for (int i = 0; i < count; i++)
    if (items[i] == item) return true;
  return false;
}

static void joins_the_polygons_that_detour_joins(shared_level *level) {
  const lw_navmesh *mesh = level->mesh;
  int wrong = 0;
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    uint32_t ours[NEIGHBORS_MAX], theirs[NEIGHBORS_MAX];
    int our_count = 0, their_count = peer_neighbors(level->detour, p, theirs, NEIGHBORS_MAX);
    for (uint32_t k = mesh->graph.first_portal[p]; k < mesh->graph.end_portal[p]; k++)
      if (!among(mesh->graph.portals[k].to, ours, our_count)) ours[our_count++] = mesh->graph.portals[k].to;
    lwi_polygon polygon = lwi_polygon_get(mesh, p);
    lw_vec3 at = lwi_corner(&polygon, 0);
    for (int i = 0; i < our_count; i++)
      if (!among(ours[i], theirs, their_count) && ++wrong)
        printf("%s: we alone join polygon %u at (%g, %g, %g) to %u\n", level->name, p, (double)at.x,
               (double)at.y, (double)at.z, ours[i]);
    for (int i = 0; i < their_count; i++)
      if (!among(theirs[i], ours, our_count) && ++wrong)
        printf("%s: Detour alone joins polygon %u at (%g, %g, %g) to %u\n", level->name, p, (double)at.x,
               (double)at.y, (double)at.z, theirs[i]);
  }
  assert_int_equal(wrong, 0);
}

static double off_polygon(const lw_navmesh *mesh, lw_location at) {
  return level_outside(mesh, lwi_poly_index(mesh, at.poly), at.point.x, at.point.z);
}

/* --- nearest -------------------------------------------------------------------------------------------------- */

/* The part of a line that is within `half` of 0. */
static void keep_between(double from, double slope, float half, double part[2]) {
  if (slope == 0) {
    if (fabs(from) > (double)half) part[1] = -INFINITY;
    return;
  }
  const double a = (-(double)half - from) / slope, b = ((double)half - from) / slope;
  part[0] = fmax(part[0], fmin(a, b));
  part[1] = fmin(part[1], fmax(a, b));
}

/* The point nearest in xz of what the polygon has in the box, by projection onto every edge. */
static lw_vec3 closest_point(const lw_navmesh *mesh, uint32_t index, lw_vec3 point, lw_vec3 half, bool *found) {
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  lw_vec3 best = point;
  *found = true;
  if (level_outside(mesh, index, point.x, point.z) > 0) {
    double nearest = INFINITY;
    for (uint32_t i = 0; i < polygon.count; i++) {
      lw_vec3 a = lwi_corner(&polygon, i), b = lwi_corner(&polygon, lwi_next_corner(&polygon, i));
      double dx = (double)b.x - a.x, dz = (double)b.z - a.z, in_box[2] = {0, 1};
      double t = (((double)point.x - a.x) * dx + ((double)point.z - a.z) * dz) / (dx * dx + dz * dz);
      keep_between((double)a.x - point.x, dx, half.x, in_box);
      keep_between((double)a.z - point.z, dz, half.z, in_box);
      if (in_box[0] > in_box[1]) continue;
      t = fmin(in_box[1], fmax(in_box[0], t));
      double x = a.x + dx * t, z = a.z + dz * t, distance = hypot(x - point.x, z - point.z);
      if (distance >= nearest) continue;
      nearest = distance;
      best = (lw_vec3){(float)x, 0, (float)z};
    }
    *found = nearest < INFINITY;
  }
  best.y = lwi_polygon_height(mesh, index, best.x, best.z);
  return best;
}

/* @return The distance of the nearest place within the box over all polygons; INFINITY: none. `grow`: rounding
   may decide otherwise below about a millimetre. */
static double nearest_distance(const lw_navmesh *mesh, const lw_box *boxes, lw_vec3 point, lw_vec3 half,
                               double grow) {
  double best = INFINITY;
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    const lw_box *box = &boxes[p];
    if (point.x + half.x < box->min.x - 1 || point.x - half.x > box->max.x + 1 ||
        point.z + half.z < box->min.z - 1 || point.z - half.z > box->max.z + 1)
      continue; /* nothing of it is within the half sizes */
    bool found;
    lw_vec3 at =
        closest_point(mesh, p, point, (lw_vec3){half.x + (float)grow, 0, half.z + (float)grow}, &found);
    if (!found || fabs((double)at.y - point.y) > half.y + grow) continue;
    best = fmin(best, (double)lwi_distance(at, point));
  }
  return best;
}

static void finds_the_nearest_of_all_polygons(shared_level *level) {
  const lw_vec3 half = {2, 4, 2};
  lw_box bounds = lw_navmesh_bounds(level->mesh), *boxes = level_boxes(level->mesh);
  int found = 0;
  for (int i = 0; i < 10000; i++) {
    lw_vec3 point;
    if (i % 2) {
      point = level_place(level).point;
      point.x += level_random(level, -3, 3);
      point.y += level_random(level, -5, 5);
      point.z += level_random(level, -3, 3);
    } else {
      point.x = level_random(level, bounds.min.x - 3, bounds.max.x + 3);
      point.y = level_random(level, bounds.min.y - 3, bounds.max.y + 3);
      point.z = level_random(level, bounds.min.z - 3, bounds.max.z + 3);
    }
    /* Heights differ between polygons that meet, so a tiny step in xz may matter: within a millimetre of the
       box's face either answer is right. */
    double grow = 1e-3 + level_rounding(point);
    const double larger = nearest_distance(level->mesh, boxes, point, half, grow);
    const double smaller = nearest_distance(level->mesh, boxes, point, half, -grow);
    const double min = fmin(larger, smaller), max = fmax(larger, smaller);
    lw_location at;
    lw_status status = lw_navmesh_nearest(level->mesh, point, half, NULL, &at);
    double ours = status == LW_OK ? (double)lwi_distance(at.point, point) : INFINITY;
    found += status == LW_OK;
    const double slack = 4 * grow; /* slopes rise while they cross that millimetre */
    if (ours < min - slack || ours > max + slack)
      fail_msg("%s: nearest to (%g, %g, %g) is %g m away, but should be %g..%g (seed %llu)", level->name,
               (double)point.x, (double)point.y, (double)point.z, ours, min, max,
               (unsigned long long)level->seed);
    if (status == LW_OK) assert_true(off_polygon(level->mesh, at) <= level_rounding(point));
  }
  free(boxes);
  assert_in_range(found, 2500, 10000);
}

static void stands_as_high_as_on_detours_detail_mesh(shared_level *level) {
  double worst = 0, sum = 0;
  int refused = 0;
  const int count = 10000;
  for (int i = 0; i < count; i++) {
    lw_location at = level_place(level);
    float theirs;
    /* Detour computes in floats alone, and 5 km from the origin may find a point on an edge outside all
       triangles. */
    if (!peer_height(level->detour, lwi_poly_index(level->mesh, at.poly), at.point, &theirs)) {
      refused++;
      continue;
    }
    double off = fabs((double)at.point.y - theirs);
    worst = fmax(worst, off);
    sum += off;
    if (off > 0.01)
      printf("%s: (%g, %g, %g) is at %g for Detour\n", level->name, (double)at.point.x, (double)at.point.y,
             (double)at.point.z, (double)theirs);
  }
  printf("note: %s: heights differ from Detour's by %.5f m in the mean, %.5f m at most\n", level->name,
         sum / count, worst);
  assert_true(worst <= 0.01);
  assert_in_range(refused, 0, 10);
}

/* --- ray cast ------------------------------------------------------------------------------------------------- */

/* A walk in small steps. From polygon to polygon it goes over portals alone, but over as many as it takes to
   come to one that holds the next point. */
typedef struct fine_walk {
  const lw_navmesh *mesh;
  uint32_t at;
  double step, slack; /* how far outside still counts as inside [m] */
} fine_walk;

#define QUEUE_MAX 64

/* Whether (x, z) is so near to the portal that the last step may have passed it. */
static bool within_reach(const fine_walk *walk, uint32_t polygon, const lwi_portal *portal, double x,
                         double z) {
  lw_vec3 left, right;
  lwi_portal_points(walk->mesh, polygon, portal, &left, &right);
  double dx = (double)left.x - right.x, dz = (double)left.z - right.z;
  double t = fmin(1, fmax(0, ((x - right.x) * dx + (z - right.z) * dz) / (dx * dx + dz * dz)));
  return hypot(right.x + dx * t - x, right.z + dz * t - z) <= walk->step + 2 * walk->slack + 1e-3;
}

static bool fine_step(fine_walk *walk, double x, double z) {
  uint32_t queue[QUEUE_MAX] = {walk->at};
  int count = 1;
  for (int i = 0; i < count; i++) {
    if (level_outside(walk->mesh, queue[i], x, z) <= walk->slack) {
      walk->at = queue[i];
      return true;
    }
    for (uint32_t k = walk->mesh->graph.first_portal[queue[i]]; k < walk->mesh->graph.end_portal[queue[i]];
         k++) {
      const lwi_portal *portal = &walk->mesh->graph.portals[k];
      if (count < QUEUE_MAX && !among(portal->to, queue, count) && within_reach(walk, queue[i], portal, x, z))
        queue[count++] = portal->to;
    }
  }
  return false;
}

/* @return How far it came. [m] */
static double fine_walk_along(const lw_navmesh *mesh, lw_location from, lw_vec3 to, double step, double slack) {
  fine_walk walk = {mesh, lwi_poly_index(mesh, from.poly), step, slack};
  double dx = (double)to.x - from.point.x, dz = (double)to.z - from.point.z, length = hypot(dx, dz);
  for (double done = 0; done < length; done += step) {
    double t = fmin(1, (done + step) / length);
    if (!fine_step(&walk, from.point.x + dx * t, from.point.z + dz * t)) return done;
  }
  return length;
}

/* What the ray lets pass at corners and along walls. [m] */
#define RAY_SLACK 1e-4

/* Does Detour come as far, to a centimetre? */
static bool detour_agrees(shared_level *level, lw_location from, lw_vec3 to, double length, double ours) {
  bool hit;
  float t;
  if (!peer_raycast(level->detour, lwi_poly_index(level->mesh, from.poly), from.point, to, &hit, &t))
    return false;
  return fabs((double)t * length - ours) <= 0.01;
}

/* Where Detour and we differ, and on every tenth ray besides, the small steps decide. */
static void casts_rays_as_far_as_a_walk_in_small_steps_comes(shared_level *level) {
  int hits = 0, closer_looks = 0, differences = 0;
  for (int i = 0; i < 10000; i++) {
    lw_location from = level_place(level);
    lw_vec3 to = from.point;
    to.x += level_random(level, -15, 15);
    to.z += level_random(level, -15, 15);
    lw_raycast ray;
    assert_int_equal(lw_navmesh_raycast(level->mesh, from, to, NULL, &ray), LW_OK);
    hits += ray.hit;
    assert_true(off_polygon(level->mesh, ray.at) <= 1e-3 + level_rounding(to));
    double length = hypot((double)to.x - from.point.x, (double)to.z - from.point.z);
    double ours = (double)ray.t * length;
    bool agrees = detour_agrees(level, from, to, length, ours);
    differences += !agrees;
    if (agrees && i % 10 != 0) continue;
    if (fabs(fine_walk_along(level->mesh, from, to, 0.02, RAY_SLACK) - ours) <= 0.03) continue;
    /* A corner that reaches into the line by less than a step is stepped over, and along a wall a hair's
       breadth decides: look closer, once strictly and once with the slack that the ray has. */
    closer_looks++;
    double min = fine_walk_along(level->mesh, from, to, 5e-4, 1e-9);
    double max = fine_walk_along(level->mesh, from, to, 5e-4, 3 * RAY_SLACK);
    /* And a corner that is cut by hardly more than the slack. */
    if (ours < min - 0.01) min = fine_walk_along(level->mesh, from, to, 2e-5, 1e-9);
    if (ours < min - 0.01 || ours > max + 0.01)
      fail_msg(
          "%s: the ray from (%.9g, %g, %.9g) to (%.9g, %.9g) goes %g m of %g, but should go %g..%g (seed %llu)",
          level->name, (double)from.point.x, (double)from.point.y, (double)from.point.z, (double)to.x,
          (double)to.z, ours, length, min, max, (unsigned long long)level->seed);
  }
  printf("note: %s: of 10000 rays %d hit; Detour differs on %d, where ours is right; %d were looked at closer "
         "(seed %llu)\n",
         level->name, hits, differences, closer_looks, (unsigned long long)level->seed);
  assert_in_range(hits, 1000, 9990);
}

/* --- move ----------------------------------------------------------------------------------------------------- */

static void never_moves_off_the_mesh(shared_level *level) {
  double ours = 0, theirs = 0;
  int nearer = 0, further = 0, restless = 0;
  lw_location from = level_place(level);
  for (int i = 0; i < 10000; i++) {
    /* Ten moves in a row, so that what is off would add up. */
    if (i % 10 == 0) from = level_place(level);
    lw_location end;
    lw_vec3 to = from.point, other;
    to.x += level_random(level, -4, 4);
    to.z += level_random(level, -4, 4);
    assert_int_equal(lw_navmesh_move(level->mesh, from, to, NULL, &end), LW_OK);
    uint32_t start = lwi_poly_index(level->mesh, from.poly), at = lwi_poly_index(level->mesh, end.poly);
    assert_true(at != LWI_NONE);
    double off = off_polygon(level->mesh, end), slack = level_rounding(to);
    double wish = (double)lwi_distance_xz(from.point, to), left = (double)lwi_distance_xz(end.point, to);
    if (off > slack || left > wish + 1e-3 + slack)
      fail_msg(
          "%s: from (%.9g, %g, %.9g) towards (%.9g, %.9g) the move ends %g m off the mesh, at (%.9g, %.9g), "
          "%g m from there instead of %g (seed %llu)",
          level->name, (double)from.point.x, (double)from.point.y, (double)from.point.z, (double)to.x,
          (double)to.z, off, (double)end.point.x, (double)end.point.z, left, wish,
          (unsigned long long)level->seed);
    assert_int_equal(level->mesh->graph.islands[at], level->mesh->graph.islands[start]);
    assert_true(end.point.y == lwi_polygon_height(level->mesh, at, end.point.x, end.point.z));
    assert_true(peer_move(level->detour, start, from.point, to, &other));
    double their_left = (double)lwi_distance_xz(other, to);
    nearer += left < their_left - 0.01;
    further += left > their_left + 0.01;
    /* A second slide from its end stays there. */
    lw_location again;
    assert_int_equal(lw_navmesh_move(level->mesh, end, to, NULL, &again), LW_OK);
    restless += (double)lwi_distance_xz(end.point, again.point) > 0.01 + slack;
    ours += left;
    theirs += their_left;
    from = end;
  }
  /* Detour takes the nearest point of all walls that a circle about the segment reaches, also round corners
     where no slide leads; and where its circle ends, a slide goes on. */
  assert_in_range(restless, 0, 50);
  printf("note: %s: moves end %.3f m from where they were to go, Detour's %.3f m; of 10000 %d end nearer, %d "
         "further, "
         "%d go on when asked again\n",
         level->name, ours / 10000, theirs / 10000, nearer, further, restless);
}

int main(void) {
  static const level_check checks[] = {
      {"is_valid", is_valid},
      {"comes_back_from_its_file", comes_back_from_its_file},
      {"joins_the_polygons_that_detour_joins", joins_the_polygons_that_detour_joins},
      {"finds_the_nearest_of_all_polygons", finds_the_nearest_of_all_polygons},
      {"stands_as_high_as_on_detours_detail_mesh", stands_as_high_as_on_detours_detail_mesh},
      {"casts_rays_as_far_as_a_walk_in_small_steps_comes", casts_rays_as_far_as_a_walk_in_small_steps_comes},
      {"never_moves_off_the_mesh", never_moves_off_the_mesh},
  };
  return level_run("levels", checks, sizeof checks / sizeof *checks);
}
