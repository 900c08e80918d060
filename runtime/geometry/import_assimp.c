/* Reads geometry files through Assimp's C interface. Part of libleeward_bake.so. */
#include "core/file.h"
#include "core/text.h"
#include "geometry/plugin.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/material.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Assimp gives faces before the first `usemtl` of an OBJ the next material, so a material is named before them.
   The .mtl file is not read: only names of materials matter. */
static const struct aiScene *import_obj(const char *file, unsigned flags, const struct aiPropertyStore *store) {
  static const char prefix[] = "usemtl DefaultMaterial\n";
  const size_t prefix_size = sizeof prefix - 1;
  const struct aiScene *scene = NULL;
  const char *reason;
  lwi_memory memory = lwi_memory_make(NULL);
  unsigned char *data;
  size_t size;
  if (lwi_file_read_up_to(file, UINT_MAX - 64, &memory, &data, &size, &reason) != LW_OK) return NULL;
  unsigned char *text = lwi_resize(&memory, data, size, prefix_size + size);
  if (text) {
    memmove(text + prefix_size, text, size);
    memcpy(text, prefix, prefix_size);
    size += prefix_size;
    scene = aiImportFileFromMemoryWithProperties((const char *)text, (unsigned)size, flags, "obj", store);
    data = text;
  }
  lwi_free(&memory, data, size);
  return scene;
}

