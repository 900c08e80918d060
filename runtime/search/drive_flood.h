/// What it costs to get to a goal past places that are blocked: a flood from the goal over places a metre
/// apart, until it has found the start. Distance fields know nothing of what only stands there.
#ifndef LW_SEARCH_DRIVE_FLOOD_H
#define LW_SEARCH_DRIVE_FLOOD_H

#include "core/hash_index.h"
#include "core/heap.h"
#include "search/drive_body.h"

typedef struct lwi_drive_place {
  lw_location at;
  float cost; ///< [metre-equivalents]
} lwi_drive_place;

typedef struct lwi_drive_flood {
  lwi_memory *memory;
  lwi_drive_place *places; ///< [count]
  int count, capacity;
  lwi_hash_index cells;
  lwi_heap open;
} lwi_drive_flood;

void lwi_drive_flood_free(lwi_drive_flood *flood);
/// @param to  The start of the drive: the flood ends somewhat beyond it.
/// @return false: no memory, and it knows nothing.
bool lwi_drive_flood_run(lwi_drive_flood *flood, const lwi_drive_body *body, lw_location goal, lw_vec3 to);
/// @return INFINITY: it did not get there. [metre-equivalents]
float lwi_drive_flood_rest(const lwi_drive_flood *flood, lw_vec3 at);

#endif
