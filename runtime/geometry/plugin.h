/// The interface of libleeward_bake.so: Recast and Assimp behind C structs, so that the runtime depends on
/// neither library.
#ifndef LW_GEOMETRY_PLUGIN_H
#define LW_GEOMETRY_PLUGIN_H

#include "core/memory.h"
#include "geometry/import_scene.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LWI_PLUGIN_VERSION 9
#define LWI_AREA_BLOCKED 63
/// How deep the nodes of a level file may be nested: the readers of most formats follow them by recursion.
#define LWI_NODE_DEPTH_MAX 1024
/// How far around a tile its triangles are needed, so that regions at its border are whole. [cells]
#define LWI_TILE_BORDER(walkable_radius) ((walkable_radius) + 3)

/// Walkable ground to be given another area.
typedef struct lwi_tile_mark {
  uint8_t area;            ///< 0: not walkable; 1..62.
  bool is_path, is_closed; ///< A closed path's last point joins its first.
  const float *points;     ///< [3 * point_count] A path, or a convex polygon counter-clockwise seen from above.
  int point_count;
  float half_width;  ///< Of a path. [m]
  float bottom, top; ///< Heights, of a path above it. May be infinite. [m]
  bool is_water;     ///< Any simple polygon; ground below `top` is `area`, below `deep_top` it is `deep_area`.
  uint8_t deep_area; ///< 1..62
  float deep_top;    ///< [m]
} lwi_tile_mark;

/// A solid: nothing in it is walkable, whatever triangles are there.
typedef struct lwi_tile_solid {
  float top[3][3]; ///< A corner of its upper face, from above a parallelogram, and the two next to it.
  float bottom[3]; ///< Heights of its lower face under them. [m]
} lwi_tile_solid;

/// Limits of agents. Ground is cut along them. [m]
typedef struct lwi_tile_limits {
  const float *depths; ///< [depth_count] Of water, rising.
  int depth_count;
  const float *heights; ///< [height_count] Of ceilings.
  int height_count;
  const float *steps; ///< [step_count] Rising. Ground is cut round steps that are higher.
  int step_count;     ///< 0: none are measured.
  float climb;        ///< Steps that are higher are walls, if they are measured.
  int min_island; ///< Ground for low climbs or heights in smaller pieces joins that for fewer agents. [cells]
} lwi_tile_limits;

/// One tile to build. Lengths in metres, relative to an origin near the tile that the caller chose; counts in
/// voxels.
typedef struct lwi_tile_job {
  const float *vertices; ///< [3 * vertex_count]
  int vertex_count;
  const int *triangles; ///< [3 * triangle_count]
  /// [triangle_count] 0: solid, or too steep; 1..62: walkable; LWI_AREA_BLOCKED: level, but never walkable,
  /// also on a floor.
  const uint8_t *areas;
  int triangle_count;
  const lwi_tile_solid *solids; ///< [solid_count]
  int solid_count;
  const lwi_tile_mark *marks; ///< [mark_count] Later ones win.
  int mark_count;
  float min[3], max[3];     ///< The tile without its border; whole cells wide and high.
  float walk_min, walk_max; ///< Ground below or above is left out. [m]
  float cell_size, cell_height;
  int walkable_height, walkable_climb, walkable_radius; ///< [voxels]
  int min_region, merge_region;                         ///< [cells]
  float max_edge_error;                                 ///< [cells]
  int max_edge_length;                                  ///< [cells]
  float detail_distance, detail_error;                  ///< [m]
  lwi_tile_limits limits;                               ///< To cut ground along.
} lwi_tile_job;

/// One tile as built. The caller frees all arrays with lwi_free(memory, block, block_size).
/// Heights are of the tops of voxels: above the ground by up to a cell height, on slopes more.
typedef struct lwi_tile_result {
  int vertex_count, polygon_count, corner_count, detail_vertex_count, detail_triangle_count;
  float *vertices;   ///< [3 * vertex_count] In the frame of the job.
  int *first_corner; ///< [polygon_count + 1]
  int *corners;      ///< [corner_count] Counter-clockwise seen from above.
  /// [corner_count] The side of the tile on which the edge lies that begins at the corner: 1 at min x, 2 at max
  /// z, 3 at max x, 4 at min z; 0: none.
  uint8_t *border;
  uint8_t *areas;             ///< [polygon_count] As in the job.
  uint8_t *headrooms;         ///< [polygon_count] Of headroom, as lwi_mesh_polygons has it.
  uint8_t *steps;             ///< [polygon_count] Of steps, as lwi_mesh_polygons has it.
  int *first_detail_vertex;   ///< [polygon_count + 1] Detail vertices are numbered after the polygon's corners.
  float *detail_vertices;     ///< [3 * detail_vertex_count]
  int *first_detail_triangle; ///< [polygon_count + 1]
  uint8_t *detail_triangles;  ///< [3 * detail_triangle_count] < corner count: a corner, else a detail vertex.
  void *block;                ///< Holds the arrays.
  size_t block_size;          ///< [bytes]
  char message[LWI_PLUGIN_MESSAGE];
} lwi_tile_result;

/// A level file to read. What is not checked before (level_check.h) is checked while it is read.
typedef struct lwi_import_job {
  const char *file;
  const char *const
      *allowed; ///< [allowed_count] Files and folders that it may refer to, beside its own folder.
  int allowed_count;
  /// Of all files that are read, in sum, and again of what they hold. [bytes]
  uint64_t memory_max;
} lwi_import_job;

typedef struct lwi_plugin {
  int version; ///< LWI_PLUGIN_VERSION
  /// All memory comes from `memory`. @param[out] result  On failure only its message is set.
  lwi_plugin_status (*build_tile)(const lwi_tile_job *job, lwi_memory *memory, lwi_tile_result *result);
  /// @param[out] scene  With a message when it fails; to be freed with lwi_import_scene_free() in any case.
  lwi_plugin_status (*read_scene)(const lwi_import_job *job, lwi_memory *memory, lwi_import_scene *scene);
  /// Call `handler`, which does not return, when an allocation of Assimp fails: it does not always survive
  /// that. For a process of its own, since it holds for the whole process.
  void (*on_out_of_memory)(void (*handler)(void));
} lwi_plugin;

/// The one symbol that libleeward_bake.so exports.
const lwi_plugin *lwi_plugin_get(void);
#define LWI_PLUGIN_SYMBOL "lwi_plugin_get"

/// Its parts, inside the library: bake/recast.cpp, geometry/import_assimp.c and geometry/import_memory.cpp.
lwi_plugin_status lwi_build_tile(const lwi_tile_job *job, lwi_memory *memory, lwi_tile_result *result);
void lwi_import_on_out_of_memory(void (*handler)(void));
lwi_plugin_status lwi_read_scene(const lwi_import_job *job, lwi_memory *memory, lwi_import_scene *scene);

#ifdef __cplusplus
}
#endif
#endif
