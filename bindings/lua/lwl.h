/// What all files of the binding share: errors, checked options, fields of results, points, boxes.
#ifndef LWL_H
#define LWL_H

#include <lauxlib.h>
#include <lua.h>

#include "leeward/leeward.h"
#include "enums.h"

#define LWL_AREAS "leeward.areas"
#define LWL_AGENT "leeward.agent"
#define LWL_DANGER "leeward.danger"
#define LWL_COVER_POINT "leeward.coverpoint"
#define LWL_FIRE_LANE "leeward.firelane"
#define LWL_GROUP "leeward.group"
#define LWL_GEOMETRY "leeward.geometry"
#define LWL_NAVMESH "leeward.navmesh"
#define LWL_OBSTACLE "leeward.obstacle"
#define LWL_LINK "leeward.link"
#define LWL_PATH "leeward.path"
#define LWL_PROFILE "leeward.profile"
#define LWL_THREAT "leeward.threat"
#define LWL_TREE "leeward.tree"
#define LWL_VEC3 "leeward.vec3"
#define LWL_WORLD "leeward.world"

// --- errors --------------------------------------------------------------------------------------------------

/// Where a value stands, for messages.
typedef struct lwl_at {
  const char *where;  ///< A function ("find_path"), a file, or "profile 'x'".
  const char *prefix; ///< Of the keys there, such as "speed."; "" at the top.
} lwl_at;

// All of these raise at the caller's line. Formats are those of lua_pushfstring(). Whatever goes into a
// message, it is one line without control characters, and of a long one the middle is left out.

/// Raise "WHERE: message".
_Noreturn void lwl_raise(lua_State *L, const char *where, const char *format, ...);
/// Raise "WHERE: KEY message". The message is "is VALUE, expected RANGE" where there is a value.
_Noreturn void lwl_raise_at(lua_State *L, const lwl_at *at, const char *key, const char *format, ...);
/// Raise "WHERE: KEY is <the value at index>, expected <expected>".
_Noreturn void lwl_raise_expected(lua_State *L, const lwl_at *at, const char *key, const char *expected,
                                  int index);
/// Raise "WHERE: KEY is nil, expected <expected>".
_Noreturn void lwl_raise_missing(lua_State *L, const lwl_at *at, const char *key, const char *expected);
/// Raise "WHERE: KEY[item] is <the value at index>, expected <expected>".
_Noreturn void lwl_raise_item(lua_State *L, const lwl_at *at, const char *key, lua_Integer item,
                              const char *expected, int index);
/// Push what the range expects, such as "metres > 0".
const char *lwl_push_range(lua_State *L, const lw_range *range);
/// Push a short description of a value, for messages.
const char *lwl_describe(lua_State *L, int index);
/// Return nil, message, code. @param message  NULL: the status's text.
int lwl_fail(lua_State *L, lw_status status, const char *message);
/// The same with the profile's name in the message. @param profile  NULL: no name.
int lwl_fail_for(lua_State *L, lw_status status, const lw_profile *profile);
/// A place that was to be moved onto a navmesh.
typedef struct lwl_place {
  const char *field; ///< What the script calls it.
  lw_vec3 at, snap;
  const lw_profile *profile; ///< NULL: none.
} lwl_place;
/// Return nil, a message that there is no navmesh near the place, code.
int lwl_fail_near(lua_State *L, lw_status status, const lwl_place *place);
/// Raise LW_INVALID and LW_OUT_OF_MEMORY; return nil, message, code for any other status.
int lwl_fail_or_raise(lua_State *L, const char *where, const lw_error *error);

/// The name nearest to a misspelt one, by edit distance.
typedef struct lwl_guess {
  const char *name; ///< NULL: no name is near.
  int distance;
} lwl_guess;
void lwl_guess_consider(lwl_guess *guess, const char *wanted, const char *candidate);
/// Push ". Did you mean 'x'?" or "".
const char *lwl_push_guess(lua_State *L, const lwl_guess *guess);
/// Push "A, B, C". @param names  Ends with NULL.
const char *lwl_push_names(lua_State *L, const char *const *names);

// --- text (text.c) -------------------------------------------------------------------------------------------

