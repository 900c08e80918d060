/* lw_geometry_load(): level files through Assimp, in a child process unless the caller wants otherwise. */
#include "core/platform.h"
#include "core/status.h"
#include "core/vec3.h"
#include "geometry/geometry.h"
#include "geometry/import_run.h"
#include "geometry/level_check.h"
#include "geometry/plugin_load.h"

#include <string.h>

/* --- what was read ---------------------------------------------------------------------------------------- */

static lw_status check_scene(const char *file, const lwi_import_scene *scene, const char *const *names,
                             lw_error *error) {
  for (int i = 0; i < 3 * scene->triangle_count; ++i) {
    const char *material = names[scene->materials[i / 3]];
    int index = scene->triangles[i];
    if (index < 0 || index >= scene->vertex_count)
      return lwi_fail(error, LW_INVALID, "'%s': triangle %d (material '%s'): index is %d, expected 0 to %d",
                      file, i / 3, material, index, scene->vertex_count - 1);
    const float *v = scene->vertices + 3 * (size_t)index;
    if (!lwi_finite(lwi_vec3(v[0], v[1], v[2])))
      return lwi_fail(error, LW_INVALID,
                      "'%s': triangle %d (material '%s'): a corner is (%g, %g, %g), expected finite numbers",
                      file, i / 3, material, (double)v[0], (double)v[1], (double)v[2]);
  }
  return LW_OK;
}

/* The triangles of a scene that the rules do not ignore, as one mesh. */
typedef struct picked {
  const char **names; /* Of the materials. */
  lw_vec3 *vertices;
  int *indices;
  lw_area_id *areas;
  uint8_t *covers;
  lw_material_rule *rules;
  bool *used; /* Whether a triangle has the material. */
  int triangle_count;
} picked;

static lw_status check_rules(const lw_geometry *geometry, const char *file, const lwi_import_scene *scene,
                             const picked *pick, lw_error *error) {
  const lw_material_rule *rules = pick->rules;
  const lw_area_table *table = lw_geometry_area_table(geometry);
  for (int i = 0; i < scene->material_count; ++i) {
    if (rules[i].ignored || rules[i].area == LW_AREA_NONE || lw_area_table_get(table, rules[i].area)) continue;
    return lwi_fail(error, LW_INVALID,
                    "'%s': the area of material '%s' by the rule is %d, expected 0 (none) to %d", file,
                    pick->names[i], rules[i].area, lw_area_table_count(table));
  }
  return LW_OK;
}

static void free_picked(lwi_memory *memory, const lwi_import_scene *scene, picked *pick) {
  size_t triangles = (size_t)scene->triangle_count;
  lwi_free(memory, pick->vertices, (size_t)scene->vertex_count * sizeof(lw_vec3));
  lwi_free(memory, pick->indices, 3 * triangles * sizeof(int));
  lwi_free(memory, pick->areas, triangles * sizeof(lw_area_id));
  lwi_free(memory, pick->covers, triangles);
  lwi_free(memory, pick->rules, (size_t)scene->material_count * sizeof(lw_material_rule));
  lwi_free(memory, pick->used, (size_t)scene->material_count * sizeof(bool));
  lwi_free(memory, pick->names, (size_t)scene->material_count * sizeof(char *));
}

static bool alloc_picked(lwi_memory *memory, const lwi_import_scene *scene, picked *pick) {
  size_t triangles = (size_t)scene->triangle_count;
  pick->vertices = lwi_alloc(memory, (size_t)scene->vertex_count * sizeof(lw_vec3));
  pick->indices = lwi_alloc(memory, 3 * triangles * sizeof(int));
  pick->areas = lwi_alloc(memory, triangles * sizeof(lw_area_id));
  pick->covers = lwi_alloc(memory, triangles);
  pick->rules = lwi_alloc(memory, (size_t)scene->material_count * sizeof(lw_material_rule));
  pick->used = lwi_alloc_zero(memory, (size_t)scene->material_count * sizeof(bool));
  pick->names = lwi_alloc(memory, (size_t)scene->material_count * sizeof(char *));
  return pick->vertices && pick->indices && pick->areas && pick->covers && pick->rules && pick->used &&
         pick->names;
}

