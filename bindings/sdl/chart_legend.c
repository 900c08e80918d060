/// The header and footer of a chart: title, legend, axes and scale bar.
#include "chart.h"

#include "leeward/permutation.h"

#include <math.h>
#include <stdio.h>

#define SWATCH 14 ///< Side of a colour sample. [pixels]
#define GAP 7     ///< Between a sample and its name. [pixels]
#define SPACE 18  ///< Between entries. [pixels]
#define MARGIN 16
#define SCALE_WIDTH 190 ///< Reserved at the right for axes and scale bar. [pixels]

float chart_header_height(const painter *p) {
  return painter_has_text(p) ? 46 * p->unit : 0;
}

void chart_paint_header(chart *c, painter *p, SDL_FRect strip) {
  char figures[200];
  int polygons = 0;
  double area = 0;
  for (int i = 0; i < chart_navmesh_count(c); i++) {
    lw_navmesh_stats stats = lw_navmesh_get_stats(chart_navmesh(c, i));
    polygons += stats.polygons;
    area += (double)stats.area;
  }
  int length = snprintf(figures, sizeof figures, "%d polygons, %.0f m²", polygons, area);
  if (c->world) {
    obstacle_counts obstacles;
    chart_count_obstacles(c, &obstacles);
    if (obstacles.all > 0)
      length += snprintf(figures + length, sizeof figures - (size_t)length, "   obstacles %d, %d cut",
                         obstacles.all, obstacles.cut);
    snprintf(figures + length, sizeof figures - (size_t)length, "   %d agents, %.1f s",
             lw_world_agent_count(c->world), lw_world_time(c->world));
  }
  float right = strip.x + strip.w - MARGIN * p->unit;
  float width = painter_text_width(p, TEXT_NORMAL, figures), title = 0;
  if (c->title) {
    SDL_FPoint at = {strip.x + MARGIN * p->unit, strip.y + 9 * p->unit};
    title = painter_text(p, TEXT_TITLE, at, c->title, CHART_TEXT, false);
  }
  if (title + width + 3 * MARGIN * p->unit > strip.w) return; /* too narrow for both */
  painter_text(p, TEXT_NORMAL, (SDL_FPoint){right - width, strip.y + 16 * p->unit}, figures, CHART_DIM, false);
}

/// Places entries in rows.
typedef struct flow {
  float x, y, left, right, row;
  bool paint;
} flow;

static SDL_FPoint flow_place(flow *f, float width, float space) {
  if (f->x + width > f->right && f->x > f->left) {
    f->x = f->left;
    f->y += f->row;
  }
  SDL_FPoint at = {f->x, f->y};
  f->x += width + space;
  return at;
}

static void swatch(painter *p, SDL_FPoint at, uint32_t rgb) {
  float side = SWATCH * p->unit, rim = p->unit;
  painter_rect(p, at.x, at.y, side, side, 0x0b0e12ff);
  painter_rect(p, at.x + rim, at.y + rim, side - 2 * rim, side - 2 * rim, 0x85878aff);
  painter_rect(p, at.x + rim, at.y + rim, side - 2 * rim, side - 2 * rim, rgb << 8 | 0xc8);
}

static void entry_text(painter *p, SDL_FPoint at, const char *text) {
  painter_text(p, TEXT_NORMAL, (SDL_FPoint){at.x + (SWATCH + GAP) * p->unit, at.y - p->unit}, text, CHART_TEXT,
               false);
}

static void mark_agent(painter *p, SDL_FPoint at, uint32_t rgb) {
  SDL_FPoint middle = {at.x + 6 * p->unit, at.y + SWATCH * p->unit / 2};
  painter_disc(p, middle, 6 * p->unit, 0x0b0e12ff);
  painter_disc(p, middle, 4.6f * p->unit, rgb << 8 | 0xff);
  painter_line(p, middle, (SDL_FPoint){middle.x + 8.5f * p->unit, middle.y}, 2, 0xffffffff);
}

static void mark_danger(painter *p, SDL_FPoint at) {
  SDL_FPoint middle = {at.x + SWATCH * p->unit / 2, at.y + SWATCH * p->unit / 2};
  for (int i = 3; i > 0; i--) painter_disc(p, middle, (float)i * SWATCH * p->unit / 6, 0xff5a1e60);
}

