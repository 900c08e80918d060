/* Cover on the shared levels, beside triangles looked at one by one: where a segment is, there must be a wall;
   where a wall stands beside the mesh's border, there must be a segment. */
#include "core/platform.h"
#include "core/random.h"
#include "core/vec3.h"
#include "cover/segments.h"
#include "levels.h"

#include "leeward/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#define SAMPLES 400
#define SEED 5
#define CROUCH 0.9f
/* Facets of one wall may be 2 cm apart, and what joins of several walls 5 cm. [m] */
#define FACE_SLACK 0.08
/* Parts of what was sampled. */
#define WALLS_MIN 0.99
#define FOUND_MIN 0.97

typedef struct cover_level {
  const char *name;
  lw_area_table *areas;
  lw_geometry *geometry;
  lw_navmesh *mesh;
  lw_world *world;
  lw_bake_report report;
  double took;
  lw_random random;
} cover_level;

static bool open_level(const char *name, cover_level *level) {
  char file[1024];
  lw_error error = {0};
  if (!level_file(name, file, sizeof file)) return false;
  *level = (cover_level){.name = name};
  level->random = lwi_random_make(SEED, 0);
  const lw_bake_settings settings = level_settings();
  if (level_areas(&level->areas, &error) || level_geometry(name, level->areas, &level->geometry, &error))
    fail_msg("%s: %s", name, error.text);
  double begin = lwi_clock();
  if (lw_navmesh_bake(level->geometry, &settings, &level->mesh, &level->report, &error))
    fail_msg("%s: %s", name, error.text);
  level->took = lwi_clock() - begin;
  lw_world_def def = lw_world_def_default();
  def.navmesh = level->mesh;
  assert_int_equal(lw_world_create(&def, &level->world, &error), LW_OK);
  return true;
}

static void close_level(cover_level *level) {
  lw_world_destroy(level->world);
  lw_navmesh_destroy(level->mesh);
  lw_geometry_destroy(level->geometry);
  lw_area_table_destroy(level->areas);
}

/* How far along the ray the first triangle is that hides and, if `upright`, is no floor; infinity: none. All in
   double. */
static double first_triangle(const lw_geometry *geometry, lw_vec3 from, lw_vec3 direction, bool upright) {
  const lw_vec3 *vertices = lw_geometry_vertices(geometry);
  const int *index = lw_geometry_indices(geometry);
  const uint8_t *covers = lw_geometry_covers(geometry);
  double nearest = INFINITY;
  for (int t = 0; t < lw_geometry_triangle_count(geometry); t++, index += 3) {
    if (covers[t] == LW_COVER_NONE) continue;
    lw_vec3 a = lwi_sub(vertices[index[0]], from), b = lwi_sub(vertices[index[1]], from),
            c = lwi_sub(vertices[index[2]], from), n = lwi_cross(lwi_sub(b, a), lwi_sub(c, a));
    double along = (double)lwi_dot(n, direction), length = (double)lwi_length(n);
    if (along == 0 || (upright && fabs((double)n.y) > 0.5 * length)) continue;
    double at = (double)lwi_dot(n, a) / along;
    if (at < 0 || at >= nearest) continue;
    lw_vec3 p = lwi_scale(direction, (float)at);
    double u = (double)lwi_dot(lwi_cross(lwi_sub(b, a), lwi_sub(p, a)), n),
           v = (double)lwi_dot(lwi_cross(lwi_sub(c, b), lwi_sub(p, b)), n),
           w = (double)lwi_dot(lwi_cross(lwi_sub(a, c), lwi_sub(p, c)), n);
    if (u >= 0 && v >= 0 && w >= 0) nearest = at;
  }
  return nearest;
}

/* From where one stands, through the segment. */
static bool has_wall(const cover_level *level, const lwi_cover_segment *segment, float t) {
  lw_vec3 normal = lwi_segment_normal(segment), foot = lwi_lerp(segment->a, segment->b, t);
  float low = segment->bottom - segment->a.y, high = fminf(segment->top - segment->a.y, 1.6f);
  lw_vec3 face = {foot.x, foot.y + (low + high) / 2, foot.z};
  const float before = 0.3f;
  double at =
      first_triangle(level->geometry, lwi_add(face, lwi_scale(normal, before)), lwi_scale(normal, -1), false);
  double lean = 0.6 * (double)(high - low) / 2; /* a wall need not be plumb */
  return at >= (double)before - FACE_SLACK - lean && at <= (double)before + FACE_SLACK + lean;
}

