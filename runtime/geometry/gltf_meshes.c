#include "geometry/gltf_meshes.h"

#include "core/status.h"
#include "geometry/gltf_data.h"

#include <string.h>

#define FLOAT 5126
#define LINE_LOOP 2

/* --- reading ---------------------------------------------------------------------------------------------- */

static lwi_gltf_primitive *primitive_of(lwi_gltf *gltf) {
  return &gltf->primitives[gltf->primitive_count - 1];
}

/* Modes 0 to 3 are points and lines, which are left out; 4 to 6 are triangles. */
static lw_status read_mode(lwi_gltf *gltf) {
  lw_status status = lwi_gltf_whole(gltf, &primitive_of(gltf)->mode);
  if (status || primitive_of(gltf)->mode <= 6) return status;
  return lwi_gltf_refuse(gltf, "not 0 to 6");
}

static lw_status read_indices(lwi_gltf *gltf) {
  return lwi_gltf_whole(gltf, &primitive_of(gltf)->indices);
}

static lw_status read_position(lwi_gltf *gltf) {
  return lwi_gltf_whole(gltf, &primitive_of(gltf)->position);
}

static lw_status read_attributes(lwi_gltf *gltf) {
  static const lwi_gltf_member members[] = {{"POSITION", read_position, true}};
  return lwi_gltf_object(gltf, members, 1);
}

static lw_status read_primitive(lwi_gltf *gltf) {
  static const lwi_gltf_member members[] = {{"attributes", read_attributes, true},
                                            {"indices", read_indices, false},
                                            {"mode", read_mode, false},
                                            {"targets", lwi_gltf_skip, false}};
  if (!lwi_reserve(gltf->memory, &gltf->primitives, &gltf->primitive_capacity, gltf->primitive_count + 1,
                   sizeof *gltf->primitives))
    return lwi_fail_status(gltf->error, LW_OUT_OF_MEMORY);
  gltf->primitives[gltf->primitive_count++] = (lwi_gltf_primitive){
      .mesh = gltf->place.in->index, .index = gltf->place.index, .mode = 4, .indices = LWI_GLTF_NONE};
  return lwi_gltf_object(gltf, members, 4);
}

static lw_status read_primitives(lwi_gltf *gltf) {
  return lwi_gltf_list(gltf, "primitive", NULL, read_primitive);
}

static lw_status read_mesh(lwi_gltf *gltf) {
  static const lwi_gltf_member members[] = {{"primitives", read_primitives, true}};
  return lwi_gltf_object(gltf, members, 1);
}

lw_status lwi_gltf_read_meshes(lwi_gltf *gltf) {
  return lwi_gltf_list(gltf, "mesh", &gltf->mesh_count, read_mesh);
}

/* --- checks ----------------------------------------------------------------------------------------------- */

/* Assimp reads no accessor without a view, which holds zeros, and the views of sparse ones beyond their ends. @param what  "POSITION". */
static lw_status find_accessor(const lwi_gltf *gltf, const lwi_gltf_primitive *primitive, const char *what,
                               uint32_t index, const lwi_gltf_accessor **found) {
  *found = NULL;
  if (index >= (uint32_t)gltf->data.accessor_count)
    return lwi_fail(
        gltf->error, LW_BAD_FILE,
        "cannot read '%s': %s of primitive %u of mesh %u is %u, expected less than %d, the number of "
        "accessors",
        gltf->file, what, primitive->index, primitive->mesh, index, gltf->data.accessor_count);
  *found = &gltf->data.accessors[index];
  if ((*found)->is_sparse)
    return lwi_fail(
        gltf->error, LW_BAD_FILE,
        "cannot read '%s': %s of primitive %u of mesh %u is accessor %u, which is sparse, expected all "
        "its data in its 'bufferView'",
        gltf->file, what, primitive->index, primitive->mesh, index);
  if ((*found)->view != LWI_GLTF_NONE) return LW_OK;
  return lwi_fail(gltf->error, LW_BAD_FILE,
                  "cannot read '%s': %s of primitive %u of mesh %u is accessor %u, which has no 'bufferView'",
                  gltf->file, what, primitive->index, primitive->mesh, index);
}

