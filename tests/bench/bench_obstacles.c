/* What cutting obstacles out of a navmesh costs, beside DetourTileCache on the same level. All that hangs on polygons is
   up to date after each change: portals, links and labels of islands with us, the tiles of the navmesh there. */
#include "bench_place.h"
#include "bench_support.h"
#include "live_scene.h"
#include "tile_cache_peer.h"

#include "core/random.h"
#include "search/reach.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ONE_BY_ONE 300
#define STEPS 60
#define FEW 50
#define MANY 1000
#define MOVING 200
#define PEER_OBSTACLES 1100

typedef struct sizes {
  const char *name;
  float half_x, half_z;
} sizes;
static const sizes kinds[] = {{"box 1 x 1", 0.5f, 0.5f}, {"truck 3 x 5", 1.5f, 2.5f}};

typedef struct timing {
  double add[ONE_BY_ONE], move[ONE_BY_ONE], remove[ONE_BY_ONE];
} timing;

typedef struct subject {
  bench_place *place;
  lwi_live *live;
  tile_cache *peer; /* NULL: there is no geometry to build it from */
  float grow;       /* that we cut around an obstacle, and they do not [m] */
} subject;

static live_box box_of(const subject *on, const sizes *of, lw_random *random) {
  return (live_box){bench_draw(&on->place->same).point, 6.3f * lwi_random_unit(random), of->half_x + on->grow,
                    of->half_z + on->grow, 1.5f};
}

static void put(const subject *on, uint32_t number, const live_box *box) {
  const lwi_footprint footprint = live_footprint(box);
  if (!lwi_live_set(on->live, number, &footprint)) abort();
}

static void apply(const subject *on) {
  if (!lwi_live_apply(on->live)) abort();
}

static unsigned peer_put(const subject *on, const live_box *box) {
  if (!on->peer) return 0;
  const float center[3] = {box->at.x, box->at.y + box->height / 2, box->at.z},
              half[3] = {box->half_x - on->grow, box->height / 2, box->half_z - on->grow};
  return tile_cache_add(on->peer, center, half, box->yaw);
}

static void peer_remove(const subject *on, unsigned obstacle) {
  if (on->peer) tile_cache_remove(on->peer, obstacle);
}

static void peer_update(const subject *on) {
  if (on->peer) tile_cache_update(on->peer);
}

/* [us] */
static double since(double begin) {
  return (bench_time() - begin) * 1e6;
}

static void measure_ours(const subject *on, const sizes *of, timing *times) {
  lw_random random = lwi_random_make(1, 0);
  for (int i = 0; i < ONE_BY_ONE; i++) {
    live_box box = box_of(on, of, &random);
    double begin = bench_time();
    put(on, 0, &box);
    apply(on);
    times->add[i] = since(begin);
    box.at.x += 0.2f;
    begin = bench_time();
    put(on, 0, &box);
    apply(on);
    times->move[i] = since(begin);
    begin = bench_time();
    lwi_live_set(on->live, 0, NULL);
    apply(on);
    times->remove[i] = since(begin);
  }
}

/* Moving is removing and adding there. */
static void measure_peer(const subject *on, const sizes *of, timing *times) {
  lw_random random = lwi_random_make(1, 0);
  for (int i = 0; i < ONE_BY_ONE; i++) {
    live_box box = box_of(on, of, &random);
    double begin = bench_time();
    unsigned obstacle = peer_put(on, &box);
    peer_update(on);
    times->add[i] = since(begin);
    box.at.x += 0.2f;
    begin = bench_time();
    peer_remove(on, obstacle);
    obstacle = peer_put(on, &box);
    peer_update(on);
    times->move[i] = since(begin);
    begin = bench_time();
    peer_remove(on, obstacle);
    peer_update(on);
    times->remove[i] = since(begin);
  }
}

