/// Who watches a way, and what it costs to be seen on a straight piece.
#ifndef LW_SEARCH_WATCH_H
#define LW_SEARCH_WATCH_H

#include "cover/outlook.h"
#include "mesh/mesh.h"

/// Who watches, and what it costs. Borrowed.
typedef struct lwi_watch {
  const lw_navmesh *mesh;
  lwi_sight sight;
  /// By the depth maps of those threats that count for most: a search looks for a path by them, and what it finds is charged by
  /// `sight`, for all threats. NULL: it searches by `sight` too.
  lwi_outlook *outlook;
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

/// What a straight piece over one polygon costs for being seen there. [metre-equivalents]
/// @param rough  By the outlook's maps. @param[out] seen  May be NULL. @return A negative number: no memory.
float lwi_watch_price(const lwi_watch *watch, bool rough, uint32_t polygon, lw_vec3 from, lw_vec3 to,
                      lwi_seen *seen);

/// What a metre costs about a place on a polygon for being seen, by the outlook. [metre-equivalents]
float lwi_watch_rate(const lwi_watch *watch, uint32_t polygon, lw_vec3 at);
/// A guess of lwi_watch_price(), by what the outlook says of places on the way.
float lwi_watch_guess(const lwi_watch *watch, uint32_t polygon, lw_vec3 from, lw_vec3 to);

#endif
