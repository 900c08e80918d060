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
#include <time.h>

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
  uint32_t near[WALLS_MAX];
  lwi_clear_polygon polygons[2];
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
  s->polygons[0] = (lwi_clear_polygon){.near_count = (uint32_t)count};
  s->clearance = (lwi_clearance){.keep = (double)between(random, 0.1f, 1.2f),
                                 .barriers = s->walls,
                                 .near = s->near,
                                 .polygons = s->polygons,
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
    for (uint32_t w = 0; w < s->polygons[0].near_count; w++)
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

#define POSTS 200
#define YARD 60.0f

/* Posts all over a yard; agents that pass between most of them, and agents that pass between none. */
static void a_route_among_hundreds_of_walls_is_soon_found(void **state) {
  (void)state;
  static const char *const row[] = {"."};
  static const float keeps[] = {0.3f, 0.6f, 1, 1.5f, 2, 3};
  static lwi_barrier walls[POSTS];
  static uint32_t near[POSTS];
  lwi_clear_polygon polygons[] = {{.near_count = POSTS}};
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_route_scratch route = {.memory = &memory};
  lw_navmesh *yard = support_grid(radius_table, row, 1, YARD);
  for (int k = 0; k < 6; k++) {
    lw_random random = lwi_random_make(7, (uint64_t)k);
    lwi_clearance clearance = {.keep = (double)keeps[k],
                               .barriers = walls,
                               .near = near,
                               .polygons = polygons,
                               .graph = {.mesh = yard}};
    for (uint32_t i = 0; i < POSTS; i++) {
      const float x = between(&random, 0, YARD), z = between(&random, 0, YARD);
      near[i] = i;
      walls[i] = (lwi_barrier){x, z, x + 0.1f, z};
    }
    const clock_t begin = clock();
    assert_true(
        lwi_clearance_route(&clearance, &route, 0, (lwi_point2){1, 1}, (lwi_point2){59, 59}, LWI_CLEAR_SLACK));
    const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    double length = 0;
    lwi_point2 at = {1, 1};
    for (int i = 0; i <= route.point_count; i++) {
      const lwi_point2 next = i < route.point_count ? route.points[i] : (lwi_point2){59, 59};
      length += lwi_point2_distance(at, next);
      at = next;
    }
    printf("note: keep %g m: %d turns, %.3f m, %.3f s\n", (double)keeps[k], route.point_count, length, seconds);
    assert_true(seconds < 5);
    if (k < 3) assert_true(route.point_count > 0 && length < 84);
  }
  lwi_route_scratch_free(&route);
  lw_navmesh_destroy(yard);
}

/* Walls from either side by turns, past whose ends the way winds. */
static void comb(strewn *s, lw_random *random) {
  const float pitch = between(random, 0.8f, 1.2f), depth = between(random, 2, 5);
  uint32_t count = 0;
  for (float x = between(random, 0.3f, pitch); x < SIDE - 0.5f; x += pitch) {
    const float z = count % 2 ? SIDE : 0, slant = between(random, -0.2f, 0.2f);
    s->walls[count] = (lwi_barrier){x, z, x + slant, count % 2 ? SIDE - depth : depth};
    s->near[count] = count;
    count++;
  }
  s->polygons[0].near_count = count;
  s->clearance.keep = (double)between(random, 0.05f, 0.3f);
}

/* The portal of the first of two squares, if the walls leave one clear interval of it. */
static bool make_portal(const strewn *s, lwi_region_scratch *work, lwi_portal *portal,
                        lwi_portal_interval *interval, lwi_point2 *middle) {
  const lwi_barriers near = lwi_clearance_walls_near(&s->clearance, 0);
  *portal = s->mesh->graph.portals[s->mesh->graph.first_portal[0]];
  const lwi_polygon square = lwi_polygon_get(s->mesh, 0);
  const lwi_point2 edge[] = {lwi_point2_of(lwi_corner(&square, portal->edge)),
                             lwi_point2_of(lwi_corner(&square, (portal->edge + 1u) % square.count))};
  work->free_interval_count = 0;
  assert_true(lwi_region_free(work, &near, edge, portal->edge, 0, 1));
  if (work->free_interval_count != 1) return false;
  const lwi_edge_interval found = work->free_intervals[0];
  if (found.t1 - found.t0 < 2 * CELL / (double)SIDE) return false;
  *interval = (lwi_portal_interval){(float)found.t0, (float)found.t1};
  portal->interval = 0;
  *middle = lwi_point2_lerp(edge[0], edge[1], (found.t0 + found.t1) / 2);
  middle->x = fmin(middle->x, (double)SIDE - CELL / 2);
  middle->z = fmin(middle->z, (double)SIDE - CELL / 2);
  return true;
}

/* Also where the way to the portal winds about the walls. */
static void a_place_has_the_region_of_the_portal_that_it_is_connected_with(void **state) {
  (void)state;
  static const char *const row[] = {".."};
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_region_scratch work = {.memory = &memory};
  strewn s = {.mesh = support_grid(radius_table, row, 1, SIDE)};
  int connected = 0, shut_in = 0;
  for (uint64_t scene = 0; scene < 8 * SCENES; scene++) {
    lw_random random = lwi_random_make(radius_seed(), scene);
    lwi_portal portal;
    lwi_portal_interval interval;
    uint32_t first[] = {0, 1}, end[] = {1, 1};
    lwi_point2 from, to;
    strew(&s, &random);
    if (scene % 4 == 0) comb(&s, &random);
    const lwi_barriers near = lwi_clearance_walls_near(&s.clearance, 0);
    if (!make_portal(&s, &work, &portal, &interval, &to) || !draw_clear(&s, &random, &from)) continue;
    if (lwi_region_clear(&near, from, to, 0)) continue;
    s.clearance.graph = (lwi_graph){s.mesh, 2, 1, first, end, &portal, &interval, NULL, 2, NULL, NULL, NULL};
    s.clearance.first_portal = first;
    s.clearance.end_portal = end;
    uint32_t region;
    const lw_vec3 point = {(float)from.x, 0, (float)from.z};
    assert_true(lwi_clearance_region(&s.clearance, &work, 0, point, &region));
    if (region == LWI_NONE ? cells_connect(&s, from, to, -CELL) : !cells_connect(&s, from, to, CELL))
      fail_msg("scene %d: region %d of (%g, %g) to (%g, %g) (seed %llu)", (int)scene, (int)region, from.x,
               from.z, to.x, to.z, (unsigned long long)radius_seed());
    connected += region == 0;
    shut_in += region == LWI_NONE;
  }
  printf("note: %d places with a way to the portal, %d without\n", connected, shut_in);
  assert_true(connected > SCENES && shut_in > 0);
  lwi_region_scratch_free(&work);
  assert_int_equal(memory.bytes, 0);
  lw_navmesh_destroy(s.mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_connected_has_a_clear_route),
      cmocka_unit_test(a_route_among_hundreds_of_walls_is_soon_found),
      cmocka_unit_test(a_place_has_the_region_of_the_portal_that_it_is_connected_with),
  };
  return cmocka_run_group_tests(tests, radius_open, radius_close);
}
