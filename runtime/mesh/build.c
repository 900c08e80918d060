#include "mesh/build.h"
#include "mesh/reduction.h"

#include "core/hash.h"
#include "core/status.h"
#include "core/vec3.h"
#include "mesh/known.h"
#include "mesh/link_notes.h"
#include "mesh/sections.h"

#include <string.h>

/* --- welding ---------------------------------------------------------------------------------------------- */

/* Adding 0 turns -0 into 0, which has other bits but is the same place. */
static lw_vec3 normalize_zeros(lw_vec3 v) {
  return lwi_vec3(v.x + 0.0f, v.y + 0.0f, v.z + 0.0f);
}

static uint32_t hash_place(lw_vec3 place) {
  uint32_t words[3], hash = 0;
  memcpy(words, &place, sizeof words);
  for (int i = 0; i < 3; i++) {
    hash = (hash ^ words[i]) * 0x9e3779b1u;
    hash ^= hash >> 15;
  }
  return hash;
}

typedef struct weld_slot {
  lw_vec3 place;
  int number; /* + 1; 0: free */
} weld_slot;

bool lwi_weld(lwi_memory *memory, const lw_vec3 *points, int count, int *numbers, lw_vec3 *places,
              int *place_count) {
  uint32_t slots = 16;
  while (slots < 2 * (uint32_t)count) slots *= 2;
  weld_slot *table = lwi_alloc_zero(memory, slots * sizeof *table);
  *place_count = 0;
  if (!table) return false;
  for (int i = 0; i < count; i++) {
    lw_vec3 place = normalize_zeros(points[i]);
    uint32_t slot = hash_place(place) & (slots - 1);
    while (table[slot].number != 0 && !lwi_equal(table[slot].place, place)) slot = (slot + 1) & (slots - 1);
    if (table[slot].number == 0) {
      if (places) places[*place_count] = points[i];
      table[slot] = (weld_slot){place, ++*place_count};
    }
    numbers[i] = table[slot].number - 1;
  }
  lwi_free(memory, table, slots * sizeof *table);
  return true;
}

/* --- aliases ---------------------------------------------------------------------------------------------- */

/* Tables to draw a polygon by area in constant time: Walker's alias method (1977), built by Vose's algorithm
   (1991). */
/* Polygons below the mean area on the left of `order`, the others on the right. */
typedef struct shares {
  double *rest; /* [polygons] what is not yet given to a slot, in mean areas */
  uint32_t *order;
  uint32_t small, large;
} shares;

static void share_out(const lw_navmesh *mesh, shares *of) {
  uint32_t count = mesh->polygons.count;
  of->small = 0;
  of->large = count;
  for (uint32_t i = 0; i < count; i++) {
    of->rest[i] = lwi_area_of(mesh, i) * count / mesh->area;
    if (of->rest[i] < 1)
      of->order[of->small++] = i;
    else
      of->order[--of->large] = i;
  }
}

static void pair_up(lw_navmesh *mesh, shares *of) {
  uint32_t small = of->small, large = of->large, count = mesh->polygons.count;
  for (uint32_t i = 0; i < count; i++) mesh->polygons.aliases[i] = (lwi_alias){1, i};
  for (uint32_t next = 0; next < small && large < count; next++) {
    uint32_t below = of->order[next], above = of->order[large];
    mesh->polygons.aliases[below] = (lwi_alias){(float)of->rest[below], above};
    of->rest[above] -= 1 - of->rest[below];
    if (of->rest[above] >= 1) continue;
    /* It is below the mean now. Places from `small` on are free, since those before `large` have been used. */
    large++;
    of->order[small++] = above;
  }
}

bool lwi_graph_aliases(lw_navmesh *mesh) {
  size_t count = mesh->polygons.count;
  if (count == 0) return true;
  shares of = {.rest = lwi_alloc(&mesh->memory, count * sizeof *of.rest),
               .order = lwi_alloc(&mesh->memory, count * sizeof *of.order)};
  mesh->polygons.aliases = lwi_alloc(&mesh->memory, count * sizeof *mesh->polygons.aliases);
  bool done = of.rest && of.order && mesh->polygons.aliases;
  if (done) {
    share_out(mesh, &of);
    pair_up(mesh, &of);
  }
  lwi_free(&mesh->memory, of.rest, count * sizeof *of.rest);
  lwi_free(&mesh->memory, of.order, count * sizeof *of.order);
  return done;
}

/* --- building --------------------------------------------------------------------------------------------- */

typedef struct totals {
  uint64_t polygons, corners, detail_vertices, detail_triangles;
} totals;