static void mark_goal(painter *p, SDL_FPoint at) {
  SDL_FPoint middle = {at.x + SWATCH * p->unit / 2, at.y + SWATCH * p->unit / 2};
  painter_disc(p, middle, 5.5f * p->unit, 0x0b0e12ff);
  painter_disc(p, middle, 4.4f * p->unit, 0xffd447ff);
  painter_disc(p, middle, 2.4f * p->unit, 0x0b0e12ff);
}

static float entry_width(painter *p, const char *text) {
  return (SWATCH + GAP) * p->unit + painter_text_width(p, TEXT_NORMAL, text);
}

/// In place of the areas where openness is shown.
static void flow_openness(painter *p, flow *f) {
  static const struct {
    const char *text;
    float openness;
  } samples[] = {{"hidden ground", 0}, {"half open", 0.5f}, {"open", 1}};
  for (int i = 0; i < 3; i++) {
    SDL_FPoint at = flow_place(f, entry_width(p, samples[i].text), SPACE * p->unit);
    if (f->paint) swatch(p, at, lw_openness_color(samples[i].openness));
    if (f->paint) entry_text(p, at, samples[i].text);
  }
}

static void flow_areas(chart *c, painter *p, flow *f) {
  if (c->layers & LW_DRAW_OPENNESS) {
    flow_openness(p, f);
    return;
  }
  const lw_area_table *table = lw_navmesh_area_table(c->navmesh);
  for (int i = 0; (c->layers & LW_DRAW_AREAS) && i < c->area_count; i++) {
    const lw_area_def *def = lw_area_table_get(table, c->areas[i]);
    if (!def) continue;
    SDL_FPoint at = flow_place(f, entry_width(p, def->name), SPACE * p->unit);
    if (f->paint) swatch(p, at, def->color & 0xffffff);
    if (f->paint) entry_text(p, at, def->name);
  }
}

static void mark_link(painter *p, SDL_FPoint at, uint32_t rgb) {
  float side = SWATCH * p->unit, middle = at.y + side / 2, barb = side / 3;
  SDL_FPoint tip = {at.x + side, middle};
  const SDL_FPoint ends[] = {{at.x, middle}, {tip.x - barb, middle - barb}, {tip.x - barb, middle + barb}};
  for (int i = 0; i < 3; i++) painter_line(p, ends[i], tip, 4, 0x0b0e12ff);
  for (int i = 0; i < 3; i++) painter_line(p, ends[i], tip, 2, rgb << 8 | 0xff);
}

/* --- lines: what is drawn is looked at, so that the legend leaves nothing out ----------------------------- */

static const struct {
  const char *text;
  uint32_t rgb;
} covers[] = {{"high cover", LW_COLOR_COVER_HIGH},
              {"low cover", LW_COLOR_COVER_LOW},
              {"soft cover", LW_COLOR_COVER_SOFT}};
#define COVERS ((int)(sizeof covers / sizeof *covers))

static void note_link(void *user, lw_vec3 a, lw_vec3 b, float width, uint32_t color) {
  line_kinds *kinds = user;
  (void)a, (void)b, (void)width;
  for (int i = 0; i < LW_LINK_KIND_COUNT; i++)
    if (color >> 8 == lw_link_kind_color((lw_link_kind)i)) kinds->links |= 1u << i;
}

static void note_cover(void *user, lw_vec3 a, lw_vec3 b, float width, uint32_t color) {
  line_kinds *kinds = user;
  (void)a, (void)b, (void)width;
  for (int i = 0; i < COVERS; i++)
    if (color >> 8 == covers[i].rgb) kinds->cover |= 1u << i;
}

static void look_at_lines(const chart *c, uint32_t layer, const lw_debug_draw *draw) {
  if (!(c->layers & layer)) return;
  if (c->world)
    lw_world_debug_draw(c->world, layer, lw_agent_id_none(), draw);
  else
    lw_navmesh_debug_draw(c->navmesh, layer, draw);
}

/// Lines are drawn again when the ground or what offers cover has changed, as chart_paint_ground() does.
static const line_kinds *find_kinds(chart *c) {
  const uint32_t layers = c->layers & (LW_DRAW_LINKS | LW_DRAW_COVER);
  const uint64_t version = 1 + chart_ground_version(c) + (c->world ? lw_threat_version(c->world) : 0);
  if (c->kinds.version == version && c->kinds.layers == layers) return &c->kinds;
  c->kinds = (line_kinds){.layers = layers, .version = version};
  look_at_lines(c, LW_DRAW_LINKS, &(lw_debug_draw){.user = &c->kinds, .line = note_link});
  look_at_lines(c, LW_DRAW_COVER, &(lw_debug_draw){.user = &c->kinds, .line = note_cover});
  return &c->kinds;
}

