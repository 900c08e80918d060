#include "geometry/gltf_check.h"

#include "core/bytes.h"
#include "core/status.h"
#include "geometry/json.h"

#include <string.h>

#define NO_NODE UINT32_MAX

/* One entry of a node's list of children. */
typedef struct edge {
  uint32_t parent, child;
} edge;

typedef struct checker {
  const char *file;
  lw_error *error;
  lwi_memory *memory;
  lwi_json json;
  edge *edges;
  int edge_count, edge_capacity;
  uint32_t node_count;
  uint32_t mesh, primitive, accessor, view; /* That are read. */
  bool has_version, has_nodes;
} checker;

static lw_status refuse_json(const checker *check) {
  return lwi_fail(check->error, LW_BAD_FILE, "cannot read '%s': line %d of its JSON: expected %s", check->file,
                  lwi_json_line(&check->json), check->json.wrong ? check->json.wrong : "an object");
}

/* --- objects and lists ------------------------------------------------------------------------------------ */

/* Reads the value that comes next. */
typedef lw_status (*reader)(checker *check);

typedef struct member {
  const char *key;
  reader read;
} member;

static lw_status skip(checker *check) {
  return lwi_json_skip(&check->json) ? LW_OK : refuse_json(check);
}

/* A key that is written with escape sequences may be one that counts. */
static bool is_plain(checker *check, lwi_json_text key) {
  if (!memchr(key.data, '\\', key.size)) return true;
  check->json.wrong = "keys without escape sequences";
  return false;
}

/* Of an object that has been entered. @param members  [count] What is read; all else is skipped. */
static lw_status read_entered_members(checker *check, const member *members, int count) {
  lwi_json *json = &check->json;
  lwi_json_text key;
  for (bool first = true; lwi_json_next_member(json, &first, &key);) {
    reader read = skip;
    if (!is_plain(check, key)) return refuse_json(check);
    for (int i = 0; i < count; ++i)
      if (lwi_json_is(key, members[i].key)) read = members[i].read;
    lw_status status = read(check);
    if (status) return status;
  }
  return json->wrong ? refuse_json(check) : LW_OK;
}

/* A value of another kind is skipped. */
static lw_status read_members(checker *check, const member *members, int count) {
  return lwi_json_enter(&check->json, '{') ? read_entered_members(check, members, count) : skip(check);
}

/* Of a list that has been entered. @param[in,out] count  Of the items read so far. */
static lw_status read_entered_items(checker *check, uint32_t *count, reader read) {
  lwi_json *json = &check->json;
  for (bool first = true; lwi_json_next_item(json, &first); ++*count) {
    lw_status status = read(check);
    if (status) return status;
  }
  return json->wrong ? refuse_json(check) : LW_OK;
}

/* A value of another kind is skipped. */
static lw_status read_items(checker *check, uint32_t *count, reader read) {
  *count = 0;
  return lwi_json_enter(&check->json, '[') ? read_entered_items(check, count, read) : skip(check);
}

/* --- the nodes' children ---------------------------------------------------------------------------------- */

/* Assimp skips children that are no index. */
static lw_status read_child(checker *check) {
  uint32_t child;
  if (!lwi_json_index(&check->json, &child)) return check->json.wrong ? refuse_json(check) : LW_OK;
  if (!lwi_reserve(check->memory, &check->edges, &check->edge_capacity, check->edge_count + 1, sizeof(edge)))
    return lwi_fail_status(check->error, LW_OUT_OF_MEMORY);
  check->edges[check->edge_count++] = (edge){.parent = check->node_count, .child = child};
  return LW_OK;
}

static lw_status read_children(checker *check) {
  uint32_t count;
  return read_items(check, &count, read_child);
}

static lw_status read_node(checker *check) {
  static const member members[] = {{"children", read_children}};
  return read_members(check, members, 1);
}

static lw_status read_nodes(checker *check) {
  if (check->has_nodes)
    return lwi_fail(check->error, LW_BAD_FILE, "cannot read '%s': 'nodes' is given twice", check->file);
  check->has_nodes = true;
  if (!lwi_json_enter(&check->json, '['))
    return lwi_fail(check->error, LW_BAD_FILE, "cannot read '%s': 'nodes' is not a list", check->file);
  return read_entered_items(check, &check->node_count, read_node);
}

/* --- the tree --------------------------------------------------------------------------------------------- */

