/// Lines of sight for bakes: the occluders unpacked, which takes several times the memory and is several times
/// as fast. What a line meets depends, to the bit, on each facet alone and not on how the BVH groups facets:
/// results stay the same where nothing changed.
#ifndef LW_BAKE_SIGHT_LINES_H
#define LW_BAKE_SIGHT_LINES_H

#include "bake/occluder_patch.h"
#include "core/simd.h"
#include "core/memory.h"
#include "sight/occluder.h"

/// Four children and their boxes, relative to the occluders' origin. [m]
typedef struct lwi_lines_node {
  lwi_float4 sides[3][2]; ///< The lower and the upper sides along each axis.
  uint32_t children[4];   ///< As in lwi_occluder_node.
} lwi_lines_node;

/// Up to four facets, one in each element.
typedef struct lwi_lines_leaf {
  lwi_float4 corner[3]; ///< The first corner, relative to the occluders' origin. [m]
  lwi_float4 normal[3];
  lwi_float4 u[3], v[3]; ///< Two perpendicular unit vectors in the plane.
  uint32_t first_edge, edge_count;
  unsigned hard; ///< Bit i: facet i is hard cover.
} lwi_lines_leaf;

/// A point is inside the edge where u * a + v * b + c >= 0. Facets without such an edge have c = 1.
typedef struct lwi_lines_edge {
  lwi_float4 a, b, c;
} lwi_lines_edge;

typedef struct lwi_sight_lines {
  lwi_memory *memory;
  lw_vec3 origin;
  uint32_t node_count, leaf_count, edge_count;
  lwi_lines_node *nodes;
  lwi_lines_leaf *leaves; ///< Numbered as the occluders' BVH leaves.
  lwi_lines_edge *edges;
  void *blocks[3]; ///< The allocations that hold the arrays.
} lwi_sight_lines;

/// @param[out] lines  Free it with lwi_lines_free(), also on failure. @return false: out of memory.
bool lwi_lines_make(lwi_sight_lines *lines, const lwi_occluders *occluders, lwi_memory *memory);
/// Only the leaves in boxes that a filter takes: what a line meets there is the same.
bool lwi_lines_make_some(lwi_sight_lines *lines, const lwi_occluders *occluders, lwi_occluder_filter *filter,
                         const void *user, lwi_memory *memory);
void lwi_lines_free(lwi_sight_lines *lines);
/// How far facets are grown on all sides, so that no line passes between two neighbours. Occluders of equal
/// slack, origin and quantum are unpacked to equal facets. [m]
float lwi_lines_slack(const lwi_occluders *occluders);

/// How far the view from `eye` towards `target` reaches. @param soft  Soft cover hides, too. @return As a part
/// of the distance between the two; 1: nothing hides the target.
float lwi_lines_ray(const lwi_sight_lines *lines, lw_vec3 eye, lw_vec3 target, bool soft);
/// Does nothing hide the target? Faster than lwi_lines_ray(): any occluder ends the search.
bool lwi_lines_see(const lwi_sight_lines *lines, lw_vec3 eye, lw_vec3 target, bool soft);
/// Does one of these BVH leaves hide the target?
bool lwi_lines_hide(const lwi_sight_lines *lines, const uint32_t *leaves, int count, lw_vec3 eye,
                    lw_vec3 target, bool soft);
/// All BVH leaves of which each alone hides the target. @return How many, at most `capacity`.
int lwi_lines_pierce(const lwi_sight_lines *lines, lw_vec3 eye, lw_vec3 target, bool soft, uint32_t *leaves,
                     int capacity);

#endif
