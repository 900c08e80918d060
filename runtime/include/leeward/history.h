/// @file history.h
/// What happened to agents: the last entries of each, for people that ask what an agent did, and why.
///
/// Entries are for people: nothing that an agent does depends on them, they are no part of lw_world_hash(), and
/// saved games are without them. Of agents that are gone, the entries of the last 16 are kept.
///
/// Threads: as in world.h.
#ifndef LEEWARD_HISTORY_H
#define LEEWARD_HISTORY_H

#include "leeward/agent.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What happened.
typedef enum lw_history_kind {
  /// A leaf, a wait, or another node with a name of its own began and runs on. A leaf that ends at once has an
  /// entry of that alone, at most one a second while it ends alike.
  LW_HISTORY_STARTED,
  LW_HISTORY_SUCCEEDED,   ///< Such a node succeeded.
  LW_HISTORY_FAILED,      ///< It failed: `text` says why.
  LW_HISTORY_ABORTED,     ///< It was aborted: `text` says by what.
  LW_HISTORY_PATH_FOUND,  ///< A path to `at` was found, of `length`.
  LW_HISTORY_MOVE_FAILED, ///< It cannot get to `at`, for `status`.
  LW_HISTORY_ARRIVED,     ///< It arrived at `at`.
  LW_HISTORY_SEEN,        ///< It noticed `other` at `at`.
  LW_HISTORY_LOST,        ///< It lost sight of `other`, which was last seen at `at`.
  LW_HISTORY_HEARD,       ///< It heard a noise at `at`.
  LW_HISTORY_COVER_TAKEN, ///< It reserved the cover at `at`.
  LW_HISTORY_COVER_LEFT   ///< It let go of the cover at `at`.
} lw_history_kind;
#define LW_HISTORY_KIND_COUNT (LW_HISTORY_COVER_LEFT + 1)
/// @return "started", "path_found", ...; "?" for no kind. Static.
LW_API const char *lw_history_kind_name(lw_history_kind kind);

#define LW_HISTORY_MAX 4096    ///< Entries that an agent keeps.
#define LW_HISTORY_NAME_MAX 27 ///< Bytes of a node's name that are kept.
#define LW_HISTORY_TEXT_MAX 95 ///< Bytes of a text.

/// Something that happened to an agent.
typedef struct lw_history_entry {
  uint64_t number;   ///< Grows from entry to entry of a world.
  double time;       ///< World time. [s]
  lw_agent_id agent; ///< The agent that it happened to.
  lw_history_kind kind;
  int node;                           ///< Index of the node in the tree that the agent ran then; -1: none.
  lw_agent_id other;                  ///< The agent that was seen or lost; none.
  lw_vec3 at;                         ///< [m]
  float length;                       ///< Of the path that was found. [m]
  lw_status status;                   ///< Why it cannot get there.
  char name[LW_HISTORY_NAME_MAX + 1]; ///< The node's name, cut; "": none.
  /// Why the leaf failed, or what aborted the node: "fight (sense.enemy)", with the first key that a condition
  /// reads. "": not known, or the agent keeps later ones alone (a quarter as many texts as entries).
  char text[LW_HISTORY_TEXT_MAX + 1];
} lw_history_entry;

/// Let all agents keep that many entries from now on, those that are spawned later, too. They forget those that
/// they have if the number changes. The memory is taken here and when agents are spawned, not when something
/// happens: about 80 bytes an entry, and 16 bytes a node of its tree.
/// @param count  0: none, which takes no time. [0..LW_HISTORY_MAX]
/// @return LW_OK; LW_INVALID: out of range, or called from inside a step or a leaf; LW_OUT_OF_MEMORY: no agent
///   keeps any.
LW_API lw_status lw_world_set_history(lw_world *world, int count);
/// @return How many entries each agent keeps.
LW_API int lw_world_get_history_size(const lw_world *world);
/// Read what happened to an agent, also where the agent is gone.
/// @param seconds  Up to so long ago. [s, >= 0, INFINITY: all that it keeps]
/// @param[out] entries  [capacity] The newest ones, the oldest of them first. May be NULL if `capacity` is 0.
/// @return How many there are, may be more than `capacity`; 0 for an unknown id, or `seconds` out of range.
LW_API int lw_agent_get_history(const lw_world *world, lw_agent_id agent, double seconds,
                                lw_history_entry *entries, int capacity);
/// Read what happened to all agents, in the order in which it happened.
/// @return As lw_agent_get_history().
LW_API int lw_world_get_history(const lw_world *world, double seconds, lw_history_entry *entries, int capacity);
/// Write an entry as one line: "MoveTo fails: no path", without time and agent.
/// @param[out] text  [size] Zero-terminated and cut to fit.
/// @return The length of the whole text; 0: NULL.
LW_API int lw_history_text(const lw_history_entry *entry, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
