/// @file agent.h
/// Agents: they stand on the navmesh, follow paths and run a tree.
///
/// An agent with a body that others keep from getting on tries remedies (lw_remedy), and fails at last with
/// LW_STUCK: at the latest once the rest of its path has become shorter by less than 1 m in 14 s, and those of
/// agents before it in a queue, too; in 12.5 s among agents that stay where they are; in 50 s in a queue that
/// gets on. The first and the last time are for 3.5 m/s and more; slower agents wait for as much longer.
///
/// Threads: functions that take `const lw_world *` may run on any number of threads between steps. Those that
/// take `lw_world *` need the world alone; a stream of lw_agent_random_stream() is used by one thread at a
/// time. Leaves of trees may call all of them inside lw_world_step(), on its thread.
#ifndef LEEWARD_AGENT_H
#define LEEWARD_AGENT_H

#include "leeward/drive.h"
#include "leeward/id.h"
#include "leeward/path.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An agent to spawn. Start from lw_agent_def_default().
typedef struct lw_agent_def {
  const lw_profile *profile; ///< Not NULL. Borrowed while the agent lives.
  lw_vec3 at;                ///< Moved onto the navmesh within `snap`. [m]
  lw_vec3 snap;              ///< Half size of the snap box. [m, > 0, default 2 4 2]
  /// Index in the world, or LW_NAVMESH_FITTING at `at`. Only links lead to another one. [default that]
  int navmesh;
  lw_pace pace;       ///< [default LW_NORMAL]
  const char *stance; ///< A stance of the profile, by name. Copied. [default NULL: "stand"]
  /// Borrowed while the agent lives. [default NULL: it stands until lw_agent_move_to()]
  const lw_tree *tree;
  const char *team; ///< Copied. [up to 31 bytes, default NULL: no team]
  uint64_t user;    ///< The caller's own number. [default 0]
  uint32_t color;   ///< For debug drawing. [0xRRGGBB, default 0: chosen by drawing]
  uint32_t cookie;  ///< Set by lw_agent_def_default(). Do not set.
} lw_agent_def;

/// @return The defaults of all fields.
LW_API lw_agent_def lw_agent_def_default(void);
/// Add an agent to a world. Between steps this also computes, for the first agent of a profile for which metres
/// cost differently, what makes its paths faster, so that no step has to.
/// @param[out] agent  All zero on an error.
/// @return LW_OK; LW_NO_START: no navmesh within `snap` that the profile may enter; LW_INVALID: a field is out
///   of range, named in `error`; LW_OUT_OF_MEMORY.
LW_API lw_status lw_agent_spawn(lw_world *world, const lw_agent_def *def, lw_agent_id *agent, lw_error *error);
/// Abort the agent's tree (leaves get LW_LEAF_STOP), then remove the agent. Inside lw_world_step() that waits
/// for the end of the step: until then its id can be read, but lw_agent_next() and lw_world_agent_count() pass
/// over it.
/// @return LW_OK; LW_STALE: the agent.
LW_API lw_status lw_agent_despawn(lw_world *world, lw_agent_id agent);
/// Despawn an agent that died: lw_world_def.death_danger is added where it is.
/// @return LW_OK; LW_STALE: the agent; LW_OUT_OF_MEMORY: it is despawned, but the danger was not added.
LW_API lw_status lw_agent_kill(lw_world *world, lw_agent_id agent);

/* --- reading --- */

/// What became of the last move of an agent.
typedef enum lw_move_state {
  LW_MOVE_IDLE,    ///< It has no order to move, or was stopped.
  LW_MOVE_WALKING, ///< It follows a path.
  LW_MOVE_ARRIVED, ///< It is within reach of the goal.
  LW_MOVE_FAILED   ///< lw_agent_state.failure says why.
} lw_move_state;

