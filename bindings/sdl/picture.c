/// Pictures: the chart painted on a surface in memory and written as a PNG.
#include "picture.h"
#include "options.h"
#include "notice.h"

#include "core/file.h"

#include <SDL_image.h>

#include <math.h>

#define TYPE "leeward_sdl.picture"
#define SIDE_MAX 16384
#define SUPERSAMPLED_MAX (12 << 20) ///< Pictures up to this size are painted at twice the scale. [pixels]

/// The resources of a picture in work, in a userdata that frees them after an error too.
typedef struct picture {
  chart chart;
  painter painter;
  SDL_Surface *large, *final;
  SDL_Renderer *renderer;
  int width, height, factor;
} picture;

static void release(picture *job) {
  painter_close(&job->painter);
  chart_close(&job->chart);
  if (job->renderer) SDL_DestroyRenderer(job->renderer);
  if (job->final != job->large) SDL_FreeSurface(job->final);
  SDL_FreeSurface(job->large);
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

static SDL_Surface *new_surface(int width, int height) {
  return SDL_CreateRGBSurfaceWithFormat(0, width, height, 32, SDL_PIXELFORMAT_ARGB8888);
}

/// Create surface, renderer and painter. @return false: SDL_GetError() tells the reason.
static bool open_surface(picture *job) {
  job->large = new_surface(job->width * job->factor, job->height * job->factor);
  if (!job->large) return false;
  job->renderer = SDL_CreateSoftwareRenderer(job->large);
  return job->renderer && painter_open(&job->painter, job->renderer, (float)job->factor, job->factor == 1);
}

/// The default height: the level's aspect, limited to 0.3..1.
static int natural_height(lw_box bounds, int width) {
  double x = fmax((double)bounds.max.x - bounds.min.x, 0.5), z = fmax((double)bounds.max.z - bounds.min.z, 0.5);
  double aspect = z / x > 1.15 ? x / z : z / x;
  int height = (int)lround((double)width * fmin(fmax(aspect, 0.3), 1)) + 96;
  return height < SIDE_MAX ? height : SIDE_MAX;
}

static void paint(picture *job) {
  painter *p = &job->painter;
  chart *c = &job->chart;
  float width = (float)job->large->w, height = (float)job->large->h;
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
  painter_flush(p);
  SDL_RenderPresent(job->renderer);
}

static uint32_t mean(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  uint32_t even = (a & 0xff00ff) + (b & 0xff00ff) + (c & 0xff00ff) + (d & 0xff00ff) + 0x020002;
  uint32_t odd = (a >> 8 & 0xff) + (b >> 8 & 0xff) + (c >> 8 & 0xff) + (d >> 8 & 0xff) + 2;
  return 0xff000000 | (even >> 2 & 0xff00ff) | (odd >> 2 & 0xff) << 8;
}

/// Scale the large surface down to the final one. @return false: SDL_GetError() tells the reason.
static bool shrink(picture *job) {
  if (job->factor == 1) job->final = job->large;
  if (job->final) return true;
  job->final = new_surface(job->width, job->height);
  if (!job->final) return false;
  for (int y = 0; y < job->height; y++) {
    const uint8_t *from = (const uint8_t *)job->large->pixels + (size_t)(2 * y) * (size_t)job->large->pitch;
    const uint32_t *upper = (const uint32_t *)(const void *)from;
    const uint32_t *lower = (const uint32_t *)(const void *)(from + job->large->pitch);
    uint8_t *row = (uint8_t *)job->final->pixels + (size_t)y * (size_t)job->final->pitch;
    uint32_t *to = (uint32_t *)(void *)row;
    for (int x = 0; x < job->width; x++) {
      to[x] = mean(upper[2 * x], upper[2 * x + 1], lower[2 * x], lower[2 * x + 1]);
    }
  }
  return true;
}

static Sint64 SDLCALL refuse_size(SDL_RWops *stream) {
  (void)stream;
  return SDL_Unsupported();
}

static Sint64 SDLCALL refuse_seek(SDL_RWops *stream, Sint64 offset, int whence) {
  (void)stream, (void)offset, (void)whence;
  return SDL_Unsupported();
}

static size_t SDLCALL refuse_read(SDL_RWops *stream, void *data, size_t size, size_t count) {
  (void)stream, (void)data, (void)size, (void)count;
  SDL_Unsupported();
  return 0;
}

static size_t SDLCALL put(SDL_RWops *stream, const void *data, size_t size, size_t count) {
  return lwi_writer_put(stream->hidden.unknown.data1, data, size * count) ? count : 0;
}

static int SDLCALL free_stream(SDL_RWops *stream) {
  SDL_FreeRW(stream);
  return 0;
}

/// @return false: the writer has failed, or SDL_GetError() says why.
static bool put_png(SDL_Surface *surface, lwi_writer *writer) {
  SDL_RWops *stream = SDL_AllocRW();
  if (!stream) return false;
  *stream = (SDL_RWops){.size = refuse_size,
                        .seek = refuse_seek,
                        .read = refuse_read,
                        .write = put,
                        .close = free_stream,
                        .type = SDL_RWOPS_UNKNOWN};
  stream->hidden.unknown.data1 = writer;
  return IMG_SavePNG_RW(surface, stream, 1) == 0;
}

static int save(lua_State *L, const picture *job, const char *file) {
  lwi_writer writer;
  lw_error error;
  lwi_writer_open(&writer, file);
  if (!writer.reason && !put_png(job->final, &writer) && !writer.reason) {
    lwi_writer_cancel(&writer);
    return options_fail(L, "FILE", "cannot write '%s': %s", file, SDL_GetError());
  }
  if (lwi_writer_close(&writer, &error) != LW_OK) return options_fail(L, "FILE", "%s", error.text);
  lua_pushboolean(L, 1);
  return 1;
}

static int create_picture(lua_State *L, picture *job, const char *file) {
  chart_open(&job->chart);
  if (!job->height) job->height = natural_height(job->chart.bounds, job->width);
  job->factor = (double)job->width * job->height <= SUPERSAMPLED_MAX ? 2 : 1;
  if (!open_surface(job)) return options_fail(L, "SDL", "picture: %s", SDL_GetError());
  paint(job);
  if (!painter_has_text(&job->painter)) notice_no_font(L);
  if (job->painter.failed)
    return options_fail(L, "SDL", "picture: %s: %s", job->painter.failed, SDL_GetError());
  if (chart_out_of_memory(&job->chart) || job->painter.out_of_memory) {
    return options_fail(L, "OUT_OF_MEMORY", "picture: out of memory");
  }
  if (!shrink(job)) return options_fail(L, "SDL", "picture: %s", SDL_GetError());
  return save(L, job, file);
}

static const lw_range side_range = {64, SIDE_MAX, "whole pixels", false},
                      pixel_range = {0, SIDE_MAX, "whole pixels", false};

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
  job->width = options_int(L, &at, "width", &side_range, 1600);
  job->height = options_int(L, &at, "height", &side_range, 0);
  options_chart(L, &at, &job->chart);
  job->chart.why_in_legend = true;
  int results = create_picture(L, job, file);
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
