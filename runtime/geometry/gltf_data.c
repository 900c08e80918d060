#include "geometry/gltf_data.h"

#include "core/status.h"
#include "geometry/lines.h"

#include <string.h>

static lw_status add(lwi_gltf *gltf, void *items, int *capacity, int count, size_t size) {
  return lwi_reserve(gltf->memory, items, capacity, count + 1, size)
             ? LW_OK
             : lwi_fail_status(gltf->error, LW_OUT_OF_MEMORY);
}

/* --- buffers ---------------------------------------------------------------------------------------------- */

static lwi_gltf_buffer *buffer_of(lwi_gltf *gltf) {
  return &gltf->data.buffers[gltf->data.buffer_count - 1];
}

static bool is_base64(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
}

/* @param[out] size  Of what it stands for. @return false: Assimp would read other bytes than were written. */
static bool measure_base64(lwi_json_text text, uint64_t *size) {
  size_t padding = 0;
  while (padding < 2 && padding < text.size && text.data[text.size - 1 - padding] == '=') ++padding;
  for (size_t i = 0; i + padding < text.size; ++i)
    if (!is_base64(text.data[i])) return false;
  *size = (uint64_t)text.size / 4 * 3 - padding;
  return text.size % 4 == 0;
}

/* Assimp finds the data by a signed byte, and reads what is not base64 as it is written. */
#define DATA_HEAD_MAX 100

static lw_status read_data_uri(lwi_gltf *gltf, lwi_json_text uri) {
  static const char tail[] = ";base64";
  const size_t tail_size = sizeof tail - 1;
  const char *comma = memchr(uri.data, ',', uri.size < DATA_HEAD_MAX ? uri.size : DATA_HEAD_MAX);
  if (!comma || (size_t)(comma - uri.data) < tail_size || memcmp(comma - tail_size, tail, tail_size) != 0)
    return lwi_gltf_refuse(gltf, "no data in base64, expected 'data:application/octet-stream;base64,...'");
  const lwi_json_text text = {comma + 1, uri.size - (size_t)(comma + 1 - uri.data)};
  if (measure_base64(text, &buffer_of(gltf)->data)) return LW_OK;
  return lwi_gltf_refuse(gltf, "damaged, expected groups of 4 letters, digits, '+' and '/', '=' at its end");
}

/* Assimp itself compares the length of a file, and of data that is written with escape sequences. */
static lw_status read_uri(lwi_gltf *gltf) {
  lwi_json_text uri;
  if (!lwi_json_string(&gltf->json, &uri)) return lwi_gltf_refuse(gltf, "no string");
  buffer_of(gltf)->has_uri = true;
  const bool is_data = lwi_word_begins((lwi_word){uri.data, uri.size}, "data:");
  return is_data && !memchr(uri.data, '\\', uri.size) ? read_data_uri(gltf, uri) : LW_OK;
}

static lw_status read_buffer_length(lwi_gltf *gltf) {
  return lwi_gltf_whole(gltf, &buffer_of(gltf)->length);
}

static lw_status read_buffer(lwi_gltf *gltf) {
  static const lwi_gltf_member members[] = {{"byteLength", read_buffer_length, true}, {"uri", read_uri, false}};
  lw_status status = add(gltf, &gltf->data.buffers, &gltf->data.buffer_capacity, gltf->data.buffer_count,
                         sizeof *gltf->data.buffers);
  if (status) return status;
  gltf->data.buffers[gltf->data.buffer_count++] = (lwi_gltf_buffer){.data = UINT64_MAX};
  return lwi_gltf_object(gltf, members, 2);
}

lw_status lwi_gltf_read_buffers(lwi_gltf *gltf) {
  return lwi_gltf_list(gltf, "buffer", NULL, read_buffer);
}

/* Assimp takes the chunk of a binary file for its first buffer, whatever is said of that, and demands that data in a
   URI has the length that is stated. */
