/* Cover in little scenes whose walls are known. */
#include "core/vec3.h"
#include "cover_scene.h"
#include "mesh/mesh.h"

#include "leeward/world.h"
#include "temp_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Where a wall is, walls' corners are on a lattice of a millimetre. [m] */
#define EXACT 0.002f
/* The mesh ends in steps of its cells, so cover that ends with the ground does too. [m] */
#define CELLS 0.6f

static void tell(const cover_scene *s) {
  for (int i = 0; i < s->count; i++) {
    const lw_cover_segment *f = &s->found[i];
    print_message("(%g %g %g) to (%g %g %g), %g to %g, normal (%g %g), %s\n", (double)f->a.x, (double)f->a.y,
                  (double)f->a.z, (double)f->b.x, (double)f->b.y, (double)f->b.z, (double)f->bottom,
                  (double)f->top, (double)f->normal.x, (double)f->normal.z, lw_cover_kind_name(f->kind));
  }
}

static bool is_near(lw_vec3 a, lw_vec3 b, float slack) {
  return lwi_distance(a, b) <= slack;
}

/* The one segment with these ends, from left to right as seen facing it. */
static const lw_cover_segment *need(const cover_scene *s, lw_vec3 a, lw_vec3 b, float slack) {
  const lw_cover_segment *found = NULL;
  for (int i = 0; i < s->count; i++) {
    if (!is_near(s->found[i].a, a, slack) || !is_near(s->found[i].b, b, slack)) continue;
    assert_null(found);
    found = &s->found[i];
  }
  if (!found) {
    tell(s);
    fail_msg("nothing from (%g %g %g) to (%g %g %g)", (double)a.x, (double)a.y, (double)a.z, (double)b.x,
             (double)b.y, (double)b.z);
    return NULL;
  }
  lw_vec3 along = lwi_scale(lwi_sub(b, a), 1 / lwi_distance_xz(a, b));
  assert_true(is_near(found->normal, lwi_vec3(-along.z, 0, along.x), 0.02f));
  return found;
}

static void assert_height(const lw_cover_segment *segment, float bottom, float top) {
  assert_float_equal(segment->bottom, bottom, EXACT);
  assert_float_equal(segment->top, top, EXACT);
}

static void a_box_has_a_side_each(void **state) {
  (void)state;
  cover_scene s = cover_begin((lw_vec3){0, 0, 0});
  cover_add_box(&s, (lw_vec3){10, 0, 10}, (lw_vec3){2, 1.2f, 3}, 0, LW_COVER_HARD);
  cover_bake(&s);
  assert_int_equal(s.count, 4);
  const lw_vec3 corners[] = {{9, 0, 11.5f}, {11, 0, 11.5f}, {11, 0, 8.5f}, {9, 0, 8.5f}};
  for (int i = 0; i < 4; i++) {
    const lw_cover_segment *side = need(&s, corners[i], corners[(i + 1) % 4], EXACT);
    assert_height(side, 0, 1.2f);
    assert_true(side->low && !side->high && side->kind == LW_COVER_HARD);
  }
  cover_end(&s);
}

static void a_pillar_of_many_sides_has_cover_all_round(void **state) {
  (void)state;
  enum { SIDES = 16 };
  cover_scene s = cover_begin((lw_vec3){0, 0, 0});
  lw_vec3 vertices[2 * SIDES];
  int indices[6 * SIDES];
  for (int i = 0; i < SIDES; i++) {
    float angle = 6.2831853f * (float)i / SIDES;
    vertices[i] = (lw_vec3){10 + 0.6f * cosf(angle), 0, 10 + 0.6f * sinf(angle)};
    vertices[SIDES + i] = lwi_add(vertices[i], lwi_vec3(0, 3, 0));
    const int next = (i + 1) % SIDES, corners[] = {i, next, SIDES + i, next, SIDES + next, SIDES + i};
    memcpy(indices + 6 * i, corners, sizeof corners);
  }
  lw_geometry_mesh mesh = {
      .vertices = vertices, .vertex_count = 2 * SIDES, .indices = indices, .triangle_count = 2 * SIDES};
  assert_int_equal(lw_geometry_add_mesh(s.geometry, &mesh, NULL), LW_OK);
  cover_bake(&s);
  float round = 0;
  assert_in_range(s.count, 6, 16);
  for (int i = 0; i < s.count; i++) {
    lw_vec3 middle = lwi_lerp(s.found[i].a, s.found[i].b, 0.5f), out = {middle.x - 10, 0, middle.z - 10};
    assert_true(lwi_dot(out, s.found[i].normal) > 0.5f && lwi_length(out) > 0.5f && lwi_length(out) <= 0.6f);
    assert_true(s.found[i].high);
    round += lwi_distance(s.found[i].a, s.found[i].b);
  }
  assert_float_equal(round, 6.2831853f * 0.6f, 0.15f);
  cover_end(&s);
}

