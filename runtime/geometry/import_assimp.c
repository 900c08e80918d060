/* Reads level files through Assimp's C interface. Part of libleeward_bake.so. Work and memory are bounded between
   Assimp's reading and its post-processing, which is quadratic in the corners of a face. */
#include "core/text.h"
#include "core/vec3.h"
#include "geometry/import_files.h"
#include "geometry/lines.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/material.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Triangulating takes some nanoseconds for each pair of corners of a face. */
#define FACE_WORK_MAX 100000000LL

static lwi_plugin_status fail(lwi_import_scene *scene, const char *message) {
  if (message != scene->message) snprintf(scene->message, sizeof scene->message, "%s", message);
  return LWI_PLUGIN_FAILED;
}

/* --- what a scene holds ----------------------------------------------------------------------------------- */

typedef struct collector {
  const struct aiScene *source;
  lwi_import_scene *scene; /* NULL: only count */
  bool triangulated;       /* Other faces are left out; before, they count as the triangles that they become. */
  long long vertices, triangles;
} collector;

/* A node on the path from the root to the visited node. */
typedef struct level {
  const struct aiNode *node;
  struct aiMatrix4x4 transform;
  unsigned next; /* child */
} level;

static float determinant(const struct aiMatrix4x4 *m) {
  return m->a1 * (m->b2 * m->c3 - m->b3 * m->c2) - m->a2 * (m->b1 * m->c3 - m->b3 * m->c1) +
         m->a3 * (m->b1 * m->c2 - m->b2 * m->c1);
}

static void add_mesh(collector *into, const struct aiMesh *mesh, const struct aiMatrix4x4 *transform) {
  lwi_import_scene *scene = into->scene;
  const int first = (int)into->vertices;
  for (unsigned i = 0; i < mesh->mNumVertices; ++i) {
    struct aiVector3D v = mesh->mVertices[i];
    aiTransformVecByMatrix4(&v, transform);
    float *to = scene->vertices + 3 * into->vertices++;
    to[0] = v.x, to[1] = v.y, to[2] = v.z;
  }
  bool mirrored = determinant(transform) < 0;
  for (unsigned i = 0; i < mesh->mNumFaces; ++i) {
    const struct aiFace *face = &mesh->mFaces[i];
    if (face->mNumIndices != 3) continue;
    int *to = scene->triangles + 3 * into->triangles;
    to[0] = first + (int)face->mIndices[0];
    to[1] = first + (int)face->mIndices[mirrored ? 2 : 1];
    to[2] = first + (int)face->mIndices[mirrored ? 1 : 2];
    scene->materials[into->triangles++] = (int)mesh->mMaterialIndex;
  }
}

static void count_mesh(collector *into, const struct aiMesh *mesh) {
  into->vertices += mesh->mNumVertices;
  for (unsigned i = 0; i < mesh->mNumFaces; ++i) {
    const unsigned corners = mesh->mFaces[i].mNumIndices;
    if (corners == 3 || (corners > 3 && !into->triangulated)) into->triangles += corners - 2;
  }
}

/* @return false: a mesh that does not exist, or more than memory can hold. */
static bool visit(collector *into, const struct aiNode *node, const struct aiMatrix4x4 *transform) {
  for (unsigned i = 0; i < node->mNumMeshes; ++i) {
    if (node->mMeshes[i] >= into->source->mNumMeshes) return false;
    const struct aiMesh *mesh = into->source->mMeshes[node->mMeshes[i]];
    if (into->scene)
      add_mesh(into, mesh, transform);
    else
      count_mesh(into, mesh);
  }
  return true;
}

/* Visits parents before their children, in order. @param levels  [LWI_NODE_DEPTH_MAX] @return What is wrong; NULL. */
static const char *walk(collector *into, level *levels) {
  static const char no_mesh[] = "a node has a mesh that does not exist";
  int depth = 0;
  levels[0] = (level){.node = into->source->mRootNode};
  aiIdentityMatrix4(&levels[0].transform);
  aiMultiplyMatrix4(&levels[0].transform, &levels[0].node->mTransformation);
  if (!visit(into, levels[0].node, &levels[0].transform)) return no_mesh;
  while (depth >= 0) {
    level *at = &levels[depth];
    if (at->next == at->node->mNumChildren) {
      --depth;
      continue;
    }
    const struct aiNode *child = at->node->mChildren[at->next++];
    if (++depth == LWI_NODE_DEPTH_MAX) return "its nodes are nested more than 1024 deep";
    levels[depth] = (level){.node = child, .transform = at->transform};
    aiMultiplyMatrix4(&levels[depth].transform, &child->mTransformation);
    if (!visit(into, child, &levels[depth].transform)) return no_mesh;
  }
  return NULL;
}

