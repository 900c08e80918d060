/// What asking reads of a world. It is the first member of an lw_world, and does not change between two steps
/// but for the shared answers, which are guarded by locks; so any number of threads may ask at once.
#ifndef LW_QUERY_SCENE_H
#define LW_QUERY_SCENE_H

#include "core/hash_index.h"
#include "core/vec3.h"
#include "cover/screen_cover.h"
#include "cost/profile.h"
#include "leeward/workspace.h"
#include "leeward/path.h"
#include "leeward/regions.h"
#include "links/inter_links.h"
#include "mesh/live.h"
#include "search/price_tables.h"
#include "search/reach.h"
#include "search/timed_costs.h"
#include "sight/depth_cache.h"
#include "sight/exposure.h"
#include "sight/threat_views.h"

/// Answers about one navmesh that all threads share: computed when they are first asked for.
typedef struct lwi_shared {
  lwi_components components;
  lwi_price_tables price_tables;
  lwi_threat_views threat_views;
  lwi_mutex lock; ///< For the samples and the cover.
  lwi_memory memory;
  lwi_samples samples;
  lwi_screen_cover cover; ///< At the sides of obstacles.
} lwi_shared;
/// @return NULL: no memory.
lwi_shared *lwi_shared_make(const lw_navmesh *mesh, size_t cache_bytes, lwi_memory *memory);
void lwi_shared_free(lwi_shared *shared, lwi_memory *memory);
/// Places about which searches look up what threats see. @return NULL: no memory.
const lwi_samples *lwi_shared_samples(lwi_shared *shared, const lw_navmesh *mesh);

/// One of the world's navmeshes.
typedef struct lwi_nav {
  lwi_live *live;         ///< Owned. The world's version of it,
  const lw_navmesh *mesh; ///< which this is: what queries ask.
  const lw_navmesh *base; ///< As it was baked: `own`, or that with tiles of permutations.
  const lw_navmesh *own;  ///< That the world was given.
  const lw_navmesh *next; ///< Takes the place of `own` when changes are applied. NULL: none does.
  /// [base polygons] The lwi_scene.changes that last changed what is there of each. NULL: none ever did.
  uint64_t *changed;
  /// Links that count for less than the distance of their ends, whether they can be taken or not, and those
  /// that count for less than that in xz.
  uint32_t short_links, short_links_in_xz;
  uint32_t added_links;                        ///< In one direction each, that the world has added.
  lwi_outline_index outlines[LWI_TIMED_KINDS]; ///< Of the world's timed regions.
  lwi_shared *shared;                          ///< Owned.
  const lw_regions *regions;                   ///< Borrowed from the caller. NULL: none.
  uint64_t regions_set;                        ///< How often `regions` were set.
} lwi_nav;

/// How well the agents of a team are seen, besides the world's own visibility.
typedef struct lwi_team {
  char name[32];
  float visibility; ///< [0..1]
} lwi_team;

/// Where an area occurs in the world.
typedef struct lwi_area_note {
  bool has_ground;
  bool has_water;       ///< Some of it lies under water whose depth is known.
  uint8_t min_openness; ///< Of its polygons. [255ths]
  uint32_t links;       ///< Links of this area, whether they can be taken or not.
  uint32_t marks;       ///< Obstacles that make ground one of this area, at any openness.
} lwi_area_note;

/// Up to this count the shortest path over short links is found exactly for a lower bound.
#define LWI_FEW_SHORT_LINKS 64
/// A link, within a navmesh or between two, that counts for less than the distance of its ends: as
/// lwi_scene_distance() measures it.
typedef struct lwi_short_link {
  lw_vec3 start, end;
  float length; ///< [m]
} lwi_short_link;

/// What blocks sight: the occluders of all navmeshes, each once.
typedef struct lwi_scene_sight {
  int count;
  const lwi_occluders **sets; ///< [count]
  const lw_navmesh **meshes;  ///< [count] Whose they are.
  bool any_map;               ///< Some navmesh has a cover map.
  bool bare;                  ///< Some navmesh has a cover map in place of the tree of its occluders.
  int map_limit;              ///< lw_world_def.depth_maps
  lwi_screens screens;        ///< The obstacles that hide.
  /// For questions from outside of steps, and from inside, so that looking at a world never changes its run.
  lwi_depth_cache *caches; ///< [2]
  lwi_mutex lock;          ///< Held while a face of the caches' maps is drawn.
} lwi_scene_sight;

