/* The headroom of polygons against the boxes that hang over them, which the navmesh knows nothing of. */
#include "cost/profile.h"
#include "grid_mesh.h"
#include "mesh/mesh.h"

#include "leeward/bake.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define SIDE 40.0f
#define SLABS 40
#define RADIUS 0.4f
#define CELL 0.2f
#define HIGH 0.1f

static uint32_t seed = 1;
static float draw(float low, float high) {
  seed = seed * 1664525u + 1013904223u;
  return low + (high - low) * (float)(seed >> 8) / (float)(1 << 24);
}

typedef struct slab {
  float x0, z0, x1, z1, bottom;
} slab;
static slab slabs[SLABS];

static void add_box(lw_geometry *geometry, lw_vec3 at, lw_vec3 size, lw_area_id area) {
  const lw_geometry_box box = {.at = at, .size = size, .area = area};
  assert_int_equal(lw_geometry_add_box(geometry, &box, NULL), LW_OK);
}

/* A floor at height 0, and slabs over it. */
static lw_geometry *make_level(const lw_area_table *areas) {
  lw_geometry *geometry;
  assert_int_equal(lw_geometry_create(areas, NULL, &geometry), LW_OK);
  add_box(geometry, (lw_vec3){SIDE / 2, -1, SIDE / 2}, (lw_vec3){SIDE, 1, SIDE}, 1);
  for (int i = 0; i < SLABS; i++) {
    const float x = draw(0, SIDE - 4), z = draw(0, SIDE - 4), width = draw(0.3f, 5), depth = draw(0.3f, 5);
    slabs[i] = (slab){x, z, x + width, z + depth, draw(0.6f, 5)};
    add_box(geometry, (lw_vec3){x + width / 2, slabs[i].bottom, z + depth / 2}, (lw_vec3){width, 0.2f, depth},
            LW_AREA_NONE);
  }
  return geometry;
}

/* The lowest slab within some distance of a place, in xz, by squares. */
static float ceiling_at(lw_vec3 at, float reach) {
  float lowest = INFINITY;
  for (int i = 0; i < SLABS; i++) {
    const slab *s = &slabs[i];
    if (at.x >= s->x0 - reach && at.x <= s->x1 + reach && at.z >= s->z0 - reach && at.z <= s->z1 + reach)
      lowest = fminf(lowest, s->bottom);
  }
  return lowest;
}

static lw_navmesh *bake(const lw_geometry *geometry, float crouch_height, bool is_cut) {
  lw_bake_settings settings = lw_bake_settings_default();
  settings.cell_size = CELL;
  settings.cell_height = HIGH;
  settings.agent_radius = RADIUS;
  settings.occluders = settings.cover.segments = false;
  settings.openness_range = 0;
  settings.limits.crouch_height = crouch_height;
  if (is_cut) settings.limits.heights = (lw_bake_list){{1.1f, 2, 3}, 3};
  lw_navmesh *mesh;
  assert_int_equal(lw_navmesh_bake(geometry, &settings, &mesh, NULL, NULL), LW_OK);
  assert_int_equal(lw_navmesh_validate(mesh, NULL), LW_OK);
  return mesh;
}

/* Look at places all over a polygon. @param[out] above, around  The lowest ceiling over one, and about one. */
static void look(const lw_navmesh *mesh, uint32_t index, float *above, float *around) {
  enum { LATTICE = 60 };
  const lwi_polygon polygon = lwi_polygon_get(mesh, index);
  const lwi_frame frame = lwi_polygon_frame(&polygon);
  *above = *around = INFINITY;
  for (int i = 0; i < LATTICE * LATTICE; i++) {
    const lw_vec3 at = {frame.min_x + frame.size_x * ((float)(i % LATTICE) + 0.5f) / LATTICE, 0,
                        frame.min_z + frame.size_z * ((float)(i / LATTICE) + 0.5f) / LATTICE};
    if (!lwi_polygon_holds(&polygon, at, 0)) continue;
    *above = fminf(*above, ceiling_at(at, 0));
    *around = fminf(*around, ceiling_at(at, RADIUS + 2 * CELL));
  }
}

static void it_is_never_more_than_there_is_and_hardly_less(void **state) {
  (void)state;
  static const char *const names[] = {"ground"};
  lw_area_table *areas = support_areas(names, 1);
  for (int run = 0; run < 6; run++) {
    lw_geometry *geometry = make_level(areas);
    const float crouch_height = run % 2 ? 0.5f : 0;
    lw_navmesh *mesh = bake(geometry, crouch_height, run >= 2);
    int low = 0;
    for (uint32_t p = 0; p < mesh->polygons.count; p++) {
      float above, around;
      look(mesh, p, &above, &around);
      const float found = lwi_headroom_of(mesh->polygons.headrooms[p]);
      low += found < 1.8f;
      if (found > above + 1e-4f) fail_msg("polygon %u: %g m, under %g m", p, (double)found, (double)above);
      if (found < fminf(around, 12.7f) - 2 * HIGH - 0.05f - 1e-4f)
        fail_msg("polygon %u: %g m, under no less than %g m", p, (double)found, (double)around);
    }
    if (crouch_height > 0)
      assert_true(low > 5);
    else
      assert_int_equal(low, 0);
    lw_navmesh_destroy(mesh);
    lw_geometry_destroy(geometry);
  }
  lw_area_table_destroy(areas);
}