/* Everything but positions is dropped. Assimp scales to metres where a format has a unit. */
static const struct aiScene *import_file(const char *file) {
  struct aiPropertyStore *store = aiCreatePropertyStore();
  if (!store) return NULL;
  aiSetImportPropertyInteger(store, AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  aiSetImportPropertyInteger(store, AI_CONFIG_PP_RVC_FLAGS,
                             aiComponent_NORMALS | aiComponent_TANGENTS_AND_BITANGENTS | aiComponent_COLORS |
                                 aiComponent_TEXCOORDS | aiComponent_BONEWEIGHTS | aiComponent_ANIMATIONS |
                                 aiComponent_TEXTURES | aiComponent_LIGHTS | aiComponent_CAMERAS);
  unsigned flags = aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_RemoveComponent |
                   aiProcess_JoinIdenticalVertices | aiProcess_GlobalScale;
  const struct aiScene *scene = lwi_text_ends_in(file, ".obj")
                                    ? import_obj(file, flags, store)
                                    : aiImportFileExWithProperties(file, flags, NULL, store);
  aiReleasePropertyStore(store);
  return scene;
}

typedef struct collector {
  const struct aiScene *source;
  lwi_scene *scene;
  long long vertices, triangles; /* counted while `scene` is NULL */
} collector;

static float determinant(const struct aiMatrix4x4 *m) {
  return m->a1 * (m->b2 * m->c3 - m->b3 * m->c2) - m->a2 * (m->b1 * m->c3 - m->b3 * m->c1) +
         m->a3 * (m->b1 * m->c2 - m->b2 * m->c1);
}

static void add_mesh(collector *into, const struct aiMesh *mesh, const struct aiMatrix4x4 *transform) {
  lwi_scene *scene = into->scene;
  int first = scene->vertex_count;
  for (unsigned i = 0; i < mesh->mNumVertices; ++i) {
    struct aiVector3D v = mesh->mVertices[i];
    aiTransformVecByMatrix4(&v, transform);
    float *to = scene->vertices + 3 * (size_t)scene->vertex_count++;
    to[0] = v.x, to[1] = v.y, to[2] = v.z;
  }
  bool mirrored = determinant(transform) < 0;
  for (unsigned i = 0; i < mesh->mNumFaces; ++i) {
    const struct aiFace *face = &mesh->mFaces[i];
    if (face->mNumIndices != 3) continue;
    int *to = scene->triangles + 3 * (size_t)scene->triangle_count;
    to[0] = first + (int)face->mIndices[0];
    to[1] = first + (int)face->mIndices[mirrored ? 2 : 1];
    to[2] = first + (int)face->mIndices[mirrored ? 1 : 2];
    scene->materials[scene->triangle_count++] = (int)mesh->mMaterialIndex;
  }
}

/* Walk the nodes, once to count and once to fill. The depth is limited so that no file exhausts the stack. */
#define NODE_DEPTH_MAX 1024
static bool walk(collector *into, const struct aiNode *node, const struct aiMatrix4x4 *parent, int depth) {
  if (depth > NODE_DEPTH_MAX) return false;
  struct aiMatrix4x4 transform = *parent;
  aiMultiplyMatrix4(&transform, &node->mTransformation);
  for (unsigned i = 0; i < node->mNumMeshes; ++i) {
    const struct aiMesh *mesh = into->source->mMeshes[node->mMeshes[i]];
    if (into->scene) {
      add_mesh(into, mesh, &transform);
    } else {
      into->vertices += mesh->mNumVertices;
      into->triangles += mesh->mNumFaces;
    }
  }
  for (unsigned i = 0; i < node->mNumChildren; ++i)
    if (!walk(into, node->mChildren[i], &transform, depth + 1)) return false;
  return true;
}

static bool copy_names(const struct aiScene *source, lwi_scene *scene) {
  int count = source->mNumMaterials > 0 ? (int)source->mNumMaterials : 1;
  scene->material_names = calloc((size_t)count, sizeof *scene->material_names);
  if (!scene->material_names) return false;
  scene->material_count = count;
  for (int i = 0; i < count; ++i) {
    struct aiString name = {.length = 0};
    if (i < (int)source->mNumMaterials) aiGetMaterialString(source->mMaterials[i], AI_MATKEY_NAME, &name);
    const char *text = name.length > 0 ? name.data : "DefaultMaterial";
    size_t size = strlen(text) + 1;
    if (!(scene->material_names[i] = malloc(size))) return false;
    memcpy(scene->material_names[i], text, size);
  }
  return true;
}

static lwi_plugin_status fill(const struct aiScene *source, lwi_scene *scene) {
  struct aiMatrix4x4 identity;
  aiIdentityMatrix4(&identity);
  collector counted = {.source = source};
  if (!source->mRootNode || !walk(&counted, source->mRootNode, &identity, 0)) {
    snprintf(scene->message, sizeof scene->message, "nodes are nested more than %d deep", NODE_DEPTH_MAX);
    return LWI_PLUGIN_FAILED;
  }
  if (counted.vertices > INT_MAX / 4 || counted.triangles > INT_MAX / 12) {
    snprintf(scene->message, sizeof scene->message, "it has %lld triangles, which is too many",
             counted.triangles);
    return LWI_PLUGIN_FAILED;
  }
  if (counted.triangles == 0) return LWI_PLUGIN_OK;
  scene->vertices = malloc((size_t)counted.vertices * 3 * sizeof(float));
  scene->triangles = malloc((size_t)counted.triangles * 3 * sizeof(int));
  scene->materials = malloc((size_t)counted.triangles * sizeof(int));
  if (!scene->vertices || !scene->triangles || !scene->materials || !copy_names(source, scene))
    return LWI_PLUGIN_OUT_OF_MEMORY;
  collector filled = {.source = source, .scene = scene};
  walk(&filled, source->mRootNode, &identity, 0);
  return LWI_PLUGIN_OK;
}

lwi_plugin_status lwi_read_scene(const char *file, lwi_scene *scene) {
  memset(scene, 0, sizeof *scene);
  const struct aiScene *source = import_file(file);
  if (!source) {
    const char *reason = aiGetErrorString();
    snprintf(scene->message, sizeof scene->message, "%s",
             reason && reason[0] ? reason : "Assimp cannot read it");
    return LWI_PLUGIN_FAILED;
  }
  lwi_plugin_status status = fill(source, scene);
  aiReleaseImport(source);
  if (status == LWI_PLUGIN_OUT_OF_MEMORY) lwi_free_scene(scene);
  return status;
}

void lwi_free_scene(lwi_scene *scene) {
  for (int i = 0; i < scene->material_count; ++i) free(scene->material_names[i]);
  free(scene->material_names);
  free(scene->vertices);
  free(scene->triangles);
  free(scene->materials);
  memset(scene, 0, sizeof *scene);
}