/// The string at index, for C. @return NULL: the value is no string, or C would read it only up to a zero byte.
const char *lwl_to_text(lua_State *L, int index);
/// The same. Raises "WHERE: KEY is <the value>, expected <expected>", "without zero bytes" if it has some.
const char *lwl_check_text(lua_State *L, const lwl_at *at, const char *key, const char *expected, int index);
/// Push `expected` with what the string at index lacks to be text.
const char *lwl_push_expected_text(lua_State *L, int index, const char *expected);
#define LWL_SHOWN_MAX 60     ///< Of a name or a value in a message. [bytes]
#define LWL_MESSAGE_MAX 1000 ///< Of a message. [bytes]
/// Push the string at index as one line without control characters, see lwi_text_show_bytes().
/// @param bytes  What is longer is cut in its middle.
const char *lwl_push_shown(lua_State *L, int index, size_t bytes);
/// Push a name as messages show it, in at most LWL_SHOWN_MAX bytes.
const char *lwl_shown(lua_State *L, const char *text);

/// What an id is called in messages: "1", then "1.2" for the next one in its slot.
typedef struct lwl_id_text {
  char text[24];
} lwl_id_text;
lwl_id_text lwl_id_name(uint32_t slot, unsigned generation);
/// The same for an id of any kind, until the end of the expression.
#define LWL_ID_NAME(id) (lwl_id_name((id).slot, (id).generation).text)

// --- options -------------------------------------------------------------------------------------------------

extern const lw_range lwl_finite, lwl_positive, lwl_not_negative, lwl_fraction;
extern const lw_range lwl_metres, lwl_metres_positive, lwl_metres_not_negative;
extern const lw_range lwl_seconds_positive, lwl_seconds_not_negative;

/// Put the table that it stands for in the place of a proxy of options of leaves (options.c); no other value
/// changes. lwl_get() and the checks of tables, lists and points do.
void lwl_unwrap(lua_State *L, int index);
extern const char lwl_proxied_key; ///< Its address: of that table in the metatable of the proxy.
void lwl_check_table(lua_State *L, const char *where, int index);
/// Raise at the first key that is not in the NULL-terminated list.
void lwl_check_keys(lua_State *L, const lwl_at *at, int table, const char *const *keys);
/// The same for a table that may also have elements 1..length.
void lwl_check_keys_and_list(lua_State *L, const lwl_at *at, int table, const char *const *keys,
                             lua_Integer length);
/// Push table[key] without metamethods. @return its type
int lwl_get(lua_State *L, int table, const char *key);

/// @return Whether the value is a number in range, also in single precision; only then `number` is set.
bool lwl_to_number(lua_State *L, int index, const lw_range *range, double *number);
/// @return Whether the value is a whole number in min..max; `value` is set in any case.
bool lwl_to_integer(lua_State *L, int index, lua_Integer min, lua_Integer max, lua_Integer *value);
lua_Integer lwl_check_integer(lua_State *L, const lwl_at *at, const char *key, int index);
double lwl_check_number(lua_State *L, const lwl_at *at, const char *key, int index, const lw_range *range);

// lwl_opt_...: where the key is absent, return false and leave `value` unchanged. lwl_need_...: raise there.
// Both raise where the value is wrong.

bool lwl_opt_float(lua_State *L, const lwl_at *at, int table, const char *key, const lw_range *range,
                   float *value);
void lwl_need_float(lua_State *L, const lwl_at *at, int table, const char *key, const lw_range *range,
                    float *value);