/* --- bounds ----------------------------------------------------------------------------------------------- */

static lwi_plugin_status check_faces(const struct aiMesh *mesh, long long *work, lwi_import_scene *scene) {
  for (unsigned i = 0; i < mesh->mNumFaces; ++i) {
    const struct aiFace *face = &mesh->mFaces[i];
    if (face->mNumIndices == 0) return fail(scene, "a face has no corners"); /* Triangulating would abort. */
    for (unsigned k = 0; k < face->mNumIndices; ++k)
      if (face->mIndices[k] >= mesh->mNumVertices)
        return fail(scene, "a corner of a face is a vertex that does not exist");
    if (face->mNumIndices <= 4) continue;
    *work += (long long)face->mNumIndices * face->mNumIndices;
    if (*work <= FACE_WORK_MAX) continue;
    snprintf(scene->message, sizeof scene->message,
             "its faces have too many corners, one of them %u, expected faces of few corners",
             face->mNumIndices);
    return LWI_PLUGIN_FAILED;
  }
  return LWI_PLUGIN_OK;
}

/* Of the scene as read, before its faces are triangulated. @param[out] triangles  How many there will be. */
static lwi_plugin_status check_scene(const lwi_import_job *job, const struct aiScene *source, level *levels,
                                     lwi_import_scene *scene, long long *triangles) {
  long long work = 0;
  if (!source->mRootNode) return fail(scene, "it has no nodes");
  for (unsigned i = 0; i < source->mNumMeshes; ++i) {
    const unsigned material = source->mMeshes[i]->mMaterialIndex;
    if (material > 0 && material >= source->mNumMaterials)
      return fail(scene, "a mesh has a material that does not exist");
    lwi_plugin_status status = check_faces(source->mMeshes[i], &work, scene);
    if (status) return status;
  }
  collector counted = {.source = source};
  const char *wrong = walk(&counted, levels);
  if (wrong) return fail(scene, wrong);
  *triangles = counted.triangles;
  const long long bytes = counted.vertices * 12 + counted.triangles * 16;
  if ((unsigned long long)bytes <= job->memory_max && counted.vertices <= INT_MAX / 3 &&
      counted.triangles <= INT_MAX / 3)
    return LWI_PLUGIN_OK;
  snprintf(scene->message, sizeof scene->message, "its nodes place %lld triangles and %lld vertices",
           counted.triangles, counted.vertices);
  return LWI_PLUGIN_LIMIT;
}

/* --- quads ------------------------------------------------------------------------------------------------ */

/* @return The corner of a quad at which it is concave, about its normal; 0: at none. */
static int concave_corner(const struct aiMesh *mesh, const struct aiFace *face) {
  lw_vec3 p[4];
  for (int i = 0; i < 4; ++i) {
    const struct aiVector3D v = mesh->mVertices[face->mIndices[i]];
    p[i] = lwi_vec3(v.x, v.y, v.z);
  }
  const lw_vec3 normal = lwi_cross(lwi_sub(p[2], p[0]), lwi_sub(p[3], p[1]));
  for (int i = 0; i < 4; ++i) {
    const lw_vec3 to = lwi_sub(p[i], p[(i + 3) & 3]), from = lwi_sub(p[(i + 1) & 3], p[i]);
    if (lwi_dot(lwi_cross(to, from), normal) < 0) return i;
  }
  return 0;
}

/* Assimp cuts a quad at the first corner that it takes for concave, or else at the first one. It takes others for
   concave, too, so the concave corner is put first. */
static void turn_quads(const struct aiMesh *mesh) {
  for (unsigned i = 0; i < mesh->mNumFaces; ++i) {
    const struct aiFace *face = &mesh->mFaces[i];
    if (face->mNumIndices != 4) continue;
    const int first = concave_corner(mesh, face);
    unsigned turned[4];
    for (int k = 0; k < 4; ++k) turned[k] = face->mIndices[(first + k) & 3];
    memcpy(face->mIndices, turned, sizeof turned);
  }
}

/* --- reading ---------------------------------------------------------------------------------------------- */

