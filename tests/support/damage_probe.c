#include "damage.h"

#include "core/vec3.h"
#include "leeward/leeward.h"

#include <math.h>

#define PLACES 6
#define POLYGONS 64

static float between(lw_random *random, float low, float high) {
  return low + (high - low) * lwi_random_unit(random);
}

/* A corner of some polygon, or a place in the bounds or beside them. */
static lw_vec3 some_point(const lw_navmesh *navmesh, lw_random *random) {
  lw_box box = lw_navmesh_bounds(navmesh);
  lw_vec3 corners[4],
      point = {between(random, box.min.x - 1, box.max.x + 1), between(random, box.min.y, box.max.y),
               between(random, box.min.z - 1, box.max.z + 1)};
  if (lwi_random_unit(random) < 0.5f) return point;
  lw_poly_id poly = lw_navmesh_next_poly(navmesh, 0);
  for (int skip = (int)(lwi_random_unit(random) * 20); skip > 0 && poly; skip--) {
    lw_poly_id next = lw_navmesh_next_poly(navmesh, poly);
    if (!next) break;
    poly = next;
  }
  if (!poly || lw_navmesh_poly_corners(navmesh, poly, corners, 4) < 3) return point;
  return lwi_lerp(corners[0], corners[2], lwi_random_unit(random));
}

static void probe_place(const lw_navmesh *navmesh, lw_vec3 point, lw_vec3 to, const lw_filter *filter) {
  const lw_vec3 half = {2, 4, 2};
  lw_poly_id found[POLYGONS];
  lw_location at, end;
  lw_raycast ray;
  lw_wall wall;
  lw_poly poly;
  float height;
  int count;
  lw_navmesh_height(navmesh, point, filter, &height);
  lw_navmesh_contains(navmesh, point, 1, filter);
  if (lw_navmesh_nearest(navmesh, point, half, filter, &at) != LW_OK) return;
  lw_navmesh_get_poly(navmesh, at.poly, &poly);
  lw_navmesh_raycast(navmesh, at, to, filter, &ray);
  lw_navmesh_move(navmesh, at, to, filter, &end);
  lw_navmesh_distance_to_wall(navmesh, at, 10, filter, &wall);
  lw_navmesh_polygons_around(navmesh, (lw_circle){at, 8}, filter, found, POLYGONS, &count);
}

static void probe_world(lw_world *world, lw_vec3 from, lw_vec3 to, const lw_profile *profile) {
  lw_path_query path_query = lw_path_query_default();
  lw_path_exists_query connected = lw_path_exists_query_default();
  lw_random_point_query random = lw_random_point_query_default();
  random.random = lw_world_random_stream(world);
  lw_reachable_area_query reachable = lw_reachable_area_query_default();
  lw_reachable_area reached;
  lw_location at;
  lw_path *path;
  bool answer;
  path_query.from = connected.from = random.around = reachable.from = from;
  path_query.to = connected.to = to;
  path_query.profile = connected.profile = random.profile = reachable.profile = profile;
  path_query.max_nodes = 2000;
  path_query.allow_partial = true;
  random.radius = 5;
  lw_path_find(world, NULL, &path_query, &path);
  lw_path_destroy(path);
  lw_path_exists(world, NULL, &connected, &answer);
  lw_random_point_find(world, NULL, &random, &at);
  random.anywhere = true;
  lw_random_point_find(world, NULL, &random, &at);
  lw_reachable_area_find(world, NULL, &reachable, &reached);
  reachable.max_cost = 15;
  lw_reachable_area_find(world, NULL, &reachable, &reached);
}

static void probe_sight(lw_world *world, lw_vec3 from, lw_vec3 to) {
  lw_threat threats[2] = {lw_threat_default(), lw_threat_default()};
  threats[0].at = lwi_vec3(to.x, to.y + 1.6f, from.z);
  threats[1].at = from;
  threats[1].range = 20;
  lw_exposure_query query = lw_exposure_query_default();
  lw_exposure seen;
  query.from = from;
  query.to = to;
  query.threats = threats;
  query.threat_count = 2;
  lw_exposure_find(world, NULL, &query, &seen);
  query.accuracy = LW_ACCURACY_MAP;
  lw_exposure_find(world, NULL, &query, &seen);
  lw_world_sees(world, from, to, false);
}

static void probe_cover(lw_world *world, lw_vec3 around) {
  lw_cover_segment_query query = lw_cover_segment_query_default();
  lw_cover_segment found[4];
  int count;
  query.around = around;
  lw_cover_segment_find(world, &query, found, 4, &count);
}

void damage_probe(const lw_navmesh *navmesh, uint64_t seed) {
  lw_random random = lwi_random_make(seed, 0);
  lw_filter all = lw_filter_all();
  lw_world_def def = lw_world_def_default();
  lw_profile_def profile_def = lw_profile_def_default();
  lw_profile *profile = NULL;
  lw_world *world = NULL;
  profile_def.name = "probe";
  profile_def.radius =
      lw_navmesh_get_agent(navmesh).radius < 2 ? lw_navmesh_get_agent(navmesh).radius + 0.3f : 0.4f;
  def.navmesh = navmesh;
  lw_navmesh_get_stats(navmesh);
  if (lw_profile_create(&profile_def, lw_navmesh_area_table(navmesh), &profile, NULL) == LW_OK &&
      lw_world_create(&def, &world, NULL) == LW_OK) {
    for (int i = 0; i < PLACES; i++) {
      lw_vec3 from = some_point(navmesh, &random), to = some_point(navmesh, &random);
      probe_place(navmesh, from, to, i % 2 ? &all : NULL);
      probe_world(world, from, to, i % 3 == 0 ? NULL : profile);
      probe_sight(world, from, to);
      probe_cover(world, from);
    }
  }
  lw_world_destroy(world);
  lw_profile_destroy(profile);
}
