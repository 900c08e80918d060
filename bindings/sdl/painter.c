/// The painter: triangles, lines, discs and text over an SDL_Renderer.
#include "painter.h"
#include "core/text.h"
#include "font.h"

#include <math.h>
#include <stdlib.h>

#define BATCH 60000 ///< Vertices of a batch at most.

static const int font_pixels[TEXT_SIZE_COUNT] = {12, 14, 22};

bool painter_open(painter *p, SDL_Renderer *renderer, float unit, bool smooth) {
  *p = (painter){.renderer = renderer, .unit = unit, .smooth = smooth};
  if (SDL_SetRenderDrawBlendMode(renderer, SDL_BLENDMODE_BLEND) < 0 || TTF_Init() < 0) return false;
  p->fonts_ready = true;
  for (int i = 0; i < TEXT_SIZE_COUNT; i++) p->fonts[i] = font_open((int)lroundf((float)font_pixels[i] * unit));
  return true;
}

void painter_close(painter *p) {
  for (int i = 0; i < TEXT_SIZE_COUNT; i++) {
    if (p->fonts[i]) TTF_CloseFont(p->fonts[i]);
  }
  if (p->fonts_ready) TTF_Quit();
  SDL_free(p->vertices);
  SDL_free(p->indices);
  *p = (painter){0};
}

bool painter_has_text(const painter *p) {
  return p->fonts[TEXT_SMALL] && p->fonts[TEXT_NORMAL] && p->fonts[TEXT_TITLE];
}

static bool grow(painter *p, void **items, int *capacity, int needed, size_t size) {
  if (needed <= *capacity) return true;
  int larger = needed + needed / 2 + 256;
  void *grown = SDL_realloc(*items, (size_t)larger * size);
  if (!grown) p->out_of_memory = true;
  if (!grown) return false;
  *items = grown;
  *capacity = larger;
  return true;
}

/// @return The index of the first new vertex, or -1: no memory.
static int reserve(painter *p, int vertices, int indices) {
  if (p->vertex_count + vertices > BATCH) painter_flush(p);
  void *new_vertices = p->vertices, *new_indices = p->indices;
  bool ok = grow(p, &new_vertices, &p->vertex_capacity, p->vertex_count + vertices, sizeof *p->vertices) &&
            grow(p, &new_indices, &p->index_capacity, p->index_count + indices, sizeof *p->indices);
  p->vertices = new_vertices;
  p->indices = new_indices;
  return ok ? p->vertex_count : -1;
}

static void add_vertex(painter *p, float x, float y, uint32_t color) {
  SDL_Color c = {(Uint8)(color >> 24), (Uint8)(color >> 16), (Uint8)(color >> 8), (Uint8)color};
  p->vertices[p->vertex_count++] = (SDL_Vertex){.position = {x, y}, .color = c};
}

static void add_face(painter *p, int a, int b, int c) {
  p->indices[p->index_count++] = a;
  p->indices[p->index_count++] = b;
  p->indices[p->index_count++] = c;
}

void painter_flush(painter *p) {
  if (p->index_count &&
      SDL_RenderGeometry(p->renderer, NULL, p->vertices, p->vertex_count, p->indices, p->index_count) < 0) {
    if (!p->failed) p->failed = "SDL_RenderGeometry";
  }
  p->vertex_count = 0;
  p->index_count = 0;
}

void painter_triangle(painter *p, SDL_FPoint a, SDL_FPoint b, SDL_FPoint c, uint32_t color) {
  int first = reserve(p, 3, 3);
  if (first < 0) return;
  add_vertex(p, a.x, a.y, color);
  add_vertex(p, b.x, b.y, color);
  add_vertex(p, c.x, c.y, color);
  add_face(p, first, first + 1, first + 2);
}

void painter_rect(painter *p, float x, float y, float width, float height, uint32_t color) {
  int first = reserve(p, 4, 6);
  if (first < 0) return;
  add_vertex(p, x, y, color);
  add_vertex(p, x + width, y, color);
  add_vertex(p, x + width, y + height, color);
  add_vertex(p, x, y + height, color);
  add_face(p, first, first + 1, first + 2);
  add_face(p, first, first + 2, first + 3);
}

/// Add bands along a line: rows of vertices, row k at distance `side[k]` from it in colour `color[k]`.
static void add_bands(painter *p, SDL_FPoint a, SDL_FPoint b, const float *side, const uint32_t *color,
                      int rows) {
  float dx = b.x - a.x, dy = b.y - a.y, length = sqrtf(dx * dx + dy * dy);
  if (!(length > 1e-3f)) return;
  float nx = -dy / length, ny = dx / length;
  int first = reserve(p, 2 * rows, 6 * (rows - 1));
  if (first < 0) return;
  for (int k = 0; k < rows; k++) {
    add_vertex(p, a.x + nx * side[k], a.y + ny * side[k], color[k]);
    add_vertex(p, b.x + nx * side[k], b.y + ny * side[k], color[k]);
  }
  for (int k = 0; k + 1 < rows; k++) {
    int at = first + 2 * k;
    add_face(p, at, at + 1, at + 3);
    add_face(p, at, at + 3, at + 2);
  }
}

