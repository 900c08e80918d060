/* Reading a world's state, and giving it to a world. */
#include "core/file.h"
#include "core/hash.h"
#include "core/status.h"
#include "core/text.h"
#include "save/saved.h"

/* --- reading: every number is checked, so that nothing that comes of a file can be wrong later ------------ */

/* What is wrong; NULL: nothing. */
static const char *read_navmeshes(lw_saved *saved, lwi_reader *from) {
  uint32_t count = lwi_get_u32(from);
  if (count < 1 || count > LW_NAVMESHES_MAX) return "their count is out of range";
  saved->navmesh_count = (int)count;
  for (uint32_t i = 0; i < count; i++) saved->navmeshes[i] = lwi_get_u64(from);
  return NULL;
}

static const char *read_clock(lw_saved *saved, lwi_reader *from) {
  saved->clock.time = lwi_get_double(from);
  saved->clock.steps = lwi_get_u64(from);
  saved->clock.spawned = lwi_get_u64(from);
  saved->clock.random.stream = lwi_get_u64(from);
  saved->clock.random.counter = lwi_get_u64(from);
  if (!(saved->clock.time >= 0 && saved->clock.time <= LWI_SAVED_TIME_MAX)) return "the time is out of range";
  return saved->clock.steps <= LWI_SAVED_COUNT_MAX && saved->clock.spawned <= LWI_SAVED_COUNT_MAX
             ? NULL
             : "a count is out of range";
}

static bool is_visibility(float visibility) {
  return visibility >= 0 && visibility <= 1;
}

static const char *read_visibility(lw_saved *saved, lwi_reader *from) {
  saved->visibility.all = lwi_get_float(from);
  uint32_t count = lwi_get_u32(from);
  for (uint32_t i = 0; i < count && !from->failed; i++) {
    char name[256];
    lwi_get_text(from, name);
    float visibility = lwi_get_float(from);
    if (from->failed) break;
    if (!name[0] || strlen(name) >= sizeof saved->visibility.teams->name || !is_visibility(visibility))
      return "a name or a visibility is out of range";
    if (!lwi_reserve(&saved->memory, &saved->visibility.teams, &saved->visibility.team_capacity,
                     saved->visibility.team_count + 1, sizeof *saved->visibility.teams))
      return "";
    lwi_team *team = &saved->visibility.teams[saved->visibility.team_count++];
    *team = (lwi_team){.visibility = visibility};
    memcpy(team->name, name, strlen(name) + 1);
  }
  return from->failed || is_visibility(saved->visibility.all) ? NULL : "the visibility is outside 0 to 1";
}

#define HEADING_MAX 3.15f /* rad */

static const char *read_agent(lw_saved *saved, lwi_reader *from) {
  if (!lwi_reserve(&saved->memory, &saved->agents, &saved->agent_capacity, saved->agent_count + 1,
                   sizeof *saved->agents))
    return "";
  lwi_saved_agent *agent = &saved->agents[saved->agent_count];
  agent->serial = lwi_get_u64(from);
  lwi_get_text(from, agent->profile);
  lwi_get_text(from, agent->tree);
  lwi_get_text(from, agent->team);
  lwi_get_text(from, agent->stance);
  agent->at = lwi_get_vec3(from);
  uint32_t navmesh = lwi_get_u32(from);
  agent->heading = lwi_get_float(from);
  uint32_t pace = lwi_get_u32(from), facts = lwi_get_u32(from);
  agent->goal = lwi_get_vec3(from);
  agent->within = lwi_get_float(from);
  agent->user = lwi_get_u64(from);
  agent->color = lwi_get_u32(from);
  agent->random.stream = lwi_get_u64(from);
  agent->random.counter = lwi_get_u64(from);
  if (from->failed) return NULL;
  if (!lwi_saved_is_place(agent->at) || !lwi_finite(agent->goal) || !(fabsf(agent->heading) <= HEADING_MAX) ||
      !(agent->within >= 0) || !isfinite(agent->within) || pace >= LW_PACE_COUNT ||
      facts > (LWI_AGENT_WALKS | LWI_AGENT_HAS_UNNAMED_TREE) || strlen(agent->team) > 31 ||
      navmesh >= LW_NAVMESHES_MAX || agent->serial > saved->clock.spawned ||
      agent->serial <= (saved->agent_count > 0 ? saved->agents[saved->agent_count - 1].serial : 0))
    return "a number is out of range";
  agent->navmesh = (int)navmesh;
  agent->pace = (lw_pace)pace;
  agent->walking = facts & LWI_AGENT_WALKS;
  agent->has_unnamed_tree = facts & LWI_AGENT_HAS_UNNAMED_TREE;
  saved->agent_count += 1;
  return NULL;
}

