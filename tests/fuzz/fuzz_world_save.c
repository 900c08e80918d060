/* A saved world with any contents is refused with a reason, or continues: it steps and answers, and saved again it is the
   same world. Checksums and the navmeshes' numbers are repaired first, so that it is the checks behind them that are
   tried. */
#include "fuzz.h"
#include "level.h"
#include "memory_files.h"

#include "core/hash.h"
#include "core/random.h"
#include "mesh/mesh.h"
#include "save/saved.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEPS 3

static lw_world *make_world(void) {
  lw_world_def def = fuzz_level_world();
  lw_world *world = NULL;
  def.death_danger.value = 1;
  def.depth_maps = 2;
  if (lw_world_create(&def, &world, NULL) != LW_OK) fuzz_fail("no world");
  return world;
}

/* --- inputs to begin with ------------------------------------------------------------------------------------------ */

static lw_vec3 some_place(lw_random *random) {
  return (lw_vec3){LEVEL_WIDTH * lwi_random_unit(random), 0, LEVEL_DEPTH * lwi_random_unit(random)};
}

static void add_agent(lw_world *world, lw_random *random) {
  const fuzz_level *level = fuzz_level_get();
  lw_agent_def def = lw_agent_def_default();
  lw_agent_id agent;
  def.profile = level->profiles[fuzz_below(random, LEVEL_PROFILES)];
  def.at = some_place(random);
  def.team = fuzz_below(random, 2) ? "red" : NULL;
  if (lw_agent_spawn(world, &def, &agent, NULL) != LW_OK) return;
  lw_agent_move_to(world, agent, some_place(random), 0.5f);
  lw_agent_reserve_cover(world, agent, some_place(random), 3);
  lw_threat own = lw_threat_default();
  own.at = some_place(random);
  if (fuzz_below(random, 2)) lw_agent_set_threats(world, agent, &own, 1);
  lw_threat_def eye = lw_threat_def_default();
  lw_threat_id threat;
  eye.agent = agent;
  eye.known_to = fuzz_below(random, 2) ? "blue" : "red";
  if (fuzz_below(random, 2)) lw_threat_add(world, &eye, &threat, NULL);
}

static void add_regions(lw_world *world, lw_random *random) {
  lw_threat_def threat = lw_threat_def_default();
  lw_danger_def danger = lw_danger_def_default();
  lw_fire_lane_def lane = lw_fire_lane_def_default();
  lw_threat_id threat_id;
  lw_danger_id danger_id;
  lw_fire_lane_id lane_id;
  threat.threat.at = some_place(random);
  threat.threat.at.y = 1.6f;
  threat.known_to = "";
  lw_threat_add(world, &threat, &threat_id, NULL);
  danger.at = some_place(random);
  danger.half_life = 5;
  lw_danger_add(world, &danger, &danger_id, NULL);
  if (fuzz_below(random, 2)) lw_danger_remove(world, danger_id);
  lw_obstacle_def obstacle = lw_obstacle_def_default();
  lw_obstacle_id obstacle_id;
  obstacle.at = some_place(random);
  obstacle.size = lwi_vec3(2, 2, 1);
  obstacle.shape = (lw_obstacle_shape)fuzz_below(random, 2);
  if (fuzz_below(random, 2)) obstacle.carrier = lw_agent_next(world, lw_agent_id_none());
  lw_obstacle_add(world, &obstacle, &obstacle_id, NULL);
  if (fuzz_below(random, 4) == 0) lw_obstacle_remove(world, obstacle_id);
  lw_link_def link = lw_link_def_default();
  lw_link_id link_id;
  link.kind = (lw_link_kind)fuzz_below(random, LW_LINK_KIND_COUNT);
  link.from = some_place(random);
  link.to = some_place(random);
  link.length = 1;
  link.capacity = 1;
  link.name = fuzz_below(random, 2) ? "link" : NULL;
  if (lw_link_add(world, &link, &link_id, NULL) == LW_OK && fuzz_below(random, 3) == 0)
    lw_link_enable(world, link_id, false);
  if (fuzz_below(random, 5) == 0) lw_link_remove(world, link_id);
  lane.from = some_place(random);
  lane.to = some_place(random);
  lane.seconds = 3;
  lw_fire_lane_add(world, &lane, &lane_id, NULL);
}

/* A world after some steps, different for each stream. */
static size_t write_seed(uint8_t *data, size_t max_size, lw_random *random) {
  lw_world *world = make_world();
  for (uint32_t i = 1 + fuzz_below(random, 4); i > 0; i--) add_agent(world, random);
  for (uint32_t i = fuzz_below(random, 4); i > 0; i--) add_regions(world, random);
  lw_world_set_visibility(world, "red", 0.5f);
  for (uint32_t i = fuzz_below(random, 100); i > 0; i--) lw_world_step(world, 0.1f);
  lw_error error = {0};
  size_t size = 0;
  if (lw_world_save(world, "seed.lws", &error) != LW_OK) fuzz_fail("not saved: %s", error.text);
  const void *written = memory_file_get("seed.lws", &size);
  if (size <= max_size) memcpy(data, written, size);
  memory_files_clear();
  lw_world_destroy(world);
  return size <= max_size ? size : 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  lw_random random = lwi_random_make(seed, 0);
  if (size <= LWI_SAVED_HEAD || lwi_random_unit(&random) < 0.01f) return write_seed(data, max_size, &random);
  if (lwi_random_unit(&random) < 0.1f) return LLVMFuzzerMutate(data, size, max_size);
  for (uint32_t left = 1 + fuzz_below(&random, 4); left > 0; left--)
    fuzz_damage(data, LWI_SAVED_HEAD, size, &random);
  return size;
}