static void add_line(painter *p, SDL_FPoint a, SDL_FPoint b, float half, uint32_t color) {
  if (!p->smooth) {
    add_bands(p, a, b, (float[]){-half, half}, (uint32_t[]){color, color}, 2);
    return;
  }
  /* Full colour in the middle, transparent over one pixel at each side. */
  float core = fmaxf(half - 0.5f, 0), rim = half + 0.5f;
  uint32_t clear = color & ~0xffu;
  add_bands(p, a, b, (float[]){-rim, -core, core, rim}, (uint32_t[]){clear, color, color, clear}, 4);
}

void painter_line(painter *p, SDL_FPoint a, SDL_FPoint b, float width, uint32_t color) {
  float half = width * p->unit / 2;
  add_line(p, a, b, half, color);
  if (width < 2 || (color & 0xff) != 0xff) return;
  painter_disc(p, a, half, color);
  painter_disc(p, b, half, color);
}

void painter_disc(painter *p, SDL_FPoint at, float radius, uint32_t color) {
  int sides = 8 + (int)fminf(radius * 1.5f, 56);
  float core = p->smooth ? fmaxf(radius - 0.5f, 0) : radius;
  int rows = p->smooth ? 2 : 1;
  int first = reserve(p, 1 + rows * sides, (3 + 6 * (rows - 1)) * sides);
  if (first < 0) return;
  add_vertex(p, at.x, at.y, color);
  for (int row = 0; row < rows; row++) {
    float r = row ? radius + 0.5f : core;
    for (int i = 0; i < sides; i++) {
      float angle = 6.2831853f * (float)i / (float)sides;
      add_vertex(p, at.x + r * cosf(angle), at.y + r * sinf(angle), row ? color & ~0xffu : color);
    }
  }
  for (int i = 0; i < sides; i++) {
    int here = first + 1 + i, next = first + 1 + (i + 1) % sides;
    add_face(p, first, here, next);
    if (rows == 1) continue;
    add_face(p, here, next, next + sides);
    add_face(p, here, next + sides, here + sides);
  }
}

/// Of a line, in which names of scripts and files may stand. [bytes]
enum { LINE_SIZE = 512 };

label label_make(painter *p, text_size size, const char *text, float wrap) {
  label l = {0};
  if (!p->fonts[size] || !*text) return l;
  SDL_Color white = {255, 255, 255, 255};
  char line[LINE_SIZE];
  lwi_text_show(line, sizeof line, text);
  SDL_Surface *surface = wrap > 0 ? TTF_RenderUTF8_Blended_Wrapped(p->fonts[size], text, white, (Uint32)wrap)
                                  : TTF_RenderUTF8_Blended(p->fonts[size], line, white);
  if (!surface) return l;
  l.texture = SDL_CreateTextureFromSurface(p->renderer, surface);
  l.width = (float)surface->w;
  l.height = (float)surface->h;
  SDL_FreeSurface(surface);
  if (!l.texture && !p->failed) p->failed = "SDL_CreateTextureFromSurface";
  return l;
}

static void place(painter *p, const label *l, float x, float y, uint32_t color) {
  SDL_SetTextureColorMod(l->texture, (Uint8)(color >> 24), (Uint8)(color >> 16), (Uint8)(color >> 8));
  SDL_SetTextureAlphaMod(l->texture, (Uint8)color);
  SDL_FRect target = {roundf(x), roundf(y), l->width, l->height};
  SDL_RenderCopyF(p->renderer, l->texture, NULL, &target);
}

void label_draw(painter *p, const label *l, float x, float y, uint32_t color, bool halo) {
  if (!l->texture) return;
  painter_flush(p);
  for (int i = 0; halo && i < 9; i++) {
    float dx = (float)(i % 3 - 1) * p->unit, dy = (float)(i / 3 - 1) * p->unit;
    if (i != 4) place(p, l, x + dx, y + dy, 0x0b0e1290u);
  }
  place(p, l, x, y, color);
}

void label_free(label *l) {
  if (l->texture) SDL_DestroyTexture(l->texture);
  *l = (label){0};
}

float painter_text(painter *p, text_size size, SDL_FPoint at, const char *text, uint32_t color, bool halo) {
  label l = label_make(p, size, text, 0);
  float width = l.width;
  label_draw(p, &l, at.x, at.y, color, halo);
  label_free(&l);
  return width;
}

float painter_text_width(painter *p, text_size size, const char *text) {
  int width = 0;
  char line[LINE_SIZE];
  lwi_text_show(line, sizeof line, text);
  if (p->fonts[size]) TTF_SizeUTF8(p->fonts[size], line, &width, NULL);
  return (float)width;
}

float painter_line_height(const painter *p, text_size size) {
  return 1.35f * (float)font_pixels[size] * p->unit;
}