static void a_thin_wall_has_two_sides(void **state) {
  (void)state;
  cover_scene s = cover_begin((lw_vec3){0, 0, 0});
  cover_add_box(&s, (lw_vec3){10, 0, 10}, (lw_vec3){6, 2, 0.05f}, 0, LW_COVER_HARD);
  cover_bake(&s);
  assert_int_equal(s.count, 2); /* nobody finds cover behind its ends */
  assert_true(need(&s, (lw_vec3){7, 0, 10.025f}, (lw_vec3){13, 0, 10.025f}, EXACT)->high);
  assert_height(need(&s, (lw_vec3){13, 0, 9.975f}, (lw_vec3){7, 0, 9.975f}, EXACT), 0, 2);
  cover_end(&s);
}

/* One triangle pair, that hides from both sides. */
static void a_wall_without_thickness_has_two_sides(void **state) {
  (void)state;
  cover_scene s = cover_begin((lw_vec3){0, 0, 0});
  const lw_vec3 vertices[] = {{8, 0, 6}, {8, 0, 12}, {8, 2, 12}, {8, 2, 6}};
  const int indices[] = {0, 1, 2, 0, 2, 3};
  lw_geometry_mesh mesh = {.vertices = vertices, .vertex_count = 4, .indices = indices, .triangle_count = 2};
  assert_int_equal(lw_geometry_add_mesh(s.geometry, &mesh, NULL), LW_OK);
  cover_bake(&s);
  assert_int_equal(s.count, 2);
  need(&s, (lw_vec3){8, 0, 12}, (lw_vec3){8, 0, 6}, EXACT);
  need(&s, (lw_vec3){8, 0, 6}, (lw_vec3){8, 0, 12}, EXACT);
  cover_end(&s);
}

/* Three boxes side by side and a fourth on top of two of them, all faces in one plane, none sharing a
   corner. */
static void pieces_of_one_wall_join_to_one_segment(void **state) {
  (void)state;
  cover_scene s = cover_begin((lw_vec3){0, 0, 0});
  cover_add_box(&s, (lw_vec3){6.05f, 0, 10}, (lw_vec3){2.1f, 1, 1}, 0, LW_COVER_HARD);
  cover_add_box(&s, (lw_vec3){8.35f, 0, 10}, (lw_vec3){2.5f, 1, 1}, 0, LW_COVER_HARD);
  cover_add_box(&s, (lw_vec3){11.3f, 0, 10}, (lw_vec3){3.4f, 2, 1}, 0, LW_COVER_HARD);
  cover_add_box(&s, (lw_vec3){7.3f, 1, 10}, (lw_vec3){4.6f, 1, 1}, 0, LW_COVER_HARD);
  cover_bake(&s);
  assert_height(need(&s, (lw_vec3){5, 0, 10.5f}, (lw_vec3){13, 0, 10.5f}, EXACT), 0, 2);
  assert_height(need(&s, (lw_vec3){13, 0, 9.5f}, (lw_vec3){5, 0, 9.5f}, EXACT), 0, 2);
  assert_int_equal(s.count, 4);
  cover_end(&s);
}

