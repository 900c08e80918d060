/* Links between the navmeshes of one world: which join, which agents take them, and partial paths where they do
   not lead. */
#include "allocator.h"
#include "core/vec3.h"
#include "grid_mesh.h"
#include "leeward/leeward.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char *const AREAS[] = {"ground"};

/* --- what joins ---------------------------------------------------------------------------------------------------- */

/* A strip of 10 x 2 m. */
static lw_navmesh *strip(const lw_area_table *areas, float x, float y, float radius, const lw_link_def *link) {
  const lw_vec3 vertices[] = {{x, y, 0}, {x, y, 2}, {x + 10, y, 2}, {x + 10, y, 0}};
  const int corners[] = {0, 1, 2, 3}, counts[] = {4};
  lw_navmesh_def def = lw_navmesh_def_default();
  def.areas = areas;
  def.vertices = vertices;
  def.vertex_count = 4;
  def.corners = corners;
  def.corner_counts = counts;
  def.polygon_count = 1;
  def.links = link;
  def.link_count = link != NULL;
  def.agent_radius = radius;
  lw_navmesh *mesh;
  lw_error error = {0};
  if (lw_navmesh_create(&def, &mesh, &error) != LW_OK) fail_msg("%s", error.text);
  return mesh;
}

static lw_link_def ladder(lw_vec3 from, lw_vec3 to) {
  lw_link_def def = lw_link_def_default();
  def.kind = LW_LINK_LADDER;
  def.from = from;
  def.to = to;
  return def;
}

typedef struct strips {
  lw_area_table *areas;
  lw_navmesh *meshes[2];
  lw_world *world;
} strips;

/* Two strips, the second 12 m on and 4 m higher. @param own  A link of both. */
static strips open_strips(const lw_link_def *own, const lw_link_def *links, int count,
                          const lw_allocator *allocator, lw_status expected) {
  strips s = {.areas = support_areas(AREAS, 1)};
  s.meshes[0] = strip(s.areas, 0, 0, 0.4f, own);
  s.meshes[1] = strip(s.areas, 12, 4, 0.4f, own);
  lw_world_def def = lw_world_def_default();
  def.navmeshes = (const lw_navmesh *const *)s.meshes;
  def.navmesh_count = 2;
  def.links = links;
  def.link_count = count;
  if (allocator) def.allocator = *allocator;
  lw_status status = lw_world_create(&def, &s.world, NULL);
  if (expected == LW_OK) assert_int_equal(status, LW_OK);
  return s;
}

static void close_strips(strips *s) {
  lw_world_destroy(s->world);
  for (int i = 0; i < 2; i++) lw_navmesh_destroy(s->meshes[i]);
  lw_area_table_destroy(s->areas);
}

static void each_link_joins_or_is_refused_with_a_reason(void **state) {
  (void)state;
  const lw_link_def links[] = {
      ladder((lw_vec3){9, 0.2f, 1}, (lw_vec3){13, 4, 1}), ladder((lw_vec3){1, 0, 1}, (lw_vec3){9, 0, 1}),
      ladder((lw_vec3){1, 2, 1}, (lw_vec3){13, 4, 1}),    ladder((lw_vec3){1, 0, 1}, (lw_vec3){13, 7, 1}),
      ladder((lw_vec3){1, 2, 1}, (lw_vec3){13, 7, 1}),
  };
  static const char *const reasons[] = {
      "",
      "both of its ends are nearest to the same navmesh: give it to that navmesh's geometry",
      "the nearest navmesh is 2.00 m from its 'from', more than its radius 1 m",
      "the nearest navmesh is 3.00 m from its 'to', more than its radius 1 m",
      "the nearest navmesh is 2.00 m from its 'from' and 3.00 m from its 'to', more than its radius 1 m",
  };
  strips s = open_strips(NULL, links, 5, NULL, LW_OK);
  assert_int_equal(lw_world_link_count(s.world), 5);
  lw_world_link link;
  for (int i = 0; i < 5; i++) {
    char text[160];
    assert_int_equal(lw_world_get_link(s.world, i, &link), LW_OK);
    lw_link_reason(&link.link, text, sizeof text);
    assert_string_equal(text, reasons[i]);
    assert_int_equal(link.requested_by, -1);
  }
  lw_world_get_link(s.world, 0, &link);
  assert_int_equal(link.from_navmesh, 0);
  assert_int_equal(link.to_navmesh, 1);
  assert_float_equal(link.link.from.point.y, 0, 1e-6f);
  assert_float_equal(link.link.length, sqrtf(4 * 4 + 4 * 4), 1e-5f);
  assert_int_equal(lw_world_get_link(s.world, 5, &link), LW_NOT_FOUND);
  close_strips(&s);
}

