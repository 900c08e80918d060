/* Boxes about the detail triangles of polygons that have many: what a height is looked up by. */
#include "mesh/mesh.h"

/* As many triangles are as quickly looked at themselves. */
#define FEW_TRIANGLES 8

lwi_frame lwi_polygon_frame(const lwi_polygon *polygon) {
  float min_x = polygon->at[0], max_x = min_x, min_z = polygon->at[polygon->count], max_z = min_z;
  for (uint32_t i = 1; i < polygon->count; i++) {
    float x = polygon->at[i], z = polygon->at[polygon->count + i];
    min_x = x < min_x ? x : min_x;
    max_x = x > max_x ? x : max_x;
    min_z = z < min_z ? z : min_z;
    max_z = z > max_z ? z : max_z;
  }
  return (lwi_frame){min_x, min_z, max_x - min_x, max_z - min_z};
}

static uint32_t box_bytes(const lw_navmesh *mesh, uint32_t polygon) {
  uint32_t triangles = mesh->first_detail_triangle[polygon + 1] - mesh->first_detail_triangle[polygon];
  return triangles > FEW_TRIANGLES ? 4 * triangles : 0;
}

static void fill_boxes(lw_navmesh *mesh, uint32_t index) {
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  lwi_frame frame = lwi_polygon_frame(&polygon);
  const lw_vec3 *extra = mesh->detail_vertices + mesh->first_detail_vertex[index];
  uint32_t first = mesh->first_detail_triangle[index], count = mesh->first_detail_triangle[index + 1] - first;
  uint8_t *sides = mesh->detail_boxes + mesh->first_detail_box[index];
  for (uint32_t i = 0; i < count; i++) {
    const uint8_t *v = mesh->detail_triangles + 3 * (size_t)(first + i);
    lw_box box = lwi_box_empty();
    for (int k = 0; k < 3; k++)
      box = lwi_box_add(box, v[k] < polygon.count ? lwi_corner(&polygon, v[k]) : extra[v[k] - polygon.count]);
    sides[i] = (uint8_t)lwi_frame_place(box.min.x, frame.min_x, frame.size_x);
    sides[count + i] = (uint8_t)lwi_frame_place(box.max.x, frame.min_x, frame.size_x);
    sides[2 * count + i] = (uint8_t)lwi_frame_place(box.min.z, frame.min_z, frame.size_z);
    sides[3 * count + i] = (uint8_t)lwi_frame_place(box.max.z, frame.min_z, frame.size_z);
  }
}

bool lwi_graph_detail_boxes(lw_navmesh *mesh) {
  if (!mesh->first_detail_triangle) return true;
  mesh->first_detail_box = lwi_alloc(&mesh->memory, (mesh->polygon_count + 1) * sizeof *mesh->first_detail_box);
  if (!mesh->first_detail_box) return false;
  mesh->first_detail_box[0] = 0;
  for (uint32_t p = 0; p < mesh->polygon_count; p++)
    mesh->first_detail_box[p + 1] = mesh->first_detail_box[p] + box_bytes(mesh, p);
  mesh->detail_box_count = mesh->first_detail_box[mesh->polygon_count];
  mesh->detail_boxes = lwi_alloc_zero(&mesh->memory, mesh->detail_box_count + LWI_LANES);
  if (!mesh->detail_boxes) return false;
  for (uint32_t p = 0; p < mesh->polygon_count; p++)
    if (box_bytes(mesh, p) > 0) fill_boxes(mesh, p);
  return true;
}