static void a_tessellated_wall_is_one_segment(void **state) {
  (void)state;
  enum { ACROSS = 17, UP = 5 };
  cover_scene s = cover_begin((lw_vec3){0, 0, 0});
  lw_vec3 vertices[(ACROSS + 1) * (UP + 1)];
  int indices[6 * ACROSS * UP], count = 0;
  for (int y = 0; y <= UP; y++)
    for (int x = 0; x <= ACROSS; x++) {
      bool edge = x == 0 || y == 0 || x == ACROSS || y == UP;
      float stray = edge ? 0 : 0.08f * (float)((x * 7 + y * 13) % 5 - 2);
      vertices[y * (ACROSS + 1) + x] = (lw_vec3){4 + 0.7f * (float)x + stray, 0.4f * (float)y + stray, 10};
    }
  for (int y = 0; y < UP; y++)
    for (int x = 0; x < ACROSS; x++) {
      int a = y * (ACROSS + 1) + x, b = a + ACROSS + 1;
      const int corners[] = {a, a + 1, b, a + 1, b + 1, b};
      memcpy(indices + count, corners, sizeof corners);
      count += 6;
    }
  lw_geometry_mesh mesh = {.vertices = vertices,
                           .vertex_count = (ACROSS + 1) * (UP + 1),
                           .indices = indices,
                           .triangle_count = count / 3};
  assert_int_equal(lw_geometry_add_mesh(s.geometry, &mesh, NULL), LW_OK);
  cover_bake(&s);
  assert_int_equal(s.count, 2);
  assert_height(need(&s, (lw_vec3){4, 0, 10}, (lw_vec3){15.9f, 0, 10}, EXACT), 0, 2);
  cover_end(&s);
}

static void a_window_leaves_low_cover(void **state) {
  (void)state;
  cover_scene s = cover_begin((lw_vec3){0, 0, 0});
  cover_add_box(&s, (lw_vec3){6, 0, 10}, (lw_vec3){2, 3, 0.4f}, 0, LW_COVER_HARD);
  cover_add_box(&s, (lw_vec3){8, 0, 10}, (lw_vec3){2, 1, 0.4f}, 0, LW_COVER_HARD);
  cover_add_box(&s, (lw_vec3){8, 2.2f, 10}, (lw_vec3){2, 0.8f, 0.4f}, 0, LW_COVER_HARD);
  cover_add_box(&s, (lw_vec3){10, 0, 10}, (lw_vec3){2, 3, 0.4f}, 0, LW_COVER_HARD);
  cover_bake(&s);
  const lw_cover_segment *sill = need(&s, (lw_vec3){7, 0, 10.2f}, (lw_vec3){9, 0, 10.2f}, EXACT);
  assert_height(sill, 0, 1);
  assert_true(sill->low && !sill->high);
  assert_height(need(&s, (lw_vec3){5, 0, 10.2f}, (lw_vec3){7, 0, 10.2f}, EXACT), 0, 3);
  cover_end(&s);
}

/* A ramp with a parapet that rises with it. */
static void a_parapet_rises_with_its_ramp(void **state) {
  (void)state;
  cover_scene s = cover_begin((lw_vec3){0, 0, 0});
  lw_geometry_ramp ramp = {.from = {4, 0, 10}, .to = {12, 3, 10}, .width = 3, .area = SCENE_GROUND};
  assert_int_equal(lw_geometry_add_ramp(s.geometry, &ramp, NULL), LW_OK);
  const lw_vec3 vertices[] = {{4, 0, 11.5f}, {12, 3, 11.5f}, {12, 4, 11.5f}, {4, 1, 11.5f}};
  const int indices[] = {0, 1, 2, 0, 2, 3};
  lw_geometry_mesh mesh = {.vertices = vertices, .vertex_count = 4, .indices = indices, .triangle_count = 2};
  assert_int_equal(lw_geometry_add_mesh(s.geometry, &mesh, NULL), LW_OK);
  cover_bake(&s);
  float length = 0;
  for (int i = 0; i < s.count; i++) {
    const lw_cover_segment *f = &s.found[i];
    if (f->normal.z > -0.99f || fabsf(f->a.z - 11.5f) > EXACT) continue;
    if (f->a.y < 0.2f && f->b.y < 0.2f) continue; /* the ground before it */
    length += lwi_distance_xz(f->a, f->b);
    assert_float_equal(f->top - f->a.y, 1, 0.1f);
    assert_true(fabsf(f->a.y - 0.375f * (f->a.x - 4)) < 0.15f && fabsf(f->b.y - 0.375f * (f->b.x - 4)) < 0.15f);
    assert_true(f->low && !f->high);
  }
  assert_true(length > 8 - 2 * CELLS);
  cover_end(&s);
}

