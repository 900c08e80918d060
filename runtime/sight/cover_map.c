#include "sight/cover_map.h"

#include "core/vec3.h"
#include "mesh/column.h"

/* How high above its ground an eye may be, how far beside the mesh, how far below a surface. [m] */
#define HIGH 3.0f
#define BESIDE 0.8f
#define UNDER 0.3f

/* The highest surface below the eye, or else the nearest point of the mesh. */
uint32_t lwi_map_polygon(const lw_navmesh *mesh, lw_vec3 eye) {
  lwi_column column;
  uint32_t best = LWI_NONE;
  mesh = lwi_base_of(mesh);
  float highest = eye.y - HIGH;
  if (lwi_grid_column(&mesh->grid, eye.x, eye.z, &column))
    for (uint32_t i = column.first; i < column.end; i++) {
      const lwi_reference *reference = &mesh->grid.references[i];
      if (!lwi_column_meets(&column, reference)) continue;
      lwi_polygon polygon = lwi_polygon_get(mesh, reference->polygon);
      if (!lwi_polygon_holds(&polygon, eye, 1e-3)) continue;
      float height = lwi_polygon_height(mesh, reference->polygon, eye.x, eye.z);
      if (height > eye.y + UNDER || height <= highest) continue;
      highest = height;
      best = reference->polygon;
    }
  if (best != LWI_NONE) return best;
  lw_location at;
  lw_vec3 below = {eye.x, eye.y - HIGH / 2, eye.z};
  const lw_vec3 reach = {BESIDE, HIGH / 2 + UNDER, BESIDE};
  if (lw_navmesh_nearest(mesh, below, reach, NULL, &at) != LW_OK) return LWI_NONE;
  return lwi_poly_index(mesh, at.poly);
}

bool lwi_map_leaves(const lw_navmesh *mesh, lw_vec3 eye, lwi_bvh_leaf_list *leaves) {
  if (!lwi_cover_map_of(mesh)->has) return false;
  uint32_t polygon = lwi_map_polygon(mesh, eye);
  if (polygon == LWI_NONE) return false;
  *leaves = lwi_map_list_of(lwi_cover_map_of(mesh)->first, lwi_cover_map_of(mesh)->leaves, polygon);
  return true;
}
