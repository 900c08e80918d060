/// @file id.h
/// Ids of what lives in a world: small structs, a type for each kind, to be copied and stored.
///
/// An id names a slot of its world, the generation of that slot (how often it has been used), and the world. An
/// id whose bytes are all zero names nothing. Compare ids with lw_..._id_equal(). The id of a removed item is
/// detected as stale, and so is an id of another world: the numbers of worlds repeat only after a process has
/// created 65,535 of them. A world holds at most 16,777,215 items of a kind at a time; a slot is used as often,
/// and never again.
///
/// Threads: the functions of this header may run on any thread.
#ifndef LEEWARD_ID_H
#define LEEWARD_ID_H

#include "leeward/base.h"

/// An agent (agent.h).
typedef struct lw_agent_id {
  uint64_t slot : 24;       ///< Of its world, among items of its kind.
  uint64_t generation : 24; ///< How often the slot has been used.
  uint64_t world : 16;      ///< The number of its world.
} lw_agent_id;
/// @return The id that names nothing: all bytes zero.
static inline lw_agent_id lw_agent_id_none(void) {
  lw_agent_id id = {0, 0, 0};
  return id;
}
/// @return Whether the id names nothing.
static inline bool lw_agent_id_is_none(lw_agent_id id) {
  return id.slot == 0 && id.generation == 0 && id.world == 0;
}
/// @return Whether both ids name the same item, or nothing.
static inline bool lw_agent_id_equal(lw_agent_id a, lw_agent_id b) {
  return a.slot == b.slot && a.generation == b.generation && a.world == b.world;
}

/// A threat that agents know of (threat.h).
typedef struct lw_threat_id {
  uint64_t slot : 24;       ///< Of its world, among items of its kind.
  uint64_t generation : 24; ///< How often the slot has been used.
  uint64_t world : 16;      ///< The number of its world.
} lw_threat_id;
/// @return The id that names nothing: all bytes zero.
static inline lw_threat_id lw_threat_id_none(void) {
  lw_threat_id id = {0, 0, 0};
  return id;
}
/// @return Whether the id names nothing.
static inline bool lw_threat_id_is_none(lw_threat_id id) {
  return id.slot == 0 && id.generation == 0 && id.world == 0;
}
/// @return Whether both ids name the same item, or nothing.
static inline bool lw_threat_id_equal(lw_threat_id a, lw_threat_id b) {
  return a.slot == b.slot && a.generation == b.generation && a.world == b.world;
}

/// A danger that a world remembers (danger.h).
typedef struct lw_danger_id {
  uint64_t slot : 24;       ///< Of its world, among items of its kind.
  uint64_t generation : 24; ///< How often the slot has been used.
  uint64_t world : 16;      ///< The number of its world.
} lw_danger_id;
/// @return The id that names nothing: all bytes zero.
static inline lw_danger_id lw_danger_id_none(void) {
  lw_danger_id id = {0, 0, 0};
  return id;
}
/// @return Whether the id names nothing.
static inline bool lw_danger_id_is_none(lw_danger_id id) {
  return id.slot == 0 && id.generation == 0 && id.world == 0;
}
/// @return Whether both ids name the same item, or nothing.
static inline bool lw_danger_id_equal(lw_danger_id a, lw_danger_id b) {
  return a.slot == b.slot && a.generation == b.generation && a.world == b.world;
}

/// A path that was asked for (planner.h).
typedef struct lw_request_id {
  uint64_t slot : 24;       ///< Of its world, among items of its kind.
  uint64_t generation : 24; ///< How often the slot has been used.
  uint64_t world : 16;      ///< The number of its world.
} lw_request_id;
/// @return The id that names nothing: all bytes zero.
static inline lw_request_id lw_request_id_none(void) {
  lw_request_id id = {0, 0, 0};
  return id;
}
/// @return Whether the id names nothing.
static inline bool lw_request_id_is_none(lw_request_id id) {
  return id.slot == 0 && id.generation == 0 && id.world == 0;
}
/// @return Whether both ids name the same item, or nothing.
static inline bool lw_request_id_equal(lw_request_id a, lw_request_id b) {
  return a.slot == b.slot && a.generation == b.generation && a.world == b.world;
}

