/// Ways that are watched: what it costs to be seen on a straight piece, and a way pulled towards cover.
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

/// What a straight piece over one area costs for being seen there. [metre-equivalents]
/// @param[out] exposed  Seen by any. [m] May be NULL. @return A negative number: no memory.
float lwi_watch_price(const lwi_watch *watch, lw_vec3 from, lw_vec3 to, lw_area_id area, float *exposed);

/// A way through gates: points[0] is the start, points[i + 1] lies on gate i, the last is the goal.
typedef struct lwi_watched_way {
  int gate_count;
  const struct lwi_gate *gates; ///< [gate_count]
  const uint32_t *polygons;     ///< [gate_count + 1] Of the pieces.
  const float *prices;          ///< [gate_count + 1] Of a metre, seen or not.
  lw_vec3 *points;              ///< [gate_count + 2]
} lwi_watched_way;

/// What the whole way costs. @return A negative number: no memory.
double lwi_watched_cost(const lwi_watch *watch, const lwi_watched_way *way);
/// Move the points along their gates while that makes the way cheaper, one after the other. @return false: no memory.
bool lwi_watched_improve(const lwi_watch *watch, const lwi_watched_way *way);

#endif