/// A whole number in the range, which is that of an int or within it.
bool lwl_opt_int(lua_State *L, const lwl_at *at, int table, const char *key, const lw_range *range, int *value);
/// The color at `color`, from 0x000000 to 0xffffff.
bool lwl_opt_color(lua_State *L, const lwl_at *at, int table, uint32_t *color);
/// Read the whole number at `seed`.
void lwl_opt_seed(lua_State *L, const lwl_at *at, int table, uint64_t *seed);
bool lwl_opt_bool(lua_State *L, const lwl_at *at, int table, const char *key, bool *value);
/// The string is borrowed from the table.
bool lwl_opt_string(lua_State *L, const lwl_at *at, int table, const char *key, const char **value);
bool lwl_opt_point(lua_State *L, const lwl_at *at, int table, const char *key, lw_vec3 *value);
void lwl_need_point(lua_State *L, const lwl_at *at, int table, const char *key, lw_vec3 *value);
/// A point within LW_COORDINATE_MAX.
bool lwl_opt_place(lua_State *L, const lwl_at *at, int table, const char *key, lw_vec3 *value);
void lwl_need_place(lua_State *L, const lwl_at *at, int table, const char *key, lw_vec3 *value);
/// The half sizes at `snap`: every component > 0.
bool lwl_opt_snap(lua_State *L, const lwl_at *at, int table, lw_vec3 *value);
/// A list of two points, or { min =, max = }.
bool lwl_opt_bounds(lua_State *L, const lwl_at *at, int table, const char *key, lw_box *value);
/// Raise unless the value at index is a list; so does a table without elements that has other keys.
/// @return Its length.
lua_Integer lwl_check_list(lua_State *L, const lwl_at *at, const char *key, int index);
/// Push the list at table[key]. @param min  Elements it needs. @return Its length.
lua_Integer lwl_need_list(lua_State *L, const lwl_at *at, int table, const char *key, lua_Integer min);
/// The file name at index: text that is not empty.
const char *lwl_check_file(lua_State *L, const char *where, int index);
/// The name at index that a script gives: text of 1..63 bytes.
const char *lwl_check_name(lua_State *L, const char *where, int index);

// --- fields of results ---------------------------------------------------------------------------------------

// Set a field of the table on top of the stack.

void lwl_set_number(lua_State *L, const char *key, double value);
void lwl_set_integer(lua_State *L, const char *key, lua_Integer value);
void lwl_set_bool(lua_State *L, const char *key, bool value);
void lwl_set_string(lua_State *L, const char *key, const char *value);
void lwl_set_vec3(lua_State *L, const char *key, lw_vec3 value);

// --- points (vec3.c) -----------------------------------------------------------------------------------------

void lwl_push_vec3(lua_State *L, lw_vec3 v);
/// @return Whether the value is {x, y, z}, {x=, y=, z=} or a leeward.vec3 of finite numbers.
bool lwl_to_point(lua_State *L, int index, lw_vec3 *point);
lw_vec3 lwl_check_point(lua_State *L, const char *where, const char *name, int index);
/// The point at index, within LW_COORDINATE_MAX. Raises for any other value.
lw_vec3 lwl_to_place(lua_State *L, const lwl_at *at, const char *name, int index);

// --- boxes ---------------------------------------------------------------------------------------------------

/// A C object with a count of its owners. A closing state runs finalisers in an order that does not suit
/// borrowed objects, so the borrower (a world of its navmesh, an agent of its profile) owns a count.
typedef struct lwl_shared {
  void *object;
  void (*destroy)(void *object);
  struct lwl_shared *base; ///< Borrowed by the object and released after it. NULL: none.
  int count;
} lwl_shared;

lwl_shared *lwl_retain(lwl_shared *shared);
void lwl_release(lwl_shared *shared);

/// A userdata that owns a C object. Some types continue it with more fields.
typedef struct lwl_box {
  void *object; ///< NULL after destroy. The first field, which leeward_sdl reads.
  lwl_shared *shared;
  int busy; ///< Calls in progress that read the object and run Lua functions.
} lwl_box;

/// Push an empty box. Create it before the object, so that a Lua memory error leaks nothing.
/// @param base  Retained. NULL: none.
lwl_box *lwl_new_box(lua_State *L, const char *type, size_t size, int user_values, void (*destroy)(void *),
                     lwl_shared *base);
void lwl_fill_box(lwl_box *box, void *object);
/// Release the object.
void lwl_empty_box(lwl_box *box);
/// The box at index. Raises for another type and for an empty box.
lwl_box *lwl_check_box(lua_State *L, int index, const char *type, const char *where);
/// The userdata of that type at index. Raises for another type; the message for a method that was called with a
/// dot shows the call with a colon. @param where  The function's name.
void *lwl_check_userdata(lua_State *L, int index, const char *type, const char *where);
/// @return NULL: the value is of another type.
lwl_box *lwl_test_box(lua_State *L, int index, const char *type);
/// `__gc` of a plain box.
int lwl_box_gc(lua_State *L);

/// Push a navmesh box to fill (navmesh.c).
lwl_box *lwl_push_empty_navmesh(lua_State *L);

// --- the state (leeward.c) -----------------------------------------------------------------------------------

/// Count of the area codes in gset files that scripts/areas.lua may define.
#define LWL_CODES 64

