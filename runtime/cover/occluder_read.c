#include "cover/occluder.h"

#include "core/vec3.h"
#include "cover/leaf.h"

#include <string.h>

static float coordinate(const lwi_occluders *of, int32_t origin, uint16_t number) {
  return (float)((double)(origin + (int32_t)number) * (double)of->quantum);
}

bool lwi_occluders_next(const lwi_occluders *occluders, lwi_occluder_cursor *cursor,
                        lwi_occluder_facet *facet) {
  while (cursor->leaf < occluders->leaf_count &&
         cursor->facet == occluders->numbers[occluders->leaves[cursor->leaf].first]) {
    cursor->leaf += 1;
    cursor->facet = cursor->at = 0;
  }
  if (cursor->leaf == occluders->leaf_count) return false;
  const lwi_occluder_leaf *leaf = &occluders->leaves[cursor->leaf];
  const uint16_t *at = occluders->numbers + leaf->first + 1 + cursor->at;
  const uint32_t count = at[0] & 0xff;
  facet->count = (uint8_t)count;
  facet->kind = (uint8_t)(at[0] >> 8);
  for (uint32_t i = 0; i < count; i++)
    facet->corners[i] = lwi_vec3(coordinate(occluders, leaf->origin[0], at[1 + i]),
                                 coordinate(occluders, leaf->origin[1], at[1 + count + i]),
                                 coordinate(occluders, leaf->origin[2], at[1 + 2 * count + i]));
  cursor->at += 1 + 3 * count;
  cursor->facet += 1;
  return true;
}

/* @return The numbers of a leaf. */
static uint32_t size_of(const lwi_occluders *of, const lwi_occluder_leaf *leaf, uint32_t *facets) {
  const uint16_t *at;
  const uint32_t count = lwi_leaf_begin(of, leaf, &at);
  for (uint32_t left = count; left > 0; left--) lwi_leaf_next(&at);
  *facets += count;
  return (uint32_t)(at - (of->numbers + leaf->first));
}

bool lwi_occluders_thin(const lwi_occluders *occluders, const uint32_t *numbers, lwi_memory *memory,
                        lwi_occluders *thin) {
  *thin = (lwi_occluders){.origin = occluders->origin, .quantum = occluders->quantum};
  for (uint32_t i = 0; i < occluders->leaf_count; i++) {
    if (numbers[i] == UINT32_MAX) continue;
    thin->leaf_count += 1;
    thin->number_count += size_of(occluders, &occluders->leaves[i], &thin->facet_count);
  }
  if (thin->leaf_count == 0) return true;
  thin->leaves = lwi_alloc(memory, thin->leaf_count * sizeof *thin->leaves);
  thin->numbers = lwi_alloc(memory, thin->number_count * sizeof *thin->numbers);
  if (!thin->leaves || !thin->numbers) return lwi_occluders_free(thin, memory), false;
  uint32_t at = 0, facets = 0;
  for (uint32_t i = 0; i < occluders->leaf_count; i++) {
    const lwi_occluder_leaf *from = &occluders->leaves[i];
    if (numbers[i] == UINT32_MAX) continue;
    uint32_t size = size_of(occluders, from, &facets);
    lwi_occluder_leaf *to = &thin->leaves[numbers[i]];
    *to = *from;
    to->first = at;
    memcpy(thin->numbers + at, occluders->numbers + from->first, size * sizeof *thin->numbers);
    at += size;
  }
  return true;
}
