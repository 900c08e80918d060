#include "mesh_links.h"

#include "mesh/sections.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void die(const char *what) {
  fprintf(stderr, "support: %s\n", what);
  abort();
}

static lwi_link join(const lw_navmesh *mesh, const support_link *link) {
  lw_location from, to;
  const lw_vec3 half = {1, 1, 1};
  if (lw_navmesh_nearest(mesh, link->from, half, NULL, &from) != LW_OK ||
      lw_navmesh_nearest(mesh, link->to, half, NULL, &to) != LW_OK)
    die("no mesh at a link's end");
  return (lwi_link){
      .from = lwi_poly_index(mesh, from.poly),
      .to = lwi_poly_index(mesh, to.poly),
      .start = from.point,
      .end = to.point,
      .length = link->length < 0 ? lwi_distance(from.point, to.point) : link->length,
      .kind = (uint8_t)link->kind,
      .area = link->area,
  };
}

/* Arrays of their own again, as while the mesh was built. */
static void unpack(lw_navmesh *mesh) {
  void *block = mesh->block;
  for (int i = 0; i < LWI_SECTION_COUNT; i++) {
    size_t size = (size_t)lwi_section_size(mesh, i);
    if (size == 0) continue;
    void *copy = lwi_alloc(&mesh->memory, size);
    if (!copy) die("out of memory");
    lwi_section_set(mesh, i, memcpy(copy, lwi_section_get(mesh, i), size));
  }
  lwi_free(&mesh->memory, block, mesh->block_size);
  mesh->block = NULL;
  mesh->block_size = 0;
}

void support_add_links(lw_navmesh *mesh, const support_link *links, int count) {
  unpack(mesh);
  size_t polygons = mesh->polygon_count;
  mesh->links = lwi_alloc(&mesh->memory, (size_t)count * sizeof *mesh->links);
  mesh->first_link = lwi_alloc_zero(&mesh->memory, (polygons + 1) * sizeof *mesh->first_link);
  if (!mesh->links || !mesh->first_link) die("out of memory");
  mesh->link_count = (uint32_t)count;
  for (int i = 0; i < count; i++) mesh->first_link[join(mesh, &links[i]).from + 1] += 1;
  for (size_t p = 0; p < polygons; p++) mesh->first_link[p + 1] += mesh->first_link[p];
  for (int i = count - 1; i >= 0; i--) { /* from the last, so that each polygon's begin where they should */
    lwi_link link = join(mesh, &links[i]);
    mesh->links[--mesh->first_link[link.from + 1]] = link;
  }
  for (size_t p = 0; p < polygons; p++) mesh->first_link[p] = mesh->first_link[p + 1];
  mesh->first_link[polygons] = mesh->link_count;
  if (!lwi_sections_pack(mesh)) die("out of memory");
}
