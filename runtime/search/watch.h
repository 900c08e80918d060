/// Who watches a way, and what it costs to be seen on a straight piece.
#ifndef LW_SEARCH_WATCH_H
#define LW_SEARCH_WATCH_H

#include "cover/exposure.h"
#include "mesh/mesh.h"

/// Who watches, and what it costs. Borrowed.
typedef struct lwi_watch {
  const lw_navmesh *mesh;
  lwi_sight sight;
  /// The threats' depth maps, by which a search guesses what the path that it finds is charged for exactly. NULL: it does
  /// not guess. [threat_count]
  lwi_depth_map *const *guides;
  const lwi_depth_scene *scene; ///< Of the guides.
  lw_exposure_query query;      ///< Threats and heights; the ends are set for each piece.
  float factor;                 ///< Of a weighted exposed metre, cover_bias - 1. [metre-equivalents, >= 0]
  float worst;                  ///< No metre costs more.
  lwi_memory *memory;           ///< Of the room.
  lwi_exposure_room *room;
} lwi_watch;

/// What is seen of a straight piece.
typedef struct lwi_seen {
  float exposed;     ///< By any. [m]
  float *exposed_to; ///< Room for what each threat sees. [threat_count] [m]
} lwi_seen;

/// What a straight piece over one polygon costs for being seen there. [metre-equivalents]
/// @param[out] seen  May be NULL. @return A negative number: no memory.
float lwi_watch_price(const lwi_watch *watch, uint32_t polygon, lw_vec3 from, lw_vec3 to, lwi_seen *seen);

/// What a metre costs about a place for being seen, whatever the ground, by the guides. [metre-equivalents]
float lwi_watch_rate(const lwi_watch *watch, lw_vec3 at);
/// A guess of lwi_watch_price(), from the rates at both ends and at places between them.
float lwi_watch_guess(const lwi_watch *watch, lw_vec3 from, float rate_from, lw_vec3 to, float rate_to,
                      lw_area_id area);

#endif