/* Everything but positions is dropped. Assimp scales to metres where a format has a unit. */
static const struct aiScene *import(lwi_import_files *files) {
  struct aiPropertyStore *store = aiCreatePropertyStore();
  if (!store) return NULL;
  aiSetImportPropertyInteger(store, AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  aiSetImportPropertyInteger(store, AI_CONFIG_PP_RVC_FLAGS,
                             aiComponent_NORMALS | aiComponent_TANGENTS_AND_BITANGENTS | aiComponent_COLORS |
                                 aiComponent_TEXCOORDS | aiComponent_BONEWEIGHTS | aiComponent_ANIMATIONS |
                                 aiComponent_TEXTURES | aiComponent_LIGHTS | aiComponent_CAMERAS);
  const struct aiScene *scene = aiImportFileExWithProperties(files->job->file, 0, &files->io, store);
  aiReleasePropertyStore(store);
  return scene;
}

/* @param[out] name  Of a format, by the file's ending: "STL". */
static void format_name(const char *file, char *name, size_t size) {
  const char *dot = strrchr(file, '.');
  size_t length = 0;
  for (; dot && dot[1 + length] && length + 1 < size; ++length)
    name[length] = (char)toupper((unsigned char)dot[1 + length]);
  name[length] = 0;
}

/* Assimp's own words are for its developers: they are quoted at the end. */
static lwi_plugin_status explain(const lwi_import_files *files, lwi_import_scene *scene) {
  const char *reason = aiGetErrorString();
  char format[8], quoted[121];
  if (reason && strstr(reason, "bad_alloc")) return LWI_PLUGIN_OUT_OF_MEMORY;
  if (files->refused[0]) return fail(scene, files->refused);
  format_name(files->job->file, format, sizeof format);
  lwi_text_show(quoted, sizeof quoted, reason && reason[0] ? reason : "nothing");
  snprintf(
      scene->message, sizeof scene->message,
      "it is not a whole and valid %s file, expected one as a modelling program exports it (Assimp says '%s')",
      format, quoted);
  return LWI_PLUGIN_FAILED;
}

static const char *material_name(const struct aiScene *source, unsigned index, struct aiString *name) {
  name->length = 0;
  if (index < source->mNumMaterials) aiGetMaterialString(source->mMaterials[index], AI_MATKEY_NAME, name);
  return name->length > 0 ? name->data : "DefaultMaterial";
}

static void copy_names(const struct aiScene *source, lwi_import_scene *scene) {
  struct aiString name;
  char *to = scene->names;
  for (int i = 0; i < scene->material_count; ++i) {
    const char *text = material_name(source, (unsigned)i, &name);
    const size_t size = strlen(text) + 1;
    memcpy(to, text, size);
    to += size;
  }
}

static lwi_plugin_status fill(const struct aiScene *source, level *levels, lwi_memory *memory,
                              lwi_import_scene *scene) {
  struct aiString name;
  collector counted = {.source = source, .triangulated = true};
  const char *wrong = walk(&counted, levels);
  if (wrong) return fail(scene, wrong);
  if (counted.triangles == 0) return LWI_PLUGIN_OK;
  scene->vertex_count = (int)counted.vertices;
  scene->triangle_count = (int)counted.triangles;
  scene->material_count = source->mNumMaterials > 0 ? (int)source->mNumMaterials : 1;
  for (int i = 0; i < scene->material_count; ++i)
    scene->name_bytes += (int)strlen(material_name(source, (unsigned)i, &name)) + 1;
  if (!lwi_import_scene_alloc(memory, scene)) return LWI_PLUGIN_OUT_OF_MEMORY;
  copy_names(source, scene);
  collector filled = {.source = source, .scene = scene, .triangulated = true};
  walk(&filled, levels);
  return LWI_PLUGIN_OK;
}

static lwi_plugin_status read_files(lwi_import_files *files, level *levels, lwi_memory *memory,
                                    lwi_import_scene *scene) {
  const struct aiScene *source = import(files);
  if (!source) return explain(files, scene);
  long long triangles = 0;
  /* Where a file is not opened, Assimp tries others of its name. */
  lwi_plugin_status status = files->refused[0] ? fail(scene, files->refused)
                                               : check_scene(files->job, source, levels, scene, &triangles);
  /* Post-processing crashes on a scene of points and lines alone. */
  if (!status && triangles > 0) {
    for (unsigned i = 0; i < source->mNumMeshes; ++i) turn_quads(source->mMeshes[i]);
    source = aiApplyPostProcessing(source, aiProcess_Triangulate | aiProcess_SortByPType |
                                               aiProcess_RemoveComponent | aiProcess_JoinIdenticalVertices |
                                               aiProcess_GlobalScale);
    status = source ? fill(source, levels, memory, scene) : explain(files, scene);
  }
  if (source) aiReleaseImport(source);
  return status;
}

/* --- what Assimp would read otherwise --------------------------------------------------------------------- */

/* Assimp takes a first line that begins with the byte order mark of UTF-8 for a statement that it does not know,
   and gives faces before the first `usemtl` the next material, so a material is named before them. The .mtl
   file is not read: only names of materials matter. */
static bool prepare_obj(lwi_import_files *files) {
  if (files->level_size >= 3 && memcmp(files->level, "\xEF\xBB\xBF", 3) == 0) memset(files->level, '\n', 3);
  return lwi_import_files_insert(files, 0, "usemtl DefaultMaterial\n");
}

/* Assimp 5.2 leaves out the first byte of a binary PLY file's elements if it is a \n, but for the one of \r\n: so
   the header ends in these. In a last line without its end it reads what is left of a longer line before. */
static bool prepare_ply(lwi_import_files *files) {
  lwi_lines lines = {.at = files->level, .end = files->level + files->level_size};
  lwi_word line, key = {0};
  bool is_ascii = false;
  while (!lwi_word_is(key, "end_header") && lwi_next_line(&lines, &line)) {
    key = lwi_next_word(&line);
    if (lwi_word_is(key, "format")) is_ascii = lwi_word_is(lwi_next_word(&line), "ascii");
  }
  const unsigned char *at = lines.at;
  if (!lwi_word_is(key, "end_header")) return true; /* another file than the one that was checked */
  if (is_ascii) return lwi_import_files_insert(files, files->level_size, "\n");
  if (at[-1] != '\n' || at[-2] == '\r') return true;
  return lwi_import_files_insert(files, (size_t)(at - files->level) - 1, "\r");
}

/* Assimp 5.2 takes comments and blanks in lines of their own for vertices and faces: they become ends of lines. It
   ends comments at more bytes than others do: those behind numbers become '#'. */
static void prepare_off(lwi_import_files *files) {
  lwi_lines lines = {.at = files->level, .end = files->level + files->level_size};
  for (lwi_word line; lwi_next_line(&lines, &line);) {
    const char *comment = line.length > 0 ? memchr(line.text, '#', line.length) : NULL;
    const size_t length = comment ? (size_t)(comment - line.text) : line.length;
    const size_t start = (size_t)((const unsigned char *)line.text - files->level);
    lwi_word rest = {line.text, length};
    const bool is_blank = lwi_next_word(&rest).length == 0;
    const size_t kept = is_blank ? 0 : length;
    memset(files->level + start + kept, is_blank ? '\n' : '#', line.length - kept);
  }
}

/* A string before a colon. */
static bool is_key(const unsigned char *at, const unsigned char *end, const char *key) {
  const size_t length = strlen(key);
  if ((size_t)(end - at) < length || memcmp(at, key, length) != 0) return false;
  at += length;
  while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n')) ++at;
  return at < end && *at == ':';
}

/* Changes keys of bones, of shape keys, and of data beside that of a view, so that Assimp does not know them. It reads
   such data beyond its end, and crashes without some that the format leaves out; positions and indices do without. */
static void hide_keys(unsigned char *at, const unsigned char *end) {
  static const char *const keys[] = {"\"skin\"", "\"skins\"", "\"targets\"", "\"sparse\""};
  for (; at < end; ++at)
    for (size_t i = 0; *at == '"' && i < sizeof keys / sizeof *keys; ++i)
      if (is_key(at, end, keys[i])) at[1] = '-';
}

/* The text of a binary file is its first chunk, behind 20 bytes, the fourth number of which states its length. */
static void prepare_gltf(const lwi_import_files *files, bool is_binary) {
  unsigned char *text = files->level;
  size_t size = files->level_size;
  if (is_binary && size < 20) return;
  if (is_binary) {
    const size_t stated = text[12] | (size_t)text[13] << 8 | (size_t)text[14] << 16 | (size_t)text[15] << 24;
    text += 20, size = stated < size - 20 ? stated : size - 20;
  }
  hide_keys(text, text + size);
}

static bool prepare(lwi_import_files *files) {
  const bool is_binary = lwi_text_ends_in(files->job->file, ".glb");
  if (is_binary || lwi_text_ends_in(files->job->file, ".gltf")) return prepare_gltf(files, is_binary), true;
  if (lwi_text_ends_in(files->job->file, ".off")) return prepare_off(files), true;
  if (lwi_text_ends_in(files->job->file, ".obj")) return prepare_obj(files);
  return !lwi_text_ends_in(files->job->file, ".ply") || prepare_ply(files);
}

lwi_plugin_status lwi_read_scene(const lwi_import_job *job, lwi_memory *memory, lwi_import_scene *scene) {
  memset(scene, 0, sizeof *scene);
  lwi_import_files files;
  lwi_plugin_status status = lwi_import_files_open(&files, job, scene->message);
  if (!status && !prepare(&files)) status = LWI_PLUGIN_OUT_OF_MEMORY;
  files.may_refer = lwi_text_ends_in(job->file, ".gltf") || lwi_text_ends_in(job->file, ".glb");
  level *levels = malloc(LWI_NODE_DEPTH_MAX * sizeof *levels);
  if (!status) status = levels ? read_files(&files, levels, memory, scene) : LWI_PLUGIN_OUT_OF_MEMORY;
  free(levels);
  lwi_import_files_close(&files);
  return status;
}
