/* Regions: rooms that a designer would expect, what is changed of them, and what a world says of them. */
#include "allocator.h"
#include "core/random.h"
#include "core/vec3.h"
#include "grid_mesh.h"
#include "leeward/leeward.h"
#include "mesh/mesh.h"
#include "query/regions.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SEED 20261126

static const char *const AREAS[] = {"ground", "mud"};
static const lw_vec3 SNAP = {2, 4, 2};

/* Four rooms of 9 m or 10 m by 9 m, a corridor of 2 m between them, doors of 1 m. */
enum { HOUSE_ROWS = 22 };
static const char *const FOUR_ROOMS[HOUSE_ROWS] = {
    "111111111#1111111111", "111111111#1111111111", "111111111#1111111111", "111111111#1111111111",
    "111111111#1111111111", "111111111#1111111111", "111111111#1111111111", "111111111#1111111111",
    "111111111#1111111111", "####1#########1#####", "11111111111111111111", "11111111111111111111",
    "####1#########1#####", "111111111#1111111111", "111111111#1111111111", "111111111#1111111111",
    "111111111#1111111111", "111111111#1111111111", "111111111#1111111111", "111111111#1111111111",
    "111111111#1111111111", "111111111#1111111111"};

/* --- tests -------------------------------------------------------------------------------------------------------- */

typedef struct scene {
  lw_area_table *areas;
  lw_navmesh *mesh;
  lw_regions *regions;
  lw_world *world;
} scene;

static void open_house(scene *s, const lw_allocator *allocator) {
  s->areas = support_areas(AREAS, 2);
  s->mesh = support_grid(s->areas, FOUR_ROOMS, HOUSE_ROWS, 1);
  lw_regions_def def = lw_regions_def_default();
  if (allocator) def.allocator = *allocator;
  assert_int_equal(lw_regions_create(s->mesh, &def, &s->regions, NULL), LW_OK);
  lw_world_def world = lw_world_def_default();
  world.navmesh = s->mesh;
  assert_int_equal(lw_world_create(&world, &s->world, NULL), LW_OK);
  assert_int_equal(lw_world_set_regions(s->world, 0, s->regions), LW_OK);
}

static void close_house(scene *s) {
  lw_world_destroy(s->world);
  lw_regions_destroy(s->regions);
  lw_navmesh_destroy(s->mesh);
  lw_area_table_destroy(s->areas);
}

static int at(const scene *s, float x, float z) {
  return lw_regions_room_at(s->regions, (lw_vec3){x, 0, z}, SNAP);
}

static void four_rooms_and_a_corridor(void **state) {
  (void)state;
  scene s;
  open_house(&s, NULL);
  assert_int_equal(lw_regions_room_count(s.regions), 5);
  const int nw = at(&s, 4, 4), ne = at(&s, 15, 4), hall = at(&s, 10, 11), sw = at(&s, 4, 18),
            se = at(&s, 15, 18);
  const int all[] = {nw, ne, hall, sw, se};
  for (int i = 0; i < 5; i++)
    for (int k = 0; k < i; k++) assert_int_not_equal(all[i], all[k]);
  for (int x = 0; x < 20; x++)
    for (int z = 10; z < 12; z++) assert_int_equal(at(&s, (float)x + 0.5f, (float)z + 0.5f), hall);
  assert_int_equal(at(&s, 0.5f, 0.5f), nw);
  assert_int_equal(at(&s, 8.5f, 8.5f), nw);
  assert_int_equal(lw_regions_door_count(s.regions), 4);
  for (int i = 0; i < 4; i++) {
    lw_room_door door;
    lw_regions_get_door(s.regions, i, &door);
    assert_true(door.rooms[0] == hall || door.rooms[1] == hall);
    assert_true(fabsf(door.width - 1) < 1e-3f);
  }
  close_house(&s);
}

