/// Inside a world.
#ifndef LW_WORLD_WORLD_H
#define LW_WORLD_WORLD_H

#include "agent/crowd.h"
#include "core/hash_index.h"
#include "core/id_pool.h"
#include "core/number_set.h"
#include "leeward/threat.h"
#include "leeward/world.h"
#include "mesh/obstacle_shape.h"
#include "query/path_query.h"
#include "query/workspace.h"
#include "world/groups.h"
#include "world/history.h"
#include "world/link_entry.h"
#include "world/permutations.h"
#include "world/planner.h"
#include "world/senses.h"
#include "world/timed_regions.h"
#include "world/trees.h"

/// The agents of a world.
typedef struct lwi_agents {
  lwi_id_pool ids;   ///< In the order they were spawned.
  lwi_agent **items; ///< By slot.
  int capacity;
  lwi_agent *removed; ///< Those that are pending removal: a heap, the newest on top.
  int removed_count;
  bool flushing;            ///< They are being freed, and their leaves stopped.
  lwi_hash_index by_cell;   ///< Slots, by the cell that they are in,
  lwi_hash_index by_serial; ///< and by lwi_agent.serial.
  lwi_crowd crowd;          ///< Those with bodies.
  lwi_world_senses senses;
  lwi_histories histories;
  lwi_groups groups;
  lwi_pose_clock poses;
} lwi_agents;

/// The places behind cover that agents have reserved.
typedef struct lwi_reserved {
  lwi_hash_index index; ///< Slots of agents, by the cell that their place is in.
  float widest;         ///< No agent that has reserved one has a larger radius. [m]
} lwi_reserved;

/// A threat of the world.
typedef struct lwi_threat {
  lw_threat now;
  lw_threat announced;             ///< As it was when the agents that know of it were last alarmed.
  uint64_t serial;                 ///< How many there were before, and 1.
  lw_agent_id agent;               ///< Whose eye it is; none: nobody's.
  uint32_t next_eye, previous_eye; ///< Threats that are eyes of the same agent; LWI_NO_SLOT: none.
  int awaits;             ///< Not 0: it is the eye of this agent of a file, from 1, that is not restored yet.
  uint32_t first_learner; ///< The newest lwi_learning of it, or LWI_NO_SLOT.
  uint64_t alarmed;       ///< When those that learned of it were last alarmed (lw_world.news).
  float tolerance;        ///< How far apart `now` and `announced` may be. [m]
  bool public;            ///< A team knows of it,
  uint32_t team;          ///< this one (lwi_team_number()); 0: all.
} lwi_threat;

/// That an agent learned of a threat.
typedef struct lwi_learning {
  uint32_t agent, threat;                    ///< Slots.
  uint32_t next_of_agent, previous_of_agent; ///< Older to newer; LWI_NO_SLOT: none.
  uint32_t next_learner, previous_learner;   ///< Of the same threat, newer to older.
} lwi_learning;

/// A name that agents have as team, or that threats are known to.
typedef struct lwi_team_name {
  char text[32];
  uint64_t alarmed; ///< When agents of the team were last alarmed (lw_world.news).
} lwi_team_name;

typedef struct lwi_threats {
  lwi_id_pool ids;
  lwi_threat *items; ///< By slot.
  int capacity;
  uint64_t created;          ///< How many there ever were: the last serial number.
  uint32_t version;          ///< Grows with every alarm.
  int eye_count;             ///< Threats that are eyes, or await their agent.
  uint64_t all_alarmed;      ///< When all agents were last alarmed (lw_world.news),
  uint64_t learners_alarmed; ///< and when some that learned of a threat were.
  lwi_id_pool learning_ids;
  lwi_learning *learnings; ///< By slot of learning_ids.
  int learning_capacity;
  lwi_hash_index learning_index; ///< By agent and threat.
  lwi_team_name **teams;         ///< [team_count] By number - 1. Owned.
  int team_count, team_capacity;
  lwi_hash_index team_index; ///< By text.
} lwi_threats;

