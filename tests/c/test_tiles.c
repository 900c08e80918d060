/* Navmeshes of a world that are swapped: what is on unchanged tiles stays, and the world is then as a new one over the
   new navmesh. */
#include "tiles_place.h"
#include "temp_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define OBSTACLES 5

static lw_poly_id poly_at(const tiles_place *it, float x, float z) {
  const lw_vec3 snap = {0.1f, 1, 0.1f};
  lw_location at;
  return lw_navmesh_nearest(lw_world_navmesh(it->world), (lw_vec3){x, 0, z}, snap, NULL, &at) == LW_OK ? at.poly
                                                                                                       : 0;
}

/* --- swapping --------------------------------------------------------------------------------------------- */

static void it_takes_effect_with_the_next_step(void **state) {
  const tiles_place *it = *state;
  const lw_vec3 from = {10, 0, 12}, to = {40, 0, 12};
  const lw_navmesh *version = lw_world_navmesh(it->world);
  const float open = tiles_length_between(it->world, it->profile, from, to);
  tiles_swap_to(it, it->walled);
  assert_ptr_equal(lw_world_base_navmesh(it->world, 0), it->open);
  assert_true(tiles_length_between(it->world, it->profile, from, to) == open);
  tiles_step(it, 1);
  assert_ptr_equal(lw_world_base_navmesh(it->world, 0), it->walled);
  assert_int_equal(lw_world_navmesh_index(it->world, it->walled), 0);
  assert_int_equal(lw_world_navmesh_index(it->world, it->open), -1);
  assert_ptr_equal(lw_world_navmesh(it->world), version);
  assert_true(tiles_length_between(it->world, it->profile, from, to) > open + 5);
  tiles_swap_to(it, it->open);
  tiles_swap_to(it, it->walled); /* the last one counts */
  tiles_apply(it);
  assert_ptr_equal(lw_world_base_navmesh(it->world, 0), it->walled);
  tiles_swap_to(it, it->open);
  tiles_apply(it);
  assert_true(tiles_length_between(it->world, it->profile, from, to) == open);
}

static void ids_of_unchanged_tiles_stay(void **state) {
  const tiles_place *it = *state;
  const lw_poly_id kept = poly_at(it, 4, 12), gone = poly_at(it, 28, 12);
  lw_poly poly;
  tiles_swap_to(it, it->walled);
  tiles_apply(it);
  assert_int_equal(lw_navmesh_get_poly(lw_world_navmesh(it->world), kept, &poly), LW_OK);
  assert_true(poly_at(it, 4, 12) == kept);
  assert_int_equal(lw_navmesh_get_poly(lw_world_navmesh(it->world), gone, &poly), LW_STALE);
}

static void ids_of_pieces_become_stale(void **state) {
  const tiles_place *it = *state;
  lw_obstacle_def def = lw_obstacle_def_default();
  lw_obstacle_id id;
  lw_poly poly;
  def.at = (lw_vec3){4, 0, 12};
  assert_int_equal(lw_obstacle_add(it->world, &def, &id, NULL), LW_OK);
  tiles_apply(it);
  const lw_poly_id piece = poly_at(it, 2, 12);
  tiles_swap_to(it, it->walled);
  tiles_apply(it);
  assert_int_equal(lw_navmesh_get_poly(lw_world_navmesh(it->world), piece, &poly), LW_STALE);
  assert_int_equal(poly_at(it, 4, 12), 0); /* it is cut out of the new one, too */
  assert_int_equal(lw_obstacle_remove(it->world, id), LW_OK);
  tiles_apply(it);
  assert_true(poly_at(it, 4, 12) != 0);
}

/* --- agents ----------------------------------------------------------------------------------------------- */

