#include "bake/bake_annotations.h"

#include "core/hash.h"
#include "cover/occluder.h"
#include "geometry/geometry.h"

#include <string.h>

static void count_waters(const lwi_marks *marks, uint32_t *waters, uint32_t *points) {
  for (int i = 0; i < marks->count; ++i) {
    if (!marks->items[i].is_water) continue;
    *waters += 1;
    *points += (uint32_t)marks->items[i].point_count;
  }
}

static void fill_waters(const lwi_marks *marks, lwi_water *water, lw_vec3 *points) {
  uint32_t point = 0;
  for (int i = 0; i < marks->count; ++i) {
    const lwi_mark *mark = &marks->items[i];
    if (!mark->is_water) continue;
    uint32_t count = (uint32_t)mark->point_count;
    *water++ = (lwi_water){mark->top, mark->bottom, point, count};
    memcpy(points + point, marks->points + mark->first_point, count * sizeof *points);
    point += count;
  }
}

bool lwi_bake_occluders(const lw_geometry *geometry, lwi_memory *memory, lwi_occluders *occluders) {
  lwi_occluder_source source = {lw_geometry_vertices(geometry), lw_geometry_indices(geometry),
                                lw_geometry_triangle_count(geometry), lw_geometry_covers(geometry)};
  return lwi_occluders_build(&source, memory, occluders) == LW_OK;
}

bool lwi_bake_annotations(const lw_geometry *geometry, bool occluders, lwi_memory *memory,
                          lwi_annotations *annotations) {
  const lwi_marks *marks = lwi_geometry_marks(geometry);
  const lwi_links *links = lwi_geometry_links(geometry);
  uint32_t link_count = (uint32_t)links->count, water_count = 0, point_count = 0;
  count_waters(marks, &water_count, &point_count);
  lwi_request *requests = lwi_alloc(memory, link_count * sizeof *requests);
  lwi_water *waters = lwi_alloc(memory, water_count * sizeof *waters);
  lw_vec3 *points = lwi_alloc(memory, point_count * sizeof *points);
  *annotations =
      (lwi_annotations){link_count, water_count, point_count, requests, waters, points, {.quantum = 1}};
  if ((!requests && link_count > 0) || ((!waters || !points) && water_count > 0)) return false;
  for (uint32_t i = 0; i < link_count; ++i) requests[i] = lwi_request_of(&links->items[i]);
  if (waters) fill_waters(marks, waters, points);
  return !occluders || lwi_bake_occluders(geometry, memory, &annotations->occluders);
}

void lwi_bake_annotations_free(lwi_annotations *annotations, lwi_memory *memory) {
  const lwi_annotations *a = annotations;
  lwi_free(memory, (void *)a->requests, a->request_count * sizeof *a->requests);
  lwi_free(memory, (void *)a->waters, a->water_count * sizeof *a->waters);
  lwi_free(memory, (void *)a->water_points, a->water_point_count * sizeof *a->water_points);
  lwi_occluders_free(&annotations->occluders, memory);
  *annotations = (lwi_annotations){0};
}

static uint64_t hash_mark(const lwi_mark *mark, const lw_vec3 *points, uint64_t hash) {
  const uint32_t numbers[] = {mark->area,      mark->deep_area, mark->is_path,
                              mark->is_closed, mark->is_water,  (uint32_t)mark->point_count};
  const float lengths[] = {mark->half_width, mark->bottom, mark->top, mark->wade};
  hash = lwi_hash(hash, numbers, sizeof numbers);
  hash = lwi_hash(hash, lengths, sizeof lengths);
  return lwi_hash(hash, points + mark->first_point, (size_t)mark->point_count * sizeof *points);
}

static uint64_t hash_link(const lw_link_def *link, uint64_t hash) {
  const uint32_t numbers[] = {(uint32_t)link->kind, link->bidirectional, link->area};
  const float lengths[] = {link->radius, link->length};
  hash = lwi_hash(hash, numbers, sizeof numbers);
  hash = lwi_hash(hash, lengths, sizeof lengths);
  hash = lwi_hash(hash, &link->from, sizeof link->from);
  return lwi_hash(hash, &link->to, sizeof link->to);
}

uint64_t lwi_bake_hash_annotations(const lw_geometry *geometry, uint64_t hash) {
  const lwi_marks *marks = lwi_geometry_marks(geometry);
  const lwi_links *links = lwi_geometry_links(geometry);
  for (int i = 0; i < marks->count; ++i) hash = hash_mark(&marks->items[i], marks->points, hash);
  for (int i = 0; i < links->count; ++i) hash = hash_link(&links->items[i], hash);
  return lwi_hash(hash, lw_geometry_covers(geometry), (size_t)lw_geometry_triangle_count(geometry));
}