/// An obstacle of the world.
typedef struct lwi_obstacle {
  lw_obstacle_def def; ///< As it was added; `points` are owned, `carrier` and `attached_to` do not count.
  lwi_pose now;
  lwi_pose cut; ///< Where it was cut, if it is.
  lw_vec3 velocity;
  double moved;          ///< When it was moved last. [s]
  lw_vec3 from;          ///< Where it was before that,
  double from_time;      ///< and since when. [s]
  uint32_t number;       ///< Of its footprint in the live navmeshes.
  uint64_t serial;       ///< How many there ever were when it was added.
  bool is_cut;           ///< It has a footprint in the live navmeshes.
  bool is_active;        ///< In lwi_obstacles.active.
  bool is_removed;       ///< It was removed since changes were last applied.
  lw_agent_id agent;     ///< Its carrier, or none.
  int permutation;       ///< Not 0: it belongs to that permutation, from 1, and has no id.
  int awaits;            ///< Not 0: it is carried by this agent of a file, from 1, that is not restored yet.
  uint32_t next_carried; ///< Of the same agent or permutation; LWI_NO_SLOT: none.
  uint32_t head;         ///< What it is attached to; LWI_NO_SLOT: nothing.
  uint32_t first_attached, next_attached;
  lwi_pose offset; ///< Of an attached one, from its head as it would be without yaw.
  bool is_shown;   ///< It is among the screens, as it is in `shown`.
  lwi_pose shown;
  bool is_announced; ///< Agents have searched, or are to, with what it hides as in `announced`.
  lwi_pose announced;
} lwi_obstacle;

/// What is hidden has changed somewhere about a place.
typedef struct lwi_sight_change {
  lw_vec3 at;
  float reach;      ///< Of the obstacle that came, or went. [m]
  uint32_t carrier; ///< As in lwi_screen.
} lwi_sight_change;
typedef struct lwi_sight_changes {
  lwi_sight_change *items; ///< [count]
  int count, capacity;
  lwi_rectangle_tree tree; ///< Of them, by number.
} lwi_sight_changes;

/// Ground within a disc in xz that was changed.
typedef struct lwi_changed_disc {
  lwi_timed_shape shape;
  uint32_t number; ///< Of the footprint; LWI_NONE: tiles were swapped.
  bool is_price;   ///< The ground has another area or cost there, and stays.
} lwi_changed_disc;
typedef struct lwi_disc_list {
  lwi_changed_disc *items; ///< [count]
  int count, capacity;
  lwi_rectangle_tree tree; ///< Of them, by number.
  float radius;            ///< The greatest of theirs. [m]
} lwi_disc_list;

/// The obstacles of a world.
typedef struct lwi_obstacles {
  lwi_id_pool ids;
  lwi_number_set numbers; ///< Of footprints.
  uint64_t created;       ///< How many there ever were: the last serial number.
  lwi_obstacle *items;    ///< By slot.
  int capacity;
  uint32_t *active; ///< [active_count] Slots of those that the next step looks at.
  int active_count, active_capacity;
  int hidden_count; ///< Of those that are removed, or belong to permutations.
  /// Over footprints that were taken out since changes were last applied, ground that got another price, and
  /// tiles that came,
  lwi_disc_list opened;
  lwi_disc_list closed;            ///< and over footprints that were put in, and such tiles.
  bool any_marked;                 ///< Ground became another area since changes were last applied.
  lwi_sight_changes sight_changes; ///< Since changes were last applied.
} lwi_obstacles;

struct lw_world {
  lwi_scene scene; ///< What asking reads. First, so that lwi_scene_of() finds it.
  lwi_memory memory;
  lw_world_def def;
  double time;
  uint64_t steps, spawned;
  lw_random random;
  lwi_timed_regions regions;
  lwi_agents agents;
  lwi_world_trees trees;
  lwi_planner planner;
  lwi_reserved reserved;
  lwi_threats threats;
  lwi_obstacles obstacles;
  lwi_permutations permutations;
  lwi_world_links links;
  bool ground_missed; ///< There was no memory to see to agents after a change.
  double reconsider;  ///< No agent's lwi_agent_route.reconsider is earlier. [s]
  uint64_t news;      ///< Grows with each change after which paths may be stale.
  uint64_t dimmed;    ///< The news that a visibility was set last.
  uint64_t settled;   ///< The news that all agents have heard.
  uint64_t restored;  ///< The `steps` of the file that was restored last; UINT64_MAX: none was.
  int calls;          ///< In progress that run leaves: see lwi_world_leave().
  bool closing;       ///< lw_world_destroy() was called, perhaps by a leaf.
};

/// A stale id for one that leads nowhere, in a form that is the same before and after the world was saved: its
/// slot is one that no agent ever has. Ids that differ stay different, but one in 16 million.
lw_agent_id lwi_gone_agent(const lw_world *world, lw_agent_id id);