static lw_status find_parents(const checker *check, uint32_t *parents) {
  for (uint32_t i = 0; i < check->node_count; ++i) parents[i] = NO_NODE;
  for (int i = 0; i < check->edge_count; ++i) {
    const edge *e = &check->edges[i];
    if (e->child >= check->node_count)
      return lwi_fail(check->error, LW_BAD_FILE,
                      "cannot read '%s': a child of node %u is %u, expected 0 to %u, the nodes of the file",
                      check->file, e->parent, e->child, check->node_count - 1);
    if (parents[e->child] != NO_NODE)
      return lwi_fail(
          check->error, LW_BAD_FILE,
          "cannot read '%s': node %u is a child of node %u and again of node %u, expected nodes with "
          "one parent",
          check->file, e->child, parents[e->child], e->parent);
    parents[e->child] = e->parent;
  }
  return LW_OK;
}

/* Climbs from every node to the next one whose depth is known, then goes there once more and writes depths. */
static lw_status check_depths(const checker *check, const uint32_t *parents, uint32_t *depths) {
  memset(depths, 0, check->node_count * sizeof *depths); /* 0: not known; a root has 1 */
  for (uint32_t start = 0; start < check->node_count; ++start) {
    uint32_t steps = 0, node = start;
    for (; node != NO_NODE && depths[node] == 0; node = parents[node])
      if (++steps > LWI_GLTF_DEPTH_MAX) break;
    const uint32_t depth = steps + (node == NO_NODE ? 0 : depths[node]);
    if (depth > LWI_GLTF_DEPTH_MAX)
      return lwi_fail(check->error, LW_BAD_FILE,
                      "cannot read '%s': its nodes are nested more than %d deep, or in a circle, at node %u",
                      check->file, LWI_GLTF_DEPTH_MAX, start);
    node = start;
    for (uint32_t i = 0; i < steps; ++i, node = parents[node]) depths[node] = depth - i;
  }
  return LW_OK;
}

static lw_status check_tree(const checker *check) {
  const size_t size = check->node_count * sizeof(uint32_t);
  if (check->edge_count == 0) return LW_OK;
  uint32_t *parents = lwi_alloc(check->memory, size), *depths = lwi_alloc(check->memory, size);
  lw_status status =
      parents && depths ? find_parents(check, parents) : lwi_fail_status(check->error, LW_OUT_OF_MEMORY);
  if (!status) status = check_depths(check, parents, depths);
  lwi_free(check->memory, parents, size);
  lwi_free(check->memory, depths, size);
  return status;
}

/* --- the meshes and what they need ------------------------------------------------------------------------ */

/* Modes 0 to 3 are points and lines, which are left out; 4 to 6 are triangles. */
static lw_status read_mode(checker *check) {
  uint32_t mode;
  if (lwi_json_index(&check->json, &mode) && mode <= 6) return LW_OK;
  if (check->json.wrong) return refuse_json(check);
  return lwi_fail(check->error, LW_BAD_FILE,
                  "cannot read '%s': the mode of primitive %u of mesh %u is not 0 to 6", check->file,
                  check->primitive, check->mesh);
}

static lw_status read_primitive(checker *check) {
  static const member members[] = {{"mode", read_mode}};
  return read_members(check, members, 1);
}

static lw_status read_primitives(checker *check) {
  return read_items(check, &check->primitive, read_primitive);
}

static lw_status read_mesh(checker *check) {
  static const member members[] = {{"primitives", read_primitives}};
  return read_members(check, members, 1);
}

static lw_status read_meshes(checker *check) {
  return read_items(check, &check->mesh, read_mesh);
}

/* --- the accessors and views ------------------------------------------------------------------------------- */

/* Assimp reads the indices and values of sparse accessors and does not check how long their views are. */
static lw_status refuse_sparse(checker *check) {
  return lwi_fail(check->error, LW_BAD_FILE,
                  "cannot read '%s': line %d of its JSON: accessor %u: 'sparse' is not read, expected data "
                  "without it",
                  check->file, lwi_json_line(&check->json), check->accessor);
}

/* Assimp reads 0 where a number is of another kind. */
static lw_status read_whole(checker *check, const char *owner, uint32_t index) {
  uint32_t number;
  const int line = lwi_json_line(&check->json);
  if (lwi_json_index(&check->json, &number)) return LW_OK;
  if (check->json.wrong) return refuse_json(check);
  return lwi_fail(check->error, LW_BAD_FILE,
                  "cannot read '%s': line %d of its JSON: a number of %s %u, expected a whole one, 0 or more",
                  check->file, line, owner, index);
}

static lw_status read_accessor_number(checker *check) {
  return read_whole(check, "accessor", check->accessor);
}

static lw_status read_accessor(checker *check) {
  static const member members[] = {{"bufferView", read_accessor_number},
                                   {"byteOffset", read_accessor_number},
                                   {"count", read_accessor_number},
                                   {"componentType", read_accessor_number},
                                   {"sparse", refuse_sparse}};
  return read_members(check, members, 5);
}

static lw_status read_accessors(checker *check) {
  return read_items(check, &check->accessor, read_accessor);
}