static lw_status check_buffer(const lwi_gltf *gltf, int i) {
  const lwi_gltf_buffer *buffer = &gltf->data.buffers[i];
  const bool in_chunk = gltf->binary && i == 0;
  if (in_chunk && buffer->has_uri)
    return lwi_fail(
        gltf->error, LW_BAD_FILE,
        "cannot read '%s': buffer 0 has a 'uri', expected none, for it is the data of the .glb file",
        gltf->file);
  if (in_chunk && buffer->length > gltf->chunk)
    return lwi_fail(gltf->error, LW_BAD_FILE,
                    "cannot read '%s': byteLength of buffer 0 is %u, expected at most %u, the data of the file",
                    gltf->file, buffer->length, gltf->chunk);
  if (buffer->data == UINT64_MAX || buffer->data == buffer->length) return LW_OK;
  return lwi_fail(gltf->error, LW_BAD_FILE,
                  "cannot read '%s': byteLength of buffer %d is %u, expected %llu, the data in its 'uri'",
                  gltf->file, i, buffer->length, (unsigned long long)buffer->data);
}

/* --- views ------------------------------------------------------------------------------------------------ */

static lwi_gltf_view *view_of(lwi_gltf *gltf) {
  return &gltf->data.views[gltf->data.view_count - 1];
}

static lw_status read_view_buffer(lwi_gltf *gltf) {
  return lwi_gltf_whole(gltf, &view_of(gltf)->buffer);
}

static lw_status read_view_offset(lwi_gltf *gltf) {
  return lwi_gltf_whole(gltf, &view_of(gltf)->offset);
}

static lw_status read_view_length(lwi_gltf *gltf) {
  return lwi_gltf_whole(gltf, &view_of(gltf)->length);
}

static lw_status read_view_stride(lwi_gltf *gltf) {
  return lwi_gltf_whole(gltf, &view_of(gltf)->stride);
}

static lw_status read_view(lwi_gltf *gltf) {
  static const lwi_gltf_member members[] = {{"buffer", read_view_buffer, true},
                                            {"byteLength", read_view_length, true},
                                            {"byteOffset", read_view_offset, false},
                                            {"byteStride", read_view_stride, false}};
  lw_status status =
      add(gltf, &gltf->data.views, &gltf->data.view_capacity, gltf->data.view_count, sizeof *gltf->data.views);
  if (status) return status;
  gltf->data.views[gltf->data.view_count++] = (lwi_gltf_view){0};
  return lwi_gltf_object(gltf, members, 4);
}

lw_status lwi_gltf_read_views(lwi_gltf *gltf) {
  return lwi_gltf_list(gltf, "buffer view", NULL, read_view);
}

static lw_status check_view(const lwi_gltf *gltf, uint32_t i) {
  const lwi_gltf_view *view = &gltf->data.views[i];
  lw_status status = lwi_gltf_check_index(gltf, "buffer of buffer view", i, view->buffer,
                                          (uint32_t)gltf->data.buffer_count, "buffers");
  if (status) return status;
  const uint64_t end = (uint64_t)view->offset + view->length;
  const uint32_t length = gltf->data.buffers[view->buffer].length;
  if (end <= length) return LW_OK;
  return lwi_fail(gltf->error, LW_BAD_FILE,
                  "cannot read '%s': buffer view %u ends at byte %llu of buffer %u, expected at most %u, its "
                  "byteLength",
                  gltf->file, i, (unsigned long long)end, view->buffer, length);
}

