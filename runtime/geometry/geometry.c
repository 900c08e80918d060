#include "geometry/geometry.h"

#include "core/status.h"
#include "core/vec3.h"

#include <limits.h>
#include <string.h>

#define INDEX_MAX (INT_MAX / 4)
/* Surfaces that stand up are steeper than 60 degrees: their normal rises by less. */
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
  lwi_marks marks, vetoes;
  lwi_links links;
  lwi_covers added_cover;
};

lw_status lw_geometry_create(const lw_area_table *areas, const lw_allocator *allocator,
                             lw_geometry **geometry) {
  if (!geometry) return LW_INVALID;
  *geometry = NULL;
  if (!areas) return LW_INVALID;
  lwi_memory memory = lwi_memory_make(allocator);
  lw_geometry *made = lwi_alloc_zero(&memory, sizeof *made);
  if (!made) return LW_OUT_OF_MEMORY;
  made->memory = memory;
  made->area_table = areas;
  made->bounds = lwi_box_empty();
  *geometry = made;
  return LW_OK;
}

void lw_geometry_destroy(lw_geometry *geometry) {
  if (!geometry) return;
  lwi_memory *held = &geometry->memory;
  lwi_free(held, geometry->vertices, (size_t)geometry->vertex_capacity * sizeof(lw_vec3));
  lwi_free(held, geometry->indices, (size_t)geometry->index_capacity * sizeof(int));
  lwi_free(held, geometry->areas, (size_t)geometry->area_capacity * sizeof(lw_area_id));
  lwi_free(held, geometry->covers, (size_t)geometry->cover_capacity);
  lwi_marks_free(&geometry->marks, held);
  lwi_marks_free(&geometry->vetoes, held);
  lwi_covers *added = &geometry->added_cover;
  lwi_free(held, added->items, (size_t)added->capacity * sizeof *added->items);
  lwi_free(held, geometry->links.items, (size_t)geometry->links.capacity * sizeof *geometry->links.items);
  lwi_memory memory = *held;
  lwi_free(&memory, geometry, sizeof *geometry);
}

lwi_memory lwi_geometry_memory(const lw_geometry *geometry) {
  return lwi_memory_make(&geometry->memory.allocator);
}

static lw_status check_vertices(const lw_geometry_mesh *mesh, lw_error *error) {
  for (int i = 0; i < mesh->vertex_count; ++i) {
    lw_vec3 v = mesh->vertices[i];
    if (!lwi_finite(v))
      return lwi_fail(error, LW_INVALID, "vertex %d is not finite: (%g, %g, %g)", i, (double)v.x, (double)v.y,
                      (double)v.z);
    if (fabsf(v.x) > LWI_COORDINATE_MAX || fabsf(v.y) > LWI_COORDINATE_MAX || fabsf(v.z) > LWI_COORDINATE_MAX)
      return lwi_fail(error, LW_INVALID, "vertex %d is further than %g m from the origin: (%g, %g, %g)", i,
                      (double)LWI_COORDINATE_MAX, (double)v.x, (double)v.y, (double)v.z);
  }
  return LW_OK;
}

static lw_status check_triangles(const lw_geometry *geometry, const lw_geometry_mesh *mesh, lw_error *error) {
  for (int i = 0; i < 3 * mesh->triangle_count; ++i)
    if (mesh->indices[i] < 0 || mesh->indices[i] >= mesh->vertex_count)
      return lwi_fail(error, LW_INVALID, "triangle %d: index %d is out of range, there are %d vertices", i / 3,
                      mesh->indices[i], mesh->vertex_count);
  for (int i = 0; i < mesh->triangle_count; ++i) {
    lw_area_id area = mesh->areas ? mesh->areas[i] : mesh->area;
    if (area != LW_AREA_NONE && !lw_area_table_get(geometry->area_table, area))
      return lwi_fail(error, LW_INVALID, "triangle %d: there is no area %d, the area table has 1..%d", i, area,
                      lw_area_table_count(geometry->area_table));
    unsigned cover = mesh->covers ? mesh->covers[i] : (unsigned)mesh->cover;
    if (cover >= LW_COVER_KIND_COUNT)
      return lwi_fail(error, LW_INVALID, "triangle %d: there is no kind of cover %u, there are 0..%d", i, cover,
                      LW_COVER_KIND_COUNT - 1);
  }
  return LW_OK;
}