/// An agent as it is now.
typedef struct lw_agent_state {
  lw_vec3 position;      ///< On the surface, or on the trajectory of an off-mesh link. [m]
  int navmesh;           ///< Index of the navmesh that it walks on.
  lw_poly_id poly;       ///< Where it is; on a link, where that starts.
  lw_vec3 velocity;      ///< During the last step. [m/s]
  float heading;         ///< 0 looks along +x, pi/2 along -z (counter-clockwise seen from above). [rad]
  float trailer_heading; ///< Of a vehicle's trailer (lw_trailer); without one, as `heading`. [rad]
  lw_move_state move;    ///< What became of the last move.
  lw_status failure;     ///< Why the move failed: LW_NO_PATH, LW_NO_GOAL, LW_STUCK, ...
  lw_vec3 goal;          ///< Of the last move. [m]
  bool waits_for_path;   ///< It was sent, and the planner has not yet searched its path (planner.h).
  /// Length of the rest of the path; 0 without a path; while it waits for one, the straight distance to the
  /// goal. [m]
  float remaining;
  int next_point;            ///< The point of lw_agent_path() that it walks to; 0 without a path.
  lw_link_kind link;         ///< The off-mesh link that it is on; LW_LINK_NONE: on the surface.
  float link_progress;       ///< The part of the link that it has done. [0..1]
  lw_link_id link_id;        ///< The link that it is on; none: it is on none, or that was removed.
  bool is_held;              ///< It is on a link until lw_agent_finish_link() (lw_world_def.linked).
  lw_link_id waits_for;      ///< The link that it waits for, as others are on it; none: it waits for none.
  lw_vec3 footing;           ///< Where it stands, or where its link ends: the place to start queries from. [m]
  int footing_navmesh;       ///< Index of the navmesh of that place.
  lw_pace pace;              ///< How fast it walks.
  const lw_profile *journey; ///< That its path is searched for (lw_move_options.profile). NULL: its own.
  /// Of its profile, see lw_profile_get_stance(): as it was set, or under a ceiling that is too low for that
  /// the fastest stance that fits (lw_body.can_crouch).
  int stance;
  const char *team;          ///< "": no team. Borrowed while the agent lives.
  const lw_profile *profile; ///< Borrowed from the caller while the agent lives.
  uint64_t user;             ///< The caller's own number.
  uint32_t color;            ///< As in lw_agent_def. [0xRRGGBB]
} lw_agent_state;
/// @param[out] state  All zero on an error.
/// @return LW_OK; LW_STALE: the agent.
LW_API lw_status lw_agent_get_state(const lw_world *world, lw_agent_id agent, lw_agent_state *state);

/// How an agent looks at a moment between the last two steps: what drawing and animation need.
typedef struct lw_pose {
  lw_vec3 position; ///< On the straight line between where it was and where it is. [m]
  int navmesh;      ///< Index of the navmesh that it walks on.
  float heading;    ///< As in lw_agent_state, turned by the smaller angle. [rad]
  /// Along its path, the same in each step at one pace: it does not dip where a step goes round a corner.
  float speed;           ///< [m/s, >= 0]
  float turn_rate;       ///< Of the heading, counter-clockwise. [rad/s]
  float trailer_heading; ///< As in lw_agent_state, likewise. [rad]
  int stance;            ///< As in lw_agent_state.
  lw_pace pace;          ///< How fast it walks.
  lw_link_kind link;     ///< The off-mesh link that it is on; LW_LINK_NONE: on the surface.
  float link_progress;   ///< The part of the link that it has done, as of the last step. [0..1]
} lw_pose;
/// Interpolate an agent's pose, for games that draw more often than they step, or in between. Where the agent
/// was put elsewhere in the last step, as by a teleport, it is there at once. After it was spawned, or loaded,
/// it stands where it is until a step.
/// @param alpha  0: before the last step; 1: after it, as lw_agent_get_state(). [0..1]
/// @param[out] pose  All zero on an error.
/// @return LW_OK; LW_STALE: the agent; LW_INVALID: `alpha` is out of range.
LW_API lw_status lw_agent_pose(const lw_world *world, lw_agent_id agent, float alpha, lw_pose *pose);

