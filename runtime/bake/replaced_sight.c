#include "bake/replaced_sight.h"

#include "bake/occluder_patch.h"
#include "bake/occluder_tree.h"
#include "core/hash.h"
#include "core/hash_index.h"
#include "core/sort.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

/* A facet that a border cuts has one corner more, at each of four borders. */
#define CORNERS (LWI_OCCLUDER_CORNERS + 4)
/* Boxes of nodes are grown by this before they are looked at: it covers rounding. [m] */
#define BESIDE 0.01

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

/* --- gathering -------------------------------------------------------------------------------------------- */

/* A facet over tiles of several navmeshes. */
typedef struct crossing {
  lwi_occluder_facet facet;
  lwi_occluder_cursor cursor; /* in the occluders of `mesh` */
  const lw_navmesh *mesh;
  int64_t own, all; /* tiles under it */
  int next;         /* equal to it; -1: none */
  bool is_first;    /* of those that are equal */
} crossing;

/* Which of the base's facets go, and which others come. Without a lattice that all sources have in common, all that stays
   comes, too. */
typedef struct gathering {
  const lwi_replaced *replaced;
  lwi_memory *memory;
  lwi_facet_changes *changes;
  soup cut;
  const lwi_occluders *lattice; /* NULL: they have none in common */
  lwi_occluder_facet *finished;
  int finished_count, finished_capacity;
  lwi_occluder_cursor *gone;
  int gone_count, gone_capacity;
  crossing *crossings;
  int crossing_count, crossing_capacity;
  lwi_hash_index index; /* of the crossings that are first */
} gathering;

/* The lattice that all navmeshes have with occluders. */
static const lwi_occluders *find_lattice(const lwi_replaced *replaced) {
  const lwi_occluders *lattice = NULL;
  for (int i = replaced->source_count; i-- > 0;) {
    const lwi_occluders *own = lwi_occluders_of(replaced->sources[i]);
    if (own->facet_count == 0) continue;
    if (lattice && (lattice->quantum != own->quantum || !lwi_equal(lattice->origin, own->origin))) return NULL;
    lattice = own;
  }
  return lattice;
}

static piece piece_of(const lwi_occluder_facet *facet, lw_vec3 origin) {
  piece whole = {.count = facet->count};
  for (int i = 0; i < facet->count; i++) whole.corners[i] = lwi_add(facet->corners[i], origin);
  return whole;
}

static bool note_change(gathering *g, const lwi_occluder_facet *facet, lw_vec3 origin) {
  lwi_facet_changes *changes = g->changes;
  if (!lwi_reserve(g->memory, &changes->items, &changes->capacity, changes->count + 1, sizeof *changes->items))
    return false;
  changes->items[changes->count++] = (lwi_facet_change){*facet, origin};
  return true;
}

static bool add_finished(gathering *g, const lwi_occluder_facet *facet) {
  if (!lwi_reserve(g->memory, &g->finished, &g->finished_capacity, g->finished_count + 1, sizeof *facet))
    return false;
  g->finished[g->finished_count++] = *facet;
  return true;
}

static bool add_gone(gathering *g, const lwi_occluder_facet *facet, lwi_occluder_cursor cursor) {
  if (!lwi_reserve(g->memory, &g->gone, &g->gone_capacity, g->gone_count + 1, sizeof cursor)) return false;
  g->gone[g->gone_count++] = cursor;
  return note_change(g, facet, lwi_occluders_of(g->replaced->base)->origin);
}

static bool is_same(const lwi_occluder_facet *a, const lwi_occluder_facet *b) {
  return a->count == b->count && a->kind == b->kind &&
         memcmp(a->corners, b->corners, a->count * sizeof *a->corners) == 0;
}

/* Put a crossing behind those that are equal. @return false: no memory. */
static bool add_crossing(gathering *g, const crossing *added) {
  const lwi_occluder_facet *facet = &added->facet;
  const uint64_t hash = lwi_hash(facet->kind, facet->corners, facet->count * sizeof *facet->corners);
  const int number = g->crossing_count;
  if (!lwi_reserve(g->memory, &g->crossings, &g->crossing_capacity, number + 1, sizeof *added)) return false;
  g->crossings[g->crossing_count++] = *added;
  for (uint32_t i = lwi_hash_index_first(&g->index, hash); i != LWI_NO_ITEM;
       i = lwi_hash_index_next(&g->index, i)) {
    if (!is_same(&g->crossings[i].facet, facet)) continue;
    g->crossings[number].next = g->crossings[i].next;
    g->crossings[i].next = number;
    return true;
  }
  g->crossings[number].is_first = true;
  return lwi_hash_index_add(&g->index, g->memory, hash, (uint32_t)number);
}

