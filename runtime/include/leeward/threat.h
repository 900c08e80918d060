/// @file threat.h
/// Threats that agents know of: their paths keep out of sight of them, as with lw_path_query.threats.
///
/// A walking agent with a cover_bias above 1 searches again if a threat that it knows of is added or removed,
/// has moved by more than its tolerance, has turned by 10 degrees, or has changed otherwise. It does so at the
/// next step, or, if there are many such agents, in turn during the next steps; meanwhile it walks on. A step
/// does a limited amount of that work, counted in search nodes and queries about exposure, or one whole
/// search; after a search that took more than several steps may do, no agent searches for threats for up to 30
/// steps.
///
/// Threads: functions that take `const lw_world *` may run on any number of threads between steps, those with a
/// workspace each with its own. Functions that take `lw_world *` need the world alone.
#ifndef LEEWARD_THREAT_H
#define LEEWARD_THREAT_H

#include "leeward/agent.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- threats of the world --- */

/// A threat to add. Start from lw_threat_def_default().
typedef struct lw_threat_def {
  lw_threat threat; ///< [default lw_threat_default()]
  /// The agent whose eye it is: then it is at that eye, looks where the agent heads, and is removed with the
  /// agent; `threat.at` and `threat.facing` are ignored. [default all zero: no agent]
  lw_agent_id agent;
  /// All agents of this team know of it, also later ones; "": all agents of the world. Copied. [up to 31 bytes,
  /// default NULL: only agents that learn of it (lw_agent_learn_threat())]
  const char *known_to;
  /// Agents that know of it search again once it has moved by this since their last search. [m, >= 0, default
  /// 1]
  float tolerance;
  uint32_t cookie; ///< Set by lw_threat_def_default(). Do not set.
} lw_threat_def;

/// @return The defaults of all fields.
LW_API lw_threat_def lw_threat_def_default(void);

/// Add a threat.
/// @param def  Copied.
/// @param[out] threat  All zero on an error.
/// @return LW_OK; LW_INVALID: a field is out of range, named in `error`; LW_STALE: `agent`; LW_OUT_OF_MEMORY.
LW_API lw_status lw_threat_add(lw_world *world, const lw_threat_def *def, lw_threat_id *threat,
                               lw_error *error);
/// Move, turn or otherwise change a threat.
/// @param numbers  Copied. `at` and `facing` are ignored for an agent's eye.
/// @return LW_OK; LW_STALE: the threat; LW_INVALID: a number is out of range.
LW_API lw_status lw_threat_set(lw_world *world, lw_threat_id threat, const lw_threat *numbers);
/// Remove a threat.
/// @return LW_OK; LW_STALE: the threat.
LW_API lw_status lw_threat_remove(lw_world *world, lw_threat_id threat);

/// A threat as it is now.
typedef struct lw_threat_state {
  lw_threat threat;     ///< Where it is and looks now.
  lw_agent_id agent;    ///< The agent whose eye it is; all zero: no agent.
  const char *known_to; ///< As it was added. Borrowed while the threat lives.
  float tolerance;      ///< As it was added. [m]
} lw_threat_state;
/// @param[out] state  All zero on an error.
/// @return LW_OK; LW_STALE: the threat.
LW_API lw_status lw_threat_get_state(const lw_world *world, lw_threat_id threat, lw_threat_state *state);
/// Iterate over the threats in the order in which they were added.
/// @param threat  All zero: begin.
/// @return The next threat; all zero after the last one, and for a stale id.
LW_API lw_threat_id lw_threat_next(const lw_world *world, lw_threat_id threat);
/// @return How many threats there are.
LW_API int lw_threat_count(const lw_world *world);
/// @return A number that changes whenever agents that know of a threat would search again, also because an
///   obstacle or another navmesh hides something else, and when obstacles begin or cease to offer cover, so
///   that callers notice that their own results for the threats are outdated.
LW_API uint32_t lw_threat_version(const lw_world *world);

/* --- what agents know --- */

/// Let an agent know of a threat, in addition to what its team knows.
/// @return LW_OK; LW_STALE: either id; LW_OUT_OF_MEMORY.
LW_API lw_status lw_agent_learn_threat(lw_world *world, lw_agent_id agent, lw_threat_id threat);
/// Undo lw_agent_learn_threat(). What its team knows the agent still knows.
/// @return LW_OK; LW_STALE: either id.
LW_API lw_status lw_agent_forget_threat(lw_world *world, lw_agent_id agent, lw_threat_id threat);
/// @return Whether the agent knows of the threat, through its team or by itself; false for a stale id.
LW_API bool lw_agent_knows_threat(const lw_world *world, lw_agent_id agent, lw_threat_id threat);

/// Set an agent's own threats, which may differ from those of the world, such as where it last saw an enemy.
/// They replace those set before. A walking agent searches again if one differs from that of its last search:
/// moved at all, turned by 10 degrees, or otherwise changed.
/// @param threats  [count] Copied.
/// @return LW_OK; LW_STALE: the agent; LW_INVALID: a number is out of range; LW_OUT_OF_MEMORY: nothing is
///   changed.
LW_API lw_status lw_agent_set_threats(lw_world *world, lw_agent_id agent, const lw_threat *threats, int count);
/// Read all threats that an agent's paths are searched with: its own threats, then enemies that it sees
/// or remembers (senses.h), then the world's threats that it knows of.
/// @param[out] threats  [capacity] The first of them. NULL: not wanted.
/// @return How many there are, also if fewer fit; 0 for a stale id.
LW_API int lw_agent_get_threats(const lw_world *world, lw_agent_id agent, lw_threat *threats, int capacity);

/// Does any threat see the agent where it stands, in its stance? By LW_ACCURACY_EXACT.
/// @param threats  [threat_count] NULL: those that it knows of. Borrowed for the call.
/// @param[out] seen  The answer; false on an error.
/// @return LW_OK; LW_STALE: the agent; LW_INVALID: a threat's number or `threat_count` is out of range, or the
///   workspace is of another world; LW_OUT_OF_MEMORY.
LW_API lw_status lw_agent_is_seen(const lw_world *world, lw_workspace *workspace, lw_agent_id agent,
                                  const lw_threat *threats, int threat_count, bool *seen);

#ifdef __cplusplus
}
#endif
#endif
