/* What obstacles, marks and volumes of permutations cut and mark on ramps, stairs, hills and decks over the ground: by the
   heights of the level as it was built, place by place. */
#include "bake_scene.h"

#include "core/random.h"
#include "core/vec3.h"
#include "leeward/leeward.h"
#include "mesh/mesh.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define SEED 20261201u
#define ROUNDS 80
#define SAMPLES 500
#define BOXES 6
#define VOLUMES 2 /* of them; they are those of a permutation */
#define RADIUS 0.4f
#define HEAD 1.8f
#define BESIDE 0.03 /* m, that an outline may be off */
#define ABOVE                                                                                                  \
  0.35 /* m, that the navmesh and what is cut of it may be off from the level, over steps and bends */

#define LESS_ROOM                                                                                              \
  0.25 /* m, that there may be less room below a box than there is: its ground is divided along some */

#define DECK 3.4f
#define STEPS 17
#define HILL_CELLS 40
#define HILL_REACH 10.0f
#define HILL_Z (-8.0f)

/* --- the level ---------------------------------------------------------------------------------------------- */

static float hill_height(float x, float z) {
  const float reach = hypotf(x, z - HILL_Z);
  return reach < HILL_REACH ? 1.75f * (1 + cosf(3.14159265f * reach / HILL_REACH)) : 0;
}

static void add_hill(lw_geometry *level) {
  static lw_vec3 vertices[(HILL_CELLS + 1) * (HILL_CELLS + 1)];
  static int indices[6 * HILL_CELLS * HILL_CELLS];
  const int row = HILL_CELLS + 1;
  int count = 0;
  for (int i = 0; i < row * row; i++) {
    const float x = HILL_REACH * (2 * (float)(i % row) / HILL_CELLS - 1),
                z = HILL_Z + HILL_REACH * (2 * (float)(i / row) / HILL_CELLS - 1);
    vertices[i] = lwi_vec3(x, hill_height(x, z), z);
  }
  for (int i = 0; i < HILL_CELLS * HILL_CELLS; i++) {
    const int a = i / HILL_CELLS * row + i % HILL_CELLS,
              corners[6] = {a, a + row, a + 1, a + 1, a + row, a + row + 1};
    for (int k = 0; k < 6; k++) indices[count++] = corners[k];
  }
  const lw_geometry_mesh mesh = {.vertices = vertices,
                                 .vertex_count = row * row,
                                 .indices = indices,
                                 .triangle_count = count / 3,
                                 .area = 1};
  assert_int_equal(lw_geometry_add_mesh(level, &mesh, NULL), LW_OK);
}

/* Ground with a hill, and a deck over it that a ramp and stairs lead up to. */
static lw_navmesh *bake_level(void) {
  lw_bake_settings settings = lw_bake_settings_default();
  lw_geometry *level = scene_geometry(scene_table);
  scene_add_floor(level, lwi_vec3(-30, 0, -20), 60, 40, SCENE_GROUND);
  add_hill(level);
  const lw_geometry_box deck = {{0, DECK - 0.4f, 12}, {40, 0.4f, 4}, .area = SCENE_GROUND};
  const lw_geometry_ramp ramp = {
      .from = {28, 0, 12}, .to = {20, DECK, 12}, .width = 4, .thickness = 0.4f, .area = SCENE_GROUND};
  assert_int_equal(lw_geometry_add_box(level, &deck, NULL), LW_OK);
  assert_int_equal(lw_geometry_add_ramp(level, &ramp, NULL), LW_OK);
  for (int i = 0; i < STEPS; i++) {
    const float high = DECK * (float)(i + 1) / STEPS, wide = 8.0f / STEPS;
    const lw_geometry_box step = {
        {-28 + ((float)i + 0.5f) * wide, 0, 12}, {wide, high, 4}, .area = SCENE_GROUND};
    assert_int_equal(lw_geometry_add_box(level, &step, NULL), LW_OK);
  }
  settings.cell_size = 0.2f;
  settings.agent_radius = RADIUS;
  settings.agent_height = HEAD;
  settings.tile_size = 16;
  lw_navmesh *mesh = scene_bake(level, &settings, NULL);
  lw_geometry_destroy(level);
  return mesh;
}

