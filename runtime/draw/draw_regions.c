/* Debug drawing of regions: rooms in colours of their own, doors, names. */
#include "draw/draw_mesh.h"

#include "core/text.h"
#include "core/vec3.h"
#include "query/regions.h"

#include <stdio.h>

#define ALPHA 0x78u
#define CASING 0x0c1116ffu
#define DOOR ((uint32_t)LW_COLOR_DOOR << 8 | 0xff)
#define WHITE 0xffffffffu

uint32_t lw_room_color(int room) {
  /* Hues that are a golden section apart: rooms with near numbers differ. */
  const float hue = 6 * fmodf(0.61803399f * (float)room + 0.1f, 1);
  const float low = 80, high = 235, x = (high - low) * (1 - fabsf(fmodf(hue, 2) - 1)) + low;
  const float parts[6][3] = {{high, x, low}, {x, high, low}, {low, high, x},
                             {low, x, high}, {x, low, high}, {high, low, x}};
  const float *rgb = parts[hue < 6 ? (int)hue : 5];
  return (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | (uint32_t)rgb[2];
}

static void fill_rooms(const lwi_nav *nav, const lw_debug_draw *draw) {
  for (uint32_t p = 0; p < nav->mesh->polygons.count; p++) {
    if (!lwi_is_there(nav->mesh, p)) continue;
    const uint32_t room = lwi_nav_room_of(nav, p);
    if (room == LWI_NONE) continue;
    const lwi_polygon outline = lwi_polygon_get(nav->mesh, p);
    for (uint32_t i = 2; i < outline.count; i++)
      draw->triangle(draw->user, lwi_corner(&outline, 0), lwi_corner(&outline, i - 1), lwi_corner(&outline, i),
                     lw_room_color((int)room) << 8 | ALPHA);
  }
}

static void draw_doors(const lw_regions *regions, const lw_debug_draw *draw) {
  lw_room_door door;
  lw_door_portal portal;
  for (int d = 0; lw_regions_get_door(regions, d, &door) == LW_OK; d++)
    for (int i = 0; lw_regions_get_door_portal(regions, d, i, &portal) == LW_OK; i++) {
      draw->line(draw->user, portal.left, portal.right, 4, CASING);
      draw->line(draw->user, portal.left, portal.right, 2, DOOR);
    }
}

static void draw_names(const lw_regions *regions, const lw_debug_draw *draw) {
  lw_room room;
  for (int i = 0; lw_regions_get_room(regions, i, &room) == LW_OK; i++) {
    char text[2 * LW_REGION_NAME_SIZE];
    if (*room.name)
      lwi_text_show(text, sizeof text, room.name);
    else
      snprintf(text, sizeof text, "%d", i + 1); /* as scripts count */
    draw->text(draw->user, room.middle, text, WHITE);
  }
}

void lwi_debug_draw_regions(const lw_world *world, const lw_debug_draw *draw) {
  const lwi_scene *scene = lwi_scene_of(world);
  for (int i = 0; i < scene->nav_count; i++) {
    const lwi_nav *nav = &scene->navs[i];
    if (!nav->regions) continue;
    if (draw->triangle) fill_rooms(nav, draw);
    if (draw->line) draw_doors(nav->regions, draw);
    if (draw->text) draw_names(nav->regions, draw);
  }
}
