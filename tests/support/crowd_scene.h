/// Scenes in which many agents meet, for tests and benchmarks: what moves the agents, ours or a peer, is
/// held against the same rules, by brute force over all pairs.
#ifndef LW_TESTS_CROWD_SCENE_H
#define LW_TESTS_CROWD_SCENE_H

#include "leeward/leeward.h"

#define CROWD_RADIUS 0.4f /* [m] */
#define CROWD_DT (1.0f / 60)

/// What moves agents.
typedef struct crowd_mover {
  const char *name;
  void *user;
  void (*send)(void *user, int agent, lw_vec3 goal);
  void (*step)(void *user);
  void (*get)(void *user, int agent, lw_vec3 *at, lw_vec3 *velocity);
  /// Has it stopped, at its goal or not? NULL: that is not known.
  bool (*rests)(void *user, int agent);
} crowd_mover;

typedef enum crowd_scene_kind {
  CROWD_CIRCLE,
  CROWD_DOOR,
  CROWD_DOOR_BOTH,
  CROWD_CORRIDOR,
  CROWD_BEND, ///< A passage round a corner, from both sides: all paths touch that.
  CROWD_MOUTH ///< A passage that ends at a wide place, where both sides turn round its corner.
} crowd_scene_kind;

/// A scene on ground of its own.
typedef struct crowd_scene {
  crowd_scene_kind kind;
  int count;
  float seconds;      ///< When it is given up.
  lw_vec3 *from, *to; ///< [count] Owned.
} crowd_scene;

/// Agents of 3.5 m/s that avoid each other, with the limits of a runner's body.
lw_profile_def crowd_runner(void);
/// The ground of a scene. The caller destroys it.
lw_geometry *crowd_scene_ground(const lw_area_table *areas, crowd_scene_kind kind);
/// @param seed  Places differ a little by it.
crowd_scene crowd_scene_open(crowd_scene_kind kind, int count, uint64_t seed);
void crowd_scene_close(crowd_scene *scene);

/// What is counted of a run.
typedef struct crowd_result {
  int arrived;
  double last;    ///< When the last agent arrived. [s]
  double through; ///< At a door: agents a second, between the first and the last one. [1/s]
  long overlaps;  ///< Pairs that began to overlap by more than 5 cm.
  double worst;   ///< The deepest overlap. [m]
  double jitter;  ///< Mean change of direction of those that move. [degrees/s]
  double agent_minutes;
  long arrivals;    ///< Of roaming agents.
  long gave_up;     ///< Of roaming agents that stopped elsewhere.
  double longest;   ///< That a roaming agent stayed within 1 m before it arrived or gave up. [s]
  double mean, p99; ///< Of a step. [s]
} crowd_result;

/// Run a scene. Agents have been added at `from`, in that order.
crowd_result crowd_scene_run(const crowd_scene *scene, const crowd_mover *mover);
/// Let agents roam for some seconds: each is sent to a new place once it has arrived or has given up.
/// @param draw  A place to go to, drawn uniformly.
typedef lw_vec3 (*crowd_draw)(void *user);
crowd_result crowd_roam(const crowd_mover *mover, int count, float seconds, crowd_draw draw, void *user);

#endif
