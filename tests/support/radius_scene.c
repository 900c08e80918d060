#include "radius_scene.h"

#include "core/vec3.h"
#include "grid_mesh.h"
#include "leeward/query.h"
#include "mesh/berth.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define SWEEP_STEP 0.01

lw_area_table *radius_areas(void) {
  static const char *const names[] = {"ground", "deep_water"};
  lw_area_table *areas = support_areas(names, 2);
  lw_area_def water = *lw_area_table_get(areas, RADIUS_WATER);
  water.deep_water = 1;
  assert_int_equal(lw_area_table_set(areas, &water, NULL, NULL), LW_OK);
  return areas;
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
  for (uint32_t p = 0; p < mesh->polygon_count; p++) {
    if (mesh->poly_areas[p] != RADIUS_GROUND) continue;
    lwi_polygon polygon = lwi_polygon_get(mesh, p);
    for (uint32_t i = 0; i < polygon.count; i++) {
      lw_vec3 a = lwi_corner(&polygon, i), b = lwi_corner(&polygon, lwi_next_corner(&polygon, i));
      float open_to = 0;
      for (uint32_t k = mesh->first_portal[p]; k < mesh->first_portal[p + 1]; k++) {
        if (mesh->portals[k].edge != i || mesh->poly_areas[mesh->portals[k].to] != RADIUS_GROUND) continue;
        lwi_stretch stretch = lwi_portal_stretch(mesh, &mesh->portals[k]);
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
  double least2 = INFINITY;
  for (int i = 0; i < walls->count; i++) least2 = fmin(least2, distance2(x, z, walls->from[i], walls->to[i]));
  return sqrt(least2);
}

double radius_piece(const radius_walls *walls, lw_vec3 from, lw_vec3 to) {
  double least = fmin(radius_distance(walls, (double)from.x, (double)from.z),
                      radius_distance(walls, (double)to.x, (double)to.z));
  double least2 = least * least;
  for (int i = 0; i < walls->count; i++) {
    const lw_vec3 ends[] = {walls->from[i], walls->to[i]};
    for (int k = 0; k < 2; k++)
      least2 = fmin(least2, distance2((double)ends[k].x, (double)ends[k].z, from, to));
  }
  return sqrt(least2);
}

/* The least that a disc swept along the path has to any wall. */
double radius_sweep(const radius_walls *walls, const lw_path *path) {
  int count;
  const lw_vec3 *points = lw_path_points(path, &count);
  double least = radius_distance(walls, (double)points[0].x, (double)points[0].z);
  for (int i = 0; i + 1 < count; i++) {
    int steps = 1 + (int)((double)lwi_distance_xz(points[i], points[i + 1]) / SWEEP_STEP);
    for (int s = 1; s <= steps; s++) {
      lw_vec3 at = lwi_lerp(points[i], points[i + 1], (float)s / (float)steps);
      least = fmin(least, radius_distance(walls, (double)at.x, (double)at.z));
    }
  }
  return least;
}

/* --- scenes --------------------------------------------------------------------------------------------------------- */

/* What is passable, for agents of the profile, checked the slow way. */
static void check_berth(const radius_scene *s) {
  lwi_memory memory = lwi_memory_make(NULL);
  lw_filter filter = lw_profile_filter(s->profile);
  lw_error error = {0};
  if (!(lwi_berth_keep(s->mesh, &filter) > 0)) return;
  lwi_berth *berth = lwi_berth_make(&memory, s->mesh, &filter);
  assert_non_null(berth);
  if (lwi_berth_check(berth, &error) != LW_OK) fail_msg("%s", error.text);
  lwi_berth_free(berth);
  assert_int_equal(memory.bytes, 0);
}

void radius_scene_make(radius_scene *s, const lw_area_table *areas, lw_navmesh *mesh, double keep) {
  *s = (radius_scene){.mesh = mesh, .keep = keep};
  lw_world_def world = lw_world_def_default();
  world.navmesh = mesh;
  assert_int_equal(lw_world_create(&world, &s->world, NULL), LW_OK);
  lw_profile_def def = lw_profile_def_default();
  def.radius = (float)(RADIUS_OF_MESH + keep);
  assert_int_equal(lw_profile_create(&def, areas, &s->profile, NULL), LW_OK);
  radius_find_walls(mesh, &s->walls);
  check_berth(s);
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
  return lw_path_find(s->world, &query, path);
}

bool radius_connected(const radius_scene *s, float x0, float z0, float x1, float z1) {
  lw_connected_query query = lw_connected_query_default();
  query.from = (lw_vec3){x0, 0, z0};
  query.to = (lw_vec3){x1, 0, z1};
  query.profile = s->profile;
  bool connected;
  lw_connected(s->world, &query, &connected);
  return connected;
}
