/* What obstacles cost a world: paths over a navmesh from which they are cut, beside paths over the plain one and over one
   baked from the same shapes; and steps with agents that walk among obstacles that move. */
#include "bench_place.h"
#include "bench_support.h"

#include "core/random.h"
#include "leeward/leeward.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PAIRS 400
#define ROUNDS 5
#define MOVING 200
#define AGENTS 1000
#define STEPS 240
#define SINGLES 60
#define DT (1.0f / 60)
#define BOXES_MAX 4000

typedef struct box_place {
  lw_vec3 at;
  float yaw;
} box_place;

typedef struct pair {
  lw_vec3 from, to;
} pair;

static void need(lw_status status) {
  if (status == LW_OK) return;
  printf("failed: %s\n", lw_status_text(status));
  exit(1);
}

static lw_world *world_on(const lw_navmesh *mesh) {
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  def.navmesh = mesh;
  need(lw_world_create(&def, &world, NULL));
  return world;
}

/* --- paths -------------------------------------------------------------------------------------------------- */

static bool find(lw_world *world, const pair *ends) {
  lw_path_query query = lw_path_query_default();
  lw_path *path;
  query.from = ends->from;
  query.to = ends->to;
  query.max_nodes = 1 << 20;
  const bool found = lw_path_find(world, NULL, &query, &path) == LW_OK;
  lw_path_destroy(path);
  return found;
}

/* In microseconds a path, the fastest of the rounds. */
static double time_paths(lw_world *world, const pair *pairs, int count) {
  double fastest = INFINITY;
  for (int round = 0; round < ROUNDS; round++) {
    const double begin = bench_time();
    for (int i = 0; i < count; i++) find(world, &pairs[i]);
    fastest = fmin(fastest, (bench_time() - begin) * 1e6 / count);
  }
  return fastest;
}

/* Keep the pairs between which there is a path. @return How many. */
static int keep_found(lw_world *world, pair *pairs, int count) {
  int kept = 0;
  for (int i = 0; i < count; i++)
    if (find(world, &pairs[i])) pairs[kept++] = pairs[i];
  return kept;
}

static void put_boxes(lw_world *world, const box_place *boxes, int count) {
  for (int i = 0; i < count; i++) {
    lw_obstacle_def def = lw_obstacle_def_default();
    lw_obstacle_id id;
    def.at = boxes[i].at;
    def.yaw = boxes[i].yaw;
    need(lw_obstacle_add(world, &def, &id, NULL));
  }
  need(lw_world_apply_changes(world));
}

/* The level with the boxes in it, baked. */
static lw_navmesh *bake_with(const lw_geometry *geometry, const box_place *boxes, int count) {
  const lw_geometry_mesh mesh = {.vertices = lw_geometry_vertices(geometry),
                                 .vertex_count = lw_geometry_vertex_count(geometry),
                                 .indices = lw_geometry_indices(geometry),
                                 .triangle_count = lw_geometry_triangle_count(geometry),
                                 .areas = lw_geometry_areas(geometry)};
  const lw_bake_settings settings = level_settings();
  lw_geometry *copy;
  lw_navmesh *baked;
  need(lw_geometry_create(lw_geometry_area_table(geometry), NULL, &copy));
  need(lw_geometry_add_mesh(copy, &mesh, NULL));
  for (int i = 0; i < count; i++) {
    const lw_geometry_box box = {
        .at = boxes[i].at, .size = {1, 1, 1}, .yaw = boxes[i].yaw, .area = LW_AREA_NONE};
    need(lw_geometry_add_box(copy, &box, NULL));
  }
  need(lw_navmesh_bake(copy, &settings, &baked, NULL, NULL));
  lw_geometry_destroy(copy);
  return baked;
}

static int polygons_of(lw_world *world) {
  return lw_navmesh_get_stats(lw_world_navmesh(world)).polygons;
}

static void measure_paths(bench_place *place, float area_of_each) {
  static box_place boxes[BOXES_MAX];
  static pair pairs[PAIRS];
  lw_random random = lwi_random_make(4, 0);
  const float area = lw_navmesh_get_stats(place->same.mesh).area;
  const int count = area_of_each > 0 ? (int)fminf(BOXES_MAX, area / area_of_each) : 1;
  for (int i = 0; i < count; i++)
    boxes[i] = (box_place){bench_draw(&place->same).point, 6.3f * lwi_random_unit(&random)};
  for (int i = 0; i < PAIRS; i++)
    pairs[i] = (pair){bench_draw(&place->same).point, bench_draw(&place->same).point};
  lw_world *plain = world_on(place->same.mesh), *live = world_on(place->same.mesh);
  put_boxes(live, boxes, count);
  if (area_of_each <= 0) { /* nothing is left of it, but for the arrays of its own */
    need(lw_obstacle_remove(live, lw_obstacle_next(live, lw_obstacle_id_none())));
    need(lw_world_apply_changes(live));
  }
  lw_navmesh *mesh = area_of_each > 0 && place->geometry ? bake_with(place->geometry, boxes, count) : NULL;
  lw_world *baked = mesh ? world_on(mesh) : NULL;
  int left = keep_found(live, pairs, keep_found(plain, pairs, PAIRS));
  if (baked) left = keep_found(baked, pairs, left);
  const double of_plain = time_paths(plain, pairs, left), of_live = time_paths(live, pairs, left);
  char what[48];
  snprintf(what, sizeof what, area_of_each > 0 ? "%d boxes" : "all removed", count);
  printf("%-18s %-14s %7.2f us, plain %7.2f: %5.2f", place->name, what, of_live, of_plain, of_live / of_plain);
  if (baked) {
    const double of_baked = time_paths(baked, pairs, left);
    printf("; baked %7.2f: %5.2f; polygons %d, baked %d", of_baked, of_live / of_baked, polygons_of(live),
           polygons_of(baked));
  }
  printf("\n");
  lw_world_destroy(baked);
  lw_navmesh_destroy(mesh);
  lw_world_destroy(live);
  lw_world_destroy(plain);
}

