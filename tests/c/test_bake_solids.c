/* Boxes and ramps are solid: nothing inside one is walkable, whatever reaches into it, and nothing else changes. */
#include "bake_scene.h"

#include "core/random.h"
#include "core/vec3.h"
#include "temp_file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define SEED 20261123
#define BOXES 30
#define POINTS 4000

/* Nothing is eroded, and borders are those of voxels. */
static lw_bake_settings no_radius(void) {
  lw_bake_settings settings = lw_bake_settings_default();
  settings.cell_size = 0.25f;
  settings.agent_radius = 0;
  settings.min_region_area = 0;
  settings.max_edge_error = 0.01f;
  settings.tile_size = 8;
  return settings;
}

static bool stands(const lw_navmesh *navmesh, float x, float y, float z) {
  return lw_navmesh_contains(navmesh, lwi_vec3(x, y, z), 0.3f, NULL);
}

static void add_box(lw_geometry *geometry, lw_vec3 at, lw_vec3 size, lw_area_id area) {
  const lw_geometry_box box = {.at = at, .size = size, .area = area};
  assert_int_equal(lw_geometry_add_box(geometry, &box, NULL), LW_OK);
}

static void add_ramp(lw_geometry *geometry, lw_vec3 from, lw_vec3 to, float width, float thickness) {
  const lw_geometry_ramp ramp = {
      .from = from, .to = to, .width = width, .thickness = thickness, .area = SCENE_GROUND};
  assert_int_equal(lw_geometry_add_ramp(geometry, &ramp, NULL), LW_OK);
}

/* The same triangles, and nothing is known of solids. */
static lw_geometry *hollow_copy(const lw_geometry *geometry) {
  lw_geometry *copy = scene_geometry(scene_table);
  const lw_geometry_mesh mesh = {.vertices = lw_geometry_vertices(geometry),
                                 .vertex_count = lw_geometry_vertex_count(geometry),
                                 .indices = lw_geometry_indices(geometry),
                                 .triangle_count = lw_geometry_triangle_count(geometry),
                                 .areas = lw_geometry_areas(geometry),
                                 .covers = lw_geometry_covers(geometry)};
  assert_int_equal(lw_geometry_add_mesh(copy, &mesh, NULL), LW_OK);
  return copy;
}

static void nothing_in_a_tall_box_is_walkable_and_its_top_stays(void **state) {
  (void)state;
  const float bases[] = {0, 0.05f, 0.1f, 0.25f, 0.3f, 0.7f, -1.3f}; /* on, between and beside voxel planes */
  for (size_t i = 0; i < sizeof bases / sizeof bases[0]; ++i)
    for (int top = 0; top < 2; ++top) {
      const float y = bases[i], high = 3 + 0.03f * (float)i;
      lw_geometry *geometry = scene_geometry(scene_table);
      scene_add_floor(geometry, lwi_vec3(0, y, 0), 20, 20, SCENE_GROUND);
      add_box(geometry, lwi_vec3(10, y, 10), lwi_vec3(6, high, 6), top ? SCENE_ROAD : LW_AREA_NONE);
      lw_navmesh *navmesh = scene_bake(geometry, NULL, NULL);
      assert_false(stands(navmesh, 10, y, 10));
      assert_int_equal(stands(navmesh, 10, y + high, 10), top);
      assert_true(stands(navmesh, 4, y, 10));
      assert_int_equal(lw_navmesh_get_stats(navmesh).islands, 1 + top);
      lw_navmesh_destroy(navmesh);
      lw_geometry_destroy(geometry);
    }
}

/* Ground that rises by 2 m over 20 m: it enters the box below its top on one side and above it on the other. */
static void ground_that_rises_through_a_box_is_cut_where_it_is_inside(void **state) {
  (void)state;
  lw_geometry *geometry = scene_geometry(scene_table);
  const lw_vec3 corners[] = {{0, 0, 20}, {40, 12, 20}, {40, 12, 0}, {0, 0, 0}};
  const int indices[] = {0, 1, 2, 0, 2, 3};
  const lw_geometry_mesh slope = {
      .vertices = corners, .vertex_count = 4, .indices = indices, .triangle_count = 2, .area = SCENE_GROUND};
  assert_int_equal(lw_geometry_add_mesh(geometry, &slope, NULL), LW_OK);
  add_box(geometry, lwi_vec3(20, 1, 10), lwi_vec3(20, 5, 10),
          SCENE_ROAD); /* its top, 6 m, is ground's at x = 20 */
  lw_bake_settings settings = no_radius();
  lw_navmesh *navmesh = scene_bake(geometry, &settings, NULL);
  for (float x = 10.75f; x < 18; x += 0.5f) {
    assert_false(stands(navmesh, x, 0.3f * x, 10));
    assert_true(stands(navmesh, x, 6, 10));
    assert_true(stands(navmesh, x, 0.3f * x, 3));
  }
  for (float x = 21; x < 38; x += 0.5f) assert_true(stands(navmesh, x, 0.3f * x, 10));
  lw_navmesh_destroy(navmesh);
  lw_geometry_destroy(geometry);
}