static void flow_links(chart *c, painter *p, flow *f) {
  const unsigned links = find_kinds(c)->links;
  for (int i = 0; i < LW_LINK_KIND_COUNT; i++) {
    const char *name = lw_link_kind_name((lw_link_kind)i);
    char text[32];
    if (!(links >> i & 1)) continue;
    snprintf(text, sizeof text, "%s link", name);
    SDL_FPoint at = flow_place(f, entry_width(p, text), SPACE * p->unit);
    if (f->paint) mark_link(p, at, lw_link_kind_color((lw_link_kind)i));
    if (f->paint) entry_text(p, at, text);
  }
}

static void flow_cover(chart *c, painter *p, flow *f) {
  const unsigned cover = find_kinds(c)->cover;
  for (int i = 0; i < COVERS; i++) {
    if (!(cover >> i & 1)) continue;
    SDL_FPoint at = flow_place(f, entry_width(p, covers[i].text), SPACE * p->unit);
    float middle = at.y + SWATCH * p->unit / 2;
    SDL_FPoint from = {at.x, middle}, to = {at.x + SWATCH * p->unit, middle};
    if (f->paint) painter_line(p, from, to, 4.5f, 0x0b0e12ff);
    if (f->paint) painter_line(p, from, to, 2.5f, covers[i].rgb << 8 | 0xff);
    if (f->paint) entry_text(p, at, covers[i].text);
  }
}

static void note_any(void *user, lw_vec3 a, lw_vec3 b, float width, uint32_t color) {
  (void)a, (void)b, (void)width, (void)color;
  *(bool *)user = true;
}

/// Of the selected agent, where there is one.
static void flow_cover_map(chart *c, painter *p, flow *f) {
  bool any = false;
  const lw_debug_draw look = {.user = &any, .line = note_any};
  if (c->world && c->layers & LW_DRAW_COVER_MAP)
    lw_world_debug_draw(c->world, LW_DRAW_COVER_MAP, c->selected, &look);
  if (!any) return;
  SDL_FPoint at = flow_place(f, entry_width(p, "cover map"), SPACE * p->unit);
  float middle = at.y + SWATCH * p->unit / 2;
  SDL_FPoint from = {at.x, middle}, to = {at.x + SWATCH * p->unit, middle};
  if (f->paint) painter_line(p, from, to, 5, 0x0b0e12ff);
  if (f->paint) painter_line(p, from, to, 3, (uint32_t)LW_COLOR_COVER_MAP << 8 | 0xff);
  if (f->paint) entry_text(p, at, "cover map");
}

/* --- dangers, obstacles, permutations ---------------------------------------------------------------------- */

static void flow_dangers(chart *c, painter *p, flow *f) {
  if (!(c->layers & LW_DRAW_DANGERS) || !c->world || lw_danger_count(c->world) == 0) return;
  SDL_FPoint at = flow_place(f, entry_width(p, "danger"), SPACE * p->unit);
  if (f->paint) mark_danger(p, at);
  if (f->paint) entry_text(p, at, "danger");
}

/// As lw_world_debug_draw() draws them: a dashed outline is not cut out.
static void mark_obstacle(painter *p, SDL_FPoint at, uint32_t rgb, bool is_cut) {
  float side = SWATCH * p->unit, part = is_cut ? 1 : 0.3f;
  const SDL_FPoint corners[] = {at, {at.x + side, at.y}, {at.x + side, at.y + side}, {at.x, at.y + side}, at};
  painter_rect(p, at.x, at.y, side, side, 0x85878aff);
  painter_rect(p, at.x, at.y, side, side, rgb << 8 | (is_cut ? 0x70 : 0x38));
  for (int i = 0; i < 4; i++) painter_line(p, corners[i], corners[i + 1], 4, 0x0b0e12ff);
  for (int i = 0; i < 4; i++) {
    SDL_FPoint from = corners[i], to = corners[i + 1], along = {(to.x - from.x) * part, (to.y - from.y) * part};
    painter_line(p, from, (SDL_FPoint){from.x + along.x, from.y + along.y}, 2, rgb << 8 | 0xff);
    painter_line(p, (SDL_FPoint){to.x - along.x, to.y - along.y}, to, 2, rgb << 8 | 0xff);
  }
}

