/* Tiles of permutations: the world has what replacing the tiles of its own navmesh gives, whatever came before. */
#include "tiles_place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define PERMUTATIONS 3
#define STATES 3  /* and one without tiles */
#define COLUMNS 2 /* of tiles that each permutation has */
#define TILES_MAX 64

static const char *const names[] = {"west", "middle", "east"};
static const char *const states[] = {"a", "b", "c", "none"};

/* What the permutations may have. */
typedef struct model {
  lw_navmesh *own, *sources[STATES];
  int state[PERMUTATIONS];
} model;

/* The tiles of a permutation in a state, of all navmeshes in its columns. @return How many. */
static int list_tiles(const model *m, int permutation, int state, lw_tile_change *tiles) {
  int count = 0;
  for (int z = 0; state < STATES && z * 8 < (int)DEPTH; z++)
    for (int x = permutation * COLUMNS; x < (permutation + 1) * COLUMNS; x++)
      tiles[count++] = (lw_tile_change){x, z, m->sources[(permutation + state) % STATES]};
  return count;
}

static void define(lw_world *world, const model *m, int permutation, int initial) {
  lw_permutation_tile tiles[STATES][TILES_MAX];
  lw_permutation_state_def defs[STATES + 1] = {{.name = NULL}};
  lw_permutation_def def = lw_permutation_def_default();
  lw_error error;
  for (int s = 0; s <= STATES; s++) {
    lw_tile_change list[TILES_MAX];
    defs[s].name = states[s];
    defs[s].tile_count = list_tiles(m, permutation, s, list);
    for (int i = 0; i < defs[s].tile_count; i++) tiles[s][i] = (lw_permutation_tile){0, list[i]};
    defs[s].tiles = s < STATES ? tiles[s] : NULL;
  }
  def.name = names[permutation];
  def.states = defs;
  def.state_count = STATES + 1;
  def.initial = initial;
  if (lw_permutation_define(world, &def, &error) != LW_OK) fail_msg("%s", error.text);
}

/* The oracle: the tiles of all states, replaced in one call. */
static lw_navmesh *replaced(const model *m) {
  lw_tile_change tiles[PERMUTATIONS * TILES_MAX];
  lw_navmesh *mesh;
  lw_error error;
  int count = 0;
  for (int p = 0; p < PERMUTATIONS; p++) count += list_tiles(m, p, m->state[p], tiles + count);
  if (lw_navmesh_replace_tiles(m->own, tiles, count, NULL, &mesh, &error) != LW_OK) fail_msg("%s", error.text);
  return mesh;
}

static void check(const tiles_place *it, const lw_world *world, const model *m, lw_random *random) {
  lw_navmesh *mesh = replaced(m);
  lw_world *fresh = tiles_make_world(mesh);
  int count = -1;
  assert_int_equal(lw_navmesh_differing_tiles(lw_world_navmesh(world), mesh, NULL, 0, &count, NULL), LW_OK);
  assert_int_equal(count, 0);
  assert_int_equal(lw_navmesh_validate(lw_world_navmesh(world), NULL), LW_OK);
  assert_ptr_equal(lw_world_base_navmesh(world, 0), m->own);
  for (int i = 0; i < 20; i++) {
    const lw_vec3 from = tiles_random_at(random), to = tiles_random_at(random);
    const float a = tiles_length_between(world, it->profile, from, to),
                b = tiles_length_between(fresh, it->profile, from, to);
    if (fabsf(a - b) > 1e-3f * fmaxf(1, b)) fail_msg("a path of %g m, expected %g", (double)a, (double)b);
  }
  assert_true(world->permutations.composition_count <= LWI_COMPOSITIONS_KEPT + 1);
  lw_world_destroy(fresh);
  lw_navmesh_destroy(mesh);
}

static void set(lw_world *world, model *m, int permutation, int state) {
  m->state[permutation] = state;
  assert_int_equal(lw_permutation_set(world, names[permutation], states[state], NULL), LW_OK);
}

static int draw(lw_random *random, int count) {
  return (int)(lw_random_unit(random) * (float)count);
}

static void any_order_of_changes_gives_what_replacing_tiles_gives(void **state) {
  const tiles_place *it = *state;
  const uint64_t seed = tiles_seed_of();
  lw_random random = lw_random_create(seed, 0);
  model m = {.state = {STATES, STATES, STATES}};
  lw_navmesh *other = tiles_random_mesh(&random);
  print_message("note: seed %llu\n", (unsigned long long)seed);
  m.own = tiles_random_mesh(&random);
  for (int i = 0; i < STATES; i++) m.sources[i] = tiles_random_mesh(&random);
  lw_world *world = tiles_make_world(m.own);
  for (int p = 0; p < PERMUTATIONS; p++) define(world, &m, p, STATES);
  for (int turn = 0; turn < 60; turn++) {
    for (int changes = 1 + draw(&random, 2); changes > 0; changes--)
      set(world, &m, draw(&random, PERMUTATIONS), draw(&random, STATES + 1));
    if (turn % 7 == 6) {
      lw_navmesh *own = m.own;
      m.own = other;
      other = own;
      assert_int_equal(lw_world_set_navmesh(world, 0, m.own, NULL), LW_OK);
    }
    if (turn % 13 == 12) define(world, &m, draw(&random, PERMUTATIONS), 0);
    assert_int_equal(lw_world_apply_changes(world), LW_OK);
    check(it, world, &m, &random);
  }
  lw_world_destroy(world);
  lw_navmesh_destroy(m.own);
  lw_navmesh_destroy(other);
  for (int i = 0; i < STATES; i++) lw_navmesh_destroy(m.sources[i]);
}