/* --- steps -------------------------------------------------------------------------------------------------- */

static void spawn_all(lw_world *world, bench_place *place, const lw_profile *profile, int agents) {
  for (int i = 0; i < agents; i++) {
    lw_agent_def def = lw_agent_def_default();
    lw_agent_id id;
    lw_status status = LW_NO_START; /* also where the ceiling is too low */
    def.profile = profile;
    for (int draws = 0; status == LW_NO_START && draws < 100; draws++) {
      def.at = bench_draw(&place->same).point;
      status = lw_agent_spawn(world, &def, &id, NULL);
    }
    need(status);
  }
}

static void send_all(lw_world *world, bench_place *place) {
  for (lw_agent_id id = lw_agent_id_none(); !lw_agent_id_is_none(id = lw_agent_next(world, id));) {
    lw_agent_state state;
    need(lw_agent_get_state(world, id, &state));
    if (state.move != LW_MOVE_WALKING) lw_agent_move_to(world, id, bench_draw(&place->same).point, 0.5f);
  }
}

/* What applying the changes of a step takes. [us] */
static void time_steps(bench_place *place, const lw_profile *profile, int agents, double *times) {
  lw_random random = lwi_random_make(5, 0);
  lw_world *world = world_on(place->same.mesh);
  lw_obstacle_id obstacles[MOVING];
  box_place boxes[MOVING];
  spawn_all(world, place, profile, agents);
  for (int i = 0; i < MOVING; i++) {
    lw_obstacle_def def = lw_obstacle_def_default();
    boxes[i] = (box_place){bench_draw(&place->same).point, 6.3f * lwi_random_unit(&random)};
    def.at = boxes[i].at;
    def.yaw = boxes[i].yaw;
    need(lw_obstacle_add(world, &def, &obstacles[i], NULL));
  }
  for (int step = 0; step < STEPS; step++) {
    for (int i = 0; i < MOVING; i++) {
      const lw_vec3 velocity = {1 + 0.005f * (float)i, 0, 0}; /* not all are cut again in one step */
      boxes[i].at.x += velocity.x * DT;
      need(lw_obstacle_move(world, obstacles[i], boxes[i].at, boxes[i].yaw, &velocity));
    }
    if (step % 10 == 0) send_all(world, place);
    const double begin = bench_time();
    need(lw_world_apply_changes(world));
    times[step] = (bench_time() - begin) * 1e6;
    need(lw_world_step(world, DT));
  }
  lw_world_destroy(world);
}

/* What one box costs that is added before a step, and removed after it: agents walk long paths, and only few of these are
   crossed. [us] */
static void time_single(bench_place *place, const lw_profile *profile, int agents, double *times) {
  lw_random random = lwi_random_make(6, 0);
  lw_world *world = world_on(place->same.mesh);
  spawn_all(world, place, profile, agents);
  send_all(world, place);
  for (int step = 0; step < STEPS; step++) need(lw_world_step(world, DT)); /* all have their paths by then */
  for (int i = 0; i < SINGLES; i++) {
    lw_obstacle_def def = lw_obstacle_def_default();
    lw_obstacle_id id;
    def.at = bench_draw(&place->same).point;
    def.yaw = 6.3f * lwi_random_unit(&random);
    need(lw_obstacle_add(world, &def, &id, NULL));
    const double begin = bench_time();
    need(lw_world_apply_changes(world));
    times[i] = (bench_time() - begin) * 1e6;
    need(lw_world_step(world, DT));
    need(lw_obstacle_remove(world, id));
    need(lw_world_apply_changes(world));
    send_all(world, place);
    for (int step = 0; step < 5; step++) need(lw_world_step(world, DT));
  }
  lw_world_destroy(world);
}

static void measure_single(bench_place *place, const lw_profile *profile) {
  static double alone[SINGLES], with[SINGLES];
  time_single(place, profile, 0, alone);
  time_single(place, profile, AGENTS, with);
  const double own = bench_quantile(alone, SINGLES, 0.5), all = bench_quantile(with, SINGLES, 0.5);
  printf("%-18s one box added: %.0f us; with the paths of %d agents checked %.0f (99 %%: %.0f), %.0f more\n",
         place->name, own, AGENTS, all, bench_quantile(with, SINGLES, 0.99), all - own);
}

static void measure_steps(bench_place *place) {
  static double alone[STEPS], with[STEPS];
  lw_profile_def def = lw_profile_def_default();
  lw_profile *profile;
  need(lw_profile_create(&def, lw_navmesh_area_table(place->same.mesh), &profile, NULL));
  time_steps(place, profile, 0, alone);
  time_steps(place, profile, AGENTS, with);
  const double own = bench_mean(alone, STEPS), all = bench_mean(with, STEPS);
  printf("%-18s %d moving at 1 to 2 m/s: %.0f us a step (99 %%: %.0f); with %d agents %.0f (99 %%: %.0f), %.0f "
         "more\n",
         place->name, MOVING, own, bench_quantile(alone, STEPS, 0.99), AGENTS, all,
         bench_quantile(with, STEPS, 0.99), all - own);
  measure_single(place, profile);
  lw_profile_destroy(profile);
}

static void visit(bench_place *place, void *user) {
  (void)user;
  measure_paths(place, 0);
  measure_paths(place, 200);
  measure_paths(place, 20);
  measure_steps(place);
  fflush(stdout);
}

int main(void) {
  bench_head("obstacle_world");
  return bench_places(visit, NULL) > 0 ? 0 : 1;
}
