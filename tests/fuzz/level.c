#include "level.h"

#include "fuzz.h"

#include <math.h>
#include <string.h>

static void add_box(lw_geometry *geometry, lw_vec3 at, lw_vec3 size, const char *area) {
  const lw_geometry_box box = {
      .at = at, .size = size, .area = area ? lw_area_table_find(fuzz_areas(), area) : LW_AREA_NONE};
  lw_error error = {0};
  if (lw_geometry_add_box(geometry, &box, &error) != LW_OK) fuzz_fail("level: %s", error.text);
}

static void mark_box(lw_geometry *geometry, lw_vec3 at, lw_vec3 size, const char *area) {
  lw_mark_def mark = lw_mark_def_default(LW_MARK_BOX);
  mark.at = at;
  mark.size = size;
  mark.area = lw_area_table_find(fuzz_areas(), area);
  if (lw_geometry_mark_area(geometry, &mark, NULL) != LW_OK) fuzz_fail("level: no mark");
}

static void add_link(lw_geometry *geometry, lw_link_kind kind, lw_vec3 from, lw_vec3 to) {
  lw_link_def link = lw_link_def_default();
  link.kind = kind;
  link.from = from;
  link.to = to;
  link.radius = 2;
  link.bidirectional = kind != LW_LINK_DROP;
  if (lw_geometry_add_link(geometry, &link, NULL) != LW_OK) fuzz_fail("level: no link");
}

static lw_navmesh *bake(bool changed) {
  lw_geometry *geometry = NULL;
  if (lw_geometry_create(fuzz_areas(), NULL, &geometry) != LW_OK) fuzz_fail("level: no geometry");
  add_box(geometry, (lw_vec3){9, -1, 7}, (lw_vec3){18, 1, 14}, "ground");
  add_box(geometry, (lw_vec3){6, 0, 4}, (lw_vec3){0.4f, 3, 6}, NULL);
  add_box(geometry, (lw_vec3){10, 0, 9}, (lw_vec3){2, 1.1f, 1}, NULL);
  add_box(geometry, (lw_vec3){15, 0, 3}, (lw_vec3){4, 1.5f, 4}, "grass");
  mark_box(geometry, (lw_vec3){9, -0.5f, 12}, (lw_vec3){18, 1, 2}, "road");
  mark_box(geometry, (lw_vec3){3, -0.5f, 9}, (lw_vec3){2, 1, 2}, "deep_water");
  mark_box(geometry, (lw_vec3){12, -0.5f, 6}, (lw_vec3){2, 1, 2}, "unsafe");
  add_link(geometry, LW_LINK_LADDER, (lw_vec3){12, 0, 3}, (lw_vec3){14, 1.5f, 3});
  add_link(geometry, LW_LINK_DROP, (lw_vec3){15, 1.5f, 4}, (lw_vec3){15, 0, 6.5f});
  lw_mark_def fine = lw_mark_def_default(LW_MARK_BOX);
  fine.at = (lw_vec3){6, -0.5f, 4};
  fine.size = (lw_vec3){5, 1, 5};
  if (lw_geometry_mark_detail(geometry, &fine, 1.5f, NULL) != LW_OK) fuzz_fail("level: no mark for detail");
  if (changed) add_box(geometry, (lw_vec3){14, 0, 11}, (lw_vec3){0.5f, 2, 5}, NULL);
  if (!changed) add_link(geometry, LW_LINK_TELEPORT, (lw_vec3){1, 0, 1}, (lw_vec3){17, 0, 13});
  lw_bake_settings settings = lw_bake_settings_default();
  settings.cell_size = 0.25f;
  settings.tile_size = 8;
  settings.visibility_table_range = 20;
  settings.cover.map = true;
  settings.cover.criteria.distance = 0.5f;
  settings.threads = 1;
  lw_navmesh *navmesh = NULL;
  lw_error error = {0};
  if (lw_navmesh_bake(geometry, &settings, &navmesh, NULL, &error) != LW_OK) fuzz_fail("level: %s", error.text);
  lw_geometry_destroy(geometry);
  return navmesh;
}

static lw_navmesh *create(void) {
  static const lw_vec3 vertices[] = {{20, 0, 2}, {26, 0, 2}, {26, 0, 6}, {20, 0, 6}, {26, 1, 12}, {20, 1, 12}};
  static const int corners[] = {0, 1, 2, 3, 3, 2, 4, 5}, counts[] = {4, 4};
  lw_navmesh_def def = lw_navmesh_def_default();
  def.areas = fuzz_areas();
  def.vertices = vertices;
  def.vertex_count = 6;
  def.corners = corners;
  def.corner_counts = counts;
  def.polygon_count = 2;
  lw_navmesh *navmesh = NULL;
  lw_error error = {0};
  if (lw_navmesh_create(&def, &navmesh, &error) != LW_OK) fuzz_fail("level: %s", error.text);
  return navmesh;
}

