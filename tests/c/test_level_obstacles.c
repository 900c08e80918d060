/* Very many obstacles in one step, and one that is larger than most levels, on the shared levels: none is refused, none is
   left uncut, nothing inside of them is walkable, and all else is. */
#include "level_test.h"

#include "core/vec3.h"
#include "leeward/leeward.h"

#include <math.h>
#include <stdlib.h>

#define MANY 1000
#define PLACES 3000 /* where the thousand are looked for */
#define WIDE_PLACES 20000
#define WIDE 200.0f
#define HEIGHT 2.0f
#define MARGIN 0.02 /* m, on either side of a grown outline */
#define CORNER 1.4143

static bool is_walkable(const lw_world *world, lw_vec3 at) {
  lw_filter filter = lw_filter_all();
  filter.height = lw_navmesh_get_agent(lw_world_navmesh(world)).height;
  return lw_navmesh_contains(lw_world_navmesh(world), at, 0.02f, &filter);
}

/* How far a place is outside of a box, seen from above; below 0: inside by so much. [m] */
static double outside(const lw_obstacle_def *box, lw_vec3 at) {
  const double x = (double)at.x - (double)box->at.x, z = (double)at.z - (double)box->at.z;
  const double c = cos((double)box->yaw), s = sin((double)box->yaw);
  const double along = fabs(x * c - z * s) - (double)box->size.x / 2,
               across = fabs(x * s + z * c) - (double)box->size.z / 2;
  return along > 0 && across > 0 ? hypot(along, across) : fmax(along, across);
}

/* @return 1: it is inside of the grown outline, and the heights meet; -1: it is neither; 0: near an edge. */
static int side_of(const lw_obstacle_def *box, lw_vec3 at, double radius) {
  const double apart = outside(box, at), over = (double)box->at.y - (double)at.y,
               high = over + (double)box->size.y;
  if (apart > CORNER * radius + MARGIN || over > (double)HEIGHT + 0.2 || high < -0.2) return -1;
  return apart < radius - MARGIN && over < 0.2 && high > 0.2 ? 1 : 0;
}

/* @param places  Drawn on the navmesh as it was baked. @return How many are inside of a box. */
static int check_places(const shared_level *level, const lw_world *world, const lw_obstacle_def *boxes,
                        int count, const lw_vec3 *places, int place_count) {
  const double radius = (double)lw_navmesh_get_agent(level->mesh).radius;
  int inside = 0, out = 0;
  for (int i = 0; i < place_count; i++) {
    int side = -1;
    for (int k = 0; k < count && side < 1; k++) {
      const int own = side_of(&boxes[k], places[i], radius);
      side = own > side ? own : side;
    }
    if (side == 0) continue;
    *(side > 0 ? &inside : &out) += 1;
    if (is_walkable(world, places[i]) != (side < 0))
      fail_msg("%s: seed %llu: (%g, %g, %g) is %s", level->name, (unsigned long long)level->seed,
               (double)places[i].x, (double)places[i].y, (double)places[i].z,
               side < 0 ? "gone" : "still there");
  }
  assert_true(inside > 0 && (count == 1 || out > 0));
  return inside;
}

static void a_thousand_in_one_step_are_all_cut(shared_level *level) {
  static lw_obstacle_def boxes[MANY];
  static lw_obstacle_id ids[MANY];
  static lw_vec3 places[PLACES];
  lw_world *world = level_make_world(level);
  const uint64_t before = level_ground_hash(lw_world_navmesh(world));
  for (int i = 0; i < PLACES; i++) places[i] = level_place(level).point;
  for (int i = 0; i < MANY; i++) {
    boxes[i] = lw_obstacle_def_default();
    boxes[i].at = level_place(level).point;
    boxes[i].yaw = level_random(level, -3, 3);
    boxes[i].size = (lw_vec3){level_random(level, 0.3f, 1.5f), HEIGHT, level_random(level, 0.3f, 1.5f)};
    assert_int_equal(lw_obstacle_add(world, &boxes[i], &ids[i], NULL), LW_OK);
  }
  assert_int_equal(lw_world_apply_changes(world), LW_OK);
  lw_error error = {.text = ""};
  if (lw_navmesh_validate(lw_world_navmesh(world), &error) != LW_OK)
    fail_msg("%s: %s", level->name, error.text);
  for (int i = 0; i < MANY; i++) {
    lw_obstacle_state now;
    assert_int_equal(lw_obstacle_get_state(world, ids[i], &now), LW_OK);
    if (!now.is_cut || is_walkable(world, boxes[i].at))
      fail_msg("%s: seed %llu: obstacle %d is not cut", level->name, (unsigned long long)level->seed, i);
  }
  const int inside = check_places(level, world, boxes, MANY, places, PLACES);
  for (int i = 0; i < MANY; i++) assert_int_equal(lw_obstacle_remove(world, ids[i]), LW_OK);
  assert_int_equal(lw_world_apply_changes(world), LW_OK);
  assert_true(level_ground_hash(lw_world_navmesh(world)) == before);
  printf("note: %s: seed %llu: of %d places %d inside of one of %d obstacles, none walkable\n", level->name,
         (unsigned long long)level->seed, PLACES, inside, MANY);
  lw_world_destroy(world);
}

/* As high as the level. */
static void one_of_200_metres_leaves_nothing_inside(shared_level *level) {
  static lw_vec3 places[WIDE_PLACES];
  lw_world *world = level_make_world(level);
  const lw_box bounds = level->mesh->bounds;
  const uint64_t before = level_ground_hash(lw_world_navmesh(world));
  lw_obstacle_def box = lw_obstacle_def_default();
  lw_obstacle_id id;
  for (int i = 0; i < WIDE_PLACES; i++) places[i] = level_place(level).point;
  box.at = lwi_lerp(bounds.min, bounds.max, 0.5f);
  box.at.y = bounds.min.y - 1;
  box.size = (lw_vec3){WIDE, bounds.max.y - bounds.min.y + 2, WIDE};
  for (int i = 0; i < 3; i++) {
    box.yaw = 0.7f * (float)i;
    assert_int_equal(lw_obstacle_add(world, &box, &id, NULL), LW_OK);
    assert_int_equal(lw_world_apply_changes(world), LW_OK);
    check_places(level, world, &box, 1, places, WIDE_PLACES);
    assert_int_equal(lw_obstacle_remove(world, id), LW_OK);
    assert_int_equal(lw_world_apply_changes(world), LW_OK);
    assert_true(level_ground_hash(lw_world_navmesh(world)) == before);
  }
  lw_world_destroy(world);
}

int main(void) {
  static const level_check checks[] = {
      {"a thousand in one step are all cut", a_thousand_in_one_step_are_all_cut},
      {"one of 200 metres leaves nothing inside", one_of_200_metres_leaves_nothing_inside},
  };
  return level_run("obstacles on levels", checks, 2);
}