/* The deck, the ramp or the stairs. @return false: there is none of them. */
static bool upper_height(float x, float z, float *height) {
  if (fabsf(z - 12) > 2 || fabsf(x) > 28) return false;
  *height = fabsf(x) <= 20 ? DECK : DECK * (28 - fabsf(x)) / 8;
  return true;
}

/* --- what is put there -------------------------------------------------------------------------------------- */

static float between(lw_random *random, float low, float high) {
  return low + (high - low) * lwi_random_unit(random);
}

/* Mostly where the level is not flat. */
static lw_vec3 random_place(lw_random *random) {
  const float x = between(random, -29, 29), which = lwi_random_unit(random);
  lw_vec3 at = {x, 0, which < 0.5f ? between(random, 8.5f, 15.5f) : between(random, -19, 3)};
  if (which >= 0.5f) at.x /= 2.5f;
  if (!upper_height(at.x, at.z, &at.y) || lwi_random_unit(random) < 0.5f) at.y = hill_height(at.x, at.z);
  return at;
}

static lw_obstacle_def random_box(lw_random *random) {
  lw_obstacle_def def = lw_obstacle_def_default();
  const float widest = lwi_random_unit(random) < 0.3f ? 14 : 4;
  def.at = random_place(random);
  def.at.y += between(random, -2, 2);
  def.size =
      lwi_vec3(between(random, 0.2f, widest), between(random, 0.3f, 2.5f), between(random, 0.2f, widest));
  def.yaw = between(random, -3, 3);
  def.blocks = lwi_random_unit(random) < 0.7f;
  if (!def.blocks) def.area = SCENE_ROAD;
  return def;
}

typedef struct scene {
  lw_world *world;
  lw_obstacle_def boxes[BOXES];
} scene;

static void put_boxes(scene *s, lw_random *random) {
  for (int i = 0; i < BOXES; i++) s->boxes[i] = random_box(random);
  const lw_permutation_state_def states[] = {{.name = "there", .volumes = s->boxes, .volume_count = VOLUMES},
                                             {.name = "gone"}};
  lw_permutation_def def = lw_permutation_def_default();
  lw_error error = {.text = ""};
  def.name = "volumes";
  def.states = states;
  def.state_count = 2;
  if (lw_permutation_define(s->world, &def, &error) != LW_OK) fail_msg("%s", error.text);
  for (int i = VOLUMES; i < BOXES; i++) {
    lw_obstacle_id id;
    if (lw_obstacle_add(s->world, &s->boxes[i], &id, &error) != LW_OK) fail_msg("%s", error.text);
  }
  assert_int_equal(lw_world_apply_changes(s->world), LW_OK);
}

/* 1: a box holds a place of the level, or somebody of a height that stands there, 0: not sure, -1: it does not. */
static int holds(const lw_obstacle_def *box, lw_vec3 at, float height) {
  const double grow = box->blocks ? (double)RADIUS : 0;
  const double dx = (double)at.x - (double)box->at.x, dz = (double)at.z - (double)box->at.z,
               c = cos((double)box->yaw), s = sin((double)box->yaw);
  const double beside = fmin((double)box->size.x / 2 + grow - fabs(dx * c - dz * s),
                             (double)box->size.z / 2 + grow - fabs(dx * s + dz * c));
  const double above = (double)at.y - (double)(box->at.y - height),
               below = (double)(box->at.y + box->size.y) - (double)at.y;
  const double within = fmin(above, below);
  if (beside < -BESIDE || below < -ABOVE || above < -ABOVE - (box->blocks ? LESS_ROOM : 0)) return -1;
  return beside > BESIDE && within > ABOVE ? 1 : 0;
}

