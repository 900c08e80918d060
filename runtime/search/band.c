#include "search/band.h"

#include <string.h>

/* Where there would be more, cells are longer. */
#define CELLS_MAX (1 << 16)

/* Cells between the line and the sides of the grid. */
#define MARGIN 1.5F

static int cells_over(float length, float cell) {
  return 1 + (int)(length / cell + 2 * MARGIN);
}

static void lay_grid(lwi_band *band, const lw_vec3 *line, int count, float cell) {
  float min_x = line[0].x, max_x = min_x, min_z = line[0].z, max_z = min_z;
  for (int i = 1; i < count; i++) {
    min_x = lwi_min(min_x, line[i].x);
    max_x = lwi_max(max_x, line[i].x);
    min_z = lwi_min(min_z, line[i].z);
    max_z = lwi_max(max_z, line[i].z);
  }
  const float size_x = max_x - min_x, size_z = max_z - min_z;
  while ((size_x / cell + 2 * MARGIN + 1) * (size_z / cell + 2 * MARGIN + 1) > (float)CELLS_MAX) cell *= 1.25F;
  band->cell = cell;
  band->columns = cells_over(size_x, cell);
  band->rows = cells_over(size_z, cell);
  band->min_x = min_x - MARGIN * cell;
  band->min_z = min_z - MARGIN * cell;
}

static bool begin_stamp(lwi_band *band, lwi_memory *memory) {
  const uint32_t cells = (uint32_t)band->columns * (uint32_t)band->rows;
  void *items = band->stamps;
  const bool grown = lwi_grow_zeroed(memory, &items, &band->stamp_count, cells, sizeof *band->stamps);
  band->stamps = items;
  band->stamp += 1;
  if (!grown || band->stamp > 0) return grown;
  memset(band->stamps, 0, band->stamp_count * sizeof *band->stamps);
  band->stamp = 1;
  return true;
}

/* The cell of a place, and those about it. */
static void mark_about(lwi_band *band, float x, float z) {
  const int column = (int)((x - band->min_x) / band->cell), row = (int)((z - band->min_z) / band->cell);
  for (int r = row - 1; r <= row + 1; r++)
    for (int c = column - 1; c <= column + 1; c++)
      if (r >= 0 && c >= 0 && r < band->rows && c < band->columns)
        band->stamps[(size_t)r * (size_t)band->columns + (size_t)c] = band->stamp;
}

static void mark_line(lwi_band *band, lw_vec3 a, lw_vec3 b) {
  const int steps = 1 + (int)(2 * lwi_distance_xz(a, b) / band->cell);
  for (int i = 0; i <= steps; i++) {
    const float t = (float)i / (float)steps;
    mark_about(band, a.x + (b.x - a.x) * t, a.z + (b.z - a.z) * t);
  }
}

bool lwi_band_lay(lwi_band *band, lwi_memory *memory, const lw_vec3 *line, int count, float cell) {
  lay_grid(band, line, count, cell);
  if (!begin_stamp(band, memory)) {
    band->columns = band->rows = 0;
    return false;
  }
  for (int i = 0; i < count; i++) mark_line(band, line[i > 0 ? i - 1 : 0], line[i]);
  return true;
}

void lwi_band_free(lwi_band *band, lwi_memory *memory) {
  lwi_free(memory, band->stamps, band->stamp_count * sizeof *band->stamps);
  *band = (lwi_band){0};
}
