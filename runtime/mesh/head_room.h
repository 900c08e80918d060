/// How much head room there is over a polygon: the one measure of what is too low for an agent.
#ifndef LW_MESH_HEAD_ROOM_H
#define LW_MESH_HEAD_ROOM_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define LWI_ROOM_STEPS 20 ///< Steps of a head room. [1/m]
#define LWI_ROOM_OPEN 255 ///< This head room, or more; or nobody has measured it.

/// Head room in whole steps, rounded down. @param room  [m, >= 0]
static inline uint8_t lwi_room_byte(double room) {
  const double steps = floor(room * LWI_ROOM_STEPS + 1e-2); /* of a step: what floats round off */
  return (uint8_t)(steps >= LWI_ROOM_OPEN ? LWI_ROOM_OPEN : steps);
}

/// That head room. INFINITY: LWI_ROOM_OPEN. [m]
static inline float lwi_room_of(uint8_t room) {
  return room == LWI_ROOM_OPEN ? INFINITY : (float)room / LWI_ROOM_STEPS;
}

/// May somebody of that height stand under that head room?
/// @param height  [m] @param kept  The height that the navmesh was baked for: it may lie between two steps, and ground
///   that was kept for it is as high. [m]
static inline bool lwi_has_room(uint8_t room, float height, float kept) {
  if (room == LWI_ROOM_OPEN || height * LWI_ROOM_STEPS <= (float)room + 1e-2f) return true;
  return height <= kept && floorf(kept * LWI_ROOM_STEPS + 1e-2f) <= (float)room;
}

#endif
