/// Values by key: a blackboard.
#ifndef LW_BEHAVIOR_VALUES_H
#define LW_BEHAVIOR_VALUES_H

#include "core/hash_index.h"
#include "leeward/blackboard.h"

typedef struct lwi_value_entry {
  uint64_t hash;
  char *key;      ///< Owned.
  lw_value value; ///< A string is in `text`.
  char *text;     ///< [capacity] Owned. A short one stays, so that setting a key again allocates nothing.
  int capacity;
  bool is_pending; ///< It is in a list of keys that have changed.
  uint64_t round;  ///< Of an event: the ticks of trees that it is for (see lwi_world_trees),
  uint64_t sent;   ///< when agents were notified of it, counted in their reactions,
  uint64_t heard;  ///< and, of agents up to this serial number, the next ones.
} lwi_value_entry;

/// Start from {0}. A key that loses its value stays listed without one.
typedef struct lwi_values {
  lwi_value_entry *entries; ///< [count]
  int count, capacity;
  int empty;          ///< How many have no value.
  size_t text;        ///< Of the values that are strings, with their final zeros. [bytes]
  uint64_t forgotten; ///< Of events: none is left that no agent reads in ticks of that number.
  int pending;        ///< How many are pending: while there are some, no entry moves.
  lwi_hash_index index;
} lwi_values;

/// Is the key 1 to LW_KEY_MAX bytes?
bool lwi_key_is_valid(const char *key);
/// Finite numbers, a string that is there?
bool lwi_value_is_valid(const lw_value *value);
/// @param[out] changed  Index of the entry if it had another value, else -1. @return false: no memory,
/// nothing changed.
bool lwi_values_set(lwi_values *values, lwi_memory *memory, const char *key, const lw_value *value,
                    int *changed);
/// @return The entry of a key, of which name and hash count. NULL: it was never set, or dropped since.
lwi_value_entry *lwi_values_find(const lwi_values *values, const lw_key *key);
/// Let events have no value that no agent reads in the ticks of that number or later.
void lwi_values_forget(lwi_values *values, lwi_memory *memory, uint64_t round);
/// Is one more event within LW_EVENTS_MAX and LW_EVENT_BYTES_MAX?
bool lwi_events_have_space(const lwi_values *events, const char *name, const lw_value *value);
/// @param values  NULL: none. @param key  Its name and hash count.
lw_value lwi_values_get(const lwi_values *values, const lw_key *key);
void lwi_values_free(lwi_values *values, lwi_memory *memory);
/// Continue a hash with a value that is no agent.
uint64_t lwi_value_hash(const lw_value *value, uint64_t hash);

#endif
