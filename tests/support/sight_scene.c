#include "sight_scene.h"

#include "bake_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

uint64_t sight_seed(void) {
  const char *text = getenv("LEEWARD_SEED");
  return text ? strtoull(text, NULL, 10) : 20261123;
}

lw_navmesh *sight_bake(const sight_box *boxes, int count) {
  lw_geometry *geometry = scene_floor(scene_table, SIGHT_SIDE, SIGHT_SIDE);
  lw_bake_settings settings = lw_bake_settings_default();
  lw_error error = {0};
  for (int i = 0; i < count; i++) {
    const lw_geometry_box box = {boxes[i].at, boxes[i].size, boxes[i].yaw, SCENE_GROUND, boxes[i].cover};
    if (lw_geometry_add_box(geometry, &box, &error)) fail_msg("%s", error.text);
  }
  settings.cell_size = 0.1f;
  settings.threads = 1;
  settings.cover.map = true;
  settings.visibility_table_range = 60;
  lw_navmesh *navmesh = scene_bake(geometry, &settings, NULL);
  lw_geometry_destroy(geometry);
  return navmesh;
}

lw_world *sight_world(const lw_navmesh *navmesh) {
  lw_world_def def = lw_world_def_default();
  lw_world *world = NULL;
  lw_error error = {0};
  def.navmesh = navmesh;
  if (lw_world_create(&def, &world, &error)) fail_msg("%s", error.text);
  return world;
}

sight_scene sight_scene_create(lw_random *random) {
  sight_scene scene = {.wall_count = SIGHT_WALLS};
  for (int i = 0; i < SIGHT_WALLS; i++) scene.walls[i] = sight_random_box(random);
  scene.navmesh = sight_bake(scene.walls, scene.wall_count);
  scene.world = sight_world(scene.navmesh);
  return scene;
}

int sight_scene_open(void **state) {
  static sight_scene scene;
  lw_profile_def def = lw_profile_def_default();
  lw_error error = {0};
  if (scene_open(NULL) != 0) return -1;
  scene = (sight_scene){.navmesh = sight_bake(NULL, 0)};
  scene.world = sight_world(scene.navmesh);
  def.cover_bias = 8;
  if (lw_profile_create(&def, scene_table, &scene.profile, &error)) fail_msg("%s", error.text);
  *state = &scene;
  return 0;
}

int sight_scene_close(void **state) {
  sight_scene_destroy(*state);
  return scene_close(NULL);
}

lw_agent_id sight_spawn(const sight_scene *scene, float x, float z) {
  lw_agent_def def = lw_agent_def_default();
  lw_agent_id id;
  lw_error error = {0};
  def.at = (lw_vec3){x, 0, z};
  def.profile = scene->profile;
  if (lw_agent_spawn(scene->world, &def, &id, &error)) fail_msg("%s", error.text);
  return id;
}

void sight_step(const sight_scene *scene, int count) {
  for (int i = 0; i < count; i++) assert_int_equal(lw_world_step(scene->world, 1 / 60.0f), LW_OK);
}

lw_obstacle_id sight_add(const sight_scene *scene, const lw_obstacle_def *def) {
  lw_obstacle_id id;
  lw_error error = {0};
  if (lw_obstacle_add(scene->world, def, &id, &error)) fail_msg("%s", error.text);
  return id;
}

void sight_scene_destroy(sight_scene *scene) {
  lw_world_destroy(scene->world);
  lw_profile_destroy(scene->profile);
  lw_navmesh_destroy(scene->navmesh);
}

float sight_between(lw_random *random, float low, float high) {
  return low + (high - low) * lwi_random_unit(random);
}

lw_vec3 sight_place(lw_random *random, float low, float high) {
  const float x = sight_between(random, 1, SIGHT_SIDE - 1), z = sight_between(random, 1, SIGHT_SIDE - 1);
  return (lw_vec3){x, sight_between(random, low, high), z};
}

sight_box sight_random_box(lw_random *random) {
  const lw_vec3 at = sight_place(random, 0, 0);
  const float x = sight_between(random, 0.3f, 6), y = sight_between(random, 0.6f, 3),
              z = sight_between(random, 0.3f, 6);
  return (sight_box){at, {x, y, z}, sight_between(random, -3, 3), LW_COVER_HARD};
}

lw_obstacle_def sight_obstacle(const sight_box *box) {
  lw_obstacle_def def = lw_obstacle_def_default();
  def.at = box->at;
  def.size = box->size;
  def.yaw = box->yaw;
  def.cover = box->cover;
  return def;
}

/* Corners of a circle in order, which are convex. */
static int make_points(lw_random *random, lw_vec3 *points) {
  const int count = 3 + (int)(lwi_random_bits(random) % 6);
  const float radius = sight_between(random, 0.5f, 3);
  for (int i = 0; i < count; i++) {
    const float angle = ((float)i + sight_between(random, 0.1f, 0.9f)) * 6.2831853f / (float)count;
    points[i] = (lw_vec3){radius * cosf(angle), 0, radius * sinf(angle)};
  }
  return count;
}

