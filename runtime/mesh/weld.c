#include "mesh/weld.h"

#include "core/vec3.h"

#include <string.h>

/* Adding 0 turns -0 into 0, which is the same place. */
static lw_vec3 without_signs(lw_vec3 v) {
  return lwi_vec3(v.x + 0.0f, v.y + 0.0f, v.z + 0.0f);
}

static uint32_t hash_place(lw_vec3 place) {
  uint32_t words[3], hash = 0;
  memcpy(words, &place, sizeof words);
  for (int i = 0; i < 3; i++) {
    hash = (hash ^ words[i]) * 0x9e3779b1u;
    hash ^= hash >> 15;
  }
  return hash;
}

typedef struct weld_slot {
  lw_vec3 place;
  int number; /* + 1; 0: free */
} weld_slot;

bool lwi_weld(lwi_memory *memory, const lw_vec3 *points, int count, int *numbers, lw_vec3 *places,
              int *place_count) {
  uint32_t slots = 16;
  while (slots < 2 * (uint32_t)count) slots *= 2;
  weld_slot *table = lwi_alloc_zero(memory, slots * sizeof *table);
  *place_count = 0;
  if (!table) return false;
  for (int i = 0; i < count; i++) {
    lw_vec3 place = without_signs(points[i]);
    uint32_t slot = hash_place(place) & (slots - 1);
    while (table[slot].number != 0 && !lwi_equal(table[slot].place, place)) slot = (slot + 1) & (slots - 1);
    if (table[slot].number == 0) {
      if (places) places[*place_count] = points[i];
      table[slot] = (weld_slot){place, ++*place_count};
    }
    numbers[i] = table[slot].number - 1;
  }
  lwi_free(memory, table, slots * sizeof *table);
  return true;
}
