/* The surfaces of polygons on the shared levels, beside their triangles looked at one by one: which are level or one plane,
   which slope a place lies on, and where lines over them crease. */
#include "level_test.h"
#include "mesh/ground_line.h"
#include "surface_oracle.h"

#include <math.h>

#define PLACES 20 /* on each polygon */
#define LINES 20  /* over each polygon */
#define LOOKS 50  /* along each line */
#define SLACK 0.1f
/* Far from the origin, where floats are coarse, narrow triangles may be missed: in so few of all places and lines. */
#define FEW 0.005
/* Places on edges lie in triangles, or beside them by less: heights differ by so much. [m] */
#define ROUNDING 2e-3

/* Whether all corners of all triangles lie within so much of a height: `y` plus slopes from `at`. */
static bool lies_in(const lw_navmesh *mesh, uint32_t p, lw_vec3 at, lwi_plane plane, double within) {
  for (uint32_t i = 0; i < surface_oracle_count(mesh, p); i++) {
    lw_vec3 corners[3];
    surface_oracle_triangle(mesh, p, i, corners);
    for (int k = 0; k < 3; k++) {
      const double height = (double)at.y + (double)plane.x * ((double)corners[k].x - (double)at.x) +
                            (double)plane.z * ((double)corners[k].z - (double)at.z);
      if (fabs((double)corners[k].y - height) > within) return false;
    }
  }
  return true;
}

static void are_level_or_planes_where_they_say_so(shared_level *level) {
  const lw_navmesh *mesh = level->mesh;
  int counts[3] = {0};
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    const lwi_polygon polygon = lwi_polygon_get(mesh, p);
    const lw_vec3 at = lwi_corner(&polygon, 0);
    const uint32_t surface = lwi_surface_of(mesh, p);
    const bool is_level = lies_in(mesh, p, at, (lwi_plane){0, 0}, 0);
    lwi_plane plane;
    assert_in_range(surface, LWI_SURFACE_BENT, LWI_SURFACE_PLANE);
    counts[surface] += 1;
    if (surface == LWI_SURFACE_LEVEL) assert_true(is_level);
    if (surface != LWI_SURFACE_PLANE) continue;
    assert_false(is_level);
    assert_true(lwi_plane_of(&polygon, &plane));
    assert_true(lies_in(mesh, p, at, plane, 1.01 * (double)LWI_IN_PLANE));
  }
  printf("note: %s: %d polygons are level, %d one plane, %d bent\n", level->name, counts[LWI_SURFACE_LEVEL],
         counts[LWI_SURFACE_PLANE], counts[LWI_SURFACE_BENT]);
}

/* A place between the corners of a triangle. */
static lw_vec3 place_in(shared_level *level, const lw_vec3 at[3]) {
  float b = level_random(level, 0, 1), c = level_random(level, 0, 1);
  if (b + c > 1) b = 1 - b, c = 1 - c;
  return lwi_add(at[0], lwi_add(lwi_scale(lwi_sub(at[1], at[0]), b), lwi_scale(lwi_sub(at[2], at[0]), c)));
}

/* Whether the slope that is found for a place holds it, at its height. */
static bool is_found(const lw_navmesh *mesh, uint32_t p, const lwi_slopes *slopes, lw_vec3 at) {
  bool is_on;
  double height;
  const uint32_t slope = lwi_slopes_find(slopes, at.x, at.z, &is_on);
  assert_true(slope < slopes->count);
  if (!is_on) return false;
  const lwi_slope found = lwi_slopes_get(slopes, slope);
  assert_true(surface_oracle_triangle_height(found.at, (double)at.x, (double)at.z, &height));
  assert_true(fabs((double)lwi_polygon_height(mesh, p, at.x, at.z) - height) <= ROUNDING);
  return fabs(height - (double)at.y) <= ROUNDING;
}

