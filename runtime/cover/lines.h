/// Lines of sight for bakes: the occluders unpacked, several times as large and several times as fast. What a line meets
/// depends on each facet alone, to the bit, not on how the tree groups them: so that what is found where nothing has
/// changed stays the same when the level changes elsewhere.
#ifndef LW_COVER_LINES_H
#define LW_COVER_LINES_H

#include "core/lanes.h"
#include "core/memory.h"
#include "mesh/occluders.h"

/// Four children and their boxes, from the occluders' origin.
typedef struct lwi_lines_node {
  lwi_float4 sides[3][2]; ///< The lower and the upper along each axis.
  uint32_t children[4];   ///< As the occluders' own.
} lwi_lines_node;

/// Up to four facets, one in each lane.
typedef struct lwi_lines_leaf {
  lwi_float4 corner[3]; ///< The first, from the occluders' origin.
  lwi_float4 normal[3];
  lwi_float4 u[3], v[3]; ///< Two directions in the plane.
  uint32_t first_edge, edge_count;
  unsigned hard; ///< Bit i: the facet in lane i is no mere concealment.
} lwi_lines_leaf;

/// Inside of an edge is where u * a + v * b + c >= 0; lanes that have no such edge lie inside.
typedef struct lwi_lines_edge {
  lwi_float4 a, b, c;
} lwi_lines_edge;

typedef struct lwi_lines {
  lwi_memory *memory;
  lw_vec3 origin;
  uint32_t node_count, leaf_count, edge_count;
  lwi_lines_node *nodes;
  lwi_lines_leaf *leaves; ///< Numbered as the occluders' own.
  lwi_lines_edge *edges;
  void *blocks[3]; ///< What the arrays lie in.
} lwi_lines;

/// @param[out] lines  Free it either way. @return false: no memory.
bool lwi_lines_make(lwi_lines *lines, const lwi_occluders *occluders, lwi_memory *memory);
void lwi_lines_free(lwi_lines *lines);
/// How much larger facets are made all round, so that no line slips through between two. Occluders with the same slack, origin
/// and quantum make the same of a facet. [m]
float lwi_lines_slack(const lwi_occluders *occluders);

/// How far one sees from `eye` towards `target`, as a part of the way: 1: as far as that. @param soft  Whether mere concealment
/// hides.
float lwi_lines_ray(const lwi_lines *lines, lw_vec3 eye, lw_vec3 target, bool soft);
/// Is there nothing in between? Quicker, for anything will do.
bool lwi_lines_see(const lwi_lines *lines, lw_vec3 eye, lw_vec3 target, bool soft);
/// Does one of these leaves hide the target?
bool lwi_lines_hide(const lwi_lines *lines, const uint32_t *leaves, int count, lw_vec3 eye, lw_vec3 target,
                    bool soft);
/// All leaves that hide the target by themselves. @return How many, `capacity` at most.
int lwi_lines_pierce(const lwi_lines *lines, lw_vec3 eye, lw_vec3 target, bool soft, uint32_t *leaves,
                     int capacity);

#endif
