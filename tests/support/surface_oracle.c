#include "surface_oracle.h"

#include "levels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

uint32_t surface_oracle_count(const lw_navmesh *mesh, uint32_t p) {
  const lwi_mesh_detail *detail = &mesh->detail;
  const uint32_t count = detail->first_triangle ? detail->first_triangle[p + 1] - detail->first_triangle[p] : 0;
  return count > 0 ? count : lwi_polygon_get(mesh, p).count - 2;
}

void surface_oracle_triangle(const lw_navmesh *mesh, uint32_t p, uint32_t i, lw_vec3 *at) {
  const lwi_polygon polygon = lwi_polygon_get(mesh, p);
  const lwi_mesh_detail *detail = &mesh->detail;
  const bool has_detail = detail->first_triangle && detail->first_triangle[p + 1] > detail->first_triangle[p];
  for (uint32_t k = 0; k < 3; k++) {
    uint32_t v = k == 0 ? 0 : i + k; /* a fan */
    if (has_detail) v = detail->triangles[3 * (size_t)(detail->first_triangle[p] + i) + k];
    at[k] = v < polygon.count ? lwi_corner(&polygon, v)
                              : detail->vertices[detail->first_vertex[p] + v - polygon.count];
  }
}

bool surface_oracle_triangle_height(const lw_vec3 at[3], double x, double z, double *height) {
  double dx[3], dz[3], weights[3], sum = 0;
  for (int k = 0; k < 3; k++) {
    dx[k] = (double)at[k].x - x;
    dz[k] = (double)at[k].z - z;
  }
  for (int k = 0; k < 3; k++) {
    const int b = (k + 1) % 3, c = (k + 2) % 3;
    sum += weights[k] = dz[b] * dx[c] - dx[b] * dz[c];
  }
  if (fabs(sum) < 1e-12) return false;
  *height = 0;
  for (int k = 0; k < 3; k++) {
    if (weights[k] / sum < -1e-4) return false;
    *height += weights[k] / sum * (double)at[k].y;
  }
  return true;
}

bool surface_oracle_height(const lw_navmesh *mesh, uint32_t polygon, double x, double z, double y,
                           double *height) {
  const uint32_t count = surface_oracle_count(mesh, polygon);
  *height = INFINITY;
  for (uint32_t i = 0; i < count; i++) {
    lw_vec3 corners[3];
    double at;
    surface_oracle_triangle(mesh, polygon, i, corners);
    if (surface_oracle_triangle_height(corners, x, z, &at) && fabs(at - y) < fabs(*height - y)) *height = at;
  }
  return isfinite(*height);
}

#define HILL_POINTS 61
lw_navmesh *surface_oracle_hills(const lw_area_table *areas) {
  lw_vec3 *vertices = malloc(HILL_POINTS * HILL_POINTS * sizeof *vertices);
  int *indices = malloc((size_t)(6 * (HILL_POINTS - 1) * (HILL_POINTS - 1)) * sizeof *indices), count = 0;
  lw_geometry *geometry;
  lw_navmesh *mesh;
  lw_error error = {0};
  if (!vertices || !indices) abort();
  for (int i = 0; i < HILL_POINTS * HILL_POINTS; i++) {
    const float x = (float)(i % HILL_POINTS), z = (float)(i / HILL_POINTS);
    vertices[i] = (lw_vec3){x, 1.5f * sinf(x / 3) * sinf(z / 4), z};
    if (i % HILL_POINTS + 1 == HILL_POINTS || i / HILL_POINTS + 1 == HILL_POINTS) continue;
    const int corners[6] = {i, i + HILL_POINTS, i + 1, i + 1, i + HILL_POINTS, i + HILL_POINTS + 1};
    for (int k = 0; k < 6; k++) indices[count++] = corners[k];
  }
  if (lw_geometry_create(areas, NULL, &geometry) != LW_OK) abort();
  const lw_geometry_mesh hills = {.vertices = vertices,
                                  .vertex_count = HILL_POINTS * HILL_POINTS,
                                  .indices = indices,
                                  .triangle_count = count / 3,
                                  .area = lw_area_table_find(areas, "ground")};
  const lw_bake_settings settings = level_settings();
  if (lw_geometry_add_mesh(geometry, &hills, &error) ||
      lw_navmesh_bake(geometry, &settings, &mesh, NULL, &error)) {
    printf("%s\n", error.text);
    abort();
  }
  lw_geometry_destroy(geometry);
  free(indices);
  free(vertices);
  return mesh;
}
