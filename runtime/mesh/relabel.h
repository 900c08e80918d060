/// Labels of what is connected, updated where a graph changes: regions that portals connect have equal labels,
/// others have different ones.
///
/// The caller says what is touched: regions that are new, or whose portals have changed. All other regions are
/// as they were, and their portals. What was there before and is no longer lay in clusters: whatever was
/// connected through it bordered on it, is touched, and is in the same cluster. So the work grows with what is
/// touched, and with the smaller of the parts that separate or meet, and not with what there is.
#ifndef LW_MESH_RELABEL_H
#define LW_MESH_RELABEL_H

#include "mesh/mesh.h"

/// A touched region that has a label, sorted by class, and within it by group or label.
typedef struct lwi_member {
  uint32_t key, part, region;
} lwi_member;

/// A region that a flood reached, and the next one of the same flood.
typedef struct lwi_flooded {
  uint32_t region, next;
} lwi_flooded;

/// A flood, and what it has reached: `flooded` by number.
typedef struct lwi_flood {
  uint32_t parent;            ///< Of a set of those that have met: union-find.
  uint32_t part;              ///< lwi_member.part of the regions where it began.
  uint32_t label;             ///< Of a set that has got a new one, at its root; LWI_NONE: none.
  uint32_t first, last, next; ///< `next` is the first one that it has not left yet, LWI_NONE: it is at its end.
  int running;                ///< Of a set, at its root: how many of it are not at their end.
} lwi_flood;

/// Numbers of something.
typedef struct lwi_number_list {
  uint32_t *items; ///< [count]
  int count, capacity;
} lwi_number_list;

typedef struct lwi_member_list {
  lwi_member *items; ///< [count]
  int count, capacity;
} lwi_member_list;

typedef struct lwi_flood_list {
  lwi_flood *items; ///< [count]
  int count, capacity;
} lwi_flood_list;

typedef struct lwi_flooded_list {
  lwi_flooded *items; ///< [count]
  int count, capacity;
} lwi_flooded_list;

/// What is labelled, and scratch that any number of graphs share. Begin with zeros and `memory`.
typedef struct lwi_relabel {
  lwi_memory *memory;
  lwi_graph graph;
  const lw_filter *filter; ///< NULL: all areas pass.
  uint32_t *labels;    ///< [graph.region_count] LWI_NONE where the filter does not pass, or nothing is there.
  uint32_t next_label; ///< Labels from here on were not used yet.
  bool has_new;        ///< Labels have changed, other than by being given to what is new.
  bool has_spread;     ///< So have labels of regions that may not be touched.
  uint32_t *visits;    ///< [visit_capacity] By region: equal to `visit` where it is visited,
  uint32_t *groups;    ///< [group_capacity] and the group or flood that visited it.
  int visit_capacity, group_capacity;
  uint32_t visit;
  lwi_number_list touched;              ///< Regions,
  lwi_number_list group_of, cluster_of; ///< and theirs, which have no counts of their own.
  lwi_number_list clusters;             ///< Union-find.
  lwi_number_list marks;                ///< Of clusters, or groups: what their members have in common.
  lwi_number_list classes_of;           ///< Labels that have met another one, rising,
  lwi_number_list classes;              ///< and union-find of them.
  lwi_member_list members;
  lwi_flood_list floods;
  lwi_flooded_list flooded;
  lwi_number_list running; ///< Floods that are not at their end.
  lwi_number_list stack;
  int group_count, running_sets;
} lwi_relabel;

/// Begin: nothing is touched. Clusters stay; the caller then sets `next_label`. @return false: no memory.
bool lwi_relabel_begin(lwi_relabel *work, const lwi_graph *graph, const lw_filter *filter, uint32_t *labels);
/// Let there be `count` clusters, each by itself. @return false: no memory.
bool lwi_relabel_set_clusters(lwi_relabel *work, int count);
/// Let two clusters be one.
void lwi_relabel_join(lwi_relabel *work, uint32_t a, uint32_t b);
/// @return A number that all clusters that were joined with it share.
uint32_t lwi_relabel_cluster(lwi_relabel *work, uint32_t cluster);
/// Touch a region, unless it is. @param is_new  Its label does not count. @return false: no memory.
bool lwi_relabel_touch(lwi_relabel *work, uint32_t region, uint32_t cluster, bool is_new);
/// Update the labels of what is touched, and of what that connects or separates.
/// @return false: no memory; then labels are wrong.
bool lwi_relabel_run(lwi_relabel *work);
void lwi_relabel_free(lwi_relabel *work);

#endif