/* --- what is left ------------------------------------------------------------------------------------------- */

/* A low animal, a dog, a man who crouches, one who stands, those of the bake, and a giant. [m] */
static const float heights[] = {0.3f, 0.7f, 1.05f, 1.75f, HEAD, 2.6f};
#define HEIGHTS ((int)(sizeof heights / sizeof *heights))

typedef struct place_counts {
  int ground, barred[HEIGHTS], marked, above; /* above: within an outline, and not within its heights */
} place_counts;

/* At a place, for agents of a height. */
static void compare_height(const scene *s, const lw_navmesh *base, lw_vec3 at, lw_vec3 found, int height,
                           place_counts *counts) {
  lw_filter filter = lw_filter_all();
  int barred = -1;
  filter.height = heights[height];
  if (!lw_navmesh_contains(base, found, 0.3f, &filter)) return;
  for (int i = 0; i < BOXES; i++) {
    const int own = s->boxes[i].blocks ? holds(&s->boxes[i], at, fmaxf(0.4f, heights[height])) : -1;
    barred = own > barred ? own : barred;
  }
  if (barred == 0) return;
  const bool is_there = lw_navmesh_contains(lw_world_navmesh(s->world), found, 0.3f, &filter);
  if (is_there != (barred < 0))
    fail_msg("seed %u: (%g, %g, %g) is %s for those %g m high", SEED, (double)at.x, (double)at.y, (double)at.z,
             is_there ? "ground, and should be barred" : "barred, and should be ground",
             (double)heights[height]);
  counts->barred[height] += barred > 0;
  counts->ground += barred < 0;
}

/* @param at  On the level, where there is ground without obstacles, at `found`. */
static void compare(const scene *s, const lw_navmesh *base, lw_vec3 at, lw_vec3 found, place_counts *counts) {
  const lw_navmesh *mesh = lw_world_navmesh(s->world);
  lw_location there;
  int marked = -1;
  for (int i = 0; i < HEIGHTS; i++) compare_height(s, base, at, found, i, counts);
  for (int i = 0; i < BOXES; i++) {
    const int own = holds(&s->boxes[i], at, HEAD);
    lw_vec3 level = at;
    level.y = s->boxes[i].at.y;
    counts->above += own < 0 && holds(&s->boxes[i], level, HEAD) > 0;
    if (!s->boxes[i].blocks) marked = own > marked ? own : marked;
  }
  if (marked == 0 || lw_navmesh_nearest(mesh, found, lwi_vec3(0.001f, 0.3f, 0.001f), NULL, &there) != LW_OK)
    return;
  const lw_area_id area = mesh->polygons.areas[lwi_poly_index(mesh, there.poly)];
  if (area != (marked > 0 ? SCENE_ROAD : SCENE_GROUND))
    fail_msg("seed %u: (%g, %g, %g) is of area %d", SEED, (double)at.x, (double)at.y, (double)at.z, (int)area);
  counts->marked += marked > 0;
}

static void only_what_has_their_heights_is_cut_and_marked(void **state) {
  (void)state;
  lw_navmesh *mesh = bake_level();
  lw_random random = lwi_random_make(SEED, 0);
  place_counts counts = {0};
  for (int round = 0; round < ROUNDS; round++) {
    scene s;
    lw_world_def def = lw_world_def_default();
    def.navmesh = mesh;
    assert_int_equal(lw_world_create(&def, &s.world, NULL), LW_OK);
    put_boxes(&s, &random);
    lw_error error = {.text = ""};
    if (lw_navmesh_validate(lw_world_navmesh(s.world), &error) != LW_OK)
      fail_msg("seed %u: round %d: %s", SEED, round, error.text);
    for (int i = 0; i < SAMPLES; i++) {
      const lw_vec3 at = random_place(&random);
      lw_location found;
      if (lw_navmesh_nearest(mesh, at, lwi_vec3(0.01f, 0.3f, 0.01f), NULL, &found) == LW_OK)
        compare(&s, mesh, at, found.point, &counts);
    }
    lw_world_destroy(s.world);
  }
  printf("note: seed %u: %d times ground, %d marked; %d in an outline and above or below it; barred", SEED,
         counts.ground, counts.marked, counts.above);
  for (int i = 0; i < HEIGHTS; i++)
    printf("%s %d for %g m", i ? "," : "", counts.barred[i], (double)heights[i]);
  printf("\n");
  assert_true(counts.ground > 60000 && counts.marked > 300 && counts.above > 1000);
  for (int i = 0; i < HEIGHTS; i++) assert_true(counts.barred[i] > (i < HEIGHTS - 1 ? 600 : 100));
  lw_navmesh_destroy(mesh);
}

