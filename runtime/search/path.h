/// A path: built from the corridor that a search found.
#ifndef LW_SEARCH_PATH_H
#define LW_SEARCH_PATH_H

#include "leeward/path.h"
#include "mesh/berth.h"
#include "search/account.h"
#include "search/sleeve.h"

/// A piece of a path that goes over an off-mesh link.
typedef struct lwi_path_link {
  int point; ///< That the piece begins at; it ends at the next.
  lw_link_kind kind;
  float length;  ///< What it counts for. [m]
  lw_poly_id to; ///< The polygon that it ends on.
  int navmesh;   ///< Index in the world of the one that it ends on; -1: of the one that it leaves.
  int corridor;  ///< That polygon's index in the corridor, if it leads to another navmesh.
} lwi_path_link;

struct lw_path {
  lwi_memory memory;
  bool partial;
  int navmesh; ///< Index in the world of the one that it begins on.
  int nodes;
  float length, cost;
  float exposed;              ///< Metres that a threat sees.
  const lw_area_table *table; ///< Of its areas.
  void *block;                ///< All of the arrays but the corridor.
  size_t size;                ///< Of the block.
  int point_count;
  lw_vec3 *points;    ///< [point_count]
  lw_area_id *areas;  ///< [point_count] Of the piece that begins at the point; the last is LW_AREA_NONE.
  float *remaining;   ///< [point_count] From the point to the end. [m]
  lwi_tally *tallies; ///< [point_count] Of the piece that begins at the point.
  int run_count;
  lwi_run *
      runs; ///< [run_count] In order; the first begins at piece 0, but for a path of one point, which has none.
  int threat_count;
  float *seen; ///< [threat_count] a point: what each threat sees of its piece. [m]
  int link_count;
  lwi_path_link *links; ///< [link_count] In the order that they are taken.
  int corridor_count;
  lw_poly_id *corridor; ///< [corridor_count]
};

/// @return The link that the piece beginning at point `index` goes over, or NULL.
const lwi_path_link *lwi_path_link_at(const lw_path *path, int index);

/// Room for so many of each. @return false: no memory, and nothing to free.
bool lwi_path_alloc(lw_path *path, size_t points, size_t runs, int links, size_t polygons);
void lwi_path_free_arrays(lw_path *path);
/// What was charged for the piece that begins at point `i`.
/// @param[in, out] run  The run it is in, or one before it: begin with 0.
lwi_account lwi_path_account(const lw_path *path, int i, int *run);

/// How much of a path that is put together is filled.
typedef struct lwi_path_filled {
  int points, runs, links, polygons;
} lwi_path_filled;
/// Append another path's points, links and corridor, and what they were charged, to one that has room for them.
void lwi_path_append(lw_path *path, const lw_path *part, lwi_path_filled *at);

/// Let the path begin at a place that it does not begin at yet, for one who must first get to where it can stand.
/// @return false: no memory.
bool lwi_path_lead_in(lw_path *path, lw_location from, const lw_navmesh *mesh, const lwi_prices *prices);

/// One of several paths, each on one navmesh, and the link that leads from its end to the next one's beginning.
typedef struct lwi_path_part {
  lw_path *path;
  lw_link_kind kind;
  float length;    ///< What the link counts for. [m]
  lw_area_id area; ///< That it shows.
  lw_poly_id to;   ///< The polygon that it ends on.
  lwi_run run;     ///< What a metre of the link is.
  float danger;    ///< For the dangers that it lands in. [metre-equivalents]
} lwi_path_part;
/// Make one path of several. @param parts  [count, >= 1] Of the last one only the path counts. They stay the caller's.
/// @return NULL: no memory.
lw_path *lwi_path_join(const lwi_path_part *parts, int count, const lw_allocator *allocator);
/// Does it lead over several navmeshes?
bool lwi_path_crosses(const lw_path *path);
/// What its accounts add up to. [metre-equivalents]
float lwi_path_accounted(const lw_path *path);
/// From points, areas and links: what is left from each point.
void lwi_path_sum_up(lw_path *path);

/// A corner of the taut string: a point, and the portal that it lies on.
typedef struct lwi_corner_point {
  lw_vec3 point;
  int portal; ///< Index into the corridor's portals; -1: the start; the count: the goal.
} lwi_corner_point;

typedef struct lwi_gate {
  lw_vec3 left, right; ///< As one who walks sees them.
} lwi_gate;

/// Pull the string taut through the gates. @param corners  Room for gate_count + 2. @return Corners written.
int lwi_funnel(lw_vec3 from, lw_vec3 to, const lwi_gate *gates, int gate_count, lwi_corner_point *corners);

/// Where the straight way from a corner of the string to the next crosses a gate between them. Gates that it runs along are
/// crossed at once, where it has come to (`last`): nearly parallel lines meet anywhere.
lw_vec3 lwi_gate_crossing(lw_vec3 from, lw_vec3 to, lw_vec3 last, const lwi_gate *gate);

/// A corridor as the string sees it.
typedef struct lwi_string {
  lw_vec3 from, to;
  int gate_count;
  const lwi_gate *gates; ///< [gate_count]
  const float *prices;   ///< [gate_count + 1] Of a metre before each gate, and behind the last.
  lw_vec3 *crossings;    ///< [gate_count] In: where the search crossed each gate. Overwritten.
  lw_vec3 *best;         ///< [gate_count] Room to work in.
  int rounds;            ///< At most.
} lwi_string;
#define LWI_PULL_ROUNDS 16
#define LWI_PULL_ROUNDS_FAST 3
static inline int lwi_pull_rounds(lw_quality quality) {
  return quality == LW_QUALITY_FAST ? LWI_PULL_ROUNDS_FAST : LWI_PULL_ROUNDS;
}