static void count_known(const lwi_known_tile *known, totals *sum) {
  const lw_navmesh *mesh = known->mesh;
  const uint32_t first = mesh->tiles.items[known->index].first_polygon,
                 end = first + mesh->tiles.items[known->index].polygon_count;
  sum->polygons += end - first;
  sum->corners += mesh->polygons.ranges[end].first_corner - mesh->polygons.ranges[first].first_corner;
  if (!mesh->detail.first_vertex) return;
  sum->detail_vertices += mesh->detail.first_vertex[end] - mesh->detail.first_vertex[first];
  sum->detail_triangles += mesh->detail.first_triangle[end] - mesh->detail.first_triangle[first];
}

static totals count_all(const lwi_navmesh_source *source) {
  totals sum = {0};
  for (int i = 0; i < source->tile_count && source->known; i++) count_known(&source->known[i], &sum);
  for (int i = 0; i < source->tile_count && !source->known; i++) {
    const lwi_tile_source *tile = &source->tiles[i];
    sum.polygons += (uint64_t)tile->polygon_count;
    sum.corners += (uint64_t)tile->first_corner[tile->polygon_count];
    if (!tile->first_detail_vertex) continue;
    sum.detail_vertices += (uint64_t)tile->first_detail_vertex[tile->polygon_count];
    sum.detail_triangles += (uint64_t)tile->first_detail_triangle[tile->polygon_count];
  }
  return sum;
}

static bool make_array(lw_navmesh *mesh, int which) {
  const lwi_section_place at = lwi_section_own(mesh, which);
  size_t size = (size_t)lwi_section_size(&at);
  void *array = lwi_alloc_zero(&mesh->memory, size);
  lwi_section_set(&at, array);
  return array != NULL || size == 0;
}

static bool make_arrays(lw_navmesh *mesh, const totals *sum, int tile_count) {
  static const int sections[] = {LWI_TILES,
                                 LWI_RANGES,
                                 LWI_CORNERS,
                                 LWI_EDGES,
                                 LWI_AREAS,
                                 LWI_OPENNESS,
                                 LWI_DEPTHS,
                                 LWI_HEADROOMS,
                                 LWI_STEPS,
                                 LWI_DETAIL_VERTEX_RANGES,
                                 LWI_DETAIL_VERTICES,
                                 LWI_DETAIL_TRIANGLE_RANGES,
                                 LWI_DETAIL_TRIANGLES,
                                 LWI_REQUESTS,
                                 LWI_WATERS,
                                 LWI_WATER_POINTS};
  mesh->polygons.count = (uint32_t)sum->polygons;
  mesh->polygons.corner_count = (uint32_t)sum->corners;
  mesh->tiles.count = (uint32_t)tile_count;
  if (sum->detail_triangles > 0) {
    mesh->detail.vertex_count = (uint32_t)sum->detail_vertices;
    mesh->detail.triangle_count = (uint32_t)sum->detail_triangles;
  }
  for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
    if (!make_array(mesh, sections[i])) return false;
  return true;
}

/* How far each array is filled. */
typedef struct cursor {
  uint32_t polygon, corner, detail_vertex, detail_triangle;
} cursor;

static void copy_from(uint32_t *to, const int *from, int count, uint32_t base) {
  for (int i = 0; i < count; i++) to[i] = (uint32_t)from[i] + base;
}

static void copy_bytes(void *to, const void *from, size_t size) {
  if (size > 0) memcpy(to, from, size);
}

static void copy_detail(lw_navmesh *mesh, const lwi_tile_source *source, cursor *at) {
  int polygons = source->polygon_count;
  if (!source->first_detail_vertex) { /* other tiles have detail, this one has none */
    for (int i = 0; i <= polygons; i++) {
      mesh->detail.first_vertex[at->polygon + (uint32_t)i] = at->detail_vertex;
      mesh->detail.first_triangle[at->polygon + (uint32_t)i] = at->detail_triangle;
    }
    return;
  }
  uint32_t vertices = (uint32_t)source->first_detail_vertex[polygons];
  uint32_t triangles = (uint32_t)source->first_detail_triangle[polygons];
  copy_from(mesh->detail.first_vertex + at->polygon, source->first_detail_vertex, polygons + 1,
            at->detail_vertex);
  copy_from(mesh->detail.first_triangle + at->polygon, source->first_detail_triangle, polygons + 1,
            at->detail_triangle);
  if (vertices > 0)
    memcpy(mesh->detail.vertices + at->detail_vertex, source->detail_vertices, vertices * sizeof(lw_vec3));
  if (triangles > 0)
    memcpy(mesh->detail.triangles + 3 * (size_t)at->detail_triangle, source->detail_triangles,
           triangles * (size_t)3);
  at->detail_vertex += vertices;
  at->detail_triangle += triangles;
}

static uint8_t edge_byte(const lwi_tile_source *source, uint32_t corner) {
  uint32_t flags = source->border ? source->border[corner] : LWI_BORDER_ANY;
  return (uint8_t)((flags == LWI_BORDER_ANY ? LWI_EDGE_ANY : flags) << 5 | LWI_EDGE_WALL);
}