static void paths_over_unchanged_tiles_stay(void **state) {
  const tiles_place *it = *state;
  const lw_agent_id stays = tiles_spawn(it, 2, 12), meets = tiles_spawn(it, 20, 2);
  assert_int_equal(lw_agent_move_to(it->world, stays, (lw_vec3){18, 0, 20}, 0.3f), LW_OK);
  assert_int_equal(lw_agent_move_to(it->world, meets, (lw_vec3){44, 0, 2}, 0.3f), LW_OK);
  tiles_step(it, 10);
  const lw_agent_stats before = tiles_state_of(it, stays).stats;
  tiles_swap_to(it, it->walled);
  tiles_step(it, 1);
  assert_int_equal(tiles_state_of(it, stays).stats.searches, before.searches);
  assert_int_equal(tiles_state_of(it, meets).stats.searches, 2);
  tiles_step(it, 60 * 60);
  assert_int_equal(tiles_state_of(it, stays).move, LW_MOVE_ARRIVED);
  assert_int_equal(tiles_state_of(it, meets).move, LW_MOVE_ARRIVED);
  assert_int_equal(tiles_state_of(it, meets).stats.off_mesh, 0);
}

static void who_stands_in_a_wall_is_moved(void **state) {
  const tiles_place *it = *state;
  const lw_agent_id id = tiles_spawn(it, 30.5f, 11);
  tiles_swap_to(it, it->walled);
  tiles_step(it, 1);
  const lwi_agent now = tiles_state_of(it, id);
  assert_false(now.ground.is_trapped);
  assert_true(now.at.point.x < 30 || now.at.point.x > 31);
  assert_true(lwi_distance(now.at.point, (lw_vec3){30.5f, 0, 11}) < 2);
  assert_int_equal(now.stats.off_mesh, 0);
}

static void who_has_no_ground_near_by_is_trapped(void **state) {
  const tiles_place *it = *state;
  const lw_geometry_box block = tiles_wall_at(24, 12, 20, 30);
  lw_navmesh *blocked = tiles_bake_walls(&block, 1);
  const lw_agent_id id = tiles_spawn(it, 24, 12);
  tiles_swap_to(it, blocked);
  tiles_step(it, 1);
  assert_true(tiles_state_of(it, id).ground.is_trapped);
  tiles_swap_to(it, it->open);
  tiles_step(it, 1);
  assert_false(tiles_state_of(it, id).ground.is_trapped);
  lw_navmesh_destroy(blocked);
}

static void a_path_that_became_shorter_is_found(void **state) {
  const tiles_place *it = *state;
  tiles_swap_to(it, it->walled);
  tiles_step(it, 1);
  const lw_agent_id id = tiles_spawn(it, 26, 2);
  assert_int_equal(lw_agent_move_to(it->world, id, (lw_vec3){44, 0, 2}, 0.3f), LW_OK);
  tiles_step(it, 1);
  tiles_swap_to(it, it->open);
  tiles_step(it, 60 * 3);
  assert_int_equal(tiles_state_of(it, id).stats.searches, 2);
}

/* --- links ------------------------------------------------------------------------------------------------ */

static void links_keep_what_was_set(void **state) {
  const tiles_place *it = *state;
  const lw_link_id lift = lw_link_find(it->world, "lift", lw_link_id_none());
  lw_link_def def = lw_link_def_default();
  lw_link_id added;
  lw_link_info info;
  def.name = "rope";
  def.from = (lw_vec3){28, 0, 12};
  def.to = (lw_vec3){34, 0, 12};
  assert_int_equal(lw_link_add(it->world, &def, &added, NULL), LW_OK);
  assert_int_equal(lw_link_enable(it->world, lift, false), LW_OK);
  assert_int_equal(lw_link_set_cost(it->world, added, 3), LW_OK);
  tiles_apply(it);
  tiles_swap_to(it, it->walled);
  tiles_apply(it);
  assert_int_equal(lw_link_get(it->world, lift, &info), LW_OK);
  assert_true(!info.is_enabled && !info.is_used);
  assert_true(lw_link_id_equal(lw_link_find(it->world, "lift", lw_link_id_none()), lift));
  assert_int_equal(lw_link_get(it->world, added, &info), LW_OK);
  assert_true(info.is_used && info.cost == 3);
  const float over = tiles_length_between(it->world, it->profile, def.from, def.to);
  assert_true(over > 0 && over < 7);
  assert_int_equal(lw_link_enable(it->world, lift, true), LW_OK);
  tiles_apply(it);
  assert_int_equal(lw_link_get(it->world, lift, &info), LW_OK);
  assert_true(info.is_used);
}

