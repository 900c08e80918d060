#include "core/number_set.h"

#include <string.h>

void lwi_number_set_free(lwi_number_set *set, lwi_memory *memory) {
  lwi_free(memory, set->words, (size_t)set->capacity * sizeof *set->words);
  *set = (lwi_number_set){0};
}

/* @return false: no memory. */
static bool reserve(lwi_number_set *set, lwi_memory *memory, int words) {
  const int known = set->capacity;
  if (!lwi_reserve(memory, &set->words, &set->capacity, words, sizeof *set->words)) return false;
  if (set->capacity > known)
    memset(set->words + known, 0, (size_t)(set->capacity - known) * sizeof *set->words);
  return true;
}

uint32_t lwi_number_set_take(lwi_number_set *set, lwi_memory *memory) {
  while (set->first < set->capacity && set->words[set->first] == UINT64_MAX) set->first += 1;
  if (!reserve(set, memory, set->first + 1)) return UINT32_MAX;
  const int bit = __builtin_ctzll(~set->words[set->first]);
  set->words[set->first] |= 1ull << bit;
  return (uint32_t)set->first * 64 + (uint32_t)bit;
}

bool lwi_number_set_has(const lwi_number_set *set, uint32_t number) {
  return number / 64 < (uint32_t)set->capacity && (set->words[number / 64] >> number % 64 & 1);
}

bool lwi_number_set_take_this(lwi_number_set *set, lwi_memory *memory, uint32_t number) {
  const uint32_t word = number / 64;
  if (word >= INT32_MAX || !reserve(set, memory, (int)word + 1)) return false;
  set->words[word] |= 1ull << number % 64;
  return true;
}

void lwi_number_set_give_back(lwi_number_set *set, uint32_t number) {
  const int word = (int)(number / 64);
  set->words[word] &= ~(1ull << number % 64);
  if (word < set->first) set->first = word;
}

void lwi_number_set_clear(lwi_number_set *set) {
  if (set->capacity > 0) memset(set->words, 0, (size_t)set->capacity * sizeof *set->words);
  set->first = 0;
}
