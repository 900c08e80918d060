/// All agents of a world together: how they avoid each other, and move.
#ifndef LW_AGENT_CROWD_H
#define LW_AGENT_CROWD_H

#include "agent/agent.h"
#include "agent/flow.h"
#include "agent/hazards.h"
#include "agent/orca.h"
#include "agent/pose.h"

/// Neighbours that an agent avoids.
#define LWI_NEIGHBORS_MAX 10

/// An agent at a bottleneck.
typedef struct lwi_turns {
  float rank;     ///< Distance to the entry, of agents near one; infinity: far. [m]
  uint32_t after; ///< The body that it waits for, or follows; UINT32_MAX: none.
  bool waits;     ///< For its turn, or behind others that do.
  bool follows;   ///< The agent before it, more slowly than it would go alone.
  bool comes_out; ///< Others make space for it.
} lwi_turns;

/// What others see of an agent in a step.
typedef struct lwi_crowd_body {
  lwi_agent *agent;
  lw_vec3 at;
  lwi_vec2 velocity, wish, next; ///< [m/s]
  lwi_vec2 moved;                ///< Where it is to be at the end of the step. [m]
  /// The speed that it has after the step at most, where some were put into each other; else infinity. [m/s]
  float push_speed;
  float radius, height, spacing; ///< [m]
  float weight;                  ///< By mass and priority: the heavier one yields less.
  lwi_turns turns;
  uint32_t next_in_cell; ///< A number, or UINT32_MAX.
  int16_t navmesh;
  uint8_t avoidance; ///< lw_avoidance
  bool is_awake;     ///< It moves in this step.
  bool is_solid;     ///< Others do not overlap it.
  bool is_there;     ///< Others avoid it.
  bool is_filled;    ///< In some step before.
  bool is_active;    ///< It is awake, or may be pushed in this step.
  bool gets_on;      ///< It comes nearer to its goal, or waits for one that does.
  uint8_t count;     ///< Of its neighbours.
  uint32_t first;    ///< Of its neighbours in lwi_crowd.neighbors.
  uint32_t hazard;   ///< 1 + that of what it evades in lwi_crowd.hazards; 0: nothing.
  uint32_t blocker;  ///< The body that keeps it from getting on; UINT32_MAX: none.
} lwi_crowd_body;

/// Two agents that touch, or nearly.
typedef struct lwi_contact {
  uint32_t a, b;
} lwi_contact;

/// Points of the line through a bottleneck.
#define LWI_BOTTLENECK_POINTS 8

/// A part of the ground that is too narrow for two agents side by side: they go through in one direction at a
/// time.
typedef struct lwi_bottleneck {
  lw_vec3 points[LWI_BOTTLENECK_POINTS]; ///< [point_count] From one end to the other, round its corners. [m]
  int32_t point_count;                   ///< At least 2.
  int32_t navmesh;
  int32_t turn; ///< Whose turn it is: 1 those from its first point to its last one, -1 the others; 0: nobody's.
  int32_t passed;               ///< Agents that went through in this turn.
  double used;                  ///< When an agent was near it last. [s]
  int32_t inside[2], coming[2]; ///< In this step, agents that go forwards and backwards.
  float nearest[2];             ///< The distance of the nearest agent; less than 0: inside. [m]
  uint32_t nearest_bodies[2];   ///< Those agents; UINT32_MAX: none.
} lwi_bottleneck;

typedef struct lwi_crowd {
  lwi_crowd_body *bodies; ///< [count] Of agents with bodies, in the order in which they were spawned.
  int count, capacity;
  bool is_stale; ///< Agents came or went since they were listed, or have new profiles.
  int awake_count;
  int vehicle_count;
  float vehicle_reach; ///< No part of any is farther from the middle of its rear axle. [m]
  uint32_t *cells;     ///< [cell_capacity] The first body of each; UINT32_MAX: none. By hash.
  int cell_capacity;
  uint32_t *neighbors; ///< [neighbor_capacity] By body: see lwi_crowd_body.first.
  int neighbor_capacity;
  uint32_t *active; ///< [active_count] Bodies that are active.
  int active_count, active_capacity;
  uint32_t *queue; ///< Of as many bodies: those that wait, while a step finds them.
  int queue_capacity;
  lwi_contact *contacts; ///< [contact_count]
  int contact_count, contact_capacity;
  float widest;   ///< The largest radius. [m]
  float farthest; ///< The longest time that whiskers look ahead. [s]
  lwi_hazards hazards;
  lwi_flow flow;
  lwi_bottleneck *bottlenecks; ///< [bottleneck_count] Unused ones have `navmesh` -1.
  int bottleneck_count, bottleneck_capacity;
} lwi_crowd;

