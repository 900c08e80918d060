/* A geometry: triangles, boxes and ramps among them, and the lists of what designers add
   (geometry_annotations.c checks those). */
#include "geometry/geometry.h"

#include "core/status.h"
#include "core/vec3.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define INDEX_MAX (INT_MAX / 4)
/* Surfaces steeper than 60 degrees are upright: their normals rise by less. */
#define UPRIGHT_RISE 0.5f

struct lw_geometry {
  lwi_memory memory;
  const lw_area_table *area_table;
  lw_box bounds;
  int vertex_count, vertex_capacity;
  int triangle_count, index_capacity, area_capacity, cover_capacity;
  lw_vec3 *vertices;
  int *indices;
  lw_area_id *areas;
  uint8_t *covers;
  lwi_solids solids;
  lwi_marks marks, vetoes, details;
  lwi_links links;
  lwi_covers added_cover;
  lwi_seeds seeds;
};

lw_status lw_geometry_create(const lw_area_table *areas, const lw_allocator *allocator,
                             lw_geometry **geometry) {
  if (!geometry) return LW_INVALID;
  *geometry = NULL;
  if (!areas) return LW_INVALID;
  lwi_memory memory = lwi_memory_make(allocator);
  lw_geometry *created = lwi_alloc_zero(&memory, sizeof *created);
  if (!created) return LW_OUT_OF_MEMORY;
  created->memory = memory;
  created->area_table = areas;
  created->bounds = lwi_box_empty();
  *geometry = created;
  return LW_OK;
}

void lw_geometry_destroy(lw_geometry *geometry) {
  if (!geometry) return;
  lwi_memory *held = &geometry->memory;
  lwi_free(held, geometry->vertices, (size_t)geometry->vertex_capacity * sizeof(lw_vec3));
  lwi_free(held, geometry->indices, (size_t)geometry->index_capacity * sizeof(int));
  lwi_free(held, geometry->areas, (size_t)geometry->area_capacity * sizeof(lw_area_id));
  lwi_free(held, geometry->covers, (size_t)geometry->cover_capacity);
  lwi_free(held, geometry->solids.items, (size_t)geometry->solids.capacity * sizeof *geometry->solids.items);
  lwi_marks_free(&geometry->marks, held);
  lwi_marks_free(&geometry->vetoes, held);
  lwi_marks_free(&geometry->details, held);
  lwi_covers *added = &geometry->added_cover;
  lwi_free(held, added->items, (size_t)added->capacity * sizeof *added->items);
  lwi_free(held, geometry->seeds.items, (size_t)geometry->seeds.capacity * sizeof *geometry->seeds.items);
  lwi_free(held, geometry->links.items, (size_t)geometry->links.capacity * sizeof *geometry->links.items);
  lwi_free(held, geometry->links.names, (size_t)geometry->links.name_capacity * sizeof *geometry->links.names);
  lwi_memory memory = *held;
  lwi_free(&memory, geometry, sizeof *geometry);
}

lwi_memory lwi_geometry_memory(const lw_geometry *geometry) {
  return lwi_memory_make(&geometry->memory.allocator);
}

lw_status lwi_check_point(const char *where, const char *field, lw_vec3 point, lw_error *error) {
  if (fabsf(point.x) <= LWI_COORDINATE_MAX && fabsf(point.y) <= LWI_COORDINATE_MAX &&
      fabsf(point.z) <= LWI_COORDINATE_MAX)
    return LW_OK; /* NaN fails */
  return lwi_fail(error, LW_INVALID, "%s: %s is (%g, %g, %g), expected finite numbers within +-%g m", where,
                  field, (double)point.x, (double)point.y, (double)point.z, (double)LWI_COORDINATE_MAX);
}

lw_status lwi_check_length(const char *where, const char *field, float length, bool zero, lw_error *error) {
  if ((length > 0 || (zero && length == 0)) && length <= LWI_COORDINATE_MAX) return LW_OK;
  return lwi_fail(error, LW_INVALID, "%s: %s is %g, expected metres %s 0, at most %g", where, field,
                  (double)length, zero ? ">=" : ">", (double)LWI_COORDINATE_MAX);
}

/* --- triangles -------------------------------------------------------------------------------------------- */

