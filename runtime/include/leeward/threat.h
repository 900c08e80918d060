/// @file threat.h
/// Threats that agents know of: what their paths then keep out of the sight of.
#ifndef LEEWARD_THREAT_H
#define LEEWARD_THREAT_H

#include "leeward/agent.h"

#ifdef __cplusplus
extern "C" {
#endif

/// 0 is none; an id of a threat that is gone is detected.
typedef uint64_t lw_threat_id;

/// Start from lw_threat_def_default().
typedef struct lw_threat_def {
  lw_threat threat; ///< [default lw_threat_default()]
  /// Whose eye it is: then it is where that agent's eye is, looks where the agent heads, and goes when the agent goes;
  /// `threat.at` and `threat.facing` are ignored. [default 0: nobody's]
  lw_agent_id agent;
  /// All agents of this team know of it, also those that come later. Copied, up to 31 bytes. "": all agents of the world.
  /// NULL: nobody but those who are told (lw_agent_learn_threat()). [default NULL]
  const char *known_to;
  /// Agents that know of it search their paths anew once it has moved so far since they last did. [m, >= 0, default 1]
  float tolerance;
  uint32_t cookie; ///< Set by lw_threat_def_default(). Do not set.
} lw_threat_def;

LW_API lw_threat_def lw_threat_def_default(void);

/// Put a threat into the world. The paths of agents that know of it are searched as with lw_path_query.threats; those that
/// walk and have a cover_bias above 1 search anew when a threat appears, has moved by more than its tolerance, has turned
/// by 10 degrees or changed otherwise, or goes. They do so at the next step, or, where they are many, during the next ones,
/// in turn; meanwhile they walk on. A step does a certain amount of that work, counted in nodes and looks, or one search
/// whole; after one that took more than a few steps may do, up to 30 steps search for nobody.
/// @return LW_OK; LW_INVALID with the field named; LW_STALE: `agent`; LW_OUT_OF_MEMORY.
LW_API lw_status lw_threat_add(lw_world *world, const lw_threat_def *def, lw_threat_id *threat,
                               lw_error *error);
/// Let it move, turn, or be another. Of one that is an agent's eye `at` and `facing` are ignored.
/// @param numbers  Copied. @return LW_OK; LW_STALE; LW_INVALID.
LW_API lw_status lw_threat_set(lw_world *world, lw_threat_id threat, const lw_threat *numbers);
/// @return LW_OK or LW_STALE.
LW_API lw_status lw_threat_remove(lw_world *world, lw_threat_id threat);

typedef struct lw_threat_state {
  lw_threat threat;     ///< Where it is and looks now.
  lw_agent_id agent;    ///< Whose eye it is, or 0.
  const char *known_to; ///< As it was added. Borrowed while the threat lives.
  float tolerance;      ///< [m]
} lw_threat_state;
/// @return LW_OK or LW_STALE.
LW_API lw_status lw_threat_get_state(const lw_world *world, lw_threat_id threat, lw_threat_state *state);
/// Threats one after the other: pass 0 to begin; 0 comes back at the end.
LW_API lw_threat_id lw_threat_next(const lw_world *world, lw_threat_id threat);
LW_API int lw_threat_count(const lw_world *world);
/// @return A number that changes whenever agents that know of a threat would search anew: to notice that what was drawn
///   or found with the threats is old.
LW_API uint32_t lw_threat_version(const lw_world *world);

/// Tell an agent of a threat, whatever its team knows. @return LW_OK; LW_STALE: either id; LW_OUT_OF_MEMORY.
LW_API lw_status lw_agent_learn_threat(lw_world *world, lw_agent_id agent, lw_threat_id threat);
/// The opposite. What its team knows it goes on knowing. @return LW_OK; LW_STALE: either id.
LW_API lw_status lw_agent_forget_threat(lw_world *world, lw_agent_id agent, lw_threat_id threat);
/// @return Does the agent know of the threat, from its team or otherwise?
LW_API bool lw_agent_knows_threat(const lw_world *world, lw_agent_id agent, lw_threat_id threat);

/// What an agent believes on its own, beside the world's threats that it knows of: where it last saw an enemy, which need
/// not be true. Takes the place of what was set before. One that walks searches anew where a belief is another than when
/// its path was last searched: moved at all, turned by 10 degrees, or otherwise changed.
/// @param threats  [count] Copied. @return LW_OK; LW_STALE; LW_INVALID; LW_OUT_OF_MEMORY (then nothing is changed).
LW_API lw_status lw_agent_set_threats(lw_world *world, lw_agent_id agent, const lw_threat *threats, int count);
/// All that its paths are searched with: its own, then the world's that it knows of.
/// @param threats  Room for `capacity`, or NULL. @return How many there are; 0 for a stale id.
LW_API int lw_agent_get_threats(const lw_world *world, lw_agent_id agent, lw_threat *threats, int capacity);

/// Does any of the threats see the agent where it stands, in its stance? Exactly (LW_ACCURACY_EXACT).
/// @param threats  [threat_count] NULL: those that it knows of. Borrowed for the call.
/// @return LW_OK; LW_STALE; LW_INVALID; LW_OUT_OF_MEMORY.
LW_API lw_status lw_agent_is_seen(lw_world *world, lw_agent_id agent, const lw_threat *threats,
                                  int threat_count, bool *seen);

#ifdef __cplusplus
}
#endif
#endif
