/// What of the level hangs over walkable ground: bridges, balconies, roofs. It is painted once more among the
/// mesh's polygons, by height, thin enough that what lies below can still be seen.
#include "chart.h"

#include <math.h>

#define ROOM 0.6f         ///< So much higher than a floor is over it, not on it. [m]
#define FLOOR_ALPHA 0xccu ///< A floor that is walked on itself.
#define ROOF_ALPHA 0x6cu  ///< Anything else: what matters is below.
#define OWN_LEVEL 0.5f    ///< Mesh no further above or below belongs to the triangle. [m]
#define OWN_REACH 0.6f    ///< The mesh ends about so far before the floor's edge. [m]
#define SAMPLES 4

typedef struct finding {
  bool over, walked;
  float height; ///< The lowest corner of the polygons on it.
} finding;

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

static finding look(const lw_navmesh *navmesh, float bottom, const shape *it) {
  finding f = {.height = it->height};
  for (int i = 0; i < SAMPLES; i++) {
    lw_vec3 at = sample(it, i), deep = {at.x, bottom - 1, at.z};
    float floor = 0;
    lw_location own;
    if (lw_navmesh_height(navmesh, deep, NULL, &floor) == LW_OK && floor < at.y - ROOM) f.over = true;
    lw_vec3 half = {OWN_REACH, OWN_LEVEL, OWN_REACH};
    if (lw_navmesh_nearest(navmesh, at, half, NULL, &own) != LW_OK) continue;
    f.walked = true;
    f.height = fminf(f.height, lowest_corner(navmesh, own.poly));
  }
  return f;
}

void chart_find_upper(chart *c) {
  float bottom = lw_navmesh_bounds(c->navmesh).min.y;
  for (int i = 0; i < c->relief.count; i++) {
    shape it = c->relief.shapes[i];
    if (it.kind != SHAPE_TRIANGLE) continue;
    finding f = look(c->navmesh, bottom, &it);
    if (!f.over) continue;
    it.color = (it.color & ~0xffu) | (f.walked ? FLOOR_ALPHA : ROOF_ALPHA);
    it.height = f.walked ? f.height - 0.03f : it.height; /* below the polygons that lie on it */
    scene_add(&c->upper, &it);
  }
}
