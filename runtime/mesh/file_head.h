/// The head of a navmesh's file. Only the file's reader and writer, and tests that damage files, know it.
///
///     lwi_file_head | numbers of groups, by slot | zeros | checksum of each section | checksum of all that
///
/// It is followed by the names of the areas, by the sections, and by the names of links if there are any.
#ifndef LW_MESH_FILE_HEAD_H
#define LW_MESH_FILE_HEAD_H

#include "core/hash.h"
#include "mesh/sections.h"

#define LWI_FILE_MAGIC "LWNMESH"
#define LWI_FILE_VERSION 19
/// Up to this version distances from landmarks are those of the middles of polygons; they are measured again
/// when files are loaded.
#define LWI_FILE_VERSION_MIDDLES 18
/// Up to this version portals have no steps.
#define LWI_FILE_VERSION_FLUSH 17
/// Up to this version files do not say what headroom and steps there are, nor by which criteria cover maps
/// are chosen: the former are unknown when they are loaded, the latter the defaults.
#define LWI_FILE_VERSION_OPEN 16
/// Up to this version a byte a polygon says which part of it is deep. Depths are measured when they are loaded.
#define LWI_FILE_VERSION_PARTS 15
/// Files of this version have no reduction (reduction.h), either; it is computed when they are loaded.
#define LWI_FILE_VERSION_BARE 14
#define LWI_FILE_ENDIAN_MARK 0x01020304u
#define LWI_FILE_NAME_SIZE 64

/// lwi_grid without its arrays.
typedef struct lwi_file_grid {
  float min_x, min_z, cell, min_y, size_y;
  uint32_t width, height, reference_count;
} lwi_file_grid;

/// Counts of the navmesh's own arrays.
typedef struct lwi_file_counts {
  uint32_t tiles, polygons, corners, vertices;
  uint32_t detail_vertices, detail_triangles, detail_neighbours;
  uint32_t portals, intervals, islands;
  uint32_t links, joined, refused;
  uint32_t requests, waters, water_points;
} lwi_file_counts;

/// What every navmesh has.
typedef struct lwi_file_head {
  char magic[8];
  uint32_t version, endian_mark;
  uint64_t size; ///< Of the file. [bytes]
  uint64_t name_hash;
  lwi_part part;
  double area;
  lw_box bounds;
  lw_navmesh_agent agent;
  float tile_size;
  uint32_t area_count;
  lwi_file_counts counts;
  lwi_file_grid grid;
  uint32_t notes_size; ///< Of what stands behind the sections (link_notes.h). [bytes]
} lwi_file_head;

_Static_assert(sizeof(lwi_file_head) == 216, "the file's head has no gaps");

/// Where the parts of the head begin. The same for all navmeshes of a version. [bytes]
typedef struct lwi_file_layout {
  size_t attachments, hashes;
  size_t own_hash; ///< Of all before it.
  size_t size;     ///< A multiple of LWI_SECTION_ALIGNMENT.
} lwi_file_layout;
/// @param version  LWI_FILE_VERSION, or that of an older file.
lwi_file_layout lwi_file_layout_get(uint32_t version);

/// Take the counts, and all else that is no array.
/// @param data  [lwi_file_layout.size] Of any version that can be read.
void lwi_file_take_head(lw_navmesh *mesh, const unsigned char *data);

#endif