static int64_t count_tiles(tile_range range) {
  return ((int64_t)range.x1 - range.x0 + 1) * ((int64_t)range.z1 - range.z0 + 1);
}

/* A facet that is looked at. Those of the base that are not looked at stay. */
static bool add_facet(gathering *g, const lw_navmesh *mesh, const lwi_occluder_facet *facet,
                      lwi_occluder_cursor cursor) {
  const piece whole = piece_of(facet, lwi_occluders_of(mesh)->origin);
  const bool is_base = mesh == g->replaced->base;
  const tile_range range = tiles_under(g->replaced, &whole);
  const int64_t own = count_own(g->replaced, mesh, range), all = count_tiles(range);
  if (!g->lattice) return own == 0 || cut(&(facet_cut){g->replaced, mesh, facet->kind, &g->cut}, &whole, range);
  if (own == 0) return !is_base || add_gone(g, facet, cursor);
  if (own == all) return is_base || add_finished(g, facet);
  return add_crossing(g, &(crossing){*facet, cursor, mesh, own, all, -1, false});
}

/* What a walk over a navmesh's facets looks for. */
typedef struct walk_wish {
  const gathering *g;
  const lw_navmesh *mesh;
} walk_wish;

/* May facets in the box be some to look at: of the base over tiles that are not its own, of others over tiles that
   are? */
static bool is_looked_at(const void *user, const lw_box *box) {
  const walk_wish *wish = user;
  const lwi_replaced *replaced = wish->g->replaced;
  const double x = (double)replaced->corner.x, z = (double)replaced->corner.z, size = replaced->size;
  const tile_range range = {(int)floor(((double)box->min.x - BESIDE - x) / size),
                            (int)floor(((double)box->min.z - BESIDE - z) / size),
                            (int)floor(((double)box->max.x + BESIDE - x) / size),
                            (int)floor(((double)box->max.z + BESIDE - z) / size)};
  const int64_t own = wish->g->lattice ? count_own(replaced, wish->mesh, range) : 1;
  return wish->g->lattice && wish->mesh == replaced->base ? own < count_tiles(range) : own > 0;
}

static bool add_navmesh(gathering *g, const lw_navmesh *mesh) {
  const walk_wish wish = {g, mesh};
  lwi_occluder_walk walk = {.occluders = lwi_occluders_of(mesh), .filter = is_looked_at, .user = &wish};
  lwi_occluder_cursor cursor;
  lwi_occluder_facet facet;
  while (lwi_occluder_walk_next(&walk, &cursor, &facet))
    if (!add_facet(g, mesh, &facet, cursor)) return false;
  return true;
}

/* Equal facets that together lie over all of their tiles are one facet that nothing has changed: a floor, a wall along
   several tiles. Others are cut. */
static bool settle_crossing(gathering *g, int first) {
  const lw_navmesh *last = NULL, *base = g->replaced->base;
  int64_t own = 0;
  bool is_in_base = false;
  for (int i = first; i >= 0; i = g->crossings[i].next) {
    if (g->crossings[i].mesh != last) own += g->crossings[i].own;
    last = g->crossings[i].mesh;
    is_in_base |= last == base;
  }
  if (own == g->crossings[first].all) return is_in_base || add_finished(g, &g->crossings[first].facet);
  for (int i = first; i >= 0; i = g->crossings[i].next) {
    const crossing *at = &g->crossings[i];
    const facet_cut job = {g->replaced, at->mesh, at->facet.kind, &g->cut};
    const piece whole = piece_of(&at->facet, g->lattice->origin);
    if (!cut(&job, &whole, tiles_under(g->replaced, &whole))) return false;
    if (at->mesh == base && !add_gone(g, &at->facet, at->cursor)) return false;
  }
  return true;
}