static void print_row(const char *level, const char *what, double *ours, double *theirs, int count) {
  const double median = bench_quantile(ours, count, 0.5), last = bench_quantile(ours, count, 0.99);
  printf("%-18s %-22s %9.2f %9.2f", level, what, median, last);
  if (theirs)
    printf(" %10.1f %8.1f", bench_quantile(theirs, count, 0.5), bench_quantile(theirs, count, 0.5) / median);
  printf("\n");
}

static void measure_single(const subject *on) {
  static timing ours, theirs;
  char what[64];
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    measure_ours(on, &kinds[k], &ours);
    measure_peer(on, &kinds[k], &theirs);
    snprintf(what, sizeof what, "%s added", kinds[k].name);
    print_row(on->place->name, what, ours.add, on->peer ? theirs.add : NULL, ONE_BY_ONE);
    snprintf(what, sizeof what, "%s moved", kinds[k].name);
    print_row(on->place->name, what, ours.move, on->peer ? theirs.move : NULL, ONE_BY_ONE);
    snprintf(what, sizeof what, "%s removed", kinds[k].name);
    print_row(on->place->name, what, ours.remove, on->peer ? theirs.remove : NULL, ONE_BY_ONE);
  }
}

static void measure_moving(const subject *on) {
  static double ours[STEPS], theirs[STEPS];
  lw_random random = lwi_random_make(2, 0);
  live_box boxes[MOVING];
  unsigned obstacles[MOVING];
  for (int i = 0; i < MOVING; i++) {
    boxes[i] = box_of(on, &kinds[0], &random);
    obstacles[i] = peer_put(on, &boxes[i]);
    if (i % 32 == 31) peer_update(on); /* no more than 64 requests wait */
  }
  for (int step = 0; step < STEPS; step++) {
    for (int i = 0; i < MOVING; i++) {
      boxes[i].at.x += 0.03f;
      boxes[i].yaw += 0.02f;
    }
    double begin = bench_time();
    for (uint32_t i = 0; i < MOVING; i++) put(on, i, &boxes[i]);
    apply(on);
    ours[step] = since(begin);
    begin = bench_time();
    for (int i = 0; i < MOVING; i++) {
      peer_remove(on, obstacles[i]);
      obstacles[i] = peer_put(on, &boxes[i]);
      if (i % 16 == 15) peer_update(on);
    }
    peer_update(on);
    theirs[step] = since(begin);
  }
  print_row(on->place->name, "200 moving, a step", ours, on->peer ? theirs : NULL, STEPS);
  for (int i = 0; i < MOVING; i++) {
    lwi_live_set(on->live, (uint32_t)i, NULL);
    peer_remove(on, obstacles[i]);
    if (i % 32 == 31) peer_update(on);
  }
  apply(on);
  peer_update(on);
}

static void measure_many(const subject *on) {
  lw_random random = lwi_random_make(3, 0);
  static live_box boxes[MANY];
  for (int i = 0; i < MANY; i++) boxes[i] = box_of(on, &kinds[0], &random);
  double begin = bench_time(), ours, theirs;
  for (uint32_t i = 0; i < MANY; i++) put(on, i, &boxes[i]);
  apply(on);
  ours = since(begin);
  static unsigned obstacles[MANY];
  int refused = 0;
  begin = bench_time();
  for (int i = 0; i < MANY; i++) {
    obstacles[i] = peer_put(on, &boxes[i]);
    refused += obstacles[i] == 0;
    if (i % 32 == 31) peer_update(on);
  }
  peer_update(on);
  theirs = since(begin);
  print_row(on->place->name, "1000 added in a step", &ours, on->peer ? &theirs : NULL, 1);
  if (on->peer && refused > 0) printf("%-18s %d of %d refused there\n", "", refused, MANY);
  for (int i = 0; i < MANY; i++) {
    lwi_live_set(on->live, (uint32_t)i, NULL);
    peer_remove(on, obstacles[i]);
    if (i % 32 == 31) peer_update(on);
  }
  apply(on);
  peer_update(on);
}