static void a_box_in_a_box_is_walkable_only_where_it_rises_out_of_it(void **state) {
  (void)state;
  for (int inner_first = 0; inner_first < 2; ++inner_first) {
    lw_geometry *geometry = scene_geometry(scene_table);
    if (!inner_first) add_box(geometry, lwi_vec3(10, 0, 10), lwi_vec3(12, 6, 12), SCENE_GROUND);
    add_box(geometry, lwi_vec3(7, 0, 7), lwi_vec3(3, 2, 3), SCENE_ROAD);
    add_box(geometry, lwi_vec3(13, 2, 13), lwi_vec3(3, 5, 3), SCENE_ROAD);
    add_box(geometry, lwi_vec3(13, 0, 7), lwi_vec3(3, 6, 3), SCENE_GROUND); /* the two tops are one */
    if (inner_first) add_box(geometry, lwi_vec3(10, 0, 10), lwi_vec3(12, 6, 12), SCENE_GROUND);
    scene_add_floor(geometry, lwi_vec3(0, 0, 0), 20, 20, SCENE_GROUND);
    lw_bake_settings settings = no_radius();
    lw_navmesh *navmesh = scene_bake(geometry, &settings, NULL);
    assert_false(stands(navmesh, 7, 2, 7));
    assert_false(stands(navmesh, 7, 0, 7));
    assert_false(stands(navmesh, 10, 0, 10));
    assert_true(stands(navmesh, 13, 7, 13));
    assert_true(stands(navmesh, 13, 6, 7));
    assert_true(stands(navmesh, 7, 6, 7));
    assert_int_equal(lw_navmesh_get_stats(navmesh).islands, 3);
    lw_navmesh_destroy(navmesh);
    lw_geometry_destroy(geometry);
  }
}

/* Storeys of slabs 1 m and 0.2 m thick with walls between, which reach into them by a few centimetres or none. */
static void storeys_keep_all_their_ground(void **state) {
  (void)state;
  for (int overlap = 0; overlap < 8; ++overlap) {
    const float into = 0.01f * (float)overlap;
    lw_geometry *geometry = scene_geometry(scene_table);
    for (int storey = 0; storey < 4; ++storey) {
      const float y = 3.07f * (float)storey, thick = storey == 0 ? 1 : 0.2f;
      add_box(geometry, lwi_vec3(10, y - thick, 10), lwi_vec3(20, thick, 20), SCENE_GROUND);
      for (int side = 0; side < 2; ++side)
        add_box(geometry, lwi_vec3(side ? 19.9f : 0.1f, y - into, 10),
                lwi_vec3(0.2f, 3.07f - 0.2f + 2 * into, 20), LW_AREA_NONE);
    }
    lw_geometry *hollow = hollow_copy(geometry);
    lw_bake_settings settings = no_radius();
    lw_navmesh *navmesh = scene_bake(geometry, &settings, NULL), *same = scene_bake(hollow, &settings, NULL);
    for (int storey = 0; storey < 4; ++storey) assert_true(stands(navmesh, 10, 3.07f * (float)storey, 10));
    assert_same_bytes(navmesh_bytes(navmesh), navmesh_bytes(same));
    lw_navmesh_destroy(navmesh);
    lw_navmesh_destroy(same);
    lw_geometry_destroy(geometry);
    lw_geometry_destroy(hollow);
  }
}

static void nothing_in_a_ramp_is_walkable_and_its_slope_stays(void **state) {
  (void)state;
  for (int turned = 0; turned < 2; ++turned) {
    const lw_vec3 low = turned ? lwi_vec3(5, 0, 4) : lwi_vec3(4, 0, 10), high = lwi_vec3(16, 6, 14);
    const lw_vec3 to = turned ? high : lwi_vec3(16, 6, 10);
    for (int thick = 0; thick < 2; ++thick) {
      lw_geometry *geometry = scene_floor(scene_table, 20, 20);
      add_ramp(geometry, turned ? to : low, turned ? low : to, 5, thick ? 0.4f : 0);
      lw_bake_settings settings = no_radius();
      lw_navmesh *navmesh = scene_bake(geometry, &settings, NULL);
      for (float t = 0.05f; t < 0.97f; t += 0.05f) {
        const lw_vec3 p = lwi_lerp(low, to, t);
        assert_true(stands(navmesh, p.x, p.y, p.z));
        if (t > 0.5f) assert_int_equal(stands(navmesh, p.x, 0, p.z), thick); /* there is room below */
      }
      assert_int_equal(lw_navmesh_get_stats(navmesh).islands, 1);
      lw_navmesh_destroy(navmesh);
      lw_geometry_destroy(geometry);
    }
  }
}