static void links_that_are_gone_are_stale(void **state) {
  const tiles_place *it = *state;
  const lw_link_id lift = lw_link_find(it->world, "lift", lw_link_id_none());
  lw_link_def def = lw_link_def_default();
  lw_link_id added;
  lw_link_info info;
  const lw_geometry_box block = tiles_wall_at(4, 2, 6, 3);
  lw_navmesh *blocked = tiles_bake_walls(&block, 1);
  def.from = (lw_vec3){3, 0, 2};
  def.to = (lw_vec3){12, 0, 12};
  assert_int_equal(lw_link_add(it->world, &def, &added, NULL), LW_OK);
  tiles_apply(it);
  tiles_swap_to(it, blocked);
  tiles_apply(it);
  assert_int_equal(lw_link_get(it->world, lift, &info), LW_STALE);
  assert_int_equal(lw_link_get(it->world, added, &info), LW_OK);
  assert_false(info.is_used); /* it waits for ground */
  tiles_swap_to(it, it->open);
  tiles_apply(it);
  assert_int_equal(lw_link_get(it->world, added, &info), LW_OK);
  assert_true(info.is_used);
  assert_int_equal(lw_link_get(it->world, lift, &info), LW_STALE);
  assert_false(lw_link_id_is_none(lw_link_find(it->world, "lift", lw_link_id_none())));
  assert_int_equal(lw_link_count(it->world), 2);
  tiles_swap_to(it, it->walled);
  tiles_apply(it);
  lw_navmesh_destroy(blocked);
}

/* A world of the open level and an island beside it, with a ferry between them. */
static lw_world *make_ferry(const tiles_place *it, lw_navmesh **island) {
  lw_geometry *geometry = scene_geometry(scene_table);
  scene_add_floor(geometry, (lw_vec3){WIDTH + 10, 0, 0}, 12, 12, SCENE_GROUND);
  lw_bake_settings settings = tiles_settings();
  settings.bounds = lw_bake_settings_default().bounds;
  *island = scene_bake(geometry, &settings, NULL);
  lw_geometry_destroy(geometry);
  const lw_navmesh *const meshes[] = {it->open, *island};
  lw_link_def link = lw_link_def_default();
  link.name = "ferry";
  link.from = (lw_vec3){WIDTH - 2, 0, 4};
  link.to = (lw_vec3){WIDTH + 12, 0, 4};
  link.bidirectional = true;
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  def.navmeshes = meshes;
  def.navmesh_count = 2;
  def.links = &link;
  def.link_count = 1;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  return world;
}

static void links_between_navmeshes_stay(void **state) {
  const tiles_place *it = *state;
  const lw_vec3 from = {10, 0, 12}, to = {WIDTH + 18, 0, 8};
  lw_navmesh *island;
  const tiles_place other = {.world = make_ferry(it, &island)};
  const lw_link_id ferry = lw_link_find(other.world, "ferry", lw_link_id_none());
  lw_link_def rope = lw_link_def_default();
  lw_link_id added;
  lw_link_info info;
  rope.from = (lw_vec3){WIDTH - 2, 0, 8};
  rope.to = (lw_vec3){WIDTH + 12, 0, 8};
  assert_int_equal(lw_link_add(other.world, &rope, &added, NULL), LW_OK);
  assert_int_equal(lw_link_set_cost(other.world, ferry, 5), LW_OK);
  tiles_apply(&other);
  const float before = tiles_length_between(other.world, it->profile, from, to);
  assert_true(before > 0);
  tiles_swap_to(&other, it->walled);
  tiles_apply(&other);
  assert_true(tiles_length_between(other.world, it->profile, from, to) > before + 1); /* round the wall */
  assert_int_equal(lw_link_get(other.world, ferry, &info), LW_OK);
  assert_true(info.is_used && info.cost == 5 && info.from_navmesh == 0 && info.to_navmesh == 1);
  assert_int_equal(lw_link_get(other.world, added, &info), LW_OK);
  assert_true(info.is_used && info.from_navmesh == 0 && info.to_navmesh == 1);
  assert_int_equal(lw_link_enable(other.world, ferry, false), LW_OK);
  assert_int_equal(lw_link_remove(other.world, added), LW_OK);
  tiles_swap_to(&other, it->open);
  tiles_apply(&other);
  assert_true(tiles_length_between(other.world, it->profile, from, to) < 0);
  assert_int_equal(lw_link_enable(other.world, ferry, true), LW_OK);
  tiles_apply(&other);
  assert_true(tiles_length_between(other.world, it->profile, to, from) > 0);
  assert_int_equal(lw_link_count(other.world), 2); /* the lift and the ferry */
  lw_error error = {.text = ""};
  assert_int_equal(lw_world_set_navmesh(other.world, 1, it->open, &error), LW_INVALID);
  assert_string_equal(error.text, "navmesh is navmesh 1 of the world already, expected another");
  lw_world_destroy(other.world);
  lw_navmesh_destroy(island);
}

