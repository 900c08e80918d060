/* How open a polygon lies: rays from points spread over it, at two heights of a body, in directions all round and from
   level up to 45 degrees (threats stand on ground, on roofs, on hills). A ray counts for the part of its range that is
   free, so the mean is the part of all places within range, by direction and distance, from which one would be seen.
   Points and directions follow sequences that fill evenly however many are taken (Roberts 2018, "R2"). */
#include "bake/bake_ground_parts.h"

#include "core/parallel.h"
#include "cover/places.h"

#include <math.h>

#define RAYS_A_POINT 8
#define POINTS_MIN 8
#define POINTS_MAX 16
#define POINT_AREA 2.0 /* a point for so much ground [m2] */
#define RAYS_MAX (RAYS_A_POINT * POINTS_MAX)
#define STEEPEST 0.7853981633974483 /* [rad] */
/* Of the agent's height: where its belly and its head are. */
#define LOW 0.5f
#define HIGH 0.9f
/* Exposures come in so many steps: neighbours that differ by less than the rays can tell have the same price, and a search
   has fewer borders between prices to look at. */
#define STEPS 15
#define WATER_POINTS 64
#define CHUNK 32 /* polygons */
#define TWO_PI 6.283185307179586

typedef struct work {
  lw_navmesh *mesh;
  const lwi_ground_parts *what;
  lw_vec3 rays[RAYS_MAX]; /* of the range's length */
  lw_box *waters;         /* [water_count] in xz */
} work;

/* The fractional parts of multiples of the two numbers fill the square evenly. */
static double spread_u(int i) {
  double x = 0.5 + i * 0.7548776662466927;
  return x - floor(x);
}
static double spread_v(int i) {
  double x = 0.5 + i * 0.5698402909980532;
  return x - floor(x);
}

/* --- exposure ----------------------------------------------------------------------------------------------------- */

static void make_rays(work *w) {
  for (int i = 0; i < RAYS_MAX; i++) {
    double round = TWO_PI * spread_u(i), rise = STEEPEST * spread_v(i), range = (double)w->what->range;
    w->rays[i] = lwi_vec3((float)(range * cos(rise) * cos(round)), (float)(range * sin(rise)),
                          (float)(range * cos(rise) * sin(round)));
  }
}

static uint8_t find_exposure(const work *w, uint32_t polygon) {
  const lw_navmesh *mesh = w->mesh;
  int points = (int)fmin(POINTS_MAX, fmax(POINTS_MIN, ceil(lwi_area_of(mesh, polygon) / POINT_AREA)));
  double sum = 0;
  for (int i = 0; i < points; i++) {
    lw_vec3 at = lwi_place_in(mesh, polygon, spread_u(i), spread_v(i));
    for (int k = 0; k < RAYS_A_POINT; k++) {
      lw_vec3 eye = at;
      eye.y += (k & 1 ? HIGH : LOW) * mesh->agent.height;
      sum += (double)lwi_lines_ray(w->what->lines, eye, lwi_add(eye, w->rays[i * RAYS_A_POINT + k]), true);
    }
  }
  return (uint8_t)((int)floor(sum / (points * RAYS_A_POINT) * STEPS + 0.5) * (255 / STEPS));
}

static uint8_t exposure_of(const work *w, uint32_t polygon) {
  const lwi_ground_parts *what = w->what;
  if (!(what->range > 0)) return 255;
  if (what->known && what->known[polygon] != LWI_NONE) return what->exposures[what->known[polygon]];
  return find_exposure(w, polygon);
}

/* --- deep water --------------------------------------------------------------------------------------------------- */

static void make_boxes(work *w) {
  for (uint32_t i = 0; i < w->mesh->water_count; i++) {
    const lwi_water *water = &w->mesh->waters[i];
    w->waters[i] = lwi_box_empty();
    for (uint32_t k = 0; k < water->point_count; k++)
      w->waters[i] = lwi_box_add(w->waters[i], w->mesh->water_points[water->first_point + k]);
  }
}

static bool may_be_wet(const work *w, uint32_t polygon) {
  lwi_polygon outline = lwi_polygon_get(w->mesh, polygon);
  lw_box box = lwi_box_empty();
  for (uint32_t i = 0; i < outline.count; i++) box = lwi_box_add(box, lwi_corner(&outline, i));
  for (uint32_t i = 0; i < w->mesh->water_count; i++) {
    const lw_box *water = &w->waters[i];
    if (water->min.x <= box.max.x && water->max.x >= box.min.x && water->min.z <= box.max.z &&
        water->max.z >= box.min.z)
      return true;
  }
  return false;
}

static uint8_t find_deep_water(const work *w, uint32_t polygon) {
  int deep = 0;
  if (!may_be_wet(w, polygon)) return 0;
  for (int i = 0; i < WATER_POINTS; i++)
    deep += lwi_water_depth(w->mesh, lwi_place_in(w->mesh, polygon, spread_u(i), spread_v(i))) >
            w->what->swim_depth;
  return lwi_part_byte((float)deep / WATER_POINTS);
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

static bool look(void *user, int piece) {
  work *w = user;
  uint32_t first = (uint32_t)piece * CHUNK, end = first + CHUNK;
  for (uint32_t p = first; p < end && p < w->mesh->polygon_count; p++) {
    w->mesh->exposures[p] = exposure_of(w, p);
    w->mesh->deep_waters[p] = find_deep_water(w, p);
  }
  return true;
}

bool lwi_bake_ground_parts(lw_navmesh *mesh, const lwi_ground_parts *what, lwi_memory *memory) {
  work w = {.mesh = mesh, .what = what};
  size_t size = mesh->water_count * sizeof *w.waters;
  w.waters = lwi_alloc(memory, size);
  if (!w.waters && size > 0) return false;
  make_rays(&w);
  make_boxes(&w);
  lwi_parallel run = {.count = (int)((mesh->polygon_count + CHUNK - 1) / CHUNK),
                      .threads = what->threads,
                      .work = look,
                      .user = &w};
  lwi_parallel_run(&run);
  lwi_free(memory, w.waters, size);
  return true;
}
