/* Off-mesh links: joined, refused with a reason, kept in files and parts. */
#include "allocator.h"
#include "bake_scene.h"

#include "core/random.h"
#include "core/vec3.h"
#include "mesh/sections.h"
#include "temp_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Two floors of 4 x 4 m side by side, 6 m apart, and a third 3 m above the first. */
static const lw_vec3 vertices[] = {{0, 0, 0},  {0, 0, 4},  {4, 0, 4}, {4, 0, 0}, {10, 0, 0}, {10, 0, 4},
                                   {14, 0, 4}, {14, 0, 0}, {0, 3, 0}, {0, 3, 4}, {4, 3, 4},  {4, 3, 0}};
static const int corners[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
static const int counts[] = {4, 4, 4};

static lw_navmesh *try_floors(const lw_link_def *links, int count, lw_error *error) {
  lw_navmesh_def def = lw_navmesh_def_default();
  lw_navmesh *mesh = NULL;
  def.areas = scene_table;
  def.vertices = vertices;
  def.vertex_count = 12;
  def.corners = corners;
  def.corner_counts = counts;
  def.polygon_count = 3;
  def.links = links;
  def.link_count = count;
  lw_navmesh_create(&def, &mesh, error);
  return mesh;
}

static lw_navmesh *floors(const lw_link_def *links, int count) {
  lw_error error = {0};
  lw_navmesh *mesh = try_floors(links, count, &error);
  if (!mesh || lw_navmesh_validate(mesh, &error)) fail_msg("%s", error.text);
  return mesh;
}

static lw_link_def jump(lw_vec3 from, lw_vec3 to) {
  lw_link_def link = lw_link_def_default();
  link.from = from;
  link.to = to;
  return link;
}

static lw_link get(const lw_navmesh *mesh, int index) {
  lw_link link;
  assert_int_equal(lw_navmesh_get_link(mesh, index, &link), LW_OK);
  return link;
}

static void assert_near(lw_vec3 a, lw_vec3 b, float within) {
  if (lwi_distance(a, b) > within)
    fail_msg("(%g, %g, %g) is not (%g, %g, %g)", (double)a.x, (double)a.y, (double)a.z, (double)b.x,
             (double)b.y, (double)b.z);
}

static void assert_reason(const lw_navmesh *mesh, int index, const char *expected) {
  char text[256];
  lw_link link = get(mesh, index);
  lw_link_reason(&link, text, sizeof text);
  assert_string_equal(text, expected);
}

static void a_link_is_moved_onto_the_mesh_and_leads_one_way(void **state) {
  (void)state;
  lw_link_def def = jump((lw_vec3){3.5f, 0.5f, 2}, (lw_vec3){9.5f, 0, 2});
  def.area = SCENE_ROAD;
  lw_navmesh *mesh = floors(&def, 1);
  lw_link link = get(mesh, 0);
  assert_int_equal(link.state, LW_LINK_JOINED);
  assert_near(link.from.point, (lw_vec3){3.5f, 0, 2}, 1e-6f);
  assert_near(link.to.point, (lw_vec3){10, 0, 2}, 1e-6f);
  assert_true(link.from_distance == 0.5f && link.to_distance == 0.5f);
  assert_true(fabsf(link.length - 6.5f) < 1e-6f);
  assert_int_equal(mesh->links.count, 1);
  assert_int_equal(mesh->links.items[0].from, 0);
  assert_int_equal(mesh->links.items[0].to, 1);
  assert_int_equal(mesh->links.items[0].area, SCENE_ROAD);
  assert_int_equal(mesh->links.first[0], 0);
  assert_int_equal(mesh->links.first[1], 1);
  assert_int_equal(mesh->links.first[3], 1);
  assert_reason(mesh, 0, "");
  assert_int_equal(lw_navmesh_get_link(mesh, 1, &link), LW_NOT_FOUND);
  assert_int_equal(lw_navmesh_get_link(mesh, -1, &link), LW_NOT_FOUND);
  lw_navmesh_destroy(mesh);
}

static void a_bidirectional_link_is_two_directions_and_counts_once(void **state) {
  (void)state;
  lw_link_def defs[3];
  defs[0] = jump((lw_vec3){12, 0, 1}, (lw_vec3){2, 0, 1});
  defs[1] = jump((lw_vec3){2, 0, 2}, (lw_vec3){12, 0, 2});
  defs[1].bidirectional = true;
  defs[1].kind = LW_LINK_LADDER;
  defs[1].length = 1.5f;
  defs[2] = jump((lw_vec3){2, 0, 3}, (lw_vec3){2, 3, 3});
  lw_navmesh *mesh = floors(defs, 3);
  lw_navmesh_stats stats = lw_navmesh_get_stats(mesh);
  assert_int_equal(stats.offmesh_links, 3);
  assert_int_equal(stats.offmesh_refused, 0);
  /* By polygon, then as they were asked for. */
  const uint32_t from[] = {0, 0, 1, 1}, to[] = {1, 2, 0, 0};
  const int kind[] = {LW_LINK_LADDER, LW_LINK_JUMP, LW_LINK_JUMP, LW_LINK_LADDER};
  assert_int_equal(mesh->links.count, 4);
  for (int i = 0; i < 4; i++) {
    assert_int_equal(mesh->links.items[i].from, from[i]);
    assert_int_equal(mesh->links.items[i].to, to[i]);
    assert_int_equal(mesh->links.items[i].kind, kind[i]);
  }
  assert_true(mesh->links.items[0].length == 1.5f && mesh->links.items[3].length == 1.5f);
  lw_navmesh_destroy(mesh);
}

static void links_that_cannot_join_are_kept_with_the_reason(void **state) {
  (void)state;
  lw_link_def defs[5];
  defs[0] = jump((lw_vec3){2, 0, 2}, (lw_vec3){7, 0, 2});
  defs[1] = jump((lw_vec3){2, -2, 2}, (lw_vec3){12, 0, 2});
  defs[2] = jump((lw_vec3){-4, 0, 2}, (lw_vec3){18, 0, 2});
  defs[3] = jump((lw_vec3){2, 0, 2}, (lw_vec3){2, 0.4f, 2});
  defs[4] = jump((lw_vec3){2, 0, 2}, (lw_vec3){9.2f, 0, 4.8f}); /* within 1 m along each axis, but not in 3D */
  lw_navmesh *mesh = floors(defs, 5);
  lw_navmesh_stats stats = lw_navmesh_get_stats(mesh);
  assert_int_equal(stats.offmesh_links, 0);
  assert_int_equal(stats.offmesh_refused, 5);
  assert_null(mesh->links.first);
  assert_reason(mesh, 0, "the nearest navmesh is 3.00 m from its 'to', more than its radius 1 m");
  assert_reason(mesh, 1, "the nearest navmesh is 2.00 m from its 'from', more than its radius 1 m");
  assert_reason(
      mesh, 2,
      "the nearest navmesh is 4.00 m from its 'from' and 4.00 m from its 'to', more than its radius 1 m");
  assert_reason(mesh, 3, "both of its ends come to lie at (2.00, 0.00, 2.00)");
  assert_reason(mesh, 4, "the nearest navmesh is 1.13 m from its 'to', more than its radius 1 m");
  assert_int_equal(get(mesh, 0).state, LW_LINK_NO_END);
  assert_int_equal(get(mesh, 1).state, LW_LINK_NO_START);
  assert_int_equal(get(mesh, 2).state, LW_LINK_NO_ENDS);
  assert_int_equal(get(mesh, 3).state, LW_LINK_SAME_PLACE);
  lw_navmesh_destroy(mesh);
}

static void an_end_between_two_floors_takes_the_nearer(void **state) {
  (void)state;
  lw_link_def defs[2];
  defs[0] = jump((lw_vec3){2, 1.4f, 2}, (lw_vec3){12, 0, 2});
  defs[1] = jump((lw_vec3){2, 1.6f, 2}, (lw_vec3){12, 0, 2});
  defs[0].radius = defs[1].radius = 2;
  lw_navmesh *mesh = floors(defs, 2);
  assert_near(get(mesh, 0).from.point, (lw_vec3){2, 0, 2}, 1e-6f);
  assert_near(get(mesh, 1).from.point, (lw_vec3){2, 3, 2}, 1e-6f);
  lw_navmesh_destroy(mesh);
}

static void refuses(lw_link_def link, const char *text) {
  lw_error error = {0};
  lw_link_def defs[2] = {jump((lw_vec3){2, 0, 2}, (lw_vec3){12, 0, 2}), link};
  assert_null(try_floors(defs, 2, &error));
  assert_string_equal(error.text, text);
  lw_geometry *geometry = scene_geometry(scene_table);
  assert_int_equal(lw_geometry_add_link(geometry, &link, &error), LW_INVALID);
  assert_memory_equal(error.text, "link: ", 6);
  assert_string_equal(strchr(error.text, ':'), strchr(text, ':')); /* the same but for its number */
  assert_int_equal(lw_geometry_link_count(geometry), 0);
  lw_geometry_destroy(geometry);
}

static void bad_input_is_named(void **state) {
  (void)state;
  const lw_link_def good = jump((lw_vec3){2, 0, 2}, (lw_vec3){12, 0, 2});
  lw_link_def bad = good;
  bad.from.y = NAN;
  refuses(bad, "link 2 of 2: from is (2, nan, 2), expected finite numbers within +-1e+06 m");
  bad = good, bad.to.x = -INFINITY;
  refuses(bad, "link 2 of 2: to is (-inf, 0, 2), expected finite numbers within +-1e+06 m");
  bad = good, bad.radius = 0;
  refuses(bad, "link 2 of 2: radius is 0, expected metres > 0, at most 1e+06");
  bad = good, bad.length = -2;
  refuses(bad, "link 2 of 2: length is -2, expected -1 (the straight distance) or 0 to 1e+06 m");
  bad = good, bad.kind = LW_LINK_KIND_COUNT;
  refuses(bad, "link 2 of 2: kind is 6, expected 0 to 5");
  bad = good, bad.area = 9;
  refuses(bad, "link 2 of 2: area is 9, expected 0 (none) to 2");
}

/* --- against brute force --- */

/* The nearest place, by looking at every polygon. */
static float brute_nearest(const lw_navmesh *mesh, lw_vec3 p, lw_vec3 *at) {
  double best = INFINITY;
  for (uint32_t i = 0; i < mesh->polygons.count; i++) {
    lwi_polygon polygon = lwi_polygon_get(mesh, i);
    lw_vec3 closest;
    lwi_polygon_closest(&polygon, p, &closest);
    closest.y = lwi_polygon_height(mesh, i, closest.x, closest.z);
    double x = (double)closest.x - p.x, y = (double)closest.y - p.y, z = (double)closest.z - p.z;
    double distance = sqrt(x * x + y * y + z * z);
    if (distance < best) best = distance, *at = closest;
  }
  return (float)best;
}

/* Floors over several tiles, stacked, with a ramp. */
static lw_geometry *level(void) {
  lw_geometry *geometry = scene_floor(scene_table, 30, 30);
  scene_add_floor(geometry, (lw_vec3){4, 3, 4}, 12, 20, SCENE_ROAD);
  scene_add_floor(geometry, (lw_vec3){40, -2, 5}, 10, 15, SCENE_GROUND);
  scene_add_floor(geometry, (lw_vec3){35.2f, 1, 11.2f}, 1.4f, 1.4f,
                  SCENE_GROUND); /* small, over a corner of tiles */
  scene_add_floor(geometry, (lw_vec3){33, 4, 27}, 1.4f, 1.4f, SCENE_GROUND);
  lw_geometry_ramp ramp = {.from = {22, 0, 15}, .to = {16, 3, 15}, .width = 4, .area = SCENE_GROUND};
  assert_int_equal(lw_geometry_add_ramp(geometry, &ramp, NULL), LW_OK);
  return geometry;
}

static lw_bake_settings small_tiles(void) {
  lw_bake_settings settings = lw_bake_settings_default();
  settings.tile_size = 12;
  settings.agent_radius = 0.3f;
  settings.threads = 1;
  return settings;
}

static lw_vec3 somewhere(lw_random *random) {
  return lwi_vec3(-4 + 58 * lwi_random_unit(random), -4 + 10 * lwi_random_unit(random),
                  -4 + 38 * lwi_random_unit(random));
}

#define LINKS 400

static void add_random_links(lw_geometry *geometry, uint64_t seed) {
  lw_random random = lwi_random_make(seed, 0);
  for (int i = 0; i < LINKS; i++) {
    lw_link_def link = jump(somewhere(&random), somewhere(&random));
    link.radius = 0.2f + 8 * lwi_random_unit(&random);
    link.bidirectional = i % 3 == 0;
    link.kind = (lw_link_kind)(i % LW_LINK_KIND_COUNT);
    link.area = i % 5 == 0 ? SCENE_ROAD : LW_AREA_NONE;
    assert_int_equal(lw_geometry_add_link(geometry, &link, NULL), LW_OK);
  }
}

static void check_end(const lw_navmesh *mesh, lw_vec3 asked, const lw_location *at, float distance) {
  lw_vec3 nearest;
  float expected = brute_nearest(mesh, asked, &nearest);
  assert_true(fabsf(expected - distance) < 1e-4f);
  assert_true(fabsf(lwi_distance(asked, at->point) - distance) < 1e-4f);
}

static void ends_are_the_nearest_places_of_all(void **state) {
  (void)state;
  const char *text = getenv("LEEWARD_SEED");
  uint64_t seed = text ? strtoull(text, NULL, 10) : 20261121;
  lw_geometry *geometry = level();
  add_random_links(geometry, seed);
  lw_bake_settings settings = small_tiles();
  lw_navmesh *mesh = scene_bake(geometry, &settings, NULL);
  int joined = 0, directions = 0;
  for (int i = 0; i < lw_navmesh_link_count(mesh); i++) {
    lw_link link = get(mesh, i);
    check_end(mesh, link.def.from, &link.from, link.from_distance);
    check_end(mesh, link.def.to, &link.to, link.to_distance);
    bool from = link.from_distance <= link.def.radius, to = link.to_distance <= link.def.radius;
    lw_link_state expected = from && to ? LW_LINK_JOINED
                             : from     ? LW_LINK_NO_END
                             : to       ? LW_LINK_NO_START
                                        : LW_LINK_NO_ENDS;
    assert_int_equal(link.state, expected);
    joined += link.state == LW_LINK_JOINED;
    if (link.state == LW_LINK_JOINED) directions += link.def.bidirectional ? 2 : 1;
  }
  printf("note: seed %llu: of %d links %d have joined, %d were refused\n", (unsigned long long)seed, LINKS,
         joined, LINKS - joined);
  assert_true(joined > LINKS / 10 && joined < LINKS - LINKS / 10);
  lw_navmesh_stats stats = lw_navmesh_get_stats(mesh);
  assert_int_equal(stats.offmesh_links, joined);
  assert_int_equal(stats.offmesh_refused, LINKS - joined);
  assert_int_equal(mesh->links.count, directions);
  lw_navmesh_destroy(mesh);
  lw_geometry_destroy(geometry);
}

static void an_island_that_a_link_needs_stays_however_small(void **state) {
  (void)state;
  lw_geometry *geometry = scene_floor(scene_table, 10, 10);
  scene_add_floor(geometry, (lw_vec3){14, 2, 4}, 1.2f, 1.2f, SCENE_GROUND); /* with a link */
  scene_add_floor(geometry, (lw_vec3){14, 2, 8}, 1.2f, 1.2f, SCENE_GROUND); /* without */
  scene_add_floor(geometry, (lw_vec3){1, 1, 1}, 1.2f, 1.2f, SCENE_GROUND);  /* a table beside an end */
  lw_link_def links[2] = {jump((lw_vec3){14.6f, 2, 4.6f}, (lw_vec3){5, 0, 5}),
                          jump((lw_vec3){1.6f, 0.8f, 1.6f}, (lw_vec3){5, 0, 5})};
  for (int i = 0; i < 2; i++) assert_int_equal(lw_geometry_add_link(geometry, &links[i], NULL), LW_OK);
  lw_bake_settings settings = lw_bake_settings_default();
  settings.agent_radius = 0;
  settings.agent_height = 0.5f;
  lw_bake_report report;
  lw_navmesh *mesh = scene_bake(geometry, &settings, &report);
  assert_int_equal(report.islands_dropped, 2);
  assert_int_equal(lw_navmesh_get_stats(mesh).islands, 2);
  assert_int_equal(lw_navmesh_get_stats(mesh).offmesh_links, 2);
  assert_true(lw_navmesh_contains(mesh, (lw_vec3){14.6f, 2, 4.6f}, 0.1f, NULL));
  assert_false(lw_navmesh_contains(mesh, (lw_vec3){14.6f, 2, 8.6f}, 0.1f, NULL));
  assert_near(get(mesh, 1).from.point, (lw_vec3){1.6f, 0, 1.6f}, 0.01f); /* the floor, not the table */
  lw_navmesh_destroy(mesh);
  lw_geometry_destroy(geometry);
}

/* --- files and parts --- */

static lw_navmesh *mesh_with_all(void) {
  lw_geometry *geometry = level();
  add_random_links(geometry, 3);
  const lw_vec3 pond[] = {{20, 0, 20}, {20, 0, 28}, {24, 0, 24}, {28, 0, 28}, {28, 0, 20}};
  lw_water_def water = lw_water_def_default();
  water.points = pond, water.point_count = 5, water.level = 0.5f;
  water.shallow = SCENE_ROAD, water.deep = SCENE_ROAD;
  assert_int_equal(lw_geometry_add_water(geometry, &water, NULL), LW_OK);
  lw_bake_settings settings = small_tiles();
  lw_navmesh *mesh = scene_bake(geometry, &settings, NULL);
  lw_geometry_destroy(geometry);
  return mesh;
}

static void links_come_back_from_a_file(void **state) {
  (void)state;
  lw_navmesh *mesh = mesh_with_all();
  lw_navmesh *loaded = navmesh_through_file(mesh, scene_table);
  assert_int_equal(lw_navmesh_validate(loaded, NULL), LW_OK);
  assert_same_bytes(navmesh_bytes(mesh), navmesh_bytes(loaded));
  assert_int_equal(loaded->links.count, mesh->links.count);
  assert_memory_equal(loaded->links.items, mesh->links.items, mesh->links.count * sizeof *mesh->links.items);
  assert_int_equal(lw_navmesh_link_count(loaded), LINKS);
  for (int i = 0; i < LINKS; i++) {
    lw_link a = get(mesh, i), b = get(loaded, i);
    assert_memory_equal(&a, &b, sizeof a);
  }
  float depth;
  assert_int_equal(lw_navmesh_water_depth(loaded, (lw_vec3){21, 0, 21}, &depth), LW_OK);
  assert_true(fabsf(depth - 0.5f) < 1e-3f);
  assert_int_equal(lw_navmesh_water_depth(loaded, (lw_vec3){24, 0, 26}, &depth), LW_OK);
  assert_true(depth == 0); /* the notch */
  lw_navmesh_destroy(loaded);
  lw_navmesh_destroy(mesh);
}

/* All that may be asked of links and waters. */
static void ask_everything(const lw_navmesh *mesh) {
  lw_error error;
  char reason[16];
  float depth;
  for (int i = 0; i < lw_navmesh_link_count(mesh); i++) {
    lw_link link = get(mesh, i);
    lw_link_reason(&link, reason, sizeof reason);
  }
  lw_navmesh_water_depth(mesh, (lw_vec3){21, 0, 21}, &depth);
  lw_navmesh_validate(mesh, &error);
}

/* As if a file held it, with a checksum that is right. */
static void flipped_bits_are_detected_or_harmless(void **state) {
  (void)state;
  static const int sections[] = {LWI_REQUESTS, LWI_REQUESTS, LWI_WATERS, LWI_WATER_POINTS};
  lw_navmesh *mesh = mesh_with_all();
  lw_random random = lwi_random_make(9, 0);
  int found = 0;
  lwi_section_place which;
  for (int round = 0; round < 600; round++) {
    int section = sections[lwi_random_bits(&random) % 4];
    const lwi_section_place place = lwi_section_own(mesh, section);
    unsigned char *bytes = lwi_section_get(&place);
    size_t at = (size_t)(lwi_random_bits(&random) % lwi_section_size(&place));
    unsigned char before = bytes[at];
    bytes[at] ^= (unsigned char)(1u << lwi_random_bits(&random) % 8);
    if (lwi_sections_check(mesh, &which)) {
      found++;
      assert_int_equal(which.position, section);
    } else {
      ask_everything(mesh);
    }
    bytes[at] = before;
  }
  assert_null(lwi_sections_check(mesh, &which));
  assert_true(found > 30);
  lw_navmesh_destroy(mesh);
}

static void parts_join_their_links_when_they_are_merged(void **state) {
  (void)state;
  lw_geometry *geometry = level();
  add_random_links(geometry, 11);
  lw_bake_settings settings = small_tiles();
  lw_navmesh *whole = scene_bake(geometry, &settings, NULL), *parts[3], *merged;
  for (int i = 0; i < 3; i++) {
    settings.tiles.first = 6 * i;
    settings.tiles.count = i == 2 ? 100 : 6;
    lw_navmesh *part = scene_bake(geometry, &settings, NULL);
    lw_navmesh_stats stats = lw_navmesh_get_stats(part);
    assert_int_equal(stats.offmesh_links + stats.offmesh_refused, 0);
    assert_int_equal(get(part, 0).state, LW_LINK_WAITING);
    assert_reason(part, 0, "it is joined or refused when the parts of the bake are merged");
    parts[i] = navmesh_through_file(part, scene_table);
    lw_navmesh_destroy(part);
  }
  lw_error error = {0};
  if (lw_navmesh_merge((const lw_navmesh *const *)parts, 3, NULL, &merged, &error)) fail_msg("%s", error.text);
  assert_same_bytes(navmesh_bytes(whole), navmesh_bytes(merged));
  assert_int_equal(merged->links.count, whole->links.count);
  assert_memory_equal(merged->links.items, whole->links.items, whole->links.count * sizeof *whole->links.items);
  for (int i = 0; i < 3; i++) lw_navmesh_destroy(parts[i]);
  lw_navmesh_destroy(merged);
  lw_navmesh_destroy(whole);
  lw_geometry_destroy(geometry);
}

static void parts_with_other_links_are_of_another_level(void **state) {
  (void)state;
  lw_bake_settings settings = small_tiles();
  lw_navmesh *parts[2], *merged;
  for (int i = 0; i < 2; i++) {
    lw_geometry *geometry = level();
    lw_link_def link = jump((lw_vec3){2, 0, 2}, (lw_vec3){12, (float)i, 2});
    assert_int_equal(lw_geometry_add_link(geometry, &link, NULL), LW_OK);
    settings.tiles.first = 6 * i;
    settings.tiles.count = i == 1 ? 100 : 6;
    parts[i] = scene_bake(geometry, &settings, NULL);
    lw_geometry_destroy(geometry);
  }
  lw_error error = {0};
  assert_int_equal(lw_navmesh_merge((const lw_navmesh *const *)parts, 2, NULL, &merged, &error), LW_INVALID);
  assert_string_equal(error.text, "part 2 is of another level than part 1, or baked with other settings");
  lw_navmesh_destroy(parts[0]);
  lw_navmesh_destroy(parts[1]);
}

static void a_failed_allocation_leaks_nothing(void **state) {
  (void)state;
  lw_link_def defs[2] = {jump((lw_vec3){2, 0, 2}, (lw_vec3){12, 0, 2}),
                         jump((lw_vec3){2, 0, 2}, (lw_vec3){7, 0, 2})};
  lw_navmesh_def def = lw_navmesh_def_default();
  def.areas = scene_table;
  def.vertices = vertices;
  def.vertex_count = 12;
  def.corners = corners;
  def.corner_counts = counts;
  def.polygon_count = 3;
  def.links = defs;
  def.link_count = 2;
  for (int left = 0;; left++) {
    support_memory memory = {.left = left};
    lw_allocator allocator = support_allocator(&memory);
    lw_navmesh *mesh;
    def.allocator = &allocator;
    lw_status status = lw_navmesh_create(&def, &mesh, NULL);
    lw_navmesh_destroy(mesh);
    assert_int_equal(memory.bytes, 0);
    if (status == LW_OK) break;
    assert_int_equal(status, LW_OUT_OF_MEMORY);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_link_is_moved_onto_the_mesh_and_leads_one_way),
      cmocka_unit_test(a_bidirectional_link_is_two_directions_and_counts_once),
      cmocka_unit_test(links_that_cannot_join_are_kept_with_the_reason),
      cmocka_unit_test(an_end_between_two_floors_takes_the_nearer),
      cmocka_unit_test(bad_input_is_named),
      cmocka_unit_test(ends_are_the_nearest_places_of_all),
      cmocka_unit_test(an_island_that_a_link_needs_stays_however_small),
      cmocka_unit_test(links_come_back_from_a_file),
      cmocka_unit_test(flipped_bits_are_detected_or_harmless),
      cmocka_unit_test(parts_join_their_links_when_they_are_merged),
      cmocka_unit_test(parts_with_other_links_are_of_another_level),
      cmocka_unit_test(a_failed_allocation_leaks_nothing),
  };
  return cmocka_run_group_tests(tests, scene_open, scene_close);
}