/* --- cover ------------------------------------------------------------------------------------------------ */

static void cover_that_vanished_is_nobodys(void **state) {
  const tiles_place *it = *state;
  tiles_swap_to(it, it->walled);
  tiles_step(it, 1);
  const lw_agent_id id = tiles_spawn(it, 29.7f, 11);
  assert_int_equal(lw_agent_reserve_cover(it->world, id, (lw_vec3){29.7f, 0, 11}, 2), LW_OK);
  const lw_geometry_box walls[] = {tiles_wall_at(30.5f, 11, 1, 20), tiles_wall_at(12, 6, 2, 2)};
  lw_navmesh *other = tiles_bake_walls(walls, 2);
  lw_vec3 at;
  tiles_swap_to(it, other);
  tiles_step(it, 1);
  assert_int_equal(lw_agent_get_cover(it->world, id, &at, NULL), LW_OK);
  assert_false(lw_agent_lost_cover(it->world, id));
  tiles_swap_to(it, it->open);
  tiles_step(it, 1);
  assert_int_equal(lw_agent_get_cover(it->world, id, &at, NULL), LW_EMPTY);
  assert_true(lw_agent_lost_cover(it->world, id));
  lw_navmesh_destroy(other);
}

static void a_wall_that_is_gone_hides_nothing(void **state) {
  const tiles_place *it = *state;
  const lw_vec3 eye = {20, 1.6f, 11}, target = {40, 1, 11};
  tiles_swap_to(it, it->walled);
  tiles_step(it, 1);
  assert_false(lw_world_sees(it->world, eye, target, false));
  const uint32_t before = lw_threat_version(it->world);
  tiles_swap_to(it, it->open);
  assert_true(lw_threat_version(it->world) == before);
  tiles_step(it, 1);
  assert_true(lw_world_sees(it->world, eye, target, false));
  assert_true(lw_threat_version(it->world) != before);
}

/* --- saving ----------------------------------------------------------------------------------------------- */

static lw_status restore(lw_world *world, const tiles_place *it, const char *file, lw_error *error) {
  lw_saved *saved;
  assert_int_equal(lw_saved_open(file, NULL, &saved, NULL), LW_OK);
  lw_status status = lw_world_restore(world, saved, error);
  for (int i = 0; status == LW_OK && i < lw_saved_agent_count(saved); i++) {
    lw_agent_def def = lw_agent_def_default();
    lw_saved_agent from;
    lw_agent_id id;
    lw_saved_get_agent(saved, i, &from);
    def.profile = it->profile;
    def.at = from.at;
    assert_int_equal(lw_agent_spawn(world, &def, &id, NULL), LW_OK);
    assert_int_equal(lw_agent_restore(world, id, saved, i), LW_OK);
  }
  lw_saved_destroy(saved);
  return status;
}

