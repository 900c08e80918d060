/// An agent: where it stands, the path that it follows, and whether it makes progress.
#ifndef LW_AGENT_AGENT_H
#define LW_AGENT_AGENT_H

#include "agent/orca.h"
#include "core/random.h"
#include "leeward/agent.h"
#include "leeward/cover_points.h"
#include "search/drive.h"
#include "search/path_search.h"

/* --- off-mesh links --------------------------------------------------------------------------------------- */

/// The off-mesh link that an agent is on. It is taken to its end whatever becomes of the path: agents do not
/// turn round in mid-air.
typedef struct lwi_traverse {
  bool active;
  lw_link_kind kind;
  lw_vec3 from;
  lw_location to;   ///< Where it ends.
  int navmesh;      ///< World index of the navmesh that it ends on; -1: of the one that it leaves.
  float straight;   ///< From end to end. [m]
  float done;       ///< Of `straight`. [m]
  float counted;    ///< The length that the link counts for in the path. [m]
  lw_link_id id;    ///< None: of no world.
  bool is_held;     ///< The game says when it ends.
  bool is_finished; ///< It has said so.
} lwi_traverse;

/// That an agent stands where a link begins, and waits until it may take it.
typedef struct lwi_link_wait {
  lw_link_id link;         ///< None: it does not wait.
  uint64_t ticket;         ///< Its place in the order of arrival.
  uint32_t next, previous; ///< Slots of those that arrived after it and before; UINT32_MAX: none.
} lwi_link_wait;

/// Begin the piece of the path that goes over `link`.
lwi_traverse lwi_traverse_begin(const lw_path *path, const lwi_path_link *link);
/// Go on along the straight line. A teleport uses no budget.
/// @param[in, out] budget  What is used is taken from it. [m] @param[out] at  The new place; its polygon
///   changes at the end.
/// @return Whether the link ends.
bool lwi_traverse_go(lwi_traverse *traverse, float *budget, lw_location *at);
/// The part of it that is done. [0..1]
float lwi_traverse_progress(const lwi_traverse *traverse);

/* --- the agent -------------------------------------------------------------------------------------------- */

/// Replans on the way to one goal before the agent gives up.
#define LWI_MAX_REPLANS 1
#define LWI_MAX_REPLANS_OF_VEHICLE 4

/// Whether the path that an agent follows is to be searched again, and why.
typedef enum lwi_staleness {
  LWI_FRESH,
  LWI_ALARMED, ///< The threats that the agent knows of changed, or how well they see it.
  LWI_STALE,   ///< The path was searched for another profile, or another may now be much cheaper.
  LWI_BLOCKED, ///< Ground on the path was cut away, or the agent was moved.
  LWI_WAITING, ///< It was sent, and waits for the planner; its path, if it has one, leads elsewhere.
  LWI_STALENESS_COUNT
} lwi_staleness;

/// What an agent does whose search has begun, while it waits for that.
typedef enum lwi_ahead {
  LWI_AHEAD_NONE,  ///< It stands, until there is a path that leads towards its goal.
  LWI_AHEAD_WALKS, ///< It walks the path that its search had come to.
  /// It has walked ahead, but the path that was found passes elsewhere. It stands, for another search.
  LWI_AHEAD_HALTS,
  LWI_AHEAD_COUNT
} lwi_ahead;

/// A polygon of a path's corridor as it was baked.
typedef struct lwi_route_polygon {
  uint32_t polygon; ///< Of the base.
  int navmesh;      ///< World index.
} lwi_route_polygon;

/// Walls about an agent.
#define LWI_WALLS_MAX 12
/// A wall from `a` to `b` in xz; the ground lies on the side that the normal points to. [m]
typedef struct lwi_wall {
  float ax, az, bx, bz;
  float nx, nz; ///< Unit normal.
} lwi_wall;

/// The walls near the cell that an agent is in. They depend on cell, polygon and navmesh alone, so that a run
/// that is saved and loaded sees the same ones.
typedef struct lwi_agent_walls {
  int32_t cell_x, cell_z;
  lw_poly_id poly; ///< 0: they were not collected yet.
  const lw_navmesh *mesh;
  uint64_t version; ///< Of the mesh.
  int count;
  lwi_wall items[LWI_WALLS_MAX];
} lwi_agent_walls;

