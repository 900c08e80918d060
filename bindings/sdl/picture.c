/// Pictures: the chart painted on a surface in memory and written as a PNG.
#include "picture.h"

#include "image.h"
#include "options.h"

#include <SDL_image.h>

#include <math.h>

#define TYPE "leeward_sdl.picture"

/// The resources of a picture in work, in a userdata that frees them after an error too.
typedef struct picture {
  chart chart;
  image image;
} picture;

static void release(picture *job) {
  image_release(&job->image);
  chart_close(&job->chart);
  *job = (picture){0};
}

static int picture_gc(lua_State *L) {
  release(lua_touserdata(L, 1));
  return 0;
}

void picture_open(lua_State *L) {
  luaL_newmetatable(L, TYPE);
  lua_pushcfunction(L, picture_gc);
  lua_setfield(L, -2, "__gc");
  lua_pop(L, 1);
}

/// The default height: the level's aspect, limited to 0.3..1.
static int natural_height(lw_box bounds, int width) {
  double x = fmax((double)bounds.max.x - bounds.min.x, 0.5), z = fmax((double)bounds.max.z - bounds.min.z, 0.5);
  double aspect = z / x > 1.15 ? x / z : z / x;
  int height = (int)lround((double)width * fmin(fmax(aspect, 0.3), 1)) + 96;
  return height < IMAGE_SIDE_MAX ? height : IMAGE_SIDE_MAX;
}

static void paint(picture *job) {
  painter *p = &job->image.painter;
  chart *c = &job->chart;
  float width = (float)job->image.large->w, height = (float)job->image.large->h;
  float head = chart_header_height(p), foot = chart_footer_height(c, p, width), margin = 10 * p->unit;
  if (head + foot > height / 2) head = foot = 0; /* too small for title and legend */
  canvas view = {.painter = p};
  float top = head > 0 ? head : margin, bottom = foot > 0 ? foot : margin;
  view.frame = (SDL_FRect){margin, top, fmaxf(width - 2 * margin, 1), fmaxf(height - top - bottom, 1)};
  view.turned = canvas_should_turn(c->bounds, view.frame.w, view.frame.h);
  canvas_fit(&view, c->bounds);
  painter_rect(p, 0, 0, width, height, CHART_BACKGROUND);
  chart_paint_ground(c, &view);
  chart_paint_live(c, &view);
  painter_rect(p, 0, 0, width, head, CHART_BACKGROUND);
  painter_rect(p, 0, height - foot, width, foot, CHART_BACKGROUND);
  if (head > 0) chart_paint_header(c, p, (SDL_FRect){0, 0, width, head});
  if (foot > 0) chart_paint_footer(c, &view, (SDL_FRect){0, height - foot, width, foot});
}

static int create_picture(lua_State *L, const lwl_at *at, picture *job, const char *file) {
  image *to = &job->image;
  chart_open(&job->chart);
  if (!to->height) to->height = natural_height(job->chart.bounds, to->width);
  const int failed = image_open(L, at, to);
  if (failed) return failed;
  paint(job);
  if (chart_out_of_memory(&job->chart)) return options_fail(L, "OUT_OF_MEMORY", "picture: out of memory");
  return image_write(L, at, to, file);
}

static const lw_range side_range = {64, IMAGE_SIDE_MAX, "whole pixels", false},
                      pixel_range = {0, IMAGE_SIDE_MAX, "whole pixels", false};

static const char *need_file(lua_State *L, const lwl_at *at) {
  const char *file = options_string(L, at, "file");
  if (!file || !*file) lwl_raise_expected(L, at, "file", "a file name", -1);
  return file;
}

int picture_write(lua_State *L) {
  static const char *const keys[] = {"file",   "world",  "navmesh", "geometry", "width",
                                     "height", "layers", "title",   "selected", NULL};
  const lwl_at at = {"picture", ""};
  options_check_keys(L, &at, keys);
  lua_settop(L, 1);
  picture *job = lua_newuserdatauv(L, sizeof *job, 0);
  *job = (picture){0};
  luaL_setmetatable(L, TYPE);
  const char *file = need_file(L, &at);
  job->image.width = options_int(L, &at, "width", &side_range, 1600);
  job->image.height = options_int(L, &at, "height", &side_range, 0);
  options_chart(L, &at, &job->chart);
  job->chart.why_in_legend = true;
  int results = create_picture(L, &at, job, file);
  release(job);
  return results;
}

int picture_read_pixel(lua_State *L) {
  static const char *const keys[] = {"file", "x", "y", NULL};
  const lwl_at at = {"read_pixel", ""};
  options_check_keys(L, &at, keys);
  const char *file = need_file(L, &at);
  int x = options_int(L, &at, "x", &pixel_range, 0);
  int y = options_int(L, &at, "y", &pixel_range, 0);
  SDL_Surface *loaded = IMG_Load(file);
  if (!loaded) return options_fail(L, "FILE", "cannot read '%s': %s", file, SDL_GetError());
  SDL_Surface *surface = SDL_ConvertSurfaceFormat(loaded, SDL_PIXELFORMAT_ARGB8888, 0);
  SDL_FreeSurface(loaded);
  if (!surface) return options_fail(L, "SDL", "read_pixel: %s", SDL_GetError());
  bool inside = x < surface->w && y < surface->h;
  uint32_t color = 0;
  if (inside) {
    const uint8_t *row = (const uint8_t *)surface->pixels + (size_t)y * (size_t)surface->pitch;
    memcpy(&color, row + 4 * (size_t)x, sizeof color);
  }
  SDL_FreeSurface(surface);
  if (!inside) return options_fail(L, "INVALID", "read_pixel: (%d, %d) is outside of '%s'", x, y, file);
  lua_pushinteger(L, (lua_Integer)(color & 0xffffff));
  return 1;
}