/// Does a leaf run, in a step or because its agent is removed? Until it returns, the world does not step and is
/// not saved.
static inline bool lwi_world_is_busy(const lw_world *world) {
  return world->scene.stepping || world->agents.flushing;
}

/* --- world.c ---------------------------------------------------------------------------------------------- */

/// Begin a call that may run leaves: the world stays until lwi_world_leave(), also if a leaf destroys it.
static inline void lwi_world_enter(lw_world *world) {
  world->calls += 1;
}
/// End the call. @return false: it was the outermost one, a leaf had destroyed the world, and now it is gone.
bool lwi_world_leave(lw_world *world);

/* --- agents.c --------------------------------------------------------------------------------------------- */

/// @return The agent, or NULL for a stale id.
lwi_agent *lwi_world_agent(const lw_world *world, lw_agent_id id);
/// @return The agent with that lwi_agent.serial; NULL: it is gone, or pending removal.
lwi_agent *lwi_world_agent_of_serial(const lw_world *world, uint64_t serial);
/// Give an agent the serial number that it had in a file. Allocates nothing.
void lwi_agent_set_serial(lw_world *world, lwi_agent *agent, uint64_t serial);
/// What is seen of an agent, in the stance that it takes.
static inline const lw_stance *lwi_world_body(const lw_world *world, const lwi_agent *agent) {
  return lw_profile_get_stance(agent->profile, lwi_agent_stance(agent, world->scene.meshes[agent->navmesh]));
}
/// Agents in the order they were spawned, with those that are pending removal. @param agent  NULL: begin.
/// @return NULL behind the last one.
lwi_agent *lwi_next_agent(const lw_world *world, const lwi_agent *agent);
/// The agent that was spawned last, or NULL.
static inline lwi_agent *lwi_last_agent(const lw_world *world) {
  return world->agents.ids.count > 0 ? world->agents.items[world->agents.ids.last] : NULL;
}
/// Stop the leaves of the agents that are pending removal, and free them.
void lwi_world_flush_removed(lw_world *world);
void lwi_world_agents_free(lw_world *world);
/* --- agents_around.c -------------------------------------------------------------------------------------- */

/// Let a new agent be found by its place. @return false: no memory.
bool lwi_agent_list_place(lw_world *world, lwi_agent *agent);
/// It goes.
void lwi_agent_unlist_place(lw_world *world, const lwi_agent *agent);
/// Call `visit` for all agents near a point, and for some others, in no order.
void lwi_world_visit_near(const lw_world *world, lw_vec3 at, float radius,
                          void (*visit)(void *user, lwi_agent *agent), void *user);
/// It may be elsewhere now. Allocates nothing.
void lwi_agent_note_place(lw_world *world, lwi_agent *agent);

/* --- journey.c -------------------------------------------------------------------------------------------- */

/// On a journey for another profile than its own: what its own may enter and take. NULL: its paths are searched
/// for its own.
const lw_filter *lwi_agent_limits(const lwi_agent *agent);
void lwi_agent_journey_free(lw_world *world, lwi_agent *agent);
uint64_t lwi_agent_journey_hash(uint64_t hash, const lwi_agent *agent);

/// "agent 3", as scripts show it.
void lwi_agent_name(lw_agent_id id, char *text, size_t size);
/// Begin a journey with these options; then it is given a path, or searches one. @param goal  Finite.
/// @return false: no memory.
bool lwi_agent_begin_journey(lw_world *world, lwi_agent *agent, lw_vec3 goal, const lw_move_options *options);
/// Search a path for a journey that has begun. @return As lw_agent_move_with().
lw_status lwi_agent_walk_alone(lw_world *world, lwi_agent *agent);
/// Its move ends with success (world.c).
void lwi_agent_arrive(lw_world *world, lwi_agent *agent);
/// Its move ends without success.
void lwi_agent_fail_move(lw_world *world, lwi_agent *agent, lw_status status);
/// Its move ends: it is idle, or still trapped.
void lwi_agent_stop_walk(lw_world *world, lwi_agent *agent);
/// The same as lwi_agent_fail_move(), unless there is something left that it can try; and wake its tree.
void lwi_agent_give_up(lw_world *world, lwi_agent *agent, lw_status status);

/* --- obstacles.c ------------------------------------------------------------------------------------------ */

