/// A world's file:
///
///     magic, version, number of sections (u32) | size of the file, checksum of all behind it (u64) | sections
///
/// A section is its name (8 bytes), the size of what follows (u64), and that. A part of the runtime that has state to keep
/// adds a section of its own here, to the writer and to the reader; one that a reader does not know is refused, one that is
/// missing stands for nothing to keep. Behind AGENTS come those that saved worlds did not have at first: files without them
/// load, and what they tell begins anew.
///
/// What becomes of each part of an lw_world (save_spec.lua sees that none is forgotten here):
///
///     def                      the caller's, but for the seed (RUN)
///     grounds, meshes          the caller's; known by what they are (NAVMESH)
///     ..search, components, random_scratch, flood    room to work in, and what follows from a navmesh
///     ..rings, lane_rings      follow from dangers and lanes
///     links, bridges, bridge_room, area_notes        follow from def and navmeshes
///     time, steps, spawned, random                   CLOCK
///     stepping                 never while it is saved
///     dangers, lanes           DANGERS, LANES: with ids; what is left of them follows from the clock
///     agents                   AGENTS: what they are to be spawned with. WALKS: all else that an lwi_agent has, but
///       ..id                   new: scripts get the list of agents
///       ..profile, tree, run   the caller's, by name; trees begin at their roots
///       ..stats                but for seconds, which two runs of the same never have the same
///       ..doomed               never between steps
///     slots, free_slot         new ids
///     any_stale, stale_turn, stale_until             RUN
///     threats                  THREATS: slots in their order, with ids
///       ..version              grows: what was drawn is old
///       ..room                 room to work in
///     plain, prices            follow from profiles
///     visibility, teams        VISIBLE
///     path_room, exposure_room, cover_room           room to work in
///     occluders, sight_meshes, any_map, bare         follow from the navmeshes
///     eyes                     EYES: who was asked about how often, and from where there are depth maps, which are drawn anew
///     guides, guiding          only make answers come sooner
///     threats_over             of the question that is being answered
///     memory, counts and capacities                  of what they are beside
#ifndef LW_WORLD_SAVED_H
#define LW_WORLD_SAVED_H

#include "core/bytes.h"
#include "leeward/save.h"
#include "world/world.h"

#define LWI_SAVED_MAGIC "LWWORLD"
#define LWI_SAVED_VERSION 4u
#define LWI_SAVED_HEAD 32 /* bytes */

#define LWI_SAVED_NAVMESHES "NAVMESH"
#define LWI_SAVED_CLOCK "CLOCK"
#define LWI_SAVED_DANGERS "DANGERS"
#define LWI_SAVED_LANES "LANES"
#define LWI_SAVED_VISIBILITY "VISIBLE"
#define LWI_SAVED_AGENTS "AGENTS"
#define LWI_SAVED_RUN "RUN"
#define LWI_SAVED_AREAS "AREAS"
#define LWI_SAVED_THREATS "THREATS"
#define LWI_SAVED_WALKS "WALKS"
#define LWI_SAVED_EYES "EYES"

typedef struct lwi_saved_agent {
  char profile[256], tree[256], team[256], stance[256];
  lw_vec3 at, goal;
  int navmesh;
  float heading, within;
  lw_pace pace;
  bool walking;
  uint64_t user;
  uint32_t color;
  lwi_random random;
} lwi_saved_agent;

/// What else an agent of the file had.
typedef struct lwi_saved_walk {
  uint64_t profile; ///< What its profile came to for paths.
  /// All but what lwi_saved_agent has. Polygons are dense indices, areas those of the file; path, learnt and own belong to
  /// the lw_saved.
  lwi_agent as;
} lwi_saved_walk;

struct lw_saved {
  lwi_memory memory;
  int navmesh_count;
  uint64_t navmeshes[LW_NAVMESHES_MAX]; ///< What they are known by.
  double time;
  uint64_t steps, spawned;
  lwi_random random;
  lw_danger_id dangers_made;
  lw_fire_lane_id lanes_made;
  int danger_count, danger_capacity, lane_count, lane_capacity, agent_count, agent_capacity;
  lwi_danger *dangers;
  lwi_fire_lane *lanes;
  lwi_saved_agent *agents;
  float visibility;
  int team_count, team_capacity;
  lwi_team *teams; ///< [team_count]
  bool has_run;
  uint64_t seed;
  bool any_stale;
  uint32_t stale_turn;
  uint32_t stale_rest; ///< Steps up to stale_until.
  int area_count;
  char areas[LW_AREA_MAX + 1][64]; ///< [1..area_count] Their names.
  uint32_t threats_made;
  int threat_count, threat_capacity;
  lwi_threat *threats; ///< [threat_count] Slots; `awaits` in place of `agent`.
  int walk_count, walk_capacity;
  lwi_saved_walk *walks; ///< [walk_count] agent_count, or 0.
  lwi_eyes eyes[2];      ///< What lwi_eyes_put_back() takes.
};

/// The same navmesh, baked or loaded, has the same number.
uint64_t lwi_saved_identity(const lw_navmesh *mesh);

/// An area of the file in a table: where there is none of that name, LW_AREA_NONE.
static inline lw_area_id lwi_saved_area(const lw_saved *saved, const lw_area_table *areas, lw_area_id area) {
  return area >= 1 && area <= saved->area_count ? lw_area_table_find(areas, saved->areas[area]) : LW_AREA_NONE;
}

/// Every part: put it into a file, read it from there (@return what is wrong; "": no memory; NULL: nothing), and give it to
/// a world.
void lwi_saved_put_areas(lwi_bytes *to, const lw_world *world);
const char *lwi_saved_read_areas(lw_saved *saved, lwi_reader *from);

void lwi_saved_put_threat(lwi_bytes *to, const lw_threat *threat);
lw_threat lwi_saved_get_threat(lwi_reader *from);
void lwi_saved_put_threats(lwi_bytes *to, const lw_world *world);
const char *lwi_saved_read_threats(lw_saved *saved, lwi_reader *from);

void lwi_saved_put_walks(lwi_bytes *to, const lw_world *world);
const char *lwi_saved_read_walks(lw_saved *saved, lwi_reader *from);
void lwi_saved_walks_free(lw_saved *saved);
/// Does an agent go on from here as it would have? Where it was put elsewhere or is another, it begins anew.
/// @return LW_OK, or why it has no path.
lw_status lwi_saved_walk_on(lw_world *world, lwi_agent *agent, const lw_saved *saved, int index);

/// A path: of whoever walks in that world.
void lwi_saved_put_path(lwi_bytes *to, const lw_world *world, const lw_path *path);
const char *lwi_saved_read_path(lw_saved *saved, lwi_reader *from, lw_path **path);
/// @return NULL: something that it goes over is not there, or there is no memory.
lw_path *lwi_saved_open_path(const lw_world *world, const lw_saved *saved, const lw_path *path);

void lwi_saved_put_eyes(lwi_bytes *to, const lw_world *world);
const char *lwi_saved_read_eyes(lw_saved *saved, lwi_reader *from);

#endif
