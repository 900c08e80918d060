/// A path: what a search leaves to its caller.
#ifndef LW_SEARCH_PATH_H
#define LW_SEARCH_PATH_H

#include "leeward/path.h"
#include "search/cost_model.h"

/// A piece of a path that goes over an off-mesh link.
typedef struct lwi_path_link {
  int point; ///< Of the path: where the piece begins. It ends at the next point.
  lw_link_kind kind;
  float length;     ///< That the cost counts. [m]
  lw_poly_id to;    ///< The polygon that it ends on.
  int navmesh;      ///< World index of the navmesh that it ends on; -1: of the one that it leaves.
  int corridor;     ///< Index of `to` in the corridor, if it leads to another navmesh.
  uint64_t version; ///< Of the other navmesh (lw_navmesh_version()).
  int crossing;     ///< Index of the last link, this one included, that leads to another navmesh; -1: none.
  lw_link_id id;    ///< None: of a navmesh without a world.
} lwi_path_link;

/// The arcs of a rounded path.
typedef struct lwi_path_arcs {
  int count;
  lw_path_arc *items; ///< [count] A block of its own; NULL: none.
} lwi_path_arcs;

/// What a path notes of the ground, so that it can tell what has changed since.
typedef struct lwi_path_ground {
  int *polygons;    ///< [point_count] In the corridor, of the piece that begins at the point; -1: none of it.
  float *prices;    ///< [corridor_count] Of a metre on the polygon. [metre-equivalents]
  uint64_t version; ///< Of the navmesh that it begins on (lw_navmesh_version()).
} lwi_path_ground;

typedef struct lwi_path_block {
  void *block;
  size_t size; ///< Of the block.
} lwi_path_block;

struct lw_path {
  lwi_memory memory;
  bool partial;
  bool reduced;
  int navmesh; ///< World index of the navmesh that it begins on.
  int goal;    ///< Index of the query's goal that it leads to; 0 also where there is but `to`.
  int nodes;   ///< Expanded by its searches.
  float length, cost;
  float exposed;              ///< Seen by any threat. [m]
  const lw_area_table *table; ///< Of its areas.
  lwi_path_block arrays;      ///< All but the corridor.
  int point_count;
  lw_vec3 *points;          ///< [point_count]
  lw_area_id *areas;        ///< [point_count] Of the piece that begins at the point; the last is LW_AREA_NONE.
  float *remaining;         ///< [point_count] From the point to the end. [m]
  lwi_cost_record *records; ///< [point_count] Of the piece that begins at the point.
  int run_count;
  lwi_run *runs; ///< [run_count] In order, the first at piece 0. A path of one point has none.
  int threat_count;
  float *seen; ///< [point_count][threat_count] What each threat sees of the piece. [m]
  int link_count;
  lwi_path_link *links; ///< [link_count] In order along the path.
  int corridor_count;
  lw_poly_id *corridor; ///< [corridor_count]
  lwi_path_ground ground;
  lwi_path_arcs arcs;
};

/// @return The link that the piece beginning at point `index` goes over, or NULL.
const lwi_path_link *lwi_path_link_at(const lw_path *path, int index);
/// @return The arc that the piece ending at point `index` is part of, or NULL.
const lw_path_arc *lwi_path_arc_at(const lw_path *path, int index);
/// Whether it leads over several navmeshes.
bool lwi_path_crosses(const lw_path *path);
/// The cost breakdown of the piece that begins at point `i`.
/// @param[in, out] run  Its run, or one before it: begin with 0.
lwi_cost_breakdown lwi_path_cost_breakdown(const lw_path *path, int i, int *run);
/// The sum of all its cost breakdowns. [metre-equivalents]
float lwi_path_cost_sum(const lw_path *path);
/// What the rest of a path without links costs at least. [metre-equivalents]
/// @param next  The point that comes next. [1..point_count] @param at  On the piece before it, or near by.
float lwi_path_cost_from(const lw_path *path, int next, lw_vec3 at);

/// Allocate its arrays. @return false: no memory, and nothing is held.
bool lwi_path_alloc(lw_path *path, size_t points, size_t runs, int links, size_t polygons);
/// Give it arcs to be filled in; it has none. @return false: no memory.
bool lwi_path_alloc_arcs(lw_path *path, int count);
void lwi_path_free_arrays(lw_path *path);
/// Fill `remaining` from points, areas and links.
void lwi_path_sum_up(lw_path *path);
/// Fill the links' `crossing`.
void lwi_path_note_crossings(lw_path *path);

/// How much of the arrays of a path is filled while it is put together.
typedef struct lwi_path_filled {
  int points, runs, links, polygons, arcs;
} lwi_path_filled;
/// Append another path's points, links, corridor and records to a path whose arrays are large enough.
void lwi_path_append(lw_path *path, const lw_path *part, lwi_path_filled *at);
/// Put `from` before the start of a path that does not begin there: an agent that first has to reach where it
/// can stand.
/// @return false: no memory.
bool lwi_path_lead_in(lw_path *path, lw_location from, const lw_navmesh *mesh, const lwi_prices *prices);

/// One of several paths, each on one navmesh, and the link from its end to the start of the next.
typedef struct lwi_path_part {
  lw_path *path;
  lw_link_kind kind;
  float length;          ///< Of the link, as the cost counts it. [m]
  lw_area_id area;       ///< Of the link.
  lw_poly_id to;         ///< The polygon that the link ends on.
  lwi_run run;           ///< The terms of a metre of the link.
  lwi_piece_cost extras; ///< For threats, dangers and lanes on the link.
  /// [threat_count] What each threat sees of the link. [m] Borrowed.
  const float *exposed_to;
  float cost; ///< The price of the link beside its length. [metre-equivalents]
  lw_link_id id;
} lwi_path_part;
/// One path from several. @param parts  [count, >= 1] Stay the caller's; of the last one only the path counts.
/// @return Owned by the caller; NULL: no memory.
lw_path *lwi_path_join(const lwi_path_part *parts, int count, const lw_allocator *allocator);

/// @return Owned by the caller; NULL: no memory.
lw_path *lwi_path_copy(const lw_path *path, const lw_allocator *allocator);
/// A path that ends where it begins. @return Owned by the caller; NULL: no memory.
lw_path *lwi_path_of_place(lw_location at, int navmesh, const lw_area_table *table,
                           const lw_allocator *allocator);
/// Does any threat see a piece of it?
bool lwi_path_is_seen(const lw_path *path);
/// Does it lead up and down?
bool lwi_path_is_sloped(const lw_path *path);
/// The cheaper of two paths; the other one is destroyed. @param other  May be NULL.
lw_path *lwi_path_cheaper(lw_path *path, lw_path *other);
/// The shorter one, likewise.
lw_path *lwi_path_shorter(lw_path *path, lw_path *other);

#endif