static void flow_obstacle(painter *p, flow *f, const char *text, uint32_t rgb, bool is_cut) {
  SDL_FPoint at = flow_place(f, entry_width(p, text), SPACE * p->unit);
  if (f->paint) mark_obstacle(p, at, rgb, is_cut);
  if (f->paint) entry_text(p, at, text);
}

/// The kinds that there are.
static void flow_obstacles(chart *c, painter *p, flow *f) {
  if (!c->world || !(c->layers & LW_DRAW_OBSTACLES)) return;
  obstacle_counts there;
  chart_count_obstacles(c, &there);
  if (there.plain_cut > 0) flow_obstacle(p, f, "obstacle", LW_COLOR_OBSTACLE_CUT, true);
  if (there.plain > there.plain_cut) flow_obstacle(p, f, "obstacle, not cut", LW_COLOR_OBSTACLE_UNCUT, false);
  if (there.priced > 0)
    flow_obstacle(p, f, "obstacle with a cost", lw_cost_term_color(LW_TERM_OBSTACLES), there.priced_cut > 0);
  for (int i = 1; there.all > 0 && i <= LW_AREA_MAX; i++) {
    const lw_area_def *def = lw_area_table_get(lw_navmesh_area_table(c->navmesh), (lw_area_id)i);
    char text[80];
    if (there.areas[i] == 0 || !def) continue;
    snprintf(text, sizeof text, "obstacle: %.64s", def->name);
    flow_obstacle(p, f, text, def->color & 0xffffff, there.areas_cut[i] > 0);
  }
}

#define STATES_MAX 12 ///< Permutations that are shown.

/// The state of each permutation that has taken effect. Without a colour: nothing is drawn in one.
static void flow_permutations(chart *c, painter *p, flow *f) {
  const int count = c->world ? lw_permutation_count(c->world) : 0;
  for (int i = 0; i < count && i <= STATES_MAX; i++) {
    const char *name = lw_permutation_name(c->world, i);
    char text[2 * LW_PERMUTATION_NAME_MAX + 3] = "...";
    if (i < STATES_MAX && !lw_permutation_is_applied(c->world, name)) continue;
    if (i < STATES_MAX) snprintf(text, sizeof text, "%s: %s", name, lw_permutation_state(c->world, name));
    SDL_FPoint at = flow_place(f, painter_text_width(p, TEXT_NORMAL, text), SPACE * p->unit);
    if (f->paint) painter_text(p, TEXT_NORMAL, (SDL_FPoint){at.x, at.y - p->unit}, text, CHART_TEXT, false);
  }
}

static void flow_agent(painter *p, flow *f, const char *name, uint32_t rgb) {
  SDL_FPoint at = flow_place(f, entry_width(p, name), SPACE * p->unit);
  if (f->paint) mark_agent(p, at, rgb);
  if (f->paint) entry_text(p, at, name);
}

#define COLORS_MAX 24 ///< Of agents, that are shown.

/// Each colour of agents once, with the first such agent's profile; one entry for all agents without a colour.
static void flow_agents(chart *c, painter *p, flow *f) {
  uint32_t shown[COLORS_MAX];
  int count = 0;
  lw_agent_id id = lw_agent_id_none();
  while (!lw_agent_id_is_none(id = lw_agent_next(c->world, id))) {
    lw_agent_state state;
    if (lw_agent_get_state(c->world, id, &state) != LW_OK) continue;
    bool is_new = true;
    for (int i = 0; i < count; i++) is_new = is_new && shown[i] != state.color;
    if (!is_new) continue;
    if (count == COLORS_MAX) {
      SDL_FPoint at = flow_place(f, painter_text_width(p, TEXT_NORMAL, "..."), SPACE * p->unit);
      if (f->paint) painter_text(p, TEXT_NORMAL, (SDL_FPoint){at.x, at.y - p->unit}, "...", CHART_TEXT, false);
      return;
    }
    shown[count++] = state.color;
    if (state.color)
      flow_agent(p, f, lw_profile_get_def(state.profile)->name, state.color);
    else
      flow_agent(p, f, "agent", 0xffd447);
  }
}

