/// Inside a live navmesh: live.c has its arrays and what changes, live_squares.c splits wide polygons,
/// live_footprints.c lists footprints by the ground that they meet, which live_heights.c finds, live_cut.c
/// cuts polygons, live_edges.c, live_portals.c and live_links.c join pieces, live_islands.c labels what is
/// connected, live_journal.c notes what was touched, live_follow.c puts one in the place of another.
///
/// What is cut at a time, the ground, is a polygon of the base or a square of a wide one: all that depends on
/// how many footprints a polygon has would grow with its size otherwise. A wide polygon that many footprints
/// meet is split: it is cut and has no pieces, and all its squares are cut and have at least one, itself, where
/// footprints do not cover it. Ground is numbered: polygons of the base as there, squares behind them.
#ifndef LW_MESH_LIVE_PARTS_H
#define LW_MESH_LIVE_PARTS_H

#include "mesh/live.h"
#include "mesh/live_journal.h"
#include "mesh/relabel.h"

/// Of the lines that split a wide polygon, those along x have numbers from this on, lines along z lower ones.
#define LWI_ROW_LINES 64U

/// A polygon wider than this along an axis is split... [m]
#define LWI_WIDE 32.0F
/// ...while more footprints than this meet it: fewer are cut as fast out of all of it, and leave fewer pieces.
#define LWI_FEW_FOOTPRINTS 8
/// Cells are that wide, or twice, four times, ... that, so that no polygon has more than LWI_CELLS_MAX in a
/// row. [m]
#define LWI_CELL 16.0F
#define LWI_CELLS_MAX 33

/// Ground that has portals of its own, and pieces if it is cut.
typedef struct lwi_block {
  uint32_t ground;  ///< Its number.
  uint32_t polygon; ///< Of the base, that it is or is in.
  /// Number of its lwi_split: of a square, or of a polygon that has squares; else LWI_NONE.
  uint32_t split;
  lwi_slot_run pieces, corners; ///< Of a cut one; one place more than there are pieces.
  lwi_slot_run portals, links;
  lwi_slot_run rim; ///< Edges of pieces on the ground's border: lwi_rim_edge, by origins and along each.
  uint32_t piece_count, rim_count;
  uint32_t portal_count; ///< Of `portals`.
  lwi_span within;       ///< Portals among pieces that this round has cut: of lwi_join_scratch.within.
  uint32_t *numbers;     ///< [number_count] Of the footprints that meet the ground, by their order.
  int number_count, number_capacity;
  uint32_t link_changes; ///< Links that leave it and were added, are off or have a price.
  uint32_t unlinked_at;  ///< Where it is in `unlinked`.
  uint32_t first_back;   ///< Of portals back, of lwi_join_scratch.back; LWI_NONE: none.
  bool is_cut;
  bool is_relinked; ///< In `relinked`: the links that leave it have changed.
  bool is_dirty;    ///< In `dirty`: its footprints have changed.
  bool is_unlinked; ///< In `unlinked`: its portals, or those to it, have changed.
} lwi_block;

static inline bool lwi_is_square(const lwi_block *block) {
  return block->ground != block->polygon;
}
/// The polygons of the live navmesh that stand for the block's ground: its pieces, or the whole polygon.
static inline lwi_span lwi_block_parts(const lwi_block *block) {
  if (block->is_cut) return (lwi_span){block->pieces.first, block->piece_count};
  return (lwi_span){block->polygon, lwi_is_square(block) ? 0 : 1};
}

/// A square, or what is left of it within its polygon. Strips that would be slivers belong to the square
/// beside.
struct lwi_square {
  int first, count; ///< Of lwi_split.corners; the origins of its edges are those of its polygon's, and lines.
  double min_x, min_z, max_x, max_z;
};
typedef struct lwi_square lwi_square;

/// The heights between the surface within a footprint's outline and the footprint above it. [m]
typedef struct lwi_live_gap {
  double min, max;
} lwi_live_gap;

