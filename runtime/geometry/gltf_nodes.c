#include "geometry/gltf_nodes.h"

#include "core/status.h"
#include "geometry/gltf_check.h"
#include "geometry/lines.h"

#include <string.h>

/* --- reading ---------------------------------------------------------------------------------------------- */

/* Assimp skips children that are no index, and nodes of a scene. */
static lw_status read_child(lwi_gltf *gltf) {
  return lwi_gltf_read_link(gltf, &gltf->children);
}

static lw_status read_children(lwi_gltf *gltf) {
  return lwi_gltf_list(gltf, NULL, NULL, read_child);
}

static lw_status read_node_mesh(lwi_gltf *gltf) {
  return lwi_gltf_read_link(gltf, &gltf->node_meshes);
}

/* Assimp ignores a list of another length, and leaves open what a value is that is no number. */
static bool read_numbers(lwi_json *json, int wanted) {
  lwi_json_text word;
  int count = 0;
  if (!lwi_json_enter(json, '[')) return false;
  for (bool first = true; lwi_json_next_item(json, &first); ++count)
    if (!lwi_json_word(json, &word) || !lwi_word_is_finite((lwi_word){word.data, word.size})) return false;
  return !json->wrong && count == wanted;
}

static lw_status read_matrix(lwi_gltf *gltf) {
  return read_numbers(&gltf->json, 16) ? LW_OK : lwi_gltf_refuse(gltf, "no list of 16 finite numbers");
}

static lw_status read_rotation(lwi_gltf *gltf) {
  return read_numbers(&gltf->json, 4) ? LW_OK : lwi_gltf_refuse(gltf, "no list of 4 finite numbers");
}

/* A translation or a scale. */
static lw_status read_vector(lwi_gltf *gltf) {
  return read_numbers(&gltf->json, 3) ? LW_OK : lwi_gltf_refuse(gltf, "no list of 3 finite numbers");
}

static lw_status read_node(lwi_gltf *gltf) {
  static const lwi_gltf_member members[] = {
      {"children", read_children, false},  {"mesh", read_node_mesh, false},    {"matrix", read_matrix, false},
      {"translation", read_vector, false}, {"rotation", read_rotation, false}, {"scale", read_vector, false},
      {"skin", lwi_gltf_skip, false}};
  return lwi_gltf_object(gltf, members, 7);
}

lw_status lwi_gltf_read_nodes(lwi_gltf *gltf) {
  return lwi_gltf_list(gltf, "node", &gltf->node_count, read_node);
}

static lw_status read_scene_node(lwi_gltf *gltf) {
  return lwi_gltf_read_link(gltf, &gltf->scene_nodes);
}

static lw_status read_scene_nodes(lwi_gltf *gltf) {
  return lwi_gltf_list(gltf, NULL, NULL, read_scene_node);
}

static lw_status read_scene_item(lwi_gltf *gltf) {
  static const lwi_gltf_member members[] = {{"nodes", read_scene_nodes, false}};
  return lwi_gltf_object(gltf, members, 1);
}

lw_status lwi_gltf_read_scenes(lwi_gltf *gltf) {
  return lwi_gltf_list(gltf, "scene", &gltf->scene_count, read_scene_item);
}

lw_status lwi_gltf_read_scene(lwi_gltf *gltf) {
  return lwi_gltf_whole(gltf, &gltf->scene);
}

/* --- the tree --------------------------------------------------------------------------------------------- */

static lw_status find_parents(const lwi_gltf *gltf, uint32_t *parents) {
  for (uint32_t i = 0; i < gltf->node_count; ++i) parents[i] = LWI_GLTF_NONE;
  for (int i = 0; i < gltf->children.count; ++i) {
    const lwi_gltf_link *e = &gltf->children.items[i];
    if (e->to >= gltf->node_count)
      return lwi_fail(gltf->error, LW_BAD_FILE,
                      "cannot read '%s': a child of node %u is %u, expected 0 to %u, the nodes of the file",
                      gltf->file, e->from, e->to, gltf->node_count - 1);
    if (parents[e->to] != LWI_GLTF_NONE)
      return lwi_fail(
          gltf->error, LW_BAD_FILE,
          "cannot read '%s': node %u is a child of node %u and again of node %u, expected nodes with "
          "one parent",
          gltf->file, e->to, parents[e->to], e->from);
    parents[e->to] = e->from;
  }
  return LW_OK;
}

/* Climbs from every node to the next one whose depth is known, then goes there once more and writes depths.
   @param[in,out] times  How often the scene names each node; how often it is placed, which is as often as its parent
   and as it is named. */