typedef struct lwi_scene {
  int nav_count;             ///< [1..LW_NAVMESHES_MAX]
  lwi_nav *navs;             ///< [nav_count]
  const lw_navmesh **meshes; ///< [nav_count] Theirs.
  lwi_inter_links links;
  lwi_short_link *shorts; ///< [short_count] Only where links join navmeshes.
  int short_count, short_capacity;
  /// Many links are short, as lifts are: lower bounds leave heights out.
  bool bounds_in_xz;
  bool shorts_changed; ///< `shorts` are to be found again.
  lwi_prices plain;    ///< For queries without a profile.
  lwi_area_note area_notes[LW_AREA_MAX + 1];
  uint8_t min_headroom; ///< Headroom over any polygon of its navmeshes, as polygons have it.
  float visibility;     ///< Of all teams. [0..1]
  lwi_team *teams;      ///< [team_count] That have a visibility of their own.
  int team_count, team_capacity;
  lwi_hash_index team_index; ///< By name.
  lwi_scene_sight sight;
  lwi_timed_set timed[LWI_TIMED_KINDS];
  uint64_t changes; ///< How often the navmeshes were changed.
  bool any_swapped; ///< Navmeshes were, since changes were last applied.
  bool stepping;
  /// In a step: may a path that is asked for use tables of its prices? It is noted that they are asked for.
  bool (*may_use_tables)(lw_world *world, const lw_path_query *query);
  lw_workspace *own; ///< For questions without a workspace: the world's. Owned.
  lw_allocator allocator;
} lwi_scene;
/// The distance by which lower bounds on lengths go. [m]
static inline float lwi_scene_distance(const lwi_scene *scene, lw_vec3 a, lw_vec3 b) {
  return scene->bounds_in_xz ? lwi_distance_xz(a, b) : lwi_distance(a, b);
}

/// What a world's queries take of its definition. All is borrowed for the call but the navmeshes.
typedef struct lwi_scene_def {
  const lw_navmesh *const *meshes; ///< [mesh_count]
  int mesh_count;
  const lw_link_def *links; ///< [link_count]
  int link_count;
  int depth_maps;
  size_t cache_bytes; ///< For the answers that are kept for profiles.
} lwi_scene_def;
/// Begin with zeros. @return false: no memory; free the scene all the same.
bool lwi_scene_init(lwi_scene *scene, const lwi_scene_def *def, lwi_memory *memory);
void lwi_scene_free(lwi_scene *scene, lwi_memory *memory);
/// Cut what has changed in the navs' live navmeshes, and bring along all that hangs on their polygons. Nothing
/// may ask meanwhile. @return false: no memory; then nothing is cut, and the next call tries again.
bool lwi_scene_apply(lwi_scene *scene, lwi_memory *memory);
/// List what blocks sight, after navmeshes have changed.
void lwi_scene_list_occluders(lwi_scene *scene);
/// Note again what areas and short links there are, as navmeshes were baked: without links between them, and
/// without those that were added.
void lwi_scene_note_baked(lwi_scene *scene);
/// A link that was added, in one direction, counts for lower bounds, or no longer does.
/// @param nav  NULL: it joins two navmeshes.
void lwi_scene_count_link(lwi_scene *scene, lwi_nav *nav, const lwi_short_link *link, lw_area_id area,
                          bool is_there);
/// Was what is there of a polygon of the nav's base changed after the change `since` (lwi_scene.changes)?
static inline bool lwi_nav_has_changed(const lwi_nav *nav, uint32_t polygon, uint64_t since) {
  return nav->changed && nav->changed[polygon] > since;
}

/// @return Bytes held beside the memory that the scene was initialised with.
size_t lwi_scene_memory(const lwi_scene *scene);

static inline const lwi_scene *lwi_scene_of(const lw_world *world) {
  return (const lwi_scene *)world;
}

/// Is it LW_NAVMESH_FITTING or the index of a navmesh?
static inline bool lwi_scene_has(const lwi_scene *scene, int navmesh) {
  return navmesh >= LW_NAVMESH_FITTING && navmesh < scene->nav_count;
}
static inline int lwi_scene_index(const lwi_scene *scene, const lwi_nav *nav) {
  return (int)(nav - scene->navs);
}