static lw_profile_def profile_def(int i) {
  static const char *const names[LEVEL_PROFILES] = {"human", "shy", "swimmer", "wide", "walker"};
  lw_profile_def def = lw_profile_def_default();
  def.name = names[i];
  if (i == 1) def.cover_bias = 5, def.danger_cost = 20, def.exposure_factor = 1, def.safety_bias = 2;
  if (i == 2) def.can_swim = true, def.swim_resistance_factor = 3, def.resistance_factor[0] = 4;
  if (i == 3) def.radius = 1, def.cover_bias = 2, def.body.turn_radius = 2;
  if (i == 4) def.avoid[lw_area_table_find(fuzz_areas(), "road")] = true, def.danger_cost = 1e6f;
  if (i == 4) def.can_traverse[LW_WAYPOINT] = false, def.can_take[LW_LINK_LADDER] = false;
  return def;
}

static lw_tree *tree(int i) {
  static const char *const keys[] = {"key", "team.key", "world.key", "event.key"};
  static const lw_node_def nodes[] = {
      {.kind = LW_SELECTOR, .child_count = 3},
      {.kind = LW_SEQUENCE, .child_count = 2},
      {.kind = LW_LEAF, .leaf = 0},
      {.kind = LW_LEAF, .leaf = 1},
      {.kind = LW_LEAF, .leaf = 2},
      {.kind = LW_WAIT, .wait_min = 0.1f, .wait_max = 0.5f},
      {.kind = LW_SELECTOR, .child_count = 5, .reactive = true},
      {.kind = LW_CONDITION, .child_count = 1, .keys = keys, .key_count = 2},
      {.kind = LW_TIMEOUT, .child_count = 1, .seconds = 0.3f},
      {.kind = LW_LEAF, .leaf = 0},
      {.kind = LW_COOLDOWN, .child_count = 1, .seconds = 0.2f},
      {.kind = LW_CONDITION, .child_count = 1, .keys = keys + 3, .key_count = 1},
      {.kind = LW_LEAF, .leaf = 1},
      {.kind = LW_CONDITION, .keys = keys + 2, .key_count = 1},
      {.kind = LW_PARALLEL, .child_count = 2, .count = 1},
      {.kind = LW_SERVICE, .child_count = 1, .seconds = 0.1f, .leaf = 2},
      {.kind = LW_LEAF, .leaf = 2},
      {.kind = LW_LEAF, .leaf = 3},
      {.kind = LW_UTILITY, .child_count = 2, .seconds = 0.4f},
      {.kind = LW_LEAF, .leaf = 0, .score = "key"},
      {.kind = LW_WAIT, .wait_min = 1, .wait_max = 1, .score = "world.key"}};
  static const struct {
    const char *name;
    int first, count;
  } trees[LEVEL_TREES] = {{"leaf", 2, 1}, {"pair", 1, 3}, {"whole", 0, 6}, {"watch", 6, 15}};
  const lw_tree_def def = {
      .name = trees[i].name, .nodes = nodes + trees[i].first, .node_count = trees[i].count};
  lw_tree *made = NULL;
  lw_error error = {0};
  if (lw_tree_create(&def, &made, &error) != LW_OK) fuzz_fail("level: %s", error.text);
  return made;
}

static void fill(fuzz_level *level) {
  level->meshes[0] = bake(false);
  level->changed = bake(true);
  level->meshes[1] = create();
  for (int i = 0; i < LEVEL_PROFILES; i++) {
    const lw_profile_def def = profile_def(i);
    lw_error error = {0};
    if (lw_profile_create(&def, fuzz_areas(), &level->profiles[i], &error) != LW_OK)
      fuzz_fail("level: %s", error.text);
  }
  for (int i = 0; i < LEVEL_TREES; i++) level->trees[i] = tree(i);
  level->link = lw_link_def_default();
  level->link.from = (lw_vec3){17, 0, 6};
  level->link.to = (lw_vec3){20.5f, 0, 4};
  level->link.bidirectional = true;
}

const fuzz_level *fuzz_level_get(void) {
  static fuzz_level level;
  if (!level.meshes[0]) fill(&level);
  return &level;
}

const lw_profile *fuzz_level_profile(const char *name) {
  const fuzz_level *level = fuzz_level_get();
  for (int i = 0; i < LEVEL_PROFILES; i++)
    if (strcmp(lw_profile_get_def(level->profiles[i])->name, name) == 0) return level->profiles[i];
  return level->profiles[0];
}

static void drop_message(void *user, lw_log_level level, const char *message) {
  (void)user, (void)level, (void)message;
}

lw_world_def fuzz_level_world(void) {
  const fuzz_level *level = fuzz_level_get();
  lw_world_def def = lw_world_def_default();
  def.navmeshes = (const lw_navmesh *const *)level->meshes;
  def.navmesh_count = 2;
  def.links = &level->link;
  def.link_count = 1;
  def.logger.write = drop_message;
  return def;
}

void fuzz_level_restore_agents(lw_world *world, const lw_saved *saved) {
  for (int i = 0; i < lw_saved_agent_count(saved); i++) {
    lw_saved_agent from;
    lw_agent_def def = lw_agent_def_default();
    lw_agent_id agent;
    lw_saved_get_agent(saved, i, &from);
    def.profile = fuzz_level_profile(from.profile);
    def.at = from.at;
    def.navmesh = from.navmesh;
    def.team = from.team;
    const lw_profile *journey = from.journey[0] ? fuzz_level_profile(from.journey) : NULL;
    if (lw_agent_spawn(world, &def, &agent, NULL) == LW_OK)
      lw_agent_restore_journey(world, agent, saved, i, journey);
  }
  lw_world_restore_trees(world, saved, NULL);
}
