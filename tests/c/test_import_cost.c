/* What reading a level in a process of its own costs, beside reading it in this one. */
#include "leeward/geometry.h"

#include "core/platform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "temp_file.h"

#define ROUNDS 20

static const char box[] = "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nv 0 1 0\nv 1 1 0\nv 1 1 1\nv 0 1 1\n"
                          "f 1 2 3\nf 1 3 4\nf 5 7 6\nf 5 8 7\nf 1 6 2\nf 1 5 6\nf 2 7 3\nf 2 6 7\nf 3 8 4\nf "
                          "3 7 8\nf 4 5 1\nf 4 8 5\n";

/* Of this process and of its children that have ended. [s] */
static double processor_time(void) {
  double sum = 0;
  static const int of[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
  for (int i = 0; i < 2; ++i) {
    struct rusage used;
    assert_int_equal(getrusage(of[i], &used), 0);
    sum += (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec);
    sum += (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
  }
  return sum;
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* @return false: there is no such file. */
static bool measure(const lw_area_table *areas, const char *file, const char *name, bool in_process) {
  double clock[ROUNDS], processor[ROUNDS];
  const lw_geometry_import import = {.in_process = in_process};
  for (int i = 0; i < ROUNDS; ++i) {
    lw_geometry *geometry;
    lw_error error;
    assert_int_equal(lw_geometry_create(areas, NULL, &geometry), LW_OK);
    const double start = lwi_clock(), used = processor_time();
    const lw_status status = lw_geometry_load(geometry, file, &import, &error);
    clock[i] = lwi_clock() - start;
    processor[i] = processor_time() - used;
    lw_geometry_destroy(geometry);
    if (status == LW_FILE) return false;
    if (status) fail_msg("%s", error.text);
  }
  qsort(clock, ROUNDS, sizeof *clock, compare);
  qsort(processor, ROUNDS, sizeof *processor, compare);
  print_message("note: %s in %s: %.1f ms, %.1f ms of processor time\n", name,
                in_process ? "this process" : "a process of its own", clock[ROUNDS / 2] * 1e3,
                processor[ROUNDS / 2] * 1e3);
  return true;
}

static void a_process_for_each_level_costs_milliseconds(void **state) {
  (void)state;
  char name[] = "/tmp/leeward_cost_XXXXXX", file[64], level[1024];
  const char *shared = getenv("LEEWARD_SHARED");
  lw_area_table *areas;
  lw_area_def def = lw_area_def_default();
  def.name = "ground";
  assert_int_equal(lw_area_table_create(NULL, &areas), LW_OK);
  assert_int_equal(lw_area_table_set(areas, &def, NULL, NULL), LW_OK);
  temp_file_make(name);
  snprintf(file, sizeof file, "%s.obj", name);
  file_write(file, box, sizeof box - 1);
  snprintf(level, sizeof level, "%s/levels/recast_nav_test.obj", shared ? shared : "../shared");
  for (int here = 0; here < 2; ++here) assert_true(measure(areas, file, "12 triangles", here));
  for (int here = 0; here < 2; ++here)
    if (!measure(areas, level, "recast_nav_test", here)) print_message("note: no recast_nav_test\n");
  lw_area_table_destroy(areas);
  unlink(file);
  unlink(name);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_process_for_each_level_costs_milliseconds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