static lw_status check_position(const lwi_gltf *gltf, const lwi_gltf_primitive *primitive, uint32_t *count) {
  const lwi_gltf_accessor *position;
  lw_status status = find_accessor(gltf, primitive, "POSITION", primitive->position, &position);
  if (status) return status;
  *count = position->count;
  const char *type = lwi_gltf_type_name(position);
  if (strcmp(type, "VEC3") == 0 && position->component == FLOAT) return LW_OK;
  return lwi_fail(
      gltf->error, LW_BAD_FILE,
      "cannot read '%s': POSITION of primitive %u of mesh %u is accessor %u, %s of componentType %u, "
      "expected VEC3 of 5126",
      gltf->file, primitive->index, primitive->mesh, primitive->position, type, position->component);
}

/* Assimp reads a byteStride for indices, which other programs do not. */
static lw_status check_indices(const lwi_gltf *gltf, const lwi_gltf_primitive *primitive, uint32_t *count) {
  const lwi_gltf_accessor *indices;
  if (primitive->indices == LWI_GLTF_NONE) return LW_OK;
  lw_status status = find_accessor(gltf, primitive, "indices", primitive->indices, &indices);
  if (status) return status;
  *count = indices->count;
  const char *type = lwi_gltf_type_name(indices);
  const uint32_t component = indices->component, stride = gltf->data.views[indices->view].stride;
  if (strcmp(type, "SCALAR") != 0 || (component != 5121 && component != 5123 && component != 5125))
    return lwi_fail(gltf->error, LW_BAD_FILE,
                    "cannot read '%s': indices of primitive %u of mesh %u is accessor %u, %s of componentType "
                    "%u, expected SCALAR of 5121, 5123 or 5125",
                    gltf->file, primitive->index, primitive->mesh, primitive->indices, type, component);
  if (stride == 0 || stride == lwi_gltf_component_size(component)) return LW_OK;
  return lwi_fail(gltf->error, LW_BAD_FILE,
                  "cannot read '%s': byteStride of buffer view %u is %u, expected none, for accessor %u holds "
                  "the indices of primitive %u of mesh %u",
                  gltf->file, indices->view, stride, primitive->indices, primitive->index, primitive->mesh);
}

/* Assimp writes beyond the faces of a primitive that has fewer corners than one of them, and crashes on a line loop
   whose first line it leaves out for an index that is no vertex. */
static lw_status check_corners(const lwi_gltf *gltf, const lwi_gltf_primitive *primitive, uint32_t count) {
  static const uint32_t corners_min[] = {1, 2, 2, 2, 3, 3, 3};
  if (count < corners_min[primitive->mode])
    return lwi_fail(
        gltf->error, LW_BAD_FILE,
        "cannot read '%s': primitive %u of mesh %u, of mode %u, has %u corners, expected %u or more",
        gltf->file, primitive->index, primitive->mesh, primitive->mode, count, corners_min[primitive->mode]);
  if (primitive->mode == LINE_LOOP && primitive->indices != LWI_GLTF_NONE)
    return lwi_fail(
        gltf->error, LW_BAD_FILE,
        "cannot read '%s': primitive %u of mesh %u is a line loop (mode 2) with indices, expected none",
        gltf->file, primitive->index, primitive->mesh);
  if (primitive->mode != 4 || count % 3 == 0) return LW_OK;
  return lwi_fail(gltf->error, LW_BAD_FILE,
                  "cannot read '%s': primitive %u of mesh %u has %u corners, expected a multiple of 3",
                  gltf->file, primitive->index, primitive->mesh, count);
}

static uint64_t count_triangles(uint32_t mode, uint32_t corners) {
  if (mode < 4) return 0;
  return mode == 4 ? corners / 3 : corners - 2;
}

lw_status lwi_gltf_check_meshes(const lwi_gltf *gltf, uint64_t *triangles) {
  *triangles = 0;
  for (int i = 0; i < gltf->primitive_count; ++i) {
    const lwi_gltf_primitive *primitive = &gltf->primitives[i];
    uint32_t count;
    lw_status status = check_position(gltf, primitive, &count);
    if (!status) status = check_indices(gltf, primitive, &count);
    if (!status) status = check_corners(gltf, primitive, count);
    if (status) return status;
    if (gltf->mesh_times)
      *triangles += gltf->mesh_times[primitive->mesh] * count_triangles(primitive->mode, count);
  }
  return LW_OK;
}
