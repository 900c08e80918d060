/// The JSON text of a glTF file, read member by member into what its checks need. Messages name the member that
/// is read: `byteOffset of accessor 0`.
#ifndef LW_GEOMETRY_GLTF_TEXT_H
#define LW_GEOMETRY_GLTF_TEXT_H

#include "core/memory.h"
#include "geometry/json.h"

/// Not given.
#define LWI_GLTF_NONE UINT32_MAX

/// An item of a list: primitive 2 of mesh 1.
typedef struct lwi_gltf_place {
  const char *kind; ///< NULL: the whole file.
  uint32_t index;
  const struct lwi_gltf_place *in;
} lwi_gltf_place;

/// Node 3 in children of node 1; mesh 0 of node 2; node 1 in scene 0.
typedef struct lwi_gltf_link {
  uint32_t from, to;
} lwi_gltf_link;

typedef struct lwi_gltf_links {
  lwi_gltf_link *items;
  int count, capacity;
} lwi_gltf_links;

typedef struct lwi_gltf_buffer {
  uint32_t length;
  uint64_t data; ///< Bytes in its URI. UINT64_MAX: they are elsewhere.
  bool has_uri;
} lwi_gltf_buffer;

typedef struct lwi_gltf_view {
  uint32_t buffer, offset, length, stride; ///< Stride 0: that of the elements.
} lwi_gltf_view;

typedef struct lwi_gltf_accessor {
  uint32_t view, offset, count, component; ///< No view: zeros.
  int type;                                ///< For lwi_gltf_types.
  bool is_sparse;
} lwi_gltf_accessor;

typedef struct lwi_gltf_data {
  lwi_gltf_buffer *buffers;
  lwi_gltf_view *views;
  lwi_gltf_accessor *accessors;
  int buffer_count, view_count, accessor_count;
  int buffer_capacity, view_capacity, accessor_capacity;
} lwi_gltf_data;

typedef struct lwi_gltf_primitive {
  uint32_t mesh, index, mode, position, indices;
} lwi_gltf_primitive;

/// A file while it is checked.
typedef struct lwi_gltf {
  const char *file;
  lw_error *error;
  lwi_memory *memory;
  lwi_json json;
  bool binary;
  uint32_t chunk; ///< Bytes of data in a binary file.

  lwi_json_text key; ///< Of the member that is read; empty for an item.
  lwi_gltf_place place;
  const char *value; ///< Where its text begins.

  bool has_version;
  uint32_t scene;
  uint32_t node_count, mesh_count, scene_count;
  lwi_gltf_links children, node_meshes, scene_nodes;
  uint64_t *mesh_times; ///< [mesh_count] How often the scene places each mesh.
  lwi_gltf_data data;
  lwi_gltf_primitive *primitives;
  int primitive_count, primitive_capacity;
} lwi_gltf;

/// Reads the value that comes next.
typedef lw_status (*lwi_gltf_reader)(lwi_gltf *gltf);

typedef struct lwi_gltf_member {
  const char *key;
  lwi_gltf_reader read;
  bool required;
} lwi_gltf_member;

/// Fail because of the text itself.
lw_status lwi_gltf_refuse_json(const lwi_gltf *gltf);
/// Fail because of the value that is read: `byteOffset of accessor 0 is ...`. @param is  What follows "is".
lw_status lwi_gltf_refuse(const lwi_gltf *gltf, const char *is);

lw_status lwi_gltf_skip(lwi_gltf *gltf);
/// Read an object. @param members  [count] What is read of it; all else is skipped.
lw_status lwi_gltf_object(lwi_gltf *gltf, const lwi_gltf_member *members, int count);
/// Read a list of items. @param kind  Their name: "accessor". NULL: they have none, and the list's key stays.
/// @param[out] count  May be NULL.
lw_status lwi_gltf_list(lwi_gltf *gltf, const char *kind, uint32_t *count, lwi_gltf_reader read);
/// Read a whole number. Assimp reads 0 where a number is of another kind.
lw_status lwi_gltf_whole(lwi_gltf *gltf, uint32_t *number);

/// Read an index, and add a link to it from the item that is being read.
lw_status lwi_gltf_read_link(lwi_gltf *gltf, lwi_gltf_links *links);
/// Fail unless index < count. @param what  What has the index: "the mesh of node". @param of  "meshes".
lw_status lwi_gltf_check_index(const lwi_gltf *gltf, const char *what, uint32_t at, uint32_t index,
                               uint32_t count, const char *of);

#endif
