/// Dangers as heat: discs over one another, hotter towards the middle, and the line that one is charged for crossing.
#include "world/debug_draw_dangers.h"
#include "core/vec3.h"
#include "search/rings.h"

#define LAYERS 6
#define ALPHA 0x2au ///< Of one layer, at full heat.
#define SIDES 48
#define LANE_COLOR 0xff7a2ee0u
#define TWO_PI 6.28318531f

/// From yellow to red. @param heat  [0..1]
static uint32_t heat_color(float heat, uint32_t alpha) {
  uint32_t green = (uint32_t)(200 * (1 - heat)) + 30;
  return 0xffu << 24 | green << 16 | 0x1eu << 8 | alpha;
}

static void draw_rim(const lw_danger_state *state, uint32_t color, const lw_debug_draw *draw) {
  lw_vec3 from = lwi_add(state->def.at, lwi_vec3(state->def.radius, 0, 0));
  for (int i = 1; draw->line && i <= SIDES; i++) {
    float angle = TWO_PI * (float)i / SIDES;
    lw_vec3 to =
        lwi_add(state->def.at, lwi_vec3(state->def.radius * cosf(angle), 0, state->def.radius * sinf(angle)));
    draw->line(draw->user, from, to, 1.6f, color);
    from = to;
  }
}

static void draw_danger(const lw_danger_state *state, const lw_debug_draw *draw) {
  float heat = 1 - expf(-state->value); /* half at 0.7, nine tenths at 2.3 */
  uint32_t alpha = (uint32_t)(0x0a + (float)(ALPHA - 0x0a) * heat);
  for (int i = LAYERS; draw->disc && i > 0; i--)
    draw->disc(draw->user, state->def.at, state->def.radius * (float)i / LAYERS, heat_color(heat, alpha));
  draw_rim(state, heat_color(heat, 0xd0), draw);
}

/// Its outline on the height of its ends, and the way of the shots.
static void draw_lane(const lw_fire_lane_def *def, const lw_debug_draw *draw) {
  const lwi_lane lane = {def->from, def->to, def->radius, def->weight};
  const lwi_outline outline = lwi_lane_outline(&lane);
  for (int i = 0; i < outline.count; i++) {
    lw_vec3 from = outline.corners[i], to = outline.corners[i + 1 < outline.count ? i + 1 : 0];
    draw->line(draw->user, from, to, 1.4f, LANE_COLOR);
  }
  for (int i = 0; i < SIDES; i += 2)
    draw->line(draw->user, lwi_lerp(def->from, def->to, (float)i / SIDES),
               lwi_lerp(def->from, def->to, (float)(i + 1) / SIDES), 2.2f, LANE_COLOR);
}

static void draw_lanes(const lw_world *world, const lw_debug_draw *draw) {
  for (lw_fire_lane_id id = lw_fire_lane_next(world, 0); id; id = lw_fire_lane_next(world, id)) {
    lw_fire_lane_state state;
    if (lw_fire_lane_get_state(world, id, &state) == LW_OK) draw_lane(&state.def, draw);
  }
}

void lwi_debug_draw_dangers(const lw_world *world, const lw_debug_draw *draw) {
  for (lw_danger_id id = lw_danger_next(world, 0); id; id = lw_danger_next(world, id)) {
    lw_danger_state state;
    if (lw_danger_get_state(world, id, &state) == LW_OK) draw_danger(&state, draw);
  }
  if (draw->line) draw_lanes(world, draw);
}
