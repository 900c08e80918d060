/// What all files of the binding share: errors, checked options, points, boxes.
#ifndef LWL_H
#define LWL_H

#include <lauxlib.h>
#include <lua.h>

#include "leeward/leeward.h"

#define LWL_AREAS "leeward.areas"
#define LWL_AGENT "leeward.agent"
#define LWL_DANGER "leeward.danger"
#define LWL_COVER "leeward.cover"
#define LWL_FIRE_LANE "leeward.firelane"
#define LWL_GEOMETRY "leeward.geometry"
#define LWL_NAVMESH "leeward.navmesh"
#define LWL_PATH "leeward.path"
#define LWL_PROFILE "leeward.profile"
#define LWL_THREAT "leeward.threat"
#define LWL_TREE "leeward.tree"
#define LWL_VEC3 "leeward.vec3"
#define LWL_WORLD "leeward.world"

// --- errors ---------------------------------------------------------------------------------------------------

/// Who checks what: the words before the message, and before the key.
typedef struct lwl_at {
  const char *where;  ///< A function ("find_path"), a file, or "profile 'x'".
  const char *prefix; ///< Such as "profile.speed."; "" at the top.
} lwl_at;

/// Raise "where: message" at the caller's line. Formats are lua_pushfstring's.
_Noreturn void lwl_raise(lua_State *L, const char *where, const char *format, ...);
/// Raise "where: 'key' message"; where `where` is a data file, with the line that sets the key. A message may
/// begin with a colon; an empty key is left out.
_Noreturn void lwl_raise_at(lua_State *L, const lwl_at *at, const char *key, const char *format, ...);
/// Raise "where: 'key' expected <expected>, got <the value at index>".
_Noreturn void lwl_raise_expected(lua_State *L, const lwl_at *at, const char *key, const char *expected,
                                  int index);
/// The same for element `item` (1-based) of the list `key`.
_Noreturn void lwl_raise_item(lua_State *L, const lwl_at *at, const char *key, lua_Integer item,
                              const char *expected, int index);
/// Push a short description of a value, for "got ...".
const char *lwl_describe(lua_State *L, int index);
/// Return an answer that is "no": nil, message, code. `message` NULL: the status's text.
int lwl_fail(lua_State *L, lw_status status, const char *message);
/// The same with the profile's name in the message; NULL: none.
int lwl_fail_for(lua_State *L, lw_status status, const lw_profile *profile);
/// Misuse (LW_INVALID) raises, running out of memory too; any other status is returned as a "no".
int lwl_fail_or_raise(lua_State *L, const char *where, const lw_error *error);

/// The likeliest of several names, by edit distance.
typedef struct lwl_guess {
  const char *name; ///< NULL: none is near.
  int distance;
} lwl_guess;
void lwl_guess_consider(lwl_guess *guess, const char *wanted, const char *candidate);
/// Push " Did you mean 'x'?" or "".
const char *lwl_push_guess(lua_State *L, const lwl_guess *guess);

// --- options --------------------------------------------------------------------------------------------------

/// Which numbers are right. `min` itself is wrong when `above`.
typedef struct lwl_range {
  double min, max;
  bool above;
  const char *text; ///< What to say: "a number above 0".
} lwl_range;
extern const lwl_range lwl_finite, lwl_positive, lwl_not_negative, lwl_unit;

void lwl_check_table(lua_State *L, const char *where, int index);
/// Raise at the first key that is not in the NULL-terminated list.
void lwl_check_keys(lua_State *L, const lwl_at *at, int table, const char *const *keys);
/// The same for a table that also has elements 1..length.
void lwl_check_keys_and_list(lua_State *L, const lwl_at *at, int table, const char *const *keys,
                             lua_Integer length);
/// Push table[key] without metamethods. @return its type
int lwl_get(lua_State *L, int table, const char *key);

bool lwl_to_number(lua_State *L, int index, const lwl_range *range, double *number);
double lwl_check_number(lua_State *L, const lwl_at *at, const char *key, int index, const lwl_range *range);
// All of these leave `value` alone and return false when the key is absent; they raise when it is wrong.
bool lwl_opt_float(lua_State *L, const lwl_at *at, int table, const char *key, const lwl_range *range,
                   float *value);
