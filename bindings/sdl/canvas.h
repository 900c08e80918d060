/// The canvas: the level from straight above, at some scale, somewhere on the renderer.
#ifndef LEEWARD_SDL_CANVAS_H
#define LEEWARD_SDL_CANVAS_H

#include "painter.h"
#include "scene.h"

typedef struct canvas {
  painter *painter; ///< Borrowed.
  SDL_FRect frame;  ///< The part of the renderer that the level gets. [real pixels]
  double x, z;      ///< What lies in the middle of the frame. [m]
  double scale;     ///< Real pixels a metre.
  bool turned;      ///< A quarter turn: +x runs down and +z to the left.
} canvas;

/// @return Whether a quarter turn fits the box better into a frame of that shape.
bool canvas_should_turn(lw_box bounds, float width, float height);
/// Show all of the box, keeping `turned`.
void canvas_fit(canvas *c, lw_box bounds);
SDL_FPoint canvas_to_screen(const canvas *c, lw_vec3 at);
/// @return The point below a pixel, y 0.
lw_vec3 canvas_to_level(const canvas *c, SDL_FPoint at);
void canvas_pan(canvas *c, float dx, float dy);
/// Zoom so that what lies at `at` stays there.
void canvas_zoom(canvas *c, SDL_FPoint at, double factor);
/// @return What one pixel covers (of `unit` real pixels). [m]
float canvas_pixel(const canvas *c);
void canvas_paint(canvas *c, const scene *s);

#endif
