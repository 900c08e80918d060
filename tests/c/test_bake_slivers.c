/* Recast makes triangles whose corners lie on one line, where a long border meets two short ones; navmeshes have none. */
#include "bake_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define SIDE 24

/* A level of which Recast makes one; the bake validates it, and a polygon without an area is not valid. */
static void triangles_without_an_area_are_absorbed(void **state) {
  static const lw_geometry_box boxes[] = {
      {{16.409441f, 0, 4.86955452f}, {0.516676068f, 3, 1.09258342f}, 0.227447569f, 0, 0},
      {{4.71164942f, 0, 7.01271677f}, {2.76084685f, 3, 1.54748511f}, 1.23074937f, 0, 0},
      {{5.6385231f, 0, 9.30442905f}, {1.82419133f, 3, 1.74030781f}, 2.79440451f, 0, 0},
      {{7.81119633f, 0, 7.42073536f}, {4.63280344f, 3, 0.883878946f}, 2.59416628f, 0, 0},
      {{8.08465385f, 0, 8.3635149f}, {4.8540206f, 3, 1.03110468f}, 0.462855935f, 0, 0},
      {{6.45222282f, 0, 6.1459341f}, {1.48070467f, 3, 0.956731677f}, 2.71983385f, 0, 0},
      {{18.2166538f, 0, 16.3564377f}, {1.00334811f, 3, 0.764724731f}, 2.60825062f, 0, 0},
      {{18.161274f, 0, 3.26242399f}, {1.2468909f, 3, 1.60464621f}, 2.73736763f, 0, 0},
      {{14.1760845f, 0, 5.36951828f}, {1.03955555f, 3, 0.722079158f}, 1.26415479f, 0, 0},
      {{8.45955467f, 0, 3.49760437f}, {1.36661422f, 3, 1.13792825f}, 1.36643863f, 0, 0}};
  lw_geometry *geometry = scene_floor(scene_table, SIDE, SIDE);
  (void)state;
  for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++)
    assert_int_equal(lw_geometry_add_box(geometry, &boxes[i], NULL), LW_OK);
  lw_navmesh *navmesh = scene_bake(geometry, NULL, NULL);
  /* The ground on both sides of it is one. */
  lw_location a, b;
  const lw_vec3 north = {8, 0, 5.3f}, south = {8, 0, 4.9f}, near = {0.3f, 1, 0.3f};
  assert_int_equal(lw_navmesh_nearest(navmesh, north, near, NULL, &a), LW_OK);
  assert_int_equal(lw_navmesh_nearest(navmesh, south, near, NULL, &b), LW_OK);
  lw_raycast ray;
  assert_int_equal(lw_navmesh_raycast(navmesh, a, b.point, NULL, &ray), LW_OK);
  assert_false(ray.hit);
  lw_navmesh_destroy(navmesh);
  lw_geometry_destroy(geometry);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(triangles_without_an_area_are_absorbed)};
  setvbuf(stdout, NULL, _IOLBF, 0);
  return cmocka_run_group_tests(tests, scene_open, scene_close);
}