bool lwl_opt_int(lua_State *L, const lwl_at *at, int table, const char *key, int min, int *value);
bool lwl_opt_bool(lua_State *L, const lwl_at *at, int table, const char *key, bool *value);
/// The string belongs to the table.
bool lwl_opt_string(lua_State *L, const lwl_at *at, int table, const char *key, const char **value);
bool lwl_opt_point(lua_State *L, const lwl_at *at, int table, const char *key, lw_vec3 *value);
void lwl_need_point(lua_State *L, const lwl_at *at, int table, const char *key, lw_vec3 *value);
/// The same of places where geometry may lie, too.
bool lwl_opt_place(lua_State *L, const lwl_at *at, int table, const char *key, lw_vec3 *value);
void lwl_need_place(lua_State *L, const lwl_at *at, int table, const char *key, lw_vec3 *value);
/// A half size: every component above 0.
bool lwl_opt_snap(lua_State *L, const lwl_at *at, int table, lw_vec3 *value);
/// A list of two points, or { min =, max = }.
bool lwl_opt_bounds(lua_State *L, const lwl_at *at, int table, const char *key, lw_box *value);
/// The value at index must be a list: a table, and if it is empty, without other keys. @return its length
lua_Integer lwl_check_list(lua_State *L, const lwl_at *at, const char *key, int index);
/// Push table[key], which must be a list. @return its length
lua_Integer lwl_need_list(lua_State *L, const lwl_at *at, int table, const char *key, lua_Integer min);
/// A file name argument: a string without zeros in it.
const char *lwl_check_file(lua_State *L, const char *where, int index);
/// Text for a name that scripts give: a string of 1..63 bytes.
const char *lwl_check_name(lua_State *L, const char *where, int index);

// --- points (vec3.c) ------------------------------------------------------------------------------------------

void lwl_push_vec3(lua_State *L, lw_vec3 v);
/// {x, y, z}, {x=, y=, z=} or a leeward.vec3, of finite numbers.
bool lwl_to_point(lua_State *L, int index, lw_vec3 *point);
lw_vec3 lwl_check_point(lua_State *L, const char *where, const char *name, int index);
/// The same of places where geometry may lie, too.
lw_vec3 lwl_to_place(lua_State *L, const lwl_at *at, const char *name, int index);

// --- boxes (box.c) --------------------------------------------------------------------------------------------

/// A C object with as many owners as need it. Lua runs finalisers in no useful order when a state closes, so
/// what borrows another object (a world its navmesh, an agent its profile) holds a count of it.
typedef struct lwl_shared {
  void *object;
  void (*destroy)(void *object);
  struct lwl_shared *base; ///< What the object borrows; released after it. NULL: nothing.
  int count;
} lwl_shared;

lwl_shared *lwl_retain(lwl_shared *shared);
void lwl_release(lwl_shared *shared);

/// The userdata. A world's is longer (world.c).
typedef struct lwl_box {
  void *object; ///< NULL after destroy. First, for other modules.
  lwl_shared *shared;
  int busy; ///< Being read by a call that runs Lua functions.
} lwl_box;

/// Push an empty box, made before the object so that a Lua memory error leaks nothing.
/// @param base  Retained. NULL: nothing.
lwl_box *lwl_new_box(lua_State *L, const char *type, size_t size, int user_values, void (*destroy)(void *),
                     lwl_shared *base);
void lwl_fill_box(lwl_box *box, void *object);
/// Let go of the object.
void lwl_empty_box(lwl_box *box);
/// The box at index, or an error for another type or an empty box.
lwl_box *lwl_check_box(lua_State *L, int index, const char *type, const char *where);
/// The userdata of that type at the index. @param where  The function; of a method called with a dot it says how to call it.
void *lwl_check_userdata(lua_State *L, int index, const char *type, const char *where);
/// The box, or NULL if the value is something else.
lwl_box *lwl_test_box(lua_State *L, int index, const char *type);
/// `__gc` of every box without more to it.
int lwl_box_gc(lua_State *L);
/// Make the metatable `type`. `methods` become `__index`.
void lwl_new_type(lua_State *L, const char *type, const luaL_Reg *methods, const luaL_Reg *meta);
/// More methods, of another file.
void lwl_add_methods(lua_State *L, const char *type, const luaL_Reg *methods);

/// Push a navmesh box to fill (navmesh.c).
lwl_box *lwl_push_empty_navmesh(lua_State *L);

// --- the state (leeward.c) ------------------------------------------------------------------------------------

/// Area codes of gset files that scripts/areas.lua may give a meaning.
#define LWL_CODES 64

