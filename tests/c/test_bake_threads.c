#include "allocator.h"
#include "bake_scene.h"

#include "core/vec3.h"
#include "leeward/leeward.h"
#include "temp_file.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Boxes, a ramp, marks and a hole, so that tiles take unlike times and some are empty. */
static lw_geometry *level(void) {
  lw_geometry *geometry = scene_floor(scene_table, 60, 40);
  scene_add_floor(geometry, (lw_vec3){90, 0, 0}, 20, 40, SCENE_GROUND);
  for (int i = 0; i < 40; ++i) {
    lw_geometry_box box = {.at = {(float)(i * 7 % 60), 0, (float)(i * 11 % 40)},
                           .size = {1, 2, 2},
                           .yaw = (float)i,
                           .area = i % 3 ? LW_AREA_NONE : SCENE_GROUND};
    assert_int_equal(lw_geometry_add_box(geometry, &box, NULL), LW_OK);
  }
  lw_vec3 points[3] = {{0, 0, 0}, {30, 0, 30}, {60, 0, 5}};
  lw_mark_def mark = lw_mark_def_default(LW_MARK_PATH);
  mark.area = SCENE_ROAD;
  mark.points = points;
  mark.point_count = 3;
  mark.width = 5;
  assert_int_equal(lw_geometry_mark_area(geometry, &mark, NULL), LW_OK);
  return geometry;
}

static lw_bake_settings settings_for(int threads) {
  lw_bake_settings settings = lw_bake_settings_default();
  settings.tile_size = 6;
  settings.cover.map = true;
  settings.threads = threads;
  return settings;
}

static void any_number_of_threads_bakes_the_same_bytes(void **state) {
  (void)state;
  lw_geometry *geometry = level();
  lw_navmesh *first = NULL;
  const int threads[] = {1, 2, 3, 0, 17};
  for (size_t i = 0; i < sizeof threads / sizeof threads[0]; ++i) {
    lw_bake_settings settings = settings_for(threads[i]);
    lw_bake_report report;
    lw_navmesh *navmesh = scene_bake(geometry, &settings, &report);
    assert_true(report.tiles == 19 * 7 && report.tiles_empty >= 4 * 7);
    assert_true(threads[i] == 0 ? report.used.threads >= 1 : report.used.threads == threads[i]);
    if (!first) {
      first = navmesh;
      continue;
    }
    assert_same_bytes(navmesh_bytes(navmesh), navmesh_bytes(first));
    lw_navmesh_destroy(navmesh);
  }
  lw_navmesh_destroy(first);
  lw_geometry_destroy(geometry);
}

typedef struct watch {
  pthread_t thread;
  int last, total, stop_at;
} watch;

static bool watch_progress(void *user, int done, int total) {
  watch *seen = user;
  assert_true(pthread_equal(pthread_self(), seen->thread));
  assert_int_equal(done, seen->last + 1);
  seen->last = done;
  seen->total = total;
  return done != seen->stop_at;
}

static void progress_is_reported_on_the_calling_thread_for_every_tile_and_may_cancel(void **state) {
  (void)state;
  lw_geometry *geometry = level();
  for (int threads = 1; threads <= 3; ++threads) {
    lw_bake_settings settings = settings_for(threads);
    watch seen = {.thread = pthread_self()};
    settings.progress.report = watch_progress;
    settings.progress.user = &seen;
    lw_navmesh_destroy(scene_bake(geometry, &settings, NULL));
    assert_int_equal(seen.last, 19 * 7);
    assert_int_equal(seen.total, 19 * 7);
    seen = (watch){.thread = pthread_self(), .stop_at = 5};
    lw_navmesh *navmesh = NULL;
    lw_error error = {0};
    assert_int_equal(lw_navmesh_bake(geometry, &settings, &navmesh, NULL, &error), LW_CANCELLED);
    assert_string_equal(error.text, "the bake was cancelled after tile 5 of 133");
    assert_null(navmesh);
    assert_int_equal(seen.last, 5);
  }
  lw_geometry_destroy(geometry);
}

/* An allocator that fails the test when two threads are in it. */
typedef struct narrow {
  int inside; /* changed by __atomic builtins */
  support_memory memory;
  lw_allocator inner;
} narrow;

static void *resize_narrow(void *user, void *block, size_t old_size, size_t size) {
  narrow *through = user;
  if (__atomic_fetch_add(&through->inside, 1, __ATOMIC_SEQ_CST) != 0) abort();
  void *moved = through->inner.resize(through->inner.user, block, old_size, size);
  __atomic_fetch_sub(&through->inside, 1, __ATOMIC_SEQ_CST);
  return moved;
}