static void names_and_districts(void **state) {
  (void)state;
  scene s;
  lw_error error;
  open_house(&s, NULL);
  const int nw = at(&s, 4, 4), ne = at(&s, 15, 4), hall = at(&s, 10, 11);
  assert_int_equal(lw_regions_name_room(s.regions, nw, "kitchen", NULL), LW_OK);
  assert_int_equal(lw_regions_find_room(s.regions, "kitchen"), nw);
  assert_int_equal(lw_regions_name_room(s.regions, ne, "kitchen", &error), LW_INVALID);
  assert_string_equal(error.text, "name is 'kitchen', which another room has");
  assert_int_equal(lw_regions_name_room(s.regions, 5, "attic", &error), LW_NOT_FOUND);
  assert_string_equal(error.text, "there is no room 5, expected 0 to 4");
  assert_int_equal(lw_regions_name_room(s.regions, nw, "galley", NULL), LW_OK);
  assert_int_equal(lw_regions_find_room(s.regions, "kitchen"), -1);
  assert_int_equal(lw_regions_district_count(s.regions), 1);
  const int west[] = {nw, hall};
  assert_int_equal(lw_regions_set_district(s.regions, west, 2, "west", NULL), LW_OK);
  assert_int_equal(lw_regions_district_count(s.regions), 2);
  lw_district district;
  lw_regions_get_district(s.regions, lw_regions_find_district(s.regions, "west"), &district);
  assert_int_equal(district.room_count, 2);
  const int all[] = {0, 1, 2, 3, 4};
  assert_int_equal(lw_regions_set_district(s.regions, all, 5, "west", NULL), LW_OK);
  assert_int_equal(lw_regions_district_count(s.regions), 1);
  int room;
  const int pair[] = {ne, nw};
  assert_int_equal(lw_regions_merge_rooms(s.regions, pair, 2, &room, NULL), LW_OK);
  assert_int_equal(lw_regions_room_count(s.regions), 4);
  assert_true(room == at(&s, 4, 4) && room == at(&s, 15, 4));
  assert_int_equal(lw_regions_find_room(s.regions, "galley"), room);
  assert_int_equal(lw_regions_room_at(s.regions, (lw_vec3){90, 0, 0}, SNAP), -1);
  assert_int_equal(lw_regions_room_at(s.regions, (lw_vec3){NAN, 0, 0}, SNAP), -1);
  close_house(&s);
}

/* A volume parts the corridor in three: itself, and an end on each side. */
static void volumes(void **state) {
  (void)state;
  scene s;
  lw_error error;
  open_house(&s, NULL);
  const lw_vec3 outline[] = {{8, 0, 10}, {12, 0, 10}, {12, 0, 12}, {8, 0, 12}},
                far[] = {{80, 0, 0}, {90, 0, 0}, {90, 0, 9}};
  lw_region_volume volume = {outline, 4, -1, 2};
  int room;
  lw_regions_name_room(s.regions, at(&s, 1, 11), "hall", NULL);
  assert_int_equal(lw_regions_carve_room(s.regions, &volume, "hall", &room, &error), LW_INVALID);
  assert_string_equal(error.text, "name is 'hall', which room 2 has, of which a part lies outside");
  assert_int_equal(lw_regions_carve_room(s.regions, &volume, "middle", &room, NULL), LW_OK);
  assert_int_equal(lw_regions_room_count(s.regions), 7);
  assert_int_equal(at(&s, 10, 11), room);
  assert_int_equal(at(&s, 8.5f, 10.5f), room);
  assert_true(at(&s, 7.5f, 11) != room && at(&s, 12.5f, 11) != room && at(&s, 7.5f, 11) != at(&s, 12.5f, 11));
  assert_int_equal(lw_regions_find_room(s.regions, "hall"), at(&s, 7.5f, 11)); /* as large, and first */
  volume.bottom = 1;
  assert_int_equal(lw_regions_carve_room(s.regions, &volume, NULL, NULL, NULL), LW_NO_POINT);
  volume = (lw_region_volume){far, 3, -1, 2};
  assert_int_equal(lw_regions_carve_room(s.regions, &volume, NULL, NULL, NULL), LW_NO_POINT);
  volume.count = 2;
  assert_int_equal(lw_regions_carve_room(s.regions, &volume, NULL, NULL, &error), LW_INVALID);
  assert_string_equal(error.text, "volume.count is 2, expected 3 to 1000");
  close_house(&s);
}

static int door_between(const scene *s, int a, int b) {
  for (int i = 0; i < lw_regions_door_count(s->regions); i++) {
    lw_room_door door;
    lw_regions_get_door(s->regions, i, &door);
    if ((door.rooms[0] == a && door.rooms[1] == b) || (door.rooms[0] == b && door.rooms[1] == a)) return i;
  }
  fail_msg("there is no door from %d to %d", a, b);
  return -1;
}

static lw_obstacle_id put(const scene *s, lw_vec3 where, lw_vec3 size) {
  lw_obstacle_def def = lw_obstacle_def_default();
  lw_obstacle_id id;
  def.at = where;
  def.size = size;
  assert_int_equal(lw_obstacle_add(s->world, &def, &id, NULL), LW_OK);
  assert_int_equal(lw_world_apply_changes(s->world), LW_OK);
  return id;
}