/// The module's data of one Lua state.
typedef struct lwl_state {
  lw_area_table *areas;
  lwl_shared *shared_areas;
  uint32_t profile_generation;  ///< Grows when a profile is defined or reloaded.
  uint32_t reloads;             ///< Reloads after which agents need new profiles or trees.
  uint32_t permutation_reloads; ///< Reloads after which worlds need new permutations.
  uint32_t reloaded_profiles;   ///< `profile_generation` at the last of them.
  uint32_t reloaded_areas;      ///< The areas' version at the last of them.
  lw_gset_rule codes[LWL_CODES];
} lwl_state;
/// Raises while the Lua state closes.
lwl_state *lwl_get_state(lua_State *L);

/// Tables in the registry, created by luaopen_leeward().
typedef enum lwl_registry {
  LWL_REG_ROOTS, ///< List of folders.
  /// List of { pattern, area id | false = ignored, kind of cover, "FILE: materials[1].pattern" }.
  LWL_REG_MATERIALS,
  LWL_REG_AREAS,      ///< name -> table of the keys that scripts changed.
  LWL_REG_AREAS_FILE, ///< The scripts/areas.lua that hides others, which it does not patch; false: none.
  LWL_REG_FILES,      ///< Path of a data file -> { text =, values =, good = whether its values were accepted }.
  LWL_REG_OLD_FILES,  ///< LWL_REG_FILES from before the reload that runs; empty outside of reloads.
  LWL_REG_PROFILES,   ///< name -> known layers (profile_layers.c).
  LWL_REG_COMPILED,   ///< name -> profile box.
  LWL_REG_TREES,      ///< name -> tree box.
  LWL_REG_NEWER_TREES,  ///< Tree box -> that of the version which replaced it; weak.
  LWL_REG_SOURCES,      ///< Node -> "FILE:LINE" where it was built; weak (loading.c).
  LWL_REG_SCRIPTS,      ///< Files of trees and modules that were run (scripts.c).
  LWL_REG_PERMUTATIONS, ///< name -> what files say (permutation_files.c).
  LWL_REG_COUNT
} lwl_registry;
void lwl_push_registry(lua_State *L, lwl_registry which);
/// Pop the table on top of the stack and make it this registry table.
void lwl_set_registry(lua_State *L, lwl_registry which);

// --- calls (call.c) ------------------------------------------------------------------------------------------

/// The calls of the module's functions in one Lua state, also if it opens the module several times.
typedef struct lwl_calls {
  int count, steps; ///< Calls in progress, or more: see lwl_is_inside_call(); and steps of worlds.
  struct lwl_world *first_pending, *last_pending; ///< Worlds to be closed when no call is in progress.
  struct lwl_budget *budget;   ///< Of the leaf that runs. NULL: none runs, or it has no budget.
  struct lwl_sandbox *sandbox; ///< Whose script runs (sandbox.h). NULL: none.
  lua_State *waiting;          ///< The coroutine of the leaf that runs. NULL: none.
  bool has_sandboxes;          ///< There is, or was, a sandbox.
} lwl_calls;
void lwl_open_calls(lua_State *L);
lwl_calls *lwl_get_calls(lua_State *L);
/// Whether another call than that of the function which runs is in progress, or may be: in a coroutine that is
/// not known after an error.
bool lwl_is_inside_call(lua_State *L, lwl_calls *calls);
/// The function of C at index, without the call around a registered one. @return NULL: none.
lua_CFunction lwl_to_function(lua_State *L, int index);

/// The upvalue, a light userdata, in which a function finds `own`.
#define LWL_OWN 3
/// Add functions to the table on top of the stack. While one of them is in progress, no world is freed.
void lwl_set_functions(lua_State *L, const luaL_Reg *functions, void *own);
/// Create the metatable `type` with `methods` as `__index`.
void lwl_new_type(lua_State *L, const char *type, const luaL_Reg *methods, const luaL_Reg *meta, void *own);
/// Add methods to the type.
void lwl_add_methods(lua_State *L, const char *type, const luaL_Reg *methods);

// --- areas (area.c) ------------------------------------------------------------------------------------------

