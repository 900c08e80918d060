/// Debug drawing of agents, the paths that they walk and where to.
#include "leeward/debug_draw.h"
#include "core/vec3.h"
#include "search/path.h"
#include "world/debug_draw_dangers.h"
#include "world/debug_draw_exposure.h"
#include "world/debug_draw_links.h"

#include <stdio.h>
#include <string.h>

#define CASING 0x0b0e12ffu ///< Around bright marks, so that they show on any ground.
#define WHITE 0xffffffffu
#define FAILED 0xff3b30ffu
#define TWO_PI 6.28318531f

static uint32_t hue_channel(float hue, float offset) {
  float k = fmodf(offset + hue * 6, 6);
  float ramp = fmaxf(0, fminf(1, fminf(k, 4 - k)));
  return (uint32_t)(255 * (1 - 0.72f * ramp));
}

/// Who has not been given a colour has one of its own: the golden angle keeps neighbours in number apart.
static uint32_t agent_color(lw_agent_id agent, const lw_agent_state *state) {
  if (state->color) return state->color << 8 | 0xff;
  float hue = fmodf((float)((agent ^ agent >> 32) & 0xffff) * 0.61803399f, 1);
  return hue_channel(hue, 5) << 24 | hue_channel(hue, 3) << 16 | hue_channel(hue, 1) << 8 | 0xff;
}

static float at_least(float meters, float pixels, const lw_debug_draw *draw) {
  return fmaxf(meters, pixels * draw->pixel);
}

#define DASHES 6 ///< Of an off-mesh link.

static void draw_piece(lw_vec3 from, lw_vec3 to, bool is_link, float width, uint32_t color,
                       const lw_debug_draw *draw) {
  if (!is_link) {
    draw->line(draw->user, from, to, width, color);
    return;
  }
  for (int i = 0; i < DASHES; i++) {
    const float step = 1.0f / (2 * DASHES - 1);
    lw_vec3 begin = lwi_lerp(from, to, step * (float)(2 * i)),
            end = lwi_lerp(from, to, step * (float)(2 * i + 1));
    draw->line(draw->user, begin, end, width, color);
  }
}

uint32_t lw_cost_term_color(lw_cost_term term) {
  static const uint32_t colors[LW_COST_TERM_COUNT] = {
      [LW_TERM_LENGTH] = 0xffffff, [LW_TERM_RESISTANCE] = 0xc08a4a, [LW_TERM_EXPOSURE] = 0xffe08a,
      [LW_TERM_WATER] = 0x3fa7ff,  [LW_TERM_UNSAFE] = 0xb36bff,     [LW_TERM_AREA] = 0x8a9a3b,
      [LW_TERM_DANGER] = 0xff8a1f, [LW_TERM_THREATS] = 0xff3b6b,    [LW_TERM_FIRE_LANES] = 0xff6bd6,
  };
  return (unsigned)term < LW_COST_TERM_COUNT ? colors[term] : colors[LW_TERM_LENGTH];
}

/* The part of its length that a piece must cost more for one reason to show that. */
#define DEAR 0.1f

/* What makes the piece dear; LW_TERM_LENGTH: nothing. @param run  As for lwi_path_account(). */
static lw_cost_term dearest(const lw_path *path, int piece, int *run) {
  lwi_account account = lwi_path_account(path, piece, run);
  int most = LW_TERM_LENGTH;
  float price = DEAR * account.length;
  for (int i = LW_TERM_LENGTH + 1; i < LW_COST_TERM_COUNT; i++) {
    if (account.terms.of[i] <= price) continue;
    price = account.terms.of[i];
    most = i;
  }
  return (lw_cost_term)most;
}

/* What the agent still has to walk. @param color  0: by what is dear about each piece. */
static void draw_route(const lw_agent_state *state, const lw_path *path, float width, uint32_t color,
                       const lw_debug_draw *draw) {
  int count = 0, run = 0;
  const lw_vec3 *points = lw_path_points(path, &count);
  lw_vec3 from = state->position;
  for (int i = state->next_point; i < count; i++) {
    bool is_link =
        i == state->next_point ? state->link != LW_LINK_NONE : lw_path_link(path, i - 1) != LW_LINK_NONE;
    int piece = i > 0 ? i - 1 : 0;
    uint32_t shown = color ? color : lw_cost_term_color(dearest(path, piece, &run)) << 8 | 0xff;
    draw_piece(from, points[i], is_link, width, shown, draw);
    from = points[i];
  }
}

