/* Openness by rays: from points spread over the polygon, at two heights of a body, in directions all round
   and from level up to 45 degrees (threats stand on ground, on roofs, on hills). A ray counts for the free
   part of its length, so the mean is the part of all points within range, by direction and distance, from
   which the polygon can be seen. Points and directions follow sequences that fill evenly for any count
   (Roberts 2018, "R2"). */
#include "bake/openness.h"

#include "mesh/box_grid.h"
#include "core/parallel.h"
#include "core/vec3.h"
#include "mesh/depths.h"

#include <math.h>

#define RAYS_A_POINT 8
#define POINTS_MIN 8
#define POINTS_MAX 16
#define POINT_AREA 2.0    /* ground per point [m2] */
#define POINT_SPACING 1.0 /* of points along a waypoint edge [m] */
#define RAYS_MAX (RAYS_A_POINT * POINTS_MAX)
#define STEEPEST 0.7853981633974483 /* [rad] */
/* Heights of the rays' origins, as parts of the agent's height. */
#define LOW 0.5f
#define HIGH 0.9f
/* Openness is rounded to this number of steps: smaller differences are within the rays' noise, and fewer
   borders between prices make a search faster. */
#define STEPS 15
#define CHUNK 32 /* polygons */
#define TWO_PI 6.283185307179586

typedef struct work {
  lw_navmesh *mesh;
  const lwi_openness_def *what;
  lw_vec3 rays[RAYS_MAX]; /* as long as the range */
  lwi_depths depths;
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

/* --- openness --------------------------------------------------------------------------------------------- */

static void make_rays(work *w) {
  for (int i = 0; i < RAYS_MAX; i++) {
    double round = TWO_PI * spread_u(i), rise = STEEPEST * spread_v(i), range = (double)w->what->range;
    w->rays[i] = lwi_vec3((float)(range * cos(rise) * cos(round)), (float)(range * sin(rise)),
                          (float)(range * cos(rise) * sin(round)));
  }
}

/* The free parts of the rays of point `i`. */
static double rays_from(const work *w, int i, lw_vec3 at) {
  double sum = 0;
  for (int k = 0; k < RAYS_A_POINT; k++) {
    lw_vec3 eye = at;
    eye.y += (k & 1 ? HIGH : LOW) * w->mesh->agent.height;
    sum += (double)lwi_lines_ray(w->what->lines, eye, lwi_add(eye, w->rays[i * RAYS_A_POINT + k]), true);
  }
  return sum;
}

static int points_for(double amount, double each) {
  return (int)fmin(POINTS_MAX, fmax(POINTS_MIN, ceil(amount / each)));
}

static uint8_t byte_of(double sum, int points) {
  return (uint8_t)((int)floor(sum / (points * RAYS_A_POINT) * STEPS + 0.5) * (255 / STEPS));
}

static uint8_t find_openness(const work *w, uint32_t polygon) {
  const lw_navmesh *mesh = w->mesh;
  const int points = points_for(lwi_area_of(mesh, polygon), POINT_AREA);
  double sum = 0;
  for (int i = 0; i < points; i++)
    sum += rays_from(w, i, lwi_place_in(mesh, polygon, spread_u(i), spread_v(i)));
  return byte_of(sum, points);
}

/* Along a waypoint edge, which need not lie over any ground. The ends are those that were asked for: parts of a bake
   find the same. */
static uint8_t find_openness_along(const work *w, const lwi_request *edge) {
  const int points = points_for((double)lwi_distance(edge->from, edge->to), POINT_SPACING);
  double sum = 0;
  for (int i = 0; i < points; i++)
    sum += rays_from(w, i, lwi_lerp(edge->from, edge->to, ((float)i + 0.5f) / (float)points));
  return byte_of(sum, points);
}

static void look_along_edges(const work *w) {
  lwi_annotations *all = &w->mesh->annotations;
  for (uint32_t i = 0; i < all->note_count; i++) {
    lwi_link_note *note = &all->notes[i];
    const lwi_request *request = &all->requests[note->request];
    if (request->kind != LW_LINK_WAYPOINT) continue;
    note->has_openness = w->what->range > 0;
    note->openness = note->has_openness ? find_openness_along(w, request) : 0;
    lwi_links_set_openness(w->mesh, note);
  }
}

static uint8_t openness_of(const work *w, uint32_t polygon) {
  const lwi_openness_def *what = w->what;
  if (!(what->range > 0)) return 255;
  if (what->known && what->known[polygon] != LWI_NONE) return what->openness[what->known[polygon]];
  return find_openness(w, polygon);
}

/* --- all of them ------------------------------------------------------------------------------------------ */

static bool look(void *user, int piece) {
  work *w = user;
  uint32_t first = (uint32_t)piece * CHUNK, end = first + CHUNK;
  for (uint32_t p = first; p < end && p < w->mesh->polygons.count; p++) {
    w->mesh->polygons.openness[p] = openness_of(w, p);
    const lwi_depth depth = lwi_depths_find(&w->depths, p);
    w->mesh->polygons.depths[2 * (size_t)p] = depth.min;
    w->mesh->polygons.depths[2 * (size_t)p + 1] = depth.max;
  }
  return true;
}

bool lwi_bake_openness(lw_navmesh *mesh, const lwi_openness_def *what, lwi_memory *memory) {
  work w = {.mesh = mesh, .what = what};
  if (!lwi_depths_init(&w.depths, mesh, memory)) return false;
  make_rays(&w);
  lwi_parallel run = {.count = (int)((mesh->polygons.count + CHUNK - 1) / CHUNK),
                      .threads = what->threads,
                      .work = look,
                      .user = &w};
  lwi_parallel_run(&run);
  look_along_edges(&w);
  lwi_depths_free(&w.depths, memory);
  return true;
}

/* --- places ----------------------------------------------------------------------------------------------- */

/* u chooses a triangle, by area, and the distance from its first corner (by a square root); v the position
   across. */
lw_vec3 lwi_place_in(const lw_navmesh *mesh, uint32_t index, double u, double v) {
  lwi_polygon polygon = lwi_polygon_get(mesh, index);
  lw_vec3 a = lwi_corner(&polygon, 0);
  double left = u * lwi_polygon_area2(&polygon), area2 = 0;
  uint32_t i = 2;
  for (;; i++) {
    area2 = fabs(lwi_turn(a, lwi_corner(&polygon, i - 1), lwi_corner(&polygon, i)));
    if (left <= area2 || i + 1 == polygon.count) break;
    left -= area2;
  }
  double root = sqrt(area2 > 0 ? fmin(1, left / area2) : 0);
  lw_vec3 b = lwi_corner(&polygon, i - 1), c = lwi_corner(&polygon, i);
  double wa = 1 - root, wb = root * (1 - v), wc = root * v;
  lw_vec3 at = {(float)(wa * a.x + wb * b.x + wc * c.x), 0, (float)(wa * a.z + wb * b.z + wc * c.z)};
  at.y = lwi_polygon_height(mesh, index, at.x, at.z);
  return at;
}
