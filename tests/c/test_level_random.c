/* Random points on the shared levels: inside the circle, reachable, on the mesh, and uniform by area. Expected
   areas come from lines drawn over the polygons, not from the runtime's own cutting of circles. */
#include "chi_square.h"
#include "level_test.h"

#include "leeward/query.h"

#include <math.h>
#include <stdlib.h>

/* 9 levels x 4 radii x 5 circles x 556 points: 100,080 points. */
#define CIRCLES 5
#define DRAWS 556
#define DRAWS_ANYWHERE 20000
#define LINES 2000
#define RINGS 3
#define SECTORS (4 * RINGS)
#define CHANCE_MIN 1e-6

static double square(double x) {
  return x * x;
}

/* The part of the line at `z` that is inside the polygon. @return false: none. */
static bool cut(const lwi_polygon *polygon, double z, double *low, double *high) {
  *low = INFINITY;
  *high = -INFINITY;
  for (uint32_t i = 0; i < polygon->count; i++) {
    lw_vec3 a = lwi_corner(polygon, i), b = lwi_corner(polygon, lwi_next_corner(polygon, i));
    if ((a.z <= z) == (b.z <= z)) continue;
    double x = a.x + ((double)b.x - a.x) * (z - a.z) / ((double)b.z - a.z);
    *low = fmin(*low, x);
    *high = fmax(*high, x);
  }
  return *high > *low;
}

/* --- circles -------------------------------------------------------------------------------------------------- */

typedef struct disc_test {
  lw_vec3 center;
  double radius;
  uint32_t island;
  double *polygon_areas;        /* [polygon_count] */
  double sector_areas[SECTORS]; /* ring * 4 + quarter; the rings are of one area */
  int *polygon_hits;            /* [polygon_count] */
  int sector_hits[SECTORS];
} disc_test;

static int quarter(const disc_test *circle, double x, double z) {
  return (x < circle->center.x ? 0 : 1) + (z < circle->center.z ? 0 : 2);
}

static double ring_radius2(const disc_test *circle, int ring) {
  return square(circle->radius) * (ring + 1) / RINGS;
}

static double overlap(double a, double b, double low, double high) {
  return fmax(0, fmin(b, high) - fmax(a, low));
}

/* Add what of the line from `low` to `high` at `z` is inside each sector. */
static void add_line(disc_test *circle, uint32_t polygon, double z, double low, double high, double thickness) {
  double inner[2] = {0, 0};
  for (int ring = 0; ring < RINGS; ring++) {
    double chord2 = ring_radius2(circle, ring) - square(z - circle->center.z);
    if (chord2 <= 0) continue;
    double chord = sqrt(chord2), x = circle->center.x;
    double sides[2] = {overlap(low, high, x - chord, x), overlap(low, high, x, x + chord)};
    for (int side = 0; side < 2; side++) {
      double area = (sides[side] - inner[side]) * thickness;
      circle->sector_areas[ring * 4 + quarter(circle, x + (side ? 1 : -1), z)] += area;
      circle->polygon_areas[polygon] += area;
      inner[side] = sides[side];
    }
  }
}

static void measure(const lw_navmesh *mesh, disc_test *circle) {
  double thickness = 2 * circle->radius / LINES;
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    if (mesh->graph.islands[p] != circle->island) continue;
    lwi_polygon polygon = lwi_polygon_get(mesh, p);
    lw_box box = lwi_box_empty();
    for (uint32_t i = 0; i < polygon.count; i++) box = lwi_box_add(box, lwi_corner(&polygon, i));
    double reach = circle->radius;
    if (box.min.x > circle->center.x + reach || box.max.x < circle->center.x - reach) continue;
    for (int line = 0; line < LINES; line++) {
      double z = circle->center.z - reach + (line + 0.5) * thickness, low, high;
      if (z < box.min.z || z > box.max.z || !cut(&polygon, z, &low, &high)) continue;
      add_line(circle, p, z, low, high, thickness);
    }
  }
}

