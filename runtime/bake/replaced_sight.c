#include "bake/replaced_sight.h"

#include "bake/occluder_tree.h"
#include "core/vec3.h"

#include <math.h>

/* A facet that a border cuts has one corner more, at each of four borders. */
#define CORNERS (LWI_OCCLUDER_CORNERS + 4)

typedef struct piece {
  lw_vec3 corners[CORNERS]; /* [count] [m] */
  int count;
} piece;

/* Triangles, with corners of their own. */
typedef struct soup {
  lwi_memory *memory;
  lw_vec3 *vertices; /* [3 * count] */
  uint8_t *covers;   /* [count] */
  int count, vertex_capacity, cover_capacity;
} soup;

static bool add_piece(soup *to, const piece *of, uint8_t kind) {
  const int more = of->count < 3 ? 0 : of->count - 2;
  if (!lwi_reserve(to->memory, &to->vertices, &to->vertex_capacity, 3 * (to->count + more),
                   sizeof *to->vertices) ||
      !lwi_reserve(to->memory, &to->covers, &to->cover_capacity, to->count + more, sizeof *to->covers))
    return false;
  for (int i = 0; i < more; i++) {
    lw_vec3 *corners = to->vertices + 3 * to->count;
    corners[0] = of->corners[0];
    corners[1] = of->corners[i + 1];
    corners[2] = of->corners[i + 2];
    to->covers[to->count++] = kind;
  }
  return true;
}

static double along(lw_vec3 p, bool z) {
  return z ? (double)p.z : (double)p.x;
}

/* The part of a piece on one side of a border. @param sign  1: above it; -1: below. */
static piece clip(const piece *of, bool z, double border, double sign) {
  piece part = {.count = 0};
  for (int i = 0; i < of->count; i++) {
    const lw_vec3 a = of->corners[i], b = of->corners[i + 1 < of->count ? i + 1 : 0];
    const double at = sign * (along(a, z) - border), next = sign * (along(b, z) - border);
    if (at >= 0 && part.count < CORNERS) part.corners[part.count++] = a;
    if ((at > 0 && next < 0) || (at < 0 && next > 0)) {
      lw_vec3 crossing = lwi_lerp(a, b, (float)(at / (at - next)));
      *(z ? &crossing.z : &crossing.x) = (float)border; /* the same for the other side */
      if (part.count < CORNERS) part.corners[part.count++] = crossing;
    }
  }
  return part;
}

/* The tiles that a piece lies over. */
typedef struct tile_range {
  int x0, z0, x1, z1;
} tile_range;

static tile_range tiles_under(const lwi_replaced *replaced, const piece *of) {
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (int i = 0; i < of->count; i++)
    for (int z = 0; z < 2; z++) {
      low[z] = fmin(low[z], along(of->corners[i], z));
      high[z] = fmax(high[z], along(of->corners[i], z));
    }
  const double x = (double)replaced->corner.x, z = (double)replaced->corner.z, size = replaced->size;
  return (tile_range){(int)floor((low[0] - x) / size), (int)floor((low[1] - z) / size),
                      (int)floor((high[0] - x) / size), (int)floor((high[1] - z) / size)};
}

static bool is_of(const lwi_replaced *replaced, const lw_navmesh *mesh, int x, int z) {
  const lwi_replaced_tile *tile = lwi_replaced_find(replaced, x, z);
  return (tile ? tile->sight : replaced->base) == mesh;
}

/* How many of the tiles come from the navmesh. Changes are fewer than tiles where a facet is wide. */
static int64_t count_own(const lwi_replaced *replaced, const lw_navmesh *mesh, tile_range range) {
  const int64_t all = ((int64_t)range.x1 - range.x0 + 1) * ((int64_t)range.z1 - range.z0 + 1);
  int64_t own = mesh == replaced->base ? all : 0;
  if (all <= replaced->count) {
    own = 0;
    for (int z = range.z0; z <= range.z1; z++)
      for (int x = range.x0; x <= range.x1; x++) own += is_of(replaced, mesh, x, z);
    return own;
  }
  for (int i = 0; i < replaced->count; i++) {
    const lwi_replaced_tile *at = &replaced->items[i];
    if (at->x < range.x0 || at->x > range.x1 || at->z < range.z0 || at->z > range.z1) continue;
    own += mesh == replaced->base ? -(at->sight != mesh) : at->sight == mesh;
  }
  return own;
}

/* A part of a facet. It is halved along borders until each part lies over tiles that all come from the navmesh, or of
   which none does. */
typedef struct facet_cut {
  const lwi_replaced *replaced;
  const lw_navmesh *mesh;
  uint8_t kind;
  soup *to;
} facet_cut;

static bool cut(const facet_cut *job, const piece *of, tile_range range) {
  const int64_t all = ((int64_t)range.x1 - range.x0 + 1) * ((int64_t)range.z1 - range.z0 + 1),
                own = count_own(job->replaced, job->mesh, range);
  if (of->count < 3 || own == 0) return true;
  if (own == all) return add_piece(job->to, of, job->kind);
  const bool z = range.z1 - range.z0 > range.x1 - range.x0;
  const int low = z ? range.z0 : range.x0, high = z ? range.z1 : range.x1, middle = low + (high - low + 1) / 2;
  const double corner = z ? (double)job->replaced->corner.z : (double)job->replaced->corner.x;
  const double border = (double)(float)(corner + middle * job->replaced->size);
  const piece below = clip(of, z, border, -1), above = clip(of, z, border, 1);
  tile_range first = range, second = range;
  *(z ? &first.z1 : &first.x1) = middle - 1;
  *(z ? &second.z0 : &second.x0) = middle;
  return cut(job, &below, first) && cut(job, &above, second);
}

static bool add_navmesh(const lwi_replaced *replaced, const lw_navmesh *mesh, soup *to) {
  const lwi_occluders *occluders = lwi_occluders_of(mesh);
  lwi_occluder_cursor at = {0};
  lwi_occluder_facet facet;
  while (lwi_occluders_next(occluders, &at, &facet)) {
    const facet_cut job = {replaced, mesh, facet.kind, to};
    piece whole = {.count = facet.count};
    for (int i = 0; i < facet.count; i++) whole.corners[i] = lwi_add(facet.corners[i], occluders->origin);
    if (!cut(&job, &whole, tiles_under(replaced, &whole))) return false;
  }
  return true;
}

lw_status lwi_replaced_sight(const lwi_replaced *replaced, lwi_memory *memory, lwi_occluders *occluders) {
  soup all = {.memory = memory};
  bool done = true;
  for (int i = replaced->source_count; i-- > 0 && done;)
    done = add_navmesh(replaced, replaced->sources[i], &all);
  const size_t size = 3 * (size_t)all.count * sizeof(int);
  int *indices = done && size > 0 ? lwi_alloc(memory, size) : NULL;
  for (int i = 0; indices && i < 3 * all.count; i++) indices[i] = i;
  const lwi_occluder_source source = {
      .vertices = all.vertices, .indices = indices, .triangle_count = all.count, .covers = all.covers};
  lw_status status = LW_OUT_OF_MEMORY;
  if (done && (indices || size == 0))
    status = all.count > 0 ? lwi_occluders_build(&source, memory, occluders) : LW_OK;
  lwi_free(memory, indices, size);
  lwi_free(memory, all.vertices, (size_t)all.vertex_capacity * sizeof *all.vertices);
  lwi_free(memory, all.covers, (size_t)all.cover_capacity * sizeof *all.covers);
  return status;
}
