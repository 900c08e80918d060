#include "search/lattice.h"

#include <math.h>

/* The step is this part of the distance to the goal, within limits [m]; wider where there would be too many
   points. */
#define STEP_PART 0.1f
#define STEP_MIN 0.75f
#define STEP_MAX 1.5f
#define LATTICE_MAX 300
/* Narrower polygons have no lattice. [m] */
#define NARROW 2.0f
/* Nor have those within which the cost of a metre differs by no more than this part. */
#define WORTH 0.15f

static int steps_over(float length, float step) {
  return (int)(length / step);
}

/* @return No columns: it is too narrow. */
static lwi_lattice lattice_over(const lw_navmesh *mesh, uint32_t index, const lwi_frame *frame, float step) {
  lwi_lattice lattice = {.mesh = mesh,
                         .polygon = index,
                         .columns = steps_over(frame->size_x, step),
                         .rows = steps_over(frame->size_z, step)};
  if (lattice.columns < 2 || lattice.rows < 2) return (lwi_lattice){0};
  lattice.step_x = frame->size_x / (float)lattice.columns;
  lattice.step_z = frame->size_z / (float)lattice.rows;
  lattice.x = frame->min_x + lattice.step_x / 2;
  lattice.z = frame->min_z + lattice.step_z / 2;
  return lattice;
}

static lw_vec3 lattice_at(const lwi_lattice *lattice, int i) {
  return (lw_vec3){lattice->x + (float)(i % lattice->columns) * lattice->step_x, 0,
                   lattice->z + (float)(i / lattice->columns) * lattice->step_z};
}

static bool is_worth_it(const lwi_cost_model *cost_model, const lwi_lattice *lattice) {
  const lwi_polygon polygon = lwi_polygon_get(lattice->mesh, lattice->polygon);
  float low = INFINITY, high = 0;
  for (int i = 0; i < lattice->columns * lattice->rows; i++) {
    lw_vec3 at = lattice_at(lattice, i);
    if (!lwi_polygon_holds(&polygon, at, 0)) continue;
    float cost = lwi_watch_cost_at(cost_model->watch, lattice->polygon, at);
    low = fminf(low, cost);
    high = fmaxf(high, cost);
  }
  return high - low > WORTH * (low + lwi_price_on(cost_model->prices, lattice->mesh, lattice->polygon));
}

/* @param cost_model  With lwi_cost_has_estimate(). @param distance  From start to goal. [m] */
lwi_lattice lwi_lattice_of(const lwi_cost_model *cost_model, uint32_t index, float distance) {
  const lwi_polygon polygon = lwi_polygon_get(cost_model->mesh, index);
  const lwi_frame frame = lwi_polygon_frame(&polygon);
  if (fminf(frame.size_x, frame.size_z) < NARROW) return (lwi_lattice){0};
  float step = fmaxf(STEP_MIN, fminf(STEP_MAX, distance * STEP_PART));
  step = fmaxf(step, sqrtf(frame.size_x * frame.size_z / LATTICE_MAX));
  lwi_lattice lattice = lattice_over(cost_model->mesh, index, &frame, step);
  return lattice.columns > 0 && is_worth_it(cost_model, &lattice) ? lattice : (lwi_lattice){0};
}

/* Lattice point `i`, row by row, on the surface. @return false: it is outside the polygon. */
bool lwi_lattice_point(const lwi_lattice *lattice, int i, lw_vec3 *at) {
  const lwi_polygon polygon = lwi_polygon_get(lattice->mesh, lattice->polygon);
  *at = lattice_at(lattice, i);
  if (!lwi_polygon_holds(&polygon, *at, 0)) return false;
  at->y = lwi_polygon_height(lattice->mesh, lattice->polygon, at->x, at->z);
  return true;
}

/* Lattice steps as a chess king or knight moves: sixteen directions. */
static const int8_t STEPS[16][2] = {{1, 0}, {0, 1},  {-1, 0}, {0, -1},  {1, 1}, {1, -1}, {-1, 1}, {-1, -1},
                                    {2, 1}, {2, -1}, {-2, 1}, {-2, -1}, {1, 2}, {1, -2}, {-1, 2}, {-1, -2}};

/* @param[out] next  [16] @return How many. */
static int lattice_around(const lwi_lattice *lattice, int column, int row, const int8_t steps[16][2],
                          int *next) {
  int count = 0;
  for (int i = 0; i < 16; i++) {
    int x = column + steps[i][0], z = row + steps[i][1];
    if (x >= 0 && x < lattice->columns && z >= 0 && z < lattice->rows) next[count++] = z * lattice->columns + x;
  }
  return count;
}

/* The lattice points to go to from lattice point `i`. */
int lwi_lattice_next(const lwi_lattice *lattice, int i, int *next) {
  return lattice_around(lattice, i % lattice->columns, i / lattice->columns, STEPS, next);
}

/* The lattice points about any other point. */
int lwi_lattice_about(const lwi_lattice *lattice, lw_vec3 at, int *next) {
  static const int8_t about[16][2] = {{-1, -1}, {0, -1}, {1, -1}, {2, -1}, {-1, 0}, {0, 0}, {1, 0}, {2, 0},
                                      {-1, 1},  {0, 1},  {1, 1},  {2, 1},  {-1, 2}, {0, 2}, {1, 2}, {2, 2}};
  return lattice_around(lattice, (int)floorf((at.x - lattice->x) / lattice->step_x),
                        (int)floorf((at.z - lattice->z) / lattice->step_z), about, next);
}

/* The range of a lattice step. Portals further away are reached over other points. [m] */
float lwi_lattice_reach(const lwi_lattice *lattice) {
  return 2.5f * (lattice->step_x > lattice->step_z ? lattice->step_x : lattice->step_z);
}
