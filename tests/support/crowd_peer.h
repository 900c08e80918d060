/// DetourCrowd on our own polygons, to compare with. For tests and benchmarks alone.
#ifndef LW_TESTS_CROWD_PEER_H
#define LW_TESTS_CROWD_PEER_H

#include "detour_peer.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct crowd_peer crowd_peer;
typedef struct crowd_peer_def {
  int agents; ///< At most.
  float radius, height, speed, acceleration;
  int quality; ///< Of avoidance: 0..3, with the parameters of RecastDemo.
} crowd_peer_def;

/// @param detour  Borrowed. @return NULL: it could not be made.
crowd_peer *crowd_peer_create(peer *detour, const crowd_peer_def *def);
void crowd_peer_destroy(crowd_peer *crowd);
/// @return The agent's number, from 0; -1: refused.
int crowd_peer_add(crowd_peer *crowd, lw_vec3 at);
bool crowd_peer_send(crowd_peer *crowd, int agent, lw_vec3 goal);
void crowd_peer_step(crowd_peer *crowd, float dt);
void crowd_peer_get(const crowd_peer *crowd, int agent, lw_vec3 *at, lw_vec3 *velocity);

#ifdef __cplusplus
}
#endif
#endif
