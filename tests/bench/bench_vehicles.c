/* Drives of vehicles between random poses: how many are found, how long a search takes, how much of them leads backwards, and
   how far the body then leaves the navmesh that was baked for it. */
#include "bench_support.h"

#include "core/random.h"
#include "core/vec3.h"
#include "leeward/leeward.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAIRS 300
#define HALF_WIDTH 1.2f
#define LENGTH 4.5f
#define WHEELBASE 2.7f
#define TURN_RADIUS 4.0f
#define SPEED 12.0f
#define LATERAL 4.0f
#define TURN 6.28318531f

/* Of the second run. */
static const lw_trailer trailer = {
    .length = 4, .width = 2 * HALF_WIDTH, .joint = 1.1f, .drawbar = 0.8f, .wheelbase = 3.2f, .max_angle = 1};

/* A place and a heading at which the vehicle stands free. */
typedef struct bench_pose {
  lw_vec3 at;
  float heading;
} bench_pose;

typedef struct bench_ground {
  lw_navmesh *mesh;
  lw_world *world;
  lw_profile *profile;
  bool has_trailer;
} bench_ground;

/* How far a place lies beside the navmesh, in xz. @param[in, out] at  Its height becomes that of the surface. */
static float off_mesh(const lw_navmesh *mesh, lw_vec3 *at) {
  lw_location near;
  const lw_vec3 snap = {3, 2, 3};
  if (lw_navmesh_contains(mesh, *at, 2, NULL)) {
    bench_need(lw_navmesh_height(mesh, *at, NULL, &at->y), "height");
    return 0;
  }
  return lw_navmesh_nearest(mesh, *at, snap, NULL, &near) == LW_OK ? lwi_distance_xz(near.point, *at) : 3;
}

#define SAMPLE 0.1f

/* How far a line lies beside the navmesh from a place on. @param[in, out] at  Becomes its end. */
static float follow_line(const lw_navmesh *mesh, lw_vec3 *at, float heading, float reach) {
  const float sign = reach < 0 ? -1 : 1;
  float worst = 0;
  for (float done = 0; done < fabsf(reach);) {
    const float step = fminf(SAMPLE, fabsf(reach) - done);
    at->x += sign * step * cosf(heading);
    at->z -= sign * step * sinf(heading);
    done += step;
    worst = fmaxf(worst, off_mesh(mesh, at));
  }
  return worst;
}

static float line_off_mesh(const lw_navmesh *mesh, lw_vec3 at, float heading, float reach) {
  return follow_line(mesh, &at, heading, reach);
}

/* Over its joint to the end of its middle line. */
static float trailer_off_mesh(const lw_navmesh *mesh, lw_vec3 at, float heading, float trailer_heading) {
  const float back = trailer.drawbar + trailer.length - HALF_WIDTH;
  const float to_joint = follow_line(mesh, &at, heading, -trailer.joint);
  return fmaxf(to_joint, follow_line(mesh, &at, trailer_heading, -back));
}

/* The navmesh keeps the vehicle's half width from walls, so its middle line must lie on it, without what is round. */
static float body_off_mesh(const bench_ground *on, lw_vec3 at, float heading, float trailer_heading) {
  const float overhang = (LENGTH - WHEELBASE) / 2;
  const float back = fmaxf(0, overhang - HALF_WIDTH), front = fmaxf(0, LENGTH - overhang - HALF_WIDTH);
  const float own = off_mesh(on->mesh, &at);
  const float pulled = on->has_trailer ? trailer_off_mesh(on->mesh, at, heading, trailer_heading) : 0;
  return fmaxf(fmaxf(own, pulled),
               fmaxf(line_off_mesh(on->mesh, at, heading, front), line_off_mesh(on->mesh, at, heading, -back)));
}

/* @param near  It can be reached from there; NULL: it is anywhere. */
static bench_pose draw(const bench_ground *on, lw_random *random, const lw_vec3 *near) {
  for (;;) {
    lw_random_point_query query = lw_random_point_query_default();
    lw_location place;
    query.random = random;
    query.profile = on->profile;
    query.anywhere = true;
    query.is_connected = near != NULL;
    if (near) query.connected_to = *near;
    bench_need(lw_random_point_find(on->world, NULL, &query, &place), "a random place");
    for (int i = 0; i < 16; i++) {
      const bench_pose pose = {place.point, lwi_random_unit(random) * TURN};
      if (body_off_mesh(on, pose.at, pose.heading, pose.heading) <= 0) return pose;
    }
  }
}

