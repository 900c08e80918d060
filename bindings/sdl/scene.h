/// A scene: what the runtime drew, kept so that it can be painted again from elsewhere.
#ifndef LEEWARD_SDL_SCENE_H
#define LEEWARD_SDL_SCENE_H

#include "leeward/debug_draw.h"

typedef enum shape_kind { SHAPE_TRIANGLE, SHAPE_LINE, SHAPE_DISC, SHAPE_TEXT } shape_kind;

typedef struct shape {
  shape_kind kind;
  lw_vec3 a, b, c;
  float size;     ///< Width of a line in pixels, radius of a disc in metres.
  uint32_t color; ///< 0xRRGGBBAA
  uint32_t text;  ///< Where its text begins in scene.text.
  float height;   ///< Painted before what is higher.
  int order;      ///< And among equals in the order it came.
} shape;

typedef struct scene {
  shape *shapes;
  int count, capacity;
  char *text;
  size_t text_size, text_capacity;
  bool out_of_memory; ///< Something is missing.
} scene;

/// Forget the shapes, keep the room.
void scene_clear(scene *s);
void scene_free(scene *s);
/// @param pixel  See lw_debug_draw. @return Callbacks that add to the scene, valid as long as it stays in place.
lw_debug_draw scene_recorder(scene *s, float pixel);
/// Add a copy, with its height.
void scene_add(scene *s, const shape *added);
/// Lower shapes first, so that upper floors lie over lower ones.
void scene_sort(scene *s);

#endif
