/* Debug drawing of whiskers: rays ahead of agents, bright where they end at something. */
#include "core/vec3.h"
#include "draw/draw_mesh.h"
#include "leeward/debug_draw.h"

#define CASING 0x0b0e12a0u

static void draw_whisker(const lw_whisker *whisker, lw_vec3 shift, const lw_debug_draw *draw) {
  const lw_vec3 from = lwi_add(whisker->from, shift), to = lwi_add(whisker->to, shift);
  const bool is_free = whisker->hit == LW_WHISKER_FREE, is_wall = whisker->hit == LW_WHISKER_WALL;
  const uint32_t rgb = is_free ? LW_COLOR_WHISKER_FREE : is_wall ? LW_COLOR_WHISKER_WALL : LW_COLOR_WHISKER_HIT;
  draw->line(draw->user, from, to, 3, CASING);
  draw->line(draw->user, from, to, 1.5f, rgb << 8 | 0xe0);
  if (draw->disc && !is_free && !is_wall) draw->disc(draw->user, to, 0.12f, rgb << 8 | 0xff);
}

void lwi_debug_draw_whiskers(const lw_world *world, lw_agent_id agent, lw_vec3 position,
                             const lw_debug_draw *draw) {
  lw_whisker whiskers[LW_WHISKERS_MAX];
  const int count = draw->line ? lw_agent_whiskers(world, agent, whiskers) : 0;
  for (int i = 0; i < count; i++) draw_whisker(&whiskers[i], lwi_sub(position, whiskers[i].from), draw);
}
