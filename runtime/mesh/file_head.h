/// The head of a navmesh's file. Only the file's reader and writer, and who damages files on purpose, know it.
#ifndef LW_MESH_FILE_HEAD_H
#define LW_MESH_FILE_HEAD_H

#include "core/hash.h"
#include "mesh/sections.h"

#define LWI_FILE_MAGIC "LWNMESH"
#define LWI_FILE_VERSION 13
#define LWI_FILE_ENDIAN_MARK 0x01020304u
#define LWI_FILE_NAME_SIZE 64

typedef struct lwi_file_head {
  char magic[8];
  uint32_t version, endian_mark;
  uint64_t size; /* of the file */
  lwi_part part;
  double area;
  lw_box bounds;
  lw_navmesh_agent agent;
  float tile_size;
  uint32_t area_count, tile_count, polygon_count, corner_count, vertex_count;
  uint32_t detail_vertex_count, detail_triangle_count, detail_box_count, portal_count, stretch_count,
      island_count, link_count;
  uint32_t request_count, joined_count, refused_count, water_count, water_point_count;
  uint32_t facet_count, occluder_node_count, occluder_leaf_count, occluder_block_count, occluder_number_count,
      occluder_vertex_count;
  uint32_t segment_count, veto_count, veto_point_count, added_count, has_map, map_size;
  float map_loss;
  uint32_t has_pairs, pair_group_count, pair_word_count;
  float pair_range, pair_hidden, pair_visible;
  lw_vec3 occluder_origin;
  float quantum;
  float min_x, min_z, cell, min_y, size_y; /* of the grid */
  uint32_t width, height, reference_count;
  uint32_t reserved[2]; /* 0 */
  uint64_t name_hash;
  uint64_t hashes[(LWI_SECTION_COUNT + 1) / 2 * 2]; /* one more where the head would not be aligned */
  uint64_t head_hash;                               /* of all above */
} lwi_file_head;

_Static_assert(sizeof(lwi_file_head) % LWI_SECTION_ALIGNMENT == 0, "sections behind the head are aligned");
_Static_assert(offsetof(lwi_file_head, name_hash) == 304, "the file's head has no gaps");

uint64_t lwi_file_hash_head(const lwi_file_head *head);
/// Take the counts, and all else that is no array.
void lwi_file_take_head(lw_navmesh *mesh, const lwi_file_head *head);

#endif
