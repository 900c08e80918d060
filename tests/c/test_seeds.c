/* Seeds: ground to which no way leads from where agents begin is left out of a bake. */
#include "allocator.h"
#include "bake_scene.h"
#include "core/random.h"
#include "mesh/mesh.h"
#include "temp_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SEED 20261126

static lw_bake_settings settings_for_level(void) {
  lw_bake_settings settings = lw_bake_settings_default();
  settings.agent_radius = 0;
  settings.cell_size = 0.25f;
  settings.tile_size = 10;
  settings.occluders = settings.cover.segments = false;
  settings.openness_range = 0;
  return settings;
}

/* A floor, and three slabs of 4 x 4 m in the air along its middle, at x = 4, 14 and 24. */
static lw_geometry *level(void) {
  lw_geometry *geometry = scene_floor(scene_table, 30, 20);
  for (int i = 0; i < 3; i++) scene_add_floor(geometry, (lw_vec3){4 + 10 * (float)i, 5, 8}, 4, 4, SCENE_ROAD);
  return geometry;
}
#define SLAB(i) ((lw_vec3){6 + 10 * (float)(i), 5, 10})
#define FLOOR ((lw_vec3){2, 0, 2})

static void add_seed(lw_geometry *geometry, lw_vec3 at) {
  assert_int_equal(lw_geometry_add_seed(geometry, at, NULL), LW_OK);
}

static void add_link(lw_geometry *geometry, lw_vec3 from, lw_vec3 to, bool both) {
  lw_link_def link = lw_link_def_default();
  link.kind = LW_LINK_DROP;
  link.from = from;
  link.to = to;
  link.bidirectional = both;
  assert_int_equal(lw_geometry_add_link(geometry, &link, NULL), LW_OK);
}

static bool stands(const lw_navmesh *mesh, lw_vec3 at) {
  return lw_navmesh_contains(mesh, at, 0.3f, NULL);
}

/* Bake, and compare which of the three slabs are there. */
static lw_navmesh *bake_with(lw_geometry *geometry, const char *slabs, lw_bake_report *report) {
  const lw_bake_settings settings = settings_for_level();
  lw_navmesh *mesh = scene_bake(geometry, &settings, report);
  for (int i = 0; i < 3; i++)
    if (stands(mesh, SLAB(i)) != (slabs[i] == 'x'))
      fail_msg("slab %d is %s", i, slabs[i] == 'x' ? "missing" : "there");
  return mesh;
}

static void without_seeds_all_ground_is_kept(void **state) {
  (void)state;
  lw_geometry *geometry = level();
  lw_bake_report report;
  lw_navmesh_destroy(bake_with(geometry, "xxx", &report));
  assert_int_equal(report.islands_unreachable, 0);
  lw_geometry_destroy(geometry);
}

static void what_no_seed_leads_to_is_left_out(void **state) {
  (void)state;
  lw_geometry *geometry = level();
  add_seed(geometry, FLOOR);
  lw_bake_report report;
  lw_navmesh *mesh = bake_with(geometry, "...", &report);
  assert_int_equal(report.islands_unreachable, 3);
  assert_int_equal(report.islands_dropped, 0);
  assert_int_equal(report.notes, 0);
  assert_int_equal(lw_navmesh_get_stats(mesh).islands, 1);
  lw_navmesh_destroy(mesh);
  add_seed(geometry, SLAB(1));
  assert_int_equal(lw_geometry_seed_count(geometry), 2);
  lw_navmesh_destroy(bake_with(geometry, ".x.", &report));
  assert_int_equal(report.islands_unreachable, 2);
  lw_geometry_destroy(geometry);
}

static void links_lead_on_in_their_direction(void **state) {
  (void)state;
  lw_geometry *geometry = level();
  add_seed(geometry, FLOOR);
  add_link(geometry, FLOOR, SLAB(0), false);
  add_link(geometry, SLAB(0), SLAB(1), true);
  add_link(geometry, SLAB(2), FLOOR, false);
  lw_bake_report report;
  lw_navmesh *mesh = bake_with(geometry, "xx.", &report);
  assert_int_equal(report.islands_unreachable, 1);
  lw_link link;
  assert_int_equal(lw_navmesh_link_count(mesh), 3); /* the third is refused, and says why */
  assert_int_equal(lw_navmesh_get_link(mesh, 2, &link), LW_OK);
  assert_int_equal(link.state, LW_LINK_NO_START);
  lw_navmesh_destroy(mesh);
  lw_geometry_destroy(geometry);
}