/// The area named at index. Raises with a suggestion for an unknown name.
lw_area_id lwl_check_area(lua_State *L, const lwl_at *at, const char *key, int index);
/// Raise unless the key of a table by areas names one.
void lwl_check_area_key(lua_State *L, const lwl_at *at, const char *name);
/// The same at table[key], where `false` is LW_AREA_NONE. @return Whether the key is there.
bool lwl_opt_area(lua_State *L, const lwl_at *at, int table, const char *key, lw_area_id *area);
void lwl_push_area_name(lua_State *L, lw_area_id area);
/// Read an area's keys into `def`; absent keys leave its fields unchanged.
void lwl_read_area(lua_State *L, const lwl_at *at, int table, lw_area_def *def);
/// The area's current definition, or the default for a new area. The name stays the caller's.
lw_area_def lwl_current_area(lua_State *L, const char *name);
void lwl_set_area(lua_State *L, const char *where, const lw_area_def *def);
/// Read scripts/areas.lua into the state.
void lwl_load_areas(lua_State *L);

// --- links (link.c) ------------------------------------------------------------------------------------------

/// Push the userdata of a link of the world at stack index `world`; nil: it was removed, or the id names none.
void lwl_push_link(lua_State *L, int world, lw_link_id id);
/// Read a link from its table. Pushes its name, which the definition borrows, or nil.
void lwl_read_link(lua_State *L, const lwl_at *at, int table, lw_link_def *link);
/// Raise that the world at index 1 has no link of that name, with a suggestion, or with those that there are.
_Noreturn void lwl_raise_no_link(lua_State *L, const lwl_at *at, const char *key, const char *name);
/// lw_world_def.linked, with the lwl_world as `user` (link_travel.c).
bool lwl_run_linked(void *user, lw_world *world, lw_agent_id agent, const lw_link_step *step);
/// Read the list at `links`, which stays on the stack. @return NULL: the key is absent.
lw_link_def *lwl_opt_links(lua_State *L, const lwl_at *at, int table, int *count);
extern const luaL_Reg lwl_link_geometry_methods[], lwl_link_navmesh_methods[], lwl_link_world_methods[];

// --- geometry (geometry.c) -----------------------------------------------------------------------------------

/// The geometry at index 1, unless it is being baked.
lw_geometry *lwl_check_open_geometry(lua_State *L, const char *where);
/// Read the list of points at `key` of the table at index 2. They stay on the stack.
lw_vec3 *lwl_need_points(lua_State *L, const lwl_at *at, const char *key, lua_Integer min, int *count);
/// Read the box at `box` of the table at index into the mark's place, size and yaw. It stays on the stack.
void lwl_read_mark_box(lua_State *L, const lwl_at *at, int table, lw_mark_def *mark);
/// Add the links and volumes of a gset file, by the codes of scripts/areas.lua.
lw_status lwl_load_gset(lua_State *L, lw_geometry *geometry, const char *file, lw_error *error);

// --- files (roots.c) -----------------------------------------------------------------------------------------

/// Find the roots: the folders of LEEWARD_PATH, then the shipped one.
/// @param module  The module's own file. NULL: unknown.
void lwl_find_roots(lua_State *L, const char *module);
/// Make `require` find behaviours and scripts along the roots (module.c).
void lwl_add_searcher(lua_State *L);
/// Push the path of the first file of that name along the roots.
/// @return NULL: no root has it; nothing is pushed.
const char *lwl_find_file(lua_State *L, const char *relative);
/// The same for the first file of either name. @param other  NULL: there is one name.
const char *lwl_find_either(lua_State *L, const char *relative, const char *other);
/// Push the roots as text, for "looked in ...".
const char *lwl_push_roots(lua_State *L);
/// Add the names of folder/*.lua along the roots to the set (name -> true) on top of the stack.
void lwl_add_file_names(lua_State *L, const char *folder);
/// Whether the name may be a file's name without its extension: no folder, no hidden file.
bool lwl_is_file_name(const char *name);
/// Push the list of the paths of all files of that name, in the order of the roots.
void lwl_push_files(lua_State *L, const char *relative);

// --- data files (data.c) -------------------------------------------------------------------------------------

/// Push the table that a data file returns, and keep it in LWL_REG_FILES. The file has no access to functions.
/// A file whose text has not changed is not run again. Raises with the file, and the line if Lua gives one.
void lwl_run_data(lua_State *L, const char *file);
/// Record that the values of the file were accepted.
void lwl_accept_data(lua_State *L, const char *file);

