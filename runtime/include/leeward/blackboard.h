/// @file blackboard.h
/// Blackboards: values by key, of an agent, a team or the world. Conditions of trees react to their changes.
///
/// A key of an agent is any text. Where an agent's key is asked for, "team.KEY" is a key of the agent's team
/// (of the agents without a team, where it has none) and "world.KEY" one of the world. "event.NAME" is what an
/// event brought: it has a value in the step of the event alone (see lw_agent_send()). "sense.NAME" is what the
/// agent perceives (senses.h).
///
/// Threads: as in agent.h.
#ifndef LEEWARD_BLACKBOARD_H
#define LEEWARD_BLACKBOARD_H

#include "leeward/id.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LW_KEY_MAX 127 ///< Of a key. [bytes]

/// What a value is.
typedef enum lw_value_kind {
  LW_VALUE_NONE, ///< There is no value.
  LW_VALUE_BOOLEAN,
  LW_VALUE_NUMBER,
  LW_VALUE_STRING,
  LW_VALUE_VEC3,
  LW_VALUE_AGENT,
  LW_VALUE_OBJECT ///< The caller's own: equal if its number is.
} lw_value_kind;

/// A value of a blackboard. All zero is none.
typedef struct lw_value {
  lw_value_kind kind;
  union {
    bool boolean;
    double number; ///< Not NaN.
    const char *string;
    lw_vec3 vec3; ///< Finite.
    lw_agent_id agent;
    uint64_t object;
  } as;
} lw_value;

/// @return Whether both are of one kind and the same.
LW_API bool lw_value_equal(const lw_value *a, const lw_value *b);

/// Whose value a key names.
typedef enum lw_scope {
  LW_SCOPE_AGENT,
  LW_SCOPE_TEAM,
  LW_SCOPE_WORLD,
  LW_SCOPE_EVENT,
  LW_SCOPE_SENSE
} lw_scope;

/// A key as trees have it, taken apart.
typedef struct lw_key {
  lw_scope scope;
  const char *name; ///< Without "team.", "world.", "event." or "sense.".
  uint64_t hash;    ///< Of the name: equal names have equal hashes.
} lw_key;

/// Set the value of a key of an agent, its team ("team.KEY") or its world ("world.KEY"). Conditions that read
/// it react in the step that runs, or the next one.
/// @param value  Copied. NULL, or of kind LW_VALUE_NONE: the key has none.
/// @return LW_OK; LW_STALE: the agent; LW_INVALID: the key is empty, longer than LW_KEY_MAX, "event.NAME" or
///   "sense.NAME", or the value is out of range; LW_OUT_OF_MEMORY.
LW_API lw_status lw_agent_set_value(lw_world *world, lw_agent_id agent, const char *key, const lw_value *value);
/// @return The value of a key; none for a stale id. Its string is borrowed until the key is set.
LW_API lw_value lw_agent_get_value(const lw_world *world, lw_agent_id agent, const char *key);
/// Set the value of a key of a team, as lw_agent_set_value().
/// @param team  NULL or "": the agents without a team. @return As lw_agent_set_value().
LW_API lw_status lw_team_set_value(lw_world *world, const char *team, const char *key, const lw_value *value);
/// @return As lw_agent_get_value().
LW_API lw_value lw_team_get_value(const lw_world *world, const char *team, const char *key);
/// Set the value of a key of the world. @return As lw_agent_set_value().
LW_API lw_status lw_world_set_value(lw_world *world, const char *key, const lw_value *value);
/// @return As lw_agent_get_value().
LW_API lw_value lw_world_get_value(const lw_world *world, const char *key);

#define LW_EVENTS_MAX 256 ///< Of an agent, and of the world, at once: those of a step and the last one.
#define LW_EVENT_BYTES_MAX (1 << 18) ///< Of the texts that these bring, with a zero each. [bytes]

/// Send an agent an event: "event.NAME" has `value` through this step, or the next one if none runs, and
/// through the next one, too, where its turn in this one has begun and no condition has reacted.
/// @param value  Copied. NULL: true. Of several of one name in a step the last one counts.
/// @return As lw_agent_set_value(); LW_LIMIT: beyond LW_EVENTS_MAX or LW_EVENT_BYTES_MAX, and it is not sent.
LW_API lw_status lw_agent_send(lw_world *world, lw_agent_id agent, const char *name, const lw_value *value);
/// Send all agents an event, as lw_agent_send(); what a leaf sends does not reach those spawned in its step.
/// @return LW_OK; LW_INVALID; LW_LIMIT, as lw_agent_send(); LW_OUT_OF_MEMORY.
LW_API lw_status lw_world_emit(lw_world *world, const char *name, const lw_value *value);
/// Let the leaf that an agent runs be ticked in this step, or the next one if it has been.
/// @return LW_OK; LW_STALE: the agent.
LW_API lw_status lw_agent_wake(lw_world *world, lw_agent_id agent);

#ifdef __cplusplus
}
#endif
#endif