/* Tiles that hold nothing of the box but its roof, also where the roof is above what is baked. */
static void a_box_over_many_tiles_is_solid_in_each(void **state) {
  (void)state;
  lw_geometry *geometry = scene_floor(scene_table, 60, 60);
  const lw_geometry_box box = {.at = {30, 0, 30}, .size = {40, 12, 38}, .yaw = 0.2f, .area = LW_AREA_NONE};
  assert_int_equal(lw_geometry_add_box(geometry, &box, NULL), LW_OK);
  lw_bake_settings settings = no_radius();
  for (int cut = 0; cut < 2; ++cut) {
    if (cut) settings.bounds = (lw_box){{0, -1, 0}, {60, 4, 60}};
    for (settings.tile_size = 5; settings.tile_size <= 80; settings.tile_size *= 4) {
      lw_navmesh *navmesh = scene_bake(geometry, &settings, NULL);
      const lw_navmesh_stats stats = lw_navmesh_get_stats(navmesh);
      assert_int_equal(stats.islands, 1);
      assert_float_equal(stats.area, 60 * 60 - 40 * 38, 100);
      lw_navmesh_destroy(navmesh);
    }
  }
  lw_geometry_destroy(geometry);
}

/* --- random levels --- */

typedef struct level {
  lw_geometry_box boxes[BOXES];
  lw_geometry *geometry, *hollow;
} level;

static float between(lw_random *random, float low, float high) {
  return low + (high - low) * lwi_random_unit(random);
}

/* No box is so low that ground and top are one slope. */
static level draw_level(lw_random *random) {
  level drawn = {.geometry = scene_floor(scene_table, 40, 40)};
  for (int i = 0; i < BOXES; ++i) {
    drawn.boxes[i] = (lw_geometry_box){
        .at = {between(random, 7, 33), i % 3 ? 0 : between(random, -1, 3), between(random, 7, 33)},
        .size = {between(random, 0.1f, 9), between(random, 2, 6), between(random, 0.1f, 9)},
        .yaw = i % 2 ? between(random, 0, 6) : 0,
        .area = i % 4 ? SCENE_ROAD : LW_AREA_NONE};
    assert_int_equal(lw_geometry_add_box(drawn.geometry, &drawn.boxes[i], NULL), LW_OK);
  }
  drawn.hollow = hollow_copy(drawn.geometry);
  return drawn;
}

/* How deep a point is inside the box; < 0: outside. Its bottom counts as inside. [m] */
static float depth_in(const lw_geometry_box *box, lw_vec3 p) {
  const lw_vec3 d = lwi_sub(p, box->at);
  const float x = d.x * cosf(box->yaw) - d.z * sinf(box->yaw), z = d.x * sinf(box->yaw) + d.z * cosf(box->yaw);
  const float beside = fminf(box->size.x / 2 - fabsf(x), box->size.z / 2 - fabsf(z));
  return fminf(beside, fminf(box->size.y - d.y, d.y + 0.5f));
}

/* What is inside a box is no ground, and what is not is ground as it is without solids. */
static void only_what_is_inside_boxes_differs_from_hollow_ones(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 0);
  lw_bake_settings settings = no_radius();
  settings.agent_climb = 0; /* no slope leads over the step from one top to another */
  int gone = 0, kept = 0;
  for (int round = 0; round < 12; ++round) {
    level drawn = draw_level(&random);
    lw_navmesh *navmesh = scene_bake(drawn.geometry, &settings, NULL);
    lw_navmesh *hollow = scene_bake(drawn.hollow, &settings, NULL);
    for (int i = 0; i < POINTS; ++i) {
      lw_vec3 p = {between(&random, 0, 40), 0, between(&random, 0, 40)};
      if (i % 2) p.y = drawn.boxes[i % BOXES].at.y + drawn.boxes[i % BOXES].size.y;
      float depth = -INFINITY;
      for (int k = 0; k < BOXES; ++k) depth = fmaxf(depth, depth_in(&drawn.boxes[k], p));
      if (fabsf(depth) < 0.4f && fabsf(depth) > 1e-4f) continue; /* within cells of a side, or of a top above */
      const bool solid = depth > 1e-4f, before = stands(hollow, p.x, p.y, p.z);
      const bool now = stands(navmesh, p.x, p.y, p.z);
      if (now != (before && !solid))
        fail_msg("seed %d, round %d: (%g, %g, %g), %g m inside a box, is %swalkable", SEED, round, (double)p.x,
                 (double)p.y, (double)p.z, (double)depth, now ? "" : "not ");
      gone += before && solid, kept += now;
    }
    lw_navmesh_destroy(navmesh);
    lw_navmesh_destroy(hollow);
    lw_geometry_destroy(drawn.geometry);
    lw_geometry_destroy(drawn.hollow);
  }
  print_message("note: %d points inside boxes were walkable, %d elsewhere are\n", gone, kept);
  assert_true(gone > 500 && kept > 5000);
}