/* --- paths -------------------------------------------------------------------------------------------------- */

static bool leads_up(const lw_world *world) {
  lw_path_exists_query query = lw_path_exists_query_default();
  bool is_there = false;
  query.from = lwi_vec3(29, 0, 5);
  query.to = lwi_vec3(0, DECK, 12);
  assert_int_equal(lw_path_exists(world, NULL, &query, &is_there), LW_OK);
  return is_there;
}

static lw_obstacle_id add_box(lw_world *world, lw_vec3 at, lw_vec3 size) {
  lw_obstacle_def box = lw_obstacle_def_default();
  lw_obstacle_id id;
  box.at = at;
  box.size = size;
  assert_int_equal(lw_obstacle_add(world, &box, &id, NULL), LW_OK);
  return id;
}

static int searches_of(const lw_world *world, lw_agent_id agent) {
  lw_agent_stats stats;
  assert_int_equal(lw_agent_get_stats(world, agent, &stats), LW_OK);
  return stats.searches;
}

/* A low box across its foot closes a ramp there only: an agent further up walks on, and does not search again. */
static void a_ramp_is_closed_at_its_foot_only(void **state) {
  (void)state;
  lw_navmesh *mesh = bake_level();
  lw_profile_def kind = lw_profile_def_default();
  lw_profile *profile;
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  def.navmesh = mesh;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  assert_int_equal(lw_profile_create(&kind, scene_table, &profile, NULL), LW_OK);
  lw_agent_def spawn = lw_agent_def_default();
  lw_agent_id agent;
  spawn.profile = profile;
  spawn.at = lwi_vec3(24, DECK / 2, 12);
  assert_int_equal(lw_agent_spawn(world, &spawn, &agent, NULL), LW_OK);
  assert_int_equal(lw_agent_move_to(world, agent, lwi_vec3(0, DECK, 12), 0.3f), LW_OK);
  add_box(world, lwi_vec3(-24, 0, 12), lwi_vec3(2, 5, 6)); /* across the stairs */
  assert_int_equal(lw_world_step(world, 1.0f / 60), LW_OK);
  assert_true(leads_up(world));
  const int searches = searches_of(world, agent);
  const lw_obstacle_id box = add_box(world, lwi_vec3(23, 0, 12), lwi_vec3(12, 0.8f, 8));
  for (int i = 0; i < 60 * 30; i++) assert_int_equal(lw_world_step(world, 1.0f / 60), LW_OK);
  assert_false(leads_up(world));
  lw_agent_state now;
  assert_int_equal(lw_agent_get_state(world, agent, &now), LW_OK);
  assert_int_equal(now.move, LW_MOVE_ARRIVED);
  assert_int_equal(searches_of(world, agent), searches);
  assert_int_equal(lw_obstacle_remove(world, box), LW_OK);
  assert_int_equal(lw_world_apply_changes(world), LW_OK);
  assert_true(leads_up(world));
  lw_world_destroy(world);
  lw_profile_destroy(profile);
  lw_navmesh_destroy(mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(only_what_has_their_heights_is_cut_and_marked),
                                     cmocka_unit_test(a_ramp_is_closed_at_its_foot_only)};
  return cmocka_run_group_tests(tests, scene_open, scene_close);
}
