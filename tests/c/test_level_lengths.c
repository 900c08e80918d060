/* Lengths of paths on the shared levels, beside the way that is walked: from point to point of the path, straight as
   seen from above, up and down with the ground. It is measured in steps of 2 cm over the detail triangles of the
   polygons that the path names, by code that the runtime does not have. */
#include "level_test.h"
#include "surface_oracle.h"

#include "leeward/path.h"

#include <math.h>

#define PATHS 100
#define STEP 0.02       /* [m] */
#define WALKED 0.005    /* of the way that is walked, how far a level's lengths may be off */
#define ONE_WALKED 0.01 /* those of a single path over 5 m */
#define OFF_GROUND 0.2  /* how far the path may pass above or below it [m] */

typedef struct walker {
  const lw_navmesh *mesh;
  const lw_poly_id *corridor;
  int count, at;      /* polygons; the one that it is on */
  double x, y, z;     /* [m] */
  double length, off; /* walked; the furthest that the path was above or below [m] */
} walker;

/* Step to a place: on the same polygon, or on one of the next. Where it changes the ground may jump, which is no way. */
static void step(walker *w, double x, double z, double path_y) {
  const double flat = hypot(x - w->x, z - w->z);
  double y = w->y;
  int on = w->at;
  while (on < w->count && on < w->at + 8 &&
         !surface_oracle_height(w->mesh, lwi_poly_index(w->mesh, w->corridor[on]), x, z, w->y, &y))
    on += 1;
  const bool is_found = on < w->count && on < w->at + 8;
  w->length += is_found && on == w->at ? hypot(flat, y - w->y) : flat;
  if (is_found) {
    w->at = on;
    w->y = y;
    w->off = fmax(w->off, fabs(path_y - y));
  }
  w->x = x;
  w->z = z;
}

static void walk(walker *w, lw_vec3 a, lw_vec3 b) {
  const double dx = (double)b.x - a.x, dy = (double)b.y - a.y, dz = (double)b.z - a.z;
  const int steps = 1 + (int)(hypot(dx, dz) / STEP);
  for (int i = 1; i <= steps; i++) {
    const double t = (double)i / steps;
    step(w, (double)a.x + dx * t, (double)a.z + dz * t, (double)a.y + dy * t);
  }
}

static void are_what_a_walker_over_the_surface_measures(shared_level *level) {
  double said = 0, walked = 0, worst = 0, off = 0, straight = 0;
  int found = 0;
  for (int tries = 0; found < PATHS && tries < 20 * PATHS; tries++) {
    lw_path_query query = lw_path_query_default();
    lw_path *path;
    query.from = level_place(level).point;
    query.to = level_place(level).point;
    if (lw_path_find(level->world, NULL, &query, &path) != LW_OK) continue;
    int count;
    const lw_vec3 *points = lw_path_points(path, &count);
    walker w = {
        .mesh = level->mesh, .x = (double)points[0].x, .y = (double)points[0].y, .z = (double)points[0].z};
    w.corridor = lw_path_corridor(path, &w.count);
    for (int i = 0; i + 1 < count; i++) walk(&w, points[i], points[i + 1]);
    const double length = (double)lw_path_length(path);
    assert_true(fabs((double)lw_path_cost(path) - length) <= 1e-4 * length);
    if (w.length > 5) worst = fmax(worst, fabs(length / w.length - 1));
    straight += (double)lwi_distance(points[0], points[count - 1]);
    said += length;
    walked += w.length;
    off = fmax(off, w.off);
    found += 1;
    lw_path_destroy(path);
  }
  printf("note: %s: %d paths of %.1f m (%.1f m as the crow flies): lengths are %+.2f %% off the way that is "
         "walked, of "
         "one path %.2f %% at most; points pass the ground by %.2f m at most (seed %llu)\n",
         level->name, found, said / found, straight / found, 100 * (said / walked - 1), 100 * worst, off,
         (unsigned long long)level->seed);
  assert_true(fabs(said / walked - 1) <= WALKED);
  assert_true(worst <= ONE_WALKED);
  assert_true(off <= OFF_GROUND);
}

int main(void) {
  static const level_check checks[] = {
      {"are_what_a_walker_over_the_surface_measures", are_what_a_walker_over_the_surface_measures},
  };
  const int count = sizeof checks / sizeof *checks;
  return level_run_on("hills", surface_oracle_hills, checks, count) + level_run("level lengths", checks, count);
}
