/* Ways through one polygon between walls: between any two clear places of a region there is one, clear and
   within the polygon. */
#include "core/random.h"
#include "grid_mesh.h"
#include "leeward/leeward.h"
#include "mesh/clearance.h"
#include "radius_scene.h"
#include "search/clearance_route.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define WALLS_MAX 12
#define SIDE 6.0f
#define SCENES 150
#define PAIRS 20

/* One square with walls strewn over it, of which `clearance` knows just what a route asks for. */
typedef struct strewn {
  lw_navmesh *mesh;
  lwi_clearance clearance;
  lwi_barrier walls[WALLS_MAX];
  uint32_t near[WALLS_MAX], first_near[2];
} strewn;

static float between(lw_random *random, float low, float high) {
  return low + (high - low) * lwi_random_unit(random);
}

static void strew(strewn *s, lw_random *random) {
  const int count = 1 + (int)(lwi_random_unit(random) * (WALLS_MAX - 1));
  for (int i = 0; i < count; i++) {
    float x = between(random, -1, SIDE + 1), z = between(random, -1, SIDE + 1);
    s->walls[i] = (lwi_barrier){x, z, x + between(random, -1, 1), z + between(random, -1, 1)};
    s->near[i] = (uint32_t)i;
  }
  s->first_near[0] = 0;
  s->first_near[1] = (uint32_t)count;
  s->clearance = (lwi_clearance){.keep = (double)between(random, 0.1f, 1.2f),
                                 .barriers = s->walls,
                                 .near = s->near,
                                 .first_near = s->first_near,
                                 .graph = {.mesh = s->mesh}};
}

static bool draw_clear(const strewn *s, lw_random *random, lwi_point2 *at) {
  lwi_barriers near = lwi_clearance_walls_near(&s->clearance, 0);
  for (int i = 0; i < 50; i++) {
    *at = (lwi_point2){(double)between(random, 0, SIDE), (double)between(random, 0, SIDE)};
    if (lwi_region_clear(&near, *at, *at, 0)) return true;
  }
  return false;
}

#define CELL 0.02
#define CELLS 300

/* Are both places connected over cells that are clear but for `slack`? */
static bool cells_connect(const strewn *s, lwi_point2 from, lwi_point2 to, double slack) {
  static bool seen[CELLS * CELLS];
  static int stack[CELLS * CELLS];
  lwi_barriers near = lwi_clearance_walls_near(&s->clearance, 0);
  const int goal = (int)(to.z / CELL) * CELLS + (int)(to.x / CELL);
  int depth = 0;
  for (int i = 0; i < CELLS * CELLS; i++) {
    lwi_point2 at = {(i % CELLS + 0.5) * CELL, (i / CELLS + 0.5) * CELL};
    seen[i] = !lwi_region_clear(&near, at, at, slack);
  }
  stack[depth++] = (int)(from.z / CELL) * CELLS + (int)(from.x / CELL);
  while (depth > 0) {
    int at = stack[--depth], x = at % CELLS, z = at / CELLS;
    if (at == goal) return true;
    for (int k = 0; k < 4; k++) {
      int nx = x + (k == 0) - (k == 1), nz = z + (k == 2) - (k == 3), next = nz * CELLS + nx;
      if (nx < 0 || nz < 0 || nx >= CELLS || nz >= CELLS || seen[next]) continue;
      seen[next] = true;
      stack[depth++] = next;
    }
  }
  return false;
}

/* The least distance to a wall that a piece of the route keeps, less what it should keep. */
static double check_route(const strewn *s, const lwi_route_scratch *route, lwi_point2 from, lwi_point2 to) {
  double least = INFINITY;
  for (int i = 0; i <= route->point_count; i++) {
    lwi_point2 next = i < route->point_count ? route->points[i] : to;
    assert_true(next.x > -0.002 && next.z > -0.002 && next.x < (double)SIDE + 0.002 &&
                next.z < (double)SIDE + 0.002);
    for (uint32_t w = 0; w < s->first_near[1]; w++)
      least = fmin(least, lwi_barrier_distance(&s->walls[w], from, next) - s->clearance.keep);
    from = next;
  }
  return least;
}

static void what_is_connected_has_a_clear_route(void **state) {
  (void)state;
  static const char *const row[] = {"."};
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_route_scratch route = {.memory = &memory};
  strewn s = {.mesh = support_grid(radius_table, row, 1, SIDE)};
  int found = 0, bent = 0;
  for (uint64_t scene = 0; scene < SCENES; scene++) {
    lw_random random = lwi_random_make(radius_seed(), scene);
    strew(&s, &random);
    for (int i = 0; i < PAIRS; i++) {
      lwi_point2 from, to;
      if (!draw_clear(&s, &random, &from) || !draw_clear(&s, &random, &to)) break;
      assert_true(lwi_clearance_route(&s.clearance, &route, 0, from, to, LWI_CLEAR_SLACK));
      const double least = check_route(&s, &route, from, to);
      const bool clear = least > -LWI_CLEAR_SLACK - 1e-9;
      if (!clear && i < 4 && cells_connect(&s, from, to, -CELL))
        fail_msg("connected, but the route comes nearer by %g m: scene %d, pair %d (seed %llu)", -least,
                 (int)scene, i, (unsigned long long)radius_seed());
      found += clear;
      bent += clear && route.point_count > 1;
    }
  }
  printf("note: %d routes, %d of them with two turns or more\n", found, bent);
  assert_true(found > SCENES && bent > SCENES);
  lwi_route_scratch_free(&route);
  assert_int_equal(memory.bytes, 0);
  lw_navmesh_destroy(s.mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_connected_has_a_clear_route)};
  return cmocka_run_group_tests(tests, radius_open, radius_close);
}