static int compare_cursors(const void *left, const void *right) {
  const lwi_occluder_cursor *a = left, *b = right;
  if (a->leaf != b->leaf) return a->leaf < b->leaf ? -1 : 1;
  return (a->at > b->at) - (a->at < b->at);
}

static bool gather(gathering *g) {
  for (int i = g->replaced->source_count; i-- > 0;)
    if (!add_navmesh(g, g->replaced->sources[i])) return false;
  for (int i = 0; i < g->crossing_count; i++)
    if (g->crossings[i].is_first && !settle_crossing(g, i)) return false;
  if (g->gone_count > 0) lwi_sort(g->gone, (size_t)g->gone_count, sizeof *g->gone, compare_cursors);
  return true;
}

/* --- building --------------------------------------------------------------------------------------------- */

/* A BVH over all new facets. */
static lw_status build(const gathering *g, lwi_occluders *occluders) {
  const int count = g->cut.count;
  const size_t size = 3 * (size_t)count * sizeof(int);
  int *indices = lwi_alloc(g->memory, size);
  if (!indices && size > 0) return LW_OUT_OF_MEMORY;
  for (int i = 0; i < 3 * count; i++) indices[i] = i;
  lwi_occluder_source source = {.vertices = g->cut.vertices,
                                .indices = indices,
                                .triangle_count = count,
                                .covers = g->cut.covers,
                                .finished = g->finished,
                                .finished_count = g->finished_count};
  if (g->lattice) {
    source.quantum = g->lattice->quantum;
    source.origin = g->lattice->origin;
  }
  const lw_status status =
      count + g->finished_count > 0 ? lwi_occluders_build(&source, g->memory, occluders) : LW_OK;
  lwi_free(g->memory, indices, size);
  return status;
}

static bool note_all(gathering *g, const lwi_occluders *added) {
  lwi_occluder_cursor at = {0};
  lwi_occluder_facet facet;
  while (lwi_occluders_next(added, &at, &facet))
    if (!note_change(g, &facet, added->origin)) return false;
  return true;
}

/* What stays of the base comes, too. @return false: no memory. */
static bool add_rest(gathering *g) {
  lwi_occluder_cursor at = {0}, before = at;
  lwi_occluder_facet facet;
  for (int gone = 0; lwi_occluders_next(lwi_occluders_of(g->replaced->base), &at, &facet); before = at) {
    const bool goes = gone < g->gone_count && compare_cursors(&g->gone[gone], &before) == 0;
    gone += goes;
    if (!goes && !add_finished(g, &facet)) return false;
  }
  return true;
}

/* Put new facets into the base's BVH, or build one over all of it. */
static lw_status build_changed(gathering *g, lwi_occluders *occluders) {
  const lwi_occluders *base = lwi_occluders_of(g->replaced->base);
  lwi_occluders added = {.quantum = 1};
  lw_status status = build(g, &added);
  if (status == LW_OK && !note_all(g, &added)) status = LW_OUT_OF_MEMORY;
  if (status == LW_OK) {
    const lwi_occluder_patch patch = {base, g->gone, g->gone_count, &added};
    status = lwi_occluders_patch(&patch, g->memory, occluders);
  }
  lwi_occluders_free(&added, g->memory);
  if (status != LW_LIMIT) return status;
  return add_rest(g) ? build(g, occluders) : LW_OUT_OF_MEMORY;
}

lw_status lwi_replaced_sight(const lwi_replaced *replaced, lwi_memory *memory, lwi_occluders *occluders,
                             lwi_facet_changes *changes) {
  gathering g = {.replaced = replaced,
                 .memory = memory,
                 .changes = changes,
                 .cut = {.memory = memory},
                 .lattice = find_lattice(replaced)};
  lw_status status = gather(&g) ? LW_OK : LW_OUT_OF_MEMORY;
  *occluders = (lwi_occluders){.quantum = 1};
  changes->all = !g.lattice || replaced->is_whole;
  if (status == LW_OK && replaced->is_whole && g.lattice && !add_rest(&g)) status = LW_OUT_OF_MEMORY;
  if (status == LW_OK) status = changes->all ? build(&g, occluders) : build_changed(&g, occluders);
  lwi_free(memory, g.cut.vertices, (size_t)g.cut.vertex_capacity * sizeof *g.cut.vertices);
  lwi_free(memory, g.cut.covers, (size_t)g.cut.cover_capacity * sizeof *g.cut.covers);
  lwi_free(memory, g.finished, (size_t)g.finished_capacity * sizeof *g.finished);
  lwi_free(memory, g.gone, (size_t)g.gone_capacity * sizeof *g.gone);
  lwi_free(memory, g.crossings, (size_t)g.crossing_capacity * sizeof *g.crossings);
  lwi_hash_index_free(&g.index, memory);
  return status;
}

