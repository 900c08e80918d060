/// What happened to agents, for people: see leeward/history.h. Nothing here allocates but where it says so.
#ifndef LW_WORLD_HISTORY_H
#define LW_WORLD_HISTORY_H

#include "agent/agent.h"
#include "leeward/history.h"
#include "leeward/tree.h"

typedef struct lwi_history_item {
  double time;
  uint64_t number;
  union {
    char name[LW_HISTORY_NAME_MAX + 1]; ///< Of a node.
    struct {
      lw_vec3 at;
      float length;
      lw_agent_id other;
    } place;
  } of;
  int32_t node;
  uint32_t text; ///< The count of texts so far, with its own; 0: none.
  uint8_t kind, status;
} lwi_history_item;

typedef struct lwi_history_words {
  char text[LW_HISTORY_TEXT_MAX + 1];
} lwi_history_words;

/// Followed by its texts. One block.
typedef struct lwi_history {
  int capacity;        ///< Of items.
  uint32_t text_count; ///< Ever.
  uint64_t count;      ///< Ever.
  uint64_t turn;       ///< The count when its tree last began to run.
  lwi_history_item items[];
} lwi_history;

/// How many agents that are gone have theirs kept.
#define LWI_PAST_MAX 16
typedef struct lwi_past {
  lw_agent_id agent;
  lwi_history *history; ///< Owned. NULL: none.
} lwi_past;

typedef struct lwi_histories {
  uint64_t count;              ///< How many entries there ever were.
  lwi_past past[LWI_PAST_MAX]; ///< Of the agents that went last,
  unsigned past_count;         ///< and how many ever went.
} lwi_histories;

/// Let a new agent keep a history, if agents of the world do. Allocates. @return false: no memory.
bool lwi_agent_begin_history(lw_world *world, lwi_agent *agent);
/// The agent goes: its history is kept until others have gone after it.
void lwi_agent_end_history(lw_world *world, lwi_agent *agent);
void lwi_world_free_past(lw_world *world);
/// lw_tree_run_create() of a run that is tracked if agents have histories.
lw_status lwi_agent_create_run(lw_world *world, const lw_tree *tree, lw_tree_run **run);

/// Its tree begins to run.
void lwi_history_begin_turn(const lwi_agent *agent);
/// Of an agent that has a history.
void lwi_history_note_node(lw_world *world, const lwi_agent *agent, const lw_node_event *event);
/// It follows a path.
void lwi_history_note_path(lw_world *world, const lwi_agent *agent);
void lwi_history_note_failed_move(lw_world *world, const lwi_agent *agent, lw_status status);
void lwi_history_note_place(lw_world *world, const lwi_agent *agent, lw_history_kind kind, lw_vec3 at);
void lwi_history_note_other(lw_world *world, const lwi_agent *agent, lw_history_kind kind, lw_agent_id other,
                            lw_vec3 at);

#endif
