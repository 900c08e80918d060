/* Writing a world's state. */
#include "core/file.h"
#include "core/hash.h"
#include "core/status.h"
#include "save/saved.h"

#include <string.h>

/* @return Where the size belongs. */
static int begin(lwi_bytes *to, const char *name) {
  size_t length = strlen(name); /* at most 8 */
  for (size_t i = 0; i < 8; i++) lwi_put(to, i < length ? (unsigned char)name[i] : 0, 1);
  lwi_put_u64(to, 0);
  return to->count - 8;
}

static void set(lwi_bytes *to, int at, uint64_t value) {
  if (to->failed) return;
  for (int i = 0; i < 8; i++) to->data[at + i] = (unsigned char)(value >> 8 * i);
}

static void end(lwi_bytes *to, int size) {
  set(to, size, (uint64_t)(to->count - size - 8));
}

static void put_navmeshes(lwi_bytes *to, const lw_world *world) {
  int size = begin(to, LWI_SAVED_NAVMESHES);
  lwi_put_u32(to, (uint32_t)world->scene.nav_count);
  for (int i = 0; i < world->scene.nav_count; i++)
    lwi_put_u64(to, lwi_navmesh_identity(world->scene.navs[i].base));
  end(to, size);
}

static void put_clock(lwi_bytes *to, const lw_world *world) {
  int size = begin(to, LWI_SAVED_CLOCK);
  lwi_put_double(to, world->time);
  lwi_put_u64(to, world->steps);
  lwi_put_u64(to, world->spawned);
  lwi_put_u64(to, world->random.stream);
  lwi_put_u64(to, world->random.counter);
  end(to, size);
}

static void put_visibility(lwi_bytes *to, const lw_world *world) {
  int size = begin(to, LWI_SAVED_VISIBILITY);
  lwi_put_float(to, world->scene.visibility);
  lwi_put_u32(to, (uint32_t)world->scene.team_count);
  for (int i = 0; i < world->scene.team_count; i++) {
    lwi_put_text(to, world->scene.teams[i].name);
    lwi_put_float(to, world->scene.teams[i].visibility);
  }
  end(to, size);
}

/* Where it stands; of one that stands on no ground, the nearest place that has some. */
static lw_vec3 place_to_spawn(const lw_world *world, const lwi_agent *agent) {
  lw_location at = lwi_agent_footing(agent);
  const lw_navmesh *mesh = world->scene.meshes[lwi_agent_footing_navmesh(agent)];
  const lw_vec3 snap = {LWI_SAVED_SPAWN_SNAP, LWI_SAVED_SPAWN_SNAP, LWI_SAVED_SPAWN_SNAP};
  if (agent->ground.is_parked || agent->ground.is_trapped || at.poly == 0)
    lw_navmesh_nearest(mesh, at.point, snap, &agent->profile->prices.filter, &at);
  return at.point;
}

static void put_agent(lwi_bytes *to, const lw_world *world, const lwi_agent *agent) {
  lwi_put_u64(to, agent->serial);
  lwi_put_text(to, agent->profile->def.name);
  lwi_put_text(to, agent->tree ? lw_tree_name(agent->tree) : "");
  lwi_put_text(to, agent->team);
  lwi_put_text(to, agent->profile->def.stances[agent->stance].name);
  lwi_put_vec3(to, place_to_spawn(world, agent));
  lwi_put_u32(to, (uint32_t)lwi_agent_footing_navmesh(agent));
  lwi_put_float(to, agent->heading);
  lwi_put_u32(to, (uint32_t)agent->pace);
  const bool has_unnamed_tree = agent->tree && !lw_tree_name(agent->tree)[0];
  lwi_put_u32(to, (agent->move == LW_MOVE_WALKING ? LWI_AGENT_WALKS : 0u) |
                      (has_unnamed_tree ? LWI_AGENT_HAS_UNNAMED_TREE : 0u));
  lwi_put_vec3(to, agent->route.goal);
  lwi_put_float(to, agent->route.within);
  lwi_put_u64(to, agent->user);
  lwi_put_u32(to, agent->color);
  lwi_put_u64(to, agent->random.stream);
  lwi_put_u64(to, agent->random.counter);
}

static void put_agents(lwi_bytes *to, const lw_world *world) {
  int size = begin(to, LWI_SAVED_AGENTS);
  lwi_put_u32(to, (uint32_t)world->agents.ids.count);
  for (const lwi_agent *agent = NULL; (agent = lwi_next_agent(world, agent));) put_agent(to, world, agent);
  end(to, size);
}

static void put_run(lwi_bytes *to, const lw_world *world) {
  lwi_put_u64(to, world->def.seed);
  const lwi_agent *turn = lwi_world_agent(world, world->planner.stale_turn);
  lwi_put_u32(to, lwi_world_any_stale(world));
  lwi_put_u64(to, turn ? turn->serial : 0);
  bool rests = world->planner.stale_until > world->steps;
  lwi_put_u32(to, rests ? (uint32_t)(world->planner.stale_until - world->steps) : 0);
}

/* What other files put. */
static const struct {
  const char *name;
  void (*put)(lwi_bytes *to, const lw_world *world);
} parts[] = {{LWI_SAVED_RUN, put_run},
             {LWI_SAVED_AREAS, lwi_saved_put_areas},
             {LWI_SAVED_THREATS, lwi_saved_put_threats},
             {LWI_SAVED_LINKS, lwi_saved_put_links},
             {LWI_SAVED_PERMUTATIONS, lwi_saved_put_permutations},
             {LWI_SAVED_OBSTACLES, lwi_saved_put_obstacles},
             {LWI_SAVED_CROWD, lwi_saved_put_crowd},
             {LWI_SAVED_GROUPS, lwi_saved_put_groups},
             {LWI_SAVED_PLANNER, lwi_saved_put_planner},
             {LWI_SAVED_WALKS, lwi_saved_put_walks},
             {LWI_SAVED_DEPTH_CACHES, lwi_saved_put_depth_caches},
             {LWI_SAVED_ASKS, lwi_saved_put_asks},
             {LWI_SAVED_TILES, lwi_saved_put_tiles},
             {LWI_SAVED_SENSES, lwi_saved_put_senses}};
