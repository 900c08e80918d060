/* Links that the bake finds, on levels small enough to know which there are. */
#include "allocator.h"
#include "bake/auto_links.h"
#include "bake_scene.h"
#include "core/random.h"
#include "core/vec3.h"
#include "link_oracle.h"
#include "mesh/mesh.h"
#include "temp_file.h"

#include "leeward/path.h"
#include "leeward/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SEED 20261123
#define RADIUS 0.4f
#define HEIGHT 1.8f
#define CLIMB 0.4f

static lw_bake_settings settings_of(float drop, float jump) {
  lw_bake_settings settings = lw_bake_settings_default();
  settings.cell_size = 0.2f;
  settings.agent_radius = RADIUS;
  settings.agent_height = HEIGHT;
  settings.agent_climb = CLIMB;
  settings.tile_size = 16;
  settings.min_region_area = 1;
  settings.occluders = settings.cover.segments = false;
  settings.openness_range = 0;
  settings.auto_links.drop = drop;
  settings.auto_links.jump = jump;
  return settings;
}

static void add_box(lw_geometry *level, lw_vec3 at, lw_vec3 size, lw_area_id area) {
  const lw_geometry_box box = {.at = at, .size = size, .area = area};
  assert_int_equal(lw_geometry_add_box(level, &box, NULL), LW_OK);
}

/* A floor with its top at `top`. */
static void add_slab(lw_geometry *level, float x, float top, float z, float width, float depth) {
  add_box(level, (lw_vec3){x, top - 0.3f, z}, (lw_vec3){width, 0.3f, depth}, SCENE_GROUND);
}

/* What was found in a level, which is destroyed. Every link is held against the oracle. */
typedef struct found {
  int drops, jumps, both;
} found;

static found count_links(const lw_navmesh *mesh) {
  found count = {0};
  for (int i = 0; i < lw_navmesh_link_count(mesh); i++) {
    lw_link link;
    assert_int_equal(lw_navmesh_get_link(mesh, i, &link), LW_OK);
    assert_int_equal(link.state, LW_LINK_JOINED);
    count.drops += link.def.kind == LW_LINK_DROP;
    count.jumps += link.def.kind == LW_LINK_JUMP;
    count.both += link.def.bidirectional;
  }
  return count;
}

static found find_in(lw_geometry *level, float drop, float jump) {
  lw_bake_settings settings = settings_of(drop, jump);
  lw_bake_report report;
  lw_navmesh *mesh = scene_bake(level, &settings, &report);
  settings.auto_links.drop = settings.auto_links.jump = 0;
  lw_navmesh *plain = scene_bake(level, &settings, NULL);
  link_oracle oracle = {level, report.used, 0.03f};
  assert_int_equal(link_oracle_check(&oracle, mesh), report.auto_links);
  oracle.slack = -0.02f;
  link_oracle_search(&oracle, mesh, plain, 1500, SEED);
  const found count = count_links(mesh);
  lw_navmesh_destroy(plain);
  lw_navmesh_destroy(mesh);
  lw_geometry_destroy(level);
  return count;
}

/* --- drops ------------------------------------------------------------------------------------------------ */

/* A floor of 24 x 24 m and a block of 8 x 8 m in its middle. */
static lw_geometry *block(float height) {
  lw_geometry *level = scene_geometry(scene_table);
  add_slab(level, 0, 0, 0, 24, 24);
  add_box(level, (lw_vec3){0, 0, 0}, (lw_vec3){8, height, 8}, SCENE_GROUND);
  return level;
}

/* The border of the block is 4 x 7.2 m long. */
static void drops_lead_off_a_block_on_all_sides(void **state) {
  (void)state;
  const found there = find_in(block(2.5f), 3, 0);
  assert_in_range(there.drops, 4 * 2, 4 * 5);
  assert_int_equal(there.jumps, 0);
}

static void none_leads_off_what_is_too_high(void **state) {
  (void)state;
  assert_int_equal(find_in(block(2.5f), 2, 0).drops, 0);
  assert_int_equal(find_in(block(2.5f), 0, 2).drops, 0);
  assert_true(find_in(block(2.5f), 2.5f, 0).drops > 0);
}

static void none_leads_off_a_step(void **state) {
  (void)state;
  assert_int_equal(find_in(block(0.4f), 3, 0).drops, 0);
}