/// The part of an agent's path that is too narrow for two, and that it comes to next, or is in.
typedef struct lwi_narrow {
  int32_t number;  ///< 1 + its index in the crowd's list; 0: there is none.
  bool is_forward; ///< It leads from the bottleneck's beginning to its end.
  bool is_inside;  ///< It has begun to go through.
  bool has_passed; ///< `exit` is that of one that it went through; `number` is 0.
  /// Remaining length of the path where it begins, and where it ends. While `number` is 0, `exit` is where the
  /// last bottleneck ended, or else where the agent began to look for one. [m]
  float entry, exit;
} lwi_narrow;

/// Whether an agent yields where others come from opposite between two walls: of two the agent with less does.
typedef enum lwi_right_of_way {
  LWI_LACKS_RIGHT_OF_WAY = -1, ///< It is in the left half.
  LWI_NO_RIGHT_OF_WAY = 0,     ///< Nobody comes from opposite, or it is near the middle.
  LWI_HAS_RIGHT_OF_WAY = 1     ///< It is in the right half.
} lwi_right_of_way;

/// What an agent saw on its whiskers, if it evades something.
typedef struct lwi_whisker_view {
  bool is_evading;    ///< Else nothing else counts.
  lwi_vec2 direction; ///< Of the middle one, unit.
  float speed;        ///< That it wanted to have. [m/s]
  float turn;         ///< How far it turned from there, to the left. [rad]
  float slowed;       ///< Its speed as a part of that. [0..1]
  lw_whisker_hit met; ///< What is straight ahead.
  uint8_t count;
  uint8_t hits[LW_WHISKERS_MAX]; ///< [count] lw_whisker_hit, from the right to the left.
  float free[LW_WHISKERS_MAX];   ///< [count] [s]
} lwi_whisker_view;

/// Which agents keep one from getting on, and for which one it pushes.
typedef struct lwi_blocking {
  lw_agent_id by;        ///< The agent that blocks it, as of the last step; none: nobody.
  lw_agent_id urged_by;  ///< The agent behind it whose weight it had in that step; none: it had its own.
  lw_agent_id barred_by; ///< The agent that blocked it until its move failed; none: no failure.
  bool is_barred;        ///< It would wait for ever.
  bool is_late;          ///< It has not come nearer to its goal for too long, nor has any before it.
  /// For how long it and all before it have been held, in a queue that will not dissolve by itself. It is set
  /// in one step of each second; 0 in others. [s]
  float held;
  bool is_circle;   ///< The queue ends at the agent itself, or at one that may yet be pushed aside.
  bool is_lightest; ///< The agent is, of those in that circle.
  bool is_wedged;   ///< All in that circle go one way, and none gets on.
} lwi_blocking;

/// A line across the ground, from wall to wall.
typedef struct lwi_cross_section {
  lw_vec3 middle;
  lwi_vec2 along, right; ///< Unit.
  float width;           ///< [m]
  float crossing;        ///< Where the agent crosses it, from the middle to the right. [m]
} lwi_cross_section;

/// That at a corner of a path, kept while neither it nor the ground changes. Not saved.
typedef struct lwi_corner_section {
  const lw_navmesh *mesh; ///< That it was measured on; NULL: it was not.
  uint64_t version;       ///< Of that.
  lw_vec3 points[3];      ///< Of the path: the corner, and those before and behind it.
  bool is_there;
  lwi_cross_section section;
} lwi_corner_section;

/// How an agent comes nearer to its goal.
typedef struct lwi_gain {
  float nearest; ///< The remaining length of its path when it had come nearer last; infinity: it sets out. [m]
  float no_nearer; ///< For how long it has come no nearer. [s]
  float late;      ///< The same while it waited for none that did. [s]
} lwi_gain;

