/// Depth maps: what one eye sees all around, as depths on the six faces of a cube. A face is drawn when a
/// segment first crosses it. For an eye with many questions this is faster than clipping, but what is narrower
/// than a texel may be lost.
#ifndef LW_SIGHT_DEPTH_MAP_H
#define LW_SIGHT_DEPTH_MAP_H

#include "core/platform.h"
#include "sight/occluder.h"

#include <math.h>
#include <stdatomic.h>

/// Texels along a face's side. Odd, so that level lines of sight, which most segments are seen along, pass
/// through the middles of texels and not between two.
#define LWI_DEPTH_SIDE 127
#define LWI_DEPTH_STRIDE_BITS 7
/// From row to row. The last column and the last row are no texels.
#define LWI_DEPTH_STRIDE (1 << LWI_DEPTH_STRIDE_BITS)
#define LWI_DEPTH_TEXELS (LWI_DEPTH_STRIDE * LWI_DEPTH_STRIDE)
/// On the four side faces rows are 1 + LWI_DEPTH_DENSER times as dense at the eye's height as evenly spaced
/// rows, and as much sparser where faces meet. Results hardly depend on it from 1.5 to 6.
#define LWI_DEPTH_DENSER 2.5f

/// What is nearer to the eye hides nothing, as in lwi_occluders_clip(). [m]
#define LWI_DEPTH_NEAR 1e-3f
/// A depth is kept as LWI_DEPTH_UNIT / depth: half floats hold it from LWI_DEPTH_NEAR to 1,000 km, to 1/1000 of
/// itself.
#define LWI_DEPTH_UNIT 64.0f

/// The level's axis that a face's columns follow. Face 2 a + s looks along axis a, for s = 1 against it.
static inline int lwi_depth_column_axis(unsigned face) {
  return face / 2 == 2 ? 0 : 2;
}
/// The level's axis that a face's rows follow.
static inline int lwi_depth_row_axis(unsigned face) {
  return face / 2 == 1 ? 0 : 1;
}

/// 0 for the faces up and down, whose rows are evenly spaced.
static inline float lwi_depth_denser(unsigned face) {
  return face / 2 == 1 ? 0 : LWI_DEPTH_DENSER;
}

/// @param at  Along the columns' axis, -1..1. @return [texels]
static inline float lwi_depth_column(float at) {
  return (at + 1) * (LWI_DEPTH_SIDE / 2.0f);
}
/// @param up, away  Along the rows' axis and away from the eye, in one unit. @return [texels]
static inline float lwi_depth_row(float up, float away, float denser) {
  return lwi_depth_column(up * (1 + denser) / (away + denser * fabsf(up)));
}
/// The inverse: where the middle of a row is, for away = 1.
static inline float lwi_depth_row_middle(int row, float denser) {
  float even = ((float)row + 0.5f) * (2.0f / LWI_DEPTH_SIDE) - 1;
  return even / (1 + denser - denser * fabsf(even));
}

typedef struct lwi_depth_map {
  lw_vec3 eye;
  bool soft; ///< Soft cover is drawn, too.
  /// Bit i: face i. Set after the face is drawn, so that other threads may read a face whose bit they see.
  atomic_uint drawn;
  /// LWI_DEPTH_UNIT / depth, as lwi_store_half4() writes it.
  uint16_t faces[6][LWI_DEPTH_TEXELS];
} lwi_depth_map;

/// Scratch memory to draw in, lwi_depth_scratch_size() bytes.
typedef struct lwi_depth_scratch lwi_depth_scratch;
size_t lwi_depth_scratch_size(void);

/// What to draw. Borrowed. Several threads may share a map if its scene has a lock.
typedef struct lwi_depth_scene {
  const lwi_occluders *const *sets; ///< [count] All are drawn into one map.
  int count;
  lwi_depth_scratch *scratch;
  lwi_mutex *lock; ///< Held while a face is drawn. NULL: one thread at a time.
} lwi_depth_scene;

/// Begin a map without faces.
void lwi_depth_map_begin(lwi_depth_map *map, lw_vec3 eye, bool soft);
void lwi_depth_map_draw(lwi_depth_map *map, const lwi_depth_scene *scene, unsigned face);
/// Unite `hidden` with the parts of the segment that are hidden. Draws the faces that it crosses.
/// @return false: out of memory.
bool lwi_depth_map_hide(lwi_depth_map *map, const lwi_depth_scene *scene, lw_vec3 from, lw_vec3 to,
                        lwi_intervals *hidden);
/// Is the point visible from the eye? Draws the face that it is on.
bool lwi_depth_map_sees(lwi_depth_map *map, const lwi_depth_scene *scene, lw_vec3 at);

#endif