/* Rails on all four sides. */
static lw_geometry *railed(float height) {
  lw_geometry *level = block(2);
  for (int i = 0; i < 4; i++) {
    const float x = i < 2 ? (i ? 3.9f : -3.9f) : 0, z = i < 2 ? 0 : i == 2 ? 3.9f : -3.9f;
    add_box(level, (lw_vec3){x, 2, z}, (lw_vec3){i < 2 ? 0.1f : 8, height, i < 2 ? 8 : 0.1f}, LW_AREA_NONE);
  }
  return level;
}

static void a_railing_stops_a_drop_and_a_kerb_does_not(void **state) {
  (void)state;
  assert_int_equal(find_in(railed(1), 3, 0).drops, 0);
  assert_int_equal(find_in(railed(0.6f), 3, 0).drops, 0);
  assert_true(find_in(railed(0.3f), 3, 0).drops > 0);
}

/* A shelf all round, under which agents walk, and one that is no wider than what is reached over it. */
static void a_shelf_under_the_edge_stops_a_drop(void **state) {
  (void)state;
  lw_geometry *level = block(3.2f);
  add_box(level, (lw_vec3){0, 2.1f, 0}, (lw_vec3){13, 0.1f, 13}, LW_AREA_NONE);
  assert_int_equal(find_in(level, 4, 0).drops, 0);
  level = block(3.2f);
  add_box(level, (lw_vec3){0, 2.1f, 0}, (lw_vec3){8.6f, 0.1f, 8.6f}, LW_AREA_NONE);
  assert_true(find_in(level, 4, 0).drops > 0);
}

/* A ceiling over the block lets agents stand there, and one beside it that hangs lower stops them. */
static void a_beam_before_the_edge_stops_a_drop(void **state) {
  (void)state;
  lw_geometry *level = block(2.5f);
  for (int i = 0; i < 4; i++) {
    const float x = i < 2 ? (i ? 5 : -5) : 0, z = i < 2 ? 0 : i == 2 ? 5 : -5;
    add_box(level, (lw_vec3){x, 3.8f, z}, (lw_vec3){i < 2 ? 1 : 11, 0.4f, i < 2 ? 11 : 1}, LW_AREA_NONE);
  }
  assert_int_equal(find_in(level, 3, 0).drops, 0);
}

static lw_navmesh *bake_with(const lw_geometry *level, float drop, float jump) {
  const lw_bake_settings settings = settings_of(drop, jump);
  return scene_bake(level, &settings, NULL);
}

/* How far the link that begins nearest to a place is from it. */
static float nearest_start(const lw_navmesh *mesh, lw_vec3 at) {
  float nearest = INFINITY;
  for (int i = 0; i < lw_navmesh_link_count(mesh); i++) {
    lw_link link;
    assert_int_equal(lw_navmesh_get_link(mesh, i, &link), LW_OK);
    nearest = fminf(nearest, lwi_distance(link.from.point, at));
  }
  return nearest;
}

/* A ledge 40 m long, 1.2 m high, with a ramp at one end: near it the walk is short. */
static void no_drop_leads_down_beside_stairs(void **state) {
  (void)state;
  lw_geometry *level = scene_geometry(scene_table);
  add_slab(level, 0, 0, 0, 50, 20);
  add_box(level, (lw_vec3){0, 0, -7}, (lw_vec3){40, 1.2f, 6}, SCENE_GROUND);
  const lw_geometry_ramp ramp = {
      .from = {-19, 0, -2.5f}, .to = {-19, 1.2f, -4}, .width = 2, .area = SCENE_GROUND};
  assert_int_equal(lw_geometry_add_ramp(level, &ramp, NULL), LW_OK);
  lw_navmesh *mesh = bake_with(level, 3, 0);
  assert_true(nearest_start(mesh, (lw_vec3){-17.5f, 1.2f, -4.4f}) > 0.5f);
  for (float x = -14; x < 19; x += 0.25f) assert_true(nearest_start(mesh, (lw_vec3){x, 1.2f, -4.4f}) < 3.5f);
  lw_navmesh_destroy(mesh);
  find_in(level, 3, 0);
}

