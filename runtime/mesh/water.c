/* How deep the water is. */
#include "mesh/mesh.h"

/* The surface may stray from the ground, which may then seem to lie below a water's bottom. [m] */
#define GROUND_SLACK 0.1f

static bool is_within(const lw_vec3 *points, uint32_t count, lw_vec3 p) {
  bool within = false;
  for (uint32_t i = 0; i < count; i++) {
    lw_vec3 a = points[i], b = points[i + 1 < count ? i + 1 : 0];
    double t = ((double)p.z - a.z) / ((double)b.z - a.z);
    if ((a.z > p.z) != (b.z > p.z) && p.x < a.x + t * ((double)b.x - a.x)) within = !within;
  }
  return within;
}

float lwi_water_depth(const lw_navmesh *mesh, lw_vec3 ground) {
  for (uint32_t i = mesh->water_count; i-- > 0;) { /* the later one counts */
    const lwi_water *water = &mesh->waters[i];
    if (ground.y < water->level && ground.y >= water->bottom - GROUND_SLACK &&
        is_within(mesh->water_points + water->first_point, water->point_count, ground))
      return water->level - ground.y;
  }
  return 0;
}

lw_status lw_navmesh_water_depth(const lw_navmesh *mesh, lw_vec3 point, float *depth) {
  *depth = 0;
  lw_status status = lw_navmesh_height(mesh, point, NULL, &point.y);
  if (status == LW_OK) *depth = lwi_water_depth(mesh, point);
  return status;
}

int lw_navmesh_water_count(const lw_navmesh *mesh) {
  return (int)mesh->water_count;
}