static uint32_t draw(cover_level *level, uint32_t below) {
  return (uint32_t)(lwi_random_bits(&level->random) % below);
}

static double check_walls(cover_level *level) {
  const lwi_cover *cover = lwi_cover_of(level->mesh);
  int right = 0;
  for (int i = 0; i < SAMPLES; i++) {
    uint32_t index = draw(level, cover->segment_count);
    right += has_wall(level, &cover->segments[index], lwi_random_unit(&level->random));
  }
  return (double)right / SAMPLES;
}

#define EDGE_MAX 12 /* of border edges [m] */

/* A place on the mesh's border, all of it alike, and the direction outwards. @return false: that is no border. */
static bool draw_border(cover_level *level, lw_vec3 *at, lw_vec3 *out) {
  const lw_navmesh *mesh = level->mesh;
  uint32_t index = draw(level, mesh->polygons.count);
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  uint32_t edge = draw(level, polygon.count);
  if ((mesh->polygons.edges[mesh->polygons.ranges[index].first_corner + edge] & LWI_EDGE_PORTAL) !=
      LWI_EDGE_WALL)
    return false;
  lw_vec3 a = lwi_corner(&polygon, edge), b = lwi_corner(&polygon, lwi_next_corner(&polygon, edge));
  float length = lwi_distance_xz(a, b);
  *at = lwi_lerp(a, b, lwi_random_unit(&level->random));
  at->y = lwi_polygon_height(mesh, index, at->x, at->z);
  *out = lwi_vec3((a.z - b.z) / length, 0, (b.x - a.x) / length);
  return length > EDGE_MAX * lwi_random_unit(&level->random);
}

/* Is there a wall that hides a crouching agent? */
static bool is_beside_wall(const cover_level *level, lw_vec3 at, lw_vec3 out) {
  const double reach = (double)level->mesh->agent.radius + 0.35;
  const float heights[] = {0.5f, 0.7f, CROUCH + 0.1f};
  for (int i = 0; i < 3; i++) {
    lw_vec3 eye = {at.x, at.y + heights[i], at.z};
    if (first_triangle(level->geometry, eye, out, true) > reach) return false;
  }
  return true;
}

static bool is_covered(const cover_level *level, lw_vec3 at) {
  lw_cover_segment_query query = lw_cover_segment_query_default();
  lw_cover_segment found[32];
  int count = 0;
  query.around = at;
  query.radius = level->mesh->agent.radius + 0.6f;
  query.stance = LW_CROUCH;
  assert_int_equal(lw_cover_segment_find(level->world, &query, found, 32, &count), LW_OK);
  return count > 0;
}

static double check_border(cover_level *level, int *walls) {
  int found = 0;
  *walls = 0;
  for (int i = 0; i < 1000 * SAMPLES && *walls < SAMPLES; i++) {
    lw_vec3 at, out;
    if (!draw_border(level, &at, &out) || !is_beside_wall(level, at, out)) continue;
    *walls += 1;
    found += is_covered(level, at);
  }
  return *walls > 0 ? (double)found / *walls : 1;
}

static void check_level(void **state) {
  cover_level level;
  const char *name = *state;
  if (!open_level(name, &level)) {
    char text[256];
    level_missing(name, text, sizeof text);
    print_message("%s\n", text);
    skip();
  }
  int sampled;
  double right = check_walls(&level), found = check_border(&level, &sampled);
  print_message(
      "%-18s %5u segments, %.1f of %.0f ms; %.2f %% are at a wall, %.2f %% of %d places at walls have one\n",
      name, (unsigned)lwi_cover_of(level.mesh)->segment_count, level.report.cover_seconds * 1e3,
      level.took * 1e3, 100 * right, 100 * found, sampled);
  assert_true(right >= WALLS_MIN);
  assert_true(found >= FOUND_MIN);
  close_level(&level);
}

int main(void) {
  struct CMUnitTest tests[LEVEL_COUNT];
  for (int i = 0; i < LEVEL_COUNT; i++)
    tests[i] = (struct CMUnitTest){
        .name = level_names[i], .test_func = check_level, .initial_state = (void *)level_names[i]};
  print_message("seed %d\n", SEED);
  return cmocka_run_group_tests_name("cover on levels", tests, NULL, NULL);
}
