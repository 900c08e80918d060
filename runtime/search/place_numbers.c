#include "search/place_numbers.h"

#include <string.h>

#define SLOTS_MIN 256u

/* Fibonacci hashing (Knuth 1973). */
static uint32_t hash_of(uint32_t place, uint32_t slot_count) {
  return (uint32_t)((uint64_t)place * 0x9e3779b97f4a7c15u >> 32) & (slot_count - 1);
}

/* The slot of a place, or the free one where it would be. */
static uint32_t slot_of(const lwi_place_numbers *numbers, uint32_t place) {
  uint32_t at = hash_of(place, numbers->slot_count);
  while (numbers->slots[at] != 0 && numbers->places[numbers->slots[at] - 1] != place)
    at = (at + 1) & (numbers->slot_count - 1);
  return at;
}

/* At most half of the slots are taken. */
static bool reserve(lwi_place_numbers *numbers, lwi_memory *memory) {
  if (!lwi_reserve(memory, &numbers->places, &numbers->capacity, numbers->count + 1, sizeof *numbers->places))
    return false;
  if (2 * (uint32_t)(numbers->count + 1) <= numbers->slot_count) return true;
  const uint32_t slot_count = numbers->slot_count ? 2 * numbers->slot_count : SLOTS_MIN;
  uint32_t *slots = lwi_alloc_zero(memory, slot_count * sizeof *slots);
  if (!slots) return false;
  lwi_free(memory, numbers->slots, numbers->slot_count * sizeof *numbers->slots);
  numbers->slots = slots;
  numbers->slot_count = slot_count;
  for (int i = 0; i < numbers->count; i++)
    numbers->slots[slot_of(numbers, numbers->places[i])] = (uint32_t)i + 1;
  return true;
}

uint32_t lwi_place_number(const lwi_place_numbers *numbers, uint32_t place) {
  return numbers->count > 0 ? numbers->slots[slot_of(numbers, place)] - 1 : LWI_NO_NUMBER;
}

uint32_t lwi_place_number_add(lwi_place_numbers *numbers, lwi_memory *memory, uint32_t place) {
  const uint32_t known = lwi_place_number(numbers, place);
  if (known != LWI_NO_NUMBER) return known;
  if (!reserve(numbers, memory)) return LWI_NO_NUMBER;
  const uint32_t number = (uint32_t)numbers->count++;
  numbers->slots[slot_of(numbers, place)] = number + 1;
  numbers->places[number] = place;
  return number;
}

void lwi_place_numbers_clear(lwi_place_numbers *numbers) {
  if (numbers->count > 0) memset(numbers->slots, 0, numbers->slot_count * sizeof *numbers->slots);
  numbers->count = 0;
}

void lwi_place_numbers_free(lwi_place_numbers *numbers, lwi_memory *memory) {
  lwi_free(memory, numbers->places, (size_t)numbers->capacity * sizeof *numbers->places);
  lwi_free(memory, numbers->slots, numbers->slot_count * sizeof *numbers->slots);
  *numbers = (lwi_place_numbers){0};
}
