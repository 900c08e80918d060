/* What cutting obstacles out of a navmesh costs, beside DetourTileCache on the same level. All that hangs on polygons is
   up to date after each change: portals, links and labels of islands with us, the tiles of the navmesh there. */
#include "bench_place.h"
#include "bench_support.h"
#include "live_scene.h"
#include "tile_cache_peer.h"

#include "core/random.h"

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
  tile_cache *peer;
  float grow; /* that we cut around an obstacle, and they do not [m] */
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
  const float center[3] = {box->at.x, box->at.y + box->height / 2, box->at.z},
              half[3] = {box->half_x - on->grow, box->height / 2, box->half_z - on->grow};
  return tile_cache_add(on->peer, center, half, box->yaw);
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
    tile_cache_update(on->peer);
    times->add[i] = since(begin);
    box.at.x += 0.2f;
    begin = bench_time();
    tile_cache_remove(on->peer, obstacle);
    obstacle = peer_put(on, &box);
    tile_cache_update(on->peer);
    times->move[i] = since(begin);
    begin = bench_time();
    tile_cache_remove(on->peer, obstacle);
    tile_cache_update(on->peer);
    times->remove[i] = since(begin);
  }
}

static void print_row(const char *level, const char *what, double *ours, double *theirs, int count) {
  const double median = bench_quantile(ours, count, 0.5), their_median = bench_quantile(theirs, count, 0.5);
  printf("%-18s %-22s %9.2f %9.2f %10.1f %8.1f\n", level, what, median, bench_quantile(ours, count, 0.99),
         their_median, their_median / median);
}

static void measure_single(const subject *on) {
  static timing ours, theirs;
  char what[64];
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    measure_ours(on, &kinds[k], &ours);
    measure_peer(on, &kinds[k], &theirs);
    snprintf(what, sizeof what, "%s added", kinds[k].name);
    print_row(on->place->name, what, ours.add, theirs.add, ONE_BY_ONE);
    snprintf(what, sizeof what, "%s moved", kinds[k].name);
    print_row(on->place->name, what, ours.move, theirs.move, ONE_BY_ONE);
    snprintf(what, sizeof what, "%s removed", kinds[k].name);
    print_row(on->place->name, what, ours.remove, theirs.remove, ONE_BY_ONE);
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
    if (i % 32 == 31) tile_cache_update(on->peer); /* no more than 64 requests wait */
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
      tile_cache_remove(on->peer, obstacles[i]);
      obstacles[i] = peer_put(on, &boxes[i]);
      if (i % 16 == 15) tile_cache_update(on->peer);
    }
    tile_cache_update(on->peer);
    theirs[step] = since(begin);
  }
  print_row(on->place->name, "200 moving, a step", ours, theirs, STEPS);
  for (int i = 0; i < MOVING; i++) {
    lwi_live_set(on->live, (uint32_t)i, NULL);
    tile_cache_remove(on->peer, obstacles[i]);
    if (i % 32 == 31) tile_cache_update(on->peer);
  }
  apply(on);
  tile_cache_update(on->peer);
}

static void measure_many(const subject *on) {
  lw_random random = lwi_random_make(3, 0);
  static live_box boxes[MANY];
  for (int i = 0; i < MANY; i++) boxes[i] = box_of(on, &kinds[0], &random);
  double begin = bench_time(), ours, theirs;
  for (uint32_t i = 0; i < MANY; i++) put(on, i, &boxes[i]);
  apply(on);
  ours = since(begin);
  int refused = 0;
  begin = bench_time();
  for (int i = 0; i < MANY; i++) {
    refused += peer_put(on, &boxes[i]) == 0;
    if (i % 32 == 31) tile_cache_update(on->peer);
  }
  tile_cache_update(on->peer);
  theirs = since(begin);
  print_row(on->place->name, "1000 added in a step", &ours, &theirs, 1);
  if (refused > 0) printf("%-18s %d of %d refused there\n", "", refused, MANY);
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

static void visit(bench_place *place, void *user) {
  (void)user;
  if (!place->geometry) return;
  lw_bake_settings settings = level_settings();
  const recast_job job = bench_recast_job(place->geometry, &settings);
  lwi_memory memory = lwi_memory_make(NULL);
  subject on = {place, lwi_live_create(&memory, place->same.mesh), tile_cache_create(&job, PEER_OBSTACLES),
                lw_navmesh_get_agent(place->same.mesh).radius};
  if (!on.live || !on.peer) {
    printf("%s: %s failed\n", place->name, on.live ? "DetourTileCache" : "memory");
  } else {
    measure_single(&on);
    measure_moving(&on);
    measure_many(&on);
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
