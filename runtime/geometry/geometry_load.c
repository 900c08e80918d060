/* Geometry from files. */
#include "geometry/geometry.h"

#include "core/status.h"
#include "core/vec3.h"
#include "geometry/obj_check.h"
#include "geometry/plugin_load.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Say at once what Assimp would call a file that it has no reader for. */
static lw_status check_file(const char *file, lw_error *error) {
  struct stat about;
  if (stat(file, &about) != 0) return lwi_fail(error, LW_FILE, "cannot read '%s': %s", file, strerror(errno));
  if (S_ISDIR(about.st_mode)) return lwi_fail(error, LW_FILE, "cannot read '%s': it is a directory", file);
  if (about.st_size == 0 && S_ISREG(about.st_mode))
    return lwi_fail(error, LW_EMPTY, "'%s' is an empty file", file);
  FILE *stream = fopen(file, "rb");
  if (!stream) return lwi_fail(error, LW_FILE, "cannot read '%s': %s", file, strerror(errno));
  fclose(stream);
  return lwi_obj_is_named(file) ? lwi_obj_check(file, error) : LW_OK;
}

static lw_status check_scene(const char *file, const lwi_scene *scene, lw_error *error) {
  if (scene->triangle_count == 0) return lwi_fail(error, LW_EMPTY, "'%s' holds no triangles", file);
  for (int i = 0; i < 3 * scene->triangle_count; ++i) {
    const char *material = scene->material_names[scene->materials[i / 3]];
    int index = scene->triangles[i];
    if (index < 0 || index >= scene->vertex_count)
      return lwi_fail(error, LW_INVALID, "'%s': triangle %d (material '%s'): index %d is out of range", file,
                      i / 3, material, index);
    const float *v = scene->vertices + 3 * (size_t)index;
    if (!lwi_finite(lwi_vec3(v[0], v[1], v[2])))
      return lwi_fail(error, LW_INVALID,
                      "'%s': triangle %d (material '%s'): a corner is not finite: (%g, %g, %g)", file, i / 3,
                      material, (double)v[0], (double)v[1], (double)v[2]);
  }
  return LW_OK;
}

static lw_status check_rules(const lw_geometry *geometry, const char *file, const lwi_scene *scene,
                             const lw_material_rule *rules, lw_error *error) {
  const lw_area_table *table = lw_geometry_area_table(geometry);
  for (int i = 0; i < scene->material_count; ++i) {
    if (rules[i].ignored || rules[i].area == LW_AREA_NONE || lw_area_table_get(table, rules[i].area)) continue;
    return lwi_fail(error, LW_INVALID, "'%s': the rule for material '%s' gives area %d, the area table has %d",
                    file, scene->material_names[i], rules[i].area, lw_area_table_count(table));
  }
  return LW_OK;
}

/* What the rules leave of a scene, as one mesh. */
typedef struct picked {
  lw_vec3 *vertices;
  int *indices;
  lw_area_id *areas;
  uint8_t *covers;
  lw_material_rule *rules;
  int triangle_count;
} picked;

static void free_picked(lwi_memory *memory, const lwi_scene *scene, picked *pick) {
  size_t triangles = (size_t)scene->triangle_count;
  lwi_free(memory, pick->vertices, (size_t)scene->vertex_count * sizeof(lw_vec3));
  lwi_free(memory, pick->indices, 3 * triangles * sizeof(int));
  lwi_free(memory, pick->areas, triangles * sizeof(lw_area_id));
  lwi_free(memory, pick->covers, triangles);
  lwi_free(memory, pick->rules, (size_t)scene->material_count * sizeof(lw_material_rule));
}

static bool alloc_picked(lwi_memory *memory, const lwi_scene *scene, picked *pick) {
  size_t triangles = (size_t)scene->triangle_count;
  pick->vertices = lwi_alloc(memory, (size_t)scene->vertex_count * sizeof(lw_vec3));
  pick->indices = lwi_alloc(memory, 3 * triangles * sizeof(int));
  pick->areas = lwi_alloc(memory, triangles * sizeof(lw_area_id));
  pick->covers = lwi_alloc(memory, triangles);
  pick->rules = lwi_alloc(memory, (size_t)scene->material_count * sizeof(lw_material_rule));
  return pick->vertices && pick->indices && pick->areas && pick->covers && pick->rules;
}