static lw_status check_vertices(const lw_geometry_mesh *mesh, lw_error *error) {
  for (int i = 0; i < mesh->vertex_count; ++i) {
    char field[32];
    lw_vec3 v = mesh->vertices[i];
    if (fabsf(v.x) <= LWI_COORDINATE_MAX && fabsf(v.y) <= LWI_COORDINATE_MAX &&
        fabsf(v.z) <= LWI_COORDINATE_MAX)
      continue;
    snprintf(field, sizeof field, "vertex %d", i);
    return lwi_check_point("mesh", field, v, error);
  }
  return LW_OK;
}

static lw_status check_surface(const lw_geometry *geometry, const char *where, int area, unsigned cover,
                               lw_error *error) {
  const int area_count = lw_area_table_count(geometry->area_table);
  if (area > area_count)
    return lwi_fail(error, LW_INVALID, "%s: area is %d, expected 0 (none) to %d", where, area, area_count);
  if (cover < LW_COVER_KIND_COUNT) return LW_OK;
  return lwi_fail(error, LW_INVALID, "%s: cover is %d, expected 0 to %d", where, (int)cover,
                  LW_COVER_KIND_COUNT - 1);
}

static lw_status check_triangles(const lw_geometry *geometry, const lw_geometry_mesh *mesh, lw_error *error) {
  for (int i = 0; i < 3 * mesh->triangle_count; ++i)
    if (mesh->indices[i] < 0 || mesh->indices[i] >= mesh->vertex_count)
      return lwi_fail(error, LW_INVALID, "mesh: triangle %d: index is %d, expected 0 to %d", i / 3,
                      mesh->indices[i], mesh->vertex_count - 1);
  lw_status status = LW_OK;
  if (!mesh->areas || !mesh->covers)
    status = check_surface(geometry, "mesh", mesh->areas ? 0 : mesh->area,
                           mesh->covers ? 0 : (unsigned)mesh->cover, error);
  if (!mesh->areas && !mesh->covers) return status;
  for (int i = 0; i < mesh->triangle_count && status == LW_OK; ++i) {
    char where[40];
    snprintf(where, sizeof where, "mesh: triangle %d", i);
    status = check_surface(geometry, where, mesh->areas ? mesh->areas[i] : 0,
                           mesh->covers ? mesh->covers[i] : 0, error);
  }
  return status;
}

static lw_status check_mesh(const lw_geometry *geometry, const lw_geometry_mesh *mesh, lw_error *error) {
  if (!mesh->vertices) return lwi_fail_null(error, "mesh: vertices");
  if (!mesh->indices) return lwi_fail_null(error, "mesh: indices");
  if (mesh->vertex_count < 3)
    return lwi_fail(error, LW_INVALID, "mesh: vertex_count is %d, expected 3 or more", mesh->vertex_count);
  if (mesh->triangle_count < 1)
    return lwi_fail(error, LW_INVALID, "mesh: triangle_count is %d, expected 1 or more", mesh->triangle_count);
  const int max_vertices = INDEX_MAX - geometry->vertex_count;
  const int max_triangles = INDEX_MAX / 3 - geometry->triangle_count;
  if (mesh->vertex_count > max_vertices)
    return lwi_fail(error, LW_LIMIT,
                    "mesh: vertex_count is %d, expected at most the %d that the geometry can still hold",
                    mesh->vertex_count, max_vertices);
  if (mesh->triangle_count > max_triangles)
    return lwi_fail(error, LW_LIMIT,
                    "mesh: triangle_count is %d, expected at most the %d that the geometry can still hold",
                    mesh->triangle_count, max_triangles);
  lw_status status = check_vertices(mesh, error);
  return status ? status : check_triangles(geometry, mesh, error);
}

static bool is_upright(const lw_geometry_mesh *mesh, int triangle) {
  const int *corners = mesh->indices + 3 * (size_t)triangle;
  lw_vec3 a = mesh->vertices[corners[0]];
  lw_vec3 normal = lwi_cross(lwi_sub(mesh->vertices[corners[1]], a), lwi_sub(mesh->vertices[corners[2]], a));
  return fabsf(normal.y) < UPRIGHT_RISE * lwi_length(normal);
}

/* What a triangle does to sight: what the mesh says of it, or else its area. */
static uint8_t find_cover(const lw_geometry *geometry, const lw_geometry_mesh *mesh, int triangle) {
  unsigned cover = mesh->covers ? mesh->covers[triangle] : (unsigned)mesh->cover;
  if (cover != LW_COVER_DEFAULT) return (uint8_t)cover;
  const lw_area_def *area =
      lw_area_table_get(geometry->area_table, mesh->areas ? mesh->areas[triangle] : mesh->area);
  if (!area) return LW_COVER_HARD;
  if (area->cover != LW_COVER_DEFAULT) return (uint8_t)area->cover;
  return area->concealment > 0 && is_upright(mesh, triangle) ? LW_COVER_SOFT : LW_COVER_HARD;
}