/// How an agent's body moves. Nothing of it counts for an agent whose profile has no body.
typedef struct lwi_motion {
  lw_vec3 before;       ///< Position before the step. [m]
  float heading_before; ///< [rad]
  float turn;           ///< How far it turns from its path's direction to avoid the flow of others. [rad]
  float turn_goal;      ///< What that changes to. [rad]
  lwi_right_of_way right_of_way;
  float probed; ///< Remaining length of the path up to which it was looked for bottlenecks. [m]
  lwi_narrow narrow;
  bool is_crowded_out; ///< Others that have arrived stand where it was to go.
  bool is_advancing;   ///< In the last step it came on as it wanted to, or nearly.
  bool stops_at_aim;   ///< A link begins where it goes to: it must not pass that.
  float aim_x, aim_z;  ///< Where it goes to. [m]
  lw_vec3 desired;     ///< The velocity that it would have if it were alone. [m/s]
  float blocked;       ///< For how long others have kept it from getting on; 0: they do not. [s]
  float held;          ///< For how long it has been near one place meanwhile. [s]
  lwi_vec2 held_at;    ///< That place. [m]
  lwi_gain gain;
  lwi_blocking blocking;     ///< Not saved.
  bool is_external;          ///< The game moves it.
  lwi_whisker_view whiskers; ///< Of the last step. Not saved.
  lw_vec3 chosen;            ///< The velocity that it would take, past others. [m/s]
  bool is_resting;           ///< It has nothing to do in a step.
  bool has_travelled;        ///< It was on a link in this step, or landed.
  bool is_off_path;          ///< It was pushed out of sight of its path.
  lwi_agent_walls walls;
  lwi_corner_section corners[2]; ///< Of the last corners of its path, by their numbers.
} lwi_motion;

/// Threats that need not be in the world.
typedef struct lwi_beliefs {
  lw_threat *threats; ///< [count]
  int count, capacity;
} lwi_beliefs;

/// What was asked for one journey: from a move to its arrival, failure, stop, or the next move.
typedef struct lwi_journey {
  const lw_profile *profile; ///< Paths are searched for it; borrowed. NULL: the agent's own.
  lw_quality quality;
  lw_path_style path_style;
  bool has_heading;    ///< A vehicle is to stand in that direction at the goal,
  float heading;       ///< namely this one. [rad]
  int pace;            ///< 1 + lw_pace; 0: the agent's own.
  int priority;        ///< Of its path, while it waits for that.
  bool has_threats;    ///< `threats` count in place of those that the agent knows of.
  lwi_beliefs threats; ///< Owned.
} lwi_journey;