static void say_which_slope_a_place_lies_on(shared_level *level) {
  const lw_navmesh *mesh = level->mesh;
  int asked = 0, missed = 0;
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    const lwi_slopes slopes = lwi_slopes_of(mesh, p);
    if (!slopes.neighbours) continue;
    for (int i = 0; i < PLACES; i++) {
      const uint32_t drawn = (uint32_t)level_random(level, 0, (float)slopes.count - 0.5f);
      missed += !is_found(mesh, p, &slopes, place_in(level, lwi_slopes_get(&slopes, drawn).at));
      asked += 1;
    }
  }
  printf("note: %s: of %d places %d were not found (seed %llu)\n", level->name, asked, missed,
         (unsigned long long)level->seed);
  assert_true(missed <= FEW * asked);
}

static lw_vec3 place_on_edge(shared_level *level, const lwi_polygon *polygon, uint32_t edge) {
  return lwi_lerp(lwi_corner(polygon, edge), lwi_corner(polygon, lwi_next_corner(polygon, edge)),
                  level_random(level, 0.01f, 0.99f));
}

/* How far lines from crease to crease pass the surface, at places along the line. [m] */
static double off_surface(const lw_navmesh *mesh, uint32_t p, const lwi_ground_line *line,
                          const lwi_ground_crease *creases, int count) {
  lwi_ground_crease before = {0, line->from.y};
  double off = 0;
  for (int i = 0, look = 0; i <= count; i++) {
    const lwi_ground_crease next = i < count ? creases[i] : (lwi_ground_crease){1, line->to.y};
    assert_true(next.t >= before.t);
    for (; look <= LOOKS && (float)look / LOOKS <= next.t; look++) {
      const double t = (double)look / LOOKS,
                   part = (t - (double)before.t) / ((double)next.t - (double)before.t),
                   y = (double)before.y + part * ((double)next.y - (double)before.y);
      const lw_vec3 at = lwi_lerp(line->from, line->to, (float)t);
      double height;
      if (surface_oracle_height(mesh, p, (double)at.x, (double)at.z, y, &height))
        off = fmax(off, fabs(height - y));
    }
    before = next;
  }
  return off;
}

/* A line over a polygon, between two of its edges: it ends on the surface, and passes it nowhere by more than the slack. */
static bool is_followed(shared_level *level, uint32_t p, uint32_t from, uint32_t to, int *found) {
  const lw_navmesh *mesh = level->mesh;
  const lwi_polygon polygon = lwi_polygon_get(mesh, p);
  lwi_ground_crease creases[LWI_GROUND_CREASES_MAX];
  lwi_ground_line line = {.from = place_on_edge(level, &polygon, from),
                          .to = place_on_edge(level, &polygon, to),
                          .is_crossing = true,
                          .slack = SLACK};
  double height;
  line.from.y = lwi_polygon_height(mesh, p, line.from.x, line.from.z);
  const int count = lwi_ground_line_creases(mesh, p, &line, creases);
  *found += count;
  if (surface_oracle_height(mesh, p, (double)line.to.x, (double)line.to.z, (double)line.to.y, &height) &&
      fabs(height - (double)line.to.y) > 10 * ROUNDING)
    return false;
  return off_surface(mesh, p, &line, creases, count) <= (double)SLACK + ROUNDING;
}

static void are_followed_by_lines_over_them(shared_level *level) {
  const lw_navmesh *mesh = level->mesh;
  int lines = 0, found = 0, failed = 0;
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    const uint32_t edges = lwi_polygon_get(mesh, p).count;
    for (uint32_t i = 0; i < LINES; i++) {
      failed += !is_followed(level, p, i % edges, (i % edges + 1 + i / edges % (edges - 1)) % edges, &found);
      lines += 1;
    }
  }
  printf("note: %s: of %d lines with %d creases %d leave the surface (seed %llu)\n", level->name, lines, found,
         failed, (unsigned long long)level->seed);
  assert_true(failed <= FEW * lines);
}

int main(void) {
  static const level_check checks[] = {
      {"are_level_or_planes_where_they_say_so", are_level_or_planes_where_they_say_so},
      {"say_which_slope_a_place_lies_on", say_which_slope_a_place_lies_on},
      {"are_followed_by_lines_over_them", are_followed_by_lines_over_them},
  };
  const int count = sizeof checks / sizeof *checks;
  return level_run_on("hills", surface_oracle_hills, checks, count) +
         level_run("level surfaces", checks, count);
}