/* Seen from the ground a staircase is no wall; its side is, as high as its steps are. */
static void risers_are_no_cover(void **state) {
  (void)state;
  cover_scene s = cover_begin((lw_vec3){0, 0, 0});
  for (int i = 0; i < 12; i++) {
    float height = 0.2f * (float)(i + 1);
    lw_geometry_box step = {
        .at = {6 + 0.3f * (float)i, 0, 10}, .size = {0.3f, height, 3}, .area = SCENE_GROUND};
    assert_int_equal(lw_geometry_add_box(s.geometry, &step, NULL), LW_OK);
  }
  cover_bake(&s);
  for (int i = 0; i < s.count; i++) assert_true(s.found[i].normal.x > -0.9f); /* they face -x */
  need(&s, (lw_vec3){9.45f, 0, 11.5f}, (lw_vec3){9.45f, 0, 8.5f}, EXACT);     /* the back */
  cover_end(&s);
}

static void two_floors_have_cover_of_their_own(void **state) {
  (void)state;
  cover_scene s = cover_begin((lw_vec3){0, 0, 0});
  scene_add_floor(s.geometry, (lw_vec3){0, 4, 0}, SIZE, SIZE, SCENE_GROUND);
  cover_add_box(&s, (lw_vec3){10, 0, 10}, (lw_vec3){4, 5.2f, 4}, 0, LW_COVER_HARD);
  cover_bake(&s);
  assert_int_equal(s.count, 8);
  assert_height(need(&s, (lw_vec3){8, 0, 12}, (lw_vec3){12, 0, 12}, EXACT), 0, 5.2f);
  const lw_cover_segment *above = need(&s, (lw_vec3){8, 4, 12}, (lw_vec3){12, 4, 12}, EXACT);
  assert_height(above, 4, 5.2f);
  assert_true(above->low && !above->high);
  cover_end(&s);
}

static void soft_and_hard_cover_are_different_segments(void **state) {
  (void)state;
  cover_scene s = cover_begin((lw_vec3){0, 0, 0});
  cover_add_box(&s, (lw_vec3){6, 0, 10}, (lw_vec3){2, 2, 1}, 0, LW_COVER_SOFT);
  cover_add_box(&s, (lw_vec3){14, 0, 10}, (lw_vec3){2, 2, 1}, 0, LW_COVER_NONE);
  cover_bake(&s);
  assert_int_equal(s.count, 4);
  for (int i = 0; i < 4; i++) assert_int_equal(s.found[i].kind, LW_COVER_SOFT);
  cover_end(&s);
}

static void walls_far_from_any_ground_are_no_cover(void **state) {
  (void)state;
  cover_scene s = cover_begin((lw_vec3){0, 0, 0});
  cover_add_box(&s, (lw_vec3){10, 6, 10}, (lw_vec3){4, 3, 1}, 0, LW_COVER_HARD);    /* over one's head */
  cover_add_box(&s, (lw_vec3){30, 0, 10}, (lw_vec3){4, 3, 1}, 0, LW_COVER_HARD);    /* beside the floor */
  cover_add_box(&s, (lw_vec3){10, 0, 15}, (lw_vec3){4, 0.3f, 1}, 0, LW_COVER_HARD); /* a step */
  cover_bake(&s);
  assert_int_equal(s.count, 0);
  cover_end(&s);
}