static void links_that_are_found_lead_on_and_go_with_their_ground(void **state) {
  (void)state;
  lw_geometry *geometry = level();
  add_seed(geometry, SLAB(0));
  lw_bake_settings settings = settings_for_level();
  settings.agent_radius = 0.25f;
  settings.auto_links.drop = 6;
  lw_bake_report report;
  lw_navmesh *mesh = scene_bake(geometry, &settings, &report);
  assert_true(stands(mesh, SLAB(0)) && stands(mesh, FLOOR)); /* one drops off the slab */
  assert_false(stands(mesh, SLAB(1)) || stands(mesh, SLAB(2)));
  const lw_navmesh_stats stats = lw_navmesh_get_stats(mesh);
  assert_int_equal(report.islands_unreachable, 2);
  assert_true(report.auto_links > stats.offmesh_links && stats.offmesh_links > 0);
  assert_int_equal(stats.offmesh_refused, 0);
  lw_navmesh_destroy(mesh);
  lw_geometry_destroy(geometry);
}

static void a_seed_without_ground_does_not_count_and_is_noted(void **state) {
  (void)state;
  lw_geometry *geometry = level();
  add_seed(geometry, (lw_vec3){2, 2.5f, 2});
  const lw_bake_settings settings = settings_for_level();
  lw_navmesh *mesh;
  lw_error error = {0};
  assert_int_equal(lw_navmesh_bake(geometry, &settings, &mesh, NULL, &error), LW_EMPTY);
  assert_null(mesh);
  assert_string_equal(error.text, "no seed is within 2 m of the ground: the first of 1 is (2, 2.5, 2)");
  add_seed(geometry, (lw_vec3){2, 1.9f, 2});
  lw_bake_report report;
  lw_navmesh_destroy(bake_with(geometry, "...", &report));
  assert_int_equal(report.notes, 1);
  assert_string_equal(report.note[0], "seed 1 at (2, 2.5, 2) does not count: no ground is within 2 m of it");
  lw_geometry_destroy(geometry);
}

static void parts_keep_all_and_say_so(void **state) {
  (void)state;
  lw_geometry *geometry = level();
  add_seed(geometry, FLOOR);
  lw_bake_settings settings = settings_for_level();
  settings.tiles = (lw_tile_range){0, 6};
  lw_bake_report report;
  lw_navmesh *part = scene_bake(geometry, &settings, &report), *whole;
  assert_int_equal(report.notes, 1);
  assert_non_null(strstr(report.note[0], "seeds do not count for a part"));
  lw_error error = {0};
  if (lw_navmesh_merge((const lw_navmesh *[]){part}, 1, NULL, &whole, &error)) fail_msg("%s", error.text);
  assert_true(stands(whole, SLAB(0)));
  lw_navmesh_destroy(whole);
  lw_navmesh_destroy(part);
  lw_geometry_destroy(geometry);
}

static void a_seed_is_checked(void **state) {
  (void)state;
  lw_geometry *geometry = level();
  lw_error error = {0};
  assert_int_equal(lw_geometry_add_seed(geometry, (lw_vec3){0, NAN, 0}, &error), LW_INVALID);
  assert_string_equal(error.text, "seed: at is (0, nan, 0), expected finite numbers within +-1e+06 m");
  assert_int_equal(lw_geometry_seed_count(geometry), 0);
  lw_geometry_destroy(geometry);
}

/* --- random levels ---------------------------------------------------------------------------------------- */

#define SLABS 14
#define LINKS 12

/* Slabs of 3 x 3 m on a lattice, none touching another, and links among some of them. */
typedef struct drawn {
  lw_vec3 at[SLABS];
  int from[LINKS], to[LINKS];
  bool both[LINKS];
  bool is_there[SLABS];
} drawn;

static drawn draw(lw_random *random) {
  drawn d;
  for (int i = 0; i < SLABS; i++)
    d.at[i] = (lw_vec3){5.0f * (float)(i % 7), 2 * lwi_random_unit(random), 5.0f * (float)(i / 7)};
  for (int i = 0; i < SLABS; i++) d.is_there[i] = lwi_random_unit(random) < 0.8f;
  d.is_there[0] = true;
  for (int i = 0; i < LINKS; i++) {
    d.from[i] = (int)(SLABS * lwi_random_unit(random));
    d.to[i] = (int)(SLABS * lwi_random_unit(random));
    d.both[i] = lwi_random_unit(random) < 0.3f;
  }
  return d;
}

