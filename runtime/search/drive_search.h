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

/// The searches for a drive, in their order.
typedef enum lwi_drive_stage {
  LWI_DRIVE_FOLLOWS,  ///< Forwards, along the path.
  LWI_DRIVE_BACKS,    ///< Also backwards, over wide cells.
  LWI_DRIVE_TURNS,    ///< With more changes of direction.
  LWI_DRIVE_FINELY,   ///< Over narrow cells.
  LWI_DRIVE_FORWARDS, ///< Forwards, where the drive found leads backwards.
  LWI_DRIVE_OVER
} lwi_drive_stage;

/// The searches for one drive, and how far they are.
typedef struct lwi_drive_search {
  lwi_drive_ask ask;
  const lw_allocator *allocator; ///< Of drives.
  lwi_drive_stage stage;
  lw_status status;   ///< LW_UNFINISHED: a stage is being searched.
  lw_drive *drive;    ///< That was found. Owned, as the next one:
  lw_drive *followed; ///< along the path, longer than that by much.
  int expanded;       ///< By all stages.
  bool is_short;      ///< A stage ran out of nodes.
  /* Of the stage: */
  bool is_begun;
  lwi_curve_prices prices; ///< Of backing.
  bool backwards;
  bool is_following; ///< The path says what the rest costs.
  int left;          ///< Poses to go on from before the stage ends.
  float max_cost;
  double cell;  ///< [m]
  int headings; ///< That a turn is divided into.
  int trailer_angles;
  float greed;      ///< What the rest costs counts for that much.
  float goal_price; ///< Of a metre at the goal.
  int done;         ///< Poses that it went on from.
  uint32_t goal;    ///< The node found; LWI_NONE: none.
  bool failed;      ///< No memory.
} lwi_drive_search;

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
  lwi_drive_search search;
} lwi_drive_scratch;

void lwi_drive_scratch_free(lwi_drive_scratch *scratch);
/// Lay the poses along a path that the search follows. @return false: no memory.
bool lwi_drive_lay_reference(lwi_drive_scratch *scratch, const lwi_drive_body *body, lw_location from,
                             const lw_vec3 *points, int count);
/// Begin to search. @param scratch  With its reference. @param ask  Copied; what it points to is borrowed.
void lwi_drive_search_begin(lwi_drive_scratch *scratch, const lwi_drive_ask *ask,
                            const lw_allocator *allocator);
/// Search on. How the search is divided does not count for what it finds.
/// @param poses  To go on from at most. @return How many it went on from; the status of the search says more.
int lwi_drive_search_step(lwi_drive_scratch *scratch, int poses);
/// @return The drive, owned by the caller; NULL: none was found.
lw_drive *lwi_drive_search_take(lwi_drive_scratch *scratch);
/// Drop what was begun or found.
void lwi_drive_search_drop(lwi_drive_scratch *scratch);

#endif