/// What the module keeps for one Lua state.
typedef struct lwl_state {
  lw_area_table *areas;
  lwl_shared *shared_areas;
  uint32_t profile_generation;        ///< Grows when a profile is defined or reloaded.
  uint32_t reloads;                   ///< That gave agents something new.
  uint32_t told_profiles, told_areas; ///< Generation and version at the last of them.
  lw_gset_rule codes[LWL_CODES];
} lwl_state;
lwl_state *lwl_get_state(lua_State *L);

/// Tables in the registry. Each is made at luaopen.
typedef enum lwl_registry {
  LWL_REG_ROOTS,     ///< List of folders.
  LWL_REG_MATERIALS, ///< List of { pattern, area id | false = ignored }.
  LWL_REG_AREAS,     ///< name -> what scripts changed in it.
  LWL_REG_FILES, ///< Path of a data file -> { text =, values =, lines =, good = whether what uses it was content }.
  LWL_REG_OLD_FILES, ///< During a reload: the same, as it was before.
  LWL_REG_PROFILES,  ///< name -> see profile_layers.c.
  LWL_REG_COMPILED,  ///< name -> profile box.
  LWL_REG_TREES,     ///< name -> tree box.
  LWL_REG_COUNT
} lwl_registry;
void lwl_push_registry(lua_State *L, lwl_registry which);
/// Put the table on top of the stack, which is popped, in the place of the one that is there.
void lwl_set_registry(lua_State *L, lwl_registry which);

// --- areas (area.c) -------------------------------------------------------------------------------------------

/// A name of the table; raises with a suggestion.
lw_area_id lwl_check_area(lua_State *L, const lwl_at *at, const char *key, int index);
/// The same, where `false` is LW_AREA_NONE and nothing leaves `area` alone.
bool lwl_opt_area(lua_State *L, const lwl_at *at, int table, const char *key, lw_area_id *area);
void lwl_push_area_name(lua_State *L, lw_area_id area);
/// Read an area's numbers over those that `def` has.
void lwl_read_area(lua_State *L, const lwl_at *at, int table, lw_area_def *def);
/// What the area is now, or the default of a new one. The name belongs to the caller.
lw_area_def lwl_current_area(lua_State *L, const char *name);
void lwl_set_area(lua_State *L, const char *where, const lw_area_def *def);
/// Read scripts/areas.lua into the state (area_file.c).
void lwl_load_areas(lua_State *L);

// --- links (link.c) -------------------------------------------------------------------------------------------

/// The name of a kind; raises with a suggestion.
lw_link_kind lwl_check_link_kind(lua_State *L, const lwl_at *at, const char *key, int index);
/// Read a link's table.
void lwl_read_link(lua_State *L, const lwl_at *at, int table, lw_link_def *link);
/// Read table.links; the list belongs to the stack. @return NULL: there is none
lw_link_def *lwl_opt_links(lua_State *L, const lwl_at *at, int table, int *count);
extern const luaL_Reg lwl_link_geometry_methods[], lwl_link_navmesh_methods[], lwl_link_world_methods[];

// --- geometry (geometry.c) ------------------------------------------------------------------------------------

/// The geometry at index 1, unless it is being baked.
lw_geometry *lwl_check_open_geometry(lua_State *L, const char *where);
/// A list of points in the table at index 2; they stay on the stack.
lw_vec3 *lwl_need_points(lua_State *L, const lwl_at *at, const char *key, lua_Integer min, int *count);
/// Add what is in a gset file, by the codes of scripts/areas.lua.
lw_status lwl_load_gset(lua_State *L, lw_geometry *geometry, const char *file, lw_error *error);

// --- files (roots.c) ------------------------------------------------------------------------------------------

/// Find the roots. `module` is the module's own file or NULL.
void lwl_find_roots(lua_State *L, const char *module);
/// Push the path of a file along the roots. @return NULL: there is none (then nothing is pushed)
const char *lwl_find_file(lua_State *L, const char *relative);
/// Push what "looked in ..." should say.
const char *lwl_push_roots(lua_State *L);
/// Add the names of folder/*.lua along the roots to the set (name -> true) on top of the stack.
void lwl_add_file_names(lua_State *L, const char *folder);
/// Is this fit to be a file's name without its ending?
bool lwl_is_file_name(const char *name);
/// Push a list of the paths of the files of that name along the roots, in their order.
void lwl_push_files(lua_State *L, const char *relative);

// --- data files (data.c) --------------------------------------------------------------------------------------