static lw_profile *create_profile(const lw_area_table *areas, bool has_trailer) {
  lw_profile_def def = lw_profile_def_default();
  def.name = "bench";
  def.radius = HALF_WIDTH;
  def.climb = 0.8f;
  for (int i = 0; i < LW_PACE_COUNT; i++) def.speed[i] = SPEED;
  def.body.acceleration = 3;
  def.body.deceleration = 5;
  def.body.lateral_acceleration = LATERAL;
  def.body.turn_radius = TURN_RADIUS;
  def.body.vehicle = (lw_vehicle){WHEELBASE, LENGTH, 2 * HALF_WIDTH, 3};
  if (has_trailer) def.body.trailer = trailer;
  lw_profile *profile;
  bench_need(lw_profile_create(&def, areas, &profile, NULL), "profile");
  return profile;
}

static bench_ground open_ground(const char *level, const lw_area_table *areas, bool has_trailer) {
  bench_ground on = {.has_trailer = has_trailer};
  lw_geometry *geometry;
  bench_need(level_geometry(level, areas, &geometry, NULL), "level");
  lw_bake_settings settings = level_settings();
  settings.agent_radius = HALF_WIDTH;
  bench_need(lw_navmesh_bake(geometry, &settings, &on.mesh, NULL, NULL), "bake");
  lw_geometry_destroy(geometry);
  lw_world_def def = lw_world_def_default();
  def.navmesh = on.mesh;
  bench_need(lw_world_create(&def, &on.world, NULL), "world");
  on.profile = create_profile(areas, has_trailer);
  return on;
}

static void close_ground(bench_ground *on) {
  lw_world_destroy(on->world);
  lw_profile_destroy(on->profile);
  lw_navmesh_destroy(on->mesh);
}

/* --- drives ------------------------------------------------------------------------------------------------------- */

typedef struct drive_figures {
  int found, refused, with_backing, cusps, most_cusps;
  double metres, reversed, direct;
  float off;
  double times[PAIRS], nodes[PAIRS];
} drive_figures;

static void add_drive(drive_figures *sum, const bench_ground *on, const lw_drive *drive) {
  int count;
  const lw_drive_point *points = lw_drive_points(drive, &count);
  sum->metres += (double)lw_drive_length(drive);
  sum->reversed += (double)lw_drive_reversed(drive);
  sum->with_backing += lw_drive_reversed(drive) > 0;
  sum->cusps += lw_drive_cusps(drive);
  if (lw_drive_cusps(drive) > sum->most_cusps) sum->most_cusps = lw_drive_cusps(drive);
  for (int i = 0; i < count; i++)
    sum->off = fmaxf(sum->off, body_off_mesh(on, points[i].at, points[i].heading, points[i].trailer_heading));
}

static void find_drives(const bench_ground *on, const bench_pose *poses, drive_figures *sum) {
  for (int i = 0; i < PAIRS; i++) {
    const bench_pose *from = &poses[2 * i], *to = from + 1;
    lw_drive_query query = lw_drive_query_default();
    query.from = from->at;
    query.from_heading = from->heading;
    query.to = to->at;
    query.heading = to->heading;
    query.profile = on->profile;
    lw_drive *drive;
    const double began = bench_clock();
    const lw_status status = lw_drive_find(on->world, NULL, &query, &drive);
    sum->times[i] = bench_clock() - began;
    sum->nodes[i] = drive ? lw_drive_nodes(drive) : 0;
    if (status == LW_OK) {
      sum->found += 1;
      add_drive(sum, on, drive);
    } else {
      printf("  %s: pair %d: (%.2f %.2f %.2f) %.2f to (%.2f %.2f %.2f) %.2f, %.1f ms\n", lw_status_text(status),
             i, (double)from->at.x, (double)from->at.y, (double)from->at.z, (double)from->heading,
             (double)to->at.x, (double)to->at.y, (double)to->at.z, (double)to->heading, 1e3 * sum->times[i]);
    }
    lw_drive_destroy(drive);
  }
}

/* --- driving ------------------------------------------------------------------------------------------------------ */

#define DT (1.0f / 60)
#define SECONDS_MAX 240

typedef struct run_figures {
  int sent, arrived;
  double seconds, metres;
  float off, sharpest, lateral, angle, missed, turned; /* the last two: from the goal */
} run_figures;

/* Hold what a vehicle did in a step against its limits. */
static void hold(run_figures *sum, const bench_ground *on, const lw_agent_state *before,
                 const lw_agent_state *now) {
  const float moved = lwi_distance_xz(before->position, now->position);
  const float turned = fabsf(remainderf(now->heading - before->heading, TURN));
  sum->off = fmaxf(sum->off, body_off_mesh(on, now->position, now->heading, now->trailer_heading));
  sum->angle = fmaxf(sum->angle, fabsf(remainderf(now->trailer_heading - now->heading, TURN)));
  if (moved < 0.03f) return; /* rounding of places would count as curvature */
  sum->sharpest = fmaxf(sum->sharpest, turned / moved);
  sum->lateral = fmaxf(sum->lateral, turned / DT * moved / DT);
  sum->metres += (double)moved;
}