static void draw(shared_level *level, disc_test *circle) {
  lw_random_point_query query = lw_random_point_query_default();
  query.random = lw_world_random_stream(level->world);
  query.around = circle->center;
  query.radius = (float)circle->radius;
  for (int i = 0; i < DRAWS; i++) {
    lw_location at;
    assert_int_equal(lw_random_point_find(level->world, NULL, &query, &at), LW_OK);
    double distance2 =
        square((double)at.point.x - circle->center.x) + square((double)at.point.z - circle->center.z);
    if (distance2 > square(circle->radius))
      fail_msg("%s: (%.9g, %.9g) is outside the circle of %g m about (%.9g, %.9g)", level->name,
               (double)at.point.x, (double)at.point.z, circle->radius, (double)circle->center.x,
               (double)circle->center.z);
    uint32_t polygon = lwi_poly_index(level->mesh, at.poly);
    assert_int_not_equal(polygon, LWI_NONE);
    assert_int_equal(level->mesh->graph.islands[polygon], circle->island);
    assert_true(level_outside(level->mesh, polygon, at.point.x, at.point.z) <= level_rounding(at.point));
    assert_true(lw_navmesh_contains(level->mesh, at.point, 0.01f, NULL));
    int ring = 0;
    while (ring < RINGS - 1 && distance2 > ring_radius2(circle, ring)) ring++;
    circle->sector_hits[ring * 4 + quarter(circle, at.point.x, at.point.z)]++;
    circle->polygon_hits[polygon]++;
  }
}

/* Sums over the circles of a level. */
typedef struct verdict {
  double chi2[2], min; /* by polygon, by sector */
  int degrees[2], points;
} verdict;

static void judge(const shared_level *level, const disc_test *circle, verdict *all) {
  int count = (int)level->mesh->polygons.count, degrees[2];
  double chi2[2];
  double by_polygon =
      chi_square_test(circle->polygon_hits, circle->polygon_areas, count, &degrees[0], &chi2[0]);
  double by_sector = chi_square_test(circle->sector_hits, circle->sector_areas, SECTORS, &degrees[1], &chi2[1]);
  if (by_polygon < CHANCE_MIN || by_sector < CHANCE_MIN)
    fail_msg("%s: in the circle of %g m about (%g, %g, %g) points are not uniform: chance %g by polygon, %g by "
             "sector "
             "(seed %llu)",
             level->name, circle->radius, (double)circle->center.x, (double)circle->center.y,
             (double)circle->center.z, by_polygon, by_sector, (unsigned long long)level->seed);
  for (int i = 0; i < 2; i++) {
    all->chi2[i] += chi2[i];
    all->degrees[i] += degrees[i];
  }
  all->min = fmin(all->min, fmin(by_polygon, by_sector));
  all->points += DRAWS;
}

/* The circle's centre need not be on the mesh: every second one is moved off its place. */
static void test_circle(shared_level *level, float radius, bool beside, verdict *all) {
  size_t polygons = level->mesh->polygons.count;
  disc_test circle = {.radius = (double)radius, .center = level_place(level).point};
  if (beside) {
    circle.center.x += level_random(level, -1.4f, 1.4f);
    circle.center.z += level_random(level, -1.4f, 1.4f);
  }
  lw_location start;
  if (lw_navmesh_nearest(level->mesh, circle.center, (lw_vec3){2, 4, 2}, NULL, &start) != LW_OK) fail();
  circle.island = level->mesh->graph.islands[lwi_poly_index(level->mesh, start.poly)];
  circle.polygon_areas = calloc(polygons, sizeof *circle.polygon_areas);
  circle.polygon_hits = calloc(polygons, sizeof *circle.polygon_hits);
  if (!circle.polygon_areas || !circle.polygon_hits) abort();
  measure(level->mesh, &circle);
  draw(level, &circle);
  judge(level, &circle, all);
  free(circle.polygon_areas);
  free(circle.polygon_hits);
}

