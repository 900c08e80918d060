/* Debug drawing of obstacles: their outlines where they are now, solid while they are cut out and dashed while not. */
#include "draw/draw_mesh.h"

#include "core/vec3.h"
#include "leeward/debug_draw.h"

#define CASING 0x0b0e12e0u ///< Around the outline, so that it shows on any ground.
#define FILL_CUT 0x70u     ///< Alpha.
#define FILL_UNCUT 0x38u   ///< Alpha.
#define DASH 0.4f          ///< Length of dashes and gaps, but at least 5 pixels. [m]
#define PIXELS 4           ///< No outline is smaller than this from its middle to the farthest corner.

typedef struct outline_style {
  uint32_t rgb;
  bool is_cut;
} outline_style;

static outline_style style_of(const lw_world *world, const lw_obstacle_state *state) {
  if (state->def.blocks || (state->def.area == LW_AREA_NONE && state->def.cost == 0))
    return (outline_style){state->is_cut ? LW_COLOR_OBSTACLE_CUT : LW_COLOR_OBSTACLE_UNCUT, state->is_cut};
  const lw_area_table *areas = lw_navmesh_area_table(lw_world_navmesh(world));
  const lw_area_def *area = lw_area_table_get(areas, state->def.area);
  return (outline_style){area ? area->color & 0xffffffu : lw_cost_term_color(LW_TERM_OBSTACLES), state->is_cut};
}

/* Scale an outline up about its middle until it is large enough to be seen. */
static void enlarge(lw_vec3 *corners, int count, float pixel) {
  lw_vec3 middle = {0, 0, 0};
  for (int i = 0; i < count; i++) middle = lwi_add(middle, lwi_scale(corners[i], 1 / (float)count));
  float reach = 0;
  for (int i = 0; i < count; i++) reach = fmaxf(reach, lwi_distance_xz(middle, corners[i]));
  if (!(reach > 0) || reach >= PIXELS * pixel) return;
  for (int i = 0; i < count; i++) corners[i] = lwi_lerp(middle, corners[i], PIXELS * pixel / reach);
}

/* A side, with a dash at each end if it is dashed. */
static void draw_side(lw_vec3 from, lw_vec3 to, outline_style style, const lw_debug_draw *draw) {
  const float dash = fmaxf(DASH, 5 * draw->pixel);
  const int pieces = style.is_cut ? 1 : (int)(lwi_distance(from, to) / dash) / 2 * 2 + 1;
  for (int i = 0; i < pieces; i += 2)
    draw->line(draw->user, lwi_lerp(from, to, (float)i / (float)pieces),
               lwi_lerp(from, to, (float)(i + 1) / (float)pieces), 2, style.rgb << 8 | 0xff);
}

static void draw_obstacle(const lw_vec3 *corners, int count, outline_style style, const lw_debug_draw *draw) {
  const uint32_t fill = style.rgb << 8 | (style.is_cut ? FILL_CUT : FILL_UNCUT);
  for (int i = 2; draw->triangle && i < count; i++)
    draw->triangle(draw->user, corners[0], corners[i - 1], corners[i], fill);
  for (int i = 0; draw->line && i < count; i++)
    draw->line(draw->user, corners[i], corners[(i + 1) % count], 4, CASING);
  for (int i = 0; draw->line && i < count; i++) draw_side(corners[i], corners[(i + 1) % count], style, draw);
}

void lwi_debug_draw_obstacles(const lw_world *world, const lw_debug_draw *draw) {
  lw_obstacle_id id = lw_obstacle_id_none();
  while (!lw_obstacle_id_is_none(id = lw_obstacle_next(world, id))) {
    lw_obstacle_state state;
    lw_vec3 corners[LW_OBSTACLE_POINTS_MAX];
    const int count = lw_obstacle_outline(world, id, corners, NULL);
    if (count == 0 || lw_obstacle_get_state(world, id, &state) != LW_OK) continue;
    enlarge(corners, count, draw->pixel);
    draw_obstacle(corners, count, style_of(world, &state), draw);
  }
}