/* A permutation whose tiles are all that two navmeshes do not have in common. */
static void define_difference(lw_world *world, const char *name, const lw_navmesh *own,
                              const lw_navmesh *other) {
  lw_tile_change changes[TILES_MAX];
  lw_permutation_tile tiles[TILES_MAX];
  lw_permutation_def def = lw_permutation_def_default();
  int count;
  assert_int_equal(lw_navmesh_differing_tiles(own, other, changes, TILES_MAX, &count, NULL), LW_OK);
  assert_true(count > 0 && count < TILES_MAX);
  for (int i = 0; i < count; i++) tiles[i] = (lw_permutation_tile){0, changes[i]};
  const lw_permutation_state_def defs[] = {{.name = "open"},
                                           {.name = "walled", .tiles = tiles, .tile_count = count}};
  def.name = name;
  def.states = defs;
  def.state_count = 2;
  assert_int_equal(lw_permutation_define(world, &def, NULL), LW_OK);
}

static void one_state_alone_is_its_navmesh_as_it_was_baked(void **state) {
  const tiles_place *it = *state;
  define_difference(it->world, "wall", it->open, it->walled);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(lw_permutation_set(it->world, "wall", "walled", NULL), LW_OK);
    assert_int_equal(lw_world_apply_changes(it->world), LW_OK);
    assert_ptr_equal(it->world->scene.navs[0].base, it->walled);
    assert_ptr_equal(lw_world_base_navmesh(it->world, 0), it->open);
    assert_int_equal(lw_permutation_set(it->world, "wall", "open", NULL), LW_OK);
    assert_int_equal(lw_world_apply_changes(it->world), LW_OK);
    assert_ptr_equal(it->world->scene.navs[0].base, it->open);
  }
  assert_int_equal(it->world->permutations.composition_count, 0);
}

static void a_navmesh_is_used_as_long_as_it_is_needed(void **state) {
  const tiles_place *it = *state;
  assert_true(lw_world_uses_navmesh(it->world, it->open));
  assert_false(lw_world_uses_navmesh(it->world, it->walled));
  define_difference(it->world, "wall", it->open, it->walled);
  assert_true(lw_world_uses_navmesh(it->world, it->walled));
  assert_int_equal(lw_permutation_set(it->world, "wall", "walled", NULL), LW_OK);
  assert_int_equal(lw_world_apply_changes(it->world), LW_OK);
  const lw_permutation_state_def none = {.name = "walled"};
  lw_permutation_def def = lw_permutation_def_default();
  def.name = "wall";
  def.states = &none;
  def.state_count = 1;
  assert_int_equal(lw_permutation_define(it->world, &def, NULL), LW_OK);
  assert_true(lw_world_uses_navmesh(it->world, it->walled)); /* until changes are applied */
  assert_int_equal(lw_world_apply_changes(it->world), LW_OK);
  assert_false(lw_world_uses_navmesh(it->world, it->walled));
  assert_false(lw_world_uses_navmesh(NULL, it->open));
}

static void wrong_tiles_are_refused(void **state) {
  const tiles_place *it = *state;
  lw_permutation_tile tile = {0, {0, 0, it->walled}};
  lw_permutation_state_def one = {.name = "a", .tiles = &tile, .tile_count = 1};
  lw_permutation_def def = lw_permutation_def_default();
  lw_error error;
  def.name = "first";
  def.states = &one;
  def.state_count = 1;
  tile.navmesh = 1;
  assert_int_equal(lw_permutation_define(it->world, &def, &error), LW_INVALID);
  assert_string_equal(error.text, "state 'a': tile 1: navmesh is 1, expected 0 to 0");
  tile.navmesh = 0;
  one.tile_count = -1;
  assert_int_equal(lw_permutation_define(it->world, &def, &error), LW_INVALID);
  one.tile_count = 1;
  assert_int_equal(lw_permutation_define(it->world, &def, &error), LW_OK);
  def.name = "second";
  assert_int_equal(lw_permutation_define(it->world, &def, &error), LW_INVALID);
  assert_string_equal(
      error.text, "state 'a': tile (0, 0) belongs to the permutation 'first', expected tiles of no other one");
  const lw_permutation_tile twice[] = {{0, {1, 1, it->walled}}, {0, {1, 1, it->open}}};
  one.tiles = twice;
  one.tile_count = 2;
  assert_int_equal(lw_permutation_define(it->world, &def, &error), LW_INVALID);
  assert_string_equal(error.text, "state 'a': tile (1, 1) is given twice");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tiles_open_place, tiles_close_place)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(any_order_of_changes_gives_what_replacing_tiles_gives),
      TEST(one_state_alone_is_its_navmesh_as_it_was_baked),
      TEST(a_navmesh_is_used_as_long_as_it_is_needed),
      TEST(wrong_tiles_are_refused),
  };
  return cmocka_run_group_tests(tests, scene_open, scene_close);
}
