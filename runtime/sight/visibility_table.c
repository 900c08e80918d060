#include "sight/visibility_table.h"

#include "mesh/column.h"

/* --- the table -------------------------------------------------------------------------------------------- */

/* How many words of the group before `word` are stored. */
static uint32_t count_before(uint32_t kinds, uint32_t word) {
  return (uint32_t)__builtin_popcount(lwi_visibility_unlike(kinds) & ((1u << 2 * word) - 1));
}

lwi_pair_visibility lwi_visibility_table_get(const lw_navmesh *mesh, uint32_t a, uint32_t b) {
  const lwi_visibility_table *of = lwi_visibility_of(mesh);
  if (!of->has || a == LWI_NONE || b == LWI_NONE) return LWI_VISIBILITY_MIXED;
  const uint32_t row = a < b ? a : b, column = a < b ? b : a;
  const uint32_t at = of->rows[row] + column / LWI_VISIBILITY_GROUP - row / LWI_VISIBILITY_GROUP;
  if (at >= of->rows[row + 1]) return LWI_VISIBILITY_MIXED;
  const lwi_visibility_group group = of->groups[at];
  const uint32_t word = column % LWI_VISIBILITY_GROUP / LWI_VISIBILITY_WORD;
  const uint32_t kind = group.kinds >> 2 * word & 3;
  if (kind != LWI_VISIBILITY_UNLIKE) return (lwi_pair_visibility)kind;
  return (lwi_pair_visibility)(of->words[group.first + count_before(group.kinds, word)] >>
                                   2 * (column % LWI_VISIBILITY_WORD) &
                               3);
}

/* --- prisms ----------------------------------------------------------------------------------------------- */

/* The range of the surface's height over the sloped plane. */
typedef struct stray {
  float low, high;
} stray;

static stray add_place(stray of, const lwi_prism *prism, lw_vec3 first, lw_vec3 at) {
  float over = at.y - prism->slope_x * (at.x - first.x) - prism->slope_z * (at.z - first.z);
  return (stray){lwi_min(of.low, over), lwi_max(of.high, over)};
}

/* The slope of the corners' mean plane (Newell). */
static void find_slope(const lwi_polygon *corners, lwi_prism *prism) {
  double x = 0, y = 0, z = 0;
  lw_vec3 first = lwi_corner(corners, 0);
  for (uint32_t i = 2; i < corners->count; i++) {
    lw_vec3 a = lwi_sub(lwi_corner(corners, i - 1), first), b = lwi_sub(lwi_corner(corners, i), first);
    x += (double)a.y * b.z - (double)a.z * b.y;
    y += (double)a.z * b.x - (double)a.x * b.z;
    z += (double)a.x * b.y - (double)a.y * b.x;
  }
  if (!(fabs(y) > 1e-12)) return;
  prism->slope_x = (float)fmax(-10, fmin(10, -x / y));
  prism->slope_z = (float)fmax(-10, fmin(10, -z / y));
}

lwi_prism lwi_prism_of(const lw_navmesh *mesh, uint32_t polygon) {
  lwi_polygon corners = lwi_polygon_get(mesh, polygon);
  lw_vec3 first = lwi_corner(&corners, 0);
  lwi_prism prism = {0};
  stray of = {INFINITY, -INFINITY};
  find_slope(&corners, &prism);
  for (uint32_t i = 0; i < corners.count; i++) of = add_place(of, &prism, first, lwi_corner(&corners, i));
  if (mesh->detail.triangle_count > 0)
    for (uint32_t v = mesh->detail.first_vertex[polygon]; v < mesh->detail.first_vertex[polygon + 1]; v++)
      of = add_place(of, &prism, first, mesh->detail.vertices[v]);
  prism.low = of.low + LWI_VISIBILITY_LOW;
  prism.high = of.high + LWI_VISIBILITY_HIGH;
  return prism;
}

static bool between_planes(const lwi_prism *prism, lw_vec3 first, lw_vec3 at, float low, float high) {
  float base = prism->slope_x * (at.x - first.x) + prism->slope_z * (at.z - first.z);
  return at.y + low >= base + prism->low - LWI_VISIBILITY_BESIDE &&
         at.y + high <= base + prism->high + LWI_VISIBILITY_BESIDE;
}

bool lwi_visibility_table_hold(const lw_navmesh *mesh, uint32_t polygon, lw_vec3 from, lw_vec3 to, float low,
                               float high) {
  if (!lwi_visibility_of(mesh)->has) return false;
  const lwi_prism *prism = &lwi_visibility_of(mesh)->prisms[polygon];
  lwi_polygon corners = lwi_polygon_get(mesh, polygon);
  lw_vec3 first = lwi_corner(&corners, 0);
  return between_planes(prism, first, from, low, high) && between_planes(prism, first, to, low, high) &&
         lwi_polygon_holds(&corners, from, (double)LWI_VISIBILITY_BESIDE) &&
         lwi_polygon_holds(&corners, to, (double)LWI_VISIBILITY_BESIDE);
}

uint32_t lwi_visibility_table_over(const lw_navmesh *mesh, lw_vec3 eye) {
  lwi_column column;
  mesh = lwi_base_of(mesh);
  if (!lwi_visibility_of(mesh)->has || !lwi_grid_column(&mesh->grid, eye.x, eye.z, &column)) return LWI_NONE;
  for (uint32_t i = column.first; i < column.end; i++) {
    const lwi_reference *reference = &mesh->grid.references[i];
    if (lwi_column_meets(&column, reference) &&
        lwi_visibility_table_hold(mesh, reference->polygon, eye, eye, 0, 0))
      return reference->polygon;
  }
  return LWI_NONE;
}
