#include "cover/occluder.h"

#include "core/vec3.h"

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
