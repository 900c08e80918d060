#include "geometry/gltf_check.h"

#include "core/bytes.h"
#include "core/status.h"
#include "geometry/gltf_data.h"
#include "geometry/gltf_meshes.h"
#include "geometry/gltf_nodes.h"
#include "geometry/lines.h"

#include <limits.h>
#include <string.h>

/* --- the extensions --------------------------------------------------------------------------------------- */

/* Families of extensions that do not change where triangles are, whether Assimp reads them or not. Others do, or may:
   Assimp 5.2 reads a file as if it did not require them. */
static bool leaves_triangles(lwi_json_text extension) {
  static const char *const families[] = {"KHR_materials_", "EXT_materials_", "ADOBE_materials_", "KHR_texture_",
                                         "EXT_texture_",   "MSFT_texture_",  "KHR_lights_",      "EXT_lights_",
                                         "KHR_animation_", "KHR_xmp"};
  const lwi_word name = {extension.data, extension.size};
  for (size_t i = 0; i < sizeof families / sizeof *families; ++i)
    if (lwi_word_begins(name, families[i])) return true;
  return false;
}

static lw_status read_extension(lwi_gltf *gltf) {
  lwi_json_text name;
  if (!lwi_json_string(&gltf->json, &name)) return lwi_gltf_skip(gltf);
  if (leaves_triangles(name)) return LW_OK;
  return lwi_fail(
      gltf->error, LW_BAD_FILE,
      "cannot read '%s': it requires the extension '%.*s', expected none but of materials, textures, "
      "lights, animations and metadata; export it without",
      gltf->file, name.size > 60 ? 60 : (int)name.size, name.data);
}

static lw_status read_extensions(lwi_gltf *gltf) {
  return lwi_gltf_list(gltf, NULL, NULL, read_extension);
}

/* --- the text --------------------------------------------------------------------------------------------- */

static lw_status read_version(lwi_gltf *gltf) {
  lwi_json_text version;
  if (!lwi_json_string(&gltf->json, &version)) return lwi_gltf_skip(gltf);
  gltf->has_version = version.size > 0;
  if (version.size == 0 || version.data[0] == '2') return LW_OK;
  return lwi_fail(gltf->error, LW_BAD_FILE, "cannot read '%s': its glTF version is '%.*s', expected 2.0",
                  gltf->file, version.size > 20 ? 20 : (int)version.size, version.data);
}

static lw_status read_min_version(lwi_gltf *gltf) {
  lwi_json_text version;
  if (!lwi_json_string(&gltf->json, &version)) return lwi_gltf_skip(gltf);
  if (lwi_json_is(version, "2.0")) return LW_OK;
  return lwi_fail(gltf->error, LW_BAD_FILE,
                  "cannot read '%s': it requires glTF version '%.*s' ('asset.minVersion'), expected 2.0",
                  gltf->file, version.size > 20 ? 20 : (int)version.size, version.data);
}

static lw_status read_asset(lwi_gltf *gltf) {
  static const lwi_gltf_member members[] = {{"version", read_version, false},
                                            {"minVersion", read_min_version, false}};
  return lwi_gltf_object(gltf, members, 2);
}

/* A file of another version is built otherwise: all else is read later. */
static lw_status check_version(lwi_gltf *gltf) {
  static const lwi_gltf_member members[] = {{"asset", read_asset, false}};
  lw_status status = lwi_gltf_object(gltf, members, 1);
  if (status) return status;
  if (!lwi_json_end(&gltf->json)) return lwi_gltf_refuse_json(gltf);
  if (gltf->has_version) return LW_OK;
  return lwi_fail(gltf->error, LW_BAD_FILE, "cannot read '%s': it states no glTF version ('asset.version')",
                  gltf->file);
}

static lw_status read_lists(lwi_gltf *gltf) {
  static const lwi_gltf_member members[] = {{"scene", lwi_gltf_read_scene, false},
                                            {"scenes", lwi_gltf_read_scenes, false},
                                            {"nodes", lwi_gltf_read_nodes, false},
                                            {"meshes", lwi_gltf_read_meshes, false},
                                            {"accessors", lwi_gltf_read_accessors, false},
                                            {"bufferViews", lwi_gltf_read_views, false},
                                            {"buffers", lwi_gltf_read_buffers, false},
                                            {"extensionsRequired", read_extensions, false},
                                            {"skins", lwi_gltf_skip, false}};
  return lwi_gltf_object(gltf, members, sizeof members / sizeof *members);
}

static void free_links(lwi_memory *memory, lwi_gltf_links *links) {
  lwi_free(memory, links->items, (size_t)links->capacity * sizeof *links->items);
}

