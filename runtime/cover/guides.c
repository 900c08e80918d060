#include "cover/guides.h"

#include "core/vec3.h"

void lwi_guides_init(lwi_guides *guides, int limit, const lwi_occluders *const *sets, int count,
                     lwi_memory *memory) {
  *guides = (lwi_guides){.memory = memory, .scene = {.sets = sets, .count = count}};
  guides->limit = limit < LWI_GUIDES_MAX ? limit : LWI_GUIDES_MAX;
}

void lwi_guides_free(lwi_guides *guides) {
  if (!guides->memory) return;
  for (int i = 0; i < guides->count; i++) lwi_free(guides->memory, guides->maps[i], sizeof *guides->maps[i]);
  lwi_free(guides->memory, guides->scene.room, lwi_depth_room_size());
  guides->scene.room = NULL;
  guides->count = 0;
}

void lwi_guides_begin(lwi_guides *guides) {
  guides->since = guides->asks;
}

static int find_oldest(const lwi_guides *guides) {
  int oldest = 0;
  for (int i = 1; i < guides->count; i++)
    if (guides->asked[i] < guides->asked[oldest]) oldest = i;
  return oldest;
}

/* One more, or the one that was not asked for longest. @return -1: no memory, or all are in use. */
static int make_room(lwi_guides *guides) {
  const int oldest = find_oldest(guides);
  if (!guides->scene.room) guides->scene.room = lwi_alloc(guides->memory, lwi_depth_room_size());
  if (!guides->scene.room) return -1;
  if (guides->count >= guides->limit && guides->asked[oldest] <= guides->since) return oldest;
  if (guides->count == LWI_GUIDES_MAX) return -1;
  guides->maps[guides->count] = lwi_alloc(guides->memory, sizeof *guides->maps[0]);
  return guides->maps[guides->count] ? guides->count++ : -1;
}

lwi_depth_map *lwi_guides_get(lwi_guides *guides, lw_vec3 eye) {
  int found = -1;
  if (guides->limit == 0) return NULL;
  for (int i = 0; i < guides->count && found < 0; i++)
    if (lwi_equal(guides->maps[i]->eye, eye)) found = i;
  if (found < 0) {
    found = make_room(guides);
    if (found < 0) return NULL;
    lwi_depth_map_begin(guides->maps[found], eye, true);
  }
  guides->asked[found] = ++guides->asks;
  if (guides->asks - guides->since > (uint64_t)guides->limit) guides->rested = 0;
  return guides->maps[found];
}

void lwi_guides_settle(lwi_guides *guides) {
  if (guides->count <= guides->limit || ++guides->rested < LWI_GUIDES_REST) return;
  while (guides->count > guides->limit) {
    const int oldest = find_oldest(guides), last = --guides->count;
    lwi_free(guides->memory, guides->maps[oldest], sizeof *guides->maps[oldest]);
    guides->maps[oldest] = guides->maps[last];
    guides->asked[oldest] = guides->asked[last];
  }
}
