/// The canvas: the level seen from above.
#include "canvas.h"

#include <math.h>

static void extent(lw_box bounds, bool turned, double *across, double *down) {
  double dx = fmax((double)bounds.max.x - bounds.min.x, 0.5),
         dz = fmax((double)bounds.max.z - bounds.min.z, 0.5);
  *across = turned ? dz : dx;
  *down = turned ? dx : dz;
}

static double fitting_scale(lw_box bounds, bool turned, float width, float height) {
  double across, down;
  extent(bounds, turned, &across, &down);
  return fmin((double)width / across, (double)height / down);
}

bool canvas_should_turn(lw_box bounds, float width, float height) {
  /* Turned only for a clear gain: an unturned map is easier to compare with the level's coordinates. */
  return fitting_scale(bounds, true, width, height) > 1.15 * fitting_scale(bounds, false, width, height);
}

void canvas_fit(canvas *c, lw_box bounds) {
  c->x = ((double)bounds.min.x + bounds.max.x) / 2;
  c->z = ((double)bounds.min.z + bounds.max.z) / 2;
  c->scale = fitting_scale(bounds, c->turned, c->frame.w, c->frame.h);
}

SDL_FPoint canvas_to_screen(const canvas *c, lw_vec3 at) {
  double dx = ((double)at.x - c->x) * c->scale, dz = ((double)at.z - c->z) * c->scale;
  double sx = c->turned ? -dz : dx, sy = c->turned ? dx : dz;
  return (SDL_FPoint){c->frame.x + c->frame.w / 2 + (float)sx, c->frame.y + c->frame.h / 2 + (float)sy};
}

lw_vec3 canvas_to_level(const canvas *c, SDL_FPoint at) {
  double sx = (double)(at.x - c->frame.x - c->frame.w / 2) / c->scale;
  double sy = (double)(at.y - c->frame.y - c->frame.h / 2) / c->scale;
  return (lw_vec3){(float)(c->x + (c->turned ? sy : sx)), 0, (float)(c->z + (c->turned ? -sx : sy))};
}

void canvas_pan(canvas *c, float dx, float dy) {
  c->x -= (double)(c->turned ? dy : dx) / c->scale;
  c->z -= (double)(c->turned ? -dx : dy) / c->scale;
}

void canvas_zoom(canvas *c, SDL_FPoint at, double factor) {
  lw_vec3 before = canvas_to_level(c, at);
  c->scale = fmin(fmax(c->scale * factor, 0.02), 400);
  lw_vec3 after = canvas_to_level(c, at);
  c->x += (double)before.x - after.x;
  c->z += (double)before.z - after.z;
}

float canvas_pixel(const canvas *c) {
  return (float)((double)c->painter->unit / c->scale);
}

static float min3(float a, float b, float c) {
  return fminf(a, fminf(b, c));
}
static float max3(float a, float b, float c) {
  return fmaxf(a, fmaxf(b, c));
}

/// Whether the bounding box of the three points lies outside the frame.
static bool is_outside(const canvas *c, SDL_FPoint p, SDL_FPoint q, SDL_FPoint r, float margin) {
  return max3(p.x, q.x, r.x) < c->frame.x - margin || min3(p.x, q.x, r.x) > c->frame.x + c->frame.w + margin ||
         max3(p.y, q.y, r.y) < c->frame.y - margin || min3(p.y, q.y, r.y) > c->frame.y + c->frame.h + margin;
}

/// The rectangles of painted labels. A label that would overlap another is left out.
typedef struct labels {
  SDL_FRect taken[128];
  int count;
} labels;

static bool is_free(const canvas *c, const labels *l, SDL_FRect r) {
  if (r.x < c->frame.x || r.x + r.w > c->frame.x + c->frame.w) return false;
  for (int i = 0; i < l->count; i++) {
    const SDL_FRect *t = &l->taken[i];
    if (r.x < t->x + t->w && t->x < r.x + r.w && r.y < t->y + t->h && t->y < r.y + r.h) return false;
  }
  return true;
}

/// @return Radius of the largest disc at the point, which a label must not cover. [real pixels]
static float disc_radius(const canvas *c, const scene *s, lw_vec3 at) {
  float radius = 0;
  for (int i = 0; i < s->count; i++) {
    const shape *it = &s->shapes[i];
    bool here = it->kind == SHAPE_DISC && it->a.x == at.x && it->a.y == at.y && it->a.z == at.z;
    if (here) radius = fmaxf(radius, (float)((double)it->size * c->scale));
  }
  return radius;
}

/// Paint a text to the right of its point, else to the left, above or below.
static void paint_text(canvas *c, labels *l, const scene *s, const shape *it) {
  painter *p = c->painter;
  const char *text = s->text + it->text;
  SDL_FPoint at = canvas_to_screen(c, it->a);
  float width = painter_text_width(p, TEXT_SMALL, text), height = painter_line_height(p, TEXT_SMALL);
  float off = disc_radius(c, s, it->a) + 5 * p->unit;
  SDL_FPoint corners[] = {{at.x + off, at.y - height / 2},
                          {at.x - off - width, at.y - height / 2},
                          {at.x - width / 2, at.y - off - height},
                          {at.x - width / 2, at.y + off}};
  for (int i = 0; i < 4 && l->count < 128; i++) {
    SDL_FRect place = {corners[i].x, corners[i].y, width, height};
    if (!is_free(c, l, place)) continue;
    l->taken[l->count++] = place;
    painter_text(p, TEXT_SMALL, corners[i], text, it->color, true);
    return;
  }
}

static void paint_shape(canvas *c, labels *l, const scene *s, const shape *it) {
  painter *p = c->painter;
  SDL_FPoint at = canvas_to_screen(c, it->a), b = at, d = at;
  if (it->kind <= SHAPE_LINE) b = canvas_to_screen(c, it->b);
  if (it->kind == SHAPE_TRIANGLE) d = canvas_to_screen(c, it->c);
  float radius = it->kind == SHAPE_DISC ? (float)((double)it->size * c->scale) : 0;
  if (is_outside(c, at, b, d, radius + 20 * p->unit)) return;
  switch (it->kind) {
  case SHAPE_TRIANGLE: painter_triangle(p, at, b, d, it->color); break;
  case SHAPE_LINE: painter_line(p, at, b, it->size, it->color); break;
  case SHAPE_DISC: painter_disc(p, at, radius, it->color); break;
  case SHAPE_TEXT: paint_text(c, l, s, it); break;
  }
}

void canvas_paint(canvas *c, const scene *s) {
  labels l = {.count = 0};
  for (int i = 0; i < s->count; i++) paint_shape(c, &l, s, &s->shapes[i]);
  painter_flush(c->painter);
}