/// What a whisker ends at.
typedef enum lw_whisker_hit {
  LW_WHISKER_FREE,     ///< Nothing, as far as it looks.
  LW_WHISKER_WALL,     ///< The navmesh ends, or the agent may not go on.
  LW_WHISKER_OBSTACLE, ///< An obstacle that is not cut out where it is, or moves.
  LW_WHISKER_AGENT,    ///< A vehicle, or an agent faster than 5 m/s and twice as fast as this one.
  LW_WHISKER_LINK,     ///< Another agent is about to come off a link there.
  LW_WHISKER_HIT_COUNT
} lw_whisker_hit;
/// @return "free", "wall", "obstacle", "agent" or "link"; "unknown" for any other value. Static storage.
LW_API const char *lw_whisker_hit_name(lw_whisker_hit hit);
/// A ray ahead of an agent (lw_whiskers).
typedef struct lw_whisker {
  lw_vec3 from, to; ///< Where the agent is, and where the ray ends. [m]
  float seconds;    ///< When the agent would be there. [s]
  lw_whisker_hit hit;
} lw_whisker;
/// What the whiskers of an agent saw in the last step. Others than walls count there only for an agent that
/// evades something; walls are looked at here for all others.
/// @param[out] whiskers  [LW_WHISKERS_MAX] From the right to the left.
/// @return How many; 0: it does not walk over ground, has none (lw_whiskers.rays), or the id is stale.
LW_API int lw_agent_whiskers(const lw_world *world, lw_agent_id agent, lw_whisker *whiskers);

/// Find the agent that blocks one with a body (lw_body). It waits as long as those before it get on. Where they
/// end at one that stays, its path is searched past that one after 2 s, it backs off after 4 s, and it counts
/// as stuck after 10 s, or 3 s after it has backed off: its move fails. In a circle that takes 60 s.
/// @param[out] seconds  For how long, by now. [s] NULL: not wanted.
/// @return The nearest that is before it, or the one that goes first where two cannot pass, or the one that
///   blocked it until its last move failed with LW_STUCK; all zero: nobody, a stale id, and after such a move a
///   saved game.
LW_API lw_agent_id lw_agent_blocker(const lw_world *world, lw_agent_id agent, float *seconds);

/// What agents with bodies try when others keep them from getting on, in this order, before they are stuck.
typedef enum lw_remedy {
  LW_REMEDY_SIDESTEP, ///< It passes on a side those that have blocked it for half a second.
  LW_REMEDY_PUSH,     ///< Those before it push and yield as it would.
  LW_REMEDY_DETOUR,   ///< Its path is searched where it pays for each agent that stands in the way.
  LW_REMEDY_BACK_OFF, ///< It walks back up to 4 m, and stands there, 4 s in all.
  LW_REMEDY_SETTLE,   ///< It has arrived beside those that stand at its goal.
  LW_REMEDY_COUNT
} lw_remedy;
/// @return As in Lua: "sidesteps", "pushes", "detours", "back_offs", "settled"; "" for no remedy.
LW_API const char *lw_remedy_name(lw_remedy remedy);

/// Counts since an agent was spawned.
typedef struct lw_agent_stats {
  double walked;     ///< Links included, except teleports. [m]
  int goals_reached; ///< Moves that arrived.
  int replans;       ///< Paths searched again for the same goal.
  int searches;      ///< Paths searched.
  int stuck;         ///< Times without progress for lw_world_def.stuck_seconds.
  /// Steps after which it was neither on a navmesh that its profile may enter nor on a link. Above 0 only after
  /// a new profile left it no ground (lw_agent_set_profile()), or by a fault of the library.
  int off_mesh;
  int64_t remedies[LW_REMEDY_COUNT]; ///< How often it tried each.
  double search_seconds;             ///< Wall-clock time of all searches. [s]
  double search_worst;               ///< Wall-clock time of the slowest search. [s]
} lw_agent_stats;
/// @param[out] stats  All zero on an error.
/// @return LW_OK; LW_STALE: the agent.
LW_API lw_status lw_agent_get_stats(const lw_world *world, lw_agent_id agent, lw_agent_stats *stats);
/// The agents of a world together.
typedef struct lw_crowd_stats {
  int waiting;                       ///< Now, behind others for a second or more: lw_agent_blocker().
  int backing_off;                   ///< Now.
  int64_t stuck;                     ///< lw_agent_stats.stuck of all agents that live.
  int64_t remedies[LW_REMEDY_COUNT]; ///< Those of all of them.
} lw_crowd_stats;
/// @param[out] stats  All zero on an error. @return LW_OK, LW_INVALID.
LW_API lw_status lw_world_get_crowd_stats(const lw_world *world, lw_crowd_stats *stats);
/// @return The path that it walks. NULL: no path, or a stale id. Borrowed until the world changes.
LW_API const lw_path *lw_agent_path(const lw_world *world, lw_agent_id agent);
/// @return The drive of a vehicle (drive.h). NULL: it has none, or a stale id. Borrowed until the world
///   changes.
LW_API const lw_drive *lw_agent_drive(const lw_world *world, lw_agent_id agent);
/// @return The tree that it runs. NULL: no tree, or a stale id. Borrowed from the caller.
LW_API const lw_tree *lw_agent_tree(const lw_world *world, lw_agent_id agent);
/// Write what an agent is doing and why: the running node's tree path, its move, and the last failure with its
/// reason.
/// @param[out] text  [size] Zero-terminated and cut to fit.
/// @return The length of the whole text; 0 for a stale id.
LW_API int lw_agent_why(const lw_world *world, lw_agent_id agent, char *text, size_t size);
/// Write that in several lines: below the line of lw_agent_why() the nodes that run and their children, with
/// what each did last and how long ago; the last failures; and the blackboards of the agent, its team and the
/// world. Ages and failures are known if agents keep a history (lw_world_def.history).
/// @param[out] text  [size] Zero-terminated and cut to fit.
/// @return The length of the whole text; 0 for a stale id.
LW_API int lw_agent_why_in_detail(const lw_world *world, lw_agent_id agent, char *text, size_t size);
/// Iterate over the agents in the order in which they were spawned.
/// @param agent  All zero: begin.
/// @return The next agent; all zero after the last one, and for a stale id.
LW_API lw_agent_id lw_agent_next(const lw_world *world, lw_agent_id agent);

