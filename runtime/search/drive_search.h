/// The search for a drive: A* over position, heading and gear (hybrid A*: Dolgov, Thrun, Montemerlo and Diebel
/// 2008), with curves to poses along a path and to the goal.
#ifndef LW_SEARCH_DRIVE_SEARCH_H
#define LW_SEARCH_DRIVE_SEARCH_H

#include "core/hash_index.h"
#include "core/heap.h"
#include "search/drive.h"
#include "search/drive_body.h"
#include "search/drive_flood.h"

/// A pose on the path that the search follows where it can.
typedef struct lwi_drive_reference {
  lwi_drive_pose pose;
  float along; ///< From the start. [m]
  float rest;  ///< What the rest of the path costs. [metre-equivalents]
} lwi_drive_reference;

/// How a node is reached from its parent: up to LWI_CURVE_PIECES pieces.
typedef struct lwi_drive_move {
  int8_t count;
  int8_t turns[LWI_CURVE_PIECES];
  float lengths[LWI_CURVE_PIECES];
} lwi_drive_move;

typedef struct lwi_drive_node {
  lwi_drive_pose pose;
  float g; ///< [metre-equivalents]
  uint32_t parent;
  int station; ///< Number of the pose of the path that it is near.
  lwi_drive_move move;
  int8_t gear; ///< In which it was reached; 0: it is the start.
  int8_t cusps;
  bool is_goal;
} lwi_drive_node;

/// Memory that searches for drives work in, kept from one to the next.
typedef struct lwi_drive_scratch {
  lwi_memory *memory;
  lwi_drive_reference *reference; ///< [reference_count]
  int reference_count, reference_capacity;
  lwi_drive_node *nodes; ///< [node_count]
  int node_count, node_capacity;
  uint32_t *chain; ///< The nodes of the drive, backwards.
  int chain_count, chain_capacity;
  lwi_hash_index states; ///< The best node of each cell of position, heading and gear.
  lwi_heap open;
  lwi_drive_flood flood; ///< Where something is ahead.
} lwi_drive_scratch;

/// What to search for.
typedef struct lwi_drive_ask {
  lwi_drive_body body;
  float reverse_cost;
  lwi_drive_pose from;
  lwi_drive_start start;
  lwi_drive_pose to;
  bool any_heading; ///< That of `to` does not count,
  float within;     ///< and the drive may end so far from it. [m]
  int max_nodes;
  /// What walking from a place to the goal costs. @return INFINITY: it is not known. [metre-equivalents]
  float (*rest)(void *user, lw_vec3 at);
  void *user;
} lwi_drive_ask;

void lwi_drive_scratch_free(lwi_drive_scratch *scratch);
/// Lay the poses along a path that the search follows. @return false: no memory.
bool lwi_drive_lay_reference(lwi_drive_scratch *scratch, const lwi_drive_body *body, lw_location from,
                             const lw_vec3 *points, int count);
/// @param scratch  With its reference. @return LW_OK; LW_NO_PATH; LW_OUT_OF_NODES; LW_OUT_OF_MEMORY.
lw_status lwi_drive_search(lwi_drive_scratch *scratch, const lwi_drive_ask *ask, const lw_allocator *allocator,
                           lw_drive **drive);

#endif
