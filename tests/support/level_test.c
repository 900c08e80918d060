#include "level_test.h"

#include "core/hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CELL 0.3f

/* The level that is open. Tests run level by level, so each is opened once. */
static shared_level current;

static void close_level(void) {
  peer_destroy(current.detour);
  lw_world_destroy(current.world);
  lw_navmesh_destroy(current.mesh);
  lw_area_table_destroy(current.areas);
  current = (shared_level){0};
}

/* What makes the navmesh that is asked for; NULL: it is that of a shared level. */
static lw_navmesh *(*make_mesh)(const lw_area_table *areas);

lw_world *level_make_world(const shared_level *level) {
  lw_world_def def = lw_world_def_default();
  lw_world *world;
  lw_error error = {0};
  def.navmesh = level->mesh;
  def.seed = level->seed;
  if (lw_world_create(&def, &world, &error)) fail_msg("%s: %s", level->name, error.text);
  return world;
}

static void open_level(const char *name) {
  lw_error error = {0};
  char message[256] = "";
  const char *seed = getenv("LEEWARD_SEED");
  current.name = name;
  current.seed = seed ? strtoull(seed, NULL, 10) : 1;
  if (level_areas(&current.areas, &error)) fail_msg("%s: %s", name, error.text);
  if (make_mesh)
    current.mesh = make_mesh(current.areas);
  else if (level_navmesh(name, current.areas, &current.mesh, &error))
    fail_msg("%s: %s", name, error.text);
  current.world = level_make_world(&current);
  if (make_mesh) return;
  current.detour = peer_create(current.mesh, CELL, message, sizeof message);
  if (!current.detour) fail_msg("%s: Detour: %s", name, message);
}

typedef struct level_job {
  const char *level;
  const level_check *check;
  char name[128];
} level_job;

static void run_job(void **state) {
  const level_job *job = *state;
  char text[512];
  if (!make_mesh && !level_file(job->level, text, sizeof text)) {
    static const char *said; /* once a level is enough */
    level_missing(job->level, text, sizeof text);
    if (said != job->level) printf("skipped: %s\n", text);
    said = job->level;
    skip();
  }
  if (!current.name || strcmp(current.name, job->level) != 0) {
    close_level();
    open_level(job->level);
  }
  current.random = lwi_random_make(current.seed, UINT64_MAX); /* not the world's, nor an agent's */
  job->check->run(&current);
}

static int close_last(void **state) {
  (void)state;
  close_level();
  return 0;
}

static int run_on(const char *group, const char *const *names, int name_count, const level_check *checks,
                  int count) {
  size_t total = (size_t)count * (size_t)name_count;
  level_job *jobs = calloc(total, sizeof *jobs);
  struct CMUnitTest *tests = calloc(total, sizeof *tests);
  if (!jobs || !tests) abort();
  for (size_t i = 0; i < total; i++) {
    jobs[i] = (level_job){.level = names[i / (size_t)count], .check = &checks[i % (size_t)count]};
    snprintf(jobs[i].name, sizeof jobs[i].name, "%s_%s", jobs[i].level, jobs[i].check->name);
    tests[i] = (struct CMUnitTest){.name = jobs[i].name, .test_func = run_job, .initial_state = &jobs[i]};
  }
  setvbuf(stdout, NULL, _IOLBF, 0);
  int result = _cmocka_run_group_tests(group, tests, total, NULL, close_last);
  free(tests);
  free(jobs);
  return result;
}

int level_run(const char *group, const level_check *checks, int count) {
  return run_on(group, level_names, LEVEL_COUNT, checks, count);
}

int level_run_on(const char *name, lw_navmesh *(*make)(const lw_area_table *areas), const level_check *checks,
                 int count) {
  make_mesh = make;
  const int result = run_on(name, &name, 1, checks, count);
  make_mesh = NULL;
  return result;
}

float level_random(shared_level *level, float low, float high) {
  return low + (high - low) * lwi_random_unit(&level->random);
}

lw_location level_place(shared_level *level) {
  const lw_navmesh *mesh = level->mesh;
  double pick = lwi_random_unit_double(&level->random) * mesh->area;
  uint32_t index = 0;
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  while (index + 1 < mesh->polygons.count && (pick -= lwi_polygon_area2(&polygon) / 2) >= 0)
    polygon = lwi_polygon_get(mesh, ++index);
  lw_box box = lwi_box_empty();
  for (uint32_t i = 0; i < polygon.count; i++) box = lwi_box_add(box, lwi_corner(&polygon, i));
  lw_vec3 point;
  do {
    point.x = level_random(level, box.min.x, box.max.x);
    point.z = level_random(level, box.min.z, box.max.z);
  } while (level_outside(mesh, index, point.x, point.z) > 0);
  point.y = lwi_polygon_height(mesh, index, point.x, point.z);
  return (lw_location){point, lwi_poly_id(mesh, index)};
}

lw_box *level_boxes(const lw_navmesh *mesh) {
  lw_box *boxes = malloc(((size_t)mesh->polygons.count + 1) * sizeof *boxes);
  assert_non_null(boxes);
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    lwi_polygon polygon = lwi_polygon_get(mesh, p);
    boxes[p] = lwi_box_empty();
    for (uint32_t i = 0; i < polygon.count; i++) boxes[p] = lwi_box_add(boxes[p], lwi_corner(&polygon, i));
  }
  return boxes;
}

static double to_segment(lw_vec3 a, lw_vec3 b, double x, double z) {
  double dx = (double)b.x - a.x, dz = (double)b.z - a.z, px = x - a.x, pz = z - a.z;
  double t = fmin(1, fmax(0, (px * dx + pz * dz) / (dx * dx + dz * dz)));
  return hypot(px - dx * t, pz - dz * t);
}

double level_outside(const lw_navmesh *mesh, uint32_t index, double x, double z) {
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  bool inside = true;
  double nearest = INFINITY;
  for (uint32_t i = 0; i < polygon.count; i++) {
    lw_vec3 a = lwi_corner(&polygon, i), b = lwi_corner(&polygon, lwi_next_corner(&polygon, i));
    inside = inside && ((double)b.z - a.z) * (x - a.x) - ((double)b.x - a.x) * (z - a.z) >= 0;
    nearest = fmin(nearest, to_segment(a, b, x, z));
  }
  return inside ? 0 : nearest;
}

double level_rounding(lw_vec3 point) {
  double size = fmax(fabs((double)point.x), fabs((double)point.z));
  return 1e-5 + size * 0x1p-22; /* two units in the last place */
}

uint64_t level_ground_hash(const lw_navmesh *mesh) {
  uint64_t hash = LWI_HASH_SEED;
  for (uint32_t p = 0; p < lwi_base_count(mesh); p++) {
    lwi_part_walk walk = lwi_parts_of(mesh, p);
    for (uint32_t i; lwi_next_part(&walk, &i);) {
      const lwi_polygon polygon = lwi_polygon_get(mesh, i);
      hash = lwi_hash(hash, polygon.at, 3 * (size_t)polygon.count * sizeof *polygon.at);
      hash = lwi_hash(hash, &mesh->polygons.areas[i], sizeof *mesh->polygons.areas);
      for (uint32_t k = mesh->graph.first_portal[i]; k < mesh->graph.end_portal[i]; k++) {
        const uint64_t to = lwi_poly_place(mesh, lwi_poly_id(mesh, mesh->graph.portals[k].to));
        hash = lwi_hash(hash, &to, sizeof to);
      }
    }
  }
  return hash;
}
