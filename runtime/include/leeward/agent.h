/// @file agent.h
/// Agents: they stand on the navmesh, follow paths and run a tree.
#ifndef LEEWARD_AGENT_H
#define LEEWARD_AGENT_H

#include "leeward/path.h"
#include "leeward/tree.h"

#ifdef __cplusplus
extern "C" {
#endif

/// 0 is none; an id of an agent that is gone is detected.
typedef uint64_t lw_agent_id;

/// Start from lw_agent_def_default().
typedef struct lw_agent_def {
  const lw_profile *profile; ///< Not NULL. Borrowed while the agent lives.
  lw_vec3 at;                ///< Moved onto the navmesh within `snap`. [m]
  lw_vec3 snap;              ///< Half size of the snap box. [m, > 0, default 2 4 2]
  int navmesh;         ///< Index in the world, or LW_NAVMESH_FITTING (default). Only links lead it to another.
  lw_pace pace;        ///< [default LW_NORMAL]
  const char *stance;  ///< One of the profile's. Copied. NULL: "stand".
  const lw_tree *tree; ///< Borrowed while the agent lives. NULL: it stands until told to move.
  const char *team;    ///< Copied, up to 31 bytes. NULL: none.
  uint64_t user;       ///< The caller's own number.
  uint32_t color;      ///< That debug drawing shows it in. [0xRRGGBB, default 0: one of its own]
  uint32_t cookie;     ///< Set by lw_agent_def_default(). Do not set.
} lw_agent_def;

LW_API lw_agent_def lw_agent_def_default(void);
/// @return LW_OK; LW_NO_START: no navmesh within `snap` that the profile may enter; LW_INVALID;
/// LW_OUT_OF_MEMORY.
LW_API lw_status lw_agent_spawn(lw_world *world, const lw_agent_def *def, lw_agent_id *agent, lw_error *error);
/// Its tree is aborted first (leaves get LW_LEAF_STOP). Inside lw_world_step() it happens at the end of the
/// step.
/// @return LW_OK or LW_STALE.
LW_API lw_status lw_agent_despawn(lw_world *world, lw_agent_id agent);

/// Despawn it as one that died: lw_world_def.death_danger is added where it stands, or where it is on a link.
/// @return LW_OK; LW_STALE; LW_OUT_OF_MEMORY: it is gone, but there was no room for the danger.
LW_API lw_status lw_agent_kill(lw_world *world, lw_agent_id agent);

typedef enum lw_move_state {
  LW_MOVE_IDLE,    ///< Was never told, or was stopped.
  LW_MOVE_WALKING, ///< On its way.
  LW_MOVE_ARRIVED, ///< Within reach of the goal.
  LW_MOVE_FAILED   ///< See lw_agent_state.failure.
} lw_move_state;

typedef struct lw_agent_state {
  lw_vec3 position; ///< On the surface, or on the way of an off-mesh link. [m]
  int navmesh;      ///< Index of the navmesh that it walks on.
  lw_poly_id poly;  ///< Where it stands; on a link, where that began.
  lw_vec3 velocity; ///< During the last step. [m/s]
  float heading;    ///< 0 looks along +x, pi/2 along -z (counter-clockwise seen from above). [rad]
  lw_move_state move;
  lw_status failure;   ///< Why the move failed: LW_NO_PATH, LW_NO_GOAL, LW_STUCK, ...
  lw_vec3 goal;        ///< Of the last move. [m]
  float remaining;     ///< Of the path, while walking. [m]
  int next_point;      ///< Of lw_agent_path(): the point that it goes to. 0 without a path.
  lw_link_kind link;   ///< The off-mesh link that it is on, which it takes to its end; LW_LINK_NONE: none.
  float link_progress; ///< Of the link, 0..1.
  lw_vec3 footing;     ///< Where it stands; on a link, where that ends. To ask for places around from. [m]
  int footing_navmesh; ///< The navmesh of that place: a link may lead to another.
  lw_pace pace;
  int stance;                ///< Of its profile: see lw_profile_get_stance().
  const char *team;          ///< Borrowed while the agent lives; "" is none.
  const lw_profile *profile; ///< Borrowed while the agent lives.
  uint64_t user;
  uint32_t color; ///< As it was spawned with. [0xRRGGBB]
} lw_agent_state;
/// @return LW_OK or LW_STALE.
LW_API lw_status lw_agent_get_state(const lw_world *world, lw_agent_id agent, lw_agent_state *state);

typedef struct lw_agent_stats {
  double walked; ///< Links included, but for teleports. [m]
  int goals_reached;
  int replans; ///< Paths searched anew on the way to the same goal.
  int searches;
  int stuck; ///< Times that it made no progress for lw_world_def.stuck_seconds.
  int off_mesh; ///< Steps after which it stood neither on navmesh that its profile may enter nor on a link; 0 unless
                ///< something is broken, or a new profile left it no ground (lw_agent_set_profile()).
  double search_seconds; ///< Wall-clock time of all searches. [s]
  double search_worst;   ///< Of the slowest. [s]
} lw_agent_stats;
LW_API lw_status lw_agent_get_stats(const lw_world *world, lw_agent_id agent, lw_agent_stats *stats);

/// Search a path and start walking it. The tree is woken when the agent arrives or fails. Off-mesh links on the path are
/// taken at the agent's speed along the straight line between their ends, jumps along a parabola above it, teleports at
/// once. An agent that is on a link first takes it to its end; the path begins there.
/// @param within  Arrived when the goal is this near, in xz. [m, >= 0]
/// @return LW_OK; LW_STALE; LW_NO_GOAL; LW_NO_PATH; ... : then the agent stands, state LW_MOVE_FAILED.
LW_API lw_status lw_agent_move_to(lw_world *world, lw_agent_id agent, lw_vec3 goal, float within);
/// Stand still, on a link at its end; the state becomes LW_MOVE_IDLE.
LW_API lw_status lw_agent_stop(lw_world *world, lw_agent_id agent);
/// Give it another profile, such as what its own has become. One that walks searches anew at the next step, unless its
/// path is sure to be the best still, and fails if there is no path any more; where very many search anew, some walk on
/// for a few steps more. One that stands where it no longer may is put on the nearest ground within 2 m (4 m up or down)
/// that it may enter; where there is none it stays, and its moves fail with LW_NO_START. It keeps its navmesh, and takes
/// a link that it is on to the end.
/// @param profile  Not NULL. Borrowed while the agent lives; the one before is let go.
/// @return LW_OK; LW_STALE; LW_INVALID: NULL, or called from inside a step.
LW_API lw_status lw_agent_set_profile(lw_world *world, lw_agent_id agent, const lw_profile *profile);
LW_API lw_status lw_agent_set_pace(lw_world *world, lw_agent_id agent, lw_pace pace);
/// Stand, crouch, or whatever else its profile can: that changes what is seen of it, its eye, and its speed. Another
/// profile has the stance of the same name, or `stand`.
/// @param stance  Not NULL: a name. @return LW_OK; LW_STALE; LW_NOT_FOUND: the profile has no stance of that name.
LW_API lw_status lw_agent_set_stance(lw_world *world, lw_agent_id agent, const char *stance);
/// @return The path that it walks, or NULL. Borrowed until the agent moves on; do not store.
LW_API const lw_path *lw_agent_path(const lw_world *world, lw_agent_id agent);
/// Uniform in 0..1 (1 excluded), from the agent's own stream. 0 for a stale id.
LW_API float lw_agent_random(lw_world *world, lw_agent_id agent);
/// Say why: the running node's tree path, what the agent is doing, the last failure with its reason.
/// @return Length that was needed; 0 for a stale id.
LW_API int lw_agent_why(const lw_world *world, lw_agent_id agent, char *text, size_t size);
/// Record why a leaf of the agent failed, for lw_agent_why(). Copied.
LW_API lw_status lw_agent_set_reason(lw_world *world, lw_agent_id agent, const char *reason);
/// @return The tree run's tree, or NULL.
LW_API const lw_tree *lw_agent_tree(const lw_world *world, lw_agent_id agent);
/// Agents one after the other in the order they were spawned: pass 0 to begin; 0 comes back at the end.
LW_API lw_agent_id lw_agent_next(const lw_world *world, lw_agent_id agent);

#ifdef __cplusplus
}
#endif
#endif