// --- profiles (profile.c) ------------------------------------------------------------------------------------

/// Keys of a profile that a request may override by `cost`.
extern const char *const lwl_cost_keys[];
/// Push the box of the profile that `options` describe by `profile`, `cost`, `avoid` and `can_take`.
/// @return NULL: they have none of these keys; then nil is pushed.
lwl_box *lwl_push_profile(lua_State *L, const lwl_at *at, int options);
/// Push a copy of those keys of `options`, from which lwl_push_profile() builds the profile again after a
/// reload.
void lwl_push_recipe(lua_State *L, int options);

// --- worlds (world.c) and agents (agent.c) -------------------------------------------------------------------

/// What one call of a script may take.
typedef struct lwl_limits {
  int instructions; ///< Of Lua. 0: no limit.
  double seconds;   ///< Of processor time, for what instructions do not say. 0: no limit.
} lwl_limits;

/// What one agent of a world borrows.
typedef struct lwl_hold {
  lw_agent_id agent;
  lwl_shared *profile, *tree;
  lwl_shared *journey;  ///< The profile that its last journey was for. NULL: its own.
  lwl_shared *old_tree; ///< That agent:set_tree() has replaced, until it is known to run no longer. NULL: none.
  struct lwl_hold *next, *previous; ///< Of the world, in the order in which the agents were spawned.
  struct lwl_hold *next_gone;
  bool gone;            ///< In the world's list of those whose agents are gone.
  bool has_new_profile; ///< A script has set one inside of the step that runs.
} lwl_hold;

/// What goes on beside the steps of a world: lists.
typedef struct lwl_unfinished {
  struct lwl_rebuild *rebuilds; ///< That were not applied yet (tiles.h).
  struct lwl_search *searches;  ///< That have not ended (planner.h).
} lwl_unfinished;

/// What a world retains for one of its navmeshes.
typedef struct lwl_held {
  lwl_shared *navmesh;
  lwl_shared *next;    ///< To take its place. NULL: none.
  lwl_shared *regions; ///< NULL: none.
} lwl_held;

typedef struct lwl_world {
  lwl_box box;
  lwl_calls *calls;
  lua_State *L;         ///< For callbacks.
  int inside;           ///< Calls of the C world in progress that run leaves.
  uint64_t objects;     ///< Values of blackboards so far that C knows by a number alone.
  lua_State *agents_of; ///< During world:step(), which has the table of agents on its stack. NULL: none.
  int agents_index;
  const lw_tree *leaves_of;
  const void *answers[3];
  lua_State *waiting;     ///< The coroutine of the leaf that runs. NULL: none.
  lwl_limits leaf_limits; ///< Of one call of a leaf; without limits of instructions there are none.
  /// Set from world:destroy() until it is freed; box.object is NULL meanwhile, but for leaves that are stopped.
  lw_world *pending;
  struct lwl_world *next_pending;
  lwl_hold *first_hold, *last_hold;
  lwl_hold *gone_holds;            ///< Of despawned agents, to be released.
  uint32_t reloads;                ///< lwl_state.reloads when its agents last got their profiles.
  bool has_new_profiles;           ///< lwl_hold.has_new_profile of some.
  uint32_t permutation_reloads;    ///< The same for its permutations.
  lwl_held held[LW_NAVMESHES_MAX]; ///< [navmesh_count]
  int navmesh_count, source_count, source_capacity;
  lwl_unfinished unfinished;
  lwl_shared **sources; ///< [source_count] Retained: navmeshes that permutations have tiles of.
} lwl_world;