/// A line of friendly fire (fire_lane.h).
typedef struct lw_fire_lane_id {
  uint64_t slot : 24;       ///< Of its world, among items of its kind.
  uint64_t generation : 24; ///< How often the slot has been used.
  uint64_t world : 16;      ///< The number of its world.
} lw_fire_lane_id;
/// @return The id that names nothing: all bytes zero.
static inline lw_fire_lane_id lw_fire_lane_id_none(void) {
  lw_fire_lane_id id = {0, 0, 0};
  return id;
}
/// @return Whether the id names nothing.
static inline bool lw_fire_lane_id_is_none(lw_fire_lane_id id) {
  return id.slot == 0 && id.generation == 0 && id.world == 0;
}
/// @return Whether both ids name the same item, or nothing.
static inline bool lw_fire_lane_id_equal(lw_fire_lane_id a, lw_fire_lane_id b) {
  return a.slot == b.slot && a.generation == b.generation && a.world == b.world;
}

/// An off-mesh link of a world (link.h).
typedef struct lw_link_id {
  uint64_t slot : 24;       ///< Of its world, among items of its kind.
  uint64_t generation : 24; ///< How often the slot has been used.
  uint64_t world : 16;      ///< The number of its world.
} lw_link_id;
/// @return The id that names nothing: all bytes zero.
static inline lw_link_id lw_link_id_none(void) {
  lw_link_id id = {0, 0, 0};
  return id;
}
/// @return Whether the id names nothing.
static inline bool lw_link_id_is_none(lw_link_id id) {
  return id.slot == 0 && id.generation == 0 && id.world == 0;
}
/// @return Whether both ids name the same item, or nothing.
static inline bool lw_link_id_equal(lw_link_id a, lw_link_id b) {
  return a.slot == b.slot && a.generation == b.generation && a.world == b.world;
}

/// An obstacle on the navmeshes (obstacle.h).
typedef struct lw_obstacle_id {
  uint64_t slot : 24;       ///< Of its world, among items of its kind.
  uint64_t generation : 24; ///< How often the slot has been used.
  uint64_t world : 16;      ///< The number of its world.
} lw_obstacle_id;
/// @return The id that names nothing: all bytes zero.
static inline lw_obstacle_id lw_obstacle_id_none(void) {
  lw_obstacle_id id = {0, 0, 0};
  return id;
}
/// @return Whether the id names nothing.
static inline bool lw_obstacle_id_is_none(lw_obstacle_id id) {
  return id.slot == 0 && id.generation == 0 && id.world == 0;
}
/// @return Whether both ids name the same item, or nothing.
static inline bool lw_obstacle_id_equal(lw_obstacle_id a, lw_obstacle_id b) {
  return a.slot == b.slot && a.generation == b.generation && a.world == b.world;
}

/// A group of agents (group.h).
typedef struct lw_group_id {
  uint64_t slot : 24;       ///< Of its world, among items of its kind.
  uint64_t generation : 24; ///< How often the slot has been used.
  uint64_t world : 16;      ///< The number of its world.
} lw_group_id;
/// @return The id that names nothing: all bytes zero.
static inline lw_group_id lw_group_id_none(void) {
  lw_group_id id = {0, 0, 0};
  return id;
}
/// @return Whether the id names nothing.
static inline bool lw_group_id_is_none(lw_group_id id) {
  return id.slot == 0 && id.generation == 0 && id.world == 0;
}
/// @return Whether both ids name the same item, or nothing.
static inline bool lw_group_id_equal(lw_group_id a, lw_group_id b) {
  return a.slot == b.slot && a.generation == b.generation && a.world == b.world;
}

#endif
