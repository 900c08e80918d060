/// The canvas: the level seen from above in a frame of the renderer.
#ifndef LEEWARD_SDL_CANVAS_H
#define LEEWARD_SDL_CANVAS_H

#include "painter.h"
#include "scene.h"

typedef struct canvas {
  painter *painter; ///< Borrowed.
  SDL_FRect frame;  ///< The part of the renderer for the level. [real pixels]
  double x, z;      ///< Level coordinates of the frame's middle. [m]
  double scale;     ///< [real pixels per metre]
  bool turned;      ///< By a quarter: +x points down and +z to the left.
} canvas;

/// @return Whether the box fits a frame of that size better after a quarter turn.
bool canvas_should_turn(lw_box bounds, float width, float height);
/// Show the whole box, with `turned` as it is.
void canvas_fit(canvas *c, lw_box bounds);
SDL_FPoint canvas_to_screen(const canvas *c, lw_vec3 at);
/// @return The level point at a real pixel, with y 0.
lw_vec3 canvas_to_level(const canvas *c, SDL_FPoint at);
void canvas_pan(canvas *c, float dx, float dy);
/// Zoom about the real pixel `at`.
void canvas_zoom(canvas *c, SDL_FPoint at, double factor);
/// @return Size of a pixel (of `unit` real pixels). [m]
float canvas_pixel(const canvas *c);
void canvas_paint(canvas *c, const scene *s);

#endif