enum {
  LWL_WORLD_AGENTS = 1, ///< Strong: agents have their values.
  LWL_WORLD_THREATS,    ///< Weak, as the next five.
  LWL_WORLD_DANGERS,
  LWL_WORLD_FIRE_LANES,
  LWL_WORLD_OBSTACLES,
  LWL_WORLD_LINKS,
  LWL_WORLD_GROUPS,
  LWL_WORLD_NAVMESHES, ///< List, and at -number what is to take the place of each.
  LWL_WORLD_LOG,
  LWL_WORLD_PERMUTATIONS,   ///< Those from files: name -> what LWL_REG_PERMUTATIONS had. nil: there are none.
  LWL_WORLD_LISTENERS,      ///< List of functions. nil: there are none.
  LWL_WORLD_LINK_LISTENERS, ///< The same for links.
  LWL_WORLD_WEAK,           ///< A weak list that holds the world.
  LWL_WORLD_REBUILDS,       ///< handle -> true. nil: there were none.
  LWL_WORLD_TILES,          ///< name -> tiles (world:name_tiles()). nil: there are none.
  LWL_WORLD_SOURCES,        ///< What lwl_world.sources is kept in.
  LWL_WORLD_BLACKBOARDS,    ///< "" -> table of the world, ":TEAM" -> that of a team. nil: there are none.
  LWL_WORLD_ERRORS,         ///< leaf -> { message, count } of the last error that it raised. nil: none did.
  LWL_WORLD_REQUESTS,       ///< id -> request for those that wait: no collection of garbage changes a run.
  LWL_WORLD_REGIONS,        ///< Those of each navmesh. nil: there are none.
  LWL_WORLD_SAVING,         ///< While it is saved or loaded: lwl_packer.places or lwl_unpacker.agents.
  LWL_WORLD_VALUES = LWL_WORLD_SAVING
};

/// A path and the query that found it.
typedef struct lwl_path {
  lwl_box box;
  lw_path_query query; ///< Its borrowed objects are kept in the user values.
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
  LWL_AGENT_TREE,     ///< Tree box or nil.
  LWL_AGENT_OLD_TREE, ///< The one before, while it is aborted. nil: none.
  LWL_AGENT_STATES,   ///< node -> state of the running activation.
  LWL_AGENT_RECIPE,   ///< What lwl_push_recipe() copied from the options of spawn.
  LWL_AGENT_PROFILE,  ///< Profile box.
  LWL_AGENT_COST,     ///< The checked table that agent:set_cost() was given. nil: none.
  LWL_AGENT_JOURNEY,  ///< What lwl_push_recipe() copied from the options of its last move. nil: nothing.
  LWL_AGENT_VALUES = LWL_AGENT_JOURNEY
};

/// The world at index. Raises if it was destroyed.
lwl_world *lwl_check_world(lua_State *L, int index, const char *where);
/// Begin a call of the C world that may run leaves, on this thread of Lua.
static inline void lwl_enter(lwl_world *world, lua_State *L) {
  world->L = L;
  ++world->inside;
}
/// End it.
static inline void lwl_leave(lwl_world *world) {
  --world->inside;
}
/// Let lwl_push_world() find the world on top of the stack, which is popped.
int lwl_register_world(lua_State *L);
/// Push the userdata of a world. Allocates nothing. @return false: it is gone; then nil is pushed.
bool lwl_push_world(lua_State *L, const lwl_world *world);
/// Free the worlds that were destroyed inside a call, unless one is still in progress.
void lwl_close_pending(lua_State *L, lwl_calls *calls);
static inline lw_world *lwl_c_world(const lwl_world *world) {
  return (lw_world *)world->box.object;
}
/// Push the userdata of an agent of the world at stack index `world`.
/// @return false: it has none; then nil is pushed.
bool lwl_push_agent(lua_State *L, int world, lw_agent_id agent);
/// Read options.navmesh, a navmesh of the world or its number from 1, as its index in the world.
bool lwl_opt_navmesh(lua_State *L, const lwl_at *at, int options, const lw_world *world, int *navmesh);
/// Push the userdata of a navmesh of the world at stack index `world`. @param navmesh  Index from 0.
void lwl_push_navmesh(lua_State *L, int world, int navmesh);
/// Record that an agent was despawned. A second call for it does nothing.
void lwl_note_gone(lwl_world *world, lwl_hold *hold);
void lwl_add_hold(lwl_world *world, lwl_hold *hold);
/// Release the holds of despawned agents, unless leaves are being run.
void lwl_forget_gone(lua_State *L, lwl_world *world, int index);
void lwl_release_holds(lwl_world *world);
/// Push a random number drawn from a stream, between bounds at stack index 2 and 3 as for math.random.
int lwl_random(lua_State *L, const char *where, float (*draw)(void *user), void *user);

/// Give an agent of the world at index the profile that its recipe says (reload.c).
void lwl_adopt_profile(lua_State *L, lwl_world *world, int index, lwl_hold *hold);
/// The same for all its agents after a reload, with their trees; else where lwl_hold.has_new_profile.
void lwl_adopt_reloaded(lua_State *L, lwl_world *world, int index);

