#include "sight/samples.h"

#include "core/vec3.h"

#include <math.h>

/* The most samples of a navmesh; if there would be more, they lie further apart. */
#define SAMPLES_MAX (1u << 21)
#define STEPS_MAX 4096

static uint16_t steps_over(float length, float spacing) {
  float steps = roundf(length / spacing);
  return steps < 1 ? 1 : steps < STEPS_MAX ? (uint16_t)steps : STEPS_MAX;
}

static lwi_sample_grid grid_over(const lw_navmesh *mesh, uint32_t index, float spacing) {
  const lwi_polygon polygon = lwi_polygon_get(mesh, index);
  const lwi_frame frame = lwi_polygon_frame(&polygon);
  lwi_sample_grid grid = {.columns = steps_over(frame.size_x, spacing),
                          .rows = steps_over(frame.size_z, spacing),
                          .x = frame.min_x,
                          .z = frame.min_z};
  if (frame.size_x > 0) grid.per_metre[0] = grid.columns / frame.size_x;
  if (frame.size_z > 0) grid.per_metre[1] = grid.rows / frame.size_z;
  return grid;
}

/* @return Whether there are few enough. */
static bool lay_out(lwi_samples *samples, float spacing) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < samples->mesh->polygons.count; i++) {
    lwi_sample_grid *grid = &samples->grids[i];
    *grid = grid_over(samples->mesh, i, spacing);
    grid->first = (uint32_t)count;
    count += (uint64_t)grid->columns * grid->rows;
    if (count > SAMPLES_MAX && count > samples->mesh->polygons.count) return false;
  }
  samples->count = (uint32_t)count;
  return true;
}

bool lwi_samples_make(lwi_samples *samples, const lw_navmesh *mesh, lwi_memory *memory) {
  *samples = (lwi_samples){.memory = memory, .mesh = mesh};
  samples->grids = lwi_alloc(memory, mesh->polygons.count * sizeof *samples->grids);
  if (!samples->grids) return false;
  for (float spacing = LWI_CANDIDATE_SPACING; !lay_out(samples, spacing);) spacing *= 2;
  return true;
}

void lwi_samples_free(lwi_samples *samples) {
  if (samples->grids)
    lwi_free(samples->memory, samples->grids, samples->mesh->polygons.count * sizeof *samples->grids);
  *samples = (lwi_samples){0};
}

lw_vec3 lwi_samples_place(const lwi_samples *samples, uint32_t index, uint32_t sample) {
  const lwi_sample_grid *grid = &samples->grids[index];
  const lwi_polygon polygon = lwi_polygon_get(samples->mesh, index);
  uint32_t row = (sample - grid->first) / grid->columns, column = (sample - grid->first) % grid->columns;
  lw_vec3 at = lwi_corner(&polygon, 0), place;
  if (grid->per_metre[0] > 0) at.x = grid->x + ((float)column + 0.5f) / grid->per_metre[0];
  if (grid->per_metre[1] > 0) at.z = grid->z + ((float)row + 0.5f) / grid->per_metre[1];
  lwi_polygon_closest(&polygon, at, &place);
  place.y = lwi_polygon_height(samples->mesh, index, place.x, place.z);
  return place;
}