static const char *read_agents(lw_saved *saved, lwi_reader *from) {
  uint32_t count = lwi_get_u32(from);
  const char *wrong = NULL;
  for (uint32_t i = 0; i < count && !from->failed && !wrong; i++) wrong = read_agent(saved, from);
  return wrong;
}

static const char *read_run(lw_saved *saved, lwi_reader *from) {
  saved->run.seed = lwi_get_u64(from);
  uint32_t any_stale = lwi_get_u32(from);
  saved->run.stale_turn = lwi_get_u64(from);
  saved->run.stale_rest = lwi_get_u32(from);
  saved->run.any_stale = any_stale == 1;
  saved->run.is_there = true;
  return any_stale <= 1 && saved->run.stale_turn <= saved->clock.spawned &&
                 saved->run.stale_rest <= LWI_REST_MAX
             ? NULL
             : "a number is out of range";
}

static const char *read_caller(lw_saved *saved, lwi_reader *from) {
  const size_t size = (size_t)(from->end - from->at);
  if (size > INT32_MAX) return "they are too long";
  saved->caller.data = lwi_alloc(&saved->memory, size);
  if (!saved->caller.data && size > 0) return "";
  saved->caller.size = (int)size;
  if (size > 0) memcpy(saved->caller.data, lwi_get_block(from, size), size);
  return NULL;
}

/* In this order in the file: the later ones speak of what the earlier ones say. */
static const struct {
  const char *name, *about;
  const char *(*read)(lw_saved *saved, lwi_reader *from);
} sections[] = {{LWI_SAVED_NAVMESHES, "navmeshes", read_navmeshes},
                {LWI_SAVED_CLOCK, "clock", read_clock},
                {LWI_SAVED_DANGERS, "dangers", lwi_saved_read_dangers},
                {LWI_SAVED_LANES, "fire lanes", lwi_saved_read_lanes},
                {LWI_SAVED_VISIBILITY, "visibility", read_visibility},
                {LWI_SAVED_AGENTS, "agents", read_agents},
                {LWI_SAVED_RUN, "run", read_run},
                {LWI_SAVED_AREAS, "areas", lwi_saved_read_areas},
                {LWI_SAVED_THREATS, "threats", lwi_saved_read_threats},
                {LWI_SAVED_LINKS, "links", lwi_saved_read_links},
                {LWI_SAVED_PERMUTATIONS, "permutations", lwi_saved_read_permutations},
                {LWI_SAVED_OBSTACLES, "obstacles", lwi_saved_read_obstacles},
                {LWI_SAVED_CROWD, "bottlenecks", lwi_saved_read_crowd},
                {LWI_SAVED_GROUPS, "groups", lwi_saved_read_groups},
                {LWI_SAVED_PLANNER, "planner", lwi_saved_read_planner},
                {LWI_SAVED_WALKS, "walks", lwi_saved_read_walks},
                {LWI_SAVED_DEPTH_CACHES, "depth caches", lwi_saved_read_depth_caches},
                {LWI_SAVED_ASKS, "queries since the last step", lwi_saved_read_asks},
                {LWI_SAVED_TILES, "tiles", lwi_saved_read_tiles},
                {LWI_SAVED_SENSES, "senses", lwi_saved_read_senses},
                {LWI_SAVED_TREES, "trees", lwi_saved_read_trees},
                {LWI_SAVED_BOARDS, "blackboards", lwi_saved_read_boards},
                {LWI_SAVED_CALLER, "data of the caller", read_caller}};
#define SECTIONS ((int)(sizeof sections / sizeof *sections))

