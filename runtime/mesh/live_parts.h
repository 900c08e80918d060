/// Inside a live navmesh: live.c has its arrays and what changes, live_cut.c cuts polygons, live_portals.c and
/// live_links.c join pieces, live_islands.c labels what is connected.
#ifndef LW_MESH_LIVE_PARTS_H
#define LW_MESH_LIVE_PARTS_H

#include "mesh/live.h"

/// Origins of edges (lwi_cut_corner) from here on are sides of footprints: this, plus the footprint's number
/// times LWI_CUT_SIDES, plus the side.
#define LWI_SIDE_ORIGIN 256U

/// A polygon of the base that has portals of its own, and pieces if it is cut.
typedef struct lwi_block {
  uint32_t polygon;
  lwi_slot_run pieces, corners; ///< Of a cut one; one place more than there are pieces.
  lwi_slot_run portals, links;
  uint32_t piece_count, corner_count;
  uint32_t *numbers; ///< [number_count] Of the footprints that meet the polygon, rising.
  int number_count, number_capacity;
  bool is_cut;
  bool is_dirty;    ///< In `dirty`: its footprints have changed.
  bool is_unlinked; ///< In `unlinked`: its portals, or those to it, have changed.
} lwi_block;

/// The polygons of the live navmesh that stand for the block's: its pieces, or the whole one.
static inline lwi_span lwi_block_parts(const lwi_block *block) {
  return block->is_cut ? (lwi_span){block->pieces.first, block->piece_count} : (lwi_span){block->polygon, 1};
}

/// A footprint that is cut out.
typedef struct lwi_live_entry {
  bool is_used;
  lwi_cut_shape shape; ///< Its sides are `sides`.
  float low, high;     ///< [m]
  lwi_cut_side *sides; ///< [side_capacity]
  int side_capacity;
  uint32_t *polygons; ///< [polygon_count] Of the base, that it meets.
  int polygon_count, polygon_capacity;
} lwi_live_entry;

/// An edge of a piece, or of a whole polygon, on a line: it begins and ends there.
typedef struct lwi_line_edge {
  uint32_t polygon, edge;
  double begin, end;
} lwi_line_edge;

/// An edge of a piece that comes from a side of a footprint.
typedef struct lwi_side_edge {
  uint32_t origin;
  lwi_line_edge at;
} lwi_side_edge;

/// What has arrays of its own in a live navmesh.
typedef enum lwi_live_kind {
  LWI_LIVE_POLYGON,
  LWI_LIVE_CORNER,
  LWI_LIVE_PORTAL,
  LWI_LIVE_LINK,
  LWI_LIVE_KINDS
} lwi_live_kind;

/// Numbers of the arrays. Arrays of one kind stand together here, and have equal space.
enum {
  LWI_LIVE_RANGES,
  LWI_LIVE_AREAS,
  LWI_LIVE_OPENNESS,
  LWI_LIVE_DEEP_WATERS,
  LWI_LIVE_ISLANDS,
  LWI_LIVE_FIRST_PORTALS,
  LWI_LIVE_END_PORTALS,
  LWI_LIVE_ORIGINS,
  LWI_LIVE_GENERATIONS,
  LWI_LIVE_FIRST_LINKS,
  LWI_LIVE_END_LINKS,
  LWI_LIVE_VISITS, ///< For labels: equal to lwi_islands.visit for polygons that are visited,
  LWI_LIVE_GROUPS, ///< and the group or flood that visited them.
  LWI_LIVE_EDGES,
  LWI_LIVE_EDGE_ORIGINS, ///< Where edges of pieces come from (lwi_cut_corner.origin),
  LWI_LIVE_EDGE_PIECES,  ///< and whose they are.
  LWI_LIVE_CORNERS,
  LWI_LIVE_PORTALS,
  LWI_LIVE_INTERVALS,
  LWI_LIVE_LINKS,
  LWI_LIVE_ARRAYS
};

typedef struct lwi_live_array {
  void *items;
  int capacity;
} lwi_live_array;

/// A portal before it is stored.
typedef struct lwi_live_portal {
  uint32_t from, to, edge;
  lwi_portal_interval interval;
} lwi_live_portal;

/// A touched polygon that has a label, sorted by one of label and group, and within it by the other.
typedef struct lwi_member {
  uint32_t key, part, polygon;
} lwi_member;

/// A polygon that a flood reached, and the next one of the same flood.
typedef struct lwi_flooded {
  uint32_t polygon, next;
} lwi_flooded;

/// A flood, and what it has reached: `flooded` by number.
typedef struct lwi_flood {
  uint32_t parent;            ///< Of a set of those that have met: union-find.
  uint32_t part;              ///< lwi_member.part of the polygons where it began.
  uint32_t label;             ///< Of a set that has got a new one, at its root; LWI_NONE: none.
  uint32_t first, last, next; ///< `next` is the first one that it has not left yet, LWI_NONE: it is at its end.
  bool runs;                  ///< Of a set, at its root: one of it is not at its end.
} lwi_flood;

