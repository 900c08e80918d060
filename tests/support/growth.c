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
lw_profile *growth_profiles[2];

void growth_need(lw_status status) {
  if (status != LW_OK) fail_msg("%s", lw_status_text(status));
}

int growth_open(void **state) {
  (void)state;
  growth_areas = scene_areas();
  lw_profile_def def = lw_profile_def_default();
  growth_need(lw_profile_create(&def, growth_areas, &growth_profiles[0], NULL));
  def.name = "watched";
  def.cover_bias = 4;
  def.exposure_factor = 1;
  growth_need(lw_profile_create(&def, growth_areas, &growth_profiles[1], NULL));
  return 0;
}

int growth_close(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) lw_profile_destroy(growth_profiles[i]);
  lw_area_table_destroy(growth_areas);
  return 0;
}

/* --- meshes ----------------------------------------------------------------------------------------------- */

void growth_square(lw_vec3 *to, float x, float height, float z) {
  const lw_vec3 square[] = {{x, height, z}, {x, height, z + 1}, {x + 1, height, z + 1}, {x + 1, height, z}};
  memcpy(to, square, sizeof square);
}

lw_navmesh *growth_mesh(const lw_vec3 *squares, int count, const lw_link_def *links, int link_count) {
  int *corners = malloc(4 * (size_t)count * sizeof *corners), *counts = malloc((size_t)count * sizeof *counts);
  assert_true(corners && counts);
  for (int i = 0; i < 4 * count; i++) corners[i] = i;
  for (int i = 0; i < count; i++) counts[i] = 4;
  lw_navmesh_def def = lw_navmesh_def_default();
  lw_navmesh *mesh;
  lw_error error = {0};
  def.areas = growth_areas;
  def.vertices = squares;
  def.vertex_count = 4 * count;
  def.corners = corners;
  def.corner_counts = counts;
  def.polygon_count = count;
  def.links = links;
  def.link_count = link_count;
  if (lw_navmesh_create(&def, &mesh, &error) != LW_OK) fail_msg("%s", error.text);
  free(corners);
  free(counts);
  return mesh;
}

lw_navmesh *growth_squares(int wide, int deep, float gap, float height, const lw_link_def *links,
                           int link_count) {
  const int count = wide * deep;
  lw_vec3 *squares = malloc(4 * (size_t)count * sizeof *squares);
  assert_non_null(squares);
  for (int i = 0; i < count; i++)
    growth_square(&squares[4 * i], (float)(i % wide) * (1 + gap), height, (float)(i / wide) * (1 + gap));
  lw_navmesh *mesh = growth_mesh(squares, count, links, link_count);
  free(squares);
  return mesh;
}

lw_world *growth_world(const lw_navmesh *mesh) {
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  def.navmesh = mesh;
  growth_need(lw_world_create(&def, &world, NULL));
  return world;
}

lw_world *growth_joined_world(const lw_navmesh *const meshes[2], const lw_link_def *links, int link_count) {
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  def.navmeshes = meshes;
  def.navmesh_count = 2;
  def.links = links;
  def.link_count = link_count;
  growth_need(lw_world_create(&def, &world, NULL));
  return world;
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
