/// What libleeward_bake.so offers: Recast and Assimp behind C structs. It depends on nothing else of leeward,
/// so that the runtime depends on neither library.
#ifndef LW_GEOMETRY_PLUGIN_H
#define LW_GEOMETRY_PLUGIN_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LWI_PLUGIN_VERSION 3
#define LWI_PLUGIN_MESSAGE 256
#define LWI_AREA_BLOCKED 63
/// How far around a tile its triangles are needed: regions at the border come out whole. [cells]
#define LWI_TILE_BORDER(walkable_radius) ((walkable_radius) + 3)

typedef enum lwi_plugin_status {
  LWI_PLUGIN_OK,
  LWI_PLUGIN_OUT_OF_MEMORY,
  LWI_PLUGIN_FAILED, ///< `message` says what.
  LWI_PLUGIN_NO_FILE
} lwi_plugin_status;

/// Walkable ground to be given another area.
typedef struct lwi_tile_mark {
  uint8_t area;            ///< 0: nobody walks there; 1..62.
  bool is_path, is_closed; ///< A closed path's last point joins its first.
  const float *points;     ///< [3 * point_count] A path, or a convex polygon counter-clockwise seen from above.
  int point_count;
  float half_width;  ///< Of a path. [m]
  float bottom, top; ///< Heights, of a path above it. May be infinite. [m]
  bool is_water;     ///< Any simple polygon; ground below `top` is `area`, below `deep_top` it is `deep_area`.
  uint8_t deep_area; ///< 1..62
  float deep_top;    ///< [m]
} lwi_tile_mark;

/// One tile to build. Lengths in metres, relative to an origin of the caller's near the tile; counts in
/// voxels.
typedef struct lwi_tile_job {
  const float *vertices; ///< [3 * vertex_count]
  int vertex_count;
  const int *triangles; ///< [3 * triangle_count]
  const uint8_t
      *areas; ///< [triangle_count] 0: solid, not walkable; 1..62; LWI_AREA_BLOCKED: level enough to walk
              ///< on, but never to be, also where it lies on a floor. Slopes are judged already.
  int triangle_count;
  const lwi_tile_mark *marks; ///< [mark_count] Later ones win.
  int mark_count;
  float min[3], max[3];     ///< The tile without its border; whole cells wide and high.
  float walk_min, walk_max; ///< Floors below or above are left out. [m]
  float cell_size, cell_height;
  int walkable_height, walkable_climb, walkable_radius; ///< [voxels]
  int min_region, merge_region;                         ///< [cells]
  float max_edge_error;                                 ///< [cells]
  int max_edge_length;                                  ///< [cells]
  float detail_distance, detail_error;                  ///< [m]
} lwi_tile_job;

/// One tile as built, in plain arrays: lwi_plugin.free_tile() frees them.
/// Heights are Recast's own, of the top of the voxel: up to a cell height, and on slopes more, above the ground.
typedef struct lwi_tile_result {
  int vertex_count, polygon_count, corner_count, detail_vertex_count, detail_triangle_count;
  float *vertices;   ///< [3 * vertex_count] In the frame of the job.
  int *first_corner; ///< [polygon_count + 1]
  int *corners;      ///< [corner_count] Counter-clockwise seen from above.
  uint8_t *border;   ///< [corner_count] The edge that begins at this corner lies on the tile's border: 1 at
                     ///< min x, 2 at max z, 3 at max x, 4 at min z; 0 otherwise.
  uint8_t *areas;    ///< [polygon_count] As in the job.
  int *first_detail_vertex;   ///< [polygon_count + 1] Extra vertices, behind the polygon's own corners.
  float *detail_vertices;     ///< [3 * detail_vertex_count]
  int *first_detail_triangle; ///< [polygon_count + 1]
  uint8_t
      *detail_triangles; ///< [3 * detail_triangle_count] < corner count: a corner of the polygon, else extra.
  char message[LWI_PLUGIN_MESSAGE];
} lwi_tile_result;

/// A file as read, every node's transform applied: lwi_plugin.free_scene() frees it.
typedef struct lwi_scene {
  int vertex_count, triangle_count, material_count;
  float *vertices;       ///< [3 * vertex_count]
  int *triangles;        ///< [3 * triangle_count]
  int *materials;        ///< [triangle_count] Index of the triangle's material.
  char **material_names; ///< [material_count]
  char message[LWI_PLUGIN_MESSAGE];
} lwi_scene;

typedef struct lwi_plugin {
  int version; ///< LWI_PLUGIN_VERSION
  lwi_plugin_status (*build_tile)(const lwi_tile_job *job, lwi_tile_result *result);
  void (*free_tile)(lwi_tile_result *result);
  lwi_plugin_status (*read_scene)(const char *file, lwi_scene *scene);
  void (*free_scene)(lwi_scene *scene);
} lwi_plugin;

/// The one symbol that libleeward_bake.so exports.
const lwi_plugin *lwi_plugin_get(void);
#define LWI_PLUGIN_SYMBOL "lwi_plugin_get"

/// What it is put together from, inside the library: bake/recast.cpp and geometry/import_assimp.c.
lwi_plugin_status lwi_build_tile(const lwi_tile_job *job, lwi_tile_result *result);
void lwi_free_tile(lwi_tile_result *result);
lwi_plugin_status lwi_read_scene(const char *file, lwi_scene *scene);
void lwi_free_scene(lwi_scene *scene);

#ifdef __cplusplus
}
#endif
#endif