/* The same, 5 km away: turned so that no face lies along an axis. */
static void far_from_the_origin_nothing_is_lost(void **state) {
  (void)state;
  lw_cover_segment near_by[SEGMENTS_MAX];
  const lw_vec3 places[] = {{0, 0, 0}, {5000, 40, 5000}};
  int count = 0;
  for (int i = 0; i < 2; i++) {
    cover_scene s = cover_begin(places[i]);
    cover_add_box(&s, lwi_add(places[i], lwi_vec3(6, 0, 8)), (lw_vec3){3, 1.1f, 1}, 0.6f, LW_COVER_HARD);
    cover_add_box(&s, lwi_add(places[i], lwi_vec3(13, 0, 12)), (lw_vec3){0.4f, 2.2f, 5}, -0.3f, LW_COVER_HARD);
    cover_bake(&s);
    cover_ask(&s, places[i], 100);
    if (i == 0) {
      count = s.count;
      memcpy(near_by, s.found, sizeof near_by);
      assert_int_equal(count, 8);
    }
    assert_int_equal(s.count, count);
    for (int k = 0; k < count; k++) {
      const lw_cover_segment *segment =
          need(&s, lwi_add(near_by[k].a, places[i]), lwi_add(near_by[k].b, places[i]), 5 * EXACT);
      assert_float_equal(segment->top, near_by[k].top + places[i].y, 5 * EXACT);
    }
    cover_end(&s);
  }
}

static void designers_may_remove_and_add_cover(void **state) {
  (void)state;
  cover_scene s = cover_begin((lw_vec3){0, 0, 0});
  cover_add_box(&s, (lw_vec3){10, 0, 10}, (lw_vec3){6, 2, 1}, 0, LW_COVER_HARD);
  lw_mark_def where = lw_mark_def_default(LW_MARK_BOX);
  where.at = (lw_vec3){9, 0, 10.5f};
  where.size = (lw_vec3){2, 1, 0.2f};
  assert_int_equal(lw_geometry_forbid_cover(s.geometry, &where, NULL), LW_OK);
  where.at.y = 5; /* over it */
  where.at.z = 9.5f;
  assert_int_equal(lw_geometry_forbid_cover(s.geometry, &where, NULL), LW_OK);
  lw_cover_def hedge = lw_cover_def_default();
  hedge.from = (lw_vec3){2, 0, 3};
  hedge.to = (lw_vec3){5, 0, 3};
  hedge.height = 1.7f;
  hedge.kind = LW_COVER_SOFT;
  hedge.side = LW_COVER_RIGHT_SIDE; /* right of the direction +x: towards +z */
  assert_int_equal(lw_geometry_add_cover(s.geometry, &hedge, NULL), LW_OK);
  cover_bake(&s);
  need(&s, (lw_vec3){7, 0, 10.5f}, (lw_vec3){7.98f, 0, 10.5f}, EXACT); /* the box, and 2 cm */
  need(&s, (lw_vec3){10.02f, 0, 10.5f}, (lw_vec3){13, 0, 10.5f}, EXACT);
  need(&s, (lw_vec3){13, 0, 9.5f}, (lw_vec3){7, 0, 9.5f}, EXACT);
  const lw_cover_segment *added = need(&s, hedge.from, hedge.to, EXACT);
  assert_float_equal(added->normal.z, 1, EXACT);
  assert_height(added, 0, 1.7f);
  assert_true(added->kind == LW_COVER_SOFT && added->low && added->high);
  assert_int_equal(s.count, 6);
  cover_end(&s);
}