static void free_lists(lwi_gltf *gltf) {
  free_links(gltf->memory, &gltf->children);
  free_links(gltf->memory, &gltf->node_meshes);
  free_links(gltf->memory, &gltf->scene_nodes);
  lwi_free(gltf->memory, gltf->mesh_times, gltf->mesh_count * sizeof *gltf->mesh_times);
  lwi_free(gltf->memory, gltf->data.buffers, (size_t)gltf->data.buffer_capacity * sizeof *gltf->data.buffers);
  lwi_free(gltf->memory, gltf->data.views, (size_t)gltf->data.view_capacity * sizeof *gltf->data.views);
  lwi_free(gltf->memory, gltf->data.accessors,
           (size_t)gltf->data.accessor_capacity * sizeof *gltf->data.accessors);
  lwi_free(gltf->memory, gltf->primitives, (size_t)gltf->primitive_capacity * sizeof *gltf->primitives);
}

/* Items are counted in ints. */
static lw_status check_text(lwi_gltf *gltf, const unsigned char *data, size_t size, uint64_t *triangles) {
  if (size > INT_MAX)
    return lwi_fail(gltf->error, LW_BAD_FILE, "cannot read '%s': its JSON has %zu bytes, expected at most %d",
                    gltf->file, size, INT_MAX);
  const lwi_json whole = lwi_json_make((const char *)data, size);
  gltf->json = whole;
  gltf->value = whole.at;
  lw_status status = check_version(gltf);
  gltf->json = whole;
  if (!status) status = read_lists(gltf);
  if (!status) status = lwi_gltf_check_nodes(gltf);
  if (!status) status = lwi_gltf_check_data(gltf);
  if (!status) status = lwi_gltf_check_meshes(gltf, triangles);
  free_lists(gltf);
  return status;
}

/* --- the container ---------------------------------------------------------------------------------------- */

#define HEAD 12
#define CHUNK_HEAD 8

static uint32_t number_at(const unsigned char *data, size_t at) {
  lwi_reader from = {data + at, data + at + 4, false};
  return (uint32_t)lwi_get(&from, 4);
}

/* Chunks begin at multiples of four bytes. */
static lw_status check_chunks(const char *file, const unsigned char *data, size_t size, lw_error *error) {
  for (size_t at = HEAD; at < size; at = (at + 3) / 4 * 4) {
    const size_t left = size - at;
    const uint32_t chunk = left < CHUNK_HEAD ? 0 : number_at(data, at);
    if (left < CHUNK_HEAD || chunk > left - CHUNK_HEAD)
      return lwi_fail(error, LW_BAD_FILE,
                      "cannot read '%s': its chunk at byte %zu states %u bytes, expected at most %zu", file, at,
                      chunk, left < CHUNK_HEAD ? 0 : left - CHUNK_HEAD);
    at += CHUNK_HEAD + chunk;
  }
  return LW_OK;
}

static lw_status check_container(const char *file, const unsigned char *data, size_t size, lw_error *error) {
  if (size < HEAD + CHUNK_HEAD || memcmp(data, "glTF", 4) != 0)
    return lwi_fail(error, LW_BAD_FILE, "cannot read '%s': it is not a binary glTF file", file);
  const uint32_t version = number_at(data, 4), length = number_at(data, 8);
  if (version != 2)
    return lwi_fail(error, LW_BAD_FILE, "cannot read '%s': its glTF version is %u, expected 2", file, version);
  if (length != size)
    return lwi_fail(error, LW_BAD_FILE,
                    "cannot read '%s': its header states %u bytes, expected %zu, the size of the file", file,
                    length, size);
  return check_chunks(file, data, length, error);
}

/* @return Bytes of the chunk behind the JSON text, which holds the first buffer. 0: there is none. */
static uint32_t data_size(const unsigned char *data) {
  const size_t at = HEAD + CHUNK_HEAD + ((size_t)number_at(data, HEAD) + 3) / 4 * 4;
  return at + CHUNK_HEAD <= number_at(data, 8) ? number_at(data, at) : 0;
}

lw_status lwi_gltf_check(const char *file, const unsigned char *data, size_t size, lwi_memory *memory,
                         uint64_t *triangles, lw_error *error) {
  lwi_gltf gltf = {.file = file, .error = error, .memory = memory};
  if (size >= HEAD && memcmp(data, "glTF", 4) == 0)
    return lwi_fail(error, LW_BAD_FILE,
                    "cannot read '%s': it is a binary glTF file, expected its name to end in .glb", file);
  return check_text(&gltf, data, size, triangles);
}

lw_status lwi_glb_check(const char *file, const unsigned char *data, size_t size, lwi_memory *memory,
                        uint64_t *triangles, lw_error *error) {
  lwi_gltf gltf = {.file = file, .error = error, .memory = memory, .binary = true};
  lw_status status = check_container(file, data, size, error);
  if (status) return status;
  gltf.chunk = data_size(data);
  return check_text(&gltf, data + HEAD + CHUNK_HEAD, number_at(data, HEAD), triangles);
}
