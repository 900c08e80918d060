#include "growth.h"

#include "bake_scene.h"
#include "core/status.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* --- counting --------------------------------------------------------------------------------------------- */

#define BYTES_A_COUNT 32

static uint64_t counted;

uint64_t growth_count(void) {
  return counted;
}

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) {
  counted += 1;
}

void *__real_memcpy(void *to, const void *from, size_t size);
void *__real_memmove(void *to, const void *from, size_t size);
void *__real_memset(void *to, int value, size_t size);
void *__wrap_memcpy(void *to, const void *from, size_t size);
void *__wrap_memmove(void *to, const void *from, size_t size);
void *__wrap_memset(void *to, int value, size_t size);

void *__wrap_memcpy(void *to, const void *from, size_t size) {
  counted += size / BYTES_A_COUNT;
  return __real_memcpy(to, from, size);
}
void *__wrap_memmove(void *to, const void *from, size_t size) {
  counted += size / BYTES_A_COUNT;
  return __real_memmove(to, from, size);
}
void *__wrap_memset(void *to, int value, size_t size) {
  counted += size / BYTES_A_COUNT;
  return __real_memset(to, value, size);
}

/* --- what all need ---------------------------------------------------------------------------------------- */

lw_area_table *growth_areas;

void growth_need(lw_status status) {
  if (status != LW_OK) fail_msg("%s", lw_status_text(status));
}

int growth_open(void **state) {
  (void)state;
  growth_areas = scene_areas();
  return 0;
}

int growth_close(void **state) {
  (void)state;
  lw_area_table_destroy(growth_areas);
  return 0;
}

/* --- the check -------------------------------------------------------------------------------------------- */

#define EXPONENT_MAX 1.3

static double exponent_of(const growth_subject *of, uint64_t work[3]) {
  for (int i = 0; i < 3; i++) work[i] = of->measure(of->count << i);
  const double first = (double)work[1] - (double)work[0], second = (double)work[2] - (double)work[1];
  return first > 0 && second > 0 ? log2(second / first) : 0;
}

void growth_check(const growth_subject *subjects, int count) {
  const char *only = getenv("LEEWARD_GROWTH");
  int grown = 0;
  for (int i = 0; i < count; i++) {
    uint64_t work[3];
    if (only && !strstr(subjects[i].name, only)) continue;
    const double exponent = exponent_of(&subjects[i], work);
    printf("note: %-28s %5d: %9llu, %9llu, %9llu: exponent %.2f\n", subjects[i].name, subjects[i].count,
           (unsigned long long)work[0], (unsigned long long)work[1], (unsigned long long)work[2], exponent);
    grown += !(exponent < EXPONENT_MAX);
  }
  if (grown > 0) fail_msg("%d of them have an exponent of %g or more", grown, EXPONENT_MAX);
}