lw_status lw_geometry_add_mesh(lw_geometry *geometry, const lw_geometry_mesh *mesh, lw_error *error) {
  if (!geometry) return lwi_fail_null(error, "geometry");
  if (!mesh) return lwi_fail_null(error, "mesh");
  lw_status status = check_mesh(geometry, mesh, error);
  if (status) return status;
  int first = geometry->vertex_count, vertices = first + mesh->vertex_count;
  int triangle = geometry->triangle_count, triangles = triangle + mesh->triangle_count;
  lwi_memory *memory = &geometry->memory;
  if (!lwi_reserve(memory, &geometry->vertices, &geometry->vertex_capacity, vertices, sizeof(lw_vec3)) ||
      !lwi_reserve(memory, &geometry->indices, &geometry->index_capacity, 3 * triangles, sizeof(int)) ||
      !lwi_reserve(memory, &geometry->areas, &geometry->area_capacity, triangles, sizeof(lw_area_id)) ||
      !lwi_reserve(memory, &geometry->covers, &geometry->cover_capacity, triangles, 1))
    return lwi_fail_status(error, LW_OUT_OF_MEMORY);

  memcpy(geometry->vertices + first, mesh->vertices, (size_t)mesh->vertex_count * sizeof(lw_vec3));
  for (int i = 0; i < mesh->vertex_count; ++i)
    geometry->bounds = lwi_box_add(geometry->bounds, mesh->vertices[i]);
  for (int i = 0; i < 3 * mesh->triangle_count; ++i)
    geometry->indices[3 * triangle + i] = first + mesh->indices[i];
  for (int i = 0; i < mesh->triangle_count; ++i) {
    geometry->areas[triangle + i] = mesh->areas ? mesh->areas[i] : mesh->area;
    geometry->covers[triangle + i] = find_cover(geometry, mesh, i);
  }
  geometry->vertex_count = vertices;
  geometry->triangle_count = triangles;
  return LW_OK;
}

lw_status lw_geometry_mark_area(lw_geometry *geometry, const lw_mark_def *mark, lw_error *error) {
  if (!geometry) return lwi_fail_null(error, "geometry");
  if (!mark) return lwi_fail_null(error, "mark");
  if (mark->area != LW_AREA_NONE && !lw_area_table_get(geometry->area_table, mark->area))
    return lwi_fail(error, LW_INVALID, "mark: area is %d, expected 0 (none) to %d", mark->area,
                    lw_area_table_count(geometry->area_table));
  return lwi_marks_add(&geometry->marks, mark, &geometry->memory, error);
}

/* Check an area that was given, or find the one of that name. */
static lw_status find_area(const lw_geometry *geometry, const char *key, const char *name, lw_area_id *area,
                           lw_error *error) {
  if (*area == LW_AREA_NONE) {
    *area = lw_area_table_find(geometry->area_table, name);
    if (*area != LW_AREA_NONE) return LW_OK;
    return lwi_fail(error, LW_INVALID, "water: %s is 0, expected an area, for there is none named '%s'", key,
                    name);
  }
  if (lw_area_table_get(geometry->area_table, *area)) return LW_OK;
  return lwi_fail(error, LW_INVALID, "water: %s is %d, expected an area from 1 to %d", key, *area,
                  lw_area_table_count(geometry->area_table));
}

lw_status lw_geometry_add_water(lw_geometry *geometry, const lw_water_def *water, lw_error *error) {
  if (!geometry) return lwi_fail_null(error, "geometry");
  if (!water) return lwi_fail_null(error, "water");
  lw_water_def def = *water;
  lw_status status = lwi_check_cookie(def.cookie, "lw_water_def", error);
  if (status) return status;
  if ((status = find_area(geometry, "shallow", "shallow_water", &def.shallow, error))) return status;
  if ((status = find_area(geometry, "deep", "deep_water", &def.deep, error))) return status;
  return lwi_marks_add_water(&geometry->marks, &def, &geometry->memory, error);
}

int lw_geometry_mark_count(const lw_geometry *geometry) {
  return geometry ? geometry->marks.count : 0;
}

const lwi_marks *lwi_geometry_marks(const lw_geometry *geometry) {
  return &geometry->marks;
}

