/* Levels whose doors their authors placed, and the same levels baked with their doors shut: a permutation that shuts the
   doors leaves what that bake leaves. Polygon for polygon, both ways: the same places can be reached, and as much ground. */
#include "level_test.h"

#include "leeward/leeward.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DOORS_MAX 64
#define POINTS 5    /* of a polygon */
#define SAME 0.05f  /* m: how far a place may lie off in xz, */
#define FAR 0.25f   /* m: and in height */
#define SINK 0.5f   /* m that a door's box reaches below its sill */
#define NEAR 1.0f   /* m from a door's box: there one grid is not like the other */
#define CLASSES 256 /* of places that reach each other, at most */
#define SMALL 4.0   /* m2 of ground that no other ground reaches: a bake may drop what is that small */
/* What may differ in area: of a class, in m2 and in part of it; and parts of a level that have no counterpart within SAME,
   beside doors and elsewhere, where straightened borders differ. */
#define AREA_SLACK 0.5
#define AREA_PART 0.015
#define BESIDE 0.005
#define STRAY 0.001

typedef struct door {
  float x0, z0, x1, z1, bottom, top;
} door;

/* A world, and one place of each class of places that reach each other. */
typedef struct ground {
  lw_world *world;
  lw_vec3 firsts[CLASSES];
  double areas[CLASSES]; /* m2, of the places that are asked about */
  int count;
} ground;

typedef struct doors_test {
  const char *name;
  lw_area_table *areas;
  lw_navmesh *open, *shut;
  door doors[DOORS_MAX];
  int door_count;
} doors_test;

/* --- doors -------------------------------------------------------------------------------------------------------- */

static char *read_text(const char *name) {
  char file[1024];
  level_file(name, file, sizeof file);
  strcpy(file + strlen(file) - strlen("obj"), "json");
  FILE *stream = fopen(file, "rb");
  if (!stream) fail_msg("%s cannot be read", file);
  char *text = calloc(1, 1 << 20);
  assert_non_null(text);
  assert_in_range(fread(text, 1, (1 << 20) - 1, stream), 1, (1 << 20) - 2);
  fclose(stream);
  return text;
}

/* The number behind the key, which stands behind `at`. */
static float number_of(const char *at, const char *key) {
  const char *found = strstr(at, key);
  assert_non_null(found);
  return strtof(found + strlen(key) + strspn(found + strlen(key), "\": [\n"), NULL);
}

/* From its sill to where its lintel is when it is open. */
static void read_doors(doors_test *it) {
  char *text = read_text(it->name);
  const char *at = strstr(text, "\"doors\"");
  assert_non_null(at);
  const char *end = strstr(at, "\n ]");
  while ((at = strstr(at + 1, "\"sector\"")) != NULL && at < end) {
    const char *box = strstr(at, "aabb_xz");
    char *next = strchr(box, '[');
    float sides[4];
    for (int i = 0; i < 4; i++) sides[i] = strtof(next + 1, &next);
    assert_true(it->door_count < DOORS_MAX);
    it->doors[it->door_count++] = (door){
        sides[0], sides[1], sides[2], sides[3], number_of(at, "floor") - SINK, number_of(at, "open_ceiling")};
  }
  free(text);
}

static void define_doors(const doors_test *it, lw_world *world) {
  lw_obstacle_def volumes[DOORS_MAX];
  lw_permutation_def def = lw_permutation_def_default();
  lw_error error = {.text = ""};
  for (int i = 0; i < it->door_count; i++) {
    const door *d = &it->doors[i];
    volumes[i] = lw_obstacle_def_default();
    volumes[i].at = (lw_vec3){(d->x0 + d->x1) / 2, d->bottom, (d->z0 + d->z1) / 2};
    volumes[i].size = (lw_vec3){d->x1 - d->x0, d->top - d->bottom, d->z1 - d->z0};
  }
  const lw_permutation_state_def states[] = {
      {.name = "open"}, {.name = "shut", .volumes = volumes, .volume_count = it->door_count}};
  def.name = "doors";
  def.states = states;
  def.state_count = 2;
  if (lw_permutation_define(world, &def, &error) != LW_OK) fail_msg("%s", error.text);
}