/* What so many boxes take, beyond what a live navmesh with nothing cut out takes. */
static void measure_memory(const subject *of, int boxes) {
  lwi_memory memory = lwi_memory_make(NULL);
  subject on = *of;
  lw_random random = lwi_random_make(3, 0);
  on.live = lwi_live_create(&memory, on.place->same.mesh);
  if (!on.live) abort();
  live_box box = box_of(&on, &kinds[0], &random);
  put(&on, 0, &box);
  apply(&on);
  if (!lwi_live_set(on.live, 0, NULL)) abort();
  apply(&on);
  const size_t before = memory.bytes;
  for (int i = 0; i < boxes; i++) {
    box = box_of(&on, &kinds[0], &random);
    put(&on, (uint32_t)i, &box);
  }
  apply(&on);
  const lwi_live_counts counts = lwi_live_count(on.live);
  printf("%-18s %d boxes: %d of %d polygons cut into %d pieces, %.0f bytes a cut polygon, %.0f a piece\n", "",
         boxes, counts.cut_polygons, (int)on.place->same.mesh->polygons.count, counts.pieces,
         (double)(memory.bytes - before) / fmax(1, counts.cut_polygons),
         (double)(memory.bytes - before) / fmax(1, counts.pieces));
  lwi_live_destroy(on.live);
}

/* --- one long obstacle ------------------------------------------------------------------------------------ */

#define LONG 200.0f
#define PLACES 20000

/* @return The part of the places inside of it, in per cent, that is still walkable. */
static double left_of_ours(const subject *on, const lw_location *places, int count) {
  int left = 0;
  for (int i = 0; i < count; i++) {
    const uint32_t polygon = lwi_poly_index(on->place->same.mesh, places[i].poly);
    left += lwi_part_at(lwi_live_mesh(on->live), polygon, places[i].point, 0) != LWI_NONE;
  }
  return 100.0 * left / count;
}

static double left_of_theirs(const subject *on, const lw_location *places, int count) {
  int left = 0;
  for (int i = 0; i < count; i++) {
    const float at[3] = {places[i].point.x, places[i].point.y, places[i].point.z};
    left += tile_cache_is_walkable(on->peer, at);
  }
  return 100.0 * left / count;
}

/* A box of 200 x 200 m over the middle of the level, as high as it is: there, and removed. */
static void measure_long(const subject *on) {
  static lw_location places[PLACES];
  const lw_box bounds = on->place->same.mesh->bounds;
  const lw_vec3 at = lwi_lerp(bounds.min, bounds.max, 0.5f);
  const live_box box = {{at.x, bounds.min.y - 1, at.z}, 0, LONG / 2, LONG / 2, bounds.max.y - bounds.min.y + 2};
  const lwi_footprint footprint = live_footprint(&box);
  const lwi_cut_shape shape = lwi_footprint_shape(&footprint);
  int count = 0;
  for (int i = 0; i < PLACES; i++) {
    const lw_location place = bench_draw(&on->place->same);
    if ((double)place.point.x > shape.min_x && (double)place.point.x < shape.max_x &&
        (double)place.point.z > shape.min_z && (double)place.point.z < shape.max_z)
      places[count++] = place;
  }
  double begin = bench_time();
  put(on, 0, &box);
  apply(on);
  const double added = since(begin), ours = left_of_ours(on, places, count);
  begin = bench_time();
  lwi_live_set(on->live, 0, NULL);
  apply(on);
  printf("%-18s %.0f m box: added in %.0f us, removed in %.0f us; of %d places inside %.1f %% are left", "",
         (double)LONG, added, since(begin), count, ours);
  if (on->peer) {
    const unsigned obstacle = peer_put(on, &box);
    peer_update(on);
    printf(", there %.1f %%", left_of_theirs(on, places, count));
    if (obstacle == 0) printf(" (refused)");
    peer_remove(on, obstacle);
    peer_update(on);
  }
  printf("\n");
}

