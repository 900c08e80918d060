/// The debug window: keys and mouse.
#include "window_state.h"

#include <math.h>

#define CLICK_SLACK 4  ///< A press that moves further than this is a drag. [pixels]
#define CLICK_REACH 14 ///< Distance within which a click selects an agent. [pixels]

static SDL_FPoint mouse_at(const window *w, int x, int y) {
  return (SDL_FPoint){(float)x * w->painter.unit, (float)y * w->painter.unit};
}

static void moved(window *w) {
  w->stale = true;
  w->fitted = false;
}

static void pan(window *w, float dx, float dy) {
  canvas_pan(&w->view, dx, dy);
  moved(w);
}

static void zoom(window *w, SDL_FPoint at, double factor) {
  canvas_zoom(&w->view, at, factor);
  moved(w);
}

static void zoom_middle(window *w, double factor) {
  zoom(w, (SDL_FPoint){w->view.frame.x + w->view.frame.w / 2, w->view.frame.y + w->view.frame.h / 2}, factor);
}

/// Select the agent nearest to a click; none is within reach: select no agent.
static void select_at(window *w, SDL_FPoint at) {
  const lw_world *world = w->chart.world;
  float best = INFINITY;
  lw_agent_id id = w->chart.selected = lw_agent_id_none();
  while (world && !lw_agent_id_is_none(id = lw_agent_next(world, id))) {
    lw_agent_state state;
    if (lw_agent_get_state(world, id, &state) != LW_OK) continue;
    SDL_FPoint place = canvas_to_screen(&w->view, state.position);
    float distance = hypotf(place.x - at.x, place.y - at.y);
    float radius = lw_profile_get_def(state.profile)->radius * (float)w->view.scale;
    if (distance >= best || distance > fmaxf(radius, CLICK_REACH * w->painter.unit)) continue;
    best = distance;
    w->chart.selected = id;
  }
}

static void toggle(window *w, uint32_t layer) {
  w->chart.layers ^= layer;
  w->stale = true;
}

static void change_speed(window *w, int by) {
  int speed = w->speed + by;
  if (speed >= 0 && speed < WINDOW_SPEED_COUNT) w->speed = speed;
}

static void handle_key(window *w, const SDL_Keysym *key) {
  float step = 60 * w->painter.unit;
  if (key->mod & (KMOD_CTRL | KMOD_ALT | KMOD_GUI)) return;
  if (key->sym == SDLK_b) toggle(w, LW_DRAW_OBSTACLES);
  if (key->sym == SDLK_e) toggle(w, LW_DRAW_EXPOSURE);
  if (key->sym == SDLK_m) toggle(w, LW_DRAW_COVER_MAP);
  if (key->sym == SDLK_o) toggle(w, LW_DRAW_OPENNESS);
  if (key->sym == SDLK_r) toggle(w, LW_DRAW_REGIONS);
  if (key->sym == SDLK_t) toggle(w, LW_DRAW_THREATS);
  if (key->sym == SDLK_w) toggle(w, LW_DRAW_WHISKERS);
  if (key->sym >= SDLK_1 && key->sym <= SDLK_9) toggle(w, 1u << (key->sym - SDLK_1));
  if (key->sym == SDLK_0) toggle(w, LW_DRAW_DANGERS);
  switch (key->sym) {
  case SDLK_ESCAPE:
  case SDLK_q: w->open = false; break;
  case SDLK_SPACE: w->paused = !w->paused; break;
  case SDLK_f: window_fit(w); break;
  case SDLK_h: w->help = !w->help; break;
  case SDLK_g:
    w->chart.ground = !w->chart.ground;
    w->stale = true;
    break;
  case SDLK_LEFT: pan(w, step, 0); break;
  case SDLK_RIGHT: pan(w, -step, 0); break;
  case SDLK_UP: pan(w, 0, step); break;
  case SDLK_DOWN: pan(w, 0, -step); break;
  default: break;
  }
}

/// Signs are handled as text, since many keyboards need a modifier for them.
static void handle_text(window *w, char sign) {
  switch (sign) {
  case '.':
    w->paused = true;
    w->single = true;
    break;
  case '[': change_speed(w, -1); break;
  case ']': change_speed(w, 1); break;
  case '+':
  case '=': zoom_middle(w, 1.25); break;
  case '-': zoom_middle(w, 1 / 1.25); break;
  default: break;
  }
}

static void handle_motion(window *w, const SDL_MouseMotionEvent *motion) {
  if (!w->pressed) return;
  SDL_FPoint at = mouse_at(w, motion->x, motion->y);
  float far = hypotf(at.x - w->press.x, at.y - w->press.y);
  if (!w->dragged && far < CLICK_SLACK * w->painter.unit) return;
  pan(w, at.x - w->press.x, at.y - w->press.y);
  w->dragged = true;
  w->press = at;
}

static void handle_button(window *w, const SDL_MouseButtonEvent *button) {
  if (button->button != SDL_BUTTON_LEFT) return;
  if (button->state == SDL_PRESSED) {
    w->pressed = true;
    w->dragged = false;
    w->press = mouse_at(w, button->x, button->y);
    return;
  }
  if (w->pressed && !w->dragged) select_at(w, w->press);
  w->pressed = false;
}

static void handle_wheel(window *w, const SDL_MouseWheelEvent *wheel) {
  int x, y;
  SDL_GetMouseState(&x, &y);
  float notches = wheel->preciseY * (wheel->direction == SDL_MOUSEWHEEL_FLIPPED ? -1.0f : 1.0f);
  zoom(w, mouse_at(w, x, y), pow(1.2, (double)notches));
}

void window_handle(window *w, const SDL_Event *event) {
  switch (event->type) {
  case SDL_QUIT: w->open = false; break;
  case SDL_KEYDOWN: handle_key(w, &event->key.keysym); break;
  case SDL_TEXTINPUT: handle_text(w, event->text.text[0]); break;
  case SDL_MOUSEMOTION: handle_motion(w, &event->motion); break;
  case SDL_MOUSEBUTTONDOWN:
  case SDL_MOUSEBUTTONUP: handle_button(w, &event->button); break;
  case SDL_MOUSEWHEEL: handle_wheel(w, &event->wheel); break;
  case SDL_WINDOWEVENT:
    if (event->window.event == SDL_WINDOWEVENT_SIZE_CHANGED) window_layout(w);
    break;
  case SDL_RENDER_TARGETS_RESET:
  case SDL_RENDER_DEVICE_RESET: window_layout(w); break;
  default: break;
  }
}
