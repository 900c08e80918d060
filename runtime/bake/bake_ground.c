#include "bake/bake_ground.h"

#include "geometry/plugin.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define BINS 48         /* along the longer side of a tile */
#define FLATNESS 0.05   /* least y of a unit normal that counts as ground */
#define EDGE_SLACK 1e-4 /* [m] so that no point falls between two triangles */

static int bin_along(float value, float min, float size, int bins) {
  int bin = (int)floorf((value - min) / size);
  return bin < 0 ? 0 : bin >= bins ? bins - 1 : bin;
}

static bool faces_up(const float *t) {
  double ax = (double)t[3] - t[0], ay = (double)t[4] - t[1], az = (double)t[5] - t[2];
  double bx = (double)t[6] - t[0], by = (double)t[7] - t[1], bz = (double)t[8] - t[2];
  double nx = ay * bz - az * by, ny = az * bx - ax * bz, nz = ax * by - ay * bx;
  return ny > FLATNESS * sqrt(nx * nx + ny * ny + nz * nz);
}

/* Count the triangles of each bin, or put them there. */
static long long spread(lwi_ground *ground, const uint8_t *areas, int triangle_count, bool put) {
  long long total = 0;
  for (int i = 0; i < triangle_count; ++i) {
    const float *t = ground->vertices + 9 * (size_t)i;
    if (areas[i] == LWI_AREA_BLOCKED || !faces_up(t)) continue;
    int x0 = bin_along(fminf(fminf(t[0], t[3]), t[6]), ground->min_x, ground->bin_size, ground->bins_x);
    int x1 = bin_along(fmaxf(fmaxf(t[0], t[3]), t[6]), ground->min_x, ground->bin_size, ground->bins_x);
    int z0 = bin_along(fminf(fminf(t[2], t[5]), t[8]), ground->min_z, ground->bin_size, ground->bins_z);
    int z1 = bin_along(fmaxf(fmaxf(t[2], t[5]), t[8]), ground->min_z, ground->bin_size, ground->bins_z);
    for (int z = z0; z <= z1; ++z)
      for (int x = x0; x <= x1; ++x, ++total) {
        int *slot = &ground->first[z * ground->bins_x + x];
        if (put)
          ground->items[--*slot] = i;
        else
          ++*slot;
      }
  }
  return total;
}

bool lwi_ground_make(lwi_ground *ground, const float *vertices, const uint8_t *areas, int triangle_count,
                     const float min[3], const float max[3], lwi_memory *memory) {
  float width = max[0] - min[0], depth = max[2] - min[2];
  *ground = (lwi_ground){.vertices = vertices, .min_x = min[0], .min_z = min[2]};
  ground->bin_size = fmaxf(width, depth) / BINS;
  ground->bins_x = (int)ceilf(width / ground->bin_size);
  ground->bins_z = (int)ceilf(depth / ground->bin_size);
  int bins = ground->bins_x * ground->bins_z;
  ground->first = lwi_alloc_zero(memory, ((size_t)bins + 1) * sizeof(int));
  if (!ground->first) return false;
  long long total = spread(ground, areas, triangle_count, false);
  if (total > INT_MAX) return false;
  ground->item_count = (int)total;
  for (int i = 1; i <= bins; ++i) ground->first[i] += ground->first[i - 1];
  if (total == 0) return true;
  ground->items = lwi_alloc(memory, (size_t)total * sizeof(int));
  if (!ground->items) return false;
  spread(ground, areas, triangle_count, true); /* ends become beginnings */
  return true;
}

void lwi_ground_free(lwi_ground *ground, lwi_memory *memory) {
  size_t bins = (size_t)ground->bins_x * (size_t)ground->bins_z;
  lwi_free(memory, ground->first, (bins + 1) * sizeof(int));
  lwi_free(memory, ground->items, (size_t)ground->item_count * sizeof(int));
  *ground = (lwi_ground){0};
}

/* Height of the triangle's plane at (x, z), if that is inside of it in xz. */
static bool height_in(const float *t, double x, double z, double *height) {
  double ax = (double)t[3] - t[0], az = (double)t[5] - t[2];
  double bx = (double)t[6] - t[0], bz = (double)t[8] - t[2];
  double px = x - t[0], pz = z - t[2];
  double area = az * bx - ax * bz;
  double u = pz * bx - px * bz, v = az * px - ax * pz;
  double slack = EDGE_SLACK * (fabs(ax) + fabs(az) + fabs(bx) + fabs(bz));
  if (area <= 0 || u < -slack || v < -slack || u + v > area + slack) return false;
  *height = t[1] + (u * ((double)t[4] - t[1]) + v * ((double)t[7] - t[1])) / area;
  return true;
}

bool lwi_ground_height(const lwi_ground *ground, float x, float z, float guess, float down, float up,
                       float *height) {
  int bin = bin_along(z, ground->min_z, ground->bin_size, ground->bins_z) * ground->bins_x +
            bin_along(x, ground->min_x, ground->bin_size, ground->bins_x);
  double best = INFINITY;
  for (int i = ground->first[bin]; i < ground->first[bin + 1]; ++i) {
    double here;
    if (!height_in(ground->vertices + 9 * (size_t)ground->items[i], x, z, &here)) continue;
    if (here < guess - down || here > guess + up || fabs(here - guess) >= best) continue;
    best = fabs(here - guess);
    *height = (float)here;
  }
  return best < INFINITY;
}
