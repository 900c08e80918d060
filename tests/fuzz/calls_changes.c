/* Calls that change a world. */
#include "calls.h"

#include "core/vec3.h"

#include <stdlib.h>
#include <string.h>

static void spawn(calls *c, lw_world *world) {
  const fuzz_level *level = fuzz_level_get();
  lw_agent_def def = lw_agent_def_default();
  lw_agent_id agent;
  lw_error error = {0};
  memset(&agent, 0xAA, sizeof agent);
  const uint32_t kept = calls_below(c, CALLS_KEPT), tree = calls_below(c, LEVEL_TREES + 1);
  def.profile = calls_profile(c);
  def.at = calls_place(c);
  if (tree < LEVEL_TREES) def.tree = level->trees[tree];
  if (calls_flag(c)) {
    def.snap = calls_place(c);
    def.navmesh = calls_index(c, 2);
    def.pace = (lw_pace)calls_index(c, LW_PACE_COUNT);
    def.stance = calls_name(c);
    def.team = calls_name(c);
    def.cookie += calls_byte(c) == 255;
  }
  const lw_status status = lw_agent_spawn(world, calls_byte(c) == 255 ? NULL : &def, &agent, &error);
  calls_check("lw_agent_spawn", status, &agent, sizeof agent);
  if (status != LW_OK && !error.text[0]) fuzz_fail("lw_agent_spawn: no reason");
  if (status == LW_OK) c->agents[kept] = agent;
}

static void despawn(calls *c, lw_world *world) {
  calls_check("lw_agent_despawn", lw_agent_despawn(world, calls_agent(c)), NULL, 0);
}

static void kill(calls *c, lw_world *world) {
  calls_check("lw_agent_kill", lw_agent_kill(world, calls_agent(c)), NULL, 0);
}

static void move_to(calls *c, lw_world *world) {
  const lw_agent_id agent = calls_agent(c);
  const lw_vec3 goal = calls_place(c);
  calls_check("lw_agent_move_to", lw_agent_move_to(world, agent, goal, calls_number(c, 2)), NULL, 0);
}

static void move_with(calls *c, lw_world *world) {
  const lw_agent_id agent = calls_agent(c);
  const lw_vec3 goal = calls_place(c);
  lw_threat threats[2] = {calls_threat(c), calls_threat(c)};
  lw_move_options options = lw_move_options_default();
  options.within = calls_number(c, 2);
  options.profile = calls_profile(c);
  options.threats = threats;
  options.threat_count = (int)calls_below(c, 3);
  options.quality = (lw_quality)calls_index(c, LW_QUALITY_COUNT);
  options.path_style = (lw_path_style)calls_index(c, LW_PATH_STYLE_COUNT);
  options.pace = (lw_pace)calls_index(c, LW_PACE_COUNT + 1);
  options.cookie += calls_byte(c) == 255;
  calls_check("lw_agent_move_with",
              lw_agent_move_with(world, agent, goal, calls_byte(c) == 255 ? NULL : &options), NULL, 0);
}

/* Mostly of the level, sometimes NULL. */
static const lw_tree *draw_tree(calls *c) {
  const uint32_t which = calls_below(c, LEVEL_TREES + 1);
  return which < LEVEL_TREES ? fuzz_level_get()->trees[which] : NULL;
}

static void replace_tree(calls *c, lw_world *world, lw_agent_id agent) {
  int nodes[16] = {0};
  const lw_tree *tree = draw_tree(c), *from = lw_agent_tree(world, agent);
  const int count = lw_tree_node_count(tree);
  if (count > 16) fuzz_fail("replace_tree: a tree has %d nodes", count);
  if (from && tree) lw_tree_match(from, tree, nodes);
  if (count > 0 && calls_below(c, 4) == 0) nodes[calls_below(c, (uint32_t)count)] = calls_index(c, 4);
  calls_check("lw_agent_replace_tree", lw_agent_replace_tree(world, agent, tree, nodes), NULL, 0);
}