static void doors_that_are_shut(void **state) {
  (void)state;
  scene s;
  bool open[4];
  open_house(&s, NULL);
  const int nw = at(&s, 4, 4), hall = at(&s, 10, 11), door = door_between(&s, nw, hall);
  assert_int_equal(lw_world_open_doors(s.world, 0, NULL, open), LW_OK);
  assert_true(open[0] && open[1] && open[2] && open[3]);
  /* In the door, but not on the line between the rooms: a thin leaf, with ground left on both sides of it. */
  const lw_obstacle_id leaf = put(&s, (lw_vec3){4.5f, 0, 9.5f}, (lw_vec3){2, 2, 0.2f});
  assert_int_equal(lw_world_open_doors(s.world, 0, NULL, open), LW_OK);
  for (int i = 0; i < 4; i++) assert_int_equal(open[i], i != door);
  /* A wall across the corridor parts it: its doors lead into the greater half. */
  lw_obstacle_remove(s.world, leaf);
  put(&s, (lw_vec3){8, 0, 11}, (lw_vec3){0.5f, 2, 4});
  assert_int_equal(lw_world_open_doors(s.world, 0, NULL, open), LW_OK);
  for (int i = 0; i < 4; i++) {
    lw_room_door found;
    lw_regions_get_door(s.regions, i, &found);
    assert_int_equal(open[i], found.at.x > 8);
  }
  /* An agent that is 1.2 m wider than the navmesh was baked for fits through no door of 1 m. */
  lw_profile_def wide = lw_profile_def_default();
  lw_profile *profile;
  wide.radius = 0.6f + lw_navmesh_get_agent(s.mesh).radius;
  assert_int_equal(lw_profile_create(&wide, s.areas, &profile, NULL), LW_OK);
  assert_int_equal(lw_world_open_doors(s.world, 0, profile, open), LW_OK);
  assert_false(open[0] || open[1] || open[2] || open[3]);
  lw_world_destroy(s.world);
  s.world = NULL;
  lw_profile_destroy(profile);
  close_house(&s);
}

/* Borders of rooms lie on whole metres: a place there may be in either room. */
static bool is_on_border(lw_vec3 place) {
  return fmodf(place.z, 1) < 1e-3f || fmodf(place.z, 1) > 0.999f;
}

/* The rooms of a path are those of points close together along it. */
static void rooms_of_paths(void **state) {
  (void)state;
  scene s;
  open_house(&s, NULL);
  lw_random random = lwi_random_make(SEED, 99);
  put(&s, (lw_vec3){10, 0, 11}, (lw_vec3){1, 2, 1});
  int compared = 0;
  for (int i = 0; i < 60; i++) {
    lw_path_query query = lw_path_query_default();
    query.from = (lw_vec3){20 * lwi_random_unit(&random), 0, 22 * lwi_random_unit(&random)};
    query.to = (lw_vec3){20 * lwi_random_unit(&random), 0, 22 * lwi_random_unit(&random)};
    lw_path *path;
    if (lw_path_find(s.world, NULL, &query, &path) != LW_OK) continue;
    lw_room_visit visits[16];
    int count = 0, points = 0, next = 0, last = -1;
    assert_int_equal(lw_path_rooms(path, s.world, visits, 16, &count), LW_OK);
    const lw_vec3 *list = lw_path_points(path, &points);
    for (int k = 0; k + 1 < points; k++)
      for (int step = 0; step < 200; step++) {
        const lw_vec3 place = lwi_lerp(list[k], list[k + 1], (float)step / 200);
        lw_world_room found;
        assert_int_equal(lw_world_room_at(s.world, place, SNAP, NULL, &found), LW_OK);
        if (found.room == last) continue;
        if (is_on_border(place)) continue;
        last = found.room;
        while (next + 1 < count && visits[next].in.room != found.room &&
               (is_on_border(visits[next].at) || lwi_distance(visits[next].at, visits[next + 1].at) < 0.3f))
          next++; /* along a border, or too short for these points */
        assert_true(next < count);
        assert_int_equal(visits[next].in.room, found.room);
        const float off = lwi_distance(visits[next].at, place);
        assert_true(off <= lwi_distance(list[k], list[k + 1]) / 100 + 1e-2f);
        next++;
      }
    assert_true(count - next <= 1); /* a path may end on a border */
    compared += count;
    lw_path_destroy(path);
  }
  assert_true(compared > 100);
  close_house(&s);
}

