/// The painter: smooth triangles, lines, discs and text in pixels over an SDL_Renderer. It passes shapes to SDL
/// in large batches.
#ifndef LEEWARD_SDL_PAINTER_H
#define LEEWARD_SDL_PAINTER_H

#include <SDL.h>
#include <SDL_ttf.h>

#include <stdbool.h>
#include <stdint.h>

typedef enum text_size { TEXT_SMALL, TEXT_NORMAL, TEXT_TITLE, TEXT_SIZE_COUNT } text_size;

typedef struct painter {
  SDL_Renderer *renderer; ///< Borrowed.
  float unit;  ///< Real pixels per pixel: 2 on a surface that is scaled down later. Widths are times this.
  bool smooth; ///< Soften edges; not needed on a surface that is scaled down.
  SDL_Vertex *vertices;
  int *indices;
  int vertex_count, vertex_capacity, index_count, index_capacity;
  TTF_Font *fonts[TEXT_SIZE_COUNT]; ///< NULL: no font, no text.
  bool fonts_ready;                 ///< TTF_Init() was called.
  bool out_of_memory;               ///< Some shapes were not painted.
  const char *failed;               ///< The SDL call that failed first. NULL: none.
} painter;

/// @return false: SDL_GetError() tells the reason. Call painter_close() in either case.
bool painter_open(painter *p, SDL_Renderer *renderer, float unit, bool smooth);
void painter_close(painter *p);
bool painter_has_text(const painter *p);

/// Colours are 0xRRGGBBAA, coordinates real pixels.
void painter_triangle(painter *p, SDL_FPoint a, SDL_FPoint b, SDL_FPoint c, uint32_t color);
/// @param width  Times `unit`. Lines of 2 and more have round ends.
void painter_line(painter *p, SDL_FPoint a, SDL_FPoint b, float width, uint32_t color);
void painter_disc(painter *p, SDL_FPoint at, float radius, uint32_t color);
void painter_rect(painter *p, float x, float y, float width, float height, uint32_t color);
/// Pass the gathered shapes to SDL.
void painter_flush(painter *p);

/// A rendered text. Empty without a font.
typedef struct label {
  SDL_Texture *texture;
  float width, height;
} label;
/// @param wrap  Width at which lines break; 0: one line. [real pixels]
label label_make(painter *p, text_size size, const char *text, float wrap);
/// @param halo  Draw a dark seam around the letters.
void label_draw(painter *p, const label *l, float x, float y, uint32_t color, bool halo);
void label_free(label *l);
/// Paint one line of text. @return Its width.
float painter_text(painter *p, text_size size, SDL_FPoint at, const char *text, uint32_t color, bool halo);
float painter_text_width(painter *p, text_size size, const char *text);
float painter_line_height(const painter *p, text_size size);

#endif