static void move_body(calls *c, lw_world *world, lw_agent_id agent) {
  lw_pose pose;
  if (calls_below(c, 4) == 0) {
    calls_check("lw_agent_end_external", lw_agent_end_external(world, agent), NULL, 0);
    return;
  }
  const lw_vec3 to = calls_place(c);
  calls_check("lw_agent_set_external", lw_agent_set_external(world, agent, to, calls_place(c)), NULL, 0);
  const float alpha = (float)calls_below(c, 5) / 3;
  calls_check("lw_agent_pose", lw_agent_pose(world, agent, alpha, &pose), NULL, 0);
  if (!isfinite(pose.position.x + pose.position.y + pose.position.z + pose.heading))
    fuzz_fail("a pose is nowhere");
  lw_whisker whiskers[LW_WHISKERS_MAX];
  const int count = lw_agent_whiskers(world, agent, whiskers);
  for (int i = 0; i < count; i++)
    if (!isfinite(whiskers[i].to.x + whiskers[i].to.y + whiskers[i].to.z + whiskers[i].seconds))
      fuzz_fail("a whisker leads nowhere");
}

static void command(calls *c, lw_world *world) {
  const lw_agent_id agent = calls_agent(c);
  switch (calls_below(c, 13)) {
  case 12: move_body(c, world, agent); break;
  case 11:
    calls_check("lw_agent_set_journey_profile", lw_agent_set_journey_profile(world, agent, calls_profile(c)),
                NULL, 0);
    break;
  case 10: calls_check("lw_world_set_history", lw_world_set_history(world, calls_index(c, 40)), NULL, 0); break;
  case 9: replace_tree(c, world, agent); break;
  case 6: calls_check("lw_agent_wake", lw_agent_wake(world, agent), NULL, 0); break;
  case 7: calls_check("lw_agent_set_tree", lw_agent_set_tree(world, agent, draw_tree(c)), NULL, 0); break;
  case 8:
    calls_check("lw_agent_note_failure", lw_agent_note_failure(world, agent, calls_index(c, 3), calls_name(c)),
                NULL, 0);
    break;
  case 0: calls_check("lw_agent_stop", lw_agent_stop(world, agent), NULL, 0); break;
  case 1:
    c->profile_set = true;
    calls_check("lw_agent_set_profile", lw_agent_set_profile(world, agent, calls_profile(c)), NULL, 0);
    break;
  case 2:
    calls_check("lw_agent_set_pace", lw_agent_set_pace(world, agent, (lw_pace)calls_index(c, 3)), NULL, 0);
    break;
  case 3: calls_check("lw_agent_set_stance", lw_agent_set_stance(world, agent, calls_name(c)), NULL, 0); break;
  case 4: calls_check("lw_agent_set_reason", lw_agent_set_reason(world, agent, calls_name(c)), NULL, 0); break;
  default: calls_check("lw_agent_release_cover", lw_agent_release_cover(world, agent), NULL, 0);
  }
}

static lw_senses draw_senses(calls *c) {
  lw_senses senses = lw_senses_default();
  senses.sight.range = calls_number(c, 30);
  senses.sight.half_angle = calls_number(c, 3);
  senses.sight.notice = calls_number(c, 1);
  senses.sight.friends = calls_flag(c);
  senses.hearing.range = calls_number(c, 30);
  senses.memory = calls_number(c, 5);
  return senses;
}

static void sense(calls *c, lw_world *world) {
  const lw_agent_id agent = calls_agent(c);
  const lw_senses senses = draw_senses(c);
  lw_noise noise = lw_noise_default();
  lw_error error = {.text = ""};
  lw_perceived known[2];
  switch (calls_below(c, 4)) {
  case 0:
    calls_check("lw_agent_set_senses",
                lw_agent_set_senses(world, agent, calls_flag(c) ? &senses : NULL, &error), NULL, 0);
    break;
  case 1:
    noise.at = calls_place(c);
    noise.loudness = calls_number(c, 20);
    noise.team = calls_flag(c) ? calls_name(c) : NULL;
    calls_check("lw_world_noise", lw_world_noise(world, &noise, NULL, &error), NULL, 0);
    break;
  case 2: calls_check("lw_agent_forget", lw_agent_forget(world, agent, calls_agent(c)), NULL, 0); break;
  default: calls_check("lw_agent_set_heading", lw_agent_set_heading(world, agent, calls_number(c, 9)), NULL, 0);
  }
  lw_agent_get_perceived(world, agent, known, 2);
}

