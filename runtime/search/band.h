/// A band about a line, as seen from above: the cells of a grid that are no further from it than a cell.
#ifndef LW_SEARCH_BAND_H
#define LW_SEARCH_BAND_H

#include "core/memory.h"
#include "core/vec3.h"

/// Begin with zeros.
typedef struct lwi_band {
  float min_x, min_z; ///< Of the first cell. [m]
  float cell;         ///< Length of the sides of a cell. [m]
  int columns, rows;
  uint32_t *stamps; ///< [stamp_count] By cell: equal to `stamp`: it belongs to the band.
  uint32_t stamp_count, stamp;
} lwi_band;

/// Lay the band about a line, in place of the one before.
/// @param line  [count] Its corners; at least 1. @param cell  Of long lines cells are longer. [m]
/// @return false: no memory; the band is empty.
bool lwi_band_lay(lwi_band *band, lwi_memory *memory, const lw_vec3 *line, int count, float cell);
void lwi_band_free(lwi_band *band, lwi_memory *memory);

static inline bool lwi_band_holds(const lwi_band *band, float x, float z) {
  const float column = (x - band->min_x) / band->cell, row = (z - band->min_z) / band->cell;
  if (!(column >= 0 && row >= 0 && column < (float)band->columns && row < (float)band->rows)) return false;
  return band->stamps[(size_t)(int)row * (size_t)band->columns + (size_t)(int)column] == band->stamp;
}

/// Does the line from a to b come into the band? It is looked at in steps of a cell.
static inline bool lwi_band_meets(const lwi_band *band, lw_vec3 a, lw_vec3 b) {
  const int steps = 1 + (int)(lwi_distance_xz(a, b) / band->cell);
  for (int i = 0; i <= steps; i++) {
    const float t = (float)i / (float)steps;
    if (lwi_band_holds(band, a.x + (b.x - a.x) * t, a.z + (b.z - a.z) * t)) return true;
  }
  return false;
}

#endif
