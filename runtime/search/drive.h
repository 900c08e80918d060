/// A drive: what a search over poses leaves to its caller.
#ifndef LW_SEARCH_DRIVE_H
#define LW_SEARCH_DRIVE_H

#include "core/memory.h"
#include "leeward/drive.h"

struct lw_drive {
  lwi_memory memory;
  int navmesh;            ///< World index.
  lw_drive_point *points; ///< [count]
  int count, capacity;    ///< Of points.
  float reversed;         ///< [m]
  float cost;             ///< [metre-equivalents]
  int cusps;
  int nodes; ///< That were expanded for it.
};

/// @return Owned by the caller, without points; NULL: no memory.
lw_drive *lwi_drive_make(const lw_allocator *allocator);
/// Add a point. @return false: no memory.
bool lwi_drive_add(lw_drive *drive, const lw_drive_point *point);
/// Fill what is counted from its points.
void lwi_drive_sum_up(lw_drive *drive);
/// The heading of its trailer. @param piece  The point that `along` comes after. [m] @return [rad]
float lwi_drive_trailer_at(const lw_drive *drive, int piece, float along);
/// End it there, if it is longer. [m]
void lwi_drive_cut(lw_drive *drive, float along);
/// Let another drive, which begins where this one ends, follow on it. @return false: no memory.
bool lwi_drive_append(lw_drive *drive, const lw_drive *next);
/// The same from a place of the other one on, which is where this one ends. @param piece  The point that
/// `along` comes after. [m] @return false: no memory.
bool lwi_drive_append_from(lw_drive *drive, const lw_drive *next, int piece, float along);
/// @return Owned by the caller; NULL: no memory.
lw_drive *lwi_drive_copy(const lw_drive *drive, const lw_allocator *allocator);

#endif
