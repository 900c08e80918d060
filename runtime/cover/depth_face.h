/// A depth map's face: which texel lies where. Texels have a middle through which one line of sight goes, and there is an odd
/// number in a row and in a column: the lines that look level, along which most are looked for, go through middles, and not
/// between two. Where a face looks to a side its rows lie closer the nearer they are to that height.
#ifndef LW_COVER_DEPTH_FACE_H
#define LW_COVER_DEPTH_FACE_H

#include <math.h>

#define LWI_DEPTH_SIDE 127
#define LWI_DEPTH_STRIDE 128 ///< From row to row: the last column is no texel, nor is the last row.
#define LWI_DEPTH_TEXELS (LWI_DEPTH_STRIDE * LWI_DEPTH_STRIDE)
/// Rows of a face that looks to a side are by 1 more than this times as close at the eye's height as they would be evenly,
/// and so much further apart where faces meet. From 1.5 to 6 surveys of levels, and of rooms full of small things, hardly
/// lose more or less; where there is a step in it instead of a slow change, more.
#define LWI_DEPTH_DENSER 2.5f

/// Axes of the level: face 2 a + s looks along axis a, or against it for s = 1.
static inline int lwi_depth_column_axis(unsigned face) {
  return face / 2 == 2 ? 0 : 2;
}
static inline int lwi_depth_row_axis(unsigned face) {
  return face / 2 == 1 ? 0 : 1;
}

/// 0 where rows lie evenly.
static inline float lwi_depth_denser(unsigned face) {
  return face / 2 == 1 ? 0 : LWI_DEPTH_DENSER;
}

/// In texels: what is `at` between -1 and 1 along a face's columns.
static inline float lwi_depth_column(float at) {
  return (at + 1) * (LWI_DEPTH_SIDE / 2.0f);
}
/// The same along its rows, for what is `up` at a distance.
static inline float lwi_depth_row(float up, float away, float denser) {
  return lwi_depth_column(up * (1 + denser) / (away + denser * fabsf(up)));
}
/// The other way: where the middle of a row is.
static inline float lwi_depth_row_middle(int row, float denser) {
  float even = ((float)row + 0.5f) * (2.0f / LWI_DEPTH_SIDE) - 1;
  return even / (1 + denser - denser * fabsf(even));
}

#endif
