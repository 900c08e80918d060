/* A live navmesh in the place of another one, whose ids then count no longer where tiles differ. */
#include "mesh/live_parts.h"
#include "mesh/tile_map.h"

#include <string.h>

static uint32_t next_generation(uint32_t generation) {
  return generation % 32767 + 1; /* 15 bits, so that ids are positive in Lua */
}

/* Beyond those of all pieces that there ever were. */
static uint16_t generation_after(const lwi_live *live) {
  uint16_t last = live->mesh.live.first_generation;
  const uint32_t base = live->base->polygons.count;
  for (uint32_t i = base; live->pieces && i < live->counts[LWI_LIVE_POLYGON]; i++)
    if (live->mesh.live.generations[i] > last) last = live->mesh.live.generations[i];
  return (uint16_t)next_generation(last);
}

bool lwi_live_follow(lwi_live *live, const lwi_live *before, const lwi_tile_map *map) {
  const uint32_t count = live->base->tiles.count;
  uint32_t *generations = lwi_alloc(live->memory, count * sizeof *generations);
  if (!generations && count > 0) return false;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t own = live->base->tiles.generations[i];
    const uint32_t old = i < before->base->tiles.count ? before->mesh.tiles.generations[i] : 0;
    const bool stays = map->from[i] == i;
    generations[i] = stays ? old : own == old ? next_generation(own) : own;
  }
  live->mesh.live.tile_generations = generations;
  live->mesh.tiles.generations = generations;
  live->mesh.live.first_generation = generation_after(before);
  live->mesh.live.version = before->mesh.live.version + 1;
  lwi_live_journal_forget(&live->islands.journal, live->mesh.live.version);
  return true;
}

void lwi_live_exchange(lwi_live *a, lwi_live *b) {
  unsigned char rest[sizeof *a];
  memcpy(rest, a, sizeof rest);
  memcpy(a, b, sizeof rest);
  memcpy(b, rest, sizeof rest);
  a->mesh.live.journal = &a->islands.journal;
  a->mesh.live.lowered = a->marks.lowered;
  b->mesh.live.journal = &b->islands.journal;
  b->mesh.live.lowered = b->marks.lowered;
}