/// A footprint that is cut out.
typedef struct lwi_live_entry {
  bool is_used;
  bool is_partial;     ///< Of some polygon that it meets it meets heights only in part.
  bool hangs;          ///< Over some polygon, so that some agents pass below it. Then `is_partial`, too.
  bool is_met;         ///< By agents of the bake: where it hangs it may be too high for them.
  uint64_t version;    ///< Of the navmesh with the change that cuts it: lwi_mesh_live.
  lwi_cut_shape shape; ///< Its sides are `sides`.
  float low, high;     ///< [m]
  lwi_cut_mark mark;   ///< None: it is cut out.
  uint64_t order;      ///< lwi_footprint.order
  lwi_cut_side *sides; ///< [side_capacity]
  int side_capacity;
  lwi_live_gap gap;  ///< Above one of the polygons over which it hangs,
  uint32_t gap_of;   ///< and which that is; LWI_NONE: it hangs over none.
  uint32_t *grounds; ///< [ground_count] That it meets.
  int ground_count, ground_capacity;
} lwi_live_entry;

/// An edge of a piece on the border of its ground.
typedef struct lwi_rim_edge {
  uint32_t origin;     ///< lwi_cut_corner
  uint32_t piece : 24; ///< Counted from the first one of its ground.
  uint32_t edge : 8;
} lwi_rim_edge;

/// An edge of a piece, or of a whole polygon, on a line: it begins and ends there.
typedef struct lwi_line_edge {
  uint32_t polygon, edge, origin;
  double begin, end;
} lwi_line_edge;

/// A line with places along it.
typedef struct lwi_edge_line {
  lwi_point2 from;
  double dx, dz, length2; ///< Its direction; places are in units of the length, squared.
} lwi_edge_line;

/// Between two places on a line.
typedef struct lwi_line_part {
  double from, to;
} lwi_line_part;

/// What has arrays of its own in a live navmesh.
typedef enum lwi_live_kind {
  LWI_LIVE_POLYGON,
  LWI_LIVE_CORNER,
  LWI_LIVE_PORTAL,
  LWI_LIVE_LINK,
  LWI_LIVE_GROUND,
  LWI_LIVE_RIM,
  LWI_LIVE_KINDS
} lwi_live_kind;

/// Numbers of the arrays. Arrays of one kind stand together here, and have equal space.
enum {
  LWI_LIVE_RANGES,
  LWI_LIVE_AREAS,
  LWI_LIVE_OPENNESS,
  LWI_LIVE_DEPTHS,
  LWI_LIVE_HEADROOMS,
  LWI_LIVE_STEPS,
  LWI_LIVE_COSTS,
  LWI_LIVE_ISLANDS,
  LWI_LIVE_FIRST_PORTALS,
  LWI_LIVE_END_PORTALS,
  LWI_LIVE_ORIGINS,
  LWI_LIVE_GENERATIONS,
  LWI_LIVE_FIRST_LINKS,
  LWI_LIVE_END_LINKS,
  LWI_LIVE_EDGES,
  LWI_LIVE_CORNERS,
  LWI_LIVE_PORTALS,
  LWI_LIVE_INTERVALS,
  LWI_LIVE_INTERVAL_STEPS,
  LWI_LIVE_PORTAL_HEIGHTS,
  LWI_LIVE_LINKS,
  LWI_LIVE_LINK_IDS,
  LWI_LIVE_LINK_COSTS,
  LWI_LIVE_PIECES,
  LWI_LIVE_BLOCKS,
  LWI_LIVE_SEEN,
  LWI_LIVE_RIMS,
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
  uint8_t step; ///< step_height.h
} lwi_live_portal;

/// A convex polygon.
typedef struct lwi_cut_outline {
  lwi_cut_corner *corners; ///< [count]
  int count, capacity;
} lwi_cut_outline;

/// Labels of islands (live_islands.c).
typedef struct lwi_islands {
  lwi_relabel relabel; ///< Its clusters are ground by the place in `unlinked`, joined as it is unlinked.
  uint32_t next_label;
  bool has_other_labels;    ///< Than those of the base.
  lwi_live_journal journal; ///< For labels by other filters, which follow later.
} lwi_islands;

/// Blocks by number, and those of them that have no polygon.
typedef struct lwi_block_list {
  lwi_block *items; ///< [count]
  int count, capacity;
  lwi_number_list free;
} lwi_block_list;

/// Splits by number; `first` is LWI_NONE: it is not used.
typedef struct lwi_split_list {
  lwi_split *items; ///< [count]
  int count, capacity;
  lwi_number_list free;
} lwi_split_list;