/// What the crowd needs of its world.
typedef struct lwi_crowd_step {
  lwi_crowd *crowd;
  const lw_navmesh *const *meshes;
  uint64_t steps;
  double now; ///< [s]
  float dt;   ///< [s]
  const lwi_pose_clock *poses;
  lwi_memory *memory;
} lwi_crowd_step;

/// Make space for that many agents. @return false: no memory.
bool lwi_crowd_reserve(lwi_crowd *crowd, lwi_memory *memory, int count);
/// Let all agents that are awake move by one step, by their desired velocities. Obstacles that are hazards have
/// been added to lwi_crowd.hazards. @return false: no memory, and some hazards were not seen.
bool lwi_crowd_move(const lwi_crowd_step *step);
void lwi_crowd_free(lwi_crowd *crowd, lwi_memory *memory);
/// Add to a hash what the next steps depend on.
uint64_t lwi_crowd_hash(uint64_t hash, const lwi_crowd *crowd);
uint64_t lwi_motion_hash(uint64_t hash, const lwi_motion *motion);

#define LWI_CROWD_CELL 2.5f ///< [m]
/// Two agents whose surfaces are nearer to each other are in contact. [m]
#define LWI_CROWD_CONTACT 0.1f
/// An agent that turns from where it wants to go by more gives way. [rad]
#define LWI_GIVES_WAY 1.0f

/* --- parts of a step -------------------------------------------------------------------------------------- */

/// bottleneck.c: look on along an agent's path, up to the end of the next bottleneck.
void lwi_crowd_look_ahead(const lwi_crowd_step *step, lwi_agent *agent);
/// turns.c: find the bottlenecks ahead of all agents, decide whose turn it is, and let the others wait.
void lwi_crowd_yield(const lwi_crowd_step *step);
/// bottleneck.c: is the ground at a place, between two walls that face each other, too narrow for two such
/// agents?
bool lwi_crowd_is_narrow(const lwi_agent *agent, const lw_navmesh *mesh, lw_vec3 at);
/// right_of_way.c: where others come from opposite between two walls, turn the direction in which an agent
/// wants to go to the right half, or back where it is in the way of others.
/// @param[in, out] direction  Unit.
lwi_right_of_way lwi_crowd_keep_right(const lwi_crowd_step *step, const lwi_crowd_body *body,
                                      lwi_vec2 *direction);
/// sidestep.c: turn the wish of an agent past those that stand before it.
void lwi_crowd_sidestep(const lwi_crowd_step *step, lwi_crowd_body *body);
/// step_aside.c: let those that stand and block others step aside.
void lwi_crowd_step_aside(const lwi_crowd_step *step);
/// blocker.c: pass the weight of agents that are blocked on to lighter ones that block them.
void lwi_crowd_pass_priority(const lwi_crowd_step *step);
/// blocker.c: find which agents block which, and which would wait for ever. After all have moved.
void lwi_crowd_find_blockers(const lwi_crowd_step *step);
/// late.c: find those that have come no nearer to their goals for too long. After that.
void lwi_crowd_find_late(const lwi_crowd_step *step);
/// contact.c: push apart those that overlap, at the places where they are to be at the end of the step.
void lwi_crowd_separate(const lwi_crowd_step *step);

/// retreat.c: let an agent back off from another one. @return false: there is no ground behind it.
bool lwi_agent_back_off(lwi_agent *agent, const lw_navmesh *mesh, lw_vec3 blocker, double now);
/// retreat.c: set the velocity by which an agent that backs off gets to its place.
void lwi_agent_steer_back(lwi_agent *agent, const lw_navmesh *mesh);
/// Count that it tries a remedy.
void lwi_agent_count_remedy(lwi_agent *agent, lw_remedy remedy);
uint64_t lwi_remedy_hash(uint64_t hash, const lwi_remedy *remedy);

/// avoidance.c: the velocity nearest to an agent's wish that collides with nobody.
lwi_vec2 lwi_crowd_avoid(const lwi_crowd_step *step, const lwi_crowd_body *body);
/// The part of the effort to avoid each other that `body` takes. [0..1]
float lwi_crowd_share(const lwi_crowd_body *body, const lwi_crowd_body *other);
/// The agent that blocks one, or did until its move failed, and for how long by now [s]; none: nobody.
lw_agent_id lwi_agent_blocker(const lwi_agent *agent, float *seconds);
/// May an agent push aside another one that stands before it?
bool lwi_crowd_pushes(const lwi_crowd_body *body, const lwi_crowd_body *other);
/// Are two bodies at that distance on the same floor?
bool lwi_crowd_share_floor(const lwi_crowd_body *a, const lwi_crowd_body *b, float distance);

#endif
