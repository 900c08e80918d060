/* lw_geometry_load(): files through the plug-in (Assimp). OBJ files are checked first: Assimp reads `nan` as a
   number, letters as 0 and so on, and the check can name the line. */
#include "core/platform.h"
#include "core/status.h"
#include "core/text.h"
#include "core/vec3.h"
#include "geometry/geometry.h"
#include "geometry/plugin_load.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- OBJ files -------------------------------------------------------------------------------------------- */

/* Statements that are checked are shorter; the rest of a longer line is skipped. */
#define LINE_SIZE 4096

typedef struct checker {
  const char *file;
  int line;
  long vertices;
  lw_error *error;
} checker;

static bool is_obj(const char *file) {
  return lwi_text_ends_in(file, ".obj");
}

static int word_length(const char *text) {
  int length = 0;
  while (text[length] && !isspace((unsigned char)text[length]) && length < 40) ++length;
  return length;
}

static lw_status check_vertex(checker *check, const char *text) {
  for (int axis = 0; axis < 3; ++axis) {
    char *end;
    text += strspn(text, " \t");
    double value = strtod(text, &end);
    if (end == text || (*end && !isspace((unsigned char)*end)))
      return lwi_fail(check->error, LW_INVALID, "%s:%d: %c of vertex %ld is '%.*s', expected a finite number",
                      check->file, check->line, "xyz"[axis], check -> vertices + 1, word_length(text), text);
    if (!isfinite(value) || fabs(value) > 3.4e38)
      return lwi_fail(check->error, LW_INVALID, "%s:%d: %c of vertex %ld is '%.*s', expected a finite number",
                      check->file, check->line, "xyz"[axis], check -> vertices + 1, word_length(text), text);
    text = end;
  }
  check->vertices += 1;
  return LW_OK;
}

/* Corners are `v`, `v/vt`, `v//vn` or `v/vt/vn`; negative ones count back from the last vertex so far. A
   positive one may name a later vertex, so the highest is checked at the end of the file. */
static lw_status check_face(checker *check, const char *text, long *highest, int *highest_line) {
  int corners = 0;
  for (text += strspn(text, " \t\r\n"); *text && *text != '#' && *text != '\\';
       text += strspn(text, " \t\r\n")) {
    char *end;
    long index = strtol(text, &end, 10);
    if (end == text || (*end && *end != '/' && !isspace((unsigned char)*end)))
      return lwi_fail(check->error, LW_INVALID, "%s:%d: a face's corner is '%.*s', expected an index",
                      check->file, check->line, word_length(text), text);
    if (index == 0 || index < -check->vertices)
      return lwi_fail(check->error, LW_INVALID, "%s:%d: index is %ld, expected 1 or more, or -%ld to -1",
                      check->file, check->line, index, check->vertices);
    if (index > *highest) *highest = index, *highest_line = check->line;
    text += strcspn(text, " \t\r\n");
    ++corners;
  }
  if (corners >= 3 || *text == '\\') return LW_OK;
  return lwi_fail(check->error, LW_INVALID, "%s:%d: the number of corners of a face is %d, expected 3 or more",
                  check->file, check->line, corners);
}

static bool is_binary(const char *line, size_t length) {
  for (size_t i = 0; i < length; ++i)
    if ((unsigned char)line[i] < 32 && !isspace((unsigned char)line[i])) return true;
  return false;
}