typedef struct lwi_portal_list {
  lwi_live_portal *items; ///< [count]
  int count, capacity;
} lwi_portal_list;

/// A portal that was found while the ground that it leads to was joined, and the next one from the same ground.
typedef struct lwi_back_portal {
  lwi_live_portal portal;
  uint32_t next;
} lwi_back_portal;

typedef struct lwi_back_list {
  lwi_back_portal *items; ///< [count]
  int count, capacity;
} lwi_back_list;

typedef struct lwi_edge_list {
  lwi_line_edge *items; ///< [count]
  int count, capacity;
} lwi_edge_list;

typedef struct lwi_slope_list {
  lwi_cut_slope *items; ///< [count]
  int count, capacity;
} lwi_slope_list;

/// For the pieces of ground, and its portals (live_cut.c, live_edges.c, live_portals.c).
typedef struct lwi_join_scratch {
  lwi_slope_list slopes;            ///< Of the polygon's surface, as far as they are looked at.
  const lwi_cut_shape *slopes_near; ///< They are all of `slopes_of` near that shape; NULL: perhaps not.
  uint32_t slopes_of;
  float *heights;          ///< [lwi_cutter.vertex_count] Of corners. NAN: not computed yet. [m]
  lwi_portal_list within;  ///< Among pieces of one ground, of all that this round has cut,
  int within_before;       ///< and how many there were in the last round.
  lwi_portal_list portals; ///< Those of one block.
  lwi_back_list back;      ///< Those from ground that is joined later to ground that is.
  lwi_edge_list edges;     ///< On one side of a line, and then on the other.
  lwi_edge_list rim;       ///< On the border of what is being cut.
  uint32_t *order;         ///< [portals.count] Portals as they are stored.
  lwi_number_list across;  ///< Ground on the other side of a portal or line.
  int height_capacity, order_capacity;
} lwi_join_scratch;

/// What has become of the off-mesh link of a number.
typedef struct lwi_live_link {
  bool is_off;
  float cost; ///< [metre-equivalents]
  bool is_added;
  lwi_link link; ///< Of one that was added, between polygons of the base,
  lw_link_id id;
  /// and those that leave the same polygon, or end there, in no order: LWI_NONE: it is the last, or the first.
  uint32_t next_from, before_from, next_to, before_to;
} lwi_live_link;

/// A link that begins on that part of a block's ground.
typedef struct lwi_found_link {
  uint32_t part, number;
} lwi_found_link;

/// Off-mesh links.
typedef struct lwi_live_links {
  uint32_t *first_to; ///< [base polygons + 1] The base's by the polygon where they end:
  uint32_t *to;       ///< [base links]
  lw_link_id *ids;    ///< [base links] NULL: none.
  const lwi_link_clearances *clearances;
  lwi_live_link *states; ///< [state_count] By number; those behind are as in the base.
  int state_count, state_capacity;
  uint32_t *added_from, *added_to; ///< [base polygons] The first one that was added. NULL: none ever was.
  lwi_found_link *found;           ///< [found_count] Those of a block.
  int found_count, found_capacity;
} lwi_live_links;

/// What footprints make of ground that they do not cut out.
typedef struct lwi_live_marks {
  int cost_count;                      ///< Of the footprints that meet ground, those that have a cost.
  bool has_costs;                      ///< As they were applied last, some have.
  uint32_t lowered[LWI_HEADROOM_OPEN]; ///< lwi_mesh_live.lowered
} lwi_live_marks;