static lw_value draw_value(calls *c) {
  lw_value value = {.kind = (lw_value_kind)calls_index(c, LW_VALUE_OBJECT + 1)};
  switch (value.kind) {
  case LW_VALUE_BOOLEAN: value.as.boolean = calls_flag(c); break;
  case LW_VALUE_NUMBER: value.as.number = (double)calls_number(c, 9); break;
  case LW_VALUE_STRING: value.as.string = calls_name(c); break;
  case LW_VALUE_VEC3: value.as.vec3 = calls_place(c); break;
  case LW_VALUE_AGENT: value.as.agent = calls_agent(c); break;
  default: value.as.object = calls_byte(c);
  }
  return value;
}

/* Keys of all scopes: what the trees of the level read, and others. */
static void set_value(calls *c, lw_world *world) {
  static const char *const keys[] = {"key", "team.key", "world.key", "event.key", "team.", ""};
  const lw_agent_id agent = calls_agent(c);
  const char *key = calls_flag(c) ? keys[calls_below(c, 6)] : calls_name(c);
  const lw_value value = draw_value(c);
  const lw_value *given = calls_flag(c) ? &value : NULL;
  switch (calls_below(c, 5)) {
  case 0: calls_check("lw_agent_set_value", lw_agent_set_value(world, agent, key, given), NULL, 0); break;
  case 1: calls_check("lw_team_set_value", lw_team_set_value(world, calls_name(c), key, given), NULL, 0); break;
  case 2: calls_check("lw_world_set_value", lw_world_set_value(world, key, given), NULL, 0); break;
  case 3: calls_check("lw_agent_send", lw_agent_send(world, agent, key, given), NULL, 0); break;
  default: calls_check("lw_world_emit", lw_world_emit(world, key, given), NULL, 0);
  }
  lw_agent_get_value(world, agent, key);
  lw_team_get_value(world, calls_name(c), key);
  lw_world_get_value(world, key);
}

static void look_around(calls *c, lw_world *world) {
  lw_agents_query query = lw_agents_query_default();
  query.at = calls_place(c);
  query.radius = calls_number(c, 50);
  if (calls_flag(c)) query.team = calls_name(c);
  if (calls_flag(c)) query.profile = calls_profile(c);
  query.except = calls_agent(c);
  lw_agent_id agents[CALLS_KEPT];
  const int found = lw_agents_around(world, &query, agents, CALLS_KEPT);
  lw_agent_state state;
  for (int i = 0; i < found && i < CALLS_KEPT; i++)
    if (lw_agent_get_state(world, agents[i], &state) != LW_OK) abort();
  lw_agent_sees(world, calls_agent(c), query.except);
  lw_agent_is_seen_from(world, query.except, calls_place(c), calls_flag(c));
}

static void reserve(calls *c, lw_world *world) {
  const lw_agent_id agent = calls_agent(c);
  const lw_vec3 at = calls_place(c);
  calls_check("lw_agent_reserve_cover", lw_agent_reserve_cover(world, agent, at, calls_number(c, 5)), NULL, 0);
  lw_vec3 reserved;
  float leash;
  memset(&reserved, 0xAA, sizeof reserved);
  lw_agent_lost_cover(world, agent);
  const lw_status status = lw_agent_get_cover(world, agent, &reserved, &leash);
  calls_check("lw_agent_get_cover", status, &reserved, sizeof reserved);
}

static void add_threat(calls *c, lw_world *world) {
  lw_threat_def def = lw_threat_def_default();
  lw_threat_id threat;
  memset(&threat, 0xAA, sizeof threat);
  const uint32_t kept = calls_below(c, CALLS_KEPT);
  def.threat = calls_threat(c);
  def.known_to = calls_name(c);
  if (calls_flag(c)) def.agent = calls_agent(c);
  if (calls_flag(c)) def.tolerance = calls_number(c, 2);
  const lw_status status = lw_threat_add(world, &def, &threat, NULL);
  calls_check("lw_threat_add", status, &threat, sizeof threat);
  if (status == LW_OK) c->threats[kept] = threat;
}