static void set_doors(lw_world *world, const char *state) {
  assert_int_equal(lw_permutation_set(world, "doors", state, NULL), LW_OK);
  assert_int_equal(lw_world_apply_changes(world), LW_OK);
}

static bool is_near_door(const doors_test *it, lw_vec3 at) {
  for (int i = 0; i < it->door_count; i++) {
    const door *d = &it->doors[i];
    if (at.x > d->x0 - NEAR && at.x < d->x1 + NEAR && at.z > d->z0 - NEAR && at.z < d->z1 + NEAR) return true;
  }
  return false;
}

/* --- classes ------------------------------------------------------------------------------------------------------ */

static bool reaches(const lw_world *world, lw_vec3 from, lw_vec3 to) {
  lw_path_exists_query query = lw_path_exists_query_default();
  bool is_there = false;
  query.from = from;
  query.to = to;
  query.snap = (lw_vec3){SAME, FAR, SAME};
  return lw_path_exists(world, NULL, &query, &is_there) == LW_OK && is_there;
}

/* @return -1: there is no ground. */
static int class_of(ground *g, lw_vec3 at) {
  if (!reaches(g->world, at, at)) return -1;
  int i = 0;
  while (i < g->count && !reaches(g->world, g->firsts[i], at)) i++;
  if (i < g->count) return i;
  assert_true(g->count < CLASSES);
  g->firsts[g->count++] = at;
  return i;
}

/* Its middle, and places between that and its corners. */
static int places_of(const lw_navmesh *mesh, uint32_t index, lw_vec3 *places) {
  const lwi_polygon polygon = lwi_polygon_get(mesh, index);
  lw_vec3 middle = {0, 0, 0};
  for (uint32_t i = 0; i < polygon.count; i++)
    middle = lwi_add(middle, lwi_scale(lwi_corner(&polygon, i), 1 / (float)polygon.count));
  const uint32_t count = polygon.count < POINTS - 1 ? polygon.count : POINTS - 1;
  places[0] = middle;
  for (uint32_t i = 0; i < count; i++)
    places[i + 1] = lwi_lerp(middle, lwi_corner(&polygon, i * polygon.count / count), 0.7f);
  for (uint32_t i = 0; i <= count; i++) places[i].y = lwi_polygon_height(mesh, index, places[i].x, places[i].z);
  return (int)count + 1;
}

/* What is found of the places of one navmesh on the other one. */
typedef struct comparison {
  int polygons, places;
  int pairs[CLASSES];    /* the class there that goes with each one here; -1: none yet */
  double area;           /* m2 */
  double near, stray;    /* m2 that have no counterpart, beside doors and elsewhere */
  double alone[CLASSES]; /* m2 of a class that have none */
} comparison;

static void compare_place(const doors_test *it, ground *here, ground *there, lw_vec3 at, double area,
                          comparison *found) {
  const int mine = class_of(here, at), other = class_of(there, at);
  if (mine < 0)
    fail_msg("%s: (%g, %g, %g) is not on its own navmesh", it->name, (double)at.x, (double)at.y, (double)at.z);
  found->places += 1;
  here->areas[mine] += area;
  if (other < 0) {
    *(is_near_door(it, at) ? &found->near : &found->stray) += area;
    found->alone[mine] += area;
    return;
  }
  if (found->pairs[mine] < 0) found->pairs[mine] = other;
  if (found->pairs[mine] != other)
    fail_msg("%s: (%g, %g, %g) is reached from (%g, %g, %g), but not on the other navmesh", it->name,
             (double)at.x, (double)at.y, (double)at.z, (double)here->firsts[mine].x,
             (double)here->firsts[mine].y, (double)here->firsts[mine].z);
}

