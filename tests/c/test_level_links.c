/* The shared levels' own links (NAME.gset): all of them join, or are refused for a reason that holds. */
#include "levels.h"

#include "core/vec3.h"
#include "mesh/mesh.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct level_links {
  const char *name;
  int joined, refused, volumes;
} level_links;

/* What is refused, and why:
   - fd1_e1m1, link 1: a lift at its upper stop. Below it lies a ledge of half a metre; nobody can stand there.
   - oa_wrackdm17, link 3: a teleporter in a narrow frame. With cells of 0.1 m instead of 0.3 m there is ground in it.
   - oa_wrackdm17, link 6: a jump pad that throws straight up; both of its ends are one place. */
static const level_links expected[] = {{"fd1_e1m1", 1, 1, 0},
                                       {"fd2_map01", 8, 0, 0},
                                       {"oa_aggressor", 4, 0, 0},
                                       {"oa_kaos2", 12, 0, 1},
                                       {"oa_wrackdm17", 14, 2, 1}};
enum { LEVELS = sizeof expected / sizeof *expected };

static lw_area_table *areas;

static int make_areas(void **state) {
  (void)state;
  return (int)level_areas(&areas, NULL);
}

static int drop_areas(void **state) {
  (void)state;
  lw_area_table_destroy(areas);
  return 0;
}

static lw_geometry *open_level(const level_links *level) {
  char file[1024];
  lw_error error = {0};
  lw_geometry *geometry;
  if (!level_file(level->name, file, sizeof file)) {
    level_missing(level->name, file, sizeof file);
    printf("skipped: %s\n", file);
    skip();
  }
  if (level_geometry(level->name, areas, &geometry, &error)) fail_msg("%s", error.text);
  memcpy(strrchr(file, '.'), ".gset", 6);
  if (lw_geometry_load_gset(geometry, file, NULL, &error)) fail_msg("%s", error.text);
  assert_int_equal(lw_geometry_mark_count(geometry), level->volumes);
  assert_int_equal(lw_geometry_link_count(geometry), level->joined + level->refused);
  return geometry;
}

/* By looking at every polygon. */
static float nearest_of_all(const lw_navmesh *mesh, lw_vec3 p) {
  float best = INFINITY;
  for (uint32_t i = 0; i < mesh->polygons.count; i++) {
    lwi_polygon polygon = lwi_polygon_get(mesh, i);
    lw_vec3 closest;
    lwi_polygon_closest(&polygon, p, &closest);
    closest.y = lwi_polygon_height(mesh, i, closest.x, closest.z);
    best = fminf(best, lwi_distance(closest, p));
  }
  return best;
}

static void check_link(const level_links *level, const lw_navmesh *mesh, int index) {
  lw_link link;
  char reason[256];
  assert_int_equal(lw_navmesh_get_link(mesh, index, &link), LW_OK);
  assert_true(fabsf(nearest_of_all(mesh, link.def.from) - link.from_distance) < 1e-3f);
  assert_true(fabsf(nearest_of_all(mesh, link.def.to) - link.to_distance) < 1e-3f);
  lw_link_reason(&link, reason, sizeof reason);
  bool near = link.from_distance <= link.def.radius && link.to_distance <= link.def.radius;
  if (link.state == LW_LINK_JOINED) {
    assert_true(near);
    assert_string_equal(reason, "");
  } else {
    assert_true(!near || lwi_distance(link.from.point, link.to.point) < 0.01f);
    printf("note: %s: link %d is refused: %s\n", level->name, index + 1, reason);
  }
}

static void its_links_join_or_are_refused(void **state) {
  const level_links *level = *state;
  lw_geometry *geometry = open_level(level);
  lw_bake_settings settings = level_settings();
  lw_error error = {0};
  lw_navmesh *mesh;
  if (lw_navmesh_bake(geometry, &settings, &mesh, NULL, &error)) fail_msg("%s", error.text);
  if (lw_navmesh_validate(mesh, &error)) fail_msg("%s", error.text);
  lw_navmesh_stats stats = lw_navmesh_get_stats(mesh);
  printf("note: %s: %d links have joined, %d were refused; %d polygons, %d islands\n", level->name,
         stats.offmesh_links, stats.offmesh_refused, stats.polygons, stats.islands);
  for (int i = 0; i < lw_navmesh_link_count(mesh); i++) check_link(level, mesh, i);
  assert_int_equal(stats.offmesh_links, level->joined);
  assert_int_equal(stats.offmesh_refused, level->refused);
  lw_navmesh_destroy(mesh);
  lw_geometry_destroy(geometry);
}

/* The pool of oa_kaos2 is half a metre deep. */
static void a_volume_of_water_has_a_depth(void **state) {
  (void)state;
  lw_geometry *geometry = open_level(&expected[3]);
  lw_bake_settings settings = level_settings();
  lw_error error = {0};
  lw_navmesh *mesh;
  lw_location location;
  lw_poly poly;
  float depth;
  if (lw_navmesh_bake(geometry, &settings, &mesh, NULL, &error)) fail_msg("%s", error.text);
  const lw_vec3 pool = {-2.6f, -14.5f, 3.7f};
  assert_int_equal(lw_navmesh_water_depth(mesh, pool, &depth), LW_OK);
  assert_true(fabsf(depth - 0.5f) < 0.05f);
  assert_int_equal(lw_navmesh_nearest(mesh, pool, (lw_vec3){0.1f, 1, 0.1f}, NULL, &location), LW_OK);
  assert_int_equal(lw_navmesh_get_poly(mesh, location.poly, &poly), LW_OK);
  assert_int_equal(poly.area, lw_area_table_find(areas, "shallow_water"));
  lw_navmesh_destroy(mesh);
  lw_geometry_destroy(geometry);
}

int main(void) {
  struct CMUnitTest tests[LEVELS + 1];
  char names[LEVELS][64];
  for (int i = 0; i < LEVELS; i++) {
    snprintf(names[i], sizeof names[i], "%s_its_links_join_or_are_refused", expected[i].name);
    tests[i] = (struct CMUnitTest){
        .name = names[i], .test_func = its_links_join_or_are_refused, .initial_state = (void *)&expected[i]};
  }
  tests[LEVELS] = (struct CMUnitTest)cmocka_unit_test(a_volume_of_water_has_a_depth);
  setvbuf(stdout, NULL, _IOLBF, 0);
  return cmocka_run_group_tests(tests, make_areas, drop_areas);
}