/* --- repairs ----------------------------------------------------------------------------------------------------- */

static void put(uint8_t *at, uint64_t value, int width) {
  for (int i = 0; i < width; i++) at[i] = (uint8_t)(value >> 8 * i);
}

static void repair_navmeshes(uint8_t *at, size_t size) {
  const fuzz_level *level = fuzz_level_get();
  for (size_t i = 0; i < 2 && 4 + 8 * (i + 1) <= size; i++)
    put(at + 4 + 8 * i, lwi_navmesh_identity(level->meshes[i]), 8);
}

static void repair(uint8_t *data, size_t size) {
  if (size < LWI_SAVED_HEAD) return;
  memcpy(data, LWI_SAVED_MAGIC, 8);
  put(data + 8, LWI_SAVED_VERSION, 4);
  put(data + 16, size, 8);
  uint64_t length;
  if (size >= LWI_SAVED_HEAD + 16) {
    memcpy(&length, data + LWI_SAVED_HEAD + 8, 8);
    const size_t begin = LWI_SAVED_HEAD + 16;
    if (length <= size - begin) repair_navmeshes(data + begin, (size_t)length);
  }
  put(data + 24, lwi_hash(LWI_HASH_SEED, data + LWI_SAVED_HEAD, size - LWI_SAVED_HEAD), 8);
}

/* --- what is loaded ---------------------------------------------------------------------------------------------- */

static void check_number(double number, const char *what) {
  if (isnan(number)) fuzz_fail("%s is not a number", what);
}

static void query_agent(lw_world *world, lw_agent_id agent) {
  lw_agent_state state;
  lw_agent_stats stats;
  lw_explanation *explanation;
  char why[64];
  if (lw_agent_get_state(world, agent, &state) != LW_OK) fuzz_fail("an agent is stale");
  if (lw_agent_get_stats(world, agent, &stats) != LW_OK) fuzz_fail("an agent is stale");
  check_number((double)state.position.x + (double)state.position.y + (double)state.position.z, "position");
  check_number((double)state.heading + (double)state.remaining, "heading");
  check_number(stats.walked, "walked");
  bool seen;
  lw_agent_why(world, agent, why, sizeof why);
  lw_agent_is_seen(world, NULL, agent, NULL, 0, &seen);
  if (lw_agent_explain(world, NULL, agent, &explanation) == LW_OK)
    lw_explanation_sentence(explanation, why, sizeof why);
  lw_explanation_destroy(explanation);
}

static void query_world(lw_world *world) {
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  query.from = (lw_vec3){1, 0, 2};
  query.to = (lw_vec3){25, 1, 11};
  query.profile = fuzz_level_profile("shy");
  lw_path_find(world, NULL, &query, &path);
  lw_path_destroy(path);
  for (lw_agent_id id = lw_agent_id_none(); !lw_agent_id_is_none(id = lw_agent_next(world, id));)
    query_agent(world, id);
  for (lw_threat_id id = lw_threat_id_none(); !lw_threat_id_is_none(id = lw_threat_next(world, id));) {
    lw_threat_state state;
    if (lw_threat_get_state(world, id, &state) != LW_OK) fuzz_fail("a threat is stale");
  }
  for (lw_danger_id id = lw_danger_id_none(); !lw_danger_id_is_none(id = lw_danger_next(world, id));) {
    lw_danger_state state;
    if (lw_danger_get_state(world, id, &state) != LW_OK) fuzz_fail("a danger is stale");
    check_number((double)state.value, "danger");
  }
}

/* @return A world that goes on from what was saved. NULL: it does not fit. */
static lw_world *restore(const lw_saved *saved) {
  lw_world *world = make_world();
  lw_error error = {0};
  if (lw_world_restore(world, saved, &error) != LW_OK) {
    if (!error.text[0]) fuzz_fail("refused without a reason");
    lw_world_destroy(world);
    return NULL;
  }
  fuzz_level_restore_agents(world, saved);
  return world;
}

static void check_same(lw_world *world, lw_world *other, const char *when) {
  if (lw_world_hash(world) != lw_world_hash(other)) fuzz_fail("saved and loaded, it is another world %s", when);
}

static void save_and_compare(lw_world *world) {
  lw_saved *saved = NULL;
  lw_error error = {0};
  if (lw_world_save(world, "again.lws", &error) != LW_OK) fuzz_fail("not saved again: %s", error.text);
  if (lw_saved_open("again.lws", NULL, &saved, &error) != LW_OK) fuzz_fail("saved, not loaded: %s", error.text);
  lw_world *other = restore(saved);
  if (!other) fuzz_fail("saved, not restored");
  check_same(world, other, "at once");
  for (int i = 0; i < STEPS; i++) {
    const lw_status status = lw_world_step(world, 0.1f);
    if (status != LW_OK) fuzz_fail("step: %s", lw_status_name(status));
    lw_world_step(other, 0.1f);
    check_same(world, other, "after a step");
  }
  lw_world_destroy(other);
  lw_saved_destroy(saved);
}

void fuzz_input(const uint8_t *data, size_t size) {
  uint8_t *copy = malloc(size + 1);
  if (!copy) abort();
  memcpy(copy, data, size);
  repair(copy, size);
  memory_file_set("input.lws", copy, size);
  lw_saved *saved = NULL;
  lw_error error = {0};
  lw_world *world = NULL;
  if (lw_saved_open("input.lws", NULL, &saved, &error) == LW_OK)
    world = restore(saved);
  else if (!error.text[0] || saved)
    fuzz_fail("refused without a reason");
  if (world) {
    save_and_compare(world);
    query_world(world);
  }
  lw_world_destroy(world);
  lw_saved_destroy(saved);
  memory_files_clear();
  free(copy);
}