static void links_between_rooms(void **state) {
  (void)state;
  scene s;
  lw_room_link links[4];
  int count;
  open_house(&s, NULL);
  assert_int_equal(lw_world_room_links(s.world, 0, NULL, links, 4, &count), LW_OK);
  assert_int_equal(count, 0);
  lw_link_def def = lw_link_def_default();
  lw_link_id id;
  def.kind = LW_LINK_LADDER;
  def.from = (lw_vec3){8, 0, 4};
  def.to = (lw_vec3){11, 0, 4};
  assert_int_equal(lw_link_add(s.world, &def, &id, NULL), LW_OK);
  assert_int_equal(lw_world_apply_changes(s.world), LW_OK);
  assert_int_equal(lw_world_room_links(s.world, 0, NULL, links, 4, &count), LW_OK);
  assert_int_equal(count, 1);
  assert_true(links[0].kind == LW_LINK_LADDER && links[0].rooms[0] == at(&s, 4, 4) &&
              links[0].rooms[1] == at(&s, 15, 4));
  lw_path_query query = lw_path_query_default();
  query.from = def.from;
  query.to = def.to;
  lw_path *path;
  assert_int_equal(lw_path_find(s.world, NULL, &query, &path), LW_OK);
  lw_room_visit visits[4];
  assert_int_equal(lw_path_rooms(path, s.world, visits, 4, &count), LW_OK);
  assert_int_equal(count, 2);
  assert_true(visits[1].in.room == links[0].rooms[1] && lwi_distance(visits[1].at, def.to) < 0.01f);
  lw_path_destroy(path);
  assert_int_equal(lw_link_enable(s.world, id, false), LW_OK);
  lw_world_apply_changes(s.world);
  assert_int_equal(lw_world_room_links(s.world, 0, NULL, links, 4, &count), LW_OK);
  assert_int_equal(count, 0);
  close_house(&s);
}

/* Another navmesh in the place of that of the regions: rooms and doors are where they were. */
static void another_navmesh(void **state) {
  (void)state;
  scene s;
  bool open[4];
  open_house(&s, NULL);
  const char *rows[HOUSE_ROWS];
  memcpy(rows, FOUR_ROOMS, sizeof rows);
  rows[9] = "##############1#####"; /* without the door of the first room */
  lw_navmesh *other = support_grid(s.areas, rows, HOUSE_ROWS, 1);
  const int door = door_between(&s, at(&s, 4, 4), at(&s, 10, 11));
  assert_int_equal(lw_world_set_navmesh(s.world, 0, other, NULL), LW_OK);
  assert_int_equal(lw_world_apply_changes(s.world), LW_OK);
  assert_int_equal(lw_world_open_doors(s.world, 0, NULL, open), LW_OK);
  for (int i = 0; i < 4; i++) assert_int_equal(open[i], i != door);
  lw_world_room found;
  assert_int_equal(lw_world_room_at(s.world, (lw_vec3){4, 0, 18}, SNAP, NULL, &found), LW_OK);
  assert_int_equal(found.room, at(&s, 4, 18));
  lw_world_destroy(s.world);
  s.world = NULL;
  lw_navmesh_destroy(other);
  close_house(&s);
}

typedef struct drawn {
  int triangles, lines, texts;
} drawn;

static void count_triangle(void *user, lw_vec3 a, lw_vec3 b, lw_vec3 c, uint32_t color) {
  (void)a, (void)b, (void)c, (void)color;
  ((drawn *)user)->triangles++;
}

static void count_line(void *user, lw_vec3 a, lw_vec3 b, float width, uint32_t color) {
  (void)a, (void)b, (void)width;
  ((drawn *)user)->lines += color >> 8 == LW_COLOR_DOOR;
}

static void count_text(void *user, lw_vec3 where, const char *text, uint32_t color) {
  (void)where, (void)color;
  ((drawn *)user)->texts += strcmp(text, "hall") == 0 || strcmp(text, "1") == 0;
}