// --- obstacles (obstacle.c) ----------------------------------------------------------------------------------

/// Read `cover` of an obstacle or a volume: the name of a kind, or false for none. @return false: the key is
/// absent.
bool lwl_opt_obstacle_cover(lua_State *L, const lwl_at *at, int table, lw_cover_kind *cover);
/// Read shape, size, effect and cover of an obstacle, not its place, from the table at index. Leaves values on
/// the stack.
/// @param points  [LW_OBSTACLE_POINTS_MAX] The definition borrows them.
void lwl_read_obstacle(lua_State *L, const lwl_at *at, int table, lw_obstacle_def *def, lw_vec3 *points);
/// Read `area` and `cost` of an obstacle from the table at index.
void lwl_read_mark(lua_State *L, const lwl_at *at, int table, lw_obstacle_def *def);

// Methods of worlds that live in other files (world_methods.c).
void lwl_set_world_methods(lua_State *L);
extern const luaL_Reg lwl_query_methods[], lwl_path_methods[], lwl_agent_world_methods[], lwl_reload_methods[],
    lwl_cover_methods[], lwl_cover_navmesh_methods[], lwl_danger_methods[], lwl_fire_lane_methods[],
    lwl_save_methods[], lwl_threat_world_methods[], lwl_cover_point_methods[], lwl_obstacle_methods[],
    lwl_permutation_methods[], lwl_link_travel_methods[], lwl_tiles_methods[];
/// Methods of agents that live in other files.
extern const luaL_Reg lwl_explain_agent_methods[], lwl_threat_agent_methods[], lwl_cover_agent_methods[],
    lwl_query_agent_methods[], lwl_link_agent_methods[];
/// Push the table of a cover segment (cover.c). @param world  Absolute index of its world.
void lwl_push_segment(lua_State *L, int world, const lw_cover_segment *segment);
/// A number that may be infinite. @param range  Of finite numbers.
void lwl_opt_endless(lua_State *L, const lwl_at *at, int table, const char *key, const lw_range *range,
                     float *value);
/// Read table.death_danger.
void lwl_opt_death_danger(lua_State *L, const lwl_at *at, int table, lw_danger_def *def);
/// Read the list at `threats`: tables, threats of the world, agents (threat.c). It stays on the stack.
const lw_threat *lwl_read_threats(lua_State *L, const lwl_at *at, int table, int *count);
/// Read body heights from `heights`, or from the profile's stance named at `stance` (default "stand").
/// @param profile  NULL: human.
void lwl_read_stance(lua_State *L, const lwl_at *at, int table, const lw_profile *profile,
                     float heights[LW_BODY_HEIGHTS_MAX], int *count);
/// The name of one of the profile's stances at `stance`, borrowed from the table.
/// @return NULL: the key is absent.
const char *lwl_opt_stance(lua_State *L, const lwl_at *at, int table, const lw_profile *profile);
/// The same for the value at index.
const char *lwl_to_stance(lua_State *L, const lwl_at *at, int index, const lw_profile *profile);
/// The accuracy at `accuracy`; LW_ACCURACY_AUTO if the key is absent.
lw_accuracy lwl_opt_accuracy(lua_State *L, const lwl_at *at, int table);
/// Return nil, message, code: accuracy is "map" and no navmesh of the world has a cover map.
int lwl_fail_no_cover_map(lua_State *L);
/// Read the kind of cover at `key`.
bool lwl_opt_cover(lua_State *L, const lwl_at *at, int table, const char *key, lw_cover_kind *cover);

// Each creates its types and adds its functions to the module table on top of the stack.
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
void lwl_open_blackboard(lua_State *L);
void lwl_open_agent(lua_State *L);
void lwl_open_save(lua_State *L);
void lwl_open_timed_region(lua_State *L);
void lwl_open_group(lua_State *L);
void lwl_open_threat(lua_State *L);
void lwl_open_obstacle(lua_State *L);
void lwl_open_link(lua_State *L);
void lwl_open_permutation(lua_State *L);
void lwl_open_cover_points(lua_State *L);
void lwl_open_world(lua_State *L);
void lwl_open_roots(lua_State *L);
void lwl_open_reload(lua_State *L);
void lwl_open_sandbox(lua_State *L);

#endif