/// The obstacle that is in the slot. @return Valid until one is added.
static inline lwi_obstacle *lwi_obstacle_at(const lw_world *world, uint32_t slot) {
  return &world->obstacles.items[slot];
}
/// Has nobody its id? It was removed, or belongs to a permutation.
bool lwi_obstacle_is_hidden(const lwi_obstacle *obstacle);
/// @return Its slot; LWI_NO_SLOT: it was removed.
uint32_t lwi_obstacle_find(const lw_world *world, lw_obstacle_id id);
/// Where it is now: a carried one is where its agent is.
lwi_pose lwi_obstacle_pose(const lw_world *world, const lwi_obstacle *obstacle);
lw_vec3 lwi_obstacle_velocity(const lw_world *world, const lwi_obstacle *obstacle);
/// List the obstacles that agents may run into in this step: they are not cut out where they are now, or move.
/// @return false: no memory, and some are not listed.
bool lwi_world_list_hazards(lw_world *world);
/// Find out which obstacles are cut and where, by the rules of motion, and cut the navmeshes; then see to the
/// agents.
/// @return false: no memory.
bool lwi_world_apply(lw_world *world);
/// Set the footprints of all obstacles that are cut in another live navmesh of that navmesh's agents. @return
/// false: no memory.
bool lwi_world_cut_out_of(const lw_world *world, lwi_live *live, const lw_navmesh *base);
/// The agent is gone: what it carries rests.
void lwi_agent_drop_obstacles(lw_world *world, lwi_agent *agent);
/// Check that an obstacle that does not block has an area of the world. @return LW_OK, or LW_INVALID.
lw_status lwi_world_check_area(const lw_world *world, const lw_obstacle_def *def, lw_error *error);
/// Add an obstacle of a permutation, from 1; 0: of none. @return Its slot; LWI_NO_SLOT: no memory.
uint32_t lwi_world_create_obstacle(lw_world *world, const lw_obstacle_def *def, int permutation);
/// Remove it and what is attached to it, when changes are applied.
void lwi_world_discard_obstacle(lw_world *world, uint32_t slot);
/// Obstacles as they are put in place of those of a world.
typedef struct lwi_obstacles_state {
  const lwi_id_state *states; ///< [slot_count]
  const lwi_obstacle *items;  ///< [slot_count] Where `states` has a generation; `points` are copied.
  const bool *offers;         ///< [slot_count] They offered cover.
  const lw_area_id *areas;    ///< [LW_AREA_MAX + 1] In this world, by those of the items.
  int slot_count;
  const uint32_t *order; ///< [count] Slots.
  int count;
} lwi_obstacles_state;
/// Put obstacles in place of those of the world, and cut them as they were. @return false: no memory.
bool lwi_world_obstacles_restore(lw_world *world, const lwi_obstacles_state *from);
/// An agent is restored that was number `index` of its file: it carries an obstacle again, unless that was
/// removed meanwhile. @param slot  Of the file.
void lwi_world_restore_carried(lw_world *world, lwi_agent *agent, int index, uint32_t slot);
void lwi_world_obstacles_free(lw_world *world);
uint64_t lwi_world_obstacles_hash(const lw_world *world, uint64_t hash);

/* --- obstacle_sight.c ------------------------------------------------------------------------------------- */

/// Let an obstacle hide where it is now, or no longer, if it was removed. @param rests  It does, and is to
/// offer cover where it is cut. @return false: no memory.
bool lwi_obstacle_show(lw_world *world, uint32_t slot, bool rests);
/// Let it hide as it did in a file. @param offers  It offered cover. @return false: no memory.
bool lwi_obstacle_restore_sight(lw_world *world, uint32_t slot, bool offers);
/// Does it offer cover?
bool lwi_obstacle_offers_cover(const lw_world *world, const lwi_obstacle *obstacle);
/// Let agents search again whose paths threats may see more or less of than before, and forget what changed.
void lwi_world_sight_changed(lw_world *world);

/// Sight has changed in a box: it may concern agents as an obstacle there would. @return false: no memory.
bool lwi_world_note_sight(lw_world *world, const lw_box *box);

/* --- links.c ---------------------------------------------------------------------------------------------- */