lw_status lw_geometry_add_link(lw_geometry *geometry, const lw_link_def *link, lw_error *error) {
  if (!geometry) return lwi_fail_null(error, "geometry");
  if (!link) return lwi_fail_null(error, "link");
  lw_status status = lwi_link_check(link, geometry->area_table, "link", error);
  if (status) return status;
  lwi_links *links = &geometry->links;
  const int count = links->count;
  if (!lwi_reserve(&geometry->memory, &links->items, &links->capacity, count + 1, sizeof *links->items) ||
      !lwi_reserve(&geometry->memory, &links->names, &links->name_capacity, count + 1, sizeof *links->names))
    return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  links->items[count] = *link;
  links->items[count].name = NULL;
  memset(links->names[count], 0, sizeof links->names[count]);
  if (link->name) strcpy(links->names[count], link->name);
  links->count += 1;
  return LW_OK;
}

int lw_geometry_link_count(const lw_geometry *geometry) {
  return geometry ? geometry->links.count : 0;
}

const lwi_links *lwi_geometry_links(const lw_geometry *geometry) {
  return &geometry->links;
}

lw_status lw_geometry_forbid_cover(lw_geometry *geometry, const lw_mark_def *where, lw_error *error) {
  if (!geometry) return lwi_fail_null(error, "geometry");
  if (!where) return lwi_fail_null(error, "where");
  if (where->shape == LW_MARK_PATH)
    return lwi_fail(error, LW_INVALID, "no cover: shape is a path, expected a box or a polygon");
  return lwi_marks_add(&geometry->vetoes, where, &geometry->memory, error);
}

const lwi_marks *lwi_geometry_vetoes(const lw_geometry *geometry) {
  return &geometry->vetoes;
}

lw_status lw_geometry_mark_detail(lw_geometry *geometry, const lw_mark_def *where, float max_edge,
                                  lw_error *error) {
  if (!geometry) return lwi_fail_null(error, "geometry");
  if (!where) return lwi_fail_null(error, "where");
  if (where->shape == LW_MARK_PATH)
    return lwi_fail(error, LW_INVALID, "detail: shape is a path, expected a box or a polygon");
  if (!(max_edge >= LW_DETAIL_EDGE_MIN && max_edge <= LWI_COORDINATE_MAX))
    return lwi_fail(error, LW_INVALID, "detail: max_edge is %g, expected metres from %g to %g",
                    (double)max_edge, (double)LW_DETAIL_EDGE_MIN, (double)LWI_COORDINATE_MAX);
  lw_status status = lwi_marks_add(&geometry->details, where, &geometry->memory, error);
  if (status == LW_OK) geometry->details.items[geometry->details.count - 1].max_edge = max_edge;
  return status;
}

int lw_geometry_detail_count(const lw_geometry *geometry) {
  return geometry ? geometry->details.count : 0;
}

const lwi_marks *lwi_geometry_details(const lw_geometry *geometry) {
  return &geometry->details;
}

lw_status lw_geometry_add_cover(lw_geometry *geometry, const lw_cover_def *cover, lw_error *error) {
  if (!geometry) return lwi_fail_null(error, "geometry");
  if (!cover) return lwi_fail_null(error, "cover");
  lw_status status = lwi_cover_check(cover, error);
  if (status) return status;
  lwi_covers *added = &geometry->added_cover;
  if (!lwi_reserve(&geometry->memory, &added->items, &added->capacity, added->count + 1, sizeof *added->items))
    return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  added->items[added->count++] = *cover;
  return LW_OK;
}

const lwi_covers *lwi_geometry_added_cover(const lw_geometry *geometry) {
  return &geometry->added_cover;
}

lw_status lw_geometry_add_seed(lw_geometry *geometry, lw_vec3 at, lw_error *error) {
  if (!geometry) return lwi_fail_null(error, "geometry");
  lw_status status = lwi_check_point("seed", "at", at, error);
  if (status) return status;
  lwi_seeds *seeds = &geometry->seeds;
  if (!lwi_reserve(&geometry->memory, &seeds->items, &seeds->capacity, seeds->count + 1, sizeof *seeds->items))
    return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  seeds->items[seeds->count++] = at;
  return LW_OK;
}

int lw_geometry_seed_count(const lw_geometry *geometry) {
  return geometry ? geometry->seeds.count : 0;
}

const lwi_seeds *lwi_geometry_seeds(const lw_geometry *geometry) {
  return &geometry->seeds;
}

