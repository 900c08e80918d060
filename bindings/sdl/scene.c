/// A scene: shapes that the runtime drew.
#include "scene.h"

#include <SDL.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void scene_clear(scene *s) {
  s->count = 0;
  s->text_size = 0;
}

void scene_free(scene *s) {
  SDL_free(s->shapes);
  SDL_free(s->text);
  *s = (scene){0};
}

static shape *add(scene *s, shape_kind kind, uint32_t color) {
  if (s->count == s->capacity) {
    int capacity = s->capacity + s->capacity / 2 + 256;
    shape *grown = SDL_realloc(s->shapes, (size_t)capacity * sizeof *grown);
    if (!grown) s->out_of_memory = true;
    if (!grown) return NULL;
    s->shapes = grown;
    s->capacity = capacity;
  }
  shape *result = &s->shapes[s->count];
  *result = (shape){.kind = kind, .color = color, .order = s->count++};
  return result;
}

static void record_triangle(void *user, lw_vec3 a, lw_vec3 b, lw_vec3 c, uint32_t color) {
  shape *added = add(user, SHAPE_TRIANGLE, color);
  if (!added) return;
  added->a = a;
  added->b = b;
  added->c = c;
  added->height = fminf(a.y, fminf(b.y, c.y));
}

static void record_line(void *user, lw_vec3 a, lw_vec3 b, float width, uint32_t color) {
  shape *added = add(user, SHAPE_LINE, color);
  if (!added) return;
  added->a = a;
  added->b = b;
  added->size = width;
  added->height = fmaxf(a.y, b.y) + 0.02f; /* above the surfaces that it bounds */
}

static void record_disc(void *user, lw_vec3 at, float radius, uint32_t color) {
  shape *added = add(user, SHAPE_DISC, color);
  if (!added) return;
  added->a = at;
  added->size = radius;
  added->height = at.y;
}

static void record_text(void *user, lw_vec3 at, const char *text, uint32_t color) {
  scene *s = user;
  size_t size = strlen(text) + 1;
  if (s->text_size + size > s->text_capacity) {
    size_t capacity = 2 * (s->text_size + size) + 256;
    char *grown = SDL_realloc(s->text, capacity);
    if (!grown) s->out_of_memory = true;
    if (!grown) return;
    s->text = grown;
    s->text_capacity = capacity;
  }
  shape *added = add(s, SHAPE_TEXT, color);
  if (!added) return;
  added->a = at;
  added->height = at.y;
  added->text = (uint32_t)s->text_size;
  memcpy(s->text + s->text_size, text, size);
  s->text_size += size;
}

lw_debug_draw scene_recorder(scene *s, float pixel) {
  return (lw_debug_draw){.triangle = record_triangle,
                         .line = record_line,
                         .disc = record_disc,
                         .text = record_text,
                         .user = s,
                         .pixel = pixel};
}

void scene_add(scene *s, const shape *added) {
  shape *place = add(s, added->kind, added->color);
  if (!place) return;
  int order = place->order;
  *place = *added;
  place->order = order;
}

static int compare(const void *left, const void *right) {
  const shape *a = left, *b = right;
  if (a->height != b->height) return a->height < b->height ? -1 : 1;
  return (a->order > b->order) - (a->order < b->order);
}

void scene_sort(scene *s) {
  if (s->count) qsort(s->shapes, (size_t)s->count, sizeof *s->shapes, compare);
}