/* --- one wide polygon ------------------------------------------------------------------------------------- */

#define WIDTH 200.0F

static lw_navmesh *make_square(const lw_area_table *areas) {
  const lw_vec3 vertices[] = {{0, 0, 0}, {0, 0, WIDTH}, {WIDTH, 0, WIDTH}, {WIDTH, 0, 0}};
  const int corners[] = {0, 1, 2, 3}, count = 4;
  lw_navmesh_def def = lw_navmesh_def_default();
  def.areas = areas;
  def.vertices = vertices;
  def.vertex_count = 4;
  def.corners = corners;
  def.corner_counts = &count;
  def.polygon_count = 1;
  lw_navmesh *mesh;
  lw_error error;
  if (lw_navmesh_create(&def, &mesh, &error) != LW_OK) abort();
  return mesh;
}

static live_box box_on_square(lw_random *random) {
  const lw_vec3 at = {WIDTH * lwi_random_unit(random), 0, WIDTH * lwi_random_unit(random)};
  return (live_box){at, 6.3f * lwi_random_unit(random), 0.5f, 0.5f, 1.5f};
}

/* One of so many boxes moves. */
static void measure_wide(const lw_navmesh *mesh, uint32_t boxes) {
  lwi_memory memory = lwi_memory_make(NULL);
  const subject on = {.live = lwi_live_create(&memory, mesh)};
  if (!on.live) abort();
  lw_random random = lwi_random_make(4, 0);
  for (uint32_t i = 0; i < boxes; i++) {
    const live_box box = box_on_square(&random);
    put(&on, i, &box);
  }
  apply(&on);
  static double times[ONE_BY_ONE];
  for (int i = 0; i < ONE_BY_ONE; i++) {
    const uint32_t moved = (uint32_t)i % boxes;
    live_box box = box_on_square(&random);
    put(&on, moved, &box);
    apply(&on);
    box.at.x += 0.2f;
    const double begin = bench_time();
    put(&on, moved, &box);
    apply(&on);
    times[i] = since(begin);
  }
  printf("%-18s moved, one of %-9u %9.2f %9.2f\n", "one polygon", boxes, bench_quantile(times, ONE_BY_ONE, 0.5),
         bench_quantile(times, ONE_BY_ONE, 0.99));
  lwi_live_destroy(on.live);
}

static void measure_square(void) {
  lw_area_table *areas;
  if (lw_area_table_create(NULL, &areas) != LW_OK) abort();
  lw_area_def area = lw_area_def_default();
  area.name = "ground";
  if (lw_area_table_set(areas, &area, NULL, NULL) != LW_OK) abort();
  lw_navmesh *mesh = make_square(areas);
  for (uint32_t boxes = 1; boxes <= 1000; boxes *= 10) measure_wide(mesh, boxes);
  lw_navmesh_destroy(mesh);
  lw_area_table_destroy(areas);
}

/* --- labels by filter, and clearance ------------------------------------------------------------------------ */

/* What agents with one filter can reach, after a box has moved: kept up, and computed again. */
static void measure_reach(const subject *on, const char *what, const lw_filter *filter) {
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_reach reach, again;
  lwi_reach_scratch scratch = {.relabel = {.memory = &memory}};
  lw_random random = lwi_random_make(5, 0);
  double kept_up[STEPS], computed[STEPS];
  if (!lwi_reach_make(&reach, &memory, lwi_live_mesh(on->live), filter)) abort();
  for (int i = 0; i < STEPS; i++) {
    const live_box box = box_of(on, &kinds[0], &random);
    put(on, 0, &box);
    apply(on);
    double begin = bench_time();
    if (!lwi_reach_update(&reach, &memory, &scratch)) abort();
    kept_up[i] = since(begin);
    begin = bench_time();
    if (!lwi_reach_make(&again, &memory, lwi_live_mesh(on->live), filter)) abort();
    computed[i] = since(begin);
    lwi_reach_free(&again, &memory);
  }
  const double median = bench_quantile(kept_up, STEPS, 0.5),
               again_median = bench_quantile(computed, STEPS, 0.5);
  printf("%-18s %-22s %9.1f %9.1f, computed again %9.1f\n", on->place->name, what, median,
         bench_quantile(kept_up, STEPS, 0.99), again_median);
  lwi_reach_free(&reach, &memory);
  lwi_reach_scratch_free(&scratch);
  if (!lwi_live_set(on->live, 0, NULL)) abort();
  apply(on);
}