static void draws_uniformly_from_what_is_in_the_circle_and_reachable(shared_level *level) {
  static const float radii[] = {2, 5, 10, 20};
  verdict all = {.min = 1};
  for (int r = 0; r < 4; r++)
    for (int i = 0; i < CIRCLES; i++) test_circle(level, radii[r], i % 2 == 1, &all);
  double by_polygon = chi_square_chance(all.chi2[0], all.degrees[0]);
  double by_sector = chi_square_chance(all.chi2[1], all.degrees[1]);
  printf("note: %s: %d points in circles, 0 outside, 0 out of reach; chi-square by polygon %.0f of %d degrees "
         "(chance "
         "%.3g), by sector %.0f of %d (%.3g), least of a circle %.3g (seed %llu)\n",
         level->name, all.points, all.chi2[0], all.degrees[0], by_polygon, all.chi2[1], all.degrees[1],
         by_sector, all.min, (unsigned long long)level->seed);
  assert_true(by_polygon > CHANCE_MIN && by_sector > CHANCE_MIN);
}

/* --- the whole mesh ------------------------------------------------------------------------------------------- */

/* Squares over the map, so that the points' places count and not their polygons alone. */
#define SQUARES 16

typedef struct map_test {
  lw_box bounds;
  double areas[SQUARES * SQUARES];
  int hits[SQUARES * SQUARES];
} map_test;

static int square_along(double value, double low, double high) {
  int i = (int)((value - low) / (high - low) * SQUARES);
  return i < 0 ? 0 : i >= SQUARES ? SQUARES - 1 : i;
}

static void add_polygon(const lwi_polygon *polygon, map_test *map) {
  lw_box box = lwi_box_empty();
  for (uint32_t i = 0; i < polygon->count; i++) box = lwi_box_add(box, lwi_corner(polygon, i));
  const int lines = 400;
  double thickness = ((double)box.max.z - box.min.z) / lines;
  double min_x = map->bounds.min.x, width = ((double)map->bounds.max.x - min_x) / SQUARES;
  for (int line = 0; line < lines; line++) {
    double z = box.min.z + (line + 0.5) * thickness, low, high;
    if (!cut(polygon, z, &low, &high)) continue;
    int row = square_along(z, map->bounds.min.z, map->bounds.max.z);
    for (int column = 0; column < SQUARES; column++)
      map->areas[row * SQUARES + column] +=
          thickness * overlap(low, high, min_x + column * width, min_x + (column + 1) * width);
  }
}

static void draws_uniformly_from_the_whole_mesh(shared_level *level) {
  map_test map = {.bounds = lw_navmesh_bounds(level->mesh)};
  for (uint32_t p = 0; p < level->mesh->polygons.count; p++) {
    lwi_polygon polygon = lwi_polygon_get(level->mesh, p);
    add_polygon(&polygon, &map);
  }
  lw_random_point_query query = lw_random_point_query_default();
  query.random = lw_world_random_stream(level->world);
  query.anywhere = true;
  for (int i = 0; i < DRAWS_ANYWHERE; i++) {
    lw_location at;
    assert_int_equal(lw_random_point_find(level->world, NULL, &query, &at), LW_OK);
    uint32_t polygon = lwi_poly_index(level->mesh, at.poly);
    assert_int_not_equal(polygon, LWI_NONE);
    assert_true(level_outside(level->mesh, polygon, at.point.x, at.point.z) <= level_rounding(at.point));
    map.hits[square_along(at.point.z, map.bounds.min.z, map.bounds.max.z) * SQUARES +
             square_along(at.point.x, map.bounds.min.x, map.bounds.max.x)]++;
  }
  int degrees;
  double chi2, chance = chi_square_test(map.hits, map.areas, SQUARES * SQUARES, &degrees, &chi2);
  printf("note: %s: %d points from the whole mesh; chi-square %.1f of %d degrees, chance %.3g (seed %llu)\n",
         level->name, DRAWS_ANYWHERE, chi2, degrees, chance, (unsigned long long)level->seed);
  assert_true(chance > CHANCE_MIN);
}

int main(void) {
  static const level_check checks[] = {
      {"draws_uniformly_from_what_is_in_the_circle_and_reachable",
       draws_uniformly_from_what_is_in_the_circle_and_reachable},
      {"draws_uniformly_from_the_whole_mesh", draws_uniformly_from_the_whole_mesh},
  };
  return level_run("level random points", checks, sizeof checks / sizeof *checks);
}