/// List the links of the navmeshes, and those between them. @return false: no memory.
bool lwi_world_links_init(lw_world *world);
void lwi_world_links_free(lw_world *world);
/// @return NULL: it was removed, or the id is of none.
lwi_link_entry *lwi_world_link(const lw_world *world, lw_link_id id);
/// The link that is in the slot. @return Valid until one is added.
static inline lwi_link_entry *lwi_link_at(const lw_world *world, uint32_t slot) {
  return &world->links.items[slot];
}
lw_link_def lwi_link_def_of(const lw_world *world, const lwi_link_entry *entry);
lw_world_link lwi_link_placed(const lw_world *world, const lwi_link_entry *entry);
lw_link_id lwi_link_id_of(const lw_world *world, const lwi_link_entry *entry);
int lwi_link_capacity_of(const lw_link_def *def);
/// Apply what is set when changes are applied.
void lwi_link_note_change(lw_world *world, lwi_link_entry *entry);
/// Find out where an added link lies. @param in  The navmeshes as they were baked.
/// @return LW_OK; LW_NO_POINT, LW_INVALID: nowhere.
lw_status lwi_link_place_added(const lwi_inter_links_def *in, lwi_added_link *added, lw_error *error);
/// Was it added, and does a swap of navmeshes leave it without ground? It waits for another one.
static inline bool lwi_link_is_nowhere(const lwi_link_entry *entry) {
  return entry->added && entry->added->meshes == 0 && entry->added->placed.link.state != LW_LINK_JOINED;
}
/// The navmeshes as they were baked. @param[out] meshes  [LW_NAVMESHES_MAX]
lwi_inter_links_def lwi_link_places_of(const lw_world *world, const lw_navmesh **meshes);
/// Have space for that many slots. @return false: no memory.
bool lwi_link_reserve(lw_world *world, int slots);
/// Let the entry in a slot be found by its name and its number. @return false: no memory.
bool lwi_link_index(lw_world *world, uint32_t slot);
/// Free it, and its slot.
void lwi_link_unlist(lw_world *world, uint32_t slot);
/// The slot of an added link. @return LWI_NO_SLOT: there is none.
uint32_t lwi_link_with_number(const lw_world *world, uint32_t number);
/// Is there a link of that name?
bool lwi_world_has_link(const lw_world *world, const char *name);
/// Did the world have a link of that name before a navmesh was swapped?
bool lwi_world_had_link(const lw_world *world, const char *name);
/// Remember that it had. @return false: no memory.
bool lwi_world_remember_link(lw_world *world, const char *name);
/// Permutations bar all links of that name once more, or once less.
void lwi_world_bar_links(lw_world *world, const char *name, bool bars);
/* --- link_apply.c ----------------------------------------------------------------------------------------- */

/// Let the navmeshes have what was changed. @return false: no memory; then the rest waits.
bool lwi_world_links_apply(lw_world *world);
/// Changes have been applied, and agents were seen to.
void lwi_world_links_forget(lw_world *world);
/// Count all links again for lower bounds, after lwi_scene_note_baked().
void lwi_world_links_count(lw_world *world);
/// What becomes of an agent's path by what was changed.
lwi_staleness lwi_world_links_concern(const lw_world *world, const lwi_agent *agent);
/// Does some link, whether it can be taken or not, count for less than the distance of its ends? Then distances
/// are no lower bounds.
bool lwi_world_has_short_links(const lw_world *world);
/// Could a path over links that were opened cost less? @param cost  [metre-equivalents]
bool lwi_world_links_gain(const lw_world *world, lw_vec3 from, lw_vec3 goal, float cost);
uint64_t lwi_world_links_hash(const lw_world *world, uint64_t hash);
/// Links as they are put in place of those of a world.
typedef struct lwi_links_state {
  const lwi_id_state *states;  ///< [slot_count] The fixed ones come first.
  const lwi_link_entry *items; ///< [slot_count] Where `states` has a generation; what was added is copied.
  const lw_area_id *areas;     ///< [LW_AREA_MAX + 1] In this world, by those of the items.
  int slot_count;
  const uint32_t *order; ///< [count] Slots.
  int count;
  int fixed;            ///< How many come first that were not added.
  const uint64_t *keys; ///< [fixed] lwi_world_link_key()
  uint64_t arrivals;
} lwi_links_state;
/// Put links in place of those of the world. Fixed ones that the world has, too, are as they were; its others
/// are as nobody has changed them. @return false: no memory.
bool lwi_world_links_restore(lw_world *world, const lwi_links_state *from);
/// Equal for links that were asked for alike: by navmesh, kind, ends and name.
uint64_t lwi_world_link_key(const lw_world *world, const lwi_link_entry *entry);
/// Which links a loaded file had is no longer asked.
void lwi_world_links_forget_loaded(lw_world *world);
/// A number that names the link in a file; back: as in the file that was loaded last. 0: none.
uint32_t lwi_world_link_code(const lw_world *world, lw_link_id id);
lw_link_id lwi_world_link_of_code(const lw_world *world, uint32_t code);

