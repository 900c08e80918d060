/// Fonts: where they are found.
#ifndef LEEWARD_SDL_FONT_H
#define LEEWARD_SDL_FONT_H

#include <SDL_ttf.h>

/// Open $LEEWARD_FONT, or the first usual sans-serif that there is.
/// @param pixels  Height of a line, about.
/// @return NULL when there is none: then everything is drawn without text. The caller closes it.
TTF_Font *font_open(int pixels);

#endif