/* Three storeys, each 3 m further out than the one above: a drop leads to the next, not through it. */
static void a_drop_ends_on_the_next_floor_below(void **state) {
  (void)state;
  lw_geometry *level = scene_geometry(scene_table);
  for (int i = 0; i < 3; i++) add_slab(level, 0, 4 - 2 * (float)i, 0, 8 + 6 * (float)i, 8 + 6 * (float)i);
  lw_navmesh *mesh = bake_with(level, 5, 0);
  int highest = 0;
  assert_true(lw_navmesh_link_count(mesh) > 0);
  for (int i = 0; i < lw_navmesh_link_count(mesh); i++) {
    lw_link link;
    assert_int_equal(lw_navmesh_get_link(mesh, i, &link), LW_OK);
    assert_true(fabsf(link.from.point.y - link.to.point.y - 2) < 0.25f);
    highest += link.from.point.y > 3;
  }
  assert_true(highest > 0);
  lw_navmesh_destroy(mesh);
  find_in(level, 5, 0);
}

/* Two walkable floors that hang over each other: no drop leads through the upper one. */
static void none_leads_through_a_floor_or_a_wall(void **state) {
  (void)state;
  lw_geometry *level = scene_geometry(scene_table);
  add_slab(level, 0, 0, 0, 20, 20);
  add_slab(level, 0, 2.6f, 0, 20, 20);
  for (int i = 0; i < 4; i++) { /* walls all round the upper floor */
    const float x = i < 2 ? (i ? 9.9f : -9.9f) : 0, z = i < 2 ? 0 : i == 2 ? 9.9f : -9.9f;
    add_box(level, (lw_vec3){x, 0, z}, (lw_vec3){i < 2 ? 0.2f : 20, 5, i < 2 ? 20 : 0.2f}, LW_AREA_NONE);
  }
  const found there = find_in(level, 3, 2);
  assert_int_equal(there.drops + there.jumps, 0);
}

/* --- jumps ------------------------------------------------------------------------------------------------ */

/* Two floors of 10 x 10 m with a gap between them. */
static lw_geometry *gap(float width, float step) {
  lw_geometry *level = scene_geometry(scene_table);
  add_slab(level, -5 - width / 2, 0, 0, 10, 10);
  add_slab(level, 5 + width / 2, step, 0, 10, 10);
  return level;
}

static void jumps_lead_over_a_gap_in_both_directions(void **state) {
  (void)state;
  const found there = find_in(gap(2, 0), 0, 2);
  assert_in_range(there.jumps, 2, 6);
  assert_int_equal(there.both, there.jumps);
  assert_int_equal(there.drops, 0);
}

static void none_leads_over_a_gap_that_is_too_wide(void **state) {
  (void)state;
  assert_int_equal(find_in(gap(2, 0), 0, 1.5f).jumps, 0);
  assert_int_equal(find_in(gap(2.5f, 0), 3, 2).jumps, 0);
  assert_int_equal(find_in(gap(2, 0), 3, 0).jumps, 0);
}

static void a_jump_leads_down_one_way_and_up_a_step(void **state) {
  (void)state;
  const found down = find_in(gap(2, -0.9f), 0, 2), step = find_in(gap(2, 0.3f), 0, 2);
  assert_true(down.jumps > 0);
  assert_int_equal(down.both, 0);
  assert_true(step.jumps > 0);
  assert_int_equal(step.both, step.jumps);
  assert_int_equal(find_in(gap(2, -1.4f), 0, 2).jumps, 0);
}

/* The arc rises by a quarter of its 2.9 m. */
static void a_beam_over_the_gap_stops_jumps(void **state) {
  (void)state;
  lw_geometry *level = gap(2, 0);
  add_box(level, (lw_vec3){0, 1.5f, 0}, (lw_vec3){0.4f, 0.3f, 12}, LW_AREA_NONE);
  assert_int_equal(find_in(level, 0, 2).jumps, 0);
  level = gap(2, 0);
  add_box(level, (lw_vec3){0, 3.2f, 0}, (lw_vec3){0.4f, 0.3f, 12}, LW_AREA_NONE);
  assert_true(find_in(level, 0, 2).jumps > 0);
}