/// How a member of a group walks in a step.
typedef enum lwi_station_kind {
  LWI_STATION_NONE,  ///< As it does alone.
  LWI_STATION_PLACE, ///< Straight to its place.
  LWI_STATION_TRAIL, ///< Along its path, no faster than lwi_station.speed.
  LWI_STATION_LEADS  ///< The same at the head of a convoy: it arrives by itself.
} lwi_station_kind;
/// Searches past others on one journey, at most.
#define LWI_DETOURS_MAX 3
/// Where an agent that backs off goes.
typedef struct lwi_retreat {
  bool is_on;
  lw_vec3 to;   ///< [m]
  double until; ///< Simulation time. [s]
} lwi_retreat;
/// What an agent has tried on its journey where others barred it.
typedef struct lwi_remedy {
  int tried[LW_REMEDY_COUNT];
  bool is_passing;   ///< It passes others on a side, as of the last step.
  float barred;      ///< For how long others that stand have kept it from getting on. [s]
  bool is_searching; ///< Its path is being searched past those that stand near `places`.
  int place_count;
  lw_vec3 places[LWI_DETOURS_MAX]; ///< [place_count] Where others barred it. [m]
  lwi_retreat retreat;
} lwi_remedy;
/// What an agent has of its group. What is set in each step, before agents move, is not saved.
typedef struct lwi_station {
  uint32_t group; ///< Slot of its group and 1; 0: it is in none.
  bool is_away;   ///< It takes no part.
  lwi_station_kind kind;
  lw_vec3 at, velocity; ///< Its place, and how that moves. [m, m/s]
  float speed;          ///< [m/s]
  lw_agent_id behind;   ///< Of a convoy: the member before it, if that holds it up.
  float haste;          ///< It may be faster by this part of its speed.
} lwi_station;
/// How a vehicle gives way to another one that comes towards it where both do not fit beside each other.
typedef enum lwi_yield_kind {
  LWI_YIELD_NONE,
  LWI_YIELD_HOLDS,  ///< It stops on its drive, before the narrow ground.
  LWI_YIELD_MOVES,  ///< It drives to a place beside the other one's drive, or waits for a drive there,
  LWI_YIELD_WAITS,  ///< and stands there until that one has passed.
  LWI_YIELD_PASSES, ///< It drives round the other one, which waits.
  LWI_YIELD_JOINS,  ///< It drives to where the leader of its convoy was.
  LWI_YIELD_COUNT
} lwi_yield_kind;
typedef struct lwi_yielding {
  lwi_yield_kind kind;
  uint64_t to;      ///< lwi_agent.serial of the other one.
  uint64_t refused; ///< That of one to which it found no place to give way; 0: none.
  int tried;        ///< Places that no drive led to.
  float hold;       ///< Where it stops, along its drive. [m]
  float far;        ///< Its place, from where it was, along the drive of the other one. [m]
  lw_vec3 place;    ///< Where it stands. [m]
  float heading;    ///< There. [rad]
  lw_vec3 passing;  ///< On the drive of the other one: once that is past it, it goes on. [m]
  double until;     ///< It waits no longer. Simulation time. [s]
} lwi_yielding;
#define LWI_YIELD_TRIES 4 ///< Places, at most.
/// How a vehicle drives. `drive` may be NULL while it is still rolling.
typedef struct lwi_driving {
  lw_drive *drive;     ///< Owned; NULL: none.
  uint32_t number;     ///< Of the drives that it had.
  int piece;           ///< Of the drive, that it is on: the point where it begins.
  float along;         ///< How far it has come. [m]
  float speed;         ///< < 0: backwards. [m/s]
  float curvature;     ///< That it steers; > 0: to the left. [1/m]
  float trailer_angle; ///< As in lw_drive_query. [rad]
  uint64_t checked;    ///< 1 + version of the navmesh that the drive was held against; 0: none yet.
  lw_agent_id blocker; ///< The agent that blocked it in the last step; none: nobody. Not saved, but
  uint64_t blocked_by; ///< its lwi_agent.serial; 0: nobody.
  bool is_blocked;     ///< It waits for a drive past what stands there:
  lw_vec3 blocked_at;  ///< [m]
  lwi_yielding yielding;
} lwi_driving;

/// The path that an agent follows, and its progress.
typedef struct lwi_agent_route {
  lw_vec3 goal;
  float within;   ///< Remaining length at which the goal counts as reached. [m]
  lw_path *path;  ///< Owned; NULL unless walking.
  int next_point; ///< Of the path: where the agent walks to.
  float remaining;
  float best_remaining; ///< The least remaining length on this path so far. [m]
  double best_time;     ///< Simulation time of that. [s]
  int replans_left;
  lwi_staleness staleness;
  float visibility; ///< The agent's visibility when the path was searched. [0..1]
  double searched;  ///< Simulation time when the path was searched. [s]
  /// Simulation time when it is searched again, since ground came back; infinity: it is not. [s]
  double reconsider;
  lwi_route_polygon *polygons; ///< [polygon_count] Owned. The path's corridor.
  int polygon_count, polygon_capacity;
  uint64_t found;       ///< lwi_scene.changes when the path was found.
  uint64_t waits_since; ///< The step before which it began to wait for its path.
  lwi_ahead ahead;      ///< While it waits.
  /// What the path costs more than what would be left of the last one that was searched whole. While it is
  /// finite, the path may be mended. Infinity: it is not known. [metre-equivalents]
  float excess;
  lwi_link_wait wait;
  lwi_journey journey;
  uint32_t version; ///< Grows whenever another path is followed, or none.
  lwi_motion motion;
  lwi_remedy remedy;
  lwi_station station;
  lwi_driving driving; ///< Of a vehicle.
} lwi_agent_route;

struct lwi_senses; /* agent/senses.h */
/// What an agent knows of threats and of others, and which news of its world it has taken in.
typedef struct lwi_knowledge {
  /// Number of the last news that its path, or its staleness, takes in.
  uint64_t heard;
  uint32_t team_number;                   ///< Of its team: see lwi_team_number().
  uint32_t first_learning, last_learning; ///< Threats of the world that it learned of: see lwi_learning.
  uint32_t first_eye;                     ///< Threats that are its eyes: see lwi_threat.
  struct lwi_senses *senses;              ///< Owned: what it perceives. NULL: it had no senses yet.
  lwi_beliefs beliefs;                    ///< Its own.
  lwi_beliefs searched_beliefs;           ///< Its beliefs when its path was last searched.
} lwi_knowledge;