lw_obstacle_def sight_random_obstacle(lw_random *random, lw_vec3 *points) {
  const sight_box box = sight_random_box(random);
  lw_obstacle_def def = sight_obstacle(&box);
  def.at.y = lwi_random_bits(random) % 3 == 0 ? sight_between(random, 0, 1) : 0;
  def.cover = lwi_random_bits(random) % 3 == 0 ? LW_COVER_SOFT : LW_COVER_HARD;
  def.shape = (lw_obstacle_shape)(lwi_random_bits(random) % LW_OBSTACLE_SHAPE_COUNT);
  def.radius = sight_between(random, 0.3f, 3);
  def.height = sight_between(random, 0.5f, 3);
  if (def.shape != LW_OBSTACLE_POLYGON) return def;
  def.point_count = make_points(random, points);
  def.points = points;
  return def;
}

/* --- the oracle ------------------------------------------------------------------------------------------- */

#define TAU 6.283185307179586
#define CLOSE 2e-3 /* [m] */

typedef struct corners {
  double x[LW_OBSTACLE_POINTS_MAX], z[LW_OBSTACLE_POINTS_MAX], low, high;
  int count;
} corners;

static void add_corner(corners *c, const lw_obstacle_def *def, double x, double z) {
  const double cosine = cos((double)def->yaw), sine = sin((double)def->yaw);
  c->x[c->count] = (double)def->at.x + x * cosine + z * sine;
  c->z[c->count++] = (double)def->at.z + z * cosine - x * sine;
}

static corners corners_of(const lw_obstacle_def *def) {
  corners c = {.low = (double)def->at.y, .high = (double)def->at.y + def->height};
  const double x = (double)def->size.x / 2, z = (double)def->size.z / 2;
  if (def->shape == LW_OBSTACLE_BOX) {
    c.high = (double)def->at.y + def->size.y;
    add_corner(&c, def, x, z);
    add_corner(&c, def, -x, z);
    add_corner(&c, def, -x, -z);
    add_corner(&c, def, x, -z);
  } else if (def->shape == LW_OBSTACLE_POLYGON) {
    for (int i = 0; i < def->point_count; i++)
      add_corner(&c, def, (double)def->points[i].x, (double)def->points[i].z);
  } else { /* of 12 sides about the circle, whatever its yaw */
    const double radius = (double)def->radius / cos(TAU / 24);
    for (int i = 0; i < 12; i++) {
      c.x[c.count] = (double)def->at.x + radius * cos(TAU * i / 12);
      c.z[c.count++] = (double)def->at.z + radius * sin(TAU * i / 12);
    }
  }
  return c;
}

/* How far inside of the prism a point is: at least 0 inside, negative outside. Whichever turn the corners have. */
static double depth_of(const corners *c, double x, double y, double z) {
  double depth = fmin(y - c->low, c->high - y), mid_x = 0, mid_z = 0;
  for (int i = 0; i < c->count; i++) {
    mid_x += c->x[i] / c->count;
    mid_z += c->z[i] / c->count;
  }
  for (int i = 0; i < c->count; i++) {
    const int k = (i + 1) % c->count;
    const double dx = c->x[k] - c->x[i], dz = c->z[k] - c->z[i], length = sqrt(dx * dx + dz * dz);
    const double side = (dx * (z - c->z[i]) - dz * (x - c->x[i])) / length;
    const double inner = dx * (mid_z - c->z[i]) - dz * (mid_x - c->x[i]);
    depth = fmin(depth, inner > 0 ? side : -side);
  }
  return depth;
}

/* The deepest point of a line: the depth is a concave function along it. */
int sight_meets(const lw_obstacle_def *def, lw_vec3 eye, lw_vec3 target) {
  const corners c = corners_of(def);
  double low = 0, high = 1;
  const double dx = (double)target.x - eye.x, dy = (double)target.y - eye.y, dz = (double)target.z - eye.z;
  const double at_eye = depth_of(&c, (double)eye.x, (double)eye.y, (double)eye.z);
  if (fabs(at_eye) < CLOSE) return -1;
  if (at_eye > 0) return 0;
  for (int i = 0; i < 40 && high - low > 1e-7; i++) {
    const double a = low + (high - low) / 3, b = high - (high - low) / 3;
    if (depth_of(&c, eye.x + dx * a, eye.y + dy * a, eye.z + dz * a) <
        depth_of(&c, eye.x + dx * b, eye.y + dy * b, eye.z + dz * b))
      low = a;
    else
      high = b;
  }
  const double depth = depth_of(&c, eye.x + dx * low, eye.y + dy * low, eye.z + dz * low);
  return depth > CLOSE ? 1 : depth < -CLOSE ? 0 : -1;
}

float sight_exposed(const lw_world *world, lw_workspace *workspace, lw_vec3 eye, lw_vec3 from, lw_vec3 to,
                    lw_accuracy accuracy) {
  lw_threat threat = lw_threat_default();
  lw_exposure_query query = lw_exposure_query_default();
  lw_exposure seen;
  threat.at = eye;
  query.from = from;
  query.to = to;
  query.threats = &threat;
  query.threat_count = 1;
  query.accuracy = accuracy;
  assert_int_equal(lw_exposure_find(world, workspace, &query, &seen), LW_OK);
  return seen.exposed;
}