static void the_allocator_is_called_by_one_thread_at_a_time_and_failures_leak_nothing(void **state) {
  (void)state;
  lw_geometry *geometry = scene_floor(scene_table, 20, 20);
  int calls = 0;
  for (bool done = false; !done; calls += 3) {
    narrow through = {.memory = {.left = calls}};
    through.inner = support_allocator(&through.memory);
    lw_allocator allocator = {resize_narrow, &through};
    lw_bake_settings settings = settings_for(3);
    settings.allocator = &allocator;
    lw_navmesh *navmesh = NULL;
    lw_status status = lw_navmesh_bake(geometry, &settings, &navmesh, NULL, NULL);
    done = status == LW_OK;
    if (!done) assert_int_equal(status, LW_OUT_OF_MEMORY);
    lw_navmesh_destroy(navmesh);
    assert_int_equal(through.memory.bytes, 0);
  }
  assert_true(calls > 60);
  lw_geometry_destroy(geometry);
}

/* Tiles 1, 2 and 3 have more areas than Recast can tell apart; the second of them is found out soonest. */
static void the_first_error_in_the_order_of_tiles_is_reported(void **state) {
  (void)state;
  lw_area_table *table = scene_numbered_areas(63);
  lw_geometry *geometry = scene_geometry(table);
  for (int i = 0; i < 63; ++i) {
    lw_area_id id = (lw_area_id)(i + 1);
    for (int tile = 1; tile < 4; ++tile)
      scene_add_floor(geometry, lwi_vec3((float)tile * 100 + (float)i + 15, 0, 0), 1, 4, id);
  }
  scene_add_floor(geometry, lwi_vec3(0, 0, 0), 100, 100, 1);
  scene_add_floor(geometry, lwi_vec3(115, -1, 0), 60, 100, 1);
  for (int round = 0; round < 20; ++round) {
    lw_bake_settings settings = lw_bake_settings_default();
    settings.tile_size = 100.2f;
    settings.threads = round % 4 + 1;
    lw_navmesh *navmesh = NULL;
    lw_error error = {0};
    assert_int_equal(lw_navmesh_bake(geometry, &settings, &navmesh, NULL, &error), LW_LIMIT);
    assert_non_null(strstr(error.text, "tile (1, 0) has more than 62 areas"));
  }
  lw_geometry_destroy(geometry);
  lw_area_table_destroy(table);
}

static void a_number_of_threads_out_of_range_is_refused(void **state) {
  (void)state;
  lw_geometry *geometry = scene_floor(scene_table, 10, 10);
  const int wrong[] = {-1, 257};
  for (int i = 0; i < 2; ++i) {
    lw_bake_settings settings = settings_for(wrong[i]);
    lw_navmesh *navmesh = NULL;
    lw_error error = {0};
    assert_int_equal(lw_navmesh_bake(geometry, &settings, &navmesh, NULL, &error), LW_INVALID);
    assert_non_null(strstr(error.text, ", expected 0 (one for each processor) to 256"));
  }
  lw_geometry_destroy(geometry);
}

/* --- in the background ------------------------------------------------------------------------------------ */

typedef struct asker {
  pthread_t thread;
  const lw_world *world;
  const lw_rebuild_job *job;
  int paths;
} asker;

static void *ask_until_done(void *user) {
  asker *a = user;
  lw_workspace *workspace = lw_workspace_create(a->world);
  lw_path_query query = lw_path_query_default();
  query.from = (lw_vec3){1, 0, 1};
  query.to = (lw_vec3){58, 0, 38};
  do {
    lw_path *path = NULL;
    if (lw_path_find(a->world, workspace, &query, &path) == LW_OK) a->paths += 1;
    lw_path_destroy(path);
  } while (!lw_rebuild_job_is_done(a->job));
  lw_workspace_destroy(workspace);
  return NULL;
}

static lw_rebuild_def a_change(const lw_navmesh *navmesh, const lw_geometry *geometry,
                               const lw_bake_settings *settings) {
  lw_rebuild_def def = lw_rebuild_def_default();
  def.navmesh = navmesh;
  def.geometry = geometry;
  def.settings = settings;
  def.changed = (lw_box){{20, -1, 10}, {24, 3, 14}};
  return def;
}

static lw_rebuild_job *start(const lw_navmesh *navmesh, const lw_geometry *geometry,
                             const lw_bake_settings *settings) {
  const lw_rebuild_def def = a_change(navmesh, geometry, settings);
  lw_rebuild_job *job;
  assert_int_equal(lw_rebuild_job_start(&def, &job, NULL), LW_OK);
  return job;
}

