/* Drawing a polygon by its area in constant time: Walker's alias method (1977), the tables made as Vose has it (1991). */
#include "mesh/mesh.h"

/* Polygons with less than their share on the left, those with more on the right. */
typedef struct shares {
  double *left_over; /* [polygon_count] In mean areas. */
  uint32_t *order;
  uint32_t small, large;
} shares;

static void share_out(const lw_navmesh *mesh, shares *of) {
  uint32_t count = mesh->polygon_count;
  of->small = 0;
  of->large = count;
  for (uint32_t i = 0; i < count; i++) {
    of->left_over[i] = lwi_area_of(mesh, i) * count / mesh->area;
    if (of->left_over[i] < 1)
      of->order[of->small++] = i;
    else
      of->order[--of->large] = i;
  }
}

static void pair_up(lw_navmesh *mesh, shares *of) {
  uint32_t small = of->small, large = of->large, count = mesh->polygon_count;
  for (uint32_t i = 0; i < count; i++) mesh->aliases[i] = (lwi_alias){1, i};
  for (uint32_t next = 0; next < small && large < count; next++) {
    uint32_t poor = of->order[next], rich = of->order[large];
    mesh->aliases[poor] = (lwi_alias){(float)of->left_over[poor], rich};
    of->left_over[rich] -= 1 - of->left_over[poor];
    if (of->left_over[rich] >= 1) continue;
    /* Now it is poor itself. The slots from `small` on are those of the rich that went before. */
    large++;
    of->order[small++] = rich;
  }
}

bool lwi_graph_aliases(lw_navmesh *mesh) {
  size_t count = mesh->polygon_count;
  if (count == 0) return true;
  shares of = {.left_over = lwi_alloc(&mesh->memory, count * sizeof *of.left_over),
               .order = lwi_alloc(&mesh->memory, count * sizeof *of.order)};
  mesh->aliases = lwi_alloc(&mesh->memory, count * sizeof *mesh->aliases);
  bool done = of.left_over && of.order && mesh->aliases;
  if (done) {
    share_out(mesh, &of);
    pair_up(mesh, &of);
  }
  lwi_free(&mesh->memory, of.left_over, count * sizeof *of.left_over);
  lwi_free(&mesh->memory, of.order, count * sizeof *of.order);
  return done;
}
