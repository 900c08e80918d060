/// Images: a painter on a surface in memory, which is written as a PNG. Needs no display.
#ifndef LEEWARD_SDL_IMAGE_H
#define LEEWARD_SDL_IMAGE_H

#include "lwl.h"
#include "painter.h"

#define IMAGE_SIDE_MAX 16384 ///< [pixels]

/// An image in work. Begin with zeros, and the size.
typedef struct image {
  painter painter;
  SDL_Surface *large, *final;
  SDL_Renderer *renderer;
  int width, height;
  int factor; ///< What is painted on is this number of times as large.
} image;

/// Create what is painted on. @return 0; else a message and a code were pushed after nil, as results.
int image_open(lua_State *L, const lwl_at *at, image *job);
/// Scale the image down and write it to a temporary file first, which is then renamed.
/// @return The number of results: true, or nil, message, code.
int image_write(lua_State *L, const lwl_at *at, image *job, const char *file);
void image_release(image *job);

#endif
