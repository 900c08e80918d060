/// A scene: shapes that the runtime drew, kept to be painted again in other views.
#ifndef LEEWARD_SDL_SCENE_H
#define LEEWARD_SDL_SCENE_H

#include "leeward/debug_draw.h"

typedef enum shape_kind { SHAPE_TRIANGLE, SHAPE_LINE, SHAPE_DISC, SHAPE_TEXT } shape_kind;

typedef struct shape {
  shape_kind kind;
  lw_vec3 a, b, c;
  float size;     ///< Width of a line in pixels, radius of a disc in metres.
  uint32_t color; ///< 0xRRGGBBAA
  uint32_t text;  ///< Offset of its text in scene.text.
  float height;   ///< Lower shapes are painted first. [m]
  int order;      ///< And equal ones in this order.
} shape;

typedef struct scene {
  shape *shapes;
  int count, capacity;
  char *text;
  size_t text_size, text_capacity;
  bool out_of_memory; ///< Some shapes are missing.
} scene;

/// Remove the shapes and keep the memory.
void scene_clear(scene *s);
void scene_free(scene *s);
/// @param pixel  See lw_debug_draw.
/// @return Callbacks that add to the scene; valid while the scene is not moved.
lw_debug_draw scene_recorder(scene *s, float pixel);
/// Add a copy of a shape.
void scene_add(scene *s, const shape *added);
/// Sort the shapes by height, so that upper floors cover lower ones.
void scene_sort(scene *s);

#endif
