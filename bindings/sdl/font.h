/// Fonts: finding and opening one.
#ifndef LEEWARD_SDL_FONT_H
#define LEEWARD_SDL_FONT_H

#include <SDL_ttf.h>

/// Open $LEEWARD_FONT, or the first sans-serif font in the usual folders.
/// @param pixels  Approximate height of a line.
/// @return The font, which the caller closes. NULL: there is none, and nothing is written.
TTF_Font *font_open(int pixels);

#endif