void lwi_sight_changes_free(lwi_facet_changes *changes, lwi_memory *memory) {
  lwi_free(memory, changes->items, (size_t)changes->capacity * sizeof *changes->items);
  *changes = (lwi_facet_changes){.count = 0};
}

/* --- measuring -------------------------------------------------------------------------------------------- */

/* How much a tile may differ by the rounding of corners. [m2, and a part of its area] */
#define AREA_SLACK 0.02
#define AREA_SLACK_PART 2e-4

static void add_triangle(const lw_vec3 *corners, lw_vec3 at, double weight, lwi_tile_sight *sight) {
  const lw_vec3 a = lwi_sub(corners[0], at), b = lwi_sub(corners[1], at), c = lwi_sub(corners[2], at);
  const double area = weight * (double)lwi_length(lwi_cross(lwi_sub(b, a), lwi_sub(c, a))) / 2;
  sight->area += area;
  sight->x += area * ((double)a.x + b.x + c.x) / 3;
  sight->y += area * ((double)a.y + b.y + c.y) / 3;
  sight->z += area * ((double)a.z + b.z + c.z) / 3;
}

/* What of a facet lies over a tile. */
static void add_part(const lwi_tile_grid *grid, const piece *whole, int x, int z, double weight,
                     lwi_tile_sight *sight) {
  const double low_x = (double)grid->corner.x + x * grid->size, low_z = (double)grid->corner.z + z * grid->size;
  piece part = clip(whole, false, low_x, 1);
  part = clip(&part, false, low_x + grid->size, -1);
  part = clip(&part, true, low_z, 1);
  part = clip(&part, true, low_z + grid->size, -1);
  const lw_vec3 corner = {(float)low_x, 0, (float)low_z};
  for (int i = 2; i < part.count; i++) {
    const lw_vec3 corners[] = {part.corners[0], part.corners[i - 1], part.corners[i]};
    add_triangle(corners, corner, weight, sight);
  }
}

static int clamp(int number, int low, int high) {
  return number < low ? low : number > high ? high : number;
}

void lwi_tile_sights_measure(const lw_navmesh *mesh, const lwi_tile_grid *grid, const uint8_t *wanted,
                             lwi_tile_sight *sights) {
  const lwi_occluders *occluders = lwi_occluders_of(mesh);
  const lwi_replaced of = {.corner = grid->corner, .size = grid->size};
  lwi_occluder_cursor at = {0};
  lwi_occluder_facet facet;
  while (lwi_occluders_next(occluders, &at, &facet)) {
    const piece whole = piece_of(&facet, occluders->origin);
    const tile_range range = tiles_under(&of, &whole);
    const int end_x = clamp(range.x1 - grid->x0, -1, grid->columns - 1),
              end_z = clamp(range.z1 - grid->z0, -1, grid->rows - 1);
    for (int z = clamp(range.z0 - grid->z0, 0, grid->rows); z <= end_z; z++)
      for (int x = clamp(range.x0 - grid->x0, 0, grid->columns); x <= end_x; x++) {
        const size_t cell = (size_t)z * (size_t)grid->columns + (size_t)x;
        if (wanted[cell]) add_part(grid, &whole, grid->x0 + x, grid->z0 + z, 1.0 + facet.kind, &sights[cell]);
      }
  }
}

bool lwi_tile_sights_are_same(const lwi_tile_grid *grid, const lwi_tile_sight *a, const lwi_tile_sight *b) {
  const double slack = AREA_SLACK + AREA_SLACK_PART * a->area, height = a->area > 0 ? fabs(a->y) / a->area : 0;
  return fabs(a->area - b->area) <= slack && fabs(a->x - b->x) <= slack * grid->size &&
         fabs(a->z - b->z) <= slack * grid->size && fabs(a->y - b->y) <= slack * (grid->size + height);
}