static lw_status check_lines(checker *check, FILE *stream) {
  char line[LINE_SIZE];
  long highest = 0, statements = 0;
  int highest_line = 0;
  bool fresh = true; /* the next bytes begin a line */
  while (fgets(line, sizeof line, stream)) {
    size_t length = strlen(line);
    bool ended = length > 0 && line[length - 1] == '\n';
    bool starts = fresh;
    check->line += starts ? 1 : 0;
    fresh = ended;
    if (is_binary(line, length))
      return lwi_fail(check->error, LW_BAD_FILE, "%s:%d: not an OBJ file: it has bytes that are not text",
                      check->file, check->line);
    if (!starts) continue;
    const char *text = line + strspn(line, " \t");
    lw_status status = LW_OK;
    if (text[0] == 'v' && isblank((unsigned char)text[1])) status = check_vertex(check, text + 1);
    if (text[0] == 'f' && isblank((unsigned char)text[1]))
      status = check_face(check, text + 1, &highest, &highest_line), ++statements;
    if (status) return status;
  }
  if (ferror(stream))
    return lwi_fail(check->error, LW_FILE, "cannot read '%s': %s", check->file, strerror(errno));
  if (highest > check->vertices)
    return lwi_fail(check->error, LW_INVALID,
                    "%s:%d: index is %ld, expected at most %ld, the number of vertices", check->file,
                    highest_line, highest, check->vertices);
  if (check->vertices == 0 && statements == 0)
    return lwi_fail(check->error, LW_BAD_FILE, "'%s' is not an OBJ file: no line of it is a vertex or a face",
                    check->file);
  if (statements == 0)
    return lwi_fail(check->error, LW_EMPTY, "'%s' holds no triangles: %ld vertices, no face", check->file,
                    check->vertices);
  return LW_OK;
}

static lw_status check_obj(const char *file, lw_error *error) {
  FILE *stream = fopen(file, "rb");
  if (!stream) return lwi_fail(error, LW_FILE, "cannot read '%s': %s", file, strerror(errno));
  checker check = {.file = file, .error = error};
  lw_status status = check_lines(&check, stream);
  fclose(stream);
  return status;
}

/* --- scenes ----------------------------------------------------------------------------------------------- */

/* Assimp reports each of these as a file without a reader, so they are checked first. */
static lw_status check_file(const char *file, lw_error *error) {
  FILE *stream;
  uint64_t size;
  const char *reason = lwi_file_open(file, &stream, &size);
  if (reason) return lwi_fail(error, LW_FILE, "cannot read '%s': %s", file, reason);
  fclose(stream);
  if (size == 0) return lwi_fail(error, LW_EMPTY, "'%s' is an empty file", file);
  return is_obj(file) ? check_obj(file, error) : LW_OK;
}

static lw_status check_scene(const char *file, const lwi_scene *scene, lw_error *error) {
  if (scene->triangle_count == 0) return lwi_fail(error, LW_EMPTY, "'%s' holds no triangles", file);
  for (int i = 0; i < 3 * scene->triangle_count; ++i) {
    const char *material = scene->material_names[scene->materials[i / 3]];
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

static lw_status check_rules(const lw_geometry *geometry, const char *file, const lwi_scene *scene,
                             const lw_material_rule *rules, lw_error *error) {
  const lw_area_table *table = lw_geometry_area_table(geometry);
  for (int i = 0; i < scene->material_count; ++i) {
    if (rules[i].ignored || rules[i].area == LW_AREA_NONE || lw_area_table_get(table, rules[i].area)) continue;
    return lwi_fail(error, LW_INVALID,
                    "'%s': the area of material '%s' by the rule is %d, expected 0 (none) to %d", file,
                    scene->material_names[i], rules[i].area, lw_area_table_count(table));
  }
  return LW_OK;
}

/* The triangles of a scene that the rules do not ignore, as one mesh. */
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

/* The rule is called only for materials that a triangle has. */
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
  if (!geometry) return lwi_fail_null(error, "geometry");
  if (!file) return lwi_fail_null(error, "file");
  lw_status status = check_file(file, error);
  if (status) return status;
  lwi_plugin_handle handle;
  if ((status = lwi_plugin_open(&handle, error))) return status;

  lwi_scene scene;
  switch (handle.plugin->read_scene(file, &scene)) {
  case LWI_PLUGIN_OK: status = take_scene(geometry, file, &scene, import, error); break;
  case LWI_PLUGIN_OUT_OF_MEMORY: status = lwi_fail_status(error, LW_OUT_OF_MEMORY); break;
  case LWI_PLUGIN_NO_FILE: status = lwi_fail(error, LW_FILE, "cannot read '%s'", file); break;
  default: status = lwi_fail(error, LW_BAD_FILE, "cannot read '%s': %s", file, scene.message); break;
  }
  handle.plugin->free_scene(&scene);
  lwi_plugin_close(&handle);
  return status;
}