/* A lift that is off, an added link, an obstacle, and agents on their way. */
static void fill(const tiles_place *it) {
  lw_link_def link = lw_link_def_default();
  lw_obstacle_def obstacle = lw_obstacle_def_default();
  lw_link_id added;
  lw_obstacle_id id;
  link.from = (lw_vec3){28, 0, 12};
  link.to = (lw_vec3){34, 0, 12};
  obstacle.at = (lw_vec3){4, 0, 12};
  assert_int_equal(lw_link_add(it->world, &link, &added, NULL), LW_OK);
  assert_int_equal(lw_obstacle_add(it->world, &obstacle, &id, NULL), LW_OK);
  assert_int_equal(lw_link_enable(it->world, lw_link_find(it->world, "lift", lw_link_id_none()), false), LW_OK);
  lw_agent_move_to(it->world, tiles_spawn(it, 2, 16), (lw_vec3){18, 0, 8}, 0.3f);
  lw_agent_move_to(it->world, tiles_spawn(it, 20, 2), (lw_vec3){44, 0, 2}, 0.3f);
}

static void a_swapped_world_is_saved(void **state) {
  const tiles_place *it = *state;
  char file[] = "/tmp/leeward_tiles_XXXXXX";
  temp_file_make(file);
  const lw_geometry_box block = tiles_wall_at(4, 2, 6, 3);
  lw_navmesh *blocked = tiles_bake_walls(&block, 1);
  fill(it);
  tiles_step(it, 10);
  tiles_swap_to(it, blocked); /* the lift goes, and comes back with another slot */
  assert_int_equal(lw_world_save(it->world, file, NULL), LW_PENDING);
  tiles_step(it, 1);
  tiles_swap_to(it, it->walled);
  tiles_step(it, 20);
  assert_int_equal(lw_link_set_cost(it->world, lw_link_find(it->world, "lift", lw_link_id_none()), 2), LW_OK);
  tiles_step(it, 1);
  assert_int_equal(lw_world_save(it->world, file, NULL), LW_OK);
  tiles_place other = *it;
  other.world = tiles_make_world(it->walled);
  assert_int_equal(restore(other.world, it, file, NULL), LW_OK);
  assert_true(lw_world_hash(other.world) == lw_world_hash(it->world));
  tiles_step(it, 60);
  tiles_step(&other, 60);
  assert_true(lw_world_hash(other.world) == lw_world_hash(it->world));
  const uint64_t hash = lw_world_hash(it->world);
  assert_int_equal(restore(it->world, it, file, NULL), LW_OK); /* where slots are other ones */
  tiles_step(it, 60);
  assert_true(lw_world_hash(it->world) == hash);
  tiles_swap_to(it, it->open);
  tiles_apply(it);
  lw_world_destroy(other.world);
  lw_navmesh_destroy(blocked);
  remove(file);
}

static void a_save_loads_where_tiles_under_agents_are_the_same(void **state) {
  const tiles_place *it = *state;
  char file[] = "/tmp/leeward_tiles_XXXXXX";
  lw_error error = {.text = ""};
  temp_file_make(file);
  fill(it);
  tiles_step(it, 30);
  assert_int_equal(lw_world_save(it->world, file, NULL), LW_OK);
  tiles_place other = *it;
  other.world = tiles_make_world(it->walled);
  assert_int_equal(restore(other.world, it, file, NULL), LW_OK);
  const lw_agent_id first = lw_agent_next(other.world, lw_agent_id_none()),
                    second = lw_agent_next(other.world, first);
  assert_int_equal(tiles_state_of(&other, first).stats.searches, 1); /* it goes on */
  assert_int_equal(tiles_state_of(&other, second).stats.searches, 2);
  tiles_step(&other, 60 * 60);
  assert_int_equal(tiles_state_of(&other, first).move, LW_MOVE_ARRIVED);
  assert_int_equal(tiles_state_of(&other, second).move, LW_MOVE_ARRIVED);
  tiles_spawn(it, 31.5f, 12);
  assert_int_equal(lw_world_save(it->world, file, NULL), LW_OK);
  assert_int_equal(restore(other.world, it, file, &error), LW_BAD_FILE);
  assert_string_equal(error.text,
                      "agent 3 (human) stands on tile (4, 1) of navmesh 1, which differs from the one "
                      "that it was saved over");
  lw_world_destroy(other.world);
  remove(file);
}

/* --- refusals --------------------------------------------------------------------------------------------- */

static void assert_refused(const tiles_place *it, int index, const lw_navmesh *mesh, const char *text) {
  lw_error error = {.text = ""};
  assert_int_equal(lw_world_set_navmesh(it->world, index, mesh, &error), LW_INVALID);
  assert_string_equal(error.text, text);
}