/// Pull the string to the cheapest way through the corridor. @param corners  Room for gate_count + 2.
/// @return Corners written; every gate where the price changes is one.
int lwi_pull(const lwi_string *string, lwi_corner_point *corners);

/// A way through gates: points[0] is the start, points[i + 1] lies on gate i, the last is the goal.
typedef struct lwi_bent_way {
  const lwi_charges *charges;
  int gate_count;
  const lwi_gate *gates;         ///< [gate_count]
  const uint32_t *polygons;      ///< [gate_count + 1] Of the pieces.
  lw_vec3 *points;               ///< [gate_count + 2]
  float *costs;                  ///< [gate_count + 1] Of the pieces, once they were asked for.
  bool *stirred;                 ///< [gate_count] Room to work in.
  const struct lwi_berth *berth; ///< What the pieces must be clear of; NULL: nothing.
} lwi_bent_way;

/// What the whole way costs. @return A negative number: no memory.
double lwi_bend_cost(const lwi_bent_way *way);
/// Move the points along their gates while that makes the way cheaper, one after the other. The costs must be known.
/// @return false: no memory.
bool lwi_bend(const lwi_bent_way *way);
/// The same once more by other charges, beside those pieces alone that cost more by these. @return false: no memory.
bool lwi_bend_again(lwi_bent_way *way, const lwi_charges *charges);

/// What a piece of a path goes over, before it is thinned.
typedef struct lwi_piece {
  uint32_t polygon; ///< Of a link, the one that it leaves.
  uint32_t link;    ///< LWI_NONE: none.
} lwi_piece;

/// Room to build paths in, kept from path to path: no allocation once warm.
typedef struct lwi_path_room {
  lwi_memory *memory;
  int capacity;    ///< Gates that it has room for, both ends of links, and start and goal.
  void *block;     ///< All of the following.
  size_t size;     ///< Of the block.
  lwi_gate *gates; ///< [capacity], as all of them.
  float *prices, *costs;
  lw_vec3 *crossings, *best, *points;
  lwi_piece *pieces;  ///< The one that begins at each point.
  lwi_tally *tallies; ///< At a point that is kept, of the pieces up to the next such.
  lwi_corner_point *corners;
  uint32_t *polygons; ///< Before each gate, and behind the last.
  bool *keep, *stirred;
  float *seen_room;
  int seen_capacity;
  float *seen_now;    ///< [threat_count] What each threat sees of one piece.
  float *seen;        ///< [threat_count] a point: of the pieces up to the next that is kept.
  lwi_sleeve sleeve;  ///< For where prices differ.
  lwi_step *corridor; ///< Of a way that another one is compared with.
  int corridor_count, corridor_capacity;
  struct lwi_berth_room *berth; ///< For those who keep off walls; NULL until one comes.
} lwi_path_room;

/// For so many points and threats; what the arrays hold stays. @return false: no memory.
bool lwi_path_room_reserve(lwi_path_room *room, int points, int threats);
void lwi_path_room_free(lwi_path_room *room);

/// Build the path along search->corridor, which may be empty. With query->berth, after lwi_corridor_widen().
/// @return LW_OK, LW_OUT_OF_MEMORY.
lw_status lwi_path_build(lwi_search *search, const lwi_search_query *query, lwi_path_room *room,
                         const lw_allocator *allocator, lw_path **path);

/// As many as there are in one piece, at most.
#define LWI_GROUND_BENDS 32
/// Where the ground bends under a straight piece within one polygon. @param[out] bends  [LWI_GROUND_BENDS] @return How many.
int lwi_ground_bends(const lw_navmesh *mesh, uint32_t polygon, lw_vec3 from, lw_vec3 to, lw_vec3 *bends);
/// What a straight piece costs along the ground. @return Negative: no memory. [metre-equivalents]
float lwi_charge_over_ground(const lwi_charges *charges, uint32_t polygon, lw_vec3 from, lw_vec3 to);

/// Make the way along the corridor clear of walls, for those who keep off them.
/// @return LW_OK; LW_NO_PATH: it is too narrow; LW_OUT_OF_MEMORY.
lw_status lwi_corridor_widen(const lwi_search *search, const lwi_search_query *query, lwi_path_room *room);
/// Search for a corridor that is wide enough, past those that are not, and lwi_corridor_widen() it.
/// @param query  Is changed: its bans. @return As lwi_search_run().
lw_status lwi_corridor_find(lwi_search *search, lwi_search_query *query, lwi_path_room *room);

/// Search for a path that is charged for what threats see of it, and build it.
/// @return As lwi_path_search().
lw_status lwi_path_search_watched(lwi_search *search, const lwi_search_query *query, lwi_path_room *room,
                                  const lw_allocator *allocator, lw_path **path);

/// The cheaper of two; the other is destroyed. @param other  NULL: there is none.
lw_path *lwi_path_cheaper(lw_path *path, lw_path *other);

/// Search, and build the path along the corridor that was found. With query->berth the path is swept with the disc; what
/// that rejects is banned, and the search goes past it.
/// @return LW_OK; LW_NO_PATH; LW_OUT_OF_NODES; LW_OUT_OF_MEMORY.
lw_status lwi_path_search(lwi_search *search, const lwi_search_query *query, lwi_path_room *room,
                          const lw_allocator *allocator, lw_path **path);

#endif
