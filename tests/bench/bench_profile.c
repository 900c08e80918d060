/* Compiling a profile against an area table: as few areas as ship, and as many as there may be. */
#include "bench_support.h"
#include "core/platform.h"

#include "leeward/profile.h"

#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 21
#define TIMES 200
#define GOAL 100e-6

static lw_area_table *make_areas(int count) {
  lw_area_table *areas;
  if (lw_area_table_create(NULL, &areas) != LW_OK) abort();
  for (int i = 0; i < count; i++) {
    lw_area_def def = lw_area_def_default();
    char name[32];
    snprintf(name, sizeof name, "area %d", i);
    def.name = name;
    if (lw_area_table_set(areas, &def, NULL, NULL) != LW_OK) abort();
  }
  return areas;
}

static void measure(int area_count) {
  lw_area_table *areas = make_areas(area_count);
  lw_profile_def def = lw_profile_def_default();
  for (int i = 0; i <= LW_AREA_MAX; i++) def.area_factor[i] = (float)i;
  double values[ROUNDS], sum = 0;
  for (int round = 0; round < ROUNDS; round++) {
    double begin = lwi_clock();
    for (int i = 0; i < TIMES; i++) {
      lw_profile *profile;
      if (lw_profile_create(&def, areas, &profile, NULL) != LW_OK) abort();
      sum += (double)lw_profile_price(profile, 1);
      lw_profile_destroy(profile);
    }
    values[round] = (lwi_clock() - begin) / TIMES;
  }
  double median = bench_quantile(values, ROUNDS, 0.5);
  printf("%5d areas %8.2f us a profile, %s 100 us%s\n", area_count, median * 1e6,
         median < GOAL ? "below" : "ABOVE", sum > 0 ? "" : "?");
  lw_area_table_destroy(areas);
}

int main(void) {
  bench_head("profile");
  measure(9);
  measure(LW_AREA_MAX);
  return 0;
}
