/* Debug drawing of what the cover map lists at an agent: a line along each occluder and one to its nearest point. */
#include "draw/draw_mesh.h"

#include "core/vec3.h"
#include "leeward/cover.h"

#include <stdio.h>

#define CASING 0x0c1116c0u
#define COLOR ((uint32_t)LW_COLOR_COVER_MAP << 8 | 0xff)
#define RAY_COLOR ((uint32_t)LW_COLOR_COVER_MAP << 8 | 0x60)
#define SEGMENTS_MAX 256
#define LABELS 8 /* the nearest segments that say how high they are */

static lw_vec3 nearest_of(const lw_cover_map_segment *segment, lw_vec3 from) {
  const float x = cosf(segment->bearing) * segment->distance, z = -sinf(segment->bearing) * segment->distance;
  return lwi_add(from, lwi_vec3(x, 0, z));
}

static void draw_label(const lw_cover_map_segment *segment, lw_vec3 at, const lw_debug_draw *draw) {
  char text[32];
  snprintf(text, sizeof text, "%.1f m", (double)segment->height);
  draw->text(draw->user, at, text, COLOR);
}

static void draw_segment(const lw_cover_map_segment *segment, lw_vec3 from, const lw_debug_draw *draw) {
  draw->line(draw->user, from, nearest_of(segment, from), 1, RAY_COLOR);
  draw->line(draw->user, segment->a, segment->b, 5, CASING);
  draw->line(draw->user, segment->a, segment->b, 3, COLOR);
}

void lwi_debug_draw_cover_map(const lw_world *world, lw_agent_id agent, const lw_debug_draw *draw) {
  lw_cover_map_segment segments[SEGMENTS_MAX];
  lw_agent_state state;
  int count = 0;
  if (lw_agent_get_state(world, agent, &state) != LW_OK) return;
  for (int i = 0; i < lw_world_navmesh_count(world) && count == 0; i++)
    lw_navmesh_cover_map(lw_world_navmesh_at(world, i), state.position, segments, SEGMENTS_MAX, &count);
  for (int i = 0; i < count && i < SEGMENTS_MAX; i++) {
    if (draw->line) draw_segment(&segments[i], state.position, draw);
    if (draw->text && i < LABELS) draw_label(&segments[i], nearest_of(&segments[i], state.position), draw);
  }
}
