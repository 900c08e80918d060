/// The parts of the level above walkable ground: bridges, balconies, roofs. They are painted once more among
/// the polygons of the mesh, by height and translucent, so that the ground below stays visible.
#include "chart.h"

#include <math.h>

#define HEADROOM 0.6f     ///< A triangle is above a floor if it is higher than this above it. [m]
#define FLOOR_ALPHA 0xccu ///< Of a triangle with walkable ground on it.
#define ROOF_ALPHA 0x6cu  ///< Of any other triangle above ground.
#define OWN_LEVEL 0.5f    ///< Mesh belongs to the triangle up to this distance in height. [m]
#define OWN_REACH 0.6f    ///< And up to this distance in x and z: the mesh ends before the floor's edge. [m]
#define SAMPLES 4

/// Whether a triangle is above walkable ground, and whether walkable ground lies on it.
typedef struct level {
  bool above, walkable;
  float height; ///< The lowest corner of the polygons on it. [m]
} level;

static lw_vec3 sample(const shape *it, int i) {
  lw_vec3 corners[] = {it->a, it->b, it->c};
  lw_vec3 mean = {(it->a.x + it->b.x + it->c.x) / 3, (it->a.y + it->b.y + it->c.y) / 3,
                  (it->a.z + it->b.z + it->c.z) / 3};
  if (i == 0) return mean;
  lw_vec3 corner = corners[i - 1];
  return (lw_vec3){(mean.x + corner.x) / 2, (mean.y + corner.y) / 2, (mean.z + corner.z) / 2};
}

static float lowest_corner(const lw_navmesh *navmesh, lw_poly_id poly) {
  lw_vec3 corners[255];
  int count = lw_navmesh_poly_corners(navmesh, poly, corners, 255);
  float lowest = INFINITY;
  for (int i = 0; i < count && i < 255; i++) lowest = fminf(lowest, corners[i].y);
  return lowest;
}

static level find_level(const lw_navmesh *navmesh, float bottom, const shape *it) {
  level f = {.height = it->height};
  for (int i = 0; i < SAMPLES; i++) {
    lw_vec3 at = sample(it, i), deep = {at.x, bottom - 1, at.z};
    float floor = 0;
    lw_location own;
    if (lw_navmesh_height(navmesh, deep, NULL, &floor) == LW_OK && floor < at.y - HEADROOM) f.above = true;
    lw_vec3 half = {OWN_REACH, OWN_LEVEL, OWN_REACH};
    if (lw_navmesh_nearest(navmesh, at, half, NULL, &own) != LW_OK) continue;
    f.walkable = true;
    f.height = fminf(f.height, lowest_corner(navmesh, own.poly));
  }
  return f;
}

void chart_find_upper(chart *c) {
  float bottom = lw_navmesh_bounds(c->navmesh).min.y;
  for (int i = 0; i < c->relief.count; i++) {
    shape it = c->relief.shapes[i];
    if (it.kind != SHAPE_TRIANGLE) continue;
    level f = find_level(c->navmesh, bottom, &it);
    if (!f.above) continue;
    it.color = (it.color & ~0xffu) | (f.walkable ? FLOOR_ALPHA : ROOF_ALPHA);
    it.height = f.walkable ? f.height - 0.03f : it.height; /* below the polygons that lie on it */
    scene_add(&c->upper, &it);
  }
}
