/* Saved games with a vehicle that backs with its trailer, whose checksums were repaired: each number in turn is what it should
   never be, and what loads drives on. */
#include "core/hash.h"
#include "file_faults.h"
#include "grid_mesh.h"
#include "leeward/leeward.h"
#include "temp_file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define HEAD 32 /* Of the file; its checksum is of what follows. [bytes] */
#define SIZE_MAX_OF_FILE 16384
#define DT (1.0f / 60)

typedef struct scene {
  lw_area_table *areas;
  lw_navmesh *mesh;
  lw_world *world;
  lw_profile *truck;
  char file[32];
  unsigned char data[SIZE_MAX_OF_FILE]; /* [size] */
  size_t size;
  int points; /* of the drive */
} scene;

static lw_world *make_world(const scene *s) {
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  def.navmesh = s->mesh;
  assert_int_equal(lw_world_create(&def, &world, NULL), LW_OK);
  return world;
}

static void make_truck(scene *s) {
  lw_profile_def def = lw_profile_def_default();
  def.name = "truck";
  def.radius = 0.9f;
  def.body.acceleration = 3;
  def.body.deceleration = 5;
  def.body.lateral_acceleration = 4;
  def.body.avoidance = LW_AVOID_FULL;
  def.body.turn_radius = 4;
  def.body.vehicle = (lw_vehicle){.wheelbase = 2.6f, .length = 4.2f, .width = 1.8f, .reverse_cost = 3};
  def.body.trailer = (lw_trailer){3.4f, 1.8f, 1, 0.6f, 2.6f, 1};
  assert_int_equal(lw_profile_create(&def, s->areas, &s->truck, NULL), LW_OK);
}

static void open_scene(scene *s) {
  static const char *const names[] = {"ground"};
  static const char *const rows[] = {"............", "............", "............", "............"};
  s->areas = support_areas(names, 1);
  s->mesh = support_grid(s->areas, rows, 4, 4);
  s->world = make_world(s);
  make_truck(s);
  lw_agent_def def = lw_agent_def_default();
  lw_move_options options = lw_move_options_default();
  lw_agent_id agent;
  def.profile = s->truck;
  def.at = (lw_vec3){40, 0, 8};
  assert_int_equal(lw_agent_spawn(s->world, &def, &agent, NULL), LW_OK);
  options.heading = 0;
  assert_int_equal(lw_agent_move_with(s->world, agent, (lw_vec3){16, 0, 8.5f}, &options), LW_OK);
  for (int i = 0; i < 60; i++) assert_int_equal(lw_world_step(s->world, DT), LW_OK);
  lw_drive_points(lw_agent_drive(s->world, agent), &s->points);
  assert_true(s->points > 16); /* more than memory is reserved for at first */
  strcpy(s->file, "/tmp/leeward_drive_XXXXXX");
  temp_file_make(s->file);
  assert_int_equal(lw_world_save(s->world, s->file, NULL), LW_OK);
  FILE *file = fopen(s->file, "rb");
  assert_non_null(file);
  s->size = fread(s->data, 1, sizeof s->data, file);
  fclose(file);
  assert_true(s->size > HEAD && s->size < sizeof s->data);
}

static void close_scene(scene *s) {
  remove(s->file);
  lw_world_destroy(s->world);
  lw_profile_destroy(s->truck);
  lw_navmesh_destroy(s->mesh);
  lw_area_table_destroy(s->areas);
}

/* Nothing of it is infinite, whatever it does. */
static void drive_on(lw_world *world) {
  for (int i = 0; i < 10; i++) {
    lw_agent_id id = lw_agent_id_none();
    assert_int_equal(lw_world_step(world, DT), LW_OK);
    while (!lw_agent_id_is_none(id = lw_agent_next(world, id))) {
      lw_agent_state now;
      assert_int_equal(lw_agent_get_state(world, id, &now), LW_OK);
      assert_true(isfinite(now.position.x) && isfinite(now.position.z) && isfinite(now.velocity.x));
      assert_true(isfinite(now.heading) && isfinite(now.trailer_heading) && isfinite(now.remaining));
    }
  }
}

/* @return Whether the file could be used. */
static bool use(const scene *s, const unsigned char *data) {
  lw_saved *saved;
  remove(s->file); /* writing over it would wait for the device */
  file_write(s->file, data, s->size);
  if (lw_saved_open(s->file, NULL, &saved, NULL) != LW_OK) return false;
  lw_world *world = make_world(s);
  bool good = lw_world_restore(world, saved, NULL) == LW_OK;
  for (int i = 0; good && i < lw_saved_agent_count(saved); i++) {
    lw_saved_agent from;
    lw_agent_def def = lw_agent_def_default();
    lw_agent_id agent;
    assert_int_equal(lw_saved_get_agent(saved, i, &from), LW_OK);
    def.profile = s->truck;
    def.at = from.at;
    good = lw_agent_spawn(world, &def, &agent, NULL) == LW_OK;
    if (good) good = lw_agent_restore(world, agent, saved, i) == LW_OK;
  }
  lw_saved_destroy(saved);
  if (good) drive_on(world);
  lw_world_destroy(world);
  return good;
}

/* With another number at a byte. */
static bool use_with(const scene *s, size_t at, uint32_t number) {
  static unsigned char data[SIZE_MAX_OF_FILE];
  memcpy(data, s->data, s->size);
  memcpy(data + at, &number, sizeof number);
  const uint64_t hash = lwi_hash(LWI_HASH_SEED, data + HEAD, s->size - HEAD);
  for (int k = 0; k < 8; k++) data[24 + k] = (unsigned char)(hash >> 8 * k);
  return use(s, data);
}

static void each_number_may_be_wrong(void **state) {
  (void)state;
  static const uint32_t wrong[] = {0x7fc00000, 0x7f800000, 0xff800000, 0xbf800000, 0x7f7fffff, 0x60000000,
                                   0,          1,          2,          UINT32_MAX, INT32_MAX,  0x49742400};
  enum { WRONG = sizeof wrong / sizeof *wrong };
  static scene s;
  int good = 0, all = 0;
  open_scene(&s);
  support_faults.fast = true;
  for (size_t at = HEAD; at + 4 <= s.size; at++) {
    for (int i = (int)(at % 3); i < WRONG; i += 3, all++) good += use_with(&s, at, wrong[i]);
    /* as a piece of the drive: its last point, and far from it */
    good += use_with(&s, at, (uint32_t)s.points - 1) + use_with(&s, at, UINT32_MAX);
    all += 2;
  }
  support_faults.fast = false;
  printf("note: of %d files with a wrong number %d could be used\n", all, good);
  assert_in_range(good, all / 10, all);
  close_scene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_number_may_be_wrong)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