/// The cover point that an agent has reserved.
typedef struct lwi_reservation {
  bool active;
  lw_vec3 at;
  float leash;  ///< How far the agent may go from it. [m]
  bool reached; ///< The agent has been there.
  /// 1 + the number of the obstacle that offers this cover: with it the place goes. 0: of the level.
  uint32_t obstacle;
  bool lost; ///< Not `active` any more because that obstacle has gone.
  /// 1 + the stance of lw_agent_set_cover_stance(), and that which the agent had before. 0: it set none.
  int stance, stance_before;
} lwi_reservation;

/// An agent's removal at the end of the step: a node of a leftist heap.
typedef struct lwi_agent_removal {
  bool pending;
  struct lwi_agent *left, *right;
  int rank;
} lwi_agent_removal;

/// How an agent stands where ground was cut away.
typedef struct lwi_ground {
  /// It rests where the obstacle is cut out that it carries, and `at` is on no polygon. When it is to walk, it
  /// begins once the obstacle is taken out.
  bool is_parked;
  bool is_trapped; ///< Ground was cut away under it, and `at` is on no polygon.
  lw_vec3 beside;  ///< Of a parked agent: the nearest ground, or where it is if there is none near by. [m]
  int32_t cell[2]; ///< Where the index of agents by place has it (world/agents_around.c).
  uint32_t first_carried; ///< Slot of the obstacle that it carries, newest first; LWI_NO_SLOT: none.
} lwi_ground;

/// Which agents have their trees ticked next: a place in one of the queues of the world (world/trees.c).
typedef struct lwi_tree_turn {
  int queue; ///< lwi_turn_queue_kind; 0: it is in none.
  int index; ///< In that heap.
  double key;
  uint64_t reacted;    ///< The round of ticks in which its conditions last reacted after its turn,
  int reactions;       ///< and how often they did.
  uint64_t reacted_at; ///< When that was last, counted in reactions of all agents.
  bool reads_shared;   ///< In the list of agents whose trees read keys of teams or the world, or events.
  struct lwi_agent *next_reader, *previous_reader;
} lwi_tree_turn;

/// A tree that takes the place of the one that an agent runs when the leaf returns that is being called.
typedef struct lwi_next_tree {
  bool is_pending;
  const lw_tree *tree;
  lw_tree_run *run; ///< Owned. NULL: no tree.
} lwi_next_tree;

struct lwi_values; /* behavior/values.h */
/// What the tree of an agent has beside its run.
typedef struct lwi_mind {
  int failed;       ///< 1 + the node of its tree that failed last, if `reason` does not name it. 0: it does.
  char reason[192]; ///< Of the last failure; without the leaf's name if there is a `failed`.
  lwi_next_tree next;
  lwi_tree_turn turn;
  struct lwi_values *values; ///< Owned: its blackboard. NULL: nothing was ever set.
  /// Owned: the events that were sent to it. NULL: none ever was.
  struct lwi_values *events;
  struct lwi_history *history; ///< Owned: world/history.h. NULL: agents of its world keep none.
} lwi_mind;

/// The agent before the last step in which it could move: lw_agent_pose(). Not saved.
typedef struct lwi_agent_past {
  uint64_t step; ///< That step, by lwi_pose_clock.
  bool is_new;   ///< It was spawned or loaded then.
  lw_vec3 point;
  float heading, trailer_angle;
  double walked;          ///< [m]
  float speed, turn_rate; ///< In the step before that one. [m/s, rad/s]
} lwi_agent_past;