/// Run a data file: text that can do nothing but return a table of data, which is pushed and kept in LWL_REG_FILES.
/// Raises with file and line. A file with the same text as the last time is not run again.
void lwl_run_data(lua_State *L, const char *file);
/// Note that the file's values were right.
void lwl_accept_data(lua_State *L, const char *file);
/// The line of a data file that sets the key, such as "speed.calm" or "areas[3].color", or else what the key is in.
/// @return 0: not a data file, or it does not say
int lwl_data_line(lua_State *L, const char *file, const char *key);

// --- profiles (profile.c) -------------------------------------------------------------------------------------

/// Keys of a profile that a request may override by `cost`.
extern const char *const lwl_cost_keys[];
/// Push the box of the profile that `options` asks for by profile, cost and avoid; nil when it names none.
lwl_box *lwl_push_profile(lua_State *L, const lwl_at *at, int options);

/// Push a copy of what `options` say of profile, cost and so on, to ask for it again.
void lwl_push_recipe(lua_State *L, int options);

// --- trees (tree.c) -------------------------------------------------------------------------------------------

/// A leaf in the list that is a tree's user value: functions or false, and the options.
enum { LWL_LEAF_START = 1, LWL_LEAF_TICK, LWL_LEAF_STOP, LWL_LEAF_OPTIONS };

/// Push the box of a tree given by name, box or description.
lwl_box *lwl_push_tree(lua_State *L, const char *where, int index);
/// lw_world_def.leaf, with the lwl_world as user (leaf.c).
lw_node_status lwl_run_leaf(void *user, lw_world *world, lw_agent_id agent, lw_leaf_call *call);

// --- worlds (world.c) and agents (agent.c) --------------------------------------------------------------------

/// What an agent in a world borrows.
typedef struct lwl_hold {
  lw_agent_id agent;
  lwl_shared *profile, *tree;
} lwl_hold;

typedef struct lwl_world {
  lwl_box box;
  lua_State *L; ///< Callbacks run there, where the world's userdata is at stack index `self`.
  int self;
  int inside;   ///< Calls under way that run leaves.
  bool closing; ///< Being destroyed.
  bool buried;  ///< Agents were despawned and are to be forgotten.
  lwl_hold *holds;
  int hold_count, hold_capacity;
  uint32_t reloads;                        ///< Of the state, that its agents know of.
  lwl_shared *navmeshes[LW_NAVMESHES_MAX]; ///< [navmesh_count] Retained.
  int navmesh_count;
} lwl_world;

enum {
  LWL_WORLD_AGENTS = 1,
  LWL_WORLD_NAVMESHES,
  LWL_WORLD_LOG,
  LWL_WORLD_WEAK, ///< A list of the world itself, which does not keep it alive.
  LWL_WORLD_VALUES = LWL_WORLD_WEAK
};

/// A path, and the query that it was found by.
typedef struct lwl_path {
  lwl_box box;
  lw_path_query query; ///< What it borrows is in the user values.
} lwl_path;
enum {
  LWL_PATH_WORLD = 1, ///< The world's LWL_WORLD_WEAK.
  LWL_PATH_THREATS,   ///< Userdata or nil.
  LWL_PATH_PROFILE,   ///< Profile box or nil.
  LWL_PATH_VALUES = LWL_PATH_PROFILE
};
enum {
  LWL_AGENT_WORLD = 1,
  LWL_AGENT_BLACKBOARD,
  LWL_AGENT_TREE,   ///< Tree box or nil.
  LWL_AGENT_STATES, ///< node -> state of the running activation.
  LWL_AGENT_RECIPE, ///< What it was spawned with of profile and costs: see lwl_push_profile().
  LWL_AGENT_VALUES = LWL_AGENT_RECIPE
};

/// The world at index, ready for callbacks in this C function.
lwl_world *lwl_check_world(lua_State *L, int index, const char *where);
static inline void lwl_enter(lwl_world *world, lua_State *L, int self) {
  world->L = L;
  world->self = self;
}
static inline lw_world *lwl_c_world(const lwl_world *world) {
  return (lw_world *)world->box.object;
}
/// The number that people see.
static inline unsigned lwl_agent_number(lw_agent_id agent) {
  return (unsigned)(agent & 0xffffffffu);
}
/// Push the userdata of an agent of the world at stack index `world`; nil when there is none.
/// @return whether there is one
bool lwl_push_agent(lua_State *L, int world, lw_agent_id agent);
/// The index in the world of what options.navmesh names, a navmesh of the world or its number from 1;
/// `navmesh` stays when it names none.
bool lwl_opt_navmesh(lua_State *L, const lwl_at *at, int options, const lw_world *world, int *navmesh);
/// Push the userdata of a navmesh of the world at stack index `world`. @param navmesh  Index from 0.
void lwl_push_navmesh(lua_State *L, int world, int navmesh);
/// Forget the agents that are gone, unless leaves are being run.
void lwl_forget_buried(lua_State *L, lwl_world *world, int index);
void lwl_release_holds(lwl_world *world);
/// A number between bounds given as for math.random, from a stream.
int lwl_random(lua_State *L, const char *where, float (*draw)(void *user), void *user);