static void pick_triangles(const lwi_import_scene *scene, picked *pick) {
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

static void list_names(const lwi_import_scene *scene, const char **names) {
  const char *name = scene->names;
  for (int i = 0; i < scene->material_count; ++i, name += strlen(name) + 1) names[i] = name;
}

/* The rule is called only for materials that a triangle has. */
static void ask_rules(const lwi_import_scene *scene, const lw_geometry_import *import, picked *pick) {
  for (int i = 0; i < scene->triangle_count; ++i) pick->used[scene->materials[i]] = true;
  for (int m = 0; m < scene->material_count; ++m)
    if (pick->used[m]) pick->rules[m] = import->rule(import->user, pick->names[m]);
}

static lw_status add_scene(lw_geometry *geometry, const char *file, const lwi_import_scene *scene,
                           const lw_geometry_import *import, picked *pick, lw_error *error) {
  lw_area_id first = lw_area_table_count(lw_geometry_area_table(geometry)) > 0 ? 1 : LW_AREA_NONE;
  for (int i = 0; i < scene->material_count; ++i) pick->rules[i] = (lw_material_rule){.area = first};
  list_names(scene, pick->names);
  lw_status status = check_scene(file, scene, pick->names, error);
  if (status) return status;
  if (import->rule) ask_rules(scene, import, pick);
  status = check_rules(geometry, file, scene, pick, error);
  if (status) return status;
  pick_triangles(scene, pick);
  if (pick->triangle_count == 0)
    return lwi_fail(error, LW_EMPTY, "'%s': the materials of all its %d triangles are ignored", file,
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

/* Assimp leaves out triangles of a glTF file that have an index that is no vertex. */
static lw_status check_count(const char *file, const lwi_import_scene *scene, uint64_t triangles,
                             lw_error *error) {
  const uint64_t read = (uint64_t)scene->triangle_count;
  if (read >= triangles) return LW_OK;
  return lwi_fail(error, LW_BAD_FILE,
                  "cannot read '%s': triangles with an index that is no vertex: %llu of %llu, expected indices "
                  "less than the count of their primitive's POSITION",
                  file, (unsigned long long)(triangles - read), (unsigned long long)triangles);
}

static lw_status take_scene(lw_geometry *geometry, const char *file, const lwi_import_scene *scene,
                            const lw_geometry_import *import, lw_error *error) {
  if (scene->triangle_count == 0) return lwi_fail(error, LW_EMPTY, "'%s' holds no triangles", file);
  if (scene->vertex_count < 3) /* Assimp has joined equal ones. */
    return lwi_fail(error, LW_EMPTY, "'%s' holds no triangles: none of its faces has three different corners",
                    file);
  lwi_memory memory = lwi_geometry_memory(geometry);
  picked pick = {0};
  lw_status status = alloc_picked(&memory, scene, &pick)
                         ? add_scene(geometry, file, scene, import, &pick, error)
                         : lwi_fail_status(error, LW_OUT_OF_MEMORY);
  free_picked(&memory, scene, &pick);
  return status;
}

/* --- how to read it --------------------------------------------------------------------------------------- */

static lw_status check_import(const lw_geometry_import *import, lw_error *error) {
  if (import->memory < LW_IMPORT_MEMORY_MIN || import->memory > LW_IMPORT_MEMORY_LIMIT)
    return lwi_fail(error, LW_INVALID,
                    "import: memory is %llu, expected 0 (900 MB), or bytes from %llu to %llu",
                    (unsigned long long)import->memory, (unsigned long long)LW_IMPORT_MEMORY_MIN,
                    (unsigned long long)LW_IMPORT_MEMORY_LIMIT);
  if (import->seconds < 1 || import->seconds > LW_IMPORT_SECONDS_LIMIT)
    return lwi_fail(error, LW_INVALID, "import: seconds is %d, expected 0 (60), or 1 to %d", import->seconds,
                    LW_IMPORT_SECONDS_LIMIT);
  if (import->allowed_count < 0 || import->allowed_count > LW_IMPORT_ALLOWED_LIMIT)
    return lwi_fail(error, LW_INVALID, "import: allowed_count is %d, expected 0 to %d", import->allowed_count,
                    LW_IMPORT_ALLOWED_LIMIT);
  if (import->allowed_count > 0 && !import->allowed) return lwi_fail_null(error, "import: allowed");
  for (int i = 0; i < import->allowed_count; ++i) {
    char resolved[LWI_PATH_SIZE];
    const char *allowed = import->allowed[i];
    if (!allowed)
      return lwi_fail(error, LW_INVALID, "import: allowed %d is NULL, expected a file or folder", i);
    if (!lwi_path_resolve(allowed, resolved))
      return lwi_fail(error, LW_INVALID, "import: allowed holds '%s', expected a file or folder that exists",
                      allowed);
  }
  return LW_OK;
}

static lw_status read_scene(const lw_geometry_import *import, const char *file, lwi_memory *memory,
                            lwi_import_scene *scene, lw_error *error) {
  lwi_plugin_handle handle;
  lw_status status = lwi_plugin_open(&handle, error);
  if (status) return status;
  const lwi_import_job job = {.file = file,
                              .allowed = import->allowed,
                              .allowed_count = import->allowed_count,
                              .memory_max = import->memory};
  status = import->in_process ? lwi_import_run_here(&handle, &job, memory, scene, error)
                              : lwi_import_run(&handle, &job, import->seconds, memory, scene, error);
  lwi_plugin_close(&handle);
  return status;
}

lw_status lw_geometry_load(lw_geometry *geometry, const char *file, const lw_geometry_import *given,
                           lw_error *error) {
  if (!geometry) return lwi_fail_null(error, "geometry");
  if (!file) return lwi_fail_null(error, "file");
  lw_geometry_import import = given ? *given : (lw_geometry_import){0};
  if (!import.rule && lw_area_table_count(lw_geometry_area_table(geometry)) == 0)
    return lwi_fail(error, LW_INVALID, "the area table has no areas, expected one for the triangles");
  if (import.memory == 0) import.memory = LW_IMPORT_MEMORY_DEFAULT;
  if (import.seconds == 0) import.seconds = LW_IMPORT_SECONDS_DEFAULT;
  lwi_memory memory = lwi_geometry_memory(geometry);
  lwi_import_scene scene = {0};
  uint64_t triangles = 0;
  lw_status status = check_import(&import, error);
  if (!status) status = lwi_level_check(file, import.memory, &memory, &triangles, error);
  if (!status) status = read_scene(&import, file, &memory, &scene, error);
  if (!status) status = check_count(file, &scene, triangles, error);
  if (!status) status = take_scene(geometry, file, &scene, &import, error);
  lwi_import_scene_free(&memory, &scene);
  return status;
}
