/// Graphs: lines over one axis, such as a number over time.
#include "graph.h"

#include "chart.h"
#include "image.h"
#include "options.h"

#include <math.h>
#include <stdio.h>

#define TYPE "leeward_sdl.graph"
#define SERIES_MAX 8
#define POINTS_MAX 100000
#define TICKS 8 ///< Along an axis, at most.
#define MARGIN 16
#define LEFT 64   ///< Reserved for the numbers of the vertical axis. [pixels]
#define BOTTOM 56 ///< Reserved for those of the other one, and its name. [pixels]
#define GRID 0x2c333cffu

static const uint32_t palette[SERIES_MAX] = {0x35d0ff, 0xff9a2e, 0x7dff5a, 0xff5ac8,
                                             0xffe14d, 0x9a7dff, 0xff3b30, 0xffffff};

typedef struct series {
  const char *name;     ///< Borrowed from the options. NULL: none.
  uint32_t color;       ///< 0xRRGGBB
  const SDL_FPoint *at; ///< [count] In the units of the axes.
  int count;
} series;

typedef struct axis {
  const char *name; ///< NULL: none.
  double low, high, step;
} axis;

typedef struct graph {
  image image;
  const char *title;
  axis x, y;
  series series[SERIES_MAX];
  int count;
  SDL_FRect frame; ///< Of the lines. [real pixels]
} graph;

static int graph_gc(lua_State *L) {
  image_release(&((graph *)lua_touserdata(L, 1))->image);
  return 0;
}

void graph_open(lua_State *L) {
  luaL_newmetatable(L, TYPE);
  lua_pushcfunction(L, graph_gc);
  lua_setfield(L, -2, "__gc");
  lua_pop(L, 1);
}

/* --- axes ------------------------------------------------------------------------------------------------- */

/// The least of 1, 2, 5, 10, ... that leaves no more than TICKS.
static double round_step(double length) {
  double step = pow(10, floor(log10(length / TICKS)));
  static const double factors[] = {2, 2.5, 2};
  for (int i = 0; length / step > TICKS; i = (i + 1) % 3) step *= factors[i];
  return step;
}

static void include(axis *along, double value) {
  along->low = fmin(along->low, value);
  along->high = fmax(along->high, value);
}

/// Ends at ticks.
static void round_axis(axis *along) {
  if (!(along->high > along->low)) along->high = along->low + 1;
  along->step = round_step(along->high - along->low);
  along->low = floor(along->low / along->step) * along->step;
  along->high = ceil(along->high / along->step) * along->step;
}

static void find_axes(graph *g) {
  g->x.low = INFINITY;
  g->x.high = -INFINITY;
  g->y.low = g->y.high = 0; /* quantities begin at 0 */
  for (int i = 0; i < g->count; i++)
    for (int k = 0; k < g->series[i].count; k++) {
      include(&g->x, (double)g->series[i].at[k].x);
      include(&g->y, (double)g->series[i].at[k].y);
    }
  round_axis(&g->x);
  round_axis(&g->y);
}

/* --- painting --------------------------------------------------------------------------------------------- */

static float screen_x(const graph *g, double x) {
  return g->frame.x + (float)((x - g->x.low) / (g->x.high - g->x.low)) * g->frame.w;
}
static float screen_y(const graph *g, double y) {
  return g->frame.y + g->frame.h - (float)((y - g->y.low) / (g->y.high - g->y.low)) * g->frame.h;
}

