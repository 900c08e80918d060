/// The debug window: opening, the loop, stepping the world.
#include "window.h"
#include "notice.h"
#include "options.h"
#include "window_state.h"

#include <math.h>
#include <string.h>

#define TYPE "leeward_sdl.window"
#define STEP (1.0 / 60)
/// Longest time for steps in a frame; further steps are dropped, so that keys are still handled. [ms]
#define BUDGET_MS 24

const double window_speeds[WINDOW_SPEED_COUNT] = {0.25, 0.5, 1, 2, 4, 8, 16};

static void release(window *w) {
  painter_close(&w->painter);
  chart_close(&w->chart);
  if (w->ground) SDL_DestroyTexture(w->ground);
  if (w->renderer) SDL_DestroyRenderer(w->renderer);
  if (w->window) SDL_DestroyWindow(w->window);
  if (w->video) SDL_QuitSubSystem(SDL_INIT_VIDEO);
  *w = (window){0};
}

static int window_gc(lua_State *L) {
  release(lua_touserdata(L, 1));
  return 0;
}

void window_open(lua_State *L) {
  luaL_newmetatable(L, TYPE);
  lua_pushcfunction(L, window_gc);
  lua_setfield(L, -2, "__gc");
  lua_pop(L, 1);
}

// --- opening -------------------------------------------------------------------------------------------------

/// @return NULL, or the SDL call that failed.
static const char *open_renderer(window *w) {
  if (SDL_InitSubSystem(SDL_INIT_VIDEO) < 0) return "SDL_InitSubSystem";
  w->video = true;
  const char *asked = SDL_getenv("SDL_VIDEODRIVER"), *driver = SDL_GetCurrentVideoDriver();
  if (!(asked && *asked) && driver && strcmp(driver, "offscreen") == 0) {
    /* SDL falls back to it without a display: a window that nobody can see or close. */
    SDL_SetError("no display can be opened (see DISPLAY and WAYLAND_DISPLAY)");
    return "SDL_InitSubSystem";
  }
  uint32_t flags = SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI;
  const char *title = w->chart.title ? w->chart.title : "leeward";
  int place = (int)SDL_WINDOWPOS_UNDEFINED;
  w->window = SDL_CreateWindow(title, place, place, 1280, 800, flags);
  if (!w->window) return "SDL_CreateWindow";
  w->renderer = SDL_CreateRenderer(w->window, -1, SDL_RENDERER_ACCELERATED | SDL_RENDERER_PRESENTVSYNC);
  if (!w->renderer) w->renderer = SDL_CreateRenderer(w->window, -1, SDL_RENDERER_SOFTWARE);
  if (!w->renderer) return "SDL_CreateRenderer";
  int shown = 1, real = 1, height;
  SDL_GetWindowSize(w->window, &shown, &height);
  if (SDL_GetRendererOutputSize(w->renderer, &real, &height) < 0) return "SDL_GetRendererOutputSize";
  float unit = shown > 0 && real > shown ? (float)real / (float)shown : 1;
  return painter_open(&w->painter, w->renderer, unit, true) ? NULL : "painter";
}

void window_fit(window *w) {
  w->view.turned = canvas_should_turn(w->chart.bounds, w->view.frame.w, w->view.frame.h);
  canvas_fit(&w->view, w->chart.bounds);
  w->view.scale *= 0.97;
  w->fitted = true;
  w->stale = true;
}

void window_layout(window *w) {
  int width = 1, height = 1;
  SDL_GetRendererOutputSize(w->renderer, &width, &height);
  w->width = (float)width;
  w->height = (float)height;
  float head = chart_header_height(&w->painter), foot = chart_footer_height(&w->chart, &w->painter, w->width);
  w->foot = foot;
  w->view.frame = (SDL_FRect){0, head, w->width, fmaxf(w->height - head - foot, 1)};
  if (w->ground) SDL_DestroyTexture(w->ground);
  w->ground = SDL_CreateTexture(w->renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_TARGET, width, height);
  w->stale = true;
  if (w->fitted) window_fit(w);
}

// --- painting ------------------------------------------------------------------------------------------------

static void paint_ground(window *w) {
  if (w->ground && !w->stale && !chart_is_old(&w->chart)) {
    SDL_RenderCopy(w->renderer, w->ground, NULL, NULL);
    return;
  }
  bool kept = w->ground && SDL_SetRenderTarget(w->renderer, w->ground) == 0;
  painter_rect(&w->painter, 0, 0, w->width, w->height, CHART_BACKGROUND);
  chart_paint_ground(&w->chart, &w->view);
  if (!kept) return;
  SDL_SetRenderTarget(w->renderer, NULL);
  SDL_RenderCopy(w->renderer, w->ground, NULL, NULL);
  w->stale = false;
}

