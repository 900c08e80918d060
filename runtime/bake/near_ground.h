/// The polygons of a navmesh near a place, for many questions about it: what ground is there at a point, and
/// along a level line.
#ifndef LW_BAKE_NEAR_GROUND_H
#define LW_BAKE_NEAR_GROUND_H

#include "mesh/box_grid.h"
#include "mesh/mesh.h"

/// All polygons. Created once, then only read.
typedef struct lwi_ground_space {
  const lw_navmesh *mesh; ///< Borrowed.
  lw_box *boxes;          ///< [mesh->polygons.count] [m]
  lwi_box_grid grid;
} lwi_ground_space;

/// A place on the navmesh.
typedef struct lwi_near_ground {
  uint32_t polygon;
  lw_vec3 point; ///< [m]
} lwi_near_ground;

/// @return false: no memory. Free it either way.
bool lwi_ground_space_init(lwi_ground_space *space, const lw_navmesh *mesh, lwi_memory *memory);
void lwi_ground_space_free(lwi_ground_space *space, lwi_memory *memory);

/// A level line, and the heights between which ground counts.
typedef struct lwi_level_line {
  lw_vec3 from;
  float x, z;      ///< Its direction, a unit vector.
  float length;    ///< [m]
  float low, high; ///< [m]
} lwi_level_line;
/// The point at a distance along the line.
static inline lw_vec3 lwi_level_line_at(const lwi_level_line *line, float far) {
  return lwi_vec3(line->from.x + far * line->x, line->from.y, line->from.z + far * line->z);
}

/// List the polygons that may meet a box. @param list  Scratch of the calling thread. @return false: no memory.
bool lwi_ground_space_near(const lwi_ground_space *space, lw_box box, lwi_box_list *list);
/// The highest ground of the listed polygons under or over a point of the line. @return false: there is none.
bool lwi_ground_at(const lwi_ground_space *space, const lwi_box_list *list, const lwi_level_line *line,
                   float far, lwi_near_ground *ground);
/// The part of the line over or under listed polygons, whatever their exact heights. @return false: there is
/// none.
bool lwi_ground_range(const lwi_ground_space *space, const lwi_box_list *list, const lwi_level_line *line,
                      float range[2]);
/// Where the line first enters a listed polygon at a height that counts.
/// @param behind  How far beyond that the ground is taken, if the polygon reaches that far. [m]
/// @return How far along the line it enters; infinity: nowhere.
float lwi_ground_enter(const lwi_ground_space *space, const lwi_box_list *list, const lwi_level_line *line,
                       float behind, lwi_near_ground *ground);

#endif