static lw_status check_mesh(const lw_geometry *geometry, const lw_geometry_mesh *mesh, lw_error *error) {
  if (mesh->vertex_count < 3 || !mesh->vertices)
    return lwi_fail(error, LW_INVALID, "a mesh needs at least 3 vertices, got %d", mesh->vertex_count);
  if (mesh->triangle_count < 1 || !mesh->indices)
    return lwi_fail(error, LW_INVALID, "a mesh needs at least 1 triangle, got %d", mesh->triangle_count);
  if (mesh->vertex_count > INDEX_MAX - geometry->vertex_count ||
      mesh->triangle_count > INDEX_MAX / 3 - geometry->triangle_count)
    return lwi_fail(error, LW_LIMIT, "more than %d vertices or %d triangles in one geometry", INDEX_MAX,
                    INDEX_MAX / 3);
  lw_status status = check_vertices(mesh, error);
  return status ? status : check_triangles(geometry, mesh, error);
}

static bool stands_up(const lw_geometry_mesh *mesh, int triangle) {
  const int *corners = mesh->indices + 3 * (size_t)triangle;
  lw_vec3 a = mesh->vertices[corners[0]];
  lw_vec3 normal = lwi_cross(lwi_sub(mesh->vertices[corners[1]], a), lwi_sub(mesh->vertices[corners[2]], a));
  return fabsf(normal.y) < UPRIGHT_RISE * lwi_length(normal);
}

/* What a triangle does to a look, where its area may have to say it. */
static uint8_t find_cover(const lw_geometry *geometry, const lw_geometry_mesh *mesh, int triangle) {
  unsigned cover = mesh->covers ? mesh->covers[triangle] : (unsigned)mesh->cover;
  if (cover != LW_COVER_DEFAULT) return (uint8_t)cover;
  const lw_area_def *area =
      lw_area_table_get(geometry->area_table, mesh->areas ? mesh->areas[triangle] : mesh->area);
  if (!area) return LW_COVER_HARD;
  if (area->cover != LW_COVER_DEFAULT) return (uint8_t)area->cover;
  return area->concealment > 0 && stands_up(mesh, triangle) ? LW_COVER_SOFT : LW_COVER_HARD;
}

lw_status lw_geometry_add_mesh(lw_geometry *geometry, const lw_geometry_mesh *mesh, lw_error *error) {
  if (!geometry || !mesh) return lwi_fail(error, LW_INVALID, "geometry and mesh must not be NULL");
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
  if (!geometry || !mark) return lwi_fail(error, LW_INVALID, "geometry and mark must not be NULL");
  if (mark->area != LW_AREA_NONE && !lw_area_table_get(geometry->area_table, mark->area))
    return lwi_fail(error, LW_INVALID, "mark: there is no area %d, the area table has 1..%d", mark->area,
                    lw_area_table_count(geometry->area_table));
  return lwi_marks_add(&geometry->marks, mark, &geometry->memory, error);
}

/* An area given, or the one of that name. */
static lw_status find_area(const lw_geometry *geometry, const char *key, const char *name, lw_area_id *area,
                           lw_error *error) {
  if (*area == LW_AREA_NONE) {
    *area = lw_area_table_find(geometry->area_table, name);
    if (*area != LW_AREA_NONE) return LW_OK;
    return lwi_fail(error, LW_INVALID, "water: %s is not given, and there is no area '%s'", key, name);
  }
  if (lw_area_table_get(geometry->area_table, *area)) return LW_OK;
  return lwi_fail(error, LW_INVALID, "water: %s: there is no area %d, the area table has 1..%d", key, *area,
                  lw_area_table_count(geometry->area_table));
}