static lw_status check_depths(const lwi_gltf *gltf, const uint32_t *parents, uint32_t *depths,
                              uint32_t *times) {
  memset(depths, 0, gltf->node_count * sizeof *depths); /* 0: not known; a root has 1 */
  for (uint32_t start = 0; start < gltf->node_count; ++start) {
    uint32_t steps = 0, node = start, placed = 0;
    for (; node != LWI_GLTF_NONE && depths[node] == 0; node = parents[node]) {
      if (++steps > LWI_GLTF_DEPTH_MAX) break;
      placed += times[node];
    }
    const uint32_t depth = steps + (node == LWI_GLTF_NONE ? 0 : depths[node]);
    if (depth > LWI_GLTF_DEPTH_MAX)
      return lwi_fail(gltf->error, LW_BAD_FILE,
                      "cannot read '%s': its nodes are nested more than %d deep, or in a circle, at node %u",
                      gltf->file, LWI_GLTF_DEPTH_MAX, start);
    placed += node == LWI_GLTF_NONE ? 0 : times[node];
    node = start;
    for (uint32_t i = 0; i < steps; ++i, node = parents[node]) {
      const uint32_t named = times[node];
      depths[node] = depth - i;
      times[node] = placed;
      placed -= named;
    }
  }
  return LW_OK;
}

/* @param[in,out] times  [node_count] Zeros; how often the scene places each node. */
static lw_status check_tree(const lwi_gltf *gltf, uint32_t *times) {
  const size_t size = gltf->node_count * sizeof(uint32_t);
  uint32_t *parents = lwi_alloc(gltf->memory, size), *depths = lwi_alloc(gltf->memory, size);
  for (int i = 0; i < gltf->scene_nodes.count; ++i)
    if (gltf->scene_nodes.items[i].from == gltf->scene) times[gltf->scene_nodes.items[i].to] += 1;
  lw_status status =
      parents && depths ? find_parents(gltf, parents) : lwi_fail_status(gltf->error, LW_OUT_OF_MEMORY);
  if (!status) status = check_depths(gltf, parents, depths, times);
  lwi_free(gltf->memory, parents, size);
  lwi_free(gltf->memory, depths, size);
  return status;
}

/* --- references ------------------------------------------------------------------------------------------- */

static lw_status check_links(const lwi_gltf *gltf, const lwi_gltf_links *links, const char *what,
                             uint32_t count, const char *of) {
  lw_status status = LW_OK;
  for (int i = 0; i < links->count && !status; ++i)
    status = lwi_gltf_check_index(gltf, what, links->items[i].from, links->items[i].to, count, of);
  return status;
}

/* Assimp takes the first scene where none is named. */
static lw_status check_scene(const lwi_gltf *gltf) {
  if (gltf->scene_count == 0)
    return lwi_fail(gltf->error, LW_BAD_FILE, "cannot read '%s': it has no scene, expected one in 'scenes'",
                    gltf->file);
  if (gltf->scene < gltf->scene_count) return LW_OK;
  return lwi_fail(gltf->error, LW_BAD_FILE,
                  "cannot read '%s': 'scene' is %u, expected less than %u, the number of scenes", gltf->file,
                  gltf->scene, gltf->scene_count);
}

static lw_status check_references(const lwi_gltf *gltf) {
  lw_status status = check_links(gltf, &gltf->node_meshes, "mesh of node", gltf->mesh_count, "meshes");
  if (!status) status = check_links(gltf, &gltf->scene_nodes, "a node of scene", gltf->node_count, "nodes");
  return status ? status : check_scene(gltf);
}

lw_status lwi_gltf_check_nodes(lwi_gltf *gltf) {
  lw_status status = check_references(gltf);
  if (status || gltf->node_count == 0) return status;
  const size_t size = gltf->node_count * sizeof(uint32_t);
  uint32_t *times = lwi_alloc_zero(gltf->memory, size);
  gltf->mesh_times = lwi_alloc_zero(gltf->memory, gltf->mesh_count * sizeof *gltf->mesh_times);
  const bool has_memory = times && (gltf->mesh_times || gltf->mesh_count == 0);
  status = has_memory ? check_tree(gltf, times) : lwi_fail_status(gltf->error, LW_OUT_OF_MEMORY);
  for (int i = 0; i < gltf->node_meshes.count && !status; ++i)
    gltf->mesh_times[gltf->node_meshes.items[i].to] += times[gltf->node_meshes.items[i].from];
  lwi_free(gltf->memory, times, size);
  return status;
}
