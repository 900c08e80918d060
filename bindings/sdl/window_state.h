/// The state of an open window: window.c owns it, window_input.c changes it, window_panel.c paints its panels.
#ifndef LEEWARD_SDL_WINDOW_STATE_H
#define LEEWARD_SDL_WINDOW_STATE_H

#include "chart.h"

#define WINDOW_SPEED_NORMAL 2
#define WINDOW_SPEED_COUNT 7
extern const double window_speeds[WINDOW_SPEED_COUNT]; ///< Simulated seconds per second.

typedef struct window {
  SDL_Window *window;
  SDL_Renderer *renderer;
  SDL_Texture *ground; ///< Geometry and mesh as last painted. NULL: no cache.
  bool video;          ///< SDL's video subsystem was initialised.
  painter painter;
  chart chart;
  canvas view;
  float width, height; ///< [real pixels]
  float foot;          ///< Height of the footer. [real pixels]
  bool stale;          ///< `ground` must be painted again.
  bool fitted;         ///< The user has not moved the view: resizing fits it again.
  bool open, paused, single, help;
  bool pressed, dragged; ///< The left button.
  SDL_FPoint press;
  int speed;       ///< Index into window_speeds.
  double due;      ///< Simulated time still to step. [s]
  double end_time; ///< Simulated time at which the window closes. [s]
  uint64_t last_tick;
  char notice[512]; ///< The last result of on_step, shown below the keys. "": none.
} window;

/// Lay the chart out for the window's current size.
void window_layout(window *w);
void window_fit(window *w);
void window_handle(window *w, const SDL_Event *event);
/// Paint the panel of keys, layers and speed, and the panel of the selected agent.
void window_paint_help(window *w);
void window_paint_agent(window *w);

#endif
