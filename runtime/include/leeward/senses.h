/// @file senses.h
/// Senses: which other agents an agent sees and remembers, and which noises it hears.
///
/// Sight. Each agent with a sight range looks four times a second, agents in turn, at others within its range
/// and its horizontal angle, but not at those of its own team unless lw_sight.friends. It sees another agent if
/// lw_agent_sees(). The range shrinks with the visibility of the other agent (lw_world_set_visibility()). An
/// agent that is in sight for lw_sight.notice seconds is noticed, at the latest 0.25 s and a step later, unless
/// a step had more to look at than lw_world_def.sight_budget. An agent that was noticed is looked at twice a
/// second. Once it is no longer seen, it is remembered with place, velocity and time for lw_senses.memory
/// seconds, and seen again at once where it comes into sight meanwhile.
///
/// Threats. An agent that is noticed and is of another team (both have a team) is an enemy: where it was seen
/// last is a threat that the agent knows of (threat.h), until it is forgotten, as long as no threat of the
/// world is that enemy's eye and known to the agent. Other agents of the team do not learn of it by themselves.
///
/// Trees. Events "seen" and "lost" bring the agent, "heard" the place, in the step in which that happens. Keys
/// that conditions may read: "sense.enemy" is the enemy that counts most (the nearest enemy in sight, or else
/// the enemy that was seen last), "sense.enemy_at" where it was seen last, "sense.enemy_seen" true while it is
/// seen, "sense.noise_at" where the last noise was, for lw_senses.memory seconds. They cannot be set.
///
/// Threads: as in agent.h.
#ifndef LEEWARD_SENSES_H
#define LEEWARD_SENSES_H

#include "leeward/agent.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Give an agent senses in place of those of its profile.
/// @param senses  Copied. NULL: those of its profile again.
/// @return LW_OK; LW_STALE: the agent; LW_INVALID: a field is out of range, named in `error`;
///   LW_OUT_OF_MEMORY: nothing is changed.
LW_API lw_status lw_agent_set_senses(lw_world *world, lw_agent_id agent, const lw_senses *senses,
                                     lw_error *error);
/// @param[out] senses  Its own, or those of its profile. On an error lw_senses_default().
/// @return LW_OK; LW_STALE: the agent.
LW_API lw_status lw_agent_get_senses(const lw_world *world, lw_agent_id agent, lw_senses *senses);

/// Another agent that an agent has noticed.
typedef struct lw_perceived {
  lw_agent_id agent; ///< Which.
  bool is_seen;      ///< In the last look; false: it is remembered.
  bool is_enemy;     ///< It is of another team.
  lw_vec3 at;        ///< Where it was seen last. [m]
  lw_vec3 velocity;  ///< How it moved then. [m/s]
  double age;        ///< How long ago that was. [s]
  double noticed;    ///< World time when it was noticed. [s]
} lw_perceived;
/// List the agents that an agent sees or remembers, in the order in which they came into sight.
/// @param[out] list  [capacity] The first of them. NULL: not wanted.
/// @return How many there are, also if fewer fit; 0 for a stale id.
LW_API int lw_agent_get_perceived(const lw_world *world, lw_agent_id agent, lw_perceived *list, int capacity);
/// Look up what an agent knows of another one.
/// @param[out] perceived  All zero on an error.
/// @return LW_OK; LW_STALE: either id; LW_NOT_FOUND: it has not noticed that one, or has forgotten it.
LW_API lw_status lw_agent_find_perceived(const lw_world *world, lw_agent_id agent, lw_agent_id other,
                                         lw_perceived *perceived);
/// Forget another agent, or all. An agent that is in sight is noticed again.
/// @param other  All zero: all.
/// @return LW_OK, also if it knew nothing of it; LW_STALE: either id.
LW_API lw_status lw_agent_forget(lw_world *world, lw_agent_id agent, lw_agent_id other);

/// A noise. Start from lw_noise_default().
typedef struct lw_noise {
  lw_vec3 at; ///< Moved onto each navmesh within `snap`. [m]
  /// Length of the shortest walk to a place where it is just heard: noises go along the navmesh and its links,
  /// not through walls. [m, > 0, <= LW_PROFILE_SIZE_MAX, default 20]
  float loudness;
  const char *team; ///< Agents of this team take no notice. Borrowed for the call. [default NULL: all hear it]
  lw_vec3 snap;     ///< Half size of the snap box. [m, > 0, default 2 4 2]
  uint32_t cookie;  ///< Set by lw_noise_default(). Do not set.
} lw_noise;
/// @return The defaults of all fields.
LW_API lw_noise lw_noise_default(void);
/// Make a noise: agents hear it at once that a walk of no more than `loudness`, and of no more than their
/// lw_hearing.range, leads to. Costs what the navmesh holds within `loudness`.
/// @param[out] heard  How many agents heard it; 0 on an error. NULL: not wanted.
/// @return LW_OK; LW_NO_START: no navmesh within `snap`, nobody hears it; LW_INVALID: a field is out of range,
///   named in `error`; LW_OUT_OF_MEMORY: some may not have heard it.
LW_API lw_status lw_world_noise(lw_world *world, const lw_noise *noise, int *heard, lw_error *error);
/// A noise that an agent heard.
typedef struct lw_heard {
  lw_vec3 at;     ///< lw_noise.at. [m]
  float loudness; ///< [m]
  float distance; ///< Length of the walk there. [m]
  double age;     ///< How long ago that was. [s]
} lw_heard;
/// The noise that an agent heard last.
/// @param[out] heard  All zero on an error.
/// @return LW_OK; LW_STALE: the agent; LW_NOT_FOUND: it heard none, or that is longer ago than its memory.
LW_API lw_status lw_agent_get_heard(const lw_world *world, lw_agent_id agent, lw_heard *heard);

#ifdef __cplusplus
}
#endif
#endif