static void what_cannot_be_is_refused(void **state) {
  const tiles_place *it = *state;
  lw_geometry *geometry = scene_floor(scene_table, WIDTH, DEPTH);
  lw_bake_settings other = tiles_settings();
  other.agent_radius = 0.5f;
  lw_navmesh *wide = scene_bake(geometry, &other, NULL);
  other = tiles_settings();
  other.tile_size = 16;
  lw_navmesh *coarse = scene_bake(geometry, &other, NULL);
  lw_area_table *areas = scene_areas();
  lw_geometry *foreign = scene_floor(areas, WIDTH, DEPTH);
  other = tiles_settings();
  lw_navmesh *stranger = scene_bake(foreign, &other, NULL);
  assert_refused(it, 1, it->walled, "index is 1, expected 0 to 0");
  assert_refused(it, 0, lw_world_navmesh(it->world),
                 "navmesh is a world's version of one, expected one that was baked");
  assert_refused(
      it, 0, wide,
      "navmesh is for agents of radius 0.5, height 1.8, climb 0.4 m, expected 0.25, 1.8, 0.4 m as the one "
      "that it replaces");
  assert_refused(it, 0, coarse, "navmesh has tiles of 16 m, expected 8 m as the one that it replaces");
  assert_refused(it, 0, stranger, "navmesh: its area table is not that of the world, expected the same");
  tiles_step(it, 1);
  assert_ptr_equal(lw_world_base_navmesh(it->world, 0), it->open);
  assert_null(lw_world_base_navmesh(it->world, 1));
  lw_navmesh_destroy(wide);
  lw_navmesh_destroy(coarse);
  lw_navmesh_destroy(stranger);
  lw_geometry_destroy(geometry);
  lw_geometry_destroy(foreign);
  lw_area_table_destroy(areas);
}

/* --- at random -------------------------------------------------------------------------------------------- */

static void add_obstacles(lw_world *world, const lw_vec3 *places) {
  for (int i = 0; i < OBSTACLES; i++) {
    lw_obstacle_def def = lw_obstacle_def_default();
    lw_obstacle_id id;
    def.at = places[i];
    def.size = (lw_vec3){1 + (float)i, 1.5f, 2};
    assert_int_equal(lw_obstacle_add(world, &def, &id, NULL), LW_OK);
  }
}

static void add_dangers(lw_world *world, const lw_vec3 *places) {
  for (int i = 0; i < OBSTACLES; i++) {
    lw_danger_def def = lw_danger_def_default();
    lw_danger_id id;
    def.at = lwi_add(places[i], lwi_vec3(3, 0, 1));
    def.radius = 2 + (float)i;
    assert_int_equal(lw_danger_add(world, &def, &id, NULL), LW_OK);
  }
}

static lw_profile *make_shy_profile(void) {
  lw_profile_def def = lw_profile_def_default();
  lw_profile *profile;
  def.radius = 0.5f; /* more than what navmeshes are baked for */
  def.danger_cost = 20;
  def.exposure_factor = 1;
  assert_int_equal(lw_profile_create(&def, scene_table, &profile, NULL), LW_OK);
  return profile;
}

/* Places, paths, sight and cover are those of a new world. */
static void assert_as_new(const lw_world *world, const lw_world *fresh, const lw_profile *profile,
                          lw_random *random) {
  const lw_navmesh_stats a = lw_navmesh_get_stats(lw_world_navmesh(world)),
                         b = lw_navmesh_get_stats(lw_world_navmesh(fresh));
  assert_int_equal(a.polygons, b.polygons);
  assert_int_equal(a.portals, b.portals);
  assert_int_equal(a.islands, b.islands);
  assert_true(a.area == b.area);
  for (int i = 0; i < 40; i++) {
    const lw_vec3 from = tiles_random_at(random), to = tiles_random_at(random);
    const float one = tiles_length_between(world, profile, from, to),
                other = tiles_length_between(fresh, profile, from, to);
    if (one != other)
      fail_msg("from (%g, %g) to (%g, %g): %g m, expected %g", (double)from.x, (double)from.z, (double)to.x,
               (double)to.z, (double)one, (double)other);
    const lw_vec3 eye = lwi_add(from, lwi_vec3(0, 1.6f, 0)), target = lwi_add(to, lwi_vec3(0, 1, 0));
    assert_int_equal(lw_world_sees(world, eye, target, false), lw_world_sees(fresh, eye, target, false));
    lw_cover_segment_query query = lw_cover_segment_query_default();
    int count, expected;
    query.around = from;
    assert_int_equal(lw_cover_segment_find(world, &query, NULL, 0, &count), LW_OK);
    assert_int_equal(lw_cover_segment_find(fresh, &query, NULL, 0, &expected), LW_OK);
    assert_int_equal(count, expected);
  }
}