static void draw_path(const lw_world *world, lw_agent_id agent, const lw_agent_state *state, bool selected,
                      const lw_debug_draw *draw) {
  const lw_path *path = lw_agent_path(world, agent);
  if (!path || state->move != LW_MOVE_WALKING) return;
  uint32_t color = agent_color(agent, state);
  float width = selected ? 4 : state->color ? 3.2f : 2.4f;
  if (draw->line) {
    draw_route(state, path, width + 2, (CASING & ~0xffu) | 0xb0, draw);
    draw_route(state, path, width, selected ? 0 : color, draw);
  }
  if (!draw->disc) return;
  draw->disc(draw->user, state->goal, at_least(0.30f, selected ? 7.5f : 5.5f, draw), CASING);
  draw->disc(draw->user, state->goal, at_least(0.24f, selected ? 6.2f : 4.4f, draw), color);
  draw->disc(draw->user, state->goal, at_least(0.13f, 2.4f, draw), CASING);
}

static void draw_halo(lw_vec3 at, float radius, const lw_debug_draw *draw) {
  const int sides = 40;
  for (int i = 0; draw->line && i < sides; i++) {
    float a = TWO_PI * (float)i / (float)sides, b = TWO_PI * (float)(i + 1) / (float)sides;
    lw_vec3 from = lwi_add(at, lwi_vec3(radius * cosf(a), 0, radius * sinf(a)));
    lw_vec3 to = lwi_add(at, lwi_vec3(radius * cosf(b), 0, radius * sinf(b)));
    draw->line(draw->user, from, to, 2.5f, WHITE);
  }
}

static void draw_agent(lw_agent_id agent, const lw_agent_state *state, bool selected,
                       const lw_debug_draw *draw) {
  float radius = at_least(lw_profile_get_def(state->profile)->radius, 4, draw);
  float rim = fmaxf(0.12f * radius, 1.4f * draw->pixel);
  if (draw->disc) {
    draw->disc(draw->user, state->position, radius + rim, state->move == LW_MOVE_FAILED ? FAILED : CASING);
    draw->disc(draw->user, state->position, radius, agent_color(agent, state));
  }
  lw_vec3 ahead = {cosf(state->heading) * radius * 1.7f, 0, -sinf(state->heading) * radius * 1.7f};
  lw_vec3 tip = lwi_add(state->position, ahead);
  if (draw->line) draw->line(draw->user, state->position, tip, 3.6f, CASING);
  if (draw->line) draw->line(draw->user, state->position, tip, 2, WHITE);
  if (selected) draw_halo(state->position, radius * 2 + 2 * rim, draw);
}

/// "soldier: MoveTo": the profile and the running node, which is the last name of what lw_agent_why() begins with.
static void draw_label(const lw_world *world, lw_agent_id agent, const lw_agent_state *state,
                       const lw_debug_draw *draw) {
  char why[256], text[128];
  lw_agent_why(world, agent, why, sizeof why);
  why[strcspn(why, "\n:;,")] = 0;
  const char *node = why;
  for (const char *next = node; (next = strstr(next, " > ")) != NULL;) node = next += 3;
  const char *profile = lw_profile_get_def(state->profile)->name;
  snprintf(text, sizeof text, lw_agent_tree(world, agent) ? "%.63s: %.48s" : "%.63s", profile, node);
  draw->text(draw->user, state->position, text, WHITE);
}

void lw_world_debug_draw(const lw_world *world, uint32_t layers, lw_agent_id selected,
                         const lw_debug_draw *draw) {
  if (!world || !draw) return;
  for (int i = 0; i < lw_world_navmesh_count(world); i++)
    lw_navmesh_debug_draw(lw_world_navmesh_at(world, i), layers, draw);
  if ((layers & LW_DRAW_LINKS) && draw->line) lwi_debug_draw_world_links(world, draw);
  if (layers & LW_DRAW_DANGERS) lwi_debug_draw_dangers(world, draw);
  if ((layers & LW_DRAW_EXPOSURE) && draw->triangle) lwi_debug_draw_exposure(world, draw);
  /* Layer by layer, so that no agent hides below another's path. */
  for (uint32_t layer = LW_DRAW_PATHS; layer <= LW_DRAW_LABELS; layer <<= 1) {
    if (!(layers & layer) || (layer == LW_DRAW_LABELS && !draw->text)) continue;
    for (lw_agent_id agent = lw_agent_next(world, 0); agent; agent = lw_agent_next(world, agent)) {
      lw_agent_state state;
      if (lw_agent_get_state(world, agent, &state) != LW_OK) continue;
      if (layer == LW_DRAW_PATHS) draw_path(world, agent, &state, agent == selected, draw);
      if (layer == LW_DRAW_AGENTS) draw_agent(agent, &state, agent == selected, draw);
      if (layer == LW_DRAW_LABELS) draw_label(world, agent, &state, draw);
    }
  }
  if (layers & LW_DRAW_THREATS) lwi_debug_draw_threats(world, draw);
}