/* Agents of 1.8 m walk under a ceiling of 2 m, but cannot jump there. */
static void a_ceiling_over_the_landing_stops_jumps(void **state) {
  (void)state;
  lw_geometry *level = gap(2, 0);
  add_box(level, (lw_vec3){5, 2, 0}, (lw_vec3){8.4f, 0.2f, 12}, LW_AREA_NONE);
  assert_int_equal(find_in(level, 0, 2).jumps, 0);
}

static void a_railing_before_the_gap_stops_jumps(void **state) {
  (void)state;
  lw_geometry *level = gap(2, 0);
  add_box(level, (lw_vec3){1.05f, 0, 0}, (lw_vec3){0.1f, 1.1f, 12}, LW_AREA_NONE);
  assert_int_equal(find_in(level, 0, 2).jumps, 0);
}

/* A trench of 2 x 4 m in a floor is walked round by 5 m, and one of 2 x 36 m is not. */
static lw_geometry *trench(float length) {
  lw_geometry *level = scene_geometry(scene_table);
  add_slab(level, -11, 0, 0, 20, 40);
  add_slab(level, 11, 0, 0, 20, 40);
  add_slab(level, 0, 0, -10 - length / 4, 2, 20 - length / 2);
  add_slab(level, 0, 0, 10 + length / 4, 2, 20 - length / 2);
  return level;
}

static void a_gap_that_is_quickly_walked_round_has_no_jump(void **state) {
  (void)state;
  assert_int_equal(find_in(trench(4), 0, 2).jumps, 0);
  assert_in_range(find_in(trench(36), 0, 2).jumps, 7, 17);
}

/* Two blocks whose nearest sides form a corner: a jump straight out of neither meets the other. */
static void jumps_lead_aslant(void **state) {
  (void)state;
  lw_geometry *level = scene_geometry(scene_table);
  add_slab(level, -5, 0, -5, 8, 8);
  add_box(level, (lw_vec3){3, -0.3f, 3}, (lw_vec3){9, 0.3f, 9}, SCENE_GROUND);
  assert_true(find_in(level, 0, 2).jumps > 0);
}

/* --- how many --------------------------------------------------------------------------------------------- */

/* The number of links grows with the border's length, not with its square. */
static void links_are_spaced_along_a_border(void **state) {
  (void)state;
  int counts[2];
  for (int i = 0; i < 2; i++) {
    lw_geometry *level = scene_geometry(scene_table);
    const float length = i ? 400 : 100;
    add_slab(level, 0, 0, 0, length, 12);
    add_box(level, (lw_vec3){0, 0, -3}, (lw_vec3){length, 2, 6}, SCENE_GROUND);
    lw_navmesh *mesh = bake_with(level, 3, 2);
    counts[i] = lw_navmesh_link_count(mesh);
    for (int k = 1; k < counts[i]; k++)
      for (int j = 0; j < k; j++) {
        lw_link one, other;
        assert_int_equal(lw_navmesh_get_link(mesh, k, &one), LW_OK);
        assert_int_equal(lw_navmesh_get_link(mesh, j, &other), LW_OK);
        assert_true(lwi_distance(one.from.point, other.from.point) >= LWI_AUTO_LINK_SPACING ||
                    lwi_distance(one.to.point, other.to.point) >= LWI_AUTO_LINK_SPACING);
      }
    lw_navmesh_destroy(mesh);
    lw_geometry_destroy(level);
  }
  assert_in_range(counts[0], 100 / 4, 100 / 2 + 2);
  assert_in_range(counts[1], 7 * counts[0] / 2, 9 * counts[0] / 2);
}

/* Where a designer has placed a drop, none is found beside it. */
static void links_of_the_geometry_are_not_found_again(void **state) {
  (void)state;
  lw_geometry *level = block(2.5f);
  lw_link_def link = lw_link_def_default();
  link.kind = LW_LINK_DROP;
  link.from = (lw_vec3){3.6f, 2.5f, 0};
  link.to = (lw_vec3){4.6f, 0, 0};
  assert_int_equal(lw_geometry_add_link(level, &link, NULL), LW_OK);
  lw_bake_settings settings = settings_of(3, 0);
  lw_bake_report report;
  lw_navmesh *mesh = scene_bake(level, &settings, &report);
  assert_int_equal(lw_navmesh_link_count(mesh), report.auto_links + 1);
  lw_link first, other;
  assert_int_equal(lw_navmesh_get_link(mesh, 0, &first), LW_OK);
  assert_true(lwi_equal(first.def.from, link.from));
  for (int i = 1; i < lw_navmesh_link_count(mesh); i++) {
    assert_int_equal(lw_navmesh_get_link(mesh, i, &other), LW_OK);
    assert_true(lwi_distance(other.from.point, first.from.point) >= LWI_AUTO_LINK_SPACING ||
                lwi_distance(other.to.point, first.to.point) >= LWI_AUTO_LINK_SPACING);
  }
  lw_navmesh_destroy(mesh);
  lw_geometry_destroy(level);
}