/// Give the agents of the world at index what was reloaded since its last step (reload.c).
void lwl_adopt_reloaded(lua_State *L, lwl_world *world, int index);

// Methods of worlds that live in other files.
extern const luaL_Reg lwl_query_methods[], lwl_path_methods[], lwl_agent_world_methods[], lwl_reload_methods[],
    lwl_cover_methods[], lwl_cover_navmesh_methods[], lwl_danger_methods[], lwl_fire_lane_methods[],
    lwl_save_methods[], lwl_survey_navmesh_methods[], lwl_threat_world_methods[], lwl_cover_point_methods[];
/// Methods of agents that live in other files.
extern const luaL_Reg lwl_agent_state_methods[], lwl_explain_agent_methods[], lwl_threat_agent_methods[],
    lwl_cover_agent_methods[], lwl_query_agent_methods[];
/// Push the table of a segment (cover.c).
void lwl_push_segment(lua_State *L, const lw_cover_segment *segment);
/// path:explain()
int lwl_explain_path(lua_State *L);
/// A number above 0 that may be infinite.
void lwl_opt_endless(lua_State *L, const lwl_at *at, int table, const char *key, float *value);
/// What worlds are given as death_danger, if anything.
void lwl_opt_death_danger(lua_State *L, const lwl_at *at, int table, lw_danger_def *def);
/// The list at `threats`, of tables, the world's threats, and agents (threat.c); in a userdata that stays on the stack.
const lw_threat *lwl_read_threats(lua_State *L, const lwl_at *at, int table, int *count);
/// Body heights by `heights` or by `stance`, which is one of the profile's and by default `stand`.
/// @param profile  NULL: human
void lwl_read_stance(lua_State *L, const lwl_at *at, int table, const lw_profile *profile,
                     float heights[LW_BODY_HEIGHTS_MAX], int *count);
/// The name of one of the profile's stances at `stance`, which belongs to the table; NULL: there is none.
const char *lwl_opt_stance(lua_State *L, const lwl_at *at, int table, const lw_profile *profile);
/// The same of the value at index.
const char *lwl_to_stance(lua_State *L, const lwl_at *at, int index, const lw_profile *profile);
/// How exactly, by the key `accuracy`; LW_ACCURACY_AUTO without it.
lw_accuracy lwl_opt_accuracy(lua_State *L, const lwl_at *at, int table);
/// Answer that "map" was asked for where no navmesh has a cover map.
int lwl_fail_no_cover_map(lua_State *L);
/// The kind of cover named at `key`. @return Whether there is one.
bool lwl_opt_cover(lua_State *L, const lwl_at *at, int table, const char *key, lw_cover_kind *cover);
/// The kind of cover that is named at `index`. @return LW_COVER_DEFAULT: it is no name of one.
lw_cover_kind lwl_to_cover(lua_State *L, int index);
#define LWL_COVER_NAMES "'hard', 'soft' or 'none'"
/// Answer a random_point query from the options at index; `around` and `profile` are defaults to start from.
int lwl_random_point(lua_State *L, const char *where, lw_world *world, lw_random_point_query query,
                     int options);

// Each adds its types, and its functions to the module table on top of the stack.
void lwl_open_vec3(lua_State *L);
void lwl_open_area(lua_State *L);
void lwl_open_geometry(lua_State *L);
void lwl_open_navmesh(lua_State *L);
void lwl_open_import(lua_State *L);
void lwl_open_bake(lua_State *L);
void lwl_open_profile(lua_State *L);
void lwl_open_path(lua_State *L);
void lwl_open_explain(lua_State *L);
void lwl_open_tree(lua_State *L);
void lwl_open_agent(lua_State *L);
void lwl_open_save(lua_State *L);
void lwl_open_danger(lua_State *L);
void lwl_open_threat(lua_State *L);
void lwl_open_cover_points(lua_State *L);
void lwl_open_fire_lane(lua_State *L);
void lwl_open_world(lua_State *L);
void lwl_open_roots(lua_State *L);
void lwl_open_reload(lua_State *L);

#endif