void lw_geometry_forget(lw_geometry *geometry, int mark_count, int link_count, int seed_count) {
  if (!geometry) return;
  lwi_marks_cut(&geometry->marks, mark_count < 0 ? 0 : mark_count);
  if (link_count < geometry->links.count) geometry->links.count = link_count < 0 ? 0 : link_count;
  if (seed_count < geometry->seeds.count) geometry->seeds.count = seed_count < 0 ? 0 : seed_count;
}

int lw_geometry_vertex_count(const lw_geometry *geometry) {
  return geometry ? geometry->vertex_count : 0;
}

int lw_geometry_triangle_count(const lw_geometry *geometry) {
  return geometry ? geometry->triangle_count : 0;
}

lw_box lw_geometry_bounds(const lw_geometry *geometry) {
  return geometry && geometry->vertex_count > 0 ? geometry->bounds : (lw_box){{0, 0, 0}, {0, 0, 0}};
}

const int *lw_geometry_indices(const lw_geometry *geometry) {
  return geometry ? geometry->indices : NULL;
}

const lw_vec3 *lw_geometry_vertices(const lw_geometry *geometry) {
  return geometry ? geometry->vertices : NULL;
}

const lw_area_id *lw_geometry_areas(const lw_geometry *geometry) {
  return geometry ? geometry->areas : NULL;
}
const uint8_t *lw_geometry_covers(const lw_geometry *geometry) {
  return geometry ? geometry->covers : NULL;
}
const lw_area_table *lw_geometry_area_table(const lw_geometry *geometry) {
  return geometry ? geometry->area_table : NULL;
}

/* --- boxes and ramps -------------------------------------------------------------------------------------- */

/* Add a closed mesh whose inside is solid. */
static lw_status add_solid(lw_geometry *geometry, const lw_geometry_mesh *mesh, lwi_solid solid,
                           lw_error *error) {
  lwi_solids *solids = &geometry->solids;
  if (!lwi_reserve(&geometry->memory, &solids->items, &solids->capacity, solids->count + 1,
                   sizeof *solids->items))
    return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  solid.first_triangle = geometry->triangle_count;
  lw_status status = lw_geometry_add_mesh(geometry, mesh, error);
  if (status) return status;
  solid.end_triangle = geometry->triangle_count;
  solids->items[solids->count++] = solid;
  return LW_OK;
}

const lwi_solids *lwi_geometry_solids(const lw_geometry *geometry) {
  return &geometry->solids;
}

const lwi_solid *lwi_geometry_solid_of(const lw_geometry *geometry, int triangle) {
  const lwi_solid *solids = geometry->solids.items;
  int low = 0, high = geometry->solids.count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (solids[middle].end_triangle <= triangle)
      low = middle + 1;
    else
      high = middle;
  }
  return low < geometry->solids.count && solids[low].first_triangle <= triangle ? &solids[low] : NULL;
}

