/* The areas in a world's file, by name, so that what is on them is found in any table. */
#include "save/saved.h"

static const lw_area_table *table_of(const lw_world *world) {
  return world->scene.meshes[0]->areas;
}

void lwi_saved_put_areas(lwi_bytes *to, const lw_world *world) {
  int count = lw_area_table_count(table_of(world));
  lwi_put_u32(to, (uint32_t)count);
  for (int id = 1; id <= count; id++)
    lwi_put_text(to, lw_area_table_get(table_of(world), (lw_area_id)id)->name);
}

const char *lwi_saved_read_areas(lw_saved *saved, lwi_reader *from) {
  uint32_t count = lwi_get_u32(from);
  if (count > LW_AREA_MAX) return "there are too many";
  for (uint32_t id = 1; id <= count && !from->failed; id++) {
    char name[256];
    lwi_get_text(from, name);
    if (!name[0] || strlen(name) >= sizeof saved->areas[0]) return "a name is empty or too long";
    memcpy(saved->areas[id], name, strlen(name) + 1);
  }
  saved->area_count = (int)count;
  return NULL;
}