/// Where to look for a place.
typedef struct lwi_place_query {
  int navmesh; ///< Index, or LW_NAVMESH_FITTING: as lw_world_find_navmesh() chooses.
  lw_vec3 point, snap;
  const lw_profile *profile; ///< NULL: everything may be entered.
} lwi_place_query;
/// The nearest place on the navmesh named, or on the one that fits.
/// @param[out] nav  NULL: there is no navmesh. @return LW_OK, LW_NO_POINT, LW_INVALID.
lw_status lwi_scene_place(const lwi_scene *scene, const lwi_place_query *query, const lwi_nav **nav,
                          lw_location *at);
/// Does the navmesh have the size that fits the profile best of all in the world?
bool lwi_nav_fits(const lwi_scene *scene, const lwi_nav *nav, const lw_profile *profile);

/// The team's place in `teams`. @return LWI_NO_ITEM: it has no visibility of its own.
uint32_t lwi_scene_find_team(const lwi_scene *scene, const char *name);
/// Give a team a visibility of its own, 1 to begin with. @param name  In no team yet. @return false: no memory.
bool lwi_scene_add_team(lwi_scene *scene, const char *name, lwi_memory *memory);
/// Forget all teams.
void lwi_scene_clear_teams(lwi_scene *scene);
/// How well an agent of that team is seen. @param team  NULL or "": of no team. [0..1]
float lwi_scene_visibility(const lwi_scene *scene, const char *team);
/// A profile's prices in this world, for an agent that is seen so well.
/// @param[out] scratch  Used where they depend on the place; the result holds as long as it does.
const lwi_prices *lwi_scene_prices(const lwi_scene *scene, const lw_profile *profile, float visibility,
                                   lwi_prices *scratch);

/// Do metres of the ground of a navmesh cost differently?
bool lwi_scene_prices_differ(const lwi_scene *scene, const lwi_nav *nav, const lwi_prices *prices);
/// Whether paths on a navmesh are searched by tables of these prices: metres cost differently, and nothing
/// makes paths cheaper than as it was baked but a few links.
bool lwi_scene_has_price_table(const lwi_scene *scene, const lwi_nav *nav, const lwi_prices *prices);
/// The price of every metre of ground that an agent with these prices may walk on a navmesh.
/// @return 0: there are several. Infinity: there is none. [metre-equivalents]
float lwi_scene_one_price(const lwi_scene *scene, const lwi_nav *nav, const lwi_prices *prices);
/// Whether landmarks of its navmesh bound the lengths of paths, and its dead ends are still dead ends: it has
/// no short links, and none were added.
static inline bool lwi_scene_has_landmarks(const lwi_nav *nav) {
  return nav->short_links == 0 && nav->added_links == 0;
}
/// Does every metre cost the same, wherever on a navmesh an agent with these prices may walk, and do links cost
/// no less than the straight line?
bool lwi_scene_is_uniform(const lwi_scene *scene, const lwi_nav *nav, const lwi_prices *prices);
/// The same but for some ground that costs more below low ceilings and obstacles, or through obstacles, and for
/// short links.
bool lwi_scene_is_uniform_elsewhere(const lwi_scene *scene, const lwi_nav *nav, const lwi_prices *prices);

/// @return LW_OK; LW_NOT_FOUND: LW_ACCURACY_MAP, but no navmesh has a cover map.
lw_status lwi_scene_check_accuracy(const lwi_scene *scene, lw_accuracy accuracy);

/// The timed regions of one kind on a navmesh as the profile's agents pay for them.
/// @param scratch  Of the workspace, for that kind on that navmesh.
/// @return false: there are none, or they cost these agents nothing.
bool lwi_scene_timed_costs(const lwi_scene *scene, lwi_timed_kind kind, const lwi_nav *nav,
                           const lw_profile *profile, lwi_timed_scratch *scratch, lwi_timed_costs *costs);
/// The same wherever they lie, also where there is no ground; only their tree may be asked.
bool lwi_scene_timed_anywhere(const lwi_scene *scene, lwi_timed_kind kind, const lwi_nav *nav,
                              const lw_profile *profile, lwi_timed_scratch *scratch, lwi_timed_costs *costs);

#endif