static void drawing(void **state) {
  (void)state;
  scene s;
  drawn found = {0};
  const lw_debug_draw draw = {
      .triangle = count_triangle, .line = count_line, .text = count_text, .user = &found};
  open_house(&s, NULL);
  lw_regions_name_room(s.regions, at(&s, 10, 11), "hall", NULL);
  lw_world_debug_draw(s.world, LW_DRAW_REGIONS, lw_agent_id_none(), &draw);
  assert_int_equal(found.triangles, 2 * s.mesh->polygons.count);
  assert_int_equal(found.lines, 4);
  assert_int_equal(found.texts, 2);
  for (int i = 0; i < 40; i++) assert_int_not_equal(lw_room_color(i), lw_room_color(i + 1));
  lw_world_set_regions(s.world, 0, NULL);
  found = (drawn){0};
  lw_world_debug_draw(s.world, LW_DRAW_REGIONS, lw_agent_id_none(), &draw);
  assert_true(found.triangles == 0 && found.lines == 0);
  close_house(&s);
}

/* Every allocation fails in turn: nothing leaks, and what there was stays. */
static void no_memory(void **state) {
  (void)state;
  support_memory memory = {.left = -1};
  const lw_allocator allocator = support_allocator(&memory);
  scene s;
  open_house(&s, NULL);
  lw_regions_def def = lw_regions_def_default();
  def.allocator = allocator;
  lw_regions *regions = NULL;
  lw_status status = LW_OUT_OF_MEMORY;
  for (int left = 0; status != LW_OK; left++) {
    memory.left = left;
    status = lw_regions_create(s.mesh, &def, &regions, NULL);
    if (status == LW_OK) break;
    assert_int_equal(status, LW_OUT_OF_MEMORY);
    assert_true(memory.bytes == 0 && regions == NULL);
  }
  assert_true(memory.bytes == (long)lw_regions_memory(regions));
  const lw_vec3 outline[] = {{8, 0, 10}, {12, 0, 10}, {12, 0, 12}, {8, 0, 12}};
  const lw_region_volume volume = {outline, 4, -1, 2};
  const int pair[] = {0, 1};
  for (int call = 0; call < 3; call++) {
    status = LW_OUT_OF_MEMORY;
    for (int left = 0; status != LW_OK; left++) {
      const long before = memory.bytes;
      const int rooms = lw_regions_room_count(regions), districts = lw_regions_district_count(regions);
      memory.left = left;
      status = call == 0   ? lw_regions_carve_room(regions, &volume, "middle", NULL, NULL)
               : call == 1 ? lw_regions_merge_rooms(regions, pair, 2, NULL, NULL)
                           : lw_regions_set_district(regions, pair, 1, "west", NULL);
      if (status == LW_OK) break;
      assert_int_equal(status, LW_OUT_OF_MEMORY);
      assert_true(memory.bytes == before || call == 2);
      assert_int_equal(lw_regions_room_count(regions), rooms);
      assert_int_equal(lw_regions_district_count(regions), districts);
    }
  }
  memory.left = -1;
  lw_regions_destroy(regions);
  assert_int_equal(memory.bytes, 0);
  close_house(&s);
}

static void bad_definitions(void **state) {
  (void)state;
  scene s;
  lw_error error;
  lw_regions *regions;
  open_house(&s, NULL);
  lw_regions_def def = lw_regions_def_default();
  def.door_width = 0;
  assert_int_equal(lw_regions_create(s.mesh, &def, &regions, &error), LW_INVALID);
  assert_string_equal(error.text, "door_width is 0, expected metres > 0");
  def = lw_regions_def_default();
  def.max_area = 5;
  assert_int_equal(lw_regions_create(s.mesh, &def, &regions, &error), LW_INVALID);
  assert_string_equal(error.text, "max_area is 5, expected square metres above min_area, which is 6");
  def = lw_regions_def_default();
  def.min_area = NAN;
  assert_int_equal(lw_regions_create(s.mesh, &def, &regions, &error), LW_INVALID);
  def = lw_regions_def_default();
  def.district_area = INFINITY;
  assert_int_equal(lw_regions_create(s.mesh, &def, &regions, &error), LW_INVALID);
  def.cookie = 0;
  assert_int_equal(lw_regions_create(s.mesh, &def, &regions, &error), LW_INVALID);
  close_house(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(four_rooms_and_a_corridor),

                                     cmocka_unit_test(names_and_districts),
                                     cmocka_unit_test(volumes),
                                     cmocka_unit_test(doors_that_are_shut),
                                     cmocka_unit_test(rooms_of_paths),
                                     cmocka_unit_test(links_between_rooms),
                                     cmocka_unit_test(another_navmesh),
                                     cmocka_unit_test(no_memory),
                                     cmocka_unit_test(drawing),
                                     cmocka_unit_test(bad_definitions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