static void a_link_of_the_level_joins_where_its_navmeshes_meet(void **state) {
  (void)state;
  lw_link_def own = ladder((lw_vec3){9, 0, 1}, (lw_vec3){13, 4, 1});
  strips s = open_strips(&own, NULL, 0, NULL, LW_OK);
  assert_int_equal(lw_navmesh_get_stats(s.meshes[0]).offmesh_refused, 1);
  assert_int_equal(lw_navmesh_get_stats(s.meshes[1]).offmesh_refused, 1);
  assert_int_equal(lw_world_link_count(s.world), 1); /* both were asked for it */
  lw_world_link link;
  assert_int_equal(lw_world_get_link(s.world, 0, &link), LW_OK);
  assert_int_equal(link.link.state, LW_LINK_JOINED);
  assert_int_equal(link.requested_by, 0);
  assert_int_equal(link.from_navmesh, 0);
  assert_int_equal(link.to_navmesh, 1);
  close_strips(&s);
}

static void links_that_are_not_finite_make_no_world(void **state) {
  (void)state;
  strips s = open_strips(NULL, NULL, 0, NULL, LW_OK);
  lw_link_def bad[2] = {ladder((lw_vec3){9, 0, 1}, (lw_vec3){13, 4, 1}),
                        ladder((lw_vec3){NAN, 0, 1}, (lw_vec3){0, 0, 1})};
  lw_world_def def = lw_world_def_default();
  def.navmesh = s.meshes[0];
  def.links = bad;
  def.link_count = 2;
  lw_world *world;
  lw_error error = {0};
  assert_int_equal(lw_world_create(&def, &world, &error), LW_INVALID);
  assert_non_null(strstr(error.text, "link 2"));
  def.link_count = -1;
  assert_int_equal(lw_world_create(&def, &world, &error), LW_INVALID);
  close_strips(&s);
}

/* --- going there --------------------------------------------------------------------------------------------------- */

static void a_partial_path_goes_over_links_to_the_place_nearest_to_the_goal(void **state) {
  (void)state;
  lw_link_def up = ladder((lw_vec3){9, 0, 1}, (lw_vec3){13, 4, 1});
  strips s = open_strips(NULL, &up, 1, NULL, LW_OK);
  lw_path_query query = lw_path_query_default();
  query.from = lwi_vec3(1, 0, 1);
  query.to = lwi_vec3(40, 4, 1); /* 18 m behind the second strip */
  lw_path *path;
  assert_int_equal(lw_path_find(s.world, NULL, &query, &path), LW_NO_GOAL);
  query.allow_partial = true;
  assert_int_equal(lw_path_find(s.world, NULL, &query, &path), LW_PARTIAL);
  int count;
  const lw_vec3 *points = lw_path_points(path, &count);
  assert_true(lwi_distance(points[count - 1], lwi_vec3(22, 4, 1)) < 1e-3f);
  assert_int_equal(lw_path_navmesh_at(path, count - 1), 1);
  assert_int_equal(lw_path_navmesh_at(path, count), -1);
  lw_path_destroy(path);
  /* The ladder leads up only. */
  query.from = lwi_vec3(20, 4, 1);
  query.to = lwi_vec3(1, 0, 1);
  assert_int_equal(lw_path_find(s.world, NULL, &query, &path), LW_PARTIAL);
  points = lw_path_points(path, &count);
  assert_true(lwi_distance(points[count - 1], lwi_vec3(12, 4, 1)) < 1e-3f);
  lw_path_destroy(path);
  /* A query that names a navmesh stays on it. */
  query.allow_partial = false;
  query.from = lwi_vec3(1, 0, 1);
  query.to = lwi_vec3(20, 4, 1);
  query.navmesh = 0;
  assert_int_equal(lw_path_find(s.world, NULL, &query, &path), LW_NO_GOAL);
  close_strips(&s);
}

