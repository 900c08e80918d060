/// How much is seen at the spots of a navmesh by one set of threats: looked up once, for as long as the threats stay. A search
/// guesses by it.
#ifndef LW_COVER_OUTLOOK_H
#define LW_COVER_OUTLOOK_H

#include "cover/exposure.h"
#include "cover/guides.h"
#include "cover/spots.h"

typedef struct lwi_outlook_spot {
  uint32_t stamp; ///< Of the threats that it was looked up for; others: not yet.
  float seen;     ///< The sum over the threats that see any height of a body there of weight x fall-off.
} lwi_outlook_spot;

/// Begin with zeros.
typedef struct lwi_outlook {
  const lwi_spots *spots;
  lwi_sight sight; ///< With the threats' maps.
  lw_exposure_query query;
  lw_threat threats[LWI_GUIDES_MAX];
  lwi_depth_map *maps[LWI_GUIDES_MAX];
  uint32_t over[LWI_SIGHT_OVER];
  uint32_t stamp;
  lwi_outlook_spot *items; ///< [spots->count]
} lwi_outlook;

/// Look out for these threats from now on. What was looked up stays if they are the same as before, with bodies of the same heights.
/// @param query  Its threats [0..LWI_GUIDES_MAX] and heights. @param sight  With a map for each threat.
/// @return false: no memory.
bool lwi_outlook_turn(lwi_outlook *outlook, const lwi_spots *spots, const lwi_sight *sight,
                      const lw_exposure_query *query);
void lwi_outlook_free(lwi_outlook *outlook);
float lwi_outlook_look(lwi_outlook *outlook, uint32_t polygon, uint32_t spot);
/// How much is seen of one who stands about there.
static inline float lwi_outlook_at(lwi_outlook *outlook, uint32_t polygon, lw_vec3 at) {
  uint32_t spot = lwi_spots_at(outlook->spots, polygon, at);
  const lwi_outlook_spot *item = &outlook->items[spot];
  return item->stamp == outlook->stamp ? item->seen : lwi_outlook_look(outlook, polygon, spot);
}

#endif
