#include "wide_plain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CORNERS 6
#define RING (2 * CORNERS)
#define RADIUS 65.0
#define SLOPE 0.05

/* A place on the outline of the polygon of 6 corners, drawn out by a factor; odd ones are in the middle of its edges. */
static lw_vec3 on_outline(int i, double factor) {
  const double turn = 6.283185307179586 / CORNERS, first = 0.1 + turn * (i / 2), second = first + turn;
  double x = cos(first), z = -sin(first);
  if (i % 2 == 1) {
    x = (x + cos(second)) / 2;
    z = (z - sin(second)) / 2;
  }
  x *= RADIUS * factor;
  z *= RADIUS * factor;
  return (lw_vec3){(float)x, (float)(SLOPE * x), (float)z};
}

lw_navmesh *support_wide_plain(const lw_area_table *areas) {
  lw_vec3 vertices[3 * RING];
  int corners[CORNERS + 4 * RING + 3 * CORNERS], counts[1 + RING + CORNERS], corner = 0, count = 0;
  for (int i = 0; i < RING; i++) {
    vertices[i] = on_outline(i, 1);
    vertices[RING + i] = on_outline(i, 1.15);
    vertices[2 * RING + i] = on_outline(i, 1.9);
  }
  for (int i = 0; i < CORNERS; i++) corners[corner++] = 2 * i;
  counts[count++] = CORNERS;
  for (int i = 0; i < RING; i++) {
    const int next = (i + 1) % RING;
    corners[corner++] = i;
    corners[corner++] = RING + i;
    corners[corner++] = RING + next;
    corners[corner++] = next;
    counts[count++] = 4;
  }
  for (int i = 0; i < RING; i += 2) {
    corners[corner++] = RING + i;
    corners[corner++] = 2 * RING + i;
    corners[corner++] = RING + i + 1;
    counts[count++] = 3;
  }
  lw_navmesh_def def = lw_navmesh_def_default();
  def.areas = areas;
  def.vertices = vertices;
  def.vertex_count = 3 * RING;
  def.corners = corners;
  def.corner_counts = counts;
  def.polygon_count = count;
  lw_navmesh *mesh;
  lw_error error = {0};
  if (lw_navmesh_create(&def, &mesh, &error) != LW_OK) {
    fprintf(stderr, "wide plain: %s\n", error.text);
    abort();
  }
  return mesh;
}
