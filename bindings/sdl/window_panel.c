/// The debug window: the panels over the level.
#include "window_state.h"

#include "core/text.h"
#include "lwl.h"

#include <math.h>
#include <stdio.h>

#define PAD 10 ///< [pixels]

typedef struct help_line {
  const char *key, *meaning;
  uint32_t layer; ///< 0: always bright.
} help_line;

static const help_line help_lines[] = {
    {"1", "areas", LW_DRAW_AREAS},
    {"2", "edges", LW_DRAW_EDGES},
    {"3", "borders", LW_DRAW_BORDERS},
    {"4", "tiles", LW_DRAW_TILES},
    {"5", "paths", LW_DRAW_PATHS},
    {"6", "agents", LW_DRAW_AGENTS},
    {"7", "labels", LW_DRAW_LABELS},
    {"8", "links", LW_DRAW_LINKS},
    {"9", "cover", LW_DRAW_COVER},
    {"0", "dangers", LW_DRAW_DANGERS},
    {"B", "obstacles", LW_DRAW_OBSTACLES},
    {"E", "what threats see", LW_DRAW_EXPOSURE},
    {"M", "cover map of the selected agent", LW_DRAW_COVER_MAP},
    {"O", "how open ground lies", LW_DRAW_OPENNESS},
    {"R", "rooms and doors", LW_DRAW_REGIONS},
    {"T", "threats", LW_DRAW_THREATS},
    {"W", "whiskers of agents", LW_DRAW_WHISKERS},
    {"G", "geometry", 1u << 31},
    {"space", "pause, resume", 0},
    {".", "single step", 0},
    {"[ ]", "slower, faster", 0},
    {"+ - wheel", "zoom", 0},
    {"arrows, drag", "pan", 0},
    {"click", "select an agent", 0},
    {"F", "fit", 0},
    {"H", "hide or show this help", 0},
    {"Esc, Q", "quit", 0},
};
#define HELP_COUNT ((int)(sizeof help_lines / sizeof *help_lines))

static bool is_on(const window *w, uint32_t layer) {
  return layer == 1u << 31 ? w->chart.ground && w->chart.geometry : (w->chart.layers & layer) != 0;
}

/// Paint the last result of on_step, such as the name of a reloaded file.
static void paint_notice(window *w, float x, float y) {
  painter *p = &w->painter;
  float pad = PAD * p->unit, width = 400 * p->unit;
  label text = label_make(p, TEXT_SMALL, w->notice, width - 2 * pad);
  painter_rect(p, x, y, width, text.height + 2 * pad, CHART_PANEL);
  label_draw(p, &text, x + pad, y + pad, 0xffd447ff, false);
  label_free(&text);
}

/* What the planner did in the last step. @return false: there is no world. */
static bool paint_planner(window *w, float x, float y) {
  lw_planner_stats stats;
  char text[96];
  if (!w->chart.world || lw_world_get_planner_stats(w->chart.world, &stats) != LW_OK) return false;
  const int count = snprintf(text, sizeof text, "paths: work %d of %d, %d waiting", stats.used, stats.budget,
                             stats.waiting_agents + stats.waiting_requests);
  if (stats.threads > 1 && count > 0 && count < (int)sizeof text)
    snprintf(text + count, sizeof text - (size_t)count, ", %d threads", stats.threads);
  painter_text(&w->painter, TEXT_SMALL, (SDL_FPoint){x, y}, text, CHART_DIM, false);
  return true;
}

