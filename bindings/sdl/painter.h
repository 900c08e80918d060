/// The painter: smooth triangles, lines, discs and text in pixels over an SDL_Renderer. Shapes are gathered and
/// handed to SDL in few large batches.
#ifndef LEEWARD_SDL_PAINTER_H
#define LEEWARD_SDL_PAINTER_H

#include <SDL.h>
#include <SDL_ttf.h>

#include <stdbool.h>
#include <stdint.h>

typedef enum text_size { TEXT_SMALL, TEXT_NORMAL, TEXT_TITLE, TEXT_SIZE_COUNT } text_size;

typedef struct painter {
  SDL_Renderer *renderer; ///< Borrowed.
  float unit;             ///< Real pixels per pixel: 2 on a surface that will be halved. Widths are times this.
  bool smooth;            ///< Soften edges; needless on a surface that will be halved.
  SDL_Vertex *vertices;
  int *indices;
  int vertex_count, vertex_capacity, index_count, index_capacity;
  TTF_Font *fonts[TEXT_SIZE_COUNT]; ///< NULL: no font, no text.
  bool fonts_ready;                 ///< TTF_Init() was called.
  bool out_of_memory;               ///< Something is missing in what was painted.
  const char *failed;               ///< NULL, or the SDL call that failed first.
} painter;

/// @return false: SDL_GetError() says why. painter_close() is due either way.
bool painter_open(painter *p, SDL_Renderer *renderer, float unit, bool smooth);
void painter_close(painter *p);
bool painter_has_text(const painter *p);

/// Colours are 0xRRGGBBAA, places real pixels.
void painter_triangle(painter *p, SDL_FPoint a, SDL_FPoint b, SDL_FPoint c, uint32_t color);
/// @param width  Times `unit`. Ends are round from 2 up.
void painter_line(painter *p, SDL_FPoint a, SDL_FPoint b, float width, uint32_t color);
void painter_disc(painter *p, SDL_FPoint at, float radius, uint32_t color);
void painter_rect(painter *p, float x, float y, float width, float height, uint32_t color);
/// Hand over what was gathered.
void painter_flush(painter *p);

/// A text ready to be placed. Empty where there is no font.
typedef struct label {
  SDL_Texture *texture;
  float width, height;
} label;
/// @param wrap  Width at which lines break; 0: one line. [real pixels]
label label_make(painter *p, text_size size, const char *text, float wrap);
/// @param halo  Draw a dark seam around the letters.
void label_draw(painter *p, const label *l, float x, float y, uint32_t color, bool halo);
void label_free(label *l);
/// One line in one go. @return Its width.
float painter_text(painter *p, text_size size, float x, float y, const char *text, uint32_t color, bool halo);
float painter_text_width(painter *p, text_size size, const char *text);
float painter_line_height(const painter *p, text_size size);

#endif
