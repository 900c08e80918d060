#include "image.h"

#include "notice.h"
#include "options.h"

#include "core/file.h"

#include <SDL_image.h>

#include <string.h>

#define SUPERSAMPLED_MAX (12 << 20) ///< Images up to this size are painted at twice the scale. [pixels]

void image_release(image *job) {
  painter_close(&job->painter);
  if (job->renderer) SDL_DestroyRenderer(job->renderer);
  if (job->final != job->large) SDL_FreeSurface(job->final);
  SDL_FreeSurface(job->large);
  *job = (image){0};
}

static SDL_Surface *new_surface(int width, int height) {
  return SDL_CreateRGBSurfaceWithFormat(0, width, height, 32, SDL_PIXELFORMAT_ARGB8888);
}

/// Create surface, renderer and painter. @return false: SDL_GetError() tells the reason.
static bool open_surface(image *job) {
  job->large = new_surface(job->width * job->factor, job->height * job->factor);
  if (!job->large) return false;
  job->renderer = SDL_CreateSoftwareRenderer(job->large);
  return job->renderer && painter_open(&job->painter, job->renderer, (float)job->factor, job->factor == 1);
}

static uint32_t mean(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  uint32_t even = (a & 0xff00ff) + (b & 0xff00ff) + (c & 0xff00ff) + (d & 0xff00ff) + 0x020002;
  uint32_t odd = (a >> 8 & 0xff) + (b >> 8 & 0xff) + (c >> 8 & 0xff) + (d >> 8 & 0xff) + 2;
  return 0xff000000 | (even >> 2 & 0xff00ff) | (odd >> 2 & 0xff) << 8;
}

/// Scale the large surface down to the final one. @return false: SDL_GetError() tells the reason.
static bool shrink(image *job) {
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

static int save(lua_State *L, const image *job, const char *file) {
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

int image_open(lua_State *L, const lwl_at *at, image *job) {
  job->factor = (double)job->width * job->height <= SUPERSAMPLED_MAX ? 2 : 1;
  if (!open_surface(job)) return options_fail(L, "SDL", "%s: %s", at->where, SDL_GetError());
  return 0;
}

int image_write(lua_State *L, const lwl_at *at, image *job, const char *file) {
  painter_flush(&job->painter);
  SDL_RenderPresent(job->renderer);
  if (!painter_has_text(&job->painter)) notice_no_font(L);
  if (job->painter.failed)
    return options_fail(L, "SDL", "%s: %s: %s", at->where, job->painter.failed, SDL_GetError());
  if (job->painter.out_of_memory) return options_fail(L, "OUT_OF_MEMORY", "%s: out of memory", at->where);
  if (!shrink(job)) return options_fail(L, "SDL", "%s: %s", at->where, SDL_GetError());
  return save(L, job, file);
}