static void edits_that_make_no_sense_are_refused(void **state) {
  (void)state;
  cover_scene s = cover_begin((lw_vec3){0, 0, 0});
  lw_error error = {0};
  lw_mark_def path = lw_mark_def_default(LW_MARK_PATH);
  assert_int_equal(lw_geometry_forbid_cover(s.geometry, &path, &error), LW_INVALID);
  assert_string_equal(error.text, "no cover: shape is a path, expected a box or a polygon");
  lw_cover_def def = lw_cover_def_default();
  def.from = (lw_vec3){1, 0, 1};
  def.to = (lw_vec3){1.1f, 3, 1};
  assert_int_equal(lw_geometry_add_cover(s.geometry, &def, &error), LW_INVALID);
  assert_string_equal(error.text, "cover: from and to are 0.1 m apart in xz, expected 0.25 m or more");
  def.to.x = NAN;
  assert_int_equal(lw_geometry_add_cover(s.geometry, &def, &error), LW_INVALID);
  def.to.x = 3;
  def.bottom = 1.5f;
  assert_int_equal(lw_geometry_add_cover(s.geometry, &def, &error), LW_INVALID);
  assert_string_equal(error.text, "cover: height is 1, expected metres > bottom 1.5, at most 1e+06");
  def.bottom = 0;
  def.kind = LW_COVER_NONE;
  assert_int_equal(lw_geometry_add_cover(s.geometry, &def, &error), LW_INVALID);
  lw_geometry_destroy(s.geometry);
}

static void cover_that_nobody_can_stand_at_is_refused(void **state) {
  (void)state;
  const lw_cover_side sides[] = {LW_COVER_BOTH_SIDES, LW_COVER_LEFT_SIDE, LW_COVER_RIGHT_SIDE};
  cover_scene s = cover_begin((lw_vec3){0, 0, 0});
  lw_added_cover added;
  for (int i = 0; i < 6; i++) { /* on the ground, and over one's head */
    lw_cover_def def = lw_cover_def_default();
    def.from = (lw_vec3){2, i < 3 ? 0 : 4, 2 + 2 * (float)i};
    def.to = (lw_vec3){6, def.from.y, def.from.z};
    def.side = sides[i % 3];
    def.height = 1.25f;
    assert_int_equal(lw_geometry_add_cover(s.geometry, &def, NULL), LW_OK);
  }
  cover_bake(&s);
  assert_int_equal(s.count, 4);
  assert_int_equal(lw_navmesh_added_cover_count(s.mesh), 6);
  for (int i = 0; i < 6; i++) {
    assert_int_equal(lw_navmesh_get_added_cover(s.mesh, i, &added), LW_OK);
    assert_int_equal(added.refused, i >= 3);
    assert_int_equal(added.def.side, sides[i % 3]);
    assert_float_equal(added.def.from.x, 2, 0);
    assert_float_equal(added.def.to.x, 6, 0);
    assert_float_equal(added.def.to.z, 2 + 2 * (float)i, 0);
    assert_float_equal(added.def.height, 1.25f, 1e-6);
  }
  assert_int_equal(lw_navmesh_get_added_cover(s.mesh, 6, &added), LW_NOT_FOUND);
  assert_int_equal(lw_navmesh_get_added_cover(s.mesh, -1, &added), LW_NOT_FOUND);
  cover_end(&s);
}

static void it_is_saved_and_loaded(void **state) {
  (void)state;
  cover_scene s = cover_begin((lw_vec3){0, 0, 0});
  for (int i = 0; i < 9; i++)
    cover_add_box(&s, (lw_vec3){3 + 6 * (float)(i % 3), 0, 3 + 6 * (float)(i / 3)}, (lw_vec3){2, 1, 1},
                  (float)i, LW_COVER_HARD);
  cover_bake(&s);
  cover_scene loaded = {.mesh = navmesh_through_file(s.mesh, scene_table)};
  cover_open(&loaded);
  assert_int_equal(loaded.count, 36);
  assert_int_equal(s.count, 36);
  for (int i = 0; i < 36; i++) {
    assert_memory_equal(&loaded.found[i].a, &s.found[i].a, 2 * sizeof(lw_vec3) + 2 * sizeof(float));
    assert_int_equal(loaded.found[i].index, s.found[i].index);
  }
  cover_end(&loaded);
  cover_end(&s);
}

