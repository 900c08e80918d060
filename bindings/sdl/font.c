/// Fonts: finding and opening one.
#include "font.h"

#include <stdlib.h>

static const char *const places[] = {
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/TTF/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
    "/usr/share/fonts/noto/NotoSans-Regular.ttf",
    "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
    "/usr/share/fonts/liberation-sans/LiberationSans-Regular.ttf",
    "/usr/share/fonts/truetype/freefont/FreeSans.ttf",
    "/System/Library/Fonts/Supplemental/Arial.ttf",
    "C:/Windows/Fonts/segoeui.ttf",
};

TTF_Font *font_open(int pixels) {
  const char *chosen = getenv("LEEWARD_FONT");
  if (chosen && *chosen) return TTF_OpenFont(chosen, pixels);
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    TTF_Font *font = TTF_OpenFont(places[i], pixels);
    if (font) return font;
  }
  return NULL;
}
