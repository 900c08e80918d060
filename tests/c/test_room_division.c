/* What every division into rooms has to be, on random maps and levels: found out by brute force. */
#include "core/random.h"
#include "core/vec3.h"
#include "grid_mesh.h"
#include "leeward/leeward.h"
#include "levels.h"
#include "mesh/mesh.h"
#include "mesh/region.h"
#include "query/regions.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define SEED 20261126
#define SIDE 40

static const char *const AREAS[] = {"ground", "mud"};

/* --- an oracle ---------------------------------------------------------------------------------------------------- */

static uint32_t room_of(const lw_regions *regions, uint32_t polygon) {
  return (uint32_t)lw_regions_room_of(regions, lwi_poly_id(regions->mesh, polygon));
}

/* How many connected parts the ground of rooms has, by portals between polygons of one room. */
static uint32_t count_parts(const lw_navmesh *mesh, const lw_regions *regions) {
  uint32_t *parents = malloc(mesh->polygons.count * sizeof *parents), parts = mesh->polygons.count;
  assert_non_null(parents);
  for (uint32_t p = 0; p < mesh->polygons.count; p++) parents[p] = p;
  for (uint32_t p = 0; p < mesh->polygons.count; p++)
    for (uint32_t k = mesh->graph.first_portal[p]; k < mesh->graph.first_portal[p + 1]; k++) {
      const uint32_t to = mesh->graph.portals[k].to;
      if (room_of(regions, p) != room_of(regions, to)) continue;
      const uint32_t a = lwi_root_of(parents, p), b = lwi_root_of(parents, to);
      if (a == b) continue;
      parents[a] = b;
      parts--;
    }
  free(parents);
  return parts;
}

static int count_crossings(const lw_navmesh *mesh, const lw_regions *regions) {
  int count = 0;
  for (uint32_t p = 0; p < mesh->polygons.count; p++)
    for (uint32_t k = mesh->graph.first_portal[p]; k < mesh->graph.first_portal[p + 1]; k++)
      count += room_of(regions, p) < room_of(regions, mesh->graph.portals[k].to);
  return count;
}

static float distance_of_portals(const lw_door_portal *a, const lw_door_portal *b) {
  float least = lwi_distance(a->left, b->left);
  least = fminf(least, lwi_distance(a->left, b->right));
  least = fminf(least, lwi_distance(a->right, b->left));
  return fminf(least, lwi_distance(a->right, b->right));
}

/* The portals of a door are all in its rooms and touch each other in a chain; its width is theirs. */
static void check_door(const lw_regions *regions, int d) {
  lw_room_door door;
  assert_int_equal(lw_regions_get_door(regions, d, &door), LW_OK);
  assert_true(door.rooms[0] < door.rooms[1] && door.portal_count > 0);
  uint32_t *parents = malloc((size_t)door.portal_count * sizeof *parents);
  assert_non_null(parents);
  int parts = door.portal_count;
  double width = 0;
  for (int i = 0; i < door.portal_count; i++) {
    lw_door_portal one, other;
    parents[i] = (uint32_t)i;
    assert_int_equal(lw_regions_get_door_portal(regions, d, i, &one), LW_OK);
    for (int side = 0; side < 2; side++)
      assert_int_equal(lw_regions_room_of(regions, one.polys[side]), door.rooms[side]);
    width += (double)lwi_distance_xz(one.left, one.right);
    for (int k = 0; k < i; k++) {
      lw_regions_get_door_portal(regions, d, k, &other);
      if (distance_of_portals(&one, &other) > 0.3f) continue;
      const uint32_t a = lwi_root_of(parents, (uint32_t)i), b = lwi_root_of(parents, (uint32_t)k);
      if (a == b) continue;
      parents[a] = b;
      parts--;
    }
  }
  free(parents);
  assert_int_equal(parts, 1);
  assert_true(fabs(width - (double)door.width) < 1e-3 * (1 + width));
}

/* Two doors of the same rooms do not touch. */
static void check_apart(const lw_regions *regions, int a, int b) {
  lw_room_door one, other;
  lw_regions_get_door(regions, a, &one);
  lw_regions_get_door(regions, b, &other);
  if (one.rooms[0] != other.rooms[0] || one.rooms[1] != other.rooms[1]) return;
  for (int i = 0; i < one.portal_count; i++)
    for (int k = 0; k < other.portal_count; k++) {
      lw_door_portal p, q;
      lw_regions_get_door_portal(regions, a, i, &p);
      lw_regions_get_door_portal(regions, b, k, &q);
      assert_true(distance_of_portals(&p, &q) > 1e-3f);
    }
}