static void walk_at_random(tiles_place *it, lw_agent_id *agents, lw_random *random, int count) {
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < 10; k++)
      if (lwi_random_unit(random) < 0.05f)
        lw_agent_move_to(it->world, agents[k], tiles_random_at(random), 0.3f);
    assert_int_equal(lw_world_step(it->world, 1.0f / 60), LW_OK);
    for (int k = 0; k < 10; k++) assert_int_equal(tiles_state_of(it, agents[k]).stats.off_mesh, 0);
  }
}

static void a_swapped_world_is_as_a_new_one(void **state) {
  tiles_place *it = *state;
  const uint64_t seed = tiles_seed_of();
  lw_random random = lwi_random_make(seed, 0);
  lw_navmesh *meshes[6];
  lw_vec3 places[OBSTACLES];
  lw_agent_id agents[10];
  printf("note: seed %llu\n", (unsigned long long)seed);
  for (int i = 0; i < OBSTACLES; i++) places[i] = tiles_random_at(&random);
  for (int i = 0; i < 6; i++) meshes[i] = tiles_random_mesh(&random);
  add_obstacles(it->world, places);
  add_dangers(it->world, places);
  lw_profile *shy = make_shy_profile();
  for (int i = 0; i < 10; i++) agents[i] = tiles_spawn(it, 1 + 4 * (float)i, 1);
  for (int round = 0; round < 24; round++) {
    const lw_navmesh *mesh = meshes[(int)(6 * lwi_random_unit(&random))];
    walk_at_random(it, agents, &random, 60);
    tiles_swap_to(it, mesh);
    tiles_step(it, 1);
    tiles_apply(it);
    lw_world *fresh = tiles_make_world(mesh);
    add_obstacles(fresh, places);
    add_dangers(fresh, places);
    assert_int_equal(lw_world_apply_changes(fresh), LW_OK);
    assert_as_new(it->world, fresh, round % 2 ? shy : it->profile, &random);
    lw_world_destroy(fresh);
  }
  lw_profile_destroy(shy);
  const lw_navmesh *last = lw_world_base_navmesh(it->world, 0);
  tiles_swap_to(it, it->open);
  tiles_apply(it);
  assert_true(last != it->open);
  for (int i = 0; i < 6; i++) lw_navmesh_destroy(meshes[i]);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tiles_open_place, tiles_close_place)

int main(void) {
  const struct CMUnitTest tests[] = {TEST(it_takes_effect_with_the_next_step),
                                     TEST(ids_of_unchanged_tiles_stay),
                                     TEST(ids_of_pieces_become_stale),
                                     TEST(paths_over_unchanged_tiles_stay),
                                     TEST(who_stands_in_a_wall_is_moved),
                                     TEST(who_has_no_ground_near_by_is_trapped),
                                     TEST(a_path_that_became_shorter_is_found),
                                     TEST(links_keep_what_was_set),
                                     TEST(links_that_are_gone_are_stale),
                                     TEST(links_between_navmeshes_stay),
                                     TEST(cover_that_vanished_is_nobodys),
                                     TEST(a_wall_that_is_gone_hides_nothing),
                                     TEST(a_swapped_world_is_saved),
                                     TEST(a_save_loads_where_tiles_under_agents_are_the_same),
                                     TEST(what_cannot_be_is_refused),
                                     TEST(a_swapped_world_is_as_a_new_one)};
  return cmocka_run_group_tests(tests, scene_open, scene_close);
}