void window_paint_help(window *w) {
  painter *p = &w->painter;
  if (!painter_has_text(p)) return;
  float unit = p->unit, line = painter_line_height(p, TEXT_SMALL), x = PAD * unit;
  float y = w->view.frame.y + PAD * unit, width = 250 * unit;
  const int rows = (w->help ? HELP_COUNT + 1 : 1) + (w->chart.world ? 1 : 0);
  painter_rect(p, x, y, width, line * (float)rows + 2 * PAD * unit, CHART_PANEL);
  char text[64];
  snprintf(text, sizeof text, "%s  x%g%s", w->paused ? "paused" : "running", window_speeds[w->speed],
           w->help ? "" : "   (H: help)");
  y += PAD * unit;
  if (!w->chart.world) snprintf(text, sizeof text, "%s", w->help ? "keys" : "H: help");
  painter_text(p, TEXT_SMALL, (SDL_FPoint){x + PAD * unit, y}, text, w->paused ? 0xffd447ff : CHART_TEXT,
               false);
  y += paint_planner(w, x + PAD * unit, y + line) ? line : 0;
  for (int i = 0; w->help && i < HELP_COUNT; i++) {
    const help_line *h = &help_lines[i];
    bool bright = !h->layer || is_on(w, h->layer);
    y += line;
    if (h->layer) {
      painter_rect(p, x + width - 24 * unit, y + 3 * unit, 9 * unit, 9 * unit,
                   bright ? 0x7bd88fff : 0x3a424bff);
    }
    painter_text(p, TEXT_SMALL, (SDL_FPoint){x + PAD * unit, y}, h->key, bright ? 0xffd447ff : CHART_DIM,
                 false);
    painter_text(p, TEXT_SMALL, (SDL_FPoint){x + 102 * unit, y}, h->meaning, bright ? CHART_TEXT : CHART_DIM,
                 false);
  }
  if (*w->notice) paint_notice(w, x, y + line + 2 * PAD * unit);
  painter_flush(p);
}

static void describe(window *w, const lw_agent_state *s, char *text, size_t size) {
  const lw_profile_def *profile = lw_profile_get_def(s->profile);
  lw_agent_stats stats = {0};
  lw_agent_get_stats(w->chart.world, w->chart.selected, &stats);
  const double speed = sqrt((double)(s->velocity.x * s->velocity.x + s->velocity.z * s->velocity.z));
  char team[64];
  lwi_text_show(team, sizeof team, s->team);
  int length =
      snprintf(text, size,
               "at %.1f, %.1f, %.1f\n%s pace, %.1f m/s%s%s\nwalked %.0f m, goals %d\nreplans %d, stuck %d\n\n"
               "radius %g, height %g, climb %g m\nspeeds %g, %g, %g m/s\nresistance factor %g, road %g\n\n",
               (double)s->position.x, (double)s->position.y, (double)s->position.z, lw_pace_name(s->pace),
               speed, *s->team ? ", team " : "", team, stats.walked, stats.goals_reached, stats.replans,
               stats.stuck, (double)profile->radius, (double)profile->height, (double)profile->climb,
               (double)profile->speed[0], (double)profile->speed[1], (double)profile->speed[2],
               (double)profile->resistance_factor[LW_TRIANGULAR], (double)profile->resistance_factor[LW_ROAD]);
  if (length < 0 || (size_t)length >= size) return;
  length += lw_agent_why(w->chart.world, w->chart.selected, text + length, size - (size_t)length);
  const lw_explanation *why = chart_why(&w->chart);
  if (!why || (size_t)length + 16 >= size) return;
  length += snprintf(text + length, size - (size_t)length, "\n\nThis path: ");
  lw_explanation_sentence(why, text + length, size - (size_t)length);
}

void window_paint_agent(window *w) {
  painter *p = &w->painter;
  lw_agent_state state;
  if (!w->chart.world || lw_agent_id_is_none(w->chart.selected) || !painter_has_text(p)) return;
  if (lw_agent_get_state(w->chart.world, w->chart.selected, &state) != LW_OK) {
    w->chart.selected = lw_agent_id_none(); /* the agent is gone */
    return;
  }
  char text[2048], title[128];
  describe(w, &state, text, sizeof text);
  snprintf(title, sizeof title, "%s %s", lw_profile_get_def(state.profile)->name,
           LWL_ID_NAME(w->chart.selected));
  float unit = p->unit, width = 290 * unit, x = w->width - width - PAD * unit;
  float y = w->view.frame.y + PAD * unit, head = painter_line_height(p, TEXT_NORMAL) + 4 * unit;
  label body = label_make(p, TEXT_SMALL, text, width - 2 * PAD * unit);
  SDL_FPoint below = {x + PAD * unit, y + PAD * unit + head + body.height + 6 * unit};
  float space = width - 2 * PAD * unit, rows = chart_paint_why(&w->chart, p, below, space, false);
  painter_rect(p, x, y, width, head + body.height + rows + (2 * PAD + (rows > 0 ? 6.0f : 0)) * unit,
               CHART_PANEL);
  chart_paint_why(&w->chart, p, below, space, true);
  painter_text(p, TEXT_NORMAL, (SDL_FPoint){x + PAD * unit, y + PAD * unit}, title, 0xffd447ff, false);
  label_draw(p, &body, x + PAD * unit, y + PAD * unit + head, CHART_TEXT, false);
  label_free(&body);
}
