/// Who watches a way, and what it costs to be seen on a straight piece.
#ifndef LW_SEARCH_WATCH_H
#define LW_SEARCH_WATCH_H

#include "cover/exposure.h"
#include "mesh/mesh.h"

/// Who watches, and what it costs. Borrowed.
typedef struct lwi_watch {
  const lw_navmesh *mesh;
  lwi_sight sight;
  lw_exposure_query query; ///< Threats and heights; the ends are set for each piece.
  float factor;            ///< Of a weighted exposed metre, cover_bias - 1. [metre-equivalents, >= 0]
  float worst;             ///< No metre costs more.
  lwi_memory *memory;      ///< Of the room.
  lwi_exposure_room *room;
} lwi_watch;

/// What is seen of a straight piece.
typedef struct lwi_seen {
  float exposed;     ///< By any. [m]
  float *exposed_to; ///< Room for what each threat sees. [threat_count] [m]
} lwi_seen;

/// What a straight piece over one area costs for being seen there. [metre-equivalents]
/// @param[out] seen  May be NULL. @return A negative number: no memory.
float lwi_watch_price(const lwi_watch *watch, lw_vec3 from, lw_vec3 to, lw_area_id area, lwi_seen *seen);

#endif