static void note_whisker(void *user, lw_vec3 a, lw_vec3 b, float width, uint32_t color) {
  (void)a, (void)b, (void)width;
  const uint32_t rgb = color >> 8;
  if (rgb == LW_COLOR_WHISKER_FREE || rgb == LW_COLOR_WHISKER_WALL || rgb == LW_COLOR_WHISKER_HIT)
    *(bool *)user = true;
}

/// Whiskers, where any are drawn. What they end at changes from step to step, so that all colours are shown.
static void flow_whiskers(chart *c, painter *p, flow *f) {
  static const struct {
    const char *text;
    uint32_t rgb;
  } ends[] = {{"whisker", LW_COLOR_WHISKER_FREE},
              {"at a wall", LW_COLOR_WHISKER_WALL},
              {"at what is evaded", LW_COLOR_WHISKER_HIT}};
  bool any = false;
  const lw_debug_draw look = {.user = &any, .line = note_whisker};
  if (c->layers & LW_DRAW_WHISKERS && c->layers & LW_DRAW_AGENTS)
    lw_world_debug_draw(c->world, LW_DRAW_AGENTS | LW_DRAW_WHISKERS, c->selected, &look);
  for (int i = 0; any && i < 3; i++) {
    SDL_FPoint at = flow_place(f, entry_width(p, ends[i].text), SPACE * p->unit);
    float middle = at.y + SWATCH * p->unit / 2;
    SDL_FPoint from = {at.x, middle}, to = {at.x + SWATCH * p->unit, middle};
    if (f->paint) painter_line(p, from, to, 3, 0x0b0e12ff);
    if (f->paint) painter_line(p, from, to, 1.5f, ends[i].rgb << 8 | 0xff);
    if (f->paint) entry_text(p, at, ends[i].text);
  }
}

static void flow_marks(chart *c, painter *p, flow *f) {
  if (!c->world || !lw_world_agent_count(c->world)) return;
  if (c->layers & (LW_DRAW_AGENTS | LW_DRAW_PATHS)) flow_agents(c, p, f); /* paths are drawn in their colours */
  if (c->layers & LW_DRAW_PATHS) {
    SDL_FPoint at = flow_place(f, entry_width(p, "goal"), SPACE * p->unit);
    if (f->paint) mark_goal(p, at);
    if (f->paint) entry_text(p, at, "goal");
  }
  flow_whiskers(c, p, f);
}

static void mark_threat(painter *p, SDL_FPoint at) {
  SDL_FPoint middle = {at.x + SWATCH * p->unit / 2, at.y + SWATCH * p->unit / 2};
  painter_disc(p, middle, 7 * p->unit, 0x0b0e12ff);
  painter_disc(p, middle, 5.6f * p->unit, 0xffffffff);
  painter_disc(p, middle, 4.3f * p->unit, 0xff3b30ff);
  painter_disc(p, middle, 1.8f * p->unit, 0x0b0e12ff);
}

static void flow_threats(chart *c, painter *p, flow *f) {
  static const struct {
    const char *text;
    uint32_t rgb;
  } seen[] = {{"seen standing", LW_COLOR_SEEN_STANDING}, {"seen crouching", LW_COLOR_SEEN_CROUCHING}};
  if (!c->world || !lw_threat_count(c->world)) return;
  for (int i = 0; (c->layers & LW_DRAW_EXPOSURE) && i < 2; i++) {
    SDL_FPoint at = flow_place(f, entry_width(p, seen[i].text), SPACE * p->unit);
    if (f->paint) swatch(p, at, seen[i].rgb);
    if (f->paint) entry_text(p, at, seen[i].text);
  }
  if (!(c->layers & LW_DRAW_THREATS)) return;
  SDL_FPoint at = flow_place(f, entry_width(p, "threat"), SPACE * p->unit);
  if (f->paint) mark_threat(p, at);
  if (f->paint) entry_text(p, at, "threat");
}

static void flow_why(chart *c, painter *p, flow *f) {
  const lw_explanation *why = (c->layers & LW_DRAW_PATHS) ? chart_why(c) : NULL;
  for (int i = LW_TERM_LENGTH + 1; why && i < LW_COST_TERM_COUNT; i++) {
    float price = lw_explanation_total(why)->terms[i];
    char text[64];
    if (price < 0.05f) continue;
    snprintf(text, sizeof text, "%s %.1f", lw_cost_term_name((lw_cost_term)i), (double)price);
    SDL_FPoint at = flow_place(f, entry_width(p, text), SPACE * p->unit);
    if (f->paint) swatch(p, at, lw_cost_term_color((lw_cost_term)i));
    if (f->paint) entry_text(p, at, text);
  }
}

