/* Links that the bake finds on the shared levels: every one is free by an oracle, places where one saves a long walk
   have one, and finding them takes a small part of the bake. */
#include "levels.h"
#include "link_oracle.h"
#include "temp_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define SAMPLES 4000
/* A bake with links takes at most this many times as long as without, and this much more for what is too short to be
   measured. */
#define RATIO_MAX 1.5
#define NOISE 0.05 /* [s] */

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

static uint64_t seed_of_run(void) {
  const char *seed = getenv("LEEWARD_SEED");
  return seed && *seed ? strtoull(seed, NULL, 10) : 1;
}

static lw_geometry *open_level(const char *name) {
  char file[1024];
  lw_error error = {0};
  lw_geometry *geometry;
  if (!level_file(name, file, sizeof file)) {
    level_missing(name, file, sizeof file);
    printf("skipped: %s\n", file);
    skip();
  }
  if (level_geometry(name, areas, &geometry, &error)) fail_msg("%s", error.text);
  return geometry;
}

static lw_navmesh *bake(const lw_geometry *geometry, const lw_bake_settings *settings, lw_bake_report *report) {
  lw_navmesh *mesh;
  lw_error error = {0};
  if (lw_navmesh_bake(geometry, settings, &mesh, report, &error)) fail_msg("%s", error.text);
  return mesh;
}

static double seconds_of(const lw_bake_report *report) {
  return report->tile_seconds + report->openness_seconds + report->cover_seconds + report->auto_link_seconds;
}

static int count_kind(const lw_navmesh *mesh, lw_link_kind kind, bool both) {
  int count = 0;
  for (int i = 0; i < lw_navmesh_link_count(mesh); i++) {
    lw_link link;
    assert_int_equal(lw_navmesh_get_link(mesh, i, &link), LW_OK);
    count += link.def.kind == kind && link.def.bidirectional == both;
  }
  return count;
}

static void its_links_are_free_and_where_they_save_a_walk(void **state) {
  const char *name = *state;
  lw_geometry *geometry = open_level(name);
  lw_bake_settings settings = level_settings();
  settings.threads = 1; /* times are then of the processor alone */
  lw_bake_report report, plain_report;
  lw_navmesh *plain = bake(geometry, &settings, &plain_report);
  settings.auto_links.drop = 3;
  settings.auto_links.jump = 2;
  lw_navmesh *mesh = bake(geometry, &settings, &report);
  lw_error error = {0};
  if (lw_navmesh_validate(mesh, &error)) fail_msg("%s", error.text);
  const lw_navmesh_stats with = lw_navmesh_get_stats(mesh), without = lw_navmesh_get_stats(plain);
  assert_int_equal(with.polygons, without.polygons);
  link_oracle oracle = {geometry, report.used, 0.03f};
  assert_int_equal(link_oracle_check(&oracle, mesh), report.auto_links);
  oracle.slack = -0.02f;
  const int places = link_oracle_search(&oracle, mesh, plain, SAMPLES, seed_of_run());
  printf(
      "note: %s: %d links: %d drops, %d jumps one way, %d both ways; none passes through a triangle; %d of %d "
      "places drawn (seed %llu) have a link that saves a walk, or one near\n",
      name, report.auto_links, count_kind(mesh, LW_LINK_DROP, false), count_kind(mesh, LW_LINK_JUMP, false),
      count_kind(mesh, LW_LINK_JUMP, true), places, SAMPLES, (unsigned long long)seed_of_run());
  printf("note: %s: found in %.0f ms; bake %.0f ms with them, %.0f ms without; %.1f KiB with them, %.1f KiB "
         "without\n",
         name, 1e3 * report.auto_link_seconds, 1e3 * seconds_of(&report), 1e3 * seconds_of(&plain_report),
         (double)with.bytes / 1024, (double)without.bytes / 1024);
  assert_true(report.auto_link_seconds <= (RATIO_MAX - 1) * seconds_of(&plain_report) + NOISE);
  lw_navmesh_destroy(plain);
  lw_navmesh_destroy(mesh);
  lw_geometry_destroy(geometry);
}

int main(void) {
  struct CMUnitTest tests[LEVEL_COUNT];
  char names[LEVEL_COUNT][96];
  for (int i = 0; i < LEVEL_COUNT; i++) {
    snprintf(names[i], sizeof names[i], "%s_its_links_are_free_and_where_they_save_a_walk", level_names[i]);
    tests[i] = (struct CMUnitTest){.name = names[i],
                                   .test_func = its_links_are_free_and_where_they_save_a_walk,
                                   .initial_state = (void *)level_names[i]};
  }
  setvbuf(stdout, NULL, _IOLBF, 0);
  return cmocka_run_group_tests(tests, make_areas, drop_areas);
}
