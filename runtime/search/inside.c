#include "search/inside.h"

#include <math.h>

/* From place to place: this part of the way, within limits [m]; more where there would be too many. */
#define STEP_PART 0.1f
#define STEP_LEAST 0.75f
#define STEP_MOST 1.5f
#define PLACES_MAX 300
/* Narrower rooms are crossed from portal to portal. [m] */
#define NARROW 2.0f
/* What the price of a metre differs by within a room where it is worth turning, as a part of it. */
#define WORTH 0.15f

static int steps_over(float length, float step) {
  return (int)(length / step);
}

/* @return No columns: it is too narrow. */
static lwi_inside lay_over(const lw_navmesh *mesh, uint32_t index, const lwi_frame *frame, float step) {
  lwi_inside inside = {.mesh = mesh,
                       .polygon = index,
                       .columns = steps_over(frame->size_x, step),
                       .rows = steps_over(frame->size_z, step)};
  if (inside.columns < 2 || inside.rows < 2) return (lwi_inside){0};
  inside.step_x = frame->size_x / (float)inside.columns;
  inside.step_z = frame->size_z / (float)inside.rows;
  inside.x = frame->min_x + inside.step_x / 2;
  inside.z = frame->min_z + inside.step_z / 2;
  return inside;
}

static lw_vec3 place_of(const lwi_inside *inside, int i) {
  return (lw_vec3){inside->x + (float)(i % inside->columns) * inside->step_x, 0,
                   inside->z + (float)(i / inside->columns) * inside->step_z};
}

static bool is_worth_it(const lwi_charges *charges, const lwi_inside *inside) {
  const lwi_polygon polygon = lwi_polygon_get(inside->mesh, inside->polygon);
  float least = INFINITY, most = 0;
  for (int i = 0; i < inside->columns * inside->rows; i++) {
    lw_vec3 at = place_of(inside, i);
    if (!lwi_polygon_holds(&polygon, at, 0)) continue;
    float rate = lwi_watch_rate(charges->watch, inside->polygon, at);
    least = fminf(least, rate);
    most = fmaxf(most, rate);
  }
  return most - least > WORTH * (least + lwi_price_on(charges->prices, inside->mesh, inside->polygon));
}

lwi_inside lwi_inside_of(const lwi_charges *charges, uint32_t index, float way) {
  const lwi_polygon polygon = lwi_polygon_get(charges->mesh, index);
  const lwi_frame frame = lwi_polygon_frame(&polygon);
  if (fminf(frame.size_x, frame.size_z) < NARROW) return (lwi_inside){0};
  float step = fmaxf(STEP_LEAST, fminf(STEP_MOST, way * STEP_PART));
  step = fmaxf(step, sqrtf(frame.size_x * frame.size_z / PLACES_MAX));
  lwi_inside inside = lay_over(charges->mesh, index, &frame, step);
  return inside.columns > 0 && is_worth_it(charges, &inside) ? inside : (lwi_inside){0};
}

bool lwi_inside_place(const lwi_inside *inside, int i, lw_vec3 *at) {
  const lwi_polygon polygon = lwi_polygon_get(inside->mesh, inside->polygon);
  *at = place_of(inside, i);
  if (!lwi_polygon_holds(&polygon, *at, 0)) return false;
  at->y = lwi_polygon_height(inside->mesh, inside->polygon, at->x, at->z);
  return true;
}

static const int8_t STEPS[16][2] = {{1, 0}, {0, 1},  {-1, 0}, {0, -1},  {1, 1}, {1, -1}, {-1, 1}, {-1, -1},
                                    {2, 1}, {2, -1}, {-2, 1}, {-2, -1}, {1, 2}, {1, -2}, {-1, 2}, {-1, -2}};

static int collect(const lwi_inside *inside, int column, int row, const int8_t steps[16][2], int *next) {
  int count = 0;
  for (int i = 0; i < 16; i++) {
    int x = column + steps[i][0], z = row + steps[i][1];
    if (x >= 0 && x < inside->columns && z >= 0 && z < inside->rows) next[count++] = z * inside->columns + x;
  }
  return count;
}

int lwi_inside_next(const lwi_inside *inside, int i, int *next) {
  return collect(inside, i % inside->columns, i / inside->columns, STEPS, next);
}

int lwi_inside_about(const lwi_inside *inside, lw_vec3 at, int *next) {
  static const int8_t about[16][2] = {{-1, -1}, {0, -1}, {1, -1}, {2, -1}, {-1, 0}, {0, 0}, {1, 0}, {2, 0},
                                      {-1, 1},  {0, 1},  {1, 1},  {2, 1},  {-1, 2}, {0, 2}, {1, 2}, {2, 2}};
  return collect(inside, (int)floorf((at.x - inside->x) / inside->step_x),
                 (int)floorf((at.z - inside->z) / inside->step_z), about, next);
}