/// Which agents to find. Start from lw_agents_query_default().
typedef struct lw_agents_query {
  lw_vec3 at;                ///< Centre. [m]
  float radius;              ///< Straight distance from it to an agent's position. [m, >= 0, default 20]
  const char *team;          ///< Of this team; "": of none. [default NULL: any]
  const lw_profile *profile; ///< With this profile. [default NULL: any]
  lw_agent_id except;        ///< But this one. [default none]
  uint32_t cookie;           ///< Set by lw_agents_query_default(). Do not set.
} lw_agents_query;
/// @return The defaults of all fields.
LW_API lw_agents_query lw_agents_query_default(void);
/// Find agents near a point. Takes as long as there are agents near it.
/// @param[out] agents  [capacity] In the order in which they were spawned. May be NULL if `capacity` is 0.
/// @return How many there are, may be more than `capacity`; -1: the query is NULL or out of range.
LW_API int lw_agents_around(const lw_world *world, const lw_agents_query *query, lw_agent_id *agents,
                            int capacity);
/// Does an eye see an agent: any height of its body in its stance? What the agent carries does not hide it (see
/// the head of obstacle.h). Always exact.
/// @param shots  What could be shot rather than seen: soft cover does not hide.
/// @return false, too: the agent is stale, or `eye` not within +-LW_COORDINATE_MAX.
LW_API bool lw_agent_is_seen_from(const lw_world *world, lw_agent_id agent, lw_vec3 eye, bool shots);
/// Does an agent see another one: lw_agent_is_seen_from() from its eye?
/// @return false, too: one of them is stale.
LW_API bool lw_agent_sees(const lw_world *world, lw_agent_id agent, lw_agent_id other);

/* --- ordering --- */