/* From (1, 0, 1), where there is only the large navmesh, to (8, y, 1), where the small one fits better, but is
   not to be got onto. @return Index of the navmesh that the path ends on, or -1: there is no path. */
static int end_beside(float y) {
  lw_area_table *areas = support_areas(AREAS, 1);
  lw_navmesh *meshes[] = {strip(areas, 0, 0, 1, NULL), strip(areas, 5, y, 0.4f, NULL)};
  lw_link_def out = ladder((lw_vec3){14, y, 1}, (lw_vec3){1, 0, 1});
  lw_world_def def = lw_world_def_default();
  def.navmeshes = (const lw_navmesh *const *)meshes;
  def.navmesh_count = 2;
  def.links = &out;
  def.link_count = 1;
  lw_world *world;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  lw_path_query query = lw_path_query_default();
  query.from = lwi_vec3(1, 0, 1);
  query.to = lwi_vec3(8, y, 1);
  int fitting, end = -1, count;
  assert_int_equal(lw_world_find_navmesh(world, query.to, query.snap, NULL, &fitting, NULL), LW_OK);
  assert_int_equal(fitting, 1);
  lw_path *path;
  lw_status status = lw_path_find(world, NULL, &query, &path);
  assert_int_equal(status == LW_OK || status == LW_NO_PATH, true);
  if (path) lw_path_points(path, &count);
  if (path) end = lw_path_navmesh_at(path, count - 1);
  lw_path_destroy(path);
  lw_world_destroy(world);
  lw_navmesh_destroy(meshes[0]);
  lw_navmesh_destroy(meshes[1]);
  lw_area_table_destroy(areas);
  return end;
}

static void a_goal_that_the_starts_navmesh_has_as_near_is_reached_on_that(void **state) {
  (void)state;
  assert_int_equal(end_beside(0.1f), 0);
  assert_int_equal(end_beside(2), -1); /* that is another floor */
}

/* Walk up with one agent while another is stopped on the ladder. @return The world's hash at the end. */
static uint64_t climb(void) {
  lw_link_def up = ladder((lw_vec3){9, 0, 1}, (lw_vec3){13, 4, 1});
  strips s = open_strips(NULL, &up, 1, NULL, LW_OK);
  lw_profile *profile;
  lw_profile_def who = lw_profile_def_default();
  who.name = "climber";
  assert_int_equal(lw_profile_create(&who, s.areas, &profile, NULL), LW_OK);
  lw_agent_def def = lw_agent_def_default();
  def.profile = profile;
  lw_agent_id agents[2];
  lw_agent_state of;
  for (int i = 0; i < 2; i++) {
    def.at = lwi_vec3(1 + 2 * (float)i, 0, 1);
    assert_int_equal(lw_agent_spawn(s.world, &def, &agents[i], NULL), LW_OK);
    assert_int_equal(lw_agent_move_to(s.world, agents[i], lwi_vec3(21, 4, 1), 0.1f), LW_OK);
  }
  for (int i = 0; i < 60 * 20; i++) {
    assert_int_equal(lw_world_step(s.world, 1.0f / 60), LW_OK);
    lw_agent_get_state(s.world, agents[1], &of);
    if (of.link != LW_LINK_NONE && of.link_progress > 0.5f && of.move == LW_MOVE_WALKING) {
      assert_int_equal(of.navmesh, 0);
      assert_int_equal(of.footing_navmesh, 1);
      assert_int_equal(lw_agent_stop(s.world, agents[1]), LW_OK);
    }
  }
  for (int i = 0; i < 2; i++) {
    lw_agent_stats stats;
    lw_agent_get_state(s.world, agents[i], &of);
    lw_agent_get_stats(s.world, agents[i], &stats);
    assert_int_equal(of.navmesh, 1);
    assert_int_equal(of.link, LW_LINK_NONE);
    assert_int_equal(stats.off_mesh, 0);
    assert_int_equal(stats.stuck, 0);
    assert_int_equal(stats.goals_reached, i == 0);
    assert_true(lwi_distance(of.position, i == 0 ? lwi_vec3(21, 4, 1) : lwi_vec3(13, 4, 1)) < 0.11f);
  }
  /* The ladder does not lead down. */
  assert_int_equal(lw_agent_move_to(s.world, agents[0], lwi_vec3(1, 0, 1), 0), LW_NO_PATH);
  uint64_t hash = lw_world_hash(s.world);
  lw_agent_despawn(s.world, agents[0]);
  lw_agent_despawn(s.world, agents[1]);
  lw_profile_destroy(profile);
  close_strips(&s);
  return hash;
}