static void paint_x(graph *g, painter *p) {
  const float bottom = g->frame.y + g->frame.h;
  const int ticks = (int)lround((g->x.high - g->x.low) / g->x.step);
  for (int i = 0; i <= ticks; i++) {
    const double value = g->x.low + i * g->x.step;
    const float x = screen_x(g, value);
    char text[32];
    snprintf(text, sizeof text, "%.6g", value);
    painter_line(p, (SDL_FPoint){x, g->frame.y}, (SDL_FPoint){x, bottom}, 1, GRID);
    const float width = painter_text_width(p, TEXT_SMALL, text);
    painter_text(p, TEXT_SMALL, (SDL_FPoint){x - width / 2, bottom + 6 * p->unit}, text, CHART_DIM, false);
  }
  if (!g->x.name) return;
  const float width = painter_text_width(p, TEXT_NORMAL, g->x.name);
  const SDL_FPoint at = {g->frame.x + (g->frame.w - width) / 2, bottom + 26 * p->unit};
  painter_text(p, TEXT_NORMAL, at, g->x.name, CHART_TEXT, false);
}

static void paint_y(graph *g, painter *p) {
  const int ticks = (int)lround((g->y.high - g->y.low) / g->y.step);
  for (int i = 0; i <= ticks; i++) {
    const double value = g->y.low + i * g->y.step;
    const float y = screen_y(g, value);
    char text[32];
    snprintf(text, sizeof text, "%.6g", value);
    painter_line(p, (SDL_FPoint){g->frame.x, y}, (SDL_FPoint){g->frame.x + g->frame.w, y}, 1, GRID);
    const SDL_FPoint at = {g->frame.x - 8 * p->unit - painter_text_width(p, TEXT_SMALL, text),
                           y - painter_line_height(p, TEXT_SMALL) / 2};
    painter_text(p, TEXT_SMALL, at, text, CHART_DIM, false);
  }
}

static void paint_series(const graph *g, painter *p, const series *of) {
  for (int i = 1; i < of->count; i++) {
    const SDL_FPoint *at = &of->at[i];
    painter_line(p, (SDL_FPoint){screen_x(g, (double)at[-1].x), screen_y(g, (double)at[-1].y)},
                 (SDL_FPoint){screen_x(g, (double)at->x), screen_y(g, (double)at->y)}, 2.2f,
                 of->color << 8 | 0xff);
  }
}

/// The name of the vertical axis, and those of the lines, in a row.
static void paint_names(const graph *g, painter *p, float y) {
  float x = g->frame.x;
  if (g->y.name)
    x += painter_text(p, TEXT_NORMAL, (SDL_FPoint){x, y}, g->y.name, CHART_DIM, false) + 24 * p->unit;
  for (int i = 0; i < g->count; i++) {
    const series *of = &g->series[i];
    const float middle = y + painter_line_height(p, TEXT_NORMAL) / 2, end = x + 18 * p->unit;
    if (!of->name) continue;
    painter_line(p, (SDL_FPoint){x, middle}, (SDL_FPoint){end, middle}, 3, of->color << 8 | 0xff);
    x = end + 7 * p->unit;
    x += painter_text(p, TEXT_NORMAL, (SDL_FPoint){x, y}, of->name, CHART_TEXT, false) + 18 * p->unit;
  }
}

static void paint(graph *g) {
  painter *p = &g->image.painter;
  const float width = (float)g->image.large->w, height = (float)g->image.large->h, margin = MARGIN * p->unit;
  const float head = painter_has_text(p) ? (g->title ? 74 : 44) * p->unit : margin;
  g->frame = (SDL_FRect){LEFT * p->unit, head, fmaxf(1, width - LEFT * p->unit - 2 * margin),
                         fmaxf(1, height - head - BOTTOM * p->unit)};
  painter_rect(p, 0, 0, width, height, CHART_BACKGROUND);
  paint_x(g, p);
  paint_y(g, p);
  for (int i = 0; i < g->count; i++) paint_series(g, p, &g->series[i]);
  if (g->title) painter_text(p, TEXT_TITLE, (SDL_FPoint){margin, 9 * p->unit}, g->title, CHART_TEXT, false);
  paint_names(g, p, head - 30 * p->unit);
}

/* --- options ---------------------------------------------------------------------------------------------- */

