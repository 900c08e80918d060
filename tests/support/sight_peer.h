/// Lines of sight through a level's triangles without this library: a tree of boxes by the surface
/// area heuristic, four to a node, four triangles to a leaf. Shares nothing with the runtime but the triangles.
#ifndef LW_TESTS_SIGHT_PEER_H
#define LW_TESTS_SIGHT_PEER_H

#include "leeward/geometry.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sight_peer sight_peer;

/// Of all triangles that are not see-through. The caller frees it with sight_peer_destroy().
sight_peer *sight_peer_create(const lw_geometry *geometry);
void sight_peer_destroy(sight_peer *peer);
/// Is there nothing between the two points, but for what is within a millimetre of either?
bool sight_peer_sees(const sight_peer *peer, lw_vec3 eye, lw_vec3 target);
size_t sight_peer_bytes(const sight_peer *peer);

/// A segment seen from an eye at some heights above it.
typedef struct sight_question {
  lw_vec3 eye, from, to;
  const float *heights; ///< [height_count]
  int height_count;
} sight_question;

/// Which part of a segment is seen at any height: by points in the middle of steps of `spacing`. [0..1]
/// @param[out] rays  Counts on. May be NULL.
double sight_peer_exposed(const sight_peer *peer, const sight_question *question, float spacing, long *rays);
/// The same with each change from seen to hidden found to half a millimetre: what others are measured by.
/// [0..1]
double sight_peer_exposed_truly(const sight_peer *peer, const sight_question *question, float spacing);

#ifdef __cplusplus
}
#endif
#endif