static void copy_corners(lw_navmesh *mesh, const lwi_tile_source *source, uint32_t polygon, uint32_t at) {
  uint32_t first = (uint32_t)source->first_corner[polygon];
  uint32_t count = (uint32_t)source->first_corner[polygon + 1] - first;
  float *to = mesh->polygons.corners + 3 * (size_t)at;
  for (uint32_t i = 0; i < count; i++) {
    lw_vec3 v = source->vertices[source->corners[first + i]];
    to[i] = v.x;
    to[count + i] = v.z;
    to[2 * count + i] = v.y;
    mesh->polygons.edges[at + i] = edge_byte(source, first + i);
  }
}

static void copy_tile(lw_navmesh *mesh, const lwi_tile_source *source, uint32_t index, cursor *at) {
  uint32_t polygons = (uint32_t)source->polygon_count;
  mesh->tiles.items[index] = (lwi_tile){.x = source->x,
                                        .z = source->z,
                                        .bounds = source->bounds,
                                        .first_polygon = at->polygon,
                                        .polygon_count = polygons};
  for (uint32_t p = 0; p < polygons; p++) {
    uint32_t corner = at->corner + (uint32_t)source->first_corner[p];
    mesh->polygons.ranges[at->polygon + p] = (lwi_ranges){.first_corner = corner, .tile = index & 0xffffff};
    copy_corners(mesh, source, p, corner);
  }
  copy_bytes(mesh->polygons.areas + at->polygon, source->areas, polygons);
  if (source->openness)
    copy_bytes(mesh->polygons.openness + at->polygon, source->openness, polygons);
  else
    memset(mesh->polygons.openness + at->polygon, 255, polygons);
  if (source->depths)
    copy_bytes(mesh->polygons.depths + 2 * (size_t)at->polygon, source->depths, 2 * (size_t)polygons);
  if (source->headrooms)
    copy_bytes(mesh->polygons.headrooms + at->polygon, source->headrooms, polygons);
  else
    memset(mesh->polygons.headrooms + at->polygon, LWI_HEADROOM_OPEN, polygons);
  if (source->steps) copy_bytes(mesh->polygons.steps + at->polygon, source->steps, polygons);
  if (mesh->detail.first_vertex) copy_detail(mesh, source, at);
  at->polygon += polygons;
  at->corner += (uint32_t)source->first_corner[polygons];
}

static void copy_annotations(lw_navmesh *mesh, const lwi_annotations *from) {
  copy_bytes(mesh->annotations.requests, from->requests, from->request_count * sizeof *from->requests);
  copy_bytes(mesh->annotations.waters, from->waters, from->water_count * sizeof *from->waters);
  copy_bytes(mesh->annotations.water_points, from->water_points,
             from->water_point_count * sizeof *from->water_points);
}

static void measure_bounds(lw_navmesh *mesh) {
  mesh->bounds = lwi_box_empty();
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    lwi_polygon polygon = lwi_polygon_get(mesh, p);
    mesh->area += lwi_polygon_area2(&polygon) / 2;
    for (uint32_t i = 0; i < polygon.count; i++)
      mesh->bounds = lwi_box_add(mesh->bounds, lwi_corner(&polygon, i));
  }
}

/* Corners of one tile at one place get the same number, also where the source has several vertices there. */
static bool number_corners(lw_navmesh *mesh, uint32_t *numbers) {
  lw_vec3 *places = lwi_alloc(&mesh->memory, mesh->polygons.corner_count * sizeof *places);
  bool done = places != NULL;
  for (uint32_t t = 0; done && t < mesh->tiles.count; t++) {
    uint32_t first = mesh->tiles.items[t].first_polygon, end = first + mesh->tiles.items[t].polygon_count;
    uint32_t corner = mesh->polygons.ranges[first].first_corner;
    int count = 0, different;
    for (uint32_t p = first; p < end; p++) {
      lwi_polygon polygon = lwi_polygon_get(mesh, p);
      for (uint32_t i = 0; i < polygon.count; i++) places[count++] = lwi_corner(&polygon, i);
    }
    int *out = (int *)(numbers + corner);
    done = lwi_weld(&mesh->memory, places, count, out, NULL, &different);
    for (int i = 0; done && i < count; i++) out[i] += (int)mesh->polygons.vertex_count;
    mesh->polygons.vertex_count += (uint32_t)different;
  }
  lwi_free(&mesh->memory, places, mesh->polygons.corner_count * sizeof *places);
  return done;
}