static void check_rooms(const lw_regions *regions, const lw_regions_def *def) {
  const lw_navmesh *mesh = regions->mesh;
  const int rooms = lw_regions_room_count(regions), districts = lw_regions_district_count(regions);
  double *areas = calloc((size_t)rooms, sizeof *areas), whole = 0;
  int *polygons = calloc((size_t)rooms, sizeof *polygons), grouped = 0;
  assert_true(areas && polygons);
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    assert_in_range(room_of(regions, p), 0, rooms - 1);
    areas[room_of(regions, p)] += lwi_area_of(mesh, p);
    polygons[room_of(regions, p)]++;
  }
  for (int i = 0; i < rooms; i++) {
    lw_room room;
    assert_int_equal(lw_regions_get_room(regions, i, &room), LW_OK);
    assert_true(fabs(areas[i] - (double)room.area) <= 1e-4 * areas[i]);
    assert_int_equal(polygons[i], room.polygon_count);
    assert_in_range(room.district, 0, districts - 1);
    assert_int_equal(lw_regions_room_at(regions, room.middle, (lw_vec3){0.01f, 0.1f, 0.01f}), i);
    if (room.door_count > 0) assert_true(room.area >= def->min_area);
    whole += areas[i];
  }
  assert_true(fabs(whole - mesh->area) <= 1e-6 * whole);
  for (int i = 0; i < districts; i++) {
    lw_district district;
    assert_int_equal(lw_regions_get_district(regions, i, &district), LW_OK);
    assert_true(district.room_count > 0);
    grouped += district.room_count;
  }
  assert_int_equal(grouped, rooms);
  free(areas);
  free(polygons);
}

/* @return How many rooms there are. */
static int check_division(const lw_navmesh *mesh, const lw_regions_def *def) {
  lw_regions *regions, *again;
  assert_int_equal(lw_regions_create(mesh, def, &regions, NULL), LW_OK);
  const int rooms = lw_regions_room_count(regions), doors = lw_regions_door_count(regions);
  check_rooms(regions, def);
  assert_int_equal(count_parts(mesh, regions), rooms);
  int portals = 0, listed = 0;
  for (int i = 0; i < doors; i++) {
    lw_room_door door;
    check_door(regions, i);
    lw_regions_get_door(regions, i, &door);
    portals += door.portal_count;
    if (i > 0) check_apart(regions, i - 1, i);
  }
  assert_int_equal(portals, count_crossings(mesh, regions));
  for (int i = 0; i < rooms; i++)
    for (int k = 0, d; (d = lw_regions_room_door(regions, i, k)) >= 0; k++, listed++) {
      lw_room_door door;
      lw_regions_get_door(regions, d, &door);
      assert_true(door.rooms[0] == i || door.rooms[1] == i);
    }
  assert_int_equal(listed, 2 * doors);
  assert_int_equal(lw_regions_create(mesh, def, &again, NULL), LW_OK);
  for (uint32_t p = 0; p < mesh->polygons.count; p++) assert_int_equal(room_of(regions, p), room_of(again, p));
  lw_regions_destroy(again);
  lw_regions_destroy(regions);
  return rooms;
}

/* --- tests ---------------------------------------------------------------------------------------------------------- */

static void draw_map(char rows[SIDE][SIDE + 1], const char *list[SIDE], uint64_t stream) {
  lw_random random = lwi_random_make(SEED, stream);
  for (int z = 0; z < SIDE; z++) {
    for (int x = 0; x < SIDE; x++) rows[z][x] = lwi_random_unit(&random) < 0.12f ? '#' : '1';
    rows[z][SIDE] = 0;
    list[z] = rows[z];
  }
}

static void random_maps(void **state) {
  (void)state;
  int rooms = 0;
  lw_area_table *areas = support_areas(AREAS, 2);
  for (uint64_t i = 0; i < 6; i++) {
    char rows[SIDE][SIDE + 1];
    const char *list[SIDE];
    draw_map(rows, list, i);
    lw_navmesh *mesh = support_grid(areas, list, SIDE, 1);
    lw_regions_def def = lw_regions_def_default();
    def.door_width = 1.5f + 0.5f * (float)i;
    def.max_area = i % 2 ? 100 : 2500;
    def.district_area = 300;
    rooms += check_division(mesh, &def);
    lw_navmesh_destroy(mesh);
  }
  assert_true(rooms > 60);
  lw_area_table_destroy(areas);
}

static void levels(void **state) {
  (void)state;
  static const char *const names[] = {"fd1_e1m1", "oa_kaos2", "recast_undulating"};
  lw_area_table *areas;
  lw_error error = {0};
  assert_int_equal(level_areas(&areas, &error), LW_OK);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    lw_navmesh *mesh;
    if (level_navmesh(names[i], areas, &mesh, &error) != LW_OK) {
      print_message("%s is left out: %s\n", names[i], error.text);
      continue;
    }
    lw_regions_def def = lw_regions_def_default();
    assert_true(check_division(mesh, &def) > 5);
    def.max_area = 200;
    assert_true(check_division(mesh, &def) > 15);
    lw_navmesh_destroy(mesh);
  }
  lw_area_table_destroy(areas);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_maps), cmocka_unit_test(levels)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