#define PARTS (sizeof parts / sizeof *parts)

static void put_part(lwi_bytes *to, const lw_world *world, size_t i) {
  int size = begin(to, parts[i].name);
  parts[i].put(to, world);
  end(to, size);
}

/* What is put beside the world's state. */
typedef struct extra {
  lwi_saved_leaves leaves;
  const void *data;
  size_t size;
} extra;

static void put_extra(lwi_bytes *to, const lw_world *world, const extra *with) {
  int size = begin(to, LWI_SAVED_TREES);
  lwi_saved_put_trees(to, world, &with->leaves);
  end(to, size);
  size = begin(to, LWI_SAVED_BOARDS);
  lwi_saved_put_boards(to, world);
  end(to, size);
  if (with->size == 0) return;
  size = begin(to, LWI_SAVED_CALLER);
  lwi_put_block(to, with->data, with->size);
  end(to, size);
}

static void put_all(lwi_bytes *to, const lw_world *world, const extra *with) {
  for (int i = 0; i < 8; i++) lwi_put(to, (unsigned char)LWI_SAVED_MAGIC[i], 1);
  lwi_put_u32(to, LWI_SAVED_VERSION);
  lwi_put_u32(to, 8 + (uint32_t)PARTS + (with->size > 0));
  lwi_put_u64(to, 0);
  lwi_put_u64(to, 0);
  put_navmeshes(to, world);
  put_clock(to, world);
  int size = begin(to, LWI_SAVED_DANGERS);
  lwi_saved_put_dangers(to, world);
  end(to, size);
  size = begin(to, LWI_SAVED_LANES);
  lwi_saved_put_lanes(to, world);
  end(to, size);
  put_visibility(to, world);
  put_agents(to, world);
  for (size_t i = 0; i < PARTS; i++) put_part(to, world, i);
  put_extra(to, world, with);
  set(to, 16, (uint64_t)to->count);
  if (!to->failed)
    set(to, 24, lwi_hash(LWI_HASH_SEED, to->data + LWI_SAVED_HEAD, (size_t)(to->count - LWI_SAVED_HEAD)));
}

/* May the world be saved now? */
static lw_status check_saving(const lw_world *world, lw_error *error) {
  if (lwi_world_is_busy(world))
    return lwi_fail(error, LW_INVALID, "world is inside a step or a leaf, expected a call between steps");
  for (int i = 0; i < world->scene.nav_count; i++)
    if (world->scene.navs[i].next)
      return lwi_fail(
          error, LW_PENDING,
          "navmesh %d waits to be replaced, expected a call after the next step, or after changes were "
          "applied",
          i + 1);
  if (!world->permutations.tiles_pending) return LW_OK;
  return lwi_fail(error, LW_PENDING,
                  "a permutation waits for its tiles, expected a call after the next step, or after changes "
                  "were applied");
}

static lw_status write_file(const lwi_bytes *bytes, const char *name, lw_error *error) {
  lwi_writer to;
  if (bytes->failed) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  lwi_writer_open(&to, name);
  lwi_writer_put(&to, bytes->data, (size_t)bytes->count);
  return lwi_writer_close(&to, error);
}

/* Leaves run while they say what they save: before anything is read that they might change. */
static lw_status ask_leaves(lw_world *world, lwi_saved_leaves *leaves, lw_error *error) {
  lwi_world_enter(world);
  const bool good = lwi_saved_ask_leaves(world, leaves);
  lwi_world_flush_removed(world);
  if (!lwi_world_leave(world)) return lwi_fail(error, LW_STALE, "a leaf destroyed the world");
  return good ? LW_OK : lwi_fail_status(error, LW_OUT_OF_MEMORY);
}

lw_status lw_world_save_with(const lw_world *world, const char *name, const void *data, size_t size,
                             lw_error *error) {
  if (!world) return lwi_fail_null(error, "world");
  if (!name) return lwi_fail_null(error, "file");
  if (size > 0 && !data) return lwi_fail_null(error, "data");
  lw_status status = check_saving(world, error);
  if (status != LW_OK) return status;
  lwi_memory memory = lwi_memory_make(&world->memory.allocator);
  lwi_bytes bytes = {.memory = &memory};
  extra with = {.leaves.bytes.memory = &memory, .data = data, .size = size};
  const uint64_t spawned = world->spawned;
  const int count = lw_world_agent_count(world);
  status = ask_leaves((lw_world *)(uintptr_t)world, &with.leaves, error);
  if (status == LW_OK && (world->spawned != spawned || lw_world_agent_count(world) != count))
    status = lwi_fail(error, LW_INVALID, "a leaf has spawned or despawned agents while it was saved");
  if (status == LW_OK) {
    put_all(&bytes, world, &with);
    status = write_file(&bytes, name, error);
  }
  lwi_saved_leaves_free(&with.leaves, &memory);
  lwi_free(&memory, bytes.data, (size_t)bytes.capacity);
  return status;
}

lw_status lw_world_save(const lw_world *world, const char *name, lw_error *error) {
  return lw_world_save_with(world, name, NULL, 0, error);
}