/* @param[in, out] last  The section before it, in the list above; -1: none. */
static lw_status read_section(lw_saved *saved, lwi_reader *file, bool *seen, int *last, const char *name,
                              lw_error *error) {
  char tag[9] = {0};
  for (int i = 0; i < 8; i++) tag[i] = (char)lwi_get(file, 1);
  uint64_t size = lwi_get_u64(file);
  if (file->failed || size > (uint64_t)(file->end - file->at))
    return lwi_fail(error, LW_BAD_FILE, "'%s' is damaged: a section is cut short", name);
  lwi_reader from = {file->at, file->at + size, false};
  file->at += size;
  int which = 0;
  while (which < SECTIONS && strcmp(sections[which].name, tag) != 0) which += 1;
  if (which == SECTIONS)
    return lwi_fail(error, LW_BAD_FILE, "'%s' has a section '%s', which this build does not know", name, tag);
  if (seen[which])
    return lwi_fail(error, LW_BAD_FILE, "'%s' is damaged: it has two of its %s", name, sections[which].about);
  if (which < *last)
    return lwi_fail(error, LW_BAD_FILE, "'%s' is damaged: its %s come too late", name, sections[which].about);
  seen[which] = true;
  *last = which;
  const char *wrong = sections[which].read(saved, &from);
  if (!wrong && (from.failed || from.at != from.end)) wrong = "they are cut short or too long";
  if (!wrong) return LW_OK;
  if (!*wrong) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  return lwi_fail(error, LW_BAD_FILE, "'%s' is damaged: its %s: %s", name, sections[which].about, wrong);
}

static lw_status read_file(lw_saved *saved, const unsigned char *data, size_t size, const char *name,
                           lw_error *error) {
  if (size < 8 || memcmp(data, LWI_SAVED_MAGIC, 8) != 0) /* an empty file has no data */
    return lwi_fail(error, LW_BAD_FILE, "'%s' is not a world that leeward saved", name);
  lwi_reader file = {data + 8, data + size, false};
  uint32_t version = lwi_get_u32(&file), count = lwi_get_u32(&file);
  uint64_t whole = lwi_get_u64(&file), hash = lwi_get_u64(&file);
  if (file.failed) return lwi_fail(error, LW_BAD_FILE, "'%s' is cut short", name);
  if (version != LWI_SAVED_VERSION)
    return lwi_fail(error, LW_BAD_FILE, "'%s' has version %u; this build reads version %u", name, version,
                    LWI_SAVED_VERSION);
  if (whole != size)
    return lwi_fail(error, LW_BAD_FILE, "'%s' is %s: %llu bytes instead of %llu", name,
                    size < whole ? "cut short" : "too long", (unsigned long long)size,
                    (unsigned long long)whole);
  if (lwi_hash(LWI_HASH_SEED, file.at, (size_t)(file.end - file.at)) != hash)
    return lwi_fail(error, LW_BAD_FILE, "'%s' is damaged: it does not match its checksum", name);
  bool seen[SECTIONS] = {false};
  int last = -1;
  lw_status status = LW_OK;
  for (uint32_t i = 0; i < count && status == LW_OK; i++)
    status = read_section(saved, &file, seen, &last, name, error);
  if (status != LW_OK) return status;
  if (file.at != file.end || !seen[0] || !seen[1])
    return lwi_fail(error, LW_BAD_FILE, "'%s' is damaged: it has too few sections, or too many", name);
  return LW_OK;
}

lw_status lw_saved_open(const char *name, const lw_allocator *allocator, lw_saved **out, lw_error *error) {
  if (!out) return lwi_fail_null(error, "saved");
  *out = NULL;
  if (!name) return lwi_fail_null(error, "file");
  lwi_memory memory = lwi_memory_make(allocator);
  lw_saved *saved = lwi_alloc_zero(&memory, sizeof *saved);
  if (!saved) return lwi_fail_status(error, LW_OUT_OF_MEMORY);
  saved->memory = memory;
  saved->visibility.all = 1;
  unsigned char *data = NULL;
  size_t size = 0;
  lw_status status = lwi_file_read(name, &saved->memory, &data, &size, error);
  if (status == LW_OK) status = read_file(saved, data, size, name, error);
  lwi_free(&saved->memory, data, size);
  if (status == LW_OK)
    *out = saved;
  else
    lw_saved_destroy(saved);
  return status;
}

void lw_saved_destroy(lw_saved *saved) {
  if (!saved) return;
  lwi_memory memory = saved->memory;
  lwi_free(&memory, saved->visibility.teams,
           (size_t)saved->visibility.team_capacity * sizeof *saved->visibility.teams);
  lwi_free(&memory, saved->asks.items, (size_t)saved->asks.capacity * sizeof *saved->asks.items);
  lwi_saved_boards_free(saved);
  lwi_saved_trees_free(saved);
  lwi_free(&memory, saved->caller.data, (size_t)saved->caller.size);
  lwi_saved_walks_free(saved);
  lwi_saved_crowd_free(saved);
  lwi_saved_groups_free(saved);
  lwi_saved_plan_free(saved);
  lwi_saved_ids_free(saved);
  lwi_saved_obstacles_free(saved);
  lwi_saved_links_free(saved);
  lwi_saved_tiles_free(saved);
  lwi_free(&memory, saved->agents, (size_t)saved->agent_capacity * sizeof *saved->agents);
  lwi_free(&memory, saved, sizeof *saved);
}

