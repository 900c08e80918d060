#include "cover/spots.h"

#include "core/vec3.h"

#include <math.h>

/* Of one navmesh; where there would be more they lie further apart. */
#define SPOTS_MAX (1u << 21)
#define STEPS_MAX 4096

static uint16_t steps_over(float length, float spacing) {
  float steps = roundf(length / spacing);
  return steps < 1 ? 1 : steps < STEPS_MAX ? (uint16_t)steps : STEPS_MAX;
}

static lwi_spot_grid grid_over(const lw_navmesh *mesh, uint32_t index, float spacing) {
  const lwi_polygon polygon = lwi_polygon_get(mesh, index);
  const lwi_frame frame = lwi_polygon_frame(&polygon);
  lwi_spot_grid grid = {.columns = steps_over(frame.size_x, spacing),
                        .rows = steps_over(frame.size_z, spacing),
                        .x = frame.min_x,
                        .z = frame.min_z};
  if (frame.size_x > 0) grid.per_metre[0] = grid.columns / frame.size_x;
  if (frame.size_z > 0) grid.per_metre[1] = grid.rows / frame.size_z;
  return grid;
}

/* @return Whether there are few enough. */
static bool lay_out(lwi_spots *spots, float spacing) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < spots->mesh->polygon_count; i++) {
    lwi_spot_grid *grid = &spots->grids[i];
    *grid = grid_over(spots->mesh, i, spacing);
    grid->first = (uint32_t)count;
    count += (uint64_t)grid->columns * grid->rows;
    if (count > SPOTS_MAX && count > spots->mesh->polygon_count) return false;
  }
  spots->count = (uint32_t)count;
  return true;
}

bool lwi_spots_make(lwi_spots *spots, const lw_navmesh *mesh, lwi_memory *memory) {
  *spots = (lwi_spots){.memory = memory, .mesh = mesh};
  spots->grids = lwi_alloc(memory, mesh->polygon_count * sizeof *spots->grids);
  if (!spots->grids) return false;
  for (float spacing = LWI_SPOT_SPACING; !lay_out(spots, spacing);) spacing *= 2;
  return true;
}

void lwi_spots_free(lwi_spots *spots) {
  if (spots->grids) lwi_free(spots->memory, spots->grids, spots->mesh->polygon_count * sizeof *spots->grids);
  *spots = (lwi_spots){0};
}

lw_vec3 lwi_spots_place(const lwi_spots *spots, uint32_t index, uint32_t spot) {
  const lwi_spot_grid *grid = &spots->grids[index];
  const lwi_polygon polygon = lwi_polygon_get(spots->mesh, index);
  uint32_t row = (spot - grid->first) / grid->columns, column = (spot - grid->first) % grid->columns;
  lw_vec3 at = lwi_corner(&polygon, 0), place;
  if (grid->per_metre[0] > 0) at.x = grid->x + ((float)column + 0.5f) / grid->per_metre[0];
  if (grid->per_metre[1] > 0) at.z = grid->z + ((float)row + 0.5f) / grid->per_metre[1];
  lwi_polygon_closest(&polygon, at, &place);
  place.y = lwi_polygon_height(spots->mesh, index, place.x, place.z);
  return place;
}
