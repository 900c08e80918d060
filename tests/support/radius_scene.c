#include "radius_scene.h"

#include "core/vec3.h"
#include "grid_mesh.h"
#include "leeward/query.h"
#include "mesh/clearance.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define SWEEP_STEP 0.01

lw_area_table *radius_table;

int radius_open(void **state) {
  (void)state;
  static const char *const names[] = {"ground", "deep_water"};
  radius_table = support_areas(names, 2);
  lw_area_def water = *lw_area_table_get(radius_table, RADIUS_WATER);
  water.deep_water = 1;
  assert_int_equal(lw_area_table_set(radius_table, &water, NULL, NULL), LW_OK);
  return 0;
}

int radius_close(void **state) {
  (void)state;
  lw_area_table_destroy(radius_table);
  return 0;
}

uint64_t radius_seed(void) {
  const char *text = getenv("LEEWARD_SEED");
  return text ? strtoull(text, NULL, 10) : 20261121;
}

/* --- walls, by brute force ---------------------------------------------------------------------------------------- */

static void add_wall(radius_walls *walls, lw_vec3 a, lw_vec3 b, float from, float to) {
  if (!((to - from) * lwi_distance_xz(a, b) > 1e-4f)) return;
  assert_true(walls->count < RADIUS_WALLS);
  walls->from[walls->count] = lwi_lerp(a, b, from);
  walls->to[walls->count++] = lwi_lerp(a, b, to);
}

void radius_find_walls(const lw_navmesh *mesh, radius_walls *walls) {
  walls->count = 0;
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    if (mesh->polygons.areas[p] != RADIUS_GROUND) continue;
    lwi_polygon polygon = lwi_polygon_get(mesh, p);
    for (uint32_t i = 0; i < polygon.count; i++) {
      lw_vec3 a = lwi_corner(&polygon, i), b = lwi_corner(&polygon, lwi_next_corner(&polygon, i));
      float open_to = 0;
      for (uint32_t k = mesh->graph.first_portal[p]; k < mesh->graph.end_portal[p]; k++) {
        if (mesh->graph.portals[k].edge != i ||
            mesh->polygons.areas[mesh->graph.portals[k].to] != RADIUS_GROUND)
          continue;
        lwi_portal_interval stretch = lwi_interval_of_portal(mesh, &mesh->graph.portals[k]);
        add_wall(walls, a, b, open_to, stretch.t0);
        open_to = fmaxf(open_to, stretch.t1);
      }
      add_wall(walls, a, b, open_to, 1);
    }
  }
}

/* From a place to a straight piece, squared. */
static double distance2(double x, double z, lw_vec3 from, lw_vec3 to) {
  double ax = (double)from.x, az = (double)from.z, dx = (double)to.x - ax, dz = (double)to.z - az;
  double length2 = dx * dx + dz * dz, t = length2 > 0 ? ((x - ax) * dx + (z - az) * dz) / length2 : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  double ex = ax + dx * t - x, ez = az + dz * t - z;
  return ex * ex + ez * ez;
}

double radius_distance(const radius_walls *walls, double x, double z) {
  double min2 = INFINITY;
  for (int i = 0; i < walls->count; i++) min2 = fmin(min2, distance2(x, z, walls->from[i], walls->to[i]));
  return sqrt(min2);
}

double radius_piece(const radius_walls *walls, lw_vec3 from, lw_vec3 to) {
  double min = fmin(radius_distance(walls, (double)from.x, (double)from.z),
                    radius_distance(walls, (double)to.x, (double)to.z));
  double min2 = min * min;
  for (int i = 0; i < walls->count; i++) {
    const lw_vec3 ends[] = {walls->from[i], walls->to[i]};
    for (int k = 0; k < 2; k++) min2 = fmin(min2, distance2((double)ends[k].x, (double)ends[k].z, from, to));
  }
  return sqrt(min2);
}

/* The smallest distance to any wall of a disc swept along the path. */
double radius_sweep(const radius_walls *walls, const lw_path *path) {
  int count;
  const lw_vec3 *points = lw_path_points(path, &count);
  double min = radius_distance(walls, (double)points[0].x, (double)points[0].z);
  for (int i = 0; i + 1 < count; i++) {
    int steps = 1 + (int)((double)lwi_distance_xz(points[i], points[i + 1]) / SWEEP_STEP);
    for (int s = 1; s <= steps; s++) {
      lw_vec3 at = lwi_lerp(points[i], points[i + 1], (float)s / (float)steps);
      min = fmin(min, radius_distance(walls, (double)at.x, (double)at.z));
    }
  }
  return min;
}

/* --- scenes --------------------------------------------------------------------------------------------------------- */

/* Passable ground for agents of the profile, by brute force. */
static void check_clearance(const radius_scene *s) {
  lwi_memory memory = lwi_memory_make(NULL);
  lw_filter filter = lw_profile_filter(s->profile);
  lw_error error = {0};
  if (!(lwi_clearance_extra(s->mesh, &filter) > 0)) return;
  lwi_clearance *clearance = lwi_clearance_create(&memory, s->mesh, &filter);
  assert_non_null(clearance);
  if (lwi_clearance_check(clearance, &error) != LW_OK) fail_msg("%s", error.text);
  lwi_clearance_destroy(clearance);
  assert_int_equal(memory.bytes, 0);
}

void radius_scene_make(radius_scene *s, lw_navmesh *mesh, double keep) {
  *s = (radius_scene){.mesh = mesh, .keep = keep};
  lw_world_def world = lw_world_def_default();
  world.navmesh = mesh;
  assert_int_equal(lw_world_create(&world, &s->world, NULL), LW_OK);
  lw_profile_def def = lw_profile_def_default();
  def.radius = (float)(RADIUS_OF_MESH + keep);
  assert_int_equal(lw_profile_create(&def, radius_table, &s->profile, NULL), LW_OK);
  radius_find_walls(mesh, &s->walls);
  check_clearance(s);
}

void radius_scene_drop(radius_scene *s) {
  lw_world_destroy(s->world);
  lw_profile_destroy(s->profile);
  lw_navmesh_destroy(s->mesh);
}

lw_status radius_path(const radius_scene *s, float x0, float z0, float x1, float z1, lw_path **path) {
  lw_path_query query = lw_path_query_default();
  query.from = (lw_vec3){x0, 0, z0};
  query.to = (lw_vec3){x1, 0, z1};
  query.profile = s->profile;
  return lw_path_find(s->world, NULL, &query, path);
}

bool radius_connected(const radius_scene *s, float x0, float z0, float x1, float z1) {
  lw_path_exists_query query = lw_path_exists_query_default();
  query.from = (lw_vec3){x0, 0, z0};
  query.to = (lw_vec3){x1, 0, z1};
  query.profile = s->profile;
  bool connected;
  lw_path_exists(s->world, NULL, &query, &connected);
  return connected;
}