int lw_saved_agent_count(const lw_saved *saved) {
  return saved ? saved->agent_count : 0;
}

lw_status lw_saved_get_agent(const lw_saved *saved, int index, lw_saved_agent *agent) {
  if (agent) *agent = (lw_saved_agent){0};
  if (!saved || !agent) return LW_INVALID;
  if (index < 0 || index >= saved->agent_count) return LW_NOT_FOUND;
  const lwi_saved_agent *from = &saved->agents[index];
  *agent = (lw_saved_agent){from->profile,
                            from->tree,
                            from->team,
                            from->stance,
                            from->at,
                            from->navmesh,
                            from->pace,
                            from->user,
                            from->walking,
                            from->goal,
                            from->has_unnamed_tree,
                            index < saved->walk_count ? saved->walks[index].journey_name : ""};
  return LW_OK;
}

const void *lw_saved_data(const lw_saved *saved, size_t *size) {
  if (size) *size = saved ? (size_t)saved->caller.size : 0;
  return saved && saved->caller.size > 0 ? saved->caller.data : NULL;
}

/* --- giving it to a world --------------------------------------------------------------------------------- */

static bool fits(const lw_world *world, const lw_saved *saved) {
  if (saved->navmesh_count != world->scene.nav_count) return false;
  for (int i = 0; i < saved->agent_count; i++)
    if (saved->agents[i].navmesh >= world->scene.nav_count) return false;
  return true;
}

/* Put what was saved in place of what the world has, all but agents. @return false: no memory. */
static bool restore(lw_world *world, const lw_saved *saved) {
  while (world->agents.ids.count > 0) lw_agent_despawn(world, lwi_last_agent(world)->id);
  bool good = lwi_saved_restore_threats(world, saved);
  good = lwi_saved_restore_links(world, saved) && good;
  good = lwi_saved_restore_obstacles(world, saved) && good;
  good = lwi_saved_restore_depth_caches(world, saved) && good;
  good = lwi_saved_restore_crowd(world, saved) && good;
  good = lwi_saved_restore_groups(world, saved) && good;
  lwi_saved_restore_turn(world, saved);
  if (saved->run.is_there) world->def.seed = saved->run.seed;
  world->planner.any_stale = saved->run.any_stale;
  world->reconsider = INFINITY;
  world->planner.stale_turn = lw_agent_id_none();
  world->planner.stale_until = saved->clock.steps + saved->run.stale_rest;
  world->time = saved->clock.time;
  world->steps = world->restored = saved->clock.steps;
  world->spawned = saved->clock.spawned;
  world->random = saved->clock.random;
  lwi_saved_restore_plan(world, saved);
  world->scene.visibility = saved->visibility.all;
  lwi_scene_clear_teams(&world->scene);
  for (int i = 0; i < saved->visibility.team_count && good; i++)
    good = lw_world_set_visibility(world, saved->visibility.teams[i].name,
                                   saved->visibility.teams[i].visibility) == LW_OK;
  good = good && lwi_saved_restore_regions(world, saved);
  return good;
}

/* The navmeshes that the world has with the permutations of the file, and whether some is another one than now. */
static lw_status find_navmeshes(lw_world *world, const lw_navmesh **to, bool *differ, lw_error *error) {
  lw_status status = LW_OK;
  *differ = false;
  for (int i = 0; i < world->scene.nav_count && status == LW_OK; i++) {
    const lwi_nav *nav = &world->scene.navs[i];
    status = lwi_tiles_compose(world, i, nav->own, &to[i], error);
    *differ |= to[i] != nav->base;
  }
  if (status == LW_OK || status == LW_OUT_OF_MEMORY) return status;
  lw_error wrong = *error;
  return lwi_fail(error, LW_BAD_FILE, "the tiles of its permutations: %s", wrong.text);
}

/* What waits belongs to the run that is left. */
static void drop_waiting(lw_world *world) {
  for (int i = 0; i < world->scene.nav_count; i++) world->scene.navs[i].next = NULL;
}