/* --- link_travel.c ---------------------------------------------------------------------------------------- */

/// What an agent that walks asks before it takes a link.
lwi_link_host lwi_link_host_of(lw_world *world);
/// Let agents no longer wait that go elsewhere.
void lwi_world_check_waiting(lw_world *world);
/// The agent is gone: let others have its place.
void lwi_agent_leave_links(lw_world *world, lwi_agent *agent);
/// An agent of a file is on that link. @param id  None: it was removed.
void lwi_agent_restore_link(lw_world *world, lwi_agent *agent, lw_link_id id);
/// An agent of a file waits for that link. @param ticket  Its place in the order of arrival.
void lwi_agent_restore_wait(lw_world *world, lwi_agent *agent, lw_link_id id, uint64_t ticket);

/* --- ground.c --------------------------------------------------------------------------------------------- */

/// The navmeshes have changed: move agents from where ground was cut away, and let those search again whose
/// paths lead there, or could be cheaper where ground came back.
void lwi_world_ground_changed(lw_world *world);
/// Note that ground comes back, goes, or has another price within a disc when changes are applied.
/// @return false: no memory.
bool lwi_world_note_ground(lw_world *world, lwi_disc_list *list, const lwi_changed_disc *disc);
/// Changes have been applied.
void lwi_world_forget_ground(lw_world *world);
void lwi_disc_list_free(lwi_disc_list *list, lwi_memory *memory);
/// Has the ground changed since the path was found, in polygon `i` of its corridor?
static inline bool lwi_world_has_changed_under(const lw_world *world, const lwi_agent *agent, int i) {
  const lwi_agent_route *route = &agent->route;
  if (i >= route->polygon_count || route->polygons[i].polygon == LWI_NONE) return true;
  const lwi_nav *nav = &world->scene.navs[route->polygons[i].navmesh];
  return lwi_nav_has_changed(nav, route->polygons[i].polygon, route->found);
}
/// It is on an off-mesh link that ends where there is no ground now, nor near by: it searches no path before it
/// has landed.
bool lwi_agent_lacks_landing(const lw_world *world, const lwi_agent *agent);
/// It has landed, perhaps where ground was cut away meanwhile: then it is moved to ground near by, or trapped.
void lwi_agent_landed(lw_world *world, lwi_agent *agent);
/// Find the ground beside an agent that is parked.
void lwi_agent_look_beside(const lw_world *world, lwi_agent *agent);
/// Keep the corridor of the path that the agent now follows, as it was baked. @return false: no memory.
bool lwi_agent_note_corridor(lw_world *world, lwi_agent *agent);
/// Let agents search again whose time has come.
void lwi_world_reconsider(lw_world *world);
/// A carrier that is parked is to walk: its path is searched when its obstacle is taken out. @return false: no
/// memory.
bool lwi_agent_depart(lw_world *world, lwi_agent *agent);

/* --- threats.c -------------------------------------------------------------------------------------------- */

/// The number of a team, which it keeps. @param[out] number  0: no team, text "". @return false: no memory.
bool lwi_team_number(lw_world *world, const char *text, uint32_t *number);
/// The team that a threat is known to.
const char *lwi_threat_team(const lw_world *world, const lwi_threat *threat);
/// The threat that is in the slot. @return Valid until one is added.
static inline lwi_threat *lwi_threat_at(const lw_world *world, uint32_t slot) {
  return &world->threats.items[slot];
}
/// Have the threats that the agent knows of changed since it last heard the news?
bool lwi_world_is_alarmed(const lw_world *world, const lwi_agent *agent);
/// Move the threats that are the eyes of agents along with these.
void lwi_world_move_eye_threats(lw_world *world);
/// Let the query have the threats that the agent knows of, or those of its journey, if they cost it anything.
/// Valid until the workspace's next use. @return false: no memory.
bool lwi_world_fill_threats(const lw_world *world, lw_workspace *workspace, const lwi_agent *agent,
                            lw_path_query *query);