/// What holds for one journey: for its path and all that are searched again on the way, until the agent
/// arrives, fails, is stopped or gets another move. Start from lw_move_options_default().
typedef struct lw_move_options {
  /// Distance from the goal, in xz, at which it has arrived. Where another agent stands on the goal and is not
  /// pushed aside, one with a body settles for a place beside that after 3 s. [m, >= 0, default 0.3]
  float within;
  /// In which direction a vehicle (lw_vehicle) is to stand at the goal, as in lw_agent_state. NAN: any. Others
  /// ignore it. [rad, default NAN]
  float heading;
  /// Paths are searched for it, from the nearest ground within 2 m (4 m up or down) that it may enter. The body
  /// moves as its own profile says, and enters, takes and fits through nothing that its own does not. Borrowed
  /// until the journey ends. [default NULL: its own]
  const lw_profile *profile;
  /// [threat_count] In place of those that it knows of, as they are now. Copied. [default NULL]
  const lw_threat *threats;
  int threat_count;   ///< -1: those that it knows of, as they move. [-1.., default -1]
  lw_quality quality; ///< Of its paths. [default LW_QUALITY_GOOD]
  /// Of its paths. It walks along their points, whatever its body can do. [default LW_PATH_TAUT]
  lw_path_style path_style;
  lw_pace pace;    ///< LW_PACE_COUNT: its own. Ends early by lw_agent_set_pace(). [default LW_PACE_COUNT]
  int priority;    ///< Of its path in the planner (planner.h). [-100..100, default 0]
  uint32_t cookie; ///< Set by lw_move_options_default(). Do not set.
} lw_move_options;
/// @return The defaults of all fields.
LW_API lw_move_options lw_move_options_default(void);
/// Search a path and start walking it, or wait for it where the work of the step is used up
/// (lw_agent_state.waits_for_path). The tree is woken when the agent arrives or fails. Off-mesh links are taken
/// at its speed, straight, jumps along a parabola, teleports at once; one that it is on, first to its end.
/// @param goal  Moved as lw_path_query.to. Where it may stand nowhere within the snap box, farther off by
///   `within`, and where another agent stands there and carries obstacles that are cut out, by these.
/// @param options  Borrowed for the call. NULL: the defaults.
/// @return LW_OK; LW_STALE: the agent; LW_INVALID: `goal` is not finite, or an option is out of range: it goes
///   on as before; any other status as of lw_path_find(): it stands still, as after lw_agent_stop(), but in
///   state LW_MOVE_FAILED.
LW_API lw_status lw_agent_move_with(lw_world *world, lw_agent_id agent, lw_vec3 goal,
                                    const lw_move_options *options);
/// The same with `within` alone.
/// @param within  As in lw_move_options.
/// @return As lw_agent_move_with().
LW_API lw_status lw_agent_move_to(lw_world *world, lw_agent_id agent, lw_vec3 goal, float within);
/// Stand still, on a link at its end; the state becomes LW_MOVE_IDLE, but that of a trapped agent stays
/// LW_MOVE_FAILED with LW_TRAPPED. The tree of an agent that walked is woken, unless one of its own leaves
/// calls this.
/// @return LW_OK; LW_STALE: the agent.
LW_API lw_status lw_agent_stop(lw_world *world, lw_agent_id agent);
/// Let an agent be at the end of the off-mesh link that it is on, in the next step.
/// @return LW_OK; LW_STALE: the agent; LW_NOT_FOUND: it is on no link.
LW_API lw_status lw_agent_finish_link(lw_world *world, lw_agent_id agent);
/// Say where an agent is whose body the game moves, as engines with physics do. From then on steps do not move
/// it: the game moves it by lw_agent_desired_velocity(), and says before each step what came of that. Others do
/// not push it. On a link it moves as any agent, unless the game holds that (lw_world_def.linked).
/// @param position  It is put along the ground as far in that direction as it gets; where that is not there, as
///   after a fall, on the nearest ground within its radius and 0.5 m, and 2 m up or down. [m,
///   +-LW_COORDINATE_MAX]
/// @param velocity  Of the body: others avoid it accordingly. [m/s, up to LW_PROFILE_SPEED_MAX]
/// @return LW_OK; LW_STALE: the agent; LW_NOT_FOUND: no ground is there, and it is as near as it gets, or it is
///   trapped or stands where it carries an obstacle; LW_INVALID: out of range, or its profile is that of a
///   vehicle, or without a body, as any with avoidance or acceleration has.
LW_API lw_status lw_agent_set_external(lw_world *world, lw_agent_id agent, lw_vec3 position, lw_vec3 velocity);
/// Let steps move the agent again.
/// @return LW_OK; LW_STALE: the agent.
LW_API lw_status lw_agent_end_external(lw_world *world, lw_agent_id agent);
/// @return Whether the game moves the agent. false, too: a stale id.
LW_API bool lw_agent_is_external(const lw_world *world, lw_agent_id agent);
/// @return The velocity that an agent with a body (lw_body) has chosen in the last step, along its path and
///   past others; 0 for others, on a link, and for a stale id. [m/s]
LW_API lw_vec3 lw_agent_desired_velocity(const lw_world *world, lw_agent_id agent);
/// Set another profile; a journey for another one stays so. A walking agent searches again if its path may no
/// longer be the cheapest. If it may not stand where it is, it moves to the nearest ground within 2 m (4 m up,
/// down); without such, its moves fail with LW_NO_START. Its stance becomes that of the same name, or `stand`.
/// @param profile  Not NULL. Borrowed while the agent lives; the earlier one is no longer used.
/// @return LW_OK; LW_STALE: the agent; LW_INVALID: NULL, or called from inside a step or a
///   leaf.
LW_API lw_status lw_agent_set_profile(lw_world *world, lw_agent_id agent, const lw_profile *profile);
/// Search paths for another profile on the rest of an agent's journey. It searches again if its path may no
/// longer be the cheapest.
/// @param profile  As lw_move_options.profile; the earlier one is no longer used. NULL: its own.
/// @return LW_OK; LW_STALE: the agent; LW_NOT_FOUND: it is on no journey; LW_INVALID: called from inside a step
///   or a leaf.
LW_API lw_status lw_agent_set_journey_profile(lw_world *world, lw_agent_id agent, const lw_profile *profile);
/// Set the tree that an agent runs. The earlier one is aborted, at once or when the leaf of this agent returns
/// that calls this; the new one begins at its next turn, also if it is the same. The blackboard stays.
/// @param tree  Borrowed while the agent lives. NULL: none.
/// @return LW_OK; LW_STALE: the agent; LW_OUT_OF_MEMORY: nothing is changed.
LW_API lw_status lw_agent_set_tree(lw_world *world, lw_agent_id agent, const lw_tree *tree);
/// Let an agent go on in another version of its tree, between two steps. Nodes that are the same keep their
/// state. If something runs that is gone, or is below a parallel, random or utility with other children, all is
/// aborted first, and the new version begins at its root.
/// @param tree  Borrowed while the agent lives. Not NULL.
/// @param nodes  [lw_tree_node_count(tree)] Of lw_tree_match(), from its tree; some may be set to -1.
/// @return LW_OK; LW_STALE: the agent; LW_OUT_OF_MEMORY; LW_INVALID: NULL, the agent has no tree, a number that
///   is no node, or inside lw_world_step() or a leaf of the agent.
LW_API lw_status lw_agent_replace_tree(lw_world *world, lw_agent_id agent, const lw_tree *tree,
                                       const int *nodes);