/* At most as many as the capacity, the nearest, in order; none beyond the radius, in 3D. */
static void the_nearest_come_first(void **state) {
  (void)state;
  cover_scene s = cover_begin((lw_vec3){0, 0, 0});
  for (int i = 0; i < 16; i++)
    cover_add_box(&s, (lw_vec3){2.5f + 5 * (float)(i % 4), 0, 2.5f + 5 * (float)(i / 4)}, (lw_vec3){1, 1, 1}, 0,
                  LW_COVER_HARD);
  cover_bake(&s);
  assert_int_equal(s.count, 64);
  cover_ask(&s, (lw_vec3){2.5f, 0, 4}, 1.5f);
  assert_int_equal(s.count, 3); /* the near side, and the corners of two more */
  cover_ask(&s, (lw_vec3){2.5f, 3, 4}, 1.5f);
  assert_int_equal(s.count, 0);
  cover_ask(&s, (lw_vec3){2.5f, 0, 4}, 50);
  cover_scene few = {0};
  lw_cover_segment_query query = lw_cover_segment_query_default();
  query.around = (lw_vec3){2.5f, 0, 4};
  query.radius = 50;
  assert_int_equal(lw_cover_segment_find(s.world, &query, few.found, 7, &few.count), LW_OK);
  assert_int_equal(few.count, 64);
  for (int i = 0; i < 7; i++) assert_int_equal(few.found[i].index, s.found[i].index);
  assert_float_equal(few.found[0].a.z, 3, EXACT);
  query.radius = -1;
  assert_int_equal(lw_cover_segment_find(s.world, &query, few.found, 7, &few.count), LW_INVALID);
  query.radius = 5;
  query.around.x = NAN;
  assert_int_equal(lw_cover_segment_find(s.world, &query, few.found, 7, &few.count), LW_INVALID);
  cover_end(&s);
}

/* Without occluders there still is cover; without cover there still are occluders. */
static void each_may_be_left_out(void **state) {
  (void)state;
  for (int i = 0; i < 4; i++) {
    cover_scene s = cover_begin((lw_vec3){0, 0, 0});
    cover_add_box(&s, (lw_vec3){10, 0, 10}, (lw_vec3){2, 1, 1}, 0, LW_COVER_HARD);
    lw_bake_settings settings = cover_settings();
    settings.occluders = i & 1;
    settings.cover.segments = i & 2;
    s.mesh = scene_bake(s.geometry, &settings, NULL);
    cover_open(&s);
    assert_int_equal(s.count, settings.cover.segments ? 4 : 0);
    assert_int_equal(lw_navmesh_get_stats(s.mesh).occluders > 0, settings.occluders);
    cover_end(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_box_has_a_side_each),
      cmocka_unit_test(a_pillar_of_many_sides_has_cover_all_round),
      cmocka_unit_test(a_thin_wall_has_two_sides),
      cmocka_unit_test(a_wall_without_thickness_has_two_sides),
      cmocka_unit_test(pieces_of_one_wall_join_to_one_segment),
      cmocka_unit_test(a_tessellated_wall_is_one_segment),
      cmocka_unit_test(a_window_leaves_low_cover),
      cmocka_unit_test(a_parapet_rises_with_its_ramp),
      cmocka_unit_test(risers_are_no_cover),
      cmocka_unit_test(two_floors_have_cover_of_their_own),
      cmocka_unit_test(soft_and_hard_cover_are_different_segments),
      cmocka_unit_test(walls_far_from_any_ground_are_no_cover),
      cmocka_unit_test(far_from_the_origin_nothing_is_lost),
      cmocka_unit_test(designers_may_remove_and_add_cover),
      cmocka_unit_test(edits_that_make_no_sense_are_refused),
      cmocka_unit_test(cover_that_nobody_can_stand_at_is_refused),
      cmocka_unit_test(it_is_saved_and_loaded),
      cmocka_unit_test(the_nearest_come_first),
      cmocka_unit_test(each_may_be_left_out),
  };
  return cmocka_run_group_tests_name("cover", tests, scene_open, scene_close);
}