struct lwi_live {
  lwi_memory *memory;
  const lw_navmesh *base;
  lw_navmesh mesh;
  lwi_live_array arrays[LWI_LIVE_ARRAYS];
  lwi_runs runs[LWI_LIVE_KINDS];
  uint32_t counts[LWI_LIVE_KINDS]; ///< Numbers for which the arrays have space, and are filled in.
  lwi_span *pieces;                ///< [ground] mesh.live.pieces
  uint32_t *block_of;              ///< [ground] LWI_NONE: none.
  uint32_t *seen, stamp;           ///< [ground] Equal to the stamp: seen in this round.
  lwi_split_list splits;
  lwi_islands islands;
  lwi_block_list blocks;
  lwi_number_list dirty, unlinked; ///< Ground.
  lwi_number_list relinked;        ///< Polygons of the base of which the links that leave them have changed.
  lwi_number_list changed;         ///< Polygons of the base, by the last lwi_live_apply().
  lwi_live_entry *entries;         ///< [entry_capacity] By number of the footprint.
  int entry_capacity;
  lwi_live_marks marks;
  lwi_live_links links;
  lwi_cutter cut;
  lwi_cut_outline outline; ///< Of the polygon that is being cut,
  lwi_cut_outline strip;   ///< and a part of it.
  lwi_join_scratch join;
};

/// Copy what cuts change, at the first of them. @return false: no memory, and nothing has changed.
bool lwi_live_start(lwi_live *live);
/// A run of neighbouring numbers, with space in the arrays. @return Space 0: no memory.
lwi_slot_run lwi_live_take(lwi_live *live, lwi_live_kind kind, uint32_t count);
void lwi_live_give_back(lwi_live *live, lwi_live_kind kind, lwi_slot_run *run);
/// The links that leave a polygon are to be joined again.
void lwi_live_relink(lwi_live *live, lwi_block *block);
/// Mark these polygon numbers as unused.
void lwi_live_clear(lwi_live *live, lwi_slot_run run);
/// A block for ground that has none. @return NULL: no memory.
lwi_block *lwi_live_make_block(lwi_live *live, uint32_t ground);
/// The block of ground, which is created if there is none. @return NULL: no memory.
static inline lwi_block *lwi_live_block(lwi_live *live, uint32_t ground) {
  const uint32_t number = live->block_of[ground];
  return number != LWI_NONE ? &live->blocks.items[number] : lwi_live_make_block(live, ground);
}
/// Free the block's number.
void lwi_live_free_block(lwi_live *live, lwi_block *block);
/// It is to be cut again.
void lwi_live_mark_dirty(lwi_live *live, lwi_block *block);
/// The ground's portals, or those to it, are to be computed again. @return false: no memory.
bool lwi_live_unlink(lwi_live *live, uint32_t ground);
/// Do links exist, so that they are shown?
static inline bool lwi_live_has_links(const lwi_live *live) {
  return live->base->links.count > 0 || live->links.added_from;
}
/// Show the arrays to queries.
void lwi_live_publish(lwi_live *live);
/// Is the footprint of that number listed with the block's ground?
bool lwi_live_is_listed(const lwi_block *block, uint32_t number);
/// Begin to mark ground as seen.
void lwi_live_begin_round(lwi_live *live);
/// The footprint meets the ground, which is to be cut again. @return false: no memory.
bool lwi_live_list(lwi_live *live, uint32_t number, uint32_t ground);

/* --- live_squares.c --------------------------------------------------------------------------------------- */

static inline bool lwi_live_is_split(const lwi_live *live, uint32_t polygon) {
  return live->pieces[polygon].first == LWI_SPLIT;
}
/// A footprint is listed with a polygon: if that has squares, or is wide and needs them now, list it with those
/// that it meets. @return false: no memory.
bool lwi_live_meet_squares(lwi_live *live, uint32_t number, uint32_t polygon);
/// Split a polygon that has squares, or put it back if few footprints meet it. @return false: it was split, and
/// is.
bool lwi_live_split(lwi_live *live, lwi_block *block);
/// Free the squares of a polygon that is not split. They may be in no list of blocks that is used later.
void lwi_live_free_squares(lwi_live *live, lwi_block *block);
void lwi_live_free_splits(lwi_live *live);
/// List in `join.across` squares of a split polygon that may reach into a rectangle, each once.
/// @return false: no memory.
bool lwi_live_list_squares(lwi_live *live, uint32_t split, const lwi_square *rectangle);
static inline const lwi_square *lwi_square_of(const lwi_live *live, const lwi_block *block) {
  const lwi_split *split = &live->splits.items[block->split];
  return &split->squares[block->ground - split->first];
}

/* --- live_heights.c --------------------------------------------------------------------------------------- */

/// Where a footprint that is cut out leaves less above the ground than this, nobody passes, however low. [m]
#define LWI_GAP_MIN 0.4F

