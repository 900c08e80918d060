/* Depth is linear where a slope lies under one water, so its extremes are at the slope's corners, at the
   outline's corners over it, and where their edges cross. */
#include "mesh/depths.h"

#include "mesh/slopes.h"

uint8_t lwi_depth_byte(double depth, bool up) {
  const double steps = depth * LWI_DEPTH_STEPS, slack = 1e-2; /* of a step: what floats round off */
  const double whole = up ? ceil(steps - slack) : floor(steps + slack);
  return whole <= 0 ? 0 : whole >= 255 ? 255 : (uint8_t)whole;
}

/* --- waters by place -------------------------------------------------------------------------------------- */

bool lwi_depths_init(lwi_depths *depths, const lw_navmesh *mesh, lwi_memory *memory) {
  const lwi_annotations *all = &mesh->annotations;
  const size_t size = all->water_count * sizeof *depths->boxes;
  *depths = (lwi_depths){.mesh = mesh, .boxes = lwi_alloc(memory, size)};
  if (!depths->boxes && size > 0) return false;
  for (uint32_t i = 0; i < all->water_count; i++) {
    const lwi_water *water = &all->waters[i];
    depths->boxes[i] = lwi_box_empty();
    for (uint32_t k = 0; k < water->point_count; k++)
      depths->boxes[i] = lwi_box_add(depths->boxes[i], all->water_points[water->first_point + k]);
  }
  if (lwi_box_grid_make(&depths->grid, depths->boxes, (int)all->water_count, memory)) return true;
  lwi_free(memory, depths->boxes, size);
  return false;
}

void lwi_depths_free(lwi_depths *depths, lwi_memory *memory) {
  lwi_box_grid_free(&depths->grid, memory);
  lwi_free(memory, depths->boxes, depths->mesh->annotations.water_count * sizeof *depths->boxes);
}

/* The last water that holds a place. @return -1: none. */
static int last_at(const lwi_depths *depths, lw_vec3 ground) {
  int count;
  const int *waters = lwi_box_grid_at(&depths->grid, ground.x, ground.z, &count);
  while (count-- > 0)
    if (lwi_water_holds(depths->mesh, &depths->mesh->annotations.waters[waters[count]], ground))
      return waters[count];
  return -1;
}

float lwi_depths_at(const lwi_depths *depths, lw_vec3 ground) {
  const int last = last_at(depths, ground);
  return last < 0 ? 0 : depths->mesh->annotations.waters[last].level - ground.y;
}

/* --- over a polygon --------------------------------------------------------------------------------------- */

/* A slope, and what is known of the depth over its polygon. */
typedef struct measure {
  const lwi_depths *depths;
  lwi_slope slope;
  lwi_incline incline;
  double min, max; /* [m] */
} measure;

static void note(measure *m, double depth) {
  m->min = fmin(m->min, depth);
  m->max = fmax(m->max, depth);
}

/* A place on the slope under the outline of a water: inside of it the ground is wet, outside dry. */
static void note_border(measure *m, int water, lwi_point2 at) {
  const double y = lwi_incline_height(&m->incline, at);
  const lw_vec3 ground = {(float)at.x, (float)y, (float)at.z};
  const lwi_water *all = m->depths->mesh->annotations.waters;
  const int last = last_at(m->depths, ground);
  const lwi_water *of = &all[last > water ? last : water];
  m->min = 0;
  if (y >= (double)of->bottom) note(m, fmax(0, (double)of->level - y));
}

/* Where edge ab of the slope meets edge pq of an outline. */
static void note_crossing(measure *m, int water, lwi_point2 a, lwi_point2 b, lwi_point2 p, lwi_point2 q) {
  const double at_a = lwi_point2_turn(p, q, a), at_b = lwi_point2_turn(p, q, b);
  const double at_p = lwi_point2_turn(a, b, p), at_q = lwi_point2_turn(a, b, q);
  if ((at_a > 0) == (at_b > 0) || (at_p > 0) == (at_q > 0)) return;
  const double t = at_a / (at_a - at_b);
  note_border(m, water, (lwi_point2){a.x + t * (b.x - a.x), a.z + t * (b.z - a.z)});
}

static bool note_outline(void *user, int index) {
  measure *m = user;
  const lwi_annotations *all = &m->depths->mesh->annotations;
  const lwi_water *water = &all->waters[index];
  const lw_vec3 *points = all->water_points + water->first_point;
  for (uint32_t i = 0; i < water->point_count; i++) {
    const lwi_point2 p = lwi_point2_of(points[i]),
                     q = lwi_point2_of(points[i + 1 < water->point_count ? i + 1 : 0]);
    bool is_over = true;
    for (int k = 0; k < 3; k++) {
      const lwi_point2 a = lwi_point2_of(m->slope.at[k]), b = lwi_point2_of(m->slope.at[(k + 1) % 3]);
      is_over = is_over && lwi_point2_turn(a, b, p) >= 0;
      note_crossing(m, index, a, b, p, q);
    }
    if (is_over) note_border(m, index, p);
  }
  return false;
}

lwi_depth lwi_depths_find(const lwi_depths *depths, uint32_t polygon) {
  measure m = {.depths = depths, .min = INFINITY};
  const lwi_slopes slopes = lwi_slopes_of(depths->mesh, polygon);
  lw_box all = lwi_box_empty();
  for (uint32_t i = 0; i < slopes.polygon.count; i++) all = lwi_box_add(all, lwi_corner(&slopes.polygon, i));
  if (!lwi_box_grid_meets(&depths->grid, depths->boxes, all)) return (lwi_depth){0, 0};
  for (uint32_t i = 0; i < slopes.count; i++) {
    m.slope = lwi_slopes_get(&slopes, i);
    if (!lwi_incline_of(&m.slope, &m.incline)) continue;
    lw_box box = lwi_box_empty();
    for (int k = 0; k < 3; k++) {
      box = lwi_box_add(box, m.slope.at[k]);
      note(&m, (double)lwi_depths_at(depths, m.slope.at[k]));
    }
    lwi_box_grid_each(&depths->grid, depths->boxes, box, note_outline, &m);
  }
  if (!(m.max > 0)) return (lwi_depth){0, 0};
  return (lwi_depth){lwi_depth_byte(m.min, false), lwi_depth_byte(m.max, true)};
}

bool lwi_depths_make(lw_navmesh *mesh) {
  lwi_depths depths;
  if (!lwi_depths_init(&depths, mesh, &mesh->memory)) return false;
  for (uint32_t p = 0; p < mesh->polygons.count; p++) {
    const lwi_depth depth = lwi_depths_find(&depths, p);
    mesh->polygons.depths[2 * (size_t)p] = depth.min;
    mesh->polygons.depths[2 * (size_t)p + 1] = depth.max;
  }
  lwi_depths_free(&depths, &mesh->memory);
  return true;
}