/// @return The run of its tree, to be asked, not ticked. NULL: no tree, or a stale id. Borrowed until the world
///   steps or the tree is set.
LW_API const lw_tree_run *lw_agent_run(const lw_world *world, lw_agent_id agent);
/// Turn an agent, at once. One that walks turns back to its path in the next step.
/// @param heading  As in lw_agent_state. [rad]
/// @return LW_OK; LW_STALE: the agent; LW_INVALID: it is not finite.
LW_API lw_status lw_agent_set_heading(lw_world *world, lw_agent_id agent, float heading);
/// Set how fast an agent walks, also on the rest of a journey with a pace of its own.
/// @return LW_OK; LW_STALE: the agent; LW_INVALID: no such pace.
LW_API lw_status lw_agent_set_pace(lw_world *world, lw_agent_id agent, lw_pace pace);
/// Set a stance, which changes what is seen of an agent, its eye and its speed. Under a ceiling that is too low
/// for it the agent takes it as soon as there is headroom.
/// @param stance  The name of a stance. Not NULL.
/// @return LW_OK; LW_STALE: the agent; LW_NOT_FOUND: the profile has no stance of that name.
LW_API lw_status lw_agent_set_stance(lw_world *world, lw_agent_id agent, const char *stance);
/// Record why a leaf of an agent failed, for lw_agent_why().
/// @param reason  Copied as one line: control characters as `\n` or `\x1B`; of a long one the middle is cut.
/// @return LW_OK; LW_STALE: the agent.
LW_API lw_status lw_agent_set_reason(lw_world *world, lw_agent_id agent, const char *reason);
/// Record that a leaf of an agent's tree failed, for lw_agent_why(), which names it. Takes hardly any time.
/// @param node  Index of the node. @param reason  Copied, as of lw_agent_set_reason(). NULL: none is known.
/// @return LW_OK; LW_STALE: the agent; LW_NOT_FOUND: its tree has no such node.
LW_API lw_status lw_agent_note_failure(lw_world *world, lw_agent_id agent, int node, const char *reason);
/// @return The agent's own stream of random numbers. Borrowed until it is despawned. NULL: a stale id.
LW_API lw_random *lw_agent_random_stream(lw_world *world, lw_agent_id agent);

#ifdef __cplusplus
}
#endif
#endif