/// For labels (live_islands.c).
typedef struct lwi_islands {
  uint32_t *touched;  ///< [touched_count] Polygons.
  uint32_t *group_of; ///< [touched_count] Theirs.
  uint32_t *groups;   ///< [group_count] Union-find.
  lwi_member *members;
  lwi_flood *floods;
  lwi_flooded *flooded;
  uint32_t *stack;
  uint32_t visit, next_label;
  bool has_other_labels; ///< Than those of the base.
  int touched_count, touched_capacity, group_of_capacity, group_count, group_capacity, stack_capacity;
  int member_count, member_capacity, flood_count, flood_capacity, flooded_count, flooded_capacity;
} lwi_islands;

/// Numbers of something.
typedef struct lwi_number_list {
  uint32_t *items; ///< [count]
  int count, capacity;
} lwi_number_list;

/// Blocks by number, and those of them that have no polygon.
typedef struct lwi_block_list {
  lwi_block *items; ///< [count]
  int count, capacity;
  lwi_number_list free;
} lwi_block_list;

/// For the portals of a polygon of the base, or of its pieces (live_portals.c).
typedef struct lwi_join_scratch {
  lwi_live_portal *portals;  ///< [portal_count]
  lwi_side_edge *side_edges; ///< Edges of its pieces that come from sides of footprints.
  int portal_count, portal_capacity, side_capacity;
} lwi_join_scratch;

/// The base's off-mesh links by the polygon where they end.
typedef struct lwi_links_to {
  uint32_t *first_to; ///< [base polygons + 1]
  uint32_t *to;       ///< [base links]
} lwi_links_to;

struct lwi_live {
  lwi_memory *memory;
  const lw_navmesh *base;
  lw_navmesh mesh;
  lwi_live_array arrays[LWI_LIVE_ARRAYS];
  lwi_runs runs[LWI_LIVE_KINDS];
  uint32_t counts[LWI_LIVE_KINDS]; ///< Numbers for which the arrays have space, and are filled in.
  lwi_span *pieces;                ///< [base polygons] mesh.live.pieces
  uint32_t *block_of;              ///< [base polygons] LWI_NONE: none.
  uint32_t *seen, stamp;           ///< [base polygons] Equal to the stamp: seen in this round.
  lwi_islands islands;
  lwi_block_list blocks;
  lwi_number_list dirty, unlinked, changed; ///< Polygons of the base; `changed` by the last lwi_live_apply().
  lwi_live_entry *entries;                  ///< [entry_capacity] By number of the footprint.
  int entry_capacity;
  lwi_links_to links;
  lwi_cutter cut;
  lwi_cut_corner *outline; ///< Of the polygon that is being cut.
  int outline_capacity;
  lwi_join_scratch join;
};

/// A run of neighbouring numbers, with space in the arrays. @return Space 0: no memory.
lwi_slot_run lwi_live_take(lwi_live *live, lwi_live_kind kind, uint32_t count);
void lwi_live_give_back(lwi_live *live, lwi_live_kind kind, lwi_slot_run *run);
/// Mark these polygon numbers as unused.
void lwi_live_clear(lwi_live *live, lwi_slot_run run);
/// The block of a polygon of the base, which is created if there is none. @return NULL: no memory.
lwi_block *lwi_live_block(lwi_live *live, uint32_t polygon);
/// The polygon's portals, or those to it, are to be computed again. @return false: no memory.
bool lwi_live_unlink(lwi_live *live, uint32_t polygon);

/* --- live_cut.c ------------------------------------------------------------------------------------------- */

/// Does the footprint meet a polygon of the base, and the heights there? @return false: no memory.
bool lwi_live_meets(lwi_live *live, const lwi_live_entry *footprint, uint32_t polygon, bool *meets);
/// Cut a polygon by its footprints, or put it back where there are none. @return false: no memory.
bool lwi_live_cut(lwi_live *live, lwi_block *block);
/// Put a polygon back, as it is in the base.
void lwi_live_restore(lwi_live *live, lwi_block *block);

/* --- live_portals.c --------------------------------------------------------------------------------------- */

/// Make the portals of a polygon of the base, or those of its pieces. @return false: no memory.
bool lwi_live_join(lwi_live *live, lwi_block *block);
/// The portals that a polygon has in the base.
void lwi_live_restore_portals(lwi_live *live, lwi_block *block);

/* --- live_islands.c --------------------------------------------------------------------------------------- */

/// Update the labels of what the round has cut and joined, and of what that connects or separates.
/// @return false: no memory; then labels are wrong.
bool lwi_live_label(lwi_live *live);
void lwi_islands_free(lwi_islands *islands, lwi_memory *memory);

/* --- live_links.c ----------------------------------------------------------------------------------------- */

/// List links by where they end. @return false: no memory.
bool lwi_live_index_links(lwi_live *live);
void lwi_live_free_links(lwi_live *live);
/// Mark these link numbers as unused.
void lwi_live_clear_links(lwi_live *live, lwi_slot_run run);
/// Links that leave a polygon, or its pieces. @return false: no memory.
bool lwi_live_join_links(lwi_live *live, lwi_block *block);
/// The links that a polygon has in the base, but for where they end.
void lwi_live_restore_links(lwi_live *live, lwi_block *block);
/// The links that end on a polygon are to be computed again. @return false: no memory.
bool lwi_live_unlink_links_to(lwi_live *live, uint32_t polygon);

#endif