/* The part of the ground that agents of a height may enter, by cells of a lattice that are that far from lower slabs. */
static void ground_is_cut_along_heights(void **state) {
  (void)state;
  static const char *const names[] = {"ground"};
  lw_area_table *areas = support_areas(names, 1);
  lw_geometry *geometry = make_level(areas);
  lw_navmesh *mesh = bake(geometry, 0.5f, true);
  const float heights[] = {1.1f, 1.8f, 2, 3};
  for (int i = 0; i < 4; i++) {
    lw_filter filter = lw_filter_all();
    filter.height = heights[i];
    int free = 0, kept = 0;
    for (int k = 0; k < 200 * 200; k++) {
      const lw_vec3 at = {SIDE * ((float)(k % 200) + 0.5f) / 200, 0, SIDE * ((float)(k / 200) + 0.5f) / 200};
      const float border = fminf(fminf(at.x, SIDE - at.x), fminf(at.z, SIDE - at.z));
      /* The radius, two cells for the border and one of rounding; two voxels of height. */
      if (border < RADIUS + 2 * CELL || ceiling_at(at, RADIUS + 4 * CELL) < heights[i] + 2 * HIGH + 0.05f)
        continue;
      lw_location found;
      free += 1;
      kept += lw_navmesh_nearest(mesh, at, (lw_vec3){0.02f, 0.5f, 0.02f}, &filter, &found) == LW_OK;
    }
    assert_true(free > 2000);
    if (kept < free * 98 / 100) fail_msg("%g m: %d of %d places are kept", (double)heights[i], kept, free);
  }
  lw_navmesh_destroy(mesh);
  lw_geometry_destroy(geometry);
  lw_area_table_destroy(areas);
}

static void steps_are_rounded_down_and_ground_for_the_height_of_the_bake_is_for_it(void **state) {
  (void)state;
  assert_int_equal(lwi_headroom_byte(1.8), 36);
  assert_int_equal(lwi_headroom_byte(1.84), 36);
  assert_int_equal(lwi_headroom_byte(12.74), 254);
  assert_int_equal(lwi_headroom_byte(12.75), LWI_HEADROOM_OPEN);
  assert_int_equal(lwi_headroom_byte(1e9), LWI_HEADROOM_OPEN);
  assert_true(lwi_has_headroom(36, 1.8f, 0));
  assert_false(lwi_has_headroom(36, 1.81f, 0));
  assert_true(lwi_has_headroom(36, 1.81f, 1.82f)); /* the bake kept it for 1.82 m, which is no whole step */
  assert_false(lwi_has_headroom(35, 1.81f, 1.82f));
  assert_true(lwi_has_headroom(LWI_HEADROOM_OPEN, 999, 0));
  assert_true(lwi_has_headroom(0, 0, 0));
}

static void a_definition_may_say_that_it_is_unknown(void **state) {
  (void)state;
  static const char *const names[] = {"ground"};
  const lw_vec3 vertices[] = {{0, 0, 0}, {9, 0, 0}, {9, 0, 9}, {0, 0, 9}, {18, 0, 0}, {18, 0, 9}};
  const int corners[] = {0, 1, 2, 3, 1, 4, 5, 2}, corner_counts[] = {4, 4};
  const float headrooms[] = {INFINITY, 1.2f};
  lw_area_table *areas = support_areas(names, 1);
  lw_navmesh_def def = lw_navmesh_def_default();
  def.areas = areas;
  def.vertices = vertices;
  def.vertex_count = 6;
  def.corners = corners;
  def.corner_counts = corner_counts;
  def.polygon_count = 2;
  def.headrooms = headrooms;
  lw_navmesh *mesh;
  assert_int_equal(lw_navmesh_create(&def, &mesh, NULL), LW_OK);
  assert_int_equal(mesh->polygons.headrooms[0], LWI_HEADROOM_OPEN);
  assert_int_equal(mesh->polygons.headrooms[1], 24);
  lw_navmesh_destroy(mesh);
  const float wrong[] = {NAN, 1};
  def.headrooms = wrong;
  assert_int_equal(lw_navmesh_create(&def, &mesh, NULL), LW_INVALID);
  lw_area_table_destroy(areas);
}

static void stances_are_as_much_lower_as_their_bodies(void **state) {
  (void)state;
  static const char *const names[] = {"ground"};
  lw_area_table *areas = support_areas(names, 1);
  lw_profile_def def = lw_profile_def_default();
  lw_profile *profile;
  assert_int_equal(lw_profile_create(&def, areas, &profile, NULL), LW_OK);
  assert_float_equal(lw_profile_stance_height(profile, LW_STAND), 1.75, 1e-6);
  assert_float_equal(lw_profile_stance_height(profile, LW_CROUCH), 1.05, 1e-6);
  assert_float_equal(lw_profile_stance_height(profile, 99), 1.75, 1e-6);
  assert_float_equal(lw_profile_filter(profile).height, 1.05, 1e-6);
  assert_float_equal(lwi_price_of_low(&profile->prices, 21, 0), 1, 1e-6);
  assert_float_equal(lwi_price_of_low(&profile->prices, 35, 0), 0, 1e-6);
  assert_true(lwi_price_of_low(&profile->prices, 20, 0) == INFINITY);
  lw_profile_destroy(profile);
  def.body.can_crouch = false;
  assert_int_equal(lw_profile_create(&def, areas, &profile, NULL), LW_OK);
  assert_float_equal(lw_profile_filter(profile).height, 1.75, 1e-6);
  assert_true(lwi_price_of_low(&profile->prices, 34, 0) == INFINITY);
  lw_profile_destroy(profile);
  lw_area_table_destroy(areas);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_is_never_more_than_there_is_and_hardly_less),
      cmocka_unit_test(ground_is_cut_along_heights),
      cmocka_unit_test(steps_are_rounded_down_and_ground_for_the_height_of_the_bake_is_for_it),
      cmocka_unit_test(a_definition_may_say_that_it_is_unknown),
      cmocka_unit_test(stances_are_as_much_lower_as_their_bodies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
