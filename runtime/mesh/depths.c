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

static bool make_shores(lwi_depths *depths, lwi_memory *memory) {
  const lwi_annotations *all = &depths->mesh->annotations;
  for (uint32_t i = 0; i < all->water_count; i++) {
    const lw_vec3 *points = all->water_points + all->waters[i].first_point;
    if (!lwi_shore_make(&depths->shores[i], points, (int)all->waters[i].point_count, memory)) return false;
    depths->boxes[i] = depths->shores[i].box;
  }
  return lwi_box_grid_make(&depths->grid, depths->boxes, (int)all->water_count, memory);
}

bool lwi_depths_init(lwi_depths *depths, const lw_navmesh *mesh, lwi_memory *memory) {
  *depths = (lwi_depths){.mesh = mesh};
  const size_t count = mesh->annotations.water_count;
  if (count == 0) return true;
  depths->shores = lwi_alloc_zero(memory, count * sizeof *depths->shores);
  depths->boxes = lwi_alloc(memory, count * sizeof *depths->boxes);
  if (depths->shores && depths->boxes && make_shores(depths, memory)) return true;
  lwi_depths_free(depths, memory);
  return false;
}

void lwi_depths_free(lwi_depths *depths, lwi_memory *memory) {
  const size_t count = depths->mesh->annotations.water_count;
  lwi_box_grid_free(&depths->grid, memory);
  for (size_t i = 0; depths->shores && i < count; i++) lwi_shore_free(&depths->shores[i], memory);
  lwi_free(memory, depths->shores, count * sizeof *depths->shores);
  lwi_free(memory, depths->boxes, count * sizeof *depths->boxes);
}

/* The last water that holds a place, of those after a water (-1: of all). @return -1: none. */
static int last_at(const lwi_depths *depths, lw_vec3 ground, int after) {
  int count;
  const int *waters = lwi_box_grid_at(&depths->grid, ground.x, ground.z, &count);
  while (count-- > 0 && waters[count] > after)
    if (lwi_water_wets(&depths->mesh->annotations.waters[waters[count]], ground.y) &&
        lwi_shore_holds(&depths->shores[waters[count]], ground))
      return waters[count];
  return -1;
}

float lwi_depths_at(const lwi_depths *depths, lw_vec3 ground) {
  const int last = last_at(depths, ground, -1);
  return last < 0 ? 0 : depths->mesh->annotations.waters[last].level - ground.y;
}

/* --- over a polygon --------------------------------------------------------------------------------------- */

/* A slope, and what is known of the depth over its polygon. */
typedef struct measure {
  const lwi_depths *depths;
  lwi_slope slope;
  lwi_incline incline;
  lw_box box;      /* of the slope */
  int water;       /* whose shore is looked at */
  double min, max; /* [m] */
} measure;

static void note(measure *m, double depth) {
  m->min = fmin(m->min, depth);
  m->max = fmax(m->max, depth);
}

/* A place on the slope under the outline of a water: inside of it the ground is wet, outside dry. */
static void note_border(measure *m, lwi_point2 at) {
  const double y = lwi_incline_height(&m->incline, at);
  const lw_vec3 ground = {(float)at.x, (float)y, (float)at.z};
  const lwi_water *all = m->depths->mesh->annotations.waters;
  const int last = last_at(m->depths, ground, m->water);
  const lwi_water *of = &all[last < 0 ? m->water : last];
  m->min = 0;
  if (y >= (double)of->bottom) note(m, fmax(0, (double)of->level - y));
}

/* Where edge ab of the slope meets edge pq of an outline. */
static void note_crossing(measure *m, lwi_point2 a, lwi_point2 b, lwi_point2 p, lwi_point2 q) {
  const double at_a = lwi_point2_turn(p, q, a), at_b = lwi_point2_turn(p, q, b);
  const double at_p = lwi_point2_turn(a, b, p), at_q = lwi_point2_turn(a, b, q);
  if ((at_a > 0) == (at_b > 0) || (at_p > 0) == (at_q > 0)) return;
  const double t = at_a / (at_a - at_b);
  note_border(m, (lwi_point2){a.x + t * (b.x - a.x), a.z + t * (b.z - a.z)});
}

/* An edge of an outline, and the corner where it begins. */
static bool note_edge(void *user, int index) {
  measure *m = user;
  const lwi_shore *shore = &m->depths->shores[m->water];
  const lwi_shore_edge edge = lwi_shore_edge_of(shore->points, shore->count, index);
  const lwi_point2 p = lwi_point2_of(edge.a), q = lwi_point2_of(edge.b);
  bool is_over = true;
  for (int k = 0; k < 3; k++) {
    const lwi_point2 a = lwi_point2_of(m->slope.at[k]), b = lwi_point2_of(m->slope.at[(k + 1) % 3]);
    is_over = is_over && lwi_point2_turn(a, b, p) >= 0;
    note_crossing(m, a, b, p, q);
  }
  if (is_over) note_border(m, p);
  return false;
}

/* Edges that do not meet the slope's bounds neither cross it nor begin over it. */
static bool note_shore(void *user, int index) {
  measure *m = user;
  const lwi_shore *shore = &m->depths->shores[m->water = index];
  return lwi_box_grid_each(&shore->grid, shore->boxes, m->box, note_edge, m);
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
    m.box = lwi_box_empty();
    for (int k = 0; k < 3; k++) {
      m.box = lwi_box_add(m.box, m.slope.at[k]);
      note(&m, (double)lwi_depths_at(depths, m.slope.at[k]));
    }
    lwi_box_grid_each(&depths->grid, depths->boxes, m.box, note_shore, &m);
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