static void agents_change_navmesh_with_the_link_and_runs_repeat(void **state) {
  (void)state;
  assert_true(climb() == climb());
}

typedef struct drawn_line {
  int count;
  lw_vec3 begin; /* of the first */
  float up_to;   /* the greatest height that any reaches, [m] */
} drawn_line;

static void draw_line(void *user, lw_vec3 from, lw_vec3 to, float width, uint32_t color) {
  drawn_line *drawn = user;
  (void)width, (void)color;
  if (drawn->count++ == 0) drawn->begin = from;
  drawn->up_to = fmaxf(drawn->up_to, to.y);
}

static void joined_links_are_drawn_and_refused_ones_are_not(void **state) {
  (void)state;
  const lw_link_def refused = ladder((lw_vec3){1, 2, 1}, (lw_vec3){13, 4, 1});
  const lw_link_def links[] = {refused, ladder((lw_vec3){9, 0, 1}, (lw_vec3){13, 4, 1})};
  drawn_line drawn[2] = {{0}};
  for (int i = 0; i < 2; i++) {
    strips s = open_strips(NULL, links, i + 1, NULL, LW_OK);
    lw_debug_draw draw = {.line = draw_line, .user = &drawn[i]};
    lw_world_debug_draw(s.world, LW_DRAW_LINKS, lw_agent_id_none(), &draw);
    close_strips(&s);
  }
  assert_int_equal(drawn[0].count, 0);
  assert_in_range(drawn[1].count, 20, 60);
  assert_true(lwi_distance(drawn[1].begin, (lw_vec3){9, 0, 1}) < 0.01f && drawn[1].up_to >= 4);
}

static void running_out_of_memory_loses_nothing(void **state) {
  (void)state;
  lw_link_def up = ladder((lw_vec3){9, 0, 1}, (lw_vec3){13, 4, 1});
  bool done = false;
  for (int calls = 0; !done; calls++) {
    assert_true(calls < 1000);
    support_memory memory = {.left = calls};
    lw_allocator allocator = support_allocator(&memory);
    strips s = open_strips(NULL, &up, 1, &allocator, LW_OUT_OF_MEMORY);
    if (s.world) {
      lw_path_query query = lw_path_query_default();
      query.from = lwi_vec3(1, 0, 1);
      query.to = lwi_vec3(21, 4, 1);
      lw_path *path;
      lw_status status = lw_path_find(s.world, NULL, &query, &path);
      done = status == LW_OK;
      if (!done) assert_int_equal(status, LW_OUT_OF_MEMORY);
      lw_path_destroy(path);
    }
    close_strips(&s);
    assert_int_equal(memory.bytes, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_link_joins_or_is_refused_with_a_reason),
      cmocka_unit_test(a_link_of_the_level_joins_where_its_navmeshes_meet),
      cmocka_unit_test(links_that_are_not_finite_make_no_world),
      cmocka_unit_test(a_partial_path_goes_over_links_to_the_place_nearest_to_the_goal),
      cmocka_unit_test(a_goal_that_the_starts_navmesh_has_as_near_is_reached_on_that),
      cmocka_unit_test(agents_change_navmesh_with_the_link_and_runs_repeat),
      cmocka_unit_test(joined_links_are_drawn_and_refused_ones_are_not),
      cmocka_unit_test(running_out_of_memory_loses_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
