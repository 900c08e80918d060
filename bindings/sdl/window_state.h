/// What a window is while it is open; window.c owns it, window_input.c changes it, window_panel.c shows it.
#ifndef LEEWARD_SDL_WINDOW_STATE_H
#define LEEWARD_SDL_WINDOW_STATE_H

#include "chart.h"

#define WINDOW_SPEED_NORMAL 2
#define WINDOW_SPEED_COUNT 7
extern const double window_speeds[WINDOW_SPEED_COUNT]; ///< Simulated seconds a second.

typedef struct window {
  SDL_Window *window;
  SDL_Renderer *renderer;
  SDL_Texture *ground; ///< Geometry and mesh as painted last. NULL: painted anew every time.
  bool video;          ///< SDL's video was begun.
  painter painter;
  chart chart;
  canvas view;
  float width, height; ///< [real pixels]
  bool stale;          ///< `ground` must be painted anew.
  bool fitted;         ///< The user has not moved the view yet: resizing fits it again.
  bool open, paused, single, help;
  bool pressed, dragged; ///< The left button.
  SDL_FPoint press;
  int speed;       ///< Index into window_speeds.
  double due;      ///< Simulated time that is still to be stepped. [s]
  double end_time; ///< The window closes then. [s]
  uint64_t last_tick;
  char notice[512]; ///< What on_step returned last, below the keys. "": nothing.
} window;

/// Measure the window's size and lay the chart out for it.
void window_layout(window *w);
void window_fit(window *w);
void window_handle(window *w, const SDL_Event *event);
/// Keys, overlays, speed; the selected agent.
void window_paint_help(window *w);
void window_paint_agent(window *w);

#endif
