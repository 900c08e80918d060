/// Cover as lines along the walls, with a tooth on the side where one stands.
#include "cover/segments.h"
#include "leeward/profile.h"
#include "world/debug_draw_cover.h"

#define HIGH ((uint32_t)LW_COLOR_COVER_HIGH << 8 | 0xff) ///< Hides one who stands.
#define LOW ((uint32_t)LW_COLOR_COVER_LOW << 8 | 0xff)   ///< Hides one who crouches.
#define SOFT ((uint32_t)LW_COLOR_COVER_SOFT << 8 | 0xff)
#define OTHER 0x9aa0a6ffu ///< Hides nobody of the usual size.
#define CASING 0x0c1116c0u
#define TOOTH 0.22f ///< [m]
#define EACH 0.8f   ///< Between teeth. [m]

static uint32_t color_of(const lwi_cover_segment *segment) {
  if (segment->kind == LW_COVER_SOFT) return SOFT;
  if (lwi_segment_hides(segment, lw_profile_get_stance(NULL, LW_STAND)->body)) return HIGH;
  return lwi_segment_hides(segment, lw_profile_get_stance(NULL, LW_CROUCH)->body) ? LOW : OTHER;
}

static void draw_segment(const lwi_cover_segment *segment, const lw_debug_draw *draw) {
  lw_vec3 normal = lwi_scale(lwi_segment_normal(segment), TOOTH);
  uint32_t color = color_of(segment);
  int teeth = (int)(lwi_distance_xz(segment->a, segment->b) / EACH) + 1;
  draw->line(draw->user, segment->a, segment->b, 4.5f, CASING);
  draw->line(draw->user, segment->a, segment->b, 2.5f, color);
  for (int i = 0; i < teeth; i++) {
    lw_vec3 foot = lwi_lerp(segment->a, segment->b, ((float)i + 0.5f) / (float)teeth);
    draw->line(draw->user, foot, lwi_add(foot, normal), 1.5f, color);
  }
}

void lwi_debug_draw_cover(const lw_navmesh *navmesh, const lw_debug_draw *draw) {
  for (uint32_t i = 0; i < navmesh->cover.segment_count; i++) draw_segment(&navmesh->cover.segments[i], draw);
}