static void change_threat(calls *c, lw_world *world) {
  const lw_threat_id threat = c->threats[calls_below(c, CALLS_KEPT)];
  if (calls_flag(c)) {
    calls_check("lw_threat_remove", lw_threat_remove(world, threat), NULL, 0);
    return;
  }
  const lw_threat numbers = calls_threat(c);
  calls_check("lw_threat_set", lw_threat_set(world, threat, &numbers), NULL, 0);
}

static void learn(calls *c, lw_world *world) {
  const lw_agent_id agent = calls_agent(c);
  const lw_threat_id threat = c->threats[calls_below(c, CALLS_KEPT)];
  if (calls_flag(c))
    calls_check("lw_agent_forget_threat", lw_agent_forget_threat(world, agent, threat), NULL, 0);
  else
    calls_check("lw_agent_learn_threat", lw_agent_learn_threat(world, agent, threat), NULL, 0);
  lw_agent_knows_threat(world, agent, threat);
}

static void set_threats(calls *c, lw_world *world) {
  const lw_agent_id agent = calls_agent(c);
  const lw_threat threats[2] = {calls_threat(c), calls_threat(c)};
  const int count = (int)calls_below(c, 4) - 1;
  const lw_status status = lw_agent_set_threats(world, agent, threats, count < 3 ? count : 0);
  calls_check("lw_agent_set_threats", status, NULL, 0);
}

static void add_danger(calls *c, lw_world *world) {
  lw_danger_def def = lw_danger_def_default();
  lw_danger_id danger;
  memset(&danger, 0xAA, sizeof danger);
  const uint32_t kept = calls_below(c, CALLS_KEPT);
  def.at = calls_place(c);
  def.radius = calls_number(c, 6);
  if (calls_flag(c)) {
    def.height = calls_number(c, 3);
    def.value = calls_number(c, 3);
    def.half_life = calls_number(c, 5);
  }
  const lw_status status = lw_danger_add(world, &def, &danger, NULL);
  calls_check("lw_danger_add", status, &danger, sizeof danger);
  if (status == LW_OK) c->dangers[kept] = danger;
}

static void add_lane(calls *c, lw_world *world) {
  lw_fire_lane_def def = lw_fire_lane_def_default();
  lw_fire_lane_id lane;
  memset(&lane, 0xAA, sizeof lane);
  const uint32_t kept = calls_below(c, CALLS_KEPT);
  def.from = calls_place(c);
  def.to = calls_place(c);
  if (calls_flag(c)) {
    def.radius = calls_number(c, 3);
    def.seconds = calls_number(c, 5);
    def.weight = calls_number(c, 3);
  }
  const lw_status status = lw_fire_lane_add(world, &def, &lane, NULL);
  calls_check("lw_fire_lane_add", status, &lane, sizeof lane);
  if (status == LW_OK) c->lanes[kept] = lane;
}

static lw_obstacle_def obstacle_def(calls *c) {
  static const lw_vec3 corners[] = {{-1, 0, -1}, {2, 0, 0}, {1, 0, 2}, {-1, 0.5f, 1}};
  lw_obstacle_def def = lw_obstacle_def_default();
  def.shape = (lw_obstacle_shape)calls_index(c, LW_OBSTACLE_SHAPE_COUNT);
  def.at = calls_place(c);
  def.yaw = calls_number(c, 3);
  def.size = lwi_vec3(calls_number(c, 6), calls_number(c, 3), calls_number(c, 6));
  def.radius = calls_number(c, 3);
  def.height = calls_number(c, 3);
  if (def.shape == LW_OBSTACLE_POLYGON) def.points = corners;
  def.point_count = def.points ? 2 + (int)calls_below(c, 3) : 0;
  if (calls_flag(c)) return def;
  def.blocks = calls_flag(c);
  def.area = def.blocks ? LW_AREA_NONE : (lw_area_id)calls_index(c, 10);
  if (!def.blocks && calls_flag(c)) def.cost = calls_number(c, 20);
  def.min_move = calls_number(c, 1);
  def.max_speed = calls_number(c, 5);
  def.cover = (lw_cover_kind)calls_index(c, LW_COVER_KIND_COUNT);
  return def;
}