/* --- accessors -------------------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  uint32_t numbers;
} types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT2", 4}, {"MAT3", 9}, {"MAT4", 16}};

#define TYPE_COUNT (int)(sizeof types / sizeof *types)

const char *lwi_gltf_type_name(const lwi_gltf_accessor *accessor) {
  return types[accessor->type].name;
}

uint32_t lwi_gltf_component_size(uint32_t component) {
  static const uint32_t sizes[] = {1, 1, 2, 2, 0, 4, 4};
  return component >= 5120 && component <= 5126 ? sizes[component - 5120] : 0;
}

static lwi_gltf_accessor *accessor_of(lwi_gltf *gltf) {
  return &gltf->data.accessors[gltf->data.accessor_count - 1];
}

static lw_status read_accessor_view(lwi_gltf *gltf) {
  return lwi_gltf_whole(gltf, &accessor_of(gltf)->view);
}

static lw_status read_accessor_offset(lwi_gltf *gltf) {
  return lwi_gltf_whole(gltf, &accessor_of(gltf)->offset);
}

static lw_status read_accessor_count(lwi_gltf *gltf) {
  return lwi_gltf_whole(gltf, &accessor_of(gltf)->count);
}

static lw_status read_component(lwi_gltf *gltf) {
  lw_status status = lwi_gltf_whole(gltf, &accessor_of(gltf)->component);
  if (status || lwi_gltf_component_size(accessor_of(gltf)->component)) return status;
  return lwi_gltf_refuse(gltf, "no known type, expected 5120, 5121, 5122, 5123, 5125 or 5126");
}

static lw_status read_type(lwi_gltf *gltf) {
  lwi_json_text name;
  int type = 0;
  if (!lwi_json_string(&gltf->json, &name)) return lwi_gltf_refuse(gltf, "no string");
  while (type < TYPE_COUNT && !lwi_json_is(name, types[type].name)) ++type;
  accessor_of(gltf)->type = type;
  if (type < TYPE_COUNT) return LW_OK;
  return lwi_gltf_refuse(gltf, "no known type, expected SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3 or MAT4");
}

static lw_status read_sparse(lwi_gltf *gltf) {
  accessor_of(gltf)->is_sparse = true;
  return lwi_gltf_skip(gltf);
}

static lw_status read_accessor(lwi_gltf *gltf) {
  static const lwi_gltf_member members[] = {{"componentType", read_component, true},
                                            {"count", read_accessor_count, true},
                                            {"type", read_type, true},
                                            {"bufferView", read_accessor_view, false},
                                            {"byteOffset", read_accessor_offset, false},
                                            {"sparse", read_sparse, false}};
  lw_status status = add(gltf, &gltf->data.accessors, &gltf->data.accessor_capacity, gltf->data.accessor_count,
                         sizeof *gltf->data.accessors);
  if (status) return status;
  gltf->data.accessors[gltf->data.accessor_count++] = (lwi_gltf_accessor){.view = LWI_GLTF_NONE};
  return lwi_gltf_object(gltf, members, 6);
}

lw_status lwi_gltf_read_accessors(lwi_gltf *gltf) {
  return lwi_gltf_list(gltf, "accessor", NULL, read_accessor);
}

/* Assimp leaves `byteOffset` and the number of components out when it compares lengths. */
static lw_status check_accessor(const lwi_gltf *gltf, uint32_t i) {
  const lwi_gltf_accessor *accessor = &gltf->data.accessors[i];
  if (accessor->view == LWI_GLTF_NONE) return LW_OK;
  lw_status status = lwi_gltf_check_index(gltf, "bufferView of accessor", i, accessor->view,
                                          (uint32_t)gltf->data.view_count, "buffer views");
  if (status) return status;
  const lwi_gltf_view *view = &gltf->data.views[accessor->view];
  const uint32_t size = types[accessor->type].numbers * lwi_gltf_component_size(accessor->component);
  if (view->stride > 0 && view->stride < size)
    return lwi_fail(gltf->error, LW_BAD_FILE,
                    "cannot read '%s': byteStride of buffer view %u is %u, expected at least %u, an element of "
                    "accessor %u",
                    gltf->file, accessor->view, view->stride, size, i);
  const uint64_t stride = view->stride > 0 ? view->stride : size;
  const uint64_t end = accessor->offset + (accessor->count > 0 ? stride * (accessor->count - 1) + size : 0);
  if (end <= view->length) return LW_OK;
  return lwi_fail(gltf->error, LW_BAD_FILE,
                  "cannot read '%s': accessor %u ends at byte %llu of buffer view %u, expected at most %u, its "
                  "byteLength",
                  gltf->file, i, (unsigned long long)end, accessor->view, view->length);
}

lw_status lwi_gltf_check_data(const lwi_gltf *gltf) {
  lw_status status = LW_OK;
  for (int i = 0; i < gltf->data.buffer_count && !status; ++i) status = check_buffer(gltf, i);
  for (int i = 0; i < gltf->data.view_count && !status; ++i) status = check_view(gltf, (uint32_t)i);
  for (int i = 0; i < gltf->data.accessor_count && !status; ++i) status = check_accessor(gltf, (uint32_t)i);
  return status;
}