typedef struct lwi_agent {
  lw_agent_id id;
  uint64_t serial; ///< The count of agents spawned so far, with this one.
  const lw_profile *profile;
  char team[32];
  uint64_t user;
  uint32_t color; ///< 0: none was given.
  lw_random random;

  int navmesh; ///< World index of the navmesh that it stands on.
  lw_location at;
  lw_vec3 velocity;
  float heading;
  lwi_agent_past past;
  lw_pace pace;
  int stance; ///< Of its profile, as it was set: lwi_agent_stance() is what it takes.

  lw_move_state move;
  lw_status failure;
  lwi_agent_route route;
  /// Active: it is on an off-mesh link, and `at.poly` and `navmesh` are where the link began.
  lwi_traverse link;
  lwi_ground ground;
  lwi_knowledge knowledge;
  lwi_reservation cover;

  const lw_tree *tree;
  lw_tree_run *run;
  lwi_mind mind;
  lwi_agent_removal removal;
  lw_agent_stats stats;
} lwi_agent;

/// The profile that its paths are searched for.
static inline const lw_profile *lwi_agent_payer(const lwi_agent *agent) {
  return agent->route.journey.profile ? agent->route.journey.profile : agent->profile;
}
/// Its path is to be searched again for that reason, unless it waits for another one.
static inline void lwi_agent_doubt_path(lwi_agent *agent, lwi_staleness why) {
  if (agent->route.staleness != LWI_WAITING) agent->route.staleness = why;
}
/// How fast it walks.
static inline lw_pace lwi_agent_pace(const lwi_agent *agent) {
  return agent->route.journey.pace > 0 ? (lw_pace)(agent->route.journey.pace - 1) : agent->pace;
}

/* --- following a path ------------------------------------------------------------------------------------- */

typedef enum lwi_progress {
  LWI_WALKS,
  LWI_ARRIVED,
  LWI_STUCK, ///< No progress for the time allowed.
  LWI_LATE   ///< None for so long that nothing is tried any more.
} lwi_progress;

struct lwi_agent;
/// Decides about links that agents take. What is called may give the agent another path, or none.
typedef struct lwi_link_host {
  /// Let the agent begin the link, with lwi_agent_enter_link(), or wait. @return Whether it has begun.
  bool (*enter)(void *user, struct lwi_agent *agent, const lwi_path_link *link);
  void (*leave)(void *user, struct lwi_agent *agent); ///< It is at the end.
  void *user;
} lwi_link_host;

/// Begin the link that the path's next piece leads over.
void lwi_agent_enter_link(lwi_agent *agent, const lwi_path_link *link);
/// Begin to follow a path, which the agent then owns.
void lwi_agent_follow(lwi_agent *agent, lw_path *path, double now);
/// Drop the path and stand still: the journey ends.
void lwi_agent_halt(lwi_agent *agent, lw_move_state move, lw_status failure);
/// The stance that it takes: its own, or under a ceiling that is too low for it the fastest that fits.
/// @param mesh  That it stands on.
int lwi_agent_stance(const lwi_agent *agent, const lw_navmesh *mesh);
/// Where a path can be searched from: where the agent stands, or where the link that it is on ends.
lw_location lwi_agent_footing(const lwi_agent *agent);
/// World index of the navmesh of its footing.
int lwi_agent_footing_navmesh(const lwi_agent *agent);
/// The point of the path that it goes to.
int lwi_agent_next_point(const lwi_agent *agent);
/// Without a path: go on along the link that it is on, if any.
void lwi_agent_land(lwi_agent *agent, const lw_navmesh *const *meshes, const lwi_link_host *host, float dt);
/// Walk along the path for `dt` seconds, past others. The agent never leaves the mesh but on links.
/// @param meshes  The world's.
lwi_progress lwi_agent_walk(lwi_agent *agent, const lw_navmesh *const *meshes, const lwi_link_host *host,
                            float dt, double now, float stuck_seconds);
/// With a body: go on along the link that the agent is on, or begin the one where it stands.
/// @param meshes  The world's.
/// @return Whether it was on a link in this step, and has therefore moved.
bool lwi_agent_travel(lwi_agent *agent, const lw_navmesh *const *meshes, const lwi_link_host *host, float dt);
/// Length of the rest of its path, from where it is. [m]
float lwi_agent_remaining(const lwi_agent *agent);
/// Note the progress of an agent that has moved.
lwi_progress lwi_agent_progress(lwi_agent *agent, double now, float stuck_seconds);
/// Whether the agent stands on the surface of its polygon, or is on a link.
bool lwi_agent_on_mesh(const lwi_agent *agent, const lw_navmesh *const *meshes);

#endif
