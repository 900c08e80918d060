/* Of the edges right of a point, those that are in its cell are looked at. The others that lie at greater x join to
   lines, which begin and end at edges that pass the right side of the cell's column. A line crosses the point's z an odd
   number of times if one of its ends is above (at greater z) and one is not: so the ends above are counted, for edges in
   the cell one by one, for all above the cell at once. */
#include "mesh/shore.h"

/* Note which sides of cells each edge passes, at the cell below it; then add up along each column. */
static void count_above(lwi_shore *shore) {
  const int width = shore->grid.width, height = shore->grid.height;
  for (int i = 0; i < shore->count; i++) {
    const lwi_box_cells in = lwi_box_grid_cells(&shore->grid, &shore->boxes[i]);
    for (int x = in.x0; in.z0 > 0 && x < in.x1; x++) shore->above[(in.z0 - 1) * width + x] ^= 1;
  }
  for (int z = height - 2; z >= 0; z--)
    for (int x = 0; x < width; x++) shore->above[z * width + x] ^= shore->above[(z + 1) * width + x];
}

static size_t cell_count(const lwi_shore *shore) {
  return (size_t)shore->grid.width * (size_t)shore->grid.height;
}

bool lwi_shore_make(lwi_shore *shore, const lw_vec3 *points, int count, lwi_memory *memory) {
  *shore = (lwi_shore){.points = points, .count = count, .box = lwi_box_empty()};
  shore->boxes = lwi_alloc(memory, (size_t)count * sizeof *shore->boxes);
  if (!shore->boxes && count > 0) return false;
  for (int i = 0; i < count; i++) {
    const lwi_shore_edge edge = lwi_shore_edge_of(points, count, i);
    shore->boxes[i] = lwi_box_add(lwi_box_add(lwi_box_empty(), edge.a), edge.b);
    shore->box = lwi_box_add(shore->box, edge.a);
  }
  if (lwi_box_grid_make(&shore->grid, shore->boxes, count, memory)) {
    shore->above = lwi_alloc_zero(memory, cell_count(shore));
    if (shore->above || count == 0) {
      count_above(shore);
      return true;
    }
  }
  lwi_shore_free(shore, memory);
  return false;
}

void lwi_shore_free(lwi_shore *shore, lwi_memory *memory) {
  lwi_free(memory, shore->above, shore->above ? cell_count(shore) : 0);
  lwi_box_grid_free(&shore->grid, memory);
  lwi_free(memory, shore->boxes, (size_t)shore->count * sizeof *shore->boxes);
  *shore = (lwi_shore){0};
}

bool lwi_shore_holds(const lwi_shore *shore, lw_vec3 p) {
  const lw_box *box = &shore->box;
  if (!(p.x >= box->min.x && p.x <= box->max.x && p.z >= box->min.z && p.z <= box->max.z)) return false;
  const lwi_box_cells at = lwi_box_grid_cells(&shore->grid, &(lw_box){p, p});
  int count;
  const int *edges = lwi_box_grid_at(&shore->grid, p.x, p.z, &count);
  bool within = shore->above[at.z0 * shore->grid.width + at.x0];
  while (count-- > 0) {
    const int index = edges[count];
    const lwi_shore_edge edge = lwi_shore_edge_of(shore->points, shore->count, index);
    within ^= lwi_shore_edge_is_right_of(edge, p);
    if (lwi_box_grid_cells(&shore->grid, &shore->boxes[index]).x1 > at.x0)
      within ^= (edge.a.x > edge.b.x ? edge.a : edge.b).z > p.z;
  }
  return within;
}