static void add_obstacle(calls *c, lw_world *world) {
  lw_obstacle_def def = obstacle_def(c);
  lw_obstacle_id obstacle;
  memset(&obstacle, 0xAA, sizeof obstacle);
  const uint32_t kept = calls_below(c, CALLS_KEPT), tie = calls_below(c, 6);
  if (tie == 0) def.carrier = calls_agent(c);
  if (tie == 1) def.attached_to = c->obstacles[calls_below(c, CALLS_KEPT)];
  const lw_status status = lw_obstacle_add(world, &def, &obstacle, NULL);
  calls_check("lw_obstacle_add", status, &obstacle, sizeof obstacle);
  if (status == LW_OK) c->obstacles[kept] = obstacle;
}

static void change_obstacle(calls *c, lw_world *world) {
  const lw_obstacle_id obstacle = c->obstacles[calls_below(c, CALLS_KEPT)];
  const uint32_t which = calls_below(c, 4);
  if (which == 0) {
    calls_check("lw_obstacle_remove", lw_obstacle_remove(world, obstacle), NULL, 0);
  } else if (which == 1) {
    calls_check("lw_world_apply_changes", lw_world_apply_changes(world), NULL, 0);
  } else {
    const lw_vec3 at = calls_place(c), velocity = {calls_number(c, 8), 0, calls_number(c, 8)};
    const lw_status status =
        lw_obstacle_move(world, obstacle, at, calls_number(c, 3), which == 2 ? &velocity : NULL);
    calls_check("lw_obstacle_move", status, NULL, 0);
  }
}

static void add_link(calls *c, lw_world *world) {
  lw_link_def def = lw_link_def_default();
  lw_link_id link;
  memset(&link, 0xAA, sizeof link);
  const uint32_t kept = calls_below(c, CALLS_KEPT);
  def.kind = (lw_link_kind)calls_index(c, LW_LINK_KIND_COUNT);
  def.from = calls_place(c);
  def.to = calls_place(c);
  def.bidirectional = calls_flag(c);
  if (calls_flag(c)) {
    def.radius = calls_number(c, 3);
    def.length = calls_number(c, 9);
    def.area = (lw_area_id)calls_index(c, 10);
    def.name = calls_name(c);
    def.capacity = calls_index(c, 3);
  }
  const lw_status status = lw_link_add(world, &def, &link, NULL);
  calls_check("lw_link_add", status, &link, sizeof link);
  if (status == LW_OK) c->links[kept] = link;
}

static void change_link(calls *c, lw_world *world) {
  lw_link_id link = c->links[calls_below(c, CALLS_KEPT)];
  if (calls_flag(c)) link = lw_link_next(world, lw_link_id_none());
  switch (calls_below(c, 5)) {
  case 0: calls_check("lw_link_remove", lw_link_remove(world, link), NULL, 0); return;
  case 1: calls_check("lw_link_set_cost", lw_link_set_cost(world, link, calls_number(c, 20)), NULL, 0); return;
  case 2:
    calls_check("lw_link_set_capacity", lw_link_set_capacity(world, link, calls_index(c, 3)), NULL, 0);
    return;
  case 3: calls_check("lw_agent_finish_link", lw_agent_finish_link(world, calls_agent(c)), NULL, 0); return;
  default: calls_check("lw_link_enable", lw_link_enable(world, link, calls_flag(c)), NULL, 0);
  }
}

static lw_permutation_tile tile_of(calls *c) {
  const fuzz_level *level = fuzz_level_get();
  const lw_navmesh *const sources[] = {level->meshes[0], level->changed, level->meshes[1], NULL};
  const int navmesh = calls_below(c, 4) > 0 ? 0 : calls_index(c, 2);
  return (lw_permutation_tile){navmesh,
                               {(int)calls_below(c, 3), (int)calls_below(c, 3), sources[calls_below(c, 4)]}};
}