/* Corners 0..3 are the lower face, 4..7 the upper one above them, both counter-clockwise seen from above. */
static lw_status add_hexahedron(lw_geometry *geometry, const lw_vec3 corners[8], lw_area_id area,
                                lw_cover_kind cover, lw_error *error) {
  static const int indices[] = {4, 5, 6, 4, 6, 7, 0, 2, 1, 0, 3, 2, 0, 1, 5, 0, 5, 4,
                                1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
  lw_geometry_mesh mesh = {.vertices = corners,
                           .vertex_count = 8,
                           .indices = indices,
                           .triangle_count = 12,
                           .area = area,
                           .cover = cover};
  lwi_solid solid = {.top = {corners[4], corners[5], corners[7]},
                     .bottom = {corners[0].y, corners[1].y, corners[3].y}};
  return add_solid(geometry, &mesh, solid, error);
}

lw_status lw_geometry_add_box(lw_geometry *geometry, const lw_geometry_box *box, lw_error *error) {
  if (!geometry) return lwi_fail_null(error, "geometry");
  if (!box) return lwi_fail_null(error, "box");
  lw_status status = lwi_check_point("box", "at", box->at, error);
  if (status) return status;
  if ((status = lwi_check_length("box", "size.x", box->size.x, false, error))) return status;
  if ((status = lwi_check_length("box", "size.y", box->size.y, false, error))) return status;
  if ((status = lwi_check_length("box", "size.z", box->size.z, false, error))) return status;
  if (!isfinite(box->yaw))
    return lwi_fail(error, LW_INVALID, "box: yaw is %g, expected a finite number", (double)box->yaw);
  if ((status = check_surface(geometry, "box", box->area, (unsigned)box->cover, error))) return status;

  static const float sign_x[4] = {-1, 1, 1, -1}, sign_z[4] = {1, 1, -1, -1};
  float cosine = cosf(box->yaw), sine = sinf(box->yaw);
  lw_vec3 corners[8];
  for (int i = 0; i < 4; ++i) {
    float x = sign_x[i] * box->size.x / 2, z = sign_z[i] * box->size.z / 2;
    corners[i] = lwi_add(box->at, lwi_vec3(x * cosine + z * sine, 0, z * cosine - x * sine));
    corners[i + 4] = lwi_add(corners[i], lwi_vec3(0, box->size.y, 0));
  }
  return add_hexahedron(geometry, corners, box->area, box->cover, error);
}

/* A ramp of thickness 0: its sloping face and the face below meet in the lower edge, so it has six corners.
   @param face  Of the slope: low left, low right, high right, high left. */
static lw_status add_wedge(lw_geometry *geometry, const lw_vec3 face[4], const lw_geometry_ramp *ramp,
                           lw_error *error) {
  static const int indices[] = {0, 1, 2, 0, 2, 3, 0, 5, 4, 0, 4, 1, 1, 4, 2, 0, 3, 5, 3, 2, 4, 3, 4, 5};
  lw_vec3 corners[6] = {face[0], face[1], face[2], face[3], face[2], face[3]};
  corners[4].y = corners[5].y = face[0].y;
  lw_geometry_mesh mesh = {.vertices = corners,
                           .vertex_count = 6,
                           .indices = indices,
                           .triangle_count = 8,
                           .area = ramp->area,
                           .cover = ramp->cover};
  lwi_solid solid = {.top = {face[0], face[1], face[3]}, .bottom = {face[0].y, face[1].y, face[0].y}};
  return add_solid(geometry, &mesh, solid, error);
}

/* A level ramp of thickness 0 is its face alone. */
static lw_status add_face(lw_geometry *geometry, const lw_vec3 face[4], const lw_geometry_ramp *ramp,
                          lw_error *error) {
  static const int indices[] = {0, 1, 2, 0, 2, 3};
  lw_geometry_mesh mesh = {.vertices = face,
                           .vertex_count = 4,
                           .indices = indices,
                           .triangle_count = 2,
                           .area = ramp->area,
                           .cover = ramp->cover};
  return lw_geometry_add_mesh(geometry, &mesh, error);
}

lw_status lw_geometry_add_ramp(lw_geometry *geometry, const lw_geometry_ramp *ramp, lw_error *error) {
  if (!geometry) return lwi_fail_null(error, "geometry");
  if (!ramp) return lwi_fail_null(error, "ramp");
  lw_status status = lwi_check_point("ramp", "from", ramp->from, error);
  if (status) return status;
  if ((status = lwi_check_point("ramp", "to", ramp->to, error))) return status;
  if ((status = lwi_check_length("ramp", "width", ramp->width, false, error))) return status;
  if ((status = lwi_check_length("ramp", "thickness", ramp->thickness, true, error))) return status;
  float run = lwi_distance_xz(ramp->from, ramp->to);
  if (!(run > 0))
    return lwi_fail(error, LW_INVALID, "ramp: from and to are both at x %g, z %g, expected different places",
                    (double)ramp->from.x, (double)ramp->from.z);
  if ((status = check_surface(geometry, "ramp", ramp->area, (unsigned)ramp->cover, error))) return status;

  /* `side` points to the right of the direction from `low` to `high`. */
  bool up = ramp->to.y >= ramp->from.y;
  lw_vec3 low = up ? ramp->from : ramp->to, high = up ? ramp->to : ramp->from;
  lw_vec3 side = lwi_scale(lwi_vec3(-(high.z - low.z), 0, high.x - low.x), ramp->width / 2 / run);
  const lw_vec3 face[4] = {lwi_sub(low, side), lwi_add(low, side), lwi_add(high, side), lwi_sub(high, side)};
  if (ramp->thickness == 0)
    return high.y > low.y ? add_wedge(geometry, face, ramp, error) : add_face(geometry, face, ramp, error);
  lw_vec3 down = lwi_vec3(0, -ramp->thickness, 0);
  lw_vec3 corners[8];
  for (int i = 0; i < 4; ++i) {
    corners[i] = lwi_add(face[i], down);
    corners[i + 4] = face[i];
  }
  return add_hexahedron(geometry, corners, ramp->area, ramp->cover, error);
}