static void a_rebuild_with_a_box_more_or_less_is_that_of_a_whole_bake(void **state) {
  (void)state;
  lw_bake_settings settings = no_radius();
  settings.openness_range = 0;
  lw_geometry *bare = scene_floor(scene_table, 40, 40), *built = scene_floor(scene_table, 40, 40);
  add_box(built, lwi_vec3(17, 0, 18), lwi_vec3(9, 4, 7), LW_AREA_NONE);
  lw_navmesh *without = scene_bake(bare, &settings, NULL), *with = scene_bake(built, &settings, NULL);
  assert_false(stands(with, 17, 0, 18));
  lw_rebuild_def def = lw_rebuild_def_default();
  def.settings = &settings;
  def.changed = (lw_box){{12.5f, 0, 14.5f}, {21.5f, 4, 21.5f}};
  for (int removed = 0; removed < 2; ++removed) {
    def.navmesh = removed ? with : without;
    def.geometry = removed ? bare : built;
    lw_navmesh *rebuilt;
    assert_int_equal(lw_navmesh_rebuild(&def, &rebuilt, NULL, NULL), LW_OK);
    assert_same_bytes(navmesh_bytes(rebuilt), navmesh_bytes(removed ? without : with));
    lw_navmesh_destroy(rebuilt);
  }
  lw_navmesh_destroy(without);
  lw_navmesh_destroy(with);
  lw_geometry_destroy(bare);
  lw_geometry_destroy(built);
}

static void parts_keep_solids_and_those_of_a_hollow_level_are_others(void **state) {
  (void)state;
  lw_random random = lwi_random_make(SEED, 1);
  level drawn = draw_level(&random);
  lw_bake_settings settings = no_radius();
  lw_navmesh *whole = scene_bake(drawn.geometry, &settings, NULL), *merged;
  settings.tiles.count = 12;
  const lw_navmesh *parts[3];
  for (int i = 0; i < 2; ++i, settings.tiles.first = 12, settings.tiles.count = 13)
    parts[i] = scene_bake(drawn.geometry, &settings, NULL);
  assert_int_equal(lw_navmesh_merge(parts, 2, NULL, &merged, NULL), LW_OK);
  assert_same_bytes(navmesh_bytes(merged), navmesh_bytes(whole));
  lw_navmesh_destroy(merged);
  lw_navmesh *other = scene_bake(drawn.hollow, &settings, NULL);
  lw_error error = {0};
  parts[2] = parts[1], parts[1] = other;
  assert_int_equal(lw_navmesh_merge(parts, 2, NULL, &merged, &error), LW_INVALID);
  assert_non_null(strstr(error.text, "part 2 is of another level than part 1"));
  for (int i = 0; i < 3; ++i) lw_navmesh_destroy((lw_navmesh *)parts[i]);
  lw_navmesh_destroy(whole);
  lw_geometry_destroy(drawn.geometry);
  lw_geometry_destroy(drawn.hollow);
}

static void a_level_inside_a_box_is_refused_by_name(void **state) {
  (void)state;
  lw_geometry *geometry = scene_floor(scene_table, 10, 10);
  add_box(geometry, lwi_vec3(5, -1, 5), lwi_vec3(12, 6, 12), LW_AREA_NONE);
  lw_navmesh *navmesh;
  lw_error error = {0};
  assert_int_equal(lw_navmesh_bake(geometry, NULL, &navmesh, NULL, &error), LW_EMPTY);
  assert_non_null(strstr(error.text, "is of a walkable area, not inside a box or ramp, within agent_slope"));
  lw_geometry_destroy(geometry);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_in_a_tall_box_is_walkable_and_its_top_stays),
      cmocka_unit_test(ground_that_rises_through_a_box_is_cut_where_it_is_inside),
      cmocka_unit_test(a_box_in_a_box_is_walkable_only_where_it_rises_out_of_it),
      cmocka_unit_test(storeys_keep_all_their_ground),
      cmocka_unit_test(nothing_in_a_ramp_is_walkable_and_its_slope_stays),
      cmocka_unit_test(a_box_over_many_tiles_is_solid_in_each),
      cmocka_unit_test(only_what_is_inside_boxes_differs_from_hollow_ones),
      cmocka_unit_test(a_rebuild_with_a_box_more_or_less_is_that_of_a_whole_bake),
      cmocka_unit_test(parts_keep_solids_and_those_of_a_hollow_level_are_others),
      cmocka_unit_test(a_level_inside_a_box_is_refused_by_name),
  };
  return cmocka_run_group_tests_name("bake solids", tests, scene_open, scene_close);
}
