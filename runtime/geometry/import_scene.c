#include "geometry/import_scene.h"

#include "geometry/plugin.h"

#include <limits.h>
#include <string.h>

static size_t vertex_bytes(const lwi_import_scene *scene) {
  return 3 * sizeof(float) * (size_t)scene->vertex_count;
}

static size_t triangle_bytes(const lwi_import_scene *scene) {
  return 3 * sizeof(int) * (size_t)scene->triangle_count;
}

static size_t material_bytes(const lwi_import_scene *scene) {
  return sizeof(int) * (size_t)scene->triangle_count;
}

/* NULL is an array of no bytes, too. */
static bool alloc(lwi_memory *memory, void *array, size_t size) {
  void *block = lwi_alloc(memory, size);
  memcpy(array, &block, sizeof block);
  return block || size == 0;
}

bool lwi_import_scene_alloc(lwi_memory *memory, lwi_import_scene *scene) {
  return alloc(memory, &scene->vertices, vertex_bytes(scene)) &&
         alloc(memory, &scene->triangles, triangle_bytes(scene)) &&
         alloc(memory, &scene->materials, material_bytes(scene)) &&
         alloc(memory, &scene->names, (size_t)scene->name_bytes);
}

void lwi_import_scene_free(lwi_memory *memory, lwi_import_scene *scene) {
  lwi_free(memory, scene->vertices, vertex_bytes(scene));
  lwi_free(memory, scene->triangles, triangle_bytes(scene));
  lwi_free(memory, scene->materials, material_bytes(scene));
  lwi_free(memory, scene->names, (size_t)scene->name_bytes);
  memset(scene, 0, sizeof *scene);
}

/* --- between processes ------------------------------------------------------------------------------------ */

#define SCENE_MAGIC 0x4c575343 /* Read by the machine that wrote it, so any order of bytes does. */

typedef struct header {
  uint32_t magic, version;
  int32_t status, vertex_count, triangle_count, material_count, name_bytes;
  char message[LWI_PLUGIN_MESSAGE];
} header;

bool lwi_import_scene_send(const lwi_import_scene *scene, lwi_plugin_status status,
                           bool (*put)(const void *data, size_t size)) {
  header head = {.magic = SCENE_MAGIC, .version = LWI_PLUGIN_VERSION, .status = (int32_t)status};
  memcpy(head.message, scene->message, sizeof head.message);
  if (status != LWI_PLUGIN_OK) return put(&head, sizeof head);
  head.vertex_count = scene->vertex_count;
  head.triangle_count = scene->triangle_count;
  head.material_count = scene->material_count;
  head.name_bytes = scene->name_bytes;
  return put(&head, sizeof head) && put(scene->vertices, vertex_bytes(scene)) &&
         put(scene->triangles, triangle_bytes(scene)) && put(scene->materials, material_bytes(scene)) &&
         put(scene->names, (size_t)scene->name_bytes);
}

static bool good_header(const header *head) {
  return head->magic == SCENE_MAGIC && head->version == LWI_PLUGIN_VERSION && head->status >= 0 &&
         head->status < LWI_PLUGIN_STATUS_COUNT && memchr(head->message, 0, sizeof head->message) &&
         head->vertex_count >= 0 && head->vertex_count <= INT_MAX / 3 && head->triangle_count >= 0 &&
         head->triangle_count <= INT_MAX / 3 && head->material_count >= 0 &&
         head->name_bytes >= head->material_count;
}

/* As many names as there are materials, and a material for each triangle. */
static bool good_materials(const lwi_import_scene *scene) {
  int names = 0;
  for (int i = 0; i < scene->name_bytes; ++i) names += scene->names[i] == 0;
  if (names != scene->material_count) return false;
  if (scene->name_bytes > 0 && scene->names[scene->name_bytes - 1] != 0) return false;
  for (int i = 0; i < scene->triangle_count; ++i)
    if (scene->materials[i] < 0 || scene->materials[i] >= scene->material_count) return false;
  return true;
}

lwi_import_scene_result lwi_import_scene_receive(bool (*get)(void *user, void *data, size_t size), void *user,
                                                 uint64_t memory_max, lwi_memory *memory,
                                                 lwi_import_scene *scene, lwi_plugin_status *status) {
  header head;
  *scene = (lwi_import_scene){0};
  *status = LWI_PLUGIN_FAILED;
  if (!get(user, &head, sizeof head)) return LWI_IMPORT_CUT;
  if (!good_header(&head)) return LWI_IMPORT_MALFORMED;
  *status = (lwi_plugin_status)head.status;
  memcpy(scene->message, head.message, sizeof scene->message);
  if (*status != LWI_PLUGIN_OK) return LWI_IMPORT_RECEIVED;
  scene->vertex_count = head.vertex_count;
  scene->triangle_count = head.triangle_count;
  scene->material_count = head.material_count;
  scene->name_bytes = head.name_bytes;
  if (vertex_bytes(scene) + triangle_bytes(scene) + material_bytes(scene) + (uint64_t)scene->name_bytes >
      memory_max)
    return memset(scene, 0, sizeof *scene), LWI_IMPORT_TOO_LARGE;
  if (!lwi_import_scene_alloc(memory, scene)) return LWI_IMPORT_OUT_OF_MEMORY;
  if (!get(user, scene->vertices, vertex_bytes(scene)) || !get(user, scene->triangles, triangle_bytes(scene)) ||
      !get(user, scene->materials, material_bytes(scene)) ||
      !get(user, scene->names, (size_t)scene->name_bytes))
    return LWI_IMPORT_CUT;
  return good_materials(scene) ? LWI_IMPORT_RECEIVED : LWI_IMPORT_MALFORMED;
}