/* --- paths, threads, rebuilds ----------------------------------------------------------------------------- */

static float length_for(const lw_world *world, const lw_profile *profile, lw_vec3 from, lw_vec3 to) {
  lw_path_query query = lw_path_query_default();
  query.from = from;
  query.to = to;
  query.profile = profile;
  lw_path *path;
  const lw_status status = lw_path_find(world, NULL, &query, &path);
  const float length = status == LW_OK ? lw_path_length(path) : INFINITY;
  lw_path_destroy(path);
  return length;
}

static void paths_take_them_unless_the_profile_does_not(void **state) {
  (void)state;
  lw_geometry *level = block(2.5f);
  lw_navmesh *mesh = bake_with(level, 3, 0);
  lw_world *world;
  lw_world_def def = lw_world_def_default();
  def.navmesh = mesh;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  lw_profile *able, *unable;
  lw_profile_def profile = lw_profile_def_default();
  profile.name = "able";
  assert_int_equal(lw_profile_create(&profile, scene_table, &able, NULL), LW_OK);
  profile.name = "unable";
  profile.can_take[LW_LINK_DROP] = false;
  assert_int_equal(lw_profile_create(&profile, scene_table, &unable, NULL), LW_OK);
  const lw_vec3 roof = {0, 2.5f, 0}, ground = {9, 0, 0};
  assert_true(length_for(world, able, roof, ground) < 13);
  assert_true(length_for(world, unable, roof, ground) == INFINITY);
  assert_true(length_for(world, able, ground, roof) == INFINITY); /* nobody drops upwards */
  lw_world_destroy(world);
  lw_profile_destroy(able);
  lw_profile_destroy(unable);
  lw_navmesh_destroy(mesh);
  lw_geometry_destroy(level);
}

/* Blocks of all heights, some railed, some hollow. */
static lw_geometry *random_level(lw_random *random, int boxes) {
  lw_geometry *level = scene_geometry(scene_table);
  add_slab(level, 0, 0, 0, 60, 40);
  for (int i = 0; i < boxes; i++) {
    const lw_geometry_box box = {.at = {50 * lwi_random_unit(random) - 25, 2.5f * lwi_random_unit(random),
                                        30 * lwi_random_unit(random) - 15},
                                 .size = {1 + 6 * lwi_random_unit(random), 0.2f + 2 * lwi_random_unit(random),
                                          1 + 6 * lwi_random_unit(random)},
                                 .yaw = 3 * lwi_random_unit(random),
                                 .area = lwi_random_unit(random) < 0.8f ? SCENE_GROUND : LW_AREA_NONE};
    assert_int_equal(lw_geometry_add_box(level, &box, NULL), LW_OK);
  }
  return level;
}

static void links_in_random_levels_are_free_and_none_is_missing(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 1);
  int total = 0;
  for (int round = 0; round < 12; round++) {
    const found there = find_in(random_level(&random, 40), 3, 2.5f);
    total += there.drops + there.jumps;
  }
  printf("note: seed %d: %d links in 12 random levels\n", SEED, total);
  assert_true(total > 200);
}

static void any_number_of_threads_finds_the_same(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 2);
  lw_geometry *level = random_level(&random, 60);
  file_bytes one = {0};
  for (int threads = 1; threads <= 4; threads++) {
    lw_bake_settings settings = settings_of(3, 2);
    settings.threads = threads;
    lw_navmesh *mesh = scene_bake(level, &settings, NULL);
    assert_true(lw_navmesh_link_count(mesh) > 10);
    if (threads == 1)
      one = navmesh_bytes(mesh);
    else {
      file_bytes other = navmesh_bytes(mesh);
      assert_int_equal(one.size, other.size);
      assert_memory_equal(one.data, other.data, one.size);
      free(other.data);
    }
    lw_navmesh_destroy(mesh);
  }
  free(one.data);
  lw_geometry_destroy(level);
}