/// What a footprint has to do with a polygon of the base.
typedef struct lwi_live_meeting {
  lwi_cut_amount amount; ///< How much within its outline has heights that it meets.
  bool hangs;            ///< Over the rest it leaves less headroom than there is.
  bool is_met;           ///< Agents as high as those of the bake would meet it there.
  lwi_live_gap gap;      ///< Where it hangs.
} lwi_live_meeting;
/// @return false: no memory.
bool lwi_live_meets(lwi_live *live, const lwi_live_entry *footprint, uint32_t polygon,
                    lwi_live_meeting *meeting);
/// List the slopes of a polygon of the base that reach into a shape's bounds. @return false: no memory.
bool lwi_live_take_slopes(lwi_live *live, uint32_t polygon, const lwi_cut_shape *shape);
/// The heights of the surface that a footprint meets: from its bottom, less the gap that nobody passes below
/// it, to its top. On the slopes that are listed.
lwi_cut_heights lwi_live_heights(const lwi_live *live, const lwi_live_entry *footprint);
/// Does a footprint meet the height of the surface anywhere between two places on a polygon of the base?
/// @param height  Of an agent that is to pass below it. [m]
bool lwi_live_meets_between(const lwi_live *live, const lwi_live_entry *footprint, uint32_t polygon,
                            lwi_point2 from, lwi_point2 to, float height);

/// How far a footprint is above a polygon of the base, with its slopes there listed. @param[out] is_there
/// false: it is not above it. @return false: no memory.
bool lwi_live_gap_below(lwi_live *live, const lwi_live_entry *footprint, uint32_t polygon, lwi_live_gap *gap,
                        bool *is_there);
/// A part of the ground below a footprint: that from one gap to the next of those along which it is divided.
typedef struct lwi_live_band {
  lwi_cut_heights heights; ///< Of the surface in that part, and where the gap is smaller.
  bool all;                ///< All of the outline is in it.
  uint8_t headroom;        ///< Of the smallest gap in that part: headroom.h.
} lwi_live_band;
/// Iterate over these parts, from the smallest gap on. @param[in, out] band  `headroom` is 0: begin.
/// @return false: there are no more, or they have as much headroom without the footprint.
bool lwi_live_next_band(const lwi_live *live, const lwi_live_entry *footprint, uint32_t polygon,
                        const lwi_live_gap *gap, lwi_live_band *band);

/* --- live_cut.c ------------------------------------------------------------------------------------------- */

/// Cut ground by its footprints, or put a polygon back where there are none. @return false: no memory.
bool lwi_live_cut(lwi_live *live, lwi_block *block);
/// Let there be nothing of a polygon of the base but pieces.
void lwi_live_hide(lwi_live *live, lwi_block *block, lwi_span pieces);
/// Put ground back, as it is in the base.
void lwi_live_restore(lwi_live *live, lwi_block *block);
/// Write the corners of a polygon to `outline`. @return false: no memory.
bool lwi_live_take_outline(lwi_live *live, uint32_t polygon);

/* --- live_edges.c ----------------------------------------------------------------------------------------- */

/// Edges that overlap less have no portal, but for short ones: those need a quarter of the shorter one, and at
/// least LWI_OVERLAP_SHORT. [m]
#define LWI_OVERLAP_MIN 5e-3
#define LWI_OVERLAP_SHORT 1e-4

