#include "grids.h"

#include "core/status.h"
#include "mesh/mesh.h"

#include "leeward/import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const grid_names[GRID_COUNT] = {"arena", "den312d", "AR0011SR", "den520d", "Aurora"};

lw_status grid_navmesh(const char *name, const lw_area_table *areas, lw_navmesh **navmesh, lw_error *error) {
  const char *folder = getenv("LEEWARD_SHARED");
  char file[1024];
  if (!folder || !*folder) folder = "../shared";
  snprintf(file, sizeof file, "%s/grids/%s-merged.mesh", folder, name);
  if (access(file, R_OK) != 0)
    return lwi_fail(error, LW_NOT_FOUND, "grid %s is not in %s/grids (LEEWARD_SHARED says where to look)", name,
                    folder);
  return lw_navmesh_import(file, areas, NULL, navmesh, error);
}

/* --- splitting --------------------------------------------------------------------------------------------------- */

typedef struct pieces {
  const lw_navmesh *mesh;
  lw_vec3 *vertices; /* by corner of the mesh */
  int *corners, *counts;
  lw_area_id *areas;
  int corner_count, count;
} pieces;

/* Space for the largest number of pieces: triangles. */
static pieces make_pieces(const lw_navmesh *mesh) {
  size_t max = mesh->polygons.corner_count;
  pieces built = {.mesh = mesh,
                  .vertices = malloc(max * sizeof(lw_vec3)),
                  .corners = malloc(3 * max * sizeof(int)),
                  .counts = malloc(max * sizeof(int)),
                  .areas = malloc(max)};
  if (!built.vertices || !built.corners || !built.counts || !built.areas) abort();
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    lwi_polygon polygon = lwi_polygon_get(mesh, p);
    for (uint32_t i = 0; i < polygon.count; i++)
      built.vertices[mesh->polygons.ranges[p].first_corner + i] = lwi_corner(&polygon, i);
  }
  return built;
}

static void free_pieces(pieces *of) {
  free(of->vertices);
  free(of->corners);
  free(of->counts);
  free(of->areas);
}

/* Twice the area of `count` of the ring's corners, from `first` on. */
static double area_of(const lw_vec3 *vertices, const uint32_t *ring, int ring_count, int first, int count) {
  lw_vec3 apex = vertices[ring[first]];
  double sum = 0;
  for (int i = 2; i < count; i++)
    sum +=
        lwi_turn(apex, vertices[ring[(first + i - 1) % ring_count]], vertices[ring[(first + i) % ring_count]]);
  return sum;
}

static void add_piece(pieces *to, const uint32_t *ring, int ring_count, int first, int count, lw_area_id area) {
  for (int i = 0; i < count; i++) to->corners[to->corner_count++] = (int)ring[(first + i) % ring_count];
  to->areas[to->count] = area;
  to->counts[to->count++] = count;
}

/* Where to cut: corners in a row of which both they and those left have an area, as many as may be. Some have:
   the ring is convex, but runs of its corners may lie on a line. */
static int find_cut(const lw_vec3 *vertices, const uint32_t *ring, int ring_count, int max, int *first) {
  for (int count = max; count >= 3; count--)
    for (*first = 0; *first < ring_count; ++*first)
      if (area_of(vertices, ring, ring_count, *first, count) > 0 &&
          area_of(vertices, ring, ring_count, (*first + count - 1) % ring_count, ring_count - count + 2) > 0)
        return count;
  return 0;
}

static bool split_polygon(pieces *to, uint32_t index, int max) {
  lwi_polygon polygon = lwi_polygon_get(to->mesh, index);
  uint32_t ring[256], left[256];
  int count = (int)polygon.count, first, taken;
  for (uint32_t i = 0; i < polygon.count; i++) ring[i] = to->mesh->polygons.ranges[index].first_corner + i;
  for (; count > max; count -= taken - 2) {
    taken = find_cut(to->vertices, ring, count, max, &first);
    if (taken == 0) return false;
    add_piece(to, ring, count, first, taken, to->mesh->polygons.areas[index]);
    for (int i = 0; i < count - taken + 2; i++) left[i] = ring[(first + taken - 1 + i) % count];
    memcpy(ring, left, (size_t)(count - taken + 2) * sizeof *ring);
  }
  add_piece(to, ring, count, 0, count, to->mesh->polygons.areas[index]);
  return true;
}

lw_status grid_split(const lw_navmesh *mesh, int max, lw_navmesh **split, lw_error *error) {
  pieces of = make_pieces(mesh);
  lw_status status = LW_OK;
  for (uint32_t i = 0; i < mesh->polygons.count && status == LW_OK; i++)
    if (!split_polygon(&of, i, max))
      status = lwi_fail(error, LW_INVALID, "polygon %u cannot be split to %d corners", (unsigned)i, max);
  lw_navmesh_def def = lw_navmesh_def_default();
  def.areas = mesh->areas;
  def.vertices = of.vertices;
  def.vertex_count = (int)mesh->polygons.corner_count;
  def.corners = of.corners;
  def.corner_counts = of.counts;
  def.polygon_count = of.count;
  def.poly_areas = of.areas;
  if (status == LW_OK) status = lw_navmesh_create(&def, split, error);
  free_pieces(&of);
  return status;
}