static void pick_triangles(const lwi_scene *scene, picked *pick) {
  for (int i = 0; i < scene->vertex_count; ++i)
    pick->vertices[i] =
        lwi_vec3(scene->vertices[3 * i], scene->vertices[3 * i + 1], scene->vertices[3 * i + 2]);
  for (int i = 0; i < scene->triangle_count; ++i) {
    lw_material_rule rule = pick->rules[scene->materials[i]];
    if (rule.ignored) continue;
    memcpy(pick->indices + 3 * pick->triangle_count, scene->triangles + 3 * i, 3 * sizeof(int));
    pick->covers[pick->triangle_count] = (uint8_t)rule.cover;
    pick->areas[pick->triangle_count++] = rule.area;
  }
}

/* Only materials that a triangle has are asked for. */
static void ask_rules(const lwi_scene *scene, const lw_geometry_import *import, lw_material_rule *rules) {
  for (int m = 0; m < scene->material_count; ++m) {
    int i = 0;
    while (i < scene->triangle_count && scene->materials[i] != m) ++i;
    if (i < scene->triangle_count) rules[m] = import->rule(import->user, scene->material_names[m]);
  }
}

static lw_status add_scene(lw_geometry *geometry, const char *file, const lwi_scene *scene,
                           const lw_geometry_import *import, picked *pick, lw_error *error) {
  lw_area_id first = lw_area_table_count(lw_geometry_area_table(geometry)) > 0 ? 1 : LW_AREA_NONE;
  for (int i = 0; i < scene->material_count; ++i) pick->rules[i] = (lw_material_rule){.area = first};
  if (import && import->rule) ask_rules(scene, import, pick->rules);
  lw_status status = check_rules(geometry, file, scene, pick->rules, error);
  if (status) return status;
  pick_triangles(scene, pick);
  if (pick->triangle_count == 0)
    return lwi_fail(error, LW_EMPTY, "'%s': every one of its %d triangles has a material that is ignored", file,
                    scene->triangle_count);
  lw_geometry_mesh mesh = {.vertices = pick->vertices,
                           .vertex_count = scene->vertex_count,
                           .indices = pick->indices,
                           .triangle_count = pick->triangle_count,
                           .areas = pick->areas,
                           .covers = pick->covers};
  lw_error inner;
  status = lw_geometry_add_mesh(geometry, &mesh, &inner);
  return status ? lwi_fail(error, status, "'%s': %.400s", file, inner.text) : LW_OK;
}

static lw_status take_scene(lw_geometry *geometry, const char *file, const lwi_scene *scene,
                            const lw_geometry_import *import, lw_error *error) {
  lw_status status = check_scene(file, scene, error);
  if (status) return status;
  lwi_memory memory = lwi_geometry_memory(geometry);
  picked pick = {0};
  status = alloc_picked(&memory, scene, &pick) ? add_scene(geometry, file, scene, import, &pick, error)
                                               : lwi_fail_status(error, LW_OUT_OF_MEMORY);
  free_picked(&memory, scene, &pick);
  return status;
}

lw_status lw_geometry_load(lw_geometry *geometry, const char *file, const lw_geometry_import *import,
                           lw_error *error) {
  if (!geometry || !file) return lwi_fail(error, LW_INVALID, "geometry and file must not be NULL");
  lw_status status = check_file(file, error);
  if (status) return status;
  lwi_plugin_handle handle;
  if ((status = lwi_plugin_open(&handle, error))) return status;

  lwi_scene scene;
  switch (handle.plugin->read_scene(file, &scene)) {
  case LWI_PLUGIN_OK: status = take_scene(geometry, file, &scene, import, error); break;
  case LWI_PLUGIN_OUT_OF_MEMORY: status = lwi_fail_status(error, LW_OUT_OF_MEMORY); break;
  case LWI_PLUGIN_NO_FILE: status = lwi_fail(error, LW_FILE, "cannot read '%s'", file); break;
  default: status = lwi_fail(error, LW_BAD_FILE, "cannot understand '%s': %s", file, scene.message); break;
  }
  handle.plugin->free_scene(&scene);
  lwi_plugin_close(&handle);
  return status;
}