/* A box is added, another one moved: each time the rebuild has the bytes of a whole bake. */
static void a_rebuild_finds_the_links_of_a_whole_bake(void **state) {
  (void)state;
  lw_bake_settings settings = settings_of(3, 2);
  settings.bounds = (lw_box){{-30, -2, -20}, {30, 8, 20}};
  lw_random level_random = lwi_random_make(SEED, 3), random = lwi_random_make(SEED, 4);
  const lw_random same = level_random;
  lw_geometry *level = random_level(&level_random, 30);
  lw_navmesh *mesh = scene_bake(level, &settings, NULL);
  lw_geometry_destroy(level);
  lw_box before = {{0, 0, 0}, {0, 0, 0}};
  for (int round = 0; round < 12; round++) {
    const lw_vec3 at = {40 * lwi_random_unit(&random) - 20, 0, 24 * lwi_random_unit(&random) - 12};
    const lw_box now = {{at.x - 3, 0, at.z - 3}, {at.x + 3, 3, at.z + 3}};
    level_random = same;
    level = random_level(&level_random, 30);
    add_box(level, at, (lw_vec3){6, 2.2f, 6}, SCENE_GROUND);
    lw_rebuild_def def = lw_rebuild_def_default();
    def.navmesh = mesh;
    def.geometry = level;
    def.settings = &settings;
    def.changed = round == 0 ? now : lwi_box_add(lwi_box_add(now, before.min), before.max);
    lw_navmesh *rebuilt, *whole = scene_bake(level, &settings, NULL);
    lw_bake_report report;
    lw_error error = {0};
    if (lw_navmesh_rebuild(&def, &rebuilt, &report, &error)) fail_msg("%s", error.text);
    assert_int_equal(report.auto_links, lw_navmesh_link_count(rebuilt));
    assert_true(report.auto_links > 0);
    assert_same_bytes(navmesh_bytes(rebuilt), navmesh_bytes(whole));
    lw_navmesh_destroy(whole);
    lw_navmesh_destroy(mesh);
    lw_geometry_destroy(level);
    mesh = rebuilt;
    before = now;
  }
  lw_navmesh_destroy(mesh);
}

/* Parts have none; a rebuild of what they are merged to finds those of a whole bake. */
static void parts_get_theirs_by_a_rebuild(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 5);
  lw_geometry *level = random_level(&random, 30);
  lw_bake_settings settings = settings_of(3, 2);
  lw_error error = {0};
  lw_navmesh *parts[2], *merged, *rebuilt, *whole = scene_bake(level, &settings, NULL);
  settings.tiles.count = 4;
  assert_int_equal(lw_navmesh_bake(level, &settings, &parts[0], NULL, &error), LW_INVALID);
  assert_string_equal(error.text,
                      "auto_links.drop is 3 m, expected 0 for a part: its neighbours are not known; merge the "
                      "parts, then rebuild one tile with it, which finds the links of all");
  settings.auto_links.drop = settings.auto_links.jump = 0;
  for (int i = 0; i < 2; i++) {
    settings.tiles = (lw_tile_range){4 * i, i ? 1000 : 4};
    assert_int_equal(lw_navmesh_bake(level, &settings, &parts[i], NULL, &error), LW_OK);
  }
  assert_int_equal(lw_navmesh_merge((const lw_navmesh *const *)parts, 2, NULL, &merged, &error), LW_OK);
  settings = settings_of(3, 2);
  lw_rebuild_def def = lw_rebuild_def_default();
  def.navmesh = merged;
  def.geometry = level;
  def.settings = &settings;
  def.changed = (lw_box){{0, 0, 0}, {0, 0, 0}};
  assert_int_equal(lw_navmesh_rebuild(&def, &rebuilt, NULL, &error), LW_OK);
  assert_same_bytes(navmesh_bytes(rebuilt), navmesh_bytes(whole));
  for (int i = 0; i < 2; i++) lw_navmesh_destroy(parts[i]);
  lw_navmesh_destroy(merged);
  lw_navmesh_destroy(rebuilt);
  lw_navmesh_destroy(whole);
  lw_geometry_destroy(level);
}

