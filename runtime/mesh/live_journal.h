/// What the last changes of a live navmesh touched, for those that keep up with it when they are asked again:
/// labels of what is connected, by filter, and clearance.
#ifndef LW_MESH_LIVE_JOURNAL_H
#define LW_MESH_LIVE_JOURNAL_H

#include "mesh/mesh.h"

/// Ground that a change touched: a polygon of the base, or a square of a split polygon.
typedef struct lwi_ground_touch {
  uint32_t version; ///< After lwi_live_journal.start.
  uint32_t ground;
  uint32_t leader : 30; ///< Ground of the same cluster in this change, equal for all of it.
  uint32_t is_new : 1;  ///< It was cut, or put back; else only its portals, or links, differ.
  uint32_t has_links : 1;
} lwi_ground_touch;

/// Grounds have smaller numbers.
#define LWI_LEADER_MAX 0x3fffffffU

/// A ring: what is too long ago is forgotten. Begin with zeros and `limit`.
typedef struct lwi_live_journal {
  lwi_ground_touch *items; ///< [count] From `first` on, and then from the beginning.
  int count, capacity, first;
  int limit;
  uint64_t start;
  uint64_t known_from; ///< Of the version: all later changes are there.
} lwi_live_journal;

void lwi_live_journal_free(lwi_live_journal *journal, lwi_memory *memory);
/// Forget all changes up to a version.
void lwi_live_journal_forget(lwi_live_journal *journal, uint64_t version);
/// Make space for `count` more. @return false: no memory.
bool lwi_live_journal_reserve(lwi_live_journal *journal, lwi_memory *memory, int count);
/// There is space for it. @param version  Not lower than that of the last one.
/// @param touch  But for its version.
void lwi_live_journal_add(lwi_live_journal *journal, uint64_t version, lwi_ground_touch touch);

/// The `i`-th one, the oldest first.
static inline const lwi_ground_touch *lwi_live_journal_at(const lwi_live_journal *journal, int i) {
  const int at = journal->first + i;
  return &journal->items[at < journal->count ? at : at - journal->count];
}
/// Are all changes since a version there?
static inline bool lwi_live_journal_knows(const lwi_live_journal *journal, uint64_t version) {
  return version >= journal->known_from;
}
/// What is there of ground: of a polygon of the base, itself or its pieces, unless it is split; or of a square.
static inline lwi_span lwi_ground_parts(const lw_navmesh *mesh, uint32_t ground) {
  const lwi_span pieces = mesh->live.pieces ? mesh->live.pieces[ground] : (lwi_span){LWI_NONE, 0};
  if (pieces.first == LWI_NONE) return (lwi_span){ground, ground < lwi_base_count(mesh) ? 1 : 0};
  return pieces.first == LWI_SPLIT ? (lwi_span){0, 0} : pieces;
}

/// The polygon of the base that ground is or is in. @return LWI_NONE: it is no longer a square.
uint32_t lwi_ground_polygon(const lw_navmesh *mesh, uint32_t ground);
/// @return Of the first change after a version, for lwi_live_journal_at().
int lwi_live_journal_since(const lwi_live_journal *journal, uint64_t version);

#endif