static lw_status link(lw_navmesh *mesh) {
  size_t size = mesh->polygons.corner_count * sizeof(uint32_t);
  uint32_t *numbers = lwi_alloc(&mesh->memory, size);
  bool done = size == 0 || (numbers && number_corners(mesh, numbers));
  done = done && lwi_graph_link(mesh, numbers);
  lwi_free(&mesh->memory, numbers, size);
  if (!done) return LW_OUT_OF_MEMORY;
  return mesh->graph.interval_count > LWI_MAX_INTERVALS ? LW_LIMIT : LW_OK;
}

static void fill(lw_navmesh *mesh, const lwi_navmesh_source *source) {
  cursor at = {0};
  for (int i = 0; i < source->tile_count; i++) copy_tile(mesh, &source->tiles[i], (uint32_t)i, &at);
  mesh->polygons.ranges[at.polygon].first_corner = at.corner;
}

/* What all have that do not know their tiles. */
static lw_status finish(lw_navmesh *mesh) {
  const lw_status status = link(mesh);
  if (status != LW_OK) return status;
  const bool done = lwi_generations_make(mesh) && lwi_graph_islands(mesh) && lwi_graph_surfaces(mesh) &&
                    lwi_graph_aliases(mesh) && lwi_graph_grid(mesh) && lwi_graph_join(mesh) &&
                    lwi_reduction_make(mesh);
  return done ? LW_OK : LW_OUT_OF_MEMORY;
}

static lw_status finish_known(const lwi_known *known) {
  lw_navmesh *mesh = known->mesh;
  if (!lwi_known_count_vertices(known, &mesh->polygons.vertex_count) || !lwi_known_link(known))
    return LW_OUT_OF_MEMORY;
  if (mesh->graph.interval_count > LWI_MAX_INTERVALS) return LW_LIMIT;
  const bool done = lwi_generations_make(mesh) && lwi_graph_islands(mesh) && lwi_graph_aliases(mesh) &&
                    lwi_known_grid(known) && lwi_graph_join(mesh) && lwi_known_reduction(known);
  return done ? LW_OK : LW_OUT_OF_MEMORY;
}

static lw_status build_known(lw_navmesh *mesh, const lwi_navmesh_source *source) {
  lwi_known known = {.mesh = NULL};
  lw_status status = LW_OUT_OF_MEMORY;
  if (lwi_known_open(&known, mesh, source->known, (uint32_t)source->tile_count) && lwi_known_fill(&known)) {
    measure_bounds(mesh);
    status = finish_known(&known);
  }
  lwi_known_close(&known);
  return status;
}

static lw_status build_new(lw_navmesh *mesh, const lwi_navmesh_source *source) {
  fill(mesh, source);
  measure_bounds(mesh);
  return finish(mesh);
}

static lw_status build(lw_navmesh *mesh, const lwi_navmesh_source *source, lw_error *error) {
  totals sum = count_all(source);
  if (source->tile_count > LWI_MAX_TILES)
    return lwi_fail(error, LW_LIMIT, "navmesh: tile_count is %d, expected at most %d: raise tile_size",
                    source->tile_count, LWI_MAX_TILES);
  if (sum.polygons >= LWI_NONE || sum.detail_vertices >= LWI_NONE || sum.detail_triangles >= LWI_NONE ||
      sum.corners >= INT32_MAX)
    return lwi_fail(error, LW_LIMIT, "navmesh: it has more polygons or corners than 32 bits can number");
  if (!make_arrays(mesh, &sum, source->tile_count) || !lwi_attachments_carry(mesh, &source->attachments))
    return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  copy_annotations(mesh, &source->annotations);
  if (!lwi_link_notes_copy(mesh, &source->annotations)) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  const lw_status status = source->known ? build_known(mesh, source) : build_new(mesh, source);
  if (status == LW_LIMIT)
    return lwi_fail(error, LW_LIMIT, "navmesh: more than %d edges meet in part", LWI_MAX_INTERVALS);
  const bool done = status == LW_OK && lwi_sections_pack(mesh);
  if (done) lwi_graph_measure_steps(mesh);
  return done ? LW_OK : lwi_fail_status(error, LW_OUT_OF_MEMORY);
}

lw_status lwi_navmesh_build(const lwi_navmesh_source *source, lw_navmesh **navmesh, lw_error *error) {
  *navmesh = NULL;
  lwi_memory memory = lwi_memory_make(source->allocator);
  lw_navmesh *mesh = lwi_navmesh_new(&memory);
  if (!mesh) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  mesh->areas = source->areas;
  mesh->agent = source->agent;
  mesh->tile_size = source->tile_size;
  mesh->annotations.request_count = source->annotations.request_count;
  mesh->annotations.water_count = source->annotations.water_count;
  mesh->annotations.water_point_count = source->annotations.water_point_count;
  mesh->part = source->part;
  lw_status status = build(mesh, source, error);
  if (status == LW_OK)
    *navmesh = mesh;
  else
    lw_navmesh_destroy(mesh);
  return status;
}