double lwi_edge_line_place(const lwi_edge_line *line, lwi_point2 at);
/// From the edge's beginning, 0, to its end, 1.
lwi_edge_line lwi_edge_line_of(const lw_navmesh *base, uint32_t polygon, uint32_t edge);
/// Along one that splits a wide polygon, in metres. @param origin  From LWI_LINE_ORIGIN on.
static inline lwi_edge_line lwi_edge_line_of_squares(uint32_t origin) {
  const bool is_row = origin >= LWI_LINE_ORIGIN + LWI_ROW_LINES;
  return (lwi_edge_line){{0, 0}, is_row ? 1 : 0, is_row ? 0 : 1, 1};
}
/// Where both edges are: from `low` to `high`, which are the wrong way round where they do not overlap.
static inline void lwi_line_edges_overlap(const lwi_line_edge *a, const lwi_line_edge *b, double *low,
                                          double *high) {
  *low = lwi_larger(lwi_smaller(a->begin, a->end), lwi_smaller(b->begin, b->end));
  *high = lwi_smaller(lwi_larger(a->begin, a->end), lwi_larger(b->begin, b->end));
}
/// Is that enough for a portal? Short edges have one as short: without any they would be walls amid ground,
/// which agents larger than the bake's keep away from. @param unit  Of places. [m]
static inline bool lwi_is_overlap(const lwi_line_edge *a, const lwi_line_edge *b, double unit, double low,
                                  double high) {
  const double shorter = lwi_smaller(fabs(a->end - a->begin), fabs(b->end - b->begin)) * unit;
  const double needed = lwi_smaller(LWI_OVERLAP_MIN, lwi_larger(LWI_OVERLAP_SHORT, shorter / 4));
  return (high - low) * unit >= needed;
}
/// The part of an edge between two places on its line. @param unit  Of places. [m]
lwi_portal_interval lwi_line_edge_part(const lwi_line_edge *edge, double from, double to, double unit);
/// Add a portal over an edge. @return false: no memory.
static inline bool lwi_live_add_portal(lwi_live *live, lwi_portal_list *list, const lwi_line_edge *from,
                                       const lwi_line_edge *to, lwi_portal_interval interval, uint8_t step) {
  if (!lwi_reserve(live->memory, &list->items, &list->capacity, list->count + 1, sizeof *list->items))
    return false;
  list->items[list->count++] = (lwi_live_portal){from->polygon, to->polygon, from->edge, interval, step};
  return true;
}
/// Note the edges of the pieces that were just cut: those on the border, and the portals among them.
/// @return false: no memory.
bool lwi_live_take_edges(lwi_live *live, lwi_block *block);
/// Add to `join.edges` those on the block's border that come from there, along the line, within a part of it
/// but for less than LWI_OVERLAP_MIN. @return false: no memory.
bool lwi_live_list_rim(lwi_live *live, const lwi_block *block, uint32_t origin, const lwi_edge_line *line,
                       lwi_line_part part);

/* --- live_portals.c --------------------------------------------------------------------------------------- */

/// Make the portals of ground, or those of its pieces. @return false: no memory.
bool lwi_live_join(lwi_live *live, lwi_block *block);
/// The portals that a polygon has in the base.
void lwi_live_restore_portals(lwi_live *live, lwi_block *block);
/// The portals of a polygon of the base that may concern ground in it.
lwi_span lwi_live_base_portals(const lwi_live *live, const lwi_block *block);
/// List in `join.across` the ground that borders on the block's along one of them. @return false: no memory.
bool lwi_live_list_across(lwi_live *live, const lwi_block *block, const lwi_portal *portal);
/// List in `join.across` the squares that a square meets on lines. @return false: no memory.
bool lwi_live_list_beside(lwi_live *live, const lwi_block *block);

/* --- live_islands.c --------------------------------------------------------------------------------------- */

/// Update the labels of what the round has cut and joined, and of what that connects or separates.
/// @return false: no memory; then labels are wrong.
bool lwi_live_label(lwi_live *live);

/* --- live_journal.c --------------------------------------------------------------------------------------- */

/// Note what the round touched, before it is unmarked. There is space for it.
void lwi_live_note_changes(lwi_live *live);

/* --- live_links.c ----------------------------------------------------------------------------------------- */

/// List links by where they end. @return false: no memory.
bool lwi_live_index_links(lwi_live *live);
void lwi_live_free_links(lwi_live *live);
/// Mark these link numbers as unused.
void lwi_live_clear_links(lwi_live *live, lwi_slot_run run);
/// Show the base's links as they are there.
void lwi_live_copy_links(lwi_live *live);
/// Free what is known of links.
void lwi_live_forget_links(lwi_live *live);
/// Links that leave a polygon, or its pieces. @return false: no memory.
bool lwi_live_join_links(lwi_live *live, lwi_block *block);
/// The links that a polygon has in the base, but for where they end.
void lwi_live_restore_links(lwi_live *live, lwi_block *block);
/// The links that end on ground are to be computed again. @return false: no memory.
bool lwi_live_unlink_links_to(lwi_live *live, uint32_t ground);

#endif