/* The same, while all of MOVING boxes move in each step. */
static void measure_reach_moving(const subject *on, const char *what, const lw_filter *filter) {
  lwi_memory memory = lwi_memory_make(NULL);
  lwi_reach reach;
  lwi_reach_scratch scratch = {.relabel = {.memory = &memory}};
  lw_random random = lwi_random_make(2, 0);
  live_box boxes[MOVING];
  double took[STEPS];
  for (int i = 0; i < MOVING; i++) boxes[i] = box_of(on, &kinds[0], &random);
  if (!lwi_reach_make(&reach, &memory, lwi_live_mesh(on->live), filter)) abort();
  for (int step = -1; step < STEPS; step++) { /* the first one adds them */
    for (uint32_t i = 0; i < MOVING; i++) {
      boxes[i].at.x += 0.03f;
      boxes[i].yaw += 0.02f;
      put(on, i, &boxes[i]);
    }
    apply(on);
    const double begin = bench_time();
    if (!lwi_reach_update(&reach, &memory, &scratch)) abort();
    took[step < 0 ? 0 : step] = since(begin);
  }
  print_row(on->place->name, what, took, NULL, STEPS);
  lwi_reach_free(&reach, &memory);
  lwi_reach_scratch_free(&scratch);
  for (uint32_t i = 0; i < MOVING; i++) lwi_live_set(on->live, i, NULL);
  apply(on);
}

static void measure_reaches(const subject *on) {
  lw_filter filter = lw_filter_all();
  measure_reach(on, "labels of a filter", &filter);
  measure_reach_moving(on, "... while 200 move", &filter);
  filter.radius = lw_navmesh_get_agent(on->place->same.mesh).radius + 0.5f;
  measure_reach(on, "clearance, 0.5 m wider", &filter);
  measure_reach_moving(on, "... while 200 move", &filter);
}

static tile_cache *make_peer(const bench_place *place) {
  lw_bake_settings settings = level_settings();
  const recast_job job = bench_recast_job(place->geometry, &settings);
  return tile_cache_create(&job, PEER_OBSTACLES);
}

static void visit(bench_place *place, void *user) {
  (void)user;
  lwi_memory memory = lwi_memory_make(NULL);
  subject on = {.place = place,
                .live = lwi_live_create(&memory, place->same.mesh),
                .peer = place->geometry ? make_peer(place) : NULL,
                .grow = lw_navmesh_get_agent(place->same.mesh).radius};
  if (!on.live || (place->geometry && !on.peer)) {
    printf("%s: %s failed\n", place->name, on.live ? "DetourTileCache" : "memory");
  } else {
    measure_single(&on);
    measure_reaches(&on);
    measure_moving(&on);
    measure_many(&on);
    measure_long(&on);
    measure_memory(&on, FEW);
    measure_memory(&on, MANY);
  }
  tile_cache_destroy(on.peer);
  lwi_live_destroy(on.live);
  fflush(stdout);
}

int main(void) {
  bench_head("obstacles");
  printf("in us; ours grown by the agent's radius; ratio: of medians\n");
  printf("%-18s %-22s %9s %9s %10s %8s\n", "level", "", "median", "99 %", "TileCache", "ratio");
  measure_square();
  return bench_places(visit, NULL) > 0 ? 0 : 1;
}