static lw_status read_view_number(checker *check) {
  return read_whole(check, "buffer view", check->view);
}

static lw_status read_view(checker *check) {
  static const member members[] = {{"buffer", read_view_number},
                                   {"byteOffset", read_view_number},
                                   {"byteLength", read_view_number},
                                   {"byteStride", read_view_number}};
  return read_members(check, members, 4);
}

static lw_status read_views(checker *check) {
  return read_items(check, &check->view, read_view);
}

/* --- the extensions --------------------------------------------------------------------------------------- */

/* Families of extensions that do not change where triangles are, whether Assimp reads them or not. Others do, or may:
   Assimp 5.2 reads a file as if it did not require them. */
static bool is_of_look(lwi_json_text extension) {
  static const char *const families[] = {"KHR_materials_", "EXT_materials_", "ADOBE_materials_", "KHR_texture_",
                                         "EXT_texture_",   "MSFT_texture_",  "KHR_lights_",      "EXT_lights_",
                                         "KHR_animation_", "KHR_xmp"};
  for (size_t i = 0; i < sizeof families / sizeof *families; ++i) {
    const size_t length = strlen(families[i]);
    if (extension.size >= length && memcmp(extension.data, families[i], length) == 0) return true;
  }
  return false;
}

static lw_status read_extension(checker *check) {
  lwi_json_text name;
  if (!lwi_json_string(&check->json, &name)) return skip(check);
  if (is_of_look(name)) return LW_OK;
  return lwi_fail(
      check->error, LW_BAD_FILE,
      "cannot read '%s': it requires the extension '%.*s', expected none but of materials, textures, "
      "lights, animations and metadata; export it without",
      check->file, name.size > 60 ? 60 : (int)name.size, name.data);
}

static lw_status read_extensions(checker *check) {
  uint32_t count;
  return read_items(check, &count, read_extension);
}

/* --- the text --------------------------------------------------------------------------------------------- */

static lw_status read_version(checker *check) {
  lwi_json_text version;
  if (!lwi_json_string(&check->json, &version)) return skip(check);
  check->has_version = version.size > 0;
  if (version.size == 0 || version.data[0] == '2') return LW_OK;
  return lwi_fail(check->error, LW_BAD_FILE, "cannot read '%s': its glTF version is '%.*s', expected 2.0",
                  check->file, version.size > 20 ? 20 : (int)version.size, version.data);
}

static lw_status read_asset(checker *check) {
  static const member members[] = {{"version", read_version}};
  return read_members(check, members, 1);
}

static lw_status read_text(checker *check) {
  static const member members[] = {{"asset", read_asset},       {"nodes", read_nodes},
                                   {"meshes", read_meshes},     {"accessors", read_accessors},
                                   {"bufferViews", read_views}, {"extensionsRequired", read_extensions}};
  if (!lwi_json_enter(&check->json, '{')) return refuse_json(check);
  lw_status status = read_entered_members(check, members, 6);
  if (status) return status;
  if (!lwi_json_end(&check->json)) return refuse_json(check);
  if (check->has_version) return check_tree(check);
  return lwi_fail(check->error, LW_BAD_FILE, "cannot read '%s': it states no glTF version ('asset.version')",
                  check->file);
}

static lw_status check_text(const char *file, const unsigned char *data, size_t size, lwi_memory *memory,
                            lw_error *error) {
  checker check = {
      .file = file, .error = error, .memory = memory, .json = lwi_json_make((const char *)data, size)};
  lw_status status = read_text(&check);
  lwi_free(memory, check.edges, (size_t)check.edge_capacity * sizeof(edge));
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
  if (size < HEAD || memcmp(data, "glTF", 4) != 0)
    return lwi_fail(error, LW_BAD_FILE, "cannot read '%s': it is not a binary glTF file", file);
  const uint32_t version = number_at(data, 4), length = number_at(data, 8);
  if (version != 2)
    return lwi_fail(error, LW_BAD_FILE, "cannot read '%s': its glTF version is %u, expected 2", file, version);
  if (length > size || length < HEAD + CHUNK_HEAD)
    return lwi_fail(error, LW_BAD_FILE, "cannot read '%s': its header states %u bytes, expected %d to %zu",
                    file, length, HEAD + CHUNK_HEAD, size);
  return check_chunks(file, data, length, error);
}

lw_status lwi_gltf_check(const char *file, const unsigned char *data, size_t size, bool binary,
                         lwi_memory *memory, lw_error *error) {
  if (!binary) return check_text(file, data, size, memory, error);
  lw_status status = check_container(file, data, size, error);
  if (status) return status;
  return check_text(file, data + HEAD + CHUNK_HEAD, number_at(data, HEAD), memory, error);
}
