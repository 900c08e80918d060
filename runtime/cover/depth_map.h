/// What one eye sees all around, as depths: six faces of a cube, each drawn when a segment first runs over it. A third of
/// the price of clipping a segment exactly, for an eye that is asked about often; what is finer than a texel (0.9 degrees from
/// side to side, 0.26 up and down at the eye's height) may be lost.
#ifndef LW_COVER_DEPTH_MAP_H
#define LW_COVER_DEPTH_MAP_H

#include "cover/depth_face.h"
#include "cover/occluder.h"

/// What is nearer before the eye hides nothing, as for those who clip. [m]
#define LWI_DEPTH_NEAR 1e-3f
/// A depth is kept as LWI_DEPTH_UNIT / depth: half floats hold it from LWI_DEPTH_NEAR to 1,000 km, to 1/1000 of itself.
#define LWI_DEPTH_UNIT 64.0f

typedef struct lwi_depth_map {
  lw_vec3 eye;
  bool soft;      ///< Mere concealment is drawn too.
  unsigned drawn; ///< Bit i: face i.
  /// Half floats, without those below the least exponent.
  uint16_t faces[6][LWI_DEPTH_TEXELS];
} lwi_depth_map;

/// Room to draw in.
typedef struct lwi_depth_room lwi_depth_room;
size_t lwi_depth_room_size(void);

/// What there is to draw. Borrowed.
typedef struct lwi_depth_scene {
  const lwi_occluders *const *sets; ///< [count] All of them together.
  int count;
  lwi_depth_room *room;
} lwi_depth_scene;

/// Nothing is drawn yet.
void lwi_depth_map_begin(lwi_depth_map *map, lw_vec3 eye, bool soft);
void lwi_depth_map_draw(lwi_depth_map *map, const lwi_depth_scene *scene, unsigned face);
/// Which parts of the segment are hidden: united with what `hidden` has already. Draws the faces that it runs over.
/// @return false: no memory.
bool lwi_depth_map_hide(lwi_depth_map *map, const lwi_depth_scene *scene, lw_vec3 from, lw_vec3 to,
                        lwi_intervals *hidden);
/// Does the eye see a place? Draws the face that it is on.
bool lwi_depth_map_sees(lwi_depth_map *map, const lwi_depth_scene *scene, lw_vec3 at);

#endif