static void permute(calls *c, lw_world *world) {
  static const char *const names[] = {"gate", "bridge", "none"}, *const states[] = {"open", "shut", "none"};
  const char *name = names[calls_below(c, 3)], *state = states[calls_below(c, 3)];
  if (calls_flag(c)) {
    calls_check("lw_permutation_set", lw_permutation_set(world, name, state, NULL), NULL, 0);
    return;
  }
  const lw_obstacle_def volumes[] = {obstacle_def(c), obstacle_def(c)};
  const lw_permutation_tile tiles[] = {tile_of(c), tile_of(c)};
  const lw_permutation_link link = {calls_name(c), calls_flag(c)};
  const lw_permutation_state_def all[] = {{.name = "open"},
                                          {.name = "shut",
                                           .volumes = volumes,
                                           .volume_count = (int)calls_below(c, 3),
                                           .links = &link,
                                           .link_count = (int)calls_below(c, 2),
                                           .tiles = tiles,
                                           .tile_count = calls_flag(c) ? (int)calls_below(c, 3) : 0}};
  lw_permutation_def def = lw_permutation_def_default();
  def.name = name;
  def.states = all;
  def.state_count = 2;
  def.initial = calls_index(c, 2);
  const lw_status checked = lw_permutation_check(world, &def, NULL);
  const lw_status status = lw_permutation_define(world, &def, NULL);
  calls_check("lw_permutation_define", status, NULL, 0);
  if (status != checked && status != LW_OUT_OF_MEMORY)
    fuzz_fail("lw_permutation_check answers %s, lw_permutation_define %s", lw_status_name(checked),
              lw_status_name(status));
  c->has_tiles |= status == LW_OK && all[1].tile_count > 0;
}

static void remove_region(calls *c, lw_world *world) {
  const uint32_t kept = calls_below(c, CALLS_KEPT);
  if (calls_flag(c))
    calls_check("lw_danger_remove", lw_danger_remove(world, c->dangers[kept]), NULL, 0);
  else
    calls_check("lw_fire_lane_remove", lw_fire_lane_remove(world, c->lanes[kept]), NULL, 0);
}

static void set_navmesh(calls *c, lw_world *world) {
  const fuzz_level *level = fuzz_level_get();
  const lw_navmesh *const navmeshes[] = {level->meshes[0], level->changed, level->meshes[1], NULL};
  const int index = calls_below(c, 4) > 0 ? 0 : calls_index(c, 3);
  const lw_navmesh *navmesh = navmeshes[calls_flag(c) ? calls_below(c, 2) : calls_below(c, 4)];
  calls_check("lw_world_set_navmesh", lw_world_set_navmesh(world, index, navmesh, NULL), NULL, 0);
}

static void set_visibility(calls *c, lw_world *world) {
  const char *team = calls_name(c);
  calls_check("lw_world_set_visibility", lw_world_set_visibility(world, team, calls_number(c, 1)), NULL, 0);
  lw_world_get_visibility(world, team);
}

static void make_workspace(calls *c, lw_world *world) {
  const uint32_t which = calls_below(c, CALLS_WORLDS);
  if (c->depth > 0) return; /* not during a step */
  lw_workspace_destroy(c->workspaces[which]);
  c->workspaces[which] = world == c->worlds[which] ? lw_workspace_create(world) : NULL;
}

static void step(calls *c, lw_world *world) {
  static const float times[] = {1 / 60.0f, 0.1f, 0.5f, 1, 0, -1, 2};
  const uint32_t which = calls_below(c, sizeof times / sizeof *times + 1);
  const float dt = which < sizeof times / sizeof *times ? times[which] : calls_number(c, 1);
  for (uint32_t i = 1 + calls_below(c, 4); i > 0; i--) {
    const lw_status status = lw_world_step(world, dt);
    calls_check("lw_world_step", status, NULL, 0);
    if (c->depth > 0 && status == LW_OK) fuzz_fail("a step inside of a step");
  }
}

calls_run *const calls_changes[] = {spawn,
                                    spawn,
                                    despawn,
                                    kill,
                                    move_to,
                                    move_with,
                                    command,
                                    reserve,
                                    add_threat,
                                    learn,
                                    change_threat,
                                    set_threats,
                                    add_danger,
                                    add_lane,
                                    step,
                                    step,
                                    remove_region,
                                    set_visibility,
                                    make_workspace,
                                    add_obstacle,
                                    add_obstacle,
                                    change_obstacle,
                                    permute,
                                    add_link,
                                    change_link,
                                    set_navmesh,
                                    set_value,
                                    set_value,
                                    look_around,
                                    sense,
                                    calls_change_group,
                                    calls_change_group};
const uint32_t calls_change_count = sizeof calls_changes / sizeof *calls_changes;