/// How many threats its paths are searched for, if they cost it anything.
int lwi_agent_minded_threats(const lw_world *world, const lwi_agent *agent);
/// What it knows of threats has changed: that is worth another search if the agent walks and minds them.
void lwi_agent_alarm(lw_world *world, lwi_agent *agent);
/// Does it know of the threat in the slot, through its team or by itself?
bool lwi_agent_knows(const lw_world *world, const lwi_agent *agent, uint32_t slot);
/// Threats now see more or less of the agent: let it search again if it minds any.
void lwi_world_alarm(lw_world *world, lwi_agent *agent);
void lwi_world_threats_free(lw_world *world);
/// Finite numbers that make sense? Of an eye, the place and where it looks do not count.
bool lwi_threat_check(const lw_threat *threat, bool is_eye);
/// A threat of a file.
typedef struct lwi_saved_threat {
  lwi_threat as; ///< All but what says slots and numbers of a world.
  char team[32];
} lwi_saved_threat;
/// Threats as they are put in place of those of a world.
typedef struct lwi_threats_state {
  const lwi_id_state *states;      ///< [slot_count]
  const lwi_saved_threat *threats; ///< [slot_count] Where `states` has a generation.
  int slot_count;
  const uint32_t *order; ///< [count] Slots.
  int count;
  uint64_t created;
} lwi_threats_state;
/// Put threats in place of those of the world. @return false: no memory, and no threats.
bool lwi_world_threats_restore(lw_world *world, const lwi_threats_state *from);
/// An agent is restored that was number `index` of its file: its eyes are its again. @param slots  [count]
/// Theirs.
void lwi_world_restore_eye_threats(lw_world *world, lwi_agent *agent, int index, const uint32_t *slots,
                                   int count);
/// Tell the agent of the threat in a slot, without alarming it. @return false: no memory.
bool lwi_world_learn(lw_world *world, lwi_agent *agent, uint32_t slot);
/// Drop all that the agent knows and its eyes.
void lwi_agent_threats_free(lw_world *world, lwi_agent *agent);
/// Its path is searched with what it believes now.
void lwi_agent_note_beliefs(lwi_agent *agent);
/// @return false: no memory, and nothing is changed.
bool lwi_beliefs_set(lwi_memory *memory, lwi_beliefs *beliefs, const lw_threat *threats, int count);
uint64_t lwi_threat_hash(uint64_t hash, const lw_threat *threat);
uint64_t lwi_world_threats_hash(uint64_t hash, const lw_world *world);
uint64_t lwi_agent_threats_hash(uint64_t hash, const lw_world *world, const lwi_agent *agent);

/// Is the agent seen much better or worse than when its path was searched, and did it not hear of that yet?
bool lwi_world_has_dimmed(const lw_world *world, const lwi_agent *agent);

/* --- reservations.c --------------------------------------------------------------------------------------- */

/// A place is at cover if it is no further from it than the agent's radius and this. [m]
#define LWI_COVER_BESIDE 0.6f
/// Let the agent have a place, in place of an earlier one; it did not reach it yet.
/// @return false: no memory, nothing changed.
bool lwi_agent_hold_cover(lw_world *world, lwi_agent *agent, lw_vec3 at, float leash);
/// Let go of it, if it has one.
void lwi_agent_drop_cover(lw_world *world, lwi_agent *agent);
/// Let an agent that has another profile than before have the stances of the same names.
void lwi_agent_translate_stances(lwi_agent *agent, const lw_profile *before);
/// Let go of the place that the agent has reserved if it has left it.
void lwi_agent_keep_cover(lw_world *world, lwi_agent *agent);
/// The same if it is sent away from it.
void lwi_agent_leave_cover(lw_world *world, lwi_agent *agent, lw_vec3 goal);
/// Its place at cover is gone: it is nobody's, and the agent hears of it.
void lwi_agent_lose_cover(lw_world *world, lwi_agent *agent);
/// Is there ground for it at the place that it holds?
bool lwi_agent_cover_is_there(const lw_world *world, const lwi_agent *agent);
/// The obstacle ceases to offer the cover that it offers where it is shown: places at its sides are nobody's.
void lwi_world_drop_cover_at(lw_world *world, const lwi_obstacle *obstacle);
/// The agent's radius may have changed.
void lwi_agent_widen_cover(lw_world *world, const lwi_agent *agent);

#endif