static void drive(const bench_ground *on, const bench_pose *from, const bench_pose *to, run_figures *sum) {
  lw_agent_def def = lw_agent_def_default();
  lw_agent_id agent;
  lw_agent_state before, now;
  def.profile = on->profile;
  def.at = from->at;
  bench_need(lw_agent_spawn(on->world, &def, &agent, NULL), "spawn");
  bench_need(lw_agent_set_heading(on->world, agent, from->heading), "heading");
  lw_move_options options = lw_move_options_default();
  options.heading = to->heading;
  if (lw_agent_move_with(on->world, agent, to->at, &options) == LW_OK) {
    sum->sent += 1;
    bench_need(lw_agent_get_state(on->world, agent, &now), "state");
    for (int i = 0; i < SECONDS_MAX * 60 && now.move == LW_MOVE_WALKING; i++) {
      before = now;
      bench_need(lw_world_step(on->world, DT), "step");
      bench_need(lw_agent_get_state(on->world, agent, &now), "state");
      hold(sum, on, &before, &now);
      sum->seconds += (double)DT;
    }
    sum->arrived += now.move == LW_MOVE_ARRIVED;
    if (now.move == LW_MOVE_ARRIVED) {
      sum->missed = fmaxf(sum->missed, lwi_distance_xz(now.position, to->at));
      sum->turned = fmaxf(sum->turned, fabsf(remainderf(now.heading - to->heading, TURN)));
    } else {
      printf("  did not arrive: (%.2f %.2f %.2f) %.2f to (%.2f %.2f %.2f) %.2f: %s\n", (double)from->at.x,
             (double)from->at.y, (double)from->at.z, (double)from->heading, (double)to->at.x, (double)to->at.y,
             (double)to->at.z, (double)to->heading, lw_status_text(now.failure));
    }
  }
  bench_need(lw_agent_despawn(on->world, agent), "despawn");
  bench_need(lw_world_step(on->world, DT), "step");
}

static void print_run(const run_figures *sum) {
  printf("%-20s arrived %d of %d sent; %.1f m/s in the mean; off by %.3f m; sharpest %.4f of %.4f / m, lateral "
         "%.3f of %.1f m/s2; from the goal %.3f m, %.3f rad; trailer turned by up to %.3f rad\n",
         "", sum->arrived, sum->sent, sum->metres / sum->seconds, (double)sum->off, (double)sum->sharpest,
         (double)(1 / TURN_RADIUS), (double)sum->lateral, (double)LATERAL, (double)sum->missed,
         (double)sum->turned, (double)sum->angle);
}

static void measure(const char *level, const lw_area_table *areas, bool has_trailer) {
  bench_ground on = open_ground(level, areas, has_trailer);
  lw_random random = lwi_random_make(18, 1);
  static bench_pose poses[2 * PAIRS];
  static drive_figures sum;
  memset(&sum, 0, sizeof sum);
  for (int i = 0; i < PAIRS; i++) {
    poses[2 * i] = draw(&on, &random, NULL);
    poses[2 * i + 1] = draw(&on, &random, &poses[2 * i].at);
  }
  find_drives(&on, poses, &sum);
  printf("%s\n", has_trailer ? "with a trailer" : "alone");
  printf("%-20s found %d of %d; %.0f km, backwards %.2f %%, in %d; cusps %d, most %d; off by %.3f m\n", level,
         sum.found, PAIRS, sum.metres / 1e3, 100 * sum.reversed / sum.metres, sum.with_backing, sum.cusps,
         sum.most_cusps, (double)sum.off);
  printf("%-20s a search: mean %.2f ms, median %.2f, 99th percentile %.2f, worst %.1f; nodes: mean %.0f, worst "
         "%.0f\n",
         "", 1e3 * bench_mean(sum.times, PAIRS), 1e3 * bench_quantile(sum.times, PAIRS, 0.5),
         1e3 * bench_quantile(sum.times, PAIRS, 0.99), 1e3 * bench_quantile(sum.times, PAIRS, 1),
         bench_mean(sum.nodes, PAIRS), bench_quantile(sum.nodes, PAIRS, 1));
  run_figures run = {0};
  for (int i = 0; i < PAIRS; i++) drive(&on, &poses[2 * i], &poses[2 * i + 1], &run);
  print_run(&run);
  close_ground(&on);
}

int main(int argc, char **argv) {
  static const char *const levels[] = {"wz_highground", "recast_undulating", "recast_nav_test"};
  lw_area_table *areas;
  bench_head("bench_vehicles");
  bench_need(level_areas(&areas, NULL), "areas");
  for (int i = 0; i < 2 * (int)(sizeof levels / sizeof *levels); i++)
    if (argc < 2 || strcmp(argv[1], levels[i / 2]) == 0) measure(levels[i / 2], areas, i % 2 == 1);
  lw_area_table_destroy(areas);
}