static void a_rebuild_runs_beside_queries(void **state) {
  (void)state;
  lw_geometry *geometry = level();
  const lw_bake_settings settings = settings_for(2);
  lw_navmesh *before = scene_bake(geometry, &settings, NULL), *after, *again;
  const lw_geometry_box box = {.at = {22, 0, 12}, .size = {2, 2, 2}, .area = LW_AREA_NONE};
  assert_int_equal(lw_geometry_add_box(geometry, &box, NULL), LW_OK);
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  def.navmesh = before;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  lw_rebuild_job *job = start(before, geometry, &settings);
  asker askers[3];
  for (int i = 0; i < 3; i++) {
    askers[i] = (asker){.world = world, .job = job};
    assert_int_equal(pthread_create(&askers[i].thread, NULL, ask_until_done, &askers[i]), 0);
  }
  for (int i = 0; i < 3; i++) pthread_join(askers[i].thread, NULL);
  int done, total;
  lw_rebuild_job_progress(job, &done, &total);
  assert_true(total > 0 && done == total);
  assert_int_equal(lw_rebuild_job_wait(job, NULL), LW_OK);
  assert_int_equal(lw_rebuild_job_take(job, &after, NULL, NULL), LW_OK);
  assert_int_equal(lw_rebuild_job_take(job, &again, NULL, NULL), LW_EMPTY);
  assert_null(again);
  lw_navmesh *whole = scene_bake(geometry, &settings, NULL);
  file_bytes a = navmesh_bytes(after), b = navmesh_bytes(whole);
  assert_int_equal(a.size, b.size);
  assert_memory_equal(a.data, b.data, a.size);
  free(a.data);
  free(b.data);
  assert_int_equal(lw_world_set_navmesh(world, 0, after, NULL), LW_OK);
  assert_int_equal(lw_world_step(world, 1.0f / 60), LW_OK);
  lw_rebuild_job_destroy(job);
  lw_world_destroy(world);
  lw_navmesh_destroy(before);
  lw_navmesh_destroy(after);
  lw_navmesh_destroy(whole);
  lw_geometry_destroy(geometry);
}

static void a_rebuild_that_runs_is_cancelled(void **state) {
  (void)state;
  lw_geometry *geometry = level();
  const lw_bake_settings settings = settings_for(1);
  lw_navmesh *before = scene_bake(geometry, &settings, NULL), *after;
  lw_rebuild_job *job = start(before, geometry, &settings);
  lw_error error = {.text = ""};
  lw_rebuild_job_cancel(job);
  const lw_status status = lw_rebuild_job_take(job, &after, NULL, &error);
  assert_true(status == LW_CANCELLED || status == LW_OK); /* it may have been done */
  lw_navmesh_destroy(after);
  lw_rebuild_job_destroy(job);
  for (int i = 0; i < 5; i++) lw_rebuild_job_destroy(start(before, geometry, &settings));
  lw_rebuild_job_destroy(NULL);
  lw_navmesh_destroy(before);
  lw_geometry_destroy(geometry);
}

static void settings_that_do_not_fit_are_refused_before_anything_is_baked(void **state) {
  (void)state;
  lw_geometry *geometry = level();
  const lw_bake_settings settings = settings_for(1);
  lw_navmesh *before = scene_bake(geometry, &settings, NULL);
  lw_bake_settings wrong = settings;
  lw_rebuild_def def = a_change(before, geometry, &wrong);
  lw_rebuild_job *job;
  lw_error error = {.text = ""};
  wrong.agent_radius = -1;
  assert_int_equal(lw_rebuild_job_start(&def, &job, &error), LW_INVALID);
  assert_null(job);
  assert_non_null(strstr(error.text, "agent_radius"));
  wrong.agent_radius = settings.agent_radius + 1;
  assert_int_equal(lw_rebuild_job_start(&def, &job, &error), LW_INVALID);
  assert_non_null(strstr(error.text, "navmesh is for agents of radius"));
  wrong = settings;
  def.changed = (lw_box){{2000, -1, 10}, {2004, 3, 14}};
  assert_int_equal(lw_rebuild_job_start(&def, &job, &error), LW_INVALID);
  assert_non_null(strstr(error.text, "touches a tile"));
  lw_navmesh_destroy(before);
  lw_geometry_destroy(geometry);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_number_of_threads_bakes_the_same_bytes),
      cmocka_unit_test(a_rebuild_runs_beside_queries),
      cmocka_unit_test(a_rebuild_that_runs_is_cancelled),
      cmocka_unit_test(settings_that_do_not_fit_are_refused_before_anything_is_baked),
      cmocka_unit_test(progress_is_reported_on_the_calling_thread_for_every_tile_and_may_cancel),
      cmocka_unit_test(the_allocator_is_called_by_one_thread_at_a_time_and_failures_leak_nothing),
      cmocka_unit_test(the_first_error_in_the_order_of_tiles_is_reported),
      cmocka_unit_test(a_number_of_threads_out_of_range_is_refused),
  };
  return cmocka_run_group_tests_name("bake_threads", tests, scene_open, scene_close);
}