/* --- mistakes and memory ---------------------------------------------------------------------------------- */

static void numbers_out_of_range_are_refused(void **state) {
  (void)state;
  static const struct {
    float drop, jump;
    const char *text;
  } wrong[] = {{-1, 0, "auto_links.drop is -1, expected a number >= 0 and <= 100 m"},
               {101, 0, "auto_links.drop is 101, expected a number >= 0 and <= 100 m"},
               {0, NAN, "auto_links.jump is nan, expected a number >= 0 and <= 100 m"},
               {0, INFINITY, "auto_links.jump is inf, expected a number >= 0 and <= 100 m"}};
  lw_geometry *level = block(1);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const lw_bake_settings settings = settings_of(wrong[i].drop, wrong[i].jump);
    lw_navmesh *mesh;
    lw_error error = {0};
    assert_int_equal(lw_navmesh_bake(level, &settings, &mesh, NULL, &error), LW_INVALID);
    assert_string_equal(error.text, wrong[i].text);
  }
  lw_geometry_destroy(level);
}

/* Each allocation of a bake fails in turn. */
static void without_memory_a_bake_fails_and_leaks_nothing(void **state) {
  (void)state;
  lw_geometry *level = block(2);
  bool done = false;
  for (int left = 0; !done; left++) {
    support_memory memory = {.left = left};
    const lw_allocator allocator = support_allocator(&memory);
    lw_bake_settings settings = settings_of(3, 2);
    settings.threads = 1;
    settings.allocator = &allocator;
    lw_navmesh *mesh;
    const lw_status status = lw_navmesh_bake(level, &settings, &mesh, NULL, NULL);
    done = status == LW_OK;
    assert_true(done || status == LW_OUT_OF_MEMORY || status == LW_BAKE_FAILED);
    if (done) assert_true(lw_navmesh_link_count(mesh) > 0);
    lw_navmesh_destroy(mesh);
    assert_int_equal(memory.bytes, 0);
  }
  lw_geometry_destroy(level);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(drops_lead_off_a_block_on_all_sides),
      cmocka_unit_test(none_leads_off_what_is_too_high),
      cmocka_unit_test(none_leads_off_a_step),
      cmocka_unit_test(a_railing_stops_a_drop_and_a_kerb_does_not),
      cmocka_unit_test(a_shelf_under_the_edge_stops_a_drop),
      cmocka_unit_test(a_beam_before_the_edge_stops_a_drop),
      cmocka_unit_test(no_drop_leads_down_beside_stairs),
      cmocka_unit_test(a_drop_ends_on_the_next_floor_below),
      cmocka_unit_test(none_leads_through_a_floor_or_a_wall),
      cmocka_unit_test(jumps_lead_over_a_gap_in_both_directions),
      cmocka_unit_test(none_leads_over_a_gap_that_is_too_wide),
      cmocka_unit_test(a_jump_leads_down_one_way_and_up_a_step),
      cmocka_unit_test(a_beam_over_the_gap_stops_jumps),
      cmocka_unit_test(a_ceiling_over_the_landing_stops_jumps),
      cmocka_unit_test(a_railing_before_the_gap_stops_jumps),
      cmocka_unit_test(a_gap_that_is_quickly_walked_round_has_no_jump),
      cmocka_unit_test(jumps_lead_aslant),
      cmocka_unit_test(links_are_spaced_along_a_border),
      cmocka_unit_test(links_of_the_geometry_are_not_found_again),
      cmocka_unit_test(paths_take_them_unless_the_profile_does_not),
      cmocka_unit_test(links_in_random_levels_are_free_and_none_is_missing),
      cmocka_unit_test(any_number_of_threads_finds_the_same),
      cmocka_unit_test(a_rebuild_finds_the_links_of_a_whole_bake),
      cmocka_unit_test(parts_get_theirs_by_a_rebuild),
      cmocka_unit_test(numbers_out_of_range_are_refused),
      cmocka_unit_test(without_memory_a_bake_fails_and_leaks_nothing),
  };
  return cmocka_run_group_tests(tests, scene_open, scene_close);
}