lw_status lw_geometry_add_water(lw_geometry *geometry, const lw_water_def *water, lw_error *error) {
  if (!geometry || !water) return lwi_fail(error, LW_INVALID, "geometry and water must not be NULL");
  lw_water_def def = *water;
  lw_status status = lwi_check_cookie(def.cookie, "lw_water_def", error);
  if (status) return status;
  if ((status = find_area(geometry, "shallow", "shallow_water", &def.shallow, error))) return status;
  if ((status = find_area(geometry, "deep", "deep_water", &def.deep, error))) return status;
  return lwi_marks_add_water(&geometry->marks, &def, &geometry->memory, error);
}

int lw_geometry_mark_count(const lw_geometry *geometry) {
  return geometry->marks.count;
}

const lwi_marks *lwi_geometry_marks(const lw_geometry *geometry) {
  return &geometry->marks;
}

lw_status lw_geometry_add_link(lw_geometry *geometry, const lw_link_def *link, lw_error *error) {
  if (!geometry || !link) return lwi_fail(error, LW_INVALID, "geometry and link must not be NULL");
  lw_status status = lwi_link_check(link, geometry->area_table, "link", error);
  if (status) return status;
  lwi_links *links = &geometry->links;
  if (!lwi_reserve(&geometry->memory, &links->items, &links->capacity, links->count + 1, sizeof *links->items))
    return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  links->items[links->count++] = *link;
  return LW_OK;
}

int lw_geometry_link_count(const lw_geometry *geometry) {
  return geometry->links.count;
}

const lwi_links *lwi_geometry_links(const lw_geometry *geometry) {
  return &geometry->links;
}

lw_status lw_geometry_no_cover(lw_geometry *geometry, const lw_mark_def *where, lw_error *error) {
  if (!geometry || !where) return lwi_fail(error, LW_INVALID, "geometry and where must not be NULL");
  if (where->shape == LW_MARK_PATH)
    return lwi_fail(error, LW_INVALID, "no cover: the region must be a box or a polygon");
  return lwi_marks_add(&geometry->vetoes, where, &geometry->memory, error);
}

const lwi_marks *lwi_geometry_vetoes(const lw_geometry *geometry) {
  return &geometry->vetoes;
}

lw_status lw_geometry_add_cover(lw_geometry *geometry, const lw_cover_def *cover, lw_error *error) {
  if (!geometry || !cover) return lwi_fail(error, LW_INVALID, "geometry and cover must not be NULL");
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

void lw_geometry_forget(lw_geometry *geometry, int mark_count, int link_count) {
  if (!geometry) return;
  lwi_marks_cut(&geometry->marks, mark_count < 0 ? 0 : mark_count);
  if (link_count < geometry->links.count) geometry->links.count = link_count < 0 ? 0 : link_count;
}

int lw_geometry_vertex_count(const lw_geometry *geometry) {
  return geometry->vertex_count;
}

int lw_geometry_triangle_count(const lw_geometry *geometry) {
  return geometry->triangle_count;
}

lw_box lw_geometry_bounds(const lw_geometry *geometry) {
  return geometry->vertex_count > 0 ? geometry->bounds : (lw_box){{0, 0, 0}, {0, 0, 0}};
}

const int *lw_geometry_indices(const lw_geometry *geometry) {
  return geometry->indices;
}

const lw_vec3 *lw_geometry_vertices(const lw_geometry *geometry) {
  return geometry->vertices;
}

const lw_area_id *lw_geometry_areas(const lw_geometry *geometry) {
  return geometry->areas;
}
const uint8_t *lw_geometry_covers(const lw_geometry *geometry) {
  return geometry->covers;
}
const lw_area_table *lw_geometry_area_table(const lw_geometry *geometry) {
  return geometry->area_table;
}