float chart_paint_why(chart *c, painter *p, SDL_FPoint at, float width, bool paint) {
  flow f = {.x = at.x, .y = at.y, .left = at.x, .right = at.x + width, .row = 24 * p->unit, .paint = paint};
  flow_why(c, p, &f);
  return f.x > f.left || f.y > at.y ? f.y + f.row - at.y : 0;
}

/// @return Height of all rows.
static float flow_legend(chart *c, painter *p, float x, float y, float width, bool paint) {
  float left = x + MARGIN * p->unit, right = x + width - (SCALE_WIDTH + 2 * MARGIN) * p->unit;
  flow f = {.x = left, .y = y, .left = left, .right = right, .row = 24 * p->unit, .paint = paint};
  flow_areas(c, p, &f);
  flow_links(c, p, &f);
  flow_dangers(c, p, &f);
  flow_cover(c, p, &f);
  flow_cover_map(c, p, &f);
  flow_threats(c, p, &f);
  flow_marks(c, p, &f);
  flow_permutations(c, p, &f);
  flow_obstacles(c, p, &f); /* last, since they change from step to step */
  if (c->why_in_legend) flow_why(c, p, &f);
  return f.y + f.row - y;
}

float chart_footer_height(chart *c, painter *p, float width) {
  return fmaxf(flow_legend(c, p, 0, 0, width, false), 24 * p->unit) + 26 * p->unit;
}

/// @return The longest of 1, 2, 5, 10, ... metres that fits `width` real pixels.
static double round_length(double scale, float width) {
  double length = pow(10, floor(log10((double)width / scale)));
  if (5 * length * scale <= (double)width) return 5 * length;
  return 2 * length * scale <= (double)width ? 2 * length : length;
}

static void paint_scale(const canvas *view, float right, float middle) {
  painter *p = view->painter;
  double length = round_length(view->scale, 110 * p->unit);
  float width = (float)(length * view->scale), x = right - width, tick = 5 * p->unit, y = middle + 6 * p->unit;
  painter_line(p, (SDL_FPoint){x, y}, (SDL_FPoint){right, y}, 2, CHART_TEXT);
  painter_line(p, (SDL_FPoint){x, y - tick}, (SDL_FPoint){x, y + tick}, 2, CHART_TEXT);
  painter_line(p, (SDL_FPoint){right, y - tick}, (SDL_FPoint){right, y + tick}, 2, CHART_TEXT);
  char text[32];
  snprintf(text, sizeof text, "%g m", length);
  float text_width = painter_text_width(p, TEXT_NORMAL, text);
  painter_text(p, TEXT_NORMAL, (SDL_FPoint){x + (width - text_width) / 2, y - 21 * p->unit}, text, CHART_TEXT,
               false);
}

static void paint_axis(painter *p, SDL_FPoint origin, float dx, float dy, const char *name) {
  SDL_FPoint tip = {origin.x + dx, origin.y + dy};
  painter_line(p, origin, tip, 1.6f, CHART_DIM);
  float x = tip.x + (dx != 0 ? (dx > 0 ? 4 : -11) * p->unit : -3.5f * p->unit);
  float y = tip.y + (dy != 0 ? -2 * p->unit : -8.5f * p->unit);
  painter_text(p, TEXT_SMALL, (SDL_FPoint){x, y}, name, CHART_DIM, false);
}

/// The directions of +x and +z.
static void paint_axes(const canvas *view, float x, float middle) {
  painter *p = view->painter;
  float arm = 17 * p->unit;
  SDL_FPoint origin = {x + (view->turned ? 2 : 0) * arm / 2, middle - 9 * p->unit};
  paint_axis(p, origin, view->turned ? -arm : arm, 0, view->turned ? "z" : "x");
  paint_axis(p, origin, 0, arm, view->turned ? "x" : "z");
}

void chart_paint_footer(chart *c, canvas *view, SDL_FRect strip) {
  painter *p = view->painter;
  flow_legend(c, p, strip.x, strip.y + 14 * p->unit, strip.w, true);
  float right = strip.x + strip.w - MARGIN * p->unit, middle = strip.y + strip.h / 2;
  paint_scale(view, right, middle);
  paint_axes(view, right - (SCALE_WIDTH - 14) * p->unit, middle);
  painter_flush(p);
}