/* Let the world have the tiles of the file's permutations. */
static lw_status take_navmeshes(lw_world *world, const lw_saved *saved, lw_error *error) {
  const lw_navmesh *to[LW_NAVMESHES_MAX] = {NULL};
  bool differ;
  if (!world->permutations.has_tiles) {
    for (int i = 0; i < world->scene.nav_count; i++) to[i] = world->scene.navs[i].base;
    return lwi_saved_tiles_fit(saved, to, error);
  }
  world->permutations.loading = saved->permutations.items;
  world->permutations.loading_count = saved->permutations.count;
  lw_status status = find_navmeshes(world, to, &differ, error);
  if (status == LW_OK) status = lwi_saved_tiles_fit(saved, to, error);
  if (status == LW_OK && differ) {
    drop_waiting(world);
    world->permutations.tiles_pending = true;
    if (!lwi_world_apply(world)) status = lwi_fail_status(error, LW_OUT_OF_MEMORY);
    world->permutations.tiles_pending = true; /* as long as the states are not those of the file */
  }
  world->permutations.loading = NULL;
  world->permutations.loading_count = 0;
  return status;
}

/* Tiles of a permutation that is defined later may be what does not fit; the file does not say whether it has any. */
static lw_status hint(const lw_world *world, const lw_saved *saved, lw_status status, lw_error *error) {
  for (int i = 0; i < saved->permutations.count && status == LW_BAD_FILE; i++) {
    const char *name = saved->permutations.items[i].name;
    char shown[LW_PERMUTATION_NAME_MAX + 1];
    if (lw_permutation_state_count(world, name) > 0) continue;
    const lw_error wrong = *error;
    lwi_text_show(shown, sizeof shown, name);
    return lwi_fail(error, status,
                    "%s; the permutation '%s' of the file is not defined: if it has tiles, define it first",
                    wrong.text, shown);
  }
  return status;
}

lw_status lw_world_restore(lw_world *world, const lw_saved *saved, lw_error *error) {
  if (!world) return lwi_fail_null(error, "world");
  if (!saved) return lwi_fail_null(error, "saved");
  if (lwi_world_is_busy(world))
    return lwi_fail(error, LW_INVALID, "world is inside a step or a leaf, expected a call between steps");
  if (!fits(world, saved))
    return lwi_fail(error, LW_BAD_FILE, "it was saved over other navmeshes than the world's");
  lw_status status = take_navmeshes(world, saved, error);
  if (status != LW_OK) return error ? hint(world, saved, status, error) : status;
  drop_waiting(world);
  world->permutations.tiles_pending = false;
  lwi_world_enter(world);
  const bool good = restore(world, saved);
  if (good) lwi_world_permutations_log_lost(world, saved->permutations.items, saved->permutations.count);
  if (!lwi_world_leave(world)) return lwi_fail(error, LW_STALE, "a leaf destroyed the world");
  return good ? LW_OK : lwi_fail_status(error, LW_OUT_OF_MEMORY);
}

lw_status lw_agent_restore(lw_world *world, lw_agent_id id, const lw_saved *saved, int index) {
  return lw_agent_restore_journey(world, id, saved, index, NULL);
}

lw_status lw_agent_restore_journey(lw_world *world, lw_agent_id id, const lw_saved *saved, int index,
                                   const lw_profile *journey) {
  if (!world || !saved) return LW_INVALID;
  lwi_agent *agent = lwi_world_agent(world, id);
  if (!agent) return LW_STALE;
  if (index < 0 || index >= saved->agent_count) return LW_NOT_FOUND;
  const lwi_saved_agent *from = &saved->agents[index];
  world->spawned = saved->clock.spawned; /* its spawning is no new one */
  lwi_agent_set_serial(world, agent, from->serial);
  if (saved->run.stale_turn == from->serial) world->planner.stale_turn = id;
  agent->heading = from->heading;
  agent->random = from->random;
  agent->user = from->user;
  agent->color = from->color;
  agent->pace = from->pace;
  int stance = lw_profile_find_stance(agent->profile, from->stance);
  if (stance >= 0) agent->stance = stance;
  if (!lwi_saved_restore_senses(world, agent, saved, index)) return LW_OUT_OF_MEMORY;
  const lw_status status = lwi_saved_walk_on(world, agent, saved, index, journey);
  lwi_agent_pose_reset(agent, &world->agents.poses);
  return status;
}