/// The text at a key of the table at index; it stays on the stack. @return NULL: the key is absent.
static const char *read_text(lua_State *L, const lwl_at *at, int table, const char *key) {
  if (lwl_get(L, table, key) == LUA_TNIL) return NULL;
  return lwl_check_text(L, at, key, "a string", lua_gettop(L));
}

/// Read the points of a line into a userdata, which stays on the stack.
static void read_points(lua_State *L, const lwl_at *at, int table, series *to) {
  const lua_Integer count = lwl_need_list(L, at, table, "points", 2);
  const int list = lua_gettop(L);
  if (count > POINTS_MAX)
    lwl_raise_at(L, at, "points", "has %I elements, expected at most %d", (LUAI_UACINT)count, POINTS_MAX);
  SDL_FPoint *points = lua_newuserdatauv(L, (size_t)count * sizeof *points, 0);
  for (lua_Integer i = 1; i <= count; i++) {
    double numbers[2] = {0, 0};
    lua_rawgeti(L, list, i);
    for (int k = 0; k < 2; k++) {
      const bool is_pair = lua_istable(L, list + 2) && lua_rawgeti(L, list + 2, k + 1) != LUA_TNIL;
      if (!is_pair || !lwl_to_number(L, -1, &lwl_finite, &numbers[k]))
        lwl_raise_item(L, at, "points", i, "two finite numbers", list + 2);
      lua_pop(L, 1);
    }
    lua_settop(L, list + 1);
    points[i - 1] = (SDL_FPoint){(float)numbers[0], (float)numbers[1]};
  }
  to->at = points;
  to->count = (int)count;
}

static void read_series(lua_State *L, const lwl_at *at, graph *g) {
  static const char *const keys[] = {"name", "points", "color", NULL};
  const lua_Integer count = lwl_need_list(L, at, 1, "series", 1);
  const int list = lua_gettop(L);
  if (count > SERIES_MAX)
    lwl_raise_at(L, at, "series", "has %I elements, expected at most %d", (LUAI_UACINT)count, SERIES_MAX);
  luaL_checkstack(L, 8 * SERIES_MAX + LUA_MINSTACK, NULL);
  for (int i = 0; i < (int)count; i++) {
    series *of = &g->series[i];
    if (lua_rawgeti(L, list, i + 1) != LUA_TTABLE) lwl_raise_item(L, at, "series", i + 1, "a table", -1);
    const int table = lua_gettop(L);
    const lwl_at inside = {at->where, lua_pushfstring(L, "series[%d].", i + 1)};
    lwl_check_keys(L, &inside, table, keys);
    of->name = read_text(L, &inside, table, "name");
    of->color = palette[i];
    lwl_opt_color(L, &inside, table, &of->color);
    read_points(L, &inside, table, of);
    g->count = i + 1;
  }
}

int graph_write(lua_State *L) {
  static const char *const keys[] = {"file", "series", "title", "x", "y", "width", "height", NULL};
  static const lw_range side = {64, IMAGE_SIDE_MAX, "whole pixels", false};
  const lwl_at at = {"graph", ""};
  options_check_keys(L, &at, keys);
  lua_settop(L, 1);
  graph *job = lua_newuserdatauv(L, sizeof *job, 0);
  *job = (graph){.count = 0};
  luaL_setmetatable(L, TYPE);
  const char *file = options_string(L, &at, "file");
  if (!file || !*file) lwl_raise_expected(L, &at, "file", "a file name", -1);
  job->title = read_text(L, &at, 1, "title");
  job->x.name = read_text(L, &at, 1, "x");
  job->y.name = read_text(L, &at, 1, "y");
  job->image.width = options_int(L, &at, "width", &side, 1200);
  job->image.height = options_int(L, &at, "height", &side, 480);
  read_series(L, &at, job);
  find_axes(job);
  int results = image_open(L, &at, &job->image);
  if (!results) {
    paint(job);
    results = image_write(L, &at, &job->image, file);
  }
  image_release(&job->image);
  return results;
}