static void paint(window *w) {
  painter *p = &w->painter;
  /* The legend may need another row for what has come into the world. */
  if (chart_footer_height(&w->chart, p, w->width) > w->foot) window_layout(w);
  paint_ground(w);
  w->chart.behind = w->paused ? 0 : 1 - (float)fmin(w->due / STEP, 1); /* frames come between steps */
  chart_paint_live(&w->chart, &w->view);
  float head = w->view.frame.y, foot = w->height - head - w->view.frame.h;
  painter_rect(p, 0, 0, w->width, head, CHART_BACKGROUND);
  painter_rect(p, 0, w->height - foot, w->width, foot, CHART_BACKGROUND);
  if (head > 0) chart_paint_header(&w->chart, p, (SDL_FRect){0, 0, w->width, head});
  chart_paint_footer(&w->chart, &w->view, (SDL_FRect){0, w->height - foot, w->width, foot});
  window_paint_help(w);
  window_paint_agent(w);
  painter_flush(p);
  SDL_RenderPresent(w->renderer);
}

// --- stepping ------------------------------------------------------------------------------------------------

/// Stack of window_view().
enum { AT_OPTIONS = 1, AT_WINDOW, AT_WORLD, AT_ON_STEP, AT_TOP = AT_ON_STEP };

/// Whether a script has destroyed the world.
static bool is_gone(lua_State *L, const window *w) {
  const lwl_box *box = lua_touserdata(L, AT_WORLD);
  return w->chart.world && (!box || !box->object);
}

/// Call a function of a script; close the window before raising its error.
static void call(lua_State *L, window *w, int arguments, int results) {
  if (lua_pcall(L, arguments, results, 0) == LUA_OK) return;
  release(w);
  lua_error(L);
}

static void step_once(lua_State *L, window *w) {
  lua_getfield(L, AT_WORLD, "step");
  lua_pushvalue(L, AT_WORLD);
  lua_pushnumber(L, STEP);
  call(L, w, 2, 0);
  if (is_gone(L, w) || lua_isnil(L, AT_ON_STEP)) return;
  lua_pushvalue(L, AT_ON_STEP);
  lua_pushvalue(L, AT_WORLD);
  call(L, w, 1, 1);
  const char *notice = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
  SDL_strlcpy(w->notice, notice, sizeof w->notice);
  lua_pop(L, 1);
}

static void step(lua_State *L, window *w) {
  uint64_t now = SDL_GetTicks64();
  w->due += w->paused ? 0 : (double)(now - w->last_tick) / 1000 * window_speeds[w->speed];
  w->last_tick = now;
  if (!w->chart.world) return;
  if (w->single) w->due = STEP;
  w->single = false;
  while (w->open && w->due >= STEP && SDL_GetTicks64() - now <= BUDGET_MS) {
    step_once(L, w);
    w->due -= STEP;
    if (is_gone(L, w) || lw_world_time(w->chart.world) >= w->end_time - 1e-9) w->open = false;
  }
  if (w->paused || w->due > STEP) w->due = 0;
}

static int loop(lua_State *L, window *w) {
  w->last_tick = SDL_GetTicks64();
  while (w->open) {
    uint64_t begin = SDL_GetTicks64();
    SDL_Event event;
    while (SDL_PollEvent(&event)) window_handle(w, &event);
    step(L, w);
    if (!w->open) break;
    paint(w);
    if (w->painter.failed) return options_fail(L, "SDL", "view: %s: %s", w->painter.failed, SDL_GetError());
    if (chart_out_of_memory(&w->chart) || w->painter.out_of_memory) {
      return options_fail(L, "OUT_OF_MEMORY", "view: out of memory");
    }
    /* A renderer without vertical sync does not wait for the screen. */
    uint64_t spent = SDL_GetTicks64() - begin;
    if (spent < 15) SDL_Delay((uint32_t)(15 - spent));
  }
  lua_pushboolean(L, 1);
  return 1;
}

int window_view(lua_State *L) {
  static const char *const keys[] = {"world",   "navmesh", "geometry", "layers", "title",
                                     "seconds", "on_step", "selected", NULL};
  const lwl_at at = {"view", ""};
  options_check_keys(L, &at, keys);
  lua_settop(L, 1);
  window *w = lua_newuserdatauv(L, sizeof *w, 0);
  *w = (window){.open = true, .help = true, .fitted = true, .speed = WINDOW_SPEED_NORMAL};
  luaL_setmetatable(L, TYPE);
  options_object(L, &at, "world", LWL_WORLD);
  int type = lwl_get(L, AT_OPTIONS, "on_step");
  if (type != LUA_TNIL && type != LUA_TFUNCTION) lwl_raise_expected(L, &at, "on_step", "a function", -1);
  w->end_time = INFINITY;
  if (lwl_get(L, AT_OPTIONS, "seconds") != LUA_TNIL)
    w->end_time = lwl_check_number(L, &at, "seconds", -1, &lwl_seconds_not_negative);
  options_chart(L, &at, &w->chart);
  if (w->chart.world) w->end_time += lw_world_time(w->chart.world);
  chart_open(&w->chart);
  const char *failed = open_renderer(w);
  w->view.painter = &w->painter;
  int results;
  if (failed) {
    results = options_fail(L, "SDL", "view: %s: %s", failed, SDL_GetError());
  } else {
    if (!painter_has_text(&w->painter)) notice_no_font(L);
    w->open = !is_gone(L, w);
    if (w->open) window_layout(w);
    results = loop(L, w);
  }
  release(w);
  return results;
}
