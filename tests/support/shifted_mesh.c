#include "shifted_mesh.h"

#include "mesh/sources.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void shift(lw_vec3 *points, int count, double x, double z) {
  for (int i = 0; i < count; i++) {
    points[i].x = (float)(points[i].x + x);
    points[i].z = (float)(points[i].z + z);
  }
}

lw_navmesh *support_shifted(const lw_navmesh *mesh, double x, double z) {
  lwi_sources sources = {.memory = lwi_memory_make(NULL)};
  lw_navmesh *shifted = NULL;
  lw_error error = {0};
  assert_true(lwi_sources_add(&sources, mesh));
  for (int i = 0; i < sources.count; i++) {
    lwi_tile_source *tile = &sources.tiles[i]; /* a writable copy of ours */
    shift((lw_vec3 *)tile->vertices, tile->vertex_count, x, z);
    if (tile->first_detail_vertex)
      shift((lw_vec3 *)tile->detail_vertices, tile->first_detail_vertex[tile->polygon_count], x, z);
    shift(&tile->bounds.min, 2, x, z);
  }
  lwi_navmesh_source source = {.areas = mesh->areas,
                               .agent = mesh->agent,
                               .tile_size = mesh->tile_size,
                               .tile_count = sources.count,
                               .tiles = sources.tiles};
  if (lwi_navmesh_build(&source, &shifted, &error)) fail_msg("%s", error.text);
  lwi_sources_free(&sources);
  return shifted;
}