/* Each place of each polygon of `mesh`, the navmesh of `here`, is of the class there that goes with its class here. */
static void compare(const doors_test *it, const lw_navmesh *mesh, ground *here, ground *there,
                    comparison *found) {
  memset(found->pairs, -1, sizeof found->pairs);
  for (uint32_t p = 0; p < lwi_base_count(mesh); p++) {
    lwi_part_walk walk = lwi_parts_of(mesh, p);
    for (uint32_t index; lwi_next_part(&walk, &index);) {
      lw_vec3 places[POINTS];
      const lwi_polygon polygon = lwi_polygon_get(mesh, index);
      const double area = lwi_polygon_area2(&polygon) / 2;
      const int count = places_of(mesh, index, places);
      for (int i = 0; i < count; i++) compare_place(it, here, there, places[i], area / count, found);
      found->polygons += 1;
      found->area += area;
    }
  }
  assert_true(found->stray < STRAY * found->area);
  assert_true(found->near < BESIDE * found->area);
}

/* Of a class without counterpart no other ground reaches what is there, and a bake may drop it. */
static void compare_areas(const doors_test *it, const ground *here, const ground *there,
                          const comparison *found) {
  for (int i = 0; i < here->count; i++) {
    const int other = found->pairs[i];
    const double area = here->areas[i], expected = other < 0 ? 0 : there->areas[other];
    const double slack = other < 0 ? SMALL : AREA_SLACK + AREA_PART * area;
    if (fabs(area - expected) > slack)
      fail_msg("%s: %g m2 are reached from (%g, %g, %g), on the other navmesh %g", it->name, area,
               (double)here->firsts[i].x, (double)here->firsts[i].y, (double)here->firsts[i].z, expected);
  }
}

static lw_world *open_world(const lw_navmesh *mesh) {
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  def.navmesh = mesh;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  return world;
}

static void check_level(const doors_test *it) {
  static ground live, baked;
  static comparison of_baked, of_live;
  live = (ground){.world = open_world(it->open)};
  baked = (ground){.world = open_world(it->shut)};
  of_baked = of_live = (comparison){.places = 0};
  const uint64_t begun = level_ground_hash(lw_world_navmesh(live.world));
  define_doors(it, live.world);
  set_doors(live.world, "shut");
  compare(it, it->shut, &baked, &live, &of_baked);
  compare(it, lw_world_navmesh(live.world), &live, &baked, &of_live);
  compare_areas(it, &baked, &live, &of_baked);
  compare_areas(it, &live, &baked, &of_live);
  assert_true(level_ground_hash(lw_world_navmesh(live.world)) != begun);
  print_message("note: %s, %d doors: baked %d polygons, %d places, %.1f m2, %d islands, %.2f m2 strayed; cut "
                "%d, %d, %.1f "
                "m2, %d, %.2f m2 strayed and %.2f m2 beside doors\n",
                it->name, it->door_count, of_baked.polygons, of_baked.places, of_baked.area, baked.count,
                of_baked.stray, of_live.polygons, of_live.places, of_live.area, live.count, of_live.stray,
                of_live.near);
  set_doors(live.world, "open");
  assert_true(level_ground_hash(lw_world_navmesh(live.world)) == begun);
  lw_world_destroy(live.world);
  lw_world_destroy(baked.world);
}

static void shut_doors_leave_what_a_bake_leaves(void **state) {
  static const char *const names[] = {"fd1_e1m1", "fd2_map01"};
  (void)state;
  for (int i = 0; i < 2; i++) {
    char shut[64], text[1024];
    doors_test it = {.name = names[i]};
    lw_error error = {.text = ""};
    snprintf(shut, sizeof shut, "%s.doors_closed", names[i]);
    if (!level_file(shut, text, sizeof text)) {
      level_missing(shut, text, sizeof text);
      printf("skipped: %s\n", text);
      skip();
    }
    if (level_areas(&it.areas, &error) || level_navmesh(names[i], it.areas, &it.open, &error) ||
        level_navmesh(shut, it.areas, &it.shut, &error))
      fail_msg("%s: %s", names[i], error.text);
    read_doors(&it);
    check_level(&it);
    lw_navmesh_destroy(it.open);
    lw_navmesh_destroy(it.shut);
    lw_area_table_destroy(it.areas);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(shut_doors_leave_what_a_bake_leaves)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