static lw_vec3 middle(lw_vec3 corner) {
  return (lw_vec3){corner.x + 1.5f, corner.y, corner.z + 1.5f};
}

static lw_geometry *level_of(const drawn *d) {
  lw_geometry *geometry = scene_geometry(scene_table);
  for (int i = 0; i < SLABS; i++)
    if (d->is_there[i]) scene_add_floor(geometry, d->at[i], 3, 3, SCENE_GROUND);
  for (int i = 0; i < LINKS; i++)
    if (d->from[i] != d->to[i])
      add_link(geometry, middle(d->at[d->from[i]]), middle(d->at[d->to[i]]), d->both[i]);
  add_seed(geometry, middle(d->at[0]));
  return geometry;
}

/* The obvious way: pass over all links until nothing is new. */
static void reach(const drawn *d, bool reached[SLABS]) {
  memset(reached, 0, SLABS);
  reached[0] = true;
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (int i = 0; i < LINKS; i++) {
      const int from = d->from[i], to = d->to[i];
      if (!d->is_there[from] || !d->is_there[to] || reached[from] == reached[to]) continue;
      if (!reached[from] && !d->both[i]) continue;
      is_new = reached[from] = reached[to] = true;
    }
  }
}

static void check_level(const drawn *d, const lw_navmesh *mesh, int round) {
  bool reached[SLABS];
  reach(d, reached);
  for (int i = 0; i < SLABS; i++)
    if (stands(mesh, middle(d->at[i])) != (reached[i] && d->is_there[i]))
      fail_msg("seed %d, round %d: slab %d is %s", SEED, round, i, reached[i] ? "missing" : "there");
}

static void assert_same(const lw_navmesh *a, const lw_navmesh *b, int round) {
  file_bytes one = navmesh_bytes(a), other = navmesh_bytes(b);
  if (one.size != other.size || memcmp(one.data, other.data, one.size) != 0)
    fail_msg("seed %d, round %d: a rebuild differs from a whole bake", SEED, round);
  free(one.data);
  free(other.data);
}

/* Slabs come and go: what they led to comes and goes with them, in a whole bake and a rebuild alike. */
static void random_levels_keep_what_links_lead_to(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 0);
  lw_bake_settings settings = settings_for_level();
  settings.bounds = (lw_box){{-1, -1, -1}, {34, 4, 9}};
  int dropped = 0;
  for (int round = 0; round < 60; round++) {
    drawn d = draw(&random);
    lw_geometry *geometry = level_of(&d);
    lw_bake_report report;
    lw_navmesh *mesh = scene_bake(geometry, &settings, &report), *rebuilt;
    lw_geometry_destroy(geometry);
    check_level(&d, mesh, round);
    dropped += report.islands_unreachable;

    const int which = 1 + (int)((SLABS - 1) * lwi_random_unit(&random));
    d.is_there[which] = !d.is_there[which];
    geometry = level_of(&d);
    lw_rebuild_def def = lw_rebuild_def_default();
    def.navmesh = mesh;
    def.geometry = geometry;
    def.settings = &settings;
    def.changed = (lw_box){d.at[which], {d.at[which].x + 3, d.at[which].y, d.at[which].z + 3}};
    lw_error error = {0};
    if (lw_navmesh_rebuild(&def, &rebuilt, NULL, &error)) fail_msg("%s", error.text);
    check_level(&d, rebuilt, round);
    lw_navmesh *whole = scene_bake(geometry, &settings, NULL);
    assert_same(rebuilt, whole, round);
    lw_navmesh_destroy(whole);
    lw_navmesh_destroy(rebuilt);
    lw_navmesh_destroy(mesh);
    lw_geometry_destroy(geometry);
  }
  printf("note: seed %d: %d islands left out of 60 random levels\n", SEED, dropped);
  assert_true(dropped > 200);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_seeds_all_ground_is_kept),
      cmocka_unit_test(what_no_seed_leads_to_is_left_out),
      cmocka_unit_test(links_lead_on_in_their_direction),
      cmocka_unit_test(links_that_are_found_lead_on_and_go_with_their_ground),
      cmocka_unit_test(a_seed_without_ground_does_not_count_and_is_noted),
      cmocka_unit_test(parts_keep_all_and_say_so),
      cmocka_unit_test(a_seed_is_checked),
      cmocka_unit_test(random_levels_keep_what_links_lead_to),
  };
  return cmocka_run_group_tests_name("seeds", tests, scene_open, scene_close);
}
